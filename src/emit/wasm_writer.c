/* WebAssembly's binary form: sections, each with its size; integers as LEB128. */
#include "emit/wasm_writer.h"

#include <string.h>

enum { SECTION_TYPE = 1, SECTION_IMPORT = 2, SECTION_FUNCTION = 3, SECTION_EXPORT = 7, SECTION_CODE = 10 };
enum { KIND_FUNCTION = 0, KIND_TABLE = 1, KIND_MEMORY = 2, FORM_FUNCTION = 0x60, TYPE_FUNCREF = 0x70, PREFIX_SIMD = 0xFD };

/* The fast path: there is room for the byte and a NUL. */
static void write_byte(hlo_writer *writer, int byte) {
  if (!writer->text || writer->length + 1 >= writer->capacity) {
    hlo_write_char(writer, (char)byte);
    return;
  }
  writer->text[writer->length++] = (char)byte;
  writer->text[writer->length] = 0;
}

static void write_u32(hlo_writer *writer, uint32_t value) {
  for (; value >= 0x80; value >>= 7) write_byte(writer, (int)(value & 0x7F) | 0x80);
  write_byte(writer, (int)value);
}

static void write_signed(hlo_writer *writer, int64_t value) {
  while (value < -0x40 || value >= 0x40) {
    write_byte(writer, (int)(value & 0x7F) | 0x80);
    value >>= 7; /* an arithmetic shift */
  }
  write_byte(writer, (int)(value & 0x7F));
}

static void write_name(hlo_writer *writer, const char *name) {
  write_u32(writer, (uint32_t)strlen(name));
  hlo_write(writer, name);
}

/* ---- Functions ---- */

void hlo_wasm_begin(hlo_wasm_function *function, int parameter_count, hlo_status *status) {
  *function = (hlo_wasm_function){.parameter_count = parameter_count};
  hlo_writer_init(&function->hoisted, status);
  hlo_writer_init(&function->body, status);
  hlo_writer_init(&function->locals, status);
  function->code = &function->body;
}

void hlo_wasm_free(hlo_wasm_function *function) {
  hlo_writer_free(&function->hoisted);
  hlo_writer_free(&function->body);
  hlo_writer_free(&function->locals);
}

int hlo_wasm_local(hlo_wasm_function *function, hlo_wasm_type type) {
  write_byte(&function->locals, type);
  return function->parameter_count + (int)function->locals.length - 1;
}

void hlo_wasm_op(hlo_wasm_function *function, hlo_wasm_opcode opcode) { write_byte(function->code, opcode); }

void hlo_wasm_op_u32(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t immediate) {
  write_byte(function->code, opcode);
  write_u32(function->code, immediate);
}

void hlo_wasm_i32(hlo_wasm_function *function, int32_t value) {
  write_byte(function->code, HLO_WASM_I32_CONST);
  write_signed(function->code, value);
}

void hlo_wasm_i64(hlo_wasm_function *function, int64_t value) {
  write_byte(function->code, HLO_WASM_I64_CONST);
  write_signed(function->code, value);
}

static void write_memory_argument(hlo_writer *writer, uint32_t alignment, uint32_t offset) {
  write_u32(writer, alignment);
  write_u32(writer, offset);
}

void hlo_wasm_access(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t offset) {
  write_byte(function->code, opcode);
  write_memory_argument(function->code, 0, offset);
}

void hlo_wasm_op_simd(hlo_wasm_function *function, uint32_t opcode) {
  write_byte(function->code, PREFIX_SIMD);
  write_u32(function->code, opcode);
}

void hlo_wasm_access_simd(hlo_wasm_function *function, uint32_t opcode, uint32_t offset) {
  hlo_wasm_op_simd(function, opcode);
  write_memory_argument(function->code, 0, offset);
}

void hlo_wasm_lane(hlo_wasm_function *function, int lane) { write_byte(function->code, lane); }

void hlo_wasm_shuffle(hlo_wasm_function *function, int a, int b, int c, int d) {
  const int lanes[4] = {a, b, c, d};
  hlo_wasm_op_simd(function, HLO_WASM_I8X16_SHUFFLE);
  for (int i = 0; i < 16; i++) write_byte(function->code, lanes[i / 4] * 4 + i % 4);
}

void hlo_wasm_v128(hlo_wasm_function *function, uint64_t bits) {
  hlo_wasm_op_simd(function, HLO_WASM_V128_CONST);
  for (int i = 0; i < 16; i++) write_byte(function->code, (int)(bits >> 8 * (i % 8) & 0xFF));
}

void hlo_wasm_memory_copy(hlo_wasm_function *function) { hlo_write_bytes(function->code, "\xFC\x0A\0\0", 4); }

void hlo_wasm_call_indirect(hlo_wasm_function *function, int type) {
  function->calls = true;
  hlo_wasm_op_u32(function, HLO_WASM_CALL_INDIRECT, (uint32_t)type);
  write_byte(function->code, 0); /* number of the table */
}

/* Writes the types of locals, as runs of one type. */
static void write_locals(const hlo_wasm_function *function, hlo_writer *out) {
  const char *types = function->locals.text;
  size_t count = function->locals.length, runs = 0;
  for (size_t i = 0; i < count; i++) runs += i == 0 || types[i] != types[i - 1];
  write_u32(out, (uint32_t)runs);
  for (size_t i = 0, next; i < count; i = next) {
    for (next = i; next < count && types[next] == types[i];) next++;
    write_u32(out, (uint32_t)(next - i));
    write_byte(out, types[i]);
  }
}

size_t hlo_wasm_size(const hlo_wasm_function *function) { return function->hoisted.length + function->body.length; }

/* ---- Modules ---- */

void hlo_wasm_module_begin(hlo_wasm_module *module, hlo_status *status) {
  *module = (hlo_wasm_module){0};
  hlo_writer_init(&module->types, status);
  hlo_writer_init(&module->code, status);
  hlo_writer_init(&module->ends, status);
}

void hlo_wasm_module_free(hlo_wasm_module *module) {
  hlo_writer_free(&module->types);
  hlo_writer_free(&module->code);
  hlo_writer_free(&module->ends);
}

/* Offset in the code at which function `n` begins. */
static size_t beginning(const hlo_wasm_module *module, int n) {
  size_t end = 0;
  if (n > 0) memcpy(&end, module->ends.text + (size_t)(n - 1) * sizeof end, sizeof end);
  return end;
}

static int find_same(const hlo_wasm_module *module, const char *body, size_t length) {
  for (int n = 0; n < module->function_count; n++) {
    size_t begin = beginning(module, n);
    if (beginning(module, n + 1) - begin == length && memcmp(module->code.text + begin, body, length) == 0) return n;
  }
  return -1;
}

int hlo_wasm_module_add(hlo_wasm_module *module, const hlo_wasm_function *function, int type) {
  hlo_writer locals, body;
  hlo_writer_init(&locals, module->code.status);
  hlo_writer_init(&body, module->code.status);
  write_locals(function, &locals);
  write_u32(&body, (uint32_t)(locals.length + hlo_wasm_size(function) + 1));
  hlo_write_bytes(&body, locals.text, locals.length);
  hlo_write_bytes(&body, function->hoisted.text, function->hoisted.length);
  hlo_write_bytes(&body, function->body.text, function->body.length);
  write_byte(&body, HLO_WASM_END);
  module->calls |= function->calls;
  int number = find_same(module, body.text, body.length);
  if (number < 0) {
    write_u32(&module->types, (uint32_t)type);
    hlo_write_bytes(&module->code, body.text, body.length);
    hlo_write_bytes(&module->ends, (const char *)&module->code.length, sizeof module->code.length);
    number = module->function_count++;
  }
  hlo_writer_free(&locals);
  hlo_writer_free(&body);
  return hlo_ok(module->code.status) ? number : -1;
}

static void write_section(hlo_writer *out, int id, const hlo_writer *content) {
  write_byte(out, id);
  write_u32(out, (uint32_t)content->length);
  hlo_write_bytes(out, content->text, content->length);
}

static void write_types(hlo_writer *out, const char *letters, size_t count) {
  write_u32(out, (uint32_t)count);
  for (size_t i = 0; i < count; i++) write_byte(out, letters[i] == 'l' ? HLO_WASM_I64 : HLO_WASM_I32);
}

static void write_signatures(hlo_writer *out, const char *const *signatures, int count) {
  write_u32(out, (uint32_t)count);
  for (int i = 0; i < count; i++) {
    write_byte(out, FORM_FUNCTION);
    size_t parameters = strcspn(signatures[i], ":");
    write_types(out, signatures[i], parameters);
    write_types(out, signatures[i] + parameters + 1, signatures[i][parameters] ? 1 : 0);
  }
}

/* A shared memory must be imported with a maximum; 65536 pages allow any. */
static void write_imports(hlo_writer *out, bool shared_memory, bool table) {
  write_u32(out, 1 + table);
  write_name(out, "env");
  write_name(out, "memory");
  write_byte(out, KIND_MEMORY);
  write_byte(out, shared_memory ? 3 : 0);
  write_u32(out, 0);
  if (shared_memory) write_u32(out, 65536);
  if (!table) return;
  write_name(out, "env");
  write_name(out, "table");
  write_byte(out, KIND_TABLE);
  write_byte(out, TYPE_FUNCREF);
  write_byte(out, 0);
  write_u32(out, 0);
}

static void write_exports(hlo_writer *out, int count) {
  write_u32(out, (uint32_t)count);
  for (int i = 0; i < count; i++) {
    char name[12], *digit = name + sizeof name - 1;
    int rest = i;
    *digit = 0;
    do *--digit = (char)('0' + rest % 10);
    while (rest /= 10);
    write_name(out, digit);
    write_byte(out, KIND_FUNCTION);
    write_u32(out, (uint32_t)i);
  }
}

void hlo_wasm_module_write(const hlo_wasm_module *module, const char *const *signatures, int signature_count, bool shared_memory, hlo_writer *out) {
  hlo_write_bytes(out, "\0asm\1\0\0\0", 8);
  hlo_writer content;
  hlo_writer_init(&content, out->status);
  write_signatures(&content, signatures, signature_count);
  write_section(out, SECTION_TYPE, &content);
  content.length = 0;
  write_imports(&content, shared_memory, module->calls);
  write_section(out, SECTION_IMPORT, &content);
  content.length = 0;
  write_u32(&content, (uint32_t)module->function_count);
  hlo_write_bytes(&content, module->types.text, module->types.length);
  write_section(out, SECTION_FUNCTION, &content);
  content.length = 0;
  write_exports(&content, module->function_count);
  write_section(out, SECTION_EXPORT, &content);
  content.length = 0;
  write_u32(&content, (uint32_t)module->function_count);
  hlo_write_bytes(&content, module->code.text, module->code.length);
  write_section(out, SECTION_CODE, &content);
  hlo_writer_free(&content);
}
