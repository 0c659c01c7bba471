/* Reads operands: x, %x, f32[4]{0} %x. As XLA allows, an instruction without a name may be an operand: add(x, negate(y)) */
#include "base/list.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

static bool check_operand_shape(hlo_text_parser *parser, const char *where, const hlo_shape *given,
                                const hlo_instruction *operand) {
  if (!given || hlo_shape_compatible(given, operand->shape)) return true;
  return hlo_reader_fail_at(&parser->reader, where, HLO_SHAPE, "operand '%s' is %pS, not %pS", operand->name,
                            operand->shape, given);
}

/* Reads an instruction in place of an operand's name: a name is an opcode if a parenthesis follows. */
static bool parse_nested(hlo_text_parser *parser, hlo_computation *computation, const char *where, const hlo_shape *given,
                         hlo_span opcode_name, int *index) {
  hlo_text_instruction instruction = {.where = where,
                                      .line = hlo_text_line(parser, where),
                                      .opcode_at = opcode_name.text,
                                      .opcode_name = opcode_name,
                                      .is_nested = true};
  if (!hlo_reader_enter(&parser->reader)) return false;
  if (given) {
    instruction.shape = hlo_shape_copy(&parser->module->arena, given, parser->reader.status);
    if (!instruction.shape) return false;
  }
  if (!hlo_text_parse_operation(parser, computation, &instruction)) return false;
  hlo_reader_leave(&parser->reader);
  *index = computation->instruction_count - 1;
  return true;
}

static bool parse_operand(hlo_text_parser *parser, hlo_computation *computation, int *index) {
  hlo_reader *reader = &parser->reader;
  const hlo_shape *given = NULL;
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  if (hlo_text_at_shape(parser) && !(given = hlo_shape_read(reader, &parser->temporary))) return false;
  hlo_span name;
  if (!hlo_text_name(parser, "an operand", &name)) return false;
  if (hlo_reader_peek(reader) == '(') return parse_nested(parser, computation, where, given, name, index);
  *index = hlo_computation_find(computation, name);
  if (*index < 0) {
    hlo_nearest_name nearest = {.name = name};
    hlo_computation_offer_names(computation, &nearest);
    return hlo_reader_fail_at(reader, name.text, HLO_PARSE, "operand '%.*s' is not defined before this instruction%s",
                              (int)(name.length < 100 ? name.length : 100), name.text,
                              nearest.tied ? "" : HLO_DID_YOU_MEAN(&nearest, ""));
  }
  return check_operand_shape(parser, where, given, computation->instructions[*index]);
}

bool hlo_text_parse_operands(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction) {
  hlo_reader *reader = &parser->reader;
  int *operands = NULL, count = 0, capacity = 0;
  if (!hlo_reader_accept(reader, ")")) {
    do {
      int index;
      if (!parse_operand(parser, computation, &index) ||
          !hlo_list_grow(&parser->temporary, &operands, count, &capacity, sizeof index, reader->status))
        return false;
      operands[count++] = index;
    } while (hlo_reader_accept(reader, ","));
    if (!hlo_reader_accept(reader, ")"))
      return hlo_reader_fail(reader, "expected ',' or ')' after an operand, found %s", HLO_FOUND(reader));
  }
  instruction->operands = operands;
  instruction->operand_count = count;
  return true;
}

