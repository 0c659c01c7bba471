/* Reading attributes. Most are rows of proto_fields.def and proto_nested.def; the rest have a case each. */
#include "proto/proto_attribute.h"

#include <string.h>

const char *const hlo_proto_api_versions[5] = {NULL, "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                                               "API_VERSION_TYPED_FFI"};

const hlo_proto_field hlo_proto_fields[HLO_ATTRIBUTE_COUNT] = {
#define HLO_FIELD(attribute, number, form) [HLO_ATTR_##attribute] = {0, number, HLO_PROTO_##form},
#include "proto/proto_fields.def"
#undef HLO_FIELD
#define HLO_NESTED(attribute, message, number, form) [HLO_ATTR_##attribute] = {message, number, HLO_PROTO_##form},
#include "proto/proto_nested.def"
#undef HLO_NESTED
};

static bool read_enum_name(hlo_wire wire, int number, hlo_attribute *attribute, bool *present) {
  hlo_span text = hlo_wire_text(wire, number);
  const char *const *names = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id));
  if (!(*present = text.length > 0)) return true;
  for (int i = 0; names[i]; i++)
    if (hlo_span_is(text, names[i])) return attribute->enumerant = i, true;
  return hlo_wire_fail(&wire, "%.*s is no value of %s", text.length > 40 ? 40 : (int)text.length, text.text, hlo_attribute_name(attribute->id));
}

static bool read_row(hlo_wire wire, const hlo_proto_field *row, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_span text;
  hlo_wire from = row->message ? hlo_wire_message(wire, row->message) : wire;
  *present = hlo_wire_has(from, row->number);
  switch (row->form) {
    case HLO_PROTO_INT: attribute->integer = hlo_wire_int(from, row->number, 0); break;
    case HLO_PROTO_BOOL: attribute->boolean = hlo_wire_int(from, row->number, 0) != 0; break;
    case HLO_PROTO_INTS:
      *present = true;
      return hlo_wire_ints(from, row->number, arena, &attribute->ints);
    case HLO_PROTO_TEXT:
      text = hlo_wire_text(from, row->number);
      attribute->text = (hlo_span){hlo_arena_text(arena, text.text, text.length, wire.status), text.length};
      return attribute->text.text != NULL;
    default: return read_enum_name(from, row->number, attribute, present);
  }
  return true;
}

static bool read_window(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_window *window = hlo_arena_new(arena, hlo_window, wire.status);
  int count = hlo_wire_count(wire, 1), next = 0;
  hlo_window_dim *dims = hlo_arena_many(arena, hlo_window_dim, count, wire.status);
  hlo_wire_field field;
  if (!window || !dims) return false;
  while (hlo_wire_next(&wire, &field))
    if (field.number == 1 && field.type == HLO_WIRE_BYTES)
      dims[next++] = (hlo_window_dim){.size = hlo_wire_int(field.bytes, 1, 0), .stride = hlo_wire_int(field.bytes, 2, 0),
                                      .padding_low = hlo_wire_int(field.bytes, 3, 0), .padding_high = hlo_wire_int(field.bytes, 4, 0),
                                      .window_dilation = hlo_wire_int(field.bytes, 5, 0), .base_dilation = hlo_wire_int(field.bytes, 6, 0),
                                      .reversal = hlo_wire_int(field.bytes, 7, 0) != 0};
  *window = (hlo_window){next, dims};
  attribute->window = window;
  return hlo_ok(wire.status);
}

static bool read_padding(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_padding_config *padding = hlo_arena_new(arena, hlo_padding_config, wire.status);
  int count = hlo_wire_count(wire, 1), next = 0;
  hlo_padding_dim *dims = hlo_arena_many(arena, hlo_padding_dim, count, wire.status);
  hlo_wire_field field;
  if (!padding || !dims) return false;
  while (hlo_wire_next(&wire, &field))
    if (field.number == 1 && field.type == HLO_WIRE_BYTES)
      dims[next++] = (hlo_padding_dim){hlo_wire_int(field.bytes, 1, 0), hlo_wire_int(field.bytes, 2, 0), hlo_wire_int(field.bytes, 3, 0)};
  *padding = (hlo_padding_config){next, dims};
  attribute->padding = padding;
  return hlo_ok(wire.status);
}

static bool read_slice(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_slice *slice = hlo_arena_new(arena, hlo_slice, wire.status);
  int count = hlo_wire_count(wire, 17), next = 0;
  hlo_slice_dim *dims = hlo_arena_many(arena, hlo_slice_dim, count, wire.status);
  hlo_wire_field field;
  if (!slice || !dims) return false;
  while (hlo_wire_next(&wire, &field))
    if (field.number == 17 && field.type == HLO_WIRE_BYTES)
      dims[next++] = (hlo_slice_dim){hlo_wire_int(field.bytes, 1, 0), hlo_wire_int(field.bytes, 2, 0), hlo_wire_int(field.bytes, 3, 0)};
  *slice = (hlo_slice){next, dims};
  attribute->slice = slice;
  return hlo_ok(wire.status);
}

static bool spatial(hlo_wire wire, int number, hlo_arena *arena, int rank, int *dims) {
  hlo_ints values;
  if (!hlo_wire_ints(wire, number, arena, &values)) return false;
  if (values.count != rank || rank > HLO_MAX_RANK) return hlo_wire_fail(&wire, "convolution dimension numbers differ in their number of spatial dimensions");
  for (int i = 0; i < rank; i++) {
    if (values.data[i] < 0 || values.data[i] >= HLO_MAX_RANK) return hlo_wire_fail(&wire, "a spatial dimension is out of range");
    dims[i] = (int)values.data[i];
  }
  return true;
}

static bool read_dim_labels(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  static const int numbers[] = {7, 8, 3, 4, 9, 10};
  hlo_dim_labels *labels = hlo_arena_new(arena, hlo_dim_labels, wire.status);
  hlo_ints input;
  if (!labels || !hlo_wire_ints(wire, 11, arena, &input)) return false;
  int *places[] = {&labels->input_batch, &labels->input_feature, &labels->kernel_input_feature, &labels->kernel_output_feature,
                   &labels->output_batch, &labels->output_feature};
  for (int i = 0; i < 6; i++) {
    int64_t value = hlo_wire_int(wire, numbers[i], 0);
    if (value < 0 || value >= HLO_MAX_RANK) return hlo_wire_fail(&wire, "a convolution dimension number is out of range");
    *places[i] = (int)value;
  }
  labels->spatial_rank = input.count;
  attribute->dim_labels = labels;
  return spatial(wire, 11, arena, input.count, labels->input_spatial) && spatial(wire, 6, arena, input.count, labels->kernel_spatial) &&
         spatial(wire, 12, arena, input.count, labels->output_spatial);
}

static bool read_lists(hlo_wire wire, int number, bool pairs, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_groups *groups = hlo_arena_new(arena, hlo_groups, wire.status);
  int count = hlo_wire_count(wire, number), next = 0;
  hlo_ints *lists = hlo_arena_many(arena, hlo_ints, count, wire.status);
  hlo_wire_field field;
  if (!groups || !lists) return false;
  while (hlo_wire_next(&wire, &field)) {
    if (field.number != number || field.type != HLO_WIRE_BYTES) continue;
    int64_t *pair = pairs ? hlo_arena_many(arena, int64_t, 2, wire.status) : NULL;
    if (pairs) {
      if (!pair) return false;
      pair[0] = hlo_wire_int(field.bytes, 1, 0);
      pair[1] = hlo_wire_int(field.bytes, 2, 0);
      lists[next++] = (hlo_ints){pair, 2};
    } else if (!hlo_wire_ints(field.bytes, 1, arena, &lists[next++])) {
      return false;
    }
  }
  *groups = (hlo_groups){.count = next, .groups = lists};
  attribute->groups = groups;
  return hlo_ok(wire.status);
}

/* The compact form [groups,size]<=[dims]T(perm), through its text. */
static bool read_iota_groups(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_ints dims, permutation;
  hlo_writer text;
  if (!hlo_wire_ints(wire, 3, arena, &dims) || !hlo_wire_ints(wire, 4, arena, &permutation)) return false;
  hlo_writer_init(&text, wire.status);
  hlo_write_format(&text, "[%lld,%lld]<=[", (long long)hlo_wire_int(wire, 1, 0), (long long)hlo_wire_int(wire, 2, 0));
  hlo_write_ints(&text, dims.data, dims.count, ",");
  hlo_write_char(&text, ']');
  if (permutation.count > 1) {
    hlo_write(&text, "T(");
    hlo_write_ints(&text, permutation.data, permutation.count, ",");
    hlo_write_char(&text, ')');
  }
  hlo_reader reader;
  hlo_name_scope none = {0};
  bool ok = hlo_ok(wire.status);
  if (ok) {
    hlo_reader_init(&reader, text.text, text.length, wire.status);
    ok = hlo_attribute_read(&reader, arena, &none, attribute);
  }
  hlo_writer_free(&text);
  return ok;
}

static bool read_groups(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_wire devices = hlo_wire_message(wire, 87);
  if (hlo_wire_has(devices, 2)) return read_iota_groups(hlo_wire_message(devices, 2), arena, attribute);
  if (hlo_wire_has(devices, 1)) return read_lists(devices, 1, false, arena, attribute);
  return read_lists(wire, 49, false, arena, attribute);
}

static bool read_called(hlo_ints called, int which, hlo_attribute *attribute, bool *present) {
  *present = which < called.count;
  if (*present) attribute->computation = (int)called.data[which];
  return true;
}

/* A quoted JSON or any text: {"a":"b"} stays as it is. */
static bool read_raw(hlo_wire wire, hlo_span text, bool quote, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_writer out;
  hlo_writer_init(&out, wire.status);
  if (quote) hlo_write_quoted(&out, text.text, text.length);
  else hlo_write_bytes(&out, text.text, text.length);
  attribute->text = (hlo_span){hlo_arena_text(arena, out.text, out.length, wire.status), out.length};
  hlo_writer_free(&out);
  return attribute->text.text != NULL;
}

static bool read_metadata(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  static const char *const names[] = {NULL, "op_type", "op_name", "source_file"};
  hlo_writer out;
  hlo_writer_init(&out, wire.status);
  for (int i = 1; i <= 3; i++) {
    hlo_span text = hlo_wire_text(wire, i);
    if (!text.length) continue;
    hlo_write_format(&out, "%s%s=", out.length ? " " : "{", names[i]);
    hlo_write_quoted(&out, text.text, text.length);
  }
  if (hlo_wire_int(wire, 4, 0)) hlo_write_format(&out, "%ssource_line=%lld", out.length ? " " : "{", (long long)hlo_wire_int(wire, 4, 0));
  if (hlo_wire_int(wire, 15, 0)) hlo_write_format(&out, "%sstack_frame_id=%lld", out.length ? " " : "{", (long long)hlo_wire_int(wire, 15, 0));
  *present = out.length > 0;
  if (*present) hlo_write_char(&out, '}');
  attribute->text = *present ? (hlo_span){hlo_arena_text(arena, out.text, out.length, wire.status), out.length} : (hlo_span){"", 0};
  hlo_writer_free(&out);
  return attribute->text.text != NULL && hlo_ok(wire.status);
}

static bool read_frontend_attributes(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_writer out;
  hlo_wire_field field;
  hlo_writer_init(&out, wire.status);
  while (hlo_wire_next(&wire, &field))
    if (field.number == 1 && field.type == HLO_WIRE_BYTES) {
      hlo_span key = hlo_wire_text(field.bytes, 1), value = hlo_wire_text(field.bytes, 2);
      hlo_write_char(&out, out.length ? ',' : '{');
      hlo_write_bytes(&out, key.text, key.length);
      hlo_write_char(&out, '=');
      hlo_write_quoted(&out, value.text, value.length);
    }
  *present = out.length > 0;
  if (*present) hlo_write_char(&out, '}');
  attribute->text = *present ? (hlo_span){hlo_arena_text(arena, out.text, out.length, wire.status), out.length} : (hlo_span){"", 0};
  hlo_writer_free(&out);
  return attribute->text.text != NULL && hlo_ok(wire.status);
}


static bool read_api_version(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  int64_t version = hlo_wire_int(wire, 77, 1);
  *present = version > 1 && hlo_proto_api_versions[version < 5 ? version : 0] != NULL && version < 5;
  if (!*present) return true;
  const char *name = hlo_proto_api_versions[version];
  return read_raw(wire, (hlo_span){name, strlen(name)}, false, arena, attribute);
}

/* {f32[4,4]{0,1}, f32[4,2]{0,1}} */
static bool read_layout_constraints(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_writer out;
  hlo_wire_field field;
  hlo_wire w = wire;
  hlo_writer_init(&out, wire.status);
  *present = hlo_wire_int(wire, 56, 0) != 0;
  while (*present && hlo_wire_next(&w, &field))
    if (field.number == 57 && field.type == HLO_WIRE_BYTES) {
      const hlo_shape *shape = hlo_proto_read_shape(field.bytes, arena);
      if (!shape) break;
      hlo_write(&out, out.length ? ", " : "{");
      hlo_shape_write(&out, shape, true);
    }
  hlo_write(&out, out.length ? "}" : "{}");
  bool ok = hlo_ok(wire.status) && read_raw(wire, (hlo_span){out.text, out.length}, false, arena, attribute);
  hlo_writer_free(&out);
  return ok;
}

bool hlo_proto_read_attribute(hlo_wire wire, hlo_opcode opcode, hlo_attribute_id id, hlo_ints called, hlo_arena *arena,
                              hlo_attribute *attribute, bool *present) {
  *attribute = (hlo_attribute){.id = id};
  *present = true;
  switch (id) {
    case HLO_ATTR_iota_dimension: {
      hlo_ints dims;
      if (!hlo_wire_ints(wire, 14, arena, &dims)) return false;
      attribute->integer = dims.count ? dims.data[0] : 0;
      return true;
    }
    case HLO_ATTR_dimensions: /* of all-to-all: only its array form has one */
      if (opcode == HLO_OP_ALL_TO_ALL) *present = hlo_wire_has(wire, 14);
      return !*present || hlo_wire_ints(wire, 14, arena, &attribute->ints);
    case HLO_ATTR_literal: return (attribute->literal = hlo_proto_read_literal(hlo_wire_message(wire, 8), arena)) != NULL;
    case HLO_ATTR_window: *present = hlo_wire_has(wire, 15); return !*present || read_window(hlo_wire_message(wire, 15), arena, attribute);
    case HLO_ATTR_dim_labels: *present = hlo_wire_has(wire, 16); return !*present || read_dim_labels(hlo_wire_message(wire, 16), arena, attribute);
    case HLO_ATTR_slice: return read_slice(wire, arena, attribute);
    case HLO_ATTR_padding: *present = hlo_wire_has(wire, 21); return !*present || read_padding(hlo_wire_message(wire, 21), arena, attribute);
    case HLO_ATTR_distribution: attribute->enumerant = hlo_wire_int(wire, 23, 1) == 2; return true;
    case HLO_ATTR_epsilon: attribute->real = hlo_wire_float(wire, 24); return true;
    case HLO_ATTR_fft_type: attribute->enumerant = (int)(hlo_wire_int(wire, 31, 0) & 3); return true;
    case HLO_ATTR_rng_algorithm: attribute->enumerant = (int)(hlo_wire_int(wire, 70, 0) % 3); return true;
    case HLO_ATTR_index_vector_dim: attribute->integer = hlo_wire_int(hlo_wire_message(wire, opcode == HLO_OP_SCATTER ? 48 : 33), 4, 0); return true;
    case HLO_ATTR_lower: attribute->boolean = hlo_wire_int(hlo_wire_message(wire, opcode == HLO_OP_CHOLESKY ? 62 : 59), opcode == HLO_OP_CHOLESKY ? 1 : 2, 0) != 0; return true;
    case HLO_ATTR_transpose_a: {
      int64_t value = hlo_wire_int(hlo_wire_message(wire, 59), 4, 1);
      attribute->enumerant = value == 3 ? HLO_transpose_a_ADJOINT : value == 2 ? HLO_transpose_a_TRANSPOSE : HLO_transpose_a_NO_TRANSPOSE;
      return true;
    }
    case HLO_ATTR_is_associative: /* 0 unknown, 1 yes, 2 no */
      *present = hlo_wire_has(wire, 96);
      attribute->boolean = hlo_wire_int(wire, 96, 0) == 1;
      return true;
    case HLO_ATTR_replica_groups: *present = hlo_wire_has(wire, 49) || hlo_wire_has(wire, 87); return !*present || read_groups(wire, arena, attribute);
    case HLO_ATTR_source_target_pairs: *present = hlo_wire_has(wire, 52); return !*present || read_lists(wire, 52, true, arena, attribute);
    case HLO_ATTR_outfeed_shape: *present = hlo_wire_has(wire, 29); return !*present || (attribute->shape = hlo_proto_read_shape(hlo_wire_message(wire, 29), arena));
    case HLO_ATTR_to_apply: case HLO_ATTR_calls: case HLO_ATTR_select: case HLO_ATTR_body: return read_called(called, 0, attribute, present);
    case HLO_ATTR_condition: case HLO_ATTR_scatter: return read_called(called, 1, attribute, present);
    case HLO_ATTR_branch_computations:
      *present = called.count > 0;
      attribute->ints = called;
      return true;
    case HLO_ATTR_called_computations: *present = false; return true;
    case HLO_ATTR_metadata: return read_metadata(hlo_wire_message(wire, 7), arena, attribute, present);
    case HLO_ATTR_frontend_attributes: return read_frontend_attributes(hlo_wire_message(wire, 68), arena, attribute, present);
    case HLO_ATTR_backend_config: {
      hlo_span text = hlo_wire_text(wire, 43);
      return !(*present = text.length > 0) || read_raw(wire, text, text.text[0] != '{', arena, attribute);
    }
    case HLO_ATTR_infeed_config: case HLO_ATTR_outfeed_config: {
      hlo_span text = hlo_wire_text(wire, id == HLO_ATTR_infeed_config ? 27 : 22);
      return !(*present = text.length > 0) || read_raw(wire, text, true, arena, attribute);
    }
    case HLO_ATTR_api_version: return read_api_version(wire, arena, attribute, present);
    case HLO_ATTR_operand_layout_constraints: return read_layout_constraints(wire, arena, attribute, present);
    case HLO_ATTR_domain: return read_raw(wire, (hlo_span){"{kind=\"sharding\"}", 17}, false, arena, attribute);
    default: break;
  }
  if (hlo_proto_fields[id].form == HLO_PROTO_NONE) return *present = false, true;
  if (opcode == HLO_OP_RAGGED_DOT && hlo_proto_fields[id].message == 30) {
    hlo_wire ragged = hlo_wire_message(wire, 90);
    return read_row(hlo_wire_message(ragged, 1), &(hlo_proto_field){0, hlo_proto_fields[id].number, hlo_proto_fields[id].form}, arena, attribute, present);
  }
  return read_row(wire, &hlo_proto_fields[id], arena, attribute, present);
}
