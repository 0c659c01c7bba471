// model.safetensors.index.json: which tensor is in which file.

import { fileError } from './failures.js';
import { keyTwice } from './safetensors.js';

const MOST_BYTES = 100_000_000;

/** A file beside the index: no path, which could lead anywhere. @param {string} file */
const isPlain = (file) => file !== '' && !/[/\\:]|^\.\.?$/.test(file);

/**
 * Reads an index.
 * @param {string} name of its file
 * @param {import('./byte-stream.js').ByteStream} stream
 * @returns {Promise<Map<string, string[]>>} files, with the names of the tensors of each
 */
export async function readIndex(name, stream) {
  const fail = (/** @type {string} */ message, /** @type {string} */ tensor) => fileError('PARSE', name, message, { tensor });
  const bytes = await stream.peek(MOST_BYTES + 1);
  if (bytes.length > MOST_BYTES) throw fileError('PARSE', name, `an index of shards has at most ${MOST_BYTES} bytes`);
  let index, text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    index = JSON.parse(text);
  } catch (cause) {
    throw fileError('PARSE', name, `this is not JSON: ${/** @type {any} */ (cause)?.message}`, { cause });
  }
  const map = index?.weight_map;
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw fileError('PARSE', name, 'an index of shards has a weight_map, and this has none');
  const twice = keyTwice(text);
  if (twice !== undefined) throw fail('the index has this name twice', twice);
  /** @type {Map<string, string[]>} */
  const files = new Map();
  for (const [tensor, file] of Object.entries(map)) {
    if (typeof file !== 'string' || !isPlain(file)) throw fail(`its file should stand beside the index, and is ${JSON.stringify(file)}`, tensor);
    const tensors = files.get(file);
    if (tensors) tensors.push(tensor);
    else files.set(file, [tensor]);
  }
  return files;
}
