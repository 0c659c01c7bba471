// webhlo/worker in Node: the runtime in a worker, with and without a pool of its own.
import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load as loadHere } from '../../js/index.js';
import { HloError, RemoteTensor, load } from '../../js/worker.js';
import { Connection } from '../../js/remote/connection.js';

const here = await loadHere();
const alone = await load();
const hlo = await load({ threads: 2, shareFrom: 0 });
after(() => [here, alone, hlo].forEach((runtime) => runtime.dispose()));

/** The text of a computation of two vectors. */
const ADD = 'HloModule add\nENTRY main { x = f32[4] parameter(0) y = f32[4] parameter(1) ROOT z = f32[4] add(x, y) }';
const add = await hlo.compile(await hlo.parse(ADD));

const LOOP = `HloModule loop
condition { p = (s32[]) parameter(0) ROOT yes = pred[] constant(true) }
body { p = (s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 one = s32[] constant(1) s = s32[] add(i, one) ROOT t = (s32[]) tuple(s) }
ENTRY main { zero = s32[] constant(0) t = (s32[]) tuple(zero) ROOT w = (s32[]) while(t), condition=condition, body=body }`;

test('the runtime says what it is', async () => {
  assert.equal(hlo.threads, 2);
  assert.equal(alone.threads, 1);
  assert.equal(hlo.version, here.version);
  assert.deepEqual(hlo.passes, here.passes);
  assert.deepEqual((await hlo.ops).map(({ name }) => name), here.ops.map(({ name }) => name));
  assert.deepEqual(Object.keys(await hlo.memory()), Object.keys(here.memory()));
  assert.ok((await hlo.memory()).bytes > 0);
});

describe('running', () => {
  test('typed and nested arrays go in, tensors come out and may go in again', async () => {
    const sum = await add.run([new Float32Array([1, 2, 3, 4]), [10, 20, 30, 40]]);
    assert.ok(sum instanceof RemoteTensor);
    assert.equal(sum.shape.toString(), 'f32[4]');
    assert.deepEqual(await sum.toTypedArray(), new Float32Array([11, 22, 33, 44]));
    const twice = await add.run([sum, sum]);
    assert.deepEqual(await twice.toArray(), [22, 44, 66, 88]);
    assert.deepEqual([...(await twice.toFloat32Array())], [22, 44, 66, 88]);
    sum.dispose();
    assert.equal(sum.disposed, true);
    await assert.rejects(add.run([sum, sum]), { code: 'DISPOSED' });
  });

  test('an executable says what it takes and gives', async () => {
    assert.deepEqual(add.inputs.map(({ name, shape }) => `${name}: ${shape}`), ['x: f32[4]', 'y: f32[4]']);
    assert.deepEqual(add.outputs.map(String), ['f32[4]']);
    assert.equal(add.result.elementCount, 4);
    assert.equal((await add.plan).routines.length, 1);
    assert.equal(await add.workspaceBytes, (await here.compile(here.parse(ADD))).workspaceBytes);
    assert.equal(add.result.linearIndex([1]), 1);
  });

  test('what a runtime of this thread has built is compiled there', async () => {
    const b = here.builder('twice');
    const x = b.parameter(0, 'f32[2]');
    const computation = b.build(b.tuple(b.add(x, x), b.negate(x)));
    for (const runtime of [alone, hlo]) {
      const executable = await runtime.compile(computation);
      const [sum, negative] = await executable.run([[1, 2]]);
      assert.deepEqual([await sum.toArray(), await negative.toArray()], [[2, 4], [-1, -2]]);
    }
  });
  test('a profiled run takes what a run takes', async () => {
    const { result, trace } = await add.profile([[1, 2, 3, 4], [10, 20, 30, 40]]);
    assert.deepEqual(await result.toArray(), [11, 22, 33, 44]);
    const image = new Float32Array([1, 1, 1, 1]);
    const again = await add.profile([image, [1, 2, 3, 4]], { outputs: result, transfer: [image.buffer] });
    assert.equal(again.result, result);
    assert.equal(image.length, 0);
    assert.deepEqual(await result.toArray(), [2, 3, 4, 5]);
    assert.deepEqual(again.trace.traceEvents.map(({ cat }) => cat), trace.traceEvents.map(({ cat }) => cat));
    await assert.rejects(add.profile([[1, 2, 3, 4], [1, 2, 3, 4]], { seeds: 1 }), TypeError);
  });

  test('an executable tells its specializations, dynamic or not', async () => {
    const [one] = await add.specializations;
    assert.deepEqual(await (await one.run([[1, 2, 3, 4], [1, 1, 1, 1]])).toArray(), [2, 3, 4, 5]);
    assert.equal((await one.memory).inputs, 32);
  });

  test('origins of a computation of a module', async () => {
    const followed = await load({ origins: true });
    try {
      const module = await followed.parse(`HloModule m
twice { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }
ENTRY main { x = f32[2] parameter(0) ROOT y = f32[2] call(x), to_apply=twice }`);
      const origins = await followed.origins(await module.computation('twice'), [[1, 2]]);
      assert.deepEqual(await origins.outputs[0].toArray(), [2, 4]);
      assert.deepEqual((await origins.of(0, 1)).data.map(({ flat }) => flat), [1]);
    } finally {
      followed.dispose();
    }
  });

  test('outputs are written again, and buffers moved', async () => {
    const data = new Float32Array([1, 2, 3, 4]);
    const out = await add.run([data, data], { transfer: [data.buffer] });
    assert.equal(data.length, 0);
    assert.equal(await add.run([[1, 1, 1, 1], [2, 2, 2, 2]], { outputs: out }), out);
    assert.deepEqual(await out.toArray(), [3, 3, 3, 3]);
    const moved = new Float32Array([5, 6, 7, 8]);
    const tensor = await hlo.tensor(moved, 'f32[4]', { transfer: [moved.buffer] });
    assert.equal(moved.length, 0);
    assert.deepEqual(await tensor.toArray(), [5, 6, 7, 8]);
    assert.equal(await hlo.literal(tensor), 'f32[4] {5, 6, 7, 8}');
    assert.deepEqual(await (await hlo.parseLiteral('s32[2] {3, 4}')).toArray(), [3, 4]);
  });

  test('a tensor that a run has used up says so', async () => {
    const step = await hlo.compile(await hlo.parse(ADD), { donate: ['x'] });
    const [x, y] = [await hlo.tensor([1, 2, 3, 4], 'f32[4]'), await hlo.tensor([1, 1, 1, 1], 'f32[4]')];
    const sum = await step.run([x, y]);
    assert.deepEqual([x.disposed, y.disposed, sum.disposed], [true, false, false]);
    assert.deepEqual(await sum.toArray(), [2, 3, 4, 5]);
    await assert.rejects(x.toArray(), { code: 'DISPOSED', message: 'the object was disposed of' });
    x.dispose();
    await assert.rejects(step.run([sum, [1]]), { code: 'INPUT' }); // before it uses anything up
    assert.equal(sum.disposed, false);
    const { result } = await step.profile([sum, y]);
    assert.equal(sum.disposed, true);
    const { signal } = new AbortController();
    assert.deepEqual(await (await step.runAsync([result, y], { signal })).toArray(), [4, 5, 6, 7]);
    assert.equal(result.disposed, true);

    const endless = await hlo.compile(await hlo.parse(LOOP.replace('zero = s32[] constant(0)', 'zero = s32[] parameter(0)')), { donate: [0] });
    const begin = await hlo.tensor(0, 's32[]');
    const stop = new AbortController();
    const run = endless.runAsync([begin], { signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    await assert.rejects(run, { code: 'ABORTED' });
    await hlo.memory(); // which is answered behind the run
    assert.equal(begin.disposed, true);
    const self = Object.assign(Object.create({ method() {} }), {});
    self.self = self;
    await assert.rejects(add.run([y, self]), Error);
    assert.deepEqual(await y.toArray(), [1, 1, 1, 1]);
  });

  test('a tensor is made of a tensor, there or here, and a literal of data', async () => {
    for (const given of [await hlo.tensor([1, 2, 3]), here.tensor([1, 2, 3])]) {
      const copy = await hlo.tensor(given);
      given.dispose();
      assert.equal(`${copy.shape}`, 'f32[3]');
      assert.deepEqual(await copy.toArray(), [1, 2, 3]);
      await assert.rejects(hlo.tensor(copy, 'f32[2]'), { code: 'INPUT', message: /expected f32\[2\], got a tensor f32\[3\]/ });
    }
    assert.equal(await hlo.literal([1, 2]), 'f32[2] {1, 2}');
  });

  test('a snapshot of a computation', async () => {
    const b = here.builder('twice');
    const computation = b.build(b.add(b.parameter(0, 'f32[2]', 'x'), 1));
    const expected = here.snapshot(computation.module, [[1, 2]]);
    assert.deepEqual(await hlo.snapshot(computation, [[1, 2]]), expected);
    const module = await hlo.parse(computation.module.toProto());
    assert.deepEqual(await hlo.snapshot(module.entry, [[1, 2]]), await hlo.snapshot(module, [[1, 2]]));
  });

  test('calls are answered in their order, without waiting for one another', async () => {
    const sums = await Promise.all(Array.from({ length: 20 }, (_, i) => add.run([[i, i, i, i], [1, 1, 1, 1]])));
    const values = await Promise.all(sums.map((sum) => sum.toArray()));
    assert.deepEqual(values.map(([first]) => first), Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test('one that takes long is finished before the next', async () => {
    const order = [];
    const note = (name) => () => order.push(name);
    const module = await hlo.parse('HloModule loop\nENTRY main { x = f32[1000] parameter(0) y = f32[1000] tanh(x) ROOT z = f32[1000] multiply(x, y) }');
    await Promise.all([hlo.compile(module).then(note('compile')), hlo.memory().then(note('memory')), hlo.compile(module).then(note('again'))]);
    assert.deepEqual(order, ['compile', 'memory', 'again']);
  });

  test('infeed and outfeed', async () => {
    const text = `HloModule feed
ENTRY main { t = token[] after-all() i = (f32[2], token[]) infeed(t)
  x = f32[2] get-tuple-element(i), index=0
  o = token[] outfeed(x, t), outfeed_shape=f32[2] ROOT y = f32[2] add(x, x) }`;
    const executable = await hlo.compile(await hlo.parse(text));
    await hlo.infeed.push(new Float32Array([1, 2]), 'f32[2]');
    assert.deepEqual(await (await executable.run()).toArray(), [2, 4]);
    assert.deepEqual(await (await hlo.outfeed.take()).toArray(), [1, 2]);
    assert.equal(await hlo.outfeed.take(), undefined);
  });

  test('a module of dynamic shape', async () => {
    const text = 'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %0 = stablehlo.add %x, %x : tensor<?xf32> return %0 : tensor<?xf32> }';
    const module = await hlo.parse(text);
    assert.equal(module.isDynamic, true);
    const executable = await hlo.compile(module);
    assert.deepEqual(await (await executable.run([new Float32Array([1, 2, 3])])).toArray(), [2, 4, 6]);
    const five = await executable.specialize(['f32[5]']);
    assert.deepEqual(await (await five.run([[1, 2, 3, 4, 5]])).toArray(), [2, 4, 6, 8, 10]);
  });
});

describe('errors', () => {
  test('are HloErrors with their codes, places and messages', async () => {
    await assert.rejects(add.run([[1, 2, 3, 4]]), (error) => error instanceof HloError && error.code === 'INPUT' && /expected 2 inputs/.test(error.message));
    await assert.rejects(hlo.parse('HloModule m\nENTRY main { ROOT x = f32[2] foo() }'), (error) => error.code === 'UNKNOWN_OP' && error.line === 2);
  });
  test('wrong JavaScript types are TypeErrors', async () => {
    const refused = (promise, message) => assert.rejects(promise, { name: 'TypeError', message });
    await refused(hlo.parse(5), /a module is a text or the bytes of a file/);
    await refused(hlo.compile('text'), /compile takes a computation or a module, got "text"/);
    await refused(hlo.compile(await hlo.parse(ADD), { customCalls: { f() {} } }), /custom calls are functions of this thread/);
    await assert.rejects(alone.literal(await hlo.tensor([1], 'f32[1]')), /another worker/);
    await refused(load({ threads: 0 }), /threads is a count from 1 to 64, got 0/);
    await refused(add.specialize(), /specialize takes an array of shapes, got undefined/);
    await refused(hlo.parse(ADD, { shapes: 'f32[4]' }), /shapes is an array of shapes, got "f32\[4\]"/);
    await refused(hlo.snapshot('text', []), /a program is a computation or a module, got "text"/);
  });
  test('a run is stopped by its signal, and the worker goes on', async () => {
    for (const runtime of [alone, hlo]) {
      const controller = new AbortController();
      const loop = await runtime.compile(await runtime.parse(LOOP), { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('enough')), 50);
      await assert.rejects(loop.run(), (error) => error.code === 'ABORTED' && error.cause.message === 'enough');
      await assert.rejects(loop.run(), { code: 'ABORTED' });
      assert.deepEqual(await (await runtime.parseLiteral('s32[] 7')).toArray(), 7);
    }
  });
  test('a runtime that was disposed of answers nothing more', async () => {
    const short = await load();
    const waiting = short.parse(ADD);
    short.dispose();
    await assert.rejects(waiting, { code: 'DISPOSED' });
    await assert.rejects(short.memory(), { code: 'DISPOSED' });
    short.dispose();
  });
  test('an aborted load', async () => {
    await assert.rejects(load({ signal: AbortSignal.abort() }), { code: 'ABORTED' });
  });

  test('compile is stopped while its program arrives, and the worker goes on', async () => {
    const server = createServer((_, answer) => {
      answer.flushHeaders();
      answer.write('HloModule');
      answer.on('close', () => server.emit('stopped'));
    });
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    const address = new URL(`http://127.0.0.1:${server.address().port}/endless.hlo`);
    const stopped = once(server, 'stopped');
    const cancel = (/** @type {Error} */ reason) => void server.emit('cancelled', reason);
    const arriving = new ReadableStream({ cancel, start: (controller) => controller.enqueue(new TextEncoder().encode('HloModule')) });
    const cancelled = once(server, 'cancelled');
    for (const source of [address, arriving]) {
      const controller = new AbortController();
      const begun = source === address ? once(server, 'request') : Promise.resolve();
      const compiling = alone.compile(source, { signal: controller.signal });
      void begun.then(() => setTimeout(() => controller.abort(new Error('enough')), 50));
      await assert.rejects(compiling, (error) => error.code === 'ABORTED' && error.cause.message === 'enough');
      assert.equal(await (await alone.parseLiteral('s32[] 7')).toArray(), 7);
    }
    await Promise.all([stopped, cancelled]);
    server.close();
    const whole = new Response(ADD);
    for (const source of [whole, address, new TextEncoder().encode(ADD)])
      await assert.rejects(alone.compile(source, { signal: AbortSignal.abort() }), { code: 'ABORTED' });
    const { signal } = new AbortController();
    const executable = await alone.compile(whole, { signal });
    assert.deepEqual(await (await executable.run([[1, 2, 3, 4], [1, 1, 1, 1]])).toArray(), [2, 3, 4, 5]);
  });
});

test('webhlo/inline has all that webhlo/worker has', async () => {
  const [inline, worker] = [await import('../../js/inline.js'), await import('../../js/worker.js')];
  for (const name of Object.keys(worker).filter((key) => key !== 'load')) assert.equal(inline[name], worker[name], name);
});

test('arrays that are disposed of are freed in the worker', async () => {
  const own = await load(); // where nothing of other tests is collected meanwhile
  const before = (await own.memory()).bufferBytes;
  const tensor = await own.tensor(new Float32Array(1000), 'f32[1000]');
  assert.equal((await own.memory()).bufferBytes, before + 4000);
  tensor.dispose();
  assert.equal((await own.memory()).bufferBytes, before);
  own.dispose();
});

test('arrays that are dropped are freed in the worker once they are collected', async () => {
  const worker = fileURLToPath(new URL('../../js/worker.js', import.meta.url));
  const source = `import { load } from ${JSON.stringify(worker)}; const hlo = await load(); const bytes = async () => (await hlo.memory()).bufferBytes;
    async function drop() { await hlo.tensor(new Float32Array(1000), 'f32[1000]'); return bytes(); }
    const [before, most] = [await bytes(), await drop()];
    for (let i = 0; i < 200 && (await bytes()) > before; i++) { globalThis.gc(); await new Promise((go) => setTimeout(go, 25)); }
    console.log(most - before, (await bytes()) - before);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', source], { timeout: 60_000 });
  assert.equal(stdout.trim(), '4000 0');
});

test('an idle worker, pool included, does not keep a process alive', async () => {
  const worker = fileURLToPath(new URL('../../js/worker.js', import.meta.url));
  const source = `import { load } from ${JSON.stringify(worker)}; const hlo = await load({ threads: 3 });
    const executable = await hlo.compile(await hlo.parse(${JSON.stringify(ADD)}));
    await executable.run([() => 'no message', 1]).catch(({ name }) => console.log(name)); console.log(hlo.threads, ...await (await executable.run([[1, 2, 3, 4], [1, 1, 1, 1]])).toArray());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { timeout: 60_000 });
  assert.equal(stdout.trim(), 'TypeError\n3 2 3 4 5');
});

test('a worker that stops ends the calls that wait, and those that come', async () => {
  /** @type {any} */
  let failed;
  const told = [];
  const helper = { hold: (on) => told.push(`hold ${on}`), post: (message) => told.push(message.method), listen: (_, onError) => (failed = onError), end: () => told.push('end') };
  const connection = new Connection(/** @type {any} */ ({ startRuntimeWorker: () => helper }));
  const waiting = connection.call(0, 'parse', []);
  failed(new Error('out of memory'));
  await assert.rejects(waiting, /out of memory/);
  await assert.rejects(connection.call(0, 'parse', []), { name: 'HloError', code: 'INTERNAL', message: 'the worker stopped (out of memory); load a new runtime' });
  connection.close();
  assert.deepEqual(told, ['hold false', 'parse', 'hold true', 'hold false', 'end', 'end']);
});
