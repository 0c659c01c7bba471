// Owns WebAssembly memory: the only module that makes views of it. No view is kept across a call that can grow it.

import { installTiles } from './emitted.js';
import { HloError } from './errors.js';
import { loadError } from '../host/host.js';
import { Pool } from '../threads/pool.js';
import { instantiateCore, makeMemory } from './instantiate.js';
import { Storages } from './storage.js';

const SCRATCH_BYTES = 1 << 16;
const PAGE_BYTES = 1 << 16;
/** Nanoseconds: a few times what it takes to hand work to a thread that is awake. */
const SHARE_FROM = 4000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * What the C core calls back; see src/api/api_host.c.
 * @typedef {{ customCall: (id: number, target: string, call: string) => void, aborted: (id: number) => boolean }} Callbacks
 */

/** Functions of the core that leave nothing behind where they fail: they are called again once there is room. */
const REPEATABLE = new Set(
  `shape_parse shape_info module_parse module_bind module_attempt module_specialise module_extract module_info module_text module_dump
  module_stablehlo module_proto module_snapshot functions prints_same compile executable_info executable_plan value_new value_parse
  value_snapshot value_shape value_text value_read weight_new layout_scatter layout_gather builder_new builder_constant builder_literal`.split(/\s+/),
);

export class Core {
  /** @type {Callbacks} */
  callbacks = { customCall() {}, aborted: () => false };
  /** @type {any} The exported functions. */
  exports;
  /** @type {WebAssembly.Memory} */
  memory = /** @type {any} */ (undefined);
  disposed = false;
  /** What a custom call threw, until the run that it ends reports it. @type {unknown} */
  thrown = undefined;
  /** Computations that builders make for themselves, by name. @type {Map<string, any>} */
  helpers = new Map();
  /** @type {Map<Function, any>} */
  #known = new Map();

  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  /** @type {Function | undefined} hlo_api_run, which takes longer to look up than a short program takes */
  #run;
  /** hlo_api_alloc, likewise @type {any} */
  #alloc;
  /** How many runs go on, one within another. */
  running = 0;
  #deferred = /** @type {(() => void)[]} */ ([]);
  #scratch = 0;
  #offset = 0;
  #overflow = /** @type {{ pointer: number, bytes: number }[]} */ ([]);
  #fault = '';
  #finalizers = new FinalizationRegistry((/** @type {() => void} */ free) => {
    if (!this.disposed && !this.#fault) free();
  });

  /** Whether programs may bring WebAssembly of their own; see emitted.js. */
  emits = false;
  /** Whether that may use fused multiply-adds: the host has relaxed SIMD, and they are wanted. */
  fuses = false;
  /** Places of the table that such functions left. @type {number[]} */
  freePlaces = [];
  /** Where tensors have their bytes. */
  storages = new Storages(this);

  /** @param {import('../host/host.js').ThreadHost} host */
  constructor(host) {
    this.host = host;
  }

  /**
   * @param {import('../host/host.js').ThreadHost} host
   * @param {import('../host/host.js').Program} program
   * @param {{ emits?: boolean, relaxed?: boolean, threads?: number, shareFrom?: number, memoryLimit?: number }} [options]
   *   threads: of a program whose memory is shared
   */
  static async instantiate(host, program, { emits = false, relaxed = emits, threads = 1, shareFrom = SHARE_FROM, memoryLimit = 0 } = {}) {
    const core = new Core(host);
    core.emits = emits;
    core.isShared = program.memory === 'shared';
    core.unshares = program.memory === 'unshared';
    core.linear = program.linear;
    const memory = makeMemory(program.memory, memoryLimit);
    try {
      core.exports = await instantiateCore(program.module, {
        hlo_host_custom_call: (/** @type {number[]} */ ...args) => core.#customCall(args),
        hlo_host_aborted: (/** @type {number} */ id) => Number(core.callbacks.aborted(id)),
        hlo_host_now: () => performance.now(),
        emscripten_notify_memory_growth() {},
        ...(memory && { memory }),
      });
      core.#run = core.exports.hlo_api_run;
      core.#alloc = core.exports.hlo_api_alloc;
      core.memory = memory ?? core.exports.memory;
      core.exports._initialize?.();
      if (memoryLimit) core.exports.hlo_api_memory_limit(Math.floor(memoryLimit / PAGE_BYTES));
      core.memoryLimit = memoryLimit;
      core.handle = core.exports.hlo_api_runtime_new();
    } catch (error) {
      throw loadError(`the module is not webhlo.wasm of this version: ${/** @type {any} */ (error)?.message}`, error);
    }
    if (!core.handle) throw new HloError('OUT_OF_MEMORY', 'no memory to start with');
    core.#scratch = core.alloc(SCRATCH_BYTES);
    if (core.isShared && threads > 1 && host.mayWait()) {
      core.pool = await Pool.start(core, program.module, threads, shareFrom);
    }
    if (relaxed) await installTiles(core);
    return core;
  }

  /** What stops the run that a worker was asked for. @type {{ readonly aborted: boolean } | undefined} */
  stop = undefined;
  /** Bytes that its WebAssembly memory may have; 0: as many as there can be. */
  memoryLimit = 0;
  /** The hlo_runtime. */
  handle = 0;
  /** Whether its memory is shared. */
  isShared = false;
  /** Whether modules for shared memory are made ones for memory that is not. */
  unshares = false;
  /** Where webhlo-linear.wasm is (see linear.js). @type {import('../host/host.js').Program['linear']} */
  linear = undefined;
  /** Its loading, once a program has asked for it. @type {Promise<void> | undefined} */
  linearLoad = undefined;
  /** The other threads, where there are any. @type {Pool | undefined} */
  pool = undefined;

  /** @param {number[]} args */
  #customCall([id, target, targetLength, call, callLength]) {
    try {
      this.callbacks.customCall(id, this.read(target, targetLength), this.read(call, callLength));
      return 0;
    } catch (error) {
      this.thrown = error;
      return 1;
    }
  }

  // ---- Calls ----

  /**
   * Calls an exported function; pointers among the arguments must come from this core.
   * @param {string} name without `hlo_api_`
   * @param {...(number | boolean)} args
   * @returns {number}
   */
  call(name, ...args) {
    this.usable();
    try {
      return this.exports[`hlo_api_${name}`](...args);
    } catch (error) {
      throw this.fault(error);
    }
  }

  /** Whether memory was full, and there is more of it now. */
  #madeRoom() {
    return this.#code() === 'OUT_OF_MEMORY' && this.storages.makeRoom();
  }

  /**
   * The same for functions that give 0 or -1 where they fail: where memory is full, and they can be called again, tensors are moved first.
   * @param {string} name @param {...(number | boolean)} args
   */
  attempt(name, ...args) {
    const value = this.call(name, ...args);
    const isRepeated = value <= 0 && REPEATABLE.has(name) && this.#madeRoom();
    return isRepeated ? this.call(name, ...args) : value;
  }

  /** For functions that give a pointer, or 0. @param {string} name @param {...(number | boolean)} args */
  pointer(name, ...args) {
    const pointer = this.attempt(name, ...args) >>> 0;
    if (!pointer) throw this.error();
    return pointer;
  }

  /** For functions that give true or false. @param {string} name @param {...(number | boolean)} args */
  must(name, ...args) {
    if (!this.attempt(name, ...args)) throw this.error();
  }

  /** For functions that give a number, -1 on failure. @param {string} name @param {...(number | boolean)} args */
  number(name, ...args) {
    const value = this.attempt(name, ...args);
    if (value === -1) throw this.error();
    return value;
  }

  /** What a function of the core gives, from the first time on. @template T @param {(core: Core) => T} make @returns {T} */
  once(make) {
    if (!this.#known.has(make)) this.#known.set(make, make(this));
    return this.#known.get(make);
  }

  usable() {
    if (this.disposed) throw new HloError('DISPOSED', 'the runtime was disposed of');
    if (this.#fault)
      throw new HloError('INTERNAL', `the runtime stopped after a fault (${this.#fault}); load a new one`);
  }

  /** A trap: memory may be inconsistent, so nothing more is run. @param {unknown} error */
  fault(error) {
    if (error instanceof HloError) return error;
    this.#fault = error instanceof Error ? error.message : String(error);
    return new HloError('INTERNAL', `a fault inside WebHLO: ${this.#fault}`, { cause: error });
  }

  /**
   * Calls `run`. What custom calls dispose of meanwhile is freed afterwards: the program may be using it.
   * @param {number} executable @param {number} seedLow @param {number} seedHigh @param {number} workBudget
   * @param {boolean} repeats whether it may be called again where memory was full
   */
  run(executable, seedLow, seedHigh, workBudget, repeats) {
    this.usable();
    this.running++;
    try {
      const run = /** @type {Function} */ (this.#run);
      if (run(executable, seedLow, seedHigh, workBudget)) return;
      const isRepeated = repeats && this.#madeRoom();
      if (!isRepeated || !run(executable, seedLow, seedHigh, workBudget)) throw this.error();
    } catch (error) {
      throw this.fault(error);
    } finally {
      this.#leave();
    }
  }

  /** After a run: what was put off until no program runs. */
  #leave() {
    if (--this.running > 0 || this.#deferred.length === 0) return;
    const frees = this.#deferred.splice(0);
    if (!this.#fault) for (const free of frees) free();
  }

  /** Begins a run in slices. @param {number} executable @param {number} seedLow @param {number} seedHigh @param {number} workBudget */
  beginSlices(executable, seedLow, seedHigh, workBudget) {
    const begin = () => this.#within(() => this.exports.hlo_api_run_begin(executable, seedLow, seedHigh, workBudget));
    if (begin()) return;
    if (!this.#madeRoom() || !begin()) throw this.error();
  }

  /** One slice of it. @param {number} executable @param {number} milliseconds @returns {boolean} whether the run is at its end */
  slice(executable, milliseconds) {
    const state = this.#within(() => this.exports.hlo_api_run_slice(executable, milliseconds));
    if (state === 0) throw this.error();
    return state === 1;
  }

  /** @template T @param {() => T} run @returns {T} */
  #within(run) {
    this.usable();
    this.running++;
    try {
      return run();
    } catch (error) {
      throw this.fault(error);
    } finally {
      this.#leave();
    }
  }

  /** Frees memory now, or when no program runs. @param {() => void} free */
  whenIdle(free) {
    if (this.disposed || this.#fault) return;
    if (this.running > 0) this.#deferred.push(free);
    else free();
  }

  /** The code of the failure that the last call left. */
  #code() {
    return /** @type {import('./errors.js').HloErrorCode} */ (this.cString(this.exports.hlo_api_error_name(this.handle) >>> 0));
  }

  /** The failure that the last call left. */
  error() {
    const { exports, handle } = this;
    const code = this.#code();
    let message = this.cString(exports.hlo_api_error_message(handle) >>> 0);
    const details = { line: exports.hlo_api_error_line(handle), column: exports.hlo_api_error_column(handle) };
    if (code === 'OUT_OF_MEMORY' && this.memoryLimit) message += ` (the runtime's memoryLimit is ${this.memoryLimit} bytes)`;
    const cause = this.thrown;
    this.thrown = undefined;
    if (code !== 'CUSTOM_CALL' || cause === undefined) return new HloError(code, message, details);
    message += `: ${cause instanceof Error ? cause.message : String(cause)}`;
    return new HloError(code, message, { ...details, cause });
  }

  /** What a function answers in words. @param {string} name @param {...(number | boolean)} args */
  ask(name, ...args) {
    this.must(name, ...args);
    return this.answer();
  }

  /** What it answers in JSON. @param {string} name @param {...(number | boolean)} args @returns {any} */
  askJson(name, ...args) {
    return JSON.parse(this.ask(name, ...args));
  }

  /** The last call's answer in words. */
  answer() {
    return this.read(this.#answerStart(), this.exports.hlo_api_text_length(this.handle));
  }

  /** The last call's answer as bytes of its own. */
  answerBytes() {
    const start = this.#answerStart();
    return this.bytes().slice(start, start + this.exports.hlo_api_text_length(this.handle));
  }

  /** 0 where nothing was answered; where memory ran out, it throws. */
  #answerStart() {
    const start = this.exports.hlo_api_text(this.handle) >>> 0;
    if (!start && this.#code() === 'OUT_OF_MEMORY') throw this.error();
    return start;
  }

  // ---- Memory ----

  bytes() {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = new Uint8Array(this.memory.buffer);
    return this.#bytes;
  }

  /**
   * Memory as 32-bit words, of which there are `count` at least. Asking a memory for its buffer takes as long as a short program does;
   * where memory grew, the array is empty, or, of shared memory, as good as it was.
   * @param {number} count
   */
  words32(count) {
    if (this.#words.length < count) this.#words = new Uint32Array(this.memory.buffer);
    return this.#words;
  }

  /**
   * A typed array over memory, valid until the next call.
   * @param {any} Type @param {number} pointer @param {number} length in items
   */
  view(Type, pointer, length) {
    return new Type(this.memory.buffer, pointer, length);
  }

  /** 64-bit integers as numbers. @param {number} pointer @param {number} count */
  numbers(pointer, count) {
    return Array.from(this.view(BigInt64Array, pointer, count), Number);
  }

  /** @param {number} pointer @param {number} length */
  read(pointer, length) {
    if (!length) return '';
    const bytes = this.bytes();
    return decoder.decode(this.isShared ? bytes.slice(pointer, pointer + length) : bytes.subarray(pointer, pointer + length));
  }

  /** @param {number} pointer */
  cString(pointer) {
    return this.read(pointer, this.bytes().indexOf(0, pointer) - pointer);
  }

  /**
   * Where memory is full, tensors that the current call does not use are moved.
   * @param {number} bytes
   * @param {unknown} [what] has them, for messages
   * @returns {number}
   */
  alloc(bytes, what = 'an array') {
    if (!(bytes < 2 ** 32))
      throw new HloError('OUT_OF_MEMORY', `out of memory: ${what} of ${bytes} bytes does not fit${this.memoryLimit ? ` (the runtime's memoryLimit is ${this.memoryLimit} bytes)` : ''}`);
    this.usable();
    for (;;) {
      let pointer;
      try {
        pointer = this.#alloc(this.handle, bytes) >>> 0;
      } catch (error) {
        throw this.fault(error);
      }
      if (pointer) return pointer;
      const error = this.error();
      if (!this.storages.makeRoom(bytes)) throw error;
    }
  }

  /** @param {number} pointer @param {number} bytes */
  release(pointer, bytes) {
    if (this.running > 0) this.#deferred.push(() => this.release(pointer, bytes));
    else if (!this.disposed && !this.#fault) this.exports.hlo_api_release(this.handle, pointer, bytes);
  }

  /**
   * Frees what an object holds when it is collected.
   * @param {object} object
   * @param {() => void} free must not refer to it
   */
  finalize(object, free) {
    this.#finalizers.register(object, free, object);
  }

  /** @param {object} object */
  unfinalize(object) {
    this.#finalizers.unregister(object);
  }

  // ---- Scratch: arguments of one call ----

  /** Forgets the arguments of the call before. */
  begin() {
    this.usable();
    this.#offset = 0;
    for (const { pointer, bytes } of this.#overflow.splice(0)) this.release(pointer, bytes);
  }

  /** Memory until the next begin(). @param {number} bytes */
  scratch(bytes) {
    const offset = (this.#offset + 15) & ~15;
    if (offset + bytes <= SCRATCH_BYTES) {
      this.#offset = offset + bytes;
      return this.#scratch + offset;
    }
    const pointer = this.alloc(bytes);
    this.#overflow.push({ pointer, bytes });
    return pointer;
  }

  /** A text: pointer and length, to be spread into a call. @param {string} text @returns {[number, number]} */
  text(text) {
    if (text === '') return [this.#scratch, 0];
    if (this.isShared) return this.blob(encoder.encode(text)); // browsers encode into no shared memory
    const pointer = this.scratch(text.length * 3);
    const { written } = encoder.encodeInto(text, this.bytes().subarray(pointer, pointer + text.length * 3));
    return [pointer, written];
  }

  /** Bytes: pointer and length. @param {Uint8Array} bytes @returns {[number, number]} */
  blob(bytes) {
    const pointer = this.scratch(Math.max(bytes.length, 1));
    this.bytes().set(bytes, pointer);
    return [pointer, bytes.length];
  }

  /** 64-bit integers: pointer and count. @param {readonly (number | bigint)[]} values @returns {[number, number]} */
  ints(values) {
    const pointer = this.scratch(values.length * 8);
    const view = this.view(BigInt64Array, pointer, values.length);
    for (let i = 0; i < values.length; i++) view[i] = BigInt(values[i]);
    return [pointer, values.length];
  }

  /** 32-bit integers: pointer and count. @param {readonly number[]} values @returns {[number, number]} */
  words(values) {
    const pointer = this.scratch(values.length * 4);
    this.view(Uint32Array, pointer, values.length).set(values);
    return [pointer, values.length];
  }

  /** Memory of scratch itself, which is nobody's array. */
  get ownBytes() {
    return SCRATCH_BYTES + this.#overflow.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  get ownBuffers() {
    return 1 + this.#overflow.length;
  }

  dispose() {
    if (this.running > 0) throw new HloError('ARGUMENT', 'a runtime cannot be disposed of while it runs a program');
    this.disposed = true;
    this.pool?.dispose();
    // Nothing that outlives the runtime may lead to its memory: not what it exports, and no view.
    this.pool = this.exports = this.#run = this.#alloc = undefined;
    this.memory = /** @type {any} */ (undefined);
    this.helpers.clear();
    this.storages.clear();
    this.#deferred = [];
    this.#bytes = new Uint8Array(0);
    this.#words = new Uint32Array(0);
  }
}
