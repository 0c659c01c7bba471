/* HloModuleProto: XLA's own files are read, written and read again; broken ones are refused. */
#include <stdint.h>
#include <stdlib.h>

#include "proto/hlo_proto.h"
#include "proto/wire.h"
#include "text/hlo_text.h"
#include "unit.h"

static const char *const names[] = {"before_control_flow", "before_sorts", "before_element_types", "before_collectives", "before_scatters", "after_reductions"};
enum { NAMES = sizeof names / sizeof *names };

static uint8_t *read_file(const char *folder, const char *name, const char *ending, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s/%s.%s", WEBHLO_ROOT, folder, name, ending);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*length + 1);
  if (fread(bytes, 1, *length, file) != *length) *length = 0;
  fclose(file);
  return bytes;
}

/* The module's text without what neither form keeps in full. */
static char *text_of(const hlo_module *module) {
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_text_write(&w, module);
  return w.text;
}

static void reads_what_xla_wrote(void) {
  for (int i = 0; i < NAMES; i++) {
    size_t length;
    uint8_t *bytes = read_file("tests/artifacts/proto", names[i], "pb", &length);
    CHECK(bytes != NULL, "%s is missing", names[i]);
    if (!bytes) continue;
    hlo_status status = {0};
    CHECK(hlo_proto_recognise(bytes, length), "%s", names[i]);
    hlo_module *module = hlo_proto_read(bytes, length, &status);
    CHECK(module != NULL, "%s: %s", names[i], status.message);
    if (module) {
      hlo_writer w;
      hlo_writer_init(&w, &status);
      CHECK(hlo_proto_write(&w, module, &status), "%s: %s", names[i], status.message);
      hlo_module *again = hlo_proto_read((const uint8_t *)w.text, w.length, &status);
      CHECK(again != NULL, "%s, written and read: %s", names[i], status.message);
      if (again) {
        /* Metadata and the like are not written; what computes is. */
        CHECK(again->computation_count == module->computation_count, "%s", names[i]);
        for (int c = 0; c < again->computation_count; c++) {
          int other = hlo_module_find_computation(module, (hlo_span){again->computations[c]->name, strlen(again->computations[c]->name)});
          CHECK(other >= 0, "%s: computation %s", names[i], again->computations[c]->name);
          if (other < 0) continue;
          const hlo_computation *x = again->computations[c], *y = module->computations[other];
          CHECK(x->instruction_count == y->instruction_count && x->root == y->root, "%s: %s", names[i], x->name);
          for (int k = 0; k < x->instruction_count && k < y->instruction_count; k++)
            CHECK(x->instructions[k]->opcode == y->instructions[k]->opcode && hlo_shape_equal(x->instructions[k]->shape, y->instructions[k]->shape),
                  "%s: %s", names[i], x->instructions[k]->name);
        }
      }
      hlo_module_free(again);
      hlo_writer_free(&w);
    }
    hlo_module_free(module);
    free(bytes);
  }
}

/* The text that XLA wrote, and the file that XLA wrote of the same module, print alike. */
static void agrees_with_the_text(void) {
  const char *exact[] = {"before_control_flow", "before_sorts", "before_scatters"};
  for (int i = 0; i < 3; i++) {
    size_t length, text_length;
    hlo_status status = {0};
    uint8_t *bytes = read_file("tests/artifacts/proto", exact[i], "pb", &length), *text = read_file("tests/text/jax", exact[i], "hlo", &text_length);
    hlo_module *a = bytes ? hlo_proto_read(bytes, length, &status) : NULL, *b = text ? hlo_text_parse((char *)text, text_length, &status) : NULL;
    CHECK(a && b, "%s: %s", exact[i], status.message);
    if (a && b) {
      char *x = text_of(a), *y = text_of(b), *from = strstr(x, "\n\n"), *other = strstr(y, "\n\n");
      CHECK(from && other && strcmp(from, other) == 0, "%s: the texts differ", exact[i]);
      free(x);
      free(y);
    }
    hlo_module_free(a);
    hlo_module_free(b);
    free(bytes);
    free(text);
  }
}

static void wrapped_messages(void) {
  size_t length;
  hlo_status status = {0};
  uint8_t *bytes = read_file("tests/artifacts/proto", "before_sorts", "pb", &length);
  if (!bytes) return;
  hlo_writer proto, snapshot;
  hlo_writer_init(&proto, &status);
  hlo_writer_init(&snapshot, &status);
  hlo_put_bytes(&proto, 1, bytes, length); /* HloProto.hlo_module */
  hlo_put_bytes(&snapshot, 1, proto.text, proto.length); /* HloSnapshot.hlo */
  hlo_put_text(&snapshot, 4, (hlo_span){"cpu", 3});
  hlo_module *a = hlo_proto_read((uint8_t *)proto.text, proto.length, &status), *b = hlo_proto_read((uint8_t *)snapshot.text, snapshot.length, &status);
  CHECK(a && b, "%s", status.message);
  CHECK(a && strcmp(a->name, "jit_sorts") == 0, "the name is %s", a ? a->name : "");
  hlo_module_free(a);
  hlo_module_free(b);
  hlo_writer_free(&proto);
  hlo_writer_free(&snapshot);
  free(bytes);
}

static uint32_t random_state = 12345;
static uint32_t next_random(void) { return random_state = random_state * 1664525u + 1013904223u; }

/* Cut anywhere, or with bytes changed: an error that says where, or a module; never more. */
static void broken_files(void) {
  int refused = 0;
  for (int i = 0; i < NAMES; i++) {
    size_t length;
    uint8_t *bytes = read_file("tests/artifacts/proto", names[i], "pb", &length);
    if (!bytes) continue;
    for (int round = 0; round < 400; round++) {
      uint8_t *copy = malloc(length);
      size_t cut = round % 2 ? length : next_random() % length;
      memcpy(copy, bytes, length);
      for (int k = 0; round % 2 && k < 1 + round % 5; k++) copy[next_random() % length] = (uint8_t)next_random();
      hlo_status status = {0};
      hlo_module *module = hlo_proto_read(copy, cut, &status);
      CHECK(module || (!hlo_ok(&status) && status.message[0]), "%s, round %d: no module and no reason", names[i], round);
      refused += !module;
      hlo_module_free(module);
      free(copy);
    }
    free(bytes);
  }
  CHECK(refused > 1000, "only %d of the broken files were refused", refused);
}

static void no_module(void) {
  static const struct { const char *bytes; size_t length; const char *message; } cases[] = {
      {"", 0, "no HloModuleProto"},
      {"\x0a\xff\xff\xff\xff\x0f", 6, "says that it has"},
      {"\x0a\x80", 2, "ends within a number"},
      {"\x0f\x01", 2, "wire type 7"},
      {"HloModule m", 11, "of the protocol buffer"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status = {0};
    CHECK(hlo_proto_read((const uint8_t *)cases[i].bytes, cases[i].length, &status) == NULL, "case %zu", i);
    CHECK(strstr(status.message, cases[i].message) != NULL, "case %zu: %s", i, status.message);
  }
}

int main(void) {
  reads_what_xla_wrote();
  agrees_with_the_text();
  wrapped_messages();
  broken_files();
  no_module();
  return unit_report();
}
