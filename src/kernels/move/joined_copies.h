/* concatenate and pad as steps: results that are put together from strided copies of the operands.
 *
 * concatenate  operands: as many arrays as there are parts
 * pad          operands: the array, and the element that surrounds it
 *
 * The result overlaps no operand. Never fail, never allocate. */
#ifndef HLO_KERNELS_MOVE_JOINED_COPIES_H
#define HLO_KERNELS_MOVE_JOINED_COPIES_H

#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"

/* The part of a result that comes from one operand. */
typedef struct hlo_joined_part {
  int64_t in_offset, out_offset; /* bytes: where index 0 of the map lies */
  hlo_strided_map map;           /* simplified */
} hlo_joined_part;

typedef struct hlo_concatenate_parameters {
  int count;
  hlo_joined_part *parts; /* by operand */
} hlo_concatenate_parameters;

typedef struct hlo_pad_parameters {
  bool covers;          /* the part writes the whole result: nothing is left for the padding element */
  int64_t count;        /* elements of the result */
  hlo_joined_part part; /* of the array */
} hlo_pad_parameters;

hlo_shared_step_function hlo_concatenate_run, hlo_pad_run;
/* The same as hlo_concatenate_run of 2 to HLO_INTERLEAVE_MOST arrays, whose words stand in turn in the result. */
hlo_shared_step_function hlo_interleave_run;

#endif
