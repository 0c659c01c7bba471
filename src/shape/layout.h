/* The places of an array's elements in memory: XLA's Layout, with tiles.
 *
 * See XLA's "Shapes and layout" and "Tiled layout". Layouts are immutable and owned by an arena. */
#ifndef HLO_SHAPE_LAYOUT_H
#define HLO_SHAPE_LAYOUT_H

#include "base/text_reader.h"

enum { HLO_MAX_RANK = 32, HLO_TILE_COMBINE = -1 /* printed '*' */ };

typedef struct hlo_tile {
  int rank;
  const int64_t *dims; /* most major first, as printed; HLO_TILE_COMBINE merges a dimension into the next minor one */
} hlo_tile;

typedef enum hlo_padding_value {
  HLO_PADDING_INVALID, HLO_PADDING_ZERO, HLO_PADDING_ONE, HLO_PADDING_LOWEST, HLO_PADDING_HIGHEST, HLO_PADDING_UNKNOWN
} hlo_padding_value;

typedef struct hlo_layout {
  int rank;
  const int64_t *minor_to_major;
  int tile_count;
  const hlo_tile *tiles;
  int64_t tail_padding_alignment_in_elements; /* L(n); 1: none */
  int64_t element_size_in_bits;               /* E(n); 0: the type's own size */
  int64_t memory_space;                       /* S(n); has no effect here, but is printed back */
  hlo_span verbatim;                           /* D() #() *() P() M() and any other field; has no effect here, but is printed back */
  const int64_t *padded_dimensions;           /* from old protocol buffers, NULL: none; the same as one tile over the array */
  hlo_padding_value padding_value;
} hlo_layout;

#endif
