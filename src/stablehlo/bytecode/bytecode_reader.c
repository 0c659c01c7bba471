/* Reads the structure of a bytecode file: header, sections, and the tables of strings, dialects, entries, properties, resources. */
#include "stablehlo/bytecode/bytecode_reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "stablehlo/bytecode/bytecode.h"

enum { LONGEST_OP_NAME = 256 };

bool hlo_bytecode_fail(hlo_bytecode *b, size_t at, hlo_code code, const char *format, ...) {
  char message[HLO_STATUS_MESSAGE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  hlo_format_things(message, sizeof message, hlo_mlir_thing, NULL, format, arguments);
  va_end(arguments);
  return hlo_fail(b->status, code, "byte %zu: %s", at, message);
}

bool hlo_bytecode_enter(hlo_bytecode *b, size_t at) {
  if (b->depth >= HLO_READER_MAX_DEPTH) return hlo_bytecode_fail(b, at, HLO_LIMIT, "nested deeper than %d levels", HLO_READER_MAX_DEPTH);
  b->depth++;
  return true;
}
void hlo_bytecode_leave(hlo_bytecode *b) { b->depth--; }

bool hlo_bytecode_spend(hlo_bytecode *b, size_t at, int64_t items) {
  b->copied += items;
  return b->copied <= (1 << 22) + 64 * (int64_t)b->length ||
         hlo_bytecode_fail(b, at, HLO_LIMIT, "the file names its types and attributes so often that they outgrow it");
}

/* ---- Primitives ---- */

bool hlo_bytecode_byte(hlo_bytecode *b, hlo_bytecode_cursor *c, uint8_t *value) {
  if (c->at >= c->end) return hlo_bytecode_fail(b, c->at, HLO_PARSE, "the file or one of its parts ends too early");
  *value = b->bytes[c->at++];
  return true;
}

/* Reads an integer. The number of zeros below the first byte's lowest one is the number of bytes that follow it. */
bool hlo_bytecode_uint(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t *value) {
  uint8_t first, next;
  if (!hlo_bytecode_byte(b, c, &first)) return false;
  int more = first ? __builtin_ctz(first) : 8;
  uint64_t result = first;
  if (c->end - c->at < (size_t)more) return hlo_bytecode_fail(b, c->at, HLO_PARSE, "the file or one of its parts ends within a number");
  if (!first) {
    for (int i = 0; i < 8; i++) result |= (uint64_t)b->bytes[c->at++] << 8 * i;
    *value = result;
    return true;
  }
  for (int i = 1; i <= more; i++) {
    next = b->bytes[c->at++];
    if (i < 8) result |= (uint64_t)next << 8 * i;
  }
  *value = result >> (more + 1);
  return true;
}

bool hlo_bytecode_int(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t *value) {
  uint64_t zigzag;
  if (!hlo_bytecode_uint(b, c, &zigzag)) return false;
  *value = (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
  return true;
}

bool hlo_bytecode_count(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t *count) {
  size_t at = c->at;
  uint64_t value;
  if (!hlo_bytecode_uint(b, c, &value)) return false;
  if (value > c->end - c->at)
    return hlo_bytecode_fail(b, at, HLO_PARSE, "%llu %s cannot stand in the %zu bytes that are left", (unsigned long long)value, what, c->end - c->at);
  *count = (int64_t)value;
  return true;
}

bool hlo_bytecode_index(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t limit, int64_t *index) {
  size_t at = c->at;
  uint64_t value;
  if (!hlo_bytecode_uint(b, c, &value)) return false;
  if (value >= (uint64_t)limit)
    return hlo_bytecode_fail(b, at, HLO_PARSE, "%s %llu of a table of %lld", what, (unsigned long long)value, (long long)limit);
  *index = (int64_t)value;
  return true;
}

bool hlo_bytecode_string(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_span *string) {
  int64_t index;
  if (!hlo_bytecode_index(b, c, "string", b->string_count, &index)) return false;
  *string = b->strings[index];
  return true;
}

bool hlo_bytecode_blob(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_cursor *blob) {
  int64_t size;
  if (!hlo_bytecode_count(b, c, "bytes", &size)) return false;
  *blob = (hlo_bytecode_cursor){c->at, c->at + (size_t)size};
  c->at += (size_t)size;
  return true;
}

/* Reads an integer of a known width, at most 64 bits: a byte if the width is at most 8, else zigzag. */
bool hlo_bytecode_bits(hlo_bytecode *b, hlo_bytecode_cursor *c, int width, int64_t *value) {
  uint8_t byte;
  if (width > 64) return hlo_bytecode_fail(b, c->at, HLO_UNSUPPORTED, "a number of %d bits", width);
  if (width > 8) return hlo_bytecode_int(b, c, value);
  if (!hlo_bytecode_byte(b, c, &byte)) return false;
  int unused = 64 - width;
  *value = (int64_t)((uint64_t)byte << unused) >> unused;
  return true;
}

bool hlo_bytecode_real(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_type type, double *value) {
  int64_t bits;
  int width = hlo_type_bits(type);
  if (!hlo_bytecode_bits(b, c, width, &bits)) return false;
  *value = hlo_float_decode(type, (uint64_t)bits & (width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX));
  return true;
}

bool hlo_bytecode_ints(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t **values, int64_t *count) {
  if (!hlo_bytecode_count(b, c, "numbers", count)) return false;
  *values = hlo_arena_many(b->arena, int64_t, *count, b->status);
  for (int64_t i = 0; *values && i < *count; i++)
    if (!hlo_bytecode_int(b, c, *values + i)) return false;
  return *values != NULL;
}

/* ---- Sections ---- */

/* Reads the section's id with a bit for alignment, its length, and then alignment and padding if the bit is set. */
bool hlo_bytecode_section_header(hlo_bytecode *b, hlo_bytecode_cursor *c, int *id, hlo_bytecode_cursor *section) {
  uint8_t head, padding;
  uint64_t length, alignment;
  if (!hlo_bytecode_byte(b, c, &head) || !hlo_bytecode_uint(b, c, &length)) return false;
  *id = head & 127;
  if (head & 128) {
    if (!hlo_bytecode_uint(b, c, &alignment)) return false;
    if (alignment == 0 || (alignment & (alignment - 1)))
      return hlo_bytecode_fail(b, c->at, HLO_PARSE, "an alignment of %llu, which is no power of two", (unsigned long long)alignment);
    while (c->at & (alignment - 1))
      if (!hlo_bytecode_byte(b, c, &padding)) return false;
  }
  if (length > c->end - c->at)
    return hlo_bytecode_fail(b, c->at, HLO_PARSE, "a section of %llu bytes where %zu are left", (unsigned long long)length, c->end - c->at);
  *section = (hlo_bytecode_cursor){c->at, c->at + (size_t)length};
  c->at += (size_t)length;
  return true;
}

static bool read_sections(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  bool seen[HLO_BYTECODE_SECTION_COUNT] = {false};
  while (c->at < c->end) {
    int id;
    size_t at = c->at;
    hlo_bytecode_cursor section;
    if (!hlo_bytecode_section_header(b, c, &id, &section)) return false;
    if (id >= HLO_BYTECODE_SECTION_COUNT) return hlo_bytecode_fail(b, at, HLO_PARSE, "a section of the unknown kind %d", id);
    if (seen[id]) return hlo_bytecode_fail(b, at, HLO_PARSE, "a second section of kind %d", id);
    seen[id] = true;
    b->sections[id] = section;
  }
  static const char *const needed[] = {"strings", "dialects", "attributes and types", "their offsets", "operations"};
  for (int i = 0; i <= HLO_BYTECODE_IR; i++)
    if (!seen[i]) return hlo_bytecode_fail(b, c->at, HLO_PARSE, "the section of %s is missing", needed[i]);
  return true;
}

/* ---- Header ---- */

/* Reads "1.17.0" as three numbers; false if the text is not a version. */
static bool read_version(const char *text, int version[3]) {
  for (int i = 0; i < 3; i++) {
    if (i && *text++ != '.') return false;
    if (*text < '0' || *text > '9') return false;
    for (version[i] = 0; *text >= '0' && *text <= '9'; text++)
      if (version[i] < 100000) version[i] = version[i] * 10 + (*text - '0');
  }
  return true;
}

/* Checks the version in "StableHLO_v1.17.0". Files of other producers name no version. */
static bool check_producer(hlo_bytecode *b, size_t at, const char *producer) {
  static const char prefix[] = "StableHLO_v";
  int v[3];
  if (strncmp(producer, prefix, sizeof prefix - 1) || !read_version(producer + sizeof prefix - 1, v)) return true;
  if (v[0] > HLO_VHLO_NEWEST_MAJOR || (v[0] == HLO_VHLO_NEWEST_MAJOR && v[1] > HLO_VHLO_NEWEST_MINOR))
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "the artifact is of StableHLO %d.%d.%d; the newest version known here is %d.%d", v[0], v[1], v[2],
                             HLO_VHLO_NEWEST_MAJOR, HLO_VHLO_NEWEST_MINOR);
  if (v[0] == HLO_VHLO_OLDEST_MAJOR && v[1] < HLO_VHLO_OLDEST_MINOR)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "the artifact is of StableHLO %d.%d.%d; artifacts can be read from version %d.%d on", v[0], v[1], v[2],
                             HLO_VHLO_OLDEST_MAJOR, HLO_VHLO_OLDEST_MINOR);
  return true;
}

static bool read_header(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  uint64_t format;
  if (!hlo_bytecode_recognise((const char *)b->bytes, b->length)) return hlo_bytecode_fail(b, 0, HLO_PARSE, "this is no MLIR bytecode");
  c->at = 4;
  if (!hlo_bytecode_uint(b, c, &format)) return false;
  const uint8_t *end = memchr(b->bytes + c->at, 0, c->end - c->at);
  if (!end) return hlo_bytecode_fail(b, c->at, HLO_PARSE, "the name of the producer does not end");
  if (!check_producer(b, c->at, (const char *)b->bytes + c->at)) return false;
  if (format > HLO_BYTECODE_NEWEST)
    return hlo_bytecode_fail(b, 4, HLO_UNSUPPORTED, "version %llu of MLIR bytecode; the newest version known here is %d", (unsigned long long)format, HLO_BYTECODE_NEWEST);
  b->format = (int64_t)format;
  c->at = (size_t)(end - b->bytes) + 1;
  return true;
}

/* ---- Tables ---- */

/* Reads all lengths, the last string's first, then the strings, each with its NUL. */
static bool read_strings(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_STRINGS];
  if (!hlo_bytecode_count(b, &c, "strings", &b->string_count)) return false;
  b->strings = hlo_arena_many(&b->scratch, hlo_span, b->string_count, b->status);
  const char *copy = hlo_arena_copy(b->arena, b->bytes + c.at, c.end - c.at, b->status); /* with the lengths, which take little */
  if (!b->strings || !copy) return false;
  size_t first = c.at, end = c.end;
  for (int64_t i = 0; i < b->string_count; i++) {
    size_t at = c.at;
    uint64_t length;
    if (!hlo_bytecode_uint(b, &c, &length)) return false;
    if (length == 0 || length > end - c.at || b->bytes[end - 1])
      return hlo_bytecode_fail(b, at, HLO_PARSE, "string %lld of %llu bytes does not fit, or does not end in a zero", (long long)(b->string_count - 1 - i), (unsigned long long)length);
    end -= (size_t)length;
    b->strings[b->string_count - 1 - i] = (hlo_span){copy + (end - first), (size_t)length - 1};
  }
  return end == c.at || hlo_bytecode_fail(b, c.at, HLO_PARSE, "the strings take %zu bytes less than their section has", end - c.at);
}

static bool read_dialect_names(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  if (!hlo_bytecode_count(b, c, "dialects", &b->dialect_count)) return false;
  if (!(b->dialects = hlo_arena_many(&b->scratch, hlo_span, b->dialect_count, b->status))) return false;
  for (int64_t i = 0; i < b->dialect_count; i++) {
    size_t at = c->at;
    uint64_t name;
    int id;
    hlo_bytecode_cursor version;
    if (!hlo_bytecode_uint(b, c, &name)) return false;
    bool versioned = b->format >= HLO_BYTECODE_DIALECT_VERSIONED && (name & 1);
    if (b->format >= HLO_BYTECODE_DIALECT_VERSIONED) name >>= 1;
    if (name >= (uint64_t)b->string_count) return hlo_bytecode_fail(b, at, HLO_PARSE, "string %llu of a table of %lld", (unsigned long long)name, (long long)b->string_count);
    b->dialects[i] = b->strings[name];
    if (versioned && !hlo_bytecode_section_header(b, c, &id, &version)) return false;
  }
  return true;
}

/* Reads the names of each dialect and of its operations. */
static bool read_dialects(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_DIALECTS];
  int64_t total, dialect, count;
  if (!read_dialect_names(b, &c)) return false;
  if (b->format >= HLO_BYTECODE_ELIDED_LOCATIONS && !hlo_bytecode_count(b, &c, "operation names", &total)) return false;
  b->op_names = hlo_arena_array(&b->scratch, (int64_t)(c.end - c.at), sizeof *b->op_names, b->status);
  if (!b->op_names) return false;
  while (c.at < c.end) {
    if (!hlo_bytecode_index(b, &c, "dialect", b->dialect_count, &dialect) || !hlo_bytecode_count(b, &c, "operation names", &count)) return false;
    for (int64_t i = 0; i < count; i++) {
      size_t at = c.at;
      uint64_t name;
      bool flagged = b->format >= HLO_BYTECODE_HAS_PROPERTIES;
      if (!hlo_bytecode_uint(b, &c, &name)) return false;
      hlo_bytecode_op_name op = {.dialect = b->dialects[dialect], .registered = !flagged || (name & 1)};
      if (flagged) name >>= 1;
      if (name >= (uint64_t)b->string_count) return hlo_bytecode_fail(b, at, HLO_PARSE, "string %llu of a table of %lld", (unsigned long long)name, (long long)b->string_count);
      op.name = b->strings[name];
      if (op.name.length + op.dialect.length > LONGEST_OP_NAME) return hlo_bytecode_fail(b, at, HLO_LIMIT, "the name of an operation is longer than %d bytes", LONGEST_OP_NAME);
      op.full.text = hlo_arena_format(b->arena, b->status, "%.*s.%.*s", (int)op.dialect.length, op.dialect.text, (int)op.name.length, op.name.text);
      if (!op.full.text) return false;
      op.full.length = strlen(op.full.text);
      if (hlo_span_is(op.dialect, "vhlo") && !hlo_vhlo_look_up(b, &op)) return false;
      b->op_names[b->op_name_count++] = op;
    }
  }
  return true;
}

/* Reads the attributes' entries, then those of types, in groups by dialect. Adding up their sizes gives their offsets. */
static bool read_entries(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_ENTRY_OFFSETS], data = b->sections[HLO_BYTECODE_ENTRIES];
  if (!hlo_bytecode_count(b, &c, "attributes", &b->attribute_count) || !hlo_bytecode_count(b, &c, "types", &b->type_count)) return false;
  b->attributes = hlo_arena_many(&b->scratch, hlo_bytecode_entry, b->attribute_count, b->status);
  b->types = hlo_arena_many(&b->scratch, hlo_bytecode_entry, b->type_count, b->status);
  if (!b->attributes || !b->types) return false;
  for (int64_t next = 0, total = b->attribute_count + b->type_count; next < total;) {
    size_t group = c.at;
    int64_t dialect, count;
    if (!hlo_bytecode_index(b, &c, "dialect", b->dialect_count, &dialect) || !hlo_bytecode_count(b, &c, "entries", &count)) return false;
    if (count == 0 || count > total - next) return hlo_bytecode_fail(b, group, HLO_PARSE, "a group of %lld entries where %lld are left", (long long)count, (long long)(total - next));
    for (int64_t i = 0; i < count; i++, next++) {
      size_t at = c.at;
      uint64_t size;
      if (!hlo_bytecode_uint(b, &c, &size)) return false;
      bool custom = size & 1;
      size >>= 1;
      if (size > data.end - data.at) return hlo_bytecode_fail(b, at, HLO_PARSE, "an entry of %llu bytes where %zu are left", (unsigned long long)size, data.end - data.at);
      hlo_bytecode_entry entry = {.where = {data.at, data.at + (size_t)size}, .dialect = (int)dialect, .custom = custom};
      data.at += (size_t)size;
      if (next < b->attribute_count) b->attributes[next] = entry;
      else b->types[next - b->attribute_count] = entry;
    }
  }
  return true;
}

static bool read_properties(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_PROPERTIES];
  if (c.at == c.end) return true;
  if (!hlo_bytecode_count(b, &c, "properties", &b->property_count)) return false;
  if (!(b->properties = hlo_arena_many(&b->scratch, hlo_bytecode_cursor, b->property_count, b->status))) return false;
  for (int64_t i = 0; i < b->property_count; i++)
    if (!hlo_bytecode_blob(b, &c, &b->properties[i])) return false;
  return true;
}

/* Reads groups of resources: first those of tools, which nothing here refers to, then those of dialects. */
static bool read_resources(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_RESOURCE_OFFSETS], data = b->sections[HLO_BYTECODE_RESOURCES];
  int64_t external, count, dialect;
  if (c.at == c.end) return true;
  if (!hlo_bytecode_count(b, &c, "groups of resources", &external)) return false;
  b->resources = hlo_arena_array(&b->scratch, (int64_t)(c.end - c.at), sizeof *b->resources, b->status);
  if (!b->resources) return false;
  for (int64_t group = 0; group < external || c.at < c.end; group++) {
    hlo_bytecode_resource resource;
    if (group < external ? !hlo_bytecode_string(b, &c, &resource.key) : !hlo_bytecode_index(b, &c, "dialect", b->dialect_count, &dialect)) return false;
    if (!hlo_bytecode_count(b, &c, "resources", &count)) return false;
    for (int64_t i = 0; i < count; i++) {
      uint64_t size;
      uint8_t kind;
      if (!hlo_bytecode_string(b, &c, &resource.key) || !hlo_bytecode_uint(b, &c, &size) || !hlo_bytecode_byte(b, &c, &kind)) return false;
      if (size > data.end - data.at) return hlo_bytecode_fail(b, c.at, HLO_PARSE, "a resource of %llu bytes where %zu are left", (unsigned long long)size, data.end - data.at);
      resource.kind = kind;
      resource.where = (hlo_bytecode_cursor){data.at, data.at + (size_t)size};
      data.at += (size_t)size;
      if (group >= external) b->resources[b->resource_count++] = resource;
    }
  }
  return true;
}

/* ---- The whole file ---- */

bool hlo_bytecode_recognise(const char *bytes, size_t length) { return length >= 4 && memcmp(bytes, "ML\xefR", 4) == 0; }

static void limit_memory(hlo_bytecode *b) {
  uint64_t limit = ((uint64_t)1 << 30) + 64 * (uint64_t)b->length;
  b->arena->limit = limit < SIZE_MAX / 2 ? (size_t)limit : SIZE_MAX / 2;
}

hlo_mlir *hlo_bytecode_read(const char *bytes, size_t length, hlo_status *status) { return hlo_bytecode_read_in(NULL, bytes, length, status); }

hlo_mlir *hlo_bytecode_read_in(hlo_source *source, const char *bytes, size_t length, hlo_status *status) {
  hlo_mlir *tree = calloc(1, sizeof *tree);
  if (!tree) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a module"), NULL;
  hlo_arena_init(&tree->arena);
  hlo_bytecode b = {.bytes = (const uint8_t *)bytes, .length = length, .status = status, .tree = tree, .arena = &tree->arena,
                    .source = source, .blobs = {.size = sizeof(hlo_bytecode_constant)}};
  hlo_arena_init(&b.scratch);
  limit_memory(&b);
  hlo_bytecode_cursor c = {0, length};
  bool ok = read_header(&b, &c) && read_sections(&b, &c) && read_strings(&b) && read_dialects(&b) && read_entries(&b) &&
            read_properties(&b) && read_resources(&b) && hlo_bytecode_read_ir(&b) && hlo_bytecode_place_blobs(&b);
  hlo_list_drop(&b.blobs);
  free(b.scope);
  hlo_arena_free(&b.scratch);
  tree->arena.limit = 0;
  if (ok && hlo_ok(status)) return tree;
  hlo_mlir_free(tree);
  return NULL;
}
