/* The state of parsing HLO text, shared by this folder's files and private to them.
 *
 * A first scan collects the names of all computations, so that they can be used before they are defined. The text is then
 * parsed from front to back. The shape of each instruction is checked as it is read, except that instructions which call a
 * computation not yet read wait until all computations are there. */
#ifndef HLO_TEXT_HLO_TEXT_PARSER_H
#define HLO_TEXT_HLO_TEXT_PARSER_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"

/* An instruction whose shape is checked at the end. */
typedef struct hlo_text_deferred {
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  const char *where;
} hlo_text_deferred;

typedef struct hlo_text_parser {
  hlo_reader reader;
  hlo_module *module;
  hlo_arena scratch;   /* lives as long as the parser */
  hlo_arena temporary; /* reset after each instruction */
  hlo_text_deferred *deferred;
  int deferred_count, deferred_capacity;
  const char *line_at; /* the place that `line` is the line of */
  int line;
  int last; /* index of the computation read last; -1: none yet */
  const char *entry_layout_at; /* NULL: none was given */
} hlo_text_parser;

/* Returns the line of a place. Places must be asked for in ascending order. */
int hlo_text_line(hlo_text_parser *parser, const char *where);
/* Reads a name, with or without '%'. Fails if there is none; `what` is what the message says was expected. */
bool hlo_text_name(hlo_text_parser *parser, const char *what, hlo_span *name);
/* Returns whether a shape is at the cursor: '(', or a name directly followed by '['. */
bool hlo_text_at_shape(hlo_text_parser *parser);

/* In module_header_parse.c: reads `HloModule name, field=value, ...` and the tables of stack frames behind it. */
bool hlo_text_parse_header(hlo_text_parser *parser);
bool hlo_text_check_entry_layout(hlo_text_parser *parser);

/* In computation_scan.c: adds an empty computation for every name that the rest of the text defines. */
bool hlo_text_scan_computations(hlo_text_parser *parser);

/* In computation_parse.c. */
bool hlo_text_parse_computation(hlo_text_parser *parser);
/* Reads a computation that an attribute has in place of a name: { x = f32[] parameter(0) ... } */
bool hlo_text_parse_in_place(hlo_text_parser *parser, int *index);

/* An instruction while it is parsed. */
typedef struct hlo_text_instruction {
  const char *where, *opcode_at;
  int line;
  bool is_nested; /* it stands in place of an operand, so it has no name and no attributes */
  hlo_span name, opcode_name;
  hlo_opcode opcode;
  const hlo_shape *shape; /* NULL: not given */
  const int *operands;
  int operand_count;
  hlo_attribute *attributes;
  int attribute_count;
} hlo_text_instruction;

/* In instruction_parse.c. */
bool hlo_text_parse_instruction(hlo_text_parser *parser, hlo_computation *computation);
/* Reads everything from the parenthesis after the opcode on, and adds the instruction. */
bool hlo_text_parse_operation(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction);
/* Checks the instruction's shape now, or defers the check. */
bool hlo_text_check_shape(hlo_text_parser *parser, const hlo_computation *computation, const hlo_instruction *instruction,
                          const char *where);
bool hlo_text_check_deferred(hlo_text_parser *parser);

/* In operands_parse.c: reads operands up to the closing parenthesis. */
bool hlo_text_parse_operands(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction);

/* In attributes_parse.c: reads the list behind an instruction. In an asynchronous op's short form, `wrapped` is the operation that it
 * wraps, whose attributes go to `inner`; otherwise it is HLO_OPCODE_COUNT. */
enum { HLO_TEXT_MAX_ATTRIBUTES = 40 };
typedef struct hlo_text_attributes {
  int count;
  hlo_attribute items[HLO_TEXT_MAX_ATTRIBUTES];
} hlo_text_attributes;
bool hlo_text_read_attributes(hlo_text_parser *parser, hlo_computation *computation, hlo_opcode opcode, hlo_opcode wrapped,
                              hlo_text_attributes *outer, hlo_text_attributes *inner);
/* Adds attributes that XLA's text may leave out: the dimensions of map and of a broadcast scalar, the one group of all replicas; and the dimensions of
 * a product of vectors or matrices, which texts of old leave out. */
bool hlo_text_complete_attributes(hlo_text_parser *parser, const hlo_computation *computation, hlo_text_instruction *instruction,
                                  hlo_text_attributes *attributes);

/* In async_parse.c: the short form `negate-start(x)` of async-start(x), calls=(a computation that negates); -update and -done alike. */
bool hlo_text_is_async_sugar(hlo_span opcode_name, hlo_opcode *async, hlo_opcode *wrapped);
bool hlo_text_parse_async(hlo_text_parser *parser, hlo_computation *computation, hlo_text_instruction *instruction,
                          hlo_opcode wrapped, hlo_text_attributes *outer);

/* In async_write.c: returns the wrapped instruction if an asynchronous op can be written in the short form; else NULL. */
const hlo_instruction *hlo_text_async_sugar(const hlo_module *module, const hlo_computation *computation,
                                            const hlo_instruction *instruction, hlo_status *status);
/* Sets hidden[i] if computation i is used only by ops in the short form, so that it is not printed. */
void hlo_text_find_hidden(const hlo_module *module, unsigned char *hidden, hlo_status *status);

/* In attribute_default.c: returns whether XLA leaves the attribute out because it has its default value. */
bool hlo_text_attribute_is_implied(const hlo_computation *computation, const hlo_instruction *instruction,
                                   const hlo_attribute *attribute);

#endif
