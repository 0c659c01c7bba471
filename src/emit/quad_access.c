/* Loading and storing quads. */
#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"

hlo_lanes hlo_emit_lanes_of_bytes(int bytes) {
  switch (bytes) {
    case 1: return HLO_LANES_BYTE;
    case 2: return HLO_LANES_HALF;
    case 4: return HLO_LANES_WORD;
    case 8: return HLO_LANES_LONG;
    default: return HLO_LANES_NONE;
  }
}

static void push_address(hlo_emitter *e, int base, int index) {
  hlo_emit_get(e, base);
  if (!index) return;
  hlo_emit_get(e, index);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
}

void hlo_emit_load_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals) {
  for (int half = 0; half < hlo_emit_vectors(lanes); half++) {
    push_address(e, base, index);
    bool is_byte = lanes == HLO_LANES_BYTE || lanes == HLO_LANES_MASK;
    hlo_wasm_access_simd(&e->function,
                         is_byte ? HLO_WASM_V128_LOAD32_ZERO : lanes == HLO_LANES_HALF ? HLO_WASM_V128_LOAD16X4_U : HLO_WASM_V128_LOAD,
                         offset + 16 * (uint32_t)half);
    if (is_byte) {
      hlo_emit_simd(e, HLO_WASM_I16X8_EXTEND_LOW_I8X16_U);
      hlo_emit_simd(e, HLO_WASM_I32X4_EXTEND_LOW_I16X8_U);
    }
    if (lanes == HLO_LANES_MASK) {
      hlo_emit_constant(e, 0);
      hlo_emit_simd(e, HLO_WASM_I32X4_NE);
    }
    hlo_emit_set(e, locals[half]);
  }
}

/* Pushes a vector as it is stored: masks become 0 and 1. */
static void push_storable(hlo_emitter *e, hlo_lanes lanes, int local) {
  hlo_emit_get(e, local);
  if (lanes != HLO_LANES_MASK) return;
  hlo_emit_constant(e, hlo_emit_twice(1));
  hlo_emit_simd(e, HLO_WASM_V128_AND);
}

/* Narrows the 32-bit lanes on the stack to neighbouring bytes, or to 16 bits. */
static void narrow(hlo_emitter *e, bool is_byte, int scratch) {
  hlo_emit_set(e, scratch);
  hlo_emit_pair(e, scratch, scratch);
  hlo_emit_simd(e, HLO_WASM_I16X8_NARROW_I32X4_U);
  if (!is_byte) return;
  hlo_emit_set(e, scratch);
  hlo_emit_pair(e, scratch, scratch);
  hlo_emit_simd(e, HLO_WASM_I8X16_NARROW_I16X8_U);
}

void hlo_emit_store_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals) {
  for (int half = 0; half < hlo_emit_vectors(lanes); half++) {
    push_address(e, base, index);
    push_storable(e, lanes, locals[half]);
    if (lanes == HLO_LANES_WORD || lanes == HLO_LANES_LONG) {
      hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, offset + 16 * (uint32_t)half);
      continue;
    }
    narrow(e, lanes != HLO_LANES_HALF, hlo_emit_new(e, HLO_WASM_V128));
    hlo_wasm_access_simd(&e->function, lanes == HLO_LANES_HALF ? HLO_WASM_V128_STORE64_LANE : HLO_WASM_V128_STORE32_LANE, offset);
    hlo_wasm_lane(&e->function, 0);
  }
}

void hlo_emit_load_splat(hlo_emitter *e, hlo_lanes lanes, int base, uint32_t offset, const int *locals) {
  static const uint8_t opcodes[] = {[HLO_LANES_WORD] = HLO_WASM_V128_LOAD32_SPLAT, [HLO_LANES_LONG] = HLO_WASM_V128_LOAD64_SPLAT,
                                    [HLO_LANES_MASK] = HLO_WASM_V128_LOAD8_SPLAT, [HLO_LANES_BYTE] = HLO_WASM_V128_LOAD8_SPLAT,
                                    [HLO_LANES_HALF] = HLO_WASM_V128_LOAD16_SPLAT};
  hlo_emit_get(e, base);
  hlo_wasm_access_simd(&e->function, opcodes[lanes], offset);
  if (lanes != HLO_LANES_WORD && lanes != HLO_LANES_LONG) {
    hlo_emit_constant(e, hlo_emit_twice(lanes == HLO_LANES_HALF ? 0xFFFF : 0xFF));
    hlo_emit_simd(e, HLO_WASM_V128_AND);
  }
  if (lanes == HLO_LANES_MASK) {
    hlo_emit_constant(e, 0);
    hlo_emit_simd(e, HLO_WASM_I32X4_NE);
  }
  hlo_emit_set(e, locals[0]);
  if (lanes != HLO_LANES_LONG) return;
  hlo_emit_get(e, locals[0]);
  hlo_emit_set(e, locals[1]);
}

/* Loads and stores of one lane of 1, 2, 4 or 8 bytes. */
static hlo_wasm_simd load_lane(int bytes) {
  switch (bytes) {
  case 1: return HLO_WASM_V128_LOAD8_LANE;
  case 2: return HLO_WASM_V128_LOAD16_LANE;
  case 4: return HLO_WASM_V128_LOAD32_LANE;
  default: return HLO_WASM_V128_LOAD64_LANE;
  }
}
static hlo_wasm_simd store_lane(int bytes) {
  switch (bytes) {
  case 1: return HLO_WASM_V128_STORE8_LANE;
  case 2: return HLO_WASM_V128_STORE16_LANE;
  case 4: return HLO_WASM_V128_STORE32_LANE;
  default: return HLO_WASM_V128_STORE64_LANE;
  }
}
/* The lane, counted in lanes of `bytes` bytes, that holds element n of a quad: elements of fewer than 32 bits stand in lanes of 32. */
static int lane_of(int n, int bytes) { return bytes == 8 ? n % 2 : n * (4 / bytes); }

/* Opens an `if` for element n of a quad that may be partial. Returns whether there is one to close. */
static bool open_element(hlo_emitter *e, int n) {
  if (!e->left || n == 0) return false;
  hlo_emit_with(e, e->left, n, HLO_WASM_I32_GT_S);
  hlo_emit_open(e, HLO_WASM_IF);
  return true;
}

void hlo_emit_load_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, int64_t offset, int64_t stride, const int *locals) {
  for (int half = 0; half < hlo_emit_vectors(lanes); half++) {
    hlo_emit_constant(e, 0);
    hlo_emit_set(e, locals[half]);
  }
  for (int n = 0; n < (e->known ? e->known : 4); n++) {
    bool opened = open_element(e, n);
    int local = locals[bytes == 8 ? n / 2 : 0];
    int64_t at = offset + n * stride;
    bool is_small = at >= 0 && at <= INT32_MAX;
    push_address(e, base, index);
    if (!is_small) { /* the offset of an instruction cannot be negative */
      hlo_emit_i32(e, (int32_t)(uint32_t)at);
      hlo_emit_op(e, HLO_WASM_I32_ADD);
    }
    hlo_emit_get(e, local);
    hlo_wasm_access_simd(&e->function, load_lane(bytes), is_small ? (uint32_t)at : 0);
    hlo_wasm_lane(&e->function, lane_of(n, bytes));
    hlo_emit_set(e, local);
    if (opened) hlo_emit_close(e);
  }
  if (lanes != HLO_LANES_MASK) return;
  hlo_emit_get(e, locals[0]);
  hlo_emit_constant(e, 0);
  hlo_emit_simd(e, HLO_WASM_I32X4_NE);
  hlo_emit_set(e, locals[0]);
}

void hlo_emit_store_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, uint32_t offset, int64_t stride, int most, const int *locals) {
  for (int n = 0; n < (e->known && e->known < most ? e->known : most); n++) {
    bool opened = open_element(e, n);
    push_address(e, base, index);
    push_storable(e, lanes, locals[bytes == 8 ? n / 2 : 0]);
    hlo_wasm_access_simd(&e->function, store_lane(bytes), offset + (uint32_t)(n * stride));
    hlo_wasm_lane(&e->function, lane_of(n, bytes));
    if (opened) hlo_emit_close(e);
  }
}

int hlo_emit_index(hlo_emitter *e, int32_t factor) {
  if (factor == 1) return e->index;
  for (int i = 0; i < e->factor_count; i++)
    if (e->factors[i] == factor) return e->factor_locals[i];
  int local = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_with(e, e->index, factor, HLO_WASM_I32_MUL);
  hlo_emit_set(e, local);
  if (e->factor_count == HLO_EMIT_FACTORS) return local;
  e->factors[e->factor_count] = factor;
  e->factor_locals[e->factor_count++] = local;
  return local;
}
