/* The block interpreter of loop programs: chunk of rows by chunk of rows, phase by phase, block by block, one call of a kernel
 * for each value.
 *
 *   wide rows:   a chunk is one row, a block a part of it; values of one a row are scalars to the kernels
 *   short rows:  a chunk is as many as fill a block; values of one a row are vectors over the rows, and repeated along each row
 *                where vectors need them */
#include <assert.h>

#include "kernels/loop_program.h"
#include "kernels/strided_copy.h"

typedef struct run {
  const hlo_loop *loop;
  const void *const *operands;
  void *const *results;
  const hlo_loop_part *part;
  char *scratch;
  bool many;             /* rows at once */
  int64_t row, rows;     /* the chunk */
  int64_t column, count; /* the block: `count` columns, of each row of the chunk */
  int64_t index[HLO_LOOP_MAX_DIMS]; /* of the chunk's first row */
} run;

/* ---- Rows ---- */

static void advance(const hlo_loop *loop, int64_t *index, int64_t rows) {
  for (int d = loop->dim_count - 1; d >= 0 && rows; d--) {
    index[d] += rows;
    rows = 0;
    if (index[d] < loop->dims[d]) return;
    rows = index[d] / loop->dims[d];
    index[d] -= rows * loop->dims[d];
  }
}

/* Where an input has its row number `index`. */
static const char *input_row(const run *r, const hlo_loop_value *value, const int64_t *index) {
  int64_t offset = value->offset;
  for (int d = 0; d < r->loop->dim_count; d++) offset += index[d] * value->row_strides[d];
  return (const char *)r->operands[value->operand] + offset * value->bytes;
}

/* Copies `rows` rows of `count` elements, side by side. Strides in bytes. */
static void copy_rows(const char *from, int64_t row_stride, int64_t stride, int bytes, int64_t rows, int64_t count, char *to) {
  hlo_strided_map map;
  bool single = rows == 1;
  map.rank = single ? 1 : 2;
  map.element_bytes = bytes;
  map.dims[0] = single ? count : rows, map.dims[1] = count;
  map.in_strides[0] = single ? stride : row_stride, map.in_strides[1] = stride;
  map.out_strides[0] = single ? bytes : count * bytes, map.out_strides[1] = bytes;
  hlo_strided_copy_simd128(&map, from, to);
}

/* What the chunk and the block have of an input, row after row. */
static void gather(const run *r, const hlo_loop_value *value, int64_t column, int64_t count, char *to) {
  int last = r->loop->dim_count - 1, bytes = value->bytes;
  int64_t index[HLO_LOOP_MAX_DIMS], rows;
  for (int d = 0; d <= last; d++) index[d] = r->index[d];
  for (int64_t done = 0; done < r->rows; done += rows, to += rows * count * bytes) {
    rows = r->rows - done;
    if (last >= 0 && r->loop->dims[last] - index[last] < rows) rows = r->loop->dims[last] - index[last];
    const char *from = input_row(r, value, index) + column * value->stride * bytes;
    copy_rows(from, last < 0 ? 0 : value->row_strides[last] * bytes, value->stride * bytes, bytes, rows, count, to);
    advance(r->loop, index, rows);
  }
}

/* ---- Where values are ---- */

static bool is_in_place(const run *r, const hlo_loop_value *value) {
  return value->kind == HLO_LOOP_INPUT && (value->slot < 0 || (!r->many && (value->per_row || value->stride == 1)));
}

/* The chunk's elements of a value of one a row. */
static const void *rows_of(const run *r, const hlo_loop_value *value) {
  return is_in_place(r, value) ? input_row(r, value, r->index) : r->scratch + value->slot;
}

static char *output_at(const run *r, const hlo_loop_output *output, int64_t column, int bytes) {
  return (char *)r->results[output - r->loop->outputs] + (r->row * output->row_stride + column) * bytes;
}

/* The block's elements of a vector. */
static const char *vector_of(const run *r, const hlo_loop_value *value) {
  if (value->output >= 0) return output_at(r, &r->loop->outputs[value->output], r->column, value->bytes);
  if (is_in_place(r, value)) return input_row(r, value, r->index) + r->column * value->bytes;
  return r->scratch + value->slot + (value->kept ? (r->column - r->part->column) * value->bytes : 0);
}

/* ---- Computing values ---- */

static void run_uniform(const run *r, const hlo_loop_value *value) {
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  for (int n = 0; n < value->arity; n++) operands[n] = rows_of(r, &r->loop->values[value->from[n]]);
  value->apply(operands, 0, r->scratch + value->slot, 1);
}

static void run_rows(const run *r, const hlo_loop_value *value) {
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  const hlo_loop_value *from;
  unsigned scalars = 0;
  switch (value->kind) {
  case HLO_LOOP_INPUT:
    if (!is_in_place(r, value)) gather(r, value, 0, 1, r->scratch + value->slot);
    break;
  case HLO_LOOP_APPLY:
    for (int n = 0; n < value->arity; n++) {
      from = &r->loop->values[value->from[n]];
      operands[n] = rows_of(r, from);
      if (from->uniform && r->many) scalars |= 1u << n;
    }
    value->apply(operands, scalars, r->scratch + value->slot, r->rows);
    break;
  case HLO_LOOP_REDUCE:
    value->reduce(vector_of(r, &r->loop->values[value->from[0]]), r->scratch + value->slot, r->rows, r->loop->width, 1);
    break;
  }
  if (r->many && value->repeated >= 0)
    copy_rows(rows_of(r, value), value->bytes, 0, value->bytes, r->rows, r->loop->width, r->scratch + value->repeated);
}

static void run_vector(const run *r, const hlo_loop_value *value) {
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  unsigned scalars = 0;
  char *to = (char *)vector_of(r, value);
  if (value->kind == HLO_LOOP_INPUT) {
    bool is_there = is_in_place(r, value) || (r->many && value->uniform && r->row > r->part->row);
    if (!is_there) gather(r, value, r->column, r->count, to);
    return;
  }
  for (int n = 0; n < value->arity; n++) {
    const hlo_loop_value *from = &r->loop->values[value->from[n]];
    if (!from->per_row) {
      operands[n] = vector_of(r, from);
    } else if (r->many && !from->uniform) {
      operands[n] = r->scratch + from->repeated;
    } else {
      operands[n] = rows_of(r, from);
      scalars |= 1u << n;
    }
  }
  value->apply(operands, scalars, to, r->rows * r->count);
}

/* ---- Outputs that are not computed in place ---- */

static void write_vectors(const run *r) {
  for (int i = 0; i < r->loop->output_count; i++) {
    const hlo_loop_output *output = &r->loop->outputs[i];
    const hlo_loop_value *value = &r->loop->values[output->value];
    if (value->per_row || value->output == i) continue;
    char *to = output_at(r, output, r->column, value->bytes);
    const char *from = vector_of(r, value);
    if (from != to) copy_rows(from, 0, value->bytes, value->bytes, 1, r->rows * r->count, to);
  }
}

static void write_rows(const run *r) {
  for (int i = 0; i < r->loop->output_count; i++) {
    const hlo_loop_output *output = &r->loop->outputs[i];
    const hlo_loop_value *value = &r->loop->values[output->value];
    if (value->per_row)
      copy_rows(rows_of(r, value), 0, value->uniform ? 0 : value->bytes, value->bytes, 1, r->rows, (char *)r->results[i] + r->row * value->bytes);
  }
}

/* ---- The loops ---- */

static void run_chunk(run *r) {
  const hlo_loop *loop = r->loop;
  int64_t end = r->part->column + r->part->columns;
  int next = 0;
  for (int phase = 0; phase < loop->phase_count; phase++) {
    for (; next < loop->value_count && loop->values[loop->order[next]].phase == phase && loop->values[loop->order[next]].per_row; next++)
      if (!loop->values[loop->order[next]].uniform) run_rows(r, &loop->values[loop->order[next]]);
    int first = next;
    while (next < loop->value_count && loop->values[loop->order[next]].phase == phase) next++;
    int64_t block = r->many ? r->part->columns : loop->block;
    for (r->column = r->part->column; r->column < end; r->column += r->count) {
      r->count = end - r->column < block ? end - r->column : block;
      for (int i = first; i < next; i++) run_vector(r, &loop->values[loop->order[i]]);
      if (phase == loop->phase_count - 1) write_vectors(r);
    }
    r->column = r->part->column;
  }
  write_rows(r);
}

void hlo_loop_run(const hlo_loop *loop, const void *const *operands, void *const *results, const hlo_loop_part *part, void *scratch) {
  run r = {.loop = loop, .operands = operands, .results = results, .part = part, .scratch = scratch, .column = part->column};
  if (part->rows <= 0 || part->columns <= 0) return;
  r.many = loop->rows_at_once > 1 && part->columns == loop->width;
  int64_t step = r.many ? loop->rows_at_once : 1;
  for (int v = 0; v < loop->value_count; v++)
    if (loop->values[v].uniform && loop->values[v].kind == HLO_LOOP_APPLY) run_uniform(&r, &loop->values[v]);
  advance(loop, r.index, part->row);
  for (r.row = part->row; r.row < part->row + part->rows; r.row += r.rows) {
    r.rows = part->row + part->rows - r.row < step ? part->row + part->rows - r.row : step;
    run_chunk(&r);
    advance(loop, r.index, r.rows);
  }
}
