/* Dense matrices of complex doubles, and the linear algebra behind cholesky, triangular-solve and the LAPACK custom calls.
 *
 * Real matrices are complex ones whose imaginary parts are zero, and stay so. Everything is computed in double
 * precision, whatever the element type. Memory comes from an arena; sizes are ptrdiff_t, as a matrix is one block of it. */
#ifndef HLO_REFERENCE_LINEAR_ALGEBRA_DENSE_MATRIX_H
#define HLO_REFERENCE_LINEAR_ALGEBRA_DENSE_MATRIX_H

#include "base/arena.h"
#include "base/status.h"
#include "reference/complex_numbers.h"
#include "reference/reference.h"
#include "shape/literal.h"

hlo_complex hlo_complex_divide(hlo_complex a, hlo_complex b);
hlo_complex hlo_complex_sqrt(hlo_complex a);
/* Returns |re| + |im|. */
double hlo_complex_size(hlo_complex a);

typedef struct hlo_matrix {
  ptrdiff_t rows, cols;
  hlo_complex *at; /* row-major */
} hlo_matrix;

hlo_complex *hlo_at(const hlo_matrix *m, ptrdiff_t row, ptrdiff_t col);

/* All zero. `at` is NULL when there is no memory, here and below. */
hlo_matrix hlo_matrix_make(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t cols, hlo_status *status);
hlo_matrix hlo_matrix_identity(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t cols, hlo_status *status);
/* A copy, or the conjugate transpose. */
hlo_matrix hlo_matrix_copy(hlo_arena *arena, const hlo_matrix *m, hlo_status *status);
hlo_matrix hlo_matrix_adjoint(hlo_arena *arena, const hlo_matrix *m, hlo_status *status);
/* As those below, it is left early where the run is aborted, which the evaluation's status then says. */
hlo_matrix hlo_matrix_product(hlo_arena *arena, const hlo_matrix *a, const hlo_matrix *b, hlo_evaluation *evaluation);

/* Copies one triangle over the other, conjugated; the diagonal becomes real. */
void hlo_matrix_mirror(hlo_matrix *m, bool lower);

/* Returns the magnitude of the largest element; not a finite number if an element is none. */
double hlo_matrix_largest(const hlo_matrix *m);
/* m := m * 2^exponent */
void hlo_matrix_scale(hlo_matrix *m, int exponent);

/* ---- Lines: rows, columns and parts of them, as the first element and the distance to the next ---- */

/* Returns sum x[i] y[i], or sum conj(x[i]) y[i]. */
hlo_complex hlo_line_product(ptrdiff_t count, const hlo_complex *x, ptrdiff_t x_stride, bool conjugate, const hlo_complex *y,
                             ptrdiff_t y_stride);
/* y += factor x, or y += factor conj(x). */
void hlo_line_add(ptrdiff_t count, hlo_complex factor, const hlo_complex *x, ptrdiff_t x_stride, bool conjugate, hlo_complex *y,
                  ptrdiff_t y_stride);
/* x, y := m[0] x + m[1] y, m[2] x + m[3] y. */
void hlo_line_turn(ptrdiff_t count, hlo_complex *x, hlo_complex *y, ptrdiff_t stride, const hlo_complex m[4]);
void hlo_line_swap(ptrdiff_t count, hlo_complex *x, hlo_complex *y, ptrdiff_t stride);

/* Matrix number `batch` of an array whose last two dimensions are rows and columns; or vector number `batch` of an
 * array whose last dimension is the length, as a column. */
hlo_matrix hlo_matrix_load(hlo_arena *arena, const hlo_literal *literal, ptrdiff_t batch, hlo_status *status);
hlo_matrix hlo_vector_load(hlo_arena *arena, const hlo_literal *literal, ptrdiff_t batch, hlo_status *status);
/* Store the part that fits; of numbers of a real type, the real parts. */
void hlo_matrix_store(hlo_literal *literal, ptrdiff_t batch, const hlo_matrix *m);
void hlo_vector_store(hlo_literal *literal, ptrdiff_t batch, const hlo_matrix *m);

/* ---- triangular.c ---- */

/* Replaces one triangle of a Hermitian matrix by its Cholesky factor. The other triangle and the imaginary parts of the
 * diagonal are not read. Returns 0, or the order of the first leading minor that is not positive; -1 where the run is aborted. */
ptrdiff_t hlo_cholesky(hlo_matrix *a, bool lower, hlo_evaluation *evaluation);
typedef struct hlo_triangle {
  char op;          /* op(a) is a: 'N', transposed: 'T', the adjoint: 'C' */
  bool lower;       /* which triangle of a (not of op(a)) is read */
  bool unit;        /* the diagonal is not read: it is all ones */
  bool is_real;     /* all numbers are real */
} hlo_triangle;
/* Replaces x by the solution y of op(a) y = x (left), or of y op(a) = x. */
bool hlo_solve_triangle(const hlo_matrix *a, hlo_triangle triangle, bool left, hlo_matrix *x, hlo_evaluation *evaluation);

/* ---- householder.c: reflections I - tau v v^H, with v[0] = 1, as LAPACK keeps them ---- */

/* Reflects (alpha, x) onto (beta, 0) with real beta: alpha becomes beta, x the rest of v. Returns tau. */
hlo_complex hlo_reflector(hlo_complex *alpha, hlo_complex *x, ptrdiff_t count, ptrdiff_t stride);
/* Multiplies rows [first, first + count) and columns [from, to) of m by I - tau v v^H from the left. */
void hlo_reflect_rows(hlo_matrix *m, ptrdiff_t first, ptrdiff_t count, ptrdiff_t from, ptrdiff_t to,
                      const hlo_complex *v, hlo_complex tau);
/* Multiplies columns [first, first + count) and rows [from, to) of m by I - tau v v^H from the right. */
void hlo_reflect_columns(hlo_matrix *m, ptrdiff_t first, ptrdiff_t count, ptrdiff_t from, ptrdiff_t to,
                         const hlo_complex *v, hlo_complex tau);
/* a := the triangle R above, the reflections below; taus has min(rows, cols). pivots (1-based, on entry all zero or
 * the columns to move to the front) may be NULL: no pivoting. */
bool hlo_qr(hlo_matrix *a, hlo_complex *taus, ptrdiff_t *pivots, hlo_arena *arena, hlo_evaluation *evaluation);
/* Multiplies c by the product of `count` reflections kept in a, or by its adjoint, from the left or from the right. */
bool hlo_qr_multiply(const hlo_matrix *a, const hlo_complex *taus, ptrdiff_t count, bool left, bool adjoint, hlo_matrix *c, hlo_arena *arena, hlo_evaluation *evaluation);
/* The first a->cols columns of the product of the reflections kept in a. */
hlo_matrix hlo_qr_product(const hlo_matrix *a, const hlo_complex *taus, ptrdiff_t count, hlo_arena *arena, hlo_evaluation *evaluation);
/* a := Q^H a Q, zero below the first subdiagonal between rows low and high (0-based, half-open), the reflections there. */
bool hlo_hessenberg(hlo_matrix *a, hlo_complex *taus, ptrdiff_t low, ptrdiff_t high, hlo_arena *arena, hlo_evaluation *evaluation);
/* Multiplies q by the reflections that hlo_hessenberg left in a, q := Q q, and puts zeros in their place. */
bool hlo_hessenberg_split(hlo_matrix *a, hlo_matrix *q, const hlo_complex *taus, hlo_arena *arena, hlo_evaluation *evaluation);

/* ---- jacobi.c ---- */

/* a = u diag(values) v^H with values descending; u has rows x u_cols, v cols x v_cols, completed to orthonormal columns. */
bool hlo_singular_values(const hlo_matrix *a, double *values, hlo_matrix *u, hlo_matrix *v, hlo_arena *arena, hlo_evaluation *evaluation);
/* Sorts values, and the columns of m with them. */
void hlo_sort_columns(double *values, bool ascending, hlo_matrix *m);

/* ---- schur.c ---- */

/* t, of Hessenberg form, := T, z := z Z with t = Z T Z^H upper triangular; false when the iteration does not end. Of real
 * numbers T is real, but for blocks of two on the diagonal, which have equal diagonal elements and stand for pairs of
 * complex eigenvalues. */
bool hlo_schur(hlo_matrix *t, hlo_matrix *z, bool is_real, hlo_evaluation *evaluation);
/* Turns the blocks of two into triangles, with complex numbers on the diagonal. */
void hlo_schur_split_pairs(hlo_matrix *t, hlo_matrix *z);
/* Eigenvectors of a complex Schur form, in columns of any length; left ones y with y^H a = lambda y^H. */
hlo_matrix hlo_schur_vectors(const hlo_matrix *t, const hlo_matrix *z, bool left, hlo_arena *arena, hlo_evaluation *evaluation);
/* Gives columns length 1, as LAPACK does. */
void hlo_normalise_columns(hlo_matrix *m);

#endif
