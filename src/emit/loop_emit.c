/* A loop program as code: rows; in each, one sweep for every phase that ends in reductions, and the last one, which writes.
 *
 *   softmax:  sweep 0: maximum        sweep 1: exponential -> scratch, sum       sweep 2: scratch / sum -> output
 *
 * What a later sweep needs again is computed again where that is cheap (reading an input, a few instructions), else kept in a row of
 * the scratch. */
#include "emit/loop_emit.h"

#include <string.h>

#include "emit/emitter.h"

enum { CHEAP = 4, MOST_BYTES = 64 << 10, MOST_FOLDS = 8, SLOT_ALIGNMENT = 64 };

const char *const hlo_emit_signatures[] = {[HLO_EMIT_LOOP_FUNCTION] = "iiiii", [HLO_EMIT_KERNEL] = "iiil", [HLO_EMIT_STEP] = "iiii",
                                           [HLO_EMIT_WHILE] = "iiiii:i"};

/* ---- Shorthands ---- */

void hlo_emit_add(hlo_emitter *e, int local, int32_t value) {
  if (!value) return;
  hlo_emit_get(e, local);
  hlo_wasm_i32(&e->function, value);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, local);
}

void hlo_emit_constant(hlo_emitter *e, uint64_t bits) {
  int n = 0;
  while (n < e->constant_count && e->constants_bits[n] != bits) n++;
  if (!bits || n == HLO_EMIT_CONSTANTS) {
    hlo_wasm_v128(&e->function, bits);
    return;
  }
  if (n == e->constant_count) {
    hlo_writer *code = e->function.code;
    e->constants_bits[n] = bits;
    e->constant_locals[n] = hlo_emit_new(e, HLO_WASM_V128);
    e->function.code = &e->function.hoisted;
    hlo_wasm_v128(&e->function, bits);
    hlo_emit_set(e, e->constant_locals[n]);
    e->function.code = code;
    e->constant_count++;
  }
  hlo_emit_get(e, e->constant_locals[n]);
}

int hlo_emit_local(hlo_emitter *e, int value, int quad, int half) {
  int *local = &e->values[value].locals[quad][half];
  if (!*local) *local = hlo_emit_new(e, HLO_WASM_V128);
  return *local;
}

/* ---- What is needed, and where ---- */

bool hlo_emit_describe(hlo_emitter *e, const hlo_loop *loop, const void *const *constants) {
  e->loop = loop;
  e->constants = constants;
  e->scratch_bytes = 0;
  e->body = 0;
  memset(e->values, 0, sizeof e->values);
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_loop_value *value = &e->loop->values[v];
    hlo_emit_value *info = &e->values[v];
    info->sweep = -1;
    info->fixed = value->per_row && value->uniform;
    const hlo_emit_reduction *reduction = value->kind == HLO_LOOP_REDUCE ? hlo_emit_reduction_of(value->reduce) : NULL;
    if (value->kind == HLO_LOOP_APPLY) info->lanes = hlo_emit_apply_lanes(value, &info->cost);
    else if (value->kind == HLO_LOOP_INPUT) info->lanes = hlo_emit_lanes_of_bytes(value->bytes);
    else info->lanes = reduction ? hlo_emit_reduction_lanes(reduction) : HLO_LANES_NONE;
    if (info->lanes == HLO_LANES_NONE) return false;
    for (int i = 0; i < value->arity; i++)
      if (!e->loop->values[value->from[i]].per_row) info->cost += e->values[value->from[i]].cost;
  }
  for (int o = 0; o < e->loop->output_count; o++) e->values[e->loop->outputs[o].value].needed = true;
  for (int v = e->loop->value_count - 1; v >= 0; v--)
    for (int i = 0; i < e->loop->values[v].arity && e->values[v].needed; i++) e->values[e->loop->values[v].from[i]].needed = true;
  return true;
}

/* `body` says which sweep has been here. */
static void visit(hlo_emitter *e, int v, int sweep) {
  const hlo_loop_value *value = &e->loop->values[v];
  hlo_emit_value *info = &e->values[v];
  if (value->per_row || info->body == sweep + 1) return;
  info->body = sweep + 1;
  if (value->kind == HLO_LOOP_INPUT) return;
  if (info->sweep < 0) info->sweep = sweep;
  if (info->sweep < sweep && info->cost > CHEAP) {
    info->stored = true;
    return;
  }
  for (int i = 0; i < value->arity; i++) visit(e, value->from[i], sweep);
}

static bool is_folded(const hlo_emitter *e, int v, int sweep) {
  return e->values[v].needed && e->loop->values[v].kind == HLO_LOOP_REDUCE && e->loop->values[v].phase == sweep + 1;
}

static int last_sweep(const hlo_emitter *e) {
  int last = 0;
  for (int v = 0; v < e->loop->value_count; v++)
    if (e->values[v].needed && e->loop->values[v].phase > last) last = e->loop->values[v].phase;
  return last;
}

static void place_sweeps(hlo_emitter *e) {
  int last = last_sweep(e);
  for (int s = 0; s <= last; s++) {
    for (int v = 0; v < e->loop->value_count; v++)
      if (is_folded(e, v, s)) visit(e, e->loop->values[v].from[0], s);
    for (int o = 0; o < e->loop->output_count && s == last; o++) visit(e, e->loop->outputs[o].value, s);
  }
  for (int v = 0; v < e->loop->value_count; v++) {
    e->values[v].body = 0;
    if (!e->values[v].stored) continue;
    uint64_t bytes = ((uint64_t)e->loop->width + 3) / 4 * 4 * e->loop->values[v].bytes;
    e->values[v].slot = e->scratch_bytes;
    e->scratch_bytes += (uint32_t)((bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT);
  }
}

/* How many quads a body has: many hide the loop, and share the loads of constants that have no register. */
static int choose_quads(const hlo_emitter *e) {
  for (int v = 0; v < e->loop->value_count; v++)
    if (e->values[v].lanes == HLO_LANES_LONG) return HLO_EMIT_QUADS / 2;
  return HLO_EMIT_QUADS;
}

/* ---- Bodies ---- */

/* In a body that may be partial, what follows is for whole quads; true, then, if something must follow for others. */
static bool open_whole(hlo_emitter *e) {
  if (!e->left) return false;
  hlo_emit_get(e, e->left);
  hlo_wasm_i32(&e->function, 4);
  hlo_emit_op(e, HLO_WASM_I32_GE_S);
  hlo_emit_open(e, HLO_WASM_IF);
  return true;
}

static void load_reversed(hlo_emitter *e, int base, int index, int64_t offset, int local) {
  hlo_emit_get(e, base);
  hlo_emit_get(e, index);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_wasm_i32(&e->function, (int32_t)(offset - 12));
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, 0);
  hlo_emit_set(e, local);
  hlo_emit_get(e, local);
  hlo_emit_get(e, local);
  hlo_wasm_shuffle(&e->function, 3, 2, 1, 0);
  hlo_emit_set(e, local);
}

static void load_input(hlo_emitter *e, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  hlo_lanes lanes = e->values[v].lanes;
  int base = e->values[v].pointer;
  int64_t factor = value->stride * value->bytes;
  int index = hlo_emit_index(e, (int32_t)(uint32_t)factor);
  for (int q = 0; q < e->quads; q++) {
    int64_t offset = (int64_t)(e->first_quad + q) * 4 * factor;
    int locals[2] = {hlo_emit_local(e, v, q, 0), lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    bool dense = value->stride == 1, reversed = value->stride == -1 && lanes == HLO_LANES_WORD;
    if (e->known || (!dense && !reversed)) {
      hlo_emit_load_lanes(e, lanes, value->bytes, base, index, offset, factor, locals);
      continue;
    }
    bool is_open = open_whole(e);
    if (dense) hlo_emit_load_quad(e, lanes, base, index, (uint32_t)offset, locals);
    else load_reversed(e, base, index, offset, locals[0]);
    if (!is_open) continue;
    hlo_emit_op(e, HLO_WASM_ELSE);
    hlo_emit_load_lanes(e, lanes, value->bytes, base, index, offset, factor, locals);
    hlo_emit_close(e);
  }
}

/* A row of the scratch: whole quads always. */
static void access_slot(hlo_emitter *e, int v, bool is_load) {
  int bytes = e->loop->values[v].bytes, index = hlo_emit_index(e, bytes);
  for (int q = 0; q < e->quads; q++) {
    uint32_t offset = e->values[v].slot + (uint32_t)((e->first_quad + q) * 4 * bytes);
    int locals[2] = {hlo_emit_local(e, v, q, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    if (is_load) hlo_emit_load_quad(e, e->values[v].lanes, e->scratch, index, offset, locals);
    else hlo_emit_store_quad(e, e->values[v].lanes, e->scratch, index, offset, locals);
  }
}

/* Recursion ends after HLO_LOOP_MAX_VALUES. */
static void compute(hlo_emitter *e, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  hlo_emit_value *info = &e->values[v];
  if (value->per_row || info->body == e->body) return;
  info->body = e->body;
  if (value->kind == HLO_LOOP_INPUT) {
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

static void store_output(hlo_emitter *e, const hlo_loop_output *output, int pointer) {
  const hlo_emit_value *info = &e->values[output->value];
  int bytes = e->loop->values[output->value].bytes, index = hlo_emit_index(e, bytes);
  for (int q = 0; q < e->quads; q++) {
    const int *locals = info->locals[e->loop->values[output->value].per_row ? 0 : q];
    uint32_t offset = (uint32_t)((e->first_quad + q) * 4 * bytes);
    bool is_open = open_whole(e);
    if (!e->known) hlo_emit_store_quad(e, info->lanes, pointer, index, offset, locals);
    if (is_open) hlo_emit_op(e, HLO_WASM_ELSE);
    if (hlo_emit_is_partial(e)) hlo_emit_store_lanes(e, info->lanes, bytes, pointer, index, offset, 4, locals);
    if (is_open) hlo_emit_close(e);
  }
}

/* ---- Sweeps ---- */

typedef struct sweep {
  int fold_count;
  hlo_emit_fold folds[MOST_FOLDS];
  bool ordered, writes;
  const int *outputs; /* locals with their addresses */
} sweep;

/* left, known: see hlo_emitter. */
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
  if (!s->writes) return;
  for (int o = 0; o < e->loop->output_count; o++) compute(e, e->loop->outputs[o].value);
  for (int o = 0; o < e->loop->output_count; o++)
    if (!e->loop->values[e->loop->outputs[o].value].per_row) store_output(e, &e->loop->outputs[o], s->outputs[o]);
}

/* Goes back to the loop while index < end, or index < the constant. */
static void loop_while(hlo_emitter *e, int index, int end, int64_t constant) {
  hlo_emit_get(e, index);
  if (end) hlo_emit_get(e, end);
  else hlo_wasm_i32(&e->function, (int32_t)constant);
  hlo_emit_op(e, HLO_WASM_I32_LT_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
}

/* The sixteens of a row, in blocks of 128. */
static void write_blocks(hlo_emitter *e, sweep *s, int quads) {
  int64_t whole = e->loop->width / 16 * 16;
  if (!whole) return;
  int block = hlo_emit_new(e, HLO_WASM_I32), end = hlo_emit_new(e, HLO_WASM_I32);
  hlo_wasm_i32(&e->function, 0);
  hlo_emit_set(e, block);
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int i = 0; i < s->fold_count; i++) hlo_emit_fold_block(e, &s->folds[i]);
  hlo_emit_get(e, e->index);
  hlo_emit_set(e, end);
  hlo_emit_add(e, end, 128);
  if (whole % 128) { /* end = min(end, whole) */
    hlo_emit_get(e, end);
    hlo_wasm_i32(&e->function, (int32_t)whole);
    hlo_emit_get(e, end);
    hlo_wasm_i32(&e->function, (int32_t)whole);
    hlo_emit_op(e, HLO_WASM_I32_LT_S);
    hlo_emit_op(e, HLO_WASM_SELECT);
    hlo_emit_set(e, end);
  }
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int q = 0; q < 4; q += quads) write_body(e, s, q, quads, 0, 0);
  hlo_emit_add(e, e->index, 16);
  loop_while(e, e->index, end, 0);
  for (int i = 0; i < s->fold_count; i++) hlo_emit_fold_carry(e, &s->folds[i], block);
  hlo_emit_add(e, block, 1);
  loop_while(e, e->index, 0, whole);
}

/* As many whole bodies as fit. count: a local, or 0: the width. */
static void write_bodies(hlo_emitter *e, sweep *s, int quads, int count) {
  int step = 4 * quads;
  int64_t width = e->loop->width;
  if (width < step) return;
  if (count) { /* at least one must fit */
    hlo_emit_get(e, count);
    hlo_wasm_i32(&e->function, step);
    hlo_emit_op(e, HLO_WASM_I32_GE_S);
    hlo_emit_open(e, HLO_WASM_IF);
  }
  int end = 0;
  if (count) {
    end = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_get(e, count);
    hlo_wasm_i32(&e->function, -step);
    hlo_emit_op(e, HLO_WASM_I32_AND);
    hlo_emit_set(e, end);
  }
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_body(e, s, 0, quads, 0, 0);
  hlo_emit_add(e, e->index, step);
  loop_while(e, e->index, end, width / step * step);
  if (count) hlo_emit_close(e);
}

/* What is left of `count` elements, a quad at a time; the last one may be partial. */
static void write_rest_of(hlo_emitter *e, sweep *s, int count) {
  int left = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_open(e, HLO_WASM_BLOCK);
  hlo_emit_open(e, HLO_WASM_LOOP);
  hlo_emit_get(e, count);
  hlo_emit_get(e, e->index);
  hlo_emit_op(e, HLO_WASM_I32_SUB);
  hlo_emit_set(e, left);
  hlo_emit_get(e, left);
  hlo_wasm_i32(&e->function, 0);
  hlo_emit_op(e, HLO_WASM_I32_LE_S);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 1);
  write_body(e, s, 0, 1, left, 0);
  hlo_emit_add(e, e->index, 4);
  hlo_emit_branch(e, HLO_WASM_BR, 0);
  hlo_emit_close(e);
  hlo_emit_close(e);
}

/* What is left of a whole row: quads, and a partial one. */
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

static bool write_sweep(hlo_emitter *e, int number, const int *outputs, int count) {
  sweep s = {.writes = number == last_sweep(e), .outputs = outputs};
  e->sweep = number;
  for (int v = 0; v < e->loop->value_count; v++) {
    if (!is_folded(e, v, number)) continue;
    if (s.fold_count == MOST_FOLDS) return false;
    hlo_emit_fold_begin(e, &s.folds[s.fold_count], v);
    s.ordered |= hlo_emit_reduction_ordered(s.folds[s.fold_count].reduction);
    s.fold_count++;
  }
  bool has_vectors = false;
  for (int o = 0; o < e->loop->output_count; o++) has_vectors = has_vectors || !e->loop->values[e->loop->outputs[o].value].per_row;
  if (s.fold_count == 0 && !has_vectors) return true;
  hlo_wasm_i32(&e->function, 0);
  hlo_emit_set(e, e->index);
  int quads = choose_quads(e);
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

/* ---- Values of a row ---- */

static void write_row_value(hlo_emitter *e, int v) {
  const hlo_loop_value *value = &e->loop->values[v];
  int locals[2] = {hlo_emit_local(e, v, 0, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, 0, 1) : 0};
  e->quads = 1;
  e->left = e->known = 0;
  uint32_t bits = 0;
  if (value->kind == HLO_LOOP_APPLY) {
    hlo_emit_apply(e, v);
  } else if (value->bytes <= 4 && hlo_emit_known(e, v, &bits)) {
    hlo_emit_constant(e, hlo_emit_twice(bits));
    hlo_emit_set(e, locals[0]);
  } else {
    hlo_emit_load_splat(e, e->values[v].lanes, e->values[v].pointer, 0, locals);
  }
}

/* Those of a phase, or the fixed ones. */
static void write_row_values(hlo_emitter *e, bool fixed, int phase) {
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_loop_value *value = &e->loop->values[v];
    if (!value->per_row || !e->values[v].needed || value->kind == HLO_LOOP_REDUCE || e->values[v].fixed != fixed) continue;
    if (fixed || value->phase == phase) write_row_value(e, v);
  }
}

static bool write_row(hlo_emitter *e, const int *outputs, int count) {
  int last = last_sweep(e);
  for (int s = 0; s <= last; s++) {
    write_row_values(e, false, s);
    if (!write_sweep(e, s, outputs, count)) return false;
  }
  for (int o = 0; o < e->loop->output_count; o++) {
    int v = e->loop->outputs[o].value;
    if (!e->loop->values[v].per_row) continue;
    e->left = e->known = 0;
    hlo_emit_store_lanes(e, e->values[v].lanes, e->loop->values[v].bytes, outputs[o], 0, 0, 1, e->values[v].locals[0]);
  }
  return true;
}

/* ---- Rows ---- */

typedef struct row_walk {
  int row, rows_left;           /* locals */
  int indices[HLO_LOOP_MAX_DIMS]; /* of the row, where there are several dimensions */
  int outputs[HLO_LOOP_MAX_OUTPUTS];
} row_walk;

/* Parts of hlo_loop_part are 64 bits wide, of which the low 32 are enough here. */
static int load_part(hlo_emitter *e, uint32_t offset) {
  int local = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_get(e, HLO_EMIT_PART);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, offset);
  hlo_emit_set(e, local);
  return local;
}

/* local += other * factor */
static void add_product(hlo_emitter *e, int local, int other, int64_t factor) {
  if (!factor) return;
  hlo_emit_get(e, local);
  hlo_emit_get(e, other);
  hlo_wasm_i32(&e->function, (int32_t)(uint32_t)factor);
  hlo_emit_op(e, HLO_WASM_I32_MUL);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, local);
}

/* known: addresses by number, as locals; or NULL, then they lie in the array. */
static int load_pointer(hlo_emitter *e, const int *known, int array, int number, int64_t bytes) {
  int local = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_get(e, known ? known[number] : array);
  if (!known) hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)number * 4);
  hlo_emit_set(e, local);
  hlo_emit_add(e, local, (int32_t)(uint32_t)bytes);
  return local;
}

static bool is_input(const hlo_emitter *e, int v) { return e->values[v].needed && e->loop->values[v].kind == HLO_LOOP_INPUT; }

/* indices[d] = row / (dims behind d) % dims[d] */
static void split_row(hlo_emitter *e, row_walk *walk) {
  int64_t behind = 1;
  for (int d = e->loop->dim_count - 1; d >= 0; behind *= e->loop->dims[d], d--) {
    walk->indices[d] = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_get(e, walk->row);
    hlo_wasm_i32(&e->function, (int32_t)behind);
    hlo_emit_op(e, HLO_WASM_I32_DIV_U);
    hlo_wasm_i32(&e->function, (int32_t)e->loop->dims[d]);
    hlo_emit_op(e, HLO_WASM_I32_REM_U);
    hlo_emit_set(e, walk->indices[d]);
  }
}

/* Addresses of the first row and column of the part. */
static void start_pointers(hlo_emitter *e, row_walk *walk, int column) {
  const hlo_loop *loop = e->loop;
  if (loop->rows > 1) split_row(e, walk);
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_loop_value *value = &loop->values[v];
    if (!is_input(e, v)) continue;
    int pointer = e->values[v].pointer = load_pointer(e, e->operands, HLO_EMIT_OPERANDS, value->operand, value->offset * value->bytes);
    for (int d = 0; d < loop->dim_count && loop->rows > 1; d++) add_product(e, pointer, walk->indices[d], value->row_strides[d] * value->bytes);
    if (column && !value->per_row) add_product(e, pointer, column, value->stride * value->bytes);
  }
  for (int o = 0; o < loop->output_count; o++) {
    const hlo_loop_value *value = &loop->values[loop->outputs[o].value];
    int pointer = walk->outputs[o] = load_pointer(e, e->results, HLO_EMIT_RESULTS, o, 0);
    if (loop->rows > 1) add_product(e, pointer, walk->row, loop->outputs[o].row_stride * value->bytes);
    if (column && !value->per_row) add_product(e, pointer, column, value->bytes);
  }
}

/* Moves all addresses to the next row: the last index counts, and carries to those before. */
static void advance(hlo_emitter *e, const row_walk *walk) {
  const hlo_loop *loop = e->loop;
  for (int o = 0; o < loop->output_count; o++)
    hlo_emit_add(e, walk->outputs[o], (int32_t)(loop->outputs[o].row_stride * loop->values[loop->outputs[o].value].bytes));
  hlo_emit_open(e, HLO_WASM_BLOCK);
  for (int d = loop->dim_count - 1; d >= 0; d--) {
    for (int v = 0; v < loop->value_count; v++)
      if (is_input(e, v)) hlo_emit_add(e, e->values[v].pointer, (int32_t)(uint32_t)(loop->values[v].row_strides[d] * loop->values[v].bytes));
    if (d == 0) break;
    hlo_emit_add(e, walk->indices[d], 1);
    hlo_emit_get(e, walk->indices[d]);
    hlo_wasm_i32(&e->function, (int32_t)loop->dims[d]);
    hlo_emit_op(e, HLO_WASM_I32_NE);
    hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
    hlo_wasm_i32(&e->function, 0);
    hlo_emit_set(e, walk->indices[d]);
    for (int v = 0; v < loop->value_count; v++)
      if (is_input(e, v))
        hlo_emit_add(e, e->values[v].pointer, (int32_t)(uint32_t)-(loop->dims[d] * loop->values[v].row_strides[d] * loop->values[v].bytes));
  }
  hlo_emit_close(e);
}

/* All rows from the one that the walk is at. */
static bool write_rows(hlo_emitter *e, row_walk *walk, int column, int count) {
  hlo_emit_prepare_calls(e);
  start_pointers(e, walk, column);
  write_row_values(e, true, 0);
  if (e->loop->rows > 1) hlo_emit_open(e, HLO_WASM_LOOP);
  if (!write_row(e, walk->outputs, count)) return false;
  if (e->loop->rows == 1) return true;
  hlo_emit_add(e, walk->rows_left, -1);
  hlo_emit_get(e, walk->rows_left);
  hlo_emit_open(e, HLO_WASM_IF);
  advance(e, walk);
  hlo_emit_branch(e, HLO_WASM_BR, 1);
  hlo_emit_close(e);
  hlo_emit_close(e);
  return true;
}

static bool is_within_bounds(const hlo_emitter *e) {
  return e->scratch_bytes <= e->loop->scratch_bytes && hlo_wasm_size(&e->function) <= MOST_BYTES && hlo_ok(e->status);
}

bool hlo_emit_inline(hlo_emitter *e) {
  row_walk walk = {0};
  place_sweeps(e);
  e->index = hlo_emit_new(e, HLO_WASM_I32);
  if (e->loop->rows > 1) {
    walk.row = hlo_emit_new(e, HLO_WASM_I32);
    walk.rows_left = hlo_emit_new(e, HLO_WASM_I32);
    hlo_wasm_i32(&e->function, 0);
    hlo_emit_set(e, walk.row);
    hlo_wasm_i32(&e->function, (int32_t)e->loop->rows);
    hlo_emit_set(e, walk.rows_left);
  }
  return write_rows(e, &walk, 0, 0) && is_within_bounds(e);
}

static bool write_function(hlo_emitter *e) {
  row_walk walk = {0};
  bool whole_rows = e->loop->has_reductions;
  place_sweeps(e);
  e->index = hlo_emit_new(e, HLO_WASM_I32);
  walk.row = load_part(e, 0);
  walk.rows_left = load_part(e, 8);
  int column = whole_rows ? 0 : load_part(e, 16), count = whole_rows ? 0 : load_part(e, 24);
  return write_rows(e, &walk, column, count) && is_within_bounds(e);
}

int hlo_emit_loop(const hlo_loop *loop, const void *const *constants, hlo_wasm_module *module, hlo_status *status) {
  hlo_emitter e = {.status = status, .scratch = HLO_EMIT_SCRATCH};
  hlo_emit_program program;
  if (!hlo_emit_widen(loop, &program) || !hlo_emit_describe(&e, &program.loop, constants)) return -1;
  hlo_wasm_begin(&e.function, HLO_EMIT_PARAMETER_COUNT, status);
  int number = write_function(&e) ? hlo_wasm_module_add(module, &e.function, HLO_EMIT_LOOP_FUNCTION) : -1;
  hlo_wasm_free(&e.function);
  return number;
}
