#include "kernels/linear/linear_library.h"

#include "kernels/elementwise/elementwise.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/sparse_product.h"

const hlo_linear_library hlo_linear_kernels = {
    {[HLO_LINEAR_CHOLESKY] = &hlo_cholesky_routine, [HLO_LINEAR_LU] = &hlo_lu_routine, [HLO_LINEAR_TRIANGLE] = &hlo_triangle_routine,
     [HLO_LINEAR_BAND] = &hlo_band_routine, [HLO_LINEAR_QR] = &hlo_qr_routine, [HLO_LINEAR_Q] = &hlo_q_routine,
     [HLO_LINEAR_PIVOTED_QR] = &hlo_pivoted_qr_routine, [HLO_LINEAR_TIMES_Q] = &hlo_times_q_routine,
     [HLO_LINEAR_EIGEN] = &hlo_eigen_routine, [HLO_LINEAR_SINGULAR] = &hlo_singular_routine, [HLO_LINEAR_TRIDIAGONAL] = &hlo_tridiagonal_routine,
     [HLO_LINEAR_HESSENBERG] = &hlo_hessenberg_routine, [HLO_LINEAR_GENERAL_EIGEN] = &hlo_general_eigen_routine,
     [HLO_LINEAR_SCHUR] = &hlo_schur_routine},
    hlo_linear_measure,
    hlo_linear_run,
    hlo_sparse_product_run,
    hlo_c64_quotients,
    hlo_c128_quotients,
};

/* In the side module there is nobody to ask; in webhlo.wasm src/side answers. */
#ifndef HLO_LINEAR_SIDE
const hlo_linear_library *hlo_linear_loaded(void) { return &hlo_linear_kernels; }
#endif
