// Node.js: webhlo.wasm is a file.

/** @param {URL} url of a file @returns {Promise<WebAssembly.Module>} */
export async function compileFile(url) {
  // An import takes longer than reading the file does. Bundlers for the web leave it alone.
  const { readFileSync } =
    process.getBuiltinModule?.('node:fs') ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs'));
  try {
    // At once: threads that have to be woken save nothing here, and Node 20 was seen to wait for ever for them.
    return new WebAssembly.Module(readFileSync(url));
  } catch (error) {
    if (/** @type {any} */ (error)?.code !== 'ENOENT') throw error;
    throw new Error(`${url.pathname} is not there: build it with 'npm run build'`, { cause: error });
  }
}
