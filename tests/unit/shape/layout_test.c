/* Tests of layouts: every figure and formula of "Shapes and layout" and "Tiled layout", and properties that hold for
 * any layout. */
#include <stdlib.h>

#include "shape/layout_index.h"
#include "shape/strides.h"
#include "shape/tiling.h"
#include "parsed_shape.h"
#include "random.h"
#include "unit.h"

static hlo_layout_index index_of(const hlo_shape *shape) {
  hlo_status status = {0};
  hlo_layout_index index;
  CHECK(hlo_layout_index_init(&index, shape, &status), "%s", status.message);
  return index;
}

static int64_t offset_of(const char *text, const int64_t *at) {
  hlo_layout_index index = index_of(parse(text));
  return hlo_layout_offset(&index, at);
}

/* ---- The documents' examples ---- */

/* Figure 1: F32[3,5] with 2x2 tiles; -1 is padding. */
static void figure_1(void) {
  static const int64_t memory[24][2] = {
      {0, 0}, {0, 1}, {1, 0},   {1, 1},   {0, 2}, {0, 3}, {1, 2},   {1, 3},   {0, 4}, {-1, -1}, {1, 4},   {-1, -1},
      {2, 0}, {2, 1}, {-1, -1}, {-1, -1}, {2, 2}, {2, 3}, {-1, -1}, {-1, -1}, {2, 4}, {-1, -1}, {-1, -1}, {-1, -1}};
  hlo_layout_index index = index_of(parse("F32[3,5]{1,0:T(2,2)}"));
  CHECK(index.padded_elements == 24, "padded to 4 x 6");
  for (int64_t offset = 0; offset < 24; offset++) {
    int64_t at[2] = {-1, -1};
    bool inside = hlo_layout_multi_index(&index, offset, at);
    CHECK(inside == (memory[offset][0] >= 0), "offset %lld", (long long)offset);
    if (!inside) continue;
    CHECK(at[0] == memory[offset][0] && at[1] == memory[offset][1], "offset %lld", (long long)offset);
    CHECK(hlo_layout_offset(&index, at) == offset, "offset %lld back", (long long)offset);
  }
  int64_t padding[2];
  CHECK(!hlo_layout_multi_index(&index, 24, padding) && !hlo_layout_multi_index(&index, -1, padding), "outside");

  /* element (2,3): tile (1,1), within it (0,1); linear_index((1,1,0,1), (2,3,2,2)) = 17 */
  int64_t coordinates[HLO_MAX_TILED_RANK], bounds[HLO_MAX_TILED_RANK];
  int rank = hlo_layout_tiled_index(&index, (int64_t[]){2, 3}, coordinates, bounds);
  static const int64_t expected[] = {1, 1, 0, 1}, expected_bounds[] = {2, 3, 2, 2};
  CHECK(rank == 4 && !memcmp(coordinates, expected, sizeof expected) && !memcmp(bounds, expected_bounds, sizeof expected_bounds),
        "tiled coordinates");
  CHECK(hlo_layout_offset(&index, (int64_t[]){2, 3}) == 17, "17");
}

/* Figure 2: 4x8 with (2,4)(2,1). */
static void figure_2(void) {
  static const int64_t figure[4][8] = {{0, 2, 4, 6, 8, 10, 12, 14},
                                       {1, 3, 5, 7, 9, 11, 13, 15},
                                       {16, 18, 20, 22, 24, 26, 28, 30},
                                       {17, 19, 21, 23, 25, 27, 29, 31}};
  hlo_layout_index index = index_of(parse("f32[4,8]{1,0:T(2,4)(2,1)}"));
  for (int64_t y = 0; y < 4; y++)
    for (int64_t x = 0; x < 8; x++)
      CHECK(hlo_layout_offset(&index, (int64_t[]){y, x}) == figure[y][x], "(%lld,%lld)", (long long)y, (long long)x);
}

/* [2 x 3] a b c / d e f: {0,1} gives a d b e c f, {1,0} gives a b c d e f. */
static void minor_to_major_orders(void) {
  static const struct { const char *shape, *memory; } cases[] = {
      {"u8[2,3]{0,1}", "adbecf"}, {"u8[2,3]{1,0}", "abcdef"}, {"u8[2,3]", "abcdef"}};
  for (int i = 0; i < COUNT(cases); i++) {
    char memory[7] = {0}, dense[7] = {0};
    hlo_status status = {0};
    const hlo_shape *shape = parse(cases[i].shape);
    CHECK(hlo_layout_scatter(shape, "abcdef", memory, &status), "%s", status.message);
    CHECK_TEXT(memory, cases[i].memory);
    CHECK(hlo_layout_gather(shape, memory, dense, &status), "%s", status.message);
    CHECK_TEXT(dense, "abcdef");
  }
}

/* padded_dimensions [3, 5], column-major: a d 0 b e 0 c f 0 0 0 0 0 0 0 */
static void padded_dimensions(void) {
  hlo_layout layout = *parse("u8[2,3]{0,1}")->layout;
  layout.padded_dimensions = (int64_t[]){3, 5};
  hlo_status status = {0};
  const hlo_shape *shape = hlo_shape_with_layout(&arena, parse("u8[2,3]"), &layout, &status);
  CHECK(shape, "%s", status.message);
  static const struct { hlo_padding_value padding; const char *memory; } cases[] = {
      {HLO_PADDING_INVALID, "ad\0be\0cf\0\0\0\0\0\0\0"},
      {HLO_PADDING_ZERO, "ad\0be\0cf\0\0\0\0\0\0\0"},
      {HLO_PADDING_UNKNOWN, "ad\0be\0cf\0\0\0\0\0\0\0"},
      {HLO_PADDING_LOWEST, "ad\0be\0cf\0\0\0\0\0\0\0"},
      {HLO_PADDING_ONE, "ad\1be\1cf\1\1\1\1\1\1\1"},
      {HLO_PADDING_HIGHEST, "ad\377be\377cf\377\377\377\377\377\377\377"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    layout.padding_value = cases[i].padding;
    char memory[15], dense[7] = {0};
    memset(memory, 'x', sizeof memory);
    CHECK(hlo_layout_scatter(shape, "abcdef", memory, &status), "%s", status.message);
    CHECK(memcmp(memory, cases[i].memory, sizeof memory) == 0, "padding %d", cases[i].padding);
    CHECK(hlo_layout_gather(shape, memory, dense, &status) && strcmp(dense, "abcdef") == 0, "back");
  }
  int64_t bytes = 0;
  CHECK(hlo_shape_array_size(shape, &bytes, &status) && bytes == 15, "15 bytes");

  hlo_layout lowest = layout, unstated = layout;
  lowest.padding_value = HLO_PADDING_LOWEST;
  unstated.padding_value = HLO_PADDING_INVALID;
  layout.padding_value = HLO_PADDING_UNKNOWN;
  CHECK(!hlo_layout_equal(&lowest, &layout) && hlo_layout_equal(&unstated, &layout), "a padding that is not stated is unknown");
  char memory[15];
  CHECK(hlo_layout_scatter(hlo_shape_with_layout(&arena, parse("s8[2,3]"), &lowest, &status), "abcdef", memory, &status) && (uint8_t)memory[2] == 0x80 &&
            (uint8_t)memory[14] == 0x80, "the lowest of s8 is %d", memory[2]);

  /* The padded array is one tile, and is printed as one, most major dimension first. */
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_shape_write(&w, shape, true);
  CHECK_TEXT(w.text, "u8[2,3]{0,1:T(5,3)}");
  layout.padding_value = HLO_PADDING_INVALID;
  CHECK(hlo_shape_equal(shape, parse("u8[2,3]{0,1:T(5,3)}")), "equal to the tile");
  hlo_writer_free(&w);
  const hlo_shape *copy = hlo_shape_copy(&arena, shape, &status);
  CHECK(copy && copy->layout->padded_dimensions[1] == 5 && hlo_shape_equal(copy, shape), "copied");

  /* Its tiles follow the one that is the padded array. */
  const hlo_tile *tiles = parse("u8[2,3]{0,1:T(2,2)(1)}")->layout->tiles;
  hlo_layout tiled = layout;
  tiled.tiles = tiles;
  tiled.tile_count = 2;
  int64_t storage[2];
  CHECK(hlo_layout_tile_count(&tiled) == 3 && hlo_layout_tile(&tiled, 0, storage).dims == storage && hlo_layout_tile(&tiled, 1, storage).dims == tiles[0].dims &&
            hlo_layout_tile(&tiled, 2, storage).dims == tiles[1].dims, "three tiles");

  layout.padded_dimensions = (int64_t[]){1, 5};
  CHECK(!hlo_layout_check(shape, &layout, &status) && unit_says(status.message, "dimension 0", NULL), "%s", status.message);
  status = (hlo_status){0};
  layout.padded_dimensions = (int64_t[]){3, 2};
  CHECK(!hlo_layout_check(shape, &layout, &status) && status.code == HLO_SHAPE, "%s", status.message);
}

/* Combining: (*,*,2,*,3) on [2,7,8,11,10] is (2,3) on [112,110]. */
static void combining_dimensions(void) {
  hlo_layout_index combined = index_of(parse("F32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"));
  hlo_layout_index plain = index_of(parse("F32[112,110]{1,0:T(2,3)}"));
  CHECK(combined.padded_elements == plain.padded_elements && plain.padded_elements == 12432, "12432");
  int64_t at[5] = {0}, back[5], bad = 0;
  static const int64_t dims[] = {2, 7, 8, 11, 10};
  do {
    int64_t folded[2] = {(at[0] * 7 + at[1]) * 8 + at[2], at[3] * 10 + at[4]};
    int64_t offset = hlo_layout_offset(&combined, at);
    bad += offset != hlo_layout_offset(&plain, folded);
    bad += !hlo_layout_multi_index(&combined, offset, back) || memcmp(back, at, sizeof at) != 0;
  } while (hlo_index_next(dims, 5, at));
  CHECK(bad == 0, "%lld elements differ", (long long)bad);
}

/* Tiling is pad, reshape, transpose: [3,5] -> [4,6] -> [2,2,3,2] -> transposed to [2,3,2,2]. */
static void tiling_is_pad_reshape_transpose(void) {
  static const int64_t d[] = {5, 7}, t[] = {2, 3};
  static const int64_t n[] = {3, 3};
  hlo_layout_index index = index_of(parse("f32[5,7]{1,0:T(2,3)}"));
  for (int64_t y = 0; y < d[0]; y++)
    for (int64_t x = 0; x < d[1]; x++) {
      int64_t padded_linear = y * n[1] * t[1] + x, reshaped[4];
      hlo_index_multi((int64_t[]){n[0], t[0], n[1], t[1]}, 4, padded_linear, reshaped);
      int64_t transposed[4] = {reshaped[0], reshaped[2], reshaped[1], reshaped[3]};
      int64_t expected = hlo_index_linear((int64_t[]){n[0], n[1], t[0], t[1]}, 4, transposed);
      CHECK(hlo_layout_offset(&index, (int64_t[]){y, x}) == expected, "(%lld,%lld)", (long long)y, (long long)x);
    }
}

/* ---- Tiles of other ranks ---- */

static void tiles_of_other_ranks(void) {
  /* shorter: leading physical dimensions are left alone */
  CHECK(offset_of("f32[2,3,5]{2,1,0:T(2,2)}", (int64_t[]){1, 2, 3}) == 24 + 17, "a suffix");
  CHECK(offset_of("f32[3,5]{1,0:T(2)}", (int64_t[]){2, 3}) == 2 * 6 + 3, "one dimension");
  /* longer: as if dimensions of size 1 stood in front */
  CHECK(offset_of("f32[]{:T(128)}", (int64_t[]){0}) == 0, "a scalar");
  CHECK(offset_of("f32[5]{0:T(2,2)}", (int64_t[]){3}) == 5, "a vector in 2x2 tiles");
  CHECK(offset_of("f32[3,5]{1,0:T(*,2,2)}", (int64_t[]){2, 3}) == 17, "combining with nothing");
  /* a second tile across the first one's cross-tile dimensions */
  CHECK(offset_of("f32[8,8]{1,0:T(2,4)(2,1,1,1)}", (int64_t[]){6, 5}) == 51, "across tiles");
}

static void flags_and_strides(void) {
  static const struct { const char *shape; bool dense, untiled; } cases[] = {
      {"f32[2,3]", 1, 1},           {"f32[2,3]{1,0}", 1, 1},        {"f32[2,3]{0,1}", 0, 1},     {"f32[1,3]{0,1}", 1, 1},
      {"f32[2,3]{1,0:T(2,3)}", 0, 0}, {"s4[2,3]{1,0:E(4)}", 0, 1}, {"s4[2,3]{1,0:E(8)}", 1, 1}, {"f32[2,3]{1,0:L(4)}", 0, 1},
      {"f32[2,3]{1,0:L(3)}", 1, 1}, {"f32[2,3]{1,0:S(1)}", 1, 1},   {"f32[]", 1, 1},             {"f32[0,3]{0,1}", 0, 1},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_layout_index index = index_of(parse(cases[i].shape));
    CHECK(index.dense_row_major == cases[i].dense, "%s dense", cases[i].shape);
    CHECK(index.untiled == cases[i].untiled, "%s untiled", cases[i].shape);
  }
  hlo_layout_index index = index_of(parse("f32[2,3,4]{1,2,0}"));
  CHECK(index.strides[0] == 12 && index.strides[1] == 1 && index.strides[2] == 3, "strides");
  hlo_status status = {0};
  CHECK(!hlo_layout_index_init(&index, parse("f32[?]"), &status) && status.code == HLO_SHAPE, "unknown size");
  status = (hlo_status){0};
  CHECK(!hlo_layout_index_init(&index, parse("token[]"), &status), "no array");
}

static void too_many_tiles_are_refused(void) {
  char text[2000] = "f32[2,2]{1,0:T(2,2)";
  for (int i = 0; i < 40; i++) strcat(text, "(2,2)");
  strcat(text, "}");
  hlo_status status = {0};
  CHECK(!hlo_shape_parse(&arena, text, strlen(text), &status) && status.code == HLO_LIMIT, "%s", status.message);
}

/* ---- Copies ---- */

/* XLA packs from the low bits up: s4 {1, 2, 3, -1} is 21 f3. */
static void tail_alignments(void) {
  static const struct { int64_t alignment; bool fits; } cases[] = {{-1, false}, {0, true}, {1, true}, {8, true}};
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_layout layout = *parse("u8[2,3]{0,1}")->layout;
    layout.tail_padding_alignment_in_elements = cases[i].alignment;
    hlo_status status = {0};
    CHECK(hlo_layout_check(parse("u8[2,3]"), &layout, &status) == cases[i].fits, "%lld", (long long)cases[i].alignment);
  }
}

static void tiles_without_dimensions_are_refused(void) {
  const int ranks[] = {0, -1, HLO_MAX_TILED_RANK + 1};
  for (int i = 0; i < COUNT(ranks); i++) {
    int64_t dims[HLO_MAX_TILED_RANK + 1];
    for (int d = 0; d <= HLO_MAX_TILED_RANK; d++) dims[d] = 1;
    hlo_tile tile = {.rank = ranks[i], .dims = dims};
    hlo_layout layout = *parse("u8[2,3]{0,1}")->layout;
    layout.tiles = &tile;
    layout.tile_count = 1;
    hlo_status status = {0};
    CHECK(!hlo_layout_check(parse("u8[2,3]"), &layout, &status) && strstr(status.message, "a tile has 1 to"), "%d: %s", ranks[i], status.message);
  }
}

static void packed_elements(void) {
  hlo_status status = {0};
  const hlo_shape *s4 = parse("s4[4]{0:E(4)}"), *f6 = parse("f6e2m3fn[5]{0:E(6)}"), *p = parse("pred[10]{0:E(1)}");
  int8_t values[] = {1, 2, 3, -1}, back[4];
  uint8_t memory[2] = {0xFF, 0xFF};
  CHECK(hlo_layout_scatter(s4, values, memory, &status) && memory[0] == 0x21 && memory[1] == 0xF3, "%02x %02x", memory[0], memory[1]);
  CHECK(hlo_layout_gather(s4, memory, back, &status) && memcmp(back, values, 4) == 0, "sign-extended again");
  uint8_t sixes[] = {0x3F, 0, 0x2A, 0x15, 1}, sixes_back[5], six_memory[4];
  CHECK(hlo_layout_scatter(f6, sixes, six_memory, &status) && six_memory[0] == 0x3F && six_memory[1] == 0xA0 && six_memory[2] == 0x56,
        "%02x %02x %02x", six_memory[0], six_memory[1], six_memory[2]);
  CHECK(hlo_layout_gather(f6, six_memory, sixes_back, &status) && memcmp(sixes_back, sixes, 5) == 0, "six bits");
  uint8_t bits[10] = {1, 0, 1, 1, 0, 0, 0, 0, 0, 1}, bits_back[10], bit_memory[2];
  CHECK(hlo_layout_scatter(p, bits, bit_memory, &status) && bit_memory[0] == 0x0D && bit_memory[1] == 0x02, "bits");
  CHECK(hlo_layout_gather(p, bit_memory, bits_back, &status) && memcmp(bits_back, bits, 10) == 0, "bits back");
}

/* What has no places in memory is refused both ways. */
static void open_sizes_are_refused(void) {
  const hlo_shape *shape = parse("f32[?,2]{0,1}");
  hlo_status out = {0}, back = {0};
  float elements[4] = {0}, memory[4] = {0};
  CHECK(!hlo_layout_scatter(shape, elements, memory, &out) && out.code == HLO_SHAPE, "%s", out.message);
  CHECK(!hlo_layout_gather(shape, memory, elements, &back) && back.code == HLO_SHAPE, "%s", back.message);
}

static void unaligned_memory_is_fine(void) {
  hlo_status status = {0};
  const hlo_shape *shape = parse("f32[2,2]{0,1}");
  uint8_t memory[17];
  float values[] = {1, 2, 3, 4}, back[4];
  CHECK(hlo_layout_scatter(shape, values, memory + 1, &status) && hlo_layout_gather(shape, memory + 1, back, &status), "copy");
  CHECK(memcmp(values, back, sizeof values) == 0, "round trip");
}

/* ---- Any layout ---- */

/* Writes a random shape's text, such as s4[3,1,5]{1,0,2:T(2,*,3)(1,2)L(4)E(4)}. */
static void random_shape(char *text) {
  static const char *types[] = {"s4", "u8", "bf16", "f32", "c64", "c128", "f6e3m2fn"};
  int type = random_below(COUNT(types)), rank = random_below(5);
  char *out = text + sprintf(text, "%s[", types[type]);
  int64_t order[5];
  for (int i = 0; i < rank; i++) {
    out += sprintf(out, i ? ",%d" : "%d", random_below(12) ? 1 + random_below(6) : 0);
    int64_t j = random_below(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  out += sprintf(out, "]{");
  for (int i = 0; i < rank; i++) out += sprintf(out, i ? ",%d" : "%d", (int)order[i]);
  int tiles = random_below(4);
  bool padded_tail = random_below(3) == 0, packed = random_below(2) && (type == 0 || type == 6);
  if (tiles || padded_tail || packed) out += sprintf(out, ":");
  for (int i = 0; i < tiles; i++) {
    int tile_rank = 1 + random_below(4);
    out += sprintf(out, i ? "(" : "T(");
    for (int d = 0; d < tile_rank; d++) {
      bool combine = d + 1 < tile_rank && random_below(5) == 0;
      out += combine ? sprintf(out, "*,") : sprintf(out, d + 1 < tile_rank ? "%d," : "%d", 1 + random_below(4));
    }
    out += sprintf(out, ")");
  }
  if (padded_tail) out += sprintf(out, "L(%d)", 2 + random_below(9));
  if (packed) out += sprintf(out, "E(%d)", type == 0 ? 4 : 6);
  sprintf(out, "}");
}

/* Checks that every logical index has an offset of its own inside the array, that every other offset is padding, and that
 * hlo_layout_multi_index is the inverse. */
static void check_bijection(const char *text, const hlo_shape *shape) {
  hlo_layout_index index = index_of(shape);
  int64_t elements = hlo_shape_element_count(shape), seen = 0, inside = 0, bad = 0, at[HLO_MAX_RANK] = {0}, back[HLO_MAX_RANK];
  char *taken = calloc(1, (size_t)index.padded_elements + 1);
  if (elements) do {
      int64_t offset = hlo_layout_offset(&index, at);
      if (offset < 0 || offset >= index.padded_elements || taken[offset]++) bad++;
      else if (!hlo_layout_multi_index(&index, offset, back) || (shape->rank && memcmp(at, back, (size_t)shape->rank * sizeof *at))) bad++;
      int64_t coordinates[HLO_MAX_TILED_RANK], bounds[HLO_MAX_TILED_RANK];
      int rank = hlo_layout_tiled_index(&index, at, coordinates, bounds);
      bad += hlo_index_linear(bounds, rank, coordinates) != offset;
      seen++;
    } while (hlo_index_next(shape->dims, shape->rank, at));
  for (int64_t offset = 0; offset < index.padded_elements; offset++) inside += hlo_layout_multi_index(&index, offset, back);
  CHECK(bad == 0 && seen == elements && inside == elements, "%s: %lld bad, %lld inside of %lld", text, (long long)bad,
        (long long)inside, (long long)elements);
  free(taken);
}

static void check_copies(const char *text, const hlo_shape *shape) {
  hlo_status status = {0};
  int64_t array_size = 0, elements = hlo_shape_element_count(shape);
  CHECK(hlo_shape_array_size(shape, &array_size, &status), "%s: %s", text, status.message);
  size_t dense_bytes = (size_t)elements * (size_t)hlo_type_bytes(shape->type);
  uint8_t *dense = malloc(dense_bytes + 1), *back = malloc(dense_bytes + 1), *memory = malloc((size_t)array_size + 1);
  for (int64_t i = 0; i < (int64_t)dense_bytes; i++) dense[i] = (uint8_t)random_below(256);
  if (shape->type == HLO_TYPE_S4 || shape->type == HLO_TYPE_F6E3M2FN)
    for (int64_t i = 0; i < elements; i++) hlo_scalar_store(shape->type, dense, i, hlo_scalar_load(shape->type, dense, i));
  memset(memory, 0xAA, (size_t)array_size + 1);
  CHECK(hlo_layout_scatter(shape, dense, memory, &status) && memory[array_size] == 0xAA, "%s", text);
  CHECK(hlo_layout_gather(shape, memory, back, &status) && memcmp(dense, back, dense_bytes) == 0, "%s comes back", text);

  hlo_layout_index index = index_of(shape);
  size_t bytes = (size_t)hlo_type_bytes(shape->type);
  if (hlo_layout_element_bits(shape) == 8 * (int64_t)bytes)
    for (int64_t offset = 0, at[HLO_MAX_RANK]; offset < index.aligned_elements; offset++) {
      bool element = hlo_layout_multi_index(&index, offset, at);
      const uint8_t *expected = (const uint8_t[16]){0};
      if (element) expected = dense + (size_t)hlo_index_linear(shape->dims, shape->rank, at) * bytes;
      if (memcmp(memory + (size_t)offset * bytes, expected, bytes) != 0) CHECK(false, "%s: wrong bytes at %lld", text, (long long)offset);
    }
  free(dense);
  free(back);
  free(memory);
}

static void any_layout(void) {
  for (int i = 0; i < 3000; i++) {
    char text[300];
    random_shape(text);
    const hlo_shape *shape = parse(text);
    if (!shape) return;
    check_bijection(text, shape);
    check_copies(text, shape);
    hlo_status status = {0};
    hlo_writer w;
    hlo_writer_init(&w, &status);
    hlo_shape_write(&w, shape, true);
    if (shape->rank || shape->layout->tile_count) CHECK_TEXT(w.text, text);
    hlo_writer_free(&w);
    hlo_arena_reset(&arena);
  }
}

/* ---- Row-major helpers ---- */

static void row_major_helpers(void) {
  int64_t nowhere[3] = {9, 9, 9};
  hlo_index_multi((const int64_t[]){2, 0, 3}, 3, 4, nowhere);
  CHECK(nowhere[0] == 1 && nowhere[1] == 0 && nowhere[2] == 1, "a dimension without elements counts as one");
  static const int64_t dims[] = {2, 3};
  int64_t at[2] = {0};
  int64_t count = 0;
  do {
    int64_t multi[2];
    CHECK(hlo_index_linear(dims, 2, at) == count, "linear");
    hlo_index_multi(dims, 2, count, multi);
    CHECK(multi[0] == at[0] && multi[1] == at[1], "multi");
    count++;
  } while (hlo_index_next(dims, 2, at));
  CHECK(count == 6 && at[0] == 0 && at[1] == 0, "six, and back to the start");
  CHECK(!hlo_index_next(NULL, 0, NULL), "a scalar has one index");
  int64_t strides[] = {7, 7, 7};
  hlo_shape_byte_strides(parse("f32[2,3]"), strides);
  CHECK(strides[0] == 12 && strides[1] == 4 && strides[2] == 7, "a stride for each dimension, and no more");
  hlo_status status = {0};
  const hlo_layout *layout = hlo_layout_row_major(&arena, 3, &status);
  CHECK(layout && layout->minor_to_major[0] == 2 && layout->minor_to_major[2] == 0, "row major");
}

/* ---- vectors/layout.json ---- */

typedef struct offset_vector { const char *shape; int64_t index[5]; int64_t offset, padded; } offset_vector;
static const offset_vector offset_vectors[] = {
    {"f32[3,5]{1,0:T(2,2)}", {2, 3}, 17, 24},
    {"f32[3,5]{1,0:T(2,2)}", {0, 2}, 4, 24},
    {"f32[3,5]{0,1:T(2,2)}", {2, 3}, 14, 24},
    {"f32[8,4]{1,0:T(2,2)}", {3, 1}, 11, 32},
    {"f32[8,4]{1,0}", {3, 1}, 13, 32},
    {"f32[4,8]{1,0:T(2,4)(2,1)}", {3, 6}, 29, 32},
    {"f32[8,8]{1,0:T(2,4)(2,1,1,1)}", {6, 5}, 51, 64},
    {"bf16[32,256]{1,0:T(8,128)(2,1,1,1)}", {8, 0}, 1, 8192},
    {"bf16[2048]{0:T(1024)(128)(2,1)}", {128}, 1, 2048},
    {"bf16[2048]{0:T(1024)(128)(2,1)}", {1}, 2, 2048},
    {"bf16[2,8,128]{2,1,0:T(8,128)(2,1)}", {0, 2, 0}, 256, 2048},
    {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", {1, 3, 5, 7, 9}, 9484, 12432},
    {"bf16[2,3,1004]{2,1,0:T(2,*,128)}", {1, 2, 1003}, 6083, 6144},
    {"s8[9,200]{1,0:T(8,128)(4,1)}", {8, 130}, 3080, 4096},
    {"f32[10,20]{0,1}", {3, 5}, 53, 200},
    {"f32[10,20]{1,0}", {3, 5}, 65, 200},
    {"f32[10,20,30]{2,1,0}", {8, 15, 27}, 5277, 6000},
    {"f32[10,20,30]{1,2,0}", {8, 15, 27}, 5355, 6000},
    {"f32[10,20,30,40]{3,2,1,0}", {8, 15, 27, 33}, 211113, 240000},
};

static void check_offset_vector(const char *text, const int64_t *at, int64_t offset, int64_t padded) {
  const hlo_shape *shape = parse(text);
  if (!shape) return;
  hlo_layout_index index = index_of(shape);
  int64_t got = hlo_layout_offset(&index, at), back[HLO_MAX_RANK];
  CHECK(got == offset, "%s: %lld, expected %lld", text, (long long)got, (long long)offset);
  CHECK(index.padded_elements == padded, "%s: %lld padded", text, (long long)index.padded_elements);
  CHECK(hlo_layout_multi_index(&index, offset, back) && !memcmp(back, at, (size_t)shape->rank * sizeof *at), "%s back", text);
}

static void check_sizes(const char *text, int64_t byte_size, int64_t array_size) {
  hlo_status status = {0};
  int64_t bytes = 0, array = 0;
  const hlo_shape *shape = parse(text);
  CHECK(shape && hlo_shape_byte_size(shape, &bytes, &status) && bytes == byte_size, "%s: %lld bytes", text, (long long)bytes);
  CHECK(shape && hlo_shape_array_size(shape, &array, &status) && array == array_size, "%s: %lld in memory", text, (long long)array);
}

/* Returns the text after "name": in a line of the file. */
static const char *field(const char *line, const char *name) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\": ", name);
  const char *at = strstr(line, key);
  return at ? at + strlen(key) : NULL;
}

static bool shape_field(const char *line, char *text, size_t size) {
  const char *at = field(line, "shape"), *end = at ? strchr(at + 1, '"') : NULL;
  if (!end || (size_t)(end - at) > size) return false;
  memcpy(text, at + 1, (size_t)(end - at) - 1);
  text[end - at - 1] = 0;
  return true;
}

static void vectors_file(void) {
  const char *shared = getenv("WEBHLO_SHARED");
  char path[1000], line[1000], text[200];
  snprintf(path, sizeof path, "%s/vectors/layout.json", shared ? shared : WEBHLO_ROOT "/../shared");
  FILE *file = fopen(path, "r");
  if (!file) {
    printf("skipped: %s is not there\n", path);
    return;
  }
  int offsets = 0, sizes = 0;
  while (fgets(line, sizeof line, file)) {
    if (!shape_field(line, text, sizeof text)) continue;
    if (field(line, "offset")) {
      int64_t at[HLO_MAX_RANK] = {0};
      char *next = (char *)field(line, "index") + 1;
      for (int d = 0; *next != ']'; d++) {
        at[d] = strtoll(next, &next, 10);
        next += strspn(next, ", ");
      }
      check_offset_vector(text, at, atoll(field(line, "offset")), atoll(field(line, "paddedElements")));
      offsets++;
    } else {
      check_sizes(text, atoll(field(line, "byteSize")), atoll(field(line, "arraySize")));
      sizes++;
    }
  }
  fclose(file);
  CHECK(offsets >= 19 && sizes >= 6, "%d offsets and %d sizes", offsets, sizes);
}

static void vectors(void) {
  for (int i = 0; i < COUNT(offset_vectors); i++)
    check_offset_vector(offset_vectors[i].shape, offset_vectors[i].index, offset_vectors[i].offset, offset_vectors[i].padded);
  check_sizes("f32[3,5]{1,0:T(2,2)}", 60, 96);
  check_sizes("f32[3,5]{1,0:T(2,2)L(16)}", 60, 128);
  check_sizes("s4[64,128]{1,0:E(4)}", 4096, 4096);
  check_sizes("s8[9,200]{1,0:T(8,128)(4,1)}", 1800, 4096);
  check_sizes("f32[10,20]{1,0}", 800, 800);
  check_sizes("pred[8,8,8]{0,2,1:T(8,128)}", 512, 8192);
  vectors_file();
}

int main(void) {
  hlo_arena_init(&arena);
  figure_1();
  figure_2();
  minor_to_major_orders();
  padded_dimensions();
  combining_dimensions();
  tiling_is_pad_reshape_transpose();
  tiles_of_other_ranks();
  flags_and_strides();
  too_many_tiles_are_refused();
  tail_alignments();
  tiles_without_dimensions_are_refused();
  packed_elements();
  unaligned_memory_is_fine();
  open_sizes_are_refused();
  any_layout();
  row_major_helpers();
  vectors();
  hlo_arena_free(&arena);
  return unit_report();
}
