/* The tables of types and attributes. Each entry is read when it is first used, in its dialect's encoding or, if the dialect
 * has none, as text. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

enum { MAX_WEIGHT = 1 << 22 };

/* ---- One entry ---- */

static const void *read_text(hlo_bytecode *b, const hlo_bytecode_entry *entry, bool is_type) {
  hlo_mlir_reader *r = calloc(1, sizeof *r);
  if (!r) return hlo_fail(b->status, HLO_OUT_OF_MEMORY, "no memory to read text"), NULL;
  hlo_status status = {0};
  size_t length = entry->where.end - entry->where.at;
  const char *text = (const char *)b->bytes + entry->where.at;
  if (b->source) text = hlo_arena_text(b->arena, text, length, b->status); /* whose bytes do not stay as they are */
  if (!text) return free(r), NULL;
  if (length && text[length - 1] == 0) length--;
  hlo_reader_init(&r->text, text, length, &status);
  r->arena = b->arena;
  r->status = &status;
  const void *value = is_type ? (const void *)hlo_mlir_read_type(r) : (const void *)hlo_mlir_read_attribute(r);
  if (value && !hlo_reader_at_end(&r->text)) value = (hlo_reader_fail(&r->text, "expected the end of the text"), NULL);
  free(r);
  if (!value) hlo_bytecode_fail(b, entry->where.at, status.code ? status.code : HLO_PARSE, "%s", status.message);
  return value;
}

static bool is_opaque(hlo_span dialect) {
  return !hlo_span_is(dialect, "stablehlo") && !hlo_span_is(dialect, "chlo") && !hlo_span_is(dialect, "mhlo");
}

/* Attributes and types of other dialects are kept without their contents. */
static const void *read_foreign(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_span dialect, bool is_type) {
  if (!is_type && is_opaque(dialect)) {
    hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_RAW);
    if (attribute) attribute->text = dialect;
    c->at = c->end;
    return attribute;
  }
  hlo_bytecode_fail(b, c->at, HLO_UNSUPPORTED, "the encoding of the dialect %.*s is not known; jax.export or stablehlo.serialize_portable_artifact write a portable artifact, which can be read",
                    (int)(dialect.length > 60 ? 60 : dialect.length), dialect.text);
  return NULL;
}

static const void *read_custom(hlo_bytecode *b, const hlo_bytecode_entry *entry, bool is_type) {
  hlo_span dialect = b->dialects[entry->dialect];
  hlo_bytecode_cursor c = entry->where;
  const void *value;
  if (hlo_span_is(dialect, "vhlo")) value = is_type ? (const void *)hlo_vhlo_read_type(b, &c) : (const void *)hlo_vhlo_read_attribute(b, &c);
  else if (hlo_span_is(dialect, "builtin")) value = is_type ? (const void *)hlo_builtin_read_type(b, &c) : (const void *)hlo_builtin_read_attribute(b, &c);
  else if (hlo_span_is(dialect, "stablehlo")) value = is_type ? (const void *)hlo_stablehlo_read_type(b, &c) : (const void *)hlo_stablehlo_read_attribute(b, &c);
  else if (hlo_span_is(dialect, "chlo") && !is_type) value = hlo_chlo_read_attribute(b, &c);
  else if (hlo_span_is(dialect, "sdy") && !is_type) value = hlo_sdy_read_attribute(b, &c);
  else value = read_foreign(b, &c, dialect, is_type);
  if (value && c.at != c.end) value = (hlo_bytecode_fail(b, c.at, HLO_PARSE, "%zu bytes too many in a%s", c.end - c.at, is_type ? " type" : "n attribute"), NULL);
  return value;
}

/* Reads an entry, and adds its weight to that of the entry that contains it. This refuses a file whose entries each contain
 * another one twice, and so on: such a file would expand exponentially. */
static const void *read_entry(hlo_bytecode *b, hlo_bytecode_entry *entry, bool is_type) {
  const char *what = is_type ? "type" : "attribute";
  if (!entry->value) {
    if (entry->open) return hlo_bytecode_fail(b, entry->where.at, HLO_PARSE, "a%s %s contains itself", is_type ? "" : "n", what), NULL;
    if (!hlo_bytecode_enter(b, entry->where.at)) return NULL;
    int64_t outer = b->weight;
    b->weight = 1;
    entry->open = true;
    entry->value = entry->custom ? read_custom(b, entry, is_type) : read_text(b, entry, is_type);
    entry->open = false;
    hlo_bytecode_leave(b);
    if (!entry->value) {
      if (hlo_ok(b->status)) hlo_bytecode_fail(b, entry->where.at, HLO_INTERNAL, "reading this %s failed without a reason", what);
      return NULL;
    }
    entry->weight = (int)b->weight;
    b->weight = outer;
  }
  b->weight += entry->weight;
  if (b->weight > MAX_WEIGHT) return hlo_bytecode_fail(b, entry->where.at, HLO_LIMIT, "a type or attribute of more than %d parts", MAX_WEIGHT), NULL;
  return entry->value;
}

const hlo_mlir_type *hlo_bytecode_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  int64_t index;
  return hlo_bytecode_index(b, c, "type", b->type_count, &index) ? read_entry(b, &b->types[index], true) : NULL;
}

const hlo_mlir_type *hlo_bytecode_type_at(hlo_bytecode *b, int64_t index) { return read_entry(b, &b->types[index], true); }

const hlo_mlir_attribute *hlo_bytecode_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  int64_t index;
  return hlo_bytecode_index(b, c, "attribute", b->attribute_count, &index) ? read_entry(b, &b->attributes[index], false) : NULL;
}

/* Reads index << 1 | 1, or 0 for no attribute. */
bool hlo_bytecode_optional_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute **attribute) {
  size_t at = c->at;
  uint64_t flagged;
  *attribute = NULL;
  if (!hlo_bytecode_uint(b, c, &flagged)) return false;
  if (!(flagged & 1)) return true;
  if (flagged >> 1 >= (uint64_t)b->attribute_count)
    return hlo_bytecode_fail(b, at, HLO_PARSE, "attribute %llu of a table of %lld", (unsigned long long)(flagged >> 1), (long long)b->attribute_count);
  return (*attribute = read_entry(b, &b->attributes[flagged >> 1], false)) != NULL;
}

/* ---- Lists ---- */

bool hlo_bytecode_attributes(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute ***attributes, int *count) {
  int64_t total;
  if (!hlo_bytecode_count(b, c, "attributes", &total)) return false;
  *count = (int)total;
  *attributes = hlo_arena_many(b->arena, const hlo_mlir_attribute *, total, b->status);
  for (int64_t i = 0; *attributes && i < total; i++)
    if (!((*attributes)[i] = hlo_bytecode_attribute(b, c))) return false;
  return *attributes != NULL;
}

bool hlo_bytecode_types(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_type ***types, int *count) {
  int64_t total;
  if (!hlo_bytecode_count(b, c, "types", &total)) return false;
  *count = (int)total;
  *types = hlo_arena_many(b->arena, const hlo_mlir_type *, total, b->status);
  for (int64_t i = 0; *types && i < total; i++)
    if (!((*types)[i] = hlo_bytecode_type(b, c))) return false;
  return *types != NULL;
}

/* ---- Making attributes ---- */

hlo_mlir_attribute *hlo_bytecode_new_attribute(hlo_bytecode *b, hlo_mlir_attribute_kind kind) {
  hlo_mlir_attribute *attribute = hlo_arena_new(b->arena, hlo_mlir_attribute, b->status);
  if (attribute) attribute->kind = kind;
  return attribute;
}

const hlo_mlir_attribute *hlo_bytecode_word(hlo_bytecode *b, hlo_mlir_attribute_kind kind, const char *text) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, kind);
  if (attribute) attribute->text = (hlo_span){text, strlen(text)};
  return attribute;
}

const hlo_mlir_attribute *hlo_bytecode_integer(hlo_bytecode *b, int64_t value) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_INT);
  if (!attribute) return NULL;
  attribute->integer = value;
  return (attribute->type = hlo_bytecode_scalar(b, HLO_TYPE_S64, NULL)) ? attribute : NULL;
}

const hlo_mlir_attribute *hlo_bytecode_dict(hlo_bytecode *b, hlo_span mnemonic, const hlo_mlir_named *named, int count) {
  hlo_mlir_attribute *dict = hlo_bytecode_new_attribute(b, HLO_MLIR_DICT);
  hlo_span *names = hlo_arena_many(b->arena, hlo_span, count, b->status);
  const hlo_mlir_attribute **elements = hlo_arena_many(b->arena, const hlo_mlir_attribute *, count, b->status);
  if (!dict || !names || !elements) return NULL;
  for (int i = 0; i < count; i++) {
    if (!named[i].value) return NULL;
    names[i] = named[i].name;
    elements[i] = named[i].value;
  }
  dict->text = mnemonic;
  dict->count = count;
  dict->names = names;
  dict->elements = elements;
  return dict;
}
