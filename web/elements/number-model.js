// Numbers of an element type: their bits, their neighbours, what is rounded to what. All of it is asked of the runtime: a conversion runs, and
// the memory of its result is read.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {Runtime['types'][number]} TypeRow */
/**
 * @typedef {object} Stored a number as a type has it
 * @property {string} type
 * @property {string} text the value; a complex one as (re, im)
 * @property {bigint} code its bits
 * @property {string} error what it is more than the number that was asked for; '' where it is that number
 */
/**
 * How the bits of a float are shared out, found by asking for the codes of 1, 2 and -1.
 * @typedef {object} Fields
 * @property {number} sign bits: 1, or 0
 * @property {number} exponent
 * @property {number} mantissa
 */

/** @param {Runtime} hlo @returns {TypeRow[]} the types that arrays have */
export function numberTypes(hlo) {
  return hlo.types.filter(({ bits }) => bits > 0);
}

/** @param {Runtime} hlo @param {string} type @returns {TypeRow} */
export function typeOf(hlo, type) {
  const row = numberTypes(hlo).find(({ name }) => name === type);
  if (!row) throw new RangeError(`there is no element type ${JSON.stringify(type)}: the types are ${numberTypes(hlo).map(({ name }) => name).join(', ')}`);
  return row;
}

/** A number as a reader typed it. @param {string} text */
export function numberOf(text) {
  const plain = text.trim().replace(/[−–]/g, '-').replace(/^([+-]?)(inf(inity)?|∞)$/i, '$1Infinity');
  const value = /^[+-]?nan$/i.test(plain) ? NaN : Number(plain);
  if (plain === '' || (Number.isNaN(value) && !/nan/i.test(plain))) throw new RangeError(`a number such as 0.7, -1e3, inf or nan, got ${JSON.stringify(text)}`);
  return value;
}

/** @param {unknown} value as a Tensor gives it @returns {string} */
export function textOf(value) {
  if (Array.isArray(value)) return `(${value.map(textOf).join(', ')})`;
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

// ---- Codes ----

/** The bits of a scalar, from the bytes of its memory. @param {Tensor} tensor @param {number} bits */
function codeOf(tensor, bits) {
  const { buffer, byteOffset, byteLength } = tensor.toTypedArray();
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const code = bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);
  return BigInt.asUintN(bits, code);
}

/** Values of codes, as the runtime reads them. @param {Runtime} hlo @param {TypeRow} row @param {readonly bigint[]} codes @returns {unknown[]} */
export function valuesOf(hlo, { name, bits, bytes, class: kind }, codes) {
  const memory = new Uint8Array(codes.length * bytes);
  codes.forEach((code, i) => {
    // A narrow integer takes a whole byte, with its sign.
    const stored = kind === 'signed' ? BigInt.asIntN(bits, code) : code;
    for (let byte = 0; byte < bytes; byte++) memory[i * bytes + byte] = Number(BigInt.asUintN(8, stored >> BigInt(8 * byte)));
  });
  const zeros = hlo.tensor(new (/** @type {any} */ (arrayOf(hlo, name)))(memory.buffer), `${name}[${codes.length}]`);
  const values = /** @type {unknown[]} */ (zeros.toArray());
  zeros.dispose();
  return values;
}

/** The typed array that holds a type. @param {Runtime} hlo @param {string} type */
function arrayOf(hlo, type) {
  const zero = hlo.parseLiteral(`${type}[] ${type === 'pred' ? 'false' : type.startsWith('c') ? '(0,0)' : type === 'f8e8m0fnu' ? '1' : '0'}`);
  const { constructor } = /** @type {Tensor} */ (zero).toTypedArray();
  /** @type {Tensor} */ (zero).dispose();
  return constructor;
}

// ---- Conversions ----

/** The program that converts a number to types. @param {Runtime} hlo @param {readonly string[]} types */
function conversionProgram(hlo, types) {
  const builder = hlo.builder('conversions');
  const x = builder.parameter(0, 'f64[]', 'x');
  return builder.build(types.map((type) => builder.convert(x, /** @type {any} */ (type))));
}

/** Runs a program of scalars of f64. @param {Runtime} hlo @param {import('../../js/index.js').Computation} program @param {readonly number[]} inputs @returns {Promise<Tensor[]>} */
async function runOf(hlo, program, inputs) {
  const executable = await hlo.compile(program, { reference: true });
  try {
    return /** @type {Tensor[]} */ ([executable.run(/** @type {any} */ (inputs.map((value) => Float64Array.of(value))))].flat());
  } finally {
    executable.dispose();
  }
}

/**
 * A number as types have it.
 * @param {Runtime} hlo
 * @param {string} text
 * @param {readonly string[]} types
 * @returns {Promise<Stored[]>}
 */
export async function convertAll(hlo, text, types) {
  const value = numberOf(text);
  const rows = types.map((type) => typeOf(hlo, type));
  const outputs = await runOf(hlo, conversionProgram(hlo, types), [value]);
  const stored = outputs.map((tensor, i) => ({ type: types[i], text: textOf(tensor.toArray()), code: codeOf(tensor, rows[i].bits) }));
  for (const tensor of outputs) tensor.dispose();
  const errors = await differences(hlo, stored.map(({ text: kept, type }) => [realOf(kept, type), value]));
  return stored.map((number, i) => ({ ...number, error: errors[i] === '0' || errors[i] === '-0' ? '' : errors[i] }));
}

/** @param {string} text as textOf gives it @param {string} type */
function realOf(text, type) {
  if (type === 'pred') return text === 'true' ? 1 : 0;
  return numberOf(type.startsWith('c') ? text.slice(1).split(',')[0] : text);
}

/** Differences, in f64. @param {Runtime} hlo @param {readonly (readonly [number, number])[]} pairs @returns {Promise<string[]>} */
export async function differences(hlo, pairs) {
  if (pairs.length === 0) return [];
  const builder = hlo.builder('differences');
  const [a, b] = [0, 1].map((i) => builder.parameter(i, `f64[${pairs.length}]`));
  const executable = await hlo.compile(builder.build(builder.subtract(a, b)), { reference: true });
  const out = /** @type {Tensor} */ (executable.run([Float64Array.from(pairs, ([left]) => left), Float64Array.from(pairs, ([, right]) => right)]));
  const texts = /** @type {number[]} */ (out.toArray()).map(textOf);
  out.dispose();
  executable.dispose();
  return texts;
}

// ---- Fields and neighbours ----

/** @param {Runtime} hlo @param {string} type a float @returns {Promise<Fields>} */
export async function fieldsOf(hlo, type) {
  const { bits } = typeOf(hlo, type);
  const [[one], [two], [minus]] = await Promise.all(['1', '2', '-1'].map((text) => convertAll(hlo, text, [type])));
  // From 1 to 2 the mantissa counts through all that it can hold.
  const mantissa = (two.code - one.code).toString(2).length - 1;
  const sign = minus.text === '-1' ? 1 : 0;
  return { sign, exponent: bits - sign - mantissa, mantissa };
}

/** Codes in the order of their numbers, from the lowest: sign and magnitude, or two's complement. @param {TypeRow} row @param {bigint} code @param {number} sign bits */
function rankOf({ bits, class: kind }, code, sign) {
  if (kind === 'signed') return BigInt.asIntN(bits, code);
  const half = 1n << BigInt(bits - 1);
  return kind === 'float' && sign && code >= half ? half - code : code;
}

/** @param {TypeRow} row @param {bigint} rank @param {number} sign @returns {bigint | undefined} undefined beyond the codes there are */
function codeAt({ bits, class: kind }, rank, sign) {
  const half = 1n << BigInt(bits - 1);
  if (kind === 'signed') return rank >= -half && rank < half ? BigInt.asUintN(bits, rank) : undefined;
  if (kind === 'float' && sign) return rank < 0n ? (-rank < half ? half - rank : undefined) : rank < half ? rank : undefined;
  return rank >= 0n && rank < 1n << BigInt(bits) ? rank : undefined;
}

/**
 * The numbers around one, in order, as far as there are any: infinities among them, no NaN.
 * @param {Runtime} hlo
 * @param {string} type
 * @param {bigint} code
 * @param {number} reach how many to either side
 * @param {number} sign bits of the type
 * @returns {{ code: bigint, text: string, steps: number }[]} steps: how far from the code
 */
export function around(hlo, type, code, reach, sign) {
  const row = typeOf(hlo, type);
  const rank = rankOf(row, code, sign);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const known = steps.flatMap((step) => {
    const at = codeAt(row, rank + BigInt(step), sign);
    return at === undefined ? [] : [{ step, code: at }];
  });
  const values = valuesOf(hlo, row, known.map((one) => one.code));
  const numbers = known.map(({ step, code: at }, i) => ({ code: at, text: textOf(values[i]), steps: step }));
  const own = numbers.find(({ steps: step }) => step === 0);
  return own?.text === 'nan' ? [own] : numbers.filter(({ text }) => text !== 'nan');
}

/** How many steps lead from one number of a type to another. @param {Runtime} hlo @param {string} type @param {string} from @param {string} to @returns {Promise<bigint>} */
export async function distanceOf(hlo, type, from, to) {
  const row = typeOf(hlo, type);
  if (row.class === 'complex' || row.class === 'pred') throw new RangeError(`ulps are of integers and floats, got ${type}`);
  const sign = row.class === 'float' ? (await fieldsOf(hlo, type)).sign : 0;
  const [[a], [b]] = [await convertAll(hlo, from, [type]), await convertAll(hlo, to, [type])];
  const nan = [a, b].find(({ text }) => text === 'nan');
  if (nan) throw new RangeError(`${nan === a ? from : to} is NaN in ${type}, which is no number of steps away from anything`);
  const distance = rankOf(row, b.code, sign) - rankOf(row, a.code, sign);
  return distance < 0n ? -distance : distance;
}

// ---- Sums ----

/** @typedef {{ name: string, says: string, partial: string[], total: string }} Sum */

/**
 * The same terms added in several orders, in one type.
 * @param {Runtime} hlo
 * @param {string} type
 * @param {readonly string[]} terms
 * @returns {Promise<{ terms: string[], sums: Sum[], exact: string }>} terms as the type has them; exact: their sum in f64
 */
export async function sumsOf(hlo, type, terms) {
  typeOf(hlo, type);
  const given = terms.map(numberOf);
  const order = given.map((_, i) => i);
  const rising = [...order].sort((a, b) => Math.abs(given[a]) - Math.abs(given[b]));
  const ways = [
    { name: 'as they stand', says: 'from the first to the last', order },
    { name: 'backwards', says: 'from the last to the first', order: [...order].reverse() },
    { name: 'small ones first', says: 'by magnitude', order: rising },
  ];
  const builder = hlo.builder('sums');
  const wide = given.map((_, i) => builder.parameter(i, 'f64[]', `x${i}`));
  const narrow = wide.map((x) => builder.convert(x, /** @type {any} */ (type)));
  const back = (/** @type {import('../../js/index.js').Op} */ op) => builder.convert(op, 'f64');
  const chains = ways.map(({ order: places }) => {
    let total = narrow[places[0]];
    return places.slice(1).map((place) => (total = builder.add(total, narrow[place])));
  });
  let level = narrow;
  const tree = [];
  while (level.length > 1) {
    level = level.flatMap((op, i) => (i % 2 ? [] : i + 1 < level.length ? [builder.add(op, level[i + 1])] : [op]));
    tree.push(...level);
  }
  const exact = narrow.map(back).reduce((total, term) => builder.add(total, term));
  const outputs = await runOf(hlo, builder.build([...narrow, ...chains.flat(), ...tree].map(back).concat(exact)), given);
  const texts = outputs.map((tensor) => textOf(tensor.toArray()));
  for (const tensor of outputs) tensor.dispose();
  const stored = texts.splice(0, narrow.length);
  const sums = ways.map(({ name, says, order: places }) => {
    const partial = [stored[places[0]], ...texts.splice(0, places.length - 1)];
    return { name, says, partial, total: partial[partial.length - 1] };
  });
  const pairs = texts.splice(0, tree.length);
  sums.push({ name: 'in pairs', says: 'neighbours first, then their sums', partial: pairs, total: pairs[pairs.length - 1] ?? stored[0] });
  return { terms: stored, sums, exact: texts[0] };
}
