/* The least significant digit comes first. A digit that all elements share is skipped. A team counts and moves elements by one digit in
 * parts of the line: in each bucket, the elements of a part come before those of the next part, as they do with one thread. */
#include "kernels/order/radix_sort.h"

#include <assert.h>
#include <string.h>

enum {
  BUCKETS = 3 << 11,         /* of all digits together: three of 11 bits, or four of 8 bits, for a key of 32 */
  INSERTED = 40,             /* shorter lines are sorted by insertion */
  SHORTEST_SHARED = 1 << 14, /* shorter lines are sorted by one thread */
  PARTS_A_THREAD = 2
};

/* In how many parts a line is sorted. */
static int part_count(int64_t count, int threads) { return threads > 1 && count >= SHORTEST_SHARED ? threads * PARTS_A_THREAD : 1; }

int64_t hlo_radix_sort_scratch(int64_t count, int threads) { return 2 * count + BUCKETS / 2 * part_count(count, threads); }

static inline uint64_t load(const hlo_sort_key *key, const void *in, int64_t i) {
  switch (key->element_bytes) {
  case 1: return ((const uint8_t *)in)[i];
  case 2: return ((const uint16_t *)in)[i];
  case 4: return ((const uint32_t *)in)[i];
  default: return ((const uint64_t *)in)[i];
  }
}

/* The key of an element: its bits, changed so that unsigned order is the order wanted. */
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

/* A line while it is sorted: `count` elements at `from`, and as much memory at `to`. The two change places with every digit. */
typedef struct sorting {
  void *from, *to;
  int64_t count;
  int bits, digits; /* of a digit; of a key */
  int digit, next;  /* elements are counted by digits `digit` to next - 1, and moved by `digit` */
  int parts;
  uint32_t *buckets; /* BUCKETS of each part */
  hlo_team *team;
  /* hlo_radix_sort_order */
  const hlo_sort_key *key;
  const void *in;
  int64_t stride;
  int half;    /* of the key, which is what elements are sorted by: 0 is the lower one */
  bool begins; /* elements are in their own order still */
  /* hlo_radix_sort_values_32: how elements become keys, and keys elements */
  uint32_t *out;
  uint32_t negative, base, flip;
} sorting;

static sorting begin(int64_t count, int element_bytes, uint64_t *scratch, hlo_team *team) {
  assert(count >= 0 && count <= UINT32_MAX);
  return (sorting){.from = scratch, .to = (char *)scratch + count * element_bytes, .count = count, .bits = count < 4096 ? 8 : 11,
                   .digits = count < 4096 ? 4 : 3, .parts = part_count(count, hlo_team_threads(team)),
                   .buckets = (uint32_t *)(scratch + 2 * count), .team = team};
}

static void run(sorting *s, hlo_team_work *work) { hlo_team_run(s->team, s->parts, (double)s->count * 2, work, s); }
static int64_t begin_of(const sorting *s, int64_t part) { return s->count * part / s->parts; }

/* Turns counts into places: where each part's share of each bucket begins. Returns false where all elements are in one bucket. */
static bool begin_buckets(const sorting *s) {
  uint32_t begin = 0;
  for (uint32_t *bucket = s->buckets + (s->digit << s->bits), *end = bucket + (1 << s->bits); bucket < end; bucket++) {
    uint32_t before = begin;
    for (int part = 0; part < s->parts; part++) {
      uint32_t size = bucket[part * BUCKETS];
      bucket[part * BUCKETS] = begin;
      begin += size;
    }
    if (begin - before == s->count) return false;
  }
  return true;
}

/* Functions that count and move a part of the elements, of `type`, by KEY(x), and that sort a short line by insertion, stably. */
#define DEFINE_SORT(name, type, KEY)                                                                  \
  static void name##_count(void *context, int64_t part, int thread) {                                 \
    const sorting *s = context;                                                                       \
    const type *in = s->from;                                                                         \
    uint32_t *buckets = s->buckets + part * BUCKETS, mask = (1u << s->bits) - 1;                      \
    int bits = s->bits, first = s->digit, next = s->next;                                             \
    memset(buckets + (first << bits), 0, sizeof *buckets * (size_t)(next - first) << bits);           \
    for (int64_t i = begin_of(s, part), end = begin_of(s, part + 1); i < end; i++)                    \
      for (int d = first; d < next; d++) buckets[(d << bits) + (KEY(in[i]) >> d * bits & mask)]++;    \
  }                                                                                                   \
  static void name##_move(void *context, int64_t part, int thread) {                                  \
    const sorting *s = context;                                                                       \
    const type *in = s->from;                                                                         \
    type *out = s->to;                                                                                \
    int shift = s->digit * s->bits;                                                                   \
    uint32_t *buckets = s->buckets + part * BUCKETS + (s->digit << s->bits), mask = (1u << s->bits) - 1; \
    for (int64_t i = begin_of(s, part), end = begin_of(s, part + 1); i < end; i++)                    \
      out[buckets[KEY(in[i]) >> shift & mask]++] = in[i];                                             \
  }                                                                                                   \
  static void name##_insert(type *line, int64_t count) {                                              \
    for (int64_t i = 1; i < count; i++) {                                                             \
      type element = line[i];                                                                         \
      int64_t at = i;                                                                                 \
      for (; at > 0 && KEY(line[at - 1]) > KEY(element); at--) line[at] = line[at - 1];               \
      line[at] = element;                                                                             \
    }                                                                                                 \
  }
#define SELF(x) (x)
#define UPPER(x) (uint32_t)((x) >> 32)
DEFINE_SORT(values, uint32_t, SELF)
DEFINE_SORT(pairs, uint64_t, UPPER)

/* The counts of a whole line stay true as its elements are moved, so that one thread counts once; those of parts do not. */
static void sort(sorting *s, hlo_team_work *count, hlo_team_work *move) {
  for (s->digit = 0; s->digit < s->digits; s->digit++) {
    s->next = s->parts > 1 ? s->digit + 1 : s->digits;
    if (s->parts > 1 || s->digit == 0) run(s, count);
    if (!begin_buckets(s)) continue;
    run(s, move);
    void *moved = s->to;
    s->to = s->from;
    s->from = moved;
  }
}

/* Makes the pairs of a part: the key, and the place of its element. */
static void take_keys(void *context, int64_t part, int thread) {
  const sorting *s = context;
  uint64_t *pairs = s->from;
  for (int64_t i = begin_of(s, part), end = begin_of(s, part + 1); i < end; i++) {
    uint32_t place = s->begins ? (uint32_t)i : (uint32_t)pairs[i];
    pairs[i] = key_of(s->key, load(s->key, s->in, place * s->stride * s->key->parts)) >> 32 * s->half << 32 | place;
  }
}

const uint64_t *hlo_radix_sort_order(const hlo_sort_key *keys, const void *const *in, int key_count, int64_t stride, int64_t count,
                                     uint64_t *scratch, hlo_team *team) {
  assert(key_count > 0);
  sorting s = begin(count, sizeof *scratch, scratch, team);
  s.stride = stride, s.begins = true;
  for (int k = key_count - 1; k >= 0; k--)
    for (s.half = 0; s.half < (keys[k].element_bytes + 3) / 4; s.half++) {
      s.key = &keys[k], s.in = in[k];
      run(&s, take_keys);
      s.begins = false;
      if (count <= INSERTED) pairs_insert(s.from, count);
      else sort(&s, pairs_count, pairs_move);
    }
  return s.from;
}

/* Makes the keys of a part. Whether two different elements may have equal keys is left in the first word of the part's buckets. */
static void take_values(void *context, int64_t part, int thread) {
  const sorting *s = context;
  const uint32_t *in = s->in, sign = 0x80000000u, infinity = (uint32_t)s->key->infinity;
  uint32_t *keys = s->from, shared = 0, negative = s->negative, base = s->base, flip = s->flip;
  bool zeros_meet = s->key->kind == HLO_KEY_CANONICAL;
  for (int64_t i = begin_of(s, part), end = begin_of(s, part + 1); i < end; i++) {
    uint32_t x = in[i], all = (uint32_t)-(int32_t)(x >> 31) & negative;
    shared |= (zeros_meet & (x == sign)) | ((x & ~sign) > infinity);
    keys[i] = (x ^ (all | base)) ^ flip;
  }
  s->buckets[part * BUCKETS] = shared;
}

/* Writes the elements of a part, made from their keys. */
static void give_values(void *context, int64_t part, int thread) {
  const sorting *s = context;
  const uint32_t *keys = s->from;
  uint32_t *out = s->out, negative = s->negative, base = s->base, flip = s->flip;
  for (int64_t i = begin_of(s, part), end = begin_of(s, part + 1); i < end; i++) {
    uint32_t y = keys[i] ^ flip, all = ((y >> 31) - 1) & negative;
    out[i] = y ^ (all | base);
  }
}

bool hlo_radix_sort_values_32(const hlo_sort_key *key, const uint32_t *in, uint32_t *out, int64_t count, uint64_t *scratch, hlo_team *team) {
  assert(key->element_bytes == 4);
  sorting s = begin(count, sizeof *in, scratch, team);
  s.key = key, s.in = in, s.out = out;
  s.flip = key->descending ? UINT32_MAX : 0;
  s.base = key->kind == HLO_KEY_UNSIGNED ? 0 : 0x80000000u;
  s.negative = key->kind >= HLO_KEY_TOTAL ? UINT32_MAX : 0;
  run(&s, take_values);
  for (int part = 0; part < s.parts; part++)
    if (s.buckets[part * BUCKETS] && key->kind >= HLO_KEY_NANS_LAST) return false;
  if (count <= INSERTED) values_insert(s.from, count);
  else sort(&s, values_count, values_move);
  run(&s, give_values);
  return true;
}
