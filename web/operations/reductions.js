// Operations that apply computations of the program to elements.
import { refused, run } from './notation.js';

const FOUR = '{{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}}';
const BY_KEY = 'by_key {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  v = f32[] parameter(2)\n  w = f32[] parameter(3)\n  ROOT c = pred[] compare(a, b), direction=LT\n}';
const LARGEST = `largest {
  best = f32[] parameter(0)
  best.at = s32[] parameter(1)
  x = f32[] parameter(2)
  at = s32[] parameter(3)
  more = pred[] compare(x, best), direction=GT
  value = f32[] select(more, x, best)
  place = s32[] select(more, at, best.at)
  ROOT r = (f32[], s32[]) tuple(value, place)
}`;
const POLYNOMIAL = 'polynomial {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  z = f32[] parameter(2)\n  p = f32[] multiply(x, y)\n  ROOT r = f32[] add(p, z)\n}';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Functions of elements, reductions and sorting',
  says: 'Operations that call a computation of the program for elements: one by one, two by two, along a dimension or in a window.',
  operations: {
    map: {
      names: 'Map',
      gives: 'An array with the operands’ dimensions and the element type that to_apply gives.',
      examples: [
        run('three operands', 'a: f32[3] {1, 2, 3}; b: f32[3] {10, 10, 10}; c: f32[3] {0.5, 0.5, 0.5}', 'map(a, b, c), dimensions={0}, to_apply=polynomial', 'f32[3] {10.5, 20.5, 30.5}', { before: POLYNOMIAL }),
        run('another type comes out', 'x: f32[3] {1, inf, nan}', 'map(x), dimensions={0}, to_apply=is_finite_f32', 'pred[3] {1, 0, 0}'),
      ],
      rules: [
        refused('The operands have the same dimensions.', 'x: f32[2,3]; y: f32[3,2]', 'map(x, y), to_apply=add_f32', 'map: operands[1] must have the dimensions of operands[0] f32[2,3], got f32[3,2]'),
        refused('dimensions names all of them, in order.', 'x: f32[2,3]; y: f32[2,3]', 'map(x, y), dimensions={0}, to_apply=add_f32', 'map: dimensions must name all dimensions of operands[0] f32[2,3] in order'),
        refused('to_apply takes an element of each.', 'x: f32[2]', 'map(x), to_apply=add_f32', 'map: to_apply add_f32 must take 1 parameter, but takes 2'),
        refused('Its parameters are such elements.', 'x: s32[2]', 'map(x), to_apply=negate_f32', 'map: parameter 0 of to_apply negate_f32 must be s32[], an element of operands[0], got f32[]'),
      ],
      old: ['that a map has static_operands and may leave dimensions out. Today all operands are mapped, along all dimensions.'],
      cost: 'WebHLO runs it element by element on the reference evaluator, which is slow. Write the operations out on whole arrays, where you can: they become one fused loop.',
    },
    reduce: {
      names: 'Reduce',
      more: 'All elements along dimensions are combined by to_apply, together with init_value. The order is open, so to_apply should be associative and init_value should change nothing: 0 of a sum, −∞ of a maximum.',
      gives: 'An array without the dimensions that were reduced; of several operands, a tuple of them.',
      examples: [
        run('a vector', 'x: f32[4] {10, 11, 12, 13}; z: f32[] 0', 'reduce(x, z), dimensions={0}, to_apply=add_f32', 'f32[] 46'),
        run('the columns of a matrix', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; z: f32[] 0', 'reduce(x, z), dimensions={0}, to_apply=add_f32', 'f32[3] {5, 7, 9}'),
        run('the rows', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; z: f32[] 0', 'reduce(x, z), dimensions={1}, to_apply=add_f32', 'f32[2] {6, 15}'),
        run('dimension 0 of three', `x: f32[4,2,3] ${FOUR}; z: f32[] 0`, 'reduce(x, z), dimensions={0}, to_apply=add_f32', 'f32[2,3] {{4, 8, 12}, {16, 20, 24}}'),
        run('dimension 2', `x: f32[4,2,3] ${FOUR}; z: f32[] 0`, 'reduce(x, z), dimensions={2}, to_apply=add_f32', 'f32[4,2] {{6, 15}, {6, 15}, {6, 15}, {6, 15}}'),
        run('dimensions 0 and 1', `x: f32[4,2,3] ${FOUR}; z: f32[] 0`, 'reduce(x, z), dimensions={0,1}, to_apply=add_f32', 'f32[3] {20, 28, 36}'),
        run('everything', `x: f32[4,2,3] ${FOUR}; z: f32[] 0`, 'reduce(x, z), dimensions={0,1,2}, to_apply=add_f32', 'f32[] 84'),
        run('the largest and its place', 'x: f32[4] {3, 9, 2, 7}', 'at = s32[4] iota(), iota_dimension=0\nleast = f32[] constant(-inf)\nnowhere = s32[] constant(-1)\nROOT r = (f32[], s32[]) reduce(x, at, least, nowhere), dimensions={0}, to_apply=largest', 'f32[] 9; s32[] 1', { before: LARGEST, says: 'Two operands go through together: an argmax.' }),
      ],
      rules: [
        refused('As many initial values as operands.', 'x: f32[2,3]; z: f32[]; y: f32[]', 'reduce(x, z, y), dimensions={1}, to_apply=add_f32', 'reduce: takes N operands and N init_values, got 3 operands in all'),
        refused('An initial value is a scalar.', 'x: f32[2,3]; z: f32[1]', 'reduce(x, z), dimensions={1}, to_apply=add_f32', 'reduce: init_values[0] must be a scalar, got f32[1]'),
        refused('It has the type that to_apply works on.', 'x: f32[2,3]; z: s32[]', 'reduce(x, z), dimensions={1}, to_apply=add_f32', 'reduce: init_values[0] must be f32[], on which to_apply add_f32 works, got s32[]'),
        refused('dimensions are those of the operand.', 'x: f32[2,3]; z: f32[]', 'reduce(x, z), dimensions={2}, to_apply=add_f32', 'reduce: dimensions must name a dimension of operands[0] f32[2,3], got 2'),
        refused('None is reduced twice.', 'x: f32[2,3]; z: f32[]', 'reduce(x, z), dimensions={1,1}, to_apply=add_f32', 'reduce: dimensions must not name a dimension twice, but holds 1 twice'),
        refused('to_apply gives what it takes.', 'x: f32[2,3]; z: f32[]', 'reduce(x, z), dimensions={1}, to_apply=lt_f32', 'reduce: parameter 0 of to_apply lt_f32 carries the result on and must be pred[] as the result is, got f32[]'),
      ],
      old: ['that [10, 11, 12, 13] may be computed as f(10, f(11, f(12, f(init_value, 13))). A bracket is missing: f(10, f(11, f(12, f(init_value, 13)))).', 'that the loop runs over range(dimensions[0]). It runs over the sizes of the operand in the dimensions that are reduced.'],
      cost: 'One operation for each element. Sums are added up pairwise, in vectors, and shared among threads where they are long; a sum of floats is as accurate as that allows.',
    },
    'reduce-window': {
      names: 'ReduceWindow pooling',
      more: 'Like reduce, for each place of a window that moves over the operand. A pooling layer is one.',
      gives: 'An array with an element for each place of the window.',
      examples: [
        run('the largest of each 2×3', 'x: f32[4,6] {{4, 1, 7, 2, 0, 3}, {6, 2, 5, 8, 1, 4}, {3, 9, 0, 2, 6, 5}, {1, 4, 2, 7, 3, 8}}', 'least = f32[] constant(-inf)\nROOT r = reduce-window(x, least), window={size=2x3 stride=2x3}, to_apply=maximum_f32', 'f32[2,2] {{7, 8}, {9, 8}}', { says: 'The older document’s example: windows side by side.' }),
        run('windows that overlap', 'x: f32[6] {4, 1, 7, 2, 0, 3}', 'least = f32[] constant(-inf)\nROOT r = reduce-window(x, least), window={size=3}, to_apply=maximum_f32', 'f32[4] {7, 7, 7, 3}'),
        run('a running sum', 'x: f32[4] {1, 2, 3, 4}; z: f32[] 0', 'reduce-window(x, z), window={size=4 pad=3_0}, to_apply=add_f32', 'f32[4] {1, 3, 6, 10}'),
      ],
      rules: [
        refused('A window of as many dimensions.', 'x: f32[4,6]; z: f32[]', 'reduce-window(x, z), window={size=2}, to_apply=add_f32', 'reduce-window: window must have one dimension for each of the 2 dimensions that operands[0] f32[4,6] has, got 1'),
        refused('A window holds something.', 'x: f32[4]; z: f32[]', 'reduce-window(x, z), window={size=0}, to_apply=add_f32', 'reduce-window: window size must be at least 1, got 0 in dimension 0'),
        refused('A stride goes forward.', 'x: f32[4]; z: f32[]', 'reduce-window(x, z), window={size=2 stride=0}, to_apply=add_f32', 'reduce-window: window stride must be at least 1, got 0 in dimension 0'),
        refused('to_apply works on the elements.', 'x: f32[4]; z: f32[]', 'reduce-window(x, z), window={size=2}, to_apply=add_s32', 'reduce-window: to_apply add_s32 works on s32[], which does not fit the elements of operands[0], which are f32'),
      ],
      cost: 'One operation for each element of each window; a window that reaches from the first element to each one becomes a running sum.',
    },
    'select-and-scatter': {
      names: 'SelectAndScatter',
      more: 'In each window select picks one element of the operand; the window’s element of source is added there, by scatter. It is the way back through a max pooling.',
      gives: 'An array with the operand’s shape.',
      examples: [
        run('windows that overlap', 'x: f32[4,5] {{7, 2, 5, 3, 1}, {3, 8, 9, 2, 4}, {1, 5, 7, 5, 6}, {0, 6, 2, 10, 2}}; s: f32[2,2] {{2, 6}, {3, 1}}; z: f32[] 0', 'select-and-scatter(x, s, z), window={size=2x3 stride=2x2}, select=ge_f32, scatter=add_f32', 'f32[4,5] {{0, 0, 0, 0, 0}, {0, 0, 8, 0, 0}, {0, 0, 3, 0, 0}, {0, 0, 0, 1, 0}}', { says: '9 is the largest of two windows, so both of their values meet there: 2 + 6.' }),
        run('side by side', 'x: f32[4] {1, 5, 4, 2}; s: f32[2] {10, 20}; z: f32[] 0', 'select-and-scatter(x, s, z), window={size=2 stride=2}, select=ge_f32, scatter=add_f32', 'f32[4] {0, 10, 20, 0}'),
      ],
      rules: [
        refused('source has an element for each place of the window.', 'x: f32[4,6]; s: f32[2,3]; z: f32[]', 'select-and-scatter(x, s, z), window={size=2x3 stride=2x3}, select=lt_f32, scatter=add_f32', 'select-and-scatter: source must have one element for each position of the window, which is f32[2,2], got f32[2,3]'),
        refused('operand and source have one element type.', 'x: f32[4]; s: s32[2]; z: f32[]', 'select-and-scatter(x, s, z), window={size=2 stride=2}, select=lt_f32, scatter=add_f32', 'select-and-scatter: operand and source must have the same element type, got operand f32[4] and source s32[2]'),
        refused('select answers yes or no.', 'x: f32[4]; s: f32[2]; z: f32[]', 'select-and-scatter(x, s, z), window={size=2 stride=2}, select=add_f32, scatter=add_f32', 'select-and-scatter: select add_f32 must give pred[], but gives f32[]'),
      ],
    },
    sort: {
      names: 'Sort argsort',
      more: 'Each line along the dimension is sorted by to_apply, which says whether its first argument comes before its second. Several operands are moved together.',
      gives: 'An array with the operand’s shape; of several operands, a tuple of them.',
      examples: [
        run('ascending', 'x: s32[6] {5, 2, 8, 1, 9, 3}', 'sort(x), dimensions={0}, to_apply=lt_s32', 's32[6] {1, 2, 3, 5, 8, 9}'),
        run('each row, descending', 'x: s32[2,3] {{7, 3, 9}, {4, 8, 2}}', 'sort(x), dimensions={1}, to_apply=gt_s32', 's32[2,3] {{9, 7, 3}, {8, 4, 2}}'),
        run('values by their keys', 'k: s32[4] {3, 1, 2, 1}; v: f32[4] {30, 10, 20, 11}', 'sort(k, v), dimensions={0}, is_stable=true, to_apply=by_key', 's32[4] {1, 1, 2, 3}; f32[4] {10, 11, 20, 30}', { before: BY_KEY, says: 'is_stable=true keeps equal keys in their order.' }),
      ],
      rules: [
        refused('The dimension is one of the operand.', 'x: f32[3]', 'sort(x), dimensions={1}, to_apply=lt_f32', 'sort: dimensions must name a dimension of operands[0] f32[3], got 1'),
        refused('Exactly one.', 'x: f32[2,3]', 'sort(x), dimensions={0,1}, to_apply=lt_f32', 'sort: dimensions must hold exactly one dimension, got 2'),
        refused('Operands have the same dimensions.', 'k: s32[3]; v: f32[4]', 'sort(k, v), dimensions={0}, to_apply=by_key', 'sort: operands[1] must have the dimensions of operands[0] s32[3], got f32[4]', { before: BY_KEY }),
        refused('to_apply takes two elements of each operand.', 'k: f32[3]; v: s32[3]', 'sort(k, v), dimensions={0}, to_apply=lt_f32', 'sort: to_apply lt_f32 must take 4 parameters, but takes 2'),
        refused('It answers yes or no.', 'x: f32[3]', 'sort(x), dimensions={0}, to_apply=add_f32', 'sort: to_apply add_f32 must give pred[], but gives f32[]'),
      ],
      old: ['that Sort takes an operand and nothing else. Today it must be told along which dimension and by which comparison.'],
      cost: 'Plain less-than and greater-than of one operand become a radix sort, which compares nothing. Other comparators are called n log n times for a line of n.',
    },
    scan: {
      more: 'Goes along a dimension and carries values from one slice to the next: jax.lax.scan as one operation.',
      gives: 'A tuple of what to_apply gave at each place, stacked, and of the carried values at the end.',
      examples: [run('a running sum', 'x: f32[4] {1, 2, 3, 4}; z: f32[] 0', '(f32[4], f32[]) scan(x, z), dimensions={0}, num_carries=1, to_apply=step', 'f32[4] {1, 3, 6, 10}; f32[] 10')],
      rules: [
        refused('to_apply takes a slice of each input and each carried value.', 'x: f32[8]; y: f32[]; z: f32[]', 'scan(x, y, z), dimensions={0}, num_carries=2, to_apply=step', 'scan: to_apply step must take 3 parameters, but takes 2'),
        refused('Something is scanned.', 'x: f32[8]; z: f32[]', 'scan(x, z), dimensions={0}, num_carries=2, to_apply=step', 'scan: num_carries must be at least 0 and leave at least one of the 2 operands as an input, got 2'),
        refused('Along a dimension that there is.', 'x: f32[8]; z: f32[]', 'scan(x, z), dimensions={1}, num_carries=1, to_apply=step', 'scan: dimensions must name a dimension of inputs[0] f32[8], got 1'),
        refused('The carried values come out of to_apply again.', 'x: f32[8]; z: f32[]', 'scan(x, z), dimensions={0}, num_carries=1, to_apply=add_f32', 'scan: to_apply add_f32 must give a tuple that ends in the 1 carried values, but gives f32[]'),
      ],
    },
    topk: {
      names: 'TopK chlo.top_k',
      gives: 'A tuple of the k values, in order, and of where they stood, s32.',
      examples: [run('the three largest', 'x: f32[6] {4, 1, 7, 3, 7, 2}', '(f32[3], s32[3]) topk(x), k=3, largest=true', 'f32[3] {7, 7, 4}; s32[3] {2, 4, 0}', { says: 'Of equal values the first comes first.' }), run('the smallest', 'x: f32[6] {4, 1, 7, 3, 7, 2}', '(f32[2], s32[2]) topk(x), k=2, largest=false', 'f32[2] {1, 2}; s32[2] {1, 5}')],
      rules: [
        refused('No more than there are.', 'x: f32[2,8]', 'topk(x), k=9', 'topk: k must be from 0 to the size of the last dimension of operand f32[2,8], got 9'),
        refused('A scalar has no line to look along.', 'x: f32[]', 'topk(x), k=0', 'topk: operand must have at least one dimension, got f32[]'),
        refused('Complex numbers stand in no order.', 'x: c64[4]', 'topk(x), k=1', 'topk: operand must have pred, signed, unsigned or floating-point elements, got c64[4]'),
      ],
      cost: 'About n comparisons for small k, far fewer than a sort.',
    },
  },
};
