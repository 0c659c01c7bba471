/* A computation of scalars (a reducer, a comparator) as a list of element-wise kernels, applied to many elements at once. */
#ifndef HLO_PLAN_APPLIED_PROGRAM_H
#define HLO_PLAN_APPLIED_PROGRAM_H

#include "plan/kernel_table.h"

enum { HLO_APPLIED_MOST_VALUES = 40, HLO_APPLIED_MOST_RESULTS = 8, HLO_APPLIED_BLOCK = 256 };

typedef struct hlo_applied_value {
  int bytes;                      /* of an element */
  int parameter;                  /* number, or -1 */
  const void *constant;           /* one element, or NULL */
  hlo_elementwise_kernel *kernel; /* of neither */
  int arity, from[HLO_ELEMENTWISE_MAX_OPERANDS];
} hlo_applied_value;

typedef struct hlo_applied_program {
  int value_count, result_count;
  hlo_applied_value values[HLO_APPLIED_MOST_VALUES];
  int results[HLO_APPLIED_MOST_RESULTS]; /* values */
  bool chooses; /* results are always some of the parameters' elements, and compared ones at that: order is all the same */
} hlo_applied_program;

/* False: an instruction has no kernel, or there are too many. Parameters and results are scalars. */
bool hlo_applied_program_make(const hlo_kernel_question *question, const hlo_computation *computation, hlo_applied_program *program);

/* results[i] of `count` elements, at most HLO_APPLIED_BLOCK. Parameter n is an array of as many, or one element where bit n of `scalars`
 * is set. A result may lie where a parameter does. */
void hlo_applied_program_run(const hlo_applied_program *program, const void *const *parameters, unsigned scalars, void *const *results,
                             int64_t count, void *scratch);
size_t hlo_applied_program_scratch_bytes(const hlo_applied_program *program); /* 64-byte aligned */

#endif
