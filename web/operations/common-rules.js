// Rules that follow from an operation's row in the op table: how many operands, of which elements, which attributes, and that a shape which is
// written must be the one that follows. The programs that break them are an example's, changed in one place.
import { refusalOf } from './runner.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {Runtime['ops'][number]} OpRow */
/** @typedef {import('./notation.js').Rule} Rule */

export const KINDS = /** @type {Record<string, string>} */ ({ p: 'pred', s: 'signed', u: 'unsigned', f: 'floating-point', c: 'complex' });
const TYPES = /** @type {Record<string, string>} */ ({ p: 'pred', s: 's32', u: 'u32', f: 'f32', c: 'c64' });

/** `a, b or c` @param {readonly string[]} words @param {string} last */
export const listed = (words, last) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`);

/** The call of an operation in a program: its name and the brackets behind it. @param {string} name */
const callOf = (name) => new RegExp(`(?<==\\s)(?<shape>\\S+\\[[^=\\n]*?\\s)?${name}\\((?<operands>[^)]*)\\)`);

/**
 * The programs that may break a rule, each with what the message must hold.
 * @param {OpRow} row @param {string} program that does not break any
 * @returns {{ says: string, program: string, told: RegExp }[]}
 */
function candidates(row, program) {
  const call = callOf(row.name);
  const found = call.exec(program);
  if (!found?.groups) return [];
  const operands = found.groups.operands.split(/,\s*/).filter(Boolean);
  const shape = found.groups.shape ?? '';
  const names = listed(row.operands.map((operand) => operand.replace('*', '')), 'and');
  const all = [];
  if (row.arity > 0) {
    const fewer = operands.slice(0, -1).join(', ');
    all.push({ says: row.arity === 1 ? (names === 'operand' ? 'It takes one operand.' : `It takes one operand: ${names}.`) : `It takes ${row.arity} operands: ${names}.`, program: program.replace(call, `${shape}${row.name}(${fewer})`), told: /takes \d+ operand/ });
  }
  if (row.flags.includes('elementwise') && row.types) {
    const kind = Object.keys(TYPES).find((letter) => !row.types.includes(letter));
    const typed = kind === undefined ? '' : `HloModule example\n\nENTRY main {\n${operands.map((_, i) => `  x${i} = ${TYPES[kind]}[2] parameter(${i})\n`).join('')}  ROOT r = ${row.name}(${operands.map((_, i) => `x${i}`).join(', ')})\n}\n`;
    if (typed) all.push({ says: `Its elements are ${listed([...row.types].map((letter) => KINDS[letter]), 'or')}.`, program: typed, told: /must have .* elements/ });
  }
  for (const { name, required } of row.attributes)
    if (required) all.push({ says: `${name} must be given.`, program: program.replace(new RegExp(`, ${name}=(\\{([^{}]|\\{[^{}]*\\})*\\}|"[^"]*"|[^,\\s]+)`), ''), told: /must be given/ });
  if (!shape) all.push({ says: 'A shape that is written is the one that follows.', program: program.replace(call, (whole) => `f32[7,7,7,7] ${whole}`), told: /is declared/ });
  return all.filter((each) => each.program !== program);
}

/** @param {Runtime} hlo @param {OpRow} row @param {string} program an example of the operation @returns {Promise<Rule[]>} each with what the core says */
export async function commonRules(hlo, row, program) {
  /** @type {Rule[]} */
  const rules = [];
  for (const { says, program: broken, told } of candidates(row, program)) {
    const message = await refusalOf(hlo, broken);
    if (told.test(message) && !rules.some((rule) => rule.program === broken)) rules.push({ says, program: broken, message });
  }
  return rules;
}
