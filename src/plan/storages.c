/* Memory of values: a result takes over the memory of an operand that dies, a while loop that of its initial state, and the root's leaves get
 * the places where they are wanted. All other values get offsets by their lifetimes. */
#include "base/alignment.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/list.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "plan/lifetimes.h"
#include "plan/place_table.h"
#include "plan/plan.h"
#include "plan/planner.h"
#include "shape/constant_uses.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

const hlo_plan_place hlo_plan_nowhere = {.kind = HLO_PLACE_NONE, .sizes_offset = -1};

bool hlo_plan_place_equal(const hlo_plan_place *a, const hlo_plan_place *b) {
  return a->kind == b->kind && a->offset == b->offset && a->constant == b->constant;
}

bool hlo_plan_shape_place(const hlo_shape *leaf, hlo_plan_place *place, hlo_status *status) {
  *place = hlo_plan_nowhere;
  if (!hlo_shape_is_array(leaf)) return true;
  int64_t bytes;
  if (!hlo_checked_mul(hlo_shape_element_count(leaf), hlo_type_bytes(leaf->type), &bytes) || bytes > INT64_MAX / 2)
    return hlo_fail(status, HLO_OUT_OF_MEMORY, "%pS is larger than memory can be", leaf);
  place->kind = HLO_PLACE_WORKSPACE;
  if (!hlo_shape_is_static(leaf)) {
    place->sizes_offset = (bytes + 7) / 8 * 8;
    bytes = place->sizes_offset + leaf->rank * (int64_t)sizeof(int64_t);
  }
  place->bytes = bytes;
  return true;
}

/* ---- Making storages ---- */

static hlo_storage *add_storage(hlo_routine_plan *r, int begin, int end) {
  hlo_planner *p = r->planner;
  if (!hlo_list_grow(p->scratch, &r->storages, r->storage_count, &r->storage_capacity, sizeof *r->storages, p->status)) return NULL;
  hlo_storage *storage = &r->storages[r->storage_count++];
  *storage = (hlo_storage){.begin = begin, .end = end > begin ? end : begin, .value = -1};
  return storage;
}

/* Gives a value memory of its own; tokens need none. */
static bool store(hlo_routine_plan *r, hlo_plan_value *value, int begin) {
  hlo_plan_place place;
  if (!hlo_plan_shape_place(value->shape, &place, r->planner->status)) return false;
  if (place.kind == HLO_PLACE_NONE) return true;
  hlo_storage *storage = add_storage(r, begin, value->last_use);
  if (!storage) return false;
  storage->place = place;
  storage->writable = true;
  storage->value = (int)(value - r->values);
  value->storage = r->storage_count - 1;
  return true;
}

/* Gives a value memory for its address. */
static bool store_view(hlo_routine_plan *r, hlo_plan_value *value, int begin) {
  if (!store(r, value, begin)) return false;
  r->storages[value->storage].place.kind = HLO_PLACE_VIEW;
  r->storages[value->storage].writable = false;
  return true;
}

static bool store_at(hlo_routine_plan *r, hlo_plan_value *value, const hlo_plan_place *place, bool writable) {
  hlo_storage *storage = add_storage(r, -1, value->last_use);
  if (!storage) return false;
  storage->place = *place;
  storage->fixed = true;
  storage->writable = writable;
  storage->value = (int)(value - r->values);
  value->storage = r->storage_count - 1;
  return true;
}

/* Lets `value` begin where `dying` ends, at time `time`. */
static bool take_over(hlo_routine_plan *r, hlo_plan_value *value, const hlo_plan_value *dying, int time) {
  if (dying->storage < 0 || dying->last_use != time) return false;
  hlo_storage *storage = &r->storages[dying->storage];
  if (!storage->writable || storage->value != (int)(dying - r->values)) return false;
  storage->value = (int)(value - r->values);
  storage->end = value->last_use > time ? value->last_use : time;
  value->storage = dying->storage;
  return true;
}

static bool add_extra(hlo_routine_plan *r, int instruction, int64_t bytes) {
  if (bytes == 0) return true;
  hlo_storage *storage = add_storage(r, instruction, instruction);
  if (!storage) return false;
  storage->place = (hlo_plan_place){.kind = HLO_PLACE_WORKSPACE, .bytes = bytes, .sizes_offset = -1};
  r->extra_storage[instruction] = r->storage_count - 1;
  return true;
}

/* ---- By action ---- */

/* first: the leaves of all parameters before this one. */
static bool store_parameter(hlo_routine_plan *r, const hlo_instruction *instruction, int first) {
  for (int leaf = 0; leaf < hlo_plan_leaf_count(r, instruction->index); leaf++) {
    hlo_plan_value *value = hlo_plan_leaf(r, instruction->index, leaf);
    const hlo_plan_place *given = r->given_parameters ? &r->given_parameters[first + leaf] : NULL;
    if (!hlo_shape_is_array(value->shape) || value->last_use < 0) continue;
    if (given && given->kind != HLO_PLACE_NONE) {
      bool is_donated = r->donates && given->kind == HLO_PLACE_RESULT;
      bool is_state = r->is_loop_body && hlo_plan_leaf(r, r->computation->root, first + leaf) != value;
      if (!store_at(r, value, given, is_state || is_donated)) return false;
    } else if (!store(r, value, -1)) {
      return false;
    }
  }
  return true;
}

/* Gives the leaves of a literal, those of the instruction from *leaf on, their places. */
static bool store_literal(hlo_routine_plan *r, const hlo_literal *literal, int instruction, int *leaf) {
  for (int i = 0; i < literal->shape->element_count; i++)
    if (!store_literal(r, literal->elements[i], instruction, leaf)) return false;
  if (hlo_shape_is_tuple(literal->shape)) return true;
  hlo_plan_value *value = hlo_plan_leaf(r, instruction, (*leaf)++);
  if (!hlo_shape_is_array(value->shape)) return true;
  const void *dense = hlo_constant_dense(&r->planner->plan->constants, literal, r->planner->status);
  if (!dense) return false;
  hlo_plan_place place = {.kind = HLO_PLACE_CONSTANT, .constant = dense, .bytes = hlo_shape_dense_bytes(value->shape), .sizes_offset = -1};
  if (!literal->shared) r->planner->plan->constant_bytes += place.bytes;
  return store_at(r, value, &place, false);
}

static bool store_constant(hlo_routine_plan *r, const hlo_instruction *instruction) {
  int leaf = 0;
  return store_literal(r, hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal, instruction->index, &leaf);
}

/* Puts the result in the place of an operand, if every operand that is the same value may be overwritten. */
static bool overwrite(hlo_routine_plan *r, const hlo_instruction *instruction, hlo_plan_value *value, unsigned overwritable) {
  const hlo_kernel_choice *choice = &r->choices[instruction->index];
  for (int n = 0; n < choice->operand_count && n < 32; n++) {
    const hlo_plan_value *operand = hlo_plan_leaf(r, choice->operands[n], 0);
    bool may = true;
    for (int other = 0; other < choice->operand_count; other++)
      if (hlo_plan_leaf(r, choice->operands[other], 0) == operand) may &= other < 32 && (overwritable >> other & 1);
    if (may && take_over(r, value, operand, instruction->index)) return true;
  }
  return false;
}

/* True if a kernel that copies a piece of its operand need not: no step overwrites that while the routine runs. Few bytes are copied sooner. */
static bool is_view(const hlo_routine_plan *r, const hlo_kernel_choice *choice, const hlo_shape *shape) {
  enum { LEAST_BYTES = 4096 };
  if (!choice->find || hlo_shape_dense_bytes(shape) < LEAST_BYTES) return false;
  const hlo_storage *storage = &r->storages[hlo_plan_leaf(r, choice->operands[0], 0)->storage];
  return storage->place.kind == HLO_PLACE_VIEW || (storage->fixed && !storage->writable);
}

static bool store_kernel_result(hlo_routine_plan *r, const hlo_instruction *instruction) {
  const hlo_kernel_choice *choice = &r->choices[instruction->index];
  if (is_view(r, choice, instruction->shape)) return store_view(r, hlo_plan_leaf(r, instruction->index, 0), instruction->index);
  for (int leaf = 0; leaf < hlo_plan_leaf_count(r, instruction->index); leaf++) {
    hlo_plan_value *value = hlo_plan_leaf(r, instruction->index, leaf);
    unsigned overwritable = leaf == 0 ? choice->overwritable : choice->more_overwritable ? choice->more_overwritable[leaf - 1] : 0;
    if (!overwrite(r, instruction, value, overwritable) && !store(r, value, instruction->index)) return false;
  }
  return add_extra(r, instruction->index, choice->scratch_bytes);
}

/* Returns the number of leaves that an instruction only passes on: an asynchronous op begins its result with its operands. */
static int passed_leaves(const hlo_instruction *instruction) {
  return instruction->opcode == HLO_OP_ASYNC_START ? instruction->shape->first_leaf[1] : 0;
}

static bool store_results(hlo_routine_plan *r, const hlo_instruction *instruction) {
  bool loops = instruction->opcode == HLO_OP_WHILE;
  for (int leaf = passed_leaves(instruction); leaf < hlo_plan_leaf_count(r, instruction->index); leaf++) {
    hlo_plan_value *value = hlo_plan_leaf(r, instruction->index, leaf);
    const hlo_plan_value *initial = loops ? hlo_plan_leaf(r, instruction->operands[0], leaf) : NULL;
    if (loops && (value == initial || take_over(r, value, initial, instruction->index))) continue;
    if (!store(r, value, instruction->index)) return false;
  }
  return !loops || add_extra(r, instruction->index, 1);
}

static bool store_instruction(hlo_routine_plan *r, int index) {
  const hlo_instruction *instruction = hlo_plan_instruction(r, index);
  switch (r->actions[index]) {
  case HLO_ACTION_CONSTANT: return store_constant(r, instruction);
  case HLO_ACTION_KERNEL: return store_kernel_result(r, instruction);
  case HLO_ACTION_EVALUATE:
  case HLO_ACTION_MEET:
  case HLO_ACTION_FRAMES: return store_results(r, instruction);
  default: return true;
  }
}

/* ---- The root's leaves, where they are wanted ---- */

/* Lists the fixed storages by their places, each with the time at which the place is read last. */
static bool list_fixed(hlo_routine_plan *r, hlo_place_table *ends) {
  if (!hlo_place_table_init(ends, r->storage_count, r->planner->scratch, r->planner->status)) return false;
  for (int i = 0; i < r->storage_count; i++)
    if (r->storages[i].fixed) hlo_place_table_add(ends, &r->storages[i].place, r->storages[i].end);
  return true;
}

/* True if a loop body may write this element of its new state in place: no step reads the old one after that. */
static bool old_state_is_dead(const hlo_place_table *ends, const hlo_plan_place *wanted, const hlo_storage *storage) {
  const int *end = hlo_place_table_find(ends, wanted);
  return !end || *end < storage->begin;
}

static bool place_root(hlo_routine_plan *r) {
  if (!r->wanted_results) return true;
  hlo_place_table ends;
  if (!list_fixed(r, &ends)) return false;
  int root = r->computation->root;
  for (int leaf = 0; leaf < hlo_plan_leaf_count(r, root); leaf++) {
    const hlo_plan_value *value = hlo_plan_leaf(r, root, leaf);
    const hlo_plan_place *wanted = &r->wanted_results[leaf];
    if (value->storage < 0 || wanted->kind == HLO_PLACE_NONE) continue;
    hlo_storage *storage = &r->storages[value->storage];
    if (storage->fixed || storage->place.kind == HLO_PLACE_VIEW || storage->begin < 0 || !old_state_is_dead(&ends, wanted, storage)) continue;
    storage->fixed = true;
    storage->place = *wanted;
    hlo_place_table_add(&ends, &storage->place, storage->end);
  }
  return true;
}

/* Makes extra storage for each result that lies where another result belongs: it is saved there before results are moved. */
static bool save_exchanged_results(hlo_routine_plan *r) {
  if (!r->is_loop_body && !r->donates) return true;
  int root = r->computation->root, count = hlo_plan_leaf_count(r, root);
  hlo_place_table wanted;
  if (!hlo_place_table_init(&wanted, count, r->planner->scratch, r->planner->status)) return false;
  for (int leaf = 0; leaf < count; leaf++) hlo_place_table_add(&wanted, &r->wanted_results[leaf], leaf);
  for (int leaf = 0; leaf < count; leaf++) {
    hlo_plan_value *value = hlo_plan_leaf(r, root, leaf);
    if (value->storage < 0 || !r->storages[value->storage].fixed) continue;
    hlo_plan_place place = r->storages[value->storage].place;
    if (place.bytes == 0 || hlo_plan_place_equal(&place, &r->wanted_results[leaf]) || !hlo_place_table_find(&wanted, &place)) continue;
    if (!add_extra(r, r->computation->instruction_count + leaf, place.bytes)) return false;
    hlo_storage *saved = &r->storages[r->storage_count - 1];
    saved->begin = saved->end = r->computation->instruction_count;
    saved->place.sizes_offset = place.sizes_offset;
  }
  return true;
}

/* ---- Offsets ---- */

static bool place_storages(hlo_routine_plan *r) {
  hlo_planner *p = r->planner;
  hlo_lifetime *lifetimes = hlo_arena_many(p->scratch, hlo_lifetime, r->storage_count, p->status);
  int *of = hlo_arena_many(p->scratch, int, r->storage_count, p->status);
  if (!lifetimes || !of) return false;
  int count = 0;
  for (int time = -1, i = 0; i < r->storage_count; i++) { /* storages were made in the order of their begin */
    if (r->storages[i].fixed) continue;
    if (r->storages[i].begin < time) r->storages[i].begin = time;
    time = r->storages[i].begin;
    of[count] = i;
    int64_t bytes = r->storages[i].place.kind == HLO_PLACE_VIEW ? (int64_t)sizeof(void *) : r->storages[i].place.bytes;
    lifetimes[count++] = (hlo_lifetime){.bytes = bytes, .begin = r->storages[i].begin, .end = r->storages[i].end};
  }
  if (!hlo_lifetimes_place(lifetimes, count, HLO_ALIGNMENT, p->scratch, &r->routine->bytes, p->status)) return false;
  for (int i = 0; i < count; i++) r->storages[of[i]].place.offset = r->routine->offset + lifetimes[i].offset;
  return true;
}

/* Arguments live from the start. Their storages are made in the order of the instructions. */
static bool store_parameters(hlo_routine_plan *r) {
  const hlo_computation *computation = r->computation;
  int *first_leaf = hlo_arena_many(r->planner->scratch, int, (int64_t)computation->parameter_count + 1, r->planner->status);
  if (!first_leaf) return false;
  for (int n = 0; n < computation->parameter_count; n++)
    first_leaf[n + 1] = first_leaf[n] + hlo_shape_leaf_count(hlo_plan_instruction(r, computation->parameters[n])->shape);
  for (int i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = hlo_plan_instruction(r, i);
    if (r->actions[i] != HLO_ACTION_PARAMETER) continue;
    if (!store_parameter(r, instruction, first_leaf[hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0)])) return false;
  }
  return true;
}

const hlo_plan_place *hlo_plan_leaf_place(const hlo_routine_plan *r, int instruction, int leaf) {
  int storage = hlo_plan_leaf(r, instruction, leaf)->storage;
  return storage < 0 ? &hlo_plan_nowhere : &r->storages[storage].place;
}

bool hlo_plan_storages(hlo_routine_plan *r) {
  hlo_planner *p = r->planner;
  int count = r->computation->instruction_count, extras = count + hlo_plan_leaf_count(r, r->computation->root);
  r->extra_storage = hlo_arena_many(p->scratch, int, extras, p->status);
  if (!r->extra_storage) return false;
  for (int i = 0; i < extras; i++) r->extra_storage[i] = -1;
  if (!store_parameters(r)) return false;
  for (int i = 0; i < count; i++)
    if (!store_instruction(r, i)) return false;
  return place_root(r) && save_exchanged_results(r) && place_storages(r);
}
