// A static server of a folder, the repository unless another is given, for pages under test.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.hlo': 'text/plain', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** What makes a page cross-origin isolated. */
export const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/**
 * @typedef {object} ServeOptions
 * @property {boolean} [isolated] whether pages are cross-origin isolated
 * @property {string} [base] the path that the folder is served under, with slashes at both ends
 * @property {Record<string, string>} [headers] of every answer
 * @property {(path: string) => { status?: number, type?: string, body?: string } | undefined} [answer] another answer than the file
 * @property {(path: string, body: Uint8Array) => void} [served] told of every file that was served
 */

/** @param {string} [folder] @param {ServeOptions} [options] @returns {Promise<{ url: string, close(): void }>} its address, without a slash at the end */
export function serve(folder = root, { isolated = false, base = '/', headers = {}, answer = () => undefined, served = () => {} } = {}) {
  const server = createServer(async (request, response) => {
    const asked = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const common = { ...headers, ...(isolated && ISOLATION) };
    const other = answer(asked);
    if (other) {
      response.writeHead(other.status ?? 200, { 'content-type': other.type ?? 'text/html', ...common }).end(other.body ?? '');
      return;
    }
    try {
      if (!asked.startsWith(base)) throw new Error('outside of the folder');
      const path = asked.slice(base.length - 1).replace(/\/$/, '/index.html');
      const body = await readFile(join(folder, path));
      served(path, body);
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', ...common }).end(body);
    } catch {
      response.writeHead(404, common).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${port}${base.slice(0, -1)}`, close: () => server.closeAllConnections?.() ?? server.close() });
    });
    server.unref();
  });
}
