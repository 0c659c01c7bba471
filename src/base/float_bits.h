/* Reinterprets floating-point numbers as bits, and bits as floating-point numbers. */
#ifndef HLO_BASE_FLOAT_BITS_H
#define HLO_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t hlo_float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float hlo_float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t hlo_double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double hlo_double_of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#endif
