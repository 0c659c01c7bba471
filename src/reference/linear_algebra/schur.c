/* Schur forms by QR iteration with Francis's double shifts, and the eigenvectors that they give.
 *
 * G. H. Golub, C. F. Van Loan, "Matrix Computations", chapter 7. Real matrices stay real: both shifts enter by sum and product. */
#include <math.h>

#include "base/arena.h"
#include "base/status.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"

enum { MOST_ROUNDS = 60 }; /* for each eigenvalue */

/* Returns the first row of the active block that ends at row `last`: the subdiagonal element before it is negligible beside its
 * neighbours, or not above `negligible`, and set to 0. */
static ptrdiff_t block_start(hlo_matrix *t, ptrdiff_t last, double negligible) {
  ptrdiff_t first = last;
  for (; first > 0; first--) {
    hlo_complex *below = hlo_at(t, first, first - 1);
    double around = hlo_complex_size(*hlo_at(t, first - 1, first - 1)) + hlo_complex_size(*hlo_at(t, first, first));
    if (hlo_complex_size(*below) <= 0x1p-53 * around + negligible) {
      *below = hlo_complex_from(0);
      break;
    }
  }
  return first;
}

/* t := G t G^H, z := z G^H for the rotation of rows i, i+1 with G (f, g) = (r, 0). */
static void rotate(hlo_matrix *t, hlo_matrix *z, ptrdiff_t i, hlo_complex f, hlo_complex g) {
  double length = hlo_complex_abs((hlo_complex){hlo_complex_abs(f), hlo_complex_abs(g)});
  if (length == 0) return;
  hlo_complex c = f / length, s = g / length;
  const hlo_complex rows[] = {hlo_conj(c), hlo_conj(s), -s, c}, columns[] = {c, s, -hlo_conj(s), hlo_conj(c)};
  hlo_line_turn(t->cols - i, hlo_at(t, i, i), hlo_at(t, i + 1, i), 1, rows);
  hlo_line_turn(z->rows, hlo_at(z, 0, i), hlo_at(z, 0, i + 1), z->cols, columns);
  hlo_line_turn(i + 2, hlo_at(t, 0, i), hlo_at(t, 0, i + 1), t->cols, columns);
}

/* A block of two at [i, i]: half the difference of its diagonal elements, and the square of half the difference of its
 * eigenvalues. */
static hlo_complex discriminant(const hlo_matrix *t, ptrdiff_t i, hlo_complex *half) {
  *half = (*hlo_at(t, i, i) - *hlo_at(t, i + 1, i + 1)) / 2;
  return hlo_complex_multiply(*half, *half) + hlo_complex_multiply(*hlo_at(t, i, i + 1), *hlo_at(t, i + 1, i));
}

/* Makes a block of two a triangle: rotates the eigenvector of one eigenvalue to the first axis. It is the eigenvalue farther
 * from the last element; of two conjugates, which are equally far, the one with the positive imaginary part. */
static void split_pair(hlo_matrix *t, hlo_matrix *z, ptrdiff_t i) {
  hlo_complex half, root = hlo_complex_sqrt(discriminant(t, i, &half));
  if (hlo_complex_abs(half - root) > hlo_complex_abs(half + root)) root = -root;
  rotate(t, z, i, half + root, *hlo_at(t, i + 1, i));
  *hlo_at(t, i + 1, i) = hlo_complex_from(0);
}

/* Makes the diagonal elements of a block of two equal; its eigenvalues are a pair of conjugates. */
static void standardise_pair(hlo_matrix *t, hlo_matrix *z, ptrdiff_t i) {
  hlo_complex *a = hlo_at(t, i, i), *d = hlo_at(t, i + 1, i + 1);
  double angle = atan2((*d - *a)[0], (*hlo_at(t, i, i + 1) + *hlo_at(t, i + 1, i))[0]) / 2;
  rotate(t, z, i, hlo_complex_from(cos(angle)), hlo_complex_from(sin(angle)));
  *a = *d = (*a + *d) / 2;
}

/* One implicit double step with the eigenvalues of the last block of two as shifts: reflections of three rows, and columns. */
static void francis_round(hlo_matrix *t, hlo_matrix *z, ptrdiff_t first, ptrdiff_t last, int round) {
  hlo_complex a = *hlo_at(t, last - 1, last - 1), b = *hlo_at(t, last - 1, last), c = *hlo_at(t, last, last - 1),
              d = *hlo_at(t, last, last), sum = a + d, product = hlo_complex_multiply(a, d) - hlo_complex_multiply(b, c);
  if (round % 10 == 9) {
    double jump = hlo_complex_size(c) + hlo_complex_size(*hlo_at(t, last - 1, last - 2));
    sum = hlo_complex_from(1.5 * jump), product = hlo_complex_from(jump * jump);
  }
  a = *hlo_at(t, first, first), b = *hlo_at(t, first, first + 1);
  c = *hlo_at(t, first + 1, first), d = *hlo_at(t, first + 1, first + 1);
  hlo_complex v[3] = {hlo_complex_multiply(a, a - sum) + hlo_complex_multiply(b, c) + product, hlo_complex_multiply(c, a + d - sum),
                      hlo_complex_multiply(c, *hlo_at(t, first + 2, first + 1))};
  for (ptrdiff_t i = first; i < last; i++) {
    ptrdiff_t count = last - i + 1 < 3 ? last - i + 1 : 3, before = i > first ? i - 1 : i, to = i + 3 < last ? i + 3 : last;
    hlo_complex tau = hlo_reflector(&v[0], &v[1], count - 1, 1);
    v[0] = hlo_complex_from(1);
    hlo_reflect_rows(t, i, count, before, t->cols, v, hlo_conj(tau));
    hlo_reflect_columns(t, i, count, 0, to + 1, v, tau);
    hlo_reflect_columns(z, i, count, 0, z->rows, v, tau);
    for (ptrdiff_t r = 1; r < count; r++) {
      if (i > first) *hlo_at(t, i + r, i - 1) = hlo_complex_from(0);
      v[r - 1] = *hlo_at(t, i + r, i);
    }
    v[2] = i + 3 <= last ? *hlo_at(t, i + 3, i) : hlo_complex_from(0);
  }
}

bool hlo_schur(hlo_matrix *t, hlo_matrix *z, bool is_real, hlo_evaluation *evaluation) {
  int round = 0;
  /* Rounding errors of this size, where zeros should be, would keep the iteration from ending. */
  double negligible = 0x1p-60 * hlo_matrix_largest(t);
  for (ptrdiff_t last = t->rows - 1; last > 0;) {
    ptrdiff_t first = block_start(t, last, round < 10 ? 0 : negligible);
    if (first + 1 < last) {
      if (round == MOST_ROUNDS || !hlo_reference_tick(evaluation, (last - first) * 3 * t->rows)) return false;
      francis_round(t, z, first, last, round++);
      continue;
    }
    hlo_complex half;
    if (first + 1 == last && is_real && discriminant(t, first, &half)[0] < 0) standardise_pair(t, z, first);
    else if (first + 1 == last) split_pair(t, z, first);
    last = first - 1, round = 0;
  }
  return true;
}

void hlo_schur_split_pairs(hlo_matrix *t, hlo_matrix *z) {
  for (ptrdiff_t i = 0; i + 1 < t->rows; i++)
    if (!hlo_complex_is_zero(*hlo_at(t, i + 1, i))) split_pair(t, z, i);
}

/* ---- Eigenvectors ---- */

/* Solves (t - lambda) x = 0 with x[k] = 1, upwards from k; or, for left vectors, y^H (t - lambda) = 0 downwards. */
static void solve_vector(const hlo_matrix *t, ptrdiff_t k, bool left, double tiny, hlo_complex *x) {
  hlo_complex lambda = *hlo_at(t, k, k);
  for (ptrdiff_t i = 0; i < t->rows; i++) x[i] = hlo_complex_from(i == k);
  for (ptrdiff_t step = 1; left ? k + step < t->rows : k - step >= 0; step++) {
    ptrdiff_t i = left ? k + step : k - step;
    hlo_complex pivot = *hlo_at(t, i, i) - lambda;
    hlo_complex sum = left ? hlo_line_product(step, hlo_at(t, k, i), t->cols, true, &x[k], 1)
                              : hlo_line_product(step, hlo_at(t, i, i + 1), 1, false, &x[i + 1], 1);
    if (hlo_complex_abs(pivot) < tiny) pivot = hlo_complex_from(tiny);
    x[i] = hlo_complex_divide(-sum, left ? hlo_conj(pivot) : pivot);
  }
}

hlo_matrix hlo_schur_vectors(const hlo_matrix *t, const hlo_matrix *z, bool left, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_status *status = evaluation->status;
  hlo_matrix solved = hlo_matrix_make(arena, t->rows, t->rows, status), vectors = {0};
  hlo_complex *x = hlo_arena_many(arena, hlo_complex, t->rows + 1, status);
  if (!solved.at || !x) return vectors;
  double tiny = fmax(hlo_matrix_largest(t) * 0x1p-53, 0x1p-1000);
  for (ptrdiff_t k = 0; k < t->rows; k++) {
    if (!hlo_reference_tick(evaluation, t->rows * t->rows / 2)) return vectors;
    solve_vector(t, k, left, tiny, x);
    for (ptrdiff_t i = 0; i < t->rows; i++) *hlo_at(&solved, i, k) = x[i];
  }
  return hlo_matrix_product(arena, z, &solved, evaluation);
}

/* Scales a vector as LAPACK does: to length 1 and, unless all of it is real, with its largest element real. */
static void normalise_column(hlo_matrix *m, ptrdiff_t k) {
  double sum = 0, largest = 0;
  hlo_complex phase = {1};
  for (ptrdiff_t i = 0; i < m->rows; i++) {
    double length = hlo_complex_abs(*hlo_at(m, i, k));
    sum += length * length;
    if (length > largest * (1 + 0x1p-40)) largest = length, phase = *hlo_at(m, i, k) / length;
  }
  bool is_real = true;
  for (ptrdiff_t i = 0; i < m->rows; i++) is_real = is_real && (*hlo_at(m, i, k))[1] == 0;
  for (ptrdiff_t i = 0; i < m->rows; i++)
    *hlo_at(m, i, k) = hlo_complex_multiply(*hlo_at(m, i, k), is_real ? hlo_complex_from(1) : hlo_conj(phase)) / sqrt(sum);
}

void hlo_normalise_columns(hlo_matrix *m) {
  for (ptrdiff_t k = 0; k < m->cols; k++) normalise_column(m, k);
}
