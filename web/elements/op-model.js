// What an op makes of its operands: asked of the builder, run by the reference evaluator, and followed element by element.
import { camelCase } from '../../js/builder/table.js';
import { storedOperand, tensorOf, textsOf } from './broadcast-model.js';
import { FIGURES } from './op-figures.js';
import { AttributeError, attributeRow, attributeValue, dimensionsOf, dimensionsText } from './op-text.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Builder} Builder */
/** @typedef {import('../../js/index.js').Op} Op */
/** @typedef {import('../../js/index.js').Shape} Shape */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {import('./op-text.js').OpRow} OpRow */
/** @typedef {{ name: string, shape: Shape, sizes: number[], values: string[] }} Operand */
/** @typedef {{ name: string, shape: Shape, sizes: number[], values: string[] }} Output */
/** @typedef {{ operand: number, flat: number }} Source an operand's element */
/** @typedef {{ output: number, flat: number }} Target a result's element */
/** @typedef {{ data: Source[], control: Source[] }} Origin */
/** @typedef {{ data: Target[], control: Target[] }} Reach the result elements that an operand element made, and those that it decided */
/** @typedef {{ row: OpRow, operands: string[], values: string[], attributes: Map<string, string> }} Question */
/**
 * The area that windows slide over: the operand with its padding and holes.
 * @typedef {object} Frame
 * @property {number} operand
 * @property {number[]} sizes
 * @property {number[]} ids which element stands in each cell; -1: none
 * @property {string[][]} ticks indices of the operand along each dimension
 * @property {string} padding what stands in the other cells
 * @property {Target['output'] | undefined} placed by the result's elements (0), or by those of an operand (undefined)
 * @property {number[][]} windows the cells under the window at each place
 */
/**
 * @typedef {object} Model
 * @property {OpRow} row
 * @property {Operand[]} operands
 * @property {Map<string, string>} attributes
 * @property {{ field: string | undefined, message: string }} [error] why it is illegal; what follows is there only where it is legal
 * @property {Output[]} outputs
 * @property {Origin[][]} origins of each element of each output
 * @property {Reach[][]} reach of each element of each operand
 * @property {string[]} inexact what is not followed element by element
 * @property {[number, number][][]} [pairs] factors of each result element's products: an element of lhs and one of rhs
 * @property {Frame} [frame]
 * @property {string} program as HLO text
 */

const MOST_ELEMENTS = 400;
const MOST_CELLS = 1024;
const MOST_RUNS = 128;

/** @param {string} what @param {Shape} shape */
function mustBeFew(what, shape) {
  if (shape.elementCount > MOST_ELEMENTS)
    throw new RangeError(`${what}: ${shape} has ${shape.elementCount} elements, and more than ${MOST_ELEMENTS} are not followed here`);
}

/** What its operands are called: as the example says, or as the op table does. @param {OpRow} row @param {number} count */
export function operandNames(row, count) {
  const stars = row.operands.filter((name) => name.endsWith('*')).length;
  const each = stars ? Math.floor((count - (row.operands.length - stars)) / stars) : 0;
  const names = row.operands.flatMap((name) => {
    if (!name.endsWith('*')) return [name];
    const one = name.slice(0, -1).replace(/(operand|value|update|init|input|parameter|token)s$/, '$1');
    return each === 1 ? [one] : Array.from({ length: each }, (_, i) => `${one} ${i}`);
  });
  const own = FIGURES[row.name]?.names ?? [];
  return Array.from({ length: count }, (_, i) => own[i] ?? names[i] ?? `operand ${i}`);
}

/** @param {Runtime} runtime @param {Question} question @returns {Promise<Model>} */
export async function opModel(runtime, { row, operands: shapes, values, attributes }) {
  const names = operandNames(row, shapes.length);
  /** @type {Operand[]} */
  const operands = [];
  let before = 0;
  for (const [i, text] of shapes.entries()) {
    mustBeFew(names[i], runtime.shape(text));
    const operand = storedOperand(runtime, names[i], text, values[i] ?? '', before);
    before += operand.values.length;
    operands.push(operand);
  }
  /** @type {Model} */
  const model = { row, operands, attributes, outputs: [], origins: [], reach: [], inexact: [], program: '' };
  const built = build(runtime, model, operands.map(({ shape }) => shape));
  if ('error' in built) return { ...model, error: built.error };
  model.program = built.program.toString();
  await follow(runtime, model, built.program);
  if (FIGURES[row.name]?.formula === 'products') model.pairs = await pairsOf(runtime, model);
  model.frame = await frameOf(runtime, model);
  return model;
}

// ---- The program ----

/**
 * @param {Runtime} runtime
 * @param {Pick<Model, 'row' | 'attributes' | 'operands'>} model
 * @param {readonly (Shape | string)[]} shapes of the parameters
 * @param {Map<string, string>} [attributes]
 */
function build(runtime, { row, operands, attributes: own }, shapes, attributes = own) {
  const builder = runtime.builder('main');
  try {
    const parameters = shapes.map((shape, i) => builder.parameter(i, shape, operands[i].name.replace(/\W/g, '_')));
    const root = instruction(runtime, builder, row, parameters, attributes);
    for (const leaf of root.shape.leaves) mustBeFew('the result', leaf);
    return { program: builder.build(root) };
  } catch (error) {
    builder.dispose();
    return { error: { field: error instanceof AttributeError ? error.attribute : undefined, message: /** @type {Error} */ (error).message } };
  }
}

/** @param {Runtime} runtime @param {Builder} builder @param {OpRow} row @param {Op[]} operands @param {Map<string, string>} attributes */
function instruction(runtime, builder, row, operands, attributes) {
  /** @type {Record<string, unknown>} */
  const options = {};
  const type = operands[0]?.shape.type ?? 'f32';
  for (const [name, text] of attributes) {
    const known = attributeRow(row, name);
    if (!known) throw new AttributeError(name, `${row.name} has no such attribute`);
    options[name === 'shape' ? name : camelCase(name)] = attributeValue(runtime, known, text, type);
  }
  const broadcasts = row.flags.includes('elementwise') && operands.length === 2 && Object.keys(options).length === 0;
  return broadcasts ? builder.binary(row.name, operands[0], operands[1]) : builder.instruction(row.name, operands, options);
}

/** @param {Runtime} runtime @param {Model} model @param {import('../../js/index.js').Computation} program */
async function follow(runtime, model, program) {
  const inputs = model.operands.map(({ shape, sizes, values }) => tensorOf(runtime, shape, sizes, values));
  const origins = await runtime.origins(program, inputs);
  try {
    const several = origins.outputs.length > 1;
    model.inexact = origins.inexact;
    model.outputs = origins.outputs.map((tensor, i) => ({
      name: several ? `result ${i}` : 'result',
      shape: tensor.shape,
      sizes: [...tensor.dimensions],
      values: textsOf(tensor),
    }));
    model.origins = model.outputs.map(({ values }, output) => values.map((_, flat) => sourcesOf(origins.of(output, flat))));
    model.reach = reachOf(model);
  } finally {
    origins.dispose();
    for (const input of inputs) input.dispose();
  }
}

/** @param {import('../../js/objects/origins.js').Origin} origin @returns {Origin} */
function sourcesOf({ data, control }) {
  const sources = (/** @type {import('../../js/objects/origins.js').OriginElement[]} */ elements) => elements.map(({ parameter, flat }) => ({ operand: parameter, flat }));
  return { data: sources(data), control: sources(control) };
}

/** @param {Model} model @returns {Reach[][]} */
function reachOf({ operands, origins }) {
  const reach = operands.map(({ values }) => values.map(() => /** @type {Reach} */ ({ data: [], control: [] })));
  for (const [output, elements] of origins.entries())
    for (const [flat, origin] of elements.entries())
      for (const kind of /** @type {const} */ (['data', 'control']))
        for (const source of origin[kind]) reach[source.operand][source.flat][kind].push({ output, flat });
  return reach;
}

// ---- Products ----

/**
 * Which elements are multiplied with each other, found by running the op on an lhs that counts from 1 and, one after the
 * other, on every rhs that is 1 in one place and 0 elsewhere: what comes out is the partner.
 * @param {Runtime} runtime
 * @param {Model} model
 * @returns {Promise<[number, number][][] | undefined>}
 */
async function pairsOf(runtime, model) {
  const [lhs, rhs] = model.operands;
  if (rhs.values.length > MOST_RUNS) return undefined;
  const built = build(runtime, model, [`f64[${lhs.sizes}]`, `f64[${rhs.sizes}]`]);
  if ('error' in built) return undefined;
  const executable = /** @type {import('../../js/index.js').Executable} */ (await runtime.compile(built.program));
  /** @type {[number, number][][]} */
  const pairs = model.outputs[0].values.map(() => []);
  const counted = Float64Array.from(lhs.values, (_, i) => i + 1);
  try {
    for (const at of rhs.values.keys()) {
      const out = /** @type {Tensor} */ (executable.run([counted, Float64Array.from(rhs.values, (_, i) => Number(i === at))]));
      /** @type {Float64Array} */ (out.toTypedArray()).forEach((partner, i) => partner > 0 && pairs[i].push([partner - 1, at]));
      out.dispose();
    }
  } finally {
    executable.dispose();
  }
  return pairs.map((list) => list.sort((a, b) => a[0] - b[0]));
}

// ---- Windows ----

/**
 * The padded area and the windows on it, both by running ops: a pad of the elements' numbers, and the same op without
 * padding over the area, followed.
 * @param {Runtime} runtime
 * @param {Model} model
 * @returns {Promise<Frame | undefined>}
 */
async function frameOf(runtime, model) {
  const { row, operands, attributes } = model;
  const window = dimensionsOf('WINDOW', attributes.get('window') ?? '');
  if (window.length === 0 || !attributeRow(row, 'window')) return undefined;
  const [base] = operands;
  const input = row.name === 'convolution' ? (attributes.get('dim_labels') ?? '').split('_')[0] : undefined;
  const place = (/** @type {number} */ dimension) => (input ? Number(input[dimension]) : dimension);
  const padding = base.sizes.map((_, dimension) => {
    const { low, high, 'lhs dilation': dilation } = window[place(dimension)] ?? { low: 0, high: 0, 'lhs dilation': 1 };
    return { low: Math.max(low, 0), high: Math.max(high, 0), interior: dilation - 1 };
  });
  const area = await paddedIds(runtime, base, dimensionsText('PADDING', padding));
  if (area.ids.length > MOST_CELLS) return undefined;
  const bare = dimensionsText('WINDOW', window.map((dimension) => ({ ...dimension, low: Math.min(dimension.low, 0), high: Math.min(dimension.high, 0), 'lhs dilation': 1 })));
  const scattered = row.name === 'select-and-scatter';
  const others = scattered ? [`${base.shape.type}[]`] : operands.slice(1).map(({ shape }) => shape);
  const slid = scattered ? { operands, attributes, row: rowOf(runtime, 'reduce-window') } : model;
  const given = scattered ? new Map([['window', bare], ['to_apply', 'maximum']]) : new Map([...attributes, ['window', bare]]);
  const built = build(runtime, slid, [`${base.shape.type}[${area.sizes}]`, ...others], given);
  if ('error' in built) return undefined;
  const inputs = built.program.parameters.map(({ shape }) => zeros(runtime, shape));
  const origins = await runtime.origins(built.program, inputs);
  const { elementCount } = origins.outputs[0].shape;
  const windows = Array.from({ length: elementCount }, (_, i) => origins.of(0, i).data.filter(({ parameter }) => parameter === 0).map(({ flat }) => flat));
  for (const used of [origins, ...inputs]) used.dispose();
  const ticks = padding.map(({ low, interior }, d) =>
    Array.from({ length: area.sizes[d] }, (_, at) => {
      const index = (at - low) / (interior + 1);
      return Number.isInteger(index) && index >= 0 && index < base.sizes[d] ? String(index) : '';
    }),
  );
  const held = input ? '0' : operands[row.name === 'reduce-window' ? 1 : 2].values[0];
  return { operand: 0, ...area, ticks, padding: scattered ? '' : held, placed: scattered ? undefined : 0, windows };
}

/** @param {Runtime} runtime @param {string} name */
function rowOf(runtime, name) {
  return /** @type {OpRow} */ (runtime.ops.find((row) => row.name === name));
}

/** @param {Runtime} runtime @param {Shape} shape */
function zeros(runtime, shape) {
  const zero = shape.type === 'pred' ? 'false' : shape.type.startsWith('c') ? '(0,0)' : '0';
  return tensorOf(runtime, shape, /** @type {number[]} */ ([...shape.dimensions]), Array(shape.elementCount).fill(zero));
}

/** @param {Runtime} runtime @param {Operand} operand @param {string} padding */
async function paddedIds(runtime, { sizes, values }, padding) {
  const builder = runtime.builder('area');
  const numbers = builder.reshape(builder.iota(`s32[${values.length}]`), sizes);
  const executable = await runtime.compile(builder.build(builder.pad(numbers, builder.constant(-1, 's32[]'), padding)), { reference: true });
  const out = /** @type {Tensor} */ (executable.run([]));
  const area = { sizes: [...out.dimensions], ids: Array.from(/** @type {Int32Array} */ (out.toTypedArray())) };
  out.dispose();
  executable.dispose();
  return area;
}
