// Ops that passes write as others, and windows folded by any computation: the plan has no step for the reference evaluator, and gives what it gives.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { disagreement } from '../ops/compare.js';
import { randomSource } from './emitted-programs.js';

const contestants = [await load({ relaxed: false }), await load({ emit: false })];
const random = randomSource(23).next;
const floats = (/** @type {number} */ count, of = Float32Array) => of.from({ length: count }, () => random() * 4 - 2);
const special = [0, -0, 1, -1, Infinity, -Infinity, NaN, 2.5, 1e-38, 3e38];
/** Every pair of special values, as many numbers as fill the array. */
const specials = (/** @type {number} */ count, every = 1) => Float32Array.from({ length: count }, (_, i) => special[Math.floor(i / every) % special.length]);
const bytes = (/** @type {number} */ count) => Uint8Array.from({ length: count }, (_, i) => i);
const product = (/** @type {number[]} */ dims) => dims.reduce((a, b) => a * b, 1);

/** @param {string} text @param {any[]} inputs @param {string} rule of tests/ops/README.md @param {{ except?: string[] }} [options] opcodes that the reference may run */
async function agrees(text, inputs, rule, { except = [] } = {}) {
  for (const hlo of contestants) {
    const module = hlo.parse(`HloModule m\n${text}`);
    const executable = await hlo.compile(module);
    const reference = await hlo.compile(module, { reference: true });
    const slow = executable.plan.routines.flatMap((/** @type {any} */ routine) =>
      routine.steps.filter((/** @type {any} */ step) => step.kernel === 'reference' && !except.includes(step.op)));
    assert.deepEqual(slow, [], text);
    const [found, expected] = [executable, reference].map((one) => [one.run(inputs)].flat());
    found.forEach((tensor, i) => assert.equal(disagreement(tensor, expected[i], rule, 1024), undefined, text));
    for (const tensor of [...found, ...expected]) tensor.dispose();
    for (const one of [executable, reference, module]) one.dispose();
  }
}

const sum = (/** @type {string} */ type) => `sum { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] add(a, b) }`;

test('complex numbers: elementwise ops, with infinities and NaN', async () => {
  for (const [type, real, of] of /** @type {const} */ ([['c64', 'f32', Float32Array], ['c128', 'f64', Float64Array]]))
    for (const op of ['add', 'subtract', 'multiply', ...(type === 'c64' ? ['divide'] : [])])
      for (const inputs of [[floats(426, of), floats(426, of)], [of.from(specials(426)), of.from(specials(426, 7))]])
        await agrees(`ENTRY e { x = ${type}[213] parameter(0) y = ${type}[213] parameter(1) ROOT r = ${type}[213] ${op}(x, y) }`, inputs, 'ulp 1');
  for (const values of [floats(426), specials(426, 3)]) {
    await agrees('ENTRY e { x = c64[213] parameter(0) ROOT r = f32[213] abs(x) }', [values], 'ulp 1');
    await agrees('ENTRY e { x = c64[213] parameter(0) n = c64[213] negate(x) p = f32[213] imag(n) q = f32[213] real(x) ROOT r = c64[213] complex(p, q) }', [values], 'exact');
    await agrees('ENTRY e { x = c64[213] parameter(0) y = c64[213] reverse(x), dimensions={0} ROOT r = pred[213] compare(x, y), direction=NE }', [values], 'exact');
  }
});

test('complex numbers: a chain with movements, a choice and a conversion is one loop', async () => {
  await agrees(
    `ENTRY e { x = c64[8,27] parameter(0) p = pred[27,8] parameter(1) f = f32[8] parameter(2) m = c64[8,27] multiply(x, x) t = c64[27,8] transpose(m), dimensions={1,0}
     c = c64[8] convert(f) b = c64[27,8] broadcast(c), dimensions={1} a = c64[27,8] add(t, b) ROOT s = c64[27,8] select(p, a, b) }`,
    [floats(432), Uint8Array.from({ length: 216 }, () => Number(random() < 0.5)), floats(8)], 'ulp 1');
});

test('dots of few terms, one side of which is narrow, are no steps of their own', async () => {
  for (const [type, of] of /** @type {const} */ ([['f32', Float32Array], ['f64', Float64Array], ['s32', Int32Array]]))
    for (const terms of [1, 2, 3, 4])
      for (const [batch, m, n] of [[0, 67, 3], [0, 3, 67], [0, 70, 1], [0, 1, 70], [9, 3, 3], [9, 1, 8], [5, 7, 33]]) {
        // Contracted dimensions stand last and first, and the other way round; batches before and behind.
        for (const turned of [false, true]) {
          const [b, at] = [batch ? [batch] : [], batch ? 1 : 0];
          const [x, y] = turned ? [[...b, terms, m], [n, terms, ...b]] : [[...b, m, terms], [...b, terms, n]];
          const batches = batch ? `lhs_batch_dims={0}, rhs_batch_dims={${turned ? 2 : 0}}, ` : '';
          const text = `ENTRY e { x = ${type}[${x}] parameter(0) y = ${type}[${y}] parameter(1)
            d = ${type}[${[...b, m, n]}] dot(x, y), ${batches}lhs_contracting_dims={${turned ? at : at + 1}}, rhs_contracting_dims={${turned ? 1 : at}} ROOT r = ${type}[${[...b, m, n]}] negate(d) }`;
          await agrees(text, [floats(product(x), /** @type {any} */ (of)), floats(product(y), /** @type {any} */ (of))], type === 's32' ? 'exact' : 'sum');
          const executable = await contestants[0].compile(contestants[0].parse(`HloModule m\n${text}`));
          const ops = executable.plan.routines[0].steps.flatMap((/** @type {any} */ step) => step.ops ?? step.op);
          assert.equal(ops.includes('dot'), false, text);
          executable.dispose();
        }
      }
});

test('c128 in the layouts that calls of LAPACK have', async () => {
  await agrees(`ENTRY e { x = c128[3,3]{0,1} parameter(0)
    l = (c128[3,3]{0,1}, s32[3]{0}, s32[]) custom-call(x), custom_call_target="lapack_zgetrf_ffi", api_version=API_VERSION_TYPED_FFI
    a = c128[3,3]{0,1} get-tuple-element(l), index=0
    e = c128[3,3]{1,0} exponential(a) r = f64[3,3]{0,1} real(a) i = f64[3,3]{1,0} imag(a)
    ROOT t = (c128[3,3]{1,0}, f64[3,3]{0,1}, f64[3,3]{1,0}) tuple(e, r, i) }`, [floats(18, Float64Array)], 'sum');
  // A call tells layouts apart no more than other operations: what is beside it becomes loops.
  const text = `HloModule m\nENTRY e { x = f64[4,4]{0,1} parameter(0) y = f64[4096] parameter(1)
    l = (f64[4,4]{0,1}, s32[4]{0}, s32[]) custom-call(x), custom_call_target="lapack_dgetrf_ffi", api_version=API_VERSION_TYPED_FFI
    a = f64[4,4]{0,1} get-tuple-element(l), index=0 s = f64[4096] sine(y) m = f64[4096] multiply(s, s) p = f64[4096] add(m, y)
    ROOT t = (f64[4,4]{0,1}, f64[4096]) tuple(a, p) }`;
  const executable = await contestants[0].compile(contestants[0].parse(text));
  const ops = executable.plan.routines[0].steps.map((/** @type {any} */ { op }) => op);
  executable.dispose();
  assert.deepEqual(ops.filter((/** @type {string} */ op) => op !== 'custom-call'), ['fusion']);
});

test('complex numbers: dots, convolutions and sums', async () => {
  for (const [type, of] of /** @type {const} */ ([['c64', Float32Array], ['c128', Float64Array]])) {
    await agrees(`ENTRY e { x = ${type}[3,17,9] parameter(0) y = ${type}[3,9,21] parameter(1)
      ROOT d = ${type}[3,17,21] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} }`,
    [floats(2 * 3 * 17 * 9, of), floats(2 * 3 * 9 * 21, of)], 'sum');
    await agrees(`${sum(type)}\nENTRY e { x = ${type}[13,37] parameter(0) z = ${type}[] constant((1, -2)) ROOT r = ${type}[13] reduce(x, z), dimensions={1}, to_apply=sum }`,
      [floats(2 * 13 * 37, of)], 'sum');
  }
  await agrees(`product { a = c128[] parameter(0) b = c128[] parameter(1) ROOT r = c128[] multiply(a, b) }
    ENTRY e { x = c128[13,5,37] parameter(0) z = c128[] constant((1, -2)) ROOT r = c128[13,37] reduce(x, z), dimensions={1}, to_apply=product }`,
  [floats(2 * 13 * 5 * 37, Float64Array)], 'ulp 64');
  await agrees('ENTRY e { x = c64[2,9,9,5] parameter(0) w = c64[3,3,5,7] parameter(1) ROOT c = c64[2,9,9,7] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f }',
    [floats(2 * 2 * 81 * 5), floats(2 * 9 * 35)], 'sum');
});

/** Floats of 8, 6 and 4 bits, and how many codes they have. @type {[string, number][]} */
const smallFloats = [['f8e3m4', 256], ['f8e4m3', 256], ['f8e4m3fn', 256], ['f8e5m2', 256], ['f8e4m3b11fnuz', 256], ['f8e4m3fnuz', 256], ['f8e5m2fnuz', 256],
  ['f6e2m3fn', 64], ['f6e3m2fn', 64], ['f4e2m1fn', 16]];

test('floats of 8 bits and fewer: every code to f32, f16 and s32', async () => {
  for (const [type, codes] of [...smallFloats, /** @type {const} */ (['f8e8m0fnu', 256])])
    for (const to of ['f32', 'f16', 'f64', 's32'])
      await agrees(`ENTRY e { x = ${type}[${codes}] parameter(0) ROOT r = ${to}[${codes}] convert(x) }`, [bytes(codes)], 'exact');
});

test('floats of 8 bits and fewer: from f32, at each code, half-way between codes, beside it, and beyond the largest', async () => {
  const halves = Float32Array.from({ length: 65536 }, (_, i) => new Float32Array(Uint32Array.of(i << 16).buffer)[0]);
  const beside = Float32Array.from({ length: 65536 }, (_, i) => new Float32Array(Uint32Array.of((i << 16) | (i % 2 ? 1 : 0xffff)).buffer)[0]);
  for (const [type] of smallFloats) {
    for (const values of [halves, beside]) await agrees(`ENTRY e { x = f32[65536] parameter(0) ROOT r = ${type}[65536] convert(x) }`, [values], 'exact');
    await agrees(`ENTRY e { x = f16[4096] parameter(0) ROOT r = ${type}[4096] convert(x) }`, [Uint16Array.from({ length: 4096 }, (_, i) => i * 16 + 3)], 'exact');
  }
  for (const type of ['f4e2m1fn', 'f6e2m3fn', 'f6e3m2fn'])
    for (const values of [halves, beside])
      await agrees(`ENTRY e { x = f32[65536] parameter(0) n = ${type}[65536] convert(x) ROOT r = f32[65536] convert(n) }`, [values], 'exact');
});

test('integers of 4 and 2 bits on the way from one type to another', async () => {
  for (const type of ['s4', 'u4', 's2', 'u2'])
    for (const from of ['s8', 'u8', 's32'])
      for (const to of ['f32', 's32', 'bf16']) {
        const values = from === 's32' ? Int32Array.from({ length: 256 }, (_, i) => i * 1237 - 99999) : from === 's8' ? Int8Array.from(bytes(256)) : bytes(256);
        await agrees(`ENTRY e { x = ${from}[256] parameter(0) n = ${type}[256] convert(x) ROOT r = ${to}[256] convert(n) }`, [values], 'exact');
      }
  for (const type of ['s4', 'u4'])
    await agrees(`ENTRY e { x = u8[16,16] parameter(0) n = ${type}[16,16,2] bitcast-convert(x) ROOT r = f32[16,16,2] convert(n) }`, [bytes(256)], 'exact');
});

test('comparisons in total order', async () => {
  const order = [-NaN, -Infinity, -1, -1e-45, -0, 0, 1e-45, 1, Infinity, NaN];
  const fill = (of, every) => of.from({ length: 100 }, (_, i) => order[Math.floor(i / every) % 10]);
  for (const direction of ['LT', 'LE', 'GT', 'GE', 'EQ', 'NE']) {
    for (const [type, of] of /** @type {const} */ ([['f32', Float32Array], ['f64', Float64Array]]))
      await agrees(`ENTRY e { x = ${type}[100] parameter(0) y = ${type}[100] parameter(1) n = ${type}[100] negate(y) a = pred[100] compare(x, y), direction=${direction}, type=TOTALORDER
        b = pred[100] compare(x, n), direction=${direction}, type=TOTALORDER ROOT t = (pred[100], pred[100]) tuple(a, b) }`, [fill(of, 1), fill(of, 10)], 'exact');
    await agrees(`ENTRY e { x = bf16[100] parameter(0) y = bf16[100] parameter(1) ROOT a = pred[100] compare(x, y), direction=${direction}, type=TOTALORDER }`,
      [Uint16Array.from({ length: 100 }, (_, i) => i * 655), Uint16Array.from({ length: 100 }, (_, i) => 65535 - i * 601)], 'exact');
  }
});

test('powers by halves', async () => {
  for (const [type, of] of /** @type {const} */ ([['f32', Float32Array], ['f64', Float64Array]]))
    for (const exponent of [0.5, 1.5, -0.5, -1.5])
      for (const values of [specials(200), Float32Array.from({ length: 200 }, (_, i) => 10 ** (i / 3 - 33))])
        await agrees(`ENTRY e { x = ${type}[200] parameter(0) c = ${type}[] constant(${exponent}) b = ${type}[200] broadcast(c), dimensions={} ROOT r = ${type}[200] power(x, b) }`,
          [of.from(values)], 'ulp 3');
});

test('unsigned division by powers of two', async () => {
  for (const [type, values] of /** @type {[string, any][]} */ ([['u32', Uint32Array.from({ length: 200 }, (_, i) => i * 21474836)], ['u64', BigUint64Array.from({ length: 200 }, (_, i) => BigInt(i) * 92233720368547758n)]]))
    for (const op of ['divide', 'remainder'])
      for (const divisor of ['1', '2', '64', '2147483648', '3', '0'])
        await agrees(`ENTRY e { x = ${type}[200] parameter(0) c = ${type}[] constant(${divisor}) b = ${type}[200] broadcast(c), dimensions={} ROOT r = ${type}[200] ${op}(x, b) }`, [values], 'exact');
});

test('products of a few elements, in every order of their dimensions', async () => {
  for (const type of ['f32', 'f64', 's32'])
    for (const [m, n, k] of [[4, 4, 4], [1, 8, 8], [8, 1, 3], [5, 7, 2], [2, 12, 16], [3, 3, 17]])
      for (const [left, right] of [[1, 0], [1, 1], [0, 0], [0, 1]]) {
        const [x, y] = [left ? `6,${m},${k}` : `6,${k},${m}`, right ? `6,${n},${k}` : `6,${k},${n}`];
        const data = (/** @type {number} */ count) => (type === 's32' ? Int32Array.from({ length: count }, () => random() * 99 - 50) : floats(count, type === 'f64' ? Float64Array : Float32Array));
        await agrees(`ENTRY e { x = ${type}[${x}] parameter(0) y = ${type}[${y}] parameter(1) d = ${type}[6,${m},${n}] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={${1 + left}}, rhs_contracting_dims={${1 + right}}
          ROOT r = ${type}[6,${m},${n}] add(d, d) }`, [data(6 * m * k), data(6 * n * k)], 'sum');
      }
});

test('a bitcast within a loop', async () => {
  await agrees('ENTRY e { x = f32[300] parameter(0) y = f32[300] add(x, x) b = s32[300] bitcast-convert(y) n = s32[300] negate(b) ROOT r = f32[300] bitcast-convert(n) }', [floats(300)], 'exact');
  await agrees('ENTRY e { x = u8[300] parameter(0) s = s8[300] bitcast-convert(x) f = f32[300] convert(s) ROOT r = f32[300] add(f, f) }', [bytes(300)], 'exact');
});

const larger = `larger { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) j = s32[] parameter(3) p = pred[] compare(a, b), direction=GE
 v = f32[] select(p, a, b) k = s32[] select(p, i, j) ROOT t = (f32[], s32[]) tuple(v, k) }`;
const addExponentials = `logaddexp { a = f32[] parameter(0) b = f32[] parameter(1) m = f32[] maximum(a, b) d = f32[] subtract(a, b) n = f32[] abs(d) e = f32[] negate(n)
 x = f32[] exponential(e) l = f32[] log-plus-one(x) ROOT r = f32[] add(m, l) }`;

test('windows of several arrays: the largest element with its index', async () => {
  for (const window of ['size=1x2x2x1 stride=1x2x2x1', 'size=1x3x3x1 stride=1x2x1x1 pad=0_0x1_1x1_1x0_0', 'size=1x3x2x1 rhs_dilate=1x2x1x1', 'size=2x1x1x3 pad=1_0x0_0x0_0x1_1'])
    await agrees(`${larger}\nENTRY e { x = f32[3,12,9,5] parameter(0) i = s32[3,12,9,5] iota(), iota_dimension=1 n = f32[] constant(-inf) z = s32[] constant(0)
      ROOT r = ${resultShapes(window, [3, 12, 9, 5])} reduce-window(x, i, n, z), window={${window}}, to_apply=larger }`,
    [Float32Array.from({ length: 1620 }, () => Math.round(random() * 5))], 'exact');
});

/** @param {string} window @param {number[]} dims */
function resultShapes(window, dims) {
  const numbers = (/** @type {string} */ key, /** @type {any} */ none) => window.match(new RegExp(`${key}=(\\S+)`))?.[1].split('x') ?? dims.map(() => none);
  const [size, stride, pad, dilate] = [numbers('size', 1), numbers('stride', 1), numbers('pad', '0_0'), numbers('rhs_dilate', 1)];
  const out = dims.map((n, d) => {
    const [low, high] = pad[d].split('_').map(Number);
    return Math.floor((n + low + high - ((size[d] - 1) * dilate[d] + 1)) / stride[d]) + 1;
  });
  return `(f32[${out}], s32[${out}])`;
}

test('running totals by any computation, along rows and columns', async () => {
  for (const [dims, at] of /** @type {[number[], number][]} */ ([[[7, 40], 1], [[40, 7], 0], [[3, 40, 300], 1]])) {
    const size = dims.map((n, d) => (d === at ? n : 1)).join('x'), pad = dims.map((n, d) => (d === at ? `${n - 1}_0` : '0_0')).join('x');
    const back = dims.map((n, d) => (d === at ? `0_${n - 1}` : '0_0')).join('x');
    for (const padding of [pad, back])
      await agrees(`${addExponentials}\nENTRY e { x = f32[${dims}] parameter(0) z = f32[] constant(-inf) ROOT r = f32[${dims}] reduce-window(x, z), window={size=${size} pad=${padding}}, to_apply=logaddexp }`,
        [floats(product(dims))], 'relative 1e-5');
  }
});

test('windows and scatters of 16-bit floats', async () => {
  const halves = (/** @type {number} */ count) => Uint16Array.from({ length: count }, () => 0x3c00 + random() * 0x200 + (random() < 0.5 ? 0x8000 : 0));
  for (const type of ['f16', 'bf16']) {
    for (const op of ['maximum', 'minimum'])
      await agrees(`by { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }
        ENTRY e { x = ${type}[2,8,8,5] parameter(0) z = ${type}[] constant(0) ROOT r = ${type}[2,4,4,5] reduce-window(x, z), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=by }`, [halves(640)], 'exact');
    await agrees(`${sum(type)}\nENTRY e { x = ${type}[50,3] parameter(0) i = s32[40,1] parameter(1) u = ${type}[40,3] parameter(2) ROOT r = ${type}[50,3] scatter(x, i, u),
      update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum }`,
    [halves(150), Int32Array.from({ length: 40 }, () => random() * 30), halves(120)], 'sum');
    for (const direction of ['GE', 'LT'])
      await agrees(`${sum(type)}\nbetter { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = pred[] compare(a, b), direction=${direction} }
        ENTRY e { x = ${type}[2,8,8,5] parameter(0) s = ${type}[2,4,4,5] parameter(1) z = ${type}[] constant(0)
        ROOT r = ${type}[2,8,8,5] select-and-scatter(x, s, z), window={size=1x2x2x1 stride=1x2x2x1}, select=better, scatter=sum }`, [halves(640), halves(160)], 'exact');
  }
});

test('convolutions of a dilated input', async () => {
  let tried = 0;
  for (const [size, low, high, dilation, out] of [[4, 2, 2, 2, 0], [3, 1, 2, 2, 0], [3, 2, 1, 2, 0], [2, 0, 0, 3, 0], [5, 4, 4, 3, 0], [1, 0, 1, 2, 0], [4, -1, 3, 2, 0], [7, 3, 5, 4, 0]]) {
    const n = 6, dilated = (n - 1) * dilation + 1, length = dilated + low + high - size + 1 + out;
    for (const reversal of [0, 1])
      for (const [labels, x, w, o] of /** @type {[string, number[], number[], number[]][]} */ ([
        ['b01f_01io->b01f', [2, n, 5, 3], [size, 2, 3, 4], [2, length, 6, 4]],
        ['bf01_oi01->bf01', [2, 3, n, 5], [4, 3, size, 2], [2, 4, length, 6]],
        ['01bf_o01i->f0b1', [n, 5, 2, 3], [4, size, 2, 3], [4, length, 2, 6]]])) {
        await agrees(`ENTRY e { x = f32[${x}] parameter(0) w = f32[${w}] parameter(1) ROOT c = f32[${o}] convolution(x, w),
          window={size=${size}x2 pad=${low}_${high}x1_1 lhs_dilate=${dilation}x1 rhs_reversal=${reversal}x0}, dim_labels=${labels} }`, [floats(product(x)), floats(product(w))], 'sum');
        tried++;
      }
  }
  assert.equal(tried, 48);
  await agrees('ENTRY e { x = f32[2,5,6,3] parameter(0) w = f32[4,4,3,4] parameter(1) ROOT c = f32[2,10,12,4] convolution(x, w), window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f }',
    [floats(180), floats(192)], 'sum');
});

test('several arrays are folded over dimensions that lie apart', async () => {
  const largest = `two { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3)
    m = f32[] maximum(a, c) n = f32[] minimum(a, c) o = f32[] maximum(b, d) p = f32[] maximum(n, o) ROOT t = (f32[], f32[]) tuple(m, p) }`;
  const means = `two { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3)
    m = f32[] add(b, d) w = f32[] multiply(a, b) v = f32[] multiply(c, d) s = f32[] add(w, v) q = f32[] divide(s, m) ROOT t = (f32[], f32[]) tuple(q, m) }`;
  for (const computation of [largest, means])
    for (const [dimensions, result] of [['0,2', '5,9'], ['1,3', '7,6'], ['0,3', '5,6'], ['0,1,3', '6']])
      await agrees(`${computation}\nENTRY e { x = f32[7,5,6,9] parameter(0) y = f32[7,5,6,9] parameter(1) i = f32[] constant(-9) j = f32[] constant(0.5)
        ROOT r = (f32[${result}], f32[${result}]) reduce(x, y, i, j), dimensions={${dimensions}}, to_apply=two }`, [floats(1890), floats(1890).map(Math.abs)], 'exact');
});

test('sort by keys of one bit and of four', async () => {
  const order = (/** @type {string} */ type) => `less { a = ${type}[] parameter(0) b = ${type}[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3)
    l = pred[] compare(a, b), direction=LT q = pred[] compare(a, b), direction=EQ t = pred[] compare(c, d), direction=GT, type=TOTALORDER n = pred[] and(q, t) ROOT r = pred[] or(l, n) }`;
  for (const [type, of, draw] of /** @type {const} */ ([['pred', Uint8Array, () => random() * 2], ['s4', Int8Array, () => random() * 16 - 8], ['u4', Uint8Array, () => random() * 16], ['s2', Int8Array, () => random() * 4 - 2]]))
    for (const dimension of [0, 1]) {
      const keys = of.from({ length: 37 * 53 }, () => Math.floor(draw()));
      await agrees(`${order(type)}\nENTRY e { x = ${type}[37,53] parameter(0) y = f32[37,53] parameter(1)
        ROOT s = (${type}[37,53], f32[37,53]) sort(x, y), dimensions={${dimension}}, to_apply=less }`, [keys, specials(37 * 53)], 'exact');
    }
});

test('scatter by any computation', async () => {
  const bodies = { 'the update is not read': 'h = f32[] constant(0.5) m = f32[] multiply(a, h) ROOT r = f32[] add(m, h)',
    'a mean': 'h = f32[] constant(0.5) s = f32[] add(a, b) ROOT r = f32[] multiply(s, h)', 'the element': 'ROOT r = f32[] negate(a)' };
  const indices = Int32Array.from({ length: 40 }, () => Math.floor(random() * 24) - 2);
  for (const body of Object.values(bodies)) {
    const computation = `by { a = f32[] parameter(0) b = f32[] parameter(1) ${body} }`;
    await agrees(`${computation}\nENTRY e { x = f32[20,300] parameter(0) i = s32[40,1] parameter(1) u = f32[40,300] parameter(2)
      ROOT s = f32[20,300] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=by }`,
    [floats(6000), indices, floats(12000)], 'exact');
    await agrees(`${computation}\nENTRY e { x = f32[20] parameter(0) i = s32[40,1] parameter(1) u = f32[40] parameter(2)
      ROOT s = f32[20] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=by }`,
    [floats(20), indices, floats(40)], 'exact');
    await agrees(`${computation}\nENTRY e { x = f32[9,20,7] parameter(0) i = s32[40,1] parameter(1) u = f32[40,9,5] parameter(2)
      ROOT s = f32[9,20,7] scatter(x, i, u), update_window_dims={1,2}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, to_apply=by }`,
    [floats(1260), indices, floats(1800)], 'exact');
  }
});

test('windows over arrays with gaps in a dimension that has no window', async () => {
  const fold = (/** @type {string} */ type, /** @type {string} */ op) => `f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT c = ${type}[] ${op}(a, b) }`;
  for (const [op, init, gap] of [['multiply', -1, 2], ['xor', 5, 3], ['add', 7, 2], ['maximum', 0, 66], ['add', 0, 66]]) {
    const width = 2 * Number(gap) + 1;
    await agrees(`${fold('s32', `${op}`)}\nENTRY e { v = s32[4,3] parameter(0) z = s32[] constant(${init})
      ROOT r = s32[4,${width}] reduce-window(v, z), window={size=1x1 lhs_dilate=1x${gap}}, to_apply=f }`, [Int32Array.from({ length: 12 }, (_, i) => 3 * i - 7)], 'exact', { except: ['reduce-window'] });
  }
  await agrees(`${fold('s32', 'multiply')}\nENTRY e { v = s32[4,3,5] parameter(0) z = s32[] constant(2)
    ROOT r = s32[4,5,5] reduce-window(v, z), window={size=2x1x1 pad=1_0x0_0x0_0 lhs_dilate=1x2x1}, to_apply=f }`, [Int32Array.from({ length: 60 }, (_, i) => i - 9)], 'exact', { except: ['reduce-window'] });
  await agrees(`both { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) p = s32[] maximum(a, c) q = s32[] minimum(b, d) ROOT t = (s32[], s32[]) tuple(p, q) }
    ENTRY e { x = s32[2,3] parameter(0) z = s32[] constant(1) ROOT r = (s32[2,5], s32[2,5]) reduce-window(x, x, z, z), window={size=1x1 lhs_dilate=1x2}, to_apply=both }`,
  [Int32Array.of(3, -4, 5, 0, 2, 9)], 'exact', { except: ['reduce-window'] });
});

test('convolutions of one feature by a constant, which become depthwise ones when the input is turned', async () => {
  for (const type of ['f32', 's32'])
    for (const labels of ['bf10_io01->bf10', 'bf10_io10->bf10', 'bf01_io01->bf01', 'b01f_01io->b01f'])
      for (const [rows, columns] of [[2, 2], [2, 5], [4, 2], [6, 6]]) {
        const sizes = labels.startsWith('b0') ? `1,${rows},${columns},1` : `1,1,${rows},${columns}`;
        const kernel = labels.includes('_01io') ? '{{{{1}},{{10}}},{{{100}},{{1000}}}}' : '{{{{1,10},{100,1000}}}}';
        const shape = labels.includes('_01io') ? '2,2,1,1' : '1,1,2,2';
        const out = labels.startsWith('b0') ? `1,${rows - 1},${columns - 1},1` : `1,1,${rows - 1},${columns - 1}`;
        await agrees(`ENTRY main { a = ${type}[${sizes}] parameter(0) k = ${type}[${shape}] constant(${kernel})
          ROOT r = ${type}[${out}] convolution(a, k), window={size=2x2}, dim_labels=${labels} }`, [(type === 'f32' ? Float32Array : Int32Array).from({ length: rows * columns }, (_, i) => i + 1)], 'exact');
      }
});

test('f8e8m0fnu has neither sign nor zero', async () => {
  const values = Uint8Array.of(127, 130, 1, 254, 255, 0);
  for (const body of ['n = f8e8m0fnu[6] negate(a) ROOT r = f8e8m0fnu[6] negate(n)', 'n = f8e8m0fnu[6] negate(a) ROOT r = f8e8m0fnu[6] abs(n)', 'n = f8e8m0fnu[6] negate(a) ROOT r = f8e8m0fnu[6] subtract(a, n)'])
    await agrees(`ENTRY e { a = f8e8m0fnu[6] parameter(0) ${body} }`, [values], 'exact', { except: ['negate', 'abs', 'subtract'] });
  await agrees('ENTRY e { a = pred[2] parameter(0) b = f8e8m0fnu[2] convert(a) ROOT c = f32[2] convert(b) }', [Uint8Array.of(0, 1)], 'exact', { except: ['convert'] });
});

test('all of an array of integers, by an operation whose order does not matter', async () => {
  const types = /** @type {const} */ ({ s32: Int32Array, u32: Uint32Array, s8: Int8Array, u8: Uint8Array, s16: Int16Array });
  for (const [type, of] of Object.entries(types))
    for (const op of ['xor', 'and', 'or', 'multiply', 'add']) {
      const values = of.from({ length: 5001 }, (_, i) => (op === 'multiply' ? 2 * i + 1 : op === 'and' ? ~(i === 4000 ? 4 : 0) : i * 40503));
      const text = `f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }
        ENTRY e { x = ${type}[5001] parameter(0) z = ${type}[] parameter(1) ROOT r = ${type}[] reduce(x, z), dimensions={0}, to_apply=f }`;
      await agrees(text, [values, of.of(op === 'and' ? 127 : 3)], 'exact');
    }
});

test('equal calls of LAPACK are one, and one that nothing reads is none; but what has side effects runs', async () => {
  const call = (/** @type {string} */ name, more = '') => `${name} = (f32[3,3], s32[]) custom-call(x), custom_call_target="lapack_spotrf_ffi", backend_config={uplo = 76 : ui8}${more}`;
  for (const [text, count] of /** @type {const} */ ([
    [`${call('a')} ${call('b')} ${call('c')} u = f32[3,3] get-tuple-element(a), index=0 v = f32[3,3] get-tuple-element(b), index=0 ROOT r = f32[3,3] add(u, v)`, 1],
    [`${call('a', ', custom_call_has_side_effect=true')} ${call('b')} v = f32[3,3] get-tuple-element(b), index=0 ROOT r = f32[3,3] negate(v)`, 2]])) {
    const executable = await contestants[0].compile(contestants[0].parse(`HloModule m ENTRY e { x = f32[3,3] parameter(0) ${text} }`));
    assert.equal(executable.plan.routines[0].steps.filter(({ op }) => op === 'custom-call').length, count);
    await agrees(`ENTRY e { x = f32[3,3] parameter(0) ${text} }`, [Float32Array.of(4, 1, 0, 1, 5, 2, 0, 2, 6)], 'ulp 4');
  }
});
