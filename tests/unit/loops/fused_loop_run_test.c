/* Generated fused loops, run by the interpreter and by the plain twin: all ways in which inputs may lie, rows from one element to many
 * blocks, parts of rows and columns, outputs over inputs. */
#include <math.h>

#include "loop_twin.h"
#include "random.h"
#include "unit.h"

enum { MAX_OPS = 14 };

typedef enum type { F32, F64, S32, PRED, TYPES } type;
static const uint8_t type_bytes[] = {4, 8, 4, 1};

static const struct {
  hlo_scalar_op op;
  int arity;
  type operands[3], result;
} ops[] = {
    {HLO_SCALAR_f32_add, 2, {F32, F32}, F32},          {HLO_SCALAR_f32_multiply, 2, {F32, F32}, F32},
    {HLO_SCALAR_f32_subtract, 2, {F32, F32}, F32},     {HLO_SCALAR_f32_maximum, 2, {F32, F32}, F32},
    {HLO_SCALAR_f32_tanh, 1, {F32}, F32},              {HLO_SCALAR_f32_negate, 1, {F32}, F32},
    {HLO_SCALAR_f32_clamp, 3, {F32, F32, F32}, F32},   {HLO_SCALAR_f32_less, 2, {F32, F32}, PRED},
    {HLO_SCALAR_select_4, 3, {PRED, F32, F32}, F32},   {HLO_SCALAR_f64_add, 2, {F64, F64}, F64},
    {HLO_SCALAR_f64_multiply, 2, {F64, F64}, F64},     {HLO_SCALAR_convert_f32_f64, 1, {F32}, F64},
    {HLO_SCALAR_convert_f64_f32, 1, {F64}, F32},        {HLO_SCALAR_convert_s32_f32, 1, {S32}, F32},
    {HLO_SCALAR_i32_add, 2, {S32, S32}, S32},          {HLO_SCALAR_s32_maximum, 2, {S32, S32}, S32},
    {HLO_SCALAR_pred_and, 2, {PRED, PRED}, PRED},      {HLO_SCALAR_pred_not, 1, {PRED}, PRED},
    {HLO_SCALAR_convert_pred_s32, 1, {PRED}, S32},      {HLO_SCALAR_select_8, 3, {PRED, F64, F64}, F64}};

static const struct {
  hlo_reduce_op op;
  type type;
} reduces[] = {{HLO_REDUCE_f32_add, F32}, {HLO_REDUCE_f32_maximum, F32}, {HLO_REDUCE_f64_add, F64},
               {HLO_REDUCE_i32_add, S32},  {HLO_REDUCE_pred_or, PRED}};

/* ---- A loop with its arrays ---- */

typedef struct sample {
  hlo_fused_loop loop;
  hlo_fused_value values[HLO_FUSED_MAX_VALUES];
  hlo_fused_output outputs[HLO_FUSED_MAX_OUTPUTS];
  type types[HLO_FUSED_MAX_VALUES];
  int operand_count;
  void *operands[HLO_FUSED_MAX_INPUTS];
  int64_t operand_elements[HLO_FUSED_MAX_INPUTS];
  bool computed[HLO_FUSED_MAX_VALUES]; /* by an op or a reduction */
} sample;

static void fill(type t, void *data, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (t == F32) ((float *)data)[i] = (float)(random_below(2001) - 1000) / 64;
    if (t == F64) ((double *)data)[i] = (random_below(2001) - 1000) / 64.0;
    if (t == S32) ((int32_t *)data)[i] = random_below(2001) - 1000;
    if (t == PRED) ((uint8_t *)data)[i] = (uint8_t)random_below(2);
  }
}

static int add_value(sample *s, hlo_fused_value value, type t) {
  value.bytes = type_bytes[t];
  s->values[s->loop.value_count] = value;
  s->types[s->loop.value_count] = t;
  s->computed[s->loop.value_count] = value.kind != HLO_FUSED_INPUT;
  return s->loop.value_count++;
}

/* Adds an input that lies in one of these ways: rows one after another, strided, reversed, with gaps, transposed, repeated rows. */
static int add_input(sample *s, type t, bool per_row) {
  hlo_fused_value value = {.kind = HLO_FUSED_INPUT, .per_row = per_row, .operand = s->operand_count, .stride = per_row ? 0 : 1};
  const hlo_fused_loop *loop = &s->loop;
  int form = random_below(8);
  int64_t row = per_row ? 1 : loop->width, low = 0, high = 0;
  if (form == 1) value.stride *= 2, row *= 2;
  if (form == 2) value.stride *= -1;
  if (form == 3) row += 3;
  if (form == 4) row = 1, value.stride *= loop->rows;
  for (int d = loop->dim_count - 1; d >= 0; row *= loop->dims[d--])
    value.row_strides[d] = form == 5 || (form == 6 && random_below(2)) ? 0 : form == 2 ? -row : row;
  for (int d = 0; d <= loop->dim_count; d++) {
    int64_t steps = (d < loop->dim_count ? loop->dims[d] : loop->width) - 1, reach = steps * (d < loop->dim_count ? value.row_strides[d] : value.stride);
    if (reach < 0) low += reach;
    else high += reach;
  }
  value.offset = -low;
  s->operand_elements[s->operand_count] = high - low + 1;
  s->operands[s->operand_count] = malloc((size_t)((high - low + 1) * type_bytes[t]));
  fill(t, s->operands[s->operand_count++], high - low + 1);
  return add_value(s, value, t);
}

static int find_value(sample *s, type t) {
  int candidates[HLO_FUSED_MAX_VALUES], count = 0;
  for (int v = 0; v < s->loop.value_count; v++)
    if (s->types[v] == t) candidates[count++] = v;
  if (count && (random_below(4) || s->operand_count == HLO_FUSED_MAX_INPUTS)) return candidates[random_below(count)];
  return s->operand_count < HLO_FUSED_MAX_INPUTS ? add_input(s, t, random_below(4) == 0) : -1;
}

static void add_op(sample *s) {
  int op = random_below(sizeof ops / sizeof *ops);
  hlo_fused_value value = {.kind = HLO_FUSED_APPLY, .op = ops[op].op, .arity = ops[op].arity, .per_row = true};
  for (int n = 0; n < value.arity; n++) {
    value.from[n] = find_value(s, ops[op].operands[n]);
    if (value.from[n] < 0) return;
    value.per_row &= s->values[value.from[n]].per_row;
  }
  add_value(s, value, ops[op].result);
}

static void add_reduce(sample *s) {
  int op = random_below(sizeof reduces / sizeof *reduces), from = find_value(s, reduces[op].type);
  if (from < 0 || s->values[from].per_row) return;
  s->loop.has_reductions = true;
  add_value(s, (hlo_fused_value){.kind = HLO_FUSED_REDUCE, .reduce = reduces[op].op, .arity = 1, .from = {from}, .per_row = true}, reduces[op].type);
}

static void make(sample *s, int64_t width, bool reduced) {
  *s = (sample){.loop = {.width = width, .rows = 1, .dim_count = random_below(4), .values = s->values, .outputs = s->outputs}};
  int64_t most = width > 512 ? 3 : width > 64 ? 9 : 40;
  for (int d = 0; d < s->loop.dim_count; d++) {
    s->loop.dims[d] = 1 + random_below(d ? 5 : (int)most);
    s->loop.rows *= s->loop.dims[d];
  }
  add_input(s, F32, false);
  for (int i = random_below(MAX_OPS) + 1; i > 0; i--) {
    if (reduced && random_below(4) == 0) add_reduce(s);
    else add_op(s);
  }
  int count = 1 + random_below(3), last = s->loop.value_count - 1;
  for (int i = 0; i < count; i++) {
    int v = i == 0 ? last : random_below(last + 1);
    s->outputs[s->loop.output_count++] = (hlo_fused_output){v, s->values[v].per_row ? 1 : width};
  }
}

/* ---- Running it twice ---- */

static int64_t output_elements(const sample *s, int i) { return s->outputs[i].row_stride ? s->loop.rows * s->outputs[i].row_stride : 1; }

static bool same(type t, const void *a, const void *b, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (memcmp((const char *)a + i * type_bytes[t], (const char *)b + i * type_bytes[t], type_bytes[t]) == 0) continue;
    if (t == F32 && isnan(((const float *)a)[i]) && isnan(((const float *)b)[i])) continue;
    if (t == F64 && isnan(((const double *)a)[i]) && isnan(((const double *)b)[i])) continue;
    return false;
  }
  return true;
}

/* An input that output i may lie over; -1: there is none. */
static int find_overwritable(const sample *s, int i) {
  int output = s->outputs[i].value;
  for (int v = 0; v < s->loop.value_count; v++) {
    const hlo_fused_value *value = &s->values[v];
    bool fits = value->kind == HLO_FUSED_INPUT && value->flat && value->offset == 0 && (value->per_row || value->stride == 1) &&
                value->per_row == s->values[output].per_row && s->outputs[i].row_stride > 0 && value->bytes == s->values[output].bytes;
    for (int reader = output + 1; reader < s->loop.value_count && fits; reader++)
      for (int n = 0; s->values[reader].kind != HLO_FUSED_INPUT && n < s->values[reader].arity; n++) fits &= s->values[reader].from[n] != v;
    for (int other = 0; other < s->loop.output_count; other++) fits &= s->outputs[other].value != v;
    if (fits) return v;
  }
  return -1;
}

static void run_parts(const sample *s, const void *const *operands, void *const *results, hlo_fused_loop_function *function, bool split) {
  const hlo_fused_loop *loop = &s->loop;
  bool columns_split = split && !loop->has_reductions && random_below(2);
  for (int i = 0; i < loop->output_count; i++) columns_split &= !s->values[s->outputs[i].value].per_row;
  void *scratch = aligned_alloc(64, loop->scratch_bytes + 64);
  memset(scratch, 0xA5, loop->scratch_bytes);
  hlo_fused_region part = {.columns = loop->width};
  for (; part.row < loop->rows; part.row += part.rows) {
    part.rows = split ? 1 + random_below((int)(loop->rows - part.row)) : loop->rows;
    for (part.column = 0; part.column < loop->width; part.column += part.columns) {
      part.columns = columns_split ? 1 + random_below((int)(loop->width - part.column)) : loop->width;
      function(loop, operands, results, &part, scratch);
    }
  }
  free(scratch);
}

static void check(sample *s, bool split, bool over) {
  hlo_fused_loop_prepare(&s->loop);
  for (int i = 0; i < s->loop.output_count; i++) /* a value that is one for all rows may be written once */
    if (s->values[s->outputs[i].value].per_row && s->values[s->outputs[i].value].uniform) s->outputs[i].row_stride = random_below(2);
  void *expected[HLO_FUSED_MAX_OUTPUTS], *results[HLO_FUSED_MAX_OUTPUTS];
  const void *operands[HLO_FUSED_MAX_INPUTS];
  bool taken[HLO_FUSED_MAX_INPUTS] = {false};
  for (int n = 0; n < s->operand_count; n++) operands[n] = s->operands[n];
  for (int i = 0; i < s->loop.output_count; i++) {
    size_t bytes = (size_t)(output_elements(s, i) * s->values[s->outputs[i].value].bytes);
    expected[i] = malloc(bytes + 1);
    results[i] = malloc(bytes + 1);
  }
  run_parts(s, operands, expected, loop_twin, false);
  for (int i = 0; i < s->loop.output_count && over; i++) {
    int v = find_overwritable(s, i);
    if (v < 0 || taken[s->values[v].operand]) continue;
    int n = s->values[v].operand;
    taken[n] = true;
    memcpy(results[i], operands[n], (size_t)(s->operand_elements[n] * s->values[v].bytes));
    operands[n] = results[i];
  }
  run_parts(s, operands, results, hlo_fused_loop_run, split);
  for (int i = 0; i < s->loop.output_count; i++) {
    CHECK(same(s->types[s->outputs[i].value], results[i], expected[i], output_elements(s, i)), "output %d of %d, value %d; %lld rows of %lld, %d at once",
          i, s->loop.output_count, s->outputs[i].value, (long long)s->loop.rows, (long long)s->loop.width, (int)s->loop.rows_at_once);
    free(expected[i]);
    free(results[i]);
  }
}

static void close_sample(sample *s) {
  for (int n = 0; n < s->operand_count; n++) free(s->operands[n]);
}

static void test_generated(void) {
  static const int64_t widths[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 100, 127, 129, 255, 256, 257, 300, 511, 512, 513, 1023, 1024, 1025, 1500, 2049, 3000};
  for (int w = 0; w < (int)(sizeof widths / sizeof *widths); w++)
    for (int n = 0; n < 50; n++) {
      static sample s;
      make(&s, widths[w], n % 2);
      check(&s, false, n % 4 < 2);
      check(&s, true, n % 3 == 0);
      close_sample(&s);
    }
}

int main(void) {
  test_generated();
  return unit_report();
}
