// What an element-wise op of two operands does with their shapes: asked of the builder, run, and traced by running the
// same broadcasts on arrays whose elements are their own places.
import { flatIndex } from './grid-index.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Shape} Shape */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {'lhs' | 'rhs'} SideName */
/** @typedef {{ lhs: string, rhs: string, dimensions?: number[], op: string, lhsValues: string, rhsValues: string }} Question */
/**
 * @typedef {object} Side
 * @property {SideName} name
 * @property {Shape} shape
 * @property {number[]} sizes
 * @property {string[]} values as stored, in row-major order
 * @property {number[]} places the result dimension of each dimension; of an illegal operand as far as they are told
 */
/** @typedef {{ sizes: number[], ids: number[] }} Spread an operand's elements over larger sizes: which of them stands where */
/**
 * @typedef {object} Model
 * @property {Side} lhs
 * @property {Side} rhs
 * @property {SideName} [lower] the operand of lower rank
 * @property {number[]} [dimensions] as asked
 * @property {{ dimensions: number[], legal: boolean }[]} placements all ascending ones of the lower-ranked operand
 * @property {Error} [error] why it is illegal; what follows is there only where it is legal
 * @property {Spread} [placed] the lower-ranked operand after its dimensions have been placed
 * @property {Result} [result]
 */
/**
 * @typedef {object} Result
 * @property {Shape} shape
 * @property {number[]} sizes
 * @property {string[]} values
 * @property {{ lhs: number[], rhs: number[] }} ids the operand element that each result element reads
 * @property {{ lhs: number, rhs: number }} writtenOut bytes of the operands, were every repetition stored
 * @property {string} program as HLO text
 * @property {number} workspaceBytes of the compiled program
 */

const MOST_ELEMENTS = 16384;
const MOST_PLACEMENTS = 24;

/** The attribute as numbers; undefined where there are none. @param {string | null | undefined} text */
export function dimensionNumbers(text) {
  return (text ?? '').match(/-?\d+/g)?.map(Number);
}

/** Ops of two operands whose result elements each come from one element of either. @param {Runtime} runtime */
export function elementwiseOps(runtime) {
  return runtime.ops.filter(
    ({ arity, flags, attributes, operands }) =>
      arity === 2 && flags.includes('elementwise') && operands.join() === 'lhs,rhs' && !attributes.some(({ required }) => required),
  );
}

/** @param {Runtime} runtime @param {Question} question @returns {Promise<Model>} */
export async function broadcastModel(runtime, question) {
  const { dimensions, op } = question;
  const lhs = sideOf(runtime, 'lhs', question.lhs, question.lhsValues, 0);
  const rhs = sideOf(runtime, 'rhs', question.rhs, question.rhsValues, lhs.values.length);
  const lower = lhs.sizes.length === rhs.sizes.length ? undefined : lhs.sizes.length < rhs.sizes.length ? 'lhs' : 'rhs';
  const low = lower === 'lhs' ? lhs : rhs;
  if (lower && low.sizes.length > 0) low.places = [...(dimensions ?? [])];
  /** @type {Model} */
  const model = { lhs, rhs, lower, dimensions, placements: lower ? placements(runtime, lhs.shape, rhs.shape) : [] };
  const builder = runtime.builder('main');
  try {
    const [x, y] = [builder.parameter(0, lhs.shape, 'lhs'), builder.parameter(1, rhs.shape, 'rhs')];
    const root = builder.binary(op, x, y, dimensions ? { broadcastDimensions: dimensions } : {});
    mustBeDrawable('the result', root.shape);
  } catch (error) {
    builder.dispose();
    if (error instanceof RangeError) throw error;
    return { ...model, error: /** @type {Error} */ (error) };
  }
  const { sizes, values, shape, program, workspaceBytes } = await answerOf(runtime, builder, lhs, rhs);
  if (lower) model.placed = { sizes: placedSizes(low, lower === 'lhs' ? rhs : lhs), ids: [] };
  const [left, right, placed] = await traced(runtime, model);
  if (model.placed) model.placed.ids = placed;
  const written = (/** @type {Side} */ side) => runtime.makeShape(/** @type {any} */ (side.shape.type), sizes).arraySize;
  const writtenOut = { lhs: written(lhs), rhs: written(rhs) };
  model.result = { shape, sizes, values, ids: { lhs: left, rhs: right }, writtenOut, program, workspaceBytes };
  return model;
}

// ---- Operands ----

/** @param {Runtime} runtime @param {SideName} name @param {string} text @param {string} values @param {number} before @returns {Side} */
function sideOf(runtime, name, text, values, before) {
  const operand = storedOperand(runtime, name, text, values, before);
  return { ...operand, name, places: operand.sizes.map((_, i) => i) };
}

/**
 * An operand from the texts of its shape and elements; elements that are not given count on.
 * @param {Runtime} runtime
 * @param {string} name
 * @param {string} text
 * @param {string} values
 * @param {number} before how many elements the operands before it have
 * @returns {{ name: string, shape: Shape, sizes: number[], values: string[] }} values as stored
 */
export function storedOperand(runtime, name, text, values, before) {
  const shape = runtime.shape(text);
  if (!shape.isArray) throw new RangeError(`${name}: an operand is an array, got ${shape}`);
  if (shape.isDynamic) throw new RangeError(`${name}: the picture needs sizes that are known, got ${shape}`);
  const sizes = /** @type {number[]} */ ([...shape.dimensions]);
  mustBeDrawable(name, shape);
  const given = splitValues(values);
  const texts = Array.from({ length: shape.elementCount }, (_, i) => given[i] ?? defaultValue(shape.type, before + i));
  const tensor = tensorOf(runtime, shape, sizes, texts);
  const stored = textsOf(tensor);
  tensor.dispose();
  return { name, shape, sizes, values: stored };
}

/** @param {string} what @param {Shape} shape */
function mustBeDrawable(what, shape) {
  if (shape.elementCount > MOST_ELEMENTS)
    throw new RangeError(`${what}: ${shape} has ${shape.elementCount} elements, and more than ${MOST_ELEMENTS} are not drawn here`);
}

/** @param {string} text values between commas or spaces; (re,im) is one @returns {string[]} */
function splitValues(text) {
  return text.match(/\([^)]*\)|[^\s,]+/g) ?? [];
}

/** Counts 1, 2, 3, ..., within what the type can hold. @param {string} type @param {number} at */
function defaultValue(type, at) {
  if (type === 'pred') return at % 3 === 1 ? 'false' : 'true';
  if (type.startsWith('c')) return `(${1 + at},0)`;
  const bits = Number(/^[su](\d+)$/.exec(type)?.[1] ?? 64);
  return String(1 + (at % Math.min(2 ** (bits - 1) - 1, 1000)));
}

/** A literal's text from its elements. @param {readonly number[]} sizes @param {readonly string[]} texts */
function nested(sizes, texts) {
  /** @param {number[]} index @returns {string} */
  const from = (index) =>
    index.length === sizes.length
      ? texts[flatIndex(sizes, index)]
      : `{${Array.from({ length: sizes[index.length] }, (_, i) => from([...index, i])).join(',')}}`;
  return from([]);
}

/** @param {Runtime} runtime @param {Shape} shape @param {readonly number[]} sizes @param {readonly string[]} texts */
export function tensorOf(runtime, shape, sizes, texts) {
  return /** @type {Tensor} */ (runtime.parseLiteral(`${shape} ${nested(sizes, texts)}`));
}

/** What a value becomes when an operand stores it. @param {Runtime} runtime @param {string} type @param {string} text @returns {string} @throws {Error} it is no value of the type */
export function storedValue(runtime, type, text) {
  let tensor;
  try {
    tensor = /** @type {Tensor} */ (runtime.parseLiteral(`${type}[] ${text}`));
  } catch (cause) {
    throw new Error(`${JSON.stringify(text)} is not a value of ${type}.`, { cause });
  }
  const [value] = textsOf(tensor);
  tensor.dispose();
  return value;
}

/** Its elements in row-major order. @param {Tensor} tensor */
export function textsOf(tensor) {
  let items = [tensor.toArray()];
  for (let i = 0; i < tensor.shape.rank; i++) items = items.flat(1);
  return items.map(valueText);
}

/** @param {unknown} value @returns {string} */
function valueText(value) {
  if (Array.isArray(value)) return `(${value.map(valueText).join(',')})`;
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return Object.is(value, -0) ? '-0' : Number.isInteger(value) && Math.abs(value) < 1e10 ? String(value) : String(Number(value.toPrecision(5)));
}

// ---- Answers ----

/** @param {Runtime} runtime @param {import('../../js/index.js').Builder} builder @param {Side} lhs @param {Side} rhs */
async function answerOf(runtime, builder, lhs, rhs) {
  const computation = builder.build();
  const executable = await runtime.compile(computation);
  const inputs = [lhs, rhs].map(({ shape, sizes, values }) => tensorOf(runtime, shape, sizes, values));
  try {
    const out = /** @type {Tensor} */ (executable.run(inputs));
    const sizes = [...out.dimensions];
    const answer = { shape: out.shape, sizes, values: textsOf(out), program: computation.toString(), workspaceBytes: executable.workspaceBytes };
    out.dispose();
    return answer;
  } finally {
    for (const input of inputs) input.dispose();
    executable.dispose();
  }
}

/**
 * Where every element of the broadcast operands comes from: lhs, rhs, and the lower-ranked one as placed.
 * @param {Runtime} runtime
 * @param {Model} model
 */
async function traced(runtime, { lhs, rhs, lower, dimensions, placed }) {
  const builder = runtime.builder('identities');
  const counted = (/** @type {Side} */ { shape, sizes }) => builder.reshape(builder.iota(`u32[${shape.elementCount}]`), sizes);
  const [x, y] = [counted(lhs), counted(rhs)];
  const outputs = [...builder.broadcastPair('add', x, y, dimensions)];
  if (placed) outputs.push(builder.broadcastInDim(lower === 'lhs' ? x : y, placed.sizes, (lower === 'lhs' ? lhs : rhs).places));
  /** @type {import('../../js/index.js').Executable<Tensor[]>} */
  const executable = await runtime.compile(builder.build(outputs), { reference: true });
  try {
    return executable.run([]).map((tensor) => {
      const ids = Array.from(/** @type {Uint32Array} */ (tensor.toTypedArray()));
      tensor.dispose();
      return ids;
    });
  } finally {
    executable.dispose();
  }
}

/** The first rule alone: own sizes where dimensions were placed, the other's sizes elsewhere. @param {Side} low @param {Side} high */
function placedSizes(low, high) {
  return high.sizes.map((size, i) => (low.places.includes(i) ? low.sizes[low.places.indexOf(i)] : size));
}

/** @param {Runtime} runtime @param {Shape} lhs @param {Shape} rhs */
function placements(runtime, lhs, rhs) {
  const [count, rank] = lhs.rank < rhs.rank ? [lhs.rank, rhs.rank] : [rhs.rank, lhs.rank];
  return ascending(count, rank)
    .slice(0, count === 0 ? 0 : MOST_PLACEMENTS)
    .map((dimensions) => ({ dimensions, legal: isLegal(runtime, lhs, rhs, dimensions) }));
}

/** @param {Runtime} runtime @param {Shape} lhs @param {Shape} rhs @param {number[]} dimensions */
function isLegal(runtime, lhs, rhs, dimensions) {
  try {
    runtime.broadcastPlan(lhs, rhs, dimensions);
    return true;
  } catch {
    return false;
  }
}

/** All ascending choices of `count` numbers below `end`. @param {number} count @param {number} end @returns {number[][]} */
function ascending(count, end) {
  if (count === 0) return [[]];
  return ascending(count - 1, end).flatMap((head) => {
    const from = (head.at(-1) ?? -1) + 1;
    return Array.from({ length: end - from }, (_, i) => [...head, from + i]);
  });
}
