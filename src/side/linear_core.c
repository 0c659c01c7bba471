/* What webhlo.wasm has in place of src/kernels/linear. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/api.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/linear/linear_library.h"
#include "kernels/product/product.h"
#include "side/linear_side.h"
#include "stablehlo/mlir/mlir.h"
#include "steps/linear_steps.h"

/* An instance of webhlo.wasm has one runtime. */
static const hlo_linear_library *loaded;

const hlo_linear_library *hlo_linear_loaded(void) { return loaded; }

HLO_API(const hlo_linear_services *, hlo_api_linear_services)(void) {
  static const hlo_linear_services services = {hlo_product_scratch_bytes, hlo_product_run, hlo_product_float_tile, frexp, ldexp, fmax};
  return &services;
}

HLO_API(void, hlo_api_linear_install)(hlo_runtime *runtime, const hlo_linear_library *library, size_t bytes) {
  hlo_api_disown(runtime, bytes);
  loaded = library;
}

/* ---- What a program wants ---- */

static bool graph_wants(const hlo_module *module) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_instruction *instruction = hlo_instruction_at(module->computations[c], i);
      hlo_opcode opcode = instruction->opcode;
      if (opcode == HLO_OP_CHOLESKY || opcode == HLO_OP_TRIANGULAR_SOLVE) return true;
      if (opcode == HLO_OP_CUSTOM_CALL && hlo_linear_has_target(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text)) return true;
    }
  return false;
}

static bool tree_wants(const hlo_mlir_block *block) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    const hlo_mlir_attribute *target = hlo_mlir_find(op, "call_target_name");
    if (hlo_span_is(op->name, "stablehlo.cholesky") || hlo_span_is(op->name, "stablehlo.triangular_solve")) return true;
    if (target && hlo_linear_has_target(target->text)) return true;
    for (int r = 0; r < op->region_count; r++)
      if (tree_wants(&op->regions[r].block)) return true;
  }
  return false;
}

HLO_API(bool, hlo_api_linear_wanted)(const hlo_api_module *module) {
  if (loaded) return false;
  return module->dynamic ? tree_wants(&module->dynamic->tree->body) : graph_wants(module->module);
}
