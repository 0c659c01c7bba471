/* reduce of f32 and its places (an iota) along the last dimension by what numpy calls argmax and argmin: the computation is known by
 * what it does, as it can do nothing but compare and choose. */
#include <math.h>
#include <string.h>

#include "base/parts.h"
#include "kernels/f32_arg_extreme.h"
#include "plan/applied_program.h"
#include "reference/box.h"

typedef struct arg_parameters {
  int64_t rows, width;
  bool least;
  hlo_applied_program program; /* for the inits */
} arg_parameters;

typedef struct arg_arrays {
  const arg_parameters *p;
  const float *in;
  float *values;
  int32_t *places;
} arg_arrays;

static void run_rows(const void *context, int64_t first, int64_t count, int thread) {
  const arg_arrays *a = context;
  hlo_f32_arg_extreme_simd128(a->in + first * a->p->width, count, a->p->width, a->p->least, a->values + first, a->places + first);
}

/* Operands: the array, the inits, and the result that holds places. */
static void run_arg_extreme(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const arg_parameters *p = parameters;
  const arg_arrays arrays = {p, operands[0], result, (int32_t *)operands[3]};
  hlo_parts_run(team, p->rows, 1, (double)p->rows * (double)p->width * 0.5, run_rows, &arrays);
  for (int64_t r = 0; r < p->rows; r += HLO_APPLIED_BLOCK) {
    void *found[2] = {arrays.values + r, arrays.places + r};
    const void *values[4] = {operands[1], operands[2], found[0], found[1]};
    hlo_applied_program_run(&p->program, values, 3, found, p->rows - r < HLO_APPLIED_BLOCK ? p->rows - r : HLO_APPLIED_BLOCK, scratch);
  }
}

typedef struct candidate {
  float value;
  int32_t place;
} candidate;

/* The first NaN, or else the greatest (the least); of equal ones the lower place, and the value of the second. */
static candidate better(candidate a, candidate b, bool least) {
  bool keeps = (least ? a.value < b.value : a.value > b.value) || isnan(a.value);
  return (candidate){keeps ? a.value : b.value, keeps || (a.value == b.value && a.place < b.place) ? a.place : b.place};
}

static bool agrees_on(const hlo_applied_program *program, bool least, void *scratch) {
  static const float values[] = {-0.0f, 0, 1, 2, NAN};
  for (int trial = 0; trial < 15 * 15; trial++) {
    candidate a = {values[trial % 5], trial / 5 % 3}, b = {values[trial / 15 % 5], trial / 75}, chosen, expected = better(a, b, least);
    const void *parameters[4] = {&a.value, &a.place, &b.value, &b.place};
    void *results[2] = {&chosen.value, &chosen.place};
    hlo_applied_program_run(program, parameters, 0, results, 1, scratch);
    if (memcmp(&chosen.value, &expected.value, sizeof chosen.value) != 0 || chosen.place != expected.place) return false;
  }
  return true;
}

/* Whether the computation is one of the two. */
static bool agrees(const hlo_kernel_question *question, arg_parameters *p) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  void *scratch = hlo_arena_alloc(&arena, hlo_applied_program_scratch_bytes(&p->program), question->status);
  p->least = scratch && !agrees_on(&p->program, false, scratch);
  bool known = scratch && (!p->least || agrees_on(&p->program, true, scratch));
  hlo_arena_free(&arena);
  return known;
}

/* The last dimension alone is reduced, and `places` counts along it. */
static bool reduces_rows(const hlo_instruction *instruction, const hlo_shape *shape, const hlo_instruction *places) {
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  return dimensions.count == 1 && dimensions.data[0] == shape->rank - 1 && places->opcode == HLO_OP_IOTA &&
         hlo_instruction_int(places, HLO_ATTR_iota_dimension, 0) == shape->rank - 1;
}

bool hlo_setup_arg_extreme(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->operand_count != 4) return false;
  static const hlo_type types[] = {HLO_TYPE_F32, HLO_TYPE_S32};
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  for (int n = 0; n < 4; n++)
    if (hlo_kernel_operand(question, n)->type != types[n % 2] ||
        hlo_instruction_at(computation, computation->parameters[n])->shape->type != types[n % 2])
      return false;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  arg_parameters p;
  if (!reduces_rows(instruction, shape, hlo_operand(question->computation, instruction, 1))) return false;
  if (!hlo_applied_program_make(question, computation, &p.program) || !p.program.chooses || p.program.result_count != 2) return false;
  p.rows = hlo_box_count(shape->dims, shape->rank - 1);
  p.width = shape->dims[shape->rank - 1];
  if (p.width == 0 || p.width > INT32_MAX) return false;
  if (!agrees(question, &p)) return false;
  choice->scratch_bytes = (int64_t)hlo_applied_program_scratch_bytes(&p.program);
  choice->operand_count = 3; /* nobody reads the iota */
  choice->operands[1] = instruction->operands[2];
  choice->operands[2] = instruction->operands[3];
  return HLO_RUN(question, choice, run_arg_extreme, p);
}
