/* Matrix products of any element type: one blocking over rows, columns and k around a register-blocked tile kernel.
 *
 * Rounding: products are summed in runs of HLO_PRODUCT_RUN per accumulator, runs within a block of HLO_PRODUCT_K_BLOCK,
 * and blocks into the result, so that an error grows with the length of a run, of a block in runs and of k in blocks,
 * not with k. Nothing else (where operands lie, packing, threads) changes a bit. */
#ifndef HLO_KERNELS_PRODUCT_H
#define HLO_KERNELS_PRODUCT_H

#include "base/team.h"

enum {
  HLO_PRODUCT_ROWS = 4,          /* of a tile, or more where kernels take more at a time */
  HLO_PRODUCT_PANEL_BYTES = 32,  /* a row of a tile and of a panel of rhs: two vectors */
  HLO_PRODUCT_RUN = 64,
  HLO_PRODUCT_K_BLOCK = 640,     /* a panel of rhs (20 KiB) stays in L1 */
  HLO_PRODUCT_M_BLOCK = 64,      /* a block of lhs (160 KiB) stays in L2 */
  HLO_PRODUCT_N_BLOCK = 1024,
  HLO_PRODUCT_DIRECT_ROWS = 16,  /* up to so many rows, or up to so many bytes, a rhs of contiguous rows is not worth packing */
  HLO_PRODUCT_DIRECT_BYTES = 24576
};

/* Rows of lhs times columns of rhs that fill HLO_PRODUCT_PANEL_BYTES: out = lhs[rows][k] * rhs[k][columns], or out + that.
 *
 * Strides in elements, from row to row, which are contiguous. Of fewer than HLO_PRODUCT_ROWS, rows of out beyond are written nonetheless.
 * Requires k > 0, 0 < rows < HLO_PRODUCT_ROWS or a multiple of it. Never fails, never allocates. */
typedef void hlo_tile_kernel(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs, ptrdiff_t rhs_stride, void *out,
                             ptrdiff_t out_stride, bool add);
hlo_tile_kernel hlo_f32_tile_4x8_simd128, hlo_f32_tile_4x8_scalar;
hlo_tile_kernel hlo_f64_tile_4x4_simd128, hlo_f64_tile_4x4_scalar;
hlo_tile_kernel hlo_s32_tile_4x8_simd128, hlo_s32_tile_4x8_scalar;
/* Elements are pairs of s16, neighbours in k, and s32 in the output: a * b is the sum of both products. */
hlo_tile_kernel hlo_s16_pairs_tile_4x8_simd128, hlo_s16_pairs_tile_4x8_scalar;

/* A panel of `width` rows or columns side by side: panel[p * width + w] = data[w * stride + p * k_stride] for elements of
 * `bytes` (4 or 8); what lies beyond `count` is zero. Requires 0 < count <= width; where stride is 1, width * bytes is 16 or 32. */
typedef void hlo_pack_kernel(int bytes, const void *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k, void *panel);
hlo_pack_kernel hlo_pack_simd128, hlo_pack_scalar;

/* Four panels of HLO_PRODUCT_PANEL_BYTES wide at once, whose rows lie side by side in memory, `step` bytes apart. */
void hlo_pack_4_panels_simd128(const void *data, ptrdiff_t step, int k, void *panels);

/* out[m, n] = sum over k. Strides in elements of `bytes`. */
typedef struct hlo_product {
  int64_t m, n, k;
  int bytes;
  hlo_tile_kernel *tile;
  const void *lhs, *rhs;
  void *out;
  int64_t lhs_m_stride, lhs_k_stride, rhs_k_stride, rhs_n_stride, out_m_stride, out_n_stride;
  /* Where a side is no strided matrix, functions find it (else NULL). They see `context`. */
  const void *context;
  /* panel[r * k_count + p] = lhs[row + r, k_begin + p] */
  void (*gather_lhs)(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel);
  /* A panel of rhs, columns beyond `columns` zero. */
  void (*gather_rhs)(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, void *panel);
  /* Where a row of the output begins, in elements from `out`. */
  int64_t (*out_row)(const void *context, int64_t row);
  const void *packed_rhs; /* rhs as hlo_product_pack_rhs wrote it, or NULL */
  /* Is called once for every part of the output, as soon as it is complete (and still in the cache), by the thread that
   * completed it; NULL: never. */
  void (*finish)(const void *finish_context, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread);
  const void *finish_context;
} hlo_product;

/* Is told of every part of an array that is complete, once, by the thread that completed it: `rows` runs of `columns` contiguous
 * elements, row_stride apart, the first one at `offset`. What begins with it may hold more. */
typedef struct hlo_finish {
  void (*run)(const struct hlo_finish *finish, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread);
} hlo_finish;

/* Whom a product tells whose output is part of such an array, `offset` elements behind its beginning. */
typedef struct hlo_telling {
  const hlo_finish *finish; /* NULL: nobody */
  int64_t offset;
  int thread; /* that runs the product, where threads have products to themselves; else 0 */
} hlo_telling;

/* hlo_product_tell is the `finish` that goes with it as context. Rows or columns of the output are contiguous. */
typedef struct hlo_product_finish {
  const hlo_product *product;
  hlo_telling telling;
} hlo_product_finish;
void hlo_product_tell(const void *product_finish, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread);

/* All of rhs as panels: needs no rhs when it runs. 16-byte aligned. */
size_t hlo_product_packed_bytes(const hlo_product *product);
void hlo_product_pack_rhs(const hlo_product *product, void *packed);

/* For a team of so many threads. Of pointers only whether they are NULL matters (rhs, out: nothing). */
size_t hlo_product_scratch_bytes(const hlo_product *product, int threads);
/* `scratch` has the bytes above, 16-byte aligned. Requires m, n, k > 0. Never fails, never allocates. */
void hlo_product_run(const hlo_product *product, void *scratch, hlo_team *team);
/* About how long that takes one thread. */
double hlo_product_nanoseconds(int64_t m, int64_t n, int64_t k, int bytes);

#endif
