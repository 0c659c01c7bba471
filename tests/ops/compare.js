// When two results agree: the rules of tests/ops/README.md.

const EPSILON = { f64: 2 ** -52, c128: 2 ** -52, f32: 2 ** -23, c64: 2 ** -23, f16: 2 ** -10, bf16: 2 ** -7 };
const BITS = { f64: 64, c128: 64, f32: 32, c64: 32, f16: 16, bf16: 16 };

/** Random bits are given as unsigned numbers, whatever the type. */
function sameBits(a, b) {
  return /^[su]\d+$/.test(a) && /^[su]\d+$/.test(b) && a.slice(1) === b.slice(1);
}

function wrapped(value, type) {
  if (typeof value === 'bigint') return type === 'u64' ? BigInt.asUintN(64, value) : value;
  return /^u\d+$/.test(type) && value < 0 ? value + 2 ** Number(type.slice(1)) : value;
}

/** Elements as doubles (complex interleaved), and their bits, in row-major order. */
function elements(tensor) {
  const { type } = tensor.shape;
  const flat = [tensor.toArray()].flat(Infinity);
  if (!(type in BITS)) return { values: flat, bits: null };
  const values = Float64Array.from(flat);
  if (BITS[type] === 64) return { values, bits: new BigInt64Array(values.buffer) };
  const narrow = Float32Array.from(values);
  const bits = new Int32Array(narrow.buffer);
  if (type === 'f16') return { values, bits: values.map(halfOrder) };
  return { values, bits: type === 'bf16' ? bits.map((b) => b >> 16) : bits };
}

/** Steps of f16 away from zero. */
function halfOrder(value) {
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return Math.sign(value) * 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(magnitude || 2 ** -30)), -14);
  const steps = magnitude === 0 ? 0 : (exponent + 14) * 1024 + magnitude / 2 ** (exponent - 10);
  return Math.sign(value) * steps;
}

/** How many representable numbers lie between. */
function ulps(a, b, width, i) {
  if (width === 16 && !(a instanceof Int32Array)) return Math.abs(a[i] - b[i]);
  const order = (x) =>
    typeof x === 'bigint'
      ? x < 0n
        ? -(x & 0x7fffffffffffffffn)
        : x
      : width === 16
        ? x < 0
          ? -(x & 0x7fff)
          : x
        : x < 0
          ? -(x & 0x7fffffff)
          : x;
  const distance = order(a[i]) - order(b[i]);
  return Math.abs(Number(distance));
}

/**
 * Undefined when the tensors agree, else what is wrong.
 * @param {string} rule exact | ulp N | sum | relative R
 * @param {number} largestInput number of elements of the largest input
 */
export function disagreement(actual, expected, rule, largestInput) {
  if (actual.shape.type !== expected.shape.type && !sameBits(actual.shape.type, expected.shape.type))
    return `expected ${expected.shape}, got ${actual.shape}`;
  if (actual.dimensions.join() !== expected.dimensions.join())
    return `expected ${expected.shape}, got ${actual.shape} of sizes [${actual.dimensions}]`;
  const { type } = expected.shape;
  const a = elements(actual);
  const e = elements(expected);
  const [name, argument] = rule.split(' ');
  const exact = name === 'exact' || !(type in BITS);
  let largest = 0;
  for (const value of e.values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  const bound =
    name === 'sum' ? EPSILON[type] * (Math.log2(Math.max(largestInput, 1)) + 4) * largest : Number(argument) * largest;
  let wrong = 0;
  let first;
  for (let i = 0; i < e.values.length; i++) {
    const [x, y] = [wrapped(a.values[i], type), e.values[i]];
    if (Object.is(x, y)) continue;
    if (typeof y === 'number' && Number.isNaN(x) && Number.isNaN(y)) continue;
    let agrees = false;
    if (!exact && Number.isFinite(x) && Number.isFinite(y))
      agrees = name === 'ulp' ? ulps(a.bits, e.bits, BITS[type], i) <= Number(argument) : Math.abs(x - y) <= bound;
    if (agrees) continue;
    wrong++;
    first ??= `element ${i}: expected ${y}, got ${x}${exact ? '' : ` (${rule}${name === 'ulp' ? `, ${ulps(a.bits, e.bits, BITS[type], i)} away` : `, ${Math.abs(x - y)} > ${bound}`})`}`;
  }
  return wrong === 0 ? undefined : `${wrong} of ${e.values.length} differ; ${first}`;
}
