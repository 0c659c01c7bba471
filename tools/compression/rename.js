// Gives the locals of a module's functions other indices, so that it compresses better: where a local's index stands, the bytes
// before it should be followed by that index elsewhere too. Nothing else changes, neither instructions nor their number.
//
// A function's webs are coloured by its locals. Two colours of one type may be exchanged among webs that meet each other, and
// this is done wherever it makes the function's bytes more likely, as a model of the whole module sees them. The model is not brotli,
// whose sizes go up and down from round to round.

import { OP, readModule, unsigned, writeBody, writeModule } from './code.js';
import { websOf } from './webs.js';

/** @typedef {{ body: import('./code.js').Body, webs: import('./webs.js').Webs, types: number[], colors: number[], text: Int32Array,
 *  places: number[], uses: number[][] }} Renamed text: the code, where colors stand at places; uses: of each web, in text */

const ROUNDS = 8;
const MORE_ROUNDS = 26; // begun once more, from what the first ones gave
const CONTEXTS = [1, 4, 7]; // lengths in bytes; a longer one counts more
const LONGEST = 7;
const CONFIDENCE = 24; // seen as often as this, a context weighs as much as all shorter ones
const TABLE = 1 << 22;

/** How often bytes follow other bytes. */
class Model {
  #contexts = CONTEXTS.map(() => new Uint32Array(TABLE));
  #followed = CONTEXTS.map(() => new Uint32Array(TABLE));

  /** @param {Int32Array} text @param {number} at @param {number} length */
  #hash(text, at, length) {
    let hash = length;
    for (let back = 1; back <= length; back++) hash = (Math.imul(hash ^ text[at - back], 0x01000193) + (hash >>> 15)) | 0;
    return hash;
  }

  /** @param {number} hash @param {number} byte */
  #pair(hash, byte) {
    const mixed = Math.imul(hash, 31) + Math.imul(byte + 1, 0x85ebca6b);
    return (mixed ^ (mixed >>> 11)) & (TABLE - 1);
  }

  /** @param {number} hash */
  #slot(hash) {
    return (hash ^ (hash >>> 13)) & (TABLE - 1);
  }

  /** Counts a text, or takes it back. @param {Int32Array} text @param {1 | -1} times */
  count(text, times) {
    for (let at = LONGEST; at < text.length; at++)
      CONTEXTS.forEach((length, order) => {
        const hash = this.#hash(text, at, length);
        this.#contexts[order][this.#slot(hash)] += times;
        this.#followed[order][this.#pair(hash, text[at])] += times;
      });
  }

  /** Bits that one byte costs. @param {Int32Array} text @param {number} at */
  #bits(text, at) {
    let likely = 1 / 256;
    for (let order = 0; order < CONTEXTS.length; order++) {
      const hash = this.#hash(text, at, CONTEXTS[order]);
      const seen = this.#contexts[order][this.#slot(hash)];
      if (seen === 0) break;
      const weight = seen / (seen + CONFIDENCE);
      likely = likely * (1 - weight) + (weight * this.#followed[order][this.#pair(hash, text[at])]) / seen;
    }
    return -Math.log2(Math.max(likely, 1e-6));
  }

  /** Bits of the bytes at these places and of those whose context holds them. @param {Int32Array} text @param {number[]} places sorted */
  bits(text, places) {
    let sum = 0;
    let next = 0;
    for (const place of places)
      for (next = Math.max(next, place); next <= place + LONGEST && next < text.length; next++) sum += this.#bits(text, next);
    return sum;
  }
}

const TYPES = [0x7f, 0x7e, 0x7d, 0x7c, 0x7b]; // i32, i64, f32, f64, v128: the order of locals

/** A function's locals by type, and by how often they are used. @param {import('./code.js').Body} body @returns {Renamed} */
function prepare(body) {
  const webs = websOf(body);
  const counts = new Array(body.types.length).fill(0);
  for (const { op, index } of body.instructions) if (op >= OP.get && op <= OP.tee) counts[index]++;
  const order = TYPES.flatMap((type) =>
    [...counts.keys()].slice(body.parameters).filter((local) => body.types[local] === type && counts[local] > 0).sort((a, b) => counts[b] - counts[a]),
  );
  const locals = [...Array(body.parameters).keys(), ...order];
  const colors = webs.local.map((local) => locals.indexOf(local));
  const text = [...new Array(LONGEST).fill(-1)];
  /** @type {number[]} */
  const places = [];
  /** @type {number[][]} */
  const uses = colors.map(() => []);
  let copied = 0;
  body.instructions.forEach(({ immediate, end }, at) => {
    const web = webs.of[at];
    if (web < 0) return;
    text.push(...body.code.subarray(copied, immediate), colors[web]);
    places.push(text.length - 1);
    uses[web].push(text.length - 1);
    copied = end;
  });
  for (const byte of body.code.subarray(copied)) text.push(byte);
  return { body, webs, types: locals.map((local) => body.types[local]), colors, text: Int32Array.from(text), places, uses };
}

/** The webs that must change with this one, should it change between two colours. @param {Renamed} renamed @param {number} web @param {number} sum of the two */
function chainOf({ webs, colors }, web, sum) {
  const chain = [web];
  const seen = new Set(chain);
  for (const one of chain)
    for (const other of webs.meets[one])
      if (colors[other] === sum - colors[one] && !seen.has(other)) {
        seen.add(other);
        chain.push(other);
      }
  return chain;
}

/** Exchanges colours of one function wherever the model finds that better. @param {Renamed} renamed @param {Model} model */
function improve(renamed, model) {
  const { body, types, colors, text, uses } = renamed;
  const exchange = (/** @type {number[]} */ chain, /** @type {number} */ sum) => {
    for (const web of chain) {
      colors[web] = sum - colors[web];
      for (const place of uses[web]) text[place] = colors[web];
    }
  };
  for (let first = 0; first < types.length; first++)
    for (let second = Math.max(first + 1, body.parameters); second < types.length; second++) {
      if (types[first] !== types[second]) continue;
      const tried = new Set();
      for (let web = 0; web < colors.length; web++) {
        if (tried.has(web) || (colors[web] !== first && colors[web] !== second)) continue;
        const chain = chainOf(renamed, web, first + second);
        for (const one of chain) tried.add(one);
        if (chain.some((one) => one < body.parameters)) continue;
        const places = chain.flatMap((one) => uses[one]).sort((a, b) => a - b);
        const before = model.bits(text, places);
        exchange(chain, first + second);
        if (model.bits(text, places) > before - 0.01) exchange(chain, first + second);
      }
    }
}

/** @param {Renamed} renamed */
function written({ body, types, text, places }) {
  const code = [];
  let copied = LONGEST;
  for (const place of places) {
    code.push(text.subarray(copied, place), unsigned(text[place]));
    copied = place + 1;
  }
  code.push(text.subarray(copied));
  return writeBody(body, types, Buffer.concat(code.map((part) => Buffer.from(part))));
}

/** Whether two bodies' webs are made of the same instructions: every value is then read where it was.
 * @param {import('./webs.js').Webs} mine @param {import('./webs.js').Webs} theirs @param {number} parameters of both */
export function sameWebs(mine, theirs, parameters) {
  /** @type {Map<number, number>} */
  const partners = new Map(Array.from({ length: parameters }, (_, parameter) => [parameter, parameter]));
  mine.of.forEach((web, at) => partners.has(web) || partners.set(web, theirs.of[at]));
  return mine.of.every((web, at) => partners.get(web) === theirs.of[at]) && new Set(partners.values()).size === partners.size;
}

/** Renames round by round; gives what writes the module as it is then. @param {Uint8Array} bytes @param {number} rounds */
function* renamings(bytes, rounds) {
  const { sections, bodies } = readModule(bytes);
  const functions = bodies.map(prepare);
  const model = new Model();
  for (const { text } of functions) model.count(text, 1);
  for (let round = 0; round < rounds; round++) {
    for (const renamed of functions) {
      model.count(renamed.text, -1);
      improve(renamed, model);
      model.count(renamed.text, 1);
    }
    yield () => writeModule(bytes, sections, functions.map(written));
  }
}

/** The module after renaming, if every value is still read where it was. @param {Uint8Array} before @param {Buffer} after */
export function checked(before, after) {
  const { bodies } = readModule(before);
  readModule(after).bodies.forEach((body, at) => {
    if (!sameWebs(websOf(bodies[at]), websOf(body), body.parameters)) throw new Error(`renaming the locals of function ${at} changed what it does`);
  });
  return after;
}

/** The module with its locals renamed. @param {Uint8Array} bytes */
export function renameLocals(bytes) {
  const [last] = [...renamings(bytes, ROUNDS)].slice(-1);
  return checked(bytes, last());
}

/** Different renamings, of which now one compresses best and now another; the one that is taken is to be checked. @param {Uint8Array} bytes */
export function furtherRenamings(bytes) {
  const tried = [renameLocals(bytes)];
  let round = 0;
  for (const write of renamings(tried[0], MORE_ROUNDS)) {
    if (++round < ROUNDS) continue;
    const renamed = write();
    if (!tried.some((other) => Buffer.compare(other, renamed) === 0)) tried.push(renamed);
  }
  return tried;
}
