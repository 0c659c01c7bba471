/* The scratch of a widened step: [widened lhs][widened rhs][wide result][scratch of the step within]. */
#include "plan/widened_steps.h"

#include "base/parts.h"
#include "kernels/widen.h"

/* What products of a type are computed in, and the ways there and back; NULL: it is that type. */
static const struct {
  hlo_type type;
  hlo_dot_type in;
  hlo_widen_kernel *widen, *narrow;
} types[] = {
    {HLO_TYPE_F32, HLO_DOT_F32, NULL, NULL},
    {HLO_TYPE_F64, HLO_DOT_F64, NULL, NULL},
    {HLO_TYPE_F16, HLO_DOT_F32, hlo_widen_f16_f32, hlo_narrow_f32_f16},
    {HLO_TYPE_BF16, HLO_DOT_F32, hlo_widen_bf16_f32, hlo_narrow_f32_bf16},
    {HLO_TYPE_S32, HLO_DOT_S32, NULL, NULL},
    {HLO_TYPE_U32, HLO_DOT_S32, NULL, NULL},
    {HLO_TYPE_S16, HLO_DOT_S32, hlo_widen_s16_s32, hlo_narrow_s32_s16},
    {HLO_TYPE_U16, HLO_DOT_S32, hlo_widen_u16_s32, hlo_narrow_s32_s16},
    {HLO_TYPE_S8, HLO_DOT_S32, hlo_widen_s8_s32, hlo_narrow_s32_s8},
    {HLO_TYPE_U8, HLO_DOT_S32, hlo_widen_u8_s32, hlo_narrow_s32_s8},
};

static int row_of(hlo_type type) {
  for (int i = 0; i < (int)(sizeof types / sizeof *types); i++)
    if (types[i].type == type) return i;
  return -1;
}

bool hlo_widened_type(const hlo_kernel_question *question, hlo_dot_type *type) {
  int result = row_of(question->instruction->shape->type);
  if (result < 0) return false;
  *type = types[result].in;
  for (int i = 0; i < 2; i++) {
    int row = row_of(hlo_kernel_operand(question, i)->type);
    if (row < 0) return false;
    if (types[row].in != *type && !(*type == HLO_DOT_F64 && types[row].type == HLO_TYPE_F32)) return false;
  }
  return true;
}

/* NULL: the operand has the type in which is computed. */
static hlo_widen_kernel *widening(const hlo_kernel_question *question, int operand) {
  int row = row_of(hlo_kernel_operand(question, operand)->type);
  if (types[row].type == HLO_TYPE_F32 && question->instruction->shape->type == HLO_TYPE_F64) return hlo_widen_f32_f64;
  return types[row].widen;
}

static int64_t wide_bytes(const hlo_kernel_question *question, const hlo_shape *shape) {
  hlo_dot_type type = HLO_DOT_F32;
  hlo_widened_type(question, &type);
  return hlo_shape_element_count(shape) * hlo_dot_bytes(type);
}

const void *hlo_widened_constant(const hlo_kernel_question *question, int operand, hlo_arena *arena) {
  const void *constant = hlo_kernel_constant(question, operand);
  hlo_widen_kernel *widen = widening(question, operand);
  if (!constant || !widen) return constant;
  hlo_status status = {0};
  void *wide = hlo_arena_alloc(arena, (size_t)wide_bytes(question, hlo_kernel_operand(question, operand)), &status);
  if (wide) widen(constant, hlo_shape_element_count(hlo_kernel_operand(question, operand)), wide);
  return wide;
}

/* ---- Running ---- */

typedef struct widened {
  hlo_shared_step_function *run;
  hlo_telling_step_function *run_telling; /* where the result is not narrowed */
  const void *parameters;
  hlo_widen_kernel *widen[2], *narrow;
  int bytes[3], wide_bytes; /* of an element, outside and within */
  int64_t counts[3], offsets[3], scratch_offset; /* of the operands and of the result; offsets in bytes */
} widened;

typedef struct conversion {
  hlo_widen_kernel *kernel;
  const char *in;
  char *out;
  int in_bytes, out_bytes; /* of an element */
  int64_t count;
} conversion;

static void convert_part(const void *context, int64_t first, int64_t count, int thread) {
  const conversion *c = context;
  c->kernel(c->in + first * c->in_bytes, count, c->out + first * c->out_bytes);
}

static void convert(conversion c, hlo_team *team) { hlo_parts_run(team, c.count, 64, (double)c.count / 2, convert_part, &c); }

/* The operands as they are computed with. */
static void widen(const widened *w, const void *const *operands, char *memory, const void **wide, hlo_team *team) {
  wide[0] = operands[0], wide[1] = NULL;
  for (int i = 0; i < 2; i++) {
    if (w->counts[i] < 0) continue; /* a packed constant: no operand */
    wide[i] = w->widen[i] ? memory + w->offsets[i] : operands[i];
    if (w->widen[i])
      convert((conversion){w->widen[i], operands[i], memory + w->offsets[i], w->bytes[i], w->wide_bytes, w->counts[i]}, team);
  }
}

static void run_widened(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const widened *w = parameters;
  char *memory = scratch;
  const void *wide[2];
  widen(w, operands, memory, wide, team);
  w->run(w->parameters, wide, w->narrow ? memory + w->offsets[2] : result, memory + w->scratch_offset, team);
  if (w->narrow) convert((conversion){w->narrow, memory + w->offsets[2], result, w->wide_bytes, w->bytes[2], w->counts[2]}, team);
}

static void run_widened_telling(const void *parameters, const void *const *operands, void *result, void *scratch, const hlo_finish *finish,
                                hlo_team *team) {
  const widened *w = parameters;
  const void *wide[2];
  widen(w, operands, scratch, wide, team);
  w->run_telling(w->parameters, wide, result, (char *)scratch + w->scratch_offset, finish, team);
}

bool hlo_widened_finish(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  widened w = {.run = choice->run_shared, .run_telling = choice->run_telling, .parameters = choice->parameters,
               .narrow = types[row_of(question->instruction->shape->type)].narrow};
  int64_t offset = 0;
  for (int i = 0; i < 3; i++) {
    const hlo_shape *shape = i < 2 ? hlo_kernel_operand(question, i) : question->instruction->shape;
    w.bytes[i] = hlo_type_bytes(shape->type);
    bool absent = i == 1 && choice->operand_count == 1;
    w.counts[i] = absent ? -1 : hlo_shape_element_count(shape);
    if (i < 2 && !absent) w.widen[i] = widening(question, i);
    w.offsets[i] = offset;
    if (i < 2 ? !w.widen[i] : !w.narrow) continue;
    offset += hlo_place_aligned(wide_bytes(question, shape));
  }
  if (!w.widen[0] && !w.widen[1] && !w.narrow) return true;
  hlo_dot_type type = HLO_DOT_F32;
  hlo_widened_type(question, &type);
  w.wide_bytes = hlo_dot_bytes(type);
  w.scratch_offset = offset;
  choice->scratch_bytes += offset;
  choice->run_telling = w.narrow || !w.run_telling ? NULL : run_widened_telling;
  return HLO_RUN(question, choice, run_widened, w);
}
