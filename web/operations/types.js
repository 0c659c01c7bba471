// From one element type to another.
import { refused, run } from './notation.js';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Element types',
  says: 'The same numbers in another type, the same bits under another name, and what precision a narrower type would leave.',
  operations: {
    convert: {
      names: 'ConvertElementType',
      gives: 'An array of the operand’s dimensions, with the element type that is declared.',
      examples: [
        run('integers to floats', 'x: s32[3] {0, 1, 2}', 'f32[3] convert(x)', 'f32[3] {0, 1, 2}'),
        run('floats to integers', 'x: f32[5] {1.5, -2.7, 3e9, -inf, nan}', 's32[5] convert(x)', 's32[5] {1, -2, 2147483647, -2147483648, 0}', { says: 'Towards zero; what is too large becomes the largest, and NaN becomes 0.' }),
        run('to a narrower integer', 'x: s32[4] {1, 127, 128, -129}', 's8[4] convert(x)', 's8[4] {1, 127, -128, 127}', { says: 'The upper bits are cut off.' }),
        run('to bf16', 'x: f32[3] {1, 3.1415927, 3.4e38}', 'bf16[3] convert(x)', 'bf16[3] {1, 3.141, inf}', { says: 'To the nearest; of two that are as near, to the even one.' }),
        run('to truth', 'x: f32[4] {0, -0, 0.1, nan}', 'pred[4] convert(x)', 'pred[4] {0, 0, 1, 1}'),
      ],
      rules: [
        refused('The dimensions stay.', 'x: s32[2,3]', 'f32[3,2] convert(x)', 'convert: the result must have the dimensions of operand s32[2,3], but f32[3,2] is declared'),
        refused('The result is an array.', 'x: s32[2]', '(f32[2]) convert(x)', 'convert: the result must be an array, but (f32[2]) is declared'),
      ],
      old: ['that what becomes of a float on the way to an integer is left open. XLA has settled it since: towards zero, and saturating; NaN becomes 0.'],
      cost: 'A conversion between two element-wise operations costs no memory: both fuse with it. Narrow weights that a dot reads are widened in registers.',
    },
    'bitcast-convert': {
      names: 'BitcastConvertType',
      gives: 'An array of the declared element type. Where that is narrower, there is one more dimension; where it is wider, one fewer.',
      examples: [
        run('a float’s bits', 'x: f32[3] {1, -1, 0.5}', 'u32[3] bitcast-convert(x)', 'u32[3] {1065353216, 3212836864, 1056964608}'),
        run('into bytes', 'x: u32[1] {67305985}', 'u8[1,4] bitcast-convert(x)', 'u8[1,4] {{1, 2, 3, 4}}', { says: 'The lowest byte comes first.' }),
        run('and back', 'b: u8[1,4] {{1, 2, 3, 4}}', 'u32[1] bitcast-convert(b)', 'u32[1] {67305985}'),
      ],
      rules: [
        refused('Elements of one width keep the dimensions.', 'x: f32[2,3]', 's32[3,2] bitcast-convert(x)', 'bitcast-convert: the result must have the dimensions of operand f32[2,3], but s32[3,2] is declared'),
        refused('Narrower elements need one more dimension, of as many as make one wide one.', 'x: f32[2]', 'u8[8] bitcast-convert(x)', 'bitcast-convert: the result must have the dimensions of operand and then one of size 4, as 4 elements of u8 make one of f32, got u8[8] for operand f32[2]'),
        refused('Complex elements stay complex.', 'x: c64[2]', 'f64[2] bitcast-convert(x)', 'bitcast-convert: complex elements can only be read as complex ones, got f64[2] for operand c64[2]'),
        refused('One width is a multiple of the other.', 'x: f6e2m3fn[4]', 'u8[4] bitcast-convert(x)', 'bitcast-convert: elements of 6 bits cannot be read as elements of 8 bits, got u8[4] for operand f6e2m3fn[4]'),
      ],
      cost: 'No bit changes: where the program allows it, no byte moves either.',
    },
    'reduce-precision': {
      names: 'ReducePrecision',
      gives: 'An array of the operand’s shape and type, with fewer digits.',
      examples: [
        run('as bf16 would', 'x: f32[4] {3.1415927, 3.4e38, -0, nan}', 'reduce-precision(x), exponent_bits=8, mantissa_bits=7', 'f32[4] {3.140625, inf, -0, nan}'),
        run('as f16 would', 'x: f32[4] {3.1415927, 65519, 65520, 1e-8}', 'reduce-precision(x), exponent_bits=5, mantissa_bits=10', 'f32[4] {3.140625, 65504, inf, 0}', { says: '65520 is the first that rounds to what f16 has no number for: infinity.' }),
      ],
      rules: [
        refused('One bit of exponent at least, to tell zero from infinity.', 'x: f32[2]', 'reduce-precision(x), exponent_bits=0, mantissa_bits=10', 'reduce-precision: exponent_bits must be at least 1, to tell zero from infinity, got 0'),
        refused('A mantissa has no negative number of bits.', 'x: f32[2]', 'reduce-precision(x), exponent_bits=5, mantissa_bits=-1', 'reduce-precision: mantissa_bits must not be negative, got -1'),
      ],
      old: ['that the arguments come as (operand, mantissa_bits, exponent_bits). They are named in HLO text, and the builder takes them by name.'],
    },
    'stochastic-convert': {
      gives: 'An array of the operand’s dimensions, with the element type that is declared.',
      more: 'How far a number lies between its two neighbours in the narrower type is the chance that it goes to the upper one; random holds the dice.',
      examples: [run('the dice decide', 'x: f32[4] {1.0039062, 1.0039062, 1, 2.5}; dice: u32[4] {0, 4294967295, 5, 5}', 'bf16[4] stochastic-convert(x, dice)', 'bf16[4] {1.008, 1, 1, 2.5}', { says: '1.00390625 lies between two numbers of bf16, and goes to either; what fits exactly stays.' })],
      rules: [
        refused('The dice are as wide as the operand’s elements.', 'x: f32[2]; dice: u16[2]', 'bf16[2] stochastic-convert(x, dice)', 'stochastic-convert: random must have unsigned elements of 32 bits, as wide as those of operand, got u16[2]'),
        refused('The dice are unsigned.', 'x: f32[2]; dice: s32[2]', 'bf16[2] stochastic-convert(x, dice)', 'stochastic-convert: random must have unsigned elements of 32 bits, as wide as those of operand, got s32[2]'),
        refused('There is one of them for each element.', 'x: f32[2]; dice: u32[3]', 'bf16[2] stochastic-convert(x, dice)', 'stochastic-convert: operand and random must have the same dimensions, got operand f32[2] and random u32[3]'),
      ],
    },
    'uniform-quantize': {
      gives: 'An array of the storage type that quantization names.',
      more: 'q = round(x / scale) + zero point, kept within the storage range. One scale serves all elements, or each slice along a dimension has its own. StableHLO’s quantized types become these two operations and arithmetic between them.',
      examples: [
        run('a scale of 0.5', 'x: f32[4] {-1, 0.3, 1, 1000}', 's8[4] uniform-quantize(x), quantization={s8:f32, 0.5}', 's8[4] {-2, 1, 2, 127}'),
        run('a scale for each row', 'x: f32[2,2] {{1, 2}, {1, 2}}', 's8[2,2] uniform-quantize(x), quantization={s8:f32:0, {0.5, 0.25}}', 's8[2,2] {{2, 4}, {4, 8}}'),
      ],
      rules: [
        refused('A scale is positive and finite.', 'x: f32[2]', 's8[2] uniform-quantize(x), quantization={s8:f32, 0}', 'uniform-quantize: scale 0 must be positive and finite, got 0'),
        refused('As many scales as slices.', 'x: f32[3]', 's8[3] uniform-quantize(x), quantization={s8:f32:0, {0.5,0.25}}', 'uniform-quantize: quantization must have 3 scales, as many as dimension 0 of f32[3] has slices, got 2'),
        refused('The storage range fits the storage type.', 'x: f32[2]', 's8[2] uniform-quantize(x), quantization={s8<-129:127>:f32, 0.5}', 'uniform-quantize: the storage range -129:127 is empty, or more than s8 can hold'),
      ],
    },
    'uniform-dequantize': {
      gives: 'An array of the expressed type that quantization names.',
      more: 'x = (q − zero point) · scale.',
      examples: [run('back, a little off', 'q: s8[4] {-2, 1, 2, 127}', 'f32[4] uniform-dequantize(q), quantization={s8:f32, 0.5}', 'f32[4] {-1, 0.5, 1, 63.5}'), run('with a zero point', 'q: s8[3] {-5, 0, 5}', 'f32[3] uniform-dequantize(q), quantization={s8:f32, 0.5:-5}', 'f32[3] {0, 2.5, 5}')],
      rules: [refused('The operand has the storage type.', 'q: s16[2]', 'f32[2] uniform-dequantize(q), quantization={s8:f32, 0.5}', 'uniform-dequantize: operand must have elements of type s8, as quantization says, got s16[2]')],
    },
  },
};
