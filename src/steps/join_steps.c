/* concatenate and pad, whose results are put together from parts, and iota, which has no operand. */
#include "base/arena.h"
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/move/count_up.h"
#include "kernels/move/interleave.h"
#include "kernels/move/joined_copies.h"
#include "kernels/move/strided_copy.h"
#include "loops/scalar_ops.h"
#include "loops/view.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "shape/strides.h"
#include "steps/kernel_table.h"

/* All of an operand, copied to the beginning of the result. */
static hlo_joined_part part_of(const hlo_shape *operand, const hlo_shape *result) {
  hlo_joined_part p = {.map = {.rank = operand->rank, .element_bytes = hlo_type_bytes(result->type)}};
  hlo_shape_byte_strides(operand, p.map.in_strides);
  hlo_shape_byte_strides(result, p.map.out_strides);
  for (int d = 0; d < operand->rank; d++) p.map.dims[d] = operand->dims[d];
  return p;
}

/* ---- concatenate ---- */

/* Returns the slice that an operand of the concatenation is; NULL: it is none. */
static const hlo_instruction *slice_at(const hlo_kernel_question *question, int operand) {
  const hlo_instruction *slice = hlo_operand(question->computation, question->instruction, operand);
  return slice->opcode == HLO_OP_SLICE && hlo_is_view(question->computation, slice) ? slice : NULL;
}

/* Returns the operand behind those that are read from one array, by slices of it or as it is, from operand `first` on; *most: together they are most of the array, so that to keep it
 * for the concatenation takes little more memory than to keep the slices. */
static int end_of_array(const hlo_kernel_question *question, int first, bool *most) {
  int array = -1, n = first;
  int64_t read = 0;
  for (; n < question->instruction->operand_count; n++) {
    const hlo_instruction *slice = slice_at(question, n);
    int from = slice ? slice->operands[0] : question->instruction->operands[n];
    if (n > first && from != array) break;
    array = from;
    read += hlo_shape_element_count(hlo_kernel_operand(question, n));
  }
  *most = 2 * read >= hlo_shape_element_count(hlo_instruction_at(question->computation, array)->shape);
  return n;
}

/* Has a part that is a slice read where the sliced array lies. */
static void read_through(const hlo_kernel_question *question, const hlo_instruction *slice, hlo_joined_part *p) {
  const hlo_slice_dim *dims = hlo_instruction_attribute(slice, HLO_ATTR_slice)->slice->dims;
  hlo_shape_byte_strides(hlo_operand(question->computation, slice, 0)->shape, p->map.in_strides);
  for (int d = 0; d < p->map.rank; d++) {
    p->in_offset += dims[d].start * p->map.in_strides[d];
    p->map.in_strides[d] *= dims[d].stride;
  }
}

/* Returns whether parts are arrays whose words stand in turn. */
static bool are_interleaved(const hlo_concatenate_parameters *p) {
  bool are = p->count >= 2 && p->count <= HLO_INTERLEAVE_MOST;
  for (int i = 0; i < p->count && are; i++) {
    const hlo_strided_map *map = &p->parts[i].map;
    int bytes = map->element_bytes;
    are = bytes == 4 && map->rank == 1 && map->dims[0] == p->parts[0].map.dims[0] && map->in_strides[0] == bytes && map->out_strides[0] == p->count * bytes;
  }
  return are;
}

bool hlo_setup_concatenate(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_concatenate_parameters p = {.count = choice->operand_count};
  p.parts = hlo_arena_many(question->arena, hlo_joined_part, p.count, question->status);
  if (!p.parts) return false;
  int64_t dimension = hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions)->data[0], start = 0;
  bool most = false;
  for (int i = 0, end = 0; i < p.count; i++) {
    const hlo_shape *operand = hlo_kernel_operand(question, i);
    p.parts[i] = part_of(operand, question->instruction->shape);
    if (i == end) end = end_of_array(question, i, &most);
    const hlo_instruction *slice = most ? slice_at(question, i) : NULL;
    if (slice) {
      read_through(question, slice, &p.parts[i]);
      choice->operands[i] = slice->operands[0];
    }
    p.parts[i].out_offset = start * p.parts[i].map.out_strides[dimension];
    start += operand->dims[dimension];
    hlo_strided_map_simplify(&p.parts[i].map);
  }
  if (!are_interleaved(&p)) return HLO_RUN(question, choice, hlo_concatenate_run, p);
  choice->kernel = "interleave_simd128";
  return HLO_RUN(question, choice, hlo_interleave_run, p);
}

/* ---- pad ---- */

/* Narrows the part to the elements of dimension d that stay inside the result (padding may be negative), and moves it to where the first
 * of them goes. */
static void place_dimension(hlo_joined_part *p, int d, const hlo_padding_dim *padding, int64_t result_size) {
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
  hlo_pad_parameters p = {.count = hlo_shape_element_count(shape),
                      .part = part_of(hlo_kernel_operand(question, 0), shape)};
  int64_t kept = 1;
  for (int d = 0; d < shape->rank; d++) {
    place_dimension(&p.part, d, &padding->dims[d], shape->dims[d]);
    kept *= p.part.map.dims[d];
  }
  p.covers = kept == p.count;
  if (kept == 0) p.part = (hlo_joined_part){.map = {.rank = 1, .element_bytes = p.part.map.element_bytes}};
  hlo_strided_map_simplify(&p.part.map);
  return HLO_RUN(question, choice, hlo_pad_run, p);
}

/* ---- iota ---- */

bool hlo_setup_iota(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *shape = question->instruction->shape;
  int dimension = (int)hlo_instruction_int(question->instruction, HLO_ATTR_iota_dimension, 0);
  hlo_iota_parameters p = {.type = shape->type, .size = shape->dims[dimension]};
  p.outer = hlo_kernel_split(shape, dimension, &p.inner);
  bool holds_numbers = hlo_type_is_integral(shape->type) || shape->type == HLO_TYPE_F32 || shape->type == HLO_TYPE_F64;
  if (p.inner == 1 && holds_numbers && p.size <= INT32_MAX) /* the first numbers of blocks are exact in f32 */
    p.add = hlo_elementwise_kernel_of(HLO_OP_ADD, shape->type, shape->type, HLO_ANY_VARIANT);
  choice->run = hlo_iota_run;
  choice->parameters = HLO_KERNEL_COPY(question, p);
  return choice->parameters != NULL;
}
