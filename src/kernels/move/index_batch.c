/* Components are turned into offsets a block of index vectors at a time, so that the type of the indices is asked about once a block. */
#include "kernels/move/index_batch.h"

#include "kernels/simd128.h"

static inline int64_t index_at(hlo_type type, const void *indices, int64_t at) {
  if (type == HLO_TYPE_S32) return ((const int32_t *)indices)[at];
  hlo_scalar value = hlo_scalar_load(type, indices, at);
  return !hlo_type_is_signed(type) && value.u > INT64_MAX ? INT64_MAX : value.s;
}

/* The offset, moved by a start; -1 where the window is left out. */
static inline ptrdiff_t moved(ptrdiff_t offset, int64_t start, int64_t last, ptrdiff_t stride, bool drops) {
  if (drops && (start < 0 || start > last)) return -1;
  return offset + (ptrdiff_t)(start < 0 ? 0 : start > last ? last : start) * stride;
}

/* Moves offsets of 32 bits by starts of 32 bits, four at a time, and returns how many. Without its sign a negative start is a large number, and
 * either is beyond the last. */
static int add_fours(const int32_t *index, int64_t step, ptrdiff_t stride, uint32_t last, bool is_signed, bool drops, ptrdiff_t *offsets, int count) {
  const v128_t factor = wasm_i32x4_splat((int32_t)stride), limit = wasm_i32x4_splat((int32_t)last), zero = wasm_i32x4_splat(0);
  int i = 0;
  for (; i + 4 <= count; i += 4, index += 4 * step) {
    v128_t starts = step == 1 ? wasm_v128_load(index) : wasm_i32x4_make(index[0], index[step], index[2 * step], index[3 * step]);
    v128_t places = wasm_v128_load(offsets + i), outside = zero;
    if (drops) outside = wasm_v128_or(wasm_u32x4_gt(starts, limit), wasm_i32x4_lt(places, zero));
    else if (is_signed) starts = wasm_i32x4_max(starts, zero);
    starts = wasm_u32x4_min(starts, limit);
    places = wasm_i32x4_add(places, hlo_i32x4_mul(starts, factor));
    wasm_v128_store(offsets + i, wasm_v128_or(places, outside));
  }
  return i;
}

/* Moves the offsets by component `c` of `count` index vectors. The component of the first vector is index `at`, that of the next `step`
 * further. */
static void add_component(const hlo_index_batch *b, int c, const void *indices, int64_t at, int64_t step, ptrdiff_t *offsets, int count) {
  ptrdiff_t stride = (ptrdiff_t)b->array_stride[c];
  int64_t last = b->last_start[c];
  int bytes = hlo_type_bytes(b->index_type), done = 0;
  bool is_signed = hlo_type_is_signed(b->index_type), drops = b->drops;
  if (bytes == 4 && sizeof *offsets == 4 && last >= 0 && last <= INT32_MAX)
    done = add_fours((const int32_t *)indices + at, step, stride, (uint32_t)last, is_signed, drops, offsets, count);
  if (bytes == 8 && last >= 0) {
    const uint64_t *index = (const uint64_t *)indices + at, limit = (uint64_t)last;
    for (; done < count; done++, index += step) {
      uint64_t start = is_signed && *index > INT64_MAX ? 0 : *index;
      ptrdiff_t place = offsets[done] + (ptrdiff_t)(start > limit ? limit : start) * stride;
      offsets[done] = drops && (*index > limit || offsets[done] < 0) ? -1 : place;
    }
  }
  for (; done < count; done++)
    if (offsets[done] >= 0) offsets[done] = moved(offsets[done], index_at(b->index_type, indices, at + done * step), last, stride, drops);
}

/* Counts up from `first` by steps, to fill offsets: those of 32 bits four at a time, the last of which may be more than are asked for. */
static void count_up(ptrdiff_t first, ptrdiff_t step, ptrdiff_t *offsets, int count) {
  if (sizeof *offsets == 4) {
    uint32_t a = (uint32_t)first, s = (uint32_t)step;
    v128_t next = wasm_i32x4_make((int32_t)a, (int32_t)(a + s), (int32_t)(a + 2 * s), (int32_t)(a + 3 * s)), fours = wasm_i32x4_splat((int32_t)(4 * s));
    for (int i = 0; i < count; i += 4, next = wasm_i32x4_add(next, fours)) wasm_v128_store(offsets + i, next);
  } else {
    for (int i = 0; i < count; i++) offsets[i] = first + i * step;
  }
}
_Static_assert(HLO_INDEX_BLOCK % 4 == 0, "a block is whole fours");

void hlo_index_batch_visit(const hlo_index_batch *b, const void *indices, hlo_index_visitor *visit, const void *context) {
  int64_t position[HLO_MAX_RANK] = {0}, index = 0, array = 0, windows = 0;
  int last = b->rank - 1;
  for (int d = 0; d < b->rank; d++)
    if (b->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    for (int64_t start = 0; start < b->dims[last]; start += HLO_INDEX_BLOCK) {
      ptrdiff_t offsets[HLO_INDEX_BLOCK];
      int count = (int)(b->dims[last] - start < HLO_INDEX_BLOCK ? b->dims[last] - start : HLO_INDEX_BLOCK);
      count_up((ptrdiff_t)(array + start * b->array_strides[last]), (ptrdiff_t)b->array_strides[last], offsets, count);
      for (int c = 0; c < b->component_count; c++)
        add_component(b, c, indices, index + start * b->index_strides[last] + c * b->component_stride, b->index_strides[last], offsets, count);
      visit(context, offsets, count, (ptrdiff_t)(windows + start * b->windows_strides[last]), (ptrdiff_t)b->windows_strides[last]);
    }
    for (d = last - 1; d >= 0; d--) { /* on to the next row of index vectors */
      index += b->index_strides[d];
      array += b->array_strides[d];
      windows += b->windows_strides[d];
      if (++position[d] < b->dims[d]) break;
      index -= b->index_strides[d] * b->dims[d];
      array -= b->array_strides[d] * b->dims[d];
      windows -= b->windows_strides[d] * b->dims[d];
      position[d] = 0;
    }
  }
}
