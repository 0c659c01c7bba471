/* Reads a list of attributes: , name=value, name=value */
#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"
#include "text/hlo_text.h"
#include "text/hlo_text_parser.h"

static bool unknown(hlo_reader *reader, hlo_span name, hlo_opcode opcode) {
  hlo_nearest_name nearest = {.name = name};
  hlo_op_offer_attributes(opcode, &nearest);
  return hlo_reader_fail_at(reader, name.text, HLO_PARSE, "%s has no attribute '%.*s'%s", hlo_op_name(opcode),
                            (int)(name.length < 100 ? name.length : 100), name.text, HLO_DID_YOU_MEAN(&nearest, ""));
}

static bool is_given(const hlo_text_attributes *attributes, hlo_attribute_id id) {
  for (int i = 0; i < attributes->count; i++)
    if (attributes->items[i].id == id) return true;
  return false;
}

/* The list that is being read. */
typedef struct attribute_reader {
  hlo_reader *reader;
  hlo_module *module;
  const hlo_name_scope *scope;
  hlo_opcode opcode, wrapped;
  hlo_text_attributes *outer, *inner;
} attribute_reader;

/* Finds the attribute of this name, and the list that takes it: the instruction's own, or that of the operation it wraps. */
static bool identify(const attribute_reader *in, hlo_span name, hlo_attribute_id *id, hlo_text_attributes **list) {
  *list = in->inner;
  if (in->wrapped != HLO_OPCODE_COUNT && hlo_op_attribute_from_name(in->wrapped, name, id) &&
      !hlo_attribute_is_common(*id))
    return true;
  *list = in->outer;
  if (hlo_op_attribute_from_name(in->opcode, name, id)) return true;
  return unknown(in->reader, name, in->wrapped != HLO_OPCODE_COUNT ? in->wrapped : in->opcode);
}

/* Reads name=value. */
static bool read_one(const attribute_reader *in) {
  hlo_reader *reader = in->reader;
  hlo_text_attributes *list;
  hlo_attribute_id id;
  hlo_span name = hlo_reader_name(reader);
  if (name.length == 0) return hlo_reader_fail(reader, "expected the name of an attribute, found %s", HLO_FOUND(reader));
  if (!identify(in, name, &id, &list)) return false;
  if (is_given(list, id))
    return hlo_reader_fail_at(reader, name.text, HLO_PARSE, "attribute '%s' is given twice", hlo_attribute_name(id));
  if (list->count == HLO_TEXT_MAX_ATTRIBUTES) return hlo_reader_fail_at(reader, name.text, HLO_LIMIT, "too many attributes");
  hlo_attribute *attribute = &list->items[list->count];
  *attribute = (hlo_attribute){.id = id};
  if (!hlo_reader_expect(reader, "=") || !hlo_attribute_read(reader, &in->module->arena, in->scope, attribute)) return false;
  list->count++;
  return true;
}

/* The names of a text, in which computations may stand in place of theirs. */
typedef struct text_scope {
  hlo_graph_scope graph; /* the first member: what finds names takes it for the whole */
  hlo_text_parser *parser;
} text_scope;

static bool in_place(void *context, int *index) { return hlo_text_parse_in_place(((text_scope *)context)->parser, index); }

bool hlo_text_read_attributes(hlo_text_parser *parser, hlo_computation *computation, hlo_opcode opcode, hlo_opcode wrapped,
                              hlo_text_attributes *outer, hlo_text_attributes *inner) {
  text_scope storage = {{parser->module, computation}, parser};
  hlo_name_scope scope = hlo_graph_name_scope(&storage.graph);
  scope.in_place = in_place;
  const attribute_reader in = {&parser->reader, parser->module, &scope, opcode, wrapped, outer, inner};
  while (hlo_reader_accept(&parser->reader, ","))
    if (!read_one(&in)) return false;
  return true;
}

bool hlo_text_parse_attributes(hlo_reader *reader, hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                               hlo_attribute **attributes, int *count) {
  hlo_text_attributes list = {0};
  hlo_graph_scope storage = {module, computation};
  const hlo_name_scope scope = hlo_graph_name_scope(&storage);
  const attribute_reader in = {reader, module, &scope, opcode, HLO_OPCODE_COUNT, &list, NULL};
  bool more = hlo_reader_accept(reader, ",") || !hlo_reader_at_end(reader);
  while (more) {
    if (!read_one(&in)) return false;
    more = hlo_reader_accept(reader, ",");
  }
  *attributes = hlo_arena_copy(&module->arena, list.items, (size_t)list.count * sizeof *list.items, reader->status);
  *count = list.count;
  return *attributes && hlo_ok(reader->status);
}

/* ---- Attributes that may be left out ---- */

/* Makes the list 0, 1, ..., count - 1. */
static hlo_ints count_up(hlo_text_parser *parser, int count) {
  int64_t *data = hlo_arena_many(&parser->module->arena, int64_t, count, parser->reader.status);
  for (int i = 0; data && i < count; i++) data[i] = i;
  return (hlo_ints){data, count};
}

static bool takes(hlo_opcode opcode, hlo_attribute_id id) {
  const hlo_op_info *op = hlo_op(opcode);
  for (int i = 0; i < op->attribute_count; i++)
    if (op->attributes[i].id == id) return true;
  return false;
}

/* A dot without dimensions is an outer product in XLA; in older texts it adds up the products along the last dimension of lhs and the first of rhs:
 * the declared shape tells. */
static void complete_dot(const hlo_computation *computation, hlo_text_instruction *instruction, hlo_text_attributes *attributes) {
  static const hlo_attribute_id dims[] = {HLO_ATTR_lhs_contracting_dims, HLO_ATTR_rhs_contracting_dims, HLO_ATTR_lhs_batch_dims, HLO_ATTR_rhs_batch_dims};
  static const int64_t places[] = {0, 1};
  for (int i = 0; i < 4; i++)
    if (is_given(attributes, dims[i])) return;
  if (!instruction->shape || instruction->operand_count != 2) return;
  const hlo_shape *lhs = computation->instructions[instruction->operands[0]]->shape, *rhs = computation->instructions[instruction->operands[1]]->shape;
  bool fits = lhs->rank && lhs->rank <= 2 && rhs->rank && rhs->rank <= 2 && instruction->shape->rank == lhs->rank + rhs->rank - 2;
  if (!fits) return;
  hlo_attribute *next = &attributes->items[attributes->count];
  next[0] = (hlo_attribute){.id = HLO_ATTR_lhs_contracting_dims, .ints = {places + lhs->rank - 1, 1}};
  next[1] = (hlo_attribute){.id = HLO_ATTR_rhs_contracting_dims, .ints = {places, 1}};
  instruction->attribute_count = attributes->count += 2;
}

bool hlo_text_complete_attributes(hlo_text_parser *parser, const hlo_computation *computation, hlo_text_instruction *instruction,
                                  hlo_text_attributes *attributes) {
  static const hlo_groups no_groups = {0};
  hlo_opcode opcode = instruction->opcode;
  const hlo_shape *operand = instruction->operand_count ? computation->instructions[instruction->operands[0]]->shape : NULL;
  hlo_attribute *next = &attributes->items[attributes->count];
  if (opcode == HLO_OP_DOT) complete_dot(computation, instruction, attributes);
  bool dimensions = operand && hlo_shape_is_array(operand) && !is_given(attributes, HLO_ATTR_dimensions) &&
                    (opcode == HLO_OP_MAP || (opcode == HLO_OP_BROADCAST && operand->rank == 0));
  if (dimensions) *next = (hlo_attribute){.id = HLO_ATTR_dimensions, .ints = count_up(parser, operand->rank)};
  else if (takes(opcode, HLO_ATTR_replica_groups) && !is_given(attributes, HLO_ATTR_replica_groups))
    *next = (hlo_attribute){.id = HLO_ATTR_replica_groups, .groups = &no_groups};
  else return true;
  instruction->attribute_count = ++attributes->count;
  return hlo_ok(parser->reader.status);
}
