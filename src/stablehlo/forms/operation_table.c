/* The table of operations. */
#include "stablehlo/forms/forms.h"

#include <string.h>

const hlo_form_operation hlo_form_operations[] = {
#define OPERATION(name, opcode, lowering, operands, results, attributes, regions, like, rule) \
  {name "\0" operands "\0" results "\0" attributes, HLO_OP_##opcode, regions, like},
#include "stablehlo/forms/operation_table.def"
#undef OPERATION
};
enum { OPERATIONS = sizeof hlo_form_operations / sizeof *hlo_form_operations };

const char *hlo_form_operation_words(const hlo_form_operation *operation, hlo_form_words words) {
  const char *text = operation->name;
  for (int i = 0; i < (int)words; i++) text += strlen(text) + 1;
  return text;
}

const hlo_form_operation *hlo_form_operation_of(hlo_span name) {
  for (const hlo_form_operation *row = hlo_form_operations; row < hlo_form_operations + OPERATIONS; row++)
    if (hlo_span_is(name, row->name)) return row;
  return NULL;
}

const char *hlo_form_operation_name(hlo_opcode opcode) {
  for (const hlo_form_operation *row = hlo_form_operations; row < hlo_form_operations + OPERATIONS; row++)
    if (row->opcode == opcode) return row->name;
  return NULL;
}
