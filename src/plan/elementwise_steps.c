/* Element-wise steps. A broadcast scalar is handed to the kernel as the one element that it is. */
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

typedef struct elementwise_parameters {
  hlo_elementwise_kernel *kernel;
  unsigned scalars;
  bool all_scalars; /* then one element is computed, and repeated */
  int element_bytes;
  int64_t count;
} elementwise_parameters;

static void run_elementwise(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const elementwise_parameters *p = parameters;
  if (!p->all_scalars) {
    p->kernel(operands, p->scalars, result, p->count);
  } else if (p->count > 0) {
    p->kernel(operands, 0, result, 1);
    hlo_fill((char *)result + p->element_bytes, result, p->element_bytes, p->count - 1);
  }
}

static bool is_one_element(const hlo_shape *shape) {
  return hlo_kernel_handles(shape) && hlo_shape_element_count(shape) == 1;
}

/* The single element that an operand repeats: itself, or what a broadcast was given. -1 where it repeats nothing. */
static int repeated_element(const hlo_computation *computation, int operand) {
  const hlo_instruction *instruction = hlo_instruction_at(computation, operand);
  while (instruction->opcode == HLO_OP_BROADCAST || (instruction->opcode == HLO_OP_RESHAPE && is_one_element(instruction->shape)))
    instruction = hlo_operand(computation, instruction, 0);
  return is_one_element(instruction->shape) ? instruction->index : -1;
}

static bool finish(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_elementwise_kernel *kernel) {
  const hlo_shape *shape = question->instruction->shape;
  elementwise_parameters p = {.kernel = kernel, .element_bytes = hlo_type_bytes(shape->type),
                              .count = hlo_shape_element_count(shape)};
  for (int n = 0; n < choice->operand_count; n++) {
    int element = p.count == 1 ? -1 : repeated_element(question->computation, choice->operands[n]);
    if (element >= 0) {
      choice->operands[n] = element;
      p.scalars |= 1u << n;
    } else if (hlo_type_bytes(hlo_operand(question->computation, question->instruction, n)->shape->type) == p.element_bytes) {
      choice->overwritable |= 1u << n;
    }
  }
  p.all_scalars = p.scalars == (1u << choice->operand_count) - 1;
  choice->run = run_elementwise;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}

/* compare: the direction, and a comparison type that is the type's own. */
static bool variant_fits(const hlo_kernel_question *question) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->opcode != HLO_OP_COMPARE) return true;
  int own = hlo_default_comparison_type(hlo_operand(question->computation, instruction, 0)->shape->type);
  return hlo_instruction_enum(instruction, HLO_ATTR_comparison_type, own) == own &&
         hlo_instruction_enum(instruction, HLO_ATTR_direction, HLO_direction_EQ) == question->row->variant;
}

bool hlo_setup_elementwise(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return variant_fits(question) && finish(question, choice, question->row->elementwise);
}

bool hlo_setup_select(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  switch (hlo_type_bytes(question->instruction->shape->type)) {
  case 1: choice->kernel = "select_1_simd128"; return finish(question, choice, hlo_select_1_simd128);
  case 2: choice->kernel = "select_2_scalar"; return finish(question, choice, hlo_select_2_scalar);
  case 4: choice->kernel = "select_4_simd128"; return finish(question, choice, hlo_select_4_simd128);
  case 8: choice->kernel = "select_8_scalar"; return finish(question, choice, hlo_select_8_scalar);
  default: choice->kernel = "select_16_scalar"; return finish(question, choice, hlo_select_16_scalar);
  }
}
