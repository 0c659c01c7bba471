/* What a built-in custom call is: a function, and what it demands of shapes, which inference leaves open. */
#ifndef HLO_REFERENCE_BUILTIN_CUSTOM_CALLS_H
#define HLO_REFERENCE_BUILTIN_CUSTOM_CALLS_H

#include "reference/functions.h"
#include "reference/rendezvous.h"

/* Whether the configuration says `name = ` or `"name": `; the reader then stands behind it. `ignored` must live as
 * long as the reader. */
bool hlo_config_find(const hlo_instruction *instruction, const char *name, hlo_reader *reader, hlo_status *ignored);

/* Fails with SHAPE or UNSUPPORTED; the message does not name the instruction. */
typedef bool hlo_builtin_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status);

/* builtin_elementwise.c */
hlo_reference_function hlo_builtin_pass_on, hlo_builtin_unary, hlo_builtin_topk, hlo_builtin_shape_assertion;
hlo_builtin_check hlo_builtin_pass_on_check, hlo_builtin_unary_check, hlo_builtin_topk_check, hlo_builtin_shape_assertion_check;

/* lapack.c: NULL when the target is no routine that is known. */
hlo_reference_function *hlo_lapack_function(hlo_span target);
hlo_builtin_check hlo_lapack_check;

#endif
