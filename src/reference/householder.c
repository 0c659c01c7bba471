/* Reflections: QR with and without pivots, and the Hessenberg form. */
#include <math.h>

#include "reference/dense_matrix.h"

/* The Euclidean norm, without overflow on the way. */
static double norm_of(const hlo_complex *x, int64_t count, int64_t stride) {
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < count; i++) largest = fmax(largest, hlo_complex_abs(x[i * stride]));
  if (largest == 0 || !isfinite(largest)) return largest;
  for (int64_t i = 0; i < count; i++) {
    double part = hlo_complex_abs(x[i * stride]) / largest;
    sum += part * part;
  }
  return largest * sqrt(sum);
}

hlo_complex hlo_reflector(hlo_complex *alpha, hlo_complex *x, int64_t count, int64_t stride) {
  double tail = norm_of(x, count, stride);
  if (tail == 0 && (*alpha)[1] == 0) return hlo_complex_from(0);
  double beta = -copysign(hlo_complex_abs((hlo_complex){hlo_complex_abs(*alpha), tail}), (*alpha)[0]);
  hlo_complex tau = {(beta - (*alpha)[0]) / beta, -(*alpha)[1] / beta}, pivot = *alpha - hlo_complex_from(beta);
  for (int64_t i = 0; i < count; i++) x[i * stride] = hlo_complex_divide(x[i * stride], pivot);
  *alpha = hlo_complex_from(beta);
  return tau;
}

void hlo_reflect_rows(hlo_matrix *m, int64_t first, int64_t from, int64_t to, const hlo_complex *v, hlo_complex tau) {
  for (int64_t col = from; col < to; col++) {
    hlo_complex along = hlo_line_product(m->rows - first, v, 1, true, hlo_at(m, first, col), m->cols);
    hlo_line_add(m->rows - first, -hlo_complex_multiply(tau, along), v, 1, false, hlo_at(m, first, col), m->cols);
  }
}

void hlo_reflect_columns(hlo_matrix *m, int64_t first, int64_t from, int64_t to, const hlo_complex *v, hlo_complex tau) {
  for (int64_t row = from; row < to; row++) {
    hlo_complex along = hlo_line_product(m->cols - first, v, 1, false, hlo_at(m, row, first), 1);
    hlo_line_add(m->cols - first, -hlo_complex_multiply(tau, along), v, 1, true, hlo_at(m, row, first), 1);
  }
}

/* v of the reflection kept in column `col` from row `first` down. */
static void read_reflector(const hlo_matrix *a, int64_t first, int64_t col, hlo_complex *v) {
  v[0] = hlo_complex_from(1);
  for (int64_t i = first + 1; i < a->rows; i++) v[i - first] = *hlo_at(a, i, col);
}

static void swap_columns(hlo_matrix *a, int64_t *pivots, int64_t i, int64_t k) {
  if (i == k) return;
  hlo_line_swap(a->rows, hlo_at(a, 0, i), hlo_at(a, 0, k), a->cols);
  int64_t kept = pivots[i];
  pivots[i] = pivots[k];
  pivots[k] = kept;
}

/* Columns marked on entry come first, in their order; returns how many. */
static int64_t number_pivots(hlo_matrix *a, int64_t *pivots, hlo_arena *arena, hlo_status *status) {
  bool *fixed = hlo_arena_many(arena, bool, a->cols, status);
  int64_t count = 0;
  if (!fixed) return -1;
  for (int64_t k = 0; k < a->cols; k++) {
    fixed[k] = pivots[k] != 0;
    pivots[k] = k + 1;
  }
  for (int64_t k = 0; k < a->cols; k++)
    if (fixed[k]) swap_columns(a, pivots, count++, k);
  return count;
}

static int64_t longest_column(const hlo_matrix *a, int64_t from) {
  int64_t best = from;
  double length = -1;
  for (int64_t k = from; k < a->cols; k++) {
    double this_length = norm_of(hlo_at(a, from, k), a->rows - from, a->cols);
    if (this_length > length) best = k, length = this_length;
  }
  return best;
}

bool hlo_qr(hlo_matrix *a, hlo_complex *taus, int64_t *pivots, hlo_arena *arena, hlo_status *status) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, status);
  int64_t fixed = pivots ? number_pivots(a, pivots, arena, status) : 0;
  if (!v || fixed < 0) return false;
  for (int64_t k = 0; k < a->rows && k < a->cols; k++) {
    if (pivots && k >= fixed) swap_columns(a, pivots, k, longest_column(a, k));
    int64_t below = a->rows - k - 1;
    taus[k] = hlo_reflector(hlo_at(a, k, k), below ? hlo_at(a, k + 1, k) : NULL, below, a->cols);
    read_reflector(a, k, k, v);
    hlo_reflect_rows(a, k, k + 1, a->cols, v, hlo_conj(taus[k]));
  }
  return true;
}

hlo_matrix hlo_qr_product(const hlo_matrix *a, const hlo_complex *taus, int64_t count, hlo_arena *arena, hlo_status *status) {
  hlo_matrix q = hlo_matrix_identity(arena, a->rows, a->cols, status);
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, status);
  for (int64_t k = count - 1; q.at && v && k >= 0; k--) {
    read_reflector(a, k, k, v);
    hlo_reflect_rows(&q, k, 0, a->cols, v, taus[k]);
  }
  return q;
}

bool hlo_hessenberg(hlo_matrix *a, hlo_complex *taus, int64_t low, int64_t high, hlo_arena *arena, hlo_status *status) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, status);
  if (!v) return false;
  for (int64_t k = low; k + 1 < high; k++) {
    int64_t below = high - k - 2;
    taus[k] = hlo_reflector(hlo_at(a, k + 1, k), below ? hlo_at(a, k + 2, k) : NULL, below, a->cols);
    for (int64_t i = 0; i < a->rows; i++) v[i] = hlo_complex_from(0);
    v[0] = hlo_complex_from(1);
    for (int64_t i = 0; i < below; i++) v[i + 1] = *hlo_at(a, k + 2 + i, k);
    hlo_reflect_columns(a, k + 1, 0, high, v, taus[k]);
    hlo_reflect_rows(a, k + 1, k + 1, a->cols, v, hlo_conj(taus[k]));
  }
  return true;
}
