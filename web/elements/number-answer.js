// What <hlo-number> shows, asked of the runtime.
import { around, convertAll, differences, distanceOf, fieldsOf, numberOf, numberTypes, sumsOf, textOf, typeOf, valuesOf } from './number-model.js';
import { typeset } from './op-formula.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {{ view?: string, type: string, value: string, code?: string | null, other?: string | null, tolerance?: number }} Asked the element's attributes */
/** @typedef {import('./number-model.js').Fields} Fields */
/** @typedef {import('./number-model.js').Stored} Stored */
/** @typedef {ReturnType<typeof around>} Neighbourhood */
/**
 * @typedef {object} Bits
 * @property {'bits'} view
 * @property {import('./number-model.js').TypeRow} row
 * @property {bigint} code
 * @property {string} text
 * @property {Fields | undefined} fields of a float
 * @property {Neighbourhood} near
 * @property {string} below gap to the number below; '' where there is none
 * @property {string} above
 * @property {string} formula
 * @property {string} error
 */
/** @typedef {{ view: 'ulps', stored: Stored[], steps: bigint, apart: string, low: string, high: string }} Ulps */
/** @typedef {Bits | { view: 'types', rows: Stored[] } | ({ view: 'sum' } & Awaited<ReturnType<typeof sumsOf>>) | Ulps} Answer */


const VIEWS = ['bits', 'types', 'sum', 'ulps'];
const REACH = 6;
const MOST_TERMS = 32;
export const MOST_STEPS = 1000;

export const hex = (/** @type {bigint} */ code, /** @type {number} */ bits) => `0x${code.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
/** A difference, to six digits: the last ones of a double are noise. @param {string} text */
export const short = (text) => typeset(String(Number(numberOf(text).toPrecision(6)))).replace('Infinity', '∞').replace('NaN', 'nan');
const terms = (/** @type {string} */ text) => text.split(/[\s;]+/).filter(Boolean);

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Answer>} */
export async function numberAnswer(hlo, asked) {
  const { view = 'bits' } = asked;
  if (view === 'bits') return bitsOf(hlo, asked);
  if (view === 'types') return typesOf(hlo, asked);
  if (view === 'sum') return sumOf(hlo, asked);
  if (view === 'ulps') return ulpsOf(hlo, asked);
  throw new RangeError(`hlo-number: view is one of ${VIEWS.join(', ')}, got "${view}"`);
}

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Bits>} */
async function bitsOf(hlo, { type, value, code: given }) {
  const row = typeOf(hlo, type);
  const [converted] = given ? [undefined] : await convertAll(hlo, value, [type]);
  const code = converted?.code ?? BigInt.asUintN(row.bits, BigInt(given ?? 0));
  const text = textOf(valuesOf(hlo, row, [code])[0]);
  const fields = row.class === 'float' ? await fieldsOf(hlo, type) : undefined;
  const ordered = row.class !== 'complex' && row.class !== 'pred';
  const near = ordered ? around(hlo, type, code, REACH, fields?.sign ?? 0) : [];
  const own = near.findIndex(({ steps }) => steps === 0);
  const finite = (/** @type {string | undefined} */ of) => of !== undefined && !/inf|nan/.test(of) && !/inf|nan/.test(text);
  // -0 and 0 are one number with two codes: the gap is that to the next other number.
  const [down, up] = [near.slice(0, Math.max(own, 0)).findLast((one) => numberOf(one.text) !== numberOf(text)), near.slice(own + 1).find((one) => numberOf(one.text) !== numberOf(text))];
  const [below, above] = await Promise.all(
    [[text, down?.text], [up?.text, text]].map(async ([high, low]) => (finite(high) && finite(low) ? (await differences(hlo, [[numberOf(high ?? ''), numberOf(low ?? '')]]))[0] : '')),
  );
  return { view: 'bits', row, code, text, fields, near, below, above, formula: fields ? formulaOf(hlo, row, code, text, fields) : '', error: converted?.error ?? '' };
}

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Answer>} */
async function typesOf(hlo, { value }) {
  return { view: 'types', rows: await convertAll(hlo, value, numberTypes(hlo).map(({ name }) => name)) };
}

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Answer>} */
async function sumOf(hlo, { type, value }) {
  const given = terms(value);
  if (given.length < 2 || given.length > MOST_TERMS) throw new RangeError(`2 to ${MOST_TERMS} numbers between blanks, got ${given.length}`);
  return { view: 'sum', ...(await sumsOf(hlo, type, given)) };
}

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Ulps>} */
async function ulpsOf(hlo, { type, value, other, tolerance = 1 }) {
  if (!(Number.isInteger(tolerance) && tolerance >= 0 && tolerance <= MOST_STEPS)) throw new RangeError(`a tolerance is a whole number from 0 to ${MOST_STEPS}, got ${tolerance}`);
  const steps = await distanceOf(hlo, type, value, other ?? value);
  const stored = [value, other ?? value].map((text) => convertAll(hlo, text, [type]));
  const [[a], [b]] = await Promise.all(stored);
  const sign = typeOf(hlo, type).class === 'float' ? (await fieldsOf(hlo, type)).sign : 0;
  const near = around(hlo, type, a.code, tolerance, sign);
  const [apart] = await differences(hlo, [[numberOf(b.text), numberOf(a.text)]]);
  return { view: 'ulps', stored: [a, b], steps, apart, low: near[0].text, high: near[near.length - 1].text };
}

/** @param {Bits['row']} row @param {Fields | undefined} fields @returns {{ name: string, count: number }[]} from the highest bit down */
export function groupsOf({ bits, class: kind }, fields) {
  const groups = fields
    ? [{ name: 'sign', count: fields.sign }, { name: 'exponent', count: fields.exponent }, { name: 'mantissa', count: fields.mantissa }]
    : kind === 'complex' ? [{ name: 'imaginary part', count: bits / 2 }, { name: 'real part', count: bits / 2 }]
    : kind === 'signed' ? [{ name: 'sign', count: 1 }, { name: 'value', count: bits - 1 }] : [{ name: 'value', count: bits }];
  return groups.filter(({ count }) => count > 0);
}

/** A float as a product of its fields. @param {Runtime} hlo @param {Bits['row']} row @param {bigint} code @param {string} text @param {Fields} fields */
function formulaOf(hlo, row, code, text, { sign, exponent, mantissa }) {
  if (/inf|nan/.test(text)) return '';
  const magnitude = sign ? BigInt.asUintN(row.bits - 1, code) : code;
  const minus = magnitude === code ? '' : '-';
  const part = BigInt.asUintN(mantissa, magnitude);
  const isSubnormal = mantissa > 0 && exponent > 0 && magnitude >> BigInt(mantissa) === 0n;
  const [unit] = valuesOf(hlo, row, [isSubnormal ? 1n : magnitude - part]);
  const value = textOf(unit);
  if (isSubnormal) return `${minus}${part} × ${value}`;
  return part ? `${minus}${value} × (1 + ${part}/${2n ** BigInt(mantissa)})` : `${minus}${value} × 1`;
}

/** The bits that a type's name tells. @param {string} type */
export function bitsIn(type) {
  return Number(/\d+/.exec(type)?.[0] ?? 1);
}

/** Where the numbers around one stand on a ruler, from 0 to 100, and the one with its neighbours. @param {Neighbourhood} near */
export function rulerOf(near) {
  const finite = near.filter(({ text }) => !/inf/.test(text));
  const values = finite.map(({ text }) => numberOf(text));
  const [low, high] = [values[0], values[values.length - 1]];
  const place = (/** @type {number} */ value) => (high / 2 === low / 2 ? 50 : 2 + 96 * ((value / 2 - low / 2) / (high / 2 - low / 2)));
  const own = near.findIndex(({ steps }) => steps === 0);
  const [down, self, up] = [near[own - 1], near[own], near[own + 1]];
  return { places: finite.map(({ steps }, i) => ({ steps, percent: place(values[i]) })), down, self, up };
}
