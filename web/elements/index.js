// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloGrid } from './hlo-grid.js';
import { HloLayout } from './hlo-layout.js';

HloGrid.define();
HloLayout.define();

export { HloGrid, HloLayout };
export { sharedRuntime } from './runtime.js';
