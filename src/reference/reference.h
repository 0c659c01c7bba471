/* The reference evaluator: the obvious, slow definition of every operation. This is what other folders may call.
 *
 * Values are literals: dense, row-major, whatever the layouts say. Every instruction is run by one of three:
 *   - hlo_reference_evaluate   what depends on the operands alone (most ops),
 *   - hlo_reference_meet       what needs other devices or the host (all-reduce, infeed, custom-call, replica-id, ...),
 *   - the machine              what runs computations (while, call, ...): machine/machine.h runs whole programs.
 * The planned path calls the first two for ops that have no kernel of their own. */
#ifndef HLO_REFERENCE_REFERENCE_H
#define HLO_REFERENCE_REFERENCE_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/host.h"
#include "devices/rendezvous.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/work.h"
#include "shape/element_type.h"
#include "shape/literal.h"

/* The surroundings of the evaluation of an instruction: what it reads, uses and reports to. */
typedef struct hlo_evaluation {
  const hlo_module *module;
  const hlo_computation *computation; /* that holds the instruction */
  hlo_arena *scratch;  /* for temporaries; the caller resets it after the instruction */
  uint64_t *rng_state; /* two words, of the global generator: seeded per run */
  hlo_status *status;
  hlo_host *host;             /* for custom calls; NULL: built-in targets only */
  hlo_rendezvous *rendezvous; /* for instructions that meet other devices; NULL: there are none */
  int device;                 /* the number of the device that evaluates */
  hlo_work *work;             /* counts the work of loops and runs within this instruction; NULL: nobody counts */
  const int64_t *works;       /* of the module's computations; given where `work` is */
  int64_t *until_poll;        /* elements until a long instruction asks the host whether to go on; NULL: it never asks */
  struct hlo_applied **prepared; /* set by hlo_reference_evaluate, which releases the computations that the instruction prepared */
} hlo_evaluation;

enum { HLO_ELEMENTS_BETWEEN_POLLS = 1 << 12 };
/* Called for every so many elements of a long instruction: asks the host now and then. Fails with ABORTED. */
bool hlo_reference_poll(hlo_evaluation *evaluation);
static inline bool hlo_reference_tick(hlo_evaluation *evaluation, int64_t elements) {
  if (!evaluation->until_poll || (*evaluation->until_poll -= elements) > 0) return true;
  return hlo_reference_poll(evaluation);
}

/* Evaluates one instruction into `result`, which has the instruction's shape and its memory already
 * (nested tuples too). Operands may not alias the result. Not for ops whose reference column in the op table is
 * `machine`. Fails with OUT_OF_MEMORY for temporaries, never for bad values. */
bool hlo_reference_evaluate(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result);

/* Runs one instruction that needs other devices or the host. WAIT: it is to be run again when other devices have gone on. */
hlo_meeting hlo_reference_meet(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result);

/* An hlo_custom_call_check (devices/grid.h): the target is registered with the host, or built in and suits the shapes. */
bool hlo_reference_check_custom_call(hlo_host *host, const hlo_module *module, const hlo_computation *computation,
                                     const hlo_instruction *instruction, hlo_status *status);

/* A function of the op table's reference column. */
typedef bool hlo_reference_function(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result);
/* NULL for ops that meet or run computations. */
hlo_reference_function *hlo_reference_function_of(hlo_opcode opcode);

/* Sets the generator's state at the start of a run. */
void hlo_rng_seed(uint64_t state[2], uint64_t seed, int device);

/* Unary, binary and compare ops of one element. Integers come back wrapped to the type; floats are not rounded to it:
 * storing them does that. */
hlo_scalar hlo_reference_unary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar x);
hlo_scalar hlo_reference_binary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);
bool hlo_reference_compare_scalar(int direction, int comparison_type, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);

/* A computation that is applied to elements (of reduce, map, sort, ...): prepared once, applied many times. It may
 * itself call, loop, branch and apply computations; verification bounds the nesting. Values live in the evaluation's
 * scratch arena.
 *
 *   hlo_applied *add = hlo_applied_prepare(evaluation, computation);
 *   hlo_literal_set(hlo_applied_parameter(add, 0), 0, x);
 *   hlo_literal_set(hlo_applied_parameter(add, 1), 0, y);
 *   if (hlo_applied_run(add)) sum = hlo_literal_get(hlo_applied_result(add), 0); */
typedef struct hlo_applied hlo_applied;
hlo_applied *hlo_applied_prepare(hlo_evaluation *evaluation, const hlo_computation *computation);
hlo_literal *hlo_applied_parameter(hlo_applied *applied, int number);
bool hlo_applied_run(hlo_applied *applied);
/* Valid until the computation is applied again. */
const hlo_literal *hlo_applied_result(const hlo_applied *applied);

/* Returns whether an element-wise operation on complex numbers is one that every build has: other functions of them may have to be loaded first
 * (src/side). */
bool hlo_reference_has_complex(hlo_opcode opcode);

#endif
