// `webhlo run`: inputs from the command line, results as text.

import { Command, Option } from 'commander';
import { load } from '../index.js';
import { HloError } from '../objects/errors.js';
import { tensorsOf } from '../objects/tensor.js';
import { examples, sample, wholeNumber } from './options.js';
import { UsageError, within, withOption } from './failures.js';
import { readInputs, readWeights } from './inputs.js';
import { clearProgress, print, progress, say, writeFile } from './output.js';
import { checkOutput, comparison, literals, plain, shortenedNote, writeOutputs } from './results.js';
import { parseSource, readSource } from './source.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/module.js').Module} Module */
/** @typedef {import('../objects/executable.js').Executable | import('../objects/executable-dynamic.js').DynamicExecutable} Runnable */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */
/**
 * @typedef {object} RunSettings
 * @property {string[]} [input]
 * @property {string} [constants]
 * @property {string} [output]
 * @property {string} [snapshot]
 * @property {string} [profile]
 * @property {boolean} [reference]
 * @property {string} [dumpAfter]
 * @property {boolean} [json]
 * @property {boolean} [full]
 * @property {number} [replicas]
 * @property {number} [partitions]
 * @property {number} [seed]
 * @property {number} [threads]
 */

export function runCommand() {
  return new Command('run')
    .summary('run a module')
    .description(
      'Runs a module and prints its results as HLO literals. A module of dynamic shape is specialised to its inputs.\n' +
        'An HloSnapshot brings inputs: without --input, it runs with those, and standard error says whether the result is the snapshot\'s.',
    )
    .argument('<module>', 'HLO text, StableHLO text or bytecode, a file of jax.export, HloModuleProto, HloProto or HloSnapshot; - is standard input')
    .addOption(
      new Option('-i, --input <value>', 'an input, for each parameter in order (see below)')
        .argParser((value, /** @type {string[] | undefined} */ before) => [...(before ?? []), value]),
    )
    .option('-c, --constants <file>', 'bind inputs to the arrays of a file of weights (safetensors, .npz, .npy, GGUF), which have their names, or their names with . for /')
    .option('-o, --output <file>', 'write the result to an .npy file as well; several results need %d in the name: out-%d.npy')
    .option('--json', 'print results as JSON: {"shape", "value"}, or a list of these')
    .option('--full', 'print every element: arrays of more than 1,000 are shortened otherwise')
    .option('--seed <n>', 'seed of the random operations', wholeNumber('--seed'))
    .option('--threads <n>', 'share the work of large steps among so many threads', wholeNumber('--threads', 1, 64))
    .option('--replicas <n>', 'run so many replicas at once; inputs are given for each in turn, or once for all', wholeNumber('--replicas', 1, 4096))
    .option('--partitions <n>', 'run so many partitions of each replica at once; inputs likewise', wholeNumber('--partitions', 1, 4096))
    .option('--reference', 'use the reference evaluator: slow, the definition')
    .option('--profile <file>', 'write the time of every step as a trace, which https://ui.perfetto.dev opens; the module runs twice, the first time to warm up')
    .option('--dump-after <pass>', 'print the HLO text after an optimising pass (all: after each that changes something); then inputs may be left out, and nothing is run')
    .option('--snapshot <file>', 'write module, inputs and result as an HloSnapshot as well')
    .addHelpText(
      'after',
      `
A value of --input is one of
  x.npy                  a NumPy array
  x.txt                  a file with an HLO literal
  'f32[2] {1, 2}'        an HLO literal
  2.5 or '[1, 2, 3]'     a number or nested lists, of the parameter's type
  random or random:7     random elements, of a seed if given: real numbers in
                         [-1, 1), integers from -8 to 15; where it stands last,
                         it fills all parameters that remain
  'random[3,4]'          the same for a parameter of open shape
  NAME=VALUE             any of these, for the parameter of that name`,
    )
    .addHelpText('after', () =>
      examples(
        `run ${sample('axpy.hlo')} -i 2 -i '[1, 2, 3, 4]' -i y=random`,
        `run ${sample('softmax.mlir')} --input random:7 --output softmax.npy`,
        `run ${sample('dynamic.mlir')} --input 'random[3,4]' --json`,
        `run ${sample('axpy.hlo')} --dump-after all`,
      ),
    )
    .action(run);
}

/** @param {string} path @param {RunSettings} settings */
async function run(path, settings) {
  const hlo = await load({ threads: settings.threads ?? 1 });
  const source = readSource(path);
  const module = await parseSource(hlo, source);
  await within(source.name, () => runModule(hlo, module, source, settings));
}

/** Throws an error without what it says of options that the command has not. @param {any} error @returns {never} */
function withoutOptions(error) {
  throw error instanceof HloError ? new HloError(error.code, error.message.replace(/ \(constants\.map [^)]*\)/, ''), { line: error.line, column: error.column, cause: error.cause }) : error;
}

/** @param {Runtime} hlo @param {Module} module @param {import('./source.js').Source} source @param {RunSettings} settings */
async function runModule(hlo, module, source, settings) {
  const { replicas, partitions, reference, seed, dumpAfter, input = [] } = settings;
  const dump = dumpAfter === undefined ? undefined : withOption('--dump-after', () => module.dumpAfter(dumpAfter).trimEnd());
  progress(`compiling ${source.name}`);
  const constants = settings.constants === undefined ? undefined : await readWeights(hlo, settings.constants);
  const executable = await hlo.compile(module, { replicas, partitions, reference, flat: true, ...(constants && { constants }) }).catch(withoutOptions);
  const { devices } = executable;
  const stored = input.length === 0 ? hlo.snapshotValues(source.bytes) : { inputs: [], result: undefined };
  if (dump !== undefined) {
    if (dump === '') say('no pass changed anything');
    else print(dump);
    if (input.length === 0 && stored.inputs.length === 0 && executable.inputs.length > 0) return;
  }
  const perDevice = inputsOf(hlo, module, executable, input, stored.inputs);
  if (settings.output !== undefined)
    checkOutput(settings.output, devices * executable.result.leaves.filter((leaf) => leaf.isArray).length);
  if (reference && settings.profile !== undefined) throw new UsageError('--profile times the steps of a plan, and --reference runs without one');
  if (settings.snapshot !== undefined && constants) throw new UsageError('--snapshot writes all inputs of a module, so that none may be bound by --constants');
  if (settings.snapshot !== undefined && devices !== 1)
    throw new UsageError(`--snapshot writes the run of one device, but there are ${devices}`);
  progress(`running ${source.name}`);
  const inputs = devices === 1 ? perDevice[0] : perDevice;
  /** @type {any} by the program: a Tensor, or a tree of them */
  const results = settings.profile === undefined ? executable.run(inputs, { seed }) : profiled(executable, inputs, { seed }, settings.profile);
  if (settings.output !== undefined) writeOutputs(hlo, settings.output, results);
  if (settings.snapshot !== undefined) {
    const fixed = module.isDynamic ? module.specialize(tensorsOf(perDevice[0]).map(({ shape }) => shape)) : module;
    writeFile(settings.snapshot, hlo.snapshot(fixed, perDevice[0], results));
  }
  if (stored.result !== undefined && devices === 1) say(`the snapshot's result: ${comparison(stored.result, results)}`);
  clearProgress();
  if (settings.json) print(JSON.stringify(devices === 1 ? plain(results) : results.map(plain)));
  else show(hlo, devices === 1 ? [results] : results, settings);
}

/**
 * The values of the parameters, one list for each device.
 * @param {Runtime} hlo @param {Module} module @param {Runnable} executable @param {readonly string[]} texts
 * @param {TensorTree[]} stored those of a snapshot
 */
function inputsOf(hlo, module, executable, texts, stored) {
  const { devices, inputs: parameters } = executable;
  if (stored.length > 0 && stored.length === parameters.length) return Array.from({ length: devices }, () => stored);
  const values = readInputs(hlo, parameters, texts, devices);
  if (values) return values;
  const [count, given] = [parameters.length, texts.length];
  const where = devices > 1 ? ` for each of ${devices} devices (or once for all)` : '';
  const list = parameters.map(({ name, shape }) => `\n  ${name}: ${shape}`).join('');
  const open = module.isDynamic && list.includes('?') ? '\nof any size where the shape says ?; the program is specialised to it' : '';
  throw new UsageError(
    `the module takes ${count} input${count === 1 ? '' : 's'}${where}, but ${given} ${given === 1 ? 'was' : 'were'} given with --input${list}${open}`,
  );
}

/** @param {Runtime} hlo @param {TensorTree[]} results of each device @param {RunSettings} settings */
function show(hlo, results, settings) {
  let short = 0;
  results.forEach((result, device) => {
    const shown = literals(hlo, result, settings.full);
    short += shown.short;
    if (results.length > 1) print(`device ${device}:`);
    if (shown.lines.length > 0) print(shown.lines.join('\n'));
  });
  if (short > 0) say(shortenedNote(short));
}

/**
 * Runs once to warm up, and then under the clock.
 * @param {Runnable} executable
 * @param {readonly any[]} inputs
 * @param {import('../objects/executable.js').RunOptions} options
 * @param {string} path of the trace
 */
function profiled(executable, inputs, options, path) {
  tensorsOf(executable.run(inputs, options)).forEach((tensor) => tensor.dispose());
  const { result, trace } = executable.profile(inputs, options);
  writeFile(path, JSON.stringify(trace));
  return result;
}
