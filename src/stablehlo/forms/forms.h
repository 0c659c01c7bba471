/* StableHLO's operations, and how it writes the attributes of HLO's instructions: tables that reading, checking, lowering and raising
 * share. */
#ifndef HLO_STABLEHLO_FORMS_FORMS_H
#define HLO_STABLEHLO_FORMS_FORMS_H

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"

typedef enum hlo_form_kind {
  HLO_FORM_INT, HLO_FORM_INT32, HLO_FORM_REAL, HLO_FORM_FLAG, HLO_FORM_FLAG_TRUE, HLO_FORM_FLAG_SET, HLO_FORM_UNIT, HLO_FORM_WORD,
  HLO_FORM_INTS, HLO_FORM_DIM, HLO_FORM_ENTRY, HLO_FORM_ENTRY_INT, HLO_FORM_COLUMNS, HLO_FORM_LABELS, HLO_FORM_GROUPS, HLO_FORM_CHANNEL,
  HLO_FORM_PRECISION, HLO_FORM_CARRIES, HLO_FORM_REGION, HLO_FORM_NONE
} hlo_form_kind;

/* One row of forms.def. */
typedef struct hlo_form {
  uint8_t opcode; /* HLO_OPCODE_COUNT: any op */
  uint8_t attribute, kind;
  const char *name;
} hlo_form;

/* The rows in order. After the last one comes a row whose `attribute` is HLO_ATTRIBUTE_COUNT. */
extern const hlo_form hlo_forms[];
/* Returns the row for an op's attribute; NULL if the op has no such attribute, or StableHLO does not. */
const hlo_form *hlo_form_of(hlo_opcode opcode, hlo_attribute_id attribute);

/* A row of operation_table.def, which explains the words. */
typedef struct hlo_form_operation {
  const char *name, *operands, *results, *attributes;
  hlo_opcode opcode;
  int regions;
  char like;
  uint8_t length; /* of the name */
} hlo_form_operation;
extern const hlo_form_operation hlo_form_operations[];
/* Finds an operation by name; NULL if there is none. */
const hlo_form_operation *hlo_form_operation_of(hlo_span name);
/* Returns the name nearest to an unknown one: the same name in another dialect, or a similar one in its own; NULL if none is near. */
const char *hlo_form_nearest_operation(hlo_span name);
/* Returns the name in the first row with this opcode; NULL if there is none. */
const char *hlo_form_operation_name(hlo_opcode opcode);

/* Returns the first of the names in a row's attributes, and moves past its word. */
hlo_span hlo_form_next_name(const char **attributes);
/* Returns whether a row's attributes have the name. */
bool hlo_form_has_name(const char *attributes, hlo_span name);

/* The attribute that holds an op's ENTRYs, and its mnemonic: dot_dimension_numbers = #stablehlo.dot<...>. */
typedef struct hlo_form_dictionary {
  uint8_t opcode;
  const char *name, *mnemonic;
} hlo_form_dictionary;
const hlo_form_dictionary *hlo_form_dictionary_of(hlo_opcode opcode); /* NULL: the op has no ENTRYs */

/* The names of the lists that COLUMNS stand for, in the order of the members of hlo_slice_dim, hlo_padding_dim and hlo_window_dim. NULL
 * stands for a member without a list: both paddings of a window are in one list, of pairs. */
enum { HLO_FORM_MOST_COLUMNS = 7 };
const char *const *hlo_form_columns(hlo_opcode opcode, int *count);

/* Returns StableHLO's word for an enumerant, still in lower case: three_fry for rng_three_fry. hlo_form_capital makes the capitals. */
const char *hlo_form_word(const char *enumerant);
static inline char hlo_form_capital(char letter) { return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter; }

#endif
