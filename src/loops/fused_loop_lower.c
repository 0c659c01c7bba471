/* From a fused computation to a fused loop.
 *
 * Every instruction is computed (an element-wise instruction, a reduction) or is a view (a broadcast, a transpose, ...) of an array in
 * memory or of a computed value. Views of memory become inputs. The places at which views change their strides divide the elements of
 * the full shape into dimensions; the last dimension, or the one that reductions fold, is the row. */
#include "loops/fused_loop_lower.h"

#include <string.h>

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"
#include "loops/fused_loop.h"
#include "loops/scalar_ops.h"
#include "loops/view.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef enum source_kind { SOURCE_NONE, SOURCE_MEMORY, SOURCE_COMPUTED } source_kind;

/* The source behind an instruction of the fused computation: an operand or a computed instruction, and the view of it. */
typedef struct source {
  source_kind kind;
  int number; /* of an operand of the loop (SOURCE_MEMORY), or of an instruction (SOURCE_COMPUTED) */
  int64_t count;
  hlo_strides view;
} source;

enum { MAX_BOUNDARIES = 24, MAX_INSTRUCTIONS = 8 * HLO_FUSED_MAX_VALUES /* most are views and constants */ };

/* A view of memory, repeated to have an element for each element of the full shape. */
typedef struct input {
  int instruction;
  bool per_row; /* per-row values read it */
  hlo_strides view;
  int64_t strides[MAX_BOUNDARIES]; /* by dimension, the fastest one first */
} input;

typedef struct lowering {
  const hlo_fused_loop_question *question;
  const hlo_computation *computation;
  hlo_arena *scratch;
  hlo_status *status;
  source *sources;   /* by instruction */
  int *value_of;     /* by instruction; -1: none yet */
  int64_t full, rows, width; /* full: elements of a vector; rows: 0 until their number is decided, and with it the width */
  int input_count;
  input *inputs;
  int boundary_count;
  int64_t boundaries[MAX_BOUNDARIES]; /* ascending; each divides the next */
  int dim_count;
  int64_t dims[MAX_BOUNDARIES];       /* the fastest one first */
  hlo_fused_loop loop;
  hlo_fused_value values[HLO_FUSED_MAX_VALUES];
  hlo_fused_output outputs[HLO_FUSED_MAX_OUTPUTS];
  int constant_count;
  const void *constants[HLO_FUSED_MAX_VALUES];
} lowering;

static const hlo_instruction *at(const lowering *l, int index) { return l->computation->instructions[index]; }
static int first_constant(const lowering *l) { return l->computation->parameter_count + (l->question->product >= 0); }

/* ---- What every instruction is ---- */

static bool set_constant(lowering *l, const hlo_instruction *instruction, source *s) {
  if (l->constant_count == HLO_FUSED_MAX_VALUES) return false;
  const hlo_literal *literal = hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal;
  l->constants[l->constant_count] = hlo_constant_dense(l->question->constants, literal, l->question->status);
  if (!l->constants[l->constant_count]) return false;
  s->kind = SOURCE_MEMORY;
  s->number = first_constant(l) + l->constant_count++;
  return true;
}

static bool set_kind(lowering *l, const hlo_instruction *instruction, source *s) {
  hlo_reduction reduction;
  s->kind = SOURCE_MEMORY;
  if (instruction->index == l->question->product) {
    s->number = l->computation->parameter_count;
    return true;
  }
  if (instruction->opcode == HLO_OP_PARAMETER) {
    s->number = (int)hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0);
    return true;
  }
  if (instruction->opcode == HLO_OP_CONSTANT) return set_constant(l, instruction, s);
  s->kind = SOURCE_COMPUTED;
  s->number = instruction->index;
  return hlo_scalar_op_for(l->computation, instruction) != HLO_SCALAR_NONE ||
         hlo_reduction_for(l->question->module, l->computation, instruction, &reduction);
}

/* Follows views from the instruction to what they are views of. */
static bool set_source(lowering *l, const hlo_instruction *instruction) {
  source *s = &l->sources[instruction->index];
  const hlo_instruction *viewed = instruction;
  hlo_view view;
  if (!hlo_shape_is_plain(instruction->shape)) return false;
  s->count = hlo_shape_element_count(instruction->shape);
  hlo_view_start(&view, instruction->shape, instruction->shape);
  for (; hlo_is_view(l->computation, viewed); viewed = hlo_operand(l->computation, viewed, 0))
    if (!hlo_view_through(&view, l->computation, viewed)) return false;
  hlo_view_strides(&view, &s->view);
  if (viewed == instruction) return s->count > 0 && set_kind(l, instruction, s);
  s->kind = l->sources[viewed->index].kind;
  s->number = l->sources[viewed->index].number;
  return s->count > 0;
}

static bool is_computed(const lowering *l, int instruction) {
  return l->sources[instruction].kind == SOURCE_COMPUTED && l->sources[instruction].number == instruction;
}

/* Sets the sources of all instructions but operands of the product alone, which the loop does not read. */
static bool find_sources(lowering *l) {
  int count = l->computation->instruction_count;
  bool *needed = hlo_arena_many(l->scratch, bool, count, l->status);
  if (!needed || l->computation->parameter_count >= HLO_FUSED_MAX_VALUES) return false;
  needed[l->computation->root] = true;
  for (int i = count - 1; i >= 0; i--)
    for (int n = 0; needed[i] && i != l->question->product && n < at(l, i)->operand_count; n++) needed[at(l, i)->operands[n]] = true;
  for (int i = 0; i < count; i++) {
    if (!needed[i] || (i == l->computation->root && at(l, i)->opcode == HLO_OP_TUPLE)) continue;
    if (!set_source(l, at(l, i))) return false;
  }
  return true;
}

/* ---- Rows ---- */

static bool require_rows(lowering *l, int64_t rows) {
  if (l->full % rows || (l->rows && l->rows != rows)) return false;
  l->rows = rows;
  l->width = l->full / rows;
  return true;
}

/* Returns whether the reduced dimensions are the last ones. */
static bool folds_trailing(const lowering *l, const hlo_instruction *reduce) {
  const hlo_shape *shape = hlo_operand(l->computation, reduce, 0)->shape;
  uint32_t dimensions = hlo_ints_mask(hlo_instruction_ints(reduce, HLO_ATTR_dimensions));
  bool kept_after = false;
  for (int d = shape->rank - 1; d >= 0; d--) {
    bool folded = dimensions >> d & 1;
    if (shape->dims[d] == 1) continue;
    if (folded && kept_after) return false;
    kept_after |= !folded;
  }
  return true;
}

/* Finds how many elements a vector has, and how many rows there are if a value is per-row. */
static bool find_rows(lowering *l) {
  int count = l->computation->instruction_count;
  int64_t product = l->question->product >= 0 ? l->sources[l->question->product].count : 0;
  l->full = product;
  for (int i = 0; i < count; i++) {
    if (!is_computed(l, i)) continue;
    int64_t elements = at(l, i)->opcode == HLO_OP_REDUCE ? l->sources[at(l, i)->operands[0]].count : l->sources[i].count;
    if (elements > l->full) l->full = elements;
  }
  if (l->full == 0 || (product && l->full != product)) return false;
  if (l->question->width && !require_rows(l, l->full / l->question->width)) return false;
  for (int i = 0; i < count; i++) {
    if (!is_computed(l, i)) continue;
    if (at(l, i)->opcode == HLO_OP_REDUCE) {
      if (l->sources[at(l, i)->operands[0]].count != l->full || !folds_trailing(l, at(l, i))) return false;
      if (!require_rows(l, l->sources[i].count)) return false;
      l->loop.has_reductions = true;
    } else if (l->sources[i].count != l->full && l->sources[i].count != 1 && !require_rows(l, l->sources[i].count)) {
      return false;
    }
  }
  return !l->loop.has_reductions || l->width > 1;
}

/* ---- Inputs and their strides ---- */

/* Makes a view of `count` elements one of the full shape: per-row elements are repeated along the row. */
static void spread(const lowering *l, int64_t count, hlo_strides *view) {
  if (count == 1) view->count = 0;
  if (count == l->full || count == 1 || l->width == 1) return;
  if (view->count == 0 || view->strides[view->count - 1] != 0) {
    view->sizes[view->count] = 1;
    view->strides[view->count++] = 0;
  }
  view->sizes[view->count - 1] *= l->width;
}

static bool add_boundary(lowering *l, int64_t boundary) {
  int i = 0;
  while (i < l->boundary_count && l->boundaries[i] < boundary) i++;
  if (i < l->boundary_count && l->boundaries[i] == boundary) return true;
  if (l->boundary_count == MAX_BOUNDARIES) return false;
  for (int n = l->boundary_count++; n > i; n--) l->boundaries[n] = l->boundaries[n - 1];
  l->boundaries[i] = boundary;
  return true;
}

static bool add_input(lowering *l, int instruction) {
  for (int i = 0; i < l->input_count; i++)
    if (l->inputs[i].instruction == instruction) return true;
  const source *s = &l->sources[instruction];
  input *in = &l->inputs[l->input_count++];
  in->instruction = instruction;
  in->per_row = s->count != l->full;
  in->view = s->view;
  spread(l, s->count, &in->view);
  int64_t boundary = 1;
  for (int d = in->view.count - 1; d >= 0; d--) {
    boundary *= in->view.sizes[d];
    if (!add_boundary(l, boundary)) return false;
  }
  return true;
}

/* Returns whether a computed value can be read as it is: element by element in order, or a per-row element for the whole row. */
static bool fits(const lowering *l, const source *s) {
  int64_t computed = l->sources[s->number].count;
  hlo_strides view = s->view;
  if (computed == 1) return true;
  if (view.offset != 0) return false;
  if (computed == l->full) return s->count == l->full && view.count == 1 && view.strides[0] == 1;
  if (s->count != l->rows && s->count != l->full) return false;
  spread(l, s->count, &view);
  return view.count == 2 && view.sizes[0] == l->rows && view.strides[0] == 1 && view.strides[1] == 0;
}

static bool read(lowering *l, int64_t reader_count, int instruction) {
  const source *s = &l->sources[instruction];
  if (s->count != reader_count && s->count != 1) return false;
  return s->kind == SOURCE_MEMORY ? add_input(l, instruction) : fits(l, s);
}

static int root_count(const lowering *l) {
  const hlo_instruction *root = hlo_computation_root(l->computation);
  return root->opcode == HLO_OP_TUPLE ? root->operand_count : 1;
}

static int root_element(const lowering *l, int i) {
  const hlo_instruction *root = hlo_computation_root(l->computation);
  return root->opcode == HLO_OP_TUPLE ? root->operands[i] : root->index;
}

static bool find_inputs(lowering *l) {
  for (int i = 0; i < l->computation->instruction_count; i++) {
    if (!is_computed(l, i)) continue;
    const hlo_instruction *instruction = at(l, i);
    bool reduces = instruction->opcode == HLO_OP_REDUCE;
    for (int n = 0; n < instruction->operand_count; n++)
      if (!read(l, reduces ? (n ? 1 : l->full) : l->sources[i].count, instruction->operands[n])) return false;
  }
  for (int i = 0; i < root_count(l); i++) {
    const source *s = &l->sources[root_element(l, i)];
    if (s->count != l->full && s->count != l->rows && s->count != 1) return false;
    if (s->kind == SOURCE_COMPUTED && l->sources[s->number].count != s->count) return false; /* the output would repeat a computed value */
    if (!read(l, s->count, root_element(l, i))) return false;
  }
  if (!add_boundary(l, 1) || !add_boundary(l, l->full) || (l->rows && !add_boundary(l, l->width))) return false;
  for (int i = 1; i < l->boundary_count; i++)
    if (l->boundaries[i] % l->boundaries[i - 1]) return false;
  return true;
}

/* The stride of a view between elements that lie `boundary` elements apart in the full shape. */
static int64_t stride_at(const hlo_strides *view, int64_t boundary) {
  int64_t below = 1;
  for (int d = view->count - 1; d >= 0; below *= view->sizes[d--])
    if (boundary < below * view->sizes[d]) return view->strides[d] * (boundary / below);
  return 0;
}

/* Makes a dimension between each two boundaries, and merges neighbours where each input has one stride for both, but not across the ends
 * of rows. */
static void find_dims(lowering *l) {
  for (int b = 0; b + 1 < l->boundary_count; b++) {
    int64_t size = l->boundaries[b + 1] / l->boundaries[b];
    int d = l->dim_count - 1;
    bool merges = d >= 0 && !(l->rows && l->boundaries[b] == l->width);
    for (int i = 0; i < l->input_count && merges; i++)
      merges = stride_at(&l->inputs[i].view, l->boundaries[b]) == l->inputs[i].strides[d] * l->dims[d];
    if (merges) {
      l->dims[d] *= size;
      continue;
    }
    l->dims[++d] = size;
    for (int i = 0; i < l->input_count; i++) l->inputs[i].strides[d] = stride_at(&l->inputs[i].view, l->boundaries[b]);
    l->dim_count = d + 1;
  }
}

static bool set_dims(lowering *l) {
  find_dims(l);
  if (!l->rows && !require_rows(l, l->dim_count ? l->full / l->dims[0] : 1)) return false;
  int row_dims = l->width == 1 ? l->dim_count : l->dim_count - 1;
  if (row_dims > HLO_FUSED_MAX_DIMS || (l->width > 1 && l->dims[0] != l->width)) return false;
  l->loop.dim_count = row_dims;
  for (int d = 0; d < row_dims; d++) l->loop.dims[d] = l->dims[l->dim_count - 1 - d];
  l->loop.rows = l->rows;
  l->loop.width = l->width;
  return true;
}

/* ---- Values ---- */

static int add_value(lowering *l, hlo_fused_value value) {
  if (l->loop.value_count == HLO_FUSED_MAX_VALUES) return -1;
  l->values[l->loop.value_count] = value;
  return l->loop.value_count++;
}

/* as_vector: the value is a vector even if the input has one element for each row. */
static int add_input_value(lowering *l, int instruction, bool as_vector) {
  const source *s = &l->sources[instruction];
  const input *in = l->inputs;
  while (in->instruction != instruction) in++;
  hlo_fused_value value = {.kind = HLO_FUSED_INPUT, .bytes = (uint8_t)hlo_type_bytes(at(l, instruction)->shape->type),
                          .operand = s->number, .offset = in->view.offset};
  value.stride = l->width == 1 ? 1 : in->strides[0];
  value.per_row = !as_vector && (in->per_row || value.stride == 0);
  if (value.per_row) value.stride = 0;
  for (int d = 0; d < l->loop.dim_count; d++) value.row_strides[d] = in->strides[l->dim_count - 1 - d];
  return add_value(l, value);
}

static int value_of(lowering *l, int instruction) {
  const source *s = &l->sources[instruction];
  if (s->kind == SOURCE_COMPUTED) return l->value_of[s->number];
  if (l->value_of[instruction] < 0) l->value_of[instruction] = add_input_value(l, instruction, false);
  return l->value_of[instruction];
}

/* Adds an input that is one constant for all elements. */
static int add_constant(lowering *l, const void *constant, int bytes, bool per_row) {
  if (l->constant_count == HLO_FUSED_MAX_VALUES) return -1;
  l->constants[l->constant_count++] = constant;
  return add_value(l, (hlo_fused_value){.kind = HLO_FUSED_INPUT, .per_row = per_row, .bytes = (uint8_t)bytes,
                                        .operand = first_constant(l) + l->constant_count - 1});
}

/* Adds a computed per-row value as a vector: selected by a vector of true. */
static int repeat(lowering *l, int v) {
  static const bool yes = true;
  int bytes = l->values[v].bytes;
  hlo_fused_value value = {.kind = HLO_FUSED_APPLY, .arity = 3, .bytes = (uint8_t)bytes, .op = hlo_scalar_select_of(bytes), .from = {add_constant(l, &yes, 1, false), v, v}};
  return value.from[0] < 0 ? -1 : add_value(l, value);
}

static int vector_of(lowering *l, int instruction) {
  int v = value_of(l, instruction);
  if (v < 0 || !l->values[v].per_row) return v;
  return l->sources[instruction].kind == SOURCE_MEMORY ? add_input_value(l, instruction, true) : repeat(l, v);
}

/* ---- Softmax: e^(x - max(x)), of which the largest is 1, over their sum ---- */

static bool is_apply(const hlo_fused_value *value, hlo_scalar_op op) { return value->kind == HLO_FUSED_APPLY && value->op == op; }

static bool is_reduce(const hlo_fused_value *value, hlo_reduce_op op) { return value->kind == HLO_FUSED_REDUCE && value->reduce == op; }

/* Matches x - max(x). */
static bool is_below_maximum(const lowering *l, int v) {
  const hlo_fused_value *difference = &l->values[v];
  if (!is_apply(difference, HLO_SCALAR_f32_subtract)) return false;
  const hlo_fused_value *most = &l->values[difference->from[1]];
  return is_reduce(most, HLO_REDUCE_f32_maximum) && most->from[0] == difference->from[0];
}

static bool is_zero(const lowering *l, const hlo_fused_value *value) {
  int constant = value->operand - first_constant(l);
  return value->kind == HLO_FUSED_INPUT && constant >= 0 && ((const float *)l->constants[constant])[value->offset] == 0;
}

/* Matches e^(x - max(x)), of either accuracy. */
static bool is_power(const hlo_fused_value *value) {
  return is_apply(value, HLO_SCALAR_f32_exponential_at_most_one) || is_apply(value, HLO_SCALAR_f32_exponential_or_zero);
}

/* Matches sum(e^(x - max(x))), maybe added to zero. It is 1 or more, or NaN, so that its inverse neither overflows nor loses digits. */
static bool is_sum_of_powers(const lowering *l, int v, int powers) {
  const hlo_fused_value *sum = &l->values[v];
  if (!is_power(&l->values[powers])) return false;
  if (is_apply(sum, HLO_SCALAR_f32_add) && is_zero(l, &l->values[sum->from[0]])) sum = &l->values[sum->from[1]];
  return is_reduce(sum, HLO_REDUCE_f32_add) && sum->from[0] == powers;
}

/* e / s -> e * (1 / s): one division for each row. */
static bool divide_rows(lowering *l, hlo_fused_value *value) {
  static const float one = 1;
  hlo_fused_value inverse = *value;
  inverse.per_row = true;
  inverse.from[0] = add_constant(l, &one, sizeof one, true);
  value->op = HLO_SCALAR_f32_multiply;
  value->from[1] = inverse.from[0] < 0 ? -1 : add_value(l, inverse);
  return value->from[1] >= 0;
}

static bool specialize(lowering *l, const hlo_instruction *instruction, hlo_fused_value *value) {
  if (value->op == HLO_SCALAR_f32_exponential && is_below_maximum(l, value->from[0])) {
    const hlo_attribute *accuracy = hlo_instruction_attribute(instruction, HLO_ATTR_result_accuracy);
    bool or_zero = accuracy && hlo_span_is(accuracy->text, HLO_SMALL_IS_ZERO);
    value->op = or_zero ? HLO_SCALAR_f32_exponential_or_zero : HLO_SCALAR_f32_exponential_at_most_one;
  }
  if (value->op == HLO_SCALAR_convert_f16_f32 && is_apply(&l->values[value->from[0]], HLO_SCALAR_convert_f32_f16)) {
    value->op = HLO_SCALAR_f32_round_f16;
    value->from[0] = l->values[value->from[0]].from[0];
  }
  if (value->op != HLO_SCALAR_f32_divide || !is_sum_of_powers(l, value->from[1], value->from[0])) return true;
  return divide_rows(l, value);
}

static bool add_apply(lowering *l, const hlo_instruction *instruction) {
  hlo_fused_value value = {.kind = HLO_FUSED_APPLY, .per_row = true, .arity = instruction->operand_count,
                          .bytes = (uint8_t)hlo_type_bytes(instruction->shape->type),
                          .op = hlo_scalar_op_for(l->computation, instruction)};
  bool is_vector = l->sources[instruction->index].count == l->full;
  for (int n = 0; n < value.arity; n++) {
    value.from[n] = value_of(l, instruction->operands[n]);
    if (value.from[n] < 0) return false;
    value.per_row &= l->values[value.from[n]].per_row;
  }
  /* An op of computed per-row values alone stays per-row until a vector is asked for. */
  if (is_vector && value.per_row && l->sources[instruction->operands[0]].kind == SOURCE_MEMORY) {
    value.from[0] = vector_of(l, instruction->operands[0]);
    if (value.from[0] < 0) return false;
    value.per_row = false;
  }
  return specialize(l, instruction, &value) && (l->value_of[instruction->index] = add_value(l, value)) >= 0;
}

/* Returns whether folding the init value in changes nothing. */
static bool is_identity(hlo_reduce_op op, const hlo_instruction *init) {
  if (init->opcode != HLO_OP_CONSTANT) return false;
  uint64_t identity = hlo_reduction_identity(op);
  const void *element = hlo_instruction_attribute(init, HLO_ATTR_literal)->literal->data;
  return memcmp(element, &identity, (size_t)hlo_type_bytes(init->shape->type)) == 0;
}

static bool add_reduce(lowering *l, const hlo_instruction *instruction) {
  hlo_reduction reduction;
  hlo_reduction_for(l->question->module, l->computation, instruction, &reduction);
  hlo_fused_value value = {.kind = HLO_FUSED_REDUCE, .per_row = true, .arity = 1, .reduce = reduction.op,
                          .bytes = (uint8_t)hlo_type_bytes(instruction->shape->type), .from = {vector_of(l, instruction->operands[0])}};
  if (value.from[0] < 0) return false;
  int folded = add_value(l, value);
  l->value_of[instruction->index] = folded;
  if (folded < 0 || is_identity(reduction.op, hlo_operand(l->computation, instruction, 1))) return folded >= 0;
  hlo_fused_value combined = {.kind = HLO_FUSED_APPLY, .per_row = true, .arity = 2, .bytes = value.bytes, .op = reduction.combine,
                             .from = {value_of(l, instruction->operands[1]), folded}};
  return combined.from[0] >= 0 && (l->value_of[instruction->index] = add_value(l, combined)) >= 0;
}

static bool add_values(lowering *l) {
  for (int i = 0; i < l->computation->instruction_count; i++)
    if (is_computed(l, i) && !(at(l, i)->opcode == HLO_OP_REDUCE ? add_reduce(l, at(l, i)) : add_apply(l, at(l, i)))) return false;
  if (root_count(l) > HLO_FUSED_MAX_OUTPUTS) return false;
  for (int i = 0; i < root_count(l); i++) {
    int element = root_element(l, i);
    bool per_row = l->sources[element].count != l->full;
    int v = per_row ? value_of(l, element) : vector_of(l, element);
    if (v < 0) return false;
    l->outputs[l->loop.output_count++] = (hlo_fused_output){v, !per_row ? l->width : l->sources[element].count == l->rows};
  }
  return true;
}

/* ---- All of it ---- */

static bool keep(const lowering *l, hlo_fused_loop_step *step) {
  hlo_arena *arena = l->question->arena;
  step->loop = l->loop;
  step->operand_count = l->computation->parameter_count;
  step->constant_count = l->constant_count;
  step->first_constant = first_constant(l);
  step->loop.values = hlo_arena_copy(arena, l->values, (size_t)l->loop.value_count * sizeof *l->values, l->status);
  step->loop.outputs = hlo_arena_copy(arena, l->outputs, (size_t)l->loop.output_count * sizeof *l->outputs, l->status);
  step->constants = hlo_arena_copy(arena, l->constants, (size_t)l->constant_count * sizeof *l->constants, l->status);
  if (!step->loop.values || !step->loop.outputs || !step->constants) return false;
  step->function = hlo_fused_loop_run;
  hlo_fused_loop_prepare(&step->loop);
  return true;
}

static bool lower(const hlo_fused_loop_question *question, hlo_arena *scratch, hlo_fused_loop_step *step) {
  int count = question->computation->instruction_count;
  lowering *l = count <= MAX_INSTRUCTIONS ? hlo_arena_new(scratch, lowering, question->status) : NULL;
  if (!l) return false;
  l->question = question;
  l->computation = question->computation;
  l->scratch = scratch;
  l->status = question->status;
  l->sources = hlo_arena_many(scratch, source, count, l->status);
  l->value_of = hlo_arena_many(scratch, int, count, l->status);
  l->inputs = hlo_arena_many(scratch, input, count, l->status);
  if (!l->sources || !l->value_of || !l->inputs) return false;
  for (int i = 0; i < count; i++) l->value_of[i] = -1;
  return find_sources(l) && find_rows(l) && find_inputs(l) && set_dims(l) && add_values(l) && keep(l, step);
}

bool hlo_fused_loop_lower(const hlo_fused_loop_question *question, hlo_fused_loop_step *step) {
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  bool lowered = lower(question, &scratch, step);
  hlo_arena_free(&scratch);
  return lowered;
}
