// Gathers and scatters of many windows: index vectors of every length and type, in blocks and behind them, inside the array and outside.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

const hlo = await load();
const ARRAYS = { s32: Int32Array, u32: Uint32Array, s64: BigInt64Array, u64: BigUint64Array, s16: Int16Array, u8: Uint8Array };
const DIMENSIONS = [7, 5, 3];

/** Indices of which some are negative, beyond the array, or the greatest and least of their type. */
function indicesOf(type, count) {
  const array = new ARRAYS[type](count);
  const isBig = typeof array[0] === 'bigint';
  for (let i = 0; i < count; i++) {
    const value = [i % 7, (i * 5) % 9, -1 - (i % 3), 2 ** 31 - 1, -(2 ** 31), 6, 0, 2, 1, 4, 3][(i * 7 + (i >> 4)) % 11];
    array[i] = isBig ? BigInt(value) : value;
  }
  return array;
}

/** @param {string} type @param {number} length of an index vector @param {number} count of them @param {number} dimension that has the vectors */
function programs(type, length, count, dimension) {
  const indices = dimension ? `${count},${length}` : `${length},${count}`;
  const kept = 3 - length;
  const dims = `offset_dims={${Array.from({ length: kept }, (_, i) => i + 1)}}, collapsed_slice_dims={${Array.from({ length }, (_, i) => i)}}, start_index_map={${Array.from({ length }, (_, i) => i)}}, index_vector_dim=${dimension}`;
  const windows = [count, ...DIMENSIONS.slice(length)].join();
  const updated = dims.replace('offset_dims', 'update_window_dims').replace('collapsed_slice_dims', 'inserted_window_dims').replace('start_index_map', 'scatter_dims_to_operand_dims');
  return {
    gather: `HloModule g\nENTRY e { a = f32[${DIMENSIONS}] parameter(0) i = ${type}[${indices}] parameter(1)
      ROOT g = f32[${windows}] gather(a, i), ${dims}, slice_sizes={${[...Array(length).fill(1), ...DIMENSIONS.slice(length)]}} }`,
    scatter: `HloModule s\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }
      ENTRY e { a = f32[${DIMENSIONS}] parameter(0) i = ${type}[${indices}] parameter(1) u = f32[${windows}] parameter(2)
      ROOT s = f32[${DIMENSIONS}] scatter(a, i, u), ${updated}, to_apply=add }`,
  };
}

for (const type of Object.keys(ARRAYS))
  test(`indices of ${type}`, async () => {
    const a = Float32Array.from({ length: 105 }, (_, i) => i);
    for (const length of [1, 2, 3])
      for (const dimension of [0, 1])
        for (const count of [1, 3, 4, 61, 64, 67, 131]) {
          const texts = programs(type, length, count, dimension);
          const updates = Float32Array.from({ length: (count * 105) / DIMENSIONS.slice(0, length).reduce((x, y) => x * y) }, (_, i) => i % 50);
          const indices = indicesOf(type, length * count);
          for (const [name, text] of Object.entries(texts)) {
            const inputs = name === 'gather' ? [a, indices] : [a, indices, updates];
            const [planned, reference] = [await hlo.compile(hlo.parse(text)), await hlo.compile(hlo.parse(text), { reference: true })];
            assert.deepEqual(planned.run(inputs).toTypedArray(), reference.run(inputs).toTypedArray(), `${name}, ${count} vectors of ${length}, along ${dimension}`);
          }
        }
  });
