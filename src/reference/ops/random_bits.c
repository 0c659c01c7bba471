/* Threefry and Philox, with the constants of the paper. */
#include "reference/ops/random_bits.h"

static uint32_t rotate_left(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

uint64_t hlo_threefry(uint64_t key, uint64_t counter) {
  static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
  keys[2] = keys[0] ^ keys[1] ^ 0x1BD11BDA;
  uint32_t x = (uint32_t)counter + keys[0], y = (uint32_t)(counter >> 32) + keys[1];
  for (uint32_t group = 0; group < 5; group++) {
    for (int round = 0; round < 4; round++) {
      x += y;
      y = rotate_left(y, rotations[group % 2][round]) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return (uint64_t)y << 32 | x;
}

void hlo_philox(uint64_t key, const uint64_t counter[2], uint32_t words[4]) {
  uint32_t c[4] = {(uint32_t)counter[0], (uint32_t)(counter[0] >> 32), (uint32_t)counter[1], (uint32_t)(counter[1] >> 32)};
  uint32_t low_key = (uint32_t)key, high_key = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t even = (uint64_t)0xD2511F53 * c[0], odd = (uint64_t)0xCD9E8D57 * c[2];
    uint32_t next[4] = {(uint32_t)(odd >> 32) ^ c[1] ^ low_key, (uint32_t)odd, (uint32_t)(even >> 32) ^ c[3] ^ high_key,
                        (uint32_t)even};
    for (int i = 0; i < 4; i++) c[i] = next[i];
    low_key += 0x9E3779B9;
    high_key += 0xBB67AE85;
  }
  for (int i = 0; i < 4; i++) words[i] = c[i];
}
