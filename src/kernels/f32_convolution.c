/* A convolution as a product: rows are windows (batch by position), columns are output features, and k runs over
 * taps and, innermost, input features. */
#include "kernels/f32_convolution.h"

#include <assert.h>

#include "kernels/f32_dot.h"
#include "kernels/simd128.h"

typedef struct group {
  const hlo_f32_convolution *convolution;
  const float *in, *kernel;
  float *out;
} group;

/* ---- Windows: panels of lhs ---- */

/* panel[p * 4 + r] = row[r][p * stride] for `count` values of p; a NULL row is zeros. */
static void interleave(const float *const row[HLO_DOT_ROWS], int64_t stride, int64_t count, float *panel) {
  int64_t p = 0;
  if (stride == 1)
    for (v128_t zero = wasm_f32x4_splat(0); p + 4 <= count; p += 4, panel += 16) {
      v128_t a = row[0] ? wasm_v128_load(row[0] + p) : zero, b = row[1] ? wasm_v128_load(row[1] + p) : zero;
      v128_t c = row[2] ? wasm_v128_load(row[2] + p) : zero, d = row[3] ? wasm_v128_load(row[3] + p) : zero;
      v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
      v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
      wasm_v128_store(panel, wasm_i32x4_shuffle(ab_low, cd_low, 0, 1, 4, 5));
      wasm_v128_store(panel + 4, wasm_i32x4_shuffle(ab_low, cd_low, 2, 3, 6, 7));
      wasm_v128_store(panel + 8, wasm_i32x4_shuffle(ab_high, cd_high, 0, 1, 4, 5));
      wasm_v128_store(panel + 12, wasm_i32x4_shuffle(ab_high, cd_high, 2, 3, 6, 7));
    }
  for (; p < count; p++, panel += HLO_DOT_ROWS)
    for (int r = 0; r < HLO_DOT_ROWS; r++) panel[r] = row[r] ? row[r][p * stride] : 0;
}

static void split_tap(const hlo_f32_convolution *c, int64_t number, int64_t *tap) {
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    tap[d] = number % c->dims[d].window;
    number /= c->dims[d].window;
  }
}

/* A row of the product: which image, and which position in it. */
typedef struct place {
  int64_t batch, coordinates[HLO_CONVOLUTION_MAX_SPATIAL];
} place;

static place place_of(const hlo_f32_convolution *c, int64_t row) {
  place p = {.batch = row / c->positions};
  hlo_f32_convolution_position(c, row - p.batch * c->positions, p.coordinates);
  return p;
}

static void next_place(const hlo_f32_convolution *c, place *p) {
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    if (++p->coordinates[d] < c->dims[d].out_size) return;
    p->coordinates[d] = 0;
  }
  p->batch++;
}

/* The first element that a row's window reads at a tap; NULL in padding and holes. */
static inline const float *window_element(const hlo_f32_convolution *c, const float *image, const int64_t *origin, const int64_t *tap) {
  for (int d = 0; d < c->spatial_rank; d++) {
    const hlo_f32_convolution_dim *dim = &c->dims[d];
    int64_t at = origin[d] + tap[d] * dim->window_dilation;
    if (dim->base_dilation != 1) {
      if (at < 0 || at % dim->base_dilation) return NULL;
      at /= dim->base_dilation;
    }
    if ((uint64_t)at >= (uint64_t)dim->in_size) return NULL;
    image += at * dim->in_stride;
  }
  return image;
}

static void pack_windows(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, float *panel) {
  const group *g = context;
  const hlo_f32_convolution *c = g->convolution;
  int64_t origin[HLO_DOT_ROWS][HLO_CONVOLUTION_MAX_SPATIAL], tap[HLO_CONVOLUTION_MAX_SPATIAL];
  const float *image[HLO_DOT_ROWS];
  place p = place_of(c, row);
  for (int r = 0; r < rows; r++, next_place(c, &p)) {
    image[r] = g->in + p.batch * c->in_batch_stride;
    for (int d = 0; d < c->spatial_rank; d++) origin[r][d] = p.coordinates[d] * c->dims[d].stride - c->dims[d].padding_low;
  }
  split_tap(c, k_begin / c->in_features, tap);
  int64_t feature = k_begin % c->in_features;
  for (int64_t left = k_count; left > 0; hlo_f32_convolution_next_tap(c, tap)) {
    int64_t count = c->in_features - feature < left ? c->in_features - feature : left;
    const float *window[HLO_DOT_ROWS] = {NULL};
    for (int r = 0; r < rows; r++) {
      window[r] = window_element(c, image[r], origin[r], tap);
      if (window[r]) window[r] += feature * c->in_feature_stride;
    }
    interleave(window, c->in_feature_stride, count, panel);
    panel += count * HLO_DOT_ROWS;
    left -= count;
    feature = 0;
  }
}

/* ---- The kernel: panels of rhs ---- */

static void pack_kernel(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, float *panel) {
  const group *g = context;
  const hlo_f32_convolution *c = g->convolution;
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL];
  split_tap(c, k_begin / c->in_features, tap);
  int64_t feature = k_begin % c->in_features;
  for (int64_t left = k_count; left > 0; hlo_f32_convolution_next_tap(c, tap)) {
    int64_t count = c->in_features - feature < left ? c->in_features - feature : left;
    const float *weights = g->kernel + hlo_f32_convolution_kernel_offset(c, tap) + feature * c->kernel_in_stride +
                           column * c->kernel_out_stride;
    hlo_f32_dot_pack_simd128(weights, c->kernel_out_stride, c->kernel_in_stride, columns, HLO_DOT_COLUMNS, count, panel);
    panel += count * HLO_DOT_COLUMNS;
    left -= count;
    feature = 0;
  }
}

/* ---- Results ---- */

static void store_row(float *out, int64_t stride, int columns, const float *tile, bool add) {
  if (stride == 1 && columns == HLO_DOT_COLUMNS) {
    v128_t low = wasm_v128_load(tile), high = wasm_v128_load(tile + 4);
    wasm_v128_store(out, add ? wasm_f32x4_add(wasm_v128_load(out), low) : low);
    wasm_v128_store(out + 4, add ? wasm_f32x4_add(wasm_v128_load(out + 4), high) : high);
    return;
  }
  for (int n = 0; n < columns; n++) out[n * stride] = add ? out[n * stride] + tile[n] : tile[n];
}

static void store(const void *context, int64_t row, int rows, int64_t column, int columns, const float *tile, bool add) {
  const group *g = context;
  const hlo_f32_convolution *c = g->convolution;
  place p = place_of(c, row);
  for (int r = 0; r < rows; r++, next_place(c, &p)) {
    float *out = g->out + p.batch * c->out_batch_stride + hlo_f32_convolution_out_offset(c, p.coordinates);
    store_row(out + column * c->out_feature_stride, c->out_feature_stride, columns, tile + r * HLO_DOT_COLUMNS, add);
  }
}

size_t hlo_f32_convolution_scratch_bytes(const hlo_f32_convolution *c) {
  return hlo_f32_product_scratch_bytes(c->batch * c->positions, c->out_features, c->taps * c->in_features);
}

void hlo_f32_convolution_simd128(const hlo_f32_convolution *convolution, const float *in, const float *kernel, float *out,
                                 void *scratch) {
  const hlo_f32_convolution *c = convolution;
  assert(c->spatial_rank <= HLO_CONVOLUTION_MAX_SPATIAL);
  if (c->taps * c->in_features == 0 || c->batch * c->positions * c->out_features == 0) {
    hlo_f32_convolution_scalar(c, in, kernel, out, scratch);
    return;
  }
  for (int64_t n = 0; n < c->groups; n++) {
    group context = {c, in + n * c->in_group_stride, kernel + n * c->kernel_group_stride, out + n * c->out_group_stride};
    hlo_f32_product product = {.m = c->batch * c->positions, .n = c->out_features, .k = c->taps * c->in_features,
                               .context = &context, .pack_lhs = pack_windows, .pack_rhs = pack_kernel, .store = store};
    hlo_f32_product_run(&product, scratch);
  }
}
