/* The decision whether a team shares some work, and in how many units. */
#include "base/team.h"

#include "base/checked.h"

void hlo_team_run(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context) {
  bool is_large = units > 1 && hlo_team_threads(team) > 1 && nanoseconds >= team->least_nanoseconds;
  if (is_large && team->run(team, units, nanoseconds, work, context)) return;
  for (int64_t unit = 0; unit < units; unit++) work(context, unit, 0);
}

int64_t hlo_team_units(const hlo_team *team, double nanoseconds) {
  int most = hlo_team_threads(team) * HLO_TEAM_UNITS_A_THREAD;
  if (hlo_team_threads(team) == 1 || nanoseconds < team->least_nanoseconds) return 1;
  return nanoseconds < most * team->least_nanoseconds / 2 ? (int64_t)(2 * nanoseconds / team->least_nanoseconds) : most;
}

int64_t hlo_team_share(const hlo_team *team, int64_t count, int64_t step, double nanoseconds) {
  int64_t units = hlo_team_units(team, nanoseconds);
  int64_t share = units == 1 ? count : hlo_ceil_div(hlo_ceil_div(count, units), step) * step;
  return share > 0 ? share : 1;
}
