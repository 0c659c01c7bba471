// A language model: the program of one step, its cache of what was read, and how tokens follow from logits.
import { compileBound } from '../shared/bound.js';

/** The most tokens of a prompt that are read at once; what is left has a piece of its own length, a multiple of four but for one token: kernels take four rows of a matrix at a time, or six. */
const LONGEST = 120;
const ROWS = 4;
/** To compile for another length takes about as long as to read so many tokens. A length that is compiled is taken where fewer are filled up. */
const WORTH_COMPILING = 24;
/** A first question, with what the model is told before it, is seldom longer. */
const FIRST = 60;
/** For how many lengths and rooms the program is compiled at a time: each takes 3 MB. */
const MOST_PREPARED = 8;
/** Attention goes over all places, whether there is a token or not. */
const FEWEST_PLACES = 128;

/**
 * @typedef {object} AnswerOptions
 * @property {number} [most] tokens of the answer; 512 unless given
 * @property {readonly number[]} [ends] tokens that end it, which are not given
 * @property {(logits: Float32Array) => number} [choose] the next token; the likeliest unless given
 * @property {() => Promise<boolean>} [isStopped] asked between the pieces of a prompt
 */

/** The program that gives keys or values more places, with zeros in them. @param {number} groups @param {number} from @param {number} to @param {number} size */
const growth = (groups, from, to, size) => `HloModule growth
ENTRY growth {
  old = f32[${groups},${from},${size}] parameter(0)
  zero = f32[] constant(0)
  ROOT grown = f32[${groups},${to},${size}] pad(old, zero), padding=0_0x0_${to - from}x0_0
}`;

export class Decoder {
  #hlo;
  #program;
  #places;
  /** Tokens that are in the cache. @type {number[]} */
  #read = [];
  /** Keys and values of all layers. @type {any[]} */
  #cache = [];
  /** How many tokens there is room for. */
  #room = 0;
  /** Lengths and rooms for which the program is compiled; what was used last is the last. @type {Map<string, { length: number, room: number, executable: any }>} */
  #prepared = new Map();
  #shapes;

  /** Use `await Decoder.make()`. @param {any} hlo @param {any} program @param {number} places */
  constructor(hlo, program, places) {
    this.#hlo = hlo;
    this.#program = program;
    this.#places = places;
    this.#shapes = program.inputs.slice(0, -3).map((/** @type {{ shape: any }} */ { shape }) => shape.dimensions);
  }

  /**
   * @param {any} hlo a runtime, of this thread or in a worker
   * @param {Uint8Array | Promise<Uint8Array>} program chat.mlirbc
   * @param {any} weights of the GGUF file, or a promise of them
   * @param {{ places: number }} options the longest conversation, in tokens
   */
  static async make(hlo, program, weights, { places }) {
    return new Decoder(hlo, await compileBound(hlo, program, weights, { donate: 'cache' }), places);
  }

  /** How many tokens a conversation may have. */
  get places() {
    return this.#places;
  }

  /** Bytes that answers take beside the program and its weights: keys and values, and what steps write for other steps. @returns {Promise<number>} */
  async activationBytes() {
    const cache = this.#shapes.reduce((/** @type {number} */ sum, /** @type {number[]} */ [groups, , size]) => sum + 4 * groups * this.#room * size, 0);
    return cache + (await this.#program.workspaceBytes);
  }

  /** Forgets what was read, and gives back what a long conversation took. */
  clear() {
    this.#read = [];
    if (this.#room > FEWEST_PLACES) this.#release();
  }

  #release() {
    for (const tensor of this.#cache) tensor.dispose();
    this.#cache = [];
    this.#room = 0;
  }

  /** For how many tokens there is room once there is room for so many. @param {number} count */
  #roomFor(count) {
    let room = this.#room || Math.min(FEWEST_PLACES, this.#places);
    while (room < count) room = room % 3 ? (room / 2) * 3 : (room / 3) * 4; // 128, 192, 256, 384, ...
    return Math.min(room, this.#places);
  }

  /** Makes room for so many tokens: one array after the other, so that there are never two of all. @param {number} count */
  async #reserve(count) {
    if (count <= this.#room) return;
    const room = this.#roomFor(count);
    /** @type {Map<string, any>} */
    const growths = new Map();
    try {
      for (const [n, [groups, , size]] of this.#shapes.entries()) {
        const old = this.#cache[n];
        if (old) {
          const text = growth(groups, this.#room, room, size);
          if (!growths.has(text)) growths.set(text, await this.#compiled(text));
          this.#cache[n] = await growths.get(text).run([old]);
          old.dispose();
        } else this.#cache[n] = await this.#hlo.tensor(new Float32Array(groups * room * size), `f32[${groups},${room},${size}]`);
      }
    } catch (error) {
      this.#release(); // some have the new size
      this.#read = [];
      throw error;
    } finally {
      for (const program of growths.values()) program.dispose();
    }
    this.#room = room;
  }

  /** @param {string} text of a module */
  async #compiled(text) {
    const module = await this.#hlo.parse(text);
    try {
      return await this.#hlo.compile(module);
    } finally {
      module.dispose();
    }
  }

  /** Compiles what a short conversation needs, so that its first answer does not wait for it. */
  async warm() {
    const room = this.#roomFor(1);
    for (const length of [1, FIRST]) if (length <= room) await this.#prepare(length, room);
    await this.#reserve(1); // behind the compiling, in the memory that it no longer needs
  }

  /**
   * Compiles for so many tokens at once, and a cache of so many places. A run would do so, but not wait until all threads have its loops.
   * @param {number} length @param {number} room
   */
  async #prepare(length, room) {
    const key = `${length} ${room}`;
    let prepared = this.#prepared.get(key);
    if (!prepared) {
      const cache = this.#shapes.map((/** @type {number[]} */ [groups, , size]) => `f32[${groups},${room},${size}]`);
      prepared = { length, room, executable: await this.#program.specialize([...cache, `s32[${length}]`, 's32[]', 's32[]']) };
    }
    this.#prepared.delete(key);
    this.#prepared.set(key, prepared);
    for (const [oldest, { executable }] of this.#prepared) {
      if (this.#prepared.size <= MOST_PREPARED) break;
      this.#prepared.delete(oldest);
      executable.dispose();
    }
  }

  /**
   * The length of the piece in which so many tokens, or the first of them, are read next. A piece is written whole, and the cache must hold it.
   * @param {number} count
   */
  #lengthFor(count) {
    const end = this.#places - this.#read.length;
    if (count === 1) return 1;
    const exact = Math.min(Math.ceil(count / ROWS) * ROWS, LONGEST, end);
    const room = this.#roomFor(this.#read.length + exact);
    const fits = (/** @type {{ length: number, room: number }} */ prepared) =>
      prepared.room === room && prepared.length >= exact && prepared.length - count < WORTH_COMPILING && this.#read.length + prepared.length <= room;
    const lengths = [...this.#prepared.values()].filter(fits).map(({ length }) => length);
    return lengths.length > 0 ? Math.min(...lengths) : exact;
  }

  /**
   * Reads tokens behind those that were read.
   * @param {readonly number[]} tokens @param {number} [length] of the piece that they are in
   * @returns {Promise<Float32Array>} the logits of what follows
   */
  async #take(tokens, length = 1) {
    await this.#reserve(Math.min(this.#places, this.#read.length + length));
    await this.#prepare(length, this.#room);
    const filled = new Int32Array(length);
    filled.set(tokens);
    const [logits, ...cache] = await this.#program.run([...this.#cache, filled, this.#read.length, tokens.length]);
    this.#cache = cache;
    this.#read.push(...tokens);
    const numbers = await logits.toTypedArray();
    logits.dispose();
    return numbers;
  }

  /**
   * Reads a text, of which it may have read the beginning before, and gives the logits of what follows; undefined if it was stopped.
   * @param {readonly number[]} tokens
   * @param {() => Promise<boolean>} [isStopped]
   */
  async read(tokens, isStopped = async () => false) {
    if (tokens.length === 0) throw new RangeError('there are no tokens to read');
    if (tokens.length > this.#places) throw new RangeError(`the conversation has ${tokens.length} tokens, and there is room for ${this.#places}`);
    let same = 0;
    while (same < tokens.length - 1 && tokens[same] === this.#read[same]) same++;
    this.#read.length = same;
    /** @type {Float32Array | undefined} */
    let logits;
    while (this.#read.length < tokens.length) {
      if (await isStopped()) return undefined;
      const begin = this.#read.length;
      const length = this.#lengthFor(tokens.length - begin);
      logits = await this.#take(tokens.slice(begin, begin + length), length);
    }
    return logits;
  }

  /**
   * The tokens of an answer, as they come.
   * @param {readonly number[]} prompt
   * @param {AnswerOptions} [options]
   * @returns {AsyncGenerator<number, void, void>}
   */
  async *answer(prompt, { most = 512, ends = [], choose = likeliest, isStopped } = {}) {
    let logits = await this.read(prompt, isStopped);
    if (!logits) return;
    for (let left = most; left > 0; left--) {
      const token = choose(logits);
      if (ends.includes(token)) return;
      yield token;
      if (this.#read.length === this.#places) return;
      if (left > 1) logits = await this.#take([token]);
    }
  }
}

/** The place of the greatest. @param {Float32Array} logits */
export function likeliest(logits) {
  let best = 0;
  for (let i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
  return best;
}

/**
 * A choice at random, in which what is unlikely stays out.
 * @param {{ temperature: number, among: number, random?: () => number }} options among: how many of the likeliest there are to choose from
 * @returns {(logits: Float32Array) => number}
 */
export function sampler({ temperature, among, random = Math.random }) {
  return (logits) => {
    const order = Array.from(logits.keys()).sort((a, b) => logits[b] - logits[a]).slice(0, among);
    const odds = order.map((token) => Math.exp((logits[token] - logits[order[0]]) / temperature));
    let left = random() * odds.reduce((a, b) => a + b);
    return order.find((_, i) => (left -= odds[i]) < 0) ?? order[0];
  };
}
