/* Sums and products, in order or in wide numbers. */
#include "reference/apply/wide.h"

#include "base/arena.h"
#include "base/status.h"
#include "numbers/short_sum.h"
#include "shape/box.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"
#include "shape/strides.h"

hlo_arithmetic hlo_arithmetic_of(hlo_type type, int64_t terms, bool narrow) {
  hlo_arithmetic arithmetic = {.part = hlo_type_real_part(type), .is_complex = hlo_type_is_complex(type)};
  bool in_order = terms <= HLO_SHORT_SUM && (narrow || hlo_type_bits(arithmetic.part) >= 32);
  if (type == HLO_TYPE_PRED) arithmetic.way = HLO_SUM_PRED;
  else if (!hlo_type_is_float(arithmetic.part)) arithmetic.way = HLO_SUM_INTEGER;
  else arithmetic.way = in_order ? HLO_SUM_IN_ORDER : HLO_SUM_WIDE;
  return arithmetic;
}

static bool is_integer(hlo_arithmetic arithmetic) {
  return arithmetic.way == HLO_SUM_PRED || arithmetic.way == HLO_SUM_INTEGER;
}

/* Rounds to a float type. A sum or a product of two numbers of the type, computed in double, is rounded as if it had
 * been computed in the type: double has more than twice the digits. */
static inline double round_to(hlo_type type, double x) {
  if (type == HLO_TYPE_F32) return (float)x;
  return type == HLO_TYPE_F64 ? x : hlo_float_decode(type, hlo_float_encode(type, x));
}

static void add_part(hlo_arithmetic arithmetic, hlo_sum *sum, double x) {
  if (arithmetic.way == HLO_SUM_IN_ORDER) sum->value = round_to(arithmetic.part, sum->value + x);
  else if (arithmetic.part == HLO_TYPE_F64) hlo_sum_add(sum, x);
  else sum->value += x;
}

hlo_wide_sum hlo_wide_begin(hlo_arithmetic arithmetic, hlo_scalar value) {
  if (is_integer(arithmetic)) return (hlo_wide_sum){.integer = value.u, .origin = value.origin};
  return (hlo_wide_sum){.origin = value.origin, .real.value = value.f, .imaginary.value = arithmetic.is_complex ? value.im : 0};
}

void hlo_wide_add(hlo_arithmetic arithmetic, hlo_wide_sum *sum, hlo_scalar value) {
  sum->origin = hlo_origin_join(sum->origin, value.origin);
  if (arithmetic.way == HLO_SUM_PRED) sum->integer |= value.u;
  if (arithmetic.way == HLO_SUM_INTEGER) sum->integer += value.u;
  if (is_integer(arithmetic)) return;
  add_part(arithmetic, &sum->real, value.f);
  if (arithmetic.is_complex) add_part(arithmetic, &sum->imaginary, value.im);
}

hlo_scalar hlo_wide_total(hlo_arithmetic arithmetic, const hlo_wide_sum *sum) {
  if (is_integer(arithmetic)) return (hlo_scalar){.u = sum->integer, .origin = sum->origin};
  return (hlo_scalar){.f = hlo_sum_total(sum->real), .im = hlo_sum_total(sum->imaginary), .origin = sum->origin};
}

/* ---- Arrays ---- */

static void widen(hlo_wide *wide, int64_t at, hlo_type to, hlo_type from, hlo_scalar value) {
  if (!hlo_type_is_float(from) && !hlo_type_is_complex(from)) value = hlo_scalar_convert(to, from, value);
  hlo_origin_put(wide->origins, at, value.origin);
  if (is_integer(wide->arithmetic)) {
    wide->integer[at] = value.u;
    return;
  }
  wide->real[at] = value.f;
  if (wide->imaginary) wide->imaginary[at] = hlo_type_is_float(from) ? 0 : value.im;
}

static bool make_arrays(hlo_evaluation *evaluation, int64_t count, hlo_wide *wide) {
  if (is_integer(wide->arithmetic)) {
    wide->integer = hlo_arena_many(evaluation->scratch, uint64_t, count, evaluation->status);
  } else {
    wide->real = hlo_arena_many(evaluation->scratch, double, count, evaluation->status);
    if (wide->arithmetic.is_complex)
      wide->imaginary = hlo_arena_many(evaluation->scratch, double, count, evaluation->status);
  }
  return hlo_origin_array_make(evaluation->scratch, count, &wide->origins, evaluation->status) && hlo_ok(evaluation->status);
}

bool hlo_wide_gather(hlo_evaluation *evaluation, const hlo_literal *literal, hlo_type type, int64_t terms,
                     const int64_t *order, hlo_wide *wide) {
  int rank = literal->shape->rank;
  int64_t dims[HLO_MAX_RANK], sizes[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0};
  hlo_place natural = hlo_place_of(literal), from = {0}, to = {0};
  *wide = (hlo_wide){.arithmetic = hlo_arithmetic_of(type, terms, false)};
  if (!make_arrays(evaluation, hlo_shape_element_count(literal->shape), wide)) return false;
  for (int i = 0; i < rank; i++) {
    dims[i] = literal->shape->dims[order[i]];
    sizes[i] = hlo_literal_size(literal, (int)order[i]);
    from.strides[i] = natural.strides[order[i]];
  }
  hlo_dims_strides(dims, rank, to.strides);
  if (hlo_box_is_empty(sizes, rank)) return true;
  do {
    widen(wide, hlo_place_index(&to, rank, index), type, literal->shape->type,
          hlo_literal_get(literal, hlo_place_index(&from, rank, index)));
  } while (hlo_index_next(sizes, rank, index));
  return true;
}

static double f64_product(double a, double b) { return a * b; }
/* A product of f32s or narrower floats: exact, but infinite where f32 has no number so large. */
static inline double f32_product(double a, double b) {
  double product = a * b;
  return __builtin_fabs(product) < 0x1.ffffffp127 ? product : (float)product;
}

static void dot_real(hlo_arithmetic arithmetic, const double *a, const double *b, int64_t count, hlo_sum *sum) {
  double total = sum->value;
  if (arithmetic.way == HLO_SUM_IN_ORDER)
    for (int64_t i = 0; i < count; i++)
      total = round_to(arithmetic.part, total + round_to(arithmetic.part, a[i] * b[i]));
  else if (arithmetic.part != HLO_TYPE_F64)
    for (int64_t i = 0; i < count; i++) total += f32_product(a[i], b[i]);
  else {
    for (int64_t i = 0; i < count; i++) hlo_sum_add(sum, a[i] * b[i]);
    return;
  }
  sum->value = total;
}

static void dot_complex(const hlo_wide *a, int64_t a_at, const hlo_wide *b, int64_t b_at, int64_t count,
                        hlo_wide_sum *sum) {
  const double *ar = a->real + a_at, *ai = a->imaginary + a_at, *br = b->real + b_at, *bi = b->imaginary + b_at;
  hlo_arithmetic arithmetic = a->arithmetic;
  hlo_type part = arithmetic.part;
  for (int64_t i = 0; i < count; i++) {
    if (arithmetic.way == HLO_SUM_IN_ORDER) {
      double real = round_to(part, round_to(part, ar[i] * br[i]) - round_to(part, ai[i] * bi[i]));
      double imaginary = round_to(part, round_to(part, ar[i] * bi[i]) + round_to(part, ai[i] * br[i]));
      add_part(arithmetic, &sum->real, real);
      add_part(arithmetic, &sum->imaginary, imaginary);
      continue;
    }
    double (*product)(double, double) = part == HLO_TYPE_F64 ? f64_product : f32_product;
    add_part(arithmetic, &sum->real, product(ar[i], br[i]));
    add_part(arithmetic, &sum->real, -product(ai[i], bi[i]));
    add_part(arithmetic, &sum->imaginary, product(ar[i], bi[i]));
    add_part(arithmetic, &sum->imaginary, product(ai[i], br[i]));
  }
}

void hlo_wide_dot(const hlo_wide *a, int64_t a_at, const hlo_wide *b, int64_t b_at, int64_t count, hlo_wide_sum *sum) {
  hlo_arithmetic arithmetic = a->arithmetic;
  for (int64_t i = 0; HLO_FOLLOWS_ORIGINS && i < count; i++) {
    sum->origin = hlo_origin_join(sum->origin, hlo_origin_at(a->origins, a_at + i));
    sum->origin = hlo_origin_join(sum->origin, hlo_origin_at(b->origins, b_at + i));
  }
  if (arithmetic.way == HLO_SUM_PRED)
    for (int64_t i = 0; i < count; i++) sum->integer |= a->integer[a_at + i] & b->integer[b_at + i];
  else if (arithmetic.way == HLO_SUM_INTEGER)
    for (int64_t i = 0; i < count; i++) sum->integer += a->integer[a_at + i] * b->integer[b_at + i];
  else if (arithmetic.is_complex)
    dot_complex(a, a_at, b, b_at, count, sum);
  else
    dot_real(arithmetic, a->real + a_at, b->real + b_at, count, &sum->real);
}
