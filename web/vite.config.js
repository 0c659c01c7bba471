// Two builds from one configuration:
//
//   vite build --config web/vite.config.js                   the site: static files that work from any sub-path -> dist/site
//   vite build --config web/vite.config.js --mode elements   the elements alone, for anyone's page            -> dist/elements
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { elementFiles } from '../tools/element-types.js';
import { madePages, site } from './site/plugin.js';

const root = fileURLToPath(new URL('../', import.meta.url));

/** @param {string} folder every page below it */
function pages(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(root, folder, name));
}

/** The site's front door: the pages keep the repository's folders, so the top forwards to web/. @type {import('vite').Plugin} */
const frontDoor = {
  name: 'front-door',
  generateBundle() {
    const source = '<!doctype html><meta charset="utf-8"><title>WebHLO</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0; url=web/"><a href="web/">WebHLO</a>\n';
    this.emitFile({ type: 'asset', fileName: 'index.html', source });
  },
};

/** Types and manifest of the elements, beside their script. @type {import('vite').Plugin} */
const elementTypes = {
  name: 'element-types',
  generateBundle() {
    for (const [fileName, source] of Object.entries(elementFiles())) this.emitFile({ type: 'asset', fileName, source });
  },
};

/** What is fetched on demand comes in few pieces: Vite's code that asks for several ahead is left out of the script. @type {import('vite').Plugin} */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** Every page of the site: files, and those that are made. */
const sitePages = async () => [...pages('web'), ...pages('demos'), ...[...(await madePages()).keys()].map((path) => join(root, path))];

export default defineConfig(async ({ mode, command }) => /** @type {import('vite').UserConfig} */ ({
  root,
  base: './',
  publicDir: false,
  clearScreen: false,
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['@huggingface/tokenizers'] },
  server: { port: 5173, open: false, watch: { ignored: ['**/build/**', '**/src/**', '**/tests/**', '**/demos/cache/**'] } },
  build:
    mode === 'elements'
      ? {
          outDir: 'dist/elements',
          target: 'es2022',
          rollupOptions: {
            input: join(root, 'web/elements/index.js'),
            preserveEntrySignatures: 'allow-extension',
            output: { entryFileNames: 'webhlo-elements.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
          },
        }
      : {
          outDir: 'dist/site',
          target: 'es2022',
          rollupOptions: { input: Object.fromEntries((command === 'build' ? await sitePages() : []).map((path) => [relative(root, path), path])) },
        },
  plugins: mode === 'elements' ? [elementTypes, plainImports] : [site(), frontDoor],
}));
