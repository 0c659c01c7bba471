/* Fourier transforms: a complex number is a vector of two doubles. */
#include "kernels/fft/fft.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/simd128.h"

enum { LARGEST_FACTOR = 61, MOST_LINES = 8, BATCH_NUMBERS = 4096 };

/* ---- Complex numbers ---- */

static inline v128_t load(const double *numbers, int64_t i) { return wasm_v128_load(numbers + 2 * i); }
static inline void store(double *numbers, int64_t i, v128_t x) { wasm_v128_store(numbers + 2 * i, x); }
/* imaginary part + i * real part, which is i * conjugate(x): a forward transform of swapped numbers, swapped, is the inverse one */
static inline v128_t swap(v128_t x) { return wasm_i64x2_shuffle(x, x, 1, 0); }
static inline v128_t conjugate(v128_t x) { return wasm_v128_xor(x, wasm_f64x2_make(0, -0.0)); }
/* i * x */
static inline v128_t turn(v128_t x) { return wasm_v128_xor(swap(x), wasm_f64x2_make(-0.0, 0)); }
/* w * x, given w and i * w */
static inline v128_t rotate(v128_t x, v128_t w, v128_t iw) {
  return wasm_f64x2_add(wasm_f64x2_mul(wasm_i64x2_shuffle(x, x, 0, 0), w), wasm_f64x2_mul(wasm_i64x2_shuffle(x, x, 1, 1), iw));
}
static inline v128_t multiply(v128_t x, v128_t w) { return rotate(x, w, turn(w)); }
static inline v128_t scale(v128_t x, double factor) { return wasm_f64x2_mul(x, wasm_f64x2_splat(factor)); }

/* ---- Factor by factor ---- */

/* One stage of Stockham's algorithm: `stride` transforms of count * radix numbers each become radix * stride transforms of `count`
 * numbers, for 0 <= q < stride, 0 <= j < count, 0 <= k < radix:
 *
 *   y[q + stride * (radix * j + k)] = w^(j * k) * sum over n of x[q + stride * (j + count * n)] * exp(-2 pi i n k / radix)
 *
 * w = exp(-2 pi i / (count * radix)) is number `step` of the table of roots. */
typedef struct stage {
  const double *x, *roots;
  double *y;
  int64_t count, stride, step;
} stage;

static void run_stage_2(const stage *s) {
  for (int64_t j = 0; j < s->count; j++) {
    v128_t w = load(s->roots, j * s->step), iw = turn(w);
    for (int64_t q = 0; q < s->stride; q++) {
      int64_t from = q + s->stride * j, to = q + s->stride * 2 * j;
      v128_t a = load(s->x, from), b = load(s->x, from + s->stride * s->count);
      store(s->y, to, wasm_f64x2_add(a, b));
      store(s->y, to + s->stride, rotate(wasm_f64x2_sub(a, b), w, iw));
    }
  }
}

static void run_stage_4(const stage *s) {
  int64_t apart = s->stride * s->count;
  for (int64_t j = 0; j < s->count; j++) {
    v128_t w1 = load(s->roots, j * s->step), w2 = load(s->roots, 2 * j * s->step), w3 = load(s->roots, 3 * j * s->step);
    v128_t iw1 = turn(w1), iw2 = turn(w2), iw3 = turn(w3);
    for (int64_t q = 0; q < s->stride; q++) {
      int64_t from = q + s->stride * j, to = q + s->stride * 4 * j;
      v128_t a = load(s->x, from), b = load(s->x, from + apart), c = load(s->x, from + 2 * apart), d = load(s->x, from + 3 * apart);
      v128_t even = wasm_f64x2_add(a, c), odd = wasm_f64x2_add(b, d);
      v128_t even_rest = wasm_f64x2_sub(a, c), odd_rest = turn(wasm_f64x2_sub(b, d));
      store(s->y, to, wasm_f64x2_add(even, odd));
      store(s->y, to + s->stride, rotate(wasm_f64x2_sub(even_rest, odd_rest), w1, iw1));
      store(s->y, to + 2 * s->stride, rotate(wasm_f64x2_sub(even, odd), w2, iw2));
      store(s->y, to + 3 * s->stride, rotate(wasm_f64x2_add(even_rest, odd_rest), w3, iw3));
    }
  }
}

/* An odd radix. Numbers i and radix - i have the same cosines, and sines of opposite sign. */
static void run_stage_odd(const stage *s, int radix) {
  v128_t sums[LARGEST_FACTOR / 2 + 1], rests[LARGEST_FACTOR / 2 + 1], cosines[LARGEST_FACTOR], sines[LARGEST_FACTOR];
  int half = radix / 2;
  int64_t apart = s->stride * s->count;
  for (int i = 0; i < radix; i++) {
    const double *root = s->roots + 2 * i * s->count * s->step;
    cosines[i] = wasm_f64x2_splat(root[0]);
    sines[i] = wasm_f64x2_splat(root[1]);
  }
  for (int64_t j = 0; j < s->count; j++)
    for (int64_t q = 0; q < s->stride; q++) {
      int64_t from = q + s->stride * j, to = q + s->stride * radix * j;
      v128_t first = load(s->x, from), total = first;
      for (int i = 1; i <= half; i++) {
        v128_t a = load(s->x, from + i * apart), b = load(s->x, from + (radix - i) * apart);
        sums[i] = wasm_f64x2_add(a, b);
        rests[i] = turn(wasm_f64x2_sub(a, b));
        total = wasm_f64x2_add(total, sums[i]);
      }
      store(s->y, to, total);
      for (int k = 1; k <= half; k++) {
        v128_t even = first, odd = wasm_f64x2_splat(0);
        for (int i = 1, at = k; i <= half; i++, at += at + k >= radix ? k - radix : k) {
          even = wasm_f64x2_add(even, wasm_f64x2_mul(sums[i], cosines[at]));
          odd = wasm_f64x2_add(odd, wasm_f64x2_mul(rests[i], sines[at]));
        }
        store(s->y, to + k * s->stride, multiply(wasm_f64x2_add(even, odd), load(s->roots, j * k * s->step)));
        store(s->y, to + (radix - k) * s->stride, multiply(wasm_f64x2_sub(even, odd), load(s->roots, j * (radix - k) * s->step)));
      }
    }
}

/* Transforms `batch` lines side by side. Stages go from x to y and back; returns the one of the two that holds the result. */
static double *run_factors(const hlo_fft *fft, int64_t batch, double *x, double *y) {
  stage s = {.roots = fft->roots, .count = fft->padded, .stride = batch, .step = 1};
  for (int f = 0; f < fft->factor_count; f++) {
    int radix = fft->factors[f];
    s.x = x, s.y = y;
    s.count /= radix;
    if (radix == 4) run_stage_4(&s);
    else if (radix == 2) run_stage_2(&s);
    else run_stage_odd(&s, radix);
    s.stride *= radix, s.step *= radix;
    double *made = y;
    y = x, x = made;
  }
  return x;
}

/* Bluestein's algorithm: with jk = (j*j + k*k - (k-j)^2) / 2, the transform is a multiplication by a chirp, a convolution with its
 * conjugate, and the multiplication once more. */
static double *run_convolution(const hlo_fft *fft, int64_t batch, double *x, double *y) {
  int64_t n = fft->length, padded = fft->padded;
  for (int64_t j = 0; j < n; j++)
    for (int64_t b = 0; b < batch; b++) store(x, j * batch + b, multiply(load(x, j * batch + b), load(fft->chirp, j)));
  memset(x + 2 * n * batch, 0, (size_t)((padded - n) * batch) * 2 * sizeof(double));
  double *made = run_factors(fft, batch, x, y), *other = made == x ? y : x;
  for (int64_t k = 0; k < padded; k++) /* swapped, for the inverse transform */
    for (int64_t b = 0; b < batch; b++) store(made, k * batch + b, swap(multiply(load(made, k * batch + b), load(fft->spectrum, k))));
  made = run_factors(fft, batch, made, other);
  for (int64_t k = 0; k < n; k++)
    for (int64_t b = 0; b < batch; b++) store(made, k * batch + b, multiply(swap(load(made, k * batch + b)), load(fft->chirp, k)));
  return made;
}

static double *transform(const hlo_fft *fft, int64_t batch, double *x, double *y) {
  return fft->chirp ? run_convolution(fft, batch, x, y) : run_factors(fft, batch, x, y);
}

/* ---- Lines ---- */

static inline v128_t read_number(hlo_fft_element type, const void *array, int64_t i) {
  if (type == HLO_FFT_C64) return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero((const float *)array + 2 * i));
  return load(array, i);
}

static inline void write_number(hlo_fft_element type, void *array, int64_t i, v128_t x) {
  if (type == HLO_FFT_C64) wasm_v128_store64_lane((float *)array + 2 * i, wasm_f32x4_demote_f64x2_zero(x), 0);
  else store(array, i, x);
}

static double read_real(hlo_fft_element type, const void *array, int64_t i) {
  return type == HLO_FFT_F32 ? ((const float *)array)[i] : ((const double *)array)[i];
}

static void write_real(hlo_fft_element type, void *array, int64_t i, double x) {
  if (type == HLO_FFT_F32) ((float *)array)[i] = (float)x;
  else ((double *)array)[i] = x;
}

/* Returns number k of a real line's spectrum, of which the array holds the first half: the second one mirrors it. */
static v128_t spectrum_at(const hlo_fft_pass *p, const void *in, int64_t start, int64_t k) {
  int64_t mirror = p->length - k;
  v128_t number = read_number(p->in, in, start + (k <= p->length / 2 ? k : mirror));
  if (k == 0 || k == mirror) return wasm_v128_and(number, wasm_i64x2_make(-1, 0)); /* real, whatever imaginary part the array has */
  return k <= p->length / 2 ? number : conjugate(number);
}

/* ---- What is not finite ---- */

static inline bool is_finite(v128_t x) { return wasm_i64x2_all_true(wasm_f64x2_eq(wasm_f64x2_sub(x, x), wasm_f64x2_splat(0))); }

/* Returns number k of the line that begins at `start`. */
static v128_t input_at(const hlo_fft_pass *p, const void *in, int64_t start, int64_t k) {
  if (p->in < HLO_FFT_C64) return wasm_f64x2_make(read_real(p->in, in, start + k), 0);
  return p->out < HLO_FFT_C64 ? spectrum_at(p, in, start, k) : read_number(p->in, in, start + k * p->inner);
}

/* Makes all numbers of a transform NaN whose line has an infinity or NaN: number b of each `batch`. Number 0 is the sum of the line, and
 * tells; it is not finite either where finite numbers are too large to add, which is left as it is. */
static void spread_nan(const hlo_fft_pass *p, const void *in, int64_t start, int64_t b, int64_t batch, double *made) {
  bool finite = true;
  if (is_finite(load(made, b))) return;
  for (int64_t k = 0; k < p->length; k++) finite &= is_finite(input_at(p, in, start, k));
  for (int64_t k = 0; !finite && k < p->fft.length; k++) store(made, k * batch + b, wasm_f64x2_splat(NAN));
}

/* ---- Passes ---- */

/* Returns into how many batches the `inner` lines that lie side by side are divided. */
static int64_t batches_of_a_row(const hlo_fft_pass *p) { return hlo_ceil_div(p->inner, p->batch); }
int64_t hlo_fft_batches(const hlo_fft_pass *p) { return p->outer * batches_of_a_row(p); }

static void run_complex(const hlo_fft_pass *p, int64_t first, int64_t end, const void *in, void *out, double *x, double *y) {
  double factor = 1 / (double)p->length;
  int64_t batches = batches_of_a_row(p);
  for (int64_t n = first; n < end; n++) {
    int64_t o = n / batches, i = n % batches * p->batch;
    int64_t batch = p->inner - i < p->batch ? p->inner - i : p->batch, start = o * p->length * p->inner + i;
    for (int64_t j = 0; j < p->length; j++)
      for (int64_t b = 0; b < batch; b++) {
        v128_t number = read_number(p->in, in, start + j * p->inner + b);
        store(x, j * batch + b, p->inverse ? swap(number) : number);
      }
    double *made = transform(&p->fft, batch, x, y);
    for (int64_t b = 0; b < batch; b++) spread_nan(p, in, start + b, b, batch, made);
    for (int64_t j = 0; j < p->length; j++)
      for (int64_t b = 0; b < batch; b++) {
        v128_t number = load(made, j * batch + b);
        write_number(p->out, out, start + j * p->inner + b, p->inverse ? scale(swap(number), factor) : number);
      }
  }
}

/* Real lines to their spectra. Where the length is even, x[2j] + i x[2j+1] is transformed: the symmetric part of its spectrum is that of
 * the even elements, the antisymmetric part that of the odd ones. */
static void run_from_real(const hlo_fft_pass *p, int64_t first, int64_t end, const void *in, void *out, double *x, double *y) {
  int64_t length = p->length, half = p->fft.length;
  for (int64_t o = first; o < end; o++) {
    int64_t from = o * length, to = o * (length / 2 + 1);
    for (int64_t j = 0; j < half; j++) {
      double even = read_real(p->in, in, p->turns ? from + 2 * j : from + j), odd = p->turns ? read_real(p->in, in, from + 2 * j + 1) : 0;
      store(x, j, wasm_f64x2_make(even, odd));
    }
    double *made = transform(&p->fft, 1, x, y);
    spread_nan(p, in, from, 0, 1, made);
    for (int64_t k = 0; k <= length / 2; k++) {
      v128_t number = load(made, k == half ? 0 : k);
      if (p->turns) {
        v128_t mirror = conjugate(load(made, k == 0 ? 0 : half - k)), rest = turn(wasm_f64x2_sub(mirror, number));
        number = scale(wasm_f64x2_add(wasm_f64x2_add(number, mirror), multiply(rest, load(p->turns, k))), 0.5);
      }
      write_number(p->out, out, to + k, number);
    }
  }
}

/* Spectra to real lines: run_from_real backwards. */
static void run_to_real(const hlo_fft_pass *p, int64_t first, int64_t end, const void *in, void *out, double *x, double *y) {
  int64_t length = p->length, half = p->fft.length;
  double factor = 1 / (double)length;
  for (int64_t o = first; o < end; o++) {
    int64_t from = o * (length / 2 + 1), to = o * length;
    for (int64_t k = 0; k < half; k++) {
      v128_t number = spectrum_at(p, in, from, k);
      if (p->turns) {
        v128_t mirror = conjugate(spectrum_at(p, in, from, half - k)), rest = turn(wasm_f64x2_sub(number, mirror));
        number = wasm_f64x2_add(wasm_f64x2_add(number, mirror), multiply(rest, conjugate(load(p->turns, k))));
      }
      store(x, k, swap(number));
    }
    double *made = transform(&p->fft, 1, x, y);
    spread_nan(p, in, from, 0, 1, made);
    for (int64_t j = 0; j < half; j++) {
      double even = made[2 * j + 1] * factor;
      write_real(p->out, out, p->turns ? to + 2 * j : to + j, even);
      if (p->turns) write_real(p->out, out, to + 2 * j + 1, made[2 * j] * factor);
    }
  }
}

void hlo_fft_run(const hlo_fft_pass *p, int64_t first, int64_t count, const void *in, void *out, double *scratch) {
  double *y = scratch + 2 * p->fft.padded * p->batch;
  if (p->in < HLO_FFT_C64) run_from_real(p, first, first + count, in, out, scratch, y);
  else if (p->out < HLO_FFT_C64) run_to_real(p, first, first + count, in, out, scratch, y);
  else run_complex(p, first, first + count, in, out, scratch, y);
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
    v128_t number = scale(conjugate(load(chirp, k)), 1 / (double)padded);
    store(spectrum, k, number);
    if (k > 0) store(spectrum, padded - k, number);
  }
  fft->chirp = chirp, fft->spectrum = run_factors(fft, 1, spectrum, spectrum + 2 * padded);
}

void hlo_fft_prepare(hlo_fft_pass *p, double *tables) {
  bool is_real = p->in < HLO_FFT_C64 || p->out < HLO_FFT_C64;
  int64_t transformed = transformed_length(p->length, is_real);
  assert(p->length > 0 && (p->inner == 1 || !is_real));
  shape_fft(&p->fft, transformed);
  for (int64_t k = 0; k < p->fft.padded; k++) hlo_fft_root(k, p->fft.padded, tables + 2 * k);
  p->fft.roots = tables;
  tables += 2 * p->fft.padded;
  if (p->fft.padded != transformed) {
    prepare_convolution(&p->fft, tables);
    tables += 2 * (transformed + 2 * p->fft.padded);
  }
  p->turns = NULL;
  if (transformed < p->length) {
    for (int64_t k = 0; k <= transformed; k++) hlo_fft_root(k, p->length, tables + 2 * k);
    p->turns = tables;
  }
  int64_t fitting = BATCH_NUMBERS / p->fft.padded, most = p->inner < MOST_LINES ? p->inner : MOST_LINES;
  p->batch = (int)(fitting < 1 ? 1 : fitting < most ? fitting : most);
}

int64_t hlo_fft_scratch_size(const hlo_fft_pass *p) { return 4 * p->fft.padded * p->batch; }
