/* Structure: every index refers to a computation or instruction that exists, and operands come before their users. */
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "verify/verify_checks.h"

static bool check_computation_index(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i,
                                    hlo_attribute_id id, int64_t index) {
  if (index >= 0 && index < v->module->computation_count) return true;
  return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s names no computation of this module", hlo_attribute_name(id));
}

static bool check_attribute(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i,
                            const hlo_attribute *attribute) {
  hlo_attribute_kind kind = hlo_attribute_kind_of(attribute->id);
  if (kind == HLO_KIND_COMPUTATION) return check_computation_index(v, c, i, attribute->id, attribute->computation);
  if (kind == HLO_KIND_COMPUTATIONS)
    for (int n = 0; n < attribute->ints.count; n++)
      if (!check_computation_index(v, c, i, attribute->id, attribute->ints.data[n])) return false;
  if (kind == HLO_KIND_INSTRUCTIONS)
    for (int n = 0; n < attribute->ints.count; n++)
      if (attribute->ints.data[n] < 0 || attribute->ints.data[n] >= i->index)
        return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s must come before the instruction", hlo_attribute_name(attribute->id));
  return true;
}

static bool check_instruction(const hlo_verification *v, const hlo_computation *c, int index) {
  const hlo_instruction *i = c->instructions[index];
  if (i->index != index) return hlo_verify_fail(v, c, i, HLO_VERIFY, "it stands at place %d, not %d", index, i->index);
  if ((unsigned)i->opcode >= HLO_OPCODE_COUNT) return hlo_verify_fail(v, c, i, HLO_VERIFY, "it has no operation");
  if (!i->shape) return hlo_verify_fail(v, c, i, HLO_VERIFY, "it has no shape");
  for (int n = 0; n < i->operand_count; n++)
    if (i->operands[n] < 0 || i->operands[n] >= index)
      return hlo_verify_fail(v, c, i, HLO_VERIFY, "operand %d must come before the instruction", n);
  for (int n = 0; n < i->attribute_count; n++)
    if (!check_attribute(v, c, i, &i->attributes[n])) return false;
  return true;
}

/* Checks that parameters are numbered 0 to n-1, each number once. */
static bool check_parameters(const hlo_verification *v, const hlo_computation *c) {
  int found = 0;
  for (int i = 0; i < c->instruction_count; i++) found += c->instructions[i]->opcode == HLO_OP_PARAMETER;
  for (int n = 0; n < c->parameter_count; n++) {
    int place = c->parameters[n];
    const hlo_instruction *i = place >= 0 && place < c->instruction_count ? c->instructions[place] : NULL;
    if (!i || i->opcode != HLO_OP_PARAMETER || hlo_instruction_int(i, HLO_ATTR_parameter_number, -1) != n)
      return hlo_verify_fail(v, c, NULL, HLO_VERIFY, "parameters must be numbered 0 to %d without a gap, but there is no "
                                                     "parameter %d",
                             c->parameter_count - 1, n);
  }
  return found == c->parameter_count ||
         hlo_verify_fail(v, c, NULL, HLO_VERIFY, "it has %d parameter instructions for %d parameters", found,
                         c->parameter_count);
}

static bool check_computation(const hlo_verification *v, int index) {
  const hlo_computation *c = v->module->computations[index];
  if (c->instruction_count == 0) return hlo_verify_fail(v, c, NULL, HLO_VERIFY, "it has no instructions");
  if (c->root < 0 || c->root >= c->instruction_count) return hlo_verify_fail(v, c, NULL, HLO_VERIFY, "it has no root");
  for (int i = 0; i < c->instruction_count; i++)
    if (!check_instruction(v, c, i)) return false;
  return check_parameters(v, c);
}

bool hlo_check_structure(const hlo_verification *v) {
  const hlo_module *module = v->module;
  if (module->entry < 0 || module->entry >= module->computation_count)
    return hlo_fail(v->status, HLO_VERIFY, "module %s: it has no entry computation", module->name ? module->name : "");
  for (int i = 0; i < module->computation_count; i++)
    if (!check_computation(v, i)) return false;
  return true;
}
