// `webhlo inspect`: what a module is, takes and gives, is made of, and needs for a run.

import { Command } from 'commander';
import { load } from '../index.js';
import { HloError } from '../objects/errors.js';
import { formOf } from '../objects/program-form.js';
import { inspectionText } from './inspection-text.js';
import { examples, sample } from './options.js';
import { within } from './failures.js';
import { clearProgress, print, progress } from './output.js';
import { parseSource, readSource } from './source.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/module.js').Module} Module */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/**
 * What `--json` prints. Keys stay as they are from version to version; new ones may join them.
 * @typedef {object} Inspection
 * @property {FileFacts} file
 * @property {{ name: string, dynamic: boolean, replicas: number, partitions: number }} module
 * @property {{ name: string, shape: string, bytes: number | null }[]} inputs bytes: null where a size is open
 * @property {{ shape: string, bytes: number | null }[]} outputs
 * @property {number | null} parameterBytes of all inputs
 * @property {number} constantBytes of the constants in the file
 * @property {Record<string, number>} operations how often each occurs, the most frequent first
 * @property {{ name: string, operations: number, entry: boolean }[]} computations of a dynamic module, the functions of its file
 * @property {RunFacts | null} run null for a dynamic module, whose run is known once its shapes are, and where there is a problem
 * @property {string | null} problem why the module cannot be run as it is, such as a custom call that is not registered
 */
/**
 * @typedef {object} FileFacts
 * @property {string} path
 * @property {string} form hlo-text, stablehlo-text, stablehlo-bytecode, jax-export, hlo-module-proto, hlo-proto or hlo-snapshot
 * @property {number} bytes
 * @property {string} [producer] of bytecode: who wrote it, such as StableHLO_v1.17.0
 * @property {number} [bytecodeVersion] of MLIR's bytecode format
 */
/**
 * A run on one device, each iteration of a loop and each branch of a conditional counted once; memory: of all devices.
 * @typedef {object} RunFacts
 * @property {number} devices replicas times partitions
 * @property {number} steps
 * @property {number} flops
 * @property {number} bytesMoved read and written by steps
 * @property {boolean} repeats whether loops or conditionals make these figures those of one pass
 * @property {{ inputs: number, outputs: number, constants: number, packed: number, shared: number, workspace: number, peak: number }} memory bytes
 * @property {{ name: string, steps: number, flops: number, bytesMoved: number }[]} kernels the one of most flops first
 * @property {{ name: string, op: string, shape: string, computation: string }[]} reference steps without a kernel, run by the reference evaluator
 * @property {{ emitted: number, total: number }} loops fused loops and while loops, and how many became WebAssembly of their own
 */

export function inspectCommand() {
  return new Command('inspect')
    .summary('tell what a module takes, gives, is made of and needs')
    .description(
      'Tells the form of a file, the inputs, outputs, operations and constants of its module, and what a run costs: flops, bytes moved, memory, ' +
        'kernels, loops that became WebAssembly, and steps that only the reference evaluator can run.',
    )
    .argument('<module>', 'the file of a module; - is standard input')
    .option('--shapes <shapes>', "of the arguments of a dynamic module, to see a run at these: 'f32[3,4], s32[]'")
    .option('--json', 'print all figures as JSON')
    .addHelpText(
      'after',
      `
Flops and bytes moved count each iteration of a loop and each branch of a
conditional once.

--json prints an object of
  file           {path, form, bytes}; of bytecode also producer and
                 bytecodeVersion
  module         {name, dynamic, replicas, partitions}
  inputs         [{name, shape, bytes}]; bytes are null where a size is open
  outputs        [{shape, bytes}]
  parameterBytes, constantBytes
  operations     {name: how often it occurs}
  computations   [{name, operations, entry}]
  run            {devices, steps, flops, bytesMoved, repeats, memory: {inputs,
                 outputs, constants, packed, shared, workspace, peak},
                 kernels: [{name, steps,
                 flops, bytesMoved}], reference: [{name, op, shape,
                 computation}], loops: {emitted, total}}; null for a dynamic
                 module, and where there is a problem
  problem        why the module cannot be run as it is, or null`,
    )
    .addHelpText('after', () =>
      examples(
        `inspect ${sample('softmax.mlir')}`,
        `inspect ${sample('axpy.hlo')} --json`,
        `inspect ${sample('dynamic.mlir')} --shapes 'f32[3,4]'`,
      ),
    )
    .action(inspect);
}

/** @param {string} path @param {{ shapes?: string, json?: boolean }} settings */
async function inspect(path, { shapes, json }) {
  const hlo = await load();
  const source = readSource(path);
  const module = await parseSource(hlo, source, { shapes });
  progress(`compiling ${source.name}`);
  const facts = await within(source.name, async () => ({
    file: fileFacts(hlo, source),
    ...moduleFacts(hlo, module),
    ...(module.isDynamic ? { run: null, problem: null } : await runFacts(hlo, module)),
  }));
  clearProgress();
  print(json ? JSON.stringify(facts, null, 2) : inspectionText(facts));
}

/** @param {Runtime} hlo @param {import('./source.js').Source} source @returns {FileFacts} */
function fileFacts(hlo, { name, bytes }) {
  const form = formOf(hlo, bytes);
  const facts = { path: name, form, bytes: bytes.length };
  if (form !== 'stablehlo-bytecode' && form !== 'jax-export') return facts;
  // MLIR's bytecode: four bytes that tell it, its version (a number of one byte, shifted by one), the producer's name and a zero.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = buffer.indexOf('ML\xefR', 0, 'latin1');
  const producer = buffer.toString('latin1', at + 5, buffer.indexOf(0, at + 5));
  return { ...facts, producer, bytecodeVersion: buffer[at + 4] >> 1 };
}

/** Bytes of an array or a tuple's arrays; null where a size is open. @param {Shape} shape @returns {number | null} */
function bytesOf(shape) {
  return shape.leaves.reduce(
    (/** @type {number | null} */ sum, leaf) => (sum === null || leaf.dimensions.includes(null) ? null : sum + (leaf.isArray ? leaf.byteSize : 0)),
    0,
  );
}

/** @param {Runtime} hlo @param {Module} module */
function moduleFacts(hlo, module) {
  const inputs = module.inputs.map(({ name, shape }) => ({ name, shape: shape.toString(), bytes: bytesOf(shape) }));
  hlo.core.begin();
  /** @type {{ computations: { name: string, operations: string[] }[], constantBytes: number }} */
  const { computations: all, constantBytes } = hlo.core.askJson('module_contents', module.pointer);
  const computations = all.map(({ name, operations }) => ({ name, operations: operations.filter((op) => !op.endsWith('.return')) }));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of computations.flatMap(({ operations }) => operations)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    module: { name: module.name, dynamic: module.isDynamic, replicas: module.replicas, partitions: module.partitions },
    inputs,
    outputs: module.outputs.map((shape) => ({ shape: shape.toString(), bytes: bytesOf(shape) })),
    parameterBytes: inputs.reduce((/** @type {number | null} */ sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0),
    constantBytes,
    operations: Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
    computations: computations.map(({ name, operations }) => ({ name, operations: operations.length, entry: name === module.entry.name })),
  };
}

/** @param {Runtime} hlo @param {Module} module @returns {Promise<{ run: RunFacts | null, problem: string | null }>} */
async function runFacts(hlo, module) {
  try {
    return { run: factsOf(/** @type {import('../objects/executable.js').Executable} */ (await hlo.compile(module))), problem: null };
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    return { run: null, problem: `${error.code}: ${error.message}` };
  }
}

/** @param {import('../objects/executable.js').Executable} executable which is disposed of @returns {RunFacts} */
function factsOf(executable) {
  const { plan, devices, memory } = executable;
  /** @type {{ computation: string, step: any }[]} */
  const steps = plan.routines.flatMap((/** @type {any} */ routine) => routine.steps.map((/** @type {any} */ step) => ({ computation: routine.name, step })));
  const work = steps.filter(({ step }) => !step.calls && !step.targets);
  /** @type {Map<string, { name: string, steps: number, flops: number, bytesMoved: number }>} */
  const kernels = new Map();
  for (const { step } of work) {
    const name = step.kernel;
    const before = kernels.get(name) ?? { name, steps: 0, flops: 0, bytesMoved: 0 };
    kernels.set(name, { name, steps: before.steps + 1, flops: before.flops + step.flops, bytesMoved: before.bytesMoved + step.bytes });
  }
  const loops = steps.filter(({ step }) => step.emitted !== undefined);
  const facts = {
    devices,
    steps: work.length,
    ...costOf(plan),
    repeats: steps.some(({ step }) => step.targets),
    memory,
    kernels: [...kernels.values()].sort((a, b) => b.flops - a.flops || b.bytesMoved - a.bytesMoved || b.steps - a.steps),
    reference: work
      .filter(({ step }) => step.kernel === 'reference')
      .map(({ computation, step: { name, op, shape } }) => ({ name, op, shape, computation })),
    loops: { emitted: loops.filter(({ step }) => step.emitted).length, total: loops.length },
  };
  executable.dispose();
  return facts;
}

/** Flops and bytes of the entry's steps, and of what they call, as often as it is called. @param {any} plan */
function costOf({ routines }) {
  /** @type {Map<string, { flops: number, bytesMoved: number }>} */
  const costs = new Map();
  for (const { name, steps } of [...routines].reverse()) {
    const cost = { flops: 0, bytesMoved: 0 };
    for (const step of steps) {
      const called = costs.get(step.calls);
      cost.flops += step.flops + (called?.flops ?? 0);
      cost.bytesMoved += step.bytes + (called?.bytesMoved ?? 0);
    }
    costs.set(name, cost);
  }
  return costs.get(routines[0]?.name) ?? { flops: 0, bytesMoved: 0 };
}
