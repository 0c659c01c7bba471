/* The routines of linear algebra and Fourier transforms, and functions of complex numbers, as one table, by which the reference evaluator reaches them.
 *
 * Few programs need them, as few need the kernels (side/linear_side.h): webhlo.wasm is linked without, and both come with the
 * same module. Every other build has them in it. */
#ifndef HLO_REFERENCE_LINEAR_ALGEBRA_ROUTINE_LIBRARY_H
#define HLO_REFERENCE_LINEAR_ALGEBRA_ROUTINE_LIBRARY_H

#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "reference/linear_algebra/routine.h"
#include "reference/reference.h"
#include "shape/element_type.h"

typedef enum hlo_routine_name {
  HLO_ROUTINE_CHOLESKY,
  HLO_ROUTINE_TRIANGULAR_SOLVE,
  HLO_ROUTINE_POTRF,
  HLO_ROUTINE_GETRF,
  HLO_ROUTINE_TRSM,
  HLO_ROUTINE_GTSV,
  HLO_ROUTINE_GEQRF,
  HLO_ROUTINE_GEQP3,
  HLO_ROUTINE_ORGQR,
  HLO_ROUTINE_ORMQR,
  HLO_ROUTINE_GEHRD,
  HLO_ROUTINE_SYTRD,
  HLO_ROUTINE_SYEVD,
  HLO_ROUTINE_GESDD,
  HLO_ROUTINE_GEEV,
  HLO_ROUTINE_GEES,
  HLO_ROUTINE_CSR,
  HLO_ROUTINES
} hlo_routine_name;

typedef struct hlo_routine_library {
  hlo_matrix_routine *routines[HLO_ROUTINES];
  hlo_reference_function *fourier;                                    /* hlo_routine_fourier */
  hlo_scalar (*complex_function)(hlo_opcode opcode, hlo_scalar z);    /* complex/complex_functions.h */
  hlo_scalar (*complex_function_of_two)(hlo_opcode opcode, hlo_scalar lhs, hlo_scalar rhs);
  hlo_elementwise_kernel *(*complex_kernel)(hlo_opcode opcode, hlo_type type); /* complex/complex_kernels.h */
} hlo_routine_library;

/* All of them. */
extern const hlo_routine_library hlo_reference_routines;
/* Returns the routines; NULL: they are not loaded. */
const hlo_routine_library *hlo_routines_loaded(void);

#endif
