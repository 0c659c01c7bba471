/* Functions of ordinary complex numbers: each part is right to within an ulp or little more, of f64 or, for what those with f32 in their names make, of f32.
 *
 * Each function returns whether it has computed the result: numbers with parts that are infinite, NaN or of extreme sizes, some with parts that are zero, and
 * differences that lose too many digits are left to the caller. `w` is the exponent of the power; the others do not read it. */
#ifndef HLO_NUMBERS_COMPLEX_PARTS_H
#define HLO_NUMBERS_COMPLEX_PARTS_H

#include <stdbool.h>

typedef struct hlo_parts {
  double re, im;
} hlo_parts;

typedef bool hlo_parts_function(hlo_parts z, hlo_parts w, hlo_parts *result);
hlo_parts_function hlo_parts_cbrt, hlo_parts_cos, hlo_parts_cosh, hlo_parts_expm1, hlo_parts_log, hlo_parts_log1p, hlo_parts_logistic, hlo_parts_power;
hlo_parts_function hlo_parts_rsqrt, hlo_parts_sin, hlo_parts_sinh, hlo_parts_sqrt, hlo_parts_tan, hlo_parts_tanh;
hlo_parts_function hlo_f32_parts_cbrt, hlo_f32_parts_cos, hlo_f32_parts_cosh, hlo_f32_parts_expm1, hlo_f32_parts_log, hlo_f32_parts_log1p, hlo_f32_parts_logistic;
hlo_parts_function hlo_f32_parts_power, hlo_f32_parts_rsqrt, hlo_f32_parts_sin, hlo_f32_parts_sinh, hlo_f32_parts_sqrt, hlo_f32_parts_tan, hlo_f32_parts_tanh;

#endif
