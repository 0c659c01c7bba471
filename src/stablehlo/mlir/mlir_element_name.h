/* Names of element types in MLIR (a column of element_types.def). */
#ifndef HLO_STABLEHLO_MLIR_MLIR_ELEMENT_NAME_H
#define HLO_STABLEHLO_MLIR_MLIR_ELEMENT_NAME_H

#include "base/text_reader.h"
#include "shape/element_type.h"

/* Returns the name of an array's element type: f8E4M3FN, complex<f32>. */
const char *hlo_mlir_element_name(hlo_type type);

/* Finds an element type whose name is one word: all but the complex types. */
bool hlo_mlir_element_from_name(hlo_span name, hlo_type *type);

/* Returns whether the type is an element type whose name is one word. */
static inline bool hlo_mlir_element_is_word(hlo_type type) { return hlo_type_is_array(type) && !hlo_type_is_complex(type); }

#endif
