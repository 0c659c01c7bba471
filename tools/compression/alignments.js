// Has loads and stores that differ only in the alignment that they promise say the same, so that a module compresses better. A promise is
// a hint: what is loaded and stored stays the same. It never becomes greater, since a host may be slow where one is not kept.

import { OP, readModule } from './code.js';

const [I64_LOAD, I64_STORE] = [0x29, 0x37];
const WORD = 2; // the binary logarithm of 4: no host has a use for more, where integers have 64 bits

/** @param {number} op @param {number} alignment */
const plain = (op, alignment) => (op === OP.vector ? 0 : op === I64_LOAD || op === I64_STORE ? Math.min(alignment, WORD) : alignment);

/** The module with plain alignments: none of vectors, that of a word for integers of 64 bits. @param {Uint8Array} bytes */
export function plainAlignments(bytes) {
  const plainly = Buffer.from(bytes);
  for (const { code, instructions } of readModule(plainly).bodies)
    for (const { op, alignment } of instructions) if (alignment >= 0) code[alignment] = plain(op, code[alignment]);
  return plainly;
}
