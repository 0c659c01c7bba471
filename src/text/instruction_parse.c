/* Reads an instruction: ROOT %name = shape opcode(operands), attribute=value, ... */
#include <string.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

/* ---- Parentheses that hold no operands ---- */

/* Reads the 0 of parameter(0). */
static bool parse_parameter_number(hlo_text_parser *parser, hlo_attribute *attribute) {
  attribute->id = HLO_ATTR_parameter_number;
  return hlo_reader_int(&parser->reader, &attribute->integer) && hlo_reader_expect(&parser->reader, ")");
}

/* Reads the value of constant({1, 2}). */
static bool parse_literal(hlo_text_parser *parser, const hlo_text_instruction *instruction, hlo_attribute *attribute) {
  hlo_reader *reader = &parser->reader;
  if (!instruction->shape)
    return hlo_reader_fail_at(reader, instruction->opcode_at, HLO_PARSE, "a constant must have a shape: f32[2] constant({1, 2})");
  attribute->id = HLO_ATTR_literal;
  attribute->literal = hlo_literal_read(reader, &parser->module->arena, instruction->shape);
  return attribute->literal && hlo_reader_expect(reader, ")");
}

/* ---- Shapes ---- */

/* Returns the shape that inference computes; NULL after a refusal. */
static const hlo_shape *infer(hlo_text_parser *parser, const hlo_computation *computation, const hlo_instruction *instruction) {
  int count = instruction->operand_count;
  const hlo_shape **shapes = hlo_arena_many(&parser->temporary, const hlo_shape *, count, parser->reader.status);
  if (!shapes) return NULL;
  for (int i = 0; i < count; i++) shapes[i] = hlo_operand(computation, instruction, i)->shape;
  const hlo_infer question = {.module = parser->module,
                              .computation = computation,
                              .instruction = instruction,
                              .operand_count = count,
                              .operands = shapes,
                              .arena = instruction->shape ? &parser->temporary : &parser->module->arena,
                              .status = parser->reader.status};
  return hlo_infer_shape(&question);
}

static bool defer(hlo_text_parser *parser, hlo_text_deferred deferred) {
  if (!hlo_list_grow(&parser->scratch, &parser->deferred, parser->deferred_count, &parser->deferred_capacity, sizeof deferred,
                     parser->reader.status))
    return false;
  parser->deferred[parser->deferred_count++] = deferred;
  return true;
}

/* Returns whether the result shape depends on a computation not yet read: that of an asynchronous op depends on the one it started. */
static bool waits(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction) {
  for (int i = 0, called; hlo_instruction_call(instruction, i, &called); i++)
    if (module->computations[called]->root < 0) return true;
  if (instruction->opcode != HLO_OP_ASYNC_UPDATE && instruction->opcode != HLO_OP_ASYNC_DONE) return false;
  int started = hlo_instruction_async_computation(computation, instruction);
  return started >= 0 && module->computations[started]->root < 0;
}

bool hlo_text_check_shape(hlo_text_parser *parser, const hlo_computation *computation, const hlo_instruction *instruction,
                          const char *where) {
  if (waits(parser->module, computation, instruction)) return defer(parser, (hlo_text_deferred){computation, instruction, where});
  return infer(parser, computation, instruction) || hlo_reader_locate(&parser->reader, where);
}

bool hlo_text_check_deferred(hlo_text_parser *parser) {
  for (int i = 0; i < parser->deferred_count; i++) {
    const hlo_text_deferred *d = &parser->deferred[i];
    if (!infer(parser, d->computation, d->instruction)) return hlo_reader_locate(&parser->reader, d->where);
    hlo_arena_reset(&parser->temporary);
  }
  return true;
}

/* Infers the shape of an instruction that was written without one. */
static bool find_shape(hlo_text_parser *parser, const hlo_computation *computation, hlo_text_instruction *instruction) {
  hlo_reader *reader = &parser->reader;
  const hlo_instruction question = {.opcode = instruction->opcode,
                                    .index = computation->instruction_count,
                                    .name = "",
                                    .operand_count = instruction->operand_count,
                                    .operands = instruction->operands,
                                    .attribute_count = instruction->attribute_count,
                                    .attributes = instruction->attributes};
  if (waits(parser->module, computation, &question))
    return hlo_reader_fail_at(reader, instruction->opcode_at, HLO_PARSE,
                              "an instruction needs a shape when it calls a computation that comes later");
  instruction->shape = infer(parser, computation, &question);
  return instruction->shape || hlo_reader_locate(reader, instruction->opcode_at);
}

/* ---- The whole instruction ---- */

/* Returns the name as written; add.anon, or add.anon.N, for an instruction without a name. */
static const char *name_of(hlo_text_parser *parser, hlo_computation *computation, const hlo_text_instruction *instruction) {
  hlo_status *status = parser->reader.status;
  if (!instruction->is_nested) return hlo_arena_text(&parser->temporary, instruction->name.text, instruction->name.length, status);
  const char *stem = hlo_arena_format(&parser->temporary, status, "%s.anon", hlo_op_name(instruction->opcode));
  return stem ? hlo_computation_unique_name(parser->module, computation, stem, status) : NULL;
}

static bool add(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction) {
  if (!instruction->shape && !find_shape(parser, computation, instruction)) return false;
  hlo_reader *reader = &parser->reader;
  const char *name = name_of(parser, computation, instruction);
  hlo_instruction *added =
      name ? hlo_computation_add(parser->module, computation, instruction->opcode, name, instruction->shape, instruction->operands,
                                 instruction->operand_count, instruction->attributes, instruction->attribute_count, reader->status)
           : NULL;
  if (!added) return hlo_reader_locate(reader, instruction->where);
  added->line = instruction->line;
  return hlo_text_check_shape(parser, computation, added, instruction->where);
}

/* Reads the attributes behind the parentheses. An instruction in place of an operand has none: a comma behind it separates operands. */
static bool parse_attributes(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction,
                             hlo_text_attributes *attributes) {
  if (!instruction->is_nested && !hlo_text_read_attributes(parser, computation, instruction->opcode, HLO_OPCODE_COUNT, attributes, NULL))
    return false;
  instruction->attributes = attributes->items;
  instruction->attribute_count = attributes->count;
  return hlo_text_complete_attributes(parser, computation, instruction, attributes);
}

static bool find_opcode(hlo_text_parser *parser, hlo_text_instruction *instruction, hlo_opcode *wrapped) {
  hlo_span name = instruction->opcode_name;
  if (hlo_opcode_from_name(name, &instruction->opcode) || hlo_text_is_async_sugar(name, &instruction->opcode, wrapped)) return true;
  hlo_nearest_name nearest = {.name = name};
  hlo_op_offer_names(&nearest);
  return hlo_reader_fail_at(&parser->reader, instruction->opcode_at, HLO_UNKNOWN_OP, "there is no operation '%.*s'%s",
                            (int)(name.length < 100 ? name.length : 100), name.text, HLO_DID_YOU_MEAN(&nearest, ""));
}

bool hlo_text_parse_operation(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction) {
  hlo_opcode wrapped = HLO_OPCODE_COUNT;
  hlo_text_attributes *attributes = hlo_arena_new(&parser->temporary, hlo_text_attributes, parser->reader.status);
  if (!attributes || !find_opcode(parser, instruction, &wrapped) || !hlo_reader_expect(&parser->reader, "(")) return false;
  attributes->count = instruction->opcode == HLO_OP_PARAMETER || instruction->opcode == HLO_OP_CONSTANT;
  bool read = instruction->opcode == HLO_OP_PARAMETER  ? parse_parameter_number(parser, &attributes->items[0])
              : instruction->opcode == HLO_OP_CONSTANT ? parse_literal(parser, instruction, &attributes->items[0])
                                                       : hlo_text_parse_operands(parser, computation, instruction);
  if (!read) return false;
  read = wrapped == HLO_OPCODE_COUNT ? parse_attributes(parser, computation, instruction, attributes)
                                     : hlo_text_parse_async(parser, computation, instruction, wrapped, attributes);
  return read && add(parser, computation, instruction);
}

bool hlo_text_parse_instruction(hlo_text_parser *parser, hlo_computation *computation) {
  hlo_reader *reader = &parser->reader;
  hlo_text_instruction instruction = {0};
  hlo_reader_skip_space(reader);
  instruction.where = reader->cursor;
  instruction.line = hlo_text_line(parser, instruction.where);
  if (!hlo_text_name(parser, "an instruction", &instruction.name)) return false;
  int defined = hlo_computation_find(computation, instruction.name);
  if (defined >= 0)
    return hlo_reader_fail_at(reader, instruction.where, HLO_PARSE, "instruction '%s' is defined already, on line %d",
                              computation->instructions[defined]->name, computation->instructions[defined]->line);
  if (!hlo_reader_expect(reader, "=")) return false;
  if (hlo_text_at_shape(parser) && !(instruction.shape = hlo_shape_read(reader, &parser->module->arena))) return false;
  hlo_reader_skip_space(reader);
  instruction.opcode_at = reader->cursor;
  instruction.opcode_name = hlo_reader_name(reader);
  if (instruction.opcode_name.length == 0) return hlo_reader_fail(reader, "expected an operation, found %s", HLO_FOUND(reader));
  if (!hlo_text_parse_operation(parser, computation, &instruction)) return false;
  hlo_arena_reset(&parser->temporary);
  return true;
}
