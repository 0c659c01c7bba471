/* gather as a kernel against the reference: windows of any form, starts outside, batching dimensions, types. */
#include "plan/plan.h"
#include "program.h"

static const struct {
  const char *name, *operand, *indices, *result, *attributes;
} cases[] = {
    {"rows", "[9,64]", "[50,1]", "[50,64]", "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}"},
    {"rows_bare_indices", "[9,13]", "[2,5]", "[2,5,13]", "offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,13}"},
    {"parts_of_rows", "[9,40]", "[30,1]", "[30,3,7]", "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={3,7}"},
    {"elements", "[4,5]", "[7,2]", "[7]", "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}"},
    {"components_first", "[4,5]", "[2,7]", "[7,2]", "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,2}"},
    {"window_before_batch", "[6,5]", "[7,1]", "[5,7]", "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}"},
    {"long_window_before_batch", "[6,50]", "[7,1]", "[50,7]", "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,50}"},
    {"windows_before_batch", "[6,3,5]", "[70,1]", "[3,4,70]", "offset_dims={0,1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3,4}"},
    {"points", "[9,3]", "[50,1]", "[50,3]", "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"},
    {"batching", "[3,6,5]", "[4,3,1]", "[4,3,5]",
     "offset_dims={2}, collapsed_slice_dims={1}, operand_batching_dims={0}, start_indices_batching_dims={1}, start_index_map={1}, index_vector_dim=2, slice_sizes={1,1,5}"},
    {"large_runs", "[5,700]", "[6,1]", "[6,2,650]", "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={1}, index_vector_dim=1, slice_sizes={2,650}"},
    {"rows_of_columns", "[3,9,8]", "[70,1]", "[3,70,8]", "offset_dims={0,2}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1, slice_sizes={3,1,8}"},
    {"nothing", "[5,4]", "[0,1]", "[0,4]", "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}"},
    {"one", "[5,4]", "[1]", "[4]", "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={1,4}"},
};
static const char *const types[] = {"f32", "u8", "bf16", "f64", "c128", "s32"};
static const char *const index_types[] = {"s32", "u32", "s64", "u8", "u64"};

static void check_gather(int n, const char *type, const char *index_type) {
  char text[1024];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s%s parameter(0)\n i = %s%s parameter(1)\n ROOT g = %s%s gather(x, i), %s\n}\n", type,
           cases[n].operand, index_type, cases[n].indices, type, cases[n].result, cases[n].attributes);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && plan->routines[0].step_count == 1 && plan->routines[0].steps[0].kind == HLO_STEP_KERNEL, "%s of %s", cases[n].name, type);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 3; round++) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    const hlo_shape *shape = hlo_executable_parameter_shape(p.planned, 1);
    hlo_literal indices = {.shape = shape, .data = p.inputs[1].leaves[0]};
    for (int64_t e = 0; e < hlo_shape_element_count(shape) && round > 0; e++) /* far outside as well */
      hlo_literal_set(&indices, e, (hlo_scalar){.u = round == 2 ? random_bits() : (uint64_t)random_below(200)});
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "%s of %s by %s, round %d: %s", cases[n].name, type, index_type, round, p.status.message);
  }
  program_close(&p);
}

int main(void) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
      for (size_t i = 0; i < sizeof index_types / sizeof *index_types; i++) check_gather((int)n, types[t], index_types[i]);
  return unit_report();
}
