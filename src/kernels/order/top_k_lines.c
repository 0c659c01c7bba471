#include "kernels/order/top_k_lines.h"

#include <string.h>

int64_t hlo_top_k_scratch(const hlo_top_k_parameters *p) {
  return p->keeps ? p->k * (int64_t)sizeof(int32_t) : hlo_radix_sort_scratch(p->length, 1) * (int64_t)sizeof(uint64_t);
}

/* Sorts the line, and writes what comes first. */
static void put_ordered(const hlo_top_k_parameters *p, const char *line, char *values, int32_t *indices, void *scratch) {
  size_t bytes = (size_t)p->key.element_bytes;
  const void *key = line;
  const uint64_t *order = hlo_radix_sort_order(&p->key, &key, 1, 1, p->length, scratch, NULL);
  for (int64_t i = 0; i < p->k; i++) {
    indices[i] = (int32_t)order[i];
    memcpy(values + (size_t)i * bytes, line + (size_t)indices[i] * bytes, bytes);
  }
}

void hlo_top_k_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_top_k_parameters *p = call->parameters;
  for (int64_t l = first; l < first + count && p->k > 0; l++) {
    const char *line = (const char *)call->operands[0] + l * p->length * p->key.element_bytes;
    char *values = (char *)call->result + l * p->k * p->key.element_bytes;
    int32_t *indices = (int32_t *)call->operands[1] + l * p->k;
    if (p->keeps) hlo_top_k_simd128(p->order, (const uint32_t *)line, p->length, p->k, (uint32_t *)values, indices, call->scratch);
    else put_ordered(p, line, values, indices, call->scratch);
  }
}
