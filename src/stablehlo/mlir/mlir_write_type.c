/* Types as MLIR text. */
#include "stablehlo/mlir/mlir_write.h"

static const char *element_name(hlo_type type) {
  static const char *const names[HLO_TYPE_COUNT] = {
      [HLO_TYPE_PRED] = "i1", [HLO_TYPE_S2] = "i2", [HLO_TYPE_S4] = "i4", [HLO_TYPE_S8] = "i8", [HLO_TYPE_S16] = "i16",
      [HLO_TYPE_S32] = "i32", [HLO_TYPE_S64] = "i64", [HLO_TYPE_U2] = "ui2", [HLO_TYPE_U4] = "ui4", [HLO_TYPE_U8] = "ui8",
      [HLO_TYPE_U16] = "ui16", [HLO_TYPE_U32] = "ui32", [HLO_TYPE_U64] = "ui64", [HLO_TYPE_F4E2M1FN] = "f4E2M1FN",
      [HLO_TYPE_F6E2M3FN] = "f6E2M3FN", [HLO_TYPE_F6E3M2FN] = "f6E3M2FN", [HLO_TYPE_F8E3M4] = "f8E3M4", [HLO_TYPE_F8E4M3] = "f8E4M3",
      [HLO_TYPE_F8E4M3FN] = "f8E4M3FN", [HLO_TYPE_F8E4M3B11FNUZ] = "f8E4M3B11FNUZ", [HLO_TYPE_F8E4M3FNUZ] = "f8E4M3FNUZ",
      [HLO_TYPE_F8E5M2] = "f8E5M2", [HLO_TYPE_F8E5M2FNUZ] = "f8E5M2FNUZ", [HLO_TYPE_F8E8M0FNU] = "f8E8M0FNU", [HLO_TYPE_BF16] = "bf16",
      [HLO_TYPE_F16] = "f16", [HLO_TYPE_F32] = "f32", [HLO_TYPE_F64] = "f64", [HLO_TYPE_C64] = "complex<f32>", [HLO_TYPE_C128] = "complex<f64>"};
  return names[type];
}

/* MLIR reads a float only with a point in it. */
static void write_real(hlo_writer *w, double value) { hlo_write_format(w, "%.17e", value); }

static void write_scale(hlo_writer *w, const hlo_quantization *q, int64_t i) {
  write_real(w, q->scales[i]);
  if (q->zero_points[i]) hlo_write_format(w, ":%lld", (long long)q->zero_points[i]);
}

static void write_quantized(hlo_writer *w, const hlo_quantization *q) {
  hlo_write(w, "!quant.uniform<");
  if (hlo_type_is_unsigned(q->storage_type)) hlo_write_format(w, "u%d", hlo_type_bits(q->storage_type));
  else hlo_write(w, element_name(q->storage_type));
  hlo_write_format(w, "<%lld:%lld>:%s", (long long)q->storage_min, (long long)q->storage_max, element_name(q->expressed_type));
  if (q->dimension >= 0) hlo_write_format(w, ":%d", q->dimension);
  hlo_write(w, ", ");
  if (q->dimension >= 0) hlo_write_char(w, '{');
  for (int64_t i = 0; i < q->count; i++) {
    if (i) hlo_write(w, ", ");
    write_scale(w, q, i);
  }
  hlo_write(w, q->dimension >= 0 ? "}>" : ">");
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
    if (shape->quantization) write_quantized(w, shape->quantization);
    else hlo_write(w, is_index ? "index" : element_name(shape->type));
    write_bounds(w, shape);
    hlo_write_char(w, '>');
  }
}

static void write_list(hlo_writer *w, const hlo_mlir_type *const *types, int count) {
  for (int i = 0; i < count; i++) {
    if (i) hlo_write(w, ", ");
    hlo_mlir_write_type(w, types[i]);
  }
}

void hlo_mlir_write_type(hlo_writer *w, const hlo_mlir_type *type) {
  switch (type->kind) {
    case HLO_MLIR_SHAPED: write_shape(w, type->shape, type->is_index); break;
    case HLO_MLIR_UNRANKED:
      hlo_write(w, "tensor<*x");
      if (type->quantization) write_quantized(w, type->quantization);
      else hlo_write(w, type->is_index ? "index" : element_name(type->element));
      hlo_write_char(w, '>');
      break;
    case HLO_MLIR_SCALAR:
      if (type->quantization) write_quantized(w, type->quantization);
      else hlo_write(w, type->is_index ? "index" : hlo_span_is(type->text, "tf32") ? "tf32" : element_name(type->element));
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
