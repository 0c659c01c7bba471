// Functions of jax.export: nested arguments, results in their trees, and names of inputs from every form.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { load as loadWorker } from '../../js/worker.js';
import { listedObject, plainObject } from '../../js/remote/entries.js';

const hlo = await load();
const folder = fileURLToPath(new URL('../formats/trees/', import.meta.url));
const read = (name) => (/\.(mlir|hlo)$/.test(name) ? readFileSync(folder + name, 'utf8') : readFileSync(folder + name));
const cases = new Map(JSON.parse(readFileSync(`${folder}cases.json`, 'utf8')).map((one) => [one.name, one]));
const argumentsOf = ({ inputs, keywords }) => (Object.keys(keywords).length ? [...inputs, keywords] : inputs);
const parse = (name) => hlo.parse(read(`${name}.jaxexport`));
const compile = (name, options) => hlo.compile(parse(name), options);

/** Tensors in a tree as nested arrays. */
function plain(tree) {
  if (tree === null) return null;
  if (Array.isArray(tree)) return tree.map(plain);
  return typeof tree.toArray === 'function' ? tree.toArray() : Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, plain(item)]));
}

for (const [name, one] of cases) {
  test(`${name}: the results of JAX in its tree`, async () => {
    for (const reference of [false, true]) {
      const executable = await compile(name, { reference });
      assert.deepEqual(plain(executable.run(argumentsOf(one))), one.expected);
    }
  });
}

const MLP = ['params/layers/0/bias', 'params/layers/0/kernel', 'params/layers/1/bias', 'params/layers/1/kernel', 'x', 'scale'];

test('inputs are named by their paths in every form that tells them', async () => {
  for (const form of ['mlp.jaxexport', 'mlp.mlir', 'mlp.mlirbc', 'mlp.unversioned.mlirbc', 'mlp.hlo']) {
    const module = hlo.parse(read(form));
    assert.deepEqual(module.inputs.map(({ name }) => name), MLP, form);
    for (const again of [module.toStableHlo(), module.toText(), module.toProto()])
      assert.deepEqual(hlo.parse(again).inputs.map(({ name }) => name), MLP, form);
    assert.deepEqual((await hlo.compile(module)).inputs.map(({ name }) => name), MLP, form);
  }
  assert.deepEqual(parse('mlp_bare').inputs.map(({ name }) => name),
    ['args/0/layers/0/bias', 'args/0/layers/0/kernel', 'args/0/layers/1/bias', 'args/0/layers/1/kernel', 'args/1', 'kwargs/scale']);
  assert.deepEqual(parse('rows').inputs.map(({ name, shape }) => `${name} ${shape}`), ['params/w f32[3]', 'x f32[?,3]']);
});

test('errors name the path of an input', async () => {
  const { inputs, keywords } = cases.get('mlp');
  const executable = await compile('mlp');
  const params = structuredClone(inputs[0]);
  params.layers[1].bias = [1, 2, 3];
  assert.throws(() => executable.run([params, ...inputs.slice(1), keywords]),
    { code: 'INPUT', message: /^parameter 2 \(params\/layers\/1\/bias\): expected f32\[2\], got an array of length 3/ });
  const text = await hlo.compile(hlo.parse(read('mlp.mlir')));
  assert.throws(() => text.run([1, 2]), { code: 'INPUT', message: /expected 6 inputs \(params\/layers\/0\/bias: f32\[3\], .*, scale: f32\[\]\), got 2/ });
});

test('mistakes in the trees name what is wrong where', async () => {
  const { inputs, keywords } = cases.get('mlp');
  const executable = await compile('mlp');
  const [params, x, unused] = inputs;
  const run = (...given) => () => executable.run(given);
  const refused = (given, message) => assert.throws(given, { name: 'HloError', code: 'INPUT', message });
  const dense = ([layer]) => ({ ...params, layers: [layer, params.layers[1]] });
  refused(run(dense([{ bias: [1, 2, 3] }]), x, unused, keywords), 'params/layers/0: expected an object with keys bias, kernel; it lacks kernel');
  refused(run(dense([{ bias: 1, kernal: 2 }]), x, unused, keywords), 'params/layers/0: expected an object with keys bias, kernel; it lacks kernel and has kernal');
  refused(run(dense([{ ...params.layers[0], more: 1 }]), x, unused, keywords), 'params/layers/0: expected an object with keys bias, kernel; it has more');
  refused(run(dense([[1, 2]]), x, unused, keywords), 'params/layers/0: expected an object with keys bias, kernel, got an array of length 2');
  refused(run(dense([hlo.tensor([1, 2])]), x, unused, keywords), 'params/layers/0: expected an object with keys bias, kernel, got Tensor f32[2]');
  refused(run({ ...params, layers: [1] }, x, unused, keywords), 'params/layers: expected an array of 2 values, got an array of length 1');
  refused(run({ ...params, frozen: 3 }, x, unused, keywords), 'params/frozen: expected null, which is None in JAX, got 3');
  refused(run(params, x, unused, { shift: null }), 'the keyword arguments: expected an object with keys scale, shift; it lacks scale');
  refused(run(params, x, unused), 'expected 3 arguments (params, x, args/2), and an object of keyword arguments (scale, shift), got 3');
  refused(run(1, 2, 3, 4, 5, 6),
    'expected 3 arguments (params, x, args/2), and an object of keyword arguments (scale, shift), got 6; compile(module, { flat: true }) takes the inputs of the module as one list');
  assert.throws(() => executable.run({ params }), { name: 'TypeError', message: /expected an array of arguments/ });
  // The executable goes on.
  assert.deepEqual(plain(executable.run([...inputs, keywords])), cases.get('mlp').expected);
});

test('values of what JAX pruned are not used, and need not be there', async () => {
  const { inputs, keywords, expected } = cases.get('mlp');
  const executable = await compile('mlp');
  const [params, x] = inputs;
  const { never, frozen, ...used } = params;
  assert.deepEqual(plain(executable.run([{ ...params, never: 'anything' }, x, { any: 'thing' }, keywords])), expected);
  assert.deepEqual(plain(executable.run([used, x, null, { scale: 2 }])), expected);
  const state = await compile('step');
  const [given, gradient] = cases.get('step').inputs;
  assert.deepEqual(plain(state.run([{ count: given.count, mu: given.mu }, gradient])), cases.get('step').expected);
});

test('named tuples are given as objects or arrays, and their results go in again', async () => {
  const executable = await compile('step');
  const [state, gradient] = cases.get('step').inputs;
  const [update, next] = executable.run([[state.count, state.mu, state.nu], gradient]);
  assert.deepEqual(plain([update, next]), cases.get('step').expected);
  assert.deepEqual(Object.keys(next), ['count', 'mu', 'nu']);
  assert.equal(executable.run([next, gradient])[1].count.toArray(), 5);
  assert.throws(() => executable.run([3, gradient]), { message: 'state: expected an object with keys count, mu, nu, or an array of 3 values, got 3' });
  const swap = await compile('swap');
  assert.throws(() => swap.run([{ left: 1, right: 2 }]), { message: 'box: expected an array of 2 values, got a value of type Object' });
});

test('trees are visible', () => {
  const { inputTree, outputTree, platforms } = parse('mlp');
  assert.deepEqual(inputTree.arguments.map(({ kind, path }) => `${kind} ${path}`), ['dict params', 'leaf x', 'leaf args/2']);
  const [params, x, unused] = inputTree.arguments;
  assert.deepEqual(params.keys, ['frozen', 'layers', 'never']);
  assert.deepEqual(params.children[0], { kind: 'none', path: 'params/frozen' });
  assert.deepEqual(params.children[1].children[0].children[1], { kind: 'leaf', path: 'params/layers/0/kernel', input: 1 });
  assert.deepEqual([x.input, unused.input], [4, null]);
  assert.deepEqual(inputTree.keywords.keys, ['scale', 'shift']);
  assert.deepEqual(outputTree, { kind: 'dict', path: 'result', keys: ['logits', 'norms', 'pair'], children: [
    { kind: 'leaf', path: 'result/logits', output: 0 },
    { kind: 'list', path: 'result/norms', children: [{ kind: 'leaf', path: 'result/norms/0', output: 1 }, { kind: 'none', path: 'result/norms/1' }] },
    { kind: 'tuple', path: 'result/pair', children: [{ kind: 'leaf', path: 'result/pair/0', output: 2 }, { kind: 'dict', path: 'result/pair/1', keys: [], children: [] }] }] });
  assert.deepEqual(platforms, ['cpu']);
  assert.deepEqual(parse('platforms').platforms, ['tpu', 'cuda', 'cpu']);
  const text = hlo.parse(read('mlp.mlir'));
  assert.deepEqual([text.inputTree, text.outputTree, text.platforms], [null, null, []]);
  assert.equal(parse('step').inputTree.arguments[0].type, 'trees.AdamState');
});

test('flat: the inputs and results of the module, in a list', async () => {
  const { inputs, keywords } = cases.get('mlp');
  const [a, b] = inputs[0].layers;
  const flat = [a.bias, a.kernel, b.bias, b.kernel, inputs[1], keywords.scale];
  const executable = await compile('mlp', { flat: true });
  assert.deepEqual(plain(executable.run(flat)), [[[-46, -28], [-6, -4]], 84, [1, 1]]);
  assert.throws(() => executable.run([inputs[0], inputs[1]]), { code: 'INPUT', message: /expected 6 inputs/ });
  for (const form of ['mlp.mlir', 'mlp.mlirbc']) // other forms know no trees
    assert.deepEqual(plain((await hlo.compile(hlo.parse(read(form)))).run(flat)), [[[-46, -28], [-6, -4]], 84, [1, 1]]);
  const rows = await compile('rows_platforms', { flat: true });
  assert.deepEqual(rows.inputs.map(({ shape }) => shape.toString()), ['s32[]', 'f32[3]', 'f32[?,3]']);
  assert.deepEqual(plain(rows.run([1, ...[cases.get('rows_platforms').inputs].map(([params, x]) => [params.w, x])[0]])), [2, [14, -4]]);
  await assert.rejects(compile('mlp', { flat: 1 }), { name: 'TypeError', message: 'flat is true or false, got 1' });
});

test('a function of the module that is not its main one has no trees', async () => {
  const [{ name }] = hlo.functions(read('rows.jaxexport')).filter((one) => !one.public);
  assert.equal(hlo.parse(read('rows.jaxexport'), { entry: name }).inputTree, null);
});

test('dynamic: nested arguments specialise, and nested shapes compile beforehand', async () => {
  const { inputs: [params, x], expected } = cases.get('rows_platforms');
  const executable = await compile('rows_platforms');
  assert.deepEqual(plain(executable.run([params, x])), expected);
  assert.deepEqual(plain(executable.run([{ w: [1, 2, 3] }, [[1, 1, 1]]])), { rows: 1, sum: [6] });
  assert.equal(executable.specializations.length, 2);
  const two = await executable.specialize([{ w: 'f32[3]' }, 'f32[2,3]']);
  assert.equal(executable.specializations.length, 2);
  assert.deepEqual(plain(two.run([params, x])), expected);
  await assert.rejects(executable.specialize([{ v: 'f32[3]' }, 'f32[2,3]']), { message: 'params: expected an object with keys w; it lacks w and has v' });
  await assert.rejects(two.specialize([{ w: 'f32[3]' }, 'f32[5,3]']), { code: 'ARGUMENT' });
  assert.throws(() => executable.run([{ w: [1, 2, 3] }, [[1, 1, 1], [1]]]), { code: 'INPUT', message: /\(x\): expected f32/ });
  const { result, trace } = executable.profile([params, x]);
  assert.deepEqual(plain(result), expected);
  assert.ok(trace.traceEvents.length > 0);
  const fixed = hlo.parse(read('rows.jaxexport'), { shapes: ['f32[3]', 'f32[1,3]'] });
  assert.deepEqual(plain((await hlo.compile(fixed)).run([{ w: [1, 2, 3] }, [[1, 1, 1]]])), { rows: 1, sum: [6] });
  assert.deepEqual(plain((await hlo.compile(parse('rows').specialize(['f32[3]', 'f32[1,3]']))).run([{ w: [1, 2, 3] }, [[1, 1, 1]]])), { rows: 1, sum: [6] });
});

test('donate takes paths, and results of the same tree take the place of what was given', async () => {
  const executable = await compile('step', { donate: ['state'] });
  assert.deepEqual(executable.inputs.map(({ donated }) => donated), [true, true, true, false, false]);
  const [state, gradient] = cases.get('step').inputs;
  const mu = { b: hlo.tensor(state.mu.b, 'f32[1]'), w: hlo.tensor(state.mu.w, 'f32[2]') };
  const [, next] = executable.run([{ ...state, mu }, gradient]);
  assert.ok(mu.w.disposed && mu.b.disposed);
  assert.deepEqual(plain(next), cases.get('step').expected[1]);
  await assert.rejects(compile('step', { donate: ['stat'] }), { code: 'ARGUMENT', message: /no input is called stat, or is below it/ });
  assert.deepEqual((await compile('step', { donate: [0, 'state/mu/w'] })).inputs.map(({ donated }) => donated), [true, false, true, false, false]);
});

test('outputs is a result of an earlier run, in its tree', async () => {
  const { inputs, keywords, expected } = cases.get('mlp');
  const executable = await compile('mlp');
  const outputs = executable.run([...inputs, { scale: 1 }]);
  const tensor = outputs.logits;
  assert.equal(executable.run([...inputs, keywords], { outputs }), outputs);
  assert.equal(outputs.logits, tensor);
  assert.deepEqual(plain(outputs), expected);
  assert.throws(() => executable.run([...inputs, keywords], { outputs: { ...outputs, norms: [1] } }),
    { code: 'INPUT', message: 'outputs: result/norms: expected an array of 2 values, got an array of length 1' });
  const single = await compile('only_result');
  const given = single.run([[1, 2]]);
  assert.equal(single.run([[3, 4]], { outputs: given }), given);
  assert.deepEqual(plain(given), [[4, 5]]);
});

test('profile and replicas', async () => {
  const { inputs, keywords, expected } = cases.get('mlp');
  const { result, trace } = (await compile('mlp')).profile([...inputs, keywords]);
  assert.deepEqual(plain(result), expected);
  assert.ok(trace.traceEvents.length > 0);
  const two = await compile('mlp', { replicas: 2 });
  const results = two.run([[...inputs, keywords], [...inputs, { scale: 0 }]]);
  assert.deepEqual(plain(results).map(({ logits }) => logits), [expected.logits, [[-0, -0], [-0, -0]]]);
  assert.equal(two.run([[...inputs, keywords], [...inputs, { scale: 1 }]], { outputs: results }), results);
  assert.deepEqual(plain(results[1]).logits, [[-23, -14], [-3, -2]]);
  assert.throws(() => two.run([...inputs, keywords]), { code: 'INPUT', message: /expected one array of inputs for each of 2 devices/ });
  assert.throws(() => two.run([[...inputs, keywords], [...inputs, {}]]), { code: 'INPUT', message: /^device 1: the keyword arguments: .* it lacks scale$/ });
});

test('in a worker, and in another runtime', async () => {
  const { inputs, keywords, expected } = cases.get('mlp');
  const remote = await loadWorker();
  try {
    const module = await remote.parse(read('mlp.jaxexport'));
    assert.deepEqual(module.inputTree, parse('mlp').inputTree);
    assert.deepEqual(module.platforms, ['cpu']);
    for (const program of [module, parse('mlp')]) {
      const { logits, norms, pair } = await (await remote.compile(program)).run([...inputs, keywords]);
      assert.deepEqual([await logits.toArray(), await norms[0].toArray(), norms[1], await pair[0].toArray()], [expected.logits, 84, null, [1, 1]]);
    }
    const rows = await (await remote.compile(parse('rows'))).run(cases.get('rows').inputs);
    assert.deepEqual(await rows.sum.toArray(), cases.get('rows').expected.sum);
    assert.equal((await (await remote.compile(parse('only_result'), { flat: true })).run([[1, 2]])).shape.rank, 1);
  } finally {
    remote.dispose();
  }
  const other = await load();
  assert.deepEqual(plain((await other.compile(parse('mlp'))).run([...inputs, keywords])), expected);
});

test('origins follow nested arguments', async () => {
  const followed = await load({ origins: true });
  const origins = await followed.origins(followed.parse(read('step.jaxexport')), cases.get('step').inputs);
  assert.deepEqual(origins.outputs.map((tensor) => tensor.toArray()), [[4.5], [4.5, 3], 4, [-4.5], [-4.5, -3]]);
  assert.deepEqual(origins.of(1, 1).data.map(({ parameter, flat }) => [parameter, flat]), [[2, 1], [4, 1]]);
});

test('getters of inputs and options run before memory is looked up', async () => {
  const { inputs, keywords, expected } = cases.get('mlp');
  const executable = await compile('mlp');
  const kernel = hlo.tensor(inputs[0].layers[0].kernel, 'f32[2,3]');
  const layer = { kernel, bias: inputs[0].layers[0].bias };
  const params = { ...inputs[0], layers: [layer, { ...inputs[0].layers[1], get kernel() { kernel.dispose(); return inputs[0].layers[1].kernel; } }] };
  assert.throws(() => executable.run([params, inputs[1], null, keywords]), { code: 'DISPOSED', message: /the tensor f32\[2,3\] was disposed of/ });
  assert.deepEqual(plain(executable.run([...inputs, keywords])), expected);

  const b = hlo.builder('sum');
  const [x, y, z] = ['x', 'y', 'z'].map((name, i) => b.parameter(i, 'f32[2]', name));
  const sum = await hlo.compile(b.build(b.add(b.add(x, y), z)));
  const disposing = (tensor) => Object.defineProperty([1, 2], 1, { get() { tensor.dispose(); return 2; } });
  const first = hlo.tensor([1, 2], 'f32[2]');
  assert.throws(() => sum.run([first, disposing(first), [1, 1]]), { code: 'DISPOSED' });
  const outputs = hlo.tensor([0, 0], 'f32[2]');
  assert.throws(() => sum.run([[1, 2], disposing(outputs), [1, 1]], { outputs }), { code: 'DISPOSED' });
  const tensor = hlo.tensor([5, 6], 'f32[2]');
  assert.throws(() => sum.run([tensor, tensor, [1, 1]], { get outputs() { tensor.dispose(); return undefined; } }), { code: 'DISPOSED' });
  const again = Object.defineProperty([1, 2], 1, { get() { return sum.run([[9, 9], [9, 9], [9, 9]]).toArray()[0]; } });
  assert.throws(() => sum.run([[1, 2], again, [1, 1]]), { code: 'ARGUMENT', message: /is running already/ });
  const freed = await hlo.compile(parse('only_result'), { flat: true });
  assert.throws(() => freed.run([Object.defineProperty([1, 2], 1, { get() { freed.dispose(); return 2; } })]), { code: 'DISPOSED', message: /the executable was disposed of/ });
  for (const option of ['seed', 'workBudget']) {
    const gone = await hlo.compile(parse('only_result'), { flat: true });
    const options = Object.defineProperty({}, option, { enumerable: true, get() { gone.dispose(); return 1000; } });
    assert.throws(() => gone.run([[1, 2]], options), { code: 'DISPOSED', message: /the executable was disposed of/ }, option);
  }
  assert.deepEqual(sum.run([[1, 2], [3, 4], [5, 6]]).toArray(), [9, 12]);
});

test('names that begin with $ reach a worker, and come back', async () => {
  const worker = await loadWorker();
  const { inputs: [params, x], keywords, expected } = cases.get('mlp');
  const executable = await worker.compile(await worker.parse(read('mlp.jaxexport')));
  const { logits } = await executable.run([params, x, { $: 'anything', $shape: [1], $entries: [] }, keywords]);
  assert.deepEqual(await logits.toArray(), expected.logits);
  await assert.rejects(executable.run([{ ...params, $: 1 }, x, null, keywords]), { message: /expected an object with keys frozen, layers, never; it has \$/ });
  worker.dispose();
  const entries = [['$', 1], ['$entries', [2]], ['__proto__', 3]];
  const sent = structuredClone(plainObject(entries));
  assert.deepEqual(Object.entries(listedObject(sent.$entries, (item) => item)), entries);
  assert.deepEqual(plainObject([['a', 1]]), { a: 1 });
});
