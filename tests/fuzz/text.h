/* The HLO text of a module, however it was read. */
#ifndef HLO_TESTS_FUZZ_TEXT_H
#define HLO_TESTS_FUZZ_TEXT_H

#include "fuzz.h"
#include "text/hlo_text.h"

/* Printed, a module reads. */
static inline void fuzz_text(const hlo_module *module) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  FUZZ_REQUIRE(hlo_ok(&status) && writer.text, "%s", status.message);
  hlo_module *again = hlo_text_parse(writer.text, writer.length, &status);
  FUZZ_REQUIRE(again, "%s in\n%s", status.message, writer.text);
  hlo_module_free(again);
  hlo_writer_free(&writer);
}

#endif
