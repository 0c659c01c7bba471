// The scripts that ship: entries share their classes, and what one entry has made the others accept.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as modules from '../../js/index.js';

const file = new URL('../../dist/node/index.js', import.meta.url);

test('the bundle exports what the modules export, and no more', async () => {
  assert.deepEqual(Object.keys(await import(file.href)), Object.keys(modules));
});

test('a dynamic program of the bundle fails with the error class of the bundle', async () => {
  const { load, Executable, HloError } = await import(file.href);
  const hlo = await load();
  const module = hlo.parse('func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }');
  const compiled = hlo.compile(module);
  module.dispose(); // the executable has a share of it from the call on
  const executable = await compiled;
  assert.deepEqual(executable.run([[1, 2]]).toArray(), [1, 2]);
  assert.ok(executable.specializations[0] instanceof Executable);
  assert.throws(() => executable.run([]), (error) => error instanceof HloError && error.code === 'INPUT' && /expected 1 input/.test(error.message));
  hlo.dispose();
});

test('a custom call of the bundle knows its shapes', async () => {
  const { load, Shape } = await import(file.href);
  const hlo = await load();
  const b = hlo.builder();
  const root = b.customCall('twice', [b.parameter(0, 'f32[2]')], 'f32[2]');
  const twice = (/** @type {any} */ out, /** @type {any[]} */ [x], /** @type {any} */ { shape }) => {
    assert.ok(shape instanceof Shape);
    return x.map((/** @type {number} */ value) => 2 * value);
  };
  const executable = await hlo.compile(b.build(root), { customCalls: { twice } });
  assert.deepEqual(executable.run([[1, 2]]).toArray(), [2, 4]);
  hlo.dispose();
});

describe('entries', () => {
  const entry = (/** @type {string} */ name) => import(new URL(`../../dist/node/${name}.js`, import.meta.url).href);
  const loads = {
    webhlo: async () => (await entry('index')).load,
    'webhlo/worker': async () => (await entry('worker')).load,
    'webhlo/inline': async () => (await entry('inline')).load,
    'the worker of webhlo/inline': async () => (await entry('inline')).worker.load,
  };
  const DYNAMIC = 'func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }';

  test('share every class', async () => {
    const [index, worker, inline] = await Promise.all(['index', 'worker', 'inline'].map(entry));
    for (const name of Object.keys(index).filter((key) => key !== 'load'))
      for (const other of [worker, inline]) assert.equal(other[name], index[name], name);
  });

  for (const [from, first] of Object.entries(loads))
    for (const [to, second] of Object.entries(loads))
      test(`${to} takes what ${from} has made`, async () => {
        const [maker, taker] = [await (await first())(), await (await second())()];
        const b = maker.builder('twice');
        const x = b.parameter(0, maker.shape('f32[2,3]{0,1}'), 'x');
        const part = maker.builder('sum');
        const sum = part.build(part.add(part.parameter(0, 'f32[]'), part.parameter(1, 'f32[]')));
        const twice = b.build(b.add(x, b.constant([[1, 2, 3], [4, 5, 6]], maker.shape('f32[2,3]'))));
        const executable = await taker.compile(twice);
        const tensor = await taker.tensor([[0, 0, 0], [1, 1, 1]], maker.makeShape('f32', [2, 3], { layout: '0,1' }));
        assert.deepEqual(await (await executable.run([tensor])).toArray(), [[1, 2, 3], [5, 6, 7]]);
        assert.equal((await taker.tensor([1, 2], maker.shape('s32[2]'))).shape.toString(), 's32[2]');
        const reducer = taker.builder('reduce');
        const reduced = reducer.build(reducer.reduce(reducer.parameter(0, 'f32[3]'), reducer.constant(0, 'f32[]'), sum, [0]));
        assert.equal(await (await (await taker.compile(reduced)).run([[1, 2, 3]])).toArray(), 6);
        const { HloError } = await entry('inline');
        await assert.rejects(async () => taker.parse('HloModule m\nENTRY e { ROOT x = f32[2] foo() }'), (error) => error instanceof HloError && error.code === 'UNKNOWN_OP');
        maker.dispose();
        taker.dispose();
      });

  test('a tensor of one runtime is an input of another, copied', async () => {
    const [{ load }, inline, worker] = await Promise.all(['index', 'inline', 'worker'].map(entry));
    const [a, b, c] = [await load(), await inline.load(), await worker.load()];
    const tensor = a.tensor(new Float32Array([1, 2, 3, 4, 5, 6]), 'f32[2,3]{0,1}');
    const text = 'HloModule m\nENTRY e { p = f32[2,3] parameter(0) ROOT y = f32[2,3] negate(p) }';
    for (const hlo of [a, b, c]) {
      const executable = await hlo.compile(await hlo.parse(text));
      assert.deepEqual(await (await executable.run([tensor])).toArray(), [[-1, -3, -5], [-2, -4, -6]]);
      assert.equal(tensor.disposed, false);
    }
    for (const hlo of [a, b, c]) hlo.dispose();
  });

  test('a dynamic module of one runtime is compiled by another', async () => {
    const [{ load }, worker] = await Promise.all(['index', 'worker'].map(entry));
    const [a, b] = [await load(), await worker.load()];
    const module = a.parse(DYNAMIC);
    const executable = await b.compile(module);
    assert.deepEqual(await (await executable.run([[1, 2, 3]])).toArray(), [1, 2, 3]);
    assert.equal((await executable.specializations).length, 1);
    a.dispose();
    b.dispose();
  });
});

test('webhlo/pictures draws with the runtime of webhlo, and its errors are those of webhlo', async () => {
  const { load, HloError } = await import(file.href);
  const { drawElement } = await import('webhlo/pictures');
  const hlo = await load({ origins: true });
  const dark = await drawElement(hlo, 'hlo-broadcast', { lhs: 'f32[2]', rhs: 'f32[2]', 'lhs-values': '7,8', step: '0' }, { scheme: 'dark' });
  assert.match(dark, /^<svg[^]*fill="#14171b"[^]*>7<[^]*>8</);
  assert.doesNotMatch(dark, />result</);
  assert.match(await drawElement(hlo, 'hlo-grid', { name: 'x', shape: 'f32[2,3]' }), /^<svg[^]*f32\[2,3\]/, 'an empty one');
  await assert.rejects(drawElement(hlo, 'hlo-layout', { shape: 'f32[1000,1000]' }), (error) => error instanceof HloError && error.code === 'LIMIT');
  await assert.rejects(drawElement(hlo, /** @type {any} */ ('hlo-puzzle')), { message: /^hlo-puzzle has no picture of its own: those with one are hlo-broadcast,/ });
  await assert.rejects(drawElement(hlo, 'hlo-op', { name: 'pad' }, { scheme: /** @type {any} */ ('blue') }), { message: "scheme is 'light' or 'dark', got \"blue\"" });
  hlo.dispose();
  const plain = await load();
  await assert.rejects(drawElement(plain, 'hlo-graph', { program: 'HloModule m ENTRY e { ROOT x = f32[] parameter(0) }' }), (error) => error instanceof HloError && /load\(\{ origins: true \}\)/.test(error.message));
  assert.equal(plain.shape('f32[2]').elementCount, 2); // it goes on
  plain.dispose();
});
