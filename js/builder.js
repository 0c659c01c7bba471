import { CommunicationOps } from './ops-communication.js';
import { defineOperations } from './table.js';

/** @typedef {import('./core.js').Core} Core */

// TableOperations are defined on the prototype when the first builder is made, from the core's table.
const Operations =
  /** @type {new (core: Core, name: string) => CommunicationOps & import('./op-table.generated.js').TableOperations} */ (
    /** @type {unknown} */ (CommunicationOps)
  );

/**
 * Builds a computation, one op a call; the shape of each is known, and checked, at once. The methods written out are
 * those whose arguments follow XlaBuilder; every other operation of HLO is there under its name in camelCase, operands
 * first, then an object of its attributes (see `hlo.ops`).
 */
export class Builder extends Operations {
  /** Use `hlo.builder(name)`. @param {Core} core @param {string} name */
  constructor(core, name) {
    super(core, name);
    if (!Object.hasOwn(Builder.prototype, 'abs')) defineOperations(Builder.prototype, this.table);
  }
}
