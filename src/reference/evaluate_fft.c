/* fft: transforms of the last one to three dimensions, line by line.
 *
 * RFFT keeps the first n/2+1 elements of the last dimension; IRFFT takes those, makes the line whole by symmetry,
 * and keeps the real parts (on which the imaginary parts of elements 0 and n/2 have no effect). */
#include "reference/box.h"
#include "reference/fourier.h"
#include "reference/functions.h"

/* The array that is worked on: complex numbers of these dimensions. */
typedef struct spectrum {
  int rank;
  int64_t dims[HLO_MAX_RANK];
  hlo_complex *values;
} spectrum;

/* Transforms all lines along dimension d. */
static bool transform_lines(hlo_evaluation *evaluation, spectrum *s, int d, bool inverse) {
  int64_t length = s->dims[d], outer = hlo_box_count(s->dims, d);
  int64_t inner = hlo_box_count(s->dims + d + 1, s->rank - d - 1);
  hlo_fourier fourier;
  hlo_complex *line = hlo_arena_many(evaluation->scratch, hlo_complex, length, evaluation->status);
  if (!line || !hlo_fourier_init(&fourier, evaluation, length)) return false;
  for (int64_t i = 0; i < outer * inner; i++) {
    hlo_complex *start = s->values + i / inner * length * inner + i % inner;
    for (int64_t k = 0; k < length; k++) line[k] = start[k * inner];
    hlo_fourier_transform(&fourier, line, inverse);
    for (int64_t k = 0; k < length; k++) start[k * inner] = line[k];
  }
  return true;
}

/* Makes the lines of the last dimension `length` long: x[n-k] is the conjugate of x[k]. */
static bool complete_lines(hlo_evaluation *evaluation, spectrum *s, int64_t length) {
  int64_t half = s->dims[s->rank - 1], lines = hlo_box_count(s->dims, s->rank - 1);
  hlo_complex *whole = hlo_arena_array(evaluation->scratch, lines * length, sizeof *whole, evaluation->status);
  if (!whole) return false;
  for (int64_t l = 0; l < lines; l++)
    for (int64_t k = 0; k < length; k++) {
      const hlo_complex *line = s->values + l * half;
      whole[l * length + k] = k > length / 2 ? hlo_conj(line[length - k]) : line[k];
    }
  s->values = whole;
  s->dims[s->rank - 1] = length;
  return true;
}

/* Writes the part that fits the result. */
static void store_result(const spectrum *s, hlo_literal *result) {
  int64_t index[HLO_MAX_RANK] = {0}, at = 0;
  do {
    hlo_complex value = s->values[hlo_index_linear(s->dims, s->rank, index)];
    hlo_literal_set(result, at++, (hlo_scalar){.f = value[0], .im = value[1]});
  } while (hlo_index_next(result->shape->dims, s->rank, index));
}

bool hlo_reference_fft(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  int type = hlo_instruction_enum(instruction, HLO_ATTR_fft_type, HLO_fft_type_FFT);
  hlo_ints lengths = *hlo_instruction_ints(instruction, HLO_ATTR_fft_length);
  bool inverse = type == HLO_fft_type_IFFT || type == HLO_fft_type_IRFFT;
  int rank = operands[0]->shape->rank, last = rank - 1;
  spectrum s = {.rank = rank};
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, operands[0]);
  if (hlo_box_is_empty(operands[0]->shape->dims, rank) || hlo_box_is_empty(result->shape->dims, rank)) return true;
  for (int d = 0; d < rank; d++) s.dims[d] = operands[0]->shape->dims[d];
  s.values = hlo_complex_load(evaluation->scratch, operands[0], 0, hlo_shape_element_count(operands[0]->shape), evaluation->status);
  if (!s.values) return false;
  for (int d = rank - lengths.count; d < last; d++)
    if (!transform_lines(evaluation, &s, d, inverse)) return false;
  if (lengths.count > 0) {
    if (type == HLO_fft_type_IRFFT && !complete_lines(evaluation, &s, lengths.data[lengths.count - 1])) return false;
    if (!transform_lines(evaluation, &s, last, inverse)) return false;
  }
  store_result(&s, result);
  return true;
}
