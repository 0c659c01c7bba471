/* Element-wise steps. A broadcast scalar is handed to the kernel as the one element that it is; a broadcast row, or column, is read
 * where it is, by one call of the kernel for each row of the result. */
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

typedef struct elementwise_parameters {
  hlo_elementwise_kernel *kernel;
  unsigned scalars;
  bool all_scalars; /* then one element is computed, and repeated */
  int element_bytes;
  int64_t count, rows; /* of elements in each row */
  double element_nanoseconds; /* about */
  int operand_count, operand_bytes[HLO_ELEMENTWISE_MAX_OPERANDS]; /* of an element */
  int64_t row_bytes[HLO_ELEMENTWISE_MAX_OPERANDS]; /* from one row of an operand to the next */
} elementwise_parameters;

enum { LEAST_ROWS = 64 }; /* with less, threads share the elements of rows */

/* The part of a step that one thread does at a time: rows, and the same elements of each of them. */
typedef struct shared_rows {
  const elementwise_parameters *p;
  const void *const *operands;
  char *result;
  int64_t rows, elements;
} shared_rows;

static void run_part(const shared_rows *s, int64_t first_row, int64_t rows, int64_t first, int64_t count) {
  const elementwise_parameters *p = s->p;
  const void *row[HLO_ELEMENTWISE_MAX_OPERANDS];
  for (int64_t r = first_row; r < first_row + rows; r++) {
    for (int n = 0; n < p->operand_count; n++)
      row[n] = (const char *)s->operands[n] + r * p->row_bytes[n] + (p->scalars >> n & 1 ? 0 : first * p->operand_bytes[n]);
    char *out = s->result + (r * p->count + first) * p->element_bytes;
    if (p->all_scalars) {
      p->kernel(row, 0, out, 1);
      hlo_fill(out + p->element_bytes, out, p->element_bytes, count - 1);
    } else {
      p->kernel(row, p->scalars, out, count);
    }
  }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void run_rows(void *context, int64_t unit, int thread) {
  const shared_rows *s = context;
  int64_t row = unit * s->rows;
  run_part(s, row, least(s->rows, s->p->rows - row), 0, s->p->count);
}

static void run_columns(void *context, int64_t unit, int thread) {
  const shared_rows *s = context;
  int64_t first = unit * s->elements;
  run_part(s, 0, s->p->rows, first, least(s->elements, s->p->count - first));
}

static void run_elementwise(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const elementwise_parameters *p = parameters;
  if (p->count == 0) return;
  shared_rows s = {.p = p, .operands = operands, .result = result};
  double nanoseconds = (double)p->rows * (double)p->count * p->element_nanoseconds;
  if (p->rows >= LEAST_ROWS) {
    s.rows = hlo_team_share(team, p->rows, 1, nanoseconds);
    hlo_team_run(team, hlo_ceil_div(p->rows, s.rows), nanoseconds, run_rows, &s);
  } else {
    s.elements = hlo_team_share(team, p->count, 64, nanoseconds);
    hlo_team_run(team, hlo_ceil_div(p->count, s.elements), nanoseconds, run_columns, &s);
  }
}

static bool is_one_element(const hlo_shape *shape) {
  return hlo_kernel_handles(shape) && hlo_shape_element_count(shape) == 1;
}

/* The single element that an operand repeats: itself, or what a broadcast was given. -1 where it repeats nothing. */
static int repeated_element(const hlo_computation *computation, int operand) {
  const hlo_instruction *instruction = hlo_instruction_at(computation, operand);
  while (instruction->opcode == HLO_OP_BROADCAST || (instruction->opcode == HLO_OP_RESHAPE && is_one_element(instruction->shape)))
    instruction = hlo_operand(computation, instruction, 0);
  return is_one_element(instruction->shape) ? instruction->index : -1;
}

/* ---- Repeated rows and columns ---- */

/* An operand of `rows` rows of `row_count` elements that repeats one row (source), or one value in each row. */
typedef struct repeated {
  int source; /* an instruction; -1: it repeats neither */
  bool is_row;
  int64_t row_count;
} repeated;

enum { SHORTEST_ROW = 32 }; /* less is not worth the calls */

/* Follows broadcasts, and reshapes that only add or drop dimensions of size 1. source_dim[d]: the dimension of the instruction
 * that dimension d of the operand is, -1 for none. Returns the instruction in front. */
static const hlo_instruction *unrepeat(const hlo_computation *computation, const hlo_instruction *instruction, int rank, int *source_dim) {
  while (instruction->opcode == HLO_OP_BROADCAST || instruction->opcode == HLO_OP_RESHAPE) {
    const hlo_instruction *source = hlo_operand(computation, instruction, 0);
    if (!hlo_kernel_handles(source->shape)) break;
    int from[HLO_MAX_RANK];
    for (int d = 0; d < instruction->shape->rank; d++) from[d] = -1;
    if (instruction->opcode == HLO_OP_BROADCAST) {
      hlo_ints dimensions = hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
      for (int i = 0; i < dimensions.count; i++)
        if (source->shape->dims[i] != 1) from[dimensions.data[i]] = i;
    } else {
      int i = 0;
      for (int d = 0; d < instruction->shape->rank; d++) {
        if (instruction->shape->dims[d] == 1) continue;
        while (i < source->shape->rank && source->shape->dims[i] == 1) i++;
        if (i == source->shape->rank || source->shape->dims[i] != instruction->shape->dims[d]) return instruction;
        from[d] = i++;
      }
    }
    for (int d = 0; d < rank; d++)
      if (source_dim[d] >= 0) source_dim[d] = from[source_dim[d]];
    instruction = source;
  }
  return instruction;
}

static repeated repeated_operand(const hlo_computation *computation, int operand) {
  const hlo_instruction *instruction = hlo_instruction_at(computation, operand);
  const hlo_shape *shape = instruction->shape;
  int source_dim[HLO_MAX_RANK];
  for (int d = 0; d < shape->rank; d++) source_dim[d] = d;
  const hlo_instruction *source = unrepeat(computation, instruction, shape->rank, source_dim);
  repeated found = {.source = -1, .row_count = 1};
  int last = -1;
  for (int d = 0; d < shape->rank; d++) { /* kept dimensions must follow each other as in the source */
    if (shape->dims[d] == 1 || source_dim[d] < 0) continue;
    if (source_dim[d] < last) return found;
    last = source_dim[d];
  }
  int d = shape->rank - 1;
  while (d >= 0 && shape->dims[d] == 1) d--;
  if (last < 0 || d < 0) return found;
  found.is_row = source_dim[d] >= 0;
  for (; d >= 0 && (shape->dims[d] == 1 || (source_dim[d] >= 0) == found.is_row); d--) found.row_count *= shape->dims[d];
  bool is_repeated = d >= 0;
  for (; d >= 0; d--)
    if (shape->dims[d] != 1 && (source_dim[d] >= 0) == found.is_row) return found;
  if (is_repeated && found.row_count >= SHORTEST_ROW) found.source = source->index;
  return found;
}

/* Reads what can be read in place, as far as rows are of one length. */
static void read_repeated(const hlo_kernel_question *question, hlo_kernel_choice *choice, elementwise_parameters *p) {
  unsigned whole = 0;
  int bytes[HLO_ELEMENTWISE_MAX_OPERANDS];
  for (int n = 0; n < choice->operand_count; n++) {
    if (p->scalars >> n & 1) continue;
    bytes[n] = hlo_type_bytes(hlo_operand(question->computation, question->instruction, n)->shape->type);
    whole |= 1u << n;
    repeated operand = repeated_operand(question->computation, choice->operands[n]);
    if (operand.source < 0 || (p->rows > 1 && operand.row_count != p->count)) continue;
    if (p->rows == 1) {
      p->rows = p->count / operand.row_count;
      p->count = operand.row_count;
    }
    choice->operands[n] = operand.source;
    whole &= ~(1u << n);
    choice->overwritable &= ~(1u << n);
    p->row_bytes[n] = operand.is_row ? 0 : bytes[n];
    if (!operand.is_row) p->scalars |= 1u << n;
  }
  for (int n = 0; n < choice->operand_count; n++)
    if (whole >> n & 1) p->row_bytes[n] = p->count * bytes[n];
}

double hlo_elementwise_nanoseconds(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_EXPONENTIAL: case HLO_OP_EXPONENTIAL_MINUS_ONE: case HLO_OP_LOG: case HLO_OP_LOG_PLUS_ONE: case HLO_OP_LOGISTIC:
  case HLO_OP_TANH: case HLO_OP_TAN: case HLO_OP_SINE: case HLO_OP_COSINE: case HLO_OP_ERF: case HLO_OP_CBRT: case HLO_OP_ATAN2:
  case HLO_OP_POWER: case HLO_OP_REMAINDER:
    return 2;
  default:
    return 0.3;
  }
}

static bool finish(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_elementwise_kernel *kernel) {
  const hlo_shape *shape = question->instruction->shape;
  elementwise_parameters p = {.kernel = kernel, .element_bytes = hlo_type_bytes(shape->type), .rows = 1,
                              .count = hlo_shape_element_count(shape), .operand_count = choice->operand_count};
  for (int n = 0; n < choice->operand_count; n++) {
    int element = p.count == 1 ? -1 : repeated_element(question->computation, choice->operands[n]);
    if (element >= 0) {
      choice->operands[n] = element;
      p.scalars |= 1u << n;
    } else if (hlo_type_bytes(hlo_operand(question->computation, question->instruction, n)->shape->type) == p.element_bytes) {
      choice->overwritable |= 1u << n;
    }
  }
  if (p.count > 1) read_repeated(question, choice, &p);
  p.all_scalars = p.scalars == (1u << choice->operand_count) - 1;
  for (int n = 0; n < choice->operand_count; n++)
    p.operand_bytes[n] = hlo_type_bytes(hlo_operand(question->computation, question->instruction, n)->shape->type);
  p.element_nanoseconds = hlo_elementwise_nanoseconds(question->instruction->opcode);
  choice->run_shared = run_elementwise;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}

bool hlo_setup_elementwise(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_elementwise_row *row = hlo_elementwise_row_for(question->computation, question->instruction);
  if (!row) return false;
  choice->kernel = row->name;
  return finish(question, choice, row->kernel);
}
