/* Linear algebra as kernels against the reference, from the instruction on: every call, type, triangle and side, batches, vectors, and what a
 * program of older days says. Where a factor is free in its signs, only its values are compared here; the tests of kernels/linear do the rest. */
#include <stdlib.h>

#include "plan/plan.h"
#include "program.h"

typedef struct step_case {
  const char *name, *text; /* %1$s: the type, %2$s: its real type, %3$c: LAPACK's letter, %4$s: its complex type */
  int compared;            /* leaves of the result that are compared, as bits */
  enum { ALL_TYPES, REAL_TYPES, COMPLEX_TYPES } types;
} step_case;

#define CALL(parameters, result, operands, target, config) \
  "HloModule m\nENTRY e {\n " parameters "\n ROOT r = " result " custom-call(" operands "), custom_call_target=\"" target "\", backend_config={" config "}\n}\n"
#define LAPACK(routine) "lapack_%3$c" routine "_ffi"
#define A44 "a = %1$s[2,4,4] parameter(0) t = %1$s[2,4,4] transpose(a), dimensions={0,2,1} c = %1$s[2,4,4] add(a, t)"
/* Positive: c is real and symmetric, and has 9 on its diagonal. */
#define POSITIVE \
  "a = %1$s[2,5,5] parameter(0) s = %1$s[2,5,5] multiply(a, a) t = %1$s[2,5,5] transpose(s), dimensions={0,2,1} u = %1$s[2,5,5] add(s, t) i = s32[5,5] iota(), iota_dimension=0 " \
  "k = s32[5,5] iota(), iota_dimension=1 e = pred[5,5] compare(i, k), direction=EQ m = f32[] constant(90) nine = %1$s[] convert(m) d = %1$s[5,5] broadcast(nine), dimensions={} " \
  "o = f32[] constant(0) zero = %1$s[] convert(o) z = %1$s[5,5] broadcast(zero), dimensions={} f = %1$s[5,5] select(e, d, z) g = %1$s[2,5,5] broadcast(f), dimensions={1,2} " \
  "c = %1$s[2,5,5] add(u, g)"

static const step_case cases[] = {
    {"cholesky, lower", "HloModule m\nENTRY e { " POSITIVE " ROOT r = %1$s[2,5,5] cholesky(c), lower=true }\n", 1},
    {"cholesky, upper", "HloModule m\nENTRY e { " POSITIVE " ROOT r = %1$s[2,5,5] cholesky(c), lower=false }\n", 1},
    {"cholesky of what has none", "HloModule m\nENTRY e { a = %1$s[3,3] parameter(0) n = %1$s[3,3] subtract(a, a) ROOT r = %1$s[3,3] cholesky(n), lower=true }\n", 1},
    {"triangular-solve, left", "HloModule m\nENTRY e { " POSITIVE " b = %1$s[2,5,7] parameter(1) ROOT r = %1$s[2,5,7] triangular-solve(c, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE }\n", 1},
    {"triangular-solve, adjoint", "HloModule m\nENTRY e { " POSITIVE " b = %1$s[2,5,2] parameter(1) ROOT r = %1$s[2,5,2] triangular-solve(c, b), left_side=true, lower=true, transpose_a=ADJOINT }\n", 1},
    {"triangular-solve, right", "HloModule m\nENTRY e { " POSITIVE " b = %1$s[2,3,5] parameter(1) ROOT r = %1$s[2,3,5] triangular-solve(c, b), left_side=false, lower=false, transpose_a=TRANSPOSE }\n", 1},
    {"triangular-solve, unit", "HloModule m\nENTRY e { a = %1$s[2,5,5] parameter(0) b = %1$s[2,1,5] parameter(1) ROOT r = %1$s[2,1,5] triangular-solve(a, b), lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE }\n", 1},
    {"potrf", CALL(POSITIVE, "(%1$s[2,5,5], s32[2])", "c", LAPACK("potrf"), "uplo = 76 : ui8"), 3},
    {"potrf, upper", CALL(POSITIVE, "(%1$s[2,5,5], s32[2])", "c", LAPACK("potrf"), "uplo = 85 : ui8"), 3},
    {"older potrf", CALL(POSITIVE " low = s32[] constant(1) two = s32[] constant(2) n = s32[] constant(5)", "(%1$s[2,5,5], s32[2])", "low, two, n, c", "lapack_%3$cpotrf", ""), 3},
    {"getrf", CALL("a = %1$s[3,5,4] parameter(0)", "(%1$s[3,5,4], s32[3,4], s32[3])", "a", LAPACK("getrf"), ""), 7},
    {"trsm", CALL(POSITIVE " b = %1$s[2,3,5] parameter(1)", "%1$s[2,3,5]", "c, b", LAPACK("trsm"), "diag = 78 : ui8, side = 82 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8"), 1},
    {"gtsv", CALL("l = %1$s[2,6] parameter(0) d = %1$s[2,6] parameter(1) u = %1$s[2,6] parameter(2) b = %1$s[2,6,3] parameter(3) m = f32[2,6] constant({{5,7,5,7,5,7},{5,7,5,7,5,7}}) w = %1$s[2,6] convert(m) d2 = %1$s[2,6] add(d, w)",
                  "(%1$s[2,6], %1$s[2,6], %1$s[2,6], %1$s[2,6,3], s32[2])", "l, d2, u, b", LAPACK("gtsv"), ""), 24},
    {"geqrf", CALL("a = %1$s[2,6,4] parameter(0)", "(%1$s[2,6,4], %1$s[2,4])", "a", LAPACK("geqrf"), ""), 3},
    {"orgqr", CALL("a = %1$s[6,4] parameter(0) t = %1$s[3] parameter(1)", "%1$s[6,4]", "a, t", LAPACK("orgqr"), ""), 1},
    {"ormqr", CALL("a = %1$s[2,6,4] parameter(0) t = %1$s[2,3] parameter(1) b = %1$s[2,6,5] parameter(2)", "%1$s[2,6,5]", "a, t, b", LAPACK("ormqr"), "left = true, transpose = false"), 1},
    {"ormqr, adjoint", CALL("a = %1$s[2,6,4] parameter(0) t = %1$s[2,3] parameter(1) b = %1$s[2,6,5] parameter(2)", "%1$s[2,6,5]", "a, t, b", LAPACK("unmqr"), "left = true, transpose = true"), 1},
    {"ormqr, right", CALL("a = %1$s[4,6] parameter(0) t = %1$s[4] parameter(1) b = %1$s[1,4] parameter(2)", "%1$s[1,4]", "a, t, b", LAPACK("ormqr"), "left = false, transpose = false"), 1},
    {"ormqr, right, adjoint", CALL("a = %1$s[6,2] parameter(0) t = %1$s[2] parameter(1) b = %1$s[5,6] parameter(2)", "%1$s[5,6]", "a, t, b", LAPACK("ormqr"), "left = false, transpose = true"), 1},
    {"ormqr of three blocks", CALL("x = %1$s[90,70] parameter(0) f = (%1$s[90,70], %1$s[70]) custom-call(x), custom_call_target=\"" LAPACK("geqrf") "\" a = %1$s[90,70] get-tuple-element(f), index=0 "
                                  "t = %1$s[70] get-tuple-element(f), index=1 b = %1$s[90,5] parameter(1)", "%1$s[90,5]", "a, t, b", LAPACK("ormqr"), "left = true, transpose = false"), 1},
    {"ormqr of three blocks, right", CALL("x = %1$s[90,70] parameter(0) f = (%1$s[90,70], %1$s[70]) custom-call(x), custom_call_target=\"" LAPACK("geqrf") "\" a = %1$s[90,70] get-tuple-element(f), index=0 "
                                  "t = %1$s[70] get-tuple-element(f), index=1 b = %1$s[5,90] parameter(1)", "%1$s[5,90]", "a, t, b", LAPACK("ormqr"), "left = false, transpose = false"), 1},
    {"geqp3", CALL("a = %1$s[2,6,4] parameter(0) p = s32[2,4] constant({{0,0,0,0},{0,1,0,1}})", "(%1$s[2,6,4], s32[2,4], %1$s[2,4])", "a, p", LAPACK("geqp3"), ""), 7},
    {"geqp3, wide", CALL("a = %1$s[3,7] parameter(0) p = s32[7] constant({0,0,0,0,0,0,2})", "(%1$s[3,7], s32[7], %1$s[3])", "a, p", LAPACK("geqp3"), ""), 7},
    {"syevd", CALL(A44, "(%1$s[2,4,4], %2$s[2,4], s32[2])", "c", LAPACK("syevd"), "mode = 86 : ui8, uplo = 85 : ui8"), 6},
    {"gesdd", CALL("a = %1$s[2,5,3] parameter(0)", "(%1$s[2,5,3], %2$s[2,3], %1$s[2,5,3], %1$s[2,3,3], s32[2])", "a", LAPACK("gesdd"), "mode = 83 : ui8"), 19},
    {"gesdd without vectors", CALL("a = %1$s[2,3,5] parameter(0)", "(%1$s[2,3,5], %2$s[2,3], %1$s[2,3,3], %1$s[2,5,5], s32[2])", "a", LAPACK("gesdd"), "mode = 78 : ui8"), 31},
    {"gehrd", CALL("a = %1$s[2,5,5] parameter(0)", "(%1$s[2,5,5], %1$s[2,4], s32[2])", "a", LAPACK("gehrd"), "low = 1 : i32, high = 5 : i32"), 7},
    {"sytrd", CALL(A44, "(%1$s[2,4,4], %2$s[2,4], %2$s[2,3], %1$s[2,3], s32[2])", "c", LAPACK("sytrd"), "uplo = 76 : ui8"), 31},
    {"sytrd, upper", CALL(A44, "(%1$s[2,4,4], %2$s[2,4], %2$s[2,3], %1$s[2,3], s32[2])", "c", LAPACK("sytrd"), "uplo = 85 : ui8"), 31},
    {"geev of real numbers", CALL("a = %1$s[2,6,6] parameter(0)", "(%1$s[2,6], %1$s[2,6], %4$s[2,6,6], %4$s[2,6,6], s32[2])", "a", LAPACK("geev"), "compute_left = 86 : ui8, compute_right = 86 : ui8"), 31, REAL_TYPES},
    {"geev of real numbers, values", CALL("a = %1$s[2,6,6] parameter(0)", "(%1$s[2,6], %1$s[2,6], %4$s[2,6,6], %4$s[2,6,6], s32[2])", "a", LAPACK("geev"), "compute_left = 78 : ui8, compute_right = 78 : ui8"), 31, REAL_TYPES},
    {"geev of complex numbers", CALL("a = %1$s[2,6,6] parameter(0)", "(%1$s[2,6], %1$s[2,6,6], %1$s[2,6,6], s32[2])", "a", LAPACK("geev"), "compute_left = 86 : ui8, compute_right = 86 : ui8"), 15, COMPLEX_TYPES},
    {"geev of complex numbers, values", CALL("a = %1$s[6,6] parameter(0)", "(%1$s[6], %1$s[6,6], %1$s[6,6], s32[])", "a", LAPACK("geev"), "compute_left = 78 : ui8, compute_right = 78 : ui8"), 15, COMPLEX_TYPES},
    {"gees of real numbers", CALL("a = %1$s[2,6,6] parameter(0)", "(%1$s[2,6,6], %1$s[2,6,6], %1$s[2,6], %1$s[2,6], s32[2], s32[2])", "a", LAPACK("gees"), "mode = 86 : ui8, sort = 78 : ui8"), 63, REAL_TYPES},
    {"gees of complex numbers", CALL("a = %1$s[2,6,6] parameter(0)", "(%1$s[2,6,6], %1$s[2,6,6], %1$s[2,6], s32[2], s32[2])", "a", LAPACK("gees"), "mode = 86 : ui8, sort = 78 : ui8"), 28, COMPLEX_TYPES},
    {"sparse times dense", CALL("v = %1$s[5] parameter(0) f = s32[4] constant({0,2,2,5}) i = s32[5] constant({0,3,1,7,2}) b = %1$s[4,6] parameter(1)", "%1$s[3,6]", "v, f, i, b", "cpu_csr_sparse_dense_ffi", ""), 1},
    {"sparse rows that begin again", CALL("v = %1$s[5] parameter(0) f = s32[5] constant({0,4,1,5,-7}) i = s32[5] constant({0,3,1,1,2}) b = %1$s[4,3] parameter(1)", "%1$s[4,3]", "v, f, i, b", "cpu_csr_sparse_dense_ffi", ""), 1},
    {"sparse times vector", CALL("v = %1$s[5] parameter(0) f = s32[4] constant({-1,2,2,9}) i = s32[5] constant({0,3,-1,1,2}) b = %1$s[4] parameter(1)", "%1$s[3]", "v, f, i, b", "cpu_csr_sparse_dense_ffi", ""), 1},
};

static bool is_linear(hlo_opcode opcode) { return opcode == HLO_OP_CHOLESKY || opcode == HLO_OP_TRIANGULAR_SOLVE || opcode == HLO_OP_CUSTOM_CALL; }

/* Returns whether a step of linear algebra is no kernel. */
static bool leaves_some(const program *p) {
  hlo_status status = {0};
  hlo_plan *plan = hlo_plan_build(p->module, &status);
  bool found = !plan;
  for (int i = 0; plan && i < plan->routines[0].step_count; i++)
    found |= is_linear(plan->routines[0].steps[i].instruction->opcode) && plan->routines[0].steps[i].kind != HLO_STEP_KERNEL;
  hlo_plan_free(plan);
  return found;
}

/* Returns how far two leaves are apart, in units of what rounding may do to so small a matrix. */
static double distance(hlo_type type, const void *a, const void *b, int64_t count) {
  bool is_complex = hlo_type_is_complex(type);
  hlo_type part = hlo_type_real_part(type);
  double largest = 1e-300, worst = 0, unit = part == HLO_TYPE_F64 ? 0x1p-52 : 0x1p-23;
  if (!is_complex && !hlo_type_is_float(type)) return memcmp(a, b, (size_t)count * 4) ? INFINITY : 0;
  for (int64_t i = 0; i < (1 + is_complex) * count; i++) {
    double x = hlo_scalar_load(part, a, i).f, y = hlo_scalar_load(part, b, i).f;
    if (isnan(x) && isnan(y)) continue;
    largest = fmax(largest, fabs(y));
    worst = fabs(x - y) <= worst ? worst : fabs(x - y) >= 0 ? fabs(x - y) : INFINITY;
  }
  return worst / largest / unit;
}

static void check(const step_case *c, const char *type, const char *real, char letter) {
  char text[2000];
  bool is_complex = type[0] == 'c';
  if (c->types == (is_complex ? REAL_TYPES : COMPLEX_TYPES)) return;
  snprintf(text, sizeof text, c->text, type, real, letter, strcmp(real, "f64") ? "c64" : "c128");
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s, %s: %s", c->name, type, p.status.message);
  if (ran) {
    CHECK(!leaves_some(&p), "%s, %s: no kernel", c->name, type);
    program_fill_inputs(&p, UNIT_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran, "%s, %s: %s", c->name, type, p.status.message);
    const hlo_shape *shape = hlo_executable_result_shape(p.planned);
    for (int i = 0; ran && i < p.planned_outputs[0].leaf_count; i++) {
      const hlo_shape *leaf = hlo_shape_leaf(shape, i);
      double apart = distance(leaf->type, p.planned_outputs[0].leaves[i], p.reference_outputs[0].leaves[i], hlo_shape_element_count(leaf));
      CHECK(!(c->compared >> i & 1) || apart < 200, "%s, %s: leaf %d is %g units of rounding apart", c->name, type, i, apart);
    }
  }
  program_close(&p);
}

/* A target that the host has registered is the host's. */
static bool has(hlo_host *host, hlo_span target) { return true; }
static bool call(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int count, hlo_literal *result, hlo_status *status) {
  for (int i = 0; i < 4; i++) hlo_literal_set_real(result, i, 42);
  return true;
}

static void check_registered(void) {
  hlo_host host = {.has_custom_call = has, .custom_call = call};
  program p;
  bool ran = program_open(&p, CALL("a = f32[2,2] parameter(0) b = f32[2,2] parameter(1)", "f32[2,2]", "a, b", "lapack_strsm_ffi", ""), 0, &host);
  CHECK(ran && program_run_planned(&p), "%s", p.status.message);
  if (ran) CHECK(*(const float *)p.planned_outputs[0].leaves[0] == 42, "the host's function was not called");
  program_close(&p);
}

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check(&cases[i], "f32", "f32", 's'), check(&cases[i], "f64", "f64", 'd');
    check(&cases[i], "c64", "f32", 'c'), check(&cases[i], "c128", "f64", 'z');
  }
  check_registered();
  return unit_report();
}
