/* Offsets of windows, taps and results; and the convolution as its definition reads. What windows read is computed here apart from
 * convolution.c, so that the scalar twin finds mistakes there. */
#include <assert.h>

#include "kernels/product/convolution.h"

void hlo_convolution_position(const hlo_convolution *convolution, int64_t position, int64_t *coordinates) {
  for (int d = convolution->spatial_rank - 1; d >= 0; d--) {
    coordinates[d] = position % convolution->dims[d].out_size;
    position /= convolution->dims[d].out_size;
  }
}

int64_t hlo_convolution_out_offset(const hlo_convolution *convolution, const int64_t *coordinates) {
  int64_t offset = 0;
  for (int d = 0; d < convolution->spatial_rank; d++) offset += coordinates[d] * convolution->dims[d].out_stride;
  return offset;
}

int64_t hlo_convolution_kernel_offset(const hlo_convolution *convolution, const int64_t *tap) {
  int64_t offset = convolution->kernel_offset;
  for (int d = 0; d < convolution->spatial_rank; d++) offset += tap[d] * convolution->dims[d].kernel_stride;
  return offset;
}

int64_t hlo_convolution_in_offset(const hlo_convolution *convolution, const int64_t *coordinates, const int64_t *tap) {
  int64_t offset = 0;
  for (int d = 0; d < convolution->spatial_rank; d++) {
    const hlo_convolution_dim *dim = &convolution->dims[d];
    int64_t place = coordinates[d] * dim->stride + tap[d] * dim->window_dilation - dim->padding_low;
    if (dim->base_dilation != 1) {
      if (place < 0 || place % dim->base_dilation) return -1;
      place /= dim->base_dilation;
    }
    if (place < 0 || place >= dim->in_size) return -1;
    offset += place * dim->in_stride;
  }
  return offset;
}

void hlo_convolution_next_tap(const hlo_convolution *convolution, int64_t *tap) {
  for (int d = convolution->spatial_rank - 1; d >= 0; d--) {
    if (++tap[d] < convolution->dims[d].window) return;
    tap[d] = 0;
  }
}

/* Returns one element of the output, summed in double. */
static float window_sum(const hlo_convolution *convolution, const int64_t *coordinates, const float *in, const float *kernel) {
  double sum = 0;
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  for (int64_t t = 0; t < convolution->taps; t++, hlo_convolution_next_tap(convolution, tap)) {
    int64_t place = hlo_convolution_in_offset(convolution, coordinates, tap);
    const float *weights = kernel + hlo_convolution_kernel_offset(convolution, tap);
    for (int64_t i = 0; i < convolution->in_features; i++) {
      double element = place < 0 ? 0 : (double)in[place + i * convolution->in_feature_stride];
      sum += element * weights[i * convolution->kernel_in_stride];
    }
  }
  return (float)sum;
}

void hlo_f32_convolution_scalar(const hlo_convolution *convolution, const float *in, const float *kernel, float *out) {
  const hlo_convolution *c = convolution;
  assert(c->spatial_rank <= HLO_CONVOLUTION_MAX_SPATIAL);
  int64_t coordinates[HLO_CONVOLUTION_MAX_SPATIAL];
  for (int64_t g = 0; g < c->groups; g++)
    for (int64_t b = 0; b < c->batch; b++)
      for (int64_t p = 0; p < c->positions; p++)
        for (int64_t o = 0; o < c->out_features; o++) {
          hlo_convolution_position(c, p, coordinates);
          int64_t place = g * c->out_group_stride + b * c->out_batch_stride + o * c->out_feature_stride +
                          hlo_convolution_out_offset(c, coordinates);
          out[place] = window_sum(c, coordinates, in + g * c->in_group_stride + b * c->in_batch_stride,
                                  kernel + g * c->kernel_group_stride + o * c->kernel_out_stride);
        }
}
