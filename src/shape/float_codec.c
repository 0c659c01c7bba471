/* Converts the bits of every floating-point format to double and back.
 *
 * The same code serves all formats: sign, exponent field, mantissa field. The flags of a format's row say which codes are infinity
 * and NaN. The suffixes are those of ml_dtypes, whose conversions these are:
 *
 *   has_infinity             as in IEEE 754: an exponent of all ones is infinity, or NaN with a mantissa
 *   only has_nan  ("fn")     all ones in both fields is NaN; all other codes are numbers
 *   no negative 0 ("fnuz")   the code that would be -0 is the only NaN
 *   no sign or 0  ("fnu")    powers of two; all ones is NaN
 *   no inf or NaN (f4, f6)   all codes are numbers; NaN is written as the zero of opposite sign */
#include <string.h>

#include "base/float_bits.h"
#include "shape/element_type.h"

enum { DOUBLE_MANTISSA = 52, DOUBLE_BIAS = 1023, DOUBLE_EXPONENT = 0x7FF };

#define IEEE(e, m) {e, m, (1 << ((e)-1)) - 1, true, true, true, true, true}
#define FN(e, m) {e, m, (1 << ((e)-1)) - 1, false, true, true, true, true}
#define FNUZ(e, m, bias) {e, m, bias, false, true, false, true, true}
#define NUMBERS_ONLY(e, m) {e, m, (1 << ((e)-1)) - 1, false, false, true, true, true}

static const hlo_float_format formats[HLO_TYPE_COUNT] = {
    [HLO_TYPE_F4E2M1FN] = NUMBERS_ONLY(2, 1),
    [HLO_TYPE_F6E2M3FN] = NUMBERS_ONLY(2, 3),
    [HLO_TYPE_F6E3M2FN] = NUMBERS_ONLY(3, 2),
    [HLO_TYPE_F8E3M4] = IEEE(3, 4),
    [HLO_TYPE_F8E4M3] = IEEE(4, 3),
    [HLO_TYPE_F8E4M3FN] = FN(4, 3),
    [HLO_TYPE_F8E4M3B11FNUZ] = FNUZ(4, 3, 11),
    [HLO_TYPE_F8E4M3FNUZ] = FNUZ(4, 3, 8),
    [HLO_TYPE_F8E5M2] = IEEE(5, 2),
    [HLO_TYPE_F8E5M2FNUZ] = FNUZ(5, 2, 16),
    [HLO_TYPE_F8E8M0FNU] = {8, 0, 127, false, true, false, false, false},
    [HLO_TYPE_BF16] = IEEE(8, 7),
    [HLO_TYPE_F16] = IEEE(5, 10),
    [HLO_TYPE_F32] = IEEE(8, 23),
    [HLO_TYPE_F64] = IEEE(11, 52),
};

hlo_float_format hlo_type_float_format(hlo_type type) {
  return (unsigned)type < HLO_TYPE_COUNT ? formats[type] : (hlo_float_format){0};
}

bool hlo_type_is_small_float(hlo_type type) {
  return hlo_type_is_float(type) && hlo_type_bits(type) <= 8 && hlo_type_float_format(type).has_sign;
}

static double double_from_fields(bool negative, int exponent_field, uint64_t mantissa) {
  return hlo_double_of_bits((uint64_t)negative << 63 | (uint64_t)exponent_field << DOUBLE_MANTISSA | mantissa);
}

static int sign_shift(const hlo_float_format *f) { return f->exponent_bits + f->mantissa_bits; }

/* A mask of all bits but the sign: the code of a magnitude. */
static uint64_t magnitude_mask(const hlo_float_format *f) { return ((uint64_t)1 << sign_shift(f)) - 1; }

static uint64_t infinity_code(const hlo_float_format *f) {
  return (((uint64_t)1 << f->exponent_bits) - 1) << f->mantissa_bits;
}

static uint64_t largest_code(const hlo_float_format *f) {
  if (f->has_infinity) return infinity_code(f) - 1;
  bool all_ones_is_nan = f->has_nan && (f->has_negative_zero || !f->has_sign);
  return magnitude_mask(f) - all_ones_is_nan;
}

/* ---- Bits to double ---- */

static bool is_nan_code(const hlo_float_format *f, bool negative, uint64_t magnitude) {
  if (!f->has_nan) return false;
  if (f->has_sign && !f->has_negative_zero) return negative && magnitude == 0;
  return magnitude > (f->has_infinity ? infinity_code(f) : largest_code(f));
}

/* Keeps the NaN's mantissa bits, so that decoding and encoding gives the same code again. */
static double decode_nan(const hlo_float_format *f, bool negative, uint64_t magnitude) {
  uint64_t mantissa = (uint64_t)1 << (DOUBLE_MANTISSA - 1);
  if (f->has_infinity) mantissa = (magnitude - infinity_code(f)) << (DOUBLE_MANTISSA - f->mantissa_bits);
  return double_from_fields(negative, DOUBLE_EXPONENT, mantissa);
}

static double decode_small(const hlo_float_format *f, uint64_t bits) {
  uint64_t magnitude = bits & magnitude_mask(f);
  bool negative = f->has_sign && (bits >> sign_shift(f) & 1);
  if (is_nan_code(f, negative, magnitude)) return decode_nan(f, negative, magnitude);
  if (f->has_infinity && magnitude == infinity_code(f)) return double_from_fields(negative, DOUBLE_EXPONENT, 0);

  int exponent_field = (int)(magnitude >> f->mantissa_bits);
  uint64_t mantissa = magnitude & (((uint64_t)1 << f->mantissa_bits) - 1);
  if (exponent_field == 0 && f->has_zero) {
    int exponent = 1 - f->bias - f->mantissa_bits; /* the exponent of the mantissa's last bit */
    double value = (double)mantissa * double_from_fields(false, exponent + DOUBLE_BIAS, 0);
    return negative ? -value : value;
  }
  return double_from_fields(negative, exponent_field - f->bias + DOUBLE_BIAS,
                            mantissa << (DOUBLE_MANTISSA - f->mantissa_bits));
}

double hlo_float_decode(hlo_type type, uint64_t bits) {
  if (type == HLO_TYPE_F64) return hlo_double_of_bits(bits);
  if (type == HLO_TYPE_BF16) {
    type = HLO_TYPE_F32;
    bits <<= 16;
  }
  if (type == HLO_TYPE_F32 && (~bits & 0x7F800000) != 0) { /* a finite number: the processor widens it exactly */
    uint32_t single_bits = (uint32_t)bits;
    float single;
    memcpy(&single, &single_bits, sizeof single);
    return single;
  }
  return decode_small(&formats[type], bits);
}

/* ---- Double to bits ---- */

static uint64_t encode_nan(const hlo_float_format *f, bool negative, uint64_t mantissa) {
  uint64_t sign = (uint64_t)negative << sign_shift(f);
  if (!f->has_nan) return sign ^ (uint64_t)1 << sign_shift(f);
  if (!f->has_sign) return magnitude_mask(f);
  if (!f->has_negative_zero) return (uint64_t)1 << sign_shift(f);
  if (!f->has_infinity) return sign | magnitude_mask(f);
  uint64_t kept = mantissa >> (DOUBLE_MANTISSA - f->mantissa_bits);
  if (kept == 0) kept = (uint64_t)1 << (f->mantissa_bits - 1);
  return sign | infinity_code(f) | kept;
}

static uint64_t encode_overflow(const hlo_float_format *f, bool negative) {
  if (f->has_infinity) return (uint64_t)negative << sign_shift(f) | infinity_code(f);
  if (f->has_nan) return encode_nan(f, negative, 0);
  return (uint64_t)negative << sign_shift(f) | largest_code(f);
}

/* Shifts right by `shift` bits, rounding to nearest, ties to even. */
static uint64_t round_off(uint64_t significand, int shift) {
  if (shift <= 0) return significand;
  if (shift > 63) return 0;
  uint64_t kept = significand >> shift, rest = significand & (((uint64_t)1 << shift) - 1);
  uint64_t half = (uint64_t)1 << (shift - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

/* Returns the code of a positive finite value, which may still overflow: rounding up carries from the mantissa into the exponent
 * field without further ado. */
static uint64_t encode_magnitude(const hlo_float_format *f, int exponent_field, uint64_t mantissa) {
  if (exponent_field == 0) return 0; /* a subnormal double is less than half of the least value of any other format */
  uint64_t significand = (uint64_t)1 << DOUBLE_MANTISSA | mantissa;
  int field = exponent_field - DOUBLE_BIAS + f->bias;
  int least_field = f->has_zero ? 1 : 0, shift = DOUBLE_MANTISSA - f->mantissa_bits;
  if (field >= least_field) {
    uint64_t implicit = (uint64_t)1 << f->mantissa_bits;
    return ((uint64_t)field << f->mantissa_bits) + round_off(significand, shift) - implicit;
  }
  return f->has_zero ? round_off(significand, shift + 1 - field) : 0;
}

static uint64_t encode_small(const hlo_float_format *f, double value) {
  uint64_t bits = hlo_double_bits(value), mantissa = bits & (((uint64_t)1 << DOUBLE_MANTISSA) - 1);
  bool negative = bits >> 63;
  int exponent_field = (int)(bits >> DOUBLE_MANTISSA) & DOUBLE_EXPONENT;
  if (value != value) return encode_nan(f, negative, mantissa);
  if ((!f->has_sign && negative) || (!f->has_zero && value == 0)) return encode_nan(f, negative, mantissa);
  if (exponent_field == DOUBLE_EXPONENT) return encode_overflow(f, negative);

  uint64_t code = encode_magnitude(f, exponent_field, mantissa);
  if (code > largest_code(f)) return encode_overflow(f, negative);
  if (code == 0 && !f->has_negative_zero) return 0;
  return (uint64_t)negative << sign_shift(f) | code;
}

uint64_t hlo_float_encode(hlo_type type, double value) {
  if (type == HLO_TYPE_F64) return hlo_double_bits(value);
  if (type == HLO_TYPE_F32 && value == value) { /* the processor rounds in the same way, and is fast */
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  return encode_small(&formats[type], value);
}
