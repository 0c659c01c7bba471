/* Shapes of the tests in this folder, read from text into one arena. */
#ifndef HLO_TESTS_PARSED_SHAPE_H
#define HLO_TESTS_PARSED_SHAPE_H

#include "shape/shape.h"
#include "unit.h"

static hlo_arena arena;

static inline const hlo_shape *parse(const char *text) {
  hlo_status status = {0};
  const hlo_shape *shape = hlo_shape_parse(&arena, text, strlen(text), &status);
  CHECK(shape, "%s: %s", text, status.message);
  return shape;
}

#endif
