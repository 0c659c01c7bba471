/* reduce with a well-known computation: one pass of a kernel for each run of adjacent reduced dimensions, the last
 * run first, and then the init value, once for each result. Where a long run has few results beside it, it is folded in parts, which
 * a team can share, and then the parts: with one thread as with many, since the order of a sum is its result. */
#include <string.h>

#include "base/parts.h"
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

enum { FEW = 16, MOST_PARTS = 32, SHORTEST_PART = 64, LEAST_ELEMENTS = 1 << 16 };

typedef struct reduce_pass {
  int64_t outer, reduced, inner;
} reduce_pass;

typedef struct reduce_parameters {
  hlo_reduce_kernel *kernel;
  hlo_elementwise_kernel *combine; /* init with the results */
  int element_bytes;
  int64_t count; /* of results */
  bool empty;    /* nothing is folded: results are init */
  int pass_count;
  reduce_pass passes[2 * HLO_MAX_RANK];
  int64_t half_bytes; /* of the scratch: passes write one half and then the other */
} reduce_parameters;

typedef struct shared_pass {
  const reduce_parameters *p;
  const reduce_pass *pass;
  const char *in;
  char *out;
} shared_pass;

static void reduce_part(const void *context, int64_t first, int64_t outer, int thread) {
  const shared_pass *s = context;
  const reduce_pass *pass = s->pass;
  s->p->kernel(s->in + first * pass->reduced * pass->inner * s->p->element_bytes, s->out + first * pass->inner * s->p->element_bytes, outer,
               pass->reduced, pass->inner);
}

static void run_reduce(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const reduce_parameters *p = parameters;
  if (p->empty) {
    hlo_fill(result, operands[1], p->element_bytes, p->count);
    return;
  }
  if (p->count == 0) return;
  const void *in = operands[0];
  for (int i = 0; i < p->pass_count; i++) {
    void *out = i == p->pass_count - 1 ? result : (char *)scratch + (i & 1 ? p->half_bytes : 0);
    const reduce_pass *pass = &p->passes[i];
    double nanoseconds = (double)pass->outer * (double)pass->reduced * (double)pass->inner * p->element_bytes / 16;
    const shared_pass s = {p, pass, in, out};
    hlo_parts_run(team, pass->outer, 1, nanoseconds, reduce_part, &s);
    in = out;
  }
  if (p->pass_count == 0) memcpy(result, in, (size_t)(p->count * p->element_bytes));
  const void *both[2] = {operands[1], result};
  p->combine(both, p->count == 1 ? 0 : 1, result, p->count);
}

/* How many parts a run is folded in: a divisor of its length. */
static int64_t part_count(reduce_pass pass) {
  int64_t parts = MOST_PARTS;
  if (pass.outer >= FEW || pass.outer * pass.reduced * pass.inner < LEAST_ELEMENTS) return 1;
  while (parts > 1 && (pass.reduced % parts || pass.reduced / parts < SHORTEST_PART)) parts--;
  return parts;
}

static void add_pass(reduce_parameters *p, reduce_pass pass, int64_t *largest) {
  p->passes[p->pass_count++] = pass;
  if (pass.outer * pass.inner > *largest) *largest = pass.outer * pass.inner;
}

/* The passes over a shape, merging neighbours; returns how many elements the largest intermediate array has. */
static int64_t make_passes(const hlo_shape *shape, uint32_t dimensions, reduce_parameters *p) {
  int64_t sizes[HLO_MAX_RANK], largest = 0;
  bool reduced[HLO_MAX_RANK];
  int count = 0;
  for (int d = 0; d < shape->rank; d++) {
    bool folds = dimensions >> d & 1;
    if (shape->dims[d] == 1) continue;
    if (count > 0 && reduced[count - 1] == folds) {
      sizes[count - 1] *= shape->dims[d];
    } else {
      sizes[count] = shape->dims[d];
      reduced[count++] = folds;
    }
  }
  int64_t inner = 1;
  for (int last = count - 1; last >= 0; last--) {
    if (!reduced[last]) {
      inner *= sizes[last];
      continue;
    }
    int64_t outer = 1;
    for (int d = 0; d < last; d++) outer *= sizes[d];
    int64_t parts = part_count((reduce_pass){outer, sizes[last], inner});
    if (parts > 1) add_pass(p, (reduce_pass){outer * parts, sizes[last] / parts, inner}, &largest);
    add_pass(p, (reduce_pass){outer, parts > 1 ? parts : sizes[last], inner}, &largest);
  }
  return p->pass_count > 1 ? largest : 0;
}

bool hlo_setup_reduce(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  hlo_reduction reduction;
  if (!hlo_reduction_for(question->module, question->computation, instruction, &reduction)) return false;
  choice->kernel = hlo_arena_format(question->arena, question->status, "%s_reduce_%s", hlo_type_name(instruction->shape->type), hlo_op_name(reduction.opcode));
  if (!choice->kernel) return false;
  const hlo_shape *operand = hlo_kernel_operand(question, 0);
  reduce_parameters p = {.kernel = reduction.kernel, .combine = reduction.combine, .element_bytes = hlo_type_bytes(instruction->shape->type),
                         .count = hlo_shape_element_count(instruction->shape)};
  p.empty = hlo_shape_element_count(operand) == 0;
  int64_t largest = p.empty ? 0 : make_passes(operand, hlo_ints_mask(hlo_instruction_ints(instruction, HLO_ATTR_dimensions)), &p);
  p.half_bytes = hlo_place_aligned(largest * p.element_bytes);
  choice->scratch_bytes = 2 * p.half_bytes;
  return HLO_RUN(question, choice, run_reduce, p);
}
