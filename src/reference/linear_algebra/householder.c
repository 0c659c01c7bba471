/* Reflections: QR with and without pivots, and the Hessenberg form. */
#include <math.h>

#include "base/arena.h"
#include "base/status.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"

/* Returns the Euclidean norm; squares do not overflow on the way. */
static double norm_of(const hlo_complex *x, ptrdiff_t count, ptrdiff_t stride) {
  double largest = 0, sum = 0;
  for (ptrdiff_t i = 0; i < count; i++) largest = fmax(largest, hlo_complex_abs(x[i * stride]));
  if (largest == 0 || !isfinite(largest)) return largest;
  for (ptrdiff_t i = 0; i < count; i++) {
    double part = hlo_complex_abs(x[i * stride]) / largest;
    sum += part * part;
  }
  return largest * sqrt(sum);
}

hlo_complex hlo_reflector(hlo_complex *alpha, hlo_complex *x, ptrdiff_t count, ptrdiff_t stride) {
  double tail = norm_of(x, count, stride);
  if (tail == 0 && (*alpha)[1] == 0) return hlo_complex_from(0);
  double beta = -copysign(hlo_complex_abs((hlo_complex){hlo_complex_abs(*alpha), tail}), (*alpha)[0]);
  hlo_complex tau = {(beta - (*alpha)[0]) / beta, -(*alpha)[1] / beta}, pivot = *alpha - hlo_complex_from(beta);
  for (ptrdiff_t i = 0; i < count; i++) x[i * stride] = hlo_complex_divide(x[i * stride], pivot);
  *alpha = hlo_complex_from(beta);
  return tau;
}

void hlo_reflect_rows(hlo_matrix *m, ptrdiff_t first, ptrdiff_t count, ptrdiff_t from, ptrdiff_t to, const hlo_complex *v,
                      hlo_complex tau) {
  for (ptrdiff_t col = from; col < to; col++) {
    hlo_complex *line = hlo_at(m, first, col), along = hlo_line_product(count, v, 1, true, line, m->cols);
    hlo_line_add(count, -hlo_complex_multiply(tau, along), v, 1, false, line, m->cols);
  }
}

void hlo_reflect_columns(hlo_matrix *m, ptrdiff_t first, ptrdiff_t count, ptrdiff_t from, ptrdiff_t to, const hlo_complex *v,
                         hlo_complex tau) {
  for (ptrdiff_t row = from; row < to; row++) {
    hlo_complex *line = hlo_at(m, row, first), along = hlo_line_product(count, v, 1, false, line, 1);
    hlo_line_add(count, -hlo_complex_multiply(tau, along), v, 1, true, line, 1);
  }
}

/* Reads the vector v of the reflection that is kept in column `col`, in `count` rows from row `first` down. */
static void read_reflector(const hlo_matrix *a, ptrdiff_t first, ptrdiff_t count, ptrdiff_t col, hlo_complex *v) {
  v[0] = hlo_complex_from(1);
  for (ptrdiff_t i = 1; i < count; i++) v[i] = *hlo_at(a, first + i, col);
}

/* Makes the reflection that zeroes all but the first of these elements, keeps it in their place, and reads its vector. */
static hlo_complex make_reflector(hlo_matrix *a, ptrdiff_t first, ptrdiff_t count, ptrdiff_t col, hlo_complex *v) {
  hlo_complex *top = hlo_at(a, first, col), tau = hlo_reflector(top, top + a->cols, count - 1, a->cols);
  read_reflector(a, first, count, col, v);
  return tau;
}

static void swap_columns(hlo_matrix *a, ptrdiff_t *pivots, ptrdiff_t i, ptrdiff_t k) {
  if (i == k) return;
  hlo_line_swap(a->rows, hlo_at(a, 0, i), hlo_at(a, 0, k), a->cols);
  ptrdiff_t kept = pivots[i];
  pivots[i] = pivots[k];
  pivots[k] = kept;
}

/* Moves the columns that are marked on entry to the front, in their order. Returns how many there are. */
static ptrdiff_t number_pivots(hlo_matrix *a, ptrdiff_t *pivots, hlo_arena *arena, hlo_status *status) {
  bool *fixed = hlo_arena_many(arena, bool, a->cols, status);
  ptrdiff_t count = 0;
  if (!fixed) return -1;
  for (ptrdiff_t k = 0; k < a->cols; k++) {
    fixed[k] = pivots[k] != 0;
    pivots[k] = k + 1;
  }
  for (ptrdiff_t k = 0; k < a->cols; k++)
    if (fixed[k]) swap_columns(a, pivots, count++, k);
  return count;
}

static ptrdiff_t longest_column(const hlo_matrix *a, ptrdiff_t from) {
  ptrdiff_t best = from;
  double length = -1;
  for (ptrdiff_t k = from; k < a->cols; k++) {
    double this_length = norm_of(hlo_at(a, from, k), a->rows - from, a->cols);
    if (this_length > length) best = k, length = this_length;
  }
  return best;
}

bool hlo_qr(hlo_matrix *a, hlo_complex *taus, ptrdiff_t *pivots, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, evaluation->status);
  ptrdiff_t fixed = pivots ? number_pivots(a, pivots, arena, evaluation->status) : 0;
  if (!v || fixed < 0) return false;
  for (ptrdiff_t k = 0; k < a->rows && k < a->cols; k++) {
    if (!hlo_reference_tick(evaluation, (a->rows - k) * (a->cols - k))) return false;
    if (pivots && k >= fixed) swap_columns(a, pivots, k, longest_column(a, k));
    taus[k] = make_reflector(a, k, a->rows - k, k, v);
    hlo_reflect_rows(a, k, a->rows - k, k + 1, a->cols, v, hlo_conj(taus[k]));
  }
  return true;
}

bool hlo_qr_multiply(const hlo_matrix *a, const hlo_complex *taus, ptrdiff_t count, bool left, bool adjoint, hlo_matrix *c, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, evaluation->status);
  for (ptrdiff_t i = 0; v && i < count; i++) {
    ptrdiff_t k = left == adjoint ? i : count - 1 - i;
    hlo_complex tau = adjoint ? hlo_conj(taus[k]) : taus[k];
    if (!hlo_reference_tick(evaluation, (a->rows - k) * (left ? c->cols : c->rows))) return false;
    read_reflector(a, k, a->rows - k, k, v);
    if (left) hlo_reflect_rows(c, k, a->rows - k, 0, c->cols, v, tau);
    else hlo_reflect_columns(c, k, a->rows - k, 0, c->rows, v, tau);
  }
  return v != NULL;
}

hlo_matrix hlo_qr_product(const hlo_matrix *a, const hlo_complex *taus, ptrdiff_t count, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_matrix q = hlo_matrix_identity(arena, a->rows, a->cols, evaluation->status);
  return q.at && hlo_qr_multiply(a, taus, count, true, false, &q, arena, evaluation) ? q : (hlo_matrix){0};
}

bool hlo_hessenberg(hlo_matrix *a, hlo_complex *taus, ptrdiff_t low, ptrdiff_t high, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, evaluation->status);
  for (ptrdiff_t k = low; v && k + 1 < high; k++) {
    ptrdiff_t count = high - k - 1;
    if (!hlo_reference_tick(evaluation, count * (high + a->cols - k))) return false;
    taus[k] = make_reflector(a, k + 1, count, k, v);
    hlo_reflect_columns(a, k + 1, count, 0, high, v, taus[k]);
    hlo_reflect_rows(a, k + 1, count, k + 1, a->cols, v, hlo_conj(taus[k]));
  }
  return v != NULL;
}

bool hlo_hessenberg_split(hlo_matrix *a, hlo_matrix *q, const hlo_complex *taus, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_complex *v = hlo_arena_many(arena, hlo_complex, a->rows + 1, evaluation->status);
  for (ptrdiff_t k = a->rows - 2; v && k >= 0; k--) {
    ptrdiff_t count = a->rows - k - 1;
    if (!hlo_reference_tick(evaluation, count * a->rows)) return false;
    read_reflector(a, k + 1, count, k, v);
    hlo_reflect_rows(q, k + 1, count, 0, a->rows, v, taus[k]);
    for (ptrdiff_t i = k + 2; i < a->rows; i++) *hlo_at(a, i, k) = hlo_complex_from(0);
  }
  return v != NULL;
}
