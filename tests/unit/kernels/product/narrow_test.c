/* Dots of narrow matrices: the bits of the dot of the matrix that is widened first, element by element, for every format, form of scales,
 * storage, tail and number of rows, alone and on a team. One row times nibbles is within the bound of pairwise summation instead. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/float_bits.h"
#include "kernels/product/byte_quads.h"
#include "kernels/product/dot.h"
#include "shape/element_type.h"
#include "random.h"
#include "threads.h"
#include "unit.h"

static hlo_team *team;

static float random_float(void) { return (float)random_signed(); }

static const struct {
  const char *name;
  hlo_narrow_format format;
  hlo_type type;
} formats[] = {{"bf16", HLO_NARROW_BF16, HLO_TYPE_BF16}, {"f16", HLO_NARROW_F16, HLO_TYPE_F16}, {"s8", HLO_NARROW_S8, HLO_TYPE_S8},
               {"u8", HLO_NARROW_U8, HLO_TYPE_U8}, {"f8e4m3fn", HLO_NARROW_TABLE, HLO_TYPE_F8E4M3FN},
               {"s4", HLO_NARROW_NIBBLES, HLO_TYPE_S4}, {"u4", HLO_NARROW_NIBBLES, HLO_TYPE_U4}};

/* Which of the three are given, for all stages: 's' one value, 'c' by column, 'g' by column and group, 'r' by group alone, '-' none.
 * Then the rounding behind each stage. */
static const struct {
  const char *name, *stages[HLO_NARROW_STAGES];
  hlo_narrow_rounding roundings[HLO_NARROW_STAGES];
} forms[] = {
    {"plain", {"---"}, {0}},
    {"a scale", {"-s-"}, {0}},
    {"scales of columns", {"-c-"}, {0}},
    {"scales of groups", {"-g-"}, {0}},
    {"scales and least values", {"-gg"}, {0}},
    {"zeros and scales", {"gg-"}, {0}},
    {"one zero, scales", {"sg-"}, {0}},
    {"all three", {"rgc"}, {0}},
    {"rounded to bf16", {"-g-"}, {HLO_ROUND_BF16}},
    {"rounded three times", {"-g-", "--c", "-s-"}, {HLO_ROUND_F16, HLO_ROUND_BF16, HLO_ROUND_F32}},
};
static const struct { int64_t k, n, group; } sizes[] = {{64, 8, 32}, {96, 17, 32}, {320, 70, 64}, {77, 33, 11}, {640, 9, 8}, {1408, 12, 64}, {1120, 9, 32}, {1152, 8, 96}, {13, 530, 13}, {96, 200, 32}, {576, 72, 64}, {2144, 16, 32}};
static const int64_t rows[] = {1, 2, 5, 64};

typedef struct matrix {
  hlo_narrow_form form;
  hlo_narrow_matrix narrow;
  char *bytes, *packed;
  float *wide, *values[HLO_NARROW_STAGES][HLO_NARROW_VALUES], table[256];
  uint16_t *halves[HLO_NARROW_VALUES];
  char *in_panels[HLO_NARROW_VALUES];
} matrix;

static float rounded(float value, hlo_narrow_rounding rounding) {
  hlo_type type = rounding == HLO_ROUND_BF16 ? HLO_TYPE_BF16 : HLO_TYPE_F16;
  return rounding == HLO_ROUND_F32 ? value : (float)hlo_float_decode(type, hlo_float_encode(type, value));
}

static void make_values(matrix *m, char kind, int stage, int which, bool swapped) {
  hlo_narrow_values *v = &m->form.stages[stage].values[which];
  int64_t groups = m->form.k / m->form.group;
  *v = (hlo_narrow_values){.operand = -1, .value = which == HLO_NARROW_SCALE ? 1 : which == HLO_NARROW_MORE ? -0.0f : 0, .group = m->form.k};
  if (kind == '-') return;
  m->form.stages[stage].is_plain = false;
  if (kind == 's') {
    v->value = which == HLO_NARROW_ZERO ? 8 : random_float();
    return;
  }
  v->operand = 1;
  v->n_stride = kind == 'r' ? 0 : kind == 'c' || swapped ? 1 : groups;
  v->g_stride = kind == 'c' ? 0 : kind == 'r' || !swapped ? 1 : m->form.n;
  v->group = kind == 'c' ? m->form.k : m->form.group;
  v->offset = 3;
  int64_t count = m->form.n * groups + 3;
  float *values = m->values[stage][which] = malloc((size_t)count * sizeof(float));
  for (int64_t i = 0; i < count; i++) values[i] = which == HLO_NARROW_ZERO ? (float)(random_bits() % 16) : random_float();
  m->narrow.arrays[stage][which] = values;
}

/* Makes most arrays ones of 16 bits. */
static void make_short(matrix *m, int which) {
  hlo_narrow_values *v = &m->form.stages[0].values[which];
  float *values = m->values[0][which];
  if (!values || random_bits() % 3 == 0) return;
  int64_t count = m->form.n * (m->form.k / m->form.group) + 3;
  bool is_half = random_bits() & 1;
  hlo_type type = is_half ? HLO_TYPE_F16 : HLO_TYPE_BF16;
  uint16_t *narrow = m->halves[which] = malloc((size_t)count * sizeof *narrow);
  for (int64_t i = 0; i < count; i++) {
    narrow[i] = (uint16_t)hlo_float_encode(type, values[i]);
    values[i] = (float)hlo_float_decode(type, narrow[i]);
  }
  v->format = is_half ? HLO_NARROW_F16 : HLO_NARROW_BF16;
  m->narrow.arrays[0][which] = narrow;
}

/* Packs some arrays of nibbles, and checks that this can be undone. */
static void pack_values(matrix *m, int which) {
  hlo_narrow_values *v = &m->form.stages[0].values[which];
  int64_t groups = m->form.k / m->form.group, bytes = hlo_narrow_bytes(v->format), size = m->form.n * groups * bytes;
  if (v->operand < 0 || !v->n_stride || !v->g_stride || m->form.n % 8 || random_bits() % 3 == 0) return;
  const char *values = (const char *)m->narrow.arrays[0][which] + v->offset * bytes;
  char *packed = m->in_panels[which] = malloc((size_t)size), *back = malloc((size_t)size);
  hlo_nibble_values_copy(values, bytes, v->n_stride, v->g_stride, m->form.n, groups, true, packed);
  hlo_nibble_values_copy(packed, bytes, v->n_stride, v->g_stride, m->form.n, groups, false, back);
  CHECK(memcmp(back, values, (size_t)size) == 0, "values of %d columns and %d groups, unpacked", (int)m->form.n, (int)groups);
  free(back);
  v->in_panels = true;
  m->narrow.arrays[0][which] = packed;
}

/* The elements of the widened matrix by the definition. */
static void widen(matrix *m, hlo_type type) {
  const hlo_narrow_form *form = &m->form;
  for (int64_t p = 0; p < form->k; p++)
    for (int64_t j = 0; j < form->n; j++) {
      float x = (float)hlo_scalar_convert(HLO_TYPE_F32, type, hlo_scalar_load(type, m->bytes, p * form->k_stride + j * form->n_stride)).f;
      for (int s = 0; s < form->stage_count; s++) {
        float three[HLO_NARROW_VALUES];
        for (int w = 0; w < HLO_NARROW_VALUES; w++) {
          const hlo_narrow_values *v = &form->stages[s].values[w];
          three[w] = v->operand < 0 ? v->value : m->values[s][w][v->offset + p / v->group * v->g_stride + j * v->n_stride];
        }
        if (!form->stages[s].is_plain) x = (x - three[0]) * three[1], x = x + three[2];
        x = rounded(x, form->stages[s].rounding);
      }
      m->wide[p * form->k_stride + j * form->n_stride] = x;
    }
}

static void make(matrix *m, int format, int form, int size, bool along_k, bool swapped) {
  int64_t k = sizes[size].k, n = sizes[size].n;
  hlo_type type = formats[format].type;
  *m = (matrix){.form = {.format = formats[format].format, .is_signed = type == HLO_TYPE_S4, .k = k, .n = n, .k_stride = along_k ? 1 : n,
                         .n_stride = along_k ? k : 1, .group = sizes[size].group, .table = m->table}};
  m->bytes = malloc((size_t)(k * n) * 2);
  m->wide = malloc((size_t)(k * n) * sizeof(float));
  for (int64_t i = 0; i < k * n; i++) {
    double value = hlo_type_is_float(type) ? random_float() : 0; /* all codes of floats but those of NaN and infinity */
    uint64_t bits = hlo_type_is_float(type) ? hlo_float_encode(type, i % 50 ? value : value * 0x1p-22) : random_bits();
    hlo_scalar_store(type, m->bytes, i, hlo_type_is_float(type) ? (hlo_scalar){.f = hlo_float_decode(type, bits)} : (hlo_scalar){.u = bits});
  }
  for (int i = 0; i < 256; i++) {
    uint8_t byte = (uint8_t)i;
    if (hlo_type_bytes(type) == 1 && hlo_type_is_float(type)) m->table[i] = (float)hlo_scalar_load(type, &byte, 0).f;
  }
  for (; m->form.stage_count < HLO_NARROW_STAGES && forms[form].stages[m->form.stage_count]; m->form.stage_count++) {
    int s = m->form.stage_count;
    m->form.stages[s] = (hlo_narrow_stage){.is_plain = true, .has_no_zero = forms[form].stages[s][0] == '-', .has_no_more = forms[form].stages[s][2] == '-',
                                            .rounding = forms[form].roundings[s]};
    for (int w = 0; w < HLO_NARROW_VALUES; w++) make_values(m, forms[form].stages[s][w], s, w, swapped);
  }
  for (int w = 0; w < HLO_NARROW_VALUES; w++)
    if (m->form.format == HLO_NARROW_NIBBLES || hlo_bytes_are_columns(&m->form)) make_short(m, w);
  widen(m, type);
  m->narrow.form = &m->form;
  m->narrow.data = m->bytes;
  if (formats[format].format != HLO_NARROW_NIBBLES) return;
  m->packed = malloc(hlo_nibble_bytes(k, n));
  hlo_nibble_pack(m->bytes, m->form.k_stride, m->form.n_stride, k, n, m->form.is_signed, m->packed);
  m->narrow.data = m->packed;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) pack_values(m, w);
}

static void drop(matrix *m) {
  for (int s = 0; s < HLO_NARROW_STAGES; s++)
    for (int w = 0; w < HLO_NARROW_VALUES; w++) free(m->values[s][w]);
  for (int w = 0; w < HLO_NARROW_VALUES; w++) free(m->halves[w]), free(m->in_panels[w]);
  free(m->bytes);
  free(m->packed);
  free(m->wide);
}

/* Finds the product of a row and a column in f64, and what it may be off: as pairwise summation, of the terms that a weight is made of. */
static double product_of(const matrix *m, const float *row, int64_t j, double *bound) {
  double sum = 0, sizes = 0;
  const hlo_narrow_values *more = &m->form.stages[0].values[HLO_NARROW_MORE];
  for (int64_t p = 0; p < m->form.k; p++) {
    double w = m->wide[p * m->form.k_stride + j * m->form.n_stride];
    double added = more->operand < 0 ? more->value : m->values[0][HLO_NARROW_MORE][more->offset + p / more->group * more->g_stride + j * more->n_stride];
    sum += row[p] * w;
    sizes += fabs(row[p]) * (fabs(w - added) + fabs(added));
  }
  *bound = (ceil(log2((double)m->form.k)) + 2) * 0x1p-24 * sizes + (double)m->form.k * 0x1p-149;
  return sum;
}

/* Rows whose elements are of one size, of very different ones, few beside zeros, of a bf16's digits, and whole. */
typedef enum { ROW_EVEN, ROW_WIDE, ROW_SPARSE, ROW_SHORT, ROW_WHOLE, ROW_KINDS } row_kind;
static float element_of(row_kind kind) {
  float x = random_float();
  if (kind == ROW_WIDE) return ldexpf(x, -(int)(random_bits() % 60));
  if (kind == ROW_SPARSE) return random_bits() % 8 ? 0 : ldexpf(x, -(int)(random_bits() % 24));
  if (kind == ROW_SHORT) return (float)lrintf(x * 256) * ldexpf(1, -(int)(random_bits() % 12));
  return kind == ROW_WHOLE ? (float)lrintf(x * 1000) : x;
}

/* One row times nibbles or bytes, which are multiplied as integers. What is not finite, and what is for rows out of the range of f32, agrees with the dot of the widened matrix. */
static void check_integers(const matrix *m, row_kind kind, float scale, const char *what) {
  int64_t k = m->form.k, n = m->form.n;
  hlo_dot dot = {.m = 1, .n = n, .k = k, .lhs_m_stride = k, .lhs_k_stride = 1, .out_m_stride = n, .out_n_stride = 1};
  float *row = malloc((size_t)k * sizeof *row), *first = malloc((size_t)n * sizeof *first), *actual = malloc((size_t)n * sizeof *actual);
  for (int64_t p = 0; p < k; p++) row[p] = element_of(kind) * scale;
  static const hlo_byte_mode modes[] = {HLO_BYTES_NEVER, HLO_BYTES_NEVER, HLO_BYTES_INEXACT, HLO_BYTES_UNSIGNED, HLO_BYTES_SIGNED};
  for (int way = 0; way < 5; way++) { /* one thread, three, and digit by digit */
    int threads = way == 1 ? 3 : 1;
    hlo_byte_mode_set(modes[way]);
    void *scratch = aligned_alloc(64, (hlo_dot_narrow_scratch_bytes(&dot, &m->form, threads) + 63) / 64 * 64 + 64);
    hlo_dot_narrow(&dot, row, &m->narrow, way == 0 ? first : actual, scratch, (hlo_epilogue_target){0}, threads == 1 ? NULL : team);
    free(scratch);
    if (way > 0) CHECK(memcmp(first, actual, (size_t)n * sizeof *first) == 0, "%s, k %d, row %d: %s give other bits", what, (int)k, (int)kind, way == 1 ? "three threads" : "digits");
  }
  hlo_byte_mode_set(HLO_BYTES_NEVER);
  for (int64_t j = 0; j < n; j++) {
    double bound, expected = product_of(m, row, j, &bound);
    bool overflows = !isnan(expected) && !(bound * 0x1p24 <= FLT_MAX); /* terms or sums of them do */
    CHECK(isnan(expected) ? isnan(first[j]) : first[j] == expected || fabs(first[j] - expected) <= bound || (overflows && !isfinite(first[j])),
          "%s, row %d, scale %g, k %d, n %d, element %d: %.9g instead of %.9g, which may be off by %g", what, (int)kind, scale, (int)k, (int)n, (int)j, first[j], expected, bound);
  }
  free(row);
  free(first);
  free(actual);
}

static void check(const matrix *m, int64_t count, bool out_transposed, const char *what) {
  int64_t k = m->form.k, n = m->form.n;
  hlo_dot dot = {.m = count, .n = n, .k = k, .lhs_m_stride = k, .lhs_k_stride = 1, .rhs_k_stride = m->form.k_stride, .rhs_n_stride = m->form.n_stride,
                 .out_m_stride = out_transposed ? 1 : n, .out_n_stride = out_transposed ? count : 1};
  float *lhs = malloc((size_t)(count * k) * sizeof *lhs);
  for (int64_t i = 0; i < count * k; i++) lhs[i] = random_float();
  size_t bytes = (size_t)(count * n) * sizeof(float);
  float *expected = malloc(bytes), *actual = malloc(bytes);
  bool general = count > 1 && m->form.n_stride != 1 && !out_transposed;
  bool one_by_one = count > 1 && count <= 4 && n > 1 && !out_transposed && m->form.format != HLO_NARROW_F16 && m->form.format != HLO_NARROW_TABLE;
  size_t scratch_bytes = general ? hlo_dot_general_scratch_bytes(&dot, HLO_DOT_F32, false, 1) : hlo_dot_scratch_bytes(&dot, HLO_DOT_F32, false, 1);
  void *scratch = aligned_alloc(64, (scratch_bytes + 64) / 64 * 64 + 64);
  (general ? hlo_dot_general : hlo_dot_simd128)(&dot, HLO_DOT_F32, lhs, m->wide, false, expected, scratch, (hlo_epilogue_target){0}, NULL);
  free(scratch);
  for (int64_t i = 0; i < count && one_by_one; i++) { /* as each row alone */
    hlo_dot row = dot;
    row.m = 1;
    scratch = aligned_alloc(64, (hlo_dot_narrow_scratch_bytes(&row, &m->form, 1) + 63) / 64 * 64 + 64);
    hlo_dot_narrow(&row, lhs + i * k, &m->narrow, expected + i * n, scratch, (hlo_epilogue_target){0}, NULL);
    free(scratch);
  }
  for (int threads = 1; threads <= 3; threads += 2) {
    scratch = aligned_alloc(64, (hlo_dot_narrow_scratch_bytes(&dot, &m->form, threads) + 63) / 64 * 64 + 64);
    memset(actual, 0x5A, bytes);
    hlo_dot_narrow(&dot, lhs, &m->narrow, actual, scratch, (hlo_epilogue_target){0}, threads == 1 ? NULL : team);
    bool same = memcmp(actual, expected, bytes) == 0;
    for (int64_t i = 0; i < count * n && !same; i++)
      CHECK(hlo_float_bits(actual[i]) == hlo_float_bits(expected[i]), "%s, %d rows, k %d, n %d, %d threads, element %d: %.9g instead of %.9g", what,
            (int)count, (int)k, (int)n, threads, (int)i, actual[i], expected[i]);
    CHECK(same, "%s", what);
    free(scratch);
  }
  free(lhs);
  free(expected);
  free(actual);
}

/* One column of nibbles, unpacked. */
static void check_column(const matrix *m, const char *what) {
  uint8_t column[2304];
  int64_t j = m->form.n - 1;
  hlo_nibble_column(m->packed, m->form.k, j, m->form.is_signed, column);
  for (int64_t p = 0; p < m->form.k; p++)
    CHECK(column[p] == (uint8_t)m->bytes[p * m->form.k_stride + j * m->form.n_stride], "%s: row %d of the last column", what, (int)p);
}

static bool fits(int format, int form, int size) {
  if (formats[format].format != HLO_NARROW_NIBBLES) return true;
  return sizes[size].k % 8 == 0 && sizes[size].group % 8 == 0 && !forms[form].stages[1] && forms[form].roundings[0] == HLO_ROUND_F32;
}

static void test_dots(void) {
  for (size_t format = 0; format < sizeof formats / sizeof *formats; format++)
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
      for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (int storage = 0; storage < 4; storage++) {
          if (!fits((int)format, (int)form, (int)size)) continue;
          char what[160];
          snprintf(what, sizeof what, "%s, %s, %s contiguous, scales %s", formats[format].name, forms[form].name, storage & 1 ? "columns" : "rows",
                   storage & 2 ? "[groups, n]" : "[n, groups]");
          matrix m;
          make(&m, (int)format, (int)form, (int)size, storage & 1, storage & 2);
          bool integers = m.packed || (hlo_narrow_along_k(&m.form) && hlo_narrow_prepared_bytes(&m.form) > 0);
          for (size_t r = integers; r < sizeof rows / sizeof *rows; r++) check(&m, rows[r], false, what);
          static const float scales[] = {1, 0x1p-130f, 0x1p+110f, 0x1p+127f, INFINITY, NAN, 0};
          for (size_t s = 0; integers && s < sizeof scales / sizeof *scales; s++)
            for (int kind = 0; kind < ROW_KINDS; kind++) check_integers(&m, (row_kind)kind, scales[s], what);
          if (m.packed) check_column(&m, what);
          check(&m, 5, true, what);
          drop(&m);
        }
}

/* Every code of every format, widened alone. */
static void test_codes(void) {
  for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
    hlo_type type = formats[format].type;
    if (formats[format].format == HLO_NARROW_NIBBLES) continue;
    float table[256], got;
    for (int code = 0; code < 1 << 8 * hlo_type_bytes(type); code++) {
      uint16_t bits = (uint16_t)code;
      float expected = (float)hlo_scalar_convert(HLO_TYPE_F32, type, hlo_scalar_load(type, &bits, 0)).f;
      if (code < 256) table[code] = expected;
      hlo_narrow_run_plain(formats[format].format, table, &bits, 1, &got);
      bool same = hlo_float_bits(got) == hlo_float_bits(expected) || (isnan(got) && isnan(expected));
      CHECK(same, "%s, code %d: %g instead of %g", formats[format].name, code, got, expected);
    }
  }
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  test_codes();
  test_dots();
  threads_stop(&t);
  return unit_report();
}
