// Tables of narrow elements that programs widen before they take rows of them: the rows are taken as they are stored, and they alone are widened.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { randomSource } from './emitted-programs.js';
import { gguf } from './weight-files.js';

const hlo = await load({ relaxed: false });
const threaded = await load({ relaxed: false, threads: 2, shareFrom: 0 });
const random = randomSource(12).next;
const [V, D, G, N] = [8000, 64, 32, 5];

const bits = {
  f32: (/** @type {number} */ n) => Float32Array.from({ length: n }, () => random() * 2 - 1),
  f16: (/** @type {number} */ n) => Uint16Array.from({ length: n }, () => random() * 2 ** 14),
  bf16: (/** @type {number} */ n) => Uint16Array.from({ length: n }, () => 0x3c00 + random() * 0x400),
  s8: (/** @type {number} */ n) => Int8Array.from({ length: n }, () => random() * 256 - 128),
  s4: (/** @type {number} */ n) => Int8Array.from({ length: n }, () => Math.floor(random() * 16) - 8),
  u4: (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => random() * 16),
};

/** The lines that make w of [V, D] of q and its arrays. */
const forms = {
  converted: () => ({ arrays: [], shape: [V, D], lines: [`w = f32[${V},${D}] convert(q)`] }),
  'scales of rows': () => ({
    arrays: [['f32', [V]]], shape: [V, D],
    lines: [`c = f32[${V},${D}] convert(q)`, `b = f32[${V},${D}] broadcast(a0), dimensions={0}`, `w = f32[${V},${D}] multiply(c, b)`],
  }),
  'scales of columns': () => ({
    arrays: [['f32', [D]]], shape: [V, D],
    lines: [`c = f32[${V},${D}] convert(q)`, `b = f32[${V},${D}] broadcast(a0), dimensions={1}`, `w = f32[${V},${D}] multiply(c, b)`],
  }),
  'groups with least values': () => ({
    arrays: [['f16', [V, D / G]], ['f16', [V, D / G]]], shape: [V, D / G, G],
    lines: [`c = f32[${V},${D / G},${G}] convert(q)`, `f = f32[${V},${D / G}] convert(a0)`, `b = f32[${V},${D / G},${G}] broadcast(f), dimensions={0,1}`,
      `h = f32[${V},${D / G}] convert(a1)`, `d = f32[${V},${D / G},${G}] broadcast(h), dimensions={0,1}`, `m = f32[${V},${D / G},${G}] multiply(c, b)`,
      `a = f32[${V},${D / G},${G}] add(m, d)`, `w = f32[${V},${D}] reshape(a)`],
  }),
};

const dims = (/** @type {number[]} */ d) => d.reduce((a, b) => a * b, 1);
const kernels = (/** @type {any} */ e) => e.plan.routines.flatMap((/** @type {any} */ r) => r.steps.map((/** @type {any} */ s) => s.kernel));

/** Rows of w; tied: w is the right side of a dot as well. @param {string} type @param {any} form @param {number} rows @param {boolean} tied */
function program(type, { arrays, shape, lines }, rows, tied) {
  const gather = `f32[${rows},${D}] gather(w, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,${D}}`;
  return `HloModule t\nENTRY e {\n  i = s32[${rows}] parameter(0)\n  q = ${type}[${shape}] parameter(1)\n  ${arrays
    .map(([t, d], /** @type {number} */ n) => `a${n} = ${t}[${d}] parameter(${n + 2})\n  `).join('')}${lines.join('\n  ')}\n  ${tied
    ? `g = ${gather}\n  ROOT y = f32[${rows},${V}] dot(g, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}` : `ROOT g = ${gather}`}\n}\n`;
}

for (const name of Object.keys(forms))
  test(`rows of a table, ${name}`, async () => {
    for (const type of Object.keys(bits).slice(1))
      for (const rows of [N, 1])
        for (const tied of [false, true]) {
          const form = forms[name]();
          const what = `${type}, ${rows} rows${tied ? ', tied' : ''}`;
          const values = [bits[type](dims(form.shape)), ...form.arrays.map(([t, d]) => bits[t](dims(d)))];
          const indices = Int32Array.from([3, V - 1, -5, 2 * V, 7000].slice(0, rows));
          const module = hlo.parse(program(type, form, rows, tied));
          const reference = await hlo.compile(module, { reference: true });
          const expected = reference.run([indices, ...values]).toTypedArray();
          const most = Math.max(...expected.map(Math.abs));
          const near = (/** @type {any} */ got, /** @type {string} */ how) => {
            if (!tied) assert.deepEqual(got, expected, `${what}, ${how}`);
            else got.forEach((/** @type {number} */ v, /** @type {number} */ n) => assert.ok(Math.abs(v - expected[n]) <= 2 ** -23 * 12 * most, `${what}, ${how}, ${n}: ${v}, ${expected[n]}`));
          };
          for (const runtime of [hlo, threaded]) {
            const executable = await runtime.compile(runtime.parse(program(type, form, rows, tied)));
            near(executable.run([indices, ...values]).toTypedArray(), 'arguments');
            assert.ok(executable.plan.workspace_bytes < 2 * V * D, `${what}: ${executable.plan.workspace_bytes}, ${kernels(executable)}`);
          }
          const shapes = [[type, form.shape], ...form.arrays];
          const constants = Object.fromEntries(shapes.map(([t, d], n) => [n ? `a${n - 1}` : 'q', hlo.tensor(values[n], `${t}[${d}]`)]));
          const weights = await hlo.weights(constants);
          const bound = await hlo.compile(module, { constants: weights });
          near(bound.run([indices]).toTypedArray(), 'bound');
          const { packed_bytes: packed, workspace_bytes: workspace } = bound.plan;
          const { constants: held } = bound.memory;
          const bytes = V * D * (/4$/.test(type) ? 0.5 : type === 's8' ? 1 : 2) + form.arrays.reduce((a, [t, d]) => a + dims(d) * (t === 'f32' ? 4 : 2), 0);
          const scales = tied && form.arrays.length === 2 ? (8 * V * D) / G : 0; // in f32 for the dot, unless it reads 4 bits
          assert.ok(packed + held <= 1.01 * bytes + scales && workspace < 2 * V * D, `${what}: ${packed} + ${held} + ${workspace} of ${bytes}, ${kernels(bound)}`);
          weights.dispose();
        }
  });

test('numbers of 4 bits of a file stay two in a byte, for a gather and a dot at once', async () => {
  const alone = await load();
  const [n, k] = [32768, 64];
  const blocks = new Uint8Array((n * k / 32) * 18);
  for (let i = 0; i < blocks.length; i++) blocks[i] = i % 18 === 0 ? 0 : i % 18 === 1 ? 0x2c + (i % 7) : (i * 7919) % 251;
  const weights = await alone.weights(gguf([], [['w', 'Q4_0', [n, k], blocks]]));
  assert.equal(weights.get('w').byteSize, (n * k) / 2);
  const text = `HloModule t\nENTRY e {\n  i = s32[2] parameter(0)\n  w = s4[${n},${k}] parameter(1)\n  s = f16[${n},2] parameter(2)
  q = s4[${n},2,32] reshape(w)\n  c = f32[${n},2,32] convert(q)\n  f = f32[${n},2] convert(s)\n  b = f32[${n},2,32] broadcast(f), dimensions={0,1}
  m = f32[${n},2,32] multiply(c, b)\n  e = f32[${n},${k}] reshape(m)
  g = f32[2,${k}] gather(e, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,${k}}
  ROOT y = f32[2,${n}] dot(g, e), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n`;
  const inputs = [Int32Array.from([5, n - 1])];
  const reference = await alone.compile(alone.parse(text), { reference: true });
  const expected = reference.run([...inputs, weights.tensor('w'), weights.tensor('w.scale')]).toTypedArray();
  const bound = await alone.compile(alone.parse(text), { constants: weights.rename((name) => (name === 'w' ? 'w' : 's')) });
  assert.deepEqual(kernels(bound).filter((/** @type {string} */ kernel) => /nibbles/.test(kernel)), ['gather_nibbles', 'f32_dot_nibbles_simd128']);
  const most = Math.max(...expected.map(Math.abs));
  bound.run(inputs).toTypedArray().forEach((/** @type {number} */ v, /** @type {number} */ j) => assert.ok(Math.abs(v - expected[j]) <= 2 ** -23 * 12 * most, `${j}: ${v}, ${expected[j]}`));
  const held = bound.plan.packed_bytes + bound.memory.constants;
  assert.ok(held <= (n * k) / 2 + 2 * 2 * n + 4096, `${held}`);
  alone.dispose();
});
