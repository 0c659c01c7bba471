/* Tests of weights: sizes and alignment, packed elements, references, counts, and shapes that are refused. */
#include <stdint.h>
#include <string.h>

#include "shape/literal.h"
#include "shape/shared_array.h"
#include "shape/weight.h"
#include "unit.h"

/* Makes an allocation that is too large fail, as it does without the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static hlo_arena arena;
static hlo_weight_count count;

static hlo_weight *make(const char *text, hlo_status *status) {
  *status = (hlo_status){0};
  const hlo_shape *shape = hlo_shape_parse(&arena, text, strlen(text), status);
  return shape ? hlo_weight_make(shape, &count, status) : NULL;
}

static void has_the_bytes_of_its_elements(void) {
  static const struct { const char *shape; size_t bytes; bool packed; } cases[] = {
      {"f32[]", 4, false}, {"f32[2,3]", 24, false}, {"f32[2,3]{1,0}", 24, false}, {"f32[0,3]", 0, false},
      {"s4[3,3]", 9, false}, {"s4[3,3]{1,0:E(4)}", 5, true}, {"u4[2,32]{1,0:E(4)}", 32, true}, {"u2[5]{0:E(2)}", 2, true},
      {"f6e2m3fn[5]{0:E(6)}", 4, true}, {"s8[7]{0:E(8)}", 7, false}, {"bf16[5,1]{0,1}", 10, false}, {"c128[2]", 32, false},
      {"u4[0]{0:E(4)}", 0, true},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status;
    hlo_weight *weight = make(cases[i].shape, &status);
    CHECK(weight, "%s: %s", cases[i].shape, status.message);
    if (!weight) continue;
    CHECK(weight->bytes == cases[i].bytes, "%s: %zu bytes", cases[i].shape, weight->bytes);
    CHECK(weight->packed == cases[i].packed, "%s", cases[i].shape);
    CHECK(!weight->shape->layout, "%s", cases[i].shape);
    CHECK(hlo_weight_data(weight) && (uintptr_t)hlo_weight_data(weight) % HLO_WEIGHT_ALIGNMENT == 0, "%s", cases[i].shape);
    memset(hlo_weight_data(weight), 0xa5, weight->bytes);
    CHECK(count.weights == 1 && count.bytes == (int64_t)cases[i].bytes, "%s", cases[i].shape);
    hlo_weight_release(weight);
    CHECK(count.weights == 0 && count.bytes == 0, "%s", cases[i].shape);
  }
}

static void lives_until_its_last_reference(void) {
  hlo_status status;
  hlo_weight *weight = make("f32[4]", &status);
  CHECK(hlo_weight_keep(weight) == weight);
  hlo_weight_release(weight);
  CHECK(count.weights == 1);
  memset(hlo_weight_data(weight), 0, weight->bytes); /* the sanitizer looks */
  hlo_weight_release(weight);
  CHECK(count.weights == 0);
  hlo_weight_release(NULL);
}

static void unpacks(void) {
  static const struct { const char *shape; uint8_t bytes[4]; int8_t elements[5]; } cases[] = {
      {"s4[5]{0:E(4)}", {0x21, 0xf8, 0x07}, {1, 2, -8, -1, 7}},
      {"u4[5]{0:E(4)}", {0x21, 0xf8, 0x07}, {1, 2, 8, 15, 7}},
      {"s2[5]{0:E(2)}", {0xe4, 0x02}, {0, 1, -2, -1, -2}},
      {"f6e2m3fn[5]{0:E(6)}", {0x41, 0x30, 0xfc, 0x05}, {1, 1, 3, 63, 5}},
      {"pred[5]{0:E(1)}", {0x15}, {1, 0, 1, 0, 1}},
      {"s8[5]", {1, 2, 0xff, 4}, {1, 2, -1, 4, 9}},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status;
    hlo_weight *weight = make(cases[i].shape, &status);
    CHECK(weight, "%s: %s", cases[i].shape, status.message);
    if (!weight) continue;
    memcpy(hlo_weight_data(weight), cases[i].bytes, weight->bytes < 4 ? weight->bytes : 4);
    if (!weight->packed) ((int8_t *)hlo_weight_data(weight))[4] = 9;
    for (int first = 0; first < 5; first++)
      for (int n = 0; n <= 5 - first; n++) {
        int8_t elements[6] = {77, 77, 77, 77, 77, 77};
        hlo_weight_unpack(weight, first, n, elements);
        CHECK(memcmp(elements, cases[i].elements + first, (size_t)n) == 0, "%s from %d on", cases[i].shape, first);
        CHECK(elements[n] == 77, "%s: nothing is written behind", cases[i].shape);
      }
    hlo_weight_release(weight);
  }
}

/* Programs share one array; what is read from it is what was loaded, in whatever form it is. */
static void shares(void) {
  static const struct { const char *shape; uint8_t bytes[4]; int8_t elements[5]; } cases[] = {
      {"s4[5]{0:E(4)}", {0x21, 0xf8, 0x07}, {1, 2, -8, -1, 7}}, {"s2[5]{0:E(2)}", {0xe4, 0x02}, {0, 1, -2, -1, -2}}, {"s8[5]", {1, 2, 0xff, 4}, {1, 2, -1, 4, 0}}};
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status;
    hlo_weight *weight = make(cases[i].shape, &status);
    memset(hlo_weight_data(weight), 0, weight->bytes);
    memcpy(hlo_weight_data(weight), cases[i].bytes, weight->bytes < 4 ? weight->bytes : 4);
    hlo_shared_array *one = hlo_weight_share(weight, &status), *two = hlo_weight_share(weight, &status);
    CHECK(one && one == two, "%s: programs have two arrays", cases[i].shape);
    const void *dense = hlo_shared_array_pin(one, &status);
    CHECK(dense && memcmp(dense, cases[i].elements, 5) == 0, "%s: elements of the array", cases[i].shape);
    hlo_shared_array_unpin(one);
    hlo_shared_array_release(two);
    int8_t elements[5];
    CHECK(hlo_weight_read(weight, elements, &status) && memcmp(elements, cases[i].elements, 5) == 0, "%s: read", cases[i].shape);
    hlo_weight_release(weight); /* the array is there still */
    CHECK(hlo_shared_array_pin(one, &status) && hlo_shared_array_bytes(one) == 5, "%s: without its weight", cases[i].shape);
    hlo_shared_array_unpin(one);
    hlo_shared_array_release(one);
  }
}

static void clears_what_a_file_holds_beside_its_elements(void) {
  static const struct { const char *shape; uint8_t in[3], out[3]; } cases[] = {
      {"pred[3]", {0, 1, 0x80}, {0, 1, 1}}, {"s4[3]", {0x0f, 0x17, 0x88}, {0xff, 7, 0xf8}}, {"u4[3]", {0x0f, 0x17, 0x88}, {15, 7, 8}},
      {"u8[3]", {0, 1, 0xff}, {0, 1, 0xff}}, {"s4[6]{0:E(4)}", {0x0f, 0x17, 0x88}, {0x0f, 0x17, 0x88}},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status;
    hlo_weight *weight = make(cases[i].shape, &status);
    memcpy(hlo_weight_data(weight), cases[i].in, 3);
    hlo_weight_clear_unused_bits(weight);
    CHECK(memcmp(hlo_weight_data(weight), cases[i].out, 3) == 0, "%s", cases[i].shape);
    hlo_weight_release(weight);
  }
}

static void refuses(void) {
  static const struct { const char *shape; hlo_code code; const char *says; } cases[] = {
      {"(f32[])", HLO_UNSUPPORTED, "a weight is an array of known sizes"},
      {"token[]", HLO_UNSUPPORTED, "a weight is an array of known sizes"},
      {"f32[<=4]", HLO_UNSUPPORTED, "a weight is an array of known sizes"},
      {"f32[?]", HLO_UNSUPPORTED, "a weight is an array of known sizes"},
      {"f32[2,3]{0,1}", HLO_UNSUPPORTED, "dense and row-major"},
      {"f32[4,4]{1,0:T(2,2)}", HLO_UNSUPPORTED, "dense and row-major"},
      {"f32[5]{0:L(4)}", HLO_UNSUPPORTED, "dense and row-major"},
      {"s4[2,3]{0,1:E(4)}", HLO_UNSUPPORTED, "dense and row-major"},
      {"s2[4]{0:E(4)}", HLO_UNSUPPORTED, "dense and row-major"},
      {"f32[1099511627776,1024]", HLO_OUT_OF_MEMORY, "out of memory"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status;
    hlo_weight *weight = make(cases[i].shape, &status);
    CHECK(!weight && status.code == cases[i].code, "%s: %s %s", cases[i].shape, hlo_code_name(status.code), status.message);
    CHECK(unit_says(status.message, cases[i].says, cases[i].shape), "%s: %s", cases[i].shape, status.message);
    hlo_weight_release(weight);
  }
  CHECK(count.weights == 0 && count.bytes == 0);
}

int main(void) {
  has_the_bytes_of_its_elements();
  lives_until_its_last_reference();
  unpacks();
  shares();
  clears_what_a_file_holds_beside_its_elements();
  refuses();
  hlo_arena_free(&arena);
  return unit_report();
}
