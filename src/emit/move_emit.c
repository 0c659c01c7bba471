#include "emit/move_emit.h"

#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "kernels/move/dynamic_slice.h"
#include "kernels/move/joined_copies.h"
#include "kernels/move/strided_copy.h"
#include "kernels/move/view_copy.h"
#include "shape/element_type.h"

enum { COPIED_INLINE = 64, MOST_PIECES = 48, MOST_JOINED = 4 * MOST_PIECES };

/* ---- Runs ---- */

/* Copies 16, 8, 4, 2 or 1 bytes with a load and a store. */
static void copy_piece(hlo_emitter *e, int to, int64_t to_offset, int from, int64_t from_offset, int64_t bytes) {
  static const hlo_wasm_opcode loads[] = {HLO_WASM_I32_LOAD8_U, HLO_WASM_I32_LOAD16_U, HLO_WASM_I32_LOAD, HLO_WASM_I64_LOAD};
  static const hlo_wasm_opcode stores[] = {HLO_WASM_I32_STORE8, HLO_WASM_I32_STORE16, HLO_WASM_I32_STORE, HLO_WASM_I64_STORE};
  int log2 = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  hlo_emit_pair(e, to, from);
  if (bytes == 16) hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)from_offset);
  else hlo_wasm_access(&e->function, loads[log2], (uint32_t)from_offset);
  if (bytes == 16) hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, (uint32_t)to_offset);
  else hlo_wasm_access(&e->function, stores[log2], (uint32_t)to_offset);
}

void hlo_emit_copy(hlo_emitter *e, int to, int64_t to_offset, int from, int64_t from_offset, int64_t bytes) {
  if (bytes > COPIED_INLINE) {
    hlo_emit_with(e, to, (int32_t)to_offset, HLO_WASM_I32_ADD);
    hlo_emit_with(e, from, (int32_t)from_offset, HLO_WASM_I32_ADD);
    hlo_emit_i32(e, (int32_t)bytes);
    hlo_wasm_memory_copy(&e->function);
    return;
  }
  for (int64_t at = 0, piece = 16; at < bytes; at += piece) {
    while (piece > bytes - at) piece /= 2;
    copy_piece(e, to, to_offset + at, from, from_offset + at, piece);
  }
}

static int64_t pieces_of_run(int64_t bytes) { return bytes > COPIED_INLINE ? 1 : bytes / 16 + (bytes % 16 > 0) * 2; }

/* ---- Strided copies ---- */

/* Returns the bytes that lie side by side on both sides, and sets *rank to how many dimensions are outside of them. */
static int64_t run_of(const hlo_strided_map *map, int *rank) {
  int last = map->rank - 1, bytes = map->element_bytes;
  bool is_run = last >= 0 && map->in_strides[last] == bytes && map->out_strides[last] == bytes;
  *rank = is_run ? last : map->rank;
  return is_run ? map->dims[last] * bytes : bytes;
}

/* About how many loads a copy takes. */
static int64_t pieces_of_map(const hlo_strided_map *map) {
  int rank;
  int64_t pieces = pieces_of_run(run_of(map, &rank));
  for (int d = 0; d < rank && pieces <= MOST_PIECES; d++) pieces *= map->dims[d];
  return pieces;
}

static void copy_map(hlo_emitter *e, const hlo_strided_map *map, int to, int64_t to_offset, int from, int64_t from_offset) {
  int rank;
  int64_t bytes = run_of(map, &rank), index[HLO_STRIDED_MAX_RANK] = {0};
  for (int d = 0; d < rank; d++)
    if (map->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    hlo_emit_copy(e, to, to_offset, from, from_offset, bytes);
    for (d = rank - 1; d >= 0; d--) {
      from_offset += map->in_strides[d];
      to_offset += map->out_strides[d];
      if (++index[d] < map->dims[d]) break;
      from_offset -= map->in_strides[d] * map->dims[d];
      to_offset -= map->out_strides[d] * map->dims[d];
      index[d] = 0;
    }
  }
}

/* ---- Concatenating and padding ---- */

static bool write_concatenate(hlo_emitter *e, const hlo_concatenate_parameters *p, const int *operands, int result) {
  int64_t all = 0;
  for (int i = 0; i < p->count; i++) {
    int64_t pieces = pieces_of_map(&p->parts[i].map);
    if (pieces > MOST_PIECES || (all += pieces) > MOST_JOINED) return false;
  }
  for (int i = 0; i < p->count; i++) copy_map(e, &p->parts[i].map, result, p->parts[i].out_offset, operands[i], p->parts[i].in_offset);
  return true;
}

static bool write_pad(hlo_emitter *e, const hlo_pad_parameters *p, const int *operands, int result) {
  int bytes = p->part.map.element_bytes;
  int64_t all = p->count * bytes, whole = all / 16 * 16;
  if ((bytes != 4 && bytes != 8) || pieces_of_run(whole) > MOST_PIECES || pieces_of_map(&p->part.map) + all / 16 > MOST_PIECES) return false;
  if (!p->covers) {
    int element = hlo_emit_new(e, HLO_WASM_V128);
    hlo_emit_get(e, operands[1]);
    hlo_wasm_access_simd(&e->function, bytes == 4 ? HLO_WASM_V128_LOAD32_SPLAT : HLO_WASM_V128_LOAD64_SPLAT, 0);
    hlo_emit_set(e, element);
    for (int64_t at = 0; at < whole; at += 16) {
      hlo_emit_pair(e, result, element);
      hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, (uint32_t)at);
    }
    for (int64_t at = whole; at < all; at += bytes) copy_piece(e, result, at, operands[1], 0, bytes);
  }
  copy_map(e, &p->part.map, result, p->part.out_offset, operands[0], p->part.in_offset);
  return true;
}

/* ---- Dynamic slices ---- */

static void load_word(hlo_emitter *e, int address, uint32_t offset) {
  hlo_emit_get(e, address);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, offset);
}

/* Sets a local to the start in one dimension, clamped to 0 to `last`. Of 8 bytes, the high ones tell whether the number is beyond either end. */
static void load_start(hlo_emitter *e, hlo_type type, int address, int32_t last, int start) {
  bool is_signed = hlo_type_is_signed(type);
  load_word(e, address, 0);
  if (hlo_type_bytes(type) == 8) {
    hlo_emit_i32(e, -1); /* the greatest number, without its sign */
    load_word(e, address, 4);
    hlo_emit_op(e, HLO_WASM_I32_EQZ);
    hlo_emit_op(e, HLO_WASM_SELECT);
  }
  hlo_emit_set(e, start);
  if (is_signed) { /* start = high word < 0 ? 0 : start */
    hlo_emit_i32(e, 0);
    hlo_emit_get(e, start);
    load_word(e, address, hlo_type_bytes(type) == 8 ? 4 : 0);
    hlo_emit_i32(e, 0);
    hlo_emit_op(e, HLO_WASM_I32_LT_S);
    hlo_emit_op(e, HLO_WASM_SELECT);
    hlo_emit_set(e, start);
  }
  hlo_emit_get(e, start);
  hlo_emit_i32(e, last);
  hlo_emit_with(e, start, last, HLO_WASM_I32_LT_U);
  hlo_emit_op(e, HLO_WASM_SELECT);
  hlo_emit_set(e, start);
}

static bool write_dynamic(hlo_emitter *e, const hlo_dynamic_slice_parameters *p, const int *operands, int result, bool updates) {
  if ((updates && operands[0] != result) || pieces_of_map(&p->map) > MOST_PIECES) return false;
  for (int d = 0; d < p->rank; d++)
    if (p->last_start[d] > 0 && (p->last_start[d] > INT32_MAX || hlo_type_bytes(p->index_type[d]) < 4)) return false;
  int window = hlo_emit_new(e, HLO_WASM_I32), start = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_get(e, operands[0]);
  hlo_emit_set(e, window);
  for (int d = 0; d < p->rank; d++) {
    if (p->last_start[d] <= 0) continue;
    load_start(e, p->index_type[d], operands[p->first_index + d], (int32_t)p->last_start[d], start);
    hlo_emit_get(e, window);
    hlo_emit_with(e, start, (int32_t)p->strides[d], HLO_WASM_I32_MUL);
    hlo_emit_op(e, HLO_WASM_I32_ADD);
    hlo_emit_set(e, window);
  }
  if (updates) copy_map(e, &p->map, window, 0, operands[1], 0);
  else copy_map(e, &p->map, result, 0, window, 0);
  return true;
}

bool hlo_emit_move_step(hlo_emitter *e, const hlo_step *step, const int *operands, int result) {
  if (step->run_shared == hlo_view_copy_run) {
    const hlo_view_copy_parameters *p = step->parameters;
    if (pieces_of_map(&p->map) > MOST_PIECES) return false;
    copy_map(e, &p->map, result, 0, operands[0], p->in_offset);
    return true;
  }
  if (step->run_shared == hlo_concatenate_run) return write_concatenate(e, step->parameters, operands, result);
  if (step->run_shared == hlo_pad_run) return write_pad(e, step->parameters, operands, result);
  if (step->run_shared == hlo_dynamic_slice_run) return write_dynamic(e, step->parameters, operands, result, false);
  if (step->run_shared == hlo_dynamic_update_slice_run) return write_dynamic(e, step->parameters, operands, result, true);
  if (step->run != hlo_plan_run_move) return false;
  hlo_emit_copy(e, result, 0, operands[0], 0, step->result.bytes);
  return true;
}
