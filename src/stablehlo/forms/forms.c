/* The table of forms, and the details that belong to single ops. */
#include "stablehlo/forms/forms.h"

#include <string.h>

enum { HLO_OP_ANY = HLO_OPCODE_COUNT };
_Static_assert(HLO_OPCODE_COUNT < 256, "an opcode's number fits in 8 bits");

const hlo_form hlo_forms[] = {
#define HLO_FORM(op, attribute, name, form) {HLO_OP_##op, HLO_ATTR_##attribute, HLO_FORM_##form, name},
#include "stablehlo/forms/forms.def"
#undef HLO_FORM
    {HLO_OP_ANY, HLO_ATTRIBUTE_COUNT, 0, NULL}};

const hlo_form *hlo_form_of(hlo_opcode opcode, hlo_attribute_id attribute) {
  const hlo_op_info *op = hlo_op(opcode);
  int i = 0;
  while (i < op->attribute_count && op->attributes[i].id != attribute) i++;
  if (i == op->attribute_count) return NULL;
  for (const hlo_form *form = hlo_forms; form->attribute != HLO_ATTRIBUTE_COUNT; form++)
    if (form->attribute == attribute && (form->opcode == opcode || form->opcode == HLO_OP_ANY)) return form;
  return NULL;
}

const hlo_form_dictionary *hlo_form_dictionary_of(hlo_opcode opcode) {
  static const hlo_form_dictionary rows[] = {{HLO_OP_DOT, "dot_dimension_numbers", "stablehlo.dot"},
                                             {HLO_OP_GATHER, "dimension_numbers", "stablehlo.gather"},
                                             {HLO_OP_SCATTER, "scatter_dimension_numbers", "stablehlo.scatter"},
                                             {HLO_OP_RAGGED_DOT, "ragged_dot_dimension_numbers", "chlo.ragged_dot"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].opcode == opcode) return &rows[i];
  return NULL;
}

const char *const *hlo_form_columns(hlo_opcode opcode, int *count) {
  static const char *const slice[] = {"start_indices", "limit_indices", "strides"};
  static const char *const pad[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  static const char *const window[] = {"window_dimensions", "window_strides",   "padding", NULL,
                                       "window_dilations",  "base_dilations", NULL};
  static const char *const convolution[] = {NULL,           "window_strides", "padding",        NULL,
                                            "rhs_dilation", "lhs_dilation",   "window_reversal"};
  *count = opcode == HLO_OP_SLICE || opcode == HLO_OP_PAD ? 3 : HLO_FORM_MOST_COLUMNS;
  switch (opcode) {
  case HLO_OP_SLICE: return slice;
  case HLO_OP_PAD: return pad;
  case HLO_OP_CONVOLUTION: return convolution;
  default: return window;
  }
}

const char *hlo_form_word(const char *enumerant) { return strncmp(enumerant, "rng_", 4) ? enumerant : enumerant + 4; }
