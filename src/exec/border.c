/* Inputs and outputs of a run: copies between the caller's layouts and the dense row-major form inside, where these differ. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "exec/device.h"
#include "exec/executable.h"
#include "kernels/move/strided_copy.h"
#include "plan/plan.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

/* ---- Checking ---- */

static bool check_sizes(const hlo_shape *leaf, const int64_t *sizes, const char *what, int number, hlo_code code, hlo_status *status) {
  for (int d = 0; d < leaf->rank; d++) {
    bool fits = hlo_shape_dim_kind(leaf, d) == HLO_DIM_STATIC ? sizes[d] == leaf->dims[d] : sizes[d] >= 0 && sizes[d] <= leaf->dims[d];
    if (!fits)
      return hlo_fail(status, code, "%s %d: size %lld does not fit dimension %d of %pS", what, number, (long long)sizes[d], d,
                      leaf);
  }
  return true;
}

bool hlo_border_check(const hlo_executable *executable, const hlo_buffers *buffers, const hlo_shape *shape, const char *what, int number,
                      hlo_code code, hlo_status *status) {
  int count = hlo_shape_leaf_count(shape);
  if (buffers->leaf_count != count)
    return hlo_fail(status, code, "%s %d: expected %d arrays for %pS, got %d", what, number, count, shape, buffers->leaf_count);
  for (int i = 0; i < count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    if (!buffers->leaves[i] && hlo_shape_dense_bytes(leaf) > 0)
      return hlo_fail(status, code, "%s %d: there is no memory for array %d, %pS", what, number, i, leaf);
    const int64_t *sizes = buffers->dynamic_sizes ? buffers->dynamic_sizes[i] : NULL;
    if (code == HLO_INPUT && sizes && hlo_shape_is_array(leaf) && !check_sizes(leaf, sizes, what, number, code, status)) return false;
  }
  return true;
}

/* ---- Outputs that lie over inputs ---- */

typedef struct span {
  uintptr_t begin, end;
} span;

static span span_of(const hlo_border_leaf *leaf, const void *memory) {
  return (span){(uintptr_t)memory, (uintptr_t)memory + (uintptr_t)leaf->bytes};
}

static bool meets_a_result(const hlo_executable *e, span input) {
  for (int d = 0; d < e->device_count; d++)
    for (int i = 0; i < e->plans[d]->result_leaf_count; i++) {
      span output = span_of(&e->plans[d]->result_leaves[i], e->devices[d].results[i]);
      if (input.begin < output.end && output.begin < input.end) return true;
    }
  return false;
}

/* A range of addresses that contains all outputs. */
static span results_hull(const hlo_executable *e) {
  span hull = {UINTPTR_MAX, 0};
  for (int d = 0; d < e->device_count; d++)
    for (int i = 0; i < e->plans[d]->result_leaf_count; i++) {
      span output = span_of(&e->plans[d]->result_leaves[i], e->devices[d].results[i]);
      if (output.begin == output.end) continue;
      if (output.begin < hull.begin) hull.begin = output.begin;
      if (output.end > hull.end) hull.end = output.end;
    }
  return hull;
}

/* True for a donated input that lies where its result will be written. */
static bool is_in_place(const hlo_device *device, const hlo_border_leaf *leaf, int number) {
  return leaf->donated_to >= 0 && device->arguments[number] == device->results[leaf->donated_to];
}

/* Copies inputs that outputs overlap: the others are read in place while outputs are written. */
static bool save_inputs(hlo_executable *e, hlo_status *status) {
  span hull = results_hull(e);
  for (int d = 0; d < e->device_count; d++)
    for (int i = 0; i < e->plans[d]->parameter_first_leaf[e->plans[d]->parameter_count]; i++) {
      const hlo_border_leaf *leaf = &e->plans[d]->parameter_leaves[i];
      if (is_in_place(&e->devices[d], leaf, i)) continue;
      span input = span_of(leaf, e->devices[d].arguments[i]);
      if (input.begin >= hull.end || hull.begin >= input.end || !meets_a_result(e, input)) continue;
      e->devices[d].arguments[i] = hlo_arena_copy(&e->run_arena, e->devices[d].arguments[i], input.end - input.begin, status);
      if (!e->devices[d].arguments[i]) return false;
    }
  return true;
}

/* ---- In ---- */

/* Returns the memory of a leaf; an array without elements may come without any, and gets an address that is never read. */
static void *present(hlo_device *device, void *memory) { return memory ? memory : device->workspace; }

static bool take_in(const hlo_device *device, const hlo_border_leaf *leaf, const void *memory, const int64_t *sizes, hlo_status *status) {
  if (leaf->place.kind != HLO_PLACE_WORKSPACE && leaf->donated_to < 0) return true;
  if (leaf->place.kind == HLO_PLACE_NONE) return true;
  char *inside = hlo_device_address(device, &leaf->place);
  if (leaf->dense && leaf->bytes && inside != memory) memcpy(inside, memory, (size_t)leaf->bytes);
  if (leaf->crossing) hlo_strided_copy_simd128(leaf->crossing, memory, inside);
  else if (!leaf->dense && !hlo_layout_gather(leaf->shape, memory, inside, status)) return false;
  if (leaf->place.sizes_offset >= 0)
    memcpy(inside + leaf->place.sizes_offset, sizes ? sizes : leaf->shape->dims, (size_t)leaf->shape->rank * sizeof(int64_t));
  return true;
}

static bool bind_device(hlo_executable *e, hlo_device *device, const hlo_buffers *inputs, const hlo_buffers *output, hlo_status *status) {
  const hlo_plan *plan = hlo_device_plan(e, device);
  for (int n = 0; n < plan->parameter_count; n++) {
    if (!hlo_border_check(e, &inputs[n], plan->parameter_shapes[n], "input", n, HLO_INPUT, status)) return false;
    for (int i = 0; i < inputs[n].leaf_count; i++)
      device->arguments[plan->parameter_first_leaf[n] + i] = present(device, inputs[n].leaves[i]);
  }
  if (!hlo_border_check(e, output, plan->result_shape, "output", device->number, HLO_ARGUMENT, status)) return false;
  for (int i = 0; i < plan->result_leaf_count; i++) device->results[i] = present(device, output->leaves[i]);
  return true;
}

static bool take_in_all(const hlo_plan *plan, const hlo_device *device, const hlo_buffers *inputs, hlo_status *status) {
  for (int n = 0; n < plan->parameter_count; n++)
    for (int i = 0; i < inputs[n].leaf_count; i++) {
      int leaf = plan->parameter_first_leaf[n] + i;
      const int64_t *sizes = inputs[n].dynamic_sizes ? inputs[n].dynamic_sizes[i] : NULL;
      if (!take_in(device, &plan->parameter_leaves[leaf], device->arguments[leaf], sizes, status)) return false;
    }
  return true;
}

bool hlo_border_enter(hlo_executable *e, const hlo_buffers *inputs, const hlo_buffers *outputs, hlo_status *status) {
  int first = 0; /* number of the device's first input */
  for (int d = 0; d < e->device_count; first += e->plans[d++]->parameter_count)
    if (!bind_device(e, &e->devices[d], inputs ? &inputs[first] : NULL, &outputs[d], status)) return false;
  if (!save_inputs(e, status)) return false;
  first = 0;
  for (int d = 0; d < e->device_count; first += e->plans[d++]->parameter_count)
    if (!take_in_all(e->plans[d], &e->devices[d], inputs ? &inputs[first] : NULL, status)) return false;
  return true;
}

/* ---- Out ---- */

static bool give_out(const hlo_device *device, const hlo_border_leaf *leaf, int number, int64_t *sizes, hlo_status *status) {
  if (leaf->place.kind == HLO_PLACE_NONE) return true;
  const char *inside = hlo_device_address(device, &leaf->place);
  void *outside = device->results[number];
  if (sizes && leaf->place.sizes_offset >= 0) memcpy(sizes, inside + leaf->place.sizes_offset, (size_t)leaf->shape->rank * sizeof(int64_t));
  else if (sizes && leaf->shape->rank) memcpy(sizes, leaf->shape->dims, (size_t)leaf->shape->rank * sizeof(int64_t));
  if (leaf->crossing) hlo_strided_copy_simd128(leaf->crossing, inside, outside);
  else if (!leaf->dense) return hlo_layout_scatter(leaf->shape, inside, outside, status);
  else if (inside != outside && leaf->bytes) memcpy(outside, inside, (size_t)leaf->bytes);
  return true;
}

bool hlo_border_leave(hlo_executable *e, hlo_buffers *outputs, hlo_status *status) {
  for (int d = 0; d < e->device_count; d++)
    for (int i = 0; i < e->plans[d]->result_leaf_count; i++) {
      int64_t *sizes = outputs[d].dynamic_sizes ? outputs[d].dynamic_sizes[i] : NULL;
      if (!give_out(&e->devices[d], &e->plans[d]->result_leaves[i], i, sizes, status)) return false;
    }
  return true;
}
