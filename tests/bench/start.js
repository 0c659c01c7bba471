// npm run bench: installs the packages of this folder where they are missing, and runs bench.js in a Node that all peers can use.
// With --growth, --narrow, --against xla, --mpi or --first-sentence: runs growth.js, narrow.js, xla.js, ranks.js or first-sentence.js instead, in this Node; no peer of
// bench.js takes part.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('./', import.meta.url));
const newestNeeded = 26;

function fail(/** @type {string} */ message) {
  console.error(message);
  process.exit(1);
}

if (!existsSync(new URL('../../dist/webhlo.wasm', import.meta.url))) fail("dist/webhlo.wasm is not there: build it with 'npm run build'");
for (const [option, script] of [['growth', 'growth'], ['narrow', 'narrow'], ['against', 'xla'], ['mpi', 'ranks'], ['first-sentence', 'first-sentence']]) {
  if (!process.argv.some((argument) => argument.split('=')[0] === `--${option}`)) continue;
  const { status } = spawnSync(process.execPath, [`${here}${script}.js`, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
if (!existsSync(new URL('node_modules/.package-lock.json', import.meta.url))) {
  console.log('installing the peers (tests/bench/node_modules)');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  if (status !== 0) fail('npm ci in tests/bench failed');
}
const installed = fileURLToPath(new URL(`node_modules/node-linux-${process.arch}/bin/node`, import.meta.url));
const own = Number(process.versions.node.split('.')[0]) >= newestNeeded;
if (!own && !existsSync(installed))
  fail(`this is Node ${process.versions.node}; some peers need ${newestNeeded} or later, and npm has none for ${process.platform} ${process.arch}: start it with one`);
const { status } = spawnSync(own ? process.execPath : installed, [`${here}bench.js`, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
