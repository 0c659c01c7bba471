// docs/elements.md: what the classes of web/elements say at their heads, as tables. `node tools/elements.js` writes it.
//
// A head comment has a description, an example (indented by four blanks), attributes (names, two blanks or more, words), and tags:
// @fires NAME words, @csspart NAME, @cssprop NAME words.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.js';

/** @typedef {{ names: string[], words: string }} Row */
/** @typedef {{ description: string, example: string, attributes: Row[], events: Row[], parts: string[], variables: Row[] }} Facts */

const START = '<!-- elements -->';
const END = '<!-- /elements -->';
const CLASS = /\/\*\*\n(?<head>(?: \*.*\n)+?) \*\/\nexport class (?<name>\w+) /;
const ATTRIBUTES = /^(?<names>[a-z-]+(?:, [a-z-]+)*) {2,}(?<words>\S.*)$/;
const folder = join(root, 'web/elements');

/** Lines with those that continue them: indented further, or without a tag where the last had one. @param {string[]} lines */
function joined(lines) {
  /** @type {string[]} */
  const whole = [];
  for (const line of lines) {
    const last = whole.at(-1);
    const continues = last && (/^ {5,}\S/.test(line) || (last.startsWith('@') && line && !line.startsWith('@')));
    if (continues) whole[whole.length - 1] = `${last} ${line.trim()}`;
    else whole.push(line);
  }
  return whole;
}

/** What a class says at its head. @param {string} head @returns {Facts} */
export function factsOf(head) {
  /** @type {Facts} */
  const facts = { description: '', example: '', attributes: [], events: [], parts: [], variables: [] };
  const lines = head.trimEnd().split('\n').map((line) => line.replace(/^ \* ?/, ''));
  const examples = lines.filter((line) => /^ {4}</.test(line));
  facts.example = examples.map((line) => line.trim()).join('\n');
  for (const line of joined(lines.filter((line) => !examples.includes(line)))) {
    const attribute = ATTRIBUTES.exec(line)?.groups;
    const [tag, name = '', ...words] = line.split(' ');
    if (attribute) facts.attributes.push({ names: attribute.names.split(', '), words: attribute.words });
    else if (tag === '@fires') facts.events.push({ names: [name], words: words.join(' ') });
    else if (tag === '@cssprop') facts.variables.push({ names: [name], words: words.join(' ') });
    else if (tag === '@csspart') facts.parts.push(...[...line.matchAll(/@csspart (\S+)/g)].map(([, part]) => part));
    else if (line.startsWith('@')) throw new Error(`a head comment has the tag ${tag}, which docs/elements.md has no place for`);
    else facts.description = `${facts.description} ${line}`.trim();
  }
  return facts;
}

/** @param {string} file */
function headOf(file) {
  const groups = CLASS.exec(readFileSync(join(folder, file), 'utf8'))?.groups;
  if (!groups) throw new Error(`web/elements/${file} has no class with a comment at its head`);
  return factsOf(groups.head);
}

/** @param {readonly string[]} names */
const code = (names) => names.map((name) => `\`${name}\``).join(', ');

/** @param {string} title @param {readonly Row[]} rows */
function table(title, rows) {
  if (rows.length === 0) return [];
  return [`| ${title} | |`, '|---|---|', ...rows.map(({ names, words }) => `| ${code(names)} | ${words.replaceAll('|', '\\|')} |`), ''];
}

/** The elements, and their base, by name. @returns {{ name: string, facts: Facts }[]} */
export function elements() {
  const files = readdirSync(folder).filter((name) => /^hlo-.*\.js$/.test(name) && name !== 'hlo-element.js');
  return files.map((file) => ({ name: file.replace(/\.js$/, ''), facts: headOf(file) }));
}

/** The colours and fonts that every element reads, as its styles have them. @returns {string[]} */
export function commonVariables() {
  return [...readFileSync(join(folder, 'hlo-element.js'), 'utf8').matchAll(/var\((--hlo-[\w-]+),/g)].map(([, name]) => name);
}

/** The part of docs/elements.md between its markers. */
export function elementsText() {
  const lines = [];
  for (const { name, facts } of elements()) {
    lines.push(`## ${name}`, '', facts.description, '', '```html', facts.example, '```', '');
    lines.push(...table('attribute', facts.attributes), ...table('event', facts.events), ...table('CSS variable', facts.variables));
    lines.push(`Parts: ${code(facts.parts)}.`, '');
  }
  lines.push('## All elements', '', ...table('event', headOf('hlo-element.js').events));
  lines.push(`CSS variables: ${code(commonVariables())}.`, '');
  return lines.join('\n');
}

/** The page with what the classes say. @param {string} page */
export function withElements(page) {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/elements.md has no ${START} with ${END} after it`);
  return `${page.slice(0, from + START.length)}\n${elementsText()}${page.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'docs/elements.md');
  writeFileSync(path, withElements(readFileSync(path, 'utf8')));
}
