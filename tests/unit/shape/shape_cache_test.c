/* Copies of shapes: equal arrays share one, and nothing else does. */
#include "unit.h"

#include "base/arena.h"
#include "base/status.h"
#include "shape/shape.h"
#include "shape/shape_cache.h"

static hlo_status status;
static hlo_arena source, copies;
static hlo_shape_cache cache;

static const hlo_shape *copy_of(const char *text) {
  const hlo_shape *shape = hlo_shape_parse(&source, text, strlen(text), &status);
  const hlo_shape *copy = shape ? hlo_shape_cache_copy(&cache, &copies, shape, &status) : NULL;
  CHECK(copy && copy != shape && hlo_shape_equal(copy, shape), "%s: %s", text, status.message);
  return copy;
}

/* Shapes of which no two are the same, though some differ in little. */
static void different_shapes_have_copies_of_their_own(void) {
  static const char *const texts[] = {"f32[]", "f32[0]", "f32[2,3]", "f32[3,2]", "f32[6]", "f32[2,3,1]", "s32[2,3]", "f32[<=2,3]", "f32[2,<=3]",
                                      "f32[?,3]", "f32[2,3]{1,0}", "f32[2,3]{0,1}", "(f32[2,3])", "(f32[2,3], f32[2,3])", "()", "token[]"};
  enum { COUNT = sizeof texts / sizeof *texts };
  const hlo_shape *first[COUNT];
  for (int i = 0; i < COUNT; i++) first[i] = copy_of(texts[i]);
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < i; k++) CHECK(first[i] != first[k], "%s and %s", texts[i], texts[k]);
  for (int i = 0; i < COUNT; i++) {
    bool bare = first[i]->type != HLO_TYPE_TUPLE && first[i]->type != HLO_TYPE_TOKEN && !first[i]->layout;
    CHECK((copy_of(texts[i]) == copy_of(texts[i])) == bare, "%s: %s", texts[i], bare ? "copied twice" : "copied once");
    CHECK((first[i]->layout != NULL) == (strchr(texts[i], '{') != NULL), "%s: a layout is kept, and no other added", texts[i]);
  }
}

/* More shapes than slots: each is right, whatever shares its slot. */
static void slots_are_taken_over(void) {
  size_t before = copies.bytes;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 4 * HLO_SHAPE_CACHE_SLOTS; i++) {
      const hlo_shape *shape = hlo_shape_make(&source, HLO_TYPE_F32, (int64_t[]){i / 7, i}, 2, &status);
      const hlo_shape *copy = hlo_shape_cache_copy(&cache, &copies, shape, &status);
      CHECK(copy && hlo_shape_equal(copy, shape), "f32[%d,%d]", i / 7, i);
    }
  CHECK(copies.bytes > before, "copied");
}

static void the_limit_of_an_arena_is_kept(void) {
  hlo_shape_cache empty = {{NULL}};
  hlo_arena small = {.limit = 16};
  hlo_status failed = {0};
  const hlo_shape *shape = hlo_shape_parse(&source, "f32[9]", 6, &status);
  CHECK(!hlo_shape_cache_copy(&empty, &small, shape, &failed) && failed.code == HLO_OUT_OF_MEMORY, "%s", failed.message);
  small.limit = 0;
  failed = (hlo_status){0};
  CHECK(hlo_shape_cache_copy(&empty, &small, shape, &failed) != NULL, "copied once there is room: %s", failed.message);
  hlo_arena_free(&small);
}

int main(void) {
  hlo_arena_init(&source);
  hlo_arena_init(&copies);
  different_shapes_have_copies_of_their_own();
  slots_are_taken_over();
  the_limit_of_an_arena_is_kept();
  hlo_arena_free(&source);
  hlo_arena_free(&copies);
  return unit_report();
}
