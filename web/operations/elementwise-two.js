// Element-wise operations of two operands.
import { refused, run } from './notation.js';

const SAME_TYPE = refused('Both operands have one element type: nothing is converted silently.', 'x: f32[2]; y: s32[2]', 'add(x, y)', 'add: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]');
const SAME_SIZE = refused('Both operands have the same dimensions: HLO’s operations repeat nothing. Where a builder broadcasts, it writes broadcasts.', 'x: f32[2,3]; y: f32[3]', 'add(x, y)', 'add: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]');

/** The two rules with another operation in them. @param {string} op @param {string} type @param {string} other @param {string} types @param {string} sizes */
const both = (op, type, other, types, sizes) => [
  { ...SAME_TYPE, program: SAME_TYPE.program.replace('f32[2]', `${type}[2]`).replace('s32[2]', `${other}[2]`).replace('add(', `${op}(`), message: types },
  { ...SAME_SIZE, program: SAME_SIZE.program.replaceAll('f32', type).replace('add(', `${op}(`), message: sizes },
];

/** @type {import('./notation.js').Group} */
export default {
  title: 'Element-wise binary arithmetic',
  says: 'Two operands of one shape; each result element comes from the two elements at its index.',
  gives: 'An array with the shape that both operands have.',
  operations: {
    add: {
      names: 'Add',
      examples: [
        run('floats', 'x: f32[3] {1, 0.1, inf}; y: f32[3] {2, 0.2, -inf}', 'add(x, y)', 'f32[3] {3, 0.3, nan}'),
        run('a vector to each row of a matrix', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; v: f32[3] {7, 8, 9}', 'w = f32[2,3] broadcast(v), dimensions={1}\nROOT r = add(x, w)', 'f32[2,3] {{8, 10, 12}, {11, 13, 15}}', { says: 'This is what a builder’s add(x, v, { broadcastDimensions: [1] }) writes.' }),
        run('integers wrap', 'x: u8[2] {250, 3}; y: u8[2] {10, 4}', 'add(x, y)', 'u8[2] {4, 7}'),
      ],
      rules: [SAME_TYPE, SAME_SIZE],
      old: ['that operands of compatible shapes meet in the operation itself. That is the builder’s work; the operation in the graph wants equal shapes, after the broadcasts that the builder wrote.'],
    },
    and: { names: 'LogicalAnd And', examples: [run('of truth', 'p: pred[4] {0, 0, 1, 1}; q: pred[4] {0, 1, 0, 1}', 'and(p, q)', 'pred[4] {0, 0, 0, 1}'), run('of bits', 'x: u8[2] {12, 255}; y: u8[2] {10, 16}', 'and(x, y)', 'u8[2] {8, 16}')], rules: both('and', 's32', 'u32', 'and: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'and: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    atan2: { names: 'Atan2', examples: [run('the angle of (x, y)', 'y: f32[4] {1, 1, -1, -0}; x: f32[4] {1, -1, -1, -1}', 'atan2(y, x)', 'f32[4] {0.785398185, 2.3561945, -2.3561945, -3.14159274}', { says: 'All four quadrants, and the sign of zero decides on which side of the cut −1 lies.' })], rules: both('atan2', 'f32', 's32', 'atan2: y and x must have the same element type, got y f32[2] and x s32[2]', 'atan2: y and x must have the same dimensions, got y f32[2,3] and x f32[3]') },
    complex: {
      gives: 'An array of c64, of two of f32; or of c128, of two of f64.',
      examples: [run('from two parts', 'x: f32[2] {1, 3}; y: f32[2] {2, -4}', 'complex(x, y)', 'c64[2] {(1, 2), (3, -4)}')],
      rules: [...both('complex', 'f32', 'f64', 'complex: real and imag must have the same element type, got real f32[2] and imag f64[2]', 'complex: real and imag must have the same dimensions, got real f32[2,3] and imag f32[3]'), refused('There is no complex number of two halves.', 'x: f16[2]; y: f16[2]', 'complex(x, y)', 'complex: real must have f32 or f64 elements, got f16[2]')],
    },
    divide: {
      names: 'Div',
      examples: [
        run('floats', 'x: f32[4] {1, -1, 0, 7}; y: f32[4] {0, 0, 0, 2}', 'divide(x, y)', 'f32[4] {inf, -inf, nan, 3.5}'),
        run('integers', 'x: s32[4] {7, -7, 7, -2147483648}; y: s32[4] {2, 2, 0, -1}', 'divide(x, y)', 's32[4] {3, -3, -1, -2147483648}', { says: 'Towards zero. By zero it gives −1, all bits set, and the one overflow wraps: nothing traps.' }),
      ],
      rules: both('divide', 'f32', 's32', 'divide: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'divide: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]'),
      cost: 'A division of floats takes several times as long as a multiplication. Where you divide by one number, multiply by its inverse if you can afford the last bit.',
    },
    maximum: { names: 'Max', examples: [run('the greater', 'x: f32[3] {1, nan, -0}; y: f32[3] {2, 1, 0}', 'maximum(x, y)', 'f32[3] {2, nan, 0}', { says: 'NaN wins.' })], rules: both('maximum', 'f32', 's32', 'maximum: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'maximum: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    minimum: { names: 'Min', examples: [run('the lesser', 'x: f32[3] {1, nan, -5}; y: f32[3] {2, 1, 0}', 'minimum(x, y)', 'f32[3] {1, nan, -5}')], rules: both('minimum', 'f32', 's32', 'minimum: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'minimum: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    multiply: { names: 'Mul', examples: [run('floats', 'x: f32[3] {2, 0, 1e30}; y: f32[3] {3, inf, 1e30}', 'multiply(x, y)', 'f32[3] {6, nan, inf}', { says: 'Zero times infinity is NaN.' }), run('complex numbers', 'x: c64[1] {(1, 2)}; y: c64[1] {(3, 4)}', 'multiply(x, y)', 'c64[1] {(-5, 10)}')], rules: both('multiply', 'f32', 's32', 'multiply: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'multiply: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    mulhi: { names: 'chlo.mulhi', examples: [run('the upper half of a product', 'x: u32[2] {4294967295, 65536}; y: u32[2] {4294967295, 65536}', 'mulhi(x, y)', 'u32[2] {4294967294, 1}')], rules: both('mulhi', 'u32', 's32', 'mulhi: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'mulhi: lhs and rhs must have the same dimensions, got lhs u32[2,3] and rhs u32[3]') },
    'next-after': { names: 'chlo.next_after nextafter', examples: [run('one step', 'x: f32[3] {1, 1, 0}; y: f32[3] {2, 0, 1}', 'next-after(x, y)', 'f32[3] {1.00000012, 0.99999994, 1.4013e-45}', { says: 'The neighbours of 1 are nearer below than above.' })], rules: both('next-after', 'f32', 'f64', 'next-after: x and y must have the same element type, got x f32[2] and y f64[2]', 'next-after: x and y must have the same dimensions, got x f32[2,3] and y f32[3]') },
    or: { names: 'LogicalOr Or', examples: [run('of truth', 'p: pred[4] {0, 0, 1, 1}; q: pred[4] {0, 1, 0, 1}', 'or(p, q)', 'pred[4] {0, 1, 1, 1}'), run('of bits', 'x: u8[2] {12, 1}; y: u8[2] {10, 16}', 'or(x, y)', 'u8[2] {14, 17}')], rules: both('or', 's32', 'u32', 'or: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'or: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    polygamma: { names: 'chlo.polygamma', examples: [run('ψ and its derivative', 'n: f32[2] {0, 1}; x: f32[2] {1, 1}', 'polygamma(n, x)', 'f32[2] {-0.577215672, 1.64493406}', { says: 'ψ′(1) is π²/6.' })], rules: both('polygamma', 'f32', 'f64', 'polygamma: n and x must have the same element type, got n f32[2] and x f64[2]', 'polygamma: n and x must have the same dimensions, got n f32[2,3] and x f32[3]') },
    power: { names: 'Pow pow', examples: [run('floats', 'x: f32[5] {2, 2, -8, 0, 0}; y: f32[5] {10, 0.5, 0.33333334, 0, -1}', 'power(x, y)', 'f32[5] {1024, 1.41421354, nan, 1, inf}', { says: 'A negative number to a broken power is NaN; 0 to the 0 is 1.' }), run('integers', 'x: s32[3] {3, 2, -1}; y: s32[3] {4, -1, -3}', 'power(x, y)', 's32[3] {81, 0, -1}')], rules: both('power', 'f32', 's32', 'power: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'power: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    remainder: { names: 'Rem rem', examples: [run('the sign of the dividend', 'x: f32[4] {7, -7, 7, 1}; y: f32[4] {3, 3, -3, 0}', 'remainder(x, y)', 'f32[4] {1, -1, 1, nan}'), run('integers', 'x: s32[3] {7, -7, 5}; y: s32[3] {3, 3, 0}', 'remainder(x, y)', 's32[3] {1, -1, 5}', { says: 'By zero it gives the dividend.' })], rules: both('remainder', 'f32', 's32', 'remainder: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'remainder: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    'shift-left': { examples: [run('out at the top', 'x: u8[4] {1, 3, 255, 1}; n: u8[4] {3, 7, 4, 8}', 'shift-left(x, n)', 'u8[4] {8, 128, 240, 0}', { says: 'As many places as there are bits, or more, leave 0.' })], rules: both('shift-left', 's32', 'u32', 'shift-left: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'shift-left: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    'shift-right-arithmetic': { examples: [run('the sign comes in', 'x: s8[3] {-128, -1, 64}; n: s8[3] {3, 4, 9}', 'shift-right-arithmetic(x, n)', 's8[3] {-16, -1, 0}')], rules: both('shift-right-arithmetic', 's32', 'u32', 'shift-right-arithmetic: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'shift-right-arithmetic: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    'shift-right-logical': { examples: [run('zeros come in', 'x: s8[3] {-128, -1, 64}; n: s8[3] {3, 4, 9}', 'shift-right-logical(x, n)', 's8[3] {16, 15, 0}')], rules: both('shift-right-logical', 's32', 'u32', 'shift-right-logical: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'shift-right-logical: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    subtract: { names: 'Sub', examples: [run('floats', 'x: f32[3] {3, 0.3, inf}; y: f32[3] {5, 0.1, inf}', 'subtract(x, y)', 'f32[3] {-2, 0.200000018, nan}'), run('unsigned numbers wrap', 'x: u8[2] {3, 9}; y: u8[2] {5, 4}', 'subtract(x, y)', 'u8[2] {254, 5}')], rules: both('subtract', 'f32', 's32', 'subtract: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]', 'subtract: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]') },
    xor: { names: 'Xor', examples: [run('of truth', 'p: pred[4] {0, 0, 1, 1}; q: pred[4] {0, 1, 0, 1}', 'xor(p, q)', 'pred[4] {0, 1, 1, 0}'), run('of bits', 'x: u8[1] {12}; y: u8[1] {10}', 'xor(x, y)', 'u8[1] {6}')], rules: both('xor', 's32', 'u32', 'xor: lhs and rhs must have the same element type, got lhs u32[2] and rhs s32[2]', 'xor: lhs and rhs must have the same dimensions, got lhs s32[2,3] and rhs s32[3]') },
    zeta: { names: 'chlo.zeta', examples: [run('Hurwitz’s function', 's: f32[2] {2, 4}; q: f32[2] {1, 1}', 'zeta(s, q)', 'f32[2] {1.64493406, 1.08232319}', { says: 'ζ(2) is π²/6.' })], rules: both('zeta', 'f32', 'f64', 'zeta: x and q must have the same element type, got x f32[2] and q f64[2]', 'zeta: x and q must have the same dimensions, got x f32[2,3] and q f32[3]') },
  },
};
