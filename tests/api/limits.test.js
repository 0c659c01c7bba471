// Limits for programs that nobody trusts: work, memory, abortion within long steps, and runs in slices.
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { load as loadWorker } from '../../js/worker.js';

/** @type {any} */
let hlo;
before(async () => (hlo = await load()));
after(() => hlo.dispose());

const ADD = 'add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }';
/** A computation of two scalars that works on 200 elements. */
const WIDE = `${ADD} wide { a = f32[] parameter(0) b = f32[] parameter(1) i = f32[200] iota(), iota_dimension=0 c = f32[200] broadcast(a), dimensions={}
  d = f32[200] add(c, i) s = f32[200] sine(d) ROOT r = f32[] reduce(s, b), dimensions={0}, to_apply=add }`;
const module = (/** @type {string} */ entry, helpers = ADD) => `HloModule m\n${helpers}\nENTRY e { ${entry} }`;
const compileBoth = (/** @type {string} */ text) => Promise.all([false, true].map((reference) => hlo.compile(hlo.parse(text), { reference })));

/** Zeros for every parameter of an executable. @param {any} executable */
const zeros = (executable) => executable.inputs.map(({ shape }) => hlo.tensor(new Float32Array(shape.elementCount), shape));

// ---- Work ----

/** By name: a program whose parameters are f32, and what its largest operation takes at least. @type {Record<string, [text: string, least: number]>} */
const costly = {
  dot: [module('x = f32[50,60] parameter(0) y = f32[60,70] parameter(1) ROOT big = f32[50,70] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}'), 50 * 60 * 70],
  'ragged-dot': [module('x = f32[40,30] parameter(0) y = f32[2,30,20] parameter(1) g = s32[2] constant({10,30}) ROOT big = f32[40,20] ragged-dot(x, y, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}'), 40 * 30 * 20],
  convolution: [module('x = f32[1,40,40,3] parameter(0) k = f32[7,7,3,5] parameter(1) ROOT big = f32[1,34,34,5] convolution(x, k), window={size=7x7}, dim_labels=b01f_01io->b01f'), 34 * 34 * 5 * 7 * 7 * 3],
  'reduce-window': [module('x = f32[1000] parameter(0) z = f32[] constant(0) ROOT big = f32[501] reduce-window(x, z), window={size=500}, to_apply=add'), 500 * 501],
  'reduce-window by a computation': [module('x = f32[1000] parameter(0) z = f32[] constant(0) ROOT big = f32[501] reduce-window(x, z), window={size=500}, to_apply=odd',
    'odd { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] sine(a) d = f32[] cosine(b) ROOT r = f32[] multiply(c, d) }'), 500 * 501 * 5],
  'select-and-scatter': [module('x = f32[400] parameter(0) s = f32[301] parameter(1) z = f32[] constant(0) ROOT big = f32[400] select-and-scatter(x, s, z), window={size=100}, select=ge, scatter=add',
    `${ADD} ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GE }`), 100 * 301],
  reduce: [module('x = f32[500] parameter(0) z = f32[] constant(0) ROOT big = f32[] reduce(x, z), dimensions={0}, to_apply=wide', WIDE), 500 * 800],
  map: [module('x = f32[300] parameter(0) y = f32[300] parameter(1) ROOT big = f32[300] map(x, y), dimensions={0}, to_apply=wide', WIDE), 300 * 800],
  sort: [module('x = f32[4096] parameter(0) ROOT big = f32[4096] sort(x), dimensions={0}, to_apply=less', 'less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }'), 4096 * 12],
  scatter: [module('x = f32[100] parameter(0) u = f32[300] parameter(1) c = f32[300,1] parameter(2) i = s32[300,1] convert(c) ROOT big = f32[100] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=wide',
    WIDE), 300 * 800],
  topk: [module('x = f32[4096] parameter(0) ROOT big = (f32[2], s32[2]) topk(x), k=2'), 4096 * 12],
  fft: [module('x = f32[1021] parameter(0) ROOT big = c64[511] fft(x), fft_type=RFFT, fft_length={1021}'), 1021 * 1021],
  cholesky: [module('x = f32[60,60] parameter(0) ROOT big = f32[60,60] cholesky(x), lower=true'), 60 ** 3],
  'triangular-solve': [module('x = f32[60,60] parameter(0) y = f32[60,50] parameter(1) ROOT big = f32[60,50] triangular-solve(x, y), left_side=true, lower=true, unit_diagonal=true'), 60 * 60 * 50],
  lapack: [module('x = f32[30,30] parameter(0) ROOT big = (f32[30,30], f32[30], s32[]) custom-call(x), custom_call_target="lapack_ssyevd_ffi", backend_config="{mode = 86 : ui8, uplo = 76 : ui8}", api_version=API_VERSION_TYPED_FFI'), 30 ** 3],
};

for (const [name, [text, least]] of Object.entries(costly))
  test(`work: ${name} is charged before it begins`, async () => {
    for (const executable of await compileBoth(text)) {
      const inputs = zeros(executable);
      assert.throws(() => executable.run(inputs, { workBudget: least }), {
        code: 'LIMIT',
        message: new RegExp(`computation \\S+, instruction \\S+: \\S+ needs \\d+ units of work, and \\d+ are left of the run's workBudget of ${least}`),
      });
      executable.run(inputs);
      const { lastWork } = executable;
      assert.ok(lastWork > least, `${lastWork} units, at least ${least}`);
      executable.run(inputs, { workBudget: lastWork });
      assert.throws(() => executable.run(inputs, { workBudget: lastWork - 1 }), { code: 'LIMIT' });
    }
  });

test('work: one step of hours is refused at once', async () => {
  const dot = module('x = f32[2000,2000] parameter(0) y = f32[2000,2000] parameter(1) ROOT big = f32[2000,2000] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}');
  const window = module('x = f32[5] parameter(0) z = f32[] constant(0) ROOT big = f32[5] reduce-window(x, z), window={size=1000000000 pad=500000000_499999999}, to_apply=add');
  for (const executable of [...(await compileBoth(dot)), ...(await compileBoth(window))])
    for (const workBudget of [5, 1e9]) assert.throws(() => executable.run(zeros(executable), { workBudget }), { code: 'LIMIT', message: /instruction big/ });
});

test('work: rows of a sparse matrix that begin again are not multiplied again', async () => {
  const text = module('v = f32[4] constant({1,2,4,8}) n = s32[4] parameter(0) c = s32[4] constant({0,0,0,0}) b = f32[1,1] constant({{1}}) ROOT big = f32[3,1] custom-call(v, n, c, b), custom_call_target="cpu_csr_sparse_dense_ffi"');
  for (const executable of await compileBoth(text)) {
    const run = (/** @type {number[]} */ begins) => executable.run([Int32Array.from(begins)]).toArray().flat();
    assert.deepEqual(run([0, 2, 3, 4]), [3, 4, 8]);
    assert.deepEqual(run([0, 4, 0, 4]), [15, 0, 0]);
    assert.deepEqual(run([-5, 1, 1, 99]), [1, 0, 14]);
  }
});

test('work: loops within applied computations', async () => {
  const text = module('x = f32[3] parameter(0) z = f32[] constant(0) ROOT big = f32[] reduce(x, z), dimensions={0}, to_apply=forever',
    `yes { s = f32[] parameter(0) ROOT t = pred[] constant(true) } same { s = f32[] parameter(0) ROOT t = f32[] sine(s) }
forever { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] add(a, b) ROOT w = f32[] while(c), condition=yes, body=same }`);
  for (const executable of await compileBoth(text))
    assert.throws(() => executable.run(zeros(executable), { workBudget: 100000 }), { code: 'LIMIT', message: /instruction w\b/ });
});

test('work: calls that double at every level are counted, not run', async () => {
  let levels = 'f0 { a = f32[] parameter(0) ROOT r = f32[] sine(a) }';
  for (let i = 1; i < 100; i++) levels += ` f${i} { a = f32[] parameter(0) b = f32[] call(a), to_apply=f${i - 1} ROOT r = f32[] call(b), to_apply=f${i - 1} }`;
  const executable = await hlo.compile(hlo.parse(module('x = f32[4] parameter(0) ROOT big = f32[4] map(x), dimensions={0}, to_apply=f99', levels)), { reference: true });
  assert.throws(() => executable.run(zeros(executable), { workBudget: 2 ** 53 }), { code: 'LIMIT', message: /needs 9223372036854775807 units/ });
});

test('work: budgets of all kinds of numbers', async () => {
  const [executable] = await compileBoth(costly.sort[0]);
  const inputs = zeros(executable);
  for (const workBudget of [2 ** 53, 2n ** 53n, 1e30, 2n ** 100n, 10n ** 9n]) executable.run(inputs, { workBudget });
  for (const workBudget of [0, -1, 1.5, NaN, Infinity, '5', null, 0n, -1n])
    assert.throws(() => executable.run(inputs, { workBudget }), { name: 'TypeError', message: /^workBudget is a whole number of units of work, 1 or more, got / });
  assert.throws(() => executable.run(inputs, { stepBudget: 5 }), { name: 'TypeError', message: /no option "stepBudget"/ });
});

test('work: dynamic executables, replicas', async () => {
  const dynamic = await hlo.compile(hlo.parse('func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %y = stablehlo.sine %x : tensor<?xf32> return %y : tensor<?xf32> }'));
  assert.throws(() => dynamic.run([new Float32Array(1000)], { workBudget: 1999 }), { code: 'LIMIT' });
  dynamic.run([new Float32Array(1000)], { workBudget: 2000 });
  assert.equal(dynamic.lastWork, 2000);
  const two = await hlo.compile(hlo.parse(module('x = f32[100] parameter(0) ROOT big = f32[100] sine(x)')), { replicas: 2 });
  const inputs = [[new Float32Array(100)], [new Float32Array(100)]];
  assert.throws(() => two.run(inputs, { workBudget: 399 }), { code: 'LIMIT' });
  two.run(inputs, { workBudget: 400 });
});

// ---- Abortion within a step ----

const soon = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a worker leaves an enormous step when the run is aborted', async () => {
  const there = await loadWorker();
  const n = 4096;
  const dot = module(`x = f32[${n},${n}] parameter(0) y = f32[${n},${n}] parameter(1) ROOT big = f32[${n},${n}] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`);
  const controller = new AbortController();
  const executable = await there.compile(await there.parse(dot), { signal: controller.signal });
  const inputs = [await there.tensor(new Float32Array(n * n), `f32[${n},${n}]`), await there.tensor(new Float32Array(n * n), `f32[${n},${n}]`)];
  const outputs = await there.tensor(new Float32Array(n * n).fill(-1), `f32[${n},${n}]`);
  const running = executable.run(inputs, { outputs });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(running, { code: 'ABORTED' });
  assert.equal((await outputs.toTypedArray()).at(-1), -1); // all of it is 0 where the step has run to its end
  there.dispose();
});

test('a worker leaves the reference evaluator within an instruction of hours', async () => {
  const there = await loadWorker();
  const n = 1 << 20;
  const text = module(`x = f32[${n}] parameter(0) z = f32[] constant(0) ROOT big = f32[${n}] reduce-window(x, z), window={size=${n} pad=${n - 1}_0}, to_apply=add`);
  const executable = await there.compile(await there.parse(text), { reference: true });
  for (const by of [new AbortController(), new AbortController()]) {
    const running = executable.runAsync([new Float32Array(n)], { signal: by.signal });
    setTimeout(() => by.abort(), 100);
    await assert.rejects(running, { code: 'ABORTED' });
    assert.equal((await there.memory()).executables, 1); // the worker answers
  }
  there.dispose();
});

// ---- Slices ----

const COUNT = (/** @type {number} */ rounds, width = 1) => `HloModule m
cond { p = (s32[], f32[${width}]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(${rounds}) ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[${width}]) parameter(0) i = s32[] get-tuple-element(p), index=0 one = s32[] constant(1) j = s32[] add(i, one) x = f32[${width}] get-tuple-element(p), index=1 y = f32[${width}] cosine(x) ROOT t = (s32[], f32[${width}]) tuple(j, y) }
ENTRY e { x = f32[${width}] parameter(0) z = s32[] constant(0) s = (s32[], f32[${width}]) tuple(z, x) w = (s32[], f32[${width}]) while(s), condition=cond, body=body ROOT y = f32[${width}] get-tuple-element(w), index=1 }`;

test('runAsync: timers fire between slices, and an abort ends a loop of 10^9 iterations', async () => {
  for (const emit of [true, false]) {
    const own = await load({ emit });
    const executable = await own.compile(own.parse(COUNT(1e9)));
    const controller = new AbortController();
    const order = [];
    const timer = setInterval(() => order.push('timer') === 3 && controller.abort(new Error('enough')), 1);
    await assert.rejects(executable.runAsync([[1]], { signal: controller.signal }), (/** @type {any} */ error) => error.code === 'ABORTED' && error.cause.message === 'enough');
    clearInterval(timer);
    assert.ok(order.length >= 3);
    assert.throws(() => executable.run([[1]], { workBudget: 1e6 }), { code: 'LIMIT' }); // it can be run again
    own.dispose();
  }
});

test('runAsync: the same bits as run', async () => {
  const reduce = module('x = f32[300,40] parameter(0) z = f32[] constant(0) a = f32[300,40] sine(x) r = f32[300] reduce(a, z), dimensions={1}, to_apply=add b = f32[300] sort(r), dimensions={0}, to_apply=less ROOT t = (f32[300], f32[300,40]) tuple(b, a)',
    `${ADD} less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }`);
  const nested = COUNT(30, 50).replace('y = f32[50] cosine(x)', 'q = f32[50] sine(x) w2 = s32[] constant(0) y = f32[50] add(q, x)');
  const texts = [COUNT(200000), COUNT(300, 5000), reduce, nested, ...Object.entries(costly).filter(([name]) => name !== 'scatter').map(([, [text]]) => text)];
  for (const text of texts) {
    const executable = await hlo.compile(hlo.parse(text));
    const inputs = executable.inputs.map(({ shape }, k) => hlo.tensor(Float32Array.from({ length: shape.elementCount }, (_, i) => ((i * 37 + k) % 101) / 100), shape));
    const flat = (/** @type {any} */ result) => [result].flat().map((tensor) => tensor.toTypedArray());
    const expected = flat(executable.run(inputs, { seed: 3 }));
    for (const slice of [1e-9, 1, Infinity]) assert.deepEqual(flat(await executable.runAsync(inputs, { slice, seed: 3 })), expected);
    const { lastWork } = executable;
    executable.run(inputs);
    assert.equal(lastWork, executable.lastWork);
  }
});

test('runAsync: a long product is divided, and ends by an abort in its middle', async () => {
  const executable = await hlo.compile(hlo.parse(module('x = f32[1024,1024] parameter(0) y = f32[1024,1024] parameter(1) ROOT r = f32[1024,1024] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}')));
  const inputs = [1, 2].map((k) => hlo.tensor(Float32Array.from({ length: 2 ** 20 }, (_, i) => ((i * 37 + k) % 101) / 100), 'f32[1024,1024]'));
  const expected = executable.run(inputs).toTypedArray();
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  try {
    assert.deepEqual((await executable.runAsync(inputs, { slice: 1e-9 })).toTypedArray(), expected);
    assert.ok(turns >= 8, `${turns} turns`);
    const controller = new AbortController();
    const first = turns;
    const running = executable.runAsync(inputs, { slice: 1e-9, signal: controller.signal });
    setTimeout(() => setTimeout(() => controller.abort()));
    await assert.rejects(running, { code: 'ABORTED' });
    assert.ok(turns - first < 8, `${turns - first} turns until the abort`);
  } finally {
    clearInterval(counting);
  }
  assert.deepEqual(executable.run(inputs).toTypedArray(), expected);
});

test('runAsync: an abort in the middle of a factorisation leaves the runtime as it was', async () => {
  const n = 700;
  const executable = await hlo.compile(hlo.parse(module(`x = f32[${n},${n}] parameter(0) ROOT r = (f32[${n},${n}], s32[${n}], s32[]) custom-call(x), custom_call_target="lapack_sgetrf_ffi"`)));
  const input = hlo.tensor(Float32Array.from({ length: n * n }, (_, i) => ((i * 7919) % 1009) / 1009), `f32[${n},${n}]`);
  const expected = executable.run([input]).map((/** @type {any} */ tensor) => tensor.toTypedArray());
  assert.deepEqual((await executable.runAsync([input], { slice: 1 })).map((/** @type {any} */ tensor) => tensor.toTypedArray()), expected);
  const there = await loadWorker();
  const same = await there.compile(await there.parse(module(`x = f32[${n},${n}] parameter(0) ROOT r = (f32[${n},${n}], s32[${n}], s32[]) custom-call(x), custom_call_target="lapack_sgetrf_ffi"`)), { signal: new AbortController().signal });
  const array = input.toTypedArray();
  for (const milliseconds of [1, 3, 5, 8, 12]) {
    const controller = new AbortController();
    const running = same.runAsync([array], { signal: controller.signal });
    setTimeout(() => controller.abort(), milliseconds);
    await running.catch((/** @type {any} */ error) => assert.equal(error.code, 'ABORTED'));
  }
  const [factors, pivots] = await same.runAsync([array]);
  assert.deepEqual([await factors.toTypedArray(), await pivots.toTypedArray()], expected.slice(0, 2));
  there.dispose();
});

test('runAsync: devices that meet pause as well', async () => {
  const text = `HloModule m\n${ADD}\n${COUNT(20000).split('\n').slice(1, 3).join('\n')}
ENTRY e { x = f32[1] parameter(0) z = s32[] constant(0) s = (s32[], f32[1]) tuple(z, x) w = (s32[], f32[1]) while(s), condition=cond, body=body y = f32[1] get-tuple-element(w), index=1 ROOT r = f32[1] all-reduce(y), replica_groups={}, to_apply=add }`;
  const executable = await hlo.compile(hlo.parse(text), { replicas: 3 });
  const inputs = [[[1]], [[2]], [[3]]];
  const arrays = (/** @type {any[]} */ results) => results.map((result) => result.toArray());
  assert.deepEqual(arrays(await executable.runAsync(inputs, { slice: 1e-9 })), arrays(executable.run(inputs)));
});

test('runAsync: what happens between slices', async () => {
  // The parameter is read again at the end.
  const long = await hlo.compile(hlo.parse(COUNT(400000).replace(/ROOT y = (.*) }$/, 'y = $1 ROOT end = f32[1] add(y, x) }')));
  const other = await hlo.compile(hlo.parse(module('x = f32[4] parameter(0) ROOT r = f32[4] negate(x)')));
  const expected = long.run([[0.5]]).toArray();
  const input = hlo.tensor([0.5], 'f32[1]');
  const running = long.runAsync([input], { slice: 0.5 });
  assert.throws(() => long.run([[1]]), { code: 'ARGUMENT', message: /running already/ });
  await assert.rejects(long.runAsync([[1]]), { code: 'ARGUMENT', message: /running already/ });
  input.dispose();
  for (let i = 0; i < 20; i++) {
    hlo.tensor(new Float32Array(1).fill(9), 'f32[1]'); // would take the place of a freed one
    assert.deepEqual(other.run([[1, 2, 3, 4]]).toArray(), [-1, -2, -3, -4]);
    await soon(0);
  }
  assert.deepEqual((await running).toArray(), expected);
  assert.deepEqual(long.run([[0.5]]).toArray(), expected);
  const { buffers } = hlo.memory();
  const ended = long.runAsync([[0.5]], { slice: 1e-9 });
  await soon(0);
  long.dispose();
  await assert.rejects(ended, { code: 'DISPOSED' });
  assert.ok(hlo.memory().buffers <= buffers);
});

test('runAsync: failures leave the runtime usable', async () => {
  const executable = await hlo.compile(hlo.parse(COUNT(1e6)));
  await assert.rejects(executable.runAsync([[1]], { workBudget: 100000 }), { code: 'LIMIT' });
  await assert.rejects(executable.runAsync([[1, 2]]), { code: 'INPUT' });
  await assert.rejects(executable.runAsync([[1]], { slice: 0 }), { name: 'TypeError', message: /slice is a number of milliseconds/ });
  await assert.rejects(executable.runAsync([[1]], { signal: 5 }), { name: 'TypeError', message: /signal is an AbortSignal/ });
  await assert.rejects(executable.runAsync([[1]], { slices: 1 }), { name: 'TypeError', message: /did you mean "slice"/ });
  await assert.rejects(executable.runAsync([[1]], { signal: AbortSignal.abort() }), { code: 'ABORTED' });
  const b = hlo.builder();
  const thrower = await hlo.compile(b.build(b.customCall('stop', [b.parameter(0, 'f32[]')], 'f32[]')), { customCalls: { stop() { throw new Error('no'); } } });
  await assert.rejects(thrower.runAsync([1]), { code: 'CUSTOM_CALL' });
  const reference = await hlo.compile(hlo.parse(COUNT(5)), { reference: true });
  await assert.rejects(reference.runAsync([[1]]), { code: 'UNSUPPORTED', message: /reference evaluator cannot pause/ });
  assert.equal(typeof executable.run([[1]]).toArray()[0], 'number');
  const own = await load();
  const lost = (await own.compile(own.parse(COUNT(1e9)))).runAsync([[1]]);
  await soon(1);
  own.dispose();
  await assert.rejects(lost, { code: 'DISPOSED' });
});

test('runAsync of dynamic executables: one that is not kept any more runs to its end', async () => {
  const text = 'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %y = stablehlo.sine %x : tensor<?xf32> return %y : tensor<?xf32> }';
  const dynamic = await hlo.compile(hlo.parse(text), { maxSpecializations: 1 });
  const first = dynamic.runAsync([new Float32Array(200000)], { slice: 1e-9 });
  dynamic.run([new Float32Array(7)]);
  assert.equal((await first).toTypedArray().length, 200000);
});

// ---- Memory ----

test('memoryLimit of load', async () => {
  for (const threads of [1, 2]) {
    const small = await load({ memoryLimit: 2 ** 24, threads });
    assert.throws(() => small.tensor(new Float32Array(2 ** 22), 'f32[4194304]'), { code: 'OUT_OF_MEMORY', message: /memoryLimit is 16777216 bytes/ });
    const text = module('x = f32[] parameter(0) a = f32[2048,2048] broadcast(x), dimensions={} ROOT b = f32[2048,2048] sine(a)');
    const executable = await small.compile(small.parse(text));
    assert.throws(() => executable.run([1]), { code: 'OUT_OF_MEMORY', message: /memoryLimit is 16777216 bytes/ });
    assert.ok(small.memory().bytes <= 2 ** 24);
    assert.equal(small.tensor([1, 2], 'f32[2]').toArray()[1], 2);
    small.dispose();
  }
  for (const memoryLimit of [0, 1000, 1.5e7 + 0.5, NaN, '16777216', null])
    await assert.rejects(load(/** @type {any} */ ({ memoryLimit })), { name: 'TypeError', message: /memoryLimit is a whole number of bytes, 8388608 or more/ });
});

test('memoryLimit of compile names what needs most', async () => {
  const text = module('x = f32[1000] parameter(0) y = f32[1000] parameter(1) c = f32[1000] add(x, y) ROOT r = f32[10] slice(c), slice={[0:10]}');
  await assert.rejects(hlo.compile(hlo.parse(text), { memoryLimit: 5000 }), { code: 'LIMIT', message: /its memoryLimit is 5000; most of them are for inputs: 8000/ });
  const { executables } = hlo.memory();
  const executable = await hlo.compile(hlo.parse(text), { memoryLimit: 50000 });
  assert.equal(hlo.memory().executables, executables + 1);
  await assert.rejects(hlo.compile(hlo.parse(text), { memoryLimit: executable.memory.peak - 1 }), { code: 'LIMIT' });
  const dynamic = await hlo.compile(hlo.parse('func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }'), { memoryLimit: 1000 });
  dynamic.run([new Float32Array(10)]);
  assert.throws(() => dynamic.run([new Float32Array(1000)]), { code: 'LIMIT', message: /memoryLimit is 1000/ });
});

test('memory that no run can have is counted as it is', async () => {
  const text = `HloModule m
less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = f32[] parameter(0)
  b = f32[40000,30000] broadcast(x), dimensions={}
  s = f32[40000,30000] sort(b), dimensions={1}, to_apply=less
  ROOT r = f32[1,1] slice(s), slice={[0:1], [0:1]}
}`;
  const executable = await hlo.compile(hlo.parse(text));
  assert.ok(executable.memory.workspace >= 4 * 40000 * 30000, `${executable.memory.workspace}`);
  assert.equal(executable.workspaceBytes, executable.memory.workspace);
  await assert.rejects(hlo.compile(hlo.parse(text), { memoryLimit: 2 ** 32 }), { code: 'LIMIT', message: /most of them are for workspace: \d{10}/ });
  assert.throws(() => executable.run([1]), { code: 'OUT_OF_MEMORY' });
});

// ---- Compiling ----

test('movements that meet are joined before they go on: a chain of them takes as much work an operation as a short one', async () => {
  /** @type {Record<string, (i: number) => [sizes: string, op: string]>} */
  const movements = { transpose: () => ['8,8', 'transpose(b), dimensions={1,0}'], reshape: (i) => [i % 2 ? '64' : '8,8', 'reshape(b)'] };
  for (const [name, movement] of Object.entries(movements)) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const [sizes, op] = movement(i);
      const before = i === 0 ? '8,8' : movement(i - 1)[0];
      return `a${i} = f32[${before}] sine(c${i - 1}) b${i} = f32[${before}] sine(a${i}) c${i} = f32[${sizes}] ${op.replace('(b)', `(b${i})`)}`;
    });
    const source = module(`c-1 = f32[8,8] parameter(0) ${lines.join(' ')} ROOT r = f32[${movement(999)[0]}] negate(c999)`);
    const compiled = (async () => (await hlo.compile(hlo.parse(source), { workLimit: 3000 * 150 })).dispose())();
    await assert.doesNotReject(compiled, name);
  }
});

test('workLimit of compile names the stage', async () => {
  const chain = Array.from({ length: 500 }, (_, i) => `v${i + 1} = f32[4] sine(v${i})`).join(' ');
  const source = module(`v0 = f32[4] parameter(0) ${chain} ROOT r = f32[4] negate(v500)`);
  const compile = (/** @type {any} */ workLimit) => hlo.compile(hlo.parse(source), { workLimit });
  await assert.rejects(compile(100), { code: 'LIMIT', message: /more than its workLimit of 100 units of work: it was spent in verification/ });
  await assert.rejects(compile(1000), { code: 'LIMIT', message: /workLimit of 1000 units of work: it was spent in explicit-layouts|inline-calls/ });
  for (const workLimit of [1e6, 2n ** 53n]) (await compile(workLimit)).dispose();
  for (const workLimit of [0, 1.5, '5', null]) await assert.rejects(compile(workLimit), { name: 'TypeError', message: /workLimit is a whole number of units of work/ });
  const dynamic = await hlo.compile(hlo.parse('func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %y = stablehlo.sine %x : tensor<?xf32> return %y : tensor<?xf32> }'), { workLimit: 1 });
  assert.throws(() => dynamic.run([new Float32Array(10)]), { code: 'LIMIT', message: /workLimit of 1 / });
});
