/* reduce of an array and its places (an iota) along one dimension, as numpy's argmax and argmin do: the computation is recognised by what
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
#include "kernels/reduce/arg_extreme_rows.h"
#include "loops/applied_program_make.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

typedef struct candidate {
  double value;
  int64_t place;
} candidate;

/* The one of two candidates that numpy's argmax (argmin) takes: the first NaN, or else the greater (the lesser); of equal ones, the lower place and
 * the value of the second. */
static candidate better(candidate a, candidate b, bool least) {
  bool keeps = (least ? a.value < b.value : a.value > b.value) || isnan(a.value);
  return (candidate){keeps ? a.value : b.value, keeps || (a.value == b.value && a.place < b.place) ? a.place : b.place};
}

/* Writes a candidate as elements of the types. */
static void put(const hlo_type *types, candidate a, uint64_t *value, uint64_t *place) {
  *value = *place = 0;
  hlo_scalar number = hlo_type_is_float(types[0]) ? (hlo_scalar){.f = a.value} : (hlo_scalar){.s = (int64_t)a.value};
  hlo_scalar_store(types[0], value, 0, number);
  hlo_scalar_store(types[1], place, 0, (hlo_scalar){.s = a.place});
}

/* Returns whether the program does what better() does, on all pairs of a few values and places. */
static bool agrees_on(const hlo_applied_program *program, const hlo_type *types, bool least, void *scratch) {
  static const double of_floats[] = {-0.0, 0, 1, 2, NAN}, of_integers[] = {0, 1, 1, 0, 0};
  const double *values = hlo_type_is_float(types[0]) ? of_floats : of_integers;
  for (int trial = 0; trial < 15 * 15; trial++) {
    candidate a = {values[trial % 5], trial / 5 % 3}, b = {values[trial / 15 % 5], trial / 75};
    uint64_t given[4], chosen[2] = {0, 0}, expected[2];
    put(types, a, &given[0], &given[1]);
    put(types, b, &given[2], &given[3]);
    put(types, better(a, b, least), &expected[0], &expected[1]);
    hlo_applied_program_run(program, (const void *[]){&given[0], &given[1], &given[2], &given[3]}, 0, (void *[]){&chosen[0], &chosen[1]}, 1, scratch);
    if (memcmp(chosen, expected, sizeof chosen) != 0) return false;
  }
  return true;
}

/* Returns whether the computation is that of argmax or that of argmin, and sets `least`. As it does nothing but compare and choose, a few
 * values tell. */
static bool agrees(const hlo_kernel_question *question, const hlo_type *types, hlo_arg_extreme_parameters *p) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  void *scratch = hlo_arena_alloc(&arena, hlo_applied_program_scratch_bytes(&p->program), question->status);
  p->least = scratch && !agrees_on(&p->program, types, false, scratch);
  bool known = scratch && (!p->least || agrees_on(&p->program, types, true, scratch));
  hlo_arena_free(&arena);
  return known;
}

/* Returns the dimension that alone is reduced, and along which `places` counts; -1: there is none. */
static int reduced_dimension(const hlo_kernel_question *question, const hlo_instruction *places) {
  hlo_ints dimensions = *hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions);
  bool counts = dimensions.count == 1 && hlo_counted_dimension(question->computation, places) == dimensions.data[0];
  return counts ? (int)dimensions.data[0] : -1;
}

/* Returns whether the inits change nothing: the value is the least (or the greatest) of its type, and the place is 0, which is also the place that is found
 * where all elements equal that value. */
static bool changes_nothing(const hlo_literal *value, const hlo_literal *place, hlo_type type, bool least) {
  if (!value || !place || !value->data || !place->data) return false;
  return hlo_scalar_equal(type, hlo_literal_get(value, 0), least ? hlo_type_max_value(type) : hlo_type_min_value(type)) && hlo_literal_get(place, 0).s == 0;
}

static const hlo_literal *init_of(const hlo_kernel_question *question, int operand) {
  return hlo_kernel_constant_of(question->computation, hlo_operand(question->computation, question->instruction, operand));
}

/* Beyond so many elements, to walk down column after column takes longer than to gather them, unless there are few rows, or a cache line of columns is read at a time. */
enum { MOST_IN_CACHE = 4096, FEW_ROWS = 16 };

/* Returns whether a kernel reads columns of the type. */
static bool reads_columns(hlo_type type, int64_t columns, int64_t width) {
  int64_t bytes = columns * hlo_type_bytes(type);
  if (!hlo_arg_extreme_columns_of(type, columns) || bytes < 16) return false;
  if (hlo_type_bytes(type) == 1) return width < 256;
  return bytes >= HLO_ARG_EXTREME_LINE || width <= FEW_ROWS || width * columns <= MOST_IN_CACHE;
}

/* Describes the rows, and how they are put together where their elements do not lie side by side. */
static void describe_rows(const hlo_shape *shape, int dimension, hlo_arg_extreme_parameters *p) {
  int64_t inner, outer = hlo_kernel_split(shape, dimension, &inner);
  int64_t bytes = hlo_type_bytes(shape->type), width = shape->dims[dimension];
  p->bytes = (int)bytes;
  p->rows = outer * inner;
  p->width = width;
  p->columns = reads_columns(shape->type, inner, width) ? inner : 0;
  p->gathers = inner > 1 && !p->columns;
  if (p->columns) p->kernel = hlo_arg_extreme_columns_of(shape->type, inner);
  p->map = (hlo_strided_map){.rank = 3, .element_bytes = (int)bytes, .dims = {outer, inner, width},
                             .in_strides = {width * inner * bytes, bytes, inner * bytes},
                             .out_strides = {width * inner * bytes, width * bytes, bytes}};
  hlo_strided_map_simplify(&p->map);
}

bool hlo_setup_arg_extreme(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->operand_count != 4) return false;
  const hlo_type types[] = {hlo_kernel_operand(question, 0)->type, hlo_kernel_operand(question, 1)->type};
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  for (int n = 0; n < 4; n++)
    if (hlo_kernel_operand(question, n)->type != types[n % 2] ||
        hlo_instruction_at(computation, computation->parameters[n])->shape->type != types[n % 2])
      return false;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  hlo_arg_extreme_parameters p = {.kernel = hlo_arg_extreme_kernel_of(types[0]), .long_places = types[1] == HLO_TYPE_S64};
  if (!p.kernel || (types[1] != HLO_TYPE_S32 && !p.long_places)) return false;
  int dimension = reduced_dimension(question, hlo_operand(question->computation, instruction, 1));
  if (dimension < 0) return false;
  if (!hlo_applied_program_make(computation, &p.program) || !p.program.chooses || p.program.result_count != 2) return false;
  describe_rows(shape, dimension, &p);
  if (p.width == 0 || p.width > INT32_MAX) return false;
  if (!agrees(question, types, &p)) return false;
  p.inits_matter = !changes_nothing(init_of(question, 2), init_of(question, 3), types[0], p.least);
  p.rows_offset = hlo_aligned((int64_t)hlo_applied_program_scratch_bytes(&p.program));
  choice->scratch_bytes = p.rows_offset + (p.gathers ? p.rows * p.width * p.bytes : 0);
  choice->operand_count = 3; /* the kernel does not read the iota */
  choice->operands[1] = instruction->operands[2];
  choice->operands[2] = instruction->operands[3];
  return HLO_RUN(question, choice, hlo_arg_extreme_run, p);
}
