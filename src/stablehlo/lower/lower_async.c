/* Lowers asynchronous operations. A future is the tuple that async-start gives, ((operands), results). */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static const hlo_shape *started_shape(const hlo_lower_call *c, const int *operands, int count, const hlo_computation *body) {
  hlo_lowering *l = c->l;
  const hlo_shape **shapes = hlo_arena_many(l->arena, const hlo_shape *, count, l->status);
  if (!shapes) return NULL;
  for (int i = 0; i < count; i++) shapes[i] = hlo_lower_shape_of(c, operands[i]);
  const hlo_shape *parts[2] = {hlo_shape_make_tuple(l->arena, shapes, count, l->status), hlo_computation_root(body)->shape};
  return parts[0] ? hlo_shape_make_tuple(l->arena, parts, 2, l->status) : NULL;
}

bool hlo_lower_async_start(const hlo_lower_call *c) {
  const hlo_mlir_type *future = c->op->result_count == 1 ? hlo_mlir_result_type(c->l->tree, c->op, 0) : NULL;
  if (!future || future->kind != HLO_MLIR_FUTURE) return hlo_lower_fail(c, HLO_SHAPE, "must have one result, a future");
  if (c->op->region_count != 1) return hlo_lower_fail(c, HLO_SHAPE, "requires one region");
  int arguments = c->op->regions[0].block.argument_count;
  if (arguments != c->op->operand_count)
    return hlo_lower_fail(c, HLO_SHAPE, "there are %d operands, but the region has %d arguments", c->op->operand_count, arguments);
  const int *own = hlo_lower_operands(c, 0, arguments);
  hlo_lower_captured taken = {0};
  int body = own ? hlo_lower_applied_region_with_captures(c, &c->op->regions[0], &taken) : -1, count = arguments + taken.count;
  int *operands = body < 0 ? NULL : hlo_arena_many(c->l->arena, int, count, c->l->status);
  for (int i = 0; operands && i < count; i++) operands[i] = i < arguments ? own[i] : taken.instructions[i - arguments];
  const hlo_shape *shape = operands ? started_shape(c, operands, count, c->l->module->computations[body]) : NULL;
  hlo_attribute attribute = hlo_lower_computation(HLO_ATTR_calls, body);
  int start = shape ? hlo_lower_emit(c, HLO_OP_ASYNC_START, shape, operands, count, &attribute, 1) : -1;
  c->l->instruction_of[c->op->first_result] = start;
  return start >= 0;
}

bool hlo_lower_async_done(const hlo_lower_call *c) {
  int start = hlo_lower_operand(c, 0);
  if (start < 0) return false;
  const hlo_instruction *started = c->computation->instructions[start];
  const hlo_attribute *body = hlo_instruction_attribute(started, HLO_ATTR_calls);
  int done = hlo_lower_emit(c, HLO_OP_ASYNC_DONE, NULL, &start, 1, body, body ? 1 : 0);
  return done >= 0 && hlo_lower_results(c, done);
}
