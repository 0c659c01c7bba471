/* Validates, compares and copies layouts. */
#include "shape/layout.h"

#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/shape.h"
#include "shape/tiling.h"

/* ---- Validation ---- */

static bool check_permutation(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status) {
  if (layout->rank != shape->rank)
    return hlo_fail(status, HLO_SHAPE, "the layout must order every dimension of %pS, of rank %d, got %d", shape,
                    shape->rank, layout->rank);
  uint64_t seen = 0;
  for (int i = 0; i < layout->rank; i++) {
    int64_t dimension = layout->minor_to_major[i];
    if (dimension < 0 || dimension >= layout->rank)
      return hlo_fail(status, HLO_SHAPE, "the layout's dimension %lld is out of range for %pS", (long long)dimension, shape);
    if (seen >> dimension & 1)
      return hlo_fail(status, HLO_SHAPE, "the layout names dimension %lld twice", (long long)dimension);
    seen |= (uint64_t)1 << dimension;
  }
  return true;
}

static bool check_tile(const hlo_tile *tile, hlo_status *status) {
  if (tile->rank < 1 || tile->rank > HLO_MAX_TILED_RANK)
    return hlo_fail(status, HLO_SHAPE, "a tile has 1 to %d dimensions, not %d", HLO_MAX_TILED_RANK, tile->rank);
  for (int i = 0; i < tile->rank; i++)
    if (tile->dims[i] != HLO_TILE_COMBINE && tile->dims[i] <= 0)
      return hlo_fail(status, HLO_SHAPE, "a tile's size is positive or '*', not %lld", (long long)tile->dims[i]);
  if (tile->dims[tile->rank - 1] == HLO_TILE_COMBINE)
    return hlo_fail(status, HLO_SHAPE, "the last dimension of a tile cannot be '*': there is no more minor one to "
                                       "combine it with");
  return true;
}

static bool check_tiles(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status) {
  int rank = shape->rank;
  for (int i = 0; i < layout->tile_count; i++) {
    if (!check_tile(&layout->tiles[i], status)) return false;
    rank = hlo_tiled_rank(rank, &layout->tiles[i]);
    if (rank > HLO_MAX_TILED_RANK)
      return hlo_fail(status, HLO_LIMIT, "tiling gives %d dimensions, more than %d", rank, HLO_MAX_TILED_RANK);
  }
  return true;
}

static bool check_padded_dimensions(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status) {
  if (!layout->padded_dimensions) return true;
  if (hlo_shape_has_unbounded(shape))
    return hlo_fail(status, HLO_SHAPE, "%pS has unknown sizes and cannot be padded", shape);
  for (int i = 0; i < layout->rank; i++)
    if (layout->padded_dimensions[i] < shape->dims[i])
      return hlo_fail(status, HLO_SHAPE, "dimension %d of %pS cannot be padded to %lld", i, shape,
                      (long long)layout->padded_dimensions[i]);
  return true;
}

bool hlo_layout_check(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status) {
  if (!hlo_shape_is_array(shape))
    return hlo_fail(status, HLO_SHAPE, "%pS is not an array and has no layout", shape);
  if (!check_permutation(shape, layout, status) || !check_padded_dimensions(shape, layout, status) ||
      !check_tiles(shape, layout, status))
    return false;
  if (layout->tail_padding_alignment_in_elements < 0)
    return hlo_fail(status, HLO_SHAPE, "the tail alignment L(%lld) is negative",
                    (long long)layout->tail_padding_alignment_in_elements);
  int64_t bits = layout->element_size_in_bits;
  if (bits != 0 && (bits < hlo_type_bits(shape->type) || bits > 8 * hlo_type_bytes(shape->type)))
    return hlo_fail(status, HLO_SHAPE, "an element of %s takes %d to %d bits, not E(%lld)", hlo_type_name(shape->type),
                    hlo_type_bits(shape->type), 8 * hlo_type_bytes(shape->type), (long long)bits);
  return true;
}

/* ---- Comparison ---- */

static bool is_row_major(const hlo_layout *layout) {
  for (int i = 0; i < layout->rank; i++)
    if (layout->minor_to_major[i] != layout->rank - 1 - i) return false;
  return true;
}

static int64_t tail_alignment(const hlo_layout *layout) {
  int64_t alignment = layout->tail_padding_alignment_in_elements;
  return alignment > 1 ? alignment : 1;
}

static bool same_tiles(const hlo_layout *a, const hlo_layout *b) {
  int count = hlo_layout_tile_count(a);
  if (count != hlo_layout_tile_count(b)) return false;
  for (int i = 0; i < count; i++) {
    int64_t a_dims[HLO_MAX_RANK], b_dims[HLO_MAX_RANK];
    hlo_tile a_tile = hlo_layout_tile(a, i, a_dims), b_tile = hlo_layout_tile(b, i, b_dims);
    if (a_tile.rank != b_tile.rank) return false;
    if (memcmp(a_tile.dims, b_tile.dims, (size_t)a_tile.rank * sizeof(int64_t)) != 0) return false;
  }
  return true;
}

/* The padding value of a layout: an unspecified one counts as unknown. */
static hlo_padding_value stated_padding(const hlo_layout *layout) {
  return layout->padding_value == HLO_PADDING_INVALID ? HLO_PADDING_UNKNOWN : layout->padding_value;
}

static bool is_default(const hlo_layout *layout) {
  return is_row_major(layout) && hlo_layout_tile_count(layout) == 0 && tail_alignment(layout) == 1 &&
         layout->element_size_in_bits == 0 && layout->memory_space == 0 && layout->verbatim.length == 0;
}

bool hlo_layout_equal(const hlo_layout *a, const hlo_layout *b) {
  if (a == b) return true;
  if (!a) return is_default(b);
  if (!b) return is_default(a);
  if (a->rank != b->rank) return false;
  for (int i = 0; i < a->rank; i++)
    if (a->minor_to_major[i] != b->minor_to_major[i]) return false;
  return same_tiles(a, b) && tail_alignment(a) == tail_alignment(b) &&
         a->element_size_in_bits == b->element_size_in_bits && a->memory_space == b->memory_space &&
         a->verbatim.length == b->verbatim.length &&
         (a->verbatim.length == 0 || memcmp(a->verbatim.text, b->verbatim.text, a->verbatim.length) == 0) &&
         stated_padding(a) == stated_padding(b);
}

/* ---- Making ---- */

const hlo_layout *hlo_layout_row_major(hlo_arena *arena, int rank, hlo_status *status) {
  hlo_layout *layout = hlo_arena_new(arena, hlo_layout, status);
  int64_t *minor_to_major = hlo_arena_many(arena, int64_t, rank, status);
  if (!layout || !minor_to_major) return NULL;
  for (int i = 0; i < rank; i++) minor_to_major[i] = rank - 1 - i;
  layout->rank = rank;
  layout->minor_to_major = minor_to_major;
  layout->tail_padding_alignment_in_elements = 1;
  return layout;
}

static const int64_t *copy_dims(hlo_arena *arena, const int64_t *dims, int rank, hlo_status *status) {
  return hlo_arena_copy(arena, dims, (size_t)rank * sizeof *dims, status);
}

static bool copy_tiles(hlo_arena *arena, hlo_layout *layout, hlo_status *status) {
  hlo_tile *tiles = hlo_arena_many(arena, hlo_tile, layout->tile_count, status);
  if (!tiles) return false;
  for (int i = 0; i < layout->tile_count; i++) {
    tiles[i] = layout->tiles[i];
    tiles[i].dims = copy_dims(arena, tiles[i].dims, tiles[i].rank, status);
  }
  layout->tiles = tiles;
  return hlo_ok(status);
}

const hlo_layout *hlo_layout_copy(hlo_arena *arena, const hlo_layout *layout, hlo_status *status) {
  hlo_layout *copy = hlo_arena_copy(arena, layout, sizeof *layout, status);
  if (!copy || !copy_tiles(arena, copy, status)) return NULL;
  copy->minor_to_major = copy_dims(arena, layout->minor_to_major, layout->rank, status);
  if (layout->padded_dimensions)
    copy->padded_dimensions = copy_dims(arena, layout->padded_dimensions, layout->rank, status);
  copy->verbatim.text = hlo_arena_text(arena, layout->verbatim.text, layout->verbatim.length, status);
  return hlo_ok(status) ? copy : NULL;
}
