/* sort by any comparator that is made of element-wise ops: the merges of one width are done side by side, so that the comparator is run
 * on many pairs at once. They decide as the reference's merges do (reference/merge_sort.h), whatever the comparator says. */
#include <string.h>

#include "plan/applied_program.h"

enum { MOST_OPERANDS = 8, LANES = HLO_APPLIED_BLOCK, LARGEST = 8 };

typedef struct merge_parameters {
  hlo_applied_program program;
  bool is_read[2 * MOST_OPERANDS]; /* by parameter of the comparator */
  int operand_count, element_bytes[MOST_OPERANDS];
  int64_t length, inner;
  int64_t orders, compared; /* in the scratch, behind that of the program: two orders of a line; elements of pairs, and what comes of them */
} merge_parameters;

/* Two runs on their way into one; places in the orders. */
typedef struct merge {
  uint32_t left, middle, right, end, at;
} merge;

typedef struct line {
  const merge_parameters *p;
  const char *operands[MOST_OPERANDS]; /* at the line's beginning */
  char *scratch;
  const uint32_t *from;
  uint32_t *to;
} line;

#define GATHER(type)                                                                                                       \
  for (int i = 0; i < count; i++)                                                                                          \
    ((type *)out)[i] = ((const type *)in)[l->from[of_right ? merges[i].right : merges[i].left] * l->p->inner]

/* The elements of an operand that stand first in the right runs, or in the left ones. */
static void gather(const line *l, int operand, bool of_right, const merge *merges, int count, void *out) {
  const void *in = l->operands[operand];
  switch (l->p->element_bytes[operand]) {
  case 1: GATHER(uint8_t); break;
  case 2: GATHER(uint16_t); break;
  case 4: GATHER(uint32_t); break;
  default: GATHER(uint64_t); break;
  }
}

/* Which merges take from the right. */
static const uint8_t *compare(const line *l, const merge *merges, int count) {
  const merge_parameters *p = l->p;
  char *memory = l->scratch + p->compared;
  const void *parameters[2 * MOST_OPERANDS];
  for (int n = 0; n < 2 * p->operand_count; n++) {
    char *elements = memory + (n + 1) * LANES * LARGEST;
    if (p->is_read[n]) gather(l, n / 2, n % 2 == 0, merges, count, elements);
    parameters[n] = elements;
  }
  void *result = memory;
  hlo_applied_program_run(&p->program, parameters, 0, &result, count, l->scratch);
  return result;
}

/* Copies what is left of a merge one of whose runs is at its end; false if neither is. */
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

/* The order of the line's elements. */
static const uint32_t *sort_line(line *l) {
  int64_t length = l->p->length;
  uint32_t *orders[2] = {(uint32_t *)(l->scratch + l->p->orders), (uint32_t *)(l->scratch + l->p->orders) + length};
  int turn = 0;
  for (int64_t i = 0; i < length; i++) orders[0][i] = (uint32_t)i;
  for (int64_t width = 1; width < length; width *= 2, turn ^= 1) {
    merge merges[LANES];
    int count = 0;
    l->from = orders[turn], l->to = orders[turn ^ 1];
    for (int64_t begin = 0; begin < length; begin += 2 * width) {
      int64_t middle = begin + width < length ? begin + width : length, end = middle + width < length ? middle + width : length;
      merges[count++] = (merge){(uint32_t)begin, (uint32_t)middle, (uint32_t)middle, (uint32_t)end, (uint32_t)begin};
      if (count < LANES && begin + 2 * width < length) continue;
      run_merges(l, merges, count);
      count = 0;
    }
  }
  return orders[turn];
}

/* Results after the first are given behind the operands. */
static void sort_lines(const hlo_part_call *call, int64_t first, int64_t count) {
  const merge_parameters *p = call->parameters;
  for (int64_t number = first; number < first + count; number++) {
    int64_t start = number / p->inner * p->length * p->inner + number % p->inner;
    line l = {.p = p, .scratch = call->scratch};
    for (int n = 0; n < p->operand_count; n++) l.operands[n] = (const char *)call->operands[n] + start * p->element_bytes[n];
    const uint32_t *order = sort_line(&l);
    for (int n = 0; n < p->operand_count; n++) {
      char *out = (char *)(n == 0 ? call->result : (void *)call->operands[p->operand_count + n - 1]) + start * p->element_bytes[n];
      size_t bytes = (size_t)p->element_bytes[n];
      for (int64_t i = 0; i < p->length; i++) memcpy(out + (size_t)(i * p->inner) * bytes, l.operands[n] + (size_t)(order[i] * p->inner) * bytes, bytes);
    }
  }
}

HLO_BUILT_SMALL bool hlo_setup_merge_sort(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  const hlo_computation *comparator = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  int along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  merge_parameters p = {.operand_count = instruction->operand_count, .length = shape->dims[along]};
  int64_t lines = hlo_kernel_split(shape, along, &p.inner);
  lines *= p.inner;
  if (p.operand_count > MOST_OPERANDS || p.length > INT32_MAX || !hlo_applied_program_make(question, comparator, &p.program)) return false;
  for (int n = 0; n < p.operand_count; n++) {
    p.element_bytes[n] = hlo_type_bytes(hlo_kernel_operand(question, n)->type);
    if (p.element_bytes[n] > LARGEST) return false;
  }
  for (int v = 0; v < p.program.value_count; v++) {
    int parameter = p.program.values[v].parameter;
    for (int w = 0; w < p.program.value_count && parameter >= 0; w++)
      for (int n = 0; n < p.program.values[w].arity; n++) p.is_read[parameter] |= p.program.values[w].from[n] == v;
    if (parameter >= 0) p.is_read[parameter] |= p.program.results[0] == v;
  }
  p.orders = (int64_t)hlo_applied_program_scratch_bytes(&p.program);
  p.compared = (p.orders + 2 * p.length * (int64_t)sizeof(uint32_t) + 63) / 64 * 64;
  return HLO_RUN_PARTED(question, choice, p, .run = sort_lines, .count = lines, .step = 1,
                        .nanoseconds = (double)lines * (double)p.length * 200,
                        .scratch_bytes = p.compared + (2 * p.operand_count + 1) * LANES * LARGEST);
}
