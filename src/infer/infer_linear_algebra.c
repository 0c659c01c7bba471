/* fft, cholesky, triangular-solve: the last dimensions of an array are signals, or matrices. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- fft ---- */

enum { MAX_FFT_RANK = 3 };

static const char *fft_name(int fft_type) {
  return hlo_attribute_enum_names(hlo_attribute_kind_of(HLO_ATTR_fft_type))[fft_type];
}

static bool check_fft_type(const hlo_infer *infer, int fft_type) {
  hlo_type type = infer->operands[0]->type;
  bool real = fft_type == HLO_fft_type_RFFT;
  if (real ? type == HLO_TYPE_F32 || type == HLO_TYPE_F64 : hlo_type_is_complex(type)) return true;
  return hlo_refuse(infer, "operand must have %s elements for %s, got %pS", real ? "f32 or f64" : "complex",
                    fft_name(fft_type), infer->operands[0]);
}

/* Returns the size that an operand must have for a transform of this length: IRFFT reads only the first half of its last dimension. */
static int64_t length_taken(int64_t length, bool half) { return half && length > 0 ? length / 2 + 1 : length; }

static bool check_fft_lengths(const hlo_infer *infer, int fft_type, hlo_ints lengths) {
  const hlo_shape *operand = infer->operands[0];
  if (lengths.count < 1 || lengths.count > MAX_FFT_RANK)
    return hlo_refuse(infer, "fft_length must hold 1 to %d lengths, got %d", MAX_FFT_RANK, lengths.count);
  if (operand->rank < lengths.count)
    return hlo_refuse(infer, "fft_length holds %d lengths, so operand must have at least as many dimensions, got %pS",
                      lengths.count, operand);
  for (int i = 0; i < lengths.count; i++) {
    int d = operand->rank - lengths.count + i;
    int64_t length = lengths.data[i];
    if (length < 0) return hlo_refuse(infer, "fft_length must not be negative, got %lld", (long long)length);
    int64_t wanted = length_taken(length, fft_type == HLO_fft_type_IRFFT && i == lengths.count - 1);
    if (hlo_dim_is_known(operand, d) && operand->dims[d] != wanted)
      return hlo_refuse(infer, "operand must have size %lld in dimension %d for %s of length %lld, got %pS",
                        (long long)wanted, d, fft_name(fft_type), (long long)length, operand);
  }
  return true;
}

const hlo_shape *hlo_infer_fft(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  int fft_type = hlo_instruction_enum(infer->instruction, HLO_ATTR_fft_type, 0);
  hlo_ints lengths = *hlo_ints_of(infer, HLO_ATTR_fft_length);
  if (!check_fft_type(infer, fft_type) || !check_fft_lengths(infer, fft_type, lengths)) return NULL;
  hlo_extents extents = hlo_extents_of(operand);
  int last = operand->rank - 1;
  bool to_half = fft_type == HLO_fft_type_RFFT;
  if (to_half || fft_type == HLO_fft_type_IRFFT) {
    extents.sizes[last] = length_taken(lengths.data[lengths.count - 1], to_half);
    extents.kinds[last] = HLO_DIM_STATIC;
  }
  hlo_type type = to_half ? hlo_type_complex_of(operand->type)
                  : fft_type == HLO_fft_type_IRFFT ? hlo_type_real_part(operand->type)
                                                   : operand->type;
  return hlo_extents_shape(infer, type, &extents);
}

/* ---- Matrices ---- */

static bool check_square(const hlo_infer *infer, int operand) {
  const hlo_shape *shape = infer->operands[operand];
  if (shape->rank >= 2 && hlo_dims_agree(shape, shape->rank - 2, shape, shape->rank - 1)) return true;
  return hlo_refuse(infer, "%pO must hold square matrices in its last two dimensions, got %pS",
                    infer->operands + operand, shape);
}

const hlo_shape *hlo_infer_cholesky(const hlo_infer *infer) {
  return check_square(infer, 0) ? hlo_shape_without_layout(infer, infer->operands[0]) : NULL;
}

const hlo_shape *hlo_infer_triangular_solve(const hlo_infer *infer) {
  const hlo_shape *a = infer->operands[0], *b = infer->operands[1];
  bool left = hlo_instruction_bool(infer->instruction, HLO_ATTR_left_side, false);
  if (!hlo_check_array(infer, 1) || !hlo_check_same_type(infer, 0, 1) || !check_square(infer, 0)) return NULL;
  if (a->rank != b->rank)
    return hlo_refuse(infer, "a and b must have as many dimensions as each other, got a %pS and b %pS", a, b);
  for (int d = 0; d < a->rank - 2; d++)
    if (!hlo_dims_agree(a, d, b, d))
      return hlo_refuse(infer, "a and b must have the same batch dimensions, got a %pS and b %pS", a, b);
  int solved = b->rank - (left ? 2 : 1);
  if (!hlo_dims_agree(a, a->rank - 1, b, solved))
    return hlo_refuse(infer, "b must have the size of a's matrices in dimension %d, as left_side=%s, got a %pS and b %pS",
                      solved, left ? "true" : "false", a, b);
  return hlo_shape_without_layout(infer, b);
}
