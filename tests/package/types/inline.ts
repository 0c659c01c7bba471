// Everything in one file; its classes are those of the other entries.

import { Runtime, load, worker } from 'webhlo/inline';
import { Runtime as OfIndex } from 'webhlo';
import { RemoteRuntime } from 'webhlo/worker';
import type { Assert, Equal } from './checks.ts';

const hlo = await load();
const remote = await worker.load({ threads: 2 });
const same: OfIndex = hlo;
void same;

export type Checks = [Assert<Equal<typeof hlo, Runtime>>, Assert<Equal<typeof remote, RemoteRuntime>>];
