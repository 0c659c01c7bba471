// Writes a module anew so that it compresses better and computes the same: plain alignments, other indices of locals, another order of
// functions. How often locals are renamed, and by which weights functions are put in order, stands in choices.json, which search.js
// writes; a module that it does not name is written in the usual way.
//
//   node tools/compression/compact.js MODULE WRITTEN

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainAlignments } from './alignments.js';
import { moveFunctions, orderFunctions } from './order.js';
import { renameLocals } from './rename.js';

/** @typedef {{ rounds: number, orders: import('./order.js').Weights[], moves?: import('./order.js').Move[] }} Choice rounds: of renaming,
 *  further ones; orders: in which functions are put, one after another; moves: of some of them, then */

/** @type {Choice} */
const USUAL = { rounds: 0, orders: [{}] };

export const choicesFile = new URL('choices.json', import.meta.url);
/** @returns {Record<string, Choice>} by the names of modules */
export const readChoices = () => JSON.parse(readFileSync(choicesFile, 'utf8'));

/** @param {Uint8Array} bytes @param {Choice} [choice] */
export function compacted(bytes, choice = USUAL) {
  return arranged(renameLocals(plainAlignments(bytes), choice.rounds), choice);
}

/** A module whose locals are renamed, with its functions in order. @param {Buffer} module @param {Choice} choice */
export function arranged(module, { orders, moves = [] }) {
  for (const weights of orders) module = orderFunctions(module, weights);
  return moves.length ? moveFunctions(module, moves) : module;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path, written] = process.argv;
  writeFileSync(written, compacted(readFileSync(path), readChoices()[basename(path)]));
}
