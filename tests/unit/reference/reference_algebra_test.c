/* fft, cholesky, triangular-solve, batch normalisation. Expected values: NumPy. */
#include "reference_case.h"

#define FFT(operand, result, type, length) ENTRY("x = " operand " parameter(0) ROOT r = " result " fft(x), fft_type=" type ", fft_length=" length)

static const reference_case fft_cases[] = {
    {"fft_4", FFT("c64[4]", "c64[4]", "FFT", "{4}"), {"c64[4] {(1, 0), (2, 0), (3, 0), (4, 0)}"}, "c64[4] {(10, 0), (-2, 2), (-2, 0), (-2, -2)}", 1e-6},
    {"ifft_3", FFT("c128[3]", "c128[3]", "IFFT", "{3}"), {"c128[3] {(1, 0), (2, 0), (3, 1)}"},
     "c128[3] {(2, 0.3333333333333333), (-0.21132486540518713, -0.4553418012614795), (-0.7886751345948128, 0.1220084679281462)}", 1e-15},
    {"rfft_7", FFT("f64[7]", "c128[4]", "RFFT", "{7}"), {"f64[7] {1, 2, 3, 4, 5, 6, 7}"},
     "c128[4] {(28, 0), (-3.5, 7.267824888003178), (-3.5, 2.7911568610884143), (-3.5, 0.7988521603655246)}", 1e-15},
    {"irfft_4", FFT("c128[3]", "f64[4]", "IRFFT", "{4}"), {"c128[3] {(10, 0), (-2, 2), (-2, 0)}"}, "f64[4] {1, 2, 3, 4}", 1e-15},
    {"irfft_ignores_imaginary_parts_of_the_ends", FFT("c64[3]", "f32[4]", "IRFFT", "{4}"), {"c64[3] {(1, 5), (2, 1), (3, 7)}"}, "f32[4] {2, -1, 0, 0}", 1e-6},
    {"rfft_2d", FFT("f64[2,3]", "c128[2,2]", "RFFT", "{2,3}"), {"f64[2,3] { {1, 2, 3}, {4, 5, 7} }"},
     "c128[2,2] { {(22, 0), (-3.5, 2.598076211353316)}, {(-10, 0), (0.5, -0.8660254037844386)} }", 1e-15},
    {"irfft_2d", FFT("c64[2,3]", "f32[2,4]", "IRFFT", "{2,4}"), {"c64[2,3] { {(37, 0), (-4, 5), (-5, 0)}, {(-17, 0), (0, -1), (1, 0)} }"}, "f32[2,4] { {1, 2, 3, 4}, {5, 6, 7, 9} }", 1e-6},
    {"fft_3d", FFT("c64[2,2,2]", "c64[2,2,2]", "FFT", "{2,2,2}"), {"c64[2,2,2] { {{(0, 1), (1, 1)}, {(2, 1), (3, 1)}}, {{(4, 1), (5, 1)}, {(6, 1), (7, 1)}} }"},
     "c64[2,2,2] { {{(28, 8), (-4, 0)}, {(-8, 0), (0, 0)}}, {{(-16, 0), (0, 0)}, {(0, 0), (0, 0)}} }", 1e-6},
    {"fft_of_lines_only", FFT("c64[2,2]", "c64[2,2]", "FFT", "{2}"), {"c64[2,2] { {(1, 0), (2, 0)}, {(3, 0), (5, 0)} }"}, "c64[2,2] { {(3, 0), (-1, 0)}, {(8, 0), (-2, 0)} }", 1e-6},
    {"fft_empty", FFT("c64[0,4]", "c64[0,4]", "FFT", "{4}"), {"c64[0,4] {}"}, "c64[0,4] {}", 0},
};

#define CHOLESKY(type, lower) ENTRY("a = " type " parameter(0) ROOT r = " type " cholesky(a), lower=" lower)
#define SPD "f64[3,3] { {4, 12, -16}, {12, 37, -43}, {-16, -43, 98} }"

static const reference_case cholesky_cases[] = {
    {"cholesky_lower_reads_one_triangle", CHOLESKY("f64[3,3]", "true"), {"f64[3,3] { {4, nan, 7}, {12, 37, 8}, {-16, -43, 98} }"}, "f64[3,3] { {2, 0, 0}, {6, 1, 0}, {-8, 5, 3} }", 0},
    {"cholesky_upper", CHOLESKY("f64[3,3]", "false"), {SPD}, "f64[3,3] { {2, 6, -8}, {0, 1, 5}, {0, 0, 3} }", 0},
    {"cholesky_hermitian", CHOLESKY("c128[3,3]", "true"), {"c128[3,3] { {(4, 0), (0, 0), (0, 0)}, {(2, 2), (6, 0), (0, 0)}, {(0, 0), (0, -1), (3, 0)} }"},
     "c128[3,3] { {(2, 0), (0, 0), (0, 0)}, {(1, 1), (2, 0), (0, 0)}, {(0, 0), (0, -0.5), (1.6583123951777, 0)} }", 1e-15},
    {"cholesky_hermitian_upper", CHOLESKY("c64[2,2]", "false"), {"c64[2,2] { {(4, 0), (2, -2)}, {(9, 9), (6, 0)} }"}, "c64[2,2] { {(2, 0), (1, -1)}, {(0, 0), (2, 0)} }", 0},
    {"cholesky_batch_one_not_definite", CHOLESKY("f32[2,2,2]", "true"), {"f32[2,2,2] { {{-4, 0}, {2, 5}}, {{4, 0}, {2, 5}} }"}, "f32[2,2,2] { {{nan, nan}, {nan, nan}}, {{2, 0}, {1, 2}} }", 0},
    {"cholesky_empty", CHOLESKY("f32[2,0,0]", "true"), {"f32[2,0,0] { {}, {} }"}, "f32[2,0,0] { {}, {} }", 0},
};

#define SOLVE(a, b, attributes) ENTRY("a = " a " parameter(0) b = " b " parameter(1) ROOT r = " b " triangular-solve(a, b), " attributes)
#define LOWER "f32[2,2] { {2, 99}, {3, 4} }"

static const reference_case solve_cases[] = {
    {"solve_left_lower", SOLVE("f32[2,2]", "f32[2,1]", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"), {LOWER, "f32[2,1] { {4}, {14} }"}, "f32[2,1] { {2}, {2} }", 0},
    {"solve_left_lower_transposed", SOLVE("f32[2,2]", "f32[2,1]", "left_side=true, lower=true, transpose_a=TRANSPOSE"), {LOWER, "f32[2,1] { {10}, {8} }"}, "f32[2,1] { {2}, {2} }", 0},
    {"solve_left_upper", SOLVE("f32[2,2]", "f32[2,2]", "left_side=true, transpose_a=NO_TRANSPOSE"), {"f32[2,2] { {2, 3}, {99, 4} }", "f32[2,2] { {8, 5}, {8, 4} }"}, "f32[2,2] { {1, 1}, {2, 1} }", 0},
    {"solve_right_lower", SOLVE("f32[2,2]", "f32[1,2]", "lower=true, transpose_a=NO_TRANSPOSE"), {LOWER, "f32[1,2] { {10, 8} }"}, "f32[1,2] { {2, 2} }", 0},
    {"solve_right_lower_transposed", SOLVE("f32[2,2]", "f32[1,2]", "lower=true, transpose_a=TRANSPOSE"), {LOWER, "f32[1,2] { {4, 14} }"}, "f32[1,2] { {2, 2} }", 0},
    {"solve_right_upper_two_rows", SOLVE("f32[2,2]", "f32[2,2]", "transpose_a=NO_TRANSPOSE"), {"f32[2,2] { {2, 3}, {99, 4} }", "f32[2,2] { {2, 7}, {4, 10} }"}, "f32[2,2] { {1, 1}, {2, 1} }", 0},
    {"solve_unit_diagonal", SOLVE("f32[2,2]", "f32[2,1]", "left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE"), {LOWER, "f32[2,1] { {4}, {14} }"}, "f32[2,1] { {4}, {2} }", 0},
    {"solve_adjoint", SOLVE("c64[2,2]", "c64[2,1]", "left_side=true, lower=true, transpose_a=ADJOINT"), {"c64[2,2] { {(2, 0), (9, 9)}, {(1, 1), (0, 2)} }", "c64[2,1] { {(3, -1)}, {(0, -2)} }"}, "c64[2,1] { {(1, 0)}, {(1, 0)} }", 1e-6},
    {"solve_unit_diagonal_complex", SOLVE("c64[2,2]", "c64[2,1]", "left_side=true, lower=true, unit_diagonal=true, transpose_a=TRANSPOSE"), {"c64[2,2] { {(2, 0), (9, 9)}, {(1, 1), (0, 2)} }", "c64[2,1] { {(3, 3)}, {(2, 0)} }"}, "c64[2,1] { {(1, 1)}, {(2, 0)} }", 1e-6},
    {"solve_singular", SOLVE("f32[1,1]", "f32[1,2]", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"), {"f32[1,1] { {0} }", "f32[1,2] { {1, 0} }"}, "f32[1,2] { {inf, nan} }", 0},
    {"solve_singular_real_stays_real", SOLVE("f64[2,2]", "f64[2,1]", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"), {"f64[2,2] { {0, 0}, {1, 1} }", "f64[2,1] { {1}, {1} }"}, "f64[2,1] { {inf}, {-inf} }", 0},
    {"solve_beside_infinity", SOLVE("f64[3,3]", "f64[3,1]", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"), {"f64[3,3] { {1, 0, 0}, {1, 1, 0}, {1, -1, 1} }", "f64[3,1] { {inf}, {1}, {1} }"}, "f64[3,1] { {inf}, {-inf}, {-inf} }", 0},
    {"solve_keeps_what_rounding_loses", SOLVE("f64[4,4]", "f64[4,1]", "left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE"),
     {"f64[4,4] { {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 1, 1, 1} }", "f64[4,1] { {1e16}, {1}, {-1e16}, {0} }"}, "f64[4,1] { {1e16}, {1}, {-1e16}, {-1} }", 0},
    {"solve_batch", SOLVE("f32[2,1,1]", "f32[2,1,1]", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"), {"f32[2,1,1] { {{2}}, {{4}} }", "f32[2,1,1] { {{2}}, {{2}} }"}, "f32[2,1,1] { {{1}}, {{0.5}} }", 0},
};

#define X42 "f32[4,2] { {1, 2}, {3, 4}, {5, 6}, {7, 9} }"

static const reference_case batch_norm_cases[] = {
    {"batch_norm_training", ENTRY("x = f32[4,2] parameter(0) s = f32[2] parameter(1) o = f32[2] parameter(2) ROOT r = (f32[4,2], f32[2], f32[2]) batch-norm-training(x, s, o), epsilon=4, feature_index=1"),
     {X42, "f32[2] {3, 1}", "f32[2] {1, 0}"},
     "( f32[4,2] { {-2, -0.99413484}, {0, -0.38235956}, {2, 0.22941573}, {4, 1.1470786} }, f32[2] {4, 5.25}, f32[2] {5, 6.6875} )", 1e-6},
    {"batch_norm_training_feature_first", ENTRY("x = f64[1,2,2] parameter(0) s = f64[1] parameter(1) o = f64[1] parameter(2) ROOT r = (f64[1,2,2], f64[1], f64[1]) batch-norm-training(x, s, o), epsilon=0, feature_index=0"),
     {"f64[1,2,2] { {{1, 1}, {3, 3}} }", "f64[1] {2}", "f64[1] {10}"}, "( f64[1,2,2] { {{8, 8}, {12, 12}} }, f64[1] {2}, f64[1] {1} )", 0},
    {"batch_norm_inference", ENTRY("x = f32[2,2] parameter(0) s = f32[2] parameter(1) o = f32[2] parameter(2) m = f32[2] parameter(3) v = f32[2] parameter(4) ROOT r = f32[2,2] batch-norm-inference(x, s, o, m, v), epsilon=1, feature_index=1"),
     {"f32[2,2] { {1, 2}, {3, 4} }", "f32[2] {2, 1}", "f32[2] {0, 5}", "f32[2] {1, 2}", "f32[2] {3, 0}"}, "f32[2,2] { {0, 5}, {2, 7} }", 0},
    /* x^ = {-1, 1}, mean(grad) = 2, mean(grad x^) = 1: 3 / 2 * ({1, 3} - 2 - x^) */
    {"batch_norm_grad", ENTRY("x = f32[2,1] parameter(0) s = f32[1] parameter(1) m = f32[1] parameter(2) v = f32[1] parameter(3) g = f32[2,1] parameter(4) ROOT r = (f32[2,1], f32[1], f32[1]) batch-norm-grad(x, s, m, v, g), epsilon=0, feature_index=1"),
     {"f32[2,1] { {1}, {5} }", "f32[1] {3}", "f32[1] {3}", "f32[1] {4}", "f32[2,1] { {1}, {3} }"}, "( f32[2,1] { {0}, {0} }, f32[1] {2}, f32[1] {4} )", 0},
    {"batch_norm_grad_with_epsilon", ENTRY("x = f64[3,1] parameter(0) s = f64[1] parameter(1) m = f64[1] parameter(2) v = f64[1] parameter(3) g = f64[3,1] parameter(4) ROOT r = (f64[3,1], f64[1], f64[1]) batch-norm-grad(x, s, m, v, g), epsilon=3, feature_index=1"),
     {"f64[3,1] { {-1}, {0}, {1} }", "f64[1] {2}", "f64[1] {0}", "f64[1] {1}", "f64[3,1] { {1}, {0}, {2} }"},
     "( f64[3,1] { {0.08333333333333333}, {-1}, {0.9166666666666666} }, f64[1] {0.5}, f64[1] {3} )", 1e-15},
};

/* Transforms of every length are compared with the definition, and the inverse gives the input back. */
static void check_lengths(void) {
  static const int lengths[] = {1, 2, 3, 5, 8, 60, 63, 64, 65, 67, 96, 97, 128, 210, 256, 331};
  for (int l = 0; l < (int)(sizeof lengths / sizeof *lengths); l++) {
    hlo_arena arena;
    hlo_status status = {0};
    int64_t n = lengths[l];
    char text[256];
    hlo_arena_init(&arena);
    hlo_literal *x = hlo_literal_make(&arena, hlo_shape_make(&arena, HLO_TYPE_C128, &n, 1, &status), &status);
    double *in = x->data, worst = 0, largest = 0;
    for (int64_t i = 0; i < 2 * n; i++) in[i] = sin((double)(i * i + 1));
    const hlo_literal *arguments[] = {x};
    sprintf(text, ENTRY("x = c128[%d] parameter(0) ROOT r = c128[%d] fft(x), fft_type=FFT, fft_length={%d}"), (int)n, (int)n, (int)n);
    hlo_literal *forward = run_text(&arena, "fft length", text, arguments);
    for (int64_t k = 0; forward && k < n; k++) {
      double real = 0, imaginary = 0;
      for (int64_t j = 0; j < n; j++) {
        double angle = -2 * acos(-1.0) * (double)(j * k % n) / (double)n, c = cos(angle), s = sin(angle);
        real += in[2 * j] * c - in[2 * j + 1] * s;
        imaginary += in[2 * j] * s + in[2 * j + 1] * c;
      }
      worst = fmax(worst, hypot(((double *)forward->data)[2 * k] - real, ((double *)forward->data)[2 * k + 1] - imaginary));
      largest = fmax(largest, hypot(real, imaginary));
    }
    CHECK(worst <= 1e-13 * largest, "fft of length %d is %g off", (int)n, worst / largest);
    sprintf(text, ENTRY("x = c128[%d] parameter(0) ROOT r = c128[%d] fft(x), fft_type=IFFT, fft_length={%d}"), (int)n, (int)n, (int)n);
    arguments[0] = forward;
    hlo_literal *back = forward ? run_text(&arena, "ifft length", text, arguments) : NULL;
    if (back) CHECK(leaf_distance(back, x, false) < 1e-14, "ifft of length %d is %g off", (int)n, leaf_distance(back, x, false));
    hlo_arena_free(&arena);
  }
}

int main(void) {
  CHECK_CASES(fft_cases);
  CHECK_CASES(cholesky_cases);
  CHECK_CASES(solve_cases);
  CHECK_CASES(batch_norm_cases);
  check_lengths();
  return unit_report();
}
