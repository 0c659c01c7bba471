/* A fused loop divided into parts: by rows, or by columns where there are few rows. */
#include "loops/fused_loop_call.h"

#include "base/alignment.h"
#include "base/ranges.h"

enum { ELEMENTS_AT_ONCE = 1 << 16 };

void hlo_fused_loop_call_begin(hlo_fused_loop_call *call, const hlo_fused_loop_step *step, const void *const *operands, void *result,
                               void *scratch) {
  call->step = step;
  call->scratch = scratch;
  call->results[0] = result;
  for (int i = 1; i < step->loop.output_count; i++) call->results[i] = (void *)operands[step->operand_count + i - 1];
}

void hlo_fused_loop_call_operands(hlo_fused_loop_call *call, const void *const *operands, const void *product) {
  const void **to = call->operands;
  for (int n = 0; n < call->step->operand_count; n++) *to++ = operands[n];
  if (product) *to++ = product;
  for (int n = 0; n < call->step->constant_count; n++) *to++ = call->step->constants[n];
}

int64_t hlo_fused_loop_step_scratch(const hlo_fused_loop_step *step) {
  return hlo_aligned((int64_t)step->loop.scratch_bytes);
}

void hlo_fused_loop_call_part(const hlo_fused_loop_call *call, hlo_fused_region part, int thread) {
  void *scratch = hlo_team_scratch(call->scratch, (size_t)hlo_fused_loop_step_scratch(call->step), thread);
  call->step->function(&call->step->loop, call->operands, call->results, &part, scratch);
}

/* Runs a part in several calls of emitted code, since engines replace code by faster code only between calls. Columns are divided if a
 * part may have some of them. */
static void run_in_calls(const hlo_fused_loop_call *call, hlo_fused_region all, int thread) {
  hlo_fused_region first = all;
  if (call->step->function != hlo_fused_loop_run && all.columns > 0) {
    if (first.columns > ELEMENTS_AT_ONCE && hlo_fused_loop_has_columns(&call->step->loop)) first.columns = ELEMENTS_AT_ONCE;
    int64_t rows = first.columns < ELEMENTS_AT_ONCE ? ELEMENTS_AT_ONCE / first.columns : 1;
    if (first.rows > rows) first.rows = rows;
  }
  for (hlo_fused_region part = first; part.row < all.row + all.rows; part.row += part.rows) {
    if (part.rows > all.row + all.rows - part.row) part.rows = all.row + all.rows - part.row;
    part.columns = first.columns;
    for (part.column = all.column; part.column < all.column + all.columns; part.column += part.columns) {
      if (part.columns > all.column + all.columns - part.column) part.columns = all.column + all.columns - part.column;
      hlo_fused_loop_call_part(call, part, thread);
    }
  }
}

/* ---- By a team ---- */

typedef struct shared_loop {
  const hlo_fused_loop_call *call;
  bool by_columns;
} shared_loop;

static void run_some(const void *context, int64_t first, int64_t count, int thread) {
  const shared_loop *s = context;
  const hlo_fused_loop *loop = &s->call->step->loop;
  hlo_fused_region part = {.rows = loop->rows, .columns = loop->width};
  *(s->by_columns ? &part.column : &part.row) = first;
  *(s->by_columns ? &part.columns : &part.rows) = count;
  run_in_calls(s->call, part, thread);
}

bool hlo_fused_loop_has_columns(const hlo_fused_loop *loop) {
  bool vectors = !loop->has_reductions;
  for (int i = 0; i < loop->output_count; i++) vectors &= !loop->values[loop->outputs[i].value].per_row;
  return vectors;
}

void hlo_fused_loop_call_shared(const hlo_fused_loop_call *call, hlo_team *team) {
  const hlo_fused_loop *loop = &call->step->loop;
  double nanoseconds = (double)loop->rows * call->step->row_nanoseconds;
  int few = hlo_team_threads(team) * HLO_TEAM_UNITS_A_THREAD;
  shared_loop s = {.call = call, .by_columns = loop->rows < few && loop->width > loop->rows && hlo_fused_loop_has_columns(loop)};
  int64_t count = s.by_columns ? loop->width : loop->rows;
  hlo_ranges_run(team, count, s.by_columns ? 64 : loop->rows_at_once > 0 ? loop->rows_at_once : 1, nanoseconds, run_some, &s);
}

void hlo_fused_loop_step_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_fused_loop_call call;
  hlo_fused_loop_call_begin(&call, parameters, operands, result, scratch);
  hlo_fused_loop_call_operands(&call, operands, NULL);
  hlo_fused_loop_call_shared(&call, team);
}
