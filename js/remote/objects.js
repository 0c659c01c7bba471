// What stands here for the objects of a worker. Their methods are those of the objects, and give promises.

import { checkOptions } from '../objects/errors.js';
import { valuesOf } from '../objects/shape.js';
import { withDispose } from '../objects/tensor.js';
import { Remote } from './values.js';

/** @typedef {import('./values.js').Link} Link */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('../objects/module.js').Parameter} Parameter */
/** @typedef {RemoteTensor | null | RemoteTensors} RemoteTensorTree a tensor, null for a token, or an array for a tuple */
/** @typedef {RemoteTensorTree[]} RemoteTensors */
/** @typedef {{ on: number, shape: Shape, dimensions: readonly number[] }} TensorFacts */
/** @typedef {import('../values/trees.js').InputTree} InputTree */
/** @typedef {import('../values/trees.js').Tree} Tree */
/** @typedef {{ name: string, index: number, isEntry: boolean, parameters: Parameter[], result: Shape }} ComputationFacts */
/**
 * @typedef {{ on: number, name: string, isDynamic: boolean, inputs: Parameter[], outputs: Shape[], result: Shape, entry: number,
 *   inputTree: InputTree | null, outputTree: Tree | null, platforms: string[], computations: ComputationFacts[], replicas: number, partitions: number }} ModuleFacts
 */
/** @typedef {{ on: number, inputs: (Parameter & { donated: boolean })[], result: Shape, devices: number }} ExecutableFacts */
/** @typedef {{ signal?: AbortSignal, flag?: Int32Array }} Stop what stops the runs of an executable */

/** Of runs whose results are new tensors. */
export const FRESH_RUN_OPTIONS = ['seed', 'stepBudget'];
const RUN_OPTIONS = [...FRESH_RUN_OPTIONS, 'outputs', 'transfer'];

/** An array in the memory of a worker. It stays there until disposed, and may be an input of any run there. */
export class RemoteTensor extends Remote {
  /** @internal @param {Link} link @param {TensorFacts} facts */
  constructor(link, { on, shape, dimensions }) {
    super(link, on);
    /** @readonly @type {Shape} */
    this.shape = shape;
    /** Actual sizes: the dimensions of the shape, save where they are bounded. @readonly @type {readonly number[]} */
    this.dimensions = dimensions;
  }

  /** The elements, flat, in the shape's layout. There is no `data`, which is a view. @returns {Promise<any>} */
  toTypedArray() {
    return this.ask('toTypedArray');
  }
  /** The elements as nested arrays. @returns {Promise<any>} */
  toArray() {
    return this.ask('toArray');
  }
  /** The elements in row-major order as f32. @returns {Promise<Float32Array>} */
  toFloat32Array() {
    return this.ask('toFloat32Array');
  }
  /** The elements of an f16 tensor in row-major order as Float16Array, where the engine has it. @returns {Promise<any>} */
  toFloat16Array() {
    return this.ask('toFloat16Array');
  }
  toString() {
    return `RemoteTensor ${this.shape}`;
  }
}

/** A module in a worker. */
export class RemoteModule extends Remote {
  /** @internal @param {Link} link @param {ModuleFacts} facts */
  constructor(link, facts) {
    super(link, facts.on);
    /** @readonly @type {string} */
    this.name = facts.name;
    /** @readonly @type {boolean} */
    this.isDynamic = facts.isDynamic;
    /** What the entry takes; `?` where a size is not known yet. @readonly @type {Parameter[]} */
    this.inputs = facts.inputs;
    /** The shapes of the entry's results: of a tuple, its elements. @readonly @type {Shape[]} */
    this.outputs = facts.outputs;
    /** @readonly @type {Shape} */
    this.result = facts.result;
    /** The arguments of the JAX function, of a module of jax.export; null of others. @readonly @type {InputTree | null} */
    this.inputTree = facts.inputTree;
    /** @readonly @type {Tree | null} */
    this.outputTree = facts.outputTree;
    /** The platforms that JAX exported it for; none of other modules. @readonly @type {readonly string[]} */
    this.platforms = facts.platforms;
    /** @readonly @type {number} */
    this.replicas = facts.replicas;
    /** @readonly @type {number} */
    this.partitions = facts.partitions;
    /** Of a dynamic module the entry alone. @readonly @type {RemoteComputation[]} */
    this.computations = facts.computations.map((computation) => new RemoteComputation(this, computation));
    /** @readonly @type {RemoteComputation} */
    this.entry = this.computations[facts.entry];
  }

  /** By name. @param {string} name @returns {Promise<RemoteComputation>} @throws {HloError} ARGUMENT */
  async computation(name) {
    const found = this.computations.find((computation) => computation.name === name);
    return found ?? this.ask('computation', [name]);
  }
  /** HLO text, which `toString()` of an ordinary module gives. @returns {Promise<string>} */
  toText() {
    return this.ask('toText');
  }
  /** HLO text of what will run, as it is after one of `hlo.passes`. @param {string} pass @returns {Promise<string>} */
  dumpAfter(pass) {
    return this.ask('dumpAfter', [pass]);
  }
  /** @returns {Promise<string>} */
  toStableHlo() {
    return this.ask('toStableHlo');
  }
  /** @param {{ kind?: 'module' | 'hlo' }} [options] @returns {Promise<Uint8Array>} */
  async toProto(options) {
    return this.ask('toProto', [{ ...checkOptions(options, ['kind'], 'toProto') }]);
  }
  /**
   * A dynamic module for arguments of known shapes.
   * @param {readonly ShapeLike[]} shapes one for each argument
   * @param {{ values?: readonly unknown[] }} [options]
   * @returns {Promise<RemoteModule>}
   */
  async specialize(shapes, options) {
    return this.ask('specialize', [shapes, { values: valuesOf(options) }]);
  }
  toString() {
    return `RemoteModule ${this.name}`;
  }
}

/** A function of a module in a worker: parameters and a result. */
export class RemoteComputation {
  /** @internal @param {RemoteModule} module @param {ComputationFacts} facts */
  constructor(module, { name, index, isEntry, parameters, result }) {
    /** @readonly @type {RemoteModule} */
    this.module = module;
    /** @readonly @type {string} */
    this.name = name;
    /** @readonly @type {number} */
    this.index = index;
    /** @readonly @type {boolean} */
    this.isEntry = isEntry;
    /** @readonly @type {Parameter[]} */
    this.parameters = parameters;
    /** @readonly @type {Shape} */
    this.result = result;
  }

  /** A module with a copy of this computation as its entry. @returns {Promise<RemoteModule>} */
  extract() {
    return this.module.ask('extract', [this.index]);
  }
  /** HLO text: of a module that has this computation, and what it calls, alone. @returns {Promise<string>} */
  async toText() {
    if (this.isEntry) return this.module.toText();
    const alone = await this.extract();
    try {
      return await alone.toText();
    } finally {
      alone.dispose();
    }
  }
  dispose() {
    this.module.dispose();
  }
  toString() {
    return `RemoteComputation ${this.name}`;
  }
}
withDispose(RemoteComputation);

/** An executable in a worker. */
export class RemoteExecutable extends Remote {
  /** @type {Stop} */
  #stop = {};

  /** @internal @param {Link} link @param {ExecutableFacts} facts */
  constructor(link, { on, inputs, result, devices }) {
    super(link, on);
    /** @readonly @type {(Parameter & { donated: boolean })[]} */
    this.inputs = inputs;
    /** @readonly @type {Shape} */
    this.result = result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = devices;
  }

  /** @internal @param {Stop} stop */
  heed(stop) {
    this.#stop = stop;
    return this;
  }

  /** The shapes of the results: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }
  /** @returns {Promise<any>} */
  get plan() {
    return this.ask('plan');
  }
  /** What a run needs, in bytes. @returns {Promise<{ inputs: number, outputs: number, constants: number, workspace: number, peak: number }>} */
  get memory() {
    return this.ask('memory');
  }
  /** @returns {Promise<number>} */
  get workspaceBytes() {
    return this.ask('workspaceBytes');
  }
  /** Of a dynamic executable: those kept for the shapes met so far, the one used last at the end. @returns {Promise<RemoteExecutable[]>} */
  get specializations() {
    return this.ask('specializations');
  }

  /**
   * Runs the program, as Executable.run does. Inputs are tensors of the worker, which stay where they are, or data, which is
   * copied there; array buffers that `transfer` names are moved instead, and are lost here.
   * @param {readonly any[]} [inputs]
   * @param {{ outputs?: RemoteTensorTree | RemoteTensorTree[], seed?: number | bigint, stepBudget?: number, transfer?: ArrayBuffer[] }} [options]
   * @returns {Promise<any>} a RemoteTensor, or an array of them for a tuple
   */
  async run(inputs = [], options) {
    const { transfer, ...rest } = checkOptions(options, RUN_OPTIONS, 'run');
    const call = { ...this.#stop, transfer };
    if (rest.outputs === undefined) return this.ask('run', [inputs, rest], call);
    await this.ask('runInto', [inputs, rest], call);
    return rest.outputs;
  }

  /**
   * Runs the program and times each step; see Executable.profile.
   * @param {readonly any[]} [inputs]
   * @param {{ seed?: number | bigint, stepBudget?: number }} [options]
   * @returns {Promise<{ result: any, trace: import('../objects/profile.js').Trace }>}
   */
  async profile(inputs = [], options) {
    return this.ask('profile', [inputs, { ...checkOptions(options, FRESH_RUN_OPTIONS, 'profile') }], this.#stop);
  }

  /**
   * Compiles a dynamic program for these shapes now.
   * @param {readonly ShapeLike[]} shapes one for each input
   * @param {{ values?: readonly unknown[] }} [options]
   * @returns {Promise<RemoteExecutable>}
   */
  async specialize(shapes, options) {
    return (await this.ask('specialize', [shapes, { values: valuesOf(options) }])).heed(this.#stop);
  }
}

/** Origins of a run in a worker; see Origins. */
export class RemoteOrigins extends Remote {
  /** @internal @param {Link} link @param {{ on: number, inexact: string[], outputs: RemoteTensor[] }} facts */
  constructor(link, { on, inexact, outputs }) {
    super(link, on);
    /** @readonly @type {string[]} */
    this.inexact = inexact;
    /** The arrays of the result. @readonly @type {RemoteTensor[]} */
    this.outputs = outputs;
  }

  /**
   * What an element of the result is made of; see Origins.of.
   * @param {number} output @param {number} flat
   * @returns {Promise<import('../objects/origins.js').Origin>}
   */
  of(output, flat) {
    return this.ask('of', [output, flat]);
  }
}
withDispose(Remote);

/** By the marks of worker.js. @type {import('./values.js').Makers} */
export const makers = {
  tensor: (link, facts) => new RemoteTensor(link, facts),
  module: (link, facts) => new RemoteModule(link, facts),
  executable: (link, facts) => new RemoteExecutable(link, facts),
  origins: (link, facts) => new RemoteOrigins(link, facts),
};
