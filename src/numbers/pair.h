/* Two doubles at a time: what processors do at once. The functions of elementary.h that have a form for pairs, each lane with the same bits. */
#ifndef HLO_NUMBERS_PAIR_H
#define HLO_NUMBERS_PAIR_H

#include <stdint.h>

typedef double hlo_pair __attribute__((vector_size(16)));
typedef uint64_t hlo_pair_bits __attribute__((vector_size(16)));

hlo_pair hlo_exp_pair(hlo_pair x);
hlo_pair hlo_log_pair(hlo_pair x);
hlo_pair hlo_pow_pair(hlo_pair x, hlo_pair y);

hlo_pair hlo_expm1_pair(hlo_pair x);
hlo_pair hlo_log1p_pair(hlo_pair x);
hlo_pair hlo_tanh_pair(hlo_pair x);
hlo_pair hlo_logistic_pair(hlo_pair x); /* 1 / (1 + e^-x) */
hlo_pair hlo_atan2_pair(hlo_pair y, hlo_pair x);
hlo_pair hlo_fmod_pair(hlo_pair x, hlo_pair y);

/* A function of one number or two, in terms of that for pairs. */
#define HLO_LANE_OF_PAIR(function, x) function##_pair(hlo_pair_of(x))[0]
#define HLO_LANE_OF_PAIRS(function, x, y) function##_pair(hlo_pair_of(x), hlo_pair_of(y))[0]

#define HLO_PAIR_INLINE static inline __attribute__((always_inline))

/* Hides where a pointer leads: engines make a constant vector anew for every use, which takes longer than to read one from memory. */
#define HLO_PAIR_HIDE(pointer) __asm__("" : "+r"(pointer));

HLO_PAIR_INLINE hlo_pair hlo_pair_of(double x) { return (hlo_pair){x, x}; }

/* Returns lanes of a where the mask has ones, and of b elsewhere. A comparison of pairs gives a mask. */
#define HLO_PAIR_WHERE(mask, a, b) hlo_pair_where((hlo_pair_bits)(mask), a, b)
HLO_PAIR_INLINE hlo_pair hlo_pair_where(hlo_pair_bits mask, hlo_pair a, hlo_pair b) {
  return (hlo_pair)((mask & (hlo_pair_bits)a) | (~mask & (hlo_pair_bits)b));
}

/* The functions return b where it is less (or greater) than a, and a everywhere else: where one of the two is NaN as well. */
#ifdef __wasm_simd128__
HLO_PAIR_INLINE hlo_pair hlo_pair_least(hlo_pair a, hlo_pair b) { return __builtin_wasm_pmin_f64x2(a, b); }
HLO_PAIR_INLINE hlo_pair hlo_pair_most(hlo_pair a, hlo_pair b) { return __builtin_wasm_pmax_f64x2(a, b); }
HLO_PAIR_INLINE hlo_pair hlo_pair_abs(hlo_pair x) { return __builtin_wasm_abs_f64x2(x); }
#else
HLO_PAIR_INLINE hlo_pair hlo_pair_least(hlo_pair a, hlo_pair b) { return HLO_PAIR_WHERE(b < a, b, a); }
HLO_PAIR_INLINE hlo_pair hlo_pair_most(hlo_pair a, hlo_pair b) { return HLO_PAIR_WHERE(a < b, b, a); }
HLO_PAIR_INLINE hlo_pair hlo_pair_abs(hlo_pair x) { return (hlo_pair)((hlo_pair_bits)x & INT64_MAX); }
#endif

/* Returns numbers with their upper 26 bits: a product of two such is exact. */
HLO_PAIR_INLINE hlo_pair hlo_pair_upper(hlo_pair x) { return (hlo_pair)((hlo_pair_bits)x >> 27 << 27); }
/* Returns numbers, none of which is below zero, with the signs of x. */
HLO_PAIR_INLINE hlo_pair hlo_pair_signed(hlo_pair size, hlo_pair x) { return (hlo_pair)((hlo_pair_bits)size | (hlo_pair_bits)x >> 63 << 63); }

#endif
