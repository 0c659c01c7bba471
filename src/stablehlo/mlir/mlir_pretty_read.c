/* Custom assembly: reads each operation's own syntax into the same tree as generic form.
 *
 * The ops in the table below have a reader of their own, or attributes that are written "keyword = value" after the operands. All
 * others are read as operands, {attributes} and types. */
#include <string.h>

#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir_pretty.h"
#include "stablehlo/mlir/mlir_reader.h"

typedef struct pretty_form {
  const char *name;
  const char *parts; /* attribute=keyword, separated by spaces */
  hlo_pretty_reader *read;
} pretty_form;

static const pretty_form forms[] = {
    {"stablehlo.constant", NULL, hlo_pretty_constant},
    {"arith.constant", NULL, hlo_pretty_constant},
    {"stablehlo.compare", NULL, hlo_pretty_compare},
    {"stablehlo.select", NULL, hlo_pretty_select},
    {"stablehlo.slice", NULL, hlo_pretty_slice},
    {"stablehlo.get_tuple_element", NULL, hlo_pretty_get_tuple_element},
    {"stablehlo.tuple", NULL, hlo_pretty_tuple},
    {"stablehlo.optimization_barrier", NULL, hlo_pretty_barrier},
    {"stablehlo.return", NULL, hlo_pretty_return},
    {"sdy.return", NULL, hlo_pretty_return},
    {"func.return", NULL, hlo_pretty_return},
    {"return", NULL, hlo_pretty_return},
    {"stablehlo.while", NULL, hlo_pretty_while},
    {"stablehlo.reduce", NULL, hlo_pretty_reduce},
    {"stablehlo.convolution", NULL, hlo_pretty_convolution},
    {"stablehlo.dot_general", NULL, hlo_pretty_dot_general},
    {"stablehlo.custom_call", NULL, hlo_pretty_call},
    {"func.call", NULL, hlo_pretty_call},
    {"call", NULL, hlo_pretty_call},
    {"stablehlo.composite", NULL, hlo_pretty_composite},
    {"stablehlo.reduce_precision", NULL, hlo_pretty_reduce_precision},
    {"chlo.scan", NULL, hlo_pretty_scan},
    {"check.expect_eq", NULL, hlo_pretty_check},
    {"check.expect_eq_const", NULL, hlo_pretty_check},
    {"check.expect_almost_eq", NULL, hlo_pretty_check},
    {"check.expect_almost_eq_const", NULL, hlo_pretty_check},
    {"check.expect_close", NULL, hlo_pretty_check},
    {"sdy.manual_computation", NULL, hlo_pretty_manual_computation},
    {"sdy.mesh", NULL, hlo_pretty_mesh},
    {"sdy.propagation_barrier", NULL, hlo_pretty_annotation},
    {"sdy.reshard", NULL, hlo_pretty_annotation},
    {"sdy.sharding_constraint", NULL, hlo_pretty_annotation},
    {"chlo.constant", NULL, hlo_pretty_constant},
    {"stablehlo.broadcast_in_dim", "broadcast_dimensions=dims", NULL},
    {"stablehlo.dynamic_broadcast_in_dim", "broadcast_dimensions=dims", NULL},
    {"stablehlo.broadcast", "broadcast_sizes=sizes", NULL},
    {"stablehlo.transpose", "permutation=dims", NULL},
    {"stablehlo.reverse", "dimensions=dims", NULL},
    {"stablehlo.concatenate", "dimension=dim", NULL},
    {"stablehlo.iota", "iota_dimension=dim", NULL},
    {"stablehlo.dynamic_iota", "iota_dimension=dim", NULL},
    {"stablehlo.get_dimension_size", "dimension=dim", NULL},
    {"stablehlo.set_dimension_size", "dimension=dim", NULL},
    {"stablehlo.dynamic_slice", "slice_sizes=sizes", NULL},
    {"stablehlo.pad", "edge_padding_low=low edge_padding_high=high interior_padding=interior", NULL},
    {"stablehlo.fft", "fft_type=type fft_length=length", NULL},
    {"stablehlo.rng", "rng_distribution=distribution", NULL},
    {"stablehlo.rng_bit_generator", "rng_algorithm=algorithm", NULL},
    {"stablehlo.cholesky", "lower=lower", NULL},
    {"stablehlo.dot", "precision_config=precision", NULL},
    {"stablehlo.einsum", "einsum_config=config", NULL},
    {"stablehlo.unary_einsum", "einsum_config=config", NULL},
    {"chlo.top_k", "k=k largest=largest", NULL},
};

/* Reads ", keyword = value" for each "attribute=keyword" in `parts`. */
static bool read_keywords(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *parts) {
  bool any = p->operands.count > 0;
  for (const char *part = parts; *part;) {
    size_t name_length = strcspn(part, "="), keyword_length = strcspn(part + name_length + 1, " ");
    char name[40] = {0}, keyword[40] = {0};
    memcpy(name, part, name_length);
    memcpy(keyword, part + name_length + 1, keyword_length);
    part += name_length + 1 + keyword_length;
    while (*part == ' ') part++;
    const char *where = r->text.cursor;
    bool comma = hlo_reader_accept(&r->text, ",");
    if (!hlo_reader_accept_word(&r->text, keyword)) {
      r->text.cursor = where; /* the attribute is optional, or given in {attributes} */
      continue;
    }
    if (any && !comma) return hlo_reader_fail(&r->text, "expected ',' before %s", keyword);
    any = true;
    if (!hlo_reader_expect(&r->text, "=")) return false;
    if (strcmp(keyword, "precision") == 0) {
      if (!hlo_pretty_precision(r, p)) return false;
      continue;
    }
    char c = hlo_reader_peek(&r->text);
    bool word = (c >= 'A' && c <= 'Z');
    const char *kept = hlo_mlir_keep(r, (hlo_span){name, name_length}).text;
    if (!(word ? hlo_pretty_push_word(r, p, kept) : hlo_mlir_push_named(r, &p->named, kept, hlo_pretty_value(r)))) return false;
  }
  return true;
}

/* Fails at an operation without types. If its name is not in the table, it may be a misspelt name that is. */
static bool fail_without_types(hlo_mlir_reader *r, const hlo_mlir_pending *p, bool has_form) {
  hlo_nearest_name nearest = {.name = p->op.name};
  for (size_t i = 0; !has_form && i < sizeof forms / sizeof *forms; i++) hlo_nearest_name_offer(&nearest, hlo_span_of(forms[i].name));
  bool near = nearest.best.length && nearest.distance <= 2;
  return hlo_reader_fail_at(&r->text, near ? p->where : r->text.cursor, HLO_PARSE, "expected ':' and the types of %.*s%s",
                            (int)p->op.name.length, p->op.name.text, near ? HLO_DID_YOU_MEAN(&nearest, "") : "");
}

bool hlo_mlir_read_pretty(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  const pretty_form *form = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms && !form; i++)
    if (hlo_span_is(p->op.name, forms[i].name)) form = &forms[i];
  if (hlo_span_is(p->op.name, "return")) p->op.name = (hlo_span){"func.return", 11};
  if (hlo_span_is(p->op.name, "call")) p->op.name = (hlo_span){"func.call", 9};
  if (form && form->read) return form->read(r, p);
  /* The form of all other ops: operands, keywords, attributes, types. */
  bool parenthesised = hlo_reader_accept(&r->text, "(");
  if (!hlo_mlir_read_operands(r, p)) return false;
  if (form && !read_keywords(r, p, form->parts)) return false;
  if (parenthesised && !hlo_reader_expect(&r->text, ")")) return false;
  if (!hlo_pretty_attributes(r, p)) return false;
  if (hlo_reader_peek(&r->text) != ':') return fail_without_types(r, p, form != NULL);
  return hlo_pretty_types(r, p);
}
