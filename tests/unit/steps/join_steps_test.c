/* concatenate of slices, which are read where the sliced arrays lie if they are most of these, and of arrays whose elements stand in turn, against the reference. */
#include <string.h>

#include "plan/plan.h"
#include "program.h"

enum { MOST_PIECES = 4, MOST_RANK = 4 };

static int put_dims(char *out, const int *dims, int rank) {
  int length = sprintf(out, "[");
  for (int d = 0; d < rank; d++) length += sprintf(out + length, d ? ",%d" : "%d", dims[d]);
  return length + sprintf(out + length, "]");
}

/* Writes a slice of parameter n with these sizes, or the parameter as it is; returns whether it has a step of its own. */
static bool put_piece(char **parameters, char **slices, int n, const char *type, const int *sizes, int rank, bool is_sliced) {
  int dims[MOST_RANK], start[MOST_RANK], stride[MOST_RANK], kept = 1, elements = 1;
  for (int d = 0; d < rank; d++) {
    start[d] = is_sliced ? random_below(3) : 0;
    stride[d] = is_sliced ? 1 + random_below(2) : 1;
    dims[d] = start[d] + sizes[d] * stride[d] + (is_sliced ? random_below(2) : 0);
    kept *= sizes[d], elements *= dims[d];
  }
  *parameters += sprintf(*parameters, " x%d = %s", n, type);
  *parameters += put_dims(*parameters, dims, rank);
  *parameters += sprintf(*parameters, " parameter(%d)\n", n);
  if (!is_sliced) return false;
  *slices += sprintf(*slices, " s%d = %s", n, type);
  *slices += put_dims(*slices, sizes, rank);
  *slices += sprintf(*slices, " slice(x%d), slice={", n);
  for (int d = 0; d < rank; d++)
    *slices += sprintf(*slices, "%s[%d:%d:%d]", d ? ", " : "", start[d], sizes[d] ? start[d] + (sizes[d] - 1) * stride[d] + 1 : start[d], stride[d]);
  *slices += sprintf(*slices, "}\n");
  return 2 * kept < elements;
}

static void check_concatenate(const char *type) {
  int rank = 1 + random_below(MOST_RANK), count = 1 + random_below(MOST_PIECES), dimension = random_below(rank), sizes[MOST_RANK], total = 0, steps = 1;
  char parameters[1024], slices[2048], names[128], text[4096], *p_end = parameters, *s_end = slices, *n_end = names;
  *s_end = 0;
  for (int d = 0; d < rank; d++) sizes[d] = 1 + random_below(6);
  for (int n = 0; n < count; n++) {
    bool is_sliced = random_below(4) != 0;
    total += sizes[dimension] = random_below(8);
    steps += put_piece(&p_end, &s_end, n, type, sizes, rank, is_sliced);
    n_end += sprintf(n_end, "%s%c%d", n ? ", " : "", is_sliced ? 's' : 'x', n);
  }
  char *end = text + sprintf(text, "HloModule m\nENTRY e {\n%s%s ROOT r = %s", parameters, slices, type);
  sizes[dimension] = total;
  end += put_dims(end, sizes, rank);
  sprintf(end, " concatenate(%s), dimensions={%d}\n}\n", names, dimension);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && plan->routines[0].step_count == steps, "%s", text);
    hlo_plan_free(plan);
    program_fill_inputs(&p, WHOLE_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "%s\n%s", p.status.message, text);
  }
  program_close(&p);
}

/* A slice that something else reads as well has a place of its own. */
static void check_shared(void) {
  program p;
  bool ran = program_open(&p,
                          "HloModule m\nENTRY e {\n x = f32[5,7] parameter(0)\n s = f32[5,3] slice(x), slice={[0:5], [2:5]}\n t = f32[5,2] slice(x), slice={[0:5], [0:2]}\n"
                          " c = f32[5,8] concatenate(s, t, s), dimensions={1}\n ROOT r = (f32[5,8], f32[5,3]) tuple(c, s)\n}\n",
                          0, NULL);
  CHECK(ran, "%s", p.status.message);
  if (ran) program_fill_inputs(&p, WHOLE_NUMBERS);
  ran = ran && program_run_planned(&p) && program_run_reference(&p);
  CHECK(ran && program_outputs_distance(&p) == 0, "%s", p.status.message);
  program_close(&p);
}

static void check_interleaved(const char *type, int count, int length) {
  char text[1024], *end = text + sprintf(text, "HloModule m\nENTRY e {\n");
  for (int n = 0; n < count; n++) end += sprintf(end, " x%d = %s[3,%d,1] parameter(%d)\n", n, type, length, n);
  end += sprintf(end, " ROOT r = %s[3,%d,%d] concatenate(", type, length, count);
  for (int n = 0; n < count; n++) end += sprintf(end, "%sx%d", n ? ", " : "", n);
  sprintf(end, "), dimensions={2}\n}\n");
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s", p.status.message);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    bool in_turn = plan && strcmp(plan->routines[0].steps[plan->routines[0].step_count - 1].kernel, "interleave_simd128") == 0;
    CHECK(in_turn == (count >= 2 && count <= 4 && strcmp(type, "s64") != 0), "%s", text);
    hlo_plan_free(plan);
    program_fill_inputs(&p, WHOLE_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "%s\n%s", p.status.message, text);
  }
  program_close(&p);
}

int main(void) {
  static const char *const types[] = {"f32", "s8", "c128", "pred", "f16", "s64"};
  for (int n = 0; n < 1500; n++) check_concatenate(types[n % 6]);
  check_shared();
  for (int count = 2; count <= 5; count++)
    for (int length = 1; length <= 11; length++)
      for (int t = 0; t < 2; t++) check_interleaved(t ? "s64" : "f32", count, length);
  return unit_report();
}
