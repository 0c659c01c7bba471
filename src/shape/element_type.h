/* Element types: names, sizes, and how the bits of one element are read and written. */
#ifndef HLO_SHAPE_ELEMENT_TYPE_H
#define HLO_SHAPE_ELEMENT_TYPE_H

#include "base/text_reader.h"
#include "shape/origin.h"

typedef enum hlo_type {
#define HLO_TYPE(id, name, mlir_name, storage_bits, bits, class) HLO_TYPE_##id,
#include "shape/element_types.def"
#undef HLO_TYPE
  HLO_TYPE_COUNT
} hlo_type;

typedef enum hlo_type_class {
  HLO_CLASS_PRED, HLO_CLASS_SIGNED, HLO_CLASS_UNSIGNED, HLO_CLASS_FLOAT, HLO_CLASS_COMPLEX, HLO_CLASS_OTHER
} hlo_type_class;

const char *hlo_type_name(hlo_type type);
bool hlo_type_from_name(hlo_span name, hlo_type *type); /* "f8e4m3fn", "s32", ..., in any case */
hlo_type_class hlo_type_classify(hlo_type type);
int hlo_type_bits(hlo_type type);  /* of the value: 4 for s4, 1 for pred */
int hlo_type_bytes(hlo_type type); /* of an unpacked element: 1 for s4, 16 for c128, 0 for tuple, token, opaque */

static inline bool hlo_type_is_array(hlo_type t) { return t < HLO_TYPE_TUPLE; }
static inline bool hlo_type_is_float(hlo_type t) { return hlo_type_classify(t) == HLO_CLASS_FLOAT; }
static inline bool hlo_type_is_complex(hlo_type t) { return hlo_type_classify(t) == HLO_CLASS_COMPLEX; }
static inline bool hlo_type_is_signed(hlo_type t) { return hlo_type_classify(t) == HLO_CLASS_SIGNED; }
static inline bool hlo_type_is_unsigned(hlo_type t) { return hlo_type_classify(t) == HLO_CLASS_UNSIGNED; }
/* s* and u*, but not pred */
static inline bool hlo_type_is_integral(hlo_type t) { return hlo_type_is_signed(t) || hlo_type_is_unsigned(t); }
static inline bool hlo_type_is_nibble(hlo_type t) { return hlo_type_is_integral(t) && hlo_type_bits(t) < 8; } /* an integer of 4 or 2 bits */
/* The integers of 8 bits whose bytes hold such. */
static inline hlo_type hlo_type_of_nibble_bytes(hlo_type t) { return hlo_type_is_signed(t) ? HLO_TYPE_S8 : HLO_TYPE_U8; }
/* The real type of a complex one (c64 -> f32, c128 -> f64) and the complex type of a real one; any other type is returned as it is. */
hlo_type hlo_type_real_part(hlo_type type);
hlo_type hlo_type_complex_of(hlo_type type);

/* A floating-point format. Formats without infinity saturate or overflow to NaN; those of f4 and f6 types have no NaN either. */
typedef struct hlo_float_format {
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity, has_nan, has_negative_zero, has_sign, has_zero;
} hlo_float_format;
hlo_float_format hlo_type_float_format(hlo_type type);
/* A float of 8 bits with a sign (all but f8e8m0fnu), or of 4: computed in f32, which kernels or bits convert to and from. */
bool hlo_type_is_small_float(hlo_type type);
/* Returns whether every value of one type is a value of another. */
bool hlo_type_holds(hlo_type wide, hlo_type type);

/* Converts any float type's bits to double (exact) and back: round to nearest even; on overflow infinity where the
 * type has one, else NaN, else the largest finite value. f64 passes through. */
double hlo_float_decode(hlo_type type, uint64_t bits);
uint64_t hlo_float_encode(hlo_type type, double value);
/* The number of the type that is nearest. */
static inline double hlo_float_rounded(hlo_type type, double value) { return hlo_float_decode(type, hlo_float_encode(type, value)); }

/* One element as a value. The class of its type says which member holds it:
 * PRED, UNSIGNED -> u; SIGNED -> s; FLOAT -> f; COMPLEX -> f and im. */
typedef struct hlo_scalar {
  union { int64_t s; uint64_t u; double f; };
  double im;
  hlo_origin origin;
} hlo_scalar;

/* Returns `value` with another origin. In builds that follow no origins this is `value` itself, not a copy, which would take time. */
#ifdef HLO_ORIGINS
static inline hlo_scalar hlo_scalar_from(hlo_scalar value, hlo_origin origin) {
  value.origin = origin;
  return value;
}
#else
#define hlo_scalar_from(value, origin) (value)
#endif
/* A value that was computed from the values a and b. */
#define hlo_scalar_made_of(value, a, b) hlo_scalar_from(value, hlo_origin_join((a).origin, (b).origin))

/* Reads element `index` of an unpacked array of `type`. Exact. */
hlo_scalar hlo_scalar_load(hlo_type type, const void *data, int64_t index);
/* Writes an element, rounded (floats) or wrapped (integers) to the type; pred stores 0 or 1. */
void hlo_scalar_store(hlo_type type, void *data, int64_t index, hlo_scalar value);
/* Converts as XLA's convert: float to integer saturates and NaN becomes 0, integers wrap when narrowed, to pred is != 0,
 * complex to real drops the imaginary part. */
hlo_scalar hlo_scalar_convert(hlo_type to, hlo_type from, hlo_scalar value);
bool hlo_scalar_equal(hlo_type type, hlo_scalar a, hlo_scalar b); /* numeric ==, so NaN != NaN */
/* The least and greatest values: -inf and inf where the type has them, else the finite limits; false and true for pred. */
hlo_scalar hlo_type_min_value(hlo_type type);
hlo_scalar hlo_type_max_value(hlo_type type);
hlo_scalar hlo_scalar_zero(hlo_type type);
hlo_scalar hlo_scalar_one(hlo_type type);

#endif
