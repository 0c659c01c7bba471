/* Each list of math_f32.def is expanded twice: to a struct with a member of one byte for each name, whose offset is the number of that
 * value; and to rows that use these offsets. */
#include "emit/math_table.h"

#include <stddef.h>

#include "emit/wasm_opcodes.h"

#include "kernels/elementwise/math_f32.def"

enum {
#define HLO_MATH_OP(name, instruction) OPCODE_##name = HLO_WASM_##instruction,
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
#define F(name, number) {.kind = HLO_MATH_CONSTANT, .value = number},
#define I(name, value) {.kind = HLO_MATH_CONSTANT, .bits = value},
#define U(name, op, from) {.kind = HLO_MATH_UNARY, .opcode = OPCODE_##op, .a = V(from)},
#define B(name, op, from, other) {.kind = HLO_MATH_BINARY, .opcode = OPCODE_##op, .a = V(from), .b = V(other)},
#define S(name, op, from, count) {.kind = HLO_MATH_SHIFT, .opcode = OPCODE_##op, .a = V(from), .bits = count},
#define T(name, from, other, mask) {.kind = HLO_MATH_SELECT, .opcode = HLO_WASM_V128_BITSELECT, .a = V(from), .b = V(other), .c = V(mask)},
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

const hlo_math_list *hlo_math_list_of(hlo_scalar_op op) {
  switch (op) {
#define HLO_MATH_F32(function, arity, coverage, list) \
  case HLO_SCALAR_f32_##function: return function##_list();
    HLO_MATH_F32_FUNCTIONS
#undef HLO_MATH_F32
  default: return NULL;
  }
}

/* Returns whether `value` is a product that row `reader` alone reads, and not twice. */
static bool is_read_once(const hlo_math_list *list, int value, int reader) {
  if (value < 2 || list->rows[value - 2].opcode != HLO_WASM_F32X4_MUL || value == list->result || value == list->rare) return false;
  for (int n = value - 1; n < list->row_count; n++) {
    const hlo_math_row *row = &list->rows[n];
    if (n != reader && (row->a == value || row->b == value || row->c == value)) return false;
  }
  return list->rows[reader].a != list->rows[reader].b;
}

void hlo_math_fuse(const hlo_math_list *list, uint8_t *products) {
  for (int n = 0; n < list->row_count; n++) {
    const hlo_math_row *row = &list->rows[n];
    products[n] = 0;
    if (row->opcode != HLO_WASM_F32X4_ADD && row->opcode != HLO_WASM_F32X4_SUB) continue;
    if (is_read_once(list, row->b, n)) products[n] = row->b;
    else if (row->opcode == HLO_WASM_F32X4_ADD && is_read_once(list, row->a, n)) products[n] = row->a;
    if (products[n]) products[products[n] - 2] = products[n];
  }
}
