/* The reference functions, one per distinct name in the op table's reference column.
 *
 * Inside src/reference only: others call hlo_reference_evaluate. A function may trust that inference has
 * accepted the instruction, and that `result` has its shape and its memory. It writes every element of the
 * result, whatever was there before: results are reused from one execution to the next. */
#ifndef HLO_REFERENCE_FUNCTIONS_H
#define HLO_REFERENCE_FUNCTIONS_H

#include "reference/reference.h"

#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  hlo_reference_function hlo_reference_##reference;
#include "graph/op_table.def"
#undef HLO_OP

/* Takes the actual sizes of bounded dimensions from `from` where both arrays are dynamic and of one rank. */
void hlo_reference_copy_sizes(hlo_literal *to, const hlo_literal *from);

/* Gives back the temporaries of applied computations, a list linked by hlo_applied_prepare. */
void hlo_applied_release(hlo_applied *prepared);

/* Built-in custom calls with files of their own. */
hlo_reference_function hlo_reference_check; /* checks.c */
hlo_reference_function hlo_reference_run_parallel; /* run_parallel.c */

/* ---- One element, by the class of its type (scalar_*.c) ---- */
double hlo_reference_unary_real(hlo_opcode opcode, hlo_type type, double x);
uint64_t hlo_reference_unary_integer(hlo_opcode opcode, hlo_type type, uint64_t bits);
hlo_scalar hlo_reference_unary_complex(hlo_opcode opcode, hlo_type type, hlo_scalar x);
double hlo_reference_binary_real(hlo_opcode opcode, hlo_type type, double lhs, double rhs);
hlo_scalar hlo_reference_binary_integer(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);
hlo_scalar hlo_reference_binary_complex(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);

#endif
