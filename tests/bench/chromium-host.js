// Starts an adapter in a headless Chromium of its own: a cross-origin isolated page, served from a free port of this machine.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onOneCore } from './pinning.js';

export const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const mediaTypes = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '': 'text/html' };
const nodeModules = ['node:*', 'fs', 'path', 'os', 'worker_threads', 'crypto', 'util', 'perf_hooks'];

/** Threads of ours wait for one another, which a page's main thread may not: the whole contestant is in a worker of the page. */
const belongsInWorker = (/** @type {string} */ id, /** @type {import('./peers.js').AdapterOptions} */ { threads }) => id === 'webhlo' && threads > 1;

/** How esbuild makes what a page loads. */
export const bundling = /** @type {const} */ ({ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error', external: nodeModules });

/** A module of this folder with all that it imports. @param {string} contents */
async function bundle(contents) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...bundling, stdin: { contents, resolveDir: here } });
  return Buffer.from(outputFiles[0].contents);
}

/** @param {string} referenceFolder */
async function serve(referenceFolder) {
  /** @type {Map<string, Promise<Buffer>>} */
  const bundles = new Map();
  const body = (/** @type {string} */ path) => {
    const [, folder, ...rest] = path.split('/');
    if (folder === '') return '<!doctype html><meta charset="utf-8"><title>bench</title>';
    if (folder === 'packages') return readFile(join(here, 'node_modules', ...rest));
    if (folder === 'webhlo') return readFile(join(root, ...rest));
    if (folder === 'reference') return readFile(join(referenceFolder, ...rest));
    if (folder === 'script') {
      const name = rest.join('/');
      if (!bundles.has(name)) bundles.set(name, bundle(`export * from './${name}';`));
      return bundles.get(name);
    }
    if (folder !== 'bundle') return undefined;
    const contents = `
      import create from './adapters/${rest[0]}';
      import { answerInWorker, openHere, openInWorker } from './page-contestant.js';
      export const open = (inWorker, options) => (inWorker ? openInWorker(import.meta.url, options) : openHere(create, options));
      answerInWorker(create);`;
    if (!bundles.has(rest[0])) bundles.set(rest[0], bundle(contents));
    return bundles.get(rest[0]);
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(/** @type {string} */ (request.url), 'http://localhost').pathname);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.setHeader('Cache-Control', 'no-store');
    try {
      const content = await body(path);
      if (content === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': /** @type {any} */ (mediaTypes)[extname(path)] ?? 'application/octet-stream' }).end(content);
    } catch (error) {
      response.writeHead(404).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return { server, url: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}` };
}

/** @param {{ executable: string, referenceFolder: string }} options */
export async function startChromium({ executable, referenceFolder }) {
  const { chromium } = await import('playwright-core');
  const { server, url } = await serve(referenceFolder);
  let version = '';

  /** A browser of its own, with a page. @param {number} threads */
  async function launch(threads) {
    const folder = await mkdtemp(join(tmpdir(), 'webhlo-bench-'));
    const launcher = join(folder, 'chromium.sh');
    const command = threads === 1 ? onOneCore([executable]) : [executable];
    await writeFile(launcher, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`);
    await chmod(launcher, 0o755);
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: launcher,
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--js-flags=--expose-gc'],
    });
    const close = async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    };
    version = context.browser()?.version() ?? version;
    return { context, page: context.pages()[0] ?? (await context.newPage()), close };
  }

  /** @param {string} id @param {import('./peers.js').AdapterOptions} options @returns {Promise<import('./node-host.js').Host>} */
  async function open(id, options) {
    const { page, close } = await launch(options.threads);
    // TF.js takes half of the cores as its limit: it is told twice as many as it should use.
    if (id === 'tfjs' && options.threads > 1)
      await page.addInitScript((cores) => void Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores }), 2 * options.threads);
    try {
      await page.goto(url);
      const facts = await page.evaluate(
        async ({ module, inWorker, adapterOptions }) => {
          const { version: ofAdapter, contestant } = await (await import(module)).open(inWorker, adapterOptions);
          /** @type {any} */ (globalThis).contestant = contestant;
          return { version: ofAdapter, userAgent: navigator.userAgent };
        },
        { module: `/bundle/${id}.js`, inWorker: belongsInWorker(id, options), adapterOptions: { ...options, files: '/packages/', runtime: '/webhlo/dist/web/index.js' } },
      );
      version ||= /Chrome\/([\d.]+)/.exec(facts.userAgent)?.[1] ?? '';
      return {
        facts,
        ask: (method, argument) =>
          page
            .evaluate(async ([name, value]) => ({ value: await /** @type {any} */ (globalThis).contestant[/** @type {string} */ (name)](value) }), [method, argument])
            .catch((error) => ({ error: String(error.message).slice(0, 600) })),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    open,
    launch,
    url,
    get version() {
      return version;
    },
    close: () => server.close(),
  };
}
