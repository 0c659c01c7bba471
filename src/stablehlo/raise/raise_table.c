/* The table of rules that raise operations, with the operation that each raises to; for ops without an equivalent, the reason. */
#include "base/status.h"
#include "graph/opcode.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/raise/raise.h"

/* Ops that are not raised by operation_table.def and forms.def alone. A row without a name takes that of operation_table.def, if any. */
static const struct raising_row {
  hlo_raise_rule *rule;
  const char *name;
  uint8_t opcode;
} rows[] = {
    {hlo_raise_no_equal, "StableHLO has no conversion that rounds by given bits", HLO_OP_STOCHASTIC_CONVERT},
    {hlo_raise_convert, NULL, HLO_OP_CONVERT},
    {hlo_raise_uniform_quantize, NULL, HLO_OP_UNIFORM_QUANTIZE},
    {hlo_raise_uniform_dequantize, NULL, HLO_OP_UNIFORM_DEQUANTIZE},
    {hlo_raise_constant, NULL, HLO_OP_CONSTANT},
    {hlo_raise_rng, NULL, HLO_OP_RNG},
    {hlo_raise_rng_bit_generator, NULL, HLO_OP_RNG_BIT_GENERATOR},
    {hlo_raise_no_equal, "StableHLO has no generator with a state of its own; rng-bit-generator takes and gives one",
     HLO_OP_RNG_GET_AND_UPDATE_STATE},
    {hlo_raise_dynamic_reshape, "stablehlo.dynamic_reshape", HLO_OP_DYNAMIC_RESHAPE},
    {hlo_raise_dynamic_slice, NULL, HLO_OP_DYNAMIC_SLICE},
    {hlo_raise_identity, NULL, HLO_OP_COPY},
    {hlo_raise_bitcast, NULL, HLO_OP_BITCAST},
    {hlo_raise_formed, "stablehlo.reduce", HLO_OP_REDUCE},
    {hlo_raise_windowed, NULL, HLO_OP_REDUCE_WINDOW},
    {hlo_raise_windowed, NULL, HLO_OP_SELECT_AND_SCATTER},
    {hlo_raise_top_k, NULL, HLO_OP_TOPK},
    {hlo_raise_tuple, NULL, HLO_OP_TUPLE},
    {hlo_raise_get_tuple_element, NULL, HLO_OP_GET_TUPLE_ELEMENT},
    {hlo_raise_after_all, NULL, HLO_OP_AFTER_ALL},
    {hlo_raise_add_dependency, "stablehlo.optimization_barrier", HLO_OP_ADD_DEPENDENCY},
    {hlo_raise_identity, NULL, HLO_OP_DOMAIN},
    {hlo_raise_call_op, "func.call", HLO_OP_CALL},
    {hlo_raise_while, NULL, HLO_OP_WHILE},
    {hlo_raise_conditional, NULL, HLO_OP_CONDITIONAL},
    {hlo_raise_call_op, "func.call", HLO_OP_FUSION},
    {hlo_raise_async_start, NULL, HLO_OP_ASYNC_START},
    {hlo_raise_done, NULL, HLO_OP_ASYNC_UPDATE},
    {hlo_raise_done, NULL, HLO_OP_ASYNC_DONE},
    {hlo_raise_custom_call, NULL, HLO_OP_CUSTOM_CALL},
    {hlo_raise_each, NULL, HLO_OP_REDUCE_SCATTER},
    {hlo_raise_all_to_all, NULL, HLO_OP_ALL_TO_ALL},
    {hlo_raise_ragged_all_to_all, "stablehlo.custom_call", HLO_OP_RAGGED_ALL_TO_ALL},
    {hlo_raise_each, NULL, HLO_OP_COLLECTIVE_PERMUTE},
    {hlo_raise_each, NULL, HLO_OP_COLLECTIVE_BROADCAST},
    {hlo_raise_formed, "stablehlo.all_gather", HLO_OP_ALL_GATHER_START},
    {hlo_raise_done, NULL, HLO_OP_ALL_GATHER_DONE},
    {hlo_raise_formed, "stablehlo.all_reduce", HLO_OP_ALL_REDUCE_START},
    {hlo_raise_done, NULL, HLO_OP_ALL_REDUCE_DONE},
    {hlo_raise_each, "stablehlo.collective_permute", HLO_OP_COLLECTIVE_PERMUTE_START},
    {hlo_raise_done, NULL, HLO_OP_COLLECTIVE_PERMUTE_DONE},
    {hlo_raise_copy_start, NULL, HLO_OP_COPY_START},
    {hlo_raise_done, NULL, HLO_OP_COPY_DONE},
    {hlo_raise_feed, NULL, HLO_OP_INFEED},
    {hlo_raise_feed, NULL, HLO_OP_OUTFEED},
    {hlo_raise_send, NULL, HLO_OP_SEND},
    {hlo_raise_done, NULL, HLO_OP_SEND_DONE},
    {hlo_raise_recv, NULL, HLO_OP_RECV},
    {hlo_raise_done, NULL, HLO_OP_RECV_DONE},
};

/* Finds the rule and the name; false if the op cannot be raised to anything. */
static bool find_row(hlo_opcode opcode, struct raising_row *found) {
  *found = (struct raising_row){hlo_raise_formed, NULL, 0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].opcode == opcode) *found = rows[i];
  if (!found->name) found->name = hlo_form_operation_name(opcode);
  return found->name || found->rule != hlo_raise_formed;
}

const char *hlo_raise_refusal(hlo_opcode opcode) {
  struct raising_row row;
  return find_row(opcode, &row) && row.rule == hlo_raise_no_equal ? row.name : NULL;
}

bool hlo_raise_instruction(const hlo_raise_call *c) {
  struct raising_row row;
  if (!find_row(c->instruction->opcode, &row)) return hlo_raise_refuse(c, "StableHLO has no such operation");
  hlo_raise_call named = *c;
  named.name = row.name;
  if (row.rule(&named) && hlo_ok(c->r->status)) return true;
  if (hlo_ok(c->r->status)) return hlo_raise_refuse(c, "raising failed without a reason");
  return false;
}
