/* Lowers the custom calls that JAX writes for operations of dynamic shape. */
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MESSAGE_BYTES = 1024, MAX_RESULTS = 64 };

/* Replaces {0}, {1}, ... in error_message by the operands after the condition. */
static void format_message(const hlo_lower_call *c, hlo_span message, char *text, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < message.length && length + 24 < size; i++) {
    int number = i + 2 < message.length && message.text[i] == '{' && message.text[i + 2] == '}' ? message.text[i + 1] - '0' + 1 : -1;
    const hlo_literal *value = number > 0 && number < c->op->operand_count ? hlo_lower_constant_of(c->computation, hlo_lower_operand(c, number)) : NULL;
    if (!value) {
      text[length++] = message.text[i];
      continue;
    }
    length += (size_t)hlo_format(text + length, size - length, "%lld", (long long)hlo_literal_get(value, 0).s);
    i += 2;
  }
  text[length] = 0;
}

/* An assertion whose condition is known either holds, and leaves no instruction, or fails. If its condition depends on a value that the
 * caller could give, that value has to be known. */
static bool lower_assertion(const hlo_lower_call *c, bool *done) {
  int condition = hlo_lower_operand(c, 0);
  const hlo_literal *known = condition < 0 ? NULL : hlo_lower_constant_of(c->computation, condition);
  if (!known && condition >= 0 && hlo_lower_want_arguments(c, condition))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "the condition is not known: it depends on the value of parameter");
  if (!known) return condition >= 0;
  *done = true;
  if (hlo_literal_get(known, 0).u) return true;
  const hlo_mlir_attribute *message = hlo_mlir_find(c->op, "error_message");
  char text[MESSAGE_BYTES];
  format_message(c, message ? message->text : (hlo_span){"shape_assertion", 15}, text, sizeof text);
  return hlo_lower_fail(c, HLO_SHAPE, "%s", text);
}

/* ---- dynamic_reduce_window ---- */

int hlo_lower_called_function(const hlo_lower_call *c) {
  const hlo_mlir_attribute *called = hlo_mlir_find(c->op, "called_computations");
  if (!called || called->kind != HLO_MLIR_ARRAY || called->count != 1)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute called_computations, a list of one function"), -1;
  return hlo_lower_function(c, called->elements[0]);
}

/* Operands are the inputs, as many initial values, then sizes, strides, base dilations, dilations, padding. */
static bool lower_reduce_window(const hlo_lower_call *c) {
  static const char *const names[] = {"window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding", NULL};
  int inputs = c->op->operand_count - 5;
  if (inputs < 2 || inputs % 2)
    return hlo_lower_fail(c, HLO_SHAPE, "takes inputs, as many initial values, and five lists, got %d operands",
                          c->op->operand_count);
  return hlo_lower_with_known_operands(c, HLO_OP_REDUCE_WINDOW, inputs, names);
}

/* ---- dynamic_rng_bit_generator ---- */

static bool lower_rng_bit_generator(const hlo_lower_call *c) {
  const hlo_shape *settled[2];
  int state = hlo_lower_operand(c, 0);
  if (c->op->operand_count != 2 || c->op->result_count != 2)
    return hlo_lower_fail(c, HLO_SHAPE, "takes a state and a shape, and has two results");
  if (state < 0 || !hlo_lower_settle_result(c, 0, hlo_lower_shape_of(c, state), &settled[0]) || !hlo_lower_sized_result(c, 1, 1, &settled[1])) return false;
  hlo_lower_call inner = *c;
  inner.settled = settled;
  inner.opcode = HLO_OP_RNG_BIT_GENERATOR;
  inner.known = (const char *const[]){NULL};
  inner.first_known = 1;
  return hlo_lower_formed(&inner);
}

/* ---- dynamic_top_k ---- */

static bool lower_top_k(const hlo_lower_call *c) { return hlo_lower_with_known_operands(c, HLO_OP_TOPK, 1, (const char *const[]){"k", NULL}); }

/* ---- ApproxTopK, dynamic_approx_top_k: computed exactly, by a sort and a slice ---- */

static bool slice_first(const hlo_lower_call *c, int sorted, int count, int64_t dimension, int64_t k) {
  int results[MAX_RESULTS];
  for (int i = 0; i < count; i++) {
    int part = count == 1 ? sorted : hlo_lower_element(c, sorted, i);
    if (part < 0) return false;
    const hlo_shape *shape = hlo_lower_shape_of(c, part);
    int64_t starts[HLO_MAX_RANK] = {0}, sizes[HLO_MAX_RANK];
    for (int d = 0; d < shape->rank; d++) sizes[d] = d == dimension ? k : shape->dims[d];
    if ((results[i] = hlo_lower_slice(c, part, shape->rank, starts, sizes)) < 0) return false;
  }
  return hlo_lower_bind(c, results);
}

static bool config_int(const hlo_lower_call *c, const char *name, int64_t *value) {
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "mhlo.backend_config"), *entry = config ? hlo_mlir_entry(config, name) : NULL;
  if (!entry || (entry->kind != HLO_MLIR_INT && entry->kind != HLO_MLIR_BOOL))
    return hlo_lower_fail(c, HLO_SHAPE, "requires %s in mhlo.backend_config", name);
  *value = entry->integer;
  return true;
}

/* Operands are the inputs, as many initial values, k unless it is an attribute, and the results' shapes. The comparator takes two
 * elements of each input. */
static bool lower_approx_top_k(const hlo_lower_call *c) {
  int count = c->op->result_count;
  bool dynamic = c->op->operand_count > 2 * count;
  int64_t along, aggregate, fixed;
  hlo_ints k = {&fixed, 1};
  if (count < 1 || count > MAX_RESULTS || c->op->operand_count < 2 * count)
    return hlo_lower_fail(c, HLO_SHAPE, "takes operands, as many initial values, and k");
  if (!config_int(c, "reduction_dim", &along) || !config_int(c, "aggregate_to_topk", &aggregate)) return false;
  if (!aggregate) return hlo_lower_fail(c, HLO_UNSUPPORTED, "candidates that are not aggregated to the top k");
  const int *operands = hlo_lower_operands(c, 0, count);
  if (!operands || !(dynamic ? hlo_lower_known_ints(c, 2 * count, "k", &k) : config_int(c, "top_k", &fixed))) return false;
  int64_t *dimension = hlo_arena_copy(c->l->arena, &along, sizeof along, c->l->status);
  int function = hlo_lower_called_function(c), rank = hlo_lower_shape_of(c, operands[0])->rank;
  if (function < 0 || !dimension) return false;
  if (*dimension < 0) *dimension += rank;
  if (*dimension < 0 || *dimension >= rank || k.count != 1)
    return hlo_lower_fail(c, HLO_SHAPE, "reduction_dim must be a dimension of the operands, and k one number");
  hlo_attribute attributes[3] = {hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){dimension, 1}), hlo_lower_bool(HLO_ATTR_is_stable, true),
                                 hlo_lower_computation(HLO_ATTR_to_apply, function)};
  int sorted = hlo_lower_emit(c, HLO_OP_SORT, NULL, operands, count, attributes, 3);
  return sorted >= 0 && slice_first(c, sorted, count, *dimension, k.data[0]);
}

/* ---- All other calls: indices_of_shape_operands lists the operands that give the shapes of the results ---- */

static bool takes_operand_shape(hlo_span target) {
  static const char *const targets[] = {"Sharding", "LayoutConstraint", "MoveToDevice", "MoveToHost", "annotate_device_placement",
                                        "AssumeGatherIndicesInBound", "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier"};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (hlo_span_is(target, targets[i])) return true;
  return false;
}

static bool lower_shaped_call(const hlo_lower_call *c, bool *done) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, "indices_of_shape_operands");
  const hlo_shape *settled[MAX_RESULTS];
  hlo_ints which;
  if (!attribute) return true;
  if (!hlo_lower_read_ints(c, attribute, "indices_of_shape_operands", &which)) return false;
  if (which.count != c->op->result_count || which.count > MAX_RESULTS)
    return hlo_lower_fail(c, HLO_SHAPE, "indices_of_shape_operands must have one value for each of %d results, got %d",
                          c->op->result_count, which.count);
  int kept = c->op->operand_count;
  for (int i = 0; i < which.count; i++) {
    if (which.data[i] < 0 || which.data[i] >= c->op->operand_count)
      return hlo_lower_fail(c, HLO_SHAPE, "there is no operand %lld", (long long)which.data[i]);
    if (!hlo_lower_sized_result(c, i, (int)which.data[i], &settled[i])) return false;
    if (which.data[i] < kept) kept = (int)which.data[i]; /* the operands from the first such one on are only shapes */
  }
  hlo_mlir_op op = *c->op;
  op.operand_count = kept;
  hlo_lower_call inner = *c;
  inner.settled = settled;
  inner.op = &op;
  *done = true;
  return hlo_lower_custom_call(&inner);
}

bool hlo_lower_dynamic_call(const hlo_lower_call *c, hlo_span target, bool *done) {
  static const struct {
    const char *name;
    bool (*rule)(const hlo_lower_call *c);
  } rules[] = {{"ApproxTopK", lower_approx_top_k},
               {"stablehlo.dynamic_reduce_window", lower_reduce_window},
               {"stablehlo.dynamic_rng_bit_generator", lower_rng_bit_generator},
               {"stablehlo.dynamic_top_k", lower_top_k},
               {"stablehlo.dynamic_approx_top_k", lower_approx_top_k},
               {"stablehlo.shape_refinement_operand_wrapper", hlo_lower_identity}};
  if (hlo_span_is(target, "shape_assertion")) return lower_assertion(c, done);
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (!hlo_span_is(target, rules[i].name)) continue;
    *done = true;
    return rules[i].rule(c);
  }
  if (c->settled) return true;
  if (takes_operand_shape(target) && c->op->operand_count == 1 && c->op->result_count == 1 && c->l->refines) {
    const hlo_shape *settled;
    int operand = hlo_lower_operand(c, 0);
    if (operand < 0 || !hlo_lower_settle_result(c, 0, hlo_lower_shape_of(c, operand), &settled)) return false;
    hlo_lower_call inner = *c;
    inner.settled = &settled;
    *done = true;
    return hlo_lower_custom_call(&inner);
  }
  return lower_shaped_call(c, done);
}
