// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloBroadcast } from './hlo-broadcast.js';
import { HloGrid } from './hlo-grid.js';
import { HloLayout } from './hlo-layout.js';

HloBroadcast.define();
HloGrid.define();
HloLayout.define();

export { HloBroadcast, HloGrid, HloLayout };
export { sharedRuntime } from './runtime.js';
