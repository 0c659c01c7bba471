// A program of dynamic shape is an Executable as any other.

import { DynamicExecutable, Executable, load, type ExecutableInput, type ExecutableMemory, type Plan, type Tensor } from 'webhlo';
import type { AnyMembers, Assert, Equal, IsNever } from './checks.ts';

const hlo = await load();
const module = hlo.parse(new Uint8Array(4), { shapes: ['f32[3,4]', hlo.makeShape('f32', [null, '<=4'], { layout: '1,0' })] });
const executable: Executable = await hlo.compile(module, { maxSpecializations: 4 });
if (executable instanceof DynamicExecutable) console.log(executable.specializations.length);
const specialized: Executable = await executable.specialize(['f32[3,4]'], { values: [64, null] });
const result: Tensor = specialized.run([[[1, 2], [3, 4]]]);
void result;

declare const dynamic: DynamicExecutable<[Tensor, Tensor]>;
const one: Executable<[Tensor, Tensor]> = dynamic;
void one;

export type Checks = [
  Assert<Equal<typeof dynamic.memory, ExecutableMemory>>,
  Assert<Equal<(typeof dynamic.inputs)[number], ExecutableInput>>,
  Assert<Equal<typeof dynamic.plan, Plan>>,
  Assert<Equal<ReturnType<typeof dynamic.run>, [Tensor, Tensor]>>,
  Assert<Equal<keyof DynamicExecutable, keyof Executable>>,
  Assert<IsNever<AnyMembers<DynamicExecutable>>>,
];
