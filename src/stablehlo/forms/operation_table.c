/* Looks up operations by name and by opcode, and the names of their attributes. */
#include <string.h>

#include "base/nearest_name.h"
#include "base/text_reader.h"
#include "graph/opcode.h"
#include "stablehlo/forms/forms.h"

const hlo_form_operation hlo_form_operations[] = {
#define OPERATION(name, opcode, lowering, operands, results, attributes, regions, like, rule) \
  {name, operands, results, attributes, HLO_OP_##opcode, regions, like, sizeof name - 1},
#include "stablehlo/forms/operation_table.def"
#undef OPERATION
};
enum { OPERATIONS = sizeof hlo_form_operations / sizeof *hlo_form_operations };

const hlo_form_operation *hlo_form_operation_of(hlo_span name) {
  for (const hlo_form_operation *row = hlo_form_operations; row < hlo_form_operations + OPERATIONS; row++)
    if (hlo_span_equal((hlo_span){row->name, row->length}, name)) return row;
  return NULL;
}

static hlo_span behind_dialect(hlo_span name) {
  const char *dot = memchr(name.text, '.', name.length);
  return dot ? (hlo_span){dot + 1, name.length - (size_t)(dot + 1 - name.text)} : name;
}

const char *hlo_form_nearest_operation(hlo_span name) {
  hlo_nearest_name nearest = {.name = behind_dialect(name)};
  size_t dialect = name.length - nearest.name.length;
  for (const hlo_form_operation *row = hlo_form_operations; row < hlo_form_operations + OPERATIONS; row++) {
    hlo_span known = behind_dialect(hlo_span_of(row->name));
    if (hlo_span_equal(known, nearest.name)) return row->name;
    if (strncmp(row->name, name.text, dialect) == 0) hlo_nearest_name_offer(&nearest, known);
  }
  return nearest.best.length ? nearest.best.text - dialect : NULL;
}

const char *hlo_form_operation_name(hlo_opcode opcode) {
  for (const hlo_form_operation *row = hlo_form_operations; row < hlo_form_operations + OPERATIONS; row++)
    if (row->opcode == opcode) return row->name;
  return NULL;
}

hlo_span hlo_form_next_name(const char **attributes) {
  hlo_span name = {*attributes, strcspn(*attributes, " :")};
  *attributes += strcspn(*attributes, " ");
  *attributes += **attributes == ' ';
  return name;
}

bool hlo_form_has_name(const char *attributes, hlo_span name) {
  while (*attributes)
    if (hlo_span_equal(hlo_form_next_name(&attributes), name)) return true;
  return false;
}
