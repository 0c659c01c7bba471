#include "graph/comparison_type.h"

#include "graph/attribute.h"

int hlo_default_comparison_type(hlo_type type) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_SIGNED:
    return HLO_comparison_type_SIGNED;
  case HLO_CLASS_FLOAT:
  case HLO_CLASS_COMPLEX:
    return HLO_comparison_type_FLOAT;
  default:
    return HLO_comparison_type_UNSIGNED;
  }
}
