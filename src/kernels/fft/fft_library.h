/* The kernels of Fourier transforms as one table, by which the steps reach them: few programs need them, and webhlo.wasm is linked without,
 * as it is without those of linear algebra (kernels/linear/linear_library.h). */
#ifndef HLO_KERNELS_FFT_FFT_LIBRARY_H
#define HLO_KERNELS_FFT_FFT_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/fft/fft.h"
#include "kernels/step_function.h"

typedef struct hlo_fft_library {
  int64_t (*table_size)(int64_t length, bool is_real);    /* hlo_fft_table_size */
  void (*prepare)(hlo_fft_pass *pass, double *tables);    /* hlo_fft_prepare */
  int64_t (*scratch_size)(const hlo_fft_pass *pass);      /* hlo_fft_scratch_size */
  hlo_shared_step_function *run;                          /* hlo_fft_passes_run */
} hlo_fft_library;

/* The table of all that src/kernels/fft holds. */
extern const hlo_fft_library hlo_fft_kernels;
/* Returns the kernels; NULL: they are not loaded. */
const hlo_fft_library *hlo_fft_loaded(void);

#endif
