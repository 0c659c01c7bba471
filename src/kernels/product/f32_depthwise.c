/* Depthwise convolution: every feature (a group of one) has its own window of weights. Vectors are of features where those are
 * contiguous, else of positions; offsets of taps are computed once for a run of windows. Padding is left out of the sums; where some
 * weight is not finite, for which its zeros make a difference, they are added to them. */
#include <assert.h>

#include "base/checked.h"
#include "base/team.h"
#include "kernels/product/convolution.h"
#include "kernels/product/dot.h"
#include "kernels/simd128.h"

enum { RUN = 32 }; /* taps whose products are added in one accumulator, before they are added to the output */

static bool has_contiguous_features(const hlo_convolution *c) {
  return c->in_group_stride == 1 && c->kernel_group_stride == 1 && c->out_group_stride == 1 && c->groups >= 4;
}

static bool has_contiguous_positions(const hlo_convolution *c) {
  const hlo_convolution_dim *last = c->spatial_rank ? &c->dims[c->spatial_rank - 1] : NULL;
  return last && last->in_stride == 1 && last->out_stride == 1 && last->stride == 1 && last->base_dilation == 1;
}

bool hlo_convolution_is_depthwise(const hlo_convolution *c) {
  if (c->type != HLO_DOT_F32 || c->in_features != 1 || c->out_features != 1) return false;
  return has_contiguous_features(c) || has_contiguous_positions(c);
}

/* Up to RUN taps: where each reads the input, for the first of some windows, and its weights. */
typedef struct run_of_taps {
  int count;
  const float *in[RUN], *weights[RUN];
} run_of_taps;

#define GROW(q, from) sum##q = wasm_f32x4_add(sum##q, wasm_f32x4_mul(weight, wasm_v128_load(from)))
#define PUT(q, to) wasm_v128_store(to, add ? wasm_f32x4_add(wasm_v128_load(to), sum##q) : sum##q)

/* Sums a run of taps for `windows` windows, whose input and output lie in_step and out_step apart, of `features` contiguous features.
 * `add`: to what the output holds. */
static void sum_features(const run_of_taps *run, int features, int windows, ptrdiff_t in_step, ptrdiff_t out_step, bool add, float *out) {
  const v128_t zero = wasm_f32x4_splat(0);
  int f = 0;
  for (; f + 4 <= features; f += 4) {
    int w = 0;
    ptrdiff_t at = f;
    for (; w + 4 <= windows; w += 4, at += 4 * in_step) {
      v128_t sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero;
      for (int t = 0; t < run->count; t++) {
        v128_t weight = wasm_v128_load(run->weights[t] + f);
        const float *in = run->in[t] + at;
        GROW(0, in);
        GROW(1, in + in_step);
        GROW(2, in + 2 * in_step);
        GROW(3, in + 3 * in_step);
      }
      float *to = out + w * out_step + f;
      PUT(0, to);
      PUT(1, to + out_step);
      PUT(2, to + 2 * out_step);
      PUT(3, to + 3 * out_step);
    }
    for (; w < windows; w++, at += in_step) {
      v128_t sum0 = zero;
      for (int t = 0; t < run->count; t++) {
        v128_t weight = wasm_v128_load(run->weights[t] + f);
        GROW(0, run->in[t] + at);
      }
      PUT(0, out + w * out_step + f);
    }
  }
  for (; f < features; f++)
    for (int w = 0; w < windows; w++) {
      float sum = 0, *to = out + w * out_step + f;
      for (int t = 0; t < run->count; t++) sum += run->in[t][w * in_step + f] * run->weights[t][f];
      *to = add ? *to + sum : sum;
    }
}

/* Sums a run of taps for contiguous windows of one feature, whose input and weights lie in_offset and weights_offset behind those of the
 * run. `add`: to what the output holds. */
static void sum_positions(const run_of_taps *run, ptrdiff_t in_offset, ptrdiff_t weights_offset, int windows, bool add, float *out) {
  int w = 0;
  for (; w + 16 <= windows; w += 16) {
    v128_t sum0 = wasm_f32x4_splat(0), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (int t = 0; t < run->count; t++) {
      v128_t weight = wasm_v128_load32_splat(run->weights[t] + weights_offset);
      const float *in = run->in[t] + in_offset + w;
      GROW(0, in);
      GROW(1, in + 4);
      GROW(2, in + 8);
      GROW(3, in + 12);
    }
    PUT(0, out + w);
    PUT(1, out + w + 4);
    PUT(2, out + w + 8);
    PUT(3, out + w + 12);
  }
  for (; w + 4 <= windows; w += 4) {
    v128_t sum0 = wasm_f32x4_splat(0);
    for (int t = 0; t < run->count; t++) {
      v128_t weight = wasm_v128_load32_splat(run->weights[t] + weights_offset);
      GROW(0, run->in[t] + in_offset + w);
    }
    PUT(0, out + w);
  }
  for (; w < windows; w++) {
    float sum = 0;
    for (int t = 0; t < run->count; t++) sum += run->in[t][in_offset + w] * run->weights[t][weights_offset];
    out[w] = add ? out[w] + sum : sum;
  }
}

/* Returns whether all weights are finite: zero times anything else is NaN. */
static bool has_finite_weights(const hlo_convolution *c, const float *kernel) {
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  const v128_t zero = wasm_f32x4_splat(0);
  v128_t sums = zero;
  float sum = 0;
  for (int64_t t = 0; t < c->taps; t++, hlo_convolution_next_tap(c, tap)) {
    const float *weights = kernel + hlo_convolution_kernel_offset(c, tap);
    int64_t g = 0;
    for (; c->kernel_group_stride == 1 && g + 4 <= c->groups; g += 4)
      sums = wasm_f32x4_add(sums, wasm_f32x4_mul(wasm_v128_load(weights + g), zero));
    for (; g < c->groups; g++) sum += weights[g * c->kernel_group_stride] * 0;
  }
  return sum == 0 && wasm_i32x4_all_true(wasm_f32x4_eq(sums, zero));
}

/* Adds the products of padding to the sums of consecutive windows, of which `out` is the first. */
static void add_padding(const hlo_convolution *c, const int64_t *coordinates, int windows, const float *kernel, ptrdiff_t out_step,
                        float *out) {
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  for (int64_t t = 0; t < c->taps; t++, hlo_convolution_next_tap(c, tap)) {
    if (hlo_convolution_in_offset(c, coordinates, tap) >= 0) continue;
    const float *weights = kernel + hlo_convolution_kernel_offset(c, tap);
    for (int64_t g = 0; g < c->groups; g++)
      for (int w = 0; w < windows; w++) out[g * c->out_group_stride + w * out_step] += weights[g * c->kernel_group_stride] * 0;
  }
}

/* Computes consecutive windows of a line, from `coordinates` on: at each tap, all of them read the input, or all read padding. */
static void sum_windows(const hlo_convolution *c, const int64_t *coordinates, int windows, const float *in, const float *kernel,
                        bool counts_padding, float *out) {
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  const hlo_convolution_dim none = {0}, *last = c->spatial_rank ? &c->dims[c->spatial_rank - 1] : &none;
  bool features = has_contiguous_features(c), add = false;
  ptrdiff_t in_step = (ptrdiff_t)(last->stride * last->in_stride), out_step = (ptrdiff_t)last->out_stride;
  run_of_taps run = {0};
  out += hlo_convolution_out_offset(c, coordinates);
  for (int64_t t = 0; t <= c->taps; t++) {
    if (t == c->taps || run.count == RUN) {
      if (features) sum_features(&run, (int)c->groups, windows, in_step, out_step, add, out);
      for (int64_t g = 0; g < c->groups && !features; g++)
        sum_positions(&run, (ptrdiff_t)(g * c->in_group_stride), (ptrdiff_t)(g * c->kernel_group_stride), windows, add,
                      out + g * c->out_group_stride);
      add = true;
      run.count = 0;
      if (t == c->taps) break;
    }
    int64_t place = hlo_convolution_in_offset(c, coordinates, tap);
    if (place >= 0) {
      run.in[run.count] = in + place;
      run.weights[run.count++] = kernel + hlo_convolution_kernel_offset(c, tap);
    }
    hlo_convolution_next_tap(c, tap);
  }
  if (counts_padding) add_padding(c, coordinates, windows, kernel, out_step, out);
}

/* Finds the windows of a line that read no padding in its dimension: *first to *end - 1. */
static void find_inner(const hlo_convolution *c, int64_t *first, int64_t *end) {
  *first = *end = 0;
  if (c->spatial_rank == 0) return;
  const hlo_convolution_dim *dim = &c->dims[c->spatial_rank - 1];
  int64_t room = dim->in_size + dim->padding_low - (dim->window - 1) * dim->window_dilation - 1;
  if (dim->base_dilation != 1 || room < 0) return;
  *first = dim->padding_low > 0 ? hlo_ceil_div(dim->padding_low, dim->stride) : 0;
  *end = room / dim->stride + 1 < dim->out_size ? room / dim->stride + 1 : dim->out_size;
}

typedef struct depthwise {
  const hlo_convolution *convolution;
  const float *in, *kernel;
  float *out;
  bool counts_padding; /* some weight is not finite */
  int64_t line, lines; /* positions in a line, which runs along the last dimension; lines in an image */
  int64_t share;       /* lines in a unit of work */
} depthwise;

static void sum_lines(void *context, int64_t unit, int thread) {
  const depthwise *d = context;
  const hlo_convolution *c = d->convolution;
  int64_t coordinates[HLO_CONVOLUTION_MAX_SPATIAL], first, end;
  find_inner(c, &first, &end);
  for (int64_t n = unit * d->share; n < (unit + 1) * d->share && n < d->lines * c->batch; n++) {
    const float *in = d->in + n / d->lines * c->in_batch_stride;
    float *out = d->out + n / d->lines * c->out_batch_stride;
    for (int64_t x = 0, count; x < d->line; x += count) {
      hlo_convolution_position(c, n % d->lines * d->line + x, coordinates);
      count = x >= first && x < end ? end - x : 1;
      sum_windows(c, coordinates, (int)count, in, d->kernel, d->counts_padding, out);
    }
  }
}

void hlo_f32_depthwise_simd128(const hlo_convolution *c, const float *in, const float *kernel, float *out, hlo_team *team) {
  assert(hlo_convolution_is_depthwise(c));
  if (c->positions == 0) return;
  depthwise d = {.convolution = c, .in = in, .kernel = kernel, .out = out, .counts_padding = !has_finite_weights(c, kernel)};
  d.line = c->spatial_rank ? c->dims[c->spatial_rank - 1].out_size : 1;
  d.lines = c->positions / d.line;
  double nanoseconds = (double)c->batch * (double)c->positions * (double)c->groups * (double)c->taps / 8;
  d.share = hlo_team_share(team, d.lines * c->batch, 1, nanoseconds);
  hlo_team_run(team, hlo_ceil_div(d.lines * c->batch, d.share), nanoseconds, sum_lines, &d);
}
