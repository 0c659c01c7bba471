/* Decides which asynchronous ops are written in the short form that XLA uses, with the wrapped operation in the opcode. See
 * async_parse.c. */
#include <string.h>

#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

static bool only_number(const hlo_instruction *instruction) {
  return instruction->opcode == HLO_OP_PARAMETER && instruction->attribute_count == 1;
}

/* Returns the root if the computation only applies one op to its parameters in order. */
static const hlo_instruction *single_op(const hlo_computation *c) {
  if (c->root < 0 || c->root != c->parameter_count || c->instruction_count != c->parameter_count + 1) return NULL;
  const hlo_instruction *root = hlo_computation_root(c);
  if (root->operand_count != c->parameter_count) return NULL;
  for (int i = 0; i < root->operand_count; i++)
    if (root->operands[i] != c->parameters[i] || !only_number(hlo_operand(c, root, i))) return NULL;
  for (int i = 0; i < root->attribute_count; i++)
    if (hlo_attribute_is_common(root->attributes[i].id)) return NULL;
  return root;
}

/* Returns whether the name with its ending (negate-start) can be read back: it must not be an opcode itself. */
static bool name_is_free(const hlo_instruction *root) {
  char name[64];
  hlo_opcode async, wrapped;
  int length = hlo_format(name, sizeof name, "%s-start", hlo_op_name(root->opcode));
  hlo_span span = {name, (size_t)length};
  return length < (int)sizeof name && !hlo_opcode_from_name(span, &async) && hlo_text_is_async_sugar(span, &async, &wrapped);
}

/* Returns whether the computation runs on the thread that the start names: the short form has only one place for it. */
static bool same_thread(const hlo_computation *c, const hlo_instruction *start, hlo_status *status) {
  const hlo_attribute *asked = hlo_instruction_attribute(start, HLO_ATTR_async_execution_thread);
  hlo_span thread = c->execution_thread;
  if (thread.length == 0) return true;
  if (!asked) return false;
  hlo_writer quoted;
  hlo_writer_init(&quoted, status);
  hlo_write_quoted(&quoted, asked->text.text, asked->text.length);
  bool same = quoted.text && thread.length == quoted.length && memcmp(thread.text, quoted.text, thread.length) == 0;
  hlo_writer_free(&quoted);
  return same;
}

/* The reader takes operand and result shapes from a start's own shape, ((operands), result, ...): returns whether it has them. */
static bool shape_tells(const hlo_instruction *start, const hlo_instruction *root) {
  return hlo_shape_is_tuple(start->shape) && start->shape->element_count >= 2 &&
         hlo_shape_equal(start->shape->elements[1], root->shape);
}

static const hlo_instruction *sugar_of_start(const hlo_module *module, const hlo_instruction *start, hlo_status *status) {
  const hlo_computation *called = hlo_instruction_computation(module, start, HLO_ATTR_calls);
  const hlo_instruction *root = called ? single_op(called) : NULL;
  if (!root || root->operand_count != start->operand_count || !name_is_free(root)) return NULL;
  if (hlo_instruction_attribute(start, HLO_ATTR_output_to_operand_aliasing)) return NULL;
  return same_thread(called, start, status) && shape_tells(start, root) ? root : NULL;
}

const hlo_instruction *hlo_text_async_sugar(const hlo_module *module, const hlo_computation *computation,
                                            const hlo_instruction *instruction, hlo_status *status) {
  while (instruction->opcode == HLO_OP_ASYNC_UPDATE || instruction->opcode == HLO_OP_ASYNC_DONE) {
    if (instruction->operand_count != 1) return NULL;
    instruction = hlo_operand(computation, instruction, 0);
  }
  return instruction->opcode == HLO_OP_ASYNC_START ? sugar_of_start(module, instruction, status) : NULL;
}

/* ---- Computations that need not be written, because the short form says what they do ---- */

enum { IN_SUGAR = 1, ELSEWHERE = 2 };

void hlo_text_find_hidden(const hlo_module *module, unsigned char *hidden, hlo_status *status) {
  unsigned char *uses = hidden;
  memset(uses, 0, (size_t)module->computation_count);
  for (int i = 0; i < module->computation_count; i++) {
    const hlo_computation *c = module->computations[i];
    for (int k = 0; k < c->instruction_count; k++) {
      const hlo_instruction *instruction = c->instructions[k];
      unsigned char how = hlo_text_async_sugar(module, c, instruction, status) ? IN_SUGAR : ELSEWHERE;
      for (int n = 0, called; hlo_instruction_call(instruction, n, &called); n++) uses[called] |= how;
    }
  }
  for (int i = 0; i < module->computation_count; i++) hidden[i] = uses[i] == IN_SUGAR && i != module->entry;
}
