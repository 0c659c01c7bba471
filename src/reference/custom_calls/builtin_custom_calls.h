/* Custom-call targets that WebHLO defines itself (Sharding, TopK, mhlo.erf, lapack_*_ffi, ...).
 *
 * A built-in is a function, and a check of shapes, as inference accepts a custom call of any shapes. */
#ifndef HLO_REFERENCE_CUSTOM_CALLS_BUILTIN_CUSTOM_CALLS_H
#define HLO_REFERENCE_CUSTOM_CALLS_BUILTIN_CUSTOM_CALLS_H

#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "reference/reference.h"
#include "shape/shape.h"

/* NULL: there is no built-in target of that name. */
hlo_reference_function *hlo_builtin_custom_call(hlo_span target);
/* Offers all targets, for "did you mean". */
void hlo_builtin_custom_call_offer(hlo_nearest_name *nearest);
/* Checks that a call's shapes suit its target, which is built in. For compile time; the message names the target. */
bool hlo_builtin_custom_call_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status);

/* The check of one target: fails with SHAPE or UNSUPPORTED; the message names neither the target nor the instruction. */
typedef bool hlo_builtin_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status);

/* builtin_elementwise.c */
hlo_reference_function hlo_builtin_pass_on, hlo_builtin_unary, hlo_builtin_topk, hlo_builtin_shape_assertion;
hlo_builtin_check hlo_builtin_pass_on_check, hlo_builtin_unary_check, hlo_builtin_topk_check, hlo_builtin_shape_assertion_check;

/* checks.c, run_parallel.c */
hlo_reference_function hlo_builtin_expect, hlo_builtin_run_parallel;
hlo_builtin_check hlo_builtin_expect_check;

/* sparse.c */
hlo_reference_function hlo_builtin_csr;
hlo_builtin_check hlo_builtin_csr_check;

/* lapack.c: NULL when the target names no routine that is known. */
hlo_reference_function *hlo_lapack_function(hlo_span target);
hlo_builtin_check hlo_lapack_check;

#endif
