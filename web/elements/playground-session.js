// One program of the playground: read, compiled, run, measured. All that the panes show is asked here, from the core, when it is needed.
import { formOf } from '../../js/objects/program-form.js';
import { inputShape, inputValue } from './playground-inputs.js';
import { linesOfSteps, livesOf } from './playground-steps.js';
import { differences } from './text-difference.js';
import { wasmFunctions } from './wasm-text.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/objects/module.js').Module} Module */
/** @typedef {import('../../js/objects/executable.js').Executable<any>} Executable */
/** @typedef {import('../../js/objects/tensor.js').Tensor} Tensor */
/** @typedef {import('../../js/objects/types.js').Plan} Plan */
/** @typedef {import('./graph-model.js').Graph} Graph */
/** @typedef {{ name: string, text: string }} PassText the module's text after a pass that changed something */
/** @typedef {{ label: string, shape: string, sizes: number[], type: string, values: any[] | undefined }} Output values: in row-major order; undefined where there are too many */

const MOST_VALUES = 2 ** 20;
/** Random inputs of other devices. */
const NEXT_DEVICE = 7919;

/** @template T @param {() => T} make @returns {() => T} */
function once(make) {
  /** @type {{ value: T } | undefined} */
  let made;
  return () => (made ??= { value: make() }).value;
}

export class Session {
  /** @type {Module} */
  #module;
  /** @type {Module | undefined} as it runs: specialised, where sizes were open */
  #closed;
  /** @type {Executable | undefined} */
  #executable;
  /** @type {Tensor[]} */
  #made = [];
  #changes;

  /** @param {Runtime} hlo @param {string} text @throws {Error} it is no program */
  constructor(hlo, text) {
    this.hlo = hlo;
    this.text = text;
    this.#module = hlo.parse(text);
    /** What it takes. */
    this.inputs = this.#module.inputs;
    this.isDynamic = this.#module.isDynamic;
    /** The names that lines of the text define. @type {() => Graph} */
    this.graph = once(() => this.#graphOf(this.#running, false));
    /** The graph as the passes leave it. @type {() => Graph} */
    this.optimised = once(() => this.#graphOf(this.#running, true));
    /** @type {() => PassText[]} */
    this.passes = once(() => passTexts(this.#running.toText(), this.#running.dumpAfter('all')));
    /** @type {() => Plan} */
    this.plan = once(() => this.executable.plan);
    /** The module of its own loops; null where it has none. @type {() => Uint8Array | null} */
    this.emitted = once(() => this.#emittedBytes());
    /** The same as text. */
    this.functions = once(() => wasmFunctions(this.emitted() ?? new Uint8Array(8)));
    /** The lines of the text that each step is made of. */
    this.linesOf = once(() => linesOfSteps(this.optimised()));
    /** The lines that define names; of several, the first. */
    this.lineByName = once(() => new Map(this.graph().computations.flatMap(({ instructions }) => instructions.map(({ name, line }) => /** @type {const} */ ([name, line]))).reverse()));
    /** The values in the workspace, by routine. */
    this.lives = once(() => this.plan().routines.map((routine) => ({ routine, lives: livesOf(routine) })).filter(({ lives }) => lives.length));
    /** @type {Map<number, import('./text-difference.js').Change[]>} */
    this.#changes = new Map();
  }

  get #running() {
    return this.#closed ?? this.#module;
  }

  /** Of a compiled program. */
  get executable() {
    return /** @type {Executable} */ (this.#executable);
  }

  get isCompiled() {
    return this.#executable !== undefined;
  }

  /** Bytes of the inputs whose sizes are known. */
  get inputBytes() {
    return this.inputs.reduce((sum, { shape }) => sum + (shape.isArray && !shape.dimensions.includes(null) ? shape.byteSize : 0), 0);
  }

  get devices() {
    return this.#module.replicas * this.#module.partitions;
  }

  /** The text of a program that came as bytes. @param {Runtime} hlo @param {Uint8Array} bytes @returns {string} */
  static textOf(hlo, bytes) {
    const module = hlo.parse(bytes);
    try {
      return /^(stablehlo|jax)/.test(formOf(hlo, bytes)) ? module.toStableHlo() : module.toText();
    } finally {
      module.dispose();
    }
  }

  /** The names of the results: of a tuple, those of its operands. @returns {string[]} */
  resultNames() {
    const { computations, entry } = this.graph();
    const { instructions, root } = computations[entry];
    const { op, name, operands } = instructions[root];
    if (op !== 'tuple') return this.#module.outputs.length === 1 ? [name] : [];
    const names = operands.map((operand) => instructions[operand]);
    return names.some(({ shape }) => shape.startsWith('(')) ? [] : names.map((one) => one.name);
  }

  /** What a pass changed, line by line. @param {number} pass of those in passes() @returns {import('./text-difference.js').Change[]} */
  changes(pass) {
    let changes = this.#changes.get(pass);
    if (changes) return changes;
    const [before, after] = [pass - 1, pass].map((at) => this.passes()[at].text.replace(/\n$/, '').split('\n'));
    this.#changes.set(pass, (changes = differences(before, after)));
    return changes;
  }

  /** @param {Module} module @param {boolean} optimised @returns {Graph} */
  #graphOf(module, optimised) {
    this.hlo.core.begin();
    return this.hlo.core.askJson('module_drawn', module.pointer, optimised);
  }

  #emittedBytes() {
    const { core } = this.hlo;
    if (core.call('executable_emit', this.executable.pointer, core.fuses) <= 0) return null;
    return core.answerBytes();
  }

  /**
   * The inputs' values, a list for each device.
   * @param {readonly (string | import('./playground-inputs.js').Dropped)[]} texts @param {number} seed
   * @throws {InputError}
   */
  values(texts, seed) {
    this.#free();
    const lists = this.inputs.map((_, i) => this.#byDevice(texts[i] ?? 'random', i));
    return Array.from({ length: this.devices }, (_, device) =>
      this.inputs.map((parameter, i) => {
        try {
          const value = inputValue(this.hlo, parameter, lists[i][device], seed + Math.imul(i, 0x9e3779b1) + device * NEXT_DEVICE);
          this.#keep(value);
          return value;
        } catch (error) {
          throw new InputError(i, /** @type {Error} */ (error).message);
        }
      }),
    );
  }

  /** What each device has of an input: the same, or its own, between |. @param {string | import('./playground-inputs.js').Dropped} text @param {number} input */
  #byDevice(text, input) {
    const given = typeof text === 'string' ? text.split('|') : [text];
    if (given.length === 1) return Array.from({ length: this.devices }, () => text);
    if (given.length === this.devices) return given;
    throw new InputError(input, `There are ${given.length} values between |, and ${this.devices === 1 ? 'one device' : `${this.devices} devices: give one, or one for each`}.`);
  }

  /** @param {import('../../js/objects/tensor.js').TensorTree} value */
  #keep(value) {
    if (Array.isArray(value)) for (const part of value) this.#keep(part);
    else if (value) this.#made.push(/** @type {Tensor} */ (value));
  }

  /** Compiles it for these values, if it is not. @param {readonly (readonly any[])[]} values */
  compile([values]) {
    return this.#compileFor(() => values.map(shapeOf));
  }

  /** The same before there are any values. @param {readonly (string | import('./playground-inputs.js').Dropped)[]} texts */
  compileAhead(texts) {
    return this.#compileFor(() => this.inputs.map((parameter, i) => inputShape(this.hlo, parameter, this.#byDevice(texts[i] ?? 'random', i)[0])));
  }

  /** Without the signal of a run: a program that was stopped runs again. @param {() => string[]} shapes */
  async #compileFor(shapes) {
    if (this.isDynamic && !this.#closed) this.#closed = this.#module.specialize(shapes());
    this.#executable ??= await this.hlo.compile(this.#running, { flat: true });
  }

  /** @param {readonly (readonly any[])[]} values @param {AbortSignal} signal @returns {Promise<Output[][]>} by device */
  async run(values, signal) {
    const results = await this.executable.runAsync(this.devices > 1 ? values : values[0], { seed: 1, signal });
    return this.devices > 1 ? results.map(outputsOf) : [outputsOf(results)];
  }

  /** @param {readonly (readonly any[])[]} values */
  profile(values) {
    const given = this.devices > 1 ? values : values[0];
    const { result, trace } = this.executable.profile(given, { seed: 1 });
    disposeAll(result);
    return trace;
  }

  #free() {
    for (const tensor of this.#made.splice(0)) if (!tensor.disposed) tensor.dispose();
  }

  dispose() {
    this.#free();
    this.#executable?.dispose();
    this.#closed?.dispose();
    this.#module.dispose();
  }
}

/** An input that makes no sense. */
export class InputError extends Error {
  /** @param {number} input @param {string} message */
  constructor(input, message) {
    super(message);
    this.input = input;
  }
}

/** @param {any} value @returns {string} */
function shapeOf(value) {
  return Array.isArray(value) ? `(${value.map(shapeOf).join(', ')})` : String(value.shape);
}

/** @param {any} tree */
function disposeAll(tree) {
  if (Array.isArray(tree)) for (const part of tree) disposeAll(part);
  else tree?.dispose();
}

/** What a device gives; its tensors are disposed of. @param {any} tree @param {string} [path] @returns {Output[]} */
function outputsOf(tree, path = '') {
  if (Array.isArray(tree)) return tree.flatMap((part, i) => outputsOf(part, path ? `${path}.${i}` : `${i}`));
  if (!tree) return [{ label: path, shape: 'token[]', sizes: [], type: 'token', values: undefined }];
  const { shape, dimensions } = /** @type {Tensor} */ (tree);
  const sizes = [...dimensions];
  const count = sizes.reduce((product, size) => product * size, 1);
  /** @type {any} */
  const nested = count <= MOST_VALUES ? tree.toArray() : undefined;
  const type = String(shape.type);
  const values = nested === undefined ? undefined : sizes.length ? nested.flat(sizes.length - 1) : [nested];
  tree.dispose();
  return [{ label: path, shape: `${type}[${sizes}]`, sizes, type, values }];
}

/** @param {string} before @param {string} dump what dumpAfter('all') gave @returns {PassText[]} */
function passTexts(before, dump) {
  const parts = dump.split(/^\/\/ after ([\w-]+)\n/m);
  const steps = [{ name: 'as written', text: before }];
  for (let i = 1; i < parts.length; i += 2) steps.push({ name: parts[i], text: parts[i + 1] });
  return steps;
}
