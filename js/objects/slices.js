// Runs in slices: the core computes for a few milliseconds, and other code has its turn.

import { HloError, abortError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */

/** A promise that is kept in a later turn of the event loop, when timers, events and drawing have had theirs. @returns {Promise<void>} */
function nextTurn() {
  const { setImmediate } = /** @type {any} */ (globalThis);
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  // A timer would wait 4 milliseconds in a page: a message does not.
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/**
 * Goes on with a run that was begun, until its end.
 * @param {Core} core
 * @param {number} executable
 * @param {number} slice in milliseconds
 * @param {() => AbortSignal | undefined | null} stop asked between slices: the signal that was aborted; null if the executable is no more
 */
export async function goOn(core, executable, slice, stop) {
  while (!core.slice(executable, slice)) {
    await nextTurn();
    core.usable();
    const signal = stop();
    if (signal === null) throw new HloError('DISPOSED', 'the executable was disposed of while it ran');
    if (!signal) continue;
    core.call('run_abandon', executable);
    throw abortError(signal);
  }
}
