/* The transposes of a dot's or a convolution's operands go into its dimension numbers. A transpose of a dot's result that exchanges its two
 * sides exchanges the dot's operands:
 *
 *   transpose(dot(a, b)) -> dot(b, a)
 *
 * The features of a convolution come last where that is faster, and its result is transposed. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/shape.h"

static hlo_ints before(hlo_rewriter *r, hlo_ints dims, hlo_ints permutation) {
  int64_t *mapped = hlo_arena_many(&r->module->arena, int64_t, dims.count, r->status);
  for (int k = 0; mapped && k < dims.count; k++) mapped[k] = permutation.data[dims.data[k]];
  return (hlo_ints){mapped, dims.count};
}

static const hlo_instruction *transpose_of(const hlo_rewriter *r, const hlo_instruction *i, int n) {
  const hlo_instruction *operand = hlo_input(r, i, n);
  return operand->opcode == HLO_OP_TRANSPOSE && hlo_is_plain(r, operand) ? operand : NULL;
}

/* Adds the dot with other operands and dimension numbers. */
static int add_dot(hlo_rewriter *r, const hlo_instruction *i, const hlo_dot_dims *dims, const int *operands, const hlo_shape *shape) {
  if (!hlo_ok(r->status)) return HLO_KEEP;
  hlo_attribute *attributes = hlo_arena_many(r->scratch, hlo_attribute, i->attribute_count + HLO_DOT_ATTRIBUTES, r->status);
  if (!attributes) return HLO_KEEP;
  int count = hlo_dot_attributes(dims, attributes);
  for (int n = 0; n < i->attribute_count; n++)
    if (!hlo_is_dot_attribute(i->attributes[n].id)) attributes[count++] = i->attributes[n];
  return hlo_add(r, HLO_OP_DOT, shape, operands, 2, attributes, count);
}

static int dot(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_dot_dims dims = hlo_dot_dims_of(i);
  hlo_ints *batch[] = {&dims.lhs_batch, &dims.rhs_batch}, *contracting[] = {&dims.lhs_contracting, &dims.rhs_contracting};
  int operands[] = {i->operands[0], i->operands[1]};
  bool changes = false;
  for (int n = 0; n < 2; n++) {
    const hlo_instruction *transpose = transpose_of(r, i, n);
    hlo_ints permutation = transpose ? *hlo_instruction_ints(transpose, HLO_ATTR_dimensions) : (hlo_ints){0};
    if (!transpose || !hlo_keeps_order(permutation, hlo_ints_mask(batch[n]) | hlo_ints_mask(contracting[n]))) continue;
    *batch[n] = before(r, *batch[n], permutation);
    *contracting[n] = before(r, *contracting[n], permutation);
    operands[n] = transpose->operands[0];
    changes = true;
  }
  return changes ? add_dot(r, i, &dims, operands, i->shape) : HLO_KEEP;
}

/* True for a transpose that leaves the batch dimensions of a dot's result in place and puts the dimensions of rhs before those of lhs. */
static int transposed_dot(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *product = hlo_input(r, i, 0);
  if (product->opcode != HLO_OP_DOT || r->uses[product->index] > 1 || !hlo_is_plain(r, product)) return HLO_KEEP;
  const hlo_shape *lhs = hlo_input(r, product, 0)->shape, *rhs = hlo_input(r, product, 1)->shape;
  if (lhs->type != rhs->type || hlo_instruction_attribute(product, HLO_ATTR_operand_precision)) return HLO_KEEP;
  hlo_dot_dims dims = hlo_dot_dims_of(product);
  hlo_ints permutation = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  int batch = dims.lhs_batch.count, left = lhs->rank - batch - dims.lhs_contracting.count, right = permutation.count - batch - left;
  for (int d = 0; d < permutation.count; d++)
    if (permutation.data[d] != (d < batch ? d : d < batch + right ? d + left : d - right)) return HLO_KEEP;
  hlo_dot_dims exchanged = {.lhs_batch = dims.rhs_batch, .rhs_batch = dims.lhs_batch, .lhs_contracting = dims.rhs_contracting,
                            .rhs_contracting = dims.lhs_contracting};
  return add_dot(r, product, &exchanged, (int[]){product->operands[1], product->operands[0]}, i->shape);
}

static void relabel(int *batch, int *feature, int *spatial, int rank, hlo_ints permutation) {
  *batch = (int)permutation.data[*batch];
  *feature = (int)permutation.data[*feature];
  for (int d = 0; d < rank; d++) spatial[d] = (int)permutation.data[spatial[d]];
}

/* Returns whether features come last in the input and the output, or in neither of them: depthwise kernels want one of the two. */
static bool are_alike(const hlo_dim_labels *labels) {
  int last = labels->spatial_rank + 1;
  return (labels->input_feature == last) == (labels->output_feature == last);
}

static bool is_depthwise(const hlo_rewriter *r, const hlo_instruction *i, const hlo_dim_labels *labels) {
  return hlo_instruction_int(i, HLO_ATTR_feature_group_count, 1) > 1 && hlo_input(r, i, 1)->shape->dims[labels->kernel_input_feature] == 1;
}

/* Filters' gradients have more taps, which are the positions of the convolution, than positions. Where features do not come last, positions are columns of
 * products, and windows are gathered anew for each image: few positions are better rows. */
static int features_last(hlo_rewriter *r, const hlo_instruction *i, const hlo_dim_labels *old) {
  int rank = i->shape->rank, feature = old->output_feature;
  int64_t taps = 1, positions = 1, behind = 1, sizes[HLO_MAX_RANK], permutation[HLO_MAX_RANK];
  for (int d = 0; d < rank; d++) {
    permutation[d] = d < feature ? d : d > feature ? d - 1 : rank - 1;
    sizes[permutation[d]] = i->shape->dims[d];
    if (d > feature) behind *= i->shape->dims[d];
  }
  for (int d = 0; d < old->spatial_rank; d++) {
    taps *= hlo_input(r, i, 1)->shape->dims[old->kernel_spatial[d]];
    positions *= i->shape->dims[old->output_spatial[d]];
  }
  bool once = i->shape->dims[old->output_batch] < 2 && positions <= sizes[rank - 1]; /* and the windows of one image are */
  if (behind == 1 || taps <= positions || once || hlo_instruction_int(i, HLO_ATTR_feature_group_count, 1) > 1) return HLO_KEEP;
  hlo_dim_labels *labels = hlo_arena_copy(&r->module->arena, old, sizeof *old, r->status);
  if (!labels) return HLO_KEEP;
  relabel(&labels->output_batch, &labels->output_feature, labels->output_spatial, labels->spatial_rank, (hlo_ints){permutation, rank});
  const hlo_shape *shape = hlo_shape_for(r, i->shape->type, sizes, rank);
  int value = shape ? hlo_add_with(r, i, shape, i->operands, 2, (hlo_attribute){.id = HLO_ATTR_dim_labels, .dim_labels = labels}) : HLO_KEEP;
  return value < 0 ? HLO_KEEP : hlo_add_transpose(r, value, permutation, rank);
}

static int convolution(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *lhs = transpose_of(r, i, 0), *rhs = transpose_of(r, i, 1);
  const hlo_dim_labels *old = hlo_instruction_attribute(i, HLO_ATTR_dim_labels)->dim_labels;
  if (!lhs && !rhs) return features_last(r, i, old);
  hlo_dim_labels *labels = hlo_arena_copy(&r->module->arena, old, sizeof *old, r->status);
  if (!labels) return HLO_KEEP;
  if (lhs)
    relabel(&labels->input_batch, &labels->input_feature, labels->input_spatial, labels->spatial_rank,
            *hlo_instruction_ints(lhs, HLO_ATTR_dimensions));
  if (rhs)
    relabel(&labels->kernel_input_feature, &labels->kernel_output_feature, labels->kernel_spatial, labels->spatial_rank,
            *hlo_instruction_ints(rhs, HLO_ATTR_dimensions));
  if (is_depthwise(r, i, old) && are_alike(old) && !are_alike(labels)) return HLO_KEEP;
  const int operands[] = {lhs ? lhs->operands[0] : i->operands[0], rhs ? rhs->operands[0] : i->operands[1]};
  return hlo_add_with(r, i, i->shape, operands, 2, (hlo_attribute){.id = HLO_ATTR_dim_labels, .dim_labels = labels});
}

int hlo_absorb_transposes(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_TRANSPOSE && hlo_is_plain(r, i)) return transposed_dot(r, i);
  if ((i->opcode != HLO_OP_DOT && i->opcode != HLO_OP_CONVOLUTION) || !hlo_is_plain(r, i)) return HLO_KEEP;
  return i->opcode == HLO_OP_DOT ? dot(r, i) : convolution(r, i);
}
