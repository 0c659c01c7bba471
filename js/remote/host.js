// The worker of webhlo/worker: keeps a runtime and its objects, and does what messages ask, one after another.

import { HloError } from '../objects/errors.js';
import { Executable } from '../objects/executable.js';
import { DynamicExecutable } from '../objects/executable-dynamic.js';
import { answerMessages } from '../host/helper.js';
import { Computation, Module } from '../objects/module.js';
import { load } from '../objects/runtime.js';
import { Shape } from '../objects/shape.js';
import { Tensor } from '../objects/tensor.js';

/** Objects by their numbers; 0 is the runtime. @type {Map<number, any>} */
const objects = new Map();
let next = 1;

/** @param {any} object @param {number[]} given */
function number(object, given) {
  objects.set(next, object);
  given.push(next);
  return next++;
}

/** @param {readonly { name: string, shape: Shape }[]} parameters */
const plainParameters = (parameters) => parameters.map(({ name, shape }) => ({ name, shape: { $shape: shape.toJSON() } }));

/**
 * A value as a message can carry it.
 * @param {any} value @param {number[]} given numbers of the objects in it @param {any[]} transfer
 * @returns {any}
 */
function encode(value, given, transfer) {
  if (value instanceof Tensor)
    return { $tensor: number(value, given), shape: value.shape.toJSON(), dimensions: value.dimensions };
  if (value instanceof Shape) return { $shape: value.toJSON() };
  if (value instanceof Executable || value instanceof DynamicExecutable)
    return {
      $executable: number(value, given), inputs: plainParameters(value.inputs),
      result: { $shape: value.result.toJSON() }, devices: value.devices,
    };
  if (value instanceof Module)
    return {
      $module: number(value, given), name: value.name, isDynamic: value.isDynamic,
      inputs: plainParameters(value.inputs), result: { $shape: value.entry.result.toJSON() },
    };
  if (value instanceof Computation) return encode(value.extract(), given, transfer);
  if (ArrayBuffer.isView(value)) {
    if (!transfer.includes(value.buffer)) transfer.push(value.buffer);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => encode(item, given, transfer));
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, given, transfer)]));
}

/** @param {any} value @returns {any} */
function decode(value) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(decode);
  if ('$' in value) return objectOf(value.$);
  if ('$flag' in value) return flagSignal(value.$flag);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

/** @param {number} on */
function objectOf(on) {
  const object = objects.get(on);
  if (!object) throw new HloError('DISPOSED', 'the object was disposed of');
  return object;
}

/** What stands for the abort signal of a program: a word of shared memory, which may change while it runs. @param {Int32Array} flag */
function flagSignal(flag) {
  return {
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
    reason: undefined,
  };
}

/** @param {any[]} args */
async function start([options]) {
  const hlo = await load(options);
  objects.set(0, hlo);
  return { threads: hlo.threads, version: hlo.version, passes: hlo.passes };
}

/** What a call gives, or a promise of it. @param {number} on @param {string} method @param {any[]} args */
function perform(on, method, args) {
  if (method === 'load') return start(args);
  if (method === 'runInto') return void objectOf(on).run(...args.map(decode));
  let owner = objectOf(on);
  const path = method.split('.');
  for (const name of path.slice(0, -1)) owner = owner[name];
  const member = owner[/** @type {string} */ (path.at(-1))];
  return typeof member === 'function' ? member.apply(owner, args.map(decode)) : member;
}

/** @param {any} error */
function plainError(error) {
  const { name = 'Error', message = String(error), code, line, column } = error ?? {};
  return { name, message, code, line, column };
}

/** @param {number} on */
function dispose(on) {
  const object = objects.get(on);
  objects.delete(on);
  object?.dispose();
}

/** Modules and executables may have other numbers still; the last one's going frees them. @param {number} on */
function forget(on) {
  if (objects.get(on) instanceof Tensor) dispose(on);
  else objects.delete(on);
}

/** @typedef {(message: unknown, transfer?: any[]) => void} Post */

/** @param {number} call @param {any} value @param {Post} post */
function reply(call, value, post) {
  if (value === undefined) return post({ call });
  /** @type {number[]} */
  const given = [];
  /** @type {any[]} */
  const transfer = [];
  try {
    const encoded = encode(value, given, transfer);
    post({ call, value: encoded, given }, transfer);
  } catch (error) {
    post({ call, error: plainError(error), given });
  }
}

/** Does what a message asks; a promise where that takes longer. @param {any} message @param {Post} post @returns {Promise<void> | undefined} */
function answer({ call, on, method, args, dispose: disposed, drop }, post) {
  if (disposed) return void dispose(disposed);
  if (drop) return void drop.forEach(forget);
  const refuse = (/** @type {unknown} */ error) => post({ call, error: plainError(error) });
  try {
    const value = perform(on, method, args);
    if (value instanceof Promise) return value.then((given) => reply(call, given, post), refuse);
    reply(call, value, post);
  } catch (error) {
    refuse(error);
  }
}

/** One message after another: an asynchronous one, too, is finished before the next. @type {Promise<void> | undefined} */
let last;

answerMessages((message, post) => {
  const going = last ? last.then(() => answer(message, post)) : answer(message, post);
  if (!going) return;
  const finished = going.then(() => {
    if (last === finished) last = undefined;
  });
  last = finished;
});
