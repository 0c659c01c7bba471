/* The reference evaluator: the obvious, slow definition of every operation.
 *
 * Values are literals: dense, row-major, whatever the layouts say. Two halves:
 *   - hlo_reference_evaluate: one instruction whose operands are known (everything that needs no frame), and
 *   - hlo_machine: runs whole computations on frames kept as data, for one or many replicas.
 * The planned path calls the first half for ops that have no kernel of their own. */
#ifndef HLO_REFERENCE_REFERENCE_H
#define HLO_REFERENCE_REFERENCE_H

#include "verify/verify.h"

/* Instructions of a run, over all its devices and the runs within it. */
typedef struct hlo_steps {
  int64_t budget, taken; /* budget 0: no limit */
} hlo_steps;

/* What the evaluation of one instruction may use. */
typedef struct hlo_evaluation {
  const hlo_module *module;
  const hlo_computation *computation; /* that holds the instruction */
  hlo_arena *scratch;  /* for temporaries; the caller resets it after the instruction */
  uint64_t *rng_state; /* two words, of the global generator: seeded per run */
  hlo_status *status;
  struct hlo_rendezvous *rendezvous; /* for custom calls and ids inside applied computations; NULL: built-ins only */
  int device;                        /* which device asks there */
  hlo_steps *steps;                  /* that runs within it count on; NULL: nobody counts */
  struct hlo_applied **prepared;     /* set by hlo_reference_evaluate, which releases what the instruction prepared */
} hlo_evaluation;

/* Evaluates one instruction into `result`, which has the instruction's shape and its memory already
 * (nested tuples too). Operands may not alias the result. Not for ops that need frames (FRAMES, COLLECTIVE,
 * infeed, ...: reference column `machine`). Fails with OUT_OF_MEMORY for temporaries, never for bad values. */
bool hlo_reference_evaluate(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result);

/* Reference functions of the op table. */
typedef bool hlo_reference_function(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result);
/* NULL for ops that the machine runs. */
hlo_reference_function *hlo_reference_function_of(hlo_opcode opcode);

/* The generator's state at the start of a run. */
void hlo_rng_seed(uint64_t state[2], uint64_t seed, int device);

/* Element functions of unary, binary and compare ops, for those who need them one by one. Integers come back
 * wrapped to the type; floats are not rounded to it: storing does that. */
hlo_scalar hlo_reference_unary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar x);
hlo_scalar hlo_reference_binary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);
bool hlo_reference_compare_scalar(int direction, int comparison_type, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);
int hlo_default_comparison_type(hlo_type type);

/* A computation applied to elements (of reduce, map, sort, ...): prepared once, applied many times.
 * Such computations may themselves call, loop, branch and apply computations; nesting is bounded by
 * verification. Values live in the evaluation's scratch arena. */
typedef struct hlo_applied hlo_applied;
hlo_applied *hlo_applied_prepare(hlo_evaluation *evaluation, const hlo_computation *computation);
/* The literals of parameter `number` and of the result: write the one, apply, read the other. */
hlo_literal *hlo_applied_parameter(hlo_applied *applied, int number);
bool hlo_applied_run(hlo_applied *applied);
const hlo_literal *hlo_applied_result(const hlo_applied *applied);

#endif
