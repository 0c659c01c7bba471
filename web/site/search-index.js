// What the search knows: every page by its title and words, and each section of chapters and documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSections, withAnchors } from './frame.js';
import { HOME, PARTS } from './navigation.js';

/** @typedef {import('../search.js').Entry} Entry */

const root = fileURLToPath(new URL('../../', import.meta.url));
const ENTITIES = /** @type {Record<string, string>} */ ({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'" });

/** @param {string} html */
const plain = (html) => html.replace(/<(nav|script|style)[\s\S]*?<\/\1>/g, ' ').replace(/<\/?(a|b|code|em|i|kbd|small|span|strong|sub|sup|var)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ').replace(/&(lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity]).replace(/\s+/g, ' ').trim();

/** The different words of a text, for what is found but not shown. @param {string} text */
const words = (text) => [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter((word) => word.length > 2))].join(' ');

/** @param {string} text */
const start = (text) => (text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s\S*$/, '')} …`);

/**
 * @param {ReadonlyMap<string, string>} made the pages that are no files
 * @param {(path: string) => string | undefined} namesOf other names of a page
 * @returns {Entry[]}
 */
export function searchIndex(made, namesOf) {
  const pages = [{ ...HOME, part: HOME.title }, ...PARTS.flatMap((part) => {
    const own = part.pages.some(({ path }) => path === part.path) ? [] : [{ path: part.path, title: part.title, about: part.about }];
    return [...own, ...part.pages].map((page) => ({ ...page, part: part.title }));
  })];
  return pages.flatMap(({ path, title, about, part }) => {
    const main = /<main[\s\S]*<\/main>/.exec(made.get(path) ?? readFileSync(join(root, path), 'utf8'))?.[0] ?? '';
    const { html, headings } = withAnchors(main.replace(/<nav[\s\S]*?<\/nav>/g, ''));
    const [lead, ...sections] = html.split(/(?=<h2)/);
    const names = namesOf(path);
    const isIndex = PARTS.some((one) => one.path === path && one.pages.length > 1 && !one.pages.some((page) => page.path === path)); // its sections are the pages that it names
    const whole = names !== undefined || isIndex || !hasSections(path, main); // an operation, or a page to look at, is one entry
    /** @type {Entry} */
    const entry = { path, title, part, about, text: words(plain(whole ? html : lead)), ...(names ? { names } : {}) };
    if (whole) return [entry];
    return [entry, ...sections.map((section, i) => ({
      path: `${path}#${headings[i].id}`, title: plain(headings[i].title), part: `${part}: ${title}`, about: start(plain(section.replace(/<h2[\s\S]*?<\/h2>/, '').replace(/<pre[\s\S]*?<\/pre>/g, ' '))), text: words(plain(section)),
    }))];
  });
}
