/* Writes WebAssembly modules: functions that use an imported memory and table, and are exported by number.
 *
 * A function's code has two pieces, `hoisted` and `body`, so that code can still be put before the body while the body is written.
 * Nothing is validated here. If memory runs out, the status given to hlo_wasm_begin says so. */
#ifndef HLO_EMIT_WASM_WRITER_H
#define HLO_EMIT_WASM_WRITER_H

#include "base/status.h"
#include "base/text_writer.h"
#include "emit/wasm_opcodes.h"

typedef enum hlo_wasm_type {
  HLO_WASM_V128 = 0x7B, HLO_WASM_F64 = 0x7C, HLO_WASM_F32 = 0x7D, HLO_WASM_I64 = 0x7E, HLO_WASM_I32 = 0x7F, HLO_WASM_NONE = 0x40
} hlo_wasm_type;

typedef struct hlo_wasm_function {
  hlo_writer hoisted, body; /* the body comes after the hoisted code */
  hlo_writer *code;         /* the piece that is being written */
  hlo_writer locals;        /* types of the locals, a byte each, without parameters */
  int parameter_count;
  bool calls; /* functions of the table */
} hlo_wasm_function;

void hlo_wasm_begin(hlo_wasm_function *function, int parameter_count, hlo_status *status);
void hlo_wasm_free(hlo_wasm_function *function);
/* Returns the number of a new local, which is zero at first. */
int hlo_wasm_local(hlo_wasm_function *function, hlo_wasm_type type);

void hlo_wasm_op(hlo_wasm_function *function, hlo_wasm_opcode opcode);
/* Writes an instruction with one unsigned immediate: of locals, branches. */
void hlo_wasm_op_u32(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t immediate);
void hlo_wasm_i32(hlo_wasm_function *function, int32_t value);
void hlo_wasm_i64(hlo_wasm_function *function, int64_t value);
/* Writes a load or store of a number, without a promise of alignment. */
void hlo_wasm_access(hlo_wasm_function *function, hlo_wasm_opcode opcode, uint32_t offset);
void hlo_wasm_op_simd(hlo_wasm_function *function, uint32_t opcode);
/* Writes a load or store of a vector, without a promise of alignment. */
void hlo_wasm_access_simd(hlo_wasm_function *function, uint32_t opcode, uint32_t offset);
/* Writes the number of a lane, which follows some opcodes. */
void hlo_wasm_lane(hlo_wasm_function *function, int lane);
/* Makes a vector of four 32-bit lanes of the two vectors on the stack, which are numbered 0 to 7. */
void hlo_wasm_shuffle(hlo_wasm_function *function, int a, int b, int c, int d);
/* Pushes a vector whose halves are both `bits`. */
void hlo_wasm_v128(hlo_wasm_function *function, uint64_t bits);
void hlo_wasm_memory_copy(hlo_wasm_function *function);
void hlo_wasm_call_indirect(hlo_wasm_function *function, int type);

typedef struct hlo_wasm_module {
  hlo_writer types, code; /* the functions' types (indices of signatures) and their bodies */
  hlo_writer ends;        /* offsets in `code` at which bodies end, each a size_t */
  int function_count;
  bool fuses; /* functions may use fused multiply-adds: the host has relaxed SIMD */
  bool calls; /* functions of the table */
} hlo_wasm_module;

void hlo_wasm_module_begin(hlo_wasm_module *module, hlo_status *status);
void hlo_wasm_module_free(hlo_wasm_module *module);
/* Adds a copy of the function, whose type is an index of the signatures given to hlo_wasm_module_write. Returns its number, or that of an
 * earlier function with the same code. -1: no memory. */
int hlo_wasm_module_add(hlo_wasm_module *module, const hlo_wasm_function *function, int type);
size_t hlo_wasm_size(const hlo_wasm_function *function);
/* Writes the whole module. signatures: each a string of parameter types, i for i32 and l for i64, with a colon and the result's type if
 * there is one ("iil:i"). Memory is imported as env.memory, and the table as env.table by who calls its
 * functions: older versions of V8 keep every instance that imports a table as long as the table. Functions are exported as "0", "1", ... */
void hlo_wasm_module_write(const hlo_wasm_module *module, const char *const *signatures, int signature_count, bool shared_memory, hlo_writer *out);

#endif
