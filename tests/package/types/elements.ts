// Elements in a page.

import { HloLayout, sharedRuntime, type HloOpEventMap } from 'webhlo/elements';
import { Runtime } from 'webhlo';
import type { Assert, Equal, IsAny } from './checks.ts';

const layout = document.createElement('hlo-layout');
layout.shape = 'bf16[32,256]{1,0:T(8,128)(2,1)}';
layout.paddingValue = 'zero';
layout.addEventListener('hlo-cell', ({ detail }) => console.log(detail.index?.length, detail.offset.toFixed(), detail.where));
layout.addEventListener('click', (event) => event.clientX);
const same: HloLayout | null = document.querySelector('hlo-layout');
const grid = document.querySelector('hlo-grid');
grid?.mark([0, 1], 'lit');
if (grid) grid.cells = ['1', { text: '2', editable: true }];
await layout.wake();
await layout.updateComplete;
const runtime: Runtime = await sharedRuntime();
HloLayout.define('my-layout');
void [same, runtime];

// @ts-expect-error: there is no such view
layout.view = 'all';

type OpChange = HloOpEventMap['hlo-change']['detail'];
export type Checks = [Assert<Equal<OpChange['legal'], boolean>>, Assert<Equal<IsAny<OpChange>, false>>];
