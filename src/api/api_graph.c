/* The graph of a module for pages that draw it: computations, instructions, and who uses whom. */
#include <string.h>

#include "api/api.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pipeline.h"
#include "shape/shape.h"
#include "verify/verify.h"

enum { MOST_CALLED = 64 };

static void write_numbers(hlo_writer *writer, const char *key, const int *numbers, int count) {
  hlo_write_format(writer, ",\"%s\":[", key);
  for (int i = 0; i < count; i++) hlo_write_format(writer, i ? ",%d" : "%d", numbers[i]);
  hlo_write_char(writer, ']');
}

static void write_instruction(hlo_writer *writer, const hlo_instruction *instruction) {
  hlo_write(writer, "{\"name\":");
  hlo_write_json(writer, instruction->name, strlen(instruction->name));
  hlo_write_format(writer, ",\"op\":\"%s\",\"line\":%d,\"shape\":\"", hlo_op_name(instruction->opcode), instruction->line);
  hlo_shape_write(writer, instruction->shape, true);
  hlo_write_char(writer, '"');
  int called[MOST_CALLED], count = hlo_instruction_called(instruction, called, MOST_CALLED);
  write_numbers(writer, "operands", instruction->operands, instruction->operand_count);
  write_numbers(writer, "calls", called, count < MOST_CALLED ? count : MOST_CALLED);
  hlo_write_char(writer, '}');
}

static void write_graph(hlo_writer *writer, const hlo_module *module) {
  hlo_write_format(writer, "{\"entry\":%d,\"computations\":[", module->entry);
  for (int c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    hlo_write(writer, c ? ",{\"name\":" : "{\"name\":");
    hlo_write_json(writer, computation->name, strlen(computation->name));
    hlo_write_format(writer, ",\"root\":%d,\"instructions\":[", computation->root);
    for (int i = 0; i < computation->instruction_count; i++) {
      if (i) hlo_write_char(writer, ',');
      write_instruction(writer, computation->instructions[i]);
    }
    hlo_write(writer, "]}");
  }
  hlo_write(writer, "]}");
}

HLO_API(bool, hlo_api_module_drawn)(hlo_api_module *module, bool optimised) {
  hlo_status *status = &module->runtime->status;
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_graph(module);
  if (!graph) return false;
  if (!optimised) {
    write_graph(&module->runtime->text, graph);
    return hlo_ok(status);
  }
  if (graph->entry < 0) return hlo_fail(status, HLO_VERIFY, "the module has no entry computation");
  if (!hlo_verify_module(graph, status) || !hlo_api_module_open(module)) return false;
  hlo_module *changed = hlo_passes_run(graph, NULL, NULL, status);
  if (changed) write_graph(&module->runtime->text, changed);
  hlo_module_free(changed);
  hlo_api_module_close(module);
  return hlo_ok(status);
}
