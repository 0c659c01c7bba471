#include "kernels/order/key_sort.h"

#include "base/merge_sort.h"
#include "base/ranges.h"
#include "base/team.h"
#include "shape/element_type.h"

/* A line that is sorted by one key of floats, in whose order NaN comes neither before nor behind anything. */
typedef struct partial_line {
  const hlo_key_sort_parameters *parameters;
  const void *const *keys;
} partial_line;

static double real_at(const partial_line *line, int k, int64_t i) {
  return hlo_scalar_load(line->parameters->key_type, line->keys[k], i * line->parameters->inner).f;
}

static bool partial_before(void *context, int64_t a, int64_t b, bool *before) {
  const partial_line *line = context;
  double lhs = real_at(line, 0, a), rhs = real_at(line, 0, b);
  *before = line->parameters->keys[0].descending ? lhs > rhs : lhs < rhs;
  return true;
}

/* The places of the elements of a line in their order, in the low 32 bits. */
static const uint64_t *order_line(const hlo_key_sort_parameters *p, const void *const *keys, uint64_t *scratch, hlo_team *team) {
  partial_line line = {p, keys};
  if (!p->is_partial[0] || !hlo_sort_key_finds_nan(&p->keys[0], keys[0], p->inner, p->length))
    return hlo_radix_sort_order(p->keys, keys, p->key_count, p->inner, p->length, scratch, team);
  hlo_merge_sort((int64_t *)scratch, (int64_t *)scratch + p->length, p->length, partial_before, &line);
  return scratch;
}

typedef struct permutation {
  const void *in;
  void *out;
  const uint64_t *order;
  int64_t stride;
  int bytes;
} permutation;

#define PERMUTE(type)                                                                        \
  do {                                                                                       \
    for (int64_t i = first; i < end; i++) ((type *)p->out)[i * stride] = ((const type *)p->in)[(uint32_t)p->order[i] * stride]; \
  } while (0)

typedef struct block16 {
  uint64_t words[2];
} block16;

static void permute(const void *context, int64_t first, int64_t count, int thread) {
  const permutation *p = context;
  int64_t stride = p->stride, end = first + count;
  switch (p->bytes) {
  case 1: PERMUTE(uint8_t); break;
  case 2: PERMUTE(uint16_t); break;
  case 4: PERMUTE(uint32_t); break;
  case 8: PERMUTE(uint64_t); break;
  default: PERMUTE(block16); break;
  }
}

typedef struct shared_sort {
  const hlo_key_sort_parameters *p;
  const void *const *operands;
  void *result;
  char *scratch;
  hlo_team *team; /* that sorts each line; NULL where a thread does */
} shared_sort;

/* Results after the first are given behind the operands. */
static void sort_line(const shared_sort *s, int64_t line, uint64_t *scratch) {
  const hlo_key_sort_parameters *p = s->p;
  const hlo_sort_key *key = &p->keys[0];
  bool by_value = p->operand_count == 1 && p->inner == 1 && p->element_bytes[0] == 4;
  int64_t start = line / p->inner * p->length * p->inner + line % p->inner;
  if (by_value && hlo_radix_sort_values_32(key, (const uint32_t *)s->operands[0] + start, (uint32_t *)s->result + start, p->length,
                                           scratch, s->team))
    return;
  const void *keys[HLO_KEY_SORT_MOST_KEYS];
  for (int k = 0; k < p->key_count; k++)
    keys[k] = (const char *)s->operands[p->key_operand[k]] + (start * p->keys[k].parts + p->keys[k].part) * p->keys[k].element_bytes;
  permutation all = {.order = order_line(p, keys, scratch, s->team), .stride = p->inner};
  for (int n = 0; n < p->operand_count; n++) {
    int64_t offset = start * p->element_bytes[n];
    all.in = (const char *)s->operands[n] + offset;
    all.out = (char *)(n == 0 ? s->result : (void *)s->operands[p->operand_count + n - 1]) + offset;
    all.bytes = p->element_bytes[n];
    hlo_ranges_run(s->team, p->length, 64, (double)p->length * 2, permute, &all);
  }
}

static void sort_lines(const void *context, int64_t first, int64_t count, int thread) {
  const shared_sort *s = context;
  uint64_t *scratch = hlo_team_scratch(s->scratch, (size_t)s->p->scratch_bytes, thread);
  for (int64_t line = first; line < first + count; line++) sort_line(s, line, scratch);
}

void hlo_key_sort_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_key_sort_parameters *p = parameters;
  int64_t lines = p->outer * p->inner;
  const shared_sort s = {p, operands, result, scratch, p->shares_lines ? NULL : team};
  hlo_ranges_run(p->shares_lines ? team : NULL, lines, 1, (double)lines * (double)p->length * 20, sort_lines, &s);
}
