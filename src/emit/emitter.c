/* What all parts of the writer use. */
#include "emit/emitter.h"

void hlo_emit_add(hlo_emitter *e, int local, int32_t value) {
  if (!value) return;
  hlo_emit_get(e, local);
  hlo_wasm_i32(&e->function, value);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, local);
}

void hlo_emit_constant(hlo_emitter *e, uint64_t bits) {
  int n = 0;
  while (n < e->constant_count && e->constants_bits[n] != bits) n++;
  if (!bits || n == HLO_EMIT_CONSTANTS) {
    hlo_wasm_v128(&e->function, bits);
    return;
  }
  if (n == e->constant_count) {
    hlo_writer *code = e->function.code;
    e->constants_bits[n] = bits;
    e->constant_locals[n] = hlo_emit_new(e, HLO_WASM_V128);
    e->function.code = &e->function.hoisted;
    hlo_wasm_v128(&e->function, bits);
    hlo_emit_set(e, e->constant_locals[n]);
    e->function.code = code;
    e->constant_count++;
  }
  hlo_emit_get(e, e->constant_locals[n]);
}

int hlo_emit_local(hlo_emitter *e, int value, int quad, int half) {
  int *local = &e->values[value].locals[quad][half];
  if (!*local) *local = hlo_emit_new(e, HLO_WASM_V128);
  return *local;
}
