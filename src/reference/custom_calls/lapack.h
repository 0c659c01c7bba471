/* Custom calls named after LAPACK routines, as JAX emits them on CPU: lapack_spotrf_ffi, lapack_zgeev_ffi, ...
 *
 * Arrays hold batches of matrices in their last two dimensions. A routine that fails says so in `info`, as LAPACK
 * does; the program decides what to make of it. */
#ifndef HLO_REFERENCE_CUSTOM_CALLS_LAPACK_H
#define HLO_REFERENCE_CUSTOM_CALLS_LAPACK_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* The call of a routine with one matrix of the batch. */
typedef struct hlo_lapack_call {
  hlo_evaluation *evaluation;
  const hlo_instruction *instruction;
  const hlo_literal *const *operands;
  hlo_literal *const *results; /* the elements of a tuple, or the one array */
  int64_t batch;
  hlo_arena *arena; /* for this matrix only */
  hlo_status *status;
} hlo_lapack_call;

typedef bool hlo_lapack_routine(const hlo_lapack_call *call);

hlo_lapack_routine hlo_lapack_potrf, hlo_lapack_getrf, hlo_lapack_trsm, hlo_lapack_gtsv; /* lapack_solve.c */
hlo_lapack_routine hlo_lapack_geqrf, hlo_lapack_orgqr, hlo_lapack_gehrd, hlo_lapack_sytrd; /* lapack_orthogonal.c */
hlo_lapack_routine hlo_lapack_syevd, hlo_lapack_gesdd, hlo_lapack_geev, hlo_lapack_gees; /* lapack_eigen.c */

/* The routine's name in a target: "potrf" of "lapack_spotrf_ffi". Empty if the target does not look like that. */
hlo_span hlo_lapack_routine_name(hlo_span target);
/* Runs a routine on every matrix of a batch, whose sizes are those of `shape` but for its last `own_rank` dimensions. */
bool hlo_lapack_run(hlo_lapack_routine *routine, hlo_evaluation *evaluation, const hlo_instruction *instruction,
                    const hlo_literal *const *operands, hlo_literal *result, const hlo_shape *shape, int own_rank);
/* Returns the number behind `name = ` in backend_config, such as {uplo = 76 : ui8}, where 76 is the letter 'L'. */
int64_t hlo_lapack_configured(const hlo_lapack_call *call, const char *name, int64_t missing);
/* Returns the matrix of an operand, of this call's place in the batch. */
hlo_matrix hlo_lapack_matrix(const hlo_lapack_call *call, int operand);
/* Room for `count` numbers; NULL: no memory. */
hlo_complex *hlo_lapack_array(const hlo_lapack_call *call, ptrdiff_t count);
/* Store a matrix, a vector or `info` in a result. */
void hlo_lapack_give(const hlo_lapack_call *call, int result, const hlo_matrix *m);
void hlo_lapack_give_vector(const hlo_lapack_call *call, int result, hlo_complex *values, ptrdiff_t count);
void hlo_lapack_set_info(const hlo_lapack_call *call, int result, int64_t info);

#endif
