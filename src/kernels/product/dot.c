/* The choice of a form for a product of strided matrices, and what each form needs. */
#include "kernels/product/dot.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/simd128.h"

static const struct {
  int bytes;
  hlo_tile_kernel *tile;
} types[] = {
    [HLO_DOT_F32] = {4, hlo_f32_tile_4x8_simd128},
    [HLO_DOT_F64] = {8, hlo_f64_tile_4x4_simd128},
    [HLO_DOT_S32] = {4, hlo_s32_tile_4x8_simd128},
    [HLO_DOT_S64] = {8, hlo_s64_tile_4x4_simd128},
    [HLO_DOT_S16_PAIRS] = {4, hlo_s16_pairs_tile_4x8_simd128},
    [HLO_DOT_S8_QUADS] = {4, hlo_s8_quads_tile_4x8_scalar},
};

int hlo_dot_bytes(hlo_dot_type type) { return types[type].bytes; }
hlo_tile_kernel *hlo_dot_tile(hlo_dot_type type) { return types[type].tile; }

/* ---- The choice of form ---- */

/* Reading short segments of rows wastes cache lines and prefetching. So columns are divided among threads only where each thread gets
 * at least FEW_COLUMNS of them, and each unit of work at least LEAST_COLUMNS. */
enum { FEW_COLUMNS = 2048, LEAST_COLUMNS = 512 };
/* Panels of nibbles are read side by side (nibble_dot.c), which is faster where many follow one another. */
enum { NIBBLE_COLUMNS = 768 };

hlo_dot hlo_dot_transposed(const hlo_dot *dot) {
  return (hlo_dot){.m = dot->n, .n = dot->m, .k = dot->k,
                   .lhs_m_stride = dot->rhs_n_stride, .lhs_k_stride = dot->rhs_k_stride,
                   .rhs_k_stride = dot->lhs_k_stride, .rhs_n_stride = dot->lhs_m_stride,
                   .out_m_stride = dot->out_n_stride, .out_n_stride = dot->out_m_stride};
}

/* Returns whether the transposed product is faster: that of a single column, of an output whose columns are contiguous, or of fewer columns than
 * a panel has, whose lhs can be read in place as panels. */
static bool is_better_transposed(const hlo_dot *dot) {
  if (dot->m == 1 || dot->n == 1) return dot->m != 1;
  if (dot->n < HLO_F32_DOT_PANEL && dot->lhs_m_stride == 1 && dot->lhs_k_stride != 1) return dot->m > dot->n;
  return dot->out_n_stride != 1 && dot->out_m_stride == 1;
}

/* The sides of quads differ, and a packed rhs has its form. */
static bool transposes(const hlo_dot *dot, hlo_dot_type type, bool packed) {
  return !packed && type != HLO_DOT_S8_QUADS && is_better_transposed(dot);
}

typedef enum form {
  FORM_ROWS,    /* a vector times a matrix of contiguous rows */
  FORM_COLUMNS, /* a vector, or a few, times a matrix of contiguous columns */
  FORM_NIBBLES, /* a vector times nibbles in panels */
  FORM_BLOCKED  /* anything else: hlo_product_run */
} form;

/* A vector of f64 has forms of its own, of a rhs that is not packed. */
static form f64_form_of(const hlo_dot *dot, bool packed) {
  if (packed || dot->m > 1) return FORM_BLOCKED;
  if (dot->rhs_k_stride == 1) return FORM_COLUMNS;
  return dot->rhs_n_stride == 1 ? FORM_ROWS : FORM_BLOCKED;
}

/* So many rows of lhs are multiplied one after the other by columns that are in L1 meanwhile: packing these for a tile would take longer. */
enum { FEW_ROWS = 4, L1_FLOATS = 4096 };

/* The strides of rhs are those that it had before it was packed. */
static form form_of(const hlo_dot *dot, hlo_dot_type type, bool packed) {
  if ((dot->n > 1 && dot->out_n_stride != 1) || dot->k >= (int64_t)1 << 29) return FORM_BLOCKED;
  if (type == HLO_DOT_F64) return f64_form_of(dot, packed);
  if (type != HLO_DOT_F32) return FORM_BLOCKED;
  if (dot->m > 1)
    return !packed && dot->m <= FEW_ROWS && dot->rhs_k_stride == 1 && dot->rhs_n_stride != 1 && dot->lhs_k_stride == 1 && 4 * dot->k <= L1_FLOATS ? FORM_COLUMNS : FORM_BLOCKED;
  if (dot->rhs_k_stride == 1) return FORM_COLUMNS;
  return dot->rhs_n_stride == 1 && dot->n > 1 ? FORM_ROWS : FORM_BLOCKED;
}

static hlo_product product_of(const hlo_dot *dot, hlo_dot_type type) {
  return (hlo_product){.m = dot->m, .n = dot->n, .k = dot->k, .bytes = types[type].bytes, .tile = types[type].tile,
                       .lhs_m_stride = dot->lhs_m_stride, .lhs_k_stride = dot->lhs_k_stride,
                       .rhs_k_stride = dot->rhs_k_stride, .rhs_n_stride = dot->rhs_n_stride,
                       .out_m_stride = dot->out_m_stride, .out_n_stride = dot->out_n_stride, .row_factor = dot->row_factor};
}

/* Products for which choosing, packing and tiles would take longer than multiplying. */
enum { MOST_SMALL = 512, MOST_TERMS = 16 }; /* multiplications of a small product, and those of an element of it */

static bool is_small(const hlo_dot *dot, hlo_dot_type type) {
  return type < HLO_DOT_S16_PAIRS && dot->k <= MOST_TERMS && dot->m <= MOST_SMALL && dot->n <= MOST_SMALL && dot->m * dot->n * dot->k <= MOST_SMALL;
}

size_t hlo_dot_packed_bytes(const hlo_dot *dot, hlo_dot_type type) {
  if (dot->m <= 0 || dot->n <= 0 || dot->k <= 0 || is_better_transposed(dot)) return 0;
  hlo_product product = product_of(dot, type);
  return hlo_product_packed_bytes(&product);
}

bool hlo_dot_gains_packed(const hlo_dot *dot, hlo_dot_type type) {
  form form = form_of(dot, type, type == HLO_DOT_F32);
  if (type == HLO_DOT_F64 && form != FORM_BLOCKED) return false;
  /* FORM_COLUMNS reads its matrix as it is, a matrix of one panel or less is as fast unpacked, and for a lhs of few rows (but more than
   * one) packing is not worth the memory. */
  bool is_direct = dot->m <= HLO_PRODUCT_DIRECT_ROWS && dot->rhs_n_stride == 1;
  return form != FORM_COLUMNS && !is_small(dot, type) && (form == FORM_ROWS ? dot->n > HLO_F32_DOT_PANEL : !is_direct);
}

void hlo_dot_pack_rhs(const hlo_dot *dot, hlo_dot_type type, const void *rhs, void *packed) {
  hlo_product product = product_of(dot, type);
  product.rhs = rhs;
  hlo_product_pack_rhs(&product, packed);
}

void hlo_dot_unpack_rhs(const hlo_dot *dot, hlo_dot_type type, const void *packed, void *rhs) {
  hlo_product product = product_of(dot, type);
  hlo_product_unpack_rhs(&product, packed, rhs);
}

/* Returns into how many pieces of its rows a matrix is divided among threads; 0: its columns are divided, which are enough for that. */
static int64_t row_pieces(const hlo_dot *dot, int threads) {
  if (threads == 1 || dot->n >= (int64_t)threads * FEW_COLUMNS) return 0;
  int64_t most = (int64_t)threads * HLO_TEAM_UNITS_A_THREAD, pieces = hlo_ceil_div(dot->k, hlo_f32_dot_rows_piece(dot->k, most));
  return pieces > 1 ? pieces : 0;
}

/* Returns the size of the copy of a vector that is not contiguous. */
static size_t contiguous_bytes(const hlo_dot *dot, hlo_dot_type type) { return dot->lhs_k_stride == 1 ? 0 : (size_t)(dot->k * types[type].bytes); }

size_t hlo_dot_scratch_bytes(const hlo_dot *dot, hlo_dot_type type, bool packed, int threads) {
  hlo_dot seen = transposes(dot, type, packed) ? hlo_dot_transposed(dot) : *dot;
  if (seen.m == 0 || seen.n == 0 || seen.k == 0) return 0;
  switch (form_of(&seen, type, packed)) {
  case FORM_ROWS: return packed || type == HLO_DOT_F64 ? 0 : (size_t)(row_pieces(&seen, threads) * seen.n) * sizeof(float);
  case FORM_COLUMNS: return contiguous_bytes(&seen, type);
  default: break;
  }
  return hlo_dot_general_scratch_bytes(&seen, type, packed, threads);
}

size_t hlo_dot_general_scratch_bytes(const hlo_dot *dot, hlo_dot_type type, bool packed, int threads) {
  hlo_product product = product_of(dot, type);
  product.packed_rhs = packed ? dot : NULL;
  return hlo_product_scratch_bytes(&product, threads);
}

bool hlo_dot_is_general(const hlo_dot *dot, hlo_dot_type type) {
  if (dot->m <= 0 || dot->n <= 0 || dot->k <= 0 || is_small(dot, type)) return false;
  hlo_dot seen = transposes(dot, type, false) ? hlo_dot_transposed(dot) : *dot;
  return form_of(&seen, type, false) == FORM_BLOCKED;
}

/* Returns the vector itself where it is contiguous, else a copy in the scratch. */
static const void *contiguous(const hlo_dot *dot, hlo_dot_type type, const void *vector, void *scratch) {
  if (dot->lhs_k_stride == 1) return vector;
  hlo_pack_scalar(types[type].bytes, vector, 0, dot->lhs_k_stride, 1, 1, dot->k, scratch);
  return scratch;
}

/* ---- A vector times a matrix ---- */

typedef struct vector_product {
  const hlo_dot *dot;
  hlo_dot_type type;
  form form;
  bool packed;
  const float *lhs, *rhs; /* or arrays of f64 */
  const hlo_narrow_matrix *narrow; /* instead of rhs; or NULL */
  const float *prepared;           /* lhs as kernels of integers read it */
  float *out; /* where pieces of rows are multiplied: the sums of each piece, one after another */
  hlo_epilogue_target target;
  int64_t share; /* columns of a unit of work; of pieces, rows */
} vector_product;

/* Runs the epilogue for columns of the output that are complete. */
static void run_epilogue(const hlo_dot *dot, hlo_dot_type type, hlo_epilogue_target target, int64_t column, int64_t columns, int thread) {
  hlo_product product = product_of(dot, type);
  hlo_product_epilogue epilogue = {&product, target};
  if (target.epilogue) hlo_product_run_epilogue(&epilogue, 0, dot->m, column, columns, thread);
}

static void multiply_narrow_columns(const vector_product *v, int64_t first, int64_t count) {
  const hlo_dot *dot = v->dot;
  if (v->form == FORM_NIBBLES) hlo_nibble_dot(v->narrow, v->lhs, v->prepared, first, count, v->out + first);
  else if (v->form == FORM_COLUMNS) hlo_narrow_dot_columns(v->lhs, v->prepared, v->narrow, first, dot->k, count, v->out + first);
  else hlo_narrow_dot_rows(v->lhs, dot->lhs_k_stride, v->narrow, 0, first, dot->k, count, v->out + first);
}

static void multiply_columns(const vector_product *v, int64_t first, int64_t count) {
  const hlo_dot *dot = v->dot;
  const float *rhs = v->rhs + first * (v->packed ? dot->k : dot->rhs_n_stride);
  int64_t row_stride = v->packed ? 0 : dot->rhs_k_stride;
  assert(!v->packed || first % HLO_F32_DOT_PANEL == 0);
  int64_t tail = v->packed ? count % HLO_F32_DOT_PANEL : 0, whole = count - tail;
  if (v->form == FORM_ROWS) {
    if (whole) hlo_f32_dot_rows_simd128(v->lhs, dot->lhs_k_stride, rhs, row_stride, dot->k, whole, v->out + first);
    if (tail) hlo_f32_dot_rows_simd128(v->lhs, dot->lhs_k_stride, rhs + whole * dot->k, tail, dot->k, tail, v->out + first + whole);
    return;
  }
  int64_t step = dot->m == 1 ? count : L1_FLOATS / dot->k & ~3;
  for (int64_t done = 0; done < count; done += step)
    for (int64_t row = 0; row < dot->m; row++)
      hlo_f32_dot_columns_simd128(v->lhs + row * dot->lhs_m_stride, rhs + done * dot->rhs_n_stride, dot->rhs_n_stride, dot->k,
                                  count - done < step ? count - done : step, v->out + row * dot->out_m_stride + first + done);
}

static void multiply_f64_columns(const vector_product *v, int64_t first, int64_t count) {
  const hlo_dot *dot = v->dot;
  const double *lhs = (const double *)v->lhs, *rhs = (const double *)v->rhs + first * dot->rhs_n_stride;
  double *out = (double *)v->out + first;
  if (v->form == FORM_ROWS) hlo_f64_dot_rows_simd128(lhs, dot->lhs_k_stride, rhs, dot->rhs_k_stride, dot->k, count, out);
  else hlo_f64_dot_columns_simd128(lhs, rhs, dot->rhs_n_stride, dot->k, count, out);
}

static void run_columns(void *context, int64_t unit, int thread) {
  const vector_product *v = context;
  const hlo_dot *dot = v->dot;
  int64_t first = unit * v->share, count = dot->n - first < v->share ? dot->n - first : v->share;
  if (v->narrow) multiply_narrow_columns(v, first, count);
  else if (v->type == HLO_DOT_F64) multiply_f64_columns(v, first, count);
  else multiply_columns(v, first, count);
  run_epilogue(dot, v->type, v->target, first, count, thread);
}

static void run_piece(void *context, int64_t unit, int thread) {
  const vector_product *v = context;
  const hlo_dot *dot = v->dot;
  int64_t first = unit * v->share, count = dot->k - first < v->share ? dot->k - first : v->share;
  const float *lhs = v->lhs + first * dot->lhs_k_stride;
  float *out = v->out + unit * dot->n;
  if (v->narrow) hlo_narrow_dot_rows(lhs, dot->lhs_k_stride, v->narrow, first, 0, count, dot->n, out);
  else hlo_f32_dot_rows_simd128(lhs, dot->lhs_k_stride, v->rhs + first * dot->rhs_k_stride, dot->rhs_k_stride, count, dot->n, out);
}

/* Returns the columns of a unit of work: all of a thread's part, or many. */
static int64_t nibble_share(int64_t n, int64_t share, int threads) {
  int64_t part = hlo_ceil_div(hlo_ceil_div(n, threads), HLO_F32_DOT_PANEL) * HLO_F32_DOT_PANEL;
  return part < NIBBLE_COLUMNS ? part : share < NIBBLE_COLUMNS ? NIBBLE_COLUMNS : share;
}

/* A vector times rhs or, where that is NULL, times `narrow`. */
static void run_vector(const hlo_dot *dot, hlo_dot_type type, form form, const void *lhs, const void *rhs, const hlo_narrow_matrix *narrow, bool packed,
                       void *out, void *scratch, hlo_epilogue_target target, hlo_team *team) {
  double nanoseconds = (double)(dot->m * dot->n) * (double)dot->k / (narrow ? 5 : 8);
  int64_t pieces = form == FORM_ROWS && !packed && type == HLO_DOT_F32 ? row_pieces(dot, hlo_team_threads(team)) : 0;
  if (pieces > 1 && hlo_team_threads(team) > 1 && hlo_team_units(team, nanoseconds) > 1) {
    int64_t rows = hlo_f32_dot_rows_piece(dot->k, pieces);
    vector_product v = {dot, type, form, packed, lhs, rhs, narrow, NULL, scratch, target, rows};
    hlo_team_run(team, pieces, nanoseconds, run_piece, &v);
    hlo_f32_dot_rows_join(scratch, rows, dot->k, dot->n, out);
    run_epilogue(dot, type, target, 0, dot->n, 0);
    return;
  }
  vector_product v = {dot, type, form, packed, lhs, rhs, narrow, NULL, out, target,
                      hlo_team_share(team, dot->n, form == FORM_ROWS && !packed ? LEAST_COLUMNS : 64, nanoseconds)};
  if (form == FORM_NIBBLES && v.share < dot->n) v.share = nibble_share(dot->n, v.share, hlo_team_threads(team));
  if (form != FORM_ROWS) v.lhs = contiguous(dot, type, lhs, scratch);
  if (narrow && form != FORM_ROWS) {
    float *prepared = (float *)((char *)scratch + contiguous_bytes(dot, HLO_DOT_F32));
    if (form == FORM_NIBBLES) hlo_nibble_prepare(narrow->form, v.lhs, prepared);
    else hlo_narrow_prepare(narrow->form, v.lhs, prepared);
    v.prepared = prepared;
  }
  hlo_team_run(team, hlo_ceil_div(dot->n, v.share), nanoseconds, run_columns, &v);
}

void hlo_dot_general(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                     hlo_epilogue_target target, hlo_team *team) {
  hlo_product product = product_of(dot, type);
  hlo_product_epilogue epilogue = {&product, target};
  if (target.epilogue) product.epilogue = hlo_product_run_epilogue, product.epilogue_context = &epilogue;
  product.lhs = lhs;
  product.rhs = rhs;
  product.out = out;
  if (packed) product.packed_rhs = rhs;
  hlo_product_run(&product, scratch, team);
}

static void run(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                hlo_epilogue_target target, hlo_team *team) {
  form form = form_of(dot, type, packed);
  if (packed && form == FORM_COLUMNS) form = FORM_ROWS;
  if (form != FORM_BLOCKED) run_vector(dot, type, form, lhs, rhs, NULL, packed, out, scratch, target, team);
  else hlo_dot_general(dot, type, lhs, rhs, packed, out, scratch, target, team);
}

/* Writes +0, the empty sum, all of whose bytes are zero in every type. */
static void clear(const hlo_dot *dot, int bytes, char *out) {
  for (int64_t i = 0; i < dot->m; i++)
    for (int64_t j = 0; j < dot->n; j++) memset(out + (i * dot->out_m_stride + j * dot->out_n_stride) * bytes, 0, (size_t)bytes);
}

/* ---- Small products ---- */

#define MULTIPLY_SMALL(name, type)                                                                         \
  static void name(const hlo_dot *dot, const type *lhs, const type *rhs, type *out) {                      \
    for (int64_t i = 0; i < dot->m; i++, lhs += dot->lhs_m_stride, out += dot->out_m_stride)                \
      for (int64_t j = 0; j < dot->n; j++) {                                                               \
        const type *x = lhs, *y = rhs + j * dot->rhs_n_stride;                                             \
        type sum = 0;                                                                                      \
        for (int64_t k = 0; k < dot->k; k++, x += dot->lhs_k_stride, y += dot->rhs_k_stride) sum += *x * *y; \
        out[j * dot->out_n_stride] = sum;                                                                  \
      }                                                                                                    \
  }
MULTIPLY_SMALL(multiply_small_f32, float)
MULTIPLY_SMALL(multiply_small_f64, double)
MULTIPLY_SMALL(multiply_small_s32, uint32_t)
MULTIPLY_SMALL(multiply_small_s64, uint64_t)

/* A small product of f32: four neighbouring columns at a time, where the result has rows of whole fours. */
static void multiply_small(const hlo_dot *dot, const float *lhs, const float *rhs, float *out) {
  if (dot->n % 4 || dot->rhs_n_stride != 1 || dot->out_n_stride != 1) {
    multiply_small_f32(dot, lhs, rhs, out);
    return;
  }
  for (int64_t i = 0; i < dot->m; i++, lhs += dot->lhs_m_stride, out += dot->out_m_stride)
    for (int64_t j = 0; j < dot->n; j += 4) {
      const float *x = lhs, *y = rhs + j;
      v128_t sums = wasm_f32x4_splat(0);
      for (int64_t k = 0; k < dot->k; k++, x += dot->lhs_k_stride, y += dot->rhs_k_stride)
        sums = wasm_f32x4_add(sums, wasm_f32x4_mul(wasm_f32x4_splat(*x), wasm_v128_load(y)));
      wasm_v128_store(out + j, sums);
    }
}

static void run_small(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, void *out, hlo_epilogue_target target) {
  if (type == HLO_DOT_F32) multiply_small(dot, lhs, rhs, out);
  else if (type == HLO_DOT_F64) multiply_small_f64(dot, lhs, rhs, out);
  else if (type == HLO_DOT_S64) multiply_small_s64(dot, lhs, rhs, out);
  else multiply_small_s32(dot, lhs, rhs, out);
  hlo_dot seen = is_better_transposed(dot) ? hlo_dot_transposed(dot) : *dot;
  run_epilogue(&seen, type, target, 0, seen.n, 0);
}

void hlo_dot_simd128(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                     hlo_epilogue_target target, hlo_team *team) {
  assert(dot->m >= 0 && dot->n >= 0 && dot->k >= 0);
  if (dot->m == 0 || dot->n == 0) return;
  if (dot->k == 0) {
    clear(dot, types[type].bytes, out);
    run_epilogue(dot, type, target, 0, dot->n, 0);
    return;
  }
  if (!packed && is_small(dot, type)) {
    run_small(dot, type, lhs, rhs, out, target);
    return;
  }
  if (!transposes(dot, type, packed)) {
    run(dot, type, lhs, rhs, packed, out, scratch, target, team);
    return;
  }
  hlo_dot seen = hlo_dot_transposed(dot);
  run(&seen, type, rhs, lhs, false, out, scratch, target, team);
}

/* ---- Narrow matrices ---- */

/* Few rows are multiplied one after another: to widen panels of the matrix takes longer than to read it again, but where widening is what takes time. */
static hlo_dot one_row_of(const hlo_dot *dot, const hlo_narrow_form *form) {
  hlo_dot row = *dot;
  if (dot->m <= FEW_ROWS && form->format != HLO_NARROW_F16 && form->format != HLO_NARROW_TABLE) row.m = 1;
  return row;
}

static form narrow_form_of(const hlo_dot *dot, const hlo_narrow_form *form) {
  if (dot->m != 1 || dot->n == 1 || dot->out_n_stride != 1) return FORM_BLOCKED;
  if (form->format == HLO_NARROW_NIBBLES) return FORM_NIBBLES;
  if (hlo_narrow_along_k(form)) return FORM_COLUMNS;
  return dot->k < (int64_t)1 << 29 ? FORM_ROWS : FORM_BLOCKED;
}

size_t hlo_dot_narrow_scratch_bytes(const hlo_dot *dot, const hlo_narrow_form *form, int threads) {
  if (dot->m == 0 || dot->n == 0 || dot->k == 0) return 0;
  hlo_dot row = one_row_of(dot, form);
  switch (narrow_form_of(&row, form)) {
  case FORM_ROWS: return (size_t)(row_pieces(&row, threads) * row.n) * sizeof(float);
  case FORM_COLUMNS: return contiguous_bytes(&row, HLO_DOT_F32) + hlo_narrow_prepared_bytes(form);
  case FORM_NIBBLES: return contiguous_bytes(&row, HLO_DOT_F32) + hlo_nibble_scratch_bytes(row.k);
  default: break;
  }
  hlo_product product = product_of(dot, HLO_DOT_F32);
  product.gather_panels = hlo_narrow_panels;
  return hlo_product_scratch_bytes(&product, threads);
}

void hlo_dot_narrow(const hlo_dot *dot, const float *lhs, const hlo_narrow_matrix *rhs, float *out, void *scratch,
                    hlo_epilogue_target target, hlo_team *team) {
  if (dot->m == 0 || dot->n == 0) return;
  if (dot->k == 0) {
    clear(dot, sizeof(float), (char *)out);
    run_epilogue(dot, HLO_DOT_F32, target, 0, dot->n, 0);
    return;
  }
  hlo_dot row = one_row_of(dot, rhs->form);
  form form = narrow_form_of(&row, rhs->form);
  if (form != FORM_BLOCKED) {
    for (int64_t i = 0; i < dot->m; i++, lhs += dot->lhs_m_stride, out += dot->out_m_stride, target.offset += dot->out_m_stride)
      run_vector(&row, HLO_DOT_F32, form, lhs, NULL, rhs, false, out, scratch, target, team);
    return;
  }
  hlo_product product = product_of(dot, HLO_DOT_F32);
  hlo_product_epilogue epilogue = {&product, target};
  if (target.epilogue) product.epilogue = hlo_product_run_epilogue, product.epilogue_context = &epilogue;
  product.lhs = lhs;
  product.out = out;
  product.context = rhs;
  product.gather_panels = hlo_narrow_panels;
  hlo_product_run(&product, scratch, team);
}
