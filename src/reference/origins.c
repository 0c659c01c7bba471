/* Marking arguments, reading the origins of results, and ops whose origins are not followed element by element. */
#include "reference/origins.h"

#include "reference/reference.h"
#include "shape/shape.h"

#ifdef HLO_ORIGINS

#include "reference/functions.h"

bool hlo_origins_exact(hlo_opcode opcode) {
  static hlo_reference_function *const exact[] = {
      hlo_reference_unary, hlo_reference_binary, hlo_reference_compare, hlo_reference_complex, hlo_reference_clamp,
      hlo_reference_select, hlo_reference_convert, hlo_reference_stochastic_convert, hlo_reference_bitcast_convert,
      hlo_reference_reduce_precision, hlo_reference_constant, hlo_reference_iota, hlo_reference_broadcast,
      hlo_reference_reshape, hlo_reference_transpose, hlo_reference_reverse, hlo_reference_concatenate,
      hlo_reference_slice, hlo_reference_dynamic_slice, hlo_reference_dynamic_update_slice, hlo_reference_pad,
      hlo_reference_gather, hlo_reference_scatter, hlo_reference_copy, hlo_reference_tuple,
      hlo_reference_get_tuple_element, hlo_reference_done_first, hlo_reference_done_second, hlo_reference_async_done,
      hlo_reference_copy_start, hlo_reference_after_all, hlo_reference_get_dimension_size, hlo_reference_dot,
      hlo_reference_convolution, hlo_reference_map, hlo_reference_reduce, hlo_reference_reduce_window,
      hlo_reference_select_and_scatter, hlo_reference_sort, hlo_reference_topk, hlo_reference_scan,
  };
  hlo_reference_function *function = hlo_reference_function_of(opcode);
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
    if (function == exact[i]) return true;
  return !function; /* an op of the machine, which passes on values that it was given */
}

static bool check(const hlo_instruction *instruction, hlo_status *status) {
  hlo_opcode opcode = instruction->opcode;
  bool alone = hlo_reference_function_of(opcode) || hlo_op_has(opcode, HLO_FLAG_FRAMES) || opcode == HLO_OP_PARAMETER ||
               opcode == HLO_OP_REPLICA_ID || opcode == HLO_OP_PARTITION_ID;
  if (!alone)
    return hlo_fail(status, HLO_UNSUPPORTED, "%s %s: origins of elements are not followed through this operation",
                    hlo_op_name(opcode), instruction->name);
  if (opcode == HLO_OP_SET_DIMENSION_SIZE || !hlo_shape_is_static(instruction->shape))
    return hlo_fail(status, HLO_UNSUPPORTED, "%s %s: origins of elements are followed in arrays of static sizes only, got %pS",
                    hlo_op_name(opcode), instruction->name, instruction->shape);
  return true;
}

bool hlo_origins_check(const hlo_module *module, hlo_status *status) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++)
      if (!check(module->computations[c]->instructions[i], status)) return false;
  return true;
}

/* ---- Arguments and results ---- */

static int64_t element_count(const hlo_literal *value) {
  int64_t count = hlo_shape_is_array(value->shape) ? hlo_shape_element_count(value->shape) : 0;
  for (int i = 0; i < value->shape->element_count; i++) count += element_count(value->elements[i]);
  return count;
}

static void mark(hlo_origins *origins, hlo_literal *value, int64_t *number) {
  for (int i = 0; i < value->shape->element_count; i++) mark(origins, value->elements[i], number);
  if (!hlo_shape_is_array(value->shape)) return;
  for (int64_t i = 0, count = hlo_shape_element_count(value->shape); i < count; i++)
    hlo_origin_put(value->origins, i, hlo_origins_leaf(origins, (*number)++));
}

bool hlo_origins_begin(hlo_origins *origins, hlo_literal *const *arguments, int count, hlo_status *status) {
  int64_t number = 0;
  for (int i = 0; i < count; i++) number += element_count(arguments[i]);
  if (!hlo_origins_init(origins, number, status)) return false;
  number = 0;
  for (int i = 0; i < count; i++) mark(origins, arguments[i], &number);
  return true;
}

static const hlo_literal *find_array(const hlo_literal *value, int64_t *number) {
  if (hlo_shape_is_array(value->shape)) return (*number)-- == 0 ? value : NULL;
  const hlo_literal *found = NULL;
  for (int i = 0; i < value->shape->element_count && !found; i++) found = find_array(value->elements[i], number);
  return found;
}

bool hlo_origins_of(const hlo_literal *value, int64_t number, int64_t index, hlo_origin *origin) {
  const hlo_literal *array = find_array(value, &number);
  if (!array || index < 0 || index >= hlo_shape_element_count(array->shape)) return false;
  *origin = hlo_origin_at(array->origins, index);
  return true;
}

/* ---- Ops that are not exact ---- */

static hlo_origin join_all(const hlo_literal *value, hlo_origin all) {
  for (int i = 0; i < value->shape->element_count; i++) all = join_all(value->elements[i], all);
  if (!hlo_shape_is_array(value->shape)) return all;
  for (int64_t i = 0, count = hlo_shape_element_count(value->shape); i < count; i++)
    all = hlo_origin_join(all, hlo_origin_at(value->origins, i));
  return all;
}

static void put_all(hlo_literal *value, hlo_origin all) {
  for (int i = 0; i < value->shape->element_count; i++) put_all(value->elements[i], all);
  if (!hlo_shape_is_array(value->shape)) return;
  for (int64_t i = 0, count = hlo_shape_element_count(value->shape); i < count; i++) hlo_origin_put(value->origins, i, all);
}

void hlo_origins_settle(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  if (hlo_origins_exact(instruction->opcode)) return;
  hlo_origin all = {0};
  for (int i = 0; i < instruction->operand_count; i++) all = join_all(operands[i], all);
  put_all(result, all);
}

#endif
