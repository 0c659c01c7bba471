// Tables of narrow elements that programs widen before they take rows of them: the rows are taken as they are stored, and they alone are widened.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { randomSource } from './emitted-programs.js';

const hlo = await load({ relaxed: false });
const threaded = await load({ relaxed: false, threads: 2, shareFrom: 0 });
const random = randomSource(12).next;
const [V, D, G, N] = [2000, 64, 32, 5];

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
          const indices = Int32Array.from([3, V - 1, -5, 2 * V, 700].slice(0, rows));
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
            assert.ok(executable.plan.workspace_bytes < (V * D) / 2, `${what}: ${executable.plan.workspace_bytes}, ${kernels(executable)}`);
          }
          const shapes = [[type, form.shape], ...form.arrays];
          const constants = Object.fromEntries(shapes.map(([t, d], n) => [n ? `a${n - 1}` : 'q', hlo.tensor(values[n], `${t}[${d}]`)]));
          const weights = await hlo.weights(constants);
          const bound = await hlo.compile(module, { constants: weights });
          near(bound.run([indices]).toTypedArray(), 'bound');
          const { packed_bytes: packed, workspace_bytes: workspace } = bound.plan;
          const { constants: held } = bound.memory;
          const bytes = V * D * (/4$/.test(type) ? 0.5 : type === 's8' ? 1 : 2) + form.arrays.reduce((a, [t, d]) => a + dims(d) * (t === 'f32' ? 4 : 2), 0);
          assert.ok(packed + held + workspace <= 1.15 * bytes + 4096 + (tied ? 4 * rows * V : 0) + (tied && form.arrays.length === 2 ? 8 * V * D / G : 0), `${what}: ${packed} + ${held} + ${workspace} of ${bytes}, ${kernels(bound)}`);
          weights.dispose();
        }
  });
