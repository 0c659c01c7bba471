// <hlo-number>: what it shows of every element type is what the runtime in Node converts, and what the formats' definitions say.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { inBrowsers, seriousProblems } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo.wasm`) });
const TYPES = hlo.types.filter(({ bits }) => bits > 0);

/** Exponent and mantissa bits, bias: of the formats as they are defined. @type {Record<string, [number, number, number]>} */
const FORMATS = {
  f4e2m1fn: [2, 1, 1], f6e2m3fn: [2, 3, 1], f6e3m2fn: [3, 2, 3], f8e3m4: [3, 4, 3], f8e4m3: [4, 3, 7], f8e4m3fn: [4, 3, 7], f8e4m3b11fnuz: [4, 3, 11], f8e4m3fnuz: [4, 3, 8],
  f8e5m2: [5, 2, 15], f8e5m2fnuz: [5, 2, 16], f8e8m0fnu: [8, 0, 127], bf16: [8, 7, 127], f16: [5, 10, 15], f32: [8, 23, 127], f64: [11, 52, 1023],
};

/** What is shown. @param {import('puppeteer-core').Page} page @param {Record<string, string | null>} [attributes] to set before */
const shown = (page, attributes = {}) =>
  page.$eval(
    'hlo-number',
    async (element, attributes) => {
      for (const [name, value] of Object.entries(attributes)) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
      await element.updateComplete;
      const { shadowRoot: root } = element;
      const own = (node) => [...node.childNodes].map((child) => (child.nodeType === 3 ? child.textContent : '')).join('');
      const text = (selector) => root.querySelector(selector)?.textContent.replaceAll('−', '-').replace(/\s+/g, ' ').trim();
      const rows = [...root.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => (cell.querySelector('b')?.textContent ?? own(cell)).replaceAll('−', '-').replace('∞', 'inf').trim()));
      return {
        bits: [...root.querySelectorAll('.bit')].map((bit) => bit.textContent).join(''),
        groups: [...root.querySelectorAll('.group')].map((group) => [group.getAttribute('aria-label'), group.querySelectorAll('.bit').length]),
        code: text('.reads code'), value: text('.reads strong')?.replace('∞', 'inf'), reads: text('.reads'),
        near: [...root.querySelectorAll('dd')].map((dd) => (dd.querySelector('strong')?.textContent ?? own(dd)).replaceAll('−', '-').replace('∞', 'inf').trim()),
        rows, answer: text('.answer'), message: text('[part=message]'),
      };
    },
    attributes,
  );

/** @param {unknown} value @returns {string} */
const textOf = (value) => (Array.isArray(value) ? `(${value.map(textOf).join(', ')})` : typeof value === 'number' ? (Number.isNaN(value) ? 'nan' : Object.is(value, -0) ? '-0' : String(value).replace('Infinity', 'inf')) : String(value));

/** @param {string} type @param {number} value */
async function convert(type, value) {
  const b = hlo.builder('one');
  const executable = await hlo.compile(b.build(b.convert(b.parameter(0, 'f64[]'), /** @type {any} */ (type))));
  const out = executable.run([value]);
  const bytes = new Uint8Array(out.toTypedArray().buffer);
  const bits = TYPES.find(({ name }) => name === type)?.bits ?? 0;
  return { text: textOf(out.toArray()), code: BigInt.asUintN(bits, bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n)) };
}

inBrowsers('a number in every type is what the runtime converts', async ({ page, show }) => {
  await show('<hlo-number view="types" value="0.7"></hlo-number>');
  for (const value of ['0.7', '-3.6', '300', '1e-6', 'inf', 'nan', '-0', '65520']) {
    const { rows } = await shown(page, { value });
    assert.deepEqual(rows.map(([type]) => type), TYPES.map(({ name }) => name));
    for (const [type, text, off, code] of rows) {
      const right = await convert(type, Number(value.replace('inf', 'Infinity')));
      assert.deepEqual({ type, text, code: BigInt(code) }, { type, ...right });
      if (!type.startsWith('c') && Number.isFinite(Number(text)) && type !== 'pred')
        assert.ok(off === 'nothing' ? Number(text) === Number(value) : value === 'nan' || value === 'inf' || Math.abs(Number(off) - (Number(text) - Number(value))) <= 1e-5 * Math.abs(Number(off)), `${type} of ${value}: off by ${off}`);
    }
  }
});

inBrowsers('every code of the small floats, and many of the large, reads as the format says', async ({ page, show }) => {
  await show('<hlo-number type="bf16" value="1"></hlo-number>');
  for (const [type, [exponent, mantissa, bias]] of Object.entries(FORMATS)) {
    const { bits } = /** @type {{ bits: number }} */ (TYPES.find(({ name }) => name === type));
    const sign = type === 'f8e8m0fnu' ? 0 : 1;
    const count = bits <= 6 ? 2 ** bits : 24;
    for (let i = 0; i < count; i++) {
      const code = bits <= 6 ? BigInt(i) : BigInt.asUintN(bits, BigInt(i) * 0x9e3779b97f4a7c15n);
      const read = await shown(page, { type, code: `0x${code.toString(16)}` });
      assert.equal(read.bits, code.toString(2).padStart(bits, '0'));
      assert.deepEqual(read.groups, [['sign', sign], ['exponent', exponent], ['mantissa', mantissa]].filter(([, size]) => size));
      if (/nan|inf/.test(read.value)) continue;
      const part = Number(BigInt.asUintN(mantissa, code)) / 2 ** mantissa;
      const power = Number(BigInt.asUintN(exponent, code >> BigInt(mantissa)));
      const magnitude = power === 0 && mantissa > 0 ? part * 2 ** (1 - bias) : (1 + part) * 2 ** (power - bias);
      assert.equal(Number(read.value), sign && code >> BigInt(bits - 1) ? -magnitude : magnitude, `${type} ${read.code}`);
      // The product of the fields is the value, too.
      const [, product] = / is (.*) = /.exec(read.reads) ?? [];
      const [, minus, a, b] = /^(-?)([\d.e+-]+) × (.*)$/.exec(product) ?? [];
      const [, over, under] = /\(1 \+ (\d+)\/(\d+)\)/.exec(b) ?? [];
      assert.equal((minus ? -1 : 1) * Number(a) * (over ? 1 + Number(over) / Number(under) : Number(b)), Number(read.value), read.reads);
    }
  }
}, { only: 'Chromium' });

inBrowsers('neighbours: nothing of the type lies between, and the last have infinity or nothing above', async ({ page, show }) => {
  await show('<hlo-number></hlo-number>');
  for (const type of ['f4e2m1fn', 'f6e3m2fn', 'f8e4m3fn', 'f8e4m3fnuz', 'f8e5m2', 'f8e8m0fnu', 's4', 'u4', 's8']) {
    const { bits } = /** @type {{ bits: number }} */ (TYPES.find(({ name }) => name === type));
    // Every value that the type has, from its codes.
    const codes = Uint8Array.from({ length: 2 ** bits }, (_, i) => i);
    const stored = type.startsWith('s') ? Int8Array.from(codes, (code) => (code << (32 - bits)) >> (32 - bits)) : codes;
    const values = [...new Set(/** @type {number[]} */ (hlo.tensor(stored, `${type}[${codes.length}]`).toArray()).filter((value) => !Number.isNaN(value)).map((value) => value + 0))].sort((a, b) => a - b);
    for (const value of values.filter((_, i) => i % 3 === 0 || i > values.length - 3)) {
      if (!Number.isFinite(value)) continue;
      const { near } = await shown(page, { type, code: null, value: String(value) });
      const at = values.indexOf(value);
      const next = (/** @type {number} */ to) => (values[to] === undefined ? 'nothing' : textOf(values[to]));
      const found = near.map((text) => (text === '-0' ? '0' : text));
      if (value === 0 && near.includes('-0')) continue; // two codes of one number stand side by side
      assert.deepEqual(found, [next(at - 1), textOf(value), next(at + 1)], `${type} ${value}`);
    }
  }
  const { near } = await shown(page, { type: 'f32', value: '1' });
  assert.deepEqual(near.map(Number), [Math.fround(1 - 2 ** -24), 1, Math.fround(1 + 2 ** -23)]);
}, { only: 'Chromium' });

inBrowsers('a bit is flipped by click and by key, and stands in the attribute; typing takes its place', async ({ page, show }) => {
  await show('<hlo-number type="bf16" value="1"></hlo-number>');
  await page.evaluate(() => {
    globalThis.told = [];
    document.addEventListener('hlo-change', ({ detail }) => globalThis.told.push(detail));
  });
  await page.$eval('hlo-number', ({ shadowRoot }) => shadowRoot.querySelector('[data-bit="15"]').click());
  assert.equal((await shown(page)).value, '-1');
  await page.$eval('hlo-number', ({ shadowRoot }) => shadowRoot.querySelector('[data-bit="6"]').focus());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.told.length === 2);
  assert.deepEqual(await page.evaluate(() => globalThis.told), [{ type: 'bf16', value: '1', code: '0xbf80' }, { type: 'bf16', value: '1', code: '0xbfc0' }]);
  assert.equal((await shown(page)).value, '-1.5');
  const typed = await page.$eval('hlo-number', async (element) => {
    const input = element.shadowRoot.getElementById('value');
    const before = input.value;
    input.value = '3';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await element.updateComplete;
    return [before, element.getAttribute('code')];
  });
  assert.deepEqual(typed, ['-1.5', null]);
  assert.equal((await shown(page)).value, '3');
  assert.match((await shown(page, { value: '3x' })).message, /a number such as 0\.7.*"3x"/);
});

inBrowsers('sums in four orders round to the type at each step', async ({ page, show }) => {
  await show('<hlo-number view="sum" type="bf16" value="256 1 1 1 1"></hlo-number>');
  const { rows } = await shown(page);
  assert.deepEqual(rows.map(([, , total]) => total), ['256', '260', '260', '260', '260']);
  // f32 by Math.fround, one addition after the other.
  const terms = [0.1, 1e7, -1e7, 3.3, 1e-3];
  const sum = (/** @type {number[]} */ list) => list.map(Math.fround).reduce((a, b) => Math.fround(a + b));
  const pairs = (/** @type {number[]} */ list) => (list.length === 1 ? list[0] : pairs(list.flatMap((a, i) => (i % 2 ? [] : i + 1 < list.length ? [Math.fround(a + list[i + 1])] : [a]))));
  const read = await shown(page, { type: 'f32', value: terms.join(' ') });
  assert.deepEqual(read.rows.map(([, , total]) => Number(total)).slice(0, 4), [
    sum(terms), sum([...terms].reverse()), sum([...terms].sort((a, b) => Math.abs(a) - Math.abs(b))), pairs(terms.map(Math.fround)),
  ]);
  assert.equal(Number(read.rows[4][2]), terms.map(Math.fround).reduce((a, b) => a + b));
});

inBrowsers('ulps are the steps between two numbers, on both sides of zero', async ({ page, show }) => {
  await show('<hlo-number view="ulps" type="f32" value="1" other="1.000001" tolerance="4"></hlo-number>');
  assert.match((await shown(page)).answer, /8 ulps apart, which is 9\.53674e-7\. 4 ulps around the first reach from 0\.9999997615814209 to 1\.0000004768371582: the second is outside/);
  const bits = new Uint32Array(1);
  const floats = new Float32Array(bits.buffer);
  const rank = (/** @type {number} */ value) => ((floats[0] = value), bits[0] >= 2 ** 31 ? 2 ** 31 - bits[0] : bits[0]);
  for (const [a, b] of [[0.5, 0.75], [-1e-45, 1e-45], [3, -3], [7, 7]])
    assert.match((await shown(page, { value: String(a), other: String(b) })).answer, new RegExp(`: ${Math.abs(rank(a) - rank(b))} ulps? apart`));
  assert.match((await shown(page, { type: 'bf16', value: '1', other: '1.000001' })).answer, /0 ulps apart.*within/);
});

inBrowsers('what is no type is told, and axe-core finds nothing serious in any view', async ({ page, show }) => {
  await show('<main><h1>Numbers</h1><hlo-number></hlo-number><hlo-number view="types"></hlo-number><hlo-number view="sum" value="1 2"></hlo-number><hlo-number view="ulps" compact></hlo-number></main>');
  assert.deepEqual(await seriousProblems(page), []);
  assert.match((await shown(page, { type: 'bf17' })).message, /no element type "bf17"/);
});
