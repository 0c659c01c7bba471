/* Writes a module as an HloModuleProto, alone or inside an HloProto or HloSnapshot. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "graph/opcode.h"
#include "proto/hlo_proto.h"
#include "proto/proto_attribute.h"
#include "proto/proto_numbers.h"
#include "proto/proto_value.h"
#include "proto/wire.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "verify/verify.h"

/* Names already written: XLA wants instruction names to be unique in the module, while here they are unique in their computation. */
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
  hlo_put_bytes(&message, HLO_INSTRUCTION_PROTO_NAME, unique, strlen(unique));
  hlo_put_bytes(&message, HLO_INSTRUCTION_PROTO_OPCODE, hlo_op_name(instruction->opcode), strlen(hlo_op_name(instruction->opcode)));
  hlo_proto_write_shape(&message, HLO_INSTRUCTION_PROTO_SHAPE, instruction->shape);
  hlo_proto_put_attributes(&message, instruction);
  hlo_put_int(&message, HLO_INSTRUCTION_PROTO_ID, first_id + instruction->index);
  for (int i = 0; i < instruction->operand_count; i++)
    hlo_put_int_always(&message, HLO_INSTRUCTION_PROTO_OPERAND_IDS, first_id + instruction->operands[i]);
  hlo_ints before = *hlo_instruction_ints(instruction, HLO_ATTR_control_predecessors);
  for (int i = 0; i < before.count; i++)
    hlo_put_int_always(&message, HLO_INSTRUCTION_PROTO_CONTROL_PREDECESSOR_IDS, first_id + before.data[i]);
  hlo_put_message(w, HLO_COMPUTATION_PROTO_INSTRUCTIONS, &message);
}

static void put_program_shape(hlo_writer *w, int number, const hlo_module *module, const hlo_computation *computation) {
  hlo_writer message;
  bool entry = computation->index == module->entry;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < computation->parameter_count; i++) {
    const hlo_shape *own = computation->instructions[computation->parameters[i]]->shape;
    const hlo_shape *shape = entry && module->entry_parameter_shapes ? module->entry_parameter_shapes[i] : own;
    hlo_proto_write_shape(&message, HLO_PROGRAM_SHAPE_PROTO_PARAMETERS, shape);
  }
  const hlo_shape *result = hlo_computation_root(computation)->shape;
  if (entry && module->entry_result_shape) result = module->entry_result_shape;
  hlo_proto_write_shape(&message, HLO_PROGRAM_SHAPE_PROTO_RESULT, result);
  for (int i = 0; i < computation->parameter_count; i++) {
    const char *name = computation->instructions[computation->parameters[i]]->name;
    hlo_put_bytes(&message, HLO_PROGRAM_SHAPE_PROTO_PARAMETER_NAMES, name, strlen(name));
  }
  hlo_put_message(w, number, &message);
}

static void put_computation(hlo_writer *w, const hlo_module *module, const hlo_computation *computation, int64_t first_id,
                            used_names *used) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  hlo_put_bytes(&message, HLO_COMPUTATION_PROTO_NAME, computation->name, strlen(computation->name));
  for (int i = 0; i < computation->instruction_count; i++) put_instruction(&message, computation->instructions[i], first_id, used);
  put_program_shape(&message, HLO_COMPUTATION_PROTO_PROGRAM_SHAPE, module, computation);
  hlo_put_int(&message, HLO_COMPUTATION_PROTO_ID, computation->index);
  hlo_put_int(&message, HLO_COMPUTATION_PROTO_ROOT_ID, first_id + computation->root);
  hlo_put_message(w, HLO_MODULE_PROTO_COMPUTATIONS, &message);
}

bool hlo_proto_write(hlo_writer *w, const hlo_module *module, hlo_status *status) {
  int *order = malloc(((size_t)module->computation_count + 1) * sizeof *order);
  if (!order) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d computations", module->computation_count);
  bool ok = hlo_module_call_order(module, order, status);
  used_names used = {.table = {0}};
  hlo_arena_init(&used.arena);
  const hlo_computation *entry = hlo_module_entry(module);
  hlo_put_bytes(w, HLO_MODULE_PROTO_NAME, module->name, strlen(module->name));
  hlo_put_bytes(w, HLO_MODULE_PROTO_ENTRY_COMPUTATION_NAME, entry->name, strlen(entry->name));
  /* As in XLA, the upper half of an instruction's id is the number of its computation. */
  for (int i = 0; ok && i < module->computation_count; i++)
    put_computation(w, module, module->computations[order[i]], (int64_t)order[i] << 32, &used);
  hlo_put_int(w, HLO_MODULE_PROTO_ENTRY_COMPUTATION_ID, module->entry);
  put_program_shape(w, HLO_MODULE_PROTO_HOST_PROGRAM_SHAPE, module, entry);
  hlo_put_int_always(w, HLO_MODULE_PROTO_ID, 1);
  hlo_arena_free(&used.arena);
  free(order);
  return ok && hlo_ok(status);
}

bool hlo_proto_write_hlo(hlo_writer *w, const hlo_module *module, hlo_status *status) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  bool ok = hlo_proto_write(&message, module, status);
  hlo_put_message(w, HLO_PROTO_HLO_MODULE, &message);
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
  hlo_put_message(w, HLO_SNAPSHOT_PROTO_HLO, &message);
  for (int i = 0; ok && i < snapshot->argument_count; i++) ok = put_value(w, HLO_SNAPSHOT_PROTO_ARGUMENTS, snapshot->arguments[i], status);
  if (ok && snapshot->result) ok = put_value(w, HLO_SNAPSHOT_PROTO_RESULT, snapshot->result, status);
  hlo_put_bytes(w, HLO_SNAPSHOT_PROTO_EXECUTION_PLATFORM, platform, sizeof platform - 1);
  return ok && hlo_ok(status);
}
