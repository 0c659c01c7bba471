/* The f32 functions of math_f32.def, and power.
 *
 * Kernels are compared with the C library's functions of doubles for every n-th float; the argument is n, an odd number (1: every
 * float). The tables are interpreted here lane by lane: plainly they must give the kernels' bits; with fused multiply-adds they
 * must be as accurate. */
#include <math.h>
#include <stdlib.h>

#include "emit/math_table.h"
#include "emit/wasm_opcodes.h"
#include "unit.h"

typedef struct math_function {
  const char *name;
  hlo_scalar_op op;
  hlo_elementwise_kernel *kernel, *scalar;
} math_function;

static const math_function functions[] = {
#define HLO_MATH_F32(name, arity, coverage, list) {#name, HLO_SCALAR_f32_##name, hlo_f32_##name##_simd128, hlo_f32_##name##_scalar},
#include "kernels/elementwise/math_f32.def"
    HLO_MATH_F32_FUNCTIONS
#undef HLO_MATH_F32
    {"power", HLO_SCALAR_f32_power, hlo_f32_power_simd128, hlo_f32_power_scalar},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions, LIST_COUNT = FUNCTION_COUNT - 1, BLOCK = 256, MOST_ULPS = 3 };

static const float specials[] = {0.0f, -0.0f, 1, -1, 0.5f, -0.5f, 2, -2, 3, 1e-45f, -1e-45f, 1e-39f, -1e-39f, 0x1p-126f, 1e-30f, 88.7f, 88.8f, -87.4f,
                                 -103.9f, -104.1f, 8191, -8193, 1e10f, -1e10f, 3e38f, -3e38f, 0.49999997f, 8388609.0f, INFINITY, -INFINITY, NAN};
enum { SPECIAL_COUNT = sizeof specials / sizeof *specials };

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* ---- Accuracy ---- */

/* Returns how many floats apart two floats are. */
static int64_t distance(float a, float b) {
  int64_t x = bits_of(a) & 0x7FFFFFFF, y = bits_of(b) & 0x7FFFFFFF;
  return llabs((signbit(a) ? -x : x) - (signbit(b) ? -y : y));
}

/* Brings x into the domain of exponential_at_most_one and exponential_or_zero, and checks that their bits are those of exponential there. */
static void lower(const math_function *function, float *x, int count) {
  float expected[BLOCK], actual[BLOCK];
  const void *operands[] = {x};
  bool or_zero = function->op == HLO_SCALAR_f32_exponential_or_zero;
  if (function->op != HLO_SCALAR_f32_exponential_at_most_one && !or_zero) return;
  for (int i = 0; i < count; i++) x[i] = -fabsf(x[i]);
  hlo_f32_exponential_simd128(operands, 0, expected, count);
  function->kernel(operands, 0, actual, count);
  for (int i = 0; i < count; i++) {
    if (or_zero && x[i] < -80) expected[i] = 0;
    CHECK(bits_of(expected[i]) == bits_of(actual[i]) || isnan(x[i]), "%s(%.9g) is %.9g, exponential %.9g", function->name, x[i], actual[i], expected[i]);
  }
}

typedef void run_function(const math_function *function, const float *x, const float *y, float *result, int count);

static void run_kernel(const math_function *function, const float *x, const float *y, float *result, int count) {
  function->kernel((const void *[]){x, y}, 0, result, count);
}

static void check_block(const math_function *function, run_function *run, const float *x, const float *y, int count, int64_t *worst, float *worst_at) {
  float expected[BLOCK], actual[BLOCK];
  function->scalar((const void *[]){x, y}, 0, expected, count);
  run(function, x, y, actual, count);
  for (int i = 0; i < count; i++) {
    if (isnan(expected[i]) && isnan(actual[i])) continue;
    int64_t apart = distance(expected[i], actual[i]);
    bool exact = isnan(expected[i]) || isinf(expected[i]) || expected[i] == 0;
    CHECK(apart <= (exact ? 0 : MOST_ULPS) && !isnan(expected[i]) == !isnan(actual[i]) && signbit(expected[i]) == signbit(actual[i]),
          "%s(%.9g, %.9g) is %.9g, not %.9g", function->name, x[i], y[i], actual[i], expected[i]);
    if (apart > *worst) *worst = apart, *worst_at = x[i];
  }
}

/* Chosen so that most powers of x are neither infinite nor zero; some are whole numbers. */
static float exponent_for(float x, int i) {
  double most = 152 / fmax(fabs(log2(fabs((double)x))), 1e-30);
  double y = most * (i - BLOCK / 2) / (BLOCK / 2);
  return (float)(signbit(x) && i % 8 ? round(y) : i % 5 ? y : round(y));
}

static void test_accuracy(run_function *run, int function_count, uint64_t stride) {
  for (int f = 0; f < function_count; f++) {
    float x[BLOCK], y[BLOCK], worst_at = 0;
    int64_t worst = 0;
    for (uint64_t bits = 0; bits < 1ull << 32;) {
      int count = 0;
      for (; count < BLOCK && bits < 1ull << 32; count++, bits += stride) {
        x[count] = float_of((uint32_t)bits);
        y[count] = count % 3 ? x[count] * (float)(count - 128) / 16 : float_of((uint32_t)(bits * 0x9E3779B9u));
        if (functions[f].op == HLO_SCALAR_f32_power) y[count] = exponent_for(x[count], count);
      }
      lower(&functions[f], x, count);
      check_block(&functions[f], run, x, y, count, &worst, &worst_at);
    }
    for (int i = 0; i < SPECIAL_COUNT; i++) {
      for (int j = 0; j < SPECIAL_COUNT; j++) x[j] = specials[i], y[j] = specials[j];
      lower(&functions[f], x, SPECIAL_COUNT);
      check_block(&functions[f], run, x, y, SPECIAL_COUNT, &worst, &worst_at);
    }
    printf("%-22s %sat most %d ulp, at %.9g\n", functions[f].name, run == run_kernel ? "" : "fused: ", (int)worst, worst_at);
  }
}

/* ---- Tables ---- */

/* Evaluates one row for one lane. Values 0 and 1 are the operands, the others those of the rows before. */
static uint32_t interpret_row(const hlo_math_row *row, const uint32_t *values) {
  uint32_t a = values[row->a], b = values[row->b];
  float x = float_of(a), y = float_of(b);
  if (row->kind == HLO_MATH_CONSTANT) return row->bits;
  switch (row->opcode) {
  case HLO_WASM_V128_BITSELECT: return (a & values[row->c]) | (b & ~values[row->c]);
  case HLO_WASM_F32X4_EQ: return x == y ? UINT32_MAX : 0;
  case HLO_WASM_F32X4_LT: return x < y ? UINT32_MAX : 0;
  case HLO_WASM_F32X4_GE: return x >= y ? UINT32_MAX : 0;
  case HLO_WASM_V128_NOT: return ~a;
  case HLO_WASM_V128_AND: return a & b;
  case HLO_WASM_V128_ANDNOT: return a & ~b;
  case HLO_WASM_V128_OR: return a | b;
  case HLO_WASM_V128_XOR: return a ^ b;
  case HLO_WASM_F32X4_TRUNC: return bits_of(truncf(x));
  case HLO_WASM_I32X4_SHL: return a << row->bits;
  case HLO_WASM_I32X4_SHR_S: return (uint32_t)((int32_t)a >> row->bits);
  case HLO_WASM_I32X4_ADD: return a + b;
  case HLO_WASM_I32X4_SUB: return a - b;
  case HLO_WASM_I32X4_MAX_S: return (int32_t)a > (int32_t)b ? a : b;
  case HLO_WASM_F32X4_ABS: return a & 0x7FFFFFFF;
  case HLO_WASM_F32X4_SQRT: return bits_of(sqrtf(x));
  case HLO_WASM_F32X4_ADD: return bits_of(x + y);
  case HLO_WASM_F32X4_SUB: return bits_of(x - y);
  case HLO_WASM_F32X4_MUL: return bits_of(x * y);
  case HLO_WASM_F32X4_DIV: return bits_of(x / y);
  case HLO_WASM_F32X4_PMIN: return y < x ? b : a;
  case HLO_WASM_F32X4_PMAX: return x < y ? b : a;
  case HLO_WASM_I32X4_TRUNC_SAT_F32X4_S: return x != x ? 0 : (uint32_t)(int32_t)fmin(fmax(x, INT32_MIN), INT32_MAX);
  case HLO_WASM_F32X4_CONVERT_I32X4_S: return bits_of((float)(int32_t)a);
  default: CHECK(false, "opcode %02x", row->opcode); return 0;
  }
}

/* Evaluates a sum or difference, one of whose operands is a product, with one fused multiply-add. */
static uint32_t interpret_fused(const hlo_math_list *list, const hlo_math_row *row, int product, const uint32_t *values) {
  const hlo_math_row *factors = &list->rows[product - 2];
  CHECK(row->a == product || row->b == product, "the row does not read the product");
  float other = float_of(values[row->b == product ? row->a : row->b]);
  float sign = row->opcode == HLO_WASM_F32X4_ADD ? 1.0f : -1.0f;
  return bits_of(fmaf(sign * float_of(values[factors->a]), float_of(values[factors->b]), other));
}

/* Evaluates a table for one lane. `products` is what hlo_math_fuse gives, or all zero. */
static float interpret(const hlo_math_list *list, const uint8_t *products, float x, float y) {
  uint32_t values[256] = {bits_of(x), bits_of(y)};
  for (int i = 0; i < list->row_count; i++) {
    CHECK(list->rows[i].a < i + 2 && list->rows[i].b < i + 2 && list->rows[i].c < i + 2, "row %d reads what comes later", i);
    if (products[i] == i + 2) values[i + 2] = bits_of(NAN); /* nothing reads it */
    else if (products[i]) values[i + 2] = interpret_fused(list, &list->rows[i], products[i], values);
    else values[i + 2] = interpret_row(&list->rows[i], values);
  }
  float result = float_of(values[list->result]);
  if (list->rare >= 0 && values[list->rare]) {
    const void *operands[2] = {&x, &y};
    list->scalar(operands, 0, &result, 1);
  }
  return result;
}

static void run_fused(const math_function *function, const float *x, const float *y, float *result, int count) {
  uint8_t products[HLO_MATH_MOST_ROWS];
  const hlo_math_list *list = hlo_math_list_of(function->op);
  hlo_math_fuse(list, products);
  for (int i = 0; i < count; i++) result[i] = interpret(list, products, x[i], y[i]);
}

/* Eight products of the exponential are fused, which saves as many rows. */
static void test_fusing(void) {
  uint8_t products[HLO_MATH_MOST_ROWS];
  const hlo_math_list *list = hlo_math_list_of(HLO_SCALAR_f32_exponential);
  int taken = 0, saved = 0;
  hlo_math_fuse(list, products);
  for (int i = 0; i < list->row_count; i++) {
    taken += products[i] && products[i] != i + 2;
    saved += products[i] == i + 2;
  }
  CHECK(taken == 8 && saved == 8, "%d products are taken in, %d saved", taken, saved);
}

static void test_tables(void) {
  static const uint8_t none[HLO_MATH_MOST_ROWS];
  uint64_t random = 1;
  for (int f = 0; f < LIST_COUNT; f++) {
    const hlo_math_list *list = hlo_math_list_of(functions[f].op);
    CHECK(list && list->row_count <= HLO_MATH_MOST_ROWS, "%s", functions[f].name);
    for (int i = 0; i < 20000; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      float x = i < SPECIAL_COUNT * SPECIAL_COUNT ? specials[i % SPECIAL_COUNT] : float_of((uint32_t)(random >> 32));
      float y = i < SPECIAL_COUNT * SPECIAL_COUNT ? specials[i / SPECIAL_COUNT] : i % 2 ? x * 0.7f : float_of((uint32_t)(random >> 17));
      float expected = interpret(list, none, x, y), actual;
      const void *operands[2] = {&x, &y};
      functions[f].kernel(operands, 0, &actual, 1);
      CHECK(bits_of(expected) == bits_of(actual) || (isnan(expected) && isnan(actual)), "%s(%.9g, %.9g): %.9g by the table, %.9g by the kernel",
            functions[f].name, x, y, expected, actual);
    }
  }
}

/* The code of each row of scalar_ops.def, as text. */
static const char *const codes[HLO_SCALAR_COUNT] = {
#define HLO_SCALAR(name, set, arity, type, result, opcode, direction, cost, ...) [HLO_SCALAR_##name] = #__VA_ARGS__,
#include "kernels/elementwise/scalar_ops.def"
};

static void test_rows(void) {
  for (int op = HLO_SCALAR_NONE + 1; op < HLO_SCALAR_COUNT; op++)
    CHECK(!strcmp(codes[op], "LIST") == (hlo_math_list_of((hlo_scalar_op)op) != NULL), "operation %d is %s", op, codes[op]);
}

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 4099;
  test_accuracy(run_kernel, FUNCTION_COUNT, stride);
  test_accuracy(run_fused, LIST_COUNT, stride * 31);
  test_fusing();
  test_tables();
  test_rows();
  return unit_report();
}
