// Builder methods that speak to other replicas, to channels and to the host's queues.

import { optionsOf } from '../objects/errors.js';
import { computation as asComputation, integer, integers } from './attributes.js';
import { Op } from './builder-core.js';
import { ControlOps } from './ops-control.js';
import { Shape } from '../objects/shape.js';

/** @typedef {import('./builder-core.js').Operand} Operand */
/** @typedef {import('../objects/module.js').Computation} Computation */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('../objects/errors.js').HloError} HloError */
/** @typedef {import('../../dist/generated/op-table.js').OutfeedOptions} OutfeedOptions */
/** @typedef {import('../../dist/generated/op-table.js').SendOptions} SendOptions */
/** @typedef {import('../../dist/generated/op-table.js').RecvOptions} RecvOptions */
/**
 * @typedef {object} CollectiveOptions
 * @property {readonly (readonly number[])[] | string} [replicaGroups] all replicas in one group, where left out
 * @property {number} [channelId]
 * @property {boolean} [useGlobalDeviceIds]
 * @property {boolean} [constrainLayout]
 * @property {string} [name]
 */

export class CommunicationOps extends ControlOps {
  /** The token of the infeed or outfeed before, so that they keep their order. @type {Record<string, Op>} */
  #tokens = {};

  // ---- Among replicas ----

  /** `add` of two scalars of a type. @param {string} type */
  #adder(type) {
    return this.helper(`add_${type}`, (b) =>
      b.binary('add', b.parameter(0, `${type}[]`, 'x'), b.parameter(1, `${type}[]`, 'y')),
    );
  }

  /**
   * The sum over all replicas.
   * @param {Operand} operand
   * @param {CollectiveOptions['replicaGroups']} [replicaGroups]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  crossReplicaSum(operand, replicaGroups) {
    const x = this.operand(operand);
    return this.allReduce(x, this.#adder(x.shape.type), { replicaGroups });
  }
  /**
   * Combines operands over replicas.
   * @param {Operand | readonly Operand[]} operands
   * @param {Computation} computation
   * @param {CollectiveOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  allReduce(operands, computation, options) {
    return this.instruction('all-reduce', this.operandList(operands, 'allReduce: operands'), {
      ...grouped(options),
      toApply: asComputation(computation, 'allReduce: computation'),
    });
  }
  /**
   * Joins operands of `shardCount` replicas along a dimension.
   * @param {Operand} operand
   * @param {number} dimension
   * @param {number} shardCount
   * @param {CollectiveOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  allGather(operand, dimension, shardCount, options) {
    const x = this.operand(operand);
    const along = this.dimensionOf(x, dimension, 'allGather: dimension');
    return this.instruction('all-gather', [x], {
      ...grouped(options),
      dimensions: [along],
      shape: resized(x, along, (size) => size * integer(shardCount, 'allGather: shardCount')),
    });
  }
  /**
   * Combines, and deals out along a dimension to `shardCount` replicas.
   * @param {Operand} operand
   * @param {Computation} computation
   * @param {number} dimension
   * @param {number} shardCount
   * @param {CollectiveOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  reduceScatter(operand, computation, dimension, shardCount, options) {
    const x = this.operand(operand);
    const along = this.dimensionOf(x, dimension, 'reduceScatter: dimension');
    return this.instruction('reduce-scatter', [x], {
      ...grouped(options),
      dimensions: [along],
      toApply: asComputation(computation, 'reduceScatter: computation'),
      shape: resized(x, along, (size) => size / integer(shardCount, 'reduceScatter: shardCount')),
    });
  }
  /**
   * Splits along one dimension, sends part i to replica i of the group, joins along another.
   * @param {Operand} operand
   * @param {number} splitDimension
   * @param {number} concatDimension
   * @param {number} splitCount
   * @param {CollectiveOptions} [options]
   * @returns {Op}
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  allToAll(operand, splitDimension, concatDimension, splitCount, options) {
    const x = this.operand(operand);
    const split = this.dimensionOf(x, splitDimension, 'allToAll: splitDimension');
    const concat = this.dimensionOf(x, concatDimension, 'allToAll: concatDimension');
    const count = integer(splitCount, 'allToAll: splitCount');
    const moved = this.instruction('all-to-all', [x], { ...grouped(options), dimensions: [split] });
    if (split === concat) return moved;
    const sizes = /** @type {number[]} */ ([...x.shape.dimensions]);
    const apart = [...sizes.slice(0, split), count, sizes[split] / count, ...sizes.slice(split + 1)];
    const order = apart.map((_, i) => i).filter((i) => i !== split);
    order.splice(order.indexOf(concat > split ? concat + 1 : concat), 0, split);
    sizes[split] /= count;
    sizes[concat] *= count;
    return this.reshape(this.transpose(this.reshape(moved, apart), order), sizes);
  }
  /**
   * @param {Operand} operand
   * @param {readonly (readonly [number, number])[]} sourceTargetPairs
   * @param {CollectiveOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  collectivePermute(operand, sourceTargetPairs, options) {
    return this.instruction('collective-permute', [operand], { ...grouped(options), replicaGroups: undefined, sourceTargetPairs });
  }
  /**
   * @param {Operand} operand
   * @param {CollectiveOptions} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  collectiveBroadcast(operand, options) {
    return this.instruction('collective-broadcast', [operand], grouped(options));
  }

  // ---- Queues and channels ----

  /** @param {string} queue */
  #token(queue) {
    return (this.#tokens[queue] ??= this.instruction('after-all', []));
  }

  /**
   * The next value of the infeed queue; infeeds of a builder keep their order.
   * @param {ShapeLike} shape
   * @param {string} [config]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  infeed(shape, config) {
    const read = this.infeedWithToken(this.#token('infeed'), shape, config);
    this.#tokens.infeed = this.getTupleElement(read, 1);
    return this.getTupleElement(read, 0);
  }
  /**
   * A tuple: the value, and a token for what follows.
   * @param {Op} token
   * @param {ShapeLike} shape
   * @param {string} [config]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  infeedWithToken(token, shape, config) {
    return this.instruction('infeed', [token], {
      shape: `(${Shape.from(this.core, shape)}, token[])`,
      ...(config === undefined ? {} : { infeedConfig: JSON.stringify(config) }),
    });
  }
  /**
   * Writes to the outfeed queue; gives a token.
   * @param {Operand} operand
   * @param {ShapeLike | Partial<OutfeedOptions>} [shape]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  outfeed(operand, shape) {
    return (this.#tokens.outfeed = this.outfeedWithToken(operand, this.#token('outfeed'), shape));
  }
  /**
   * @param {Operand} operand
   * @param {Op} token
   * @param {ShapeLike | Partial<OutfeedOptions>} [shape]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  outfeedWithToken(operand, token, shape) {
    const x = this.operand(operand);
    const options = typeof shape === 'object' && !(shape instanceof Shape) ? shape : { outfeedShape: shape ?? x.shape };
    return this.instruction('outfeed', [x, token], options);
  }

  /**
   * Sends a value over a channel, and gives a token; with a token as second argument, HLO's own `send`.
   * @param {Operand} operand
   * @param {number | Op} channel
   * @param {Partial<SendOptions>} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  send(operand, channel, options) {
    if (channel instanceof Op) return this.instruction('send', [operand, channel], options);
    const channelId = integer(channel, 'send: channel');
    const given = optionsOf(options, 'send');
    const sent = this.instruction('send', [operand, this.#token(`send${channelId}`)], { ...given, channelId });
    return (this.#tokens[`send${channelId}`] = this.instruction('send-done', [sent], {
      channelId,
      isHostTransfer: given.isHostTransfer,
    }));
  }
  /**
   * Receives a value of a shape over a channel; with a token as first argument, HLO's own `recv`.
   * @param {ShapeLike | Op} shape
   * @param {number | Partial<RecvOptions>} channel
   * @param {Partial<RecvOptions>} [options]
   * @throws {HloError} SHAPE: what the rules of the operation say
   */
  recv(shape, channel, options) {
    if (shape instanceof Op) return this.instruction('recv', [shape], /** @type {any} */ (channel));
    const channelId = integer(channel, 'recv: channel');
    const of = Shape.from(this.core, shape);
    const given = optionsOf(options, 'recv');
    const started = this.instruction('recv', [this.#token(`recv${channelId}`)], {
      ...given,
      channelId,
      shape: `(${of}, u32[], token[])`,
    });
    const done = this.instruction('recv-done', [started], { channelId, isHostTransfer: given.isHostTransfer });
    this.#tokens[`recv${channelId}`] = this.getTupleElement(done, 1);
    return this.getTupleElement(done, 0);
  }
}

/** All replicas in one group, where nothing else is said. @param {CollectiveOptions} [options] */
function grouped(options) {
  const given = optionsOf(options, 'a collective');
  return { ...given, replicaGroups: given.replicaGroups ?? [] };
}

/** @param {Op} x @param {number} along @param {(size: number) => number} resize */
function resized(x, along, resize) {
  return `${x.shape.type}[${integers(
    x.shape.dimensions.map((size, i) => (i === along ? resize(/** @type {number} */ (size)) : size)),
    'dimensions',
  )}]`;
}
