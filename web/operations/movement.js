// Operations that move elements and compute nothing.
import { refused, run } from './notation.js';

const VOLUME = '{{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}';
const TWELVE = '{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}';
const ROWS = 'offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1';
const UPDATES = 'update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Moving elements',
  says: 'Every element of the result is an element that was there before: moved, repeated or left out.',
  operations: {
    broadcast: {
      names: 'Broadcast BroadcastInDim broadcast_in_dim',
      more: 'dimensions says for each dimension of the operand which one of the result it becomes; along all others the operand is repeated.',
      gives: 'An array of the declared shape, with the operand’s element type.',
      examples: [
        run('a scalar', 'x: f32[] 2', 'f32[2,3] broadcast(x), dimensions={}', 'f32[2,3] {{2, 2, 2}, {2, 2, 2}}'),
        run('as rows', 'x: f32[3] {1, 2, 3}', 'f32[2,3] broadcast(x), dimensions={1}', 'f32[2,3] {{1, 2, 3}, {1, 2, 3}}'),
        run('as columns', 'x: f32[2] {1, 2}', 'f32[2,3] broadcast(x), dimensions={0}', 'f32[2,3] {{1, 1, 1}, {2, 2, 2}}'),
      ],
      rules: [
        refused('dimensions says where each dimension goes.', 'x: f32[3]', 'f32[2,3] broadcast(x), dimensions={0,1}', 'broadcast: dimensions must say where each of the 1 dimensions of operand f32[3] goes, got 2 entries'),
        refused('They go to dimensions of the result.', 'x: f32[3]', 'f32[2,3] broadcast(x), dimensions={2}', 'broadcast: dimensions must name a dimension of the result f32[2,3], got 2'),
        refused('No two go to the same one.', 'x: f32[3,3]', 'f32[3,3] broadcast(x), dimensions={0,0}', 'broadcast: dimensions must not name a dimension twice, but holds 0 twice'),
        refused('A dimension keeps its size: a size of 1 is not stretched. Reshape it away first.', 'x: f32[1]', 'f32[2,3] broadcast(x), dimensions={0}', 'broadcast: dimension 0 of operand has size 1, so dimension 0 of the result must have it too, got f32[2,3] for operand f32[1]'),
      ],
      old: ['that new dimensions always come first, before the operand’s. The builder’s broadcast still does that; the operation in the graph may put them anywhere.'],
      cost: 'Repetitions take no memory where an element-wise loop reads them. A dot reads a copy.',
    },
    reshape: {
      names: 'Reshape Collapse',
      more: 'The elements keep their row-major order and are counted out into the new sizes.',
      gives: 'An array of the declared sizes, with as many elements as the operand.',
      examples: [
        run('4×2×3 to 8×3', `x: f32[4,2,3] ${VOLUME}`, 'f32[8,3] reshape(x)', 'f32[8,3] {{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, {30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}', { says: 'The older document’s Reshape(v, {0,1,2}, {8,3}), and its Collapse(v, {0,1}), which is a reshape.' }),
        run('4×2×3 to 24', `x: f32[4,2,3] ${VOLUME}`, 'f32[24] reshape(x)', 'f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}'),
        run('4×2×3 to 4×6', `x: f32[4,2,3] ${VOLUME}`, 'f32[4,6] reshape(x)', 'f32[4,6] {{10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27}, {30, 31, 32, 35, 36, 37}, {40, 41, 42, 45, 46, 47}}'),
        run('in another order', `x: f32[4,2,3] ${VOLUME}`, 't = f32[2,3,4] transpose(x), dimensions={1,2,0}\nROOT r = f32[8,3] reshape(t)', 'f32[8,3] {{10, 20, 30}, {40, 11, 21}, {31, 41, 12}, {22, 32, 42}, {15, 25, 35}, {45, 16, 26}, {36, 46, 17}, {27, 37, 47}}', { says: 'The older Reshape(v, {1,2,0}, {8,3}): a transpose, then a reshape.' }),
        run('2×6×2 of the same', `x: f32[4,2,3] ${VOLUME}`, 't = f32[2,3,4] transpose(x), dimensions={1,2,0}\nROOT r = f32[2,6,2] reshape(t)', 'f32[2,6,2] {{{10, 20}, {30, 40}, {11, 21}, {31, 41}, {12, 22}, {32, 42}}, {{15, 25}, {35, 45}, {16, 26}, {36, 46}, {17, 27}, {37, 47}}}'),
        run('24 in another order', `x: f32[4,2,3] ${VOLUME}`, 't = f32[2,3,4] transpose(x), dimensions={1,2,0}\nROOT r = f32[24] reshape(t)', 'f32[24] {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}'),
        run('to a scalar', 'x: f32[1,1] {{5}}', 'f32[] reshape(x)', 'f32[] 5'),
        run('and back', 'x: f32[] 5', 'f32[1,1] reshape(x)', 'f32[1,1] {{5}}'),
      ],
      rules: [
        refused('No element is lost or made.', 'x: f32[2,3]', 'f32[5] reshape(x)', 'reshape: operand f32[2,3] has 6 elements, so the result must have as many, but f32[5] (5) is declared'),
        refused('The element type stays.', 'x: f32[6]', 's32[6] reshape(x)', 'reshape: the result must be an array with the element type of operand f32[6], but s32[6] is declared'),
      ],
      old: ['that Reshape takes an order of dimensions. In HLO a transpose comes before it, as the examples show. (The document also calls one of its results v012 that comes from v021.)'],
      cost: 'Free in row-major layout: the bytes stay where they are, and loops on either side of it fuse.',
    },
    'dynamic-reshape': {
      more: 'The sizes come at run time, and the declared shape bounds them.',
      gives: 'An array of the declared shape.',
      examples: [run('six as three by two', 'x: f32[6] {1, 2, 3, 4, 5, 6}; n: s32[] 3; m: s32[] 2', 'f32[3,2] dynamic-reshape(x, n, m)', 'f32[3,2] {{1, 2}, {3, 4}, {5, 6}}')],
      rules: [
        refused('There is one size for each dimension.', 'x: f32[6]; n: s32[]', 'f32[<=2,<=3] dynamic-reshape(x, n)', 'dynamic-reshape: there must be one of dim_sizes for each dimension of the result f32[<=2,<=3], got 1'),
        refused('A size is a scalar.', 'x: f32[6]; n: s32[1]', 'f32[<=6] dynamic-reshape(x, n)', 'dynamic-reshape: dim_sizes[0] must be an integer scalar, got s32[1]'),
        refused('A size is a whole number.', 'x: f32[6]; n: f32[]', 'f32[<=6] dynamic-reshape(x, n)', 'dynamic-reshape: dim_sizes[0] must be an integer scalar, got f32[]'),
      ],
    },
    transpose: {
      names: 'Transpose',
      more: 'Dimension i of the result is dimension dimensions[i] of the operand.',
      gives: 'An array with the operand’s dimensions, rearranged.',
      examples: [run('a matrix', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'transpose(x), dimensions={1,0}', 'f32[3,2] {{1, 4}, {2, 5}, {3, 6}}'), run('three dimensions', 'x: s32[1,2,3] {{{1, 2, 3}, {4, 5, 6}}}', 'transpose(x), dimensions={2,0,1}', 's32[3,1,2] {{{1, 4}}, {{2, 5}}, {{3, 6}}}')],
      rules: [
        refused('Every dimension is named.', 'x: f32[2,3]', 'transpose(x), dimensions={0}', 'transpose: dimensions must be a permutation of the 2 dimensions of operand f32[2,3], got 1 of them'),
        refused('None twice.', 'x: f32[2,3]', 'transpose(x), dimensions={1,1}', 'transpose: dimensions must not name a dimension twice, but holds 1 twice'),
        refused('None that there is not.', 'x: f32[2,3]', 'transpose(x), dimensions={1,2}', 'transpose: dimensions must name a dimension of operand f32[2,3], got 2'),
      ],
      cost: 'Free before or after a dot, which can read either way round. By itself it copies in blocks that fit the cache.',
    },
    reverse: {
      names: 'Rev rev flip',
      gives: 'An array with the operand’s shape.',
      examples: [run('columns', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'reverse(x), dimensions={1}', 'f32[2,3] {{3, 2, 1}, {6, 5, 4}}'), run('both', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'reverse(x), dimensions={0,1}', 'f32[2,3] {{6, 5, 4}, {3, 2, 1}}')],
      rules: [
        refused('A dimension is reversed once.', 'x: f32[2,3]', 'reverse(x), dimensions={1,1}', 'reverse: dimensions must not name a dimension twice, but holds 1 twice'),
        refused('It is one of the operand.', 'x: f32[2,3]', 'reverse(x), dimensions={2}', 'reverse: dimensions must name a dimension of operand f32[2,3], got 2'),
      ],
      old: ['that index i becomes N − i − i (in one translation). It becomes N − 1 − i: of five elements, the first is exchanged with the fifth.'],
    },
    concatenate: {
      names: 'Concat ConcatInDim',
      gives: 'An array as large along dimensions as all operands together, and as they are along the others.',
      examples: [
        run('vectors', 'a: f32[2] {2, 3}; b: f32[2] {4, 5}; c: f32[2] {6, 7}', 'concatenate(a, b, c), dimensions={0}', 'f32[6] {2, 3, 4, 5, 6, 7}'),
        run('rows', 'a: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; b: f32[1,2] {{7, 8}}', 'concatenate(a, b), dimensions={0}', 'f32[4,2] {{1, 2}, {3, 4}, {5, 6}, {7, 8}}'),
      ],
      rules: [
        refused('One element type.', 'a: f32[2]; b: s32[2]', 'concatenate(a, b), dimensions={0}', 'concatenate: operands[0] and operands[1] must have the same element type, got operands[0] f32[2] and operands[1] s32[2]'),
        refused('The other dimensions agree: there are no ragged arrays.', 'a: f32[4,3]; b: f32[5,2]', 'concatenate(a, b), dimensions={1}', 'concatenate: operands[1] must have size 4 in dimension 0 as operands[0] has, got f32[5,2]'),
        refused('As many dimensions.', 'a: f32[4,3]; b: f32[4]', 'concatenate(a, b), dimensions={0}', 'concatenate: operands[1] must have 2 dimensions as operands[0] has, got f32[4]'),
        refused('The dimension is one of the operands. Scalars have none; reshape them to f32[1] first.', 'a: f32[]; b: f32[]', 'concatenate(a, b), dimensions={0}', 'concatenate: dimensions must name a dimension of operands[0] f32[], got 0'),
      ],
      old: ['that dimension lies between 0 and N, the number of operands. It lies between 0 and the number of their dimensions.'],
      cost: 'Each byte is copied once.',
    },
    slice: {
      names: 'Slice',
      more: 'From start up to limit, limit excluded, every stride-th element of each dimension.',
      gives: 'An array with as many dimensions as the operand.',
      examples: [
        run('of a vector', 'a: f32[5] {0, 1, 2, 3, 4}', 'slice(a), slice={[2:4]}', 'f32[2] {2, 3}'),
        run('a box', `b: f32[4,3] ${TWELVE}`, 'slice(b), slice={[2:4], [1:3]}', 'f32[2,2] {{7, 8}, {10, 11}}'),
        run('every second row', `b: f32[4,3] ${TWELVE}`, 'slice(b), slice={[0:4:2], [0:3]}', 'f32[2,3] {{0, 1, 2}, {6, 7, 8}}'),
        run('nothing', 'a: f32[5] {0, 1, 2, 3, 4}', 'slice(a), slice={[2:2]}', 'f32[0] {}', { says: 'An empty array, and no error.' }),
      ],
      rules: [
        refused('A range for each dimension.', 'x: f32[8,6]', 'slice(x), slice={[1:7]}', 'slice: slice must have a range for each of the 2 dimensions of operand f32[8,6], got 1'),
        refused('It begins at 0 or later: negative numbers do not count from the end.', 'x: f32[8]', 'slice(x), slice={[-1:3]}', 'slice: start must not be negative, got -1 in dimension 0'),
        refused('It ends where the operand does.', 'x: f32[8]', 'slice(x), slice={[4:9]}', 'slice: limit must be at most 8, the size of dimension 0 of operand f32[8], got 9'),
        refused('It does not end before it begins.', 'x: f32[8]', 'slice(x), slice={[4:3]}', 'slice: limit must not be less than start, got [4:3] in dimension 0'),
        refused('It steps forward.', 'x: f32[8]', 'slice(x), slice={[0:8:-1]}', 'slice: stride must be at least 1, got -1 in dimension 0'),
      ],
      old: ['that a limit must be strictly greater than its start. They may be equal: the slice is empty then.'],
    },
    'dynamic-slice': {
      names: 'DynamicSlice',
      more: 'The sizes are fixed; where the box begins comes at run time.',
      gives: 'An array of dynamic_slice_sizes.',
      examples: [
        run('of a vector', 'a: f32[5] {0, 1, 2, 3, 4}; s: s32[] 2', 'dynamic-slice(a, s), dynamic_slice_sizes={2}', 'f32[2] {2, 3}'),
        run('a box', `b: f32[4,3] ${TWELVE}; i: s32[] 2; j: s32[] 1`, 'dynamic-slice(b, i, j), dynamic_slice_sizes={2,2}', 'f32[2,2] {{7, 8}, {10, 11}}'),
        run('past the end', 'a: f32[5] {0, 1, 2, 3, 4}; s: s32[] 4', 'dynamic-slice(a, s), dynamic_slice_sizes={2}', 'f32[2] {3, 4}', { says: 'The start is moved back, so that the whole box lies inside.' }),
      ],
      rules: [
        refused('A start for each dimension.', 'x: f32[8,6]; s: s32[]', 'dynamic-slice(x, s), dynamic_slice_sizes={2,6}', 'dynamic-slice: there must be one of start_indices for each of the 2 dimensions of operand f32[8,6], got 1'),
        refused('A size for each dimension.', 'x: f32[8,6]; i: s32[]; j: s32[]', 'dynamic-slice(x, i, j), dynamic_slice_sizes={2}', 'dynamic-slice: dynamic_slice_sizes must have a size for each of the 2 dimensions of operand f32[8,6], got 1'),
        refused('Starts are whole numbers.', 'x: f32[8]; s: f32[]', 'dynamic-slice(x, s), dynamic_slice_sizes={2}', 'dynamic-slice: start_indices[0] must have integer elements, got f32[]'),
        refused('The box fits the operand.', 'x: f32[8]; s: s32[]', 'dynamic-slice(x, s), dynamic_slice_sizes={9}', 'dynamic-slice: dynamic_slice_sizes must be from 0 to the size of the dimension, got 9 in dimension 0 of operand f32[8]'),
      ],
      old: ['that starts beyond the end are taken modulo the size of the dimension. They are clamped, as the example shows.', 'that all starts come as one vector. Today each is a scalar; the vector is still taken.'],
    },
    'dynamic-update-slice': {
      names: 'DynamicUpdateSlice',
      gives: 'An array with the operand’s shape.',
      examples: [
        run('in a vector', 'a: f32[5] {0, 1, 2, 3, 4}; u: f32[2] {5, 6}; s: s32[] 2', 'dynamic-update-slice(a, u, s)', 'f32[5] {0, 1, 5, 6, 4}'),
        run('in a matrix', `b: f32[4,3] ${TWELVE}; u: f32[3,2] {{12, 13}, {14, 15}, {16, 17}}; i: s32[] 1; j: s32[] 1`, 'dynamic-update-slice(b, u, i, j)', 'f32[4,3] {{0, 1, 2}, {3, 12, 13}, {6, 14, 15}, {9, 16, 17}}'),
        run('past the end', 'a: f32[5] {0, 1, 2, 3, 4}; u: f32[2] {5, 6}; s: s32[] 4', 'dynamic-update-slice(a, u, s)', 'f32[5] {0, 1, 2, 5, 6}'),
      ],
      rules: [
        refused('One element type.', 'x: f32[8]; u: s32[2]; s: s32[]', 'dynamic-update-slice(x, u, s)', 'dynamic-update-slice: operand and update must have the same element type, got operand f32[8] and update s32[2]'),
        refused('As many dimensions.', 'x: f32[8,6]; u: f32[2]; i: s32[]; j: s32[]', 'dynamic-update-slice(x, u, i, j)', 'dynamic-update-slice: update must have as many dimensions as operand, got update f32[2] and operand f32[8,6]'),
        refused('The update is no larger than the operand.', 'x: f32[8,6]; u: f32[2,7]; i: s32[]; j: s32[]', 'dynamic-update-slice(x, u, i, j)', 'dynamic-update-slice: update must not be larger than operand in any dimension, got update f32[2,7] and operand f32[8,6]'),
      ],
      old: ['that start + update must be less than the operand’s size. They may be equal; and what goes beyond is clamped, not taken modulo the size.'],
      cost: 'Where nothing else reads the operand, as in a loop, only the update is written: the rest stays where it is.',
    },
    pad: {
      names: 'Pad',
      more: 'padding=low_high_interior for each dimension, with x between dimensions. Interior padding comes first; negative edges cut off what is then there.',
      gives: 'An array of size low + n + (n − 1) · interior + high along each dimension.',
      examples: [
        run('edges', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; z: f32[] 0', 'pad(x, z), padding=1_0x0_2', 'f32[3,5] {{0, 0, 0, 0, 0}, {1, 2, 3, 0, 0}, {4, 5, 6, 0, 0}}'),
        run('between', 'x: f32[3] {1, 2, 3}; z: f32[] 9', 'pad(x, z), padding=0_0_2', 'f32[7] {1, 9, 9, 2, 9, 9, 3}'),
        run('cut off', 'x: f32[4] {1, 2, 3, 4}; z: f32[] 0', 'pad(x, z), padding=-1_1', 'f32[4] {2, 3, 4, 0}'),
      ],
      rules: [
        refused('The value has the element type of the operand.', 'x: f32[3]; z: s32[]', 'pad(x, z), padding=1_1', 'pad: operand and padding_value must have the same element type, got operand f32[3] and padding_value s32[]'),
        refused('It is a scalar.', 'x: f32[3]; z: f32[1]', 'pad(x, z), padding=1_1', 'pad: padding_value must be a scalar, got f32[1]'),
        refused('Padding for each dimension.', 'x: f32[3,4]; z: f32[]', 'pad(x, z), padding=1_1', 'pad: padding must be given for each of the 2 dimensions of operand f32[3,4], got 1'),
        refused('Only edges may be negative.', 'x: f32[3]; z: f32[]', 'pad(x, z), padding=0_0_-1', 'pad: interior padding must not be negative, got -1 in dimension 0'),
        refused('No more is cut off than there is.', 'x: f32[3]; z: f32[]', 'pad(x, z), padding=-4_0', 'pad: padding -4_0_0 would give dimension 0 of operand f32[3] the negative size -1'),
      ],
      old: ['that padding_config holds (low, high). It holds three numbers: interior padding as well.'],
      cost: 'A copy into an array that has been filled. Where a convolution or a reduce-window comes next, write the padding in its window: there it is no step of its own.',
    },
    gather: {
      names: 'Gather',
      more: 'start_indices holds places; at each a box of slice_sizes is cut out of the operand. collapsed_slice_dims are dropped from the boxes, and offset_dims say where their other dimensions stand in the result.',
      gives: 'An array: the dimensions of start_indices without index_vector_dim, with those of the boxes at offset_dims.',
      examples: [
        run('rows by number', 'x: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; i: s32[3] {2, 0, 2}', `gather(x, i), ${ROWS}, slice_sizes={1,2}`, 'f32[3,2] {{5, 6}, {1, 2}, {5, 6}}'),
        run('elements by place', 'x: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; i: s32[2,2] {{0, 1}, {2, 0}}', 'gather(x, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}', 'f32[2] {2, 5}'),
        run('past the end', 'x: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; i: s32[2] {-5, 9}', `gather(x, i), ${ROWS}, slice_sizes={1,2}`, 'f32[2,2] {{1, 2}, {5, 6}}', { says: 'Indices are clamped, so that every box lies inside.' }),
      ],
      rules: [
        refused('Indices are whole numbers.', 'x: f32[10,5]; i: f32[7,1]', `gather(x, i), ${ROWS}, slice_sizes={1,5}`, 'gather: start_indices must have integer elements, got f32[7,1]'),
        refused('A size for each dimension of the operand.', 'x: f32[10,5]; i: s32[7,1]', `gather(x, i), ${ROWS}, slice_sizes={1}`, 'gather: slice_sizes must have a size for each of the 2 dimensions of operand f32[10,5], got 1'),
        refused('A box fits the operand.', 'x: f32[10,5]; i: s32[7,1]', `gather(x, i), ${ROWS}, slice_sizes={1,6}`, 'gather: slice_sizes must be from 0 to the size of the dimension, got 6 in dimension 1 of operand f32[10,5]'),
        refused('What is collapsed has size 1.', 'x: f32[10,5]; i: s32[7,1]', `gather(x, i), ${ROWS}, slice_sizes={2,5}`, 'gather: slice_sizes must be at most 1 in a collapsed or batching dimension, got 2 in dimension 0'),
        refused('start_index_map says what each component of an index means.', 'x: f32[10,5]; i: s32[7,2]', `gather(x, i), ${ROWS}, slice_sizes={1,5}`, 'gather: start_index_map must have one entry for each of the 2 components of an index in start_indices s32[7,2], got 1'),
        refused('offset_dims are dimensions of the result.', 'x: f32[10,5]; i: s32[7,1]', 'gather(x, i), offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}', 'gather: offset_dims must name dimensions of the result, which has 2, got 2'),
      ],
      cost: 'Rows are copied whole; single elements are fetched one by one.',
    },
    scatter: {
      names: 'Scatter',
      more: 'The other way round from gather: each update goes to the place that scatter_indices say, and to_apply combines it with what is there. Updates beyond the operand are left out.',
      gives: 'An array with the operand’s shape; of several operands, a tuple of them.',
      examples: [
        run('add at places', 'x: f32[4] {10, 20, 30, 40}; i: s32[3] {3, 0, 3}; u: f32[3] {1, 2, 3}', 'scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32', 'f32[4] {12, 20, 30, 44}', { says: 'Two updates meet at 3, and both count.' }),
        run('replace rows', 'x: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; i: s32[1] {1}; u: f32[1,2] {{8, 9}}', `scatter(x, i, u), ${UPDATES}, to_apply=last_f32`, 'f32[3,2] {{1, 2}, {8, 9}, {5, 6}}'),
        run('past the end', 'x: f32[2] {1, 2}; i: s32[2] {1, 5}; u: f32[2] {10, 20}', 'scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32', 'f32[2] {1, 12}', { says: 'Gather clamps; scatter leaves out.' }),
      ],
      rules: [
        refused('Indices are whole numbers.', 'x: f32[10,5]; i: f32[7,1]; u: f32[7,5]', `scatter(x, i, u), ${UPDATES}, to_apply=add_f32`, 'scatter: scatter_indices must have integer elements, got f32[7,1]'),
        refused('One element type.', 'x: f32[10,5]; i: s32[7,1]; u: s32[7,5]', `scatter(x, i, u), ${UPDATES}, to_apply=add_f32`, 'scatter: operands[0] and updates[0] must have the same element type, got operands[0] f32[10,5] and updates[0] s32[7,5]'),
        refused('An update for each index.', 'x: f32[10,5]; i: s32[7,1]; u: f32[6,5]', `scatter(x, i, u), ${UPDATES}, to_apply=add_f32`, 'scatter: dimension 0 of updates[0] f32[6,5] must have the size of dimension 0 of scatter_indices s32[7,1]'),
        refused('A window no larger than the operand.', 'x: f32[10,5]; i: s32[7,1]; u: f32[7,6]', `scatter(x, i, u), ${UPDATES}, to_apply=add_f32`, 'scatter: updates[0] must be at most as large as the operand in its window: dimension 1 of f32[7,6] has more than the 5 of dimension 1 of f32[10,5]'),
        refused('to_apply works on the elements.', 'x: f32[10,5]; i: s32[7,1]; u: f32[7,5]', `scatter(x, i, u), ${UPDATES}, to_apply=add_s32`, 'scatter: to_apply add_s32 works on s32[], which does not fit the elements of operands[0], which are f32'),
      ],
      cost: 'Updates are applied one after the other, in runs where the indices leave the elements side by side.',
    },
    copy: {
      names: 'Copy',
      gives: 'The operand’s value, with a place of its own in memory, perhaps in another layout.',
      examples: [run('as it was', 'x: f32[2,2] {{1, 2}, {3, 4}}', 'copy(x)', 'f32[2,2] {{1, 2}, {3, 4}}'), run('in columns', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'f32[2,3]{0,1} copy(x)', 'f32[2,3] {{1, 2, 3}, {4, 5, 6}}', { says: 'The bytes lie in another order, and the value is the same.' })],
      cost: 'Copies that no one can tell from the original are left out of the plan.',
    },
    bitcast: {
      more: 'The bytes stay, and are read in the shape and layout that are declared. Compilers write it where they know that a reshape or a transpose moves nothing.',
      gives: 'An array of the declared shape, which takes as many bytes.',
      examples: [run('columns read as rows', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'c = f32[2,3]{0,1} copy(x)\nROOT r = f32[3,2]{1,0} bitcast(c)', 'f32[3,2] {{1, 4}, {2, 5}, {3, 6}}')],
      rules: [refused('As many bytes.', 'x: f32[2,3]', 'f32[5] bitcast(x)', 'bitcast: operand f32[2,3] takes 24 bytes in its layout, so the result must take as many in its own, but f32[5] takes 20'), refused('An array.', 'x: f32[2]', '(f32[2]) bitcast(x)', 'bitcast: the result must be an array, but (f32[2]) is declared')],
      cost: 'Free.',
    },
    'get-dimension-size': {
      names: 'GetDimensionSize',
      gives: 's32[]: the size of the dimension, as it is at run time.',
      examples: [run('of a matrix', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}', 'get-dimension-size(x), dimensions={1}', 's32[] 3'), run('of one with a bound', 'x: f32[4] {1, 2, 3, 4}; n: s32[] 2', 'y = f32[<=4] set-dimension-size(x, n), dimensions={0}\nROOT r = get-dimension-size(y), dimensions={0}', 's32[] 2')],
      rules: [refused('The dimension is one of the operand.', 'x: f32[8]', 'get-dimension-size(x), dimensions={1}', 'get-dimension-size: dimensions must name a dimension of operand f32[8], got 1')],
    },
    'set-dimension-size': {
      names: 'SetDimensionSize',
      more: 'The dimension becomes dynamic: its old size is the bound, and what lies beyond size does not count any more.',
      gives: 'An array of the operand’s dimensions, of which one has a bound instead of a size.',
      examples: [run('the first two count', 'x: f32[4] {1, 2, 3, 4}; n: s32[] 2; z: f32[] 0', 'y = f32[<=4] set-dimension-size(x, n), dimensions={0}\nROOT r = reduce(y, z), dimensions={0}, to_apply=add_f32', 'f32[] 3')],
      rules: [
        refused('The dimension is one of the operand.', 'x: f32[8]; n: s32[]', 'set-dimension-size(x, n), dimensions={-1}', 'set-dimension-size: dimensions must name a dimension of operand f32[8], got -1'),
        refused('The size is s32[].', 'x: f32[8]; n: s64[]', 'set-dimension-size(x, n), dimensions={0}', 'set-dimension-size: size must be s32[], got s64[]'),
      ],
    },
  },
};
