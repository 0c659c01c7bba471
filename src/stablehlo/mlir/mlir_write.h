/* Writes a tree as MLIR text. */
#ifndef HLO_STABLEHLO_MLIR_MLIR_WRITE_H
#define HLO_STABLEHLO_MLIR_MLIR_WRITE_H

#include "base/status.h"
#include "base/text_writer.h"
#include "stablehlo/mlir/mlir.h"

/* Writes the whole module, with operations in generic form. hlo_mlir_parse reads the same tree back. */
void hlo_mlir_write(hlo_writer *writer, const hlo_mlir *tree);
void hlo_mlir_write_type(hlo_writer *writer, const hlo_mlir_type *type);
void hlo_mlir_write_attribute(hlo_writer *writer, const hlo_mlir_attribute *attribute);
/* Writes dense<...> : type, or array<...>. */
void hlo_mlir_write_dense(hlo_writer *writer, const hlo_mlir_attribute *attribute);

/* Returns whether two trees are the same module, up to names of values; false with a failure where memory runs out. */
bool hlo_mlir_same(const hlo_mlir *a, const hlo_mlir *b, hlo_status *status);

#endif
