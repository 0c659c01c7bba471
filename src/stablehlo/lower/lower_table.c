/* Which rule lowers which operation. */
#include "base/format.h"
#include "stablehlo/lower/lower.h"

#include <stdarg.h>

typedef struct lowering_row {
  const char *name;
  hlo_opcode opcode;
  hlo_lower_rule *rule;
} lowering_row;

/* Ops whose operands and results are those of the HLO op, and whose attributes are rows of forms.def, are `formed`. */
static const lowering_row rows[] = {
    {"stablehlo.abs", HLO_OP_ABS, hlo_lower_formed},
    {"stablehlo.add", HLO_OP_ADD, hlo_lower_formed},
    {"stablehlo.after_all", HLO_OP_AFTER_ALL, hlo_lower_formed},
    {"stablehlo.all_gather", HLO_OP_ALL_GATHER, hlo_lower_formed},
    {"stablehlo.all_reduce", HLO_OP_ALL_REDUCE, hlo_lower_formed},
    {"stablehlo.all_to_all", HLO_OP_ALL_TO_ALL, hlo_lower_all_to_all},
    {"stablehlo.and", HLO_OP_AND, hlo_lower_formed},
    {"stablehlo.async_done", HLO_OP_ASYNC_DONE, hlo_lower_async_done},
    {"stablehlo.async_start", HLO_OP_ASYNC_START, hlo_lower_async_start},
    {"stablehlo.atan2", HLO_OP_ATAN2, hlo_lower_formed},
    {"stablehlo.batch_norm_grad", HLO_OP_BATCH_NORM_GRAD, hlo_lower_formed},
    {"stablehlo.batch_norm_inference", HLO_OP_BATCH_NORM_INFERENCE, hlo_lower_formed},
    {"stablehlo.batch_norm_training", HLO_OP_BATCH_NORM_TRAINING, hlo_lower_formed},
    {"stablehlo.bitcast_convert", HLO_OP_BITCAST_CONVERT, hlo_lower_formed},
    {"stablehlo.broadcast", HLO_OP_BROADCAST, hlo_lower_broadcast},
    {"stablehlo.broadcast_in_dim", HLO_OP_BROADCAST, hlo_lower_broadcast_in_dim},
    {"stablehlo.case", HLO_OP_CONDITIONAL, hlo_lower_case},
    {"stablehlo.cbrt", HLO_OP_CBRT, hlo_lower_formed},
    {"stablehlo.ceil", HLO_OP_CEIL, hlo_lower_formed},
    {"stablehlo.cholesky", HLO_OP_CHOLESKY, hlo_lower_formed},
    {"stablehlo.clamp", HLO_OP_CLAMP, hlo_lower_formed},
    {"stablehlo.collective_broadcast", HLO_OP_COLLECTIVE_BROADCAST, hlo_lower_collective_broadcast},
    {"stablehlo.collective_permute", HLO_OP_COLLECTIVE_PERMUTE, hlo_lower_formed},
    {"stablehlo.collective_reduce", HLO_OP_ALL_REDUCE, hlo_lower_collective_reduce},
    {"stablehlo.compare", HLO_OP_COMPARE, hlo_lower_formed},
    {"stablehlo.complex", HLO_OP_COMPLEX, hlo_lower_formed},
    {"stablehlo.composite", HLO_OP_CALL, hlo_lower_composite},
    {"stablehlo.concatenate", HLO_OP_CONCATENATE, hlo_lower_formed},
    {"stablehlo.constant", HLO_OP_CONSTANT, hlo_lower_constant},
    {"stablehlo.convert", HLO_OP_CONVERT, hlo_lower_formed},
    {"stablehlo.convolution", HLO_OP_CONVOLUTION, hlo_lower_formed},
    {"stablehlo.cosine", HLO_OP_COSINE, hlo_lower_formed},
    {"stablehlo.count_leading_zeros", HLO_OP_COUNT_LEADING_ZEROS, hlo_lower_formed},
    {"stablehlo.create_token", HLO_OP_AFTER_ALL, hlo_lower_formed},
    {"stablehlo.cross-replica-sum", HLO_OP_ALL_REDUCE, hlo_lower_formed},
    {"stablehlo.custom_call", HLO_OP_CUSTOM_CALL, hlo_lower_custom_call},
    {"stablehlo.divide", HLO_OP_DIVIDE, hlo_lower_formed},
    {"stablehlo.dot", HLO_OP_DOT, hlo_lower_dot},
    {"stablehlo.dot_general", HLO_OP_DOT, hlo_lower_formed},
    {"stablehlo.dynamic_broadcast_in_dim", HLO_OP_BROADCAST, hlo_lower_dynamic_broadcast_in_dim},
    {"stablehlo.dynamic_conv", HLO_OP_CONVOLUTION, hlo_lower_dynamic_conv},
    {"stablehlo.dynamic_gather", HLO_OP_GATHER, hlo_lower_dynamic_gather},
    {"stablehlo.dynamic_iota", HLO_OP_IOTA, hlo_lower_dynamic_iota},
    {"stablehlo.dynamic_pad", HLO_OP_PAD, hlo_lower_dynamic_pad},
    {"stablehlo.dynamic_reshape", HLO_OP_RESHAPE, hlo_lower_dynamic_reshape},
    {"stablehlo.dynamic_slice", HLO_OP_DYNAMIC_SLICE, hlo_lower_formed},
    {"stablehlo.dynamic_update_slice", HLO_OP_DYNAMIC_UPDATE_SLICE, hlo_lower_formed},
    {"stablehlo.einsum", HLO_OP_DOT, hlo_lower_einsum},
    {"stablehlo.exponential", HLO_OP_EXPONENTIAL, hlo_lower_formed},
    {"stablehlo.exponential_minus_one", HLO_OP_EXPONENTIAL_MINUS_ONE, hlo_lower_formed},
    {"stablehlo.fft", HLO_OP_FFT, hlo_lower_formed},
    {"stablehlo.floor", HLO_OP_FLOOR, hlo_lower_formed},
    {"stablehlo.gather", HLO_OP_GATHER, hlo_lower_formed},
    {"stablehlo.get_dimension_size", HLO_OP_GET_DIMENSION_SIZE, hlo_lower_dimension_size},
    {"stablehlo.get_tuple_element", HLO_OP_GET_TUPLE_ELEMENT, hlo_lower_get_tuple_element},
    {"stablehlo.if", HLO_OP_CONDITIONAL, hlo_lower_if},
    {"stablehlo.imag", HLO_OP_IMAG, hlo_lower_formed},
    {"stablehlo.infeed", HLO_OP_INFEED, hlo_lower_infeed},
    {"stablehlo.iota", HLO_OP_IOTA, hlo_lower_formed},
    {"stablehlo.is_finite", HLO_OP_IS_FINITE, hlo_lower_formed},
    {"stablehlo.log", HLO_OP_LOG, hlo_lower_formed},
    {"stablehlo.log_plus_one", HLO_OP_LOG_PLUS_ONE, hlo_lower_formed},
    {"stablehlo.logistic", HLO_OP_LOGISTIC, hlo_lower_formed},
    {"stablehlo.map", HLO_OP_MAP, hlo_lower_formed},
    {"stablehlo.maximum", HLO_OP_MAXIMUM, hlo_lower_formed},
    {"stablehlo.minimum", HLO_OP_MINIMUM, hlo_lower_formed},
    {"stablehlo.multiply", HLO_OP_MULTIPLY, hlo_lower_formed},
    {"stablehlo.negate", HLO_OP_NEGATE, hlo_lower_formed},
    {"stablehlo.not", HLO_OP_NOT, hlo_lower_formed},
    {"stablehlo.optimization_barrier", HLO_OP_OPT_BARRIER, hlo_lower_barrier},
    {"stablehlo.or", HLO_OP_OR, hlo_lower_formed},
    {"stablehlo.outfeed", HLO_OP_OUTFEED, hlo_lower_outfeed},
    {"stablehlo.pad", HLO_OP_PAD, hlo_lower_formed},
    {"stablehlo.partition_id", HLO_OP_PARTITION_ID, hlo_lower_formed},
    {"stablehlo.popcnt", HLO_OP_POPCNT, hlo_lower_formed},
    {"stablehlo.power", HLO_OP_POWER, hlo_lower_formed},
    {"stablehlo.real", HLO_OP_REAL, hlo_lower_formed},
    {"stablehlo.real_dynamic_slice", HLO_OP_DYNAMIC_SLICE, hlo_lower_real_dynamic_slice},
    {"stablehlo.recv", HLO_OP_RECV, hlo_lower_recv},
    {"stablehlo.reduce", HLO_OP_REDUCE, hlo_lower_formed},
    {"stablehlo.reduce_precision", HLO_OP_REDUCE_PRECISION, hlo_lower_formed},
    {"stablehlo.reduce_scatter", HLO_OP_REDUCE_SCATTER, hlo_lower_formed},
    {"stablehlo.reduce_window", HLO_OP_REDUCE_WINDOW, hlo_lower_formed},
    {"stablehlo.remainder", HLO_OP_REMAINDER, hlo_lower_formed},
    {"stablehlo.replica_id", HLO_OP_REPLICA_ID, hlo_lower_formed},
    {"stablehlo.reshape", HLO_OP_RESHAPE, hlo_lower_formed},
    {"stablehlo.reverse", HLO_OP_REVERSE, hlo_lower_formed},
    {"stablehlo.rng", HLO_OP_RNG, hlo_lower_rng},
    {"stablehlo.rng_bit_generator", HLO_OP_RNG_BIT_GENERATOR, hlo_lower_formed},
    {"stablehlo.round_nearest_afz", HLO_OP_ROUND_NEAREST_AFZ, hlo_lower_formed},
    {"stablehlo.round_nearest_even", HLO_OP_ROUND_NEAREST_EVEN, hlo_lower_formed},
    {"stablehlo.rsqrt", HLO_OP_RSQRT, hlo_lower_formed},
    {"stablehlo.scatter", HLO_OP_SCATTER, hlo_lower_formed},
    {"stablehlo.select", HLO_OP_SELECT, hlo_lower_formed},
    {"stablehlo.select_and_scatter", HLO_OP_SELECT_AND_SCATTER, hlo_lower_formed},
    {"stablehlo.send", HLO_OP_SEND, hlo_lower_send},
    {"stablehlo.set_dimension_size", HLO_OP_SET_DIMENSION_SIZE, hlo_lower_dimension_size},
    {"stablehlo.shift_left", HLO_OP_SHIFT_LEFT, hlo_lower_formed},
    {"stablehlo.shift_right_arithmetic", HLO_OP_SHIFT_RIGHT_ARITHMETIC, hlo_lower_formed},
    {"stablehlo.shift_right_logical", HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_lower_formed},
    {"stablehlo.sign", HLO_OP_SIGN, hlo_lower_formed},
    {"stablehlo.sine", HLO_OP_SINE, hlo_lower_formed},
    {"stablehlo.slice", HLO_OP_SLICE, hlo_lower_formed},
    {"stablehlo.sort", HLO_OP_SORT, hlo_lower_formed},
    {"stablehlo.sqrt", HLO_OP_SQRT, hlo_lower_formed},
    {"stablehlo.subtract", HLO_OP_SUBTRACT, hlo_lower_formed},
    {"stablehlo.tan", HLO_OP_TAN, hlo_lower_formed},
    {"stablehlo.tanh", HLO_OP_TANH, hlo_lower_formed},
    {"stablehlo.torch_index_select", HLO_OP_GATHER, hlo_lower_torch_index_select},
    {"stablehlo.transpose", HLO_OP_TRANSPOSE, hlo_lower_formed},
    {"stablehlo.triangular_solve", HLO_OP_TRIANGULAR_SOLVE, hlo_lower_formed},
    {"stablehlo.tuple", HLO_OP_TUPLE, hlo_lower_tuple_op},
    {"stablehlo.unary_einsum", HLO_OP_REDUCE, hlo_lower_unary_einsum},
    {"stablehlo.uniform_dequantize", HLO_OP_UNIFORM_DEQUANTIZE, hlo_lower_identity},
    {"stablehlo.uniform_quantize", HLO_OP_UNIFORM_QUANTIZE, hlo_lower_identity},
    {"stablehlo.while", HLO_OP_WHILE, hlo_lower_while},
    {"stablehlo.xor", HLO_OP_XOR, hlo_lower_formed},
    {"chlo._asin_acos_kernel", HLO_OP_ASIN_ACOS_KERNEL, hlo_lower_formed},
    {"chlo.acos", HLO_OP_ACOS, hlo_lower_formed},
    {"chlo.acosh", HLO_OP_ACOSH, hlo_lower_formed},
    {"chlo.asin", HLO_OP_ASIN, hlo_lower_formed},
    {"chlo.asin_acos_kernel", HLO_OP_ASIN_ACOS_KERNEL, hlo_lower_formed},
    {"chlo.asinh", HLO_OP_ASINH, hlo_lower_formed},
    {"chlo.atan", HLO_OP_ATAN, hlo_lower_formed},
    {"chlo.atanh", HLO_OP_ATANH, hlo_lower_formed},
    {"chlo.bessel_i1e", HLO_OP_BESSEL_I1E, hlo_lower_formed},
    {"chlo.broadcast_add", HLO_OP_ADD, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_and", HLO_OP_AND, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_atan2", HLO_OP_ATAN2, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_compare", HLO_OP_COMPARE, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_complex", HLO_OP_COMPLEX, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_divide", HLO_OP_DIVIDE, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_maximum", HLO_OP_MAXIMUM, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_minimum", HLO_OP_MINIMUM, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_multiply", HLO_OP_MULTIPLY, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_next_after", HLO_OP_NEXT_AFTER, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_or", HLO_OP_OR, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_polygamma", HLO_OP_POLYGAMMA, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_power", HLO_OP_POWER, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_remainder", HLO_OP_REMAINDER, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_select", HLO_OP_SELECT, hlo_lower_chlo_select},
    {"chlo.broadcast_shift_left", HLO_OP_SHIFT_LEFT, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_shift_right_arithmetic", HLO_OP_SHIFT_RIGHT_ARITHMETIC, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_shift_right_logical", HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_subtract", HLO_OP_SUBTRACT, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_xor", HLO_OP_XOR, hlo_lower_chlo_broadcast},
    {"chlo.broadcast_zeta", HLO_OP_ZETA, hlo_lower_chlo_broadcast},
    {"chlo.conj", HLO_OP_COMPLEX, hlo_lower_conj},
    {"chlo.constant", HLO_OP_CONSTANT, hlo_lower_constant},
    {"chlo.constant_like", HLO_OP_CONSTANT, hlo_lower_constant_like},
    {"chlo.cosh", HLO_OP_COSH, hlo_lower_formed},
    {"chlo.digamma", HLO_OP_DIGAMMA, hlo_lower_formed},
    {"chlo.dynamic_reshape", HLO_OP_RESHAPE, hlo_lower_dynamic_reshape},
    {"chlo.erf", HLO_OP_ERF, hlo_lower_formed},
    {"chlo.erf_inv", HLO_OP_ERF_INV, hlo_lower_formed},
    {"chlo.erfc", HLO_OP_ERFC, hlo_lower_formed},
    {"chlo.is_inf", HLO_OP_COMPARE, hlo_lower_is_inf},
    {"chlo.is_neg_inf", HLO_OP_COMPARE, hlo_lower_is_neg_inf},
    {"chlo.is_pos_inf", HLO_OP_COMPARE, hlo_lower_is_pos_inf},
    {"chlo.lgamma", HLO_OP_LGAMMA, hlo_lower_formed},
    {"chlo.mulhi", HLO_OP_MULTIPLY_HIGH, hlo_lower_formed},
    {"chlo.next_after", HLO_OP_NEXT_AFTER, hlo_lower_formed},
    {"chlo.polygamma", HLO_OP_POLYGAMMA, hlo_lower_formed},
    {"chlo.ragged_dot", HLO_OP_RAGGED_DOT, hlo_lower_formed},
    {"chlo.scan", HLO_OP_SCAN, hlo_lower_formed},
    {"chlo.sinh", HLO_OP_SINH, hlo_lower_formed},
    {"chlo.square", HLO_OP_SQUARE, hlo_lower_formed},
    {"chlo.tan", HLO_OP_TAN, hlo_lower_formed},
    {"chlo.top_k", HLO_OP_TOPK, hlo_lower_formed},
    {"chlo.zeta", HLO_OP_ZETA, hlo_lower_formed},
    {"arith.constant", HLO_OP_CONSTANT, hlo_lower_constant},
    {"check.expect_almost_eq", HLO_OP_CUSTOM_CALL, hlo_lower_check},
    {"check.expect_almost_eq_const", HLO_OP_CUSTOM_CALL, hlo_lower_check},
    {"check.expect_close", HLO_OP_CUSTOM_CALL, hlo_lower_check},
    {"check.expect_eq", HLO_OP_CUSTOM_CALL, hlo_lower_check},
    {"check.expect_eq_const", HLO_OP_CUSTOM_CALL, hlo_lower_check},
    {"func.call", HLO_OP_CALL, hlo_lower_call_op},
    {"interpreter.run_parallel", HLO_OP_CUSTOM_CALL, hlo_lower_run_parallel},
    {"sdy.manual_computation", HLO_OP_ALL_GATHER, hlo_lower_manual_computation},
    {"sdy.propagation_barrier", HLO_OP_COPY, hlo_lower_identity},
    {"sdy.reshard", HLO_OP_COPY, hlo_lower_identity},
    {"sdy.sharding_constraint", HLO_OP_COPY, hlo_lower_identity},
};

bool hlo_lower_fail(const hlo_lower_call *c, hlo_code code, const char *format, ...) {
  char message[HLO_STATUS_MESSAGE_BYTES];
  va_list arguments;
  hlo_mlir_place place = {c->l->tree, c->op};
  va_start(arguments, format);
  hlo_format_things(message, sizeof message, hlo_mlir_thing, &place, format, arguments);
  va_end(arguments);
  return hlo_fail_at(c->l->status, code, c->op->line, c->op->column, "%.*s: %s", (int)c->op->name.length, c->op->name.text, message);
}

static const lowering_row *find_row(hlo_span name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (hlo_span_is(name, rows[i].name)) return &rows[i];
  return NULL;
}

static bool has_place(const hlo_lower_call *c, int result) {
  return hlo_mlir_result_type(c->l->tree, c->op, result)->kind == HLO_MLIR_FUTURE || hlo_lower_result_shape(c, result);
}

bool hlo_lower_op(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op) {
  hlo_lower_call c = {.l = l, .computation = computation, .op = op};
  const lowering_row *row = find_row(op->name);
  if (!row) return hlo_lower_fail(&c, HLO_UNKNOWN_OP, "no operation of this name is known");
  c.opcode = row->opcode;
  for (int i = 0; i < op->result_count; i++)
    if (!has_place(&c, i)) return false;
  c.expressed = hlo_lower_works_expressed(&c);
  if (row->rule(&c)) return true;
  if (hlo_ok(l->status)) return hlo_lower_fail(&c, HLO_INTERNAL, "lowering failed without a reason");
  return false;
}
