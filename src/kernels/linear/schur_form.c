#include "kernels/linear/schur_form.h"

#include <math.h>
#include <string.h>

#include "kernels/linear/linear.h"

enum { MOST_ROUNDS = 60 }; /* for each eigenvalue */

static double greater(double a, double b) { return a > b ? a : b; }

/* The length of (x, y), without an overflow on the way. */
static double hypot_of(double x, double y) {
  double most = greater(fabs(x), fabs(y));
  return most == 0 || !(most < INFINITY) ? most : most * sqrt(x / most * (x / most) + y / most * (y / most));
}

/* ---- Real numbers ---- */

#define NAME(x) real_##x
#define NUMBER double
typedef double pair __attribute__((vector_size(16), aligned(8)));

static double real_product(double a, double b) { return a * b; }
static double real_conjugate(double a) { return a; }
static double real_size(double a) { return fabs(a); }
static double real_length(double a) { return fabs(a); }
static double real_square(double a) { return a * a; }
static double real_real(double a) { return a; }
static bool real_is_real(double a) { return true; }
static double real_from(double a) { return a; }
static double real_inverse(double a) { return 1 / a; }
static double real_root(double a) { return sqrt(a); }

/* (x, y, z) -= tau v (w^T (x, y, z)) for each element of three lines; v[0] and w[0] are 1. */
static void real_turn_lines(int count, double *x, double *y, double *z, const double *w, const double *v, double tau) {
  const pair v1 = {v[1], v[1]}, v2 = {v[2], v[2]};
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    pair a = *(pair *)(x + i), b = *(pair *)(y + i), c = *(pair *)(z + i), sum = (a + v1 * b + v2 * c) * tau;
    *(pair *)(x + i) = a - sum, *(pair *)(y + i) = b - v1 * sum, *(pair *)(z + i) = c - v2 * sum;
  }
  for (; i < count; i++) {
    double sum = (x[i] + v[1] * y[i] + v[2] * z[i]) * tau;
    x[i] -= sum, y[i] -= v[1] * sum, z[i] -= v[2] * sum;
  }
}

/* The same for each of some rows, whose first two or three numbers are (x, y, z). */
static void real_turn_columns(int rows, double *row, ptrdiff_t down, bool three, const double *w, const double *v, double tau) {
  for (; three && rows >= 2; rows -= 2, row += 2 * down) { /* two rows side by side */
    double *next = row + down;
    pair upper = *(pair *)row, lower = *(pair *)next, c = {row[2], next[2]};
    pair a = __builtin_shufflevector(upper, lower, 0, 2), b = __builtin_shufflevector(upper, lower, 1, 3), sum = (a + v[1] * b + v[2] * c) * tau;
    a -= sum, b -= v[1] * sum, c -= v[2] * sum;
    *(pair *)row = __builtin_shufflevector(a, b, 0, 2), *(pair *)next = __builtin_shufflevector(a, b, 1, 3);
    row[2] = c[0], next[2] = c[1];
  }
  for (; rows > 0; rows--, row += down) {
    double c = three ? row[2] : 0, sum = (row[0] + v[1] * row[1] + v[2] * c) * tau;
    row[0] -= sum, row[1] -= v[1] * sum;
    if (three) row[2] = c - v[2] * sum;
  }
}

struct real_form;
static void real_finish_pair(const struct real_form *f, int i);
#include "kernels/linear/schur_form.inc"

/* Makes the diagonal elements of a block of two equal; its eigenvalues are a pair of conjugates. */
static void standardise_pair(const struct real_form *f, int i) {
  double *a = real_at(f, i, i), *d = real_at(f, i + 1, i + 1), across = *real_at(f, i, i + 1) + *real_at(f, i + 1, i), apart = *d - *a;
  double length = hypot_of(apart, across), c = 1, s = 0; /* of half the angle of (across, apart) */
  if (across > 0) c = sqrt((1 + across / length) / 2), s = apart / length / (2 * c);
  else if (length > 0) s = copysign(sqrt((1 - across / length) / 2), apart), c = fabs(apart / length / (2 * s));
  real_rotate(f, i, c, s);
  *a = *d = (*a + *d) / 2;
}

static void real_finish_pair(const struct real_form *f, int i) {
  double half;
  if (real_discriminant(f, i, &half) < 0) standardise_pair(f, i);
  else real_split_pair(f, i);
}

#undef NAME
#undef NUMBER

/* ---- Complex numbers ---- */

#define NAME(x) complex_##x
#define NUMBER hlo_number

static hlo_number complex_product(hlo_number a, hlo_number b) { return hlo_number_product(a, b); }
static hlo_number complex_conjugate(hlo_number a) { return hlo_number_conjugate(a); }
static double complex_size(hlo_number a) { return hlo_number_size(a); }
static double complex_length(hlo_number a) { return hypot_of(a[0], a[1]); }
static double complex_square(hlo_number a) { return a[0] * a[0] + a[1] * a[1]; }
static double complex_real(hlo_number a) { return a[0]; }
static bool complex_is_real(hlo_number a) { return a[1] == 0; }
static hlo_number complex_from(double a) { return hlo_number_from(a); }
static hlo_number complex_inverse(hlo_number a) { return hlo_number_inverse(a); }

static hlo_number complex_root(hlo_number a) {
  double length = complex_length(a), greatest = sqrt((length + fabs(a[0])) / 2);
  if (greatest == 0) return a;
  double least = fabs(a[1]) / (2 * greatest);
  return a[0] >= 0 ? (hlo_number){greatest, copysign(least, a[1])} : (hlo_number){least, copysign(greatest, a[1])};
}

/* A factor, made ready. */
typedef struct factor {
  hlo_number real, imaginary;
} factor;
static factor factor_of(hlo_number a) { return (factor){{a[0], a[0]}, {-a[1], a[1]}}; }
static hlo_number times(const factor *f, hlo_number a) { return f->real * a + f->imaginary * __builtin_shufflevector(a, a, 1, 0); }

static void complex_turn_lines(int count, hlo_number *x, hlo_number *y, hlo_number *z, const hlo_number *w, const hlo_number *v, hlo_number tau) {
  const factor w1 = factor_of(w[1]), w2 = factor_of(w[2]), v1 = factor_of(v[1]), v2 = factor_of(v[2]), by = factor_of(tau);
  for (int i = 0; i < count; i++) {
    hlo_number sum = times(&by, x[i] + times(&w1, y[i]) + times(&w2, z[i]));
    x[i] -= sum, y[i] -= times(&v1, sum), z[i] -= times(&v2, sum);
  }
}

static void complex_turn_columns(int rows, hlo_number *row, ptrdiff_t down, bool three, const hlo_number *w, const hlo_number *v, hlo_number tau) {
  const factor w1 = factor_of(w[1]), w2 = factor_of(w[2]), v1 = factor_of(v[1]), v2 = factor_of(v[2]), by = factor_of(tau);
  for (; rows > 0; rows--, row += down) {
    hlo_number c = three ? row[2] : (hlo_number){0}, sum = times(&by, row[0] + times(&w1, row[1]) + times(&w2, c));
    row[0] -= sum, row[1] -= times(&v1, sum);
    if (three) row[2] = c - times(&v2, sum);
  }
}

struct complex_form;
static void complex_finish_pair(const struct complex_form *f, int i);
#include "kernels/linear/schur_form.inc"
static void complex_finish_pair(const struct complex_form *f, int i) { complex_split_pair(f, i); }

bool hlo_schur_real(hlo_linear *l, const hlo_dense *t, const hlo_dense *z, bool only_values, void *spare) {
  const struct real_form f = {l, t->rows, (double *)t->at, t->down, z->down, only_values ? NULL : (double *)z->at, spare};
  return real_iterate(&f);
}

bool hlo_schur_complex(hlo_linear *l, const hlo_dense *t, const hlo_dense *z, bool only_values, void *spare) {
  const struct complex_form f = {l, t->rows, (hlo_number *)t->at, t->down, z->down, only_values ? NULL : (hlo_number *)z->at, spare};
  return complex_iterate(&f);
}
