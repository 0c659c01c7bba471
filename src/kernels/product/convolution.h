/* Convolutions of any order of dimensions, which strides describe, as matrix products (kernels/product/product.h): windows are
 * gathered as panels are packed, so that no array of windows is ever made. */
#ifndef HLO_KERNELS_PRODUCT_CONVOLUTION_H
#define HLO_KERNELS_PRODUCT_CONVOLUTION_H

#include "base/team.h"
#include "kernels/product/dot.h"
#include "kernels/product/epilogue.h"
#include "kernels/product/narrow_matrix.h"

enum { HLO_CONVOLUTION_MAX_SPATIAL = 6 };

/* One spatial dimension. in_stride, kernel_stride and out_stride are in elements of the arrays. */
typedef struct hlo_convolution_dim {
  int64_t in_size, window, out_size;
  int64_t stride, padding_low, base_dilation, window_dilation; /* padding_low may be negative */
  int64_t in_stride, kernel_stride, out_stride;                /* kernel_stride < 0 where the window is reversed */
} hlo_convolution_dim;

/* Each group has its own batch entries, features and kernels, which lie group strides apart; feature groups and batch groups differ in
 * nothing but these strides. Counts are per group, strides in elements. */
typedef struct hlo_convolution {
  hlo_dot_type type; /* of the elements of all three arrays; of HLO_DOT_S32, sums wrap; of HLO_DOT_S16_PAIRS and HLO_DOT_S8_QUADS, features are pairs or quads, and the output is s32 */
  uint32_t padding;   /* of quads: what windows read outside the input; else 0 */
  int64_t row_factor; /* see hlo_product */
  int64_t groups, batch, in_features, out_features;
  int64_t in_group_stride, in_batch_stride, in_feature_stride;
  int64_t kernel_group_stride, kernel_in_stride, kernel_out_stride;
  int64_t kernel_offset; /* of tap 0 in the kernel; not 0 where a window is reversed */
  int64_t out_group_stride, out_batch_stride, out_feature_stride;
  int64_t taps;      /* points of a window: the product of all `window` */
  int64_t positions; /* windows of an image: the product of all `out_size` */
  int spatial_rank;
  hlo_convolution_dim dims[HLO_CONVOLUTION_MAX_SPATIAL];
} hlo_convolution;

/* A constant kernel is packed once, at compile time. Returns the bytes that it takes packed; 0: it is better read as it is. The
 * depthwise kernel reads no packed kernels. */
size_t hlo_convolution_packed_bytes(const hlo_convolution *convolution);
void hlo_convolution_pack(const hlo_convolution *convolution, const float *kernel, void *packed);
/* Returns the convolution as far as packing depends on it, with all else set to one value. Requires hlo_convolution_packed_bytes. */
hlo_convolution hlo_convolution_kernel_of(const hlo_convolution *convolution);

/* Returns the size of the scratch for a team of at most so many threads. `packed`: as below. */
size_t hlo_convolution_scratch_bytes(const hlo_convolution *convolution, bool packed, int threads);
/* `packed` says that `kernel` is what hlo_convolution_pack wrote; the result has the same bits. Arrays do not overlap; scratch has
 * hlo_convolution_scratch_bytes, 16-byte aligned. The epilogue may be NULL; another requires hlo_convolution_epilogue_width > 0.
 * Arrays of other types are passed as if they were of floats: what touches their elements as floats only moves them.
 * Never fails, never allocates. */
void hlo_convolution_simd128(const hlo_convolution *convolution, const float *in, const void *kernel, bool packed, float *out,
                                 void *scratch, const hlo_epilogue *epilogue, hlo_team *team);
/* The same of f32 with a narrow kernel, whose columns are the output features of all groups; its rows are taps and, innermost, input
 * features or, where hlo_convolution_has_columns, input features and, innermost, taps. */
size_t hlo_convolution_narrow_scratch_bytes(const hlo_convolution *convolution, int threads);
void hlo_convolution_narrow(const hlo_convolution *convolution, const float *in, const hlo_narrow_matrix *kernel, float *out, void *scratch,
                            const hlo_epilogue *epilogue, hlo_team *team);
/* Returns whether positions are the columns of products. Of a narrow kernel, elements of an output feature must then be contiguous. */
bool hlo_convolution_has_columns(const hlo_convolution *convolution);
/* The width of the rows in which an epilogue sees the output, in elements; 0: nothing is contiguous, no epilogue can run. */
int64_t hlo_convolution_epilogue_width(const hlo_convolution *convolution);
/* The definition, for tests: f32 alone, each sum in double. */
void hlo_f32_convolution_scalar(const hlo_convolution *convolution, const float *in, const float *kernel, float *out);

/* ---- Depthwise ---- */

/* Returns whether the depthwise kernel takes a convolution: one feature out for each group; and either groups are contiguous in all
 * three arrays (its vectors are of groups), or the last spatial dimension is contiguous in the input and the output (its vectors are of
 * positions), and has several positions or there is one feature in. */
bool hlo_convolution_is_depthwise(const hlo_convolution *convolution);
/* The width of the rows in which an epilogue sees the output of the depthwise kernel, in elements. */
int64_t hlo_depthwise_epilogue_width(const hlo_convolution *convolution);
/* Arrays do not overlap; the epilogue may be NULL. Requires hlo_convolution_is_depthwise. Never fails, never allocates. */
void hlo_depthwise_simd128(const hlo_convolution *convolution, const void *in, const void *kernel, void *out, const hlo_epilogue *epilogue, hlo_team *team);

/* ---- For all kernels: positions, taps and offsets ---- */

/* Splits position number `position` into its spatial coordinates, the last one fastest. */
void hlo_convolution_position(const hlo_convolution *convolution, int64_t position, int64_t *coordinates);
/* Returns the offset of that position in its image of the output. */
int64_t hlo_convolution_out_offset(const hlo_convolution *convolution, const int64_t *coordinates);
/* Returns the offset of tap `tap` in the kernel. */
int64_t hlo_convolution_kernel_offset(const hlo_convolution *convolution, const int64_t *tap);
/* Returns the offset in the input that tap `tap` of the window at `coordinates` reads, or -1 where it reads padding or a hole
 * of the base dilation. */
int64_t hlo_convolution_in_offset(const hlo_convolution *convolution, const int64_t *coordinates, const int64_t *tap);
/* Goes on to the next tap, the last dimension fastest; after the last tap, to the first. */
void hlo_convolution_next_tap(const hlo_convolution *convolution, int64_t *tap);

#endif
