// Parameters whose memory becomes that of results.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

/** A runtime of one's own, whose memory nothing of other tests is collected from. */
async function alone(options) {
  const hlo = await load(options);
  const vector = (...values) => hlo.tensor(new Float32Array(values), `f32[${values.length}]`);
  const compile = (body, options) => hlo.compile(hlo.parse(`HloModule m ENTRY e { ${body} }`), options);
  return { hlo, vector, compile };
}
const { hlo, vector, compile } = await alone();

const step = `w = f32[4] parameter(0) g = f32[4] parameter(1)
  lr = f32[] constant(0.5) b = f32[4] broadcast(lr), dimensions={}
  s = f32[4] multiply(g, b) ROOT r = f32[4] subtract(w, s)`;

test('a donated tensor becomes the result, where it lies', async () => {
  const executable = await compile(step, { donate: [0] });
  assert.deepEqual(executable.inputs.map(({ donated }) => donated), [true, false]);
  let w = vector(1, 2, 3, 4);
  const g = vector(2, 2, 2, 2);
  const { pointer } = w;
  for (let i = 1; i <= 3; i++) {
    const before = w;
    w = executable.run([w, g]);
    assert.equal(before.disposed, true);
    assert.equal(w.pointer, pointer);
    assert.deepEqual([...w.data], [1 - i, 2 - i, 3 - i, 4 - i]);
  }
  assert.equal(g.disposed, false);
});

test('arrays may be given for donated parameters, and outputs may be named', async () => {
  const executable = await compile(step, { donate: [0] });
  const given = new Float32Array([1, 2, 3, 4]);
  assert.deepEqual([...executable.run([given, given]).data], [0.5, 1, 1.5, 2]);
  assert.deepEqual([...given], [1, 2, 3, 4]);
  const [w, out] = [vector(1, 1, 1, 1), vector(0, 0, 0, 0)];
  executable.run([w, given], { outputs: out });
  assert.equal(w.disposed, false);
  assert.deepEqual([...out.data], [0.5, 0, -0.5, -1]);
  assert.deepEqual([...w.data], [1, 1, 1, 1]);
});

test('one tensor for two parameters', async () => {
  const executable = await compile(step, { donate: [0] });
  const w = vector(1, 2, 3, 4);
  assert.deepEqual([...executable.run([w, w]).data], [0.5, 1, 1.5, 2]);
  const both = await compile('a = f32[2] parameter(0) b = f32[2] parameter(1) s = f32[2] add(a, b) d = f32[2] subtract(a, b) ROOT t = (f32[2], f32[2]) tuple(s, d)',
    { donate: [0, 1] });
  const v = vector(3, 4);
  assert.deepEqual(both.run([v, v]).map(({ data }) => [...data]), [[6, 8], [0, 0]]);
});

const exchanges = [
  ['results exchanged', 'a = f32[2] parameter(0) b = f32[2] parameter(1) ROOT t = (f32[2], f32[2]) tuple(b, a)', [[3, 4], [1, 2]]],
  ['one passed through, read by the other', 'a = f32[2] parameter(0) b = f32[2] parameter(1) s = f32[2] add(a, b) ROOT t = (f32[2], f32[2]) tuple(s, a)', [[4, 6], [1, 2]]],
  ['the same twice', 'a = f32[2] parameter(0) b = f32[2] parameter(1) ROOT t = (f32[2], f32[2]) tuple(b, b)', [[3, 4], [3, 4]]],
  ['rotated after use', `a = f32[2] parameter(0) b = f32[2] parameter(1) n = f32[2] negate(b) s = f32[2] add(a, n) p = f32[2] multiply(s, b)
    ROOT t = (f32[2], f32[2]) tuple(p, n)`, [[-6, -8], [-3, -4]]],
];
for (const [name, body, expected] of exchanges)
  test(`donated: ${name}`, async () => {
    const plain = (await compile(body)).run([vector(1, 2), vector(3, 4)]).map(({ data }) => [...data]);
    assert.deepEqual(plain, expected);
    for (const donate of [[0], [1], [0, 1]]) {
      const executable = await compile(body, { donate });
      assert.deepEqual(executable.run([vector(1, 2), vector(3, 4)]).map(({ data }) => [...data]), expected, `donate ${donate}`);
    }
  });

test('loop state is donated from run to run', async () => {
  const module = hlo.parse(`HloModule m
    body { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[3] get-tuple-element(s), index=1
      one = s32[] constant(1) j = s32[] add(i, one) y = f32[3] add(x, x) ROOT t = (s32[], f32[3]) tuple(j, y) }
    cond { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(4) ROOT c = pred[] compare(i, n), direction=LT }
    ENTRY e { x = f32[3] parameter(0) z = s32[] constant(0) t = (s32[], f32[3]) tuple(z, x)
      w = (s32[], f32[3]) while(t), condition=cond, body=body ROOT r = f32[3] get-tuple-element(w), index=1 }`);
  const executable = await hlo.compile(module, { donate: [0] });
  const x = executable.run([vector(1, 2, 3)]);
  const { pointer } = x;
  const again = executable.run([x]);
  assert.deepEqual([...again.data], [256, 512, 768]);
  assert.equal(again.pointer, pointer);
});

test('donated: rows that are read again once powers of them are there', async () => {
  const sum = `most { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
    sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }`;
  const body = `x = f32[5,36] parameter(0) i = f32[] constant(-inf) z = f32[] constant(0) m = f32[5] reduce(x, i), dimensions={1}, to_apply=most
    b = f32[5,36] broadcast(m), dimensions={0} d = f32[5,36] subtract(x, b) p = f32[5,36] exponential(d)
    s = f32[5] reduce(p, z), dimensions={1}, to_apply=sum c = f32[5,36] broadcast(s), dimensions={0} q = f32[5,36] divide(p, c)`;
  const x = Float32Array.from({ length: 180 }, (_, i) => ((i * 37) % 64) / 8);
  for (const last of ['ROOT r = f32[5,36] negate(q)', 'ROOT r = f32[5,36] add(q, x)', 'y = f32[5,36] subtract(q, x) ROOT t = (f32[5,36], f32[5,36]) tuple(q, y)']) {
    const module = hlo.parse(`HloModule m ${sum} ENTRY e { ${body} ${last} }`);
    const plain = [(await hlo.compile(module)).run([x])].flat().map((result) => result.toArray());
    const given = hlo.tensor(x, 'f32[5,36]');
    assert.deepEqual([(await hlo.compile(module, { donate: [0] })).run([given])].flat().map((result) => result.toArray()), plain, last);
    assert.ok(given.disposed);
  }
});

test('a run that fails before its first step leaves what was donated as it was', async () => {
  const { vector, compile, hlo } = await alone({ memoryLimit: 2 ** 24 });
  const executable = await compile(step, { donate: [0] });
  const large = await compile(`x = f32[4] parameter(0) y = f32[] constant(1) n = f32[4] negate(x) b = f32[6000000] broadcast(y), dimensions={}
    ROOT t = (f32[4], f32[6000000]) tuple(n, b)`, { donate: [0] });
  const [w, g] = [vector(1, 2, 3, 4), vector(2, 2, 2, 2)];
  const { pointer } = w;
  const { buffers } = hlo.memory();
  assert.throws(() => executable.run([w, g], { workBudget: 1 }), { code: 'LIMIT' });
  assert.throws(() => large.run([w]), { code: 'OUT_OF_MEMORY' });
  await assert.rejects(executable.runAsync([w, g], { workBudget: 1 }), { code: 'LIMIT' });
  assert.deepEqual([w.disposed, w.pointer, [...w.data]], [false, pointer, [1, 2, 3, 4]]);
  assert.equal(hlo.memory().buffers, buffers);
  assert.deepEqual([...executable.run([w, g]).data], [0, 1, 2, 3]);
  assert.ok(w.disposed);
  hlo.dispose();
});

test('one tensor for two donated parameters comes back once, and for each replica its own', async () => {
  const { vector, compile, hlo } = await alone();
  const both = await compile('a = f32[2] parameter(0) b = f32[2] parameter(1) s = f32[2] add(a, b) d = f32[2] subtract(a, b) ROOT t = (f32[2], f32[2]) tuple(s, d)',
    { donate: [0, 1] });
  const v = vector(3, 4);
  const { buffers } = hlo.memory();
  assert.throws(() => both.run([v, v], { workBudget: 1 }), { code: 'LIMIT' });
  assert.deepEqual([...v.data], [3, 4]);
  assert.equal(hlo.memory().buffers, buffers);
  assert.deepEqual(both.run([v, v]).map(({ data }) => [...data]), [[6, 8], [0, 0]]);
  const replicas = await compile('x = f32[2] parameter(0) ROOT n = f32[2] negate(x)', { donate: [0], replicas: 2 });
  const [a, b] = [vector(1, 2), vector(3, 4)];
  assert.throws(() => replicas.run([[a], [b]], { workBudget: 1 }), { code: 'LIMIT' });
  assert.deepEqual([a, b].map(({ data }) => [...data]), [[1, 2], [3, 4]]);
  assert.deepEqual(replicas.run([[a], [b]]).map(({ data }) => [...data]), [[-1, -2], [-3, -4]]);
  assert.deepEqual([a.disposed, b.disposed], [true, true]);
  hlo.dispose();
});

test('a run that fails later has used up what was donated', async () => {
  const { vector, compile, hlo } = await alone();
  const failing = await compile('x = f32[4] parameter(0) n = f32[4] negate(x) ROOT c = f32[4] custom-call(n), custom_call_target="fails"',
    { donate: [0], customCalls: { fails() { throw new Error('not today'); } } });
  const w = vector(1, 2, 3, 4);
  const { buffers } = hlo.memory();
  assert.throws(() => failing.run([w]), { code: 'CUSTOM_CALL' });
  assert.equal(w.disposed, true);
  assert.equal(hlo.memory().buffers, buffers - 1);
  hlo.dispose();
});

test('what no result can use is not donated', async () => {
  const executable = await compile('a = f32[2] parameter(0) b = f32[3] parameter(1) ROOT r = f32[2] negate(a)', { donate: [1] });
  assert.deepEqual(executable.inputs.map(({ donated }) => donated), [false, false]);
  const b = vector(1, 2, 3);
  executable.run([vector(1, 2), b]);
  assert.equal(b.disposed, false);
});

test('donation refused', async () => {
  await assert.rejects(compile(step, { donate: [2] }), { code: 'ARGUMENT', message: /parameter 2 cannot be donated: there are 2 parameters/ });
  await assert.rejects(compile(step, { donate: 0 }), { name: 'TypeError', message: /donate lists numbers of parameters/ });
});

test('memory counts what a run needs', async () => {
  const body = `x = f32[64,64] parameter(0) e = f32[64,64] exponential(x) y = f32[64,64] dot(e, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    ROOT r = f32[64,64] tanh(y)`;
  const { inputs, outputs, constants, workspace, peak } = (await compile(body)).memory;
  assert.deepEqual([inputs, outputs, constants], [16384, 16384, 0]);
  assert.ok(workspace >= 16384);
  assert.equal(peak, inputs + outputs + workspace);
  const donated = (await compile(body, { donate: [0] })).memory;
  assert.equal(donated.peak, donated.inputs + donated.workspace);
  const replicas = (await compile(body, { replicas: 2 })).memory;
  assert.deepEqual([replicas.inputs, replicas.workspace], [2 * inputs, 2 * workspace]);
  const withConstant = await compile('x = f32[8] parameter(0) c = f32[8] constant({1, 2, 3, 4, 5, 6, 7, 8}) ROOT r = f32[8] add(x, c)');
  assert.equal(withConstant.memory.constants, 32);
});
