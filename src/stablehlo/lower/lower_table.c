/* The table of rules that lower operations. */
#include <stdarg.h>

#include "base/format.h"
#include "base/status.h"
#include "graph/module.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

/* For operations of which nothing remains. */
#define hlo_lower_nothing NULL

/* The rules of operation_table.def, in its order. */
static hlo_lower_rule *const rules[] = {
#define OPERATION(name, opcode, lowering, ...) hlo_lower_##lowering,
#include "stablehlo/forms/operation_table.def"
#undef OPERATION
};

bool hlo_lower_fail(const hlo_lower_call *c, hlo_code code, const char *format, ...) {
  char message[HLO_STATUS_MESSAGE_BYTES];
  va_list arguments;
  hlo_mlir_place place = {c->l->tree, c->op};
  va_start(arguments, format);
  hlo_format_things(message, sizeof message, hlo_mlir_thing, &place, format, arguments);
  va_end(arguments);
  return hlo_fail_at(c->l->status, code, &c->op->place, "%.*s: %s", (int)c->op->name.length, c->op->name.text, message);
}

static bool has_place(const hlo_lower_call *c, int result) {
  return hlo_mlir_result_type(c->l->tree, c->op, result)->kind == HLO_MLIR_FUTURE || hlo_lower_result_shape(c, result);
}

bool hlo_lower_op(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op) {
  hlo_lower_call c = {.l = l, .computation = computation, .op = op};
  const hlo_form_operation *row = hlo_form_operation_of(op->name);
  hlo_lower_rule *rule = row ? rules[row - hlo_form_operations] : NULL;
  if (!rule) {
    const char *nearest = hlo_form_nearest_operation(op->name);
    return hlo_lower_fail(&c, HLO_UNKNOWN_OP, nearest ? "no operation of this name is known; did you mean '%s'?" : "no operation of this name is known", nearest);
  }
  c.opcode = row->opcode;
  for (int i = 0; i < op->result_count; i++)
    if (!has_place(&c, i)) return false;
  c.expressed = hlo_lower_works_expressed(&c);
  if (rule(&c)) return true;
  if (hlo_ok(l->status)) return hlo_lower_fail(&c, HLO_INTERNAL, "lowering failed without a reason");
  return false;
}
