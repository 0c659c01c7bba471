// Tasks of a worker that a page of the bench asks for: the page's side, and the worker's.

/** Starts a worker; gives what asks it for a task. @param {string} script @returns {(task: string) => (options?: unknown) => Promise<any>} */
export function startWorker(script) {
  const worker = new Worker(script, { type: 'module' });
  return (task) => (options) =>
    new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
      worker.onmessage = ({ data: { value, error } }) => (error === undefined ? resolve(value) : reject(new Error(error)));
      worker.postMessage({ task, options });
    });
}

/** Has this worker do the tasks that its page asks for. @param {Record<string, (options: any) => Promise<any>>} tasks */
export function answerTasks(tasks) {
  const scope = /** @type {any} */ (globalThis);
  scope.onmessage = async (/** @type {MessageEvent<{ task: string, options: any }>} */ { data: { task, options } }) => {
    try {
      scope.postMessage({ value: await tasks[task](options) });
    } catch (error) {
      scope.postMessage({ error: String(/** @type {any} */ (error)?.stack ?? error) });
    }
  };
}
