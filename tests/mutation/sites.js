// Where a C source may be changed, and to what: one small change a site, of the kinds that people make by mistake.

/** @typedef {{ at: number, length: number, to: string }} Site  `length` characters at `at` become `to` */

const blankOf = (/** @type {string} */ text) => text.replaceAll(/[^\n]/g, ' ');

/** The code alone, at the same places: without comments, strings, characters, directives and assertions. @param {string} text */
function codeOf(text) {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, blankOf)
    .replaceAll(/^[ \t]*#(?:.*\\\n)*.*/gm, blankOf)
    .replaceAll(/\bassert\(.*|_Static_assert\(.*/g, blankOf);
}

/** What a pattern finds, and what it becomes; undefined leaves it. @type {[RegExp, (found: string, code: string, at: number) => string | undefined][]} */
const CHANGES = [
  [/(?<=\s)[<>]=?(?=\s)/g, (found) => (found.length === 2 ? found[0] : `${found}=`)],
  [/(?<=\s)[!=]=(?=\s)/g, (found) => (found === '==' ? '!=' : '==')],
  [/(?<=\s)(?:&&|\|\|)(?=\s)/g, (found) => (found === '&&' ? '||' : '&&')],
  [/(?<=\s)[+-]=?(?=\s)/g, (found) => found.replace(/[+-]/, (sign) => (sign === '+' ? '-' : '+'))],
  [/!(?=[\w(*!])/g, () => ''],
  [/\b(?:true|false)\b/g, (found) => (found === 'true' ? 'false' : 'true')],
  [/(?<![\w.])\d+(?![\w.])/g, (found, code, at) => {
    const isNothing = found === '0' && code[at - 1] === '{' && code[at + 1] === '}'; // {0}
    const isSize = Number(found) > 2 && code[at - 1] === '[';
    return isNothing || isSize ? undefined : Number(found) < 2 ? String(1 - Number(found)) : String(Number(found) + 1);
  }],
];

/** The place behind the parenthesis that closes the one at `open`. @param {string} code @param {number} open */
function closing(code, open) {
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === '(') depth++;
    if (code[i] === ')' && --depth === 0) return i + 1;
  }
  return code.length;
}

/** All sites of a source. @param {string} text @returns {Site[]} */
export function sitesOf(text) {
  const code = codeOf(text);
  /** @type {Site[]} */
  const sites = [];
  for (const [pattern, change] of CHANGES)
    for (const { 0: found, index: at } of code.matchAll(pattern)) {
      const to = change(found, code, at);
      if (to !== undefined) sites.push({ at, length: found.length, to });
    }
  for (const { index } of code.matchAll(/\bif \(/g)) { // a refusal that never happens
    const open = index + 3, end = closing(code, open);
    if (/^\s*(?:\{\s*)?(?:return\s+)?(?:hlo_)?(?:fail|refuse)\w*\(/.test(code.slice(end))) sites.push({ at: open + 1, length: end - open - 2, to: 'false' });
  }
  return sites.sort((a, b) => a.at - b.at);
}

/** The source with one change, with as many lines. @param {string} text @param {Site} site */
export function changed(text, { at, length, to }) {
  const lines = text.slice(at, at + length).replaceAll(/[^\n]/g, '');
  return text.slice(0, at) + to + lines + text.slice(at + length);
}

/** The line of a place, from 1. @param {string} text @param {number} at */
export const lineOf = (text, at) => text.slice(0, at).split('\n').length;
