/* The `reference` option: buffers become literals, the reference machine runs, and literals become buffers. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "exec/device.h"
#include "exec/executable.h"
#include "reference/machine/machine.h"
#include "reference/origins.h"
#include "reference/work.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

static bool read_leaf(const hlo_shape *shape, const void *memory, const int64_t *sizes, hlo_literal *literal, hlo_status *status) {
  if (!hlo_shape_is_array(shape) || hlo_shape_dense_bytes(shape) == 0) return true;
  if (sizes && literal->dynamic_sizes) memcpy(literal->dynamic_sizes, sizes, (size_t)shape->rank * sizeof *sizes);
  return hlo_layout_gather(shape, memory, literal->data, status);
}

static bool write_leaf(const hlo_shape *shape, const hlo_literal *literal, void *memory, int64_t *sizes, hlo_status *status) {
  if (!hlo_shape_is_array(shape)) return true;
  for (int d = 0; sizes && d < shape->rank; d++) sizes[d] = hlo_literal_size(literal, d);
  return hlo_shape_dense_bytes(shape) == 0 || hlo_layout_scatter(shape, literal->data, memory, status);
}

/* Reading and writing both walk the tuple; *leaf counts leaves. */
static bool exchange(const hlo_shape *shape, hlo_literal *literal, const hlo_buffers *buffers, int *leaf, bool out, hlo_status *status) {
  for (int i = 0; hlo_shape_is_tuple(shape) && i < shape->element_count; i++)
    if (!exchange(shape->elements[i], literal->elements[i], buffers, leaf, out, status)) return false;
  if (hlo_shape_is_tuple(shape)) return true;
  int number = (*leaf)++;
  int64_t *sizes = buffers->dynamic_sizes ? buffers->dynamic_sizes[number] : NULL;
  return out ? write_leaf(shape, literal, buffers->leaves[number], sizes, status)
             : read_leaf(shape, buffers->leaves[number], sizes, literal, status);
}

static const hlo_literal **read_arguments(hlo_executable *e, const hlo_buffers *inputs, hlo_status *status) {
  int parameter_count = hlo_executable_parameter_count(e), count = parameter_count * e->device_count;
  const hlo_literal **arguments = hlo_arena_many(&e->run_arena, const hlo_literal *, count, status);
  for (int i = 0; i < count && arguments; i++) {
    const hlo_shape *shape = hlo_executable_parameter_shape(e, i % parameter_count);
    if (!hlo_border_check(e, &inputs[i], shape, "input", i % parameter_count, HLO_INPUT, status)) return NULL;
    hlo_literal *argument = hlo_literal_make(&e->run_arena, shape, status);
    int leaf = 0;
    if (!argument || !exchange(shape, argument, &inputs[i], &leaf, false, status)) return NULL;
    arguments[i] = argument;
  }
  return arguments;
}

#ifdef HLO_ORIGINS

bool hlo_executable_follow(hlo_executable *e, hlo_status *status) {
  if (!e->reference || e->device_count != 1)
    return hlo_fail(status, HLO_UNSUPPORTED, "origins of elements are followed by the reference evaluator, on one device; got %d",
                    e->device_count);
  return e->follows = hlo_origins_check(e->module, status);
}

bool hlo_executable_origin(const hlo_executable *e, int64_t number, int64_t index, hlo_origin *origin, hlo_status *status) {
  if (e->followed && hlo_origins_of(e->followed, number, index, origin)) return true;
  return hlo_fail(status, HLO_ARGUMENT, "there is no element %lld of output %lld", (long long)index, (long long)number);
}

hlo_origins *hlo_executable_origins(hlo_executable *e) { return &e->origins; }

static bool begin(hlo_executable *e, const hlo_literal **arguments, hlo_status *status) {
  if (!e->follows) return true;
  hlo_origins_free(&e->origins);
  e->followed = NULL;
  return hlo_origins_begin(&e->origins, (hlo_literal *const *)arguments, hlo_executable_parameter_count(e), status);
}

static bool end(hlo_executable *e, const hlo_literal *result, hlo_status *status) {
  if (!e->follows) return true;
  if (!hlo_ok(&e->origins.status)) return hlo_fail(status, e->origins.status.code, "%s", e->origins.status.message);
  e->followed = hlo_literal_copy(&e->origins.arena, result, status);
  return e->followed != NULL;
}

#else

static inline bool begin(hlo_executable *e, const hlo_literal **arguments, hlo_status *status) { return true; }
static inline bool end(hlo_executable *e, const hlo_literal *result, hlo_status *status) { return true; }

#endif

bool hlo_executable_run_reference(hlo_executable *e, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed, hlo_work *work,
                                  hlo_status *status) {
  hlo_run_options options = {.replicas = e->replicas, .partitions = e->partitions, .seed = seed, .work = work, .host = e->host};
  const hlo_shape *shape = hlo_executable_result_shape(e);
  hlo_literal **results = hlo_arena_many(&e->run_arena, hlo_literal *, e->device_count, status);
  const hlo_literal **arguments = read_arguments(e, inputs, status);
  if (!results || !arguments) return false;
  for (int d = 0; d < e->device_count; d++)
    if (!hlo_border_check(e, &outputs[d], shape, "output", d, HLO_ARGUMENT, status)) return false;
  if (!begin(e, arguments, status) || !hlo_reference_run(e->module, &options, arguments, &e->run_arena, results, status) ||
      !end(e, results[0], status))
    return false;
  for (int d = 0; d < e->device_count; d++) {
    int leaf = 0;
    if (!exchange(shape, results[d], &outputs[d], &leaf, true, status)) return false;
  }
  return true;
}
