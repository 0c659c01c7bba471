/* Combining a few numbers of any size as integers: to call the kernel of the operation, which widens those of 8 and 16 bits, would take longer. */
#ifndef HLO_KERNELS_INTEGER_COMBINE_H
#define HLO_KERNELS_INTEGER_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hlo_integer_op {
  HLO_INTEGER_SECOND, /* the second number: no operation on both */
  HLO_INTEGER_ADD,
  HLO_INTEGER_MULTIPLY,
  HLO_INTEGER_MAXIMUM, /* of integers and of floats, as is the minimum: NaN where either is */
  HLO_INTEGER_MINIMUM,
  HLO_INTEGER_AND,
  HLO_INTEGER_OR,
  HLO_INTEGER_XOR
} hlo_integer_op;

typedef struct hlo_integer_combine {
  hlo_integer_op op;
  int bytes; /* of a number: 1, 2, 4 or 8 */
  bool is_signed;
  uint64_t greatest; /* the bits of the greatest float that there is, infinity too; 0: they are integers */
} hlo_integer_combine;

/* Returns whether so many numbers are combined faster than by the kernel: a few, or any of 16 bits of which vectors are compared. */
static inline bool hlo_integers_are_fast(const hlo_integer_combine *how, int64_t count) { return count <= (how->bytes < 4 ? 16 : 2) || (how->bytes == 2 && how->greatest); }

/* out[i] = a[i] op b[i], wrapped. `out` may be a or b. Never fails. */
void hlo_integers_combine(const hlo_integer_combine *how, const char *a, const char *b, char *out, int64_t count);
/* The same for one number at each of some places of an array, one after another, with numbers that are `apart` bytes apart. Places are bytes from the
 * array's begin; negative ones are passed over. */
void hlo_integers_combine_at(const hlo_integer_combine *how, char *array, const ptrdiff_t *places, int count, const char *b, ptrdiff_t apart);

#endif
