// webhlo/worker has all that webhlo has, under the same names, with the same parameters, and promises of the same results.

import type {
  AsyncRunOptions, BroadcastPlan, Builder, CompileOptions, Computation, Executable, ExecutableInput, ExecutableMemory, Float16Elements, FunctionFacts, Infeed, Input, Integers,
  MemoryFacts, Module, NestedValues, OpRow, Origin, Origins, Outfeed, Plan, Result, RunOptions, Runtime, Shape, Tensor, Trace, TypedArray, WeightFacts, Weights,
} from 'webhlo';
import type {
  RemoteComputation, RemoteExecutable, RemoteInfeed, RemoteInput, RemoteModule, RemoteOrigins, RemoteOutfeed, RemoteResult, RemoteRunOptions, RemoteRuntime, RemoteTensor, RemoteWeights,
} from 'webhlo/worker';
import type { Assert, Equal, IsNever } from './checks.ts';

/** Shapes, what builders make, and plain data: themselves there. */
type Itself =
  | Builder | Shape | OpRow | Plan | ExecutableMemory | ExecutableInput | MemoryFacts | FunctionFacts | BroadcastPlan | NestedValues | Origin | WeightFacts
  | TypedArray | Float16Elements | string | number | bigint | boolean | null | undefined;
/** What a call there gives for what it gives here. */
type Remoted<T> =
  [T] extends [Itself] ? T
  : [T] extends [Tensor] ? RemoteTensor
  : [T] extends [Result | undefined] ? RemoteResult | Extract<T, undefined>
  : [T] extends [Weights] ? RemoteWeights
  : [T] extends [Module] ? RemoteModule
  : [T] extends [Computation] ? RemoteComputation
  : [T] extends [Computation[]] ? RemoteComputation[]
  : [T] extends [Executable] ? RemoteExecutable
  : [T] extends [Executable[]] ? RemoteExecutable[]
  : [T] extends [Origins] ? RemoteOrigins
  : [T] extends [Infeed] ? RemoteInfeed
  : [T] extends [Outfeed] ? RemoteOutfeed
  : T extends { result: Tensor; trace: Trace } ? { result: RemoteTensor; trace: Trace }
  : T extends { inputs: Result[] } ? { inputs: RemoteResult[]; result: RemoteResult | undefined }
  : T;
/** What a call there takes, at least, for what it takes here: inputs as they are; objects of the runtime as those of the worker. */
type Taken<T> =
  [T] extends [readonly number[] | undefined] ? T
  : Equal<NonNullable<T>, RunOptions> extends true ? Omit<RemoteRunOptions, 'transfer'> | Extract<T, undefined>
  : Equal<NonNullable<T>, RunOptions & AsyncRunOptions> extends true ? (Omit<RemoteRunOptions, 'transfer'> & AsyncRunOptions) | Extract<T, undefined>
  : [T] extends [Module] ? RemoteModule | Module
  : [T] extends [Module | Computation] ? RemoteModule | RemoteComputation | T
  : [T] extends [Tensor] ? RemoteTensor | Tensor
  : [T] extends [readonly Input[] | undefined] ? readonly RemoteInput[] | Extract<T, undefined>
  : T;

/** Members that are no promises: what the object has with it, and what this thread computes. */
type AtOnce = {
  Runtime: 'threads' | 'infeed' | 'outfeed' | 'version' | 'ops' | 'types' | 'errorCodes' | 'passes' | 'builder' | 'shape' | 'makeShape' | 'broadcastPlan';
  Tensor: 'shape' | 'dimensions' | 'disposed';
  Module: 'name' | 'isDynamic' | 'inputs' | 'outputs' | 'computations' | 'entry' | 'replicas' | 'partitions' | 'inputTree' | 'outputTree' | 'platforms';
  Computation: 'module' | 'index' | 'name' | 'isEntry' | 'parameters' | 'result';
  Executable: 'inputs' | 'outputs' | 'result' | 'devices' | 'disposed';
  Origins: 'inexact' | 'outputs';
  Weights: 'names' | 'size' | 'bytes' | 'metadata' | 'disposed' | 'has' | 'get' | typeof Symbol.iterator;
  Infeed: never;
  Outfeed: never;
};
/** Of every class: it ends what is here at once, and tells its name. */
type Ends = 'dispose' | typeof Symbol.dispose | 'toString';
/** Members that a worker cannot have: `data` is a view of memory, which is another thread's. */
type Missing = { Tensor: 'data' };

type Answer<T, Now> = Now extends true ? Remoted<T> : Promise<Remoted<Awaited<T>>>;
type Given<A extends unknown[]> = { [K in keyof A]: Taken<A[K]> };
/** Whether a remote member takes what the local one takes, and gives what it gives. */
type Stands<Local, There, Now> =
  [Local] extends [(...args: infer A) => infer R]
    ? [There] extends [(...args: infer B) => infer S]
      ? Given<A> extends B
        ? S extends Answer<R, Now>
          ? true
          : false
        : false
      : false
    : [There] extends [Answer<Local, Now>] ? true : false;

/** Names of members that the remote class lacks, or has otherwise. */
type Unlike<Local, There, Now, Not = never> = {
  [K in Exclude<keyof Local, Not>]: K extends keyof There ? (Stands<Local[K], There[K], K extends Now | Ends ? true : false> extends true ? never : K) : K;
}[Exclude<keyof Local, Not>];

export type Checks = [
  Assert<IsNever<Unlike<Runtime, RemoteRuntime, AtOnce['Runtime'], 'compile'>>>,
  Assert<IsNever<Unlike<Tensor, RemoteTensor, AtOnce['Tensor'], Missing['Tensor']>>>,
  Assert<IsNever<Unlike<Module, RemoteModule, AtOnce['Module']>>>,
  Assert<IsNever<Unlike<Computation, RemoteComputation, AtOnce['Computation']>>>,
  Assert<IsNever<Unlike<Executable, RemoteExecutable, AtOnce['Executable']>>>,
  Assert<IsNever<Unlike<Origins, RemoteOrigins, AtOnce['Origins']>>>,
  Assert<IsNever<Unlike<Weights, RemoteWeights, AtOnce['Weights']>>>,
  Assert<IsNever<Unlike<Infeed, RemoteInfeed, AtOnce['Infeed']>>>,
  Assert<IsNever<Unlike<Outfeed, RemoteOutfeed, AtOnce['Outfeed']>>>,
  // Inputs there are all inputs here, and tensors of the worker.
  Assert<Input extends RemoteInput ? true : false>,
  Assert<Integers extends NonNullable<NonNullable<Parameters<RemoteModule['specialize']>[1]>['values']>[number] ? true : false>,
];

// `compile` is generic, which mapped types do not see through.
declare const hlo: Runtime;
declare const there: RemoteRuntime;
declare const program: Module | Computation;
declare const options: Omit<CompileOptions, 'customCalls' | 'constants'>; // weights there are those of the worker
export const here: Promise<Executable<Tensor>> = hlo.compile(program, options);
export const remote: Promise<RemoteExecutable<RemoteTensor>> = there.compile(program, options);
