/* Between which numbers the integers of a value lie, as far as the instructions that it is made of say.
 *
 *   remainder(convert(u8 x), 10) of s32: 0 to 9 */
#ifndef HLO_PASSES_INTEGER_RANGE_H
#define HLO_PASSES_INTEGER_RANGE_H

#include <stdbool.h>

#include "rewrite/rewriter.h"

typedef struct hlo_integer_range {
  double least, most;
} hlo_integer_range;

/* Returns the range of a value of integers, at worst that of its type. */
hlo_integer_range hlo_integer_range_of(const hlo_rewriter *r, int value);

#endif
