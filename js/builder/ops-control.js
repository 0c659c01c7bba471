// Builder methods of choice, control and random numbers.

import { HloError, describe, isPlainObject, optionsOf } from '../objects/errors.js';
import { computation as asComputation, integer, integers } from './attributes.js';
import { Op } from './builder-core.js';
import { WindowOps } from './ops-window.js';
import { Shape } from '../objects/shape.js';

/** @typedef {import('./builder-core.js').Operand} Operand */
/** @typedef {import('./builder-core.js').ElementwiseOptions} ElementwiseOptions */
/** @typedef {import('../objects/module.js').Computation} Computation */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {'EQ' | 'NE' | 'GE' | 'GT' | 'LE' | 'LT'} Direction */
/** @typedef {'FLOAT' | 'TOTALORDER' | 'SIGNED' | 'UNSIGNED'} ComparisonType */

export class ControlOps extends WindowOps {
  // ---- Comparing and choosing ----

  /**
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {Direction | { direction: Direction, type?: ComparisonType, broadcastDimensions?: readonly number[] }} direction
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  compare(lhs, rhs, direction, options) {
    const broadcast = Array.isArray(options) ? { broadcastDimensions: options } : optionsOf(/** @type {any} */ (options), 'compare');
    const attributes = typeof direction === 'string' ? { direction } : optionsOf(direction, 'compare');
    return this.binary('compare', lhs, rhs, { ...broadcast, ...attributes });
  }
  /**
   * lhs = rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  eq(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'EQ', options);
  }
  /**
   * lhs ≠ rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  ne(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'NE', options);
  }
  /**
   * lhs ≥ rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  ge(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'GE', options);
  }
  /**
   * lhs > rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  gt(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'GT', options);
  }
  /**
   * lhs ≤ rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  le(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'LE', options);
  }
  /**
   * lhs < rhs
   * @param {Operand} lhs
   * @param {Operand} rhs
   * @param {ElementwiseOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  lt(lhs, rhs, options) {
    return this.compare(lhs, rhs, 'LT', options);
  }

  /**
   * min(max(operand, min), max); min and max may be scalars.
   * @param {Operand} min
   * @param {Operand} operand
   * @param {Operand} max
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  clamp(min, operand, max) {
    const like = [operand, min, max].find((value) => value instanceof Op);
    const x = this.operand(operand, /** @type {Op | undefined} */ (like));
    return this.instruction('clamp', [this.operand(min, x), x, this.operand(max, x)]);
  }

  /**
   * onTrue where pred holds, onFalse elsewhere. A scalar pred chooses a whole array, or a whole tuple.
   * @param {Operand} pred
   * @param {Operand} onTrue
   * @param {Operand} onFalse
   * @returns {Op}
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  select(pred, onTrue, onFalse) {
    const p = this.operand(pred);
    const like = /** @type {Op | undefined} */ ([onTrue, onFalse].find((value) => value instanceof Op));
    const t = this.operand(onTrue, like);
    const f = this.operand(onFalse, t);
    if (!t.shape.isTuple) {
      const [a, b] = t.shape.isArray && f.shape.isArray ? this.broadcastPair('select', t, f) : [t, f];
      return this.instruction('select', [p, a, b]);
    }
    if (!t.shape.compatible(f.shape) || p.shape.rank !== 0)
      throw new HloError(
        'SHAPE',
        `select: between tuples, pred must be a scalar and both of the same shape, got ${p.shape}, ${t.shape} and ${f.shape}`,
      );
    return this.tuple(
      t.shape.elements.map((element, i) =>
        element.type === 'token'
          ? this.getTupleElement(t, i)
          : this.select(p, this.getTupleElement(t, i), this.getTupleElement(f, i)),
      ),
    );
  }

  // ---- Applying computations ----

  /**
   * Runs a computation.
   * @param {Computation} computation
   * @param {...(Operand | readonly Operand[])} operands
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  call(computation, ...operands) {
    const list = operands.length === 1 && Array.isArray(operands[0]) ? operands[0] : operands;
    return this.instruction('call', /** @type {Operand[]} */ (list), {
      toApply: asComputation(computation, 'call: computation'),
    });
  }

  /**
   * Runs body as long as condition holds.
   * @param {Computation} condition
   * @param {Computation} body
   * @param {Operand} init
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  while(condition, body, init) {
    return this.instruction('while', [init], {
      condition: asComputation(condition, 'while: condition'),
      body: asComputation(body, 'while: body'),
    });
  }

  /**
   * Runs one of several computations: `conditional(pred, trueOperand, trueComputation, falseOperand, falseComputation)`
   * or `conditional(index, computations, operands)`; an index out of range runs the last.
   * @param {Operand} index
   * @param {Operand | readonly Computation[]} first
   * @param {Computation | readonly Operand[]} second
   * @param {Operand} [falseOperand] @param {Computation} [falseComputation]
   * @returns {Op}
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  conditional(index, first, second, falseOperand, falseComputation) {
    if (Array.isArray(first) && Array.isArray(second)) {
      const which = index instanceof Op ? index : this.constant(index, typeof index === 'boolean' ? 'pred[]' : 's32[]');
      if (which.shape.type === 'pred' && first.length === 2)
        return this.conditional(which, second[0], first[0], second[1], first[1]);
      return this.instruction('conditional', [which, ...this.operandList(second, 'conditional: operands')], {
        branchComputations: first,
      });
    }
    const pred = index instanceof Op ? index : this.constant(index, 'pred[]');
    return this.instruction(
      'conditional',
      [pred, /** @type {Operand} */ (first), /** @type {Operand} */ (falseOperand)],
      {
        trueComputation: asComputation(second, 'conditional: trueComputation'),
        falseComputation: asComputation(falseComputation, 'conditional: falseComputation'),
      },
    );
  }

  /**
   * Applies a computation to the elements of arrays. Static operands are passed to every call as they are: scalars
   * are broadcast, arrays kept whole.
   * @param {Operand | readonly Operand[]} operands
   * @param {Computation} computation
   * @param {readonly number[]} [dimensions] all of them, in order
   * @param {readonly Operand[]} [staticOperands]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  map(operands, computation, dimensions, staticOperands = []) {
    const xs = this.operandList(operands, 'map: operands');
    const apply = asComputation(computation, 'map: computation');
    const statics = staticOperands.map((operand, i) => {
      const parameter = apply.parameters[xs.length + i]?.shape;
      return operand instanceof Op || !parameter ? this.operand(operand) : this.constant(operand, parameter);
    });
    const all = dimensions ?? xs[0]?.shape.dimensions.map((_, i) => i) ?? [];
    if (statics.some((operand) => operand.shape.rank > 0)) return this.#mapWhole(xs, apply, statics);
    const sizes = /** @type {number[]} */ (xs[0].shape.dimensions);
    return this.instruction('map', [...xs, ...statics.map((operand) => this.broadcast(operand, sizes))], {
      dimensions: all,
      toApply: apply,
    });
  }

  /**
   * A loop over the elements, each call of the computation given the static arrays whole.
   * @param {Op[]} xs
   * @param {Computation} apply
   * @param {Op[]} statics
   */
  #mapWhole(xs, apply, statics) {
    const count = xs[0].shape.elementCount;
    for (const x of xs)
      if (x.shape.textWithType('') !== xs[0].shape.textWithType('') || x.shape.isDynamic)
        throw new HloError('SHAPE', `map: operands must have the same dimensions, got ${xs[0].shape} and ${x.shape}`);
    if (apply.parameters.length !== xs.length + statics.length)
      throw new HloError(
        'SHAPE',
        `map: the computation ${apply.name} has ${apply.parameters.length} parameters, but there are ${
          xs.length
        } operands and ${statics.length} static operands`,
      );
    if (apply.result.rank !== 0 || !apply.result.isArray)
      throw new HloError('SHAPE', `map: the computation must give a scalar, got ${apply.result}`);
    const flat = xs.map((x) => this.reshape(x, [count]));
    const result = this.broadcast(this.zero(apply.result.type), [count]);
    const init = this.tuple(this.constant(0, 's32[]'), result, ...flat, ...statics);
    const condition = this.subcomputation('map_condition', (b) => {
      const state = b.parameter(0, init.shape, 'state');
      return b.lt(b.getTupleElement(state, 0), b.constant(count, 's32[]'));
    });
    const body = this.subcomputation('map_body', (b) => {
      const [i, out, ...rest] = b.elementsOf(b.parameter(0, init.shape, 'state'));
      const elements = rest.slice(0, xs.length).map((x) => b.reshape(b.dynamicSlice(x, [i], [1]), []));
      const value = b.call(apply, [...elements, ...rest.slice(xs.length)]);
      return b.tuple(b.binary('add', i, 1), b.dynamicUpdateSlice(out, b.reshape(value, [1]), [i]), ...rest);
    });
    const last = this.while(condition, body, init);
    return this.reshape(this.getTupleElement(last, 1), /** @type {number[]} */ (xs[0].shape.dimensions));
  }

  /**
   * A computation built on the side.
   * @internal
   * @param {string} name
   * @param {(b: ControlOps) => Op} build
   * @returns {Computation}
   */
  subcomputation(name, build) {
    const builder = new /** @type {any} */ (this.constructor)(this.core, name);
    try {
      return builder.build(build(builder));
    } finally {
      builder.dispose();
    }
  }

  /**
   * A computation that many builders need, made once in a runtime.
   * @internal
   * @param {string} name
   * @param {(b: ControlOps) => Op} build
   * @returns {Computation}
   */
  helper(name, build) {
    const { helpers } = this.core;
    let computation = helpers.get(name);
    if (!computation) helpers.set(name, (computation = this.subcomputation(name, build)));
    return computation;
  }

  /**
   * Sorts: one operand ascending along its last dimension (total order, NaN last), or operands by a comparator.
   * @param {Operand | readonly Operand[]} operands
   * @param {Computation | { dimensions?: readonly number[], isStable?: boolean, toApply: Computation }} [comparator]
   *   whether its first element comes before its second
   * @param {number} [dimension] @param {boolean} [isStable]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  sort(operands, comparator, dimension = -1, isStable = false) {
    const xs = this.operandList(operands, 'sort: operands');
    const { type } = xs[0].shape;
    if (isPlainObject(comparator))
      return this.instruction('sort', xs, {
        ...comparator,
        dimensions: /** @type {any} */ (comparator).dimensions ?? [xs[0].shape.rank - 1],
      });
    if (!comparator && xs.length > 1) throw new TypeError('sort: several operands need a comparator');
    const toApply = comparator
      ? asComputation(comparator, 'sort: comparator')
      : this.helper(`ascending_${type}`, (b) => {
          const keys = [0, 1].map((i) => {
            const key = b.parameter(i, `${type}[]`, i ? 'rhs' : 'lhs');
            if (!/^(b?f)/.test(type)) return key;
            // A NaN of either sign goes last.
            return b.select(b.ne(key, key), b.constant(NaN, `${type}[]`), key);
          });
          return b.compare(keys[0], keys[1], /^(b?f)/.test(type) ? { direction: 'LT', type: 'TOTALORDER' } : 'LT');
        });
    return this.instruction('sort', xs, {
      dimensions: [this.dimensionOf(xs[0], dimension, 'sort: dimension')],
      toApply,
      ...(isStable ? { isStable } : {}),
    });
  }

  // ---- Random numbers ----

  /**
   * Uniform in [a, b).
   * @param {Operand} a
   * @param {Operand} b
   * @param {ShapeLike} shape
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  rngUniform(a, b, shape) {
    const { type } = Shape.from(this.core, shape);
    return this.instruction('rng', [this.#scalar(a, type), this.#scalar(b, type)], {
      shape,
      distribution: 'rng_uniform',
    });
  }
  /**
   * Normal, of a mean and a standard deviation.
   * @param {Operand} mean
   * @param {Operand} sigma
   * @param {ShapeLike} shape
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  rngNormal(mean, sigma, shape) {
    const { type } = Shape.from(this.core, shape);
    return this.instruction('rng', [this.#scalar(mean, type), this.#scalar(sigma, type)], {
      shape,
      distribution: 'rng_normal',
    });
  }
  /**
   * True (or 1) with the probability `mean`; pred or any number type.
   * @param {Operand} mean
   * @param {ShapeLike} shape
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  rngBernoulli(mean, shape) {
    const of = Shape.from(this.core, shape);
    const p = mean instanceof Op ? this.operand(mean) : this.constant(mean, 'f32[]');
    const uniform = this.rngUniform(this.zero(p.shape.type), this.one(p.shape.type), of.textWithType(p.shape.type));
    const hit = this.lt(uniform, p);
    return of.type === 'pred' ? hit : this.convert(hit, of.type);
  }
  /**
   * A tuple: the next state, and random bits.
   * @param {'default' | 'three_fry' | 'philox' | string} algorithm
   * @param {Operand} state
   * @param {ShapeLike} shape
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  rngBitGenerator(algorithm, state, shape) {
    const s = this.operand(state);
    const name = String(algorithm).toLowerCase().replace(/^rng_/, '').replace('threefry', 'three_fry');
    return this.instruction('rng-bit-generator', [s], {
      shape: `(${s.shape}, ${Shape.from(this.core, shape)})`,
      algorithm: `rng_${name}`,
    });
  }

  /** @param {Operand} value @param {string} type */
  #scalar(value, type) {
    return value instanceof Op ? this.operand(value) : this.constant(value, `${type}[]`);
  }
}
