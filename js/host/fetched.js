// WebAssembly modules that come by fetch.

import { checkIsModule, compileError, loadError, REMEDY } from './host.js';

/** @param {URL} url @param {AbortSignal} [signal] */
async function fetched(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw loadError(`${url} could not be fetched: ${/** @type {any} */ (error)?.message}; the server must be reachable, and the page's policy must allow it (connect-src)`, error);
  }
  if (!response.ok) throw loadError(`${url} answered ${response.status}; ${REMEDY}`);
  return response;
}

/**
 * @param {URL} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileFetched(url, signal) {
  const response = await fetched(url, signal);
  try {
    // Compiling while loading needs the right media type; a server that does not send it costs only time.
    if (response.headers.get('content-type')?.startsWith('application/wasm') && WebAssembly.compileStreaming)
      return await WebAssembly.compileStreaming(response);
    const bytes = new Uint8Array(await response.arrayBuffer());
    checkIsModule(bytes, `${url}`);
    return await WebAssembly.compile(bytes);
  } catch (error) {
    if (signal?.aborted || /** @type {any} */ (error)?.code === 'LOAD') throw error;
    throw compileError(`${url}`, error, REMEDY);
  }
}
