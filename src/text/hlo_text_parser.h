/* The reading of HLO text, shared by its files; private to this folder.
 *
 * First the names of all computations are collected, so that they may be referred to before they are defined.
 * Then the text is read from front to back. The shapes of instructions are checked as they come; those that call a
 * computation still to be read wait until all have been. */
#ifndef HLO_TEXT_HLO_TEXT_PARSER_H
#define HLO_TEXT_HLO_TEXT_PARSER_H

#include "text/hlo_text.h"

/* An instruction whose shape is still to be checked. */
typedef struct hlo_text_deferred {
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  const char *where;
} hlo_text_deferred;

typedef struct hlo_text_parser {
  hlo_reader reader;
  hlo_module *module;
  hlo_arena scratch;   /* lives as long as the parser */
  hlo_arena temporary; /* reset after every instruction */
  hlo_text_deferred *deferred;
  int deferred_count, deferred_capacity;
  const char *line_at; /* `line` is the line of this place */
  int line;
  int last; /* the computation read last; -1: none yet */
  const char *entry_layout_at; /* NULL: none was given */
} hlo_text_parser;

/* The line of a place at or after all that were asked for before. */
int hlo_text_line(hlo_text_parser *parser, const char *where);
/* A name, with or without '%'. Fails when there is none; `what` says what it would name. */
bool hlo_text_name(hlo_text_parser *parser, const char *what, hlo_span *name);
/* Whether a shape stands at the cursor: '(' or a name with '[' right behind it. */
bool hlo_text_at_shape(hlo_text_parser *parser);

/* module_header_parse.c: `HloModule name, field=value, ...` and the tables of stack frames behind it. */
bool hlo_text_parse_header(hlo_text_parser *parser);
bool hlo_text_check_entry_layout(hlo_text_parser *parser);

/* computation_scan.c: adds a computation for every name that the rest of the text defines, as far as it can be made out. */
bool hlo_text_scan_computations(hlo_text_parser *parser);

/* computation_parse.c */
bool hlo_text_parse_computation(hlo_text_parser *parser);

/* An instruction on its way. */
typedef struct hlo_text_instruction {
  const char *where, *opcode_at;
  int line;
  bool is_nested; /* it stands in place of an operand: no name, no attributes */
  hlo_span name, opcode_name;
  hlo_opcode opcode;
  const hlo_shape *shape; /* NULL: not given */
  const int *operands;
  int operand_count;
  hlo_attribute *attributes;
  int attribute_count;
} hlo_text_instruction;

/* instruction_parse.c */
bool hlo_text_parse_instruction(hlo_text_parser *parser, hlo_computation *computation);
/* From the parenthesis behind the operation's name on; the instruction is added. */
bool hlo_text_parse_operation(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction);
/* Checks the shape now, or notes that it must be checked. */
bool hlo_text_check_shape(hlo_text_parser *parser, const hlo_computation *computation, const hlo_instruction *instruction,
                          const char *where);
bool hlo_text_check_deferred(hlo_text_parser *parser);

/* operands_parse.c: up to the closing parenthesis. */
bool hlo_text_parse_operands(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction);

/* attributes_parse.c: the list behind an instruction. Where an op is wrapped in an asynchronous one, what belongs
 * to it goes to `inner`; otherwise `wrapped` is HLO_OPCODE_COUNT. */
enum { HLO_TEXT_MAX_ATTRIBUTES = 40 };
typedef struct hlo_text_attributes {
  int count;
  hlo_attribute items[HLO_TEXT_MAX_ATTRIBUTES];
} hlo_text_attributes;
bool hlo_text_read_attributes(hlo_reader *reader, hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                              hlo_opcode wrapped, hlo_text_attributes *outer, hlo_text_attributes *inner);
/* Adds what XLA takes for granted: the dimensions of map and of a broadcast scalar, the one group of all replicas. */
bool hlo_text_complete_attributes(hlo_text_parser *parser, const hlo_computation *computation, hlo_text_instruction *instruction,
                                  hlo_text_attributes *attributes);

/* async_parse.c: `negate-start(x)` for async-start(x), calls=(a computation that negates); -update and -done alike. */
bool hlo_text_is_async_sugar(hlo_span opcode_name, hlo_opcode *async, hlo_opcode *wrapped);
bool hlo_text_parse_async(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction,
                          hlo_opcode wrapped, hlo_text_attributes *outer);

/* async_write.c: the instruction that an asynchronous op stands for when it can be written as sugar; else NULL. */
const hlo_instruction *hlo_text_async_sugar(const hlo_module *module, const hlo_computation *computation,
                                            const hlo_instruction *instruction);
/* hidden[i]: whether computation i appears nowhere but in sugar. */
void hlo_text_find_hidden(const hlo_module *module, unsigned char *hidden);

/* attribute_default.c: whether XLA leaves the attribute out, because it says nothing. */
bool hlo_text_attribute_is_implied(const hlo_computation *computation, const hlo_instruction *instruction,
                                   const hlo_attribute *attribute);

#endif
