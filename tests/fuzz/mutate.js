// Programs changed in their structure: HLO text as the core prints it, one instruction a line, with an opcode, a shape, an operand, a number,
// a literal or a line changed, or the whole program called, repeated or chosen by another.

/** @typedef {{ next: () => number, below: (n: number) => number, pick: (list: readonly any[]) => any }} Random */

const TYPES = ['pred', 's2', 's4', 's8', 's16', 's32', 's64', 'u4', 'u8', 'u16', 'u32', 'u64', 'f16', 'bf16', 'f32', 'f64', 'c64', 'c128', 'f8e5m2', 'f8e4m3fn'];
const NUMBERS = ['0', '1', '2', '3', '-1', '-2', '5', '7', '100', '-100', '2147483647', '-2147483648', '9223372036854775807'];
const LITERALS = ['0', '-0', '1', '-1', '2', '127', '128', '255', '-128', '65504', '2147483647', '-2147483648', '3e38', '1e-40', 'inf', '-inf', 'nan', '0.5'];
const LINE = /^ {2}(?:ROOT )?%?([\w.-]+) = (\(.*?\)|\S+) ([a-z][\w-]*)\((.*)$/;
const SHAPE = /\b(pred|[suf]\d+\w*|bf16|c64|c128)\[([\d,<=]*)\](\{[\d,]*\})?/g;

/** @param {string} text */
const linesOf = (text) => text.split('\n').flatMap((line, i) => (LINE.test(line) ? [i] : []));

/** Changes one match of a pattern in a line; null where there is none. @param {string} line @param {RegExp} pattern @param {Random} random @param {(match: string) => string} change */
function changeOne(line, pattern, random, change) {
  const found = [...line.matchAll(pattern)];
  if (found.length === 0) return null;
  const match = random.pick(found);
  return line.slice(0, match.index) + change(match[0]) + line.slice(match.index + match[0].length);
}

/** A mutation gives the changed text, or null where it does not fit. @typedef {(text: string, random: Random, byArity: Map<number, string[]>) => string | null} Mutation */

/** @param {(line: string, random: Random, text: string, at: number) => string | null} change @returns {Mutation} */
const inLine = (change) => (text, random) => {
  const at = random.pick(linesOf(text));
  const lines = text.split('\n');
  const line = at === undefined ? null : change(lines[at], random, text, at);
  if (line === null) return null;
  lines[at] = line;
  return lines.join('\n');
};

/** Everywhere the same. @param {RegExp} pattern @param {(match: string, random: Random) => string} change @returns {Mutation} */
const everywhere = (pattern, change) => (text, random) => {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return null;
  const old = random.pick(found)[0];
  return text.replaceAll(old, change(old, random));
};

/** @param {string} dims @param {Random} random */
function changedDims(dims, random) {
  const numbers = dims.slice(1, -1).split(',');
  const i = random.below(numbers.length);
  const n = Number(numbers[i].replace('<=', ''));
  if (random.below(8) === 0) numbers.splice(i, 1);
  else if (random.below(8) === 0) numbers.splice(i, 0, '1');
  else numbers[i] = String(Math.max(0, Math.min(64, random.pick([0, 1, 2, 3, n + 1, n - 1, 2 * n, 5, 17]))));
  return `[${numbers.join(',')}]`;
}

/** @param {string} text @returns {{ head: string, entry: string, parameters: string[], result: string } | null} */
function entryOf(text) {
  const match = /^ENTRY %?([\w.-]+) .*\{\n([\s\S]*?)^\}/m.exec(text);
  if (!match) return null;
  const parameters = [];
  for (const [, shape, number] of match[2].matchAll(/= (\(.*?\)|\S+) parameter\((\d+)\)/g)) parameters[Number(number)] = shape;
  const root = /^ {2}ROOT %?[\w.-]+ = (\(.*\)|\S+) [a-z][\w-]*\(/m.exec(match[2]);
  if (!root || Object.keys(parameters).length !== parameters.length) return null;
  const plain = text.replace(/, (entry_computation_layout|input_output_alias|buffer_donor)=\{.*$/m, '').replace(/^ENTRY /m, '');
  return { head: plain, entry: match[1], parameters, result: root[1] };
}

/** The program within another one. @type {Mutation} */
function wrap(text, random) {
  const inner = entryOf(text);
  if (!inner) return null;
  const { head, entry, parameters, result } = inner;
  const given = parameters.map((shape, i) => `  wrap.p${i} = ${shape} parameter(${i})\n`).join('');
  const names = parameters.map((_, i) => `wrap.p${i}`).join(', ');
  const repeats = parameters.length === 1 && parameters[0] === result;
  switch (random.below(repeats ? 3 : 2)) {
    case 0: return `${head}\nENTRY wrap.e {\n${given}  ROOT wrap.r = ${result} call(${names}), to_apply=${entry}\n}\n`;
    case 1: {
      if (parameters.length !== 1) return null;
      return `${head}\nENTRY wrap.e {\n${given}  wrap.i = s32[] constant(${random.below(3)})\n  ROOT wrap.r = ${result} conditional(wrap.i, ${names}, ${names}), branch_computations={${entry}, ${entry}}\n}\n`;
    }
    default: {
      const state = `(s32[], ${result})`;
      return `${head}
wrap.more {\n  wrap.s = ${state} parameter(0)\n  wrap.i = s32[] get-tuple-element(wrap.s), index=0\n  wrap.n = s32[] constant(${random.below(4)})\n  ROOT wrap.c = pred[] compare(wrap.i, wrap.n), direction=LT\n}
wrap.step {\n  wrap.s = ${state} parameter(0)\n  wrap.i = s32[] get-tuple-element(wrap.s), index=0\n  wrap.x = ${result} get-tuple-element(wrap.s), index=1\n  wrap.o = s32[] constant(1)\n  wrap.j = s32[] add(wrap.i, wrap.o)\n  wrap.y = ${result} call(wrap.x), to_apply=${entry}\n  ROOT wrap.t = ${state} tuple(wrap.j, wrap.y)\n}
ENTRY wrap.e {\n${given}  wrap.z = s32[] constant(0)\n  wrap.t = ${state} tuple(wrap.z, wrap.p0)\n  wrap.w = ${state} while(wrap.t), condition=wrap.more, body=wrap.step\n  ROOT wrap.r = ${result} get-tuple-element(wrap.w), index=1\n}\n`;
    }
  }
}

/** Names of the computation that a line stands in. @param {string} text @param {number} at */
function namesAround(text, at) {
  const lines = text.split('\n');
  let first = at;
  while (first > 0 && LINE.test(lines[first - 1])) first--;
  const names = [];
  for (let i = first; LINE.test(lines[i] ?? ''); i++) names.push(/** @type {RegExpExecArray} */ (LINE.exec(lines[i]))[1]);
  return names;
}

/** @type {Mutation[]} */
const mutations = [
  (text, random, byArity) => inLine((line) => {
    const match = LINE.exec(line);
    if (!match) return null;
    const operands = [...(match[4].match(/^[^)]*/)?.[0] ?? '').matchAll(/%?[\w.-]+/g)].length;
    const like = byArity.get(operands) ?? [];
    return like.length === 0 ? null : line.replace(` ${match[3]}(`, ` ${random.pick(like)}(`);
  })(text, random, byArity),
  inLine((line, random) => changeOne(line, /\[[\d,<=]+\]/g, random, (dims) => changedDims(dims, random))),
  everywhere(/\[[\d,]+\]/g, changedDims),
  everywhere(/\[[\d,]+\]/g, changedDims),
  inLine((line, random) => changeOne(line, /\b(pred|[suf]\d+\w*|bf16|c64|c128)(?=\[)/g, random, () => random.pick(TYPES))),
  (text, random) => {
    const found = [...text.matchAll(/\b(pred|[suf]\d+\w*|bf16|c64|c128)(?=\[)/g)];
    if (found.length === 0) return null;
    const [old] = random.pick(found);
    const to = random.pick(TYPES);
    return text.replace(new RegExp(`\\b${old}(?=\\[)`, 'g'), to);
  },
  inLine((line, random) => changeOne(line, /(?<=[={x,:_])-?\d+(?=[,}x_]|$)/g, random, () => random.pick(NUMBERS.slice(0, random.below(3) ? 8 : undefined)))),
  inLine((line, random) => (/ constant\(/.test(line) ? changeOne(line, /(?<=[({, ])-?[\d.e+-]+(?=[)},])/g, random, () => random.pick(LITERALS)) : null)),
  inLine((line, random, text, at) => {
    const match = LINE.exec(line);
    const operands = match?.[4].match(/^[^)]*/)?.[0] ?? '';
    const changed = changeOne(operands, /[A-Za-z_][\w.-]*/g, random, () => random.pick(namesAround(text, at)));
    return match && changed !== null && !/ (parameter|constant)\(/.test(line) ? line.slice(0, line.length - match[4].length) + changed + match[4].slice(operands.length) : null;
  }),
  (text, random) => {
    const at = random.pick(linesOf(text));
    const lines = text.split('\n');
    if (at === undefined || lines[at].startsWith('  ROOT')) return null;
    const name = /** @type {RegExpExecArray} */ (LINE.exec(lines[at]))[1];
    lines.splice(at, 0, lines[at].replace(name, `${name}.copy`));
    return lines.join('\n');
  },
  (text, random) => {
    const at = random.pick(linesOf(text));
    const lines = text.split('\n');
    if (at === undefined) return null;
    lines.splice(at, 1);
    return lines.join('\n');
  },
  (text, random) => {
    const at = random.pick(linesOf(text));
    const lines = text.split('\n');
    if (at === undefined) return null;
    const names = namesAround(text, at);
    const used = LINE.exec(lines[at])?.[1] ?? '';
    return lines.map((line) => line.replace(new RegExp(`(?<=[(, ])%?${used.replaceAll('.', '\\.')}(?=[,)])`), random.pick(names))).join('\n');
  },
  wrap,
  inLine((line, random) => changeOne(line, SHAPE, random, (shape) => {
    const [, type, dims] = /** @type {RegExpMatchArray} */ (shape.match(/^(\w+)\[([^\]]*)\]/));
    const order = dims.split(',').map((_, i) => i).sort(() => random.next() - 0.5);
    return dims ? `${type}[${dims}]{${order.join(',')}}` : shape;
  })),
];

/** One to three changes. @param {string} text @param {Random} random @param {Map<number, string[]>} byArity operations by number of operands */
export function mutate(text, random, byArity) {
  let changed = text;
  for (let left = 1 + random.below(3), tries = 12; left > 0 && tries > 0; tries--) {
    const result = random.pick(mutations)(changed, random, byArity);
    if (result === null || result.length > 20000) continue;
    changed = result;
    left--;
  }
  return changed;
}
