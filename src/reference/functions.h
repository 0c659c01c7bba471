/* The functions that define operations, and what they share. For src/reference only: other folders include reference.h.
 *
 * A reference function may trust that inference has accepted the instruction, and that `result` has its shape and its
 * memory. It writes every element of the result, whatever was there before: results are reused from one execution to
 * the next. */
#ifndef HLO_REFERENCE_FUNCTIONS_H
#define HLO_REFERENCE_FUNCTIONS_H

#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"

/* One for each distinct name in the op table's reference column. */
#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  hlo_reference_function hlo_reference_##reference;
#include "graph/op_table.def"
#undef HLO_OP

/* Takes the actual sizes of bounded dimensions from `from` where both arrays are dynamic and of one rank. */
void hlo_reference_copy_sizes(hlo_literal *to, const hlo_literal *from);

/* Frees the temporaries of applied computations: of `prepared`, and of those that the same instruction prepared before it. */
void hlo_applied_release(hlo_applied *prepared);

/* custom-call: asks the host for its target, then the built-in ones. */
hlo_reference_function hlo_reference_custom_call;

/* An hlo_combine (devices/rendezvous.h) whose context is the hlo_evaluation. */
bool hlo_reference_combine(void *evaluation, const hlo_computation *function, const hlo_literal *const *operands, int count,
                           hlo_literal *combined);

/* Refuses an instruction that needs other devices or the host where there are none. Always returns false. */
bool hlo_reference_refuse_alone(hlo_evaluation *evaluation, const hlo_instruction *instruction);

/* ---- One element, by the class of its type (scalar_*.c) ---- */
double hlo_reference_unary_real(hlo_opcode opcode, hlo_type type, double x);
uint64_t hlo_reference_unary_integer(hlo_opcode opcode, hlo_type type, uint64_t bits);
hlo_scalar hlo_reference_unary_complex(hlo_opcode opcode, hlo_scalar z);
double hlo_reference_binary_real(hlo_opcode opcode, hlo_type type, double lhs, double rhs);
hlo_scalar hlo_reference_binary_integer(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs);
hlo_scalar hlo_reference_binary_complex(hlo_opcode opcode, hlo_scalar lhs, hlo_scalar rhs);

#endif
