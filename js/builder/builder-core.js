// What every builder method stands on: handles, constants, instructions with attributes, building.

import { HloError, mistyped, optionsOf, unknownOption } from '../objects/errors.js';
import { didYouMean } from '../objects/nearest-name.js';
import { isScalar, isTypedArray, typeFacts, typeOfValue } from '../values/element-types.js';
import { attributeText, integers } from './attributes.js';
import { Computation, Module, withModule } from '../objects/module.js';
import { Shape } from '../objects/shape.js';
import { attributeOf, opNamesOf, rowOf } from './table.js';
import { Tensor, withDispose, writeInput } from '../objects/tensor.js';

/** @typedef {import('../objects/core.js').Core} Core */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('../objects/types.js').Input} Input */
/** @typedef {import('../objects/types.js').Scalar} Scalar */
/** @typedef {import('../values/element-types.js').TypedArray} TypedArray */
/** @typedef {import('../values/element-types.js').Float16Elements} Float16Elements */
/** @typedef {import('../../dist/generated/op-table.js').CommonOptions} CommonOptions */
/**
 * An op, or a value that becomes a constant: a number, bigint, boolean, nested arrays of them, a typed array, a Tensor.
 * @typedef {Op | Tensor | TypedArray | Float16Elements | Scalar | readonly Input[]} Operand
 */
/**
 * Attributes in camelCase, the shape that the instruction declares, its name.
 * @typedef {{ shape?: ShapeLike, name?: string, [attribute: string]: unknown }} InstructionOptions
 */
/**
 * Options of an element-wise operation: the dimensions of the higher-ranked one, one for each of the other; and attributes of any
 * instruction.
 * @typedef {readonly number[] | (CommonOptions & { broadcastDimensions?: readonly number[] })} ElementwiseOptions
 */

/** A handle of an operation: its result, before there is one. */
export class Op {
  /** Made by the methods of a builder. @hideconstructor @param {BuilderCore} builder @param {number} id @param {Shape} shape */
  constructor(builder, id, shape) {
    /** @internal @readonly @type {BuilderCore} */
    this.builder = builder;
    /** @internal @readonly @type {number} */
    this.id = id;
    /** The shape of the result. @readonly @type {Shape} */
    this.shape = shape;
  }

  /** The instruction as it stands in HLO text. @returns {string} */
  toString() {
    return this.builder.textOf(this);
  }
}

export class BuilderCore {
  #core;
  #pointer;
  #last = -1;
  /** @type {Map<Computation, string>} names of imported computations */
  #imported = new Map();

  /** Use `hlo.builder(name)`. @hideconstructor @param {Core} core @param {string} name */
  constructor(core, name) {
    if (typeof name !== 'string' || !/^[A-Za-z_][\w.-]*$/.test(name))
      throw mistyped(`a computation's name is made of letters, digits, '_', '-' and '.'`, name);
    this.#core = core;
    core.begin();
    this.#pointer = core.pointer('builder_new', core.handle, ...core.text(name));
    const pointer = this.#pointer;
    core.finalize(this, () => core.exports.hlo_api_builder_free(pointer));
    /** The computation's name. @readonly @type {string} */
    this.name = name;
  }

  /** @internal */
  get core() {
    return this.#core;
  }

  #begin() {
    if (!this.#pointer)
      throw new HloError('DISPOSED', `the builder ${this.name} has built its computation, or was disposed of`);
    this.#core.storages.enter();
    this.#core.begin();
    return this.#pointer;
  }

  /** @param {number} id */
  #made(id) {
    this.#last = id;
    return new Op(this, id, new Shape(this.#core, JSON.parse(this.#core.answer())));
  }

  // ---- Sources ----

  /**
   * An argument of the computation.
   * @param {number} number 0, 1, 2, ...
   * @param {ShapeLike} shape
   * @param {string} [name]
   * @returns {Op}
   * @throws {HloError} PARSE, SHAPE: what is wrong with the shape; VERIFY: the number is taken; DISPOSED: the builder is done
   */
  parameter(number, shape, name = '') {
    if (!Number.isInteger(number) || number < 0 || number > 1e6)
      throw mistyped('a parameter number is 0, 1, 2, ...', number);
    if (typeof name !== 'string') throw mistyped(`a parameter's name is a text`, name);
    const { handle } = Shape.from(this.#core, shape);
    const pointer = this.#begin();
    return this.#made(this.#core.number('builder_parameter', pointer, number, handle, ...this.#core.text(name)));
  }

  /**
   * A value known now: a number, boolean, BigInt, nested arrays, a typed array (in the shape's layout), a Tensor.
   * Without a shape: numbers are f32, booleans pred, BigInts s64, typed arrays what they hold.
   * @param {Input} value
   * @param {ShapeLike} [shape] an array of static size; that of a Tensor has its type and sizes, and may have another layout
   * @returns {Op}
   * @throws {HloError} SHAPE: the value does not fit it. OUT_OF_MEMORY
   */
  constant(value, shape) {
    const core = this.#core;
    const of = Shape.from(core, shape === undefined ? shapeOfValue(value) : shape);
    if (!of.isArray || of.isDynamic)
      throw new HloError('SHAPE', `constant: the shape must be an array of static size, got ${of}`);
    const { handle, arraySize } = of;
    const pointer = this.#begin();
    if (value instanceof Tensor && value.core === core && value.shape.equals(of))
      return this.#made(core.number('builder_constant', pointer, handle, value.pointer));
    const memory = core.alloc(arraySize);
    try {
      writeInput(core, of, value, memory);
    } catch (error) {
      core.release(memory, arraySize);
      throw error instanceof HloError && error.code === 'INPUT' ? new HloError('SHAPE', `constant: ${error.message}`) : error;
    }
    return this.#made(core.number('builder_own_constant', pointer, handle, memory, arraySize));
  }

  /**
   * A constant from a literal's text, `f32[2] {1, 2}`, or as `constant` does.
   * @param {string | Operand} literal
   * @param {ShapeLike} [shape]
   * @returns {Op}
   * @throws {HloError} PARSE, SHAPE
   */
  constantLiteral(literal, shape) {
    if (literal instanceof Op) return this.operand(literal);
    if (typeof literal !== 'string') return this.constant(literal, shape);
    const core = this.#core;
    const pointer = this.#begin();
    return this.#made(core.number('builder_literal', pointer, ...core.text(literal)));
  }

  /** @internal @param {string} type @param {number} which 0 least, 1 greatest, 2 zero, 3 one @returns {Op} */
  limit(type, which) {
    const { code } = typeFacts(type);
    return this.#made(this.#core.number('builder_limit', this.#begin(), code, which));
  }

  // ---- Instructions ----

  /**
   * An instruction by its HLO name. Options: the op's attributes in camelCase, `shape` (the declared shape, for ops
   * whose result does not follow from their operands), `name`.
   * @param {string} name
   * @param {readonly Operand[]} operands
   * @param {InstructionOptions} [options]
   * @returns {Op}
   * @throws {HloError} UNKNOWN_OP; SHAPE: what the rules of the operation say
   * @throws {TypeError} an option that the operation does not have
   */
  instruction(name, operands, options = {}) {
    const core = this.#core;
    const op = rowOf(core, name);
    if (!op) throw new HloError('UNKNOWN_OP', `there is no operation ${JSON.stringify(name)}${didYouMean(name, opNamesOf(core))}`);
    optionsOf(options, name);
    const ids = this.operandList(operands, `${name}: operands`).map(({ id }) => id);
    const attributes = [];
    for (const [key, value] of Object.entries(options)) {
      if (value === undefined || key === 'shape' || key === 'name') continue;
      const row = attributeOf(core, op, key);
      if (!row) {
        const broadcast = op.flags.includes('elementwise') && op.operands.length === 2 ? ['broadcastDimensions'] : [];
        throw unknownOption(name, key, [...op.own.keys(), ...broadcast, 'shape', 'name']);
      }
      attributes.push(`${row.name}=${attributeText(row, value, `${name}: ${key}`, this)}`);
    }
    const shape = options.shape === undefined ? 0 : Shape.from(core, options.shape).handle;
    if (options.name !== undefined && typeof options.name !== 'string')
      throw mistyped(`${name}: a name is a text`, options.name);
    const pointer = this.#begin();
    return this.#made(
      core.number(
        'builder_add',
        pointer,
        op.opcode,
        ...core.words(ids),
        shape,
        ...core.text(attributes.join(', ')),
        ...core.text(options.name ?? ''),
      ),
    );
  }

  /**
   * An operand as an op of this builder; values become constants of the type of `like`.
   * @internal
   * @param {unknown} value @param {Op} [like] @returns {Op}
   */
  operand(value, like) {
    if (value instanceof Op) {
      if (value.builder !== this)
        throw new TypeError(`an operand belongs to another builder, ${value.builder.name}`);
      return value;
    }
    const isTyped = isTypedArray(value) || value instanceof Tensor;
    if (!isTyped && !isScalar(value) && !Array.isArray(value)) throw mistyped('an operand must be an op or a value', value);
    return this.constant(/** @type {Input} */ (value), isTyped || !like ? undefined : shapeOfValue(value, like.shape.type));
  }

  /** Operands from one op or an array of them. @internal @param {unknown} values @param {string} what @returns {Op[]} */
  operandList(values, what) {
    if (values instanceof Op) return [this.operand(values)];
    if (!Array.isArray(values))
      throw mistyped(`${what} must be an op or an array of them`, values);
    const like = values.find((value) => value instanceof Op && value.shape.isArray);
    return values.map((value) => this.operand(value, like));
  }

  /**
   * An element-wise instruction of two operands that are broadcast to each other: scalars to anything, size 1 to any
   * size, and a lower rank along the given dimensions of the higher-ranked operand.
   * @internal
   * @param {string} name @param {Operand} lhs @param {Operand} rhs @param {ElementwiseOptions} [options] @returns {Op}
   */
  binary(name, lhs, rhs, options = {}) {
    const { broadcastDimensions, ...rest } = Array.isArray(options)
      ? { broadcastDimensions: options }
      : optionsOf(/** @type {any} */ (options), name);
    const [a, b] = this.broadcastPair(name, lhs, rhs, broadcastDimensions);
    return this.instruction(name, [a, b], rest);
  }

  /**
   * @internal
   * @param {string} name
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {readonly number[]} [broadcastDimensions]
   * @returns {[Op, Op]}
   */
  broadcastPair(name, lhs, rhs, broadcastDimensions) {
    const core = this.#core;
    const a = this.operand(lhs, rhs instanceof Op ? rhs : undefined);
    const b = this.operand(rhs, a);
    const opcode = opNamesOf(core).indexOf(name);
    if (broadcastDimensions === undefined && a.shape.textWithType('') === b.shape.textWithType('')) return [a, b];
    const pointer = this.#begin();
    const dimensions = broadcastDimensions
      ? core.ints(integers(broadcastDimensions, `${name}: broadcastDimensions`))
      : [0, 0];
    const [ids] = core.words([a.id, b.id]);
    core.must('builder_broadcast', pointer, opcode, ...dimensions, ids);
    const [left, right] = core.view(Int32Array, ids, 2);
    return [this.#found(left, a), this.#found(right, b)];
  }

  /** @param {number} id @param {Op} op */
  #found(id, op) {
    if (id === op.id) return op;
    this.#core.must('builder_instruction_shape', this.#begin(), id);
    return this.#made(id);
  }

  // ---- Names (for attributes) ----

  /** The computation's name here; it is copied in the first time. @internal @param {Computation} computation */
  computationName(computation) {
    let name = this.#imported.get(computation);
    if (name) return name;
    const core = this.#core;
    if (computation.module.core === core) {
      name = core.ask('builder_import', this.#begin(), computation.module.pointer, computation.index);
    } else {
      name = withModule(core, computation, ({ pointer, entry }) => core.ask('builder_import', this.#begin(), pointer, entry.index));
    }
    this.#imported.set(computation, name);
    return name;
  }

  /** @internal @param {Op} op */
  instructionName(op) {
    const { id } = this.operand(op);
    return this.#core.ask('builder_instruction_name', this.#begin(), id);
  }

  /** @internal @param {Op} op */
  textOf(op) {
    if (!this.#pointer) return `${op.shape} of ${this.name}`;
    return this.#core.ask('builder_instruction_text', this.#begin(), op.id);
  }

  // ---- The end ----

  /**
   * The computation whose result is `root` (by default the last op; an array gives a tuple). The builder is done then.
   * @param {Op | readonly Op[]} [root]
   * @returns {Computation} the entry of a module of its own
   * @throws {HloError} VERIFY: the whole is not well formed. DISPOSED: the builder is done already
   */
  build(root) {
    const id =
      root === undefined
        ? this.#last
        : Array.isArray(root)
          ? this.instruction('tuple', root).id
          : this.operand(root).id;
    const core = this.#core;
    const pointer = this.#begin();
    const module = new Module(core, core.pointer('builder_finish', pointer, id));
    this.dispose();
    return module.entry;
  }

  /** Frees what was built so far, where `build` is not going to be called. */
  dispose() {
    if (!this.#pointer) return;
    this.#core.unfinalize(this);
    const core = this.#core;
    const pointer = this.#pointer;
    core.whenIdle(() => core.exports.hlo_api_builder_free(pointer));
    this.#pointer = 0;
  }
}
withDispose(BuilderCore);

/** The shape that a value has, or its text. @param {unknown} value @param {string} [type] of a bare value @returns {ShapeLike} */
export function shapeOfValue(value, type) {
  if (value instanceof Tensor) return value.shape;
  const of = type ?? typeOfValue(value);
  const sizes = [];
  const pairs = of === 'c64' || of === 'c128';
  for (let item = value; Array.isArray(item) || isTypedArray(item); item = /** @type {any} */ (item)[0]) {
    // Of complex elements the innermost arrays are [re, im].
    if (pairs && item.length === 2 && typeof (/** @type {any} */ (item)[0]) === 'number') break;
    sizes.push(item.length);
  }
  return `${of}[${sizes.join(',')}]`;
}
