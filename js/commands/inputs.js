// The inputs of a run, as `--input` gives them: files, literals, plain numbers and lists, random elements; in order or by name. Files of weights.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { isLiteral, npyTensor, plainTensor, readRandom, readWords } from '../inputs/plain-values.js';
import { randomValue } from '../inputs/random.js';
import { HloError } from '../objects/errors.js';
import { didYouMean } from '../objects/nearest-name.js';
import { isNpy, readNpy } from '../values/npy.js';
import { Failure, UsageError, failureIn, readFailure, within } from './failures.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */
/** @typedef {import('../inputs/plain-values.js').Words} Words */
/** @typedef {{ name: string, shape: Shape }} Parameter */
/** @typedef {(parameter: Parameter, number: number) => TensorTree} Given a value once its parameter is known */

/**
 * The values of the parameters, one list for each device; undefined where there are too few or too many.
 * @param {Runtime} hlo
 * @param {readonly Parameter[]} parameters
 * @param {readonly string[]} texts
 * @param {number} devices
 * @returns {TensorTree[][] | undefined}
 */
export function readInputs(hlo, parameters, texts, devices) {
  /** @type {Map<number, Given>} */
  const named = new Map();
  /** @type {{ given: Given, random: boolean }[]} */
  const inOrder = [];
  texts.forEach((text, i) => {
    const number = numberOf(parameters, text);
    const value = number === undefined ? text : text.slice(parameters[number].name.length + 1);
    const given = { given: readInput(hlo, value, `<input ${i + 1}>`), random: readRandom(value) !== undefined };
    if (number === undefined) inOrder.push(given);
    else if (named.has(number)) throw new UsageError(`--input ${text}: parameter ${parameters[number].name} is given twice`);
    else named.set(number, given.given);
  });
  const rest = [...parameters.keys()].filter((number) => !named.has(number));
  const last = inOrder[inOrder.length - 1];
  while (last?.random && inOrder.length < rest.length) inOrder.push(last);
  if (inOrder.length !== rest.length && inOrder.length !== rest.length * devices) return undefined;
  /** @param {number} device */
  const valuesOf = (device) => {
    const list = inOrder.length === rest.length ? inOrder : inOrder.slice(device * rest.length, (device + 1) * rest.length);
    const all = new Map([...named, ...rest.map((number, i) => /** @type {const} */ ([number, list[i].given]))]);
    return parameters.map((parameter, number) => /** @type {Given} */ (all.get(number))(parameter, number));
  };
  if (inOrder.length !== rest.length) return Array.from({ length: devices }, (_, device) => valuesOf(device));
  const once = valuesOf(0);
  return Array.from({ length: devices }, () => once);
}

/** The parameter that a text names: `x=2.5`. @param {readonly Parameter[]} parameters @param {string} text */
function numberOf(parameters, text) {
  const number = parameters.findIndex(({ name }) => text.startsWith(`${name}=`));
  if (number >= 0) return number;
  const [, name] = /^([A-Za-z_][\w./'"[\]-]*)=/.exec(text) ?? [];
  if (name === undefined || existsSync(text)) return undefined;
  const names = parameters.map((parameter) => parameter.name);
  const hint = didYouMean(name, names);
  throw new UsageError(`--input ${text}: there is no parameter ${JSON.stringify(name)}${hint ? `${hint} There` : '; there'} are\n  ${names.join('\n  ')}`);
}

/** @param {Runtime} hlo @param {string} text @param {string} place what a message calls it @returns {Given} */
function readInput(hlo, text, place) {
  const random = readRandom(text);
  if (random) return randomInput(hlo, random);
  const words = listed(text);
  if (words !== undefined) return plainInput(hlo, words);
  let tree;
  if (existsSync(text)) tree = readFile(hlo, text);
  else if (isLiteral(text)) tree = literal(hlo, text, place);
  else throw new Failure(`cannot read the input ${text}: there is no such file, and it is not a number, a list such as '[1, 2]', a literal such as 'f32[2] {1, 2}', or random`);
  return () => tree;
}

/** @param {Runtime} hlo @param {{ sizes: number[] | undefined, seed: number }} random @returns {Given} */
function randomInput(hlo, { sizes, seed }) {
  return ({ name, shape }, number) => {
    const open = shape.leaves.some((leaf) => leaf.dimensions.includes(null));
    let of = shape;
    if (sizes !== undefined) {
      const given = hlo.makeShape(/** @type {any} */ (shape.type), sizes);
      const fits = shape.isArray && given.rank === shape.rank && shape.dimensions.every((size, d) => size === null || size === given.dimensions[d]);
      if (!fits) throw new HloError('INPUT', `parameter ${number} (${name}): expected ${shape}, got random[${sizes}]`);
      if (open) of = given;
    } else if (open) {
      throw new HloError('INPUT', `parameter ${number} (${name}): ${shape} has open sizes; say which to take, as in --input 'random[${shape.dimensions.map((size) => size ?? 3)}]'`);
    }
    return randomValue(hlo, of, seed + Math.imul(number, 0x9e3779b1));
  };
}

/** @param {string} text @returns {Words | undefined} */
function listed(text) {
  try {
    return readWords(text);
  } catch {
    throw new Failure(`--input ${text}: this is no list such as '[[1, 2], [3, 4]]'`);
  }
}

/** @param {Runtime} hlo @param {Words} words @returns {Given} */
function plainInput(hlo, words) {
  return ({ name, shape }, number) => {
    const label = `parameter ${number} (${name})`;
    if (!shape.isArray) throw new HloError('INPUT', `${label}: expected ${shape}, which is given as a literal, got ${JSON.stringify(words)}`);
    try {
      return plainTensor(hlo, shape, words, (word) => new Error(`${JSON.stringify(word)} is no number`));
    } catch (error) {
      throw new HloError('INPUT', `${label}: ${/** @type {Error} */ (error).message}`);
    }
  };
}

/** @param {Runtime} hlo @param {string} path @returns {TensorTree} */
function readFile(hlo, path) {
  if (statSync(path).isDirectory()) throw new Failure(`cannot read the input ${path}: it is a folder`);
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw readFailure(`the input ${path}`, error);
  }
  if (!isNpy(bytes)) return literal(hlo, bytes.toString('utf8').trim(), path);
  let array;
  try {
    array = readNpy(bytes);
  } catch (error) {
    throw new Failure(`${path}: ${/** @type {Error} */ (error).message}`);
  }
  return npyTensor(hlo, array);
}

/** @param {Runtime} hlo @param {string} text @param {string} place @returns {TensorTree} */
function literal(hlo, text, place) {
  try {
    return hlo.parseLiteral(text);
  } catch (error) {
    throw failureIn(place, error);
  }
}

/** The arrays of a file of weights, which errors name. @param {Runtime} hlo @param {string} path */
export function readWeights(hlo, path) {
  return within(path, () => hlo.weights(path));
}
