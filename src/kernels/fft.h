/* Fourier transforms of lines of any length, in double whatever the elements are, in O(n log n).
 *
 * A length whose prime factors are small is transformed factor by factor (Stockham's order, which sorts as it goes); others by
 * Bluestein's convolution, of a power of two. Real lines of even length are complex ones of half of it. */
#ifndef HLO_KERNELS_FFT_H
#define HLO_KERNELS_FFT_H

#include "base/checked.h"

enum { HLO_FFT_MAX_FACTORS = 64 };

/* The forward transform of `length` complex numbers; tables in memory of the caller's, complex numbers (double pairs). */
typedef struct hlo_fft {
  int64_t length, padded; /* padded: what is transformed instead, `length` but for convolutions */
  int factor_count;
  uint8_t factors[HLO_FFT_MAX_FACTORS]; /* of `padded` */
  const double *roots;    /* exp(-2 pi i k / padded) */
  const double *chirp, *spectrum; /* of convolutions: of `length` and `padded` numbers */
} hlo_fft;

typedef enum hlo_fft_element { HLO_FFT_F32, HLO_FFT_F64, HLO_FFT_C64, HLO_FFT_C128 } hlo_fft_element;

/* A transform of every line along one dimension: outer * length * inner elements, but that a real line stands for the first
 * length / 2 + 1 numbers of its spectrum. Real lines have inner 1. */
typedef struct hlo_fft_pass {
  int64_t outer, length, inner;
  bool inverse;            /* from real numbers: false; to real ones: true */
  hlo_fft_element in, out; /* real: the one, the other, or neither */
  int batch;               /* neighbouring lines that are transformed together; 1 where inner is 1 */
  hlo_fft fft;             /* of length, or of half of it */
  const double *turns;     /* real lines of even length: exp(-2 pi i k / length), length / 2 + 1 of them; else NULL */
} hlo_fft_pass;

/* root = exp(-2 pi i k / n), as exact as double allows. */
void hlo_fft_root(int64_t k, int64_t n, double *root);

/* How many doubles the tables of a pass take: length and whether it is real. -1: too many. */
int64_t hlo_fft_table_size(int64_t length, bool is_real);
/* Fills `tables`, 16-byte aligned, and sets fft, turns and batch; outer, length, inner, in, out and inverse are set.
 * length > 0. */
void hlo_fft_prepare(hlo_fft_pass *pass, double *tables);
/* How many doubles a run takes. */
int64_t hlo_fft_scratch_size(const hlo_fft_pass *pass);
/* Lines that are transformed together, counted. */
int64_t hlo_fft_batches(const hlo_fft_pass *pass);
/* Transforms some of them. scratch: 16-byte aligned. out may be in where both have the same elements. Never fails, never allocates. */
void hlo_fft_run(const hlo_fft_pass *pass, int64_t first, int64_t count, const void *in, void *out, double *scratch);

#endif
