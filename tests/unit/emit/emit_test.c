/* Modules written by src/emit are read again: sections and bodies must fill them to the last byte. tests/api/emitted.test.js compares what
 * the functions compute. */
#include <string.h>

#include "emit/fused_loop_emit.h"
#include "unit.h"

/* ---- A reader ---- */

typedef struct reader {
  const uint8_t *at, *end;
} reader;

static uint32_t read_u32(reader *r) {
  uint32_t value = 0;
  for (int shift = 0; r->at < r->end; shift += 7) {
    uint8_t byte = *r->at++;
    value |= (uint32_t)(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

/* Reads a size, and then a part of so many bytes. */
static reader read_part(reader *r) {
  uint32_t size = read_u32(r);
  if (size > (uint32_t)(r->end - r->at)) size = 0;
  reader part = {r->at, r->at + size};
  r->at += size;
  return part;
}

/* Section ids in order; checks the code section's bodies. Returns the number of functions, -1 if the module is not well-formed. */
static int take_apart(const hlo_writer *module, char *ids) {
  reader r = {(const uint8_t *)module->text + 8, (const uint8_t *)module->text + module->length};
  uint32_t declared = 0, bodies = 0, exported = 0;
  if (module->length < 8 || memcmp(module->text, "\0asm\1\0\0\0", 8) != 0) return -1;
  while (r.at < r.end) {
    uint8_t id = *r.at++;
    *ids++ = (char)('0' + id % 10);
    reader section = read_part(&r);
    uint32_t count = read_u32(&section);
    if (id == 3) declared = count;
    if (id == 7) exported = count;
    if (id != 10) continue;
    for (bodies = 0; bodies < count; bodies++) {
      reader body = read_part(&section);
      if (body.at == body.end || body.end[-1] != 0x0B) return -1;
    }
    if (section.at != section.end) return -1;
  }
  *ids = 0;
  return declared == bodies && exported == bodies ? (int)bodies : -1;
}

/* ---- The writer ---- */

static void test_integers(void) {
  static const struct {
    int32_t value;
    const char *bytes;
    size_t length;
  } cases[] = {{0, "\x41\x00", 2}, {63, "\x41\x3F", 2}, {64, "\x41\xC0\x00", 3}, {-64, "\x41\x40", 2}, {-65, "\x41\xBF\x7F", 3},
               {INT32_MAX, "\x41\xFF\xFF\xFF\xFF\x07", 6}, {INT32_MIN, "\x41\x80\x80\x80\x80\x78", 6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status = {0};
    hlo_wasm_function function;
    hlo_wasm_begin(&function, 0, &status);
    hlo_wasm_i32(&function, cases[i].value);
    CHECK(function.body.length == cases[i].length && memcmp(function.body.text, cases[i].bytes, cases[i].length) == 0, "i32.const %d",
          cases[i].value);
    hlo_wasm_free(&function);
  }
}

static void test_locals(void) {
  hlo_status status = {0};
  hlo_wasm_function function;
  hlo_wasm_module module;
  hlo_wasm_begin(&function, 3, &status);
  CHECK(hlo_wasm_local(&function, HLO_WASM_I32) == 3, "locals come after parameters");
  hlo_wasm_local(&function, HLO_WASM_V128);
  CHECK(hlo_wasm_local(&function, HLO_WASM_V128) == 5, "and are numbered one after another");
  hlo_wasm_module_begin(&module, &status);
  CHECK(hlo_wasm_module_add(&module, &function, 0) == 0, "the first function");
  static const char body[] = "\x06\x02\x01\x7F\x02\x7B\x0B"; /* six bytes; two runs of locals: an i32, two v128 */
  CHECK(module.code.length == sizeof body - 1 && memcmp(module.code.text, body, sizeof body - 1) == 0, "runs of locals");
  CHECK(hlo_wasm_module_add(&module, &function, 0) == 0 && module.function_count == 1, "the same function once");
  hlo_wasm_free(&function);
  hlo_wasm_module_free(&module);
}

/* ---- Loops ---- */

#define INPUT(number) {.kind = HLO_FUSED_INPUT, .bytes = 4, .operand = number, .stride = 1, .row_strides = {0, width}}
#define APPLY(name, count, ...) {.kind = HLO_FUSED_APPLY, .bytes = 4, .op = HLO_SCALAR_##name, .arity = count, .from = {__VA_ARGS__}}
#define REDUCE(name, of) {.kind = HLO_FUSED_REDUCE, .bytes = 4, .per_row = true, .reduce = HLO_REDUCE_##name, .arity = 1, .from = {of}}

/* Adds a softmax of rows of `width` to the module, and returns its number. */
static int emit_softmax(hlo_wasm_module *module, int64_t width, hlo_status *status) {
  hlo_fused_value values[] = {INPUT(0), REDUCE(f32_maximum, 0), APPLY(f32_subtract, 2, 0, 1),
                             APPLY(f32_exponential, 1, 2), REDUCE(f32_add, 3), APPLY(f32_divide, 2, 3, 4)};
  hlo_fused_output output = {5, width};
  hlo_fused_loop loop = {.dim_count = 2, .dims = {1, 8}, .rows = 8, .width = width, .has_reductions = true, .value_count = 6, .output_count = 1,
                   .values = values, .outputs = &output};
  hlo_fused_loop_prepare(&loop);
  return hlo_emit_loop(&loop, NULL, module, status);
}

static void test_modules(void) {
  static const int64_t widths[] = {1, 3, 16, 17, 128, 300, 128, 4096};
  hlo_status status = {0};
  hlo_writer first, second;
  for (int round = 0; round < 2; round++) {
    hlo_wasm_module module;
    hlo_writer *out = round ? &second : &first;
    hlo_writer_init(out, &status);
    hlo_wasm_module_begin(&module, &status);
    for (int i = 0; i < 8; i++) CHECK(emit_softmax(&module, widths[i], &status) == (i < 6 ? i : i == 6 ? 4 : 6), "softmax of %d", (int)widths[i]);
    hlo_wasm_module_write(&module, hlo_emit_signatures, HLO_EMIT_SIGNATURE_COUNT, round, out);
    hlo_wasm_module_free(&module);
    char ids[16];
    CHECK(take_apart(out, ids) == 7, "seven functions");
    CHECK_TEXT(ids, "12370");
  }
  CHECK(second.length == first.length + 3, "a shared memory has a maximum");
  CHECK(first.length < 32768, "%d bytes", (int)first.length);
  hlo_writer_free(&first);
  hlo_writer_free(&second);
}

/* Writes a loop of `count` tangents, one of another, on elements of `bytes` bytes; returns its number. */
static int emit_tangents(int bytes, int count) {
  int64_t width = 100;
  hlo_fused_value values[HLO_FUSED_MAX_VALUES] = {INPUT(0)};
  hlo_fused_output output = {count, width};
  hlo_fused_loop loop = {.rows = 1, .width = width, .value_count = count + 1, .output_count = 1, .values = values, .outputs = &output};
  values[0].bytes = (uint8_t)bytes;
  for (int i = 0; i < count; i++) values[i + 1] = (hlo_fused_value)APPLY(f32_tan, 1, i);
  hlo_status status = {0};
  hlo_wasm_module module;
  hlo_fused_loop_prepare(&loop);
  hlo_wasm_module_begin(&module, &status);
  int number = hlo_emit_loop(&loop, NULL, &module, &status);
  CHECK(hlo_ok(&status) && module.function_count == (number >= 0), "what is refused leaves nothing behind");
  hlo_wasm_module_free(&module);
  return number;
}

static void test_refused(void) {
  CHECK(emit_tangents(4, 3) == 0, "three tangents");
  CHECK(emit_tangents(16, 1) < 0, "elements of 16 bytes");
  CHECK(emit_tangents(4, HLO_FUSED_MAX_VALUES - 1) < 0, "a function that would be too large");
}

int main(void) {
  test_integers();
  test_locals();
  test_modules();
  test_refused();
  return unit_report();
}
