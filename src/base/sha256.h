/* SHA-256 (FIPS 180-4) of bytes that come in pieces. */
#ifndef HLO_BASE_SHA256_H
#define HLO_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { HLO_SHA256_BLOCK = 64, HLO_SHA256_BYTES = 32 };

typedef struct hlo_sha256 {
  uint32_t state[8];
  uint64_t length;                    /* bytes so far */
  uint8_t block[HLO_SHA256_BLOCK];    /* the last length % HLO_SHA256_BLOCK of them */
} hlo_sha256;

void hlo_sha256_begin(hlo_sha256 *sum);
void hlo_sha256_add(hlo_sha256 *sum, const void *bytes, size_t length);
void hlo_sha256_end(hlo_sha256 *sum, uint8_t digest[HLO_SHA256_BYTES]);

#endif
