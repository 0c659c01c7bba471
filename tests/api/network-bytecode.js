// StableHLO bytecode of a network whose kernels are constants in it, made piece by piece: tanh(... tanh(x * kernel) * kernel ...).

const text = (/** @type {string} */ words) => new TextEncoder().encode(words);
const ended = (/** @type {string} */ words) => text(`${words}\0`);

/** A number as MLIR writes it: the zeros below its lowest one say how many bytes follow. */
function number(value) {
  for (let bytes = 1; bytes <= 8; bytes++)
    if (value < 2 ** (7 * bytes)) {
      let bits = (BigInt(value) << BigInt(bytes)) | (1n << BigInt(bytes - 1));
      return Uint8Array.from({ length: bytes }, () => {
        const byte = Number(bits & 255n);
        bits >>= 8n;
        return byte;
      });
    }
  throw new RangeError(`${value}`);
}
const numbers = (...values) => values.flatMap((value) => [...number(value)]);

/** @param {...(Uint8Array | number[])} parts */
function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const STRINGS = ['builtin', 'func', 'stablehlo', 'module', 'return', 'constant', 'dot_general', 'tanh', 'value'];
const DENSE = 18;
const DICTIONARY = 1;
const STRING = 2;
const UNKNOWN_LOCATION = 15;

/**
 * @param {number} rows of x
 * @param {number} width
 * @param {number} layers
 * @param {(layer: number) => Float32Array} kernel width by width
 * @returns {{ length: number, chunks: () => Generator<Uint8Array> }}
 */
export function networkBytecode(rows, width, layers, kernel) {
  const [x, w] = [`tensor<${rows}x${width}xf32>`, `tensor<${width}x${width}xf32>`];
  const types = [ended(x), ended(w)];
  const size = width * width * 4;
  const attributes = [
    { custom: 1, head: numbers(UNKNOWN_LOCATION) },
    { custom: 1, head: numbers(STRING, STRINGS.indexOf('value')) },
    { custom: 0, head: ended(`{sym_name = "main", function_type = (${x}) -> ${x}}`) },
    { custom: 0, head: ended('{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}') },
    ...Array.from({ length: layers }, (_, i) => [
      { custom: 1, head: numbers(DENSE, 1, size), layer: i },
      { custom: 1, head: numbers(DICTIONARY, 1, 1, 4 + 2 * i) },
    ]).flat(),
  ];
  const lengthOf = ({ head, layer }) => head.length + (layer === undefined ? 0 : size);
  const strings = joined(number(STRINGS.length), ...STRINGS.toReversed().map((one) => number(one.length + 1)), ...STRINGS.map(ended));
  const name = (one) => STRINGS.indexOf(one);
  const dialects = joined(numbers(3, name('builtin') * 2, name('func') * 2, name('stablehlo') * 2, 0, 1, name('module'), 1, 2, name('func'), name('return')),
    numbers(2, 3, name('constant'), name('dot_general'), name('tanh')));
  const offsets = joined(numbers(attributes.length, types.length, 0, attributes.length), ...attributes.map((one) => number(lengthOf(one) * 2 + one.custom)),
    numbers(0, types.length), ...types.map((one) => number(one.length * 2)));
  const [moduleOp, funcOp, returnOp, constantOp, dotOp, tanhOp] = [0, 1, 2, 3, 4, 5];
  const body = Array.from({ length: layers }, (_, i) => [
    ...numbers(constantOp), 3, ...numbers(0, 5 + 2 * i, 1, 1),
    ...numbers(dotOp), 7, ...numbers(0, 3, 1, 0, 2, 3 * i, 3 * i + 1),
    ...numbers(tanhOp), 6, ...numbers(0, 1, 0, 1, 3 * i + 2),
  ]).flat();
  const ir = joined(numbers(2, moduleOp), [16], numbers(0, 3, 1, 0, 2), numbers(funcOp), [17], numbers(0, 2, 3, 1, 1 + 3 * layers),
    numbers((3 * layers + 1) * 2 + 1, 1, 0, 0), body, numbers(returnOp), [4], numbers(0, 1, 3 * layers));
  const entries = attributes.reduce((sum, one) => sum + lengthOf(one), 0) + types.reduce((sum, one) => sum + one.length, 0);
  const section = (id, length) => joined([id], number(length));
  const before = joined([0x4d, 0x4c, 0xef, 0x52], number(1), ended('test'), section(0, strings.length), strings, section(1, dialects.length), dialects, section(2, entries));
  const after = joined(...types, section(3, offsets.length), offsets, section(4, ir.length), ir);
  function* chunks() {
    yield before;
    for (const { head, layer } of attributes) {
      yield Uint8Array.from(head);
      if (layer !== undefined) yield new Uint8Array(kernel(layer).buffer);
    }
    yield after;
  }
  return { length: before.length + attributes.reduce((sum, one) => sum + lengthOf(one), 0) + after.length, chunks };
}

/** The same as a stream, which makes each chunk only once it is asked for: chunks may share memory. @param {{ chunks: () => Generator<Uint8Array> }} file @returns {ReadableStream<Uint8Array>} */
export function streamOf(file) {
  const chunks = file.chunks();
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
