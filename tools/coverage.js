// npm run coverage [-- FOLDER]: which lines and branches of src/ the native tests run, by folder; of one folder also the lines that nothing ran.
//
// The build in build/coverage counts (clang's source-based coverage). What runs are the unit tests and the inputs that fuzzing once found
// (ctest), then the seeds of the fuzz targets, which are the programs of the other tests: those of `program` go through both evaluators.
// StableHLO's suites count as well where ../shared, or the folder that WEBHLO_SHARED names, holds them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { targets, writeSeeds } from '../tests/fuzz/seeds.js';
import { root } from './toolchain.js';

const { positionals: [asked] } = parseArgs({ allowPositionals: true });
if (asked !== undefined && !existsSync(join(root, 'src', asked))) {
  console.error('usage: npm run coverage [-- FOLDER], where FOLDER is one of src');
  process.exit(2);
}

const build = join(root, 'build/coverage');
const profiles = join(build, 'profiles');

/** @param {string} program @param {string[]} args @param {'inherit' | 'pipe'} [output] @returns {string} */
function run(program, args, output = 'inherit') {
  const env = { ...process.env, CC: 'clang', LLVM_PROFILE_FILE: join(profiles, '%2m.profraw') }; // processes of one program add up
  const { status, stdout, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env, maxBuffer: 1 << 28, stdio: ['ignore', output, 'inherit'] });
  if (error) throw error;
  if (status !== 0) {
    console.error(`${program} ${args.slice(0, 4).join(' ')} ended with ${status}`);
    process.exit(1);
  }
  return stdout;
}

/** What was counted of a source. @typedef {{ path: string, lines: Map<number, number>, branches: number[] }} Source */

/** @param {string} text in lcov's format @returns {Source[]} */
function sourcesOf(text) {
  return text.split('end_of_record').flatMap((record) => {
    const path = relative(root, record.match(/^SF:(.*)$/m)?.[1] ?? '');
    if (!path.startsWith(`src${sep}`)) return [];
    const lines = new Map([...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [Number(line), Number(count)]));
    const branches = [...record.matchAll(/^BRDA:\d+,\d+,\d+,(\d+|-)/gm)].map(([, count]) => (count === '-' ? 0 : Number(count)));
    return [{ path, lines, branches }];
  });
}

/** Folders are listed with their parts where src/ has parts of a folder. @param {Source} source */
const folderOf = ({ path }) => path.split(sep).slice(1, -1).join('/');

/** @param {number[]} counts */
function share(counts) {
  const run = counts.filter((count) => count > 0).length;
  const percent = counts.length === 0 ? '' : `${((100 * run) / counts.length).toFixed(1)} %`;
  return `${`${run}/${counts.length}`.padStart(13)} ${percent.padStart(8)}`;
}

/** @param {string} name @param {Source[]} sources */
function row(name, sources) {
  console.log(name.padEnd(28) + share(sources.flatMap(({ lines }) => [...lines.values()])) + share(sources.flatMap(({ branches }) => branches)));
}

/** Lines as ranges: 3, 7-9. @param {number[]} lines */
function ranges(lines) {
  /** @type {[number, number][]} */
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ');
}

rmSync(profiles, { recursive: true, force: true });
run('cmake', ['-B', build, '-DWEBHLO_COVERAGE=ON', '-DCMAKE_BUILD_TYPE=Debug']);
run('cmake', ['--build', build, '-j', '2']);
run('ctest', ['--test-dir', build, '--no-tests=error', '--output-on-failure', '-j', '2']);
for (const target of targets) {
  const seeds = join(build, 'seeds', target);
  rmSync(seeds, { recursive: true, force: true });
  mkdirSync(seeds, { recursive: true });
  writeSeeds(target, seeds);
  run(join(build, `${target}_fuzz`), [seeds]);
}
const suites = join(process.env.WEBHLO_SHARED ?? join(root, '../shared'), 'conformance');
if (existsSync(suites)) run(join(build, 'stablehlo_text_fuzz'), [suites]);
else console.log(`SKIPPED: StableHLO's suites are not in ${suites}`);

const counts = join(build, 'all.profdata');
run('llvm-profdata', ['merge', '-o', counts, ...readdirSync(profiles).map((name) => join(profiles, name))]);
const programs = readdirSync(build).filter((name) => /_(test|fuzz)$/.test(name) && name !== 'origins_test').flatMap((name) => ['-object', join(build, name)]); // together they link all of src/
const sources = sourcesOf(run('llvm-cov', ['export', '-format=lcov', `-instr-profile=${counts}`, ...programs], 'pipe'));

console.log(`\n${'src/'.padEnd(28)}${'lines'.padStart(22)}${'branches'.padStart(22)}`);
for (const folder of [...new Set(sources.map(folderOf))].sort()) row(folder, sources.filter((source) => folderOf(source) === folder));
row('all', sources);
for (const { path, lines } of sources.filter((source) => asked && source.path.startsWith(join('src', asked) + sep))) {
  const missed = [...lines].filter(([, count]) => count === 0).map(([line]) => line).sort((a, b) => a - b);
  if (missed.length > 0) console.log(`${path}: ${ranges(missed)}`);
}
