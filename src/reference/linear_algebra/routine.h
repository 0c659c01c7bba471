/* Routines of linear algebra: what cholesky, triangular-solve and the custom calls named after LAPACK's routines do with one matrix of a
 * batch.
 *
 * Arrays hold batches of matrices in their last two dimensions. A routine that fails says so in `info`, as LAPACK
 * does; the program decides what to make of it. */
#ifndef HLO_REFERENCE_LINEAR_ALGEBRA_ROUTINE_H
#define HLO_REFERENCE_LINEAR_ALGEBRA_ROUTINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"
#include "shape/literal.h"

/* The call of a routine with one matrix of the batch. */
typedef struct hlo_routine_call {
  hlo_evaluation *evaluation;
  const hlo_instruction *instruction;
  const hlo_literal *const *operands;
  hlo_literal *const *results; /* the elements of a tuple, or the one array */
  int64_t batch;
  hlo_arena *arena; /* for this matrix only */
  hlo_status *status;
} hlo_routine_call;

typedef bool hlo_matrix_routine(const hlo_routine_call *call);

hlo_matrix_routine hlo_routine_cholesky, hlo_routine_triangular_solve, hlo_routine_potrf, hlo_routine_getrf, hlo_routine_trsm, hlo_routine_gtsv; /* solve.c */
hlo_matrix_routine hlo_routine_geqrf, hlo_routine_orgqr, hlo_routine_ormqr, hlo_routine_gehrd, hlo_routine_sytrd; /* orthogonal.c */
hlo_matrix_routine hlo_routine_syevd, hlo_routine_gesdd, hlo_routine_geev, hlo_routine_gees; /* eigenvalues.c */
hlo_matrix_routine hlo_routine_csr; /* sparse_rows.c */
hlo_reference_function hlo_routine_fourier; /* fourier.c; the arrays are not empty, and the result is clear */

/* Returns the matrix of an operand, of this call's place in the batch. */
hlo_matrix hlo_routine_matrix(const hlo_routine_call *call, int operand);
/* Room for `count` numbers; NULL: no memory. */
hlo_complex *hlo_routine_array(const hlo_routine_call *call, ptrdiff_t count);
/* Store a matrix, a vector or `info` in a result. */
void hlo_routine_give(const hlo_routine_call *call, int result, const hlo_matrix *m);
void hlo_routine_give_vector(const hlo_routine_call *call, int result, hlo_complex *values, ptrdiff_t count);
void hlo_routine_set_info(const hlo_routine_call *call, int result, int64_t info);

#endif
