/* HLO text: what is read is printed, read again, and printed the same; as a message and as StableHLO, it is read as well. */
#include "proto.h"
#include "stablehlo.h"
#include "text/hlo_text.h"

static char *print(const hlo_module *module, size_t *length) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  FUZZ_REQUIRE(hlo_ok(&status) && writer.text, "%s", status.message);
  char *text = malloc(writer.length + 1);
  memcpy(text, writer.text, writer.length + 1);
  *length = writer.length;
  hlo_writer_free(&writer);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse((const char *)data, size, &status);
  FUZZ_REQUIRE_RESULT(module, &status);
  if (!module) return 0;
  size_t length, again_length;
  char *text = print(module, &length);
  hlo_module *again = hlo_text_parse(text, length, &status);
  FUZZ_REQUIRE(again, "%s in\n%s", status.message, text);
  char *again_text = print(again, &again_length);
  FUZZ_REQUIRE(strcmp(text, again_text) == 0, "\n%s\nis printed again as\n%s", text, again_text);
  free(text);
  free(again_text);
  fuzz_proto(module);
  fuzz_raise(module);
  hlo_module_free(module);
  hlo_module_free(again);
  return 0;
}
