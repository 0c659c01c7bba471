/* Chooses argument shapes to try a dynamic module with, when the caller gives none. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

static const int64_t sizes[] = {3, 4, 2, 1, 5, 8, 6, 16};

static const hlo_shape *filled(hlo_arena *arena, const hlo_shape *shape, int64_t size, hlo_status *status) {
  int64_t dims[HLO_MAX_RANK];
  if (!hlo_shape_is_array(shape)) return hlo_shape_copy(arena, shape, status);
  for (int i = 0; i < shape->rank; i++) {
    hlo_dim_kind kind = hlo_shape_dim_kind(shape, i);
    dims[i] = kind == HLO_DIM_STATIC || (kind == HLO_DIM_BOUNDED && shape->dims[i] < size) ? shape->dims[i] : size;
  }
  return hlo_shape_make(arena, shape->type, dims, shape->rank, status);
}

static bool is_size(const hlo_mlir_type *type) {
  return hlo_shape_is_scalar(type->shape) && (type->shape->type == HLO_TYPE_S64 || type->shape->type == HLO_TYPE_S32) && !type->shape->quantization;
}

static const hlo_literal *scalar(hlo_arena *arena, const hlo_shape *shape, int64_t value, hlo_status *status) {
  hlo_literal *literal = hlo_literal_make(arena, shape, status);
  if (literal) hlo_literal_set(literal, 0, (hlo_scalar){.s = value});
  return literal;
}

bool hlo_stablehlo_choose_shapes(const hlo_mlir *tree, hlo_span entry, int attempt, hlo_arena *arena, hlo_specialisation *chosen, hlo_status *status) {
  const hlo_mlir_op *function = hlo_stablehlo_entry(tree, entry, status);
  if (!function || attempt < 0 || attempt >= (int)(sizeof sizes / sizeof *sizes)) return false;
  const hlo_mlir_block *block = &function->regions[0].block;
  const hlo_shape **shapes = hlo_arena_many(arena, const hlo_shape *, block->argument_count, status);
  const hlo_literal **values = hlo_arena_many(arena, const hlo_literal *, block->argument_count, status);
  if (!shapes || !values) return false;
  bool leading = true;
  for (int i = 0; i < block->argument_count; i++) {
    const hlo_mlir_type *type = tree->values[block->first_argument + i].type;
    char text[HLO_STATUS_MESSAGE_BYTES];
    if (type->kind != HLO_MLIR_SHAPED)
      return hlo_fail_at(status, HLO_UNSUPPORTED, &function->place, "argument %d has type %s, which has no values", i,
                         hlo_mlir_thing(NULL, 'T', type, text, sizeof text));
    leading = leading && is_size(type);
    if (!(shapes[i] = filled(arena, type->shape, sizes[attempt], status))) return false;
    if (leading && !(values[i] = scalar(arena, shapes[i], sizes[attempt], status))) return false;
  }
  chosen->count = block->argument_count;
  chosen->shapes = shapes;
  chosen->values = values;
  return true;
}
