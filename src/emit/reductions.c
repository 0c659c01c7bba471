/* Reductions of a row, in the order of kernels/reduce/reduce.h: a block of 128 terms is folded in sixteen lanes, and totals of blocks are
 * combined like the carries of a binary counter; then come the remaining runs of 16 terms, and the last terms one by one. Where every
 * order gives the same bits, the lanes run through the whole row. */
#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "kernels/reduce/reduce.h"
#include "loops/fused_loop.h"

enum { LANE_QUADS = 4 };
enum reduction_kind { ORDER, NO_ORDER, CHOICE, F32_MAXIMUM, F32_MINIMUM };

struct hlo_emit_reduction {
  uint8_t kind;   /* reduction_kind */
  uint8_t lanes;  /* hlo_lanes */
  uint8_t vector; /* hlo_wasm_simd; of CHOICE: whether the first of two is chosen; of F32_MAXIMUM and F32_MINIMUM see total_opcode */
  uint8_t scalar; /* hlo_wasm_opcode; of ORDER */
};

/* The code of each row of reduce.def. */
#define ORDERED(lanes, vector, scalar) {ORDER, HLO_LANES_##lanes, HLO_WASM_##vector, HLO_WASM_##scalar}
#define ANY_ORDER(lanes, vector) {NO_ORDER, HLO_LANES_##lanes, HLO_WASM_##vector, 0}
#define BY_COMPARISON(lanes, vector) {CHOICE, HLO_LANES_##lanes, HLO_WASM_##vector, 0}
#define MAXIMUM_F32 {F32_MAXIMUM, HLO_LANES_WORD, 0, 0}
#define MINIMUM_F32 {F32_MINIMUM, HLO_LANES_WORD, 0, 0}
static const hlo_emit_reduction reductions[HLO_REDUCE_COUNT] = {
#define HLO_REDUCE(kind, name, type, opcode, identity, ...) [HLO_REDUCE_##kind##_##name] = __VA_ARGS__,
#include "kernels/reduce/reduce.def"
};

const hlo_emit_reduction *hlo_emit_reduction_of(hlo_reduce_op op) { return &reductions[op]; }

/* The identity in all lanes: the bits of both halves of a vector. */
static uint64_t identity_of(const hlo_emit_reduction *r) {
  uint64_t bits = hlo_reduction_identity((hlo_reduce_op)(r - reductions));
  if (r->lanes == HLO_LANES_MASK) return bits ? UINT64_MAX : 0;
  return r->lanes == HLO_LANES_LONG ? bits : hlo_emit_twice((uint32_t)bits);
}

hlo_lanes hlo_emit_reduction_lanes(const hlo_emit_reduction *reduction) { return reduction->lanes; }
bool hlo_emit_reduction_ordered(const hlo_emit_reduction *reduction) { return reduction->kind == ORDER; }

static hlo_wasm_type scalar_type(const hlo_emit_reduction *r) { return r->lanes == HLO_LANES_LONG ? HLO_WASM_F64 : HLO_WASM_F32; }

/* Returns the number of vectors of running totals. Engines take eight instructions for f32x4.max; so the extremes of f32 are found by
 * comparing bits as integers. Three totals (signed maximum, unsigned maximum, unsigned minimum) tell whether there is a NaN, which signs
 * there are, and the extreme (push_extreme). */
static int total_count(const hlo_emit_reduction *r) {
  if (r->kind == F32_MAXIMUM || r->kind == F32_MINIMUM) return 3;
  return LANE_QUADS * hlo_emit_vectors(r->lanes);
}
static uint32_t total_opcode(const hlo_emit_reduction *r, int n) {
  static const uint32_t extremes[] = {HLO_WASM_I32X4_MAX_S, HLO_WASM_I32X4_MAX_U, HLO_WASM_I32X4_MIN_U};
  return r->kind == F32_MAXIMUM || r->kind == F32_MINIMUM ? extremes[n] : r->vector;
}

/* Folds the two vectors on the stack, of running total n. */
static void fold_two(hlo_emitter *e, const hlo_emit_reduction *r, int n) {
  if (r->kind != CHOICE) {
    hlo_emit_simd(e, total_opcode(r, n));
    return;
  }
  int a = hlo_emit_new(e, HLO_WASM_V128), b = hlo_emit_new(e, HLO_WASM_V128);
  hlo_emit_set(e, b);
  hlo_emit_set(e, a);
  hlo_emit_pair(e, a, b);
  hlo_emit_pair(e, a, b);
  hlo_emit_simd(e, r->vector);
  hlo_emit_select(e);
}

/* Pushes a term; missing elements of a partial quad are the identity. */
static void push_term(hlo_emitter *e, const hlo_emit_fold *fold, int quad, int half) {
  const hlo_emit_reduction *r = fold->reduction;
  hlo_emit_push(e, fold->from, quad, half, r->lanes, false);
  if (!hlo_emit_is_partial(e)) return;
  hlo_emit_constant(e, identity_of(r));
  hlo_wasm_op_simd(&e->function, HLO_WASM_V128_CONST);
  for (int i = 0; i < 16; i++) hlo_wasm_lane(&e->function, i % 4 ? 0 : r->lanes != HLO_LANES_LONG ? i / 4 : i % 8 ? 0 : i / 8 + 2 * half);
  hlo_emit_push_left(e);
  if (r->lanes == HLO_LANES_LONG) {
    hlo_emit_op(e, HLO_WASM_I64_EXTEND_I32_S);
    hlo_emit_simd(e, HLO_WASM_I64X2_SPLAT);
    hlo_emit_simd(e, HLO_WASM_I64X2_LT_S);
  } else {
    hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
    hlo_emit_simd(e, HLO_WASM_I32X4_LT_S);
  }
  hlo_emit_select(e);
}

static void fill_totals(hlo_emitter *e, const hlo_emit_fold *fold) {
  for (int n = 0; n < total_count(fold->reduction); n++) {
    hlo_emit_constant(e, identity_of(fold->reduction));
    hlo_emit_set(e, fold->totals[n]);
  }
}

void hlo_emit_fold_begin(hlo_emitter *e, hlo_emit_fold *fold, int value) {
  const hlo_fused_value *reduce = &e->loop->values[value];
  *fold = (hlo_emit_fold){.reduction = hlo_emit_reduction_of(reduce->reduce), .value = value, .from = reduce->from[0]};
  for (int n = 0; n < total_count(fold->reduction); n++) fold->totals[n] = hlo_emit_new(e, HLO_WASM_V128);
  if (fold->reduction->kind != ORDER) {
    fill_totals(e, fold);
    return;
  }
  fold->part = hlo_emit_new(e, scalar_type(fold->reduction));
  fold->rest = hlo_emit_new(e, scalar_type(fold->reduction));
  hlo_emit_constant(e, identity_of(fold->reduction));
  hlo_emit_simd(e, fold->reduction->lanes == HLO_LANES_LONG ? HLO_WASM_F64X2_EXTRACT_LANE : HLO_WASM_F32X4_EXTRACT_LANE);
  hlo_wasm_lane(&e->function, 0);
  hlo_emit_set(e, fold->rest);
}

void hlo_emit_fold_block(hlo_emitter *e, const hlo_emit_fold *fold) {
  if (fold->reduction->kind == ORDER) fill_totals(e, fold);
}

/* Folds the last terms of an ordered reduction, one by one. */
static void fold_rest(hlo_emitter *e, const hlo_emit_fold *fold) {
  const hlo_emit_reduction *r = fold->reduction;
  bool is_long = r->lanes == HLO_LANES_LONG;
  for (int half = 0; half < hlo_emit_vectors(r->lanes); half++) {
    push_term(e, fold, 0, half);
    hlo_emit_set(e, fold->totals[0]);
    for (int lane = 0; lane < (is_long ? 2 : 4); lane++) {
      hlo_emit_pair(e, fold->rest, fold->totals[0]);
      hlo_emit_simd(e, is_long ? HLO_WASM_F64X2_EXTRACT_LANE : HLO_WASM_F32X4_EXTRACT_LANE);
      hlo_wasm_lane(&e->function, lane);
      hlo_emit_op(e, (hlo_wasm_opcode)r->scalar);
      hlo_emit_set(e, fold->rest);
    }
  }
}

void hlo_emit_fold_body(hlo_emitter *e, const hlo_emit_fold *fold) {
  const hlo_emit_reduction *r = fold->reduction;
  if (r->kind == ORDER && e->rest) {
    fold_rest(e, fold);
    return;
  }
  bool extreme = r->kind == F32_MAXIMUM || r->kind == F32_MINIMUM;
  int vectors = hlo_emit_vectors(r->lanes), repeats = extreme ? 3 : 1;
  for (int q = 0; q < e->quads; q++)
    for (int half = 0; half < vectors; half++)
      for (int n = 0; n < repeats; n++) {
        int at = extreme ? n : (e->first_quad + q) % LANE_QUADS * vectors + half;
        hlo_emit_get(e, fold->totals[at]);
        push_term(e, fold, q, half);
        fold_two(e, r, n);
        hlo_emit_set(e, fold->totals[at]);
      }
}

/* totals[to] = totals[to] op totals[from] */
static void meet(hlo_emitter *e, const hlo_emit_fold *fold, int to, int from) {
  hlo_emit_pair(e, fold->totals[to], fold->totals[from]);
  fold_two(e, fold->reduction, 0);
  hlo_emit_set(e, fold->totals[to]);
}

static void halve(hlo_emitter *e, const hlo_emit_fold *fold, int to) {
  for (int n = total_count(fold->reduction) / 2; n >= to; n /= 2)
    for (int i = 0; i < n; i++) meet(e, fold, i, i + n);
}

static void push_scalar(hlo_emitter *e, int left, int right, int opcode) {
  hlo_emit_pair(e, left, right);
  hlo_emit_op(e, (hlo_wasm_opcode)opcode);
}

/* part = the sixteen lanes, folded */
static void fold_lanes(hlo_emitter *e, const hlo_emit_fold *fold) {
  const hlo_emit_reduction *r = fold->reduction;
  bool is_long = r->lanes == HLO_LANES_LONG;
  halve(e, fold, 1);
  if (!is_long) {
    hlo_emit_pair(e, fold->totals[0], fold->totals[0]);
    hlo_emit_get(e, fold->totals[0]);
    hlo_wasm_shuffle(&e->function, 2, 3, 2, 3);
    hlo_emit_simd(e, r->vector);
    hlo_emit_set(e, fold->totals[0]);
  }
  for (int lane = 0; lane < 2; lane++) {
    hlo_emit_get(e, fold->totals[0]);
    hlo_emit_simd(e, is_long ? HLO_WASM_F64X2_EXTRACT_LANE : HLO_WASM_F32X4_EXTRACT_LANE);
    hlo_wasm_lane(&e->function, lane);
  }
  hlo_emit_op(e, (hlo_wasm_opcode)r->scalar);
  hlo_emit_set(e, fold->part);
}

static int64_t block_count(const hlo_emitter *e) { return e->loop->width / 128; }

/* block: a local with the number of the block. The total of what follows the whole blocks stays in `part`. */
void hlo_emit_fold_carry(hlo_emitter *e, hlo_emit_fold *fold, int block) {
  const hlo_emit_reduction *r = fold->reduction;
  if (r->kind != ORDER) return;
  fold_lanes(e, fold);
  int64_t blocks = block_count(e);
  if (blocks == 0) return;
  hlo_emit_open(e, HLO_WASM_BLOCK);
  hlo_emit_with(e, block, (int32_t)blocks, HLO_WASM_I32_GE_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  for (int level = 0; blocks >> level; level++) {
    if (!fold->levels[level]) fold->levels[level] = hlo_emit_new(e, scalar_type(r));
    hlo_emit_with(e, block, (int32_t)1 << level, HLO_WASM_I32_AND);
    hlo_emit_op(e, HLO_WASM_I32_EQZ);
    hlo_emit_open(e, HLO_WASM_IF);
    hlo_emit_get(e, fold->part);
    hlo_emit_set(e, fold->levels[level]);
    hlo_emit_branch(e, HLO_WASM_BR, 1);
    hlo_emit_close(e);
    push_scalar(e, fold->levels[level], fold->part, r->scalar);
    hlo_emit_set(e, fold->part);
  }
  hlo_emit_close(e);
}

/* Pushes the total of the row: the blocks, lowest level first, then the terms after them. */
static void push_total(hlo_emitter *e, const hlo_emit_fold *fold) {
  const hlo_emit_reduction *r = fold->reduction;
  int64_t blocks = block_count(e), width = e->loop->width;
  bool has_part = width % 128 / 16 > 0, has_rest = width % 16 > 0;
  if (has_part && has_rest) push_scalar(e, fold->part, fold->rest, r->scalar);
  else hlo_emit_get(e, has_part ? fold->part : fold->rest);
  hlo_emit_set(e, fold->rest);
  int total = 0;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    if (total) {
      push_scalar(e, fold->levels[level], total, r->scalar);
      hlo_emit_set(e, fold->part);
      total = fold->part;
    } else {
      total = fold->levels[level];
    }
  }
  if (total && (has_part || has_rest)) push_scalar(e, total, fold->rest, r->scalar);
  else hlo_emit_get(e, total ? total : fold->rest);
}

/* Makes every lane of a vector of totals the total of all lanes. */
static void spread(hlo_emitter *e, const hlo_emit_fold *fold, int n) {
  for (int step = fold->reduction->lanes == HLO_LANES_LONG; step < 2; step++) {
    hlo_emit_pair(e, fold->totals[n], fold->totals[n]);
    hlo_emit_get(e, fold->totals[n]);
    if (step == 0 || fold->reduction->lanes == HLO_LANES_LONG) hlo_wasm_shuffle(&e->function, 2, 3, 0, 1);
    else hlo_wasm_shuffle(&e->function, 1, 0, 3, 2);
    fold_two(e, fold->reduction, n);
    hlo_emit_set(e, fold->totals[n]);
  }
}

/* Pushes the extreme. If a term has the sign that wins, the extreme is the signed maximum (or the unsigned maximum, for a minimum);
 * otherwise all terms have the other sign, and it is the unsigned minimum. */
static void push_extreme(hlo_emitter *e, const hlo_emit_fold *fold) {
  bool is_maximum = fold->reduction->kind == F32_MAXIMUM;
  int largest = fold->totals[0], highest = fold->totals[1], lowest = fold->totals[2];
  hlo_emit_constant(e, hlo_emit_twice(0x7FC00000));
  hlo_emit_pair(e, is_maximum ? lowest : highest, is_maximum ? largest : lowest);
  hlo_emit_constant(e, 0);
  hlo_emit_get(e, is_maximum ? largest : highest);
  hlo_emit_simd(e, HLO_WASM_I32X4_GT_S); /* whether it is negative as an integer */
  hlo_emit_select(e);
  hlo_emit_get(e, largest);
  hlo_emit_constant(e, hlo_emit_twice(0x7F800000));
  hlo_emit_simd(e, HLO_WASM_I32X4_GT_S);
  hlo_emit_get(e, highest);
  hlo_emit_constant(e, hlo_emit_twice(0xFF800000));
  hlo_emit_simd(e, HLO_WASM_I32X4_GT_U);
  hlo_emit_simd(e, HLO_WASM_V128_OR);
  hlo_emit_select(e);
}

void hlo_emit_fold_end(hlo_emitter *e, hlo_emit_fold *fold) {
  const hlo_emit_reduction *r = fold->reduction;
  if (r->kind == ORDER) {
    push_total(e, fold);
    hlo_emit_simd(e, r->lanes == HLO_LANES_LONG ? HLO_WASM_F64X2_SPLAT : HLO_WASM_F32X4_SPLAT);
  } else if (r->kind == NO_ORDER || r->kind == CHOICE) {
    halve(e, fold, 1);
    spread(e, fold, 0);
    hlo_emit_get(e, fold->totals[0]);
  } else {
    for (int n = 0; n < 3; n++) spread(e, fold, n);
    push_extreme(e, fold);
  }
  hlo_emit_set(e, hlo_emit_local(e, fold->value, 0, 0));
  if (r->lanes != HLO_LANES_LONG) return;
  hlo_emit_get(e, hlo_emit_local(e, fold->value, 0, 0));
  hlo_emit_set(e, hlo_emit_local(e, fold->value, 0, 1));
}

void hlo_emit_fold_columns(hlo_emitter *e, int value) {
  const hlo_fused_value *reduce = &e->loop->values[value];
  hlo_emit_fold fold = {.reduction = hlo_emit_reduction_of(reduce->reduce), .value = value, .from = reduce->from[0]};
  const hlo_emit_reduction *r = fold.reduction;
  bool extreme = r->kind == F32_MAXIMUM || r->kind == F32_MINIMUM;
  int vectors = hlo_emit_vectors(r->lanes), count = extreme ? total_count(r) : vectors;
  for (int n = 0; n < count; n++) {
    fold.totals[n] = hlo_emit_new(e, HLO_WASM_V128);
    hlo_emit_constant(e, identity_of(r));
    for (int q = 0; q < e->quads; q++) {
      push_term(e, &fold, q, extreme ? 0 : n);
      fold_two(e, r, n);
    }
    hlo_emit_set(e, fold.totals[n]);
  }
  if (extreme) push_extreme(e, &fold);
  for (int half = 0; half < vectors; half++) {
    if (!extreme) hlo_emit_get(e, fold.totals[half]);
    hlo_emit_set(e, hlo_emit_local(e, value, 0, half));
  }
}
