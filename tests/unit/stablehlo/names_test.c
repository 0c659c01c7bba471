/* Tests of arguments' names: JAX's key paths as paths, locations in text and bytecode, metadata; and of jax.export's trees. */
#include <stdlib.h>

#include "graph/parameter_path.h"
#include "proto/hlo_proto.h"
#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir_write.h"
#include "stablehlo/raise/raise.h"
#include "text/hlo_text.h"
#include "files.h"

static const char folder[] = WEBHLO_ROOT "/tests/formats/trees";

static char *read_file(const char *name, size_t *length) { return read_file_of(folder, name, length); }

/* ---- Key paths ---- */

static void test_key_paths(void) {
  static const struct { const char *key_path, *path; } rows[] = {
      {"x", "x"}, {"params['dense']['kernel']", "params/dense/kernel"}, {"params['dense'][0].kernel", "params/dense/0/kernel"},
      {"state[0].mu", "state/0/mu"}, {"box[<flat index 1>]['w']", "box/1/w"}, {"p[\"it's\"]", "p/it's"}, {"p['it\\'s']", "p/it's"},
      {"p['a\\\\b']", "p/a\\b"}, {"p['a\\nb']", "p/a\\nb"}, {"p['linear/~/w']", "p/linear/~/w"}, {"p['']", "p/"}, {"p[(1, 2)]", "p/(1, 2)"},
      /* Not key paths: they stay as they are. */
      {"jit(f)/add", "jit(f)/add"}, {"args.0", "args.0"}, {"p[", "p["}, {"p['a", "p['a"}, {"p['a'", "p['a'"}, {"p[]", "p[]"}, {"p['a']x", "p['a']x"},
      {"['a']", "['a']"}, {".a", ".a"}, {"p.", "p."}, {"dense/kernel:0", "dense/kernel:0"}, {"", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    hlo_status status = {0};
    hlo_writer writer;
    hlo_writer_init(&writer, &status);
    hlo_write(&writer, "<");
    hlo_write_key_path(&writer, (hlo_span){rows[i].key_path, strlen(rows[i].key_path)});
    hlo_write_char(&writer, 0);
    CHECK(strcmp(writer.text + 1, rows[i].path) == 0, "%s is written as %s, not %s", rows[i].key_path, writer.text + 1, rows[i].path);
    hlo_writer_free(&writer);
  }
}

/* ---- Names of arguments ---- */

/* Returns the paths (or names) of the entry's parameters, separated by spaces; to be freed. */
static char *paths_of(const hlo_module *module) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  const hlo_computation *entry = hlo_module_entry(module);
  for (int i = 0; i < entry->parameter_count; i++) {
    if (i) hlo_write_char(&writer, ' ');
    hlo_write_parameter_path(&writer, hlo_instruction_at(entry, entry->parameters[i]));
  }
  hlo_write_char(&writer, 0);
  return writer.text;
}

static void check_paths(const char *what, const hlo_module *module, const char *expected) {
  char *paths = module ? paths_of(module) : NULL;
  CHECK(paths && strcmp(paths, expected) == 0, "%s: %s, expected %s", what, paths ? paths : "no module", expected);
  free(paths);
}

#define FUNCTION(arguments) "func.func @main(" arguments ") -> tensor<f32> {\n  %0 = stablehlo.constant dense<1.0> : tensor<f32>\n  return %0 : tensor<f32>\n}\n"

static void test_locations(void) {
  static const struct { const char *name, *text, *paths; } rows[] = {
      {"name", FUNCTION("%arg0: tensor<f32> loc(\"params['dense']['kernel']\"), %arg1: tensor<f32> loc(\"x\")"), "params/dense/kernel x"},
      {"escaped", FUNCTION("%arg0: tensor<f32> loc(\"p[\\22it's\\22]\")"), "p/it's"},
      {"attributes_before", FUNCTION("%arg0: tensor<f32> {jax.arg = \"loc(3)\"} loc(\"x\")"), "x"},
      {"none", FUNCTION("%arg0: tensor<f32>, %arg1: tensor<f32> loc(unknown), %arg2: tensor<f32> loc(\"y\")"), "arg0 arg1 y"},
      {"file", FUNCTION("%arg0: tensor<f32> loc(\"a.py\":3:4), %arg1: tensor<f32> loc(\"a.py\":3:4 to :9)"), "arg0 arg1"},
      {"child", FUNCTION("%arg0: tensor<f32> loc(\"x\"(\"a.py\":3:4))"), "x"},
      {"callsite", FUNCTION("%arg0: tensor<f32> loc(callsite(\"x\"(\"a.py\":3:4) at \"b.py\":1:2))"), "x"},
      {"fused", FUNCTION("%arg0: tensor<f32> loc(fused[\"a.py\":3:4, callsite(\"b.py\":1:2 at \"y\"), \"x\"])"), "x"},
      {"fused_metadata", FUNCTION("%arg0: tensor<f32> loc(fused<\"m\">[unknown, \"x\"])"), "x"},
      {"alias_behind", FUNCTION("%arg0: tensor<f32> loc(#loc3), %arg1: tensor<f32> loc(#loc)") "#loc = loc(unknown)\n#loc3 = loc(\"x\"(#loc))", "x arg1"},
      {"alias_before", "#loc3 = loc(\"x\")\n#loc4 = loc(callsite(#loc3 at #loc3))\n" FUNCTION("%arg0: tensor<f32> loc(#loc4)"), "x"},
      {"alias_missing", FUNCTION("%arg0: tensor<f32> loc(#loc3)"), "arg0"},
      {"alias_circle", FUNCTION("%arg0: tensor<f32> loc(#a)") "#a = loc(fused[#b, #b])\n#b = loc(fused[#c, #c])\n#c = loc(fused[#b, #b])", "arg0"},
      {"generic", "\"func.func\"() ({\n^bb0(%arg0: tensor<f32> loc(\"p[0]\")):\n  \"func.return\"(%arg0) : (tensor<f32>) -> ()\n}) {sym_name = \"main\", function_type = (tensor<f32>) -> tensor<f32>} : () -> ()", "p/0"},
      {"passed_on", "func.func @main(%arg0: tensor<i32>, %arg1: tensor<f32> loc(unknown), %arg2: tensor<f64> loc(\"own\")) -> tensor<f32> {\n"
                    "  %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<f32>\n  %1 = call @f(%arg0, %0, %arg1) : (tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<f32>\n"
                    "  return %1 : tensor<f32>\n}\nfunc.func private @f(%arg0: tensor<i32>, %arg1: tensor<f32> loc(\"theirs\"), %arg2: tensor<f32> loc(\"p['w']\")) -> tensor<f32> {\n"
                    "  return %arg2 : tensor<f32>\n}", "arg0 p/w own"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    hlo_status status = {0};
    hlo_writer printed;
    hlo_writer_init(&printed, &status);
    hlo_mlir *tree = hlo_mlir_parse(rows[i].text, strlen(rows[i].text), &status);
    hlo_module *module = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, &status) : NULL;
    CHECK(module != NULL, "%s: %s", rows[i].name, status.message);
    check_paths(rows[i].name, module, rows[i].paths);
    if (tree) hlo_mlir_write(&printed, tree);
    hlo_mlir *again = tree ? hlo_mlir_parse(printed.text, printed.length, &status) : NULL;
    CHECK(again && hlo_mlir_same(tree, again, &status), "%s: printed and read again it is another: %s", rows[i].name, status.message);
    hlo_mlir_free(tree);
    hlo_mlir_free(again);
    hlo_module_free(module);
    hlo_writer_free(&printed);
  }
}

/* Names survive from HLO text to StableHLO and back, both in memory and as text. */
static void test_metadata(void) {
  static const char text[] = "HloModule m\n\nENTRY e {\n"
                             "  a = f32[] parameter(0), metadata={op_type=\"x\" op_name=\"params[\\'w\\'][\\\"it\\'s\\\"]\" source_line=3}\n"
                             "  b = f32[] parameter(1), metadata={op_type=\"op_name\"}\n  c = f32[] parameter(2), metadata={source_line=3 op_name=\"x\"}\n"
                             "  ROOT t = (f32[], f32[], f32[]) tuple(a, b, c)\n}\n";
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  check_paths("metadata", module, "params/w/it's b x");
  hlo_writer bytes, printed[2];
  hlo_writer_init(&bytes, &status);
  bool written = module && hlo_proto_write(&bytes, module, &status);
  hlo_module *read = written ? hlo_proto_read((const uint8_t *)bytes.text, bytes.length, &status) : NULL;
  check_paths("metadata by way of a protocol buffer", read, "params/w/it's b x");
  for (int i = 0; i < 2; i++) {
    hlo_writer_init(&printed[i], &status);
    const hlo_computation *entry = module && read ? hlo_module_entry(i ? read : module) : NULL;
    for (int k = 0; entry && k < entry->parameter_count; k++)
      hlo_write(&printed[i], hlo_instruction_attribute(hlo_instruction_at(entry, entry->parameters[k]), HLO_ATTR_metadata)->text.text);
  }
  CHECK(printed[0].text && printed[1].text && strstr(printed[0].text, "source_line=3"), "%s", status.message);
  CHECK(printed[1].text && strstr(printed[1].text, "{op_type=\"x\" op_name=\"params[\\'w\\'][\\\"it\\'s\\\"]\" source_line=3}"), "%s", printed[1].text);
  for (int i = 0; i < 2; i++) hlo_writer_free(&printed[i]);
  hlo_writer_free(&bytes);
  hlo_module_free(read);
  hlo_mlir *tree = module ? hlo_stablehlo_raise(module, &status) : NULL;
  hlo_module *again = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, &status) : NULL;
  check_paths("metadata by way of StableHLO", again, "params/w/it's parameter.1 x");
  hlo_mlir_free(tree);
  hlo_module_free(again);
  hlo_module_free(module);
}

static hlo_mlir *read_bytes(const char *bytes, size_t length, hlo_status *status) {
  hlo_span module = {bytes, length};
  bool ok = !hlo_jax_export_recognise(bytes, length) || hlo_jax_export_module(bytes, length, &module, status);
  return ok ? hlo_bytecode_read(module.text, module.length, status) : NULL;
}

static const char mlp_paths[] = "params/layers/0/bias params/layers/0/kernel params/layers/1/bias params/layers/1/kernel x scale";

static void test_files(void) {
  static const struct { const char *name, *paths; bool described; } rows[] = {
      {"mlp.mlirbc", mlp_paths, false}, {"mlp.unversioned.mlirbc", mlp_paths, false}, {"mlp.jaxexport", mlp_paths, true},
      {"locations.mlirbc", "a p/w b parameter.3 parameter.4", false}, {"locations.unversioned.mlirbc", "a p/w b parameter.3 parameter.4", false},
      {"mlp_bare.jaxexport", "parameter parameter.1 parameter.2 parameter.3 parameter.4 parameter.5", false},
      {"mlp_bare.jaxexport", "args/0/layers/0/bias args/0/layers/0/kernel args/0/layers/1/bias args/0/layers/1/kernel args/1 kwargs/scale", true},
      {"rows_platforms.jaxexport", "parameter params/w x", true}, {"step.jaxexport", "state/count state/mu/b state/mu/w gradient/b gradient/w", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length;
    hlo_status status = {0};
    hlo_writer json;
    hlo_writer_init(&json, &status);
    char *bytes = read_file(rows[i].name, &length);
    hlo_mlir *tree = bytes ? read_bytes(bytes, length, &status) : NULL;
    if (tree && rows[i].described) CHECK(hlo_jax_export_describe(bytes, length, tree, &json, &status), "%s: %s", rows[i].name, status.message);
    free(bytes);
    hlo_arena arena;
    hlo_arena_init(&arena);
    hlo_signature signature = {0};
    hlo_writer paths;
    hlo_writer_init(&paths, &status);
    CHECK(tree && hlo_stablehlo_signature(tree, (hlo_span){0}, &arena, &signature, &status), "%s: %s", rows[i].name, status.message);
    for (int k = 0; k < signature.count; k++) hlo_write_format(&paths, k ? " %s" : "%s", signature.names[k]);
    CHECK(paths.text && strcmp(paths.text, rows[i].paths) == 0, "%s: %s, expected %s", rows[i].name, paths.text, rows[i].paths);
    hlo_writer_free(&paths);
    hlo_writer_free(&json);
    hlo_arena_free(&arena);
    hlo_mlir_free(tree);
  }
}

/* ---- Trees ---- */

static void test_trees(void) {
  static const struct { const char *name, *json; } rows[] = {
      {"swap.jaxexport", "{\"function\":\"swap\",\"convention\":10,\"tokens\":0,\"platforms\":[\"cpu\"],\"platformIndex\":null,\"kept\":[0,1],"
                         "\"inputs\":{\"kind\":\"tuple\",\"children\":[{\"kind\":\"tuple\",\"children\":[{\"kind\":\"custom\",\"type\":\"trees.Box\",\"children\":[{\"kind\":\"leaf\"},"
                         "{\"kind\":\"list\",\"children\":[{\"kind\":\"leaf\"}]}]}]},{\"kind\":\"dict\",\"keys\":[],\"children\":[]}]},"
                         "\"outputs\":{\"kind\":\"custom\",\"type\":\"trees.Box\",\"children\":[{\"kind\":\"list\",\"children\":[{\"kind\":\"leaf\"}]},{\"kind\":\"list\",\"children\":[{\"kind\":\"leaf\"}]}]}}"},
      {"step.jaxexport", "{\"kind\":\"custom\",\"type\":\"trees.AdamState\",\"keys\":[\"count\",\"mu\",\"nu\"],\"children\":[{\"kind\":\"leaf\"},"
                         "{\"kind\":\"dict\",\"keys\":[\"b\",\"w\"],\"children\":[{\"kind\":\"leaf\"},{\"kind\":\"leaf\"}]},{\"kind\":\"none\"}]}]}}"},
      {"mlp.jaxexport", "\"kept\":[0,1,2,3,5,7],"},
      {"platforms.jaxexport", "\"platforms\":[\"tpu\",\"cuda\",\"cpu\"],\"platformIndex\":2,"},
      {"elsewhere.jaxexport", "\"platforms\":[\"tpu\",\"cuda\"],\"platformIndex\":0,"},
      {"in_order.jaxexport", "\"tokens\":1,"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length;
    hlo_status status = {0};
    hlo_writer json;
    hlo_writer_init(&json, &status);
    char *bytes = read_file(rows[i].name, &length);
    hlo_mlir *tree = bytes ? read_bytes(bytes, length, &status) : NULL;
    CHECK(tree && hlo_jax_export_describe(bytes, length, tree, &json, &status), "%s: %s", rows[i].name, status.message);
    CHECK(json.text && strstr(json.text, rows[i].json), "%s: %s\nholds no\n%s", rows[i].name, json.text, rows[i].json);
    hlo_writer_free(&json);
    hlo_mlir_free(tree);
    free(bytes);
  }
}

/* A file with a damaged wrapper is refused, or gives another description, and takes no more memory than its size justifies. */
static void test_damage(const char *name) {
  size_t length;
  hlo_status status = {0};
  char *bytes = read_file(name, &length);
  hlo_span module = {0};
  if (!bytes || !hlo_jax_export_module(bytes, length, &module, &status)) return;
  size_t first = (size_t)(module.text - bytes), last = first + module.length;
  for (size_t at = 0; at < length; at++) {
    if (at == first) at = last; /* skip the artifact, which bytecode_test.c damages */
    if (at >= length) break;
    for (int value = 0; value < 5; value++) {
      char *copy = malloc(length);
      memcpy(copy, bytes, length);
      copy[at] = (char)(value == 0 ? 0 : value == 1 ? 255 : value == 2 ? copy[at] + 4 : value == 3 ? copy[at] - 4 : copy[at] ^ 1);
      hlo_status problem = {0};
      hlo_mlir *tree = hlo_bytecode_read(module.text, module.length, &problem);
      hlo_writer json;
      hlo_writer_init(&json, &problem);
      bool ok = hlo_jax_export_describe(copy, length, tree, &json, &problem);
      CHECK(ok == hlo_ok(&problem), "%s with byte %zu changed: %s", name, at, problem.message);
      CHECK(json.length < 64 * length, "%s with byte %zu changed is described in %zu bytes", name, at, json.length);
      hlo_writer_free(&json);
      hlo_mlir_free(tree);
      free(copy);
    }
  }
  free(bytes);
}

/* Makes a file whose trees are `depth` tuples, each of twice the next one, so that there are 2^depth leaves. */
static size_t make_doubling(uint8_t *bytes, int depth) {
  enum { ROOT_VTABLE = 4, NODE_VTABLE = 44, ROOT = 52, PAIR = 72, BLOCK = 24, DICT = 4, TUPLE = 2 };
  memset(bytes, 0, (size_t)(PAIR + BLOCK * (depth + 3)));
  uint32_t *words = (uint32_t *)bytes;
  uint16_t *halves = (uint16_t *)bytes;
  words[0] = ROOT;
  halves[ROOT_VTABLE / 2] = 40, halves[ROOT_VTABLE / 2 + 1] = 16;
  halves[ROOT_VTABLE / 2 + 2 + 2] = 4, halves[ROOT_VTABLE / 2 + 2 + 4] = 8, halves[ROOT_VTABLE / 2 + 2 + 14] = 12; /* trees, convention */
  halves[NODE_VTABLE / 2] = 8, halves[NODE_VTABLE / 2 + 1] = 12, halves[NODE_VTABLE / 2 + 2] = 4, halves[NODE_VTABLE / 2 + 3] = 8; /* kind, children */
  words[ROOT / 4] = ROOT - ROOT_VTABLE, words[ROOT / 4 + 1] = PAIR - ROOT - 4, words[ROOT / 4 + 2] = PAIR - ROOT - 8, words[ROOT / 4 + 3] = 10;
  for (int i = 0; i < depth + 3; i++) {
    size_t at = (size_t)(PAIR + BLOCK * i) / 4;
    bool last = i >= depth + 1; /* an empty dictionary, and behind it an empty tuple */
    words[at] = (uint32_t)(PAIR + BLOCK * i - NODE_VTABLE);
    words[at + 1] = i == depth + 1 ? DICT : TUPLE;
    words[at + 2] = 4;
    words[at + 3] = last ? 0 : 2;
    for (size_t child = 0; !last && child < 2; child++) {
      int next = i == 0 ? (child ? depth + 1 : 1) : i == depth ? depth + 2 : i + 1;
      words[at + 4 + child] = (uint32_t)((size_t)(PAIR + BLOCK * next) - 4 * (at + 4 + child));
    }
  }
  return (size_t)(PAIR + BLOCK * (depth + 3));
}

static void test_doubling(void) {
  static const struct { int depth; const char *error; } rows[] = {{1, "but its module takes"}, {40, "part of several others"}, {300, "nested deeper than"}};
  size_t length;
  hlo_status status = {0};
  char *artifact = read_file("mlp.mlirbc", &length);
  hlo_mlir *tree = artifact ? read_bytes(artifact, length, &status) : NULL;
  for (size_t i = 0; tree && i < sizeof rows / sizeof *rows; i++) {
    uint8_t *bytes = malloc(16384);
    size_t made = make_doubling(bytes, rows[i].depth);
    hlo_status problem = {0};
    hlo_writer json;
    hlo_writer_init(&json, &problem);
    bool ok = hlo_jax_export_describe((const char *)bytes, made, tree, &json, &problem);
    CHECK(!ok && strstr(problem.message, rows[i].error), "%d: %s", rows[i].depth, ok ? json.text : problem.message);
    hlo_writer_free(&json);
    free(bytes);
  }
  hlo_mlir_free(tree);
  free(artifact);
}

int main(void) {
  test_key_paths();
  test_locations();
  test_metadata();
  test_files();
  test_trees();
  test_damage("mlp.jaxexport");
  test_damage("step.jaxexport");
  test_doubling();
  return unit_report();
}
