#include "kernels/product/batched_dot.h"

#include "base/checked.h"
#include "base/team.h"
#include "kernels/product/product.h"

const void *hlo_dot_operand_data(const hlo_dot_operand *operand, const void *data, void *scratch, hlo_team *team) {
  if (!operand->copied) return data;
  void *copy = (char *)scratch + operand->copy_offset;
  hlo_strided_copy_shared(&operand->copy, data, copy, team);
  return copy;
}

typedef struct batch {
  const hlo_batched_dot *parameters;
  const char *lhs, *rhs;
  char *out, *scratch;
  const hlo_epilogue *epilogue;
  hlo_team *team; /* that shares each product; NULL: a thread runs whole products, or parts */
  int64_t share;  /* products in a unit of work */
} batch;

static void run_products(void *context, int64_t unit, int thread) {
  const batch *all = context;
  const hlo_batched_dot *p = all->parameters;
  int bytes = hlo_dot_bytes(p->type);
  hlo_dot dot = p->dot;
  int64_t part = unit % p->parts, *side = hlo_dot_longer_side(&dot), left = *side - part * p->part;
  *side = left < p->part ? left : p->part;
  int64_t number = unit / p->parts * all->share, count = p->batch_count - number < all->share ? p->batch_count - number : all->share;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  const char *lhs = all->lhs + part * p->lhs_part * bytes, *rhs = all->rhs + part * p->rhs_part * bytes;
  int64_t offset = part * p->out_part + number * p->out_batch_stride;
  int64_t rest = number;
  for (int d = p->batch_rank - 1; d >= 0 && rest > 0; d--, rest /= p->batch_dims[d + 1]) {
    index[d] = rest % p->batch_dims[d];
    lhs += p->lhs.batch_strides[d] * index[d] * bytes;
    rhs += p->rhs.batch_strides[d] * index[d] * bytes;
  }
  for (int64_t end = number + count; number < end; number++, offset += p->out_batch_stride) {
    hlo_dot_simd128(&dot, p->type, lhs, rhs, p->packed != NULL, all->out + offset * bytes, hlo_team_scratch(all->scratch, (size_t)p->product_bytes, thread),
                    (hlo_epilogue_target){all->epilogue, offset, thread}, all->team);
    for (int d = p->batch_rank - 1; d >= 0; d--) {
      lhs += p->lhs.batch_strides[d] * bytes;
      rhs += p->rhs.batch_strides[d] * bytes;
      if (++index[d] < p->batch_dims[d]) break;
      lhs -= p->lhs.batch_strides[d] * p->batch_dims[d] * bytes;
      rhs -= p->rhs.batch_strides[d] * p->batch_dims[d] * bytes;
      index[d] = 0;
    }
  }
}

void hlo_batched_dot_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                       const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_batched_dot *p = parameters;
  batch all = {.parameters = p, .out = result, .scratch = scratch, .epilogue = epilogue, .team = team, .share = p->batch_count};
  all.lhs = hlo_dot_operand_data(&p->lhs, operands[0], scratch, team);
  all.rhs = p->packed ? p->packed->bytes : hlo_dot_operand_data(&p->rhs, operands[1], scratch, team);
  if (scratch) all.scratch += p->product_offset;
  if (p->batch_count == 0) return;
  double nanoseconds = (double)p->batch_count * hlo_product_nanoseconds(p->dot.m, p->dot.n, p->dot.k, hlo_dot_bytes(p->type));
  if (p->product_bytes > 0) {
    all.team = NULL;
    all.share = p->parts > 1 ? 1 : hlo_team_share(team, p->batch_count, 1, nanoseconds);
  }
  if (all.team) run_products(&all, 0, 0); /* which has units of its own */
  else hlo_team_run(team, hlo_ceil_div(p->batch_count, all.share) * p->parts, nanoseconds, run_products, &all);
}

void hlo_batched_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_batched_dot_run_with_epilogue(parameters, operands, result, scratch, NULL, team);
}
