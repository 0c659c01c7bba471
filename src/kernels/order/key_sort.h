/* sort as a step, by comparators that are orders of keys: ascending or descending elements of one operand, or of several, each of which
 * breaks the ties of the one before it. Stable.
 *
 * operands  arrays of outer * length * inner elements, all of which are put in the order of the lines of the key operands; then, to be
 *           written, the results after the first
 * results   as many arrays; they overlap no operand
 *
 * A comparator may treat NaN as equal to everything (is_partial): then the result depends on the algorithm, and lines that hold a NaN are
 * merged as hlo_merge_sort does. Never fails, never allocates. */
#ifndef HLO_KERNELS_ORDER_KEY_SORT_H
#define HLO_KERNELS_ORDER_KEY_SORT_H

#include "kernels/order/radix_sort.h"
#include "kernels/step_function.h"
#include "shape/element_type.h"

enum { HLO_KEY_SORT_MOST_KEYS = 8, HLO_KEY_SORT_MOST_OPERANDS = 16 };

typedef struct hlo_key_sort_parameters {
  int operand_count, key_count;
  int key_operand[HLO_KEY_SORT_MOST_KEYS]; /* by key: the operand whose elements it is made of */
  hlo_sort_key keys[HLO_KEY_SORT_MOST_KEYS];
  bool is_partial[HLO_KEY_SORT_MOST_KEYS]; /* neither of two elements comes first if one is NaN; then there is one key */
  hlo_type key_type; /* of a key that is_partial */
  int element_bytes[HLO_KEY_SORT_MOST_OPERANDS];
  int64_t outer, length, inner;
  bool shares_lines;     /* a thread sorts a line; else all threads sort each line together */
  int64_t scratch_bytes; /* of a line: hlo_radix_sort_scratch, in bytes; where shares_lines, each thread has as many */
} hlo_key_sort_parameters;

hlo_shared_step_function hlo_key_sort_run;

#endif
