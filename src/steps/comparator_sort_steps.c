/* sort by comparators of element-wise ops that are no order of keys, as key_sort_steps.c knows them. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/order/comparator_sort.h"
#include "loops/applied_program_make.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* Finds the parameters of the comparator that one of its kernels reads, or that are its result. */
static void find_read_parameters(hlo_comparator_sort_parameters *p) {
  for (int v = 0; v < p->program.value_count; v++) {
    int parameter = p->program.values[v].parameter;
    for (int w = 0; w < p->program.value_count && parameter >= 0; w++)
      for (int n = 0; n < p->program.values[w].arity; n++) p->is_read[parameter] |= p->program.values[w].from[n] == v;
    if (parameter >= 0) p->is_read[parameter] |= p->program.results[0] == v;
  }
}

bool hlo_setup_comparator_sort(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  const hlo_computation *comparator = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  int along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  hlo_comparator_sort_parameters p = {.operand_count = instruction->operand_count, .length = shape->dims[along]};
  int64_t lines = hlo_kernel_split(shape, along, &p.inner);
  lines *= p.inner;
  if (p.operand_count > HLO_COMPARATOR_SORT_MOST_OPERANDS || p.length > INT32_MAX) return false;
  if (!hlo_applied_program_make(comparator, &p.program)) return false;
  for (int n = 0; n < p.operand_count; n++) {
    p.element_bytes[n] = hlo_type_bytes(hlo_kernel_operand(question, n)->type);
    if (p.element_bytes[n] > HLO_APPLIED_MOST_BYTES) return false;
  }
  find_read_parameters(&p);
  int64_t scratch_bytes = hlo_comparator_sort_scratch(&p);
  return HLO_RUN_RANGES(question, choice, p, .run = hlo_comparator_sort_run, .count = lines, .step = 1,
                        .nanoseconds = (double)lines * (double)p.length * 200, .scratch_bytes = scratch_bytes);
}
