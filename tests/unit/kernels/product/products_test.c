/* Products and convolutions: tile kernels against their scalar twins, dots against sums in a wider type under the bound of
 * pairwise summation, over every tail and form; narrow types against the conversions of the reference. */
#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "kernels/product/dot.h"
#include "kernels/product/convolution.h"
#include "kernels/convert/widen.h"
#include "shape/element_type.h"
#include "threads.h"
#include "random.h"
#include "unit.h"

enum { MAX_TAIL = 67 };

static hlo_team *team; /* runs everything once more, and must give the same bits */

/* ---- Dot ---- */

typedef enum data { RANDOM, POSITIVE, CONSTANT, DATA_KINDS } data;
static const char *const data_names[] = {"random", "positive", "constant"};

static float data_value(data kind) {
  return kind == RANDOM ? (float)(random_unit() * 2 - 1) : kind == POSITIVE ? (float)random_unit() : 0.1f;
}

static double worst_dot_error; /* divided by the bound */

/* Checks one result against its sum in f64: |error| <= eps * (log2(k) + 4) * sum |a * b|. */
static void check_sum(const char *what, double exact, double magnitude, double got, int64_t k) {
  double bound = 0x1p-23 * (log2((double)k) + 4) * magnitude, error = fabs(got - exact);
  if (bound > 0 && error / bound > worst_dot_error) worst_dot_error = error / bound;
  CHECK(error <= bound, "%s, k %d: %.9g instead of %.9g", what, (int)k, got, exact);
}

/* Returns a dot of dense matrices, each of which may lie transposed. */
static hlo_dot dot_of(int64_t m, int64_t n, int64_t k, bool lhs_transposed, bool rhs_transposed, bool out_transposed) {
  return (hlo_dot){.m = m, .n = n, .k = k,
                   .lhs_m_stride = lhs_transposed ? 1 : k, .lhs_k_stride = lhs_transposed ? m : 1,
                   .rhs_k_stride = rhs_transposed ? 1 : n, .rhs_n_stride = rhs_transposed ? k : 1,
                   .out_m_stride = out_transposed ? 1 : n, .out_n_stride = out_transposed ? m : 1};
}

static void set_element(void *array, hlo_dot_type type, int64_t i, data kind) {
  double value = data_value(kind);
  if (type == HLO_DOT_F32) ((float *)array)[i] = (float)value;
  else if (type == HLO_DOT_F64) ((double *)array)[i] = value;
  else if (type == HLO_DOT_S64) ((int64_t *)array)[i] = (int64_t)(value * 0x1p62);
  else ((int32_t *)array)[i] = (int32_t)(value * INT32_MAX);
}

static void check_element(const char *what, const hlo_dot *dot, hlo_dot_type type, const void *lhs, const void *rhs, const void *out, int64_t i, int64_t j) {
  long double exact = 0;
  double magnitude = 0;
  uint32_t integer = 0;
  uint64_t wide = 0;
  for (int64_t p = 0; p < dot->k; p++) {
    int64_t left = i * dot->lhs_m_stride + p * dot->lhs_k_stride, right = p * dot->rhs_k_stride + j * dot->rhs_n_stride;
    if (type == HLO_DOT_S64) {
      wide += ((const uint64_t *)lhs)[left] * ((const uint64_t *)rhs)[right];
      continue;
    }
    if (type == HLO_DOT_S32) {
      integer += ((const uint32_t *)lhs)[left] * ((const uint32_t *)rhs)[right];
      continue;
    }
    long double term = type == HLO_DOT_F32 ? (double)((const float *)lhs)[left] * ((const float *)rhs)[right]
                                           : (long double)((const double *)lhs)[left] * ((const double *)rhs)[right];
    exact += term, magnitude += fabs((double)term);
  }
  int64_t place = i * dot->out_m_stride + j * dot->out_n_stride, k = dot->k ? dot->k : 1;
  if (type == HLO_DOT_F32) check_sum(what, (double)exact, magnitude, ((const float *)out)[place], k);
  else if (type == HLO_DOT_F64)
    CHECK(fabs((double)(((const double *)out)[place] - exact)) <= 0x1p-52 * (log2((double)k) + 4) * magnitude, "%s, k %d: %.17g instead of %.17g", what, (int)k,
          ((const double *)out)[place], (double)exact);
  else if (type == HLO_DOT_S64) CHECK(((const uint64_t *)out)[place] == wide, "%s, k %d", what, (int)k);
  else CHECK(((const uint32_t *)out)[place] == integer, "%s, k %d: %u instead of %u", what, (int)k, ((const uint32_t *)out)[place], integer);
}

/* Checks a dot against sums in a wider type; and by a team and with packed rhs, which must give the same bits, but
 * where a packed matrix is summed with a few rows in another order. */
static void check_dot_type(hlo_dot_type type, const hlo_dot *dot, const char *form, data kind) {
  int64_t bytes = hlo_dot_bytes(type), m = dot->m, n = dot->n, k = dot->k;
  int64_t lhs_count = m * k > 0 ? 1 + (m - 1) * dot->lhs_m_stride + (k - 1) * dot->lhs_k_stride : 0;
  void *lhs = malloc((size_t)(lhs_count * bytes) + 1), *rhs = malloc((size_t)(k * n * bytes) + 1);
  void *out = malloc((size_t)(m * n * bytes) + 1), *same = malloc((size_t)(m * n * bytes) + 1);
  for (int64_t i = 0; i < lhs_count; i++) set_element(lhs, type, i, kind);
  for (int64_t i = 0; i < k * n; i++) set_element(rhs, type, i, kind);
  char *scratch = malloc(hlo_dot_scratch_bytes(dot, type, false, team->threads) + 1);
  hlo_dot_simd128(dot, type, lhs, rhs, false, out, scratch, (hlo_epilogue_target){0}, NULL);
  char what[128];
  snprintf(what, sizeof what, "dot %dx%dx%d%s type %d %s", (int)m, (int)n, (int)k, form, type, data_names[kind]);
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) check_element(what, dot, type, lhs, rhs, out, i, j);
  hlo_dot_simd128(dot, type, lhs, rhs, false, same, scratch, (hlo_epilogue_target){0}, team);
  CHECK(memcmp(out, same, (size_t)(m * n * bytes)) == 0, "%s: by a team, other bits", what);
  size_t packed_bytes = hlo_dot_packed_bytes(dot, type);
  if (packed_bytes) {
    void *packed = malloc(packed_bytes);
    char *less_scratch = malloc(hlo_dot_scratch_bytes(dot, type, true, team->threads) + 1);
    hlo_dot_pack_rhs(dot, type, rhs, packed);
    hlo_dot_simd128(dot, type, lhs, packed, true, same, less_scratch, (hlo_epilogue_target){0}, team);
    bool are_columns = dot->rhs_k_stride == 1 && (m == 1 || (m <= 4 && k <= 1024 && dot->lhs_k_stride == 1 && dot->rhs_n_stride != 1));
    if ((type == HLO_DOT_F64 && m == 1) || (type == HLO_DOT_F32 && (are_columns || (m == 1 && k <= 16)))) { /* summed in another order, by a team as well */
      for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) check_element(what, dot, type, lhs, rhs, same, i, j);
      hlo_dot_simd128(dot, type, lhs, packed, true, out, less_scratch, (hlo_epilogue_target){0}, NULL);
    }
    CHECK(memcmp(out, same, (size_t)(m * n * bytes)) == 0, "%s: packed, other bits", what);
    void *again = calloc((size_t)(k * n), (size_t)bytes);
    hlo_dot_unpack_rhs(dot, type, packed, again);
    CHECK(packed_bytes == (size_t)(k * n * bytes) && memcmp(rhs, again, packed_bytes) == 0, "%s: packed and unpacked, other elements", what);
    free(packed), free(less_scratch), free(again);
  }
  free(lhs), free(rhs), free(out), free(same), free(scratch);
}

static void check_dot(int64_t m, int64_t n, int64_t k, bool lhs_transposed, bool rhs_transposed, bool out_transposed, data kind) {
  hlo_dot dot = dot_of(m, n, k, lhs_transposed, rhs_transposed, out_transposed);
  char form[32];
  snprintf(form, sizeof form, "%s%s%s", lhs_transposed ? " lhs^T" : "", rhs_transposed ? " rhs^T" : "", out_transposed ? " out^T" : "");
  for (int type = HLO_DOT_F32; type <= HLO_DOT_S64; type++) check_dot_type((hlo_dot_type)type, &dot, form, kind);
}

/* Checks a vector whose elements lie apart times a matrix. */
static void check_strided_vector(int64_t n, int64_t k) {
  hlo_dot dot = dot_of(1, n, k, false, false, false);
  dot.lhs_k_stride = 3;
  check_dot_type(HLO_DOT_F32, &dot, " strided", RANDOM);
  check_dot_type(HLO_DOT_F64, &dot, " strided", RANDOM);
}

static const struct {
  const char *name;
  hlo_dot_type type;
  hlo_tile_kernel *simd128, *scalar;
} tiles[] = {{"f32 4x8", HLO_DOT_F32, hlo_f32_tile_4x8_simd128, hlo_f32_tile_4x8_scalar},
             {"f64 4x4", HLO_DOT_F64, hlo_f64_tile_4x4_simd128, hlo_f64_tile_4x4_scalar},
             {"s32 4x8", HLO_DOT_S32, hlo_s32_tile_4x8_simd128, hlo_s32_tile_4x8_scalar},
             {"s64 4x4", HLO_DOT_S64, hlo_s64_tile_4x4_simd128, hlo_s64_tile_4x4_scalar},
             {"s16 pairs 4x8", HLO_DOT_S32, hlo_s16_pairs_tile_4x8_simd128, hlo_s16_pairs_tile_4x8_scalar}};

static void test_dot_tiles(void) {
  _Alignas(16) static char lhs[12 * 200 * 8], rhs[16 * 200 * 8], expected[12 * 9 * 8], actual[12 * 9 * 8];
  for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
    for (int i = 0; i < 12 * 200; i++) set_element(lhs, tiles[t].type, i, RANDOM);
    for (int i = 0; i < 16 * 200; i++) set_element(rhs, tiles[t].type, i, RANDOM);
    for (int k = 1; k < 200; k += k < MAX_TAIL ? 1 : 13)
      for (int form = 0; form < 12; form++) {
        int rows = form % 6 < 4 ? 1 + form % 6 : form % 6 * HLO_PRODUCT_ROWS - 8;
        ptrdiff_t rhs_stride = form < 6 ? 13 : 8;
        memset(expected, 0, sizeof expected), memset(actual, 0, sizeof actual);
        for (int add = 0; add < 2; add++) {
          tiles[t].scalar(k, rows, lhs, 200, rhs, rhs_stride, expected, 9, add);
          tiles[t].simd128(k, rows, lhs, 200, rhs, rhs_stride, actual, 9, add);
          CHECK(memcmp(expected, actual, sizeof expected) == 0, "%s, k %d, form %d, add %d", tiles[t].name, k, form, add);
        }
      }
  }
}

static void test_dot_pack(void) {
  static double data[80 * 80], expected[8 * 70], actual[8 * 70];
  for (int i = 0; i < 80 * 80; i++) data[i] = i + 0.123456789;
  for (int bytes = 4; bytes <= 8; bytes += 4)
    for (int width = 16 / bytes; width <= 8; width++)
      for (int count = 1; count <= width; count++)
        for (int64_t k = 0; k <= MAX_TAIL; k++)
          for (int order = width % (16 / bytes) == 0 && width * bytes <= 32 ? 0 : 1; order < 3; order++) {
            int64_t stride = order == 0 ? 1 : 80, k_stride = order == 0 ? 80 : order == 1 ? 1 : 3;
            if (order == 2) stride = 2;
            memset(expected, 0, sizeof expected), memset(actual, 0, sizeof actual);
            hlo_pack_scalar(bytes, data, stride, k_stride, count, width, k, expected);
            hlo_pack_simd128(bytes, data, stride, k_stride, count, width, k, actual);
            CHECK(memcmp(expected, actual, sizeof expected) == 0, "panel of %d of %d elements of %d bytes, k %d", count, width, bytes, (int)k);
          }
}

/* An epilogue: adds a bias to each column, and replaces what is below zero by zero. */
typedef struct biased {
  float *out;
  const float *bias;
  int64_t n;
} biased;

static void add_bias(const void *context, int64_t row, int64_t rows, int64_t column, int64_t columns, int thread) {
  const biased *b = context;
  for (int64_t i = row; i < row + rows; i++)
    for (int64_t j = column; j < column + columns; j++) b->out[i * b->n + j] = fmaxf(b->out[i * b->n + j] + b->bias[j], 0);
}

static void check_epilogue(int64_t m, int64_t n, int64_t k) {
  float *lhs = malloc((size_t)(m * k) * 4), *rhs = malloc((size_t)(k * n) * 4), *bias = malloc((size_t)n * 4);
  float *out = malloc((size_t)(m * n) * 4), *expected = malloc((size_t)(m * n) * 4);
  for (int64_t i = 0; i < m * k; i++) lhs[i] = data_value(RANDOM);
  for (int64_t i = 0; i < k * n; i++) rhs[i] = data_value(RANDOM);
  for (int64_t i = 0; i < n; i++) bias[i] = data_value(RANDOM);
  hlo_product product = {.m = m, .n = n, .k = k, .bytes = 4, .tile = hlo_f32_tile_4x8_simd128, .lhs = lhs, .rhs = rhs, .out = expected,
                         .lhs_m_stride = k, .lhs_k_stride = 1, .rhs_k_stride = n, .rhs_n_stride = 1, .out_m_stride = n, .out_n_stride = 1};
  void *scratch = malloc(hlo_product_scratch_bytes(&product, team->threads) + 1);
  hlo_product_run(&product, scratch, NULL);
  biased whole = {expected, bias, n}, parts = {out, bias, n};
  add_bias(&whole, 0, m, 0, n, 0);
  product.out = out, product.epilogue = add_bias, product.epilogue_context = &parts;
  hlo_product_run(&product, scratch, team);
  CHECK(memcmp(expected, out, (size_t)(m * n) * 4) == 0, "epilogue of %dx%dx%d", (int)m, (int)n, (int)k);
  free(lhs), free(rhs), free(bias), free(out), free(expected), free(scratch);
}

static void test_epilogue(void) {
  check_epilogue(3, 5, 7);
  check_epilogue(150, 17, 1300);  /* more than one block of m and of k */
  check_epilogue(70, 1100, 20);   /* more than one block of m and of n */
}

/* A thread runs parts of a product in the scratch that is measured for the whole: by rows or columns, eight or more. */
static void test_scratch_of_parts(void) {
  static const int64_t others[] = {1, 3, 17, 40, 100}, ks[] = {17, 64, 700};
  for (int form = 0; form < 8; form++)
    for (int o = 0; o < 5; o++)
      for (int k = 0; k < 3; k++)
        for (int64_t side = 16; side < 300; side += side < 140 ? 1 : 11) {
          bool by_columns = form & 1;
          hlo_dot whole = dot_of(by_columns ? others[o] : side, by_columns ? side : others[o], ks[k], form & 2, form & 4, false);
          size_t bytes = hlo_dot_scratch_bytes(&whole, HLO_DOT_F32, false, 1), general = hlo_dot_general_scratch_bytes(&whole, HLO_DOT_F32, true, 1);
          for (int64_t part = HLO_F32_DOT_PANEL; part < side; part++) {
            hlo_dot dot = whole;
            *(by_columns ? &dot.n : &dot.m) = part;
            CHECK(hlo_dot_scratch_bytes(&dot, HLO_DOT_F32, false, 1) <= bytes, "%d of %dx%dx%d need more scratch", (int)part, (int)whole.m, (int)whole.n, (int)whole.k);
            if (!by_columns)
              CHECK(hlo_dot_general_scratch_bytes(&dot, HLO_DOT_F32, true, 1) <= general, "%d packed rows of %dx%dx%d need more scratch", (int)part, (int)whole.m, (int)whole.n, (int)whole.k);
          }
        }
}

static void test_dots(void) {
  for (int64_t size = 0; size <= MAX_TAIL; size++)
    for (int form = 0; form < 8; form++) {
      check_dot(size, 9, 5, form & 1, form & 2, form & 4, RANDOM);
      check_dot(5, size, 11, form & 1, form & 2, form & 4, RANDOM);
      check_dot(3, 10, size, form & 1, form & 2, form & 4, RANDOM);
      check_dot(1, size, 19, form & 1, form & 2, form & 4, RANDOM);
      check_dot(size, 1, 19, form & 1, form & 2, form & 4, RANDOM);
      check_dot(1, 7, size, form & 1, form & 2, form & 4, RANDOM);
      check_dot(7, 1, size, form & 1, form & 2, form & 4, RANDOM);
    }
  check_dot(150, 1100, 30, false, false, false, RANDOM); /* more than one block of m and of n */
  check_dot(20, 300, 700, false, false, false, POSITIVE);
  check_dot(1, 600, 300, false, false, false, RANDOM);   /* more than one strip, and pieces of rows */
  check_dot(1, 7000, 70, false, false, false, RANDOM);   /* columns are divided */
  for (int64_t m = 2; m <= 5; m++) { /* a few rows times contiguous columns, by columns that fit into L1 */
    check_dot(m, 300, 70, false, true, false, RANDOM);
    check_dot(m, 37, 1024, false, true, false, POSITIVE);
    check_dot(m, 11, 1100, false, true, false, RANDOM);
  }
  for (int64_t n = 9; n <= 81; n += 8) /* packed: every number of panels of a strip, the last one of every width */
    for (int64_t more = 0; more < 8; more++)
      for (int64_t k = 63; k <= 67; k++) check_strided_vector(n + more, k);
  check_strided_vector(333, 1283); /* many levels, in many units */
  for (int kind = 0; kind < DATA_KINDS; kind++)
    for (int64_t k = 1; k <= 4096; k *= 2) {
      check_dot(6, 11, k, false, false, false, (data)kind);
      check_dot(20, 8, k, false, true, false, (data)kind);
      check_dot(1, 9, k, false, false, false, (data)kind);
      check_dot(1, 9, k, false, true, false, (data)kind);
      check_dot(1, 1, k, false, true, false, (data)kind);
    }
  printf("largest error of a dot: %.2f of the bound\n", worst_dot_error);
}

/* ---- Convolution ---- */

/* Returns a convolution of random sizes, whose dimensions are in the order NHWC or NCHW, or with the batch last. */
static hlo_convolution random_convolution(int64_t *in_count, int64_t *kernel_count, int64_t *out_count, bool depthwise) {
  hlo_convolution c = {.groups = depthwise ? 1 + random_below(20) : 1 + random_below(3), .batch = random_below(4),
                           .in_features = depthwise ? 1 : 1 + random_below(9), .out_features = depthwise ? 1 : 1 + random_below(12),
                           .taps = 1, .positions = 1, .spatial_rank = random_below(4)};
  bool has_long_lines = depthwise || random_below(2); /* lines of several panels */
  for (int d = 0; d < c.spatial_rank; d++) {
    hlo_convolution_dim *dim = &c.dims[d];
    *dim = (hlo_convolution_dim){.in_size = random_below(has_long_lines && d == c.spatial_rank - 1 ? 50 : 9), .window = 1 + random_below(4), .stride = 1 + random_below(3),
                                     .padding_low = random_below(6) - 2, .base_dilation = 1 + random_below(2), .window_dilation = 1 + random_below(2)};
    int64_t padded = (dim->in_size ? (dim->in_size - 1) * dim->base_dilation + 1 : 0) + dim->padding_low + random_below(4) - 1;
    int64_t window = (dim->window - 1) * dim->window_dilation + 1;
    dim->out_size = padded < window ? 0 : (padded - window) / dim->stride + 1;
    c.taps *= dim->window, c.positions *= dim->out_size;
  }
  bool features_last = random_below(2), images_first = depthwise && features_last && random_below(2); /* those of the input and the kernel, as in a gradient */
  int64_t in = 1, kernel = 1, out = 1;
  if (features_last) {
    c.in_feature_stride = 1, c.in_group_stride = c.in_features, in = c.groups * c.in_features;
    c.out_feature_stride = 1, c.out_group_stride = c.out_features, out = c.groups * c.out_features;
    c.kernel_out_stride = 1, c.kernel_group_stride = c.out_features, kernel = c.groups * c.out_features;
    c.kernel_in_stride = kernel, kernel *= c.in_features;
  }
  for (int d = c.spatial_rank - 1; d >= 0; d--) {
    hlo_convolution_dim *dim = &c.dims[d];
    dim->in_stride = in, in *= dim->in_size;
    dim->out_stride = out, out *= dim->out_size;
    dim->kernel_stride = kernel, kernel *= dim->window;
    if (random_below(4) == 0) {
      c.kernel_offset += dim->kernel_stride * (dim->window - 1);
      dim->kernel_stride = -dim->kernel_stride;
    }
  }
  if (images_first) {
    c.in_features = random_below(4);
    c.in_feature_stride = in, in *= c.in_features;
    c.kernel_in_stride = kernel, kernel *= c.in_features;
  }
  if (!features_last) {
    c.in_feature_stride = in, in *= c.in_features, c.in_group_stride = in, in *= c.groups;
    c.kernel_in_stride = kernel, kernel *= c.in_features, c.kernel_out_stride = kernel, kernel *= c.out_features;
    c.kernel_group_stride = kernel, kernel *= c.groups;
    c.out_feature_stride = out, out *= c.out_features, c.out_group_stride = out, out *= c.groups;
  }
  c.in_batch_stride = in, *in_count = in * c.batch;
  c.out_batch_stride = out, *out_count = out * c.batch, *kernel_count = kernel;
  return c;
}

static void check_convolution(const hlo_convolution *c, int64_t in_count, int64_t kernel_count, int64_t out_count, const char *name, int number) {
  float *in = malloc((size_t)in_count * 4 + 4), *kernel = malloc((size_t)kernel_count * 4 + 4);
  float *expected = malloc((size_t)out_count * 4 + 4), *actual = malloc((size_t)out_count * 4 + 4);
  for (int64_t i = 0; i < in_count; i++) in[i] = data_value(RANDOM);
  for (int64_t i = 0; i < kernel_count; i++) kernel[i] = data_value(RANDOM);
  hlo_f32_convolution_scalar(c, in, kernel, expected);
  size_t packed_bytes = hlo_convolution_packed_bytes(c);
  float *packed = malloc(packed_bytes + 1), *plain = malloc((size_t)out_count * 4 + 4);
  if (packed_bytes) hlo_convolution_pack(c, kernel, packed);
  static const char *const forms[] = {"", " packed", " depthwise"};
  for (int form = 0; form < 2 + hlo_convolution_is_depthwise(c); form++) {
    if (form == 1 && !packed_bytes) continue;
    char *scratch = malloc(hlo_convolution_scratch_bytes(c, form == 1, team->threads) + 1);
    float *shared = malloc((size_t)out_count * 4 + 4);
    for (int64_t i = 0; i < out_count; i++) actual[i] = NAN;
    memcpy(shared, actual, (size_t)out_count * 4);
    for (int n = 0; n < 2; n++) {
      if (form == 2) hlo_depthwise_simd128(c, in, kernel, n ? shared : actual, NULL, n ? team : NULL);
      else hlo_convolution_simd128(c, in, form ? packed : kernel, form, n ? shared : actual, scratch, NULL, n ? team : NULL);
    }
    CHECK(memcmp(shared, actual, (size_t)out_count * 4) == 0, "%s %d%s: by a team, other bits", name, number, forms[form]);
    double bound = 0x1p-23 * (log2((double)(c->taps * c->in_features + 1)) + 4) * sqrt((double)(c->taps * c->in_features));
    for (int64_t i = 0; i < out_count; i++)
      CHECK(fabs(expected[i] - actual[i]) <= bound, "%s %d%s at %d: %g, not %g", name, number, forms[form], (int)i, actual[i], expected[i]);
    if (form == 0) memcpy(plain, actual, (size_t)out_count * 4);
    if (form == 1) CHECK(memcmp(plain, actual, (size_t)out_count * 4) == 0, "%s %d: packed, other bits", name, number);
    free(scratch), free(shared);
  }
  free(in), free(kernel), free(expected), free(actual), free(packed), free(plain);
}

static void put_number(hlo_dot_type type, void *array, int64_t i, double value) {
  if (type == HLO_DOT_F32) ((float *)array)[i] = (float)value;
  else if (type == HLO_DOT_F64) ((double *)array)[i] = value;
  else if (type == HLO_DOT_S32) ((int32_t *)array)[i] = (int32_t)value;
  else ((int64_t *)array)[i] = (int64_t)value;
}

/* The depthwise kernel of every type gives, of small whole numbers, the definition's sums. */
static void check_depthwise_types(const hlo_convolution *c, int64_t in_count, int64_t kernel_count, int64_t out_count, int number) {
  float *in = calloc((size_t)in_count + 1, 4), *kernel = calloc((size_t)kernel_count + 1, 4), *expected = calloc((size_t)out_count + 1, 4);
  char *given[3] = {malloc((size_t)in_count * 8 + 8), malloc((size_t)kernel_count * 8 + 8), malloc((size_t)out_count * 8 + 8)};
  for (int64_t i = 0; i < in_count; i++) in[i] = (float)(random_below(19) - 9);
  for (int64_t i = 0; i < kernel_count; i++) kernel[i] = (float)(random_below(19) - 9);
  hlo_f32_convolution_scalar(c, in, kernel, expected);
  for (hlo_dot_type type = HLO_DOT_F32; type <= HLO_DOT_S64; type++) {
    hlo_convolution typed = *c;
    typed.type = type;
    size_t bytes = (size_t)hlo_dot_bytes(type);
    for (int64_t i = 0; i < in_count; i++) put_number(type, given[0], i, in[i]);
    for (int64_t i = 0; i < kernel_count; i++) put_number(type, given[1], i, kernel[i]);
    memset(given[2], 0x55, (size_t)out_count * bytes);
    hlo_depthwise_simd128(&typed, given[0], given[1], given[2], NULL, team);
    for (int64_t i = 0; i < out_count; i++) {
      double value;
      put_number(type, &value, 0, expected[i]);
      CHECK(memcmp(given[2] + (size_t)i * bytes, &value, bytes) == 0, "depthwise convolution %d of type %d at %d: not %g", number, (int)type, (int)i, expected[i]);
    }
  }
  free(in), free(kernel), free(expected), free(given[0]), free(given[1]), free(given[2]);
}

/* An epilogue that adds one to all elements of its regions. */
typedef struct counting {
  hlo_epilogue epilogue; /* comes first */
  float *out;
} counting;

static void count_region(const hlo_epilogue *epilogue, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread) {
  float *out = ((const counting *)epilogue)->out + offset;
  for (int64_t i = 0; i < rows * columns; i++) out[i / columns * row_stride + i % columns]++;
}

/* The depthwise kernel calls an epilogue once for each element, when that is complete. */
static void check_depthwise_epilogue(const hlo_convolution *c, int64_t in_count, int64_t kernel_count, int64_t out_count, int number) {
  float *in = malloc((size_t)in_count * 4 + 4), *kernel = malloc((size_t)kernel_count * 4 + 4);
  float *expected = malloc((size_t)out_count * 4 + 4), *actual = malloc((size_t)out_count * 4 + 4);
  for (int64_t i = 0; i < in_count; i++) in[i] = data_value(RANDOM);
  for (int64_t i = 0; i < kernel_count; i++) kernel[i] = data_value(RANDOM);
  counting counts = {{count_region}, actual};
  hlo_depthwise_simd128(c, in, kernel, expected, NULL, NULL);
  hlo_depthwise_simd128(c, in, kernel, actual, &counts.epilogue, team);
  for (int64_t i = 0; i < out_count; i++) expected[i]++;
  CHECK(memcmp(expected, actual, (size_t)out_count * 4) == 0, "depthwise convolution %d: epilogue", number);
  free(in), free(kernel), free(expected), free(actual);
}

/* Checks a convolution of one spatial dimension, with features last. */
static void check_long_convolution(int64_t groups, int64_t in_features, int64_t out_features, int64_t window, int64_t in_size) {
  hlo_convolution c = {.groups = groups, .batch = 2, .in_features = in_features, .out_features = out_features, .taps = window, .spatial_rank = 1};
  int64_t in_all = groups * in_features, out_all = groups * out_features, out_size = in_size - window + 3;
  c.positions = out_size;
  c.in_feature_stride = c.kernel_out_stride = c.out_feature_stride = 1;
  c.in_group_stride = in_features, c.kernel_group_stride = c.out_group_stride = out_features;
  c.kernel_in_stride = out_all;
  c.in_batch_stride = in_size * in_all, c.out_batch_stride = out_size * out_all;
  c.dims[0] = (hlo_convolution_dim){.in_size = in_size, .window = window, .out_size = out_size, .stride = 1, .padding_low = 1, .base_dilation = 1,
                                        .window_dilation = 1, .in_stride = in_all, .kernel_stride = in_features * out_all, .out_stride = out_all};
  check_convolution(&c, 2 * in_size * in_all, window * in_features * out_all, 2 * out_size * out_all, "long convolution", (int)window);
}

/* The joined sums of pieces of the rows have the same bits as the sums of all rows. */
static void test_pieces_of_rows(void) {
  enum { K = 1300, N = 37, MOST = 9 };
  static float vector[K], matrix[K * N], expected[N], actual[N], sums[MOST * N];
  for (int i = 0; i < K; i++) vector[i] = data_value(RANDOM);
  for (int i = 0; i < K * N; i++) matrix[i] = data_value(RANDOM);
  for (int64_t k = 1; k <= K; k = k < 70 ? k + 1 : k + 61)
    for (int64_t most = 1; most <= MOST; most++) {
      int64_t piece = hlo_f32_dot_rows_piece(k, most);
      CHECK(hlo_ceil_div(k, piece) <= most, "%d rows in pieces of %d, at most %d", (int)k, (int)piece, (int)most);
      hlo_f32_dot_rows_simd128(vector, 1, matrix, N, k, N, expected);
      for (int64_t i = 0; i * piece < k; i++)
        hlo_f32_dot_rows_simd128(vector + i * piece, 1, matrix + i * piece * N, N, k - i * piece < piece ? k - i * piece : piece, N, sums + i * N);
      hlo_f32_dot_rows_join(sums, piece, k, N, actual);
      CHECK(memcmp(expected, actual, sizeof expected) == 0, "%d rows in pieces of %d: other bits", (int)k, (int)piece);
    }
}

static void test_convolutions(void) {
  for (int round = 0; round < 600; round++) {
    int64_t in_count, kernel_count, out_count;
    hlo_convolution c = random_convolution(&in_count, &kernel_count, &out_count, round % 3 == 0);
    check_convolution(&c, in_count, kernel_count, out_count, "convolution", round);
    if (!hlo_convolution_is_depthwise(&c)) continue;
    check_depthwise_types(&c, in_count, kernel_count, out_count, round);
    check_depthwise_epilogue(&c, in_count, kernel_count, out_count, round);
  }
  check_long_convolution(1, 100, 9, 9, 12);  /* a block of k ends within a tap */
  check_long_convolution(1, 3, 5, 400, 401); /* a block of k holds many taps */
  check_long_convolution(6, 1, 1, 70, 75);   /* more taps than a run of the depthwise kernel */
}

/* ---- Narrow types ---- */

static const struct {
  const char *name;
  hlo_widen_kernel *kernel;
  hlo_type from, to;
} widenings[] = {{"f16_f32", hlo_widen_f16_f32, HLO_TYPE_F16, HLO_TYPE_F32},   {"bf16_f32", hlo_widen_bf16_f32, HLO_TYPE_BF16, HLO_TYPE_F32},
                 {"s8_s32", hlo_widen_s8_s32, HLO_TYPE_S8, HLO_TYPE_S32},      {"u8_s32", hlo_widen_u8_s32, HLO_TYPE_U8, HLO_TYPE_S32},
                 {"s16_s32", hlo_widen_s16_s32, HLO_TYPE_S16, HLO_TYPE_S32},   {"u16_s32", hlo_widen_u16_s32, HLO_TYPE_U16, HLO_TYPE_S32},
                 {"f32_f64", hlo_widen_f32_f64, HLO_TYPE_F32, HLO_TYPE_F64},   {"f32_f16", hlo_narrow_f32_f16, HLO_TYPE_F32, HLO_TYPE_F16},
                 {"f32_bf16", hlo_narrow_f32_bf16, HLO_TYPE_F32, HLO_TYPE_BF16}, {"s32_s8", hlo_narrow_s32_s8, HLO_TYPE_S32, HLO_TYPE_S8},
                 {"s32_s16", hlo_narrow_s32_s16, HLO_TYPE_S32, HLO_TYPE_S16}};

/* Checks all patterns of 16 bits, and those of 32 bits that lie around every rounding to 16 bits. Any NaN is as good as another. */
static void test_widening(void) {
  enum { COUNT = 1 << 19 };
  static uint32_t patterns[COUNT];
  static uint64_t results[COUNT];
  for (size_t n = 0; n < sizeof widenings / sizeof *widenings; n++) {
    int bytes = hlo_type_bytes(widenings[n].from), count = bytes == 4 ? COUNT : bytes == 2 ? 1 << 16 : 1 << 8;
    for (int i = 0; i < count; i++) {
      uint32_t bits = bytes < 4 ? (uint32_t)i : (uint32_t)(i >> 3) << 16 | (uint32_t[]){0, 0x8000, 0x7fff, 0x1000, 0x3000, 0x2fff, 0x8001, (uint32_t)random_bits() & 0xffff}[i & 7];
      memcpy((char *)patterns + i * bytes, &bits, (size_t)bytes);
    }
    widenings[n].kernel(patterns, count, results);
    for (int i = 0; i < count; i++) {
      hlo_scalar expected = hlo_scalar_convert(widenings[n].to, widenings[n].from, hlo_scalar_load(widenings[n].from, patterns, i));
      hlo_scalar actual = hlo_scalar_load(widenings[n].to, results, i);
      bool same = hlo_type_is_float(widenings[n].to) ? expected.f == actual.f || (isnan(expected.f) && isnan(actual.f)) : expected.s == actual.s;
      CHECK(same, "%s of pattern %d: %g, not %g", widenings[n].name, i, actual.f, expected.f);
    }
  }
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  test_dot_tiles();
  test_dot_pack();
  test_epilogue();
  test_scratch_of_parts();
  test_dots();
  test_pieces_of_rows();
  test_convolutions();
  test_widening();
  threads_stop(&t);
  return unit_report();
}
