/* topk: the order of the type, and whether the best elements are kept in order or the line is sorted. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/order/radix_sort.h"
#include "kernels/order/top_k.h"
#include "kernels/order/top_k_lines.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

enum { MOST_KEPT = 64 }; /* for more, sorting the line is faster */

/* The order in which the greatest elements come first, or the least. */
static bool describe_order(hlo_type type, bool largest, hlo_top_k_parameters *p) {
  hlo_key_kind kind;
  switch (type) {
  case HLO_TYPE_F16: case HLO_TYPE_BF16: case HLO_TYPE_F32: case HLO_TYPE_F64: kind = HLO_KEY_TOTAL; break;
  case HLO_TYPE_S8: case HLO_TYPE_S16: case HLO_TYPE_S32: case HLO_TYPE_S64: kind = HLO_KEY_SIGNED; break;
  case HLO_TYPE_U8: case HLO_TYPE_U16: case HLO_TYPE_U32: case HLO_TYPE_U64: kind = HLO_KEY_UNSIGNED; break;
  default: return false;
  }
  p->key = (hlo_sort_key){.kind = kind, .element_bytes = hlo_type_bytes(type), .parts = 1, .descending = largest};
  p->order = (hlo_top_k_order){.signs = kind == HLO_KEY_TOTAL ? 0x7fffffff : 0, .flips = kind == HLO_KEY_UNSIGNED ? 0x80000000u : 0};
  if (!largest) p->order.flips = ~p->order.flips;
  return true;
}

bool hlo_setup_top_k(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_kernel_operand(question, 0), *values = hlo_shape_leaf(instruction->shape, 0);
  int last = operand->rank - 1;
  hlo_top_k_parameters p = {.length = operand->dims[last], .k = values->dims[last]};
  if (!describe_order(operand->type, hlo_instruction_bool(instruction, HLO_ATTR_largest, true), &p)) return false;
  if (hlo_shape_leaf(instruction->shape, 1)->type != HLO_TYPE_S32 || p.length > INT32_MAX) return false;
  p.keeps = p.key.element_bytes == 4 && p.k <= MOST_KEPT;
  if (!p.keeps) choice->kernel = "radix_sort";
  int64_t inner, lines = hlo_kernel_split(operand, last, &inner);
  return HLO_RUN_RANGES(question, choice, p, .run = hlo_top_k_run, .count = lines, .step = 1,
                        .nanoseconds = (double)lines * (double)p.length * (p.keeps ? 0.5 : 20), .scratch_bytes = hlo_top_k_scratch(&p));
}
