/* fft: transforms of the last one to three dimensions, line by line, split by the prime factors of its length.
 *
 * RFFT keeps the first n/2+1 elements of the last dimension. IRFFT takes these, completes the line by symmetry and
 * keeps the real parts (the imaginary parts of elements 0 and n/2 do not affect them). The time for a length n is n times
 * the sum of its prime factors, so long lines are left to the kernel.
 *
 * Every number of a transform is a sum over its whole line. Where that has an infinity or NaN, all of them are NaN, both parts: what the
 * sums themselves would give depends on how a line is split. */
#include <math.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/fft/fft.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/routine.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* The array under way: complex numbers, with these dimensions. */
typedef struct spectrum {
  int rank;
  int64_t dims[HLO_MAX_RANK];
  hlo_complex *values;
} spectrum;

typedef struct fourier {
  hlo_evaluation *evaluation;
  int64_t length;
  hlo_complex *roots; /* exp(-2 pi i k / length) for each k, or the conjugates */
  hlo_complex *work, *result;
} fourier;

/* Computes X[k] = sum of x[j] w^(j k), w being a root of unity of order `count`: with the smallest prime factor p of `count`, from
 * the p transforms of every p-th number. Returns false where the run is aborted. */
static bool transform(const fourier *f, const hlo_complex *line, int64_t apart, int64_t count, hlo_complex *result) {
  int64_t p = 2;
  *result = *line;
  if (count == 1) return true;
  while (count % p) p++;
  int64_t part = count / p, turn = f->length / count;
  for (int64_t r = 0; r < p; r++)
    if (!transform(f, line + r * apart, apart * p, part, result + r * part)) return false;
  for (int64_t k = 0; k < part; k++) {
    for (int64_t r = 0; r < p; r++) f->work[r] = result[r * part + k];
    for (int64_t at = k; at < count; at += part) {
      if (!hlo_reference_tick(f->evaluation, p)) return false;
      hlo_complex sum = {0};
      for (int64_t r = 0; r < p; r++) sum += hlo_complex_multiply(f->work[r], f->roots[r * at % count * turn]);
      result[at] = sum;
    }
  }
  return true;
}

/* Returns whether all numbers of a line are finite. */
static bool is_finite_line(const hlo_complex *line, int64_t apart, int64_t length) {
  for (int64_t k = 0; k < length; k++)
    if (!isfinite(line[k * apart][0]) || !isfinite(line[k * apart][1])) return false;
  return true;
}

/* Transforms all lines along dimension d; the inverse transform divides by their length. */
static bool transform_lines(hlo_evaluation *evaluation, spectrum *s, int d, bool inverse) {
  int64_t length = s->dims[d], inner = hlo_box_count(s->dims + d + 1, s->rank - d - 1), count = hlo_box_count(s->dims, d) * inner;
  hlo_complex *memory = hlo_arena_array(evaluation->scratch, 3 * length, sizeof *memory, evaluation->status);
  if (!memory) return false;
  fourier f = {evaluation, length, memory, memory + length, memory + 2 * length};
  for (int64_t k = 0; k < length; k++) {
    hlo_fft_root(k, length, (double *)&f.roots[k]);
    if (inverse) f.roots[k] = hlo_conj(f.roots[k]);
  }
  for (int64_t i = 0; i < count; i++) {
    hlo_complex *start = s->values + i / inner * length * inner + i % inner;
    if (!is_finite_line(start, inner, length)) {
      for (int64_t k = 0; k < length; k++) start[k * inner] = (hlo_complex){NAN, NAN};
      continue;
    }
    if (!transform(&f, start, inner, length, f.result)) return false;
    for (int64_t k = 0; k < length; k++) start[k * inner] = f.result[k] / (inverse ? (double)length : 1);
  }
  return true;
}

/* Completes the lines of the last dimension to `length` elements: x[n-k] is the conjugate of x[k]. */
static bool complete_lines(hlo_evaluation *evaluation, spectrum *s, int64_t length) {
  int64_t half = s->dims[s->rank - 1], lines = hlo_box_count(s->dims, s->rank - 1);
  hlo_complex *whole = hlo_arena_array(evaluation->scratch, lines * length, sizeof *whole, evaluation->status);
  if (!whole) return false;
  for (int64_t l = 0; l < lines; l++)
    for (int64_t k = 0; k < length; k++) {
      const hlo_complex *line = s->values + l * half;
      whole[l * length + k] = k > length / 2 ? hlo_conj(line[length - k]) : line[k];
      if (k == 0 || 2 * k == length) whole[l * length + k][1] = 0;
    }
  s->values = whole;
  s->dims[s->rank - 1] = length;
  return true;
}

/* Writes as many elements of each line as the result has. */
static void store_result(const spectrum *s, hlo_literal *result) {
  int64_t length = s->dims[s->rank - 1], kept = result->shape->dims[s->rank - 1], lines = hlo_box_count(s->dims, s->rank - 1);
  for (int64_t l = 0; l < lines; l++)
    for (int64_t k = 0; k < kept; k++) {
      hlo_complex value = s->values[l * length + k];
      hlo_literal_set(result, l * kept + k, (hlo_scalar){.f = value[0], .im = value[1]});
    }
}

bool hlo_routine_fourier(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  int type = hlo_instruction_enum(instruction, HLO_ATTR_fft_type, HLO_fft_type_FFT);
  hlo_ints lengths = *hlo_instruction_ints(instruction, HLO_ATTR_fft_length);
  bool inverse = type == HLO_fft_type_IFFT || type == HLO_fft_type_IRFFT;
  int rank = operands[0]->shape->rank, last = rank - 1;
  spectrum s = {.rank = rank};
  for (int d = 0; d < rank; d++) s.dims[d] = operands[0]->shape->dims[d];
  s.values = hlo_complex_load(evaluation->scratch, operands[0], 0, hlo_shape_element_count(operands[0]->shape), evaluation->status);
  if (!s.values) return false;
  for (int d = rank - lengths.count; d < last; d++)
    if (!transform_lines(evaluation, &s, d, inverse)) return false;
  if (type == HLO_fft_type_IRFFT && !complete_lines(evaluation, &s, lengths.data[lengths.count - 1])) return false;
  if (!transform_lines(evaluation, &s, last, inverse)) return false;
  store_result(&s, result);
  return true;
}
