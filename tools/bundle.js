// js/webhlo.generated.js, what the package exports, and js/core.generated.js, all its modules in one file without comments or spaces,
// which is read in a tenth of the time that thirty files take. They stand beside the modules, so that addresses relative to one stay
// what they are. What is imported on demand has files of its own; what only threads need is imported from its modules.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.js';

const name = 'webhlo.generated.js';
/** What modules that are imported on demand are made of. Node's own is not among them: it is wanted at once there. */
const onDemand = ['custom-calls.js', 'dynamic-sizes.js', 'origins-run.js', 'shared-memory.js', 'specializer.js'];

/** Does nothing where vite is not installed, or nothing has changed. */
export async function bundle() {
  if (!existsSync(join(root, 'node_modules/vite'))) return;
  const sources = readdirSync(join(root, 'js')).filter((file) => file.endsWith('.js') && !file.endsWith('.generated.js'));
  const newest = Math.max(...[...sources, 'build/bundle.js'].map((file) => statSync(join(root, 'js', file)).mtimeMs));
  if (existsSync(join(root, 'js', name)) && statSync(join(root, 'js', name)).mtimeMs > newest) return;
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: 'js/index.js', // not a page: URLs and imports of node: stay as they are
      outDir: 'js',
      emptyOutDir: false,
      target: 'es2022',
      rollupOptions: {
        external: [/^node:/, './pool.js'],
        preserveEntrySignatures: 'strict', // what the modules loaded on demand share with it is no part of the API
        output: {
          entryFileNames: name,
          chunkFileNames: '[name].generated.js',
          codeSplitting: { groups: [{ name: 'core', test: (id) => !onDemand.some((file) => id.endsWith(`/${file}`)) }] },
          comments: false,
          // Classes keep their names, which messages tell, and functions theirs, which traces tell.
          minify: { compress: { keepNames: { class: true, function: true } }, mangle: { toplevel: false, keepNames: true }, codegen: true },
        },
      },
    },
  });
}
