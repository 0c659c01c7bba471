/* fusion of element-wise ops and reductions: one loop over its elements. */
#include "plan/loop_steps.h"

#include "base/parts.h"

enum { ELEMENTS_AT_ONCE = 1 << 16 };

void hlo_loop_call_begin(hlo_loop_call *call, const hlo_loop_step *step, const void *const *operands, void *result, void *scratch) {
  call->step = step;
  call->scratch = scratch;
  call->results[0] = result;
  for (int i = 1; i < step->loop.output_count; i++) call->results[i] = (void *)operands[step->operand_count + i - 1];
}

void hlo_loop_call_operands(hlo_loop_call *call, const void *const *operands, const void *product) {
  const void **to = call->operands;
  for (int n = 0; n < call->step->operand_count; n++) *to++ = operands[n];
  if (product) *to++ = product;
  for (int n = 0; n < call->step->constant_count; n++) *to++ = call->step->constants[n];
}

int64_t hlo_loop_step_scratch(const hlo_loop_step *step) {
  return hlo_place_aligned((int64_t)step->loop.scratch_bytes);
}

void hlo_loop_call_part(const hlo_loop_call *call, hlo_loop_part part, int thread) {
  void *scratch = hlo_team_scratch(call->scratch, (size_t)hlo_loop_step_scratch(call->step), thread);
  call->step->function(&call->step->loop, call->operands, call->results, &part, scratch);
}

/* Engines replace code by faster code between calls, not within them. Columns are divided where a part may have some of them. */
static void run_in_calls(const hlo_loop_call *call, hlo_loop_part all, int thread) {
  hlo_loop_part first = all;
  if (call->step->function != hlo_loop_run && all.columns > 0) {
    if (first.columns > ELEMENTS_AT_ONCE && hlo_loop_has_columns(&call->step->loop)) first.columns = ELEMENTS_AT_ONCE;
    int64_t rows = first.columns < ELEMENTS_AT_ONCE ? ELEMENTS_AT_ONCE / first.columns : 1;
    if (first.rows > rows) first.rows = rows;
  }
  for (hlo_loop_part part = first; part.row < all.row + all.rows; part.row += part.rows) {
    if (part.rows > all.row + all.rows - part.row) part.rows = all.row + all.rows - part.row;
    part.columns = first.columns;
    for (part.column = all.column; part.column < all.column + all.columns; part.column += part.columns) {
      if (part.columns > all.column + all.columns - part.column) part.columns = all.column + all.columns - part.column;
      hlo_loop_call_part(call, part, thread);
    }
  }
}

/* ---- By a team ---- */

typedef struct shared_loop {
  const hlo_loop_call *call;
  bool by_columns;
} shared_loop;

static void run_some(const void *context, int64_t first, int64_t count, int thread) {
  const shared_loop *s = context;
  const hlo_loop *loop = &s->call->step->loop;
  hlo_loop_part part = {.rows = loop->rows, .columns = loop->width};
  *(s->by_columns ? &part.column : &part.row) = first;
  *(s->by_columns ? &part.columns : &part.rows) = count;
  run_in_calls(s->call, part, thread);
}

bool hlo_loop_has_columns(const hlo_loop *loop) {
  bool vectors = !loop->has_reductions;
  for (int i = 0; i < loop->output_count; i++) vectors &= !loop->values[loop->outputs[i].value].per_row;
  return vectors;
}

void hlo_loop_call_shared(const hlo_loop_call *call, hlo_team *team) {
  const hlo_loop *loop = &call->step->loop;
  double nanoseconds = (double)loop->rows * call->step->row_nanoseconds;
  int few = hlo_team_threads(team) * HLO_TEAM_UNITS_A_THREAD;
  shared_loop s = {.call = call, .by_columns = loop->rows < few && loop->width > loop->rows && hlo_loop_has_columns(loop)};
  int64_t count = s.by_columns ? loop->width : loop->rows;
  hlo_parts_run(team, count, s.by_columns ? 64 : loop->rows_at_once > 0 ? loop->rows_at_once : 1, nanoseconds, run_some, &s);
}

static void run_loop(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_loop_call call;
  hlo_loop_call_begin(&call, parameters, operands, result, scratch);
  hlo_loop_call_operands(&call, operands, NULL);
  hlo_loop_call_shared(&call, team);
}

/* ---- Over operands ---- */

static bool reads(const hlo_loop_value *reader, int v) {
  for (int n = 0; reader->kind != HLO_LOOP_INPUT && n < reader->arity; n++)
    if (reader->from[n] == v) return true;
  return false;
}

bool hlo_loop_may_overwrite(const hlo_loop *loop, int i, int operand, int64_t operand_bytes) {
  int output = loop->outputs[i].value;
  const hlo_loop_value *written = &loop->values[output];
  bool is_read = false;
  if (written->kind == HLO_LOOP_INPUT || operand_bytes != loop->rows * loop->outputs[i].row_stride * written->bytes) return false;
  for (int v = 0; v < loop->value_count; v++) {
    const hlo_loop_value *value = &loop->values[v];
    if (value->kind != HLO_LOOP_INPUT || value->operand != operand) continue;
    if (!value->flat || value->offset != 0 || value->per_row != written->per_row || value->bytes != written->bytes) return false;
    for (int reader = output + 1; reader < loop->value_count; reader++)
      if (reads(&loop->values[reader], v)) return false;
    for (int n = 0; n < loop->output_count; n++)
      if (loop->outputs[n].value == v) return false;
    is_read = true;
  }
  return is_read;
}

static unsigned overwritable(const hlo_kernel_question *question, const hlo_loop_step *step, int output) {
  unsigned found = 0;
  for (int n = 0; n < step->operand_count && n < 32; n++) {
    const hlo_shape *operand = hlo_kernel_operand(question, n);
    if (hlo_loop_may_overwrite(&step->loop, output, n, hlo_plan_dense_bytes(operand))) found |= 1u << n;
  }
  return found;
}

static bool find_overwritable(const hlo_kernel_question *question, const hlo_loop_step *step, hlo_kernel_choice *choice) {
  unsigned *more = hlo_arena_many(question->arena, unsigned, step->loop.output_count, question->status);
  choice->overwritable = overwritable(question, step, 0);
  for (int i = 1; more && i < step->loop.output_count; i++) more[i - 1] = overwritable(question, step, i);
  choice->more_overwritable = more;
  return more != NULL;
}

/* ---- Setting up ---- */

const char *hlo_loop_step_name(const hlo_kernel_question *question, const hlo_loop_step *step) {
  const hlo_loop *loop = &step->loop;
  int ops = 0, inputs = 0;
  for (int v = 0; v < loop->value_count; v++) {
    ops += loop->values[v].kind != HLO_LOOP_INPUT;
    inputs += loop->values[v].kind == HLO_LOOP_INPUT && loop->values[v].operand < step->operand_count;
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
    all += (is_read ? 0.2 : hlo_elementwise_nanoseconds(opcode)) * (double)hlo_shape_element_count(shape);
  }
  return all;
}

void hlo_loop_step_add(const hlo_kernel_question *question, hlo_loop_step *step) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  if (step->loop.rows > 0) step->row_nanoseconds = nanoseconds_of(computation) / (double)step->loop.rows;
  step->next = *question->loops;
  *question->loops = step;
}

bool hlo_setup_loop(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_computation *computation = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_calls);
  hlo_loop_question lowering = {.module = question->module, .computation = computation, .product = -1, .arena = question->arena,
                                .status = question->status};
  hlo_loop_step made = {.fusion = question->instruction};
  if (!hlo_loop_lower(&lowering, &made)) return false;
  hlo_loop_step *step = HLO_KEEP(question, made);
  if (!step) return false;
  hlo_loop_step_add(question, step);
  choice->kernel = hlo_loop_step_name(question, step);
  choice->scratch_bytes = hlo_loop_step_scratch(step) * question->threads;
  choice->run_shared = run_loop;
  choice->parameters = step;
  return choice->kernel && find_overwritable(question, step, choice);
}
