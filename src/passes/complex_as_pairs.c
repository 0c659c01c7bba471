/* Reads and writes the parts of c128 as elements of f64, two of which lie side by side in each number. Fused loops read such a part
 * where it lies, and code of while loops writes it there.
 *
 *   real(x), x: c128[3]  ->  reshape(slice(bitcast(x): f64[3,2]): f64[3,1]): f64[3]
 *
 *   complex(re, im)      ->  bitcast(concatenate(reshape(re): f64[3,1], reshape(im): f64[3,1])): c128[3]
 *
 * A bitcast goes by memory, so numbers in another order than row by row stay. */
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* The shape with one more dimension, of f64. */
static const hlo_shape *with_last(hlo_rewriter *r, const hlo_shape *shape, int64_t last) {
  int64_t dims[HLO_MAX_RANK];
  for (int d = 0; d < shape->rank; d++) dims[d] = shape->dims[d];
  dims[shape->rank] = last;
  return hlo_shape_for(r, HLO_TYPE_F64, dims, shape->rank + 1);
}

static int bitcast(hlo_rewriter *r, int value, const hlo_shape *shape) { return hlo_add(r, HLO_OP_BITCAST, shape, &value, 1, NULL, 0); }

static int part(hlo_rewriter *r, const hlo_instruction *i) {
  int rank = i->shape->rank, is_imag = i->opcode == HLO_OP_IMAG;
  hlo_slice_dim dims[HLO_MAX_RANK];
  for (int d = 0; d < rank; d++) dims[d] = (hlo_slice_dim){0, i->shape->dims[d], 1};
  dims[rank] = (hlo_slice_dim){is_imag, is_imag + 1, 1};
  return hlo_add_reshape(r, hlo_add_slice(r, bitcast(r, i->operands[0], with_last(r, i->shape, 2)), dims, rank + 1), i->shape);
}

static int pairs(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *one = with_last(r, i->shape, 1);
  int64_t last = i->shape->rank;
  int both[2] = {hlo_add_reshape(r, i->operands[0], one), hlo_add_reshape(r, i->operands[1], one)};
  return bitcast(r, hlo_add_along(r, HLO_OP_CONCATENATE, both, 2, &last, 1), i->shape);
}

int hlo_complex_as_pairs(hlo_rewriter *r, const hlo_instruction *i) {
  if (!hlo_is_plain(r, i) || hlo_is_applied(r) || i->shape->rank == HLO_MAX_RANK) return HLO_KEEP;
  if (i->opcode != HLO_OP_REAL && i->opcode != HLO_OP_IMAG && i->opcode != HLO_OP_COMPLEX) return HLO_KEEP;
  const hlo_shape *numbers = i->opcode == HLO_OP_COMPLEX ? i->shape : hlo_input(r, i, 0)->shape;
  if (numbers->type != HLO_TYPE_C128 || !hlo_is_row_major(numbers)) return HLO_KEEP;
  return i->opcode == HLO_OP_COMPLEX ? pairs(r, i) : part(r, i);
}
