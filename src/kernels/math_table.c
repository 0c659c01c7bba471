/* Each list twice: its names as members of one byte, whose offsets are their numbers; then its rows. */
#include "kernels/math_table.h"

#include <stddef.h>

#include "kernels/math_f32.def"

enum {
#define HLO_MATH_OP(name, code) OPCODE_##name = code,
  HLO_MATH_OPERATIONS
#undef HLO_MATH_OP
};

#define F(name, value) char name;
#define I(name, value) char name;
#define U(name, op, a) char name;
#define B(name, op, a, b) char name;
#define S(name, op, a, count) char name;
#define T(name, a, b, mask) char name;
#define HLO_MATH_F32(function, arity, coverage, list) \
  typedef struct function##_names {                   \
    char x, y;                                        \
    list                                              \
  } function##_names;
HLO_MATH_F32_FUNCTIONS
#undef HLO_MATH_F32
#undef F
#undef I
#undef U
#undef B
#undef S
#undef T

#define V(value) offsetof(names, value)
#define F(name, number) {.opcode = HLO_MATH_CONSTANT, .value = number},
#define I(name, value) {.opcode = HLO_MATH_CONSTANT, .bits = value},
#define U(name, op, from) {.opcode = OPCODE_##op, .a = V(from)},
#define B(name, op, from, other) {.opcode = OPCODE_##op, .a = V(from), .b = V(other)},
#define S(name, op, from, count) {.opcode = OPCODE_##op, .a = V(from), .bits = count},
#define T(name, from, other, mask) {.opcode = HLO_MATH_BITSELECT, .a = V(from), .b = V(other), .c = V(mask)},
#define RARE_TOTAL -1
#define RARE_PARTIAL (int)V(rare)
#define TWIN_TOTAL(function) NULL
#define TWIN_PARTIAL(function) hlo_f32_##function##_scalar
#define HLO_MATH_F32(function, operands, coverage, list)                                              \
  static const hlo_math_list *function##_list(void) {                                                 \
    typedef function##_names names;                                                                   \
    static const hlo_math_row rows[] = {list};                                                        \
    static const hlo_math_list whole = {operands, sizeof rows / sizeof *rows, rows, (int)V(result), RARE_##coverage, TWIN_##coverage(function)}; \
    return &whole;                                                                                    \
  }
HLO_MATH_F32_FUNCTIONS
#undef HLO_MATH_F32

const hlo_math_list *hlo_math_list_of(hlo_elementwise_kernel *kernel) {
#define HLO_MATH_F32(function, arity, coverage, list) \
  if (kernel == hlo_f32_##function##_simd128) return function##_list();
  HLO_MATH_F32_FUNCTIONS
#undef HLO_MATH_F32
  return NULL;
}
