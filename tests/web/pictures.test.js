// The pictures of the elements as SVG documents, made without a page: well-formed, with the numbers that the runtime gives.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { ownPalette } from '../../js/pictures/palettes.js';
import { FIGURES } from '../../web/elements/op-figures.js';
import { EXAMPLES } from '../../web/elements/index-map-examples.js';
import { pictureSvg } from '../../web/elements/pictures.js';
import { PROGRAMS } from '../../web/elements/playground-programs.js';
import { mustBeWellFormed } from './well-formed.js';

const hlo = await load({ origins: true });

/** The picture, and the words in it from the top left on as they were written. @param {string} tag @param {Record<string, unknown>} asked @param {{ scheme?: 'light' | 'dark', width?: number }} [look] */
async function drawn(tag, asked, { scheme = 'light', width = 900 } = {}) {
  const svg = await pictureSvg(hlo, tag, asked, { palette: ownPalette(scheme), width });
  mustBeWellFormed(svg);
  const words = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, word]) => word.replaceAll('\u00a0', ' ').replaceAll('&gt;', '>'));
  return { svg, words, title: /<title>(.*)<\/title>/.exec(svg)?.[1] };
}

/** Whether words stand one behind the other. @param {string[]} words @param {readonly unknown[]} sequence */
function mustHold(words, sequence) {
  const wanted = sequence.map(String);
  const found = words.some((_, i) => wanted.every((word, k) => words[i + k] === word));
  assert.ok(found, `${wanted.join(' ')}\nin ${words.join(' ')}`);
}

/** The cells of a row of indices and rows that begin with theirs. @param {string[]} words @param {unknown[][]} rows */
const mustHoldRows = (words, rows) => mustHold(words, [...rows[0].map((_, c) => c), ...rows.map((_, r) => r), ...rows.flat()]);

/** @param {string} program @param {unknown[]} inputs */
async function run(program, ...inputs) {
  const module = hlo.parse(program);
  const executable = await hlo.compile(module);
  const result = executable.run(inputs);
  const values = result.toArray();
  executable.dispose();
  module.dispose();
  return values;
}

const counting = (rows, columns, from = 1) => Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (__, c) => from + r * columns + c));

test('a broadcast: operands, repetitions and the result', async () => {
  const sums = await run('HloModule m ENTRY e { a = f32[4] parameter(0) b = f32[1,2] parameter(1) c = f32[4,2] broadcast(a), dimensions={0} d = f32[2] reshape(b) e = f32[4,2] broadcast(d), dimensions={1} ROOT f = f32[4,2] add(c, e) }', [1, 2, 3, 4], [[5, 6]]);
  const { words, title, svg } = await drawn('hlo-broadcast', { lhs: 'f32[4]', rhs: 'f32[1,2]', dimensions: '0' });
  assert.equal(title, 'add of f32[4] and f32[1,2] is f32[4,2]');
  mustHoldRows(words, sums);
  mustHoldRows(words, [[1, 1], [2, 2], [3, 3], [4, 4]]);
  assert.match(svg, /stroke-dasharray/);
  const first = await drawn('hlo-broadcast', { lhs: 'f32[4]', rhs: 'f32[1,2]', dimensions: '0', step: 0 });
  assert.ok(!first.words.includes('result') && words.includes('result'));
  await assert.rejects(drawn('hlo-broadcast', { lhs: 'f32[4]', rhs: 'f32[3]' }), /f32\[4\]/);
});

test('an op: its result, and what an element of it is made of', async () => {
  const products = await run('HloModule m ENTRY e { a = f32[2,3] parameter(0) b = f32[3,2] parameter(1) ROOT c = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }', counting(2, 3), counting(3, 2, 7));
  const { words } = await drawn('hlo-op', { name: 'dot', operands: 'f32[2,3]; f32[3,2]', at: '1,0' });
  mustHoldRows(words, products);
  mustHold(words, ['result[1, 0] = ', '4', '·', '7', ' + ', '5', '·', '9', ' + ', '6', '·', '11', ' = ', products[1][0]]);
  const padded = await run('HloModule m ENTRY e { a = f32[2,3] parameter(0) z = f32[] parameter(1) ROOT p = f32[4,4] pad(a, z), padding=1_1x0_1 }', counting(2, 3), 9);
  mustHoldRows((await drawn('hlo-op', { name: 'pad', attrs: 'padding=1_1x0_1', values: '1,2,3,4,5,6; 9' })).words, padded);
  await assert.rejects(drawn('hlo-op', { name: 'reshape', attrs: 'shape=f32[5]' }), { message: /^reshape: .*f32\[5\]/ });
  await assert.rejects(drawn('hlo-op', { name: 'none' }), { message: 'there is no op "none"' });
});

test('every op that has a figure, and every way of index maps, is drawn in both colour schemes and in little room', async () => {
  for (const name of Object.keys(FIGURES)) await drawn('hlo-op', { name }, { scheme: 'dark', width: 340 });
  for (const [op, examples] of Object.entries(EXAMPLES)) for (const preset of Object.keys(examples)) await drawn('hlo-index-map', { op, preset }, { width: 340 });
});

test('a gather: the result, and the way of an element', async () => {
  const program = 'HloModule m ENTRY e { a = f32[4,3] parameter(0) i = s32[3] parameter(1) ROOT g = f32[3,3] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3} }';
  const rows = await run(program, counting(4, 3, 0), [2, 0, 3]);
  const { words } = await drawn('hlo-index-map', { op: 'gather', preset: 'rows', operands: 'f32[4,3]; s32[3]', values: '0,1,2,3,4,5,6,7,8,9,10,11; 2,0,3', at: '2,1' });
  mustHoldRows(words, rows);
  mustHold(words, ['result[2, 1] = ', 'operand[3, 1]', ' = ', rows[2][1]]);
  assert.ok(words.includes('It is operand[3, 1].'));
});

test('a number: its bits, and its neighbours', async () => {
  const code = new Uint32Array(new Float32Array([0.1]).buffer)[0];
  const bits = code.toString(2).padStart(32, '0');
  const { words } = await drawn('hlo-number', { type: 'f32', value: '0.1' });
  assert.equal(words.filter((word) => /^[01]$/.test(word)).join(''), bits);
  assert.ok(words.includes(`0x${code.toString(16)}`));
  const next = new Float32Array(new Uint32Array([code + 1]).buffer)[0];
  assert.ok(words.some((word) => Math.fround(Number(word)) === next), String(next));
  mustHold((await drawn('hlo-number', { view: 'sum', type: 'bf16', value: '256 1 1 1 1' })).words, ['256, 256, 256, 256, 256', '256']);
  mustHold((await drawn('hlo-number', { view: 'types', type: 'f32', value: '0.1' })).words, ['bf16', '0.10009765625', '0.0000976562', '0x3dcd']);
  assert.match((await drawn('hlo-number', { view: 'ulps', type: 'bf16', value: '1', other: '1.0234375' })).title, /are 3 ulps apart/);
});

test('a collective: what each replica has, and from whom', async () => {
  const { words, svg } = await drawn('hlo-collective', { op: 'all-gather', shape: 'f32[2]', devices: 3, step: 2 });
  mustHold(words, ['after', 'replica 0', '0', '1']);
  mustHold(words, [0, 1, 10, 11, 20, 21]);
  assert.equal([...svg.matchAll(/<path d="M[\d. -]+C/g)].length, 6, 'a line for each element that replica 1 receives');
  const ring = await drawn('hlo-collective', { op: 'ring', shape: 'f32[4]', devices: 3, step: 4 });
  for (const sum of [30, 33, 36]) assert.equal(ring.words.filter((word) => word === String(sum)).length, 3, `${sum} in each replica`);
  await assert.rejects(drawn('hlo-collective', { op: 'all-gather', shape: 'f32[2]', devices: 9 }), { message: '1 to 8 replicas are shown, got 9' });
});

test('a graph: every instruction with its shape, open ones with what they call', async () => {
  const program = PROGRAMS.softmax.text;
  const instructions = [.../** @type {string} */ (/ENTRY.*?\{(.*?)\}\s*$/s.exec(program)?.[1]).matchAll(/(?:ROOT )?%?([\w.-]+) = (\w+\[[\d,]*\])\S* ([\w-]+)\(/g)];
  assert.ok(instructions.length > 5);
  const { words, title } = await drawn('hlo-graph', { program });
  assert.equal(title, `Graph of ${instructions.length} instructions`);
  for (const [, name, shape, op] of instructions) mustHold(words, [name === op ? name : `${name} · ${op}`, shape]);
  const closed = await drawn('hlo-graph', { program, optimised: true });
  const open = await drawn('hlo-graph', { program, optimised: true, open: 'fusion' });
  assert.ok(open.words.length > closed.words.length + 5);
  const long = `HloModule m ENTRY e { x0 = f32[] parameter(0) ${Array.from({ length: 2000 }, (_, i) => `x${i + 1} = f32[] negate(x${i})`).join(' ')} ROOT y = f32[] negate(x2000) }`;
  await assert.rejects(drawn('hlo-graph', { program: long }), { message: 'hlo-graph: 2002 instructions are open; an SVG has room for 2000' });
});

test('a grid: its cells, in their kinds', async () => {
  const cells = ['1', { text: '2', kind: 'ghost', tile: 1 }, { text: '<3>', kind: 'pad' }, { text: '4', kind: 'wrong' }];
  const { words, title } = await drawn('hlo-grid', { name: 'x', shape: 'f32[2,2]', dimensions: [2, 2], cells, marks: { lit: [0] } });
  mustHold(words, [0, 1, 0, 1, 1, 2, '&lt;3>', 4]);
  assert.equal(title, 'x f32[2,2]');
  assert.ok((await drawn('hlo-grid', { dimensions: [100, 100], cells: [] })).words.some((word) => /^The first \d+ × \d+ of 100 × 100 elements\.$/.test(word)));
});

test('a layout: as webhlo layout --svg draws it; and what has no picture says so', async () => {
  const { title } = await drawn('hlo-layout', { shape: 'bf16[32,256]{1,0:T(8,128)(2,1)}', at: '13,200' });
  assert.match(title, new RegExp(`lies at offset ${hlo.shape('bf16[32,256]{1,0:T(8,128)(2,1)}').linearIndex([13, 200])}$`));
  await assert.rejects(drawn('hlo-layout', { shape: 'f32[0]' }), { message: 'hlo-layout: f32[0] has no elements in memory, and no picture' });
  await assert.rejects(drawn('hlo-playground', {}), {
    message: 'hlo-playground has no picture of its own: those with one are hlo-broadcast, hlo-collective, hlo-graph, hlo-grid, hlo-index-map, hlo-layout, hlo-number, hlo-op',
  });
});
