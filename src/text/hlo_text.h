/* HLO text: reading and printing modules in XLA's form. */
#ifndef HLO_TEXT_HLO_TEXT_H
#define HLO_TEXT_HLO_TEXT_H

#include "verify/verify.h"

/* Reads a module and verifies it. NULL on failure; the status has code, line, column and a message with a caret.
 * Accepts what XLA prints in its short and long forms: with or without '%', operand shapes, types of computations,
 * comments, layouts. Nothing of `text` is referenced afterwards. */
hlo_module *hlo_text_parse(const char *text, size_t length, hlo_status *status);

/* Reads one attribute list ", name=value, ..." (as it stands after an instruction's operands; leading comma
 * optional) for the builder: names of computations resolve in `module`. */
bool hlo_text_parse_attributes(hlo_reader *reader, hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                               hlo_attribute **attributes, int *count);

/* Prints as XLA's as_hlo_text() does in JAX: short form, layouts, large constants printed in full. */
void hlo_text_write(hlo_writer *writer, const hlo_module *module);
/* One instruction, as it stands in a module: add.3 = f32[4]{0} add(x, y) */
void hlo_text_write_instruction(hlo_writer *writer, const hlo_module *module, const hlo_computation *computation,
                                const hlo_instruction *instruction);

#endif
