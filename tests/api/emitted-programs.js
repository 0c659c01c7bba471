// Programs whose loops tests run with and without emission.

/** A source of numbers that are the same in every run. @param {number} seed */
export function randomSource(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    let bits = state ^ (state >>> 15);
    bits = Math.imul(bits, 0x2c1b3c6d);
    bits ^= bits >>> 12;
    bits = Math.imul(bits, 0x297a2d39);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
  return { next, below: (/** @type {number} */ n) => Math.floor(next() * n), pick: (/** @type {readonly any[]} */ list) => list[Math.floor(next() * list.length)] };
}

const floats = ['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum', 'power', 'remainder', 'atan2'];
const floatUnary = [
  'negate', 'abs', 'sqrt', 'floor', 'ceil', 'round-nearest-even', 'round-nearest-afz', 'sign', 'cbrt', 'cosine', 'erf', 'exponential',
  'exponential-minus-one', 'log', 'log-plus-one', 'logistic', 'rsqrt', 'sine', 'tan', 'tanh',
];
const integers = ['add', 'subtract', 'multiply', 'divide', 'remainder', 'maximum', 'minimum', 'and', 'or', 'xor', 'shift-left', 'shift-right-logical', 'shift-right-arithmetic'];
const integerUnary = ['negate', 'not', 'abs', 'sign', 'count-leading-zeros', 'popcnt'];

/** By element type: ops of one and of two operands, and types to convert to. */
export const operations = {
  f32: { unary: floatUnary, binary: floats, converts: ['f64', 's32', 'u32', 'pred', 'f16', 'bf16', 's8', 'u8', 's16', 'u16'] },
  f16: { unary: floatUnary, binary: floats, converts: ['f32', 'bf16', 's8', 's32', 'pred'] },
  bf16: { unary: floatUnary, binary: floats, converts: ['f32', 'f16', 'u8', 's32', 'pred'] },
  f64: { unary: floatUnary, binary: floats, converts: ['f32', 's32'] },
  s32: { unary: integerUnary, binary: integers, converts: ['f32', 'f64', 'u8', 'u32', 's64', 'pred'] },
  u32: { unary: ['not', 'negate', 'count-leading-zeros'], binary: integers, converts: ['f32', 's64', 'u64'] },
  s64: { unary: integerUnary, binary: integers, converts: ['f32', 'f64', 's32', 's8', 'u8', 's16', 'u16'] },
  u64: { unary: ['not', 'negate'], binary: ['add', 'subtract', 'multiply', 'and', 'or', 'xor', 'shift-left', 'shift-right-logical', 'shift-right-arithmetic'], converts: ['u32', 'u8', 'u16'] },
  pred: { unary: ['not'], binary: ['and', 'or', 'xor'], converts: ['f32', 's32', 'u8', 's16', 'u16', 'u32', 's64', 'u64', 'f16', 'bf16', 'f64'] },
  s8: { unary: integerUnary, binary: integers, converts: ['f32', 's32', 'u8', 'bf16', 'pred'] },
  u8: { unary: ['not', 'negate'], binary: integers, converts: ['f32', 's32', 'u16', 'f16'] },
  s16: { unary: integerUnary, binary: integers, converts: ['f32', 's32', 's8', 'u32'] },
  u16: { unary: ['not', 'negate'], binary: integers, converts: ['f32', 's32', 's16', 's64'] },
};

const special = [0, -0, 1, -1, NaN, Infinity, -Infinity, 1e-40, -1e-40, 3e38, -3e38, 0.5, -0.5, 1.5, 2.5, -2.5, 1e9, -3e9, 16777217, 9000, 1e-8];

/** Data of a type, one of its odd values now and then. @param {string} type @param {number} count @param {ReturnType<typeof randomSource>} random */
export function dataOf(type, count, random) {
  const float = () => (random.next() < 0.3 ? random.pick(special) : (random.next() - 0.5) * 8);
  /** Small numbers, powers of two, and any. */
  const small = () => random.pick([() => random.below(80) - 8, () => 1 << random.below(32), () => Math.floor(random.next() * 2 ** 32) - 2 ** 31])();
  const make = {
    f32: () => Float32Array.from({ length: count }, float),
    f64: () => Float64Array.from({ length: count }, float),
    s32: () => Int32Array.from({ length: count }, small),
    u32: () => Uint32Array.from({ length: count }, small),
    s64: () => BigInt64Array.from({ length: count }, () => BigInt(small()) << BigInt(random.pick([0, 0, 32]))),
    u64: () => BigUint64Array.from({ length: count }, () => BigInt.asUintN(64, BigInt(small()) << BigInt(random.pick([0, 0, 32])))),
    pred: () => Uint8Array.from({ length: count }, () => random.below(2)),
    u8: () => Uint8Array.from({ length: count }, () => random.below(256)),
    s8: () => Int8Array.from({ length: count }, () => random.below(256)),
    s16: () => Int16Array.from({ length: count }, () => random.below(random.pick([64, 65536]))),
    u16: () => Uint16Array.from({ length: count }, () => random.below(random.pick([64, 65536]))),
    f16: () => Uint16Array.from({ length: count }, () => (random.next() < 0.3 ? random.below(65536) : 0x3000 + random.below(0x1800) + 0x8000 * random.below(2))),
    bf16: () => Uint16Array.from({ length: count }, () => (random.next() < 0.3 ? random.below(65536) : 0x3e00 + random.below(0x280) + 0x8000 * random.below(2))),
  };
  return make[/** @type {keyof typeof make} */ (type)]();
}

/** Each op with every type, as programs of `count` elements. @param {number} count */
export function* singleOps(count) {
  const program = (/** @type {string[]} */ types, /** @type {string} */ result, /** @type {string} */ op) => {
    // What follows makes a loop of it.
    const [last, next] = [result, `${/f/.test(result) ? 'maximum' : 'xor'}(r, p${types.length})`];
    const all = [...types, result];
    const parameters = all.map((type, i) => `p${i} = ${type}[${count}] parameter(${i})`).join(' ');
    return {
      name: `${op.replace(/\(.*?\)/, '')} of ${types.join(', ')} to ${result}`,
      types: all,
      text: `HloModule m\nENTRY e { ${parameters} r = ${result}[${count}] ${op} n = ${last}[${count}] ${next} ROOT t = (${result}[${count}], ${last}[${count}]) tuple(r, n) }`,
    };
  };
  for (const [type, { unary, binary, converts }] of Object.entries(operations)) {
    for (const op of unary) yield program([type], type, `${op}(p0)`);
    for (const op of binary) yield program([type, type], type, `${op}(p0, p1)`);
    for (const to of converts) yield program([type], to, `convert(p0)`);
    yield program(['pred', type, type], type, 'select(p0, p1, p2)');
    if (/f/.test(type)) yield program([type], 'pred', 'is-finite(p0)');
    if (type !== 'pred') yield program([type, type, type], type, 'clamp(p0, p1, p2)');
    for (const direction of ['EQ', 'NE', 'LT', 'LE', 'GT', 'GE']) yield program([type, type], 'pred', `compare(p0, p1), direction=${direction}`);
  }
}

const reducers = { bf16: ['add', 'maximum'], f16: ['minimum', 'add'], s8: ['add', 'maximum'], f32: ['add', 'multiply', 'maximum', 'minimum'], f64: ['add', 'multiply', 'maximum', 'minimum'], s32: ['add', 'maximum', 'minimum'], u32: ['maximum', 'minimum'], pred: ['and', 'or'] };
const limits = { bf16: ['-inf', 'inf'], f16: ['-inf', 'inf'], s8: ['-128', '127'], f32: ['-inf', 'inf'], f64: ['-inf', 'inf'], s32: ['-2147483648', '2147483647'], u32: ['0', '4294967295'] };

/**
 * A program of several ops over [rows, width], some of whose values are one a row or one a column, reduced, transposed or sliced.
 * @param {ReturnType<typeof randomSource>} random
 */
export function randomProgram(random) {
  const rows = random.pick([1, 2, 3, 5]);
  const width = random.pick([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 127, 128, 129, 143, 255, 256, 257, 300]);
  const full = `[${rows},${width}]`;
  /** @type {string[]} */
  const lines = [];
  /** @type {{ type: string, count: number }[]} */
  const parameters = [];
  /** Values of the full shape. @type {{ name: string, type: string }[]} */
  const values = [];
  const parameter = (/** @type {string} */ type, /** @type {number[]} */ dims) => {
    const name = `p${parameters.length}`;
    lines.push(`${name} = ${type}[${dims}] parameter(${parameters.length})`);
    parameters.push({ type, count: dims.reduce((a, b) => a * b, 1) });
    return name;
  };
  const add = (/** @type {string} */ type, /** @type {string} */ text, dims = full) => {
    const name = `v${lines.length}`;
    lines.push(`${name} = ${type}${dims} ${text}`);
    if (dims === full) values.push({ name, type });
    return name;
  };
  for (let i = 1 + random.below(3); i >= 0; i--) {
    const type = random.pick(['f32', 'f32', 'f32', 's32', 'u32', 'f64', 's64', 'pred', 'u8', 's8', 'f16', 'bf16', 's16']);
    const form = random.below(8);
    if (form === 0) add(type, `broadcast(${parameter(type, [])}), dimensions={}`);
    else if (form === 1) add(type, `broadcast(${parameter(type, [rows])}), dimensions={0}`);
    else if (form === 2) add(type, `broadcast(${parameter(type, [width])}), dimensions={1}`);
    else if (form === 3) add(type, `transpose(${parameter(type, [width, rows])}), dimensions={1,0}`);
    else if (form === 4) add(type, `reverse(${parameter(type, [rows, width])}), dimensions={1}`);
    else if (form === 5) add(type, `slice(${parameter(type, [rows + 1, 2 * width])}), slice={[1:${rows + 1}], [0:${2 * width}:2]}`);
    else values.push({ name: parameter(type, [rows, width]), type });
  }
  for (let i = 2 + random.below(10); i > 0; i--) {
    const { name, type } = random.pick(values);
    const { unary, binary, converts } = operations[/** @type {keyof typeof operations} */ (type)];
    const same = values.filter((value) => value.type === type);
    const kinds = /** @type {Record<string, string[]>} */ (reducers);
    const preds = values.filter((value) => value.type === 'pred');
    const form = random.below(8);
    if (form === 0 && kinds[type]) {
      const op = random.pick(kinds[type]);
      const identity = op === 'add' || op === 'or' ? (type === 'pred' ? 'false' : '0') : op === 'multiply' ? '1' : op === 'and' ? 'true'
        : /** @type {Record<string, string[]>} */ (limits)[type][Number(op === 'minimum')];
      const init = add(type, `constant(${identity})`, '[]');
      const reduced = add(type, `reduce(${name}, ${init}), dimensions={1}, to_apply=${op}_${type}`, `[${rows}]`);
      add(type, `broadcast(${reduced}), dimensions={0}`);
    } else if (form === 1 && preds.length) add(type, `select(${random.pick(preds).name}, ${name}, ${random.pick(same).name})`);
    else if (form === 2) add('pred', `compare(${name}, ${random.pick(same).name}), direction=${random.pick(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE'])}`);
    else if (form === 3) {
      const to = random.pick(converts);
      add(to, `convert(${name})`);
    } else if (form < 6 && binary.length) add(type, `${random.pick(binary)}(${name}, ${random.pick(same).name})`);
    else if (unary.length) add(type, `${random.pick(unary)}(${name})`);
  }
  const applied = Object.entries(reducers).flatMap(([type, ops]) =>
    ops.map((op) => `${op}_${type} { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }`));
  const outputs = values.filter((_, i) => i === values.length - 1 || random.next() < 0.2);
  lines.push(`ROOT t = (${outputs.map(({ type }) => type + full).join(', ')}) tuple(${outputs.map(({ name }) => name).join(', ')})`);
  return { parameters, text: `HloModule m\n${applied.join('\n')}\nENTRY e {\n${lines.join('\n')}\n}` };
}
