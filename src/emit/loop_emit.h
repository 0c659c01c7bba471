/* Writes a loop program as a function of WebAssembly, of the signature of hlo_loop_function: the same bits as hlo_loop_run (unless
 * functions multiply and add in one instruction), without a load or a store between operations. */
#ifndef HLO_EMIT_LOOP_EMIT_H
#define HLO_EMIT_LOOP_EMIT_H

#include "emit/wasm_writer.h"
#include "kernels/loop_program.h"

/* Of the module that loop functions stand in, in the order that they count on; see hlo_wasm_module_write. */
extern const char *const hlo_emit_signatures[];
enum { HLO_EMIT_SIGNATURE_COUNT = 5 };

/* Adds the function to the module. constants: for each operand, its bytes where they never change, or NULL; or none at all.
 * The number of the function; -1, with nothing added, where the program has something that is not written (elements of 16 bytes, unknown
 * reductions), or its function would be too large. */
int hlo_emit_loop(const hlo_loop *loop, const void *const *constants, hlo_wasm_module *module, hlo_status *status);

#endif
