/* Cases for the reference evaluator: a module in HLO text, its inputs and its result as literals. */
#ifndef HLO_TESTS_REFERENCE_CASE_H
#define HLO_TESTS_REFERENCE_CASE_H

#include <math.h>
#include <stdlib.h>

#include "reference/machine/machine.h"
#include "shape/layout_index.h"
#include "text/hlo_text.h"
#include "unit.h"

typedef struct reference_case {
  const char *name;
  const char *module;    /* computations and "ENTRY ..."; the module's header is put in front */
  const char *inputs[6]; /* literals with their shapes; NULL after the last */
  const char *expected;  /* a literal with its shape */
  double tolerance;      /* 0: equal, signs of zeros too; else relative to the largest magnitude of the leaf */
} reference_case;

#define SCALAR_OP(name, type, op) name " { a = " type "[] parameter(0) b = " type "[] parameter(1) ROOT c = " type "[] " op "(a, b) }\n"
#define SCALAR_COMPARE(name, type, direction) \
  name " { a = " type "[] parameter(0) b = " type "[] parameter(1) ROOT c = pred[] compare(a, b), direction=" direction " }\n"
#define ENTRY(body) "ENTRY main {\n" body "\n}\n"

static hlo_literal *case_literal(hlo_arena *arena, const char *text, hlo_status *status) {
  return hlo_literal_parse(arena, text, strlen(text), status);
}

/* The distance of two leaves' finite values over the largest magnitude; infinite where they differ otherwise. */
static double leaf_distance(const hlo_literal *a, const hlo_literal *b, bool signs_of_zeros) {
  double worst = 0, largest = 0;
  if (a->shape->type != b->shape->type || !hlo_shape_same_dims(a->shape, b->shape)) return INFINITY;
  for (int64_t i = 0; i < hlo_shape_element_count(a->shape); i++) {
    hlo_scalar x = hlo_literal_get(a, i), y = hlo_literal_get(b, i);
    if (!hlo_type_is_float(a->shape->type) && !hlo_type_is_complex(a->shape->type)) {
      if (x.u != y.u) return INFINITY;
      continue;
    }
    double xs[2] = {x.f, x.im}, ys[2] = {y.f, y.im};
    for (int part = 0; part < (hlo_type_is_complex(a->shape->type) ? 2 : 1); part++) {
      if (isnan(xs[part]) && isnan(ys[part])) continue;
      if (signs_of_zeros && !signbit(xs[part]) != !signbit(ys[part])) return INFINITY;
      if (isfinite(xs[part]) && isfinite(ys[part])) {
        worst = fmax(worst, fabs(xs[part] - ys[part]));
        largest = fmax(largest, fabs(ys[part]));
      } else if (!(xs[part] == ys[part])) {
        return INFINITY;
      }
    }
  }
  return worst == 0 ? 0 : worst / largest;
}

static double literal_distance(const hlo_literal *a, const hlo_literal *b, bool signs_of_zeros) {
  if (!hlo_shape_is_tuple(a->shape)) return leaf_distance(a, b, signs_of_zeros);
  double worst = a->shape->element_count == b->shape->element_count ? 0 : INFINITY;
  for (int i = 0; i < a->shape->element_count && worst < INFINITY; i++)
    worst = fmax(worst, literal_distance(a->elements[i], b->elements[i], signs_of_zeros));
  return worst;
}

/* A copy that does not need the module, which owns the shapes of its results. */
static hlo_literal *detach(hlo_arena *arena, const hlo_literal *literal, hlo_status *status) {
  const hlo_shape *shape = hlo_shape_copy(arena, literal->shape, status);
  hlo_literal *copy = shape ? hlo_literal_make(arena, shape, status) : NULL;
  if (copy) hlo_literal_assign(copy, literal);
  return copy;
}

/* Parses and runs a module with these arguments; NULL (and a failed check) if it cannot. */
static hlo_literal *run_text(hlo_arena *arena, const char *name, const char *text, const hlo_literal *const *arguments) {
  hlo_status status = {0};
  char *whole = malloc(strlen(text) + 32);
  sprintf(whole, "HloModule case\n\n%s", text);
  hlo_module *module = hlo_text_parse(whole, strlen(whole), &status);
  hlo_literal *result = NULL;
  hlo_host host = {0};
  hlo_run_options options = {.replicas = 1, .partitions = 1, .host = &host};
  if (module && hlo_reference_run(module, &options, arguments, arena, &result, &status))
    result = detach(arena, result, &status);
  CHECK(hlo_ok(&status), "%s: %s", name, status.message);
  bool ok = hlo_ok(&status);
  if (module) hlo_module_free(module);
  free(whole);
  return ok ? result : NULL;
}

static inline void check_case(const reference_case *c) {
  hlo_arena arena;
  hlo_status status = {0};
  const hlo_literal *arguments[7] = {NULL};
  hlo_arena_init(&arena);
  for (int i = 0; i < 6 && c->inputs[i]; i++) arguments[i] = case_literal(&arena, c->inputs[i], &status);
  hlo_literal *expected = case_literal(&arena, c->expected, &status);
  CHECK(hlo_ok(&status), "%s: %s", c->name, status.message);
  hlo_literal *actual = hlo_ok(&status) ? run_text(&arena, c->name, c->module, arguments) : NULL;
  if (actual) {
    hlo_writer writer;
    hlo_writer_init(&writer, &status);
    hlo_literal_write_with_shape(&writer, actual);
    CHECK(literal_distance(actual, expected, c->tolerance == 0) <= c->tolerance, "%s: expected %s, got %s", c->name, c->expected, writer.text);
    hlo_writer_free(&writer);
  }
  hlo_arena_free(&arena);
}

static inline void check_cases(const reference_case *cases, int count) {
  for (int i = 0; i < count; i++) check_case(&cases[i]);
}
#define CHECK_CASES(cases) check_cases((cases), (int)(sizeof(cases) / sizeof *(cases)))

#endif
