// How an app is built with each bundler: as the bundler's own documentation says, with no setting that is about WebHLO.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, tool } from './tools.js';

/** @param {string} entry @param {string} [attributes] */
const html = (entry, attributes = 'type="module"') =>
  `<!doctype html>\n<meta charset="utf-8">\n<title>${entry}</title>\n<link rel="icon" href="data:,">\n<body><script ${attributes} src="./${entry}.js"></script></body>\n`;

/** A page for each entry. @param {string} folder @param {string[]} entries @param {string} [attributes] */
export function writePages(folder, entries, attributes) {
  mkdirSync(folder, { recursive: true });
  for (const entry of entries) writeFileSync(join(folder, `${entry}.html`), html(entry, attributes));
}

/** @param {string} app @param {string[]} entries */
const sources = (app, entries) => Object.fromEntries(entries.map((entry) => [entry, join(app, `${entry}.js`)]));

/** @param {string} app @param {string[]} entries */
const pages = (app, entries) => entries.map((entry) => join(app, `${entry}.html`));

/** Builds entries of an app, each with its page, into a folder. @typedef {(app: string, entries: string[], out: string) => Promise<void>} Bundler */

/** @type {Record<'vite' | 'webpack' | 'esbuild' | 'rollup' | 'parcel', Bundler>} */
export const bundlers = {
  async vite(app, entries, out) {
    writePages(app, entries);
    const { build } = await import('vite');
    await build({ root: app, base: './', configFile: false, logLevel: 'error', build: { outDir: out, emptyOutDir: true, rollupOptions: { input: pages(app, entries) } } });
  },

  async webpack(app, entries, out) {
    const { default: webpack } = await import('webpack');
    const entry = sources(app, entries);
    await new Promise((resolve, reject) =>
      webpack({ mode: 'production', context: app, entry, output: { path: out }, performance: false }, (error, stats) => {
        if (error || stats?.hasErrors() || stats?.hasWarnings()) reject(error ?? new Error(stats?.toString({ preset: 'errors-warnings' })));
        else resolve(undefined);
      }),
    );
    writePages(out, entries, 'defer');
  },

  async esbuild(app, entries, out) {
    const { build } = await import('esbuild');
    await build({ entryPoints: Object.values(sources(app, entries)), outdir: out, bundle: true, minify: true, format: 'esm', logLevel: 'error' });
    writePages(out, entries);
  },

  async rollup(app, entries, out) {
    const [{ rollup }, { nodeResolve }] = await Promise.all([import('rollup'), import('@rollup/plugin-node-resolve')]);
    const onwarn = (/** @type {any} */ warning) => {
      throw new Error(warning.message);
    };
    const bundle = await rollup({ input: sources(app, entries), plugins: [nodeResolve({ browser: true })], onwarn });
    await bundle.write({ dir: out, format: 'es' });
    await bundle.close();
    writePages(out, entries);
  },

  async parcel(app, entries, out) {
    writePages(app, entries);
    const command = [process.execPath, tool('parcel/lib/bin.js'), 'build', ...pages(app, entries), '--dist-dir', out, '--public-url', './', '--no-cache'];
    await output(command, app, { PARCEL_WORKERS: '1' });
  },
};

/**
 * Vite's development server over an app.
 * @param {string} app
 * @param {string[]} entries
 * @param {Record<string, string>} headers
 * @param {string} [vite] the package, 'vite' or one of an earlier version
 * @returns {Promise<{ url: string, close: () => unknown }>}
 */
export async function viteServer(app, entries, headers, vite = 'vite') {
  writePages(app, entries);
  const { createServer } = await import(vite);
  const server = await createServer({ root: app, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0, headers, watch: null } });
  await server.listen();
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer?.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/**
 * Builds an app with Next, and serves it.
 * @param {string} app
 * @returns {Promise<{ url: string, close: () => unknown }>}
 */
export async function nextServer(app) {
  const next = tool('next/dist/bin/next');
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  await output([process.execPath, next, 'build'], app, env);
  const args = [next, 'start', '--port', '0', '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, args, { cwd: app, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      const address = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(text);
      if (address && /Ready/.test(text)) resolve({ url: address[0], close: () => server.kill() });
    });
    server.on('close', (code) => reject(new Error(`next start ended with ${code}:\n${text}`)));
  });
}
