// Comparison and choice.
import { refused, run } from './notation.js';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Element-wise comparison and choice',
  says: 'Questions asked of each element, and answers chosen by them.',
  operations: {
    compare: {
      names: 'Eq Ne Ge Gt Le Lt',
      more: 'The attribute direction says which question is asked: EQ, NE, GE, GT, LE or LT. With type=TOTALORDER floats are put in one line, from −NaN over −0 and 0 to NaN, so that sorting is defined.',
      gives: 'An array of pred with the dimensions of the operands.',
      examples: [
        run('less than', 'x: f32[4] {1, 2, 3, nan}; y: f32[4] {2, 2, 2, 2}', 'compare(x, y), direction=LT', 'pred[4] {1, 0, 0, 0}', { says: 'Nothing is less than, equal to or greater than NaN, as IEEE 754 has it.' }),
        run('not equal', 'x: f32[3] {1, nan, 0}; y: f32[3] {1, nan, -0}', 'compare(x, y), direction=NE', 'pred[3] {0, 1, 0}', { says: 'NaN is not even equal to itself; 0 and −0 are equal.' }),
        run('in one line', 'x: f32[3] {nan, -0, 1}; y: f32[3] {inf, 0, 1}', 'compare(x, y), direction=GT, type=TOTALORDER', 'pred[3] {1, 0, 0}'),
      ],
      rules: [
        refused('Both operands have one element type.', 'x: f32[2]; y: s32[2]', 'compare(x, y), direction=LT', 'compare: lhs and rhs must have the same element type, got lhs f32[2] and rhs s32[2]'),
        refused('Both operands have the same dimensions.', 'x: f32[2]; y: f32[3]', 'compare(x, y), direction=LT', 'compare: lhs and rhs must have the same dimensions, got lhs f32[2] and rhs f32[3]'),
        refused('The type of the comparison fits the elements.', 'x: u32[2]; y: u32[2]', 'compare(x, y), direction=LT, type=SIGNED', 'compare: type=SIGNED does not fit elements of type u32'),
        refused('The line of TOTALORDER is one of real numbers: complex ones have none.', 'x: c64[2]; y: c64[2]', 'compare(x, y), direction=LT, type=TOTALORDER', 'compare: type=TOTALORDER does not fit elements of type c64'),
      ],
      old: ['that the six comparisons are Eq, Ne, Ge, Gt, Le and Le. The last is Lt, “less than”.', 'that the result’s elements are “PERD” (in one translation). They are pred.'],
    },
    select: {
      names: 'Select where',
      gives: 'An array with the shape of on_true.',
      examples: [
        run('element by element', 'p: pred[4] {1, 0, 0, 1}; a: s32[4] {1, 2, 3, 4}; b: s32[4] {100, 200, 300, 400}', 'select(p, a, b)', 's32[4] {1, 200, 300, 4}'),
        run('one for all', 'p: pred[] true; a: s32[4] {1, 2, 3, 4}; b: s32[4] {100, 200, 300, 400}', 'select(p, a, b)', 's32[4] {1, 2, 3, 4}'),
      ],
      rules: [
        refused('pred is a scalar, or has the dimensions of the others.', 'p: pred[3]; a: f32[2]; b: f32[2]', 'select(p, a, b)', 'select: pred must be a scalar or have the dimensions of on_true f32[2], got pred[3]'),
        refused('pred holds truth, not numbers.', 'p: s32[2]; a: f32[2]; b: f32[2]', 'select(p, a, b)', 'select: pred must have pred elements, got s32[2]'),
        refused('on_true and on_false have one element type.', 'p: pred[2]; a: f32[2]; b: s32[2]', 'select(p, a, b)', 'select: on_true and on_false must have the same element type, got on_true f32[2] and on_false s32[2]'),
        refused('on_true and on_false have the same dimensions.', 'p: pred[]; a: f32[2]; b: f32[3]', 'select(p, a, b)', 'select: on_true and on_false must have the same dimensions, got on_true f32[2] and on_false f32[3]'),
      ],
      old: ['that a scalar pred may choose between two tuples. Today’s HLO has conditional for that; select takes arrays.'],
      cost: 'Both sides are computed. Where one is costly and pred is one scalar, conditional runs only the side that is chosen.',
    },
    clamp: {
      names: 'Clamp',
      gives: 'An array with the shape of operand.',
      examples: [
        run('to 0 … 6', 'low: s32[] 0; x: s32[3] {-1, 5, 9}; high: s32[] 6', 'clamp(low, x, high)', 's32[3] {0, 5, 6}'),
        run('bounds for each element', 'low: f32[3] {0, 0, 5}; x: f32[3] {-1, nan, 2}; high: f32[3] {1, 1, 4}', 'clamp(low, x, high)', 'f32[3] {0, nan, 4}', { says: 'NaN stays. Where the bounds cross, the upper one wins: min(max(x, low), high).' }),
      ],
      rules: [
        refused('min is a scalar, or has the dimensions of operand.', 'low: f32[3]; x: f32[2]; high: f32[2]', 'clamp(low, x, high)', 'clamp: min must be a scalar or have the dimensions of operand f32[2], got f32[3]'),
        refused('So is max.', 'low: f32[2]; x: f32[2]; high: f32[1]', 'clamp(low, x, high)', 'clamp: max must be a scalar or have the dimensions of operand f32[2], got f32[1]'),
        refused('All three have one element type.', 'low: f32[]; x: s32[2]; high: s32[]', 'clamp(low, x, high)', 'clamp: min and operand must have the same element type, got min f32[] and operand s32[2]'),
      ],
      old: [
        'that clamp(x, a, b) = max(min(x, a), b). With a the lower and b the upper bound that is b for every x. It is min(max(x, a), b).',
        'that Clamp takes a computation and its arguments. It takes three arrays, and in HLO they stand in the order min, operand, max.',
      ],
    },
  },
};
