/* Fourier transforms: radix 2, the definition, and Bluestein's convolution. */
#include "reference/fourier.h"

#include <math.h>
#include <string.h>

enum { DIRECT_LENGTH = 64 };

static bool make_line(hlo_complex_line *line, hlo_evaluation *evaluation, int64_t length) {
  line->real = hlo_arena_many(evaluation->scratch, double, length, evaluation->status);
  line->imaginary = hlo_arena_many(evaluation->scratch, double, length, evaluation->status);
  return line->real && line->imaginary;
}

/* exp(-2 pi i k / n), the angle folded into an eighth of the circle so that it is as exact as double allows. */
static void set_root(hlo_complex_line line, int64_t at, int64_t k, int64_t n) {
  static const double pi = 3.14159265358979323846264338327950288;
  int64_t eighth = 8 * k / n, quarter = (eighth + 1) / 2; /* nearest quarter turn */
  double angle = pi * (double)(4 * k - quarter * n) / (2.0 * (double)n), c = cos(angle), s = sin(angle);
  switch (quarter % 4) {
    case 0: line.real[at] = c, line.imaginary[at] = -s; break;
    case 1: line.real[at] = -s, line.imaginary[at] = -c; break;
    case 2: line.real[at] = -c, line.imaginary[at] = s; break;
    default: line.real[at] = s, line.imaginary[at] = c; break;
  }
}

static bool is_power_of_two(int64_t n) { return (n & (n - 1)) == 0; }

static void multiply(hlo_complex_line a, int64_t i, double real, double imaginary) {
  double product = a.real[i] * real - a.imaginary[i] * imaginary;
  a.imaginary[i] = a.real[i] * imaginary + a.imaginary[i] * real;
  a.real[i] = product;
}

static void reverse_bits(hlo_complex_line line, int64_t n) {
  for (int64_t i = 1, j = 0; i < n; i++) {
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    double real = line.real[i], imaginary = line.imaginary[i];
    line.real[i] = line.real[j], line.imaginary[i] = line.imaginary[j];
    line.real[j] = real, line.imaginary[j] = imaginary;
  }
}

/* roots[k] = exp(-2 pi i k / n), n a power of two. */
static void transform_power_of_two(hlo_complex_line line, int64_t n, hlo_complex_line roots) {
  reverse_bits(line, n);
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t begin = 0; begin < n; begin += 2 * half)
      for (int64_t k = 0; k < half; k++) {
        int64_t a = begin + k, b = a + half, root = k * (n / (2 * half));
        multiply(line, b, roots.real[root], roots.imaginary[root]);
        double real = line.real[b], imaginary = line.imaginary[b];
        line.real[b] = line.real[a] - real, line.imaginary[b] = line.imaginary[a] - imaginary;
        line.real[a] += real, line.imaginary[a] += imaginary;
      }
}

static void transform_directly(const hlo_fourier *fourier, hlo_complex_line line) {
  int64_t n = fourier->length;
  for (int64_t k = 0; k < n; k++) {
    double real = 0, imaginary = 0;
    for (int64_t j = 0; j < n; j++) {
      double c = fourier->roots.real[j * k % n], s = fourier->roots.imaginary[j * k % n];
      real += line.real[j] * c - line.imaginary[j] * s;
      imaginary += line.real[j] * s + line.imaginary[j] * c;
    }
    fourier->work.real[k] = real, fourier->work.imaginary[k] = imaginary;
  }
  memcpy(line.real, fourier->work.real, (size_t)n * sizeof(double));
  memcpy(line.imaginary, fourier->work.imaginary, (size_t)n * sizeof(double));
}

static void conjugate(hlo_complex_line line, int64_t n) {
  for (int64_t i = 0; i < n; i++) line.imaginary[i] = -line.imaginary[i];
}

/* With jk = (j*j + k*k - (k-j)^2) / 2 the transform is a convolution with a chirp, between multiplications by it. */
static void transform_by_convolution(const hlo_fourier *fourier, hlo_complex_line line) {
  int64_t n = fourier->length, padded = fourier->padded;
  hlo_complex_line work = fourier->work, roots = fourier->roots;
  memset(work.real, 0, (size_t)padded * sizeof(double));
  memset(work.imaginary, 0, (size_t)padded * sizeof(double));
  for (int64_t j = 0; j < n; j++) {
    work.real[j] = line.real[j], work.imaginary[j] = line.imaginary[j];
    multiply(work, j, roots.real[j], roots.imaginary[j]);
  }
  transform_power_of_two(work, padded, fourier->half_roots);
  for (int64_t k = 0; k < padded; k++) multiply(work, k, fourier->chirp.real[k], fourier->chirp.imaginary[k]);
  conjugate(work, padded);
  transform_power_of_two(work, padded, fourier->half_roots);
  conjugate(work, padded);
  for (int64_t k = 0; k < n; k++) {
    multiply(work, k, roots.real[k], roots.imaginary[k]);
    line.real[k] = work.real[k] / (double)padded, line.imaginary[k] = work.imaginary[k] / (double)padded;
  }
}

static bool init_convolution(hlo_fourier *fourier, hlo_evaluation *evaluation) {
  int64_t n = fourier->length, padded = 1;
  while (padded < 2 * n - 1) padded *= 2;
  fourier->padded = padded;
  if (!make_line(&fourier->half_roots, evaluation, padded) || !make_line(&fourier->chirp, evaluation, padded) ||
      !make_line(&fourier->work, evaluation, padded))
    return false;
  for (int64_t k = 0; k < padded; k++) set_root(fourier->half_roots, k, k, padded);
  int64_t square = 0; /* k*k modulo 2n */
  for (int64_t k = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    set_root(fourier->roots, k, square, 2 * n);
    int64_t mirror = k == 0 ? 0 : padded - k;
    fourier->chirp.real[k] = fourier->chirp.real[mirror] = fourier->roots.real[k];
    fourier->chirp.imaginary[k] = fourier->chirp.imaginary[mirror] = -fourier->roots.imaginary[k];
  }
  transform_power_of_two(fourier->chirp, padded, fourier->half_roots);
  return true;
}

bool hlo_fourier_init(hlo_fourier *fourier, hlo_evaluation *evaluation, int64_t length) {
  *fourier = (hlo_fourier){.length = length};
  if (!make_line(&fourier->roots, evaluation, length)) return false;
  if (!is_power_of_two(length) && length > DIRECT_LENGTH) return init_convolution(fourier, evaluation);
  for (int64_t k = 0; k < length; k++) set_root(fourier->roots, k, k, length);
  return make_line(&fourier->work, evaluation, length);
}

void hlo_fourier_transform(const hlo_fourier *fourier, hlo_complex_line line, bool inverse) {
  int64_t n = fourier->length;
  if (inverse) conjugate(line, n);
  if (fourier->padded) transform_by_convolution(fourier, line);
  else if (is_power_of_two(n)) transform_power_of_two(line, n, fourier->roots);
  else transform_directly(fourier, line);
  if (!inverse) return;
  conjugate(line, n);
  for (int64_t i = 0; i < n; i++) line.real[i] /= (double)n, line.imaginary[i] /= (double)n;
}
