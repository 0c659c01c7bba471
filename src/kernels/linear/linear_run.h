/* The steps of linear algebra: one routine for each matrix of a batch.
 *
 * operands  as the instruction has them, dense and row-major
 * results   the same, and no operand lies where a result does
 * scratch   hlo_linear_scratch_bytes, 64-byte aligned
 * A factorisation that does not exist is reported as LAPACK does it, by `info`. Never fails, never allocates. */
#ifndef HLO_KERNELS_LINEAR_LINEAR_RUN_H
#define HLO_KERNELS_LINEAR_LINEAR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/linear/linear.h"
#include "kernels/step_function.h"

enum { HLO_LINEAR_MOST_ARRAYS = 12 };

typedef struct hlo_linear_step hlo_linear_step;
typedef struct hlo_linear_routine {
  /* arrays: those of this matrix, operands and then results. */
  void (*run)(hlo_linear *l, const hlo_linear_step *step, char *const *arrays);
  /* Returns the bytes that `run` takes from the scratch, besides those of products. */
  int64_t (*scratch)(const hlo_linear_step *step);
  bool in_double; /* whatever the size and the type */
} hlo_linear_routine;

struct hlo_linear_step {
  const hlo_linear_routine *routine;
  hlo_linear_type type;
  int rows, cols;         /* of the first matrix */
  int reflections;        /* of hlo_times_q_routine */
  int others;             /* of systems of equations: right-hand sides, as rows or columns; else what the routine says */
  bool lower, unit, left, transposed, conjugated; /* of triangles: see hlo_triangle_step */
  bool clears;            /* of a Cholesky factor: the other triangle is zero, and a matrix that has none gives NaN */
  char mode;              /* as LAPACK's letters */
  int64_t batch;
  int operand_count, array_count;
  int64_t bytes[HLO_LINEAR_MOST_ARRAYS]; /* of one matrix of each array */
  unsigned integers;      /* bit n: array n holds s32 */
  bool is_widened;        /* the arrays hold numbers of half the bytes: a small matrix is computed in double */
  int64_t own_bytes;      /* the scratch of one thread */
  bool side_by_side;      /* threads run whole matrices, each with a scratch of its own */
  int threads;            /* that share the products of one matrix */
};

/* factor -> (factor, info): the Cholesky factor of a matrix of which only one triangle is read. */
extern const hlo_linear_routine hlo_cholesky_routine;
/* a -> (l and u, pivots, info) */
extern const hlo_linear_routine hlo_lu_routine;
/* (a, b) -> x with op(a) x = b (left), or x op(a) = b. */
extern const hlo_linear_routine hlo_triangle_routine;

/* (below, diagonal, above, b) -> (those as they are eliminated, x, info): a tridiagonal system. */
extern const hlo_linear_routine hlo_band_routine;
/* a -> (r and below it the vectors of reflections, taus) */
extern const hlo_linear_routine hlo_qr_routine;
/* (vectors, taus) -> the first columns of the product of the reflections, of which there are `others`. */
extern const hlo_linear_routine hlo_q_routine;
/* (a, columns to put first) -> (r and below it the vectors of reflections, the order of columns from 1, taus): the longest column comes next. */
extern const hlo_linear_routine hlo_pivoted_qr_routine;
/* (vectors, taus, c) -> the product of `reflections` reflections, or its adjoint (transposed), times c (left), or c, which has `others` rows, times it. */
extern const hlo_linear_routine hlo_times_q_routine;

/* a, of which one triangle is read -> (eigenvectors, eigenvalues, info); mode 'N': no eigenvectors. */
extern const hlo_linear_routine hlo_eigen_routine;
/* a, of which one triangle is read -> (vectors of reflections beside a tridiagonal matrix, its diagonal, what is beside that, taus, info) */
extern const hlo_linear_routine hlo_tridiagonal_routine;
/* a -> (Hessenberg form and below it the vectors of reflections, taus, info) */
extern const hlo_linear_routine hlo_hessenberg_routine;
/* a -> (eigenvalues, left eigenvectors if `left`, right ones if the mode is 'V', info); the eigenvalues of real a are two results, and vectors
 * that are not asked for are zeros. */
extern const hlo_linear_routine hlo_general_eigen_routine;
/* a -> (Schur form, Z, eigenvalues as above, 0, info) */
extern const hlo_linear_routine hlo_schur_routine;
/* a -> (a, singular values, u, v^H, info); mode 'A': square u and v, 'S': as many columns as values, else zeros. */
extern const hlo_linear_routine hlo_singular_routine;

/* Sets own_bytes, side_by_side, threads and is_widened, and doubles the bytes of what is widened; the caller has set the other members. Returns the bytes of the scratch. */
int64_t hlo_linear_measure(hlo_linear_step *step, int threads);
/* Parameters: a hlo_linear_step. */
hlo_shared_step_function hlo_linear_run;

#endif
