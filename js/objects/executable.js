import { CustomCalls } from './custom-calls.js';
import { EmittedLoops } from './emitted.js';
import { HloError, abortError, describe, mistyped, wrongInputCount } from './errors.js';
import { InputLeaf } from './executable-input.js';
import { dropOutputs, givenOutputs, newOutputs } from './executable-outputs.js';
import { SLICE, asyncRunOptions, checkProgramOptions, checkSeed, donatedNumbers, isWord, memoryError, runOptions, splitSeed, unitsOf, wordsOf } from './executable-options.js';
import { readRecords, traceOf } from './profile.js';
import { goOn } from './slices.js';
import { Shape, checkShapes, valuesOf } from './shape.js';
import { Tensor, integersOf, nestTensors, tensorsOf, withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./executable-options.js').AsyncRunOptions} AsyncRunOptions */
/** @typedef {import('./executable-options.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable-options.js').RunOptions} RunOptions */
/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./types.js').ExecutableInput} ExecutableInput */
/** @typedef {import('./types.js').ExecutableMemory} ExecutableMemory */
/** @typedef {import('./types.js').Input} Input */
/** @typedef {import('./types.js').Plan} Plan */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').ShapeTree} ShapeTree */
/** Executables by the number that the core knows them by. @param {Core} core */
function makeRegistry(core) {
  /** @type {Map<number, WeakRef<Executable<any>>>} */
  const live = new Map();
  core.callbacks = {
    customCall: (id, target, call) => live.get(id)?.deref()?.callCustom(target, call),
    aborted: (id) => core.stop?.aborted || (live.get(id)?.deref()?.aborted ?? false),
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
  /** @type {Shape[]} the leaves of the results of all devices */
  #resultLeaves;
  #slots;
  #sizes;
  #words; // of memory, up to the end of both the slots and the sizes
  #running = false;
  /** Of the run that goes on in slices. @type {AbortSignal | undefined} */
  #runSignal;
  /** Whether a run goes on in slices; the executable may be disposed of at its end. */
  #isSliced = false;
  #isRetired = false;
  /** By leaf of the results: the input that gives it its memory. @type {(InputLeaf | undefined)[]} */
  #donors = [];
  #constantBytes; // of the constants that are read as they are, and of the packed ones
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
        core.emits,
        options.workLimit === undefined ? 0 : unitsOf(options.workLimit, 'workLimit'),
        ...core.words(donate),
        ...core.text(Object.keys(customCalls).join('\n')),
      );
    } catch (error) {
      registry.live.delete(this.#id);
      throw this.#explained(error);
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
    this.#constantBytes = [info.constantBytes, info.packedBytes];
    this.#resultLeaves = Array(this.devices).fill(this.result.leaves).flat();
    this.#slots = info.slots;
    this.#sizes = info.sizes;
    for (let device = 0; device < this.devices; device++)
      for (const [number, { name, shape }] of this.inputs.entries())
        for (const leaf of shape.leaves)
          this.#inputs.push(new InputLeaf(core, leaf, `parameter ${number} (${name})`, buffers));
    this.#noteDonations(info.donatedTo);
    this.#repeats = info.isPure && this.#donors.length === 0;
    this.#words = (Math.max(this.#slots, this.#sizes) >>> 2) + this.#inputs.length + this.#resultLeaves.length;
    const tooLarge = memoryError(this.memory, options.memoryLimit);
    if (tooLarge) this.dispose();
    if (tooLarge) throw tooLarge;
  }

  /** @param {readonly number[]} donatedTo by leaf of the inputs: the leaf of the result, or -1 */
  #noteDonations(donatedTo) {
    let leaf = 0;
    for (const input of this.inputs)
      for (const end = leaf + input.shape.leaves.length; leaf < end; leaf++) {
        const result = donatedTo[leaf];
        if (result < 0) continue;
        input.donated = true;
        for (let device = 0; device < this.devices; device++) {
          const donor = this.#inputs[(device * this.#inputs.length) / this.devices + leaf];
          donor.donated = true;
          this.#donors[(device * this.#resultLeaves.length) / this.devices + result] = donor;
        }
      }
  }

  /** Bytes of intermediate values, and of copies of small constants in the form that kernels like best. @returns {number} */
  get workspaceBytes() {
    return this.#workspaceBytes;
  }

  /** What a run needs, in bytes, with nothing else in memory. @returns {ExecutableMemory} */
  get memory() {
    /** @param {Shape[]} shapes */
    const bytes = (shapes) => shapes.reduce((sum, leaf) => sum + (leaf.isArray ? leaf.arraySize : 0), 0);
    const [inputs, outputs] = [bytes(this.#inputs.map(({ shape }) => shape)), bytes(this.#resultLeaves)];
    const donated = bytes(this.#resultLeaves.filter((_, i) => this.#donors[i]));
    const [[constants, packed], workspace] = [this.#constantBytes, this.workspaceBytes];
    const shared = this.disposed ? 0 : this.#core.call('executable_shared_bytes', this.pointer);
    return { inputs, outputs, constants, packed, shared, workspace, peak: inputs + outputs - donated + constants + packed + workspace };
  }

  /** Has its loops compiled to WebAssembly of their own, where the host allows it; the results are the same. @internal */
  async emit() {
    await this.#emitted.compile();
  }
  /** The same at once; gives when all threads have them. @internal */
  emitNow() {
    return this.#emitted.compileNow();
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
      if (!this.disposed) core.call('profile', this.pointer, false); // the run may have disposed of it
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
    void this.pointer;
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
    return this.#abortedSignal !== undefined;
  }
  /** The signal that was aborted: of compile, or of the run that goes on. */
  get #abortedSignal() {
    if (this.#signal?.aborted) return this.#signal;
    return this.#runSignal?.aborted ? this.#runSignal : undefined;
  }

  /** Units of work that the last run took, as `workBudget` counts them; 0 before the first. @returns {number} @throws {HloError} DISPOSED */
  get lastWork() {
    return this.#core.call('executable_work', this.pointer);
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
    const { outputs: given, seed = ++this.#seeds.seed, workBudget } = runOptions(options, 'run');
    const budget = this.#begin(seed, workBudget);
    const core = this.#core;
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
   * Runs the program as `run` does, but in slices of a few milliseconds, between which a page can draw, and timers, events and other runs
   * have their turn. Until the end, the memory of Tensors that were given stays as it is, also if they are disposed of, and the executable
   * cannot be run otherwise; disposing of it ends the run. It pauses between steps, between iterations of loops,
   * and within most long steps: docs/limits.md lists those that are not divided.
   * @param {readonly Input[]} [inputs]
   * @param {RunOptions & AsyncRunOptions} [options]
   * @returns {Promise<R>}
   * @throws {HloError} what `run` throws. UNSUPPORTED: the reference evaluator cannot pause. DISPOSED: the executable was disposed of
   */
  async runAsync(inputs = [], options) {
    const { pace, rest } = asyncRunOptions(options);
    if (this.#calling === null) return this.runFlatAsync(inputs, rest, pace);
    const { made, nested } = this.#calling.run(this, inputs, rest, (flat, settings) => this.runFlatAsync(flat, settings ?? {}, pace));
    return nested(await made);
  }

  /**
   * The same with a value for each of `inputs`.
   * @internal
   * @param {readonly any[]} inputs
   * @param {RunOptions} options
   * @param {AsyncRunOptions} pace
   * @returns {Promise<any>}
   */
  async runFlatAsync(inputs, options, { signal, slice = SLICE }) {
    const core = this.#core;
    if (core.running > 0) throw new HloError('ARGUMENT', 'a run in slices cannot begin within a custom call');
    if (signal?.aborted) throw abortError(signal);
    const { outputs: given, seed = ++this.#seeds.seed, workBudget } = options;
    const budget = this.#begin(seed, workBudget);
    const reused = given === undefined ? null : tensorsOf(given);
    this.#takeAll(inputs);
    /** @type {Tensor[]} */
    const inPlace = [];
    /** @type {(Tensor | null)[]} */
    let tensors;
    /** @type {(() => void)[]} */
    let held;
    core.storages.beginRun();
    try {
      tensors = this.#bindAll(reused, inPlace);
      held = [...new Set([...inPlace, ...tensors])].filter((tensor) => tensor && !tensor.disposed).map((tensor) => /** @type {Tensor} */ (tensor).hold());
    } finally {
      core.storages.endRun();
    }
    const executable = this.pointer;
    this.#running = this.#isSliced = true;
    this.#runSignal = signal;
    try {
      core.beginSlices(executable, ...wordsOf(seed), budget);
      await goOn(core, executable, slice, () => (this.#pointer ? this.#abortedSignal : null));
    } catch (error) {
      throw this.#failed(error, given, tensors);
    } finally {
      this.#running = this.#isSliced = false;
      this.#runSignal = undefined;
      for (const letGo of held) letGo();
      if (this.#isRetired) this.dispose();
    }
    return this.#resultOf(given, tensors);
  }

  /** Disposes of it, at the end of a run that goes on in slices. @internal */
  retire() {
    if (this.#isSliced) this.#isRetired = true;
    else this.dispose();
  }

  /** Checks that a run can begin; gives its budget, 0 where there is none. @param {number | bigint} seed @param {RunOptions['workBudget']} workBudget */
  #begin(seed, workBudget) {
    checkSeed(seed);
    const budget = workBudget === undefined ? 0 : unitsOf(workBudget, 'workBudget');
    this.#core.usable();
    if (this.#running)
      throw new HloError('ARGUMENT', 'the executable is running already: no custom call, getter of an input, or code between slices may run it again');
    if (this.#signal?.aborted) throw abortError(this.#signal);
    return budget;
  }

  /**
   * Runs with the inputs that were taken, between beginRun and endRun, so that what is bound stays where it is.
   * @param {RunOptions['outputs']} given
   * @param {Tensor[] | null} reused the tensors in it
   * @param {number | bigint} seed
   * @param {number} workBudget
   */
  #runTaken(given, reused, seed, workBudget) {
    const executable = this.pointer;
    const tensors = this.#bindAll(reused);
    let low = 0;
    let high = 0;
    if (isWord(seed)) low = seed;
    else [low, high] = splitSeed(seed);
    this.#running = true;
    try {
      this.#core.run(executable, low, high, workBudget, this.#repeats);
    } catch (error) {
      throw this.#failed(error, given, tensors);
    } finally {
      this.#running = false;
    }
    return this.#resultOf(given, tensors);
  }

  /** Drops what a run was to give, and returns its error. @param {any} error @param {RunOptions['outputs']} given @param {(Tensor | null)[]} tensors */
  #failed(error, given, tensors) {
    const isKnown = !this.disposed && error.code !== 'INTERNAL' && error.code !== 'DISPOSED';
    if (given === undefined) dropOutputs(tensors, this.#donors, isKnown && this.lastWork === 0);
    return this.#explained(error);
  }

  /** An error of a run: of an aborted one, what its signal says. @param {any} error */
  #explained(error) {
    const signal = error.code === 'ABORTED' && this.#abortedSignal;
    return signal ? abortError(signal) : error;
  }

  /**
   * Finds the memory of inputs and outputs, and tells the core; returns the tensors of the results.
   * @param {Tensor[] | null} reused
   * @param {Tensor[]} [inPlace] takes the tensors whose own memory is read
   */
  #bindAll(reused, inPlace) {
    const core = this.#core;
    for (let i = 0; i < this.#inputs.length; i++) this.#inputs[i].bind(this.#deviceLabel(i), inPlace);
    const tensors = reused === null ? newOutputs(core, this.#resultLeaves, this.#donors) : givenOutputs(core, reused, this.#resultLeaves, this.#inputs);
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
    return tensors;
  }

  /** What a run gives, once it is at its end. @param {RunOptions['outputs']} given @param {(Tensor | null)[]} tensors */
  #resultOf(given, tensors) {
    const core = this.#core;
    const { devices } = this;
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
    void this.pointer;
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
