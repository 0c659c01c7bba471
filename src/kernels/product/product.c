/* The blocking: loops over blocks of n, of k and of m, then over panels and tiles. For each block of k by n, all threads of a team
 * pack its panels of rhs, and then multiply blocks of rows by them. */
#include "kernels/product/product.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/simd128.h"

enum {
  PACKED_AT_ONCE = 4, /* panels: see hlo_pack_4_panels_simd128 */
  LEAST_ROWS = 16,    /* rows of a unit of work: fewer would not be worth reading a panel of rhs from L2 */
  APART_BYTES = 512,  /* of a row of the panels that a unit packs for itself: these stay in L2 */
  APART_BLOCKS = 16   /* blocks of k that such a unit multiplies */
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int columns_of(const hlo_product *product) { return HLO_PRODUCT_PANEL_BYTES / product->bytes; }

/* Returns the length of a block of k. All blocks have it but the last, which may be shorter. */
static int64_t k_block(const hlo_product *product) {
  return least(product->k, hlo_round_up(hlo_ceil_div(product->k, hlo_ceil_div(product->k, HLO_PRODUCT_K_BLOCK)), HLO_PRODUCT_RUN));
}

/* Returns whether panels of rhs are read in place, but for a last one that is narrower. */
static bool reads_rhs(const hlo_product *p) {
  return !p->packed_rhs && !p->gather_rhs && !p->gather_panels && p->rhs_n_stride == 1 &&
         (p->m <= HLO_PRODUCT_DIRECT_ROWS || p->k * p->n * p->bytes <= HLO_PRODUCT_DIRECT_BYTES);
}

/* Returns the columns of a packed rhs behind its last whole panel, which lie row by row without filling; 0: there are none. Gathered
 * panels are always whole. */
static int packed_tail(const hlo_product *p) { return p->gather_rhs ? 0 : (int)(p->n % columns_of(p)); }

static bool reads_lhs(const hlo_product *p) { return !p->gather_lhs && p->lhs_k_stride == 1; }

/* Returns the length of a block of rows. All blocks have it but the last, which may be a little shorter. */
static int64_t row_block(const hlo_product *p) {
  int64_t blocks = hlo_ceil_div(p->m, reads_lhs(p) ? HLO_PRODUCT_M_BLOCK : HLO_PRODUCT_PACKED_ROWS);
  return hlo_round_up(hlo_ceil_div(p->m, blocks), HLO_PRODUCT_ROWS);
}

/* Returns whether each unit of work packs panels of rhs for itself: where there is one block of rows, nobody else needs them. */
static bool packs_apart(const hlo_product *p) {
  return reads_lhs(p) && !p->packed_rhs && !reads_rhs(p) && p->m <= HLO_PRODUCT_M_BLOCK && p->k <= APART_BLOCKS * HLO_PRODUCT_K_BLOCK;
}

/* Returns what a thread needs to pack or gather a block of rows. No product of fewer rows needs more: a part of this one may run in its scratch. */
static size_t lhs_bytes(const hlo_product *p) {
  int64_t rows = hlo_round_up(least(p->m, HLO_PRODUCT_PACKED_ROWS), HLO_PRODUCT_ROWS);
  return reads_lhs(p) ? 0 : (size_t)hlo_round_up(rows * k_block(p) * p->bytes, 64);
}

/* The scratch: [panels of rhs, shared by all threads][rows of lhs of thread 0][rows of lhs of thread 1]... or, where rhs is packed apart,
 * [panels of thread 0][panels of thread 1]... */
static size_t rhs_bytes(const hlo_product *p) {
  if (packs_apart(p)) return (size_t)(least(hlo_round_up(p->n, columns_of(p)), APART_BYTES / p->bytes) * k_block(p) * p->bytes);
  if (p->packed_rhs) return (size_t)(packed_tail(p) ? columns_of(p) * k_block(p) * p->bytes : 0);
  /* Where panels are read in place, the last one may be narrower and is packed. */
  int64_t columns = reads_rhs(p) ? 1 : least(p->n, HLO_PRODUCT_N_BLOCK);
  return (size_t)(hlo_round_up(columns, columns_of(p)) * k_block(p) * p->bytes);
}

size_t hlo_product_scratch_bytes(const hlo_product *p, int threads) {
  return packs_apart(p) ? rhs_bytes(p) * (size_t)threads : rhs_bytes(p) + lhs_bytes(p) * (size_t)threads;
}

double hlo_product_nanoseconds(int64_t m, int64_t n, int64_t k, int bytes) { return ((double)m * (double)n / 100 + (double)(m > n ? m : n) / 16) * (double)k * bytes; }

/* One block of k by n: k_begin to k_begin + k_count, and up to HLO_PRODUCT_N_BLOCK columns. */
typedef struct block {
  const hlo_product *product;
  int64_t column, columns, k_begin, k_count;
  char *lhs_rows, *rhs_panels;
  int64_t pack_share; /* panels of rhs that one unit of work packs */
  int64_t rows, part; /* rows and columns that one unit of work multiplies */
  int64_t parts;      /* into how many units the columns are divided */
} block;

static void pack_panel(const hlo_product *p, int64_t column, int64_t k_begin, int64_t k_count, void *panel) {
  int width = columns_of(p), columns = (int)least(p->n - column, width);
  if (p->gather_rhs) {
    p->gather_rhs(p->context, column, columns, k_begin, k_count, panel);
    return;
  }
  const char *rhs = (const char *)p->rhs + (k_begin * p->rhs_k_stride + column * p->rhs_n_stride) * p->bytes;
  hlo_pack_simd128(p->bytes, rhs, p->rhs_n_stride, p->rhs_k_stride, columns, width, k_count, panel);
}

/* Returns row k_begin of the panel of a packed rhs that begins at `column`, and has rows of `width` columns. */
static char *packed_panel(const hlo_product *p, const void *packed, int64_t column, int64_t k_begin, int width) {
  return (char *)packed + (column * p->k + k_begin * width) * p->bytes;
}

size_t hlo_product_packed_bytes(const hlo_product *p) {
  return (size_t)((p->gather_rhs ? hlo_round_up(p->n, columns_of(p)) : p->n) * p->k * p->bytes);
}

void hlo_product_pack_rhs(const hlo_product *p, void *packed) {
  int width = columns_of(p), tail = packed_tail(p);
  int64_t end = p->n - tail;
  for (int64_t c = 0; c < end; c += width) pack_panel(p, c, 0, p->k, packed_panel(p, packed, c, 0, width));
  if (tail)
    hlo_pack_scalar(p->bytes, (const char *)p->rhs + end * p->rhs_n_stride * p->bytes, p->rhs_n_stride, p->rhs_k_stride, tail, tail, p->k,
                    packed_panel(p, packed, end, 0, tail));
}

/* Copies elements between places that are steps apart. */
static void copy_element(char *to, const char *from, int bytes) {
  if (bytes == 4) memcpy(to, from, 4);
  else memcpy(to, from, 8);
}

void hlo_product_unpack_rhs(const hlo_product *p, const void *packed, void *rhs) {
  for (int64_t c = 0; c < p->n; c += columns_of(p)) {
    int width = (int)least(p->n - c, columns_of(p));
    const char *from = packed_panel(p, packed, c, 0, width);
    for (int64_t k = 0; k < p->k; k++)
      for (int i = 0; i < width; i++, from += p->bytes)
        copy_element((char *)rhs + (k * p->rhs_k_stride + (c + i) * p->rhs_n_stride) * p->bytes, from, p->bytes);
  }
}

/* Makes a whole panel of the last columns of a packed rhs. */
static void pack_tail(const block *b) {
  const hlo_product *p = b->product;
  int tail = packed_tail(p);
  hlo_pack_scalar(p->bytes, packed_panel(p, p->packed_rhs, p->n - tail, b->k_begin, tail), 1, tail, tail, columns_of(p), b->k_count,
                  b->rhs_panels);
}

static void pack_rhs(void *context, int64_t unit, int thread) {
  const block *b = context;
  const hlo_product *p = b->product;
  int width = columns_of(p);
  bool direct = reads_rhs(p);
  int64_t c = unit * b->pack_share * width, end = least(c + b->pack_share * width, b->columns);
  if (p->gather_panels) {
    p->gather_panels(p->context, b->column + c, end - c, b->k_begin, b->k_count, b->rhs_panels + c * b->k_count * p->bytes);
    return;
  }
  if (!direct && !p->gather_rhs && p->rhs_n_stride == 1) { /* packing four panels at once reads rows in longer pieces */
    const char *rhs = (const char *)p->rhs + (b->k_begin * p->rhs_k_stride + b->column) * p->bytes;
    for (; c + PACKED_AT_ONCE * width <= end; c += PACKED_AT_ONCE * width)
      hlo_pack_4_panels_simd128(rhs + c * p->bytes, (ptrdiff_t)(p->rhs_k_stride * p->bytes), (int)b->k_count,
                                b->rhs_panels + c * b->k_count * p->bytes);
  }
  for (; c < end; c += width)
    if (!direct || b->columns - c < width)
      pack_panel(p, b->column + c, b->k_begin, b->k_count, b->rhs_panels + (direct ? 0 : c) * b->k_count * p->bytes);
}

/* Rows of lhs as the tile kernel reads them: where they lie, or gathered or transposed into the scratch. */
typedef struct rows_of_lhs {
  const char *data;
  ptrdiff_t stride; /* in elements */
} rows_of_lhs;

static rows_of_lhs find_lhs(const block *b, int64_t row, int64_t rows) {
  const hlo_product *p = b->product;
  if (p->gather_lhs) {
    p->gather_lhs(p->context, row, (int)rows, b->k_begin, b->k_count, b->lhs_rows);
  } else {
    const char *lhs = (const char *)p->lhs + (row * p->lhs_m_stride + b->k_begin * p->lhs_k_stride) * p->bytes;
    if (reads_lhs(p)) return (rows_of_lhs){lhs, (ptrdiff_t)p->lhs_m_stride};
    /* Rows that are a power of two apart compete for the same sets of a cache, so they are packed a few at a time. */
    for (int64_t r = 0; r < rows; r += HLO_PRODUCT_ROWS)
      hlo_pack_simd128(p->bytes, lhs + r * p->lhs_m_stride * p->bytes, p->lhs_k_stride, p->lhs_m_stride, (int)b->k_count, (int)b->k_count,
                       least(rows - r, HLO_PRODUCT_ROWS), b->lhs_rows + r * b->k_count * p->bytes);
  }
  return (rows_of_lhs){b->lhs_rows, (ptrdiff_t)b->k_count};
}

static char *out_element(const hlo_product *p, int64_t row, int64_t column) {
  int64_t begin = p->out_row ? p->out_row(p->context, row) : row * p->out_m_stride;
  return (char *)p->out + (begin + column * p->out_n_stride) * p->bytes;
}

/* Copies elements that lie `from_step` and `to_step` bytes apart. */
static void copy_elements(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step, int bytes, int count) {
  if (from_step == bytes && to_step == bytes) {
    memcpy(to, from, (size_t)(count * bytes));
  } else if (bytes == 4) {
    for (; count > 0; count--, from += from_step, to += to_step) memcpy(to, from, 4);
  } else {
    for (; count > 0; count--, from += from_step, to += to_step) memcpy(to, from, 8);
  }
}

/* Copies `rows` by `columns` elements of the output into a tile. */
static void load_tile(const hlo_product *p, int64_t row, int rows, int64_t column, int columns, char *tile) {
  ptrdiff_t step = (ptrdiff_t)(p->out_n_stride * p->bytes);
  for (int r = 0; r < rows; r++)
    copy_elements(out_element(p, row + r, column), step, tile + r * HLO_PRODUCT_PANEL_BYTES, p->bytes, p->bytes, columns);
}

/* Copies them back. */
static void store_tile(const hlo_product *p, int64_t row, int rows, int64_t column, int columns, const char *tile) {
  ptrdiff_t step = (ptrdiff_t)(p->out_n_stride * p->bytes);
  for (int r = 0; r < rows; r++)
    copy_elements(tile + r * HLO_PRODUCT_PANEL_BYTES, p->bytes, out_element(p, row + r, column), step, p->bytes, columns);
}

/* Multiplies rows of lhs by one panel of rhs. Tiles that are not whole, or do not lie in the output row by row, are computed aside. */
static void multiply_panel(const block *b, const rows_of_lhs *lhs, int64_t row, int64_t rows, const void *rhs, ptrdiff_t rhs_stride,
                           int64_t column, int columns) {
  const hlo_product *p = b->product;
  int width = columns_of(p);
  bool add = b->k_begin > 0 || p->adds;
  int64_t whole = columns == width && p->out_n_stride == 1 && !p->out_row ? rows - rows % HLO_PRODUCT_ROWS : 0;
  if (whole) {
    char *out = (char *)p->out + (row * p->out_m_stride + column) * p->bytes;
    p->tile((int)b->k_count, (int)whole, lhs->data, lhs->stride, rhs, rhs_stride, out, (ptrdiff_t)p->out_m_stride, add);
  }
  for (int64_t r = whole; r < rows; r += HLO_PRODUCT_ROWS) {
    _Alignas(16) char tile[HLO_PRODUCT_ROWS * HLO_PRODUCT_PANEL_BYTES] = {0};
    const char *data = lhs->data + r * lhs->stride * p->bytes;
    int count = (int)least(rows - r, HLO_PRODUCT_ROWS);
    if (add) load_tile(p, row + r, count, column, columns, tile);
    p->tile((int)b->k_count, count, data, lhs->stride, rhs, rhs_stride, tile, width, add);
    store_tile(p, row + r, count, column, columns, tile);
  }
}

/* Returns the sum of the bytes of quads, in every lane. */
static inline v128_t sum_of_quads(const uint32_t *quads, int64_t count) {
  v128_t sums = wasm_i32x4_splat(0);
  for (int64_t i = 0, step; i < count; i += step) {
    step = count - i < 4 ? 1 : 4;
    v128_t bytes = step == 1 ? wasm_v128_load32_zero(quads + i) : wasm_v128_load(quads + i);
    sums = wasm_i32x4_add(sums, hlo_i32x4_sum_fours(bytes));
  }
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  return wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 1, 0, 3, 2));
}

static void add_row_sums(const block *b, const rows_of_lhs *lhs, int64_t row, int64_t rows, int64_t column, int64_t columns) {
  const hlo_product *p = b->product;
  v128_t factor = wasm_i32x4_splat((int32_t)p->row_factor);
  for (int64_t r = 0; r < rows; r++) {
    v128_t sum = hlo_i32x4_mul(sum_of_quads((const uint32_t *)lhs->data + r * lhs->stride, b->k_count), factor);
    uint32_t *out = (uint32_t *)out_element(p, row + r, column);
    int64_t c = 0;
    if (p->out_n_stride == 1)
      for (; c + 4 <= columns; c += 4) wasm_v128_store(out + c, wasm_i32x4_add(wasm_v128_load(out + c), sum));
    for (; c < columns; c++) out[c * p->out_n_stride] += (uint32_t)wasm_i32x4_extract_lane(sum, 0);
  }
}

/* Multiplies `rows` rows by columns begin to end of the block, one panel of rhs after another. */
static void multiply(const block *b, int64_t row, int64_t rows, int64_t begin, int64_t end) {
  const hlo_product *p = b->product;
  int width = columns_of(p);
  rows_of_lhs lhs = find_lhs(b, row, rows);
  bool direct = reads_rhs(p);
  for (int64_t c = begin; c < end; c += width) {
    int columns = (int)least(b->columns - c, width);
    const char *rhs;
    ptrdiff_t rhs_stride = width;
    if (p->packed_rhs && (columns == width || p->gather_rhs)) {
      rhs = packed_panel(p, p->packed_rhs, b->column + c, b->k_begin, width);
    } else if (direct && columns == width) {
      rhs_stride = (ptrdiff_t)p->rhs_k_stride;
      rhs = (const char *)p->rhs + (b->k_begin * p->rhs_k_stride + b->column + c) * p->bytes;
    } else {
      rhs = b->rhs_panels + (direct || p->packed_rhs ? 0 : c) * b->k_count * p->bytes;
    }
    multiply_panel(b, &lhs, row, rows, rhs, rhs_stride, b->column + c, columns);
  }
  if (p->row_factor) add_row_sums(b, &lhs, row, rows, b->column + begin, end - begin);
}

static void multiply_unit(void *context, int64_t unit, int thread) {
  block b = *(const block *)context;
  const hlo_product *p = b.product;
  int64_t row = unit / b.parts * b.rows, begin = unit % b.parts * b.part;
  int64_t rows = least(p->m - row, b.rows), end = least(begin + b.part, b.columns);
  b.lhs_rows = hlo_team_scratch(b.lhs_rows, lhs_bytes(p), thread);
  multiply(&b, row, rows, begin, end);
  if (p->epilogue && b.k_begin + b.k_count == p->k) p->epilogue(p->epilogue_context, row, rows, b.column + begin, end - begin, thread);
}

/* Returns the fewest columns that a unit of work may have. Every unit packs or gathers its rows of lhs anew, unless they are read in
 * place; and an epilogue runs row by row, for which short rows are slow. */
static int64_t least_columns(const hlo_product *p) {
  if (!reads_lhs(p)) return 256;
  return p->epilogue ? 64 : 2 * columns_of(p);
}

/* Divides the multiplication into units of work: a unit is a block of rows or, where there are too few of these for the team, some
 * columns of one; and where that makes too few units as well, fewer rows. */
static void split(block *b, const hlo_team *team, double nanoseconds) {
  const hlo_product *p = b->product;
  int64_t units = hlo_team_units(team, nanoseconds), row_blocks = hlo_ceil_div(p->m, row_block(p));
  int64_t most_parts = b->columns / least_columns(p), parts = least(hlo_ceil_div(units, row_blocks), most_parts > 0 ? most_parts : 1);
  b->part = hlo_round_up(hlo_ceil_div(b->columns, parts), columns_of(p));
  b->parts = hlo_ceil_div(b->columns, b->part);
  b->rows = row_block(p);
  if (2 * row_blocks * b->parts > units) return;
  int64_t rows = hlo_round_up(hlo_ceil_div(p->m, hlo_ceil_div(units, b->parts)), HLO_PRODUCT_ROWS);
  b->rows = least(rows > LEAST_ROWS ? rows : LEAST_ROWS, b->rows);
}

/* Packs the panels of rhs that are not read in place. */
static void pack_block(block *b, hlo_team *team) {
  const hlo_product *p = b->product;
  if (p->packed_rhs && packed_tail(p) && b->column + b->columns == p->n) pack_tail(b);
  if (p->packed_rhs || (reads_rhs(p) && b->columns % columns_of(p) == 0)) return;
  int64_t panels = hlo_ceil_div(b->columns, columns_of(p));
  double nanoseconds = reads_rhs(p) ? 0 : (double)(b->columns * b->k_count) / 3;
  b->pack_share = hlo_team_share(team, panels, PACKED_AT_ONCE, nanoseconds);
  hlo_team_run(team, hlo_ceil_div(panels, b->pack_share), nanoseconds, pack_rhs, b);
}

/* A unit of a product whose rhs is packed apart: some columns, all rows and all of k. */
static void multiply_apart(void *context, int64_t unit, int thread) {
  block b = *(const block *)context;
  const hlo_product *p = b.product;
  int64_t k_step = k_block(p);
  b.column = unit * b.part;
  b.columns = least(p->n - b.column, b.part);
  b.pack_share = hlo_ceil_div(b.columns, columns_of(p));
  b.rhs_panels = hlo_team_scratch(b.rhs_panels, rhs_bytes(p), thread);
  for (b.k_begin = 0; b.k_begin < p->k; b.k_begin += k_step) {
    b.k_count = least(p->k - b.k_begin, k_step);
    pack_rhs(&b, 0, thread);
    multiply(&b, 0, p->m, 0, b.columns);
  }
  if (p->epilogue) p->epilogue(p->epilogue_context, 0, p->m, b.column, b.columns, thread);
}

static void run_apart(const hlo_product *p, void *scratch, hlo_team *team) {
  double nanoseconds = hlo_product_nanoseconds(p->m, p->n, p->k, p->bytes);
  int64_t step = columns_of(p) * (p->rhs_n_stride == 1 && !p->gather_panels ? PACKED_AT_ONCE : 1), part = hlo_team_share(team, p->n, step, nanoseconds);
  block b = {.product = p, .rhs_panels = scratch, .part = least(part, APART_BYTES / p->bytes)};
  hlo_team_run(team, hlo_ceil_div(p->n, b.part), nanoseconds, multiply_apart, &b);
}

void hlo_product_run(const hlo_product *p, void *scratch, hlo_team *team) {
  assert(p->m > 0 && p->n > 0 && p->k > 0);
  if (packs_apart(p)) {
    run_apart(p, scratch, team);
    return;
  }
  block b = {.product = p, .rhs_panels = scratch};
  if (scratch) b.lhs_rows = b.rhs_panels + rhs_bytes(p); /* NULL: nothing is packed */
  int64_t k_step = k_block(p);
  for (b.column = 0; b.column < p->n; b.column += HLO_PRODUCT_N_BLOCK) {
    b.columns = least(p->n - b.column, HLO_PRODUCT_N_BLOCK);
    for (b.k_begin = 0; b.k_begin < p->k; b.k_begin += k_step) {
      b.k_count = least(p->k - b.k_begin, k_step);
      double nanoseconds = hlo_product_nanoseconds(p->m, b.columns, b.k_count, p->bytes);
      pack_block(&b, team);
      split(&b, team, nanoseconds);
      hlo_team_run(team, hlo_ceil_div(p->m, b.rows) * b.parts, nanoseconds, multiply_unit, &b);
    }
  }
}

void hlo_product_run_epilogue(const void *product_epilogue, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread) {
  const hlo_product_epilogue *e = product_epilogue;
  const hlo_product *p = e->product;
  const hlo_epilogue *epilogue = e->target.epilogue;
  int64_t offset = e->target.offset;
  thread += e->target.thread;
  bool has_contiguous_columns = !p->out_row && p->out_m_stride == 1 && (p->out_n_stride != 1 || columns == 1);
  if (has_contiguous_columns) {
    epilogue->run(epilogue, offset + row + column * p->out_n_stride, columns, p->out_n_stride, rows, thread);
  } else if (p->out_row) {
    for (int64_t r = row; r < row + rows; r++)
      epilogue->run(epilogue, offset + p->out_row(p->context, r) + column, 1, columns, columns, thread);
  } else {
    epilogue->run(epilogue, offset + row * p->out_m_stride + column * p->out_n_stride, rows, p->out_m_stride, columns, thread);
  }
}
