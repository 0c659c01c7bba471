/* Readers of custom assembly (an operation's own syntax), shared by the mlir_pretty_*.c files. */
#ifndef HLO_STABLEHLO_MLIR_MLIR_PRETTY_H
#define HLO_STABLEHLO_MLIR_MLIR_PRETTY_H

#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* ---- Parts ---- */
bool hlo_pretty_push_result(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *type);
const hlo_mlir_type *hlo_pretty_operand_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i);
bool hlo_pretty_expect_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i, const hlo_mlir_type *written);
/* Reads ": T" for all operands and the result, ": (T) -> T", or ": T, T -> T". */
bool hlo_pretty_types(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Reads ": T, T", the types of the operands. `results`: the results have the same types; otherwise there are no results. */
bool hlo_pretty_operand_types(hlo_mlir_reader *r, hlo_mlir_pending *p, bool results);
bool hlo_pretty_attributes(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Read an attribute and add it under a name: an enumeration's word such as EQ or RFFT; a value under a given name; name = value. */
bool hlo_pretty_push_word(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name);
bool hlo_pretty_push_attribute(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name);
bool hlo_pretty_push_keyword(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Reads the value of "keyword = value". A colon behind a number or a string does not belong to it but to the operation. */
const hlo_mlir_attribute *hlo_pretty_value(hlo_mlir_reader *r);

/* Reads "%x: T loc(...)", and appends the name (hlo_span) and the type (const hlo_mlir_type *). */
bool hlo_pretty_argument(hlo_mlir_reader *r, hlo_list *names, hlo_list *types);

/* Reads [DEFAULT, HIGHEST] as precision_config. */
bool hlo_pretty_precision(hlo_mlir_reader *r, hlo_mlir_pending *p);

/* ---- Ops ---- */
typedef bool hlo_pretty_reader(hlo_mlir_reader *r, hlo_mlir_pending *p);
hlo_pretty_reader hlo_pretty_constant, hlo_pretty_compare, hlo_pretty_select, hlo_pretty_slice, hlo_pretty_get_tuple_element, hlo_pretty_tuple, hlo_pretty_barrier, hlo_pretty_return,
    hlo_pretty_while, hlo_pretty_reduce, hlo_pretty_convolution, hlo_pretty_dot_general, hlo_pretty_call, hlo_pretty_composite, hlo_pretty_reduce_precision, hlo_pretty_scan, hlo_pretty_check,
    hlo_pretty_annotation, hlo_pretty_mesh, hlo_pretty_manual_computation;

#endif
