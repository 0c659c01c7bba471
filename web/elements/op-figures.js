// The table of ops that come with examples: one row an op, read by <hlo-op>. An op without a row has the op table's words
// and, where one can be made, an example of counting numbers.

/**
 * What an example shows, in the words of <hlo-op>'s attributes.
 * @typedef {object} Example
 * @property {string} title
 * @property {string} operands shapes, `f32[2,3]; f32[]`
 * @property {string} [values] elements in row-major order, `1,2,3; 0`; without them, counting numbers
 * @property {string} [attrs] as in HLO text; `shape=f32[6]` where the result's shape must be told
 * @property {string} [at] the element that is shown first
 * @property {string} [says] what to see in it
 */
/**
 * @typedef {object} Figure
 * @property {string} says what the op does, in a sentence
 * @property {string[]} [names] of operands, where the op table's do not suffice
 * @property {'operand' | 'rows' | 'result'} [colour] elements are coloured by the operand they come from (unless said), by
 *   their row in the first operand, or by the one result element that they make
 * @property {'fold' | 'products'} [formula] how a result element is written out, unless as a call
 * @property {Record<string, string[]>} [choices] computations to choose from, by attribute
 * @property {Record<string, Example>} examples the first is shown unless another is asked for
 */

const FOLDS = ['add', 'multiply', 'maximum', 'minimum'];
const ORDERS = ['lt', 'gt'];
const MATRIX = '1,2,3,4,5,6';
const FOUR = `${MATRIX},${MATRIX},${MATRIX},${MATRIX}`;
const TWELVE = '0,1,2,3,4,5,6,7,8,9,10,11';
const VOLUME = '10,11,12,15,16,17,20,21,22,25,26,27,30,31,32,35,36,37,40,41,42,45,46,47';
const POOL = '4,1,7,2,0,3, 6,2,5,8,1,4, 3,9,0,2,6,5, 1,4,2,7,3,8';
const PEAKS = '7,2,5,3,1, 3,8,9,2,4, 1,5,7,5,6, 0,6,2,10,2';

/** @type {Record<string, Figure>} */
export const FIGURES = {
  concatenate: {
    says: 'Puts arrays behind each other along one dimension; all other dimensions must agree.',
    names: ['a', 'b', 'c'],
    examples: {
      rows: { title: 'along dimension 0', operands: 'f32[3,2]; f32[1,2]', attrs: 'dimensions={0}', at: '3,0' },
      columns: { title: 'along dimension 1', operands: 'f32[2,2]; f32[2,3]', attrs: 'dimensions={1}', at: '0,2' },
      vectors: { title: 'three vectors', operands: 'f32[2]; f32[2]; f32[2]', values: '2,3; 4,5; 6,7', attrs: 'dimensions={0}', at: '4' },
    },
  },
  pad: {
    says: 'Adds elements at the edges and between elements; a negative number takes edges away.',
    examples: {
      edge: {
        title: 'edges',
        operands: 'f32[2,3]; f32[]',
        values: `${MATRIX}; 0`,
        attrs: 'padding=1_1x2_1',
        at: '1,2',
        says: 'Low is before index 0, high is after the last. Every hatched cell is a copy of padding_value.',
      },
      interior: {
        title: 'interior',
        operands: 'f32[2,3]; f32[]',
        values: `${MATRIX}; 0`,
        attrs: 'padding=0_0_1x0_0_2',
        at: '2,3',
        says: 'Interior padding stands between each two neighbours: one row between two, two columns between each of three.',
      },
      both: { title: 'both', operands: 'f32[2,3]; f32[]', values: `${MATRIX}; 9`, attrs: 'padding=1_0_1x1_1_1', at: '1,3' },
      negative: {
        title: 'negative',
        operands: 'f32[3,4]; f32[]',
        values: '1,2,3,4,5,6,7,8,9,10,11,12; 0',
        attrs: 'padding=-1_0x1_-2',
        at: '0,1',
        says: 'Edges of negative size are cut off: pale elements reach no result. Interior padding comes first, then the cut.',
      },
    },
  },
  reduce: {
    says: 'Folds dimensions away: all elements along them are combined into one, together with init_value.',
    colour: 'result',
    formula: 'fold',
    choices: { to_apply: FOLDS },
    examples: {
      rows: { title: 'sum of each row', operands: 'f32[2,3]; f32[]', values: `${MATRIX}; 0`, attrs: 'dimensions={1}, to_apply=add', at: '0' },
      columns: { title: 'sum of each column', operands: 'f32[2,3]; f32[]', values: `${MATRIX}; 0`, attrs: 'dimensions={0}, to_apply=add', at: '0' },
      outer: { title: '3-D, dimension 0', operands: 'f32[4,2,3]; f32[]', values: `${FOUR}; 0`, attrs: 'dimensions={0}, to_apply=add', at: '1,0' },
      inner: { title: '3-D, dimension 2', operands: 'f32[4,2,3]; f32[]', values: `${FOUR}; 0`, attrs: 'dimensions={2}, to_apply=add', at: '0,1' },
      two: { title: '3-D, dimensions 0 and 1', operands: 'f32[4,2,3]; f32[]', values: `${FOUR}; 0`, attrs: 'dimensions={0,1}, to_apply=add', at: '0' },
      all: { title: 'everything', operands: 'f32[4,2,3]; f32[]', values: `${FOUR}; 0`, attrs: 'dimensions={0,1,2}, to_apply=add', at: '()' },
      largest: { title: 'largest', operands: 'f32[2,3]; f32[]', values: '1,9,4,2,8,5; -inf', attrs: 'dimensions={1}, to_apply=maximum', at: '0' },
    },
  },
  'reduce-window': {
    says: 'Slides a window over the operand and folds what is in it, at each place, into one element.',
    colour: 'result',
    formula: 'fold',
    choices: { to_apply: FOLDS },
    examples: {
      blocks: {
        title: '2×3 by 2×3',
        operands: 'f32[4,6]; f32[]',
        values: `${POOL}; -inf`,
        attrs: 'window={size=2x3 stride=2x3}, to_apply=maximum',
        at: '0,0',
        says: 'The stride equals the size, so each element is in one window.',
      },
      overlapping: {
        title: 'stride 1',
        operands: 'f32[4,6]; f32[]',
        values: `${POOL}; -inf`,
        attrs: 'window={size=2x3 stride=1x1}, to_apply=maximum',
        at: '1,1',
        says: 'Windows overlap: point at an operand element to see how many results it went into.',
      },
      padded: {
        title: 'padding',
        operands: 'f32[3,4]; f32[]',
        values: '1,2,3,4,5,6,7,8,9,10,11,12; 0',
        attrs: 'window={size=3x3 pad=1_1x1_1}, to_apply=add',
        at: '0,0',
        says: 'Hatched cells are no elements; they hold init_value, which does nothing to a sum when it is 0.',
      },
      running: {
        title: 'running sum',
        operands: 'f32[6]; f32[]',
        values: `${MATRIX}; 0`,
        attrs: 'window={size=6 pad=5_0}, to_apply=add',
        at: '3',
        says: 'A window as long as the array, padded in front, sums all elements so far.',
      },
      dilated: {
        title: 'dilated',
        operands: 'f32[8]; f32[]',
        values: '1,2,3,4,5,6,7,8; 0',
        attrs: 'window={size=3 rhs_dilate=2}, to_apply=add',
        at: '1',
        says: 'rhs dilation spreads the window: it takes every second element.',
      },
    },
  },
  'select-and-scatter': {
    says: 'Picks one element of each window of the operand, and adds a source element into the result at its place.',
    formula: 'fold',
    names: ['operand', 'source', 'init_value'],
    choices: { select: ['ge', 'le'], scatter: FOLDS },
    examples: {
      overlapping: {
        title: 'windows that overlap',
        operands: 'f32[4,5]; f32[2,2]; f32[]',
        values: `${PEAKS}; 2,6,3,1; 0`,
        attrs: 'window={size=2x3 stride=2x2}, select=ge, scatter=add',
        at: '1,2',
        says: 'The 9 is the largest of both upper windows, so it is chosen twice, and 2 + 6 = 8 stands in its place.',
      },
      blocks: {
        title: 'windows side by side',
        operands: 'f32[4,6]; f32[2,2]; f32[]',
        values: `${POOL}; 2,6,3,1; 0`,
        attrs: 'window={size=2x3 stride=2x3}, select=ge, scatter=add',
        at: '0,2',
        says: 'How the gradient of a max pooling finds its way back.',
      },
    },
  },
  slice: {
    says: 'Takes a box out of the operand: from start to limit, which is left out, in steps of the stride.',
    examples: {
      matrix: { title: 'a box', operands: 'f32[4,3]', values: TWELVE, attrs: 'slice={[2:4], [1:3]}', at: '0,0' },
      strided: { title: 'strides', operands: 'f32[4,5]', attrs: 'slice={[0:4:2], [1:5:3]}', at: '1,1', says: 'Every second row, every third column.' },
      vector: { title: 'of a vector', operands: 'f32[5]', values: '0,1,2,3,4', attrs: 'slice={[2:4]}', at: '0' },
    },
  },
  'dynamic-slice': {
    says: 'Takes a box of fixed size whose start is computed while the program runs.',
    names: ['operand', 'start 0', 'start 1', 'start 2'],
    examples: {
      inside: { title: 'inside', operands: 'f32[4,3]; s32[]; s32[]', values: `${TWELVE}; 2; 1`, attrs: 'dynamic_slice_sizes={2,2}', at: '0,0' },
      clamped: {
        title: 'clamped',
        operands: 'f32[4,3]; s32[]; s32[]',
        values: `${TWELVE}; 9; -4`,
        attrs: 'dynamic_slice_sizes={2,2}',
        at: '0,0',
        says: 'A start that would reach outside is moved until the box fits: 9 becomes 2, −4 becomes 0. Nothing wraps around.',
      },
      vector: { title: 'of a vector', operands: 'f32[5]; s32[]', values: '0,1,2,3,4; 2', attrs: 'dynamic_slice_sizes={2}', at: '0' },
    },
  },
  'dynamic-update-slice': {
    says: 'The operand with a box of it overwritten, at a start that is computed while the program runs.',
    names: ['operand', 'update', 'start 0', 'start 1', 'start 2'],
    examples: {
      matrix: { title: 'a box', operands: 'f32[4,3]; f32[3,2]; s32[]; s32[]', values: `${TWELVE}; 12,13,14,15,16,17; 1; 1`, at: '1,1' },
      vector: { title: 'of a vector', operands: 'f32[5]; f32[2]; s32[]', values: '0,1,2,3,4; 5,6; 2', at: '2' },
    },
  },
  gather: {
    says: 'Takes a slice at each of many computed places, and puts the slices together.',
    colour: 'rows',
    examples: {
      rows: {
        title: 'rows by number',
        operands: 'f32[4,3]; s32[3]',
        values: `${TWELVE}; 2,0,2`,
        attrs: 'offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}',
        at: '0,1',
        says: 'Each index names a row. A row may be taken twice, or not at all.',
      },
      elements: {
        title: 'elements by place',
        operands: 'f32[3,4]; s32[3,2]',
        values: '1,2,3,4,5,6,7,8,9,10,11,12; 0,3, 2,0, 1,1',
        attrs: 'offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}',
        at: '1',
      },
      boxes: {
        title: 'boxes',
        operands: 'f32[4,4]; s32[2,2]',
        values: '0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; 0,0, 3,1',
        attrs: 'offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,2}',
        at: '1,0,0',
        says: 'The second start, (3,1), would reach outside; it is clamped to (2,1).',
      },
    },
  },
  scatter: {
    says: 'Combines update slices into the operand, each at a computed place; what would fall outside is skipped.',
    formula: 'fold',
    choices: { to_apply: ['add', 'multiply', 'maximum', 'minimum', 'second'] },
    examples: {
      elements: {
        title: 'add at places',
        operands: 'f32[6]; s32[4,1]; f32[4]',
        values: '0,0,0,0,0,0; 1,4,1,9; 10,20,30,7',
        attrs: 'update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add',
        at: '1',
        says: 'Two updates meet at 1. There is no place 9, so 7 is skipped.',
      },
      rows: {
        title: 'add rows',
        operands: 'f32[4,3]; s32[2]; f32[2,3]',
        values: '0,0,0,0,0,0,0,0,0,0,0,0; 2,0; 1,2,3,4,5,6',
        attrs: 'update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add',
        at: '2,1',
      },
    },
  },
  transpose: {
    says: 'Reorders dimensions: dimension i of the result is dimension dimensions[i] of the operand.',
    colour: 'rows',
    examples: {
      matrix: { title: 'a matrix', operands: 'f32[2,3]', attrs: 'dimensions={1,0}', at: '2,0' },
      volume: { title: '3-D', operands: 'f32[2,3,4]', attrs: 'dimensions={2,0,1}', at: '1,0,2' },
    },
  },
  reshape: {
    says: 'The same elements, in row-major order, under other sizes.',
    colour: 'rows',
    examples: {
      matrix: { title: '4×2×3 to 8×3', operands: 'f32[4,2,3]', values: VOLUME, attrs: 'shape=f32[8,3]', at: '2,1' },
      wide: { title: '4×2×3 to 4×6', operands: 'f32[4,2,3]', values: VOLUME, attrs: 'shape=f32[4,6]', at: '1,3' },
      flat: { title: '2×3 to 6', operands: 'f32[2,3]', attrs: 'shape=f32[6]', at: '4' },
      scalar: { title: '1×1 to a scalar', operands: 'f32[1,1]', values: '5', attrs: 'shape=f32[]', at: '()' },
    },
  },
  reverse: {
    says: 'Turns the order around along some dimensions: index i becomes N − 1 − i.',
    colour: 'rows',
    examples: {
      columns: { title: 'dimension 1', operands: 'f32[2,3]', attrs: 'dimensions={1}', at: '0,0' },
      rows: { title: 'dimension 0', operands: 'f32[2,3]', attrs: 'dimensions={0}', at: '0,0' },
      both: { title: 'both', operands: 'f32[2,3]', attrs: 'dimensions={0,1}', at: '0,0' },
    },
  },
  broadcast: {
    says: 'Repeats the operand along new dimensions; dimensions says which result dimension each operand dimension becomes.',
    colour: 'rows',
    examples: {
      rows: { title: 'as rows', operands: 'f32[3]', attrs: 'shape=f32[2,3], dimensions={1}', at: '1,0' },
      columns: { title: 'as columns', operands: 'f32[2]', attrs: 'shape=f32[2,3], dimensions={0}', at: '1,0' },
      scalar: { title: 'a scalar', operands: 'f32[]', values: '2', attrs: 'shape=f32[2,3], dimensions={}', at: '0,2' },
    },
  },
  convolution: {
    says: 'Slides a kernel over the input; at each place, elements that meet are multiplied, and the products added.',
    formula: 'products',
    examples: {
      plain: {
        title: 'a 2×2 kernel',
        operands: 'f32[1,1,4,4]; f32[1,1,2,2]',
        values: '1,2,0,1, 3,1,2,0, 0,4,1,2, 2,0,3,1; 1,2,3,4',
        attrs: 'window={size=2x2}, dim_labels=bf01_oi01->bf01',
        at: '0,0,0,0',
      },
      padded: {
        title: 'padding',
        operands: 'f32[1,1,3,3]; f32[1,1,3,3]',
        values: '1,2,3,4,5,6,7,8,9; 0,1,0,1,-4,1,0,1,0',
        attrs: 'window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01',
        at: '0,0,0,0',
        says: 'Padded so, the result is as large as the input. Hatched cells count as 0.',
      },
      strided: {
        title: 'strides',
        operands: 'f32[1,1,5,5]; f32[1,1,3,3]',
        values: '1,0,2,1,0, 0,3,1,0,2, 2,1,0,1,1, 1,0,1,2,0, 0,2,1,0,3; 1,0,-1,2,0,-2,1,0,-1',
        attrs: 'window={size=3x3 stride=2x2}, dim_labels=bf01_oi01->bf01',
        at: '0,0,0,1',
      },
      spread: {
        title: 'kernel dilation',
        operands: 'f32[1,1,7]; f32[1,1,3]',
        values: '1,2,3,4,5,6,7; 1,10,100',
        attrs: 'window={size=3 rhs_dilate=2}, dim_labels=bf0_oi0->bf0',
        at: '0,0,1',
        says: 'rhs dilation puts holes into the kernel.',
      },
      transposed: {
        title: 'input dilation',
        operands: 'f32[1,1,3]; f32[1,1,3]',
        values: '1,2,3; 1,10,100',
        attrs: 'window={size=3 pad=2_2 lhs_dilate=2}, dim_labels=bf0_oi0->bf0',
        at: '0,0,2',
        says: 'lhs dilation puts holes between input elements: a transposed convolution.',
      },
      groups: {
        title: 'groups',
        operands: 'f32[1,2,4]; f32[2,1,2]',
        values: '1,2,3,4,5,6,7,8; 1,1,1,-1',
        attrs: 'window={size=2}, dim_labels=bf0_oi0->bf0, feature_group_count=2',
        at: '0,1,0',
        says: 'With two groups, each input feature meets its own kernel.',
      },
    },
  },
  dot: {
    says: 'Multiplies elements that meet along the contracting dimensions and adds the products.',
    formula: 'products',
    examples: {
      matrices: { title: 'matrix × matrix', operands: 'f32[2,3]; f32[3,2]', attrs: 'lhs_contracting_dims={1}, rhs_contracting_dims={0}', at: '0,0' },
      vector: { title: 'matrix × vector', operands: 'f32[2,3]; f32[3]', attrs: 'lhs_contracting_dims={1}, rhs_contracting_dims={0}', at: '1' },
      vectors: { title: 'vector · vector', operands: 'f32[3]; f32[3]', attrs: 'lhs_contracting_dims={0}, rhs_contracting_dims={0}', at: '()' },
      batch: {
        title: 'a batch',
        operands: 'f32[2,2,3]; f32[2,3,2]',
        attrs: 'lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}',
        at: '1,0,1',
        says: 'Dimension 0 of both is a batch dimension: matrices meet one by one.',
      },
    },
  },
  select: {
    says: 'Takes each element from on_true or from on_false, as pred says.',
    examples: {
      each: {
        title: 'element by element',
        operands: 'pred[4]; s32[4]; s32[4]',
        values: 'true,false,false,true; 1,2,3,4; 100,200,300,400',
        at: '1',
      },
      scalar: { title: 'one for all', operands: 'pred[]; s32[4]; s32[4]', values: 'true; 1,2,3,4; 100,200,300,400', at: '1' },
    },
  },
  clamp: {
    says: 'Keeps each element between min and max: it is min(max(operand, min), max).',
    examples: { seeds: { title: 'to 0 … 6', operands: 's32[]; s32[3]; s32[]', values: '0; -1,5,9; 6', at: '2' } },
  },
  iota: {
    says: 'Counts 0, 1, 2, … along one dimension; made of no operand at all.',
    examples: {
      rows: { title: 'along dimension 1', operands: '', attrs: 'shape=s32[3,4], iota_dimension=1', at: '1,2' },
      columns: { title: 'along dimension 0', operands: '', attrs: 'shape=s32[3,4], iota_dimension=0', at: '1,2' },
    },
  },
  sort: {
    says: 'Sorts along one dimension by a comparison of two elements.',
    colour: 'rows',
    choices: { to_apply: ORDERS },
    examples: {
      vector: { title: 'a vector', operands: 's32[6]', values: '5,2,8,1,9,3', attrs: 'dimensions={0}, to_apply=lt, is_stable=true', at: '0' },
      rows: { title: 'each row', operands: 's32[3,4]', values: '7,3,9,1, 4,8,2,6, 5,0,5,2', attrs: 'dimensions={1}, to_apply=lt, is_stable=true', at: '1,0' },
    },
  },
  compare: {
    says: 'Compares element by element; the result is of type pred.',
    examples: { less: { title: 'less than', operands: 'f32[4]; f32[4]', values: '1,2,3,nan; 2,2,2,2', attrs: 'direction=LT', at: '0' } },
  },
  convert: {
    says: 'The same values in another element type.',
    examples: {
      whole: { title: 'f32 to s32', operands: 'f32[4]', values: '1.5,-2.7,3e9,nan', attrs: 'shape=s32[4]', at: '2', says: 'Fractions are cut off; what is too large becomes the largest.' },
      narrow: { title: 's32 to s8', operands: 's32[4]', values: '1,127,128,-129', attrs: 'shape=s8[4]', at: '2' },
    },
  },
  'bitcast-convert': {
    says: 'The same bits, read as another type of element.',
    examples: { words: { title: 'f32 to u32', operands: 'f32[3]', values: '1,-1,0.5', attrs: 'shape=u32[3]', at: '0' } },
  },
  'reduce-precision': {
    says: 'Rounds to fewer bits of exponent and mantissa, in the same type.',
    examples: {
      half: { title: 'as f16', operands: 'f32[4]', values: '0.1,65504,65520,1e-9', attrs: 'exponent_bits=5, mantissa_bits=10', at: '0' },
    },
  },
  map: {
    says: 'Applies a computation of scalars to elements that stand at the same place.',
    choices: { to_apply: [...FOLDS, 'subtract', 'divide', 'power'] },
    examples: { add: { title: 'of two arrays', operands: 'f32[2,3]; f32[2,3]', attrs: 'dimensions={0,1}, to_apply=add', at: '0,1' } },
  },
  topk: {
    says: 'The k largest elements of each row, and where they stood.',
    colour: 'rows',
    examples: { two: { title: 'the two largest', operands: 'f32[2,4]', values: '4,9,1,7,3,2,8,5', attrs: 'k=2, largest=true', at: '0,0' } },
  },
  'batch-norm-training': {
    says: 'Normalises every feature over the batch; gives the result, the means and the variances.',
    examples: {
      small: { title: 'two features', operands: 'f32[4,2]; f32[2]; f32[2]', values: '1,10,2,20,3,30,4,40; 1,1; 0,0', attrs: 'epsilon=0.001, feature_index=1', at: '0,0' },
    },
  },
  'batch-norm-inference': {
    says: 'Normalises every feature by a mean and a variance that are given.',
    examples: {
      small: {
        title: 'two features',
        operands: 'f32[3,2]; f32[2]; f32[2]; f32[2]; f32[2]',
        values: '1,10,2,20,3,30; 1,2; 0,1; 2,20; 1,100',
        attrs: 'epsilon=0.001, feature_index=1',
        at: '0,0',
      },
    },
  },
  cholesky: {
    says: 'The triangular matrix L whose product with its own transpose is the operand.',
    examples: { small: { title: '3×3', operands: 'f32[3,3]', values: '4,2,2, 2,5,3, 2,3,6', attrs: 'lower=true', at: '1,0' } },
  },
  'triangular-solve': {
    says: 'Solves a·x = b, where a is triangular.',
    examples: {
      small: {
        title: '3×3',
        operands: 'f32[3,3]; f32[3,1]',
        values: '2,0,0, 1,3,0, 1,1,4; 2,7,13',
        attrs: 'left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE',
        at: '1,0',
      },
    },
  },
  fft: {
    says: 'The discrete Fourier transform of the last dimensions.',
    examples: { real: { title: 'of real numbers', operands: 'f32[4]', values: '1,0,-1,0', attrs: 'fft_type=RFFT, fft_length={4}', at: '1' } },
  },
};
