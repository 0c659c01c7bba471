// The examples of XLA's "Operation semantics", under the names it uses: control, tuples, the world outside.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { binary, close, evaluate, plain } from './evaluate.js';

const hlo = await load();
const is = async (build, expected) => assert.deepEqual(await evaluate(hlo, build), expected);

test('Call', async () => {
  const add = binary(hlo, 'add', 's32');
  await is((b) => b.call(add, b.constant(2, 's32[]'), b.constant(3, 's32[]')), 5);
  const nothing = hlo.builder('seven');
  const seven = nothing.build(nothing.constant(7, 's32[]'));
  await is((b) => b.call(seven), 7);
});

test('CrossReplicaSum: (1.0, 2.5) and (3.0, 5.1) give (4.0, 7.6)', async () => {
  const b = hlo.builder();
  const computation = b.build(b.crossReplicaSum(b.parameter(0, 'f32[2]')));
  const executable = await hlo.compile(computation, { replicas: 2 });
  const [first, second] = executable.run([[[1, 2.5]], [[3, 5.1]]]);
  close(first.toArray(), [4, 7.6]);
  assert.deepEqual(second.toArray(), first.toArray());
});

test('CustomCall: myfunc', async () => {
  const b = hlo.builder();
  const x = b.constant([1, 2]);
  const y = b.constant([[10, 20, 30], [40, 50, 60]]);
  const computation = b.build(b.customCall('myfunc', [x, y], 'f32[3,3]'));
  const executable = await hlo.compile(computation, {
    customCalls: {
      myfunc(out, [x, y], { shape, inputShapes }) {
        assert.deepEqual([...x], [1, 2]);
        assert.deepEqual([...y], [10, 20, 30, 40, 50, 60]);
        assert.deepEqual(shape.dimensions, [3, 3]);
        assert.deepEqual(inputShapes.map(String), ['f32[2]', 'f32[2,3]']);
        out[0] = x[1] + y[3];
      },
    },
  });
  assert.deepEqual(executable.run([]).toArray(), [[42, 0, 0], [0, 0, 0], [0, 0, 0]]);
});

test('GetTupleElement and Tuple', async () => {
  const ten = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  await is((b) => b.getTupleElement(b.tuple(b.constant(ten), b.constant(5, 's32[]')), 1), 5);
  await is((b) => b.tuple(b.constant(ten), b.constant(5, 's32[]')), [ten, 5]);
});

test('Infeed in two loops, totally ordered', async () => {
  const loop = (name, count) => {
    const c = hlo.builder(`${name}_condition`);
    const condition = c.build(c.lt(c.getTupleElement(c.parameter(0, '(s32[], f32[], token[])'), 0), count));
    const b = hlo.builder(`${name}_body`);
    const [i, sum, token] = b.elementsOf(b.parameter(0, '(s32[], f32[], token[])'));
    const read = b.infeedWithToken(token, 'f32[]');
    const body = b.build(b.tuple(b.add(i, 1), b.add(sum, b.getTupleElement(read, 0)), b.getTupleElement(read, 1)));
    return (builder, init) => builder.while(condition, body, init);
  };
  const b = hlo.builder();
  const first = loop('first', 2)(b, b.tuple(b.constant(0, 's32[]'), b.constant(0), b.afterAll([])));
  const second = loop('second', 5)(b, first);
  const executable = await hlo.compile(b.build(b.getTupleElement(second, 1)));
  for (const value of [1, 2, 3, 4, 5]) hlo.infeed.push(value, 'f32[]');
  assert.equal(executable.run([]).toArray(), 15);
  assert.equal(hlo.infeed.length, 0);
});

test('While: 1,000 iterations', async () => {
  const state = '(s32[], f32[10])';
  const c = hlo.builder('condition');
  const condition = c.build(c.lt(c.getTupleElement(c.parameter(0, state), 0), 1000));
  const b = hlo.builder('body');
  const [i, result] = b.elementsOf(b.parameter(0, state, 'state'));
  const body = b.build(b.tuple(b.add(i, 1), b.add(result, b.constant(Array(10).fill(0.5)))));
  const [count, sum] = await evaluate(hlo, (m) => m.while(condition, body, m.tuple(m.constant(0, 's32[]'), m.broadcast(0, [10]))));
  assert.equal(count, 1000);
  assert.deepEqual(sum, Array(10).fill(500));
});

test('Conditional', async () => {
  const c = hlo.builder('double');
  const double = c.build(c.mul(c.parameter(0, 'f32[]'), 2));
  const d = hlo.builder('negate_it');
  const negate = d.build(d.neg(d.parameter(0, 'f32[]')));
  await is((b) => b.conditional(true, b.constant(3), double, b.constant(4), negate), 6);
  await is((b) => b.conditional(b.constant(false), b.constant(3), double, b.constant(4), negate), -4);
  await is((b) => b.conditional(7, [double, negate], [b.constant(3), b.constant(4)]), -4);
});

test('Outfeed, Send and Recv', async () => {
  const b = hlo.builder();
  b.outfeed(b.constant([1, 2]));
  b.outfeed(b.tuple(b.constant(3), b.constant([true])));
  const executable = await hlo.compile(b.build(b.constant(0)));
  executable.run([]);
  assert.deepEqual(hlo.outfeed.take().toArray(), [1, 2]);
  assert.deepEqual(plain(hlo.outfeed.take()), [3, [true]]);
  assert.equal(hlo.outfeed.take(), undefined);
});
