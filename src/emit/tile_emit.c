/* The tiles of kernels/product/product_tiles.c with fused multiply-adds, and that of quads. These leave registers for six rows: twelve vectors of sums, two
 * of rhs and one of lhs; twelve more vectors hold the totals of earlier runs. A core that two hyperthreads share is limited by the number
 * of instructions: a step of six rows has fewer for each multiplication, and its offsets are immediates of loads. */
#include "emit/tile_emit.h"

#include "base/status.h"
#include "emit/emitter.h"
#include "emit/digit_emit.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"

enum { K, ROWS, LHS, LHS_STRIDE, RHS, RHS_STRIDE, OUT, OUT_STRIDE, ADD, PARAMETER_COUNT };
enum { MANY_ROWS = 6, VECTORS = 2, VECTOR_BYTES = 16 };

typedef struct numbers {
  int bytes;
  hlo_wasm_simd load_splat, multiply_add, add;
} numbers;

static const numbers types[HLO_EMIT_TILE_COUNT] = {
    {4, HLO_WASM_V128_LOAD32_SPLAT, HLO_WASM_F32X4_RELAXED_MADD, HLO_WASM_F32X4_ADD},
    {8, HLO_WASM_V128_LOAD64_SPLAT, HLO_WASM_F64X2_RELAXED_MADD, HLO_WASM_F64X2_ADD},
    {4, HLO_WASM_V128_LOAD32_SPLAT, HLO_WASM_I32X4_RELAXED_DOT_I8X16_I7X16_ADD_S, HLO_WASM_I32X4_ADD}};
static const char *const signatures[] = {"iiiiiiiii", "i", "iiiiiiii"};

typedef struct tile {
  hlo_emitter e; /* only its function is used */
  const numbers *numbers;
  int height;          /* in rows */
  int rows[MANY_ROWS]; /* locals: addresses of the next element of each row of lhs */
  int rhs_at, steps;   /* locals: address of the next row of rhs; steps left after this run */
  int left;            /* local: steps left in this run */
  int sums[MANY_ROWS * VECTORS], totals[MANY_ROWS * VECTORS], rhs[VECTORS], lhs;
} tile;

static void scale(hlo_emitter *e, int local, int factor) {
  hlo_emit_with(e, local, factor, HLO_WASM_I32_MUL);
  hlo_emit_set(e, local);
}

/* a = a op b */
static void combine(hlo_emitter *e, int a, int b, hlo_wasm_opcode opcode) {
  hlo_emit_pair(e, a, b);
  hlo_emit_op(e, opcode);
  hlo_emit_set(e, a);
}

/* Finds the addresses of the rows of lhs. Missing rows repeat row 0. */
static void find_rows(tile *t) {
  hlo_emitter *e = &t->e;
  for (int r = 0; r < t->height; r++) {
    hlo_emit_with(e, LHS_STRIDE, r, HLO_WASM_I32_MUL);
    hlo_emit_i32(e, 0);
    hlo_emit_with(e, ROWS, r, HLO_WASM_I32_GT_S);
    hlo_emit_op(e, HLO_WASM_SELECT);
    hlo_emit_get(e, LHS);
    hlo_emit_op(e, HLO_WASM_I32_ADD);
    hlo_emit_set(e, t->rows[r]);
  }
}

/* Writes the step that is `number` steps behind the pointers. For MANY_ROWS, rhs is a packed panel. */
static void write_step(tile *t, int number) {
  hlo_emitter *e = &t->e;
  int rhs_offset = t->height == MANY_ROWS ? number * HLO_PRODUCT_PANEL_BYTES : 0;
  for (int v = 0; v < VECTORS; v++) {
    hlo_emit_get(e, t->rhs_at);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)(rhs_offset + v * VECTOR_BYTES));
    hlo_emit_set(e, t->rhs[v]);
  }
  for (int s = 0; s < t->height * VECTORS; s++) {
    if (s % VECTORS == 0) {
      hlo_emit_get(e, t->rows[s / VECTORS]);
      hlo_wasm_access_simd(&e->function, t->numbers->load_splat, (uint32_t)(number * t->numbers->bytes));
      hlo_emit_set(e, t->lhs);
    }
    hlo_emit_pair(e, t->lhs, t->rhs[s % VECTORS]);
    hlo_emit_get(e, t->sums[s]);
    hlo_emit_simd(e, t->numbers->multiply_add);
    hlo_emit_set(e, t->sums[s]);
  }
  if (t->height < MANY_ROWS) combine(e, t->rhs_at, RHS_STRIDE, HLO_WASM_I32_ADD);
}

/* Writes a loop of `at_once` steps at a time, for as long as so many are left in this run. */
static void write_steps(tile *t, int at_once) {
  hlo_emitter *e = &t->e;
  hlo_emit_with(e, t->left, at_once, HLO_WASM_I32_GE_S);
  hlo_emit_open(e, HLO_WASM_IF);
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int i = 0; i < at_once; i++) write_step(t, i);
  for (int r = 0; r < t->height; r++) hlo_emit_add(e, t->rows[r], at_once * t->numbers->bytes);
  if (t->height == MANY_ROWS) hlo_emit_add(e, t->rhs_at, at_once * HLO_PRODUCT_PANEL_BYTES);
  hlo_emit_add(e, t->left, -at_once);
  hlo_emit_with(e, t->left, at_once, HLO_WASM_I32_GE_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  hlo_emit_close(e);
}

static void clear(tile *t, const int *sums) {
  for (int s = 0; s < t->height * VECTORS; s++) {
    hlo_wasm_v128(&t->e.function, 0);
    hlo_emit_set(&t->e, sums[s]);
  }
}

static void add_to_total(tile *t, int sum) {
  hlo_emit_get(&t->e, t->totals[sum]);
  hlo_emit_simd(&t->e, t->numbers->add);
  hlo_emit_set(&t->e, t->totals[sum]);
}

/* Writes a run: up to HLO_PRODUCT_RUN steps, whose sums are then added to the totals. */
static void write_run(tile *t) {
  hlo_emitter *e = &t->e;
  clear(t, t->sums);
  hlo_emit_get(e, t->steps);
  hlo_emit_i32(e, HLO_PRODUCT_RUN);
  hlo_emit_with(e, t->steps, HLO_PRODUCT_RUN, HLO_WASM_I32_LT_S);
  hlo_emit_op(e, HLO_WASM_SELECT);
  hlo_emit_set(e, t->left);
  combine(e, t->steps, t->left, HLO_WASM_I32_SUB);
  write_steps(t, (t->height == MANY_ROWS ? 32 : 16) / t->numbers->bytes);
  write_steps(t, 1);
  for (int s = 0; s < t->height * VECTORS; s++) {
    hlo_emit_get(e, t->sums[s]);
    add_to_total(t, s);
  }
}

/* Stores the totals, or adds them to the output. OUT moves from row to row. */
static void write_out(tile *t) {
  hlo_emitter *e = &t->e;
  for (int s = 0; s < t->height * VECTORS; s++) {
    uint32_t offset = (uint32_t)(s % VECTORS * VECTOR_BYTES);
    hlo_emit_get(e, ADD);
    hlo_emit_open(e, HLO_WASM_IF);
    hlo_emit_get(e, OUT);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, offset);
    add_to_total(t, s);
    hlo_emit_close(e);
    hlo_emit_pair(e, OUT, t->totals[s]);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, offset);
    if (s % VECTORS == VECTORS - 1) combine(e, OUT, OUT_STRIDE, HLO_WASM_I32_ADD);
  }
}

static void copy(hlo_emitter *e, int to, int from) {
  hlo_emit_get(e, from);
  hlo_emit_set(e, to);
}

/* Writes a tile of `height` rows: all of k. */
static void write_rows(tile *t, int height) {
  hlo_emitter *e = &t->e;
  t->height = height;
  find_rows(t);
  copy(e, t->rhs_at, RHS);
  copy(e, t->steps, K);
  clear(t, t->totals);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_run(t);
  hlo_emit_get(e, t->steps);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  write_out(t);
  hlo_emit_with(e, LHS_STRIDE, height, HLO_WASM_I32_MUL);
  hlo_emit_get(e, LHS);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, LHS);
  hlo_emit_add(e, ROWS, -height);
}

/* Pushes whether six rows are next: every even count but 2, 4 and 8 is a sum of fours and at least one six. */
static void push_has_many(tile *t) {
  hlo_emitter *e = &t->e;
  hlo_emit_with(e, ROWS, MANY_ROWS, HLO_WASM_I32_GE_S);
  hlo_emit_with(e, ROWS, 2 * HLO_PRODUCT_ROWS, HLO_WASM_I32_NE);
  hlo_emit_op(e, HLO_WASM_I32_AND);
  hlo_emit_with(e, RHS_STRIDE, HLO_PRODUCT_PANEL_BYTES, HLO_WASM_I32_EQ);
  hlo_emit_op(e, HLO_WASM_I32_AND);
}

static void write_tile(const numbers *numbers, hlo_wasm_module *module, hlo_status *status) {
  tile t = {.numbers = numbers, .e = {.status = status}};
  hlo_emitter *e = &t.e;
  hlo_wasm_begin(&e->function, PARAMETER_COUNT, status);
  t.rhs_at = hlo_emit_new(e, HLO_WASM_I32), t.steps = hlo_emit_new(e, HLO_WASM_I32), t.left = hlo_emit_new(e, HLO_WASM_I32);
  for (int r = 0; r < MANY_ROWS; r++) t.rows[r] = hlo_emit_new(e, HLO_WASM_I32);
  for (int s = 0; s < MANY_ROWS * VECTORS; s++) t.sums[s] = hlo_emit_new(e, HLO_WASM_V128), t.totals[s] = hlo_emit_new(e, HLO_WASM_V128);
  for (int v = 0; v < VECTORS; v++) t.rhs[v] = hlo_emit_new(e, HLO_WASM_V128);
  t.lhs = hlo_emit_new(e, HLO_WASM_V128);
  static const int strides[] = {LHS_STRIDE, RHS_STRIDE, OUT_STRIDE};
  for (int i = 0; i < 3; i++) scale(e, strides[i], numbers->bytes);
  hlo_emit_open(e, HLO_WASM_LOOP);
  push_has_many(&t);
  hlo_emit_open(e, HLO_WASM_IF);
  write_rows(&t, MANY_ROWS);
  hlo_emit_op(e, HLO_WASM_ELSE);
  write_rows(&t, HLO_PRODUCT_ROWS);
  hlo_emit_close(e);
  hlo_emit_with(e, ROWS, 0, HLO_WASM_I32_GT_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  hlo_wasm_module_add(module, &e->function, 0);
  hlo_wasm_free(&e->function);
}

void hlo_emit_tiles(bool shared_memory, hlo_writer *out) {
  hlo_wasm_module module;
  hlo_wasm_module_begin(&module, out->status);
  for (int i = 0; i < HLO_EMIT_TILE_COUNT; i++) write_tile(&types[i], &module, out->status);
  hlo_emit_nibble_blocks(&module, 1, out->status);
  hlo_emit_byte_blocks(&module, 2, out->status);
  hlo_wasm_module_write(&module, signatures, 3, shared_memory, out);
  hlo_wasm_module_free(&module);
}
