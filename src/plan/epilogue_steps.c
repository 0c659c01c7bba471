/* fusion of a dot or convolution with the element-wise ops that come after it: the loop runs over each part of the product as soon as
 * it is complete, while it is in the cache; where parts do not tell, or inputs do not follow them, over all of it at the end.
 *
 * The product lies where an output will be, if one may be computed over it, else in the scratch:
 *   [scratch of the product][scratch of the loop, for each thread][product] */
#include "plan/loop_steps.h"

typedef struct epilogue {
  hlo_loop_step step; /* comes first: see loop_steps.h */
  hlo_shared_step_function *run;
  hlo_telling_step_function *run_telling; /* NULL: the loop runs at the end */
  const void *parameters;
  int product_operand_count;
  int product_operands[2]; /* of the fusion */
  int product_output;      /* that the product lies under; -1: it is in the scratch */
  int64_t loop_offset, product_offset; /* in the scratch */
} epilogue;

/* ---- Running ---- */

typedef struct parts {
  hlo_finish finish;
  hlo_loop_call call;
} parts;

/* Rows of the loop, where the part is some, else run by run. */
static void finish_part(const hlo_finish *finish, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread) {
  const hlo_loop_call *call = &((const parts *)finish)->call;
  int64_t width = call->step->loop.width, row = offset / width, column = offset - row * width;
  if (column + columns <= width && (row_stride == width || rows == 1)) {
    hlo_loop_call_part(call, (hlo_loop_part){row, rows, column, columns}, thread);
    return;
  }
  for (int64_t r = 0; r < rows; r++, offset += row_stride)
    for (int64_t done = 0, count; done < columns; done += count) {
      int64_t at = offset + done, left = columns - done;
      column = at % width;
      bool whole_rows = column == 0 && left >= width;
      count = whole_rows ? left / width * width : left < width - column ? left : width - column;
      hlo_loop_call_part(call, (hlo_loop_part){at / width, whole_rows ? count / width : 1, column, whole_rows ? width : count}, thread);
    }
}

static void *within(void *scratch, int64_t offset) { return scratch ? (char *)scratch + offset : NULL; }

static void run_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const epilogue *e = parameters;
  const void *product_operands[2] = {NULL, NULL};
  parts p;
  p.finish.run = finish_part;
  hlo_loop_call_begin(&p.call, &e->step, operands, result, within(scratch, e->loop_offset));
  for (int n = 0; n < e->product_operand_count; n++) product_operands[n] = operands[e->product_operands[n]];
  void *product = e->product_output < 0 ? within(scratch, e->product_offset) : p.call.results[e->product_output];
  hlo_loop_call_operands(&p.call, operands, product);
  if (e->run_telling) {
    e->run_telling(e->parameters, product_operands, product, scratch, &p.finish, team);
  } else {
    e->run(e->parameters, product_operands, product, scratch, team);
    hlo_loop_call_shared(&p.call, team);
  }
}

/* ---- Setting up ---- */

/* The one dot or convolution; -1 if there is none, or another. */
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

/* The operand of the fusion that an instruction of its computation is, byte for byte; -1: it is none. */
static int fusion_operand(const hlo_computation *computation, int instruction) {
  const hlo_instruction *i = hlo_instruction_at(computation, instruction);
  while (i->opcode == HLO_OP_RESHAPE) i = hlo_operand(computation, i, 0);
  return i->opcode == HLO_OP_PARAMETER ? (int)hlo_instruction_int(i, HLO_ATTR_parameter_number, 0) : -1;
}

static bool set_up_product(const hlo_kernel_question *question, const hlo_computation *computation, int product, hlo_kernel_choice *choice,
                           epilogue *e) {
  hlo_kernel_question inner = *question;
  inner.computation = computation;
  inner.instruction = hlo_instruction_at(computation, product);
  inner.fusion = question;
  if (!hlo_kernel_choose(inner, choice)) return false;
  e->run = choice->run_shared;
  e->run_telling = choice->run_telling;
  e->parameters = choice->parameters;
  e->product_operand_count = choice->operand_count;
  for (int n = 0; n < choice->operand_count; n++)
    if (n == 2 || (e->product_operands[n] = fusion_operand(computation, choice->operands[n])) < 0) return false;
  return true;
}

/* Whether a value is the product as it lies there. */
static bool is_product(const hlo_loop_step *step, const hlo_loop_value *value) {
  return value->kind == HLO_LOOP_INPUT && value->operand == step->operand_count && value->flat && value->offset == 0;
}

/* Whether parts may be run as they come: each reads of the product what it has itself, and gives nothing that belongs to a whole row. */
static bool runs_in_parts(const hlo_loop_step *step) {
  const hlo_loop *loop = &step->loop;
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_loop_value *value = &loop->values[v];
    if (value->kind == HLO_LOOP_INPUT && value->operand == step->operand_count && !is_product(step, value)) return false;
  }
  return hlo_loop_has_columns(loop);
}

/* In rows as parts have them, if that can be. */
static bool lower(const hlo_kernel_question *question, const hlo_computation *computation, int product, int64_t width, epilogue *e) {
  hlo_loop_question lowering = {.module = question->module, .computation = computation, .product = product, .width = width,
                                .arena = question->arena, .status = question->status};
  e->step.fusion = question->instruction;
  if (e->run_telling && hlo_loop_lower(&lowering, &e->step) && runs_in_parts(&e->step)) return true;
  lowering.width = 0;
  e->run_telling = NULL;
  return hlo_loop_lower(&lowering, &e->step);
}

/* The product itself may be an output. */
static void place_product(const hlo_kernel_question *question, int64_t product_bytes, epilogue *e, hlo_kernel_choice *choice) {
  const hlo_loop *loop = &e->step.loop;
  e->product_output = -1;
  for (int i = 0; i < loop->output_count && e->product_output < 0; i++)
    if (is_product(&e->step, &loop->values[loop->outputs[i].value])) e->product_output = i;
  for (int i = 0; i < loop->output_count && e->product_output < 0; i++)
    if (hlo_loop_may_overwrite(loop, i, e->step.operand_count, product_bytes)) e->product_output = i;
  e->loop_offset = hlo_place_aligned(choice->scratch_bytes);
  e->product_offset = e->loop_offset + hlo_loop_step_scratch(&e->step) * question->threads;
  choice->scratch_bytes = e->product_offset + (e->product_output < 0 ? product_bytes : 0);
}

bool hlo_setup_epilogue(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  int product = find_product(computation);
  hlo_kernel_choice inner;
  epilogue made = {0};
  if (product < 0 || !set_up_product(question, computation, product, &inner, &made)) return false;
  if (!lower(question, computation, product, inner.told_width, &made)) return false;
  place_product(question, hlo_plan_dense_bytes(hlo_instruction_at(computation, product)->shape), &made, &inner);
  epilogue *e = HLO_KEEP(question, made);
  const char *name = hlo_loop_step_name(question, &made.step);
  if (!e || !name) return false;
  hlo_loop_step_add(question, &e->step);
  choice->kernel = hlo_arena_format(question->arena, question->status, made.run_telling ? "%s with %s" : "%s, then %s", inner.kernel, name);
  choice->scratch_bytes = inner.scratch_bytes;
  choice->run_shared = run_epilogue;
  choice->parameters = e;
  return choice->kernel != NULL;
}
