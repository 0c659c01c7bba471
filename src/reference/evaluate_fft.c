/* fft: transforms of the last one to three dimensions, line by line.
 *
 * RFFT keeps the first n/2+1 elements of the last dimension; IRFFT takes those, makes the line whole by symmetry,
 * and keeps the real parts (on which the imaginary parts of elements 0 and n/2 have no effect). */
#include "reference/fourier.h"
#include "reference/functions.h"
#include "reference/wide.h"

/* The array that is worked on: complex numbers of these dimensions. */
typedef struct spectrum {
  int rank;
  int64_t dims[HLO_MAX_RANK];
  hlo_complex_line values;
} spectrum;

static bool load_operand(hlo_evaluation *evaluation, const hlo_literal *operand, spectrum *s) {
  int64_t order[HLO_MAX_RANK];
  hlo_wide wide;
  s->rank = operand->shape->rank;
  for (int d = 0; d < s->rank; d++) {
    order[d] = d;
    s->dims[d] = operand->shape->dims[d];
  }
  hlo_type type = hlo_type_complex_of(operand->shape->type);
  if (!hlo_wide_gather(evaluation, operand, type, 0, order, &wide)) return false;
  s->values = (hlo_complex_line){wide.real, wide.imaginary};
  return true;
}

/* Transforms all lines along dimension d. */
static bool transform_lines(hlo_evaluation *evaluation, spectrum *s, int d, bool inverse) {
  int64_t length = s->dims[d], outer = hlo_box_count(s->dims, d);
  int64_t inner = hlo_box_count(s->dims + d + 1, s->rank - d - 1);
  hlo_fourier fourier;
  hlo_complex_line line;
  line.real = hlo_arena_many(evaluation->scratch, double, length, evaluation->status);
  line.imaginary = hlo_arena_many(evaluation->scratch, double, length, evaluation->status);
  if (!line.real || !line.imaginary || !hlo_fourier_init(&fourier, evaluation, length)) return false;
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      int64_t start = o * length * inner + i;
      for (int64_t k = 0; k < length; k++) {
        line.real[k] = s->values.real[start + k * inner];
        line.imaginary[k] = s->values.imaginary[start + k * inner];
      }
      hlo_fourier_transform(&fourier, line, inverse);
      for (int64_t k = 0; k < length; k++) {
        s->values.real[start + k * inner] = line.real[k];
        s->values.imaginary[start + k * inner] = line.imaginary[k];
      }
    }
  return true;
}

/* Makes the lines of the last dimension `length` long: x[n-k] is the conjugate of x[k]. */
static bool complete_lines(hlo_evaluation *evaluation, spectrum *s, int64_t length) {
  int64_t half = s->dims[s->rank - 1], lines = hlo_box_count(s->dims, s->rank - 1);
  hlo_complex_line whole;
  whole.real = hlo_arena_array(evaluation->scratch, lines * length, sizeof(double), evaluation->status);
  whole.imaginary = hlo_arena_array(evaluation->scratch, lines * length, sizeof(double), evaluation->status);
  if (!whole.real || !whole.imaginary) return false;
  for (int64_t l = 0; l < lines; l++)
    for (int64_t k = 0; k < length; k++) {
      bool mirrored = k > length / 2;
      int64_t from = l * half + (mirrored ? length - k : k), to = l * length + k;
      whole.real[to] = s->values.real[from];
      whole.imaginary[to] = mirrored ? -s->values.imaginary[from] : s->values.imaginary[from];
    }
  s->values = whole;
  s->dims[s->rank - 1] = length;
  return true;
}

/* Writes the part that fits the result. */
static void store_result(const spectrum *s, hlo_literal *result) {
  hlo_place place = {0};
  int64_t index[HLO_MAX_RANK] = {0}, at = 0;
  hlo_strides_row_major(s->dims, s->rank, place.strides);
  do {
    int64_t from = hlo_place_index(&place, s->rank, index);
    hlo_literal_set(result, at++, (hlo_scalar){.f = s->values.real[from], .im = s->values.imaginary[from]});
  } while (hlo_index_next(result->shape->dims, s->rank, index));
}

bool hlo_reference_fft(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  int type = hlo_instruction_enum(instruction, HLO_ATTR_fft_type, HLO_fft_type_FFT);
  hlo_ints lengths = hlo_instruction_ints(instruction, HLO_ATTR_fft_length);
  bool inverse = type == HLO_fft_type_IFFT || type == HLO_fft_type_IRFFT;
  int rank = operands[0]->shape->rank, last = rank - 1;
  spectrum s;
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, operands[0]);
  if (hlo_box_is_empty(operands[0]->shape->dims, rank) || hlo_box_is_empty(result->shape->dims, rank)) return true;
  if (!load_operand(evaluation, operands[0], &s)) return false;
  for (int d = rank - lengths.count; d < last; d++)
    if (!transform_lines(evaluation, &s, d, inverse)) return false;
  if (lengths.count > 0) {
    if (type == HLO_fft_type_IRFFT && !complete_lines(evaluation, &s, lengths.data[lengths.count - 1])) return false;
    if (!transform_lines(evaluation, &s, last, inverse)) return false;
  }
  store_result(&s, result);
  return true;
}
