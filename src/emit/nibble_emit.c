#include "emit/nibble_emit.h"

#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/nibble_units.h"

enum { PANEL, DIGITS, FIRST, UNITS, OUT, PARAMETER_COUNT };
enum { HALVES = 2 /* vectors of four columns */, VECTOR_BYTES = 16, EIGHTS = HLO_FIXED_UNIT / 8 };

typedef struct unit_sums {
  hlo_emitter e; /* only its function is used */
  int sums[HLO_FIXED_DIGITS][HALVES], stored, mask, nibbles[2][HALVES], digits;
} unit_sums;

static void shift(hlo_emitter *e, int bits, hlo_wasm_simd opcode) {
  hlo_emit_i32(e, bits);
  hlo_emit_simd(e, opcode);
}

/* Takes eight rows of the panel apart: those with even numbers, and those with odd ones. */
static void write_nibbles(unit_sums *u, int eight) {
  hlo_emitter *e = &u->e;
  for (int s = 0; s < HALVES; s++) {
    hlo_emit_get(e, PANEL);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)((eight * HALVES + s) * VECTOR_BYTES));
    hlo_emit_set(e, u->stored);
    for (int odd = 0; odd < 2; odd++) {
      hlo_emit_get(e, u->stored);
      if (odd) shift(e, 4, HLO_WASM_I32X4_SHR_U);
      hlo_emit_get(e, u->mask);
      hlo_emit_simd(e, HLO_WASM_V128_AND);
      hlo_emit_set(e, u->nibbles[odd][s]);
    }
  }
}

static void write_eight(unit_sums *u, int eight) {
  hlo_emitter *e = &u->e;
  write_nibbles(u, eight);
  for (int d = 0; d < HLO_FIXED_DIGITS; d++)
    for (int odd = 0; odd < 2; odd++) {
      hlo_emit_get(e, DIGITS);
      hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD32_SPLAT, (uint32_t)(((eight * HLO_FIXED_DIGITS + d) * 2 + odd) * 4));
      hlo_emit_set(e, u->digits);
      for (int s = 0; s < HALVES; s++) {
        hlo_emit_pair(e, u->digits, u->nibbles[odd][s]);
        hlo_emit_get(e, u->sums[d][s]);
        hlo_emit_simd(e, HLO_WASM_I32X4_RELAXED_DOT_I8X16_I7X16_ADD_S);
        hlo_emit_set(e, u->sums[d][s]);
      }
    }
}

/* Pushes two digits as one number, which f32 holds exactly. */
static void push_half(unit_sums *u, int upper, int s) {
  hlo_emit_get(&u->e, u->sums[upper][s]);
  shift(&u->e, 8, HLO_WASM_I32X4_SHL);
  hlo_emit_get(&u->e, u->sums[upper + 1][s]);
  hlo_emit_simd(&u->e, HLO_WASM_I32X4_ADD);
  hlo_emit_simd(&u->e, HLO_WASM_F32X4_CONVERT_I32X4_S);
}

static void write_unit(unit_sums *u) {
  hlo_emitter *e = &u->e;
  for (int d = 0; d < HLO_FIXED_DIGITS; d++)
    for (int s = 0; s < HALVES; s++) {
      hlo_emit_get(e, FIRST);
      hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD32_SPLAT, (uint32_t)(d * 4));
      hlo_emit_set(e, u->sums[d][s]);
    }
  for (int eight = 0; eight < EIGHTS; eight++) write_eight(u, eight);
  for (int s = 0; s < HALVES; s++) {
    hlo_emit_get(e, OUT);
    push_half(u, 0, s);
    hlo_wasm_v128(&e->function, hlo_emit_twice(0x47800000)); /* 2^16 */
    hlo_emit_simd(e, HLO_WASM_F32X4_MUL);
    push_half(u, 2, s);
    hlo_emit_simd(e, HLO_WASM_F32X4_ADD);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, (uint32_t)(s * VECTOR_BYTES));
  }
  hlo_emit_add(e, PANEL, EIGHTS * HALVES * VECTOR_BYTES);
  hlo_emit_add(e, DIGITS, HLO_FIXED_UNIT * 4);
  hlo_emit_add(e, FIRST, HLO_FIXED_DIGITS * 4);
  hlo_emit_add(e, OUT, HALVES * VECTOR_BYTES);
  hlo_emit_add(e, UNITS, -1);
}

void hlo_emit_nibble_units(hlo_wasm_module *module, int type, hlo_status *status) {
  unit_sums u = {.e = {.status = status}};
  hlo_emitter *e = &u.e;
  hlo_wasm_begin(&e->function, PARAMETER_COUNT, status);
  for (int d = 0; d < HLO_FIXED_DIGITS; d++)
    for (int s = 0; s < HALVES; s++) u.sums[d][s] = hlo_emit_new(e, HLO_WASM_V128);
  for (int odd = 0; odd < 2; odd++)
    for (int s = 0; s < HALVES; s++) u.nibbles[odd][s] = hlo_emit_new(e, HLO_WASM_V128);
  u.stored = hlo_emit_new(e, HLO_WASM_V128), u.digits = hlo_emit_new(e, HLO_WASM_V128);
  u.mask = hlo_emit_new(e, HLO_WASM_V128);
  hlo_emit_i32(e, 0x0f0f0f0f); /* engines make a v128.const anew for every use */
  hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
  hlo_emit_set(e, u.mask);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_unit(&u);
  hlo_emit_get(e, UNITS);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
  hlo_wasm_module_add(module, &e->function, type);
  hlo_wasm_free(&e->function);
}
