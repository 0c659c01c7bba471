/* Folding with a computation; directly, where the computation is a known operation. */
#include "reference/apply/fold.h"

#include "base/arena.h"
#include "shape/box.h"
#include "shape/shape.h"

/* Recognises computations of two scalars of one type that need not be run: a binary op, or the choice of the element. */
static bool recognise(hlo_fold *fold, const hlo_computation *computation) {
  const hlo_instruction *lhs = computation->instructions[computation->parameters[0]];
  const hlo_instruction *rhs = computation->instructions[computation->parameters[1]];
  const hlo_instruction *root = hlo_computation_root(computation);
  fold->type = lhs->shape->type;
  if (rhs->shape->type != fold->type || root->shape->type != fold->type) return false;
  fold->last = root == rhs;
  fold->cell = (hlo_literal){.shape = rhs->shape, .data = fold->cell_bytes, .origins = hlo_origin_array_of(&fold->cell_origin)};
  fold->direct = hlo_computation_is_binary_op(computation, &fold->opcode);
  fold->sum = fold->direct && fold->opcode == HLO_OP_ADD;
  return fold->last || fold->direct;
}

bool hlo_fold_init(hlo_fold *fold, hlo_evaluation *evaluation, const hlo_computation *computation, int count) {
  *fold = (hlo_fold){.count = count, .evaluation = evaluation};
  if (count == 1 && recognise(fold, computation)) return true;
  fold->applied = hlo_applied_prepare(evaluation, computation);
  fold->accumulators = hlo_arena_many(evaluation->scratch, hlo_literal *, count, evaluation->status);
  if (!fold->applied || !fold->accumulators) return false;
  for (int i = 0; i < count; i++) {
    const hlo_shape *shape = computation->instructions[computation->parameters[i]]->shape;
    fold->accumulators[i] = hlo_literal_make(evaluation->scratch, shape, evaluation->status);
    if (!fold->accumulators[i]) return false;
  }
  return true;
}

/* to[to_index] = from[from_index], converted where the types differ. */
static void move_element(hlo_literal *to, int64_t to_index, const hlo_literal *from, int64_t from_index) {
  hlo_type to_type = to->shape->type, from_type = from->shape->type;
  if (to_type == from_type)
    hlo_literal_assign_element(to, to_index, from, from_index);
  else
    hlo_literal_set(to, to_index, hlo_scalar_convert(to_type, from_type, hlo_literal_get(from, from_index)));
}

/* Returns a value as it is after being stored: rounded or wrapped to the type. */
static hlo_scalar rounded(hlo_type type, hlo_scalar value) {
  _Alignas(16) char cell[16];
  hlo_scalar_store(type, cell, 0, value);
  return hlo_scalar_made_of(hlo_scalar_load(type, cell, 0), value, value);
}

static hlo_scalar load_as(hlo_type type, const hlo_literal *literal, int64_t index) {
  hlo_scalar value = hlo_literal_get(literal, index);
  return literal->shape->type == type ? value : hlo_scalar_convert(type, literal->shape->type, value);
}

void hlo_fold_begin(hlo_fold *fold, const hlo_literal *const *inits, int64_t index, int64_t terms) {
  if (fold->applied) {
    for (int i = 0; i < fold->count; i++) move_element(fold->accumulators[i], 0, inits[i], index);
    return;
  }
  if (fold->last) {
    move_element(&fold->cell, 0, inits[0], index);
    return;
  }
  fold->value = load_as(fold->type, inits[0], index);
  fold->arithmetic = hlo_arithmetic_of(fold->type, terms, fold->narrow);
  fold->total = hlo_wide_begin(fold->arithmetic, fold->value);
}

static bool run_applied(hlo_fold *fold, const hlo_literal *const *operands, int64_t index) {
  for (int i = 0; i < fold->count; i++) {
    move_element(hlo_applied_parameter(fold->applied, i), 0, fold->accumulators[i], 0);
    move_element(hlo_applied_parameter(fold->applied, fold->count + i), 0, operands[i], index);
  }
  if (!hlo_applied_run(fold->applied)) return false;
  hlo_literal *value = (hlo_literal *)hlo_applied_result(fold->applied);
  for (int i = 0; i < fold->count; i++)
    move_element(fold->accumulators[i], 0, hlo_result_part(value, i), 0);
  return true;
}

bool hlo_fold_run(hlo_fold *fold, const hlo_literal *const *operands, int64_t start, int64_t stride, int64_t elements) {
  for (int64_t i = 0; i < elements; i++) {
    int64_t index = start + i * stride;
    if (!hlo_reference_tick(fold->evaluation, 1)) return false;
    if (fold->last)
      move_element(&fold->cell, 0, operands[0], index);
    else if (fold->sum)
      hlo_wide_add(fold->arithmetic, &fold->total, load_as(fold->type, operands[0], index));
    else if (fold->direct)
      fold->value = rounded(fold->type, hlo_reference_binary_scalar(fold->opcode, fold->type, fold->value,
                                                                    load_as(fold->type, operands[0], index)));
    else if (!run_applied(fold, operands, index))
      return false;
  }
  return true;
}

void hlo_fold_end(hlo_fold *fold, hlo_literal *result, int64_t index) {
  if (fold->applied) {
    for (int i = 0; i < fold->count; i++)
      move_element(hlo_result_part(result, i), index, fold->accumulators[i], 0);
    return;
  }
  if (fold->last) {
    move_element(hlo_result_part(result, 0), index, &fold->cell, 0);
    return;
  }
  hlo_scalar value = fold->sum ? hlo_wide_total(fold->arithmetic, &fold->total) : fold->value;
  hlo_literal *array = hlo_result_part(result, 0);
  hlo_literal_set(array, index, hlo_scalar_convert(array->shape->type, fold->type, rounded(fold->type, value)));
}
