/* The interpreter of fused loops. For each chunk of rows, each phase and each block, it calls one kernel for each value.
 *
 *   wide rows:   a chunk is one row, and a block a part of it; kernels take per-row values as scalars
 *   short rows:  a chunk is as many rows as fill a block; a per-row value is an array of one element for each row, and is repeated along
 *                the rows for vectors that read it */
#include <assert.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/move/strided_copy.h"
#include "kernels/simd128.h"
#include "loops/fused_loop.h"

typedef struct run {
  const hlo_fused_loop *loop;
  const void *const *operands;
  void *const *results;
  const hlo_fused_region *part;
  char *scratch;
  bool many;             /* the chunk may have several rows */
  int64_t row, rows;     /* of the chunk */
  int64_t column, count; /* of the block, in each row of the chunk */
  int64_t index[HLO_FUSED_MAX_DIMS]; /* of the chunk's first row, by dimension */
  /* Where the chunk has value v: for vectors that read it at[v] + (column - part->column) * step[v]; a per-row value at rows_at[v]. */
  char *at[HLO_FUSED_MAX_VALUES], *rows_at[HLO_FUSED_MAX_VALUES];
  int step[HLO_FUSED_MAX_VALUES];
  uint8_t scalars[HLO_FUSED_MAX_VALUES]; /* the scalar operands of an operation, as its kernel takes them */
  int moving_count; /* how many values lie elsewhere in the next chunk */
  uint8_t moving[HLO_FUSED_MAX_VALUES];
} run;

/* ---- Rows ---- */

static void advance(const hlo_fused_loop *loop, int64_t *index, int64_t rows) {
  for (int d = loop->dim_count - 1; d >= 0 && rows; d--) {
    index[d] += rows;
    rows = 0;
    if (index[d] < loop->dims[d]) return;
    rows = index[d] / loop->dims[d];
    index[d] -= rows * loop->dims[d];
  }
}

/* Returns the address at which row `index` of an input begins. */
static const char *input_row(const run *r, const hlo_fused_value *value, const int64_t *index) {
  int64_t offset = value->offset;
  for (int d = 0; d < r->loop->dim_count; d++) offset += index[d] * value->row_strides[d];
  return (const char *)r->operands[value->operand] + offset * value->bytes;
}

/* Copies `rows` rows of `count` elements to one dense array. Strides are in bytes. */
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

/* Copies the columns of a block from the chunk's first `row_count` rows of an input to one dense array. */
static void gather(const run *r, const hlo_fused_value *value, int64_t column, int64_t count, int64_t row_count, char *to) {
  int last = r->loop->dim_count - 1, bytes = value->bytes;
  int64_t index[HLO_FUSED_MAX_DIMS], rows;
  for (int d = 0; d <= last; d++) index[d] = r->index[d];
  for (int64_t done = 0; done < row_count; done += rows, to += rows * count * bytes) {
    rows = row_count - done;
    if (last >= 0 && r->loop->dims[last] - index[last] < rows) rows = r->loop->dims[last] - index[last];
    const char *from = input_row(r, value, index) + column * value->stride * bytes;
    copy_rows(from, last < 0 ? 0 : value->row_strides[last] * bytes, value->stride * bytes, bytes, rows, count, to);
    advance(r->loop, index, rows);
  }
}

/* Writes each of `rows` elements `count` times. */
static void repeat_rows(const char *from, int bytes, int64_t rows, int64_t count, char *to) {
  if (bytes != 4 || count < 4) {
    copy_rows(from, bytes, 0, bytes, rows, count, to);
    return;
  }
  for (; rows > 0; rows--, from += 4, to += count * 4) {
    v128_t element = wasm_v128_load32_splat(from);
    for (int64_t i = 0; i + 4 < count; i += 4) wasm_v128_store(to + i * 4, element);
    wasm_v128_store(to + count * 4 - 16, element); /* overlaps the vector before it unless count is a multiple of 4 */
  }
}

/* Copies the first row, which is there, to the rows behind it. */
static void repeat_row(char *to, int64_t bytes, int64_t rows) {
  for (int64_t done = 1, count; done < rows; done += count) {
    count = rows - done < done ? rows - done : done;
    copy_rows(to, 0, 1, 1, 1, count * bytes, to + done * bytes);
  }
}

/* ---- Where values are ---- */

static bool is_in_place(const run *r, const hlo_fused_value *value) {
  return value->kind == HLO_FUSED_INPUT && (value->slot < 0 || (!r->many && (value->per_row || value->stride == 1)));
}

static char *output_at(const run *r, int output, int bytes) {
  return (char *)r->results[output] + (r->row * r->loop->outputs[output].row_stride + r->part->column) * bytes;
}

/* Finds the addresses of values that lie in an operand or a result. */
static void find_moving(run *r) {
  for (int i = 0; i < r->moving_count; i++) {
    int v = r->moving[i];
    const hlo_fused_value *value = &r->loop->values[v];
    if (value->output >= 0) {
      r->at[v] = output_at(r, value->output, value->bytes);
      continue;
    }
    r->rows_at[v] = (char *)input_row(r, value, r->index);
    if (!value->per_row) r->at[v] = r->rows_at[v] + r->part->column * value->bytes;
    else if (!r->many || value->uniform) r->at[v] = r->rows_at[v];
  }
}

static void find_places(run *r) {
  const hlo_fused_loop *loop = r->loop;
  r->moving_count = 0;
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_fused_value *value = &loop->values[v];
    bool moves = is_in_place(r, value) || value->output >= 0;
    if (moves) r->moving[r->moving_count++] = (uint8_t)v;
    r->step[v] = !value->per_row && (moves || value->kept) ? value->bytes : 0;
    r->at[v] = r->rows_at[v] = value->slot < 0 ? NULL : r->scratch + value->slot;
    if (value->repeated >= 0 && r->many) r->at[v] = r->scratch + value->repeated;
    r->scalars[v] = 0;
    for (int n = 0; value->kind == HLO_FUSED_APPLY && n < value->arity; n++) {
      const hlo_fused_value *from = &loop->values[value->from[n]];
      bool is_scalar = value->per_row ? from->uniform && !value->uniform && r->many : from->per_row && (from->uniform || !r->many);
      r->scalars[v] |= (uint8_t)(is_scalar << n);
    }
  }
}

/* ---- Computing values ---- */

static void run_rows(const run *r, int v, int64_t rows) {
  const hlo_fused_value *value = &r->loop->values[v];
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  switch (value->kind) {
  case HLO_FUSED_INPUT:
    if (!is_in_place(r, value)) gather(r, value, 0, 1, rows, r->rows_at[v]);
    break;
  case HLO_FUSED_APPLY:
    for (int n = 0; n < value->arity; n++) operands[n] = r->rows_at[value->from[n]];
    hlo_scalar_kernel(value->op)(operands, r->scalars[v], r->rows_at[v], rows);
    break;
  case HLO_FUSED_REDUCE:
    hlo_reduction_kernel(value->reduce)(r->at[value->from[0]], r->rows_at[v], rows, r->loop->width, 1);
    break;
  }
  if (r->many && value->repeated >= 0) repeat_rows(r->rows_at[v], value->bytes, rows, r->loop->width, r->at[v]);
}

static void run_vector(const run *r, int v) {
  const hlo_fused_value *value = &r->loop->values[v];
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  int64_t column = r->column - r->part->column;
  if (value->kind == HLO_FUSED_INPUT) {
    bool repeats = r->many && value->uniform;
    if (is_in_place(r, value) || (repeats && r->row > r->part->row)) return;
    gather(r, value, r->column, r->count, repeats ? 1 : r->rows, r->at[v] + column * r->step[v]);
    if (repeats) repeat_row(r->at[v], r->count * value->bytes, r->rows);
    return;
  }
  for (int n = 0; n < value->arity; n++) operands[n] = r->at[value->from[n]] + column * r->step[value->from[n]];
  hlo_scalar_kernel(value->op)(operands, r->scalars[v], r->at[v] + column * r->step[v], r->rows * r->count);
}

/* ---- Outputs that are not computed in place ---- */

static void write_vectors(const run *r) {
  for (int i = 0; i < r->loop->output_count; i++) {
    int v = r->loop->outputs[i].value;
    const hlo_fused_value *value = &r->loop->values[v];
    if (value->per_row || value->output == i) continue;
    int64_t column = r->column - r->part->column;
    char *to = output_at(r, i, value->bytes) + column * value->bytes;
    const char *from = r->at[v] + column * r->step[v];
    if (from != to) copy_rows(from, 0, value->bytes, value->bytes, 1, r->rows * r->count, to);
  }
}

static void write_rows(const run *r) {
  for (int i = 0; i < r->loop->output_count; i++) {
    int v = r->loop->outputs[i].value;
    const hlo_fused_value *value = &r->loop->values[v];
    if (!value->per_row) continue;
    char *to = (char *)r->results[i] + r->row * r->loop->outputs[i].row_stride * value->bytes;
    copy_rows(r->rows_at[v], 0, value->uniform ? 0 : value->bytes, value->bytes, 1, r->loop->outputs[i].row_stride ? r->rows : 1, to);
  }
}

/* ---- The loops ---- */

static void run_chunk(run *r) {
  const hlo_fused_loop *loop = r->loop;
  int64_t end = r->part->column + r->part->columns, block = r->many ? r->part->columns : loop->block;
  int next = 0;
  for (int phase = 0; phase < loop->phase_count; phase++) {
    for (; next < loop->value_count && loop->values[loop->order[next]].phase == phase && loop->values[loop->order[next]].per_row; next++)
      if (!loop->values[loop->order[next]].uniform) run_rows(r, loop->order[next], r->rows);
    int first = next;
    while (next < loop->value_count && loop->values[loop->order[next]].phase == phase) next++;
    for (r->column = r->part->column; r->column < end; r->column += r->count) {
      r->count = end - r->column < block ? end - r->column : block;
      for (int i = first; i < next; i++) run_vector(r, loop->order[i]);
      if (phase == loop->phase_count - 1) write_vectors(r);
    }
  }
  write_rows(r);
}

void hlo_fused_loop_run(const hlo_fused_loop *loop, const void *const *operands, void *const *results, const hlo_fused_region *part,
                        void *scratch) {
  run r;
  if (part->rows <= 0 || part->columns <= 0) return;
  r.loop = loop, r.operands = operands, r.results = results, r.part = part, r.scratch = scratch;
  r.many = loop->rows_at_once > 1 && part->columns == loop->width;
  r.row = part->row;
  for (int d = 0; d < loop->dim_count; d++) r.index[d] = 0;
  advance(loop, r.index, part->row);
  find_places(&r);
  find_moving(&r);
  for (int v = 0; v < loop->value_count; v++)
    if (loop->values[v].uniform && loop->values[v].kind == HLO_FUSED_APPLY) run_rows(&r, v, 1);
  for (int64_t step = r.many ? loop->rows_at_once : 1, end = part->row + part->rows; r.row < end; r.row += r.rows) {
    r.rows = end - r.row < step ? end - r.row : step;
    if (r.row > part->row) find_moving(&r);
    run_chunk(&r);
    advance(loop, r.index, r.rows);
  }
}
