/* A row is read twice, for the value and then for its place: that is faster than carrying places along. */
#include "kernels/reduce/f32_arg_extreme.h"

#include <math.h>

#include "kernels/reduce/reduce.h"
#include "kernels/simd128.h"

void hlo_f32_arg_extreme_scalar(const float *in, int64_t rows, int64_t width, bool least, float *values, int32_t *places) {
  for (int64_t r = 0; r < rows; r++, in += width) {
    float value = in[0];
    int32_t place = 0;
    for (int64_t i = 1; i < width; i++) {
      bool keeps = isnan(value) || (least ? value < in[i] : value > in[i]);
      if (!keeps && value != in[i]) place = (int32_t)i;
      if (!keeps) value = in[i];
    }
    values[r] = value;
    places[r] = place;
  }
}

/* Returns whether one of 16 elements equals the value, which is in all lanes. */
static inline bool has(const float *in, v128_t value) {
  v128_t equal = wasm_f32x4_eq(wasm_v128_load(in), value);
  for (int n = 1; n < 4; n++) equal = wasm_v128_or(equal, wasm_f32x4_eq(wasm_v128_load(in + 4 * n), value));
  return wasm_v128_any_true(equal);
}

void hlo_f32_arg_extreme_simd128(const float *in, int64_t rows, int64_t width, bool least, float *values, int32_t *places) {
  hlo_reduce_kernel *reduce = least ? hlo_f32_reduce_minimum_simd128 : hlo_f32_reduce_maximum_simd128;
  for (int64_t r = 0; r < rows; r++, in += width) {
    float value;
    int64_t i = 0, last = width - 1;
    reduce(in, &value, 1, width, 1);
    if (isnan(value))
      while (!isnan(in[i])) i++;
    else
      for (; i + 16 <= width && !has(in + i, wasm_f32x4_splat(value)); i += 16) continue;
    while (!isnan(value) && in[i] != value) i++;
    while (value == 0 && in[last] != 0) last--;
    values[r] = value == 0 ? in[last] : isnan(value) ? in[i] : value;
    places[r] = (int32_t)i;
  }
}
