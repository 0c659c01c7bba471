/* Arrays of words put side by side, element by element, as jnp.stack(arrays, axis=-1) puts them: out[i * count + n] = in[n][i].
 *
 * Nothing need be aligned; the result overlaps no array. Never fails, never allocates. */
#ifndef HLO_KERNELS_MOVE_INTERLEAVE_H
#define HLO_KERNELS_MOVE_INTERLEAVE_H

#include <stdint.h>

#include "base/team.h"

enum { HLO_INTERLEAVE_MOST = 4 };

/* in: `count` arrays, 2 to HLO_INTERLEAVE_MOST, of `length` words. */
void hlo_interleave_simd128(const void *const *in, int count, int64_t length, void *out, hlo_team *team);

#endif
