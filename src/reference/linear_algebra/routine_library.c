#include "reference/linear_algebra/routine_library.h"

#include "reference/complex/complex_functions.h"
#include "reference/complex/complex_kernels.h"
#include "reference/linear_algebra/routine.h"

const hlo_routine_library hlo_reference_routines = {
    {[HLO_ROUTINE_CHOLESKY] = hlo_routine_cholesky, [HLO_ROUTINE_TRIANGULAR_SOLVE] = hlo_routine_triangular_solve,
     [HLO_ROUTINE_POTRF] = hlo_routine_potrf, [HLO_ROUTINE_GETRF] = hlo_routine_getrf,
     [HLO_ROUTINE_TRSM] = hlo_routine_trsm, [HLO_ROUTINE_GTSV] = hlo_routine_gtsv,
     [HLO_ROUTINE_GEQRF] = hlo_routine_geqrf, [HLO_ROUTINE_GEQP3] = hlo_routine_geqrf,
     [HLO_ROUTINE_ORGQR] = hlo_routine_orgqr, [HLO_ROUTINE_ORMQR] = hlo_routine_ormqr, [HLO_ROUTINE_GEHRD] = hlo_routine_gehrd,
     [HLO_ROUTINE_SYTRD] = hlo_routine_sytrd, [HLO_ROUTINE_SYEVD] = hlo_routine_syevd,
     [HLO_ROUTINE_GESDD] = hlo_routine_gesdd, [HLO_ROUTINE_GEEV] = hlo_routine_geev,
     [HLO_ROUTINE_GEES] = hlo_routine_gees, [HLO_ROUTINE_CSR] = hlo_routine_csr},
    hlo_routine_fourier,
    hlo_complex_function,
    hlo_complex_function_of_two,
    hlo_complex_kernel,
};

/* In the side module there is nobody to ask; in webhlo.wasm src/side answers. */
#ifndef HLO_LINEAR_SIDE
const hlo_routine_library *hlo_routines_loaded(void) { return &hlo_reference_routines; }
#endif
