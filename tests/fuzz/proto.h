/* A module that can be written as a protocol buffer can be read from it. */
#ifndef HLO_TESTS_FUZZ_PROTO_H
#define HLO_TESTS_FUZZ_PROTO_H

#include "fuzz.h"
#include "proto/hlo_proto.h"

static inline void fuzz_proto(const hlo_module *module) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  if (hlo_proto_write(&writer, module, &status)) {
    hlo_module *again = hlo_proto_read((const uint8_t *)writer.text, writer.length, &status);
    FUZZ_REQUIRE(again, "%s", status.message);
    hlo_module_free(again);
  }
  hlo_writer_free(&writer);
}

#endif
