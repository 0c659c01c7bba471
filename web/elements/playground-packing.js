// Texts in addresses: deflated, in the alphabet of base64url.

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function streamed(bytes, { writable, readable }) {
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  written.catch(() => {}); // the reader fails as well
  /** @type {BlobPart[]} */
  const parts = [];
  const reader = readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
  await written;
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {string} text @returns {Promise<string>} letters, digits, - and _ */
export async function packText(text) {
  const bytes = await streamed(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} packed what packText gave @returns {Promise<string>} @throws {Error} it is no such text */
export async function unpackText(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(await streamed(bytes, new DecompressionStream('deflate-raw')));
  } catch {
    throw new Error('The program in this address is damaged: a part of it is missing, perhaps.');
  }
}
