/* Tables of instructions and the shapes they have, or the rules they break; for the tests of inference. */
#ifndef HLO_TESTS_INFER_CASES_H
#define HLO_TESTS_INFER_CASES_H

#include "text/hlo_text.h"
#include "unit.h"

typedef struct infer_case {
  const char *name;        /* the rule */
  const char *operands;    /* shapes of p0, p1, .., separated by ';' */
  const char *instruction; /* as after "ROOT r = ": with a shape where the op must be given one; or lines with a ROOT */
  const char *expected;    /* the shape of the result; or '!' and a part of the message */
} infer_case;

/* Computations that cases may call. */
static const char infer_prelude[] =
    "add_f32 { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"
    "add_bf16 { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT r = bf16[] add(a, b) }\n"
    "add_s32 { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }\n"
    "lt_f32 { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }\n"
    "lt_s32 { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }\n"
    "lt_f32_s32 { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3)\n"
    "  ROOT r = pred[] compare(a, b), direction=LT }\n"
    "negate_f32 { a = f32[] parameter(0) ROOT r = f32[] negate(a) }\n"
    "is_finite_f32 { a = f32[] parameter(0) ROOT r = pred[] is-finite(a) }\n"
    "negate_vector { a = f32[4] parameter(0) ROOT r = f32[4] negate(a) }\n"
    "add_vector { a = f32[4] parameter(0) b = f32[4] parameter(1) ROOT r = f32[4] add(a, b) }\n"
    "three { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) ROOT r = f32[] add(a, b) }\n"
    "vector_in { a = f32[4] parameter(0) b = f32[] parameter(1) ROOT r = f32[] copy(b) }\n"
    "vector_right { a = f32[] parameter(0) b = f32[4] parameter(1) ROOT r = f32[] copy(a) }\n"
    "vector_out { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[4] broadcast(a), dimensions={} }\n"
    "pair { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = s32[] parameter(3)\n"
    "  e = f32[] add(a, c) f = s32[] add(b, d) ROOT r = (f32[], s32[]) tuple(e, f) }\n"
    "pair_of_others { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3) ROOT r = (f32[], s32[]) tuple(a, b) }\n"
    "triple { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = s32[] parameter(3)\n"
    "  ROOT r = (f32[], s32[], s32[]) tuple(a, b, d) }\n"
    "carry_two { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) ROOT r = (f32[], f32[]) tuple(b, c) }\n"
    "step { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] add(a, b) ROOT r = (f32[], f32[]) tuple(c, c) }\n"
    "step_vector { a = f32[4] parameter(0) b = f32[] parameter(1) ROOT r = (f32[4], f32[]) tuple(a, b) }\n"
    "step_tuple { a = f32[] parameter(0) b = f32[] parameter(1) c = (f32[]) tuple(a) ROOT r = ((f32[]), f32[]) tuple(c, b) }\n"
    "step_s32 { a = f32[] parameter(0) b = s32[] parameter(1) ROOT r = (f32[], s32[]) tuple(a, b) }\n"
    "step_carry { a = f32[] parameter(0) b = s32[] parameter(1) ROOT r = (f32[], f32[]) tuple(a, a) }\n"
    "no_parameters { ROOT r = f32[] constant(1) }\n";

enum { INFER_TEXT_BYTES = 16384 };

static inline void infer_module_text(const infer_case *c, char *text) {
  size_t used = (size_t)snprintf(text, INFER_TEXT_BYTES, "HloModule m\n%sENTRY e {\n", infer_prelude);
  const char *shape = c->operands;
  for (int i = 0; *shape; i++) {
    int length = (int)strcspn(shape, ";");
    used += (size_t)snprintf(text + used, INFER_TEXT_BYTES - used, "p%d = %.*s parameter(%d)\n", i, length, shape, i);
    shape += length;
    shape += *shape == ';';
  }
  snprintf(text + used, INFER_TEXT_BYTES - used, "%s%s\n}\n", strstr(c->instruction, "ROOT") ? "" : "ROOT r = ", c->instruction);
}

static inline void run_infer_case(const infer_case *c) {
  char text[INFER_TEXT_BYTES];
  hlo_status status = {.code = HLO_OK};
  infer_module_text(c, text);
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  if (c->expected[0] == '!') {
    CHECK(!module && unit_says(status.message, c->expected + 1, text) && status.code != HLO_PARSE,
          "%s: expected an error with \"%s\", got %s: %s", c->name, c->expected + 1,
          module ? "none" : hlo_code_name(status.code), module ? "" : status.message);
  } else if (!module) {
    CHECK(0, "%s: expected %s, got %s: %s", c->name, c->expected, hlo_code_name(status.code), status.message);
  } else {
    const hlo_shape *shape = hlo_computation_root(hlo_module_entry(module))->shape;
    CHECK(strcmp(HLO_SHAPE_TEXT(shape), c->expected) == 0, "%s: expected %s, got %s", c->name, c->expected,
          HLO_SHAPE_TEXT(shape));
  }
  if (module) hlo_module_free(module);
}

#define RUN_INFER_CASES(cases) \
  for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) run_infer_case(&(cases)[i])

#endif
