/* Writing an attribute's value, as XLA prints it. */
#include "graph/attribute_forms.h"

static void write_ints(hlo_writer *writer, hlo_ints ints) {
  hlo_write_char(writer, '{');
  hlo_write_ints(writer, ints.data, ints.count, ",");
  hlo_write_char(writer, '}');
}

static void write_real(hlo_writer *writer, double value) {
  if (value == (double)(float)value) hlo_write_float(writer, (float)value);
  else hlo_write_double(writer, value);
}

/* ---- Windows, paddings, slices ---- */

typedef int64_t window_field_function(const hlo_window_dim *dim);
static int64_t size_of(const hlo_window_dim *dim) { return dim->size; }
static int64_t stride_of(const hlo_window_dim *dim) { return dim->stride; }
static int64_t base_dilation_of(const hlo_window_dim *dim) { return dim->base_dilation; }
static int64_t window_dilation_of(const hlo_window_dim *dim) { return dim->window_dilation; }
static int64_t reversal_of(const hlo_window_dim *dim) { return dim->reversal; }

/* Left out when every dimension has the value that goes without saying. */
static void write_window_field(hlo_writer *writer, const hlo_window *window, const char *name, window_field_function *field,
                               int64_t usual) {
  int unusual = 0;
  for (int i = 0; i < window->rank; i++) unusual += field(&window->dims[i]) != usual;
  if (unusual == 0) return;
  hlo_write(writer, name);
  for (int i = 0; i < window->rank; i++) {
    hlo_write_char(writer, i ? 'x' : '=');
    hlo_write_int(writer, field(&window->dims[i]));
  }
}

static void write_window_padding(hlo_writer *writer, const hlo_window *window) {
  bool padded = false;
  for (int i = 0; i < window->rank; i++) padded |= window->dims[i].padding_low || window->dims[i].padding_high;
  if (!padded) return;
  hlo_write(writer, " pad");
  for (int i = 0; i < window->rank; i++) {
    hlo_write_char(writer, i ? 'x' : '=');
    hlo_write_int(writer, window->dims[i].padding_low);
    hlo_write_char(writer, '_');
    hlo_write_int(writer, window->dims[i].padding_high);
  }
}

static void write_window(hlo_writer *writer, const hlo_window *window) {
  hlo_write_char(writer, '{');
  write_window_field(writer, window, "size", size_of, INT64_MIN);
  write_window_field(writer, window, " stride", stride_of, 1);
  write_window_padding(writer, window);
  write_window_field(writer, window, " lhs_dilate", base_dilation_of, 1);
  write_window_field(writer, window, " rhs_dilate", window_dilation_of, 1);
  write_window_field(writer, window, " rhs_reversal", reversal_of, 0);
  hlo_write_char(writer, '}');
}

static void write_padding(hlo_writer *writer, const hlo_padding_config *padding) {
  bool interior = false;
  for (int i = 0; i < padding->rank; i++) interior |= padding->dims[i].interior != 0;
  for (int i = 0; i < padding->rank; i++) {
    const int64_t values[] = {padding->dims[i].low, padding->dims[i].high, padding->dims[i].interior};
    if (i) hlo_write_char(writer, 'x');
    hlo_write_ints(writer, values, interior ? 3 : 2, "_");
  }
}

static void write_slice(hlo_writer *writer, const hlo_slice *slice) {
  bool strides = false;
  for (int i = 0; i < slice->rank; i++) strides |= slice->dims[i].stride != 1;
  hlo_write_char(writer, '{');
  for (int i = 0; i < slice->rank; i++) {
    const int64_t values[] = {slice->dims[i].start, slice->dims[i].limit, slice->dims[i].stride};
    hlo_write(writer, i ? ", [" : "[");
    hlo_write_ints(writer, values, strides ? 3 : 2, ":");
    hlo_write_char(writer, ']');
  }
  hlo_write_char(writer, '}');
}

/* ---- Dimension labels ---- */

static void write_labels(hlo_writer *writer, int spatial_rank, char first, int first_dimension, char second, int second_dimension,
                         const int *spatial) {
  for (int dimension = 0; dimension < spatial_rank + 2; dimension++) {
    if (dimension == first_dimension) hlo_write_char(writer, first);
    if (dimension == second_dimension) hlo_write_char(writer, second);
    for (int i = 0; i < spatial_rank; i++)
      if (spatial[i] == dimension) hlo_write_int(writer, i);
  }
}

static void write_dim_labels(hlo_writer *writer, const hlo_dim_labels *l) {
  write_labels(writer, l->spatial_rank, 'b', l->input_batch, 'f', l->input_feature, l->input_spatial);
  hlo_write_char(writer, '_');
  write_labels(writer, l->spatial_rank, 'i', l->kernel_input_feature, 'o', l->kernel_output_feature, l->kernel_spatial);
  hlo_write(writer, "->");
  write_labels(writer, l->spatial_rank, 'b', l->output_batch, 'f', l->output_feature, l->output_spatial);
}

/* ---- Groups and names ---- */

static void write_groups(hlo_writer *writer, const hlo_groups *groups) {
  if (groups->verbatim.length) {
    hlo_write_bytes(writer, groups->verbatim.text, groups->verbatim.length);
    return;
  }
  hlo_write_char(writer, '{');
  for (int i = 0; i < groups->count; i++) {
    if (i) hlo_write_char(writer, ',');
    write_ints(writer, groups->groups[i]);
  }
  hlo_write_char(writer, '}');
}

static void write_names(hlo_writer *writer, hlo_ints indices, const char *(*name)(void *context, int index), void *context) {
  hlo_write_char(writer, '{');
  for (int i = 0; i < indices.count; i++) {
    if (i) hlo_write(writer, ", ");
    hlo_write(writer, name(context, (int)indices.data[i]));
  }
  hlo_write_char(writer, '}');
}

void hlo_attribute_write(hlo_writer *writer, const hlo_attribute *a, const hlo_name_scope *scope) {
  hlo_attribute_kind kind = hlo_attribute_kind_of(a->id);
  switch (kind) {
  case HLO_KIND_INT: hlo_write_int(writer, a->integer); return;
  case HLO_KIND_INTS: write_ints(writer, a->ints); return;
  case HLO_KIND_BOOL: hlo_write(writer, a->boolean ? "true" : "false"); return;
  case HLO_KIND_FLOAT: write_real(writer, a->real); return;
  case HLO_KIND_STRING: hlo_write_quoted(writer, a->text.text, a->text.length); return;
  case HLO_KIND_RAW: hlo_write_bytes(writer, a->text.text, a->text.length); return;
  case HLO_KIND_WINDOW: write_window(writer, a->window); return;
  case HLO_KIND_PADDING: write_padding(writer, a->padding); return;
  case HLO_KIND_DIM_LABELS: write_dim_labels(writer, a->dim_labels); return;
  case HLO_KIND_SLICE: write_slice(writer, a->slice); return;
  case HLO_KIND_COMPUTATION: hlo_write(writer, scope->computation_name(scope->context, a->computation)); return;
  case HLO_KIND_COMPUTATIONS: write_names(writer, a->ints, scope->computation_name, scope->context); return;
  case HLO_KIND_INSTRUCTIONS: write_names(writer, a->ints, scope->instruction_name, scope->context); return;
  case HLO_KIND_SHAPE: hlo_shape_write(writer, a->shape, true); return;
  case HLO_KIND_GROUPS: write_groups(writer, a->groups); return;
  case HLO_KIND_LITERAL: hlo_literal_write(writer, a->literal); return;
  case HLO_KIND_QUANTIZATION: hlo_write_quantization(writer, a->quantization); return;
  default: hlo_write(writer, hlo_attribute_enum_names(kind)[a->enumerant]); return;
  }
}
