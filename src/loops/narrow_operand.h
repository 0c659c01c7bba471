/* Weights that a program keeps narrow and widens for a dot or a convolution: finding the element-wise ops between the stored elements and it.
 *
 *   q: s4[n,k/g,g]   convert   multiply(_, broadcast(scale))   add(_, broadcast(minimum))   reshape [n,k]   dot(x, _)
 *
 * Between the dot and the stored elements may stand: convert; multiply, add and subtract with an array that is broadcast to every column, to
 * every group of rows, or both; reshape, transpose and copy. Nothing but the dot may read their values. Of a convolution, columns are output
 * features, and rows its taps and input features in the order of its product. */
#ifndef HLO_LOOPS_NARROW_OPERAND_H
#define HLO_LOOPS_NARROW_OPERAND_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "kernels/product/narrow_matrix.h"
#include "shape/element_type.h"

enum { HLO_NARROW_OPERANDS = 1 + HLO_NARROW_STAGES * HLO_NARROW_VALUES, HLO_NARROW_CHAIN = 16 };

/* A dot or convolution and, where it is part of a fusion, that fusion and the computation in which it stands; else these are NULL. */
typedef struct hlo_narrow_place {
  const hlo_module *module;
  const hlo_computation *computation;
  const hlo_instruction *dot;
  const hlo_computation *outer;
  const hlo_instruction *fusion;
  const uint8_t *readers; /* of each instruction outside the fusion, if there is one: 0, 1, 2 and more; NULL: they are not counted yet */
} hlo_narrow_place;

typedef struct hlo_narrow_operand {
  int side;                            /* of the dot: 0 or 1; of a convolution: 1 */
  hlo_type type;                       /* of the stored elements */
  int operands[HLO_NARROW_OPERANDS];   /* instructions, of the fusion's computation if there is a fusion: the stored elements, then arrays */
  int operand_count;
  hlo_narrow_form form;                /* strides are those of the array of stored elements; its table is not set */
  bool has_integers;                   /* some arrays are not of f32: no kernel reads them */
  int chain[HLO_NARROW_CHAIN], chain_count; /* the instructions between */
} hlo_narrow_operand;

/* Finds the side that is narrow. Returns false where there is none. */
bool hlo_narrow_find(const hlo_narrow_place *place, hlo_narrow_operand *found);
/* Sets is_held[i] for every instruction of a computation that stands between narrow elements and a dot, which will read through it.
 * with_integers: also where arrays of integers, which another pass may yet turn into floats, keep it from that. False: no memory. */
bool hlo_narrow_hold(const hlo_module *module, const hlo_computation *computation, bool with_integers, bool *is_held, hlo_arena *scratch, hlo_status *status);

#endif
