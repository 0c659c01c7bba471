/* The comparison type of a comparison that names none. */
#ifndef HLO_GRAPH_COMPARISON_TYPE_H
#define HLO_GRAPH_COMPARISON_TYPE_H

#include "shape/element_type.h"

/* The comparison_type of a comparison of elements of `type` without that attribute: HLO_comparison_type_SIGNED, UNSIGNED or FLOAT. */
int hlo_default_comparison_type(hlo_type type);

#endif
