/* The alignment of arrays: the planner gives each value, and each kernel its scratch, at a multiple of HLO_ALIGNMENT bytes, a cache line. */
#ifndef HLO_BASE_ALIGNMENT_H
#define HLO_BASE_ALIGNMENT_H

#include <stdint.h>

enum { HLO_ALIGNMENT = 64 };

/* Rounds a number of bytes up to a multiple of HLO_ALIGNMENT. */
static inline int64_t hlo_aligned(int64_t bytes) { return (bytes + HLO_ALIGNMENT - 1) & -(int64_t)HLO_ALIGNMENT; }

#endif
