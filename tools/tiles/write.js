// node write.js TILES.wasm OUT: runs the program of tiles.c, and writes the bytes of the modules as items of an array in C.

import { readFileSync, writeFileSync } from 'node:fs';

const [wasm, out] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(wasm));
/** @type {Record<string, Record<string, () => number>>} */
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 0;
const exports = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);
exports._initialize?.();

/** @param {boolean} shared whether the memory is */
function itemsOf(shared) {
  const size = exports.write_tiles(shared);
  const bytes = new Uint8Array(exports.memory.buffer, exports.tiles(), size);
  if (bytes[1] !== 0x61) throw new Error('no module of tile kernels was written');
  return bytes.join(',');
}

writeFileSync(out, `#ifdef __wasm_atomics__\n${itemsOf(true)}\n#else\n${itemsOf(false)}\n#endif\n`);
