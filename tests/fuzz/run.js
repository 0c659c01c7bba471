// npm run fuzz -- [TARGET [SECONDS]]: builds the targets with libFuzzer, gathers seeds from the tests, and runs one of them, or each in turn.
// What is found is written to build/fuzz/found/TARGET; the corpus grows in build/fuzz/corpus/TARGET.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../tools/toolchain.js';
import { targets, writeDictionary, writeSeeds } from './seeds.js';

const { positionals } = parseArgs({ allowPositionals: true });
const [target, seconds = '60'] = positionals;
if ((target !== undefined && !targets.includes(target)) || !(Number(seconds) > 0)) {
  console.error(`usage: npm run fuzz -- [TARGET [SECONDS]], where TARGET is one of ${targets.join(', ')}`);
  process.exit(2);
}

const build = join(root, 'build/fuzz');

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] @returns {number} */
function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  return status ?? 1;
}

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
