#include "kernels/product/byte_dot.h"

#include "base/team.h"
#include "kernels/product/byte_elements.h"
#include "kernels/product/byte_quads.h"
#include "kernels/product/epilogue.h"

bool hlo_byte_dot_interleaves(const hlo_byte_dot_operand *operand) {
  const hlo_strided_map *map = &operand->copy;
  int last = map->rank - 1;
  return last >= 1 && map->dims[last] == operand->k && map->in_strides[last] == operand->free && map->dims[last - 1] == operand->free &&
         map->in_strides[last - 1] == 1 && (last == 1 || (last == 2 && map->in_strides[0] == operand->free * operand->k));
}

bool hlo_byte_dot_set_width(hlo_byte_dot_operand *lhs, hlo_byte_dot_operand *rhs, int64_t k) {
  hlo_byte_mode mode = hlo_byte_mode_now();
  bool quads = mode > HLO_BYTES_INEXACT && lhs->is_signed && k >= HLO_BYTE_QUADS_K;
  lhs->width = rhs->width = quads ? 4 : 2;
  lhs->flip = 0;
  rhs->flip = quads && rhs->is_signed == (mode == HLO_BYTES_UNSIGNED) ? 128 : 0;
  return quads;
}

const void *hlo_byte_dot_make(const hlo_byte_dot_operand *operand, const void *data, void *bytes, void *elements) {
  int64_t rows = operand->batch * operand->free, k = operand->k;
  if (operand->interleaves) {
    for (int64_t b = 0; b < operand->batch; b++) {
      const char *from = (const char *)data + b * operand->free * k;
      char *to = (char *)elements + b * hlo_byte_dot_length(operand) * operand->free * 4;
      if (operand->width == 4) hlo_interleave_quads(from, operand->flip, k, operand->free, to);
      else hlo_interleave_byte_rows(from, operand->is_signed, k, operand->free, (int16_t *)to);
    }
    return elements;
  }
  if (operand->copied) hlo_strided_copy_simd128(&operand->copy, data, bytes);
  else if (operand->width == 4 && !operand->flip && k % 4 == 0) return data;
  if (operand->copied) data = bytes;
  if (operand->width == 4) hlo_quads_of_rows(data, operand->flip, rows, k, elements);
  else hlo_widen_byte_rows_simd128(data, operand->is_signed, rows, k, elements);
  return elements;
}

void hlo_byte_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_byte_dot *p = parameters;
  char *memory = scratch;
  const char *elements[2] = {NULL, NULL};
  bool in_place = p->rhs_k_stride != 0;
  for (int i = 0; i < (in_place || p->packed ? 1 : 2); i++)
    elements[i] = hlo_byte_dot_make(&p->operands[i], operands[i], memory, memory + p->operands[i].offset);
  if (in_place) {
    hlo_byte_rows_dot(p, (const int16_t *)elements[0], operands[1], result, team);
    return;
  }
  for (int64_t b = 0; b < p->operands[0].batch; b++) {
    const void *rhs = p->packed ? p->packed->bytes : elements[1] + b * p->dot.n * p->dot.k * 4;
    hlo_dot_simd128(&p->dot, hlo_byte_dot_type(&p->operands[0]), elements[0] + b * p->dot.m * p->dot.k * 4, rhs, p->packed != NULL,
                    (char *)result + b * p->dot.m * p->dot.n * 4, memory + p->product_offset, (hlo_epilogue_target){0}, team);
  }
}
