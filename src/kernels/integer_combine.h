/* Combining a few integers of any size: to call the kernel of the operation, which widens those of 8 and 16 bits, would take longer. */
#ifndef HLO_KERNELS_INTEGER_COMBINE_H
#define HLO_KERNELS_INTEGER_COMBINE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum hlo_integer_op {
  HLO_INTEGER_SECOND, /* the second number: no operation on both */
  HLO_INTEGER_ADD,
  HLO_INTEGER_MULTIPLY,
  HLO_INTEGER_MAXIMUM,
  HLO_INTEGER_MINIMUM,
  HLO_INTEGER_AND,
  HLO_INTEGER_OR,
  HLO_INTEGER_XOR
} hlo_integer_op;

typedef struct hlo_integer_combine {
  hlo_integer_op op;
  int bytes; /* of a number: 1, 2, 4 or 8 */
  bool is_signed;
} hlo_integer_combine;

/* Returns whether so many numbers are a few. */
static inline bool hlo_integers_are_few(const hlo_integer_combine *how, int64_t count) { return count <= (how->bytes < 4 ? 16 : 2); }

/* out[i] = a[i] op b[i], wrapped. `out` may be a or b. Never fails. */
void hlo_integers_combine(const hlo_integer_combine *how, const char *a, const char *b, char *out, int64_t count);

#endif
