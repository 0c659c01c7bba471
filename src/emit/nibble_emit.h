/* A kernel of integers of 4 bits (kernels/product/narrow_nibbles.c) that multiplies bytes in fours, by relaxed SIMD: one instruction for
 * sixteen products on hosts that have it, to the bits of the kernel of the core. */
#ifndef HLO_EMIT_NIBBLE_EMIT_H
#define HLO_EMIT_NIBBLE_EMIT_H

#include "base/status.h"
#include "emit/wasm_writer.h"

/* Adds hlo_nibble_units to a module of tiles; `type`: of its signature, five i32. */
void hlo_emit_nibble_units(hlo_wasm_module *module, int type, hlo_status *status);

#endif
