// All elements of the documentation, defined under their own names: one script tag is enough.
import { HloBroadcast } from './hlo-broadcast.js';
import { HloCollective } from './hlo-collective.js';
import { HloGraph } from './hlo-graph.js';
import { HloGrid } from './hlo-grid.js';
import { HloIndexMap } from './hlo-index-map.js';
import { HloLayout } from './hlo-layout.js';
import { HloNumber } from './hlo-number.js';
import { HloOp } from './hlo-op.js';
import { HloPlayground } from './hlo-playground.js';
import { HloPuzzle } from './hlo-puzzle.js';
import { HloShapeField } from './hlo-shape-field.js';

HloBroadcast.define();
HloCollective.define();
HloGraph.define();
HloGrid.define();
HloIndexMap.define();
HloLayout.define();
HloNumber.define();
HloOp.define();
HloPlayground.define();
HloPuzzle.define();
HloShapeField.define();

export { HloBroadcast, HloCollective, HloGraph, HloGrid, HloIndexMap, HloLayout, HloNumber, HloOp, HloPlayground, HloPuzzle, HloShapeField };
export { sharedRuntime } from './runtime.js';
