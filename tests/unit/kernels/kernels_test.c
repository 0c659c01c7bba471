/* Kernels against their scalar twins: every tail length, every misalignment, every operand form; element-wise ones also
 * against the reference's element functions. Reductions against these in the promised order, and sums under the bound of
 * pairwise summation. */
#include <math.h>
#include <stdlib.h>

#include "graph/comparison_type.h"
#include "kernels/elementwise/elementwise.h"
#include "emit/math_table.h"
#include "kernels/reduce/reduce.h"
#include "kernels/move/strided_copy.h"
#include "reference/reference.h"
#include "random.h"
#include "unit.h"

enum { MAX_TAIL = 67, SPAN = 128, GUARD = 0xA5 };

/* ---- Values ---- */

static const double special_floats[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 7, -7, 1e-3, 100.25, -1e6, 88.8, -88.8,
                                        1e-40, -1e-40, 3e38, -3e38, INFINITY, -INFINITY, NAN, 2147483648.0, 4294967296.0};
static const int64_t special_integers[] = {0, 1, -1, 2, 3, -3, 7, 31, 32, 33, 63, 64, 100, 255, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};

static hlo_scalar random_value(hlo_type type) {
  hlo_scalar value = {.u = 0};
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_PRED:
    value.u = random_bits() & 1;
    break;
  case HLO_CLASS_FLOAT:
    value.f = random_below(3) ? random_unit() * 8 - 4
                              : special_floats[random_below(sizeof special_floats / sizeof *special_floats)];
    break;
  case HLO_CLASS_COMPLEX:
    value.f = random_value(HLO_TYPE_F32).f;
    value.im = random_value(HLO_TYPE_F32).f;
    break;
  default:
    value.s = random_below(2) ? (int64_t)random_bits()
                              : special_integers[random_below(sizeof special_integers / sizeof *special_integers)];
  }
  return value;
}

static bool same_element(hlo_type type, const void *a, const void *b, int64_t index) {
  hlo_type part = hlo_type_real_part(type);
  if (hlo_type_is_complex(type)) return same_element(part, a, b, 2 * index) && same_element(part, a, b, 2 * index + 1);
  int bytes = hlo_type_bytes(type);
  if (memcmp((const char *)a + index * bytes, (const char *)b + index * bytes, (size_t)bytes) == 0) return true;
  return hlo_type_is_float(type) && isnan(hlo_scalar_load(type, a, index).f) && isnan(hlo_scalar_load(type, b, index).f);
}

static bool same_array(hlo_type type, const void *a, const void *b, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!same_element(type, a, b, i)) return false;
  return true;
}

/* ---- Element-wise ---- */

typedef struct elementwise_row {
  const char *name;
  hlo_scalar_op op;
  hlo_elementwise_kernel *kernel, *twin;
  int arity;
  hlo_type type, result;
  hlo_opcode opcode;
  int variant;
} elementwise_row;

enum { HLO_direction_ANY = -1 };
static const elementwise_row elementwise_rows[] = {
#define ROW(name, set, arity, type, result, opcode, direction)                                                                 \
  {#name, HLO_SCALAR_##name, hlo_##name##_##set, hlo_##name##_scalar, arity, HLO_TYPE_##type, HLO_TYPE_##result, HLO_OP_##opcode, \
   HLO_direction_##direction},
#define HLO_SCALAR(name, set, arity, type, result, opcode, direction, ...) ROW(name, set, arity, type, result, opcode, direction)
#define HLO_SCALAR_ALSO(name, set, arity, type, result, opcode, direction) ROW(name, set, arity, type, result, opcode, direction)
#define HLO_SCALAR_INTERNAL(name, ...)
#define HLO_SELECT(bytes, ...)
#include "kernels/elementwise/scalar_ops.def"
};
enum { ELEMENTWISE_ROWS = sizeof elementwise_rows / sizeof *elementwise_rows };

typedef struct arrays {
  _Alignas(16) char operands[3][SPAN * 16];
  _Alignas(16) char expected[SPAN * 16], actual[SPAN * 16];
} arrays;

static void fill_operands(arrays *a, int arity, const hlo_type *types) {
  for (int n = 0; n < arity; n++)
    for (int64_t i = 0; i < SPAN; i++) hlo_scalar_store(types[n], a->operands[n], i, random_value(types[n]));
}

/* Returns whether a kernel rounds otherwise than the C library. */
static bool is_polynomial(hlo_scalar_op op) { return hlo_math_list_of(op) != NULL || op == HLO_SCALAR_f32_power; }

/* The twin of a kernel that is a polynomial: the kernel itself on one element after another, since no scalar function gives the same bits. */
static void run_alone(hlo_elementwise_kernel *kernel, const void *const *operands, unsigned scalars, int arity, float *result, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    const void *alone[3];
    for (int n = 0; n < arity; n++) alone[n] = (const float *)operands[n] + (scalars >> n & 1 ? 0 : i);
    kernel(alone, 0, result + i, 1);
  }
}

/* Compares a kernel with its twin for one length, one shift of the arrays by elements, and one choice of operands that are scalars; also
 * with the result in the place of each array operand. */
static void check_form(const char *name, hlo_scalar_op op, hlo_elementwise_kernel *twin, int arity,
                       const hlo_type *types, hlo_type result, unsigned scalars, int64_t count, int shift) {
  hlo_elementwise_kernel *kernel = hlo_scalar_kernel(op);
  static arrays a;
  fill_operands(&a, arity, types);
  int out_bytes = hlo_type_bytes(result);
  const void *operands[3];
  for (int n = 0; n < arity; n++) operands[n] = a.operands[n] + (shift + n) % 4 * hlo_type_bytes(types[n]);
  memset(a.expected, GUARD, sizeof a.expected);
  memset(a.actual, GUARD, sizeof a.actual);
  if (is_polynomial(op)) run_alone(kernel, operands, scalars, arity, (float *)(a.expected + shift * out_bytes), count);
  else twin(operands, scalars, a.expected + shift * out_bytes, count);
  kernel(operands, scalars, a.actual + shift * out_bytes, count);
  CHECK(same_array(result, a.expected, a.actual, SPAN), "%s, count %d, shift %d, scalars %u", name, (int)count, shift, scalars);
  for (int n = 0; n < arity; n++) {
    if (scalars >> n & 1 || hlo_type_bytes(types[n]) != out_bytes) continue;
    kernel(operands, scalars, (void *)operands[n], count);
    CHECK(same_array(result, a.expected + shift * out_bytes, operands[n], count), "%s in place of %d, count %d", name, n, (int)count);
    break;
  }
}

static void check_kernel(const char *name, hlo_scalar_op op, hlo_elementwise_kernel *twin, int arity,
                         const hlo_type *types, hlo_type result) {
  for (unsigned scalars = 0; scalars < (1u << arity) - 1; scalars++)
    for (int shift = 0; shift < 4; shift++)
      for (int64_t count = 0; count <= MAX_TAIL; count++)
        check_form(name, op, twin, arity, types, result, scalars, count, shift);
}

/* Compares a kernel with its twin over a length of several of the blocks in which some kernels widen elements. */
static void check_blocks(const elementwise_row *row) {
  enum { MOST = 520 };
  static char in[3][MOST * 8], expected[MOST * 8], actual[MOST * 8];
  for (unsigned scalars = 0; scalars < (1u << row->arity) - 1; scalars++) {
    const void *operands[3] = {in[0], in[1], in[2]};
    for (int n = 0; n < row->arity; n++)
      for (int64_t i = 0; i < MOST; i++) hlo_scalar_store(row->type, in[n], i, random_value(row->type));
    row->twin(operands, scalars, expected, MOST);
    row->kernel(operands, scalars, actual, MOST);
    CHECK(same_array(row->result, expected, actual, MOST), "%s, scalars %u", row->name, scalars);
  }
}

static void test_elementwise_twins(void) {
  for (int i = 0; i < ELEMENTWISE_ROWS; i++) {
    const elementwise_row *row = &elementwise_rows[i];
    const hlo_type types[3] = {row->type, row->type, row->type};
    if (row->kernel != row->twin) check_kernel(row->name, row->op, row->twin, row->arity, types, row->result);
    if (row->kernel != row->twin && !is_polynomial(row->op)) check_blocks(row);
  }
  const hlo_type words[3] = {HLO_TYPE_PRED, HLO_TYPE_U32, HLO_TYPE_U32}, bytes[3] = {HLO_TYPE_PRED, HLO_TYPE_U8, HLO_TYPE_U8};
  check_kernel("select_4", HLO_SCALAR_select_4, hlo_select_4_scalar, 3, words, HLO_TYPE_U32);
  const hlo_type halves[3] = {HLO_TYPE_PRED, HLO_TYPE_U16, HLO_TYPE_U16};
  check_kernel("select_2", HLO_SCALAR_select_2, hlo_select_2_scalar, 3, halves, HLO_TYPE_U16);
  check_kernel("select_1", HLO_SCALAR_select_1, hlo_select_1_scalar, 3, bytes, HLO_TYPE_U8);
}

/* Functions of src/numbers for pairs of doubles, which are not those of the C library in native builds. */
static bool is_of_pairs(hlo_scalar_op op) {
  return op == HLO_SCALAR_f64_exponential || op == HLO_SCALAR_f64_exponential_minus_one || op == HLO_SCALAR_f64_log || op == HLO_SCALAR_f64_log_plus_one ||
         op == HLO_SCALAR_f64_logistic || op == HLO_SCALAR_f64_tanh || op == HLO_SCALAR_f64_power || op == HLO_SCALAR_f64_atan2;
}

/* By how much a result may be off, relative to its size: polynomials of f32 are not exact, and 16-bit floats are rounded from them. */
static double tolerance(const elementwise_row *row) {
  if (row->op == HLO_SCALAR_c64_divide) return 0x1p-23;
  if (row->op == HLO_SCALAR_c128_divide || is_of_pairs(row->op)) return 0x1p-50;
  for (int i = 0; i < ELEMENTWISE_ROWS; i++) {
    const elementwise_row *single = &elementwise_rows[i];
    if (single->opcode != row->opcode || single->type != HLO_TYPE_F32 || !is_polynomial(single->op)) continue;
    return row->type == HLO_TYPE_F32 ? 3 * 0x1p-23 : row->type == HLO_TYPE_F16 ? 0x1p-10 : row->type == HLO_TYPE_BF16 ? 0x1p-7 : 0;
  }
  return 0;
}

static bool is_close(double expected, double actual, double allowed, double least) {
  return isfinite(expected) && fabs(actual - expected) <= allowed * fabs(expected) + least;
}

static hlo_scalar reference_value(const elementwise_row *row, const hlo_scalar *x) {
  switch (row->opcode) {
  case HLO_OP_CONVERT:
    return hlo_scalar_convert(row->result, row->type, x[0]);
  case HLO_OP_COMPARE:
    return (hlo_scalar){.u = hlo_reference_compare_scalar(row->variant, hlo_default_comparison_type(row->type), row->type, x[0], x[1])};
  case HLO_OP_COMPLEX:
    return (hlo_scalar){.f = x[0].f, .im = x[1].f};
  case HLO_OP_CLAMP:
    return hlo_reference_binary_scalar(HLO_OP_MINIMUM, row->type,
                                       hlo_reference_binary_scalar(HLO_OP_MAXIMUM, row->type, x[1], x[0]), x[2]);
  default:
    return row->arity == 1 ? hlo_reference_unary_scalar(row->opcode, row->type, x[0])
                           : hlo_reference_binary_scalar(row->opcode, row->type, x[0], x[1]);
  }
}

static void test_elementwise_meaning(void) {
  static arrays a;
  for (int i = 0; i < ELEMENTWISE_ROWS; i++) {
    const elementwise_row *row = &elementwise_rows[i];
    const hlo_type types[3] = {row->type, row->type, row->type};
    const void *operands[3] = {a.operands[0], a.operands[1], a.operands[2]};
    double allowed = tolerance(row), least = row->type == HLO_TYPE_F16 ? 0x1p-24 : row->type == HLO_TYPE_BF16 ? 0x1p-133 : 0x1p-149;
    for (int round = 0; round < 32; round++) {
      fill_operands(&a, row->arity, types);
      row->kernel(operands, 0, a.actual, SPAN);
      for (int64_t e = 0; e < SPAN; e++) {
        hlo_scalar x[3];
        for (int n = 0; n < row->arity; n++) x[n] = hlo_scalar_load(row->type, operands[n], e);
        hlo_scalar_store(row->result, a.expected, e, reference_value(row, x));
        hlo_scalar expected = hlo_scalar_load(row->result, a.expected, e), actual = hlo_scalar_load(row->result, a.actual, e);
        /* a part that is small beside the other is a difference of products, of which the first digits are the same */
        if (row->op == HLO_SCALAR_c128_divide) least = allowed * (fabs(expected.f) + fabs(expected.im));
        bool is_near = allowed > 0 && is_close(expected.f, actual.f, allowed, least) && (!hlo_type_is_complex(row->result) || is_close(expected.im, actual.im, allowed, least));
        CHECK(is_near || same_element(row->result, a.expected, a.actual, e), "%s(%g, %g) is %g, not %g (as integers %lld, %lld)", row->name, x[0].f,
              row->arity > 1 ? x[1].f : 0, hlo_scalar_load(row->result, a.expected, e).f,
              hlo_scalar_load(row->result, a.actual, e).f, (long long)x[0].s, row->arity > 1 ? (long long)x[1].s : 0);
      }
    }
  }
}

/* Conversions work block by block: every pair of types is tried at lengths around that of a block. */
static void test_conversions(void) {
  enum { MOST = 520 };
  static const int lengths[] = {0, 1, 255, 256, 257, MOST};
  static char in[MOST * 8], expected[MOST * 8], actual[MOST * 8 + 8];
  for (int i = 0; i < ELEMENTWISE_ROWS; i++) {
    const elementwise_row *row = &elementwise_rows[i];
    if (row->opcode != HLO_OP_CONVERT) continue;
    for (int e = 0; e < MOST; e++) {
      hlo_scalar value = random_value(row->type);
      if (hlo_type_is_float(row->type) && e % 2) value.f = ldexp(random_unit() - 0.5, random_below(60) - 20);
      if (e % 8 == 0) value.u = random_bits() >> random_below(64); /* floats of any bits */
      hlo_scalar_store(row->type, in, e, value);
      if (e % 8 == 0 && row->type != HLO_TYPE_PRED) memcpy(in + e * hlo_type_bytes(row->type), &value.u, (size_t)hlo_type_bytes(row->type));
      hlo_scalar_store(row->result, expected, e, hlo_scalar_convert(row->result, row->type, hlo_scalar_load(row->type, in, e)));
    }
    for (int n = 0; n < (int)(sizeof lengths / sizeof *lengths); n++) {
      const void *operands[1] = {in};
      memset(actual, GUARD, sizeof actual);
      row->kernel(operands, 0, actual, lengths[n]);
      for (int e = 0; e < lengths[n]; e++)
        CHECK(same_element(row->result, expected, actual, e), "%s: %g (%lld) became %g (%lld), not %g (%lld)", row->name,
              hlo_scalar_load(row->type, in, e).f, (long long)hlo_scalar_load(row->type, in, e).s,
              hlo_scalar_load(row->result, actual, e).f, (long long)hlo_scalar_load(row->result, actual, e).s,
              hlo_scalar_load(row->result, expected, e).f, (long long)hlo_scalar_load(row->result, expected, e).s);
      CHECK((uint8_t)actual[lengths[n] * hlo_type_bytes(row->result)] == GUARD, "%s wrote beyond %d", row->name, lengths[n]);
    }
  }
}

/* ---- Copies ---- */

/* A strided copy as its definition reads, one element at a time. */
static void copy_plainly(const hlo_strided_map *map, const char *in, char *out) {
  int64_t index[HLO_STRIDED_MAX_RANK] = {0}, count = 1;
  for (int d = 0; d < map->rank; d++) count *= map->dims[d];
  for (int64_t n = 0; n < count; n++) {
    const char *from = in;
    char *to = out;
    for (int d = 0; d < map->rank; d++) from += index[d] * map->in_strides[d], to += index[d] * map->out_strides[d];
    memcpy(to, from, (size_t)map->element_bytes);
    for (int d = map->rank - 1; d >= 0 && ++index[d] == map->dims[d]; d--) index[d] = 0;
  }
}

/* A random copy of up to four dimensions: permuted, repeated, reversed or strided input; strided output. */
static void check_random_copy(char *in, char *expected, char *actual, size_t bytes) {
  static const int sizes[] = {1, 2, 4, 8, 16};
  hlo_strided_map map = {.rank = random_below(5), .element_bytes = sizes[random_below(5)]};
  int order[4] = {0, 1, 2, 3};
  for (int d = 0; d < map.rank; d++) {
    int other = random_below(map.rank), kept = order[d];
    order[d] = order[other], order[other] = kept;
    map.dims[d] = map.rank == 2 ? random_below(40) : random_below(7);
  }
  int64_t stride = map.element_bytes, start = 0;
  for (int n = map.rank - 1; n >= 0; n--) { /* input strides in the permuted order */
    int d = order[n];
    int64_t step = random_below(6) ? stride : 0, skip = random_below(5) ? 1 : 2;
    map.in_strides[d] = step * skip;
    if (step) stride *= skip * (map.dims[d] ? map.dims[d] : 1);
    if (random_below(4) == 0) {
      map.in_strides[d] = -map.in_strides[d];
      start -= map.in_strides[d] * (map.dims[d] ? map.dims[d] - 1 : 0);
    }
  }
  stride = map.element_bytes;
  for (int d = map.rank - 1; d >= 0; d--) {
    if (random_below(6) == 0) stride *= 2;
    map.out_strides[d] = stride;
    stride *= map.dims[d] ? map.dims[d] : 1;
  }
  memset(expected, GUARD, bytes);
  memset(actual, GUARD, bytes);
  copy_plainly(&map, in + start, expected);
  hlo_strided_map_simplify(&map);
  hlo_strided_copy_simd128(&map, in + start, actual);
  CHECK(memcmp(expected, actual, bytes) == 0, "strided copy of rank %d, %d bytes an element", map.rank, map.element_bytes);
  memset(actual, GUARD, bytes);
  hlo_strided_copy_scalar(&map, in + start, actual);
  CHECK(memcmp(expected, actual, bytes) == 0, "scalar strided copy of rank %d", map.rank);
}

static void check_transpose(const char *in, char *expected, char *actual, int rows, int columns, int bytes) {
  const hlo_strided_map map = {.rank = 2, .element_bytes = bytes, .dims = {rows, columns}, .in_strides = {bytes, rows * bytes},
                               .out_strides = {columns * bytes, bytes}};
  size_t all = (size_t)rows * (size_t)columns * (size_t)bytes;
  memset(actual, GUARD, all + 1);
  copy_plainly(&map, in, expected);
  hlo_strided_copy_simd128(&map, in, actual);
  CHECK(memcmp(expected, actual, all) == 0 && actual[all] == (char)GUARD, "transpose to %d x %d elements of %d bytes", rows, columns, bytes);
}

/* Many rows, each `groups` times, of `columns` elements that lie behind one another in the input or are one element. */
static void check_short_rows(const char *in, char *expected, char *actual, int groups, int columns, bool repeated, int bytes) {
  const hlo_strided_map map = {.rank = 3, .element_bytes = bytes, .dims = {1025, groups, columns}, .in_strides = {repeated ? bytes : columns * bytes, 0, repeated ? 0 : bytes},
                               .out_strides = {groups * columns * bytes, columns * bytes, bytes}};
  size_t all = (size_t)(1025 * groups * columns * bytes);
  memset(actual, GUARD, all + 1);
  copy_plainly(&map, in, expected);
  hlo_strided_map simple = map;
  hlo_strided_map_simplify(&simple);
  hlo_strided_copy_simd128(&simple, in, actual);
  CHECK(memcmp(expected, actual, all) == 0 && actual[all] == (char)GUARD, "%d times %d elements of %d bytes, %s", groups, columns, bytes, repeated ? "all the same" : "a row");
}

/* Many matrices, each transposed, of an input that nothing lies behind. One matrix may be a row of elements that lie `columns` apart. */
static void check_matrices(const char *data, char *expected, char *actual, int count, int rows, int columns, int bytes) {
  hlo_strided_map map = {.rank = 3, .element_bytes = bytes, .dims = {count, columns, rows}, .in_strides = {rows * columns * bytes, bytes, columns * bytes},
                         .out_strides = {rows * columns * bytes, rows * bytes, bytes}};
  size_t all = (size_t)(count * rows * columns * bytes);
  char *in = malloc(all);
  memcpy(in, data, all);
  memset(actual, GUARD, all + 1);
  copy_plainly(&map, in, expected);
  hlo_strided_map_simplify(&map);
  hlo_strided_copy_simd128(&map, in, actual);
  CHECK(memcmp(expected, actual, all) == 0 && actual[all] == (char)GUARD, "%d matrices of %d x %d elements of %d bytes", count, rows, columns, bytes);
  free(in);
}

static void test_copies(void) {
  enum { BYTES = 2 * 16 * 16 * 40 * 40 };
  char *in = malloc(BYTES), *expected = malloc(BYTES), *actual = malloc(BYTES);
  for (int i = 0; i < BYTES; i++) in[i] = (char)random_bits();
  for (int round = 0; round < 2000; round++) check_random_copy(in, expected, actual, BYTES);
  static const int sizes[] = {1, 2, 4, 8, 16};
  /* several squares of blocks in both dimensions, and incomplete blocks at the ends; fewer columns than a tile has, and many rows */
  for (int s = 0; s < 5; s++) {
    check_transpose(in, expected, actual, 140, s < 4 ? 530 : 30, sizes[s]);
    for (int columns = 1; columns < 18; columns++) check_transpose(in, expected, actual, 1025, columns, sizes[s]);
    for (int n = 0; n < 90; n++) check_matrices(in, expected, actual, n < 45 ? 20 : 600, 1 + n % 9, 1 + n / 9 % 5 * 2, sizes[s]);
    for (int n = 1; n < 70; n++) check_matrices(in, expected, actual, 1, n, 3, sizes[s]);
    for (int n = 0; n < 80; n++) check_short_rows(in, expected, actual, 1 + n / 2 % 5, 1 + n / 10, n % 2, sizes[s]);
  }
  for (int s = 0; s < 5; s++)
    for (int64_t count = 0; count < 700; count += count < MAX_TAIL ? 1 : 101) {
      memset(actual, GUARD, 16 * 1024);
      hlo_fill(actual + 16, in, sizes[s], count);
      bool filled = actual[15] == (char)GUARD && actual[16 + count * sizes[s]] == (char)GUARD;
      for (int64_t i = 0; i < count; i++) filled = filled && memcmp(actual + 16 + i * sizes[s], in, (size_t)sizes[s]) == 0;
      CHECK(filled, "fill of %d elements of %d bytes", (int)count, sizes[s]);
    }
  free(in), free(expected), free(actual);
}

/* ---- Reductions ---- */

static const struct reduce_row {
  const char *name;
  hlo_reduce_kernel *kernel;
  hlo_type type;
  hlo_opcode opcode;
} reduce_rows[] = {
#define HLO_REDUCE_ALSO(kind, name, type, opcode) {#kind "_reduce_" #name, hlo_##kind##_reduce_##name##_simd128, HLO_TYPE_##type, HLO_OP_##opcode},
#define HLO_REDUCE(kind, name, type, opcode, ...) HLO_REDUCE_ALSO(kind, name, type, opcode)
#include "kernels/reduce/reduce.def"
};

static hlo_scalar fold(const struct reduce_row *row, hlo_scalar x, hlo_scalar y) {
  hlo_scalar result = hlo_reference_binary_scalar(row->opcode, row->type, x, y);
  if (row->type == HLO_TYPE_F32) result.f = (float)result.f;
  return result;
}
/* Folds `count` elements, `stride` apart, one after another. */
static hlo_scalar fold_run(const struct reduce_row *row, const char *in, int64_t count, int64_t stride) {
  hlo_scalar total = hlo_scalar_load(row->type, in, 0);
  for (int64_t i = 1; i < count; i++) total = fold(row, total, hlo_scalar_load(row->type, in, i * stride));
  return total;
}
/* Folds sixteen lanes, and then the upper half of the lanes into the lower half until one is left. */
static hlo_scalar fold_block(const struct reduce_row *row, const char *in, int64_t depth) {
  hlo_scalar lanes[16];
  for (int l = 0; l < 16; l++) lanes[l] = fold_run(row, in + l * hlo_type_bytes(row->type), depth, 16);
  for (int half = 8; half > 0; half /= 2)
    for (int l = 0; l < half; l++) lanes[l] = fold(row, lanes[l], lanes[l + half]);
  return lanes[0];
}
/* Combines the totals of blocks as a binary counter does: into trees of powers of two, and these from the smallest, which is the last, up. */
static hlo_scalar fold_tree(const struct reduce_row *row, const hlo_scalar *totals, int64_t count) {
  int64_t most = 1;
  while (2 * most <= count) most *= 2;
  if (count == 1) return totals[0];
  if (count > most) return fold(row, fold_tree(row, totals, most), fold_tree(row, totals + most, count - most));
  return fold(row, fold_tree(row, totals, count / 2), fold_tree(row, totals + count / 2, count / 2));
}
/* Computes one result in the order of kernels/reduce/reduce.h. */
static hlo_scalar fold_in_order(const struct reduce_row *row, const char *in, int64_t reduced, int64_t inner) {
  hlo_scalar totals[512], rest;
  int64_t run = inner == 1 ? 128 : 16, count = 0, bytes = hlo_type_bytes(row->type), depth = reduced % 128 / 16, last = reduced % 16;
  if (inner > 1) {
    for (; reduced > 0; reduced -= run, in += run * inner * bytes) totals[count++] = fold_run(row, in, reduced < run ? reduced : run, inner);
    return fold_tree(row, totals, count);
  }
  for (; count < reduced / run; in += run * bytes) totals[count++] = fold_block(row, in, 8);
  if (depth) rest = fold_block(row, in, depth), in += depth * 16 * bytes;
  if (last) rest = depth ? fold(row, rest, fold_run(row, in, last, 1)) : fold_run(row, in, last, 1);
  if (count == 0) return rest;
  return depth || last ? fold(row, fold_tree(row, totals, count), rest) : fold_tree(row, totals, count);
}

/* Checks a reduction against the reference's element function, in the promised order, and one element after another, which for sums is
 * done in f64. */
static void check_reduce(const struct reduce_row *row, int64_t outer, int64_t reduced, int64_t inner) {
  int64_t count = outer * reduced * inner, results = outer * inner;
  int bytes = hlo_type_bytes(row->type);
  char *in = malloc((size_t)(count * bytes) + 1), *expected = malloc((size_t)(results * bytes) + 1), *actual = malloc((size_t)(results * bytes) + 1);
  bool exact = !hlo_type_is_float(row->type) || row->opcode == HLO_OP_MAXIMUM || row->opcode == HLO_OP_MINIMUM;
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar value = exact ? random_value(row->type) : (hlo_scalar){.f = 0.9 + 0.2 * random_unit()};
    hlo_scalar_store(row->type, in, i, value);
  }
  row->kernel(in, actual, outer, reduced, inner);
  for (int64_t r = 0; r < results; r++)
    hlo_scalar_store(row->type, expected, r, fold_in_order(row, in + (r / inner * reduced * inner + r % inner) * bytes, reduced, inner));
  CHECK(same_array(row->type, expected, actual, results), "%s of [%d,%d,%d] in order", row->name, (int)outer, (int)reduced, (int)inner);
  for (int64_t r = 0; r < results; r++) {
    hlo_scalar folded = hlo_scalar_load(row->type, in, r / inner * reduced * inner + r % inner);
    for (int64_t k = 1; k < reduced; k++)
      folded = hlo_reference_binary_scalar(row->opcode, row->type, folded, hlo_scalar_load(row->type, in, (r / inner * reduced + k) * inner + r % inner));
    hlo_scalar_store(row->type, expected, r, folded);
    if (exact) {
      CHECK(same_element(row->type, expected, actual, r), "%s of [%d,%d,%d] at %d", row->name, (int)outer, (int)reduced, (int)inner, (int)r);
    } else {
      double once = row->type == HLO_TYPE_F16 ? 0x1p-11 : row->type == HLO_TYPE_BF16 ? 0x1p-8 : 0; /* narrowed at the end */
      double bound = once + (row->type != HLO_TYPE_F64 ? 0x1p-23 : 0x1p-50) * (row->opcode == HLO_OP_ADD ? log2((double)reduced) + 2 : (double)reduced);
      double got = hlo_scalar_load(row->type, actual, r).f;
      CHECK(got == folded.f || (isfinite(folded.f) && fabs(got - folded.f) <= bound * fabs(folded.f)), "%s of %d: %g, not %g", row->name, (int)reduced, got, folded.f);
    }
  }
  free(in), free(expected), free(actual);
}

static void test_reductions(void) {
  for (size_t i = 0; i < sizeof reduce_rows / sizeof *reduce_rows; i++) {
    for (int64_t reduced = 1; reduced <= MAX_TAIL; reduced++) {
      check_reduce(&reduce_rows[i], 3, reduced, 1);
      check_reduce(&reduce_rows[i], 2, reduced, 1 + reduced % 23);
    }
    check_reduce(&reduce_rows[i], 2, 1000, 1);
    check_reduce(&reduce_rows[i], 9, 300, 1); /* more rows than are folded at once */
    check_reduce(&reduce_rows[i], 1, 4099, 1);
    check_reduce(&reduce_rows[i], 1, 517, 37);
    check_reduce(&reduce_rows[i], 2, 83, 1047); /* more columns than a strip has */
    check_reduce(&reduce_rows[i], 0, 5, 1);
    check_reduce(&reduce_rows[i], 3, 5, 0);
  }
}

/* Zeros of either sign, some NaN, infinities of both signs: elements for which the short form of a maximum is wrong. */
static void test_extremes(void) {
  static const float few[] = {0, -0.0f, -0.0f, -0.0f, 1, -1, INFINITY, -INFINITY, NAN};
  static float in[40 * 40], expected[40 * 40], actual[40 * 40];
  for (int round = 0; round < 2000; round++) {
    int64_t inner = random_below(2) ? 1 : 1 + random_below(40), reduced = 1 + random_below(40), outer = inner == 1 ? 20 : 1;
    float least = random_below(2) ? 0 : -1; /* -1: no element is negative */
    for (int64_t i = 0; i < outer * reduced * inner; i++) {
      float x = few[random_below(random_below(50) ? 4 + 2 * (round & 1) : 9)];
      in[i] = x * least > 0 ? -x : x;
    }
    for (size_t i = 0; i < sizeof reduce_rows / sizeof *reduce_rows; i++) {
      const struct reduce_row *row = &reduce_rows[i];
      if (row->type != HLO_TYPE_F32 || (row->opcode != HLO_OP_MAXIMUM && row->opcode != HLO_OP_MINIMUM)) continue;
      for (int64_t r = 0; r < outer * inner; r++) {
        hlo_scalar folded = fold_run(row, (const char *)(in + r / inner * reduced * inner + r % inner), reduced, inner);
        hlo_scalar_store(row->type, expected, r, folded);
      }
      row->kernel(in, actual, outer, reduced, inner);
      CHECK(same_array(row->type, expected, actual, outer * inner), "%s of [%d,%d,%d], round %d", row->name, (int)outer, (int)reduced, (int)inner, round);
    }
  }
}

int main(void) {
  test_elementwise_twins();
  test_elementwise_meaning();
  test_conversions();
  test_copies();
  test_reductions();
  test_extremes();
  return unit_report();
}
