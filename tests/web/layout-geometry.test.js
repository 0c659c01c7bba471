// The steps of the layout pictures against the runtime's index arithmetic, over a table of shapes and random ones; cells
// on the pictures found again at the points where they stand; walks and their caches counted a second way.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { Axis, arrange, box, cellIn, columnAndRow, hit, rowLength, sides } from '../../js/pictures/layout-geometry.js';
import { Cache, CachedWalk, Walk, linesAlong, linesOfElements, loopOrders, parseLoop } from '../../web/elements/layout-cache.js';
import { LayoutModel } from '../../js/pictures/layout-model.js';
import { Tiling, linear } from '../../js/pictures/layout-tiling.js';

const hlo = await load();

export const table = [
  'f32[3,5]{1,0:T(2,2)}',
  'f32[4,8]{1,0:T(2,4)(2,1)}',
  'bf16[16,256]{1,0:T(8,128)(2,1)}',
  's8[33,130]{1,0:T(8,128)(4,1)}',
  'f32[2,3]{0,1}',
  'f32[2,3,4,5]',
  'f32[2,3,4,5]{0,2,1,3}',
  'f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}',
  'f32[4]{0:T(4,4)}',
  'f32[5]{0:T(2)(2,2)}',
  'f32[13]{0:T(4)L(10)}',
  's4[3,5]{1,0:T(2,2)E(4)}',
  'f32[3,5,4]{0,2,1:T(2,3)(3,2,1)}',
  'pred[7]',
  'f32[]',
  'f32[1,1]{1,0:T(8,128)}',
];

/** A generator of whole numbers below a bound, the same in every run. */
export function numbers(seed) {
  return (bound) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * bound);
  };
}

function randomShape(below) {
  const rank = 1 + below(4);
  const dimensions = Array.from({ length: rank }, () => 1 + below(rank > 2 ? 5 : 9));
  const minorToMajor = [];
  for (let d = 0; d < rank; d++) minorToMajor.splice(below(d + 1), 0, d);
  const tiles = Array.from({ length: below(4) }, (_, level) => {
    const tile = Array.from({ length: 1 + below(level ? 3 : rank) }, () => (level === 0 && below(5) === 0 ? '*' : 1 + below(5)));
    if (tile.at(-1) === '*') tile[tile.length - 1] = 2;
    return tile;
  });
  const type = ['f32', 'bf16', 's8', 's4', 'c64'][below(5)];
  const fields = { minorToMajor, tiles, ...(type === 's4' && below(2) ? { elementSizeInBits: 4 } : {}), ...(below(4) === 0 ? { tailPaddingAlignmentInElements: 1 + below(6) } : {}) };
  return String(hlo.makeShape(type, dimensions, { layout: fields }));
}

const below = numbers(7);
const shapes = [...table, ...Array.from({ length: 120 }, () => randomShape(below))].map((text) => hlo.shape(text));
shapes.push(hlo.shape('u8[2,3]{0,1}', { paddedDimensions: [3, 5] }), hlo.shape('f32[4,6]{1,0:T(2,2)}', { paddedDimensions: [5, 7] }));

test('the steps end in the place that the runtime gives, forth and back', () => {
  for (const shape of shapes) {
    const tiling = new Tiling(shape);
    const last = tiling.levels.length;
    let elements = 0;
    for (let offset = 0; offset < tiling.places; offset++) {
      const index = shape.multiIndex(offset);
      const { steps, excess } = tiling.place(offset);
      if (!index) {
        assert.ok(excess, `${shape}: place ${offset} is padding`);
        continue;
      }
      elements++;
      assert.equal(excess, null, `${shape}: place ${offset} is an element`);
      assert.deepEqual(steps, tiling.steps(index), `${shape}: place ${offset}`);
      assert.deepEqual(tiling.logical(steps[0]), index);
      assert.equal(tiling.colour(steps[0]), tiling.colourOfTile(tiling.tileAt(steps)), `${shape}: colour of ${index}`);
      const tiled = shape.tiledIndex(index);
      assert.deepEqual(steps[last], tiled.coordinates, `${shape} at ${index}`);
      assert.deepEqual(tiling.tiledBounds, tiled.bounds);
      assert.equal(linear(tiled.bounds, steps[last]), shape.linearIndex(index));
    }
    assert.equal(elements, shape.elementCount);
    const bits = shape.layout?.elementSizeInBits || (shape.arraySize * 8) / tiling.places;
    assert.equal(Math.ceil((tiling.places * bits) / 8), shape.arraySize, `${shape}`);
  }
});

test('figure 1: (2,3), (1,1,0,1), 17; place 23 is padding of dimension 0', () => {
  const tiling = new Tiling(hlo.shape('f32[3,5]{1,0:T(2,2)}'));
  assert.deepEqual(tiling.steps([2, 3]), [[2, 3], [1, 1, 0, 1]]);
  assert.equal(tiling.offset([2, 3]), 17);
  assert.deepEqual(tiling.place(23).steps[0], [3, 5]);
  assert.deepEqual(tiling.extents, [4, 6]);
  assert.deepEqual(tiling.place(19).excess, { level: 0, sources: [0], coordinate: 3, bound: 3 });
});

test('a tile takes one run of places, unless later tiles reach across it', () => {
  for (const shape of shapes) {
    const tiling = new Tiling(shape);
    if (!tiling.tiled || tiling.tilePlaces === Infinity) continue;
    for (let offset = 0; offset < tiling.padded; offset++) {
      const { steps } = tiling.place(offset);
      const first = tiling.place(offset - (offset % tiling.tilePlaces)).steps;
      assert.deepEqual(tiling.tileAt(steps), tiling.tileAt(first), `${shape}: place ${offset}`);
    }
  }
  assert.equal(new Tiling(hlo.shape('f32[6,10]{1,0:T(2,5)(3,2)}')).tilePlaces, 18);
  assert.equal(new Tiling(hlo.shape('f32[8,8]{1,0:T(4)(2,2)}')).tilePlaces, Infinity);
});

test('neighbouring tiles have different colours', () => {
  const { tiling } = new LayoutModel(hlo.shape('f32[64,64,8]{2,1,0:T(2,2,2)}'), null);
  for (let z = 0; z < 62; z += 2)
    for (let y = 0; y < 62; y += 2)
      for (const [dz, dy, dx] of [[2, 0, 0], [0, 2, 0], [0, 0, 2], [0, 2, 2]])
        assert.notEqual(tiling.colour([z, y, 2]), tiling.colour([z + dz, y + dy, 2 + dx]));
});

test('every cell of both pictures is found where it stands', () => {
  for (const shape of shapes)
    for (const width of [360, 1240]) {
      const model = new LayoutModel(shape, null);
      const cell = { width: 40, height: 38 };
      const { array, memory } = arrange(model.tiling, { width, height: 420, cells: { array: cell, memory: cell }, zoom: 0, view: 'both' });
      const seen = new Set();
      for (let offset = 0; offset < model.places; offset++) {
        const found = model.place(offset);
        const there = box(memory, offset);
        assert.equal(hit(memory, there.x + there.width / 2, there.y + there.height / 2), offset);
        seen.add(`${there.x} ${there.y}`);
        if (!found.pictured) continue;
        const stands = array.kind === 'run' ? (found.pictured[0] ?? 0) : found.pictured;
        const here = box(array, stands);
        assert.deepEqual(hit(array, here.x + 0.1, here.y + 0.1), stands, `${shape} ${found.pictured}`);
        assert.deepEqual(hit(array, here.x + here.width - 0.1, here.y + here.height - 0.1), stands);
        assert.deepEqual(cellIn(array, ...columnAndRow(array, stands)), stands);
        assert.equal(model.at(found.pictured), found);
      }
      assert.equal(seen.size, model.places);
      if (model.padding === 0) assert.equal(array.x.count * array.y.count >= model.count, true);
    }
});

test('an axis: gaps belong to no cell', () => {
  const axis = new Axis([2, 5], 10, { group: 2, groupGap: 4, panelGap: 20 });
  assert.deepEqual(Array.from({ length: 10 }, (_, i) => axis.start(i)), [0, 10, 24, 34, 48, 78, 88, 102, 112, 126]);
  assert.equal(axis.length, 136);
  assert.deepEqual(axis.find(21), { i: 1, inside: false });
  assert.deepEqual(axis.find(60), { i: 4, inside: false });
  assert.deepEqual(axis.find(78), { i: 5, inside: true });
  assert.equal(axis.find(-1).inside, false);
  assert.equal(axis.find(136).inside, false);
});

test('rows of memory hold whole tiles, or parts that divide them', () => {
  assert.equal(rowLength([2, 3, 2, 2], 14), 12);
  assert.equal(rowLength([2, 3, 2, 2], 12), 12);
  assert.equal(rowLength([2, 3, 2, 2], 11), 4);
  assert.equal(rowLength([4, 2, 4, 128, 2, 1], 20), 16);
  assert.equal(rowLength([100003], 70), 64);
  assert.deepEqual(sides(4, true), { across: [1, 3], down: [0, 2] });
  assert.deepEqual(sides(3, false), { across: [2], down: [0, 1] });
});

test('walks come to every element once, quickly as slowly', () => {
  for (const shape of shapes.slice(0, 40)) {
    const model = new LayoutModel(shape, null);
    for (const loop of [...loopOrders(shape.rank).slice(0, 6), null]) {
      const walk = new Walk(model, loop);
      const offsets = [...walk.offsets(0, walk.count)];
      assert.equal(new Set(offsets).size, loop ? model.count : model.places);
      offsets.forEach((offset, step) => {
        assert.equal(walk.offset(step), offset, `${shape} by ${loop} at ${step}`);
        assert.equal(walk.step(model.place(offset)), step);
      });
      const from = walk.count >> 1;
      assert.deepEqual([...walk.offsets(from, walk.count)], offsets.slice(from));
    }
  }
});

test('a cache gives up what was used longest ago', () => {
  const cache = new Cache(2);
  assert.deepEqual([1, 2, 1, 3, 2, 3].map((line) => cache.touch(line)), [true, true, false, true, true, false]);
  assert.deepEqual(cache.lines, [2, 3]);
});

test('loads of f32[64,64]: by rows once a line, by columns every time', () => {
  const model = new LayoutModel(hlo.shape('f32[64,64]'), null);
  const rows = new CachedWalk(new Walk(model, [0, 1]), 64, 8), columns = new CachedWalk(new Walk(model, [1, 0]), 64, 8);
  assert.equal(rows.total, 256);
  assert.equal(columns.total, 4096);
  assert.equal(columns.distinct, 256);
  assert.deepEqual(rows.pass(70), { first: 64, length: 64, lines: 4 });
  assert.deepEqual(columns.pass(70), { first: 64, length: 64, lines: 64 });
  assert.equal(rows.after(2000).loads, 126);
  assert.deepEqual(rows.after(2000).lines, [118, 119, 120, 121, 122, 123, 124, 125]);
  assert.equal(linesAlong(model, [3, 5], 0, 64), 64);
  assert.equal(linesAlong(model, [3, 5], 1, 64), 4);
  assert.equal(linesOfElements(model, 64), 256);
  assert.equal(linesOfElements(new LayoutModel(hlo.shape('f32[3,5]{1,0:T(8,128)}'), null), 64), 3);
});

test('tiles of 8 by 8 make both orders cheap', () => {
  const model = new LayoutModel(hlo.shape('f32[64,64]{1,0:T(8,8)}'), null);
  assert.ok(new CachedWalk(new Walk(model, [1, 0]), 64, 64).total < 4096 / 4);
});

test('loop orders are read or refused', () => {
  assert.deepEqual(loopOrders(3).map((loop) => loop.join('')), ['012', '021', '102', '120', '201', '210']);
  assert.deepEqual(parseLoop('1,0', 2), [1, 0]);
  assert.equal(parseLoop('memory', 2), null);
  for (const wrong of ['0', '0,0', '0,2', 'x,y']) assert.throws(() => parseLoop(wrong, 2), /each of the 2 dimensions once/);
});
