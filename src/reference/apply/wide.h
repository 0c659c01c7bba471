/* Sums and sums of products: in order, or in wide numbers.
 *
 * A short sum is taken as the specification writes it: in order, every step rounded to the type of the result. A long
 * one is taken in wide numbers and rounded once: in double for floats up to f32; for f64 with compensation (Neumaier),
 * so that its error is also below that of pairwise summation. Complex types are summed likewise, part by part. Sums of
 * types narrower than f32 are always taken wide, except by windows and scatters.
 * A product that f32 cannot hold is infinite in wide sums of f32 and narrower types as well: kernels add products of f32, and
 * infinity less infinity is NaN in every order. Partial sums of finite terms are not so bounded: whether one of them leaves the
 * range of f32 depends on the order, which is open.
 * Integers are 64-bit words that wrap; pred is "or of and". */
#ifndef HLO_REFERENCE_APPLY_WIDE_H
#define HLO_REFERENCE_APPLY_WIDE_H

#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/origin.h"

typedef enum hlo_sum_way { HLO_SUM_PRED, HLO_SUM_INTEGER, HLO_SUM_IN_ORDER, HLO_SUM_WIDE } hlo_sum_way;

typedef struct hlo_arithmetic {
  hlo_sum_way way;
  hlo_type part;   /* the type itself; for complex types, the type of a part */
  bool is_complex;
} hlo_arithmetic;

/* The way of a sum of `terms` terms whose result has this type. `narrow`: types narrower than f32 may be taken in order. */
hlo_arithmetic hlo_arithmetic_of(hlo_type type, int64_t terms, bool narrow);

/* ---- Sums ---- */
typedef struct hlo_sum {
  double value, error; /* error: the sum of the rounding errors so far; 0 where it is not kept */
} hlo_sum;
static inline void hlo_sum_add(hlo_sum *sum, double x) {
  double total = sum->value + x;
  bool swap = __builtin_fabs(sum->value) < __builtin_fabs(x);
  double larger = swap ? x : sum->value, smaller = swap ? sum->value : x;
  sum->error += (larger - total) + smaller;
  sum->value = total;
}
/* Infinities, NaN and the sign of a zero are those of the plain sum. */
static inline double hlo_sum_total(hlo_sum sum) {
  return sum.error == 0 || !__builtin_isfinite(sum.value) ? sum.value : sum.value + sum.error;
}

typedef struct hlo_wide_sum {
  hlo_sum real, imaginary;
  uint64_t integer;
  hlo_origin origin;
} hlo_wide_sum;
/* A sum that begins with a value rather than with zero, so that -0 + -0 is -0. */
hlo_wide_sum hlo_wide_begin(hlo_arithmetic arithmetic, hlo_scalar value);
void hlo_wide_add(hlo_arithmetic arithmetic, hlo_wide_sum *sum, hlo_scalar value);
/* Returns the sum as a scalar that is not rounded or wrapped yet: hlo_scalar_store does that. */
hlo_scalar hlo_wide_total(hlo_arithmetic arithmetic, const hlo_wide_sum *sum);

/* ---- Arrays ---- */
typedef struct hlo_wide {
  hlo_arithmetic arithmetic;
  double *real, *imaginary; /* imaginary: complex only */
  uint64_t *integer;        /* pred and integers */
  hlo_origin_array origins;
} hlo_wide;

/* The elements of a literal with its dimensions in another order (order[0] outermost), in scratch memory. Places past
 * actual sizes hold zero. `type` is that of the sum to be taken: integers and pred are converted to it first; floats
 * are kept exact. */
bool hlo_wide_gather(hlo_evaluation *evaluation, const hlo_literal *literal, hlo_type type, int64_t terms,
                     const int64_t *order, hlo_wide *wide);

/* sum += a[a_at] * b[b_at] + a[a_at + 1] * b[b_at + 1] + ..., `count` products. */
void hlo_wide_dot(const hlo_wide *a, int64_t a_at, const hlo_wide *b, int64_t b_at, int64_t count, hlo_wide_sum *sum);

#endif
