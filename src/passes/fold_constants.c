/* What is known when the program is built is computed then, by the reference, where it is small. */
#include "passes/rewrites.h"
#include "reference/fold_constant.h"

/* Elements read and written; products of sizes for what may look at many elements for each. */
enum { MOST_ELEMENTS = 1 << 15, MOST_WORK = 1 << 20 };

static bool moves_or_maps(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_TRANSPOSE: case HLO_OP_REVERSE: case HLO_OP_CONCATENATE: case HLO_OP_SLICE: case HLO_OP_DYNAMIC_SLICE:
  case HLO_OP_DYNAMIC_UPDATE_SLICE: case HLO_OP_PAD: case HLO_OP_GATHER: case HLO_OP_BITCAST_CONVERT: case HLO_OP_COPY: case HLO_OP_REDUCE:
    return true;
  default:
    return hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE);
  }
}

static bool is_small(const hlo_instruction *i, const hlo_literal *const *operands) {
  int64_t count = hlo_shape_element_count(i->shape), read = 0, largest = 0;
  for (int n = 0; n < i->operand_count; n++) {
    int64_t elements = hlo_shape_element_count(operands[n]->shape);
    read += elements;
    if (elements > largest) largest = elements;
  }
  if (count > MOST_ELEMENTS || read > MOST_ELEMENTS || count > 2 * read + 16) return false;
  return moves_or_maps(i->opcode) || (count + 1) * (largest + 1) <= MOST_WORK;
}

/* The same elements under other dimensions. */
static int reshaped(hlo_rewriter *r, const hlo_instruction *i, const hlo_literal *operand) {
  hlo_literal *literal = hlo_arena_copy(&r->module->arena, operand, sizeof *operand, r->status);
  if (!literal) return HLO_KEEP;
  literal->shape = i->shape;
  return hlo_add_constant(r, literal);
}

int hlo_fold_constants(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->operand_count == 0 || i->opcode == HLO_OP_BROADCAST || i->opcode == HLO_OP_BITCAST || i->opcode == HLO_OP_OPT_BARRIER ||
      !hlo_is_plain(r, i) || !hlo_is_pure(r, i) || !hlo_reference_function_of(i->opcode))
    return HLO_KEEP;
  const hlo_literal **operands = hlo_arena_many(r->scratch, const hlo_literal *, i->operand_count, r->status);
  for (int n = 0; operands && n < i->operand_count; n++)
    if (!(operands[n] = hlo_constant_of(r, i->operands[n]))) return HLO_KEEP;
  if (!operands) return HLO_KEEP;
  if (i->opcode == HLO_OP_RESHAPE) return reshaped(r, i, operands[0]);
  if (!is_small(i, operands)) return HLO_KEEP;
  hlo_status ignored = {0};
  hlo_literal *result = hlo_literal_make(&r->module->arena, i->shape, r->status);
  if (!result || !hlo_reference_fold(NULL, r->module, r->to, i, operands, result, &ignored)) return HLO_KEEP;
  return hlo_add_constant(r, result);
}
