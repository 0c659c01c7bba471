import { BuilderCore } from './builder-core.js';
import { CommunicationOps } from './ops-communication.js';
import { opNamesOf, operationMethods } from './table.js';

/** @typedef {import('../objects/core.js').Core} Core */

// TableOperations come below all prototypes when the first builder is made, from the core's names: what is written out goes before.
const Operations =
  /** @type {new (owner: unknown, name: string) => CommunicationOps & import('../../dist/generated/op-table.js').TableOperations} */ (
    /** @type {unknown} */ (CommunicationOps)
  );

/**
 * Builds a computation, one op a call; the shape of each is known, and checked, at once. The methods written out are
 * those whose arguments follow XlaBuilder; every other operation of HLO is there under its name in camelCase, operands
 * first, then an object of its attributes (see `hlo.ops`).
 */
export class Builder extends Operations {
  /** Use `hlo.builder(name)`. @hideconstructor @param {Core} core @param {string} name */
  constructor(core, name) {
    if (Object.getPrototypeOf(BuilderCore.prototype) === Object.prototype)
      Object.setPrototypeOf(BuilderCore.prototype, operationMethods(opNamesOf(core)));
    super(core, name);
  }
}
