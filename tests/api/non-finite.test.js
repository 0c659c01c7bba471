// Both evaluators on numbers that are not finite: infinities, NaN, -0, the largest numbers, subnormals. Results agree as tests/ops/README.md
// says: NaN with any NaN, an infinity with itself, the sign of a zero where the rule is exact. Sums whose finite terms leave the range of
// their type are left out: their order, which is open, decides between infinities and NaN.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { disagreement } from '../ops/compare.js';

/** Numbers that repeat: mulberry32. */
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const EXTREMES = {
  f64: [Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324],
  f32: [3.4028234663852886e38, -3.4028234663852886e38, 2 ** -149, -(2 ** -149)],
  bf16: [3.3895313892515355e38, -3.3895313892515355e38, 2 ** -133, -(2 ** -133)],
  f16: [65504, -65504, 2 ** -24, -(2 ** -24)],
};
EXTREMES.c64 = EXTREMES.f32;
EXTREMES.c128 = EXTREMES.f64;

/** Values of an array: `rare` of 16 are special ones; multiples of `scale` otherwise, so that finite sums are exact. */
function values(shape, { next, rare, specials, scale }) {
  const count = hlo.shape(shape).elementCount * (shape.startsWith('c') ? 2 : 1);
  return Array.from({ length: count }, () => (next(16) < rare ? specials[next(specials.length)] : (next(9) - 4) * scale));
}

const hlo = await load();

/** @param {string} text the module @param {string[]} shapes of its parameters @param {number[][]} data */
async function compareModule(text, shapes, data, rule, runtime = hlo) {
  const results = [];
  for (const reference of [false, true]) {
    const module = runtime.parse(text);
    const executable = await runtime.compile(module, { reference });
    const inputs = shapes.map((shape, i) => runtime.tensor(typed(shape, data[i]), shape));
    const result = executable.run(inputs);
    results.push(Array.isArray(result) ? result : [result]);
    executable.dispose();
    module.dispose();
    inputs.forEach((tensor) => tensor.dispose());
  }
  const [planned, reference] = results;
  planned.forEach((tensor, i) => {
    const difference = disagreement(tensor, reference[i], rule, Math.max(...data.map((d) => d.length)));
    assert.equal(difference, undefined, `${text}\n${data.map((d) => d.join(', ')).join('\n')}\nresult ${i}: the planned path differs from the reference`);
    tensor.dispose();
    reference[i].dispose();
  });
}

function typed(shape, data) {
  if (shape.startsWith('f64') || shape.startsWith('c128')) return Float64Array.from(data);
  if (shape.startsWith('f32') || shape.startsWith('c64')) return Float32Array.from(data);
  return hlo.parseLiteral(`${shape.replace(/\[.*/, `[${data.length}]`)} {${data.map(spelled).join(', ')}}`).toTypedArray();
}

const spelled = (x) => (Number.isNaN(x) ? 'nan' : Object.is(x, -0) ? '-0' : x === Infinity ? 'inf' : x === -Infinity ? '-inf' : String(x));

/** Runs `body` (the lines of an entry whose parameters are p0, p1, ...) on random data, `rounds` times. */
async function agree(body, shapes, { rule = 'exact', rounds = 6, specials = [Infinity, -Infinity, NaN, -0], seed = 1, callees = '', scale = 1, runtime = hlo } = {}) {
  const parameters = shapes.map((shape, i) => `  p${i} = ${shape} parameter(${i})`).join('\n');
  const text = `HloModule m\n${callees}\nENTRY e {\n${parameters}\n  ${body}\n}\n`;
  const next = random(seed);
  for (let round = 0; round < rounds; round++) {
    const rare = [1, 4, 12][round % 3];
    await compareModule(text, shapes, shapes.map((shape) => values(shape, { next, rare, specials, scale })), rule, runtime);
  }
}

const everything = (type) => [Infinity, -Infinity, NaN, -0, ...EXTREMES[type]];
const REALS = ['f64', 'f32', 'bf16', 'f16'];
const folds = (type, ...names) =>
  names.map((name) => `${name}_fold { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT c = ${type}[] ${name}(a, b) }`).join('\n');

test('element-wise functions', async () => {
  const unary = ['abs', 'cbrt', 'ceil', 'cosine', 'erf', 'exponential', 'exponential-minus-one', 'floor', 'log', 'log-plus-one', 'logistic', 'negate', 'round-nearest-afz',
    'round-nearest-even', 'rsqrt', 'sign', 'sine', 'sqrt', 'tan', 'tanh', 'acos', 'acosh', 'asin', 'asinh', 'atanh', 'cosh', 'sinh'];
  for (const type of REALS) {
    for (const name of unary) await agree(`ROOT r = ${type}[70] ${name}(p0)`, [`${type}[70]`], { rule: 'ulp 3', specials: everything(type) });
    for (const name of ['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum', 'power', 'atan2', 'remainder'])
      await agree(`ROOT r = ${type}[70] ${name}(p0, p1)`, [`${type}[70]`, `${type}[70]`], { rule: 'ulp 3', specials: everything(type) });
    for (const direction of ['EQ', 'NE', 'LT', 'GE'])
      for (const order of ['', ', type=TOTALORDER'])
        await agree(`ROOT r = pred[70] compare(p0, p1), direction=${direction}${order}`, [`${type}[70]`, `${type}[70]`], { specials: everything(type) });
    await agree(`ROOT r = ${type}[70] clamp(p0, p1, p2)`, Array(3).fill(`${type}[70]`), { specials: everything(type) });
    await agree(`ROOT r = pred[70] is-finite(p0)`, [`${type}[70]`], { specials: everything(type) });
    for (const bits of ['exponent_bits=5, mantissa_bits=2', 'exponent_bits=3, mantissa_bits=0', 'exponent_bits=8, mantissa_bits=7'])
      await agree(`ROOT r = ${type}[70] reduce-precision(p0), ${bits}`, [`${type}[70]`], { specials: everything(type) });
    for (const to of ['f64', 'f32', 'bf16', 'f16', 's32', 'u8', 's64', 'pred', 'f8e4m3fn', 'f8e5m2', 'c64'])
      await agree(`ROOT r = ${to}[70] convert(p0)`, [`${type}[70]`], { specials: everything(type) });
  }
});

test('element-wise functions of complex numbers', async () => {
  for (const type of ['c64', 'c128']) {
    for (const name of ['cbrt', 'cosine', 'exponential', 'exponential-minus-one', 'log', 'log-plus-one', 'logistic', 'negate', 'rsqrt', 'sign', 'sine', 'sqrt', 'tan', 'tanh'])
      await agree(`ROOT r = ${type}[70] ${name}(p0)`, [`${type}[70]`], { rule: 'ulp 3', specials: everything(type) });
    for (const name of ['add', 'subtract', 'multiply', 'divide', 'power', 'atan2'])
      await agree(`ROOT r = ${type}[70] ${name}(p0, p1)`, [`${type}[70]`, `${type}[70]`], { rule: 'ulp 3', specials: everything(type) });
  }
});

test('chains of element-wise functions, which are one loop', async () => {
  for (const type of REALS)
    await agree(
      `a = ${type}[70] logistic(p0)
  b = ${type}[70] multiply(a, p1)
  c = ${type}[70] tanh(b)
  d = ${type}[70] exponential(p1)
  f = ${type}[70] maximum(c, d)
  g = ${type}[70] sign(f)
  ROOT r = (${type}[70], ${type}[70], ${type}[70]) tuple(f, g, a)`,
      [`${type}[70]`, `${type}[70]`],
      { rule: 'ulp 3' },
    );
});

test('reductions', async () => {
  for (const type of REALS)
    for (const name of ['add', 'maximum', 'minimum', 'multiply'])
      for (const [dimensions, result] of [['0', '[37]'], ['1', '[19]'], ['0,1', '[]']])
        await agree(`z = ${type}[] constant(1)\n  ROOT r = ${type}${result} reduce(p0, z), dimensions={${dimensions}}, to_apply=${name}_fold`, [`${type}[19,37]`], {
          rule: 'sum', callees: folds(type, name), specials: name === 'multiply' ? [Infinity, -Infinity, NaN] : undefined, rounds: 3,
        });
});

test('windows', async () => {
  for (const type of REALS)
    for (const name of ['add', 'maximum', 'minimum'])
      for (const [window, result] of [['size=3x3 pad=1_1x1_1', '[9,13]'], ['size=1x4 stride=1x4', '[9,3]'], ['size=9x1 pad=8_0x0_0', '[9,13]'], ['size=2x3 rhs_dilate=2x2', '[7,9]']])
        await agree(`z = ${type}[] constant(${{ add: 0, maximum: '-inf', minimum: 'inf' }[name]})\n  ROOT r = ${type}${result} reduce-window(p0, z), window={${window}}, to_apply=${name}_fold`,
          [`${type}[9,13]`], { rule: 'sum', callees: folds(type, name), rounds: 3 });
});

test('select-and-scatter', async () => {
  for (const type of ['f64', 'f32', 'bf16', 'f16'])
    for (const direction of ['GE', 'LE', 'GT'])
      await agree(`z = ${type}[] constant(0)\n  ROOT r = ${type}[8,12] select-and-scatter(p0, p1, z), window={size=2x3 stride=2x3}, select=s, scatter=add_fold`,
        [`${type}[8,12]`, `${type}[4,4]`], { rule: 'sum', callees: `${folds(type, 'add')}\ns { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT c = pred[] compare(a, b), direction=${direction} }` });
});

test('dots', async () => {
  for (const type of ['f64', 'f32', 'bf16', 'f16', 'c64', 'c128'])
    for (const [m, k, n] of [[1, 5, 1], [3, 16, 5], [9, 17, 33], [40, 70, 24], [1, 300, 40]])
      await agree(`ROOT r = ${type}[${m},${n}] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}`, [`${type}[${m},${k}]`, `${type}[${k},${n}]`], { rule: 'sum', rounds: 3 });
});

test('dots and convolutions whose products leave the range of f32', async () => {
  const strict = await load({ relaxed: false }); // where multiplication and addition are one instruction, a product has no range
  for (const type of ['f32', 'bf16']) {
    const options = { rule: 'sum', rounds: 6, scale: 2, runtime: strict, specials: [Infinity, -Infinity, ...EXTREMES[type].slice(0, 2), -0] };
    for (const [m, k, n] of [[1, 5, 1], [3, 16, 5], [9, 17, 33], [40, 70, 24], [1, 300, 40]])
      await agree(`ROOT r = ${type}[${m},${n}] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}`, [`${type}[${m},${k}]`, `${type}[${k},${n}]`], options);
    await agree(`ROOT r = ${type}[2,6,5,8] convolution(p0, p1), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f`, [`${type}[2,6,5,3]`, `${type}[3,3,3,8]`], options);
  }
});

test('convolutions: padding and holes are zeros, and zero times infinity is NaN', async () => {
  const rows = [
    // input, kernel, labels, window, result, groups
    ['[2,6,5,3]', '[3,3,3,8]', 'b01f_01io->b01f', 'size=3x3 pad=1_1x1_1', '[2,6,5,8]'],
    ['[2,3,6,5]', '[8,3,3,3]', 'bf01_oi01->bf01', 'size=3x3 pad=1_1x1_1', '[2,8,6,5]'],
    ['[1,9,1]', '[3,1,1]', 'b0f_0io->b0f', 'size=3 pad=2_2', '[1,11,1]'],
    ['[2,6,5,8]', '[3,3,1,8]', 'b01f_01io->b01f', 'size=3x3 pad=1_1x1_1', '[2,6,5,8]', ', feature_group_count=8'],
    ['[2,8,6,25]', '[8,1,3,3]', 'bf01_oi01->bf01', 'size=3x3 pad=1_1x1_1', '[2,8,6,25]', ', feature_group_count=8'],
    ['[2,6,5,8]', '[3,3,2,8]', 'b01f_01io->b01f', 'size=3x3 pad=2_1x1_1', '[2,7,5,8]', ', feature_group_count=4'],
    ['[1,6,5,2]', '[3,3,2,4]', 'b01f_01io->b01f', 'size=3x3 pad=1_1x1_1 lhs_dilate=2x2', '[1,11,9,4]'],
    ['[1,6,5,4]', '[3,3,1,4]', 'b01f_01io->b01f', 'size=3x3 pad=1_1x1_1 lhs_dilate=2x2', '[1,11,9,4]', ', feature_group_count=4'],
    ['[1,6,5,2]', '[3,3,2,4]', 'b01f_01io->b01f', 'size=3x3 pad=2_2x2_2 rhs_dilate=2x2 stride=2x1 rhs_reversal=1x1', '[1,3,5,4]'],
    ['[4,6,5,2]', '[3,3,2,4]', 'b01f_01io->b01f', 'size=3x3 pad=1_1x1_1', '[2,6,5,4]', ', batch_group_count=2'],
  ];
  for (const type of ['f32', 'f64', 'bf16', 'f16', 'c64'])
    for (const [input, kernel, labels, window, result, groups = ''] of rows)
      await agree(`ROOT r = ${type}${result} convolution(p0, p1), window={${window}}, dim_labels=${labels}${groups}`, [type + input, type + kernel], { rule: 'sum', rounds: 3 });
  const one = hlo.parse(`HloModule m\nENTRY e { x = f32[1,2,1] constant({{{1},{1}}}) k = f32[3,1,1] constant({{{inf}},{{1}},{{1}}})
    ROOT r = f32[1,2,1] convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f }`);
  for (const reference of [false, true]) assert.deepEqual((await hlo.compile(one, { reference })).run([]).toArray(), [[[NaN], [Infinity]]]);
});

test('transforms: a line with a number that is not finite is NaN everywhere', async () => {
  for (const [real, complex] of [['f32', 'c64'], ['f64', 'c128']])
    for (const n of [1, 2, 3, 4, 7, 8, 12, 15, 30, 37, 64, 67, 100, 134, 149]) {
      const options = { rule: 'relative 1e-4', rounds: 3, seed: n, specials: [Infinity, -Infinity, NaN] };
      await agree(`ROOT r = ${complex}[5,${n}] fft(p0), fft_type=FFT, fft_length={${n}}`, [`${complex}[5,${n}]`], options);
      await agree(`ROOT r = ${complex}[5,${n}] fft(p0), fft_type=IFFT, fft_length={${n}}`, [`${complex}[5,${n}]`], options);
      await agree(`ROOT r = ${complex}[5,${(n >> 1) + 1}] fft(p0), fft_type=RFFT, fft_length={${n}}`, [`${real}[5,${n}]`], options);
      await agree(`ROOT r = ${real}[5,${n}] fft(p0), fft_type=IRFFT, fft_length={${n}}`, [`${complex}[5,${(n >> 1) + 1}]`], options);
      await agree(`ROOT r = ${complex}[3,6,${n}] fft(p0), fft_type=FFT, fft_length={6,${n}}`, [`${complex}[3,6,${n}]`], { ...options, rounds: 1 });
    }
  const line = hlo.parse(`HloModule m\nENTRY e { x = c64[4] constant({(1, 0), (inf, 0), (0, 0), (0, 0)}) ROOT r = c64[4] fft(x), fft_type=FFT, fft_length={4} }`);
  for (const reference of [false, true]) assert.deepEqual((await hlo.compile(line, { reference })).run([]).toArray().flat(), Array(8).fill(NaN));
});

test('sorts, batch normalisation, linear algebra', async () => {
  for (const type of REALS) {
    const callees = `lt { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER }`;
    await agree(`ROOT r = ${type}[4,40] sort(p0), dimensions={1}, to_apply=lt`, [`${type}[4,40]`], { callees, specials: everything(type) });
    await agree(`ROOT r = ${type}[40,4] sort(p0), dimensions={0}, is_stable=true, to_apply=lt`, [`${type}[40,4]`], { callees, specials: everything(type) });
  }
  for (const type of ['f32', 'f64']) {
    await agree(`ROOT r = ${type}[4,5,3] batch-norm-inference(p0, p1, p2, p3, p4), epsilon=1e-3, feature_index=2`, [`${type}[4,5,3]`, ...Array(4).fill(`${type}[3]`)], { rule: 'relative 1e-5' });
    await agree(`ROOT r = (${type}[4,5,3], ${type}[3], ${type}[3]) batch-norm-training(p0, p1, p2), epsilon=1e-3, feature_index=2`, [`${type}[4,5,3]`, ...Array(2).fill(`${type}[3]`)], { rule: 'relative 1e-4' });
    await agree(`ROOT r = (${type}[4,5,3], ${type}[3], ${type}[3]) batch-norm-grad(p0, p1, p2, p3, p4), epsilon=1e-3, feature_index=2`, [`${type}[4,5,3]`, ...Array(3).fill(`${type}[3]`), `${type}[4,5,3]`], { rule: 'relative 1e-4' });
    await agree(`ROOT r = ${type}[2,5,5] cholesky(p0), lower=true`, [`${type}[2,5,5]`], { rule: 'relative 1e-4' });
    await agree(`ROOT r = ${type}[2,5,3] triangular-solve(p0, p1), left_side=true, lower=true, transpose_a=NO_TRANSPOSE`, [`${type}[2,5,5]`, `${type}[2,5,3]`], { rule: 'relative 1e-4' });
  }
});

test('the sign of NaN goes through functions', async () => {
  for (const [type, bits, nan] of [['f32', 'u32', 0x7fc00000], ['bf16', 'u16', 0x7fc0], ['f16', 'u16', 0x7e00]]) {
    const sign = bits === 'u32' ? 0x80000000 : 0x8000;
    for (const name of ['logistic', 'tanh', 'exponential', 'log', 'sqrt', 'cbrt', 'erf', 'sign', 'sine', 'cosine', 'tan', 'exponential-minus-one', 'log-plus-one', 'round-nearest-even']) {
      const data = Array.from({ length: 20 }, (_, i) => (i % 2 ? nan : nan + sign));
      const text = `HloModule m\nENTRY e {\n  p0 = ${bits}[20] parameter(0)\n  x = ${type}[20] bitcast-convert(p0)\n  y = ${type}[20] ${name}(x)\n  ROOT r = ${bits}[20] bitcast-convert(y)\n}`;
      for (const reference of [false, true]) {
        const executable = await hlo.compile(hlo.parse(text), { reference });
        const result = executable.run([data]).toArray();
        assert.deepEqual(result.map((x) => x >= sign), data.map((x) => x >= sign), `${type} ${name}, reference: ${reference}`);
      }
    }
  }
});

/** Runs a program on both paths, and gives both results as flat numbers. @param {string} text @param {unknown[]} inputs */
async function onBothPaths(text, inputs) {
  const results = [];
  for (const reference of [false, true]) {
    const executable = await hlo.compile(hlo.parse(text), { reference });
    results.push([...executable.run(inputs).toTypedArray()].map(Number));
  }
  return results;
}

/** The distance is at most `ulps` units of the least subnormal or of `epsilon`, relative. */
function near(actual, expected, epsilon, least, ulps, message) {
  actual.forEach((x, i) => {
    const apart = x === expected[i] ? 0 : Math.abs(x - expected[i]);
    assert.ok(apart <= ulps * Math.max(least, Math.abs(expected[i]) * epsilon), `${message}: element ${i} is ${x}, not ${expected[i]}`);
  });
}

test('logistic of numbers whose result is subnormal is not 0', async () => {
  for (const [type, from, to, epsilon, least] of [['f32', -104, -80, 2 ** -23, 2 ** -149], ['f16', -18, -9, 2 ** -10, 2 ** -24], ['f64', -746, -700, 2 ** -52, 2 ** -1074]]) {
    const xs = Array.from({ length: 97 }, (_, i) => from + Math.round(((to - from) * i) / 96));
    const text = `HloModule m\nENTRY e {\n  p0 = ${type}[97] parameter(0)\n  x = ${type}[97] logistic(p0)\n  ROOT r = f64[97] convert(x)\n}`;
    const expected = xs.map((x) => Math.exp(x) / (1 + Math.exp(x)));
    for (const result of await onBothPaths(text, [xs])) {
      near(result, expected, epsilon, least, 3, type);
      assert.ok(result.filter((x) => x > 0 && x < (least / epsilon)).length > 10, `${type}: too few of the results are subnormal`);
    }
  }
});

test('atan2 and square of complex numbers far from 1', async () => {
  const atan2 = 'HloModule m\nENTRY e {\n  y = c128[3] parameter(0)\n  x = c128[3] parameter(1)\n  ROOT r = c128[3] atan2(y, x)\n}';
  // Of a tiny quotient y / x, atan2 is the quotient.
  const y = [127.5, -0.122, 1, 1, 1, 0];
  const x = [1e300, 1496, 1e300, 1, 1e300, 1e300];
  const quotients = [1.275e-298, -1.22e-301, 1e-300, 1e-300, 5e-301, -5e-301];
  for (const result of await onBothPaths(atan2, [Float64Array.from(y), Float64Array.from(x)])) near(result, quotients, 2 ** -52, 2 ** -1074, 4, 'atan2');
  const square = `func.func @main(%a: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
    %0 = chlo.square %a : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
    return %0 : tensor<3xcomplex<f64>>
  }`;
  for (const result of await onBothPaths(square, [Float64Array.from([1.5e308, 0.3, 0.3, -1.5e308, 3e100, 4e-100])]))
    near(result, [Infinity, 9e307, -Infinity, -9e307, 9e200, 24], 2 ** -52, 2 ** -1074, 2, 'square');
});
