/* What each operation costs: elements read and written, unless it has a rule here. */
#include "reference/work.h"

#include <string.h>

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "verify/verify.h"

enum {
  MOST_FFT_LENGTH = 1 << 30,  /* longer lines fit no memory */
  ITERATIONS_OF_EIGEN = 64    /* of an eigenvalue or singular-value algorithm, for each row */
};

typedef struct asking {
  const hlo_module *module;
  const int64_t *works;
  const hlo_computation *computation;
  const hlo_instruction *instruction;
} asking;

bool hlo_work_refuse(const hlo_work *work, int64_t units, const hlo_computation *computation, const hlo_instruction *instruction,
                     hlo_status *status) {
  return hlo_fail(status, HLO_LIMIT, "computation %s, instruction %s: %s needs %lld units of work, and %lld are left of the run's workBudget of %lld",
                  computation->name, instruction->name, hlo_op_name(instruction->opcode), (long long)units,
                  (long long)(work->budget - work->taken), (long long)work->budget);
}

/* ---- Elements ---- */

int64_t hlo_shape_work(const hlo_shape *shape) {
  int64_t count = 0;
  for (int i = 0; i < hlo_shape_leaf_count(shape); i++)
    if (hlo_shape_is_array(hlo_shape_leaf(shape, i)) && !hlo_shape_has_unbounded(hlo_shape_leaf(shape, i)))
      count = hlo_work_add(count, hlo_shape_element_count(hlo_shape_leaf(shape, i)));
  return count;
}

static const hlo_shape *operand_shape(const asking *a, int number) { return hlo_operand(a->computation, a->instruction, number)->shape; }

static int64_t operand_elements(const asking *a) {
  int64_t count = 0;
  for (int i = 0; i < a->instruction->operand_count; i++) count = hlo_work_add(count, hlo_shape_work(operand_shape(a, i)));
  return count;
}

static int64_t result_elements(const asking *a) { return hlo_shape_work(a->instruction->shape); }

/* The elements of the first array of the result. */
static int64_t first_elements(const asking *a) { return hlo_shape_work(hlo_shape_leaf(a->instruction->shape, 0)); }

/* The work of a computation that the instruction applies; a single operation of two scalars is 1. */
static int64_t applied(const asking *a, hlo_attribute_id attribute) {
  const hlo_computation *computation = hlo_instruction_computation(a->module, a->instruction, attribute);
  hlo_opcode opcode;
  if (!computation) return 1;
  return hlo_computation_is_binary_op(computation, &opcode) ? 1 : a->works[computation->index];
}

static int64_t log2_of(int64_t count) { return count <= 2 ? 1 : 64 - __builtin_clzll((unsigned long long)(count - 1)); }

/* ---- Operations ---- */

static int64_t dot(const asking *a) {
  const hlo_shape *lhs = operand_shape(a, 0);
  hlo_ints contracting = *hlo_instruction_ints(a->instruction, HLO_ATTR_lhs_contracting_dims);
  int64_t products = result_elements(a);
  for (int i = 0; i < contracting.count; i++) products = hlo_work_multiply(products, lhs->dims[contracting.data[i]]);
  return products;
}

/* Each element of the result takes a multiplication and an addition for each element of the kernel that belongs to its feature. */
static int64_t convolution(const asking *a) {
  const hlo_shape *kernel = operand_shape(a, 1);
  const hlo_dim_labels *labels = hlo_instruction_attribute(a->instruction, HLO_ATTR_dim_labels)->dim_labels;
  int64_t features = kernel->dims[labels->kernel_output_feature];
  return features > 0 ? hlo_work_multiply(result_elements(a), hlo_shape_work(kernel) / features) : 0;
}

static int64_t window_cells(const asking *a) {
  const hlo_window *window = hlo_instruction_window(a->instruction);
  int64_t cells = 1;
  for (int d = 0; d < window->rank; d++) cells = hlo_work_multiply(cells, window->dims[d].size);
  return cells;
}

static int64_t select_and_scatter(const asking *a) {
  int64_t sources = hlo_shape_work(operand_shape(a, 1));
  int64_t selected = hlo_work_multiply(sources, hlo_work_multiply(window_cells(a), applied(a, HLO_ATTR_select)));
  return hlo_work_add(selected, hlo_work_multiply(sources, applied(a, HLO_ATTR_scatter)));
}

static int64_t scatter(const asking *a) {
  int arrays = a->instruction->operand_count / 2;
  int64_t updates = hlo_shape_work(operand_shape(a, arrays + 1));
  return hlo_work_multiply(updates, applied(a, HLO_ATTR_to_apply));
}

/* Comparisons of a merge sort of each line. */
static int64_t comparisons(const asking *a, int64_t length) {
  return hlo_work_multiply(hlo_shape_work(operand_shape(a, 0)), log2_of(length));
}

static int64_t sort(const asking *a) {
  int64_t along = hlo_instruction_ints(a->instruction, HLO_ATTR_dimensions)->data[0];
  return hlo_work_multiply(comparisons(a, operand_shape(a, 0)->dims[along]), applied(a, HLO_ATTR_to_apply));
}

static int64_t top_k(const asking *a) {
  const hlo_shape *shape = operand_shape(a, 0);
  return shape->rank > 0 ? comparisons(a, shape->dims[shape->rank - 1]) : 0;
}

/* The sum of the prime factors of a length: so many products for each element of a transformed line. */
static int64_t prime_sum(int64_t length) {
  int64_t sum = 0;
  if (length > MOST_FFT_LENGTH) return length;
  for (int64_t p = 2; p * p <= length; p++)
    for (; length % p == 0; length /= p) sum += p;
  return length > 1 ? sum + length : sum;
}

static int64_t fft(const asking *a) {
  hlo_ints lengths = *hlo_instruction_ints(a->instruction, HLO_ATTR_fft_length);
  int64_t products = 0, elements = hlo_work_add(operand_elements(a), result_elements(a));
  for (int i = 0; i < lengths.count; i++) products = hlo_work_add(products, prime_sum(lengths.data[i]));
  return hlo_work_multiply(elements, products);
}

/* The greatest size of the last two dimensions of the operands: of matrices, the larger one of rows and columns. */
static int64_t largest_side(const asking *a) {
  int64_t side = 1;
  for (int i = 0; i < a->instruction->operand_count; i++) {
    const hlo_shape *shape = operand_shape(a, i);
    for (int d = shape->rank > 2 ? shape->rank - 2 : 0; hlo_shape_is_array(shape) && d < shape->rank; d++)
      if (shape->dims[d] > side) side = shape->dims[d];
  }
  return side;
}

/* The third power of the side of each matrix. */
static int64_t matrices(const asking *a) {
  return hlo_work_multiply(hlo_work_add(operand_elements(a), result_elements(a)), largest_side(a));
}

static int64_t custom_call(const asking *a) {
  const hlo_attribute *target = hlo_instruction_attribute(a->instruction, HLO_ATTR_custom_call_target);
  if (!target) return 0;
  if (target->text.length > 7 && memcmp(target->text.text, "lapack_", 7) == 0)
    return hlo_work_multiply(matrices(a), ITERATIONS_OF_EIGEN);
  if (hlo_span_is(target->text, "cpu_csr_sparse_dense_ffi") && a->instruction->operand_count == 4 && operand_shape(a, 3)->rank > 0)
    return hlo_work_multiply(hlo_shape_work(operand_shape(a, 0)), hlo_shape_work(operand_shape(a, 3)) / (operand_shape(a, 3)->dims[0] + 1) + 1);
  bool is_top_k = a->instruction->operand_count > 0 && hlo_shape_is_array(operand_shape(a, 0));
  return is_top_k ? top_k(a) : 0;
}

/* ---- Computations that are entered ---- */

static int64_t entered(const asking *a) {
  int64_t work = 0;
  int computation;
  for (int n = 0; hlo_instruction_call(a->instruction, n, &computation); n++) work = hlo_work_add(work, a->works[computation]);
  return work;
}

/* What an instruction does beside reading its operands and writing its result. */
static int64_t beside_elements(const asking *a) {
  switch (a->instruction->opcode) {
  case HLO_OP_DOT:
  case HLO_OP_RAGGED_DOT: return dot(a);
  case HLO_OP_CONVOLUTION: return convolution(a);
  case HLO_OP_MAP: return hlo_work_multiply(result_elements(a), applied(a, HLO_ATTR_to_apply));
  case HLO_OP_REDUCE:
  case HLO_OP_SCAN: return hlo_work_multiply(hlo_shape_work(operand_shape(a, 0)), applied(a, HLO_ATTR_to_apply));
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
  case HLO_OP_REDUCE_SCATTER: return hlo_work_multiply(operand_elements(a), applied(a, HLO_ATTR_to_apply));
  case HLO_OP_REDUCE_WINDOW:
    return hlo_work_multiply(hlo_work_multiply(first_elements(a), window_cells(a)), applied(a, HLO_ATTR_to_apply));
  case HLO_OP_SELECT_AND_SCATTER: return select_and_scatter(a);
  case HLO_OP_SCATTER: return scatter(a);
  case HLO_OP_SORT: return sort(a);
  case HLO_OP_TOPK: return top_k(a);
  case HLO_OP_FFT: return fft(a);
  case HLO_OP_CHOLESKY:
  case HLO_OP_TRIANGULAR_SOLVE: return matrices(a);
  case HLO_OP_CUSTOM_CALL: return custom_call(a);
  default: return hlo_op_has(a->instruction->opcode, HLO_FLAG_FRAMES) ? entered(a) : 0;
  }
}

/* Elements read and written. Slices read what they write. */
static int64_t elements(const asking *a) {
  switch (a->instruction->opcode) {
  case HLO_OP_PARAMETER:
  case HLO_OP_CONSTANT:
  case HLO_OP_TUPLE:
  case HLO_OP_GET_TUPLE_ELEMENT:
  case HLO_OP_GET_DIMENSION_SIZE: return 1;
  case HLO_OP_SLICE:
  case HLO_OP_DYNAMIC_SLICE: return hlo_work_multiply(2, result_elements(a));
  case HLO_OP_GATHER: return hlo_work_add(hlo_shape_work(operand_shape(a, 1)), hlo_work_multiply(2, result_elements(a)));
  default: return hlo_work_add(operand_elements(a), result_elements(a));
  }
}

int64_t hlo_instruction_work(const hlo_module *module, const int64_t *works, const hlo_computation *computation, const hlo_instruction *instruction) {
  asking a = {module, works, computation, instruction};
  int64_t work = hlo_work_add(elements(&a), beside_elements(&a));
  return work > 0 ? work : 1;
}

const int64_t *hlo_computation_works(const hlo_module *module, hlo_arena *arena, hlo_status *status) {
  int *order = hlo_arena_many(arena, int, module->computation_count, status);
  int64_t *works = hlo_arena_many(arena, int64_t, module->computation_count, status);
  if (!order || !works || !hlo_module_call_order(module, order, status)) return NULL;
  for (int i = 0; i < module->computation_count; i++) { /* callees come first */
    const hlo_computation *computation = module->computations[order[i]];
    int64_t *work = &works[computation->index];
    for (int n = 0; n < computation->instruction_count; n++)
      *work = hlo_work_add(*work, hlo_instruction_work(module, works, computation, computation->instructions[n]));
  }
  return works;
}
