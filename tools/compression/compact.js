// Writes a module anew so that it compresses better and computes the same: plain alignments, other indices of locals, another order of
// functions. --smallest tries several renamings, and several orders of the best of them, and keeps what brotli makes smallest.
//
//   node tools/compression/compact.js MODULE [--smallest]     in place

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { plainAlignments } from './alignments.js';
import { LAST_WEIGHTS, OTHER_WEIGHTS, orderFunctions } from './order.js';
import { checked, furtherRenamings, renameLocals } from './rename.js';

const compress = promisify(brotliCompress);
const BEST = 3; // so many renamings are put in several orders

/** Its bytes as a server sends them. @param {Buffer} module */
async function compressedBytes(module) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return (await compress(module, { params })).length;
}

/** @param {Uint8Array} bytes */
export const compacted = (bytes) => orderFunctions(renameLocals(plainAlignments(bytes)));

/** Modules with their sizes, the smallest first. @param {{ renamed: Uint8Array, module: Buffer }[]} tried */
async function ranked(tried) {
  const sized = await Promise.all(tried.map(async (one) => ({ ...one, size: await compressedBytes(one.module) })));
  return sized.sort((a, b) => a.size - b.size);
}

/** @template {{ size: number }} T @param {T} one @param {T} other */
const smaller = (one, other) => (other.size < one.size ? other : one);

/** @param {Uint8Array} bytes */
export async function smallest(bytes) {
  const plain = plainAlignments(bytes);
  const first = await ranked(furtherRenamings(plain).map((renamed) => ({ renamed, module: orderFunctions(renamed) })));
  const further = await ranked(first.slice(0, BEST).flatMap(({ renamed }) => OTHER_WEIGHTS.map((weights) => ({ renamed, module: orderFunctions(renamed, weights) }))));
  const best = smaller(first[0], further[0]);
  checked(plain, best.renamed);
  const last = await ranked(LAST_WEIGHTS.map((weights) => ({ renamed: best.renamed, module: orderFunctions(best.module, weights) })));
  return smaller(best, last[0]).module;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path, option] = process.argv;
  const bytes = readFileSync(path);
  writeFileSync(path, option === '--smallest' ? await smallest(bytes) : compacted(bytes));
}
