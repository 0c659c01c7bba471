/* The checks of an operation against its row of operation_table.def. All return false after a failure. */
#ifndef HLO_STABLEHLO_CONSTRAINTS_CONSTRAINTS_ROW_H
#define HLO_STABLEHLO_CONSTRAINTS_CONSTRAINTS_ROW_H

#include "stablehlo/constraints/constraints.h"
#include "stablehlo/forms/forms.h"

/* Checks the number of operands or results, and the class of each, against their words in the row. */
bool hlo_check_row_classes(const hlo_check *c, const char *words, bool operands);
/* Checks that attributes are there, known, and of the kinds in the row. */
bool hlo_check_row_attributes(const hlo_check *c, const hlo_form_operation *row);
/* Checks which types must have the same elements, as the row's `like` says. */
bool hlo_check_row_like(const hlo_check *c, const hlo_form_operation *row);
/* Checks operands that hold an integer for each dimension: those with '#' or '%' in their words. */
bool hlo_check_row_numbers(const hlo_check *c, const hlo_form_operation *row);

#endif
