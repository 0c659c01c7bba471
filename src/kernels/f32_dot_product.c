/* The blocking: over n, over k, over m, then tile by tile. */
#include <assert.h>

#include "kernels/f32_dot.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

static int64_t lhs_floats(int64_t m, int64_t k) {
  return round_up(least(m, HLO_DOT_M_BLOCK), HLO_DOT_ROWS) * least(k, HLO_DOT_K_BLOCK);
}
static int64_t rhs_floats(int64_t n, int64_t k) {
  return round_up(least(n, HLO_DOT_N_BLOCK), HLO_DOT_COLUMNS) * least(k, HLO_DOT_K_BLOCK);
}

size_t hlo_f32_product_scratch_bytes(int64_t m, int64_t n, int64_t k) {
  return (size_t)(lhs_floats(m, k) + rhs_floats(n, k)) * sizeof(float);
}

/* One block: k_count of k from k_begin, up to N_BLOCK columns, all of m in turn. */
typedef struct block {
  const hlo_f32_product *product;
  int64_t column, columns, k_begin, k_count;
  float *lhs_panels, *rhs_panels;
  bool direct; /* whole panels of rhs are read where they are */
} block;

static void pack_rhs(const block *b) {
  const hlo_f32_product *product = b->product;
  for (int64_t c = 0; c < b->columns; c += HLO_DOT_COLUMNS) {
    int columns = (int)least(b->columns - c, HLO_DOT_COLUMNS);
    if (b->direct && columns == HLO_DOT_COLUMNS) continue;
    product->pack_rhs(product->context, b->column + c, columns, b->k_begin, b->k_count, b->rhs_panels + c * b->k_count);
  }
}

static void pack_lhs(const block *b, int64_t row, int64_t rows) {
  const hlo_f32_product *product = b->product;
  for (int64_t r = 0; r < rows; r += HLO_DOT_ROWS)
    product->pack_lhs(product->context, row + r, (int)least(rows - r, HLO_DOT_ROWS), b->k_begin, b->k_count,
                      b->lhs_panels + r * b->k_count);
}

/* The tiles of `rows` rows, panel of rhs by panel of rhs. */
static void multiply(const block *b, int64_t row, int64_t rows) {
  const hlo_f32_product *product = b->product;
  _Alignas(16) float tile[HLO_DOT_ROWS * HLO_DOT_COLUMNS];
  for (int64_t c = 0; c < b->columns; c += HLO_DOT_COLUMNS) {
    int columns = (int)least(b->columns - c, HLO_DOT_COLUMNS);
    const float *rhs = b->rhs_panels + c * b->k_count;
    int64_t rhs_stride = HLO_DOT_COLUMNS;
    if (b->direct && columns == HLO_DOT_COLUMNS) {
      rhs_stride = product->rhs_row_stride;
      rhs = product->rhs_rows + b->k_begin * rhs_stride + b->column + c;
    }
    for (int64_t r = 0; r < rows; r += HLO_DOT_ROWS) {
      hlo_f32_dot_4x8_simd128(b->k_count, b->lhs_panels + r * b->k_count, rhs, rhs_stride, tile);
      product->store(product->context, row + r, (int)least(rows - r, HLO_DOT_ROWS), b->column + c, columns, tile,
                     b->k_begin > 0);
    }
  }
}

void hlo_f32_product_run(const hlo_f32_product *product, void *scratch) {
  assert(product->m > 0 && product->n > 0 && product->k > 0);
  block b = {.product = product, .rhs_panels = scratch};
  b.lhs_panels = b.rhs_panels + rhs_floats(product->n, product->k);
  b.direct = product->rhs_rows && product->m <= HLO_DOT_DIRECT_ROWS;
  for (b.column = 0; b.column < product->n; b.column += HLO_DOT_N_BLOCK) {
    b.columns = least(product->n - b.column, HLO_DOT_N_BLOCK);
    for (b.k_begin = 0; b.k_begin < product->k; b.k_begin += HLO_DOT_K_BLOCK) {
      b.k_count = least(product->k - b.k_begin, HLO_DOT_K_BLOCK);
      pack_rhs(&b);
      for (int64_t row = 0; row < product->m; row += HLO_DOT_M_BLOCK) {
        int64_t rows = least(product->m - row, HLO_DOT_M_BLOCK);
        pack_lhs(&b, row, rows);
        multiply(&b, row, rows);
      }
    }
  }
}
