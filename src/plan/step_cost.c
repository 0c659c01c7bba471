#include "plan/step_cost.h"

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"

static double elements(const hlo_shape *shape) {
  double count = 0;
  for (int i = 0; i < hlo_shape_leaf_count(shape); i++)
    if (hlo_shape_is_array(hlo_shape_leaf(shape, i))) count += (double)hlo_shape_element_count(hlo_shape_leaf(shape, i));
  return count;
}

static double dot_flops(const hlo_computation *computation, const hlo_instruction *instruction) {
  const hlo_shape *lhs = hlo_operand(computation, instruction, 0)->shape;
  hlo_ints contracting = *hlo_instruction_ints(instruction, HLO_ATTR_lhs_contracting_dims);
  double flops = 2 * elements(instruction->shape);
  for (int i = 0; i < contracting.count; i++) flops *= (double)lhs->dims[contracting.data[i]];
  return flops;
}

/* Each output element takes a multiplication and an addition for each element of the kernel that belongs to its feature. */
static double convolution_flops(const hlo_computation *computation, const hlo_instruction *instruction) {
  const hlo_shape *kernel = hlo_operand(computation, instruction, 1)->shape;
  const hlo_dim_labels *labels = hlo_instruction_attribute(instruction, HLO_ATTR_dim_labels)->dim_labels;
  double features = (double)kernel->dims[labels->kernel_output_feature];
  return features > 0 ? 2 * elements(instruction->shape) * elements(kernel) / features : 0;
}

static double reduce_window_flops(const hlo_instruction *instruction) {
  const hlo_window *window = hlo_instruction_attribute(instruction, HLO_ATTR_window)->window;
  double flops = elements(instruction->shape);
  for (int d = 0; d < window->rank; d++) flops *= (double)window->dims[d].size;
  return flops;
}

static double computation_flops(const hlo_module *module, const hlo_computation *computation);

static double instruction_flops(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction) {
  switch (instruction->opcode) {
  case HLO_OP_DOT: return dot_flops(computation, instruction);
  case HLO_OP_CONVOLUTION: return convolution_flops(computation, instruction);
  case HLO_OP_REDUCE: return elements(hlo_operand(computation, instruction, 0)->shape);
  case HLO_OP_REDUCE_WINDOW: return reduce_window_flops(instruction);
  case HLO_OP_FUSION: return computation_flops(module, hlo_instruction_computation(module, instruction, HLO_ATTR_calls));
  default: return hlo_op_has(instruction->opcode, HLO_FLAG_ELEMENTWISE) ? elements(instruction->shape) : 0;
  }
}

static double computation_flops(const hlo_module *module, const hlo_computation *computation) {
  double flops = 0;
  for (int i = 0; i < computation->instruction_count; i++) flops += instruction_flops(module, computation, computation->instructions[i]);
  return flops;
}

double hlo_step_flops(const hlo_module *module, const hlo_computation *computation, const hlo_step *step) {
  bool runs = step->kind == HLO_STEP_KERNEL || step->kind == HLO_STEP_EVALUATE;
  double flops = runs ? instruction_flops(module, computation, step->instruction) : 0;
  for (int n = 0; n < step->covered_count; n++) flops += instruction_flops(module, computation, computation->instructions[step->covered[n]]);
  return flops;
}

static double place_bytes(const hlo_plan_place *places, int count) {
  double bytes = 0;
  for (int i = 0; i < count; i++)
    if (places[i].kind != HLO_PLACE_NONE) bytes += (double)places[i].bytes;
  return bytes;
}

double hlo_step_bytes(const hlo_step *step) {
  if (step->literals) return place_bytes(step->literals->places, step->literals->leaf_count);
  return step->kind == HLO_STEP_KERNEL ? place_bytes(step->operands, step->operand_count) + place_bytes(&step->result, 1) : 0;
}
