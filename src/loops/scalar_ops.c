/* The tables of scalar operations and reductions, read by what instructions compute. */
#include "loops/scalar_ops.h"

#include "graph/attribute.h"
#include "graph/comparison_type.h"

#define HLO_direction_ANY HLO_ANY_VARIANT

/* One row for each instruction and type, but for selects and conversions. */
static const struct {
  uint8_t opcode, type, result;
  int8_t variant; /* or HLO_ANY_VARIANT */
  uint16_t op;
} rows[] = {
#define HLO_SCALAR(name, set, arity, in, out, opcode, direction, ...) \
  {HLO_OP_##opcode, HLO_TYPE_##in, HLO_TYPE_##out, HLO_direction_##direction, HLO_SCALAR_##name},
#define HLO_SCALAR_ALSO(name, set, arity, in, out, opcode, direction) HLO_SCALAR(name, set, arity, in, out, opcode, direction)
#define HLO_SCALAR_INTERNAL(name, ...)
#define HLO_SELECT(bytes, ...)
#define HLO_CONVERT(from, FROM, to, TO, ...)
#include "kernels/elementwise/scalar_ops.def"
};

/* Conversions, by type of the result and of the operand. */
static const uint16_t converts[HLO_TYPE_COUNT][HLO_TYPE_COUNT] = {
#define HLO_CONVERT(from, FROM, to, TO, ...) [HLO_TYPE_##TO][HLO_TYPE_##FROM] = HLO_SCALAR_convert_##from##_##to,
#include "kernels/elementwise/convert.def"
#undef HLO_CONVERT
};

hlo_scalar_op hlo_scalar_select_of(int bytes) {
  switch (bytes) {
  case 1: return HLO_SCALAR_select_1;
  case 2: return HLO_SCALAR_select_2;
  case 4: return HLO_SCALAR_select_4;
  case 8: return HLO_SCALAR_select_8;
  case 16: return HLO_SCALAR_select_16;
  default: return HLO_SCALAR_NONE;
  }
}

static const uint8_t costs[HLO_SCALAR_COUNT] = {
#define HLO_SCALAR(name, set, arity, in, out, opcode, direction, cost, ...) [HLO_SCALAR_##name] = HLO_COST_##cost,
#include "kernels/elementwise/scalar_ops.def"
};

static const struct {
  uint8_t opcode, type, op;
} reduces[] = {
#define HLO_REDUCE_ALSO(kind, name, in, opcode) {HLO_OP_##opcode, HLO_TYPE_##in, HLO_REDUCE_##kind##_##name},
#define HLO_REDUCE(kind, name, in, opcode, ...) HLO_REDUCE_ALSO(kind, name, in, opcode)
#include "kernels/reduce/reduce.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, REDUCE_COUNT = sizeof reduces / sizeof *reduces };
_Static_assert(HLO_OPCODE_COUNT <= UINT8_MAX, "an opcode fits in a byte");

/* ---- Operations ---- */

hlo_scalar_op hlo_scalar_op_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant) {
  if (opcode == HLO_OP_SELECT) return type == result ? hlo_scalar_select_of(hlo_type_bytes(type)) : HLO_SCALAR_NONE;
  if (opcode == HLO_OP_CONVERT) return (hlo_scalar_op)converts[result][hlo_type_is_nibble(type) ? hlo_type_of_nibble_bytes(type) : type];
  for (int i = 0; i < ROW_COUNT; i++)
    if (rows[i].opcode == (int)opcode && rows[i].type == (int)type && rows[i].result == (int)result &&
        (rows[i].variant == HLO_ANY_VARIANT || rows[i].variant == variant))
      return (hlo_scalar_op)rows[i].op;
  return HLO_SCALAR_NONE;
}

/* The bits of the greatest float, infinity too; 0 where magnitudes of floats are not ordered as their bits are. */
static uint64_t greatest_float(hlo_type type) {
  hlo_float_format f = hlo_type_float_format(type);
  if (!f.has_sign || !f.has_negative_zero || hlo_type_bits(type) % 8) return 0;
  return f.has_infinity ? ((UINT64_C(1) << f.exponent_bits) - 1) << f.mantissa_bits : (UINT64_C(1) << (f.exponent_bits + f.mantissa_bits)) - 1 - f.has_nan;
}

static hlo_bits_op bits_op_of(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ADD: return HLO_BITS_ADD;
  case HLO_OP_MULTIPLY: return HLO_BITS_MULTIPLY;
  case HLO_OP_MAXIMUM: return HLO_BITS_MAXIMUM;
  case HLO_OP_MINIMUM: return HLO_BITS_MINIMUM;
  case HLO_OP_AND: return HLO_BITS_AND;
  case HLO_OP_OR: return HLO_BITS_OR;
  case HLO_OP_XOR: return HLO_BITS_XOR;
  default: return HLO_BITS_SECOND;
  }
}

hlo_bits_combine hlo_bits_combine_of(hlo_opcode opcode, hlo_type type) {
  bool is_extreme = opcode == HLO_OP_MAXIMUM || opcode == HLO_OP_MINIMUM, is_integer = hlo_type_is_integral(type) && !hlo_type_is_nibble(type);
  uint64_t greatest = is_extreme && hlo_type_is_float(type) ? greatest_float(type) : 0;
  return (hlo_bits_combine){is_integer || greatest ? bits_op_of(opcode) : HLO_BITS_SECOND, hlo_type_bytes(type), hlo_type_is_signed(type), greatest};
}

static hlo_scalar_op bitcast_of(hlo_type from, hlo_type to) {
  int bytes = hlo_type_bytes(to);
  if (hlo_type_bits(from) != 8 * bytes || hlo_type_bits(to) != 8 * bytes) return HLO_SCALAR_NONE;
  return bytes == 1 ? HLO_SCALAR_bitcast_1 : bytes == 2 ? HLO_SCALAR_bitcast_2 : bytes == 4 ? HLO_SCALAR_bitcast_4
         : bytes == 8 ? HLO_SCALAR_bitcast_8 : HLO_SCALAR_NONE;
}

hlo_scalar_op hlo_scalar_op_for(const hlo_computation *computation, const hlo_instruction *instruction) {
  if (instruction->opcode == HLO_OP_BITCAST_CONVERT) return bitcast_of(hlo_operand(computation, instruction, 0)->shape->type, instruction->shape->type);
  if (!hlo_op_has(instruction->opcode, HLO_FLAG_ELEMENTWISE)) return HLO_SCALAR_NONE;
  hlo_type type = hlo_operand(computation, instruction, instruction->opcode == HLO_OP_SELECT ? 1 : 0)->shape->type;
  int variant = HLO_ANY_VARIANT;
  if (instruction->opcode == HLO_OP_COMPARE) {
    int own = hlo_default_comparison_type(type);
    if (hlo_instruction_enum(instruction, HLO_ATTR_comparison_type, own) != own) return HLO_SCALAR_NONE;
    variant = hlo_instruction_enum(instruction, HLO_ATTR_direction, HLO_direction_EQ);
  }
  return hlo_scalar_op_of(instruction->opcode, type, instruction->shape->type, variant);
}

hlo_elementwise_kernel *hlo_elementwise_kernel_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant) {
  return hlo_scalar_kernel(hlo_scalar_op_of(opcode, type, result, variant));
}

hlo_elementwise_kernel *hlo_elementwise_kernel_for(const hlo_computation *computation, const hlo_instruction *instruction) {
  return hlo_scalar_kernel(hlo_scalar_op_for(computation, instruction));
}

hlo_scalar_cost hlo_scalar_op_cost(hlo_scalar_op op) { return (hlo_scalar_cost)costs[op]; }
double hlo_scalar_op_nanoseconds(hlo_scalar_op op) { return costs[op] == HLO_COST_FUNCTION ? 2 : 0.3; }

/* ---- Reductions ---- */

/* The logical operation that an arithmetic one is on pred. */
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
  hlo_scalar_op combine = hlo_scalar_op_of(opcode, type, type, HLO_ANY_VARIANT);
  for (int i = 0; combine && i < REDUCE_COUNT; i++) {
    if (reduces[i].opcode != (int)opcode || reduces[i].type != (int)type) continue;
    *reduction = (hlo_reduction){opcode, (hlo_reduce_op)reduces[i].op, combine};
    return true;
  }
  return false;
}

/* ---- Narrow types ---- */

const hlo_widening *hlo_widening_of(hlo_type type) {
  static const hlo_widening widenings[HLO_TYPE_COUNT] = {
#define HLO_NARROW_TYPE(type, TYPE, bytes, wide, WIDE, back) \
  [HLO_TYPE_##TYPE] = {HLO_TYPE_##WIDE, hlo_widen_##type##_##wide, hlo_narrow_##wide##_##back},
#include "kernels/elementwise/narrow_types.def"
#undef HLO_NARROW_TYPE
  };
  return widenings[type].widen ? &widenings[type] : NULL;
}

hlo_type hlo_widened_type_of(hlo_type type) {
  const hlo_widening *widening = hlo_widening_of(type);
  return widening ? widening->wide : type;
}

hlo_type hlo_computed_type_of(hlo_type type) {
  return hlo_type_is_small_float(type) ? HLO_TYPE_F32 : hlo_type_is_nibble(type) ? HLO_TYPE_S32 : hlo_widened_type_of(type);
}
