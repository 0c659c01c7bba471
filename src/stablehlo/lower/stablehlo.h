/* Lowers StableHLO to a module of the graph. */
#ifndef HLO_STABLEHLO_LOWER_STABLEHLO_H
#define HLO_STABLEHLO_LOWER_STABLEHLO_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"

/* Lowers a tree to a module and verifies it. Every function becomes a computation; the entry is the function `entry`, or @main,
 * or the only public function. Returns NULL on failure, with the line of the operation at fault. */
hlo_module *hlo_stablehlo_lower(const hlo_mlir *tree, hlo_span entry, hlo_status *status);

/* ---- Specialisation: a module with dynamic ("?") types, lowered for arguments of known shapes ---- */

/* Evaluates an instruction all of whose operands are known. `result` has its shape, and memory for its elements. The instruction
 * is not in the computation yet. Returns false if it cannot be evaluated. hlo_reference_fold (reference/fold_constant.h) is such a
 * function. */
typedef bool hlo_fold_function(void *context, const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result, hlo_status *status);

typedef struct hlo_specialisation {
  int count;                         /* number of the entry's arguments */
  const hlo_shape *const *shapes;    /* of each argument; without "?". NULL: the declared shapes, and `count` is ignored */
  const hlo_literal *const *values;  /* of each argument, such as the dimension sizes that older JAX passes; NULL: not known.
                                      * The list may be NULL. */
  bool *wanted;                      /* output, for each argument: lowering failed because a shape depends on its integer value.
                                      * The list may be NULL. */
  bool borrows;                      /* constants refer to elements in the tree, which must outlive the module */
  hlo_fold_function *fold;           /* NULL: no instruction is evaluated */
  void *context;                     /* for `fold` */
} hlo_specialisation;

/* Lowers a tree for given arguments. If some type is open, all shapes are inferred from the arguments' shapes, functions are lowered into
 * their callers, and operands that give shapes are evaluated; other modules keep their functions. All parameters remain, also those whose
 * values are known. Fails, naming the operation, if a shape stays unknown or a shape_assertion does not hold. A specialisation of NULL
 * means the argument types as declared, and nothing evaluated. */
hlo_module *hlo_stablehlo_lower_for(const hlo_mlir *tree, hlo_span entry, const hlo_specialisation *specialisation, hlo_status *status);

/* Returns the function that lowering would take as the entry; NULL with a failure if there is none. */
const hlo_mlir_op *hlo_stablehlo_entry(const hlo_mlir *tree, hlo_span entry, hlo_status *status);

/* The entry's arguments and results as its types declare them, in the shapes that lowering gives, with the paths (or names) of
 * parameters. */
typedef struct hlo_signature {
  int count;                      /* number of arguments */
  const hlo_shape *const *shapes; /* of each argument; with "?" if its type has it */
  const char *const *names;
  const hlo_shape *result;        /* a tuple unless there is exactly one */
  int64_t replicas, partitions;
} hlo_signature;

/* Makes the signature in `arena`, which names are copied to. */
bool hlo_stablehlo_signature(const hlo_mlir *tree, hlo_span entry, hlo_arena *arena, hlo_signature *signature, hlo_status *status);

/* Chooses shapes to try a dynamic module with: set number `attempt` (0, 1, ...), in which every unknown size is the same small
 * number, and so is the value of every leading scalar integer, which is taken for a dimension size. Returns false without a failure
 * if there is no such set. Shapes and values are made in `arena`; `fold` is not set. */
bool hlo_stablehlo_choose_shapes(const hlo_mlir *tree, hlo_span entry, int attempt, hlo_arena *arena, hlo_specialisation *chosen,
                                 hlo_status *status);

/* Returns whether a text looks like MLIR rather than HLO. */
bool hlo_stablehlo_recognise(const char *text, size_t length);

#endif
