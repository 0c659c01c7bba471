#include "kernels/product/byte_dot.h"

#include "base/team.h"
#include "kernels/convert/widen.h"
#include "kernels/product/epilogue.h"

bool hlo_byte_dot_interleaves(const hlo_byte_dot_operand *operand) {
  const hlo_strided_map *map = &operand->copy;
  int last = map->rank - 1;
  return last >= 1 && map->dims[last] == operand->k && map->in_strides[last] == operand->free && map->dims[last - 1] == operand->free &&
         map->in_strides[last - 1] == 1 && (last == 1 || (last == 2 && map->in_strides[0] == operand->free * operand->k));
}

void hlo_byte_dot_make_pairs(const hlo_byte_dot_operand *operand, const void *data, void *bytes, void *pairs) {
  int64_t rows = operand->batch * operand->free;
  if (operand->interleaves) {
    for (int64_t b = 0; b < operand->batch; b++, pairs = (char *)pairs + (operand->k + 1) / 2 * operand->free * 4)
      hlo_interleave_byte_rows((const char *)data + b * operand->free * operand->k, operand->is_signed, operand->k, operand->free, pairs);
    return;
  }
  if (operand->copied) hlo_strided_copy_simd128(&operand->copy, data, bytes);
  hlo_widen_byte_rows_simd128(operand->copied ? bytes : data, operand->is_signed, rows, operand->k, pairs);
}

void hlo_byte_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_byte_dot *p = parameters;
  char *memory = scratch, *pairs[2];
  bool in_place = p->rhs_k_stride != 0;
  for (int i = 0; i < (in_place ? 1 : 2); i++) {
    pairs[i] = memory + p->operands[i].pairs_offset;
    if (i == 0 || !p->packed) hlo_byte_dot_make_pairs(&p->operands[i], operands[i], memory, pairs[i]);
  }
  if (in_place) {
    hlo_byte_rows_dot(p, (const int16_t *)pairs[0], operands[1], result, team);
    return;
  }
  for (int64_t b = 0; b < p->operands[0].batch; b++) {
    const void *rhs = p->packed ? p->packed->bytes : pairs[1] + b * p->dot.n * p->dot.k * 4;
    hlo_dot_simd128(&p->dot, HLO_DOT_S16_PAIRS, pairs[0] + b * p->dot.m * p->dot.k * 4, rhs, p->packed != NULL,
                    (char *)result + b * p->dot.m * p->dot.n * 4, memory + p->product_offset, (hlo_epilogue_target){0}, team);
  }
}
