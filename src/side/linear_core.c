/* Placeholders that webhlo.wasm has for what webhlo-linear.wasm holds (CMakeLists.txt lists it). */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/product/product.h"
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/lapack.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "side/linear_side.h"
#include "steps/kernel_table.h"
#include "stablehlo/mlir/mlir.h"

/* An instance of webhlo.wasm has one runtime. */
static const hlo_linear_offer *loaded;

#define PLACEHOLDER(name) bool hlo_setup_##name(const hlo_kernel_question *question, hlo_kernel_choice *choice) { return loaded && loaded->name(question, choice); }
PLACEHOLDER(cholesky)
PLACEHOLDER(triangular_solve)
PLACEHOLDER(lapack)
PLACEHOLDER(sparse_product)
PLACEHOLDER(fft)

/* No program that divides complex numbers is compiled before they are loaded. */
void hlo_c64_divide_scalar(HLO_KERNEL_PARAMETERS) { loaded->divide_c64(operands, scalars, result, count); }
void hlo_c128_divide_scalar(HLO_KERNEL_PARAMETERS) { loaded->divide_c128(operands, scalars, result, count); }
const hlo_routine_library *hlo_routines_loaded(void) { return loaded ? loaded->routines : NULL; }

HLO_API(const hlo_linear_services *, hlo_api_linear_services)(void) {
  static const hlo_linear_services services = {
      hlo_product_scratch_bytes, hlo_product_run, hlo_product_float_tile, hlo_arena_array, hlo_fail_arguments, hlo_text_is, hlo_reference_poll, hlo_config_int,
      hlo_config_bool, hlo_instruction_bool, hlo_instruction_enum, hlo_instruction_ints, hlo_instruction_attribute, hlo_lapack_routine, hlo_lapack_check,
      hlo_kernel_operand, hlo_kernel_constant_of, hlo_kernel_packing, hlo_kernel_run, hlo_kernel_run_ranges, hlo_literal_get, hlo_literal_set, hlo_literal_int, hlo_literal_set_int,
      hlo_literal_set_real, hlo_type_classify, hlo_type_bytes, hlo_shape_element_count, hlo_shape_leaf_count, hlo_shape_leaf, hlo_box_count, frexp, ldexp, ilogb, atan2, sin, cos, exp, expm1, log, log1p, cbrt,
  };
  return &services;
}

HLO_API(void, hlo_api_linear_install)(hlo_runtime *runtime, const hlo_linear_offer *offer, size_t bytes) {
  hlo_api_disown(runtime, bytes);
  loaded = offer;
}

/* ---- What a program wants ---- */

static bool target_wants(hlo_span target) { return hlo_lapack_routine(target) != HLO_ROUTINES || hlo_span_is(target, "cpu_csr_sparse_dense_ffi"); }

/* Returns whether an instruction computes a function of complex numbers, which the reference evaluator of webhlo.wasm does not have. */
static bool is_complex_function(const hlo_computation *computation, const hlo_instruction *instruction) {
  int last = instruction->operand_count - 1;
  if (last < 0 || !hlo_type_is_complex(hlo_operand(computation, instruction, last)->shape->type)) return false;
  if (instruction->opcode == HLO_OP_CUSTOM_CALL) return true;
  return hlo_op_has(instruction->opcode, HLO_FLAG_ELEMENTWISE) && !hlo_reference_has_complex(instruction->opcode);
}

static bool graph_wants(const hlo_module *module) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_instruction *instruction = hlo_instruction_at(module->computations[c], i);
      hlo_opcode opcode = instruction->opcode;
      if (opcode == HLO_OP_CHOLESKY || opcode == HLO_OP_TRIANGULAR_SOLVE || opcode == HLO_OP_FFT) return true;
      if (is_complex_function(module->computations[c], instruction)) return true;
      if (opcode == HLO_OP_CUSTOM_CALL && target_wants(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text)) return true;
    }
  return false;
}

static bool tree_wants(const hlo_mlir_block *block) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    const hlo_mlir_attribute *target = hlo_mlir_find(op, "call_target_name");
    if (hlo_span_is(op->name, "stablehlo.cholesky") || hlo_span_is(op->name, "stablehlo.triangular_solve") || hlo_span_is(op->name, "stablehlo.fft")) return true;
    if (target && target_wants(target->text)) return true;
    for (int r = 0; r < op->region_count; r++)
      if (tree_wants(&op->regions[r].block)) return true;
  }
  return false;
}

static bool dynamic_wants(const hlo_mlir *tree) {
  for (int i = 0; i < tree->value_count; i++) {
    const hlo_mlir_type *type = tree->values[i].type;
    if (type->shape && hlo_type_is_complex(type->shape->type)) return true;
  }
  return tree_wants(&tree->body);
}

HLO_API(bool, hlo_api_linear_wanted)(const hlo_api_module *module) {
  if (loaded) return false;
  return module->dynamic ? dynamic_wants(module->dynamic->tree) : graph_wants(module->module);
}
