/* The table of built-in targets. */
#include "reference/custom_calls/builtin_custom_calls.h"

#include <string.h>

#include "graph/attribute.h"

typedef struct builtin {
  const char *target;
  hlo_reference_function *function;
  hlo_builtin_check *check;
} builtin;

#define ANNOTATION(target) {target, hlo_builtin_pass_on, hlo_builtin_pass_on_check}
#define UNARY(target) {target, hlo_builtin_unary, hlo_builtin_unary_check}

static const builtin builtins[] = {
    /* Annotations for other compilers, which have no effect here: the result is the operand. */
    ANNOTATION("AssumeGatherIndicesInBound"),
    ANNOTATION("LayoutConstraint"),
    ANNOTATION("MoveToDevice"),
    ANNOTATION("MoveToHost"),
    ANNOTATION("SPMDFullToShardShape"),
    ANNOTATION("SPMDShardToFullShape"),
    ANNOTATION("Sharding"),
    ANNOTATION("annotate_device_placement"),
    ANNOTATION("xla.sdy.FuncResultSharding"),
    ANNOTATION("xla.sdy.GlobalToLocalShape"),
    ANNOTATION("xla.sdy.LocalToGlobalShape"),
    ANNOTATION("xla.sdy.PropagationBarrier"),
    /* Operations by the names that they have in other dialects. */
    UNARY("mhlo.acos"),
    UNARY("mhlo.acosh"),
    UNARY("mhlo.asin"),
    UNARY("mhlo.asinh"),
    UNARY("mhlo.atan"),
    UNARY("mhlo.atanh"),
    UNARY("mhlo.cosh"),
    UNARY("mhlo.erf"),
    UNARY("mhlo.erf_inv"),
    UNARY("mhlo.erfc"),
    UNARY("mhlo.sinh"),
    UNARY("mhlo.tan"),
    {"TopK", hlo_builtin_topk, hlo_builtin_topk_check},
    {"mhlo.topk", hlo_builtin_topk, hlo_builtin_topk_check},
    {"shape_assertion", hlo_builtin_shape_assertion, hlo_builtin_shape_assertion_check},
    {"cpu_csr_sparse_dense_ffi", hlo_builtin_csr, hlo_builtin_csr_check},
    /* For conformance cases. */
    {"check.eq", hlo_builtin_expect, hlo_builtin_expect_check},
    {"check.expect_almost_eq", hlo_builtin_expect, hlo_builtin_expect_check},
    {"check.expect_close", hlo_builtin_expect, hlo_builtin_expect_check},
    {"check.expect_eq", hlo_builtin_expect, hlo_builtin_expect_check},
    {"interpreter.run_parallel", hlo_builtin_run_parallel, NULL}, /* hlo_parallel_read checks it, with the module at hand */
};

void hlo_builtin_custom_call_offer(hlo_nearest_name *nearest) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) hlo_nearest_name_offer(nearest, hlo_span_of(builtins[i].target));
}

static const builtin *find(hlo_span target) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (hlo_span_is(target, builtins[i].target)) return &builtins[i];
  return NULL;
}

hlo_reference_function *hlo_builtin_custom_call(hlo_span target) {
  const builtin *found = find(target);
  return found ? found->function : hlo_lapack_function(target);
}

bool hlo_builtin_custom_call_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  const builtin *found = find(target);
  hlo_builtin_check *check = found ? found->check : hlo_lapack_function(target) ? hlo_lapack_check : NULL;
  if (!check || check(instruction, operands, status)) return true;
  return hlo_status_append(status, " (of \"%.*s\")", (int)target.length, target.text);
}
