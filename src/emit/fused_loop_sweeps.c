/* One sweep through a row: a loop whose body has a few quads, the rest of the row, and the reductions of the sweep. */
#include "emit/emitter.h"
#include "emit/math_table.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "loops/fused_loop.h"

enum { MOST_FOLDS = 8, LONG_ROW = 256, LINE_BYTES = 64 };

/* Returns the number of quads of a body. More quads mean fewer branches, and fewer loads of constants that have no register. A sweep with math lists
 * has two steps of quads, unless they would not divide the runs of 16 elements of a block, or the row is too short. A row of 8 is one body.
 *
 * Engines without fused multiply-adds are old: V8's of that time takes the instructions of a body in no good order, so that in long bodies most
 * values are spilled. Those have fewer quads (a gradient of normal distributions takes 0.42 of the time). */
static int choose_quads(const hlo_emitter *e, bool ordered) {
  enum { LONG_BODY = 64, LONGEST_BODY = 160 };
  int64_t width = e->loop->width;
  int rows = 0;
  bool has_list = false;
  if (!ordered && width >= 8 && width < 4 * HLO_EMIT_STEP_QUADS) return HLO_EMIT_STEP_QUADS / 2;
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_fused_value *value = &e->loop->values[v];
    if (e->values[v].lanes == HLO_LANES_LONG) return HLO_EMIT_STEP_QUADS / 2;
    if (value->kind != HLO_FUSED_APPLY || value->per_row || e->values[v].sweep != e->sweep) continue;
    const hlo_math_list *list = hlo_math_list_of(value->op);
    rows += list ? list->row_count : 1;
    has_list |= list != NULL;
  }
  if (!e->fuses && !ordered && rows > LONG_BODY) return rows > LONGEST_BODY ? HLO_EMIT_STEP_QUADS / 2 : HLO_EMIT_STEP_QUADS;
  return has_list && (ordered ? width % 32 < 16 : width >= LONG_ROW) ? HLO_EMIT_QUADS : HLO_EMIT_STEP_QUADS;
}

/* ---- Bodies ---- */

/* In a body with a quad that may be partial, begins the code for a whole quad. Returns whether code for a partial quad must follow. */
static bool open_whole(hlo_emitter *e) {
  if (!e->left) return false;
  hlo_emit_with(e, e->left, 4, HLO_WASM_I32_GE_S);
  hlo_emit_open(e, HLO_WASM_IF);
  return true;
}

static void load_reversed(hlo_emitter *e, int base, int index, int64_t offset, int local) {
  hlo_emit_pair(e, base, index);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_i32(e, (int32_t)(offset - 12));
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, 0);
  hlo_emit_set(e, local);
  hlo_emit_pair(e, local, local);
  hlo_wasm_shuffle(&e->function, 3, 2, 1, 0);
  hlo_emit_set(e, local);
}

/* Loads every second word, or every third, by two vectors, of which the second one ends with the last word. */
static void load_stepping(hlo_emitter *e, int base, int index, int64_t offset, int64_t step, int local) {
  bool is_second = step == 2;
  for (int n = 0; n < 2; n++) {
    hlo_emit_pair(e, base, index);
    hlo_emit_op(e, HLO_WASM_I32_ADD);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)(offset + n * (is_second ? 12 : 24)));
  }
  hlo_wasm_shuffle(&e->function, 0, is_second ? 2 : 3, is_second ? 5 : 4, 7);
  hlo_emit_set(e, local);
}

static void load_input(hlo_emitter *e, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  hlo_lanes lanes = e->values[v].lanes;
  int base = e->values[v].pointer;
  int64_t factor = value->stride * value->bytes;
  int index = hlo_emit_index(e, (int32_t)(uint32_t)factor);
  for (int q = 0; q < e->quads; q++) {
    int64_t offset = (int64_t)(e->first_quad + q) * 4 * factor;
    int locals[2] = {hlo_emit_local(e, v, q, 0), lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    bool dense = value->stride == 1, is_word = lanes == HLO_LANES_WORD, reversed = value->stride == -1 && is_word, steps = (value->stride == 2 || value->stride == 3) && is_word;
    if (e->known || (!dense && !reversed && !steps)) {
      hlo_emit_load_lanes(e, lanes, value->bytes, base, index, offset, factor, locals);
      continue;
    }
    bool is_open = open_whole(e);
    if (dense) hlo_emit_load_quad(e, lanes, base, index, (uint32_t)offset, locals);
    else if (steps) load_stepping(e, base, index, offset, value->stride, locals[0]);
    else load_reversed(e, base, index, offset, locals[0]);
    if (!is_open) continue;
    hlo_emit_op(e, HLO_WASM_ELSE);
    hlo_emit_load_lanes(e, lanes, value->bytes, base, index, offset, factor, locals);
    hlo_emit_close(e);
  }
}

/* Loads or stores the quads of a value that is kept between sweeps; its row has whole quads. */
static void access_slot(hlo_emitter *e, int v, bool is_load) {
  int bytes = e->loop->values[v].bytes, index = hlo_emit_index(e, bytes), base = e->values[v].output < 0 ? e->scratch : e->values[v].pointer;
  for (int q = 0; q < e->quads; q++) {
    uint32_t offset = e->values[v].slot + (uint32_t)((e->first_quad + q) * 4 * bytes);
    int locals[2] = {hlo_emit_local(e, v, q, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    if (is_load) hlo_emit_load_quad(e, e->values[v].lanes, base, index, offset, locals);
    else hlo_emit_store_quad(e, e->values[v].lanes, base, index, offset, locals);
  }
}

/* Computes a value and all that it is computed from, at most HLO_FUSED_MAX_VALUES deep. */
static void compute(hlo_emitter *e, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  hlo_emit_value *info = &e->values[v];
  if (value->per_row || info->body == e->body) return;
  info->body = e->body;
  if (value->kind == HLO_FUSED_INPUT) {
    load_input(e, v);
    return;
  }
  if (info->stored && info->sweep < e->sweep) {
    access_slot(e, v, true);
    return;
  }
  for (int i = 0; i < value->arity; i++) compute(e, value->from[i]);
  hlo_emit_apply(e, v);
  if (info->stored) access_slot(e, v, false);
}

static void store_output(hlo_emitter *e, const hlo_fused_output *output, int pointer) {
  const hlo_emit_value *info = &e->values[output->value];
  int bytes = e->loop->values[output->value].bytes, index = hlo_emit_index(e, bytes);
  for (int q = 0; q < e->quads; q++) {
    const int *locals = info->locals[e->loop->values[output->value].per_row ? 0 : q];
    uint32_t offset = (uint32_t)((e->first_quad + q) * 4 * bytes);
    bool is_open = open_whole(e);
    if (!e->known) hlo_emit_store_quad(e, info->lanes, pointer, index, offset, locals);
    if (is_open) hlo_emit_op(e, HLO_WASM_ELSE);
    if (hlo_emit_is_partial(e)) hlo_emit_store_lanes(e, info->lanes, bytes, pointer, index, offset, bytes, 4, locals);
    if (is_open) hlo_emit_close(e);
  }
}

/* Fetches ahead: reads a word of each cache line of the next row, at the columns of this body. The first sweep of a row waits for memory,
 * which the second one leaves idle. */
static void touch_next_row(hlo_emitter *e) {
  hlo_emit_get(e, e->rows_left);
  hlo_emit_i32(e, 1);
  hlo_emit_op(e, HLO_WASM_I32_NE);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_fused_value *value = &e->loop->values[v];
    if (value->kind != HLO_FUSED_INPUT || e->values[v].body != e->body || value->stride != 1 || value->row_strides[0] <= 0) continue;
    int index = hlo_emit_index(e, value->bytes), begin = e->first_quad * 4 * value->bytes, end = begin + e->quads * 4 * value->bytes;
    for (int at = (begin + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES; at < end; at += LINE_BYTES) {
      hlo_emit_get(e, e->values[v].pointer);
      hlo_emit_get(e, index);
      hlo_emit_op(e, HLO_WASM_I32_ADD);
      hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)(at + value->row_strides[0] * value->bytes));
      hlo_emit_op(e, HLO_WASM_DROP);
    }
  }
  hlo_emit_close(e);
}

/* ---- Sweeps ---- */

typedef struct sweep {
  int fold_count;
  hlo_emit_fold folds[MOST_FOLDS];
  bool ordered, writes;
  const int *outputs; /* locals with addresses */
} sweep;

/* first_quad: quads before it that this iteration has had; left, known: see hlo_emitter. */
static void write_body(hlo_emitter *e, sweep *s, int first_quad, int quads, int left, int known) {
  e->body++;
  e->first_quad = first_quad;
  e->quads = quads;
  e->left = left;
  e->known = known;
  if (first_quad == 0) e->factor_count = 0;
  for (int i = 0; i < s->fold_count; i++) {
    compute(e, s->folds[i].from);
    hlo_emit_fold_body(e, &s->folds[i]);
  }
  if (e->sweep == 1 && e->rows_left && !e->rest) touch_next_row(e);
  if (!s->writes) return;
  for (int o = 0; o < e->loop->output_count; o++) compute(e, e->loop->outputs[o].value);
  for (int o = 0; o < e->loop->output_count; o++)
    if (!e->loop->values[e->loop->outputs[o].value].per_row) store_output(e, &e->loop->outputs[o], s->outputs[o]);
}

/* Closes a loop that repeats while index < end (a local), or index < constant if end is 0. */
static void loop_while(hlo_emitter *e, int index, int end, int64_t constant) {
  hlo_emit_get(e, index);
  if (end) hlo_emit_get(e, end);
  else hlo_emit_i32(e, (int32_t)constant);
  hlo_emit_op(e, HLO_WASM_I32_LT_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
}

/* Writes the runs of 16 elements of a row, in blocks of 128. */
static void write_blocks(hlo_emitter *e, sweep *s, int quads) {
  int64_t whole = e->loop->width / 16 * 16;
  if (!whole) return;
  int block = hlo_emit_new(e, HLO_WASM_I32), end = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_i32(e, 0);
  hlo_emit_set(e, block);
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int i = 0; i < s->fold_count; i++) hlo_emit_fold_block(e, &s->folds[i]);
  hlo_emit_get(e, e->index);
  hlo_emit_set(e, end);
  hlo_emit_add(e, end, 128);
  if (whole % 128) { /* end = min(end, whole) */
    hlo_emit_get(e, end);
    hlo_emit_i32(e, (int32_t)whole);
    hlo_emit_with(e, end, (int32_t)whole, HLO_WASM_I32_LT_S);
    hlo_emit_op(e, HLO_WASM_SELECT);
    hlo_emit_set(e, end);
  }
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int q = 0; q < HLO_EMIT_STEP_QUADS; q += quads) write_body(e, s, q, quads, 0, 0);
  hlo_emit_add(e, e->index, quads == HLO_EMIT_QUADS ? 32 : 16);
  loop_while(e, e->index, end, 0);
  for (int i = 0; i < s->fold_count; i++) hlo_emit_fold_carry(e, &s->folds[i], block);
  hlo_emit_add(e, block, 1);
  loop_while(e, e->index, 0, whole);
}

/* Writes a loop over as many whole bodies as fit. count: a local, or 0 for the width. */
static void write_bodies(hlo_emitter *e, sweep *s, int quads, int count) {
  int step = 4 * quads;
  int64_t width = e->loop->width;
  if (width < step) return;
  if (count) { /* the loop needs at least one */
    hlo_emit_with(e, count, step, HLO_WASM_I32_GE_S);
    hlo_emit_open(e, HLO_WASM_IF);
  }
  int end = 0;
  if (count) {
    end = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_with(e, count, -step, HLO_WASM_I32_AND);
    hlo_emit_set(e, end);
  }
  bool is_single = !count && width < 2 * step;
  if (!is_single) hlo_emit_open(e, HLO_WASM_LOOP);
  write_body(e, s, 0, quads, 0, 0);
  hlo_emit_add(e, e->index, step);
  if (!is_single) loop_while(e, e->index, end, width / step * step);
  if (count) hlo_emit_close(e);
}

/* Writes a loop over the rest of `count` elements (a local), one quad at a time; the last one may be partial. */
static void write_rest_of(hlo_emitter *e, sweep *s, int count) {
  int left = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_open(e, HLO_WASM_BLOCK);
  hlo_emit_open(e, HLO_WASM_LOOP);
  hlo_emit_pair(e, count, e->index);
  hlo_emit_op(e, HLO_WASM_I32_SUB);
  hlo_emit_set(e, left);
  hlo_emit_with(e, left, 0, HLO_WASM_I32_LE_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 1);
  write_body(e, s, 0, 1, left, 0);
  hlo_emit_add(e, e->index, 4);
  hlo_emit_branch(e, HLO_WASM_BR, 0);
  hlo_emit_close(e);
  hlo_emit_close(e);
}

/* Writes the rest of a whole row: quads, and a partial one. */
static void write_rest(hlo_emitter *e, sweep *s, int64_t done) {
  int64_t width = e->loop->width, rest = width - done;
  if (rest >= 4) {
    if (rest >= 8) hlo_emit_open(e, HLO_WASM_LOOP);
    write_body(e, s, 0, 1, 0, 0);
    hlo_emit_add(e, e->index, 4);
    if (rest >= 8) loop_while(e, e->index, 0, width / 4 * 4);
  }
  if (rest % 4) write_body(e, s, 0, 1, 0, (int)(rest % 4));
}

bool hlo_emit_sweep(hlo_emitter *e, int number, const int *outputs, int count) {
  sweep s = {.writes = number == hlo_emit_last_sweep(e), .outputs = outputs};
  e->sweep = number;
  for (int v = 0; v < e->loop->value_count; v++) {
    if (!hlo_emit_is_folded(e, v, number)) continue;
    if (s.fold_count == MOST_FOLDS) return false;
    hlo_emit_fold_begin(e, &s.folds[s.fold_count], v);
    s.ordered |= hlo_emit_reduction_ordered(s.folds[s.fold_count].reduction);
    s.fold_count++;
  }
  bool has_vectors = false;
  for (int o = 0; o < e->loop->output_count; o++) has_vectors = has_vectors || !e->loop->values[e->loop->outputs[o].value].per_row;
  if (s.fold_count == 0 && !has_vectors) return true;
  hlo_emit_i32(e, 0);
  hlo_emit_set(e, e->index);
  int quads = choose_quads(e, s.ordered);
  if (s.ordered) write_blocks(e, &s, quads);
  else write_bodies(e, &s, quads, count);
  int step = s.ordered ? 16 : 4 * quads;
  e->rest = true;
  if (count) write_rest_of(e, &s, count);
  else write_rest(e, &s, e->loop->width / step * step);
  e->rest = false;
  for (int i = 0; i < s.fold_count; i++) hlo_emit_fold_end(e, &s.folds[i]);
  return true;
}
