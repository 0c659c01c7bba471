import { CustomCalls } from './custom-calls.js';
import { EmittedLoops } from './emitted.js';
import { HloError, abortError, checkOptions, describe, isOptions, mistyped, wrongInputCount } from './errors.js';
import { InputLeaf } from './executable-input.js';
import { readRecords, traceOf } from './profile.js';
import { Shape, checkShapes, valuesOf } from './shape.js';
import { Tensor, integersOf, nestTensors, tensorsOf, withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./types.js').ExecutableInput} ExecutableInput */
/** @typedef {import('./types.js').ExecutableMemory} ExecutableMemory */
/** @typedef {import('./types.js').Input} Input */
/** @typedef {import('./types.js').Plan} Plan */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').ShapeTree} ShapeTree */
/**
 * @typedef {object} CompileOptions
 * @property {number} [replicas] how many run at once, each with inputs of its own; what the module says, or 1, unless given
 * @property {number} [partitions] of each replica; what the module says, or 1, unless given
 * @property {boolean} [reference] run on the reference evaluator: slow, the definition
 * @property {readonly (number | string)[]} [donate] inputs whose Tensors a run may use up: their memory becomes that of results of the
 *   same shape (`executable.inputs[i].donated` says whether there are any), and they are disposed of. A number is a place in
 *   `executable.inputs`; a path, such as `params`, stands for all inputs below it
 * @property {import('./constants.js').ConstantsOption} [constants] inputs that are the same in every run: Weights, whose names are those of
 *   inputs (with '.' for '/', or by a map), or arrays by the paths or numbers of inputs. Runs do not take them, and executables that are
 *   bound to the same Weights share them
 * @property {boolean} [flat] of the program of a jax.export file: runs take a value for each of `executable.inputs`, and give a Tensor
 *   or a list of them, as other programs do, not the trees of the JAX function
 * @property {AbortSignal} [signal] stops compilation and every run
 * @property {Record<string, import('./custom-calls.js').CustomCall>} [customCalls] functions by the names of the program's custom calls
 * @property {number} [maxSpecializations] of a dynamic module: how many are kept, those used last; 16 unless given
 */
/**
 * @typedef {object} RunOptions
 * @property {Result} [outputs] tensors of an earlier run, to be overwritten
 * @property {number | bigint} [seed] of the random ops; by default every run has its own
 * @property {number | bigint} [stepBudget] fail with LIMIT after so many steps, 1 or more; no limit unless given
 */

const RUN_OPTIONS = ['outputs', 'seed', 'stepBudget'];

/** Options of a run, before anything is done for it. @param {RunOptions | undefined} options @param {string} what takes them */
export function runOptions(options, what) {
  return checkOptions(options, RUN_OPTIONS, what);
}

/** Executables by the number that the core knows them by. @param {Core} core */
function makeRegistry(core) {
  /** @type {Map<number, WeakRef<Executable<any>>>} */
  const live = new Map();
  core.callbacks = {
    customCall: (id, target, call) => live.get(id)?.deref()?.callCustom(target, call),
    aborted: (id) => live.get(id)?.deref()?.aborted ?? false,
  };
  return { next: 1, seed: 0, live };
}

/**
 * A module made ready to run. A program of dynamic shape is one as well: a DynamicExecutable.
 * @template {Result} [R=Tensor] what a run gives: a Tensor unless `hlo.compile` was told otherwise
 */
export class Executable {
  #core;
  #pointer;
  #id;
  #signal;
  #functions;
  /** @type {import('./custom-calls.js').CustomCalls | undefined} */
  #calls;
  #seeds;
  /** @type {InputLeaf[]} every input slot */
  #inputs = [];
  /** @type {Shape[]} the leaves of one device's result */
  #resultLeaves;
  #slots;
  #sizes;
  /** Where both end. */
  #words;
  #running = false;
  /** By leaf of one device's result: the leaf of its inputs that gives it its memory. @type {Map<number, number>} */
  #donors = new Map();
  #constantBytes;
  #packedBytes;
  /** Whether a run that fails has changed nothing but its results. */
  #repeats;
  #workspaceBytes;
  #reference;
  #fixed;
  #emitted;
  /** How nested arguments become inputs; null: inputs are a list. @type {import('../values/trees.js').Calling | null} */
  #calling;

  /**
   * Use `await hlo.compile(computation)`.
   * @hideconstructor
   * @param {Core} core
   * @param {Module} module of this core
   * @param {CompileOptions} options
   */
  constructor(core, module, options) {
    const { replicas = 0, partitions = 0, reference = false, signal, customCalls = {} } = options;
    checkProgramOptions(options);
    const donate = donatedNumbers(options.donate ?? [], module);
    this.#calling = options.flat ? null : module.calling;
    this.#functions = customCalls;
    this.#fixed = module.fixed.size > 0 ? module.fixed : null;
    this.#core = core;
    const registry = core.once(makeRegistry);
    this.#seeds = registry;
    this.#id = registry.next++;
    this.#signal = signal;
    this.#reference = reference;
    registry.live.set(this.#id, new WeakRef(this));
    core.storages.enter();
    core.begin();
    try {
      this.#pointer = core.pointer(
        'compile',
        module.pointer,
        this.#id,
        replicas,
        partitions,
        reference,
        ...core.words(donate),
        ...core.text(Object.keys(customCalls).join('\n')),
      );
    } catch (error) {
      registry.live.delete(this.#id);
      throw error;
    }
    const id = this.#id;
    /** Input buffers, to be freed with the executable. @type {{ pointer: number, bytes: number }[]} */
    const buffers = [];
    const pointer = this.#pointer;
    const emitted = new EmittedLoops(core, pointer);
    this.#emitted = emitted;
    /** @internal */
    this.free = () => {
      registry.live.delete(id);
      for (const buffer of buffers) core.release(buffer.pointer, buffer.bytes);
      core.exports.hlo_api_executable_free(pointer);
      emitted.free();
    };
    core.finalize(this, this.free);

    const info = core.askJson('executable_info', pointer);
    /** What a run takes, one for each parameter. @readonly @type {ExecutableInput[]} */
    this.inputs = info.parameters.map((/** @type {any} */ p) => ({ name: p.name, shape: new Shape(core, p.shape), donated: false }));
    /** The shape of the result of one device. @readonly @type {Shape} */
    this.result = new Shape(core, info.result);
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = info.devices;
    this.#workspaceBytes = info.workspaceBytes;
    this.#constantBytes = info.constantBytes;
    this.#packedBytes = info.packedBytes;
    this.#noteDonations(info.donatedTo);
    this.#repeats = info.isPure && this.#donors.size === 0;
    this.#resultLeaves = this.result.leaves;
    this.#slots = info.slots;
    this.#sizes = info.sizes;
    for (let device = 0; device < this.devices; device++)
      for (const [number, { name, shape }] of this.inputs.entries())
        for (const leaf of shape.leaves)
          this.#inputs.push(new InputLeaf(core, leaf, `parameter ${number} (${name})`, buffers));
    this.#words = (Math.max(this.#slots, this.#sizes) >>> 2) + this.#inputs.length + this.devices * this.#resultLeaves.length;
    for (const donor of this.#donors.values())
      for (let i = donor; i < this.#inputs.length; i += this.#inputs.length / this.devices) this.#inputs[i].donated = true;
  }

  /** @param {readonly number[]} donatedTo by leaf of the inputs: the leaf of the result, or -1 */
  #noteDonations(donatedTo) {
    let leaf = 0;
    for (const input of this.inputs)
      for (const end = leaf + input.shape.leaves.length; leaf < end; leaf++) {
        if (donatedTo[leaf] < 0) continue;
        this.#donors.set(donatedTo[leaf], leaf);
        input.donated = true;
      }
  }

  /** Bytes of intermediate values, and of copies of small constants in the form that kernels like best. @returns {number} */
  get workspaceBytes() {
    return this.#workspaceBytes;
  }

  /** What a run needs, in bytes, with nothing else in memory. @returns {ExecutableMemory} */
  get memory() {
    /** @param {Shape[]} shapes */
    const bytes = (shapes) => this.devices * shapes.flatMap(({ leaves }) => leaves).reduce((sum, leaf) => sum + (leaf.isArray ? leaf.arraySize : 0), 0);
    const [inputs, outputs] = [bytes(this.inputs.map(({ shape }) => shape)), bytes([this.result])];
    const donated = bytes(this.#resultLeaves.filter((_, i) => this.#donors.has(i)));
    const [constants, packed, workspace] = [this.#constantBytes, this.#packedBytes, this.workspaceBytes];
    const shared = this.disposed ? 0 : this.#core.call('executable_shared_bytes', this.pointer);
    return { inputs, outputs, constants, packed, shared, workspace, peak: inputs + outputs - donated + constants + packed + workspace };
  }

  /** Has its loops compiled to WebAssembly of their own, where the host allows it; the results are the same. @internal */
  async emit() {
    await this.#emitted.compile();
  }
  /** The same at once. @internal */
  emitNow() {
    this.#emitted.compileNow();
  }

  /** The shapes of the results: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }

  /**
   * This executable alone: it has the shapes that it was compiled for.
   * @returns {Executable<R>[]}
   */
  get specializations() {
    return [this];
  }

  /** The steps and buffers that a run goes through. @returns {Plan} @throws {HloError} DISPOSED */
  get plan() {
    return this.#core.askJson('executable_plan', this.pointer);
  }

  /**
   * Runs the program as `run` does, and times each step. The trace is in the Trace Event Format: as JSON, Perfetto
   * (https://ui.perfetto.dev) and chrome://tracing open it.
   * @param {readonly Input[]} [inputs] as `run` takes them
   * @param {RunOptions} [options]
   * @returns {{ result: R, trace: import('./profile.js').Trace }} times in microseconds
   * @throws {HloError} what `run` throws; UNSUPPORTED on the reference evaluator, which has no steps
   */
  profile(inputs = [], options) {
    if (this.#calling === null) return this.profileFlat(inputs, options);
    const { made, nested } = this.#calling.run(this, inputs, { ...runOptions(options, 'profile') }, (flat, rest) => this.profileFlat(flat, rest));
    return { ...made, result: nested(made.result) };
  }

  /** The same with a value for each of `inputs`. @internal @param {readonly any[]} inputs @param {RunOptions} [options] */
  profileFlat(inputs, options) {
    const core = this.#core;
    const settings = { ...runOptions(options, 'profile') };
    if (this.#reference) throw new HloError('UNSUPPORTED', 'the reference evaluator has no steps to profile');
    core.call('profile', this.pointer, true);
    try {
      const result = this.runFlat(inputs, settings);
      return { result, trace: traceOf(readRecords(core, this.pointer), this.plan, this.devices) };
    } finally {
      core.call('profile', this.pointer, false);
    }
  }

  /**
   * What a dynamic executable does for real shapes; this one has its shapes, and gives itself.
   * @param {readonly ShapeTree[]} shapes one for each input; of a program of jax.export nested as its arguments are
   * @param {{ values?: readonly (import('./tensor.js').Integers | null | undefined)[] }} [options] which no shape depends on here
   * @returns {Promise<Executable<R>>}
   * @throws {HloError} ARGUMENT: they are not the shapes of the inputs
   */
  async specialize(shapes, options) {
    valuesOf(options);
    checkShapes(this.#core, this.inputs, this.#calling === null ? /** @type {readonly import('./shape.js').ShapeLike[]} */ (shapes) : this.#calling.flattenShapes(shapes));
    return this;
  }

  /** @internal */
  get pointer() {
    if (!this.#pointer) throw new HloError('DISPOSED', 'the executable was disposed of');
    return this.#pointer;
  }
  /** Whether it was disposed of. */
  get disposed() {
    return !this.#pointer;
  }

  /** @internal */
  get aborted() {
    return this.#signal?.aborted ?? false;
  }

  /**
   * Runs the program. Inputs are one value a parameter: Tensors (which stay where they are), typed arrays in the
   * parameter's layout, or nested arrays; for a tuple, an array of its elements. With several replicas, one such list
   * for each of them, and one result for each. The program of a jax.export file takes the arguments of its JAX function, in
   * their trees (`run([params, x])`), and gives results in theirs: see `module.inputTree`, and the option `flat` of compile.
   * @param {readonly Input[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {R} a Tensor; for a tuple an array of its elements; null for a token. They live until they are disposed of
   * @throws {HloError} INPUT: a value of another count, shape or type. ARGUMENT: it is running already. ABORTED, DEADLOCK, LIMIT,
   *   CUSTOM_CALL: the program stopped. OUT_OF_MEMORY, DISPOSED
   * @throws {TypeError} an option that there is not, a value of a wrong JavaScript type
   */
  run(inputs = [], options) {
    if (this.#calling === null) return this.runFlat(inputs, options);
    const { made, nested } = this.#calling.run(this, inputs, { ...runOptions(options, 'run') }, (flat, rest) => this.runFlat(flat, rest));
    return nested(made);
  }

  /** The list of a run's inputs, where they are the arguments of a JAX function. @internal @param {readonly any[]} inputs */
  flatten(inputs) {
    return this.#calling === null ? inputs : this.#calling.flatten(inputs);
  }

  /** A run with a value for each of `inputs`. @internal @param {readonly any[]} inputs @param {RunOptions} [options] @returns {any} */
  runFlat(inputs, options) {
    const { outputs: given, seed = ++this.#seeds.seed, stepBudget } = runOptions(options, 'run');
    checkSeed(seed);
    const budget = stepBudget === undefined ? 0 : budgetOf(stepBudget);
    const core = this.#core;
    core.usable();
    if (this.#running)
      throw new HloError('ARGUMENT', 'the executable is running already: a custom call, or a getter of an input, may not run it again');
    if (this.#signal?.aborted) throw abortError(this.#signal);
    const reused = given === undefined ? null : tensorsOf(given);
    this.#takeAll(inputs);

    // From here on no code but this runs: pointers stay what they are.
    core.storages.beginRun();
    try {
      return this.#runTaken(given, reused, seed, budget);
    } finally {
      core.storages.endRun();
    }
  }

  /**
   * Runs with the inputs that were taken, between beginRun and endRun, so that what is bound stays where it is.
   * @param {RunOptions['outputs']} given
   * @param {Tensor[] | null} reused the tensors in it
   * @param {number | bigint} seed
   * @param {number} stepBudget
   */
  #runTaken(given, reused, seed, stepBudget) {
    const core = this.#core;
    const executable = this.pointer;
    for (let i = 0; i < this.#inputs.length; i++) this.#inputs[i].bind(this.#deviceLabel(i));
    const { devices } = this;
    const tensors = reused === null ? this.#makeOutputs() : this.#reuse(reused);
    const words = core.words32(this.#words);
    const sizes = this.#sizes >>> 2;
    let slot = this.#slots >>> 2;
    for (let i = 0; i < this.#inputs.length; i++) {
      const leaf = this.#inputs[i];
      words[slot++] = leaf.pointer;
      if (leaf.shape.isDynamic)
        this.#setSizes(words[sizes + i], leaf.sizes ?? /** @type {number[]} */ (leaf.shape.dimensions));
    }
    for (let i = 0; i < tensors.length; i++) words[slot++] = tensors[i]?.pointer ?? 0;

    let low = 0;
    let high = 0;
    if (isWord(seed)) low = seed;
    else [low, high] = splitSeed(seed);
    this.#running = true;
    try {
      core.run(executable, low, high, stepBudget, this.#repeats);
    } catch (error) {
      if (given === undefined) for (const tensor of tensors) tensor?.dispose();
      throw /** @type {any} */ (error).code === 'ABORTED' && this.#signal ? abortError(this.#signal) : error;
    } finally {
      this.#running = false;
    }
    for (let i = 0; i < tensors.length; i++) {
      const tensor = tensors[i];
      if (!tensor?.shape.isDynamic) continue;
      const at = core.view(Uint32Array, this.#sizes, this.#inputs.length + tensors.length)[this.#inputs.length + i];
      tensor.setSizes(core.numbers(at, tensor.shape.rank));
    }
    if (given !== undefined) return /** @type {R} */ (given);
    if (devices === 1 && !this.result.isTuple) return /** @type {R} */ (tensors[0]);
    const leaves = tensors.values();
    const results = Array.from({ length: devices }, () => nestTensors(this.result, leaves));
    return /** @type {R} */ (devices === 1 ? results[0] : results);
  }

  /** @param {number} pointer @param {readonly number[]} sizes */
  #setSizes(pointer, sizes) {
    const view = this.#core.view(BigInt64Array, pointer, sizes.length);
    sizes.forEach((size, d) => (view[d] = BigInt(size)));
  }

  /** Which device an input slot belongs to, for errors. @param {number} slot */
  #deviceLabel(slot) {
    return this.devices === 1 ? '' : `device ${Math.floor((slot * this.devices) / this.#inputs.length)}: `;
  }

  /** Reads all values of a run; what runs in them may not run this executable. @param {readonly any[]} inputs */
  #takeAll(inputs) {
    if (!this.#pointer) throw new HloError('DISPOSED', 'the executable was disposed of');
    if (!Array.isArray(inputs)) throw mistyped('run takes an array of inputs', inputs);
    this.#running = true;
    try {
      this.#takeDevices(inputs);
    } finally {
      this.#running = false;
    }
  }

  /** @param {readonly any[]} inputs */
  #takeDevices(inputs) {
    const { devices } = this;
    if (devices === 1) {
      this.#takeDevice(inputs, 0, '');
      return;
    }
    if (inputs.length !== devices && !(inputs.length === 0 && this.inputs.length === 0))
      throw new HloError(
        'INPUT',
        `expected one array of inputs for each of ${devices} devices, got ${describe(inputs)}`,
      );
    let slot = 0;
    inputs.forEach((list, device) => {
      if (!Array.isArray(list))
        throw mistyped(`the inputs of device ${device} must be an array`, list);
      slot = this.#takeDevice(list, slot, `device ${device}: `);
    });
  }

  /** @param {readonly any[]} inputs @param {number} slot @param {string} where */
  #takeDevice(inputs, slot, where) {
    const expected = this.inputs;
    if (inputs.length !== expected.length) throw wrongInputCount(expected, inputs.length, where);
    if (this.#fixed) this.#checkFixed(this.#fixed, inputs, where);
    for (let i = 0; i < expected.length; i++) slot = this.#take(expected[i].shape, inputs[i], slot, where);
    return slot;
  }

  /** @param {ReadonlyMap<number, readonly bigint[]>} fixed @param {readonly any[]} inputs @param {string} where */
  #checkFixed(fixed, inputs, where) {
    for (const [i, integers] of fixed) {
      const { name, shape } = this.inputs[i];
      const label = `${where}parameter ${i} (${name})`;
      const given = integersOf(this.#core, shape, inputs[i], label);
      if (given.join() !== integers.join())
        throw new HloError('INPUT', `${label}: the program is specialised to the value ${integers}, got ${given}`);
    }
  }

  /**
   * @param {Shape} shape
   * @param {any} value
   * @param {number} slot
   * @param {string} where
   * @returns {number} the next slot
   */
  #take(shape, value, slot, where) {
    if (!shape.isTuple) {
      this.#inputs[slot].take(value, where);
      return slot + 1;
    }
    if (!Array.isArray(value) || value.length !== shape.elements.length)
      throw new HloError(
        'INPUT',
        `${where}${this.#inputs[slot]?.label ?? 'a parameter'}: expected the tuple ${shape} as an array of ${
          shape.elements.length
        } values, got ${describe(value)}`,
      );
    shape.elements.forEach((element, i) => (slot = this.#take(element, value[i], slot, where)));
    return slot;
  }

  #makeOutputs() {
    /** @type {(Tensor | null)[]} */
    const tensors = [];
    const perDevice = this.#inputs.length / this.devices;
    try {
      for (let device = 0; device < this.devices; device++)
        for (const [i, leaf] of this.#resultLeaves.entries()) {
          const donor = this.#donors.get(i);
          const given = donor === undefined ? null : this.#inputs[device * perDevice + donor].takeTensor();
          if (given && !given.disposed) tensors.push(given.move());
          else tensors.push(leaf.isArray ? new Tensor(this.#core, leaf) : null);
        }
      return tensors;
    } catch (error) {
      for (const tensor of tensors) tensor?.dispose();
      throw error;
    }
  }

  /** @param {Tensor[]} tensors */
  #reuse(tensors) {
    if (tensors.length === 1 && this.devices === 1 && !this.result.isTuple) {
      this.#checkOutput(tensors[0], this.result);
      return tensors;
    }
    const expected = Array.from({ length: this.devices }, () =>
      this.#resultLeaves.filter((leaf) => leaf.isArray),
    ).flat();
    if (tensors.length !== expected.length)
      throw new HloError('INPUT', `outputs: expected ${expected.length} tensors, got ${tensors.length}`);
    tensors.forEach((tensor, i) => this.#checkOutput(tensor, expected[i]));
    if (new Set(tensors.map((tensor) => tensor.pointer)).size !== tensors.length)
      throw new HloError('INPUT', 'outputs: the same tensor is given twice');
    const next = tensors.values();
    return Array.from({ length: this.devices }, () =>
      this.#resultLeaves.map((leaf) => (leaf.isArray ? /** @type {Tensor} */ (next.next().value) : null)),
    ).flat();
  }

  /** @param {Tensor} tensor @param {Shape} expected */
  #checkOutput(tensor, expected) {
    const { pointer } = tensor;
    if (tensor.core !== this.#core) throw new TypeError('outputs: the tensor belongs to another runtime');
    if (!tensor.shape.equals(expected))
      throw new HloError('INPUT', `outputs: expected ${expected}, got a tensor ${tensor.shape}`);
    for (const leaf of this.#inputs)
      if (leaf.pointer === pointer)
        throw new HloError('INPUT', `outputs: a tensor ${tensor.shape} is also an input of this run`);
  }

  /**
   * Serves a custom call of the running program.
   * @internal
   * @param {string} target
   * @param {string} call the JSON of src/api/api_host.c
   */
  callCustom(target, call) {
    this.#calls ??= new CustomCalls(this.#core, this.#functions);
    this.#calls.serve(target, call);
  }

  /** How many checks of a conformance case have held in its runs. @internal @returns {number} */
  get checks() {
    return this.#core.call('executable_checks', this.pointer);
  }

  /** From now on checks compare loosely, relative to the largest magnitude of the result. @internal */
  checkLoosely() {
    this.#core.call('executable_loose', this.pointer, true);
  }

  /** Frees the program and its workspace; results of its runs live on. */
  dispose() {
    if (!this.#pointer) return;
    this.#core.unfinalize(this);
    this.#core.whenIdle(this.free);
    this.#pointer = 0;
  }
}
withDispose(Executable);

/** @param {CompileOptions} options */
export function checkProgramOptions({ replicas = 0, partitions = 0, customCalls = {}, maxSpecializations = 1, flat = false }) {
  if (typeof flat !== 'boolean') throw mistyped('flat is true or false', flat);
  for (const count of [replicas, partitions])
    if (!Number.isInteger(count) || count < 0 || count > 4096)
      throw mistyped('replicas and partitions are counts', count);
  if (!Number.isInteger(maxSpecializations) || maxSpecializations < 1)
    throw mistyped('maxSpecializations is a count, 1 or more', maxSpecializations);
  if (!isOptions(customCalls)) throw mistyped('customCalls are functions by their targets', customCalls);
  for (const [name, target] of Object.entries(customCalls)) {
    if (typeof target !== 'function') throw mistyped(`customCalls.${name} must be a function`, target);
    if (name === '' || name.includes('\n')) throw mistyped('customCalls: a target is one line of text', name);
  }
}

/** Numbers of parameters; a path stands for all that are below it. @param {readonly (number | string)[]} donate @param {Pick<Module, 'inputs'>} module */
export function donatedNumbers(donate, module) {
  if (!Array.isArray(donate) || !donate.every((item) => typeof item === 'string' || (Number.isInteger(item) && item >= 0)))
    throw mistyped('donate lists numbers of parameters, or paths', donate);
  return donate.flatMap((item) => {
    if (typeof item === 'number') return [item];
    const names = module.inputs.map(({ name }) => name);
    const numbers = names.flatMap((name, i) => (name === item || name.startsWith(`${item}/`) ? [i] : []));
    if (numbers.length === 0) throw new HloError('ARGUMENT', `no input is called ${item}, or is below it, so that none can be donated; there are ${names.join(', ')}`);
    return numbers;
  });
}

/** Whether a seed is a number of 32 bits, as most are. @param {number | bigint} seed @returns {seed is number} */
function isWord(seed) {
  return typeof seed === 'number' && seed >>> 0 === seed;
}

/** @param {number | bigint} seed */
function checkSeed(seed) {
  if (!isWord(seed) && typeof seed !== 'bigint' && !Number.isSafeInteger(seed)) throw mistyped('a seed is a whole number', seed);
}

/** How many steps a run may take. @param {number | bigint} budget @returns {number} */
function budgetOf(budget) {
  const steps = typeof budget === 'bigint' ? Number(budget) : budget;
  if (!Number.isSafeInteger(steps) || steps < 1) throw mistyped('stepBudget is a whole number of steps, 1 or more', budget);
  return steps;
}

/** @param {number | bigint} seed @returns {[number, number]} */
function splitSeed(seed) {
  const bits = BigInt.asUintN(64, BigInt(seed));
  return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}
