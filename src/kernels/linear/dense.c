/* Views of matrices: taking, copying, and products by kernels/product/product.h.
 *
 * A product of complex matrices is one of real matrices: rows of a are read as they lie, as twice as many real numbers, and each number
 * x + iy of b becomes the block [x y; -y x], as panels of b are gathered. Nothing is multiplied in vain, and the output is as it should lie. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "base/team.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/small.h"
#include "kernels/product/product.h"

static bool is_complex(hlo_linear_type type) { return type >= HLO_LINEAR_C64; }
static bool is_single(hlo_linear_type type) { return type % 2 == 0; }

hlo_number hlo_number_inverse(hlo_number a) {
  double scale = fabs(a[0]) > fabs(a[1]) ? fabs(a[0]) : fabs(a[1]);
  if (a[1] == 0) return (hlo_number){1 / a[0], 0};
  a /= scale;
  return hlo_number_conjugate(a) / (a[0] * a[0] + a[1] * a[1]) / scale;
}

/* ---- The scratch ---- */

void *hlo_linear_take(hlo_linear *l, int64_t bytes) {
  char *taken = l->free;
  l->free += hlo_aligned(bytes);
  assert(l->free <= l->end);
  return taken;
}

static int64_t row_step(hlo_linear_type type, int64_t cols) {
  int bytes = hlo_linear_bytes(type);
  return ((cols * bytes + HLO_ALIGNMENT - 1) / HLO_ALIGNMENT | 1) * HLO_ALIGNMENT / bytes;
}

int64_t hlo_dense_bytes(hlo_linear_type type, int64_t rows, int64_t cols) { return rows * row_step(type, cols) * hlo_linear_bytes(type); }

hlo_dense hlo_dense_take(hlo_linear *l, int rows, int cols) {
  return hlo_dense_of(hlo_linear_take(l, hlo_dense_bytes(l->type, rows, cols)), rows, cols, (ptrdiff_t)row_step(l->type, cols));
}

bool hlo_linear_stops(const hlo_linear *l, double multiplications) {
  return l->team && l->team->is_stopped && hlo_team_stops(l->team, multiplications * 0.1);
}

/* ---- Elements ---- */

hlo_number hlo_dense_get(const hlo_linear *l, const hlo_dense *v, int row, int col) {
  hlo_number value = l->line->get(hlo_dense_at(l, v, row, col));
  return v->conjugate ? hlo_number_conjugate(value) : value;
}

void hlo_dense_set(const hlo_linear *l, const hlo_dense *v, int row, int col, hlo_number value) {
  l->line->set(hlo_dense_at(l, v, row, col), value);
}

enum { BLOCK = 16 }; /* rows and columns that are copied at a time, so that lines of the cache are used whole both ways */

static void copy_block(const hlo_linear *l, const hlo_dense *from, const hlo_dense *to, int row, int col) {
  int rows = to->rows - row < BLOCK ? to->rows - row : BLOCK, cols = to->cols - col < BLOCK ? to->cols - col : BLOCK;
  hlo_dense part = hlo_dense_part(l, from, row, col, rows, cols), to_part = hlo_dense_part(l, to, row, col, rows, cols);
  hlo_small_kernels_of[l->type].copy(&part, &to_part, HLO_SMALL_WHOLE);
}

void hlo_dense_copy(const hlo_linear *l, const hlo_dense *from, const hlo_dense *to) {
  for (int row = 0; row < to->rows; row += BLOCK)
    for (int col = 0; col < to->cols; col += BLOCK) copy_block(l, from, to, row, col);
}

void hlo_dense_copy_triangle(const hlo_linear *l, const hlo_dense *from, const hlo_dense *to, bool lower) {
  int n = to->rows;
  for (int first = 0; first < n; first += BLOCK) {
    int rows = first + BLOCK < n ? BLOCK : n - first, end = first + rows, col = lower ? 0 : end, cols = lower ? first : n - end;
    hlo_dense beside = hlo_dense_part(l, from, first, col, rows, cols), to_beside = hlo_dense_part(l, to, first, col, rows, cols);
    hlo_dense square = hlo_dense_part(l, from, first, first, rows, rows), to_square = hlo_dense_part(l, to, first, first, rows, rows);
    hlo_dense_copy(l, &beside, &to_beside);
    hlo_small_kernels_of[l->type].copy(&square, &to_square, lower ? HLO_SMALL_LOWER : HLO_SMALL_UPPER);
  }
}

void hlo_dense_fill(const hlo_linear *l, const hlo_dense *to, double diagonal) {
  bool whole = to->down == to->cols;
  for (int r = 0; r < (whole ? 1 : to->rows); r++) memset(hlo_dense_at(l, to, r, 0), 0, (size_t)(whole ? to->rows : 1) * (size_t)(to->cols * l->bytes));
  for (int r = 0; diagonal != 0 && r < to->rows && r < to->cols; r++) hlo_dense_set(l, to, r, r, hlo_number_from(diagonal));
}

double hlo_dense_largest(const hlo_linear *l, const hlo_dense *v) {
  double most = 0;
  for (int r = 0; r < v->rows; r++) {
    double size = l->line->most(v->cols, hlo_dense_at(l, v, r, 0));
    if (!(size <= most)) most = size;
    if (size != size) break;
  }
  return most;
}

void hlo_dense_times(const hlo_linear *l, const hlo_dense *v, double factor) {
  for (int r = 0; factor != 1 && r < v->rows; r++) l->line->scale(v->cols, hlo_number_from(factor), hlo_dense_at(l, v, r, 0));
}

double hlo_dense_scale(const hlo_linear *l, const hlo_dense *v, bool *finite) {
  double most = hlo_dense_largest(l, v);
  *finite = most < INFINITY;
  double limit = is_single(l->type) ? 0x1p40 : 0x1p100;
  int exponent;
  if (!*finite || most == 0 || (most < limit && most > 1 / limit)) return 1;
  frexp(most, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* ---- Products ---- */

typedef struct factors {
  const hlo_dense *a, *b;
  bool negated;
  int parts; /* real numbers of an element */
} factors;

/* panel[r, k] = +-a[row + r, k], whose imaginary part has its sign changed where a is conjugated. */
#define GATHER_LHS(name, number)                                                                                                \
  static void name(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel) {                 \
    const factors *f = context;                                                                                                 \
    const number signs[2] = {f->negated ? -1 : 1, f->negated == f->a->conjugate ? 1 : -1};                                      \
    number *to = panel;                                                                                                         \
    for (int r = 0; r < rows; r++) {                                                                                            \
      const number *from = (const number *)f->a->at + ((row + r) * f->a->down) * f->parts + k_begin * f->a->across;             \
      for (int64_t k = 0; k < k_count; k += f->parts, from += f->a->across * f->parts)                                          \
        for (int part = 0; part < f->parts; part++) *to++ = signs[part] * from[part];                                           \
    }                                                                                                                           \
  }
GATHER_LHS(gather_f32_lhs, float)
GATHER_LHS(gather_f64_lhs, double)

/* The blocks [x y; -y x] of complex numbers, in panels of `width` real columns. */
#define GATHER_RHS(name, number)                                                                                                \
  static void name(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, void *panel) {           \
    enum { WIDTH = HLO_PRODUCT_PANEL_BYTES / sizeof(number) };                                                                  \
    const hlo_dense *b = ((const factors *)context)->b;                                                                          \
    number *to = panel, sign = b->conjugate ? -1 : 1;                                                                           \
    for (int64_t k = 0; k < k_count; k += 2, to += 2 * WIDTH) {                                                                 \
      const number *from = (const number *)b->at + (k_begin + k) * b->down + column * b->across;                                \
      for (int c = 0; c < WIDTH; c += 2, from += 2 * b->across) {                                                               \
        number x = c < columns ? from[0] : 0, y = c < columns ? sign * from[1] : 0;                                             \
        to[c] = to[WIDTH + c + 1] = x;                                                                                          \
        to[c + 1] = y;                                                                                                          \
        to[WIDTH + c] = -y;                                                                                                     \
      }                                                                                                                         \
    }                                                                                                                           \
  }
GATHER_RHS(gather_c64_rhs, float)
GATHER_RHS(gather_c128_rhs, double)

int64_t hlo_linear_product_bytes(hlo_linear_type type, int64_t side, int threads) {
  side *= 1 + is_complex(type);
  int64_t k = side < HLO_PRODUCT_K_BLOCK ? side : HLO_PRODUCT_K_BLOCK;
  hlo_product p = {.m = side, .n = side, .k = k, .bytes = is_single(type) ? 4 : 8, .gather_lhs = gather_f32_lhs, .gather_rhs = gather_c64_rhs};
  return hlo_aligned((int64_t)hlo_product_scratch_bytes(&p, threads));
}

void hlo_linear_multiply(hlo_linear *l, const hlo_dense *a, const hlo_dense *b, hlo_linear_sum sum, const hlo_dense *out) {
  if (out->rows == 0 || out->cols == 0 || a->cols == 0) return;
  if (out->across != 1) {
    hlo_dense turned_a = hlo_dense_transposed(b), turned_b = hlo_dense_transposed(a), turned = hlo_dense_transposed(out);
    hlo_linear_multiply(l, &turned_a, &turned_b, sum, &turned);
    return;
  }
  bool single = is_single(l->type), complex_type = is_complex(l->type);
  factors f = {a, b, sum == HLO_LINEAR_SUBTRACT, 1 + complex_type};
  hlo_product p = {.m = a->rows, .n = (int64_t)b->cols * f.parts, .k = (int64_t)a->cols * f.parts, .bytes = single ? 4 : 8,
                   .tile = hlo_product_float_tile(single), .adds = sum != HLO_LINEAR_SET, .context = &f,
                   .lhs = a->at, .lhs_m_stride = a->down * f.parts, .lhs_k_stride = a->across, .rhs = b->at, .rhs_k_stride = b->down,
                   .rhs_n_stride = b->across, .out = out->at, .out_m_stride = out->down * f.parts, .out_n_stride = 1};
  if (f.negated || (complex_type && (a->conjugate || a->across != 1))) p.gather_lhs = single ? gather_f32_lhs : gather_f64_lhs;
  if (complex_type) p.gather_rhs = single ? gather_c64_rhs : gather_c128_rhs;
  hlo_product_run(&p, l->product_scratch, l->team);
}
