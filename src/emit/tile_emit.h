/* Tile kernels of products whose steps are fused multiply-adds, of relaxed SIMD: with multiplications and additions apart, a core is
 * bound by how many instructions it takes up in a cycle. They round less often than the kernels whose places they take. */
#ifndef HLO_EMIT_TILE_EMIT_H
#define HLO_EMIT_TILE_EMIT_H

#include "emit/wasm_writer.h"
#include "kernels/product.h"

enum { HLO_EMIT_TILE_COUNT = 2 };

/* Writes a module of HLO_EMIT_TILE_COUNT functions. Hosts without relaxed SIMD will not compile it. */
void hlo_emit_tiles(bool shared_memory, hlo_writer *out);

/* ---- tile_module.c ---- */
/* What that wrote when webhlo.wasm was built: writing it took a part of every start. JavaScript reads this as words. */
typedef struct hlo_tile_module {
  const uint8_t *bytes;
  size_t size;
  hlo_tile_kernel *places[HLO_EMIT_TILE_COUNT]; /* in whose places of the table its functions go, in their order */
} hlo_tile_module;
extern const hlo_tile_module hlo_emit_tile_module;

#endif
