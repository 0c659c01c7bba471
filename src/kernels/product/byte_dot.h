/* A dot of s8 or u8 into 32 bits. Both operands become rows of quads first (kernels/product/byte_quads.h) or, where the host does not
 * multiply these or lhs is u8, rows of s16, so that one instruction multiplies and adds pairs of them.
 *
 * operands  lhs and rhs, or lhs alone where rhs is a packed constant; dense and row-major
 * result    s32 or u32 in the order batch, rows, columns; dense; overlaps no operand
 * scratch   [bytes of one operand in the order batch, free, contracting][elements of lhs][those of rhs][scratch of the product],
 *           64-byte aligned; elements are quads or pairs
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
  bool copied; /* the operand is not in the order batch, free, contracting: it is copied before its elements are made */
  bool interleaves; /* the operand is in the order batch, contracting, free: so are its elements, and nothing is copied */
  uint8_t flip;     /* 128: the greatest bits of a quad's bytes are flipped, which makes signed bytes unsigned ones that are 128 more, or the reverse; else 0 */
  int width;        /* bytes in an element of the product: 4, a quad, or 2, a pair */
  hlo_strided_map copy;
  int64_t batch, free;  /* how many elements these dimensions have together */
  int64_t k;            /* bytes that are contracted; the last element is filled up with zeros */
  int64_t offset;       /* of the elements in the scratch, in bytes */
} hlo_byte_dot_operand;

typedef struct hlo_byte_dot {
  hlo_byte_dot_operand operands[2]; /* lhs, rhs */
  int64_t k;                        /* of both operands */
  hlo_dot dot;                      /* one product of the batch */
  const hlo_packed *packed;         /* a constant rhs, as hlo_dot_pack_rhs wrote its elements; else NULL */
  int64_t product_offset;           /* of the product's scratch in the scratch, in bytes */
  int64_t rhs_k_stride, rhs_n_stride; /* of a rhs that is read as it lies, by few rows: one of them is 1; else both are 0 */
} hlo_byte_dot;

/* Returns whether an operand that would be copied may be interleaved instead. */
bool hlo_byte_dot_interleaves(const hlo_byte_dot_operand *operand);
/* Returns how many elements k bytes become. */
static inline int64_t hlo_byte_dot_length(const hlo_byte_dot_operand *operand) { return (operand->k + operand->width - 1) / operand->width; }
/* Returns the elements of one operand: batch * free rows of hlo_byte_dot_length elements or, interleaved, batch * hlo_byte_dot_length rows of
 * `free`. They are made in `elements`, unless they are the operand's bytes as these lie. `bytes` has room for a copy of the operand. */
const void *hlo_byte_dot_make(const hlo_byte_dot_operand *operand, const void *data, void *bytes, void *elements);
/* Returns what the product of such elements is, and the row_factor (hlo_product) that the flip of rhs takes. */
static inline hlo_dot_type hlo_byte_dot_type(const hlo_byte_dot_operand *operand) { return operand->width == 4 ? HLO_DOT_S8_QUADS : HLO_DOT_S16_PAIRS; }
static inline int hlo_byte_dot_row_factor(const hlo_byte_dot_operand *rhs) { return rhs->is_signed ? -rhs->flip : rhs->flip; }
enum { HLO_BYTE_QUADS_K = 32 }; /* so many bytes of k are worth the sums that quads need of rows */
/* Has both operands be quads, if the host multiplies these, lhs is signed, and `k` bytes are enough; else pairs. Returns whether they are quads. */
bool hlo_byte_dot_set_width(hlo_byte_dot_operand *lhs, hlo_byte_dot_operand *rhs, int64_t k);

enum { HLO_BYTE_ROWS = 16 };
/* Multiplies up to HLO_BYTE_ROWS rows of lhs, as hlo_byte_dot_make wrote pairs of them, by a rhs that is read as it lies. */
void hlo_byte_rows_dot(const hlo_byte_dot *dot, const int16_t *lhs, const void *rhs, int32_t *out, hlo_team *team);

/* Parameters: a hlo_byte_dot. */
hlo_shared_step_function hlo_byte_dot_run;

#endif
