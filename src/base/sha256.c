/* SHA-256: the names are those of FIPS 180-4. */
#include "base/sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void compress(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64], v[8];
  for (int t = 0; t < 16; t++) w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; t++) {
    uint32_t s0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  memcpy(v, state, sizeof v);
  for (int t = 0; t < 64; t++) {
    uint32_t a = v[0], e = v[4];
    uint32_t t1 = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[t] + w[t];
    uint32_t t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
void hlo_sha256_begin(hlo_sha256 *sum) {
  *sum = (hlo_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void hlo_sha256_add(hlo_sha256 *sum, const void *bytes, size_t length) {
  const uint8_t *next = bytes;
  size_t held = (size_t)(sum->length % HLO_SHA256_BLOCK);
  sum->length += length;
  while (length > 0) {
    if (held == 0 && length >= HLO_SHA256_BLOCK) {
      compress(sum->state, next);
      next += HLO_SHA256_BLOCK;
      length -= HLO_SHA256_BLOCK;
      continue;
    }
    size_t taken = HLO_SHA256_BLOCK - held < length ? HLO_SHA256_BLOCK - held : length;
    memcpy(sum->block + held, next, taken);
    next += taken;
    length -= taken;
    if ((held += taken) < HLO_SHA256_BLOCK) return;
    compress(sum->state, sum->block);
    held = 0;
  }
}

void hlo_sha256_end(hlo_sha256 *sum, uint8_t digest[HLO_SHA256_BYTES]) {
  static const uint8_t padding[HLO_SHA256_BLOCK] = {0x80};
  uint64_t bits = sum->length * 8;
  uint8_t tail[8];
  for (int i = 0; i < 8; i++) tail[i] = (uint8_t)(bits >> (56 - 8 * i));
  hlo_sha256_add(sum, padding, HLO_SHA256_BLOCK - (size_t)((sum->length + sizeof tail) % HLO_SHA256_BLOCK));
  hlo_sha256_add(sum, tail, sizeof tail);
  for (int i = 0; i < HLO_SHA256_BYTES; i++) digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}
