export { load, Runtime } from './runtime.js';
export { Builder } from './builder.js';
export { Op } from './builder-core.js';
export { Shape } from './shape.js';
export { Tensor } from './tensor.js';
export { Module, Computation } from './module.js';
export { Executable } from './executable.js';
export { Origins } from './origins.js';
export { HloError } from './errors.js';
