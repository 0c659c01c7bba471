// How the build makes modules compress better: renamed locals keep values apart that are alive together, functions in another order
// call what they called, and everything computes what it did.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { plainAlignments } from '../../tools/compression/alignments.js';
import { readModule, writeBody, writeModule } from '../../tools/compression/code.js';
import { compacted } from '../../tools/compression/compact.js';
import { moveFunctions, reordered, similarOrder } from '../../tools/compression/order.js';
import { renameLocals, sameWebs } from '../../tools/compression/rename.js';
import { search } from '../../tools/compression/search.js';
import { websOf } from '../../tools/compression/webs.js';

const [I32, VOID] = [0x7f, 0x40];
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const tee = (local) => [0x22, local];
const constant = (value) => [0x41, value];
const [add, subtract, multiply] = [0x6a, 0x6b, 0x6c];
const end = 0x0b;

/** A module that exports one function of i32s as 'f'. */
function moduleOf(parameters, locals, code) {
  const body = [1, locals, I32, ...code.flat(), end];
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  return Buffer.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 1, 0x60, parameters, ...new Array(parameters).fill(I32), 1, I32),
    ...section(3, 1, 0),
    ...section(7, 1, 1, 0x66, 0, 0),
    ...section(10, 1, body.length, ...body),
  ]);
}
const bodyOf = (...module) => readModule(moduleOf(...module)).bodies[0];
const websAt = (body) => [...websOf(body).of].filter((web) => web >= 0);

test('a local that is written anew holds another web', () => {
  const body = bodyOf(1, 1, [get(0), set(1), get(1), get(1), add, set(1), get(1)]);
  const [parameter, first, read, again, second, last] = websAt(body);
  assert.equal(parameter, 0);
  assert.deepEqual([read, again], [first, first]);
  assert.equal(last, second);
  assert.notEqual(first, second);
});

test('what both arms of an if write is one web, and what a loop carries is one', () => {
  const choice = bodyOf(1, 1, [get(0), 0x04, VOID, constant(1), set(1), 0x05, constant(2), set(1), end, get(1)]);
  const [, one, other, read] = websAt(choice);
  assert.deepEqual([one, other], [read, read]);
  const carried = bodyOf(1, 1, [0x03, VOID, get(1), constant(1), add, set(1), get(0), constant(1), subtract, tee(0), 0x0d, 0, end, get(1)]);
  const [before, after, , , last] = websAt(carried);
  assert.deepEqual([before, after], [last, last]);
  const byTable = bodyOf(1, 1, [0x02, VOID, 0x03, VOID, get(1), constant(1), add, set(1), get(0), 0x0e, 1, 0, 1, end, end, constant(0)]);
  const [entering, written] = websAt(byTable);
  assert.equal(written, entering);
});

test('webs that are alive together meet, and a parameter is alive from the beginning', () => {
  const body = bodyOf(2, 2, [get(0), set(2), get(1), set(3), get(2), get(3), add]);
  const { of, meets } = websOf(body);
  const [, second, , third] = [...of].filter((web) => web >= 0);
  assert.ok(meets[second].has(third) && meets[second].has(1) && meets[0].has(1));
  assert.ok(!meets[third].has(1), 'the parameter is dead when its copy is written');
});

test('two living values in one local are found', () => {
  const apart = bodyOf(1, 2, [get(0), set(1), constant(5), set(2), get(1), get(2), subtract]);
  const together = bodyOf(1, 2, [get(0), set(1), constant(5), set(1), get(1), get(1), subtract]);
  const exchanged = bodyOf(1, 2, [get(0), set(2), constant(5), set(1), get(2), get(1), subtract]);
  assert.ok(!sameWebs(websOf(apart), websOf(together), 1));
  assert.ok(sameWebs(websOf(apart), websOf(exchanged), 1));
});

test('a renamed function computes what it did', async () => {
  // The parameters count down in a loop that leaves through a table of branches; locals are shared by values one after another.
  const code = [
    0x02, VOID, 0x03, VOID,
    get(0), get(1), multiply, set(4), get(4), constant(3), add, set(3), get(2), get(3), add, set(2),
    get(0), constant(1), subtract, set(0),
    get(0), 0x0e, 1, 1, 0, end, end,
    get(2), set(4), constant(7), set(3), get(4), get(3), subtract,
  ];
  const module = moduleOf(2, 3, code);
  const renamed = renameLocals(module);
  assert.ok(!renamed.equals(module), 'the local that is used least comes last'); // else nothing is renamed here
  const run = async (bytes, ...values) => (await WebAssembly.instantiate(bytes)).instance.exports.f(...values);
  assert.equal(await run(module, 4, 10), 100 + 12 - 7);
  const { choice, module: found, size } = await search(module, 0.5);
  assert.deepEqual(found, compacted(module, choice), 'what was found is made again from what was chosen');
  assert.ok(size <= brotliCompressSync(compacted(module)).length);
  for (const values of [[1, 1], [4, 10], [9, -3]])
    for (const other of [renamed, found]) assert.equal(await run(other, ...values), await run(module, ...values));
});

test('modules as they are built are read and written again byte by byte', () => {
  for (const name of ['webhlo', 'webhlo-threads', 'webhlo-origins']) {
    const bytes = readFileSync(new URL(`../../dist/${name}.wasm`, import.meta.url));
    const { sections, bodies } = readModule(bytes);
    assert.ok(bodies.length > 1000);
    assert.ok(writeModule(bytes, sections, bodies.map((body) => writeBody(body, body.types, body.code))).equals(bytes), name);
    assert.ok(reordered(bytes, bodies.map((_, place) => place)).equals(bytes), name);
  }
});

test('loads and stores promise plain alignments: those of vectors none, those of i64 a word at most, others what they did', () => {
  const code = (vector, lane, long) => [
    get(0), get(0), 0xfd, 0, vector, 0, 0xfd, 11, vector, 0, // v128.load, v128.store
    get(0), get(0), 0x29, long, 0, 0x37, 1, 0, // i64.load, i64.store
    get(0), get(0), 0xfd, 0, 0, 8, 0xfd, 85, lane, 8, 3, 0x1a, // v128.load16_lane
    get(0), 0x28, 2, 8, get(0), 0xfe, 0x10, 2, 8, add, // i32.load, i32.atomic.load
  ];
  assert.deepEqual([...plainAlignments(moduleOf(1, 0, code(4, 1, 3)))], [...moduleOf(1, 0, code(0, 0, 2))]);
});

test('functions in another order call, start and offer what they did', async () => {
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  const name = (text) => [text.length, ...Buffer.from(text)];
  const body = (...code) => [code.flat().length + 2, 0, ...code.flat(), end];
  const call = (index) => [0x10, index];
  const module = Buffer.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 2, 0x60, 1, I32, 1, I32, 0x60, 0, 0), // i32 -> i32, nothing
    ...section(2, 4, ...name('m'), ...name('twice'), 0, 0, ...name('m'), ...name('table'), 1, 0x70, 0, 8, ...name('m'), ...name('memory'), 2, 1, 1, 1, ...name('m'), ...name('number'), 3, I32, 0),
    ...section(3, 3, 0, 1, 0), // 1: f, 2: the start, 3: g
    ...section(6, 1, I32, 1, 0x41, 0, end),
    ...section(7, 3, ...name('f'), 0, 1, ...name('g'), 0, 3, ...name('count'), 3, 1),
    ...section(8, 2),
    ...section(9, 1, 0, 0x23, 0, end, 3, 3, 0, 1),
    ...section(10, 3, ...body(get(0), call(3), call(0)), ...body(0x23, 1, constant(1), add, 0x24, 1), ...body(get(0), constant(5), add)),
  ]);
  const run = async (bytes) => {
    const [table, memory] = [new WebAssembly.Table({ element: 'anyfunc', initial: 8 }), new WebAssembly.Memory({ initial: 1, maximum: 1 })];
    const { f, g, count } = (await WebAssembly.instantiate(bytes, { m: { twice: (x) => 2 * x, table, memory, number: 2 } })).instance.exports;
    return [f(1), g(1), count.value, ...[2, 3, 4].map((place) => table.get(place)(10))];
  };
  assert.deepEqual(await run(module), [12, 6, 1, 15, 20, 30]);
  for (const order of [[2, 0, 1], [1, 2, 0], [2, 1, 0]]) {
    const other = reordered(module, order);
    assert.ok(!other.equals(module));
    assert.deepEqual(await run(other), await run(module), `${order}`);
  }
  assert.deepEqual(await run(compacted(module, { rounds: 3, orders: [{}, { sameType: 9 }] })), await run(module));
  assert.deepEqual([...moveFunctions(module, [[0, 1, 2], [1, 1, 0]])], [...reordered(module, [2, 1, 0])]);
});

test('functions that are alike become neighbours', () => {
  const alike = (/** @type {number} */ seed) => (/** @type {number} */ n) => Uint8Array.from({ length: 40 }, (_, at) => (at === 20 ? n : (at * seed) % 251));
  const [one, other] = [alike(7), alike(11)];
  assert.deepEqual(similarOrder([one(1), other(1), one(2), other(2), one(3)], [0, 1, 0, 1, 0]), [0, 2, 4, 1, 3]);
  assert.deepEqual(similarOrder([3, 7, 11, 13].map((seed) => alike(seed)(1)), [4, 5, 4, 5]), [0, 2, 1, 3], 'those of one type, where nothing else is shared');
});
