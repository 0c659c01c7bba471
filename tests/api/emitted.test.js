// Loops as WebAssembly of their own give the bits that the core's loops give; and the core goes on without where there can be none.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { host as base } from '#host';
import { compileOwn } from '#modules';
import { startPoolWorker } from '#pool';
import { Core } from '../../js/objects/core.js';
import { Runtime } from '../../js/objects/runtime.js';
import { dataOf, randomProgram, randomSource, singleOps } from './emitted-programs.js';

const emitting = await load({ relaxed: false });
const plain = await load({ emit: false });

/** Elements as texts; of NaN nothing is said but that it is one. @param {any} tensor */
const elements = (tensor) => {
  const infinity = { f16: 0x7c00, bf16: 0x7f80 }[/** @type {string} */ (tensor.shape.type)] ?? Infinity;
  return Array.from(tensor.data, (value) => (Object.is(value, -0) ? '-0' : infinity < 65536 && (value & 0x7fff) > infinity ? 'NaN' : String(value)));
};
const loopsOf = (/** @type {any} */ executable) =>
  executable.plan.routines.flatMap((/** @type {any} */ routine) => routine.steps.filter((/** @type {any} */ step) => step.emitted !== undefined));

/** @param {import('../../js/objects/runtime.js').Runtime} hlo @param {string} text @param {any[]} inputs */
async function resultOf(hlo, text, inputs) {
  const module = hlo.parse(text);
  const executable = await hlo.compile(module);
  const outputs = [executable.run(inputs)].flat();
  const result = { loops: loopsOf(executable), outputs: outputs.map(elements) };
  for (const output of outputs) output.dispose();
  executable.dispose();
  module.dispose();
  return result;
}

/** @param {string} name @param {string} text @param {any[]} inputs */
async function mustBeSame(name, text, inputs) {
  const emitted = await resultOf(emitting, text, inputs);
  const expected = await resultOf(plain, text, inputs);
  assert.deepEqual(emitted.outputs, expected.outputs, `${name}\n${text}`);
  assert.ok(expected.loops.every((/** @type {any} */ step) => !step.emitted));
  return emitted.loops;
}

test('every operation, over every tail', async () => {
  const random = randomSource(1);
  const alone = new Set();
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 35, 127, 128, 129, 257])
    for (const { name, types, text } of singleOps(count)) {
      const loops = await mustBeSame(name, text, types.map((type) => dataOf(type, count, random)));
      if (count === 128 && !loops.some((step) => step.emitted)) alone.add(name);
    }
  // What has no kernel is run otherwise, and is not a loop; the bits of 64 bits are not counted in vectors.
  assert.deepEqual([...alone].filter((name) => / of (pred, )?(pred|f32|f64|s32|u32|s64|f16|bf16|s8|u8|s16|u16)/.test(name) && !/^(count-leading-zeros|popcnt) of s64/.test(name)), []);
});

test('reductions by any computation are loops where these are emitted, and folds where they are not', async () => {
  const random = randomSource(11);
  const by = (/** @type {string} */ type) => `f { a = ${type}[] parameter(0)\n b = ${type}[] parameter(1)\n p = ${type}[] multiply(a, b)\n s = ${type}[] add(a, b)\n q = ${type}[] subtract(s, p)\n ROOT r = ${type}[] maximum(q, b) }\n`;
  for (const type of ['f32', 'f64', 's32', 'bf16', 's64', 'u8'])
    for (const [dims, along, result] of [['300', '0', ''], ['5,80', '1', '5'], ['80,5', '0', '5'], ['4,20,6', '1', '4,6'], ['4,20,3', '0,2', '20']]) {
      const text = `HloModule m\n${by(type)}ENTRY e { x = ${type}[${dims}] parameter(0)\n i = ${type}[] constant(1)\n ROOT r = ${type}[${result}] reduce(x, i), dimensions={${along}}, to_apply=f }`;
      const loops = await mustBeSame('a reduction', text, [dataOf(type, dims.split(',').reduce((a, b) => a * Number(b), 1), random)]);
      assert.ok(loops.some((step) => step.emitted), text);
    }
  const products = `HloModule m\nf { a = c64[] parameter(0)\n b = c64[] parameter(1)\n ROOT r = c64[] multiply(a, b) }\nENTRY e { x = f32[320] parameter(0)\n c = f32[320] cosine(x)\n s = f32[320] sine(x)\n z = c64[320] complex(c, s)
    i = c64[] constant((1, 0))\n p = c64[] reduce(z, i), dimensions={0}, to_apply=f\n u = f32[] real(p)\n v = f32[] imag(p)\n ROOT t = (f32[], f32[]) tuple(u, v) }`;
  await mustBeSame('a product of complex numbers', products, [dataOf('f32', 320, random)]);
});

test('ops of values that each row has one of', async () => {
  const random = randomSource(7);
  for (const [rows, width] of [[1, 50], [30, 40], [7, 129]])
    for (const type of ['f32', 'f64', 's32', 'pred', 'bf16', 's64']) {
      const [first, second] = type === 'pred' ? ['not(p0)', 'not(b)'] : ['add(p0, p0)', 'negate(b)'];
      const text = `HloModule m
ENTRY e {
 p0 = ${type}[${rows}] parameter(0)
 p1 = ${type}[${rows},${width}] parameter(1)
 a = ${type}[${rows}] ${first}
 b = ${type}[${rows},${width}] broadcast(a), dimensions={0}
 n = ${type}[${rows},${width}] ${second}
 m = ${type}[${rows},${width}] ${type === 'pred' ? 'xor' : 'multiply'}(n, p1)
 ROOT r = (${type}[${rows},${width}], ${type}[${rows},${width}]) tuple(n, m)
}`;
      const loops = await mustBeSame(`${type}, ${rows} rows`, text, [dataOf(type, rows, random), dataOf(type, rows * width, random)]);
      assert.ok(loops.every((step) => step.emitted), text);
    }
});

test('maximum, minimum and clamp with constants: zeros with signs, NaN and infinities', async () => {
  const numbers = [0, -0, 1, -1, NaN, Infinity, -Infinity, 5e-324, 1e-45, 3, 6, 7, -3];
  for (const type of ['f32', 'f64']) {
    const array = `${type}[${numbers.length}]`, data = type === 'f32' ? Float32Array.from(numbers) : Float64Array.from(numbers);
    for (const limit of ['0', '-0', '6', '-1', 'inf', '-inf', 'nan'])
      for (const op of ['maximum(x, b)', 'maximum(b, x)', 'minimum(x, b)', 'minimum(b, x)', 'clamp(c, x, o)', 'clamp(o, x, c)', 'clamp(b, x, b)', 'clamp(x, b, y)']) {
        const text = `HloModule m
ENTRY e {
 p = ${array} parameter(0)
 z = ${array} parameter(1)
 x = ${array} add(p, z)
 c = ${type}[] constant(${limit})
 b = ${array} broadcast(c), dimensions={}
 o = ${type}[] constant(3)
 y = ${array} broadcast(o), dimensions={}
 m = ${array} ${op}
 ROOT r = ${array} add(m, z)
}`;
        const loops = await mustBeSame(`${op} of ${type}, ${limit}`, text, [data, data.map(() => -0)]);
        assert.ok(loops.length > 0 && loops.every((step) => step.emitted), text);
      }
  }
});

test('random programs: broadcasts, transposes, slices, reductions, several outputs', async () => {
  const random = randomSource(2);
  let emitted = 0;
  for (let i = 0; i < 400; i++) {
    const { parameters, text } = randomProgram(random);
    const inputs = parameters.map(({ type, count }) => dataOf(type, count, random));
    emitted += (await mustBeSame(`program ${i}`, text, inputs)).filter((step) => step.emitted).length;
  }
  assert.ok(emitted > 200, `${emitted} loops were emitted`);
});

test('rows of two or three elements, of which four are computed at once', async () => {
  const random = randomSource(9);
  const folds = { f32: ['add', 'maximum', 'minimum', 'multiply'], f64: ['add', 'multiply'], s32: ['add', 'maximum'], u32: ['minimum', 'add'], s64: ['add'], u8: ['maximum'], bf16: ['add'], f16: ['add'], pred: ['or', 'and'] };
  let emitted = 0;
  for (const [type, ops] of Object.entries(folds))
    for (const op of ops)
      for (const width of [2, 3])
        for (const [a, b] of [[1, 4], [1, 5], [1, 7], [1, 64], [3, 4], [3, 7], [5, 9]]) {
          const [times, plus] = type === 'pred' ? ['xor', 'or'] : ['multiply', 'subtract'];
          const unit = { maximum: { f32: '-inf', s32: '-2147483648', u8: '0' }[type], minimum: { f32: 'inf', u32: '4294967295' }[type], multiply: '1', or: 'false', and: 'true' }[op] ?? '0';
          const [rows, all, wide] = [`${type}[${a},${b}]`, `${type}[${a},${b},${width}]`, `${type}[${a},${b},5]`];
          const text = `HloModule m
f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }
ENTRY e {
 x = ${all} parameter(0)
 t = ${rows} parameter(1)
 v = ${type}[${width}] parameter(2)
 columns = ${type}[${width},${a},${b}] parameter(3)
 wide = ${wide} parameter(4)
 outer = ${type}[${a},${width}] parameter(5)
 inner = ${type}[${b},${width}] parameter(6)
 z = ${type}[] constant(${unit})
 bt = ${all} broadcast(t), dimensions={0,1}
 bv = ${all} broadcast(v), dimensions={2}
 bo = ${all} broadcast(outer), dimensions={0,2}
 bi = ${all} broadcast(inner), dimensions={1,2}
 c = ${all} transpose(columns), dimensions={1,2,0}
 w = ${all} slice(wide), slice={[0:${a}],[0:${b}],[1:${width + 1}]}
 y = ${all} ${times}(x, bt)
 p = ${all} ${plus}(y, bv)
 q = ${all} ${plus}(p, c)
 s = ${all} ${plus}(q, w)
 r = ${rows} reduce(s, z), dimensions={2}, to_apply=f
 br = ${all} broadcast(r), dimensions={0,1}
 n = ${all} ${plus}(s, br)
 d = ${all} ${plus}(bo, bi)
 m = ${all} ${times}(d, d)
 k = ${rows} reduce(m, z), dimensions={2}, to_apply=f
 h = pred[${a},${b},${width}] compare(n, d), direction=${type === 'pred' ? 'NE' : 'LT'}
 ROOT o = (${all}, ${rows}, ${all}, ${rows}, pred[${a},${b},${width}]) tuple(y, r, n, k, h)
}`;
          const counts = [a * b * width, a * b, width, a * b * width, a * b * 5, a * width, b * width];
          const loops = await mustBeSame(`${op} of ${type}`, text, counts.map((count) => dataOf(type, count, random)));
          emitted += loops.filter((step) => step.emitted).length;
        }
  assert.ok(emitted > 200, `${emitted} loops were emitted`);
});

test('rows of three elements: shifts by a count of each row, functions that call kernels', async () => {
  const random = randomSource(10);
  for (const type of ['s32', 'u32', 'u8', 's64', 'u64'])
    for (const op of ['shift-left', 'shift-right-logical', 'shift-right-arithmetic']) {
      const text = `HloModule m\nENTRY e {\n x = ${type}[9,3] parameter(0)\n n = ${type}[9] parameter(1)\n b = ${type}[9,3] broadcast(n), dimensions={0}\n y = ${type}[9,3] ${op}(x, b)\n ROOT z = ${type}[9,3] add(y, x)\n}`;
      const [values, counts] = [dataOf(type, 27, random), dataOf(type, 9, random)];
      for (let i = 0; i < 9; i++) counts[i] = type.endsWith('64') ? BigInt([0, 1, 31, 63, 64, 5, 40, 7, 2][i]) : [0, 1, 31, 32, 33, 5, 7, 8, 2][i];
      await mustBeSame(`${op} of ${type}`, text, [values, counts]);
    }
  for (const op of ['sine', 'tan', 'log', 'exponential', 'cbrt', 'erf']) {
    const text = `HloModule m\nENTRY e {\n x = f32[9,3] parameter(0)\n n = f32[9] parameter(1)\n f = f32[9] ${op}(n)\n b = f32[9,3] broadcast(f), dimensions={0}\n g = f32[9,3] ${op}(x)\n ROOT z = f32[9,3] add(g, b)\n}`;
    for (const scale of [1, 1e20]) await mustBeSame(op, text, [27, 9].map((count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i + 1) * scale * (i % 5))));
  }
});

test('shifts by a count of each element, however large', async () => {
  const counts = Array.from({ length: 80 }, (_, i) => [i, -1, -31, 255, 256, 287, 2 ** 31 - 1, -(2 ** 31)][i < 70 ? 0 : i % 8]);
  const random = randomSource(11);
  for (const type of ['s32', 'u32', 's8', 'u16'])
    for (const op of ['shift-left', 'shift-right-logical', 'shift-right-arithmetic'])
      for (const value of [-1, 1, 0x55555555, -(2 ** 31), undefined]) {
        const text = `HloModule m\nENTRY e {\n x = ${type}[80] parameter(0)\n n = ${type}[80] parameter(1)\n y = ${type}[80] ${op}(x, n)\n ROOT z = ${type}[80] add(y, x)\n}`;
        const [values, given] = [dataOf(type, 80, random), dataOf(type, 80, random)];
        if (value !== undefined) values.fill(/** @type {never} */ (value));
        given.set(/** @type {never} */ (counts));
        const loops = await mustBeSame(`${op} of ${type}`, text, [values, given]);
        assert.ok(loops.some((/** @type {any} */ step) => step.emitted), text);
      }
});

test('rows of every second to fifth element, of one array several times', async () => {
  const random = randomSource(31);
  for (const type of ['f32', 's32', 'f64', 'f16', 'u8', 'pred'])
    for (const [rows, count, step] of [[1, 64, 2], [1, 67, 3], [7, 9, 2], [5, 33, 3], [3, 18, 4], [4, 21, 5], [300, 1, 3], [2, 2, 2]]) {
      const slices = Array.from({ length: step }, (_, n) => ` s${n} = ${type}[${rows},${count}] slice(p), slice={[0:${rows}], [${n}:${count * step}:${step}]}\n`).join('');
      const [both, again] = type === 'pred' ? ['xor', 'and'] : ['add', 'multiply'];
      const text = `HloModule m
ENTRY e {
 p = ${type}[${rows},${count * step}] parameter(0)
${slices} a = ${type}[${rows},${count}] ${both}(s0, s1)
 b = ${type}[${rows},${count}] ${again}(a, s${step - 1})
 ROOT r = (${type}[${rows},${count}], ${type}[${rows},${count}]) tuple(a, b)
}`;
      const loops = await mustBeSame(`${type} ${rows} ${count} ${step}`, text, [emitting.tensor(dataOf(type, rows * count * step, random), `${type}[${rows},${count * step}]`)]);
      if (step < 5 && count > 1) assert.ok(loops.some((/** @type {any} */ loop) => loop.ops?.includes('slice')), text); // the loop reads the array itself
    }
});

test('whole numbers of 64 bits to real ones, and back: halfway, too large, NaN', async () => {
  const random = randomSource(23);
  const whole = BigInt64Array.from({ length: 4099 }, (_, i) => {
    const sign = i % 2 ? -1n : 1n, power = 1n << BigInt((i >> 1) % 64), near = [0n, 1n, -1n, power >> 24n, (power >> 24n) + 1n, (power >> 24n) - 1n, power >> 53n, (power >> 53n) + 1n, 3n * (power >> 25n)];
    return i < 2400 ? sign * (power + near[(i >> 7) % near.length]) : BigInt.asIntN(64, BigInt(Math.floor(random.next() * 2 ** 53)) << BigInt(i % 48));
  });
  const edges = [0, -0, 0.5, -0.5, 2 ** 31, -(2 ** 31) - 0.75, 2 ** 32 - 0.25, 2 ** 52 + 0.5, 2 ** 63, -(2 ** 63), 2 ** 63 - 1024, -(2 ** 63) - 2048, 1e300, -1e300, NaN, Infinity, -Infinity, 5e-324];
  const real = Float64Array.from({ length: 4099 }, (_, i) => edges[i] ?? (random.next() - 0.5) * 2 ** (i % 70));
  /** A convert, and something before or behind it, so that it is a loop. */
  const loop = (/** @type {string} */ from, /** @type {string} */ to) => `HloModule m
ENTRY e { p = ${from}[4099] parameter(0) a = ${from}[4099] add(p, p) b = ${to}[4099] convert(p) c = ${to}[4099] convert(a) ROOT r = (${to}[4099], ${to}[4099]) tuple(b, c) }`;
  for (const to of ['f32', 'f64']) assert.ok((await mustBeSame(to, loop('s64', to), [emitting.tensor(whole, 's64[4099]')])).some((/** @type {any} */ step) => step.emitted));
  assert.ok((await mustBeSame('from f64', loop('f64', 's64'), [emitting.tensor(real, 'f64[4099]')])).some((/** @type {any} */ step) => step.emitted));
  assert.ok((await mustBeSame('from f32', loop('f32', 's64'), [emitting.tensor(Float32Array.from(real), 'f32[4099]')])).some((/** @type {any} */ step) => step.emitted));
});

test('f16: every number, and every way to round to one', async () => {
  const mantissas = [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x2fff, 0x3000, 0x3001, 0x5000, 0x400000, 0x7fe000, 0x7fefff, 0x7ff000, 0x7fffff, 0x123456, 0x6db6db];
  const floats = new Float32Array(Uint32Array.from({ length: 512 * mantissas.length }, (_, i) => Math.floor(i / mantissas.length) * 2 ** 23 + mantissas[i % mantissas.length]).buffer);
  const n = floats.length;
  const rounded = `HloModule r\nENTRY e {\n x = f32[${n}] parameter(0)\n h = f16[${n}] convert(x)\n y = f32[${n}] convert(h)\n ROOT t = (f16[${n}], f32[${n}]) tuple(h, y)\n}\n`;
  const through = `HloModule t\nENTRY e {\n x = f32[${n}] parameter(0)\n h = f16[${n}] convert(x)\n y = f32[${n}] convert(h)\n ROOT z = f32[${n}] negate(y)\n}\n`;
  const halves = 'HloModule h\nENTRY e {\n x = f16[65536] parameter(0)\n y = f32[65536] convert(x)\n ROOT z = f32[65536] negate(y)\n}\n';
  for (const [text, input] of /** @type {[string, any][]} */ ([[rounded, floats], [through, floats], [halves, Uint16Array.from({ length: 65536 }, (_, i) => i)]])) {
    const loops = await mustBeSame('f16', text, [input]);
    assert.ok(loops.some((/** @type {any} */ step) => step.emitted), text);
    const reference = await plain.compile(plain.parse(text), { reference: true });
    assert.deepEqual([reference.run([input])].flat().map(elements), (await resultOf(emitting, text, [input])).outputs, text);
  }
});

test('softmax: one step or two, rows that end within them, powers that are no normal numbers', async () => {
  const fills = [[0, -3.5, 2.25], [0, -87.3, -88, -95.5, -103.9, -104.1, -1000], [0, -Infinity], [-Infinity], [1, NaN], [Infinity, 1], [88, 89, 1e38, -1e38]];
  for (const width of [2, 5, 16, 17, 31, 32, 48, 64, 100, 128, 144, 160, 257, 288, 400, 1056])
    for (const fill of fills) {
      const text = `HloModule m
most { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { x = f32[3,${width}] parameter(0) i = f32[] constant(-inf) z = f32[] constant(0) m = f32[3] reduce(x, i), dimensions={1}, to_apply=most
 b = f32[3,${width}] broadcast(m), dimensions={0} d = f32[3,${width}] subtract(x, b) p = f32[3,${width}] exponential(d)
 s = f32[3] reduce(p, z), dimensions={1}, to_apply=sum c = f32[3,${width}] broadcast(s), dimensions={0} ROOT r = f32[3,${width}] divide(p, c) }`;
      const x = Float32Array.from({ length: 3 * width }, (_, i) => fill[i % fill.length] - (i % 7) / 8);
      const loops = await mustBeSame(`softmax of ${width}, ${fill}`, text, [x]);
      assert.ok(loops.some((step) => step.emitted));
    }
});

test('reductions of zeros with signs, NaN and infinities', async () => {
  for (const width of [1, 3, 4, 7, 16, 19, 128, 130, 400])
    for (const [op, init] of [['add', '-0'], ['multiply', '1'], ['maximum', '-inf'], ['minimum', 'inf']])
      for (const fill of [[-0], [0], [-0, 0], [0, -0], [NaN, 1], [-NaN, -1], [1, Infinity, -Infinity], [-1, -2], [-Infinity], [1e-40, -1e-40]]) {
        const text = `HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] ${op}(a, b) }
ENTRY e { x = f32[5,${width}] parameter(0) i = f32[] constant(${init}) r = f32[5] reduce(x, i), dimensions={1}, to_apply=f
 b = f32[5,${width}] broadcast(r), dimensions={0} s = f32[5,${width}] subtract(x, b) ROOT t = (f32[5], f32[5,${width}]) tuple(r, s) }`;
        const x = Float32Array.from({ length: 5 * width }, (_, i) => fill[i % fill.length]);
        const bits = new Uint32Array(x.buffer);
        if (Object.is(fill[0], NaN) && fill[1] < 0) for (let i = 0; i < x.length; i += 2) bits[i] |= 0x80000000; // NaN whose sign is set
        const loops = await mustBeSame(`${op} of ${fill}`, text, [x]);
        assert.ok(width === 1 || loops.some((step) => step.emitted));
      }
});

test('reductions of short rows, of every kind', async () => {
  const random = randomSource(17);
  const kinds = { s32: ['add', 'minimum', 'xor'], u32: ['maximum', 'multiply'], s64: ['add', 'maximum', 'minimum', 'or'], u64: ['add', 'and'], f32: ['add', 'minimum'], f64: ['multiply', 'maximum'] };
  for (const width of [2, 3, 4, 5, 8, 12, 13, 16, 31, 32, 47, 64, 65])
    for (const [type, ops] of Object.entries(kinds))
      for (const op of ops) {
        const text = `HloModule m
f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }
ENTRY e { x = ${type}[517,${width}] parameter(0) i = ${type}[] constant(1) ROOT r = ${type}[517] reduce(x, i), dimensions={1}, to_apply=f }`;
        const loops = await mustBeSame(`${op} of ${type}, rows of ${width}`, text, [dataOf(type, 517 * width, random)]);
        const isShort = type[0] === 'f' && op.startsWith('m') && op !== 'multiply' ? width <= 3 || (width <= 12 && width % 4 === 0) : width <= (type.endsWith('64') ? 32 : 64);
        if (517 * width >= 1024) assert.equal(loops.some((step) => step.emitted), isShort, text);
      }
});

/** A core whose table can be looked at. */
const newCore = async () => Core.instantiate({ ...base, startPoolWorker }, await compileOwn('single'), { emits: true });

const chain = (/** @type {string} */ size) => `HloModule m
ENTRY e { x = f32[${size}] parameter(0) t = f32[${size}] tanh(x) ROOT y = f32[${size}] multiply(t, x) }`;

test('a module is written the same every time, equal loops once', async () => {
  const core = await newCore();
  const hlo = new Runtime(core);
  const text = `HloModule m
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT l = pred[] compare(a, b), direction=LT }
ENTRY e { x = f32[64,4] parameter(0) a = f32[64,4] tanh(x) b = f32[64,4] multiply(a, x)
 s = f32[64,4] sort(b), dimensions={1}, to_apply=less c = f32[64,4] tanh(s) ROOT d = f32[64,4] multiply(c, s) }`;
  const executable = await hlo.compile(hlo.parse(text));
  assert.ok(loopsOf(executable).length >= 2);
  const write = () => {
    core.begin();
    const count = core.call('executable_emit', executable.pointer);
    return { count, bytes: core.answerBytes() };
  };
  const first = write();
  assert.deepEqual(write(), first);
  assert.ok(WebAssembly.validate(first.bytes));
  assert.ok(first.count < loopsOf(executable).length, 'two loops are one function');
  assert.ok(first.bytes.length < 16384);
});

test('a module of loops imports the table only if they call functions of it', async () => {
  const core = await newCore();
  const hlo = new Runtime(core);
  const importsOf = async (/** @type {string} */ op) => {
    const executable = await hlo.compile(hlo.parse(`HloModule m\nENTRY e { x = f32[64,4] parameter(0) a = f32[64,4] ${op}(x) ROOT b = f32[64,4] multiply(a, x) }`));
    core.begin();
    assert.equal(core.call('executable_emit', executable.pointer), 1);
    return WebAssembly.Module.imports(new WebAssembly.Module(core.answerBytes())).map(({ name }) => name);
  };
  assert.deepEqual(await importsOf('negate'), ['memory']);
  assert.deepEqual(await importsOf('sine'), ['memory', 'table']);
});

test('places of disposed executables are used again', async () => {
  const core = await newCore();
  const hlo = new Runtime(core);
  const table = core.exports.__indirect_function_table;
  const kept = await hlo.compile(hlo.parse(chain('10')));
  let length = 0;
  for (let i = 1; i < 20; i++) {
    const executable = await hlo.compile(hlo.parse(chain(String(i))));
    if (i === 1) length = table.length;
    assert.deepEqual(loopsOf(executable).map((/** @type {any} */ step) => step.emitted), [true]);
    executable.dispose();
  }
  assert.equal(table.length, length);
  assert.deepEqual(kept.run([new Float32Array(10).fill(1)]).toArray()[9], Math.fround(Math.tanh(1)));
});

test('dynamic modules are emitted when they meet a shape', async () => {
  const text = `func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %x : tensor<?xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}`;
  const executable = /** @type {any} */ (await emitting.compile(emitting.parse(text)));
  executable.run([new Float32Array([1, 2, 3])]);
  const loops = loopsOf(executable.specializations[0]);
  assert.ok(loops.length === 1 && loops[0].emitted);
});

test('a host that compiles no modules', async (t) => {
  const refusing = await load();
  t.mock.method(WebAssembly, 'Module', function refuse() {
    throw new WebAssembly.CompileError('refused by policy');
  });
  const executable = await refusing.compile(refusing.parse(chain('9')));
  assert.deepEqual(loopsOf(executable).map((/** @type {any} */ step) => step.emitted), [false]);
  assert.equal(executable.run([new Float32Array(9).fill(1)]).toArray()[8], Math.fround(Math.tanh(1)));
});

test('a table that does not grow', async (t) => {
  const full = await load();
  t.mock.method(WebAssembly.Table.prototype, 'grow', () => {
    throw new RangeError('no room');
  });
  const executable = await full.compile(full.parse(chain('9')));
  assert.deepEqual(loopsOf(executable).map((/** @type {any} */ step) => step.emitted), [false]);
  assert.equal(executable.run([new Float32Array(9).fill(1)]).toArray()[8], Math.fround(Math.tanh(1)));
});

// ---- While loops ----

/**
 * A loop over a state of one counter and more.
 * @param {string[]} types of the state behind the counter @param {string} body what it does with v0, v1, ...: names n0, n1, ...
 * @param {string} [condition] of the state @param {string} [before] further computations
 */
const loopOf = (types, body, condition = 'c = s32[] get-tuple-element(p), index=0 t = s32[] constant(5) ROOT r = pred[] compare(c, t), direction=LT', before = '') => {
  const state = `(s32[], ${types.join(', ')})`;
  const parts = types.map((type, i) => `v${i} = ${type} get-tuple-element(p), index=${i + 1}`).join(' ');
  const next = types.map((_, i) => `n${i}`).join(', ');
  return `HloModule m
${before}
cond { p = ${state} parameter(0) ${condition} }
body { p = ${state} parameter(0) c = s32[] get-tuple-element(p), index=0 one = s32[] constant(1) d = s32[] add(c, one) ${parts} ${body} ROOT s = ${state} tuple(d, ${next}) }
ENTRY e { ${types.map((type, i) => `p${i} = ${type} parameter(${i})`).join(' ')} z = s32[] constant(0) s = ${state} tuple(z, ${types.map((_, i) => `p${i}`).join(', ')}) ROOT w = ${state} while(s), condition=cond, body=body }`;
};
const upTo = (/** @type {number | string} */ limit) => `c = s32[] get-tuple-element(p), index=0 t = s32[] constant(${limit}) ROOT r = pred[] compare(c, t), direction=LT`;
const aboveHalf = 'x = f32[] get-tuple-element(p), index=1 t = f32[] constant(0.5) ROOT r = pred[] compare(x, t), direction=GT';
const decay = 'a = f32[] constant(0.999) b = f32[] constant(0.001) m = f32[] multiply(v0, a) n0 = f32[] add(m, b)';

const whiles = {
  scalar: { text: loopOf(['f32[]'], decay, upTo(1000)), inputs: [new Float32Array([3])] },
  'no iteration': { text: loopOf(['f32[]'], decay, aboveHalf), inputs: [new Float32Array([0.3])] },
  'one iteration': { text: loopOf(['f32[]'], decay.replace('0.001', '0'), aboveHalf), inputs: [new Float32Array([0.5001])] },
  'until it is small': { text: loopOf(['f32[]'], decay.replace('0.001', '0'), aboveHalf), inputs: [new Float32Array([3])] },
  vector: {
    text: loopOf(['f32[37]', 'f32[]'], 'w = f32[37] broadcast(v1), dimensions={} m = f32[37] multiply(v0, w) e = f32[37] tanh(m) n0 = f32[37] add(e, v0) n1 = f32[] negate(v1)', upTo(20)),
    inputs: [Float32Array.from({ length: 37 }, (_, i) => i / 37), new Float32Array([0.5])],
  },
  'state that changes places': {
    text: loopOf(['f32[3]', 'f32[3]', 'pred[]', 'f64[40]', 'f64[40]'], 'n0 = f32[3] copy(v1) n1 = f32[3] add(v0, v1) n2 = pred[] not(v2) n3 = f64[40] copy(v4) n4 = f64[40] copy(v3)', upTo(7)),
    inputs: [new Float32Array([1, 2, 3]), new Float32Array([4, 5, 6]), new Uint8Array([1]), new Float64Array(40).fill(1), new Float64Array(40).fill(2)],
  },
  'kernels that are called': {
    text: loopOf(['f32[4,4]', 's32[]', 's32[9]'],
      `x = f32[4,4] dot(v0, v0), lhs_contracting_dims={1}, rhs_contracting_dims={0} n0 = f32[4,4] tanh(x) k = s32[] constant(7) q = s32[] remainder(d, k) n1 = s32[] add(v1, q)
       u = s32[1] reshape(n1) n2 = s32[9] dynamic-update-slice(v2, u, d)`, upTo(6)),
    inputs: [Float32Array.from({ length: 16 }, (_, i) => (i % 5) / 9), new Int32Array([1]), new Int32Array(9)],
  },
  'moves in place': {
    text: loopOf(['f32[5,9]', 'f32[2,3]', 's16[11]', 'f64[7]', 'f32[17]'],
      `three = s32[] constant(3) seven = s32[] constant(-7) m = s32[] multiply(d, three) k = s32[] add(m, seven) far = s64[] constant(4294967296) l = s64[] convert(k) big = s64[] multiply(l, far)
       u = u32[] convert(k) ul = u64[] convert(k) z = s32[] constant(0)
       a = f32[2,3] dynamic-slice(v0, l, big), dynamic_slice_sizes={2,3} b = f32[2,3] dynamic-slice(v0, u, u), dynamic_slice_sizes={2,3} e = f32[2,3] subtract(a, b)
       n1 = f32[2,3] add(v1, e) n0 = f32[5,9] dynamic-update-slice(v0, v1, ul, ul)
       t = f32[3,2] transpose(n1), dimensions={1,0} r = f32[3,2] reverse(t), dimensions={0} f = f32[6] reshape(r) g = f32[4] slice(f), slice={[1:5]}
       o = f32[] constant(0.5) h = f32[17] pad(g, o), padding=2_5_2 n4 = f32[17] add(v4, h)
       q = s16[4] slice(v2), slice={[7:11]} w = s16[7] slice(v2), slice={[0:7]} n2 = s16[11] concatenate(q, w), dimensions={0}
       y = f64[3] dynamic-slice(v3, k), dynamic_slice_sizes={3} x = f64[4] slice(v3), slice={[0:4]} n3 = f64[7] concatenate(x, y), dimensions={0}`, upTo(6)),
    inputs: [Float32Array.from({ length: 45 }, (_, i) => i / 7), Float32Array.from({ length: 6 }, (_, i) => i), Int16Array.from({ length: 11 }, (_, i) => i),
      Float64Array.from({ length: 7 }, (_, i) => i * 1.5), new Float32Array(17)],
  },
  'small parts of large arrays, in place': {
    text: loopOf(['u8[100003]', 'f32[30000]'],
      `k = s32[] constant(1103) m = s32[] multiply(d, k) a = u8[131] dynamic-slice(v0, m), dynamic_slice_sizes={131} r = u8[131] reverse(a), dimensions={0} n0 = u8[100003] dynamic-update-slice(v0, r, m)
       i = s32[1,1] reshape(m) u = f32[1] constant({2.5}) n1 = f32[30000] scatter(v1, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum`,
      upTo(9), 'sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }'),
    inputs: [Uint8Array.from({ length: 100003 }, (_, i) => i % 251), Float32Array.from({ length: 30000 }, (_, i) => i % 7)],
  },
  'kernels that loops call': {
    text: loopOf(['f32[40,40]'], `a = f32[40,40] abs(v0) x = f32[40,40] power(a, v0) y = f32[40,40] add(x, a) z = f32[40,40] dot(y, v0), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      t = f32[40,40] tan(z) n0 = f32[40,40] logistic(t)`, upTo(6)),
    inputs: [Float32Array.from({ length: 1600 }, (_, i) => (i % 13) / 9)],
  },
  'scalars that are complex numbers': {
    text: loopOf(['c64[]', 'f32[]'], `a = c64[] constant((0.9, 0.3)) m = c64[] multiply(v0, a) e = c64[] exponential(m) n0 = c64[] subtract(m, e) n1 = f32[] abs(n0)`, upTo(9)),
    inputs: [new Float32Array([0.5, -0.25]), new Float32Array(1)],
  },
  'complex numbers of two f64, one after another': {
    text: loopOf(['c128[]', 'c128[7]', 'c128[7]', 'f64[]'], `x = c128[1] dynamic-slice(v1, c), dynamic_slice_sizes={1} y = c128[] reshape(x) m = c128[] multiply(v0, y) n0 = c128[] add(m, y)
      r = c128[1] reshape(n0) n1 = c128[7] copy(v1) n2 = c128[7] dynamic-update-slice(v2, r, c) i = f64[] imag(n0) n3 = f64[] add(v3, i)`, upTo(7)),
    inputs: [new Float64Array([0.5, -0.25]), Float64Array.from({ length: 14 }, (_, i) => (i % 5) / 5 - 0.4), new Float64Array(14), new Float64Array(1)],
  },
  'scalars of few bits': {
    text: loopOf(['bf16[]', 'f16[]', 's8[]'], `a = bf16[] constant(0.7) m = bf16[] multiply(v0, a) n0 = bf16[] tanh(m) n1 = f16[] divide(v1, v1) one8 = s8[] constant(3) n2 = s8[] shift-left(v2, one8)`, upTo(9)),
    inputs: [new Uint16Array([0x3f00]), new Uint16Array([0x3800]), new Int8Array([-5])],
  },
  'a row reduced': {
    text: loopOf(['f32[5,133]'], `z = f32[] constant(0) t = f32[5] reduce(v0, z), dimensions={1}, to_apply=sum b = f32[5,133] broadcast(t), dimensions={0}
      h = f32[] constant(0.01) g = f32[5,133] broadcast(h), dimensions={} k = f32[5,133] multiply(b, g) n0 = f32[5,133] subtract(v0, k)`, upTo(9), 'sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }'),
    inputs: [Float32Array.from({ length: 665 }, (_, i) => (i % 17) / 17)],
  },
};

for (const [name, { text, inputs }] of Object.entries(whiles))
  test(`while: ${name}`, async () => {
    const loops = await mustBeSame(name, text, inputs);
    assert.ok(loops.some((step) => step.kernel === 'call' && step.emitted), JSON.stringify(loops));
  });

test('while: a large array that is read after it was updated is copied, and the loop runs step by step', async () => {
  const text = loopOf(['f32[30000]', 'f32[]'], `u = f32[1] reshape(v1) n0 = f32[30000] dynamic-update-slice(v0, u, c) x = f32[1] dynamic-slice(v0, d), dynamic_slice_sizes={1}
    y = f32[] reshape(x) n1 = f32[] add(y, v1)`, upTo(5));
  const loops = await mustBeSame('read after', text, [Float32Array.from({ length: 30000 }, (_, i) => i % 7), new Float32Array([3])]);
  assert.ok(!loops.some((step) => step.kernel === 'call' && step.emitted), JSON.stringify(loops));
});

/**
 * A loop in a loop (in a loop), each of which then takes a branch.
 * @param {number} depth of loops in the outer one @param {number} count of iterations of each @param {string} [condition] of the innermost one
 */
function nested(depth, count, condition) {
  const state = '(s32[], f32[])';
  const of = (/** @type {number} */ n) => `z${n} = s32[] constant(0) s${n} = ${state} tuple(z${n}, X) w${n} = ${state} while(s${n}), condition=cond${n}, body=body${n} x${n} = f32[] get-tuple-element(w${n}), index=1`;
  const least = (/** @type {number} */ n, /** @type {string} */ x) => `h = f32[] constant(0.7) q = pred[] compare(${x}, h), direction=LT ix = s32[] constant(${n + 1}) c3 = s32[] constant(3) u = s32[] multiply(c, ix) i = s32[] subtract(u, c3)
    k = f32[] conditional(i, ${x}, ${x}, ${x}), branch_computations={yes, no, within} n0 = f32[] conditional(q, k, ${x}), true_computation=yes, false_computation=no`;
  let before = `yes { a = f32[] parameter(0) ROOT b = f32[] negate(a) }
no { a = f32[] parameter(0) ROOT b = f32[] cosine(a) }
within { a = f32[] parameter(0) z = f32[] constant(0) q = pred[] compare(a, z), direction=GT ROOT b = f32[] conditional(q, a, a), true_computation=no, false_computation=yes }`;
  for (let n = depth; n > 0; n--) {
    const rest = n < depth ? `${of(n + 1).replace('X', 'x')} ${least(n, `x${n + 1}`)}` : least(n, 'x');
    before += `
cond${n} { p = ${state} parameter(0) ${n === depth && condition ? condition : upTo(count)} }
body${n} { p = ${state} parameter(0) c = s32[] get-tuple-element(p), index=0 o = s32[] constant(1) d = s32[] add(c, o) x = f32[] get-tuple-element(p), index=1 ${rest} ROOT s = ${state} tuple(d, n0) }`;
  }
  return loopOf(['f32[]'], `${of(1).replace('X', 'v0')} ${least(0, 'x1')}`, upTo(count), before);
}

for (const [depth, count] of [[1, 9], [2, 5], [3, 4], [1, 400], [2, 60]])
  test(`while: loops within loops, and branches: ${depth} in one, of ${count} iterations`, async () => {
    const loops = await mustBeSame('nested', nested(depth, count), [new Float32Array([0.3])]);
    assert.ok(loops.some((step) => step.kernel === 'call'));
    assert.deepEqual(loops.filter((step) => step.kernel === 'call').map((step) => step.emitted), Array(depth + 1).fill(true));
  });

test('while: a loop in a loop, that is long, is left for the host and gone on with', async () => {
  const controller = new AbortController();
  let checks = 0;
  Object.defineProperty(controller.signal, 'aborted', { get: () => (checks++, false) });
  const text = nested(1, 30).replace('constant(30) ROOT r', 'constant(20000) ROOT r');
  const executables = await Promise.all([emitting, plain].map((hlo) => hlo.compile(hlo.parse(text), { signal: controller.signal })));
  const results = executables.map((executable) => {
    checks = 0;
    const result = executable.run([new Float32Array([0.3])]).map((/** @type {any} */ tensor) => tensor.toArray());
    assert.ok(checks > 20, `${checks} checks`);
    return { result, work: executable.lastWork };
  });
  assert.deepEqual(results[0], results[1]);
});

for (const [name, { text, inputs }] of Object.entries({ scalar: whiles.scalar, nested: { text: nested(1, 9), inputs: [new Float32Array([0.3])] }, deep: { text: nested(2, 4), inputs: [new Float32Array([0.3])] } }))
  test(`while: the budget of work is counted alike: ${name}`, async () => {
    const executables = await Promise.all([emitting, plain].map((hlo) => hlo.compile(hlo.parse(text))));
    const passes = (/** @type {any} */ executable, /** @type {number} */ workBudget) => {
      try {
        executable.run(inputs, { workBudget }).forEach((/** @type {any} */ tensor) => tensor.dispose());
        return true;
      } catch (error) {
        assert.equal(/** @type {any} */ (error).code, 'LIMIT');
        return false;
      }
    };
    let [low, high] = [1, 2000000];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (passes(executables[1], middle)) high = middle;
      else low = middle + 1;
    }
    const some = Array.from({ length: 60 }, (_, i) => Math.floor((low * i) / 60) + (i % 7));
    for (const budget of [1, 2, 3, 10, 500, ...some, low - 8, low - 7, low - 6, low - 5, low - 4, low - 3, low - 2, low - 1, low, low + 1])
      if (budget > 0) assert.deepEqual(executables.map((executable) => passes(executable, budget)), [budget >= low, budget >= low], `a budget of ${budget}, ${low} are needed`);
  });

test('while: a loop without end is stopped, in another one as well', async () => {
  const always = 'ROOT t = pred[] constant(true)';
  for (const text of [loopOf(['f32[]'], decay, always), nested(1, 9, always), nested(3, 9, always)]) {
    const controller = new AbortController();
    const executable = await emitting.compile(emitting.parse(text), { signal: controller.signal });
    assert.throws(() => executable.run([new Float32Array([1])], { workBudget: 100000 }), { code: 'LIMIT' });
    let checks = 0;
    Object.defineProperty(controller.signal, 'aborted', { get: () => ++checks > 50 });
    assert.throws(() => executable.run([new Float32Array([1])]), { code: 'ABORTED' });
  }
});

test('rows are read ahead, none beyond the last', async (t) => {
  const [rows, width] = [4, 512];
  const compile = t.mock.method(WebAssembly, 'Module');
  await emitting.compile(emitting.parse(`HloModule softmax
most { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { x = f32[${rows},${width}] parameter(0) least = f32[] constant(-inf) zero = f32[] constant(0)
  m = f32[${rows}] reduce(x, least), dimensions={1}, to_apply=most mb = f32[${rows},${width}] broadcast(m), dimensions={0}
  d = f32[${rows},${width}] subtract(x, mb) p = f32[${rows},${width}] exponential(d) s = f32[${rows}] reduce(p, zero), dimensions={1}, to_apply=sum
  sb = f32[${rows},${width}] broadcast(s), dimensions={0} ROOT r = f32[${rows},${width}] divide(p, sb) }`));
  const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (compile.mock.calls[0].arguments[0]);
  const words = Array.from(bytes.slice(0, -1), (byte, i) => byte === 0x1a && bytes.subarray(i - 5, i).includes(0x28)); // i32.load, drop
  assert.ok(words.filter(Boolean).length >= 2);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 << 15 });
  const table = new WebAssembly.Table({ initial: 1, element: 'anyfunc' });
  const [softmax] = /** @type {Function[]} */ (Object.values(new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory, table } }).exports));
  const [operands, results, part, scratch, out, end] = [16, 32, 48, 4096, 32768, 65536];
  const view = new DataView(memory.buffer);
  new Float32Array(memory.buffer).set(Array.from({ length: rows * width }, (_, i) => (i % 7) - i / 500), end / 4 - rows * width);
  view.setUint32(operands, end - rows * width * 4, true);
  view.setUint32(results, out, true);
  view.setUint32(part + 8, rows, true);
  softmax(0, operands, results, part, scratch);
  const sums = Array.from({ length: rows }, (_, row) => new Float32Array(memory.buffer, out + row * width * 4, width).reduce((a, b) => a + b, 0));
  for (const sum of sums) assert.ok(Math.abs(sum - 1) < 1e-5, `${sums}`);
});
