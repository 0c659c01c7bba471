// Weights that programs widen for a dot stay narrow: the plan reads them as they are stored, and gives what it gives for the array that is
// widened first; where one row is multiplied by s8 in integers, within what sums of so many terms may be off.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { randomSource } from './emitted-programs.js';

const hlo = await load({ relaxed: false });
const threaded = await load({ relaxed: false, threads: 2, shareFrom: 0 });
const random = randomSource(11).next;

const bits = {
  f32: (/** @type {number} */ n) => Float32Array.from({ length: n }, () => random() * 2 - 1),
  f16: (/** @type {number} */ n) => Uint16Array.from({ length: n }, () => (random() * 2 ** 14) | (random() < 0.5 ? 0x8000 : 0)),
  bf16: (/** @type {number} */ n) => Uint16Array.from({ length: n }, () => (0x3c00 + random() * 0x400) | (random() < 0.5 ? 0x8000 : 0)),
  s8: (/** @type {number} */ n) => Int8Array.from({ length: n }, () => random() * 256 - 128),
  u8: (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => random() * 256),
  s4: (/** @type {number} */ n) => Int8Array.from({ length: n }, () => Math.floor(random() * 16) - 8),
  u4: (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => random() * 16),
  f8e4m3fn: (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => (random() * 0x70) | (random() < 0.5 ? 0x80 : 0)),
  f8e5m2: (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => (random() * 0x70) | (random() < 0.5 ? 0x80 : 0)),
};
const types = Object.keys(bits).slice(1);

/** A form: the lines between the parameters and w, the array that the dot reads, of [k, n] or [n, k]. */
const forms = {
  converted: ({ type, k, n }) => ({ parameters: [[type, [k, n]]], lines: [`w = f32[${k},${n}] convert(p0)`] }),
  'converted, n first': ({ type, k, n }) => ({ parameters: [[type, [n, k]]], lines: [`w = f32[${n},${k}] convert(p0)`], nFirst: true }),
  'converted twice': ({ type, k, n }) => ({
    parameters: [[type, [n, k]]], lines: [`c = bf16[${n},${k}] convert(p0)`, `t = bf16[${k},${n}] transpose(c), dimensions={1,0}`, `w = f32[${k},${n}] convert(t)`],
  }),
  'one scale': ({ type, k, n }) => ({
    parameters: [[type, [k, n]], ['f32', []]],
    lines: [`c = f32[${k},${n}] convert(p0)`, `b = f32[${k},${n}] broadcast(p1), dimensions={}`, `w = f32[${k},${n}] multiply(c, b)`],
  }),
  'scales of columns': ({ type, k, n }) => ({
    parameters: [[type, [n, k]], ['f16', [n, 1]]],
    lines: [`c = f32[${n},${k}] convert(p0)`, `f = f32[${n},1] convert(p1)`, `r = f32[${n}] reshape(f)`, `b = f32[${n},${k}] broadcast(r), dimensions={0}`,
      `w = f32[${n},${k}] multiply(b, c)`],
    nFirst: true,
  }),
  'groups along k, n first': ({ type, k, n, g }) => ({
    parameters: [[type, [n, k / g, g]], ['f16', [n, k / g, 1]]],
    lines: [`c = f32[${n},${k / g},${g}] convert(p0)`, `f = f32[${n},${k / g},1] convert(p1)`, `r = f32[${n},${k / g}] reshape(f)`,
      `b = f32[${n},${k / g},${g}] broadcast(r), dimensions={0,1}`, `m = f32[${n},${k / g},${g}] multiply(c, b)`, `w = f32[${n},${k}] reshape(m)`],
    nFirst: true,
  }),
  'groups with least values': ({ type, k, n, g }) => ({
    parameters: [[type, [n, k / g, g]], ['f16', [n, k / g]], ['f16', [n, k / g]]],
    lines: [`c = f32[${n},${k / g},${g}] convert(p0)`, `f = f32[${n},${k / g}] convert(p1)`, `b = f32[${n},${k / g},${g}] broadcast(f), dimensions={0,1}`,
      `h = f32[${n},${k / g}] convert(p2)`, `d = f32[${n},${k / g},${g}] broadcast(h), dimensions={0,1}`, `m = f32[${n},${k / g},${g}] multiply(c, b)`,
      `a = f32[${n},${k / g},${g}] add(m, d)`, `r = f32[${n},${k}] reshape(a)`, `w = f32[${k},${n}] transpose(r), dimensions={1,0}`],
  }),
  'groups along k, k first': ({ type, k, n, g }) => ({
    parameters: [[type, [k / g, g, n]], ['f32', [k / g, n]]],
    lines: [`c = f32[${k / g},${g},${n}] convert(p0)`, `b = f32[${k / g},${g},${n}] broadcast(p1), dimensions={0,2}`,
      `m = f32[${k / g},${g},${n}] multiply(c, b)`, `w = f32[${k},${n}] reshape(m)`],
  }),
  'scales in bf16': ({ type, k, n, g }) => ({
    parameters: [[type, [n, k / g, g]], ['bf16', [n, k / g]]],
    lines: [`c = bf16[${n},${k / g},${g}] convert(p0)`, `b = bf16[${n},${k / g},${g}] broadcast(p1), dimensions={0,1}`,
      `m = bf16[${n},${k / g},${g}] multiply(c, b)`, `r = bf16[${n},${k}] reshape(m)`, `w = f32[${n},${k}] convert(r)`],
    nFirst: true,
  }),
  'zeros of groups': ({ type, k, n, g }) =>
    /^[su]/.test(type) && {
      parameters: [[type, [n, k / g, g]], ['u8', [n, k / g]], ['f32', [n, k / g]]],
      lines: [`c = s32[${n},${k / g},${g}] convert(p0)`, `z = s32[${n},${k / g}] convert(p1)`, `y = s32[${n},${k / g},${g}] broadcast(z), dimensions={0,1}`,
        `d = s32[${n},${k / g},${g}] subtract(c, y)`, `f = f32[${n},${k / g},${g}] convert(d)`, `b = f32[${n},${k / g},${g}] broadcast(p2), dimensions={0,1}`,
        `m = f32[${n},${k / g},${g}] multiply(f, b)`, `w = f32[${n},${k}] reshape(m)`],
      nFirst: true,
    },
  'a zero of all': ({ type, k, n }) =>
    /^[su]/.test(type) && {
      parameters: [[type, [k, n]], ['f32', [n]]],
      lines: [`c = f32[${k},${n}] convert(p0)`, 'e = f32[] constant(8)', `y = f32[${k},${n}] broadcast(e), dimensions={}`, `d = f32[${k},${n}] subtract(c, y)`,
        `b = f32[${k},${n}] broadcast(p1), dimensions={1}`, `w = f32[${k},${n}] multiply(d, b)`],
    },
};

const literal = (/** @type {string} */ type, /** @type {number[]} */ dims) => `${type}[${dims}]`;
const count = (/** @type {number[]} */ dims) => dims.reduce((a, b) => a * b, 1);

/** @param {any} form @param {{ m: number, k: number, n: number, lhs?: boolean, kept?: boolean, relu?: boolean }} size */
function program({ parameters, lines, nFirst }, { m, k, n, lhs, kept, relu }) {
  const last = parameters.length;
  const contracting = nFirst ? 1 : 0;
  const x = lhs ? [k, m] : [m, k];
  const out = lhs ? [n, m] : [m, n];
  const dot = lhs
    ? `dot(w, x), lhs_contracting_dims={${contracting}}, rhs_contracting_dims={0}`
    : `dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={${contracting}}`;
  const w = nFirst ? [n, k] : [k, n];
  const body = [
    ...parameters.map(([type, dims], /** @type {number} */ i) => `p${i} = ${literal(type, dims)} parameter(${i})`),
    `x = f32[${x}] parameter(${last})`,
    ...lines,
    `${relu || kept ? '' : 'ROOT '}out = f32[${out}] ${dot}`,
    ...(relu ? ['zero = f32[] constant(0)', `zeros = f32[${out}] broadcast(zero), dimensions={}`, `${kept ? '' : 'ROOT '}above = f32[${out}] maximum(out, zeros)`] : []),
    ...(kept ? [`ROOT both = (f32[${out}], f32[${w}]) tuple(${relu ? 'above' : 'out'}, w)`] : []),
  ];
  return `HloModule d\nENTRY e {\n  ${body.join('\n  ')}\n}\n`;
}

const kernels = (/** @type {any} */ executable) => executable.plan.routines.flatMap((/** @type {any} */ r) => r.steps.map((/** @type {any} */ s) => s.kernel));
const isNarrow = (/** @type {any} */ executable) => kernels(executable).some((/** @type {string} */ kernel) => /narrow|nibbles/.test(kernel));

/** One row times columns of s8: `w` is [n, k]. @param {Float32Array} got @param {Float32Array} expected @param {Float32Array} x @param {Float32Array} w @param {string} what */
function near(got, expected, x, w, what) {
  const k = x.length;
  got.forEach((value, j) => {
    const sizes = x.reduce((sum, xi, i) => sum + Math.abs(xi * w[j * k + i]), 0);
    const bound = 2 ** -23 * (Math.ceil(Math.log2(k)) + 2) * sizes;
    assert.ok(Math.abs(value - expected[j]) <= bound, `${what}, ${j}: ${value}, ${expected[j]}, which may be off by ${bound}`);
  });
}

for (const name of Object.keys(forms))
  test(`${name}: the same as widened first`, async () => {
    for (const type of types)
      for (const [m, k, n, g] of [[1, 128, 40, 32], [1, 66, 9, 33], [5, 128, 40, 64], [70, 96, 33, 32]]) {
        const form = forms[name]({ type, k, n, g });
        if (!form) continue;
        const inputs = [...form.parameters, ['f32', [m, k]]].map(([t, dims]) => bits[t](count(dims)));
        for (const options of [{}, { relu: true }, { lhs: true }]) {
          if (options.lhs && n <= m) continue;
          const what = `${type} ${[m, k, n, g]} ${JSON.stringify(options)}`;
          const narrow = await hlo.compile(hlo.parse(program(form, { m, k, n, ...options })));
          const wide = await hlo.compile(hlo.parse(program(form, { m, k, n, ...options, kept: true })));
          assert.ok(isNarrow(narrow), `${what}: ${kernels(narrow)}`);
          assert.ok(!isNarrow(wide), `${what}: ${kernels(wide)}`);
          const got = narrow.run(inputs).toTypedArray();
          const [expected, w] = wide.run(inputs).map((/** @type {any} */ result) => result.toTypedArray());
          if (m === 1 && type === 's8' && form.nFirst) near(got, expected, inputs.at(-1), w, what);
          else assert.deepEqual(got, expected, what);
          const shared = await threaded.compile(threaded.parse(program(form, { m, k, n, ...options })));
          assert.deepEqual(shared.run(inputs).toTypedArray(), got, `${what}, by threads`);
        }
      }
  });

test('constants stay narrow, those of 4 bits as two in a byte', async () => {
  const [k, n, g] = [512, 256, 32];
  for (const type of types)
    for (const name of ['converted', 'groups with least values']) {
      const { parameters, lines, nFirst } = forms[name]({ type, k, n, g });
      const values = parameters.map(([t, dims]) => bits[t](count(dims)));
      for (const m of [1, 40]) {
        const form = { parameters, lines, nFirst };
        const text = program(form, { m, k, n });
        const x = bits.f32(m * k);
        const expected = (await hlo.compile(hlo.parse(text), { reference: true })).run([...values, x]).toTypedArray();
        const withConstants = hlo.parse(text.replace(/p(\d) = (\S+) parameter\(\d\)/g, (_, i, shape) => `p${i} = ${shape} constant(${nested(values[i], parameters[i])})`)
          .replace(/parameter\(\d\)/, 'parameter(0)'));
        const executable = await hlo.compile(withConstants);
        assert.ok(isNarrow(executable), `${type} ${name}: ${kernels(executable)}`);
        const { packed_bytes: packed } = executable.plan;
        const { constants } = executable.memory;
        const bytes = (/^[su]4/.test(type) ? 0.5 : /16/.test(type) ? 2 : 1) * k * n + (name === 'converted' ? 0 : (4 * 2 * k * n) / g);
        assert.ok(packed + constants <= 1.1 * bytes, `${type} ${name}: ${packed} + ${constants} > ${bytes}`);
        const got = executable.run([x]).toTypedArray();
        const most = Math.max(...expected.map(Math.abs));
        got.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(value - expected[i]) <= 2 ** -23 * 14 * most, `${type} ${name} ${i}: ${value}, ${expected[i]}`));
      }
    }
});

test('scales that are bound to numbers of 4 bits lie as their kernel reads them, once, and are read as they were by others', async () => {
  const [k, n, g] = [512, 256, 32];
  for (const type of ['s4', 'u4']) {
    const { parameters, lines, nFirst } = forms['groups with least values']({ type, k, n, g });
    const values = parameters.map(([t, dims]) => bits[t](count(dims)));
    const bound = Object.fromEntries(values.map((array, i) => [`p${i}`, hlo.tensor(array, `${parameters[i][0]}[${parameters[i][1]}]`)]));
    for (const m of [1, 40]) {
      const text = program({ parameters, lines, nFirst }, { m, k, n });
      const x = bits.f32(m * k);
      const expected = (await hlo.compile(hlo.parse(text), { reference: true })).run([...values, x]).toTypedArray();
      const executable = await hlo.compile(hlo.parse(text), { constants: bound });
      const { constants, packed } = executable.memory;
      assert.deepEqual([constants, packed], [0, (k * n) / 2 + (2 * 2 * k * n) / g], `${type}, ${m} rows`);
      const got = executable.run([x]).toTypedArray();
      const most = Math.max(...expected.map(Math.abs));
      got.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(value - expected[i]) <= 2 ** -23 * 14 * most, `${type}, ${m} rows, ${i}: ${value}, ${expected[i]}`));
    }
    const scales = `f16[${n},${k / g}]`;
    const other = await hlo.compile(hlo.parse(`HloModule o\nENTRY e { p1 = ${scales} parameter(0) ROOT c = ${scales} copy(p1) }`), { constants: { p1: bound.p1 } });
    assert.deepEqual(other.run([]).toTypedArray(), values[1]);
  }
});

/** A literal in HLO text. @param {ArrayLike<number>} values @param {[string, number[]]} shape */
function nested(values, [type, dims]) {
  const tensor = hlo.tensor(values, `${type}[${dims}]`);
  const text = (/** @type {any} */ a) => (Array.isArray(a) ? `{${a.map(text).join(',')}}` : String(a));
  return text(tensor.toArray());
}

test('in a loop, weights are not widened before it', async () => {
  const [k, n] = [256, 256];
  const text = `HloModule l
body {
  s = (s32[], f32[1,${k}], s8[${n},${k}], f32[${n}]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[1,${k}] get-tuple-element(s), index=1
  q = s8[${n},${k}] get-tuple-element(s), index=2
  z = f32[${n}] get-tuple-element(s), index=3
  one = s32[] constant(1)
  j = s32[] add(i, one)
  c = f32[${n},${k}] convert(q)
  b = f32[${n},${k}] broadcast(z), dimensions={0}
  w = f32[${n},${k}] multiply(c, b)
  y = f32[1,${n}] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT t = (s32[], f32[1,${n}], s8[${n},${k}], f32[${n}]) tuple(j, y, q, z)
}
condition {
  s = (s32[], f32[1,${k}], s8[${n},${k}], f32[${n}]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  most = s32[] constant(3)
  ROOT r = pred[] compare(i, most), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
  x = f32[1,${k}] parameter(0)
  q = s8[${n},${k}] parameter(1)
  z = f32[${n}] parameter(2)
  t = (s32[], f32[1,${k}], s8[${n},${k}], f32[${n}]) tuple(zero, x, q, z)
  l = (s32[], f32[1,${k}], s8[${n},${k}], f32[${n}]) while(t), condition=condition, body=body
  ROOT out = f32[1,${n}] get-tuple-element(l), index=1
}
`;
  const executable = await hlo.compile(hlo.parse(text));
  assert.ok(isNarrow(executable), `${kernels(executable)}`);
  assert.ok(executable.plan.workspace_bytes < 2 * k * n, `${executable.plan.workspace_bytes}`);
  const inputs = [bits.f32(k), bits.s8(n * k), bits.f32(n).map((v) => v / 1000)];
  const got = executable.run(inputs).toTypedArray();
  const expected = (await hlo.compile(hlo.parse(text), { reference: true })).run(inputs).toTypedArray();
  const most = Math.max(...expected.map(Math.abs));
  got.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(value - expected[i]) <= 2 ** -23 * 40 * most, `${i}: ${value}, ${expected[i]}`));
});

test('filters of convolutions: the same as widened first', async () => {
  const places = [
    { x: [2, 9, 8, 6], w: [3, 3, 6, 10], out: [2, 7, 6, 10], rest: 'window={size=3x3}, dim_labels=b01f_01io->b01f', o: 3 },
    { x: [1, 9, 8, 6], w: [3, 3, 3, 10], out: [1, 9, 8, 10], rest: 'window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2', o: 3 },
    { x: [2, 6, 9, 9], w: [10, 6, 3, 3], out: [2, 10, 4, 4], rest: 'window={size=3x3 stride=2x2}, dim_labels=bf01_oi01->bf01', o: 0 },
    { x: [2, 6, 9, 9], w: [10, 3, 2, 3], out: [2, 10, 8, 7], rest: 'window={size=2x3}, dim_labels=bf01_oi01->bf01, feature_group_count=2', o: 0 },
    { x: [1, 5, 5, 40], w: [5, 5, 40, 9], out: [1, 5, 5, 9], rest: 'window={size=5x5 pad=2_2x2_2}, dim_labels=b01f_01io->b01f', o: 3 },
  ];
  for (const type of types)
    for (const { x, w, out, rest, o } of places)
      for (const form of ['converted', 'scaled', 'with relu']) {
        const scaled = form !== 'converted';
        const text = (/** @type {boolean} */ kept) => `HloModule c
ENTRY e {
  x = f32[${x}] parameter(0)
  q = ${type}[${w}] parameter(1)
  s = f32[${w[o]}] parameter(2)
  c = f32[${w}] convert(q)
  b = f32[${w}] broadcast(s), dimensions={${o}}
  w = f32[${w}] ${scaled ? 'multiply(c, b)' : 'copy(c)'}
  y = f32[${out}] convolution(x, w), ${rest}
  zero = f32[] constant(0)
  zeros = f32[${out}] broadcast(zero), dimensions={}
  r = f32[${out}] ${form === 'with relu' ? 'maximum(y, zeros)' : 'copy(y)'}
  ROOT t = (f32[${out}]${kept ? `, f32[${w}]` : ''}) tuple(r${kept ? ', w' : ''})
}
`;
        const what = `${type} ${form} ${rest}`;
        const inputs = [bits.f32(count(x)), bits[type](count(w)), bits.f32(w[o])];
        const narrow = await hlo.compile(hlo.parse(text(false)));
        const wide = await hlo.compile(hlo.parse(text(true)));
        assert.ok(isNarrow(narrow), `${what}: ${kernels(narrow)}`);
        assert.ok(!isNarrow(wide), `${what}: ${kernels(wide)}`);
        const [got] = narrow.run(inputs);
        assert.deepEqual(got.toTypedArray(), wide.run(inputs)[0].toTypedArray(), what);
        const shared = await threaded.compile(threaded.parse(text(false)));
        assert.deepEqual(shared.run(inputs)[0].toTypedArray(), got.toTypedArray(), `${what}, by threads`);
      }
});

test('filters whose windows run backwards, and those of one feature, are widened as before, and right', async () => {
  for (const [w, out, rest] of [['3,3,6,10', '2,7,6,10', 'window={size=3x3 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f'], ['3,3,1,6', '2,7,6,6', 'window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=6']]) {
    const text = `HloModule c
ENTRY e {
  x = f32[2,9,8,6] parameter(0)
  q = s8[${w}] parameter(1)
  w = f32[${w}] convert(q)
  ROOT y = f32[${out}] convolution(x, w), ${rest}
}
`;
    const inputs = [bits.f32(2 * 9 * 8 * 6).map((v) => Math.round(v * 8)), bits.s8(count(w.split(',').map(Number)))];
    const executable = await hlo.compile(hlo.parse(text));
    assert.ok(!isNarrow(executable), `${kernels(executable)}`);
    const reference = await hlo.compile(hlo.parse(text), { reference: true });
    assert.deepEqual(executable.run(inputs).toTypedArray(), reference.run(inputs).toTypedArray());
  }
});

test('what is no such form is widened as before, and right', async () => {
  const [m, k, n, g] = [3, 64, 24, 32];
  const others = {
    'scales along k': { parameters: [['s8', [n, k]], ['f32', [k]]], lines: [`c = f32[${n},${k}] convert(p0)`, `b = f32[${n},${k}] broadcast(p1), dimensions={1}`, `w = f32[${n},${k}] multiply(c, b)`], nFirst: true },
    'scales of every element': { parameters: [['s8', [k, n]], ['f32', [k, n]]], lines: [`c = f32[${k},${n}] convert(p0)`, `w = f32[${k},${n}] multiply(c, p1)`] },
    'groups across columns': {
      parameters: [['s8', [n / 8, 8, k]], ['f32', [n / 8, k / g]]],
      lines: [`c = f32[${n / 8},8,${k}] convert(p0)`, `r = f32[${n / 8},${k / g}] copy(p1)`, `b = f32[${n / 8},8,${k / g},${g}] broadcast(r), dimensions={0,2}`,
        `d = f32[${n / 8},8,${k}] reshape(b)`, `v = f32[${n / 8},8,${k}] multiply(c, d)`, `w = f32[${n},${k}] reshape(v)`],
      nFirst: true,
    },
    'subtracted from': { parameters: [['s8', [k, n]], ['f32', [n]]], lines: [`c = f32[${k},${n}] convert(p0)`, `b = f32[${k},${n}] broadcast(p1), dimensions={1}`, `w = f32[${k},${n}] subtract(b, c)`] },
    'integers that wrap': {
      parameters: [['s8', [k, n]], ['s8', [n]]],
      lines: [`b = s8[${k},${n}] broadcast(p1), dimensions={1}`, `d = s8[${k},${n}] subtract(p0, b)`, `w = f32[${k},${n}] convert(d)`],
    },
  };
  for (const [name, form] of Object.entries(others)) {
    const inputs = [...form.parameters, ['f32', [m, k]]].map(([t, dims]) => bits[t](count(dims)));
    const text = program(form, { m, k, n });
    const executable = await hlo.compile(hlo.parse(text));
    if (name !== 'integers that wrap') assert.ok(!isNarrow(executable), `${name}: ${kernels(executable)}`);
    const got = executable.run(inputs).toTypedArray();
    const expected = (await hlo.compile(hlo.parse(text), { reference: true })).run(inputs).toTypedArray();
    const most = Math.max(...expected.map(Math.abs));
    got.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(value - expected[i]) <= 2 ** -23 * 14 * most, `${name} ${i}: ${value}, ${expected[i]}`));
  }
});

test('dimensions in any order: summed ones that have no stride in common are widened as before, and right', async () => {
  const permutations = (/** @type {number[]} */ items) => (items.length < 2 ? [items] : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest])));
  const sizes = [2, 3, 4, 5];
  const kernels = new Set();
  for (const order of permutations([0, 1, 2, 3]))
    for (const count of [2, 3])
      for (const type of ['s8', 'bf16', 'u4']) {
        const summed = order.slice(0, count);
        const left = order.slice(count).sort();
        const x = [7, ...summed.map((d) => sizes[d])];
        const out = [7, ...left.map((d) => sizes[d])];
        const text = `HloModule m\nENTRY e { x = f32[${x}] parameter(0) p = ${type}[${sizes}] parameter(1) w = f32[${sizes}] convert(p)
  ROOT d = f32[${out}] dot(x, w), lhs_contracting_dims={${summed.map((_, n) => n + 1)}}, rhs_contracting_dims={${summed}} }`;
        const module = hlo.parse(text);
        const [plan, reference] = [await hlo.compile(module), await hlo.compile(module, { reference: true })];
        for (const { steps } of plan.plan.routines) for (const { kernel } of steps) kernels.add(/narrow/.test(kernel));
        const whole = Float32Array.from({ length: x.reduce((a, b) => a * b) }, (_, i) => (i % 9) - 4); // whose sums are exact
        const narrow = type === 'bf16' ? Uint16Array.from({ length: 120 }, (_, i) => [0x3f80, 0x4000, 0xbf80, 0x40a0][i % 4]) : bits[type](120);
        const inputs = [whole, hlo.tensor(narrow, `${type}[${sizes}]`)];
        assert.deepEqual(plan.run(inputs).toTypedArray(), reference.run(inputs).toTypedArray(), `${type} ${summed}`);
      }
  assert.deepEqual(kernels, new Set([true, false]), 'some are read narrow, and some are not');
});
