/* HloModuleProto, HloProto and HloSnapshot: what is read is written, as a message and as text, and what was written is read. */
#include "fuzz.h"
#include "proto.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_snapshot snapshot = {0};
  (void)hlo_proto_wrappers(data, size);
  hlo_proto_read_snapshot(data, size, &arena, &snapshot, &status);
  hlo_arena_free(&arena);
  status = (hlo_status){0};
  hlo_module *module = hlo_proto_read(data, size, &status);
  FUZZ_REQUIRE_RESULT(module, &status);
  if (!module) return 0;
  fuzz_text(module);
  fuzz_proto(module);
  hlo_module_free(module);
  return 0;
}
