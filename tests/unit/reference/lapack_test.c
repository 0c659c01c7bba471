/* Custom calls named after LAPACK. Results that are determined are compared with LAPACK's own; others are checked by their defining
 * equations. */
#include <complex.h>

#include "reference_case.h"

#include "lapack_cases.h"

typedef double complex number;

enum { MOST = 8 };

typedef struct square {
  int64_t rows, cols;
  number at[MOST][MOST];
} square;

static double worth(const square *m) {
  double largest = 0;
  for (int64_t i = 0; i < m->rows; i++)
    for (int64_t k = 0; k < m->cols; k++) largest = fmax(largest, cabs(m->at[i][k]));
  return largest;
}

static square read(const hlo_literal *l) {
  square m = {l->shape->rank > 1 ? l->shape->dims[0] : 1, l->shape->dims[l->shape->rank - 1], {{0}}};
  for (int64_t i = 0; i < m.rows; i++)
    for (int64_t k = 0; k < m.cols; k++) {
      hlo_scalar value = hlo_literal_get(l, i * m.cols + k);
      m.at[i][k] = value.f + (hlo_type_is_complex(l->shape->type) ? value.im * I : 0);
    }
  return m;
}

static square multiply(const square *a, const square *b) {
  square c = {a->rows, b->cols, {{0}}};
  for (int64_t i = 0; i < a->rows; i++)
    for (int64_t j = 0; j < b->cols; j++)
      for (int64_t k = 0; k < a->cols; k++) c.at[i][j] += a->at[i][k] * b->at[k][j];
  return c;
}

static square adjoint(const square *a) {
  square b = {a->cols, a->rows, {{0}}};
  for (int64_t i = 0; i < a->rows; i++)
    for (int64_t k = 0; k < a->cols; k++) b.at[k][i] = conj(a->at[i][k]);
  return b;
}

static double distance(const square *a, const square *b) {
  square d = *a;
  for (int64_t i = 0; i < a->rows; i++)
    for (int64_t k = 0; k < a->cols; k++) d.at[i][k] -= b->at[i][k];
  return worth(&d);
}

static double from_identity(const square *a) {
  square h = adjoint(a), product = multiply(&h, a);
  for (int64_t i = 0; i < product.rows; i++) product.at[i][i] -= 1;
  return worth(&product);
}

static square diagonal(const square *row, int64_t rows, int64_t cols) {
  square d = {rows, cols, {{0}}};
  for (int64_t i = 0; i < row->cols; i++) d.at[i][i] = row->at[0][i];
  return d;
}

/* ---- Inputs ---- */

static uint64_t random_state = 1;
static double random_number(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (double)(int64_t)(random_state >> 33) / 0x1p30 - 1;
}

typedef struct kind {
  const char *type, *real, *complex_type;
  char letter;
  double tolerance;
} kind;

static const kind kinds[] = {
    {"f32", "f32", "c64", 's', 3e-6}, {"f64", "f64", "c128", 'd', 3e-14}, {"c64", "f32", "c64", 'c', 3e-6}, {"c128", "f64", "c128", 'z', 3e-14}};

/* `repeats`: the matrix has small rank, and equal singular values and eigenvalues. */
static hlo_literal *make_input(hlo_arena *arena, const kind *t, int rows, int cols, bool hermitian, bool repeats) {
  hlo_status status = {0};
  hlo_type type;
  hlo_type_from_name((hlo_span){t->type, strlen(t->type)}, &type);
  hlo_literal *l = hlo_literal_make(arena, hlo_shape_make(arena, type, (int64_t[]){rows, cols}, 2, &status), &status);
  for (int64_t i = 0; i < rows * cols; i++) {
    int64_t row = i / cols, col = i % cols;
    hlo_scalar value = {.f = repeats ? (row == col ? 2 : row == col + 1 ? 1 : 0) : random_number(), .im = repeats ? 0 : random_number()};
    if (hermitian && col > row) continue;
    if (hermitian && col == row) value.im = 0;
    hlo_literal_set(l, i, value);
    if (hermitian && repeats) hlo_literal_set(l, i, (hlo_scalar){.f = row == col});
    value.im = -value.im;
    if (hermitian && col < row) hlo_literal_set(l, col * cols + row, repeats ? (hlo_scalar){.f = 0} : value);
  }
  return l;
}

static hlo_literal *call(hlo_arena *arena, const char *routine, const kind *t, int rows, int cols, const char *result, const char *config,
                         const hlo_literal *input) {
  char text[800];
  snprintf(text, sizeof text, ENTRY("a = %s[%d,%d] parameter(0) ROOT r = %s custom-call(a), custom_call_target=\"lapack_%c%s_ffi\", backend_config={%s}"),
           t->type, rows, cols, result, t->letter, routine, config);
  return run_text(arena, routine, text, &input);
}

#define HOLDS(condition) CHECK(condition, "%s, %c, %d x %d%s", __func__, t->letter, rows, cols, repeats ? ", repeated" : "")

/* ---- What they mean ---- */

static void check_eigen_hermitian(hlo_arena *arena, const kind *t, int n, bool repeats) {
  int rows = n, cols = n;
  char result[200];
  snprintf(result, sizeof result, "(%s[%d,%d], %s[%d], s32[])", t->type, n, n, t->real, n);
  hlo_literal *input = make_input(arena, t, n, n, true, repeats);
  hlo_literal *out = call(arena, strchr("sd", t->letter) ? "syevd" : "heevd", t, n, n, result, "mode = 86 : ui8, uplo = 76 : ui8", input);
  if (!out) return;
  square a = read(input), v = read(out->elements[0]), w = read(out->elements[1]), d = diagonal(&w, n, n);
  square left = multiply(&a, &v), right = multiply(&v, &d);
  HOLDS(distance(&left, &right) < t->tolerance * n);
  HOLDS(from_identity(&v) < t->tolerance * n);
  for (int i = 1; i < n; i++) HOLDS(creal(w.at[0][i - 1]) <= creal(w.at[0][i]));
}

static void check_singular_values(hlo_arena *arena, const kind *t, int rows, int cols, bool full, bool repeats) {
  char result[300];
  int k = rows < cols ? rows : cols, u_cols = full ? rows : k, v_rows = full ? cols : k;
  snprintf(result, sizeof result, "(%s[%d,%d], %s[%d], %s[%d,%d], %s[%d,%d], s32[])", t->type, rows, cols, t->real, k, t->type, rows, u_cols,
           t->type, v_rows, cols);
  hlo_literal *input = make_input(arena, t, rows, cols, false, repeats);
  hlo_literal *out = call(arena, full ? "gesvd" : "gesdd", t, rows, cols, result, full ? "mode = 65 : ui8" : "mode = 83 : ui8", input);
  if (!out) return;
  square a = read(input), s = read(out->elements[1]), u = read(out->elements[2]), vh = read(out->elements[3]), v = adjoint(&vh);
  square d = diagonal(&s, u_cols, v_rows), us = multiply(&u, &d), product = multiply(&us, &vh);
  HOLDS(distance(&a, &product) < t->tolerance * 4);
  HOLDS(from_identity(&u) < t->tolerance * 4);
  HOLDS(from_identity(&v) < t->tolerance * 4);
  for (int i = 1; i < k; i++) HOLDS(creal(s.at[0][i - 1]) >= creal(s.at[0][i]));
}

static void check_eigen_general(hlo_arena *arena, const kind *t, int n, bool repeats) {
  int rows = n, cols = n;
  char result[300];
  bool is_real = strchr("sd", t->letter) != NULL;
  if (is_real) snprintf(result, sizeof result, "(%s[%d], %s[%d], %s[%d,%d], %s[%d,%d], s32[])", t->type, n, t->type, n, t->complex_type, n, n, t->complex_type, n, n);
  else snprintf(result, sizeof result, "(%s[%d], %s[%d,%d], %s[%d,%d], s32[])", t->type, n, t->type, n, n, t->type, n, n);
  hlo_literal *input = make_input(arena, t, n, n, false, repeats);
  hlo_literal *out = call(arena, "geev", t, n, n, result, "compute_left = 86 : ui8, compute_right = 86 : ui8", input);
  if (!out) return;
  square a = read(input), w = read(out->elements[0]), l = read(out->elements[1 + is_real]), r = read(out->elements[2 + is_real]);
  if (is_real) {
    square imaginary = read(out->elements[1]);
    for (int i = 0; i < n; i++) w.at[0][i] += imaginary.at[0][i] * I;
  }
  square d = diagonal(&w, n, n), ar = multiply(&a, &r), rd = multiply(&r, &d), lh = adjoint(&l), la = multiply(&lh, &a), dl = multiply(&d, &lh);
  HOLDS(hlo_literal_get(out->elements[3 + is_real], 0).s == 0);
  HOLDS(distance(&ar, &rd) < t->tolerance * n * 10);
  HOLDS(distance(&la, &dl) < t->tolerance * n * 10);
  for (int i = 0; i < n; i++) {
    double length = 0;
    for (int k = 0; k < n; k++) length += creal(r.at[k][i] * conj(r.at[k][i]));
    HOLDS(fabs(length - 1) < t->tolerance * n);
  }
  hlo_literal *alone = call(arena, "geev", t, n, n, result, "compute_left = 78 : ui8, compute_right = 78 : ui8", input);
  if (!alone) return;
  for (int part = 0; part < 1 + is_real; part++)
    for (int i = 0; i < n; i++) {
      hlo_scalar value = hlo_literal_get(alone->elements[part], i), with_vectors = hlo_literal_get(out->elements[part], i);
      HOLDS(value.f == with_vectors.f && (is_real || value.im == with_vectors.im));
    }
}

static void check_schur(hlo_arena *arena, const kind *t, int n, bool repeats) {
  int rows = n, cols = n;
  char result[300];
  bool is_real = strchr("sd", t->letter) != NULL;
  if (is_real) snprintf(result, sizeof result, "(%s[%d,%d], %s[%d,%d], %s[%d], %s[%d], s32[], s32[])", t->type, n, n, t->type, n, n, t->type, n, t->type, n);
  else snprintf(result, sizeof result, "(%s[%d,%d], %s[%d,%d], %s[%d], s32[], s32[])", t->type, n, n, t->type, n, n, t->type, n);
  hlo_literal *input = make_input(arena, t, n, n, false, repeats);
  hlo_literal *out = call(arena, "gees", t, n, n, result, "mode = 86 : ui8, sort = 78 : ui8", input);
  if (!out) return;
  square a = read(input), s = read(out->elements[0]), z = read(out->elements[1]), zh = adjoint(&z);
  square zs = multiply(&z, &s), product = multiply(&zs, &zh);
  HOLDS(distance(&a, &product) < t->tolerance * n * 4);
  HOLDS(from_identity(&z) < t->tolerance * n * 4);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) HOLDS(s.at[i][k] == 0 || (is_real && k == i - 1));
  for (int i = 1; is_real && i < n; i++) {
    if (s.at[i][i - 1] == 0) continue;
    HOLDS(s.at[i][i] == s.at[i - 1][i - 1] && creal(s.at[i][i - 1] * s.at[i - 1][i]) < 0);
    HOLDS(i + 1 >= n || s.at[i + 1][i] == 0);
  }
}

static void check_meanings(void) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (int n = 1; n < 7; n++) {
      for (int repeats = 0; repeats < 2; repeats++) {
        hlo_arena arena;
        hlo_arena_init(&arena);
        check_eigen_hermitian(&arena, &kinds[i], n, repeats);
        check_singular_values(&arena, &kinds[i], n, 4, true, repeats);
        check_singular_values(&arena, &kinds[i], n, 4, false, repeats);
        if (!repeats) check_eigen_general(&arena, &kinds[i], n, repeats);
        check_schur(&arena, &kinds[i], n, repeats);
        hlo_arena_free(&arena);
      }
    }
  }
}

/* ---- The rest of the built-in targets, and refusals ---- */

#define SYEVD(n) ENTRY("a = f64[" n "," n "] parameter(0) s = f64[" n "] parameter(1) r = (f64[" n "," n "], f64[" n "], s32[]) custom-call(a), " \
                       "custom_call_target=\"lapack_dsyevd_ffi\", backend_config={mode = 86 : ui8, uplo = 76 : ui8}\n" \
                       "w = f64[" n "] get-tuple-element(r), index=1 ROOT x = f64[" n "] multiply(w, s)")

static const reference_case other_cases[] = {
    {"syevd_of_small_numbers", SYEVD("2"), {"f64[2,2] {{2e-170, 1e-170}, {1e-170, 2e-170}}", "f64[2] {1e170, 1e170}"}, "f64[2] {1, 3}", 1e-14},
    {"syevd_of_large_numbers", SYEVD("3"), {"f64[3,3] {{2e200, 1e200, 0}, {1e200, 2e200, 1e200}, {0, 1e200, 2e200}}", "f64[3] {1e-200, 1e-200, 1e-200}"},
     "f64[3] {0.5857864376269049, 2, 3.414213562373095}", 1e-14},
    {"syevd_of_a_small_block", SYEVD("3"), {"f64[3,3] {{1, 0, 0}, {0, 1e-20, 1e-20}, {0, 1e-20, 1e-20}}", "f64[3] {1e20, 1e20, 1}"}, "f64[3] {0, 2, 1}", 1e-14},
    {"geev_of_a_small_block",
     ENTRY("a = f64[3,3] parameter(0) s = f64[3] parameter(1) r = (f64[3], f64[3], c128[3,3], c128[3,3], s32[]) custom-call(a), "
           "custom_call_target=\"lapack_dgeev_ffi\", backend_config={compute_left = 78 : ui8, compute_right = 86 : ui8}\n"
           "w = f64[3] get-tuple-element(r), index=1 ROOT x = f64[3] multiply(w, s)"),
     {"f64[3,3] {{1, 0, 0}, {0, 1e-20, 1e-20}, {0, -1e-20, 1e-20}}", "f64[3] {1, 1e20, 1e20}"}, "f64[3] {0, 1, -1}", 1e-14},
    {"gtsv_with_exchanges",
     ENTRY("l = f64[4] parameter(0) d = f64[4] parameter(1) u = f64[4] parameter(2) b = f64[4,2] parameter(3)\n"
           "r = (f64[4], f64[4], f64[4], f64[4,2], s32[]) custom-call(l, d, u, b), custom_call_target=\"lapack_dgtsv_ffi\", backend_config={}\n"
           "ROOT x = f64[4,2] get-tuple-element(r), index=3"),
     {"f64[4] {0, 3, 1, 4}", "f64[4] {1, 2, 0.5, 3}", "f64[4] {2, 1, 5, 0}", "f64[4,2] {{0, 0}, {2, 3}, {-3, -2}, {2, 3}}"},
     "f64[4,2] {{0.5070422535211268, 0.971830985915493}, {-0.2535211267605634, -0.4859154929577465}, {0.9859154929577465, 1.056338028169014}, {-0.647887323943662, -0.4084507042253521}}", 1e-14},
    {"getrf_singular",
     ENTRY("a = f64[2,2] parameter(0) ROOT r = (f64[2,2], s32[2], s32[]) custom-call(a), custom_call_target=\"lapack_dgetrf_ffi\", backend_config={}"),
     {"f64[2,2] {{0, 1}, {0, 2}}"}, "( f64[2,2] {{0, 1}, {0, 2}}, s32[2] {1, 2}, s32[] 1 )", 0},
    {"potrf_not_positive",
     ENTRY("a = f64[2,2] parameter(0) r = (f64[2,2], s32[]) custom-call(a), custom_call_target=\"lapack_dpotrf_ffi\", backend_config={uplo = 76 : ui8}\nROOT i = s32[] get-tuple-element(r), index=1"),
     {"f64[2,2] {{1, 2}, {2, 1}}"}, "s32[] 2", 0},
    {"sharding_passes_on", ENTRY("a = f32[2] parameter(0) ROOT r = f32[2] custom-call(a), custom_call_target=\"Sharding\""), {"f32[2] {1, 2}"}, "f32[2] {1, 2}", 0},
    {"sdy_passes_on_several",
     ENTRY("a = f32[2] parameter(0) b = s32[] parameter(1) ROOT r = (f32[2], s32[]) custom-call(a, b), custom_call_target=\"xla.sdy.LocalToGlobalShape\""),
     {"f32[2] {1, 2}", "s32[] 3"}, "( f32[2] {1, 2}, s32[] 3 )", 0},
    {"mhlo_erf", ENTRY("a = f32[2] parameter(0) ROOT r = f32[2] custom-call(a), custom_call_target=\"mhlo.erf\""), {"f32[2] {0, 1}"}, "f32[2] {0, 0.8427008}", 1e-6},
    {"mhlo_topk_smallest",
     ENTRY("a = f32[4] parameter(0) ROOT r = (f32[2], s32[2]) custom-call(a), custom_call_target=\"mhlo.topk\", backend_config={k = 2 : i64, largest = false}"),
     {"f32[4] {3, 1, 2, 0}"}, "( f32[2] {0, 1}, s32[2] {3, 1} )", 0},
    {"topk", ENTRY("a = s32[2,3] parameter(0) ROOT r = (s32[2,1], s32[2,1]) custom-call(a), custom_call_target=\"TopK\""), {"s32[2,3] {{3, 1, 2}, {4, 6, 5}}"},
     "( s32[2,1] {{3}, {6}}, s32[2,1] {{0}, {1}} )", 0},
};

static const struct {
  const char *name, *module, *expected;
} refused_cases[] = {
    {"potrf_of_another_result", ENTRY("a = f64[3,3] parameter(0) ROOT r = (f64[2,3], s32[]) custom-call(a), custom_call_target=\"lapack_dpotrf_ffi\""), "potrf takes nn and gives nn,:i"},
    {"geev_without_vectors", ENTRY("a = f64[3,3] parameter(0) ROOT r = (f64[3], f64[3], s32[]) custom-call(a), custom_call_target=\"lapack_dgeev_ffi\""), "geev takes nn"},
    {"getrf_of_integers", ENTRY("a = s32[3,3] parameter(0) ROOT r = (s32[3,3], s32[3], s32[]) custom-call(a), custom_call_target=\"lapack_sgetrf_ffi\""), "getrf takes mn"},
    {"ormqr_from_the_wrong_side", ENTRY("a = f64[4,3] parameter(0) t = f64[3] constant({0,0,0}) c = f64[2,4] constant({{0,0,0,0},{0,0,0,0}}) ROOT r = f64[2,4] custom-call(a, t, c), custom_call_target=\"lapack_dormqr_ffi\", backend_config={left = true, transpose = false}"), "ormqr takes mn,q,mp and gives mp"},
    {"ormqr_of_too_many", ENTRY("a = f64[4,3] parameter(0) t = f64[4] constant({0,0,0,0}) c = f64[2,4] constant({{0,0,0,0},{0,0,0,0}}) ROOT r = f64[2,4] custom-call(a, t, c), custom_call_target=\"lapack_dormqr_ffi\", backend_config={left = false}"), "ormqr takes mn,q,pm and gives pm (the same letter the same size; k = min(m, n), j = n - 1, q <= k), got f64[2,4] from f64[4,3]"},
    {"orgqr_of_too_many", ENTRY("a = f64[2,3] parameter(0) t = f64[3] constant({0,0,0}) ROOT r = f64[2,3] custom-call(a, t), custom_call_target=\"lapack_dorgqr_ffi\""), "orgqr takes mn,q and gives mn"},
    {"shards_of_another_shape", ENTRY("a = f32[4] parameter(0) ROOT r = f32[2] custom-call(a), custom_call_target=\"SPMDFullToShardShape\""), "only the same shape can be passed on"},
    {"topk_that_grows", ENTRY("a = f32[2] parameter(0) ROOT r = (f32[3], s32[3]) custom-call(a), custom_call_target=\"TopK\""), "only the last dimension"},
    {"unknown_routine", ENTRY("a = f32[2,2] parameter(0) ROOT r = f32[2,2] custom-call(a), custom_call_target=\"lapack_sgemm_ffi\""), "neither built in nor registered"},
    {"gesdd_of_other_vectors", ENTRY("a = f64[3,2] parameter(0) ROOT r = (f64[3,2], f64[2], f64[4,4], f64[2,2], s32[]) custom-call(a), custom_call_target=\"lapack_dgesdd_ffi\", backend_config={mode = 65 : ui8}"), "gesdd takes mn and gives mn,k:r,mm,nn,:i"},
    {"gesvd_of_square_vectors", ENTRY("a = f64[3,2] parameter(0) ROOT r = (f64[3,2], f64[2], f64[3,3], f64[2,2], s32[]) custom-call(a), custom_call_target=\"lapack_dgesvd_ffi\", backend_config={mode = 83 : ui8}"), "gesvd takes mn and gives mn,k:r,mk,kn,:i"},
    {"check_with_a_result", ENTRY("a = f32[256] parameter(0) ROOT r = f32[256] custom-call(a, a), custom_call_target=\"check.eq\""), "a check gives () or pred[], not f32[256]"},
    {"check_with_flags", ENTRY("a = f32[2] parameter(0) ROOT r = pred[2] custom-call(a, a), custom_call_target=\"check.expect_close\""), "a check gives () or pred[], not pred[2]"},
    {"check_of_one", ENTRY("a = f32[2] parameter(0) ROOT r = () custom-call(a), custom_call_target=\"check.expect_eq\""), "a check takes two arrays of the same shape"},
    {"assertion_with_a_result", ENTRY("a = pred[] parameter(0) ROOT r = s32[4] custom-call(a), custom_call_target=\"shape_assertion\""), "an assertion gives (), not s32[4]"},
    {"assertion_that_fails", ENTRY("a = pred[] constant(false) ROOT r = () custom-call(a), custom_call_target=\"shape_assertion\", backend_config={error_message = \"odd\"}"), "shape_assertion r does not hold: "},
};

static void check_refused(void) {
  for (size_t i = 0; i < sizeof refused_cases / sizeof *refused_cases; i++) {
    hlo_arena arena;
    hlo_status status = {0};
    hlo_arena_init(&arena);
    char text[1000];
    snprintf(text, sizeof text, "HloModule case\n\n%s", refused_cases[i].module);
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    hlo_host host = {0};
    hlo_run_options options = {.replicas = 1, .partitions = 1, .host = &host};
    hlo_literal *result = NULL;
    const hlo_literal *arguments[1] = {NULL};
    if (module) {
      const hlo_computation *entry = hlo_module_entry(module);
      if (entry->parameter_count) arguments[0] = hlo_literal_make(&arena, entry->instructions[entry->parameters[0]]->shape, &status);
      hlo_reference_run(module, &options, arguments, &arena, &result, &status);
    }
    CHECK(!result && unit_says(status.message, refused_cases[i].expected, text), "%s: expected %s, got %s", refused_cases[i].name, refused_cases[i].expected, status.message);
    if (module) hlo_module_free(module);
    hlo_arena_free(&arena);
  }
}

int main(void) {
  CHECK_CASES(lapack_cases);
  CHECK_CASES(other_cases);
  check_meanings();
  check_refused();
  return unit_report();
}
