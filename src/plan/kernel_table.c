/* The one table that chooses among kernels. */
#include "plan/kernel_table.h"

#define HLO_direction_ANY HLO_ANY_VARIANT

static const hlo_kernel_row rows[] = {
#define HLO_ELEMENTWISE(kernel, set, arity, in, out, op, direction)                                     \
  {.opcode = HLO_OP_##op, .type = HLO_TYPE_##in, .result = HLO_TYPE_##out, .variant = HLO_direction_##direction, \
   .setup = hlo_setup_elementwise, .name = #kernel "_" #set, .elementwise = hlo_##kernel##_##set},
#include "kernels/elementwise.def"
#undef HLO_ELEMENTWISE
#define HLO_REDUCE(kernel, set, in, op)                                                                 \
  {.opcode = HLO_OP_REDUCE, .type = HLO_TYPE_##in, .result = HLO_TYPE_##in, .variant = HLO_OP_##op,     \
   .setup = hlo_setup_reduce, .name = #kernel "_" #set, .reduce = hlo_##kernel##_##set},
#include "kernels/reduce.def"
#undef HLO_REDUCE
#define ROW(op, in, out, function, kernel)                                                              \
  {.opcode = HLO_OP_##op, .type = in, .result = out, .variant = HLO_ANY_VARIANT, .setup = hlo_setup_##function, .name = kernel}
    ROW(SELECT, HLO_ANY_TYPE, HLO_ANY_TYPE, select, "select"),
    ROW(TRANSPOSE, HLO_ANY_TYPE, HLO_ANY_TYPE, transpose, "strided_copy_simd128"),
    ROW(BROADCAST, HLO_ANY_TYPE, HLO_ANY_TYPE, broadcast, "strided_copy_simd128"),
    ROW(BITCAST, HLO_ANY_TYPE, HLO_ANY_TYPE, bitcast, "strided_copies_simd128"),
    ROW(REVERSE, HLO_ANY_TYPE, HLO_ANY_TYPE, reverse, "strided_copy_simd128"),
    ROW(SLICE, HLO_ANY_TYPE, HLO_ANY_TYPE, slice, "strided_copy_simd128"),
    ROW(CONCATENATE, HLO_ANY_TYPE, HLO_ANY_TYPE, concatenate, "strided_copies_simd128"),
    ROW(PAD, HLO_ANY_TYPE, HLO_ANY_TYPE, pad, "fill_and_strided_copy_simd128"),
    ROW(IOTA, HLO_ANY_TYPE, HLO_ANY_TYPE, iota, "iota"),
    ROW(DYNAMIC_SLICE, HLO_ANY_TYPE, HLO_ANY_TYPE, dynamic_slice, "strided_copy_simd128"),
    ROW(DYNAMIC_UPDATE_SLICE, HLO_ANY_TYPE, HLO_ANY_TYPE, dynamic_update_slice, "strided_copy_simd128"),
    ROW(DOT, HLO_ANY_TYPE, HLO_ANY_TYPE, dot, "dot_simd128"),
    ROW(CONVOLUTION, HLO_ANY_TYPE, HLO_ANY_TYPE, convolution_as_dot, "dot_simd128"),
    ROW(CONVOLUTION, HLO_ANY_TYPE, HLO_ANY_TYPE, convolution, "convolution_simd128"),
    ROW(GATHER, HLO_ANY_TYPE, HLO_ANY_TYPE, gather, "gather_runs_simd128"),
    ROW(SORT, HLO_ANY_TYPE, HLO_ANY_TYPE, sort, "radix_sort"),
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

bool hlo_kernel_handles(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !shape->quantization && hlo_shape_is_static(shape);
}

static bool handles_all(const hlo_kernel_question *question) {
  for (int i = 0; i < hlo_shape_leaf_count(question->instruction->shape); i++)
    if (!hlo_kernel_handles(hlo_shape_leaf(question->instruction->shape, i))) return false;
  for (int i = 0; i < question->instruction->operand_count; i++)
    if (!hlo_kernel_handles(hlo_operand(question->computation, question->instruction, i)->shape)) return false;
  return true;
}

/* The type that a row's `type` is compared with: a select's predicate says nothing. */
static int operand_type(const hlo_kernel_question *question) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->operand_count == 0) return HLO_ANY_TYPE;
  int n = instruction->opcode == HLO_OP_SELECT ? 1 : 0;
  return (int)hlo_operand(question->computation, instruction, n)->shape->type;
}

bool hlo_kernel_choose(hlo_kernel_question question, hlo_kernel_choice *choice) {
  if (!handles_all(&question)) return false;
  int type = operand_type(&question), result = (int)question.instruction->shape->type;
  for (int i = 0; i < ROW_COUNT && hlo_ok(question.status); i++) {
    question.row = &rows[i];
    if (rows[i].opcode != question.instruction->opcode) continue;
    if ((rows[i].type != HLO_ANY_TYPE && rows[i].type != type) || (rows[i].result != HLO_ANY_TYPE && rows[i].result != result)) continue;
    int count = question.instruction->operand_count;
    *choice = (hlo_kernel_choice){.kernel = rows[i].name, .operand_count = count};
    choice->operands = hlo_arena_many(question.arena, int, count, question.status);
    if (!choice->operands) return false;
    for (int n = 0; n < count; n++) choice->operands[n] = question.instruction->operands[n];
    if (rows[i].setup(&question, choice)) return hlo_ok(question.status);
  }
  return false;
}

hlo_elementwise_kernel *hlo_kernel_elementwise(hlo_opcode opcode, hlo_type type, hlo_type result, int variant) {
  for (int i = 0; i < ROW_COUNT; i++)
    if (rows[i].opcode == opcode && rows[i].elementwise && rows[i].type == (int)type && rows[i].result == (int)result &&
        (rows[i].variant == HLO_ANY_VARIANT || rows[i].variant == variant))
      return rows[i].elementwise;
  return NULL;
}

const void *hlo_kernel_constant(const hlo_kernel_question *question, int operand) {
  const hlo_instruction *instruction = hlo_operand(question->computation, question->instruction, operand);
  while (instruction->opcode == HLO_OP_RESHAPE) instruction = hlo_operand(question->computation, instruction, 0);
  return instruction->opcode == HLO_OP_CONSTANT ? hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal->data : NULL;
}

void *hlo_kernel_packing(const hlo_kernel_question *question, size_t bytes) {
  hlo_status status = {0};
  void *packed = bytes ? hlo_arena_alloc(question->arena, bytes, &status) : NULL;
  if (packed) *question->packed_bytes += (int64_t)bytes;
  return packed;
}

int64_t hlo_row_major_strides(const hlo_shape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= shape->dims[d];
  }
  return stride;
}
