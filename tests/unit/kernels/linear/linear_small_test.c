/* Parts of linear algebra that routines call: copies of views, the greatest element, and singular values by quotients and differences. */
#include "kernels/linear/divide.h"
#include "kernels/linear/quotients.h"
#include "kernels/linear/small.h"
#include "linear_case.h"

static void check_copy(hlo_linear_type type, int n, hlo_small_part part, bool turns, bool conjugates) {
  hlo_linear l = {.type = type, .bytes = hlo_linear_bytes(type), .line = &hlo_line_kernels_of[type]};
  matrix a = linear_matrix(type, RANDOM, n, n), b = linear_matrix(type, RANDOM, n, n);
  char from[20 * 20 * 16], to[20 * 20 * 16];
  linear_store(type, &a, from), linear_store(type, &b, to);
  hlo_dense view = hlo_dense_of(from, n, n, n), out = hlo_dense_of(to, n, n, n);
  if (turns) view = hlo_dense_transposed(&view);
  view.conjugate = conjugates;
  if (part == HLO_SMALL_WHOLE) hlo_dense_copy(&l, &view, &out);
  else hlo_dense_copy_triangle(&l, &view, &out, part == HLO_SMALL_LOWER);
  matrix found = linear_load(type, to, n, n);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      bool copied = part == HLO_SMALL_WHOLE || (part == HLO_SMALL_LOWER ? c <= r : c >= r);
      number x = turns ? *matrix_at(&a, c, r) : *matrix_at(&a, r, c), expected = !copied ? *matrix_at(&b, r, c) : conjugates ? conj(x) : x;
      CHECK(*matrix_at(&found, r, c) == expected, "%s of order %d, part %d, turned %d, conjugate %d: (%d, %d)", linear_types[type], n, part, turns,
            conjugates, r, c);
    }
  matrix_free(&a), matrix_free(&b), matrix_free(&found);
}

/* The greatest element, in every place, with either part or both; what is not finite is found as well, and a NaN before all else. */
static void check_most(hlo_linear_type type, int count) {
  static const double values[] = {3, -3, INFINITY, -INFINITY, NAN};
  char line[16 * 16];
  for (int place = 0; place < count; place++)
    for (int v = 0; v < 5; v++)
      for (int part = 0; part <= 2 * linear_is_complex(type); part++) {
        matrix m = linear_matrix(type, RANDOM, 1, count);
        m.at[place] = __builtin_complex(part == 1 ? 0 : values[v], part == 0 ? 0 : values[v]);
        if (count > 1 && isnan(values[v])) m.at[(place + 1) % count] = INFINITY;
        linear_store(type, &m, line);
        double most = hlo_line_kernels_of[type].most(count, line), expected = fabs(values[v]) * (part == 2 ? 2 : 1);
        CHECK(isnan(expected) ? isnan(most) : most == expected, "%s, %d elements, %g at %d: %g", linear_types[type], count, values[v], place, most);
        matrix_free(&m);
      }
}

enum { KINDS = 8 };

/* Bidiagonal matrices: random ones, those of random matrices, graded both ways, nearly equal values, zeros in them, all sizes. */
static void fill(int kind, int n, double *d, double *off) {
  for (int i = 0; i < n; i++) {
    double x = random_signed(), y = random_signed();
    const double diagonal[KINDS] = {x, sqrt(n - i + x), pow(10, -i), pow(10, i - n), 1, i % 3 != 1, pow(10, 10 * x), i % 4 == 2 ? 0 : x};
    const double above[KINDS] = {y, sqrt(n - i - 0.9 + y / 10), x * pow(10, -i), pow(10, i - n), 1e-9 * y, i % 5 != 2, pow(10, 10 * y), y};
    d[i] = diagonal[kind];
    off[i] = above[kind];
  }
}

static void check_quotients(int kind, int n) {
  enum { MOST = 80 };
  double d[MOST], off[MOST], kept[MOST], room[5 * MOST], expected[MOST], most = 0;
  fill(kind, n, d, off);
  for (int i = 0; i < n; i++) most = fmax(most, fmax(fabs(d[i]), fabs(off[i])));
  hlo_linear l = {.type = HLO_LINEAR_F64, .bytes = 8, .line = &hlo_line_kernels_of[HLO_LINEAR_F64]};
  int64_t products = hlo_linear_product_bytes(HLO_LINEAR_F64, n, 1);
  int64_t bytes = products + hlo_divide_bytes(n) + 2 * hlo_dense_bytes(HLO_LINEAR_F64, n, n);
  char *scratch = aligned_alloc(64, (size_t)bytes);
  l.product_scratch = scratch, l.free = scratch + products, l.end = scratch + bytes;
  hlo_dense left = hlo_dense_take(&l, n, n), right = hlo_dense_take(&l, n, n);
  int order[MOST];
  memcpy(expected, d, sizeof d), memcpy(kept, off, sizeof off);
  hlo_bidiagonal_divide(&l, n, expected, kept, &left, &right, order);
  hlo_values_sort(n, expected);
  for (int single = 0; single < 2; single++) {
    double values[MOST];
    memcpy(values, d, sizeof d);
    bool ends = hlo_quotients_values(n, single ? 0x1p-30 : 0x1p-54, values, off, room);
    hlo_values_sort(n, values);
    CHECK(ends, "kind %d, order %d", kind, n);
    for (int i = 0; i < n; i++) {
      double apart = fabs(values[i] - expected[i]) / most;
      CHECK(apart <= (single ? 0x1p-26 : (n + 20) * 0x1p-53), "kind %d, order %d, value %d: %g, not %g", kind, n, i, values[i], expected[i]);
    }
  }
  free(scratch);
}

static void check_slow(void) {
  double d[] = {1, NAN, 2}, off[] = {1, 1}, room[15];
  CHECK(!hlo_quotients_values(3, 0x1p-54, d, off, room) && d[0] == 1 && d[2] == 2, "%g and %g are left", d[0], d[2]);
}

int main(void) {
  for (int type = 0; type < 4; type++) {
    for (int form = 0; form < 12; form++)
      for (int n = 1; n <= 20; n += n < 4 ? 1 : 4) check_copy(type, n, form % 3, form / 3 & 1, form / 6);
    for (int count = 1; count <= 9; count++) check_most(type, count);
  }
  for (int kind = 0; kind < KINDS; kind++)
    for (int n = 1; n <= 80; n += n < 12 ? 1 : 17) check_quotients(kind, n);
  check_slow();
  return unit_report();
}
