/* A fused loop with what it reads and the function that runs it, and running it by one thread or by a team. */
#ifndef HLO_LOOPS_FUSED_LOOP_CALL_H
#define HLO_LOOPS_FUSED_LOOP_CALL_H

#include "base/team.h"
#include "graph/module.h"
#include "kernels/step_function.h"
#include "loops/fused_loop.h"

/* The parameters of a step that runs a fused loop begin with this struct. The loop's operands are numbered: first those of the fusion;
 * then the product, in an epilogue; then constants. */
typedef struct hlo_fused_loop_step hlo_fused_loop_step;
struct hlo_fused_loop_step {
  hlo_fused_loop loop;
  hlo_fused_loop_function *function; /* hlo_fused_loop_run, until the function that src/emit wrote is installed */
  double row_nanoseconds;            /* estimate for one row */
  const hlo_instruction *fusion;
  int operand_count;                 /* of the fusion */
  int first_constant, constant_count;
  const void **constants;            /* operands first_constant, first_constant + 1, ... */
  int emitted;                       /* number of the function that src/emit wrote, counted from 1; 0: it wrote none */
  hlo_fused_loop_step *next;         /* of the plan */
};

/* One run of a step: where its operands and results lie. */
typedef struct hlo_fused_loop_call {
  const hlo_fused_loop_step *step;
  const void *operands[HLO_FUSED_MAX_OPERANDS];
  void *results[HLO_FUSED_MAX_OUTPUTS];
  char *scratch; /* hlo_fused_loop_step_scratch bytes for each thread */
} hlo_fused_loop_call;

/* Bytes for one thread, a multiple of HLO_ALIGNMENT. */
int64_t hlo_fused_loop_step_scratch(const hlo_fused_loop_step *step);
/* Sets all but the loop's operands. operands: those of the fusion, then the outputs after the first, to be written. */
void hlo_fused_loop_call_begin(hlo_fused_loop_call *call, const hlo_fused_loop_step *step, const void *const *operands, void *result,
                               void *scratch);
/* Sets the loop's operands. product: NULL where the step has none. */
void hlo_fused_loop_call_operands(hlo_fused_loop_call *call, const void *const *operands, const void *product);
/* Runs one part, by the thread of this number. */
void hlo_fused_loop_call_part(const hlo_fused_loop_call *call, hlo_fused_region part, int thread);
/* Runs the whole loop, its parts shared by the team. */
void hlo_fused_loop_call_shared(const hlo_fused_loop_call *call, hlo_team *team);
/* Returns whether parts may have some of the columns: every output is a vector, and nothing is reduced. */
bool hlo_fused_loop_has_columns(const hlo_fused_loop *loop);

/* Runs a step. parameters: a hlo_fused_loop_step. */
hlo_shared_step_function hlo_fused_loop_step_run;

#endif
