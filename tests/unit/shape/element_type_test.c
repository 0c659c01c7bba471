/* Tests of element types: every code of every small float, rounding, conversion, limits. */
#include <math.h>
#include <string.h>

#include "float_tables.h"
#include "unit.h"

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static bool same_double(double a, double b) {
  if (a != a || b != b) return a != a && b != b && !!signbit(a) == !!signbit(b);
  return bits_of(a) == bits_of(b);
}

static void names(void) {
  for (int t = 0; t < HLO_TYPE_COUNT; t++) {
    hlo_type found = HLO_TYPE_COUNT;
    const char *name = hlo_type_name((hlo_type)t);
    CHECK(hlo_type_from_name((hlo_span){name, strlen(name)}, &found) && (int)found == t, "%s", name);
  }
  hlo_type type = HLO_TYPE_COUNT;
  CHECK(hlo_type_from_name((hlo_span){"F8E4M3FN", 8}, &type) && type == HLO_TYPE_F8E4M3FN, "upper case");
  CHECK(!hlo_type_from_name((hlo_span){"f3", 2}, &type), "a prefix is no name");
  CHECK(!hlo_type_from_name((hlo_span){"f322", 4}, &type), "nor is more than a name");
  CHECK(!hlo_type_from_name((hlo_span){"", 0}, &type), "nor nothing");
}

static void sizes_and_classes(void) {
  CHECK(hlo_type_bytes(HLO_TYPE_COUNT) == 0 && hlo_type_bits(HLO_TYPE_COUNT) == 0, "no type has no size");
  static const struct { hlo_type type; int bits, bytes; hlo_type_class class; } cases[] = {
      {HLO_TYPE_PRED, 1, 1, HLO_CLASS_PRED},     {HLO_TYPE_S2, 2, 1, HLO_CLASS_SIGNED},
      {HLO_TYPE_U4, 4, 1, HLO_CLASS_UNSIGNED},   {HLO_TYPE_F6E2M3FN, 6, 1, HLO_CLASS_FLOAT},
      {HLO_TYPE_BF16, 16, 2, HLO_CLASS_FLOAT},   {HLO_TYPE_S64, 64, 8, HLO_CLASS_SIGNED},
      {HLO_TYPE_C64, 64, 8, HLO_CLASS_COMPLEX},  {HLO_TYPE_C128, 128, 16, HLO_CLASS_COMPLEX},
      {HLO_TYPE_TUPLE, 0, 0, HLO_CLASS_OTHER},   {HLO_TYPE_TOKEN, 0, 0, HLO_CLASS_OTHER},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_type t = cases[i].type;
    CHECK(hlo_type_bits(t) == cases[i].bits, "%s", hlo_type_name(t));
    CHECK(hlo_type_bytes(t) == cases[i].bytes, "%s", hlo_type_name(t));
    CHECK(hlo_type_classify(t) == cases[i].class, "%s", hlo_type_name(t));
  }
  CHECK(hlo_type_real_part(HLO_TYPE_C64) == HLO_TYPE_F32, "c64");
  CHECK(hlo_type_real_part(HLO_TYPE_C128) == HLO_TYPE_F64, "c128");
  CHECK(hlo_type_real_part(HLO_TYPE_S8) == HLO_TYPE_S8, "itself");
  CHECK(hlo_type_complex_of(HLO_TYPE_F32) == HLO_TYPE_C64, "f32");
  CHECK(hlo_type_complex_of(HLO_TYPE_F64) == HLO_TYPE_C128, "f64");
  CHECK(!hlo_type_is_integral(HLO_TYPE_PRED) && hlo_type_is_integral(HLO_TYPE_U2), "integral");
  CHECK(hlo_type_is_array(HLO_TYPE_C128) && !hlo_type_is_array(HLO_TYPE_TOKEN), "array");
}

static void every_small_code(void) {
  for (int i = 0; i < COUNT(decoded); i++) {
    hlo_type type = decoded[i].type;
    for (int code = 0; code < decoded[i].count; code++) {
      double value = hlo_float_decode(type, (uint64_t)code), expected = decoded[i].values[code];
      CHECK(same_double(value, expected), "%s 0x%02x: %a, expected %a", hlo_type_name(type), code, value, expected);
      uint64_t back = hlo_float_encode(type, value);
      CHECK((int)back == code, "%s 0x%02x came back as 0x%02x", hlo_type_name(type), code, (unsigned)back);
    }
  }
}

static void every_16_bit_code_round_trips(void) {
  static const hlo_type types[] = {HLO_TYPE_F16, HLO_TYPE_BF16};
  for (int i = 0; i < 2; i++)
    for (uint64_t code = 0; code < 0x10000; code++) {
      uint64_t back = hlo_float_encode(types[i], hlo_float_decode(types[i], code));
      if (back != code) CHECK(back == code, "%s 0x%04x came back as 0x%04x", hlo_type_name(types[i]), (unsigned)code, (unsigned)back);
    }
  CHECK(hlo_float_decode(HLO_TYPE_F16, 0x3555) == 0x1.554p-2, "f16 third");
  CHECK(hlo_float_decode(HLO_TYPE_F16, 0x0001) == 0x1p-24, "f16 least");
  CHECK(hlo_float_decode(HLO_TYPE_BF16, 0x3DCD) == 0.10009765625, "bf16 tenth");
  CHECK(hlo_float_decode(HLO_TYPE_BF16, 0x0001) == 0x1p-133, "bf16 least");
}

static void encoding_rounds_once_to_even(void) {
  for (int i = 0; i < COUNT(encoded); i++) {
    unsigned code = (unsigned)hlo_float_encode(encoded[i].type, encoded[i].value);
    CHECK(code == encoded[i].code, "%s %a: 0x%02x, expected 0x%02x", hlo_type_name(encoded[i].type), encoded[i].value, code,
          encoded[i].code);
  }
  static const struct { hlo_type type; double value; uint64_t code; } cases[] = {
      {HLO_TYPE_BF16, 0x1.01p0, 0x3F80},           /* a tie, to even */
      {HLO_TYPE_BF16, 0x1.03p0, 0x3F82},           /* a tie, to even, upwards */
      {HLO_TYPE_BF16, 0x1.0100000001p0, 0x3F81},   /* rounding to f32 first would make it a tie */
      {HLO_TYPE_BF16, 0x1.ffp127, 0x7F80},         /* rounds up to infinity */
      {HLO_TYPE_BF16, 0x1.fep127, 0x7F7F},         /* the largest */
      {HLO_TYPE_F32, 0x1.000001p0, 0x3F800000},    {HLO_TYPE_F32, 0x1.000003p0, 0x3F800002},
      {HLO_TYPE_F32, 0x1p-149, 1},                 {HLO_TYPE_F32, 0x1p-150, 0},
      {HLO_TYPE_F32, 0x1.8p-150, 1},               {HLO_TYPE_F32, 1e300, 0x7F800000},
      {HLO_TYPE_F16, 0x1.00200000001p0, 0x3C01},
      {HLO_TYPE_F8E5M2, -0x1.a000000000001p+15, 0xFB}, {HLO_TYPE_F8E5M2, 0x1.0000000000001p-17, 0x01},
      {HLO_TYPE_F8E8M0FNU, 0x1.7ffffffffffffp-127, 0x00}, {HLO_TYPE_F8E8M0FNU, 1e-300, 0x00},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    uint64_t code = hlo_float_encode(cases[i].type, cases[i].value);
    CHECK(code == cases[i].code, "%s %a: 0x%llx, expected 0x%llx", hlo_type_name(cases[i].type), cases[i].value,
          (unsigned long long)code, (unsigned long long)cases[i].code);
  }
}

static void nan_bits_survive(void) {
  static const struct { hlo_type type; uint64_t code; } cases[] = {
      {HLO_TYPE_F32, 0x7F800001}, {HLO_TYPE_F32, 0xFFC01234}, {HLO_TYPE_F16, 0x7C01},
      {HLO_TYPE_BF16, 0xFF81},    {HLO_TYPE_F8E5M2, 0x7D},    {HLO_TYPE_F64, 0x7FF0000000000001},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    uint64_t data[2] = {cases[i].code, 0};
    hlo_scalar_store(cases[i].type, &data[1], 0, hlo_scalar_load(cases[i].type, data, 0));
    CHECK(data[1] == data[0], "%s 0x%llx", hlo_type_name(cases[i].type), (unsigned long long)data[0]);
  }
  double low_bits = hlo_float_decode(HLO_TYPE_F32, 0x7F800001);
  CHECK(hlo_float_encode(HLO_TYPE_F8E5M2, low_bits) == 0x7E, "bits that have no room leave the quiet NaN");
}

static void load_and_store(void) {
  uint8_t bytes[4] = {0x80, 0x0F, 0x08, 0x03};
  CHECK(hlo_scalar_load(HLO_TYPE_S8, bytes, 0).s == -128, "s8");
  CHECK(hlo_scalar_load(HLO_TYPE_U8, bytes, 0).u == 128, "u8");
  CHECK(hlo_scalar_load(HLO_TYPE_S4, bytes, 1).s == -1, "s4 of 0x0f");
  CHECK(hlo_scalar_load(HLO_TYPE_S4, bytes, 2).s == -8, "s4 of 0x08");
  CHECK(hlo_scalar_load(HLO_TYPE_U4, bytes, 1).u == 15, "u4");
  CHECK(hlo_scalar_load(HLO_TYPE_S2, bytes, 3).s == -1, "s2");
  CHECK(hlo_scalar_load(HLO_TYPE_PRED, bytes, 0).u == 1, "pred");
  hlo_scalar_store(HLO_TYPE_S4, bytes, 0, (hlo_scalar){.s = 9});
  CHECK(bytes[0] == 0xF9, "9 wraps to -7, kept sign-extended: 0x%02x", bytes[0]);
  hlo_scalar_store(HLO_TYPE_U2, bytes, 0, (hlo_scalar){.u = 7});
  CHECK(bytes[0] == 3, "7 wraps to 3");
  hlo_scalar_store(HLO_TYPE_PRED, bytes, 0, (hlo_scalar){.u = 256});
  CHECK(bytes[0] == 1, "pred stores 1");
  double pair[4] = {0};
  hlo_scalar_store(HLO_TYPE_C128, pair, 1, (hlo_scalar){.f = 0.1, .im = -2});
  CHECK(pair[2] == 0.1 && pair[3] == -2, "c128");
  float parts[4] = {0};
  hlo_scalar_store(HLO_TYPE_C64, parts, 1, (hlo_scalar){.f = 0.1, .im = -2});
  CHECK(hlo_scalar_load(HLO_TYPE_C64, parts, 1).f == 0.1f && parts[3] == -2, "c64 rounds");
  int64_t wide = INT64_MIN;
  CHECK(hlo_scalar_load(HLO_TYPE_S64, &wide, 0).s == INT64_MIN, "s64");
  hlo_scalar_store(HLO_TYPE_U64, &wide, 0, (hlo_scalar){.u = UINT64_MAX});
  CHECK(wide == -1, "u64");
}

static hlo_scalar of_int(int64_t v) { return (hlo_scalar){.s = v}; }
static hlo_scalar of_float(double v) { return (hlo_scalar){.f = v}; }

static void convert_to_integers(void) {
  static const struct { hlo_type to; double value; int64_t expected; } cases[] = {
      {HLO_TYPE_S32, NAN, 0},           {HLO_TYPE_S32, 1e10, INT32_MAX},    {HLO_TYPE_S32, -1e10, INT32_MIN},
      {HLO_TYPE_S32, -INFINITY, INT32_MIN}, {HLO_TYPE_S32, -1.9, -1},       {HLO_TYPE_S32, 2147483647.5, INT32_MAX},
      {HLO_TYPE_S32, -2147483648.5, INT32_MIN}, {HLO_TYPE_S4, 7.9, 7},      {HLO_TYPE_S4, 8, 7},
      {HLO_TYPE_S4, -8.9, -8},          {HLO_TYPE_S4, -100, -8},            {HLO_TYPE_S64, 1e30, INT64_MAX},
      {HLO_TYPE_S64, -1e30, INT64_MIN}, {HLO_TYPE_S64, 9007199254740993.0, 9007199254740992}, {HLO_TYPE_U8, -3, 0},
      {HLO_TYPE_U8, 255.9, 255},        {HLO_TYPE_U8, 256, 255},            {HLO_TYPE_U64, INFINITY, -1},
      {HLO_TYPE_U64, 0x1p63, INT64_MIN}, {HLO_TYPE_U2, 3.5, 3},             {HLO_TYPE_PRED, 0.5, 1},
      {HLO_TYPE_PRED, -0.0, 0},         {HLO_TYPE_PRED, NAN, 1},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    int64_t got = hlo_scalar_convert(cases[i].to, HLO_TYPE_F64, of_float(cases[i].value)).s;
    CHECK(got == cases[i].expected, "%g to %s: %lld", cases[i].value, hlo_type_name(cases[i].to), (long long)got);
  }
  CHECK(hlo_scalar_convert(HLO_TYPE_S8, HLO_TYPE_S32, of_int(300)).s == 44, "narrowing wraps");
  CHECK(hlo_scalar_convert(HLO_TYPE_S4, HLO_TYPE_S32, of_int(8)).s == -8, "narrowing wraps to s4");
  CHECK(hlo_scalar_convert(HLO_TYPE_U32, HLO_TYPE_S8, of_int(-1)).u == UINT32_MAX, "-1 to u32");
  CHECK(hlo_scalar_convert(HLO_TYPE_U64, HLO_TYPE_S8, of_int(-1)).u == UINT64_MAX, "-1 to u64");
  CHECK(hlo_scalar_convert(HLO_TYPE_PRED, HLO_TYPE_S32, of_int(256)).u == 1, "pred of 256");
  CHECK(hlo_scalar_convert(HLO_TYPE_S32, HLO_TYPE_C64, (hlo_scalar){.f = 3, .im = 5}).s == 3, "complex drops im");
  CHECK(hlo_scalar_convert(HLO_TYPE_PRED, HLO_TYPE_C64, (hlo_scalar){.f = 3}).u == 1 && hlo_scalar_convert(HLO_TYPE_PRED, HLO_TYPE_C64, (hlo_scalar){0}).u == 0, "complex to pred");
  CHECK(hlo_scalar_convert(HLO_TYPE_S32, HLO_TYPE_PRED, (hlo_scalar){.u = 1}).s == 1, "pred to s32");
}

static void convert_to_floats(void) {
  CHECK(hlo_scalar_convert(HLO_TYPE_F32, HLO_TYPE_F64, of_float(0.1)).f == 0.1f, "f64 to f32");
  CHECK(hlo_scalar_convert(HLO_TYPE_F8E4M3FN, HLO_TYPE_F32, of_float(460)).f == 448, "rounds down to the largest");
  CHECK(isnan(hlo_scalar_convert(HLO_TYPE_F8E4M3FN, HLO_TYPE_F32, of_float(1000)).f), "no infinity: NaN");
  CHECK(hlo_scalar_convert(HLO_TYPE_F8E5M2, HLO_TYPE_F32, of_float(1e6)).f == INFINITY, "infinity");
  CHECK(hlo_scalar_convert(HLO_TYPE_F4E2M1FN, HLO_TYPE_F32, of_float(-1e6)).f == -6, "saturates");
  /* 2^24 + 1 + 2^-k patterns: rounding to double first would make a tie of these. */
  CHECK(hlo_scalar_convert(HLO_TYPE_F32, HLO_TYPE_S64, of_int(0x4000004000000001)).f == (float)0x4000004000000001, "s64");
  CHECK(hlo_scalar_convert(HLO_TYPE_F32, HLO_TYPE_S64, of_int(0x4000004000000001)).f == 0x1.000002p62, "once");
  CHECK(hlo_scalar_convert(HLO_TYPE_F32, HLO_TYPE_S64, of_int(-0x4000004000000001)).f == -0x1.000002p62, "negative");
  CHECK(hlo_scalar_convert(HLO_TYPE_F32, HLO_TYPE_U64, (hlo_scalar){.u = UINT64_MAX}).f == 0x1p64, "u64");
  CHECK(hlo_scalar_convert(HLO_TYPE_F64, HLO_TYPE_U64, (hlo_scalar){.u = UINT64_MAX}).f == 0x1p64, "u64 to f64");
  CHECK(hlo_scalar_convert(HLO_TYPE_F64, HLO_TYPE_S64, of_int(INT64_MIN)).f == -0x1p63, "s64 to f64");
  CHECK(hlo_scalar_convert(HLO_TYPE_BF16, HLO_TYPE_S32, of_int(257)).f == 256, "s32 to bf16");
  CHECK(hlo_scalar_convert(HLO_TYPE_F16, HLO_TYPE_S4, of_int(-8)).f == -8, "s4 to f16");
  hlo_scalar z = hlo_scalar_convert(HLO_TYPE_C64, HLO_TYPE_F64, of_float(0.1));
  CHECK(z.f == 0.1f && z.im == 0, "real to complex");
  z = hlo_scalar_convert(HLO_TYPE_C64, HLO_TYPE_C128, (hlo_scalar){.f = 0.1, .im = 0.2});
  CHECK(z.f == 0.1f && z.im == 0.2f, "c128 to c64");
  z = hlo_scalar_convert(HLO_TYPE_F64, HLO_TYPE_C128, (hlo_scalar){.f = 0.1, .im = 0.2});
  CHECK(z.f == 0.1 && z.im == 0, "complex to real");
}

static void comparing(void) {
  static const struct { hlo_type type; hlo_scalar a, b; bool equal; } cases[] = {
      {HLO_TYPE_C64, {.f = 1, .im = 2}, {.f = 1, .im = 2}, true},
      {HLO_TYPE_C64, {.f = 1, .im = 2}, {.f = 1, .im = 3}, false},
      {HLO_TYPE_C128, {.f = 1, .im = 2}, {.f = 0, .im = 2}, false},
      {HLO_TYPE_F32, {.f = 0.0}, {.f = -0.0}, true},
      {HLO_TYPE_F32, {.f = NAN}, {.f = NAN}, false},
      {HLO_TYPE_S32, {.u = 7}, {.u = 7}, true},
      {HLO_TYPE_U64, {.u = 1}, {.u = 2}, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK(hlo_scalar_equal(cases[i].type, cases[i].a, cases[i].b) == cases[i].equal, "pair %zu of %s", i, hlo_type_name(cases[i].type));
}

static void limits(void) {
  CHECK(hlo_type_min_value(HLO_TYPE_F32).f == -INFINITY && hlo_type_max_value(HLO_TYPE_F32).f == INFINITY, "f32");
  CHECK(hlo_type_min_value(HLO_TYPE_F8E4M3FN).f == -448 && hlo_type_max_value(HLO_TYPE_F8E4M3FN).f == 448, "e4m3fn");
  CHECK(hlo_type_max_value(HLO_TYPE_F8E4M3).f == INFINITY, "e4m3");
  CHECK(hlo_type_max_value(HLO_TYPE_F8E5M2FNUZ).f == 57344, "e5m2fnuz");
  CHECK(hlo_type_max_value(HLO_TYPE_F8E4M3B11FNUZ).f == 30, "e4m3b11fnuz");
  CHECK(hlo_type_min_value(HLO_TYPE_F8E8M0FNU).f == 0x1p-127 && hlo_type_max_value(HLO_TYPE_F8E8M0FNU).f == 0x1p127, "e8m0fnu");
  CHECK(hlo_type_max_value(HLO_TYPE_F6E3M2FN).f == 28, "e3m2fn");
  CHECK(hlo_type_min_value(HLO_TYPE_S4).s == -8 && hlo_type_max_value(HLO_TYPE_S4).s == 7, "s4");
  CHECK(hlo_type_min_value(HLO_TYPE_S64).s == INT64_MIN && hlo_type_max_value(HLO_TYPE_S64).s == INT64_MAX, "s64");
  CHECK(hlo_type_max_value(HLO_TYPE_U64).u == UINT64_MAX && hlo_type_max_value(HLO_TYPE_U2).u == 3, "unsigned");
  CHECK(hlo_type_min_value(HLO_TYPE_PRED).u == 0 && hlo_type_max_value(HLO_TYPE_PRED).u == 1, "pred");
  CHECK(hlo_scalar_one(HLO_TYPE_F16).f == 1 && hlo_scalar_one(HLO_TYPE_S8).s == 1 && hlo_scalar_one(HLO_TYPE_C64).im == 0, "one");
  CHECK(!hlo_scalar_equal(HLO_TYPE_F32, of_float(NAN), of_float(NAN)), "NaN is not itself");
  CHECK(hlo_scalar_equal(HLO_TYPE_F32, of_float(0.0), of_float(-0.0)), "zeros are equal");
  CHECK(!hlo_scalar_equal(HLO_TYPE_C64, (hlo_scalar){.f = 1, .im = 2}, (hlo_scalar){.f = 1, .im = 3}), "im");
}

int main(void) {
  names();
  sizes_and_classes();
  every_small_code();
  every_16_bit_code_round_trips();
  encoding_rounds_once_to_even();
  nan_bits_survive();
  load_and_store();
  convert_to_integers();
  convert_to_floats();
  comparing();
  limits();
  return unit_report();
}
