/* Fourier transforms: the passes and tables. What is done with numbers stands in fft_lines.inc, for both precisions. */
#include "kernels/fft/fft.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/simd128.h"

enum { LARGEST_FACTOR = 61, MOST_LINES = 8, BATCH_NUMBERS = 4096 };

/* One stage of Stockham's algorithm: `stride` transforms of count * radix numbers each become radix * stride transforms of `count`
 * numbers, for 0 <= q < stride, 0 <= j < count, 0 <= k < radix:
 *
 *   y[q + stride * (radix * j + k)] = w^(j * k) * sum over n of x[q + stride * (j + count * n)] * exp(-2 pi i n k / radix)
 *
 * w = exp(-2 pi i / (count * radix)) is number `step` of the table of roots. */
typedef struct stage {
  const hlo_fft *fft;
  const void *x;
  void *y;
  int64_t count, stride, step;
} stage;

/* Lines that are transformed side by side: where each begins, in elements. Where vectors hold two lines, there may be one line twice. */
typedef struct batch {
  int room;
  int64_t from[MOST_LINES], to[MOST_LINES];
} batch;

/* ---- What is not finite ---- */

static bool is_finite_number(double re, double im) { return re - re + (im - im) == 0; }

static double part_at(hlo_fft_element type, const void *array, int64_t i) {
  return type == HLO_FFT_F32 || type == HLO_FFT_C64 ? ((const float *)array)[i] : ((const double *)array)[i];
}

/* Returns whether all numbers of a line are finite that count: the imaginary parts of a real line's spectrum do not, where it is real. */
static bool is_finite_line(const hlo_fft_pass *p, const void *in, int64_t start) {
  bool from_real = p->in < HLO_FFT_C64, to_real = p->out < HLO_FFT_C64;
  int64_t count = to_real ? p->length / 2 + 1 : p->length;
  for (int64_t k = 0; k < count; k++) {
    int64_t at = start + k * p->inner;
    bool is_real = from_real || (to_real && (k == 0 || 2 * k == p->length));
    if (!is_finite_number(part_at(p->in, in, from_real ? at : 2 * at), is_real ? 0 : part_at(p->in, in, 2 * at + 1))) return false;
  }
  return true;
}

/* ---- In double, whatever the type of the elements ---- */

static inline v128_t read_number(hlo_fft_element type, const void *array, int64_t i) {
  if (type == HLO_FFT_C64) return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero((const float *)array + 2 * i));
  return wasm_v128_load((const double *)array + 2 * i);
}

static inline void write_number(hlo_fft_element type, void *array, int64_t i, v128_t x) {
  if (type == HLO_FFT_C64) wasm_v128_store64_lane((float *)array + 2 * i, wasm_f32x4_demote_f64x2_zero(x), 0);
  else wasm_v128_store((double *)array + 2 * i, x);
}

static inline v128_t read_reals(hlo_fft_element type, const void *array, int64_t i, int count) {
  return wasm_f64x2_make(part_at(type, array, i), count == 2 ? part_at(type, array, i + 1) : 0);
}

static inline void write_reals(hlo_fft_element type, void *array, int64_t i, v128_t x, int count) {
  double parts[2];
  wasm_v128_store(parts, x);
  for (int k = 0; k < count; k++) {
    if (type == HLO_FFT_F32) ((float *)array)[i + k] = (float)parts[k];
    else ((double *)array)[i + k] = parts[k];
  }
}

static double *transform_in_double(const hlo_fft *fft, int64_t batch, double *x, double *y);

#define NAME(x) x##_double
#define REAL double
#define LINES 1
#define ADD wasm_f64x2_add
#define SUB wasm_f64x2_sub
#define MUL wasm_f64x2_mul
#define SPLAT wasm_f64x2_splat
#define SHUFFLE(x, a, b) wasm_i64x2_shuffle(x, x, a, b)
#define MAKE(re, im) wasm_f64x2_make(re, im)
#define LOAD_ROOT(at) wasm_v128_load(at)
#define READ read_number
#define WRITE write_number
#define READ_REALS read_reals
#define WRITE_REALS write_reals
#include "kernels/fft/fft_lines.inc"
#undef NAME
#undef REAL
#undef LINES
#undef ADD
#undef SUB
#undef MUL
#undef SPLAT
#undef SHUFFLE
#undef MAKE
#undef LOAD_ROOT
#undef READ
#undef WRITE
#undef READ_REALS
#undef WRITE_REALS

/* Bluestein's algorithm: with jk = (j*j + k*k - (k-j)^2) / 2, the transform is a multiplication by a chirp, a convolution with its
 * conjugate, and the multiplication once more. */
static double *run_convolution(const hlo_fft *fft, int64_t batch, double *x, double *y) {
  int64_t n = fft->length, padded = fft->padded;
  for (int64_t j = 0; j < n; j++)
    for (int64_t b = 0; b < batch; b++) store_double(x, j * batch + b, multiply_double(load_double(x, j * batch + b), load_double(fft->chirp, j)));
  memset(x + 2 * n * batch, 0, (size_t)((padded - n) * batch) * 2 * sizeof(double));
  double *made = run_factors_double(fft, batch, x, y), *other = made == x ? y : x;
  for (int64_t k = 0; k < padded; k++) /* swapped, for the inverse transform */
    for (int64_t b = 0; b < batch; b++)
      store_double(made, k * batch + b, swap_double(multiply_double(load_double(made, k * batch + b), load_double(fft->spectrum, k))));
  made = run_factors_double(fft, batch, made, other);
  for (int64_t k = 0; k < n; k++)
    for (int64_t b = 0; b < batch; b++)
      store_double(made, k * batch + b, multiply_double(swap_double(load_double(made, k * batch + b)), load_double(fft->chirp, k)));
  return made;
}

static double *transform_in_double(const hlo_fft *fft, int64_t batch, double *x, double *y) {
  return fft->chirp ? run_convolution(fft, batch, x, y) : run_factors_double(fft, batch, x, y);
}

/* ---- In single, two lines to a vector ---- */

#define NAME(x) x##_single
#define REAL float
#define LINES 2
#define ADD wasm_f32x4_add
#define SUB wasm_f32x4_sub
#define MUL wasm_f32x4_mul
#define SPLAT wasm_f32x4_splat
#define SHUFFLE(x, a, b) wasm_i32x4_shuffle(x, x, a, b, (a) + 2, (b) + 2)
#define MAKE(re, im) wasm_f32x4_make(re, im, re, im)
#define LOAD_ROOT(at) wasm_v128_load64_splat(at)
#define READ(type, array, i) wasm_v128_load64_zero((const float *)(array) + 2 * (i))
#define WRITE(type, array, i, x) wasm_v128_store64_lane((float *)(array) + 2 * (i), x, 0)
#define READ_REALS(type, array, i, count) ((count) == 2 ? wasm_v128_load64_zero((const float *)(array) + (i)) : wasm_v128_load32_zero((const float *)(array) + (i)))
#define WRITE_REALS(type, array, i, x, count)                           \
  do {                                                                  \
    float *at = (float *)(array) + (i);                                 \
    if ((count) == 2) wasm_v128_store64_lane(at, x, 0);                 \
    else wasm_v128_store32_lane(at, x, 0);                              \
  } while (0)
#include "kernels/fft/fft_lines.inc"

/* ---- Passes ---- */

int64_t hlo_fft_batches(const hlo_fft_pass *p) { return hlo_ceil_div(p->outer * p->inner, p->batch); }

void hlo_fft_run(const hlo_fft_pass *p, int64_t first, int64_t count, const void *in, void *out, double *scratch) {
  int64_t all = p->outer * p->inner, spectrum = p->length / 2 + 1;
  for (int64_t n = first; n < first + count; n++) {
    batch lines = {.room = p->batch};
    int64_t left = all - n * p->batch;
    if (left < p->batch) lines.room = (int)(p->is_single ? left + left % 2 : left);
    for (int b = 0; b < lines.room; b++) {
      int64_t line = n * p->batch + (b < left ? b : left - 1);
      lines.from[b] = lines.to[b] = line / p->inner * p->length * p->inner + line % p->inner;
      if (p->in < HLO_FFT_C64) lines.to[b] = line * spectrum;
      if (p->out < HLO_FFT_C64) lines.from[b] = line * spectrum;
    }
    if (p->is_single) run_single(p, &lines, in, out, scratch);
    else run_double(p, &lines, in, out, scratch);
  }
}

/* ---- Tables ---- */

/* The angle is reduced to an eighth of the circle, where sine and cosine are most exact. */
void hlo_fft_root(int64_t k, int64_t n, double *root) {
  static const double pi = 3.14159265358979323846264338327950288;
  int64_t eighth = 8 * k / n, quarter = (eighth + 1) / 2; /* the nearest quarter turn */
  double angle = pi * (double)(4 * k - quarter * n) / (2.0 * (double)n), c = cos(angle), s = sin(angle);
  double real[4] = {c, -s, -c, s}, imaginary[4] = {-s, -c, s, c};
  root[0] = real[quarter % 4], root[1] = imaginary[quarter % 4];
}

/* Sets the factors of `padded`, up to LARGEST_FACTOR. Returns what is left: 1 if there are no others. */
static int64_t factorise(hlo_fft *fft) {
  int64_t rest = fft->padded;
  fft->factor_count = 0;
  for (int radix = 4; radix <= LARGEST_FACTOR && rest > 1; radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2)
    for (; rest % radix == 0; rest /= radix) fft->factors[fft->factor_count++] = (uint8_t)radix;
  return rest;
}

/* Sets everything but the tables. */
static void shape_fft(hlo_fft *fft, int64_t length) {
  *fft = (hlo_fft){.length = length, .padded = length};
  if (factorise(fft) == 1) return;
  for (fft->padded = 1; fft->padded < 2 * length - 1;) fft->padded *= 2;
  factorise(fft);
}

/* Returns the length of the complex transform that a line takes. */
static int64_t transformed_length(int64_t length, bool is_real) { return is_real && length % 2 == 0 ? length / 2 : length; }

int64_t hlo_fft_table_size(int64_t length, bool is_real) {
  hlo_fft fft;
  if (length > (int64_t)1 << 26) return -1;
  int64_t transformed = transformed_length(length, is_real);
  shape_fft(&fft, transformed);
  int64_t numbers = fft.padded == transformed ? transformed : 3 * fft.padded + transformed;
  return 2 * (numbers + (transformed < length ? transformed + 1 : 0));
}

/* Writes the chirp, exp(-pi i k * k / length), and behind it the spectrum of its conjugate, divided by `padded`. */
static void prepare_convolution(hlo_fft *fft, double *chirp) {
  int64_t n = fft->length, padded = fft->padded, square = 0; /* k * k modulo 2n */
  double *spectrum = chirp + 2 * n;
  memset(spectrum, 0, (size_t)padded * 2 * sizeof(double));
  for (int64_t k = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    hlo_fft_root(square, 2 * n, chirp + 2 * k);
    v128_t number = wasm_f64x2_mul(conjugate_double(load_double(chirp, k)), wasm_f64x2_splat(1 / (double)padded));
    store_double(spectrum, k, number);
    if (k > 0) store_double(spectrum, padded - k, number);
  }
  fft->chirp = chirp, fft->spectrum = run_factors_double(fft, 1, spectrum, spectrum + 2 * padded);
}

/* Rounds numbers to single precision, in place. */
static void narrow(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    float rounded = (float)numbers[i];
    memcpy((char *)numbers + i * (int64_t)sizeof rounded, &rounded, sizeof rounded);
  }
}

void hlo_fft_prepare(hlo_fft_pass *p, double *tables) {
  bool is_real = p->in < HLO_FFT_C64 || p->out < HLO_FFT_C64;
  int64_t transformed = transformed_length(p->length, is_real);
  assert(p->length > 0 && (p->inner == 1 || !is_real));
  shape_fft(&p->fft, transformed);
  int64_t lines = p->outer * p->inner, padded = p->fft.padded;
  p->is_single = lines > 1 && padded == transformed && p->in != HLO_FFT_F64 && p->in != HLO_FFT_C128 && p->out != HLO_FFT_F64 && p->out != HLO_FFT_C128;
  for (int64_t k = 0; k < padded; k++) hlo_fft_root(k, padded, tables + 2 * k);
  if (p->is_single) narrow(tables, 2 * padded);
  p->fft.roots = tables;
  tables += 2 * padded;
  if (padded != transformed) {
    prepare_convolution(&p->fft, tables);
    tables += 2 * (transformed + 2 * padded);
  }
  p->turns = NULL;
  if (transformed < p->length) {
    for (int64_t k = 0; k <= transformed; k++) hlo_fft_root(k, p->length, tables + 2 * k);
    if (p->is_single) narrow(tables, 2 * (transformed + 1));
    p->turns = tables;
  }
  int64_t fitting = BATCH_NUMBERS / padded, most = p->is_single ? lines : p->inner;
  if (most > MOST_LINES) most = MOST_LINES;
  p->batch = (int)(fitting < 1 ? 1 : fitting < most ? fitting : most);
  if (p->is_single) p->batch += p->batch % 2;
}

/* Two lines of numbers, pairs of REALs. */
int64_t hlo_fft_scratch_size(const hlo_fft_pass *p) { return (p->is_single ? 2 : 4) * p->fft.padded * p->batch; }
