/* Writes WebAssembly modules: functions that import a memory and a table, and are exported by number.
 *
 * A function's code comes in two pieces, so that what is found to be needed while its body is written can be done before it. Nothing
 * is checked: WebAssembly.validate judges. Memory that runs out is remembered by the writers' status. */
#ifndef HLO_EMIT_WASM_WRITER_H
#define HLO_EMIT_WASM_WRITER_H

#include "base/text_writer.h"

typedef enum hlo_wasm_type {
  HLO_WASM_V128 = 0x7B, HLO_WASM_F64 = 0x7C, HLO_WASM_F32 = 0x7D, HLO_WASM_I64 = 0x7E, HLO_WASM_I32 = 0x7F, HLO_WASM_NONE = 0x40
} hlo_wasm_type;

/* Instructions of one byte. */
typedef enum hlo_wasm_opcode {
  HLO_WASM_UNREACHABLE = 0x00, HLO_WASM_BLOCK = 0x02, HLO_WASM_LOOP = 0x03, HLO_WASM_IF = 0x04, HLO_WASM_ELSE = 0x05, HLO_WASM_END = 0x0B, HLO_WASM_BR = 0x0C,
  HLO_WASM_BR_IF = 0x0D, HLO_WASM_RETURN = 0x0F, HLO_WASM_CALL_INDIRECT = 0x11, HLO_WASM_DROP = 0x1A, HLO_WASM_SELECT = 0x1B, HLO_WASM_LOCAL_GET = 0x20,
  HLO_WASM_LOCAL_SET = 0x21, HLO_WASM_LOCAL_TEE = 0x22, HLO_WASM_I32_LOAD = 0x28, HLO_WASM_I32_LOAD8_U = 0x2D, HLO_WASM_I32_STORE = 0x36, HLO_WASM_I32_CONST = 0x41,
  HLO_WASM_I64_CONST = 0x42, HLO_WASM_F32_CONST = 0x43, HLO_WASM_F64_CONST = 0x44, HLO_WASM_I32_EQZ = 0x45, HLO_WASM_I32_EQ = 0x46, HLO_WASM_I32_NE = 0x47,
  HLO_WASM_I32_LT_S = 0x48, HLO_WASM_I32_LT_U = 0x49, HLO_WASM_I32_GT_S = 0x4A, HLO_WASM_I32_LE_S = 0x4C,
  HLO_WASM_I32_GE_S = 0x4E, HLO_WASM_I32_GE_U = 0x4F, HLO_WASM_I32_ADD = 0x6A,
  HLO_WASM_I32_SUB = 0x6B, HLO_WASM_I32_MUL = 0x6C, HLO_WASM_I32_DIV_U = 0x6E, HLO_WASM_I32_REM_U = 0x70, HLO_WASM_I32_AND = 0x71,
  HLO_WASM_F32_ADD = 0x92, HLO_WASM_F32_MUL = 0x94, HLO_WASM_F64_ADD = 0xA0, HLO_WASM_F64_MUL = 0xA2, HLO_WASM_I64_EXTEND_I32_S = 0xAC
} hlo_wasm_opcode;

/* Instructions after 0xFD; those of arithmetic stand in operations.def. */
typedef enum hlo_wasm_simd {
  HLO_WASM_V128_LOAD = 0x00, HLO_WASM_V128_LOAD16X4_U = 0x04, HLO_WASM_V128_LOAD8_SPLAT = 0x07, HLO_WASM_V128_LOAD32_SPLAT = 0x09,
  HLO_WASM_V128_LOAD64_SPLAT = 0x0A, HLO_WASM_V128_STORE = 0x0B, HLO_WASM_V128_CONST = 0x0C, HLO_WASM_I8X16_SHUFFLE = 0x0D,
  HLO_WASM_I32X4_SPLAT = 0x11, HLO_WASM_I64X2_SPLAT = 0x12, HLO_WASM_F32X4_SPLAT = 0x13, HLO_WASM_F64X2_SPLAT = 0x14, HLO_WASM_I32X4_EXTRACT_LANE = 0x1B,
  HLO_WASM_F32X4_EXTRACT_LANE = 0x1F, HLO_WASM_F64X2_EXTRACT_LANE = 0x21, HLO_WASM_I32X4_NE = 0x38, HLO_WASM_I32X4_LT_S = 0x39,
  HLO_WASM_I32X4_GT_S = 0x3B, HLO_WASM_I32X4_GT_U = 0x3C, HLO_WASM_V128_AND = 0x4E, HLO_WASM_V128_ANDNOT = 0x4F, HLO_WASM_V128_OR = 0x50,
  HLO_WASM_V128_BITSELECT = 0x52, HLO_WASM_V128_ANY_TRUE = 0x53, HLO_WASM_V128_LOAD8_LANE = 0x54, HLO_WASM_V128_STORE8_LANE = 0x58,
  HLO_WASM_V128_STORE32_LANE = 0x5A, HLO_WASM_V128_STORE64_LANE = 0x5B, HLO_WASM_V128_LOAD32_ZERO = 0x5C,
  HLO_WASM_I8X16_NARROW_I16X8_U = 0x66, HLO_WASM_I16X8_NARROW_I32X4_U = 0x86, HLO_WASM_I16X8_EXTEND_LOW_I8X16_U = 0x89,
  HLO_WASM_I32X4_EXTEND_LOW_I16X8_U = 0xA9, HLO_WASM_I32X4_MIN_U = 0xB7, HLO_WASM_I32X4_MAX_S = 0xB8, HLO_WASM_I32X4_MAX_U = 0xB9,
  HLO_WASM_I64X2_EXTEND_LOW_I32X4_S = 0xC7, HLO_WASM_I64X2_LT_S = 0xD8, HLO_WASM_F32X4_ADD = 0xE4, HLO_WASM_F32X4_PMIN = 0xEA, HLO_WASM_F32X4_PMAX = 0xEB, HLO_WASM_F64X2_ADD = 0xF0,
  HLO_WASM_F32X4_RELAXED_MADD = 0x105, HLO_WASM_F32X4_RELAXED_NMADD = 0x106, HLO_WASM_F64X2_RELAXED_MADD = 0x107
} hlo_wasm_simd;

typedef struct hlo_wasm_function {
  hlo_writer hoisted, body; /* one after the other */
  hlo_writer *code;         /* the one that is being written */
  hlo_writer locals;        /* their types, a byte each, parameters left out */
  int parameter_count;
} hlo_wasm_function;

void hlo_wasm_begin(hlo_wasm_function *function, int parameter_count, hlo_status *status);
void hlo_wasm_free(hlo_wasm_function *function);
/* The number of a new local, initially zero. */
int hlo_wasm_local(hlo_wasm_function *function, hlo_wasm_type type);

void hlo_wasm_op(hlo_wasm_function *function, hlo_wasm_opcode opcode);
/* An instruction with one unsigned immediate: locals, branches. */
void hlo_wasm_op_u32(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t immediate);
void hlo_wasm_i32(hlo_wasm_function *function, int32_t value);
void hlo_wasm_i64(hlo_wasm_function *function, int64_t value);
/* Loads and stores of numbers: no alignment is promised. */
void hlo_wasm_access(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t offset);
void hlo_wasm_op_simd(hlo_wasm_function *function, uint32_t opcode);
/* Loads and stores of vectors: no alignment is promised. */
void hlo_wasm_access_simd(hlo_wasm_function *function, uint32_t opcode, uint32_t offset);
/* The byte after an opcode: a lane. */
void hlo_wasm_lane(hlo_wasm_function *function, int lane);
/* The 32-bit lanes of the two vectors on the stack, 0 to 7, that a new vector has. */
void hlo_wasm_shuffle(hlo_wasm_function *function, int a, int b, int c, int d);
/* A vector whose halves are both `bits`. */
void hlo_wasm_v128(hlo_wasm_function *function, uint64_t bits);
void hlo_wasm_memory_copy(hlo_wasm_function *function);
void hlo_wasm_call_indirect(hlo_wasm_function *function, int type);

typedef struct hlo_wasm_module {
  hlo_writer types, code; /* of the functions: the number of each one's type, and their bodies */
  hlo_writer ends;        /* where each body ends in `code`, as size_t */
  int function_count;
  bool fuses; /* functions may use fused multiply-adds, of relaxed SIMD: the host has it */
} hlo_wasm_module;

void hlo_wasm_module_begin(hlo_wasm_module *module, hlo_status *status);
void hlo_wasm_module_free(hlo_wasm_module *module);
/* Takes the function's code; `type` is an index of the signatures given in the end. The number of the function: an earlier one's
 * where both are the same. -1: no memory. */
int hlo_wasm_module_add(hlo_wasm_module *module, const hlo_wasm_function *function, int type);
size_t hlo_wasm_size(const hlo_wasm_function *function);
/* The whole module. signatures: parameter types of each, in letters i (i32) and l (i64), and after a colon its result, if it
 * has one. Memory and table are
 * imported as env.memory and env.table, the functions exported as "0", "1", ... */
void hlo_wasm_module_write(const hlo_wasm_module *module, const char *const *signatures, int signature_count, bool shared_memory, hlo_writer *out);

#endif
