/* Attributes as fields of HloInstructionProto: by the rows of proto_fields.def, or by a case of their own. */
#include "proto/proto_attribute.h"

#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "proto/proto_numbers.h"
#include "proto/proto_value.h"
#include "shape/layout.h"
typedef enum proto_place { IN_INSTRUCTION, IN_OP, IN_DOT } proto_place;
typedef enum proto_form {
  NONE, INT, BOOL, INTS, FLOAT, TEXT, QUOTED, ENUM_NAME, ENUM, ENUM_FROM_1, FIRST, ROWS, LABELS, GROUPS, PAIRS, SHAPE, LITERAL,
  CALLED
} proto_form;

typedef struct proto_field {
  uint8_t place, number, form;
} proto_field;

static const proto_field fields[HLO_ATTRIBUTE_COUNT] = {
#define HLO_FIELD(attribute, place, number, form) [HLO_ATTR_##attribute] = {place, number, form},
#include "proto/proto_fields.def"
#undef HLO_FIELD
};

enum { DOT_IN_RAGGED_DOT = 1 };

/* The field of HloInstructionProto that holds the message of this kind of operation; 0 if there is no such message. */
static int own_message(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_DOT: return 30;
  case HLO_OP_GATHER: return 33;
  case HLO_OP_SCATTER: return 48;
  case HLO_OP_TRIANGULAR_SOLVE: return 59;
  case HLO_OP_CHOLESKY: return 62;
  case HLO_OP_RAGGED_DOT: return 90;
  default: return 0;
  }
}

/* CholeskyOptions has the one field `lower`, with the number 1. */
static int number_of(const proto_field *row, hlo_opcode opcode) {
  return opcode == HLO_OP_CHOLESKY && row->place == IN_OP ? 1 : row->number;
}

/* ---- Windows, paddings, slices: a list of messages, one for each dimension, with a number for each column ---- */

enum { REVERSAL = 6 }; /* the column of windows that is true or false */

/* The rows of a slice are fields of the instruction; those of windows and paddings are field 1 of a message. */
static bool has_message(hlo_attribute_id id) { return id != HLO_ATTR_slice; }

static bool read_rows(hlo_wire wire, int number, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  bool inside = has_message(attribute->id);
  size_t width = attribute->id == HLO_ATTR_window ? sizeof(hlo_window_dim) : sizeof(hlo_slice_dim);
  int columns = (int)(width / sizeof(int64_t)), rank = 0;
  if (inside && !(*present = hlo_wire_has(&wire, number))) return true;
  *present = true;
  if (inside) {
    wire = hlo_wire_message(&wire, number);
    number = 1;
  }
  int64_t *values = hlo_arena_many(arena, int64_t, (int64_t)columns * hlo_wire_count(&wire, number), wire.status);
  for (hlo_wire row; values && hlo_wire_next_message(&wire, number, &row); rank++)
    for (int k = 0; k < columns; k++) {
      int64_t value = hlo_wire_int(&row, k + 1, 0);
      values[rank * columns + k] = k == REVERSAL ? value != 0 : value;
    }
  return hlo_ok(wire.status) && hlo_attribute_set_rows(attribute, rank, values, arena, wire.status);
}

static void put_rows(hlo_writer *w, int number, const hlo_attribute *attribute) {
  hlo_rows rows = hlo_attribute_rows(attribute);
  hlo_writer message, *out = has_message(attribute->id) ? &message : w;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < rows.rank; i++) {
    hlo_writer row;
    hlo_writer_init(&row, w->status);
    for (int k = 0; k < rows.columns; k++) hlo_put_int(&row, k + 1, rows.values[i * rows.columns + k]);
    hlo_put_message(out, out == w ? number : 1, &row);
  }
  if (out != w) hlo_put_message(w, number, &message);
}

/* ---- Dimension numbers of convolutions ---- */

static const struct label_field { uint8_t number; bool is_spatial; uint16_t place; } label_fields[] = {
    {7, false, offsetof(hlo_dim_labels, input_batch)},
    {8, false, offsetof(hlo_dim_labels, input_feature)},
    {11, true, offsetof(hlo_dim_labels, input_spatial)},
    {3, false, offsetof(hlo_dim_labels, kernel_input_feature)},
    {4, false, offsetof(hlo_dim_labels, kernel_output_feature)},
    {6, true, offsetof(hlo_dim_labels, kernel_spatial)},
    {9, false, offsetof(hlo_dim_labels, output_batch)},
    {10, false, offsetof(hlo_dim_labels, output_feature)},
    {12, true, offsetof(hlo_dim_labels, output_spatial)}};
enum { LABEL_FIELDS = sizeof label_fields / sizeof *label_fields };

static bool read_labels(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_dim_labels *labels = hlo_arena_new(arena, hlo_dim_labels, wire.status);
  if (!labels) return false;
  labels->spatial_rank = -1;
  for (const struct label_field *field = label_fields; field < label_fields + LABEL_FIELDS; field++) {
    int *dims = (int *)((char *)labels + field->place);
    int64_t one = hlo_wire_int(&wire, field->number, 0);
    hlo_ints values = {&one, 1};
    if (field->is_spatial) {
      if (!hlo_wire_ints(&wire, field->number, arena, &values)) return false;
      if (labels->spatial_rank < 0) labels->spatial_rank = values.count;
      if (values.count != labels->spatial_rank || values.count > HLO_MAX_RANK)
        return hlo_wire_fail(&wire, "convolution dimension numbers differ in their number of spatial dimensions");
    }
    for (int i = 0; i < values.count; i++) {
      if (values.data[i] < 0 || values.data[i] >= HLO_MAX_RANK)
        return hlo_wire_fail(&wire, "a convolution dimension number is out of range");
      dims[i] = (int)values.data[i];
    }
  }
  attribute->dim_labels = labels;
  return true;
}

static void put_labels(hlo_writer *w, int number, const hlo_dim_labels *labels) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  for (const struct label_field *field = label_fields; field < label_fields + LABEL_FIELDS; field++) {
    const int *dims = (const int *)((const char *)labels + field->place);
    int64_t values[HLO_MAX_RANK];
    for (int i = 0; i < labels->spatial_rank; i++) values[i] = dims[i];
    if (field->is_spatial) hlo_put_ints(&message, field->number, (hlo_ints){values, labels->spatial_rank});
    else hlo_put_int(&message, field->number, *dims);
  }
  hlo_put_message(w, number, &message);
}

/* ---- Groups of devices ---- */

static bool read_lists(hlo_wire wire, int number, bool pairs, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_groups *groups = hlo_arena_new(arena, hlo_groups, wire.status);
  hlo_ints *lists = hlo_arena_many(arena, hlo_ints, hlo_wire_count(&wire, number), wire.status);
  if (!groups || !lists) return false;
  groups->groups = lists;
  for (hlo_wire list; hlo_wire_next_message(&wire, number, &list); groups->count++) {
    const int64_t pair[] = {hlo_wire_int(&list, 1, 0), hlo_wire_int(&list, 2, 0)};
    hlo_ints *to = &lists[groups->count];
    if (pairs) *to = (hlo_ints){hlo_arena_copy(arena, pair, sizeof pair, wire.status), 2};
    if (pairs ? !to->data : !hlo_wire_ints(&list, 1, arena, to)) return false;
  }
  attribute->groups = groups;
  return hlo_ok(wire.status);
}

static bool read_groups(hlo_wire wire, int number, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_wire devices = hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_COLLECTIVE_DEVICE_LIST);
  if (hlo_wire_has(&wire, HLO_INSTRUCTION_PROTO_MESH_DEVICE_LIST))
    return hlo_proto_read_mesh_groups(hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_MESH_DEVICE_LIST), arena, attribute);
  if (hlo_wire_has(&wire, HLO_INSTRUCTION_PROTO_IOTA_DEVICE_LIST))
    return hlo_proto_read_iota_groups(hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_IOTA_DEVICE_LIST), arena, attribute);
  if (hlo_wire_has(&devices, 2)) return hlo_proto_read_iota_groups(hlo_wire_message(&devices, 2), arena, attribute);
  bool listed = hlo_wire_has(&devices, 1);
  return read_lists(listed ? devices : wire, listed ? 1 : number, false, arena, attribute);
}

/* Returns whether there are groups in any of the forms that XLA has written over the years. */
static bool has_groups(const hlo_wire *wire) {
  return hlo_wire_has(wire, HLO_INSTRUCTION_PROTO_COLLECTIVE_DEVICE_LIST) || hlo_wire_has(wire, HLO_INSTRUCTION_PROTO_IOTA_DEVICE_LIST) ||
         hlo_wire_has(wire, HLO_INSTRUCTION_PROTO_MESH_DEVICE_LIST);
}

static void put_groups(hlo_writer *w, int number, const hlo_groups *groups, bool pairs) {
  for (int i = 0; i < groups->count; i++) {
    hlo_writer message;
    hlo_writer_init(&message, w->status);
    if (!pairs) hlo_put_ints(&message, 1, groups->groups[i]);
    for (int k = 0; pairs && k < 2; k++) hlo_put_int(&message, k + 1, groups->groups[i].data[k]);
    hlo_put_message(w, number, &message);
  }
}

/* ---- The other forms ---- */

static bool read_enum_name(hlo_wire wire, int number, hlo_attribute *attribute) {
  hlo_span text = hlo_wire_text(&wire, number);
  const char *const *names = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id));
  for (int i = 0; names[i]; i++) {
    if (!hlo_span_is(text, names[i])) continue;
    attribute->enumerant = i;
    return true;
  }
  return hlo_wire_fail(&wire, "%.*s is no value of %s", text.length > 40 ? 40 : (int)text.length, text.text,
                       hlo_attribute_name(attribute->id));
}

static bool read_enum(hlo_wire wire, int number, int first, hlo_attribute *attribute) {
  const char *const *names = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id));
  int64_t value = hlo_wire_int(&wire, number, first);
  int count = 0;
  while (names[count]) count++;
  attribute->enumerant = value >= first && value < first + count ? (int)value - first : 0;
  return true;
}

/* Reads any text, which HLO writes in quotes. */
static bool read_quoted(hlo_span text, hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_writer out;
  hlo_writer_init(&out, wire.status);
  if (attribute->id == HLO_ATTR_backend_config) hlo_write_backend_config(&out, text);
  else hlo_write_quoted(&out, text.text, text.length);
  return hlo_writer_keep(&out, arena, &attribute->text);
}

/* Reads one field. Protocol buffers leave out fields that are 0 or empty, so an attribute for which these are values is always present. */
static bool read_field(hlo_wire wire, int number, proto_form form, hlo_ints called, hlo_arena *arena, hlo_attribute *attribute,
                       bool *present) {
  hlo_span text;
  hlo_ints list;
  bool found = hlo_wire_has(&wire, number);
  *present = found;
  switch (form) {
  case INT: attribute->integer = hlo_wire_int(&wire, number, 0); return true;
  case BOOL: attribute->boolean = hlo_wire_int(&wire, number, 0) != 0; return true;
  case INTS: *present = true; return hlo_wire_ints(&wire, number, arena, &attribute->ints);
  case FIRST:
    *present = true;
    if (!hlo_wire_ints(&wire, number, arena, &list)) return false;
    attribute->integer = list.count ? list.data[0] : 0;
    return true;
  case FLOAT: *present = true; attribute->real = hlo_wire_float(&wire, number); return true;
  case TEXT: case QUOTED:
    text = hlo_wire_text(&wire, number);
    if (form == QUOTED) return !(*present = text.length > 0) || read_quoted(text, wire, arena, attribute);
    attribute->text = (hlo_span){hlo_arena_text(arena, text.text, text.length, wire.status), text.length};
    return attribute->text.text != NULL;
  case ENUM_NAME: return !(*present = hlo_wire_text(&wire, number).length > 0) || read_enum_name(wire, number, attribute);
  case ENUM: case ENUM_FROM_1: *present = true; return read_enum(wire, number, form == ENUM_FROM_1, attribute);
  case ROWS: return read_rows(wire, number, arena, attribute, present);
  case LABELS: return !found || read_labels(hlo_wire_message(&wire, number), arena, attribute);
  case GROUPS:
    *present = found || has_groups(&wire);
    return !*present || read_groups(wire, number, arena, attribute);
  case PAIRS: return read_lists(wire, number, true, arena, attribute);
  case SHAPE: return !found || (attribute->shape = hlo_proto_read_shape(hlo_wire_message(&wire, number), arena));
  case LITERAL:
    *present = true;
    return (attribute->literal = hlo_proto_read_literal(hlo_wire_message(&wire, number), arena)) != NULL;
  case CALLED:
    if ((*present = number < called.count)) attribute->computation = (int)called.data[number];
    return true;
  default: return true;
  }
}

bool hlo_proto_read_attribute(hlo_wire wire, hlo_opcode opcode, hlo_attribute_id id, bool required, hlo_ints called,
                              hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  const proto_field *row = &fields[id];
  *attribute = (hlo_attribute){.id = id};
  *present = true;
  switch (id) {
  case HLO_ATTR_branch_computations:
    *present = called.count > 0;
    attribute->ints = called;
    return true;
  case HLO_ATTR_is_associative: /* 0 unknown, 1 yes, 2 no */
    *present = hlo_wire_has(&wire, HLO_INSTRUCTION_PROTO_IS_ASSOCIATIVE);
    attribute->boolean = hlo_wire_int(&wire, HLO_INSTRUCTION_PROTO_IS_ASSOCIATIVE, 0) == 1;
    return true;
  case HLO_ATTR_metadata:
    return hlo_proto_read_metadata(hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_METADATA), arena, attribute, present);
  case HLO_ATTR_frontend_attributes:
    wire = hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_FRONTEND_ATTRIBUTES);
    return hlo_proto_read_frontend_attributes(wire, arena, attribute, present);
  case HLO_ATTR_api_version: return hlo_proto_read_api_version(wire, attribute, present);
  case HLO_ATTR_operand_layout_constraints: return hlo_proto_read_layout_constraints(wire, arena, attribute, present);
  case HLO_ATTR_domain: attribute->text = (hlo_span){"{kind=\"sharding\"}", 17}; return true;
  default: break;
  }
  if (row->place != IN_INSTRUCTION) wire = hlo_wire_message(&wire, own_message(opcode));
  if (row->place == IN_DOT && opcode == HLO_OP_RAGGED_DOT) wire = hlo_wire_message(&wire, DOT_IN_RAGGED_DOT);
  if (!read_field(wire, number_of(row, opcode), row->form, called, arena, attribute, present)) return false;
  if (id == HLO_ATTR_dimensions && opcode == HLO_OP_ALL_TO_ALL) /* only all-to-all on one array has it */
    *present = hlo_wire_has(&wire, row->number);
  *present |= required && (row->form == INT || row->form == PAIRS); /* 0, or a permutation of no pairs */
  *present |= id == HLO_ATTR_largest; /* false, which is not what an instruction without it means */
  return true;
}

/* ---- Writing ---- */

void hlo_proto_put_unescaped(hlo_writer *w, int number, hlo_span text) {
  hlo_writer bytes;
  hlo_writer_init(&bytes, w->status);
  hlo_write_bytes(&bytes, text.text, text.length);
  if (bytes.length) bytes.length = hlo_unescape(bytes.text, bytes.length);
  if (bytes.length) hlo_put_bytes(w, number, bytes.text, bytes.length);
  hlo_writer_free(&bytes);
}

static void put_quoted(hlo_writer *w, int number, hlo_span text) {
  if (*text.text == '"') hlo_proto_put_unescaped(w, number, (hlo_span){text.text + 1, text.length - 2});
  else if (text.length) hlo_put_bytes(w, number, text.text, text.length);
}

static void put_field(hlo_writer *w, int number, proto_form form, const hlo_attribute *attribute) {
  switch (form) {
  case INT: hlo_put_int(w, number, attribute->integer); break;
  case BOOL: hlo_put_int(w, number, attribute->boolean); break;
  case INTS: hlo_put_ints(w, number, attribute->ints); break;
  case FIRST: hlo_put_ints(w, number, (hlo_ints){&attribute->integer, 1}); break;
  case FLOAT: hlo_put_float(w, number, (float)attribute->real); break;
  case QUOTED: put_quoted(w, number, attribute->text); break;
  case TEXT: hlo_put_text(w, number, attribute->text); break;
  case ENUM_NAME: {
    const char *name = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id))[attribute->enumerant];
    hlo_put_bytes(w, number, name, strlen(name));
    break;
  }
  case ENUM: case ENUM_FROM_1: hlo_put_int(w, number, attribute->enumerant + (form == ENUM_FROM_1)); break;
  case ROWS: put_rows(w, number, attribute); break;
  case LABELS: put_labels(w, number, attribute->dim_labels); break;
  case GROUPS: case PAIRS: put_groups(w, number, attribute->groups, form == PAIRS); break;
  case SHAPE: hlo_proto_write_shape(w, number, attribute->shape); break;
  case LITERAL: hlo_proto_write_literal(w, number, attribute->literal); break;
  default: break;
  }
}

static void put_fields(hlo_writer *w, proto_place place, const hlo_instruction *instruction) {
  for (int i = 0; i < instruction->attribute_count; i++) {
    const hlo_attribute *attribute = &instruction->attributes[i];
    const proto_field *row = &fields[attribute->id];
    if (row->place == place) put_field(w, number_of(row, instruction->opcode), row->form, attribute);
  }
}

static void put_own_message(hlo_writer *w, const hlo_instruction *instruction) {
  hlo_opcode opcode = instruction->opcode;
  hlo_writer message, dot;
  if (!own_message(opcode)) return;
  hlo_writer_init(&message, w->status);
  hlo_writer_init(&dot, w->status);
  put_fields(opcode == HLO_OP_RAGGED_DOT ? &dot : &message, IN_DOT, instruction);
  if (opcode == HLO_OP_RAGGED_DOT) hlo_put_message(&message, DOT_IN_RAGGED_DOT, &dot);
  put_fields(&message, IN_OP, instruction);
  if (opcode == HLO_OP_TRIANGULAR_SOLVE && !hlo_instruction_attribute(instruction, HLO_ATTR_transpose_a)) /* 0 is not a valid value of it */
    hlo_put_int(&message, fields[HLO_ATTR_transpose_a].number, HLO_transpose_a_NO_TRANSPOSE + 1);
  hlo_put_message(w, own_message(opcode), &message);
}

/* Writes called computations in XLA's order: body before condition, select before scatter, branches in order. */
static void put_called(hlo_writer *w, const hlo_instruction *instruction) {
  for (int place = 0; place < 2; place++)
    for (int i = 0; i < instruction->attribute_count; i++) {
      const hlo_attribute *attribute = &instruction->attributes[i];
      const proto_field *row = &fields[attribute->id];
      if (row->form != CALLED || row->number != place) continue;
      hlo_put_int_always(w, HLO_INSTRUCTION_PROTO_CALLED_COMPUTATION_IDS, attribute->computation);
    }
  hlo_ints branches = *hlo_instruction_ints(instruction, HLO_ATTR_branch_computations);
  for (int i = 0; i < branches.count; i++) hlo_put_int_always(w, HLO_INSTRUCTION_PROTO_CALLED_COMPUTATION_IDS, branches.data[i]);
}

void hlo_proto_put_attributes(hlo_writer *w, const hlo_instruction *instruction) {
  const hlo_attribute *associative = hlo_instruction_attribute(instruction, HLO_ATTR_is_associative);
  const hlo_attribute *constraints = hlo_instruction_attribute(instruction, HLO_ATTR_operand_layout_constraints);
  const hlo_attribute *metadata = hlo_instruction_attribute(instruction, HLO_ATTR_metadata);
  if (hlo_instruction_attribute(instruction, HLO_ATTR_quantization))
    hlo_fail(w->status, HLO_UNSUPPORTED, "instruction %s: protocol buffers have no field for the quantization of %s", instruction->name,
             hlo_op_name(instruction->opcode));
  put_fields(w, IN_INSTRUCTION, instruction);
  if (metadata) hlo_proto_put_metadata(w, metadata->text);
  put_own_message(w, instruction);
  if (associative) hlo_put_int(w, HLO_INSTRUCTION_PROTO_IS_ASSOCIATIVE, associative->boolean ? 1 : 2);
  if (constraints) hlo_proto_put_layout_constraints(w, constraints->text);
  if (instruction->opcode == HLO_OP_CUSTOM_CALL) hlo_proto_put_api_version(w, instruction);
  if (instruction->opcode == HLO_OP_TOPK && !hlo_instruction_attribute(instruction, HLO_ATTR_largest)) hlo_put_int(w, fields[HLO_ATTR_largest].number, 1);
  put_called(w, instruction);
}
