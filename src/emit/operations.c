/* Scalar operations as instructions: recipes of scalar_ops.def, lists of math_table.h, and calls of kernels. */
#include <string.h>

#include "emit/emitter.h"
#include "emit/math_table.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "kernels/elementwise/elementwise.h"
#include "loops/fused_loop.h"
#include "loops/scalar_ops.h"

enum { CALL_COST = 100, DIVISION_COST = 6 }; /* in instructions */

/* ---- The table ---- */

/* Constants of recipes: the bits of both halves of a vector. */
#define CONSTANTS                                                                                              \
  C(ZERO, 0) C(ONE_F32, 0x3F8000003F800000) C(SIGN_32, 0x8000000080000000) C(INFINITY_F32, 0x7F8000007F800000) \
  C(ONE_I32, 0x0000000100000001) C(BYTE_I32, 0x000000FF000000FF) C(HALF_I32, 0x0000FFFF0000FFFF)               \
  C(ONE_I64, 1) C(ONE_F16, 0x00003C0000003C00) C(ONE_BF16, 0x00003F8000003F80)                                   \
  C(ONE_F64, 0x3FF0000000000000) C(ROUNDER_F64, 0x4338000000000000) C(SIGN_64, 0x8000000000000000)             \
  C(INFINITY_F64, 0x7FF0000000000000)                                                                           \
  C(QUIET_BF16, 0x0040000000400000) C(ROUND_BF16, 0x00007FFF00007FFF) C(MAGNITUDE_16, 0x00007FFF00007FFF)      \
  C(SIGN_16, 0x0000800000008000) C(TWO_112, 0x7780000077800000) C(SIZE_32, 0x7FFFFFFF7FFFFFFF)                      \
  C(NAN_F16, 0x00007E0000007E00) C(DIGITS_F16, 0x0680000006800000) C(BIAS_F16, 0x0681C4000681C400)             \
  C(KEPT_F16, 0x8FFFFFFF8FFFFFFF) C(FINITE_F16, 0x00007BFF00007BFF) C(TWO_LESS_112, 0x0780000007800000)        \
  C(MOST_F16, 0x4780000047800000) C(LEAST_F16, 0x3880000038800000) C(MOST_S8, 0x0000007F0000007F)              \
  C(LEAST_S8, 0xFFFFFF80FFFFFF80) C(LEAST_S16, 0xFFFF8000FFFF8000)                                               \
  C(SIGN_8, 0x0000008000000080) C(INFINITY_E3M4, 0x0000007000000070) C(INFINITY_E4M3, 0x0000007800000078)      \
  C(INFINITY_E5M2, 0x0000007C0000007C) C(NAN_F32, 0x7FC000007FC00000) C(TWO_111, 0x7700000077000000)           \
  C(TWO_116, 0x7980000079800000) C(TWO_119, 0x7B0000007B000000) C(TWO_120, 0x7B8000007B800000)                 \
  C(TWO_124, 0x7D8000007D800000)                                                                                 \
  C(LOW_64, 0x00000000FFFFFFFF) C(STICKY_64, 0x00000000000007FF) C(EXACT_64, 0x0020000000000000)               \
  C(KEPT_64, 0xFFFFFFFFFFFFF800) C(MOST_64, 0x7FFFFFFFFFFFFFFF) C(TWO_52, 0x4330000000000000)                  \
  C(TWO_63, 0x43E0000000000000) C(LEAST_S64, 0xC3E0000000000000) C(TWO_LESS_32, 0x3DF0000000000000)            \
  C(TWO_32, 0x41F0000000000000) C(TWO_84, 0x4530000080000000) C(TWO_84_63_52, 0x4530000080100000)

/* Items of recipes that are no instructions; the numbers of instructions are smaller. */
enum {
  END = 0x200,
  CALL,    /* a call of the kernel; the instruction of a SHIFT follows */
  KEEP_A, KEEP_B, /* remember what is on top */
  A, B,    /* push that */
  ODD,     /* of the two vectors on top, the words 1 and 3 of each */
  X, Y, Z, /* push an operand */
#define C(name, bits) name,
  CONSTANTS /* push themselves */
#undef C
};
static const uint64_t constants[] = {
#define C(name, bits) [name - ZERO] = bits,
    CONSTANTS
#undef C
};

/* Instructions by the names that recipes give them. */
enum {
#define HLO_WASM_PLAIN(name, opcode)
#define HLO_WASM_SIMD(name, opcode) name = HLO_WASM_##name,
#include "emit/wasm_opcodes.def"
#undef HLO_WASM_PLAIN
#undef HLO_WASM_SIMD
};

/* The way in which the two results of a recipe that is written for two elements at a time become one vector: EVEN takes the 32-bit lanes 0 and 2 of
 * each, and so does WORDS, where the operands are words as well; PAIR takes the lanes 0 and 1. */
enum join { EVEN, WORDS, PAIR };

/* Forms of scalar_ops.def, each as lanes of the first operand, of the others, and of the result; join; items. */
#define RECIPE(first, others, result, ...) first, others, result, EVEN, __VA_ARGS__
#define UNARY(lanes, instruction) RECIPE(lanes, lanes, lanes, X, instruction)
#define BINARY(lanes, instruction) RECIPE(lanes, lanes, lanes, X, Y, instruction)
#define COMPARE(lanes, instruction) RECIPE(lanes, lanes, MASK, X, Y, instruction)
#define CONVERSION(from, to, ...) RECIPE(from, from, to, __VA_ARGS__)
#define PRODUCT_HIGH(low, high) RECIPE(WORD, WORD, WORD, X, Y, low, X, Y, high, ODD)
#define QUOTIENT(doubles) \
  WORD, WORD, WORD, WORDS, X, doubles, Y, doubles, KEEP_A, F64X2_DIV, F64X2_TRUNC, ROUNDER_F64, F64X2_ADD, A, ZERO, F64X2_EQ, V128_OR
#define QUOTIENT_REST(doubles) \
  WORD, WORD, WORD, WORDS, X, doubles, KEEP_B, B, Y, doubles, KEEP_A, F64X2_DIV, F64X2_TRUNC, A, ZERO, F64X2_NE, V128_AND, A, F64X2_MUL, F64X2_SUB, ROUNDER_F64, F64X2_ADD
/* The double next to a whole number of 64 bits, which items push, and `again` pushes once more: its upper half is added in the digits of 2^84, its lower
 * half in those of 2^52. */
#define DOUBLE_OF(again, ...) \
  __VA_ARGS__, I64X2_SHR_U, 32, TWO_84, V128_XOR, TWO_84_63_52, F64X2_SUB, again, LOW_64, V128_AND, TWO_52, V128_OR, F64X2_ADD
/* X, of which bit 11 says whether there are any bits below, where a double does not hold them: rounded once more, it is what X is rounded once. */
#define STICKY \
  X, X, STICKY_64, V128_AND, STICKY_64, I64X2_ADD, V128_OR, KEPT_64, V128_AND, X, X, I64X2_ABS, EXACT_64, I64X2_GT_S, V128_BITSELECT
/* The whole number of 64 bits, towards zero and saturating, of a double, which items push: its halves are read from the digits of two doubles. */
#define WHOLE_OF(...)                                                                                                                                 \
  __VA_ARGS__, F64X2_TRUNC, LEAST_S64, F64X2_PMAX, KEEP_A, TWO_LESS_32, F64X2_MUL, F64X2_FLOOR, KEEP_B, ROUNDER_F64, F64X2_ADD, I64X2_SHL, 32, A, B, \
    TWO_32, F64X2_MUL, F64X2_SUB, TWO_52, F64X2_ADD, LOW_64, V128_AND, V128_OR, MOST_64, __VA_ARGS__, TWO_63, F64X2_LT, V128_BITSELECT, __VA_ARGS__, \
    __VA_ARGS__, F64X2_EQ, V128_AND
/* Counts the bits that are set in each number of 64 bits of the vector on top. */
#define COUNT_64 I8X16_POPCNT, I16X8_EXTADD_PAIRWISE_I8X16_U, I32X4_EXTADD_PAIRWISE_I16X8_U, KEEP_A, LOW_64, V128_AND, A, I64X2_SHR_U, 32, I64X2_ADD
#define CONVERSION_LOW(from, to, ...) from, from, to, PAIR, __VA_ARGS__
#define SHIFT(lanes, instruction) RECIPE(lanes, lanes, lanes, CALL, instruction)
#define CALLED(operands, result) RECIPE(operands, operands, result, CALL)
#define LIST RECIPE(WORD, WORD, WORD, END)
#define NOT_WRITTEN RECIPE(NONE, NONE, NONE, END)

/* The recipe of each operation. HLO_SCALAR's code is expanded to several arguments, which the second macro of a pair takes apart. */
#define ITEMS_OF(name, first, others, result, join, ...) static const uint16_t name##_items[] = {__VA_ARGS__, END};
#define ITEMS(name, ...) ITEMS_OF(name, __VA_ARGS__)
#define HLO_SCALAR(name, set, arity, type, result_type, opcode, direction, cost, ...) ITEMS(name, __VA_ARGS__)
#include "kernels/elementwise/scalar_ops.def"

typedef struct recipe {
  uint8_t first, others, result; /* hlo_lanes of the first operand, of the others, and of the result */
  uint8_t join;
  const uint16_t *items; /* up to END */
} recipe;

static const recipe recipes[HLO_SCALAR_COUNT] = {
#define RECIPE_OF(name, first, others, result, join, ...) \
  [HLO_SCALAR_##name] = {HLO_LANES_##first, HLO_LANES_##others, HLO_LANES_##result, join, name##_items},
#define RECIPE_ROW(name, ...) RECIPE_OF(name, __VA_ARGS__)
#define HLO_SCALAR(name, set, arity, type, result_type, opcode, direction, cost, ...) RECIPE_ROW(name, __VA_ARGS__)
#include "kernels/elementwise/scalar_ops.def"
};

static bool is_called(hlo_scalar_op op) { return recipes[op].items[0] == CALL; }

hlo_lanes hlo_emit_apply_lanes(hlo_scalar_op op, int *cost) {
  const hlo_math_list *list = hlo_math_list_of(op);
  *cost = list ? list->row_count : is_called(op) ? CALL_COST : hlo_scalar_op_cost(op) == HLO_COST_DIVISION ? DIVISION_COST : 1;
  return list && list->row_count > HLO_MATH_MOST_ROWS ? HLO_LANES_NONE : (hlo_lanes)recipes[op].result;
}

/* ---- Operands ---- */

static void push_half(hlo_emitter *e, int half) {
  if (!half) return;
  hlo_emit_constant(e, 0);
  hlo_wasm_shuffle(&e->function, 2, 3, 2, 3);
}

void hlo_emit_push(hlo_emitter *e, int value, int quad, int half, hlo_lanes as, bool wide) {
  hlo_lanes lanes = e->values[value].lanes;
  if (e->loop->values[value].per_row) quad = 0;
  if (lanes == HLO_LANES_LONG) {
    hlo_emit_get(e, e->values[value].locals[quad][half]);
    return;
  }
  hlo_emit_get(e, e->values[value].locals[quad][0]);
  if (as == HLO_LANES_MASK && lanes != HLO_LANES_MASK) {
    hlo_emit_constant(e, 0);
    hlo_emit_simd(e, HLO_WASM_I32X4_NE);
  } else if (lanes == HLO_LANES_MASK && as != HLO_LANES_MASK) {
    hlo_emit_constant(e, hlo_emit_twice(1));
    hlo_emit_simd(e, HLO_WASM_V128_AND);
  }
  if (!wide) return;
  push_half(e, half);
  if (as == HLO_LANES_MASK) hlo_emit_simd(e, HLO_WASM_I64X2_EXTEND_LOW_I32X4_S);
}

/* ---- Recipes ---- */

/* Returns whether a recipe is written for two elements at a time. */
static bool is_wide(const recipe *recipe, int arity) {
  return recipe->join == WORDS || recipe->result == HLO_LANES_LONG || recipe->first == HLO_LANES_LONG || (arity > 1 && recipe->others == HLO_LANES_LONG);
}

static bool is_shift(int item) {
  return item == I32X4_SHL || item == I32X4_SHR_S || item == I32X4_SHR_U || item == I64X2_SHL || item == I64X2_SHR_U;
}

/* Pushes a shift, and returns the item with its count. */
static const uint16_t *push_shift(hlo_emitter *e, const uint16_t *item) {
  hlo_emit_i32(e, item[1]);
  hlo_emit_simd(e, item[0]);
  return item + 1;
}

static void keep_top(hlo_emitter *e, int *local) {
  if (!*local) *local = hlo_emit_new(e, HLO_WASM_V128);
  hlo_emit_set(e, *local);
  hlo_emit_get(e, *local);
}

bool hlo_emit_known(const hlo_emitter *e, int v, uint64_t *bits) {
  const hlo_fused_value *value = &e->loop->values[v];
  if (value->kind != HLO_FUSED_INPUT || !e->values[v].fixed || !e->constants || !e->constants[value->operand] || value->bytes > 8) return false;
  *bits = 0;
  memcpy(bits, (const char *)e->constants[value->operand] + value->offset * value->bytes, value->bytes);
  return true;
}

static bool is_extreme(int item) { return item == F32X4_MAX || item == F32X4_MIN || item == F64X2_MAX || item == F64X2_MIN; }

/* Pushes the maximum or minimum of x and a limit, which are on the stack. V8 takes eight instructions for f32x4.max and min, which order zeros
 * and keep NaN, but one for pmax(a, b) = a < b ? b : a. With a = x and a constant b that is no NaN, this keeps a NaN of x. Only zeros of
 * different signs are wrong: the sum with +0 mends maximum(-0, +0), and minimum(x, -0) is not done so. */
static void push_extreme(hlo_emitter *e, int item, int limit) {
  bool is_maximum = item == F32X4_MAX || item == F64X2_MAX, is_long = item >= F64X2_MIN;
  uint64_t bits, sign = is_long ? 1ull << 63 : 1u << 31, infinity = is_long ? 0x7FFull << 52 : 0x7F800000;
  if (!hlo_emit_known(e, limit, &bits) || (bits & ~sign) > infinity || (!is_maximum && bits == sign)) {
    hlo_emit_simd(e, (uint32_t)item);
    return;
  }
  hlo_emit_simd(e, (uint32_t)item + 2);
  if (!is_maximum || bits != 0) return;
  hlo_emit_constant(e, 0);
  hlo_emit_simd(e, is_long ? HLO_WASM_F64X2_ADD : HLO_WASM_F32X4_ADD);
}

static void push_recipe(hlo_emitter *e, const recipe *recipe, const hlo_fused_value *value, int quad, int half, bool wide) {
  for (const uint16_t *item = recipe->items; *item != END; item++) {
    if (*item >= ZERO) hlo_emit_constant(e, constants[*item - ZERO]);
    else if (*item >= X) hlo_emit_push(e, value->from[*item - X], quad, half, *item == X ? recipe->first : recipe->others, wide);
    else if (*item == ODD) hlo_wasm_shuffle(&e->function, 1, 3, 5, 7);
    else if (*item >= A) hlo_emit_get(e, e->kept[*item - A]);
    else if (*item >= KEEP_A) keep_top(e, &e->kept[*item - KEEP_A]);
    else if (is_shift(*item)) item = push_shift(e, item);
    else if (is_extreme(*item)) push_extreme(e, *item, value->from[item[-1] - X]);
    else if (*item == V128_BITSELECT) hlo_emit_select(e);
    else hlo_emit_simd(e, *item);
  }
}

static void apply_recipe(hlo_emitter *e, const recipe *recipe, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  bool wide = is_wide(recipe, value->arity), is_long = recipe->result == HLO_LANES_LONG;
  for (int q = 0; q < e->quads; q++) {
    push_recipe(e, recipe, value, q, 0, wide);
    if (is_long) hlo_emit_set(e, hlo_emit_local(e, v, q, 0));
    if (wide) push_recipe(e, recipe, value, q, 1, wide);
    if (wide && !is_long) {
      if (recipe->join == PAIR) hlo_wasm_shuffle(&e->function, 0, 1, 4, 5);
      else hlo_wasm_shuffle(&e->function, 0, 2, 4, 6);
    }
    hlo_emit_set(e, hlo_emit_local(e, v, q, is_long));
  }
}

/* ---- Shifts ---- */

/* Pushes the count of a shift that all elements have in common. For 64 bits: the low half, or 255 if the high half is not zero. */
static void push_count(hlo_emitter *e, int v, int bits) {
  for (int lane = 0; lane < bits / 32; lane++) {
    hlo_emit_get(e, e->values[v].locals[0][0]);
    hlo_emit_simd(e, HLO_WASM_I32X4_EXTRACT_LANE);
    hlo_wasm_lane(&e->function, lane);
    if (lane == 0 && bits == 64) hlo_emit_i32(e, 255);
  }
  if (bits == 32) return;
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_op(e, HLO_WASM_SELECT);
}

/* Makes an arithmetic shift's count at most bits - 1 and returns 0; for another shift, returns a local: -1 where the count is too large,
 * else 0. */
static int limit_count(hlo_emitter *e, int bits, bool is_arithmetic, int count) {
  if (is_arithmetic) {
    hlo_emit_get(e, count);
    hlo_emit_i32(e, bits - 1);
  } else {
    hlo_emit_i32(e, -1);
    hlo_emit_i32(e, 0);
  }
  hlo_emit_with(e, count, bits, is_arithmetic ? HLO_WASM_I32_LT_U : HLO_WASM_I32_GE_U);
  hlo_emit_op(e, HLO_WASM_SELECT);
  int local = is_arithmetic ? count : hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_set(e, local);
  return is_arithmetic ? 0 : local;
}

/* Pushes 2 to the power of each lane of value v, or of 32 - v; 0 where that is none of 0 to 31. Byte k of a lane is a power where its number, less 8 k, is one of
 * 0 to 7: moved to 8 to 15, all others are beyond the table, which has the powers twice. `scratch`: a local. */
static void push_power(hlo_emitter *e, int v, int q, bool of_rest, int scratch) {
  hlo_emit_constant(e, 0x8040201008040201);
  if (of_rest) hlo_emit_constant(e, hlo_emit_twice(32));
  hlo_emit_push(e, v, q, 0, HLO_LANES_WORD, false);
  if (of_rest) hlo_emit_simd(e, HLO_WASM_I32X4_SUB);
  hlo_emit_constant(e, hlo_emit_twice(255));
  hlo_emit_simd(e, HLO_WASM_I32X4_MIN_U);
  hlo_emit_set(e, scratch);
  hlo_emit_get(e, scratch);
  hlo_emit_get(e, scratch);
  hlo_emit_simd(e, HLO_WASM_I8X16_SHUFFLE);
  for (int i = 0; i < 16; i++) hlo_wasm_lane(&e->function, i / 4 * 4);
  hlo_emit_constant(e, hlo_emit_twice(0xE8F0F800));
  hlo_emit_simd(e, HLO_WASM_I8X16_ADD);
  hlo_emit_constant(e, hlo_emit_twice(0x08080808));
  hlo_emit_simd(e, HLO_WASM_I8X16_ADD_SAT_U);
  hlo_emit_simd(e, HLO_WASM_I8X16_SWIZZLE);
}

/* Shifts words by counts of their own, where vectors shift by one count: to the left by a product with 2^count, to the right by the upper half of one with
 * 2^(32 - count). A number below zero is turned over before an arithmetic shift, and back. */
static void apply_lane_shift(hlo_emitter *e, int v, int opcode) {
  const hlo_fused_value *value = &e->loop->values[v];
  int kept = hlo_emit_new(e, HLO_WASM_V128), sign = opcode == I32X4_SHR_S ? hlo_emit_new(e, HLO_WASM_V128) : -1;
  for (int q = 0; q < e->quads; q++) {
    int result = hlo_emit_local(e, v, q, 0);
    hlo_emit_push(e, value->from[0], q, 0, HLO_LANES_WORD, false);
    if (opcode == I32X4_SHL) {
      push_power(e, value->from[1], q, false, kept);
      hlo_emit_simd(e, HLO_WASM_I32X4_MUL);
      hlo_emit_set(e, result);
      continue;
    }
    if (opcode == I32X4_SHR_S) {
      hlo_emit_push(e, value->from[0], q, 0, HLO_LANES_WORD, false);
      hlo_emit_i32(e, 31);
      hlo_emit_simd(e, HLO_WASM_I32X4_SHR_S);
      hlo_emit_set(e, sign);
      hlo_emit_get(e, sign);
      hlo_emit_simd(e, HLO_WASM_V128_XOR);
    }
    hlo_emit_set(e, result);
    push_power(e, value->from[1], q, true, kept);
    hlo_emit_set(e, kept);
    hlo_emit_get(e, result); /* which stays where the count is 0 */
    for (int half = 0; half < 2; half++) {
      hlo_emit_get(e, result);
      hlo_emit_get(e, kept);
      hlo_emit_simd(e, half ? HLO_WASM_I64X2_EXTMUL_HIGH_I32X4_U : HLO_WASM_I64X2_EXTMUL_LOW_I32X4_U);
    }
    hlo_wasm_shuffle(&e->function, 1, 3, 5, 7);
    hlo_emit_push(e, value->from[1], q, 0, HLO_LANES_WORD, false);
    hlo_emit_constant(e, 0);
    hlo_emit_simd(e, HLO_WASM_I32X4_EQ);
    hlo_emit_simd(e, HLO_WASM_V128_BITSELECT);
    if (opcode == I32X4_SHR_S) {
      hlo_emit_get(e, sign);
      hlo_emit_simd(e, HLO_WASM_V128_XOR);
    }
    hlo_emit_set(e, result);
  }
}

/* Shifts words, or by one count that all elements have in common; returns false where they have not, or the operation is no SHIFT. Vector
 * instructions take the count modulo the bits: where it is too large, an arithmetic shift leaves the sign, and others leave zero. */
static bool apply_shift(hlo_emitter *e, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  const recipe *recipe = &recipes[value->op];
  int opcode = recipe->items[1], bits = recipe->result == HLO_LANES_LONG ? 64 : 32;
  if (opcode == END) return false;
  if (!(e->across ? e->values[value->from[1]].fixed : e->loop->values[value->from[1]].per_row)) {
    if (bits == 64) return false;
    apply_lane_shift(e, v, opcode);
    return true;
  }
  bool is_arithmetic = opcode == I32X4_SHR_S || opcode == I64X2_SHR_S;
  uint64_t known;
  bool is_small = hlo_emit_known(e, value->from[1], &known) && known < 32 && bits == 32;
  int count = hlo_emit_new(e, HLO_WASM_I32), is_large = 0;
  if (is_small) hlo_emit_i32(e, (int32_t)known);
  else push_count(e, value->from[1], bits);
  hlo_emit_set(e, count);
  if (!is_small) is_large = limit_count(e, bits, is_arithmetic, count);
  for (int q = 0; q < e->quads; q++)
    for (int half = 0; half < bits / 32; half++) {
      hlo_emit_push(e, value->from[0], q, half, recipe->first, bits == 64);
      hlo_emit_get(e, count);
      hlo_emit_simd(e, (uint32_t)opcode);
      if (is_large) {
        hlo_emit_get(e, is_large);
        hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
        hlo_emit_simd(e, HLO_WASM_V128_ANDNOT);
      }
      hlo_emit_set(e, hlo_emit_local(e, v, q, half));
    }
  return true;
}

/* ---- Calls ---- */

enum { OPERAND_BYTES = HLO_EMIT_QUADS * 32, CALL_RESULT = HLO_ELEMENTWISE_MAX_OPERANDS * OPERAND_BYTES, CALL_POINTERS = CALL_RESULT + OPERAND_BYTES };
_Static_assert(CALL_POINTERS + 4 * HLO_ELEMENTWISE_MAX_OPERANDS <= HLO_FUSED_CALL_BYTES, "there is room for the quads of a body");

void hlo_emit_prepare_calls(hlo_emitter *e) {
  bool calls = false;
  for (int v = 0; v < e->loop->value_count; v++)
    calls |= e->values[v].needed && e->loop->values[v].kind == HLO_FUSED_APPLY && hlo_emit_may_call(e->loop->values[v].op);
  if (!calls) return;
  e->call_area = e->scratch_bytes;
  e->scratch_bytes += HLO_FUSED_CALL_BYTES;
  for (int i = 0; i < HLO_ELEMENTWISE_MAX_OPERANDS; i++) {
    hlo_emit_get(e, e->scratch);
    hlo_emit_with(e, e->scratch, (int32_t)e->call_area + i * OPERAND_BYTES, HLO_WASM_I32_ADD);
    hlo_wasm_access(&e->function, HLO_WASM_I32_STORE, e->call_area + CALL_POINTERS + (uint32_t)i * 4);
  }
}

/* Calls a kernel for some quads: operands are stored in the scratch, where the result is then. */
static void call_kernel(hlo_emitter *e, hlo_elementwise_kernel *kernel, const hlo_fused_value *value, int first, int quads) {
  for (int i = 0; i < value->arity; i++) {
    const hlo_emit_value *from = &e->values[value->from[i]];
    const hlo_fused_value *operand = &e->loop->values[value->from[i]];
    for (int q = 0; q < quads; q++)
      hlo_emit_store_quad(e, from->lanes, e->scratch, 0, e->call_area + (uint32_t)(i * OPERAND_BYTES + q * 4 * operand->bytes),
                          from->locals[operand->per_row ? 0 : first + q]);
  }
  hlo_emit_with(e, e->scratch, (int32_t)e->call_area + CALL_POINTERS, HLO_WASM_I32_ADD);
  hlo_emit_i32(e, 0);
  hlo_emit_with(e, e->scratch, (int32_t)e->call_area + CALL_RESULT, HLO_WASM_I32_ADD);
  hlo_wasm_i64(&e->function, 4 * quads);
  hlo_emit_i32(e, (int32_t)(intptr_t)kernel); /* in WebAssembly, a function's address is its index in the table */
  hlo_wasm_call_indirect(&e->function, HLO_EMIT_KERNEL);
}

static void load_result(hlo_emitter *e, const hlo_fused_value *value, int quad, const int *result) {
  hlo_emit_load_quad(e, hlo_emit_lanes_of_bytes(value->bytes), e->scratch, 0, e->call_area + CALL_RESULT + (uint32_t)(quad * 4 * value->bytes), result);
}

static void apply_call(hlo_emitter *e, int v) {
  call_kernel(e, hlo_scalar_kernel(e->loop->values[v].op), &e->loop->values[v], 0, e->quads);
  for (int q = 0; q < e->quads; q++) {
    int result[2] = {hlo_emit_local(e, v, q, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    load_result(e, &e->loop->values[v], q, result);
  }
}

/* ---- Lists ---- */

enum { STAGE_ROWS = 8 };

/* Pushes value `number` of a list. */
static void push_number(hlo_emitter *e, const hlo_math_list *list, const hlo_fused_value *value, int quad, int number) {
  if (number < 2) hlo_emit_push(e, value->from[number], quad, 0, HLO_LANES_WORD, false);
  else if (list->rows[number - 2].kind == HLO_MATH_CONSTANT) hlo_emit_constant(e, hlo_emit_twice(list->rows[number - 2].bits));
  else hlo_emit_get(e, e->list_locals[quad][number - 2]);
}

typedef struct list_rows {
  const hlo_math_list *list;
  uint8_t products[HLO_MATH_MOST_ROWS]; /* hlo_math_fuse */
  int stage; /* how many rows are written before the next step has its turn */
} list_rows;

static bool is_written(const list_rows *rows, int n) {
  return rows->list->rows[n].kind != HLO_MATH_CONSTANT && rows->products[n] != n + 2;
}

static void push_fused(hlo_emitter *e, const list_rows *rows, const hlo_fused_value *value, int quad, int n) {
  const hlo_math_row *row = &rows->list->rows[n], *product = &rows->list->rows[rows->products[n] - 2];
  push_number(e, rows->list, value, quad, product->a);
  push_number(e, rows->list, value, quad, product->b);
  push_number(e, rows->list, value, quad, rows->products[n] == row->b ? row->a : row->b);
  hlo_emit_simd(e, row->opcode == HLO_WASM_F32X4_ADD ? HLO_WASM_F32X4_RELAXED_MADD : HLO_WASM_F32X4_RELAXED_NMADD);
}

static void push_row(hlo_emitter *e, const list_rows *rows, const hlo_fused_value *value, int quad, int n) {
  const hlo_math_row *row = &rows->list->rows[n];
  push_number(e, rows->list, value, quad, row->a);
  if (row->kind == HLO_MATH_SHIFT) hlo_emit_i32(e, (int32_t)row->bits);
  else if (row->kind != HLO_MATH_UNARY) push_number(e, rows->list, value, quad, row->b);
  if (row->kind != HLO_MATH_SELECT) {
    hlo_emit_simd(e, row->opcode);
    return;
  }
  push_number(e, rows->list, value, quad, row->c);
  hlo_emit_select(e);
}

/* Writes a row for one step: the quads from `first` on. */
static void apply_list_row(hlo_emitter *e, const list_rows *rows, const hlo_fused_value *value, int n, int first) {
  for (int q = first; q < e->quads && q < first + HLO_EMIT_STEP_QUADS && is_written(rows, n); q++) {
    if (rows->products[n]) push_fused(e, rows, value, q, n);
    else push_row(e, rows, value, q, n);
    if (!e->list_locals[q][n]) e->list_locals[q][n] = hlo_emit_new(e, HLO_WASM_V128);
    hlo_emit_set(e, e->list_locals[q][n]);
  }
}

/* The row at which a stage ends that begins with row `begin`. Most rows wait for the one before, and a processor looks about a hundred
 * instructions ahead. So that it finds a second chain of rows to work on, a stage of one step is followed by a stage of the other. A list
 * of fused rows is half as long and needs no stages, which would cost it registers. */
static int stage_end(const list_rows *rows, int begin) {
  int n = begin, count = 0;
  for (; n < rows->list->row_count && count < rows->stage; n++) count += is_written(rows, n);
  return n;
}

/* If a lane is rare, calls the twin for all four, and takes the rare lanes from it. */
static void replace_rare(hlo_emitter *e, const hlo_math_list *list, int v, int quad) {
  const hlo_fused_value *value = &e->loop->values[v];
  int result = hlo_emit_local(e, v, quad, 0), called = hlo_emit_new(e, HLO_WASM_V128);
  push_number(e, list, value, quad, list->rare);
  hlo_emit_simd(e, HLO_WASM_V128_ANY_TRUE);
  hlo_emit_open(e, HLO_WASM_IF);
  call_kernel(e, list->scalar, value, quad, 1);
  load_result(e, value, 0, &called);
  hlo_emit_pair(e, called, result);
  push_number(e, list, value, quad, list->rare);
  hlo_emit_select(e);
  hlo_emit_set(e, result);
  hlo_emit_close(e);
}

static void apply_list(hlo_emitter *e, const hlo_math_list *list, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  list_rows rows = {.list = list, .stage = e->fuses ? HLO_MATH_MOST_ROWS : STAGE_ROWS};
  if (e->fuses) hlo_math_fuse(list, rows.products);
  for (int end, begin = 0; begin < list->row_count; begin = end) {
    end = stage_end(&rows, begin);
    for (int q = 0; q < e->quads; q += HLO_EMIT_STEP_QUADS)
      for (int n = begin; n < end; n++) apply_list_row(e, &rows, value, n, q);
  }
  for (int q = 0; q < e->quads; q++) {
    push_number(e, list, value, q, list->result);
    hlo_emit_set(e, hlo_emit_local(e, v, q, 0));
  }
  for (int q = 0; q < e->quads && list->rare >= 0; q++) replace_rare(e, list, v, q);
}

bool hlo_emit_may_call(hlo_scalar_op op) {
  const hlo_math_list *list = hlo_math_list_of(op);
  return list ? list->rare >= 0 : is_called(op) || recipes[op].result == HLO_LANES_NONE;
}

void hlo_emit_apply(hlo_emitter *e, int v) {
  hlo_scalar_op op = e->loop->values[v].op;
  const hlo_math_list *list = hlo_math_list_of(op);
  if (list) apply_list(e, list, v);
  else if (is_called(op)) {
    if (!apply_shift(e, v)) apply_call(e, v);
  } else {
    apply_recipe(e, &recipes[op], v);
  }
}
