// What <hlo-index-map> shows of each op unless a reader asks for something else.

/**
 * @typedef {object} Example
 * @property {string} title of its button
 * @property {string} operands
 * @property {string} [values]
 * @property {string} attrs
 * @property {string} at the element that is shown first
 * @property {string} [says]
 */

const count = (/** @type {number} */ to, from = 0) => Array.from({ length: to }, (_, i) => i + from).join();

/** @type {Record<string, Record<string, Example>>} */
export const EXAMPLES = {
  gather: {
    rows: {
      title: 'rows by number',
      operands: 'f32[4,3]; s32[3]',
      values: `${count(12)}; 2,0,2`,
      attrs: 'offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}',
      at: '0,1',
      says: 'Each index is the number of a row: the slice is one row, and its dimension of size 1 is left out of the result.',
    },
    elements: {
      title: 'single elements',
      operands: 'f32[3,4]; s32[3,2]',
      values: `${count(12, 1)}; 0,3, 2,0, 1,1`,
      attrs: 'offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}',
      at: '1',
      says: 'Each row of start_indices is a place. Both slice dimensions are left out, so that one number is left of each slice.',
    },
    boxes: {
      title: 'boxes',
      operands: 'f32[4,4]; s32[2,2]',
      values: `${count(16)}; 0,0, 3,1`,
      attrs: 'offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,2}',
      at: '1,0,1',
      says: 'The second start, (3,1), would reach outside. It is moved back until the slice fits.',
    },
    swapped: {
      title: 'the map swaps',
      operands: 'f32[3,4]; s32[2,2]',
      values: `${count(12)}; 3,0, 1,2`,
      attrs: 'offset_dims={1}, collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,2}',
      at: '1,1',
      says: 'An index vector is a column here, and its first number is a start in dimension 1.',
    },
    batched: {
      title: 'batching',
      operands: 'f32[2,4]; s32[2,3,1]',
      values: `${count(8)}; 3,0,1, 2,2,0`,
      attrs:
        'offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}',
      at: '1,0',
      says: 'Row 1 of the indices looks into row 1 of the operand only.',
    },
  },
  scatter: {
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
      values: `${'0,'.repeat(11)}0; 2,0; 1,2,3,4,5,6`,
      attrs: 'update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add',
      at: '2,1',
      says: 'Each update is a row, and its index is the number of the row that it is added to.',
    },
    boxes: {
      title: 'boxes that overlap',
      operands: 'f32[4,4]; s32[2,2]; f32[2,2,2]',
      values: `${'0,'.repeat(15)}0; 0,0, 1,1; 1,2,3,4, 10,20,30,40`,
      attrs: 'update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add',
      at: '1,1',
      says: 'The updates are boxes. They meet in one element.',
    },
  },
  dot: {
    matrices: {
      title: 'matrix × matrix',
      operands: 'f32[2,3]; f32[3,2]',
      attrs: 'lhs_batch_dims={}, lhs_contracting_dims={1}, rhs_batch_dims={}, rhs_contracting_dims={0}',
      at: '1,0',
      says: 'Columns of lhs meet rows of rhs.',
    },
    transposed: {
      title: 'rows × rows',
      operands: 'f32[2,3]; f32[4,3]',
      attrs: 'lhs_batch_dims={}, lhs_contracting_dims={1}, rhs_batch_dims={}, rhs_contracting_dims={1}',
      at: '1,2',
      says: 'No transpose is needed to multiply by a transposed matrix: say which dimensions meet.',
    },
    batch: {
      title: 'a batch',
      operands: 'f32[2,2,3]; f32[2,3,2]',
      attrs: 'lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}',
      at: '1,0,1',
      says: 'The batch dimension is the same number on all three sides: matrices meet one by one.',
    },
    attention: {
      title: 'scores of attention',
      operands: 'f32[3,2,4]; f32[3,2,4]',
      attrs: 'lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}',
      at: '1,0,2',
      says: 'Queries and keys lie as [position, head, feature]. The result begins with its batch dimension, the head, wherever the operands have it.',
    },
    double: {
      title: 'two at once',
      operands: 'f32[2,3,2]; f32[2,3]',
      attrs: 'lhs_batch_dims={}, lhs_contracting_dims={0,1}, rhs_batch_dims={}, rhs_contracting_dims={0,1}',
      at: '1',
      says: 'Two pairs of dimensions contract: each element is a sum over both.',
    },
  },
};
