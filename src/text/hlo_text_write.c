/* Prints modules as XLA's as_hlo_text() does. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "graph/opcode.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "text/hlo_text.h"
#include "text/hlo_text_parser.h"
#include "verify/verify.h"

/* ---- Instructions ---- */

static void write_attributes(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation,
                             const hlo_instruction *instruction, bool common) {
  hlo_graph_scope storage = {module, computation};
  const hlo_name_scope scope = hlo_graph_name_scope(&storage);
  for (int i = 0; i < instruction->attribute_count; i++) {
    const hlo_attribute *attribute = &instruction->attributes[i];
    if (hlo_attribute_is_common(attribute->id) != common) continue;
    if (hlo_text_attribute_is_implied(computation, instruction, attribute)) continue;
    hlo_write(writer, ", ");
    hlo_write(writer, hlo_attribute_name(attribute->id));
    hlo_write_char(writer, '=');
    hlo_attribute_write(writer, attribute, &scope);
  }
}

static void write_operands(hlo_writer *writer, const hlo_computation *computation, const hlo_instruction *instruction) {
  const hlo_attribute *literal = hlo_instruction_attribute(instruction, HLO_ATTR_literal);
  if (instruction->opcode == HLO_OP_PARAMETER)
    hlo_write_int(writer, hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0));
  else if (instruction->opcode == HLO_OP_CONSTANT && literal) hlo_literal_write(writer, literal->literal);
  for (int i = 0; i < instruction->operand_count; i++) {
    if (i) hlo_write(writer, ", ");
    hlo_write_name(writer, &computation->names, hlo_operand(computation, instruction, i)->name);
  }
}

static const char *async_ending(hlo_opcode opcode) {
  return opcode == HLO_OP_ASYNC_START ? "-start" : opcode == HLO_OP_ASYNC_UPDATE ? "-update" : "-done";
}

/* Writes the short form of an asynchronous op: negate-start(x), async_execution_thread="thread", the attributes of negate */
static void write_sugar(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation,
                        const hlo_instruction *instruction, const hlo_instruction *wrapped) {
  hlo_write(writer, hlo_op_name(wrapped->opcode));
  hlo_write(writer, async_ending(instruction->opcode));
  hlo_write_char(writer, '(');
  write_operands(writer, computation, instruction);
  hlo_write_char(writer, ')');
  if (instruction->opcode == HLO_OP_ASYNC_START) {
    const hlo_attribute *thread = hlo_instruction_attribute(instruction, HLO_ATTR_async_execution_thread);
    const hlo_computation *called = hlo_instruction_computation(module, instruction, HLO_ATTR_calls);
    if (thread && !hlo_text_attribute_is_implied(computation, instruction, thread)) {
      hlo_write(writer, ", async_execution_thread=");
      hlo_attribute_write(writer, thread, NULL);
    }
    write_attributes(writer, module, called, wrapped, false);
  }
  write_attributes(writer, module, computation, instruction, true);
}

void hlo_text_write_instruction(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation,
                                const hlo_instruction *instruction) {
  const hlo_instruction *wrapped = hlo_text_async_sugar(module, computation, instruction, writer->status);
  hlo_write_name(writer, &computation->names, instruction->name);
  hlo_write(writer, " = ");
  hlo_shape_write(writer, instruction->shape, true);
  hlo_write_char(writer, ' ');
  if (wrapped) {
    write_sugar(writer, module, computation, instruction, wrapped);
    return;
  }
  hlo_write(writer, hlo_op_name(instruction->opcode));
  hlo_write_char(writer, '(');
  write_operands(writer, computation, instruction);
  hlo_write_char(writer, ')');
  write_attributes(writer, module, computation, instruction, false);
  write_attributes(writer, module, computation, instruction, true);
}

/* ---- Computations ---- */

static void write_computation(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation) {
  if (computation->index == module->entry) hlo_write(writer, "ENTRY ");
  hlo_write_name(writer, &module->names, computation->name);
  hlo_write(writer, " {\n");
  for (int i = 0; i < computation->instruction_count; i++) {
    hlo_write(writer, i == computation->root ? "  ROOT " : "  ");
    hlo_text_write_instruction(writer, module, computation, computation->instructions[i]);
    hlo_write_char(writer, '\n');
  }
  hlo_write_char(writer, '}');
  if (computation->execution_thread.length) {
    hlo_write(writer, ", execution_thread=");
    hlo_write_bytes(writer, computation->execution_thread.text, computation->execution_thread.length);
  }
  hlo_write(writer, "\n\n");
}

/* Returns whether every computation comes before its callers, as XLA's parser requires. */
static bool callees_come_first(const hlo_module *module) {
  for (int i = 0; i < module->computation_count; i++) {
    const hlo_computation *c = module->computations[i];
    for (int k = 0; k < c->instruction_count; k++)
      for (int n = 0, called; hlo_instruction_call(c->instructions[k], n, &called); n++)
        if (called >= c->index) return false;
  }
  return true;
}

/* Finds the order of printing: the module's own, if callees come first in it or computations call themselves in a circle; else one
 * in which callees come first. */
static void find_order(const hlo_module *module, int *order, hlo_status *status) {
  hlo_status tried = {0};
  if (!callees_come_first(module) && hlo_module_call_order(module, order, &tried)) return;
  hlo_status_out_of_memory(status, &tried);
  for (int i = 0; i < module->computation_count; i++) order[i] = i;
}

/* ---- The header ---- */

static bool field_comes_first(const hlo_module_field *field) {
  static const char *const names[] = {"is_scheduled", "input_output_alias", "buffer_donor", "alias_passthrough_params"};
  for (int i = 0; i < 4; i++)
    if (hlo_span_is(field->name, names[i])) return true;
  return false;
}

static bool field_comes_last(const hlo_module_field *field) {
  return hlo_span_is(field->name, "frontend_attributes") || hlo_span_is(field->name, "origin_recovery_table");
}

enum { FIRST, MIDDLE, LAST };

/* XLA prints the fields it knows in a fixed order, with the entry's layout and the counts in between: `part` says which part. */
static void write_fields(hlo_writer *writer, const hlo_module *module, int part) {
  for (int i = 0; i < module->field_count; i++) {
    const hlo_module_field *field = &module->fields[i];
    int its_part = field_comes_first(field) ? FIRST : field_comes_last(field) ? LAST : MIDDLE;
    if (its_part != part) continue;
    hlo_write(writer, ", ");
    hlo_write_bytes(writer, field->name.text, field->name.length);
    hlo_write_char(writer, '=');
    hlo_write_bytes(writer, field->text.text, field->text.length);
  }
}

static void write_entry_layout(hlo_writer *writer, const hlo_module *module) {
  if (!module->entry_result_shape) return;
  hlo_write(writer, ", entry_computation_layout={(");
  for (int i = 0; i < module->entry_parameter_count; i++) {
    if (i) hlo_write(writer, ", ");
    if (i && i % 5 == 0) hlo_write_format(writer, "/*index=%d*/", i);
    hlo_shape_write(writer, module->entry_parameter_shapes[i], true);
  }
  hlo_write(writer, ")->");
  hlo_shape_write(writer, module->entry_result_shape, true);
  hlo_write_char(writer, '}');
}

static void write_header(hlo_writer *writer, const hlo_module *module) {
  hlo_write_format(writer, "HloModule %s", module->name);
  write_fields(writer, module, FIRST);
  write_entry_layout(writer, module);
  write_fields(writer, module, MIDDLE);
  if (module->replica_count != 1) hlo_write_format(writer, ", replica_count=%lld", (long long)module->replica_count);
  if (module->num_partitions != 1) hlo_write_format(writer, ", num_partitions=%lld", (long long)module->num_partitions);
  write_fields(writer, module, LAST);
  hlo_write(writer, "\n\n");
  if (module->trailer.length == 0) return;
  hlo_write_bytes(writer, module->trailer.text, module->trailer.length);
  hlo_write(writer, "\n\n\n");
}

void hlo_text_write(hlo_writer *writer, const hlo_module *module) {
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  int *order = hlo_arena_many(&scratch, int, module->computation_count, writer->status);
  unsigned char *hidden = hlo_arena_many(&scratch, unsigned char, module->computation_count, writer->status);
  if (order && hidden) {
    find_order(module, order, writer->status);
    hlo_text_find_hidden(module, hidden, writer->status);
    write_header(writer, module);
    for (int i = 0; i < module->computation_count; i++)
      if (!hidden[order[i]]) write_computation(writer, module, module->computations[order[i]]);
  }
  hlo_arena_free(&scratch);
}
