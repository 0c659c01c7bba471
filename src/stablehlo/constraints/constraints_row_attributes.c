/* Checks the attributes of an operation against the words of its row. */
#include <string.h>

#include "base/nearest_name.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/element_type.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/constraints/constraints_row.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"

enum { MOST_MISSPELT = 2 }; /* an attribute's name within this many edits of a known one counts as misspelt */

/* Returns whether the attribute is an integer of the type. Pretty forms give no type. */
static bool is_integer(const hlo_mlir_attribute *a, hlo_type type) {
  return a->kind == HLO_MLIR_INT && (type == HLO_TYPE_S64 || a->integer == (int32_t)a->integer) &&
         (!a->type || (a->type->kind == HLO_MLIR_SCALAR && a->type->element == type && !a->type->is_index));
}

static bool is_structure(const hlo_mlir_attribute *a, const char *name) {
  const char *dot = memchr(a->text.text ? a->text.text : "", '.', a->text.length);
  return a->kind == HLO_MLIR_DICT && dot && hlo_span_is((hlo_span){dot + 1, a->text.length - (size_t)(dot + 1 - a->text.text)}, name);
}

static bool is_channel_handle(const hlo_mlir_attribute *a) {
  const hlo_mlir_attribute *handle = hlo_mlir_entry(a, "handle"), *type = hlo_mlir_entry(a, "type");
  return is_structure(a, "channel_handle") && handle && is_integer(handle, HLO_TYPE_S64) && type && is_integer(type, HLO_TYPE_S64);
}

static bool is_list(const hlo_mlir_attribute *a, hlo_type element) {
  if (a->kind == HLO_MLIR_DENSE) return a->literal && a->literal->shape->type == element;
  return a->kind == HLO_MLIR_ARRAY;
}

static bool is_flat(const hlo_mlir_attribute *a) { return hlo_check_view(a).rank <= 1; }

static bool are_pairs(const hlo_mlir_attribute *a) {
  hlo_check_list list = hlo_check_view(a);
  return list.rank == 2 ? list.dims[1] == 2 : list.count == 0;
}

/* Groups along the axes of a mesh: returns whether the module has that mesh. */
static bool has_mesh(const hlo_check *c, const hlo_mlir_attribute *groups) {
  const hlo_mlir_attribute *mesh = hlo_mlir_entry(groups, "mesh");
  if (!mesh || mesh->kind != HLO_MLIR_SYMBOL) return true;
  for (int i = 0; i < c->tree->body.op_count; i++) {
    const hlo_mlir_attribute *symbol = hlo_mlir_find(c->tree->body.ops[i], "sym_name");
    if (symbol && hlo_span_equal(symbol->text, mesh->text)) return true;
  }
  return false;
}

static bool are_groups(const hlo_check *c, const hlo_mlir_attribute *a) {
  if (a->kind == HLO_MLIR_DICT) return has_mesh(c, a);
  return is_list(a, HLO_TYPE_S64) || a->kind == HLO_MLIR_RAW || a->kind == HLO_MLIR_ENUM;
}

static bool are_precisions(const hlo_mlir_attribute *a) {
  static const char *const names[] = {"DEFAULT", "HIGH", "HIGHEST", "PACKED_NIBBLE"};
  if (a->kind != HLO_MLIR_ARRAY || a->count > 2) return false;
  for (int i = 0; i < a->count; i++) {
    bool known = false;
    for (size_t j = 0; j < sizeof names / sizeof *names; j++)
      known = known || (a->elements[i]->kind == HLO_MLIR_ENUM && hlo_span_is(a->elements[i]->text, names[j]));
    if (!known) return false;
  }
  return true;
}

/* Returns what the attribute must be; NULL if it is. */
static const char *attribute_problem(const hlo_check *c, const hlo_mlir_attribute *a, const char *kind) {
  bool integer = is_integer(a, kind[1] == '3' ? HLO_TYPE_S32 : HLO_TYPE_S64);
  switch (*kind) {
    case 'n': return integer && a->integer >= 0 ? NULL : "an integer that is not negative";
    case '+': return integer && a->integer > 0 ? NULL : "a positive integer";
    case 'i': return integer ? NULL : "an integer";
    case 'b': return a->kind == HLO_MLIR_BOOL ? NULL : "true or false";
    case 'u': return a->kind == HLO_MLIR_UNIT ? NULL : "a unit";
    case 'h': return is_channel_handle(a) ? NULL : "a channel handle";
    case 'r': return is_structure(a, "result_accuracy") ? NULL : "a result accuracy";
    case 'D': return is_structure(a, "dot_algorithm") ? NULL : "a dot algorithm";
    case 'd': return a->kind == HLO_MLIR_DICT ? NULL : "a dictionary";
    case 'm': return is_list(a, HLO_TYPE_S64) && a->kind == HLO_MLIR_DENSE && a->type ? NULL : "a tensor of i64";
    case 'l': return is_list(a, HLO_TYPE_S64) && is_flat(a) ? NULL : "a list of i64";
    case 'L': return is_list(a, HLO_TYPE_PRED) && is_flat(a) ? NULL : "a list of i1";
    case 'w': return is_list(a, HLO_TYPE_S64) && are_pairs(a) ? NULL : "pairs of i64";
    case 'g': return are_groups(c, a) ? NULL : "replica groups, or those of a mesh in the module";
    case 's': return a->kind == HLO_MLIR_STRING ? NULL : "a string";
    case '@': return a->kind == HLO_MLIR_SYMBOL ? NULL : "the name of a function";
    case 'e': return a->kind == HLO_MLIR_ENUM || a->kind == HLO_MLIR_STRING ? NULL : "one of an enumeration's words";
    case 'P': return are_precisions(a) ? NULL : "a list of at most two precisions";
    default: return NULL;
  }
}

/* Attributes that a row does not list are allowed, as annotations. But one whose name is nearly that of an attribute that is missing
 * is taken for a misspelt one, and refused. */
static bool check_spelling(const hlo_check *c, const char *words) {
  for (int i = 0; i < c->op->attribute_count; i++) {
    hlo_nearest_name nearest = {.name = c->op->attributes[i].name};
    if (memchr(nearest.name.text, '.', nearest.name.length) || hlo_form_has_name(words, nearest.name)) continue;
    for (const char *left = words; *left;) {
      hlo_span listed = hlo_form_next_name(&left);
      bool given = false;
      for (int j = 0; j < c->op->attribute_count; j++) given |= hlo_span_equal(listed, c->op->attributes[j].name);
      if (!given) hlo_nearest_name_offer(&nearest, listed);
    }
    if (nearest.best.length && nearest.distance <= MOST_MISSPELT)
      return hlo_check_fail(c, "has no attribute %pN%s", &nearest.name, HLO_DID_YOU_MEAN(&nearest, ""));
  }
  return true;
}

/* Checks that dimension numbers have only entries that the op has. */
static bool check_entries(const hlo_check *c, hlo_opcode opcode) {
  const hlo_form_dictionary *form = hlo_form_dictionary_of(opcode);
  const hlo_mlir_attribute *given = form ? hlo_mlir_find(c->op, form->name) : NULL;
  if (!given || given->kind != HLO_MLIR_DICT) return true;
  for (int i = 0; i < given->count; i++) {
    hlo_nearest_name nearest = {.name = given->names[i]};
    bool known = false;
    for (int j = 0; j < hlo_op(opcode)->attribute_count && !known; j++) {
      const hlo_form *entry = hlo_form_of(opcode, (hlo_attribute_id)hlo_op(opcode)->attributes[j].id);
      if (!entry || (entry->kind != HLO_FORM_ENTRY && entry->kind != HLO_FORM_ENTRY_INT)) continue;
      known = hlo_span_is(nearest.name, entry->name);
      hlo_nearest_name_offer(&nearest, hlo_span_of(entry->name));
    }
    if (!known) return hlo_check_fail(c, "%s has no %pN%s", form->name, &nearest.name, HLO_DID_YOU_MEAN(&nearest, ""));
  }
  return true;
}

static bool check_kinds(const hlo_check *c, const char *words) {
  for (const char *w = words; *w; w += strspn(w, " ")) {
    size_t length = strcspn(w, " "), name_length = strcspn(w, ":");
    char name[48] = {0};
    memcpy(name, w, name_length);
    const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
    if (!a && w[length - 1] != '?') return hlo_check_fail(c, "requires attribute %s", name);
    const char *wanted = a ? attribute_problem(c, a, w + name_length + 1) : NULL;
    if (wanted) return hlo_check_fail(c, "attribute %s must be %s, got %pA", name, wanted, a);
    w += length;
  }
  for (int i = 0; i < c->op->attribute_count; i++) {
    const char *problem = hlo_mlir_attribute_problem(c->op->attributes[i].value);
    if (problem) return hlo_check_fail(c, "attribute %pN %s", &c->op->attributes[i].name, problem);
  }
  return true;
}

bool hlo_check_row_attributes(const hlo_check *c, const hlo_form_operation *row) {
  return check_spelling(c, row->attributes) && check_entries(c, row->opcode) && check_kinds(c, row->attributes);
}
