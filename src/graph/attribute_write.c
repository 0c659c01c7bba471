/* Writing an attribute's value, as XLA prints it. */
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"

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

/* Writes `width` columns of every dimension, with `between` them. */
static void write_columns(hlo_writer *writer, const hlo_rows *rows, int column, int width, const char *between) {
  for (int i = 0; i < rows->rank; i++) {
    if (i) hlo_write_char(writer, 'x');
    hlo_write_ints(writer, rows->values + i * rows->columns + column, width, between);
  }
}

/* Returns whether a column has a value other than its default in any dimension. */
static bool is_unusual(const hlo_rows *rows, int column, int64_t usual) {
  for (int i = 0; i < rows->rank; i++)
    if (rows->values[i * rows->columns + column] != usual) return true;
  return false;
}

static void write_window(hlo_writer *writer, const hlo_rows *window) {
  static const struct window_field { const char *name; int8_t column, usual; } fields[] = {
      {"size=", 0, -1}, {" stride=", 1, 1}, {" pad=", 2, 0}, {" lhs_dilate=", 5, 1}, {" rhs_dilate=", 4, 1},
      {" rhs_reversal=", 6, 0}};
  hlo_write_char(writer, '{');
  for (const struct window_field *field = fields; field < fields + 6; field++) {
    bool pad = field->column == 2;
    if (!is_unusual(window, field->column, field->usual) && !(pad && is_unusual(window, 3, 0))) continue;
    hlo_write(writer, field->name);
    write_columns(writer, window, field->column, 1 + pad, "_");
  }
  hlo_write_char(writer, '}');
}

static void write_slice(hlo_writer *writer, const hlo_rows *slice) {
  int width = 2 + is_unusual(slice, 2, 1);
  hlo_write_char(writer, '{');
  for (int i = 0; i < slice->rank; i++) {
    hlo_write(writer, i ? ", [" : "[");
    hlo_write_ints(writer, slice->values + i * slice->columns, width, ":");
    hlo_write_char(writer, ']');
  }
  hlo_write_char(writer, '}');
}

static void write_rows(hlo_writer *writer, const hlo_attribute *attribute, hlo_attribute_kind kind) {
  hlo_rows rows = hlo_attribute_rows(attribute);
  if (kind == HLO_KIND_WINDOW) write_window(writer, &rows);
  else if (kind == HLO_KIND_SLICE) write_slice(writer, &rows);
  else write_columns(writer, &rows, 0, 2 + is_unusual(&rows, 2, 0), "_");
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

static void write_names(hlo_writer *writer, hlo_ints indices, void (*write)(void *context, hlo_writer *writer, int index), void *context) {
  hlo_write_char(writer, '{');
  for (int i = 0; i < indices.count; i++) {
    if (i) hlo_write(writer, ", ");
    write(context, writer, (int)indices.data[i]);
  }
  hlo_write_char(writer, '}');
}

void hlo_write_backend_config(hlo_writer *writer, hlo_span text) {
  hlo_status ignored = {0};
  hlo_reader reader;
  hlo_span group;
  hlo_reader_init(&reader, text.text, text.length, &ignored);
  bool whole = text.length && *text.text == '{' && hlo_reader_balanced(&reader, &group) && group.length == text.length;
  if (whole) hlo_write_bytes(writer, text.text, text.length);
  else hlo_write_quoted(writer, text.text, text.length);
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
  case HLO_KIND_WINDOW: case HLO_KIND_PADDING: case HLO_KIND_SLICE: write_rows(writer, a, kind); return;
  case HLO_KIND_DIM_LABELS: write_dim_labels(writer, a->dim_labels); return;
  case HLO_KIND_COMPUTATION: scope->write_computation(scope->context, writer, a->computation); return;
  case HLO_KIND_COMPUTATIONS: write_names(writer, a->ints, scope->write_computation, scope->context); return;
  case HLO_KIND_INSTRUCTIONS: write_names(writer, a->ints, scope->write_instruction, scope->context); return;
  case HLO_KIND_SHAPE: hlo_shape_write(writer, a->shape, true); return;
  case HLO_KIND_GROUPS: write_groups(writer, a->groups); return;
  case HLO_KIND_LITERAL: hlo_literal_write(writer, a->literal); return;
  case HLO_KIND_QUANTIZATION: hlo_write_quantization(writer, a->quantization); return;
  default: hlo_write(writer, hlo_attribute_enum_names(kind)[a->enumerant]); return;
  }
}
