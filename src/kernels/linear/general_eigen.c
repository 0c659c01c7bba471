/* Eigenvalues and eigenvectors of any square matrix, and Schur forms: geev, gees. Computed in double.
 *
 * Eigenvectors of the Schur form come from substitution, a line for each; those of conjugate eigenvalues of a real form are the real and the
 * imaginary part of one. Products with Z make them those of the matrix. */
#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/hessenberg.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/reflect.h"
#include "kernels/linear/schur_form.h"

typedef struct problem {
  hlo_linear *l;
  int n;
  bool is_complex, ends; /* ends: the iteration does */
  double scale;          /* that t has been multiplied by */
  hlo_dense t, z;        /* rows of the form, and columns of Z, as lines */
  hlo_dense lines;       /* room */
} problem;

static int64_t number_bytes(int64_t n) { return (n + 1) * (int64_t)sizeof(hlo_number); }

static int64_t form_scratch(const hlo_linear_step *p) {
  return 3 * hlo_dense_bytes(p->type, p->rows, p->rows) + hlo_hessenberg_bytes(p->type, p->rows) + 2 * hlo_aligned(number_bytes(p->rows));
}

/* Computes the Schur form by way of the Hessenberg form. Returns false where the matrix is not finite. */
static bool make_form(problem *q, const hlo_dense *a, bool only_values) {
  hlo_linear *l = q->l;
  int n = q->n;
  bool finite;
  q->lines = hlo_dense_take(l, n, n), q->t = hlo_dense_take(l, n, n), q->z = hlo_dense_take(l, n, n);
  hlo_number *taus = hlo_linear_take(l, number_bytes(n));
  void *spare = hlo_linear_take(l, number_bytes(n));
  hlo_dense turned = hlo_dense_transposed(&q->lines), columns = hlo_dense_transposed(&q->z);
  hlo_hessenberg_room h;
  hlo_hessenberg_take(l, &h, n);
  q->scale = hlo_dense_scale(l, a, &finite);
  if (!finite) return false;
  hlo_dense_copy(l, a, &turned);
  hlo_dense_times(l, &q->lines, q->scale);
  hlo_hessenberg_lines(l, &h, &q->lines, taus);
  if (!only_values) {
    hlo_dense_fill(l, &q->z, 1);
    hlo_dense vectors = hlo_dense_part(l, &q->lines, 0, 1, n - 1, n - 1), rest = hlo_dense_part(l, &columns, 1, 1, n - 1, n - 1);
    if (n > 1) hlo_reflections_apply_all(l, &h.block, &vectors, taus, n - 1, false, true, &rest);
  }
  hlo_dense_copy(l, &turned, &q->t);
  for (int r = 2; r < n; r++) memset(hlo_dense_at(l, &q->t, r, 0), 0, (size_t)((r - 1) * l->bytes));
  q->ends = (q->is_complex ? hlo_schur_complex : hlo_schur_real)(l, &q->t, &q->z, only_values, spare);
  return true;
}

static double real_of_t(const problem *q, int row, int col) { return hlo_dense_get(q->l, &q->t, row, col)[0]; }

/* Returns whether rows k and k + 1 of a real form are a block of two. */
static bool is_block(const problem *q, int k) { return !q->is_complex && k >= 0 && k + 1 < q->n && real_of_t(q, k + 1, k) != 0; }

/* The eigenvalue at place k: of a block, the one with the positive imaginary part. */
static hlo_number value_of(const problem *q, int k) {
  hlo_number value = hlo_dense_get(q->l, &q->t, k, k);
  if (is_block(q, k)) value[1] = sqrt(fabs(real_of_t(q, k, k + 1))) * sqrt(fabs(real_of_t(q, k + 1, k)));
  return value;
}

/* Writes the eigenvalues, as complex numbers or, of a real matrix, as their real and their imaginary parts. */
static void write_values(const problem *q, char *const *arrays) {
  for (int k = 0; k < q->n; k++) {
    hlo_number value = value_of(q, k) / q->scale;
    if (is_block(q, k - 1)) value = hlo_number_conjugate(value_of(q, k - 1)) / q->scale;
    if (q->is_complex) ((hlo_number *)arrays[0])[k] = value;
    else ((double *)arrays[0])[k] = value[0], ((double *)arrays[1])[k] = value[1];
  }
}

static void write_nan(const hlo_linear_step *p, char *const *arrays) {
  for (int i = p->operand_count; i < p->array_count; i++)
    for (int64_t k = 0; !(p->integers >> i & 1) && k < p->bytes[i] / 8; k++) ((double *)arrays[i])[k] = NAN;
}

/* ---- Eigenvectors of the form ---- */

/* (m - value) x = 0, row by row: upwards through the form, or downwards through its adjoint. */
typedef struct substitution {
  const problem *q;
  const hlo_dense *m;
  bool downwards;
  hlo_number value;
  double tiny;
  int from;    /* x is known from this row on, first in as many rows as it has lines */
  hlo_dense x; /* of complex m, a line: the conjugate of x; of real m its real part and, for a block of two, its imaginary part */
} substitution;

static void set_x(const substitution *s, int row, hlo_number value) {
  const hlo_linear *l = s->q->l;
  hlo_dense_set(l, &s->x, 0, row, s->q->is_complex ? hlo_number_conjugate(value) : value);
  if (s->x.rows == 2) hlo_dense_set(l, &s->x, 1, row, hlo_number_from(value[1]));
}

/* Returns the sum of m[row, j] x[j] for the rows j that are known, when rows `low` to `high` come next. */
static hlo_number sum_of_known(const substitution *s, int row, int low, int high) {
  const hlo_linear *l = s->q->l;
  int begin = s->downwards ? s->from : high + 1, end = s->downwards ? low : s->from + s->x.rows;
  hlo_number sums[2] = {{0}, {0}};
  l->line->sum(end - begin, hlo_dense_at(l, &s->x, 0, begin), s->x.down, s->x.rows, hlo_dense_at(l, s->m, row, begin), sums);
  return s->q->is_complex ? sums[0] : (hlo_number){sums[0][0], sums[1][0]};
}

static hlo_number over(hlo_number a, hlo_number pivot, double tiny) {
  return hlo_number_product(a, hlo_number_inverse(hlo_number_size(pivot) < tiny ? hlo_number_from(tiny) : pivot));
}

/* Solves for one row, or for two of a block. */
static void solve_rows(const substitution *s, int low, int high) {
  const hlo_linear *l = s->q->l;
  hlo_number a = hlo_dense_get(l, s->m, low, low) - s->value, f = -sum_of_known(s, low, low, high);
  if (low == high) {
    set_x(s, low, over(f, a, s->tiny));
    return;
  }
  hlo_number d = hlo_dense_get(l, s->m, high, high) - s->value, g = -sum_of_known(s, high, low, high);
  double b = hlo_dense_get(l, s->m, low, high)[0], c = hlo_dense_get(l, s->m, high, low)[0];
  hlo_number determinant = hlo_number_product(a, d) - hlo_number_from(b * c);
  set_x(s, low, over(hlo_number_product(d, f) - b * g, determinant, s->tiny * s->tiny));
  set_x(s, high, over(hlo_number_product(a, g) - c * f, determinant, s->tiny * s->tiny));
}

/* Makes the vector smaller if an element of this row has grown so large that what follows could overflow. */
static void keep_small(const substitution *s, int row) {
  for (int i = 0; i < s->x.rows; i++)
    if (hlo_number_size(hlo_dense_get(s->q->l, &s->x, i, row)) > 0x1p300) hlo_dense_times(s->q->l, &s->x, 0x1p-300);
}

static void substitute(const substitution *s) {
  const problem *q = s->q;
  const hlo_linear *l = q->l;
  int k = s->from;
  hlo_dense_fill(l, &s->x, 0);
  if (s->x.rows == 1) {
    set_x(s, k, hlo_number_from(1));
  } else { /* the row whose other element is the larger tells them */
    double upper = hlo_dense_get(l, s->m, k, k + 1)[0], lower = hlo_dense_get(l, s->m, k + 1, k)[0];
    bool first = fabs(upper) >= fabs(lower);
    set_x(s, first ? k : k + 1, hlo_number_from(1));
    set_x(s, first ? k + 1 : k, (hlo_number){0, s->value[1] / (first ? upper : lower)});
  }
  for (int i = s->downwards ? k + s->x.rows : k - 1; i >= 0 && i < q->n;) {
    int low = !s->downwards && is_block(q, i - 1) ? i - 1 : i, high = s->downwards && is_block(q, i) ? i + 1 : i;
    solve_rows(s, low, high);
    keep_small(s, low), keep_small(s, high);
    i = s->downwards ? high + 1 : low - 1;
  }
}

/* ---- Eigenvectors of the matrix ---- */

/* Element i of the vector whose real part, or all of it, is line k; its imaginary part is the next where there are two. */
static hlo_number element_of(const problem *q, const hlo_dense *vectors, int k, int lines, int i) {
  hlo_number x = hlo_dense_get(q->l, vectors, k, i);
  if (lines == 2) x[1] = hlo_dense_get(q->l, vectors, k + 1, i)[0];
  return x;
}

/* Writes a vector scaled as LAPACK does it: to length 1, and a complex one with its largest element real. */
static void write_vector(const problem *q, const hlo_dense *vectors, int k, int lines, hlo_number *out) {
  int n = q->n;
  double sum = 0, largest = 0;
  hlo_number phase = {1};
  for (int i = 0; i < n; i++) {
    hlo_number x = element_of(q, vectors, k, lines, i);
    double square = x[0] * x[0] + x[1] * x[1], length = sqrt(square);
    sum += square;
    if (length > largest * (1 + 0x1p-40) && (q->is_complex || lines == 2)) largest = length, phase = x / length;
  }
  for (int i = 0; i < n; i++, out += n) {
    hlo_number x = hlo_number_product(element_of(q, vectors, k, lines, i), hlo_number_conjugate(phase)) / sqrt(sum);
    out[k] = x;
    if (lines == 2) out[k + 1] = hlo_number_conjugate(x);
  }
}

static void write_vectors(problem *q, bool left, const hlo_dense *room, const hlo_dense *m, hlo_number *out) {
  hlo_linear *l = q->l;
  int n = q->n;
  hlo_dense x = q->lines;
  double tiny = hlo_dense_largest(l, &q->t) * 0x1p-53;
  if (!(tiny > 0x1p-500)) tiny = 0x1p-500;
  for (int k = 0; k < n;) {
    int width = is_block(q, k) ? 2 : 1;
    if (hlo_linear_stops(l, (double)n * n / 2)) return;
    hlo_number value = value_of(q, k);
    const substitution s = {q, m, left, left ? hlo_number_conjugate(value) : value, tiny, k, hlo_dense_part(l, &x, k, 0, width, n)};
    substitute(&s);
    hlo_dense_times(l, &s.x, 1 / hlo_dense_largest(l, &s.x)); /* so that squares of what products make of it do not overflow */
    k += width;
  }
  x.conjugate = q->is_complex;
  hlo_linear_multiply(l, &x, &q->z, HLO_LINEAR_SET, room);
  for (int k = 0, width; k < n; k += width) {
    width = is_block(q, k) ? 2 : 1;
    write_vector(q, room, k, width, out);
  }
}

/* ---- The routines ---- */

static int64_t general_eigen_scratch(const hlo_linear_step *p) { return form_scratch(p) + 2 * hlo_dense_bytes(p->type, p->rows, p->rows); }

static void run_general_eigen(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  problem q = {.l = l, .n = n, .is_complex = l->type == HLO_LINEAR_C128};
  char *const *vectors = arrays + (q.is_complex ? 2 : 3);
  int32_t *info = (int32_t *)vectors[2];
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), room = hlo_dense_take(l, n, n), adjoint = hlo_dense_take(l, n, n);
  bool asked[] = {p->left, p->mode == 'V'}; /* left vectors, right ones */
  if (!make_form(&q, &a, !asked[0] && !asked[1])) {
    write_nan(p, arrays);
    *info = n;
    return;
  }
  write_values(&q, arrays + 1);
  *info = q.ends ? 0 : n;
  for (int right = 0; right < 2; right++) {
    if (!asked[right]) {
      memset(vectors[right], 0, (size_t)n * (size_t)n * sizeof(hlo_number));
      continue;
    }
    hlo_dense turned = hlo_dense_adjoint(&q.t);
    if (!right) hlo_dense_copy(l, &turned, &adjoint);
    write_vectors(&q, !right, &room, right ? &q.t : &adjoint, (hlo_number *)vectors[right]);
  }
}

static void run_schur(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  problem q = {.l = l, .n = n, .is_complex = l->type == HLO_LINEAR_C128};
  int32_t *const *integers = (int32_t *const *)(arrays + (q.is_complex ? 4 : 5)); /* how many eigenvalues were selected, and info */
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), t = hlo_dense_of(arrays[1], n, n, n), z = hlo_dense_of(arrays[2], n, n, n);
  *integers[0] = 0;
  *integers[1] = n;
  if (!make_form(&q, &a, false)) {
    write_nan(p, arrays);
    return;
  }
  hlo_dense columns = hlo_dense_transposed(&q.z);
  *integers[1] = q.ends ? 0 : n;
  write_values(&q, arrays + 3);
  hlo_dense_times(l, &q.t, 1 / q.scale);
  hlo_dense_copy(l, &q.t, &t);
  hlo_dense_copy(l, &columns, &z);
}

const hlo_linear_routine hlo_general_eigen_routine = {run_general_eigen, general_eigen_scratch, true};
const hlo_linear_routine hlo_schur_routine = {run_schur, form_scratch, true};
