/* A module as an HloModuleProto, and what wraps it. Ids are numbers in order over the whole module. */
#include <stdlib.h>
#include <string.h>

#include "proto/hlo_proto.h"
#include "proto/proto_attribute.h"

static void put_row(hlo_writer *w, int number, hlo_proto_form form, const hlo_attribute *attribute) {
  switch (form) {
    case HLO_PROTO_INT: hlo_put_int(w, number, attribute->integer); break;
    case HLO_PROTO_BOOL: hlo_put_int(w, number, attribute->boolean); break;
    case HLO_PROTO_INTS: hlo_put_ints(w, number, attribute->ints); break;
    case HLO_PROTO_TEXT: hlo_put_text(w, number, attribute->text); break;
    case HLO_PROTO_ENUM_NAME: {
      const char *name = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id))[attribute->enumerant];
      hlo_put_bytes(w, number, name, strlen(name));
      break;
    }
    case HLO_PROTO_NONE: break;
  }
}

static void put_window(hlo_writer *w, const hlo_window *window) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < window->rank; i++) {
    const hlo_window_dim *d = &window->dims[i];
    const int64_t values[] = {d->size, d->stride, d->padding_low, d->padding_high, d->window_dilation, d->base_dilation, d->reversal};
    hlo_writer dim;
    hlo_writer_init(&dim, w->status);
    for (int k = 0; k < 7; k++) hlo_put_int(&dim, k + 1, values[k]);
    hlo_put_message(&message, 1, &dim);
  }
  hlo_put_message(w, 15, &message);
}

static void put_triples(hlo_writer *w, int number, int64_t a, int64_t b, int64_t c) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  hlo_put_int(&message, 1, a);
  hlo_put_int(&message, 2, b);
  hlo_put_int(&message, 3, c);
  hlo_put_message(w, number, &message);
}

static void put_padding(hlo_writer *w, const hlo_padding_config *padding) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < padding->rank; i++) put_triples(&message, 1, padding->dims[i].low, padding->dims[i].high, padding->dims[i].interior);
  hlo_put_message(w, 21, &message);
}

static void put_spatial(hlo_writer *w, int number, const int *dims, int rank) {
  int64_t values[HLO_MAX_RANK];
  for (int i = 0; i < rank; i++) values[i] = dims[i];
  hlo_put_ints(w, number, (hlo_ints){values, rank});
}

static void put_dim_labels(hlo_writer *w, const hlo_dim_labels *l) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  hlo_put_int(&message, 7, l->input_batch);
  hlo_put_int(&message, 8, l->input_feature);
  put_spatial(&message, 11, l->input_spatial, l->spatial_rank);
  hlo_put_int(&message, 3, l->kernel_input_feature);
  hlo_put_int(&message, 4, l->kernel_output_feature);
  put_spatial(&message, 6, l->kernel_spatial, l->spatial_rank);
  hlo_put_int(&message, 9, l->output_batch);
  hlo_put_int(&message, 10, l->output_feature);
  put_spatial(&message, 12, l->output_spatial, l->spatial_rank);
  hlo_put_message(w, 16, &message);
}

static void put_groups(hlo_writer *w, int number, const hlo_groups *groups, bool pairs) {
  for (int i = 0; i < groups->count; i++) {
    hlo_writer message;
    hlo_writer_init(&message, w->status);
    if (pairs) {
      hlo_put_int(&message, 1, groups->groups[i].data[0]);
      hlo_put_int(&message, 2, groups->groups[i].data[1]);
    } else {
      hlo_put_ints(&message, 1, groups->groups[i]);
    }
    hlo_put_message(w, number, &message);
  }
}

/* A quoted backend_config is its contents, a JSON object stands as it is. */
static void put_backend_config(hlo_writer *w, hlo_span text) {
  if (text.length >= 2 && text.text[0] == '"') text = (hlo_span){text.text + 1, text.length - 2};
  hlo_put_text(w, 43, text);
}

/* What {f32[4,4]{0,1}, f32[4,2]{0,1}} lists. */
static void put_layout_constraints(hlo_writer *w, hlo_span text) {
  hlo_status status = {0};
  hlo_reader reader;
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_reader_init(&reader, text.text, text.length, &status);
  hlo_put_int(w, 56, 1);
  hlo_reader_accept(&reader, "{");
  while (hlo_ok(&status) && hlo_reader_peek(&reader) != '}') {
    const hlo_shape *shape = hlo_shape_read(&reader, &arena);
    if (!shape) break;
    hlo_proto_write_shape(w, 57, shape);
    hlo_reader_accept(&reader, ",");
  }
  hlo_arena_free(&arena);
}

static void put_api_version(hlo_writer *w, const hlo_instruction *instruction) {
  const hlo_attribute *version = hlo_instruction_attribute(instruction, HLO_ATTR_api_version);
  int number = 1;
  for (int i = 1; version && i < 5; i++)
    if (hlo_span_is(version->text, hlo_proto_api_versions[i])) number = i;
  hlo_put_int(w, 77, number);
}

static void put_special(hlo_writer *w, const hlo_attribute *attribute) {
  int64_t dimension;
  switch (attribute->id) {
    case HLO_ATTR_iota_dimension:
      dimension = attribute->integer;
      hlo_put_ints(w, 14, (hlo_ints){&dimension, 1});
      break;
    case HLO_ATTR_literal: hlo_proto_write_literal(w, 8, attribute->literal); break;
    case HLO_ATTR_window: put_window(w, attribute->window); break;
    case HLO_ATTR_dim_labels: put_dim_labels(w, attribute->dim_labels); break;
    case HLO_ATTR_slice:
      for (int i = 0; i < attribute->slice->rank; i++)
        put_triples(w, 17, attribute->slice->dims[i].start, attribute->slice->dims[i].limit, attribute->slice->dims[i].stride);
      break;
    case HLO_ATTR_padding: put_padding(w, attribute->padding); break;
    case HLO_ATTR_distribution: hlo_put_int(w, 23, attribute->enumerant + 1); break;
    case HLO_ATTR_epsilon: hlo_put_float(w, 24, (float)attribute->real); break;
    case HLO_ATTR_fft_type: hlo_put_int(w, 31, attribute->enumerant); break;
    case HLO_ATTR_rng_algorithm: hlo_put_int(w, 70, attribute->enumerant); break;
    case HLO_ATTR_is_associative: hlo_put_int(w, 96, attribute->boolean ? 1 : 2); break;
    case HLO_ATTR_replica_groups: put_groups(w, 49, attribute->groups, false); break;
    case HLO_ATTR_source_target_pairs: put_groups(w, 52, attribute->groups, true); break;
    case HLO_ATTR_outfeed_shape: hlo_proto_write_shape(w, 29, attribute->shape); break;
    case HLO_ATTR_operand_layout_constraints: put_layout_constraints(w, attribute->text); break;
    case HLO_ATTR_backend_config: put_backend_config(w, attribute->text); break;
    default: break; /* nested ones are gathered below; the rest has no effect */
  }
}

static void put_nested_rows(hlo_writer *message, const hlo_instruction *instruction, int number) {
  for (int i = 0; i < instruction->attribute_count; i++) {
    const hlo_attribute *attribute = &instruction->attributes[i];
    if (hlo_proto_fields[attribute->id].message == number) put_row(message, hlo_proto_fields[attribute->id].number, hlo_proto_fields[attribute->id].form, attribute);
  }
}

/* Messages that gather several attributes. */
static void put_nested(hlo_writer *w, const hlo_instruction *instruction) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  switch (instruction->opcode) {
    case HLO_OP_DOT: put_nested_rows(&message, instruction, 30); hlo_put_message(w, 30, &message); break;
    case HLO_OP_RAGGED_DOT: {
      hlo_writer dot;
      hlo_writer_init(&dot, w->status);
      put_nested_rows(&dot, instruction, 30);
      hlo_put_message(&message, 1, &dot);
      put_nested_rows(&message, instruction, 90);
      hlo_put_message(w, 90, &message);
      break;
    }
    case HLO_OP_GATHER: case HLO_OP_SCATTER: {
      int number = instruction->opcode == HLO_OP_GATHER ? 33 : 48;
      put_nested_rows(&message, instruction, number);
      hlo_put_int(&message, 4, hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0));
      hlo_put_message(w, number, &message);
      break;
    }
    case HLO_OP_TRIANGULAR_SOLVE:
      put_nested_rows(&message, instruction, 59);
      hlo_put_int(&message, 2, hlo_instruction_bool(instruction, HLO_ATTR_lower, false));
      hlo_put_int(&message, 4, hlo_instruction_enum(instruction, HLO_ATTR_transpose_a, 0) + 1);
      hlo_put_message(w, 59, &message);
      break;
    case HLO_OP_CHOLESKY:
      hlo_put_int(&message, 1, hlo_instruction_bool(instruction, HLO_ATTR_lower, false));
      hlo_put_message(w, 62, &message);
      break;
    case HLO_OP_CUSTOM_CALL: put_api_version(w, instruction); hlo_writer_free(&message); break;
    default: hlo_writer_free(&message);
  }
}

/* XLA's order of called computations: body before condition, select before scatter, branches in order. */
static void put_called(hlo_writer *w, const hlo_instruction *instruction) {
  static const hlo_attribute_id order[] = {HLO_ATTR_to_apply, HLO_ATTR_calls, HLO_ATTR_body, HLO_ATTR_condition, HLO_ATTR_select, HLO_ATTR_scatter,
                                           HLO_ATTR_true_computation, HLO_ATTR_false_computation};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const hlo_attribute *attribute = hlo_instruction_attribute(instruction, order[i]);
    if (attribute) hlo_put_int_always(w, 38, attribute->computation);
  }
  hlo_ints branches = hlo_instruction_ints(instruction, HLO_ATTR_branch_computations);
  for (int i = 0; i < branches.count; i++) hlo_put_int_always(w, 38, branches.data[i]);
}

/* XLA wants names of instructions to be unique in the whole module, here they are so in their computation. */
typedef struct used_names {
  hlo_arena arena;
  hlo_name_table table;
} used_names;

static const char *unused_name(used_names *used, const char *stem, hlo_status *status) {
  const char *name = hlo_name_table_unique(&used->table, &used->arena, stem, status);
  return name && hlo_name_table_add(&used->table, &used->arena, name, 0, status) ? name : stem;
}

static void put_instruction(hlo_writer *w, const hlo_instruction *instruction, int64_t first_id, used_names *used) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  const char *unique = unused_name(used, instruction->name, w->status);
  hlo_put_bytes(&message, 1, unique, strlen(unique));
  hlo_put_bytes(&message, 2, hlo_op_name(instruction->opcode), strlen(hlo_op_name(instruction->opcode)));
  hlo_proto_write_shape(&message, 3, instruction->shape);
  for (int i = 0; i < instruction->attribute_count; i++) {
    const hlo_attribute *attribute = &instruction->attributes[i];
    const hlo_proto_field *row = &hlo_proto_fields[attribute->id];
    if (row->form != HLO_PROTO_NONE && !row->message) put_row(&message, row->number, row->form, attribute);
    else put_special(&message, attribute);
  }
  put_nested(&message, instruction);
  hlo_put_int(&message, 35, first_id + instruction->index);
  for (int i = 0; i < instruction->operand_count; i++) hlo_put_int_always(&message, 36, first_id + instruction->operands[i]);
  hlo_ints before = hlo_instruction_ints(instruction, HLO_ATTR_control_predecessors);
  for (int i = 0; i < before.count; i++) hlo_put_int_always(&message, 37, first_id + before.data[i]);
  put_called(&message, instruction);
  hlo_put_message(w, 2, &message);
}

static void put_program_shape(hlo_writer *w, const hlo_module *module, const hlo_computation *computation) {
  hlo_writer message;
  bool entry = computation->index == module->entry;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < computation->parameter_count; i++) {
    const hlo_shape *own = computation->instructions[computation->parameters[i]]->shape;
    hlo_proto_write_shape(&message, 1, entry && module->entry_parameter_shapes ? module->entry_parameter_shapes[i] : own);
  }
  hlo_proto_write_shape(&message, 2, entry && module->entry_result_shape ? module->entry_result_shape : hlo_computation_root(computation)->shape);
  for (int i = 0; i < computation->parameter_count; i++) {
    const char *name = computation->instructions[computation->parameters[i]]->name;
    hlo_put_bytes(&message, 3, name, strlen(name));
  }
  hlo_put_message(w, 4, &message);
}

static void put_computation(hlo_writer *w, const hlo_module *module, const hlo_computation *computation, int64_t first_id, used_names *used) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  hlo_put_bytes(&message, 1, computation->name, strlen(computation->name));
  for (int i = 0; i < computation->instruction_count; i++) put_instruction(&message, computation->instructions[i], first_id, used);
  put_program_shape(&message, module, computation);
  hlo_put_int(&message, 5, computation->index);
  hlo_put_int(&message, 6, first_id + computation->root);
  hlo_put_message(w, 3, &message);
}

bool hlo_proto_write(hlo_writer *w, const hlo_module *module, hlo_status *status) {
  int *order = malloc(((size_t)module->computation_count + 1) * sizeof *order);
  if (!order) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d computations", module->computation_count);
  bool ok = hlo_module_call_order(module, order, status);
  used_names used = {.table = {0}};
  hlo_arena_init(&used.arena);
  const hlo_computation *entry = hlo_module_entry(module);
  hlo_put_bytes(w, 1, module->name, strlen(module->name));
  hlo_put_bytes(w, 2, entry->name, strlen(entry->name));
  /* Ids carry the computation in their upper half, as XLA's do. */
  for (int i = 0; ok && i < module->computation_count; i++)
    put_computation(w, module, module->computations[order[i]], (int64_t)order[i] << 32, &used);
  hlo_put_int(w, 6, module->entry);
  put_program_shape(w, module, entry);
  hlo_put_int_always(w, 5, 1);
  hlo_arena_free(&used.arena);
  free(order);
  return ok && hlo_ok(status);
}

bool hlo_proto_write_hlo(hlo_writer *w, const hlo_module *module, hlo_status *status) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  bool ok = hlo_proto_write(&message, module, status);
  hlo_put_message(w, 1, &message);
  return ok && hlo_ok(status);
}

static bool put_value(hlo_writer *w, int number, const hlo_literal *value, hlo_status *status) {
  if (!hlo_shape_is_static(value->shape))
    return hlo_fail(status, HLO_UNSUPPORTED, "a snapshot has no place for the actual sizes of %pS", value->shape);
  hlo_proto_write_literal(w, number, value);
  return hlo_ok(status);
}

bool hlo_proto_write_snapshot(hlo_writer *w, const hlo_module *module, const hlo_snapshot *snapshot, hlo_status *status) {
  static const char platform[] = "webhlo";
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  bool ok = hlo_proto_write_hlo(&message, module, status);
  hlo_put_message(w, 1, &message);
  for (int i = 0; ok && i < snapshot->argument_count; i++) ok = put_value(w, 2, snapshot->arguments[i], status);
  if (ok && snapshot->result) ok = put_value(w, 3, snapshot->result, status);
  hlo_put_bytes(w, 4, platform, sizeof platform - 1);
  return ok && hlo_ok(status);
}
