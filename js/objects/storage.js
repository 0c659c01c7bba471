// Where tensors have their bytes: in WebAssembly memory, or, under pressure, in JavaScript's.
//
// A tensor that nobody disposes of is freed by a finalizer, but finalizers run only between jobs: a loop that never waits would fill
// WebAssembly memory. Bytes that were moved to an array of JavaScript need no finalizer: they are collected with their tensor.
// Nothing here refers to a tensor, not even weakly: a WeakRef that is made or read keeps its target until the job ends.

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/** Bytes of tensors, and tensors, in WebAssembly memory: above, those are moved that the last runs did not touch. */
const MOST_BYTES = 2 ** 30;
const MOST_STORAGES = 2 ** 19;
/** How many of the last runs count. */
const RUNS = 16;
/** Bytes that are moved at least when memory is full, so that tensors are not sorted for each. */
const LEAST_MOVED = 2 ** 26;

/** The bytes of one tensor. */
export class Storage {
  /** In which call it was last used. */
  call = 0;
  /** Its place in the list of those in WebAssembly memory. */
  index = 0;
  /** Whether it was used after it had been moved: it is moved again only where memory is full. */
  isWanted = false;
  /** How many runs that go on in slices use it: until their end it stays where it is. */
  holds = 0;
  /** Whether it is to be freed at the last one's end. */
  isLeft = false;

  /** @param {number} pointer in WebAssembly memory; 0 where it was moved, or is free @param {number} bytes */
  constructor(pointer, bytes) {
    this.pointer = pointer;
    this.bytes = bytes;
  }
}

/** The storages of a core. */
export class Storages {
  /** How often arrays have been moved so far, and their bytes. */
  movedBuffers = 0;
  movedBytes = 0;
  #core;
  /** The storages in WebAssembly memory, in no order. @type {Storage[]} */
  #list = [];
  #bytes = 0;
  /** Bytes that were moved. A storage does not hold its own, so that they go with the runtime. @type {WeakMap<Storage, Uint8Array>} */
  #moved = new WeakMap();
  /** What is used in the current call stays where it is: pointers to it may have been handed out. */
  #call = 1;
  /** The calls of the runs that have begun, one within another: what they use stays, too. @type {number[]} */
  #active = [];
  #runs = 0;
  /** The calls of the last runs. */
  #callOfRun = new Array(RUNS).fill(0);
  /** From where on to look for what can be moved. */
  #lookAtBytes = MOST_BYTES;
  #lookAtCount = MOST_STORAGES;
  #finalizers = new FinalizationRegistry((/** @type {Storage} */ storage) => this.#free(storage));

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  // ---- Calls ----

  /** Begins a call, unless it is part of a run that is still given its inputs. A custom call is no part of its run. */
  enter() {
    if (this.#active.length === this.#core.running) this.#call++;
  }

  /** Begins a run. Until the end, nothing that it uses is moved. */
  beginRun() {
    this.enter();
    this.#active.push(this.#call);
    this.#callOfRun[this.#runs++ % RUNS] = this.#call;
  }

  endRun() {
    this.#active.pop();
  }

  // ---- The storage of a tensor ----

  /** @param {Tensor} tensor @param {number} bytes */
  make(tensor, bytes) {
    const storage = new Storage(this.#core.alloc(bytes, tensor.shape), bytes);
    this.#add(tensor, storage);
    return storage;
  }

  /** Where the bytes are in WebAssembly memory: they are brought back if need be. @param {Tensor} tensor @param {Storage} storage */
  use(tensor, storage) {
    if (!this.#active.includes(storage.call)) storage.call = this.#call;
    return storage.pointer || this.#bringBack(tensor, storage);
  }

  /** The bytes, where they were moved. @param {Storage} storage */
  movedOf(storage) {
    return storage.pointer ? undefined : this.#moved.get(storage);
  }

  /** Gives a storage in WebAssembly memory to another tensor. @param {Tensor} tensor @param {Storage} storage */
  pass(tensor, storage) {
    this.#finalizers.unregister(storage);
    this.#finalizers.register(tensor, storage, storage);
  }

  /** @param {Storage} storage */
  dispose(storage) {
    if (storage.pointer) this.#finalizers.unregister(storage);
    this.#free(storage);
  }

  /** Keeps a storage where it is, between the calls of a run in slices. @param {Storage} storage */
  hold(storage) {
    storage.holds++;
  }

  /** The end of hold(). @param {Storage} storage */
  letGo(storage) {
    if (--storage.holds === 0 && storage.isLeft) this.#free(storage);
  }

  /** @param {Storage} storage */
  #free(storage) {
    if (this.#core.disposed) return;
    storage.isLeft = storage.holds > 0;
    if (storage.isLeft) return;
    const { pointer, bytes } = storage;
    if (pointer) this.#remove(storage);
    else this.#moved.delete(storage);
    if (pointer) this.#core.release(pointer, bytes);
  }

  /** @param {Tensor} tensor @param {Storage} storage */
  #add(tensor, storage) {
    storage.call = this.#call;
    storage.index = this.#list.push(storage) - 1;
    this.#bytes += storage.bytes;
    this.#finalizers.register(tensor, storage, storage);
    if (this.#bytes > this.#lookAtBytes || this.#list.length > this.#lookAtCount) this.#relieve();
  }

  /** @param {Storage} storage */
  #remove(storage) {
    const last = /** @type {Storage} */ (this.#list.pop());
    if (last !== storage) {
      this.#list[storage.index] = last;
      last.index = storage.index;
    }
    this.#bytes -= storage.bytes;
    storage.pointer = 0;
  }

  // ---- Moving ----

  /** @param {Tensor} tensor @param {Storage} storage */
  #bringBack(tensor, storage) {
    const core = this.#core;
    const bytes = /** @type {Uint8Array} */ (this.#moved.get(storage));
    storage.pointer = core.alloc(bytes.length);
    core.bytes().set(bytes, storage.pointer);
    this.#moved.delete(storage);
    storage.isWanted = true;
    this.#add(tensor, storage);
    return storage.pointer;
  }

  /** False where JavaScript has no memory for it either. @param {Storage} storage */
  #move(storage) {
    const core = this.#core;
    const { pointer, bytes } = storage;
    let copy;
    try {
      copy = core.bytes().slice(pointer, pointer + bytes);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#finalizers.unregister(storage);
    this.#remove(storage);
    this.#moved.set(storage, copy);
    core.exports.hlo_api_release(core.handle, pointer, bytes);
    this.movedBuffers++;
    this.movedBytes += bytes;
    return true;
  }

  /** Those not used from a call on, nor by a run that goes on, the oldest first. @param {number} call */
  #idleSince(call) {
    return this.#list.filter((storage) => storage.call < call && storage.holds === 0 && !this.#active.includes(storage.call)).sort((a, b) => a.call - b.call);
  }

  /** Above the limit, moves what the last runs did not touch. */
  #relieve() {
    for (const storage of this.#idleSince(this.#callOfRun[this.#runs % RUNS])) {
      if (this.#bytes <= (MOST_BYTES / 8) * 7 && this.#list.length <= (MOST_STORAGES / 8) * 7) break;
      if (!storage.isWanted && !this.#move(storage)) break;
    }
    this.#lookAtBytes = Math.max(MOST_BYTES, this.#bytes + MOST_BYTES / 16);
    this.#lookAtCount = Math.max(MOST_STORAGES, this.#list.length + MOST_STORAGES / 16);
  }

  /**
   * Where memory is full: moves what the current call has not used, the oldest first, until `bytes` are free, or all.
   * @param {number} [bytes]
   * @returns {boolean} whether anything was moved
   */
  makeRoom(bytes = Infinity) {
    let moved = 0;
    for (const storage of this.#idleSince(this.#call)) {
      if (moved >= Math.max(bytes, LEAST_MOVED) || !this.#move(storage)) break;
      moved += storage.bytes || 1;
    }
    return moved > 0;
  }

  /** Lets go of everything, with the runtime. */
  clear() {
    this.#list = [];
    this.#bytes = 0;
    this.#moved = new WeakMap();
  }
}
