// Failures of commands, none of which shows a stack trace. Wrong usage ends with exit code 2: options that there are not, that do not go
// together, or that do not fit the module. Any other failure ends with 1: what cannot be read, written or run.

import { HloError } from '../objects/errors.js';

/** A mistake on the command line. */
export class UsageError extends Error {}

/** A failure whose message says all that there is to say. */
export class Failure extends Error {}

/** @type {Record<string, string>} */
const FILE_ERRORS = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EACCES: 'permission denied',
  ENOSPC: 'the disk is full',
};

/** @param {string} path @param {unknown} error of node:fs */
export function readFailure(path, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return new Failure(`cannot read ${path}: ${FILE_ERRORS[code ?? ''] ?? message}`);
}

/** @param {string} path @param {unknown} error of node:fs */
export function writeFailure(path, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return new Failure(`cannot write ${path}: ${code === 'ENOENT' ? 'there is no such folder' : FILE_ERRORS[code ?? ''] ?? message}`);
}

/**
 * An error as compilers print it, its place first: `model.mlir:3:12: PARSE: expected ...`.
 * @param {string} source the file, or what stands for it
 * @param {HloError} error
 */
export function placed(source, { code, message, line, column }) {
  const place = column > 0 ? `${line}:${column}` : `${line}`;
  const told = [`${place}: `, `line ${place}: `].find((start) => message.startsWith(start)) ?? '';
  return `${source}${line > 0 ? `:${place}` : ''}: ${code}: ${message.slice(told.length)}`;
}

/** An error of the core becomes a failure in that source; others stay. @param {string} source @param {unknown} error */
export function failureIn(source, error) {
  return error instanceof HloError ? new Failure(placed(source, error), { cause: error }) : error;
}

/**
 * Gives what `work` gives, and names the source in errors of the core.
 * @template T
 * @param {string} source
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function within(source, work) {
  try {
    return await work();
  } catch (error) {
    throw failureIn(source, error);
  }
}

/**
 * Gives what `work` gives; an argument that it refuses is wrong usage of an option.
 * @template T
 * @param {string} option
 * @param {() => T} work
 */
export function withOption(option, work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof HloError && error.code === 'ARGUMENT' ? new UsageError(`${option}: ${error.message}`) : error;
  }
}

/** The text of an error, as the command prints it. @param {unknown} error */
export function explain(error) {
  if (error instanceof Failure) return /^cannot |^--/.test(error.message) ? `webhlo: ${error.message}` : error.message;
  if (error instanceof HloError) return placed('webhlo', error);
  return `webhlo: ${error instanceof Error ? error.message : String(error)}`;
}
