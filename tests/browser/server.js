// A static server of a folder, the repository unless another is given, for pages under test.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.hlo': 'text/plain', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** What makes a page cross-origin isolated. */
const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** @param {string} [folder] @param {{ isolated?: boolean }} [options] @returns {Promise<{ url: string, close(): void }>} */
export function serve(folder = root, { isolated = false } = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)).replace(/\/$/, '/index.html');
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', ...(isolated && ISOLATION) }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections?.() ?? server.close() });
    });
    server.unref();
  });
}
