/* Walks a tree and checks every operation against its row: counts, classes of types, attributes, regions; then its rule. */
#include "stablehlo/constraints/constraints.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/constraints/constraints_row.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"

bool hlo_check_nothing(const hlo_check *c) { return c != NULL; }

/* The rules of operation_table.def, in its order. */
static hlo_check_rule *const rules[] = {
#define no_rule hlo_check_nothing
#define OPERATION(name, opcode, lowering, operands, results, attributes, regions, like, rule) rule,
#include "stablehlo/forms/operation_table.def"
#undef OPERATION
#undef no_rule
};

bool hlo_check_fail(const hlo_check *c, const char *format, ...) {
  char message[HLO_STATUS_MESSAGE_BYTES];
  hlo_mlir_place place = {c->tree, c->op};
  va_list arguments;
  va_start(arguments, format);
  hlo_format_things(message, sizeof message, hlo_mlir_thing, &place, format, arguments);
  va_end(arguments);
  return hlo_fail_at(c->status, HLO_SHAPE, &c->op->place, "%.*s: %s", (int)c->op->name.length, c->op->name.text, message);
}

static bool check_row(const hlo_check *c, const hlo_form_operation *row) {
  if (row->regions >= 0 && c->op->region_count != row->regions)
    return hlo_check_fail(c, "takes %d region%s, got %d", row->regions, row->regions == 1 ? "" : "s", c->op->region_count);
  return hlo_check_row_classes(c, row->operands, true) && hlo_check_row_classes(c, row->results, false) && hlo_check_row_attributes(c, row) &&
         hlo_check_row_like(c, row) && hlo_check_row_numbers(c, row) && rules[row - hlo_form_operations](c);
}

static void find_definers(const hlo_mlir_block *block, const hlo_mlir_op **definers) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    for (int j = 0; j < op->result_count; j++) definers[op->first_result + j] = op;
    for (int j = 0; j < op->region_count; j++) find_definers(&op->regions[j].block, definers);
  }
}

static bool check_place(const hlo_check *c, const hlo_mlir_block *block, int i) {
  if (hlo_mlir_is_return(c->op) && i + 1 < block->op_count) return hlo_check_fail(c, "must be the last operation of its block");
  const hlo_mlir_attribute *name = hlo_span_is(c->op->name, "func.func") ? hlo_mlir_find(c->op, "sym_name") : NULL;
  if (!name || block != &c->tree->body || hlo_mlir_function(c->tree, name->text) == c->op) return true;
  return hlo_check_fail(c, "there is another function @%pN", &name->text);
}

/* Checks an operation before those inside it: they are checked against the signatures of its regions. */
static bool check_block(const hlo_check *outer, const hlo_mlir_block *block) {
  hlo_check c = *outer;
  for (int i = 0; i < block->op_count; i++) {
    c.op = block->ops[i];
    const hlo_form_operation *row = hlo_form_operation_of(c.op->name);
    if (!check_place(&c, block, i) || (row && !check_row(&c, row))) return false;
    for (int j = 0; j < c.op->region_count; j++)
      if (!check_block(&c, &c.op->regions[j].block)) return false;
    if (hlo_span_is(c.op->name, "func.func") && !hlo_check_function_returns(&c)) return false;
  }
  return true;
}

bool hlo_stablehlo_check_constraints(const hlo_mlir *tree, hlo_status *status) {
  const hlo_mlir_op **definers = calloc((size_t)tree->value_count + 1, sizeof *definers);
  if (!definers) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d values", tree->value_count);
  find_definers(&tree->body, definers);
  hlo_check c = {tree, NULL, definers, status};
  bool ok = check_block(&c, &tree->body);
  free(definers);
  return ok;
}
