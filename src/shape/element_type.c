/* Lookups in the table of element_types.def. */
#include "shape/element_type.h"

typedef struct type_row {
  const char *name;
  int storage_bits, bits;
  hlo_type_class class;
} type_row;

static const type_row rows[HLO_TYPE_COUNT] = {
#define HLO_TYPE(id, name, mlir_name, storage_bits, bits, class) {name, storage_bits, bits, HLO_CLASS_##class},
#include "shape/element_types.def"
#undef HLO_TYPE
};

const char *hlo_type_name(hlo_type type) { return (unsigned)type < HLO_TYPE_COUNT ? rows[type].name : "invalid"; }
hlo_type_class hlo_type_classify(hlo_type type) {
  return (unsigned)type < HLO_TYPE_COUNT ? rows[type].class : HLO_CLASS_OTHER;
}
int hlo_type_bits(hlo_type type) { return (unsigned)type < HLO_TYPE_COUNT ? rows[type].bits : 0; }
int hlo_type_bytes(hlo_type type) { return (unsigned)type < HLO_TYPE_COUNT ? rows[type].storage_bits / 8 : 0; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_name(hlo_span span, const char *name) {
  size_t i = 0;
  for (; i < span.length; i++)
    if (name[i] == 0 || lower(span.text[i]) != name[i]) return false;
  return name[i] == 0;
}

bool hlo_type_from_name(hlo_span name, hlo_type *type) {
  for (int i = 0; i < HLO_TYPE_COUNT; i++) {
    if (!same_name(name, rows[i].name)) continue;
    *type = (hlo_type)i;
    return true;
  }
  return false;
}

hlo_type hlo_type_real_part(hlo_type type) {
  if (type == HLO_TYPE_C64) return HLO_TYPE_F32;
  return type == HLO_TYPE_C128 ? HLO_TYPE_F64 : type;
}

hlo_type hlo_type_complex_of(hlo_type type) {
  if (type == HLO_TYPE_F32) return HLO_TYPE_C64;
  return type == HLO_TYPE_F64 ? HLO_TYPE_C128 : type;
}

bool hlo_type_holds(hlo_type wide, hlo_type type) {
  if (wide == type) return true;
  if (type == HLO_TYPE_PRED) return wide != HLO_TYPE_F8E8M0FNU; /* which has no zero */
  if (hlo_type_is_complex(wide)) return hlo_type_holds(hlo_type_real_part(wide), hlo_type_real_part(type));
  if (hlo_type_is_complex(type)) return false;
  if (hlo_type_is_float(wide)) {
    hlo_float_format w = hlo_type_float_format(wide), t;
    if (wide != HLO_TYPE_F32 && wide != HLO_TYPE_F64) return false;
    if (!hlo_type_is_float(type)) return hlo_type_bits(type) <= w.mantissa_bits;
    t = hlo_type_float_format(type);
    return t.exponent_bits <= w.exponent_bits && t.mantissa_bits <= w.mantissa_bits;
  }
  if (hlo_type_is_float(type) || wide == HLO_TYPE_PRED) return false;
  return hlo_type_is_signed(wide) == hlo_type_is_signed(type) ? hlo_type_bits(wide) >= hlo_type_bits(type)
                                                            : hlo_type_is_signed(wide) && hlo_type_bits(wide) > hlo_type_bits(type);
}
