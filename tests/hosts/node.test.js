// Node.js of every version that is maintained, Deno and Bun; bundles for Node.js.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expected, hostTest, makeApp, missing, output, reportOf, tool } from './harness.js';

const arch = process.arch;
const aarch = { x64: 'x64', arm64: 'aarch64' }[/** @type {'x64'} */ (arch)] ?? arch;

/** @type {{ name: string, command: string[] }[]} */
const hosts = [
  { name: `Node ${process.versions.node} (this one)`, command: [process.execPath] },
  ...['20', '22', '26'].map((version) => ({ name: `Node ${version}`, command: [tool(`node-${version}-${arch}/bin/node`)] })),
  { name: 'Deno', command: [tool(`@deno/linux-${arch}-glibc/deno`), 'run', '--allow-all', '--no-lock'] },
  { name: 'Bun', command: [tool(`@oven/bun-linux-${aarch}/bin/bun`)] },
];

const SCRIPTS = { import: 'main.mjs', 'require()': 'required.cjs', 'import()': 'imported.cjs', 'webhlo/inline': 'inline.mjs' };

const app = makeApp('node');

for (const { name, command } of hosts)
  for (const [way, script] of Object.entries(SCRIPTS))
    hostTest(`${name}: ${way}`, missing(command[0]), async () => {
      assert.deepEqual(await reportOf([...command, script], app), expected());
    });

for (const { name, command } of hosts)
  hostTest(`${name}: the command of the package`, missing(command[0]), async () => {
    const text = await output([...command, 'node_modules/webhlo/dist/node/cli.js', 'layout', 'f32[3,5]{1,0:T(2,2)}'], app);
    assert.match(text, /f32\[3,5\]/);
  });

for (const format of /** @type {const} */ (['esm', 'cjs'])) {
  const extension = { esm: 'mjs', cjs: 'cjs' }[format];
  /** @param {string} entry */
  const bundle = async (entry) => {
    const { build } = await import('esbuild');
    const outfile = join(app, 'bundled', `${entry}.${extension}`);
    await build({ entryPoints: [join(app, `${entry}.mjs`)], outfile, bundle: true, platform: 'node', format, logLevel: 'error', logOverride: { 'empty-import-meta': 'silent' } });
    return outfile;
  };
  hostTest(`esbuild for Node, ${format}: webhlo/inline`, missing(tool('esbuild')), async () => {
    assert.deepEqual(await reportOf([process.execPath, await bundle('inline')], app), expected());
  });
  hostTest(`esbuild for Node, ${format}: the error of webhlo names webhlo/inline`, missing(tool('esbuild')), async () => {
    for (const { name, code, message } of await reportOf([process.execPath, await bundle('failing')], app)) {
      assert.equal(`${name} ${code}`, 'HloError LOAD');
      assert.match(message, /webhlo\.wasm|webhlo-threads\.wasm/);
      assert.match(message, /webhlo\/inline/);
    }
  });
}

hostTest('webpack for Node', missing(tool('webpack')), async () => {
  const { default: webpack } = await import('webpack');
  const [path, filename] = [join(app, 'packed'), 'main.cjs'];
  await new Promise((resolve, reject) =>
    webpack({ mode: 'production', target: 'node20', context: app, entry: join(app, 'main.mjs'), output: { path, filename } }, (error, stats) => {
      if (error || stats?.hasErrors() || stats?.hasWarnings()) reject(error ?? new Error(stats?.toString({ preset: 'errors-warnings' })));
      else resolve(undefined);
    }),
  );
  assert.deepEqual(await reportOf([process.execPath, join(path, filename)], app), expected());
});

hostTest('Node: files of the package that are missing', '', async () => {
  const broken = makeApp('node-broken', 'node');
  const dist = join(broken, 'node_modules/webhlo/dist');
  for (const name of ['node/worker-runtime.js', 'webhlo.wasm']) {
    rmSync(join(dist, name));
    const [, { name: error, code, message }] = await reportOf([process.execPath, 'failing.mjs'], broken);
    assert.equal(`${error} ${code}`, 'HloError LOAD');
    assert.ok(message.includes(join(dist, name)), message);
    assert.match(message, /webhlo\/inline/);
  }
});
