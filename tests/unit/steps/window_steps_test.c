/* reduce-window and select-and-scatter as kernels against the reference: windows of every form over arrays of every rank. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/window/window_select.h"

/* A random window over an array, in HLO text, and how many positions it has. */
typedef struct sliding {
  int rank;
  int64_t dims[4], positions[4];
  char array[64], out[64], window[256];
} sliding;

static void append_list(char *text, const char *name, int rank, const int64_t *values, const int64_t *second) {
  sprintf(text + strlen(text), " %s=", name);
  for (int d = 0; d < rank; d++) {
    sprintf(text + strlen(text), "%s%d", d ? "x" : "", (int)values[d]);
    if (second) sprintf(text + strlen(text), "_%d", (int)second[d]);
  }
}

static void append_shape(char *text, int rank, const int64_t *dims) {
  strcpy(text, "[");
  for (int d = 0; d < rank; d++) sprintf(text + strlen(text), "%s%d", d ? "," : "", (int)dims[d]);
  strcat(text, "]");
}

static sliding random_window(bool totals, bool selects) {
  sliding s = {.rank = 1 + random_below(4)};
  int64_t size[4], stride[4], low[4], high[4], dilation[4], reversal[4];
  int windowed = totals ? random_below(s.rank) : -1, plain = random_below(5);
  for (int d = 0; d < s.rank; d++) {
    s.dims[d] = random_below(20) ? 1 + random_below(d == plain ? 40 : 8) : random_below(3);
    bool still = (totals && d != windowed) || random_below(3) == 0;
    size[d] = still ? 1 : 1 + random_below(4);
    stride[d] = still ? 1 : 1 + random_below(3);
    low[d] = still ? 0 : random_below(4) - (selects ? 0 : 1), high[d] = still ? 0 : random_below(4) - (selects ? 0 : 1);
    dilation[d] = still || selects ? 1 : 1 + random_below(2);
    reversal[d] = selects ? 0 : random_below(2);
    if (d == windowed) {
      s.dims[d] = random_below(50);
      size[d] = s.dims[d] + (random_below(2) ? random_below(5) : 0);
      if (size[d] < 17 && random_below(2)) size[d] = 17;
      if (size[d] < 1) size[d] = 1;
      stride[d] = dilation[d] = 1, reversal[d] = 0;
      bool front = random_below(2);
      low[d] = front ? size[d] - 1 + random_below(3) : random_below(3);
      high[d] = front ? s.dims[d] - size[d] + random_below(3) : size[d] - 1 + random_below(3);
    }
    int64_t padded = low[d] + s.dims[d] + high[d], reach = (size[d] - 1) * dilation[d] + 1;
    s.positions[d] = padded <= 0 || reach > padded ? 0 : (padded - reach) / stride[d] + 1;
  }
  append_shape(s.array, s.rank, s.dims);
  append_shape(s.out, s.rank, s.positions);
  append_list(s.window, "size", s.rank, size, NULL);
  append_list(s.window, "stride", s.rank, stride, NULL);
  append_list(s.window, "pad", s.rank, low, high);
  append_list(s.window, "rhs_dilate", s.rank, dilation, NULL);
  append_list(s.window, "rhs_reversal", s.rank, reversal, NULL);
  return s;
}

static void check_program(const char *text, double ulps, bool some_nan, bool rounds) {
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && plan->routines[0].steps[0].kind == HLO_STEP_KERNEL, "%s", text);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 2; round++) {
    program_fill_inputs(&p, rounds ? UNIT_NUMBERS : WHOLE_NUMBERS);
    hlo_literal x = {.shape = hlo_executable_parameter_shape(p.planned, 0), .data = p.inputs[0].leaves[0]};
    for (int64_t e = 0; e < hlo_shape_element_count(x.shape) && some_nan && round == 1; e++)
      if (random_below(6) == 0) hlo_literal_set(&x, e, (hlo_scalar){.f = random_below(2) ? NAN : -0.0});
    ran = program_run_planned(&p) && program_run_reference(&p);
    double distance = ran ? program_outputs_distance(&p) : 0;
    CHECK(ran && distance <= ulps, "round %d: %g ulps apart %s\n%s", round, distance, p.status.message, text);
  }
  program_close(&p);
}

static void test_reduce_window(void) {
  static const struct {
    const char *type, *op;
  } rows[] = {{"f32", "add"}, {"f32", "maximum"}, {"f32", "multiply"}, {"f32", "subtract"}, {"s32", "add"}, {"s32", "minimum"},
              {"f64", "add"}, {"pred", "or"},     {"u32", "maximum"},  {"s64", "add"},      {"bf16", "add"}, {"f16", "add"},  {"f16", "maximum"},
              {"u8", "add"},  {"s16", "maximum"}, {"s8", "minimum"},   {"u16", "multiply"}, {"u64", "minimum"}, {"s32", "xor"}};
  for (int n = 0; n < 2600; n++) {
    int row = random_below(sizeof rows / sizeof *rows);
    const char *t = rows[row].type, *op = rows[row].op;
    bool is_subtraction = strcmp(op, "subtract") == 0;
    sliding s = random_window(n & 1 && !is_subtraction, false);
    char text[2048];
    snprintf(text, sizeof text,
             "HloModule m\nf {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = %s[] %s(a, b)\n}\n"
             "ENTRY e {\n x = %s%s parameter(0)\n i = %s[] parameter(1)\n ROOT r = %s%s reduce-window(x, i), window={%s}, to_apply=f\n}\n",
             t, t, t, op, t, s.array, t, t, s.out, s.window);
    bool is_half_sum = strstr(t, "f16") && strcmp(op, "add") == 0; /* kernel and reference each round once: they differ by one step at most */
    check_program(text, is_half_sum ? 65536 : strcmp(op, "multiply") == 0 ? 40 : 0, strcmp(op, "maximum") == 0 && t[0] == 'f', is_half_sum);
  }
}

static void test_select_and_scatter(void) {
  static const char *const directions[] = {"GE", "GT", "LE", "LT"};
  for (int n = 0; n < 600; n++) {
    sliding s = random_window(false, true);
    char text[2048];
    bool swapped = random_below(2);
    const char *t = n & 1 ? "f64" : "f32";
    snprintf(text, sizeof text,
             "HloModule m\nselect {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = pred[] compare(%s), direction=%s\n}\n"
             "scatter {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = %s[] add(a, b)\n}\n"
             "ENTRY e {\n x = %s%s parameter(0)\n s = %s%s parameter(1)\n i = %s[] parameter(2)\n"
             " ROOT r = %s%s select-and-scatter(x, s, i), window={%s}, select=select, scatter=scatter\n}\n",
             t, t, swapped ? "b, a" : "a, b", directions[random_below(4)], t, t, t, t, s.array, t, s.out, t, t, s.array, s.window);
    check_program(text, 0, true, false);
  }
}

static void test_window_select_twin(void) {
  enum { MOST = 40 };
  static const float values[] = {0, -0.0f, 1, -1, 2, NAN, INFINITY, -INFINITY};
  for (int count = 0; count <= MOST; count++)
    for (int form = 0; form < 4; form++) {
      float in[MOST + 1], best[2][MOST + 1];
      int32_t chosen[2][MOST + 1];
      for (int i = 0; i <= MOST; i++) {
        in[i] = values[random_below(8)];
        best[0][i] = best[1][i] = values[random_below(8)];
        chosen[0][i] = chosen[1][i] = -1;
      }
      uint32_t flip = form & 1 ? 0x80000000u : 0;
      hlo_f32_window_select_simd128(in, best[0], chosen[0], count, 7, 3, form >> 1, flip);
      hlo_f32_window_select_scalar(in, best[1], chosen[1], count, 7, 3, form >> 1, flip);
      for (int i = 0; i <= MOST; i++)
        CHECK(chosen[0][i] == chosen[1][i] && (best[0][i] == best[1][i] || (isnan(best[0][i]) && isnan(best[1][i]))), "element %d of %d, form %d", i, count, form);
    }
}

/* Totals from the front are running totals however short they are; short ones from the back are folded in the order of their elements. */
static void test_short_totals(void) {
  static const struct {
    const char *pad, *kernel;
  } rows[] = {{"0_0x2_0", "running_totals"}, {"0_0x0_2", "window_runs"}};
  for (int n = 0; n < 2; n++) {
    char text[512];
    snprintf(text, sizeof text, "HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n"
             "ENTRY e {\n x = f32[200,3] parameter(0)\n i = f32[] parameter(1)\n ROOT r = f32[200,3] reduce-window(x, i), window={size=1x3 pad=%s}, to_apply=f\n}\n", rows[n].pad);
    check_program(text, 0, false, false);
    program p;
    hlo_plan *plan = program_open(&p, text, 0, NULL) ? hlo_plan_build(p.module, &p.status) : NULL;
    CHECK(plan && strcmp(plan->routines[0].steps[0].kernel, rows[n].kernel) == 0, "%s", plan ? plan->routines[0].steps[0].kernel : p.status.message);
    hlo_plan_free(plan);
    program_close(&p);
  }
}

/* Windows from each element on to the last, or back to the first, by computations that no kernel knows: elements stay in their order where they are taken from the back, which
 * those of floats alone may be, unless they choose. */
static void test_applied_totals(void) {
  static const struct {
    const char *type, *body;
    double ulps;
    bool from_back;
  } rows[] = {{"f32", " z = f32[] constant(0)\n l = pred[] compare(b, z), direction=LT\n ROOT r = f32[] select(l, a, b)\n", 0, true}, /* the last that is not negative */
              {"f32", " l = pred[] compare(a, b), direction=GE\n ROOT r = f32[] select(l, a, b)\n", 0, false},
              {"s32", " z = s32[] constant(3)\n l = pred[] compare(a, z), direction=EQ\n s = s32[] subtract(b, b)\n d = s32[] add(b, s)\n ROOT r = s32[] select(l, d, a)\n", 0, false},
              {"f64", " m = f64[] maximum(a, b)\n d = f64[] subtract(a, b)\n s = f64[] abs(d)\n n = f64[] negate(s)\n e = f64[] exponential(n)\n l = f64[] log-plus-one(e)\n ROOT r = f64[] add(m, l)\n", 100, true},
              /* a + b, or the last one that has a part behind the point: associative of these inputs, not commutative */
              {"f32", " f = f32[] floor(b)\n l = pred[] compare(b, f), direction=EQ\n s = f32[] add(a, b)\n ROOT r = f32[] select(l, s, b)\n", 0, true}};
  for (int n = 0; n < 10; n++) {
    char text[1024];
    const char *t = rows[n / 2].type;
    snprintf(text, sizeof text, "HloModule m\nf {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n%s}\n"
             "ENTRY e {\n x = %s[3,40,2] parameter(0)\n i = %s[] parameter(1)\n ROOT r = %s[3,40,2] reduce-window(x, i), window={size=1x40x1 pad=0_0x%sx0_0}, to_apply=f\n}\n",
             t, t, rows[n / 2].body, t, t, t, n % 2 ? "0_39" : "39_0");
    check_program(text, rows[n / 2].ulps, false, true);
    program p;
    hlo_plan *plan = program_open(&p, text, 0, NULL) ? hlo_plan_build(p.module, &p.status) : NULL;
    const char *kernel = plan ? plan->routines[0].steps[0].kernel : p.status.message;
    CHECK((strcmp(kernel, "applied_totals") == 0) == (n % 2 == 0 || rows[n / 2].from_back), "%s for\n%s", kernel, text);
    hlo_plan_free(plan);
    program_close(&p);
  }
}

int main(void) {
  test_reduce_window();
  test_applied_totals();
  test_short_totals();
  test_select_and_scatter();
  test_window_select_twin();
  return unit_report();
}
