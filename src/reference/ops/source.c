/* Operations without operands: constants and counters. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

bool hlo_reference_constant(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result, hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal);
  return true;
}

/* Returns a count as a value of the type; integers wrap. */
static hlo_scalar count_as(hlo_type type, int64_t value) {
  if (hlo_type_is_float(type) || hlo_type_is_complex(type)) return (hlo_scalar){.f = (double)value};
  return (hlo_scalar){.s = value};
}

bool hlo_reference_iota(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result) {
  int dimension = (int)hlo_instruction_int(instruction, HLO_ATTR_iota_dimension, 0);
  const hlo_shape *shape = result->shape;
  int64_t count = hlo_shape_element_count(shape), stride = 1;
  for (int i = dimension + 1; i < shape->rank; i++) stride *= shape->dims[i];
  for (int64_t i = 0; i < count; i++)
    hlo_literal_set(result, i, count_as(shape->type, i / stride % shape->dims[dimension]));
  return true;
}
