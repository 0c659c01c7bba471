/* f32 convolutions of any dimension order, by strides: windows are gathered as panels are packed, so no array of
 * windows is ever made, and the dot micro-kernel does the rest. */
#ifndef HLO_KERNELS_F32_CONVOLUTION_H
#define HLO_KERNELS_F32_CONVOLUTION_H

#include "kernels/product.h"

enum { HLO_CONVOLUTION_MAX_SPATIAL = 6 };

/* One spatial dimension. Strides of arrays are in elements. */
typedef struct hlo_f32_convolution_dim {
  int64_t in_size, window, out_size;
  int64_t stride, padding_low, base_dilation, window_dilation; /* padding_low may be negative */
  int64_t in_stride, kernel_stride, out_stride;                /* kernel_stride < 0 where the window is reversed */
} hlo_f32_convolution_dim;

/* Each group has its own batch entries, features and kernels, found by the group strides; feature groups and batch
 * groups differ in nothing else. Counts are per group. */
typedef struct hlo_f32_convolution {
  bool is_s32; /* elements are s32, sums wrap: then simd128 and packing alone apply */
  int64_t groups, batch, in_features, out_features;
  int64_t in_group_stride, in_batch_stride, in_feature_stride;
  int64_t kernel_group_stride, kernel_in_stride, kernel_out_stride;
  int64_t kernel_offset; /* of tap 0: not 0 where a window is reversed */
  int64_t out_group_stride, out_batch_stride, out_feature_stride;
  int64_t taps, positions; /* products of the windows and of the output sizes */
  int spatial_rank;
  hlo_f32_convolution_dim dims[HLO_CONVOLUTION_MAX_SPATIAL];
} hlo_f32_convolution;

/* Constant weights are packed once, for runs that are then told so. Not for the depthwise kernel. */
size_t hlo_f32_convolution_packed_bytes(const hlo_f32_convolution *convolution);
void hlo_f32_convolution_pack(const hlo_f32_convolution *convolution, const float *kernel, void *packed);

size_t hlo_f32_convolution_scratch_bytes(const hlo_f32_convolution *convolution, bool packed, int threads);
/* Arrays do not overlap; scratch is 16-byte aligned. finish, NULL or asked of hlo_f32_convolution_finish_width, is told of parts of
 * the output. Never fail, never allocate. */
void hlo_f32_convolution_simd128(const hlo_f32_convolution *convolution, const float *in, const void *kernel, bool packed, float *out,
                                 void *scratch, const hlo_finish *finish, hlo_team *team);
/* How long the runs are in which parts of the output lie; 0: nothing is contiguous. */
int64_t hlo_f32_convolution_finish_width(const hlo_f32_convolution *convolution);
void hlo_f32_convolution_scalar(const hlo_f32_convolution *convolution, const float *in, const float *kernel, float *out);

/* One feature in and out a group; groups contiguous in all three arrays (vectors of groups), or the last dimension of the
 * input and of the output, read with stride 1 (vectors of positions). */
bool hlo_f32_convolution_is_depthwise(const hlo_f32_convolution *convolution);
void hlo_f32_depthwise_simd128(const hlo_f32_convolution *convolution, const float *in, const float *kernel, float *out, hlo_team *team);

/* ---- For both kernels: where things lie ---- */

/* Splits position number `position` into its spatial coordinates. */
void hlo_f32_convolution_position(const hlo_f32_convolution *convolution, int64_t position, int64_t *coordinates);
int64_t hlo_f32_convolution_out_offset(const hlo_f32_convolution *convolution, const int64_t *coordinates);
/* The offset of tap `tap` in the kernel. */
int64_t hlo_f32_convolution_kernel_offset(const hlo_f32_convolution *convolution, const int64_t *tap);
/* The offset in the input that tap `tap` of the window at `coordinates` reads, or -1 where it reads padding or a hole
 * of the base dilation. */
int64_t hlo_f32_convolution_in_offset(const hlo_f32_convolution *convolution, const int64_t *coordinates, const int64_t *tap);
/* The next tap, minor dimension first. */
void hlo_f32_convolution_next_tap(const hlo_f32_convolution *convolution, int64_t *tap);

#endif
