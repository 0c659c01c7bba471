/* Printing a tree as MLIR text. */
#ifndef HLO_STABLEHLO_MLIR_WRITE_H
#define HLO_STABLEHLO_MLIR_WRITE_H

#include "stablehlo/mlir/mlir.h"

/* The whole module, operations in generic form: what hlo_mlir_parse reads back as the same tree. */
void hlo_mlir_write(hlo_writer *writer, const hlo_mlir *tree);
void hlo_mlir_write_type(hlo_writer *writer, const hlo_mlir_type *type);
void hlo_mlir_write_attribute(hlo_writer *writer, const hlo_mlir_attribute *attribute);
/* f8E4M3FN, complex<f32>: every element type has a name; types of parts by theirs. */
const char *hlo_mlir_element_name(hlo_type type);
bool hlo_mlir_named_element(hlo_span name, hlo_type *type);
/* dense<...> : type, or array<...>. */
void hlo_mlir_write_dense(hlo_writer *writer, const hlo_mlir_attribute *attribute);

/* Whether two trees are the same module: names of values do not matter. */
bool hlo_mlir_same(const hlo_mlir *a, const hlo_mlir *b);

#endif
