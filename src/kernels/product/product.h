/* Matrix products of any element type: one blocking over rows, columns and k around a register-blocked tile kernel.
 *
 * Rounding: each accumulator sums a run of HLO_PRODUCT_RUN terms, the runs of a block of HLO_PRODUCT_K_BLOCK terms are summed, and
 * then the blocks. So the error grows with the sum of these three lengths, not with k. Nothing else (where operands lie, packing,
 * threads) changes a bit. */
#ifndef HLO_KERNELS_PRODUCT_PRODUCT_H
#define HLO_KERNELS_PRODUCT_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/team.h"
#include "kernels/product/epilogue.h"

enum {
  HLO_PRODUCT_ROWS = 4,         /* rows of a tile */
  HLO_PRODUCT_PANEL_BYTES = 32, /* a row of a tile and of a panel of rhs: two vectors */
  HLO_PRODUCT_RUN = 64,
  HLO_PRODUCT_K_BLOCK = 640,    /* a panel of rhs (20 KiB) stays in L1 */
  HLO_PRODUCT_M_BLOCK = 128,    /* a block of lhs (320 KiB) stays in L2 */
  HLO_PRODUCT_PACKED_ROWS = 64, /* the same where it is packed or gathered */
  HLO_PRODUCT_N_BLOCK = 1024,
  /* A rhs whose rows are contiguous is read in place, not packed, where lhs has at most so many rows or rhs at most so many bytes. */
  HLO_PRODUCT_DIRECT_ROWS = 16,
  HLO_PRODUCT_DIRECT_BYTES = 24576
};

/* Multiplies rows of lhs by one panel of rhs: out = lhs[rows][k] * rhs[k][columns] or, with `add`, out + that, where `columns` are as
 * many as fill HLO_PRODUCT_PANEL_BYTES.
 *
 * Rows are contiguous; strides lead from row to row, in elements. HLO_PRODUCT_ROWS rows of out are written even where `rows` is less.
 * Requires k > 0, and 0 < rows < HLO_PRODUCT_ROWS or a multiple of HLO_PRODUCT_ROWS. Never fails, never allocates. */
typedef void hlo_tile_kernel(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs, ptrdiff_t rhs_stride, void *out,
                             ptrdiff_t out_stride, bool add);
hlo_tile_kernel hlo_f32_tile_4x8_simd128, hlo_f32_tile_4x8_scalar;
hlo_tile_kernel hlo_f64_tile_4x4_simd128, hlo_f64_tile_4x4_scalar;
/* Returns the tile kernel of f32 (single) or f64. */
hlo_tile_kernel *hlo_product_float_tile(bool single);
hlo_tile_kernel hlo_s32_tile_4x8_simd128, hlo_s32_tile_4x8_scalar;
hlo_tile_kernel hlo_s64_tile_4x4_simd128, hlo_s64_tile_4x4_scalar;
/* Elements of lhs and rhs are pairs of s16 that are neighbours in k, those of out s32: a * b is the sum of the pairs' two products. */
hlo_tile_kernel hlo_s16_pairs_tile_4x8_simd128, hlo_s16_pairs_tile_4x8_scalar;
/* Elements of lhs are quads of s8 that are neighbours in k, those of rhs quads of bytes as hlo_byte_mode_now says, those of out s32. */
hlo_tile_kernel hlo_s8_quads_tile_4x8_scalar;

/* Packs `count` rows or columns into a panel of `width` of them side by side: panel[p * width + w] = data[w * stride + p * k_stride],
 * and zero for count <= w < width. Elements have `bytes` 4 or 8; strides are in elements. Requires 0 < count <= width, and that
 * width * bytes is 16 or 32 where stride is 1. Never fails, never allocates. */
typedef void hlo_pack_kernel(int bytes, const void *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k, void *panel);
hlo_pack_kernel hlo_pack_simd128, hlo_pack_scalar;

/* Packs four neighbouring panels of HLO_PRODUCT_PANEL_BYTES at once, from rows that are contiguous and `step` bytes apart. */
void hlo_pack_4_panels_simd128(const void *data, ptrdiff_t step, int k, void *panels);

/* out[i, j] = sum over p of lhs[i, p] * rhs[p, j], of m by k and k by n elements of `bytes` each. Strides are in elements. */
typedef struct hlo_product {
  int64_t m, n, k;
  int bytes;
  hlo_tile_kernel *tile;
  const void *lhs, *rhs;
  void *out;
  int64_t lhs_m_stride, lhs_k_stride, rhs_k_stride, rhs_n_stride, out_m_stride, out_n_stride;
  int64_t row_factor; /* of quads: each sum has the sum of the row's bytes of lhs added, times this */
  bool adds; /* out + that product instead: each block of k is added to what is there */
  /* An operand that is no strided matrix is gathered by a function, and an output that is none has its rows found by one; else they
   * are NULL. Each is passed `context`. */
  const void *context;
  /* Writes panel[r * k_count + p] = lhs[row + r, k_begin + p]. */
  void (*gather_lhs)(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel);
  /* Writes a panel of rhs as hlo_pack_kernel does: `columns` columns, and zeros behind them. */
  void (*gather_rhs)(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, void *panel);
  /* The same for all panels that `columns` columns fill, which lie one after another; NULL: rhs is gathered panel by panel, or not at all. */
  void (*gather_panels)(const void *context, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, void *panels);
  /* Returns where a row of the output begins, in elements from `out`. */
  int64_t (*out_row)(const void *context, int64_t row);
  const void *packed_rhs; /* rhs as hlo_product_pack_rhs wrote it; NULL: it is not packed */
  /* Called once for every block of rows and columns of the output, as soon as it is complete (and still in the cache), by the thread
   * that completed it; NULL: never. */
  void (*epilogue)(const void *epilogue_context, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread);
  const void *epilogue_context;
} hlo_product;

/* Runs an epilogue (epilogue.h) for blocks of the output: hlo_product_run_epilogue is a product's `epilogue`, and the struct its
 * context. Requires that rows or columns of the output are contiguous. */
typedef struct hlo_product_epilogue {
  const hlo_product *product;
  hlo_epilogue_target target;
} hlo_product_epilogue;
void hlo_product_run_epilogue(const void *product_epilogue, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread);

/* Packs all of rhs, a constant, as panels of HLO_PRODUCT_PANEL_BYTES, 16-byte aligned: each row by row over all of k, and behind the last
 * whole one the columns that are left, row by row. So a packed rhs has as many bytes as rhs; only a gathered one has its last panel
 * filled up. Runs with packed_rhs need no rhs. */
size_t hlo_product_packed_bytes(const hlo_product *product);
void hlo_product_pack_rhs(const hlo_product *product, void *packed);
/* Undoes that, for a rhs that is not gathered. */
void hlo_product_unpack_rhs(const hlo_product *product, const void *packed, void *rhs);

/* Returns the size of the scratch for a team of at most so many threads. Reads sizes, strides and which of packed_rhs and the gather
 * functions are NULL; lhs, rhs and out need not be set. */
size_t hlo_product_scratch_bytes(const hlo_product *product, int threads);
/* `scratch` has hlo_product_scratch_bytes, 16-byte aligned; arrays do not overlap. Requires m, n, k > 0. Never fails, never allocates. */
void hlo_product_run(const hlo_product *product, void *scratch, hlo_team *team);
/* Returns about how long hlo_product_run takes one thread. */
double hlo_product_nanoseconds(int64_t m, int64_t n, int64_t k, int bytes);

#endif
