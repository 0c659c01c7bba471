// The documentation as pages: the Markdown of docs/ and of the top folder, with links that lead to pages of the site.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { anchorOf, hrefOf, madePage } from './frame.js';
import { DOCUMENTATION, DOCUMENTS, PARTS } from './navigation.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @typedef {{ file: string, path: string, title: string, about: string, text: string }} Document */

/** Where a file of the repository stands on the site. @param {string} file */
const pathOf = (file) => (file === 'README.md' ? DOCUMENTATION.path : `web/docs/${posix.basename(file, '.md').toLowerCase()}.html`);

/** The first sentence of a text, without Markdown. @param {string} text */
function firstSentence(text) {
  const paragraph = text.split(/\n\s*\n/).find((each) => /^[A-Z`[]/.test(each)) ?? '';
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** @returns {Document[]} in reading order */
export function readDocuments() {
  return DOCUMENTS.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const heading = /^# (.*)$/m.exec(text)?.[1];
    if (!heading) throw new Error(`${file} has no heading`);
    return { file, path: pathOf(file), title: file === 'README.md' ? 'First steps' : heading.replaceAll('`', ''), about: firstSentence(text.slice(text.indexOf('\n'))), text };
  });
}

/** Where a link of a document leads on the site; nothing where the site has no such page. @param {string} from the document @param {string} href */
function leadsTo(from, href) {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href;
  const [way, place] = href.split('#');
  const file = posix.join(posix.dirname(from), way);
  if (DOCUMENTS.includes(file)) return hrefOf(pathOf(from), pathOf(file) + (place ? `#${place}` : ''));
  const page = PARTS.flatMap(({ pages }) => pages).find(({ path }) => path === file || posix.dirname(path) === file.replace(/\/README\.md$/, '').replace(/\/$/, ''));
  if (page) return hrefOf(pathOf(from), page.path);
  return file.endsWith('.svg') ? hrefOf(pathOf(from), file) : undefined;
}

/** Markdown to HTML, for one document. @param {string} from */
function markdownFor(from) {
  const markdown = new MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  /** Whether the link that is open is left out, as it leads out of the site. @type {boolean[]} */
  const open = [];
  rules.link_open = (tokens, at, options, _, self) => {
    const href = leadsTo(from, String(tokens[at].attrGet('href')));
    open.push(href !== undefined);
    if (href === undefined) return '';
    tokens[at].attrSet('href', href);
    return self.renderToken(tokens, at, options);
  };
  rules.link_close = () => (open.pop() ? '</a>' : '');
  const image = rules.image;
  rules.image = (tokens, at, options, env, self) => {
    tokens[at].attrSet('src', leadsTo(from, String(tokens[at].attrGet('src'))) ?? '');
    return image?.(tokens, at, options, env, self) ?? '';
  };
  /** @type {Map<string, number>} */
  const taken = new Map();
  rules.heading_open = (tokens, at, options, _, self) => {
    const name = anchorOf(tokens[at + 1].content.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, ''));
    const times = taken.get(name) ?? 0;
    taken.set(name, times + 1);
    tokens[at].attrSet('id', times ? `${name}-${times}` : name);
    return self.renderToken(tokens, at, options);
  };
  rules.table_open = () => '<div class="scrolls" tabindex="0" role="region" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  const fence = rules.fence;
  rules.fence = (tokens, at, options, env, self) => {
    tokens[at].info = tokens[at].info.split(' ')[0];
    return (fence?.(tokens, at, options, env, self) ?? '').replace('<pre>', '<pre tabindex="0">');
  };
  return markdown;
}

/** @param {Document} document @param {readonly Document[]} all @returns {string} the page */
export function documentPage({ file, path, title, about, text }, all) {
  const list = all.map((each) => `<li><a href="${hrefOf(path, each.path)}"${each.path === path ? ' aria-current="page"' : ''}>${each.title.replaceAll('<', '&lt;')}</a></li>`).join('');
  const main = `<article>
${markdownFor(file).render(text)}</article>
<nav class="beside" aria-label="Documentation"><strong>Documentation</strong><ul>${list}</ul></nav>`;
  return madePage({ path, title, about, main, kind: 'sided' });
}
