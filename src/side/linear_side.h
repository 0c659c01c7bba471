/* webhlo.wasm and webhlo-linear.wasm, as they see each other.
 *
 * webhlo-linear.wasm works on the memory, the stack and the table of webhlo.wasm (js/objects/linear.js gives it room in them). It imports
 * no function: those that it calls stand in a table of the core's, and its own in an hlo_linear_offer. */
#ifndef HLO_SIDE_LINEAR_SIDE_H
#define HLO_SIDE_LINEAR_SIDE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/team.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/product/product.h"
#include "kernels/ranged_step.h"
#include "kernels/step_function.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* The functions of the core that webhlo-linear.wasm calls, under their own names but for the prefix. */
typedef struct hlo_linear_services {
  size_t (*product_scratch_bytes)(const hlo_product *product, int threads);
  void (*product_run)(const hlo_product *product, void *scratch, hlo_team *team);
  hlo_tile_kernel *(*product_float_tile)(bool single);
  void *(*arena_array)(hlo_arena *arena, int64_t count, size_t size, hlo_status *status);
  bool (*fail_arguments)(hlo_status *status, hlo_code code, const char *format, va_list arguments);
  bool (*text_is)(const char *text, size_t length, const char *expected);
  bool (*reference_poll)(hlo_evaluation *evaluation);
  int64_t (*config_int)(const hlo_instruction *instruction, const char *name, int64_t missing);
  bool (*config_bool)(const hlo_instruction *instruction, const char *name, bool missing);
  bool (*instruction_bool)(const hlo_instruction *instruction, hlo_attribute_id id, bool missing);
  int (*instruction_enum)(const hlo_instruction *instruction, hlo_attribute_id id, int missing);
  const hlo_ints *(*instruction_ints)(const hlo_instruction *instruction, hlo_attribute_id id);
  const hlo_attribute *(*instruction_attribute)(const hlo_instruction *instruction, hlo_attribute_id id);
  hlo_routine_name (*lapack_routine)(hlo_span target);
  hlo_builtin_check *lapack_check;
  const hlo_shape *(*kernel_operand)(const hlo_kernel_question *question, int operand);
  const hlo_literal *(*kernel_constant_of)(const hlo_computation *computation, const hlo_instruction *instruction);
  void *(*kernel_packing)(const hlo_kernel_question *question, size_t bytes);
  bool (*kernel_run)(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_shared_step_function *run, const void *parameters, size_t bytes);
  bool (*kernel_run_ranges)(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_ranged_step *ranged, const void *parameters, size_t bytes);
  hlo_scalar (*literal_get)(const hlo_literal *literal, int64_t index);
  void (*literal_set)(hlo_literal *literal, int64_t index, hlo_scalar value);
  int64_t (*literal_int)(const hlo_literal *literal, int64_t index);
  void (*literal_set_int)(hlo_literal *literal, int64_t index, int64_t value);
  void (*literal_set_real)(hlo_literal *literal, int64_t index, double value);
  hlo_type_class (*type_classify)(hlo_type type);
  int (*type_bytes)(hlo_type type);
  int64_t (*shape_element_count)(const hlo_shape *shape);
  int (*shape_leaf_count)(const hlo_shape *shape);
  const hlo_shape *(*shape_leaf)(const hlo_shape *shape, int index);
  int64_t (*box_count)(const int64_t *dims, int rank);
  double (*frexp)(double value, int *exponent);
  double (*ldexp)(double value, int exponent);
  int (*ilogb)(double value);
  double (*atan2)(double y, double x);
  double (*sin)(double x);
  double (*cos)(double x);
  double (*exp)(double x);
  double (*expm1)(double x);
  double (*log)(double x);
  double (*log1p)(double x);
  double (*cbrt)(double x);
} hlo_linear_services;

/* What webhlo-linear.wasm has. */
typedef struct hlo_linear_offer {
  hlo_kernel_setup *cholesky, *triangular_solve, *lapack, *sparse_product, *fft;
  hlo_elementwise_kernel *divide_c64, *divide_c128;
  const hlo_routine_library *routines; /* of the reference evaluator */
} hlo_linear_offer;

/* ---- In webhlo.wasm: linear_core.c ---- */
/* Returns whether a program has operations with such kernels or routines, and they are not loaded. */
bool hlo_api_linear_wanted(const hlo_api_module *module);
const hlo_linear_services *hlo_api_linear_services(void);
/* Has programs that are compiled from now on use what is offered. `bytes`: the room from hlo_api_alloc that its data has, for good. */
void hlo_api_linear_install(hlo_runtime *runtime, const hlo_linear_offer *offer, size_t bytes);

/* ---- In webhlo-linear.wasm: linear_module.c ---- */
/* Returns what there is; it calls these functions. */
const hlo_linear_offer *hlo_side_linear(const hlo_linear_services *services);

#endif
