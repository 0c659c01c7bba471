// The examples of README.md and docs/*.md: reads them out of the pages, and writes them where tsc and Node.js take them as modules of
// this package (build/examples/types and build/examples/node). A line of a module is the line of the page that it stands on.
//
//   ```js          runs in Node.js: all such blocks of a page are one module
//   ```js page     runs in a page, or in a worker: each such block is a module of its own, and is checked only
//   ```html        with <!doctype html>: a whole page, which tests/browser/documentation.test.js opens
//
// A comment behind a statement that begins like a value, `// [12, 24]`, is the value of the statement's expression, up to a semicolon.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.js';

/** @typedef {{ language: string, line: number, text: string }} Block line: of its first line, from 1 */
/** @typedef {{ path: string, name: string, blocks: Block[] }} Page name: of its modules */

const FENCE = /^```(.*)$/;

/** The fenced blocks of a page. @param {string} text @returns {Block[]} */
export function blocksOf(text) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ language: string, line: number, lines: string[] } | undefined} */
  let open;
  text.split('\n').forEach((line, i) => {
    const fence = FENCE.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    } else open = { language: fence[1].trim(), line: i + 2, lines: [] };
  });
  if (open) throw new Error(`the block of line ${open.line - 1} has no end`);
  return blocks;
}

/** README.md and docs/*.md. @returns {Page[]} */
export function pages() {
  const names = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  return names.map((path) => ({ path, name: path.replace(/^docs\//, '').replace(/\.md$/, ''), blocks: blocksOf(readFileSync(join(root, path), 'utf8')) }));
}

/** Blocks on the lines that they have in the page. @param {readonly Block[]} blocks @param {(text: string, line: number) => string} [change] */
export function moduleOf(blocks, change = (text) => text) {
  /** @type {string[]} */
  const lines = [];
  for (const { line, text } of blocks) {
    while (lines.length < line - 1) lines.push('');
    lines.push(...change(text, line).split('\n'));
  }
  return `${lines.join('\n')}\nexport {};\n`;
}

const SHOWN = /^(?<indent>\s*)(?<statement>\S.*;)\s*\/\/ (?<value>(?:[\d['"`{-]|true\b|false\b|null\b|undefined\b).*)$/;
const FORMS = [/^(?:await )?console\.log\((?<expression>.*)\);$/, /^(?:const|let) (?<expression>[\w$]+) = .*;$/, /^(?<expression>[\w$]+) = .*;$/];

/** The expression of a comment's value: up to a semicolon outside of texts. @param {string} comment */
const valueText = (comment) => /^(?:'[^']*'|[^;'])*/.exec(comment)?.[0].trim() ?? '';

/**
 * A statement with the value that its comment tells, as a call of `shown(actual, told, line)`; other lines as they are.
 * @param {string} source @param {number} line
 */
function compared(source, line) {
  const { indent = '', statement = '', value = '' } = SHOWN.exec(source)?.groups ?? {};
  if (!statement) return source;
  const told = valueText(value);
  const [printed, declared, assigned] = FORMS.map((form) => form.exec(statement)?.groups?.expression);
  if (printed !== undefined) return `${indent}shown(${printed}, ${told}, ${line});`;
  if (declared ?? assigned) return `${indent}${statement} shown(${declared ?? assigned}, ${told}, ${line});`;
  return `${indent}shown(${statement.slice(0, -1)}, ${told}, ${line});`;
}

/** @param {Page} page @returns {{ source: string, values: number }} what Node.js runs, and how many values it compares */
export function runnable({ blocks }) {
  let values = 0;
  const source = moduleOf(blocks.filter(({ language }) => language === 'js'), (text, first) =>
    text.split('\n').map((line, i) => {
      const changed = compared(line, first + i);
      if (changed !== line) values++;
      return changed;
    }).join('\n'));
  return { source, values };
}

/** Writes a module for tsc for each page, and one for each block that runs in a page. */
export function writeExamples() {
  const folder = join(root, 'build/examples/types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, blocks } of pages()) {
    const own = blocks.filter(({ language }) => language === 'js');
    if (own.length > 0) writeFileSync(join(folder, `${name}.js`), moduleOf(own));
    for (const block of blocks.filter(({ language }) => language === 'js page'))
      writeFileSync(join(folder, `${name}-${block.line}.js`), moduleOf([block]));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeExamples();
