/* Combining a few numbers by their bits: integers of any size, and floats by maximum or minimum, since magnitudes of most floats are ordered as their bits are
 * (hlo_bits_combine_of, loops/scalar_ops.h, says of which). To call the kernel of the operation, which widens those of 8 and 16 bits, would take longer. */
#ifndef HLO_KERNELS_BITS_COMBINE_H
#define HLO_KERNELS_BITS_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hlo_bits_op {
  HLO_BITS_SECOND, /* the second number: no operation on both */
  HLO_BITS_ADD,
  HLO_BITS_MULTIPLY,
  HLO_BITS_MAXIMUM, /* of floats, as the minimum: NaN where either is */
  HLO_BITS_MINIMUM,
  HLO_BITS_AND,
  HLO_BITS_OR,
  HLO_BITS_XOR
} hlo_bits_op;

typedef struct hlo_bits_combine {
  hlo_bits_op op;
  int bytes; /* of a number: 1, 2, 4 or 8 */
  bool is_signed;
  uint64_t greatest; /* the bits of the greatest float that there is, infinity too; 0: they are integers */
} hlo_bits_combine;

/* Returns whether so many numbers are combined faster than by the kernel: a few, or any of 16 bits of which vectors are compared. */
static inline bool hlo_bits_are_fast(const hlo_bits_combine *how, int64_t count) { return count <= (how->bytes < 4 ? 16 : 2) || (how->bytes == 2 && how->greatest); }

/* out[i] = a[i] op b[i], wrapped. `out` may be a or b. Never fails. */
void hlo_combine_bits(const hlo_bits_combine *how, const char *a, const char *b, char *out, int64_t count);
/* The same for one number at each of some places of an array, one after another, with numbers that are `apart` bytes apart. Places are bytes from the
 * array's begin; negative ones are passed over. */
void hlo_combine_bits_at(const hlo_bits_combine *how, char *array, const ptrdiff_t *places, int count, const char *b, ptrdiff_t apart);

#endif
