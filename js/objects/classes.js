// The classes of this package, which all entries share.

export { Runtime } from './runtime.js';
export { Builder } from '../builder/builder.js';
export { Op } from '../builder/builder-core.js';
export { Shape } from './shape.js';
export { Tensor } from './tensor.js';
export { Module, Computation } from './module.js';
export { Executable } from './executable.js';
export { Weights } from '../weights/weights.js';
export { Origins } from './origins.js';
export { DynamicExecutable } from './executable-dynamic.js';
export { HloError } from './errors.js';
export * from './types.js';
