// What elements of results are made of. Each op's answers are in tests/unit/reference/origins_test.c; here is what JavaScript adds.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

const hlo = await load({ origins: true });

/** "0[1,2]": a parameter's number and the index of its element. */
const brief = (elements) => elements.map(({ parameter, index }) => `${parameter}[${index}]`).join(' ');

function entry(body) {
  return hlo.parse(`HloModule m\nENTRY e {\n${body}\n}`);
}

test('data and control, with indices of any rank', async () => {
  const module = entry(`a = f32[3,2] parameter(0)
    b = s32[2] parameter(1)
    ROOT r = f32[2,2] gather(a, b), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}`);
  const origins = await hlo.origins(module, [[[0, 1], [2, 3], [4, 5]], [2, 0]]);
  assert.deepEqual(origins.outputs[0].toArray(), [[4, 5], [0, 1]]);
  assert.deepEqual(origins.of(0, 1), {
    data: [{ parameter: 0, leaf: 0, index: [2, 1], flat: 5 }],
    control: [{ parameter: 1, leaf: 0, index: [0], flat: 0 }],
  });
  assert.deepEqual(origins.inexact, []);
  origins.dispose();
});

test('tuples: leaves of parameters, arrays of the result', async () => {
  const module = entry(`t = (f32[2], f32[]) parameter(0)
    c = f32[2] parameter(1)
    a = f32[2] get-tuple-element(t), index=0
    b = f32[] get-tuple-element(t), index=1
    d = f32[2] broadcast(b), dimensions={}
    s = f32[2] add(c, d)
    ROOT r = (f32[2], f32[2]) tuple(a, s)`);
  const origins = await hlo.origins(module, [[[1, 2], 3], [4, 5]]);
  assert.equal(origins.outputs.length, 2);
  assert.deepEqual(origins.of(0, 1).data, [{ parameter: 0, leaf: 0, index: [1], flat: 1 }]);
  assert.deepEqual(origins.of(1, 1).data, [
    { parameter: 0, leaf: 1, index: [], flat: 0 },
    { parameter: 1, leaf: 0, index: [1], flat: 1 },
  ]);
  origins.dispose();
});

test('a built computation; what is not followed element by element is named', async () => {
  const b = hlo.builder('spectrum');
  const x = b.parameter(0, 'c64[2]', 'x');
  const origins = await hlo.origins(b.build(b.fft(x, 'FFT', [2])), [new Float32Array([1, 0, 2, 0])]);
  assert.equal(origins.inexact.length, 1);
  assert.match(origins.inexact[0], /fft/);
  assert.equal(brief(origins.of(0, 1).data), '0[0] 0[1]');
  origins.dispose();
});

test('refusals', async () => {
  const plain = await load();
  const b = plain.builder('m');
  const negated = b.build(b.negate(b.parameter(0, 'f32[2]', 'x')));
  await assert.rejects(plain.origins(negated, [[1, 2]]), { code: 'UNSUPPORTED', message: /load\(\{ origins: true \}\)/ });
  const dynamic = entry('a = f32[<=2] parameter(0)\nROOT r = f32[<=2] negate(a)');
  await assert.rejects(hlo.origins(dynamic, [[1, 2]]), { code: 'UNSUPPORTED', message: /parameter a: .* static sizes/ });
  const origins = await hlo.origins(entry('ROOT a = f32[2] parameter(0)'), [[1, 2]]);
  assert.throws(() => origins.of(0, 2), { code: 'ARGUMENT', message: /no element 2 of output 0/ });
  assert.throws(() => origins.of(1, 0), { code: 'ARGUMENT', message: /no element 0 of output 1/ });
  assert.throws(() => origins.of(0, 0.5), { name: 'TypeError', message: /of\(\) takes the numbers of an output and of an element, got 0\.5/ });
  await assert.rejects(hlo.origins(entry('ROOT a = f32[2] parameter(0)'), []), { code: 'INPUT' });
  origins.dispose();
});

test('results are freed, and a runtime that follows runs programs as ever', async () => {
  const before = hlo.memory();
  const module = entry('a = f32[40,40] parameter(0)\nROOT r = f32[40,40] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}');
  const input = Float32Array.from({ length: 1600 }, (_, i) => (i % 7) - 3);
  const origins = await hlo.origins(module, [input]);
  const { data } = origins.of(0, 3 * 40 + 5);
  const expected = new Set();
  for (let k = 0; k < 40; k++) expected.add(3 * 40 + k).add(k * 40 + 5);
  assert.deepEqual(data.map(({ flat }) => flat), [...expected].sort((x, y) => x - y));
  const executable = await hlo.compile(module);
  const out = executable.run([input]);
  assert.deepEqual(out.toTypedArray(), origins.outputs[0].toTypedArray());
  for (const object of [out, executable, origins, module]) object.dispose();
  const after = hlo.memory();
  assert.deepEqual([after.buffers, after.executables, after.modules], [before.buffers, before.executables, before.modules]);
});
