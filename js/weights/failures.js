// What is wrong with a file of weights: every message names the file, and where it can the tensor and the byte.

import { HloError } from '../objects/errors.js';

/**
 * @param {import('../objects/errors.js').HloErrorCode} code
 * @param {string} file its name
 * @param {string} message
 * @param {{ tensor?: string, at?: number, cause?: unknown }} [place] at: byte of the file
 */
export function fileError(code, file, message, { tensor, at, cause } = {}) {
  const where = [tensor !== undefined && `tensor ${JSON.stringify(tensor)}`, at !== undefined && `byte ${at}`].filter(Boolean).join(', ');
  return new HloError(code, `${file}${where && `, ${where}`}: ${message}`, cause === undefined ? {} : { cause });
}

/** A failure of the core's (a shape that cannot be, no memory), with its place. @param {unknown} error @param {string} file @param {string} tensor */
export function atTensor(error, file, tensor) {
  if (!(error instanceof HloError) || error.code === 'DISPOSED') return error;
  const [message] = error.message.replace(/^\d+:\d+: /, '').split('\n'); // the text of the shape is none that anybody wrote
  return fileError(error.code, file, message, { tensor, cause: error });
}

/** @param {string} file @param {number} at where it ends @param {string} within what is cut short */
export function cutShort(file, at, within) {
  return fileError('PARSE', file, `the file ends here, within ${within}`, { at });
}
