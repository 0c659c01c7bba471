/* concatenate and pad, whose results are put together from parts, and iota, which has no operand. */
#include <string.h>

#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

/* One operand's part of the result. */
typedef struct part {
  int64_t in_offset, out_offset; /* bytes */
  hlo_strided_map map;
} part;

static part part_of(const hlo_shape *operand, const hlo_shape *result) {
  part p = {.map = {.rank = operand->rank, .element_bytes = hlo_type_bytes(result->type)}};
  hlo_byte_strides(operand, p.map.in_strides);
  hlo_byte_strides(result, p.map.out_strides);
  for (int d = 0; d < operand->rank; d++) p.map.dims[d] = operand->dims[d];
  return p;
}

static void copy_part(const part *p, const void *in, void *out, hlo_team *team) {
  hlo_strided_copy_shared(&p->map, (const char *)in + p->in_offset, (char *)out + p->out_offset, team);
}

/* ---- concatenate ---- */

typedef struct concatenate_parameters {
  int count;
  part *parts;
} concatenate_parameters;

static void run_concatenate(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const concatenate_parameters *p = parameters;
  for (int i = 0; i < p->count; i++) copy_part(&p->parts[i], operands[i], result, team);
}

bool hlo_setup_concatenate(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  concatenate_parameters p = {.count = choice->operand_count};
  p.parts = hlo_arena_many(question->arena, part, p.count, question->status);
  if (!p.parts) return false;
  int64_t dimension = hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions)->data[0], start = 0;
  for (int i = 0; i < p.count; i++) {
    const hlo_shape *operand = hlo_kernel_operand(question, i);
    p.parts[i] = part_of(operand, question->instruction->shape);
    p.parts[i].out_offset = start * p.parts[i].map.out_strides[dimension];
    start += operand->dims[dimension];
    hlo_strided_map_simplify(&p.parts[i].map);
  }
  return HLO_RUN(question, choice, run_concatenate, p);
}

/* ---- pad ---- */

typedef struct pad_parameters {
  bool covers; /* nothing is left to fill */
  int64_t count;
  part part;
} pad_parameters;

static void run_pad(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const pad_parameters *p = parameters;
  int bytes = p->part.map.element_bytes;
  const hlo_strided_map whole = {.rank = 1, .element_bytes = bytes, .dims = {p->count}, .out_strides = {bytes}};
  if (!p->covers) hlo_strided_copy_shared(&whole, operands[1], result, team);
  copy_part(&p->part, operands[0], result, team);
}

/* Which elements of a dimension stay inside, and where the first of them goes. */
static void place_dimension(part *p, int d, const hlo_padding_dim *padding, int64_t result_size) {
  int64_t step = padding->interior + 1, first = 0, size = p->map.dims[d];
  if (padding->low < 0) first = hlo_ceil_div(-padding->low, step);
  int64_t place = padding->low + first * step;
  int64_t fitting = place < result_size ? (result_size - 1 - place) / step + 1 : 0;
  int64_t count = size - first < fitting ? size - first : fitting;
  p->map.dims[d] = count > 0 ? count : 0;
  p->in_offset += first * p->map.in_strides[d];
  p->out_offset += place * p->map.out_strides[d];
  p->map.out_strides[d] *= step;
}

bool hlo_setup_pad(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *shape = question->instruction->shape;
  const hlo_padding_config *padding = hlo_instruction_attribute(question->instruction, HLO_ATTR_padding)->padding;
  pad_parameters p = {.count = hlo_shape_element_count(shape),
                      .part = part_of(hlo_kernel_operand(question, 0), shape)};
  int64_t kept = 1;
  for (int d = 0; d < shape->rank; d++) {
    place_dimension(&p.part, d, &padding->dims[d], shape->dims[d]);
    kept *= p.part.map.dims[d];
  }
  p.covers = kept == p.count;
  if (kept == 0) p.part = (part){.map = {.rank = 1, .element_bytes = p.part.map.element_bytes}};
  hlo_strided_map_simplify(&p.part.map);
  return HLO_RUN(question, choice, run_pad, p);
}

/* ---- iota ---- */

typedef struct iota_parameters {
  hlo_type type;
  int64_t outer, size, inner;
  hlo_elementwise_kernel *add; /* where sums of numbers are exact; else NULL */
} iota_parameters;

enum { IOTA_BLOCK = 1024 };

static void put_number(const iota_parameters *p, int64_t number, void *out) {
  hlo_scalar_store(p->type, out, 0, hlo_scalar_convert(p->type, HLO_TYPE_S64, (hlo_scalar){.s = number}));
}

/* One line: what is there already, plus how much there is. */
static void count_up(const iota_parameters *p, char *out) {
  int bytes = hlo_type_bytes(p->type);
  put_number(p, 0, out);
  for (int64_t done = 1, count; done < p->size; done += count) {
    uint64_t step[2];
    const void *operands[2] = {out, step};
    put_number(p, done, step);
    count = done < IOTA_BLOCK ? done : IOTA_BLOCK;
    if (count > p->size - done) count = p->size - done;
    p->add(operands, 2, out + done * bytes, count);
  }
}

static void run_iota(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const iota_parameters *p = parameters;
  int bytes = hlo_type_bytes(p->type);
  size_t block = (size_t)(p->size * p->inner * bytes);
  char *out = result;
  if (p->size == 0 || p->outer == 0 || p->inner == 0) return;
  if (p->add) count_up(p, out);
  for (int64_t i = 0; i < p->size && !p->add; i++) {
    uint64_t element[2];
    put_number(p, i, element);
    hlo_fill(out + i * p->inner * bytes, element, bytes, p->inner);
  }
  for (int64_t o = 1; o < p->outer; o++) memcpy(out + (size_t)o * block, out, block);
}

bool hlo_setup_iota(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *shape = question->instruction->shape;
  int dimension = (int)hlo_instruction_int(question->instruction, HLO_ATTR_iota_dimension, 0);
  iota_parameters p = {.type = shape->type, .size = shape->dims[dimension]};
  p.outer = hlo_kernel_split(shape, dimension, &p.inner);
  bool holds_numbers = hlo_type_is_integral(shape->type) || shape->type == HLO_TYPE_F32 || shape->type == HLO_TYPE_F64;
  if (p.inner == 1 && holds_numbers && p.size <= 1 << 24)
    p.add = hlo_elementwise_kernel_of(HLO_OP_ADD, shape->type, shape->type, HLO_ANY_VARIANT);
  choice->run = run_iota;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
