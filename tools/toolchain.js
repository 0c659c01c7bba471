// Finds the programs that a build needs, and installs what is missing where it may.

import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

/** The path of a program, or undefined. @param {string} name */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not here
    }
  }
  return undefined;
}

/**
 * What to put in front of a command to run it as root; undefined where that is not allowed.
 * @returns {string[] | undefined}
 */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (which('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo', '-n'];
  return undefined;
}

let updated = false;

/**
 * Installs Debian packages; says so. False where that is not possible.
 * @param {string[]} packages
 */
export function install(packages) {
  const prefix = which('apt-get') ? asRoot() : undefined;
  if (!prefix) return false;
  const apt = (/** @type {string[]} */ ...args) => {
    const [program, ...rest] = [...prefix, 'apt-get', ...args];
    execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  console.log(`installing ${packages.join(', ')} (apt-get)`);
  try {
    if (!updated) apt('-qq', 'update');
    updated = true;
    apt('-qq', 'install', '-y', '--no-install-recommends', ...packages);
    return true;
  } catch {
    return false;
  }
}

/** Installs the development dependencies of the lock file, where one of those that a build or a test needs first is missing. What needs none of them goes on without. */
export function installPackages() {
  if (['@huggingface/tokenizers', 'commander', 'lit', 'puppeteer-core', 'rolldown', 'typescript', 'vite'].every((name) => existsSync(join(root, 'node_modules', name)))) return;
  console.log('installing development dependencies (npm ci)');
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Ends the process with what to do. @param {string} message */
function giveUp(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/**
 * emcc and cmake, installed if need be. A newer emsdk on the PATH is used as it is.
 * @returns {{ cmake: string, toolchain: string, env: Record<string, string | undefined> }}
 */
export function emscripten() {
  const missing = () => [...(which('emcc') ? [] : ['emscripten']), ...(which('cmake') ? [] : ['cmake', 'make'])];
  let packages = missing();
  if (packages.length > 0 && install(packages)) packages = missing();
  const emcc = which('emcc');
  const cmake = which('cmake');
  if (!emcc || !cmake) {
    giveUp(`Building needs ${packages.join(' and ')}. On Debian or Ubuntu:

    sudo apt-get install ${packages.join(' ')}

Elsewhere: https://emscripten.org/docs/getting_started/downloads.html (any release from 3.1.6 on)
and CMake 3.20 or newer; then run this command again.`);
    throw new Error('unreachable');
  }
  const folder = dirname(realpathSync(emcc));
  const toolchain = join(folder, 'cmake/Modules/Platform/Emscripten.cmake');
  if (!existsSync(toolchain)) giveUp(`${emcc} has no CMake toolchain file at ${toolchain}`);
  const env = { ...process.env };
  // Debian's emcc finds its own Node modules only through Debian's Node.
  if (existsSync('/usr/share/nodejs/acorn') && folder.startsWith('/usr/share/emscripten'))
    env.NODE_PATH = [env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);
  return { cmake, toolchain, env };
}

/**
 * Runs a program, its output shown only when it fails (or in verbose builds).
 * @param {string} program @param {string[]} args @param {Record<string, string | undefined>} [env]
 */
export function run(program, args, env = process.env) {
  const verbose = process.env.VERBOSE === '1';
  const stdio = verbose ? 'inherit' : 'pipe';
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8', stdio, maxBuffer: 1 << 28 });
  if (status === 0) return;
  if (!verbose) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  giveUp(`${program} ${args.join(' ')} failed`);
}
