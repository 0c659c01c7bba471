// A server of one file, in a process of its own: gives parts, from the disk.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

const path = process.argv[2];
const total = statSync(path).size;
const server = createServer((request, response) => {
  const [, start = '0', last = `${total - 1}`] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const isPart = request.headers.range !== undefined;
  response.writeHead(isPart ? 206 : 200, { 'content-length': Number(last) + 1 - Number(start), 'accept-ranges': 'bytes', ...(isPart && { 'content-range': `bytes ${start}-${last}/${total}` }) });
  createReadStream(path, { start: Number(start), end: Number(last) }).pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${/** @type {any} */ (server.address()).port}/large.safetensors`));
process.on('disconnect', () => process.exit());
