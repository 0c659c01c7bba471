/* Windows that slide: their attributes, and how many of them fit. */
#include "base/checked.h"
#include "stablehlo/constraints/constraints.h"

static bool check_factors(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int rank) {
  return !list->attribute || (hlo_check_size(c, label, name, list, rank) && hlo_check_least(c, label, name, list, 1));
}

bool hlo_check_window_valid(const hlo_check *c, const hlo_check_window *w) {
  const hlo_check_list *padding = &w->padding;
  if (!check_factors(c, w->size_label, "window_dimensions", &w->sizes, w->rank) ||
      !check_factors(c, w->stride_label, "window_strides", &w->strides, w->rank) ||
      !check_factors(c, w->base_label, "base dilations", &w->base_dilations, w->rank) ||
      !check_factors(c, w->dilation_label, "window dilations", &w->dilations, w->rank))
    return false;
  bool shaped = padding->rank == 2 && padding->dims[0] == w->rank && padding->dims[1] == 2;
  if (!padding->attribute || shaped || (w->rank == 0 && padding->count == 0)) return true;
  return hlo_check_fail(c, "%s: padding must have shape [%d, 2], got rank %d, [%lld, %lld]", w->padding_label, w->rank,
                        padding->rank, (long long)padding->dims[0], (long long)padding->dims[1]);
}

static int64_t factor(const hlo_check_list *list, int i) { return list->attribute ? hlo_check_at(list, i) : 1; }

/* Elements `by` apart; -1 when that is beyond all numbers. */
static int64_t dilated(int64_t size, int64_t by) {
  int64_t product;
  if (size <= 0) return 0;
  return hlo_checked_mul(size - 1, by, &product) && hlo_checked_add(product, 1, &product) ? product : -1;
}

void hlo_check_window_push(hlo_check_dims *dims, const hlo_check_window *w, const hlo_shape *shape, int dimension, int i, int64_t window) {
  int64_t padded;
  hlo_check_push_dim(dims, shape, dimension);
  int last = dims->rank - 1;
  if (dims->kinds[last] == HLO_DIM_UNBOUNDED || window == HLO_UNKNOWN_SIZE) {
    hlo_check_set(dims, last, HLO_DIM_UNBOUNDED, 0);
    return;
  }
  int64_t extent = dilated(window, factor(&w->dilations, i)), low = 0, high = 0;
  if (w->padding.attribute && w->padding.count) low = hlo_check_at(&w->padding, 2 * i), high = hlo_check_at(&w->padding, 2 * i + 1);
  bool fits = hlo_checked_add(dilated(shape->dims[dimension], factor(&w->base_dilations, i)), low, &padded) && hlo_checked_add(padded, high, &padded);
  bool none = !fits || extent < 0 || padded <= 0 || extent > padded;
  hlo_check_set(dims, last, (hlo_dim_kind)dims->kinds[last], none ? 0 : (padded - extent) / factor(&w->strides, i) + 1);
}
