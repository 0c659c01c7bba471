// All elements of the documentation, defined under their own names: one script tag is enough.
export { sharedRuntime } from './runtime.js';
