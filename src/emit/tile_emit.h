/* Tile kernels of products whose steps are fused multiply-adds, of relaxed SIMD: with multiplications and additions apart, a core is
 * bound by how many instructions it takes up in a cycle. They round less often than the kernels whose places they take. */
#ifndef HLO_EMIT_TILE_EMIT_H
#define HLO_EMIT_TILE_EMIT_H

#include "emit/wasm_writer.h"
#include "kernels/product.h"

enum { HLO_EMIT_TILE_COUNT = 2 };

/* Adds HLO_EMIT_TILE_COUNT functions to the module. Hosts without relaxed SIMD will not compile it. */
void hlo_emit_tiles(hlo_wasm_module *module, hlo_status *status);
/* The kernels in whose places of the table they go, in their order. */
extern hlo_tile_kernel *const hlo_emit_tile_places[HLO_EMIT_TILE_COUNT];

#endif
