/* Components are turned into offsets a block of index vectors at a time, so that the type of the indices is asked about once a block. */
#include "kernels/move/index_batch.h"

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

/* The loops for indices of one width: a negative start is a large number without its sign, and either is beyond the last start. */
#define ADD_STARTS(word, greatest)                                                                              \
  const word *index = (const word *)indices + at, limit = (word)last;                                           \
  for (int i = 0; i < count && drops; i++, index += step)                                                       \
    offsets[i] = *index > limit || offsets[i] < 0 ? -1 : offsets[i] + (ptrdiff_t)*index * stride;               \
  for (int i = 0; i < count && !drops; i++, index += step) {                                                    \
    word start = is_signed && *index > greatest ? 0 : *index;                                                   \
    offsets[i] += (ptrdiff_t)(start > limit ? limit : start) * stride;                                          \
  }

/* Moves the offsets by component `c` of `count` index vectors. The component of the first vector is index `at`, that of the next `step`
 * further. */
static void add_component(const hlo_index_batch *b, int c, const void *indices, int64_t at, int64_t step, ptrdiff_t *offsets, int count) {
  ptrdiff_t stride = (ptrdiff_t)b->array_stride[c];
  int64_t last = b->last_start[c];
  int bytes = hlo_type_bytes(b->index_type);
  bool is_signed = hlo_type_is_signed(b->index_type), drops = b->drops;
  if (bytes == 4 && last >= 0 && last <= INT32_MAX) {
    ADD_STARTS(uint32_t, INT32_MAX)
    return;
  }
  if (bytes == 8 && last >= 0) {
    ADD_STARTS(uint64_t, INT64_MAX)
    return;
  }
  for (int i = 0; i < count; i++) {
    if (offsets[i] < 0) continue;
    offsets[i] = moved(offsets[i], index_at(b->index_type, indices, at + i * step), last, stride, b->drops);
  }
}

void hlo_index_batch_visit(const hlo_index_batch *b, const void *indices, hlo_index_visitor *visit, const void *context) {
  int64_t position[HLO_MAX_RANK] = {0}, index = 0, array = 0, windows = 0;
  int last = b->rank - 1;
  for (int d = 0; d < b->rank; d++)
    if (b->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    for (int64_t start = 0; start < b->dims[last]; start += HLO_INDEX_BLOCK) {
      ptrdiff_t offsets[HLO_INDEX_BLOCK];
      int count = (int)(b->dims[last] - start < HLO_INDEX_BLOCK ? b->dims[last] - start : HLO_INDEX_BLOCK);
      for (int i = 0; i < count; i++) offsets[i] = (ptrdiff_t)(array + (start + i) * b->array_strides[last]);
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
