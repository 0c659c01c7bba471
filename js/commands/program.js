// The command line: which commands there are, how their help and their mistakes are told.

import { Command, CommanderError } from 'commander';
import { load } from '../index.js';
import { checkCommand } from './check.js';
import { convertCommand } from './convert.js';
import { didYouMean } from '../objects/nearest-name.js';
import { UsageError, explain } from './failures.js';
import { inspectCommand } from './inspect.js';
import { layoutCommand } from './layout.js';
import { opsCommand } from './ops.js';
import { clearProgress, print, say } from './output.js';
import { runCommand } from './run.js';

const WRONG_USAGE = 2;
const FAILED = 1;

const AFTER = `
Options:
  -V, --version      print the version, and what this host offers
  -h, --help         print this help

Results go to standard output, messages to standard error. Exit codes: 0 done,
1 a failure, 2 wrong usage. webhlo help COMMAND tells the options of a command,
with examples.`;

function makeProgram() {
  const program = new Command('webhlo')
    .description("Runs XLA's programs, HLO and StableHLO, where there is no XLA.")
    .usage('COMMAND [OPTIONS]')
    .option('-V, --version')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ visibleOptions: () => [] }) // which stand behind the commands
    .addHelpText('after', AFTER);
  for (const make of [runCommand, inspectCommand, checkCommand, convertCommand, layoutCommand, opsCommand]) program.addCommand(make());
  for (const command of [program, ...program.commands])
    command
      .helpOption('-h, --help', 'print this help')
      .configureHelp({ ...command.configureHelp(), subcommandTerm: (sub) => `${sub.name()} ${sub.registeredArguments.map(argumentTerm).join(' ')}` })
      .configureOutput({ writeErr: (text) => say(text.trimEnd()), outputError: (text, write) => write(usageText(command, text)) })
      .showSuggestionAfterError(false)
      .exitOverride();
  return program;
}

/** @param {import('commander').Argument} argument */
function argumentTerm(argument) {
  const name = `${argument.name().toUpperCase()}${argument.variadic ? '...' : ''}`;
  return argument.required ? name : `[${name}]`;
}

/** What is wrong with the usage of a command. @param {Command} command @param {string} text of the parser */
function usageText(command, text) {
  const name = command.parent ? `webhlo ${command.name()}` : 'webhlo';
  const [, kind, unknown] = /unknown (option|command) '([^']*)'/.exec(text) ?? [];
  const known = kind === 'command' ? command.commands.map((sub) => sub.name()) : command.options.map((option) => option.long ?? '');
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replace(/too many arguments.*Expected (\d+) arguments? but got (\d+)\./, 'it takes $1 argument, but $2 are given')
    .replace(/missing required argument '(.*)'/, (_, argument) => `the argument ${argument.toUpperCase()} is missing`)
    .replace(/option '(.*)' argument missing/, 'option $1 needs a value');
  return `${name}: ${message}${unknown === undefined ? '' : didYouMean(unknown, known)}\nsee ${name} --help`;
}

async function versionText() {
  const hlo = await load();
  const { core } = hlo;
  const features = ['simd', ...(core.fuses ? ['relaxed-simd'] : []), ...(core.host.sharesMemory() ? ['threads'] : [])];
  return `webhlo ${hlo.version} (${features.join(', ')})`;
}

/**
 * Does what the command line asks; sets the exit code of the process.
 * @param {string[]} args
 */
export async function main(args) {
  process.stdout.on('error', (error) => process.exit(/** @type {any} */ (error).code === 'EPIPE' ? 0 : FAILED));
  const program = makeProgram();
  try {
    if (args.length === 0) program.outputHelp();
    else if (args[0] === 'help' && args[1] && !program.commands.some((command) => command.name() === args[1])) program.error(`unknown command '${args[1]}'`);
    else if (['-V', '--version'].includes(args[0])) print(await versionText());
    else await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
    else if (error instanceof UsageError) {
      const command = program.commands.find((sub) => sub.name() === args[0]);
      say(usageText(command ?? program, error.message));
      process.exitCode = WRONG_USAGE;
    } else {
      say(explain(error));
      process.exitCode = FAILED;
    }
  } finally {
    clearProgress();
  }
}
