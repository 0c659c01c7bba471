/* Batch norms, fft, cholesky, triangular_solve, random numbers. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

/* ---- Batch norms: one number for each slice of the feature dimension ---- */

/* Operands 1 .. `last` hold a number for each feature; operand `wide`, where there is one, is like operand 0. */
static bool check_features(const hlo_check *c, int last, int wide, const char *label) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  int64_t feature = hlo_check_int_or(c, "feature_index", 0);
  if (feature >= operand->rank)
    return hlo_check_fail(c, "C1: feature_index must be in [0, %d), got %lld", operand->rank, (long long)feature);
  for (int i = 1; i < c->op->operand_count; i++)
    if (!hlo_check_elements_agree(operand, hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "C2: operands must have the same element type, got {0} and %pT", hlo_check_operand(c, i));
  if (wide && !hlo_check_shapes_agree(operand, hlo_check_operand_shape(c, wide)))
    return hlo_check_fail(c, "C3: operand %d must have the shape of operand 0, %pD, got %pD", wide, operand,
                          hlo_check_operand_shape(c, wide));
  for (int i = 1; i <= last; i++)
    if (!hlo_check_dims_agree(operand, (int)feature, hlo_check_operand_shape(c, i), 0) ||
        !hlo_check_shapes_agree(hlo_check_operand_shape(c, 1), hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "%s: operand %d must have %lld elements, one for each feature, got %pT", label, i,
                            (long long)operand->dims[feature], hlo_check_operand(c, i));
  return hlo_check_result_like(c, "C3", 0, 0);
}

static bool check_feature_results(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_dims dims = {.rank = 0};
  hlo_check_push_dim(&dims, operand, (int)hlo_check_int_or(c, "feature_index", 0));
  for (int i = 1; i < 3; i++)
    if (!hlo_check_result_element(c, "C2", i, operand) || !hlo_check_result_dims(c, "C4", i, &dims)) return false;
  return true;
}

bool hlo_check_batch_norm_grad(const hlo_check *c) { return check_features(c, 3, 4, "C4") && check_feature_results(c); }
bool hlo_check_batch_norm_inference(const hlo_check *c) { return check_features(c, 4, 0, "C3"); }
bool hlo_check_batch_norm_training(const hlo_check *c) { return check_features(c, 2, 0, "C3") && check_feature_results(c); }

/* ---- fft ---- */

typedef struct fft_form {
  bool from_real, to_real;
} fft_form;

static bool check_fft_types(const hlo_check *c, fft_form *form) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  form->from_real = hlo_check_word(c, "fft_type", "RFFT");
  form->to_real = hlo_check_word(c, "fft_type", "IRFFT");
  if (!form->from_real && !form->to_real && !hlo_check_word(c, "fft_type", "FFT") && !hlo_check_word(c, "fft_type", "IFFT"))
    return hlo_check_fail(c, "I2: fft_type must be FFT, IFFT, RFFT or IRFFT");
  bool real = operand->type == HLO_TYPE_F32 || operand->type == HLO_TYPE_F64;
  if (form->from_real ? !real : !hlo_type_is_complex(operand->type))
    return hlo_check_fail(c, "C2: the operand must have %s elements, got {0}", form->from_real ? "f32 or f64" : "complex");
  hlo_type wanted = form->from_real ? hlo_type_complex_of(operand->type) : form->to_real ? hlo_type_real_part(operand->type) : operand->type;
  return result->type == wanted || hlo_check_fail(c, "C2: the result must have %s elements, got {r}", hlo_type_name(wanted));
}

static bool size_is(const hlo_shape *shape, int i, int64_t size) { return !hlo_check_is_static(shape, i) || shape->dims[i] == size; }

bool hlo_check_fft(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_list length = hlo_check_ints(c, "fft_length");
  int count = (int)length.count;
  fft_form form;
  hlo_check_dims dims = hlo_check_dims_of(operand);
  if (!check_fft_types(c, &form)) return false;
  if (length.count < 1 || length.count > 3)
    return hlo_check_fail(c, "C3: fft_length must have 1, 2 or 3 elements, got %lld", (long long)length.count);
  if (count > operand->rank) return hlo_check_fail(c, "C1: the operand must have rank %d at least, got {0}", count);
  for (int i = 0; i < count; i++) {
    int dimension = operand->rank - count + i;
    int64_t size = hlo_check_at(&length, i), half = size > 0 ? size / 2 + 1 : 0;
    bool last = i == count - 1;
    if (last && form.to_real) {
      if (!size_is(operand, dimension, half))
        return hlo_check_fail(c, "C5: the operand's last dimension must be %lld, fft_length / 2 + 1, got %lld", (long long)half,
                              (long long)operand->dims[dimension]);
    } else if ((form.from_real || form.to_real) && !size_is(operand, dimension, size)) {
      return hlo_check_fail(c, "C4: dimension %d of the operand must be %lld, as fft_length says, got %lld", dimension,
                            (long long)size, (long long)operand->dims[dimension]);
    }
    if (last && form.from_real) hlo_check_set(&dims, dimension, HLO_DIM_STATIC, half);
    if (last && form.to_real) hlo_check_set(&dims, dimension, HLO_DIM_STATIC, size);
  }
  return hlo_check_result_dims(c, "C6", 0, &dims);
}

/* ---- Matrices ---- */

bool hlo_check_cholesky(const hlo_check *c) {
  const hlo_shape *a = hlo_check_operand_shape(c, 0);
  if (a->rank < 2) return hlo_check_fail(c, "C2: the operand must have rank 2 at least, got {0}");
  if (hlo_check_dims_agree(a, a->rank - 2, a, a->rank - 1)) return true;
  return hlo_check_fail(c, "C3: the last two dimensions must have the same size, got {0}");
}

bool hlo_check_triangular_solve(const hlo_check *c) {
  const hlo_shape *a = hlo_check_operand_shape(c, 0), *b = hlo_check_operand_shape(c, 1);
  if (!hlo_check_elements_agree(a, b))
    return hlo_check_fail(c, "C1: a and b must have the same element type, got {0} and {1}");
  if (a->rank < 2) return hlo_check_fail(c, "C2: a must have rank 2 at least, got {0}");
  if (a->rank != b->rank)
    return hlo_check_fail(c, "C2: a and b must have the same rank, got {0} and {1}");
  if (!hlo_check_dims_agree(a, a->rank - 2, a, a->rank - 1))
    return hlo_check_fail(c, "C3: the last two dimensions of a must have the same size, got {0}");
  int shared = hlo_check_flag(c, "left_side") ? b->rank - 2 : b->rank - 1;
  bool agree = hlo_check_dims_agree(a, a->rank - 1, b, shared);
  for (int i = 0; i < a->rank - 2; i++) agree = agree && hlo_check_dims_agree(a, i, b, i);
  if (!agree)
    return hlo_check_fail(c, "C3: b must have the batch dimensions of a, and size %lld in dimension %d, got {1}",
                          (long long)a->dims[a->rank - 1], shared);
  if (!hlo_check_word(c, "transpose_a", "NO_TRANSPOSE") && !hlo_check_word(c, "transpose_a", "TRANSPOSE") &&
      !hlo_check_word(c, "transpose_a", "ADJOINT"))
    return hlo_check_fail(c, "I6: transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  return hlo_check_result_like(c, "C4", 0, 1);
}

/* ---- Random numbers ---- */

bool hlo_check_rng(const hlo_check *c) {
  const hlo_shape *a = hlo_check_operand_shape(c, 0), *b = hlo_check_operand_shape(c, 1), *shape = hlo_check_operand_shape(c, 2),
      *result = hlo_check_result_shape(c, 0);
  bool normal = hlo_check_word(c, "rng_distribution", "NORMAL");
  if (!normal && !hlo_check_word(c, "rng_distribution", "UNIFORM"))
    return hlo_check_fail(c, "I4: rng_distribution must be UNIFORM or NORMAL");
  if (!hlo_check_elements_agree(a, b))
    return hlo_check_fail(c, "C1: a and b must have the same element type, got %pS and %pS", a, b);
  if (normal && !hlo_type_is_float(a->type)) return hlo_check_fail(c, "C2: a normal distribution is one of floats, got %pS", a);
  if (!hlo_check_result_element(c, "C1", 0, a)) return false;
  const hlo_literal *known = hlo_check_constant(c, 2);
  if (shape->dims[0] != result->rank)
    return hlo_check_fail(c, "C3: the result must have %lld dimensions, as shape says, got {r}", (long long)shape->dims[0]);
  for (int i = 0; known && i < result->rank; i++)
    if (!size_is(result, i, hlo_literal_get(known, i).s))
      return hlo_check_fail(c, "C3: dimension %d of the result must be %lld, as shape says, got %lld", i,
                            (long long)hlo_literal_get(known, i).s, (long long)result->dims[i]);
  return true;
}

/* rng_bit_generator_c2: the state's size is the algorithm's */
bool hlo_check_rng_bit_generator(const hlo_check *c) {
  const hlo_shape *state = hlo_check_operand_shape(c, 0);
  bool threefry = hlo_check_word(c, "rng_algorithm", "THREE_FRY"), philox = hlo_check_word(c, "rng_algorithm", "PHILOX");
  if (!threefry && !philox && !hlo_check_word(c, "rng_algorithm", "DEFAULT"))
    return hlo_check_fail(c, "I1: rng_algorithm must be DEFAULT, THREE_FRY or PHILOX");
  if (!hlo_check_result_like(c, "C1", 0, 0)) return false;
  if (state->type != HLO_TYPE_U64 || state->rank != 1) return true;
  int64_t size = state->dims[0];
  bool fits = !hlo_check_is_static(state, 0) || (!threefry && !philox) || size == 2 || (philox && size == 3);
  return fits ||
      hlo_check_fail(c, "C2: the initial state must have 2 elements%s, got %lld", philox ? " or 3" : "", (long long)size);
}
