#include "kernels/order/comparator_sort.h"

#include <string.h>

int64_t hlo_comparator_sort_scratch(hlo_comparator_sort_parameters *p) {
  p->orders = (int64_t)hlo_applied_program_scratch_bytes(&p->program);
  p->compared = (p->orders + 2 * p->length * (int64_t)sizeof(uint32_t) + 63) / 64 * 64;
  return p->compared + (2 * p->operand_count + 1) * HLO_APPLIED_BLOCK * HLO_APPLIED_MOST_BYTES;
}

/* Two neighbouring sorted runs, [left, middle) and [right, end), that are being merged into one, which is written from `at` on: all are
 * places in the orders. */
typedef struct merge {
  uint32_t left, middle, right, end, at;
} merge;

typedef struct line {
  const hlo_comparator_sort_parameters *p;
  const char *operands[HLO_COMPARATOR_SORT_MOST_OPERANDS]; /* at the line's beginning */
  char *scratch;
  const uint32_t *from;
  uint32_t *to;
} line;

#define GATHER(type)                                                                                                       \
  for (int i = 0; i < count; i++)                                                                                          \
    ((type *)out)[i] = ((const type *)in)[l->from[of_right ? merges[i].right : merges[i].left] * l->p->inner]

/* Fills `out` with the elements of an operand that stand first in each merge's right run, or in its left one. */
static void gather(const line *l, int operand, bool of_right, const merge *merges, int count, void *out) {
  const void *in = l->operands[operand];
  switch (l->p->element_bytes[operand]) {
  case 1: GATHER(uint8_t); break;
  case 2: GATHER(uint16_t); break;
  case 4: GATHER(uint32_t); break;
  default: GATHER(uint64_t); break;
  }
}

/* Compares the first elements of the two runs of each merge: by merge, whether the right one comes first. */
static const uint8_t *compare(const line *l, const merge *merges, int count) {
  const hlo_comparator_sort_parameters *p = l->p;
  char *memory = l->scratch + p->compared;
  const void *parameters[2 * HLO_COMPARATOR_SORT_MOST_OPERANDS];
  for (int n = 0; n < 2 * p->operand_count; n++) {
    char *elements = memory + (n + 1) * HLO_APPLIED_BLOCK * HLO_APPLIED_MOST_BYTES;
    if (p->is_read[n]) gather(l, n / 2, n % 2 == 0, merges, count, elements);
    parameters[n] = elements;
  }
  void *result = memory;
  hlo_applied_program_run(&p->program, parameters, 0, &result, count, l->scratch);
  return result;
}

/* If one run of a merge is at its end, copies what is left of the other. Returns false if neither is. */
static bool finish(const line *l, const merge *m) {
  if (m->left < m->middle && m->right < m->end) return false;
  uint32_t rest = m->left < m->middle ? m->left : m->right;
  memcpy(l->to + m->at, l->from + rest, (m->end - m->at) * sizeof *l->to);
  return true;
}

static void run_merges(const line *l, merge *merges, int count) {
  for (;;) {
    int open = 0;
    for (int i = 0; i < count; i++)
      if (!finish(l, &merges[i])) merges[open++] = merges[i];
    count = open;
    if (!count) return;
    const uint8_t *take_right = compare(l, merges, count);
    for (int i = 0; i < count; i++) {
      merge *m = &merges[i];
      l->to[m->at++] = l->from[take_right[i] ? m->right++ : m->left++];
    }
  }
}

/* The places of the line's elements, in their order. */
static const uint32_t *sort_line(line *l) {
  int64_t length = l->p->length;
  uint32_t *orders[2] = {(uint32_t *)(l->scratch + l->p->orders), (uint32_t *)(l->scratch + l->p->orders) + length};
  int turn = 0;
  for (int64_t i = 0; i < length; i++) orders[0][i] = (uint32_t)i;
  for (int64_t width = 1; width < length; width *= 2, turn ^= 1) {
    merge merges[HLO_APPLIED_BLOCK];
    int count = 0;
    l->from = orders[turn], l->to = orders[turn ^ 1];
    for (int64_t begin = 0; begin < length; begin += 2 * width) {
      int64_t middle = begin + width < length ? begin + width : length, end = middle + width < length ? middle + width : length;
      merges[count++] = (merge){(uint32_t)begin, (uint32_t)middle, (uint32_t)middle, (uint32_t)end, (uint32_t)begin};
      if (count < HLO_APPLIED_BLOCK && begin + 2 * width < length) continue;
      run_merges(l, merges, count);
      count = 0;
    }
  }
  return orders[turn];
}

/* Results after the first are given behind the operands. */
void hlo_comparator_sort_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_comparator_sort_parameters *p = call->parameters;
  for (int64_t number = first; number < first + count; number++) {
    int64_t start = number / p->inner * p->length * p->inner + number % p->inner;
    line l = {.p = p, .scratch = call->scratch};
    for (int n = 0; n < p->operand_count; n++) l.operands[n] = (const char *)call->operands[n] + start * p->element_bytes[n];
    const uint32_t *order = sort_line(&l);
    for (int n = 0; n < p->operand_count; n++) {
      char *out = (char *)(n == 0 ? call->result : (void *)call->operands[p->operand_count + n - 1]) + start * p->element_bytes[n];
      size_t bytes = (size_t)p->element_bytes[n];
      for (int64_t i = 0; i < p->length; i++)
        memcpy(out + (size_t)(i * p->inner) * bytes, l.operands[n] + (size_t)(order[i] * p->inner) * bytes, bytes);
    }
  }
}
