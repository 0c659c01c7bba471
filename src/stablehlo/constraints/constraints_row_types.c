/* Checks the types of operands and results against the words of an operation's row. */
#include <string.h>

#include "base/format.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/constraints/constraints_row.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"

static const hlo_mlir_type *typed(const hlo_check *c, bool operands, int i) {
  return operands ? hlo_mlir_operand_type(c->tree, c->op, i) : hlo_mlir_result_type(c->tree, c->op, i);
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

/* Writes, for example, "a tensor of rank 0 of integers, floats". */
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

/* Returns NULL if the type fits the word of a row; else what is wrong, or "" if that is plain from the word. */
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

static bool check_class(const hlo_check *c, bool operands, int index, const char *word, size_t length) {
  const hlo_mlir_type *type = typed(c, operands, index);
  const char *problem = class_problem(type, word, length), *kind = operands ? "operand" : "result";
  char wanted[320];
  if (!problem) return true;
  if (*problem) return hlo_check_fail(c, "%s %d has type %pT: %s", kind, index, type, problem);
  describe(word, length, wanted, sizeof wanted);
  return hlo_check_fail(c, "%s %d must be %s, got %pT", kind, index, wanted, type);
}

/* A word of a row, and the range of operands or results that it describes. */
typedef struct word_at {
  const char *word;
  size_t length;
  int first, times;
} word_at;

/* Steps to the next word. The one with '*' describes the `spare` types that the other words leave. */
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

bool hlo_check_row_classes(const hlo_check *c, const char *words, bool operands) {
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

/* ---- Types that go together ---- */

static bool check_elements(const hlo_check *c, const hlo_mlir_type *expected, bool operands, int i) {
  const hlo_shape *a = hlo_check_tensor(expected), *b = hlo_check_tensor(typed(c, operands, i));
  bool is_real_part = a && hlo_type_is_complex(a->type) && hlo_span_is(c->op->name, "stablehlo.abs"), may_differ = !a || !b || is_real_part;
  return may_differ || hlo_check_elements_agree(a, b) ||
         hlo_check_fail(c, "%s %d must have elements like those of %pT, got %pT", operands ? "operand" : "result", i, expected,
                        typed(c, operands, i));
}

/* Checks that all types that may be quantized have the same elements. */
static bool check_alike(const hlo_check *c, const hlo_form_operation *row) {
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

bool hlo_check_row_like(const hlo_check *c, const hlo_form_operation *row) {
  return row->like == 'q' ? check_alike(c, row) : row->like == ' ' || check_pairs(c);
}

/* ---- Lists of numbers ---- */

static const hlo_mlir_attribute *constant_of(const hlo_check *c, int i) {
  const hlo_mlir_op *definer = c->definers[c->op->operands[i]];
  if (!definer || (!hlo_span_is(definer->name, "stablehlo.constant") && !hlo_span_is(definer->name, "arith.constant"))) return NULL;
  const hlo_mlir_attribute *value = hlo_mlir_find(definer, "value");
  bool fits = value && value->kind == HLO_MLIR_DENSE && value->literal && hlo_type_is_integral(value->literal->shape->type) &&
              hlo_shape_same_dims(value->literal->shape, hlo_check_operand_shape(c, i));
  return fits ? value : NULL; /* otherwise lowering refuses the constant */
}

const hlo_literal *hlo_check_known(const hlo_check *c, int operand) {
  const hlo_mlir_attribute *value = constant_of(c, operand);
  return value ? value->literal : NULL;
}

/* Checks an operand that holds an integer for each dimension of a shape; with `sizes`, these are the sizes of the shape. */
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

bool hlo_check_row_numbers(const hlo_check *c, const hlo_form_operation *row) {
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
