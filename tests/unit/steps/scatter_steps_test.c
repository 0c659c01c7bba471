/* scatter as a kernel against the reference: windows of any form, some of them outside, batching dimensions, types, computations. */
#include "plan/plan.h"
#include "program.h"

static const struct {
  const char *name, *operand, *indices, *updates, *attributes;
} cases[] = {
    {"rows", "[9,64]", "[50,1]", "[50,64]", "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"rows_bare_indices", "[9,13]", "[2,5]", "[2,5,13]", "update_window_dims={2}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2"},
    {"parts_of_rows", "[9,40]", "[30,1]", "[30,3,7]", "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"elements", "[4,5]", "[70,2]", "[70]", "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1"},
    {"histogram", "[12]", "[300,1]", "[300]", "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"components_first", "[4,5]", "[2,7]", "[7,2]", "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=0"},
    {"window_before_batch", "[6,5]", "[7,1]", "[5,7]", "update_window_dims={0}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"columns", "[6,5]", "[7,1]", "[7,6]", "update_window_dims={1}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1"},
    {"many_columns", "[3,6]", "[130,1]", "[3,130]", "update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1"},
    {"runs_of_planes", "[3,6,5]", "[130,1]", "[3,130,5]", "update_window_dims={0,2}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1"},
    {"batching", "[3,6,5]", "[4,3,1]", "[4,3,5]",
     "update_window_dims={2}, inserted_window_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=2"},
    {"window_of_three", "[4,6,5]", "[9,2]", "[9,2,3,4]", "update_window_dims={1,2,3}, inserted_window_dims={}, scatter_dims_to_operand_dims={2,0}, index_vector_dim=1"},
    {"nothing", "[5,4]", "[0,1]", "[0,4]", "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"empty_windows", "[5,4]", "[3,1]", "[3,0]", "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"},
    {"one", "[5,4]", "[1]", "[4]", "update_window_dims={0}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0"},
};
static const struct {
  const char *type, *root;
} computations[] = {{"f32", "add(a, b)"}, {"f32", "b"}, {"f32", "maximum(b, a)"}, {"f32", "subtract(a, b)"}, {"f64", "multiply(a, b)"},
                    {"s32", "minimum(a, b)"}, {"s32", "add(a, b)"}, {"f64", "add(a, b)"}, {"f32", "minimum(a, b)"}, {"u8", "b"}, {"c128", "b"}, {"bf16", "b"}, {"pred", "or(a, b)"}, {"s64", "add(a, b)"},
                    {"s8", "multiply(a, b)"}, {"u8", "maximum(a, b)"}, {"s16", "add(a, b)"}, {"s16", "maximum(a, b)"}, {"s8", "minimum(a, b)"}, {"u16", "xor(a, b)"}, {"u16", "b"},
                    {"u32", "maximum(a, b)"}, {"s32", "and(a, b)"}, {"u64", "minimum(a, b)"}, {"s64", "maximum(a, b)"}, {"s64", "b"}, {"pred", "and(a, b)"},
                    {"f16", "maximum(a, b)"}, {"bf16", "minimum(a, b)"}, {"f16", "minimum(b, a)"}, {"bf16", "maximum(a, b)"}, {"f64", "maximum(a, b)"}, {"f64", "minimum(a, b)"},
                    {"f32", "multiply(a, b)"}, {"f64", "b"}, {"f16", "b"}};
static const char *const index_types[] = {"s32", "u32", "s64", "u8", "u64"};

/* Puts zeros of either sign, infinities and NaN of either sign among the numbers of an array. */
static void put_special(const hlo_shape *shape, void *data) {
  static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, -NAN, -3};
  for (int64_t e = 0; e < hlo_shape_element_count(shape); e++)
    if (random_below(3) == 0) hlo_scalar_store(shape->type, data, e, (hlo_scalar){.f = special[random_below(random_below(9) ? 2 : 7)]});
}

static void check_scatter(int n, int c, const char *index_type) {
  char text[2048], root[64];
  const char *t = computations[c].type;
  if (computations[c].root[1]) snprintf(root, sizeof root, " ROOT r = %s[] %s\n", t, computations[c].root);
  else strcpy(root, "");
  snprintf(text, sizeof text,
           "HloModule m\nf {\n a = %s[] parameter(0)\n %sb = %s[] parameter(1)\n%s}\n"
           "ENTRY e {\n x = %s%s parameter(0)\n i = %s%s parameter(1)\n u = %s%s parameter(2)\n ROOT s = %s%s scatter(x, i, u), %s, to_apply=f\n}\n",
           t, root[0] ? "" : "ROOT ", t, root, t, cases[n].operand, index_type, cases[n].indices, t, cases[n].updates, t, cases[n].operand, cases[n].attributes);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && plan->routines[0].step_count == 1 && plan->routines[0].steps[0].kind == HLO_STEP_KERNEL, "%s by %s of %s", cases[n].name, computations[c].root, t);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 3; round++) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    const hlo_shape *shape = hlo_executable_parameter_shape(p.planned, 1);
    hlo_literal indices = {.shape = shape, .data = p.inputs[1].leaves[0]};
    for (int64_t e = 0; e < hlo_shape_element_count(shape); e++) /* far outside as well */
      hlo_literal_set(&indices, e, round == 2 ? (hlo_scalar){.u = random_bits()} : (hlo_scalar){.s = random_below(7) - round});
    bool is_extreme = computations[c].root[0] == 'm' && computations[c].root[1] != 'u';
    for (int i = 0; i < 3 && t[0] != 's' && t[0] != 'u' && is_extreme; i += 2) put_special(hlo_executable_parameter_shape(p.planned, i), p.inputs[i].leaves[0]);
    ran = program_run_planned(&p) && program_run_reference(&p);
    double distance = ran ? program_outputs_distance(&p) : 0;
    /* the reference takes long sums and products of narrow types in a wider one */
    CHECK(ran && distance <= (c == 4 ? 40 : 0), "%s by %s of %s by %s, round %d: %g ulps %s", cases[n].name, computations[c].root, t, index_type, round, distance, p.status.message);
  }
  program_close(&p);
}

/* The result may be written over the operand, unless the updates are the same value, under its name or another. */
static void check_in_place(void) {
  const char *text =
      "HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n"
      "ENTRY e {\n x = f32[6,5] parameter(0)\n i = s32[6,1] parameter(1)\n y = f32[6,5] sine(x)\n z = f32[6,5] cosine(x)\n w = f32[6,1,5] reshape(z)\n"
      " s = f32[6,5] scatter(y, i, y), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n"
      " t = f32[6,5] scatter(z, i, w), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n"
      " ROOT r = f32[6,5] add(s, t)\n}\n";
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s", p.status.message);
  for (int round = 0; ran && round < 20; round++) {
    program_fill_inputs(&p, UNIT_NUMBERS);
    for (int e = 0; e < 6; e++) ((int32_t *)p.inputs[1].leaves[0])[e] = random_below(6);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) <= 8, "%g ulps %s", program_outputs_distance(&p), p.status.message);
  }
  program_close(&p);
}

int main(void) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (size_t c = 0; c < sizeof computations / sizeof *computations; c++)
      for (size_t i = 0; i < sizeof index_types / sizeof *index_types; i++) check_scatter((int)n, (int)c, index_types[i]);
  check_in_place();
  return unit_report();
}
