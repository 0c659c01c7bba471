/* Setting up element-wise instructions. A kernel takes a broadcast scalar as one element; broadcasts of rows or columns are fused with
 * their readers (passes/fuse_loops.c). */
#include "base/arena.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"
#include "loops/scalar_ops.h"
#include "reference/linear_algebra/routine_library.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

typedef struct elementwise_parameters {
  hlo_elementwise_kernel *kernel;
  unsigned scalars;
  bool all_scalars; /* every operand is a scalar: one element is computed and repeated */
  int64_t count;
  int element_bytes, operand_count, operand_bytes[HLO_ELEMENTWISE_MAX_OPERANDS]; /* of an element */
} elementwise_parameters;

static void run_part(const hlo_range_call *call, int64_t first, int64_t count) {
  const elementwise_parameters *p = call->parameters;
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  for (int n = 0; n < p->operand_count; n++)
    operands[n] = (const char *)call->operands[n] + (p->scalars >> n & 1 ? 0 : first * p->operand_bytes[n]);
  char *out = (char *)call->result + first * p->element_bytes;
  if (p->all_scalars) {
    p->kernel(operands, 0, out, 1);
    hlo_fill(out + p->element_bytes, out, p->element_bytes, count - 1);
  } else {
    p->kernel(operands, p->scalars, out, count);
  }
}

static bool is_one_element(const hlo_shape *shape) {
  return hlo_shape_is_plain(shape) && hlo_shape_element_count(shape) == 1;
}

/* The instruction of one element that an operand repeats: itself, or behind broadcasts. -1: it repeats none. */
static int repeated_element(const hlo_computation *computation, int operand) {
  const hlo_instruction *instruction = hlo_instruction_at(computation, operand);
  while (instruction->opcode == HLO_OP_BROADCAST || (instruction->opcode == HLO_OP_RESHAPE && is_one_element(instruction->shape)))
    instruction = hlo_operand(computation, instruction, 0);
  return is_one_element(instruction->shape) ? instruction->index : -1;
}

static bool finish(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_elementwise_kernel *kernel, double nanoseconds) {
  const hlo_shape *shape = question->instruction->shape;
  elementwise_parameters p = {.kernel = kernel, .element_bytes = hlo_type_bytes(shape->type),
                              .count = hlo_shape_element_count(shape), .operand_count = choice->operand_count};
  for (int n = 0; n < choice->operand_count; n++) {
    p.operand_bytes[n] = hlo_type_bytes(hlo_kernel_operand(question, n)->type);
    int element = p.count == 1 ? -1 : repeated_element(question->computation, choice->operands[n]);
    if (element >= 0) {
      choice->operands[n] = element;
      p.scalars |= 1u << n;
    } else if (p.operand_bytes[n] == p.element_bytes) {
      choice->overwritable |= 1u << n;
    }
  }
  p.all_scalars = p.scalars == (1u << choice->operand_count) - 1;
  return HLO_RUN_RANGES(question, choice, p, .run = run_part, .count = p.count, .step = 64,
                        .nanoseconds = (double)p.count * nanoseconds);
}

/* The kernel of an instruction that has no scalar operation. */
static hlo_elementwise_kernel *complex_kernel(const hlo_kernel_question *question) {
  const hlo_routine_library *library = hlo_routines_loaded();
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = instruction->shape;
  return library && hlo_shape_is_plain(shape) && hlo_type_is_complex(shape->type) ? library->complex_kernel(instruction->opcode, shape->type) : NULL;
}

bool hlo_setup_elementwise(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  enum { COMPLEX_NANOSECONDS = 250 };
  hlo_scalar_op op = hlo_scalar_op_for(question->computation, question->instruction);
  hlo_elementwise_kernel *kernel = hlo_scalar_kernel(op);
  double nanoseconds = hlo_scalar_op_nanoseconds(op);
  if (!kernel) kernel = complex_kernel(question), nanoseconds = COMPLEX_NANOSECONDS;
  if (!kernel) return false;
  const hlo_shape *last = hlo_kernel_operand(question, choice->operand_count - 1);
  choice->kernel = hlo_arena_format(question->arena, question->status, "%s_%s", hlo_type_name(last->type), hlo_op_name(question->instruction->opcode));
  return choice->kernel && finish(question, choice, kernel, nanoseconds);
}
