/* topk: the first few of 32-bit elements are kept in order as a line is gone through; else the whole line is put in order. */
#include <string.h>

#include "kernels/radix_sort.h"
#include "kernels/top_k.h"
#include "plan/kernel_table.h"

enum { MOST_KEPT = 64 };

typedef struct top_k_parameters {
  int64_t length, k;
  hlo_top_k_order order;
  hlo_sort_key key;
  bool keeps;
} top_k_parameters;

static void put_ordered(const top_k_parameters *p, const char *line, char *values, int32_t *indices, void *scratch) {
  size_t bytes = (size_t)p->key.element_bytes;
  const void *key = line;
  const uint64_t *order = hlo_radix_sort_order(&p->key, &key, 1, 1, p->length, scratch, NULL);
  for (int64_t i = 0; i < p->k; i++) {
    indices[i] = (int32_t)order[i];
    memcpy(values + (size_t)i * bytes, line + (size_t)indices[i] * bytes, bytes);
  }
}

/* The indices are given behind the operand. */
static void run_lines(const hlo_part_call *call, int64_t first, int64_t count) {
  const top_k_parameters *p = call->parameters;
  for (int64_t l = first; l < first + count && p->k > 0; l++) {
    const char *line = (const char *)call->operands[0] + l * p->length * p->key.element_bytes;
    char *values = (char *)call->result + l * p->k * p->key.element_bytes;
    int32_t *indices = (int32_t *)call->operands[1] + l * p->k;
    if (p->keeps) hlo_top_k_simd128(p->order, (const uint32_t *)line, p->length, p->k, (uint32_t *)values, indices, call->scratch);
    else put_ordered(p, line, values, indices, call->scratch);
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
  const hlo_shape *operand = hlo_kernel_operand(question, 0), *values = hlo_shape_leaf(instruction->shape, 0);
  int last = operand->rank - 1;
  top_k_parameters p = {.length = operand->dims[last], .k = values->dims[last]};
  if (!describe_order(operand->type, hlo_instruction_bool(instruction, HLO_ATTR_largest, true), &p)) return false;
  if (hlo_shape_leaf(instruction->shape, 1)->type != HLO_TYPE_S32 || p.length > INT32_MAX) return false;
  p.keeps = p.key.element_bytes == 4 && p.k <= MOST_KEPT;
  if (!p.keeps) choice->kernel = "radix_sort";
  int64_t scratch = p.keeps ? p.k * (int64_t)sizeof(int32_t) : hlo_radix_sort_scratch(p.length, 1) * (int64_t)sizeof(uint64_t);
  int64_t inner, lines = hlo_kernel_split(operand, last, &inner);
  return HLO_RUN_PARTED(question, choice, p, .run = run_lines, .count = lines, .step = 1,
                        .nanoseconds = (double)lines * (double)p.length * (p.keeps ? 0.5 : 20), .scratch_bytes = scratch);
}
