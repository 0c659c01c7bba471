/* Writes a fused loop as a function of WebAssembly with the signature of hlo_fused_loop_function. It gives the bits of hlo_fused_loop_run
 * (unless it uses fused multiply-adds), and keeps values in locals between operations. */
#ifndef HLO_EMIT_FUSED_LOOP_EMIT_H
#define HLO_EMIT_FUSED_LOOP_EMIT_H

#include "base/status.h"
#include "emit/wasm_writer.h"
#include "loops/fused_loop.h"

/* The signatures of a module with such functions, for hlo_wasm_module_write. */
extern const char *const hlo_emit_signatures[];
enum { HLO_EMIT_SIGNATURE_COUNT = 5 };

/* Adds the function to the module, and returns its number. constants: for each operand its bytes if they never change, else NULL; or NULL
 * for all operands. Returns -1, with nothing added, where the loop has an operation or reduction that is not written, elements of 16
 * bytes, or too much code. */
int hlo_emit_loop(const hlo_fused_loop *loop, const void *const *constants, hlo_wasm_module *module, hlo_status *status);

#endif
