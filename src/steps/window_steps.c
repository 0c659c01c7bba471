/* reduce-window with a well-known computation or any of element-wise ops, and select-and-scatter of f32 and f64 by comparison and sum. */
#include "base/alignment.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/bits_combine.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/window/applied_window.h"
#include "kernels/window/running_total.h"
#include "kernels/window/window_lines.h"
#include "kernels/window/window_reduce.h"
#include "kernels/window/window_scatter.h"
#include "loops/applied_program_make.h"
#include "loops/scalar_ops.h"
#include "numbers/short_sum.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"
#include "steps/widened_steps.h"

/* ---- reduce-window ---- */

/* Returns whether windows are running totals: each holds all elements that the one before it does (or the one after it), and at most one
 * more. Describes them. Short windows are folded from their first element on, which totals from the back are not. from_back: the operation may
 * begin with the last element. */
static bool describe_total(const hlo_window_lines *lines, bool from_back, hlo_running_total *total) {
  const hlo_window_line_dim *dim = &lines->dims[lines->rank];
  int64_t low = dim->window.padding_low, last = dim->window.size - 1;
  for (int d = 0; d < lines->rank; d++)
    if (!hlo_window_is_still(&lines->dims[d])) return false;
  if (dim->window.stride != 1 || dim->window.window_dilation != 1 || dim->window.reversal) return false;
  *total = (hlo_running_total){.positions = dim->out_size, .in_size = dim->in_size, .shift = low - last, .group = lines->group};
  if (low >= dim->out_size - 1 && low >= last) return true;
  total->shift = low;
  total->backward = true;
  return from_back && dim->window.size > HLO_SHORT_SUM && last - low >= dim->in_size - 1 && dim->out_size - 1 - low >= dim->in_size - 1;
}

static bool is_half(hlo_type type) { return type == HLO_TYPE_F16 || type == HLO_TYPE_BF16; }

bool hlo_setup_reduce_window(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = instruction->shape, *in = hlo_kernel_operand(question, 0);
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  hlo_window_reduce_parameters p = {0};
  hlo_opcode opcode;
  if (instruction->operand_count != 2 || !hlo_computation_is_binary_op(computation, &opcode)) return false;
  if (in->type != shape->type || hlo_kernel_operand(question, 1)->type != shape->type) return false;
  if (hlo_computation_root(computation)->shape->type != shape->type) return false;
  const hlo_window *window = hlo_instruction_window(instruction);
  bool widens = opcode == HLO_OP_ADD && is_half(shape->type) && hlo_window_cells(window) > HLO_SHORT_SUM;
  hlo_type type = widens ? HLO_TYPE_F32 : shape->type;
  p.bytes = hlo_type_bytes(type);
  p.combine = hlo_elementwise_kernel_of(opcode, type, type, HLO_ANY_VARIANT);
  if (!p.combine || !hlo_window_lines_describe(window, in->dims, shape->dims, in->rank, &p.lines)) return false;
  p.is_f32_sum = opcode == HLO_OP_ADD && type == HLO_TYPE_F32;
  bool is_total = describe_total(&p.lines, hlo_op_has(opcode, HLO_FLAG_COMMUTATIVE), &p.total);
  p.bits = hlo_bits_combine_of(opcode, type);
  if (!hlo_bits_are_fast(&p.bits, p.total.group)) p.bits.op = HLO_BITS_SECOND;
  if (is_total) choice->kernel = "running_totals";
  int64_t line_bytes = p.lines.positions * p.lines.group * p.bytes;
  double nanoseconds = (double)p.lines.count * (double)line_bytes / 16;
  for (int d = 0; d <= p.lines.rank && !is_total; d++) nanoseconds *= (double)p.lines.dims[d].window.size;
  return HLO_RUN_RANGES(question, choice, p, .run = is_total ? hlo_running_totals_run : hlo_window_reduce_run, .count = p.lines.count,
                        .step = 1, .nanoseconds = nanoseconds, .scratch_bytes = line_bytes) &&
         (!widens || hlo_widened_wrap(question, choice));
}

/* Any other computation of element-wise ops, over one array or several. */
bool hlo_setup_applied_window(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  const hlo_shape *in = hlo_kernel_operand(question, 0), *out = hlo_shape_leaf(instruction->shape, 0);
  hlo_applied_window_parameters p = {.parts = instruction->operand_count / 2};
  hlo_opcode opcode; /* the reference does not round sums of real and complex numbers element by element */
  if (hlo_computation_is_binary_op(computation, &opcode) && opcode == HLO_OP_ADD && !hlo_type_is_integral(in->type)) return false;
  if (p.parts < 1 || p.parts > HLO_APPLIED_WINDOW_MOST_PARTS || !hlo_applied_program_make(computation, &p.program)) return false;
  if (p.program.result_count != p.parts || !hlo_window_lines_describe(hlo_instruction_window(instruction), in->dims, out->dims, in->rank, &p.lines))
    return false;
  int most = 1;
  bool computes = !p.program.chooses; /* floats: what chooses depends on the order where there is NaN, and integers are exact in theirs */
  for (int i = 0; i < p.parts; i++) {
    hlo_type type = hlo_kernel_operand(question, i)->type;
    computes &= hlo_type_is_float(type);
    p.bytes[i] = hlo_type_bytes(type);
    if (p.bytes[i] > most) most = p.bytes[i];
    if (hlo_kernel_operand(question, p.parts + i)->type != type || hlo_shape_leaf(instruction->shape, i)->type != type) return false;
    if (hlo_shape_leaf(hlo_computation_root(computation)->shape, i)->type != type) return false;
    for (int n = 0; n < 2; n++)
      if (hlo_instruction_at(computation, computation->parameters[n * p.parts + i])->shape->type != type) return false;
  }
  bool is_total = describe_total(&p.lines, computes, &p.total);
  if (is_total) choice->kernel = "applied_totals";
  p.program_bytes = hlo_aligned((int64_t)hlo_applied_program_scratch_bytes(&p.program));
  p.line_bytes = hlo_aligned(p.lines.positions * p.lines.group * most);
  double nanoseconds = (double)p.lines.count * (double)p.line_bytes;
  for (int d = 0; d <= p.lines.rank && !is_total; d++) nanoseconds *= (double)p.lines.dims[d].window.size;
  return HLO_RUN_RANGES(question, choice, p, .run = is_total ? hlo_applied_totals_run : hlo_applied_window_run, .count = p.lines.count,
                        .step = 1, .nanoseconds = nanoseconds, .scratch_bytes = p.program_bytes + p.parts * p.line_bytes);
}

/* ---- select-and-scatter ---- */

/* Reads a computation that is one comparison of its parameters: whether it is strict, and whether it keeps the least element. */
static bool describe_select(const hlo_computation *c, hlo_window_scatter_parameters *p) {
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
  hlo_window_scatter_parameters p = {.elements = hlo_shape_element_count(shape)};
  hlo_opcode opcode;
  p.is_double = shape->type == HLO_TYPE_F64;
  for (int n = 0; n < 3; n++)
    if (hlo_kernel_operand(question, n)->type != shape->type) return false;
  if (shape->type != HLO_TYPE_F32 && !p.is_double) return false;
  if (!hlo_computation_is_binary_op(scatter, &opcode) || opcode != HLO_OP_ADD || hlo_computation_root(scatter)->shape->type != shape->type) return false;
  if (p.elements > INT32_MAX || !describe_select(hlo_instruction_computation(question->module, instruction, HLO_ATTR_select), &p)) return false;
  if (!hlo_window_lines_describe(hlo_instruction_window(instruction), shape->dims, source->dims, shape->rank, &p.lines)) return false;
  p.blocks = p.lines.rank > 0 && hlo_window_is_still(&p.lines.dims[0]) && p.elements > 0 ? p.lines.dims[0].in_size : 1;
  return HLO_RUN_RANGES(question, choice, p, .run = hlo_window_scatter_run, .count = p.blocks, .step = 1,
                        .nanoseconds = (double)p.elements * 4,
                        .scratch_bytes = 3 * p.lines.positions * p.lines.group * hlo_type_bytes(shape->type));
}
