/* Gatherings whose members are in several processes: which bytes cross, and what is made of them.
 *
 *   all-gather, small all-reduce   every rank gets all operands, and goes on as if all members were here
 *   collective-broadcast           the rank of the first member gives its operands to all
 *   all-to-all, reduce-scatter     each member gets from every other the part that is for it
 *   large all-reduce               the same with parts that each member combines for all; then every rank gets all parts combined
 *   ragged-all-to-all              every rank gets the offsets and sizes of all; then the rows that are for its members
 *
 * Operands are combined in the order of the members, by one rank for each part, so the bits do not depend on the ranks. Every
 * block begins with a header that names the instruction, since ranks whose devices stand at different ones must not take
 * one another's bytes for what they expect. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/heap_sort.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "devices/rendezvous.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* An all-reduce of at most so many bytes is one exchange instead of two. */
enum { SMALL_REDUCTION = 4096, RAGGED_NUMBERS = 2 };

typedef enum stage { GATHERS, BROADCASTS, EXCHANGES, COLLECTS, REDUCES, AWAITS_TURN, DONE } stage;

typedef struct header {
  uint64_t number; /* of the instruction */
  char name[HLO_REMOTE_UNIT - sizeof(uint64_t)];
} header;

struct hlo_crossing {
  hlo_remote *remote;
  hlo_rank_group *group;
  hlo_exchange *exchange; /* that is under way */
  stage stage;
  bool second;            /* the second exchange is under way, or is next */
  uint64_t ticket;        /* the turn of the second exchange */
  bool parted;            /* what was received are parts, of which the result is made */
  int *ranks, rank_count, own; /* ascending, and the place of this rank among them */
  int *locals, local_count;    /* the numbers of the members that are here */
  int *out_units, *in_units;   /* by rank of the group */
  char *out, *in;
  int64_t *in_at;              /* where the part of member m for local l begins in `in`: [m * local_count + l] */
  hlo_literal **parts;         /* of reductions: the combined part of local l, of operand i: [l * operand_count + i] */
};

/* ---- Members and ranks ---- */

static int rank_of(const hlo_crossing *x, const hlo_gathering *g, int member) {
  return g->members[member].device / x->remote->devices_per_rank;
}

static bool find_ranks(hlo_gathering *g, hlo_crossing *x, hlo_status *status) {
  int *devices = hlo_arena_many(&g->arena, int, g->count, status);
  x->ranks = hlo_arena_many(&g->arena, int, g->count, status);
  x->locals = hlo_arena_many(&g->arena, int, g->here, status);
  if (!devices || !x->ranks || !x->locals) return false;
  for (int m = 0; m < g->count; m++) devices[m] = g->members[m].device;
  hlo_heap_sort(devices, (size_t)g->count, sizeof *devices, hlo_compare_ints);
  for (int m = 0; m < g->count; m++) {
    int rank = devices[m] / x->remote->devices_per_rank;
    if (x->rank_count == 0 || x->ranks[x->rank_count - 1] != rank) x->ranks[x->rank_count++] = rank;
    if (rank_of(x, g, m) == x->remote->rank) x->locals[x->local_count++] = m;
  }
  while (x->ranks[x->own] != x->remote->rank) x->own++;
  x->group = x->remote->find_group(x->remote, (hlo_device_set){devices, g->count});
  x->out_units = hlo_arena_many(&g->arena, int, x->rank_count, status);
  x->in_units = hlo_arena_many(&g->arena, int, x->rank_count, status);
  x->in_at = hlo_arena_many(&g->arena, int64_t, (int64_t)g->count * x->local_count, status);
  if (!x->group) return hlo_fail(status, HLO_INTERNAL, "%s: its group of ranks was not made", g->instruction->name);
  return x->out_units && x->in_units && x->in_at;
}

/* ---- Blocks ---- */

/* Returns memory of the gathering for a block, which is not cleared. */
static char *block_new(hlo_gathering *g, int64_t bytes, hlo_status *status) {
  size_t size = (size_t)hlo_remote_padded(bytes ? bytes : 1);
  char *block = aligned_alloc(HLO_REMOTE_UNIT, size);
  if (block && hlo_arena_adopt(&g->arena, block, size, status)) return block;
  free(block);
  hlo_fail(status, HLO_OUT_OF_MEMORY, "%s: no memory for %lld bytes", g->instruction->name, (long long)bytes);
  return NULL;
}

/* Counts bytes in units; a rank carries at most INT32_MAX units, 128 GiB. */
static bool in_units(const hlo_gathering *g, int64_t bytes, int *units, hlo_status *status) {
  if (bytes / HLO_REMOTE_UNIT > INT32_MAX) return hlo_fail(status, HLO_LIMIT, "%s: a block of %lld bytes is too large", g->instruction->name, (long long)bytes);
  *units = (int)(bytes / HLO_REMOTE_UNIT);
  return true;
}

static void write_header(const hlo_gathering *g, const hlo_arrival *arrival, const hlo_module *module, char *block) {
  header *h = (header *)block;
  memset(h, 0, sizeof *h);
  h->number = hlo_instruction_number(module, arrival->computation, g->instruction);
  strncpy(h->name, g->instruction->name, sizeof h->name - 1);
}

static bool check_header(const hlo_gathering *g, const hlo_crossing *x, const hlo_module *module, int rank, const char *block, hlo_status *status) {
  const header *h = (const header *)block;
  if (h->number == hlo_instruction_number(module, g->computation, g->instruction)) return true;
  return hlo_fail(status, HLO_DEADLOCK, "rank %d waits at %s, but rank %d, which it waits for, stands at %.*s", x->remote->rank, g->instruction->name,
                  x->ranks[rank], (int)sizeof h->name, h->name);
}

/* ---- Every rank gets all operands ---- */

/* The operands that are gathered: of ragged-all-to-all, offsets and sizes alone. */
static int first_gathered(const hlo_gathering *g) { return g->instruction->opcode == HLO_OP_RAGGED_ALL_TO_ALL ? RAGGED_NUMBERS : 0; }

static const hlo_literal *own_operand(const hlo_gathering *g, const hlo_crossing *x, int i) { return g->members[x->locals[0]].operands[i]; }

/* Returns the bytes of the gathered operands of one member. */
static int64_t gathered_bytes(const hlo_gathering *g, const hlo_crossing *x) {
  int64_t bytes = 0;
  for (int i = first_gathered(g); i < g->instruction->operand_count; i++) bytes += hlo_remote_padded((int64_t)hlo_literal_bytes(own_operand(g, x, i)));
  return bytes;
}

static char *pack_operands(const hlo_gathering *g, int member, char *to) {
  for (int i = first_gathered(g); i < g->instruction->operand_count; i++) {
    const hlo_literal *operand = g->members[member].operands[i];
    memcpy(to, operand->data, hlo_literal_bytes(operand));
    to += hlo_remote_padded((int64_t)hlo_literal_bytes(operand));
  }
  return to;
}

static bool begin_gather(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  int64_t each = gathered_bytes(g, x), total = (int64_t)g->count * each + (int64_t)x->rank_count * HLO_REMOTE_UNIT;
  for (int r = 0; r < x->rank_count; r++) {
    int64_t bytes = HLO_REMOTE_UNIT;
    for (int m = 0; m < g->count; m++) bytes += rank_of(x, g, m) == x->ranks[r] ? each : 0;
    if (!in_units(g, bytes, &x->in_units[r], arrival->status)) return false;
  }
  x->out = block_new(g, HLO_REMOTE_UNIT + x->local_count * each, arrival->status);
  x->in = block_new(g, total, arrival->status);
  if (!x->out || !x->in) return false;
  write_header(g, arrival, module, x->out);
  char *to = x->out + HLO_REMOTE_UNIT;
  for (int l = 0; l < x->local_count; l++) to = pack_operands(g, x->locals[l], to);
  x->stage = GATHERS;
  x->exchange = x->remote->all_gather(x->remote, x->group, false, x->out, x->in, x->in_units, arrival->status);
  return x->exchange != NULL;
}

/* Gives a member of another rank its operands, which stay where they were received. */
static bool take_operands(hlo_gathering *g, const hlo_crossing *x, int member, char **from, hlo_status *status) {
  int count = g->instruction->operand_count;
  const hlo_literal **operands = hlo_arena_many(&g->arena, const hlo_literal *, count, status);
  if (!operands) return false;
  for (int i = first_gathered(g); i < count; i++) {
    const hlo_literal *like = own_operand(g, x, i);
    if (!(operands[i] = hlo_literal_wrap(&g->arena, like->shape, *from, status))) return false;
    *from += hlo_remote_padded((int64_t)hlo_literal_bytes(like));
  }
  g->members[member].operands = operands;
  return true;
}

static bool take_gathered(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, hlo_status *status) {
  char *block = x->in;
  for (int r = 0; r < x->rank_count; block += (int64_t)x->in_units[r] * HLO_REMOTE_UNIT, r++) {
    if (!check_header(g, x, module, r, block, status)) return false;
    char *from = block + HLO_REMOTE_UNIT;
    for (int m = 0; m < g->count && r != x->own; m++)
      if (rank_of(x, g, m) == x->ranks[r] && !take_operands(g, x, m, &from, status)) return false;
  }
  return true;
}

/* ---- One rank gives its operands to all ---- */

static bool begin_broadcast(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  int units, root = 0;
  int64_t bytes = HLO_REMOTE_UNIT + gathered_bytes(g, x);
  while (x->ranks[root] != rank_of(x, g, 0)) root++;
  x->in = block_new(g, bytes, arrival->status);
  if (!x->in || !in_units(g, bytes, &units, arrival->status)) return false;
  write_header(g, arrival, module, x->in);
  if (root == x->own) pack_operands(g, 0, x->in + HLO_REMOTE_UNIT);
  x->stage = BROADCASTS;
  x->exchange = x->remote->broadcast(x->remote, x->group, root, x->in, units, arrival->status);
  return x->exchange != NULL;
}

static bool take_broadcast(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, hlo_status *status) {
  int root = 0;
  char *from = x->in + HLO_REMOTE_UNIT;
  while (x->ranks[root] != rank_of(x, g, 0)) root++;
  return check_header(g, x, module, root, x->in, status) && (root == x->own || take_operands(g, x, 0, &from, status));
}

/* ---- Each member gets parts from every other ---- */

static bool is_all_reduce(const hlo_instruction *instruction) {
  return instruction->opcode == HLO_OP_ALL_REDUCE || instruction->opcode == HLO_OP_ALL_REDUCE_START;
}

static bool is_reduction(const hlo_instruction *instruction) { return is_all_reduce(instruction) || instruction->opcode == HLO_OP_REDUCE_SCATTER; }

/* The first element of the slice that member r combines in an all-reduce. */
static int64_t slice_begin(const hlo_gathering *g, const hlo_literal *operand, int r) {
  int64_t count = hlo_shape_element_count(operand->shape), each = count / g->count, rest = count % g->count;
  return each * r + (r < rest ? r : rest);
}

/* The bytes of the part of operand i that members send to member r; of ragged-all-to-all, that member s sends. */
static int64_t part_bytes(const hlo_gathering *g, const hlo_crossing *x, int s, int r, int i) {
  const hlo_instruction *instruction = g->instruction;
  if (instruction->opcode == HLO_OP_RAGGED_ALL_TO_ALL) {
    if (i > 0) return 0;
    const hlo_shape *data = own_operand(g, x, 0)->shape;
    int64_t entries = hlo_shape_element_count(own_operand(g, x, 2)->shape) / g->count, rows = 0;
    for (int64_t k = r * entries; k < (r + 1) * entries; k++) {
      hlo_literal cut = {.shape = data}; /* of the data only the shape is asked for */
      const hlo_literal *from[6] = {&cut, NULL, g->members[s].operands[2], g->members[s].operands[3], g->members[s].operands[4], NULL};
      rows += hlo_ragged_entry(from, k, own_operand(g, x, 1)->shape->dims[0]).size;
    }
    return data->dims[0] ? rows * (hlo_shape_dense_bytes(data) / data->dims[0]) : 0;
  }
  const hlo_literal *operand = own_operand(g, x, i);
  int64_t bytes = (int64_t)hlo_literal_bytes(operand);
  if (is_all_reduce(instruction)) return (slice_begin(g, operand, r + 1) - slice_begin(g, operand, r)) * hlo_type_bytes(operand->shape->type);
  if (hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->count) return bytes / g->count;
  return i == r ? bytes : 0;
}

static int64_t parts_bytes(const hlo_gathering *g, const hlo_crossing *x, int s, int r) {
  int64_t bytes = 0;
  for (int i = 0; i < g->instruction->operand_count; i++) bytes += hlo_remote_padded(part_bytes(g, x, s, r, i));
  return bytes;
}

/* Makes an array around memory: of a dimension's slab, with the shape of the operand but for that dimension. */
static hlo_literal *wrap_slab(hlo_arena *arena, const hlo_literal *operand, int64_t dimension, int64_t size, void *memory, hlo_status *status) {
  int64_t *dims = hlo_arena_many(arena, int64_t, operand->shape->rank, status);
  if (!dims) return NULL;
  for (int d = 0; d < operand->shape->rank; d++) dims[d] = d == dimension ? size : operand->shape->dims[d];
  const hlo_shape *shape = hlo_shape_make(arena, operand->shape->type, dims, operand->shape->rank, status);
  return shape ? hlo_literal_wrap(arena, shape, memory, status) : NULL;
}

static bool pack_part(hlo_gathering *g, const hlo_crossing *x, int s, int r, int i, char *to, const hlo_arrival *arrival) {
  const hlo_instruction *instruction = g->instruction;
  const hlo_literal *const *operands = g->members[s].operands;
  int64_t bytes = part_bytes(g, x, s, r, i), dimension = hlo_collective_dimension(instruction);
  if (bytes == 0) return true;
  if (instruction->opcode == HLO_OP_RAGGED_ALL_TO_ALL) {
    int64_t row = hlo_shape_dense_bytes(operands[0]->shape) / operands[0]->shape->dims[0];
    int64_t entries = hlo_shape_element_count(operands[2]->shape) / g->count;
    for (int64_t k = r * entries; k < (r + 1) * entries; k++) {
      hlo_ragged_rows rows = hlo_ragged_entry(operands, k, operands[1]->shape->dims[0]);
      memcpy(to, (const char *)operands[0]->data + rows.source * row, (size_t)(rows.size * row));
      to += rows.size * row;
    }
  } else if (is_all_reduce(instruction)) {
    memcpy(to, (const char *)operands[i]->data + slice_begin(g, operands[i], r) * hlo_type_bytes(operands[i]->shape->type), (size_t)bytes);
  } else if (hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->count) {
    int64_t size = operands[i]->shape->dims[dimension] / g->count;
    hlo_literal *slab = wrap_slab(arrival->scratch, operands[i], dimension, size, to, arrival->status);
    if (!slab) return false;
    hlo_move_slab(slab, 0, operands[i], r * size, size, dimension);
  } else {
    memcpy(to, operands[i]->data, (size_t)bytes);
  }
  return true;
}

/* Fills in the sizes of blocks, from and to every rank, and where parts begin. Returns the bytes in all through `out` and `in`. */
static bool lay_out_parts(const hlo_gathering *g, hlo_crossing *x, int64_t *out, int64_t *in, hlo_status *status) {
  *out = *in = 0;
  for (int r = 0; r < x->rank_count; r++) {
    int64_t sent = HLO_REMOTE_UNIT, received = HLO_REMOTE_UNIT;
    for (int m = 0; m < g->count; m++) {
      if (rank_of(x, g, m) != x->ranks[r]) continue;
      for (int l = 0; l < x->local_count; l++) {
        sent += parts_bytes(g, x, x->locals[l], m);
        x->in_at[(int64_t)m * x->local_count + l] = *in + received;
        received += parts_bytes(g, x, m, x->locals[l]);
      }
    }
    if (!in_units(g, sent, &x->out_units[r], status) || !in_units(g, received, &x->in_units[r], status)) return false;
    *out += sent;
    *in += received;
  }
  return true;
}

static bool pack_parts(hlo_gathering *g, const hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  char *block = x->out;
  for (int r = 0; r < x->rank_count; block += (int64_t)x->out_units[r] * HLO_REMOTE_UNIT, r++) {
    char *to = block + HLO_REMOTE_UNIT;
    write_header(g, arrival, module, block);
    for (int l = 0; l < x->local_count; l++)
      for (int m = 0; m < g->count; m++) {
        if (rank_of(x, g, m) != x->ranks[r]) continue;
        for (int i = 0; i < g->instruction->operand_count; i++) {
          if (!pack_part(g, x, x->locals[l], m, i, to, arrival)) return false;
          to += hlo_remote_padded(part_bytes(g, x, x->locals[l], m, i));
        }
      }
  }
  return true;
}

static bool begin_exchange(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  int64_t out, in;
  if (!lay_out_parts(g, x, &out, &in, arrival->status)) return false;
  x->out = block_new(g, out, arrival->status);
  x->in = block_new(g, in, arrival->status);
  if (!x->out || !x->in || !pack_parts(g, x, module, arrival)) return false;
  x->stage = EXCHANGES;
  x->parted = true;
  x->exchange = x->remote->all_to_all(x->remote, x->group, x->second, x->out, x->out_units, x->in, x->in_units, arrival->status);
  return x->exchange != NULL;
}

static bool take_parts(const hlo_gathering *g, const hlo_crossing *x, const hlo_module *module, hlo_status *status) {
  const char *block = x->in;
  for (int r = 0; r < x->rank_count; block += (int64_t)x->in_units[r] * HLO_REMOTE_UNIT, r++)
    if (!check_header(g, x, module, r, block, status)) return false;
  return true;
}

/* Returns where the part of operand i of member m for local l was received. */
static char *part_at(const hlo_gathering *g, const hlo_crossing *x, int m, int l, int i) {
  char *at = x->in + x->in_at[(int64_t)m * x->local_count + l];
  for (int before = 0; before < i; before++) at += hlo_remote_padded(part_bytes(g, x, m, x->locals[l], before));
  return at;
}

/* ---- Combining parts ---- */

static double seconds_now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Combines what all members gave for local l, of operand i, in the order of the members. */
static bool combine_part(hlo_gathering *g, hlo_crossing *x, const hlo_computation *function, int l, int i, const hlo_arrival *arrival) {
  hlo_type type = own_operand(g, x, i)->shape->type;
  int64_t count = part_bytes(g, x, 0, x->locals[l], i) / hlo_type_bytes(type);
  const hlo_shape *shape = hlo_shape_make(&g->arena, type, &count, 1, arrival->status);
  const hlo_literal **operands = hlo_arena_many(&g->arena, const hlo_literal *, g->count, arrival->status);
  char *memory = block_new(g, count * hlo_type_bytes(type), arrival->status);
  if (!shape || !operands || !memory) return false;
  for (int m = 0; m < g->count; m++)
    if (!(operands[m] = hlo_literal_wrap(&g->arena, shape, part_at(g, x, m, l, i), arrival->status))) return false;
  hlo_literal *part = hlo_literal_wrap(&g->arena, shape, memory, arrival->status);
  x->parts[(int64_t)l * g->instruction->operand_count + i] = part;
  return part && arrival->combine(arrival->combine_context, function, operands, g->count, part);
}

static bool combine_parts(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  const hlo_computation *function = hlo_instruction_computation(module, g->instruction, HLO_ATTR_to_apply);
  int count = g->instruction->operand_count;
  double begun = seconds_now();
  x->parts = hlo_arena_many(&g->arena, hlo_literal *, (int64_t)x->local_count * count, arrival->status);
  if (!x->parts) return false;
  for (int l = 0; l < x->local_count; l++)
    for (int i = 0; i < count; i++)
      if (!combine_part(g, x, function, l, i, arrival)) return false;
  x->remote->reducing += seconds_now() - begun;
  return true;
}

/* ---- Every rank gets the combined parts of an all-reduce ---- */

static bool begin_collect(hlo_gathering *g, hlo_crossing *x, const hlo_arrival *arrival) {
  int count = g->instruction->operand_count;
  int64_t total = 0;
  for (int r = 0; r < x->rank_count; r++) {
    int64_t bytes = 0;
    for (int m = 0; m < g->count; m++) bytes += rank_of(x, g, m) == x->ranks[r] ? parts_bytes(g, x, m, m) : 0;
    if (!in_units(g, bytes, &x->in_units[r], arrival->status)) return false;
    total += bytes;
  }
  x->out = block_new(g, (int64_t)x->in_units[x->own] * HLO_REMOTE_UNIT, arrival->status);
  x->in = block_new(g, total, arrival->status);
  if (!x->out || !x->in) return false;
  char *to = x->out;
  for (int p = 0; p < x->local_count * count; to += hlo_remote_padded((int64_t)hlo_literal_bytes(x->parts[p])), p++)
    memcpy(to, x->parts[p]->data, hlo_literal_bytes(x->parts[p]));
  x->stage = COLLECTS;
  x->parted = false;
  x->exchange = x->remote->all_gather(x->remote, x->group, true, x->out, x->in, x->in_units, arrival->status);
  return x->exchange != NULL;
}

/* Makes what the members' operands combine to, zeroed. */
static bool make_combined(hlo_gathering *g, const hlo_crossing *x, hlo_status *status) {
  g->combined = hlo_arena_many(&g->arena, hlo_literal *, g->instruction->operand_count, status);
  for (int i = 0; g->combined && i < g->instruction->operand_count; i++)
    if (!(g->combined[i] = hlo_literal_make(&g->arena, own_operand(g, x, i)->shape, status))) return false;
  return g->combined != NULL;
}

static bool take_collected(hlo_gathering *g, const hlo_crossing *x, hlo_status *status) {
  const char *from = x->in;
  if (!make_combined(g, x, status)) return false;
  for (int r = 0; r < x->rank_count; r++)
    for (int m = 0; m < g->count; m++)
      for (int i = 0; rank_of(x, g, m) == x->ranks[r] && i < g->instruction->operand_count; i++) {
        hlo_literal *whole = g->combined[i];
        int64_t bytes = part_bytes(g, x, m, m, i);
        memcpy((char *)whole->data + slice_begin(g, whole, m) * hlo_type_bytes(whole->shape->type), from, (size_t)bytes);
        from += hlo_remote_padded(bytes);
      }
  return true;
}

/* ---- In any order ---- */

/* Returns whether the carrier's own operators can combine every operand, and the operation. */
static bool is_fast(const hlo_gathering *g, const hlo_crossing *x, const hlo_module *module, hlo_opcode *opcode) {
  if (!x->remote->fast || !is_all_reduce(g->instruction)) return false;
  if (g->instruction->operand_count != 1) return false;
  return hlo_computation_is_binary_op(hlo_instruction_computation(module, g->instruction, HLO_ATTR_to_apply), opcode) &&
         x->remote->can_reduce(*opcode, own_operand(g, x, 0)->shape->type);
}

/* Combines the operands of this rank, and lets the carrier combine those of all. */
static bool begin_reduce(hlo_gathering *g, hlo_crossing *x, hlo_opcode opcode, const hlo_module *module, const hlo_arrival *arrival) {
  const hlo_computation *function = hlo_instruction_computation(module, g->instruction, HLO_ATTR_to_apply);
  const hlo_literal **operands = hlo_arena_many(&g->arena, const hlo_literal *, x->local_count, arrival->status);
  if (!operands || !make_combined(g, x, arrival->status)) return false;
  for (int l = 0; l < x->local_count; l++) operands[l] = g->members[x->locals[l]].operands[0];
  hlo_literal *combined = g->combined[0];
  if (!arrival->combine(arrival->combine_context, function, operands, x->local_count, combined)) return false;
  x->stage = REDUCES;
  x->exchange = x->remote->all_reduce(x->remote, x->group, opcode, combined->shape->type, combined->data,
                                      hlo_shape_element_count(combined->shape), arrival->status);
  return x->exchange != NULL;
}

/* ---- A gathering from begin to end ---- */

/* Takes the turn of a second exchange, while the first begins. */
static void take_ticket(hlo_crossing *x) { x->ticket = x->group->tickets++; }

static bool begin(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  hlo_opcode operation;
  switch (g->instruction->opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
    if (is_fast(g, x, module, &operation)) return begin_reduce(g, x, operation, module, arrival);
    if (gathered_bytes(g, x) <= SMALL_REDUCTION) return begin_gather(g, x, module, arrival);
    take_ticket(x);
    return begin_exchange(g, x, module, arrival);
  case HLO_OP_REDUCE_SCATTER:
  case HLO_OP_ALL_TO_ALL: return begin_exchange(g, x, module, arrival);
  case HLO_OP_COLLECTIVE_BROADCAST: return begin_broadcast(g, x, module, arrival);
  case HLO_OP_RAGGED_ALL_TO_ALL: take_ticket(x); return begin_gather(g, x, module, arrival);
  default: return begin_gather(g, x, module, arrival);
  }
}

bool hlo_crossing_begin(hlo_gathering *g, const hlo_device_grid *grid, const hlo_arrival *arrival) {
  hlo_crossing *x = hlo_arena_new(&g->arena, hlo_crossing, arrival->status);
  if (!x) return false;
  x->remote = hlo_grid_remote(grid);
  g->crossing = x;
  return find_ranks(g, x, arrival->status) && begin(g, x, grid->module, arrival);
}

static bool await_turn(hlo_crossing *x) {
  x->stage = AWAITS_TURN;
  x->second = true;
  return true;
}

/* Begins the second exchange, if it is its turn. */
static bool take_turn(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival, bool *taken) {
  *taken = x->group->turn == x->ticket;
  if (!*taken) return true;
  x->group->turn++;
  return is_all_reduce(g->instruction) ? begin_collect(g, x, arrival) : begin_exchange(g, x, module, arrival);
}

/* Goes on to the next stage, once the exchange of this one is done. */
static bool finish_stage(hlo_gathering *g, hlo_crossing *x, const hlo_module *module, const hlo_arrival *arrival) {
  stage finished = x->stage;
  x->exchange = NULL;
  x->stage = DONE;
  switch (finished) {
  case GATHERS:
    if (!take_gathered(g, x, module, arrival->status)) return false;
    if (g->instruction->opcode == HLO_OP_RAGGED_ALL_TO_ALL) return await_turn(x);
    return hlo_collective_complete(g, module, arrival);
  case BROADCASTS: return take_broadcast(g, x, module, arrival->status);
  case EXCHANGES:
    if (!take_parts(g, x, module, arrival->status)) return false;
    if (is_reduction(g->instruction) && !combine_parts(g, x, module, arrival)) return false;
    return !is_all_reduce(g->instruction) || await_turn(x);
  case COLLECTS: return take_collected(g, x, arrival->status);
  default: return true;
  }
}

bool hlo_crossing_advance(hlo_gathering *g, const hlo_device_grid *grid, const hlo_arrival *arrival, bool *done) {
  hlo_crossing *x = g->crossing;
  while (x->stage != DONE) {
    if (x->stage == AWAITS_TURN && !take_turn(g, x, grid->module, arrival, done)) return false;
    if (x->stage == AWAITS_TURN) return true;
    if (!x->remote->test(x->remote, x->exchange, done, arrival->status)) return false;
    if (!*done) return true;
    if (!finish_stage(g, x, grid->module, arrival)) return false;
  }
  *done = true;
  return true;
}

/* ---- One member's result ---- */

static void place_ragged(const hlo_gathering *g, const hlo_crossing *x, int l, hlo_literal *result) {
  int r = x->locals[l];
  const hlo_literal *const *own = g->members[r].operands;
  hlo_literal_assign(result, own[1]);
  int64_t rows_in_all = own[0]->shape->dims[0], entries = hlo_shape_element_count(own[2]->shape) / g->count;
  int64_t row = rows_in_all ? hlo_shape_dense_bytes(own[0]->shape) / rows_in_all : 0;
  for (int m = 0; m < g->count; m++) {
    const char *part = part_at(g, x, m, l, 0);
    hlo_literal cut = {.shape = own[0]->shape};
    const hlo_literal *from[6] = {&cut, NULL, g->members[m].operands[2], g->members[m].operands[3], g->members[m].operands[4], NULL};
    for (int64_t k = r * entries; k < (r + 1) * entries; k++) {
      hlo_ragged_rows rows = hlo_ragged_entry(from, k, result->shape->dims[0]);
      if (rows.size * row) memcpy((char *)result->data + rows.target * row, part, (size_t)(rows.size * row));
      part += rows.size * row;
    }
  }
}

/* Puts the parts of all members side by side along the dimension; the number of outer indices is that before it. */
static void place_slabs(const hlo_gathering *g, const hlo_crossing *x, int l, int i, int64_t dimension, hlo_literal *result) {
  int64_t bytes = part_bytes(g, x, 0, x->locals[l], i), outer = 1;
  for (int d = 0; d < dimension; d++) outer *= result->shape->dims[d];
  if (bytes == 0) return;
  for (int m = 0; m < g->count; m++)
    for (int64_t o = 0; o < outer; o++)
      memcpy((char *)result->data + (o * g->count + m) * (bytes / outer), part_at(g, x, m, l, i) + o * (bytes / outer), (size_t)(bytes / outer));
}

static void place_all_to_all(const hlo_gathering *g, const hlo_crossing *x, const hlo_instruction *instruction, int l, hlo_literal *result) {
  if (hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->count) {
    for (int i = 0; i < instruction->operand_count; i++)
      place_slabs(g, x, l, i, hlo_collective_dimension(instruction), hlo_result_part(result, i));
    return;
  }
  for (int m = 0; m < g->count; m++) {
    hlo_literal *part = hlo_result_part(result, m);
    memcpy(part->data, part_at(g, x, m, l, x->locals[l]), hlo_literal_bytes(part));
  }
}

void hlo_crossing_result(const hlo_gathering *g, const hlo_instruction *instruction, int number, hlo_literal *result) {
  const hlo_crossing *x = g->crossing;
  int l = 0;
  while (x->locals[l] != number) l++;
  if (!x->parted) hlo_collective_result(g, instruction, number, result);
  else if (instruction->opcode == HLO_OP_RAGGED_ALL_TO_ALL) place_ragged(g, x, l, result);
  else if (instruction->opcode == HLO_OP_ALL_TO_ALL) place_all_to_all(g, x, instruction, l, result);
  else
    for (int i = 0; i < instruction->operand_count; i++) {
      hlo_literal *part = hlo_result_part(result, i);
      memcpy(part->data, x->parts[(int64_t)l * instruction->operand_count + i]->data, hlo_literal_bytes(part));
    }
}
