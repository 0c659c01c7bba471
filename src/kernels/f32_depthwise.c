/* Depthwise convolution: every feature has its own window of weights, so features are the vector. */
#include <assert.h>

#include "kernels/f32_convolution.h"
#include "kernels/simd128.h"

enum { RUN = 32 }; /* taps that are found once for all features, and summed in one run */

bool hlo_f32_convolution_is_depthwise(const hlo_f32_convolution *c) {
  return c->in_features == 1 && c->out_features == 1 && c->in_group_stride == 1 && c->kernel_group_stride == 1 &&
         c->out_group_stride == 1 && c->groups >= 4;
}

typedef struct run_of_taps {
  int count;
  const float *in[RUN], *weights[RUN];
} run_of_taps;

static void add_run(const run_of_taps *run, int64_t features, bool add, float *out) {
  int64_t f = 0;
  for (; f + 4 <= features; f += 4) {
    v128_t sum = wasm_f32x4_splat(0);
    for (int t = 0; t < run->count; t++)
      sum = wasm_f32x4_add(sum, wasm_f32x4_mul(wasm_v128_load(run->in[t] + f), wasm_v128_load(run->weights[t] + f)));
    wasm_v128_store(out + f, add ? wasm_f32x4_add(wasm_v128_load(out + f), sum) : sum);
  }
  for (; f < features; f++) {
    float sum = 0;
    for (int t = 0; t < run->count; t++) sum += run->in[t][f] * run->weights[t][f];
    out[f] = add ? out[f] + sum : sum;
  }
}

static void window(const hlo_f32_convolution *c, const int64_t *coordinates, const float *in, const float *kernel, float *out) {
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  run_of_taps run = {0};
  bool add = false;
  for (int64_t t = 0; t < c->taps; t++, hlo_f32_convolution_next_tap(c, tap)) {
    int64_t place = hlo_f32_convolution_in_offset(c, coordinates, tap);
    if (place < 0) continue;
    if (run.count == RUN) {
      add_run(&run, c->groups, add, out);
      add = true;
      run.count = 0;
    }
    run.in[run.count] = in + place;
    run.weights[run.count++] = kernel + hlo_f32_convolution_kernel_offset(c, tap);
  }
  add_run(&run, c->groups, add, out);
}

void hlo_f32_depthwise_simd128(const hlo_f32_convolution *convolution, const float *in, const float *kernel, float *out,
                               void *scratch) {
  const hlo_f32_convolution *c = convolution;
  assert(hlo_f32_convolution_is_depthwise(c));
  int64_t coordinates[HLO_CONVOLUTION_MAX_SPATIAL];
  for (int64_t b = 0; b < c->batch; b++)
    for (int64_t p = 0; p < c->positions; p++) {
      hlo_f32_convolution_position(c, p, coordinates);
      window(c, coordinates, in + b * c->in_batch_stride, kernel,
             out + b * c->out_batch_stride + hlo_f32_convolution_out_offset(c, coordinates));
    }
}
