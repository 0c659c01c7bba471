// docs/elements.md: what the classes of web/elements say at their heads (see element-facts.js), as tables. `node tools/elements.js` writes it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBase, readElements } from './element-facts.js';
import { root } from './toolchain.js';

const START = '<!-- elements -->';
const END = '<!-- /elements -->';

/** @typedef {import('./element-facts.js').Fact} Fact */

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');
/** @param {string} type */
const shown = (type) => cell(type.replace(/^CustomEvent<(.*)>$/, '$1'));

/** @param {string} title @param {readonly Fact[]} facts */
function table(title, facts) {
  if (facts.length === 0) return [];
  const typed = facts.some(({ type }) => type);
  const rows = facts.map(({ name, type, text }) => `| \`${name}\` |${typed ? ` \`${shown(type)}\` |` : ''} ${cell(text)} |`);
  return [`| ${title} |${typed ? ' |' : ''} |`, `|---|${typed ? '---|' : ''}---|`, ...rows, ''];
}

/** The part of docs/elements.md between its markers. */
function elementsText() {
  const lines = [];
  for (const { tag, text, example, attributes, properties, methods, events, parts, variables } of readElements({ whole: false })) {
    lines.push(`## ${tag}`, '', text, '', '```html', example, '```', '');
    lines.push(...table('attribute', attributes), ...table('property', properties), ...table('method', methods.map(({ name, type, text: words }) => ({ name: `${name}()`, type, text: words }))));
    lines.push(...table('event: `detail`', events), ...table('part', parts), ...table('CSS variable', variables));
  }
  const base = readBase();
  lines.push('## All elements', '', ...table('method', base.methods), ...table('event: `detail`', base.events), ...table('part', base.parts), ...table('CSS variable', base.variables));
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
