// The workers behind a runtime's threads: each runs kernels of src/exec/pool.c over the runtime's memory. They come out of
// WebAssembly only when they are called back, for a message.

/** @typedef {import('../objects/core.js').Core} Core */
/** @typedef {import('../host/host.js').Helper} Helper */

/** Helpers of pools whose runtimes were dropped without dispose(). @type {FinalizationRegistry<readonly Helper[]>} */
const forgotten = new FinalizationRegistry((helpers) => helpers.forEach((helper) => helper.end()));

export class Pool {
  #core;
  #pool;
  /** @type {Helper[]} */
  #helpers = [];
  /** What answers of workers are waited for, by helper. @type {Map<Helper, { resolve: () => void, reject: (error: unknown) => void }>} */
  #waiting = new Map();
  /** Installations, one after another. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {Core} core @param {number} threads @param {number} shareFrom */
  constructor(core, threads, shareFrom) {
    this.#core = core;
    this.#pool = core.pointer('threads_start', core.handle, threads, shareFrom);
  }

  /**
   * Starts the workers, and resolves once they are at work. Those that the host refuses are done without.
   * @param {Core} core @param {WebAssembly.Module} module
   * @param {number} threads the caller's among them
   * @param {number} shareFrom nanoseconds of work that are worth sharing
   */
  static async start(core, module, threads, shareFrom) {
    const pool = new Pool(core, threads, shareFrom);
    forgotten.register(core, pool.#helpers, pool);
    await Promise.allSettled(Array.from({ length: threads - 1 }, (_, i) => pool.#add(module, i + 1)));
    const refused = threads - pool.threads;
    if (refused > 0) core.call('threads_absent', pool.#pool, refused);
    return pool;
  }

  /** How many threads run kernels. */
  get threads() {
    return this.#helpers.length + 1;
  }

  /** @param {WebAssembly.Module} module @param {number} thread */
  async #add(module, thread) {
    const core = this.#core;
    const helper = core.host.startPoolWorker();
    const [waiting, helpers] = [this.#waiting, this.#helpers];
    helper.listen(
      ({ error }) => (error === undefined ? waiting.get(helper)?.resolve() : waiting.get(helper)?.reject(new Error(error))),
      (error) => {
        waiting.get(helper)?.reject(error);
        if (helpers.includes(helper)) helpers.splice(helpers.indexOf(helper), 1); // no answer comes from it any more
      },
    );
    try {
      const stack = core.pointer('threads_new_stack', core.handle);
      await this.#ask(helper, { start: { module, memory: core.memory, pool: this.#pool, thread, stack } });
      this.#helpers.push(helper);
    } catch (error) {
      helper.end();
      throw error;
    }
  }

  /** Sends a message and waits for the answer. @param {Helper} helper @param {unknown} message @returns {Promise<void>} */
  #ask(helper, message) {
    helper.hold(true);
    /** @type {Promise<void>} */
    const answer = new Promise((resolve, reject) => this.#waiting.set(helper, { resolve, reject }));
    helper.post(message);
    return answer.finally(() => {
      this.#waiting.delete(helper);
      helper.hold(false);
    });
  }

  /**
   * Puts the functions that a module exports, in their order, into the tables of all workers, where they are here. The module may
   * import env.memory and env.table. Resolves once every worker has them; until then nothing may call them. Runs may go on
   * meanwhile.
   * @param {WebAssembly.Module} module
   * @param {readonly number[]} places in the table
   * @returns {Promise<void>}
   */
  install(module, places) {
    const installed = this.#last.then(async () => {
      const leave = this.#core.call('threads_call_back', this.#pool) >>> 0;
      const answers = await Promise.allSettled(this.#helpers.map((helper) => this.#ask(helper, { install: { module, places }, leave })));
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    });
    this.#last = installed.catch(() => {});
    return installed;
  }

  /** Ends the workers. */
  dispose() {
    forgotten.unregister(this);
    for (const helper of this.#helpers.splice(0)) helper.end();
    for (const { reject } of [...this.#waiting.values()]) reject(new Error('the runtime was disposed of'));
  }
}
