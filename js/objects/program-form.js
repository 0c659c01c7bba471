// The form that a program's bytes have, of those that hlo.parse takes.

/** @typedef {import('./runtime.js').Runtime} Runtime */

/** The form of a module's bytes: `hlo-text`, `jax-export`, ... @param {Runtime} hlo @param {Uint8Array} bytes @returns {string} */
export function formOf(hlo, bytes) {
  const { core } = hlo;
  core.begin();
  core.call('form', core.handle, ...core.blob(bytes));
  return core.answer();
}
