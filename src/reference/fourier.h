/* Discrete Fourier transforms of one line, of any length, in double. */
#ifndef HLO_REFERENCE_FOURIER_H
#define HLO_REFERENCE_FOURIER_H

#include "reference/dense_matrix.h"
#include "reference/reference.h"

/* Tables for one length. Powers of two are split in halves; other lengths up to 64 are summed as the definition
 * says; longer ones become a convolution of a power-of-two length (Bluestein). */
typedef struct hlo_fourier {
  int64_t length;
  int64_t padded;          /* Bluestein: length of the convolution; 0 otherwise */
  hlo_complex *roots;      /* exp(-2 pi i k / length); for Bluestein exp(-pi i k k / length) */
  hlo_complex *half_roots; /* Bluestein: exp(-2 pi i k / padded) */
  hlo_complex *chirp;      /* Bluestein: the transformed chirp, `padded` long */
  hlo_complex *work;       /* `length` or `padded` long */
} hlo_fourier;

/* Length at least 1; tables in scratch memory. */
bool hlo_fourier_init(hlo_fourier *fourier, hlo_evaluation *evaluation, int64_t length);
/* In place: X[k] = sum of x[j] exp(-2 pi i j k / n); the inverse has +i and divides by n. */
void hlo_fourier_transform(const hlo_fourier *fourier, hlo_complex *line, bool inverse);

#endif
