/* A module as an HloModuleProto, and what wraps it. Ids are numbers in order over the whole module. */
#include <stdlib.h>
#include <string.h>

#include "proto/hlo_proto.h"
#include "proto/proto_attribute.h"

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
  hlo_proto_put_attributes(&message, instruction);
  hlo_put_int(&message, 35, first_id + instruction->index);
  for (int i = 0; i < instruction->operand_count; i++) hlo_put_int_always(&message, 36, first_id + instruction->operands[i]);
  hlo_ints before = *hlo_instruction_ints(instruction, HLO_ATTR_control_predecessors);
  for (int i = 0; i < before.count; i++) hlo_put_int_always(&message, 37, first_id + before.data[i]);
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
