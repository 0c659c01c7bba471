// The same off this thread.

import { load as loadHere } from 'webhlo';
import { RemoteComputation, RemoteExecutable, RemoteModule, RemoteOrigins, RemoteRuntime, RemoteTensor, load } from 'webhlo/worker';
import type { Plan, RemoteInput, RemoteResult, Trace, TypedArray } from 'webhlo/worker';
import type { AnyMembers, Assert, Equal, IsNever } from './checks.ts';

const here = await loadHere();
const hlo = await load({ threads: 4 });
const b = here.builder('square');
const x = b.parameter(0, 'f32[3]');
const executable = await hlo.compile(b.build(b.multiply(x, x)), { signal: AbortSignal.timeout(1000) });
const image = new Float32Array(3);
const result = await executable.run([image], { transfer: [image.buffer] });
const again: RemoteTensor = await executable.run([result], { outputs: result, seed: 1 });
const array: TypedArray = await again.toTypedArray();
const plan: Plan = await executable.plan;
const { trace }: { trace: Trace } = await executable.profile([here.tensor([1, 2, 3])]);
const [loss, state] = await (await hlo.compile<[RemoteTensor, RemoteResult]>(await hlo.parse('HloModule m'))).run([[result, null]]);
await hlo.infeed.push([result, 1]);
const waiting: number = await hlo.outfeed.length;
void [array, plan, trace, loss, state, waiting];
hlo.dispose();

export type Checks = [
  Assert<Equal<typeof result, RemoteTensor>>,
  Assert<Equal<RemoteInput extends RemoteTensor ? true : false, false>>,
  Assert<IsNever<AnyMembers<RemoteRuntime>>>,
  Assert<IsNever<AnyMembers<RemoteTensor>>>,
  Assert<IsNever<AnyMembers<RemoteModule>>>,
  Assert<IsNever<AnyMembers<RemoteComputation>>>,
  Assert<IsNever<AnyMembers<RemoteExecutable>>>,
  Assert<IsNever<AnyMembers<RemoteOrigins>>>,
  Assert<IsNever<AnyMembers<RemoteRuntime['infeed']>>>,
];
