// Builder methods of linear algebra, windows and reductions.

import { HloError, checkOptions, isOptions, optionsOf } from '../objects/errors.js';
import { computation as asComputation, dimLabels, integer, integers, paddingPairs } from './attributes.js';
import { DataOps } from './ops-data.js';

/** @typedef {import('./builder-core.js').Op} Op */
/** @typedef {import('./builder-core.js').Operand} Operand */
/** @typedef {import('../objects/module.js').Computation} Computation */
/** @typedef {import('./attributes.js').ConvolutionDimensions} ConvolutionDimensions */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {'SAME' | 'VALID' | [number, number][]} Padding */
/**
 * @typedef {object} ConvolutionOptions
 * @property {ConvolutionDimensions} [dimensionNumbers] by default batch, feature, spatial...: bf01_oi01->bf01
 * @property {readonly number[]} [lhsDilation]
 * @property {readonly number[]} [rhsDilation]
 * @property {readonly boolean[]} [windowReversal]
 * @property {number} [featureGroupCount]
 * @property {number} [batchGroupCount]
 * @property {Shape['type']} [preferredElementType]
 * @property {string} [name]
 */
/**
 * @typedef {object} WindowOptions
 * @property {readonly number[]} [baseDilations]
 * @property {readonly number[]} [windowDilations]
 * @property {string} [name]
 */
/**
 * @typedef {object} DotOptions
 * @property {readonly number[]} [lhsContractingDims]
 * @property {readonly number[]} [rhsContractingDims]
 * @property {readonly number[]} [lhsBatchDims]
 * @property {readonly number[]} [rhsBatchDims]
 * @property {Shape['type']} [preferredElementType] of the result
 * @property {string} [operandPrecision]
 * @property {string} [algorithm]
 * @property {string} [name]
 */

const CONVOLUTION_OPTIONS = [
  'dimensionNumbers', 'lhsDilation', 'rhsDilation', 'windowReversal', 'featureGroupCount', 'batchGroupCount', 'preferredElementType', 'name',
];
const WINDOW_OPTIONS = ['baseDilations', 'windowDilations', 'name'];

export class WindowOps extends DataOps {
  // ---- Dot ----

  /**
   * Vectors and matrices: the last dimension of lhs with the last but one of rhs.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {DotOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  dot(lhs, rhs, options) {
    const given = optionsOf(options, 'dot');
    if (given.lhsContractingDims || given.rhsContractingDims) return this.dotGeneral(lhs, rhs, given);
    const [a, b] = [this.operand(lhs), this.operand(rhs)];
    const [m, n] = [a.shape.rank, b.shape.rank];
    if (m < 1 || m > 2 || n < 1 || n > 2)
      throw new HloError(
        'SHAPE',
        `dot: operands must be vectors or matrices, got ${a.shape} and ${b.shape}; dotGeneral takes dimension numbers`,
      );
    return this.dotGeneral(a, b, { ...given, lhsContractingDims: [m - 1], rhsContractingDims: [0] });
  }

  /**
   * Sums of products over contracting dimensions; the result has batch, lhs and rhs dimensions.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {DotOptions} options
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  dotGeneral(lhs, rhs, options) {
    const { preferredElementType, ...attributes } = optionsOf(options, 'dotGeneral');
    const [a, b] = [this.operand(lhs), this.operand(rhs)];
    const given = Object.fromEntries(
      Object.entries(attributes).filter(([, value]) => !Array.isArray(value) || value.length > 0),
    );
    if (!preferredElementType) return this.instruction('dot', [a, b], given);
    const batch = options.lhsBatchDims ?? [];
    const free = (/** @type {Op} */ op, /** @type {readonly number[]} */ used) =>
      op.shape.dimensions.filter((_, i) => !used.includes(i));
    const sizes = [
      ...batch.map((d) => a.shape.dimensions[d]),
      ...free(a, [...batch, ...(options.lhsContractingDims ?? [])]),
      ...free(b, [...(options.rhsBatchDims ?? []), ...(options.rhsContractingDims ?? [])]),
    ];
    return this.instruction('dot', [a, b], {
      ...given,
      shape: `${preferredElementType}[${sizes.map((s) => s ?? '?')}]`,
    });
  }

  // ---- Convolution ----

  /**
   * A convolution padded SAME or VALID.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {readonly number[]} windowStrides
   * @param {Padding} padding
   * @param {ConvolutionOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  conv(lhs, rhs, windowStrides, padding, options) {
    const { dimensionNumbers, lhsDilation, rhsDilation, windowReversal, ...rest } = checkOptions(options, CONVOLUTION_OPTIONS, 'conv');
    const [a, b] = [this.operand(lhs), this.operand(rhs)];
    const rank = a.shape.rank - 2;
    const spatial = Array.from({ length: Math.max(rank, 0) }, (_, i) => i);
    if (rank < 0 || b.shape.rank !== a.shape.rank)
      throw new HloError(
        'SHAPE',
        `conv: lhs and rhs must have the same rank, 2 or more, got ${a.shape} and ${b.shape}`,
      );
    const labels = dimLabels(
      dimensionNumbers ?? `bf${spatial.join('')}_oi${spatial.join('')}->bf${spatial.join('')}`,
    );
    const [inputLabels, kernelLabels] = labels.split(/_|->/);
    const place = (/** @type {string} */ text, /** @type {Op} */ op) =>
      spatial.map((i) => /** @type {number} */ (op.shape.dimensions[text.indexOf(String(i))]));
    const window = windowOf(
      'conv',
      place(inputLabels, a),
      place(kernelLabels, b),
      { windowStrides, lhsDilation, rhsDilation },
      padding,
      `${rank} spatial dimensions`,
      windowReversal,
    );
    const { featureGroupCount, batchGroupCount, preferredElementType, name } = rest;
    const attributes = {
      dimLabels: labels,
      featureGroupCount,
      batchGroupCount,
      name,
      ...(rank ? { window } : {}),
    };
    if (!preferredElementType) return this.instruction('convolution', [a, b], attributes);
    throw new HloError('UNSUPPORTED', 'conv: preferredElementType: convert the operands first');
  }

  /**
   * With padding given as [low, high] pairs, which may be negative.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {readonly number[]} windowStrides
   * @param {Padding} padding
   * @param {ConvolutionOptions | readonly number[]} [lhsDilation] or options
   * @param {readonly number[]} [rhsDilation]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  convWithGeneralPadding(lhs, rhs, windowStrides, padding, lhsDilation, rhsDilation) {
    const options = Array.isArray(lhsDilation)
      ? { lhsDilation, rhsDilation }
      : /** @type {ConvolutionOptions} */ (lhsDilation);
    return this.conv(lhs, rhs, windowStrides, padding, options);
  }
  /**
   * With dimension numbers.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {readonly number[]} windowStrides
   * @param {Padding} padding
   * @param {ConvolutionDimensions} dimensionNumbers
   * @param {ConvolutionOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  convGeneral(lhs, rhs, windowStrides, padding, dimensionNumbers, options) {
    return this.conv(lhs, rhs, windowStrides, padding, { ...optionsOf(options, 'convGeneral'), dimensionNumbers });
  }
  /**
   * With dimension numbers and dilation.
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {readonly number[]} windowStrides
   * @param {Padding} padding
   * @param {readonly number[]} lhsDilation
   * @param {readonly number[]} rhsDilation
   * @param {ConvolutionDimensions} dimensionNumbers
   * @param {ConvolutionOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  convGeneralDilated(lhs, rhs, windowStrides, padding, lhsDilation, rhsDilation, dimensionNumbers, options) {
    return this.conv(lhs, rhs, windowStrides, padding, { ...optionsOf(options, 'convGeneralDilated'), lhsDilation, rhsDilation, dimensionNumbers });
  }

  // ---- Reductions ----

  /**
   * @param {Operand | readonly Operand[]} operands
   * @param {Operand | readonly Operand[]} initValues
   * @param {string} what
   * @returns {[Op[], Op[]]}
   */
  #reducePair(operands, initValues, what) {
    const xs = this.operandList(operands, `${what}: operands`);
    const inits = Array.isArray(initValues) ? initValues : [initValues];
    return [xs, inits.map((init, i) => this.operand(init, xs[i]))];
  }

  /**
   * Folds dimensions away.
   * @param {Operand | readonly Operand[]} operands
   * @param {Operand | readonly Operand[]} initValues
   * @param {Computation} computation
   * @param {readonly number[]} dimensions
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reduce(operands, initValues, computation, dimensions) {
    const [xs, inits] = this.#reducePair(operands, initValues, 'reduce');
    return this.instruction('reduce', [...xs, ...inits], {
      dimensions: this.dimensionsOf(xs[0], dimensions, 'reduce: dimension'),
      toApply: asComputation(computation, 'reduce: computation'),
    });
  }
  /**
   * Folds all dimensions.
   * @param {Operand | readonly Operand[]} operands
   * @param {Operand | readonly Operand[]} initValues
   * @param {Computation} computation
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reduceAll(operands, initValues, computation) {
    const [xs, inits] = this.#reducePair(operands, initValues, 'reduceAll');
    return this.reduce(
      xs,
      inits,
      computation,
      xs[0].shape.dimensions.map((_, i) => i),
    );
  }

  /**
   * @param {Op} operand
   * @param {readonly number[]} sizes
   * @param {readonly number[] | undefined} strides
   * @param {Padding} padding
   * @param {WindowOptions} options
   * @param {string} what
   */
  #window(operand, sizes, strides, padding, options, what) {
    const { dimensions } = operand.shape;
    const whose = `the ${dimensions.length} dimensions of ${operand.shape}`;
    return windowOf(
      what,
      /** @type {number[]} */ (dimensions),
      perDimension(sizes, dimensions.length, `${what}: windowDimensions`, whose),
      { windowStrides: strides, baseDilations: options.baseDilations, windowDilations: options.windowDilations },
      padding,
      whose,
    );
  }

  /**
   * Folds each window.
   * @param {Operand | readonly Operand[]} operands
   * @param {Operand | readonly Operand[]} initValues
   * @param {Computation} computation
   * @param {readonly number[]} windowDimensions
   * @param {readonly number[]} [windowStrides]
   * @param {Padding} [padding]
   * @param {WindowOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reduceWindow(operands, initValues, computation, windowDimensions, windowStrides, padding = 'VALID', options) {
    const { name, ...dilations } = checkOptions(options, WINDOW_OPTIONS, 'reduceWindow');
    const [xs, inits] = this.#reducePair(operands, initValues, 'reduceWindow');
    const window = this.#window(xs[0], windowDimensions, windowStrides, padding, dilations, 'reduceWindow');
    return this.instruction('reduce-window', [...xs, ...inits], {
      window,
      toApply: asComputation(computation, 'reduceWindow: computation'),
      name,
    });
  }

  /**
   * Picks an element from each window and scatters a source element onto its place.
   * @param {Operand} operand
   * @param {Computation} select
   * @param {readonly number[]} windowDimensions @param {readonly number[]} windowStrides @param {Padding} padding
   * @param {Operand} source @param {Operand} initValue @param {Computation} scatter
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  selectAndScatter(operand, select, windowDimensions, windowStrides, padding, source, initValue, scatter) {
    const x = this.operand(operand);
    const window = this.#window(x, windowDimensions, windowStrides, padding, {}, 'selectAndScatter');
    return this.instruction('select-and-scatter', [x, this.operand(source, x), this.operand(initValue, x)], {
      window,
      select: asComputation(select, 'selectAndScatter: select'),
      scatter: asComputation(scatter, 'selectAndScatter: scatter'),
    });
  }

  // ---- Normalisation ----

  /**
   * Gives a tuple: normalised, mean, variance.
   * @param {Operand} operand
   * @param {Operand} scale
   * @param {Operand} offset
   * @param {number} epsilon
   * @param {number} featureIndex
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  batchNormTraining(operand, scale, offset, epsilon, featureIndex) {
    return this.#batchNorm('training', [operand, scale, offset], epsilon, featureIndex);
  }
  /**
   * @param {Operand} operand
   * @param {Operand} scale
   * @param {Operand} offset
   * @param {Operand} mean
   * @param {Operand} variance
   * @param {number} epsilon
   * @param {number} featureIndex
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  batchNormInference(operand, scale, offset, mean, variance, epsilon, featureIndex) {
    return this.#batchNorm('inference', [operand, scale, offset, mean, variance], epsilon, featureIndex);
  }
  /**
   * Gives a tuple: gradients of operand, scale, offset.
   * @param {Operand} operand
   * @param {Operand} scale
   * @param {Operand} mean
   * @param {Operand} variance
   * @param {Operand} gradOutput
   * @param {number} epsilon
   * @param {number} featureIndex
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  batchNormGrad(operand, scale, mean, variance, gradOutput, epsilon, featureIndex) {
    return this.#batchNorm('grad', [operand, scale, mean, variance, gradOutput], epsilon, featureIndex);
  }

  /**
   * @param {string} which
   * @param {Operand[]} operands
   * @param {number | { epsilon: number, featureIndex: number }} epsilon
   * @param {number} featureIndex
   */
  #batchNorm(which, operands, epsilon, featureIndex) {
    const x = this.operand(operands[0]);
    const options = isOptions(epsilon) ? epsilon : { epsilon, featureIndex };
    return this.instruction(
      `batch-norm-${which}`,
      [x, ...operands.slice(1).map((operand) => this.operand(operand, x))],
      { ...options, featureIndex: this.dimensionOf(x, options.featureIndex, 'featureIndex') },
    );
  }

  // ---- Linear algebra ----

  /**
   * Discrete Fourier transforms of the last dimensions.
   * @param {Operand} operand
   * @param {'FFT' | 'IFFT' | 'RFFT' | 'IRFFT' | { fftType: string, fftLength: readonly number[] }} type
   * @param {readonly number[]} [lengths]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  fft(operand, type, lengths) {
    return this.instruction('fft', [operand], isOptions(type) ? type : { fftType: type, fftLength: lengths });
  }
  /**
   * The triangular factor.
   * @param {Operand} operand
   * @param {boolean | { lower?: boolean }} [lower]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  cholesky(operand, lower = true) {
    return this.instruction('cholesky', [operand], isOptions(lower) ? { ...lower, lower: lower.lower ?? true } : { lower });
  }
  /**
   * @param {Operand} a
   * @param {Operand} b
   * @param {{ leftSide?: boolean, lower?: boolean, unitDiagonal?: boolean,
   *   transposeA?: 'NO_TRANSPOSE' | 'TRANSPOSE' | 'ADJOINT', name?: string }} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  triangularSolve(a, b, options) {
    const { leftSide = true, lower = true, unitDiagonal = false, transposeA = 'NO_TRANSPOSE', ...rest } = optionsOf(options, 'triangularSolve');
    return this.instruction('triangular-solve', [a, b], { ...rest, leftSide, lower, unitDiagonal, transposeA });
  }
  /**
   * A tuple: the k largest (or smallest) of the last dimension, and their indices.
   * @param {Operand} operand
   * @param {number | { k: number, largest?: boolean }} k
   * @param {boolean} [largest]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  topK(operand, k, largest = true) {
    const options = isOptions(k) ? { largest: true, ...k } : { k: integer(k, 'topK: k'), largest };
    return this.instruction('topk', [operand], options);
  }
}

/**
 * One value for each dimension; 1 where they are left out.
 * @param {readonly number[] | undefined} values @param {number} rank @param {string} what @param {string} whose
 */
function perDimension(values, rank, what, whose) {
  const list = values === undefined ? Array.from({ length: rank }, () => 1) : integers(values, what);
  if (list.length !== rank) throw new HloError('SHAPE', `${what} must have one value for each of ${whose}, got ${list.length}`);
  return list;
}

/** @param {number} size @param {number} factor */
const dilated = (size, factor) => (size === 0 ? 0 : (size - 1) * factor + 1);

/**
 * A window over dimensions of the given sizes.
 * @param {string} what
 * @param {number[]} sizes
 * @param {number[]} window its own sizes
 * @param {Record<string, readonly number[] | undefined>} given strides, dilations of the base, of the window: by the caller's names
 * @param {Padding} padding
 * @param {string} whose the dimensions are
 * @param {readonly boolean[]} [reversal]
 */
function windowOf(what, sizes, window, given, padding, whose, reversal) {
  const [strides, base, dilations] = Object.keys(given).map((name) => perDimension(given[name], sizes.length, `${what}: ${name}`, whose));
  const dilatedBase = sizes.map((size, i) => dilated(size, base[i]));
  const dilatedWindow = window.map((size, i) => dilated(size, dilations[i]));
  const pairs = paddingPairs(dilatedBase, dilatedWindow, strides, padding, what);
  return window.map((size, i) => ({
    size,
    stride: strides[i],
    paddingLow: pairs[i][0],
    paddingHigh: pairs[i][1],
    baseDilation: base[i],
    windowDilation: dilations[i],
    reversal: reversal?.[i],
  }));
}
