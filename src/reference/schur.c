/* Schur forms by shifted QR iteration, and the eigenvectors that they give.
 *
 * G. H. Golub, C. F. Van Loan, "Matrix Computations", chapter 7: the complex form with single shifts and rotations,
 * the real one with Francis's double shifts and reflections of three rows. */
#include <math.h>

#include "reference/dense_matrix.h"

enum { MOST_ROUNDS = 60 }; /* for each eigenvalue */

/* Where the active block that ends at row `last` begins: above it the subdiagonal element is negligible, and set to 0. */
static int64_t block_start(hlo_matrix *t, int64_t last) {
  int64_t first = last;
  for (; first > 0; first--) {
    double around = hlo_complex_size(*hlo_at(t, first - 1, first - 1)) + hlo_complex_size(*hlo_at(t, first, first));
    if (hlo_complex_size(*hlo_at(t, first, first - 1)) <= 0x1p-53 * around || hlo_complex_size(*hlo_at(t, first, first - 1)) < 0x1p-1000) {
      *hlo_at(t, first, first - 1) = hlo_complex_from(0);
      break;
    }
  }
  return first;
}

/* ---- Complex ---- */

/* t := G t G^H, z := z G^H for the rotation of rows i, i+1 with G (f, g) = (r, 0). */
static void rotate(hlo_matrix *t, hlo_matrix *z, int64_t i, hlo_complex f, hlo_complex g, int64_t from_column, int64_t to_row) {
  double length = hlo_complex_abs((hlo_complex){hlo_complex_abs(f), hlo_complex_abs(g)});
  if (length == 0) return;
  hlo_complex c = f / length, s = g / length;
  const hlo_complex rows[] = {hlo_conj(c), hlo_conj(s), -s, c}, columns[] = {c, s, -hlo_conj(s), hlo_conj(c)};
  hlo_line_turn(t->cols - from_column, hlo_at(t, i, from_column), hlo_at(t, i + 1, from_column), 1, rows);
  hlo_line_turn(z->rows, hlo_at(z, 0, i), hlo_at(z, 0, i + 1), z->cols, columns);
  hlo_line_turn(to_row + 1, hlo_at(t, 0, i), hlo_at(t, 0, i + 1), t->cols, columns);
}

/* The eigenvalue of the last block of two that is nearer to its last element. */
static hlo_complex wilkinson_shift(const hlo_matrix *t, int64_t last) {
  hlo_complex a = *hlo_at(t, last - 1, last - 1), b = *hlo_at(t, last - 1, last), c = *hlo_at(t, last, last - 1),
                 d = *hlo_at(t, last, last), half = (a - d) / 2, bc = hlo_complex_multiply(b, c),
              root = hlo_complex_sqrt(hlo_complex_multiply(half, half) + bc);
  hlo_complex below = hlo_complex_abs(half + root) > hlo_complex_abs(half - root) ? half + root : half - root;
  return hlo_complex_is_zero(below) ? d : d - hlo_complex_divide(bc, below);
}

static void complex_round(hlo_matrix *t, hlo_matrix *z, int64_t first, int64_t last, int round) {
  hlo_complex shift = wilkinson_shift(t, last);
  if (round % 10 == 9) shift = *hlo_at(t, last, last) + hlo_complex_from(hlo_complex_abs(*hlo_at(t, last, last - 1)));
  hlo_complex f = *hlo_at(t, first, first) - shift, g = *hlo_at(t, first + 1, first);
  for (int64_t i = first; i < last; i++) {
    rotate(t, z, i, f, g, i > first ? i - 1 : i, i + 2 < last ? i + 2 : last);
    if (i > first) *hlo_at(t, i + 1, i - 1) = hlo_complex_from(0);
    if (i + 2 <= last) f = *hlo_at(t, i + 1, i), g = *hlo_at(t, i + 2, i);
  }
}

bool hlo_schur_complex(hlo_matrix *t, hlo_matrix *z) {
  int round = 0;
  for (int64_t last = t->rows - 1; last > 0;) {
    int64_t first = block_start(t, last);
    if (first == last) {
      last--, round = 0;
      continue;
    }
    if (round == MOST_ROUNDS) return false;
    complex_round(t, z, first, last, round++);
  }
  return true;
}

/* ---- Real ---- */

/* Reflects rows and columns i, i+1, ... (count of them) so that v becomes a multiple of its first axis. */
static void reflect(hlo_matrix *t, hlo_matrix *z, int64_t i, int64_t count, const double *v, int64_t from_column, int64_t to_row) {
  hlo_complex w[3] = {{v[0]}, {v[1]}, {count > 2 ? v[2] : 0}};
  hlo_complex tau = hlo_reflector(&w[0], &w[1], count - 1, 1);
  w[0] = hlo_complex_from(1);
  for (int64_t k = from_column; k < t->cols; k++) {
    hlo_complex along = hlo_line_product(count, w, 1, false, hlo_at(t, i, k), t->cols);
    hlo_line_add(count, -hlo_complex_multiply(tau, along), w, 1, false, hlo_at(t, i, k), t->cols);
  }
  for (int pass = 0; pass < 2; pass++) {
    hlo_matrix *m = pass ? z : t;
    for (int64_t row = 0; row < m->rows && (pass || row <= to_row); row++) {
      hlo_complex along = hlo_line_product(count, w, 1, false, hlo_at(m, row, i), 1);
      hlo_line_add(count, -hlo_complex_multiply(tau, along), w, 1, false, hlo_at(m, row, i), 1);
    }
  }
}

static double real_at(const hlo_matrix *t, int64_t row, int64_t col) { return (*hlo_at(t, row, col))[0]; }

/* One implicit double step with the eigenvalues of the last block of two as shifts. */
static void francis_round(hlo_matrix *t, hlo_matrix *z, int64_t first, int64_t last, int round) {
  double sum = real_at(t, last - 1, last - 1) + real_at(t, last, last);
  double product = real_at(t, last - 1, last - 1) * real_at(t, last, last) - real_at(t, last - 1, last) * real_at(t, last, last - 1);
  if (round % 10 == 9) {
    double jump = fabs(real_at(t, last, last - 1)) + fabs(real_at(t, last - 1, last - 2));
    sum = 1.5 * jump, product = jump * jump;
  }
  double a = real_at(t, first, first), b = real_at(t, first, first + 1), c = real_at(t, first + 1, first), d = real_at(t, first + 1, first + 1);
  double v[3] = {a * a + b * c - sum * a + product, c * (a + d - sum), c * real_at(t, first + 2, first + 1)};
  for (int64_t i = first; i < last; i++) {
    int64_t count = last - i + 1 < 3 ? last - i + 1 : 3;
    reflect(t, z, i, count, v, i > first ? i - 1 : i, i + 3 < last ? i + 3 : last);
    for (int64_t r = 1; i > first && r < count; r++) *hlo_at(t, i + r, i - 1) = hlo_complex_from(0);
    for (int64_t r = 0; r < 3; r++) v[r] = i + 1 + r <= last ? real_at(t, i + 1 + r, i) : 0;
  }
}

/* Real eigenvalues: to a triangle. A complex pair: to equal diagonal elements. Either way a rotation by an angle. */
static void standardise_block(hlo_matrix *t, hlo_matrix *z, int64_t i) {
  double a = real_at(t, i, i), b = real_at(t, i, i + 1), c = real_at(t, i + 1, i), d = real_at(t, i + 1, i + 1);
  double half = (a - d) / 2, discriminant = half * half + b * c;
  if (discriminant >= 0) { /* rotate the eigenvector of the eigenvalue farther from d to the first axis */
    double root = copysign(sqrt(discriminant), half);
    rotate(t, z, i, hlo_complex_from(half + root), hlo_complex_from(c), 0, i + 1);
    *hlo_at(t, i + 1, i) = hlo_complex_from(0);
    return;
  }
  double angle = atan2(d - a, b + c) / 2;
  rotate(t, z, i, hlo_complex_from(cos(angle)), hlo_complex_from(sin(angle)), 0, i + 1);
  double mean = (real_at(t, i, i) + real_at(t, i + 1, i + 1)) / 2;
  *hlo_at(t, i, i) = *hlo_at(t, i + 1, i + 1) = hlo_complex_from(mean);
}

bool hlo_schur_real(hlo_matrix *t, hlo_matrix *z) {
  int round = 0;
  for (int64_t last = t->rows - 1; last > 0;) {
    int64_t first = block_start(t, last);
    if (first + 1 < last) {
      if (round == MOST_ROUNDS) return false;
      francis_round(t, z, first, last, round++);
      continue;
    }
    if (first + 1 == last) standardise_block(t, z, first);
    last = first - 1, round = 0;
  }
  return true;
}

void hlo_schur_real_to_complex(hlo_matrix *t, hlo_matrix *z) {
  for (int64_t i = 0; i + 1 < t->rows; i++) {
    hlo_complex c = *hlo_at(t, i + 1, i);
    if (hlo_complex_is_zero(c)) continue;
    hlo_complex half = (*hlo_at(t, i, i) - *hlo_at(t, i + 1, i + 1)) / 2;
    hlo_complex root = hlo_complex_sqrt(hlo_complex_multiply(half, half) + hlo_complex_multiply(*hlo_at(t, i, i + 1), c)); /* the eigenvalue with positive imaginary part first */
    rotate(t, z, i, half + root, c, 0, i + 1);
    *hlo_at(t, i + 1, i) = hlo_complex_from(0);
  }
}

/* ---- Eigenvectors ---- */

/* Solves (t - lambda) x = 0 with x[k] = 1, upwards from k; or, for left vectors, y^H (t - lambda) = 0 downwards. */
static void solve_vector(const hlo_matrix *t, int64_t k, bool left, double tiny, hlo_complex *x) {
  hlo_complex lambda = *hlo_at(t, k, k);
  for (int64_t i = 0; i < t->rows; i++) x[i] = hlo_complex_from(i == k);
  for (int64_t step = 1; left ? k + step < t->rows : k - step >= 0; step++) {
    int64_t i = left ? k + step : k - step;
    hlo_complex pivot = *hlo_at(t, i, i) - lambda;
    hlo_complex sum = left ? hlo_line_product(step, hlo_at(t, k, i), t->cols, true, &x[k], 1)
                              : hlo_line_product(step, hlo_at(t, i, i + 1), 1, false, &x[i + 1], 1);
    if (hlo_complex_abs(pivot) < tiny) pivot = hlo_complex_from(tiny);
    x[i] = hlo_complex_divide(-sum, left ? hlo_conj(pivot) : pivot);
  }
}

/* Length 1, and the largest part real, as LAPACK has it. */
static void normalise_column(hlo_matrix *m, int64_t k) {
  double sum = 0, largest = 0;
  hlo_complex phase = {1};
  for (int64_t i = 0; i < m->rows; i++) {
    double length = hlo_complex_abs(*hlo_at(m, i, k));
    sum += length * length;
    if (length > largest * (1 + 0x1p-40)) largest = length, phase = *hlo_at(m, i, k) / length;
  }
  bool is_real = true;
  for (int64_t i = 0; i < m->rows; i++) is_real = is_real && (*hlo_at(m, i, k))[1] == 0;
  for (int64_t i = 0; i < m->rows; i++) *hlo_at(m, i, k) = hlo_complex_multiply(*hlo_at(m, i, k), is_real ? hlo_complex_from(1) : hlo_conj(phase)) / sqrt(sum);
}

hlo_matrix hlo_schur_vectors(const hlo_matrix *t, const hlo_matrix *z, bool left, hlo_arena *arena, hlo_status *status) {
  hlo_matrix solved = hlo_matrix_make(arena, t->rows, t->rows, status), vectors = {0};
  hlo_complex *x = hlo_arena_many(arena, hlo_complex, t->rows + 1, status);
  double largest = 0;
  if (!solved.at || !x) return vectors;
  for (int64_t i = 0; i < t->rows * t->cols; i++) largest = fmax(largest, hlo_complex_abs(t->at[i]));
  double tiny = fmax(largest * 0x1p-53, 0x1p-1000);
  for (int64_t k = 0; k < t->rows; k++) {
    solve_vector(t, k, left, tiny, x);
    for (int64_t i = 0; i < t->rows; i++) *hlo_at(&solved, i, k) = x[i];
  }
  vectors = hlo_matrix_product(arena, z, &solved, status);
  for (int64_t k = 0; vectors.at && k < t->rows; k++) normalise_column(&vectors, k);
  return vectors;
}
