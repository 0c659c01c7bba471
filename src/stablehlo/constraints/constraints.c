/* Walks a tree and checks every operation against its row: counts, classes of types, attributes, regions; then its rule. */
#include "stablehlo/constraints/constraints.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/nearest_name.h"
#include "stablehlo/forms/forms.h"

enum { MOST_MISSPELT = 2 }; /* edits between the name of an attribute and what is taken for it, misspelt */

typedef struct constraint_row {
  const char *operands, *results, *attributes;
  int regions;
  char like;
  hlo_check_rule *rule;
  hlo_opcode opcode;
} constraint_row;

bool hlo_check_nothing(const hlo_check *c) { return c != NULL; }

static const hlo_mlir_type *typed(const hlo_check *c, bool operands, int i) {
  return operands ? hlo_mlir_operand_type(c->tree, c->op, i) : hlo_mlir_result_type(c->tree, c->op, i);
}

/* As operation_table.def lists them. */
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

/* The value of an operand that a constant makes; NULL when it is not known. */
static const hlo_mlir_attribute *constant_of(const hlo_check *c, int i) {
  const hlo_mlir_op *definer = c->definers[c->op->operands[i]];
  if (!definer || (!hlo_span_is(definer->name, "stablehlo.constant") && !hlo_span_is(definer->name, "arith.constant"))) return NULL;
  const hlo_mlir_attribute *value = hlo_mlir_find(definer, "value");
  bool fits = value && value->kind == HLO_MLIR_DENSE && value->literal && hlo_type_is_integral(value->literal->shape->type) &&
              hlo_shape_same_dims(value->literal->shape, hlo_check_operand_shape(c, i));
  return fits ? value : NULL; /* else lowering refuses the constant */
}

/* ---- Classes of types ---- */

static const char *letters_of(char letter) {
  switch (letter) {
    case 'T': return "pifcq";
    case 'A': return "pifcqa";
    case 'V': return "pifcqakt";
    default: return NULL;
  }
}

static bool element_is(const hlo_mlir_type *type, char letter) {
  const hlo_shape *shape = hlo_check_tensor(type);
  if (!shape) return false;
  if (type->is_index) return letter == 'I';
  if (shape->quantization) return letter == (hlo_check_per_axis(shape) ? 'a' : 'q');
  switch (letter) {
    case 'p': return shape->type == HLO_TYPE_PRED;
    case 'i':
    case 'I': return hlo_type_is_integral(shape->type);
    case 's': return hlo_type_is_signed(shape->type);
    case 'f': return hlo_type_is_float(shape->type);
    case 'd': return shape->type == HLO_TYPE_F32 || shape->type == HLO_TYPE_F64;
    case 'c': return hlo_type_is_complex(shape->type);
    case 'w': return shape->type == HLO_TYPE_S32;
    case 'U': return shape->type == HLO_TYPE_U32;
    default: return false;
  }
}

static bool is_class(const hlo_mlir_type *type, char letter) {
  const char *letters = letters_of(letter);
  for (; letters && *letters; letters++)
    if (is_class(type, *letters)) return true;
  switch (letter) {
    case 'X': return true;
    case 'k': return type->kind == HLO_MLIR_SHAPED && hlo_shape_is_token(type->shape);
    case 't': return hlo_check_is_tuple(type);
    case 'm': return hlo_check_is_buffer(type);
    case 'F': return type->kind == HLO_MLIR_FUTURE;
    default: return element_is(type, letter);
  }
}

static const char *class_name(char letter) {
  switch (letter) {
    case 'p': return "i1";
    case 'i': return "integers";
    case 'I': return "integers or index";
    case 's': return "signed integers";
    case 'f': return "floats";
    case 'd': return "f32 or f64";
    case 'c': return "complex numbers";
    case 'q': return "numbers quantized per tensor";
    case 'a': return "numbers quantized per axis";
    case 'w': return "i32";
    case 'U': return "ui32";
    case 'k': return "or a token";
    case 't': return "or a tuple";
    case 'm': return "or a buffer";
    case 'F': return "or a future";
    default: return "any type";
  }
}

/* "a tensor of rank 0 of integers, floats" */
static void describe(const char *word, size_t length, char *buffer, size_t size) {
  size_t used = (size_t)hlo_format(buffer, size, "a tensor");
  for (size_t i = 0; i < length; i++) {
    if (word[i] >= '0' && word[i] <= '2') used += (size_t)hlo_format(buffer + used, size - used, " of rank %c", word[i]);
    if (word[i] == '=') used += (size_t)hlo_format(buffer + used, size - used, " of static shape");
    if (word[i] == '<') used += (size_t)hlo_format(buffer + used, size - used, " of static or bounded shape");
  }
  const char *separator = " of ";
  for (size_t i = 0; i < length && used + 60 < size; i++) {
    if (strchr("012=<#%*", word[i])) continue;
    const char *letters = letters_of(word[i]) ? letters_of(word[i]) : (char[2]){word[i], 0};
    for (; *letters && used + 60 < size; letters++) {
      bool other = strchr("ktmF", *letters) != NULL;
      used += (size_t)hlo_format(buffer + used, size - used, "%s%s", other ? " " : separator, class_name(*letters));
      if (!other) separator = ", ";
    }
  }
}

/* NULL when the type fits the word of a row. */
static const char *class_problem(const hlo_mlir_type *type, const char *word, size_t length) {
  const hlo_shape *shape = hlo_check_tensor(type);
  bool found = false;
  for (size_t i = 0; i < length && !found; i++) found = is_class(type, word[i]);
  if (!found) return "";
  if (!shape) return NULL;
  for (size_t i = 0; i < length; i++) {
    if (word[i] >= '0' && word[i] <= '2' && shape->rank != word[i] - '0') return "";
    if (word[i] == '=' && !hlo_shape_is_static(shape)) return "";
    if (word[i] == '<' && hlo_shape_has_unbounded(shape)) return "";
  }
  return hlo_check_quantization_problem(shape);
}

/* An operand that holds a number for each dimension of a shape; and, where it says the shape itself, the right ones. */
static bool check_numbers(const hlo_check *c, int operand, const hlo_shape *shape, bool sizes) {
  const hlo_shape *list = hlo_check_operand_shape(c, operand);
  const hlo_mlir_attribute *known = sizes ? constant_of(c, operand) : NULL;
  if (hlo_shape_is_static(list) && list->dims[0] != shape->rank)
    return hlo_check_fail(c, "operand %d must hold a number for each dimension of %pS, got %pT", operand, shape,
                          typed(c, true, operand));
  for (int i = 0; known && i < shape->rank; i++)
    if (hlo_shape_dim_kind(shape, i) == HLO_DIM_STATIC && hlo_literal_get(known->literal, i).s != shape->dims[i])
      return hlo_check_fail(c, "operand %d must hold the sizes of %pS, got %pA", operand, shape, known);
  return true;
}

static bool check_class(const hlo_check *c, bool operands, int index, const char *word, size_t length) {
  const hlo_mlir_type *type = typed(c, operands, index);
  const char *problem = class_problem(type, word, length), *kind = operands ? "operand" : "result";
  char wanted[320];
  if (!problem) return true;
  if (*problem) return hlo_check_fail(c, "%s %d has type %pT: %s", kind, index, type, problem);
  describe(word, length, wanted, sizeof wanted);
  return hlo_check_fail(c, "%s %d must be %s, got %pT", kind, index, wanted, type);
}

/* A word of a row, and how many types it is for. */
typedef struct word_at {
  const char *word;
  size_t length;
  int first, times;
} word_at;

/* Steps from word to word; the one with '*' takes as many of the `spare` types as the others leave. */
static bool next_word(word_at *at, int spare) {
  at->word += at->length;
  at->word += strspn(at->word, " ");
  at->first += at->times;
  at->length = strcspn(at->word, " ");
  at->times = memchr(at->word, '*', at->length) ? spare : 1;
  return at->length != 0;
}

static int fixed_words(const char *words) {
  int count = 0;
  for (word_at at = {.word = words}; next_word(&at, 0);) count += at.times;
  return count;
}

static bool check_classes(const hlo_check *c, const char *words, bool operands) {
  int count = operands ? c->op->operand_count : c->op->result_count, fixed = fixed_words(words);
  bool variadic = strchr(words, '*') != NULL;
  if (variadic ? count < fixed : count != fixed)
    return hlo_check_fail(c, "takes %s%d %s%s, got %d", variadic ? "at least " : "", fixed, operands ? "operand" : "result",
                          fixed == 1 ? "" : "s", count);
  for (word_at at = {.word = words}; next_word(&at, count - fixed);)
    for (int i = 0; i < at.times; i++)
      if (!check_class(c, operands, at.first + i, at.word, at.length)) return false;
  return true;
}

/* ---- Attributes ---- */

/* Pretty forms give no type. */
static bool is_integer(const hlo_mlir_attribute *a, hlo_type type) {
  return a->kind == HLO_MLIR_INT && (type == HLO_TYPE_S64 || a->integer == (int32_t)a->integer) &&
         (!a->type || (a->type->kind == HLO_MLIR_SCALAR && a->type->element == type && !a->type->is_index));
}

static bool is_structure(const hlo_mlir_attribute *a, const char *name) {
  const char *dot = memchr(a->text.text ? a->text.text : "", '.', a->text.length);
  return a->kind == HLO_MLIR_DICT && dot && hlo_span_is((hlo_span){dot + 1, a->text.length - (size_t)(dot + 1 - a->text.text)}, name);
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

/* Groups along the axes of a mesh, which is one of the module's. */
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

/* What the attribute must be; NULL when it is. */
static const char *attribute_problem(const hlo_check *c, const hlo_mlir_attribute *a, const char *kind) {
  bool integer = is_integer(a, kind[1] == '3' ? HLO_TYPE_S32 : HLO_TYPE_S64);
  switch (*kind) {
    case 'n': return integer && a->integer >= 0 ? NULL : "an integer that is not negative";
    case '+': return integer && a->integer > 0 ? NULL : "a positive integer";
    case 'i': return integer ? NULL : "an integer";
    case 'b': return a->kind == HLO_MLIR_BOOL ? NULL : "true or false";
    case 'u': return a->kind == HLO_MLIR_UNIT ? NULL : "a unit";
    case 'h': return is_structure(a, "channel_handle") ? NULL : "a channel handle";
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

/* Attributes that a row does not list are remarks of whoever wrote the program. One with almost the name of an attribute that is
 * not given is taken for a misspelt one. */
static bool check_spelling(const hlo_check *c, const char *words) {
  for (int i = 0; i < c->op->attribute_count; i++) {
    hlo_nearest_name nearest = {.name = c->op->attributes[i].name};
    bool known = memchr(nearest.name.text, '.', nearest.name.length) != NULL;
    for (const char *w = words; *w && !known; w += strcspn(w, " "), w += strspn(w, " ")) {
      hlo_span word = {w, strcspn(w, ":")};
      bool given = false;
      for (int j = 0; j < c->op->attribute_count; j++) given |= hlo_span_equal(word, c->op->attributes[j].name);
      known = hlo_span_equal(word, nearest.name);
      if (!given) hlo_nearest_name_offer(&nearest, word);
    }
    if (!known && nearest.best.length && nearest.distance <= MOST_MISSPELT)
      return hlo_check_fail(c, "has no attribute %pN%s", &nearest.name, HLO_DID_YOU_MEAN(&nearest, ""));
  }
  return true;
}

/* Dimension numbers hold nothing but what the op has. */
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

static bool check_attributes(const hlo_check *c, const char *words) {
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

/* ---- Types that go together ---- */

static bool check_elements(const hlo_check *c, const hlo_mlir_type *expected, bool operands, int i) {
  const hlo_shape *a = hlo_check_tensor(expected), *b = hlo_check_tensor(typed(c, operands, i));
  bool is_real_part = a && hlo_type_is_complex(a->type) && hlo_span_is(c->op->name, "stablehlo.abs"), may_differ = !a || !b || is_real_part;
  return may_differ || hlo_check_elements_agree(a, b) ||
         hlo_check_fail(c, "%s %d must have elements like those of %pT, got %pT", operands ? "operand" : "result", i, expected,
                        typed(c, operands, i));
}

/* Those that may be quantized have elements of one type; and lists of numbers are of one type of integers. */
static bool check_alike(const hlo_check *c, const constraint_row *row) {
  const hlo_mlir_type *first = NULL;
  for (int operands = 1; operands >= 0; operands--) {
    const char *words = operands ? row->operands : row->results;
    int spare = (operands ? c->op->operand_count : c->op->result_count) - fixed_words(words);
    for (word_at at = {.word = words}; next_word(&at, spare);)
      for (int i = 0; i < at.times; i++) {
        if (!memchr(at.word, 'q', at.length) && *at.word != 'T' && *at.word != 'A') break;
        if (!first) first = typed(c, operands, at.first + i);
        if (!check_elements(c, first, operands, at.first + i)) return false;
      }
  }
  return true;
}

static bool check_pairs(const hlo_check *c) {
  if (!c->op->operand_count || c->op->operand_count != c->op->result_count)
    return hlo_check_fail(c, "takes one operand at least and gives a result for each, got %d and %d", c->op->operand_count, c->op->result_count);
  for (int i = 0; i < c->op->result_count; i++)
    if (!check_elements(c, typed(c, true, i), false, i)) return false;
  return true;
}

static bool check_like(const hlo_check *c, const constraint_row *row) {
  return row->like == 'q' ? check_alike(c, row) : row->like == ' ' || check_pairs(c);
}

/* ---- Lists of numbers ---- */

static bool check_lists(const hlo_check *c, const constraint_row *row) {
  int lists = 0;
  for (word_at at = {.word = row->operands}; next_word(&at, 0);) {
    bool sizes = memchr(at.word, '#', at.length);
    if (!sizes && !memchr(at.word, '%', at.length)) continue;
    const hlo_shape *shape = sizes ? hlo_check_result_shape(c, 0) : hlo_check_operand_shape(c, 0);
    if (!check_numbers(c, at.first, shape, sizes)) return false;
    if (lists++ && !check_elements(c, typed(c, true, at.first - 1), true, at.first)) return false;
  }
  return true;
}

/* ---- The walk ---- */

static bool find_row(hlo_span name, constraint_row *row) {
  const hlo_form_operation *found = hlo_form_operation_of(name);
  if (!found) return false;
  *row = (constraint_row){hlo_form_operation_words(found, HLO_FORM_OPERANDS), hlo_form_operation_words(found, HLO_FORM_RESULTS),
                          hlo_form_operation_words(found, HLO_FORM_ATTRIBUTES), found->regions, found->like, rules[found - hlo_form_operations], (hlo_opcode)found->opcode};
  return true;
}

static bool check_row(const hlo_check *c, const constraint_row *row) {
  if (row->regions >= 0 && c->op->region_count != row->regions)
    return hlo_check_fail(c, "takes %d region%s, got %d", row->regions, row->regions == 1 ? "" : "s", c->op->region_count);
  return check_classes(c, row->operands, true) && check_classes(c, row->results, false) && check_spelling(c, row->attributes) &&
         check_entries(c, row->opcode) && check_attributes(c, row->attributes) &&
         check_like(c, row) && check_lists(c, row) && row->rule(c);
}

static void find_definers(const hlo_mlir_block *block, const hlo_mlir_op **definers) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    for (int j = 0; j < op->result_count; j++) definers[op->first_result + j] = op;
    for (int j = 0; j < op->region_count; j++) find_definers(&op->regions[j].block, definers);
  }
}

static bool is_return(const hlo_mlir_op *op) { return hlo_span_is(op->name, "stablehlo.return") || hlo_span_is(op->name, "func.return"); }

static bool check_place(const hlo_check *c, const hlo_mlir_block *block, int i) {
  if (is_return(c->op) && i + 1 < block->op_count) return hlo_check_fail(c, "must be the last operation of its block");
  const hlo_mlir_attribute *name = hlo_span_is(c->op->name, "func.func") ? hlo_mlir_find(c->op, "sym_name") : NULL;
  if (!name || block != &c->tree->body || hlo_mlir_function(c->tree, name->text) == c->op) return true;
  return hlo_check_fail(c, "there is another function @%pN", &name->text);
}

/* An operation before those inside it: its regions' signatures are what they are checked against. */
static bool check_block(const hlo_check *outer, const hlo_mlir_block *block) {
  hlo_check c = *outer;
  for (int i = 0; i < block->op_count; i++) {
    c.op = block->ops[i];
    constraint_row row;
    if (!check_place(&c, block, i) || (find_row(c.op->name, &row) && !check_row(&c, &row))) return false;
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
