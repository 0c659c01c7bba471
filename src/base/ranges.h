/* Work on numbered things that a team takes in ranges. */
#ifndef HLO_BASE_RANGES_H
#define HLO_BASE_RANGES_H

#include <stdint.h>

#include "base/team.h"

/* Does the work on things `first` to first + count - 1, of which there is at least one. */
typedef void hlo_range_work(const void *context, int64_t first, int64_t count, int thread);

/* Calls `work` for ranges that cover things 0 to count - 1 and begin at multiples of `step`. nanoseconds: about what all of them take one
 * thread. `team` may be NULL. */
void hlo_ranges_run(hlo_team *team, int64_t count, int64_t step, double nanoseconds, hlo_range_work *work, const void *context);

#endif
