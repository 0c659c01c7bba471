/* Shapes for JavaScript: facts as JSON, index arithmetic, layouts, broadcasting. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "infer/implicit_broadcast.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

/* ---- JSON ---- */

static void write_ints(hlo_writer *writer, const char *key, const int64_t *values, int count) {
  hlo_write_format(writer, "\"%s\":[", key);
  hlo_write_ints(writer, values, count, ",");
  hlo_write_char(writer, ']');
}

static const char *const padding_value_names[] = {"", "zero", "one", "lowest", "highest", "unknown"};

static void write_layout(hlo_writer *writer, const hlo_layout *layout, const hlo_shape *shape) {
  hlo_write_char(writer, '{');
  write_ints(writer, "minorToMajor", layout->minor_to_major, layout->rank);
  hlo_write(writer, ",\"tiles\":[");
  for (int t = 0; t < layout->tile_count; t++) {
    hlo_write(writer, t ? ",[" : "[");
    hlo_write_ints(writer, layout->tiles[t].dims, layout->tiles[t].rank, ",");
    hlo_write_char(writer, ']');
  }
  hlo_write_format(writer, "],\"tailPaddingAlignmentInElements\":%lld,\"elementSizeInBits\":%lld,\"memorySpace\":%lld",
                   (long long)layout->tail_padding_alignment_in_elements, (long long)layout->element_size_in_bits,
                   (long long)layout->memory_space);
  if (layout->padded_dimensions) {
    hlo_write_char(writer, ',');
    write_ints(writer, "paddedDimensions", layout->padded_dimensions, layout->rank);
    hlo_write_format(writer, ",\"paddingValue\":\"%s\"", padding_value_names[layout->padding_value]);
  }
  hlo_writer text;
  hlo_writer_init(&text, writer->status);
  hlo_layout_write(&text, layout, shape);
  hlo_write(writer, ",\"text\":");
  hlo_write_json(writer, text.text ? text.text : "", text.length);
  hlo_writer_free(&text);
  hlo_write_char(writer, '}');
}

static void write_size(hlo_writer *writer, const char *key, const hlo_shape *shape,
                       bool size_of(const hlo_shape *, int64_t *, hlo_status *)) {
  hlo_status status = {.code = HLO_OK};
  int64_t bytes = 0;
  if (size_of(shape, &bytes, &status)) hlo_write_format(writer, ",\"%s\":%lld", key, (long long)bytes);
  else hlo_write_format(writer, ",\"%s\":null", key);
}

static void write_array(hlo_writer *writer, const hlo_shape *shape) {
  hlo_write(writer, ",\"dimensions\":[");
  for (int i = 0; i < shape->rank; i++) {
    if (i) hlo_write_char(writer, ',');
    if (hlo_shape_dim_kind(shape, i) == HLO_DIM_UNBOUNDED) hlo_write(writer, "null");
    else hlo_write_int(writer, shape->dims[i]);
  }
  hlo_write_char(writer, ']');
  if (shape->dim_kinds) {
    static const char *const kinds[] = {"static", "bounded", "unbounded"};
    hlo_write(writer, ",\"dimensionKinds\":[");
    for (int i = 0; i < shape->rank; i++) hlo_write_format(writer, i ? ",\"%s\"" : "\"%s\"", kinds[hlo_shape_dim_kind(shape, i)]);
    hlo_write_char(writer, ']');
  }
  bool sized = !hlo_shape_has_unbounded(shape);
  if (sized) hlo_write_format(writer, ",\"elementCount\":%lld", (long long)hlo_shape_element_count(shape));
  hlo_write_format(writer, ",\"trueRank\":%d", hlo_shape_true_rank(shape));
  write_size(writer, "arraySize", shape, hlo_shape_array_size);
  if (shape->layout) {
    hlo_write(writer, ",\"layout\":");
    write_layout(writer, shape->layout, shape);
  }
  hlo_write_format(writer, ",\"dense\":%s", hlo_layout_is_dense(shape) ? "true" : "false");
}

static bool has_layout(const hlo_shape *shape) {
  bool found = shape->layout != NULL;
  for (int i = 0; !found && i < shape->element_count; i++) found = has_layout(shape->elements[i]);
  return found;
}

void hlo_api_write_shape(hlo_writer *writer, const hlo_shape *shape) {
  hlo_writer text;
  hlo_writer_init(&text, writer->status);
  hlo_shape_write(&text, shape, has_layout(shape));
  hlo_write(writer, "{\"text\":");
  hlo_write_json(writer, text.text ? text.text : "", text.length);
  hlo_writer_free(&text);
  hlo_write_format(writer, ",\"type\":\"%s\"", hlo_type_name(shape->type));
  write_size(writer, "byteSize", shape, hlo_shape_byte_size);
  if (hlo_shape_is_array(shape)) write_array(writer, shape);
  if (hlo_shape_is_tuple(shape)) {
    hlo_write(writer, ",\"elements\":[");
    for (int i = 0; i < shape->element_count; i++) {
      if (i) hlo_write_char(writer, ',');
      hlo_api_write_shape(writer, shape->elements[i]);
    }
    hlo_write_char(writer, ']');
  }
  hlo_write_char(writer, '}');
}

/* ---- Making ---- */

static const hlo_shape *pad(hlo_arena *arena, const hlo_shape *shape, const int64_t *padded_dimensions, int count,
                            int padding_value, hlo_status *status) {
  if (!hlo_shape_is_array(shape) || count != shape->rank) {
    hlo_fail(status, HLO_ARGUMENT, "paddedDimensions must have one size for each dimension of %pS, got %d",
             shape, count);
    return NULL;
  }
  const hlo_layout *base = shape->layout ? shape->layout : hlo_layout_row_major(arena, shape->rank, status);
  if (!base) return NULL;
  hlo_layout layout = *base;
  layout.padded_dimensions = hlo_arena_copy(arena, padded_dimensions, (size_t)count * sizeof *padded_dimensions, status);
  layout.padding_value = (hlo_padding_value)padding_value;
  const hlo_layout *kept = hlo_arena_copy(arena, &layout, sizeof layout, status);
  if (!kept || !layout.padded_dimensions) return NULL;
  const hlo_shape *padded = hlo_shape_with_layout(arena, shape, kept, status);
  return padded && hlo_layout_check(padded, kept, status) ? padded : NULL;
}

HLO_API(hlo_api_shape *, hlo_api_shape_parse)(hlo_runtime *runtime, const char *text, size_t length,
                                              const int64_t *padded_dimensions, int padded_count, int padding_value) {
  hlo_api_begin(runtime);
  hlo_api_shape *shape = hlo_api_object(runtime, sizeof *shape);
  if (!shape) return NULL;
  shape->runtime = runtime;
  hlo_arena_init(&shape->arena);
  shape->shape = hlo_shape_parse(&shape->arena, text, length, &runtime->status);
  if (shape->shape && padded_dimensions)
    shape->shape = pad(&shape->arena, shape->shape, padded_dimensions, padded_count, padding_value, &runtime->status);
  runtime->live_shapes++;
  if (shape->shape) return shape;
  hlo_api_shape_free(shape);
  return NULL;
}

HLO_API(void, hlo_api_shape_free)(hlo_api_shape *shape) {
  shape->runtime->live_shapes--;
  hlo_arena_free(&shape->arena);
  free(shape);
}

HLO_API(bool, hlo_api_shape_info)(hlo_api_shape *shape) {
  hlo_api_begin(shape->runtime);
  hlo_api_write_shape(&shape->runtime->text, shape->shape);
  return hlo_ok(&shape->runtime->status);
}

/* ---- Indices ---- */

static bool ensure_index(hlo_api_shape *shape) {
  hlo_status *status = &shape->runtime->status;
  hlo_api_begin(shape->runtime);
  if (shape->index) return true;
  if (!hlo_shape_is_array(shape->shape))
    return hlo_fail(status, HLO_ARGUMENT, "%pS is not an array: it has no indices", shape->shape);
  if (hlo_shape_has_unbounded(shape->shape))
    return hlo_fail(status, HLO_ARGUMENT, "%pS has dimensions of unknown size", shape->shape);
  hlo_layout_index *index = hlo_arena_new(&shape->arena, hlo_layout_index, status);
  if (!index || !hlo_layout_index_init(index, shape->shape, status)) return false;
  shape->index = index;
  return true;
}

static bool index_in_range(hlo_api_shape *shape, const int64_t *multi_index, int count) {
  const hlo_shape *s = shape->shape;
  hlo_status *status = &shape->runtime->status;
  if (count != s->rank)
    return hlo_fail(status, HLO_ARGUMENT, "an index of %pS has %d values, got %d", s, s->rank, count);
  for (int i = 0; i < count; i++)
    if (multi_index[i] < 0 || multi_index[i] >= s->dims[i])
      return hlo_fail(status, HLO_ARGUMENT, "index %lld in dimension %d is outside %pS", (long long)multi_index[i], i, s);
  return true;
}

HLO_API(double, hlo_api_shape_linear_index)(hlo_api_shape *shape, const int64_t *multi_index, int count) {
  if (!ensure_index(shape) || !index_in_range(shape, multi_index, count)) return -1;
  return (double)hlo_layout_offset(shape->index, multi_index);
}

HLO_API(int, hlo_api_shape_multi_index)(hlo_api_shape *shape, double offset, int64_t *multi_index) {
  if (!ensure_index(shape)) return -1;
  if (!(offset >= 0 && offset < (double)shape->index->aligned_elements)) {
    hlo_fail(&shape->runtime->status, HLO_ARGUMENT, "offset %.17g is outside the %lld elements that %pS takes in memory",
             offset, (long long)shape->index->aligned_elements, shape->shape);
    return -1;
  }
  if (offset >= (double)shape->index->padded_elements) return 0;
  return hlo_layout_multi_index(shape->index, (int64_t)offset, multi_index);
}

HLO_API(int, hlo_api_shape_tiled_index)(hlo_api_shape *shape, const int64_t *multi_index, int count,
                                        int64_t *coordinates, int64_t *bounds) {
  if (!ensure_index(shape) || !index_in_range(shape, multi_index, count)) return -1;
  return hlo_layout_tiled_index(shape->index, multi_index, coordinates, bounds);
}

HLO_API(bool, hlo_api_shape_offsets)(hlo_api_shape *shape, double *offsets) {
  if (!ensure_index(shape)) return false;
  const hlo_shape *s = shape->shape;
  if (hlo_shape_element_count(s) == 0) return true;
  int64_t multi_index[HLO_MAX_RANK] = {0};
  size_t i = 0;
  do offsets[i++] = (double)hlo_layout_offset(shape->index, multi_index);
  while (hlo_index_next(s->dims, s->rank, multi_index));
  return true;
}

HLO_API(int, hlo_api_transpose_is_bitcast)(hlo_api_shape *input, const hlo_api_shape *output, const int64_t *permutation,
                                           int count) {
  if (!ensure_index(input)) return -1;
  hlo_status *status = &input->runtime->status;
  const hlo_shape *from = input->shape, *to = output->shape;
  bool valid = hlo_shape_is_array(to) && count == from->rank && to->rank == from->rank;
  uint32_t seen = 0;
  for (int i = 0; valid && i < count; i++) {
    valid = permutation[i] >= 0 && permutation[i] < count && !(seen >> permutation[i] & 1) &&
            to->dims[i] == from->dims[permutation[i]];
    seen |= valid ? 1u << permutation[i] : 0;
  }
  if (!valid) {
    hlo_fail(status, HLO_ARGUMENT, "%pS is not %pS with its dimensions permuted so", to, from);
    return -1;
  }
  return hlo_transpose_is_bitcast(from, to, permutation);
}

HLO_API(int, hlo_api_reshape_is_bitcast)(hlo_api_shape *input, const hlo_api_shape *output) {
  if (!ensure_index(input)) return -1;
  const hlo_shape *from = input->shape, *to = output->shape;
  if (!hlo_shape_is_array(to) || hlo_shape_has_unbounded(to) || hlo_shape_element_count(from) != hlo_shape_element_count(to)) {
    hlo_fail(&input->runtime->status, HLO_ARGUMENT, "%pS cannot be reshaped to %pS", from, to);
    return -1;
  }
  return hlo_reshape_is_bitcast(from, to);
}

HLO_API(bool, hlo_api_layout_scatter)(hlo_api_shape *shape, const void *dense, void *physical) {
  return ensure_index(shape) && hlo_layout_scatter(shape->shape, dense, physical, &shape->runtime->status);
}

HLO_API(bool, hlo_api_layout_gather)(hlo_api_shape *shape, const void *physical, void *dense) {
  return ensure_index(shape) && hlo_layout_gather(shape->shape, physical, dense, &shape->runtime->status);
}

/* ---- Broadcasting ---- */

static void write_step(hlo_writer *writer, const hlo_broadcast_step *step) {
  hlo_write_char(writer, '{');
  if (step->reshape) {
    write_ints(writer, "reshape", step->sizes, step->kept);
    if (step->broadcast) hlo_write_char(writer, ',');
  }
  if (step->broadcast) write_ints(writer, "broadcastDimensions", step->kept_dims, step->kept);
  hlo_write_char(writer, '}');
}

HLO_API(bool, hlo_api_broadcast_plan)(hlo_runtime *runtime, const char *op_name, size_t length, const hlo_api_shape *lhs,
                                      const hlo_api_shape *rhs, const int64_t *dimensions, int count) {
  hlo_api_begin(runtime);
  char name[64];
  if (length >= sizeof name) length = sizeof name - 1;
  memcpy(name, op_name, length);
  name[length] = 0;
  hlo_implicit_broadcast plan;
  if (!hlo_implicit_broadcast_plan(name, lhs->shape, rhs->shape, dimensions, count, &plan, &runtime->status)) return false;
  hlo_write_char(&runtime->text, '{');
  write_ints(&runtime->text, "dimensions", plan.dims, plan.rank);
  hlo_write(&runtime->text, ",\"lhs\":");
  write_step(&runtime->text, &plan.lhs);
  hlo_write(&runtime->text, ",\"rhs\":");
  write_step(&runtime->text, &plan.rhs);
  hlo_write_char(&runtime->text, '}');
  return hlo_ok(&runtime->status);
}
