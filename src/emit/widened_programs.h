/* Programs with 8- and 16-bit elements, as programs that compute with f32 and s32: each op between conversions that widen its operands
 * and narrow its result, as kernels/widened.c does it in memory. */
#ifndef HLO_EMIT_WIDENED_PROGRAMS_H
#define HLO_EMIT_WIDENED_PROGRAMS_H

#include "kernels/loop_program.h"

enum { HLO_EMIT_VALUES = 2 * HLO_LOOP_MAX_VALUES };

typedef struct hlo_emit_program {
  hlo_loop loop;
  hlo_loop_value values[HLO_EMIT_VALUES];
  hlo_loop_output outputs[HLO_LOOP_MAX_OUTPUTS];
} hlo_emit_program;

/* Makes a copy of the loop in which nothing is narrow but inputs, outputs and conversions. False where it cannot be made: too many
 * values; sums of rows of narrow elements that are folded in chunks. */
bool hlo_emit_widen(const hlo_loop *loop, hlo_emit_program *program);

#endif
