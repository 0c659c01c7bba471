/* reduce-window with a well-known computation, and select-and-scatter of f32 by comparison and sum. Windows as long as what they slide
 * over, on one side, are running totals. */
#include <math.h>
#include <string.h>

#include "kernels/running_total.h"
#include "kernels/simd128.h"
#include "kernels/strided_copy.h"
#include "kernels/window_select.h"
#include "plan/widened_steps.h"
#include "plan/window_lines.h"

enum { SHORTEST_GROUP = 16, LONGEST_IN_ORDER = 16 }; /* shorter groups are gathered first */

/* Every `step`-th word; whole vectors where it is every second one, but not beyond the last. */
static void gather_words(const uint32_t *from, int64_t step, int64_t count, uint32_t *to) {
  int64_t done = 0;
  for (; step == 2 && done + 4 < count; done += 4)
    wasm_v128_store(to + done, wasm_i32x4_shuffle(wasm_v128_load(from + 2 * done), wasm_v128_load(from + 2 * done + 4), 0, 2, 4, 6));
  for (; done < count; done++) to[done] = from[done * step];
}

/* The elements of a run, position after position without gaps: where they are, or gathered in `scratch`. */
static const void *run_elements(const hlo_window_lines *lines, const hlo_window_run *run, const void *in, int bytes, void *scratch) {
  const char *from = (const char *)in + run->offset * bytes;
  if (run->step == lines->group || run->count == 1) return from;
  if (lines->group == 1 && bytes == 4) {
    gather_words((const uint32_t *)from, run->step, run->count, scratch);
    return scratch;
  }
  hlo_strided_map map = {.rank = 2, .element_bytes = bytes, .dims = {run->count, lines->group},
                         .in_strides = {run->step * bytes, bytes}, .out_strides = {lines->group * bytes, bytes}};
  hlo_strided_map_simplify(&map);
  hlo_strided_copy_simd128(&map, from, scratch);
  return scratch;
}

/* ---- reduce-window ---- */

typedef struct window_parameters {
  hlo_window_lines lines;
  hlo_elementwise_kernel *combine;
  int bytes;
  bool is_f32_sum;
  hlo_running_total total;
} window_parameters;

typedef struct window_line {
  const window_parameters *p;
  const void *in;
  char *out;
  void *scratch;
} window_line;

static void fold_cell(void *context, const hlo_window_run *run) {
  const window_line *line = context;
  const window_parameters *p = line->p;
  int64_t group = p->lines.group;
  char *out = line->out + run->first * group * p->bytes;
  const void *operands[2] = {out, (const char *)line->in + run->offset * p->bytes};
  if (run->step != group && run->count > 1 && group >= SHORTEST_GROUP) {
    for (int64_t i = 0; i < run->count; i++) {
      p->combine(operands, 0, out, group);
      operands[0] = out += group * p->bytes;
      operands[1] = (const char *)operands[1] + run->step * p->bytes;
    }
    return;
  }
  operands[1] = run_elements(&p->lines, run, line->in, p->bytes, line->scratch);
  p->combine(operands, 0, out, run->count * group);
}

static void run_window_lines(const hlo_part_call *call, int64_t first, int64_t count) {
  const window_parameters *p = call->parameters;
  int64_t elements = p->lines.positions * p->lines.group;
  window_line line = {p, call->operands[0], (char *)call->result + first * elements * p->bytes, call->scratch};
  for (int64_t l = first; l < first + count; l++, line.out += elements * p->bytes) {
    hlo_fill(line.out, call->operands[1], p->bytes, elements);
    hlo_window_line_visit(&p->lines, l, fold_cell, &line);
  }
}

/* ---- Running totals ---- */

static bool is_still(const hlo_window_line_dim *dim) {
  return dim->window.size == 1 && dim->window.stride == 1 && dim->window.padding_low == 0 && dim->in_size == dim->out_size;
}

/* Whether each window holds all that the one before it does (or the one after it), and at most one element more. */
static bool describe_total(const hlo_window_lines *lines, bool is_commutative, hlo_running_total *total) {
  const hlo_window_line_dim *dim = &lines->dims[lines->rank];
  int64_t low = dim->window.padding_low, last = dim->window.size - 1;
  for (int d = 0; d < lines->rank; d++)
    if (!is_still(&lines->dims[d])) return false;
  if (dim->window.stride != 1 || dim->window.window_dilation != 1 || dim->window.reversal || dim->window.size <= LONGEST_IN_ORDER) return false;
  *total = (hlo_running_total){.positions = dim->out_size, .in_size = dim->in_size, .shift = low - last, .group = lines->group};
  if (low >= dim->out_size - 1 && low >= last) return true;
  total->shift = low;
  total->backward = true;
  return is_commutative && last - low >= dim->in_size - 1 && dim->out_size - 1 - low >= dim->in_size - 1;
}

/* One block of lines with any kernel: each is the one before it, and one more. */
static void total_block(const window_parameters *p, const char *in, const void *init, char *out) {
  const hlo_running_total *t = &p->total;
  int64_t bytes = t->group * p->bytes;
  const void *operands[2] = {init, NULL};
  for (int64_t step = 0; step < t->positions; step++) {
    int64_t position = t->backward ? t->positions - 1 - step : step, element = position - t->shift;
    char *line = out + position * bytes;
    if (element >= 0 && element < t->in_size) {
      operands[1] = in + element * bytes;
      p->combine(operands, operands[0] == init && t->group > 1 ? 1 : 0, line, t->group);
    } else if (operands[0] == init) {
      hlo_fill(line, init, p->bytes, t->group);
    } else {
      memcpy(line, operands[0], (size_t)bytes);
    }
    operands[0] = line;
  }
}

static void run_total_lines(const hlo_part_call *call, int64_t first, int64_t count) {
  const window_parameters *p = call->parameters;
  int64_t in_bytes = p->total.in_size * p->total.group * p->bytes, out_bytes = p->total.positions * p->total.group * p->bytes;
  for (int64_t l = first; l < first + count && out_bytes > 0; l++) {
    const char *in = in_bytes ? (const char *)call->operands[0] + l * in_bytes : NULL;
    char *out = (char *)call->result + l * out_bytes;
    if (p->is_f32_sum) hlo_f32_running_sum(&p->total, (const float *)in, *(const float *)call->operands[1], (float *)out);
    else total_block(p, in, call->operands[1], out);
  }
}

static bool is_half(hlo_type type) { return type == HLO_TYPE_F16 || type == HLO_TYPE_BF16; }

static int64_t cell_count(const hlo_window *window) {
  int64_t count = 1;
  for (int d = 0; d < window->rank; d++) count *= window->dims[d].size;
  return count;
}

bool hlo_setup_reduce_window(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = instruction->shape, *in = hlo_kernel_operand(question, 0);
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  window_parameters p = {0};
  hlo_opcode opcode;
  if (instruction->operand_count != 2 || !hlo_computation_is_binary_op(computation, &opcode)) return false;
  if (in->type != shape->type || hlo_kernel_operand(question, 1)->type != shape->type) return false;
  if (hlo_computation_root(computation)->shape->type != shape->type) return false;
  const hlo_window *window = hlo_instruction_window(instruction);
  bool widens = opcode == HLO_OP_ADD && is_half(shape->type) && cell_count(window) > LONGEST_IN_ORDER;
  hlo_type type = widens ? HLO_TYPE_F32 : shape->type;
  p.bytes = hlo_type_bytes(type);
  p.combine = hlo_elementwise_kernel_of(opcode, type, type, HLO_ANY_VARIANT);
  if (!p.combine || !hlo_window_lines_describe(window, in, shape, &p.lines)) return false;
  p.is_f32_sum = opcode == HLO_OP_ADD && type == HLO_TYPE_F32;
  bool is_total = describe_total(&p.lines, hlo_op_has(opcode, HLO_FLAG_COMMUTATIVE), &p.total);
  if (is_total) choice->kernel = "running_totals";
  int64_t line_bytes = p.lines.positions * p.lines.group * p.bytes;
  double nanoseconds = (double)p.lines.count * (double)line_bytes / 16;
  for (int d = 0; d <= p.lines.rank && !is_total; d++) nanoseconds *= (double)p.lines.dims[d].window.size;
  return HLO_RUN_PARTED(question, choice, p, .run = is_total ? run_total_lines : run_window_lines, .count = p.lines.count,
                        .step = 1, .nanoseconds = nanoseconds, .scratch_bytes = line_bytes) &&
         (!widens || hlo_widened_finish(question, choice));
}

/* ---- select-and-scatter ---- */

typedef struct select_parameters {
  hlo_window_lines lines;
  int64_t elements; /* of the result */
  int64_t blocks;   /* that lines are in, and arrays, and windows do not leave */
  bool strict;
  uint32_t flip;
} select_parameters;

typedef struct select_line {
  const select_parameters *p;
  const float *in;
  float *best, *gathered;
  int32_t *chosen;
} select_line;

static void select_cell(void *context, const hlo_window_run *run) {
  const select_line *line = context;
  const select_parameters *p = line->p;
  int64_t group = p->lines.group, at = run->first * group;
  if (group > 1 && run->step != group) {
    for (int64_t i = 0, offset = run->offset; i < run->count; i++, offset += run->step, at += group)
      hlo_f32_window_select_simd128(line->in + offset, line->best + at, line->chosen + at, group, (int32_t)offset, 1, p->strict, p->flip);
    return;
  }
  hlo_f32_window_select_simd128(run_elements(&p->lines, run, line->in, sizeof(float), line->gathered), line->best + at, line->chosen + at,
                                run->count * group, (int32_t)run->offset, group > 1 ? 1 : (int32_t)run->step, p->strict, p->flip);
}

/* Scratch: what is best in a line, where it is, and what is gathered. */
static void select_blocks(const hlo_part_call *call, int64_t first, int64_t count) {
  const select_parameters *p = call->parameters;
  int64_t elements = p->lines.positions * p->lines.group, lines = p->lines.count / p->blocks, block = p->elements / p->blocks;
  const float nan = NAN, *source = (const float *)call->operands[1] + first * lines * elements;
  float *out = call->result;
  hlo_fill(out + first * block, call->operands[2], sizeof(float), count * block);
  if (elements == 0) return;
  select_line line = {.p = p, .in = call->operands[0], .best = call->scratch};
  line.chosen = (int32_t *)(line.best + elements);
  line.gathered = line.best + 2 * elements;
  for (int64_t l = first * lines; l < (first + count) * lines; l++, source += elements) {
    hlo_fill(line.best, &nan, sizeof nan, elements);
    memset(line.chosen, 0xFF, (size_t)elements * sizeof *line.chosen);
    hlo_window_line_visit(&p->lines, l, select_cell, &line);
    for (int64_t i = 0; i < elements; i++)
      if (line.chosen[i] >= 0) out[line.chosen[i]] += source[i];
  }
}

/* compare(p0, p1): whether it is strict, and whether it keeps the least. */
static bool describe_select(const hlo_computation *c, select_parameters *p) {
  const hlo_instruction *root = hlo_computation_root(c);
  if (root->opcode != HLO_OP_COMPARE || !hlo_elementwise_kernel_for(c, root)) return false;
  bool in_order = root->operands[0] == c->parameters[0] && root->operands[1] == c->parameters[1];
  bool swapped = root->operands[0] == c->parameters[1] && root->operands[1] == c->parameters[0];
  int direction = hlo_instruction_enum(root, HLO_ATTR_direction, HLO_direction_EQ);
  if ((!in_order && !swapped) || direction == HLO_direction_EQ || direction == HLO_direction_NE) return false;
  p->strict = direction == HLO_direction_GT || direction == HLO_direction_LT;
  bool least = direction == HLO_direction_LE || direction == HLO_direction_LT;
  p->flip = least != swapped ? 0x80000000u : 0;
  return true;
}

bool hlo_setup_select_and_scatter(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = instruction->shape, *source = hlo_kernel_operand(question, 1);
  const hlo_computation *scatter = hlo_instruction_computation(question->module, instruction, HLO_ATTR_scatter);
  select_parameters p = {.elements = hlo_shape_element_count(shape)};
  hlo_opcode opcode;
  for (int n = 0; n < 3; n++)
    if (hlo_kernel_operand(question, n)->type != HLO_TYPE_F32) return false;
  if (!hlo_computation_is_binary_op(scatter, &opcode) || opcode != HLO_OP_ADD || hlo_computation_root(scatter)->shape->type != HLO_TYPE_F32)
    return false;
  if (p.elements > INT32_MAX || !describe_select(hlo_instruction_computation(question->module, instruction, HLO_ATTR_select), &p)) return false;
  if (!hlo_window_lines_describe(hlo_instruction_window(instruction), shape, source, &p.lines)) return false;
  p.blocks = p.lines.rank > 0 && is_still(&p.lines.dims[0]) && p.elements > 0 ? p.lines.dims[0].in_size : 1;
  return HLO_RUN_PARTED(question, choice, p, .run = select_blocks, .count = p.blocks, .step = 1,
                        .nanoseconds = (double)p.elements * 4,
                        .scratch_bytes = 3 * p.lines.positions * p.lines.group * (int64_t)sizeof(float));
}
