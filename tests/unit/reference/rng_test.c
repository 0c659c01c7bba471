/* Random bits against XLA's CPU backend, bit for bit; random numbers of a distribution against its properties. */
#include "reference_case.h"

/* ---- rng-bit-generator: state {key, counter...} = {0x0123456789abcdef, 2^64 - 2, 2^64 - 1} ---- */

typedef struct bits_case {
  const char *algorithm;
  int state_words;
  const char *shape;
  uint64_t next_state[3];
  uint64_t elements[32]; /* their bits */
} bits_case;

/* The values are what XLA's CPU backend gives. */
static const bits_case bits_cases[] = {
    {"rng_three_fry", 2, "u32[5]", {0x123456789abcdefull, 0x1u}, {0xb0f4215bull, 0xe19a60b4ull, 0xb3d7494,
     0xacf8c4dcull, 0xaaa4d889ull}},
    {"rng_three_fry", 2, "u32[]", {0x123456789abcdefull, 0xffffffffffffffffull}, {0xb0f4215bull}},
    {"rng_three_fry", 2, "u32[3,2]", {0x123456789abcdefull, 0x1u}, {0xb0f4215bull, 0xe19a60b4ull, 0xb3d7494,
     0xacf8c4dcull, 0xaaa4d889ull, 0x6b35c4f4}},
    {"rng_three_fry", 2, "u32[2,3]", {0x123456789abcdefull, 0x1u}, {0xb0f4215bull, 0xb3d7494, 0xaaa4d889ull,
     0xe19a60b4ull, 0xacf8c4dcull, 0x6b35c4f4}},
    {"rng_three_fry", 2, "u32[3,5]", {0x123456789abcdefull, 0x7u}, {0xb0f4215bull, 0xe19a60b4ull, 0xb3d7494,
     0xacf8c4dcull, 0xaaa4d889ull, 0x75a52907, 0xd3dd8613ull, 0x35d0e5f1, 0x8ed17fe4ull, 0x7c2f19d8, 0xde79bbbdull,
     0x1713fd18, 0xb09d029eull, 0x7d84f441, 0x6ca3e732}},
    {"rng_three_fry", 2, "u8[5,3]", {0x123456789abcdefull, 0x7u}, {0x5b, 0x94, 0x89, 0xb4, 0xdc, 0xf4, 0x7, 0xf1,
     0xd8, 0x13, 0xe4, 0xe3, 0xbd, 0x9e, 0x32}},
    {"rng_three_fry", 2, "s16[3,3]", {0x123456789abcdefull, 0x4u}, {0x215b, 0x7494, 0xd889, 0x60b4, 0xc4dc, 0xc4f4,
     0x2907, 0xe5f1, 0x19d8}},
    {"rng_three_fry", 2, "u32[1,5,3]", {0x123456789abcdefull, 0x7u}, {0xb0f4215bull, 0xb3d7494, 0xaaa4d889ull,
     0xe19a60b4ull, 0xacf8c4dcull, 0x6b35c4f4, 0x75a52907, 0x35d0e5f1, 0x7c2f19d8, 0xd3dd8613ull, 0x8ed17fe4ull,
     0x284dbe3, 0xde79bbbdull, 0xb09d029eull, 0x6ca3e732}},
    {"rng_three_fry", 2, "u4[7,2,2]", {0x123456789abcdefull, 0xcu}, {0xb, 0x4, 0x4, 0xc, 0x9, 0x7, 0x4, 0x3, 0x1, 0x8,
     0x4, 0x3, 0xd, 0xe, 0x8, 0x1, 0x2, 0x7, 0x9, 0xe, 0x5, 0xb, 0x3, 0x0, 0xe, 0xf, 0xb, 0xd}},
    {"rng_three_fry", 2, "u64[3]", {0x123456789abcdefull, 0x1u}, {0xe19a60b4b0f4215bull, 0xacf8c4dc0b3d7494ull,
     0x6b35c4f4aaa4d889ull}},
    {"rng_three_fry", 2, "f64[2,2]", {0x123456789abcdefull, 0x2u}, {0xe19a60b4b0f4215bull, 0xacf8c4dc0b3d7494ull,
     0x6b35c4f4aaa4d889ull, 0xd3dd861375a52907ull}},
    {"rng_three_fry", 2, "f32[3]", {0x123456789abcdefull, 0x0u}, {0xb0f4215bull, 0xe19a60b4ull, 0xb3d7494}},
    {"rng_three_fry", 2, "u32[0,3]", {0x123456789abcdefull, 0xfffffffffffffffeull}, {0}},
    {"rng_philox", 2, "u32[9]", {0x123456789abcdefull, 0x1u}, {0xa485194, 0x41c5f806, 0xd6822feeull, 0x3885a3d4,
     0x41eb59f3, 0x307385e0, 0x5b8b3389, 0xa262f67cull, 0x7006d264}},
    {"rng_philox", 3, "u32[9]", {0x123456789abcdefull, 0x1u, 0x0u}, {0x600c42b0, 0x796f0a9a, 0x9ac71906ull,
     0x8f6750cbull, 0x2d8e471b, 0xf578e809ull, 0xf781a438ull, 0x6aaccdbf, 0xb850222eull}},
    {"rng_philox", 2, "u64[3]", {0x123456789abcdefull, 0x0u}, {0x41c5f8060a485194ull, 0x3885a3d4d6822feeull,
     0x307385e041eb59f3ull}},
    {"rng_philox", 3, "s64[2,3]", {0x123456789abcdefull, 0x1u, 0x0u}, {0x796f0a9a600c42b0ull, 0x8f6750cb9ac71906ull,
     0xf578e8092d8e471bull, 0x6aaccdbff781a438ull, 0xc58cb04bb850222eull, 0x7a84fff914a7a020ull}},
    {"rng_philox", 2, "u8[5]", {0x123456789abcdefull, 0x0u}, {0x94, 0x6, 0xee, 0xd4, 0xf3}},
    {"rng_philox", 2, "f16[2,3]", {0x123456789abcdefull, 0x0u}, {0x5194, 0xf806, 0x2fee, 0xa3d4, 0x59f3, 0x85e0}},
    {"rng_philox", 2, "f32[3]", {0x123456789abcdefull, 0xffffffffffffffffull}, {0xa485194, 0x41c5f806,
     0xd6822feeull}},
    {"rng_default", 2, "u32[5]", {0x123456789abcdefull, 0x0u}, {0xa485194, 0x41c5f806, 0xd6822feeull, 0x3885a3d4,
     0x41eb59f3}},
    {"rng_default", 3, "f64[2]", {0x123456789abcdefull, 0xffffffffffffffffull, 0xffffffffffffffffull},
     {0x796f0a9a600c42b0ull, 0x8f6750cb9ac71906ull}},
    {"rng_philox", 2, "u4[6]", {0x123456789abcdefull, 0x0u}, {0x4, 0x6, 0xe, 0x4, 0x3, 0x0}},
    {"rng_philox", 2, "u64[0]", {0x123456789abcdefull, 0xfffffffffffffffeull}, {0}},
};

static uint64_t element_bits(const hlo_literal *literal, int64_t index) {
  uint64_t bits = 0;
  int bytes = hlo_type_bytes(literal->shape->type);
  memcpy(&bits, (const char *)literal->data + index * bytes, (size_t)bytes);
  return bits;
}

static void check_bits(const bits_case *c) {
  char text[400];
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  snprintf(text, sizeof text, ENTRY("s = u64[%d] parameter(0) ROOT r = (u64[%d], %s) rng-bit-generator(s), algorithm=%s"),
           c->state_words, c->state_words, c->shape, c->algorithm);
  const char *state = c->state_words == 2 ? "u64[2] {81985529216486895, 18446744073709551614}"
                                          : "u64[3] {81985529216486895, 18446744073709551614, 18446744073709551615}";
  const hlo_literal *arguments[1] = {case_literal(&arena, state, &status)};
  hlo_literal *result = run_text(&arena, c->shape, text, arguments);
  for (int i = 0; result && i < c->state_words; i++)
    CHECK(element_bits(result->elements[0], i) == c->next_state[i], "%s %s: state %d is %llx", c->algorithm, c->shape, i,
          (unsigned long long)element_bits(result->elements[0], i));
  int64_t count = result ? hlo_shape_element_count(result->elements[1]->shape) : 0;
  for (int64_t i = 0; i < count; i++)
    CHECK(element_bits(result->elements[1], i) == c->elements[i], "%s %s: element %d is %llx", c->algorithm, c->shape,
          (int)i, (unsigned long long)element_bits(result->elements[1], i));
  hlo_arena_free(&arena);
}

/* ---- rng ---- */

static hlo_literal *draw(hlo_arena *arena, const char *text, uint64_t seed) {
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  hlo_host host = {0};
  hlo_run_options options = {.replicas = 1, .partitions = 1, .seed = seed, .host = &host};
  hlo_literal *result = NULL;
  if (module && hlo_reference_run(module, &options, NULL, arena, &result, &status)) result = detach(arena, result, &status);
  CHECK(hlo_ok(&status), "%s", status.message);
  if (module) hlo_module_free(module);
  return hlo_ok(&status) ? result : NULL;
}

#define UNIFORM(type, low, limit) "HloModule m\n" ENTRY("a = " type "[] constant(" low ") b = " type "[] constant(" limit \
  ") ROOT r = " type "[4000] rng(a, b), distribution=rng_uniform")
#define NORMAL(type, mean, deviation) "HloModule m\n" ENTRY("a = " type "[] constant(" mean ") b = " type "[] constant(" \
  deviation ") ROOT r = " type "[4000] rng(a, b), distribution=rng_normal")

typedef struct moments_case {
  const char *name, *text;
  double low, limit; /* every number lies in [low, limit) */
  double mean, deviation;
} moments_case;

static const moments_case moments_cases[] = {
    {"uniform_f32", UNIFORM("f32", "-1", "3"), -1, 3, 1, 1.1547},
    {"uniform_f64", UNIFORM("f64", "0", "1"), 0, 1, 0.5, 0.28868},
    {"uniform_bf16", UNIFORM("bf16", "0", "1"), 0, 1, 0.5, 0.28868},
    {"uniform_s32", UNIFORM("s32", "-10", "11"), -10, 11, 0, 6.0553},
    {"uniform_u8", UNIFORM("u8", "0", "255"), 0, 255, 127, 73.612},
    {"uniform_s64_wide", UNIFORM("s64", "-9223372036854775808", "9223372036854775807"), -0x1p63, 0x1p63, 0, 0x1.279a7459p62},
    {"uniform_pred", UNIFORM("pred", "false", "true"), 0, 2, 0.5, 0.5},
    {"normal_f32", NORMAL("f32", "2", "0.5"), -10, 10, 2, 0.5},
    {"normal_f64", NORMAL("f64", "0", "1"), -10, 10, 0, 1},
};

static double number(const hlo_literal *literal, int64_t index) {
  hlo_scalar value = hlo_literal_get(literal, index);
  hlo_type type = literal->shape->type;
  return hlo_type_is_float(type) ? value.f : hlo_type_is_signed(type) ? (double)value.s : (double)value.u;
}

static void check_moments(const moments_case *c) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_literal *drawn = draw(&arena, c->text, 7);
  double sum = 0, squares = 0;
  bool inside = true;
  for (int64_t i = 0; drawn && i < 4000; i++) {
    double value = number(drawn, i);
    inside = inside && value >= c->low && value < c->limit;
    sum += (value - c->mean) / c->deviation;
    squares += (value - c->mean) / c->deviation * (value - c->mean) / c->deviation;
  }
  CHECK(inside, "%s: a number is outside of [%g, %g)", c->name, c->low, c->limit);
  CHECK(fabs(sum / 4000) < 0.07, "%s: mean off by %g deviations", c->name, sum / 4000);
  CHECK(fabs(sqrt(squares / 4000) - 1) < 0.05, "%s: deviation off by a factor of %g", c->name, sqrt(squares / 4000));
  hlo_arena_free(&arena);
}

static void check_seeds(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  const char *twice = "HloModule m\n" ENTRY(
      "a = f32[] constant(0) b = f32[] constant(1) r = f32[100] rng(a, b), distribution=rng_uniform\n"
      "s = f32[100] rng(a, b), distribution=rng_uniform ROOT t = (f32[100], f32[100]) tuple(r, s)");
  hlo_literal *first = draw(&arena, twice, 1), *again = draw(&arena, twice, 1), *other = draw(&arena, twice, 2);
  if (first && again && other) {
    CHECK(hlo_literal_equal_bits(first, again), "the same seed gives the same numbers");
    CHECK(!hlo_literal_equal_bits(first->elements[0], other->elements[0]), "another seed gives others");
    CHECK(!hlo_literal_equal_bits(first->elements[0], first->elements[1]), "each instruction draws its own");
    CHECK(!hlo_literal_equal_bits(first->elements[1], other->elements[0]), "seeds do not overlap");
  }
  const char *state = "HloModule m\n" ENTRY("a = u64[2] rng-get-and-update-state(), delta=5 b = u64[2] rng-get-and-update-state(), delta=1\n"
                                            "ROOT d = u64[2] subtract(b, a)");
  hlo_literal *difference = draw(&arena, state, 3);
  if (difference) CHECK(((uint64_t *)difference->data)[0] == 5, "the state advances by delta");
  hlo_arena_free(&arena);
}

int main(void) {
  for (size_t i = 0; i < sizeof bits_cases / sizeof *bits_cases; i++) check_bits(&bits_cases[i]);
  for (size_t i = 0; i < sizeof moments_cases / sizeof *moments_cases; i++) check_moments(&moments_cases[i]);
  check_seeds();
  return unit_report();
}
