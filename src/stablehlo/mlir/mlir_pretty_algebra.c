/* Custom assembly of convolution and dot_general. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_conv_numbers.h"
#include "stablehlo/mlir/mlir_pretty.h"
#include "stablehlo/mlir/mlir_reader.h"

/* Reads convolution(%a, %b) dim_numbers = [...]x[...]->[...], window = {...} {attributes} : types */
static bool read_conv_numbers(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_CONV);
  hlo_reader_skip_space(&r->text);
  const char *start = r->text.cursor;
  hlo_span part;
  const char *place = start, *problem = hlo_mlir_conv_problem((hlo_span){start, (size_t)(r->text.end - start)}, &place);
  if (problem) return hlo_reader_fail_at(&r->text, place, HLO_PARSE, "dim_numbers: %s", problem);
  bool ok = attribute && hlo_reader_peek(&r->text) == '[' && hlo_reader_balanced(&r->text, &part) && hlo_reader_expect(&r->text, "x") &&
            hlo_reader_balanced(&r->text, &part) && hlo_reader_expect(&r->text, "->") && hlo_reader_balanced(&r->text, &part);
  if (!ok) return hlo_reader_fail(&r->text, "expected dimension numbers like [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  attribute->text = hlo_mlir_keep(r, (hlo_span){start, (size_t)(r->text.cursor - start)});
  return hlo_mlir_push_named(r, &p->named, "dimension_numbers", attribute);
}

/* Looks ahead at a list of a window: it holds integers, except that of `reverse` also true and false. */
static bool check_window_list(hlo_mlir_reader *r, bool words) {
  hlo_span list;
  if (hlo_reader_peek(&r->text) != '[') return hlo_reader_fail(&r->text, "window: expected a list of integers");
  const char *start = r->text.cursor;
  if (!hlo_reader_balanced(&r->text, &list)) return false;
  r->text.cursor = start;
  for (size_t i = 0; i < list.length && !words; i++)
    if (list.text[i] >= 'a' && list.text[i] <= 'z')
      return hlo_reader_fail_at(&r->text, list.text + i, HLO_PARSE, "window: expected an integer");
  return true;
}

/* Checks that `pad`, which was read last, is a list of pairs. */
static bool check_pad(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *where) {
  const hlo_mlir_attribute *pad = ((hlo_mlir_named *)p->named.items + p->named.count - 1)->value;
  for (int i = 0; pad->kind == HLO_MLIR_ARRAY && i < pad->count; i++)
    if (pad->elements[i]->kind != HLO_MLIR_ARRAY || pad->elements[i]->count != 2)
      return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "window: pad must have pairs, [[low, high], ...]");
  return true;
}

/* Checks convolution_c21 and convolution_c22 at the attributes. */
static bool check_group_counts(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *where) {
  for (int i = 0; i < p->named.count; i++) {
    const hlo_mlir_named *named = (hlo_mlir_named *)p->named.items + i;
    bool count = hlo_span_is(named->name, "feature_group_count") || hlo_span_is(named->name, "batch_group_count");
    if (count && named->value->kind == HLO_MLIR_INT && named->value->integer < 1)
      return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "stablehlo.convolution: %.*s must be positive, got %lld", (int)named->name.length,
                                named->name.text, (long long)named->value->integer);
  }
  return true;
}

bool hlo_pretty_convolution(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  static const char *const windows[][2] = {{"stride", "window_strides"}, {"pad", "padding"}, {"lhs_dilate", "lhs_dilation"},
                                           {"rhs_dilate", "rhs_dilation"}, {"reverse", "window_reversal"}};
  bool ok = hlo_reader_expect(&r->text, "(") && hlo_mlir_read_operands(r, p) && hlo_reader_expect(&r->text, ")") &&
            (hlo_reader_accept_word(&r->text, "dim_numbers") || hlo_reader_fail(&r->text, "expected 'dim_numbers'")) &&
            hlo_reader_expect(&r->text, "=") && read_conv_numbers(r, p) && hlo_reader_expect(&r->text, ",") &&
            (hlo_reader_accept_word(&r->text, "window") || hlo_reader_fail(&r->text, "expected 'window'")) &&
            hlo_reader_expect(&r->text, "=") && hlo_reader_expect(&r->text, "{");
  bool first = true, given[5] = {false};
  while (ok && !hlo_reader_accept(&r->text, "}")) {
    const char *name = NULL;
    bool repeated = false;
    ok = first || hlo_reader_expect(&r->text, ",");
    first = false;
    hlo_reader_skip_space(&r->text);
    const char *where = r->text.cursor;
    for (size_t i = 0; ok && !name && i < 5; i++)
      if (hlo_reader_accept_word(&r->text, windows[i][0])) name = windows[i][1], repeated = given[i], given[i] = true;
    if (ok && repeated) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "window: %s is given twice", name);
    ok = ok && (name || hlo_reader_fail(&r->text, "window: expected stride, pad, lhs_dilate, rhs_dilate or reverse")) &&
         hlo_reader_expect(&r->text, "=") && check_window_list(r, *where == 'r' && where[1] == 'e') && hlo_pretty_push_attribute(r, p, name) &&
         (strcmp(name, "padding") != 0 || check_pad(r, p, where));
  }
  hlo_reader_skip_space(&r->text);
  const char *attributes = r->text.cursor;
  return ok && hlo_pretty_attributes(r, p) && check_group_counts(r, p, attributes) && hlo_pretty_types(r, p);
}

bool hlo_pretty_precision(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  enum { MOST = 2 };
  hlo_mlir_attribute *list = hlo_mlir_new_attribute(r, HLO_MLIR_ARRAY);
  const hlo_mlir_attribute **words = hlo_arena_many(r->arena, const hlo_mlir_attribute *, MOST, r->status);
  if (!list || !words || !hlo_reader_expect(&r->text, "[")) return false;
  do {
    if (list->count == MOST) return hlo_reader_fail(&r->text, "precision has at most two words");
    if (!hlo_mlir_check_word(r, "precision", "precision")) return false;
    hlo_mlir_attribute *word = hlo_mlir_new_attribute(r, HLO_MLIR_ENUM);
    if (!word) return false;
    word->text = hlo_mlir_keep(r, hlo_mlir_read_bare(r));
    words[list->count++] = word;
  } while (hlo_reader_accept(&r->text, ","));
  list->elements = words;
  return hlo_reader_expect(&r->text, "]") && hlo_mlir_push_named(r, &p->named, "precision_config", list);
}

/* Reads dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [...], algorithm = <...> : types */
bool hlo_pretty_dot_general(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_attribute *dict = hlo_mlir_new_attribute(r, HLO_MLIR_DICT);
  hlo_span *names = hlo_arena_many(r->arena, hlo_span, 4, r->status);
  const hlo_mlir_attribute **elements = hlo_arena_many(r->arena, const hlo_mlir_attribute *, 4, r->status);
  if (!dict || !names || !elements || !hlo_mlir_read_operand(r, p) || !hlo_reader_expect(&r->text, ",") || !hlo_mlir_read_operand(r, p)) return false;
  enum { NOTHING, BATCHING, CONTRACTING, PRECISION, ALGORITHM } last = NOTHING; /* they stand in this order */
  while (hlo_reader_accept(&r->text, ",")) {
    bool batching = last < BATCHING && hlo_reader_accept_word(&r->text, "batching_dims");
    if (batching || (last < CONTRACTING && hlo_reader_accept_word(&r->text, "contracting_dims"))) {
      last = batching ? BATCHING : CONTRACTING;
      if (!hlo_reader_expect(&r->text, "=") || !(elements[dict->count] = hlo_mlir_read_attribute(r)) || !hlo_reader_expect(&r->text, "x") ||
          !(elements[dict->count + 1] = hlo_mlir_read_attribute(r)))
        return false;
      names[dict->count] = batching ? (hlo_span){"lhs_batching_dimensions", 23} : (hlo_span){"lhs_contracting_dimensions", 26};
      names[dict->count + 1] = batching ? (hlo_span){"rhs_batching_dimensions", 23} : (hlo_span){"rhs_contracting_dimensions", 26};
      dict->count += 2;
    } else if (last < PRECISION && hlo_reader_accept_word(&r->text, "precision")) {
      last = PRECISION;
      if (!hlo_reader_expect(&r->text, "=") || !hlo_pretty_precision(r, p)) return false;
    } else if (last < ALGORITHM && hlo_reader_accept_word(&r->text, "algorithm")) {
      last = ALGORITHM;
      const char *where = r->text.cursor;
      if (!hlo_reader_expect(&r->text, "=") || !hlo_reader_expect(&r->text, "<") ||
          !hlo_mlir_push_named(r, &p->named, "algorithm", hlo_mlir_read_structure(r, where, (hlo_span){"stablehlo.dot_algorithm", 23})))
        return false;
    } else {
      return hlo_reader_fail(&r->text, "expected batching_dims, contracting_dims, precision or algorithm, each once and in this order");
    }
  }
  dict->text = (hlo_span){"stablehlo.dot", 13};
  dict->names = names;
  dict->elements = elements;
  return hlo_mlir_push_named(r, &p->named, "dot_dimension_numbers", dict) && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}
