/* reduce of one array with a well-known computation. */
#include "base/alignment.h"
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce_passes.h"
#include "loops/scalar_ops.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

enum {
  FEW = 16,                /* results of a pass that a team can share as they are */
  MOST_PARTS = 32,         /* of a run */
  SHORTEST_PART = 64,      /* elements along the run */
  LEAST_ELEMENTS = 1 << 16 /* of an array that is worth sharing */
};

/* Into how many parts a run is cut: a divisor of its length. Where a long run has few results beside it, its parts are folded, and then
 * the results of the parts, so that a team has more to share. One thread does the same, since the order of a sum is part of its result. */
static int64_t part_count(hlo_reduce_pass pass) {
  int64_t parts = MOST_PARTS;
  if (pass.outer >= FEW || pass.outer * pass.reduced * pass.inner < LEAST_ELEMENTS) return 1;
  while (parts > 1 && (pass.reduced % parts || pass.reduced / parts < SHORTEST_PART)) parts--;
  return parts;
}

static void add_pass(hlo_reduce_parameters *p, hlo_reduce_pass pass, int64_t *largest) {
  p->passes[p->pass_count++] = pass;
  if (pass.outer * pass.inner > *largest) *largest = pass.outer * pass.inner;
}

/* Makes the passes over a shape, in which neighbouring dimensions that are both reduced, or both kept, are one. Returns how many elements
 * the largest array between two passes has. */
static int64_t make_passes(const hlo_shape *shape, uint32_t dimensions, hlo_reduce_parameters *p) {
  int64_t sizes[HLO_MAX_RANK], largest = 0;
  bool reduced[HLO_MAX_RANK];
  int count = 0;
  for (int d = 0; d < shape->rank; d++) {
    bool folds = dimensions >> d & 1;
    if (shape->dims[d] == 1) continue;
    if (count > 0 && reduced[count - 1] == folds) {
      sizes[count - 1] *= shape->dims[d];
    } else {
      sizes[count] = shape->dims[d];
      reduced[count++] = folds;
    }
  }
  int64_t inner = 1;
  for (int last = count - 1; last >= 0; last--) {
    if (!reduced[last]) {
      inner *= sizes[last];
      continue;
    }
    int64_t outer = 1;
    for (int d = 0; d < last; d++) outer *= sizes[d];
    int64_t parts = part_count((hlo_reduce_pass){outer, sizes[last], inner});
    if (parts > 1) add_pass(p, (hlo_reduce_pass){outer * parts, sizes[last] / parts, inner}, &largest);
    add_pass(p, (hlo_reduce_pass){outer, parts > 1 ? parts : sizes[last], inner}, &largest);
  }
  return p->pass_count > 1 ? largest : 0;
}

bool hlo_setup_reduce(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  hlo_reduction reduction;
  if (!hlo_reduction_for(question->module, question->computation, instruction, &reduction)) return false;
  choice->kernel = hlo_arena_format(question->arena, question->status, "%s_reduce_%s",
                                    hlo_type_name(instruction->shape->type), hlo_op_name(reduction.opcode));
  if (!choice->kernel) return false;
  const hlo_shape *operand = hlo_kernel_operand(question, 0);
  hlo_reduce_parameters p = {.kernel = hlo_reduction_kernel(reduction.op), .combine = hlo_scalar_kernel(reduction.combine),
                             .element_bytes = hlo_type_bytes(instruction->shape->type),
                             .count = hlo_shape_element_count(instruction->shape)};
  p.empty = hlo_shape_element_count(operand) == 0;
  int64_t largest = p.empty ? 0 : make_passes(operand, hlo_ints_mask(hlo_instruction_ints(instruction, HLO_ATTR_dimensions)), &p);
  p.half_bytes = hlo_aligned(largest * p.element_bytes);
  choice->scratch_bytes = 2 * p.half_bytes;
  return HLO_RUN(question, choice, hlo_reduce_run, p);
}
