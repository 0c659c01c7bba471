/* Tests of HloModuleProto: XLA's own files are read, written and read again; broken ones are refused. */
#include <stdint.h>
#include <stdlib.h>

#include "proto/hlo_proto.h"
#include "proto/wire.h"
#include "text/hlo_text.h"
#include "unit.h"

static const char *const names[] = {"before_control_flow", "before_sorts", "before_element_types", "before_collectives", "before_scatters", "after_reductions", "snapshot"};
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

/* Returns the module's text without the parts that protocol buffers or HLO text do not keep. */
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
    uint8_t *bytes = read_file("tests/formats/proto", names[i], "pb", &length);
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
        /* Compares only what computes. */
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

/* The text and the file that XLA wrote for the same module must print alike. */
static void agrees_with_the_text(void) {
  const char *exact[] = {"before_control_flow", "before_sorts", "before_scatters"};
  for (int i = 0; i < 3; i++) {
    size_t length, text_length;
    hlo_status status = {0};
    uint8_t *bytes = read_file("tests/formats/proto", exact[i], "pb", &length), *text = read_file("tests/formats/text/jax", exact[i], "hlo", &text_length);
    hlo_module *a = bytes ? hlo_proto_read(bytes, length, &status) : NULL, *b = text ? hlo_text_parse((char *)text, text_length, &status) : NULL;
    CHECK(a && b, "%s: %s", exact[i], status.message);
    if (a && b) {
      char *x = text_of(a), *y = text_of(b), *from = strstr(x, "\n\n"), *other = strstr(y, "\n\n");
      CHECK(from && other && strcmp(from, other) == 0, "%s: the texts differ", exact[i]);
      hlo_module *again = hlo_text_parse(x, strlen(x), &status);
      CHECK(again != NULL, "%s: the text is not read: %s", exact[i], status.message);
      hlo_module_free(again);
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
  uint8_t *bytes = read_file("tests/formats/proto", "before_sorts", "pb", &length);
  CHECK(bytes != NULL, "before_sorts.pb is missing");
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

/* ---- Snapshots ---- */

/* Returns the messages behind the module: arguments, result, platform. */
static hlo_span after_module(const char *bytes, size_t length) {
  hlo_status status = {0};
  hlo_wire wire = hlo_wire_whole((const uint8_t *)bytes, length, &status);
  hlo_wire_field field;
  hlo_wire_next(&wire, &field);
  return (hlo_span){(const char *)wire.bytes, (size_t)(wire.end - wire.bytes)};
}

/* XLA's own literals, of every element type, must be written with the bytes that they were read from. */
static void snapshots(void) {
  size_t length;
  hlo_status status = {0};
  uint8_t *bytes = read_file("tests/formats/proto", "snapshot", "pb", &length);
  CHECK(bytes != NULL, "snapshot.pb is missing");
  if (!bytes) return;
  hlo_arena arena;
  hlo_snapshot snapshot;
  hlo_writer w;
  hlo_arena_init(&arena);
  hlo_writer_init(&w, &status);
  hlo_module *module = hlo_proto_read(bytes, length, &status);
  CHECK(module && hlo_proto_read_snapshot(bytes, length, &arena, &snapshot, &status), "%s", status.message);
  if (module && hlo_ok(&status)) {
    CHECK(snapshot.argument_count == hlo_module_entry(module)->parameter_count && snapshot.result, "%d arguments", snapshot.argument_count);
    for (int i = 0; i < snapshot.argument_count && i < hlo_module_entry(module)->parameter_count; i++) {
      const hlo_shape *shape = hlo_module_entry(module)->instructions[hlo_module_entry(module)->parameters[i]]->shape;
      CHECK(hlo_shape_equal(snapshot.arguments[i]->shape, shape), "argument %d is %s", i, HLO_SHAPE_TEXT(snapshot.arguments[i]->shape));
    }
    CHECK(hlo_literal_get(snapshot.arguments[2], 1).s == -2, "an s4 is %lld", (long long)hlo_literal_get(snapshot.arguments[2], 1).s);
    CHECK(hlo_proto_write_snapshot(&w, module, &snapshot, &status), "%s", status.message);
    hlo_span expected = after_module((char *)bytes, length), written = after_module(w.text, w.length);
    CHECK(written.length == expected.length && memcmp(written.text, expected.text, expected.length) == 0, "the values are written otherwise");
  }
  hlo_writer_free(&w);
  hlo_module_free(module);
  hlo_arena_free(&arena);
  free(bytes);
}

/* Refuses a result whose sizes the file cannot hold, and an element type that protocol buffers do not have. */
static void refuses_to_write(void) {
  static const struct { const char *type, *message; } cases[] = {
      {"f32[<=4]", "a snapshot has no place for the actual sizes of f32[<=4]"}, {"f6e2m3fn[2]", "have no element type f6e2m3fn"}};
  for (int i = 0; i < 2; i++) {
    hlo_status status = {0};
    hlo_arena arena;
    hlo_writer w;
    hlo_arena_init(&arena);
    hlo_writer_init(&w, &status);
    static const char text[] = "HloModule m\nENTRY e { ROOT r = f32[] constant(1) }";
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    hlo_snapshot snapshot = {0};
    snapshot.result = hlo_literal_make(&arena, hlo_shape_parse(&arena, cases[i].type, strlen(cases[i].type), &status), &status);
    CHECK(module && snapshot.result && !hlo_proto_write_snapshot(&w, module, &snapshot, &status) && unit_says(status.message, cases[i].message, NULL), "%s", status.message);
    hlo_writer_free(&w);
    hlo_module_free(module);
    hlo_arena_free(&arena);
  }
}

static uint32_t random_state = 12345;
static uint32_t next_random(void) { return random_state = random_state * 1664525u + 1013904223u; }

static void read_values(const uint8_t *bytes, size_t length) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_snapshot snapshot;
  hlo_arena_init(&arena);
  bool ok = hlo_proto_read_snapshot(bytes, length, &arena, &snapshot, &status);
  CHECK(ok == hlo_ok(&status), "values and a reason: %s", status.message);
  hlo_arena_free(&arena);
}

/* Text is escaped only in HLO text, between quotes. */
static void quoted_configs(void) {
  static const char text[] = "HloModule m\n\n"
      "ENTRY e {\n"
      "  t = token[] after-all()\n"
      "  p = f32[2]{0} custom-call(), custom_call_target=\"f\", backend_config=\"a \\\"b\\\" \\\\ \\n\"\n"
      "  q = f32[2]{0} custom-call(p), custom_call_target=\"f\", backend_config={\"a\":\"\\\"\"}\n"
      "  ROOT i = (f32[2], token[]) infeed(t), infeed_config=\"\\\"\"\n"
      "}\n";
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  CHECK(module != NULL, "%s", status.message);
  if (!module) return;
  char *written = text_of(module);
  CHECK(strstr(written, "backend_config=\"a \\\"b\\\" \\\\ \\n\"") != NULL, "%s", written);
  for (int turn = 0; turn < 2 && module; turn++) {
    hlo_writer w;
    hlo_writer_init(&w, &status);
    CHECK(hlo_proto_write(&w, module, &status), "%s", status.message);
    static const char config[] = "a \"b\" \\ \n";
    bool found = false;
    for (size_t at = 0; at + sizeof config <= w.length; at++) found |= memcmp(w.text + at, config, sizeof config - 1) == 0;
    CHECK(found, "turn %d: the bytes of a config are not what its text stands for", turn);
    hlo_module_free(module);
    module = hlo_proto_read((const uint8_t *)w.text, w.length, &status);
    CHECK(module != NULL, "turn %d: %s", turn, status.message);
    char *again = module ? text_of(module) : NULL;
    for (const char *part = "backend_config=\0infeed_config=\0"; *part && again; part += strlen(part) + 1)
      for (const char *a = written, *b = again; (a = strstr(a, part)); a++, b++) {
        b = strstr(b, part);
        size_t length = strcspn(a, "\n");
        CHECK(b && strncmp(a, b, length) == 0, "turn %d: %.*s became %.*s", turn, (int)length, a, b ? (int)strcspn(b, "\n") : 4, b ? b : "none");
        if (!b) break;
      }
    free(again);
    hlo_writer_free(&w);
  }
  hlo_module_free(module);
  free(written);
}

/* A file cut anywhere, or with bytes changed, gives an error that says where, or a module. */
static void broken_files(void) {
  int refused = 0;
  for (int i = 0; i < NAMES; i++) {
    size_t length;
    uint8_t *bytes = read_file("tests/formats/proto", names[i], "pb", &length);
    if (!bytes) continue;
    for (int round = 0; round < 400; round++) {
      uint8_t *copy = malloc(length);
      size_t cut = round % 2 ? length : next_random() % length;
      memcpy(copy, bytes, length);
      for (int k = 0; round % 2 && k < 1 + round % 5; k++) copy[next_random() % length] = (uint8_t)next_random();
      hlo_status status = {0};
      hlo_module *module = hlo_proto_read(copy, cut, &status);
      CHECK((module != NULL) == hlo_ok(&status) && (module || status.message[0]), "%s, round %d: %s", names[i], round, status.message);
      if (module) read_values(copy, cut);
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
    CHECK(unit_says(status.message, cases[i].message, NULL), "case %zu: %s", i, status.message);
  }
}

typedef enum place_of_cut { NOWHERE, INSTRUCTION, PROGRAM_SHAPE } place_of_cut;

/* Writes a module whose custom call has a backend_config, with a field in one of its messages that is longer than what is left, and reads it. */
static hlo_module *read_config(const char *config, place_of_cut cut, hlo_status *status) {
  hlo_writer instruction, shape, computation, module, program_shape;
  for (int i = 0; i < 5; i++) hlo_writer_init((hlo_writer *[]){&instruction, &shape, &computation, &module, &program_shape}[i], status);
  hlo_put_int(&shape, 2, 13); /* an empty tuple */
  hlo_put_bytes(&instruction, 1, "r", 1);
  hlo_put_bytes(&instruction, 2, "custom-call", 11);
  hlo_put_message(&instruction, 3, &shape);
  hlo_put_bytes(&instruction, 28, "f", 1);
  hlo_put_bytes(&instruction, 43, config, strlen(config));
  if (cut != NOWHERE) hlo_write_bytes(cut == INSTRUCTION ? &instruction : &program_shape, "\xb2\x04\x50", 3); /* field 70, of 80 bytes */
  hlo_put_bytes(&computation, 1, "e", 1);
  hlo_put_message(&computation, 2, &instruction);
  hlo_put_bytes(&module, 1, "m", 1);
  hlo_put_bytes(&module, 2, "e", 1);
  hlo_put_message(&module, 3, &computation); /* every id is 0, and left out */
  hlo_put_message(&module, 4, &program_shape);
  hlo_module *read = hlo_proto_read((const uint8_t *)module.text, module.length, status);
  hlo_writer_free(&module);
  return read;
}

/* Whatever text a config is, the module is printed as text that reads, and the bytes stay. */
static void odd_configs(void) {
  static const char *const configs[] = {"{\"a\":1}", "{", "{\"a", "{}}", "{} {}", "}", "{(}", "{\"a\\\"}"};
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    hlo_status status = {0};
    hlo_module *module = read_config(configs[i], NOWHERE, &status);
    CHECK(module != NULL, "%s: %s", configs[i], status.message);
    if (!module) continue;
    char *text = text_of(module);
    hlo_module *again = hlo_text_parse(text, strlen(text), &status);
    CHECK(again != NULL, "%s: %s in %s", configs[i], status.message, text);
    hlo_writer w;
    hlo_writer_init(&w, &status);
    CHECK(again && hlo_proto_write(&w, again, &status), "%s: %s", configs[i], status.message);
    bool found = false;
    for (size_t at = 0; at + strlen(configs[i]) <= w.length; at++) found |= memcmp(w.text + at, configs[i], strlen(configs[i])) == 0;
    CHECK(found, "%s is written otherwise", configs[i]);
    hlo_writer_free(&w);
    hlo_module_free(again);
    hlo_module_free(module);
    free(text);
  }
}

static void cut_messages(void) {
  for (place_of_cut cut = INSTRUCTION; cut <= PROGRAM_SHAPE; cut++) {
    hlo_status status = {0};
    hlo_module *module = read_config("{}", cut, &status);
    CHECK(!module && unit_says(status.message, "field 70 says that it has 80 bytes, but 0 are left", NULL), "%d: %s", (int)cut, status.message);
    hlo_module_free(module);
  }
}

/* Protocol buffers have no quantization: what cannot be read again is not written. */
static void refuses_quantization(void) {
  static const char text[] = "HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT r = s8[2] uniform-quantize(x), quantization={s8:f32, 0.5:1} }";
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  CHECK(module && !hlo_proto_write(&w, module, &status) && unit_says(status.message, "no field for the quantization of uniform-quantize", NULL), "%s", status.message);
  hlo_writer_free(&w);
  hlo_module_free(module);
}

/* XLA has written groups of devices in four forms, in fields of their own. */
static void groups_of_devices(void) {
  static const char *const written[] = {"{{0,2,4,6},{1,3,5,7}}", "[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)", "mesh['a'=2,'b'=4] {'b'}",
                                        "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a','b':(1)2}", "mesh['a'=2,'b'=4], device_ids=(0,2,4,6,1,3,5,7) {'a'}"};
  static const char listed[] = "{{0,4},{1,5},{2,6},{3,7}}"; /* of a mesh, by the third form: pairs that are four apart */
  size_t length;
  uint8_t *bytes = read_file("tests/formats/proto", "device_groups", "pb", &length);
  hlo_status status = {0};
  hlo_module *module = bytes ? hlo_proto_read(bytes, length, &status) : NULL;
  CHECK(module != NULL, "%s", status.message);
  char *text = module ? text_of(module) : NULL;
  for (size_t n = 0; text && n < sizeof written / sizeof *written; n++) CHECK(strstr(text, written[n]) != NULL, "%s is not in %s", written[n], text);
  const hlo_attribute *third = module ? hlo_instruction_attribute(hlo_instruction_at(hlo_module_entry(module), 3), HLO_ATTR_replica_groups) : NULL;
  CHECK(third && third->groups->count == 4 && third->groups->groups[1].data[0] == 1 && third->groups->groups[1].data[1] == 5, "not %s", listed);
  for (size_t n = 0; bytes && n < 4000; n++) { /* whatever a byte becomes, it is read or refused */
    size_t at = next_random() % length;
    uint8_t before = bytes[at];
    hlo_status broken = {0};
    bytes[at] = (uint8_t)next_random();
    hlo_module *read = hlo_proto_read(bytes, length, &broken);
    CHECK((read != NULL) == hlo_ok(&broken), "byte %zu", at);
    hlo_module_free(read);
    bytes[at] = before;
  }
  free(text);
  hlo_module_free(module);
  free(bytes);
}

int main(void) {
  reads_what_xla_wrote();
  groups_of_devices();
  agrees_with_the_text();
  wrapped_messages();
  snapshots();
  refuses_to_write();
  quoted_configs();
  broken_files();
  no_module();
  odd_configs();
  cut_messages();
  refuses_quantization();
  return unit_report();
}
