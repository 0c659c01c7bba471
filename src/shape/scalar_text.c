/* The text of one element: 5, true, -1.5, (1, -2), nan(0x41). */
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/literal.h"

/* ---- Writing ---- */

/* The number of decimal digits that tell any two values of the format apart: ceil(1 + p log10(2)). */
static int distinguishing_digits(hlo_float_format format) {
  return (int)ceil(1 + (format.mantissa_bits + 1) * 0.30102999566398120);
}

static void write_nan(hlo_writer *writer, hlo_type type, double value) {
  hlo_float_format format = hlo_type_float_format(type);
  hlo_write(writer, signbit(value) ? "-nan" : "nan");
  if (!format.has_infinity) return; /* without infinity there is one NaN, or one for each sign */
  uint64_t quiet = (uint64_t)1 << (format.mantissa_bits - 1);
  uint64_t mantissa = hlo_float_encode(type, value) & (2 * quiet - 1);
  if (mantissa != quiet) hlo_write_format(writer, "(0x%llx)", (unsigned long long)mantissa);
}

static void write_float(hlo_writer *writer, hlo_type type, double value) {
  char text[32];
  if (value != value) {
    write_nan(writer, type, value);
  } else if (type == HLO_TYPE_F64) {
    hlo_write_double(writer, value);
  } else if (type == HLO_TYPE_F32) {
    hlo_write_float(writer, (float)value);
  } else {
    hlo_format(text, sizeof text, "%.*g", distinguishing_digits(hlo_type_float_format(type)), value);
    hlo_write(writer, text);
  }
}

void hlo_scalar_write(hlo_writer *writer, hlo_type type, hlo_scalar value) {
  hlo_type part = hlo_type_real_part(type);
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: hlo_write(writer, value.u ? "true" : "false"); break;
    case HLO_CLASS_SIGNED: hlo_write_int(writer, value.s); break;
    case HLO_CLASS_UNSIGNED: hlo_write_uint(writer, value.u); break;
    case HLO_CLASS_FLOAT: write_float(writer, type, value.f); break;
    case HLO_CLASS_COMPLEX:
      hlo_write_char(writer, '(');
      write_float(writer, part, value.f);
      hlo_write(writer, ", ");
      write_float(writer, part, value.im);
      hlo_write_char(writer, ')');
      break;
    default: break;
  }
}

/* ---- Reading ---- */

static bool read_pred(hlo_reader *reader, hlo_scalar *value) {
  value->u = hlo_reader_accept_word(reader, "true") || hlo_reader_accept_word(reader, "1");
  if (value->u || hlo_reader_accept_word(reader, "false") || hlo_reader_accept_word(reader, "0")) return true;
  return hlo_reader_fail(reader, "expected true, false, 1 or 0, found %s", HLO_FOUND(reader));
}

/* Returns whether the number ends here. Otherwise (1.5) the whole number is refused, not the '.' after an integer. */
static bool ends_as_integer(hlo_reader *reader, const char *where, hlo_type type) {
  char next = reader->cursor < reader->end ? *reader->cursor : 0;
  if (next != '.' && next != 'e' && next != 'E') return true;
  return hlo_reader_fail_at(reader, where, HLO_PARSE, "expected an integer for %s", hlo_type_name(type));
}

static bool read_signed(hlo_reader *reader, hlo_type type, hlo_scalar *value) {
  const char *where = reader->cursor;
  if (!hlo_reader_int(reader, &value->s)) return false;
  int64_t least = hlo_type_min_value(type).s, greatest = hlo_type_max_value(type).s;
  if (value->s < least || value->s > greatest)
    return hlo_reader_fail_at(reader, where, HLO_PARSE, "%lld does not fit into %s, which holds %lld to %lld",
                              (long long)value->s, hlo_type_name(type), (long long)least, (long long)greatest);
  return ends_as_integer(reader, where, type);
}

static bool read_unsigned(hlo_reader *reader, hlo_type type, hlo_scalar *value) {
  const char *where = reader->cursor;
  bool wraps = type == HLO_TYPE_U64 && hlo_reader_accept(reader, "-"); /* as XLA reads -1 */
  if (hlo_reader_peek(reader) == '-')
    return hlo_reader_fail(reader, "%s holds no negative numbers", hlo_type_name(type));
  if (!hlo_reader_uint(reader, &value->u)) return false;
  uint64_t greatest = hlo_type_max_value(type).u;
  if (value->u > greatest)
    return hlo_reader_fail_at(reader, where, HLO_PARSE, "%llu does not fit into %s, which holds 0 to %llu",
                              (unsigned long long)value->u, hlo_type_name(type), (unsigned long long)greatest);
  if (wraps) value->u = -value->u;
  return ends_as_integer(reader, where, type);
}

/* Reads nan, -nan or nan(0x1) with its mantissa's bits, if one comes next; *is_nan says so. */
static bool read_nan(hlo_reader *reader, hlo_type type, double *value, bool *is_nan) {
  hlo_reader ahead = *reader;
  bool negative = hlo_reader_accept(&ahead, "-");
  *is_nan = hlo_reader_accept_word(&ahead, "nan");
  if (!*is_nan) return true;
  hlo_float_format format = hlo_type_float_format(type);
  const char *where = reader->cursor;
  if (!format.has_nan) return hlo_reader_fail(reader, "%s has no NaN", hlo_type_name(type));
  uint64_t payload;
  reader->cursor = ahead.cursor;
  if (!hlo_reader_nan_payload(reader, format.has_infinity ? format.mantissa_bits : 1, &payload)) return false;
  if (reader->cursor < reader->end && *reader->cursor == '(')
    return hlo_reader_fail_at(reader, where, HLO_PARSE, "expected a number");
  *value = negative ? -(double)NAN : (double)NAN;
  if (!format.has_infinity) return true;
  int sign = format.exponent_bits + format.mantissa_bits;
  uint64_t exponent = (((uint64_t)1 << format.exponent_bits) - 1) << format.mantissa_bits;
  *value = hlo_float_decode(type, (uint64_t)negative << sign | exponent | payload);
  return true;
}

/* Returns whether a number (not NaN) is beyond the type's range. Types without infinity and NaN must be asked: encoding saturates. */
static bool overflows(hlo_type type, double value) {
  if (type == HLO_TYPE_F64) return false;
  hlo_float_format format = hlo_type_float_format(type);
  if (isinf(value)) return !format.has_infinity;
  if (!format.has_nan) return fabs(value) > hlo_type_max_value(type).f;
  return !isfinite(hlo_float_decode(type, hlo_float_encode(type, value)));
}

static bool read_float(hlo_reader *reader, hlo_type type, double *value) {
  bool is_nan;
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor, *digits = where + (where < reader->end && *where == '-');
  if (digits < reader->end && *digits == 'n') {
    if (!read_nan(reader, type, value, &is_nan)) return false;
    if (is_nan) return true;
  }
  if (!hlo_reader_double(reader, value)) return false;
  bool lost = type == HLO_TYPE_F64 && isinf(*value) && digits < reader->end && *digits != 'i';
  if (!lost && !overflows(type, *value)) return true;
  size_t length = (size_t)(reader->cursor - where);
  int shown = (int)(length < 40 ? length : 40);
  return hlo_reader_fail_at(reader, where, HLO_PARSE, "%.*s does not fit into %s", shown, where, hlo_type_name(type));
}

static bool read_complex(hlo_reader *reader, hlo_type type, hlo_scalar *value) {
  hlo_type part = hlo_type_real_part(type);
  if (hlo_reader_peek(reader) != '(')
    return hlo_reader_fail(reader, "expected a complex number like (1, -2), found %s", HLO_FOUND(reader));
  return hlo_reader_expect(reader, "(") && read_float(reader, part, &value->f) && hlo_reader_expect(reader, ",") &&
         read_float(reader, part, &value->im) && hlo_reader_expect(reader, ")");
}

bool hlo_scalar_read(hlo_reader *reader, hlo_type type, hlo_scalar *value) {
  *value = (hlo_scalar){.u = 0};
  hlo_reader_skip_space(reader);
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: return read_pred(reader, value);
    case HLO_CLASS_SIGNED: return read_signed(reader, type, value);
    case HLO_CLASS_UNSIGNED: return read_unsigned(reader, type, value);
    case HLO_CLASS_FLOAT: return read_float(reader, type, &value->f);
    case HLO_CLASS_COMPLEX: return read_complex(reader, type, value);
    default: return hlo_reader_fail(reader, "%s is not the type of an array's element", hlo_type_name(type));
  }
}
