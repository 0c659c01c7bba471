/* HLO text: parses and prints modules in XLA's form. */
#ifndef HLO_TEXT_HLO_TEXT_H
#define HLO_TEXT_HLO_TEXT_H

#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"

/* Parses and verifies a module. Returns NULL on failure; the status has code, line, column and a message with a caret.
 * Accepts both the short and the long form that XLA prints: with or without '%', operand shapes, types of computations,
 * comments, layouts. Keeps no reference to `text`. */
hlo_module *hlo_text_parse(const char *text, size_t length, hlo_status *status);

/* Parses one attribute list for the builder, ", name=value, ...", as it stands after an instruction's operands (the first comma is
 * optional). Computations are found by name in `module`. */
bool hlo_text_parse_attributes(hlo_reader *reader, hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                               hlo_attribute **attributes, int *count);

/* Prints a module as JAX's as_hlo_text() does: short form, with layouts, large constants in full. */
void hlo_text_write(hlo_writer *writer, const hlo_module *module);
/* Prints one instruction as it stands in a module: add.3 = f32[4]{0} add(x, y) */
void hlo_text_write_instruction(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation,
                                const hlo_instruction *instruction);

#endif
