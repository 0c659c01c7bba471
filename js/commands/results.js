// Results of a run: as literals, shortened where they are long; as JSON; and as .npy files.

import { Tensor, tensorsOf } from '../objects/tensor.js';
import { typeFacts } from '../values/element-types.js';
import { writeNpy } from '../values/npy.js';
import { Failure, UsageError } from './failures.js';
import { plural, writeFile } from './output.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */

/** Arrays of more elements are shortened, */
const MOST_ELEMENTS = 1000;
/** to so many at each end of a dimension. */
const EDGE = 3;
/** Longer literals take several lines. */
const LONGEST_LINE = 80;

/** The same elements in row-major order, at their actual sizes. @param {Runtime} hlo @param {Tensor} tensor @returns {Tensor} */
function plainTensor(hlo, tensor) {
  if (tensor.shape.isDense && !tensor.shape.isDynamic) return tensor;
  return hlo.tensor(tensor.toArray(), hlo.makeShape(/** @type {any} */ (tensor.shape.type), tensor.dimensions));
}

/** The numbers of the elements that are shown along a dimension. @param {number} size @param {boolean} all */
function shownOf(size, all) {
  if (all || size <= 2 * EDGE) return Array.from({ length: size }, (_, i) => i);
  return [...Array(EDGE).keys(), ...Array.from({ length: EDGE }, (_, i) => size - EDGE + i)];
}

/** The elements at these places of a dense array, as HLO writes them. @param {Runtime} hlo @param {Tensor} tensor @param {readonly number[]} offsets */
function words(hlo, tensor, offsets) {
  const { shape, data } = tensor;
  const { array: ArrayOf, lanes } = typeFacts(/** @type {string} */ (shape.type));
  const few = new ArrayOf(offsets.length * lanes);
  offsets.forEach((offset, i) => few.set(data.subarray(offset * lanes, (offset + 1) * lanes), i * lanes));
  const text = hlo.literal(hlo.tensor(few, hlo.makeShape(/** @type {any} */ (shape.type), [offsets.length])));
  return text.slice(text.indexOf('{') + 1, text.lastIndexOf('}')).split(/,\s*(?![^(]*\))/);
}

/** Elements of the last dimension, in lines of their own where they are too many for one. @param {readonly string[]} parts @param {number} indent */
function row(parts, indent) {
  const lines = ['{'];
  parts.forEach((part, i) => {
    const text = i < parts.length - 1 ? `${part},` : `${part}}`;
    const last = lines[lines.length - 1];
    const space = i === 0 ? '' : ' ';
    const behind = i < parts.length - 1 ? 0 : 1; // a comma
    if (i === 0 || indent + last.length + space.length + text.length + behind <= LONGEST_LINE) lines[lines.length - 1] = `${last}${space}${text}`;
    else lines.push(` ${text}`);
  });
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** A literal with a row of elements a line. @param {Runtime} hlo @param {Tensor} array @param {boolean} all whether no element is left out */
function rows(hlo, array, all) {
  const tensor = plainTensor(hlo, array);
  const sizes = tensor.dimensions;
  const offsets = sizes.reduce((flat, size) => flat.flatMap((offset) => shownOf(size, all).map((i) => offset * size + i)), [0]);
  const next = words(hlo, tensor, offsets).values();
  /** @type {(d: number) => string} */
  const level = (d) => {
    if (d === sizes.length) return next.next().value ?? '';
    const parts = shownOf(sizes[d], all).map(() => level(d + 1));
    if (parts.length < sizes[d]) parts.splice(EDGE, 0, '...');
    if (d === sizes.length - 1) return row(parts, d === 0 ? `${tensor.shape.type}[${sizes}] `.length : 2 * d);
    return `{\n${parts.map((part) => `${'  '.repeat(d + 1)}${part}`).join(',\n')}\n${'  '.repeat(d)}}`;
  };
  return `${tensor.shape.type}[${sizes}] ${level(0)}`;
}

/** @param {Runtime} hlo @param {Tensor} tensor */
function whole(hlo, tensor) {
  const text = hlo.literal(tensor);
  return text.length > LONGEST_LINE && tensor.shape.rank > 0 && !tensor.dimensions.includes(0) ? rows(hlo, tensor, true) : text;
}

/**
 * A literal for each leaf, and how many of them are shortened.
 * @param {Runtime} hlo @param {TensorTree} result @param {boolean} [full]
 * @returns {{ lines: string[], short: number }}
 */
export function literals(hlo, result, full = false) {
  let short = 0;
  /** @type {(tree: TensorTree) => string[]} */
  const lines = (tree) => {
    if (tree === null) return ['token[]'];
    if (!(tree instanceof Tensor)) return tree.flatMap(lines);
    const elements = tree.dimensions.reduce((count, size) => count * size, 1);
    if (full || elements <= MOST_ELEMENTS) return [whole(hlo, tree)];
    short++;
    return [rows(hlo, tree, false)];
  };
  return { lines: lines(result), short };
}

/** @param {number} short how many arrays are shortened */
export function shortenedNote(short) {
  return `${short === 1 ? 'the result is' : `${plural(short, 'array')} of the result are`} shortened; --full shows all, --output FILE writes all`;
}

/** What `--json` says of a result. @param {TensorTree} result @returns {any} */
export function plain(result) {
  if (result instanceof Tensor) return { shape: result.shape.toString(), value: finite(result.toArray()) };
  return result === null ? null : result.map(plain);
}

/** JSON has no NaN, infinities or large integers: these become texts. @param {any} value @returns {any} */
function finite(value) {
  if (Array.isArray(value)) return value.map(finite);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  return value;
}

/** Refuses a name of one file for several arrays, before anything is run. @param {string} path @param {number} count */
export function checkOutput(path, count) {
  if (count !== 1 && !path.includes('%d'))
    throw new UsageError(`--output ${path}: the results are ${plural(count, 'array')}; give a name with %d for their numbers, such as out-%d.npy`);
}

/**
 * Writes results as .npy files; `%d` in the name is the number of the array, counted from 0.
 * @param {Runtime} hlo @param {string} path @param {TensorTree} results
 */
export function writeOutputs(hlo, path, results) {
  tensorsOf(results).forEach((tensor, number) => {
    const dense = plainTensor(hlo, tensor);
    let bytes;
    try {
      bytes = writeNpy(/** @type {string} */ (dense.shape.type), dense.dimensions, dense.toTypedArray());
    } catch (error) {
      throw new Failure(`--output: ${/** @type {Error} */ (error).message}; --json or --full shows the result`);
    }
    writeFile(path.replaceAll('%d', String(number)), bytes);
  });
}

/** How a result differs from what it should be. @param {TensorTree} expected @param {TensorTree} actual @returns {string} */
export function comparison(expected, actual) {
  const [left, right] = [tensorsOf(expected), tensorsOf(actual)];
  const shapes = (/** @type {Tensor[]} */ tensors) => tensors.map(({ shape }) => `${shape.type}[${shape.dimensions}]`).join(', ');
  if (shapes(left) !== shapes(right)) return `it is ${shapes(left)}, but this run gives ${shapes(right)}`;
  let different = 0;
  let largest = 0;
  let count = 0;
  left.forEach((tensor, i) => {
    const [a, b] = [tensor, right[i]].map((t) => [/** @type {any} */ (t.toArray())].flat(Infinity).map(Number));
    count += a.length;
    a.forEach((value, k) => {
      if (value === b[k] || (Number.isNaN(value) && Number.isNaN(b[k]))) return;
      different++;
      largest = Math.max(largest, Math.abs(value - b[k]));
    });
  });
  return different === 0 ? 'the same' : `${different} of ${count} numbers differ, by ${largest} at most`;
}
