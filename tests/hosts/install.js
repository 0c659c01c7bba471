// Gets everything ready that the tests of hosts need: their tools (npm ci, from the lock file of this folder), and the package,
// packed as npm would publish it and installed into tests/hosts/installed, from where each app has its own copy.
//
//   node tests/hosts/install.js && node --test tests/hosts/node.test.js

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the package is installed, and where the apps are. */
export const installed = join(here, 'installed');

/** @param {string[]} args @param {string} cwd */
function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Bundlers, Deno, Bun and other versions of Node, unless they are installed as the lock file says. */
function installTools() {
  const done = join(here, 'node_modules/.package-lock.json');
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) return;
  console.log('installing the tools that the hosts need (npm ci)');
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
}

/** The package as it would be published. */
function installPackage() {
  console.log('packing and installing webhlo');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  npm(['pack', '--pack-destination', installed], root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', `./webhlo-${version}.tgz`], installed);
}

/** An app of its own, with the package in its node_modules. @param {string} name @param {string} [source] a folder of apps/ @returns {string} its folder */
export function makeApp(name, source = name) {
  const app = join(installed, name);
  rmSync(app, { recursive: true, force: true });
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  cpSync(join(here, 'apps', source), app, { recursive: true });
  cpSync(join(here, 'program.js'), join(app, 'program.js'));
  cpSync(join(installed, 'node_modules/webhlo'), join(app, 'node_modules/webhlo'), { recursive: true });
  if (!existsSync(join(app, 'package.json')))
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name: `app-${name}`, private: true, type: 'module', dependencies: { webhlo: '*' } }));
  return app;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installTools();
  installPackage();
}
