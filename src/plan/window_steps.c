/* reduce-window with a well-known computation, and select-and-scatter of f32 by comparison and sum. Windows as long as what they slide
 * over, on one side, are running totals. */
#include <math.h>
#include <string.h>

#include "base/parts.h"
#include "kernels/running_total.h"
#include "kernels/simd128.h"
#include "kernels/strided_copy.h"
#include "kernels/widen.h"
#include "kernels/window_select.h"
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
  int64_t scratch_bytes;   /* of a thread */
  double line_nanoseconds; /* about */
  /* long sums of f16 and bf16: they are taken in f32, with the arrays in the scratch */
  hlo_shared_step_function *run_wide;
  hlo_widen_kernel *widen, *narrow;
  int64_t in_count, out_count, in_offset, out_offset;
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

/* Lines by a team: reduce-window, and running totals. */
typedef struct shared_lines {
  const window_parameters *p;
  const char *in;
  const void *init;
  char *out, *scratch;
} shared_lines;

static void run_window_lines(const void *context, int64_t first, int64_t count, int thread) {
  const shared_lines *s = context;
  const window_parameters *p = s->p;
  int64_t elements = p->lines.positions * p->lines.group;
  window_line line = {p, s->in, s->out + first * elements * p->bytes, hlo_team_scratch(s->scratch, (size_t)p->scratch_bytes, thread)};
  for (int64_t l = first; l < first + count; l++, line.out += elements * p->bytes) {
    hlo_fill(line.out, s->init, p->bytes, elements);
    hlo_window_line_visit(&p->lines, l, fold_cell, &line);
  }
}

static void run_lines(const window_parameters *p, const void *const *operands, void *result, void *scratch, hlo_team *team, hlo_parts_work *work) {
  const shared_lines s = {p, operands[0], operands[1], result, scratch};
  hlo_parts_run(team, p->lines.count, 1, (double)p->lines.count * p->line_nanoseconds, work, &s);
}

static void run_window(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  run_lines(parameters, operands, result, scratch, team, run_window_lines);
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

static void run_total_lines(const void *context, int64_t first, int64_t count, int thread) {
  const shared_lines *s = context;
  const window_parameters *p = s->p;
  int64_t in_bytes = p->total.in_size * p->total.group * p->bytes, out_bytes = p->total.positions * p->total.group * p->bytes;
  for (int64_t l = first; l < first + count && out_bytes > 0; l++) {
    const char *in = in_bytes ? s->in + l * in_bytes : NULL;
    char *out = s->out + l * out_bytes;
    if (p->is_f32_sum) hlo_f32_running_sum(&p->total, (const float *)in, *(const float *)s->init, (float *)out);
    else total_block(p, in, s->init, out);
  }
}

static void run_totals(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  run_lines(parameters, operands, result, scratch, team, run_total_lines);
}

static void run_widened(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const window_parameters *p = parameters;
  char *in = (char *)scratch + p->in_offset, *out = (char *)scratch + p->out_offset;
  float init;
  const void *wide[2] = {in, &init};
  p->widen(operands[0], p->in_count, in);
  p->widen(operands[1], 1, &init);
  p->run_wide(p, wide, out, scratch, team);
  p->narrow(out, p->out_count, result);
}

static bool is_half(hlo_type type) { return type == HLO_TYPE_F16 || type == HLO_TYPE_BF16; }

static int64_t place(hlo_kernel_choice *choice, int64_t bytes) {
  int64_t offset = hlo_ceil_div(choice->scratch_bytes, HLO_PLACE_ALIGNMENT) * HLO_PLACE_ALIGNMENT;
  choice->scratch_bytes = offset + bytes + 1; /* there is always some */
  return offset;
}

/* Has the choice, made for f32, run on f16 or bf16. */
static void widen(hlo_kernel_choice *choice, window_parameters *p, hlo_type type, int64_t in_count, int64_t out_count) {
  p->run_wide = choice->run_shared;
  choice->run_shared = run_widened;
  p->widen = type == HLO_TYPE_F16 ? hlo_widen_f16_f32 : hlo_widen_bf16_f32;
  p->narrow = type == HLO_TYPE_F16 ? hlo_narrow_f32_f16 : hlo_narrow_f32_bf16;
  p->in_count = in_count, p->in_offset = place(choice, in_count * (int64_t)sizeof(float));
  p->out_count = out_count, p->out_offset = place(choice, out_count * (int64_t)sizeof(float));
}

static int64_t cell_count(const hlo_window *window) {
  int64_t count = 1;
  for (int d = 0; d < window->rank; d++) count *= window->dims[d].size;
  return count;
}

bool hlo_setup_reduce_window(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = instruction->shape, *in = hlo_operand(question->computation, instruction, 0)->shape;
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  window_parameters p = {.in_count = 0};
  hlo_opcode opcode;
  if (instruction->operand_count != 2 || !hlo_computation_is_binary_op(computation, &opcode)) return false;
  if (in->type != shape->type || hlo_operand(question->computation, instruction, 1)->shape->type != shape->type) return false;
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
  p.scratch_bytes = p.lines.positions * p.lines.group * p.bytes;
  p.line_nanoseconds = (double)p.scratch_bytes / 16;
  for (int d = 0; d <= p.lines.rank && !is_total; d++) p.line_nanoseconds *= (double)p.lines.dims[d].window.size;
  choice->run_shared = is_total ? run_totals : run_window;
  choice->scratch_bytes = p.scratch_bytes * question->threads;
  if (widens) widen(choice, &p, shape->type, hlo_shape_element_count(in), hlo_shape_element_count(shape));
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}

/* ---- select-and-scatter ---- */

typedef struct select_parameters {
  hlo_window_lines lines;
  int64_t elements; /* of the result */
  int64_t blocks;   /* that lines are in, and arrays, and windows do not leave */
  int64_t scratch_bytes; /* of a thread */
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

typedef struct shared_blocks {
  const select_parameters *p;
  const void *const *operands;
  float *out;
  char *scratch;
} shared_blocks;

/* Scratch: what is best in a line, where it is, and what is gathered. */
static void select_blocks(const void *context, int64_t first, int64_t count, int thread) {
  const shared_blocks *s = context;
  const select_parameters *p = s->p;
  int64_t elements = p->lines.positions * p->lines.group, lines = p->lines.count / p->blocks, block = p->elements / p->blocks;
  const float nan = NAN, *source = (const float *)s->operands[1] + first * lines * elements;
  hlo_fill(s->out + first * block, s->operands[2], sizeof(float), count * block);
  if (elements == 0) return;
  select_line line = {.p = p, .in = s->operands[0], .best = hlo_team_scratch(s->scratch, (size_t)p->scratch_bytes, thread)};
  line.chosen = (int32_t *)(line.best + elements);
  line.gathered = line.best + 2 * elements;
  for (int64_t l = first * lines; l < (first + count) * lines; l++, source += elements) {
    hlo_fill(line.best, &nan, sizeof nan, elements);
    memset(line.chosen, 0xFF, (size_t)elements * sizeof *line.chosen);
    hlo_window_line_visit(&p->lines, l, select_cell, &line);
    for (int64_t i = 0; i < elements; i++)
      if (line.chosen[i] >= 0) s->out[line.chosen[i]] += source[i];
  }
}

static void run_select(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const select_parameters *p = parameters;
  const shared_blocks s = {p, operands, result, scratch};
  hlo_parts_run(team, p->blocks, 1, (double)p->elements * 4, select_blocks, &s);
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
  const hlo_shape *shape = instruction->shape, *source = hlo_operand(question->computation, instruction, 1)->shape;
  const hlo_computation *scatter = hlo_instruction_computation(question->module, instruction, HLO_ATTR_scatter);
  select_parameters p = {.elements = hlo_shape_element_count(shape)};
  hlo_opcode opcode;
  for (int n = 0; n < 3; n++)
    if (hlo_operand(question->computation, instruction, n)->shape->type != HLO_TYPE_F32) return false;
  if (!hlo_computation_is_binary_op(scatter, &opcode) || opcode != HLO_OP_ADD || hlo_computation_root(scatter)->shape->type != HLO_TYPE_F32)
    return false;
  if (p.elements > INT32_MAX || !describe_select(hlo_instruction_computation(question->module, instruction, HLO_ATTR_select), &p)) return false;
  if (!hlo_window_lines_describe(hlo_instruction_window(instruction), shape, source, &p.lines)) return false;
  p.blocks = p.lines.rank > 0 && is_still(&p.lines.dims[0]) && p.elements > 0 ? p.lines.dims[0].in_size : 1;
  p.scratch_bytes = 3 * p.lines.positions * p.lines.group * (int64_t)sizeof(float);
  choice->scratch_bytes = p.scratch_bytes * question->threads;
  choice->run_shared = run_select;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
