// Searches for what makes a module compress best, and writes it into choices.json. Brotli's sizes go up and down by some hundred bytes
// with every change of a module: many renamings and orders are tried, and the luckiest is kept. For when the shipped module has grown
// over its limit; npm run build then makes it anew.
//
//   node tools/compression/search.js build/wasm/linked/webhlo.wasm 10     minutes

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { plainAlignments } from './alignments.js';
import { readModule } from './code.js';
import { arranged, choicesFile, readChoices } from './compact.js';
import { moveFunctions, orderFunctions } from './order.js';
import { checked, renamings } from './rename.js';

/** @typedef {import('./compact.js').Choice} Choice */
/** @typedef {{ choice: Choice, module: Buffer, size: number }} Tried */

const BEST = 5; // what is found further begins with one of so many
const MOST_ORDERS = 3;
const AT_ONCE = 3; // modules that are compressed while the next one is made
const MOST_MOVED = 300;
const ORDERING = 0.4; // of the time; then functions of the best are moved
const compress = promisify(brotliCompress);

/** Its bytes as a server sends them. @param {Uint8Array} module */
async function compressedBytes(module) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return (await compress(module, { params })).length;
}

const between = (/** @type {number} */ low, /** @type {number} */ high) => Math.round((low + (high - low) * Math.random()) * 100) / 100;
const someWeights = () => ({ mostShared: between(700, 2500), kept: between(0.5, 0.85), sameType: between(1, 6), length: between(0.4, 0.6) });

/** @param {number} count of functions @returns {import('./order.js').Move} */
function someMove(count) {
  const moved = 1 + Math.floor(Math.random() ** 2 * Math.min(MOST_MOVED, count - 1));
  return [Math.floor(Math.random() * (count - moved)), moved, Math.floor(Math.random() * (count - moved + 1))];
}

/**
 * @param {Uint8Array} bytes
 * @param {number} seconds
 * @param {Choice} [known] found before, of this module or one like it
 * @param {(found: Tried) => void} [onBetter]
 * @returns {Promise<Tried>}
 */
export async function search(bytes, seconds, known, onBetter) {
  const begin = Date.now();
  const share = () => (Date.now() - begin) / (1000 * seconds);
  const plain = plainAlignments(bytes);
  /** @type {Tried[]} the smallest first */
  const best = [];
  /** @type {Set<Promise<void>>} */
  const waiting = new Set();
  const attempt = async (/** @type {Choice} */ choice, /** @type {Buffer} */ module) => {
    if (waiting.size >= AT_ONCE) await Promise.race(waiting);
    const job = compressedBytes(module).then((size) => {
      best.push({ choice, module, size });
      best.sort((a, b) => a.size - b.size).splice(BEST);
      if (best[0].module === module) onBetter?.(best[0]);
      waiting.delete(job);
    });
    waiting.add(job);
  };
  /** @type {Buffer[]} */
  const renamed = [];
  for (const write of renamings(plain)) {
    renamed.push(write());
    await attempt({ rounds: renamed.length - 1, orders: [{}] }, orderFunctions(renamed[renamed.length - 1]));
  }
  if (known && known.rounds < renamed.length) await attempt(known, arranged(renamed[known.rounds], known));
  await Promise.all(waiting);
  const { length } = readModule(plain).bodies;
  for (let turn = 0; share() < 1; turn++) {
    const { choice, module } = best[Math.floor(best.length * Math.random() ** 2)];
    if (share() > ORDERING && length > 1) {
      const move = someMove(length);
      await attempt({ ...choice, moves: [...(choice.moves ?? []), move] }, moveFunctions(module, [move]));
      continue;
    }
    const weights = someWeights();
    const again = turn % 2 === 1 && choice.orders.length < MOST_ORDERS && !choice.moves; // from an order that is good, or from none
    const orders = again ? [...choice.orders, weights] : [weights];
    await attempt({ rounds: choice.rounds, orders }, orderFunctions(again ? module : renamed[choice.rounds], weights));
  }
  await Promise.all(waiting);
  checked(plain, renamed[best[0].choice.rounds]);
  return best[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path, minutes] = process.argv;
  const name = basename(path);
  const { choice } = await search(readFileSync(path), 60 * Number(minutes), readChoices()[name], ({ size }) => console.log(`${name}: ${size} bytes compressed`));
  const choices = Object.entries({ ...readChoices(), [name]: choice }).map(([one, chosen]) => `  ${JSON.stringify(one)}: ${JSON.stringify(chosen)}`);
  writeFileSync(choicesFile, `{\n${choices.join(',\n')}\n}\n`);
}
