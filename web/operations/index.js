// All operations, group by group, in the order of the site.
import algebra from './algebra.js';
import choice from './choice.js';
import control from './control.js';
import elementwiseOne from './elementwise-one.js';
import elementwiseTwo from './elementwise-two.js';
import movement from './movement.js';
import normalization from './normalization.js';
import reductions from './reductions.js';
import replicas from './replicas.js';
import sources from './sources.js';
import transfers from './transfers.js';
import types from './types.js';

/** @type {readonly import('./notation.js').Group[]} */
export const GROUPS = [elementwiseOne, elementwiseTwo, choice, types, movement, reductions, algebra, normalization, control, sources, replicas, transfers];

/** @type {ReadonlyMap<string, { entry: import('./notation.js').Entry, group: import('./notation.js').Group }>} */
export const ENTRIES = new Map(GROUPS.flatMap((group) => Object.entries(group.operations).map(([name, entry]) => /** @type {const} */ ([name, { entry, group }]))));
