/* reduce of f32 and its places (an iota) along one dimension, as numpy's argmax and argmin do: the computation is recognised by what
 * it does. */
#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/move/strided_copy.h"
#include "kernels/reduce/arg_extreme.h"
#include "loops/applied_program_make.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

typedef struct candidate {
  float value;
  int32_t place;
} candidate;

/* The one of two candidates that numpy's argmax (argmin) takes: the first NaN, or else the greater (the lesser); of equal ones, the lower place and
 * the value of the second. */
static candidate better(candidate a, candidate b, bool least) {
  bool keeps = (least ? a.value < b.value : a.value > b.value) || isnan(a.value);
  return (candidate){keeps ? a.value : b.value, keeps || (a.value == b.value && a.place < b.place) ? a.place : b.place};
}

/* Returns whether the program does what better() does, on all pairs of a few values and places. */
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

/* Returns whether the computation is that of argmax or that of argmin, and sets `least`. As it does nothing but compare and choose, a few
 * values tell. */
static bool agrees(const hlo_kernel_question *question, hlo_arg_extreme_parameters *p) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  void *scratch = hlo_arena_alloc(&arena, hlo_applied_program_scratch_bytes(&p->program), question->status);
  p->least = scratch && !agrees_on(&p->program, false, scratch);
  bool known = scratch && (!p->least || agrees_on(&p->program, true, scratch));
  hlo_arena_free(&arena);
  return known;
}

/* Returns the dimension that alone is reduced, and along which `places` counts; -1: there is none. */
static int reduced_dimension(const hlo_kernel_question *question, const hlo_instruction *places) {
  hlo_ints dimensions = *hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions);
  bool counts = dimensions.count == 1 && hlo_counted_dimension(question->computation, places) == dimensions.data[0];
  return counts ? (int)dimensions.data[0] : -1;
}

/* Describes the rows, and how they are put together where their elements do not lie side by side. */
static void describe_rows(const hlo_shape *shape, int dimension, hlo_arg_extreme_parameters *p) {
  int64_t inner, outer = hlo_kernel_split(shape, dimension, &inner);
  int64_t bytes = sizeof(float), width = shape->dims[dimension];
  p->rows = outer * inner;
  p->width = width;
  p->gathers = inner > 1;
  p->map = (hlo_strided_map){.rank = 3, .element_bytes = (int)bytes, .dims = {outer, inner, width},
                             .in_strides = {width * inner * bytes, bytes, inner * bytes},
                             .out_strides = {width * inner * bytes, width * bytes, bytes}};
  hlo_strided_map_simplify(&p->map);
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
  hlo_arg_extreme_parameters p;
  int dimension = reduced_dimension(question, hlo_operand(question->computation, instruction, 1));
  if (dimension < 0) return false;
  if (!hlo_applied_program_make(computation, &p.program) || !p.program.chooses || p.program.result_count != 2) return false;
  describe_rows(shape, dimension, &p);
  if (p.width == 0 || p.width > INT32_MAX) return false;
  if (!agrees(question, &p)) return false;
  p.rows_offset = hlo_aligned((int64_t)hlo_applied_program_scratch_bytes(&p.program));
  choice->scratch_bytes = p.rows_offset + (p.gathers ? p.rows * p.width * (int64_t)sizeof(float) : 0);
  choice->operand_count = 3; /* the kernel does not read the iota */
  choice->operands[1] = instruction->operands[2];
  choice->operands[2] = instruction->operands[3];
  return HLO_RUN(question, choice, hlo_arg_extreme_run, p);
}
