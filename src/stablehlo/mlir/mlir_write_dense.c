/* Writes dense<...> and array<...> as MLIR text: nested lists while they are short, splats, and blobs of bytes. */
#include <math.h>
#include <string.h>

#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_write.h"

enum { MAX_LISTED = 64 };

/* MLIR reads a number as a float only if it has a point, and infinities and NaNs only as bits. */
static void write_real(hlo_writer *w, hlo_type type, double value) {
  if (!isfinite(value)) {
    hlo_write_format(w, "0x%0*llX", (hlo_type_bits(type) + 3) / 4, (unsigned long long)hlo_float_encode(type, value));
    return;
  }
  hlo_writer digits;
  hlo_writer_init(&digits, w->status);
  if (type == HLO_TYPE_F64) hlo_write_double(&digits, value);
  else hlo_write_float(&digits, (float)value);
  size_t whole = 0;
  while (whole < digits.length && digits.text[whole] != 'e' && digits.text[whole] != '.') whole++;
  if (digits.length) {
    hlo_write_bytes(w, digits.text, whole);
    if (whole == digits.length || digits.text[whole] != '.') hlo_write(w, ".0");
    hlo_write_bytes(w, digits.text + whole, digits.length - whole);
  }
  hlo_writer_free(&digits);
}

static void write_element(hlo_writer *w, const hlo_literal *literal, int64_t i) {
  hlo_type type = literal->shape->type, real = hlo_type_real_part(type);
  hlo_scalar value = hlo_literal_get(literal, i);
  if (type == HLO_TYPE_PRED) hlo_write(w, value.u ? "true" : "false");
  else if (hlo_type_is_complex(type)) {
    hlo_write_char(w, '(');
    write_real(w, real, value.f);
    hlo_write(w, ", ");
    write_real(w, real, value.im);
    hlo_write_char(w, ')');
  } else if (hlo_type_is_float(type)) write_real(w, type, value.f);
  else if (hlo_type_is_signed(type)) hlo_write_int(w, value.s);
  else hlo_write_uint(w, value.u);
}

static void write_blob(hlo_writer *w, const hlo_literal *literal) {
  static const char digits[] = "0123456789ABCDEF";
  const uint8_t *data = literal->data;
  size_t bytes = hlo_literal_bytes(literal);
  hlo_write(w, "\"0x");
  for (size_t i = 0; i < bytes; i++) {
    char pair[2] = {digits[data[i] >> 4], digits[data[i] & 15]};
    hlo_write_bytes(w, pair, 2);
  }
  hlo_write_char(w, '"');
}

static void write_nested(hlo_writer *w, const hlo_literal *literal, int depth, int64_t *next) {
  if (depth == literal->shape->rank) {
    write_element(w, literal, (*next)++);
    return;
  }
  hlo_write_char(w, '[');
  for (int64_t i = 0; i < literal->shape->dims[depth]; i++) {
    if (i) hlo_write(w, ", ");
    write_nested(w, literal, depth + 1, next);
  }
  hlo_write_char(w, ']');
}

/* Returns whether an element is NaN: no decimal tells which of the many NaNs it is. */
static bool any_nan(const hlo_literal *literal, int64_t count) {
  hlo_type type = literal->shape->type;
  for (int64_t i = 0; i < count && (hlo_type_is_float(type) || hlo_type_is_complex(type)); i++) {
    hlo_scalar value = hlo_literal_get(literal, i);
    if (isnan(value.f) || (hlo_type_is_complex(type) && isnan(value.im))) return true;
  }
  return false;
}

static bool all_alike(const hlo_literal *literal, int64_t count) {
  const char *data = literal->data;
  size_t size = count ? hlo_literal_bytes(literal) / (size_t)count : 0;
  return count > 1 && memcmp(data, data + size, size * (size_t)(count - 1)) == 0;
}

void hlo_mlir_write_dense(hlo_writer *w, const hlo_mlir_attribute *attribute) {
  const hlo_literal *literal = attribute->literal;
  int64_t count = hlo_shape_element_count(literal->shape), next = 0;
  if (!attribute->type) {
    hlo_mlir_type element = {.kind = HLO_MLIR_SCALAR, .element = literal->shape->type};
    hlo_write(w, "array<");
    hlo_mlir_write_type(w, &element);
    for (int64_t i = 0; i < count; i++) {
      hlo_write(w, i ? ", " : ": ");
      write_element(w, literal, i);
    }
    hlo_write_char(w, '>');
    return;
  }
  bool splat = all_alike(literal, count);
  hlo_write(w, "dense<");
  if (splat && !any_nan(literal, 1)) write_element(w, literal, 0);
  else if (count && count <= MAX_LISTED && !any_nan(literal, count)) write_nested(w, literal, 0, &next);
  else if (count) write_blob(w, literal);
  hlo_write(w, "> : ");
  hlo_mlir_write_type(w, attribute->type);
}
