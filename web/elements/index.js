// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloBroadcast } from './hlo-broadcast.js';
import { HloGraph } from './hlo-graph.js';
import { HloGrid } from './hlo-grid.js';
import { HloIndexMap } from './hlo-index-map.js';
import { HloLayout } from './hlo-layout.js';
import { HloOp } from './hlo-op.js';
import { HloPlayground } from './hlo-playground.js';
import { HloPuzzle } from './hlo-puzzle.js';
import { HloShapeField } from './hlo-shape-field.js';

HloBroadcast.define();
HloGraph.define();
HloGrid.define();
HloIndexMap.define();
HloLayout.define();
HloOp.define();
HloPlayground.define();
HloPuzzle.define();
HloShapeField.define();

export { HloBroadcast, HloGraph, HloGrid, HloIndexMap, HloLayout, HloOp, HloPlayground, HloPuzzle, HloShapeField };
export { sharedRuntime } from './runtime.js';
