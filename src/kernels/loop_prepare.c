/* The order of a loop program's values, how much of them is run at once, and where in the scratch they lie.
 *
 * Time is counted in places of `order`. A vector that lives within its phase has a slot of one block, from the time at which it
 * is computed to that of its last reader; everything else is there for whole phases, since the blocks of a phase follow each
 * other. A vector may be computed over an operand that dies. */
#include <assert.h>

#include "kernels/loop_program.h"

enum {
  BLOCK_BYTES = 4096,   /* of the widest vector */
  SHORT_ROW = 256,      /* elements; longer rows are not worth being run together where something is repeated along them */
  SLOT_ALIGNMENT = 64,
  MAX_SLOTS = 2 * HLO_LOOP_MAX_VALUES
};

static int64_t round_up(int64_t value, int64_t step) { return hlo_ceil_div(value, step) * step; }

/* ---- What is known of each value ---- */

static bool is_flat(const hlo_loop *loop, const hlo_loop_value *value) {
  int64_t dense = value->per_row ? 1 : loop->width;
  if (!value->per_row && value->stride != 1 && loop->width != 1) return false;
  for (int d = loop->dim_count - 1; d >= 0; d--) {
    if (loop->dims[d] != 1 && value->row_strides[d] != dense) return false;
    dense *= loop->dims[d];
  }
  return true;
}

static bool has_row_strides(const hlo_loop *loop, const hlo_loop_value *value) {
  for (int d = 0; d < loop->dim_count; d++)
    if (loop->dims[d] != 1 && value->row_strides[d] != 0) return true;
  return false;
}

static void describe(hlo_loop *loop) {
  loop->phase_count = 1;
  for (int v = 0; v < loop->value_count; v++) {
    hlo_loop_value *value = &loop->values[v];
    value->phase = 0;
    value->kept = false;
    value->output = -1;
    value->slot = value->repeated = -1;
    value->flat = value->kind == HLO_LOOP_INPUT && is_flat(loop, value);
    value->uniform = value->kind == HLO_LOOP_INPUT ? !has_row_strides(loop, value) : value->per_row && value->kind == HLO_LOOP_APPLY;
    for (int n = 0; value->kind != HLO_LOOP_INPUT && n < value->arity; n++) {
      const hlo_loop_value *from = &loop->values[value->from[n]];
      int phase = from->phase + (value->kind == HLO_LOOP_REDUCE);
      assert(value->from[n] < v);
      if (phase > value->phase) value->phase = (uint8_t)phase;
      value->uniform &= from->uniform;
    }
    if (value->phase >= loop->phase_count) loop->phase_count = value->phase + 1;
  }
}

static void put_in_order(hlo_loop *loop) {
  int count = 0;
  for (int phase = 0; phase < loop->phase_count; phase++)
    for (int vectors = 0; vectors < 2; vectors++)
      for (int v = 0; v < loop->value_count; v++)
        if (loop->values[v].phase == phase && loop->values[v].per_row != vectors) loop->order[count++] = (uint8_t)v;
}

/* ---- How much at once ---- */

/* Whether something must be copied, or repeated, for every row of a chunk. */
static bool repeats(const hlo_loop *loop) {
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_loop_value *value = &loop->values[v];
    if (!value->per_row && value->kind == HLO_LOOP_INPUT && !value->flat && !value->uniform) return true;
    for (int n = 0; !value->per_row && value->kind == HLO_LOOP_APPLY && n < value->arity; n++)
      if (loop->values[value->from[n]].per_row && !loop->values[value->from[n]].uniform) return true;
  }
  return false;
}

static void choose_block(hlo_loop *loop) {
  int bytes = 1;
  bool tiles = false;
  for (int v = 0; v < loop->value_count; v++)
    if (loop->values[v].bytes > bytes) bytes = loop->values[v].bytes;
  for (int i = 0; i < loop->output_count; i++)
    tiles |= !loop->values[loop->outputs[i].value].per_row && loop->outputs[i].row_stride != loop->width;
  int64_t block = BLOCK_BYTES / (bytes < 4 ? 4 : bytes);
  loop->rows_at_once = 1;
  if (!tiles && loop->width > 0 && 2 * loop->width <= block && (loop->width <= SHORT_ROW || !repeats(loop))) {
    loop->rows_at_once = block / loop->width;
    loop->block = loop->rows_at_once * loop->width;
  } else { /* blocks of a row, all of about one length */
    loop->block = round_up(hlo_ceil_div(loop->width, hlo_ceil_div(loop->width > 0 ? loop->width : 1, block)), 16);
  }
}

/* ---- Slots ---- */

typedef struct slot {
  int64_t bytes;
  int until; /* time; it is free afterwards */
  int owner; /* that it was last given to; -1: something that no one may be computed over */
} slot;

typedef struct slots {
  hlo_loop *loop;
  int count;
  slot slots[MAX_SLOTS];
  int phase_end[HLO_LOOP_MAX_VALUES]; /* times */
  int last_use[HLO_LOOP_MAX_VALUES], vector_use[HLO_LOOP_MAX_VALUES]; /* times; vector_use: by a vector, -1 if there is none */
} slots;

/* The smallest that fits, or a new one; its number. */
static int take(slots *s, int64_t bytes, int begin, int until, const hlo_loop_value *over) {
  int best = -1;
  bytes = round_up(bytes, SLOT_ALIGNMENT);
  for (int i = 0; i < s->count; i++) {
    bool free = s->slots[i].until < begin;
    for (int n = 0; over && n < over->arity && s->slots[i].until == begin && s->slots[i].owner >= 0; n++)
      free |= s->slots[i].owner == over->from[n] && s->loop->values[over->from[n]].bytes == over->bytes;
    if (free && s->slots[i].bytes >= bytes && (best < 0 || s->slots[i].bytes < s->slots[best].bytes)) best = i;
  }
  if (best < 0) best = s->count++;
  assert(best < MAX_SLOTS);
  if (s->slots[best].bytes < bytes) s->slots[best].bytes = bytes;
  s->slots[best].until = until;
  s->slots[best].owner = -1;
  return best;
}

static void find_uses(slots *s) {
  hlo_loop *loop = s->loop;
  int end = loop->value_count;
  for (int v = 0; v < end; v++) s->last_use[v] = s->vector_use[v] = -1;
  for (int time = 0; time < end; time++) {
    const hlo_loop_value *reader = &loop->values[loop->order[time]];
    s->phase_end[reader->phase] = time;
    for (int n = 0; reader->kind != HLO_LOOP_INPUT && n < reader->arity; n++) {
      int from = reader->from[n];
      s->last_use[from] = time;
      if (!reader->per_row) s->vector_use[from] = time;
      if (reader->phase > loop->values[from].phase) loop->values[from].kept = !loop->values[from].per_row;
    }
  }
  for (int i = 0; i < loop->output_count; i++) { /* outputs are complete when everything is */
    int v = loop->outputs[i].value;
    hlo_loop_value *value = &loop->values[v];
    s->last_use[v] = end;
    if (value->per_row) continue;
    if (value->kind == HLO_LOOP_INPUT) value->kept |= loop->phase_count > 1;
    else if (value->phase < loop->phase_count - 1) value->kept = true;
    else if (value->output < 0) value->output = (int8_t)i;
  }
}

/* Whether an input is read where it lies. */
static bool is_in_place(const hlo_loop *loop, const hlo_loop_value *value) {
  if (value->kind != HLO_LOOP_INPUT) return false;
  if (!value->per_row && value->stride != 1) return false;
  return value->flat || loop->rows_at_once == 1 || (value->per_row && value->uniform);
}

/* To the end of the phase in which `time` is. */
static int phase_end(const slots *s, int time) {
  if (time >= s->loop->value_count) return time;
  return time < 0 ? -1 : s->phase_end[s->loop->values[s->loop->order[time]].phase];
}

static int64_t slot_bytes(const hlo_loop *loop, const hlo_loop_value *value) {
  if (value->per_row) return (value->uniform ? 1 : loop->rows_at_once) * value->bytes;
  int64_t row = loop->rows_at_once > 1 ? loop->block : loop->width > loop->block ? loop->width : loop->block;
  return (value->kept ? row : loop->block) * value->bytes;
}

/* What is there for whole phases, from the first time of its own on. */
static void take_lasting(slots *s, int begin, int v) {
  hlo_loop *loop = s->loop;
  hlo_loop_value *value = &loop->values[v];
  int own = s->phase_end[value->phase], last = phase_end(s, s->last_use[v]);
  int end = value->uniform ? loop->value_count : last > own ? last : own;
  if ((value->per_row || value->kept || value->uniform) && value->output < 0 && !is_in_place(loop, value))
    value->slot = take(s, slot_bytes(loop, value), begin, end, NULL);
  if (value->per_row && !value->uniform && loop->rows_at_once > 1 && s->vector_use[v] >= 0)
    value->repeated = take(s, loop->block * value->bytes, begin, phase_end(s, s->vector_use[v]), NULL);
}

static void take_block(slots *s, int time, int v) {
  hlo_loop *loop = s->loop;
  hlo_loop_value *value = &loop->values[v];
  if (value->per_row || value->slot >= 0 || value->output >= 0 || is_in_place(loop, value)) return;
  value->slot = take(s, slot_bytes(loop, value), time, s->last_use[v] > time ? s->last_use[v] : time,
                     value->kind == HLO_LOOP_APPLY ? value : NULL);
  s->slots[value->slot].owner = v;
}

static void place(slots *s) {
  hlo_loop *loop = s->loop;
  int32_t offsets[MAX_SLOTS];
  int64_t bytes = 0;
  for (int i = 0; i < s->count; i++) {
    offsets[i] = (int32_t)bytes;
    bytes += s->slots[i].bytes;
  }
  for (int v = 0; v < loop->value_count; v++) {
    hlo_loop_value *value = &loop->values[v];
    if (value->slot >= 0) value->slot = offsets[value->slot];
    if (value->repeated >= 0) value->repeated = offsets[value->repeated];
  }
  loop->scratch_bytes = (size_t)bytes + HLO_LOOP_CALL_BYTES;
}

void hlo_loop_prepare(hlo_loop *loop) {
  assert(loop->value_count <= HLO_LOOP_MAX_VALUES && loop->output_count <= HLO_LOOP_MAX_OUTPUTS && loop->dim_count <= HLO_LOOP_MAX_DIMS);
  describe(loop);
  put_in_order(loop);
  choose_block(loop);
  slots s = {.loop = loop};
  find_uses(&s);
  for (int time = 0, begin = 0; time < loop->value_count; time++) {
    int phase = loop->values[loop->order[time]].phase;
    if (time == 0 || phase != loop->values[loop->order[time - 1]].phase)
      for (begin = time; begin < loop->value_count && loop->values[loop->order[begin]].phase == phase; begin++)
        take_lasting(&s, time, loop->order[begin]);
    take_block(&s, time, loop->order[time]);
  }
  place(&s);
}
