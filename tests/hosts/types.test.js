// The types of the package in TypeScript's strict mode, as bundlers and as Node.js resolve them.

import { hostTest, makeApp, missing, output, tool } from './harness.js';

const tsc = tool('typescript/bin/tsc');
const app = makeApp('types');

/** @type {Record<string, string[]>} */
const RESOLUTIONS = {
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
};

/** Standard libraries and global types. Types of the package are checked, too, but where WebAssembly has none (skipLibCheck, as `tsc --init` has it). */
const ENVIRONMENTS = {
  'es2022 and dom': ['--lib', 'es2022,dom', '--types', '', '--skipLibCheck', 'false'],
  'esnext and dom': ['--lib', 'esnext,dom,dom.iterable', '--types', '', '--skipLibCheck', 'false'],
  "es2022 and Node's": ['--lib', 'es2022', '--types', 'node', '--skipLibCheck', 'true'],
};

for (const [name, resolution] of Object.entries(RESOLUTIONS))
  for (const [environment, options] of Object.entries(ENVIRONMENTS))
    hostTest(`TypeScript: ${name}, ${environment}`, missing(tsc), async () => {
      await output([process.execPath, tsc, '--strict', '--noEmit', '--target', 'es2022', '--ignoreConfig', ...options, ...resolution, 'sample.ts'], app);
    });
