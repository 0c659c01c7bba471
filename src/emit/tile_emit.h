/* Tile kernels of products with fused multiply-adds, of relaxed SIMD: they need fewer instructions than separate multiplications and
 * additions, and round less often than the kernels whose places they take. And that of quads of bytes (kernels/product/byte_quads.h). */
#ifndef HLO_EMIT_TILE_EMIT_H
#define HLO_EMIT_TILE_EMIT_H

#include "base/text_writer.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/product.h"

enum { HLO_EMIT_TILE_COUNT = 3 };

/* Writes a module of HLO_EMIT_TILE_COUNT functions, and those of digit_emit.h. Hosts without relaxed SIMD cannot compile it. */
void hlo_emit_tiles(bool shared_memory, hlo_writer *out);

/* ---- tile_module.c ---- */
/* The module as it was written when webhlo.wasm was built, which saves writing it at every start. JavaScript reads this struct as 32-bit
 * words. */
typedef struct hlo_tile_module {
  const uint8_t *bytes;
  size_t size;
  hlo_tile_kernel *places[HLO_EMIT_TILE_COUNT]; /* the kernels whose indices in the table its functions take, in their order */
  hlo_nibble_blocks_kernel *nibble_blocks;      /* the next of them */
  hlo_byte_blocks_kernel *byte_blocks;            /* the last */
} hlo_tile_module;
extern const hlo_tile_module hlo_emit_tile_module;

#endif
