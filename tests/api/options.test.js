// Every function that takes an object of options refuses what is not an object, and names that nobody reads: with the nearest name,
// and before it does anything.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { HloError, load } from '../../js/index.js';
import { load as loadWorker } from '../../js/worker.js';
import { nearestName } from '../../js/objects/nearest-name.js';

const DYNAMIC = `func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}`;

const hlo = await load();
const there = await loadWorker();
after(() => there.dispose());

const b = hlo.builder('doubled');
const doubled = b.build(b.multiply(b.parameter(0, 'f32[2]', 'x'), 2));
const executable = await hlo.compile(doubled);
const open = hlo.parse(DYNAMIC);
const dynamic = await hlo.compile(open);
const remoteModule = await there.parse(DYNAMIC);
const remoteDynamic = await there.compile(remoteModule);
const remote = await there.compile(doubled);

/** A builder with operands for all that is tried on it. */
function parts() {
  const c = hlo.builder('parts');
  const x = c.parameter(0, 'f32[4,4]', 'x');
  const image = c.parameter(1, 'f32[1,1,4,4]', 'image');
  const i = c.parameter(2, 's32[2]', 'i');
  const s = hlo.builder('sum');
  const sum = s.build(s.add(s.parameter(0, 'f32[]'), s.parameter(1, 'f32[]')));
  return { c, x, image, i, sum };
}

/** @typedef {(options: any) => unknown} Call */
/** @type {{ name: string, call: Call, misspelt: string, nearest: string, array?: boolean }[]} array: options may be one */
const calls = [
  { name: 'load', call: (o) => load(o), misspelt: 'treads', nearest: 'threads' },
  { name: 'parse', call: (o) => hlo.parse(DYNAMIC, o), misspelt: 'shape', nearest: 'shapes' },
  { name: 'compile', call: (o) => hlo.compile(doubled, o), misspelt: 'customCall', nearest: 'customCalls' },
  { name: 'compile of a dynamic module', call: (o) => hlo.compile(open, o), misspelt: 'maxSpecialisations', nearest: 'maxSpecializations' },
  { name: 'run', call: (o) => executable.run([[1, 2]], o), misspelt: 'workbudget', nearest: 'workBudget' },
  { name: 'runAsync', call: (o) => executable.runAsync([[1, 2]], o), misspelt: 'slcie', nearest: 'slice' },
  { name: 'runAsync of a dynamic executable', call: (o) => dynamic.runAsync([[1, 2]], o), misspelt: 'singal', nearest: 'signal' },
  { name: 'a worker: runAsync', call: (o) => remote.runAsync([[1, 2]], o), misspelt: 'slcie', nearest: 'slice' },
  { name: 'run of a dynamic executable', call: (o) => dynamic.run([[1, 2]], o), misspelt: 'output', nearest: 'outputs' },
  { name: 'profile', call: (o) => executable.profile([[1, 2]], o), misspelt: 'sede', nearest: 'seed' },
  { name: 'profile of a dynamic executable', call: (o) => dynamic.profile([[1, 2]], o), misspelt: 'seeed', nearest: 'seed' },
  { name: 'origins', call: (o) => hlo.origins(doubled, [[1, 2]], o), misspelt: 'seeds', nearest: 'seed' },
  { name: 'module.specialize', call: (o) => open.specialize(['f32[2]'], o), misspelt: 'value', nearest: 'values' },
  { name: 'executable.specialize', call: (o) => executable.specialize(['f32[2]'], o), misspelt: 'vlaues', nearest: 'values' },
  { name: 'dynamic.specialize', call: (o) => dynamic.specialize(['f32[2]'], o), misspelt: 'valeus', nearest: 'values' },
  { name: 'toProto', call: (o) => doubled.module.toProto(o), misspelt: 'knid', nearest: 'kind' },
  { name: 'shape', call: (o) => hlo.shape('f32[2]', o), misspelt: 'padedDimensions', nearest: 'paddedDimensions' },
  { name: 'shape of a shape', call: (o) => hlo.shape(hlo.shape('f32[2]'), o), misspelt: 'paddingVale', nearest: 'paddingValue' },
  { name: 'makeShape', call: (o) => hlo.makeShape('f32', [2], o), misspelt: 'layuot', nearest: 'layout' },
  { name: 'layout', call: (o) => hlo.makeShape('f32', [2], { layout: o === 5 ? /** @type {any} */ ([5]) : o }), misspelt: 'minorTomajor', nearest: 'minorToMajor' },
  { name: 'a worker: load', call: (o) => loadWorker(o), misspelt: 'shareForm', nearest: 'shareFrom' },
  { name: 'a worker: parse', call: (o) => there.parse(DYNAMIC, o), misspelt: 'entri', nearest: 'entry' },
  { name: 'a worker: compile', call: (o) => there.compile(doubled, o), misspelt: 'replica', nearest: 'replicas' },
  { name: 'a worker: run', call: (o) => remote.run([[1, 2]], o), misspelt: 'tranfer', nearest: 'transfer' },
  { name: 'a worker: profile', call: (o) => remote.profile([[1, 2]], o), misspelt: 'workBugdet', nearest: 'workBudget' },
  { name: 'a worker: specialize', call: (o) => remoteDynamic.specialize(['f32[2]'], o), misspelt: 'vals', nearest: 'values' },
  { name: 'a worker: module.specialize', call: (o) => remoteModule.specialize(['f32[2]'], o), misspelt: 'valuse', nearest: 'values' },
  { name: 'a worker: toProto', call: (o) => remoteModule.toProto(o), misspelt: 'kinds', nearest: 'kind' },
  { name: 'a worker: tensor', call: (o) => there.tensor([1, 2], 'f32[2]', o), misspelt: 'transfers', nearest: 'transfer' },
  { name: 'a worker: origins', call: (o) => there.origins(doubled, [[1, 2]], o), misspelt: 'sed', nearest: 'seed' },
  { name: 'a worker: shape', call: (o) => there.shape('f32[2]', o), misspelt: 'paddedDimension', nearest: 'paddedDimensions' },
];

/** Builder methods: each is tried on a builder of its own. @type {typeof calls} */
const builderCalls = [
  ['instruction', (/** @type {any} */ o) => ({ c, x }) => c.instruction('negate', [x], o), 'nmae', 'name'],
  ['an operation of the table', (o) => ({ c, x }) => c.negate(x, o), 'shpae', 'shape'],
  ['an operation that broadcasts', (o) => ({ c, x }) => c.add(x, x, o), 'broadcastDimension', 'broadcastDimensions', true],
  ['compare', (o) => ({ c, x }) => c.compare(x, x, 'LT', o), 'nam', 'name', true],
  ['compare, its direction', (o) => ({ c, x }) => c.compare(x, x, typeof o === 'string' ? [o] : o), 'directon', 'direction'],
  ['dot', (o) => ({ c, x }) => c.dot(x, x, o), 'lhsContractingDim', 'lhsContractingDims'],
  ['dotGeneral', (o) => ({ c, x }) => c.dotGeneral(x, x, o), 'rhsBatchDim', 'rhsBatchDims'],
  ['conv', (o) => ({ c, image }) => c.conv(image, image, [1, 1], 'VALID', o), 'featureGroupcount', 'featureGroupCount'],
  ['convWithGeneralPadding', (o) => ({ c, image }) => c.convWithGeneralPadding(image, image, [1, 1], 'VALID', o), 'lhsDilations', 'lhsDilation', true],
  ['convGeneral', (o) => ({ c, image }) => c.convGeneral(image, image, [1, 1], 'VALID', 'bf01_oi01->bf01', o), 'rhsDilaton', 'rhsDilation'],
  ['convGeneralDilated', (o) => ({ c, image }) => c.convGeneralDilated(image, image, [1, 1], 'VALID', [1, 1], [1, 1], 'bf01_oi01->bf01', o), 'batchGroupCout', 'batchGroupCount'],
  ['reduceWindow', (o) => ({ c, x, sum }) => c.reduceWindow(x, 0, sum, [2, 2], [1, 1], 'VALID', o), 'baseDilation', 'baseDilations'],
  ['triangularSolve', (o) => ({ c, x }) => c.triangularSolve(x, x, o), 'leftside', 'leftSide'],
  ['allReduce', (o) => ({ c, x, sum }) => c.allReduce(x, sum, o), 'channelID', 'channelId'],
  ['allGather', (o) => ({ c, x }) => c.allGather(x, 0, 2, o), 'replicaGroup', 'replicaGroups'],
  ['reduceScatter', (o) => ({ c, x, sum }) => c.reduceScatter(x, sum, 0, 2, o), 'replicagroups', 'replicaGroups'],
  ['allToAll', (o) => ({ c, x }) => c.allToAll(x, 0, 1, 2, o), 'chanelId', 'channelId'],
  ['collectivePermute', (o) => ({ c, x }) => c.collectivePermute(x, [[0, 1]], o), 'channelid', 'channelId'],
  ['collectiveBroadcast', (o) => ({ c, x }) => c.collectiveBroadcast(x, o), 'replicGroups', 'replicaGroups'],
  ['send', (o) => ({ c, x }) => c.send(x, 1, o), 'isHostTranfer', 'isHostTransfer'],
  ['recv', (o) => ({ c }) => c.recv('f32[2]', 1, o), 'isHostTranser', 'isHostTransfer'],
  ['gather', (o) => ({ c, x, i }) => c.gather(x, i, o, [1, 1]), 'offsetDim', 'offsetDims'],
  ['scatter', (o) => ({ c, x, i, sum }) => c.scatter(x, i, x, sum, o), 'indexVectordim', 'indexVectorDim'],
  ['customCall', (o) => ({ c, x }) => c.customCall('TopK', [x], 'f32[2]', o), 'apiVersoin', 'apiVersion'],
].map(([name, make, misspelt, nearest, array]) => ({
  name: `builder: ${name}`,
  call: (/** @type {any} */ o) => /** @type {any} */ (make)(o)(parts()),
  misspelt: /** @type {string} */ (misspelt),
  nearest: /** @type {string} */ (nearest),
  array: array === true,
}));

/** Where an argument is a plain value, or an object of options. @type {[string, (p: ReturnType<typeof parts>) => unknown, RegExp][]} */
const either = [
  ['fft', ({ c, x }) => c.fft(x, { fftTyp: 'FFT', fftLength: [4] }), /fft has no option "fftTyp"; did you mean "fftType"\? There are /],
  ['cholesky', ({ c, x }) => c.cholesky(x, { lowr: false }), /cholesky has no option "lowr"; did you mean "lower"\? /],
  ['topK', ({ c, x }) => c.topK(x, { k: 1, larges: false }), /topk has no option "larges"; did you mean "largest"\? /],
  ['reverse', ({ c, x }) => c.reverse(x, { dimensions: [0], nam: 'r' }), /reverse has no option "nam"; did you mean "name"\? /],
  ['reducePrecision', ({ c, x }) => c.reducePrecision(x, { exponentBit: 5, mantissaBits: 4 }), /"exponentBit"; did you mean "exponentBits"\? /],
  ['pad', ({ c, x }) => c.pad(x, 0, { padding: [[0, 0], [0, 0]], naem: 'p' }), /pad has no option "naem"; did you mean "name"\? /],
  ['pad, a dimension', ({ c, x }) => c.pad(x, 0, [{ lo: 1 }, { low: 1 }]), /a dimension of padding has no option "lo"; did you mean "low"\? There are low, high, interior/],
  ['getTupleElement', ({ c, x }) => c.getTupleElement(c.tuple(x), { idnex: 0 }), /get-tuple-element has no option "idnex"; did you mean "index"\? /],
  ['batchNormTraining', ({ c, image, x }) => c.batchNormTraining(image, x, x, { epsilon: 1, featureIdx: 1, featureIndex: 1 }), /no option "featureIdx"; did you mean "featureIndex"\? /],
  ['sort', ({ c, x, sum }) => c.sort(x, { toAply: sum }), /sort has no option "toAply"; did you mean "toApply"\? /],
  ['outfeed', ({ c, x }) => c.outfeed(x, { outfedShape: 'f32[4,4]' }), /outfeed has no option "outfedShape"; did you mean "outfeedShape"\? /],
  ['a window', ({ c, x, sum }) => c.instruction('reduce-window', [x, 0], { window: [{ size: 1 }, { size: 1, strid: 2 }], toApply: sum }), /a dimension of a window has no option "strid"; did you mean "stride"\? /],
  ['dimension numbers', ({ c, image }) => c.convGeneral(image, image, [1, 1], 'VALID', /** @type {any} */ ({ inputBatchDimensions: 0 })), /dimension numbers has no option "inputBatchDimensions"; did you mean "inputBatchDimension"\? /],
];

/** Calls that throw, and calls whose promise is rejected. @param {() => unknown} call @param {any} expected @param {string} message */
async function refuses(call, expected, message) {
  await assert.rejects(async () => call(), expected, message);
}

for (const { name, call, misspelt, nearest, array } of [...calls, ...builderCalls])
  test(`${name}: no object is refused, and neither is ${misspelt} read`, async () => {
    const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    await refuses(
      () => call({ [misspelt]: 1 }),
      (/** @type {Error} */ error) => {
        const line = new RegExp(`has no option "${escaped(misspelt)}"; did you mean "${escaped(nearest)}"\\? There are .*\\b${escaped(nearest)}\\b`);
        assert.ok(error instanceof TypeError && line.test(error.message), `${error.name}: ${error.message}`);
        return true;
      },
      misspelt,
    );
    for (const wrong of [5, 'text', true, null, ...(array ? [] : [[1]])]) {
      if (name === 'layout' && typeof wrong === 'string') continue; // a layout's text
      if (name.endsWith('its direction') && typeof wrong === 'string') continue;
      await refuses(() => call(wrong), { name: 'TypeError', message: /must be an object, got |dimensions are|array of whole numbers/ }, `${name}: ${String(wrong)}`);
    }
  });

for (const [name, call, message] of either)
  test(`builder: ${name}`, () => assert.throws(() => call(parts()), { name: 'TypeError', message }));

test('what takes no options says so', () => {
  assert.throws(() => hlo.tensor([1], 'f32[1]', { transfer: [] }), { name: 'TypeError', message: 'tensor has no option "transfer"; there are none' });
  assert.equal(hlo.tensor([1], 'f32[1]', {}).toArray()[0], 1);
});

test('options are read once, and first', async () => {
  const options = { replicas: 1 };
  const compiled = hlo.compile(open, options);
  options.replicas = /** @type {any} */ ('many');
  assert.deepEqual((await compiled).run([[1, 2]]).toArray(), [2, 4]);

  let reads = 0;
  const counted = { get seed() { return void reads++ ?? 7; } };
  executable.run([[1, 2]], counted);
  assert.equal(reads, 1);
  // Nothing was bound, compiled or looked at before the option was refused.
  const specializations = dynamic.specializations.length;
  assert.throws(() => dynamic.run([[1, 2, 3, 4, 5]], /** @type {any} */ ({ seeed: 1 })), TypeError);
  assert.equal(dynamic.specializations.length, specializations);
  assert.throws(() => executable.run(/** @type {any} */ ('no inputs'), /** @type {any} */ ({ seeed: 1 })), /no option "seeed"/);
});

test('values of options have types, too', async () => {
  for (const customCalls of [5, null, [() => {}]])
    await assert.rejects(hlo.compile(doubled, { customCalls: /** @type {any} */ (customCalls) }), { name: 'TypeError', message: /customCalls are functions/ });
  assert.throws(() => open.specialize(['f32[2]'], { values: /** @type {any} */ (3) }), { name: 'TypeError', message: /values is an array, got 3/ });
  const isSignal = /^signal is an AbortSignal, got ("x"|5|null|a value of type Object)$/;
  for (const signal of /** @type {any[]} */ (['x', 5, null, {}]))
    for (const call of [() => load({ signal }), () => loadWorker({ signal }), () => hlo.compile(doubled, { signal }), () => hlo.compile(open, { signal }), () => there.compile(doubled, { signal }),
      () => executable.runAsync([[1, 2]], { signal }), () => remote.runAsync([[1, 2]], { signal }), () => hlo.weights({}, { signal })])
      await assert.rejects(call, { name: 'TypeError', message: isSignal }, String(call));
  for (const name of ['reference', 'flat'])
    for (const compile of [hlo.compile.bind(hlo, doubled), there.compile.bind(there, doubled)])
      await assert.rejects(compile(/** @type {any} */ ({ [name]: 'no' })), { name: 'TypeError', message: `${name} is true or false, got "no"` });
  for (const name of ['emit', 'relaxed', 'origins'])
    for (const start of [load, loadWorker])
      await assert.rejects(start(/** @type {any} */ ({ [name]: 'no' })), { name: 'TypeError', message: `${name} is true or false, got "no"` });
  for (const shareFrom of /** @type {any[]} */ (['abc', -1, NaN, null]))
    for (const start of [load, loadWorker])
      await assert.rejects(start({ shareFrom }), { name: 'TypeError', message: /^shareFrom is a number of nanoseconds, got / });
  const left = await hlo.compile(doubled, { signal: undefined, reference: undefined, flat: undefined });
  assert.deepEqual(left.run([[1, 2]]).toArray(), [2, 4]);
});

test('entry and shapes are for StableHLO', () => {
  const text = 'HloModule m\nENTRY e { ROOT x = f32[3] parameter(0) }';
  for (const source of [text, hlo.parse(text).toProto()]) {
    assert.throws(() => hlo.parse(source, { entry: 'e' }), { code: 'ARGUMENT', message: /entry: an option for StableHLO alone/ });
    assert.throws(() => hlo.parse(source, { shapes: ['f32[3]'] }), { code: 'ARGUMENT', message: /shapes: an option for StableHLO alone/ });
  }
});

test('names that are nearly right', async () => {
  assert.throws(() => doubled.module.dumpAfter('fuse-lops'), { code: 'ARGUMENT', message: /no pass "fuse-lops"; did you mean "fuse-loops"\? There are explicit-layouts/ });
  assert.throws(() => doubled.module.computation('doubeld'), { code: 'ARGUMENT', message: /no computation doubeld; did you mean "doubled"\?/ });
  await assert.rejects(remoteModule.computation('mian'), { code: 'ARGUMENT', message: /no computation mian; did you mean "main"\?/ });
  assert.throws(() => parts().c.instruction('ad', []), { code: 'UNKNOWN_OP', message: /"ad"; did you mean "add"\?/ });
  assert.throws(() => parts().c.zero('f23'), { name: 'TypeError', message: /"f23" is not an element type of arrays; did you mean "f32"\?/ });
  assert.throws(() => hlo.parse(DYNAMIC, { entry: 'mian' }), { code: 'VERIFY', message: /no function @mian; did you mean '@main'\?/ });
  const { c, x } = parts();
  const calling = c.build(c.customCall('my_kernal', [x], 'f32[2]'));
  await assert.rejects(hlo.compile(calling, { customCalls: { my_kernel() {} } }), { code: 'UNSUPPORTED', message: /did you mean 'my_kernel'\?/ });
  await assert.rejects(hlo.compile(calling), (/** @type {HloError} */ error) => error.code === 'UNSUPPORTED' && !/did you mean/.test(error.message));
});

test('an error of StableHLO has its line and a caret, when it is read and when it is specialised', async () => {
  const refused = 'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.popcnt %a : tensor<f32>\n  return %0 : tensor<f32>\n}';
  for (const parse of [async () => hlo.parse(refused), () => there.parse(refused)])
    await assert.rejects(parse(), { code: 'SHAPE', line: 2, column: 8, message: /\n  %0 = stablehlo.popcnt %a : tensor<f32>\n {7}\^$/ });
  const both = hlo.parse('func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = stablehlo.add %a, %b : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}');
  const added = await hlo.compile(both);
  assert.throws(() => added.run([[1, 2], [1, 2, 3]]), {
    line: 2,
    message: /^2:8: .*; the inputs are a: f32\[2\], b: f32\[3\]\n  %0 = stablehlo.add %a, %b : tensor<\?xf32>\n {7}\^$/,
  });
});

test('the nearest name', () => {
  const known = ['threads', 'origins', 'emit', 'dynamicSliceSizes'];
  for (const [given, nearest] of [
    ['treads', 'threads'], ['thraeds', 'threads'], ['Emit', 'emit'], ['dynamicSlice', 'dynamicSliceSizes'], ['e', undefined], ['', undefined],
    ['replicas', undefined], ['t'.repeat(1000), undefined],
  ])
    assert.equal(nearestName(/** @type {string} */ (given), known), nearest, given);
});

test('maxSpecializations is a count, of static modules as well', async () => {
  for (const maxSpecializations of [-1, 0, 1.5, '3'])
    for (const module of [doubled, open])
      await assert.rejects(async () => hlo.compile(module, /** @type {any} */ ({ maxSpecializations })), { name: 'TypeError', message: /maxSpecializations is a count, 1 or more, got/ });
});

test('targets of custom calls: any text is printed and read back, and lines are registered', async () => {
  for (const target of ['f\ng', 'f"g', 'f\\ng', 'a\tb\r', "'", 'é', '']) {
    const c = hlo.builder('calls');
    const { module } = c.build(c.customCall(target, [], 'f32[]'));
    const again = hlo.parse(module.toString());
    assert.equal(again.toString(), module.toString());
    const customCalls = { [target]: () => 7 };
    if (!target || target.includes('\n')) await assert.rejects(async () => hlo.compile(module, { customCalls }), { name: 'TypeError', message: /a target is one line/ });
    else assert.equal((await hlo.compile(again, { customCalls })).devices, 1, JSON.stringify(target));
  }
});
