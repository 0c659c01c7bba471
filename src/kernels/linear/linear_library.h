/* The kernels of linear algebra, and of complex quotients, as one table, by which the steps and other kernels reach them.
 *
 * Few programs need them. So webhlo.wasm is linked without: they are a WebAssembly module of their own (src/side), which a page loads when
 * it compiles the first program that asks for them. Every other build has them in it. */
#ifndef HLO_KERNELS_LINEAR_LINEAR_LIBRARY_H
#define HLO_KERNELS_LINEAR_LINEAR_LIBRARY_H

#include <stdint.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/linear/linear_run.h"
#include "kernels/step_function.h"

typedef enum hlo_linear_routine_name {
  HLO_LINEAR_CHOLESKY,
  HLO_LINEAR_LU,
  HLO_LINEAR_TRIANGLE,
  HLO_LINEAR_BAND,
  HLO_LINEAR_QR,
  HLO_LINEAR_PIVOTED_QR,
  HLO_LINEAR_Q,
  HLO_LINEAR_TIMES_Q,
  HLO_LINEAR_EIGEN,
  HLO_LINEAR_SINGULAR,
  HLO_LINEAR_TRIDIAGONAL,
  HLO_LINEAR_HESSENBERG,
  HLO_LINEAR_GENERAL_EIGEN,
  HLO_LINEAR_SCHUR,
  HLO_LINEAR_ROUTINES
} hlo_linear_routine_name;

typedef struct hlo_linear_library {
  const hlo_linear_routine *routines[HLO_LINEAR_ROUTINES];
  int64_t (*measure)(hlo_linear_step *step, int threads); /* hlo_linear_measure */
  hlo_shared_step_function *run;                          /* hlo_linear_run */
  hlo_range_function *sparse_product;                     /* hlo_sparse_product_run */
  hlo_elementwise_kernel *divide_c64, *divide_c128;       /* hlo_c64_quotients, hlo_c128_quotients */
} hlo_linear_library;

/* All of them. */
extern const hlo_linear_library hlo_linear_kernels;
/* Returns the kernels; NULL: they are not loaded. */
const hlo_linear_library *hlo_linear_loaded(void);

#endif
