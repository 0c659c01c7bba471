/* Sums of the products of two arrays, each of which is repeated along dimensions of the other, are dots:
 *
 *   sum over c of broadcast(x[b,c,n]) * broadcast(w[o,c]) -> transpose(dot(x, w)), of [b,o,n]
 *
 * Sums of few terms, and those for which one array has nothing that the other repeats, are left to loops. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "loops/scalar_ops.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum { LEAST_SIDE = 4, LEAST_TERMS = 2, LEAST_PRODUCT = 1024, LEAST_OF_BATCH = 2048 /* multiplications, of a dot or of each of a batch */ };

/* A factor, without the dimensions along which it is repeated, and without those of size 1. */
typedef struct factor {
  int value;
  int64_t dims[HLO_MAX_RANK], places[HLO_MAX_RANK]; /* by dimension: its size, and where the product has it */
  int by_place[HLO_MAX_RANK];                       /* the dimension; -1: it is repeated there */
  int rank;
  int64_t batch[HLO_MAX_RANK], contracting[HLO_MAX_RANK];
} factor;

static factor factor_of(const hlo_rewriter *r, int value) {
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  const hlo_ints *places = i->opcode == HLO_OP_BROADCAST && hlo_is_plain(r, i) ? hlo_instruction_ints(i, HLO_ATTR_dimensions) : NULL;
  factor f = {.value = places ? i->operands[0] : value};
  const hlo_shape *shape = hlo_rewriter_value(r, f.value)->shape;
  for (int d = 0; d < HLO_MAX_RANK; d++) f.by_place[d] = -1;
  for (int d = 0; d < shape->rank; d++) {
    if (shape->dims[d] == 1) continue;
    int64_t place = places ? places->data[d] : d;
    f.by_place[place] = f.rank;
    f.places[f.rank] = place;
    f.dims[f.rank++] = shape->dims[d];
  }
  return f;
}

/* Adds the factor with the dimensions that it has. */
static int side_of(hlo_rewriter *r, const factor *f) { return hlo_add_reshape(r, f->value, hlo_shape_for(r, hlo_rewriter_value(r, f->value)->shape->type, f->dims, f->rank)); }

/* Returns whether dots add products of the type as the reduction does: exactly, or in any order. */
static bool has_dots(hlo_type type) { return type == HLO_TYPE_F32 || type == HLO_TYPE_F64 || type == HLO_TYPE_S32; }

static int dot(hlo_rewriter *r, const hlo_shape *shape, const hlo_shape *result, uint32_t folds, factor *sides) {
  int batches = 0, contracted = 0, kept = 0, behind[2] = {0, 0}; /* behind: dimensions of the result that only one side has */
  int64_t free[2] = {1, 1}, terms = 1, places[HLO_MAX_RANK], permutation[HLO_MAX_RANK];
  for (int d = 0; d < shape->rank; d++) {
    int lhs = sides[0].by_place[d], rhs = sides[1].by_place[d];
    bool folded = folds >> d & 1, both = lhs >= 0 && rhs >= 0;
    if (shape->dims[d] == 1) continue;
    if (!both && (folded || lhs + rhs == -2)) return HLO_KEEP;
    if (folded) {
      sides[0].contracting[contracted] = lhs, sides[1].contracting[contracted++] = rhs;
      terms *= shape->dims[d];
    } else if (both) {
      sides[0].batch[batches] = lhs, sides[1].batch[batches++] = rhs;
    } else {
      free[lhs < 0] *= shape->dims[d];
    }
  }
  if (free[0] < LEAST_SIDE || free[1] < LEAST_SIDE || terms < LEAST_TERMS || free[0] * free[1] * terms < (batches ? LEAST_OF_BATCH : LEAST_PRODUCT)) return HLO_KEEP;
  /* The result has the batches, then what is left of each side in its own order. */
  for (int n = 0; n < 2; n++)
    for (int d = 0; d < sides[n].rank; d++) {
      int64_t place = sides[n].places[d];
      if (sides[1 - n].by_place[place] < 0) places[place] = batches + (n ? behind[0] : 0) + behind[n]++;
    }
  for (int d = 0, batch = 0; d < shape->rank; d++) {
    if (folds >> d & 1 || shape->dims[d] == 1) continue;
    permutation[kept++] = sides[0].by_place[d] >= 0 && sides[1].by_place[d] >= 0 ? batch++ : places[d];
  }
  const hlo_dot_dims dims = {hlo_ints_copy(r, sides[0].batch, batches), hlo_ints_copy(r, sides[1].batch, batches),
                             hlo_ints_copy(r, sides[0].contracting, contracted), hlo_ints_copy(r, sides[1].contracting, contracted)};
  hlo_attribute attributes[HLO_DOT_ATTRIBUTES];
  int count = hlo_dot_attributes(&dims, attributes), product = hlo_add(r, HLO_OP_DOT, NULL, (int[]){side_of(r, &sides[0]), side_of(r, &sides[1])}, 2, attributes, count);
  return product < 0 ? HLO_KEEP : hlo_add_reshape(r, hlo_add_transpose(r, product, permutation, kept), result);
}

int hlo_recognise_dots(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_reduction reduction;
  hlo_scalar init;
  if (i->opcode != HLO_OP_REDUCE || !hlo_reduction_for(r->module, r->to, i, &reduction) || reduction.opcode != HLO_OP_ADD || !has_dots(i->shape->type)) return HLO_KEEP;
  const hlo_instruction *product = hlo_input(r, i, 0);
  if (product->opcode != HLO_OP_MULTIPLY || r->uses[product->index] > 1 || !hlo_is_plain(r, product)) return HLO_KEEP;
  if (!hlo_splat_of(r, i->operands[1], &init) || init.u != 0) return HLO_KEEP;
  factor sides[] = {factor_of(r, product->operands[0]), factor_of(r, product->operands[1])};
  return dot(r, product->shape, i->shape, hlo_ints_mask(hlo_instruction_ints(i, HLO_ATTR_dimensions)), sides);
}
