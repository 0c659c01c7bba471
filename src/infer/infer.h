/* Shape inference: the shape of an operation's result, and whether its operands and attributes obey its rules. */
#ifndef HLO_INFER_INFER_H
#define HLO_INFER_INFER_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* An instruction to infer. It has opcode, operands and attributes; its `shape` is the declared one, or NULL if none is declared (then ops
 * flagged DECLARED fail, saying that a shape must be given). */
typedef struct hlo_infer {
  const hlo_module *module;
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  int operand_count;
  const hlo_shape *const *operands; /* shapes of the operands */
  hlo_arena *arena;                 /* results are made here */
  hlo_status *status;
} hlo_infer;

/* Returns the result's shape, without layout (with the declared one's where the op is DECLARED). NULL and code SHAPE
 * (or UNSUPPORTED) on failure. The message names the op, the operand and the rule:
 *
 *   add: lhs and rhs must have the same dimensions, got lhs f32[2,3] and rhs f32[3]
 *   concatenate: operands[1] must have size 4 in dimension 0 as operands[0] has, got f32[5,2]
 *
 * Checks arity and required attributes, then calls the op's own rule, then compares with the declared shape. */
const hlo_shape *hlo_infer_shape(const hlo_infer *infer);

/* Inference functions of the op table, one per distinct name. Do not call directly: arity, required
 * attributes and allowed element types have been checked by hlo_infer_shape. */
typedef const hlo_shape *hlo_infer_function(const hlo_infer *infer);
hlo_infer_function *hlo_infer_function_of(hlo_opcode opcode);

/* The dimension numbers of a dot or ragged-dot. A dot without any is one of vectors and matrices: it contracts the last dimension of lhs with
 * the first of rhs. All code that runs dots reads them through this function. */
typedef struct hlo_dot_dims {
  hlo_ints lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
} hlo_dot_dims;
hlo_dot_dims hlo_dot_dims_of(const hlo_instruction *instruction);
enum { HLO_DOT_ATTRIBUTES = 4 };
/* Writes the attributes of a dot that has them, and returns their number: dimensions of batches are left out where there are none. */
int hlo_dot_attributes(const hlo_dot_dims *dims, hlo_attribute *attributes);
bool hlo_is_dot_attribute(hlo_attribute_id id); /* one of these */

/* Returns whether a value of one shape can be used where the other is expected, in XLA's sense: the shapes are equal except for layouts and
 * for dynamic dimensions ("<=4" and 4 agree, "?" agrees with any size). */
bool hlo_shapes_agree(const hlo_shape *a, const hlo_shape *b);

#endif
