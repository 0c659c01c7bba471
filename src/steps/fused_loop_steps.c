/* Setting up fusions of element-wise instructions and reductions as fused loops. */
#include "steps/fused_loop_steps.h"

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/fused_loop_lower.h"
#include "loops/scalar_ops.h"
#include "shape/shape.h"

/* ---- Over operands ---- */

static bool reads(const hlo_fused_value *reader, int v) {
  for (int n = 0; reader->kind != HLO_FUSED_INPUT && n < reader->arity; n++)
    if (reader->from[n] == v) return true;
  return false;
}

bool hlo_fused_loop_may_overwrite(const hlo_fused_loop *loop, int i, int operand, int64_t operand_bytes) {
  int output = loop->outputs[i].value;
  const hlo_fused_value *written = &loop->values[output];
  bool is_read = false;
  if (written->kind == HLO_FUSED_INPUT || operand_bytes != loop->rows * loop->outputs[i].row_stride * written->bytes) return false;
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_fused_value *value = &loop->values[v];
    if (value->kind != HLO_FUSED_INPUT || value->operand != operand) continue;
    if (!value->flat || value->offset != 0 || value->per_row != written->per_row || value->bytes != written->bytes) return false;
    for (int reader = output + 1; reader < loop->value_count; reader++)
      if (reads(&loop->values[reader], v)) return false;
    for (int n = 0; n < loop->output_count; n++)
      if (loop->outputs[n].value == v) return false;
    is_read = true;
  }
  return is_read;
}

static unsigned overwritable(const hlo_kernel_question *question, const hlo_fused_loop_step *step, int output) {
  unsigned found = 0;
  for (int n = 0; n < step->operand_count && n < 32; n++) {
    const hlo_shape *operand = hlo_kernel_operand(question, n);
    if (hlo_fused_loop_may_overwrite(&step->loop, output, n, hlo_shape_dense_bytes(operand))) found |= 1u << n;
  }
  return found;
}

static bool find_overwritable(const hlo_kernel_question *question, const hlo_fused_loop_step *step, hlo_kernel_choice *choice) {
  unsigned *more = hlo_arena_many(question->arena, unsigned, step->loop.output_count, question->status);
  choice->overwritable = overwritable(question, step, 0);
  for (int i = 1; more && i < step->loop.output_count; i++) more[i - 1] = overwritable(question, step, i);
  choice->more_overwritable = more;
  return more != NULL;
}

/* ---- Setting up ---- */

const char *hlo_fused_loop_step_name(const hlo_kernel_question *question, const hlo_fused_loop_step *step) {
  const hlo_fused_loop *loop = &step->loop;
  int ops = 0, inputs = 0;
  for (int v = 0; v < loop->value_count; v++) {
    ops += loop->values[v].kind != HLO_FUSED_INPUT;
    inputs += loop->values[v].kind == HLO_FUSED_INPUT && loop->values[v].operand < step->operand_count;
  }
  return hlo_arena_format(question->arena, question->status, "loop(%d op%s, %d input%s)", ops, ops == 1 ? "" : "s", inputs,
                          inputs == 1 ? "" : "s");
}

static double nanoseconds_of(const hlo_computation *computation) {
  double all = 0;
  for (int i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    hlo_opcode opcode = instruction->opcode;
    const hlo_shape *shape = opcode == HLO_OP_REDUCE ? hlo_operand(computation, instruction, 0)->shape : instruction->shape;
    bool is_read = opcode == HLO_OP_REDUCE || opcode == HLO_OP_PARAMETER;
    if (!hlo_shape_is_array(shape) || !(is_read || hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE))) continue;
    all += (is_read ? 0.2 : hlo_scalar_op_nanoseconds(hlo_scalar_op_for(computation, instruction))) * (double)hlo_shape_element_count(shape);
  }
  return all;
}

void hlo_fused_loop_step_add(const hlo_kernel_question *question, hlo_fused_loop_step *step) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  if (step->loop.rows > 0) step->row_nanoseconds = nanoseconds_of(computation) / (double)step->loop.rows;
  step->next = *question->loops;
  *question->loops = step;
}

bool hlo_setup_loop(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  hlo_fused_loop_question lowering = {.module = question->module, .computation = computation, .product = -1, .arena = question->arena,
                                .constants = question->constants, .status = question->status};
  hlo_fused_loop_step made = {.fusion = question->instruction};
  if (!hlo_fused_loop_lower(&lowering, &made)) return false;
  hlo_fused_loop_step *step = HLO_KERNEL_COPY(question, made);
  if (!step) return false;
  hlo_fused_loop_step_add(question, step);
  choice->kernel = hlo_fused_loop_step_name(question, step);
  choice->scratch_bytes = hlo_fused_loop_step_scratch(step) * question->threads;
  choice->run_shared = hlo_fused_loop_step_run;
  choice->resumes = true;
  choice->parameters = step;
  return choice->kernel && find_overwritable(question, step, choice);
}
