/* custom-call: a target that the host has registered, or else a built-in one. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "devices/grid.h"
#include "devices/host.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/run_parallel.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/literal.h"
#include "shape/shape.h"

static hlo_span target_of(const hlo_instruction *instruction) {
  return hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
}

static bool is_registered(hlo_host *host, hlo_span target) {
  return host && host->has_custom_call && host->has_custom_call(host, target);
}

bool hlo_reference_custom_call(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  hlo_host *host = evaluation->host;
  hlo_span target = target_of(instruction);
  if (is_registered(host, target) && host->custom_call)
    return host->custom_call(host, target, operands, instruction->operand_count, result, evaluation->status);
  hlo_reference_function *function = hlo_builtin_custom_call(target);
  if (function) return function(evaluation, instruction, operands, result);
  if (!host) return hlo_reference_refuse_alone(evaluation, instruction);
  return hlo_fail(evaluation->status, HLO_UNSUPPORTED, "custom-call %s: nobody registered the target \"%.*s\"",
                  instruction->name, (int)target.length, target.text);
}

/* ---- At compile time ---- */

static bool check_builtin(const hlo_computation *computation, const hlo_instruction *instruction, hlo_status *status) {
  const hlo_shape **operands = calloc((size_t)instruction->operand_count + 1, sizeof *operands);
  if (!operands) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory to check %s", instruction->name);
  for (int i = 0; i < instruction->operand_count; i++) operands[i] = hlo_operand(computation, instruction, i)->shape;
  bool ok = hlo_builtin_custom_call_check(instruction, operands, status);
  free(operands);
  return ok;
}

/* The programs of interpreter.run_parallel are computations of the module, which the checks of shapes alone do not see, and run on a
 * grid of their own. */
static bool check_parallel(hlo_host *host, const hlo_module *module, const hlo_computation *computation,
                           const hlo_instruction *instruction, hlo_status *status) {
  hlo_parallel parallel = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  bool ok = hlo_parallel_read(module, computation, instruction, &arena, &parallel, status);
  hlo_device_grid grid = {.module = module, .programs = parallel.programs, .replicas = parallel.replicas,
                          .partitions = parallel.partitions, .host = host, .check_custom_call = hlo_reference_check_custom_call};
  ok = ok && hlo_grid_check(&grid, status);
  grid.replicas = grid.partitions = 1;
  for (int i = 0; ok && i < parallel.infeed_count; i++) {
    grid.programs = &parallel.infeeds[i];
    ok = hlo_grid_check(&grid, status);
  }
  hlo_arena_free(&arena);
  return ok;
}

bool hlo_reference_check_custom_call(hlo_host *host, const hlo_module *module, const hlo_computation *computation,
                                     const hlo_instruction *instruction, hlo_status *status) {
  hlo_span target = target_of(instruction);
  if (is_registered(host, target)) return true;
  if (hlo_is_parallel(instruction)) return check_parallel(host, module, computation, instruction, status);
  if (hlo_builtin_custom_call(target)) return check_builtin(computation, instruction, status);
  hlo_nearest_name nearest = {.name = target};
  hlo_builtin_custom_call_offer(&nearest);
  if (host->offer_custom_calls) host->offer_custom_calls(host, &nearest);
  return hlo_fail(status, HLO_UNSUPPORTED, "the target \"%.*s\" is neither built in nor registered (customCalls)%s",
                  target.length < 200 ? (int)target.length : 200, target.text, HLO_DID_YOU_MEAN(&nearest, ""));
}
