/* Fusions as steps: a loop program with what it reads. */
#ifndef HLO_PLAN_LOOP_STEPS_H
#define HLO_PLAN_LOOP_STEPS_H

#include "kernels/loop_program.h"
#include "plan/kernel_table.h"

/* What the parameters of such a step begin with. Operands of the program are numbered so: those of the fusion; the product,
 * if there is one; constants. */
struct hlo_loop_step {
  hlo_loop loop;
  hlo_loop_function *function;   /* hlo_loop_run, until something faster takes its place */
  double row_nanoseconds;        /* about, of a row */
  const hlo_instruction *fusion;
  int operand_count, constant_count;
  int first_constant;            /* the number of its operand */
  int emitted;                   /* the function of the module that src/emit wrote last, from 1; 0: it has none */
  const void **constants;
  hlo_loop_step *next;           /* of the plan */
};

/* What is asked of the lowering. */
typedef struct hlo_loop_question {
  const hlo_module *module;
  const hlo_computation *computation; /* the fused one */
  int product;   /* an instruction of it whose result is there already, as one more operand; -1: none */
  int64_t width; /* of a row, if it is given; 0: the lowering chooses it */
  hlo_arena *arena; /* for what the step keeps */
  hlo_status *status;
} hlo_loop_question;

/* Makes the program that the computation is, and prepares it. False where it is none, or memory ran out (the status says so). */
bool hlo_loop_lower(const hlo_loop_question *question, hlo_loop_step *step);

/* ---- Running ---- */

/* A step's program with what it works on. */
typedef struct hlo_loop_call {
  const hlo_loop_step *step;
  const void *operands[HLO_LOOP_MAX_OPERANDS];
  void *results[HLO_LOOP_MAX_OUTPUTS];
  char *scratch; /* hlo_loop_step_scratch for each thread */
} hlo_loop_call;

/* Of one thread, a multiple of HLO_PLACE_ALIGNMENT. */
int64_t hlo_loop_step_scratch(const hlo_loop_step *step);
/* All but the operands of the program; these: the step's. */
void hlo_loop_call_begin(hlo_loop_call *call, const hlo_loop_step *step, const void *const *operands, void *result, void *scratch);
/* product: NULL where there is none. */
void hlo_loop_call_operands(hlo_loop_call *call, const void *const *operands, const void *product);
void hlo_loop_call_part(const hlo_loop_call *call, hlo_loop_part part, int thread);
/* All parts. */
void hlo_loop_call_shared(const hlo_loop_call *call, hlo_team *team);
/* Whether columns may be parted: every output is a vector, and nothing is reduced. */
bool hlo_loop_has_columns(const hlo_loop *loop);

/* ---- Setting up ---- */

/* Whether output `output` may lie where that operand of the program is: see hlo_loop_function. */
bool hlo_loop_may_overwrite(const hlo_loop *loop, int output, int operand, int64_t operand_bytes);
/* NULL: no memory. */
const char *hlo_loop_step_name(const hlo_kernel_question *question, const hlo_loop_step *step);
/* To the plan's list. */
void hlo_loop_step_add(const hlo_kernel_question *question, hlo_loop_step *step);

#endif
