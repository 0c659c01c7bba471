#include "kernels/product/nibble_values.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"

enum { COLUMNS = HLO_NIBBLE_COLUMNS, BIAS = HLO_NIBBLE_BIAS, FOUR = 4 };

#define FOUR_FLOATS(at, i) wasm_f32x4_make(*(const float *)(at + i * stride), *(const float *)(at + (i + 1) * stride), \
                                            *(const float *)(at + (i + 2) * stride), *(const float *)(at + (i + 3) * stride))
#define HALF(i) *(const int16_t *)(at + i * stride)

static hlo_eight eight_of(hlo_narrow_format format, v128_t halves) { return format == HLO_NARROW_F16 ? hlo_eight_of_f16(halves, hlo_half_constants_at()) : hlo_eight_of_bf16(halves); }

/* Reads eight values that lie `stride` bytes apart. */
static hlo_eight read_eight(hlo_narrow_format format, const char *at, ptrdiff_t stride) {
  if (format == HLO_NARROW_F32)
    return stride == sizeof(float) ? (hlo_eight){wasm_v128_load(at), wasm_v128_load(at + 16)} : (hlo_eight){FOUR_FLOATS(at, 0), FOUR_FLOATS(at, 4)};
  v128_t halves = stride == sizeof(int16_t) ? wasm_v128_load(at) : wasm_i16x8_make(HALF(0), HALF(1), HALF(2), HALF(3), HALF(4), HALF(5), HALF(6), HALF(7));
  return eight_of(format, halves);
}

/* The same where there are fewer columns: the last values are 0. */
static hlo_eight read_fewer(hlo_narrow_format format, const char *at, ptrdiff_t stride, int columns) {
  _Alignas(16) char copy[COLUMNS * sizeof(float)] = {0};
  int bytes = hlo_narrow_bytes(format);
  for (int i = 0; i < columns * bytes; i += bytes, at += stride) memcpy(copy + i, at, (size_t)bytes);
  return read_eight(format, copy, bytes);
}

static hlo_eight read_group(const hlo_nibble_values *v, const hlo_nibble_reader *r, int group) {
  const char *at = r->at + group * r->step;
  return v->columns < COLUMNS ? read_fewer(r->format, at, r->stride, v->columns) : read_eight(r->format, at, r->stride);
}

#define STORE_EIGHT(i, eight) read = eight, wasm_v128_store(to[i], read.low), wasm_v128_store(to[i] + 1, read.high);
#define EACH_OF_FOUR(DO) DO(0) DO(1) DO(2) DO(3)
#define CHECK_ORDINARY(i) extreme = wasm_u16x8_max(extreme, hlo_f16_distance(x[i], halves));
#define STORE_ORDINARY(i) STORE_EIGHT(i, hlo_eight_of_ordinary_f16(x[i], halves))

#define LOAD(i) x[i] = wasm_v128_load(at + i * step);
/* Reads values of 16 bits that lie as they are needed, of four groups at once. */
static void read_along(const hlo_nibble_reader *r, int first, int end, v128_t (*to)[2]) {
  const struct hlo_half_constants *halves = hlo_half_constants_at();
  hlo_narrow_format format = r->format;
  ptrdiff_t step = r->step;
  hlo_eight read;
  for (int g = first; g < end; g += FOUR, to += FOUR) {
    if (g + FOUR > end) to -= g + FOUR - end, g = end - FOUR;
    const char *at = r->at + g * step;
    v128_t x[FOUR], extreme = wasm_i32x4_splat(0);
    EACH_OF_FOUR(LOAD)
    EACH_OF_FOUR(CHECK_ORDINARY)
    if (format == HLO_NARROW_F16 && !hlo_f16_has_extreme(extreme, halves)) {
      EACH_OF_FOUR(STORE_ORDINARY)
    } else {
      for (int i = 0; i < FOUR; i++) STORE_EIGHT(i, eight_of(format, x[i]))
    }
  }
}

void hlo_nibble_values_read(hlo_nibble_values *v, int group) {
  v->first = group;
  v->end = v->groups - group < v->ahead ? v->groups : group + v->ahead;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    hlo_nibble_reader *r = &v->readers[w];
    if (!r->step) continue;
    if (r->format != HLO_NARROW_F32 && r->stride == sizeof(int16_t) && v->columns == COLUMNS && v->end - group >= FOUR) {
      read_along(r, group, v->end, r->read);
      continue;
    }
    for (int g = group; g < v->end; g++) {
      hlo_eight read = read_group(v, r, g);
      r->read[g - group][0] = read.low, r->read[g - group][1] = read.high;
    }
  }
}

void hlo_nibble_values_begin(const hlo_narrow_matrix *m, int64_t column, int ahead, hlo_nibble_values *v) {
  v->ahead = ahead;
  v->bias = wasm_f32x4_splat(m->form->is_signed ? BIAS : 0);
  v->columns = m->form->n - column < COLUMNS ? (int)(m->form->n - column) : COLUMNS;
  v->first = v->end = 0, v->groups = (int)hlo_ceil_div(m->form->k, m->form->group);
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *values = &m->form->stages[0].values[w];
    int bytes = m->arrays[0][w] ? hlo_narrow_bytes(values->format) : 0;
    hlo_nibble_reader *r = &v->readers[w];
    if (values->in_panels) {
      r->at = (const char *)m->arrays[0][w] + hlo_nibble_value_place(column, 0, v->groups) * bytes;
      r->stride = bytes, r->step = COLUMNS * bytes;
    } else {
      r->at = hlo_narrow_value_in(m, 0, w, 0, column);
      r->stride = (ptrdiff_t)values->n_stride * bytes, r->step = (ptrdiff_t)values->g_stride * bytes;
    }
    r->format = values->format;
    assert(r->step == 0 || values->group == m->form->group);
    if (r->step) continue;
    hlo_eight read = read_group(v, r, 0);
    r->read[0][0] = read.low, r->read[0][1] = read.high;
  }
}
