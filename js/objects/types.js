// The types of what goes into a run and comes out of it, under the names that the entries of the package export.

/** @typedef {import('./module.js').Parameter} Parameter */
/** @typedef {import('../weights/options.js').WeightOptions} WeightOptions */
/** @typedef {import('../weights/options.js').WeightSources} WeightSources */
/** @typedef {import('../weights/options.js').WeightArrays} WeightArrays */
/** @typedef {import('../weights/options.js').WeightProgress} WeightProgress */
/** @typedef {import('../weights/options.js').WeightFormat} WeightFormat */
/** @typedef {import('../weights/sources.js').WeightSource} WeightSource */
/** @typedef {import('../weights/weights.js').WeightFacts} WeightFacts */
/** @typedef {import('../weights/weights.js').Renaming} Renaming */
/** @typedef {import('../weights/weights.js').Selection} Selection */
/** @typedef {import('../values/element-types.js').TypedArray} TypedArray */
/** @typedef {import('../values/element-types.js').Float16Elements} Float16Elements */

/**
 * One element: booleans are of pred; bigints of s64 and u64.
 * @typedef {number | bigint | boolean} Scalar
 */
/**
 * A complex number, where elements are c64 or c128; `[re, im]` is one as well.
 * @typedef {{ re: number, im: number }} Complex
 */
/**
 * The value of one parameter of a run: a Tensor, which stays where it is; a typed array in the parameter's layout (f16 and bf16 as bits
 * in a Uint16Array, f16 also as a Float16Array; smaller floats as bits in a Uint8Array; complex numbers interleaved); a number, boolean
 * or bigint for a scalar; nested arrays in logical order; for a tuple, an array of its elements; null for a token. The arguments of a
 * function of jax.export are trees of these: arrays, objects, null for None.
 * @typedef {import('./tensor.js').Tensor | TypedArray | Float16Elements | Scalar | Complex | null | readonly Input[] | { readonly [name: string]: Input }} Input
 */
/**
 * A result of a run: a Tensor, null for a token, an array for a tuple; where there are several devices, an array of one for each. A
 * function of jax.export gives a tree of these: arrays, objects, null for None.
 * @typedef {import('./tensor.js').Tensor | null | Result[] | { [name: string]: Result }} Result
 */
/**
 * Shapes of the arguments of a program: one, or a tree of them where it takes trees.
 * @typedef {import('./shape.js').ShapeLike | null | readonly ShapeTree[] | { readonly [name: string]: ShapeTree }} ShapeTree
 */
/**
 * The elements of an array as nested arrays, a plain value for a scalar: booleans of pred, bigints of s64 and u64, `[re, im]` pairs of
 * complex types, numbers of all others.
 * @typedef {number | bigint | boolean | NestedValues[]} NestedValues
 */
/**
 * An input of an executable.
 * @typedef {object} ExecutableInput
 * @property {string} name
 * @property {import('./shape.js').Shape} shape with `?` where the program is dynamic and a size is not known
 * @property {boolean} donated whether a run may use up the memory of a Tensor that is given for it, and dispose of it
 */
/**
 * Memory that runs of an executable need, in bytes, with nothing else in memory.
 * @typedef {object} ExecutableMemory
 * @property {number} inputs bytes of the parameters' arrays
 * @property {number} outputs bytes of the results' arrays
 * @property {number} constants bytes of constants that steps read as they are
 * @property {number} packed bytes of large constants in the form that kernels like best, in place of the constants themselves
 * @property {number} shared how many of the bytes of these two other executables use as well: they are in memory once
 * @property {number} workspace bytes of intermediate values, and of copies of small constants in the form that kernels like best
 * @property {number} peak bytes of all together, donated memory counted once
 */
/**
 * Where a value lies while a program runs.
 * @typedef {object} PlanPlace
 * @property {'workspace' | 'constant' | 'argument' | 'result' | 'none' | 'view'} kind
 * @property {number} [offset] bytes from the start of the workspace, where a view, which is part of another place, has its address; the number of an
 *   array among the arguments or results
 * @property {number} bytes
 */
/**
 * A copy of a value from one place to another.
 * @typedef {[from: PlanPlace, to: PlanPlace]} PlanMove
 */
/**
 * One call of a kernel, or of another routine.
 * @typedef {object} Step
 * @property {number} index place in its routine
 * @property {string} op the operation's name in HLO text
 * @property {string} name the instruction's name
 * @property {string} kernel the function that runs it
 * @property {string} shape of the result, as text
 * @property {number} flops arithmetic operations of one run of the step; 0 where they are not counted
 * @property {number} bytes read and written by one run of the step
 * @property {string[]} [ops] of a fusion: the operations in it, in order
 * @property {boolean} [emitted] of a loop: whether it became WebAssembly of its own
 * @property {PlanPlace[]} [operands]
 * @property {PlanPlace} [result]
 * @property {PlanPlace[]} [leaves] of a step that the reference evaluator runs: the places of its operands' arrays, and of its results'
 * @property {PlanPlace} [scratch] memory that the kernel uses for itself
 * @property {string} [calls] the name of the routine that it runs
 * @property {PlanMove[]} [before] copies that are made before that routine runs
 * @property {PlanMove[]} [after] copies that are made afterwards
 * @property {number[]} [targets] indices of the steps that it may go on with
 */
/**
 * The steps of one computation.
 * @typedef {object} Routine
 * @property {string} name of the computation
 * @property {number} offset bytes from the start of the workspace to its part
 * @property {number} bytes of its part of the workspace
 * @property {Step[]} steps
 */
/**
 * What a run goes through. A dynamic executable has no routines: each of its specializations has a plan of its own.
 * @typedef {object} Plan
 * @property {number} workspace_bytes bytes of intermediate values
 * @property {number} packed_bytes bytes of constants in the form that kernels like best
 * @property {Routine[]} routines the computations of the program, the entry among them
 * @property {true} [dynamic] of a dynamic executable
 * @property {{ inputs: string[], plan: Plan }[]} [specializations] of a dynamic executable: the shapes of the inputs, as text, and the plan
 */

/** @typedef {import('./custom-calls.js').CustomCall} CustomCall */
/** @typedef {import('./custom-calls.js').CustomCallArray} CustomCallArray */
/** @typedef {import('./custom-calls.js').CustomCallFacts} CustomCallFacts */
/** @typedef {import('./executable.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable.js').RunOptions} RunOptions */
/** @typedef {import('./executable.js').AsyncRunOptions} AsyncRunOptions */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./origins.js').Origin} Origin */
/** @typedef {import('./origins.js').OriginElement} OriginElement */
/** @typedef {import('./profile.js').Trace} Trace */
/** @typedef {import('./profile.js').TraceEvent} TraceEvent */
/** @typedef {import('./profile.js').StepArgs} StepArgs */
/** @typedef {import('./runtime.js').BroadcastPlan} BroadcastPlan */
/** @typedef {import('./runtime.js').BroadcastStep} BroadcastStep */
/** @typedef {import('./runtime.js').FunctionFacts} FunctionFacts */
/** @typedef {import('./runtime.js').Infeed} Infeed */
/** @typedef {import('./runtime.js').MemoryFacts} MemoryFacts */
/** @typedef {import('./runtime.js').Outfeed} Outfeed */
/** @typedef {import('./runtime.js').ParseOptions} ParseOptions */
/** @typedef {import('./shape.js').Layout} Layout */
/** @typedef {import('./shape.js').PaddingValue} PaddingValue */
/** @typedef {import('./shape.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./shape.js').ShapeLike} ShapeLike */
/** @typedef {import('./shape.js').ShapeOptions} ShapeOptions */
/** @typedef {import('./tensor.js').Integers} Integers */
/** @typedef {import('./tensor.js').TensorTree} TensorTree */
/** @typedef {import('../values/trees.js').InputTree} InputTree */
/** @typedef {import('../values/trees.js').Tree} Tree */
/** @typedef {import('../builder/builder-core.js').ElementwiseOptions} ElementwiseOptions */
/** @typedef {import('../builder/builder-core.js').InstructionOptions} InstructionOptions */
/** @typedef {import('../builder/builder-core.js').Operand} Operand */
/** @typedef {import('../builder/table.js').AttributeRow} AttributeRow */
/** @typedef {import('../builder/table.js').OpRow} OpRow */
/** @typedef {import('../values/element-types.js').ElementType} ElementType */
/** @typedef {import('./errors.js').HloErrorCode} HloErrorCode */

export {};
