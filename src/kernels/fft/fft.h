/* Fourier transforms of lines of any length in O(n log n).
 *
 * A length whose prime factors are small is transformed factor by factor, by Stockham's algorithm, which needs no bit reversal; any
 * other by Bluestein's, which makes it a convolution whose length is a power of two. A real line of even length is transformed as a
 * complex one of half the length. Transforms of f32 and c64 are computed in single precision, factor by factor, with roots that are exact
 * but for their rounding; a line alone, and what is made a convolution, in double. A line with an infinity or NaN has a transform that is NaN throughout, as the reference defines. */
#ifndef HLO_KERNELS_FFT_FFT_H
#define HLO_KERNELS_FFT_FFT_H

#include <stdbool.h>
#include <stdint.h>

enum { HLO_FFT_MAX_FACTORS = 64 };

/* The forward transform of `length` complex numbers. Tables are complex numbers, pairs of doubles or floats, in memory of the caller's. */
typedef struct hlo_fft {
  int64_t length, padded; /* padded: the length that is transformed factor by factor; more than `length` for convolutions alone */
  int factor_count;
  uint8_t factors[HLO_FFT_MAX_FACTORS]; /* of `padded` */
  const void *roots;      /* exp(-2 pi i k / padded) */
  const double *chirp, *spectrum; /* `length` and `padded` numbers for convolutions, which are computed in double; else NULL */
} hlo_fft;

typedef enum hlo_fft_element { HLO_FFT_F32, HLO_FFT_F64, HLO_FFT_C64, HLO_FFT_C128 } hlo_fft_element;

/* The transform of all lines along one dimension of an array of outer * length * inner elements. The spectrum of a real line has
 * length / 2 + 1 numbers in place of `length`. Real lines require inner 1. */
typedef struct hlo_fft_pass {
  int64_t outer, length, inner;
  bool inverse;            /* of real lines: false where `in` is real, true where `out` is */
  hlo_fft_element in, out; /* at most one of them real */
  bool is_single;          /* whether it is computed in single precision */
  int batch;               /* how many neighbouring lines are transformed together; even in single precision */
  hlo_fft fft;             /* of `length` or, for real lines of even length, half of it */
  const void *turns;       /* for real lines of even length: exp(-2 pi i k / length), 0 <= k <= length / 2; else NULL */
} hlo_fft_pass;

/* root = exp(-2 pi i k / n), real and imaginary part, as exact as double allows. */
void hlo_fft_root(int64_t k, int64_t n, double *root);

/* Returns how many doubles the tables of a pass take, by its length and whether its lines are real; -1: too many. */
int64_t hlo_fft_table_size(int64_t length, bool is_real);
/* Fills `tables`, 16-byte aligned, and sets fft, turns, is_single and batch. The caller has set the other members. Requires length > 0. */
void hlo_fft_prepare(hlo_fft_pass *pass, double *tables);
/* Returns how many doubles the scratch of a run has. */
int64_t hlo_fft_scratch_size(const hlo_fft_pass *pass);
/* Returns how many batches of lines there are. */
int64_t hlo_fft_batches(const hlo_fft_pass *pass);
/* Transforms batches first to first + count - 1. scratch has hlo_fft_scratch_size doubles, 16-byte aligned. out may be the same array as
 * in where both have the same type of elements; else they do not overlap. Never fails, never allocates. */
void hlo_fft_run(const hlo_fft_pass *pass, int64_t first, int64_t count, const void *in, void *out, double *scratch);

#endif
