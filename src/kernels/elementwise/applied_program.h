/* A computation of scalars (a reducer, a comparator) as a list of scalar operations, applied to many elements at once.
 *
 *   (a, b) -> select(compare(a, b), a, b)     values 0, 1: the parameters; 2: f32_compare_gt 0 1; 3: select 2 0 1; result 3
 *
 * src/loops/applied_program_make.h makes the list from a computation. */
#ifndef HLO_KERNELS_ELEMENTWISE_APPLIED_PROGRAM_H
#define HLO_KERNELS_ELEMENTWISE_APPLIED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/elementwise/elementwise.h"

enum {
  HLO_APPLIED_MOST_VALUES = 40,
  HLO_APPLIED_MOST_RESULTS = 16,
  HLO_APPLIED_MOST_BYTES = 16, /* of an element */
  HLO_APPLIED_BLOCK = 256     /* elements of a run, at most */
};

/* A value is a parameter, a constant, or what an operation makes of values before it. */
typedef struct hlo_applied_value {
  int bytes;                      /* of an element, at most HLO_APPLIED_MOST_BYTES */
  int parameter;                  /* its number; -1: the value is no parameter */
  const void *constant;           /* one element; NULL: the value is no constant */
  hlo_scalar_op op;               /* HLO_SCALAR_NONE: the value is a parameter or a constant */
  int arity, from[HLO_ELEMENTWISE_MAX_OPERANDS]; /* the operands, by the numbers of their values */
} hlo_applied_value;

typedef struct hlo_applied_program {
  int value_count, result_count;
  hlo_applied_value values[HLO_APPLIED_MOST_VALUES];
  int results[HLO_APPLIED_MOST_RESULTS]; /* numbers of values */
  bool chooses; /* made of comparisons, choices and bitwise logic alone, so that trying it on a few values tells what it is */
} hlo_applied_program;

/* Computes results[i], `count` elements each, at most HLO_APPLIED_BLOCK. Parameter n is an array of as many elements, or one element
 * where bit n of `scalars` is set. A result may be the very array of a parameter whose elements are as large, and overlaps nothing else.
 * scratch: hlo_applied_program_scratch_bytes, 64-byte aligned. Never fails, never allocates. */
void hlo_applied_program_run(const hlo_applied_program *program, const void *const *parameters, unsigned scalars, void *const *results,
                             int64_t count, void *scratch);
size_t hlo_applied_program_scratch_bytes(const hlo_applied_program *program);

#endif
