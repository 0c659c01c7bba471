// The op table of the core, and how its rows become builder methods.

/** @typedef {import('../objects/core.js').Core} Core */
/**
 * An attribute of an operation.
 * @typedef {object} AttributeRow
 * @property {string} name in HLO text
 * @property {string} kind of its value: INT, INTS, WINDOW, COMPUTATION, ...
 * @property {boolean} required
 * @property {string[]} [values] of an ENUM
 */
/**
 * An operation.
 * @typedef {object} OpRow
 * @property {string} name in HLO text
 * @property {number} arity -1: variadic
 * @property {string[]} operands names; a trailing * repeats
 * @property {string} types element types that it takes
 * @property {AttributeRow[]} attributes its own
 * @property {string[]} flags
 * @property {number} opcode
 * @property {Map<string, AttributeRow>} options attributes by their name in JavaScript, common ones too
 */
/**
 * @typedef {object} Table
 * @property {OpRow[]} ops
 * @property {AttributeRow[]} commonAttributes
 * @property {{ name: string, bits: number, bytes: number, class: string }[]} types
 * @property {{ name: string }[]} codes
 * @property {string[]} passes
 */

/** 'batch-norm-training' and 'is_stable' in JavaScript: batchNormTraining, isStable. @param {string} name */
export function camelCase(name) {
  return name.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase());
}

/** All of it, which documentation is made from. @param {Core} core */
export function tableOf(core) {
  return core.once(readTable);
}

/** @param {Core} core */
function readTable(core) {
  core.call('ops_json', core.handle);
  const table = /** @type {Table} */ (JSON.parse(core.answer()));
  const { ops, commonAttributes } = table;
  ops.forEach((op, opcode) => {
    op.opcode = opcode;
    makeOptionsWhenAsked(op, commonAttributes);
  });
  return table;
}

/** @param {OpRow} op @param {AttributeRow[]} commonAttributes */
function makeOptionsWhenAsked(op, commonAttributes) {
  const get = () => {
    const options = byOption([...commonAttributes, ...op.attributes]);
    Object.defineProperty(op, 'options', { value: options });
    return options;
  };
  Object.defineProperty(op, 'options', { get, enumerable: true, configurable: true });
}

/** @param {AttributeRow[]} rows */
function byOption(rows) {
  return new Map(rows.map((row) => [camelCase(row.name), row]));
}

// ---- What builders ask: a program uses few of the operations, and all of the table takes longer than the program ----

/** @typedef {Omit<OpRow, 'options'> & { own: Map<string, AttributeRow> }} BuilderRow own: its attributes by their name in JavaScript */

/** @param {Core} core */
function readNames(core) {
  core.call('op_names', core.handle);
  return core.answer().split(' ');
}

/** Names of the operations in HLO text, by opcode. @param {Core} core */
export function opNamesOf(core) {
  return core.once(readNames);
}

/** The rows asked for so far, by name. @returns {Map<string, BuilderRow>} */
const noRows = () => new Map();

/** The row of one operation; undefined where there is none of that name. @param {Core} core @param {string} name */
export function rowOf(core, name) {
  const rows = core.once(noRows);
  let row = rows.get(name);
  if (row) return row;
  const opcode = opNamesOf(core).indexOf(name);
  if (opcode < 0) return undefined;
  core.call('op_json', core.handle, opcode);
  row = /** @type {BuilderRow} */ (JSON.parse(core.answer()));
  row.opcode = opcode;
  row.own = byOption(row.attributes);
  rows.set(name, row);
  return row;
}

/** An attribute of an operation, or of any, by its name in JavaScript. @param {Core} core @param {BuilderRow} op @param {string} key */
export function attributeOf(core, op, key) {
  return op.own.get(key) ?? tableOf(core).commonAttributes.find((row) => camelCase(row.name) === key);
}

/** Two arrays element by element, where a builder broadcasts. @param {Omit<OpRow, 'options'>} op */
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
 * A method for every operation, under its own name and its aliases.
 * @param {string[]} names of the operations
 */
export function operationMethods(names) {
  /** @type {Record<string, (this: any, ...args: any[]) => any>} */
  const methods = {};
  camelCase(names.join(' ')) // all at once, which takes a fraction of the time
    .split(' ')
    .forEach((method, opcode) => (methods[method] = methodOf(method, names[opcode])));
  for (const alias in ALIASES) methods[alias] = methodOf(alias, ALIASES[alias]);
  return methods;
}

/** @param {string} method @param {string} name @returns {(this: any, ...args: any[]) => any} */
function methodOf(method, name) {
  return function (...args) {
    const op = /** @type {BuilderRow} */ (rowOf(this.core, name));
    if (broadcasts(op)) return this.binary(name, ...args);
    const count = op.operands.length;
    if (args.length < count || args.length > count + 1)
      throw new TypeError(`${method} takes ${op.operands.join(', ') || 'no operands'} and options, got ${args.length} arguments`);
    const operands = args
      .slice(0, count)
      .flatMap((operand, i) => (op.operands[i].endsWith('*') && Array.isArray(operand) ? operand : [operand]));
    return this.instruction(name, operands, args[count]);
  };
}
