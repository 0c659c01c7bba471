/* StableHLO's operations, and how it writes what HLO's instructions say: tables for reading, checking, lowering and raising. */
#ifndef HLO_STABLEHLO_FORMS_H
#define HLO_STABLEHLO_FORMS_H

#include "graph/opcode.h"

typedef enum hlo_form_kind {
  HLO_FORM_INT, HLO_FORM_INT32, HLO_FORM_REAL, HLO_FORM_FLAG, HLO_FORM_FLAG_TRUE, HLO_FORM_FLAG_SET, HLO_FORM_UNIT, HLO_FORM_WORD,
  HLO_FORM_INTS, HLO_FORM_DIM, HLO_FORM_ENTRY, HLO_FORM_ENTRY_INT, HLO_FORM_COLUMNS, HLO_FORM_LABELS, HLO_FORM_GROUPS, HLO_FORM_CHANNEL,
  HLO_FORM_PRECISION, HLO_FORM_CARRIES, HLO_FORM_REGION, HLO_FORM_NONE
} hlo_form_kind;

/* One row of forms.def. */
typedef struct hlo_form {
  uint8_t opcode; /* HLO_OPCODE_COUNT: any */
  uint8_t attribute, kind;
  const char *name;
} hlo_form;

/* The rows in order, up to one without an attribute of any op, whose `attribute` is HLO_ATTRIBUTE_COUNT. */
extern const hlo_form hlo_forms[];
/* The row of an op's attribute; NULL where the op has no such attribute, or StableHLO does not say it. */
const hlo_form *hlo_form_of(hlo_opcode opcode, hlo_attribute_id attribute);

/* A row of operation_table.def: the name and behind it, each closed by a NUL, its words. */
typedef struct hlo_form_operation {
  const char *name;
  uint8_t opcode;
  int8_t regions;
  char like;
} hlo_form_operation;
extern const hlo_form_operation hlo_form_operations[];
typedef enum hlo_form_words { HLO_FORM_OPERANDS = 1, HLO_FORM_RESULTS, HLO_FORM_ATTRIBUTES } hlo_form_words;
const char *hlo_form_operation_words(const hlo_form_operation *operation, hlo_form_words words);
/* By name; NULL: there is none. */
const hlo_form_operation *hlo_form_operation_of(hlo_span name);
/* The name nearest to an unknown one: the same of another dialect, or one like it of its own; NULL: none is near. */
const char *hlo_form_nearest_operation(hlo_span name);
/* The first one of an opcode; NULL: there is none. */
const char *hlo_form_operation_name(hlo_opcode opcode);

/* The attribute that holds the ENTRYs of an op, and its mnemonic: dot_dimension_numbers = #stablehlo.dot<...>. */
typedef struct hlo_form_dictionary {
  uint8_t opcode;
  const char *name, *mnemonic;
} hlo_form_dictionary;
const hlo_form_dictionary *hlo_form_dictionary_of(hlo_opcode opcode); /* NULL: it has no ENTRYs */

/* The lists that COLUMNS stand for, in the order of the members of hlo_slice_dim, hlo_padding_dim and hlo_window_dim; NULL: none.
 * Both paddings of a window are in one list, of pairs. */
enum { HLO_FORM_MOST_COLUMNS = 7 };
const char *const *hlo_form_columns(hlo_opcode opcode, int *count);

/* THREE_FRY is what StableHLO says for rng_three_fry: in capitals, from here on. */
const char *hlo_form_word(const char *enumerant);
static inline char hlo_form_capital(char letter) { return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter; }

#endif
