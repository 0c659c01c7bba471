/* Fourier transforms: radix 2, the definition, and Bluestein's convolution. */
#include "reference/fourier.h"

#include <math.h>
#include <string.h>

enum { DIRECT_LENGTH = 64 };

static hlo_complex *make_line(hlo_evaluation *evaluation, int64_t length) {
  return hlo_arena_many(evaluation->scratch, hlo_complex, length, evaluation->status);
}

/* exp(-2 pi i k / n), the angle folded into an eighth of the circle so that it is as exact as double allows. */
static hlo_complex root_of(int64_t k, int64_t n) {
  static const double pi = 3.14159265358979323846264338327950288;
  int64_t eighth = 8 * k / n, quarter = (eighth + 1) / 2; /* nearest quarter turn */
  double angle = pi * (double)(4 * k - quarter * n) / (2.0 * (double)n);
  hlo_complex root = {cos(angle), -sin(angle)};
  for (; quarter % 4; quarter++) root = (hlo_complex){-root[1], root[0]};
  return root;
}

static bool is_power_of_two(int64_t n) { return (n & (n - 1)) == 0; }

static void multiply_lines(hlo_complex *a, const hlo_complex *b, int64_t n) {
  for (int64_t i = 0; i < n; i++) a[i] = hlo_complex_multiply(a[i], b[i]);
}

static void reverse_bits(hlo_complex *line, int64_t n) {
  for (int64_t i = 1, j = 0; i < n; i++) {
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) hlo_line_swap(1, &line[i], &line[j], 1);
  }
}

/* roots[k] = exp(-2 pi i k / n), n a power of two. */
static void transform_power_of_two(hlo_complex *line, int64_t n, const hlo_complex *roots) {
  reverse_bits(line, n);
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t begin = 0; begin < n; begin += 2 * half)
      for (int64_t k = 0; k < half; k++) {
        hlo_complex *a = &line[begin + k], *b = a + half, odd = hlo_complex_multiply(*b, roots[k * (n / (2 * half))]);
        *b = *a - odd;
        *a += odd;
      }
}

static void transform_directly(const hlo_fourier *fourier, hlo_complex *line) {
  int64_t n = fourier->length;
  for (int64_t k = 0; k < n; k++) {
    hlo_complex sum = {0};
    for (int64_t j = 0; j < n; j++) sum += hlo_complex_multiply(line[j], fourier->roots[j * k % n]);
    fourier->work[k] = sum;
  }
  memcpy(line, fourier->work, (size_t)n * sizeof *line);
}

static void conjugate(hlo_complex *line, int64_t n, double divisor) {
  for (int64_t i = 0; i < n; i++) line[i] = hlo_conj(line[i]) / divisor;
}

/* With jk = (j*j + k*k - (k-j)^2) / 2 the transform is a convolution with a chirp, between multiplications by it. */
static void transform_by_convolution(const hlo_fourier *fourier, hlo_complex *line) {
  int64_t n = fourier->length, padded = fourier->padded;
  hlo_complex *work = fourier->work;
  memset(work, 0, (size_t)padded * sizeof *work);
  memcpy(work, line, (size_t)n * sizeof *work);
  multiply_lines(work, fourier->roots, n);
  transform_power_of_two(work, padded, fourier->half_roots);
  multiply_lines(work, fourier->chirp, padded);
  conjugate(work, padded, 1);
  transform_power_of_two(work, padded, fourier->half_roots);
  conjugate(work, n, 1);
  multiply_lines(work, fourier->roots, n);
  for (int64_t k = 0; k < n; k++) line[k] = work[k] / (double)padded;
}

static bool init_convolution(hlo_fourier *fourier, hlo_evaluation *evaluation) {
  int64_t n = fourier->length, padded = 1;
  while (padded < 2 * n - 1) padded *= 2;
  fourier->padded = padded;
  fourier->half_roots = make_line(evaluation, padded);
  fourier->chirp = make_line(evaluation, padded);
  fourier->work = make_line(evaluation, padded);
  if (!hlo_ok(evaluation->status)) return false;
  for (int64_t k = 0; k < padded; k++) fourier->half_roots[k] = root_of(k, padded);
  int64_t square = 0; /* k*k modulo 2n */
  for (int64_t k = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    fourier->roots[k] = root_of(square, 2 * n);
    fourier->chirp[k] = fourier->chirp[k == 0 ? 0 : padded - k] = hlo_conj(fourier->roots[k]);
  }
  transform_power_of_two(fourier->chirp, padded, fourier->half_roots);
  return true;
}

bool hlo_fourier_init(hlo_fourier *fourier, hlo_evaluation *evaluation, int64_t length) {
  *fourier = (hlo_fourier){.length = length, .roots = make_line(evaluation, length)};
  if (!fourier->roots) return false;
  if (!is_power_of_two(length) && length > DIRECT_LENGTH) return init_convolution(fourier, evaluation);
  for (int64_t k = 0; k < length; k++) fourier->roots[k] = root_of(k, length);
  fourier->work = make_line(evaluation, length);
  return fourier->work != NULL;
}

void hlo_fourier_transform(const hlo_fourier *fourier, hlo_complex *line, bool inverse) {
  int64_t n = fourier->length;
  if (inverse) conjugate(line, n, 1);
  if (fourier->padded) transform_by_convolution(fourier, line);
  else if (is_power_of_two(n)) transform_power_of_two(line, n, fourier->roots);
  else transform_directly(fourier, line);
  if (inverse) conjugate(line, n, (double)n);
}
