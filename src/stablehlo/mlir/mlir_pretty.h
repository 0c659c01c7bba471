/* The readers of custom assembly, shared by the mlir_pretty_*.c files. */
#ifndef HLO_STABLEHLO_MLIR_PRETTY_H
#define HLO_STABLEHLO_MLIR_PRETTY_H

#include "stablehlo/mlir/mlir_reader.h"

/* ---- Parts ---- */
bool hlo_pretty_push_result(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *type);
const hlo_mlir_type *hlo_pretty_operand_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i);
bool hlo_pretty_expect_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i, const hlo_mlir_type *written);
/* ": T" of operands and result alike, ": (T) -> T", ": T, T -> T". */
bool hlo_pretty_types(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* ": T, T" of the operands, which are those of the results as well (results: true), or there are no results. */
bool hlo_pretty_operand_types(hlo_mlir_reader *r, hlo_mlir_pending *p, bool results);
bool hlo_pretty_attributes(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* A word such as EQ or RFFT as an enum attribute; an attribute under a name; name = value. */
bool hlo_pretty_push_word(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name);
bool hlo_pretty_push_attribute(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name);
bool hlo_pretty_push_keyword(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* A value in "keyword = value": the colon behind a number is the op's own. */
const hlo_mlir_attribute *hlo_pretty_value(hlo_mlir_reader *r);

/* "%x: T loc(...)": a name (hlo_span) and a type (const hlo_mlir_type *) appended. */
bool hlo_pretty_argument(hlo_mlir_reader *r, hlo_list *names, hlo_list *types);

/* ---- Ops ---- */
typedef bool hlo_pretty_reader(hlo_mlir_reader *r, hlo_mlir_pending *p);
hlo_pretty_reader hlo_pretty_constant, hlo_pretty_compare, hlo_pretty_select, hlo_pretty_slice, hlo_pretty_get_tuple_element, hlo_pretty_tuple, hlo_pretty_barrier, hlo_pretty_return,
    hlo_pretty_while, hlo_pretty_reduce, hlo_pretty_convolution, hlo_pretty_dot_general, hlo_pretty_call, hlo_pretty_composite, hlo_pretty_reduce_precision, hlo_pretty_scan, hlo_pretty_check,
    hlo_pretty_annotation, hlo_pretty_mesh, hlo_pretty_manual_computation;

#endif
