// A worker of a pool (pool.js): runs kernels until it is called back, does what a message says, and goes back to work.

import { installFunctions, instantiateCore } from '../objects/instantiate.js';

const none = () => {
  throw new WebAssembly.RuntimeError('a worker called the host');
};

/** What answers the messages of a pool. @returns {(message: any, post: import('../host/host.js').Post) => Promise<void>} */
export function poolWorker() {
  /** @type {any} */
  let exports;
  /** @type {{ module: WebAssembly.Module, memory: WebAssembly.Memory, pool: number, thread: number, stack: number }} */
  let place;

  /** @param {number} leave how often workers had been called back when the message was sent */
  function work(leave) {
    try {
      exports.hlo_api_threads_work(place.pool, place.thread, leave);
    } catch (error) {
      exports.hlo_api_threads_fail(place.pool);
      throw error;
    }
  }

  return async ({ start, install, leave = 0 }, post) => {
    try {
      if (start) {
        place = start;
        exports = await instantiateCore(place.module, { memory: place.memory, hlo_host_custom_call: none, hlo_host_aborted: none });
        exports.hlo_api_threads_stack(place.stack);
      }
      if (install) await installFunctions(exports, place.memory, install.module, install.places);
      post({});
    } catch (error) {
      post({ error: String(error) });
      if (start) return;
    }
    work(leave);
  };
}
