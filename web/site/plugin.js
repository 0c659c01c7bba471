// The site as Vite sees it: pages that are made are served and built as if they were files, and every page gets its frame.
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentPage, readDocuments } from './documents.js';
import { framed, indexOf } from './frame.js';
import { DOCUMENTATION, OPERATIONS, PARTS } from './navigation.js';
import { operationPages } from './operations.js';
import { searchIndex } from './search-index.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** @typedef {Map<string, string>} ByPath */

/** @type {Promise<{ pages: ByPath, names: ByPath }> | undefined} */
let made;

/** The pages that are made, by path, without their frames. @returns {Promise<ByPath>} */
export const madePages = async () => (await makePages()).pages;

/** What the search finds. */
export const madeIndex = async () => {
  const { pages, names } = await makePages();
  return searchIndex(pages, (path) => names.get(path));
};

function makePages() {
  made ??= (async () => {
    const { pages, list, names } = await operationPages();
    OPERATIONS.pages = list;
    const documents = readDocuments();
    DOCUMENTATION.pages = documents.map(({ path, title, about }) => ({ path, title, about }));
    for (const document of documents) pages.set(document.path, documentPage(document, documents));
    for (const part of PARTS) if (!pages.has(part.path) && !existsSync(join(root, part.path)) && part.pages.length > 0) pages.set(part.path, indexOf(part));
    return { pages, names };
  })();
  return made;
}

const INDEX = 'virtual:search-index';

/** @param {string} file @returns {string} its path in the repository, with slashes */
const pathOf = (file) => relative(root, file).split(sep).join('/');

/** @returns {import('vite').Plugin} */
export function site() {
  return {
    name: 'webhlo-site',
    async resolveId(id) {
      if (id === INDEX) return `\0${INDEX}`;
      return id.endsWith('.html') && (await madePages()).has(pathOf(id)) ? id : undefined;
    },
    async load(id) {
      if (id === `\0${INDEX}`) return `export default ${JSON.stringify(await madeIndex())};`;
      return id.endsWith('.html') ? (await madePages()).get(pathOf(id)) : undefined;
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const asked = new URL(request.url ?? '/', 'http://localhost').pathname;
        const path = decodeURIComponent(asked).slice(1).replace(/(^|\/)$/, '$1index.html');
        const page = /^(web|demos)\/.*\.html$/.test(path) && !existsSync(join(root, path)) ? (await madePages()).get(path) : undefined;
        if (page === undefined) return next();
        try {
          const html = await server.transformIndexHtml(`/${path}`, page);
          response.writeHead(200, { 'content-type': 'text/html' }).end(html);
        } catch (error) {
          next(error);
        }
      });
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename }) {
        const path = pathOf(filename);
        return /^(web|demos)\//.test(path) ? framed(html, path) : html;
      },
    },
  };
}
