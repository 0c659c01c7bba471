/* StableHLO text as a module of the one graph. */
#ifndef HLO_STABLEHLO_STABLEHLO_H
#define HLO_STABLEHLO_STABLEHLO_H

#include "stablehlo/mlir/mlir.h"
#include "verify/verify.h"

/* Lowers a tree to a module and verifies it. Every function becomes a computation; the entry is `entry`, or @main,
 * or the only public function. NULL on failure, with the line of the operation at fault. */
hlo_module *hlo_stablehlo_lower(const hlo_mlir *tree, hlo_span entry, hlo_status *status);

/* ---- Specialisation: a module with dynamic ("?") types, lowered for arguments of known shapes ---- */

/* Evaluates an instruction all of whose operands are known into `result`, which has its shape and memory. The instruction
 * is not in the computation yet. False when it cannot be done; hlo_reference_fold (reference/fold_constant.h) is one. */
typedef bool hlo_fold_function(void *context, const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result, hlo_status *status);

typedef struct hlo_specialisation {
  int count;                         /* of the entry's arguments */
  const hlo_shape *const *shapes;    /* of each; bounds are allowed, "?" is not. NULL: as declared, and count is not used */
  const hlo_literal *const *values;  /* known beforehand, such as the dimension sizes that older JAX passes; an entry, or all, may be NULL */
  bool *wanted;                      /* out, of each argument: lowering failed because a shape depends on its value, integers; or NULL */
  bool borrows;                      /* the elements of constants stay in the tree, which outlives the module */
  hlo_fold_function *fold;           /* NULL: nothing is computed beforehand */
  void *context;                     /* of fold */
} hlo_specialisation;

/* The same for given arguments: every shape is inferred from them, functions are lowered into their callers (where some
 * type is open; other modules keep theirs), and the operands that give shapes are evaluated. The parameters remain, also
 * those whose values are known. Fails, naming the operation, where a shape stays unknown, or where a shape_assertion does
 * not hold. NULL for the specialisation means the argument types as declared, and nothing evaluated. */
hlo_module *hlo_stablehlo_lower_for(const hlo_mlir *tree, hlo_span entry, const hlo_specialisation *specialisation, hlo_status *status);

/* The function that lowering would take for the entry; NULL with a failure when there is none. */
const hlo_mlir_op *hlo_stablehlo_entry(const hlo_mlir *tree, hlo_span entry, hlo_status *status);

/* The entry as its types declare it, with the shapes that lowering gives, and the paths (or names) of parameters. */
typedef struct hlo_signature {
  int count;                      /* of the arguments */
  const hlo_shape *const *shapes; /* of each; "?" where the type says so */
  const char *const *names;
  const hlo_shape *result;        /* a tuple where there is not exactly one */
  int64_t replicas, partitions;
} hlo_signature;

/* Makes it in `arena`; the names are copied. */
bool hlo_stablehlo_signature(const hlo_mlir *tree, hlo_span entry, hlo_arena *arena, hlo_signature *signature, hlo_status *status);

/* Shapes to try a dynamic module with: its attempt-th set (0, 1, ...), in which every unknown size is the same small
 * number, and so are the leading scalar integers, which are taken for dimension sizes. False without a failure
 * when there are no more. Shapes and values are made in `arena`; fold is left alone. */
bool hlo_stablehlo_choose_shapes(const hlo_mlir *tree, hlo_span entry, int attempt, hlo_arena *arena, hlo_specialisation *chosen,
                                 hlo_status *status);

/* Whether a text looks like MLIR rather than HLO. */
bool hlo_stablehlo_recognise(const char *text, size_t length);

#endif
