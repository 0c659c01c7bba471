/* f32 matrix products: a register-blocked micro-kernel over packed panels, the blocking around it, and the
 * matrix-vector forms.
 *
 * Rounding: products are summed in runs of HLO_DOT_RUN per accumulator, runs within a block of HLO_DOT_K_BLOCK, and
 * blocks into the result, so that an error grows with the length of a run, of a block in runs and of k in blocks,
 * not with k. */
#ifndef HLO_KERNELS_F32_DOT_H
#define HLO_KERNELS_F32_DOT_H

#include "base/checked.h"

enum {
  HLO_DOT_ROWS = 4,       /* of a tile, and of a packed panel of lhs */
  HLO_DOT_COLUMNS = 8,    /* of a tile, and of a packed panel of rhs */
  HLO_DOT_RUN = 32,
  HLO_DOT_K_BLOCK = 512,  /* a panel of rhs (16 KiB) stays in L1 */
  HLO_DOT_M_BLOCK = 128,  /* the packed block of lhs (256 KiB) stays in L2 */
  HLO_DOT_N_BLOCK = 1024,
  HLO_DOT_DIRECT_ROWS = 16 /* up to so many rows, a rhs of contiguous rows is not worth packing */
};

/* tile[4][8] = lhs[4][k] * rhs[k][8].
 *
 * lhs   packed: lhs[p * 4 + r]
 * rhs   rhs[p * rhs_stride + c]; packed panels have stride 8
 * tile  row-major, 16-byte aligned; overwritten
 * Requires k > 0. Never fails, never allocates. */
typedef void hlo_f32_dot_tile_kernel(int64_t k, const float *lhs, const float *rhs, int64_t rhs_stride, float *tile);
hlo_f32_dot_tile_kernel hlo_f32_dot_4x8_simd128, hlo_f32_dot_4x8_scalar;

/* One panel of `width` (4 or 8) rows or columns: panel[p * width + w] = data[w * stride + p * k_stride]; what lies
 * beyond `count` is zero. Requires 0 < count <= width. */
typedef void hlo_f32_dot_pack_kernel(const float *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k,
                                     float *panel);
hlo_f32_dot_pack_kernel hlo_f32_dot_pack_simd128, hlo_f32_dot_pack_scalar;

/* ---- Any product of panels ---- */

/* out[m, n] = sum over k. Where the panels come from and where tiles go are functions, so that a convolution can
 * gather its windows as it packs. They see `context`. */
typedef struct hlo_f32_product {
  int64_t m, n, k;
  const void *context;
  void (*pack_lhs)(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, float *panel);
  void (*pack_rhs)(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, float *panel);
  /* Writes rows x columns of the tile, or adds them to what is there. */
  void (*store)(const void *context, int64_t row, int rows, int64_t column, int columns, const float *tile, bool add);
  const float *rhs_rows;   /* rhs itself where its rows are contiguous, else NULL */
  int64_t rhs_row_stride;
} hlo_f32_product;

size_t hlo_f32_product_scratch_bytes(int64_t m, int64_t n, int64_t k);
/* `scratch` has the bytes above, 16-byte aligned. Requires m, n, k > 0. */
void hlo_f32_product_run(const hlo_f32_product *product, void *scratch);

/* ---- Strided matrices ---- */

/* out[i, j] = sum over p of lhs[i, p] * rhs[p, j]; strides in elements. */
typedef struct hlo_f32_dot {
  int64_t m, n, k;
  int64_t lhs_m_stride, lhs_k_stride;
  int64_t rhs_k_stride, rhs_n_stride;
  int64_t out_m_stride, out_n_stride;
} hlo_f32_dot;

size_t hlo_f32_dot_scratch_bytes(const hlo_f32_dot *dot);
typedef void hlo_f32_dot_kernel(const hlo_f32_dot *dot, const float *lhs, const float *rhs, float *out, void *scratch);
hlo_f32_dot_kernel hlo_f32_dot_simd128, hlo_f32_dot_scalar;

/* ---- Vectors ---- */

/* out[j] = sum over p of vector[p * vector_stride] * matrix[p * row_stride + j], 0 <= j < n. */
typedef void hlo_f32_dot_rows_kernel(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride,
                                     int64_t k, int64_t n, float *out);
hlo_f32_dot_rows_kernel hlo_f32_dot_rows_simd128, hlo_f32_dot_rows_scalar;

/* out[j] = sum over p of vector[p] * matrix[j * column_stride + p], 0 <= j < n. */
typedef void hlo_f32_dot_columns_kernel(const float *vector, const float *matrix, int64_t column_stride, int64_t k,
                                        int64_t n, float *out);
hlo_f32_dot_columns_kernel hlo_f32_dot_columns_simd128, hlo_f32_dot_columns_scalar;

#endif
