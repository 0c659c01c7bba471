/* The module of tile kernels, which tools/tiles writes while webhlo.wasm is built. Native builds have no use for it, and one byte in its
 * place. */
#include "emit/tile_emit.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/product.h"

static const uint8_t bytes[] = {
#ifdef __wasm__
#include "emit/tiles.inc"
#else
    0
#endif
};
const hlo_tile_module hlo_emit_tile_module = {bytes, sizeof bytes, {hlo_f32_tile_4x8_simd128, hlo_f64_tile_4x4_simd128, hlo_s8_quads_tile_4x8_scalar},
                                               hlo_nibble_blocks, hlo_byte_blocks};
