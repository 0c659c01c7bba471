/* Kernels of integers of 4 bits and of 8 (kernels/product/digit_units.h) that multiply bytes in fours, by relaxed SIMD: one instruction for
 * sixteen products on hosts that have it. Where it is several, nibbles are multiplied in pairs, and bytes as integers of 16 bits. Results are the bits
 * of the kernels of the core. */
#ifndef HLO_EMIT_DIGIT_EMIT_H
#define HLO_EMIT_DIGIT_EMIT_H

#include "base/status.h"
#include "emit/wasm_writer.h"

/* Adds hlo_nibble_blocks, or hlo_byte_blocks, to a module of tiles; `type`: of its signature, one or eight i32. */
void hlo_emit_nibble_blocks(hlo_wasm_module *module, int type, hlo_status *status);
void hlo_emit_byte_blocks(hlo_wasm_module *module, int type, hlo_status *status);

#endif
