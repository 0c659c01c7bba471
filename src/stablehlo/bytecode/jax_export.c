/* The wrapper of jax.export: a FlatBuffers table whose field 13 is the artifact (jax/_src/export/serialization.fbs).
 *
 *   [offset of the table] ... table: [distance back to its vtable] [fields]
 *   vtable: [its size] [the table's size] [offset of each field in the table, 0: absent]
 *
 * Numbers are little-endian; nothing but the path to that field is looked at. */
#include <string.h>

#include "stablehlo/bytecode/bytecode.h"

enum { MODULE_FIELD = 13, FIRST_FIELD = 4 };

typedef struct flat {
  const uint8_t *bytes;
  size_t length;
} flat;

static bool read_number(const flat *f, size_t at, size_t size, uint32_t *value) {
  if (at > f->length || size > f->length - at) return false;
  *value = 0;
  for (size_t i = 0; i < size; i++) *value |= (uint32_t)f->bytes[at + i] << 8 * i;
  return true;
}

/* Where a field of the table stands; false when it is absent or anything is out of range. */
static bool find_field(const flat *f, size_t table, int field, size_t *at) {
  uint32_t back, size, offset;
  if (!read_number(f, table, 4, &back)) return false;
  int64_t vtable = (int64_t)table - (int32_t)back;
  if (vtable < 0 || !read_number(f, (size_t)vtable, 2, &size)) return false;
  size_t slot = FIRST_FIELD + 2 * (size_t)field;
  if (slot + 2 > size || !read_number(f, (size_t)vtable + slot, 2, &offset) || offset == 0) return false;
  *at = table + offset;
  return *at < f->length;
}

/* A vector: its offset from the field, then its length, then its bytes. */
static bool find_bytes(const flat *f, size_t field, hlo_span *span) {
  uint32_t offset, length;
  if (!read_number(f, field, 4, &offset)) return false;
  uint64_t at = (uint64_t)field + offset;
  if (at > f->length || !read_number(f, (size_t)at, 4, &length) || length > f->length - (size_t)at - 4) return false;
  *span = (hlo_span){(const char *)f->bytes + at + 4, length};
  return true;
}

static bool find_module(const flat *f, hlo_span *module) {
  uint32_t root;
  size_t field;
  return f->length >= 8 && read_number(f, 0, 4, &root) && find_field(f, root, MODULE_FIELD, &field) && find_bytes(f, field, module);
}

bool hlo_jax_export_recognise(const char *bytes, size_t length) {
  flat f = {(const uint8_t *)bytes, length};
  hlo_span module;
  return find_module(&f, &module) && hlo_bytecode_recognise(module.text, module.length);
}

bool hlo_jax_export_module(const char *bytes, size_t length, hlo_span *module, hlo_status *status) {
  flat f = {(const uint8_t *)bytes, length};
  if (!find_module(&f, module)) return hlo_fail(status, HLO_PARSE, "byte 0: this is no serialized jax.export, or it is cut short: it leads to no module");
  if (hlo_bytecode_recognise(module->text, module->length)) return true;
  return hlo_fail(status, HLO_PARSE, "byte %zu: the module of the jax.export is no MLIR bytecode", (size_t)(module->text - bytes));
}
