/* reduce with any computation of element-wise ops, over one array or several. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/reduce/applied_fold.h"
#include "loops/applied_program_make.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* Splits the dimensions into outer, reduced and inner ones. Returns false where those that are reduced do not follow each other. */
static bool split(const hlo_shape *shape, uint32_t dimensions, hlo_applied_fold_parameters *p) {
  p->outer = p->reduced = p->inner = 1;
  int part = 0; /* outer, reduced, inner */
  for (int d = 0; d < shape->rank; d++) {
    bool reduces = dimensions >> d & 1;
    if (shape->dims[d] == 1) continue;
    if (reduces && part == 0) part = 1;
    if (!reduces && part == 1) part = 2;
    if (reduces && part == 2) return false;
    *(part == 0 ? &p->outer : part == 1 ? &p->reduced : &p->inner) *= shape->dims[d];
  }
  return true;
}

/* Writes trial value `number` of a type; returns how many there are. For a computation that does nothing but compare and choose, they stand
 * for all values: less, equal, greater, zeros of either sign, NaN. */
static int trial_value(hlo_type type, int number, void *out) {
  static const double floats[] = {-0.0, 0.0, 1, 2, NAN};
  bool is_float = hlo_type_is_float(type);
  hlo_scalar value = {.u = (uint64_t)number};
  if (is_float) value = (hlo_scalar){.f = floats[number]};
  hlo_scalar_store(type, out, 0, value);
  return is_float ? 5 : type == HLO_TYPE_PRED ? 2 : 3;
}

/* An element of each part. */
typedef struct cell {
  _Alignas(16) char parts[2][HLO_APPLIED_MOST_BYTES];
} cell;

/* f(a, b). */
static cell combined(const hlo_applied_fold_parameters *p, const cell *a, const cell *b, char *scratch) {
  cell made;
  const void *parameters[4];
  void *results[2] = {made.parts[0], made.parts[1]};
  for (int i = 0; i < p->parts; i++) {
    parameters[i] = a->parts[i];
    parameters[p->parts + i] = b->parts[i];
  }
  hlo_applied_program_run(&p->program, parameters, 0, results, 1, scratch);
  return made;
}

/* Returns whether f(f(a, b), c) = f(a, f(b, c)) for all trial values of one or two parts. */
static bool is_associative(const hlo_applied_fold_parameters *p, const hlo_type *types, char *scratch) {
  int counts[2] = {1, 1}, all = 1;
  cell cells[3];
  if (!p->program.chooses || p->parts > 2) return false;
  for (int i = 0; i < p->parts; i++) all *= counts[i] = trial_value(types[i], 0, cells[0].parts[i]);
  for (int trial = 0; trial < all * all * all; trial++) {
    for (int n = 0, rest = trial; n < 3; n++, rest /= all)
      for (int i = 0, number = rest % all; i < p->parts; i++, number /= counts[0])
        trial_value(types[i], number % counts[i], cells[n].parts[i]);
    cell left = combined(p, &cells[0], &cells[1], scratch), right = combined(p, &cells[1], &cells[2], scratch);
    left = combined(p, &left, &cells[2], scratch);
    right = combined(p, &cells[0], &right, scratch);
    for (int i = 0; i < p->parts; i++)
      if (memcmp(left.parts[i], right.parts[i], (size_t)p->bytes[i]) != 0) return false;
  }
  return true;
}

/* Returns whether segments are faster, and give the same results. opcode: of the one operation of a fold of integers, or of a product of complex numbers; else HLO_OP_PARAMETER. */
static bool takes_segments(const hlo_kernel_question *question, const hlo_applied_fold_parameters *p, const hlo_type *types, hlo_opcode opcode) {
  if (p->outer * p->inner >= HLO_APPLIED_FOLD_FEW || p->reduced < HLO_APPLIED_FOLD_LEAST) return false;
  if (hlo_op_has(opcode, HLO_FLAG_COMMUTATIVE)) return true; /* of these, it is associative as well */
  hlo_arena arena;
  hlo_arena_init(&arena);
  char *scratch = hlo_arena_alloc(&arena, hlo_applied_program_scratch_bytes(&p->program), question->status);
  bool pays = scratch && is_associative(p, types, scratch);
  hlo_arena_free(&arena);
  return pays;
}

bool hlo_setup_fold(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  const hlo_shape *first = hlo_kernel_operand(question, 0);
  hlo_applied_fold_parameters p = {.parts = instruction->operand_count / 2};
  hlo_type types[HLO_APPLIED_FOLD_MOST_PARTS];
  if (p.parts < 1 || p.parts > HLO_APPLIED_FOLD_MOST_PARTS || !hlo_applied_program_make(computation, &p.program)) return false;
  hlo_opcode opcode = HLO_OP_PARAMETER;
  hlo_computation_is_binary_op(computation, &opcode);
  /* The reference does not round sums of real and complex numbers element by element. */
  bool are_integers = hlo_type_is_integral(first->type);
  if ((!are_integers && opcode == HLO_OP_ADD) || p.program.result_count != p.parts ||
      !split(first, hlo_ints_mask(hlo_instruction_ints(instruction, HLO_ATTR_dimensions)), &p))
    return false;
  for (int i = 0; i < p.parts; i++) {
    types[i] = hlo_kernel_operand(question, i)->type;
    p.bytes[i] = hlo_type_bytes(types[i]);
    hlo_type result = hlo_shape_leaf(hlo_computation_root(computation)->shape, i)->type;
    hlo_type init = hlo_kernel_operand(question, p.parts + i)->type;
    if (result != types[i] || init != types[i] || hlo_shape_leaf(instruction->shape, i)->type != types[i]) return false;
    for (int n = 0; n < 2; n++)
      if (hlo_instruction_at(computation, computation->parameters[n * p.parts + i])->shape->type != types[i]) return false;
  }
  p.segments = takes_segments(question, &p, types, are_integers || hlo_type_is_complex(first->type) ? opcode : HLO_OP_PARAMETER);
  if (p.segments) choice->kernel = "fold_in_segments";
  int64_t scratch_bytes = hlo_applied_fold_scratch(&p);
  return HLO_RUN_RANGES(question, choice, p, .run = hlo_applied_fold_run, .count = hlo_applied_fold_units(&p), .step = 1,
                        .nanoseconds = (double)p.outer * (double)p.reduced * (double)p.inner * p.parts,
                        .scratch_bytes = scratch_bytes);
}
