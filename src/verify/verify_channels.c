/* Channels: the two ends of a channel have the same shape, and no collective uses its number. */
#include "base/arena.h"
#include "base/heap_sort.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "shape/shape.h"
#include "verify/verify_checks.h"

typedef struct end {
  int64_t channel;
  int place; /* order of appearance */
  const hlo_computation *computation;
  const hlo_instruction *instruction;
} end;

static bool transfers(const hlo_instruction *i) { return i->opcode == HLO_OP_SEND || i->opcode == HLO_OP_RECV; }

static bool uses_channel(const hlo_instruction *i) {
  return (transfers(i) || hlo_op_has(i->opcode, HLO_FLAG_COLLECTIVE)) &&
         hlo_instruction_int(i, HLO_ATTR_channel_id, 0) > 0;
}

static int compare_ends(const void *a, const void *b) {
  const end *x = a, *y = b;
  if (x->channel != y->channel) return x->channel < y->channel ? -1 : 1;
  return x->place - y->place;
}

/* Returns the data of a send or recv, whose shape is (data, u32[], token[]). */
static const hlo_shape *data_of(const hlo_instruction *i) { return i->shape->elements[0]; }

static bool check_ends(const hlo_verification *v, const end *first, const end *next) {
  if (transfers(first->instruction) != transfers(next->instruction))
    return hlo_verify_fail(v, next->computation, next->instruction, HLO_VERIFY,
                           "%s: channel %lld is used by %s %s too; send and recv share no channel with collectives",
                           hlo_op_name(next->instruction->opcode), (long long)next->channel,
                           hlo_op_name(first->instruction->opcode), first->instruction->name);
  if (transfers(first->instruction) && !hlo_shapes_agree(data_of(first->instruction), data_of(next->instruction)))
    return hlo_verify_fail(v, next->computation, next->instruction, HLO_VERIFY,
                           "%s: channel %lld carries %pS for %s %s, so it cannot carry %pS here",
                           hlo_op_name(next->instruction->opcode), (long long)next->channel,
                           data_of(first->instruction), hlo_op_name(first->instruction->opcode),
                           first->instruction->name, data_of(next->instruction));
  return true;
}

/* Lists the ends of channels, or only counts them if `ends` is NULL. */
static int64_t find_ends(const hlo_module *module, end *ends) {
  int64_t count = 0;
  for (int n = 0; n < module->computation_count; n++) {
    const hlo_computation *c = module->computations[n];
    for (int k = 0; k < c->instruction_count; k++) {
      const hlo_instruction *i = c->instructions[k];
      if (!uses_channel(i)) continue;
      if (ends) ends[count] = (end){hlo_instruction_int(i, HLO_ATTR_channel_id, 0), (int)count, c, i};
      count++;
    }
  }
  return count;
}

bool hlo_check_channels(const hlo_verification *v) {
  int64_t count = find_ends(v->module, NULL);
  end *ends = hlo_arena_many(v->arena, end, count, v->status);
  if (!ends) return false;
  find_ends(v->module, ends);
  hlo_heap_sort(ends, (size_t)count, sizeof *ends, compare_ends);
  for (int64_t n = 1, first = 0; n < count; n++) {
    if (ends[n].channel != ends[first].channel) first = n;
    else if (!check_ends(v, &ends[first], &ends[n])) return false;
  }
  return true;
}
