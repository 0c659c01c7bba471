// Builder methods that make and move data, in XlaBuilder's order of arguments.

import { HloError, isOptions, mistyped, optionsOf } from '../objects/errors.js';
import { typeFacts } from '../values/element-types.js';
import { integer, integers, paddingText } from './attributes.js';
import { BuilderCore, Op } from './builder-core.js';
import { Shape } from '../objects/shape.js';

/** @typedef {import('./builder-core.js').Operand} Operand */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('./attributes.js').PaddingDimension} PaddingDimension */
/** @typedef {import('../objects/module.js').Computation} Computation */
/** @typedef {import('../../dist/generated/op-table.js').CustomCallOptions} CustomCallOptions */
/** @typedef {import('../../dist/generated/op-table.js').ScatterOptions} ScatterOptions */
/**
 * @typedef {object} GatherOptions
 * @property {readonly number[]} offsetDims
 * @property {readonly number[]} collapsedSliceDims
 * @property {readonly number[]} startIndexMap
 * @property {number} indexVectorDim
 * @property {readonly number[]} [sliceSizes]
 * @property {readonly number[]} [operandBatchingDims]
 * @property {readonly number[]} [startIndicesBatchingDims]
 * @property {boolean} [indicesAreSorted]
 * @property {string} [name]
 */

export class DataOps extends BuilderCore {
  /**
   * A dimension number of an op; -1 is the last.
   * @internal
   * @param {Op} op
   * @param {unknown} value
   * @param {string} what
   * @returns {number}
   */
  dimensionOf(op, value, what) {
    const number = integer(value, what);
    const dimension = number < 0 ? number + op.shape.rank : number;
    if (dimension < 0 || dimension >= op.shape.rank)
      throw new HloError('SHAPE', `${what} ${number} is out of range for ${op.shape}, of rank ${op.shape.rank}`);
    return dimension;
  }

  /** @internal @param {Op} op @param {unknown} values @param {string} what @returns {number[]} */
  dimensionsOf(op, values, what) {
    return integers(values, what).map((value) => this.dimensionOf(op, value, what));
  }

  // ---- Sources ----

  /**
   * The least value of a type: -inf where there is one.
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  minValue(type) {
    return this.limit(type, 0);
  }
  /**
   * The greatest value of a type.
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  maxValue(type) {
    return this.limit(type, 1);
  }
  /**
   * The scalar 0 of a type.
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  zero(type) {
    return this.limit(type, 2);
  }
  /**
   * The scalar 1 of a type.
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  one(type) {
    return this.limit(type, 3);
  }
  /**
   * Zeros of an op's shape.
   * @param {Operand} operand
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  zerosLike(operand) {
    return this.#filled(operand, 2);
  }
  /**
   * Ones of an op's shape.
   * @param {Operand} operand
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  onesLike(operand) {
    return this.#filled(operand, 3);
  }

  /** @param {Operand} operand @param {number} which value, as `limit` takes it */
  #filled(operand, which) {
    const x = this.operand(operand);
    const { type, dimensions, dimensionKinds } = x.shape;
    let filled = this.broadcast(this.limit(type, which), /** @type {number[]} */ (dimensions));
    for (const [d, kind] of dimensionKinds.entries())
      if (kind !== 'static') filled = this.setDimensionSize(filled, this.getDimensionSize(x, d), d);
    return filled;
  }

  /**
   * Counts 0, 1, 2, ... along a dimension.
   * @param {ShapeLike} shape
   * @param {number} [dimension]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  iota(shape, dimension = 0) {
    return this.instruction('iota', [], { shape, iotaDimension: integer(dimension, 'iota: dimension') });
  }

  // ---- Shapes ----

  /**
   * New dimensions on the left.
   * @param {Operand} operand
   * @param {readonly number[]} sizes
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  broadcast(operand, sizes) {
    const x = this.operand(operand);
    const outer = integers(sizes, 'broadcast: sizes');
    const shape = `${x.shape.type}[${[...outer, ...x.shape.textWithType('').slice(1, -1).split(',').filter(Boolean)].join(',')}]`;
    return this.instruction('broadcast', [x], {
      shape,
      dimensions: x.shape.dimensions.map((_, i) => outer.length + i),
    });
  }

  /**
   * Repeats along new dimensions; broadcastDimensions[i] is the result dimension of operand dimension i. A dimension
   * of size 1 may grow.
   * @param {Operand} operand @param {readonly number[]} outDimensions @param {readonly number[]} broadcastDimensions
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  broadcastInDim(operand, outDimensions, broadcastDimensions) {
    let x = this.operand(operand);
    const out = integers(outDimensions, 'broadcastInDim: outDimensions');
    let dimensions = integers(broadcastDimensions, 'broadcastInDim: broadcastDimensions');
    if (
      dimensions.length === x.shape.rank &&
      x.shape.dimensions.some((size, i) => size === 1 && out[dimensions[i]] !== 1)
    ) {
      const kept = dimensions.map((_, i) => i).filter((i) => x.shape.dimensions[i] !== 1 || out[dimensions[i]] === 1);
      x = this.reshape(
        x,
        kept.map((i) => /** @type {number} */ (x.shape.dimensions[i])),
      );
      dimensions = kept.map((i) => dimensions[i]);
    }
    return this.instruction('broadcast', [x], { shape: `${x.shape.type}[${out}]`, dimensions });
  }

  /**
   * The same elements in row-major order under other sizes; with `dimensions`, after collecting the operand's
   * dimensions in that order.
   * @param {Operand} operand @param {readonly number[]} dimensionsOrSizes @param {readonly number[]} [newSizes]
   * @returns {Op}
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reshape(operand, dimensionsOrSizes, newSizes) {
    const x = this.operand(operand);
    if (newSizes === undefined)
      return this.instruction('reshape', [x], {
        shape: `${x.shape.type}[${integers(dimensionsOrSizes, 'reshape: newSizes')}]`,
      });
    const order = integers(dimensionsOrSizes, 'reshape: dimensions');
    if (order.length !== x.shape.rank)
      throw new HloError(
        'SHAPE',
        `reshape: dimensions must be a permutation of the dimensions of ${x.shape}, got [${order}]`,
      );
    const ordered = order.every((dimension, i) => dimension === i) ? x : this.transpose(x, order);
    return this.reshape(ordered, newSizes);
  }

  /**
   * Result dimension i is operand dimension permutation[i]; without one, all dimensions are reversed.
   * @param {Operand} operand
   * @param {readonly number[]} [permutation]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  transpose(operand, permutation) {
    const x = this.operand(operand);
    return this.instruction('transpose', [x], {
      dimensions: permutation ?? x.shape.dimensions.map((_, i) => x.shape.rank - 1 - i),
    });
  }

  /**
   * Makes consecutive dimensions one.
   * @param {Operand} operand
   * @param {readonly number[]} dimensions
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  collapse(operand, dimensions) {
    const x = this.operand(operand);
    const list = integers(dimensions, 'collapse: dimensions');
    if (list.some((dimension, i) => dimension !== list[0] + i || dimension < 0 || dimension >= x.shape.rank))
      throw new HloError(
        'SHAPE',
        `collapse: dimensions must be consecutive and ascending dimensions of ${x.shape}, got [${list}]`,
      );
    if (list.length < 2) return x;
    const sizes = /** @type {number[]} */ ([...x.shape.dimensions]);
    const size = list.reduce((product, dimension) => product * sizes[dimension], 1);
    sizes.splice(list[0], list.length, size);
    return this.reshape(x, sizes);
  }

  /**
   * Joins arrays along a dimension.
   * @param {readonly Operand[]} operands
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  concatenate(operands, dimension) {
    const list = this.operandList(operands, 'concatenate: operands');
    if (list.length === 0) throw new HloError('SHAPE', 'concatenate: needs at least one operand');
    return this.instruction('concatenate', list, {
      dimensions: [this.dimensionOf(list[0], dimension, 'concatenate: dimension')],
    });
  }
  /**
   * `concatenate`.
   * @param {readonly Operand[]} operands
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  concat(operands, dimension) {
    return this.concatenate(operands, dimension);
  }
  /**
   * `concatenate`.
   * @param {readonly Operand[]} operands
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  concatInDim(operands, dimension) {
    return this.concatenate(operands, dimension);
  }

  /**
   * Reverses the order along dimensions.
   * @param {Operand} operand
   * @param {readonly number[] | { dimensions: readonly number[] }} dimensions
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reverse(operand, dimensions) {
    const x = this.operand(operand);
    const { dimensions: list, ...rest } = isOptions(dimensions) ? /** @type {any} */ (dimensions) : { dimensions };
    return this.instruction('reverse', [x], { ...rest, dimensions: this.dimensionsOf(x, list, 'reverse: dimension') });
  }
  /**
   * `reverse`.
   * @param {Operand} operand
   * @param {readonly number[]} dimensions
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  rev(operand, dimensions) {
    return this.reverse(operand, dimensions);
  }

  // ---- Types ----

  /**
   * The same values in another element type.
   * @param {Operand} operand
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  convert(operand, type) {
    const x = this.operand(operand);
    typeFacts(type);
    return this.instruction('convert', [x], { shape: x.shape.textWithType(type) });
  }
  /**
   * `convert`.
   * @param {Operand} operand
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  convertElementType(operand, type) {
    return this.convert(operand, type);
  }

  /**
   * The same bits as another type; a smaller one adds a dimension, a larger one takes the last.
   * @param {Operand} operand
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  bitcastConvertType(operand, type) {
    const x = this.operand(operand);
    const from = typeFacts(x.shape.type).bits;
    const to = typeFacts(type).bits;
    const sizes = x.shape.textWithType('').slice(1, -1).split(',').filter(Boolean);
    if (to < from) sizes.push(String(from / to));
    if (to > from) sizes.pop();
    return this.instruction('bitcast-convert', [x], { shape: `${type}[${sizes}]` });
  }
  /**
   * `bitcastConvertType`.
   * @param {Operand} operand
   * @param {Shape['type']} type
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  bitcastConvert(operand, type) {
    return this.bitcastConvertType(operand, type);
  }

  /**
   * Rounds to a format with fewer bits.
   * @param {Operand} operand
   * @param {number | { exponentBits: number, mantissaBits: number }} exponentBits
   * @param {number} [mantissaBits]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reducePrecision(operand, exponentBits, mantissaBits) {
    const bits = isOptions(exponentBits) ? exponentBits : { exponentBits, mantissaBits };
    return this.instruction('reduce-precision', [operand], bits);
  }

  // ---- Slices ----

  /**
   * From start to limit in each dimension.
   * @param {Operand} operand
   * @param {readonly number[]} starts
   * @param {readonly number[]} limits
   * @param {readonly number[]} [strides]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  slice(operand, starts, limits, strides) {
    const x = this.operand(operand);
    const [from, to] = [integers(starts, 'slice: startIndices'), integers(limits, 'slice: limitIndices')];
    const steps = strides === undefined ? from.map(() => 1) : integers(strides, 'slice: strides');
    if (from.length !== to.length || from.length !== steps.length)
      throw new HloError(
        'SHAPE',
        `slice: starts, limits and strides must be of the same length, got ${from.length}, ${to.length} and ${steps.length}`,
      );
    return this.instruction('slice', [x], {
      slice: from.map((start, i) => (steps[i] === 1 ? [start, to[i]] : [start, to[i], steps[i]])),
    });
  }

  /**
   * A slice in one dimension, whole in the others.
   * @param {Operand} operand
   * @param {number} start
   * @param {number} limit
   * @param {number} stride
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  sliceInDim(operand, start, limit, stride, dimension) {
    const x = this.operand(operand);
    const along = this.dimensionOf(x, dimension, 'sliceInDim: dimension');
    const sizes = /** @type {number[]} */ (x.shape.dimensions);
    return this.slice(
      x,
      sizes.map((_, i) => (i === along ? start : 0)),
      sizes.map((size, i) => (i === along ? limit : size)),
      sizes.map((_, i) => (i === along ? stride : 1)),
    );
  }

  /**
   * A rank-1 op, or scalars, as one scalar a dimension.
   * @internal
   * @param {unknown} starts
   * @param {string} what
   * @returns {Op[]}
   */
  startIndices(starts, what) {
    if (starts instanceof Op && starts.shape.rank === 1) {
      const count = /** @type {number} */ (starts.shape.dimensions[0]);
      return Array.from({ length: count }, (_, i) => this.reshape(this.slice(starts, [i], [i + 1]), []));
    }
    if (starts instanceof Op) return [starts];
    if (!Array.isArray(starts))
      throw mistyped(`${what}: start indices are scalars in an array, or one rank-1 op`, starts);
    const typed = starts.find((start) => start instanceof Op);
    return starts.map((start) =>
      start instanceof Op ? this.operand(start) : this.constant(start, `${typed?.shape.type ?? 's32'}[]`),
    );
  }

  /**
   * A slice of fixed sizes; starts are clamped to fit.
   * @param {Operand} operand
   * @param {Op | readonly Operand[]} startIndices
   * @param {readonly number[]} sizes
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  dynamicSlice(operand, startIndices, sizes) {
    const x = this.operand(operand);
    return this.instruction('dynamic-slice', [x, ...this.startIndices(startIndices, 'dynamicSlice')], {
      dynamicSliceSizes: integers(sizes, 'dynamicSlice: sizes'),
    });
  }

  /**
   * The operand with `update` written at the starts, which are clamped to fit.
   * @param {Operand} operand
   * @param {Operand} update
   * @param {Op | readonly Operand[]} startIndices
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  dynamicUpdateSlice(operand, update, startIndices) {
    const x = this.operand(operand);
    return this.instruction('dynamic-update-slice', [
      x,
      this.operand(update, x),
      ...this.startIndices(startIndices, 'dynamicUpdateSlice'),
    ]);
  }

  /**
   * Adds elements at the edges (removes them where negative) and between.
   * @param {Operand} operand @param {Operand} paddingValue
   * @param {string | readonly PaddingDimension[] | { padding: string | readonly PaddingDimension[] }} config
   *   for each dimension [low, high, interior]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  pad(operand, paddingValue, config) {
    const x = this.operand(operand);
    const { padding: dims, ...rest } = isOptions(config) ? /** @type {any} */ (config) : { padding: config };
    if (typeof dims !== 'string' && !Array.isArray(dims))
      throw mistyped('pad: padding is an array of [low, high, interior]', config);
    const padding = typeof dims === 'string' ? dims : paddingText(/** @type {PaddingDimension[]} */ (dims));
    return this.instruction('pad', [x, this.operand(paddingValue, x)], { ...rest, padding });
  }

  /**
   * Pads one dimension.
   * @param {Operand} operand
   * @param {Operand} paddingValue
   * @param {number} dimension
   * @param {number} low
   * @param {number} high
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  padInDim(operand, paddingValue, dimension, low, high) {
    const x = this.operand(operand);
    const along = this.dimensionOf(x, dimension, 'padInDim: dimension');
    return this.pad(
      x,
      paddingValue,
      x.shape.dimensions.map((_, i) => (i === along ? [low, high, 0] : [0, 0, 0])),
    );
  }

  /**
   * Slices of the operand from many computed places.
   * @param {Operand} operand @param {Operand} startIndices
   * @param {GatherOptions} options
   * @param {readonly number[]} [sliceSizes] may stand in the options
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  gather(operand, startIndices, options, sliceSizes) {
    const x = this.operand(operand);
    return this.instruction(
      'gather',
      [x, this.operand(startIndices)],
      sliceSizes ? { ...optionsOf(options, 'gather'), sliceSizes } : options,
    );
  }

  /**
   * Combines slices into the operands at many computed places.
   * @param {Operand | readonly Operand[]} operands
   * @param {Operand} scatterIndices
   * @param {Operand | readonly Operand[]} updates
   * @param {Computation | ScatterOptions} computation or the options with `toApply`
   * @param {Omit<ScatterOptions, 'toApply'>} [options] updateWindowDims, insertedWindowDims, scatterDimsToOperandDims, indexVectorDim, ...
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  scatter(operands, scatterIndices, updates, computation, options) {
    const all = [
      ...this.operandList(operands, 'scatter: operands'),
      this.operand(scatterIndices),
      ...this.operandList(updates, 'scatter: updates'),
    ];
    return this.instruction(
      'scatter',
      all,
      options === undefined ? /** @type {any} */ (computation) : { ...optionsOf(options, 'scatter'), toApply: computation },
    );
  }

  // ---- Sizes ----

  /**
   * @param {Operand} operand
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  getDimensionSize(operand, dimension) {
    const x = this.operand(operand);
    return this.instruction('get-dimension-size', [x], {
      dimensions: [this.dimensionOf(x, dimension, 'getDimensionSize: dimension')],
    });
  }
  /**
   * @param {Operand} operand
   * @param {Operand} size a scalar s32
   * @param {number} dimension
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  setDimensionSize(operand, size, dimension) {
    const x = this.operand(operand);
    const value = size instanceof Op ? size : this.constant(size, 's32[]');
    return this.instruction('set-dimension-size', [x, value], {
      dimensions: [this.dimensionOf(x, dimension, 'setDimensionSize: dimension')],
    });
  }

  // ---- Tuples ----

  /**
   * Puts values together.
   * @param {...(Operand | readonly Operand[])} operands
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  tuple(...operands) {
    const list = operands.length === 1 && Array.isArray(operands[0]) ? operands[0] : operands;
    return this.instruction('tuple', /** @type {Operand[]} */ (list));
  }
  /**
   * @param {Op} operand
   * @param {number | { index: number }} index
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  getTupleElement(operand, index) {
    return this.instruction(
      'get-tuple-element',
      [operand],
      isOptions(index) ? index : { index: integer(index, 'getTupleElement: index') },
    );
  }

  /**
   * @param {Op} op
   * @returns {Op[]}
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  elementsOf(op) {
    return op.shape.elements.map((_, i) => this.getTupleElement(op, i));
  }

  /**
   * A custom call: a function registered when compiling, or a built-in target.
   * @param {string} target
   * @param {readonly Operand[]} operands
   * @param {ShapeLike} shape
   * @param {Partial<CustomCallOptions>} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  customCall(target, operands, shape, options) {
    return this.instruction('custom-call', this.operandList(operands, 'customCall: operands'), {
      shape: Shape.from(this.core, shape),
      customCallTarget: target,
      ...optionsOf(options, 'customCall'),
    });
  }
}
