/* Short rows: four rows are computed at once. A quad then holds one element of each row, so that a value has a quad for every column, and a value per
 * row has one quad; a reduction folds columns, one after another. */
#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "loops/fused_loop.h"

enum { ROWS = HLO_EMIT_SHORT_ROWS, MOST_COLUMNS = 3, VECTOR_BYTES = 16 };

bool hlo_emit_has_short_rows(const hlo_emitter *e) {
  const hlo_fused_loop *loop = e->loop;
  return loop->width > 1 && loop->width <= MOST_COLUMNS && loop->dims[loop->dim_count - 1] >= ROWS;
}

/* Sets a local to four words of some others: word n comes from lane `lanes[n]` of sources[from[n]]. */
static void merge(hlo_emitter *e, const int *sources, const int from[4], const int lanes[4], int to) {
  int merged[4], first = from[0];
  for (int n = 0; n < 4; n++) merged[n] = from[n] == first ? lanes[n] : 0;
  for (int source = 0, left = sources[first]; source < e->loop->width; source++) {
    int chosen[4];
    if (source == first) continue;
    for (int n = 0; n < 4; n++) chosen[n] = from[n] == source ? 4 + lanes[n] : merged[n];
    hlo_emit_pair(e, left, sources[source]);
    hlo_wasm_shuffle(&e->function, chosen[0], chosen[1], chosen[2], chosen[3]);
    hlo_emit_set(e, left = to);
    for (int n = 0; n < 4; n++) merged[n] = n;
  }
}

/* Makes columns of the vectors of four rows of words that lie one after another, or such vectors of columns. */
static void transpose(hlo_emitter *e, const int *sources, bool of_rows, int *made) {
  int width = (int)e->loop->width;
  for (int i = 0; i < width; i++) {
    int from[4], lanes[4];
    for (int n = 0; n < 4; n++) {
      int place = of_rows ? n * width + i : 4 * i + n;
      from[n] = of_rows ? place / 4 : place % width;
      lanes[n] = of_rows ? place % 4 : place / width;
    }
    merge(e, sources, from, lanes, made[i]);
  }
}

/* Returns whether four rows of words lie one after another. */
static bool is_dense(const hlo_emitter *e, int v, int64_t row_stride) {
  return e->values[v].lanes == HLO_LANES_WORD && row_stride == e->loop->width;
}

static void access_dense(hlo_emitter *e, int v, int pointer, bool is_load) {
  int vectors[MOST_COLUMNS], columns[MOST_COLUMNS], width = (int)e->loop->width;
  for (int i = 0; i < width; i++) {
    vectors[i] = hlo_emit_new(e, HLO_WASM_V128), columns[i] = hlo_emit_local(e, v, i, 0);
    if (is_load) hlo_emit_load_quad(e, HLO_LANES_WORD, pointer, 0, (uint32_t)(i * VECTOR_BYTES), &vectors[i]);
  }
  transpose(e, is_load ? vectors : columns, is_load, is_load ? columns : vectors);
  for (int i = 0; i < width && !is_load; i++) hlo_emit_store_quad(e, HLO_LANES_WORD, pointer, 0, (uint32_t)(i * VECTOR_BYTES), &vectors[i]);
}

static void load(hlo_emitter *e, int v) {
  const hlo_fused_value *value = &e->loop->values[v];
  hlo_lanes lanes = e->values[v].lanes;
  int64_t row_stride = value->row_strides[e->loop->dim_count - 1], bytes = value->bytes;
  if (!value->per_row && value->stride == 1 && is_dense(e, v, row_stride)) {
    access_dense(e, v, e->values[v].pointer, true);
    return;
  }
  for (int q = 0; q < e->quads; q++) {
    int64_t offset = q * value->stride * bytes;
    int base = e->values[v].pointer, locals[2] = {hlo_emit_local(e, v, q, 0), lanes == HLO_LANES_LONG ? hlo_emit_local(e, v, q, 1) : 0};
    if (row_stride == 0 && offset >= 0) hlo_emit_load_splat(e, lanes, base, (uint32_t)offset, locals);
    else if (row_stride == 1 && offset >= 0) hlo_emit_load_quad(e, lanes, base, 0, (uint32_t)offset, locals);
    else hlo_emit_load_lanes(e, lanes, value->bytes, base, 0, offset, row_stride * bytes, locals);
  }
}

static void store(hlo_emitter *e, const hlo_fused_output *output, int pointer) {
  int v = output->value, bytes = e->loop->values[v].bytes;
  bool per_row = e->loop->values[v].per_row;
  if (!per_row && is_dense(e, v, output->row_stride)) {
    access_dense(e, v, pointer, false);
    return;
  }
  for (int q = 0; q < (per_row ? 1 : e->loop->width); q++) {
    const int *locals = e->values[v].locals[q];
    if (output->row_stride == 1) hlo_emit_store_quad(e, e->values[v].lanes, pointer, 0, (uint32_t)(q * bytes), locals);
    else hlo_emit_store_lanes(e, e->values[v].lanes, bytes, pointer, 0, (uint32_t)(q * bytes), output->row_stride * bytes, ROWS, locals);
  }
}

void hlo_emit_short_rows(hlo_emitter *e, const int *outputs) {
  e->across = true;
  e->left = e->known = 0;
  for (int v = 0; v < e->loop->value_count; v++) {
    const hlo_fused_value *value = &e->loop->values[v];
    if (!e->values[v].needed || e->values[v].fixed) continue;
    e->quads = value->per_row && value->kind != HLO_FUSED_REDUCE ? 1 : (int)e->loop->width;
    if (value->kind == HLO_FUSED_INPUT) load(e, v);
    else if (value->kind == HLO_FUSED_APPLY) hlo_emit_apply(e, v);
    else hlo_emit_fold_columns(e, v);
  }
  for (int o = 0; o < e->loop->output_count; o++) store(e, &e->loop->outputs[o], outputs[o]);
  e->across = false;
}
