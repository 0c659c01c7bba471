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
const FEW = 20; // a round that exchanges fewer is the last
const CONTEXTS = [1, 4, 7]; // lengths in bytes; a longer one counts more
const LONGEST = 7;
const CONFIDENCE = 24; // seen as often as this, a context weighs as much as all shorter ones
const TABLE = 1 << 23;
const HALF = 512; // entries of half a page: what is read together lies together

/** How often bytes follow other bytes. Contexts are counted in one half of a page of memory, what follows them in the other half. */
class Model {
  #counts = CONTEXTS.map(() => new Uint32Array(TABLE));

  /** A hash of more bytes before a place. @param {number} hash of those from `from` on @param {Int32Array} text @param {number} at @param {number} from @param {number} to */
  #further(hash, text, at, from, to) {
    for (let back = from + 1; back <= to; back++) hash = (Math.imul(hash ^ text[at - back], 0x01000193) + (hash >>> 15)) | 0;
    return hash;
  }

  /** Where a context is counted. @param {number} hash */
  #slot(hash) {
    return (hash ^ (hash >>> 13)) & (TABLE - 1) & ~HALF;
  }

  /** Where a byte after it is counted. @param {number} slot of the context @param {number} hash @param {number} byte */
  #pair(slot, hash, byte) {
    return (slot & -HALF) | HALF | ((Math.imul(hash, 0x9e3779b1) >>> 20) + byte) & (HALF - 1);
  }

  /** Counts a text, or takes it back. @param {Int32Array} text @param {1 | -1} times */
  count(text, times) {
    for (let at = LONGEST; at < text.length; at++)
      for (let order = 0, hash = 1, length = 0; order < CONTEXTS.length; length = CONTEXTS[order++]) {
        hash = this.#further(hash, text, at, length, CONTEXTS[order]);
        const slot = this.#slot(hash);
        this.#counts[order][slot] += times;
        this.#counts[order][this.#pair(slot, hash, text[at])] += times;
      }
  }

  /** Bits that one byte costs. @param {Int32Array} text @param {number} at */
  bits(text, at) {
    let likely = 1 / 256;
    for (let order = 0, hash = 1, length = 0; order < CONTEXTS.length; length = CONTEXTS[order++]) {
      hash = this.#further(hash, text, at, length, CONTEXTS[order]);
      const slot = this.#slot(hash);
      const seen = this.#counts[order][slot];
      if (seen === 0) break;
      likely = (CONFIDENCE * likely + this.#counts[order][this.#pair(slot, hash, text[at])]) / (seen + CONFIDENCE);
    }
    return -Math.log2(Math.max(likely, 1e-6));
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

/** Exchanges colours of one function wherever the model finds that better; gives how often. @param {Renamed} renamed @param {Model} model */
function improve(renamed, model) {
  const { body, types, colors, text, uses } = renamed;
  const cost = Float64Array.from(text, (_, at) => (at < LONGEST ? 0 : model.bits(text, at)));
  const seen = new Int32Array(text.length);
  let [chains, exchanged] = [0, 0];
  const exchange = (/** @type {number[]} */ chain, /** @type {number} */ sum) => {
    for (const web of chain) {
      colors[web] = sum - colors[web];
      for (const place of uses[web]) text[place] = colors[web];
    }
  };
  /** The places of these webs and of the bytes whose context holds them. */
  const placesOf = (/** @type {number[]} */ chain) => {
    chains++;
    const places = [];
    for (const web of chain)
      for (const use of uses[web])
        for (let at = use; at <= use + LONGEST && at < text.length; at++)
          if (seen[at] !== chains) {
            seen[at] = chains;
            places.push(at);
          }
    return places;
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
        const places = placesOf(chain);
        let left = -0.01; // bits that may still be spent
        for (const at of places) left += cost[at];
        exchange(chain, first + second);
        const other = [];
        for (let n = 0; n < places.length && left > 0; n++) {
          other.push(model.bits(text, places[n]));
          left -= other[n];
        }
        if (left > 0) {
          other.forEach((bits, n) => (cost[places[n]] = bits));
          exchanged++;
        } else exchange(chain, first + second);
      }
    }
  return exchanged;
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

/** Renames round by round, until little is exchanged; gives what writes the module as it is then. @param {Uint8Array} bytes @param {number} most rounds */
function* rounds(bytes, most) {
  const { sections, bodies } = readModule(bytes);
  const functions = bodies.map(prepare);
  const model = new Model();
  for (const { text } of functions) model.count(text, 1);
  let exchanged = FEW;
  for (let round = 0; round < most && exchanged >= FEW; round++) {
    exchanged = 0;
    for (const renamed of functions) {
      model.count(renamed.text, -1);
      exchanged += improve(renamed, model);
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

/** Renamings, each from one more round: of which one compresses best changes from module to module. What is taken is to be checked.
 * @param {Uint8Array} bytes @returns {Generator<() => Buffer>} what writes the module */
export function* renamings(bytes) {
  let first = () => Buffer.from(bytes);
  for (const write of rounds(bytes, ROUNDS)) first = write;
  yield first;
  yield* rounds(first(), MORE_ROUNDS);
}

/** The module with its locals renamed. @param {Uint8Array} bytes @param {number} [further] rounds */
export function renameLocals(bytes, further = 0) {
  let last = () => Buffer.from(bytes);
  for (const write of renamings(bytes)) {
    last = write;
    if (further-- === 0) break;
  }
  return checked(bytes, last());
}
