// The store of files of weights that were fetched: in Node.js and its like, a folder.

import { loadError } from './host.js';
import { builtin } from './node-builtin.js';
import { openPath } from './node-files.js';

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
  /** @template T @param {Promise<T>} doing @returns {Promise<T>} */
  const kept = (doing) =>
    doing.catch((error) => {
      throw loadError(`the cache ${folder} cannot be used: ${error.message}; leave the option cache out`, error);
    });
  await kept(fs.mkdir(folder, { recursive: true }));
  return {
    async get(key) {
      const at = pathOf(key);
      return builtin('node:fs').existsSync(at) ? openPath(at) : undefined;
    },
    async put(key) {
      const at = pathOf(key);
      const part = `${at}.${process.pid}.${Math.random().toString(36).slice(2)}.part`;
      const file = await kept(fs.open(part, 'wx'));
      return {
        write: (chunk) => kept(file.writeFile(chunk)),
        async close() {
          await kept(file.close());
          await kept(fs.rename(part, at));
        },
        async abort() {
          await file.close();
          await fs.rm(part, { force: true });
        },
      };
    },
    delete: (key) => kept(fs.rm(pathOf(key), { force: true })),
  };
}
