/* Raises control flow, calls, tuples, and ops with -start and -done. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/raise/raise.h"

static int computation(const hlo_raise_call *c, hlo_attribute_id id) { return hlo_instruction_attribute(c->instruction, id)->computation; }

bool hlo_raise_while(const hlo_raise_call *c) {
  hlo_mlir_region regions[2] = {{.block_count = 0}, {.block_count = 0}};
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_region(c, computation(c, HLO_ATTR_condition), &regions[0]) &&
         hlo_raise_region(c, computation(c, HLO_ATTR_body), &regions[1]) && hlo_raise_finish(c, c->name, operands, count, NULL, regions, 2);
}

/* A branch has no arguments in StableHLO: it uses its operand's values from outside. */
bool hlo_raise_conditional(const hlo_raise_call *c) {
  hlo_ints branches = *hlo_instruction_ints(c->instruction, HLO_ATTR_branch_computations);
  int64_t pair[2];
  if (!branches.count) {
    pair[0] = computation(c, HLO_ATTR_true_computation);
    pair[1] = computation(c, HLO_ATTR_false_computation);
    branches = (hlo_ints){pair, 2};
  }
  bool chooses = hlo_raise_operand_shape(c, 0)->type == HLO_TYPE_PRED;
  hlo_mlir_region *regions = hlo_arena_many(c->r->arena, hlo_mlir_region, branches.count, c->r->status);
  hlo_raise_leaves index, operand;
  if (!regions || !hlo_raise_operand(c, 0, &index)) return false;
  for (int i = 0; i < branches.count; i++)
    if (!hlo_raise_operand(c, i + 1, &operand) || !hlo_raise_bound_region(c, (int)branches.data[i], &operand, &regions[i])) return false;
  return hlo_raise_finish(c, chooses ? "stablehlo.if" : "stablehlo.case", index.values, 1, NULL, regions, branches.count);
}

/* Raises call, and fusion, whose computation also becomes a function. */
bool hlo_raise_call_op(const hlo_raise_call *c) {
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  hlo_raise_attributes list = {.count = 0};
  int callee = computation(c, c->instruction->opcode == HLO_OP_FUSION ? HLO_ATTR_calls : HLO_ATTR_to_apply);
  const hlo_shape *given = hlo_computation_root(c->r->module->computations[callee])->shape;
  if (!hlo_shape_compatible(c->instruction->shape, given)) /* HLO lets a call declare '?' for a size that is known */
    return hlo_raise_refuse(c, "gives %pS, but its computation gives %pS; a func.call gives what its function does", c->instruction->shape, given);
  for (int i = 0; i < c->instruction->operand_count; i++) {
    const hlo_computation *function = c->r->module->computations[callee];
    const hlo_shape *operand = hlo_raise_operand_shape(c, i), *parameter = function->instructions[function->parameters[i]]->shape;
    if (!hlo_shape_compatible(operand, parameter))
      return hlo_raise_refuse(c, "operand %d is %pS, but its computation takes %pS; a func.call takes what its function does", i, operand, parameter);
  }
  hlo_raise_push(&list, "callee", hlo_raise_function(c, callee));
  return operands && hlo_raise_finish(c, c->name, operands, count, &list, NULL, 0);
}

/* ---- custom-call ---- */

/* Makes dense<[0, 1]> : tensor<2xindex>, dimensions from minor to major; empty for tuples and tokens. */
static const hlo_mlir_attribute *layout(hlo_raising *r, const hlo_shape *shape) {
  int64_t order[HLO_MAX_RANK], rank = shape->rank;
  for (int i = 0; i < rank; i++) order[i] = shape->layout ? shape->layout->minor_to_major[i] : rank - 1 - i;
  return hlo_raise_dense(r, order, &rank, 1, true);
}

static const hlo_mlir_attribute *layouts(hlo_raising *r, const hlo_shape *const *shapes, int count) {
  const hlo_mlir_attribute **elements = hlo_arena_many(r->arena, const hlo_mlir_attribute *, count, r->status);
  for (int i = 0; elements && i < count; i++)
    if (!(elements[i] = layout(r, shapes[i]))) return NULL;
  return elements ? hlo_raise_list(r, elements, count) : NULL;
}

/* Adds operand_layouts from {f32[2,2]{0,1}, s32[]}, and result_layouts from the results' shapes. */
static void push_layouts(const hlo_raise_call *c, hlo_raise_attributes *list, const hlo_shape *const *results, int result_count) {
  const hlo_attribute *given = hlo_instruction_attribute(c->instruction, HLO_ATTR_operand_layout_constraints);
  int count = c->instruction->operand_count;
  const hlo_shape **shapes = given ? hlo_arena_many(c->r->arena, const hlo_shape *, count, c->r->status) : NULL;
  if (!shapes) return;
  hlo_status tried = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, given->text.text, given->text.length, &tried);
  bool ok = hlo_reader_expect(&reader, "{");
  for (int i = 0; ok && i < count; i++)
    ok = (i == 0 || hlo_reader_expect(&reader, ",")) && (shapes[i] = hlo_shape_read(&reader, c->r->arena)) && !hlo_shape_is_tuple(shapes[i]);
  for (int i = 0; ok && i < result_count; i++) ok = !hlo_shape_is_tuple(results[i]);
  hlo_status_out_of_memory(c->r->status, &tried);
  if (!ok) return;
  hlo_raise_push(list, "operand_layouts", layouts(c->r, shapes, count));
  hlo_raise_push(list, "result_layouts", layouts(c->r, results, result_count));
}

static const char *const api_versions[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                           "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

/* Adds backend_config: of typed calls (API_VERSION_TYPED_FFI) a dictionary, of others a string. */
static bool push_configuration(const hlo_raise_call *c, hlo_raise_attributes *list) {
  const hlo_attribute *version = hlo_instruction_attribute(c->instruction, HLO_ATTR_api_version);
  const hlo_attribute *config = hlo_instruction_attribute(c->instruction, HLO_ATTR_backend_config);
  int number = 1;
  for (int i = 0; version && i < 5; i++)
    if (hlo_span_is(version->text, api_versions[i])) number = i;
  hlo_raise_push(list, "api_version", hlo_raise_int(c->r, HLO_TYPE_S32, number));
  if (!config || !config->text.length) return true;
  const char *text = config->text.text;
  size_t length = config->text.length;
  bool dictionary = number == 4 && text[0] == '{', quoted = length > 1 && text[0] == '"';
  if (number == 4 && !dictionary) return true;
  if (dictionary) {
    hlo_status inner = {0};
    const hlo_mlir_attribute *parsed = hlo_mlir_parse_attribute(c->r->arena, text, length, &inner);
    if (hlo_status_out_of_memory(c->r->status, &inner)) return false;
    if (!parsed || parsed->kind != HLO_MLIR_DICT)
      return hlo_raise_refuse(c, "backend_config must be a dictionary of MLIR, such as {a = 1 : i32}, for API_VERSION_TYPED_FFI");
    hlo_raise_push(list, "backend_config", parsed);
    return true;
  }
  char *plain = hlo_arena_text(c->r->arena, text + quoted, length - 2 * quoted, c->r->status);
  if (!plain) return false;
  hlo_raise_push(list, "backend_config", hlo_raise_text(c->r, HLO_MLIR_STRING, plain, quoted ? hlo_unescape(plain, length - 2) : length));
  return true;
}

/* Makes {"tolerance":0.001} of a check an attribute of its own, as in StableHLO's suites. */
static void push_check(const hlo_raise_call *c, hlo_raise_attributes *list) {
  static const char *const names[] = {"tolerance", "max_ulp_difference", "min_ulp_difference"};
  const hlo_attribute *config = hlo_instruction_attribute(c->instruction, HLO_ATTR_backend_config);
  hlo_status ignored = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, config ? config->text.text : "", config ? config->text.length : 0, &ignored);
  for (bool more = hlo_reader_accept(&reader, "{"); more; more = hlo_reader_accept(&reader, ",")) {
    hlo_span name;
    double real;
    uint64_t whole;
    if (hlo_reader_peek(&reader) != '"' || !hlo_reader_quoted(&reader, &name) || !hlo_reader_expect(&reader, ":")) return;
    if (hlo_span_is(name, names[0]) && hlo_reader_double(&reader, &real)) hlo_raise_push(list, names[0], hlo_raise_f64(c->r, real));
    for (int i = 1; i < 3; i++)
      if (hlo_span_is(name, names[i]) && hlo_reader_uint(&reader, &whole)) hlo_raise_push(list, names[i], hlo_raise_int(c->r, HLO_TYPE_U64, (int64_t)whole));
  }
}

static const hlo_mlir_attribute *called(const hlo_raise_call *c) {
  hlo_ints ids = *hlo_instruction_ints(c->instruction, HLO_ATTR_called_computations);
  const hlo_mlir_attribute **symbols = hlo_arena_many(c->r->arena, const hlo_mlir_attribute *, ids.count, c->r->status);
  for (int i = 0; symbols && i < ids.count; i++)
    if (!(symbols[i] = hlo_raise_function(c, (int)ids.data[i]))) return NULL;
  return symbols && ids.count ? hlo_raise_list(c->r, symbols, ids.count) : NULL;
}

/* Operands and results of a custom call may be tuples. */
bool hlo_raise_custom_call(const hlo_raise_call *c) {
  hlo_raising *r = c->r;
  const hlo_shape *shape = c->instruction->shape;
  hlo_span target = hlo_instruction_attribute(c->instruction, HLO_ATTR_custom_call_target)->text;
  bool several = hlo_shape_is_tuple(shape) && shape->element_count != 1;
  const hlo_shape *const *results = several ? shape->elements : &shape;
  int result_count = several ? shape->element_count : 1, leaf_count, *operands = hlo_arena_many(r->arena, int, c->instruction->operand_count, r->status);
  for (int i = 0; operands && i < c->instruction->operand_count; i++) {
    hlo_raise_leaves leaves;
    if (!hlo_raise_operand(c, i, &leaves) || (operands[i] = hlo_raise_pack(c, hlo_raise_operand_shape(c, i), leaves.values)) < 0) return false;
  }
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "call_target_name", hlo_raise_text(r, HLO_MLIR_STRING, target.text, target.length));
  hlo_raise_push(&list, "called_computations", called(c));
  hlo_raise_push(&list, "has_side_effect", hlo_raise_bool(r, hlo_instruction_bool(c->instruction, HLO_ATTR_custom_call_has_side_effect, false)));
  if (hlo_span_begins(target, "check.")) push_check(c, &list);
  else if (!push_configuration(c, &list)) return false;
  push_layouts(c, &list, results, result_count);
  const hlo_attribute *sharding = hlo_instruction_attribute(c->instruction, HLO_ATTR_sharding);
  if (sharding) hlo_raise_push(&list, "mhlo.sharding", hlo_raise_text(r, HLO_MLIR_STRING, sharding->text.text, sharding->text.length));
  int first = operands ? hlo_raise_emit(c, c->name, operands, c->instruction->operand_count, &list, NULL, 0, results, result_count) : -1;
  int *values = first >= 0 && hlo_raise_leaf_shapes(r, shape, &leaf_count) ? hlo_arena_many(r->arena, int, leaf_count, r->status) : NULL, *next = values;
  for (int i = 0; values && i < result_count; i++)
    if (!hlo_raise_unpack(c, first + i, results[i], &next)) return false;
  return values && hlo_raise_set(c, values, leaf_count);
}

/* ---- Tuples ---- */

bool hlo_raise_tuple(const hlo_raise_call *c) {
  int count;
  const int *values = hlo_raise_operands(c, 0, &count);
  return values && hlo_raise_set(c, values, count);
}

bool hlo_raise_get_tuple_element(const hlo_raise_call *c) {
  hlo_raise_leaves leaves;
  const hlo_shape *tuple = hlo_raise_operand_shape(c, 0);
  int64_t index = hlo_instruction_int(c->instruction, HLO_ATTR_index, 0);
  int first = 0, count;
  if (!hlo_raise_operand(c, 0, &leaves)) return false;
  for (int64_t i = 0; i < index; i++) {
    if (!hlo_raise_leaf_shapes(c->r, tuple->elements[i], &count)) return false;
    first += count;
  }
  return hlo_raise_leaf_shapes(c->r, c->instruction->shape, &count) && hlo_raise_set(c, leaves.values + first, count);
}

/* A barrier passes no value before all its operands are there: so its result has waited for the token. */
bool hlo_raise_add_dependency(const hlo_raise_call *c) {
  int count, own;
  const int *operands = hlo_raise_operands(c, 0, &count);
  const hlo_shape *const *shapes = hlo_raise_leaf_shapes(c->r, hlo_raise_operand_shape(c, 0), &own);
  const hlo_shape **all = operands && shapes ? hlo_arena_many(c->r->arena, const hlo_shape *, count, c->r->status) : NULL;
  int *values = all ? hlo_arena_many(c->r->arena, int, own, c->r->status) : NULL;
  if (!values) return false;
  for (int i = 0; i < count; i++) all[i] = i < own ? shapes[i] : hlo_raise_operand_shape(c, 1);
  int first = hlo_raise_emit(c, c->name, operands, count, NULL, NULL, 0, all, count);
  for (int i = 0; i < own; i++) values[i] = first + i;
  return first >= 0 && hlo_raise_set(c, values, own);
}

/* ---- Ops with a -start: they run where they start ---- */

bool hlo_raise_async_start(const hlo_raise_call *c) {
  int index = hlo_instruction_async_computation(c->computation, c->instruction), count = c->instruction->operand_count;
  if (index < 0) return hlo_raise_refuse(c, "it has no computation");
  hlo_raise_leaves *parameters = hlo_arena_many(c->r->arena, hlo_raise_leaves, count, c->r->status), root;
  for (int i = 0; parameters && i < count; i++)
    if (!hlo_raise_operand(c, i, &parameters[i])) return false;
  return parameters && hlo_raise_body(c->r, c->r->module->computations[index], c->ops, parameters, &root) &&
         hlo_raise_started(c, root.values, root.count);
}

bool hlo_raise_copy_start(const hlo_raise_call *c) {
  hlo_raise_leaves leaves;
  return hlo_raise_operand(c, 0, &leaves) && hlo_raise_started(c, leaves.values, leaves.count);
}

bool hlo_raise_done(const hlo_raise_call *c) {
  hlo_raise_leaves leaves = c->leaves[c->instruction->operands[0]];
  leaves.started = c->instruction->opcode == HLO_OP_ASYNC_UPDATE;
  c->leaves[c->instruction->index] = leaves;
  return true;
}
