/* fusion of a dot or convolution with the element-wise ops that come after it. The fused loop is the epilogue of the product: it runs over
 * each region of the product as soon as it is complete. Where the product takes no epilogue, or the loop does not read the product region
 * by region, it runs over all of the product at the end.
 *
 * The product is computed in the memory of an output, if the loop may overwrite it there, else in the scratch. */
#include "base/alignment.h"
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/fused_epilogue.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
#include "loops/fused_loop_lower.h"
#include "shape/shape.h"
#include "steps/fused_loop_steps.h"
#include "steps/kernel_table.h"

/* Returns the one dot or convolution of a computation; -1: there is none, or more than one. */
static int find_product(const hlo_computation *computation) {
  int found = -1;
  for (int i = 0; i < computation->instruction_count; i++) {
    hlo_opcode opcode = computation->instructions[i]->opcode;
    if (opcode != HLO_OP_DOT && opcode != HLO_OP_CONVOLUTION) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* Returns the operand of the fusion whose bytes an instruction of its computation has; -1: there is none. */
static int fusion_operand(const hlo_computation *computation, int instruction) {
  const hlo_instruction *i = hlo_instruction_at(computation, instruction);
  while (i->opcode == HLO_OP_RESHAPE) i = hlo_operand(computation, i, 0);
  return i->opcode == HLO_OP_PARAMETER ? (int)hlo_instruction_int(i, HLO_ATTR_parameter_number, 0) : -1;
}

/* Adds what the product reads beside the fusion to the operands of the step. Its narrow side is not read as the fusion has it. */
static bool add_further(const hlo_kernel_question *question, const hlo_instruction *product, const hlo_kernel_choice *choice,
                        hlo_fused_epilogue *e, hlo_kernel_choice *outer) {
  int count = outer->operand_count, further = choice->operand_count - choice->own_operands;
  if (further == 0) return true;
  int *operands = hlo_arena_many(question->arena, int, count + further, question->status);
  if (!operands) return false;
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  for (int n = 0; n < count; n++) operands[n] = outer->operands[n];
  for (int n = 0; n < further; n++) operands[count + n] = choice->operands[choice->own_operands + n];
  for (int n = 0; n < product->operand_count; n++) {
    int operand = fusion_operand(computation, product->operands[n]);
    if (operand != e->product_operands[0]) operands[operand] = operands[e->product_operands[0]];
  }
  for (int n = 0; n < further; n++) e->product_operands[choice->own_operands + n] = count + n;
  outer->operands = operands;
  outer->operand_count = count + further;
  return true;
}

/* Chooses the kernel of the product, whose operands must be operands of the fusion, or instructions beside it. These become further
 * operands of the step, which then reads a narrow matrix instead of the operand that the fusion has for it. */
static bool set_up_product(const hlo_kernel_question *question, const hlo_computation *computation, int product, hlo_kernel_choice *choice,
                           hlo_fused_epilogue *e, hlo_kernel_choice *outer) {
  hlo_kernel_question inner = *question;
  inner.computation = computation;
  inner.instruction = hlo_instruction_at(computation, product);
  inner.fusion = question;
  if (!hlo_kernel_choose(inner, choice)) return false;
  e->run = choice->run_shared;
  e->run_with_epilogue = choice->run_with_epilogue;
  e->parameters = choice->parameters;
  e->product_operand_count = choice->operand_count;
  if (choice->operand_count > HLO_EPILOGUE_OPERANDS) return false;
  for (int n = 0; n < choice->own_operands; n++) {
    e->product_operands[n] = fusion_operand(computation, choice->operands[n]);
    if (e->product_operands[n] < 0) return false;
  }
  return add_further(question, inner.instruction, choice, e, outer);
}

/* Returns whether a value of the loop is the product, element by element. */
static bool is_product(const hlo_fused_loop_step *step, const hlo_fused_value *value) {
  return value->kind == HLO_FUSED_INPUT && value->operand == step->operand_count && value->flat && value->offset == 0;
}

/* Returns whether the loop may run region by region: it reads of the product no elements outside the region, and computes nothing for a
 * whole row. */
static bool runs_in_parts(const hlo_fused_loop_step *step) {
  const hlo_fused_loop *loop = &step->loop;
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_fused_value *value = &loop->values[v];
    if (value->kind == HLO_FUSED_INPUT && value->operand == step->operand_count && !is_product(step, value)) return false;
  }
  return hlo_fused_loop_has_columns(loop);
}

/* Lowers the fused loop: to rows of the width in which the product calls its epilogue, if the loop may run so; else to rows of its own
 * choice, and the loop runs at the end. */
static bool lower(const hlo_kernel_question *question, const hlo_computation *computation, int product, int64_t width,
                  hlo_fused_epilogue *e) {
  hlo_fused_loop_question lowering = {.module = question->module, .computation = computation, .product = product, .width = width,
                                .arena = question->arena, .constants = question->constants, .status = question->status};
  e->step.fusion = question->instruction;
  if (e->run_with_epilogue && hlo_fused_loop_lower(&lowering, &e->step) && runs_in_parts(&e->step)) return true;
  lowering.width = 0;
  e->run_with_epilogue = NULL;
  return hlo_fused_loop_lower(&lowering, &e->step);
}

/* Chooses where the product is computed: in an output that is the product itself, or that the loop may compute over it, or in the
 * scratch. */
static void place_product(const hlo_kernel_question *question, int64_t product_bytes, hlo_fused_epilogue *e, hlo_kernel_choice *choice) {
  const hlo_fused_loop *loop = &e->step.loop;
  e->product_output = -1;
  for (int i = 0; i < loop->output_count && e->product_output < 0; i++)
    if (is_product(&e->step, &loop->values[loop->outputs[i].value])) e->product_output = i;
  for (int i = 0; i < loop->output_count && e->product_output < 0; i++)
    if (hlo_fused_loop_may_overwrite(loop, i, e->step.operand_count, product_bytes)) e->product_output = i;
  e->loop_offset = hlo_aligned(choice->scratch_bytes);
  e->product_offset = e->loop_offset + hlo_fused_loop_step_scratch(&e->step) * question->threads;
  choice->scratch_bytes = e->product_offset + (e->product_output < 0 ? product_bytes : 0);
}

/* Returns whether an instruction other than the product's right side has the bytes of a parameter for an operand. */
static bool is_read_elsewhere(const hlo_computation *computation, int product, int parameter) {
  for (int i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *reader = hlo_instruction_at(computation, i);
    for (int n = 0; n < reader->operand_count && reader->opcode != HLO_OP_RESHAPE; n++)
      if ((i != product || n != 1) && fusion_operand(computation, reader->operands[n]) == parameter) return true;
  }
  return fusion_operand(computation, computation->root) == parameter;
}

/* Takes a right side that is packed out of the operands of the step, whose numbers stay as they are: the left side stands in its place. */
static void leave_packed_operand(const hlo_computation *computation, int product, const hlo_fused_epilogue *e, hlo_kernel_choice *choice) {
  int rhs = fusion_operand(computation, hlo_instruction_at(computation, product)->operands[1]);
  if (e->product_operand_count == 1 && rhs >= 0 && !is_read_elsewhere(computation, product, rhs))
    choice->operands[rhs] = choice->operands[e->product_operands[0]];
}

bool hlo_setup_epilogue(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  int product = find_product(computation);
  hlo_kernel_choice inner;
  hlo_fused_epilogue made = {0};
  if (product < 0 || !set_up_product(question, computation, product, &inner, &made, choice)) return false;
  if (!lower(question, computation, product, inner.epilogue_width, &made)) return false;
  place_product(question, hlo_shape_dense_bytes(hlo_instruction_at(computation, product)->shape), &made, &inner);
  hlo_fused_epilogue *e = HLO_KERNEL_COPY(question, made);
  const char *name = hlo_fused_loop_step_name(question, &made.step);
  if (!e || !name) return false;
  hlo_fused_loop_step_add(question, &e->step);
  const char *format = made.run_with_epilogue ? "%s with %s" : "%s, then %s";
  choice->kernel = hlo_arena_format(question->arena, question->status, format, inner.kernel, name);
  choice->scratch_bytes = inner.scratch_bytes;
  choice->run_shared = hlo_fused_epilogue_run;
  choice->resumes = inner.resumes;
  choice->parameters = e;
  leave_packed_operand(computation, product, e, choice);
  return choice->kernel != NULL;
}
