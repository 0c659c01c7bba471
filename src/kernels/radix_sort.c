/* Least significant digit first. A digit that all elements share is passed over. */
#include "kernels/radix_sort.h"

#include <assert.h>
#include <string.h>

enum { MOST_BUCKETS = 2048, MOST_DIGITS = 4, INSERTED = 40 };

int64_t hlo_radix_sort_scratch(int64_t count) { return 2 * count + MOST_BUCKETS * MOST_DIGITS / 2; }

static inline uint64_t load(const hlo_sort_key *key, const void *in, int64_t i) {
  switch (key->element_bytes) {
  case 1: return ((const uint8_t *)in)[i];
  case 2: return ((const uint16_t *)in)[i];
  case 4: return ((const uint32_t *)in)[i];
  default: return ((const uint64_t *)in)[i];
  }
}

static inline uint64_t key_of(const hlo_sort_key *key, uint64_t bits) {
  uint64_t sign = (uint64_t)1 << (8 * key->element_bytes - 1), all = sign | (sign - 1);
  if (key->kind >= HLO_KEY_NANS_LAST) {
    uint64_t magnitude = bits & ~sign;
    if (magnitude > key->infinity) bits = sign - 1;
    else if (magnitude == 0 && key->kind == HLO_KEY_CANONICAL) bits = 0;
  }
  if (key->kind >= HLO_KEY_TOTAL) bits ^= bits & sign ? all : sign;
  if (key->kind == HLO_KEY_SIGNED) bits ^= sign;
  return key->descending ? bits ^ all : bits;
}

bool hlo_sort_key_finds_nan(const hlo_sort_key *key, const void *in, int64_t stride, int64_t count) {
  uint64_t sign = (uint64_t)1 << (8 * key->element_bytes - 1);
  for (int64_t i = 0; i < count; i++)
    if ((load(key, in, i * stride) & (sign - 1)) > key->infinity) return true;
  return false;
}

typedef struct digits {
  int bits, count;
} digits;

static digits digits_for(int64_t count) { return count < 4096 ? (digits){8, 4} : (digits){11, 3}; }

/* Where each digit's buckets begin; false where all elements are in one. */
static bool begin_buckets(uint32_t *buckets, int bits, int64_t count) {
  uint32_t begin = 0;
  for (int b = 0; b < 1 << bits; b++) {
    uint32_t size = buckets[b];
    if (size == count) return false;
    buckets[b] = begin;
    begin += size;
  }
  return true;
}

/* SORT sorts `count` elements of `type` at *from by KEY(x), with as much memory at *to; *from is the result. */
#define DEFINE_SORT(name, type, KEY)                                                                  \
  static void name(type **from, type **to, int64_t count, uint32_t *buckets) {                        \
    digits digit = digits_for(count);                                                                 \
    uint32_t mask = (1u << digit.bits) - 1;                                                           \
    memset(buckets, 0, sizeof *buckets * (size_t)digit.count << digit.bits);                          \
    for (int64_t i = 0; i < count; i++)                                                               \
      for (int d = 0; d < digit.count; d++)                                                           \
        buckets[(d << digit.bits) + (KEY((*from)[i]) >> d * digit.bits & mask)]++;                    \
    for (int d = 0; d < digit.count; d++, buckets += mask + 1) {                                      \
      if (!begin_buckets(buckets, digit.bits, count)) continue;                                       \
      type *in = *from, *out = *to;                                                                   \
      for (int64_t i = 0; i < count; i++) out[buckets[KEY(in[i]) >> d * digit.bits & mask]++] = in[i]; \
      *from = out;                                                                                    \
      *to = in;                                                                                       \
    }                                                                                                 \
  }
#define SELF(x) (x)
#define UPPER(x) (uint32_t)((x) >> 32)
DEFINE_SORT(sort_values, uint32_t, SELF)
DEFINE_SORT(sort_pairs, uint64_t, UPPER)

/* By key, then by what stands below it: stable as long as that is the order that was. */
static void insert_pairs(uint64_t *pairs, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    uint64_t pair = pairs[i];
    int64_t at = i;
    for (; at > 0 && pairs[at - 1] >> 32 > pair >> 32; at--) pairs[at] = pairs[at - 1];
    pairs[at] = pair;
  }
}

void hlo_radix_sort_order(const hlo_sort_key *keys, const void *const *in, int key_count, int64_t stride, int64_t count, uint64_t *scratch) {
  assert(key_count > 0 && count >= 0 && count <= UINT32_MAX);
  uint64_t *from = scratch, *to = scratch + count;
  for (int64_t i = 0; i < count; i++) from[i] = (uint64_t)i;
  for (int k = key_count - 1; k >= 0; k--)
    for (int half = 0; half < (keys[k].element_bytes + 3) / 4; half++) {
      for (int64_t i = 0; i < count; i++) {
        uint32_t place = (uint32_t)from[i];
        from[i] = key_of(&keys[k], load(&keys[k], in[k], place * stride)) >> 32 * half << 32 | place;
      }
      if (count <= INSERTED) insert_pairs(from, count);
      else sort_pairs(&from, &to, count, (uint32_t *)(scratch + 2 * count));
    }
  if (from != scratch) memcpy(scratch, from, (size_t)count * sizeof *from);
}

bool hlo_radix_sort_values_32(const hlo_sort_key *key, const uint32_t *in, uint32_t *out, int64_t count, uint64_t *scratch) {
  assert(key->element_bytes == 4 && count >= 0 && count <= UINT32_MAX);
  const uint32_t sign = 0x80000000u, flip = key->descending ? UINT32_MAX : 0;
  uint32_t *from = (uint32_t *)scratch, *to = from + count, infinity = (uint32_t)key->infinity, shared = 0;
  uint32_t base = key->kind == HLO_KEY_UNSIGNED ? 0 : sign;
  uint32_t negative = key->kind >= HLO_KEY_TOTAL ? UINT32_MAX : 0;
  bool zeros_meet = key->kind == HLO_KEY_CANONICAL;
  for (int64_t i = 0; i < count; i++) {
    uint32_t x = in[i], all = (uint32_t)-(int32_t)(x >> 31) & negative;
    shared |= (zeros_meet & (x == sign)) | ((x & ~sign) > infinity);
    from[i] = (x ^ (all | base)) ^ flip;
  }
  if (shared && key->kind >= HLO_KEY_NANS_LAST) return false;
  sort_values(&from, &to, count, (uint32_t *)(scratch + 2 * count));
  for (int64_t i = 0; i < count; i++) {
    uint32_t y = from[i] ^ flip, all = ((y >> 31) - 1) & negative;
    out[i] = y ^ (all | base);
  }
  return true;
}
