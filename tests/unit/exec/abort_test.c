/* Aborts in the middle of one long instruction: the reference evaluator asks the host as it goes on, however the instruction spends its time. */
#include "program.h"

typedef struct case_row {
  const char *name, *entry;
} case_row;

#define ON(shape, rest) "x = " shape " parameter(0) ROOT r = " rest
#define LAPACK(name, result, rest) {#name, ON("f64[48,48]", result " custom-call(x), custom_call_target=\"lapack_d" #name "_ffi\"" rest)}

static const case_row rows[] = {
    {"negate", ON("f32[65536]", "f32[65536] negate(x)")},
    {"compare", ON("f32[65536]", "pred[65536] compare(x, x), direction=LT")},
    {"clamp", ON("f32[65536]", "f32[65536] clamp(x, x, x)")},
    {"complex", ON("f32[65536]", "c64[65536] complex(x, x)")},
    {"select", "p = pred[65536] parameter(0) x = f32[65536] parameter(1) ROOT r = f32[65536] select(p, x, x)"},
    {"convert", ON("f32[65536]", "s8[65536] convert(x)")},
    {"bitcast_convert", ON("f32[2048]", "u8[2048,4] bitcast-convert(x)")},
    {"reduce_precision", ON("f32[65536]", "f32[65536] reduce-precision(x), exponent_bits=5, mantissa_bits=3")},
    {"stochastic_convert", "x = f32[65536] parameter(0) b = u32[65536] parameter(1) ROOT r = s8[65536] stochastic-convert(x, b)"},
    {"quantize", ON("f32[65536]", "s8[65536] uniform-quantize(x), quantization={s8:f32, 0.5:1}")},
    {"erf", ON("f32[65536]", "f32[65536] custom-call(x), custom_call_target=\"mhlo.erf\"")},
    {"rng", "l = f32[] parameter(0) h = f32[] parameter(1) ROOT r = f32[65536] rng(l, h), distribution=rng_uniform"},
    {"philox", ON("u64[3]", "(u64[3], u32[65536]) rng-bit-generator(x), algorithm=rng_philox")},
    {"threefry", ON("u64[2]", "(u64[2], u32[65536]) rng-bit-generator(x), algorithm=rng_three_fry")},
    {"threefry_wide", ON("u64[2]", "(u64[2], u64[65536]) rng-bit-generator(x), algorithm=rng_three_fry")},
    {"gather", "x = f32[8,64] parameter(0) i = s32[1024,1] parameter(1) ROOT r = f32[1024,64] gather(x, i), offset_dims={1}, "
               "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}"},
    {"batch_norm_training", "x = f32[65536,1] parameter(0) s = f32[1] parameter(1) o = f32[1] parameter(2) "
                            "ROOT r = (f32[65536,1], f32[1], f32[1]) batch-norm-training(x, s, o), epsilon=0.1, feature_index=1"},
    {"batch_norm_inference", "x = f32[65536,1] parameter(0) s = f32[1] parameter(1) "
                             "ROOT r = f32[65536,1] batch-norm-inference(x, s, s, s, s), epsilon=0.1, feature_index=1"},
    {"batch_norm_grad", "x = f32[65536,1] parameter(0) s = f32[1] parameter(1) "
                        "ROOT r = (f32[65536,1], f32[1], f32[1]) batch-norm-grad(x, s, s, s, x), epsilon=0.1, feature_index=1"},
    {"ragged_rows", "x = f32[64,32] parameter(0) y = f32[2,32,64] parameter(1) g = s32[2] parameter(2) ROOT r = f32[64,64] ragged-dot(x, y, g), "
                    "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"},
    {"ragged_sums", "x = f32[64,64] parameter(0) y = f32[64,32] parameter(1) g = s32[2] parameter(2) ROOT r = f32[2,64,32] ragged-dot(x, y, g), "
                    "lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}"},
    {"fft", ON("c64[4096]", "c64[4096] fft(x), fft_type=FFT, fft_length={4096}")},
    {"fft_of_a_prime", ON("c64[1021]", "c64[1021] fft(x), fft_type=IFFT, fft_length={1021}")},
    {"cholesky", ON("f32[64,64]", "f32[64,64] cholesky(x), lower=true")},
    {"triangular_solve", ON("f32[48,48]", "f32[48,48] triangular-solve(x, x), left_side=true, lower=true, transpose_a=NO_TRANSPOSE")},
    LAPACK(potrf, "(f64[48,48], s32[])", ", backend_config=\"{uplo = 76 : ui8}\""),
    LAPACK(getrf, "(f64[48,48], s32[48], s32[])", ""),
    LAPACK(geqrf, "(f64[48,48], f64[48])", ""),
    LAPACK(gehrd, "(f64[48,48], f64[47], s32[])", ""),
    LAPACK(sytrd, "(f64[48,48], f64[48], f64[47], f64[47], s32[])", ""),
    LAPACK(syevd, "(f64[48,48], f64[48], s32[])", ""),
    LAPACK(gesdd, "(f64[48,48], f64[48], f64[48,48], f64[48,48], s32[])", ""),
    LAPACK(geev, "(f64[48], f64[48], c128[48,48], c128[48,48], s32[])", ""),
    LAPACK(gees, "(f64[48,48], f64[48,48], f64[48], f64[48], s32[], s32[])", ""),
    {"geqp3", "x = f64[48,48] parameter(0) p = s32[48] parameter(1) ROOT r = (f64[48,48], s32[48], f64[48]) custom-call(x, p), custom_call_target=\"lapack_dgeqp3_ffi\""},
    {"orgqr", "x = f64[48,48] parameter(0) t = f64[48] parameter(1) ROOT r = f64[48,48] custom-call(x, t), custom_call_target=\"lapack_dorgqr_ffi\""},
    {"ormqr", "x = f64[48,48] parameter(0) t = f64[48] parameter(1) ROOT r = f64[48,48] custom-call(x, t, x), custom_call_target=\"lapack_dormqr_ffi\""},
    {"trsm", "x = f64[48,48] parameter(0) ROOT r = f64[48,48] custom-call(x, x), custom_call_target=\"lapack_dtrsm_ffi\""},
    {"gtsv", "d = f64[2048] parameter(0) b = f64[2048,16] parameter(1) ROOT r = (f64[2048], f64[2048], f64[2048], f64[2048,16], s32[]) "
             "custom-call(d, d, d, b), custom_call_target=\"lapack_dgtsv_ffi\""},
};

typedef struct patience {
  hlo_host host;
  int questions, last; /* asked so far; the one that is answered with an abort, 0: none */
} patience;

static bool is_aborted(hlo_host *host) {
  patience *p = host->context;
  return ++p->questions == p->last;
}

/* Square matrices are positive definite, so that no routine finds its work done at once. */
static void fill(program *p) {
  program_fill_inputs(p, UNIT_NUMBERS);
  const hlo_shape *shape = hlo_executable_parameter_shape(p->planned, 0);
  if (shape->rank != 2 || shape->dims[0] != shape->dims[1]) return;
  hlo_literal literal = {.shape = shape, .data = p->inputs[0].leaves[0]};
  for (int64_t i = 0; i < shape->dims[0] * shape->dims[0]; i++) {
    int64_t row = i / shape->dims[0], column = i % shape->dims[0];
    hlo_literal_set_real(&literal, i, row == column ? 2.0 + (double)row : 1.0 / (double)(1 + row + column));
  }
}

static void check(const case_row *row) {
  patience patient = {.host = {.aborted = is_aborted}};
  char text[700];
  program p;
  patient.host.context = &patient;
  snprintf(text, sizeof text, "HloModule m\nENTRY e { %s }", row->entry);
  bool opened = program_open(&p, text, 0, &patient.host);
  CHECK(opened, "%s: %s", row->name, p.status.message);
  if (opened) {
    fill(&p);
    patient.questions = 0;
    CHECK(program_run_reference(&p), "%s: %s", row->name, p.status.message);
    CHECK(patient.questions >= 5, "%s: %d questions", row->name, patient.questions);
    patient.last = patient.questions - 2;
    patient.questions = 0;
    CHECK(!program_run_reference(&p) && p.status.code == HLO_ABORTED && patient.questions == patient.last, "%s: %s after %d questions of %d", row->name,
          p.status.message, patient.questions, patient.last);
  }
  program_close(&p);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i]);
  return unit_report();
}
