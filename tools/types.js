// The types that follow from the tables of the core: element types, error codes, builder methods.

import { attributeDoc, opDoc } from '../dist/generated/documentation.js';
import { load } from '../js/index.js';
import { CommunicationOps } from '../js/builder/ops-communication.js';
import { ALIASES, broadcasts, camelCase } from '../js/builder/table.js';
import { errorCodes } from './documentation.js';

/** @typedef {import('../js/builder/table.js').OpRow} OpRow */
/** @typedef {import('../js/builder/table.js').AttributeRow} AttributeRow */

const KINDS = /** @type {Record<string, string>} */ ({
  INT: 'number',
  INTS: 'readonly number[]',
  BOOL: 'boolean',
  FLOAT: 'number',
  STRING: 'string',
  RAW: 'string',
  WINDOW: "string | readonly import('../../js/builder/attributes.js').WindowDimension[]",
  PADDING: "string | readonly import('../../js/builder/attributes.js').PaddingDimension[]",
  DIM_LABELS: "import('../../js/builder/attributes.js').ConvolutionDimensions",
  SLICE: 'string | readonly (readonly number[])[]',
  COMPUTATION: "import('../../js/objects/module.js').Computation",
  COMPUTATIONS: "readonly import('../../js/objects/module.js').Computation[]",
  INSTRUCTIONS: 'readonly Op[]',
  SHAPE: 'ShapeLike',
  GROUPS: 'string | readonly (readonly number[])[]',
  LITERAL: 'string',
  QUANTIZATION: 'string',
});

/** @param {AttributeRow} row */
function attributeType(row) {
  if (row.kind === 'ENUM') return union(row.values ?? []);
  if (!KINDS[row.kind]) throw new Error(`${row.name}: there is no type for attributes of kind ${row.kind}`);
  return KINDS[row.kind];
}

/** @param {AttributeRow} row @param {boolean} required */
function property(row, required) {
  return `  /** ${attributeDoc(row)} */\n  ${camelCase(row.name)}${required ? '' : '?'}: ${attributeType(row)};`;
}

/** @param {OpRow} op */
function optionsName(op) {
  const name = camelCase(op.name);
  return `${name[0].toUpperCase()}${name.slice(1)}Options`;
}

/** @param {OpRow} op */
function options(op) {
  const declared = op.flags.includes('declared');
  return [
    `export interface ${optionsName(op)} extends CommonOptions {`,
    ...(declared ? ['  /** the shape of the result */', '  shape: ShapeLike;'] : []),
    ...op.attributes.map((row) => property(row, row.required)),
    '}',
  ].join('\n');
}

/** @param {OpRow} op */
const methodDoc = (op) => `  /** ${opDoc(op)} @throws {HloError} SHAPE: what the rules of the operation say */`;

/** @param {OpRow} op @param {string} name */
function method(op, name) {
  if (broadcasts(op)) {
    const type = op.attributes.length > 0 ? `ElementwiseOptions | (${optionsName(op)} & { broadcastDimensions?: readonly number[] })` : 'ElementwiseOptions';
    return `${methodDoc(op)}\n  ${name}(${op.operands.map((operand) => `${operand}: Operand`).join(', ')}, options?: ${type}): Op;`;
  }
  const operands = op.operands.map((operand) =>
    operand.endsWith('*')
      ? `${camelCase(operand.slice(0, -1))}: Operand | readonly Operand[]`
      : `${camelCase(operand)}: Operand`,
  );
  const required = op.flags.includes('declared') || op.attributes.some((row) => row.required);
  return `${methodDoc(op)}\n  ${name}(${[...operands, `options${required ? '' : '?'}: ${optionsName(op)}`].join(', ')}): Op;`;
}

/** @param {string[]} values */
function union(values) {
  return values.map((value) => `'${value}'`).join(' | ');
}

/** The text of dist/generated/op-table.d.ts. */
export async function typesText() {
  const hlo = await load();
  const { ops, types } = hlo;
  const common = [...(ops[0]?.options.values() ?? [])].filter((row) => !ops[0].attributes.includes(row));
  hlo.dispose();
  const written = (/** @type {string} */ name) => name in CommunicationOps.prototype;
  const generated = ops.flatMap((op) =>
    [camelCase(op.name), ...Object.keys(ALIASES).filter((alias) => ALIASES[alias] === op.name)]
      .filter((name) => !written(name) && !['parameter', 'constant'].includes(name))
      .map((name) => ({ op, name })),
  );
  const withOptions = ops.filter((op) => !broadcasts(op) || op.attributes.length > 0);
  return `// Made by tools/types.js from the core's tables.
import type { Op, Operand, ElementwiseOptions } from '../../js/builder/builder-core.js';
import type { ShapeLike } from '../../js/objects/shape.js';

${errorCodes().map(([name, doc]) => `/** ${name}: ${doc} */`).join('\n')}
export type HloErrorCode = ${union(errorCodes().map(([name]) => name))};

export type ElementType = ${union(types.filter(({ bytes }) => bytes > 0).map(({ name }) => name))};

export interface CommonOptions {
  /** the instruction's name */
  name?: string;
  /** the declared shape, which must be what inference gives */
  shape?: ShapeLike;
${common.map((row) => property(row, false)).join('\n')}
}

${withOptions.map(options).join('\n\n')}

/** Operations whose builder methods follow from the table alone. */
export interface TableOperations {
${generated.map(({ op, name }) => method(op, name)).join('\n')}
}
`;
}
