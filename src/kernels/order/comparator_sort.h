/* sort as a step, by any comparator that is an applied program: the merges of one width are done side by side, so that the comparator runs
 * on many pairs at once. They decide as hlo_merge_sort does, whatever the comparator says.
 *
 * operands  arrays of outer * length * inner elements; then, to be written, the results after the first
 * results   as many arrays; they overlap no operand
 *
 * Things of the range are lines: outer * inner of them. Never fails, never allocates. */
#ifndef HLO_KERNELS_ORDER_COMPARATOR_SORT_H
#define HLO_KERNELS_ORDER_COMPARATOR_SORT_H

#include "kernels/elementwise/applied_program.h"
#include "kernels/step_function.h"

enum { HLO_COMPARATOR_SORT_MOST_OPERANDS = 8 };

typedef struct hlo_comparator_sort_parameters {
  hlo_applied_program program; /* the comparator: parameters 2n and 2n + 1 are elements of operand n; it has one result, a pred */
  bool is_read[2 * HLO_COMPARATOR_SORT_MOST_OPERANDS]; /* by parameter of the comparator */
  int operand_count, element_bytes[HLO_COMPARATOR_SORT_MOST_OPERANDS]; /* at most HLO_APPLIED_MOST_BYTES */
  int64_t length, inner; /* length < 2^31 */
  int64_t orders;   /* in the scratch, behind that of the program: two orders of a line */
  int64_t compared; /* and behind them, 64-byte aligned: the comparator's results, and its parameters */
} hlo_comparator_sort_parameters;

hlo_range_function hlo_comparator_sort_run;

/* Sets orders and compared; returns how many bytes of scratch a thread needs. */
int64_t hlo_comparator_sort_scratch(hlo_comparator_sort_parameters *parameters);

#endif
