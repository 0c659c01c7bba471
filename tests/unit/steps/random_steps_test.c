/* rng-bit-generator as a kernel against the reference, bit for bit: algorithms, types, shapes, and states whose counters wrap. */
#include "plan/plan.h"
#include "program.h"

static const char *const algorithms[] = {"rng_default", "rng_three_fry", "rng_philox"};
static const char *const types[] = {"u8", "s8", "u16", "u32", "s32", "u64", "f32", "bf16", "f64", "u4"};
static const char *const shapes[] = {"[]", "[0]", "[1]", "[2]", "[7]", "[8]", "[1021]", "[1024]", "[5000]", "[3,5]", "[3,4]", "[4,3]", "[2,3,300]",
                                     "[5,3,301]", "[3,302,5]", "[7,7]", "[3,0]", "[1100,1]"};
static const uint64_t states[][3] = {{0, 0, 0}, {42, 7, 1}, {0x123456789ABCDEFu, UINT64_MAX - 5, UINT64_MAX}, {1, UINT32_MAX - 100u, 3}};

static void check(const char *algorithm, const char *type, const char *shape, int words) {
  char text[400];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n s = u64[%d] parameter(0)\n ROOT r = (u64[%d], %s%s) rng-bit-generator(s), algorithm=%s\n}\n", words,
           words, type, shape, algorithm);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) CHECK(program_uses_reference(&p) == (strcmp(type, "u4") == 0), "%s", text);
  for (size_t s = 0; ran && s < sizeof states / sizeof *states; s++) {
    memcpy(p.inputs[0].leaves[0], states[s], (size_t)words * sizeof **states);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran, "%s", p.status.message);
    for (int leaf = 0; ran && leaf < 2; leaf++) {
      int64_t bytes = hlo_shape_dense_bytes(hlo_shape_leaf(hlo_executable_result_shape(p.planned), leaf));
      CHECK(!bytes || memcmp(p.planned_outputs[0].leaves[leaf], p.reference_outputs[0].leaves[leaf], (size_t)bytes) == 0, "leaf %d, state %d: %s", leaf,
            (int)s, text);
    }
  }
  program_close(&p);
}

int main(void) {
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
      for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int words = 2; words <= (a == 1 ? 2 : 3); words++) check(algorithms[a], types[t], shapes[s], words);
  return unit_report();
}
