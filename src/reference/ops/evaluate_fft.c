/* fft: Fourier transforms of the last one to three dimensions. */
#include "base/status.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/literal.h"
#include "shape/shape.h"

bool hlo_reference_fft(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_routine_library *library = hlo_routines_loaded();
  const hlo_shape *from = operands[0]->shape, *to = result->shape;
  if (!library) return hlo_fail(evaluation->status, HLO_INTERNAL, "%s: Fourier transforms are not loaded", instruction->name);
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, operands[0]);
  if (hlo_box_is_empty(from->dims, from->rank) || hlo_box_is_empty(to->dims, to->rank)) return true;
  return library->fourier(evaluation, instruction, operands, result);
}
