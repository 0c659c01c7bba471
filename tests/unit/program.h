/* Programs in HLO text, run on the planned path and on the reference, with the same inputs. */
#ifndef HLO_TESTS_PROGRAM_H
#define HLO_TESTS_PROGRAM_H

#include <math.h>
#include <stdlib.h>

#include "exec/executable.h"
#include "plan/plan.h"
#include "shape/layout_index.h"
#include "text/hlo_text.h"
#include "random.h"
#include "unit.h"

/* ---- A program ---- */

/* What its inputs hold. Sums and products of small whole numbers are exact in any order. */
typedef enum program_data { WHOLE_NUMBERS, UNIT_NUMBERS } program_data;

typedef struct program {
  hlo_arena arena;
  hlo_status status;
  hlo_module *module;
  hlo_executable *planned, *reference;
  int devices, parameters;
  hlo_buffers *inputs;                        /* devices * parameters */
  hlo_buffers *planned_outputs, *reference_outputs; /* devices */
} program;

static inline hlo_buffers program_buffers(program *p, const hlo_shape *shape) {
  hlo_buffers buffers = {.leaf_count = hlo_shape_leaf_count(shape)};
  buffers.leaves = hlo_arena_many(&p->arena, void *, buffers.leaf_count, &p->status);
  buffers.dynamic_sizes = hlo_arena_many(&p->arena, int64_t *, buffers.leaf_count, &p->status);
  for (int i = 0; i < buffers.leaf_count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    int64_t bytes = 0;
    if (!hlo_shape_is_array(leaf) || !hlo_shape_array_size(leaf, &bytes, &p->status)) continue;
    buffers.leaves[i] = hlo_arena_alloc(&p->arena, (size_t)bytes, &p->status);
    memset(buffers.leaves[i], 0x5A, (size_t)bytes); /* nobody may count on zeros */
    if (!hlo_shape_is_static(leaf)) {
      buffers.dynamic_sizes[i] = hlo_arena_many(&p->arena, int64_t, leaf->rank, &p->status);
      for (int d = 0; d < leaf->rank; d++) buffers.dynamic_sizes[i][d] = leaf->dims[d];
    }
  }
  return buffers;
}

static inline hlo_scalar program_value(hlo_type type, program_data data) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_PRED: return (hlo_scalar){.u = random_bits() & 1};
  case HLO_CLASS_SIGNED: return (hlo_scalar){.s = random_below(9) - 4};
  case HLO_CLASS_UNSIGNED: return (hlo_scalar){.u = (uint64_t)random_below(8)};
  default: return (hlo_scalar){.f = data == WHOLE_NUMBERS ? random_below(9) - 4 : random_unit(), .im = random_below(5) - 2};
  }
}

/* Fills a value in its own layout. */
static inline void program_fill(program *p, const hlo_shape *shape, const hlo_buffers *buffers, program_data data) {
  for (int i = 0; i < buffers->leaf_count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    if (!hlo_shape_is_array(leaf)) continue;
    hlo_literal *literal = hlo_literal_make(&p->arena, leaf, &p->status);
    for (int64_t e = 0; e < hlo_shape_element_count(leaf); e++) hlo_literal_set(literal, e, program_value(leaf->type, data));
    if (hlo_shape_element_count(leaf)) hlo_layout_scatter(leaf, literal->data, buffers->leaves[i], &p->status);
  }
}

static inline void program_fill_inputs(program *p, program_data data) {
  for (int i = 0; i < p->devices * p->parameters; i++)
    program_fill(p, hlo_executable_parameter_shape(p->planned, i % p->parameters), &p->inputs[i], data);
}

static inline void program_close(program *p) {
  hlo_executable_free(p->planned);
  hlo_executable_free(p->reference);
  hlo_module_free(p->module);
  hlo_arena_free(&p->arena);
}

/* Compiles for both paths and makes buffers. False, with the status, when either refuses. */
static inline bool program_open(program *p, const char *text, int replicas, hlo_host *host) {
  *p = (program){.devices = 0};
  hlo_arena_init(&p->arena);
  p->module = hlo_text_parse(text, strlen(text), &p->status);
  if (!p->module) return false;
  hlo_compile_options options = {.replicas = replicas, .emits = true, .host = host};
  p->planned = hlo_executable_compile(p->module, &options, &p->status);
  options.reference = true;
  p->reference = p->planned ? hlo_executable_compile(p->module, &options, &p->status) : NULL;
  if (!p->reference) return false;
  p->devices = hlo_executable_device_count(p->planned);
  p->parameters = hlo_executable_parameter_count(p->planned);
  p->inputs = hlo_arena_many(&p->arena, hlo_buffers, (int64_t)p->devices * p->parameters, &p->status);
  p->planned_outputs = hlo_arena_many(&p->arena, hlo_buffers, p->devices, &p->status);
  p->reference_outputs = hlo_arena_many(&p->arena, hlo_buffers, p->devices, &p->status);
  for (int i = 0; i < p->devices * p->parameters; i++)
    p->inputs[i] = program_buffers(p, hlo_executable_parameter_shape(p->planned, i % p->parameters));
  for (int d = 0; d < p->devices; d++) {
    p->planned_outputs[d] = program_buffers(p, hlo_executable_result_shape(p->planned));
    p->reference_outputs[d] = program_buffers(p, hlo_executable_result_shape(p->planned));
  }
  return hlo_ok(&p->status);
}

static inline bool program_run_planned(program *p) {
  return hlo_executable_run(p->planned, p->inputs, p->planned_outputs, 7, 0, &p->status);
}
static inline bool program_run_reference(program *p) {
  return hlo_executable_run(p->reference, p->inputs, p->reference_outputs, 7, 0, &p->status);
}

/* Returns whether a step of the entry is left to the reference evaluator. */
static inline bool program_uses_reference(const program *p) {
  hlo_status status = {0};
  hlo_plan *plan = hlo_plan_build(p->module, &status);
  bool found = false;
  for (int i = 0; plan && i < plan->routines[0].step_count; i++) found |= plan->routines[0].steps[i].kind == HLO_STEP_EVALUATE;
  hlo_plan_free(plan);
  return found;
}

/* ---- Comparing ---- */

/* Steps from one float to the other; 0 for equal bits and for two NaNs. */
static inline double float_distance(hlo_type type, double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : INFINITY;
  if (a == b) return 0;
  if (isinf(a) || isinf(b)) return INFINITY;
  double unit = type == HLO_TYPE_F64 ? 0x1p-52 : 0x1p-23, least = type == HLO_TYPE_F64 ? 0x1p-1074 : 0x1p-149;
  int exponent;
  frexp(fmax(fabs(a), fabs(b)), &exponent);
  return fabs(a - b) / fmax(ldexp(unit, exponent - 1), least);
}

/* The largest distance of two values' elements, in ulps for floats; infinite where anything else differs. */
static inline double program_distance(program *p, const hlo_shape *shape, const hlo_buffers *a, const hlo_buffers *b) {
  double worst = 0;
  for (int i = 0; i < a->leaf_count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    if (!hlo_shape_is_array(leaf)) continue;
    for (int d = 0; a->dynamic_sizes[i] && d < leaf->rank; d++)
      if (a->dynamic_sizes[i][d] != b->dynamic_sizes[i][d]) return INFINITY;
    hlo_literal *x = hlo_literal_make(&p->arena, leaf, &p->status), *y = hlo_literal_make(&p->arena, leaf, &p->status);
    hlo_layout_gather(leaf, a->leaves[i], x->data, &p->status);
    hlo_layout_gather(leaf, b->leaves[i], y->data, &p->status);
    for (int64_t e = 0; e < hlo_shape_element_count(leaf); e++) {
      hlo_scalar u = hlo_literal_get(x, e), v = hlo_literal_get(y, e);
      if (!hlo_type_is_float(leaf->type) && !hlo_type_is_complex(leaf->type)) {
        if (u.u != v.u) return INFINITY;
        continue;
      }
      worst = fmax(worst, float_distance(hlo_type_real_part(leaf->type), u.f, v.f));
      if (hlo_type_is_complex(leaf->type)) worst = fmax(worst, float_distance(hlo_type_real_part(leaf->type), u.im, v.im));
    }
  }
  return worst;
}

static inline double program_outputs_distance(program *p) {
  double worst = 0;
  for (int d = 0; d < p->devices; d++)
    worst = fmax(worst, program_distance(p, hlo_executable_result_shape(p->planned), &p->planned_outputs[d], &p->reference_outputs[d]));
  return worst;
}

#endif
