/* Products of strided matrices: which form runs (kernels/product.h, or one of the vector forms for f32). */
#ifndef HLO_KERNELS_DOT_H
#define HLO_KERNELS_DOT_H

#include "kernels/product.h"

/* out[i, j] = sum over p of lhs[i, p] * rhs[p, j]; strides in elements. */
typedef struct hlo_dot {
  int64_t m, n, k;
  int64_t lhs_m_stride, lhs_k_stride;
  int64_t rhs_k_stride, rhs_n_stride;
  int64_t out_m_stride, out_n_stride;
} hlo_dot;

/* Of operands and result alike; S16_PAIRS: see product.h. */
typedef enum hlo_dot_type { HLO_DOT_F32, HLO_DOT_F64, HLO_DOT_S32, HLO_DOT_S16_PAIRS } hlo_dot_type;
int hlo_dot_bytes(hlo_dot_type type); /* of an element */

/* A constant rhs is packed once: how many bytes that takes; 0: it is better read as it is. */
size_t hlo_dot_packed_bytes(const hlo_dot *dot, hlo_dot_type type);
void hlo_dot_pack_rhs(const hlo_dot *dot, hlo_dot_type type, const void *rhs, void *packed);

/* `packed`: whether rhs is what hlo_dot_pack_rhs wrote. The bits of the result are the same. */
size_t hlo_dot_scratch_bytes(const hlo_dot *dot, hlo_dot_type type, bool packed, int threads);
/* scratch is 16-byte aligned. Where it tells anyone, hlo_dot_is_finished_in_parts. Never fails, never allocates. */
void hlo_dot_simd128(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                     hlo_telling telling, hlo_team *team);
/* Whether rows or columns of the output are contiguous. */
static inline bool hlo_dot_is_finished_in_parts(const hlo_dot *dot) { return dot->out_n_stride == 1 || dot->out_m_stride == 1; }

/* ---- Vectors ---- */

enum { HLO_F32_DOT_PANEL = HLO_PRODUCT_PANEL_BYTES / sizeof(float) };
/* out[j] = sum over p of vector[p * vector_stride] * matrix[p * row_stride + j], 0 <= j < n. row_stride 0: the matrix is packed in
 * panels of HLO_F32_DOT_PANEL columns, each row by row, the last one filled up; the bits are the same. */
void hlo_f32_dot_rows_simd128(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride, int64_t k, int64_t n,
                              float *out);

/* The same bits in pieces: how many rows make a piece so that there are at most so many of them, */
int64_t hlo_f32_dot_rows_piece(int64_t k, int64_t most);
/* and out from `sums`, which hlo_f32_dot_rows_simd128 gave for each piece, n elements apart; they are overwritten. n < 2^31. */
void hlo_f32_dot_rows_join(float *sums, int64_t piece, int64_t k, int64_t n, float *out);

/* out[j] = sum over p of vector[p] * matrix[j * column_stride + p], 0 <= j < n. */
void hlo_f32_dot_columns_simd128(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n, float *out);

#endif
