/* Shorthands for instructions, and the locals of constants and values. */
#include "emit/emitter.h"

#include "base/text_writer.h"

void hlo_emit_op(hlo_emitter *e, hlo_wasm_opcode opcode) { hlo_wasm_op(&e->function, opcode); }
void hlo_emit_simd(hlo_emitter *e, uint32_t opcode) { hlo_wasm_op_simd(&e->function, opcode); }
void hlo_emit_select(hlo_emitter *e) { hlo_emit_simd(e, e->fuses ? HLO_WASM_I8X16_RELAXED_LANESELECT : HLO_WASM_V128_BITSELECT); }
void hlo_emit_get(hlo_emitter *e, int local) { hlo_wasm_op_u32(&e->function, HLO_WASM_LOCAL_GET, (uint32_t)local); }
void hlo_emit_set(hlo_emitter *e, int local) { hlo_wasm_op_u32(&e->function, HLO_WASM_LOCAL_SET, (uint32_t)local); }
void hlo_emit_i32(hlo_emitter *e, int32_t value) { hlo_wasm_i32(&e->function, value); }
int hlo_emit_new(hlo_emitter *e, hlo_wasm_type type) { return hlo_wasm_local(&e->function, type); }
void hlo_emit_branch(hlo_emitter *e, hlo_wasm_opcode opcode, uint32_t depth) { hlo_wasm_op_u32(&e->function, opcode, depth); }
void hlo_emit_open(hlo_emitter *e, hlo_wasm_opcode opcode) { hlo_wasm_op_u32(&e->function, opcode, HLO_WASM_NONE); }
void hlo_emit_close(hlo_emitter *e) { hlo_wasm_op(&e->function, HLO_WASM_END); }

void hlo_emit_pair(hlo_emitter *e, int first, int second) {
  hlo_emit_get(e, first);
  hlo_emit_get(e, second);
}

void hlo_emit_with(hlo_emitter *e, int local, int32_t value, hlo_wasm_opcode opcode) {
  hlo_emit_get(e, local);
  hlo_emit_i32(e, value);
  hlo_emit_op(e, opcode);
}

void hlo_emit_add(hlo_emitter *e, int local, int32_t value) {
  if (!value) return;
  hlo_emit_with(e, local, value, HLO_WASM_I32_ADD);
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
