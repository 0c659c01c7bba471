/* Element-wise operations: recipes of operations.def, lists of kernels/math_table.h, and calls of kernels for all others. */
#include <string.h>

#include "emit/emitter.h"

/* ---- The table ---- */

enum recipe_item { /* below the opcodes of arithmetic */
  END, X, Y, Z, ZERO, FIRST_CONSTANT, ONE_F32 = FIRST_CONSTANT, SIGN_32, INFINITY_F32, ONE_I32, BYTE_I32, ONE_F64, SIGN_64, INFINITY_F64,
  HALF_I32, QUIET_BF16, ROUND_BF16, MAGNITUDE_16, SIGN_16, TWO_112, INFINITY_F16, NAN_F16, HALF_F32, ROUND_F16, MOST_F16, LEAST_F16,
  MOST_S8, LEAST_S8, LEAST_S16, LAST_CONSTANT = LEAST_S16
};
static const uint64_t recipe_constants[] = {0x3F8000003F800000, 0x8000000080000000, 0x7F8000007F800000, 0x0000000100000001,
                                            0x000000FF000000FF, 0x3FF0000000000000, 0x8000000000000000, 0x7FF0000000000000,
                                            0x0000FFFF0000FFFF, 0x0000004000000040, 0x00007FFF00007FFF, 0x00007FFF00007FFF,
                                            0x0000800000008000, 0x7780000077800000, 0x00007C0000007C00, 0x00007E0000007E00,
                                            0x3F0000003F000000, 0xC8000FFFC8000FFF, 0x4780000047800000, 0x3880000038800000,
                                            0x0000007F0000007F, 0xFFFFFF80FFFFFF80, 0xFFFF8000FFFF8000};

enum join { EVEN, PAIR };

/* The recipes lie one after another, in the order of the rows. */
typedef struct emit_row {
  hlo_elementwise_kernel *kernel;
  uint8_t first, others, result : 4, join : 4, length;
} emit_row;

static const emit_row rows[] = {
#define HLO_EMIT(kernel, first, others, result, join, ...) \
  {hlo_##kernel, HLO_LANES_##first, HLO_LANES_##others, HLO_LANES_##result, join, sizeof((uint8_t[]){__VA_ARGS__})},
#include "emit/operations.def"
#undef HLO_EMIT
};
static const uint8_t recipes[] = {
#define HLO_EMIT(kernel, first, others, result, join, ...) __VA_ARGS__,
#include "emit/operations.def"
#undef HLO_EMIT
};

/* NULL: there is none. */
static const emit_row *row_of(hlo_elementwise_kernel *kernel, const uint8_t **recipe) {
  *recipe = recipes;
  for (const emit_row *row = rows; row < rows + sizeof rows / sizeof *rows; *recipe += row++->length)
    if (row->kernel == kernel) return row;
  return NULL;
}

static bool is_division(hlo_elementwise_kernel *kernel) {
  return kernel == hlo_f32_divide_simd128 || kernel == hlo_f64_divide_simd128 || kernel == hlo_f32_sqrt_simd128 || kernel == hlo_f64_sqrt_simd128;
}

hlo_lanes hlo_emit_apply_lanes(const hlo_loop_value *value, int *cost) {
  const hlo_math_list *list = hlo_math_list_of(value->apply);
  const uint8_t *recipe;
  const emit_row *row = row_of(value->apply, &recipe);
  *cost = list ? list->row_count : row && *recipe == END ? 100 : is_division(value->apply) ? 6 : 1;
  return list ? (list->row_count <= HLO_MATH_MOST_ROWS ? HLO_LANES_WORD : HLO_LANES_NONE) : row ? row->result : HLO_LANES_NONE;
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

static bool is_wide(const emit_row *row, int arity) {
  return row->result == HLO_LANES_LONG || row->first == HLO_LANES_LONG || (arity > 1 && row->others == HLO_LANES_LONG);
}

static bool is_shift(int opcode) { return opcode >= 0xAB && opcode <= 0xAD; }

/* Returns the item of the count, which comes after that of the shift. */
static const uint8_t *push_shift(hlo_emitter *e, const uint8_t *item) {
  hlo_emit_i32(e, item[1]);
  hlo_emit_simd(e, item[0]);
  return item + 1;
}

static void push_recipe(hlo_emitter *e, const emit_row *row, const uint8_t *recipe, const hlo_loop_value *value, int quad, int half, bool wide) {
  for (const uint8_t *item = recipe; item < recipe + row->length; item++) {
    if (*item <= Z) hlo_emit_push(e, value->from[*item - X], quad, half, *item == X ? row->first : row->others, wide);
    else if (*item == ZERO) hlo_emit_constant(e, 0);
    else if (*item <= LAST_CONSTANT) hlo_emit_constant(e, recipe_constants[*item - FIRST_CONSTANT]);
    else if (is_shift(*item)) item = push_shift(e, item);
    else hlo_emit_simd(e, *item);
  }
}

static void apply_row(hlo_emitter *e, const emit_row *row, const uint8_t *recipe, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  bool wide = is_wide(row, value->arity);
  for (int q = 0; q < e->quads; q++) {
    push_recipe(e, row, recipe, value, q, 0, wide);
    if (wide && row->result == HLO_LANES_LONG) hlo_emit_set(e, hlo_emit_local(e, v, q, 0));
    if (wide) push_recipe(e, row, recipe, value, q, 1, wide);
    if (wide && row->result != HLO_LANES_LONG) {
      if (row->join == EVEN) hlo_wasm_shuffle(&e->function, 0, 2, 4, 6);
      else hlo_wasm_shuffle(&e->function, 0, 1, 4, 5);
    }
    hlo_emit_set(e, hlo_emit_local(e, v, q, wide && row->result == HLO_LANES_LONG));
  }
}

/* ---- Where an operand is known, or the same along the row ---- */

bool hlo_emit_known(const hlo_emitter *e, int v, uint32_t *bits) {
  const hlo_loop_value *value = &e->loop->values[v];
  if (value->kind != HLO_LOOP_INPUT || !e->values[v].fixed || !e->constants || !e->constants[value->operand]) return false;
  memcpy(bits, (const char *)e->constants[value->operand] + value->offset * value->bytes, value->bytes < 4 ? value->bytes : 4);
  return true;
}

typedef struct shift_row {
  hlo_elementwise_kernel *kernel;
  uint8_t opcode, bits;
  bool is_arithmetic;
} shift_row;

static const shift_row shifts[] = {
    {hlo_i32_shift_left_scalar, 0xAB, 32, false}, {hlo_i32_shift_right_arithmetic_scalar, 0xAC, 32, true},
    {hlo_i32_shift_right_logical_scalar, 0xAD, 32, false}, {hlo_i64_shift_left_scalar, 0xCB, 64, false},
    {hlo_i64_shift_right_arithmetic_scalar, 0xCC, 64, true}, {hlo_i64_shift_right_logical_scalar, 0xCD, 64, false}};

/* The count of a shift that all lanes have in common, from the low lane; of 64-bit ones, 255 where the high bits are not zero. */
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

/* Makes an arithmetic shift's count at most bits - 1; else gives a local: -1 where the count is too large, 0 where not. */
static int limit_count(hlo_emitter *e, const shift_row *row, int count) {
  if (row->is_arithmetic) {
    hlo_emit_get(e, count);
    hlo_emit_i32(e, row->bits - 1);
  } else {
    hlo_emit_i32(e, -1);
    hlo_emit_i32(e, 0);
  }
  hlo_emit_with(e, count, row->bits, row->is_arithmetic ? HLO_WASM_I32_LT_U : HLO_WASM_I32_GE_U);
  hlo_emit_op(e, HLO_WASM_SELECT);
  int local = row->is_arithmetic ? count : hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_set(e, local);
  return row->is_arithmetic ? 0 : local;
}

/* SIMD shifts take the count modulo the bits: of large ones, the sign is left, or nothing. */
static bool apply_shift(hlo_emitter *e, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  const shift_row *row = shifts, *end = shifts + sizeof shifts / sizeof *shifts;
  while (row < end && row->kernel != value->apply) row++;
  if (row == end || !e->loop->values[value->from[1]].per_row) return false;
  uint32_t known;
  bool is_small = hlo_emit_known(e, value->from[1], &known) && known < row->bits && row->bits == 32;
  int count = hlo_emit_new(e, HLO_WASM_I32), is_large = 0;
  if (is_small) hlo_emit_i32(e, (int32_t)known);
  else push_count(e, value->from[1], row->bits);
  hlo_emit_set(e, count);
  if (!is_small) is_large = limit_count(e, row, count);
  for (int q = 0; q < e->quads; q++)
    for (int half = 0; half < row->bits / 32; half++) {
      hlo_emit_push(e, value->from[0], q, half, row->bits == 64 ? HLO_LANES_LONG : HLO_LANES_WORD, row->bits == 64);
      hlo_emit_get(e, count);
      hlo_emit_simd(e, row->opcode);
      if (is_large) {
        hlo_emit_get(e, is_large);
        hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
        hlo_emit_simd(e, HLO_WASM_V128_ANDNOT);
      }
      hlo_emit_set(e, hlo_emit_local(e, v, q, half));
    }
  return true;
}

/* f32x4.max and min, which order zeros and keep NaN, take V8 eight instructions; pmax(a, b), a < b ? b : a, takes one. With a = x it
 * keeps a NaN of x; what is left is maximum(-0, +0), which a sum with +0 mends, and minimum(+0, -0), which nothing mends as well. */
static bool apply_extreme(hlo_emitter *e, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  bool is_maximum = value->apply == hlo_f32_maximum_simd128;
  if (!is_maximum && value->apply != hlo_f32_minimum_simd128) return false;
  uint32_t bits;
  int known = hlo_emit_known(e, value->from[1], &bits) ? 1 : hlo_emit_known(e, value->from[0], &bits) ? 0 : -1;
  if (known < 0 || (bits & 0x7FFFFFFF) > 0x7F800000 || (!is_maximum && bits == 0x80000000)) return false;
  for (int q = 0; q < e->quads; q++) {
    hlo_emit_push(e, value->from[1 - known], q, 0, HLO_LANES_WORD, false);
    hlo_emit_push(e, value->from[known], q, 0, HLO_LANES_WORD, false);
    hlo_emit_simd(e, is_maximum ? HLO_WASM_F32X4_PMAX : HLO_WASM_F32X4_PMIN);
    if (is_maximum && bits == 0) {
      hlo_emit_constant(e, 0);
      hlo_emit_simd(e, HLO_WASM_F32X4_ADD);
    }
    hlo_emit_set(e, hlo_emit_local(e, v, q, 0));
  }
  return true;
}

/* ---- Calls ---- */

enum { OPERAND_BYTES = 32, CALL_RESULT = HLO_ELEMENTWISE_MAX_OPERANDS * OPERAND_BYTES, CALL_POINTERS = CALL_RESULT + OPERAND_BYTES };

void hlo_emit_prepare_calls(hlo_emitter *e) {
  bool calls = false;
  for (int v = 0; v < e->loop->value_count; v++)
    calls |= e->values[v].needed && e->loop->values[v].kind == HLO_LOOP_APPLY && hlo_emit_may_call(e->loop->values[v].apply);
  if (!calls) return;
  e->call_area = e->scratch_bytes;
  e->scratch_bytes += HLO_LOOP_CALL_BYTES;
  for (int i = 0; i < HLO_ELEMENTWISE_MAX_OPERANDS; i++) {
    hlo_emit_get(e, e->scratch);
    hlo_emit_with(e, e->scratch, (int32_t)e->call_area + i * OPERAND_BYTES, HLO_WASM_I32_ADD);
    hlo_wasm_access(&e->function, HLO_WASM_I32_STORE, e->call_area + CALL_POINTERS + (uint32_t)i * 4);
  }
}

/* Calls a kernel for the four elements of a quad, whose operands' lanes are as many bytes wide. */
static void call_kernel(hlo_emitter *e, hlo_elementwise_kernel *kernel, const hlo_loop_value *value, int quad, const int *result) {
  for (int i = 0; i < value->arity; i++) {
    const hlo_emit_value *from = &e->values[value->from[i]];
    hlo_emit_store_quad(e, from->lanes, e->scratch, 0, e->call_area + (uint32_t)i * OPERAND_BYTES,
                        from->locals[e->loop->values[value->from[i]].per_row ? 0 : quad]);
  }
  hlo_emit_with(e, e->scratch, (int32_t)e->call_area + CALL_POINTERS, HLO_WASM_I32_ADD);
  hlo_emit_i32(e, 0);
  hlo_emit_with(e, e->scratch, (int32_t)e->call_area + CALL_RESULT, HLO_WASM_I32_ADD);
  hlo_wasm_i64(&e->function, 4);
  hlo_emit_i32(e, (int32_t)(intptr_t)kernel); /* in WebAssembly a function's address is its place in the table */
  hlo_wasm_call_indirect(&e->function, HLO_EMIT_KERNEL);
  hlo_emit_load_quad(e, hlo_emit_lanes_of_bytes(value->bytes), e->scratch, 0, e->call_area + CALL_RESULT, result);
}

static void apply_call(hlo_emitter *e, int v) {
  for (int q = 0; q < e->quads; q++) {
    int result[2] = {hlo_emit_local(e, v, q, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    call_kernel(e, e->loop->values[v].apply, &e->loop->values[v], q, result);
  }
}

/* ---- Lists ---- */

enum { STAGE_ROWS = 8 };

static bool is_unary(int opcode) {
  return opcode == 0x4D || opcode == 0x69 || (opcode >= 0xE0 && opcode <= 0xE3) || opcode == 0xF8 || opcode == 0xFA;
}

/* Value `number` of a list. */
static void push_number(hlo_emitter *e, const hlo_math_list *list, const hlo_loop_value *value, int quad, int number) {
  if (number < 2) hlo_emit_push(e, value->from[number], quad, 0, HLO_LANES_WORD, false);
  else if (list->rows[number - 2].opcode == HLO_MATH_CONSTANT) hlo_emit_constant(e, hlo_emit_twice(list->rows[number - 2].bits));
  else hlo_emit_get(e, e->list_locals[quad][number - 2]);
}

typedef struct list_rows {
  const hlo_math_list *list;
  uint8_t products[HLO_MATH_MOST_ROWS]; /* hlo_math_fuse */
  int stage; /* how many of them a stage has */
} list_rows;

static bool is_written(const list_rows *rows, int n) {
  return rows->list->rows[n].opcode != HLO_MATH_CONSTANT && rows->products[n] != n + 2;
}

static void push_fused(hlo_emitter *e, const list_rows *rows, const hlo_loop_value *value, int quad, int n) {
  const hlo_math_row *row = &rows->list->rows[n], *product = &rows->list->rows[rows->products[n] - 2];
  push_number(e, rows->list, value, quad, product->a);
  push_number(e, rows->list, value, quad, product->b);
  push_number(e, rows->list, value, quad, rows->products[n] == row->b ? row->a : row->b);
  hlo_emit_simd(e, row->opcode == HLO_MATH_ADD ? HLO_WASM_F32X4_RELAXED_MADD : HLO_WASM_F32X4_RELAXED_NMADD);
}

static void push_row(hlo_emitter *e, const list_rows *rows, const hlo_loop_value *value, int quad, int n) {
  const hlo_math_row *row = &rows->list->rows[n];
  push_number(e, rows->list, value, quad, row->a);
  if (is_shift(row->opcode)) hlo_emit_i32(e, (int32_t)row->bits);
  else if (!is_unary(row->opcode)) push_number(e, rows->list, value, quad, row->b);
  if (row->opcode == HLO_MATH_BITSELECT) push_number(e, rows->list, value, quad, row->c);
  hlo_emit_simd(e, row->opcode);
}

/* For a few quads: a step. */
static void apply_list_row(hlo_emitter *e, const list_rows *rows, const hlo_loop_value *value, int n, int first) {
  for (int q = first; q < e->quads && q < first + HLO_EMIT_STEP_QUADS && is_written(rows, n); q++) {
    if (rows->products[n]) push_fused(e, rows, value, q, n);
    else push_row(e, rows, value, q, n);
    if (!e->list_locals[q][n]) e->list_locals[q][n] = hlo_emit_new(e, HLO_WASM_V128);
    hlo_emit_set(e, e->list_locals[q][n]);
  }
}

/* Each row waits for the one before. A processor sees about a hundred instructions ahead: so that it finds two chains to follow, a
 * stage of one step comes between the stages of another. Fused rows are half as many, and lose more by what has no register then. */
static int stage_end(const list_rows *rows, int begin) {
  int n = begin, count = 0;
  for (; n < rows->list->row_count && count < rows->stage; n++) count += is_written(rows, n);
  return n;
}

/* Lanes of which the list says nothing: the twin computes all four. */
static void replace_rare(hlo_emitter *e, const hlo_math_list *list, int v, int quad) {
  const hlo_loop_value *value = &e->loop->values[v];
  int result = hlo_emit_local(e, v, quad, 0), called = hlo_emit_new(e, HLO_WASM_V128);
  push_number(e, list, value, quad, list->rare);
  hlo_emit_simd(e, HLO_WASM_V128_ANY_TRUE);
  hlo_emit_open(e, HLO_WASM_IF);
  call_kernel(e, list->scalar, value, quad, &called);
  hlo_emit_pair(e, called, result);
  push_number(e, list, value, quad, list->rare);
  hlo_emit_simd(e, HLO_WASM_V128_BITSELECT);
  hlo_emit_set(e, result);
  hlo_emit_close(e);
}

static void apply_list(hlo_emitter *e, const hlo_math_list *list, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
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

bool hlo_emit_may_call(hlo_elementwise_kernel *kernel) {
  const hlo_math_list *list = hlo_math_list_of(kernel);
  const uint8_t *recipe;
  return list ? list->rare >= 0 : !row_of(kernel, &recipe) || *recipe == END;
}

void hlo_emit_apply(hlo_emitter *e, int v) {
  hlo_elementwise_kernel *kernel = e->loop->values[v].apply;
  const hlo_math_list *list = hlo_math_list_of(kernel);
  const uint8_t *recipe;
  const emit_row *row = row_of(kernel, &recipe);
  if (list) apply_list(e, list, v);
  else if (apply_extreme(e, v) || apply_shift(e, v)) return;
  else if (*recipe != END) apply_row(e, row, recipe, v);
  else apply_call(e, v);
}
