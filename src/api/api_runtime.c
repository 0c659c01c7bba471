/* The runtime: the one object that holds state between calls, so that the core needs no globals. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/pages.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "emit/tile_emit.h"
#include "kernels/product/byte_quads.h"
#include "shape/element_type.h"

enum { BUFFER_ALIGNMENT = 64 };

void hlo_api_begin(hlo_runtime *runtime) {
  runtime->status.code = HLO_OK;
  runtime->status.line = runtime->status.column = 0;
  runtime->status.message[0] = 0;
  hlo_writer_clear(&runtime->text);
}

void *hlo_api_object(hlo_runtime *runtime, size_t size) {
  void *object = calloc(1, size);
  if (!object) hlo_fail(&runtime->status, HLO_OUT_OF_MEMORY, "out of memory: %zu bytes", size);
  return object;
}

HLO_API(hlo_runtime *, hlo_api_runtime_new)(void) {
  hlo_runtime *runtime = calloc(1, sizeof *runtime);
  if (runtime) hlo_writer_init(&runtime->text, &runtime->status);
  return runtime;
}

/* Tile kernels with relaxed SIMD, for the host to compile if it has it. */
HLO_API(const hlo_tile_module *, hlo_api_tiles)(void) { return &hlo_emit_tile_module; }
/* Once they are in their places. */
HLO_API(void, hlo_api_tiles_installed)(void) { hlo_byte_mode_find(); }

/* ---- The last call's failure and answer ---- */

HLO_API(const char *, hlo_api_error_name)(const hlo_runtime *runtime) { return hlo_code_name(runtime->status.code); }
HLO_API(const char *, hlo_api_error_message)(const hlo_runtime *runtime) { return runtime->status.message; }
HLO_API(int, hlo_api_error_line)(const hlo_runtime *runtime) { return runtime->status.line; }
HLO_API(int, hlo_api_error_column)(const hlo_runtime *runtime) { return runtime->status.column; }
HLO_API(const char *, hlo_api_text)(const hlo_runtime *runtime) { return runtime->text.text; }
HLO_API(size_t, hlo_api_text_length)(const hlo_runtime *runtime) { return runtime->text.length; }

/* ---- Memory ---- */

static size_t rounded_up(size_t bytes) {
  if (bytes == 0) bytes = 1;
  return bytes > SIZE_MAX - BUFFER_ALIGNMENT ? 0 : (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

HLO_API(void *, hlo_api_alloc)(hlo_runtime *runtime, size_t bytes) {
  hlo_api_begin(runtime);
  size_t size = rounded_up(bytes);
  void *memory = size ? aligned_alloc(BUFFER_ALIGNMENT, size) : NULL;
  if (!memory) {
    hlo_fail(&runtime->status, HLO_OUT_OF_MEMORY, "out of memory: an array of %zu bytes does not fit", bytes);
    return NULL;
  }
  runtime->live_buffers++;
  runtime->buffer_bytes += (int64_t)bytes;
  return memory;
}

void hlo_api_disown(hlo_runtime *runtime, size_t bytes) {
  runtime->live_buffers--;
  runtime->buffer_bytes -= (int64_t)bytes;
}

HLO_API(void, hlo_api_release)(hlo_runtime *runtime, void *memory, size_t bytes) {
  if (!memory) return;
  hlo_api_disown(runtime, bytes);
  free(memory);
}

HLO_API(void, hlo_api_memory_limit)(size_t pages) { hlo_memory_limit(pages); }

HLO_API(void, hlo_api_memory)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  hlo_write_format(&runtime->text,
                   "{\"buffers\":%d,\"bufferBytes\":%lld,\"shapes\":%d,\"values\":%d,\"modules\":%d,\"executables\":%d,"
                   "\"weights\":%d,\"weightBytes\":%lld}",
                   runtime->live_buffers, (long long)runtime->buffer_bytes, runtime->live_shapes, runtime->live_values,
                   runtime->live_modules, runtime->live_executables, runtime->weights.weights,
                   (long long)runtime->weights.bytes);
}

HLO_API(void, hlo_api_decode)(int type, const void *elements, size_t count, double *values) {
  for (size_t i = 0; i < count; i++) {
    hlo_scalar scalar = hlo_scalar_load((hlo_type)type, elements, (int64_t)i);
    switch (hlo_type_classify((hlo_type)type)) {
      case HLO_CLASS_SIGNED: values[i] = (double)scalar.s; break;
      case HLO_CLASS_FLOAT: values[i] = scalar.f; break;
      case HLO_CLASS_COMPLEX:
        values[2 * i] = scalar.f;
        values[2 * i + 1] = scalar.im;
        break;
      default: values[i] = (double)scalar.u;
    }
  }
}

HLO_API(void, hlo_api_encode)(int type, const double *values, size_t count, void *elements) {
  bool is_complex = hlo_type_is_complex((hlo_type)type);
  for (size_t i = 0; i < count; i++) {
    hlo_scalar value = {.f = values[is_complex ? 2 * i : i]};
    if (is_complex) value.im = values[2 * i + 1];
    hlo_type from = is_complex ? HLO_TYPE_C128 : HLO_TYPE_F64;
    hlo_scalar_store((hlo_type)type, elements, (int64_t)i, hlo_scalar_convert((hlo_type)type, from, value));
  }
}
