// Modules from files and from standard input.

import { readFileSync } from 'node:fs';
import { HloError } from '../objects/errors.js';
import { Failure, UsageError, readFailure, within } from './failures.js';
import { progress } from './output.js';
import { isNpy } from '../values/npy.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/module.js').Module} Module */
/** @typedef {{ name: string, bytes: Uint8Array }} Source name: for messages */

/** @param {string} path of a module; `-`: standard input @returns {Source} */
export function readSource(path) {
  const name = path === '-' ? '<stdin>' : path;
  let bytes;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw readFailure(path, error);
  }
  if (isNpy(bytes)) throw new Failure(`${name}: this is an .npy array, not a module; inputs are given with --input`);
  return { name, bytes };
}

/** The value of the option. @param {Runtime} hlo @param {string} shapes */
function shapesOf(hlo, shapes) {
  try {
    return hlo.shape(`(${shapes})`).elements;
  } catch (error) {
    throw error instanceof HloError ? new UsageError(`--shapes '${shapes}': ${error.message}`) : error;
  }
}

/** Shapes of all inputs, where those of open shape alone are given. @param {Runtime} hlo @param {Uint8Array} bytes @param {import('../objects/shape.js').Shape[]} given */
function allShapes(hlo, bytes, given) {
  const module = hlo.parse(bytes);
  const isOpen = module.inputs.map(({ shape }) => module.isDynamic && String(shape).includes('?'));
  if (given.length === module.inputs.length || given.length !== isOpen.filter(Boolean).length) return given;
  const next = given.values();
  return module.inputs.map(({ shape }, n) => (isOpen[n] ? next.next().value ?? shape : shape));
}

/**
 * @param {Runtime} hlo
 * @param {Source} source
 * @param {{ shapes?: string }} [options] shapes: those of the arguments, or of the arguments of open shape, with commas between
 * @returns {Promise<Module>}
 */
export async function parseSource(hlo, { name, bytes }, { shapes } = {}) {
  progress(`parsing ${name}`);
  const given = shapes === undefined ? undefined : shapesOf(hlo, shapes);
  return within(name, () => hlo.parse(bytes, given && { shapes: allShapes(hlo, bytes, given) }));
}
