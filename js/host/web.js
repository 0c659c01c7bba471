// Wherever fetch reaches: browsers, workers, Node for what is no file.

/**
 * @param {URL} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileFrom(url, signal) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // Compiling while loading needs the right media type; a server that does not send it costs only time.
  if (response.headers.get('content-type')?.startsWith('application/wasm') && WebAssembly.compileStreaming)
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
