// Files of weights, and where those that were fetched are kept, in Node.js and its like.

import { builtin } from './node-builtin.js';
import { loadError } from './host.js';

/** @typedef {import('./host.js').HostFile} HostFile */

const CHUNK = 2 ** 20;

/** @param {string | URL} address @returns {URL | string} a string is the path of a file */
export function locate(address) {
  const text = String(address);
  if (/^file:/i.test(text)) return builtin('node:url').fileURLToPath(text);
  return address instanceof URL || /^[a-z][a-z0-9+.-]+:/i.test(text) ? new URL(text) : text;
}

/** Chunks are parts of one buffer, each valid until the next. @param {string} path @param {number} start @param {number} end */
async function* chunksOf(path, start, end) {
  const file = await builtin('node:fs').promises.open(path);
  try {
    const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK, end - start)));
    for (let at = start; at < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** @param {string} path @returns {Promise<HostFile>} */
export async function openPath(path) {
  try {
    const facts = await builtin('node:fs').promises.stat(path);
    if (!facts.isFile()) throw loadError(`${path} is no file`);
    return { name: path, size: facts.size, open: (start, end = facts.size) => chunksOf(path, start, end) };
  } catch (error) {
    if (/** @type {any} */ (error)?.code === 'LOAD') throw error;
    throw loadError(`${path} cannot be read (${/** @type {any} */ (error)?.code ?? error})`, error);
  }
}

/** Where this system keeps what can be made again. @param {string} name */
function folderOf(name) {
  const path = builtin('node:path');
  if (/[/\\]/.test(name)) return path.resolve(name);
  const home = builtin('node:os').homedir();
  const { env, platform } = process;
  const caches = { win32: env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'), darwin: path.join(home, 'Library', 'Caches') };
  return path.join(caches[/** @type {'win32'} */ (platform)] ?? env.XDG_CACHE_HOME ?? path.join(home, '.cache'), 'webhlo', name);
}

/** @param {string} name of a folder beside others, or, with a slash, its path @returns {Promise<import('./host.js').Store>} */
export async function openStore(name) {
  const fs = builtin('node:fs').promises;
  const path = builtin('node:path');
  const folder = folderOf(name);
  /** @param {string} key */
  const pathOf = (key) => {
    const last = (key.split(/[?#]/)[0].split('/').pop() ?? '').replace(/[^\w.-]/g, '_').slice(-80);
    return path.join(folder, `${builtin('node:crypto').createHash('sha256').update(key).digest('hex').slice(0, 32)}-${last}`);
  };
  await fs.mkdir(folder, { recursive: true });
  return {
    async get(key) {
      const at = pathOf(key);
      return builtin('node:fs').existsSync(at) ? openPath(at) : undefined;
    },
    async put(key) {
      const at = pathOf(key);
      const part = `${at}.${process.pid}.${Math.random().toString(36).slice(2)}.part`;
      const file = await fs.open(part, 'wx');
      return {
        write: async (chunk) => void (await file.writeFile(chunk)),
        async close() {
          await file.close();
          await fs.rename(part, at);
        },
        async abort() {
          await file.close();
          await fs.rm(part, { force: true });
        },
      };
    },
    delete: (key) => fs.rm(pathOf(key), { force: true }),
  };
}
