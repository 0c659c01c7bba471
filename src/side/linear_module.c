/* The parts of webhlo-linear.wasm beside the kernels and routines that it holds (CMakeLists.txt lists them): its only export,
 * and the functions that lead to those of the core. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

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
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/lapack.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "side/linear_side.h"
#include "steps/kernel_table.h"

/* An instance belongs to one instance of the core. */
static const hlo_linear_services *core;

HLO_API(const hlo_linear_offer *, hlo_side_linear)(const hlo_linear_services *services) {
  static const hlo_linear_offer offer = {hlo_setup_cholesky, hlo_setup_triangular_solve, hlo_setup_lapack, hlo_setup_sparse_product, hlo_setup_fft,
                                         hlo_c64_divide_scalar, hlo_c128_divide_scalar, &hlo_reference_routines};
  core = services;
  return &offer;
}

size_t hlo_product_scratch_bytes(const hlo_product *product, int threads) { return core->product_scratch_bytes(product, threads); }
void hlo_product_run(const hlo_product *product, void *scratch, hlo_team *team) { core->product_run(product, scratch, team); }
hlo_tile_kernel *hlo_product_float_tile(bool single) { return core->product_float_tile(single); }

void *hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status) { return core->arena_array(arena, count, size, status); }
bool hlo_fail(hlo_status *status, hlo_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  core->fail_arguments(status, code, format, arguments);
  va_end(arguments);
  return false;
}
bool hlo_text_is(const char *text, size_t length, const char *expected) { return core->text_is(text, length, expected); }
bool hlo_reference_poll(hlo_evaluation *evaluation) { return core->reference_poll(evaluation); }
int64_t hlo_config_int(const hlo_instruction *instruction, const char *name, int64_t missing) { return core->config_int(instruction, name, missing); }
bool hlo_config_bool(const hlo_instruction *instruction, const char *name, bool missing) { return core->config_bool(instruction, name, missing); }
bool hlo_instruction_bool(const hlo_instruction *instruction, hlo_attribute_id id, bool missing) { return core->instruction_bool(instruction, id, missing); }
int hlo_instruction_enum(const hlo_instruction *instruction, hlo_attribute_id id, int missing) { return core->instruction_enum(instruction, id, missing); }
const hlo_ints *hlo_instruction_ints(const hlo_instruction *instruction, hlo_attribute_id id) { return core->instruction_ints(instruction, id); }
const hlo_attribute *hlo_instruction_attribute(const hlo_instruction *instruction, hlo_attribute_id id) { return core->instruction_attribute(instruction, id); }
hlo_routine_name hlo_lapack_routine(hlo_span target) { return core->lapack_routine(target); }
bool hlo_lapack_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) { return core->lapack_check(instruction, operands, status); }
const hlo_shape *hlo_kernel_operand(const hlo_kernel_question *question, int operand) { return core->kernel_operand(question, operand); }
const hlo_literal *hlo_kernel_constant_of(const hlo_computation *computation, const hlo_instruction *instruction) { return core->kernel_constant_of(computation, instruction); }
void *hlo_kernel_packing(const hlo_kernel_question *question, size_t bytes) { return core->kernel_packing(question, bytes); }
bool hlo_kernel_run(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_shared_step_function *run, const void *parameters, size_t bytes) {
  return core->kernel_run(question, choice, run, parameters, bytes);
}
bool hlo_kernel_run_ranges(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_ranged_step *ranged, const void *parameters, size_t bytes) {
  return core->kernel_run_ranges(question, choice, ranged, parameters, bytes);
}
hlo_scalar hlo_literal_get(const hlo_literal *literal, int64_t index) { return core->literal_get(literal, index); }
void hlo_literal_set(hlo_literal *literal, int64_t index, hlo_scalar value) { core->literal_set(literal, index, value); }
int64_t hlo_literal_int(const hlo_literal *literal, int64_t index) { return core->literal_int(literal, index); }
void hlo_literal_set_int(hlo_literal *literal, int64_t index, int64_t value) { core->literal_set_int(literal, index, value); }
void hlo_literal_set_real(hlo_literal *literal, int64_t index, double value) { core->literal_set_real(literal, index, value); }
hlo_type_class hlo_type_classify(hlo_type type) { return core->type_classify(type); }
int hlo_type_bytes(hlo_type type) { return core->type_bytes(type); }
int hlo_shape_leaf_count(const hlo_shape *shape) { return core->shape_leaf_count(shape); }
const hlo_shape *hlo_shape_leaf(const hlo_shape *shape, int index) { return core->shape_leaf(shape, index); }
int64_t hlo_shape_element_count(const hlo_shape *shape) { return core->shape_element_count(shape); }
int64_t hlo_box_count(const int64_t *dims, int rank) { return core->box_count(dims, rank); }

/* Functions of the C library, which the core has. */
double frexp(double value, int *exponent) { return core->frexp(value, exponent); }
double ldexp(double value, int exponent) { return core->ldexp(value, exponent); }
int ilogb(double value) { return core->ilogb(value); }
double atan2(double y, double x) { return core->atan2(y, x); }
double sin(double x) { return core->sin(x); }
double cos(double x) { return core->cos(x); }
double exp(double x) { return core->exp(x); }
double expm1(double x) { return core->expm1(x); }
double log(double x) { return core->log(x); }
double log1p(double x) { return core->log1p(x); }
double cbrt(double x) { return core->cbrt(x); }
double fmax(double a, double b) { return a < b || isnan(a) ? b : a; }
double fmin(double a, double b) { return b < a || isnan(a) ? b : a; }
