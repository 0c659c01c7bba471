// From a builder to the elements of a result.

import { Builder, Computation, Executable, HloError, Op, Origins, Runtime, Shape, Tensor, load } from 'webhlo';
import type { ElementType, ExecutableInput, ExecutableMemory, HloErrorCode, Input, MemoryFacts, NestedValues, Plan, Result, Step, Trace, TypedArray } from 'webhlo';
import type { AnyMembers, Assert, Equal, IsAny, IsNever } from './checks.ts';

const hlo = await load({ threads: 2 });
function adder(): Computation {
  const add = hlo.builder('add');
  return add.build(add.add(add.parameter(0, 'f32[]'), add.parameter(1, 'f32[]')));
}

const b = hlo.builder('axpy');
const a = b.parameter(0, 'f32[]', 'a');
const x: Op = b.parameter(1, 'f32[4]', 'x');
const sum = b.add(b.multiply(a, x), [1, 2, 3, 4]);
const doubled = b.power(sum, 2, { name: 'squares', broadcastDimensions: [] });
const folded = b.reduce(doubled, 0, adder(), [0]);
const program: Computation = b.build([sum, folded, b.convert(sum, 'f64'), b.dot(sum, sum, { preferredElementType: 'f32' })]);

const single = await hlo.compile(program);
const result = single.run([2, new Float32Array(4)], { seed: 1n });
const data: TypedArray = result.data;
const floats: Float32Array = result.toFloat32Array();
const nested: NestedValues = result.toArray();
void [data, floats, nested, result.shape.dimensions];

const pair = await hlo.compile<[Tensor, Tensor | null]>(program, { donate: [0], replicas: 1 });
const [first, second] = pair.run([[1, [2, true]], { re: 1, im: 2 }, null, hlo.tensor(3)]);
first.dispose();
if (second !== null) second.dispose();

const unknown = await hlo.compile<Result>(program);
const tree = unknown.run();
if (tree instanceof Tensor) tree.toTypedArray();
else if (Array.isArray(tree)) tree.map((leaf: Result) => leaf);
else if (tree !== null) void (tree['logits'] satisfies Result | undefined);

const { trace } = single.profile([1, [1, 2, 3, 4]]);
const gflops: (number | undefined)[] = trace.traceEvents.map(({ args }) => args.gflops);
const kernels: string[] = single.plan.routines.flatMap(({ steps }) => steps.map(({ kernel }) => kernel));
void [gflops, kernels];

try {
  hlo.shape('f32[2');
} catch (error) {
  if (error instanceof HloError && error.code === 'PARSE') console.log(error.line, error.column);
}

const calls = await hlo.compile(program, {
  customCalls: { twice: (out: Float32Array, [lhs]: Float32Array[]) => out.set(lhs.map((value) => 2 * value)), nothing: () => {} },
});
calls[Symbol.dispose]();

type Checks = [
  Assert<Equal<typeof hlo, Runtime>>,
  Assert<Equal<typeof single, Executable<Tensor>>>,
  Assert<Equal<typeof result, Tensor>>,
  Assert<Equal<typeof tree, Result>>,
  Assert<Equal<typeof trace, Trace>>,
  Assert<Equal<typeof single.plan, Plan>>,
  Assert<Equal<(typeof single.plan.routines)[0]['steps'][0], Step>>,
  Assert<Equal<typeof single.memory, ExecutableMemory>>,
  Assert<Equal<(typeof single.inputs)[0], ExecutableInput>>,
  Assert<Equal<ReturnType<typeof hlo.memory>, MemoryFacts>>,
  Assert<Equal<IsAny<Input>, false>>,
  Assert<Equal<IsAny<HloErrorCode>, false>>,
  Assert<Equal<IsAny<ElementType>, false>>,
  Assert<IsNever<AnyMembers<Runtime>>>,
  Assert<IsNever<AnyMembers<Builder>>>,
  Assert<IsNever<AnyMembers<Op>>>,
  Assert<IsNever<AnyMembers<Shape>>>,
  Assert<IsNever<AnyMembers<Tensor>>>,
  Assert<IsNever<AnyMembers<Computation>>>,
  Assert<IsNever<AnyMembers<Executable>>>,
  Assert<IsNever<AnyMembers<Origins>>>,
  Assert<IsNever<AnyMembers<HloError>>>,
  Assert<IsNever<AnyMembers<Step>>>,
];
export type { Checks };
