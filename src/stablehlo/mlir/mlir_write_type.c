/* Types as MLIR text. */
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_element_name.h"
#include "stablehlo/mlir/mlir_write.h"

/* MLIR reads a number as a float only if it has a point. */
static void write_real(hlo_writer *w, double value) { hlo_write_format(w, "%.17e", value); }

static void write_scale(hlo_writer *w, const hlo_quantization *q, int64_t i) {
  write_real(w, q->scales[i]);
  if (q->zero_points[i]) hlo_write_format(w, ":%lld", (long long)q->zero_points[i]);
}

static void write_quantized(hlo_writer *w, const hlo_quantization *q) {
  hlo_write(w, "!quant.uniform<");
  hlo_write(w, hlo_type_is_unsigned(q->storage_type) ? hlo_type_name(q->storage_type) : hlo_mlir_element_name(q->storage_type));
  hlo_write_format(w, "<%lld:%lld>:%s", (long long)q->storage_min, (long long)q->storage_max, hlo_mlir_element_name(q->expressed_type));
  if (q->dimension >= 0) hlo_write_format(w, ":%d", q->dimension);
  hlo_write(w, ", ");
  if (q->dimension >= 0) hlo_write_char(w, '{');
  for (int64_t i = 0; i < q->count && hlo_ok(w->status); i++) {
    if (i) hlo_write(w, ", ");
    write_scale(w, q, i);
  }
  hlo_write(w, q->dimension >= 0 ? "}>" : ">");
}

static void write_element(hlo_writer *w, hlo_type element, const hlo_quantization *quantization, bool is_index) {
  if (quantization) write_quantized(w, quantization);
  else hlo_write(w, is_index ? "index" : hlo_mlir_element_name(element));
}

static void write_bounds(hlo_writer *w, const hlo_shape *shape) {
  bool any = false;
  for (int i = 0; i < shape->rank; i++) any |= hlo_shape_dim_kind(shape, i) == HLO_DIM_BOUNDED;
  if (!any) return;
  hlo_write(w, ", #stablehlo.bounds<");
  for (int i = 0; i < shape->rank; i++) {
    if (i) hlo_write(w, ", ");
    if (hlo_shape_dim_kind(shape, i) == HLO_DIM_BOUNDED) hlo_write_int(w, shape->dims[i]);
    else hlo_write_char(w, '?');
  }
  hlo_write_char(w, '>');
}

static void write_shape(hlo_writer *w, const hlo_shape *shape, bool is_index) {
  if (hlo_shape_is_token(shape)) {
    hlo_write(w, "!stablehlo.token");
  } else if (hlo_shape_is_tuple(shape)) {
    hlo_write(w, "tuple<");
    for (int i = 0; i < shape->element_count; i++) {
      if (i) hlo_write(w, ", ");
      write_shape(w, shape->elements[i], false);
    }
    hlo_write_char(w, '>');
  } else {
    hlo_write(w, "tensor<");
    for (int i = 0; i < shape->rank; i++) {
      if (hlo_shape_dim_kind(shape, i) == HLO_DIM_STATIC) hlo_write_int(w, shape->dims[i]);
      else hlo_write_char(w, '?');
      hlo_write_char(w, 'x');
    }
    write_element(w, shape->type, shape->quantization, is_index);
    write_bounds(w, shape);
    hlo_write_char(w, '>');
  }
}

static void write_list(hlo_writer *w, const hlo_mlir_type *const *types, int count) {
  for (int i = 0; i < count && hlo_ok(w->status); i++) {
    if (i) hlo_write(w, ", ");
    hlo_mlir_write_type(w, types[i]);
  }
}

void hlo_mlir_write_type(hlo_writer *w, const hlo_mlir_type *type) {
  switch (type->kind) {
    case HLO_MLIR_SHAPED: write_shape(w, type->shape, type->is_index); break;
    case HLO_MLIR_UNRANKED:
      hlo_write(w, "tensor<*x");
      write_element(w, type->element, type->quantization, type->is_index);
      hlo_write_char(w, '>');
      break;
    case HLO_MLIR_SCALAR:
      if (hlo_span_is(type->text, "tf32")) hlo_write(w, "tf32");
      else write_element(w, type->element, type->quantization, type->is_index);
      break;
    case HLO_MLIR_FUNCTION:
      hlo_write_char(w, '(');
      write_list(w, type->inputs, type->input_count);
      hlo_write(w, ") -> (");
      write_list(w, type->results, type->result_count);
      hlo_write_char(w, ')');
      break;
    case HLO_MLIR_FUTURE:
      hlo_write(w, "!stablehlo.future<");
      write_list(w, type->results, type->result_count);
      hlo_write_char(w, '>');
      break;
    case HLO_MLIR_OTHER: hlo_write_bytes(w, type->text.text, type->text.length); break;
  }
}
