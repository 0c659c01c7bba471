// The figures of XLA's "Shapes and layout" and "Tiled layout".
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

const hlo = await load();

test('ranks, true ranks, negative dimension numbers', () => {
  const shape = hlo.makeShape('f32', [7, 1, 5]);
  assert.equal(shape.rank, 3);
  assert.equal(shape.trueRank, 2);
  assert.equal(shape.dimension(-1), 5);
  assert.equal(shape.dimension(-3), 7);
  assert.throws(() => shape.dimension(3), { code: 'ARGUMENT' });
});

test('dimension 0 minor: a d b e c f', () => {
  const tensor = hlo.tensor(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    hlo.makeShape('f32', [2, 3], { layout: { minorToMajor: [0, 1] } }),
  );
  assert.deepEqual([...tensor.data], [1, 4, 2, 5, 3, 6]);
  assert.deepEqual(tensor.toArray(), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test('dimension 0 major: a b c d e f', () => {
  const tensor = hlo.tensor(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    'f32[2,3]{1,0}',
  );
  assert.deepEqual([...tensor.data], [1, 2, 3, 4, 5, 6]);
});

test('padding: a d 0 b e 0 c f 0 0 0 0 0 0 0', () => {
  const shape = hlo.shape('u8[2,3]{0,1}', { paddedDimensions: [3, 5], paddingValue: 'zero' });
  const letters = [...'abcdef'].map((letter) => letter.charCodeAt(0));
  const tensor = hlo.tensor([letters.slice(0, 3), letters.slice(3)], shape);
  assert.equal(
    [...tensor.data].map((code) => (code ? String.fromCharCode(code) : '0')).join(' '),
    'a d 0 b e 0 c f 0 0 0 0 0 0 0',
  );
  assert.deepEqual(tensor.toArray(), [letters.slice(0, 3), letters.slice(3)]);
  assert.equal(shape.byteSize, 6);
  assert.equal(shape.arraySize, 15);
  assert.deepEqual(shape.multiIndex(4), [1, 1]);
  assert.equal(shape.multiIndex(2), null);
});

test('padding values', () => {
  const padded = (paddingValue) => [
    ...hlo.tensor([7], hlo.shape('s8[1]', { paddedDimensions: [3], paddingValue })).data,
  ];
  assert.deepEqual(padded('one'), [7, 1, 1]);
  assert.deepEqual(padded('lowest'), [7, -128, -128]);
  assert.deepEqual(padded('highest'), [7, 127, 127]);
});

test('a padded layout survives builder, compilation and run', async () => {
  const shape = hlo.shape('f32[2,3]{0,1}', { paddedDimensions: [3, 5], paddingValue: 'one' });
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.add(b.parameter(0, shape), 1)));
  const result = executable.run([
    hlo.tensor(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      shape,
    ),
  ]);
  assert.deepEqual(result.toArray(), [
    [2, 3, 4],
    [5, 6, 7],
  ]);
  const physical = executable.run([new Float32Array([1, 4, 9, 2, 5, 9, 3, 6, 9, 9, 9, 9, 9, 9, 9])]);
  assert.deepEqual(physical.toArray(), [
    [2, 3, 4],
    [5, 6, 7],
  ]);
});

test('figure 1: F32[3,5]{1,0:T(2,2)}', () => {
  const shape = hlo.shape('f32[3,5]{1,0:T(2,2)}');
  assert.equal(shape.linearIndex([2, 3]), 17);
  assert.deepEqual(shape.tiledIndex([2, 3]), { coordinates: [1, 1, 0, 1], bounds: [2, 3, 2, 2] });
  assert.deepEqual(shape.multiIndex(17), [2, 3]);
  assert.equal(shape.multiIndex(23), null);
  assert.equal(shape.byteSize, 60);
  assert.equal(shape.arraySize, 96);
  assert.deepEqual(shape.offsets(), [0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20]);
  assert.equal(
    String(hlo.makeShape('f32', [3, 5], { layout: { minorToMajor: [1, 0], tiles: [[2, 2]] } })),
    'f32[3,5]{1,0:T(2,2)}',
  );
});

test('figure 2: 4x8 with (2,4)(2,1)', () => {
  const shape = hlo.shape('bf16[4,8]{1,0:T(2,4)(2,1)}');
  assert.deepEqual(shape.offsets().slice(0, 16), [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
  for (let offset = 0; offset < 32; offset++) assert.equal(shape.linearIndex(shape.multiIndex(offset)), offset);
});

test('combined dimensions: (*,*,2,*,3) makes F32[112,110]', () => {
  const shape = hlo.makeShape('f32', [2, 7, 8, 11, 10], {
    layout: { minorToMajor: [4, 3, 2, 1, 0], tiles: [[-1, '*', 2, -1, 3]] },
  });
  assert.equal(String(shape), 'f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}');
  const flat = hlo.shape('f32[112,110]{1,0:T(2,3)}');
  assert.equal(shape.arraySize, flat.arraySize);
  assert.equal(shape.linearIndex([1, 3, 5, 7, 9]), flat.linearIndex([(1 * 7 + 3) * 8 + 5, 7 * 10 + 9]));
});

test('transpose and reshape as bitcasts', () => {
  const rowMajor = hlo.shape('f32[2,3]{1,0}');
  assert.equal(rowMajor.transposeIsBitcast('f32[3,2]{0,1}', [1, 0]), true);
  assert.equal(rowMajor.transposeIsBitcast('f32[3,2]{1,0}', [1, 0]), false);
  assert.equal(rowMajor.reshapeIsBitcast('f32[6]'), true);
  assert.equal(hlo.shape('f32[2,3]{0,1}').reshapeIsBitcast('f32[6]'), false);
  assert.throws(() => rowMajor.reshapeIsBitcast('f32[5]'), { code: 'ARGUMENT' });
});

test('broadcasting semantics', () => {
  assert.deepEqual(hlo.broadcastPlan('f32[2,1]', 'f32[2,3]').dimensions, [2, 3]);
  assert.deepEqual(hlo.broadcastPlan('f32[1,2,5]', 'f32[7,2,5]').dimensions, [7, 2, 5]);
  assert.deepEqual(hlo.broadcastPlan('f32[7,2,5]', 'f32[7,1,5]').dimensions, [7, 2, 5]);
  assert.throws(() => hlo.broadcastPlan('f32[7,2,5]', 'f32[7,2,6]'), { code: 'SHAPE' });
  assert.deepEqual(hlo.broadcastPlan('f32[2,1]', 'f32[1,3]').dimensions, [2, 3]);
  assert.deepEqual(hlo.broadcastPlan('f32[2,3,4]', 'f32[3,4]', [1, 2]).dimensions, [2, 3, 4]);
  assert.deepEqual(hlo.broadcastPlan('f32[4]', 'f32[1,2]', [0]).dimensions, [4, 2]);
  assert.deepEqual(hlo.broadcastPlan('f32[1,2]', 'f32[4,3,1]', [1, 2]).dimensions, [4, 3, 2]);
  assert.throws(() => hlo.broadcastPlan('f32[3,4]', 'f32[2,3,4]', [2, 1]), { code: 'SHAPE' });
});

test('dynamic dimensions', () => {
  const shape = hlo.shape('f32[<=4,?,2]');
  assert.deepEqual(shape.dimensions, [4, null, 2]);
  assert.deepEqual(shape.dimensionKinds, ['bounded', 'unbounded', 'static']);
  assert.equal(String(hlo.makeShape('f32', ['<=4', null, 2])), String(shape));
});

test('shapes are compared with shapes and with texts', () => {
  const shape = hlo.shape('f32[2,3]{0,1}');
  assert.deepEqual(['f32[2,3]{0,1}', 'f32[2,3]', 'f32[3,2]', '(f32[2,3])'].map((text) => [shape.equals(text), shape.compatible(text)]), [[true, true], [false, true], [false, false], [false, false]]);
  assert.ok(hlo.shape('(f32[2], s32[])').equals('(f32[2], s32[])'));
  assert.throws(() => shape.equals('f33[2]'), { code: 'PARSE' });
});

test('tuples', () => {
  const shape = hlo.shape('(f32[2], (s32[], token[]))');
  assert.equal(shape.isTuple, true);
  assert.deepEqual(
    shape.leaves.map((leaf) => leaf.type),
    ['f32', 's32', 'token'],
  );
});

test('what is wrong is said', () => {
  assert.throws(() => hlo.shape('f32[3,5]{1,0:T(2,2)'), { code: 'PARSE' });
  assert.throws(() => hlo.shape('f33[3]'), { code: 'PARSE', column: 1 });
  assert.throws(() => hlo.shape('f32[3]{1,0}'), { code: 'SHAPE', message: /the layout must order every dimension of f32\[3\], of rank 1, got 2/ });
  assert.throws(() => hlo.shape(7), { name: 'TypeError', message: /a shape is a text/ });
  assert.throws(() => hlo.makeShape('f32', [-1]), { name: 'TypeError', message: /a dimension is a size, '<=N' or '\?', got -1/ });
  assert.throws(() => hlo.shape('f32[3]').linearIndex([3]), { code: 'ARGUMENT' });
  assert.throws(() => hlo.shape('f32[3]').linearIndex([0, 0]), { code: 'ARGUMENT' });
  assert.throws(() => hlo.shape('(f32[3])').offsets(), { code: 'ARGUMENT' });
});
