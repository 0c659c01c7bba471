/* The decision whether a team shares some work, and in how many units. */
#include "base/team.h"

#include "base/checked.h"

enum { BETWEEN_QUESTIONS = 1000000 }; /* nanoseconds of work */

bool hlo_team_stops(hlo_team *team, double nanoseconds) {
  team->unasked += nanoseconds;
  if (!team->stopped && team->unasked >= BETWEEN_QUESTIONS) {
    team->unasked = 0;
    if (team->is_stopped(team->context)) __atomic_store_n(&team->stopped, 1, __ATOMIC_SEQ_CST);
  }
  return team->stopped;
}

void hlo_team_run(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context) {
  bool is_large = units > 1 && hlo_team_threads(team) > 1 && nanoseconds >= team->least_nanoseconds;
  if (is_large && team->run(team, units, nanoseconds, work, context)) return;
  double each = nanoseconds / (double)(units > 0 ? units : 1);
  for (int64_t unit = 0; unit < units; unit++) {
    if (team && team->is_stopped) {
      if (team->passed < team->done) {
        team->passed++;
        continue;
      }
      if (hlo_team_stops(team, each)) return;
      team->passed = ++team->done;
    }
    work(context, unit, 0);
  }
}

int64_t hlo_team_units(const hlo_team *team, double nanoseconds) {
  int most = hlo_team_threads(team) * HLO_TEAM_UNITS_A_THREAD;
  if (team && team->is_stopped && nanoseconds >= 2 * most * team->longest_unit)
    return nanoseconds < 1e15 ? (int64_t)(nanoseconds / team->longest_unit) : 1 << 20;
  if (hlo_team_threads(team) == 1 || nanoseconds < team->least_nanoseconds) return 1;
  return nanoseconds < most * team->least_nanoseconds / 2 ? (int64_t)(2 * nanoseconds / team->least_nanoseconds) : most;
}

int64_t hlo_team_share(const hlo_team *team, int64_t count, int64_t step, double nanoseconds) {
  int64_t units = hlo_team_units(team, nanoseconds);
  int64_t share = units == 1 ? count : hlo_ceil_div(hlo_ceil_div(count, units), step) * step;
  return share > 0 ? share : 1;
}
