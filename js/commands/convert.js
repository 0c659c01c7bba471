// `webhlo convert`: reads a module in any form and writes it in another.

import { Command, Option } from 'commander';
import { didYouMean } from '../objects/nearest-name.js';
import { examples, sample, startRuntime } from './options.js';
import { UsageError, within } from './failures.js';
import { clearProgress, mustNotBeTerminal, progress, write, writeFile } from './output.js';
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
    .option('--shapes <shapes>', "of the arguments of a dynamic module, which is specialised to them: 'f32[3,4], s32[]'")
    .addHelpText('after', () =>
      examples(
        `convert ${sample('softmax.mlir')} --to hlo`,
        `convert ${sample('axpy.hlo')} --to stablehlo --output axpy.mlir`,
        `convert ${sample('dynamic.mlir')} --shapes 'f32[3,4]'`,
        `convert ${sample('axpy.hlo')} --to proto > axpy.pb`,
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

/** @param {string} path @param {{ to: string, output?: string, shapes?: string }} settings */
async function convert(path, { to, output, shapes }) {
  if (output === undefined && to.endsWith('proto')) mustNotBeTerminal(`--to ${to}`);
  const hlo = await startRuntime();
  const source = readSource(path);
  const module = await parseSource(hlo, source, { shapes });
  progress(`writing ${to}`);
  const written = await within(source.name, () => FORMS[to](module));
  if (output === undefined) write(written);
  else writeFile(output, written);
  clearProgress();
}
