// What an example of the documentation is run with: `shown` compares a value with the one that the page tells.
import assert from 'node:assert/strict';

let compared = 0;

/** Values as pages write them: typed arrays are arrays; shapes and the like are their text where a text is told. @param {any} value @param {any} told @returns {any} */
function plain(value, told) {
  if (typeof told === 'string' && typeof value === 'object' && value !== null && !Array.isArray(value)) return String(value);
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value));
  if (Array.isArray(value)) return value.map((item, i) => plain(item, told?.[i]));
  return value;
}

/** Half of the last digit that a number is told to. @param {number} told */
function tolerance(told) {
  const [digits, exponent = '0'] = String(told).split('e');
  const decimals = (digits.split('.')[1]?.length ?? 0) - Number(exponent);
  return Number.isInteger(told) ? 0 : 0.5000001 * 10 ** -decimals;
}

/** @param {any} value @param {any} told @returns {boolean} */
function agrees(value, told) {
  if (typeof told === 'number' && typeof value === 'number') return Object.is(value, told) || Math.abs(value - told) <= tolerance(told);
  if (Array.isArray(told) && Array.isArray(value)) return told.length === value.length && told.every((item, i) => agrees(value[i], item));
  if (told && value && typeof told === 'object' && typeof value === 'object')
    return Object.keys(told).join() === Object.keys(value).join() && Object.keys(told).every((key) => agrees(value[key], told[key]));
  return Object.is(value, told);
}

/** @param {unknown} value @param {unknown} told @param {number} line of the page */
Object.assign(globalThis, {
  shown(/** @type {unknown} */ value, /** @type {unknown} */ told, /** @type {number} */ line) {
    const actual = plain(value, told);
    if (!agrees(actual, told)) assert.deepEqual(actual, told, `line ${line}`);
    compared++;
  },
});
process.on('exit', () => console.log(`compared ${compared}`));
