/* As in kernels/product_tiles.c: eight vectors of running sums, two of rhs and one of lhs; eight more hold the sums of earlier runs. */
#include "emit/tile_emit.h"

#include "emit/emitter.h"

enum { K, ROWS, LHS, LHS_M, LHS_K, LHS_STEP, RHS, RHS_STRIDE, OUT, OUT_STRIDE, ADD, PARAMETER_COUNT };
enum { VECTORS = 2, VECTOR_BYTES = 16, SUMS = HLO_PRODUCT_ROWS * VECTORS, UNROLLED = 4 };

typedef struct numbers {
  int bytes;
  hlo_wasm_simd load_splat, multiply_add, add;
} numbers;

static const numbers types[HLO_EMIT_TILE_COUNT] = {
    {4, HLO_WASM_V128_LOAD32_SPLAT, HLO_WASM_F32X4_RELAXED_MADD, HLO_WASM_F32X4_ADD},
    {8, HLO_WASM_V128_LOAD64_SPLAT, HLO_WASM_F64X2_RELAXED_MADD, HLO_WASM_F64X2_ADD}};
hlo_tile_kernel *const hlo_emit_tile_places[HLO_EMIT_TILE_COUNT] = {hlo_f32_tile_4x8_simd128, hlo_f64_tile_4x4_simd128};

typedef struct tile {
  hlo_emitter e; /* its function alone */
  const numbers *numbers;
  int rows[HLO_PRODUCT_ROWS]; /* locals: where the next element of each row of lhs is */
  int rhs_at, steps;          /* locals: where the next row of rhs is; how many steps are left after this run */
  int left, rest;             /* locals: steps of this run, of them those beyond a multiple of UNROLLED */
  int sums[SUMS], totals[SUMS], rhs[VECTORS], lhs;
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

/* Rows that there are not are row 0 once more. */
static void find_rows(tile *t) {
  hlo_emitter *e = &t->e;
  for (int r = 0; r < HLO_PRODUCT_ROWS; r++) {
    hlo_emit_with(e, LHS_M, r, HLO_WASM_I32_MUL);
    hlo_emit_i32(e, 0);
    hlo_emit_with(e, ROWS, r, HLO_WASM_I32_GT_S);
    hlo_emit_op(e, HLO_WASM_SELECT);
    hlo_emit_get(e, LHS);
    hlo_emit_op(e, HLO_WASM_I32_ADD);
    hlo_emit_set(e, t->rows[r]);
  }
}

static void write_step(tile *t) {
  hlo_emitter *e = &t->e;
  for (int v = 0; v < VECTORS; v++) {
    hlo_emit_get(e, t->rhs_at);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)(v * VECTOR_BYTES));
    hlo_emit_set(e, t->rhs[v]);
  }
  for (int s = 0; s < SUMS; s++) {
    if (s % VECTORS == 0) {
      hlo_emit_get(e, t->rows[s / VECTORS]);
      hlo_wasm_access_simd(&e->function, t->numbers->load_splat, 0);
      hlo_emit_set(e, t->lhs);
    }
    hlo_emit_pair(e, t->lhs, t->rhs[s % VECTORS]);
    hlo_emit_get(e, t->sums[s]);
    hlo_emit_simd(e, t->numbers->multiply_add);
    hlo_emit_set(e, t->sums[s]);
  }
  for (int r = 0; r < HLO_PRODUCT_ROWS; r++) combine(e, t->rows[r], LHS_K, HLO_WASM_I32_ADD);
  combine(e, t->rhs_at, RHS_STRIDE, HLO_WASM_I32_ADD);
}

/* As many as local `count` says, a multiple of `at_once`. */
static void write_steps(tile *t, int count, int at_once) {
  hlo_emitter *e = &t->e;
  hlo_emit_get(e, count);
  hlo_emit_open(e, HLO_WASM_IF);
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int i = 0; i < at_once; i++) write_step(t);
  hlo_emit_add(e, count, -at_once);
  hlo_emit_get(e, count);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  hlo_emit_close(e);
}

static void clear(tile *t, const int *sums) {
  for (int s = 0; s < SUMS; s++) {
    hlo_wasm_v128(&t->e.function, 0);
    hlo_emit_set(&t->e, sums[s]);
  }
}

static void add_to_total(tile *t, int sum) {
  hlo_emit_get(&t->e, t->totals[sum]);
  hlo_emit_simd(&t->e, t->numbers->add);
  hlo_emit_set(&t->e, t->totals[sum]);
}

/* Up to HLO_PRODUCT_RUN steps. */
static void write_run(tile *t) {
  hlo_emitter *e = &t->e;
  clear(t, t->sums);
  hlo_emit_get(e, t->steps);
  hlo_emit_i32(e, HLO_PRODUCT_RUN);
  hlo_emit_with(e, t->steps, HLO_PRODUCT_RUN, HLO_WASM_I32_LT_S);
  hlo_emit_op(e, HLO_WASM_SELECT);
  hlo_emit_set(e, t->left);
  combine(e, t->steps, t->left, HLO_WASM_I32_SUB);
  hlo_emit_with(e, t->left, UNROLLED - 1, HLO_WASM_I32_AND);
  hlo_emit_set(e, t->rest);
  combine(e, t->left, t->rest, HLO_WASM_I32_SUB);
  write_steps(t, t->left, UNROLLED);
  write_steps(t, t->rest, 1);
  for (int s = 0; s < SUMS; s++) {
    hlo_emit_get(e, t->sums[s]);
    add_to_total(t, s);
  }
}

/* Every sum's place in the output: OUT moves on row by row. */
static void write_out(tile *t) {
  hlo_emitter *e = &t->e;
  for (int s = 0; s < SUMS; s++) {
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

/* Four rows, all of k. */
static void write_four(tile *t) {
  hlo_emitter *e = &t->e;
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
}

static void write_tile(const numbers *numbers, hlo_wasm_module *module, hlo_status *status) {
  tile t = {.numbers = numbers, .e = {.status = status}};
  hlo_emitter *e = &t.e;
  hlo_wasm_begin(&e->function, PARAMETER_COUNT, status);
  t.left = hlo_emit_new(e, HLO_WASM_I32), t.rest = hlo_emit_new(e, HLO_WASM_I32);
  t.rhs_at = hlo_emit_new(e, HLO_WASM_I32), t.steps = hlo_emit_new(e, HLO_WASM_I32);
  for (int r = 0; r < HLO_PRODUCT_ROWS; r++) t.rows[r] = hlo_emit_new(e, HLO_WASM_I32);
  for (int s = 0; s < SUMS; s++) t.sums[s] = hlo_emit_new(e, HLO_WASM_V128), t.totals[s] = hlo_emit_new(e, HLO_WASM_V128);
  for (int v = 0; v < VECTORS; v++) t.rhs[v] = hlo_emit_new(e, HLO_WASM_V128);
  t.lhs = hlo_emit_new(e, HLO_WASM_V128);
  static const int strides[] = {LHS_M, LHS_K, LHS_STEP, RHS_STRIDE, OUT_STRIDE};
  for (int i = 0; i < 5; i++) scale(e, strides[i], numbers->bytes);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_four(&t);
  combine(e, LHS, LHS_STEP, HLO_WASM_I32_ADD);
  hlo_emit_add(e, ROWS, -HLO_PRODUCT_ROWS);
  hlo_emit_with(e, ROWS, 0, HLO_WASM_I32_GT_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  hlo_wasm_module_add(module, &e->function, HLO_EMIT_TILE);
  hlo_wasm_free(&e->function);
}

void hlo_emit_tiles(hlo_wasm_module *module, hlo_status *status) {
  for (int i = 0; i < HLO_EMIT_TILE_COUNT; i++) write_tile(&types[i], module, status);
}
