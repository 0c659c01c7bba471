/* The work of a run: a measure that is known from shapes before a step runs, so that a step that does not fit a budget is never begun.
 *
 * One unit is one element read or written by an operation, or one multiplication-and-addition of a dot or convolution. Computations applied to
 * elements count for each element, window cell or comparison that they may be applied to. It is a bound and no measurement: no unit takes
 * more than some microseconds, and most take far less. Numbers saturate at INT64_MAX. */
#ifndef HLO_REFERENCE_WORK_H
#define HLO_REFERENCE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "shape/shape.h"

/* Counts the work of a run, over all its devices and the runs within it. */
typedef struct hlo_work {
  int64_t budget, taken; /* budget 0: no limit */
} hlo_work;

static inline int64_t hlo_work_add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}
static inline int64_t hlo_work_multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Returns whether the budget holds so many units more. */
static inline bool hlo_work_fits(const hlo_work *work, int64_t units) {
  return work->budget == 0 || units <= work->budget - work->taken;
}
/* Fails with LIMIT. */
bool hlo_work_refuse(const hlo_work *work, int64_t units, const hlo_computation *computation, const hlo_instruction *instruction,
                     hlo_status *status);
/* Takes units for an instruction that is about to run; fails with LIMIT, taking none, where they do not fit. */
static inline bool hlo_work_take(hlo_work *work, int64_t units, const hlo_computation *computation, const hlo_instruction *instruction,
                                 hlo_status *status) {
  if (!hlo_work_fits(work, units)) return hlo_work_refuse(work, units, computation, instruction, status);
  work->taken = hlo_work_add(work->taken, units);
  return true;
}

/* Returns the work of one execution of each computation of a verified module, by number, every loop in it running once; NULL on failure. */
const int64_t *hlo_computation_works(const hlo_module *module, hlo_arena *arena, hlo_status *status);
/* Returns the work of an instruction, at least 1. Of one that enters computations (call, while, ...) it is that of all these computations, loops
 * running once. `works`: of the module's computations. */
int64_t hlo_instruction_work(const hlo_module *module, const int64_t *works, const hlo_computation *computation, const hlo_instruction *instruction);
/* The elements of all arrays of a value. */
int64_t hlo_shape_work(const hlo_shape *shape);

#endif
