/* Depthwise convolution: every feature (a group of one) has its own window of weights, or several, for as many features in, as the gradient
 * of such weights has one for each image. Vectors are of features where those are contiguous, else of positions; offsets of taps are
 * computed once for a run of windows. Padding is left out of the sums; where some weight is not finite, for which its zeros make a
 * difference, they are added to them. */
#include <assert.h>

#include "base/checked.h"
#include "base/team.h"
#include "kernels/product/convolution.h"
#include "kernels/product/dot.h"
#include "kernels/product/epilogue.h"
#include "kernels/simd128.h"

enum { RUN = 32 /* taps whose products are added in one accumulator, before they are added to the output */, FEWEST_WINDOWS = 16 /* of a line, where all features in are to be read for it */ };

static bool has_contiguous_features(const hlo_convolution *c) {
  return c->in_group_stride == 1 && c->kernel_group_stride == 1 && c->out_group_stride == 1 && c->groups >= 4;
}

static bool has_contiguous_positions(const hlo_convolution *c) {
  const hlo_convolution_dim *last = c->spatial_rank ? &c->dims[c->spatial_rank - 1] : NULL;
  return last && last->in_stride == 1 && last->out_stride == 1 && last->base_dilation == 1 && (c->in_features == 1 || last->out_size >= FEWEST_WINDOWS);
}

bool hlo_convolution_is_depthwise(const hlo_convolution *c) {
  if (c->type > HLO_DOT_S64 || c->out_features != 1) return false;
  return has_contiguous_features(c) || has_contiguous_positions(c);
}

/* Up to RUN taps: where each reads the input, for the first of some windows, and its weights. */
typedef struct run_of_taps {
  int count;
  bool begins_row[RUN]; /* this tap and the two after it read the input one window apart: what one of them reads of a window, another reads of the next */
  const char *in[RUN], *weights[RUN];
} run_of_taps;

/* The functions that depend on the type of the elements.
 *
 * features    sums a run of taps for `windows` windows, whose input and output lie in_step and out_step apart, of `features` contiguous features
 * positions   sums a run of taps for windows of one feature, whose output is contiguous and whose input lies `step` apart; input and weights lie in_offset and
 *             weights_offset behind those of the run
 *
 * are_finite  returns whether all weights are finite: zero times anything else is NaN
 * padding     adds the products of padding to the sums of consecutive windows, of which `result` is the first
 *
 * The last two are NULL of integers. With `add`, sums are added to what the output holds. */
typedef struct sums_of_type {
  void (*features)(const run_of_taps *run, int features, int windows, ptrdiff_t in_step, ptrdiff_t out_step, bool add, void *result);
  void (*positions)(const run_of_taps *run, ptrdiff_t in_offset, ptrdiff_t weights_offset, int windows, ptrdiff_t step, bool add, void *result);
  bool (*are_finite)(const hlo_convolution *c, const void *weights_of_all);
  void (*padding)(const hlo_convolution *c, const int64_t *coordinates, int windows, const void *weights_of_all, ptrdiff_t out_step, void *result);
} sums_of_type;

#define NAME(x) f32_##x
#define ELEMENT float
#define LANES 4
#define VECTOR(x) wasm_f32x4_##x
#define SPLAT wasm_v128_load32_splat
#define WIDE 1
#define FLOATS
#include "kernels/product/depthwise_sums.inc"
#define NAME(x) f64_##x
#define ELEMENT double
#define LANES 2
#define VECTOR(x) wasm_f64x2_##x
#define SPLAT wasm_v128_load64_splat
#define WIDE 1
#define FLOATS
#include "kernels/product/depthwise_sums.inc"
#define NAME(x) s32_##x
#define ELEMENT uint32_t
#define LANES 4
#define VECTOR(x) wasm_i32x4_##x
#define SPLAT wasm_v128_load32_splat
#define WIDE 0
#include "kernels/product/depthwise_sums.inc"
#define NAME(x) s64_##x
#define ELEMENT uint64_t
#define LANES 2
#define VECTOR(x) wasm_i64x2_##x
#define SPLAT wasm_v128_load64_splat
#define WIDE 0
#include "kernels/product/depthwise_sums.inc"

static const sums_of_type sums_of_types[] = {[HLO_DOT_F32] = {f32_features, f32_positions, f32_are_finite, f32_padding},
                                             [HLO_DOT_F64] = {f64_features, f64_positions, f64_are_finite, f64_padding},
                                             [HLO_DOT_S32] = {s32_features, s32_positions, NULL, NULL},
                                             [HLO_DOT_S64] = {s64_features, s64_positions, NULL, NULL}};

/* Finds the windows of a line, which runs along this dimension, that read no padding in it: *first to *end - 1. */
static void find_inner(const hlo_convolution_dim *dim, int64_t *first, int64_t *end) {
  *first = *end = 0;
  int64_t room = dim->in_size + dim->padding_low - (dim->window - 1) * dim->window_dilation - 1;
  if (dim->base_dilation != 1 || room < 0) return;
  *first = dim->padding_low > 0 ? hlo_ceil_div(dim->padding_low, dim->stride) : 0;
  *end = room / dim->stride + 1 < dim->out_size ? room / dim->stride + 1 : dim->out_size;
}

typedef struct depthwise {
  const hlo_convolution *convolution;
  hlo_convolution outer;    /* the same without the last dimension, along which lines run */
  hlo_convolution_dim last; /* that dimension, of one point if there is none */
  const char *in, *kernel;
  char *out;
  const hlo_epilogue *epilogue; /* or NULL */
  bool counts_padding; /* some weight is not finite */
  int64_t lines;       /* lines in an image */
  int64_t share;       /* lines in a unit of work */
} depthwise;

/* Adds a run of taps to consecutive windows, the first of which is at `out`; the first run is written instead. */
static void sum_run(const depthwise *d, run_of_taps *run, int windows, bool add, char *out) {
  const hlo_convolution *c = d->convolution;
  const sums_of_type *sums = &sums_of_types[c->type];
  ptrdiff_t step = (ptrdiff_t)(d->last.stride * d->last.in_stride), bytes = step * hlo_dot_bytes(c->type);
  if (has_contiguous_features(c)) {
    for (int t = 0; t < run->count; t++)
      run->begins_row[t] = t + 2 < run->count && run->in[t + 1] - run->in[t] == bytes && run->in[t + 2] - run->in[t + 1] == bytes;
    sums->features(run, (int)c->groups, windows, step, (ptrdiff_t)d->last.out_stride, add, out);
  } else {
    for (int64_t g = 0; g < c->groups; g++)
      sums->positions(run, (ptrdiff_t)(g * c->in_group_stride), (ptrdiff_t)(g * c->kernel_group_stride), windows, step, add,
                      out + g * c->out_group_stride * hlo_dot_bytes(c->type));
  }
  run->count = 0;
}

/* Computes what one feature of the input gives to consecutive windows of a line, from its window x on, which is at `coordinates`: at each tap, all of them read the
 * input, or all read padding. With `add`, it is added to `out`. */
static void sum_windows(const depthwise *d, int64_t x, const int64_t *coordinates, int windows, const char *in, const char *kernel, bool add, char *out) {
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  const hlo_convolution_dim *last = &d->last;
  int bytes = hlo_dot_bytes(d->convolution->type);
  run_of_taps run;
  run.count = 0;
  for (int64_t t = 0; t < d->outer.taps; t++, hlo_convolution_next_tap(&d->outer, tap)) {
    int64_t line = hlo_convolution_in_offset(&d->outer, coordinates, tap), weights = hlo_convolution_kernel_offset(&d->outer, tap);
    int64_t place = x * last->stride - last->padding_low;
    for (int64_t w = 0; w < last->window && line >= 0; w++, place += last->window_dilation, weights += last->kernel_stride) {
      int64_t point = last->base_dilation == 1 ? place : place % last->base_dilation ? -1 : place / last->base_dilation;
      if (point < 0 || point >= last->in_size) continue;
      if (run.count == RUN) sum_run(d, &run, windows, add, out), add = true;
      run.in[run.count] = in + (line + point * last->in_stride) * bytes;
      run.weights[run.count++] = kernel + weights * bytes;
    }
  }
  if (run.count > 0 || !add) sum_run(d, &run, windows, add, out);
  if (d->counts_padding) sums_of_types[d->convolution->type].padding(d->convolution, coordinates, windows, kernel, (ptrdiff_t)last->out_stride, out);
}

static void sum_lines(void *context, int64_t unit, int thread) {
  const depthwise *d = context;
  const hlo_convolution *c = d->convolution;
  int64_t coordinates[HLO_CONVOLUTION_MAX_SPATIAL], first, end, bytes = hlo_dot_bytes(c->type);
  find_inner(&d->last, &first, &end);
  for (int64_t n = unit * d->share; n < (unit + 1) * d->share && n < d->lines * c->batch; n++) {
    const char *in = d->in + n / d->lines * c->in_batch_stride * bytes;
    hlo_convolution_position(c, n % d->lines * d->last.out_size, coordinates);
    int64_t offset = n / d->lines * c->out_batch_stride + hlo_convolution_out_offset(c, coordinates);
    for (int64_t x = 0, count; x < d->last.out_size; x += count) {
      if (c->spatial_rank > 0) coordinates[c->spatial_rank - 1] = x;
      count = x >= first && x < end ? end - x : 1;
      char *out = d->out + (offset + x * d->last.out_stride) * bytes;
      for (int64_t f = 0; f < c->in_features; f++)
        sum_windows(d, x, coordinates, (int)count, in + f * c->in_feature_stride * bytes, d->kernel + f * c->kernel_in_stride * bytes, f > 0, out);
      if (c->in_features == 0) sum_run(d, &(run_of_taps){0}, (int)count, false, out);
    }
    if (!d->epilogue) continue;
    if (has_contiguous_features(c)) d->epilogue->run(d->epilogue, offset, d->last.out_size, d->last.out_stride, c->groups, thread);
    else d->epilogue->run(d->epilogue, offset, c->groups, c->out_group_stride, d->last.out_size, thread);
  }
}

int64_t hlo_depthwise_epilogue_width(const hlo_convolution *c) {
  return has_contiguous_features(c) ? c->groups : c->dims[c->spatial_rank - 1].out_size;
}

void hlo_depthwise_simd128(const hlo_convolution *c, const void *in, const void *kernel, void *out, const hlo_epilogue *epilogue, hlo_team *team) {
  assert(hlo_convolution_is_depthwise(c));
  if (c->positions == 0) return;
  depthwise d = {.convolution = c, .in = in, .kernel = kernel, .out = out, .epilogue = epilogue};
  for (int64_t f = 0; f < c->in_features && sums_of_types[c->type].are_finite; f++)
    d.counts_padding |= !sums_of_types[c->type].are_finite(c, d.kernel + f * c->kernel_in_stride * hlo_dot_bytes(c->type));
  d.last = (hlo_convolution_dim){.in_size = 1, .window = 1, .out_size = 1, .stride = 1, .base_dilation = 1};
  d.outer = *c;
  if (c->spatial_rank) d.last = c->dims[--d.outer.spatial_rank];
  d.outer.taps = d.last.window ? c->taps / d.last.window : 0;
  d.lines = c->positions / d.last.out_size;
  double nanoseconds = (double)c->batch * (double)c->positions * (double)c->groups * (double)(c->taps * c->in_features) / 8;
  d.share = hlo_team_share(team, d.lines * c->batch, 1, nanoseconds);
  hlo_team_run(team, hlo_ceil_div(d.lines * c->batch, d.share), nanoseconds, sum_lines, &d);
}
