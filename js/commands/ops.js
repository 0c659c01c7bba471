// `webhlo ops`: the operations, or one of them in full.

import { Command } from 'commander';
import { attributeDoc, opDoc } from '../../dist/generated/documentation.js';
import { didYouMean } from '../objects/nearest-name.js';
import { load } from '../index.js';
import { examples } from './options.js';
import { UsageError } from './failures.js';
import { print, wrapped } from './output.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */

export function opsCommand() {
  return new Command('ops')
    .summary('list the operations, or describe one')
    .description('Lists the operations with a sentence on each; of one operation, its operands, attributes and flags.')
    .argument('[name]', 'the name of an operation')
    .option('--json', 'print as JSON')
    .addHelpText('after', () => examples('ops', 'ops reduce-window', 'ops dot --json'))
    .action(async (name, { json }) => print(opsText(await load(), name, json)));
}

/** @param {Runtime} hlo @param {string | undefined} name @param {boolean} [json] */
function opsText(hlo, name, json) {
  const ops = name === undefined ? hlo.ops : hlo.ops.filter((op) => op.name === name);
  if (ops.length === 0)
    throw new UsageError(`there is no operation ${JSON.stringify(name)}${didYouMean(/** @type {string} */ (name), hlo.ops.map((op) => op.name))}`);
  if (json)
    return JSON.stringify(
      ops.map(({ options, opcode, ...row }) => ({
        ...row,
        attributes: row.attributes.map((/** @type {any} */ attribute) => ({ ...attribute, doc: attributeDoc(attribute) })),
        doc: opDoc(row),
      })),
      null,
      1,
    );
  if (name === undefined) {
    const width = Math.max(...ops.map((op) => op.name.length));
    return ops.map((op) => `${op.name.padEnd(width)}  ${wrapped(opDoc(op), width + 2)}`).join('\n');
  }
  const [op] = ops;
  const lines = [`${op.name}(${op.operands.join(', ')})`, '', wrapped(opDoc(op), 0)];
  if (op.attributes.length) lines.push('', 'attributes:');
  const width = Math.max(0, ...op.attributes.map((/** @type {any} */ row) => row.name.length));
  for (const row of op.attributes) {
    const values = row.values ? ` (${row.values.join(', ')})` : '';
    lines.push(`  ${row.name.padEnd(width)}  ${row.required ? 'required' : 'optional'}  ${wrapped(`${attributeDoc(row)}${values}`, width + 14)}`);
  }
  if (op.flags.length) lines.push('', `flags: ${op.flags.join(', ')}`);
  return lines.join('\n');
}
