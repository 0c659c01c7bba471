// The op table of the core, and how its rows become builder methods.

/** @typedef {import('./core.js').Core} Core */
/**
 * @typedef {object} AttributeRow
 * @property {string} name in HLO text
 * @property {string} kind
 * @property {boolean} required
 * @property {string[]} [values]
 * @property {string} doc
 */
/**
 * @typedef {object} OpRow
 * @property {string} name in HLO text
 * @property {number} arity -1: variadic
 * @property {string[]} operands names; a trailing * repeats
 * @property {string} types
 * @property {AttributeRow[]} attributes
 * @property {string[]} flags
 * @property {string} doc
 * @property {number} opcode
 * @property {Map<string, AttributeRow>} options attributes by their name in JavaScript, common ones too
 */
/**
 * @typedef {object} Table
 * @property {string} version
 * @property {OpRow[]} ops
 * @property {AttributeRow[]} commonAttributes
 * @property {{ name: string, bits: number, bytes: number, class: string }[]} types
 * @property {{ name: string, doc: string }[]} codes
 * @property {string[]} passes
 * @property {Map<string, OpRow>} byName
 */

/** 'batch-norm-training' and 'is_stable' in JavaScript: batchNormTraining, isStable. @param {string} name */
export function camelCase(name) {
  return name.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase());
}

/** @type {WeakMap<Core, Table>} */
const tables = new WeakMap();

/** @param {Core} core @returns {Table} */
export function tableOf(core) {
  let table = tables.get(core);
  if (table) return table;
  core.call('ops_json', core.handle);
  table = /** @type {Table} */ (JSON.parse(core.answer()));
  const { ops, commonAttributes } = table;
  ops.forEach((op, opcode) => {
    op.opcode = opcode;
    makeOptionsWhenAsked(op, commonAttributes);
  });
  table.byName = new Map(ops.map((op) => [op.name, op]));
  tables.set(core, table);
  return table;
}

/** A program asks for the options of few operations. @param {OpRow} op @param {AttributeRow[]} commonAttributes */
function makeOptionsWhenAsked(op, commonAttributes) {
  const get = () => {
    const options = new Map([...commonAttributes, ...op.attributes].map((row) => [camelCase(row.name), row]));
    Object.defineProperty(op, 'options', { value: options });
    return options;
  };
  Object.defineProperty(op, 'options', { get, enumerable: true, configurable: true });
}

/** Two arrays element by element, where a builder broadcasts. @param {OpRow} op */
export function broadcasts(op) {
  return op.flags.includes('elementwise') && op.arity === 2 && !op.flags.includes('declared');
}

/** Other names of operations: XlaBuilder's, and those of XLA's older documents. */
export const ALIASES = /** @type {Record<string, string>} */ ({
  sub: 'subtract',
  mul: 'multiply',
  div: 'divide',
  rem: 'remainder',
  max: 'maximum',
  min: 'minimum',
  pow: 'power',
  logicalAnd: 'and',
  logicalOr: 'or',
  logicalXor: 'xor',
  logicalNot: 'not',
  neg: 'negate',
  exp: 'exponential',
  expm1: 'exponential-minus-one',
  log1p: 'log-plus-one',
  cos: 'cosine',
  sin: 'sine',
  round: 'round-nearest-afz',
  clz: 'count-leading-zeros',
  populationCount: 'popcnt',
  sigmoid: 'logistic',
  shiftLeftLogical: 'shift-left',
  optimizationBarrier: 'opt-barrier',
});

/**
 * Adds a method for every operation that the prototype does not have one for.
 * @param {any} prototype @param {Table} table
 */
export function defineOperations(prototype, table) {
  /** @param {string} name @param {any} value */
  const define = (name, value) => {
    if (!(name in prototype)) Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  };
  for (const op of table.ops) define(camelCase(op.name), methodOf(op));
  for (const [alias, name] of Object.entries(ALIASES)) define(alias, methodOf(/** @type {OpRow} */ (table.byName.get(name))));
}

/** @param {OpRow} op @returns {(this: any, ...args: any[]) => any} */
function methodOf(op) {
  if (broadcasts(op)) {
    return function (lhs, rhs, options) {
      return this.binary(op.name, lhs, rhs, options);
    };
  }
  const count = op.operands.length;
  return function (...args) {
    if (args.length < count || args.length > count + 1)
      throw new TypeError(
        `${camelCase(op.name)} takes ${op.operands.join(', ') || 'no operands'}${op.options.size ? ' and options' : ''}, got ${args.length} arguments`,
      );
    const operands = args
      .slice(0, count)
      .flatMap((operand, i) => (op.operands[i].endsWith('*') && Array.isArray(operand) ? operand : [operand]));
    return this.instruction(op.name, operands, args[count]);
  };
}
