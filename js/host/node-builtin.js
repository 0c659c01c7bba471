// Modules of Node.js, which others offer as well (Deno, Bun).

/** @template {string} T @param {T} name a module of Node */
export const builtin = (name) => /** @type {any} */ (process.getBuiltinModule(name));
