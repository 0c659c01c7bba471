/* Descriptions of files and modules for people: the form of a file, the operations of a module. */
#include <string.h>

#include "api/api.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "proto/hlo_proto.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

static const char *form_of(const char *bytes, size_t length) {
  static const char *const messages[] = {"hlo-module-proto", "hlo-proto", "hlo-snapshot"};
  if (hlo_jax_export_recognise(bytes, length)) return "jax-export";
  if (hlo_bytecode_recognise(bytes, length)) return "stablehlo-bytecode";
  if (hlo_stablehlo_recognise(bytes, length)) return "stablehlo-text";
  if (hlo_api_is_text(bytes, length)) return "hlo-text";
  int wrappers = hlo_proto_wrappers((const uint8_t *)bytes, length);
  return wrappers < 0 ? "unknown" : messages[wrappers];
}

HLO_API(void, hlo_api_form)(hlo_runtime *runtime, const char *bytes, size_t length) {
  hlo_api_begin(runtime);
  hlo_write(&runtime->text, form_of(bytes, length));
}

static void begin_computation(hlo_writer *writer, bool first, const char *name, size_t length) {
  hlo_write(writer, first ? "{\"name\":" : ",{\"name\":");
  hlo_write_json(writer, name, length);
  hlo_write(writer, ",\"operations\":[");
}

/* Returns the bytes of an array, or of a tuple's elements; 0 for an open shape. */
static int64_t bytes_of(const hlo_shape *shape) {
  hlo_status ignored = {0};
  int64_t sum = 0, bytes;
  for (int i = 0; i < hlo_shape_leaf_count(shape); i++)
    if (hlo_shape_byte_size(hlo_shape_leaf(shape, i), &bytes, &ignored)) sum += bytes;
  return sum;
}

static int64_t write_graph(hlo_writer *writer, const hlo_module *module) {
  int64_t constants = 0;
  for (int c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    begin_computation(writer, c == 0, computation->name, strlen(computation->name));
    for (int i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *instruction = computation->instructions[i];
      hlo_write_format(writer, i ? ",\"%s\"" : "\"%s\"", hlo_op_name(instruction->opcode));
      if (instruction->opcode == HLO_OP_CONSTANT) constants += bytes_of(instruction->shape);
    }
    hlo_write(writer, "]}");
  }
  return constants;
}

/* Writes the names of operations; those of regions follow the operation that has them. */
static void write_block(hlo_writer *writer, const hlo_mlir *tree, const hlo_mlir_block *block, bool *first, int64_t *constants) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    if (!*first) hlo_write_char(writer, ',');
    *first = false;
    hlo_write_json(writer, op->name.text, op->name.length);
    const hlo_mlir_attribute *value = hlo_span_is(op->name, "stablehlo.constant") ? hlo_mlir_find(op, "value") : NULL;
    if (value && value->kind == HLO_MLIR_DENSE) *constants += bytes_of(value->literal->shape);
    for (int r = 0; r < op->region_count; r++)
      if (op->regions[r].block_count) write_block(writer, tree, &op->regions[r].block, first, constants);
  }
}

static int64_t write_tree(hlo_writer *writer, const hlo_mlir *tree) {
  int64_t constants = 0;
  bool any = false;
  for (int i = 0; i < tree->body.op_count; i++) {
    const hlo_mlir_op *op = tree->body.ops[i];
    const hlo_mlir_attribute *name = hlo_mlir_find(op, "sym_name");
    if (!hlo_span_is(op->name, "func.func") || !name || op->region_count != 1 || !op->regions[0].block_count) continue;
    begin_computation(writer, !any, name->text.text, name->text.length);
    bool first = any = true;
    write_block(writer, tree, &op->regions[0].block, &first, &constants);
    hlo_write(writer, "]}");
  }
  return constants;
}

HLO_API(bool, hlo_api_module_contents)(hlo_api_module *module) {
  hlo_api_begin(module->runtime);
  hlo_writer *writer = &module->runtime->text;
  hlo_write(writer, "{\"computations\":[");
  int64_t constants = module->dynamic ? write_tree(writer, module->dynamic->tree) : write_graph(writer, module->module);
  hlo_write_format(writer, "],\"constantBytes\":%lld}", (long long)constants);
  return hlo_ok(&module->runtime->status);
}
