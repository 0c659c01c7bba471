/* Steps of a while loop that only move a few bytes, as loads and stores: calling their kernels takes longer than the moves. */
#ifndef HLO_EMIT_MOVE_EMIT_H
#define HLO_EMIT_MOVE_EMIT_H

#include "emit/emitter.h"
#include "plan/plan.h"

/* Copies bytes that lie side by side. to, from: locals with addresses, and offsets from them. */
void hlo_emit_copy(hlo_emitter *e, int to, int64_t to_offset, int from, int64_t from_offset, int64_t bytes);

/* Writes a step that moves a few elements: move, slice, broadcast, transpose, reverse, concatenate, pad, dynamic-slice, dynamic-update-slice in
 * place. operands, result: locals with addresses. Returns false, and has written nothing, where the step is another one, or moves much. */
bool hlo_emit_move_step(hlo_emitter *e, const hlo_step *step, const int *operands, int result);

#endif
