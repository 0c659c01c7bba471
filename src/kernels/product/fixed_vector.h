/* Elements of a vector of f32 as integers of 32 bits, times a power of two for every 32 of them: their unit. The upper and the lower half of such
 * an integer are multiplied by weights of 8 bits or fewer as s16, for pairs of which there is one instruction, or its four digits of s8 by weights
 * of 4 bits, for sixteen of which there is one on some hosts; sums of integers are exact.
 * An element that is much smaller than the largest of its unit would lose digits: such a unit is wide. It is multiplied as the sum of two units or more,
 * of which each has what the ones before left.
 * Three digits are enough for a unit in which no element is much larger than the others, where its sum is rounded by parts of the largest element anyway. */
#ifndef HLO_KERNELS_PRODUCT_FIXED_VECTOR_H
#define HLO_KERNELS_PRODUCT_FIXED_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { HLO_FIXED_UNIT = 32, HLO_FIXED_HALF = 16, HLO_FIXED_DIGITS = 4 };

/* Returns how much of itself an element may be off, in a sum of k terms. */
float hlo_fixed_allowance(int64_t k);
static inline int16_t hlo_fixed_lower(int32_t made) { return (int16_t)made; }
static inline int16_t hlo_fixed_upper(int32_t made) { return (int16_t)((made - (int16_t)made) >> HLO_FIXED_HALF); }

/* Integers of a unit, in the form that a kernel reads. What they leave of their elements, the next pass has.
 * A pass takes few cache lines, since every thread fetches them from the cache of the thread that wrote them. */
typedef struct hlo_fixed_pass {
  union {
    int8_t digits[HLO_FIXED_UNIT][4];   /* of every eight rows [digit][rows 0, 2, 4, 6][digit][rows 1, 3, 5, 7]: digit 0 counts 2^24, digit 3 counts 1 */
    int16_t halves[HLO_FIXED_UNIT * 2]; /* of every eight rows [row 0, row 4][of upper halves, of lower halves], then of rows 1 and 5, ... */
    int8_t digits_by_sixteen[HLO_FIXED_UNIT / 16][HLO_FIXED_DIGITS][16]; /* of every sixteen rows */
    int16_t halves_by_eight[HLO_FIXED_UNIT / 8][2][8];                   /* of every eight rows, upper and lower halves */
  };
  int32_t first[2];       /* what the sums of the upper and of the lower two digits begin with */
  float upper_unit, unit; /* of the upper and of the lower two digits */
  float sum;              /* of the elements */
  int32_t goes_on;        /* the next pass has the same rows */
  int32_t is_short;       /* digit 0 is zero */
} hlo_fixed_pass;

/* Writes integers in a form. An integer is less than 127 * 2^24, so that both its halves of s16 and its HLO_FIXED_DIGITS of s8 hold it.
 * bias: what is added to every weight, for which `first` makes up. */
typedef void hlo_fixed_form(const int32_t *made, int count, int bias, hlo_fixed_pass *pass);

/* Makes the passes of `count` <= HLO_FIXED_UNIT elements, a multiple of 4, and returns the end of them; NULL: there is no room for them before `end`, or some
 * elements are too large, or not finite. `sum` is left as it is.
 *
 * allowance     of hlo_fixed_allowance
 * may_be_short  three digits do where no element is larger than a quarter of the sum of all sizes: none is off by more than 2^-23 of the largest */
hlo_fixed_pass *hlo_fixed_passes(const float *elements, int count, float allowance, bool may_be_short, hlo_fixed_form *form, int bias, hlo_fixed_pass *pass, const hlo_fixed_pass *end);

#endif
