// The picture of a layout as SVG: its numbers are the runtime's, its text is well-formed, its colours are those of the elements.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { layoutSvg } from '../../js/pictures/layout-svg.js';
import { COLOURS, ownPalette } from '../../js/pictures/palettes.js';
import { mustBeWellFormed } from './well-formed.js';

const hlo = await load();
const palette = ownPalette('light');

/** The words in each group of marks: the array's picture, memory's. @param {string} svg */
const wordsOf = (svg) => [...svg.matchAll(/<g transform[^>]*>(.*?)<\/g>/gs)].map(([, marks]) => [...marks.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, word]) => word));

test('cells show the offsets and indices that the runtime gives', () => {
  for (const text of ['f32[3,5]{1,0:T(2,2)}', 'f32[4,6]{0,1}', 's4[2,7]{1,0:T(2,4)E(4)}', 'f32[2,2,3]{0,2,1}']) {
    const shape = hlo.shape(text);
    const svg = layoutSvg(shape, { palette, at: shape.dimensions.map(() => 0).join() });
    mustBeWellFormed(svg);
    const [array, memory] = wordsOf(svg);
    const offsets = shape.offsets();
    for (const offset of offsets) assert.ok(array.includes(String(offset)), `${text}: offset ${offset} of the array`);
    for (const offset of offsets) assert.ok(memory.includes(shape.multiIndex(offset).join()), `${text}: what lies at ${offset}`);
  }
});

test('the cell that is marked is the one that was asked for', () => {
  const shape = hlo.shape('f32[3,5]{1,0:T(2,2)}');
  assert.match(layoutSvg(shape, { palette, at: '2,3' }), /<title>f32\[3,5\]\{1,0:T\(2,2\)\}: element \(2,3\) lies at offset 17<\/title>/);
  assert.match(layoutSvg(shape, { palette, at: '@7' }), /<title>.*element \(1,3\) lies at offset 7/);
  assert.throws(() => layoutSvg(shape, { palette, at: '3,0' }), { code: 'ARGUMENT', message: "the cell to mark is an index of f32[3,5]{1,0:T(2,2)} such as '0,0', or a place in memory such as '@0'; got '3,0'" });
  assert.throws(() => layoutSvg(hlo.shape('f32[1000,1000]'), { palette }), { code: 'LIMIT', message: 'f32[1000,1000] takes 1000000 places; an SVG has room for 16384' });
});

test('the mark at the upper edge covers no number in part', () => {
  let near = 0;
  for (const [text, at] of [['f32[16,24]', '15,23'], ['f32[2,2,3,4,5]', '1,1,2,3,4'], ['f32[16,24]', '3,1'], ['f32[30,40]{0,1}', '20,21'], ['f32[9,120]', '4,100']]) {
    const svg = layoutSvg(hlo.shape(text), { palette, at });
    for (const [, marks] of svg.matchAll(/<g transform[^>]*>(.*?)<\/g>/gs)) {
      const shapes = [...marks.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*font-weight="700"[^>]*>([^<]*)<|<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<|<rect x="([\d.]+)" y="2" width="([\d.]+)" height="19"/g)];
      const mark = shapes.filter(([, x, y]) => x !== undefined && Number(y) < 20).map(([, x, , word]) => ({ x: Number(x), half: Math.max(20, word.length * 7.2 + 8) / 2 })).at(-1);
      const gone = shapes.filter((shape) => shape[7] !== undefined).map((shape) => ({ from: Number(shape[7]), to: Number(shape[7]) + Number(shape[8]) }));
      const numbers = shapes.filter((shape) => shape[4] !== undefined && Number(shape[5]) === 12).map((shape) => ({ word: shape[6], from: Number(shape[4]) - shape[6].length * 3.3, to: Number(shape[4]) + shape[6].length * 3.3 }));
      if (!mark) continue;
      assert.ok(numbers.length > 2, `${text}: numbers along the edge`);
      for (const { word, from, to } of numbers) {
        const whole = gone.some((rect) => rect.from <= from && rect.to >= to);
        const covered = from < mark.x + mark.half && to > mark.x - mark.half;
        const cut = gone.some((rect) => rect.from < to && rect.to > from) && !whole;
        if (covered) near++;
        assert.ok(whole || (!covered && !cut), `${text} at ${at}: ${word} is cut`);
      }
    }
  }
  assert.ok(near > 5, `${near} numbers stood where a mark is`);
});

test('values are written as text, whatever they hold', () => {
  const svg = layoutSvg(hlo.shape('f32[2]'), { palette, values: ['<b>', '"&"'], labels: ['value'] });
  mustBeWellFormed(svg);
  assert.match(svg, /&lt;b&gt;.*&quot;&amp;&quot;/s);
});

test('a picture of every size and kind is well-formed', () => {
  for (const text of ['f32[]', 'f32[1]', 'pred[100]', 'f32[128,64]{1,0:T(8,16)}', 'bf16[16,128]{1,0:T(8,128)(2,1)}', 'f32[2,3,2,5,4]', 'f32[4]{0:T(4,4)}'])
    for (const view of /** @type {const} */ (['both', 'array', 'memory']))
      for (const scheme of /** @type {const} */ (['light', 'dark'])) mustBeWellFormed(layoutSvg(hlo.shape(text), { palette: ownPalette(scheme), view, labels: ['index', 'value', 'byte', 'line'] }));
});

test('the colours are those that the elements have in a page', async () => {
  const css = (await Promise.all(['hlo-element', 'layout-styles'].map((name) => readFile(new URL(`../../web/elements/${name}.js`, import.meta.url), 'utf8')))).join();
  for (const [name, [light, dark]] of Object.entries(COLOURS)) assert.ok(css.includes(`--${name}: var(--hlo-${name}, light-dark(${light}, ${dark}))`), name);
});
