/* Rules for operations whose numbers are operands: as far as constants give them, before any shape is known. */
#include "base/checked.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"

/* Returns whether size + max(size - 1, 0) * interior + low + high is a size that memory could know, and sets it. */
static bool padded_size(int64_t size, int64_t low, int64_t high, int64_t interior, int64_t *padded) {
  return hlo_checked_mul(size > 1 ? size - 1 : 0, interior, padded) && hlo_checked_add(*padded, size, padded) &&
         hlo_checked_add(*padded, low, padded) && hlo_checked_add(*padded, high, padded) && *padded >= 0;
}

/* Checks dynamic_pad_c1, c3 and c4. */
bool hlo_check_dynamic_pad(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  const hlo_literal *low = hlo_check_known(c, 2), *high = hlo_check_known(c, 3), *interior = hlo_check_known(c, 4);
  if (operand->rank != result->rank) return hlo_check_fail(c, "the result must have as many dimensions as {0}, got {r}");
  for (int d = 0; d < operand->rank; d++) {
    int64_t padded, between = interior ? hlo_literal_int(interior, d) : 0;
    if (between < 0) return hlo_check_fail(c, "interior padding must not be negative, got %lld", (long long)between);
    if (!low || !high || !interior || hlo_shape_dim_kind(operand, d) != HLO_DIM_STATIC) continue;
    if (!padded_size(operand->dims[d], hlo_literal_int(low, d), hlo_literal_int(high, d), between, &padded))
      return hlo_check_fail(c, "dimension %d of {0} has no size once it is padded", d);
    if (hlo_shape_dim_kind(result, d) == HLO_DIM_STATIC && result->dims[d] != padded)
      return hlo_check_fail(c, "dimension %d of the result must be %lld, got {r}", d, (long long)padded);
  }
  return true;
}
