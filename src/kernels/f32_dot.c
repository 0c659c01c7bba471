/* A product of strided matrices: which form runs, and how it reads its operands. */
#include "kernels/f32_dot.h"

#include <assert.h>

#include "kernels/simd128.h"

/* Products are summed in pairs of halves, the shape of the error bound. */
static float pairwise(const hlo_f32_dot *dot, const float *lhs, const float *rhs, int64_t k) {
  if (k > 8) {
    int64_t half = k / 2;
    return pairwise(dot, lhs, rhs, half) +
           pairwise(dot, lhs + half * dot->lhs_k_stride, rhs + half * dot->rhs_k_stride, k - half);
  }
  float sum = 0;
  for (int64_t p = 0; p < k; p++) sum += lhs[p * dot->lhs_k_stride] * rhs[p * dot->rhs_k_stride];
  return sum;
}

void hlo_f32_dot_scalar(const hlo_f32_dot *dot, const float *lhs, const float *rhs, float *out, void *scratch) {
  for (int64_t i = 0; i < dot->m; i++)
    for (int64_t j = 0; j < dot->n; j++)
      out[i * dot->out_m_stride + j * dot->out_n_stride] =
          pairwise(dot, lhs + i * dot->lhs_m_stride, rhs + j * dot->rhs_n_stride, dot->k);
}

/* ---- Packing and storing for hlo_f32_product ---- */

typedef struct operands {
  const hlo_f32_dot *dot;
  const float *lhs, *rhs;
  float *out;
} operands;

static void pack_lhs(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, float *panel) {
  const operands *o = context;
  hlo_f32_dot_pack_simd128(o->lhs + row * o->dot->lhs_m_stride + k_begin * o->dot->lhs_k_stride, o->dot->lhs_m_stride,
                           o->dot->lhs_k_stride, rows, HLO_DOT_ROWS, k_count, panel);
}

static void pack_rhs(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, float *panel) {
  const operands *o = context;
  hlo_f32_dot_pack_simd128(o->rhs + column * o->dot->rhs_n_stride + k_begin * o->dot->rhs_k_stride,
                           o->dot->rhs_n_stride, o->dot->rhs_k_stride, columns, HLO_DOT_COLUMNS, k_count, panel);
}

static void store(const void *context, int64_t row, int rows, int64_t column, int columns, const float *tile, bool add) {
  const operands *o = context;
  int64_t m_stride = o->dot->out_m_stride, n_stride = o->dot->out_n_stride;
  float *out = o->out + row * m_stride + column * n_stride;
  bool whole = columns == HLO_DOT_COLUMNS && n_stride == 1;
  for (int r = 0; r < rows; r++, out += m_stride, tile += HLO_DOT_COLUMNS) {
    if (whole) {
      v128_t low = wasm_v128_load(tile), high = wasm_v128_load(tile + 4);
      if (add) {
        low = wasm_f32x4_add(wasm_v128_load(out), low);
        high = wasm_f32x4_add(wasm_v128_load(out + 4), high);
      }
      wasm_v128_store(out, low);
      wasm_v128_store(out + 4, high);
      continue;
    }
    for (int c = 0; c < columns; c++) out[c * n_stride] = add ? out[c * n_stride] + tile[c] : tile[c];
  }
}

/* ---- The choice of form ---- */

/* out^T = rhs^T * lhs^T */
static hlo_f32_dot transposed(const hlo_f32_dot *dot) {
  return (hlo_f32_dot){.m = dot->n, .n = dot->m, .k = dot->k,
                       .lhs_m_stride = dot->rhs_n_stride, .lhs_k_stride = dot->rhs_k_stride,
                       .rhs_k_stride = dot->lhs_k_stride, .rhs_n_stride = dot->lhs_m_stride,
                       .out_m_stride = dot->out_n_stride, .out_n_stride = dot->out_m_stride};
}

/* Whether it is better seen from the other side: a single column, or an output whose columns are contiguous. */
static bool is_better_transposed(const hlo_f32_dot *dot) {
  if (dot->m == 1 || dot->n == 1) return dot->m != 1;
  return dot->out_n_stride != 1 && dot->out_m_stride == 1;
}

typedef enum form { FORM_ROWS, FORM_COLUMNS, FORM_BLOCKED } form;

static form form_of(const hlo_f32_dot *dot) {
  if (dot->m != 1 || (dot->n > 1 && dot->out_n_stride != 1)) return FORM_BLOCKED;
  if (dot->rhs_k_stride == 1) return FORM_COLUMNS;
  return dot->rhs_n_stride == 1 && dot->n > 1 && dot->k < (int64_t)1 << 29 ? FORM_ROWS : FORM_BLOCKED;
}

size_t hlo_f32_dot_scratch_bytes(const hlo_f32_dot *dot) {
  hlo_f32_dot seen = is_better_transposed(dot) ? transposed(dot) : *dot;
  switch (form_of(&seen)) {
  case FORM_ROWS: return 0;
  case FORM_COLUMNS: return seen.lhs_k_stride == 1 ? 0 : (size_t)seen.k * sizeof(float);
  default: return hlo_f32_product_scratch_bytes(seen.m, seen.n, seen.k);
  }
}

static const float *contiguous(const float *vector, int64_t stride, int64_t count, float *scratch) {
  if (stride == 1) return vector;
  for (int64_t i = 0; i < count; i++) scratch[i] = vector[i * stride];
  return scratch;
}

static void run(const hlo_f32_dot *dot, const float *lhs, const float *rhs, float *out, void *scratch) {
  switch (form_of(dot)) {
  case FORM_ROWS:
    hlo_f32_dot_rows_simd128(lhs, dot->lhs_k_stride, rhs, dot->rhs_k_stride, dot->k, dot->n, out);
    return;
  case FORM_COLUMNS:
    lhs = contiguous(lhs, dot->lhs_k_stride, dot->k, scratch);
    hlo_f32_dot_columns_simd128(lhs, rhs, dot->rhs_n_stride, dot->k, dot->n, out);
    return;
  default:
    break;
  }
  operands context = {dot, lhs, rhs, out};
  hlo_f32_product product = {.m = dot->m, .n = dot->n, .k = dot->k, .context = &context,
                             .pack_lhs = pack_lhs, .pack_rhs = pack_rhs, .store = store,
                             .rhs_rows = dot->rhs_n_stride == 1 ? rhs : NULL, .rhs_row_stride = dot->rhs_k_stride};
  hlo_f32_product_run(&product, scratch);
}

void hlo_f32_dot_simd128(const hlo_f32_dot *dot, const float *lhs, const float *rhs, float *out, void *scratch) {
  assert(dot->m >= 0 && dot->n >= 0 && dot->k >= 0);
  if (dot->m == 0 || dot->n == 0) return;
  if (dot->k == 0) {
    hlo_f32_dot_scalar(dot, lhs, rhs, out, scratch);
    return;
  }
  if (!is_better_transposed(dot)) {
    run(dot, lhs, rhs, out, scratch);
    return;
  }
  hlo_f32_dot seen = transposed(dot);
  run(&seen, rhs, lhs, out, scratch);
}
