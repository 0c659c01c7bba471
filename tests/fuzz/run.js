// npm run fuzz -- [TARGET [SECONDS]]: builds the targets with libFuzzer, gathers seeds from the tests, and runs one of them, or each in turn.
// What is found is written to build/fuzz/found/TARGET; the corpus grows in build/fuzz/corpus/TARGET.
//
// npm run fuzz -- wasm [SECONDS [FIRST]]: mutants of the programs of tests/ops (mutants.js) in the built package instead, from number FIRST on
// (else from one that the clock gives).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../tools/toolchain.js';
import { targets, writeDictionary, writeSeeds } from './seeds.js';

const { positionals } = parseArgs({ allowPositionals: true });
const [target, seconds = '60', first = String(Date.now() % 2 ** 31)] = positionals;
if ((target !== undefined && target !== 'wasm' && !targets.includes(target)) || !(Number(seconds) > 0)) {
  console.error(`usage: npm run fuzz -- [TARGET [SECONDS]], where TARGET is one of ${['wasm', ...targets].join(', ')}`);
  process.exit(2);
}

const build = join(root, 'build/fuzz');

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] @returns {number} */
function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  return status ?? 1;
}

/** Mutants until the time is up; each that fails is written to a file. @returns {Promise<boolean>} whether none did */
async function runMutants() {
  const { Mutants } = await import('./mutants.js');
  const found = join(build, 'found/wasm');
  mkdirSync(found, { recursive: true });
  const mutants = await Mutants.start();
  const began = performance.now();
  let number = Number(first);
  let failures = 0;
  for (; performance.now() - began < 1000 * Number(seconds); number++) {
    const text = mutants.mutant(number);
    const wrong = await mutants.judge(text, number);
    if (wrong === undefined) continue;
    failures++;
    const path = join(found, `${number}.hlo`);
    writeFileSync(path, text);
    console.log(`mutant ${number}: ${wrong.slice(0, 500)}\n  ${path}`);
    if (/^INTERNAL|fault/.test(wrong)) break; // a runtime that has trapped runs nothing more
  }
  console.log(`${number - Number(first)} mutants from ${first} on, ${failures} failed; ended as ${JSON.stringify(Object.fromEntries(mutants.ends))}`);
  mutants.dispose();
  return failures === 0;
}

if (target === 'wasm') process.exit((await runMutants()) ? 0 : 1);

const configured = run('cmake', ['-B', build, '-DWEBHLO_FUZZ=ON', '-DWEBHLO_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug'], { CC: 'clang' });
const chosen = target ? [target] : targets;
if (configured !== 0 || run('cmake', ['--build', build, '-j', '2', '--target', ...chosen.map((name) => `${name}_fuzz`)]) !== 0) process.exit(1);

let failed = false;
for (const name of chosen) {
  const [seeds, corpus, found] = ['seeds', 'corpus', 'found'].map((folder) => join(build, folder, name));
  for (const folder of [seeds, corpus, found]) mkdirSync(folder, { recursive: true });
  console.log(`${name}: ${writeSeeds(name, seeds)} seeds, ${seconds} s`);
  const dictionary = writeDictionary(name, join(build, 'seeds'));
  const options = [`-max_total_time=${seconds}`, '-timeout=20', '-rss_limit_mb=2048', '-max_len=8192', `-artifact_prefix=${found}/`, '-print_final_stats=1'];
  if (dictionary) options.push(`-dict=${dictionary}`);
  failed = run(join(build, `${name}_fuzz`), [...options, corpus, seeds]) !== 0 || failed;
  if (readdirSync(found).length > 0) console.log(`inputs that were found: ${found}`);
}
process.exit(failed ? 1 : 0);
