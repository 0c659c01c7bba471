// Giving way to other code.

/** A promise that is kept in a later turn of the event loop, when timers, events and drawing have had theirs. @returns {Promise<void>} */
export function nextTurn() {
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
