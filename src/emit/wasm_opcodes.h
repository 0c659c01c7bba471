/* The instructions of wasm_opcodes.def by name: HLO_WASM_I32_ADD, HLO_WASM_F32X4_ADD. */
#ifndef HLO_EMIT_WASM_OPCODES_H
#define HLO_EMIT_WASM_OPCODES_H

/* Instructions of one byte. */
typedef enum hlo_wasm_opcode {
#define HLO_WASM_PLAIN(name, opcode) HLO_WASM_##name = opcode,
#define HLO_WASM_SIMD(name, opcode)
#include "emit/wasm_opcodes.def"
#undef HLO_WASM_PLAIN
#undef HLO_WASM_SIMD
} hlo_wasm_opcode;

/* Instructions of vectors, without their prefix byte 0xFD. */
typedef enum hlo_wasm_simd {
#define HLO_WASM_PLAIN(name, opcode)
#define HLO_WASM_SIMD(name, opcode) HLO_WASM_##name = opcode,
#include "emit/wasm_opcodes.def"
#undef HLO_WASM_PLAIN
#undef HLO_WASM_SIMD
} hlo_wasm_simd;

#endif
