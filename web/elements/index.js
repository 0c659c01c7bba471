// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloBroadcast } from './hlo-broadcast.js';
import { HloGrid } from './hlo-grid.js';
import { HloLayout } from './hlo-layout.js';
import { HloShapeField } from './hlo-shape-field.js';

HloBroadcast.define();
HloGrid.define();
HloLayout.define();
HloShapeField.define();

export { HloBroadcast, HloGrid, HloLayout, HloShapeField };
export { sharedRuntime } from './runtime.js';
