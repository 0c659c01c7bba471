/* Raises ops whose attributes are all rows of forms.def: operands, attributes and regions follow from the tables. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/raise/raise.h"

/* Makes [#stablehlo<precision HIGHEST>, ...] from {highest,default}; NULL if the text is anything else. */
static const hlo_mlir_attribute *precision(const hlo_raise_call *c) {
  static const char *const words[] = {"default", "high", "highest"};
  const hlo_attribute *given = hlo_instruction_attribute(c->instruction, HLO_ATTR_operand_precision);
  const hlo_mlir_attribute *elements[2];
  hlo_status ignored = {0};
  hlo_reader reader;
  if (!given) return NULL;
  hlo_reader_init(&reader, given->text.text, given->text.length, &ignored);
  hlo_reader_accept(&reader, "{");
  for (int i = 0; i < 2; i++) {
    int found = 0;
    hlo_span word = hlo_reader_name(&reader);
    while (found < 3 && !hlo_span_is(word, words[found])) found++;
    if (found == 3 || !(elements[i] = hlo_raise_word(c->r, words[found])) || !hlo_reader_accept(&reader, i ? "}" : ","))
      return NULL;
  }
  return hlo_raise_list(c->r, elements, 2);
}

/* ---- Lists with a value for each dimension ---- */

/* The columns of a convolution without a window. */
static const int8_t plain[HLO_FORM_MOST_COLUMNS] = {1, 1, 0, 0, 1, 1, 0};

static void push_columns(const hlo_raise_call *c, hlo_attribute_id id, hlo_raise_attributes *list) {
  int count, rank;
  hlo_opcode opcode = c->instruction->opcode;
  const char *const *names = hlo_form_columns(opcode, &count);
  const hlo_attribute *given = hlo_instruction_attribute(c->instruction, id);
  hlo_rows rows = given ? hlo_attribute_rows(given) : (hlo_rows){0};
  const hlo_attribute *labels = hlo_instruction_attribute(c->instruction, HLO_ATTR_dim_labels);
  rank = labels ? labels->dim_labels->spatial_rank : rows.rank;
  for (int k = 0; k < count && !(opcode == HLO_OP_SELECT_AND_SCATTER && k > 3); k++) {
    int64_t values[2 * HLO_MAX_RANK], dims[2] = {rank, 2};
    if (!names[k]) continue;
    bool pairs = strcmp(names[k], "padding") == 0;
    for (int i = 0; i < rank << pairs; i++) {
      int column = k + (pairs ? i & 1 : 0);
      values[i] = i >> pairs < rows.rank ? rows.values[(i >> pairs) * count + column] : plain[column];
    }
    hlo_type type = k < 6 ? HLO_TYPE_S64 : HLO_TYPE_PRED;
    hlo_raise_push(list, names[k], pairs ? hlo_raise_dense(c->r, values, dims, 2, false) : hlo_raise_array(c->r, type, values, rank));
  }
}

/* ---- The other forms ---- */

static hlo_ints list_of(const hlo_raise_call *c, hlo_attribute_id id) {
  hlo_ints values = *hlo_instruction_ints(c->instruction, id);
  if (c->instruction->opcode == HLO_OP_DOT) {
    hlo_dot_dims dims = hlo_dot_dims_of(c->instruction);
    const hlo_ints all[] = {dims.lhs_batch, dims.rhs_batch, dims.lhs_contracting, dims.rhs_contracting};
    return all[id - HLO_ATTR_lhs_batch_dims];
  }
  if (c->instruction->opcode == HLO_OP_MAP) { /* all dimensions, in order */
    int64_t *dims = hlo_arena_many(c->r->arena, int64_t, c->instruction->shape->rank, c->r->status);
    values = (hlo_ints){dims, dims ? c->instruction->shape->rank : 0};
    for (int i = 0; i < values.count; i++) dims[i] = i;
  }
  return values;
}

static void push_segments(const hlo_raise_call *c, hlo_raise_attributes *list) {
  int64_t carries = hlo_instruction_int(c->instruction, HLO_ATTR_num_carries, 0);
  int results;
  if (!hlo_raise_leaf_shapes(c->r, c->instruction->shape, &results)) return;
  int64_t operands[2] = {c->instruction->operand_count - carries, carries}, given[2] = {results - carries, carries};
  hlo_raise_push(list, "operandSegmentSizes", hlo_raise_array(c->r, HLO_TYPE_S32, operands, 2));
  hlo_raise_push(list, "resultSegmentSizes", hlo_raise_array(c->r, HLO_TYPE_S32, given, 2));
}

static const hlo_mlir_attribute *flag(const hlo_raise_call *c, hlo_form_kind kind, bool value) {
  if (!value && kind != HLO_FORM_FLAG) return NULL;
  return kind == HLO_FORM_UNIT ? hlo_raise_text(c->r, HLO_MLIR_UNIT, "", 0) : hlo_raise_bool(c->r, value);
}

static const hlo_mlir_attribute *word(const hlo_raise_call *c, hlo_attribute_id id) {
  int value = hlo_instruction_enum(c->instruction, id, id == HLO_ATTR_comparison_type ? -1 : 0);
  return value < 0 ? NULL : hlo_raise_word(c->r, hlo_form_word(hlo_attribute_enum_names(hlo_attribute_kind_of(id))[value]));
}

/* Makes the value of a form that is a single attribute; NULL if there is none. */
static const hlo_mlir_attribute *value_of(const hlo_raise_call *c, const hlo_form *form) {
  hlo_attribute_id id = (hlo_attribute_id)form->attribute;
  const hlo_instruction *instruction = c->instruction;
  int64_t missing = id == HLO_ATTR_feature_group_count || id == HLO_ATTR_batch_group_count;
  hlo_ints list = {0};
  if (form->kind == HLO_FORM_INTS || form->kind == HLO_FORM_ENTRY || form->kind == HLO_FORM_DIM) list = list_of(c, id);
  switch ((hlo_form_kind)form->kind) {
  case HLO_FORM_INT: case HLO_FORM_INT32: case HLO_FORM_ENTRY_INT:
    return hlo_raise_int(c->r, form->kind == HLO_FORM_INT32 ? HLO_TYPE_S32 : HLO_TYPE_S64, hlo_instruction_int(instruction, id, missing));
  case HLO_FORM_REAL: return hlo_raise_f32(c->r, hlo_instruction_attribute(instruction, id)->real);
  case HLO_FORM_FLAG: case HLO_FORM_FLAG_SET: case HLO_FORM_UNIT:
    return flag(c, form->kind, hlo_instruction_bool(instruction, id, false));
  case HLO_FORM_WORD: return word(c, id);
  case HLO_FORM_INTS: return hlo_raise_array(c->r, HLO_TYPE_S64, list.data, list.count);
  case HLO_FORM_DIM: return hlo_raise_int(c->r, HLO_TYPE_S64, list.count ? list.data[0] : 0);
  case HLO_FORM_ENTRY: return hlo_raise_int_list(c->r, list);
  case HLO_FORM_LABELS: return hlo_raise_labels(c);
  case HLO_FORM_GROUPS: return hlo_raise_groups(c, id);
  case HLO_FORM_CHANNEL: return hlo_raise_channel(c, 1);
  case HLO_FORM_PRECISION: return precision(c);
  default: return NULL;
  }
}

static void sort_by_name(hlo_raise_attributes *list) {
  for (int i = 1; i < list->count; i++)
    for (int k = i; k > 0 && strcmp(list->items[k - 1].name.text, list->items[k].name.text) > 0; k--) {
      hlo_mlir_named moved = list->items[k];
      list->items[k] = list->items[k - 1];
      list->items[k - 1] = moved;
    }
}

bool hlo_raise_forms(const hlo_raise_call *c, hlo_raise_attributes *list, hlo_mlir_region *regions, int *region_count) {
  const char *names[8];
  const hlo_mlir_attribute *elements[8];
  hlo_opcode opcode = c->instruction->opcode;
  int entries = 0;
  for (const hlo_form *form = hlo_forms; form->attribute != HLO_ATTRIBUTE_COUNT; form++) {
    hlo_attribute_id id = (hlo_attribute_id)form->attribute;
    if (hlo_form_of(opcode, id) != form) continue;
    if (form->kind == HLO_FORM_COLUMNS) push_columns(c, id, list);
    else if (form->kind == HLO_FORM_CARRIES) push_segments(c, list);
    else if (form->kind == HLO_FORM_REGION) {
      regions[*region_count] = (hlo_mlir_region){.block_count = 0};
      int computation = hlo_instruction_attribute(c->instruction, id)->computation;
      if (!hlo_raise_region(c, computation, &regions[(*region_count)++])) return false;
    } else if (form->kind == HLO_FORM_ENTRY || form->kind == HLO_FORM_ENTRY_INT) {
      names[entries] = form->name;
      elements[entries++] = value_of(c, form);
    } else {
      hlo_raise_push(list, form->name, value_of(c, form));
    }
  }
  if (entries) {
    const hlo_form_dictionary *dictionary = hlo_form_dictionary_of(opcode);
    hlo_raise_push(list, dictionary->name, hlo_raise_dictionary(c->r, dictionary->mnemonic, names, elements, entries));
  }
  sort_by_name(list);
  return hlo_ok(c->r->status);
}

bool hlo_raise_formed(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  hlo_mlir_region regions[2];
  int region_count = 0, count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_forms(c, &list, regions, &region_count) &&
         hlo_raise_finish(c, c->name, operands, count, &list, regions, region_count);
}
