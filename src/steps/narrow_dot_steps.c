/* dot or convolution of a side that the program widens: it is read as it is stored, and widened while it is read (kernels/product/narrow_matrix.h). */
#include "base/alignment.h"
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "kernels/product/batched_dot.h"
#include "kernels/product/convolution.h"
#include "kernels/product/convolution_run.h"
#include "kernels/product/dot.h"
#include "kernels/product/narrow_dot.h"
#include "kernels/product/narrow_matrix.h"
#include "loops/narrow_operand.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/convolution_steps.h"
#include "steps/dot_steps.h"
#include "steps/kernel_table.h"
#include "steps/packing.h"
#include "steps/widened_steps.h"

static const char *format_of(hlo_type type, hlo_narrow_form *form) {
  switch (type) {
  case HLO_TYPE_BF16: form->format = HLO_NARROW_BF16; return "f32_dot_narrow_bf16_simd128";
  case HLO_TYPE_F16: form->format = HLO_NARROW_F16; return "f32_dot_narrow_f16_simd128";
  case HLO_TYPE_S8: form->format = HLO_NARROW_S8; return "f32_dot_narrow_s8_simd128";
  case HLO_TYPE_U8: form->format = HLO_NARROW_U8; return "f32_dot_narrow_u8_simd128";
  default: form->format = HLO_NARROW_TABLE; return "f32_dot_narrow_table_simd128";
  }
}

/* Makes the table of a type's values by its bytes. False: no memory. */
static bool make_table(const hlo_kernel_question *question, hlo_type type, hlo_narrow_form *form) {
  float *table = hlo_arena_many(question->arena, float, 256, question->status);
  for (int i = 0; table && i < 256; i++) {
    uint8_t byte = (uint8_t)i;
    table[i] = (float)hlo_scalar_convert(HLO_TYPE_F32, type, hlo_scalar_load(type, &byte, 0)).f;
  }
  form->table = table;
  return table != NULL;
}

/* Has the arrays read as they are before they are converted to f32, where that is from 16 bits. */
static void read_short(const hlo_computation *computation, hlo_narrow_operand *found, hlo_narrow_form *form) {
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    hlo_narrow_values *values = &form->stages[0].values[w];
    if (values->operand < 0 || values->format != HLO_NARROW_F32) continue;
    const hlo_instruction *array = hlo_instruction_at(computation, found->operands[values->operand]);
    if (array->opcode != HLO_OP_CONVERT) continue;
    const hlo_instruction *from = hlo_operand(computation, array, 0);
    if (from->shape->type != HLO_TYPE_F16 && from->shape->type != HLO_TYPE_BF16) continue;
    for (int other = 0; other < HLO_NARROW_VALUES; other++)
      if (form->stages[0].values[other].operand == values->operand)
        form->stages[0].values[other].format = from->shape->type == HLO_TYPE_F16 ? HLO_NARROW_F16 : HLO_NARROW_BF16;
    found->operands[values->operand] = from->index;
  }
}

/* Packs the constant arrays of packed nibbles likewise. */
static void pack_values(const hlo_kernel_question *question, const hlo_computation *computation, const hlo_narrow_operand *found, hlo_narrow_dot *p) {
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    hlo_narrow_values *values = &p->form.stages[0].values[w];
    const hlo_literal *literal = values->operand < 0 ? NULL : hlo_kernel_constant_of(computation, hlo_instruction_at(computation, found->operands[values->operand]));
    if (literal) p->packed_values[w] = hlo_pack_nibble_values(question, literal, &p->form, values);
    values->in_panels = p->packed_values[w] != NULL;
  }
}

/* Packs constants of 4 bits two in a byte, where a kernel reads them so and there is memory. */
static void pack(const hlo_kernel_question *question, const hlo_computation *computation, hlo_narrow_operand *found, hlo_narrow_dot *p, hlo_kernel_choice *choice) {
  hlo_narrow_form *form = &p->form;
  bool fits = (found->type == HLO_TYPE_S4 || found->type == HLO_TYPE_U4) && form->k % 8 == 0 && form->group % 8 == 0 &&
              form->k < INT32_MAX && form->stage_count == 1 && form->stages[0].rounding == HLO_ROUND_F32;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *values = &form->stages[0].values[w];
    fits &= values->operand < 0 || values->g_stride == 0 || values->group == form->group;
  }
  const hlo_literal *literal = fits ? hlo_kernel_constant_of(computation, hlo_instruction_at(computation, found->operands[0])) : NULL;
  if (!literal || !(p->packed = hlo_pack_nibbles(question, literal, form))) return;
  form->format = HLO_NARROW_NIBBLES;
  form->is_signed = found->type == HLO_TYPE_S4;
  choice->kernel = "f32_dot_nibbles_simd128";
}

/* Sets the operands of the step: the rows, the arrays (the rows once more for those that are packed), and the stored elements unless they are
 * packed; then *data_operand is -1. dot: NULL for a convolution. */
static bool set_operands(const hlo_kernel_question *question, const hlo_narrow_operand *found, const hlo_narrow_dot *dot, int *data_operand, hlo_kernel_choice *choice) {
  int *operands = hlo_arena_many(question->arena, int, found->operand_count + 1, question->status);
  if (!operands) return false;
  operands[0] = question->instruction->operands[1 - found->side];
  for (int n = 1; n < found->operand_count; n++) operands[n] = found->operands[n];
  for (int w = 0; dot && w < HLO_NARROW_VALUES; w++)
    if (dot->packed_values[w]) operands[dot->form.stages[0].values[w].operand] = operands[0];
  choice->operands = operands;
  choice->operand_count = found->operand_count;
  choice->own_operands = question->fusion ? 1 : found->operand_count + 1;
  *data_operand = -1;
  if (dot && dot->packed) return true;
  *data_operand = choice->operand_count;
  operands[choice->operand_count++] = found->operands[0];
  return true;
}

/* Describes the product with the narrow side as rhs. False: no memory. */
static bool describe(const hlo_kernel_question *question, const hlo_narrow_operand *found, hlo_narrow_dot *p) {
  const hlo_shape *shapes[2] = {hlo_kernel_operand(question, 0), hlo_kernel_operand(question, 1)};
  hlo_dot_dims dims = hlo_dot_dims_of(question->instruction);
  hlo_dot_sorted rows;
  if (found->side == 1) hlo_dot_sort_dimensions(shapes[0], &dims.lhs_batch, &dims.lhs_contracting, &rows);
  else hlo_dot_sort_dimensions(shapes[1], &dims.rhs_batch, &dims.rhs_contracting, &rows);
  hlo_dot *dot = &p->dot;
  *dot = (hlo_dot){.m = rows.free.size, .n = found->form.n, .k = found->form.k, .rhs_k_stride = found->form.k_stride, .rhs_n_stride = found->form.n_stride};
  dot->out_m_stride = found->side == 1 ? dot->n : 1;
  dot->out_n_stride = found->side == 1 ? 1 : dot->m;
  hlo_dot_operand operand = {0};
  hlo_dot_plan_operand(&rows, sizeof(float), &operand, &dot->lhs_m_stride, &dot->lhs_k_stride);
  if (!operand.copied) return true;
  p->product_offset = hlo_aligned(hlo_shape_element_count(rows.shape) * (int64_t)sizeof(float));
  p->rows = HLO_KERNEL_COPY(question, operand);
  return p->rows != NULL;
}

static bool find(const hlo_kernel_question *question, hlo_narrow_operand *found) {
  const hlo_kernel_question *outer = question->fusion;
  hlo_narrow_place place = {.module = question->module, .computation = question->computation, .dot = question->instruction};
  hlo_dot_type type;
  if (outer) place.outer = outer->computation, place.fusion = outer->instruction;
  if (outer && !hlo_shape_is_array(outer->instruction->shape)) return false;
  return hlo_widened_type(question, &type) && type == HLO_DOT_F32 && hlo_narrow_find(&place, found) && !found->has_integers;
}

bool hlo_setup_narrow_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_narrow_operand found;
  if (!find(question, &found)) return false;
  hlo_narrow_dot p = {.form = found.form};
  choice->kernel = format_of(found.type, &p.form);
  const hlo_computation *computation = question->fusion ? question->fusion->computation : question->computation;
  pack(question, computation, &found, &p, choice);
  if (p.packed || hlo_bytes_are_columns(&p.form)) read_short(computation, &found, &p.form);
  if (p.packed) pack_values(question, computation, &found, &p);
  if (p.form.format == HLO_NARROW_TABLE && !make_table(question, found.type, &p.form)) return false;
  if (!describe(question, &found, &p)) return false;
  if (!set_operands(question, &found, &p, &p.data_operand, choice)) return false;
  choice->scratch_bytes = p.product_offset + (int64_t)hlo_dot_narrow_scratch_bytes(&p.dot, &p.form, question->threads);
  choice->run_shared = hlo_narrow_dot_run;
  choice->resumes = true;
  if (hlo_dot_takes_epilogue(&p.dot)) {
    choice->run_with_epilogue = hlo_narrow_dot_run_with_epilogue;
    choice->epilogue_width = found.side == 1 ? p.dot.n : p.dot.m;
  }
  choice->parameters = HLO_KERNEL_COPY(question, p);
  return choice->parameters && hlo_widened_wrap_side(question, choice, 1 - found.side);
}

bool hlo_setup_narrow_convolution(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_narrow_operand found;
  hlo_narrow_convolution p;
  if (!find(question, &found) || !hlo_convolution_describe(question, &p.convolution) || hlo_convolution_turns(&p.convolution)) return false;
  p.form = found.form;
  bool by_features = question->instruction->shape->rank - 1 != hlo_instruction_attribute(question->instruction, HLO_ATTR_dim_labels)->dim_labels->output_feature;
  if (hlo_convolution_has_columns(&p.convolution) != by_features || (by_features && !hlo_narrow_along_k(&p.form))) return false;
  format_of(found.type, &p.form);
  choice->kernel = "f32_convolution_narrow_simd128";
  if (p.form.format == HLO_NARROW_TABLE && !make_table(question, found.type, &p.form)) return false;
  if (!set_operands(question, &found, NULL, &p.data_operand, choice)) return false;
  choice->scratch_bytes = (int64_t)hlo_convolution_narrow_scratch_bytes(&p.convolution, question->threads);
  choice->run_shared = hlo_narrow_convolution_run;
  choice->resumes = true;
  choice->epilogue_width = hlo_convolution_epilogue_width(&p.convolution);
  if (choice->epilogue_width) choice->run_with_epilogue = hlo_narrow_convolution_run_with_epilogue;
  choice->parameters = HLO_KERNEL_COPY(question, p);
  return choice->parameters && hlo_widened_wrap_side(question, choice, 0);
}
