/* A fused loop as code: a loop over rows, and in each row a sweep for every phase: all but the last end in reductions, the last one
 * writes the outputs.
 *
 *   softmax:  sweep 0: maximum        sweep 1: exponential -> output, sum        sweep 2: output / sum -> output
 *
 * A value that a later sweep needs again is computed again if that is cheap (an input, a few instructions). Otherwise its row is kept in
 * an output, which is thereby brought into the cache before it is written, or in the scratch. */
#include "emit/fused_loop_emit.h"

#include <string.h>

#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"

enum { CHEAP = 4, DEAR = 1000, LEAST_AHEAD = 512, MOST_AHEAD = 32768, MOST_BYTES = 64 << 10, SLOT_ALIGNMENT = 64 };

const char *const hlo_emit_signatures[] = {[HLO_EMIT_LOOP_FUNCTION] = "iiiii", [HLO_EMIT_KERNEL] = "iiil", [HLO_EMIT_STEP] = "iiii",
                                           [HLO_EMIT_SHARED_STEP] = "iiiii", [HLO_EMIT_WHILE] = "iiiii:i"};

/* ---- What is needed, and where ---- */

bool hlo_emit_describe(hlo_emitter *e, const hlo_fused_loop *loop, const void *const *constants) {
  e->loop = loop;
  e->constants = constants;
  e->scratch_bytes = 0;
  e->body = 0;
  memset(e->values, 0, sizeof e->values);
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_fused_value *value = &e->loop->values[v];
    hlo_emit_value *info = &e->values[v];
    info->sweep = -1;
    info->fixed = value->per_row && value->uniform;
    const hlo_emit_reduction *reduction = value->kind == HLO_FUSED_REDUCE ? hlo_emit_reduction_of(value->reduce) : NULL;
    if (value->kind == HLO_FUSED_APPLY) info->lanes = hlo_emit_apply_lanes(value->op, &info->cost);
    else if (value->kind == HLO_FUSED_INPUT) info->lanes = hlo_emit_lanes_of_bytes(value->bytes);
    else info->lanes = reduction ? hlo_emit_reduction_lanes(reduction) : HLO_LANES_NONE;
    if (info->lanes == HLO_LANES_NONE) return false;
    for (int i = 0; i < value->arity; i++)
      if (!e->loop->values[value->from[i]].per_row && info->cost < DEAR) info->cost += e->values[value->from[i]].cost;
  }
  for (int o = 0; o < e->loop->output_count; o++) e->values[e->loop->outputs[o].value].needed = true;
  for (int v = e->loop->value_count - 1; v >= 0; v--)
    for (int i = 0; i < e->loop->values[v].arity && e->values[v].needed; i++) e->values[e->loop->values[v].from[i]].needed = true;
  return true;
}

/* Finds the sweeps of a value and of all that it is computed from. info->body notes the last sweep that was here. */
static void visit(hlo_emitter *e, int v, int sweep) {
  const hlo_fused_value *value = &e->loop->values[v];
  hlo_emit_value *info = &e->values[v];
  if (value->per_row || info->body == sweep + 1) return;
  info->body = sweep + 1;
  if (info->sweep < 0 || value->kind == HLO_FUSED_INPUT) info->sweep = sweep;
  if (value->kind == HLO_FUSED_INPUT) return;
  if (info->sweep < sweep && info->cost > CHEAP) {
    info->stored = true;
    return;
  }
  for (int i = 0; i < value->arity; i++) visit(e, value->from[i], sweep);
}

bool hlo_emit_is_folded(const hlo_emitter *e, int v, int sweep) {
  return e->values[v].needed && e->loop->values[v].kind == HLO_FUSED_REDUCE && e->loop->values[v].phase == sweep + 1;
}

int hlo_emit_last_sweep(const hlo_emitter *e) {
  int last = 0;
  for (int v = 0; v < e->loop->value_count; v++)
    if (e->values[v].needed && e->loop->values[v].phase > last) last = e->loop->values[v].phase;
  return last;
}

/* Returns whether no input is read after `v` is stored: storing it in an output may overwrite inputs that this output lies over. */
static bool outlives_inputs(const hlo_emitter *e, int v) {
  bool feeds[HLO_FUSED_MAX_VALUES] = {false};
  int sweep = e->values[v].sweep;
  feeds[v] = true;
  for (int u = e->loop->value_count - 1; u >= 0; u--) {
    const hlo_fused_value *value = &e->loop->values[u];
    const hlo_emit_value *info = &e->values[u];
    if (value->kind == HLO_FUSED_INPUT && !value->per_row && info->sweep >= sweep && (info->sweep > sweep || !feeds[u])) return false;
    for (int i = 0; i < value->arity && feeds[u] && (u == v || !info->stored); i++) feeds[value->from[i]] = true;
  }
  return true;
}

/* Returns an output with elements as large that holds no other value, for a row of whole quads; -1: there is none. */
static int output_for(const hlo_emitter *e, int v) {
  bool fits = e->loop->width % 4 == 0 && outlives_inputs(e, v);
  for (int o = 0; o < e->loop->output_count && fits; o++) {
    const hlo_fused_value *value = &e->loop->values[e->loop->outputs[o].value];
    bool is_free = !value->per_row && value->bytes == e->loop->values[v].bytes;
    for (int u = 0; u < v; u++) is_free &= !e->values[u].stored || e->values[u].output != o;
    if (is_free) return o;
  }
  return -1;
}

static void place_sweeps(hlo_emitter *e) {
  int last = hlo_emit_last_sweep(e);
  for (int s = 0; s <= last; s++) {
    for (int v = 0; v < e->loop->value_count; v++)
      if (hlo_emit_is_folded(e, v, s)) visit(e, e->loop->values[v].from[0], s);
    for (int o = 0; o < e->loop->output_count && s == last; o++) visit(e, e->loop->outputs[o].value, s);
  }
  for (int v = 0; v < e->loop->value_count; v++) {
    e->values[v].body = 0;
    if (!e->values[v].stored) continue;
    e->values[v].output = output_for(e, v);
    if (e->values[v].output >= 0) continue;
    uint64_t bytes = ((uint64_t)e->loop->width + 3) / 4 * 4 * e->loop->values[v].bytes;
    e->values[v].slot = e->scratch_bytes;
    e->scratch_bytes += (uint32_t)((bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT);
  }
}

/* ---- Values of a row ---- */

static void write_row_value(hlo_emitter *e, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  int locals[2] = {hlo_emit_local(e, v, 0, 0), e->values[v].lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, 0, 1) : 0};
  e->quads = 1;
  e->left = e->known = 0;
  uint64_t bits;
  if (value->kind == HLO_FUSED_APPLY) {
    hlo_emit_apply(e, v);
  } else if (value->bytes <= 4 && hlo_emit_known(e, v, &bits)) {
    hlo_emit_constant(e, hlo_emit_twice((uint32_t)bits));
    hlo_emit_set(e, locals[0]);
  } else {
    hlo_emit_load_splat(e, e->values[v].lanes, e->values[v].pointer, 0, locals);
  }
}

/* Computes the per-row values of a phase, or those that are fixed. */
static void write_row_values(hlo_emitter *e, bool fixed, int phase) {
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_fused_value *value = &e->loop->values[v];
    if (!value->per_row || !e->values[v].needed || value->kind == HLO_FUSED_REDUCE || e->values[v].fixed != fixed) continue;
    if (fixed || value->phase == phase) write_row_value(e, v);
  }
}

static bool write_row(hlo_emitter *e, const int *outputs, int count) {
  int last = hlo_emit_last_sweep(e);
  for (int s = 0; s <= last; s++) {
    write_row_values(e, false, s);
    if (!hlo_emit_sweep(e, s, outputs, count)) return false;
  }
  for (int o = 0; o < e->loop->output_count; o++) {
    int v = e->loop->outputs[o].value;
    if (!e->loop->values[v].per_row) continue;
    e->left = e->known = 0;
    hlo_emit_store_lanes(e, e->values[v].lanes, e->loop->values[v].bytes, outputs[o], 0, 0, 0, 1, e->values[v].locals[0]);
  }
  return true;
}

/* ---- Rows ---- */

typedef struct row_walk {
  int row, rows_left;           /* locals */
  int indices[HLO_FUSED_MAX_DIMS]; /* locals, by dimension, if there are several */
  int outputs[HLO_FUSED_MAX_OUTPUTS];
} row_walk;

/* Loads a member of hlo_fused_region, which has 64 bits; the low 32 are enough for memory of 32-bit addresses. */
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
  hlo_emit_with(e, other, (int32_t)(uint32_t)factor, HLO_WASM_I32_MUL);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, local);
}

/* Loads an address. known: locals with the addresses; NULL: they lie in the array at `array`, a local. */
static int load_pointer(hlo_emitter *e, const int *known, int array, int number, int64_t bytes) {
  int local = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_get(e, known ? known[number] : array);
  if (!known) hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)number * 4);
  hlo_emit_set(e, local);
  hlo_emit_add(e, local, (int32_t)(uint32_t)bytes);
  return local;
}

static bool is_input(const hlo_emitter *e, int v) { return e->values[v].needed && e->loop->values[v].kind == HLO_FUSED_INPUT; }

/* indices[d] = row / (product of the dims after d) % dims[d] */
static void split_row(hlo_emitter *e, row_walk *walk) {
  int64_t behind = 1;
  for (int d = e->loop->dim_count - 1; d >= 0; behind *= e->loop->dims[d], d--) {
    walk->indices[d] = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_with(e, walk->row, (int32_t)behind, HLO_WASM_I32_DIV_U);
    hlo_emit_i32(e, (int32_t)e->loop->dims[d]);
    hlo_emit_op(e, HLO_WASM_I32_REM_U);
    hlo_emit_set(e, walk->indices[d]);
  }
}

/* Finds the addresses of the first row and column of the part. */
static void start_pointers(hlo_emitter *e, row_walk *walk, int column) {
  const hlo_fused_loop *loop = e->loop;
  if (loop->rows > 1) split_row(e, walk);
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_fused_value *value = &loop->values[v];
    if (!is_input(e, v)) continue;
    int pointer = e->values[v].pointer = load_pointer(e, e->operands, HLO_EMIT_OPERANDS, value->operand, value->offset * value->bytes);
    for (int d = 0; d < loop->dim_count && loop->rows > 1; d++) add_product(e, pointer, walk->indices[d], value->row_strides[d] * value->bytes);
    if (column && !value->per_row) add_product(e, pointer, column, value->stride * value->bytes);
  }
  for (int o = 0; o < loop->output_count; o++) {
    const hlo_fused_value *value = &loop->values[loop->outputs[o].value];
    int pointer = walk->outputs[o] = load_pointer(e, e->results, HLO_EMIT_RESULTS, o, 0);
    if (loop->rows > 1) add_product(e, pointer, walk->row, loop->outputs[o].row_stride * value->bytes);
    if (column && !value->per_row) add_product(e, pointer, column, value->bytes);
  }
  for (int v = 0; v < loop->value_count; v++)
    if (e->values[v].stored && e->values[v].output >= 0) e->values[v].pointer = walk->outputs[e->values[v].output];
}

/* Moves all addresses on by so many rows of the last dimension: counts the last index up, with carries to those before. */
static void advance(hlo_emitter *e, const row_walk *walk, int rows) {
  const hlo_fused_loop *loop = e->loop;
  for (int o = 0; o < loop->output_count; o++)
    hlo_emit_add(e, walk->outputs[o], (int32_t)(rows * loop->outputs[o].row_stride * loop->values[loop->outputs[o].value].bytes));
  hlo_emit_open(e, HLO_WASM_BLOCK);
  for (int d = loop->dim_count - 1; d >= 0; d--, rows = 1) {
    for (int v = 0; v < loop->value_count; v++)
      if (is_input(e, v)) hlo_emit_add(e, e->values[v].pointer, (int32_t)(uint32_t)(rows * loop->values[v].row_strides[d] * loop->values[v].bytes));
    if (d == 0) break;
    hlo_emit_add(e, walk->indices[d], rows);
    hlo_emit_with(e, walk->indices[d], (int32_t)loop->dims[d], HLO_WASM_I32_NE);
    hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
    hlo_emit_i32(e, 0);
    hlo_emit_set(e, walk->indices[d]);
    for (int v = 0; v < loop->value_count; v++)
      if (is_input(e, v))
        hlo_emit_add(e, e->values[v].pointer, (int32_t)(uint32_t)-(loop->dims[d] * loop->values[v].row_strides[d] * loop->values[v].bytes));
  }
  hlo_emit_close(e);
}

/* Counts rows that are done, and goes on with the loop `depth` blocks around if any are left. */
static void go_on(hlo_emitter *e, const row_walk *walk, int rows, uint32_t depth) {
  hlo_emit_add(e, walk->rows_left, -rows);
  hlo_emit_get(e, walk->rows_left);
  hlo_emit_open(e, HLO_WASM_IF);
  advance(e, walk, rows);
  hlo_emit_branch(e, HLO_WASM_BR, depth + 1);
  hlo_emit_close(e);
}

/* Pushes whether four whole rows of the last dimension are left. count: a local with the columns of the part, or 0 for all. */
static void push_has_four(hlo_emitter *e, const row_walk *walk, int count) {
  int last = e->loop->dim_count - 1;
  hlo_emit_with(e, walk->rows_left, HLO_EMIT_SHORT_ROWS, HLO_WASM_I32_GE_S);
  if (last > 0) {
    hlo_emit_with(e, walk->indices[last], (int32_t)e->loop->dims[last] - HLO_EMIT_SHORT_ROWS, HLO_WASM_I32_LE_S);
    hlo_emit_op(e, HLO_WASM_I32_AND);
  }
  if (!count) return;
  hlo_emit_with(e, count, (int32_t)e->loop->width, HLO_WASM_I32_EQ);
  hlo_emit_op(e, HLO_WASM_I32_AND);
}

/* Writes the loop over rows, from walk->row on. */
static bool write_rows(hlo_emitter *e, row_walk *walk, int column, int count) {
  e->rows_left = e->loop->dim_count == 1 && e->loop->width >= LEAST_AHEAD && e->loop->width <= MOST_AHEAD ? walk->rows_left : 0;
  hlo_emit_prepare_calls(e);
  start_pointers(e, walk, column);
  write_row_values(e, true, 0);
  if (e->loop->rows == 1) return write_row(e, walk->outputs, count);
  bool is_short = hlo_emit_has_short_rows(e);
  hlo_emit_open(e, HLO_WASM_LOOP);
  if (is_short) {
    push_has_four(e, walk, count);
    hlo_emit_open(e, HLO_WASM_IF);
    hlo_emit_short_rows(e, walk->outputs);
    go_on(e, walk, HLO_EMIT_SHORT_ROWS, 1);
    hlo_emit_op(e, HLO_WASM_ELSE);
  }
  if (!write_row(e, walk->outputs, count)) return false;
  go_on(e, walk, 1, is_short);
  if (is_short) hlo_emit_close(e);
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
    hlo_emit_i32(e, 0);
    hlo_emit_set(e, walk.row);
    hlo_emit_i32(e, (int32_t)e->loop->rows);
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

int hlo_emit_loop(const hlo_fused_loop *loop, const void *const *constants, hlo_wasm_module *module, hlo_status *status) {
  hlo_emitter e = {.status = status, .scratch = HLO_EMIT_SCRATCH, .fuses = module->fuses};
  if (!hlo_emit_describe(&e, loop, constants)) return -1;
  hlo_wasm_begin(&e.function, HLO_EMIT_PARAMETER_COUNT, status);
  int number = write_function(&e) ? hlo_wasm_module_add(module, &e.function, HLO_EMIT_LOOP_FUNCTION) : -1;
  hlo_wasm_free(&e.function);
  return number;
}
