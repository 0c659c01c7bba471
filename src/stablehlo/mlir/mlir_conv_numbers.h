/* The dimension numbers of a convolution: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]. */
#ifndef HLO_STABLEHLO_MLIR_MLIR_CONV_NUMBERS_H
#define HLO_STABLEHLO_MLIR_MLIR_CONV_NUMBERS_H

#include "base/text_reader.h"
#include "shape/layout.h"
#include "stablehlo/mlir/mlir.h"

typedef struct hlo_mlir_conv_dims {
  int64_t batch, feature; /* of the kernel: output feature and input feature */
  int64_t spatial[HLO_MAX_RANK];
  int spatial_count;
} hlo_mlir_conv_dims;

typedef struct hlo_mlir_conv_numbers {
  hlo_mlir_conv_dims input, kernel, output;
} hlo_mlir_conv_numbers;

/* Returns what is wrong with a text that starts with such numbers, and its place in `where`; NULL if nothing is. */
const char *hlo_mlir_conv_problem(hlo_span text, const char **where);
/* Returns false if the attribute is of another kind or malformed. */
bool hlo_mlir_conv_read(const hlo_mlir_attribute *attribute, hlo_mlir_conv_numbers *numbers);

#endif
