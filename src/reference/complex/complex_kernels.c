/* The quick functions of numbers/complex_parts.h; the definition where these have no result. */
#include "reference/complex/complex_kernels.h"

#include <stdbool.h>
#include <stdint.h>

#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "numbers/complex_parts.h"
#include "reference/complex/complex_functions.h"
#include "shape/element_type.h"

typedef struct c64 {
  float re, im;
} c64;

static hlo_parts element(const void *array, bool wide, int64_t i) {
  if (wide) return ((const hlo_parts *)array)[i];
  c64 narrow = ((const c64 *)array)[i];
  return (hlo_parts){narrow.re, narrow.im};
}

static hlo_scalar scalar_of(hlo_parts z) { return (hlo_scalar){.f = z.re, .im = z.im}; }

static hlo_parts by_definition(hlo_opcode opcode, hlo_parts z, hlo_parts w) {
  hlo_scalar found = opcode == HLO_OP_POWER ? hlo_complex_function_of_two(opcode, scalar_of(z), scalar_of(w)) : hlo_complex_function(opcode, scalar_of(z));
  return (hlo_parts){found.f, found.im};
}

static void run(hlo_opcode opcode, hlo_parts_function *function, bool wide, const void *const *operands, unsigned scalars, void *result, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    hlo_parts z = element(operands[0], wide, scalars & 1 ? 0 : i), w = {0, 0}, found;
    if (opcode == HLO_OP_POWER) w = element(operands[1], wide, scalars & 2 ? 0 : i);
    if (!function(z, w, &found)) found = by_definition(opcode, z, w);
    if (wide) ((hlo_parts *)result)[i] = found;
    else ((c64 *)result)[i] = (c64){(float)found.re, (float)found.im};
  }
}

#define FUNCTIONS(X)                     \
  X(CBRT, cbrt)                          \
  X(COSH, cosh)                          \
  X(COSINE, cos)                         \
  X(EXPONENTIAL_MINUS_ONE, expm1)        \
  X(LOG, log)                            \
  X(LOG_PLUS_ONE, log1p)                 \
  X(LOGISTIC, logistic)                  \
  X(POWER, power)                        \
  X(RSQRT, rsqrt)                        \
  X(SINE, sin)                           \
  X(SINH, sinh)                          \
  X(SQRT, sqrt)                          \
  X(TAN, tan)                            \
  X(TANH, tanh)

#define KERNELS(opcode, name)                                                                           \
  static void name##_c64(const void *const *operands, unsigned scalars, void *result, int64_t count) {   \
    run(HLO_OP_##opcode, hlo_f32_parts_##name, false, operands, scalars, result, count);                 \
  }                                                                                                      \
  static void name##_c128(const void *const *operands, unsigned scalars, void *result, int64_t count) {  \
    run(HLO_OP_##opcode, hlo_parts_##name, true, operands, scalars, result, count);                      \
  }
FUNCTIONS(KERNELS)

hlo_elementwise_kernel *hlo_complex_kernel(hlo_opcode opcode, hlo_type type) {
  bool wide = type == HLO_TYPE_C128;
  switch (opcode) {
#define CASE(opcode, name) case HLO_OP_##opcode: return wide ? name##_c128 : name##_c64;
    FUNCTIONS(CASE)
  default: return NULL;
  }
}
