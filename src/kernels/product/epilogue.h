/* Work that follows a product, done on each region of the result while it is still in the cache.
 *
 * A kernel that takes an epilogue calls it once for every region of its result, as soon as the region is complete and from the
 * thread that completed it. Regions do not overlap, and together they are the whole result. */
#ifndef HLO_KERNELS_PRODUCT_EPILOGUE_H
#define HLO_KERNELS_PRODUCT_EPILOGUE_H

#include "base/team.h"

/* A region is `rows` runs of `columns` contiguous elements, row_stride apart; the first run begins `offset` elements into the array.
 * Never fails, never allocates. Whoever makes an epilogue may embed this struct at the beginning of a larger one, to find its own
 * data by the pointer. */
typedef struct hlo_epilogue {
  void (*run)(const struct hlo_epilogue *epilogue, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread);
} hlo_epilogue;

/* The epilogue of an array, as seen by a product whose output is a part of that array. */
typedef struct hlo_epilogue_target {
  const hlo_epilogue *epilogue; /* NULL: none */
  int64_t offset;               /* where the output of the product begins in the array, in elements */
  int thread;                   /* the thread that runs the product, where each thread runs products of its own; else 0 */
} hlo_epilogue_target;

/* A hlo_shared_step_function (kernels/step_function.h) with an epilogue for its result, or NULL. */
typedef void hlo_epilogue_step_function(const void *parameters, const void *const *operands, void *result, void *scratch,
                                        const hlo_epilogue *epilogue, hlo_team *team);

#endif
