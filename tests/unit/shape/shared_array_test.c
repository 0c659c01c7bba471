/* Large constants: packed where they lie, restored, and held by several. */
#include "shape/shared_array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/source_bytes.h"
#include "shape/constant_uses.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "unit.h"

enum { ELEMENTS = 40000, BYTES = ELEMENTS * 4 };

/* The order is turned by so many places. */
static bool turn(const void *geometry, const void *dense, void *packed) {
  size_t places = *(const size_t *)geometry * 4;
  memcpy(packed, (const char *)dense + places, BYTES - places);
  memcpy((char *)packed + BYTES - places, dense, places);
  return true;
}

static bool turn_back(const void *geometry, const void *packed, void *dense) {
  size_t places = ELEMENTS - *(const size_t *)geometry;
  return turn(&places, packed, dense);
}

static bool fail_to_pack(const void *geometry, const void *dense, void *packed) { return false; }

static hlo_packing turning(const size_t *places) {
  return (hlo_packing){.pack = turn, .unpack = turn_back, .geometry = places, .geometry_bytes = sizeof *places, .packed_bytes = BYTES};
}

static const size_t ONE = 1, TWO = 2;

static int released;
static void release(void *owner) {
  released++;
  free(owner);
}

static hlo_shared_array *make(void) {
  hlo_status status = {0};
  uint32_t *elements = aligned_alloc(64, BYTES);
  for (uint32_t i = 0; i < ELEMENTS; i++) elements[i] = i;
  return hlo_shared_array_new(elements, BYTES, release, elements, &status);
}

static uint32_t first(const void *elements) { return elements ? *(const uint32_t *)elements : UINT32_MAX; }

static void test_moving(void) {
  hlo_status status = {0};
  hlo_shared_array *array = make();
  hlo_packing one = turning(&ONE), two = turning(&TWO);
  const void *home = hlo_shared_array_pin(array, &status);
  CHECK(!hlo_shared_array_may_pack(array, &one), "pinned elements may be packed");
  hlo_shared_array_unpin(array);
  const void *held = hlo_shared_array_hold(array, &one, &status);
  CHECK(held == home && first(held) == 1 && hlo_shared_array_extra_bytes(array) == 0, "packed elsewhere, or otherwise");
  CHECK(hlo_shared_array_hold(array, &one, &status) == held, "the same form is made twice");
  CHECK(!hlo_shared_array_may_pack(array, &two), "another form may be made while one is held");
  const void *dense = hlo_shared_array_pin(array, &status);
  CHECK(dense && dense != home && first(dense) == 0 && first(held) == 1, "no copy while the packed form is held");
  CHECK(hlo_shared_array_extra_bytes(array) == BYTES, "%zu bytes", hlo_shared_array_extra_bytes(array));
  hlo_shared_array_unpin(array);
  CHECK(hlo_shared_array_extra_bytes(array) == 0, "a copy that nobody reads is kept");
  hlo_shared_array_unhold(array);
  hlo_shared_array_unhold(array);
  CHECK(first(hlo_shared_array_hold(array, &two, &status)) == 2, "another form is wrong");
  hlo_shared_array_unhold(array);
  dense = hlo_shared_array_pin(array, &status);
  CHECK(dense == home && first(dense) == 0, "not restored where it lies");
  hlo_shared_array_unpin(array);
  hlo_shared_array_release(array);
  CHECK(released == 1, "released %d times", released);
}

/* A pinned copy becomes the elements again where the packed form goes. */
static void test_copy_that_stays(void) {
  hlo_status status = {0};
  hlo_shared_array *array = make();
  hlo_packing one = turning(&ONE), other = turning(&TWO);
  other.unpack = NULL;
  hlo_shared_array_hold(array, &one, &status);
  const void *dense = hlo_shared_array_pin(array, &status);
  hlo_shared_array_unhold(array);
  const void *packed = hlo_shared_array_hold(array, &other, &status);
  CHECK(first(packed) == 2 && first(dense) == 0, "a form that cannot be undone took the elements' place");
  hlo_shared_array_unpin(array);
  CHECK(first(hlo_shared_array_pin(array, &status)) == 0, "the elements are lost");
  hlo_shared_array_unpin(array);
  hlo_shared_array_unhold(array);
  hlo_packing failing = turning(&TWO);
  failing.pack = fail_to_pack;
  CHECK(!hlo_shared_array_hold(array, &failing, &status) && status.code == HLO_OUT_OF_MEMORY, "a failure is not told");
  CHECK(first(hlo_shared_array_pin(array, &(hlo_status){0})) == 0, "the elements are lost by a failure");
  hlo_shared_array_unpin(array);
  hlo_shared_array_release(array);
}

/* What takes more room than the elements, or is wanted while they are read, is packed elsewhere. */
static void test_packed_elsewhere(void) {
  hlo_status status = {0};
  hlo_shared_array *array = make();
  hlo_packing larger = turning(&ONE), one = turning(&ONE);
  larger.packed_bytes = BYTES + 64;
  const void *home = hlo_shared_array_pin(array, &status);
  hlo_shared_array_unpin(array);
  const void *held = hlo_shared_array_hold(array, &larger, &status);
  CHECK(held && held != home && first(held) == 1, "a larger form took the elements' place");
  hlo_shared_array_unhold(array);
  CHECK(hlo_shared_array_pin(array, &status) == home, "the elements have moved");
  held = hlo_shared_array_hold(array, &one, &status);
  CHECK(held != home && first(home) == 0, "a form took the place of elements that are read");
  hlo_shared_array_unpin(array);
  if (held) hlo_shared_array_unhold(array);
  hlo_shared_array_release(array);
}

/* Elements that a plan reads twice are pinned once, and let go with the plan. */
static void test_read_twice(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  int64_t large = ELEMENTS;
  hlo_packing one = turning(&ONE);
  hlo_literal *literal = hlo_literal_make_constant(&arena, hlo_shape_make(&arena, HLO_TYPE_F32, &large, 1, &status), &status);
  hlo_literal_settle(literal);
  hlo_constant_uses uses = {.arena = &arena};
  const void *dense = hlo_constant_dense(&uses, literal, &status);
  CHECK(dense && hlo_constant_dense(&uses, literal, &status) == dense, "read elsewhere");
  CHECK(!hlo_shared_array_may_pack(literal->shared, &one), "elements that are read may be packed");
  hlo_constant_uses_release(&uses);
  CHECK(hlo_shared_array_may_pack(literal->shared, &one), "elements are pinned still");
  hlo_arena_free(&arena);
}

static void test_literals(void) {
  hlo_status status = {0};
  hlo_arena arena, other;
  hlo_arena_init(&arena);
  hlo_arena_init(&other);
  int64_t small = 100, large = ELEMENTS;
  const hlo_shape *few = hlo_shape_make(&arena, HLO_TYPE_F32, &small, 1, &status), *many = hlo_shape_make(&arena, HLO_TYPE_F32, &large, 1, &status);
  CHECK(!hlo_literal_make_constant(&arena, few, &status)->shared, "a small constant is shared");
  hlo_literal *literal = hlo_literal_make_constant(&arena, many, &status);
  CHECK(literal && literal->shared && literal->data && hlo_literal_real(literal, 3) == 0, "no large constant");
  hlo_literal_set_real(literal, 3, 2);
  hlo_literal *borrowed = hlo_literal_borrow(&other, literal, &status);
  CHECK(borrowed && borrowed->data == literal->data && hlo_literal_equal_bits(borrowed, literal), "elements are copied");
  hlo_literal_settle(literal);
  hlo_literal_settle(borrowed);
  CHECK(!literal->data && !hlo_shared_array_users(literal->shared), "elements are pinned still");
  hlo_arena_free(&arena);
  CHECK(hlo_literal_pin(borrowed, &status) && hlo_literal_real(borrowed, 3) == 2, "elements went with the arena of another literal");
  hlo_arena_free(&other);
}

/* What is read dense is not packed, whichever comes first; what is wanted in two forms is packed in none. */
static void test_uses(void) {
  hlo_status status = {0};
  hlo_arena arena, kept;
  hlo_arena_init(&arena);
  hlo_arena_init(&kept);
  int64_t large = ELEMENTS;
  const hlo_shape *shape = hlo_shape_make(&arena, HLO_TYPE_F32, &large, 1, &status);
  hlo_literal *literals[3];
  hlo_packing one = turning(&ONE), two = turning(&TWO);
  for (int i = 0; i < 3; i++) {
    literals[i] = hlo_literal_make_constant(&arena, shape, &status);
    hlo_literal_settle(literals[i]);
  }
  hlo_constant_uses uses = {.arena = &arena};
  bool again;
  hlo_packed *packed = hlo_constant_pack(&uses, literals[0], &one, &status);
  CHECK(packed && hlo_constant_pack(&uses, literals[1], &one, &status) && hlo_constant_pack(&uses, literals[2], &one, &status), "not noted");
  CHECK(hlo_constant_dense(&uses, literals[1], &status) && hlo_constant_pack(&uses, literals[2], &two, &status), "not noted");
  CHECK(hlo_constant_uses_finish(&uses, &kept, &again, &status) && again, "two readers have it both ways");
  hlo_constant_uses_release(&uses);
  uses = (hlo_constant_uses){.arena = &arena, .kept_dense = uses.kept_dense};
  packed = hlo_constant_pack(&uses, literals[0], &one, &status);
  CHECK(packed && !hlo_constant_pack(&uses, literals[1], &one, &status) && !hlo_constant_pack(&uses, literals[2], &two, &status), "not kept dense");
  CHECK(hlo_constant_uses_finish(&uses, &kept, &again, &status) && !again && packed->bytes, "not packed in the end");
  CHECK(hlo_constant_uses_packed_bytes(&uses) == BYTES && hlo_constant_uses_shared_bytes(&uses) == 0, "other bytes");
  hlo_constant_uses_release(&uses);
  hlo_arena_free(&kept);
  hlo_arena_free(&arena);
}

/* ---- A home without room for dense elements ---- */

/* Two elements a byte; geometry: which of them lies low. */
static bool halve(const void *geometry, const void *dense, void *packed) {
  const uint8_t *elements = dense;
  size_t low = *(const size_t *)geometry;
  for (size_t i = 0; i < ELEMENTS / 2; i++) ((uint8_t *)packed)[i] = (uint8_t)(elements[2 * i + low] | elements[2 * i + 1 - low] << 4);
  return true;
}

static bool double_up(const void *geometry, const void *packed, void *dense) {
  const uint8_t *bytes = packed;
  size_t low = *(const size_t *)geometry;
  for (size_t i = 0; i < ELEMENTS / 2; i++) {
    ((uint8_t *)dense)[2 * i + low] = bytes[i] & 15;
    ((uint8_t *)dense)[2 * i + 1 - low] = bytes[i] >> 4;
  }
  return true;
}

static bool widen(const void *geometry, const void *dense, void *packed) {
  for (size_t i = 0; i < ELEMENTS; i++) ((uint32_t *)packed)[i] = ((const uint8_t *)dense)[i];
  return true;
}

static const size_t FIRST_LOW = 0, SECOND_LOW = 1;

static hlo_packing halving(const size_t *low) {
  return (hlo_packing){.pack = halve, .unpack = double_up, .geometry = low, .geometry_bytes = sizeof *low, .packed_bytes = ELEMENTS / 2};
}

static uint8_t element(size_t i) { return (uint8_t)(i % 13); }

static hlo_shared_array *make_halved(void) {
  hlo_status status = {0};
  uint8_t *dense = malloc(ELEMENTS), *home = aligned_alloc(64, ELEMENTS / 2 + 64 - ELEMENTS / 2 % 64);
  for (size_t i = 0; i < ELEMENTS; i++) dense[i] = element(i);
  halve(&FIRST_LOW, dense, home);
  free(dense);
  hlo_packing packing = halving(&FIRST_LOW);
  return hlo_shared_array_new_packed(home, &packing, ELEMENTS, release, home, &status);
}

static bool reads_right(hlo_shared_array *array) {
  hlo_status status = {0};
  const uint8_t *dense = hlo_shared_array_pin(array, &status);
  bool right = dense != NULL;
  for (size_t i = 0; right && i < ELEMENTS; i++) right = dense[i] == element(i);
  if (dense) hlo_shared_array_unpin(array);
  return right;
}

static void test_small_home(void) {
  hlo_status status = {0};
  hlo_shared_array *array = make_halved();
  hlo_packing first = halving(&FIRST_LOW), second = halving(&SECOND_LOW), broken = halving(&SECOND_LOW);
  broken.pack = fail_to_pack;
  CHECK(reads_right(array) && hlo_shared_array_extra_bytes(array) == 0, "dense elements are gone once they are not read");
  const uint8_t *home = hlo_shared_array_hold(array, &first, &status);
  CHECK(home && home[3] == (element(6) | element(7) << 4) && hlo_shared_array_extra_bytes(array) == 0, "the form that it began with");
  CHECK(reads_right(array) && !hlo_shared_array_may_pack(array, &second), "held in one form");
  hlo_shared_array_unhold(array);
  CHECK(!hlo_shared_array_hold(array, &broken, &status) && reads_right(array), "a form that fails leaves the elements");
  status = (hlo_status){0};
  CHECK(hlo_shared_array_hold(array, &second, &status) == home && home[3] == (element(7) | element(6) << 4), "packed again in the same place");
  CHECK(hlo_shared_array_hold(array, &second, &status) == home && hlo_shared_array_extra_bytes(array) == 0, "for two plans");
  CHECK(reads_right(array), "elements of the other form");
  hlo_shared_array_unhold(array);
  hlo_shared_array_unhold(array);
  hlo_packing wide = {.pack = widen, .geometry = &ONE, .geometry_bytes = sizeof ONE, .packed_bytes = BYTES};
  const void *pinned = hlo_shared_array_pin(array, &status);
  const uint32_t *words = hlo_shared_array_hold(array, &wide, &status);
  CHECK(words && words[100] == element(100), "a form that loses elements, while dense ones are read");
  CHECK(hlo_shared_array_extra_bytes(array) == ELEMENTS + BYTES, "%zu bytes", hlo_shared_array_extra_bytes(array));
  hlo_shared_array_unhold(array);
  CHECK(hlo_shared_array_pin(array, &status) == pinned, "dense elements moved");
  hlo_shared_array_unpin(array);
  hlo_shared_array_unpin(array);
  CHECK(hlo_shared_array_hold(array, &first, &status) && reads_right(array), "packed in the new home");
  hlo_shared_array_unhold(array);
  released = 0;
  hlo_shared_array_release(array);
  CHECK(released == 1, "released %d times", released);
}

static void test_source(void) {
  hlo_status status = {0};
  hlo_source *source = hlo_source_new(aligned_alloc(16, 64), 64, &status);
  hlo_source_release(hlo_source_keep(source));
  CHECK(source->references == 1 && source->length == 64, "%d references", source->references);
  hlo_source_release(source);
  hlo_source_release(NULL);
}

int main(void) {
  test_moving();
  test_copy_that_stays();
  test_literals();
  test_packed_elsewhere();
  test_read_twice();
  test_uses();
  test_small_home();
  test_source();
  return unit_report();
}
