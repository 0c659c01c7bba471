/* Single elements: reading, writing, converting, and the values that every type has. */
#include <math.h>
#include <string.h>

#include "shape/element_type.h"

#define LOAD(ctype) (((const ctype *)data)[index])
#define STORE(ctype, value) (((ctype *)data)[index] = (ctype)(value))

/* ---- Integers of any width ---- */

static int64_t sign_extend(uint64_t bits, int width) {
  uint64_t sign = (uint64_t)1 << (width - 1);
  bits &= sign | (sign - 1);
  return (int64_t)((bits ^ sign) - sign);
}

static uint64_t zero_extend(uint64_t bits, int width) {
  return width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

/* Wraps an integer to the type's width. */
static hlo_scalar integer(hlo_type type, uint64_t bits) {
  if (hlo_type_is_signed(type)) return (hlo_scalar){.s = sign_extend(bits, hlo_type_bits(type))};
  return (hlo_scalar){.u = zero_extend(bits, hlo_type_bits(type))};
}

static uint64_t load_bits(int bytes, const void *data, int64_t index) {
  switch (bytes) {
    case 1: return LOAD(uint8_t);
    case 2: return LOAD(uint16_t);
    case 4: return LOAD(uint32_t);
    default: return LOAD(uint64_t);
  }
}

static void store_bits(int bytes, void *data, int64_t index, uint64_t bits) {
  switch (bytes) {
    case 1: STORE(uint8_t, bits); break;
    case 2: STORE(uint16_t, bits); break;
    case 4: STORE(uint32_t, bits); break;
    default: STORE(uint64_t, bits); break;
  }
}

/* ---- Load and store ---- */

hlo_scalar hlo_scalar_load(hlo_type type, const void *data, int64_t index) {
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: return (hlo_scalar){.u = LOAD(uint8_t) != 0};
    case HLO_CLASS_SIGNED:
    case HLO_CLASS_UNSIGNED: return integer(type, load_bits(hlo_type_bytes(type), data, index));
    case HLO_CLASS_FLOAT:
      return (hlo_scalar){.f = hlo_float_decode(type, load_bits(hlo_type_bytes(type), data, index))};
    case HLO_CLASS_COMPLEX: {
      hlo_type part = hlo_type_real_part(type);
      int bytes = hlo_type_bytes(part);
      return (hlo_scalar){.f = hlo_float_decode(part, load_bits(bytes, data, 2 * index)),
                          .im = hlo_float_decode(part, load_bits(bytes, data, 2 * index + 1))};
    }
    default: return (hlo_scalar){.u = 0};
  }
}

void hlo_scalar_store(hlo_type type, void *data, int64_t index, hlo_scalar value) {
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: STORE(uint8_t, value.u != 0); break;
    case HLO_CLASS_SIGNED:
    case HLO_CLASS_UNSIGNED: store_bits(hlo_type_bytes(type), data, index, integer(type, value.u).u); break;
    case HLO_CLASS_FLOAT: store_bits(hlo_type_bytes(type), data, index, hlo_float_encode(type, value.f)); break;
    case HLO_CLASS_COMPLEX: {
      hlo_type part = hlo_type_real_part(type);
      int bytes = hlo_type_bytes(part);
      store_bits(bytes, data, 2 * index, hlo_float_encode(part, value.f));
      store_bits(bytes, data, 2 * index + 1, hlo_float_encode(part, value.im));
      break;
    }
    default: break;
  }
}

/* ---- Convert ---- */

static hlo_scalar float_to_integer(hlo_type to, double value) {
  if (value != value) return (hlo_scalar){.u = 0};
  int bits = hlo_type_bits(to);
  if (hlo_type_is_signed(to)) {
    double end = ldexp(1, bits - 1); /* exact; every value of smaller magnitude fits */
    if (value >= end) return hlo_type_max_value(to);
    return value < -end ? hlo_type_min_value(to) : (hlo_scalar){.s = (int64_t)value};
  }
  if (value >= ldexp(1, bits)) return hlo_type_max_value(to);
  return value <= 0 ? (hlo_scalar){.u = 0} : (hlo_scalar){.u = (uint64_t)value};
}

/* Returns a double that rounds to any narrower format as the integer itself would. Bits beyond the 53rd are kept as a set last
 * bit ("round to odd"), so that the second rounding cannot see a false tie. */
static double magnitude_rounded_to_odd(uint64_t magnitude) {
  int excess = 0;
  uint64_t kept = magnitude, dropped = 0;
  for (; kept >> 53; excess++) {
    dropped |= kept & 1;
    kept >>= 1;
  }
  return ldexp((double)(kept | dropped), excess);
}

static double integer_to_double(hlo_type to, hlo_type from, hlo_scalar value) {
  bool negative = hlo_type_is_signed(from) && value.s < 0;
  if (hlo_type_real_part(to) == HLO_TYPE_F64) return negative ? (double)value.s : (double)value.u;
  double magnitude = magnitude_rounded_to_odd(negative ? 0 - value.u : value.u);
  return negative ? -magnitude : magnitude;
}

static double rounded(hlo_type type, double value) {
  return type == HLO_TYPE_F64 ? value : hlo_float_decode(type, hlo_float_encode(type, value));
}

static hlo_scalar converted(hlo_type to, hlo_type from, hlo_scalar value) {
  bool from_float = hlo_type_is_float(from), from_complex = hlo_type_is_complex(from);
  switch (hlo_type_classify(to)) {
    case HLO_CLASS_PRED:
      if (from_complex) return (hlo_scalar){.u = value.f != 0 || value.im != 0};
      return (hlo_scalar){.u = from_float ? value.f != 0 : value.u != 0};
    case HLO_CLASS_SIGNED:
    case HLO_CLASS_UNSIGNED:
      return from_float || from_complex ? float_to_integer(to, value.f) : integer(to, value.u);
    case HLO_CLASS_FLOAT:
    case HLO_CLASS_COMPLEX: {
      hlo_type part = hlo_type_real_part(to);
      double re = from_float || from_complex ? value.f : integer_to_double(to, from, value);
      return (hlo_scalar){.f = rounded(part, re),
                          .im = from_complex && hlo_type_is_complex(to) ? rounded(part, value.im) : 0};
    }
    default: return (hlo_scalar){.u = 0};
  }
}

hlo_scalar hlo_scalar_convert(hlo_type to, hlo_type from, hlo_scalar value) {
  return to == from ? value : hlo_scalar_made_of(converted(to, from, value), value, value);
}

bool hlo_scalar_equal(hlo_type type, hlo_scalar a, hlo_scalar b) {
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_FLOAT: return a.f == b.f;
    case HLO_CLASS_COMPLEX: return a.f == b.f && a.im == b.im;
    default: return a.u == b.u;
  }
}

/* ---- Values every type has ---- */

static double largest_float(hlo_type type) {
  hlo_float_format format = hlo_type_float_format(type);
  if (format.has_infinity) return (double)INFINITY;
  uint64_t code = ((uint64_t)1 << (format.exponent_bits + format.mantissa_bits)) - 1;
  double value = hlo_float_decode(type, code);
  return value == value ? value : hlo_float_decode(type, code - 1);
}

hlo_scalar hlo_type_max_value(hlo_type type) {
  int bits = hlo_type_bits(type);
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: return (hlo_scalar){.u = 1};
    case HLO_CLASS_SIGNED: return (hlo_scalar){.s = (int64_t)(((uint64_t)1 << (bits - 1)) - 1)};
    case HLO_CLASS_UNSIGNED: return (hlo_scalar){.u = zero_extend(UINT64_MAX, bits)};
    case HLO_CLASS_FLOAT: return (hlo_scalar){.f = largest_float(type)};
    case HLO_CLASS_COMPLEX: return (hlo_scalar){.f = (double)INFINITY, .im = (double)INFINITY};
    default: return (hlo_scalar){.u = 0};
  }
}

hlo_scalar hlo_type_min_value(hlo_type type) {
  int bits = hlo_type_bits(type);
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_SIGNED: return (hlo_scalar){.s = sign_extend((uint64_t)1 << (bits - 1), bits)};
    case HLO_CLASS_FLOAT:
      if (!hlo_type_float_format(type).has_sign) return (hlo_scalar){.f = hlo_float_decode(type, 0)};
      return (hlo_scalar){.f = -largest_float(type)};
    case HLO_CLASS_COMPLEX: return (hlo_scalar){.f = -(double)INFINITY, .im = -(double)INFINITY};
    default: return (hlo_scalar){.u = 0};
  }
}

hlo_scalar hlo_scalar_zero(hlo_type type) {
  (void)type; /* zero has the same bits in all members of the union */
  return (hlo_scalar){.u = 0};
}

hlo_scalar hlo_scalar_one(hlo_type type) {
  if (hlo_type_is_float(type) || hlo_type_is_complex(type)) return (hlo_scalar){.f = 1};
  return (hlo_scalar){.u = 1};
}
