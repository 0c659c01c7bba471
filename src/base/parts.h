/* Things in a row, taken by a team in parts. */
#ifndef HLO_BASE_PARTS_H
#define HLO_BASE_PARTS_H

#include "base/team.h"

/* Things `first` to first + count - 1, of which there is at least one. */
typedef void hlo_parts_work(const void *context, int64_t first, int64_t count, int thread);

/* Calls work for parts of 0 to count - 1 that begin at multiples of `step`. nanoseconds: as hlo_team_run has them. */
void hlo_parts_run(hlo_team *team, int64_t count, int64_t step, double nanoseconds, hlo_parts_work *work, const void *context);

#endif
