/* The tables of element-wise kernels and reductions. */
#include "passes/loop_kernels.h"

#include "reference/reference.h"

#define HLO_direction_ANY HLO_ANY_VARIANT

static const struct {
  uint8_t opcode, type, result;
  int8_t variant; /* or HLO_ANY_VARIANT */
  hlo_elementwise_kernel *kernel;
} rows[] = {
#define HLO_ELEMENTWISE(kernel, set, arity, in, out, op, direction) \
  {HLO_OP_##op, HLO_TYPE_##in, HLO_TYPE_##out, HLO_direction_##direction, hlo_##kernel##_##set},
#define HLO_WIDENED(kernel, from, wide, set, arity, in, out, op, direction) HLO_ELEMENTWISE(kernel, widened, arity, in, out, op, direction)
#define HLO_CONVERT(from, FROM, to, TO)
#include "kernels/elementwise.def"
#undef HLO_CONVERT
#undef HLO_WIDENED
#undef HLO_ELEMENTWISE
};

/* By result and operand. */
static hlo_elementwise_kernel *const converts[HLO_TYPE_COUNT][HLO_TYPE_COUNT] = {
#define HLO_CONVERT(from, FROM, to, TO) [HLO_TYPE_##TO][HLO_TYPE_##FROM] = hlo_convert_##from##_##to##_scalar,
#include "kernels/convert.def"
#undef HLO_CONVERT
};

/* By the size of what is chosen from. */
static hlo_elementwise_kernel *const selects[] = {hlo_select_1_simd128, hlo_select_2_simd128, hlo_select_4_simd128, hlo_select_8_scalar,
                                                  hlo_select_16_scalar};

static const struct {
  uint8_t opcode, type;
  hlo_reduce_kernel *kernel;
} reduces[] = {
#define HLO_REDUCE(kernel, in, op) {HLO_OP_##op, HLO_TYPE_##in, hlo_##kernel##_simd128},
#include "kernels/reduce.def"
#undef HLO_REDUCE
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, REDUCE_COUNT = sizeof reduces / sizeof *reduces };
_Static_assert(HLO_OPCODE_COUNT <= UINT8_MAX, "an opcode fits in a byte");

hlo_elementwise_kernel *hlo_elementwise_kernel_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant) {
  if (opcode == HLO_OP_SELECT) return type == result ? selects[__builtin_ctz((unsigned)hlo_type_bytes(type))] : NULL;
  if (opcode == HLO_OP_CONVERT) return converts[result][type];
  for (int i = 0; i < ROW_COUNT; i++)
    if (rows[i].opcode == (int)opcode && rows[i].type == (int)type && rows[i].result == (int)result &&
        (rows[i].variant == HLO_ANY_VARIANT || rows[i].variant == variant))
      return rows[i].kernel;
  return NULL;
}

hlo_elementwise_kernel *hlo_elementwise_kernel_for(const hlo_computation *computation, const hlo_instruction *instruction) {
  if (!hlo_op_has(instruction->opcode, HLO_FLAG_ELEMENTWISE)) return NULL;
  hlo_type type = hlo_operand(computation, instruction, instruction->opcode == HLO_OP_SELECT ? 1 : 0)->shape->type;
  int variant = HLO_ANY_VARIANT;
  if (instruction->opcode == HLO_OP_COMPARE) {
    int own = hlo_default_comparison_type(type);
    if (hlo_instruction_enum(instruction, HLO_ATTR_comparison_type, own) != own) return NULL;
    variant = hlo_instruction_enum(instruction, HLO_ATTR_direction, HLO_direction_EQ);
  }
  return hlo_elementwise_kernel_of(instruction->opcode, type, instruction->shape->type, variant);
}

/* The arithmetic names of the two operations on pred. */
static hlo_opcode logical(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ADD: case HLO_OP_MAXIMUM: return HLO_OP_OR;
  case HLO_OP_MULTIPLY: case HLO_OP_MINIMUM: return HLO_OP_AND;
  default: return opcode;
  }
}

bool hlo_reduction_for(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_reduction *reduction) {
  hlo_opcode opcode;
  if (instruction->opcode != HLO_OP_REDUCE || instruction->operand_count != 2) return false;
  if (!hlo_computation_is_binary_op(hlo_instruction_computation(module, instruction, HLO_ATTR_to_apply), &opcode)) return false;
  hlo_type type = instruction->shape->type;
  if (type == HLO_TYPE_PRED) opcode = logical(opcode);
  for (int n = 0; n < 2; n++)
    if (hlo_operand(computation, instruction, n)->shape->type != type) return false;
  hlo_elementwise_kernel *combine = hlo_elementwise_kernel_of(opcode, type, type, HLO_ANY_VARIANT);
  for (int i = 0; combine && i < REDUCE_COUNT; i++) {
    if (reduces[i].opcode != (int)opcode || reduces[i].type != (int)type) continue;
    *reduction = (hlo_reduction){opcode, reduces[i].kernel, combine};
    return true;
  }
  return false;
}
