// Products, and functions in loops, that multiply and add in one instruction, where the host has relaxed SIMD (with a flag in Node 20):
// against sums and functions in double precision, and by any number of threads the same bits. Products of bytes are exact on every host.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { randomSource } from './emitted-programs.js';

const FLAG = '--experimental-wasm-relaxed-simd';
// (v128, v128, v128) -> v128: f32x4.relaxed_madd
const hasRelaxed = WebAssembly.validate(
  Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0, 10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b),
);

/** @param {any} hlo @param {string} type @param {number} m @param {number} n @param {number} k @param {'row' | 'column'} lhs */
function dotOf(hlo, type, m, n, k, lhs) {
  const text = `HloModule d\nENTRY e {\n  x = ${type}[${lhs === 'row' ? `${m},${k}` : `${k},${m}`}] parameter(0)\n  y = ${type}[${k},${n}] parameter(1)
  ROOT d = ${type}[${m},${n}] dot(x, y), lhs_contracting_dims={${lhs === 'row' ? 1 : 0}}, rhs_contracting_dims={0}\n}\n`;
  return hlo.compile(hlo.parse(text));
}

const constructors = { f32: Float32Array, f64: Float64Array };

if (!hasRelaxed && !process.execArgv.includes(FLAG)) {
  test('with relaxed SIMD', (t) => {
    const child = spawnSync(process.execPath, [FLAG, fileURLToPath(import.meta.url)], { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: '' } });
    if (/bad option/.test(child.stderr)) t.skip('this Node has no relaxed SIMD');
    else assert.equal(child.status, 0, child.stdout + child.stderr);
  });
} else {
  const relaxed = await load();
  const strict = await load({ relaxed: false });
  const threaded = await load({ threads: 2, shareFrom: 0 });

  test('the products are fused, unless they are asked not to be', async () => {
    for (const type of ['f32', 'f64']) {
      // x * x is 1 + 2^-11 + 2^-24: its last bit is lost in f32 alone, and lives where it is added in one instruction.
      const step = type === 'f32' ? 2 ** -12 : 2 ** -27;
      const x = new constructors[type]([1, 1 + step]);
      const y = new constructors[type]([-(1 + 2 * step), 1 + step]);
      // Among zeros, since a small product is not fused.
      const n = 20;
      const lhs = new constructors[type](n * n);
      const rhs = new constructors[type](n * n);
      for (let i = 0; i < n; i++) lhs.set(x, i * n), (rhs[i] = y[0]), (rhs[n + i] = y[1]);
      const results = [];
      for (const hlo of [relaxed, strict]) results.push((await dotOf(hlo, type, n, n, n, 'row')).run([lhs, rhs]).data[3]);
      assert.deepEqual(results, [step * step, 0], type);
    }
  });

  test('over every tail, as near as pairwise sums', async () => {
    const random = randomSource(5).next;
    for (const type of ['f32', 'f64'])
      for (const [m, n, k] of [[2, 2, 1], [3, 5, 7], [4, 8, 63], [5, 9, 64], [7, 17, 65], [33, 31, 130], [66, 40, 700], [130, 9, 1400], [17, 1100, 20],
      ...[18, 20, 22, 24, 26, 28].map((m) => [m, 8, 801])])
        for (const lhs of /** @type {('row' | 'column')[]} */ (['row', 'column'])) {
          const x = constructors[type].from({ length: m * k }, () => random() * 2 - 1);
          const y = constructors[type].from({ length: k * n }, () => random() * 2 - 1);
          const got = (await dotOf(relaxed, type, m, n, k, lhs)).run([x, y]).data;
          assert.deepEqual((await dotOf(threaded, type, m, n, k, lhs)).run([x, y]).data, got);
          const epsilon = type === 'f32' ? 2 ** -23 : 2 ** -52;
          for (let i = 0; i < m; i++)
            for (let j = 0; j < n; j++) {
              let [sum, magnitude, lost] = [0, 0, 0];
              for (let p = 0; p < k; p++) {
                const term = x[lhs === 'row' ? i * k + p : p * m + i] * y[p * n + j];
                const next = sum + term; // the rounding error of each sum is kept apart
                lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
                sum = next;
                magnitude += Math.abs(term);
              }
              const bound = epsilon * (Math.log2(k) + 4) * magnitude;
              assert.ok(Math.abs(got[i * n + j] - (sum + lost)) <= bound, `${type} ${m}×${n}×${k} ${lhs} [${i},${j}]: ${got[i * n + j]} is not ${sum + lost}`);
            }
        }
  });

  test('functions in loops are fused, unless they are asked not to be, and as near', async () => {
    const functions = { exponential: Math.exp, tanh: Math.tanh, log: Math.log, 'exponential-minus-one': Math.expm1, cbrt: Math.cbrt };
    const random = randomSource(7).next;
    for (const [op, exact] of Object.entries(functions))
      for (const count of [1, 3, 35, 1000, 4099]) {
        const text = `HloModule m\nENTRY e { x = f32[${count}] parameter(0) y = f32[${count}] ${op}(x) ROOT r = f32[${count}] negate(y) }`;
        const x = Float32Array.from({ length: count }, () => op === 'log' ? 8 * random() : 40 * random() - 20);
        const [got, shared, apart] = await Promise.all([relaxed, threaded, strict].map(async (hlo) => (await hlo.compile(hlo.parse(text))).run([x]).toArray()));
        assert.deepEqual(shared, got);
        if (count > 1000) assert.notDeepEqual(got, apart, `${op} is fused`);
        for (let i = 0; i < count; i++) {
          const expected = -exact(x[i]);
          const ulp = 2 ** (Math.floor(Math.log2(Math.abs(expected))) - 23);
          assert.ok(Math.abs(got[i] - expected) <= 3 * ulp, `${op}(${x[i]}): ${got[i]} is not ${expected}`);
        }
      }
  });

  test('products of bytes are exact, of quads and of pairs', async (t) => {
    const random = randomSource(11);
    const kernels = new Set();
    /** @param {string} text @param {string[]} types @param {number[]} counts */
    const check = async (text, types, counts) => {
      for (const kind of ['random', 'greatest']) {
        const inputs = counts.map((length, i) => {
          const bytes = Uint8Array.from({ length }, () => (kind === 'random' ? random.below(256) : types[i] === 's8' ? 128 : 255));
          return types[i] === 's8' ? new Int8Array(bytes.buffer) : bytes;
        });
        const executables = await Promise.all([strict, relaxed, threaded].map((hlo) => hlo.compile(hlo.parse(text))));
        const [apart, got, shared] = executables.map((executable) => executable.run(inputs).toArray());
        assert.deepEqual(got, apart, text);
        assert.deepEqual(shared, apart, text);
        for (const step of executables[1].plan.routines.flatMap(({ steps }) => steps)) if (step.kernel?.includes('quads')) kernels.add(step.kernel);
      }
    };
    for (const [x, y] of [['s8', 's8'], ['s8', 'u8'], ['u8', 's8'], ['u8', 'u8']]) {
      for (const [m, k, n] of [[17, 1, 18], [5, 70, 20], [40, 64, 5], [20, 33, 50], [64, 256, 40], [30, 2700, 21], [150, 66, 1100]])
        for (const [lhs, rhs] of [[1, 0], [0, 1], [1, 1], [0, 0]]) {
          const sides = [lhs ? `${m},${k}` : `${k},${m}`, rhs ? `${n},${k}` : `${k},${n}`];
          const text = (/** @type {string} */ right) => `HloModule d\nENTRY e {\n  x = ${x}[${sides[0]}] parameter(0)\n  y = ${y}[${sides[1]}] ${right}
  ROOT d = s32[${m},${n}] dot(x, y), lhs_contracting_dims={${lhs}}, rhs_contracting_dims={${rhs}}\n}\n`;
          await check(text('parameter(1)'), [x, y], [m * k, k * n]);
          if (k > 100) continue;
          const [rows, columns] = rhs ? [n, k] : [k, n];
          const row = () => `{${Array.from({ length: columns }, () => random.below(256) - (y === 's8' ? 128 : 0)).join(',')}}`;
          await check(text(`constant({${Array.from({ length: rows }, row).join(',')}})`), [x], [m * k]);
        }
      for (const features of [3, 5, 16, 33])
        for (const [labels, input, kernel, output] of [
          ['b01f_01io->b01f', `2,9,8,${features}`, `3,3,${features},20`, '2,9,8,20'],
          ['bf01_oi01->bf01', `2,${features},9,8`, `20,${features},3,3`, '2,20,9,8'],
        ])
          await check(`HloModule c\nENTRY e {\n  x = ${x}[${input}] parameter(0)\n  y = ${y}[${kernel}] parameter(1)
  ROOT c = s32[${output}] convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=${labels}\n}\n`, [x, y], [144 * features, 180 * features]);
    }
    t.diagnostic(`kernels of quads: ${[...kernels].join(', ') || 'none, this host multiplies no greater bytes exactly'}`);
  });

  test('one row times integers of 4 and 8 bits has the same bits', async () => {
    const random = randomSource(13);
    const group = 32;
    for (const [type, scales, hasMore, n, k] of /** @type {[string, string, boolean, number, number][]} */ ([
      ['u4', 'f32', false, 40, 1120], ['s4', 'f32', false, 40, 1120], ['u4', 'f16', true, 72, 1152], ['s4', 'f16', false, 352, 96], ['u4', 'f32', true, 217, 160], ['u4', 'f32', true, 216, 160],
      ['u4', 'f16', true, 40, 2144], ['s8', 'f16', false, 61, 576], ['s8', 'f32', false, 32, 1120], ['s8', 'f16', false, 345, 96],
    ])) {
      const groups = k / group, whole = `f32[${n},${groups},${group}]`, dims = `[${n},${groups}]`;
      const text = `HloModule d\nENTRY e {\n  x = f32[1,${k}] parameter(0)\n  w = ${type}[${n},${k}] parameter(1)\n  sh = ${scales}${dims} parameter(2)\n${hasMore ? `  mh = ${scales}${dims} parameter(3)\n` : ''}
  s = f32${dims} convert(sh)\n  c = f32[${n},${k}] convert(w)\n  r = ${whole} reshape(c)\n  b = ${whole} broadcast(s), dimensions={0,1}\n  p = ${whole} multiply(r, b)
${hasMore ? `  m = f32${dims} convert(mh)\n  bm = ${whole} broadcast(m), dimensions={0,1}\n  q = ${whole} add(p, bm)\n` : ''}  f = f32[${n},${k}] reshape(${hasMore ? 'q' : 'p'})
  ROOT d = f32[1,${n}] dot(x, f), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n`;
      const what = `${type}, ${scales}, ${n}, ${k}`;
      const [least, count] = /** @type {Record<string, [number, number]>} */ ({ u4: [0, 16], s4: [-8, 16], s8: [-128, 256] })[type];
      const weights = (type === 'u4' ? Uint8Array : Int8Array).from({ length: n * k }, () => random.below(count) + least);
      // Some are zero, some subnormal, none infinite.
      const values = () => scales === 'f32' ? Float32Array.from({ length: n * groups }, () => random.next() - 0.5)
        : Uint16Array.from({ length: n * groups }, () => random.below(2) << 15 | [random.below(0x4000), 0, random.below(0x400)][Math.max(0, random.below(8) - 5)]);
      const arrays = /** @type {Record<string, any>} */ ({ w: weights, sh: values(), ...(hasMore ? { mh: values() } : {}) });
      const shapes = /** @type {Record<string, string>} */ ({ w: `${type}[${n},${k}]`, sh: `${scales}${dims}`, mh: `${scales}${dims}` });
      const executables = await Promise.all([strict, relaxed, threaded].map(async (hlo) => {
        const constants = Object.fromEntries(await Promise.all(Object.entries(arrays).map(async ([name, data]) => [name, await hlo.tensor(data, shapes[name])])));
        return hlo.compile(hlo.parse(text), { constants });
      }));
      assert.match(executables[1].plan.text ?? JSON.stringify(executables[1].plan), type === 's8' ? /narrow_s8/ : /nibbles/, what);
      // Rows of one size, of very different ones (in several passes, or in f32 then), and with the greatest number among them.
      for (const element of [() => random.next() - 0.5, () => (random.next() - 0.5) * 2 ** -random.below(40), () => (random.next() - 0.5) * 2 ** -(random.below(20) ? 0 : 30), () => 2 - 2 ** -22 * random.below(2)]) {
        const x = Float32Array.from({ length: k }, element);
        const bits = executables.map((executable) => new Uint32Array(executable.run([x]).data.slice().buffer));
        assert.deepEqual(bits[1], bits[0], what);
        assert.deepEqual(bits[2], bits[0], what);
      }
    }
  });

  test('at the end', () => threaded.dispose());
}
