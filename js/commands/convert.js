// `webhlo convert`: reads a module in any form and writes it in another.

import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { load } from '../index.js';
import { didYouMean } from '../objects/nearest-name.js';
import { examples, sample, wholeNumber } from './options.js';
import { UsageError, within } from './failures.js';
import { clearProgress, mustNotBeTerminal, progress, write, writeFile } from './output.js';
import { quantize, weightsPath } from './quantize.js';
import { parseSource, readSource } from './source.js';

/** @typedef {import('../objects/module.js').Module} Module */

const FORMS = /** @type {Record<string, (module: Module) => string | Uint8Array>} */ ({
  hlo: (module) => `${module.toString().trimEnd()}\n`,
  stablehlo: (module) => `${module.toStableHlo().trimEnd()}\n`,
  proto: (module) => module.toProto({ kind: 'module' }),
  'hlo-proto': (module) => module.toProto({ kind: 'hlo' }),
});

export function convertCommand() {
  return new Command('convert')
    .summary('read, check and write a module in another form')
    .description('Reads a module in any form, checks it, and writes it as HLO text, StableHLO text (in generic form), an HloModuleProto or an HloProto.')
    .argument('<module>', 'the file of a module; - is standard input')
    .addOption(new Option('--to <form>', 'hlo, stablehlo, proto (an HloModuleProto) or hlo-proto (an HloProto)').default('hlo').argParser(form))
    .option('-o, --output <file>', 'write there instead of to standard output')
    .option('--shapes <shapes>', "of the arguments of a dynamic module, which is specialised to them: 'f32[3,4], s32[]'; of all, or of those of open shape alone")
    .addOption(new Option('--quantize <type>', 'int8 or int4: also make weights narrow, which become inputs that a .safetensors file holds').argParser(narrowType))
    .option('--constants <file>', 'with --quantize: the weights, by the names of inputs (.safetensors, .npz, .gguf); what is constant in the program unless given')
    .option('--group <n>', 'with --quantize int4: so many elements share a factor and a minimum (32 unless given)', wholeNumber('--group', 2, 4096))
    .option('--at-least <n>', 'with --quantize: weights of so many elements (4096 unless given)', wholeNumber('--at-least', 1))
    .option('--embeddings', 'with --quantize: also weights in which rows are looked up')
    .option('--weights-output <file>', 'with --quantize: where the weights go, unless beside the output')
    .addOption(new Option('-i, --input <value>', 'with --quantize: also run both programs with these inputs, as for run, and say how results differ').argParser((value, /** @type {string[] | undefined} */ before) => [...(before ?? []), value]))
    .addHelpText('after', () =>
      examples(
        `convert ${sample('softmax.mlir')} --to hlo`,
        `convert ${sample('axpy.hlo')} --to stablehlo --output axpy.mlir`,
        `convert ${sample('dynamic.mlir')} --shapes 'f32[3,4]'`,
        `convert ${sample('axpy.hlo')} --to proto > axpy.pb`,
        `convert ${sample('model.mlirbc')} --quantize int8 --at-least 12 --input random --output narrow.hlo`,
      ),
    )
    .action(convert);
}

/** @param {string} text */
function form(text) {
  if (Object.hasOwn(FORMS, text)) return text;
  throw new UsageError(
    `--to ${text}: there are hlo, stablehlo, proto (an HloModuleProto) and hlo-proto (an HloProto); run --snapshot writes an HloSnapshot${didYouMean(text, Object.keys(FORMS))}`,
  );
}

/** @param {string} text @returns {'int8' | 'int4'} */
function narrowType(text) {
  if (text === 'int8' || text === 'int4') return text;
  throw new UsageError(`--quantize ${text}: there are int8 and int4${didYouMean(text, ['int8', 'int4'])}`);
}

/** @typedef {{ to: string, output?: string, shapes?: string } & Partial<Omit<import('./quantize.js').QuantizeSettings, 'output'>>} ConvertSettings */

const ONLY_QUANTIZED = /** @type {const} */ (['constants', 'group', 'atLeast', 'embeddings', 'weightsOutput', 'input']);

/** Options that make sense together alone. @param {string} path of the program @param {ConvertSettings} settings */
function checkTogether(path, settings) {
  const flag = (/** @type {string} */ name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (settings.quantize === undefined) {
    const given = ONLY_QUANTIZED.find((name) => settings[name] !== undefined);
    if (given) throw new UsageError(`${flag(given)} is an option of --quantize`);
    return;
  }
  if (settings.output === undefined) throw new UsageError('--quantize writes two files: give --output FILE');
  if (settings.group !== undefined && settings.quantize !== 'int4') throw new UsageError('--group is an option of --quantize int4');
  const { output, constants } = settings;
  const weights = weightsPath({ ...settings, output });
  const isOne = (/** @type {string} */ written, /** @type {string | undefined} */ other) => other !== undefined && resolve(written) === resolve(other);
  if (isOne(weights, output)) throw new UsageError(`the program and its weights would both go to ${weights}: give --weights-output FILE`);
  if (isOne(weights, path) || isOne(weights, constants)) throw new UsageError(`the weights would go to ${weights}, which is read: give another --weights-output`);
  if (isOne(output, constants)) throw new UsageError(`the program would go to ${output}, which is read: give another --output`);
}

/** @param {string} path @param {ConvertSettings} settings */
async function convert(path, settings) {
  const { to, output, shapes } = settings;
  checkTogether(path, settings);
  if (output === undefined && to.endsWith('proto')) mustNotBeTerminal(`--to ${to}`);
  const hlo = await load({ origins: settings.quantize !== undefined }); // that module can quantize
  const source = readSource(path);
  const parsed = await parseSource(hlo, source, { shapes });
  const { quantize: type } = settings;
  const module = type === undefined || output === undefined ? parsed : await within(source.name, () => quantize(hlo, parsed, source.name, { ...settings, quantize: type, output }));
  progress(`writing ${to}`);
  const written = await within(source.name, () => FORMS[to](module));
  if (output === undefined) write(written);
  else writeFile(output, written);
  clearProgress();
}
