// Puts functions that resemble each other side by side, so that a module compresses better: what was seen a moment ago costs few bits.
// Each function is followed by the one that shares most with it and, less and less, with those before it. Nothing changes but the
// indices of functions.

import { OP, Reader, readModule, unsigned, writeBody, writeModule } from './code.js';

const PIECE = 4; // bytes of code that two functions may share
const FEW_PIECES = 20; // a function of fewer is as likely to be alike by chance
const WEIGHTS = {
  mostShared: 1500, // a piece that more functions have tells nothing
  kept: 0.7, // of what was shared with a function, after the next one
  sameType: 3, // what two functions share by being of one type: types are listed in the order of functions
  length: 0.5, // the power of a function's length by which what it shares is divided
};
/** @typedef {Partial<typeof WEIGHTS>} Weights which are best changes from module to module */

const SECTION = { import: 2, function: 3, export: 7, start: 8, element: 9 };
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3]; // kinds of imports and exports

/** @typedef {{ holders: number[], weight: number }} Piece holders: the functions that have it and are left; weight: what sharing it counts */

/** For each function, the pieces that are worth comparing. @param {Uint8Array[]} codes @param {number} mostShared */
function piecesOf(codes, mostShared) {
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  const all = codes.map((code, place) => {
    const own = [];
    for (let at = 0; at + PIECE <= code.length; at++) {
      let hash = 0;
      for (let n = 0; n < PIECE; n++) hash = Math.imul(hash, 0x01000193) ^ code[at + n];
      let piece = pieces.get(hash);
      if (!piece) pieces.set(hash, (piece = { holders: [], weight: 0 }));
      if (piece.holders[piece.holders.length - 1] === place) continue;
      piece.holders.push(place);
      own.push(piece);
    }
    return own;
  });
  for (const piece of pieces.values()) piece.weight = 1 / Math.log2(1 + piece.holders.length);
  return all.map((own) => own.filter(({ holders }) => holders.length > 1 && holders.length < mostShared));
}

/** Places of functions, in an order in which neighbours are alike. @param {Uint8Array[]} codes @param {number[]} types of the functions
 *  @param {Weights} [weights] */
export function similarOrder(codes, types, weights) {
  const { mostShared, kept, sameType, length } = { ...WEIGHTS, ...weights };
  const pieces = piecesOf(codes, mostShared);
  const lengths = pieces.map((own) => (FEW_PIECES + own.length) ** length);
  const shared = new Float64Array(codes.length);
  const left = [...codes.keys()];
  const order = [];
  while (left.length > 0) {
    let [most, next] = [-1, 0];
    const type = types[order[order.length - 1]];
    left.forEach((place, at) => {
      const likeness = (shared[place] + (types[place] === type ? sameType : 0)) / lengths[place];
      if (likeness > most) [most, next] = [likeness, at];
    });
    const [place] = left.splice(next, 1);
    order.push(place);
    for (const other of left) shared[other] *= kept;
    for (const { holders, weight } of pieces[place]) {
      holders.splice(holders.indexOf(place), 1);
      for (const other of holders) shared[other] += weight;
    }
  }
  return order;
}

/** How many functions a module imports. @param {Reader} from @param {number} count of imports */
function importedFunctions(from, count) {
  let functions = 0;
  for (; count > 0; count--) {
    for (let names = 0; names < 2; names++) from.list(() => from.byte());
    const kind = from.byte();
    if (kind > GLOBAL) throw new Error(`imports of kind ${kind} are not known`);
    if (kind === FUNCTION) functions++;
    if (kind === TABLE || kind === GLOBAL) from.byte(); // the type of its elements, or its own
    const number = from.unsigned(); // of a type; flags of limits; whether a global changes
    if (kind === TABLE || kind === MEMORY) for (let limits = 1 + (number & 1); limits > 0; limits--) from.unsigned();
  }
  return functions;
}

/** A section with other indices of functions. @param {Uint8Array} bytes @param {{ id: number, start: number, end: number }} section
 *  @param {(index: number) => number} indexOf @param {number[]} order */
function renumbered(bytes, { id, start, end }, indexOf, order) {
  const from = new Reader(bytes, start);
  /** @type {number[][]} */
  const parts = [];
  const copy = (/** @type {() => void} */ read) => {
    const at = from.at;
    read();
    parts.push([...bytes.subarray(at, from.at)]);
  };
  const index = () => parts.push(unsigned(indexOf(from.unsigned())));
  const count = () => {
    const value = from.unsigned();
    parts.push(unsigned(value));
    return value;
  };
  if (id === SECTION.function) {
    const types = from.list(() => from.unsigned());
    return Buffer.from([...unsigned(types.length), ...order.flatMap((place) => unsigned(types[place]))]);
  }
  if (id === SECTION.start) index();
  else if (id === SECTION.export)
    for (let left = count(); left > 0; left--) {
      let kind = FUNCTION;
      copy(() => {
        from.list(() => from.byte()); // the name
        kind = from.byte();
      });
      if (kind === FUNCTION) index();
      else count();
    }
  else if (id === SECTION.element)
    for (let left = count(); left > 0; left--) {
      copy(() => {
        if (from.unsigned() !== 0) throw new Error('elements of this kind are not known');
        for (let op = from.byte(); op !== OP.end; op = from.byte()) {
          if (op !== OP.i32 && op !== OP.globalGet) throw new Error(`opcode 0x${op.toString(16)} is not known where elements begin`);
          from.skip(1);
        }
      });
      for (let functions = count(); functions > 0; functions--) index();
    }
  else return bytes.subarray(start, end);
  return Buffer.from(parts.flat());
}

/** @param {import('./code.js').Body} body @param {(index: number) => number} indexOf */
function calling(body, indexOf) {
  const code = [];
  let copied = 0;
  for (const { op, immediate, end } of body.instructions) {
    if (op !== OP.call && op !== OP.functionReference) continue;
    code.push(body.code.subarray(copied, immediate), unsigned(indexOf(new Reader(body.code, immediate).unsigned())));
    copied = end;
  }
  code.push(body.code.subarray(copied));
  return writeBody(body, body.types, Buffer.concat(code.map((part) => Buffer.from(part))));
}

/** The module with its functions in this order. @param {Uint8Array} bytes @param {number[]} order their places now */
export function reordered(bytes, order) {
  const { sections, bodies } = readModule(bytes);
  const imports = sections.find(({ id }) => id === SECTION.import);
  const from = new Reader(bytes, imports?.start);
  const first = imports ? importedFunctions(from, from.unsigned()) : 0;
  const indices = new Uint32Array(order.length);
  order.forEach((place, index) => (indices[place] = first + index));
  const indexOf = (/** @type {number} */ index) => (index < first ? index : indices[index - first]);
  return writeModule(bytes, sections, order.map((place) => calling(bodies[place], indexOf)), (section) => renumbered(bytes, section, indexOf, order));
}

/** @param {Uint8Array} bytes @param {Weights} [weights] */
export function orderFunctions(bytes, weights) {
  const { sections, bodies } = readModule(bytes);
  const list = sections.find(({ id }) => id === SECTION.function);
  const from = new Reader(bytes, list?.start);
  return reordered(bytes, similarOrder(bodies.map(({ code }) => code), list ? from.list(() => from.unsigned()) : [], weights));
}

/** @typedef {[at: number, count: number, to: number]} Move functions that stand side by side, and where they come in between the others */

/** @param {Uint8Array} bytes @param {readonly Move[]} moves one after another */
export function moveFunctions(bytes, moves) {
  const order = [...readModule(bytes).bodies.keys()];
  for (const [at, count, to] of moves) order.splice(to, 0, ...order.splice(at, count));
  return reordered(bytes, order);
}
