/* Lowers operations that the conformance suites add: checks, and programs that run side by side. Both become custom calls with
 * their parameters in backend_config. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static hlo_attribute raw(hlo_attribute_id id, const char *text) {
  return (hlo_attribute){.id = id, .text = {text, text ? strlen(text) : 0}};
}

static bool number(const hlo_mlir_attribute *attribute, double *value) {
  if (!attribute || (attribute->kind != HLO_MLIR_FLOAT && attribute->kind != HLO_MLIR_INT)) return false;
  *value = attribute->kind == HLO_MLIR_FLOAT ? attribute->real : (double)attribute->integer;
  return true;
}

/* Makes the constant that a ..._const check compares with. */
static int expected_constant(const hlo_lower_call *c) {
  const hlo_mlir_attribute *value = hlo_mlir_find(c->op, "value");
  if (!value || value->kind != HLO_MLIR_DENSE)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute value, a dense array of elements"), -1;
  const hlo_shape *shape = hlo_lower_shape(c->l, value->type ? value->type->shape : value->literal->shape);
  return shape ? hlo_lower_elements(c, value, shape) : -1;
}

/* Returns, for example, "check.expect_close", from the op's name or the target of a custom call. */
static const char *check_target(const hlo_lower_call *c) {
  const hlo_mlir_attribute *target = hlo_mlir_find(c->op, "call_target_name");
  hlo_span name = target ? target->text : c->op->name;
  if (hlo_span_ends(name, "_const")) name.length -= strlen("_const");
  return hlo_arena_text(c->l->arena, name.text, name.length, c->l->status);
}

static const char *check_config(const hlo_lower_call *c, const char *target) {
  double value;
  if (number(hlo_mlir_find(c->op, "tolerance"), &value)) return hlo_arena_format(c->l->arena, c->l->status, "{\"tolerance\":%.17g}", value);
  const hlo_mlir_attribute *max = hlo_mlir_find(c->op, "max_ulp_difference"), *min = hlo_mlir_find(c->op, "min_ulp_difference");
  if ((max && max->kind == HLO_MLIR_INT) || (min && min->kind == HLO_MLIR_INT)) /* both are unsigned and have 64 bits */
    return hlo_arena_format(c->l->arena, c->l->status, "{\"max_ulp_difference\":%llu,\"min_ulp_difference\":%llu}",
                            max ? (unsigned long long)max->integer : 3, min ? (unsigned long long)min->integer : 0);
  bool called = hlo_mlir_find(c->op, "call_target_name") != NULL;
  return called && strcmp(target, "check.expect_almost_eq") == 0 ? "{\"tolerance\":0.001}" : "{}";
}

bool hlo_lower_check(const hlo_lower_call *c) {
  bool constant = hlo_span_ends(c->op->name, "_const");
  int operands[2] = {hlo_lower_operand(c, 0), -1};
  if (operands[0] < 0 || (operands[1] = constant ? expected_constant(c) : hlo_lower_operand(c, 1)) < 0) return false;
  if (!hlo_shape_compatible(hlo_lower_shape_of(c, operands[0]), hlo_lower_shape_of(c, operands[1])))
    return hlo_lower_fail(c, HLO_SHAPE, "a check takes two arrays of the same shape, got %pS and %pS",
                          hlo_lower_shape_of(c, operands[0]), hlo_lower_shape_of(c, operands[1]));
  const char *target = check_target(c), *config = target ? check_config(c, target) : NULL;
  const hlo_shape *shape = hlo_lower_results_shape(c);
  if (!config || !shape) return false;
  hlo_attribute attributes[3] = {raw(HLO_ATTR_custom_call_target, target), hlo_lower_bool(HLO_ATTR_custom_call_has_side_effect, true),
                                 raw(HLO_ATTR_backend_config, config)};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_CUSTOM_CALL, shape, operands, 2, attributes, 3));
}

/* ---- interpreter.run_parallel ---- */

typedef struct programs {
  int64_t *computations; /* one for each of replicas x partitions, then those for infeeds */
  int count, replicas, partitions, infeeds;
} programs;

static bool push_program(const hlo_lower_call *c, programs *p, const hlo_mlir_attribute *symbol) {
  int index = hlo_lower_function(c, symbol);
  if (index < 0) return false;
  p->computations[p->count++] = index;
  return true;
}

static int symbol_count(const hlo_mlir_attribute *list) {
  int count = 0;
  for (int i = 0; list && list->kind == HLO_MLIR_ARRAY && i < list->count; i++)
    count += list->elements[i]->kind == HLO_MLIR_ARRAY ? list->elements[i]->count : 1;
  return count;
}

static bool read_programs(const hlo_lower_call *c, programs *p) {
  const hlo_mlir_attribute *grid = hlo_mlir_find(c->op, "programs"), *infeed = hlo_mlir_find(c->op, "infeed");
  if (!grid || grid->kind != HLO_MLIR_ARRAY || grid->count < 1)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute programs, a list of lists of functions");
  p->computations = hlo_arena_many(c->l->arena, int64_t, symbol_count(grid) + symbol_count(infeed), c->l->status);
  if (!p->computations) return false;
  p->replicas = grid->count;
  for (int i = 0; i < grid->count; i++) {
    const hlo_mlir_attribute *row = grid->elements[i];
    if (row->kind != HLO_MLIR_ARRAY || row->count < 1 || row->count != grid->elements[0]->count)
      return hlo_lower_fail(c, HLO_SHAPE, "programs must have as many functions for every replica");
    p->partitions = row->count;
    for (int k = 0; k < row->count; k++)
      if (!push_program(c, p, row->elements[k])) return false;
  }
  for (; infeed && infeed->kind == HLO_MLIR_ARRAY && p->infeeds < infeed->count; p->infeeds++)
    if (!push_program(c, p, infeed->elements[p->infeeds])) return false;
  return true;
}

bool hlo_lower_run_parallel(const hlo_lower_call *c) {
  programs p = {0};
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  const hlo_shape *shape = hlo_lower_results_shape(c);
  if (!operands || !shape || !read_programs(c, &p)) return false;
  const char *config = hlo_arena_format(c->l->arena, c->l->status, "{\"replicas\":%d,\"partitions\":%d,\"infeeds\":%d}", p.replicas,
                                        p.partitions, p.infeeds);
  if (!config) return false;
  hlo_attribute attributes[4] = {raw(HLO_ATTR_custom_call_target, "interpreter.run_parallel"),
                                 hlo_lower_bool(HLO_ATTR_custom_call_has_side_effect, true),
                                 hlo_lower_ints(HLO_ATTR_called_computations, (hlo_ints){p.computations, p.count}),
                                 raw(HLO_ATTR_backend_config, config)};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_CUSTOM_CALL, shape, operands, c->op->operand_count, attributes, 4));
}
