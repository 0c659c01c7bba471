// The codes of HloError (CHECK is in front-doors.test.js, INTERNAL in threads.test.js), the wrong types that are TypeErrors, and that a runtime goes on after all of them.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { HloError, load } from '../../js/index.js';
import { binary, codeOf } from './evaluate.js';

const hlo = await load();

async function stillWorks() {
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.add(b.parameter(0, 'f32[2]'), 1)));
  assert.deepEqual(executable.run([[1, 2]]).toArray(), [2, 3]);
}

test('PARSE has line, column and a caret', async () => {
  assert.throws(
    () => hlo.parse('HloModule m\nENTRY e {\n  ROOT x = f32[2] add(y z)\n}'),
    (error) => {
      assert.ok(error instanceof HloError);
      assert.equal(error.code, 'PARSE');
      assert.deepEqual([error.line, error.column], [3, 23]);
      assert.match(error.message, /^3:23: operand 'y' .*\n {2}ROOT x = f32\[2\] add\(y z\)\n {22}\^$/);
      return true;
    },
  );
  await stillWorks();
});

test('UNKNOWN_OP', async () => {
  assert.throws(() => hlo.parse('HloModule m\nENTRY e { ROOT x = f32[2] adds() }'), { code: 'UNKNOWN_OP' });
  assert.throws(() => hlo.builder().instruction('nothing', []), { code: 'UNKNOWN_OP' });
  await stillWorks();
});

test('SHAPE, at the builder call that made it', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2,3]');
  const refused = (action, message) => assert.throws(action, { code: 'SHAPE', message });
  refused(() => b.add(x, b.parameter(1, 'f32[4]')), /^add: operands of different rank/);
  refused(() => b.concatenate([x, b.constant([1])], 0), /^concatenate: operands\[1\] must have 2 dimensions as operands\[0\] has/);
  refused(() => b.reshape(x, [7]), /^reshape: operand f32\[2,3\] has 6 elements, so the result must have as many/);
  refused(() => b.dot(x, x), /^dot: contracting dimensions must have the same size/);
  refused(() => b.transpose(x, [0, 0]), /^transpose: dimensions must not name a dimension twice/);
  refused(() => b.reduce(x, 0, binary(hlo, 'add'), [5]), /^reduce: dimension 5 is out of range for f32\[2,3\], of rank 2/);
  refused(() => b.constant([1, 2], 'f32[3]'), /f32\[3\]/);
  await stillWorks();
});

test('VERIFY', async () => {
  assert.equal(
    await codeOf(() =>
      hlo.parse(
        'HloModule m\nf { x = f32[] parameter(0) ROOT c = f32[] call(x), to_apply=f }\nENTRY e { y = f32[] parameter(0) ROOT r = f32[] call(y), to_apply=f }',
      ),
    ),
    'VERIFY',
  );
  await stillWorks();
});

test('UNSUPPORTED', async () => {
  const b = hlo.builder();
  const computation = b.build(b.customCall('nobody_registered_this', [], 'f32[]'));
  await assert.rejects(hlo.compile(computation), { name: 'HloError', code: 'UNSUPPORTED', message: /"nobody_registered_this" is neither built in nor registered/ });
  await stillWorks();
});

test('INPUT names the parameter, what was expected and what was given', async () => {
  const b = hlo.builder();
  const executable = await hlo.compile(
    b.build(b.add(b.parameter(0, 'f32[2,2]', 'left'), b.parameter(1, 'f32[]', 'right'))),
  );
  const refused = (inputs, message) => assert.throws(() => executable.run(inputs), { code: 'INPUT', message });
  refused([], /expected 2 inputs \(left: f32\[2,2\], right: f32\[\]\), got 0/);
  refused(
    [
      [
        [1, 2],
        [3, 4],
      ],
    ],
    /expected 2 inputs/,
  );
  refused(
    [new Float32Array(3), 1],
    /parameter 0 \(left\): expected f32\[2,2\] as Float32Array of length 4, got Float32Array of length 3/,
  );
  refused(
    [new Float64Array(4), 1],
    /parameter 0 \(left\): expected f32\[2,2\] as Float32Array, got Float64Array of length 4/,
  );
  refused([[[1, 2], [3]], 1], /array of length 1 in dimension 1/);
  refused([[1, 2], 1], /left/);
  refused(
    [
      [
        [1, 2],
        [3, 4],
      ],
      true,
    ],
    /right.*true/,
  );
  refused([hlo.tensor([1]), 1], /left.*tensor f32\[1\]/);
  refused(
    [
      [
        [1, 2],
        [3, 4],
      ],
      [1],
    ],
    /right/,
  );
  const i = hlo.builder();
  const bytes = await hlo.compile(i.build(i.copy(i.parameter(0, 'u8[1]'))));
  for (const wrong of [256, -1, 1.5]) assert.throws(() => bytes.run([[wrong]]), { code: 'INPUT' });
  await stillWorks();
});

test('wrong JavaScript types are TypeErrors', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2]');
  const other = hlo.builder('other');
  // The messages tell these errors from a TypeError that the engine throws where WebHLO has a fault.
  const wrong = [
    [() => b.add(x, 'one'), /an operand must be an op or a value, got "one"/],
    [() => b.add(x), /an operand must be an op or a value, got undefined/],
    [() => b.add(x, other.parameter(0, 'f32[2]')), /an operand belongs to another builder, other/],
    [() => b.parameter('0', 'f32[]'), /a parameter number is 0, 1, 2, \.\.\., got "0"/],
    [() => b.parameter(1, 7), /a shape is a text/],
    [() => b.reduce(x, 0, 'add', [0]), /reduce: computation must be a computation, .* got "add"/],
    [() => b.transpose(x, 'yx'), /transpose: dimensions must be an array of whole numbers, got "yx"/],
    [() => b.negate(x, { bogus: 1 }), /negate has no option "?bogus"?/],
    [() => b.negate(), /negate takes operand and options, got 0 arguments/],
    [() => b.compare(x, x, 'MAYBE'), /compare: direction is one of EQ, .*, got "MAYBE"/],
    [() => b.constant('text', 'f32[]'), /"text", which is not a value of type f32/],
    [() => b.build('x'), /an operand must be an op or a value, got "x"/],
    [() => hlo.builder(''), /a computation's name is made of letters/],
    [() => hlo.parse(5), /a module is a text or the bytes of a file/],
    [() => hlo.tensor('x', 'f32[1]'), /expected f32\[1\], got "x"/],
    [() => hlo.shape(null), /a shape is a text/],
    [() => hlo.shape('f32[2]').equals(5), /a shape is a text/],
    [() => hlo.shape('f32[2]').compatible(), /a shape is a text/],
    [() => hlo.makeShape('f32', [2], { layout: { tiles: [[2]] } }), /layout: minorToMajor and each of the tiles are arrays/],
    [() => hlo.makeShape('f32', [2], { layout: { minorToMajor: [0], tiles: [2] } }), /layout: minorToMajor and each of the tiles are arrays/],
    [() => hlo.broadcastPlan('f32[2]', 'f32[2,3]', [0.5]), /broadcastDimensions must be a whole number, got 0\.5/],
    [() => hlo.tensor(new DataView(new ArrayBuffer(8)), 'f32[2]'), /expected f32\[2\], got a value of type DataView/],
    [() => hlo.parse('HloModule m', { shapes: 'f32[2]' }), /shapes is an array of shapes, got "f32\[2\]"/],
    [() => hlo.parse(new Response('HloModule m'), { shapes: 'f32[2]' }), /shapes is an array of shapes, got "f32\[2\]"/],
    [() => hlo.parse('HloModule m', { entry: 5 }), /entry is a text, got 5/],
    [() => hlo.snapshot('text', []), /a program is a computation or a module, got "text"/],
    [() => hlo.literal('text'), /the element type cannot be told from the value/],
    [() => b.instruction('add'), /add: operands must be an op or an array of them, got undefined/],
  ];
  for (const [action, message] of wrong) assert.throws(action, { name: 'TypeError', message }, String(action));
  await assert.rejects(hlo.compile('text'), { name: 'TypeError', message: /a program is a computation or a module, got "text"/ });
  const c = hlo.builder();
  const executable = await hlo.compile(c.build(c.parameter(0, 'f32[1]')));
  assert.throws(() => executable.run('x'), { name: 'TypeError', message: /run takes an array of inputs, got "x"/ });
  await assert.rejects(executable.specialize(), { name: 'TypeError', message: /specialize takes an array of shapes, got undefined/ });
  assert.throws(() => executable.run([['x']]), { name: 'TypeError', message: /parameter 0 .*"x", which is not a value of type f32/ });
  for (const seed of [1.5, NaN, Infinity, 2 ** 60, null])
    assert.throws(() => executable.run([[1]], /** @type {any} */ ({ seed })), { name: 'TypeError', message: `a seed is a whole number, got ${seed}` });
  for (const workBudget of [0, -1, 0.5, NaN, Infinity, 'x', null, -5n])
    assert.throws(() => executable.run([[1]], /** @type {any} */ ({ workBudget })), { name: 'TypeError', message: /^workBudget is a whole number of units of work, 1 or more, got / });
  executable.run([[1]], { workBudget: 1000n }).dispose();
  assert.throws(() => executable.run([[1]], { seed: 'x' }), { name: 'TypeError', message: /a seed is a whole number, got "x"/ });
  await stillWorks();
});

test('ARGUMENT', () => assert.throws(() => hlo.shape('f32[2]').multiIndex(99), { code: 'ARGUMENT' }));

test('OUT_OF_MEMORY, and then a good run', async () => {
  const large = hlo.builder();
  const huge = large.build(large.broadcast(large.parameter(0, 'f32[]'), [1 << 20, 1 << 11]));
  assert.equal(await codeOf(async () => (await hlo.compile(huge)).run([1])), 'OUT_OF_MEMORY');
  assert.throws(() => hlo.tensor(new Float32Array(1), 'f32[2000000000]'), { code: 'OUT_OF_MEMORY', message: /f32\[2000000000\] of 8000000000 bytes does not fit/ });
  await stillWorks();
  const again = hlo.builder();
  const both = again.build(
    again.tuple(...Array.from({ length: 5 }, (_, i) => again.broadcast(again.constant(i), [1 << 28]))),
  );
  assert.equal(await codeOf(async () => (await hlo.compile(both)).run([])), 'OUT_OF_MEMORY');
  await stillWorks();
});

test('LIMIT: a budget of work, nesting', async () => {
  const c = hlo.builder('forever');
  c.parameter(0, 's32[]');
  const condition = c.build(c.constant(true));
  const s = hlo.builder('step');
  const body = s.build(s.add(s.parameter(0, 's32[]'), 1));
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.while(condition, body, b.constant(0, 's32[]'))));
  assert.equal(await codeOf(() => executable.run([], { workBudget: 10000 })), 'LIMIT');
  assert.equal(await codeOf(() => hlo.shape(`${'('.repeat(5000)}f32[]${')'.repeat(5000)}`)), 'LIMIT');
  await stillWorks();
});

test('DEADLOCK says who waits', async () => {
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.infeed('f32[3]')));
  assert.throws(() => executable.run([]), { code: 'DEADLOCK', message: /infeed/ });
  hlo.infeed.push([1, 2, 3], 'f32[3]');
  assert.deepEqual(executable.run([]).toArray(), [1, 2, 3]);
});

test('ABORTED', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  assert.equal(await codeOf(() => load({ signal: aborted })), 'ABORTED');
  const b = hlo.builder();
  const computation = b.build(b.customCall('stop', [b.parameter(0, 'f32[]')], 'f32[]'));
  await assert.rejects(hlo.compile(computation, { signal: aborted, customCalls: { stop() {} } }), { code: 'ABORTED' });

  const controller = new AbortController();
  const c = hlo.builder('stop_condition');
  c.parameter(0, 'f32[]');
  const condition = c.build(c.constant(true));
  const s = hlo.builder('stop_body');
  const body = s.build(s.customCall('stop', [s.parameter(0, 'f32[]')], 'f32[]'));
  const loop = hlo.builder();
  let calls = 0;
  const executable = await hlo.compile(loop.build(loop.while(condition, body, loop.constant(0))), {
    signal: controller.signal,
    customCalls: {
      stop() {
        if (++calls === 3) controller.abort(new Error('enough'));
      },
    },
  });
  assert.throws(
    () => executable.run([], { workBudget: 1e7 }),
    (error) => error.code === 'ABORTED' && error.cause.message === 'enough',
  );
  assert.throws(() => executable.run([]), { code: 'ABORTED' });
  await stillWorks();
});

test('LOAD says which file, and what to do', async () => {
  const missing = new URL('./nowhere/webhlo.wasm', import.meta.url);
  await assert.rejects(load({ wasm: missing }), { name: 'HloError', code: 'LOAD', message: /nowhere\/webhlo\.wasm cannot be read \(ENOENT\).*import 'webhlo\/inline'/ });
  const page = new TextEncoder().encode('<!doctype html>');
  await assert.rejects(load({ wasm: page }), { code: 'LOAD', message: /^the option wasm is a page of HTML, not a WebAssembly module; .*webhlo\/inline/ });
  await assert.rejects(load({ wasm: new URL(import.meta.url) }), { code: 'LOAD', message: /errors\.test\.js is not a WebAssembly module/ });
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  for (const options of [{ wasm: empty }, { wasm: empty, memoryLimit: 2 ** 24 }, { wasm: new URL('../../dist/webhlo-linear.wasm', import.meta.url) }])
    await assert.rejects(load(options), { code: 'LOAD', message: /^the module is not webhlo\.wasm of this version: / });
  const wrong = await load({ linear: empty });
  const b = wrong.builder();
  await assert.rejects(wrong.compile(b.build(b.cholesky(b.parameter(0, 'f32[2,2]')))), { code: 'LOAD', message: /^the module is not webhlo-linear\.wasm of this version/ });
  wrong.dispose();
});

test('CUSTOM_CALL has the cause', async () => {
  const b = hlo.builder();
  const computation = b.build(b.customCall('fails', [], 'f32[2]'));
  const failing = (fails) => hlo.compile(computation, { customCalls: { fails } });
  const thrown = new Error('not today');
  const executable = await failing(() => {
    throw thrown;
  });
  assert.throws(
    () => executable.run([]),
    (error) => error.code === 'CUSTOM_CALL' && error.cause === thrown && /fails.*not today/.test(error.message),
  );
  for (const wrong of [() => [1], async () => [1, 2], () => new Float64Array(2)])
    assert.equal(await codeOf(async () => (await failing(wrong)).run([])), 'CUSTOM_CALL');
  await assert.rejects(hlo.compile(computation, { customCalls: { fails: 3 } }), { name: 'TypeError', message: /customCalls\.fails must be a function, got 3/ });
  await stillWorks();
});

test('a custom call may not run its own program again, and what it disposes of lives until the run ends', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2]');
  const computation = b.build(b.add(b.customCall('meddle', [x], 'f32[2]'), x));
  const input = hlo.tensor([1, 2]);
  let code;
  const executable = await hlo.compile(computation, {
    customCalls: {
      meddle(out, [array]) {
        try {
          executable.run([input]);
        } catch (error) {
          code = error.code;
        }
        input.dispose();
        executable.dispose();
        computation.dispose();
        assert.throws(() => hlo.dispose(), { code: 'ARGUMENT' });
        out.set(array);
      },
    },
  });
  assert.deepEqual(executable.run([input]).toArray(), [2, 4]);
  assert.equal(code, 'ARGUMENT');
  assert.equal(await codeOf(() => executable.run([[1, 2]])), 'DISPOSED');
  await stillWorks();
});

test('DISPOSED', async () => {
  const b = hlo.builder();
  const computation = b.build(b.add(b.parameter(0, 'f32[2]'), 1));
  const executable = await hlo.compile(computation);
  computation.dispose();
  const tensor = executable.run([[1, 2]]); // keeps what it needs of the module
  assert.deepEqual(tensor.toArray(), [2, 3]);
  assert.equal(await codeOf(() => hlo.compile(computation)), 'DISPOSED');
  tensor.dispose();
  tensor.dispose();
  assert.equal(await codeOf(() => tensor.data), 'DISPOSED');
  assert.equal(await codeOf(() => executable.run([tensor])), 'DISPOSED');
  executable.dispose();
  assert.equal(await codeOf(() => executable.run([[1, 2]])), 'DISPOSED');
  assert.equal(await codeOf(() => b.constant(1)), 'DISPOSED');

  assert.equal(await codeOf(() => executable.specialize(['f32[2]'])), 'DISPOSED');

  const runtime = await load();
  const kept = runtime.tensor([1, 2]);
  const module = runtime.parse('func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }');
  const [dynamic, left] = [await runtime.compile(module), await runtime.compile(module)];
  dynamic.run([[1, 2]]);
  dynamic.dispose();
  for (const name of ['plan', 'memory', 'workspaceBytes', 'lastWork']) assert.equal(await codeOf(() => dynamic[name]), 'DISPOSED', name);
  runtime.dispose();
  assert.equal(await codeOf(() => runtime.shape('f32[]')), 'DISPOSED');
  assert.equal(await codeOf(() => kept.data), 'DISPOSED');
  assert.equal(await codeOf(() => module.isDynamic), 'DISPOSED');
  assert.equal(await codeOf(() => hlo.compile(module)), 'DISPOSED');
  assert.equal(await codeOf(() => left.plan), 'DISPOSED');
});

test('options that nobody reads are refused', async () => {
  const b = hlo.builder();
  const computation = b.build(b.parameter(0, 'f32[]'));
  await assert.rejects(hlo.compile(computation, { replica: 2 }), {
    name: 'TypeError',
    message: /compile has no option "replica"; did you mean "replicas"\? There are replicas, partitions, /,
  });
  const executable = await hlo.compile(computation);
  assert.throws(() => executable.run([1], { output: 1 }), { name: 'TypeError', message: /run has no option "output"; did you mean "outputs"\? There are outputs, seed, workBudget/ });
  assert.equal(executable.run([1], {}).toArray(), 1);
});

test('nothing leaks', async () => {
  /** All but shapes, which live until JavaScript's collector has taken their objects. */
  const counts = ({ shapes, ...others }) => others;
  const runtime = await load();
  const once = async () => {
    const b = runtime.builder();
    const computation = b.build(b.tuple(b.add(b.parameter(0, 'f32[100]'), 1), b.constant(2)));
    const executable = await runtime.compile(computation);
    for (const tensor of executable.run([new Float32Array(100)])) tensor.dispose();
    assert.throws(() => executable.run([new Float32Array(3)]), { code: 'INPUT' });
    executable.dispose();
    computation.dispose();

    // Values go through the core's own form where they are literals, snapshots, and feeds.
    const literal = runtime.parseLiteral('f32[2] {1, 2}');
    assert.equal(runtime.literal(literal), 'f32[2] {1, 2}');
    assert.throws(() => runtime.parseLiteral('f32[2] {1'), { code: 'PARSE' });
    const module = runtime.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) t = token[] after-all() o = token[] outfeed(x, t), outfeed_shape=f32[2] ROOT y = f32[2] negate(x) }');
    assert.throws(() => runtime.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[3] negate(x) }'), { code: 'SHAPE' });
    const { inputs } = runtime.snapshotValues(runtime.snapshot(module, [literal]));
    const program = await runtime.compile(module);
    const [result, fed] = [program.run(inputs), runtime.outfeed.take()];
    runtime.infeed.push(literal);
    runtime.infeed.clear();
    for (const object of [literal, module, ...inputs, program, result, fed]) object.dispose();
  };
  await once();
  const before = counts(runtime.memory());
  assert.ok(Object.keys(before).length >= 5, Object.keys(before).join());
  for (let i = 0; i < 50; i++) await once();
  assert.deepEqual(counts(runtime.memory()), before);
  runtime.dispose();
});

test('Symbol.dispose, where there is one', { skip: !Symbol.dispose }, () => {
  const tensor = hlo.tensor([1]);
  tensor[Symbol.dispose]();
  assert.equal(tensor.disposed, true);
});

test('an array that holds itself is a TypeError, here and in a worker', async () => {
  /** @type {unknown[]} */
  const endless = [];
  endless.push(endless);
  assert.throws(() => hlo.tensor(endless), { name: 'TypeError', message: 'arrays are nested deeper than 32 dimensions, or hold themselves' });
  const { load: loadWorker } = await import('../../js/worker.js');
  const worker = await loadWorker();
  await assert.rejects(worker.tensor(endless), { name: 'TypeError', message: 'a value is nested deeper than 100 levels, or holds itself' });
  assert.equal(await (await worker.tensor(5)).toArray(), 5);
  worker.dispose();
});
