/* The table by which an instruction finds its kernel. Element-wise kernels have a table of their own, in loops/scalar_ops.c. */
#include "steps/kernel_table.h"

#include "base/alignment.h"
#include "graph/attribute.h"
#include "shape/literal.h"
#include "shape/box.h"
#include "shape/shared_array.h"

static const hlo_kernel_row rows[] = {
#define ROW(op, function, kernel) {HLO_OP_##op, hlo_setup_##function, kernel}
    ROW(REDUCE, reduce, "reduce"),
    ROW(REDUCE, arg_extreme, "arg_extreme"),
    ROW(REDUCE, fold, "fold"),
    ROW(REDUCE_WINDOW, reduce_window, "window_runs"),
    ROW(REDUCE_WINDOW, applied_window, "applied_window"),
    ROW(SELECT_AND_SCATTER, select_and_scatter, "window_select"),
    ROW(TRANSPOSE, strided_copy, "strided_copy_simd128"),
    ROW(BROADCAST, strided_copy, "strided_copy_simd128"),
    ROW(REVERSE, strided_copy, "strided_copy_simd128"),
    ROW(SLICE, strided_copy, "strided_copy_simd128"),
    ROW(CONCATENATE, concatenate, "strided_copies_simd128"),
    ROW(PAD, pad, "fill_and_strided_copy_simd128"),
    ROW(IOTA, iota, "iota"),
    ROW(DYNAMIC_SLICE, dynamic_slice, "strided_copy_simd128"),
    ROW(DYNAMIC_UPDATE_SLICE, dynamic_update_slice, "strided_copy_simd128"),
    ROW(DOT, byte_dot, "s16_pairs_dot_simd128"),
    ROW(DOT, narrow_dot, "f32_dot_narrow_simd128"),
    ROW(DOT, dot, "dot_simd128"),
    ROW(CONVOLUTION, byte_convolution, "s16_pairs_convolution_simd128"),
    ROW(CONVOLUTION, narrow_convolution, "f32_convolution_narrow_simd128"),
    ROW(CONVOLUTION, convolution_as_dot, "dot_simd128"),
    ROW(CONVOLUTION, convolution, "convolution_simd128"),
    ROW(GATHER, gather, "gather_runs_simd128"),
    ROW(SCATTER, scatter, "scatter_runs"),
    ROW(TOPK, top_k, "top_k_simd128"),
    ROW(SORT, key_sort, "radix_sort"),
    ROW(SORT, comparator_sort, "merge_sort"),
    ROW(FUSION, loop, "loop"),
    ROW(FUSION, epilogue, "epilogue"),
    ROW(FFT, fft, "fft_simd128"),
    ROW(RNG_BIT_GENERATOR, random, "counter_bits_simd128"),
    ROW(CHOLESKY, cholesky, "cholesky"),
    ROW(TRIANGULAR_SOLVE, triangular_solve, "triangular_solve"),
    ROW(CUSTOM_CALL, lapack, "lapack"),
    ROW(CUSTOM_CALL, sparse_product, "sparse_product"),
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Returns whether all operands and results are static arrays without quantization. */
static bool handles_all(const hlo_kernel_question *question) {
  for (int i = 0; i < question->instruction->operand_count; i++)
    if (!hlo_shape_is_plain(hlo_operand(question->computation, question->instruction, i)->shape)) return false;
  return hlo_shape_leaves_are_plain(question->instruction->shape);
}

static bool try_setup(const hlo_kernel_question *question, hlo_kernel_setup *setup, const char *kernel, hlo_kernel_choice *choice) {
  int count = question->instruction->operand_count;
  *choice = (hlo_kernel_choice){.kernel = kernel, .operand_count = count, .own_operands = count};
  choice->operands = hlo_arena_many(question->arena, int, count, question->status);
  if (!choice->operands) return false;
  for (int n = 0; n < count; n++) choice->operands[n] = question->instruction->operands[n];
  if (!setup(question, choice) || !hlo_ok(question->status)) return false;
  if (choice->own_operands > choice->operand_count) choice->own_operands = choice->operand_count;
  return true;
}

bool hlo_kernel_choose(hlo_kernel_question question, hlo_kernel_choice *choice) {
  if (!handles_all(&question)) return false;
  hlo_opcode opcode = question.instruction->opcode;
  if (hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE)) return try_setup(&question, hlo_setup_elementwise, NULL, choice);
  for (int i = 0; i < ROW_COUNT && hlo_ok(question.status); i++)
    if (rows[i].opcode == opcode && try_setup(&question, rows[i].setup, rows[i].name, choice)) return true;
  return false;
}

const hlo_literal *hlo_kernel_constant_of(const hlo_computation *computation, const hlo_instruction *instruction) {
  while (instruction->opcode == HLO_OP_RESHAPE) instruction = hlo_operand(computation, instruction, 0);
  return instruction->opcode == HLO_OP_CONSTANT ? hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal : NULL;
}

/* The constant that an operand is, or a reshape of it; NULL: it is none. */
static const hlo_literal *constant_of(const hlo_kernel_question *question, int operand) {
  const hlo_instruction *instruction = hlo_operand(question->computation, question->instruction, operand);
  while (instruction->opcode == HLO_OP_RESHAPE) instruction = hlo_operand(question->computation, instruction, 0);
  if (instruction->opcode == HLO_OP_PARAMETER && question->fusion)
    return constant_of(question->fusion, (int)hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0));
  return hlo_kernel_constant_of(question->computation, instruction);
}

bool hlo_kernel_is_constant(const hlo_kernel_question *question, int operand) { return constant_of(question, operand) != NULL; }

hlo_packed *hlo_kernel_pack(const hlo_kernel_question *question, int operand, const hlo_packing *packing, bool gains) {
  const hlo_literal *literal = constant_of(question, operand);
  return literal ? hlo_kernel_pack_constant(question, literal, packing, gains) : NULL;
}

hlo_packed *hlo_kernel_pack_constant(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_packing *packing, bool gains) {
  if (literal->shared) return gains || packing->unpack ? hlo_constant_pack(question->constants, literal, packing, question->status) : NULL;
  hlo_packed *slot = gains ? hlo_arena_new(question->arena, hlo_packed, question->status) : NULL;
  void *packed = slot ? hlo_kernel_packing(question, packing->packed_bytes) : NULL;
  if (!packed || !packing->pack(packing->geometry, literal->data, packed)) return NULL;
  slot->bytes = packed;
  return slot;
}

void *hlo_kernel_packing(const hlo_kernel_question *question, size_t bytes) {
  hlo_status status = {0};
  void *packed = bytes ? hlo_arena_alloc(question->arena, bytes, &status) : NULL;
  if (packed) *question->packed_bytes += (int64_t)bytes;
  return packed;
}

const hlo_shape *hlo_kernel_operand(const hlo_kernel_question *question, int operand) {
  return hlo_operand(question->computation, question->instruction, operand)->shape;
}

bool hlo_kernel_run(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_shared_step_function *run,
                    const void *parameters, size_t bytes) {
  choice->run_shared = run;
  choice->parameters = hlo_arena_copy(question->arena, parameters, bytes, question->status);
  return choice->parameters != NULL;
}

bool hlo_kernel_run_ranges(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_ranged_step *ranged,
                           const void *parameters, size_t bytes) {
  ranged->scratch_bytes = hlo_aligned(ranged->scratch_bytes);
  choice->scratch_bytes = ranged->scratch_bytes * question->threads;
  choice->resumes = true;
  ranged->parameters = hlo_arena_copy(question->arena, parameters, bytes, question->status);
  return HLO_RUN(question, choice, hlo_ranged_step_run, *ranged) && ranged->parameters;
}

int64_t hlo_kernel_split(const hlo_shape *shape, int dimension, int64_t *inner) {
  int behind = shape->rank - dimension - 1; /* 0 of a scalar, which has no dims to point into */
  *inner = behind > 0 ? hlo_box_count(&shape->dims[dimension + 1], behind) : 1;
  return hlo_box_count(shape->dims, dimension);
}
