/* Checks attributes whose contents have rules of their own: dot_algorithm, result_accuracy. */
#include <string.h>

#include "base/text_reader.h"
#include "shape/element_type.h"
#include "stablehlo/mlir/mlir.h"

/* The algorithms of dot_general that some hardware has: types of operands and accumulator, numbers of components, products. */
typedef struct dot_algorithm {
  const char *operand, *accumulator;
  int components, products;
  bool imprecise;
} dot_algorithm;

static const dot_algorithm algorithms[] = {
    {"f8", "f32", 1, 1, false}, {"f8", "f32", 1, 1, true}, {"f16", "f16", 1, 1, false}, {"f16", "f32", 1, 1, false},
    {"bf16", "bf16", 1, 1, false}, {"bf16", "f32", 1, 1, false}, {"bf16", "f32", 1, 3, false}, {"bf16", "f32", 1, 6, false},
    {"bf16", "f32", 1, 9, false}, {"tf32", "f32", 1, 1, false}, {"tf32", "f32", 1, 3, false}, {"f32", "f32", 1, 1, false},
    {"f64", "f64", 1, 1, false}};

static bool type_is(const hlo_mlir_attribute *a, const char *name) {
  if (!a || a->kind != HLO_MLIR_TYPE) return false;
  bool eight = a->type->kind == HLO_MLIR_SCALAR && hlo_type_is_float(a->type->element) && hlo_type_bits(a->type->element) == 8;
  if (strcmp(name, "f8") == 0) return eight;
  return hlo_span_is(a->type->text, name);
}

static int64_t entry_int(const hlo_mlir_attribute *dict, const char *name) {
  const hlo_mlir_attribute *a = hlo_mlir_entry(dict, name);
  return a && (a->kind == HLO_MLIR_INT || a->kind == HLO_MLIR_BOOL) ? a->integer : 0;
}

/* Checks dot_general_c22 to dot_general_c26. */
static const char *dot_algorithm_problem(const hlo_mlir_attribute *dict) {
  int64_t lhs = entry_int(dict, "lhs_component_count"), rhs = entry_int(dict, "rhs_component_count");
  int64_t products = entry_int(dict, "num_primitive_operations");
  if (lhs < 1) return "[C22]: lhs_component_count must be positive";
  if (rhs < 1) return "[C23]: rhs_component_count must be positive";
  if (products < 1) return "[C24]: num_primitive_operations must be positive";
  bool imprecise = entry_int(dict, "allow_imprecise_accumulation") != 0;
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
    const dot_algorithm *a = &algorithms[i];
    if (type_is(hlo_mlir_entry(dict, "lhs_precision_type"), a->operand) && type_is(hlo_mlir_entry(dict, "rhs_precision_type"), a->operand) &&
        type_is(hlo_mlir_entry(dict, "accumulation_type"), a->accumulator) && lhs == a->components && rhs == a->components &&
        products == a->products && imprecise == a->imprecise)
      return NULL;
  }
  return "[C25]: no hardware is known to have this dot algorithm";
}

static double entry_real(const hlo_mlir_attribute *dict, const char *name) {
  const hlo_mlir_attribute *a = hlo_mlir_entry(dict, name);
  return a && a->kind == HLO_MLIR_FLOAT ? a->real : a && a->kind == HLO_MLIR_INT ? (double)a->integer : 0;
}

static const char *result_accuracy_problem(const hlo_mlir_attribute *dict) {
  const hlo_mlir_attribute *mode = hlo_mlir_entry(dict, "mode");
  double atol = entry_real(dict, "atol"), rtol = entry_real(dict, "rtol"), ulps = entry_real(dict, "ulps");
  if (atol < 0 || rtol < 0 || ulps < 0) return "[I2]: result_accuracy must have tolerances of at least zero";
  if (!mode || (!hlo_span_is(mode->text, "HIGHEST") && !hlo_span_is(mode->text, "DEFAULT"))) return NULL;
  return atol != 0 || rtol != 0 || ulps != 0 ? "[I2]: result_accuracy must have tolerances of zero, unless its mode is TOLERANCE" : NULL;
}

const char *hlo_mlir_attribute_problem(const hlo_mlir_attribute *a) {
  if (a->kind != HLO_MLIR_DICT) return NULL;
  if (hlo_span_is(a->text, "stablehlo.dot_algorithm")) return dot_algorithm_problem(a);
  if (hlo_span_is(a->text, "stablehlo.result_accuracy") || hlo_span_is(a->text, "chlo.result_accuracy")) return result_accuracy_problem(a);
  return NULL;
}
