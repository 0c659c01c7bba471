// What stands around the text of every page: the way to all others. Text in, text out; what is there is told by navigation.js.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { DOCUMENTATION, HOME, OPERATIONS, PARTS, SEARCH } from './navigation.js';

/** @typedef {import('./navigation.js').Page} Page */
/** @typedef {import('./navigation.js').Part} Part */

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** Where the source is, once package.json tells; until then the home page leads to how it is laid out. @type {string | undefined} */
const REPOSITORY = (repository?.url ?? repository)?.replace(/^git\+/, '');

/** @param {string} text */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** From one page to another, or to a place in it; a folder's index is told as the folder. @param {string} from @param {string} to */
export function hrefOf(from, to) {
  const [path, place] = to.split('#');
  const way = posix.relative(posix.dirname(from), path).replace(/(^|\/)index\.html$/, '$1');
  return `${way === '' ? './' : way.startsWith('.') ? way : `./${way}`}${place === undefined ? '' : `#${place}`}`;
}

/** @param {string} path @returns {Part | undefined} the part that a page belongs to */
const partOf = (path) => PARTS.find((part) => part.path === path || part.pages.some((page) => page.path === path));

/** @param {string} from @param {Page} page */
const link = (from, { path, title }) => `<a href="${hrefOf(from, path)}"${path === from ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;

/** The head of a page. @param {string} path */
function headOf(path) {
  const part = partOf(path);
  const parts = PARTS.map((each) => `<a href="${hrefOf(path, each.path)}"${each.path === path ? ' aria-current="page"' : each === part ? ' aria-current="true"' : ''}>${each.title}</a>`);
  const siblings = part && !part.aside && part.pages.length > 1 ? `
      <nav class="siblings" aria-label="${part.title}">${part.pages.map((page) => link(path, page)).join('')}</nav>` : '';
  return `<a class="skip" href="#content">Skip to the text</a>
    <header>
      <div class="site">
        <nav aria-label="Site"><a class="mark" href="${hrefOf(path, HOME.path)}"${path === HOME.path ? ' aria-current="page"' : ''}>WebHLO</a>${parts.join('')}</nav>
        <form class="find" role="search" action="${hrefOf(path, SEARCH.path)}"><input type="search" name="q" aria-label="Search" placeholder="Search"><button>Go</button></form>
      </div>${siblings}
    </header>`;
}

/** The links to the neighbours of a page. @param {string} path */
function nextOf(path) {
  const part = partOf(path);
  const at = part ? part.pages.findIndex((page) => page.path === path) : -1;
  if (!part || at < 0 || (part.pages.length < 2 && part.path === path)) return '';
  const [previous, next] = [part.pages[at - 1], part.pages[at + 1]];
  const index = { path: part.path, title: part.title };
  const back = previous ? `<a rel="prev" href="${hrefOf(path, previous.path)}">← ${escaped(previous.title)}</a>` : `<a href="${hrefOf(path, index.path)}">← ${index.title}</a>`;
  const on = next ? `<a rel="next" href="${hrefOf(path, next.path)}">${escaped(next.title)} →</a>` : `<a href="${hrefOf(path, HOME.path)}">All parts →</a>`;
  return `<nav class="next" aria-label="Neighbours">${back}${on}</nav>`;
}

/** An anchor's name for a heading, as GitHub makes them. @param {string} heading */
export const anchorOf = (heading) =>
  heading.toLowerCase().replace(/<[^>]*>|&\w+;/g, '').trim().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');

/** Pages of fewer headings than this need no contents. */
const LONG = 4;

/** Headings of the text, each with an id. @param {string} html @returns {{ html: string, headings: { id: string, title: string }[] }} */
export function withAnchors(html) {
  const taken = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
  /** @type {{ id: string, title: string }[]} */
  const headings = [];
  const changed = html.replace(/<h2((?:\s[^>]*)?)>([\s\S]*?)<\/h2>/g, (whole, attributes, inner) => {
    const title = inner.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim();
    let id = /\sid="([^"]*)"/.exec(attributes)?.[1];
    if (id === undefined) {
      for (let n = 0; id === undefined || taken.has(id); n++) id = anchorOf(title) + (n ? `-${n}` : '');
      taken.add(id);
      whole = `<h2${attributes} id="${id}">${inner}</h2>`;
    }
    headings.push({ id, title });
    return whole;
  });
  return { html: changed, headings };
}

/** @param {readonly { id: string, title: string }[]} headings their titles as they stand in HTML */
const contentsOf = (headings) =>
  `<nav class="contents" aria-label="On this page"><ol>${headings.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ol></nav>`;

/** Whether the sections of a page can be linked to: a page to look at has none. @param {string} path @param {string} main */
export const hasSections = (path, main) => path !== HOME.path && !main.startsWith('<main id="content" class="explorer"');

/**
 * A page with its frame: head, contents behind the lead of a long text, neighbours at the end of the text.
 * @param {string} html the page as it stands in its file @param {string} path
 */
export function framed(html, path) {
  const main = /<main[\s\S]*<\/main>/.exec(html);
  if (!main) throw new Error(`${path} has no <main>`);
  let [text] = main;
  if (hasSections(path, text)) {
    const anchored = withAnchors(text);
    text = anchored.html;
    if (anchored.headings.length >= LONG && !/class="(contents|operation)"/.test(text)) text = text.replace(/<\/h1>(\s*<p class="lead">[\s\S]*?<\/p>)?/, (before) => `${before}\n${contentsOf(anchored.headings)}`);
  }
  text = text.replace('<!-- parts -->', homeDoors);
  if (REPOSITORY) text = text.replace(/(<a id="source" href=")[^"]*/, `$1${escaped(REPOSITORY)}`);
  text = text.replace(/<\/main>$/, `  ${nextOf(path)}\n    </main>`);
  const before = html.slice(0, main.index);
  const after = html.slice(main.index + main[0].length);
  const foot = '<footer><p>WebHLO is open source, under the Apache License 2.0. Every number on these pages is computed by WebHLO itself.</p></footer>';
  return before.trimEnd().replace(/<body([^>]*)>/, (body) => `${body}\n    ${headOf(path)}`) + `\n    ${text}` + after.replace('</body>', `  ${foot}\n  </body>`);
}

/**
 * A whole page that is made, not written.
 * @param {{ path: string, title: string, about: string, main: string, scripts?: string[], styles?: string[], kind?: string }} page main: what stands within <main>
 */
export function madePage({ path, title, about, main, scripts = [], styles = ['web/styles/page.css'], kind }) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)} · WebHLO</title>
    <meta name="description" content="${escaped(about)}">
    <link rel="icon" href="${hrefOf(path, 'web/styles/icon.svg')}">
    ${styles.map((style) => `<link rel="stylesheet" href="${hrefOf(path, style)}">`).join('\n    ')}${scripts.map((script) => `
    <script type="module" src="${hrefOf(path, script)}"></script>`).join('')}
  </head>
  <body>
    <main id="content"${kind ? ` class="${kind}"` : ''}>
${main}
    </main>
  </body>
</html>
`;
}

/** Cards that lead to pages. @param {string} from @param {readonly Page[]} pages @param {string} [heading] */
export const doors = (from, pages, heading = 'h2') => `<ul class="doors wide">
${pages.map(({ path, title, about }) => `  <li><${heading}><a href="${hrefOf(from, path)}">${escaped(title)}</a></${heading}><p>${escaped(about)}</p></li>`).join('\n')}
</ul>`;

/** What the home page leads to: each part, with its pages where they are few. */
const homeDoors = () => PARTS.map((part) => {
  const heading = `<h2 class="wide" id="${part.title.toLowerCase()}"><a href="${hrefOf(HOME.path, part.path)}">${part.title}</a></h2>\n<p class="wide">${escaped(part.about)}</p>`;
  return part === OPERATIONS || part === DOCUMENTATION || part.pages.length === 0 ? heading : `${heading}\n${doors(HOME.path, part.pages, 'h3')}`;
}).join('\n');

/** The index of a part. @param {Part} part */
export function indexOf(part) {
  const main = `<h1>${part.title}</h1>\n<p class="lead">${escaped(part.about)}</p>\n${doors(part.path, part.pages)}`;
  return madePage({ path: part.path, title: part.title, about: part.about, main });
}
