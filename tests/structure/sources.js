// The files of the repository, and what JavaScript modules import.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Paths from the root of all files under a folder whose names match, but not those of packages, nor what the tests of hosts install. @param {string} folder @param {RegExp} name @returns {string[]} */
export function filesOf(folder, name) {
  return readdirSync(join(root, folder)).filter((entry) => entry !== 'node_modules' && entry !== 'installed').flatMap((entry) => {
    const path = join(folder, entry);
    return statSync(join(root, path)).isDirectory() ? filesOf(path, name) : name.test(entry) ? [path] : [];
  });
}

/** @param {string} path */
export const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** The code of a module, without comments that stand on lines of their own. @param {string} path */
export const codeOf = (path) => textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/**
 * What a module of js/ imports when it runs, types apart; paths from the root, and '#host' and 'node:fs' as they are.
 * @param {string} path @returns {string[]}
 */
export function importsOf(path) {
  const code = codeOf(path);
  const found = [...code.matchAll(/^(?:import\s+(?:[\w$*{}\s,]+?\s+from\s+)?|export\s+(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+)['"]([^'"]+)['"]/gm), ...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)];
  return found.map(([, name]) => (name.startsWith('.') ? relative(root, join(root, path, '..', name)) : name));
}
