// A server of one file, with the faults of servers and lines: for tests.
import { createServer } from 'node:http';

/**
 * @param {Uint8Array} bytes
 * @param {{ ranges?: boolean | 'ignored', etag?: (request: number) => string | undefined, status?: (request: number) => number, most?: (request: number) => number, length?: boolean, delay?: number,
 *   wrong?: boolean, cors?: boolean, counts?: boolean, body?: (request: number) => Uint8Array }} [faults]
 *   ranges: whether it says and gives parts; 'ignored': it says so, and gives all; most: bytes after which the line breaks, of each request, counted from 0
 */
export async function serveFile(bytes, { ranges = true, etag = () => '"1"', status = () => 0, most = () => Infinity, length = true, delay = 0, wrong = false, cors = false, counts = false, body = () => bytes } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const shared = cors ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-expose-headers': '*', 'cross-origin-resource-policy': 'cross-origin' } : {};
    if (request.method === 'OPTIONS') return response.writeHead(204, shared).end();
    if (counts && request.url?.endsWith('?count')) return response.writeHead(200, { ...shared, 'cache-control': 'no-store' }).end(`${requests.length}`);
    if (counts && request.url?.endsWith('-none')) return response.writeHead(404, shared).end();
    const number = requests.push({ url: request.url, range: request.headers.range, headers: request.headers }) - 1;
    const failed = status(number);
    if (failed) return response.writeHead(failed, shared).end('no');
    const content = body(number);
    const [, from, to] = (ranges === true && /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')) || [];
    const [start, end] = from === undefined ? [0, content.length] : [Number(from), to ? Number(to) + 1 : content.length];
    const headers = { ...shared, 'content-type': 'application/octet-stream', ...(ranges && { 'accept-ranges': 'bytes' }), ...(etag(number) && { etag: etag(number) }) };
    if (length) headers['content-length'] = end - start;
    if (from !== undefined) headers['content-range'] = `bytes ${wrong ? start + 1 : start}-${end - 1}/${content.length}`;
    response.writeHead(from === undefined ? 200 : 206, headers);
    let left = most(number);
    for (let at = start; at < end && left > 0; ) {
      const count = Math.min(65536, end - at, left);
      if (response.destroyed) return;
      const more = response.write(content.subarray(at, at + count));
      at += count;
      left -= count;
      if (!more) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
    }
    if (left > 0) response.end();
    else setTimeout(() => response.destroy(), 30);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/folder/model.safetensors`,
    requests,
    close: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}
