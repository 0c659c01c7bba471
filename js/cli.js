#!/usr/bin/env node
// The command `webhlo`: this file reads the command line, cli-run.js and layout-picture.js do the work.

import { parseArgs } from 'node:util';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { attributeDoc, opDoc } from '../dist/generated/documentation.js';
import { load } from './index.js';
import { HloError } from './objects/errors.js';
import { layoutFacts, layoutPicture } from './commands/layout.js';
import { checkCases } from './commands/check.js';
import { runModule } from './commands/run.js';
import { isNpy } from './values/npy.js';

const HELP = `webhlo: runs XLA HLO programs

  webhlo run MODULE [--input FILE ...]   run a module (- reads standard input)
  webhlo check FILE|DIR ...              run conformance cases of StableHLO
  webhlo layout SHAPE                    the memory picture of a shape: 'f32[3,5]{1,0:T(2,2)}'
  webhlo ops [NAME]                      the operations, or one of them in full
  webhlo convert MODULE --to FORM        read, check and write a module: hlo, stablehlo, proto or hlo-proto

A module is HLO text, StableHLO text or bytecode, a file of jax.export, or an
HloModuleProto, HloProto or HloSnapshot, told apart by content. An HloSnapshot brings inputs: without --input, run takes
those, and says on standard error whether the result is the snapshot's.

Options of run:
  --input FILE      one for each parameter, in order: an .npy file, a file with an HLO literal, or the literal itself;
                    a module of dynamic shape is specialised to them
  --output FILE     write the result to an .npy file as well
  --snapshot FILE   write module, inputs and result as an HloSnapshot as well
  --replicas N      run N replicas at once; inputs are given for each in turn, or once for all
  --partitions N    run N partitions (of each replica) at once; inputs likewise
  --seed N          of the random operations
  --threads N       share the work of large steps among so many threads
  --profile FILE    write the time of every step as a trace, which https://ui.perfetto.dev opens; the module runs twice,
                    the first time to warm up
  --dump-after PASS print the HLO text after an optimising pass (all: after each that changes something); then
                    inputs may be left out, and nothing is run
  --reference       use the reference evaluator
  --json            results as JSON

Options of the others:
  --reference       check: use the reference evaluator
  --threads N       check: share all steps, small ones too, among so many threads
  --json            layout, ops: as JSON
  --to FORM         convert: hlo unless given
  --output FILE     convert: write there instead of to standard output
  --help            this text
  --version         the version of WebHLO
`;

/** A mistake on the command line: its message is all that the user needs. */
class UsageError extends Error {}

/** What a command works on. */
const SUBJECT = /** @type {Record<string, string>} */ ({ layout: 'a shape', check: 'a case or a folder of cases' });

/** @type {Record<string, string>} */
const FILE_ERRORS = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' };

/** @param {string} path */
function readSource(path) {
  let bytes;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UsageError(`cannot read ${path}: ${FILE_ERRORS[code ?? ''] ?? message}`);
  }
  if (isNpy(bytes)) throw new UsageError(`${path} is an .npy array, not a module; inputs are given with --input`);
  return bytes;
}

/** @param {string} path @param {string | Uint8Array} content */
function writeResult(path, content) {
  try {
    writeFileSync(path, content);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UsageError(`cannot write ${path}: ${code === 'ENOENT' ? 'there is no such folder' : FILE_ERRORS[code ?? ''] ?? message}`);
  }
}

/** @param {string | undefined} text @param {string} option */
function count(text, option) {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${option} takes a whole number, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** @type {Record<string, { type: 'string' | 'boolean', multiple?: boolean, short?: string }>} */
const OPTIONS = {
  input: { type: 'string', multiple: true, short: 'i' },
  output: { type: 'string', short: 'o' },
  snapshot: { type: 'string' },
  profile: { type: 'string' },
  replicas: { type: 'string' },
  partitions: { type: 'string' },
  seed: { type: 'string' },
  threads: { type: 'string' },
  reference: { type: 'boolean' },
  'dump-after': { type: 'string' },
  json: { type: 'boolean' },
  to: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
};

/** Which options each command takes. */
const ALLOWED = /** @type {Record<string, string[]>} */ ({
  run: ['input', 'output', 'snapshot', 'profile', 'replicas', 'partitions', 'seed', 'threads', 'reference', 'json', 'dump-after'],
  layout: ['json'],
  ops: ['json'],
  convert: ['to', 'output'],
  check: ['reference', 'threads'],
});

/** @param {string[]} argv */
async function main(argv) {
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message.split('. ')[0]}; see webhlo --help`);
  }
  const values = /** @type {any} */ (parsed.values);
  const [command, ...rest] = parsed.positionals;
  if (values.version) return print((await load()).version);
  if (values.help || !command) return print(HELP.trimEnd());
  if (!ALLOWED[command])
    throw new UsageError(
      `there is no command ${JSON.stringify(command)}; there are ${Object.keys(ALLOWED).join(', ')}`,
    );
  for (const option of Object.keys(values))
    if (!ALLOWED[command].includes(option))
      throw new UsageError(`webhlo ${command} takes no --${option}; see webhlo --help`);
  const [subject] = rest;
  if (rest.length > 1 && command !== 'check') throw new UsageError(`webhlo ${command}: one argument too many: ${rest[1]}`);
  if (!subject && command !== 'ops')
    throw new UsageError(`webhlo ${command} needs ${SUBJECT[command] ?? 'a module'}; see webhlo --help`);
  const threads = count(values.threads, 'threads') ?? 1;
  const hlo = await load(command === 'check' ? { threads, shareFrom: 0 } : { threads });
  switch (command) {
    case 'run':
      return print(
        await runModule(hlo, readSource(subject), {
          inputs: values.input ?? [],
          output: values.output,
          snapshot: values.snapshot,
          profile: values.profile,
          reference: values.reference,
          dumpAfter: values['dump-after'],
          json: values.json,
          replicas: count(values.replicas, 'replicas'),
          partitions: count(values.partitions, 'partitions'),
          seed: count(values.seed, 'seed'),
        }),
      );
    case 'layout': {
      const shape = hlo.shape(subject);
      return print(values.json ? JSON.stringify(layoutFacts(shape)) : layoutPicture(shape));
    }
    case 'ops':
      return print(opsText(hlo, subject, values.json));
    case 'check':
      for (const path of rest) if (!existsSync(path)) throw new UsageError(`cannot read ${path}: ${FILE_ERRORS.ENOENT}`);
      if (!(await checkCases(hlo, rest, values.reference, print))) process.exitCode = 1;
      return undefined;
    default:
      return convert(hlo, readSource(subject), values.to ?? 'hlo', values.output);
  }
}

/** @param {import('./objects/runtime.js').Runtime} hlo @param {Uint8Array} source @param {string} form @param {string} [path] */
function convert(hlo, source, form, path) {
  if (!['hlo', 'stablehlo', 'proto', 'hlo-proto'].includes(form))
    throw new UsageError(
      `--to ${form}: there are hlo, stablehlo, proto (an HloModuleProto) and hlo-proto (an HloProto); run --snapshot writes an HloSnapshot`,
    );
  const module = hlo.parse(source);
  const text = () => `${(form === 'hlo' ? module.toString() : module.toStableHlo()).trimEnd()}\n`;
  const written = form.endsWith('proto') ? module.toProto({ kind: form === 'proto' ? 'module' : 'hlo' }) : text();
  if (path !== undefined) writeResult(path, written);
  else process.stdout.write(written);
}

/** @param {import('./objects/runtime.js').Runtime} hlo @param {string | undefined} name @param {boolean} [json] */
function opsText(hlo, name, json) {
  const ops = name === undefined ? hlo.ops : hlo.ops.filter((op) => op.name === name);
  if (ops.length === 0) throw new UsageError(`there is no operation ${JSON.stringify(name)}; webhlo ops lists them`);
  if (json)
    return JSON.stringify(
      ops.map(({ options, opcode, ...row }) => ({
        ...row,
        attributes: row.attributes.map((attribute) => ({ ...attribute, doc: attributeDoc(attribute) })),
        doc: opDoc(row),
      })),
      null,
      1,
    );
  if (name === undefined) {
    const width = Math.max(...ops.map((op) => op.name.length));
    return ops.map((op) => `${op.name.padEnd(width)}  ${opDoc(op)}`).join('\n');
  }
  const [op] = ops;
  const lines = [`${op.name}(${op.operands.join(', ')})`, '', opDoc(op)];
  if (op.attributes.length) lines.push('', 'attributes:');
  const width = Math.max(0, ...op.attributes.map((row) => row.name.length));
  for (const row of op.attributes) {
    const values = row.values ? ` (${row.values.join(', ')})` : '';
    lines.push(`  ${row.name.padEnd(width)}  ${row.required ? 'required' : 'optional'}  ${attributeDoc(row)}${values}`);
  }
  if (op.flags.length) lines.push('', `flags: ${op.flags.join(', ')}`);
  return lines.join('\n');
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

process.stdout.on('error', (error) => process.exit(/** @type {any} */ (error).code === 'EPIPE' ? 0 : 1));
try {
  await main(process.argv.slice(2));
} catch (error) {
  const place = error instanceof HloError ? `${error.code}: ` : '';
  process.stderr.write(
    error instanceof HloError || error instanceof UsageError || error instanceof Error
      ? `webhlo: ${place}${error.message}\n`
      : `webhlo: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
