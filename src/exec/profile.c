#include "exec/profile.h"

#include <stdlib.h>

double hlo_profile_now(hlo_host *host) { return host->now ? host->now(host) : 0; }

void hlo_profile_add(hlo_profile *profile, hlo_profile_record record) {
  if (profile->count == profile->capacity && profile->capacity < HLO_PROFILE_MOST_RECORDS) {
    int64_t capacity = profile->capacity ? 2 * profile->capacity : 256;
    if (capacity > HLO_PROFILE_MOST_RECORDS) capacity = HLO_PROFILE_MOST_RECORDS;
    hlo_profile_record *grown = realloc(profile->records, (size_t)capacity * sizeof *grown);
    if (grown) {
      profile->records = grown;
      profile->capacity = capacity;
    }
  }
  if (profile->count < profile->capacity) profile->records[profile->count++] = record;
  else profile->dropped++;
}

void hlo_profile_free(hlo_profile *profile) {
  free(profile->records);
  *profile = (hlo_profile){0};
}
