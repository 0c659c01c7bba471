// Writes a module anew so that it compresses better and computes the same: plain alignments, other indices of locals, another order of
// functions. --smallest tries several renamings, and keeps what brotli makes smallest.
//
//   node tools/compression/compact.js MODULE [--smallest]     in place

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { plainAlignments } from './alignments.js';
import { orderFunctions } from './order.js';
import { checked, furtherRenamings, renameLocals } from './rename.js';

const compress = promisify(brotliCompress);

/** Its bytes as a server sends them. @param {Buffer} module */
async function compressedBytes(module) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return (await compress(module, { params })).length;
}

/** @param {Uint8Array} bytes */
export const compacted = (bytes) => orderFunctions(renameLocals(plainAlignments(bytes)));

/** @param {Uint8Array} bytes */
export async function smallest(bytes) {
  const plain = plainAlignments(bytes);
  const renamed = furtherRenamings(plain);
  const tried = renamed.map(orderFunctions);
  const sizes = await Promise.all(tried.map(compressedBytes));
  const best = sizes.indexOf(Math.min(...sizes));
  checked(plain, renamed[best]);
  return tried[best];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path, option] = process.argv;
  const bytes = readFileSync(path);
  writeFileSync(path, option === '--smallest' ? await smallest(bytes) : compacted(bytes));
}
