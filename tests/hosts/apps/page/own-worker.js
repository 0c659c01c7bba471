// A worker of the app's own, in which webhlo runs.
globalThis.answer = new Promise((resolve) => {
  const worker = new Worker(new URL('./worker-of-app.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => resolve({ failed: message });
});
