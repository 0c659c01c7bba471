// Questions about types, asked at compile time.

/** Compiles only for true. */
export type Assert<T extends true> = T;
export type IsAny<T> = 0 extends 1 & T ? true : false;
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export type IsNever<T> = [T] extends [never] ? true : false;

type Parts<T> = T extends (...args: infer A) => infer R ? A[number] | Awaited<R> : Awaited<T>;
/** The members of a type that are `any`, take it or give it. */
export type AnyMembers<T> = { [K in keyof T]-?: true extends IsAny<T[K]> | IsAny<Parts<T[K]>> ? K : never }[keyof T];
