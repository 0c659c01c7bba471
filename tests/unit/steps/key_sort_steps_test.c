/* sort as a kernel against the reference: orders of keys over types, lengths, dimensions, ties, NaNs and payloads. */
#include "plan/plan.h"
#include "program.h"

/* Comparators: %t stands for the type, %p for that of its parts where it is complex, and parameters are named a0, b0, a1, b1, ... */
static const struct {
  const char *name, *body;
  bool floats_only, kernel;
} comparators[] = {
    {"less", "ROOT r = pred[] compare(a0, b0), direction=LT", false, true},
    {"greater", "ROOT r = pred[] compare(a0, b0), direction=GT", false, true},
    {"less_swapped", "ROOT r = pred[] compare(b0, a0), direction=LT", false, true},
    {"total_order", "ROOT r = pred[] compare(a0, b0), direction=LT, type=TOTALORDER", true, true},
    {"total_order_descending", "ROOT r = pred[] compare(a0, b0), direction=GT, type=TOTALORDER", true, true},
    {"canonical", "n = %t[] constant(nan) z = %t[] constant(0) an = pred[] compare(a0, a0), direction=NE "
     "az = pred[] compare(a0, z), direction=EQ as = %t[] select(az, z, a0) at = %t[] select(an, n, as) "
     "bn = pred[] compare(b0, b0), direction=NE bz = pred[] compare(b0, z), direction=EQ bs = %t[] select(bz, z, b0) "
     "bt = %t[] select(bn, n, bs) ROOT r = pred[] compare(at, bt), direction=LT, type=TOTALORDER", true, true},
    {"nans_last", "n = %t[] constant(nan) an = pred[] compare(a0, a0), direction=NE at = %t[] select(an, n, a0) "
     "bn = pred[] compare(b0, b0), direction=NE bt = %t[] select(bn, n, b0) ROOT r = pred[] compare(at, bt), direction=LT, type=TOTALORDER", true, true},
    {"nans_first", "n = %t[] constant(nan) an = pred[] compare(a0, a0), direction=NE at = %t[] select(an, n, a0) "
     "bn = pred[] compare(b0, b0), direction=NE bt = %t[] select(bn, n, b0) ROOT r = pred[] compare(bt, at), direction=LT, type=TOTALORDER", true, true},
    {"two_keys", "l = pred[] compare(a0, b0), direction=LT, type=TOTALORDER e = pred[] compare(a0, b0), direction=EQ, type=TOTALORDER "
     "m = pred[] compare(a1, b1), direction=GT t = pred[] and(e, m) ROOT r = pred[] or(l, t)", true, true},
    {"by_the_second", "ROOT r = pred[] compare(a1, b1), direction=LT", false, true},
    {"not_strict", "ROOT r = pred[] compare(a0, b0), direction=LE", false, true},
    {"of_unlike_elements", "m = %t[] negate(a0) ROOT r = pred[] compare(m, b0), direction=LT", true, true},
    {"by_size_then_payload", "m = %t[] abs(a0) n = %t[] abs(b0) l = pred[] compare(m, n), direction=LT e = pred[] compare(m, n), direction=EQ "
     "p = pred[] compare(a1, b1), direction=GT q = pred[] and(e, p) ROOT r = pred[] or(l, q)", true, true},
    {"always", "t = pred[] constant(true) ROOT r = pred[] or(t, t)", false, true},
    {"parts", "n = %p[] constant(nan) z = %p[] constant(0) x = %p[] real(a0) xz = pred[] compare(x, z), direction=EQ "
     "xs = %p[] select(xz, z, x) xn = pred[] compare(x, x), direction=NE xt = %p[] select(xn, n, xs) y = %p[] real(b0) "
     "yz = pred[] compare(y, z), direction=EQ ys = %p[] select(yz, z, y) yn = pred[] compare(y, y), direction=NE "
     "yt = %p[] select(yn, n, ys) i = %p[] imag(a0) j = %p[] imag(b0) l = pred[] compare(xt, yt), direction=LT, type=TOTALORDER "
     "e = pred[] compare(xt, yt), direction=EQ, type=TOTALORDER m = pred[] compare(i, j), direction=LT, type=TOTALORDER "
     "t = pred[] and(e, m) ROOT r = pred[] or(l, t)", false, true},
    {"imaginary_descending", "i = %p[] imag(a0) j = %p[] imag(b0) ROOT r = pred[] compare(i, j), direction=GT, type=TOTALORDER", false, true},
    {"no_kernel", "m = %t[] next-after(a0, b0) ROOT r = pred[] compare(m, b0), direction=LT", true, false},
};
static const char *const types[] = {"f32", "s32", "u32", "bf16", "f16", "f64", "s64", "s8", "u16", "u8", "f8e4m3fn", "f8e5m2", "c64", "c128"};
static const char *const shapes[] = {"[0]", "[1]", "[2]", "[39]", "[40]", "[41]", "[300]", "[5000]", "[3,50]", "[0,3]", "[7,1,60]"};

static void write_body(char *to, const char *body, const char *type) {
  for (; *body; body++) {
    if (body[0] == '%' && body[1] == 't') to += sprintf(to, "%s", type), body++;
    else if (body[0] == '%' && body[1] == 'p') to += sprintf(to, "%s", type[1] == '6' ? "f32" : "f64"), body++;
    else *to++ = *body;
  }
  *to = 0;
}

static char *sort_program(const char *type, const char *shape, int along, int comparator, bool alone) {
  static char text[4096], body[2048];
  char tuple[100];
  snprintf(tuple, sizeof tuple, alone ? "%s%s" : "(%s%s, s32%s, pred%s)", type, shape, shape, shape);
  write_body(body, comparators[comparator].body, type);
  int n = snprintf(text, sizeof text, "HloModule m\nc {\n a0 = %s[] parameter(0)\n b0 = %s[] parameter(1)\n", type, type);
  if (!alone)
    n += snprintf(text + n, sizeof text - (size_t)n, " a1 = s32[] parameter(2)\n b1 = s32[] parameter(3)\n a2 = pred[] parameter(4)\n b2 = pred[] parameter(5)\n");
  n += snprintf(text + n, sizeof text - (size_t)n, " %s\n}\nENTRY e {\n x = %s%s parameter(0)\n", body, type, shape);
  if (!alone) n += snprintf(text + n, sizeof text - (size_t)n, " y = s32%s parameter(1)\n z = pred%s parameter(2)\n", shape, shape);
  snprintf(text + n, sizeof text - (size_t)n, " ROOT s = %s sort(%s), dimensions={%d}, is_stable=true, to_apply=c\n}\n", tuple,
           alone ? "x" : "x, y, z", along);
  return text;
}

/* An element among which many tie. */
static double odd_number(double otherwise, int round) {
  static const double odd[] = {-0.0, 0.0, INFINITY, -INFINITY, 1e-40, NAN, -NAN};
  return random_below(3) == 0 ? odd[random_below(round == 1 ? 5 : 7)] : otherwise;
}

/* Fills an array with elements that tie, zeros of both signs, infinities, and, where asked, NaNs of both signs; or with any bits that are
 * no NaN. */
static void fill(program *p, int parameter, int round) {
  const hlo_shape *shape = hlo_executable_parameter_shape(p->planned, parameter);
  hlo_literal literal = {.shape = shape, .data = p->inputs[parameter].leaves[0]};
  for (int64_t e = 0; e < hlo_shape_element_count(shape); e++) {
    hlo_scalar value = program_value(shape->type, round == 0 ? UNIT_NUMBERS : WHOLE_NUMBERS);
    if (hlo_type_is_float(shape->type) || hlo_type_is_complex(shape->type)) {
      value.f = round == 0 ? (value.f - 0.5) * 1000 : odd_number(value.f, round);
      if (hlo_type_is_complex(shape->type)) value.im = odd_number(value.im, 1);
    } else if (round == 0 && shape->type != HLO_TYPE_PRED) {
      value.u = random_bits();
    }
    hlo_literal_set(&literal, e, value);
  }
}

/* Compares results bit for bit, so that signs of zeros count. */
static bool same_outputs(const program *p) {
  const hlo_buffers *a = &p->planned_outputs[0], *b = &p->reference_outputs[0];
  for (int i = 0; i < a->leaf_count; i++) {
    int64_t bytes = hlo_shape_dense_bytes(hlo_shape_leaf(hlo_executable_result_shape(p->planned), i));
    if (bytes && memcmp(a->leaves[i], b->leaves[i], (size_t)bytes)) return false;
  }
  return true;
}

static void check_sort(const char *type, const char *shape, int along, int comparator, bool alone) {
  char *text = sort_program(type, shape, along, comparator, alone);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) CHECK(program_uses_reference(&p) != comparators[comparator].kernel, "%s of %s", comparators[comparator].name, type);
  for (int round = 0; ran && round < 3; round++) {
    for (int n = 0; n < p.parameters; n++) fill(&p, n, round);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && same_outputs(&p), "%s of %s%s along %d, alone %d, round %d: %s", comparators[comparator].name, type, shape, along, alone, round,
          p.status.message);
  }
  program_close(&p);
}

int main(void) {
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      for (size_t c = 0; c < sizeof comparators / sizeof *comparators; c++) {
        bool is_float = types[t][0] == 'f' || types[t][0] == 'b', second = strstr(comparators[c].body, "a1") != NULL;
        if ((types[t][0] == 'c') != (strstr(comparators[c].body, "%p") != NULL)) continue;
        /* floats of 8 bits have no kernels of their own in comparators that are no orders of keys */
        if (types[t][1] == '8' && types[t][0] == 'f' && (strstr(comparators[c].body, "%t[] negate") || strstr(comparators[c].body, "abs") || strstr(comparators[c].body, "LE"))) continue;
        if ((comparators[c].floats_only && !is_float) || (shapes[s][1] == '5' && shapes[s][2] == '0' && (t > 1 || !comparators[c].kernel))) continue;
        int rank = 1;
        for (const char *at = shapes[s]; *at; at++) rank += *at == ',';
        for (int along = 0; along < rank; along++) {
          if (!second) check_sort(types[t], shapes[s], along, (int)c, true);
          check_sort(types[t], shapes[s], along, (int)c, false);
        }
      }
  return unit_report();
}
