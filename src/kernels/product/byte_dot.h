/* A dot of s8 or u8 into 32 bits. Both operands become rows of s16 first, so that one instruction multiplies and adds pairs of them.
 *
 * operands  lhs and rhs, or lhs alone where rhs is a packed constant; dense and row-major
 * result    s32 or u32 in the order batch, rows, columns; dense; overlaps no operand
 * scratch   [bytes of one operand in the order batch, free, contracting][pairs of lhs][pairs of rhs][scratch of the product],
 *           64-byte aligned
 * Sums wrap. Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_BYTE_DOT_H
#define HLO_KERNELS_PRODUCT_BYTE_DOT_H

#include "base/team.h"
#include "kernels/move/strided_copy.h"
#include "kernels/product/dot.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_byte_dot_operand {
  bool is_signed;
  bool copied; /* the operand is not in the order batch, free, contracting: it is copied before its pairs are made */
  bool interleaves; /* the operand is in the order batch, contracting, free: so are its pairs, and nothing is copied */
  hlo_strided_map copy;
  int64_t batch, free;  /* how many elements these dimensions have together */
  int64_t k;            /* bytes that are contracted; where it is odd, the last pairs have a zero */
  int64_t pairs_offset; /* of the pairs in the scratch, in bytes */
} hlo_byte_dot_operand;

typedef struct hlo_byte_dot {
  hlo_byte_dot_operand operands[2]; /* lhs, rhs */
  int64_t k;                        /* of both operands */
  hlo_dot dot;                      /* one product of the batch; elements of both operands are pairs */
  const hlo_packed *packed;         /* a constant rhs, as hlo_dot_pack_rhs wrote its pairs; else NULL */
  int64_t product_offset;           /* of the product's scratch in the scratch, in bytes */
  int64_t rhs_k_stride, rhs_n_stride; /* of a rhs that is read as it lies, by few rows: one of them is 1; else both are 0 */
} hlo_byte_dot;

/* Returns whether an operand that would be copied may be interleaved instead. */
bool hlo_byte_dot_interleaves(const hlo_byte_dot_operand *operand);
/* Writes the pairs of one operand: batch * free rows of (k + 1) / 2 pairs or, interleaved, batch * (k + 1) / 2 rows of `free`. `bytes` has room
 * for a copy of the operand. */
void hlo_byte_dot_make_pairs(const hlo_byte_dot_operand *operand, const void *data, void *bytes, void *pairs);

enum { HLO_BYTE_ROWS = 16 };
/* Multiplies up to HLO_BYTE_ROWS rows of lhs, as hlo_byte_dot_make_pairs wrote them, by a rhs that is read as it lies. */
void hlo_byte_rows_dot(const hlo_byte_dot *dot, const int16_t *lhs, const void *rhs, int32_t *out, hlo_team *team);

/* Parameters: a hlo_byte_dot. */
hlo_shared_step_function hlo_byte_dot_run;

#endif
