/* Rules for reductions, operations between processes, and chlo.scan. */
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"

/* Results have the elements that the reduction function returns, which must have at least the range of the inputs' elements;
 * if quantized, inputs and results express the same type. */
bool hlo_check_reduction(const hlo_check *c) {
  const hlo_mlir_op *end = hlo_check_terminator(hlo_check_block(c, c->op->region_count - 1));
  int count = end ? end->operand_count : 0;
  for (int i = 0; count && i < c->op->result_count && i < c->op->operand_count; i++) {
    const hlo_mlir_type *returned = hlo_mlir_operand_type(c->tree, end, i % count);
    const hlo_shape *from = hlo_check_operand_shape(c, i), *to = hlo_check_tensor(returned), *result = hlo_check_result_shape(c, i);
    if (!to || !from) break; /* lowering refuses this */
    bool suits = !from->quantization == !to->quantization &&
                 (to->quantization ? to->quantization->expressed_type == from->quantization->expressed_type : hlo_type_classify(from->type) == hlo_type_classify(to->type));
    bool wide = hlo_type_is_float(from->type) || hlo_type_bits(from->type) <= hlo_type_bits(to->type);
    if (!suits || !wide || !hlo_check_elements_agree(result, to))
      return hlo_check_fail(c, "the reduction function must return elements of result %d, made of those of operand %d, got %pT", i, i, returned);
  }
  return true;
}

/* With has_dynamic_root, the last operand holds a root for each of the others, and only those have results. */
bool hlo_check_root(const hlo_check *c) {
  bool dynamic = hlo_check_flag(c, "has_dynamic_root");
  int count = c->op->operand_count - dynamic;
  if (count < 1 || c->op->result_count != count)
    return hlo_check_fail(c, "takes at least one operand%s and gives a result for each, got %d operands and %d results",
                          dynamic ? " and the root" : "", c->op->operand_count, c->op->result_count);
  if (!dynamic) return true;
  const hlo_shape *root = hlo_check_operand_shape(c, count);
  bool fits = root->type == HLO_TYPE_S32 && root->rank == 1 && (!hlo_shape_is_static(root) || root->dims[0] == count);
  return fits || hlo_check_fail(c, "the root must be i32 of rank 1, with an element for each of %d operands, got %pT", count,
                                hlo_check_operand(c, count));
}

bool hlo_check_collective_reduce(const hlo_check *c) { return hlo_check_root(c) && hlo_check_reduction(c); }

bool hlo_check_infeed(const hlo_check *c) {
  const hlo_mlir_attribute *layout = hlo_mlir_find(c->op, "layout");
  if (!layout) return true;
  bool fits = layout->kind == HLO_MLIR_ARRAY && layout->count == c->op->result_count - 1;
  for (int i = 0; fits && i < layout->count; i++) {
    const hlo_mlir_attribute *one = layout->elements[i];
    fits = one->kind == HLO_MLIR_ARRAY;
    for (int j = 0; fits && j < one->count; j++) fits = one->elements[j]->kind == HLO_MLIR_INT;
  }
  return fits || hlo_check_fail(c, "layout must have a list of integers for each of the %d results but the token, got %pA",
                                c->op->result_count - 1, layout);
}

/* Channel types: 1 between devices, 2 from a device to the host, 3 from the host to a device. */
static bool check_channel_type(const hlo_check *c, int host_type) {
  const hlo_mlir_attribute *type = hlo_mlir_entry(hlo_mlir_find(c->op, "channel_handle"), "type");
  bool host = hlo_check_flag(c, "is_host_transfer");
  int wanted = host ? host_type : 1;
  if (type && type->integer == wanted) return true;
  return hlo_check_fail(c, "channel_type must be %d when is_host_transfer is %s, got %lld", wanted, host ? "true" : "false",
                        type ? (long long)type->integer : 0);
}

bool hlo_check_send(const hlo_check *c) { return check_channel_type(c, 2); }
bool hlo_check_recv(const hlo_check *c) { return check_channel_type(c, 3); }

/* Checks that two segments, inputs and carried values, have `count` values together. */
static bool segments_fit(const hlo_check *c, const char *name, int count) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  hlo_check_list sizes = hlo_check_view(a);
  if (!a) return true;
  return a->kind == HLO_MLIR_DENSE && sizes.count == 2 && hlo_check_at(&sizes, 0) >= 0 && hlo_check_at(&sizes, 1) >= 0 &&
         hlo_check_at(&sizes, 0) + hlo_check_at(&sizes, 1) == count;
}

bool hlo_check_scan(const hlo_check *c) {
  return (segments_fit(c, "operandSegmentSizes", c->op->operand_count) && segments_fit(c, "resultSegmentSizes", c->op->result_count)) ||
         hlo_check_fail(c, "operandSegmentSizes and resultSegmentSizes must count the operands and the results");
}
