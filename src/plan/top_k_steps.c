/* topk: the first few of 32-bit elements are kept in order as a line is gone through; else the whole line is put in order. */
#include <string.h>

#include "kernels/radix_sort.h"
#include "kernels/top_k.h"
#include "plan/kernel_table.h"

enum { MOST_KEPT = 64 };

typedef struct top_k_parameters {
  int64_t lines, length, k;
  hlo_top_k_order order;
  hlo_sort_key key;
} top_k_parameters;

/* The indices are given behind the operand. */
static void run_top_k(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const top_k_parameters *p = parameters;
  for (int64_t l = 0; l < p->lines && p->k > 0; l++)
    hlo_top_k_simd128(p->order, (const uint32_t *)operands[0] + l * p->length, p->length, p->k, (uint32_t *)result + l * p->k,
                      (int32_t *)operands[1] + l * p->k, scratch);
}

static void run_ordered(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const top_k_parameters *p = parameters;
  int bytes = p->key.element_bytes;
  const uint64_t *order = scratch;
  for (int64_t l = 0; l < p->lines; l++) {
    const char *line = (const char *)operands[0] + l * p->length * bytes;
    const void *key = line;
    hlo_radix_sort_order(&p->key, &key, 1, 1, p->length, scratch);
    for (int64_t i = l * p->k, end = i + p->k, at = 0; i < end; i++, at++) {
      int64_t index = (uint32_t)order[at];
      memcpy((char *)result + i * bytes, line + index * bytes, (size_t)bytes);
      ((int32_t *)operands[1])[i] = (int32_t)index;
    }
  }
}

/* Keys of which the greatest come first, or the least. */
static bool describe_order(hlo_type type, bool largest, top_k_parameters *p) {
  hlo_key_kind kind;
  switch (type) {
  case HLO_TYPE_F16: case HLO_TYPE_BF16: case HLO_TYPE_F32: case HLO_TYPE_F64: kind = HLO_KEY_TOTAL; break;
  case HLO_TYPE_S8: case HLO_TYPE_S16: case HLO_TYPE_S32: case HLO_TYPE_S64: kind = HLO_KEY_SIGNED; break;
  case HLO_TYPE_U8: case HLO_TYPE_U16: case HLO_TYPE_U32: case HLO_TYPE_U64: kind = HLO_KEY_UNSIGNED; break;
  default: return false;
  }
  p->key = (hlo_sort_key){.kind = kind, .element_bytes = hlo_type_bytes(type), .descending = largest};
  p->order = (hlo_top_k_order){.signs = kind == HLO_KEY_TOTAL ? 0x7fffffff : 0, .flips = kind == HLO_KEY_UNSIGNED ? 0x80000000u : 0};
  if (!largest) p->order.flips = ~p->order.flips;
  return true;
}

bool hlo_setup_top_k(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_operand(question->computation, instruction, 0)->shape, *values = hlo_shape_leaf(instruction->shape, 0);
  int last = operand->rank - 1;
  top_k_parameters p = {.lines = 1, .length = operand->dims[last], .k = values->dims[last]};
  if (!describe_order(operand->type, hlo_instruction_bool(instruction, HLO_ATTR_largest, true), &p)) return false;
  if (hlo_shape_leaf(instruction->shape, 1)->type != HLO_TYPE_S32 || p.length > INT32_MAX) return false;
  for (int d = 0; d < last; d++) p.lines *= operand->dims[d];
  bool keeps = p.key.element_bytes == 4 && p.k <= MOST_KEPT;
  if (!keeps) choice->kernel = "radix_sort";
  choice->scratch_bytes = keeps ? p.k * (int64_t)sizeof(int32_t) : hlo_radix_sort_scratch(p.length) * (int64_t)sizeof(uint64_t);
  choice->run = keeps ? run_top_k : run_ordered;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
