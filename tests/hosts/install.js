// Gets everything ready that the tests of hosts need: their tools, as the lock file of this folder says, and the package,
// packed as npm would publish it and installed into tests/hosts/installed, from where each app has its own copy.
//
//   node tests/hosts/install.js && node --test tests/hosts/node.test.js

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './tools.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the package is installed, and where the apps are. */
export const installed = join(here, 'installed');

/** @param {string[]} args @param {string} cwd */
const npm = (args, cwd) => output(['npm', ...args], cwd, {}, 1_200_000);

/** Bundlers, Deno, Bun and other versions of Node, unless they are installed as the lock file says. */
async function installTools() {
  const done = join(here, 'node_modules/.package-lock.json');
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) return;
  console.log('installing the tools that the hosts need (npm install)');
  const clock = setInterval(() => console.log('still installing'), 30_000);
  try {
    // Not npm ci: it asks the lock file for the binaries of every platform, and registries need not have them all.
    await npm(['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], here);
  } catch (error) {
    if (process.env.CI) throw error;
    console.log(`not all tools could be installed, and tests that need them are skipped: ${error}`);
  } finally {
    clearInterval(clock);
  }
}

/** The package as it would be published. */
async function installPackage() {
  console.log('packing and installing webhlo');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  await npm(['pack', '--pack-destination', installed], root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', `./webhlo-${version}.tgz`], installed);
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
  await installTools();
  await installPackage();
}
