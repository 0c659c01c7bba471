/* Compares the answers of which transposes and reshapes are bitcasts with the definition, by moving every element. */
#include <stdlib.h>

#include "shape/layout_index.h"
#include "parsed_shape.h"
#include "random.h"
#include "unit.h"

static void transposes(void) {
  static const struct { const char *input, *output; int64_t permutation[3]; bool bitcast; } cases[] = {
      {"f32[2,3]{1,0}", "f32[3,2]{0,1}", {1, 0}, true},
      {"f32[2,3]{1,0}", "f32[3,2]{1,0}", {1, 0}, false},
      {"f32[2,3]", "f32[2,3]", {0, 1}, true},
      {"f32[1,3]{1,0}", "f32[3,1]{1,0}", {1, 0}, true},
      {"f32[2,3,4]{2,1,0}", "f32[4,2,3]{0,2,1}", {2, 0, 1}, true},
      {"f32[2,3,4]{2,1,0}", "f32[4,2,3]{2,1,0}", {2, 0, 1}, false},
      {"f32[0,3]{1,0}", "f32[3,0]{1,0}", {1, 0}, true},
      {"f32[2,3]{1,0:T(2,2)}", "f32[3,2]{0,1:T(2,2)}", {1, 0}, true},
      {"f32[2,3]{1,0:T(2,2)}", "f32[3,2]{0,1}", {1, 0}, false},
      {"f32[2,3]{1,0:T(2,2)}", "f32[3,2]{0,1:T(2,1)}", {1, 0}, false},
      {"f32[2,3]{1,0:T(2,2)}", "f32[3,2]{1,0:T(2,2)}", {1, 0}, false},
      {"f32[4,4]{1,0:T(4,2)}", "f32[4,4]{0,1:T(2,4)}", {1, 0}, false},
      {"s4[2,3]{1,0:E(4)}", "s4[3,2]{0,1:E(4)}", {1, 0}, true},
      {"s4[2,3]{1,0:E(4)}", "s4[3,2]{0,1}", {1, 0}, false},
      {"f32[2,3]{1,0:L(8)}", "f32[3,2]{0,1}", {1, 0}, false},
      {"f32[2,3]", "f32[2,3]", {1, 0}, false},
      {"f32[2,2]", "f32[2,2]", {0, 0}, false},
      {"f32[0,0]", "f32[0,0]", {0, 0}, false},
      {"f32[1,1]", "f32[1,1]", {1, 1}, false},
      {"f32[2,2]", "f32[2,2]", {0, 2}, false},
      {"f32[2,2]", "f32[4]", {0}, false},
      {"f32[?]", "f32[?]", {0}, false},
  };
  for (int i = 0; i < COUNT(cases); i++)
    CHECK(hlo_transpose_is_bitcast(parse(cases[i].input), parse(cases[i].output), cases[i].permutation) == cases[i].bitcast,
          "%s to %s", cases[i].input, cases[i].output);
  /* Numbers beyond the dimensions are no permutation, whatever lies in memory beside them. */
  static const int64_t sizes[] = {2, 2, 2, 2};
  const hlo_shape square = {.type = HLO_TYPE_F32, .rank = 2, .dims = sizes + 1};
  CHECK(hlo_transpose_is_bitcast(&square, &square, (const int64_t[]){0, 1}), "the identity");
  CHECK(!hlo_transpose_is_bitcast(&square, &square, (const int64_t[]){0, 2}), "too large");
  CHECK(!hlo_transpose_is_bitcast(&square, &square, (const int64_t[]){-1, 1}), "negative");
}

static void reshapes(void) {
  static const struct { const char *input, *output; bool bitcast; } cases[] = {
      {"f32[2,3]", "f32[6]", true},
      {"f32[2,3]{0,1}", "f32[6]", false},
      {"f32[1,6]{0,1}", "f32[6]", true},
      {"f32[2,3,4]{2,1,0}", "f32[6,4]{1,0}", true},
      {"f32[2,3,4]{1,0,2}", "f32[6,4]{0,1}", true},
      {"f32[2,3,4]{0,1,2}", "f32[6,4]{0,1}", false},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,2,1}", true},
      {"f32[2,3]", "f32[3,2]", true},
      {"f32[2,3]{0,1}", "f32[3,2]{0,1}", false},
      {"f32[]", "f32[1,1]{0,1}", true},
      {"f32[0,4]{0,1}", "f32[2,0]", true},
      {"f32[2,3]", "f32[7]", false},
      {"f32[8,128]{1,0:T(8,128)}", "f32[1,8,128]{2,1,0:T(8,128)}", true},
      {"f32[8,128]{1,0:T(8,128)}", "f32[8,1,128]{2,0,1:T(8,128)}", true},
      {"f32[8,128]{1,0:T(8,128)}", "f32[8,1,128]{2,1,0:T(8,128)}", false},
      {"f32[16,128]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0:T(8,128)}", false},
      {"f32[8,128]{1,0:T(8,128)}", "f32[8,128]{1,0}", false},
      {"s4[8]{0:E(4)}", "s4[2,4]{1,0:E(4)}", true},
      {"s4[8]{0:E(4)}", "s4[2,4]{1,0}", false},
      {"f32[?]", "f32[?]", false},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    const hlo_shape *input = parse(cases[i].input), *output = parse(cases[i].output);
    CHECK(hlo_reshape_is_bitcast(input, output) == cases[i].bitcast, "%s to %s", cases[i].input, cases[i].output);
    CHECK(hlo_reshape_is_bitcast(output, input) == cases[i].bitcast, "%s from %s", cases[i].input, cases[i].output);
  }
}

/* ---- Compared with the definition ---- */

/* Makes a shape with `total` elements and some dimensions of size 1, in a random layout; `tile` is the text behind the permutation. */
static const hlo_shape *random_shape(int total, const char *tile) {
  char text[200], *out = text + sprintf(text, "f32[");
  int rank = 0, order[HLO_MAX_RANK];
  while (rank < 6 && (total > 1 || random_below(3) == 0)) {
    int size = rank == 5 ? total : 1;
    for (int attempt = 0; attempt < 3 && rank < 5; attempt++) {
      int factor = 1 + random_below(total);
      if (total % factor == 0) size = factor;
    }
    out += sprintf(out, rank ? ",%d" : "%d", size);
    total /= size;
    int j = random_below(rank + 1);
    if (random_below(2)) j = 0; /* row-major often, so that bitcasts are found */
    for (int k = rank; k > j; k--) order[k] = order[k - 1];
    order[j] = rank++;
  }
  out += sprintf(out, "]{");
  for (int i = 0; i < rank; i++) out += sprintf(out, i ? ",%d" : "%d", order[i]);
  if (*tile) out += sprintf(out, ":%s", tile);
  sprintf(out, "}");
  return parse(text);
}

static hlo_layout_index index_of(const hlo_shape *shape) {
  hlo_status status = {0};
  hlo_layout_index index;
  CHECK(hlo_layout_index_init(&index, shape, &status), "%s", status.message);
  return index;
}

static bool reshape_moves_nothing(const hlo_shape *input, const hlo_shape *output) {
  hlo_layout_index from = index_of(input), to = index_of(output);
  if (from.aligned_elements != to.aligned_elements) return false;
  for (int64_t linear = 0; linear < hlo_shape_element_count(input); linear++) {
    int64_t from_at[HLO_MAX_RANK], to_at[HLO_MAX_RANK];
    hlo_index_multi(input->dims, input->rank, linear, from_at);
    hlo_index_multi(output->dims, output->rank, linear, to_at);
    if (hlo_layout_offset(&from, from_at) != hlo_layout_offset(&to, to_at)) return false;
  }
  return true;
}

static bool transpose_moves_nothing(const hlo_shape *input, const hlo_shape *output, const int64_t *permutation) {
  hlo_layout_index from = index_of(input), to = index_of(output);
  int64_t to_at[HLO_MAX_RANK] = {0}, from_at[HLO_MAX_RANK];
  if (from.aligned_elements != to.aligned_elements) return false;
  do {
    for (int i = 0; i < output->rank; i++) from_at[permutation[i]] = to_at[i];
    if (hlo_layout_offset(&from, from_at) != hlo_layout_offset(&to, to_at)) return false;
  } while (hlo_index_next(output->dims, output->rank, to_at));
  return true;
}

static void reshapes_by_definition(void) {
  static const int totals[] = {1, 6, 8, 12, 16, 24, 36};
  static const char *tiles[] = {"", "", "T(2,2)", "T(4)"};
  int yes = 0;
  for (int i = 0; i < 20000; i++) {
    const char *tile = tiles[random_below(COUNT(tiles))];
    int total = totals[random_below(COUNT(totals))];
    const hlo_shape *input = random_shape(total, tile), *output = random_shape(total, tile);
    if (!input || !output) return;
    bool says = hlo_reshape_is_bitcast(input, output), is = reshape_moves_nothing(input, output);
    yes += says;
    CHECK(says ? is : (!is || *tile), "%s{...%s} to %s: says %d, is %d", HLO_SHAPE_TEXT(input), tile, HLO_SHAPE_TEXT(output), says, is);
    hlo_arena_reset(&arena);
  }
  CHECK(yes > 1000, "only %d bitcasts among them", yes);
}

static void transposes_by_definition(void) {
  int yes = 0;
  for (int i = 0; i < 20000; i++) {
    const char *tile = random_below(2) ? "" : "T(2,2)";
    const hlo_shape *input = random_shape(24, tile);
    if (!input) return;
    int64_t permutation[HLO_MAX_RANK], dims[HLO_MAX_RANK], minor_to_major[HLO_MAX_RANK];
    for (int d = 0; d < input->rank; d++) {
      int j = random_below(d + 1);
      permutation[d] = permutation[j];
      permutation[j] = d;
    }
    hlo_layout layout = *input->layout;
    layout.minor_to_major = minor_to_major;
    for (int d = 0; d < input->rank; d++) dims[d] = input->dims[permutation[d]];
    for (int place = 0; place < input->rank; place++)
      for (int d = 0; d < input->rank; d++)
        if (permutation[d] == input->layout->minor_to_major[place]) minor_to_major[place] = d;
    if (input->rank > 1 && random_below(2)) { /* change the permutation, which matters unless a dimension has size 1 */
      int64_t first = minor_to_major[0];
      minor_to_major[0] = minor_to_major[1];
      minor_to_major[1] = first;
    }
    hlo_status status = {0};
    const hlo_shape *output = hlo_shape_make(&arena, input->type, dims, input->rank, &status);
    output = hlo_shape_with_layout(&arena, output, &layout, &status);
    bool says = hlo_transpose_is_bitcast(input, output, permutation), is = transpose_moves_nothing(input, output, permutation);
    yes += says;
    CHECK(says ? is : (!is || *tile), "%s{%s}: says %d, is %d", HLO_SHAPE_TEXT(input), tile, says, is);
    hlo_arena_reset(&arena);
  }
  CHECK(yes > 1000, "only %d bitcasts among them", yes);
}

int main(void) {
  hlo_arena_init(&arena);
  transposes();
  reshapes();
  reshapes_by_definition();
  transposes_by_definition();
  hlo_arena_free(&arena);
  return unit_report();
}
