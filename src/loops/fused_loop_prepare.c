/* Prepares a fused loop for hlo_fused_loop_run: the order of its values, how much is computed at once, and where in the scratch values lie.
 *
 * A time is a place in `order`. A vector that only its own phase reads has a slot of one block, from the time at which it is computed
 * until its last reader; all other values keep their slots for whole phases, since a phase runs all its blocks before the next begins. A
 * vector may be computed in the slot of an operand of which it is the last reader. */
#include <assert.h>

#include "base/checked.h"
#include "loops/fused_loop.h"

enum {
  BLOCK_BYTES = 4096,   /* of a block of the widest vector */
  SHORT_ROW = 256,      /* elements; longer rows run one by one if a value would have to be repeated along them */
  SLOT_ALIGNMENT = 64,
  MAX_SLOTS = 2 * HLO_FUSED_MAX_VALUES
};

/* ---- What is known of each value ---- */

static bool is_flat(const hlo_fused_loop *loop, const hlo_fused_value *value) {
  int64_t dense = value->per_row ? 1 : loop->width;
  if (!value->per_row && value->stride != 1 && loop->width != 1) return false;
  for (int d = loop->dim_count - 1; d >= 0; d--) {
    if (loop->dims[d] != 1 && value->row_strides[d] != dense) return false;
    dense *= loop->dims[d];
  }
  return true;
}

static bool has_row_strides(const hlo_fused_loop *loop, const hlo_fused_value *value) {
  for (int d = 0; d < loop->dim_count; d++)
    if (loop->dims[d] != 1 && value->row_strides[d] != 0) return true;
  return false;
}

static void describe(hlo_fused_loop *loop) {
  loop->phase_count = 1;
  for (int v = 0; v < loop->value_count; v++) {
    hlo_fused_value *value = &loop->values[v];
    value->phase = 0;
    value->kept = false;
    value->output = -1;
    value->slot = value->repeated = -1;
    value->flat = value->kind == HLO_FUSED_INPUT && is_flat(loop, value);
    value->uniform = value->kind == HLO_FUSED_INPUT ? !has_row_strides(loop, value) : value->per_row && value->kind == HLO_FUSED_APPLY;
    for (int n = 0; value->kind != HLO_FUSED_INPUT && n < value->arity; n++) {
      const hlo_fused_value *from = &loop->values[value->from[n]];
      int phase = from->phase + (value->kind == HLO_FUSED_REDUCE);
      assert(value->from[n] < v);
      if (phase > value->phase) value->phase = (uint8_t)phase;
      value->uniform &= from->uniform;
    }
    if (value->phase >= loop->phase_count) loop->phase_count = value->phase + 1;
  }
}

static void put_in_order(hlo_fused_loop *loop) {
  int count = 0;
  for (int phase = 0; phase < loop->phase_count; phase++)
    for (int vectors = 0; vectors < 2; vectors++)
      for (int v = 0; v < loop->value_count; v++)
        if (loop->values[v].phase == phase && loop->values[v].per_row != vectors) loop->order[count++] = (uint8_t)v;
}

/* ---- How much at once ---- */

/* Returns whether running many rows at once means copying inputs, or repeating per-row values along rows. */
static bool repeats(const hlo_fused_loop *loop) {
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_fused_value *value = &loop->values[v];
    if (!value->per_row && value->kind == HLO_FUSED_INPUT && !value->flat && !value->uniform) return true;
    for (int n = 0; !value->per_row && value->kind == HLO_FUSED_APPLY && n < value->arity; n++)
      if (loop->values[value->from[n]].per_row && !loop->values[value->from[n]].uniform) return true;
  }
  return false;
}

static void choose_block(hlo_fused_loop *loop) {
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
  } else { /* a block is a part of a row; all parts are about as long */
    loop->block = hlo_round_up(hlo_ceil_div(loop->width, hlo_ceil_div(loop->width > 0 ? loop->width : 1, block)), 16);
  }
}

/* ---- Slots ---- */

typedef struct slot {
  int64_t bytes;
  int until; /* the time after which the slot is free */
  int owner; /* the vector that has it until then; -1: a value over which none may be computed */
} slot;

typedef struct slots {
  hlo_fused_loop *loop;
  int count;
  slot slots[MAX_SLOTS];
  int phase_end[HLO_FUSED_MAX_VALUES]; /* times */
  /* times of the last reader, and of the last vector among the readers; -1: there is none */
  int last_use[HLO_FUSED_MAX_VALUES], vector_use[HLO_FUSED_MAX_VALUES];
} slots;

/* Returns the number of the smallest free slot that is large enough, or of a new one. over: operands over which it may be computed. */
static int take(slots *s, int64_t bytes, int begin, int until, const hlo_fused_value *over) {
  int best = -1;
  bytes = hlo_round_up(bytes, SLOT_ALIGNMENT);
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
  hlo_fused_loop *loop = s->loop;
  int end = loop->value_count;
  for (int v = 0; v < end; v++) s->last_use[v] = s->vector_use[v] = -1;
  for (int time = 0; time < end; time++) {
    const hlo_fused_value *reader = &loop->values[loop->order[time]];
    s->phase_end[reader->phase] = time;
    for (int n = 0; reader->kind != HLO_FUSED_INPUT && n < reader->arity; n++) {
      int from = reader->from[n];
      s->last_use[from] = time;
      if (!reader->per_row) s->vector_use[from] = time;
      if (reader->phase > loop->values[from].phase) loop->values[from].kept = !loop->values[from].per_row;
    }
  }
  for (int i = 0; i < loop->output_count; i++) { /* outputs are needed until the end */
    int v = loop->outputs[i].value;
    hlo_fused_value *value = &loop->values[v];
    s->last_use[v] = end;
    if (value->per_row) continue;
    if (value->kind == HLO_FUSED_INPUT) value->kept |= loop->phase_count > 1;
    else if (value->phase < loop->phase_count - 1) value->kept = true;
    else if (value->output < 0) value->output = (int8_t)i;
  }
}

/* Returns whether kernels read an input where it lies, so that it needs no slot. */
static bool is_in_place(const hlo_fused_loop *loop, const hlo_fused_value *value) {
  if (value->kind != HLO_FUSED_INPUT) return false;
  if (!value->per_row && value->stride != 1) return false;
  return value->flat || loop->rows_at_once == 1 || (value->per_row && value->uniform);
}

/* The end of the phase in which `time` is. */
static int phase_end(const slots *s, int time) {
  if (time >= s->loop->value_count) return time;
  return time < 0 ? -1 : s->phase_end[s->loop->values[s->loop->order[time]].phase];
}

static int64_t slot_bytes(const hlo_fused_loop *loop, const hlo_fused_value *value) {
  if (value->per_row) return (value->uniform ? 1 : loop->rows_at_once) * value->bytes;
  int64_t row = loop->rows_at_once > 1 ? loop->block : loop->width > loop->block ? loop->width : loop->block;
  return (value->kept ? row : loop->block) * value->bytes;
}

/* Gives slots to a value that keeps them for whole phases, from time `begin` on. */
static void take_lasting(slots *s, int begin, int v) {
  hlo_fused_loop *loop = s->loop;
  hlo_fused_value *value = &loop->values[v];
  int own = s->phase_end[value->phase], last = phase_end(s, s->last_use[v]);
  int end = value->uniform ? loop->value_count : last > own ? last : own;
  if ((value->per_row || value->kept || value->uniform) && value->output < 0 && !is_in_place(loop, value))
    value->slot = take(s, slot_bytes(loop, value), begin, end, NULL);
  if (value->per_row && !value->uniform && loop->rows_at_once > 1 && s->vector_use[v] >= 0)
    value->repeated = take(s, loop->block * value->bytes, begin, phase_end(s, s->vector_use[v]), NULL);
}

static void take_block(slots *s, int time, int v) {
  hlo_fused_loop *loop = s->loop;
  hlo_fused_value *value = &loop->values[v];
  if (value->per_row || value->slot >= 0 || value->output >= 0 || is_in_place(loop, value)) return;
  value->slot = take(s, slot_bytes(loop, value), time, s->last_use[v] > time ? s->last_use[v] : time,
                     value->kind == HLO_FUSED_APPLY ? value : NULL);
  s->slots[value->slot].owner = v;
}

static void place(slots *s) {
  hlo_fused_loop *loop = s->loop;
  int32_t offsets[MAX_SLOTS];
  int64_t bytes = 0;
  for (int i = 0; i < s->count; i++) {
    offsets[i] = (int32_t)bytes;
    bytes += s->slots[i].bytes;
  }
  for (int v = 0; v < loop->value_count; v++) {
    hlo_fused_value *value = &loop->values[v];
    if (value->slot >= 0) value->slot = offsets[value->slot];
    if (value->repeated >= 0) value->repeated = offsets[value->repeated];
  }
  loop->scratch_bytes = (size_t)bytes + HLO_FUSED_CALL_BYTES;
}

void hlo_fused_loop_prepare(hlo_fused_loop *loop) {
  assert(loop->value_count <= HLO_FUSED_MAX_VALUES && loop->output_count <= HLO_FUSED_MAX_OUTPUTS && loop->dim_count <= HLO_FUSED_MAX_DIMS);
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
