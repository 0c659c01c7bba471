/* Finds the entry's arguments and results, as its types declare them. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "graph/parameter_path.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

/* Returns HLO's shape for a type; NULL with a failure if there is none. */
static const hlo_shape *shape_of(const hlo_lower_call *c, const char *what, int i, const hlo_mlir_type *type) {
  if (type->kind == HLO_MLIR_SHAPED) return type->shape;
  hlo_lower_fail(c, HLO_UNSUPPORTED, "%s %d has type %pT, which HLO has no shape for", what, i, type);
  return NULL;
}

/* Returns the shape of the results together, as func.return makes it. */
static const hlo_shape *declared_result(hlo_lowering *l, const hlo_mlir_op *function) {
  const hlo_mlir_block *block = &function->regions[0].block;
  hlo_lower_call c = {.l = l, .op = function};
  const hlo_mlir_op *end = block->op_count ? block->ops[block->op_count - 1] : NULL;
  if (!end || !hlo_mlir_is_return(end)) return hlo_lower_fail(&c, HLO_VERIFY, "the function does not return"), NULL;
  const hlo_shape **shapes = hlo_arena_many(l->arena, const hlo_shape *, end->operand_count, l->status);
  for (int i = 0; shapes && i < end->operand_count; i++) {
    const hlo_shape *shape = shape_of(&c, "result", i, hlo_mlir_operand_type(l->tree, end, i));
    if (!shape || !(shapes[i] = hlo_lower_shape(l, shape))) return NULL;
  }
  if (!shapes) return NULL;
  return end->operand_count == 1 ? shapes[0] : hlo_shape_make_tuple(l->arena, shapes, end->operand_count, l->status);
}

static bool declared_parameters(hlo_lowering *l, const hlo_mlir_op *function, hlo_signature *signature) {
  const hlo_mlir_block *block = &function->regions[0].block;
  hlo_computation *computation = hlo_module_add_computation(l->module, "entry", 5, l->status);
  hlo_lower_call c = {.l = l, .computation = computation, .op = function, .opcode = HLO_OP_PARAMETER};
  const hlo_shape **shapes = hlo_arena_many(l->arena, const hlo_shape *, block->argument_count, l->status);
  const char **names = hlo_arena_many(l->arena, const char *, block->argument_count, l->status);
  if (!computation || !shapes || !names) return false;
  for (int i = 0; i < block->argument_count; i++) {
    const hlo_mlir_value *value = &l->tree->values[block->first_argument + i];
    const hlo_shape *shape = shape_of(&c, "argument", i, value->type);
    int parameter = shape ? hlo_lower_argument(&c, block, i, shape) : -1;
    if (parameter < 0) return false;
    const hlo_instruction *made = hlo_instruction_at(computation, parameter);
    shapes[i] = made->shape;
    hlo_writer path;
    hlo_writer_init(&path, l->status);
    hlo_write_parameter_path(&path, made);
    hlo_span kept;
    if (!hlo_writer_keep(&path, l->arena, &kept)) return false;
    names[i] = kept.text;
  }
  signature->count = block->argument_count;
  signature->shapes = shapes;
  signature->names = names;
  return true;
}

bool hlo_stablehlo_signature(const hlo_mlir *tree, hlo_span entry, hlo_arena *arena, hlo_signature *signature, hlo_status *status) {
  const hlo_mlir_op *function = hlo_stablehlo_entry(tree, entry, status);
  hlo_lowering l = {.tree = tree, .status = status, .arena = arena, .module = function ? hlo_module_new("signature", 9, status) : NULL};
  if (!l.module) return false;
  *signature = (hlo_signature){.count = 0};
  bool ok = hlo_lower_grid(tree, &signature->replicas, &signature->partitions, status) && declared_parameters(&l, function, signature) && (signature->result = declared_result(&l, function)) != NULL;
  hlo_module_free(l.module);
  return ok;
}
