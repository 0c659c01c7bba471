/* sort by comparators that are orders of keys: "less" or "greater" on the elements of one operand, or of several, each
 * breaking the ties of the one before it. Other comparators are the reference's. */
#include <math.h>

#include "base/parts.h"
#include "kernels/radix_sort.h"
#include "plan/kernel_table.h"
#include "reference/merge_sort.h"

enum { MOST_KEYS = 8, MOST_OPERANDS = 16 };

typedef struct sort_parameters {
  int operand_count, key_count;
  int key_operand[MOST_KEYS];
  hlo_sort_key keys[MOST_KEYS];
  bool is_partial[MOST_KEYS]; /* NaN compares with nothing */
  int element_bytes[MOST_OPERANDS];
  int64_t outer, length, inner;
  bool shares_lines;     /* a thread sorts a line; else all sort each of them */
  int64_t scratch_bytes; /* of a line */
} sort_parameters;

/* ---- Running ---- */

/* Keys of a line in which a NaN may stand for anything, which makes the result a matter of the algorithm. */
typedef struct partial_line {
  const sort_parameters *parameters;
  const void *const *keys;
} partial_line;

static double real_at(const partial_line *line, int k, int64_t i) {
  const hlo_sort_key *key = &line->parameters->keys[k];
  hlo_type type = key->element_bytes == 4 ? HLO_TYPE_F32 : key->element_bytes == 8 ? HLO_TYPE_F64
                  : key->infinity == 0x7c00 ? HLO_TYPE_F16 : HLO_TYPE_BF16;
  return hlo_scalar_load(type, line->keys[k], i * line->parameters->inner).f;
}

static bool partial_before(void *context, int64_t a, int64_t b, bool *before) {
  const partial_line *line = context;
  double lhs = real_at(line, 0, a), rhs = real_at(line, 0, b);
  *before = line->parameters->keys[0].descending ? lhs > rhs : lhs < rhs;
  return true;
}

static const uint64_t *order_line(const sort_parameters *p, const void *const *keys, uint64_t *scratch, hlo_team *team) {
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
  const sort_parameters *p;
  const void *const *operands;
  void *result;
  char *scratch;
  hlo_team *team; /* of each line */
} shared_sort;

/* Results after the first are given behind the operands. */
static void sort_line(const shared_sort *s, int64_t line, uint64_t *scratch) {
  const sort_parameters *p = s->p;
  const hlo_sort_key *key = &p->keys[0];
  bool by_value = p->operand_count == 1 && p->inner == 1 && key->element_bytes == 4;
  int64_t start = line / p->inner * p->length * p->inner + line % p->inner;
  if (by_value && hlo_radix_sort_values_32(key, (const uint32_t *)s->operands[0] + start, (uint32_t *)s->result + start, p->length, scratch, s->team))
    return;
  const void *keys[MOST_KEYS];
  for (int k = 0; k < p->key_count; k++)
    keys[k] = (const char *)s->operands[p->key_operand[k]] + start * p->keys[k].element_bytes;
  permutation all = {.order = order_line(p, keys, scratch, s->team), .stride = p->inner};
  for (int n = 0; n < p->operand_count; n++) {
    int64_t offset = start * p->element_bytes[n];
    all.in = (const char *)s->operands[n] + offset;
    all.out = (char *)(n == 0 ? s->result : (void *)s->operands[p->operand_count + n - 1]) + offset;
    all.bytes = p->element_bytes[n];
    hlo_parts_run(s->team, p->length, 64, (double)p->length * 2, permute, &all);
  }
}

static void sort_lines(const void *context, int64_t first, int64_t count, int thread) {
  const shared_sort *s = context;
  uint64_t *scratch = hlo_team_scratch(s->scratch, (size_t)s->p->scratch_bytes, thread);
  for (int64_t line = first; line < first + count; line++) sort_line(s, line, scratch);
}

static void run_sort(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const sort_parameters *p = parameters;
  int64_t lines = p->outer * p->inner;
  const shared_sort s = {p, operands, result, scratch, p->shares_lines ? NULL : team};
  hlo_parts_run(p->shares_lines ? team : NULL, lines, 1, (double)lines * (double)p->length * 20, sort_lines, &s);
}

/* ---- Recognising comparators ---- */

typedef struct side {
  int parameter;
  hlo_key_kind kind; /* of floats: what is made one first */
} side;

static HLO_BUILT_SMALL bool is_constant(const hlo_instruction *instruction, bool nan) {
  if (instruction->opcode != HLO_OP_CONSTANT || !hlo_shape_is_scalar(instruction->shape)) return false;
  double value = hlo_literal_get(hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal, 0).f;
  return hlo_type_is_float(instruction->shape->type) && !signbit(value) && (nan ? isnan(value) : value == 0);
}

/* select(of <direction> against, value, otherwise), value being the canonical NaN or zero; `otherwise`, or NULL. */
static HLO_BUILT_SMALL const hlo_instruction *replacement(const hlo_computation *c, const hlo_instruction *select, bool nan, const hlo_instruction **of) {
  if (select->opcode != HLO_OP_SELECT || !is_constant(hlo_operand(c, select, 1), nan)) return NULL;
  const hlo_instruction *compare = hlo_operand(c, select, 0);
  if (compare->opcode != HLO_OP_COMPARE) return NULL;
  int type = hlo_default_comparison_type(hlo_operand(c, compare, 0)->shape->type);
  if (hlo_instruction_enum(compare, HLO_ATTR_comparison_type, type) != type ||
      hlo_instruction_enum(compare, HLO_ATTR_direction, HLO_direction_EQ) != (nan ? HLO_direction_NE : HLO_direction_EQ))
    return NULL;
  *of = hlo_operand(c, compare, 0);
  const hlo_instruction *against = hlo_operand(c, compare, 1);
  return (nan ? against == *of : is_constant(against, false)) ? hlo_operand(c, select, 2) : NULL;
}

/* A parameter, or select(x != x, nan, x) or select(x != x, nan, select(x == 0, 0, x)) of it. */
static HLO_BUILT_SMALL bool read_side(const hlo_computation *c, const hlo_instruction *x, side *found) {
  const hlo_instruction *tested = NULL, *compared = NULL, *inner = replacement(c, x, true, &tested);
  found->kind = HLO_KEY_TOTAL;
  if (inner) {
    x = replacement(c, inner, false, &compared);
    found->kind = x ? HLO_KEY_CANONICAL : HLO_KEY_NANS_LAST;
    if (!x) x = inner;
    if (x != tested || (compared && x != compared)) return false;
  }
  if (x->opcode != HLO_OP_PARAMETER) return false;
  found->parameter = (int)hlo_instruction_int(x, HLO_ATTR_parameter_number, 0);
  return true;
}

static HLO_BUILT_SMALL bool describe_key(hlo_type type, hlo_key_kind kind, hlo_sort_key *key) {
  *key = (hlo_sort_key){.kind = kind, .element_bytes = hlo_type_bytes(type)};
  switch (type) {
  case HLO_TYPE_F16: key->infinity = 0x7c00; return true;
  case HLO_TYPE_BF16: key->infinity = 0x7f80; return true;
  case HLO_TYPE_F32: key->infinity = 0x7f800000; return true;
  case HLO_TYPE_F64: key->infinity = 0x7ff0000000000000; return true;
  default: break;
  }
  bool is_signed = hlo_type_classify(type) == HLO_CLASS_SIGNED;
  key->kind = is_signed ? HLO_KEY_SIGNED : HLO_KEY_UNSIGNED;
  return (is_signed || hlo_type_classify(type) == HLO_CLASS_UNSIGNED || type == HLO_TYPE_PRED) && hlo_type_bits(type) >= 8;
}

/* compare(key of 2i, key of 2i + 1), or the other way round. */
static HLO_BUILT_SMALL bool read_compare(const hlo_computation *c, const hlo_instruction *compare, hlo_sort_key *key, bool *is_partial, int *operand,
                         int *direction) {
  if (compare->opcode != HLO_OP_COMPARE) return false;
  side lhs, rhs;
  if (!read_side(c, hlo_operand(c, compare, 0), &lhs) || !read_side(c, hlo_operand(c, compare, 1), &rhs)) return false;
  if (lhs.kind != rhs.kind || lhs.parameter == rhs.parameter || lhs.parameter / 2 != rhs.parameter / 2) return false;
  hlo_type type = hlo_operand(c, compare, 0)->shape->type;
  int own = hlo_default_comparison_type(type), order = hlo_instruction_enum(compare, HLO_ATTR_comparison_type, own);
  *is_partial = hlo_type_is_float(type) && order != HLO_comparison_type_TOTALORDER;
  if (!describe_key(type, *is_partial ? HLO_KEY_CANONICAL : lhs.kind, key)) return false;
  *operand = lhs.parameter / 2;
  *direction = hlo_instruction_enum(compare, HLO_ATTR_direction, HLO_direction_EQ);
  key->descending = (*direction == HLO_direction_GT) != (lhs.parameter > rhs.parameter);
  return true;
}

static HLO_BUILT_SMALL bool read_strict(const hlo_computation *c, const hlo_instruction *compare, sort_parameters *p) {
  int k = p->key_count, direction;
  if (k == MOST_KEYS || !read_compare(c, compare, &p->keys[k], &p->is_partial[k], &p->key_operand[k], &direction)) return false;
  return p->key_count++, direction == HLO_direction_LT || direction == HLO_direction_GT;
}

/* or(a < b, and(a == b, what breaks the tie)). */
static HLO_BUILT_SMALL bool read_order(const hlo_computation *c, const hlo_instruction *root, sort_parameters *p) {
  while (root->opcode == HLO_OP_OR) {
    const hlo_instruction *tie = hlo_operand(c, root, 1);
    int k = p->key_count, operand, direction;
    hlo_sort_key equal;
    bool is_partial;
    if (!read_strict(c, hlo_operand(c, root, 0), p) || tie->opcode != HLO_OP_AND) return false;
    if (!read_compare(c, hlo_operand(c, tie, 0), &equal, &is_partial, &operand, &direction) || direction != HLO_direction_EQ) return false;
    if (operand != p->key_operand[k] || equal.kind != p->keys[k].kind || is_partial || p->is_partial[k]) return false;
    root = hlo_operand(c, tie, 1);
  }
  return read_strict(c, root, p) && (p->key_count == 1 || !p->is_partial[p->key_count - 1]);
}

HLO_BUILT_SMALL bool hlo_setup_sort(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  const hlo_computation *comparator = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  int along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  sort_parameters p = {.operand_count = instruction->operand_count};
  if (p.operand_count > MOST_OPERANDS || !read_order(comparator, hlo_computation_root(comparator), &p)) return false;
  for (int n = 0; n < p.operand_count; n++)
    p.element_bytes[n] = hlo_type_bytes(hlo_kernel_operand(question, n)->type);
  p.outer = hlo_kernel_split(shape, along, &p.inner);
  p.length = shape->dims[along];
  p.shares_lines = p.outer * p.inner >= question->threads;
  p.scratch_bytes = hlo_radix_sort_scratch(p.length, p.shares_lines ? 1 : question->threads) * (int64_t)sizeof(uint64_t);
  choice->scratch_bytes = p.scratch_bytes * (p.shares_lines ? question->threads : 1);
  return HLO_RUN(question, choice, run_sort, p);
}
