/* Raises dimension numbers of convolutions, random numbers, top-k, and windows that StableHLO does not have. */
#include <string.h>

#include "base/status.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"
#include "stablehlo/raise/raise.h"

/* Writes [b, 0, 1, f] from the places of batch (or input feature), feature (or output feature) and spatial dimensions. */
static void write_labels(hlo_writer *w, int spatial_rank, int first, char first_label, int second, char second_label, const int *spatial) {
  hlo_write_char(w, '[');
  for (int i = 0; i < spatial_rank + 2; i++) {
    if (i) hlo_write(w, ", ");
    if (i == first) hlo_write_char(w, first_label);
    else if (i == second) hlo_write_char(w, second_label);
    for (int k = 0; k < spatial_rank; k++)
      if (spatial[k] == i) hlo_write_int(w, k);
  }
  hlo_write_char(w, ']');
}

const hlo_mlir_attribute *hlo_raise_labels(const hlo_raise_call *c) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(c->instruction, HLO_ATTR_dim_labels)->dim_labels;
  hlo_writer w;
  hlo_writer_init(&w, c->r->status);
  write_labels(&w, labels->spatial_rank, labels->input_batch, 'b', labels->input_feature, 'f', labels->input_spatial);
  hlo_write_char(&w, 'x');
  write_labels(&w, labels->spatial_rank, labels->kernel_input_feature, 'i', labels->kernel_output_feature, 'o', labels->kernel_spatial);
  hlo_write(&w, "->");
  write_labels(&w, labels->spatial_rank, labels->output_batch, 'b', labels->output_feature, 'f', labels->output_spatial);
  const hlo_mlir_attribute *attribute = hlo_ok(c->r->status) ? hlo_raise_text(c->r, HLO_MLIR_CONV, w.text, w.length) : NULL;
  hlo_writer_free(&w);
  return attribute;
}

/* StableHLO takes the result's dimensions as an operand. */
bool hlo_raise_rng(const hlo_raise_call *c) {
  const hlo_shape *shape = c->instruction->shape;
  int64_t rank = shape->rank;
  int count, regions = 0;
  const int *operands = hlo_raise_operands(c, 0, &count);
  hlo_raise_attributes value = {.count = 0}, list = {.count = 0};
  hlo_raise_push(&value, "value", hlo_raise_dense(c->r, shape->dims, &rank, 1, false));
  if (!operands || count != 2) return operands && hlo_raise_refuse(c, "expected 2 operands, got %d", count);
  int dims = hlo_raise_one(c, "stablehlo.constant", NULL, 0, &value, hlo_shape_make(c->r->arena, HLO_TYPE_S64, &rank, 1, c->r->status));
  int all[3] = {operands[0], operands[1], dims};
  return dims >= 0 && hlo_raise_forms(c, &list, NULL, &regions) && hlo_raise_finish(c, c->name, all, 3, &list, NULL, 0);
}

bool hlo_raise_rng_bit_generator(const hlo_raise_call *c) {
  return hlo_shape_is_tuple(c->instruction->shape) ? hlo_raise_formed(c) : hlo_raise_refuse(c, "the result must be a state and bits");
}

/* StableHLO's windows cannot be reversed, and those of select-and-scatter cannot be dilated. */
bool hlo_raise_windowed(const hlo_raise_call *c) {
  const hlo_window *window = hlo_instruction_window(c->instruction);
  bool reduces = c->instruction->opcode == HLO_OP_REDUCE_WINDOW;
  for (int i = 0; i < window->rank; i++) {
    const hlo_window_dim *d = &window->dims[i];
    if (d->reversal || (!reduces && (d->base_dilation != 1 || d->window_dilation != 1)))
      return hlo_raise_refuse(c, "StableHLO has no %sreversal of windows here", reduces ? "" : "dilation or ");
  }
  return hlo_raise_formed(c);
}

/* Makes the comparator "less than", in total order, of the first two of four arguments. */
static bool less_region(const hlo_raise_call *c, const hlo_shape *key, const hlo_shape *index, hlo_mlir_region *region) {
  hlo_raising *r = c->r;
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  hlo_raise_call inner = *c;
  inner.ops = &ops;
  const char *type = hlo_type_is_float(key->type) ? "TOTALORDER" : hlo_type_is_signed(key->type) ? "SIGNED" : "UNSIGNED";
  hlo_raise_attributes list = {.count = 0};
  *region = (hlo_mlir_region){.block_count = 1, .block = {.argument_count = 4, .first_argument = r->values.count}};
  for (int i = 0; i < 4; i++)
    if (hlo_raise_value(r, i < 2 ? key : index) < 0) return false;
  hlo_raise_push(&list, "compare_type", hlo_raise_word(r, type));
  hlo_raise_push(&list, "comparison_direction", hlo_raise_word(r, "LT"));
  int first = region->block.first_argument;
  const hlo_shape *pred = hlo_shape_make(r->arena, HLO_TYPE_PRED, NULL, 0, r->status);
  int less = pred ? hlo_raise_one(&inner, "stablehlo.compare", (const int[]){first, first + 1}, 2, &list, pred) : -1;
  bool ok = less >= 0 && hlo_raise_emit(&inner, "stablehlo.return", &less, 1, NULL, NULL, 0, NULL, 0) >= 0;
  region->block.op_count = ops.count;
  ok = ok && (region->block.ops = hlo_list_take(&ops, r->arena, r->status)) != NULL;
  hlo_list_drop(&ops);
  return ok;
}

/* chlo.top_k has only the largest elements, so the smallest are the first of a stable sort, which also sorts their indices. */
static bool smallest(const hlo_raise_call *c) {
  hlo_raising *r = c->r;
  const hlo_shape *shape = hlo_raise_operand_shape(c, 0), *const *parts = c->instruction->shape->elements;
  if (!hlo_shape_is_static(shape)) return hlo_raise_refuse(c, "of the smallest of %s, whose size is not known", HLO_SHAPE_TEXT(shape));
  int rank = shape->rank, count;
  const hlo_shape *all[2] = {shape, hlo_shape_make(r->arena, HLO_TYPE_S32, shape->dims, rank, r->status)};
  const hlo_shape *key = hlo_shape_make(r->arena, shape->type, NULL, 0, r->status);
  const hlo_shape *index = hlo_shape_make(r->arena, HLO_TYPE_S32, NULL, 0, r->status);
  const int *operands = hlo_raise_operands(c, 0, &count);
  hlo_raise_attributes places = {.count = 0}, order = {.count = 0};
  hlo_mlir_region region;
  if (!operands || !all[1] || !key || !index || !less_region(c, key, index, &region)) return false;
  hlo_raise_push(&places, "iota_dimension", hlo_raise_int(r, HLO_TYPE_S64, rank - 1));
  hlo_raise_push(&order, "dimension", hlo_raise_int(r, HLO_TYPE_S64, rank - 1));
  hlo_raise_push(&order, "is_stable", hlo_raise_bool(r, true));
  int sorted[2] = {operands[0], hlo_raise_one(c, "stablehlo.iota", NULL, 0, &places, all[1])}, first = -1;
  if (sorted[1] >= 0) first = hlo_raise_emit(c, "stablehlo.sort", sorted, 2, &order, &region, 1, all, 2);
  if (first < 0) return false;
  int64_t starts[HLO_MAX_RANK] = {0};
  for (int i = 0; i < 2; i++)
    if ((sorted[i] = hlo_raise_slice(c, first + i, shape, starts, parts[i])) < 0) return false;
  return hlo_raise_set(c, sorted, 2);
}

bool hlo_raise_top_k(const hlo_raise_call *c) {
  return hlo_instruction_bool(c->instruction, HLO_ATTR_largest, true) ? hlo_raise_formed(c) : smallest(c);
}
