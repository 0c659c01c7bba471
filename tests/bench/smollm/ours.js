// The page of ours-worker.js.
const worker = new Worker('/script/smollm/ours-worker.js', { type: 'module' });
const ask = (/** @type {string} */ task) => (/** @type {unknown} */ options) =>
  new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
    worker.onmessage = ({ data: { value, error } }) => (error === undefined ? resolve(value) : reject(new Error(error)));
    worker.postMessage({ task, options });
  });
export const [load, answer, memory] = ['load', 'answer', 'memory'].map(ask);
