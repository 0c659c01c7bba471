/* fft as a kernel against the reference: kinds, types, lengths of every kind of factors, one to three dimensions, batches. */
#include "plan/plan.h"
#include "program.h"

static const char *const kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

/* Writes a shape with these dimensions, but `last` as the last one. */
static void write_shape(char *to, const char *type, const int64_t *dims, int rank, int64_t last) {
  to += sprintf(to, "%s[", type);
  for (int d = 0; d < rank; d++) to += sprintf(to, d ? ",%d" : "%d", (int)(d == rank - 1 ? last : dims[d]));
  sprintf(to, "]");
}

static bool uses_kernel(const program *p) {
  hlo_status status = {0};
  hlo_plan *plan = hlo_plan_build(p->module, &status);
  bool found = plan && plan->routines[0].step_count == 1 && plan->routines[0].steps[0].kind == HLO_STEP_KERNEL;
  hlo_plan_free(plan);
  return found;
}

/* Returns how far two arrays are apart beyond what is allowed, relative to the largest number; 0: not at all. A transform adds up numbers
 * of all sizes: allowed is the error of a sum of the largest. */
static double distance(hlo_type type, const void *a, const void *b, int64_t count) {
  double largest = 1e-300, worst = 0;
  int parts = hlo_type_is_complex(type) ? 2 : 1;
  bool is_double = type == HLO_TYPE_C128 || type == HLO_TYPE_F64;
  hlo_type part = is_double ? HLO_TYPE_F64 : HLO_TYPE_F32;
  for (int64_t i = 0; i < parts * count; i++) {
    if (!isfinite(hlo_scalar_load(part, b, i).f)) return INFINITY; /* of which any result would be near enough */
    largest = fmax(largest, fabs(hlo_scalar_load(part, b, i).f));
  }
  for (int64_t i = 0; i < parts * count; i++) {
    double x = hlo_scalar_load(part, a, i).f, y = hlo_scalar_load(part, b, i).f, off = fabs(x - y);
    double allowed = largest * (is_double ? 2e-14 : 0x1p-23 * (log2((double)count) + 1));
    worst = !(off <= allowed) ? fmax(worst, isnan(off) ? INFINITY : off / largest) : worst;
  }
  return worst;
}

static void check(int kind, bool is_double, const int64_t *dims, int rank, int transformed) {
  char complex_shape[100], real_shape[100], lengths[60] = "", text[600];
  int64_t last = dims[rank - 1];
  write_shape(complex_shape, is_double ? "c128" : "c64", dims, rank, kind < 2 ? last : last / 2 + 1);
  write_shape(real_shape, is_double ? "f64" : "f32", dims, rank, last);
  for (int d = rank - transformed; d < rank; d++) sprintf(lengths + strlen(lengths), *lengths ? ",%d" : "%d", (int)dims[d]);
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s parameter(0)\n ROOT r = %s fft(x), fft_type=%s, fft_length={%s}\n}\n",
           kind == 2 ? real_shape : complex_shape, kind == 3 ? real_shape : complex_shape, kinds[kind], lengths);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    CHECK(uses_kernel(&p), "no kernel for\n%s", text);
    program_fill_inputs(&p, UNIT_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
    const hlo_shape *shape = hlo_executable_result_shape(p.planned);
    double apart = distance(shape->type, p.planned_outputs[0].leaves[0], p.reference_outputs[0].leaves[0], hlo_shape_element_count(shape));
    CHECK(ran && apart == 0, "%g apart: %s", apart, text);
  }
  program_close(&p);
}

int main(void) {
  static const int64_t long_ones[] = {96, 97, 127, 128, 134, 243, 254, 256, 343, 360, 509, 1000, 1009, 1024, 2018, 2310, 4099, 5000};
  for (int kind = 0; kind < 4; kind++)
    for (int is_double = 0; is_double < 2; is_double++) {
      for (int64_t n = 1; n <= 70; n++) {
        check(kind, is_double, (int64_t[]){3, n}, 2, 1);
        check(kind, is_double, (int64_t[]){n}, 1, 1);
        check(kind, is_double, (int64_t[]){2, n, 5, 6}, 4, 3);
        check(kind, is_double, (int64_t[]){n, 11}, 2, 2);
      }
      for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        check(kind, is_double, (int64_t[]){2, long_ones[i]}, 2, 1);
        if (long_ones[i] < 1000) check(kind, is_double, (int64_t[]){long_ones[i], 13}, 2, 2);
      }
    }
  return unit_report();
}
