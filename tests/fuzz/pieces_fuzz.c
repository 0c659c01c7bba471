/* Shapes, literals and attributes alone: the first byte says which. Each prints as what reads as itself. */
#include "fuzz.h"
#include "text/hlo_text.h"

static void print_shape(const hlo_shape *shape, hlo_arena *arena) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_shape_write(&writer, shape, true);
  const hlo_shape *again = hlo_shape_parse(arena, writer.text, writer.length, &status);
  FUZZ_REQUIRE(again && hlo_shape_equal(shape, again), "%s of %s", status.message, writer.text);
  hlo_writer_free(&writer);
}

static void read_shape(hlo_arena *arena, const char *text, size_t length) {
  hlo_status status = {0};
  int64_t bytes;
  const hlo_shape *shape = hlo_shape_parse(arena, text, length, &status);
  FUZZ_REQUIRE_RESULT(shape, &status);
  if (!shape) return;
  print_shape(shape, arena);
  if (hlo_shape_is_array(shape) && hlo_shape_array_size(shape, &bytes, &status)) FUZZ_REQUIRE(bytes >= 0, "%lld bytes", (long long)bytes);
}

static void read_literal(hlo_arena *arena, const char *text, size_t length) {
  hlo_status status = {0};
  hlo_literal *literal = hlo_literal_parse(arena, text, length, &status);
  FUZZ_REQUIRE_RESULT(literal, &status);
  if (!literal) return;
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_literal_write_with_shape(&writer, literal);
  hlo_literal *again = hlo_literal_parse(arena, writer.text, writer.length, &status);
  FUZZ_REQUIRE(again, "%s of %s", status.message, writer.text);
  hlo_writer_free(&writer);
}

static void read_attributes(const char *text, size_t length) {
  hlo_status status = {0};
  static const char program[] = "HloModule m\nENTRY e { ROOT p = f32[2] parameter(0) }\n";
  hlo_module *module = hlo_text_parse(program, sizeof program - 1, &status);
  hlo_reader reader;
  hlo_attribute *attributes;
  int count;
  hlo_reader_init(&reader, text, length, &status);
  bool ok = hlo_text_parse_attributes(&reader, module, module->computations[0], HLO_OP_CUSTOM_CALL, &attributes, &count);
  FUZZ_REQUIRE(ok == hlo_ok(&status), "code %d", (int)status.code);
  hlo_module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  hlo_arena arena;
  hlo_arena_init(&arena);
  const char *text = (const char *)data + 1;
  switch (data[0] % 3) {
  case 0: read_shape(&arena, text, size - 1); break;
  case 1: read_literal(&arena, text, size - 1); break;
  default: read_attributes(text, size - 1);
  }
  hlo_arena_free(&arena);
  return 0;
}
