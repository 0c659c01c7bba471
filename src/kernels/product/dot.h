/* Products of strided matrices, and of vectors and matrices: the general product of kernels/product/product.h or, for a vector of f32
 * or f64, a form that reads the matrix just once. */
#ifndef HLO_KERNELS_PRODUCT_DOT_H
#define HLO_KERNELS_PRODUCT_DOT_H

#include "base/team.h"
#include "kernels/product/epilogue.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/product/product.h"

/* out[i, j] = sum over p of lhs[i, p] * rhs[p, j], of m by k and k by n elements; strides are in elements. */
typedef struct hlo_dot {
  int64_t m, n, k;
  int64_t lhs_m_stride, lhs_k_stride;
  int64_t rhs_k_stride, rhs_n_stride;
  int64_t out_m_stride, out_n_stride;
  int64_t row_factor; /* see hlo_product */
} hlo_dot;

/* The type of all elements. Of S16_PAIRS and S8_QUADS, those of the output are s32: see the tiles in product.h. */
typedef enum hlo_dot_type { HLO_DOT_F32, HLO_DOT_F64, HLO_DOT_S32, HLO_DOT_S64, HLO_DOT_S16_PAIRS, HLO_DOT_S8_QUADS } hlo_dot_type;
int hlo_dot_bytes(hlo_dot_type type); /* the size of an element */
hlo_tile_kernel *hlo_dot_tile(hlo_dot_type type);

/* A constant rhs is packed once, at compile time, in the same way for every m. Returns the bytes that it takes packed, which are those of
 * rhs; 0: it is read as it is. */
size_t hlo_dot_packed_bytes(const hlo_dot *dot, hlo_dot_type type);
/* Returns whether a packed copy of rhs is worth its memory. */
bool hlo_dot_gains_packed(const hlo_dot *dot, hlo_dot_type type);
/* Undoes hlo_dot_pack_rhs. */
void hlo_dot_unpack_rhs(const hlo_dot *dot, hlo_dot_type type, const void *packed, void *rhs);
void hlo_dot_pack_rhs(const hlo_dot *dot, hlo_dot_type type, const void *rhs, void *packed);

/* Returns the size of the scratch for a team of at most so many threads. `packed`: as below. */
size_t hlo_dot_scratch_bytes(const hlo_dot *dot, hlo_dot_type type, bool packed, int threads);
/* `packed` says that rhs is what hlo_dot_pack_rhs wrote; the result has the same bits, but that of a few rows of f32, or one of f64, which are summed in
 * another order where columns are contiguous, or the product is small (and hlo_dot_gains_packed is false). scratch has hlo_dot_scratch_bytes, 16-byte
 * aligned; out overlaps no other array. An epilogue requires hlo_dot_takes_epilogue. m, n and k may be 0: an empty sum is 0.
 * Never fails, never allocates. */
void hlo_dot_simd128(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                     hlo_epilogue_target target, hlo_team *team);
/* The longer side of the output, m or n: rows or columns from one on are a product with the same bits while there are HLO_F32_DOT_PANEL of them
 * or more, and it does not become small. */
static inline int64_t *hlo_dot_longer_side(hlo_dot *dot) { return dot->m > dot->n ? &dot->m : &dot->n; }
/* out^T = rhs^T * lhs^T */
hlo_dot hlo_dot_transposed(const hlo_dot *dot);
/* Returns whether hlo_dot_simd128 computes the product, of a rhs that is not packed, with the bits of hlo_dot_general. */
bool hlo_dot_is_general(const hlo_dot *dot, hlo_dot_type type);
/* The same product, computed as kernels/product/product.h does for any m: a row has the same bits whichever others are computed with it.
 * scratch has hlo_dot_general_scratch_bytes for a team of one. Requires m, n, k > 0. */
void hlo_dot_general(const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, bool packed, void *out, void *scratch,
                     hlo_epilogue_target target, hlo_team *team);
size_t hlo_dot_general_scratch_bytes(const hlo_dot *dot, hlo_dot_type type, bool packed, int threads);
/* Returns whether rows or columns of the output are contiguous, as an epilogue needs them. */
static inline bool hlo_dot_takes_epilogue(const hlo_dot *dot) { return dot->out_n_stride == 1 || dot->out_m_stride == 1; }

/* The product of f32 rows and a narrow matrix; strides of rhs are not read. It has the bits of hlo_dot_simd128 for the widened matrix, or those of
 * hlo_dot_general for a few rows times contiguous columns; but one row times nibbles, or times contiguous columns of s8, has groups that are scaled
 * once they are added up. Scratch and all else as
 * there. */
size_t hlo_dot_narrow_scratch_bytes(const hlo_dot *dot, const hlo_narrow_form *form, int threads);
void hlo_dot_narrow(const hlo_dot *dot, const float *lhs, const hlo_narrow_matrix *rhs, float *out, void *scratch,
                    hlo_epilogue_target target, hlo_team *team);

/* ---- Vectors ---- */

enum { HLO_F32_DOT_PANEL = HLO_PRODUCT_PANEL_BYTES / sizeof(float) };
/* Rows of the matrix are contiguous: out[j] = sum over p of vector[p * vector_stride] * matrix[p * row_stride + j], 0 <= j < n.
 * row_stride 0: the matrix is packed in panels of HLO_F32_DOT_PANEL columns, each row by row, and n is a multiple of it; the result has
 * the same bits. Requires 0 < k < 2^29. */
void hlo_f32_dot_rows_simd128(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride, int64_t k, int64_t n,
                              float *out);

/* A matrix may be divided into pieces of its rows, which threads multiply and hlo_f32_dot_rows_join adds up to the same bits.
 * Returns how many rows a piece has so that there are at most `most` pieces. */
int64_t hlo_f32_dot_rows_piece(int64_t k, int64_t most);
/* Adds the results of hlo_f32_dot_rows_simd128 for each piece of `piece` rows, which lie n elements apart in `sums` and are
 * overwritten. Requires n < 2^31. */
void hlo_f32_dot_rows_join(float *sums, int64_t piece, int64_t k, int64_t n, float *out);

/* Columns of the matrix are contiguous: out[j] = sum over p of vector[p] * matrix[j * column_stride + p], 0 <= j < n. Requires k > 0. */
void hlo_f32_dot_columns_simd128(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n, float *out);

/* The same of f64, of matrices that are read as they are. */
void hlo_f64_dot_rows_simd128(const double *vector, int64_t vector_stride, const double *matrix, int64_t row_stride, int64_t k, int64_t n,
                              double *out);
void hlo_f64_dot_columns_simd128(const double *vector, const double *matrix, int64_t column_stride, int64_t k, int64_t n, double *out);

/* The same for a narrow matrix (kernels/product/narrow_matrix.h) whose rows, or whose columns, are contiguous: its rows from `row` on, k of
 * them, and columns from `column` on. */
void hlo_narrow_dot_rows(const float *vector, int64_t vector_stride, const hlo_narrow_matrix *matrix, int64_t row, int64_t column,
                         int64_t k, int64_t n, float *out);
/* `prepared`: what hlo_narrow_prepare wrote of the vector, hlo_narrow_prepared_bytes, which may be 0. */
void hlo_narrow_dot_columns(const float *vector, const float *prepared, const hlo_narrow_matrix *matrix, int64_t column, int64_t k, int64_t n,
                            float *out);
size_t hlo_narrow_prepared_bytes(const hlo_narrow_form *form);
void hlo_narrow_prepare(const hlo_narrow_form *form, const float *vector, float *prepared);

#endif
