import { HloError, checkOptions, mistyped } from './errors.js';
import { didYouMean, namesThereAre } from './nearest-name.js';
import { Shape, checkIsList, valuesOf } from './shape.js';
import { tableOf } from '../builder/table.js';
import { Calling } from '../values/trees.js';
import { integersOf, withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').ShapeLike} ShapeLike */
/** @typedef {{ name: string, shape: Shape }} Parameter a parameter of a computation */

/** Files of so many bytes stay in memory for their constants. */
const KEPT_BYTES = 2 ** 16;

/** A program: computations that call each other, one of them the entry. */
export class Module {
  #core;
  #pointer;
  /** @type {any} */
  #info;

  /** How a function of jax.export is called; null of other modules, undefined: not asked yet. @type {Calling | null | undefined} */
  #calling;
  /** @type {import('../values/trees.js').ExportFacts | null | undefined} */
  #exported;

  /** Values of inputs that the program was specialised to. @internal @type {ReadonlyMap<number, readonly bigint[]>} */
  fixed = new Map();

  /** Made by `hlo.parse()` and `builder.build()`. @hideconstructor @param {Core} core @param {number} pointer */
  constructor(core, pointer) {
    this.#core = core;
    this.#pointer = pointer;
    core.finalize(this, () => core.exports.hlo_api_module_free(pointer));
  }

  /**
   * @internal
   * @param {Core} core
   * @param {string | ArrayBuffer | Uint8Array} source
   * @param {string} [entry]
   * @param {readonly unknown[]} [shapes]
   */
  static parse(core, source, entry = '', shapes) {
    core.storages.enter();
    const tuple = tupleOf(core, shapes);
    core.begin();
    const given = typeof source === 'string' ? undefined : bytesOf(source);
    if (given && given.length >= KEPT_BYTES) return Module.parseCopy(core, given, entry, tuple);
    const bytes = sourceOf(core, source);
    return new Module(core, core.pointer('module_parse', core.handle, ...bytes, ...core.text(entry), ...core.text(tuple)));
  }

  /**
   * A module of a copy of the bytes, which it keeps. Where memory is full, it is made again once there is room.
   * @internal
   * @param {Core} core @param {Uint8Array} bytes @param {string} entry @param {string} tuple of the arguments' shapes
   * @returns {Module}
   */
  static parseCopy(core, bytes, entry, tuple) {
    const copied = () => {
      const pointer = core.alloc(bytes.length);
      core.bytes().set(bytes, pointer);
      return Module.parseOwn(core, pointer, bytes.length, entry, tuple);
    };
    try {
      return copied();
    } catch (error) {
      if (!(error instanceof HloError) || error.code !== 'OUT_OF_MEMORY' || !core.storages.makeRoom()) throw error;
      return copied();
    }
  }

  /**
   * A module of bytes in WebAssembly memory, which it keeps, as its large constants are in it; they are freed on failure.
   * @internal
   * @param {Core} core @param {number} pointer from alloc @param {number} length @param {string} [entry] @param {string} [tuple] of the arguments' shapes
   * @param {number} [room] bytes that were allocated
   */
  static parseOwn(core, pointer, length, entry = '', tuple = '', room = length) {
    const made = core.call('module_parse_own', core.handle, pointer, length, room, ...core.text(entry), ...core.text(tuple)) >>> 0;
    if (made) return new Module(core, made);
    const error = core.error();
    core.release(pointer, room);
    throw error;
  }

  /**
   * A dynamic module at the attempt-th set of shapes worth trying, with the values that scalar integers must then have.
   * @internal
   * @param {Core} core
   * @param {Uint8Array} source
   * @param {number} attempt
   */
  static attempt(core, source, attempt) {
    core.storages.enter();
    core.begin();
    const pointer = core.pointer('module_attempt', core.handle, ...sourceOf(core, source), attempt);
    const values = JSON.parse(core.answer());
    return { module: new Module(core, pointer), values: /** @type {(number | null)[]} */ (values) };
  }

  /**
   * The functions of a StableHLO module; none in other forms.
   * @internal
   * @param {Core} core
   * @param {string | Uint8Array} source
   * @returns {{ name: string, public: boolean, arguments: number }[]}
   */
  static functions(core, source) {
    core.storages.enter();
    core.begin();
    return core.askJson('functions', core.handle, ...sourceOf(core, source));
  }

  /**
   * Throws unless StableHLO, printed and read again, is the same module.
   * @internal
   * @param {Core} core
   * @param {string | Uint8Array} source
   */
  static mustPrintSame(core, source) {
    core.storages.enter();
    core.begin();
    core.must('prints_same', core.handle, ...sourceOf(core, source));
  }

  /**
   * A dynamic module for arguments of known shapes; its result runs as it is. A shape that depends on the value of an
   * argument (integers, such as the sizes that older JAX passes) needs that value, and the result takes no other.
   * @param {readonly ShapeLike[]} shapes one for each argument
   * @param {{ values?: readonly (import('./tensor.js').Integers | null | undefined)[] }} [options] values of arguments
   * @returns {Module}
   * @throws {HloError} ARGUMENT: shapes that the program does not take, a value that it lacks; SHAPE, VERIFY: what its rules say of these
   *   shapes; DISPOSED
   */
  specialize(shapes, options) {
    const values = valuesOf(options);
    checkIsList(shapes);
    const known = new Map();
    values.forEach((value, i) => {
      if (value !== null && value !== undefined)
        known.set(i, integersOf(this.#core, Shape.from(this.#core, shapes[i]), value, `argument ${i}`));
    });
    const { module, error } = this.trySpecialize(tupleOf(this.#core, shapes), known);
    if (!module) throw error;
    return module;
  }

  /**
   * The same, or why it cannot be and which values of arguments it lacks.
   * @internal
   * @param {string} shapes the text of a tuple
   * @param {ReadonlyMap<number, readonly bigint[]>} values
   * @returns {{ module?: Module, error?: HloError, wanted: number[] }}
   */
  trySpecialize(shapes, values) {
    const core = this.#core;
    const { pointer } = this;
    core.storages.enter();
    core.begin();
    const known = [...values].flatMap(([argument, integers]) => [argument, ...integers]);
    const made = core.attempt('module_specialise', pointer, ...core.text(shapes), ...core.ints(known)) >>> 0;
    if (made) {
      const module = new Module(core, made);
      module.fixed = values;
      module.#exported = this.exported;
      module.#calling = this.calling;
      return { module, wanted: [] };
    }
    return { error: core.error(), wanted: JSON.parse(core.answer() || '[]') };
  }

  /**
   * A module in which inputs are constants: it takes the others.
   * @internal
   * @param {import('./constants.js').Constants} constants
   * @returns {Module}
   */
  bind(constants) {
    const core = this.#core;
    const { pointer } = this;
    core.begin();
    const { numbers, pointers } = constants;
    const [weights] = core.words(pointers);
    const module = new Module(core, core.pointer('module_bind', pointer, core.words(numbers)[0], weights, numbers.length));
    const place = new Map(constants.openNumbers.map((number, i) => [number, i]));
    module.fixed = new Map([...this.fixed].flatMap(([number, values]) => (place.has(number) ? [[/** @type {number} */ (place.get(number)), values]] : [])));
    module.#exported = this.exported;
    module.#calling = this.calling && this.calling.without(constants.numbers);
    return module;
  }

  /** A copy in the memory of another runtime. @internal @param {Core} core @returns {Module} */
  copyTo(core) {
    const copy = Module.parse(core, this.isDynamic ? this.toStableHlo() : this.toProto());
    copy.fixed = this.fixed;
    copy.exported = this.exported;
    return copy;
  }

  /** The same module with a life of its own. @internal @returns {Module} */
  share() {
    const module = new Module(this.#core, this.#core.pointer('module_share', this.pointer));
    module.fixed = this.fixed;
    module.#exported = this.#exported;
    module.#calling = this.#calling;
    return module;
  }

  /** @internal */
  get core() {
    return this.#core;
  }
  /** @internal */
  get pointer() {
    if (!this.#pointer) throw new HloError('DISPOSED', 'the module was disposed of');
    return this.#pointer;
  }

  get #facts() {
    if (this.#info) return this.#info;
    const info = this.#core.askJson('module_info', this.pointer);
    const computations = info.computations.map(
      (/** @type {any} */ facts, /** @type {number} */ i) => new Computation(this, i, facts),
    );
    return (this.#info = { ...info, computations });
  }

  /** What a jax.export file says of its function; null of other modules. @internal */
  get exported() {
    if (this.#exported === undefined) this.#exported = JSON.parse(this.#core.ask('module_exported', this.pointer) || 'null');
    return /** @type {import('../values/trees.js').ExportFacts | null} */ (this.#exported);
  }
  /** Sets what the file said of the arguments, for a copy in another form. @internal */
  set exported(facts) {
    this.#exported = facts;
    this.#calling = undefined;
  }
  /** @internal @returns {Calling | null} */
  get calling() {
    if (this.#calling === undefined) this.#calling = this.exported && new Calling(this.exported, this.inputs);
    return this.#calling;
  }

  /**
   * The arguments of the JAX function, as trees: of a module of jax.export; null of others.
   * @returns {import('../values/trees.js').InputTree | null}
   */
  get inputTree() {
    return this.calling?.inputTree ?? null;
  }
  /** The tree of the JAX function's results, as `inputTree`. @returns {import('../values/trees.js').Tree | null} */
  get outputTree() {
    return this.calling?.outputTree ?? null;
  }
  /** The platforms that JAX exported it for (`cpu`, `tpu`, ...); none of other modules. @returns {readonly string[]} */
  get platforms() {
    return this.exported?.platforms ?? [];
  }

  /** The module's name. @returns {string} @throws {HloError} DISPOSED, as all that follows */
  get name() {
    return this.#facts.name;
  }
  /** Whether it is specialised to the shapes that it meets: arguments have `?` in theirs, or give sizes. @returns {boolean} */
  get isDynamic() {
    return this.#core.call('module_is_dynamic', this.pointer) !== 0;
  }
  /** What the entry takes; `?` where a size is not known yet. Names are paths (`params/dense/kernel`) where anything tells them. @returns {Parameter[]} */
  get inputs() {
    return this.entry.parameters;
  }
  /** The shapes of the entry's results: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    const { result } = this.entry;
    return result.isTuple ? result.elements : [result];
  }
  /** Of a dynamic module the entry alone. @returns {Computation[]} */
  get computations() {
    return this.#facts.computations;
  }
  /** The computation that a run runs. @returns {Computation} */
  get entry() {
    return this.computations[this.#facts.entry];
  }
  /** How many replicas the module is made for. @returns {number} */
  get replicas() {
    return this.#facts.replicas;
  }
  /** How many partitions each replica has. @returns {number} */
  get partitions() {
    return this.#facts.partitions;
  }

  /** A computation by its name. @param {string} name @returns {Computation} @throws {HloError} ARGUMENT: there is none of that name */
  computation(name) {
    const found = this.computations.find((computation) => computation.name === name);
    if (!found) throw new HloError('ARGUMENT', `module ${this.name} has no computation ${name}${didYouMean(name, this.computations.map((one) => one.name))}`);
    return found;
  }

  /** HLO text, as XLA prints it. @returns {string} @throws {HloError} UNSUPPORTED: a dynamic module with sizes that HLO cannot tell; DISPOSED */
  toText() {
    return this.#core.ask('module_text', this.pointer);
  }
  /** HLO text; StableHLO's of a module that has none. @returns {string} */
  toString() {
    try {
      return this.toText();
    } catch (error) {
      if (/** @type {HloError} */ (error).code !== 'UNSUPPORTED') throw error;
      return this.toStableHlo();
    }
  }

  /**
   * HLO text of what will run, as it is after one of `hlo.passes`; `all`: after every pass that changes something, each
   * under a line `// after NAME`.
   * @param {string} pass
   * @returns {string}
   * @throws {HloError} ARGUMENT: there is no such pass; UNSUPPORTED: a dynamic module, which runs once it is specialised
   */
  dumpAfter(pass) {
    const { passes } = tableOf(this.#core);
    if (pass !== 'all' && !passes.includes(pass))
      throw new HloError('ARGUMENT', `there is no pass ${JSON.stringify(pass)}${namesThereAre(pass, [...passes, 'all'])}`);
    return this.#core.ask('module_dump', this.pointer, passes.indexOf(pass));
  }

  /** StableHLO text, in generic form. @returns {string} @throws {HloError} UNSUPPORTED: StableHLO has no form for an operation */
  toStableHlo() {
    return this.#core.ask('module_stablehlo', this.pointer);
  }

  /**
   * A protocol buffer as XLA reads it: an HloModuleProto, or the HloProto of XLA's dumps that holds one.
   * `hlo.snapshot()` writes an HloSnapshot.
   * @param {{ kind?: 'module' | 'hlo' }} [options]
   * @returns {Uint8Array<ArrayBuffer>}
   * @throws {HloError} UNSUPPORTED: they have no form for an element type. DISPOSED
   */
  toProto(options) {
    const { kind = 'module' } = checkOptions(options, ['kind'], 'toProto');
    if (kind !== 'module' && kind !== 'hlo') throw mistyped(`kind is 'module' or 'hlo'`, kind);
    this.#core.must('module_proto', this.pointer, kind === 'hlo');
    return this.#core.answerBytes();
  }

  /** Frees the module; executables compiled from it keep what they need. */
  dispose() {
    if (!this.#pointer) return;
    this.#core.unfinalize(this);
    const core = this.#core;
    const pointer = this.#pointer;
    core.whenIdle(() => core.exports.hlo_api_module_free(pointer));
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
   * @hideconstructor
   * @param {Module} module
   * @param {number} index
   * @param {any} facts
   */
  constructor(module, index, facts) {
    /** The module that it belongs to. @readonly @type {Module} */
    this.module = module;
    /** Its place in `module.computations`. @readonly @type {number} */
    this.index = index;
    this.#facts = facts;
  }

  /** The computation's name. @returns {string} */
  get name() {
    return this.#facts.name;
  }
  /** Whether it is what a run of its module runs. @returns {boolean} */
  get isEntry() {
    return this.module.entry === this;
  }
  /** What it takes. @returns {Parameter[]} */
  get parameters() {
    return (this.#parameters ??= this.#facts.parameters.map((/** @type {any} */ p) => ({
      name: p.name,
      shape: new Shape(this.module.core, p.shape),
    })));
  }
  /** The shape of what it gives. @returns {Shape} */
  get result() {
    return (this.#result ??= new Shape(this.module.core, this.#facts.result));
  }

  /** HLO text: of a module that has this computation, and what it calls, alone. @returns {string} */
  toText() {
    if (this.isEntry) return this.module.toText();
    const alone = this.extract();
    try {
      return alone.toText();
    } finally {
      alone.dispose();
    }
  }
  /** The module as HLO text. */
  toString() {
    return this.toText();
  }

  /** A module with a copy of this computation as its entry. @returns {Module} */
  extract() {
    const { core } = this.module;
    return new Module(core, core.pointer('module_extract', this.module.pointer, this.index));
  }

  /** Frees its module. */
  dispose() {
    this.module.dispose();
  }
}
withDispose(Computation);

/**
 * Calls `use` with a program as a module of this core: the program's own, or a copy that lives as long as the call.
 * @template T
 * @param {Core} core
 * @param {unknown} program a module or a computation, of any runtime
 * @param {(module: Module) => T} use
 * @returns {T}
 */
export function withModule(core, program, use) {
  if (!(program instanceof Module) && !(program instanceof Computation)) throw mistyped('a program is a computation or a module', program);
  const own = program instanceof Module ? program : program.isEntry ? program.module : program.extract();
  /** @type {Module[]} */
  const copies = program instanceof Module || own === program.module ? [] : [own];
  try {
    if (own.core !== core) copies.push(own.copyTo(core));
    return use(own.core === core ? own : copies[copies.length - 1]);
  } finally {
    for (const copy of copies) copy.dispose();
  }
}

/**
 * A module's bytes, as arguments of a call.
 * @param {Core} core
 * @param {string | ArrayBuffer | Uint8Array} source
 * @returns {[number, number]}
 */
export function sourceOf(core, source) {
  return typeof source === 'string' ? core.text(source) : core.blob(bytesOf(source));
}

/** Shapes as the text of a tuple. @param {Core} core @param {readonly any[] | undefined} shapes */
export const tupleOf = (core, shapes) => (shapes ? `(${shapes.map((shape) => Shape.from(core, shape)).join(', ')})` : '');

/** @param {ArrayBuffer | Uint8Array} source */
function bytesOf(source) {
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a module is a text or the bytes of a file');
  return bytes;
}
