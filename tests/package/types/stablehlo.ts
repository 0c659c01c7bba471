// A program as JAX wrote it.

import { Module, load, type Tensor } from 'webhlo';
import type { AnyMembers, Assert, IsNever } from './checks.ts';

const hlo = await load({ wasm: new URL('https://example.com/webhlo.wasm'), signal: AbortSignal.timeout(1000) });
const text = 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }';
const module: Module = hlo.parse(text, { entry: 'main' });
const names: string[] = module.inputs.map(({ name, shape }) => `${name}: ${shape.toString()}`);
const file = new Blob([module.toProto({ kind: 'hlo' })]);
const executable = await hlo.compile<[Tensor, [Tensor, null]]>(hlo.parse(new Uint8Array(await file.arrayBuffer())));
const [logits, [state]] = executable.run([new Uint16Array(4), [new BigInt64Array(1), null]]);
const values = logits.toArray() as number[];
const big: bigint | number | undefined = state.data.at(0);
const snapshot = hlo.snapshot(module, [new Float32Array(4)], logits);
const { inputs, result } = hlo.snapshotValues(snapshot);
void [names, values, big, inputs.length, result];

export type Checks = [Assert<IsNever<AnyMembers<Module>>>];
