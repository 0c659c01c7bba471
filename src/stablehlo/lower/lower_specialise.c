/* Specialisation: "?" sizes are inferred from the arguments' shapes, and functions are lowered into their callers, so
 * that shapes and known values reach them. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MAX_CALL_DEPTH = 200, MAX_INLINED_OPERATIONS = 1 << 18 };

/* ---- Shapes ---- */

/* Makes a shape of the module, of which there may be one already. */
static const hlo_shape *shape_of(hlo_lowering *l, hlo_type type, const int64_t *sizes, const uint8_t *kinds, int rank) {
  const hlo_shape *shape = hlo_shape_make_dynamic(&l->scratch, type, sizes, kinds, rank, l->status);
  return shape ? hlo_lower_shape(l, shape) : NULL;
}

static bool dim_fits(const hlo_shape *declared, const hlo_shape *given, int i) {
  hlo_dim_kind kind = hlo_shape_dim_kind(declared, i), has = hlo_shape_dim_kind(given, i);
  if (kind == HLO_DIM_UNBOUNDED || has == HLO_DIM_UNBOUNDED) return true;
  return kind == HLO_DIM_BOUNDED ? given->dims[i] <= declared->dims[i] : given->dims[i] == declared->dims[i];
}

bool hlo_lower_fits(const hlo_shape *declared, const hlo_shape *given) {
  if (declared->type != given->type || declared->rank != given->rank || declared->element_count != given->element_count) return false;
  for (int i = 0; i < declared->rank; i++)
    if (!dim_fits(declared, given, i)) return false;
  for (int i = 0; i < declared->element_count; i++)
    if (!hlo_lower_fits(declared->elements[i], given->elements[i])) return false;
  return true;
}

/* Returns whether to take the inferred size. "<=N" stays if the inferred size is N: another value of the type may be smaller. */
static bool takes_inferred(const hlo_shape *declared, const hlo_shape *inferred, int i) {
  hlo_dim_kind kind = hlo_shape_dim_kind(declared, i), has = hlo_shape_dim_kind(inferred, i);
  if (kind == HLO_DIM_UNBOUNDED) return true;
  return kind == HLO_DIM_BOUNDED && has != HLO_DIM_UNBOUNDED && inferred->dims[i] < declared->dims[i];
}

static const hlo_shape *settle_tuple(hlo_lowering *l, const hlo_shape *declared, const hlo_shape *inferred) {
  const hlo_shape **elements = hlo_arena_many(l->arena, const hlo_shape *, declared->element_count, l->status);
  for (int i = 0; elements && i < declared->element_count; i++)
    if (!(elements[i] = hlo_lower_settle(l, declared->elements[i], inferred->elements[i]))) return NULL;
  return elements ? hlo_shape_make_tuple(l->arena, elements, declared->element_count, l->status) : NULL;
}

const hlo_shape *hlo_lower_settle(hlo_lowering *l, const hlo_shape *declared, const hlo_shape *inferred) {
  if (hlo_shape_is_static(declared) || !hlo_lower_fits(declared, inferred)) return declared;
  if (hlo_shape_is_tuple(declared)) return settle_tuple(l, declared, inferred);
  int64_t sizes[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  for (int i = 0; i < declared->rank; i++) {
    const hlo_shape *from = takes_inferred(declared, inferred, i) ? inferred : declared;
    sizes[i] = from->dims[i];
    kinds[i] = (uint8_t)hlo_shape_dim_kind(from, i);
  }
  return shape_of(l, declared->type, sizes, kinds, declared->rank);
}

/* Replaces every "<=N" by "?", because inference would require the result to have the same bound. */
static const hlo_shape *without_bounds(hlo_lowering *l, const hlo_shape *shape) {
  int64_t sizes[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  if (!hlo_shape_is_array(shape)) return shape;
  for (int i = 0; i < shape->rank; i++) {
    bool open = hlo_shape_dim_kind(shape, i) != HLO_DIM_STATIC;
    sizes[i] = open ? HLO_UNKNOWN_SIZE : shape->dims[i];
    kinds[i] = open ? HLO_DIM_UNBOUNDED : HLO_DIM_STATIC;
  }
  return shape_of(l, shape->type, sizes, kinds, shape->rank);
}

/* Computes the only "?" of a reshape's result from the number of elements. */
static const hlo_shape *fill_reshape(hlo_lowering *l, const hlo_shape *declared, const hlo_shape *operand) {
  int64_t rest = 1, sizes[HLO_MAX_RANK], total = hlo_shape_element_count(operand);
  int open = -1;
  for (int i = 0; i < declared->rank; i++) {
    sizes[i] = declared->dims[i];
    if (hlo_shape_dim_kind(declared, i) == HLO_DIM_STATIC) rest *= sizes[i];
    else if (open >= 0) return declared;
    else open = i;
  }
  if (open < 0 || rest == 0 || total == HLO_UNKNOWN_SIZE || total % rest || !hlo_shape_is_static(operand)) return declared;
  sizes[open] = total / rest;
  const hlo_shape *filled = hlo_shape_make(l->arena, declared->type, sizes, declared->rank, l->status);
  return filled && hlo_lower_fits(declared, filled) ? filled : declared;
}

const hlo_shape *hlo_lower_expected(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count) {
  const hlo_shape *operand = operand_count ? hlo_lower_shape_of(c, operands[0]) : NULL;
  if (hlo_shape_is_static(declared)) return declared;
  if (opcode == HLO_OP_RESHAPE) return fill_reshape(c->l, declared, operand);
  if (opcode == HLO_OP_BITCAST_CONVERT && operand->rank != declared->rank) { /* one of the shapes has one dimension more */
    const hlo_shape *like = hlo_shape_with_type(c->l->arena, operand, declared->type, c->l->status);
    hlo_shape part = like ? *like : *declared;
    int64_t sizes[HLO_MAX_RANK];
    int shared = operand->rank < declared->rank ? operand->rank : declared->rank;
    for (int i = 0; i < declared->rank; i++) sizes[i] = i < shared ? part.dims[i] : declared->dims[i];
    bool known = like && hlo_shape_is_static(operand) && (declared->rank == shared || hlo_shape_dim_kind(declared, shared) == HLO_DIM_STATIC);
    return known ? hlo_shape_make(c->l->arena, declared->type, sizes, declared->rank, c->l->status) : declared;
  }
  if (opcode == HLO_OP_CONVERT || opcode == HLO_OP_BITCAST_CONVERT || opcode == HLO_OP_STOCHASTIC_CONVERT) {
    const hlo_shape *like = hlo_shape_with_type(c->l->arena, operand, declared->type, c->l->status);
    return like && hlo_lower_fits(declared, like) ? hlo_lower_settle(c->l, declared, like) : declared;
  }
  return hlo_op_has(opcode, HLO_FLAG_DECLARED) ? declared : without_bounds(c->l, declared);
}

bool hlo_lower_settle_result(const hlo_lower_call *c, int i, const hlo_shape *shape, const hlo_shape **settled) {
  const hlo_shape *declared = shape ? hlo_lower_result_shape(c, i) : NULL;
  if (!declared) return false;
  if (!hlo_lower_fits(declared, shape))
    return hlo_lower_fail(c, HLO_SHAPE, "result %d is declared as %pS, but is %pS", i, declared, shape);
  return (*settled = hlo_lower_settle(c->l, declared, shape)) != NULL;
}

/* ---- The entry's parameters ---- */

static int known_value(const hlo_lower_call *c, const hlo_literal *value) {
  hlo_literal *own = hlo_literal_copy(c->l->arena, value, c->l->status);
  if (!own || !(own->shape = hlo_shape_copy(c->l->arena, value->shape, c->l->status))) return -1;
  hlo_attribute attribute = {.id = HLO_ATTR_literal, .literal = own};
  return hlo_lower_emit(c, HLO_OP_CONSTANT, own->shape, NULL, 0, &attribute, 1);
}

static const hlo_shape *argument_shape(const hlo_lower_call *c, int i, const hlo_mlir_type *type) {
  const hlo_shape *declared = hlo_lower_shape(c->l, type->shape);
  const hlo_shape *given = c->l->given && c->l->given->shapes ? c->l->given->shapes[i] : declared;
  if (!declared || !given || !hlo_lower_fits(declared, given) || hlo_shape_has_unbounded(given))
    return hlo_lower_fail(c, HLO_ARGUMENT, "argument %d is declared as %pT, which %s is not", i, type,
                          given ? HLO_SHAPE_TEXT(given) : "nothing"),
           NULL;
  return given;
}

bool hlo_lower_arguments(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *function) {
  const hlo_mlir_block *block = &function->regions[0].block;
  hlo_lower_call c = {.l = l, .computation = computation, .op = function, .opcode = HLO_OP_PARAMETER};
  if (l->given && l->given->shapes && l->given->count != block->argument_count)
    return hlo_lower_fail(&c, HLO_ARGUMENT, "the function takes %d arguments, got %d", block->argument_count, l->given->count);
  for (int i = 0; i < block->argument_count; i++) {
    int value = block->first_argument + i;
    const hlo_mlir_type *type = l->tree->values[value].type;
    if (type->kind != HLO_MLIR_SHAPED)
      return hlo_lower_fail(&c, HLO_UNSUPPORTED, "argument %d has type %pT, which HLO has no shape for", i, type);
    const hlo_shape *shape = argument_shape(&c, i, type);
    if (!shape || (l->instruction_of[value] = hlo_lower_argument(&c, block, i, shape)) < 0) return false;
  }
  for (int i = 0; l->given && l->given->shapes && l->given->values && i < block->argument_count; i++) {
    const hlo_literal *known = l->given->values[i];
    if (!known) continue;
    if (!hlo_shape_compatible(known->shape, l->given->shapes[i]))
      return hlo_lower_fail(&c, HLO_ARGUMENT, "argument %d is %pS, but its value is %pS", i, l->given->shapes[i], known->shape);
    if ((l->instruction_of[block->first_argument + i] = known_value(&c, known)) < 0) return false;
  }
  return true;
}

/* ---- Calls ---- */

static bool enter(const hlo_lower_call *c, int number) {
  hlo_lowering *l = c->l;
  const hlo_mlir_op *function = l->functions[number];
  hlo_span name = hlo_mlir_find(function, "sym_name")->text;
  if (l->active[number]) return hlo_lower_fail(c, HLO_UNSUPPORTED, "@%pN calls itself, which HLO cannot say", &name);
  if (l->depth >= MAX_CALL_DEPTH) return hlo_lower_fail(c, HLO_LIMIT, "calls are nested deeper than %d", MAX_CALL_DEPTH);
  if ((l->inlined += function->regions[0].block.op_count) > MAX_INLINED_OPERATIONS)
    return hlo_lower_fail(c, HLO_LIMIT, "calls have more than %d operations when each is lowered for its arguments",
                          MAX_INLINED_OPERATIONS);
  if (function->regions[0].block.argument_count != c->op->operand_count)
    return hlo_lower_fail(c, HLO_SHAPE, "@%pN takes %d arguments, got %d", &name, function->regions[0].block.argument_count,
                          c->op->operand_count);
  return true;
}

bool hlo_lower_inline_call(const hlo_lower_call *c, const hlo_mlir_attribute *callee) {
  hlo_lowering *l = c->l;
  int number = hlo_lower_function_number(c, callee), count = 0;
  if (number < 0 || !enter(c, number)) return false;
  const hlo_mlir_block *block = &l->functions[number]->regions[0].block;
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  for (int i = 0; operands && i < block->argument_count; i++) {
    const hlo_mlir_type *type = l->tree->values[block->first_argument + i].type;
    const hlo_shape *declared = type->kind == HLO_MLIR_SHAPED ? hlo_lower_shape(l, type->shape) : NULL;
    if (!declared || !hlo_lower_fits(declared, hlo_lower_shape_of(c, operands[i])))
      return hlo_lower_fail(c, HLO_SHAPE, "argument %d of the function is declared as %pT, which %pS is not", i, type,
                            hlo_lower_shape_of(c, operands[i]));
    l->instruction_of[block->first_argument + i] = operands[i];
  }
  l->active[number] = true;
  l->depth++;
  const int *results = operands ? hlo_lower_block(c, c->computation, block, &count) : NULL;
  l->depth--;
  l->active[number] = false;
  if (!results) return false;
  if (count != c->op->result_count)
    return hlo_lower_fail(c, HLO_SHAPE, "%d results are declared, but the function returns %d", c->op->result_count, count);
  return hlo_lower_bind(c, results);
}
