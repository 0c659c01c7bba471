// The option `constants` of compile: inputs that are bound to weights or arrays.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { load } from '../../js/index.js';
import { load as loadWorker } from '../../js/worker.js';

const hlo = await load();

/** Numbers that are the same each time. */
function numbers(count, seed = 1) {
  const made = new Float32Array(count);
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    made[i] = ((state >>> 8) / 2 ** 24) * 2 - 1;
  }
  return made;
}

/** x times w, w' or a batch of it, by the names of what they take. @param {string} body */
const program = (body) => hlo.parse(`HloModule m\n\nENTRY e {\n${body}\n}\n`);
const named = (name) => `metadata={op_name="${name}"}`;

/** A layer with a kernel of k by n, a bias and a norm, for m rows. */
const layer = (m, k, n) =>
  program(`  x = f32[${m},${k}] parameter(0), ${named('x')}
  w = f32[${k},${n}] parameter(1), ${named("params['dense']['kernel']")}
  b = f32[${n}] parameter(2), ${named("params['dense']['bias']")}
  d = f32[${m},${n}] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bb = f32[${m},${n}] broadcast(b), dimensions={1}
  ROOT r = f32[${m},${n}] add(d, bb)`);

const weightsOf = (arrays) => hlo.weights(arrays);
const same = (a, b, what) => assert.deepEqual(new Uint32Array(a.toTypedArray().buffer), new Uint32Array(b.toTypedArray().buffer), what);
const farthest = (a, b) => { const other = b.toTypedArray(); return a.toTypedArray().reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0); };
const K = 260;
const N = 301;
const arrays = () => ({ 'params.dense.kernel': hlo.tensor(numbers(K * N, 2), `f32[${K},${N}]`), 'params.dense.bias': hlo.tensor(numbers(N, 3), `f32[${N}]`) });

test('weights are bound by the names of inputs, and runs take what is left', async () => {
  const weights = await weightsOf(arrays());
  for (const m of [1, 7, 40])
    for (const reference of [false, true]) {
      const module = layer(m, K, N);
      const plain = await hlo.compile(module, { reference });
      const bound = await hlo.compile(module, { reference, constants: weights });
      assert.deepEqual(bound.inputs.map(({ name }) => name), ['x']);
      const x = hlo.tensor(numbers(m * K, 5), `f32[${m},${K}]`);
      same(bound.run([x]), plain.run([x, weights.tensor('params.dense.kernel'), weights.tensor('params.dense.bias')]), `${m} rows, reference ${reference}`);
    }
});

test('filters are packed, and come back as they were, of doubles as well', async () => {
  for (const [type, numbersOf] of /** @type {[string, any][]} */ ([['f32', Float32Array], ['f64', Float64Array]])) {
    const filter = numbersOf.from(numbers(3 * 40 * 301, 7));
    const weights = await weightsOf({ w: hlo.tensor(filter, `${type}[3,40,301]`) });
    const module = program(`  x = ${type}[2,19,40] parameter(0)
  w = ${type}[3,40,301] parameter(1)
  ROOT c = ${type}[2,17,301] convolution(x, w), window={size=3}, dim_labels=b0f_0io->b0f`);
    const bound = await hlo.compile(module, { constants: weights });
    assert.match(bound.plan.routines[0].steps[0].kernel, /convolution_packed/);
    const x = hlo.tensor(numbersOf.from(numbers(2 * 19 * 40, 5)), `${type}[2,19,40]`);
    const plain = await hlo.compile(module);
    assert.deepEqual(bound.run([x]).toTypedArray(), plain.run([x, hlo.tensor(filter, `${type}[3,40,301]`)]).toTypedArray());
    assert.deepEqual(weights.tensor('w').toTypedArray(), filter);
  }
});

test('a kernel of contiguous columns gives the bits of an input as well; packed and with one row, it is summed in another order', async () => {
  const transposed = (m) =>
    program(`  x = f32[${m},${K}] parameter(0)
  w = f32[${N},${K}] parameter(1)
  ROOT d = f32[${m},${N}] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}`);
  const w = hlo.tensor(numbers(K * N, 2), `f32[${N},${K}]`);
  const weights = await weightsOf({ w });
  const kept = [];
  for (const m of [64, 1, 5]) {
    const module = transposed(m);
    const x = hlo.tensor(numbers(m * K, 5), `f32[${m},${K}]`);
    const bound = await hlo.compile(module, { constants: weights });
    const [got, expected] = [bound.run([x]), (await hlo.compile(module)).run([x, w])];
    if (m > 1) same(got, expected, `${m} rows`);
    else assert.ok(farthest(got, expected) < K * 2 ** -24, `${farthest(got, expected)} apart`);
    assert.equal(bound.memory.packed, K * N * 4);
    kept.push(bound);
  }
  for (const executable of kept) assert.equal(executable.memory.shared, K * N * 4);
});

test('what several executables read in one form is in memory once', async () => {
  const [k, n] = [1024, 1024];
  const weights = await weightsOf({ w: hlo.tensor(numbers(k * n), `f32[${k},${n}]`), b: hlo.tensor(numbers(n), `f32[${n}]`) });
  const constants = { weights, map: { 'params/dense/kernel': 'w', 'params/dense/bias': 'b' } };
  const first = await hlo.compile(layer(32, k, n), { constants });
  first.run([numbers(32 * k)]);
  const before = hlo.memory().bytes;
  const others = [];
  for (const m of [1, 2, 8, 16, 17, 31, 33, 48]) {
    const executable = await hlo.compile(layer(m, k, n), { constants });
    executable.run([numbers(m * k)]);
    others.push(executable);
  }
  assert.ok(hlo.memory().bytes - before < k * n * 4, `${hlo.memory().bytes - before} bytes more`);
  assert.equal(first.memory.packed, k * n * 4);
  assert.equal(first.memory.shared, k * n * 4);
});

test('a dynamic module binds the same weights in each specialization, and shares them', async () => {
  const [k, n] = [1024, 512];
  const module = hlo.parse(`func.func @main(%x: tensor<?x${k}xf32> loc("x"), %w: tensor<${k}x${n}xf32> loc("w")) -> tensor<?x${n}xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x${k}xf32>, tensor<${k}x${n}xf32>) -> tensor<?x${n}xf32>
    return %0 : tensor<?x${n}xf32>
  }`);
  const w = hlo.tensor(numbers(k * n), `f32[${k},${n}]`);
  const name = module.inputs[1].name;
  const weights = await weightsOf({ w });
  const bound = await hlo.compile(module, { constants: { weights, map: { [name]: 'w' } } });
  assert.equal(bound.inputs.length, 1);
  const plain = await hlo.compile(module);
  bound.run([hlo.tensor(numbers(k), `f32[1,${k}]`)]);
  const before = hlo.memory().bytes;
  for (let m = 1; m <= 16; m++) {
    const x = hlo.tensor(numbers(m * k, m), `f32[${m},${k}]`);
    const got = bound.run([x]);
    if (m % 5 === 1) same(got, plain.run([x, w]), `${m} rows`);
  }
  assert.equal(bound.specializations.length, 16);
  assert.ok(hlo.memory().bytes - before < 2 * k * n * 4, `${hlo.memory().bytes - before} bytes more`);
  for (const one of bound.specializations) assert.equal(one.memory.shared, k * n * 4);
});

test('what was packed is restored for who reads it as it is', async () => {
  const { 'params.dense.kernel': kernel, 'params.dense.bias': bias } = arrays();
  const weights = await weightsOf({ w: kernel, b: bias });
  const bound = await hlo.compile(layer(20, K, N), { constants: { weights, map: { 'params/dense/kernel': 'w', 'params/dense/bias': 'b' } } });
  const x = numbers(20 * K);
  const before = bound.run([x]);
  assert.equal(bound.memory.packed, K * N * 4);
  same(weights.tensor('w'), kernel, 'while it is packed');
  const sum = program(`  w = f32[${K},${N}] parameter(0)\n  ROOT t = f32[${N},${K}] transpose(w), dimensions={1,0}`);
  const transposing = await hlo.compile(sum, { constants: { weights, map: { w: 'w' }, extra: true } });
  same(transposing.run([]), (await hlo.compile(sum)).run([kernel]), 'beside it');
  same(bound.run([x]), before, 'packed still');
  bound.dispose();
  same(weights.tensor('w'), kernel, 'once nobody holds the packed form');
  same(transposing.run([]), (await hlo.compile(sum)).run([kernel]), 'after it');
});

test('a constant that steps read both as it is and as a right side stays as it is', async () => {
  const tied = program(`  ids = s32[4] parameter(0)
  w = f32[512,256] parameter(1)
  e = f32[4,256] gather(w, ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,256}
  ROOT d = f32[4,512] dot(e, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}`);
  const w = hlo.tensor(numbers(512 * 256), 'f32[512,256]');
  const weights = await weightsOf({ w });
  const bound = await hlo.compile(tied, { constants: weights });
  const ids = new Int32Array([5, 0, 511, 77]);
  same(bound.run([ids]), (await hlo.compile(tied)).run([ids, w]));
  const { constants, packed } = bound.memory;
  assert.deepEqual([constants, packed], [512 * 256 * 4, 0]);
});

test('constants within loops are seen as constants', async () => {
  const loop = hlo.parse(`HloModule m
condition {
  p = (s32[], f32[8,256], f32[256,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[8,256], f32[256,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[8,256] get-tuple-element(p), index=1
  w = f32[256,256] get-tuple-element(p), index=2
  d = f32[8,256] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[8,256] tanh(d)
  ROOT r = (s32[], f32[8,256], f32[256,256]) tuple(j, t, w)
}
ENTRY e {
  x = f32[8,256] parameter(0)
  w = f32[256,256] parameter(1)
  z = s32[] constant(0)
  s = (s32[], f32[8,256], f32[256,256]) tuple(z, x, w)
  l = (s32[], f32[8,256], f32[256,256]) while(s), condition=condition, body=body
  ROOT r = f32[8,256] get-tuple-element(l), index=1
}`);
  const w = hlo.tensor(numbers(256 * 256), 'f32[256,256]');
  const x = numbers(8 * 256, 9);
  const bound = await hlo.compile(loop, { constants: { w } });
  same(bound.run([x]), (await hlo.compile(loop)).run([x, w]));
  const { constants, packed } = bound.memory;
  assert.deepEqual([constants < 100, packed], [true, 256 * 256 * 4]);
});

test('arrays are bound by paths, by numbers and as trees', async () => {
  const module = layer(3, 4, 5);
  const [x, w, b] = [numbers(12), numbers(20), numbers(5)];
  const expected = (await hlo.compile(module)).run([x, w, b]);
  const ways = [
    { 'params/dense/kernel': w, 'params/dense/bias': b },
    { 1: w, 2: b },
    new Map([[1, w], [2, hlo.tensor(b, 'f32[5]')]]),
    { params: { dense: { kernel: hlo.tensor(w, 'f32[4,5]'), bias: [...b] } } },
  ];
  for (const constants of ways) {
    const bound = await hlo.compile(module, { constants });
    assert.deepEqual(bound.inputs.map(({ name }) => name), ['x']);
    same(bound.run([x]), expected);
  }
  const some = await hlo.compile(module, { constants: { 2: b } });
  assert.deepEqual(some.inputs.map(({ name }) => name), ['x', 'params/dense/kernel']);
  same(some.run([x, w]), expected);
});

test('layouts of inputs are of what users give, not of what is bound', async () => {
  const module = hlo.parse(`HloModule m, entry_computation_layout={(f32[2,3]{0,1}, f32[2]{0})->f32[2,3]{1,0}}
ENTRY e { w = f32[2,3]{0,1} parameter(0)  b = f32[2] parameter(1)  bb = f32[2,3] broadcast(b), dimensions={0}  ROOT r = f32[2,3] add(w, bb) }`);
  const w = hlo.tensor([[1, 2, 3], [4, 5, 6]], 'f32[2,3]{0,1}');
  const bound = await hlo.compile(module, { constants: { w } });
  assert.deepEqual(bound.run([[10, 20]]).toArray(), [[11, 12, 13], [24, 25, 26]]);
});

test('a file of jax.export takes the arguments that are left, in their trees', async () => {
  const module = hlo.parse(readFileSync(new URL('../formats/trees/mlp.jaxexport', import.meta.url)));
  const { arguments: trees } = module.inputTree;
  const flat = module.inputs.map(({ shape }, i) => hlo.tensor(numbers(shape.elementCount, i + 1), shape));
  const plain = await hlo.compile(module, { flat: true });
  const expected = plain.run(flat);
  const first = trees[0].path;
  const numbersOf = (tree) => (tree.kind === 'leaf' ? [tree.input] : (tree.children ?? []).flatMap(numbersOf)).filter((number) => number !== null);
  const constants = Object.fromEntries(numbersOf(trees[0]).map((number) => [number, flat[number]]));
  const bound = await hlo.compile(module, { constants });
  assert.ok(bound.inputs.every(({ name }) => !name.startsWith(`${first}/`)));
  const valueOf = (tree) => (tree.kind === 'leaf' ? (tree.input === null ? null : flat[tree.input]) : tree.kind === 'dict' ? Object.fromEntries(tree.keys.map((key, i) => [key, valueOf(tree.children[i])])) : tree.kind === 'none' ? null : tree.children.map(valueOf));
  const { keywords } = module.inputTree;
  const rest = [...trees.slice(1).map(valueOf), ...(keywords.keys.length ? [valueOf(keywords)] : [])];
  const leaves = (value) => (value === null ? [] : Array.isArray(value) ? value.flatMap(leaves) : value && typeof value === 'object' && !('toArray' in value) ? Object.values(value).flatMap(leaves) : [value]);
  const [got, wanted] = [leaves(bound.run(rest)), leaves(expected)];
  assert.equal(got.length, wanted.length);
  got.forEach((tensor, i) => same(tensor, wanted[i]));
});

test('what does not fit is refused with its name', async () => {
  const module = layer(3, 4, 5);
  const weights = await weightsOf({ 'params.dense.kernal': hlo.tensor(numbers(20), 'f32[4,5]'), 'params.dense.bias': hlo.tensor(numbers(5), 'f32[5]') });
  const refused = async (constants, code, message, options = {}) =>
    assert.rejects(hlo.compile(module, { constants, ...options }), (error) => {
      if (code === TypeError) assert.ok(error instanceof TypeError, String(error));
      else assert.equal(error.code, code, String(error));
      assert.match(error.message, message);
      return true;
    });
  await refused(weights, 'ARGUMENT', /no input has the name of "params\.dense\.kernal"; did you mean "params\/dense\/kernel"\?.*inputs without a weight are x, params\/dense\/kernel/s);
  await refused({ weights, extra: 1 }, TypeError, /constants\.extra/);
  await refused({ weights, maps: {} }, TypeError, /no option "maps"/);
  await refused({ weights, map: { 'params/dense/kernel': 'kernel' } }, 'ARGUMENT', /there is no weight "kernel" for the input params\/dense\/kernel/);
  await refused({ weights, map: { nothing: 'params.dense.bias' } }, 'ARGUMENT', /there is no input "nothing"/);
  await refused({ weights, map: { x: 'params.dense.bias' }, extra: true }, 'ARGUMENT', /the input 0 \(x\) is f32\[3,4\], got the weight "params\.dense\.bias" f32\[5\]/);
  await refused({ 'params/dense/kernal': numbers(20) }, 'ARGUMENT', /there is no input "params\/dense\/kernal"; did you mean "params\/dense\/kernel"\?/);
  await refused({ 7: numbers(20) }, 'ARGUMENT', /there is no input "7"/);
  await refused({ 1: numbers(19) }, 'ARGUMENT', /the input 1 \(params\/dense\/kernel\): expected f32\[4,5\]/);
  await refused({ params: { dense: { bias: [1, 2] } } }, 'ARGUMENT', /the input 2 \(params\/dense\/bias\): expected f32\[5\], got an array of length 2/);
  await refused({ 2: 'abc' }, 'ARGUMENT', /the input 2 \(params\/dense\/bias\): expected f32\[5\], got "abc"/);
  await refused({ 1: hlo.tensor(numbers(20), 'f32[5,4]') }, 'ARGUMENT', /the input 1 \(params\/dense\/kernel\) is f32\[4,5\], got a constant f32\[5,4\]/);
  await refused({ 1: hlo.tensor(new Int32Array(20), 's32[4,5]') }, 'ARGUMENT', /got a constant s32\[4,5\]/);
  await refused(new Map([[2, numbers(5)], ['params/dense/bias', numbers(5)]]), 'ARGUMENT', /the input 2 \(params\/dense\/bias\) is given twice/);
  for (const none of [3, Promise.resolve(weights), new Date(), hlo.tensor([1], 'f32[1]')]) await refused(none, TypeError, /constants are Weights, or arrays/);
  await refused({ weights: Promise.resolve(weights) }, TypeError, /constants\.weights are Weights, got a value of type Promise/);
  await refused({ 2: numbers(5) }, 'ARGUMENT', /params\/dense\/bias is bound to a constant, so that it cannot be donated/, { donate: ['params'] });
  const other = await load();
  await refused(await other.weights({ x: other.tensor(numbers(12), 'f32[3,4]') }), TypeError, /belong to another runtime/);
  other.dispose();
  const disposed = await weightsOf({ x: hlo.tensor(numbers(12), 'f32[3,4]') });
  disposed.dispose();
  await refused(disposed, 'DISPOSED', /disposed/);
  const kept = await hlo.compile(module, { constants: { weights, map: (name) => (name === 'params/dense/kernel' ? 'params.dense.kernal' : undefined) } });
  weights.dispose();
  assert.equal(kept.run([numbers(12)]).toTypedArray().length, 15);
});

test('a large constant of a module is packed in its place; printing the module restores it', async () => {
  const b = hlo.builder('baked');
  const x = b.parameter(0, `f32[32,${K}]`);
  const w = numbers(K * N, 4);
  const module = b.build(b.dot(x, b.constant(w, `f32[${K},${N}]`), { lhsContractingDims: [1], rhsContractingDims: [0] })).module;
  const text = module.toText();
  const executable = await hlo.compile(module);
  const { constants, packed } = executable.memory;
  assert.deepEqual([constants, packed], [0, K * N * 4]);
  assert.equal(module.toText(), text);
  const again = hlo.parse(module.toProto());
  assert.equal(again.toText().split('\n').slice(1).join('\n'), text.split('\n').slice(1).join('\n'));
  const input = numbers(32 * K, 8);
  const expected = (await hlo.compile(again, { reference: true })).run([input]);
  const got = executable.run([input]).toTypedArray();
  expected.toTypedArray().forEach((value, i) => assert.ok(Math.abs(value - got[i]) < 1e-3));
  same((await hlo.compile(hlo.parse(module.toStableHlo()))).run([input]), executable.run([input]));
});

test('weights live as long as executables that are bound to them', async () => {
  const own = await load();
  const weights = await own.weights({ w: own.tensor(numbers(K * N), `f32[${K},${N}]`) });
  const module = own.parse(`HloModule m ENTRY e { x = f32[4,${K}] parameter(0) w = f32[${K},${N}] parameter(1) ROOT d = f32[4,${N}] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} }`);
  for (let i = 0; i < 20; i++) {
    const executable = await own.compile(module, { constants: weights });
    executable.run([numbers(4 * K)]);
    executable.dispose();
  }
  const first = await own.compile(module, { constants: weights });
  const x = numbers(4 * K, 6);
  const before = first.run([x]).toTypedArray();
  weights.dispose();
  module.dispose();
  assert.deepEqual(first.run([x]).toTypedArray(), before);
  assert.ok(own.memory().bytes < 2 ** 26, `${own.memory().bytes} bytes`);
  own.dispose();
});

test('webhlo/worker binds weights and arrays, and reads programs from streams', async () => {
  const remote = await loadWorker();
  const [m, k, n] = [5, K, N];
  const [x, w, b] = [numbers(m * k, 5), numbers(k * n, 2), numbers(n, 3)];
  const expected = (await hlo.compile(layer(m, k, n))).run([x, w, b]).toTypedArray();
  const module = await remote.parse(layer(m, k, n).toText());
  const weights = await remote.weights({ kernel: await remote.tensor(w, `f32[${k},${n}]`), bias: await remote.tensor(b, `f32[${n}]`) });
  const ways = [
    { weights, map: (name) => name.split('/').at(-1).replace(/^x$/, '') || undefined },
    { weights, map: { 'params/dense/kernel': 'kernel', 'params/dense/bias': 'bias' } },
    new Map([[1, w], [2, b]]),
    { params: { dense: { kernel: await remote.tensor(w, `f32[${k},${n}]`), bias: b } } },
  ];
  for (const constants of ways) {
    const options = constants instanceof Map || !('weights' in constants) || typeof constants.map !== 'function' ? constants : { ...constants, map: (name) => (name === 'x' ? undefined : constants.map(name)) };
    const bound = await remote.compile(module, { constants: options });
    assert.deepEqual(bound.inputs.map(({ name }) => name), ['x']);
    assert.deepEqual(await (await bound.run([x])).toTypedArray(), expected);
  }
  const bytes = layer(m, k, n).toProto();
  for (const source of [new Blob([bytes]), new Response(bytes), new Blob([bytes]).stream(), bytes]) {
    const executable = await remote.compile(source, { constants: ways[2] });
    assert.deepEqual(await (await executable.run([x])).toTypedArray(), expected);
  }
  await assert.rejects(remote.compile(module, { constants: { 7: w } }), { code: 'ARGUMENT' });
  await assert.rejects(hlo.compile(layer(m, k, n), { constants: weights }), { name: 'TypeError', message: /constants are Weights, or arrays by the names of inputs, got/ });
  const here = await weightsOf({ kernel: hlo.tensor(w, `f32[${k},${n}]`) });
  for (const constants of [here, { weights: here, map: { 1: 'kernel' } }])
    await assert.rejects(remote.compile(module, { constants }), { name: 'TypeError', message: /the weights belong to a runtime of this thread: load them in the worker/ });
  here.dispose();
  await remote.dispose?.();
});

test('programs are read from whatever gives bytes', async () => {
  const module = layer(3, 4, 5);
  const bytes = module.toProto();
  const file = new URL('../formats/trees/mlp.jaxexport', import.meta.url);
  const chunked = () => {
    let at = 0;
    return new ReadableStream({ pull: (controller) => (at < bytes.length ? controller.enqueue(bytes.slice(at, (at += 7))) : controller.close()) });
  };
  for (const source of [new Blob([bytes]), new Response(bytes), chunked(), new Response(chunked(), { headers: { 'content-length': '3' } })])
    assert.equal((await hlo.parse(source)).toText(), hlo.parse(bytes).toText());
  assert.equal((await hlo.parse(file)).toText(), hlo.parse(readFileSync(file)).toText());
  assert.deepEqual((await hlo.compile(file)).inputs.map(({ name }) => name), hlo.parse(readFileSync(file)).inputs.map(({ name }) => name));
  const { buffers } = hlo.memory();
  await assert.rejects(hlo.parse(new Response('nothing')), { code: 'PARSE' });
  await assert.rejects(hlo.parse(new Response('', { status: 404 })), { code: 'LOAD' });
  await assert.rejects(hlo.parse(new ReadableStream({ pull() { throw new Error('broken'); } })), { code: 'LOAD' });
  assert.equal(hlo.memory().buffers, buffers);
});
