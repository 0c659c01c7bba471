/* Attributes that XLA does not print, because they have their default value. */
#include <string.h>

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "shape/element_type.h"
#include "text/hlo_text_parser.h"

static bool text_is(const hlo_attribute *attribute, const char *text) { return hlo_span_is(attribute->text, text); }

/* Returns whether the list is like {default,default}. */
static bool all_default(hlo_span precisions) {
  const char *c = precisions.text, *end = c + precisions.length;
  while (c < end) {
    if (strchr("{}, ", *c) && *c) c++;
    else if (end - c >= 7 && memcmp(c, "default", 7) == 0) c += 7;
    else return false;
  }
  return true;
}

/* The comparison type that `compare` uses for an element type by default. */
static int usual_comparison(hlo_type type) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_FLOAT: case HLO_CLASS_COMPLEX: return HLO_comparison_type_FLOAT;
  case HLO_CLASS_SIGNED: return HLO_comparison_type_SIGNED;
  default: return HLO_comparison_type_UNSIGNED;
  }
}

static bool is_usual_comparison(const hlo_computation *computation, const hlo_instruction *instruction,
                                const hlo_attribute *attribute) {
  if (instruction->operand_count == 0) return false;
  return attribute->enumerant == usual_comparison(hlo_operand(computation, instruction, 0)->shape->type);
}

bool hlo_text_attribute_is_implied(const hlo_computation *computation, const hlo_instruction *instruction, const hlo_attribute *a) {
  switch (a->id) {
  case HLO_ATTR_parameter_number: case HLO_ATTR_literal: return true; /* written between the parentheses */
  case HLO_ATTR_largest: case HLO_ATTR_is_associative: return false;
  case HLO_ATTR_feature_group_count: case HLO_ATTR_batch_group_count: return a->integer == 1;
  case HLO_ATTR_inferred_dimension: return a->integer == -1;
  case HLO_ATTR_lhs_batch_dims: case HLO_ATTR_rhs_batch_dims: case HLO_ATTR_rhs_group_dims:
  case HLO_ATTR_operand_batching_dims: case HLO_ATTR_start_indices_batching_dims:
  case HLO_ATTR_input_batching_dims: case HLO_ATTR_scatter_indices_batching_dims:
  case HLO_ATTR_called_computations: case HLO_ATTR_control_predecessors: return a->ints.count == 0;
  case HLO_ATTR_window: return a->window->rank == 0;
  case HLO_ATTR_comparison_type: return is_usual_comparison(computation, instruction, a);
  case HLO_ATTR_operand_precision: return all_default(a->text);
  case HLO_ATTR_result_accuracy: return text_is(a, "{mode=default}");
  case HLO_ATTR_api_version: return text_is(a, "API_VERSION_ORIGINAL");
  case HLO_ATTR_schedule: return text_is(a, "SCHEDULE_NONE");
  case HLO_ATTR_padding_type: return text_is(a, "PADDING_INVALID");
  case HLO_ATTR_async_execution_thread: return text_is(a, "main");
  case HLO_ATTR_infeed_config: case HLO_ATTR_outfeed_config: case HLO_ATTR_backend_config: return text_is(a, "\"\"");
  case HLO_ATTR_metadata: case HLO_ATTR_frontend_attributes: case HLO_ATTR_statistics: return text_is(a, "{}");
  default: return hlo_attribute_kind_of(a->id) == HLO_KIND_BOOL && !a->boolean;
  }
}
