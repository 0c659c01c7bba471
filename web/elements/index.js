// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloGrid } from './hlo-grid.js';

HloGrid.define();

export { HloGrid };
export { sharedRuntime } from './runtime.js';
