// What a loop hands on unchanged is read where it lies; so is a piece of an array that no step overwrites.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

const hlo = await load();

/** The steps of all routines, as their kernels. @param {import('../../js/objects/executable.js').Executable} executable */
const kernelsOf = (executable) => executable.plan.routines.flatMap(({ steps }) => steps.map(({ kernel }) => kernel));

/** A different number for each element of each parameter; integers are small. @param {string} text @param {number} round */
function inputsOf(text, round) {
  const entry = text.slice(text.indexOf('ENTRY'));
  return [...entry.matchAll(/= (\w+)\[([\d,]*)\]\S* parameter\((\d+)\)/g)].sort((a, b) => Number(a[3]) - Number(b[3])).map(([, type, dims, number]) => {
    const count = dims.split(',').filter(Boolean).reduce((product, size) => product * Number(size), 1);
    if (type === 's32') return hlo.tensor(Int32Array.from({ length: count }, () => 1 + round), `s32[${dims}]`);
    return hlo.tensor(Float32Array.from({ length: count }, (_, i) => Math.sin(i + 10 * Number(number) + round) / 8), `f32[${dims}]`);
  });
}

/**
 * Runs a program twice with other inputs, and compares with the reference evaluator.
 * @param {string} text @param {{ has?: string[], hasNot?: string[], donate?: number[] }} [expected] kernels of steps
 */
async function check(text, { has = [], hasNot = [], donate = [] } = {}) {
  const program = hlo.parse(`HloModule m\n${text}`);
  const planned = await hlo.compile(program, { donate });
  const reference = await hlo.compile(program, { reference: true });
  const kernels = kernelsOf(planned);
  for (const kernel of has) assert.ok(kernels.includes(kernel), `no ${kernel} in ${kernels.join(', ')}`);
  for (const kernel of hasNot) assert.ok(!kernels.includes(kernel), `${kernel} in ${kernels.join(', ')}`);
  for (const round of [0, 1]) {
    const want = [reference.run(inputsOf(text, round))].flat(9).map((tensor) => tensor.toArray());
    const got = [planned.run(inputsOf(text, round))].flat(9).map((tensor) => tensor.toArray());
    got.forEach((array, n) => {
      const flat = [array].flat(9), other = [want[n]].flat(9);
      flat.forEach((value, i) => assert.ok(Math.abs(Number(value) - Number(other[i])) <= 1e-4, `result ${n}, element ${i}: ${value}, not ${other[i]}`));
    });
  }
  planned.dispose();
  reference.dispose();
  program.dispose();
}

const STATE = '(s32[], f32[1,64], f32[8,64,64])';
const counts = (/** @type {string} */ name, most = 8, state = STATE) =>
  `${name} { s = ${state} parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(${most}) ROOT h = pred[] compare(i, n), direction=LT }`;
/** What bodies of loops over this state begin with. */
const elements = `s = ${STATE} parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[1,64] get-tuple-element(s), index=1 w = f32[8,64,64] get-tuple-element(s), index=2`;
/** A loop that applies the layers of w, one after another, to x. */
const layers = `${counts('layers_are_left')}
layer {
  ${elements}
  o = s32[] constant(1)
  j = s32[] add(i, o)
  z = s32[] constant(0)
  l = f32[1,64,64] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,64,64}
  m = f32[64,64] reshape(l)
  d = f32[1,64] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[1,64] tanh(d)
  ROOT r = ${STATE} tuple(j, y, w)
}`;
const begin = `x = f32[1,64] parameter(0) w = f32[8,64,64] parameter(1) i = s32[] constant(0) t = ${STATE} tuple(i, x, w)`;

test('the weights of layers are neither moved into a loop nor copied out of their stack', () =>
  check(`${layers}
ENTRY e { ${begin} l = ${STATE} while(t), condition=layers_are_left, body=layer ROOT y = f32[1,64] get-tuple-element(l), index=1 }`,
  { has: ['view'], hasNot: ['strided_copy_simd128'] }));

test('what a loop hands on is its result, too: of the program, and of an instruction behind the loop', () =>
  check(`${layers}
ENTRY e { ${begin} l = ${STATE} while(t), condition=layers_are_left, body=layer
  u = f32[8,64,64] get-tuple-element(l), index=2 n = f32[8,64,64] negate(u) ROOT r = (f32[8,64,64], f32[8,64,64], ${STATE}) tuple(n, u, l) }`));

for (const [kept, changed] of [[1, 2], [2, 1]])
  test(`an array may begin two elements of the state, of which number ${kept} is handed on`, () =>
    check(`${counts('holds', 5, '(s32[], f32[4096], f32[4096])')}
body {
  s = (s32[], f32[4096], f32[4096]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  k = f32[4096] get-tuple-element(s), index=${kept}
  c = f32[4096] get-tuple-element(s), index=${changed}
  o = s32[] constant(1)
  j = s32[] add(i, o)
  p = f32[4096] multiply(c, k)
  y = f32[4096] add(p, k)
  ROOT r = (s32[], f32[4096], f32[4096]) tuple(j, ${kept === 1 ? 'k, y' : 'y, k'})
}
ENTRY e { x = f32[4096] parameter(0) a = f32[4096] cosine(x) i = s32[] constant(0) t = (s32[], f32[4096], f32[4096]) tuple(i, a, a)
  l = (s32[], f32[4096], f32[4096]) while(t), condition=holds, body=body ROOT y = f32[4096] get-tuple-element(l), index=${changed} }`));

test('a loop in a loop hands on what the outer one changes', () =>
  check(`${layers}
${counts('holds', 3)}
body {
  ${elements}
  z = s32[] constant(0)
  o = s32[] constant(1)
  j = s32[] add(i, o)
  t = ${STATE} tuple(z, x, w)
  l = ${STATE} while(t), condition=layers_are_left, body=layer
  y = f32[1,64] get-tuple-element(l), index=1
  u = f32[8,64,64] get-tuple-element(l), index=2
  v = f32[64] reshape(y)
  b = f32[8,64,64] broadcast(v), dimensions={2}
  c = f32[8,64,64] multiply(u, b)
  d = f32[8,64,64] add(c, w)
  ROOT r = ${STATE} tuple(j, y, d)
}
ENTRY e { ${begin} l = ${STATE} while(t), condition=holds, body=body
  y = f32[1,64] get-tuple-element(l), index=1 v = f32[8,64,64] get-tuple-element(l), index=2 ROOT r = (f32[1,64], f32[8,64,64]) tuple(y, v) }`, { has: ['view'] }));

test('two loops of one body', () =>
  check(`${layers}
ENTRY e { ${begin} a = ${STATE} while(t), condition=layers_are_left, body=layer b = ${STATE} while(t), condition=layers_are_left, body=layer
  y = f32[1,64] get-tuple-element(a), index=1 u = ${STATE} tuple(i, y, w) c = ${STATE} while(u), condition=layers_are_left, body=layer ROOT r = (${STATE}, ${STATE}) tuple(b, c) }`));

test('a donated array is handed on, and then overwritten', () =>
  check(`${layers}
ENTRY e { ${begin} l = ${STATE} while(t), condition=layers_are_left, body=layer
  y = f32[1,64] get-tuple-element(l), index=1 u = f32[8,64,64] get-tuple-element(l), index=2 n = f32[8,64,64] negate(u) ROOT r = (f32[1,64], f32[8,64,64]) tuple(y, n) }`, { donate: [1] }));

test('a state that changes is copied from: a cache is read before and after it is written', () =>
  check(`${counts('holds', 4, '(s32[], f32[4,64,64])')}
body {
  s = (s32[], f32[4,64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  c = f32[4,64,64] get-tuple-element(s), index=1
  z = s32[] constant(0)
  o = s32[] constant(1)
  j = s32[] add(i, o)
  l = f32[1,64,64] dynamic-slice(c, i, z, z), dynamic_slice_sizes={1,64,64}
  h = f32[1,64,64] tanh(l)
  u = f32[4,64,64] dynamic-update-slice(c, h, j, z, z)
  g = f32[4,64,64] dynamic-update-slice(u, l, z, z, z)
  ROOT r = (s32[], f32[4,64,64]) tuple(j, g)
}
ENTRY e { c = f32[4,64,64] parameter(0) i = s32[] constant(0) t = (s32[], f32[4,64,64]) tuple(i, c)
  l = (s32[], f32[4,64,64]) while(t), condition=holds, body=body ROOT y = f32[4,64,64] get-tuple-element(l), index=1 }`, { hasNot: ['view'] }));

test('pieces of arguments and constants: of a piece, as a result, outside of the array, of few bytes', async () => {
  await check(`ENTRY e { w = f32[6,32,64] parameter(0) i = s32[] parameter(1) z = s32[] constant(0)
  a = f32[2,32,64] dynamic-slice(w, i, z, z), dynamic_slice_sizes={2,32,64} b = f32[1,32,64] slice(a), slice={[1:2],[0:32],[0:64]} c = f32[32,64] reshape(b)
  d = f32[32,32] dot(c, c), lhs_contracting_dims={1}, rhs_contracting_dims={1} ROOT r = (f32[32,32], f32[2,32,64], f32[32,64]) tuple(d, a, c) }`, { has: ['view'] });
  await check(`less { p = f32[] parameter(0) q = f32[] parameter(1) ROOT l = pred[] compare(p, q), direction=LT }
ENTRY e { w = f32[6,32,64] parameter(0) i = s32[] parameter(1) n = s32[] constant(100) j = s32[] multiply(i, n) k = s32[] negate(j) z = s32[] constant(0)
  a = f32[1,32,64] dynamic-slice(w, j, z, z), dynamic_slice_sizes={1,32,64} b = f32[1,32,64] dynamic-slice(w, k, z, z), dynamic_slice_sizes={1,32,64} s = f32[1,32,64] sort(a), dimensions={2}, to_apply=less
  t = f32[1,32,64] sort(b), dimensions={2}, to_apply=less ROOT r = (f32[1,32,64], f32[1,32,64]) tuple(s, t) }`, { has: ['view'] });
  await check('ENTRY e { w = f32[6,8] parameter(0) i = s32[] parameter(1) z = s32[] constant(0) ROOT a = f32[1,8] dynamic-slice(w, i, z), dynamic_slice_sizes={1,8} }', { hasNot: ['view'] });
  await check('ENTRY e { w = f32[64,64] parameter(0) ROOT a = f32[64,32] slice(w), slice={[0:64],[32:64]} }', { hasNot: ['view'] });
});
