/* The checks of conformance cases, as custom calls: check.expect_eq, expect_close, expect_almost_eq and eq.
 *
 * Operands are the value computed and the value expected. backend_config may hold "tolerance", or "max_ulp_difference" and
 * "min_ulp_difference":
 *
 *   custom-call(got, expected), custom_call_target="check.expect_close", backend_config={"max_ulp_difference":1} */
#include <math.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/comparator.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"

static double configured(const hlo_instruction *instruction, const char *name, double missing) {
  hlo_status ignored = {0};
  hlo_reader reader;
  double value;
  return hlo_config_find(instruction, name, &reader, &ignored) && hlo_reader_double(&reader, &value) ? value : missing;
}

static uint64_t steps(double ulp) { return ulp >= 0x1p63 ? UINT64_MAX : ulp > 0 ? (uint64_t)ulp : 0; }

static hlo_comparator comparator_of(const hlo_evaluation *evaluation, const hlo_instruction *instruction) {
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  hlo_comparator c = {.rule = HLO_AGREE_EQUAL};
  if (evaluation->host && evaluation->host->loose_checks) c.rule = HLO_AGREE_LOOSE;
  else if (hlo_span_is(target, "check.expect_close")) c.rule = HLO_AGREE_CLOSE;
  else if (hlo_span_is(target, "check.expect_almost_eq") || hlo_span_is(target, "check.eq")) c.rule = HLO_AGREE_ALMOST;
  c.max_ulp = steps(configured(instruction, "max_ulp_difference", 3));
  c.min_ulp = steps(configured(instruction, "min_ulp_difference", 0));
  c.tolerance = configured(instruction, "tolerance", 1e-4);
  return c;
}

static void write_place(hlo_writer *writer, const hlo_shape *shape, int64_t linear) {
  int64_t index[HLO_MAX_RANK];
  hlo_index_multi(shape->dims, shape->rank, linear, index);
  hlo_write_char(writer, '[');
  hlo_write_ints(writer, index, shape->rank, ",");
  hlo_write_char(writer, ']');
}

static void write_distance(hlo_writer *writer, const hlo_comparator *c, const hlo_difference *d) {
  if (c->rule == HLO_AGREE_EQUAL || !isfinite(d->distance)) return;
  hlo_write_format(writer, c->rule == HLO_AGREE_CLOSE ? ", %.17g ulp apart" : ", %g apart", d->distance);
  if (c->rule == HLO_AGREE_CLOSE)
    hlo_write_format(writer, " where %llu to %llu are allowed", (unsigned long long)c->min_ulp, (unsigned long long)c->max_ulp);
  if (c->rule == HLO_AGREE_ALMOST) hlo_write_format(writer, " where %g is allowed", c->tolerance);
}

/* Fails like this: check.expect_close add.3 (line 7): element [0,2] is 1.5, expected 2, ...; 3 of 9 elements differ */
static bool fail_with(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_comparator *c,
                      const hlo_shape *shape, const hlo_difference *d) {
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  hlo_writer writer;
  hlo_writer_init(&writer, evaluation->status);
  hlo_write_format(&writer, "%.*s %s does not hold: element ", (int)target.length, target.text, instruction->name);
  write_place(&writer, shape, d->index);
  hlo_write(&writer, " is ");
  hlo_scalar_write(&writer, shape->type, d->got);
  hlo_write(&writer, ", expected ");
  hlo_scalar_write(&writer, shape->type, d->expected);
  write_distance(&writer, c, d);
  hlo_write_format(&writer, "; %lld of %lld elements differ", (long long)d->count, (long long)hlo_shape_element_count(shape));
  hlo_fail_at(evaluation->status, HLO_CHECK, &(hlo_text_place){.line = instruction->line}, "%s",
              writer.text ? writer.text : "a check does not hold");
  hlo_writer_free(&writer);
  return false;
}

/* A check that gives a value gives pred[], which is true. */
bool hlo_builtin_expect_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const hlo_shape *result = instruction->shape;
  if (instruction->operand_count != 2 || !hlo_shape_is_array(operands[0]) || !hlo_shape_compatible(operands[0], operands[1]))
    return hlo_fail(status, HLO_SHAPE, "a check takes two arrays of the same shape");
  bool nothing = hlo_shape_is_tuple(result) && result->element_count == 0;
  if (nothing || (hlo_shape_is_array(result) && result->type == HLO_TYPE_PRED && result->rank == 0)) return true;
  return hlo_fail(status, HLO_SHAPE, "a check gives () or pred[], not %pS", result);
}

bool hlo_builtin_expect(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *const *operands,
                         hlo_literal *result) {
  hlo_comparator c = comparator_of(evaluation, instruction);
  hlo_difference difference;
  bool exact = hlo_span_is(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text, "check.eq") &&
               !hlo_type_is_float(operands[0]->shape->type) && !hlo_type_is_complex(operands[0]->shape->type);
  if (exact) c.rule = HLO_AGREE_EQUAL;
  if (!hlo_literals_agree(&c, operands[0], operands[1], &difference))
    return fail_with(evaluation, instruction, &c, operands[0]->shape, &difference);
  if (hlo_shape_is_array(result->shape)) hlo_literal_set_int(result, 0, 1);
  if (evaluation->host) evaluation->host->checks++;
  return true;
}
