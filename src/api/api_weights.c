/* Weights for JavaScript, which writes their bytes as they arrive. */
#include "api/api.h"
#include "base/sha256.h"
#include "base/status.h"
#include "shape/shape.h"
#include "shape/weight.h"

HLO_API(hlo_weight *, hlo_api_weight_new)(hlo_runtime *runtime, const hlo_api_shape *shape) {
  hlo_api_begin(runtime);
  return hlo_weight_make(shape->shape, &runtime->weights, &runtime->status);
}

HLO_API(hlo_weight *, hlo_api_weight_keep)(hlo_weight *weight) { return hlo_weight_keep(weight); }
HLO_API(void, hlo_api_weight_free)(hlo_weight *weight) { hlo_weight_release(weight); }
HLO_API(void *, hlo_api_weight_data)(hlo_weight *weight) { return hlo_weight_data(weight); }
HLO_API(void, hlo_api_weight_loaded)(hlo_weight *weight) { hlo_weight_clear_unused_bits(weight); }

HLO_API(bool, hlo_api_weight_read)(hlo_runtime *runtime, hlo_weight *weight, void *elements) {
  hlo_api_begin(runtime);
  return hlo_weight_read(weight, elements, &runtime->status);
}

HLO_API(void, hlo_api_sha256_begin)(hlo_sha256 *sum) { hlo_sha256_begin(sum); }
HLO_API(void, hlo_api_sha256_add)(hlo_sha256 *sum, const void *bytes, size_t length) { hlo_sha256_add(sum, bytes, length); }
HLO_API(void, hlo_api_sha256_end)(hlo_sha256 *sum, uint8_t *digest) { hlo_sha256_end(sum, digest); }
