import { HloError } from './errors.js';
import { Shape } from './shape.js';
import { withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {{ name: string, shape: Shape }} Parameter */

/** A program: computations that call each other, one of them the entry. */
export class Module {
  #core;
  #pointer;
  /** @type {any} */
  #info;

  /** Made by `hlo.parse()` and `builder.build()`. @param {Core} core @param {number} pointer */
  constructor(core, pointer) {
    this.#core = core;
    this.#pointer = pointer;
    core.finalize(this, () => core.exports.hlo_api_module_free(pointer));
  }

  /** @param {Core} core @param {string | ArrayBuffer | Uint8Array} text */
  static parse(core, text) {
    const source = typeof text === 'string' ? text : decodeText(text);
    core.begin();
    return new Module(core, core.pointer('module_parse', core.handle, ...core.text(source)));
  }

  get core() {
    return this.#core;
  }
  get pointer() {
    if (!this.#pointer) throw new HloError('DISPOSED', 'the module was disposed of');
    return this.#pointer;
  }

  get #facts() {
    if (this.#info) return this.#info;
    this.#core.must('module_info', this.pointer);
    const info = JSON.parse(this.#core.answer());
    const computations = info.computations.map(
      (/** @type {any} */ facts, /** @type {number} */ i) => new Computation(this, i, facts),
    );
    return (this.#info = { ...info, computations });
  }

  /** @returns {string} */
  get name() {
    return this.#facts.name;
  }
  /** @returns {Computation[]} */
  get computations() {
    return this.#facts.computations;
  }
  /** @returns {Computation} */
  get entry() {
    return this.computations[this.#facts.entry];
  }
  /** @returns {number} */
  get replicas() {
    return this.#facts.replicas;
  }
  /** @returns {number} */
  get partitions() {
    return this.#facts.partitions;
  }

  /** By name. @param {string} name @returns {Computation} */
  computation(name) {
    const found = this.computations.find((computation) => computation.name === name);
    if (!found) throw new HloError('ARGUMENT', `module ${this.name} has no computation ${name}`);
    return found;
  }

  /** HLO text, as XLA prints it. @returns {string} */
  toString() {
    this.#core.must('module_text', this.pointer);
    return this.#core.answer();
  }

  /** Frees the module; executables compiled from it keep what they need. */
  dispose() {
    if (!this.#pointer) return;
    this.#core.unfinalize(this);
    const { exports } = this.#core;
    const pointer = this.#pointer;
    this.#core.whenIdle(() => exports.hlo_api_module_free(pointer));
    this.#pointer = 0;
  }
}
withDispose(Module);

/** A function of a module: parameters and a result. */
export class Computation {
  #facts;
  /** @type {Parameter[] | undefined} */
  #parameters;
  /** @type {Shape | undefined} */
  #result;

  /**
   * Made by `builder.build()` and found in `module.computations`.
   * @param {Module} module
   * @param {number} index
   * @param {any} facts
   */
  constructor(module, index, facts) {
    /** @readonly @type {Module} */
    this.module = module;
    /** @readonly @type {number} */
    this.index = index;
    this.#facts = facts;
  }

  /** @returns {string} */
  get name() {
    return this.#facts.name;
  }
  get isEntry() {
    return this.module.entry === this;
  }
  /** @returns {Parameter[]} */
  get parameters() {
    return (this.#parameters ??= this.#facts.parameters.map((/** @type {any} */ p) => ({
      name: p.name,
      shape: new Shape(this.module.core, p.shape),
    })));
  }
  /** @returns {Shape} */
  get result() {
    return (this.#result ??= new Shape(this.module.core, this.#facts.result));
  }

  /** HLO text: of the module that has this computation, and what it calls, alone. */
  toString() {
    if (this.isEntry) return this.module.toString();
    const alone = this.extract();
    try {
      return alone.toString();
    } finally {
      alone.dispose();
    }
  }

  /** A module with a copy of this computation as its entry. @returns {Module} */
  extract() {
    const { core } = this.module;
    return new Module(core, core.pointer('module_extract', this.module.pointer, this.index));
  }

  dispose() {
    this.module.dispose();
  }
}
withDispose(Computation);

/** @param {unknown} source */
function decodeText(source) {
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a module is HLO text: a string or its bytes');
  if (bytes[0] === 0x4d && bytes[1] === 0x4c && bytes[2] === 0xef && bytes[3] === 0x52)
    throw new HloError('UNSUPPORTED', 'this is MLIR bytecode; this version reads HLO text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HloError('UNSUPPORTED', 'these bytes are not text (a binary module?); this version reads HLO text');
  }
}
