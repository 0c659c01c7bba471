/* The list of whole-module checks, and their message. */
#include "verify/verify.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "graph/module.h"
#include "verify/verify_checks.h"

bool hlo_verify_fail(const hlo_verification *v, const hlo_computation *computation, const hlo_instruction *instruction,
                     hlo_code code, const char *format, ...) {
  char rule[HLO_STATUS_MESSAGE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  hlo_format_arguments(rule, sizeof rule, format, arguments);
  va_end(arguments);
  if (!hlo_ok(v->status)) return false;
  if (instruction)
    hlo_fail(v->status, code, "computation %s, instruction %s: %s", computation->name, instruction->name, rule);
  else
    hlo_fail(v->status, code, "computation %s: %s", computation->name, rule);
  v->status->line = instruction ? instruction->line : computation->line;
  return false;
}

bool hlo_called_of(const hlo_instruction *instruction, hlo_arena *arena, int **called, int *count, hlo_status *status) {
  *count = hlo_instruction_called(instruction, NULL, 0);
  if (*count == 0) return true;
  *called = hlo_arena_many(arena, int, *count, status);
  if (!*called) return false;
  hlo_instruction_called(instruction, *called, *count);
  return true;
}

static bool run_checks(hlo_verification *v) {
  if (!hlo_check_structure(v)) return false;
  int *order = hlo_arena_many(v->arena, int, v->module->computation_count, v->status);
  if (!order || !hlo_module_call_order(v->module, order, v->status)) return false;
  v->order = order;
  return hlo_check_shapes(v) && hlo_check_applied(v) && hlo_check_starts(v) && hlo_check_infeeds(v) &&
         hlo_check_channels(v);
}

bool hlo_verify_module(const hlo_module *module, hlo_status *status) {
  hlo_arena arena, scratch;
  hlo_arena_init(&arena);
  hlo_arena_init(&scratch);
  hlo_verification v = {.module = module, .arena = &arena, .scratch = &scratch, .status = status};
  bool ok = run_checks(&v);
  hlo_arena_free(&arena);
  hlo_arena_free(&scratch);
  return ok;
}
