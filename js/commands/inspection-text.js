// What `webhlo inspect` prints for people: short lists first, long ones shortened to what matters most.

import { plural, table, wrapped } from './output.js';

/** @typedef {import('./inspect.js').Inspection} Inspection */
/** @typedef {import('./inspect.js').RunFacts} RunFacts */

const FORMS = /** @type {Record<string, string>} */ ({
  'hlo-text': 'HLO text',
  'stablehlo-text': 'StableHLO text',
  'stablehlo-bytecode': 'StableHLO bytecode',
  'jax-export': 'a file of jax.export',
  'hlo-module-proto': 'HloModuleProto',
  'hlo-proto': 'HloProto',
  'hlo-snapshot': 'HloSnapshot',
});
const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];
const LABEL = 15;
/** Longer lists are shortened to so many rows. */
const MOST_ROWS = 12;
/** Longer lists within a line, likewise. */
const MOST_NAMED = 8;

/** A number with a prefix of thousands: 1.23 M. @param {number} count @param {string} unit */
function amount(count, unit) {
  if (count < 10_000) return `${count.toLocaleString('en')}${unit === 'B' ? ' B' : unit && ` ${unit}`}`;
  const power = Math.min(Math.floor(Math.log10(count) / 3), PREFIXES.length - 1);
  return `${Number((count / 1000 ** power).toPrecision(3))} ${PREFIXES[power]}${unit}`;
}

/** @param {number | null} count */
const bytes = (count) => (count === null ? 'open' : amount(count, 'B'));

/** @param {string} name @param {string} text */
const line = (name, text) => `${name.padEnd(LABEL)}${wrapped(text, LABEL)}`;

/** A list below its heading. @param {string} heading @param {readonly (readonly string[])[]} rows @param {readonly number[]} right @param {string} [most] what to ask for all of it */
function list(heading, rows, right, most = '') {
  if (rows.length === 0) return [];
  const shown = most && rows.length > MOST_ROWS + 1 ? rows.slice(0, MOST_ROWS) : rows;
  const rest = rows.length - shown.length;
  return ['', heading, ...table(shown, right), ...(rest > 0 ? [`  and ${rest} more: ${most}`] : [])];
}

/** @param {Inspection} facts */
function formText({ file }) {
  const version = file.producer === undefined ? '' : ` by ${file.producer}, MLIR bytecode version ${file.bytecodeVersion}`;
  return `${FORMS[file.form] ?? file.form}${version}, ${bytes(file.bytes)}`;
}

/** @param {RunFacts} run */
function runLines(run) {
  const { memory } = run;
  const parts = /** @type {const} */ (['inputs', 'outputs', 'constants', 'packed', 'workspace']).filter((name) => memory[name] > 0);
  const once = run.repeats ? ' (each iteration of a loop, and each branch, counted once)' : '';
  const loops = run.loops.total === 0 ? 'none' : `${run.loops.emitted} of ${run.loops.total} are WebAssembly of their own`;
  return [
    line('steps', run.steps.toLocaleString('en')),
    line('flops', `${amount(run.flops, '')}${once}`),
    line('bytes moved', bytes(run.bytesMoved)),
    line('memory', `${bytes(memory.peak)}${parts.length ? `: ${parts.map((name) => `${name} ${bytes(memory[name])}`).join(', ')}` : ''}`),
    line('emitted loops', loops),
    line('reference', run.reference.length === 0 ? 'no step: each has a kernel' : `${plural(run.reference.length, 'step')} without a kernel, listed below`),
  ];
}

/** @param {Inspection} facts @returns {string} */
export function inspectionText(facts) {
  const { module, inputs, outputs, operations, computations, run } = facts;
  const count = Object.values(operations).reduce((sum, times) => sum + times, 0);
  const devices = run?.devices ?? module.replicas * module.partitions;
  const open = inputs.filter(({ shape }) => shape.includes('?'));
  const lines = [
    line('file', facts.file.path),
    line('form', formText(facts)),
    line('module', module.name),
    ...(devices > 1 ? [line('devices', `${devices}: ${plural(module.replicas, 'replica')} of ${plural(module.partitions, 'partition')}`)] : []),
    line('parameters', `${inputs.length.toLocaleString('en')}, ${facts.parameterBytes === null ? 'of open size' : bytes(facts.parameterBytes)}`),
    line('constants', bytes(facts.constantBytes)),
    line('operations', `${count.toLocaleString('en')} in ${plural(computations.length, module.dynamic ? 'function' : 'computation')}`),
    ...(run ? runLines(run) : []),
  ];
  if (facts.problem !== null) lines.push(line('a run', `fails as it is: ${facts.problem}`));
  else if (!run) {
    const what = open.length === 0 ? 'shapes depend on the values of inputs' : `open in ${few(open.map(({ name }) => name), 'more')}`;
    const hint = few((open.length === 0 ? inputs : open).map(({ shape }) => shape.replaceAll('?', '3')), 'more, one for each');
    lines.push(line('dynamic', `${what}; steps, flops and memory are known once shapes are: add --shapes '${hint}'`));
  }
  lines.push(
    ...list('inputs', inputs.map(({ name, shape, bytes: size }) => [name, shape, bytes(size)]), [2], 'add --json'),
    ...list('outputs', outputs.map(({ shape, bytes: size }, i) => [String(i), shape, bytes(size)]), [2], 'add --json'),
    ...list('operations', Object.entries(operations).map(([name, times]) => [times.toLocaleString('en'), name]), [0], 'add --json'),
  );
  if (run) {
    const rows = run.kernels.map(({ name, steps, flops, bytesMoved }) => [plural(steps, 'step'), amount(flops, ''), bytes(bytesMoved), name]);
    lines.push(
      ...list('kernels', rows.length ? [['', 'flops', 'moved', ''], ...rows] : [], [0, 1, 2], 'add --json'),
      ...list('reference evaluator', run.reference.map(({ name, op, shape, computation }) => [op, name, shape, `in ${computation}`]), [], 'add --json'),
    );
  }
  return lines.join('\n');
}

/** A list, of which the first few are shown. @param {readonly string[]} words @param {string} more behind the number of those left out */
function few(words, more) {
  const left = words.length - MOST_NAMED;
  return left <= 1 ? words.join(', ') : `${words.slice(0, MOST_NAMED).join(', ')}, and ${left.toLocaleString('en')} ${more}`;
}
