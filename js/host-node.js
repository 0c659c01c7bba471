// Node.js: webhlo.wasm is a file.
/**
 * @param {URL} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileFrom(url, signal) {
  if (url.protocol !== 'file:') {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  // Bundlers for the web leave this import alone.
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
  try {
    return await WebAssembly.compile(await readFile(url, { signal }));
  } catch (error) {
    if (/** @type {any} */ (error)?.code !== 'ENOENT') throw error;
    throw new Error(`${url.pathname} is not there: build it with 'npm run build'`, { cause: error });
  }
}
