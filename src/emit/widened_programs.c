/* Values are numbered anew; where an op is made of several, the last one stands for it. */
#include "emit/widened_programs.h"

#include "emit/emitter.h"

typedef enum narrow_type { T_pred, T_s8, T_u8, T_s16, T_u16, T_s32, T_u32, T_s64, T_u64, T_f16, T_bf16, T_f32, T_f64 } narrow_type;

/* ---- What kernels are made of ---- */

typedef struct conversion {
  hlo_elementwise_kernel *kernel;
  uint8_t from, to;
} conversion;

static const conversion conversions[] = {
#define HLO_CONVERT(from, FROM, to, TO) {hlo_convert_##from##_##to##_scalar, T_##from, T_##to},
#include "kernels/convert.def"
#undef HLO_CONVERT
};
enum { CONVERSION_COUNT = sizeof conversions / sizeof *conversions };

typedef struct widened_op {
  hlo_elementwise_kernel *kernel, *wide;
  uint8_t from;
  bool gives_pred;
} widened_op;

enum { GIVES_PRED = true, GIVES_F16 = false, GIVES_BF16 = false, GIVES_S8 = false, GIVES_U8 = false, GIVES_S16 = false, GIVES_U16 = false };
static const widened_op widened_ops[] = {
#define HLO_WIDENED(name, from, wide, set, arity, type, result, opcode, variant) \
  {hlo_##name##_widened, hlo_##wide##_##set, T_##from, GIVES_##result},
#include "kernels/widened.def"
#undef HLO_WIDENED
};

typedef struct widened_reduce {
  hlo_reduce_kernel *kernel, *wide;
  uint8_t from;
  bool ordered;
} widened_reduce;

static const widened_reduce widened_reduces[] = {
#define FLOATS(from)                                                                              \
  {hlo_##from##_reduce_add_widened, hlo_f32_reduce_add_simd128, T_##from, true},                  \
  {hlo_##from##_reduce_multiply_widened, hlo_f32_reduce_multiply_simd128, T_##from, true},        \
  {hlo_##from##_reduce_maximum_widened, hlo_f32_reduce_maximum_simd128, T_##from, false},         \
  {hlo_##from##_reduce_minimum_widened, hlo_f32_reduce_minimum_simd128, T_##from, false},
#define EXTREMES(from)                                                                            \
  {hlo_##from##_reduce_maximum_widened, hlo_s32_reduce_maximum_scalar, T_##from, false},          \
  {hlo_##from##_reduce_minimum_widened, hlo_s32_reduce_minimum_scalar, T_##from, false},
    FLOATS(f16) FLOATS(bf16) EXTREMES(s8) EXTREMES(u8) EXTREMES(s16) EXTREMES(u16)
    {hlo_s8_reduce_add_widened, hlo_i32_reduce_add_scalar, T_s8, false},
    {hlo_s16_reduce_add_widened, hlo_i32_reduce_add_scalar, T_s16, false},
#undef FLOATS
#undef EXTREMES
};

enum { CHUNK = 1024 }; /* longer rows are folded in parts by kernels/widened.c */

static narrow_type wide_type(narrow_type from) { return from == T_f16 || from == T_bf16 ? T_f32 : T_s32; }
static bool is_narrow(narrow_type type) { return type <= T_u16 || type == T_f16 || type == T_bf16; }

static hlo_elementwise_kernel *conversion_of(narrow_type from, narrow_type to) {
  int n = 0;
  while (n < CONVERSION_COUNT && (conversions[n].from != from || conversions[n].to != to)) n++;
  return n < CONVERSION_COUNT ? conversions[n].kernel : NULL;
}

/* ---- Building ---- */

/* A value whose operands have their new numbers; -1 if there is no room. */
static int add(hlo_emit_program *p, hlo_loop_value value) {
  if (p->loop.value_count == HLO_EMIT_VALUES) return -1;
  if (value.kind == HLO_LOOP_APPLY) {
    value.per_row = value.uniform = true;
    value.phase = 0;
    for (int n = 0; n < value.arity; n++) {
      if (value.from[n] < 0) return -1;
      const hlo_loop_value *from = &p->values[value.from[n]];
      value.per_row &= from->per_row;
      value.uniform &= from->uniform && from->per_row;
      if (from->phase > value.phase) value.phase = from->phase;
    }
  }
  p->values[p->loop.value_count] = value;
  return p->loop.value_count++;
}

static const uint8_t type_bytes[] = {[T_pred] = 1, [T_s8] = 1, [T_u8] = 1, [T_s16] = 2, [T_u16] = 2, [T_s32] = 4, [T_u32] = 4,
                                     [T_s64] = 8, [T_u64] = 8, [T_f16] = 2, [T_bf16] = 2, [T_f32] = 4, [T_f64] = 8};

static int convert(hlo_emit_program *p, int value, narrow_type from, narrow_type to) {
  hlo_elementwise_kernel *kernel = conversion_of(from, to);
  if (value < 0 || from == to) return value;
  for (int v = 0; v < p->loop.value_count; v++) /* the same may have been widened before */
    if (p->values[v].kind == HLO_LOOP_APPLY && p->values[v].apply == kernel && p->values[v].from[0] == value) return v;
  return add(p, (hlo_loop_value){.kind = HLO_LOOP_APPLY, .bytes = type_bytes[to], .arity = 1, .from = {value}, .apply = kernel});
}

/* By way of the wide type; to 16-bit floats by way of f32, which holds whatever a narrow type does. */
static int add_conversion(hlo_emit_program *p, const conversion *c, int value) {
  narrow_type from = c->from, to = c->to, wide = wide_type(from);
  if (is_narrow(from) && to != wide && !hlo_emit_has_code(c->kernel)) {
    value = convert(p, value, from, wide);
    from = wide;
    if (from == T_s32 && (to == T_f16 || to == T_bf16)) {
      value = convert(p, value, from, T_f32);
      from = T_f32;
    }
  }
  return convert(p, value, from, to);
}

static int add_widened(hlo_emit_program *p, const widened_op *op, hlo_loop_value value) {
  narrow_type from = op->from, wide = wide_type(from);
  for (int n = 0; n < value.arity; n++) value.from[n] = convert(p, value.from[n], from, wide);
  value.apply = op->wide;
  value.bytes = op->gives_pred ? 1 : 4;
  return op->gives_pred ? add(p, value) : convert(p, add(p, value), wide, from);
}

static int add_reduce(hlo_emit_program *p, hlo_loop_value value) {
  const widened_reduce *r = widened_reduces, *end = widened_reduces + sizeof widened_reduces / sizeof *widened_reduces;
  while (r < end && r->kernel != value.reduce) r++;
  if (r == end) return add(p, value);
  if (r->ordered && p->loop.width > CHUNK) return -1;
  narrow_type wide = wide_type(r->from);
  value.from[0] = convert(p, value.from[0], r->from, wide);
  value.reduce = r->wide;
  value.bytes = 4;
  return value.from[0] < 0 ? -1 : convert(p, add(p, value), wide, r->from);
}

static int add_apply(hlo_emit_program *p, hlo_loop_value value) {
  for (int n = 0; n < CONVERSION_COUNT; n++)
    if (conversions[n].kernel == value.apply) return add_conversion(p, &conversions[n], value.from[0]);
  for (size_t n = 0; n < sizeof widened_ops / sizeof *widened_ops; n++)
    if (widened_ops[n].kernel == value.apply) return add_widened(p, &widened_ops[n], value);
  return add(p, value);
}

bool hlo_emit_widen(const hlo_loop *loop, hlo_emit_program *program) {
  int numbers[HLO_LOOP_MAX_VALUES];
  if (loop->value_count > HLO_LOOP_MAX_VALUES) return false;
  program->loop = *loop;
  program->loop.values = program->values;
  program->loop.outputs = program->outputs;
  program->loop.value_count = 0;
  for (int v = 0; v < loop->value_count; v++) {
    hlo_loop_value value = loop->values[v];
    for (int n = 0; n < value.arity && value.kind != HLO_LOOP_INPUT; n++) value.from[n] = numbers[value.from[n]];
    numbers[v] = value.kind == HLO_LOOP_APPLY ? add_apply(program, value) : value.kind == HLO_LOOP_REDUCE ? add_reduce(program, value) : add(program, value);
    if (numbers[v] < 0) return false;
  }
  for (int i = 0; i < loop->output_count; i++) program->outputs[i] = (hlo_loop_output){numbers[loop->outputs[i].value], loop->outputs[i].row_stride};
  return true;
}
