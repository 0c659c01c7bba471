// What the commands' options and help texts have in common.

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HloError } from '../objects/errors.js';
import { UsageError } from './failures.js';

/**
 * Reads a whole number, of an option.
 * @param {string} option @param {number} [least] @param {number} [greatest]
 * @returns {(text: string) => number}
 */
export function wholeNumber(option, least = 0, greatest = Number.MAX_SAFE_INTEGER) {
  return (text) => {
    if (!/^\d+$/.test(text)) throw new UsageError(`${option} takes a whole number, got ${JSON.stringify(text)}`);
    const number = Number(text);
    if (number < least || number > greatest) throw new UsageError(`${option} is a count from ${least} to ${greatest}, got ${text}`);
    return number;
  };
}

/** The path of a sample program of the package, from where the user is. @param {string} name */
export function sample(name) {
  const path = fileURLToPath(new URL(`../../demos/samples/${name}`, import.meta.url));
  const near = relative(process.cwd(), path);
  const shown = near.length < path.length ? near : path;
  if (!existsSync(path)) throw new HloError('INTERNAL', `the sample ${path} is missing from the package`);
  return /^[\w./@+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** Examples of a help text: each can be typed as it stands. @param {...string} lines without `webhlo` */
export function examples(...lines) {
  return `\nExamples:\n${lines.map((line) => `  webhlo ${line}`).join('\n')}`;
}
