// The examples of README.md and docs/*.md run as they stand there, and give what they say; commands and links lead somewhere.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pages, runnable } from '../../tools/examples.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const samples = join(root, 'demos/samples');
const all = pages();

/** An empty folder with the sample programs in it, and the package as npm installs it. @param {string} name */
function workingFolder(name) {
  const folder = join(root, 'build/examples/node', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  cpSync(samples, folder, { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/webhlo'), 'dir');
  return folder;
}

/** Runs a program; its failure is what it printed. @param {string} program @param {string[]} args @param {string} cwd */
async function run(program, args, cwd) {
  try {
    return (await promisify(execFile)(program, args, { cwd, timeout: 60_000, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {any} */ (error);
    return assert.fail(`${message}\n${stdout}${stderr}`);
  }
}

const check = fileURLToPath(new URL('shown.js', import.meta.url));

for (const page of all) {
  const { source, values } = runnable(page);
  if (!page.blocks.some(({ language }) => language === 'js')) continue;
  test(`${page.path}: its examples run, and ${values} values are as it says`, async () => {
    const folder = workingFolder(page.name);
    writeFileSync(join(folder, 'example.js'), source);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    const stdout = await run(process.execPath, ['--import', check, 'example.js'], folder);
    assert.equal(/^compared (\d+)$/m.exec(stdout)?.[1], String(values));
  });
}

test('blocks have a language that is known here', () => {
  const known = ['js', 'js page', 'html', 'sh', 'python', 'text', 'hlo', 'http', 'css'];
  for (const { path, blocks } of all)
    for (const { language, line } of blocks) assert.ok(known.includes(language), `${path}:${line - 1}: ${language || 'no language'}`);
});

test('what is written in Python is the program in demos/samples/ that wrote the files there', () => {
  const programs = readdirSync(samples).filter((name) => name.endsWith('.py')).map((name) => readFileSync(join(samples, name), 'utf8').trim());
  for (const { path, blocks } of all)
    for (const { language, line, text } of blocks)
      if (language === 'python') assert.ok(programs.includes(text.trim()), `${path}:${line}: there is no such program in samples/`);
});

test('commands do what they are said to do', async () => {
  const commands = all.flatMap(({ path, blocks }) =>
    blocks.filter(({ language }) => language === 'sh').flatMap(({ text, line }) =>
      text.split('\n').flatMap((command, i) => (command.startsWith('npx webhlo ') ? [{ command: command.replace(/\s+#.*/, ''), at: `${path}:${line + i}` }] : []))));
  assert.ok(commands.length > 5, `${commands.length} commands`);
  const folder = workingFolder('commands');
  const cli = join(root, 'dist/node/cli.js');
  for (const { command, at } of commands) {
    const stdout = await run('/bin/sh', ['-c', command.replace('npx webhlo', `"${process.execPath}" "${cli}"`)], folder);
    assert.ok(stdout.length > 0 || / (--output|-o|>) /.test(command), `${at}: ${command} printed nothing`);
  }
});

test('paths of the installed package are in what npm packs', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const { path } of all)
    for (const [, target] of readFileSync(join(root, path), 'utf8').matchAll(/node_modules\/webhlo\/([\w./-]*[\w-])/g)) {
      assert.ok(files.some((/** @type {string} */ file) => `${target}/`.startsWith(`${file}/`)) || target === 'dist', `${path}: ${target}`);
      if (!target.startsWith('dist/elements')) assert.ok(existsSync(join(root, target)), `${path}: ${target} is not there`); // Vite builds these
    }
});

/** The anchors of a page's headings, as GitHub makes them. @param {string} text */
function anchorsOf(text) {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title]) => title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

/** The links of a page that lead to files of the repository: these files, by their paths, and what stands behind a #. @param {string} path */
function linksOf(path) {
  const text = readFileSync(join(root, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter((target) => !/^https?:/.test(target));
  return targets.map((target) => {
    const [file, anchor] = target.split('#');
    return { target, anchor, to: file ? normalize(join(dirname(path), file)) : path };
  });
}

test('links lead to files and headings that there are', () => {
  for (const path of [...all.map((page) => page.path), 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'tests/README.md', 'demos/samples/README.md'])
    for (const { target, to, anchor } of linksOf(path)) {
      assert.ok(existsSync(join(root, to)), `${path}: ${target}`);
      if (anchor) assert.ok(anchorsOf(readFileSync(join(root, to), 'utf8')).includes(anchor), `${path}: ${target}: there is no such heading`);
    }
});

test('links of the pages that npm packs lead to what it packs', async () => {
  const [{ files }] = JSON.parse(await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const packed = files.map((/** @type {{ path: string }} */ { path }) => path);
  assert.ok(packed.includes('README.md') && packed.includes('docs/limits.md'), `${packed}`);
  for (const path of packed.filter((/** @type {string} */ name) => name.endsWith('.md')))
    for (const { target, to } of linksOf(path)) assert.ok(packed.includes(to), `${path}: ${target}`);
});
