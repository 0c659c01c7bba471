#include "base/meter.h"

bool hlo_meter_take(hlo_meter *meter, int64_t units, hlo_status *status) {
  if (!meter) return true;
  if (__builtin_add_overflow(meter->taken, units, &meter->taken)) meter->taken = INT64_MAX;
  if (meter->limit > 0 && meter->taken > meter->limit)
    return hlo_fail(status, HLO_LIMIT, "compiling the program takes more than its workLimit of %lld units of work: it was spent in %s",
                    (long long)meter->limit, meter->stage);
  if (!meter->aborted || (meter->until_question -= units < HLO_METER_QUESTIONS ? units : HLO_METER_QUESTIONS) > 0) return true;
  meter->until_question = HLO_METER_QUESTIONS;
  return !meter->aborted(meter->context) || hlo_fail(status, HLO_ABORTED, "the compilation was aborted in %s", meter->stage);
}
