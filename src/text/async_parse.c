/* Reads XLA's short form of asynchronous ops, in which the opcode names the wrapped operation:
 *
 *   start = ((f32[2]), f32[2], s32[]) negate-start(x)
 *   done = f32[2] negate-done(start)
 *
 * This means async-start and async-done of a computation that negates its parameter. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

static bool has_ending(hlo_span name, const char *ending, hlo_span *stem) {
  if (!hlo_span_ends(name, ending)) return false;
  *stem = (hlo_span){name.text, name.length - strlen(ending)};
  return true;
}

bool hlo_text_is_async_sugar(hlo_span name, hlo_opcode *async, hlo_opcode *wrapped) {
  hlo_span stem;
  if (has_ending(name, "-start", &stem)) *async = HLO_OP_ASYNC_START;
  else if (has_ending(name, "-update", &stem)) *async = HLO_OP_ASYNC_UPDATE;
  else if (has_ending(name, "-done", &stem)) *async = HLO_OP_ASYNC_DONE;
  else return false;
  return hlo_opcode_from_name(stem, wrapped) && *wrapped != HLO_OP_PARAMETER && *wrapped != HLO_OP_CONSTANT &&
         !hlo_op_has(*wrapped, HLO_FLAG_PAIR);
}

/* ---- The wrapped computation ---- */

static bool add_parameters(hlo_text_parser *parser, const hlo_computation *caller, const hlo_text_instruction *start,
                           hlo_computation *wrapper) {
  for (int i = 0; i < start->operand_count; i++) {
    const char *name = hlo_arena_format(&parser->temporary, parser->reader.status, "param_%d", i);
    const hlo_attribute number = {.id = HLO_ATTR_parameter_number, .integer = i};
    const hlo_shape *shape = caller->instructions[start->operands[i]]->shape;
    if (!name || !hlo_computation_add(parser->module, wrapper, HLO_OP_PARAMETER, name, shape, NULL, 0, &number, 1,
                                      parser->reader.status))
      return false;
  }
  return true;
}

static hlo_instruction *add_root(hlo_text_parser *parser, const hlo_text_instruction *start, hlo_opcode wrapped,
                                 const hlo_shape *shape, const hlo_text_attributes *attributes,
                                 hlo_computation *wrapper) {
  hlo_status *status = parser->reader.status;
  int *operands = hlo_arena_many(&parser->temporary, int, start->operand_count, status);
  if (!operands) return NULL;
  for (int i = 0; i < start->operand_count; i++) operands[i] = i;
  return hlo_computation_add(parser->module, wrapper, wrapped, hlo_op_name(wrapped), shape, operands, start->operand_count,
                             attributes->items, attributes->count, status);
}

/* Sets the execution thread of the wrapped computation, written as "thread" in quotes. */
static bool set_thread(hlo_text_parser *parser, hlo_computation *wrapper, const hlo_text_attributes *attributes) {
  for (int i = 0; i < attributes->count; i++) {
    const hlo_attribute *a = &attributes->items[i];
    if (a->id != HLO_ATTR_async_execution_thread) continue;
    hlo_writer quoted;
    hlo_writer_init(&quoted, parser->reader.status);
    hlo_write_quoted(&quoted, a->text.text, a->text.length);
    const char *text = hlo_arena_text(&parser->module->arena, quoted.text, quoted.length, parser->reader.status);
    wrapper->execution_thread = (hlo_span){text, quoted.length};
    hlo_writer_free(&quoted);
    if (!text) return false;
  }
  return true;
}

static hlo_computation *add_wrapper(hlo_text_parser *parser, const hlo_computation *caller, const hlo_text_instruction *start,
                                    hlo_opcode wrapped, const hlo_text_attributes *outer, const hlo_text_attributes *inner) {
  hlo_status *status = parser->reader.status;
  const char *name = hlo_module_unique_name(parser->module, "async_computation", status);
  hlo_computation *wrapper = name ? hlo_module_add_computation(parser->module, name, strlen(name), status) : NULL;
  if (!wrapper || !add_parameters(parser, caller, start, wrapper) || !set_thread(parser, wrapper, outer)) return NULL;
  const hlo_instruction *root = add_root(parser, start, wrapped, start->shape->elements[1], inner, wrapper);
  if (!root) return NULL;
  wrapper->line = start->line;
  for (int i = 0; i < wrapper->instruction_count; i++) wrapper->instructions[i]->line = wrapper->line;
  wrapper->root = root->index;
  return hlo_text_check_shape(parser, wrapper, root, start->where) ? wrapper : NULL;
}

/* ---- The instruction itself ---- */

static bool add_calls(hlo_text_parser *parser, const hlo_computation *caller, hlo_text_instruction *start, hlo_opcode wrapped,
                      hlo_text_attributes *outer, const hlo_text_attributes *inner) {
  const hlo_shape *shape = start->shape;
  if (!shape || !hlo_shape_is_tuple(shape) || shape->element_count < 2)
    return hlo_reader_fail_at(&parser->reader, start->opcode_at, HLO_SHAPE,
                              "the shape of %s-start must be a tuple of its operands, its result and what it keeps",
                              hlo_op_name(wrapped));
  hlo_computation *wrapper = add_wrapper(parser, caller, start, wrapped, outer, inner);
  if (!wrapper) return hlo_reader_locate(&parser->reader, start->where);
  outer->items[outer->count++] = (hlo_attribute){.id = HLO_ATTR_calls, .computation = wrapper->index};
  return true;
}

/* Checks that an update or done names the operation that was started. */
static bool check_started(hlo_text_parser *parser, const hlo_computation *caller, const hlo_text_instruction *instruction,
                          hlo_opcode wrapped) {
  if (instruction->operand_count != 1) return true; /* inference refuses this */
  int index = hlo_instruction_async_computation(caller, caller->instructions[instruction->operands[0]]);
  const hlo_computation *started = index < 0 ? NULL : parser->module->computations[index];
  if (started && (started->root < 0 || hlo_computation_root(started)->opcode == wrapped)) return true;
  return hlo_reader_fail_at(&parser->reader, instruction->opcode_at, HLO_SHAPE, "'%s' is not a started %s",
                            caller->instructions[instruction->operands[0]]->name, hlo_op_name(wrapped));
}

bool hlo_text_parse_async(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction,
                          hlo_opcode wrapped, hlo_text_attributes *outer) {
  hlo_text_attributes *inner = hlo_arena_new(&parser->temporary, hlo_text_attributes, parser->reader.status);
  if (!inner) return false;
  if (!instruction->is_nested &&
      !hlo_text_read_attributes(parser, computation, instruction->opcode, wrapped, outer, inner))
    return false;
  for (int i = 0; i < outer->count; i++)
    if (outer->items[i].id == HLO_ATTR_calls)
      return hlo_reader_fail_at(&parser->reader, instruction->opcode_at, HLO_PARSE, "calls= goes with %s, not with '%.*s'",
                                hlo_op_name(instruction->opcode), (int)instruction->opcode_name.length,
                                instruction->opcode_name.text);
  bool starts = instruction->opcode == HLO_OP_ASYNC_START;
  if (starts ? !add_calls(parser, computation, instruction, wrapped, outer, inner)
             : !check_started(parser, computation, instruction, wrapped))
    return false;
  instruction->attributes = outer->items;
  instruction->attribute_count = outer->count;
  return true;
}
