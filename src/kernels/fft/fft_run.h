/* Fourier transforms along one to three dimensions of an array: one pass (kernels/fft/fft.h) after another.
 *
 * operand  dense and row-major, of the first pass's `in`
 * result   dense and row-major, of the last pass's `out`; overlaps no operand
 * scratch  [numbers between passes: all of the array, as c64 or c128][scratch of a pass, for each thread], 64-byte aligned
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_FFT_FFT_RUN_H
#define HLO_KERNELS_FFT_FFT_RUN_H

#include "kernels/fft/fft.h"
#include "kernels/step_function.h"

enum { HLO_FFT_MAX_PASSES = 3 };

typedef struct hlo_fft_parameters {
  int pass_count;
  hlo_fft_pass passes[HLO_FFT_MAX_PASSES];
  int64_t between_size; /* doubles of the scratch that hold the numbers between passes; 0 for a single pass */
  int64_t thread_size;  /* doubles of the scratch that each thread has behind them */
} hlo_fft_parameters;

/* Parameters: a hlo_fft_parameters. */
hlo_shared_step_function hlo_fft_passes_run;

#endif
