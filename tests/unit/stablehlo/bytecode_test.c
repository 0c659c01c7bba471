/* Tests of bytecode: artifacts of every version give the program of their text; damaged, hostile and newer ones are refused. */
#include <dirent.h>
#include <stdlib.h>

#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/lower/stablehlo.h"
#include "text/hlo_text.h"
#include "files.h"
#include "random.h"

static const char folder[] = WEBHLO_ROOT "/tests/formats/bytecode";

/* ---- Helpers ---- */

static char *read_file(const char *name, size_t *length) { return read_file_of(folder, name, length); }

/* Reads a copy of the bytes that is freed before the tree is used. */
static hlo_mlir *read_copy(const char *bytes, size_t length, hlo_status *status) {
  *status = (hlo_status){0};
  char *copy = malloc(length ? length : 1);
  memcpy(copy, bytes, length);
  hlo_span module = {copy, length};
  bool ok = !hlo_jax_export_recognise(copy, length) || hlo_jax_export_module(copy, length, &module, status);
  hlo_mlir *tree = ok ? hlo_bytecode_read(module.text, module.length, status) : NULL;
  free(copy);
  CHECK((tree != NULL) == hlo_ok(status), "%s", status->message);
  CHECK(tree || strncmp(status->message, "byte ", 5) == 0, "no place in \"%s\"", status->message);
  return tree;
}

/* Returns the HLO text of the tree, without the names and lines that bytecode does not have, or its error; to be freed. */
static char *lowered(hlo_mlir *tree) {
  hlo_status status = {0};
  for (int i = 0; i < tree->value_count; i++) tree->values[i].name = (hlo_span){"", 0};
  for (int i = 0; i < tree->body.op_count; i++)
    if (tree->body.ops[i]->region_count) ((hlo_mlir_region *)tree->body.ops[i]->regions)->block.argument_names = NULL;
  hlo_module *module = hlo_stablehlo_lower(tree, (hlo_span){0}, &status);
  if (!module) {
    const char *place = strstr(status.message, ": "), *reason = status.line > 0 && place ? place + 2 : status.message;
    return strndup(reason, strcspn(reason, "\n"));
  }
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  hlo_module_free(module);
  return writer.text;
}

static char *lowered_text(const char *name) {
  size_t length;
  hlo_status status = {0};
  char *text = read_file(name, &length);
  hlo_mlir *tree = text ? hlo_mlir_parse(text, length, &status) : NULL;
  CHECK(tree != NULL, "%s: %s", name, status.message);
  char *result = tree ? lowered(tree) : NULL;
  hlo_mlir_free(tree);
  free(text);
  return result;
}

/* ---- Artifacts ---- */

static int each_artifact(void (*visit)(const char *name, const char *bytes, size_t length)) {
  DIR *directory = opendir(folder);
  int files = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    size_t length;
    if (!strstr(entry->d_name, ".mlirbc") && !strstr(entry->d_name, ".jaxexport")) continue;
    char *bytes = read_file(entry->d_name, &length);
    if (bytes) visit(entry->d_name, bytes, length), files++;
    free(bytes);
  }
  if (directory) closedir(directory);
  return files;
}

static void check_same_program(const char *name, const char *bytes, size_t length) {
  char text_name[300];
  snprintf(text_name, sizeof text_name, "%.*s.mlir", (int)strcspn(name, "."), name);
  hlo_status status;
  hlo_mlir *tree = read_copy(bytes, length, &status);
  CHECK(tree != NULL, "%s: %s", name, status.message);
  if (!tree) return;
  char *from_text = lowered_text(text_name), *from_bytes = lowered(tree);
  CHECK(from_text && strcmp(from_text, from_bytes) == 0, "%s gives\n%s\nand its text\n%s", name, from_bytes, from_text ? from_text : "");
  hlo_mlir_free(tree);
  free(from_text);
  free(from_bytes);
}

static void test_artifacts(void) { CHECK(each_artifact(check_same_program) > 90, "artifacts are missing"); }

/* ---- Versions ---- */

static const struct { const char *from, *to, *error; } versions[] = {
    {"v1.17.0", "v1.22.0", "the artifact is of StableHLO 1.22.0; the newest version known here is 1.21"},
    {"v1.17.0", "v1.99.9", "the artifact is of StableHLO 1.99.9; the newest version known here is 1.21"},
    {"v1.17.0", "v2.00.0", "the artifact is of StableHLO 2.0.0; the newest version known here is 1.21"},
    {"v1.17.0", "v0.08.0", "the artifact is of StableHLO 0.8.0; artifacts can be read from version 0.9 on"},
    {"v1.17.0", "v1.21.5", NULL},
    {"\x0dStableHLO", "\x0fStableHLO", "version 7 of MLIR bytecode; the newest version known here is 6"},
    {"exponential_v2", "exponential_v3", "vhlo.exponential_v3 is no operation of any version known here"},
};

static void test_versions(void) {
  size_t length;
  char *bytes = read_file("every_version.1.17.0.mlirbc", &length);
  for (size_t i = 0; bytes && i < sizeof versions / sizeof *versions; i++) {
    char *copy = malloc(length);
    memcpy(copy, bytes, length);
    size_t size = strlen(versions[i].from), at = 0;
    while (at + size < length && memcmp(copy + at, versions[i].from, size)) at++;
    CHECK(at + size < length, "%s is not in the artifact", versions[i].from);
    memcpy(copy + at, versions[i].to, size);
    hlo_status status;
    hlo_mlir *tree = read_copy(copy, length, &status);
    CHECK((tree != NULL) == !versions[i].error, "%s: %s", versions[i].to, status.message);
    if (versions[i].error) CHECK(unit_says(status.message, versions[i].error, NULL), "%s: %s", versions[i].to, status.message);
    hlo_mlir_free(tree);
    free(copy);
  }
  free(bytes);
}

/* ---- Damage ---- */

static void check_cuts(const char *name, const char *bytes, size_t length) {
  if (strstr(name, ".jaxexport")) length = length / 8; /* a file may be cut behind the module */
  for (size_t cut = 0; cut < length; cut += length < 2000 ? 1 : 3) {
    hlo_status status;
    hlo_mlir *tree = read_copy(bytes, cut, &status);
    CHECK(tree == NULL, "%s is read from its first %zu bytes", name, cut);
    hlo_mlir_free(tree);
  }
}

static void check_flips(const char *name, const char *bytes, size_t length) {
  random_state = RANDOM_SEED + length;
  for (int round = 0; round < 150; round++) {
    hlo_status status;
    char *copy = malloc(length);
    memcpy(copy, bytes, length);
    for (int flips = 1 + random_below(4); flips; flips--) copy[random_bits() % length] ^= (char)(1 << random_below(8));
    hlo_mlir *tree = read_copy(copy, length, &status);
    if (tree) free(lowered(tree));
    hlo_mlir_free(tree);
    free(copy);
  }
}

/* ---- Hostile files, made by hand ---- */

enum { MOST_BYTES = 1 << 21 };
typedef struct buffer {
  uint8_t *bytes;
  size_t length;
} buffer;

static void put(buffer *b, int byte) {
  if (b->length < MOST_BYTES) b->bytes[b->length++] = (uint8_t)byte;
}
/* Writes an integer in one byte, two, or nine. */
static void put_uint(buffer *b, uint64_t value) {
  if (value < 128) put(b, (int)(value << 1 | 1));
  else if (value < 16384) put(b, (int)(value << 2 & 255) | 2), put(b, (int)(value >> 6));
  else {
    put(b, 0);
    for (int i = 0; i < 8; i++) put(b, (int)(value >> 8 * i & 255));
  }
}
static void put_int(buffer *b, int64_t value) { put_uint(b, (uint64_t)value << 1 ^ (uint64_t)(value >> 63)); }

/* Entries in VHLO's encoding: their bytes, and the size of each. */
typedef struct entries {
  buffer data;
  size_t ends[3000];
  int count;
} entries;
static void end_entry(entries *e) { e->ends[e->count++] = e->data.length; }

typedef struct hostile {
  entries attributes, types;
  buffer ops;    /* operations in the module's block */
  int op_count;
  uint64_t values; /* number of values that the module says it defines */
} hostile;

enum { OP_MODULE, OP_TOKEN, OP_IF, OP_CONSTANT, OP_AFTER };
static const char *const strings[] = {"builtin", "vhlo", "module", "create_token_v1", "if_v1", "constant_v1", "after_all_v1", "value"};
enum { STRING_COUNT = 8, STRING_VALUE = 7, HAS_ATTRIBUTES = 1, HAS_RESULTS = 2, HAS_OPERANDS = 4, HAS_REGIONS = 16 };

static void put_section(buffer *file, int id, const buffer *section) {
  put(file, id);
  put_uint(file, section->length);
  for (size_t i = 0; i < section->length; i++) put(file, section->bytes[i]);
}

static void put_sizes(buffer *b, const entries *e) {
  for (int i = 0; i < e->count; i++) put_uint(b, (e->ends[i] - (i ? e->ends[i - 1] : 0)) << 1 | 1);
}

/* Makes a file of format 0 whose module holds the ops. */
static void assemble(const hostile *h, buffer *file) {
  buffer s = {malloc(MOST_BYTES), 0};
  for (const char *c = "ML\xefR\x01made\x01"; *c; c++) put(file, *c);
  file->bytes[file->length - 1] = 0;
  put_uint(&s, STRING_COUNT);
  for (int i = STRING_COUNT; i--;) put_uint(&s, strlen(strings[i]) + 1);
  for (int i = 0; i < STRING_COUNT; i++)
    for (size_t k = 0; k <= strlen(strings[i]); k++) put(&s, strings[i][k]);
  put_section(file, 0, &s);
  s.length = 0;
  for (const char *c = "2" "01" "012" "143456"; *c; c++) put_uint(&s, (uint64_t)(*c - '0')); /* dialects; module; four of VHLO */
  put_section(file, 1, &s);
  s.length = 0;
  for (size_t i = 0; i < h->attributes.data.length; i++) put(&s, h->attributes.data.bytes[i]);
  for (size_t i = 0; i < h->types.data.length; i++) put(&s, h->types.data.bytes[i]);
  put_section(file, 2, &s);
  s.length = 0;
  put_uint(&s, (uint64_t)h->attributes.count);
  put_uint(&s, (uint64_t)h->types.count);
  put_uint(&s, 1);
  put_uint(&s, (uint64_t)(h->attributes.count + h->types.count));
  put_sizes(&s, &h->attributes);
  put_sizes(&s, &h->types);
  put_section(file, 3, &s);
  s.length = 0;
  put_uint(&s, 2); /* one op: module, without attributes, at location 0, with an isolated region of one block */
  put_uint(&s, OP_MODULE);
  put(&s, HAS_REGIONS);
  put_uint(&s, 0);
  put_uint(&s, 3);
  put_uint(&s, 1);
  put_uint(&s, h->values);
  put_uint(&s, (uint64_t)h->op_count << 1);
  for (size_t i = 0; i < h->ops.length; i++) put(&s, h->ops.bytes[i]);
  put_section(file, 4, &s);
  free(s.bytes);
}

static void put_token(hostile *h, uint64_t type) {
  put_uint(&h->ops, OP_TOKEN);
  put(&h->ops, HAS_RESULTS);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, 1);
  put_uint(&h->ops, type);
  h->op_count++;
  h->values++;
}

/* Adds the types 0, f32, and 1, a scalar tensor. */
static void put_scalar_types(hostile *h) {
  put_uint(&h->types.data, 4);
  end_entry(&h->types);
  put_uint(&h->types.data, 20), put_uint(&h->types.data, 0), put_uint(&h->types.data, 0);
  end_entry(&h->types);
}
static void put_tuple(hostile *h, int count, uint64_t element) {
  put_uint(&h->types.data, 23);
  put_uint(&h->types.data, (uint64_t)count);
  for (int i = 0; i < count; i++) put_uint(&h->types.data, element);
  end_entry(&h->types);
}

static void make_nothing(hostile *h) { put_token(h, 1); }
static void make_self_type(hostile *h) {
  put_tuple(h, 1, 2);
  put_token(h, 2);
}
static void make_doubling(hostile *h) {
  for (int i = 0; i < 60; i++) put_tuple(h, 2, (uint64_t)(1 + i));
  put_token(h, 61);
}
static void make_deep_type(hostile *h) { /* functions that return functions */
  for (int i = 0; i < 2000; i++) {
    put_uint(&h->types.data, 8), put_uint(&h->types.data, 0), put_uint(&h->types.data, 1), put_uint(&h->types.data, (uint64_t)(i + 3));
    end_entry(&h->types);
  }
  put_token(h, 2);
}
static void make_self_attribute(hostile *h) {
  put_uint(&h->attributes.data, 1), put_uint(&h->attributes.data, 1), put_uint(&h->attributes.data, 1);
  end_entry(&h->attributes);
  put_uint(&h->ops, OP_TOKEN);
  put(&h->ops, HAS_ATTRIBUTES);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, 1);
  h->op_count = 1;
}
static void make_deep_regions(hostile *h) {
  for (int i = 0; i < 20000; i++) {
    put_uint(&h->ops, OP_IF);
    put(&h->ops, HAS_REGIONS);
    put_uint(&h->ops, 0);
    put_uint(&h->ops, 2), put_uint(&h->ops, 1), put_uint(&h->ops, 0), put_uint(&h->ops, 2);
  }
  h->op_count = 1;
}
static void make_many_results(hostile *h) {
  put_uint(&h->ops, OP_TOKEN);
  put(&h->ops, HAS_RESULTS);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, (uint64_t)1 << 60);
  h->op_count = 1;
}
static void make_many_values(hostile *h) { h->values = 1000000; }
static void make_too_few_values(hostile *h) {
  put_token(h, 1);
  put_token(h, 1);
  h->values = 1;
}
/* Adds a constant with `elements` elements that are all the same. */
/* A constant of 2^40 elements, made of so many bytes. */
static void make_constant(hostile *h, int bytes) {
  put_uint(&h->types.data, 20), put_uint(&h->types.data, 1), put_int(&h->types.data, (int64_t)1 << 40), put_uint(&h->types.data, 0);
  end_entry(&h->types);
  put_uint(&h->attributes.data, 14), put_uint(&h->attributes.data, STRING_VALUE); /* 1: a string */
  end_entry(&h->attributes);
  put_uint(&h->attributes.data, 15), put_uint(&h->attributes.data, 2), put_uint(&h->attributes.data, (uint64_t)bytes); /* 2: elements */
  for (int i = 0; i < bytes; i++) put(&h->attributes.data, 0);
  end_entry(&h->attributes);
  put_uint(&h->attributes.data, 6), put_uint(&h->attributes.data, 1), put_uint(&h->attributes.data, 1), put_uint(&h->attributes.data, 2); /* 3: {value} */
  end_entry(&h->attributes);
  put_uint(&h->ops, OP_CONSTANT);
  put(&h->ops, HAS_ATTRIBUTES);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, 3);
  h->op_count = 1;
}
static void make_splat(hostile *h) { make_constant(h, 4); }
static void make_elements(hostile *h) { make_constant(h, 8); }
static void make_repeated_tuple(hostile *h) {
  put_tuple(h, 1000, 1);
  for (int i = 0; i < 100000; i++) put_token(h, 2);
}
static void make_early_use(hostile *h) {
  put_uint(&h->ops, OP_AFTER);
  put(&h->ops, HAS_OPERANDS | HAS_RESULTS);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, 1), put_uint(&h->ops, 1), put_uint(&h->ops, 1), put_uint(&h->ops, 0);
  h->op_count = 1;
  h->values = 1;
}
static void make_blocks(hostile *h) {
  put_uint(&h->ops, OP_IF);
  put(&h->ops, HAS_REGIONS);
  put_uint(&h->ops, 0);
  put_uint(&h->ops, 2), put_uint(&h->ops, 2);
  h->op_count = 1;
}

/* Adds the types 2, i8, and 3, i8 quantized with a scale and a range. */
static void put_quantized(hostile *h, double scale, int64_t least, int64_t most) {
  uint64_t bits;
  memcpy(&bits, &scale, sizeof bits);
  put_uint(&h->types.data, 11);
  end_entry(&h->types);
  put_uint(&h->types.data, 24), put_uint(&h->types.data, 1), put_uint(&h->types.data, 2), put_uint(&h->types.data, 0);
  put_int(&h->types.data, (int64_t)bits), put_int(&h->types.data, 0), put_int(&h->types.data, least), put_int(&h->types.data, most);
  end_entry(&h->types);
  put_token(h, 3);
}
static void make_scale(hostile *h) { put_quantized(h, 0.5, -128, 127); }
static void make_large_scale(hostile *h) { put_quantized(h, 1e300, -128, 127); }
static void make_small_scale(hostile *h) { put_quantized(h, 1e-60, -128, 127); }
static void make_wide_storage(hostile *h) { put_quantized(h, 0.5, -128, 128); }

static const struct { const char *name; void (*make)(hostile *h); const char *error; } hostiles[] = {
    {"nothing", make_nothing, NULL},
    {"type_in_itself", make_self_type, "a type contains itself"},
    {"types_that_double", make_doubling, "a tuple is nested at most"},
    {"types_in_types", make_deep_type, "nested deeper than 256 levels"},
    {"attribute_in_itself", make_self_attribute, "an attribute contains itself"},
    {"regions_in_regions", make_deep_regions, "nested deeper than 256 levels"},
    {"results_beyond_the_file", make_many_results, "results cannot stand in"},
    {"values_beyond_the_file", make_many_values, "values cannot"},
    {"more_values_than_said", make_too_few_values, "a region defines more values than it said"},
    {"elements_beyond_memory", make_elements, "bytes"},
    {"one_value_for_elements_beyond_memory", make_splat, NULL},
    {"large_type_again_and_again", make_repeated_tuple, "outgrow"},
    {"value_before_it_is_defined", make_early_use, "uses a value before it is defined"},
    {"scale", make_scale, NULL},
    {"scale_beyond_the_expressed_type", make_large_scale, "scale 1e+300 is beyond what the expressed type f32 can hold"},
    {"scale_below_the_expressed_type", make_small_scale, "scale 1e-60 is beyond what the expressed type f32 can hold"},
    {"storage_beyond_its_type", make_wide_storage, "the storage range -128:128 is not one of s8, -128:127"},
    {"several_blocks", make_blocks, "a region of 2 blocks"},
};

static void test_hostile(void) {
  for (size_t i = 0; i < sizeof hostiles / sizeof *hostiles; i++) {
    hostile *h = calloc(1, sizeof *h);
    buffer file = {malloc(MOST_BYTES), 0};
    h->attributes.data.bytes = malloc(MOST_BYTES);
    h->types.data.bytes = malloc(MOST_BYTES);
    h->ops.bytes = malloc(MOST_BYTES);
    put_uint(&h->attributes.data, 2), put_uint(&h->attributes.data, 0); /* 0: false, which is used as every location */
    end_entry(&h->attributes);
    put_scalar_types(h);
    hostiles[i].make(h);
    assemble(h, &file);
    hlo_status status;
    hlo_mlir *tree = read_copy((const char *)file.bytes, file.length, &status);
    CHECK((tree != NULL) == !hostiles[i].error, "%s: %s", hostiles[i].name, status.message);
    if (hostiles[i].error) CHECK(unit_says(status.message, hostiles[i].error, NULL), "%s: %s", hostiles[i].name, status.message);
    hlo_mlir_free(tree);
    free(h->attributes.data.bytes);
    free(h->types.data.bytes);
    free(h->ops.bytes);
    free(h);
    free(file.bytes);
  }
}

/* ---- Files of jax.export ---- */

static void test_recognition(void) {
  size_t length;
  char *bytes = read_file("jax_norm.jaxexport", &length);
  static const char junk[] = "\x08\x00\x00\x00\xff\xff\xff\x7f\x10\x00\x00\x00", text[] = "HloModule m\n";
  if (bytes) CHECK(hlo_jax_export_recognise(bytes, length) && !hlo_bytecode_recognise(bytes, length), "jax_norm");
  for (size_t cut = 0; bytes && cut < length / 8; cut++) CHECK(!hlo_jax_export_recognise(bytes, cut), "%zu bytes of it", cut);
  CHECK(!hlo_jax_export_recognise(junk, sizeof junk) && !hlo_jax_export_recognise(text, sizeof text) && !hlo_bytecode_recognise(text, sizeof text), "not ours");
  hlo_span module;
  hlo_status status = {0};
  CHECK(!hlo_jax_export_module(junk, sizeof junk, &module, &status) && strncmp(status.message, "byte ", 5) == 0, "%s", status.message);
  free(bytes);
}

int main(void) {
  test_artifacts();
  test_versions();
  each_artifact(check_cuts);
  each_artifact(check_flips);
  test_hostile();
  test_recognition();
  return unit_report();
}
