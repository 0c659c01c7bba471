/* Every allocation of a weight fails in turn: it is refused with OUT_OF_MEMORY, and nothing is left behind. */
#include "api/api.h"
#include "failing_memory.h"
#include "unit.h"

int main(void) {
  hlo_runtime *runtime = hlo_api_runtime_new();
  for (const char *const *text = (const char *const[]){"f32[20,30]{1,0}", "s4[4]{0:E(4)}", "f32[]", NULL}; *text; text++) {
    hlo_api_shape *shape = hlo_api_shape_parse(runtime, *text, strlen(*text), NULL, 0, 0);
    CHECK(shape, "%s", *text);
    int64_t live = memory.live;
    int failures = 0;
    for (hlo_weight *weight = NULL; !weight;) {
      memory.counts = true;
      memory.failed = false;
      memory.requests = 0;
      memory.fails = failures;
      weight = hlo_api_weight_new(runtime, shape);
      memory.counts = false;
      CHECK(memory.failed == !weight, "%s, request %d", *text, failures);
      CHECK(weight || runtime->status.code == HLO_OUT_OF_MEMORY, "%s, request %d: %s", *text, failures, runtime->status.message);
      CHECK(runtime->weights.weights == (weight != NULL), "%s, request %d", *text, failures);
      hlo_api_weight_free(weight);
      CHECK(memory.live == live, "%s, request %d: %lld blocks", *text, failures, (long long)(memory.live - live));
      failures++;
    }
    CHECK(failures > 3, "%s: %d requests failed", *text, failures - 1);
    hlo_api_shape_free(shape);
  }
  return unit_report();
}
