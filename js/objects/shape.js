import { HloError, checkOptions, mistyped } from './errors.js';
import { typeFacts } from '../values/element-types.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('../values/element-types.js').ElementType} ElementType */
/** @typedef {'zero' | 'one' | 'lowest' | 'highest' | 'unknown'} PaddingValue what padding holds */
/**
 * @typedef {object} ShapeOptions
 * @property {number[]} [paddedDimensions] sizes that the dimensions are padded to
 * @property {PaddingValue} [paddingValue] what the padding holds; zero unless given
 */
/** @typedef {string | Shape} ShapeLike a shape, or its text */
/**
 * How an array lies in memory.
 * @typedef {object} Layout
 * @property {number[]} minorToMajor dimension numbers, the fastest one first
 * @property {(number | '*')[][]} [tiles] most major dimension first; -1 or '*' folds a dimension into the next minor one
 * @property {number} [tailPaddingAlignmentInElements] what the number of elements in memory is a multiple of
 * @property {number} [elementSizeInBits] of packed elements
 * @property {number} [memorySpace] kept and printed back
 * @property {number[]} [paddedDimensions] sizes that the dimensions are padded to
 * @property {PaddingValue} [paddingValue] what the padding holds
 * @property {string} [text] as printed, without braces
 */
/**
 * A shape as JSON: that of src/api/api_shape.c.
 * @typedef {object} ShapeInfo
 * @property {string} text
 * @property {ElementType | 'tuple' | 'token' | 'opaque'} type
 * @property {number | null} byteSize bytes of the elements alone
 * @property {(number | null)[]} [dimensions] of an array
 * @property {('static' | 'bounded' | 'unbounded')[]} [dimensionKinds] where one is not static
 * @property {number} [elementCount]
 * @property {number} [trueRank]
 * @property {number | null} [arraySize] bytes in memory
 * @property {Layout} [layout] where one was given
 * @property {boolean} [dense]
 * @property {ShapeInfo[]} [elements] of a tuple
 */

/** The options of `hlo.shape` that say how an array is padded. */
export const PADDING_OPTIONS = ['paddedDimensions', 'paddingValue'];
const LAYOUT_FIELDS = ['minorToMajor', 'tiles', 'tailPaddingAlignmentInElements', 'elementSizeInBits', 'memorySpace', ...PADDING_OPTIONS, 'text'];
const PADDING_VALUES = ['', 'zero', 'one', 'lowest', 'highest', 'unknown'];
/** @type {readonly (number | null)[]} */
const NO_DIMENSIONS = Object.freeze([]);

/** An array's element type, dimensions and layout; or a tuple, a token. Immutable. */
export class Shape {
  #core;
  #info;
  #handle = 0;
  /** @type {Shape[] | undefined} */
  #elements;

  /** Use `hlo.shape(text)` or `hlo.makeShape(type, dimensions)`. @hideconstructor @param {Core} core @param {ShapeInfo} info */
  constructor(core, info) {
    this.#core = core;
    this.#info = info;
  }

  /**
   * @internal
   * @param {Core} core @param {string} text @param {ShapeOptions} [options]
   * @returns {Shape}
   */
  static parse(core, text, options = {}) {
    core.begin();
    const handle = parseHandle(core, text, options);
    const shape = new Shape(core, core.askJson('shape_info', handle));
    shape.#own(handle);
    return shape;
  }

  /** @internal @param {Core} core @param {ShapeLike} shape @returns {Shape} */
  static from(core, shape) {
    if (typeof shape === 'string') return Shape.parse(core, shape);
    if (!(shape instanceof Shape)) throw new TypeError('a shape is a text such as "f32[2,3]", or made by hlo.shape()');
    return shape.#core === core ? shape : new Shape(core, shape.#info);
  }

  /** The shape's object in the core, for calls. @internal */
  get handle() {
    if (!this.#handle) {
      const { text, layout } = this.#info;
      // A padded layout is printed as a tile, which must not be applied a second time.
      const bare = layout?.paddedDimensions
        ? `${this.textWithType(this.type)}{${layout.minorToMajor.join(',')}}`
        : text;
      this.#own(parseHandle(this.#core, bare, layout ?? {}));
    }
    return this.#handle;
  }

  /** @param {number} handle */
  #own(handle) {
    const core = this.#core;
    this.#handle = handle;
    core.finalize(this, () => core.exports.hlo_api_shape_free(handle));
  }

  /** The element type; 'tuple', 'token' or 'opaque' of what is no array. @returns {ElementType | 'tuple' | 'token' | 'opaque'} */
  get type() {
    return this.#info.type;
  }
  /** Sizes; of a bounded dimension the bound; null where the size is unknown. @returns {readonly (number | null)[]} */
  get dimensions() {
    return this.#info.dimensions ?? NO_DIMENSIONS;
  }
  /** For each dimension whether its size is known, has a bound, or is unknown. @returns {readonly ('static' | 'bounded' | 'unbounded')[]} */
  get dimensionKinds() {
    return this.#info.dimensionKinds ?? this.dimensions.map(() => /** @type {'static'} */ ('static'));
  }
  /** The number of dimensions. @returns {number} */
  get rank() {
    return this.dimensions.length;
  }
  /** The number of dimensions of size other than 1. @returns {number} */
  get trueRank() {
    return this.#info.trueRank ?? 0;
  }
  /** Number of elements, bounded dimensions counted in full. @returns {number} */
  get elementCount() {
    return this.#info.elementCount ?? 0;
  }
  /** Bytes of the elements alone; of a tuple, of its pointers. @returns {number} */
  get byteSize() {
    return this.#info.byteSize ?? 0;
  }
  /** Bytes in memory: with tiles, padding and packing. @returns {number} */
  get arraySize() {
    return this.#info.arraySize ?? 0;
  }
  /** The layout, where one was given; without one an array is row-major. @returns {Layout | undefined} */
  get layout() {
    return this.#info.layout;
  }
  /** Whether memory holds just the elements, in row-major order. @returns {boolean} */
  get isDense() {
    return this.#info.dense ?? false;
  }
  /** Whether it is neither a tuple nor a token. @returns {boolean} */
  get isArray() {
    return this.#info.dimensions !== undefined;
  }
  /** @returns {boolean} */
  get isTuple() {
    return this.#info.elements !== undefined;
  }
  /** Whether a dimension is bounded or unknown. @returns {boolean} */
  get isDynamic() {
    return this.#info.dimensionKinds !== undefined;
  }
  /** A tuple's elements; none of another shape. @returns {Shape[]} */
  get elements() {
    return (this.#elements ??= (this.#info.elements ?? []).map((info) => new Shape(this.#core, info)));
  }
  /** All arrays and tokens of a nested tuple, in order; of an array itself alone. @returns {Shape[]} */
  get leaves() {
    return this.isTuple ? this.elements.flatMap((element) => element.leaves) : [this];
  }

  /**
   * The size of a dimension; null where it is unknown.
   * @param {number} number -1 is the last
   * @returns {number | null}
   * @throws {HloError} ARGUMENT: there is no such dimension
   */
  dimension(number) {
    const index = number < 0 ? number + this.rank : number;
    if (!Number.isInteger(index) || index < 0 || index >= this.rank)
      throw new HloError('ARGUMENT', `${this} has no dimension ${number}`);
    return this.dimensions[index];
  }

  /** The same dimensions with another element type, without layout: text. @param {string} type @returns {string} */
  textWithType(type) {
    const sizes = this.dimensions.map((size, i) =>
      size === null ? '?' : this.dimensionKinds[i] === 'bounded' ? `<=${size}` : String(size),
    );
    return `${type}[${sizes.join(',')}]`;
  }

  /**
   * Where an element lies in memory.
   * @param {readonly number[]} index one number for each dimension
   * @returns {number} elements from the start
   * @throws {HloError} ARGUMENT: there is no such element
   */
  linearIndex(index) {
    this.#core.begin();
    return this.#core.number('shape_linear_index', this.handle, ...this.#core.ints(integers(index)));
  }

  /**
   * Which element lies at a place in memory; null for padding.
   * @param {number} offset in elements
   * @returns {number[] | null}
   * @throws {HloError} ARGUMENT: the place is out of the array
   */
  multiIndex(offset) {
    const core = this.#core;
    if (!Number.isInteger(offset)) throw new TypeError('an offset is a whole number');
    core.begin();
    const pointer = core.scratch(this.rank * 8);
    return core.number('shape_multi_index', this.handle, offset, pointer)
      ? core.numbers(pointer, this.rank)
      : null;
  }

  /**
   * The coordinates of an element among tiles and within them, with their bounds, most major first.
   * @param {readonly number[]} index one number for each dimension
   * @returns {{ coordinates: number[], bounds: number[] }}
   * @throws {HloError} ARGUMENT: there is no such element
   */
  tiledIndex(index) {
    const core = this.#core;
    core.begin();
    const coordinates = core.scratch(64 * 8);
    const bounds = core.scratch(64 * 8);
    const count = core.number('shape_tiled_index', this.handle, ...core.ints(integers(index)), coordinates, bounds);
    return { coordinates: core.numbers(coordinates, count), bounds: core.numbers(bounds, count) };
  }

  /** linearIndex of every element, in row-major order. @returns {number[]} */
  offsets() {
    const core = this.#core;
    core.begin();
    const pointer = core.scratch(this.elementCount * 8);
    core.must('shape_offsets', this.handle, pointer);
    return Array.from(core.view(Float64Array, pointer, this.elementCount));
  }

  /**
   * Whether transposing this array to `output` moves no byte under the two layouts.
   * @param {ShapeLike} output
   * @param {readonly number[]} permutation dimension i of the output is dimension permutation[i] of this
   * @returns {boolean}
   * @throws {HloError} PARSE, SHAPE: what is wrong with `output`; ARGUMENT
   */
  transposeIsBitcast(output, permutation) {
    const other = Shape.from(this.#core, output);
    this.#core.begin();
    return (
      this.#core.number(
        'transpose_is_bitcast',
        this.handle,
        other.handle,
        ...this.#core.ints(integers(permutation)),
      ) === 1
    );
  }

  /** Whether reshaping this array to `output` moves no byte under the two layouts. @param {ShapeLike} output @returns {boolean} @throws {HloError} PARSE, SHAPE, ARGUMENT */
  reshapeIsBitcast(output) {
    const other = Shape.from(this.#core, output);
    this.#core.begin();
    return this.#core.number('reshape_is_bitcast', this.handle, other.handle) === 1;
  }

  /**
   * Bytes of the layout from dense row-major ones; both in wasm memory.
   * @internal
   * @param {number} dense
   * @param {number} physical
   */
  scatter(dense, physical) {
    this.#core.must('layout_scatter', this.handle, dense, physical);
  }

  /** Dense row-major bytes from those of the layout. @internal @param {number} physical @param {number} dense */
  gather(physical, dense) {
    this.#core.must('layout_gather', this.handle, physical, dense);
  }

  /** Same type, dimensions and layout. @param {ShapeLike} shape @returns {boolean} @throws {HloError} PARSE, SHAPE: what is wrong with a text */
  equals(shape) {
    const other = Shape.from(this.#core, shape);
    const a = this.#info;
    const b = other.#info;
    if (a === b) return true;
    if (a.text === b.text)
      return (
        a.layout?.paddingValue === b.layout?.paddingValue &&
        same(a.layout?.paddedDimensions, b.layout?.paddedDimensions)
      );
    if (this.isTuple || other.isTuple)
      return (
        this.isTuple &&
        other.isTuple &&
        this.elements.length === other.elements.length &&
        this.elements.every((element, i) => element.equals(other.elements[i]))
      );
    return this.compatible(other) && this.isDense && other.isDense;
  }

  /** Same type and dimensions, whatever the layout. @param {ShapeLike} shape @returns {boolean} @throws {HloError} PARSE, SHAPE: what is wrong with a text */
  compatible(shape) {
    const other = Shape.from(this.#core, shape);
    return (
      this.type === other.type &&
      (this.isArray
        ? this.textWithType('') === other.textWithType('')
        : this.elements.length === other.elements.length &&
          this.elements.every((e, i) => e.compatible(other.elements[i])))
    );
  }

  /** The shape's text, as HLO writes it: `f32[3,5]{1,0:T(2,2)}`. @returns {string} */
  toString() {
    return this.#info.text;
  }
  /** @returns {ShapeInfo} */
  toJSON() {
    return this.#info;
  }
  /** What Node's console.log prints. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Shape ${this}`;
  }
}

/** @param {number[]} [a] @param {number[]} [b] */
function same(a = [], b = []) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** @param {readonly number[]} values */
function integers(values) {
  if (!Array.isArray(values) || !values.every((v) => Number.isSafeInteger(v)))
    throw new TypeError('an index is an array of whole numbers');
  return values;
}

/** @param {unknown} shapes @param {string} [what] has them */
export function checkIsList(shapes, what = 'specialize takes') {
  if (!Array.isArray(shapes)) throw mistyped(`${what} an array of shapes`, shapes);
}

/** The option of `specialize`. @param {{ values?: readonly any[] } | undefined} options @returns {readonly any[]} */
export function valuesOf(options) {
  const { values = [] } = checkOptions(options, ['values'], 'specialize');
  if (!Array.isArray(values)) throw mistyped('specialize: values is an array', values);
  return values;
}

/** Leaves other arguments in scratch alone. @param {Core} core @param {string} text @param {ShapeOptions} options */
function parseHandle(core, text, { paddedDimensions, paddingValue }) {
  if (typeof text !== 'string') throw new TypeError('a shape is a text such as "f32[2,3]"');
  if (!paddedDimensions) return core.pointer('shape_parse', core.handle, ...core.text(text), 0, 0, 0);
  const value = PADDING_VALUES.indexOf(paddingValue || 'zero');
  if (value < 1) throw new TypeError(`paddingValue is one of ${PADDING_VALUES.slice(1).join(', ')}`);
  return core.pointer('shape_parse', core.handle, ...core.text(text), ...core.ints(integers(paddedDimensions)), value);
}

/**
 * The text of a shape from its parts.
 * @param {ElementType} type
 * @param {readonly (number | string | null)[]} dimensions sizes; '<=4' bounded; null or '?' unknown
 * @param {string | Layout} [layout] text such as '0,1:T(2,2)', or an object
 */
export function shapeText(type, dimensions = [], layout) {
  typeFacts(type);
  if (!Array.isArray(dimensions)) throw new TypeError('dimensions are an array of sizes');
  for (const size of dimensions)
    if (!(
      size === null ||
      (Number.isSafeInteger(size) && /** @type {number} */ (size) >= 0) ||
      /^(\?|<=\d+)$/.test(String(size))
    ))
      throw new TypeError(`a dimension is a size, '<=N' or '?', got ${String(size)}`);
  const sizes = dimensions.map((size) => (size === null ? '?' : String(size)));
  return `${type}[${sizes.join(',')}]${layout === undefined ? '' : layoutText(layout)}`;
}

/** @param {string | Layout} layout */
function layoutText(layout) {
  if (typeof layout === 'string') return layout.startsWith('{') ? layout : `{${layout}}`;
  const { minorToMajor, tiles: sizes = [] } = checkOptions(layout, LAYOUT_FIELDS, 'layout');
  if (![minorToMajor, sizes].concat(sizes).every(Array.isArray)) throw new TypeError('layout: minorToMajor and each of the tiles are arrays');
  const tiles = sizes.map((tile) => `(${tile.map((size) => (size === -1 ? '*' : size)).join(',')})`);
  const fields = [
    tiles.length ? `T${tiles.join('')}` : '',
    (layout.tailPaddingAlignmentInElements ?? 1) !== 1 ? `L(${layout.tailPaddingAlignmentInElements})` : '',
    layout.elementSizeInBits ? `E(${layout.elementSizeInBits})` : '',
    layout.memorySpace ? `S(${layout.memorySpace})` : '',
  ].join('');
  return `{${minorToMajor.join(',')}${fields ? `:${fields}` : ''}}`;
}

/**
 * Refuses shapes that are not those of the inputs.
 * @param {Core} core
 * @param {readonly { shape: Shape }[]} inputs
 * @param {readonly ShapeLike[]} shapes
 */
export function checkShapes(core, inputs, shapes) {
  checkIsList(shapes);
  const given = shapes.map((shape) => Shape.from(core, shape));
  if (given.length !== inputs.length || !given.every((shape, i) => shape.compatible(inputs[i].shape)))
    throw new HloError(
      'ARGUMENT',
      `expected (${inputs.map(({ shape }) => shape).join(', ')}), which is what the program is made for, got (${given.join(', ')})`,
    );
}
