/* Aborts in the middle of a factorisation on the planned path: what is left of it works on numbers that nobody has computed, and still reads
 * and writes nothing but its own arrays. Sanitizers watch. */
#include "program.h"

#define LAPACK(name, type, rows, cols, result, rest) \
  {#name, "x = " type "[" #rows "," #cols "] parameter(0) ROOT r = " result " custom-call(x), custom_call_target=\"lapack_" #name "_ffi\"" rest}

static const struct {
  const char *name, *entry;
} rows[] = {
    LAPACK(dgetrf, "f64", 400, 360, "(f64[400,360], s32[360], s32[])", ""),
    LAPACK(sgetrf, "f32", 400, 400, "(f32[400,400], s32[400], s32[])", ""),
    LAPACK(zgetrf, "c128", 300, 340, "(c128[300,340], s32[300], s32[])", ""),
    LAPACK(dgeqrf, "f64", 300, 200, "(f64[300,200], f64[200])", ""),
    LAPACK(dpotrf, "f64", 400, 400, "(f64[400,400], s32[])", ", backend_config=\"{uplo = 76 : ui8}\""),
    LAPACK(dsyevd, "f64", 160, 160, "(f64[160,160], f64[160], s32[])", ", backend_config=\"{mode = 86 : ui8, uplo = 76 : ui8}\""),
    LAPACK(cheevd, "c64", 160, 160, "(c64[160,160], f32[160], s32[])", ", backend_config=\"{mode = 86 : ui8, uplo = 85 : ui8}\""),
    LAPACK(ssyevd, "f32", 400, 400, "(f32[400,400], f32[400], s32[])", ", backend_config=\"{mode = 78 : ui8, uplo = 76 : ui8}\""),
    LAPACK(dgesdd, "f64", 200, 120, "(f64[200,120], f64[120], f64[200,200], f64[120,120], s32[])", ", backend_config=\"{mode = 65 : ui8}\""),
    LAPACK(cgesdd, "c64", 100, 160, "(c64[100,160], f32[100], c64[100,100], c64[100,160], s32[])", ", backend_config=\"{mode = 83 : ui8}\""),
    LAPACK(sgesdd, "f32", 320, 320, "(f32[320,320], f32[320], f32[320,320], f32[320,320], s32[])", ", backend_config=\"{mode = 78 : ui8}\""),
    LAPACK(dgeev, "f64", 120, 120, "(f64[120], f64[120], c128[120,120], c128[120,120], s32[])", ", backend_config=\"{compute_left = 86 : ui8, compute_right = 86 : ui8}\""),
    LAPACK(cgees, "c64", 140, 140, "(c64[140,140], c64[140,140], c64[140], s32[], s32[])", ", backend_config=\"{mode = 86 : ui8, sort = 78 : ui8}\""),
    LAPACK(sgehrd, "f32", 200, 200, "(f32[200,200], f32[199], s32[])", ", backend_config=\"{low = 1 : i32, high = 200 : i32}\""),
    LAPACK(dsytrd, "f64", 500, 500, "(f64[500,500], f64[500], f64[499], f64[499], s32[])", ", backend_config=\"{uplo = 85 : ui8}\""),
    {"orgqr", "x = f64[300,200] parameter(0) t = f64[200] parameter(1) ROOT r = f64[300,200] custom-call(x, t), custom_call_target=\"lapack_dorgqr_ffi\""},
    {"ormqr", "x = f64[300,200] parameter(0) t = f64[200] parameter(1) c = f64[100,300] parameter(2) ROOT r = f64[100,300] custom-call(x, t, c), custom_call_target=\"lapack_dormqr_ffi\", backend_config=\"{left = false}\""},
    {"geqp3", "x = f32[300,200] parameter(0) p = s32[200] iota(), iota_dimension=0 ROOT r = (f32[300,200], s32[200], f32[200]) custom-call(x, p), custom_call_target=\"lapack_sgeqp3_ffi\""},
    {"triangular_solve", "x = f64[300,300] parameter(0) y = f64[300,200] parameter(1) ROOT r = f64[300,200] triangular-solve(x, y), left_side=true, lower=true, "
                         "transpose_a=NO_TRANSPOSE"},
    {"cholesky", "x = f32[400,400] parameter(0) ROOT r = f32[400,400] cholesky(x), lower=true"},
};

/* New memory holds such numbers as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "max_malloc_fill_size=268435456:malloc_fill_byte=107"; }

typedef struct patience {
  hlo_host host;
  int questions, last; /* asked so far; the one that is answered with an abort, 0: none */
} patience;

static bool is_aborted(hlo_host *host) {
  patience *p = host->context;
  return ++p->questions == p->last;
}

/* Results that nobody has written are numbers that no array has room for. */
static void spoil(const program *p) {
  const hlo_shape *shape = hlo_executable_result_shape(p->planned);
  for (int i = 0; i < p->planned_outputs->leaf_count; i++) {
    int64_t bytes = 0;
    hlo_status status = {0};
    if (hlo_shape_array_size(hlo_shape_leaf(shape, i), &bytes, &status)) memset(p->planned_outputs->leaves[i], 0x6B, (size_t)bytes);
  }
}

/* The same numbers each time, by which iterations are counted. */
static void fill(program *p) {
  random_state = RANDOM_SEED;
  program_fill_inputs(p, UNIT_NUMBERS);
  const hlo_shape *shape = hlo_executable_parameter_shape(p->planned, 0);
  hlo_literal literal = {.shape = shape, .data = p->inputs[0].leaves[0]};
  for (int64_t i = 0; i < shape->dims[0] && i < shape->dims[1]; i++) hlo_literal_set_real(&literal, i * shape->dims[1] + i, 500.0 + (double)i);
}

/* Runs once, in memory that nobody has written, and aborts at a question. Returns how many were asked. */
static int run(const char *name, const char *entry, int last) {
  patience patient = {.host = {.aborted = is_aborted}};
  char text[700];
  program p;
  patient.host.context = &patient;
  snprintf(text, sizeof text, "HloModule m\nENTRY e { %s }", entry);
  bool opened = program_open(&p, text, 0, &patient.host);
  CHECK(opened, "%s: %s", name, p.status.message);
  if (opened) {
    CHECK(!program_uses_reference(&p), "%s has no kernel", name);
    fill(&p);
    spoil(&p);
    patient.questions = 0;
    patient.last = last;
    bool ran = program_run_planned(&p);
    CHECK(last ? !ran && p.status.code == HLO_ABORTED : ran, "%s: question %d: %s", name, last, p.status.message);
  }
  program_close(&p);
  return patient.questions;
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int questions = run(rows[i].name, rows[i].entry, 0);
    CHECK(questions >= 2, "%s: %d questions", rows[i].name, questions);
    for (int last = 1; last <= questions; last++) run(rows[i].name, rows[i].entry, last);
  }
  return unit_report();
}
