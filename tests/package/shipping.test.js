// What ships: how many bytes, and how it reads in a stack trace.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Module and scripts that load at once, compressed as a server sends them. */
const MOST_BYTES = 373_500;
/** Characters of a line of the scripts: a stack trace shows one line. */
const LONGEST_LINE = 1000;
/** The command line catches every error, so that no trace shows its lines. */
const COMMAND_LINE = ['cli.js', 'program.js'];

/** The scripts that one imports, itself among them. @param {string} name @param {Set<string>} found */
function importsOf(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of readFileSync(`${dist}web/${name}`, 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) importsOf(other, found);
  return found;
}

/** @param {string} path */
const compressed = (path) =>
  brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;

/** webhlo.wasm and the scripts that load with it. */
function bytesToShip() {
  const scripts = [...importsOf('index.js')];
  assert.ok(scripts.includes('core.js'), `index.js leads to ${scripts}`);
  return [`${dist}webhlo.wasm`, ...scripts.map((name) => `${dist}web/${name}`)].map(compressed).reduce((a, b) => a + b);
}

test('webhlo.wasm and the scripts that load with it are within their bytes', (context) => {
  const bytes = bytesToShip();
  context.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
});

test('the README tells their size, to a twentieth', () => {
  const told = Number(/loads about (\d+) KB/.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))?.[1]) * 1000;
  const bytes = bytesToShip();
  assert.ok(Math.abs(told - bytes) <= bytes / 20, `the README tells ${told} bytes; there are ${bytes}`);
});

test('docs/hosts.md tells it, and the bytes of webhlo.wasm, to a twentieth', () => {
  const page = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8');
  const [, wasm, together] = /^\| no bundler \| `webhlo` \|.* ([\d,]+) \| [\d,]+ \| ([\d,]+) \|$/m.exec(page) ?? [];
  for (const [told, bytes] of /** @type {const} */ ([[wasm, statSync(`${dist}webhlo.wasm`).size], [together, bytesToShip()]]))
    assert.ok(Math.abs(Number(told?.replaceAll(',', '')) - bytes) <= bytes / 20, `docs/hosts.md tells ${told} bytes; there are ${bytes}. tests/hosts/bytes.js --write measures again`);
});

test('no line of the scripts is long', () => {
  for (const folder of ['node', 'web'])
    for (const name of readdirSync(`${dist}${folder}`).filter((file) => !COMMAND_LINE.includes(file))) {
      const lines = readFileSync(`${dist}${folder}/${name}`, 'utf8').split('\n');
      const longest = lines.reduce((a, b) => (a.length > b.length ? a : b), '');
      assert.ok(longest.length <= LONGEST_LINE, `${folder}/${name}: ${longest.length} characters: ${longest.slice(0, 80)}`);
    }
});

test('an error that nobody catches prints a line of the script', () => {
  for (const entry of ['index', 'inline']) {
    const source = `import { load } from ${JSON.stringify(`${dist}node/${entry}.js`)}; const hlo = await load(); hlo.parse('HloModule');`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /HloError/);
    assert.match(stderr, /at .*Module\.parse/);
    assert.ok(stderr.length < 4000, `${stderr.length} characters`);
  }
});

test('Node.js does not load its HTTP client for a program that nobody fetches: that would take longer than all else', () => {
  const source = `const { load } = await import(${JSON.stringify(`${dist}node/index.js`)});
    const hlo = await load();
    const b = hlo.builder();
    const executable = await hlo.compile(b.build(b.dot(b.parameter(0, 'f32[2,2]'), b.parameter(1, 'f32[2,2]'))));
    const sums = executable.run([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]).toArray();
    console.log(JSON.stringify([sums, process.moduleLoadList.filter((name) => /undici/.test(name))]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(stdout || '[]'), [[[19, 22], [43, 50]], []], stderr);
});
