#include "kernels/fft/fft_library.h"

#include "kernels/fft/fft.h"
#include "kernels/fft/fft_run.h"

const hlo_fft_library hlo_fft_kernels = {hlo_fft_table_size, hlo_fft_prepare, hlo_fft_scratch_size, hlo_fft_passes_run};

/* In the side module there is nobody to ask; in webhlo.wasm src/side answers. */
#ifndef HLO_LINEAR_SIDE
const hlo_fft_library *hlo_fft_loaded(void) { return &hlo_fft_kernels; }
#endif
