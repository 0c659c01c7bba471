/* cholesky, triangular-solve, and the custom calls that are named after LAPACK's routines: part of webhlo-linear.wasm (side/linear_side.h). */
#include "base/status.h"
#include "base/text_reader.h"
#include "devices/host.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/sparse_product.h"
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/lapack.h"
#include "reference/linear_algebra/routine_library.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

enum { MOST_SIDE = 1 << 20 };

static bool read_type(hlo_type type, hlo_linear_type *linear) {
  switch (type) {
  case HLO_TYPE_F32: *linear = HLO_LINEAR_F32; return true;
  case HLO_TYPE_F64: *linear = HLO_LINEAR_F64; return true;
  case HLO_TYPE_C64: *linear = HLO_LINEAR_C64; return true;
  case HLO_TYPE_C128: *linear = HLO_LINEAR_C128; return true;
  default: return false;
  }
}

/* Adds an array of the step, of which each matrix of the batch has its part. */
static void add_array(hlo_linear_step *p, const hlo_shape *shape) {
  if (shape->type == HLO_TYPE_S32) p->integers |= 1u << p->array_count;
  p->bytes[p->array_count++] = hlo_shape_element_count(shape) / p->batch * hlo_type_bytes(shape->type);
}

/* Reads what all these instructions have: the sizes of the first matrix, which operand `first` holds, the batch, and all arrays. */
static bool read_arrays(const hlo_kernel_question *question, int first, int own_rank, hlo_linear_step *p, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *a = hlo_kernel_operand(question, first);
  int leaves = hlo_shape_leaf_count(instruction->shape);
  if (!read_type(a->type, &p->type) || a->rank < own_rank || instruction->operand_count + leaves > HLO_LINEAR_MOST_ARRAYS) return false;
  p->rows = (int)a->dims[a->rank - own_rank];
  p->cols = (int)a->dims[a->rank - 1];
  if (hlo_shape_element_count(a) == 0 || a->dims[a->rank - own_rank] > MOST_SIDE || a->dims[a->rank - 1] > MOST_SIDE) return false;
  p->batch = hlo_box_count(a->dims, a->rank - own_rank);
  choice->operand_count = p->operand_count = instruction->operand_count - first;
  choice->operands += first;
  for (int i = first; i < instruction->operand_count; i++) add_array(p, hlo_kernel_operand(question, i));
  for (int i = 0; i < leaves; i++) add_array(p, hlo_shape_leaf(instruction->shape, i));
  return true;
}

static bool finish(const hlo_kernel_question *question, const hlo_linear_routine *routine, hlo_linear_step *p, hlo_kernel_choice *choice) {
  p->routine = routine;
  choice->scratch_bytes = hlo_linear_measure(p, question->threads);
  return HLO_RUN(question, choice, hlo_linear_run, *p);
}

/* Reads how many right-hand sides there are; false: there are none, or too many. */
static bool read_others(const hlo_shape *b, hlo_linear_step *p) {
  int64_t others = b->dims[b->rank - (p->left ? 1 : 2)];
  p->others = (int)others;
  return others > 0 && others <= MOST_SIDE;
}

bool hlo_setup_cholesky(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_linear_step p = {.clears = true, .lower = hlo_instruction_bool(question->instruction, HLO_ATTR_lower, false)};
  return read_arrays(question, 0, 2, &p, choice) && finish(question, &hlo_cholesky_routine, &p, choice);
}

bool hlo_setup_triangular_solve(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  int transpose = hlo_instruction_enum(instruction, HLO_ATTR_transpose_a, HLO_transpose_a_NO_TRANSPOSE);
  hlo_linear_step p = {.lower = hlo_instruction_bool(instruction, HLO_ATTR_lower, false),
                       .unit = hlo_instruction_bool(instruction, HLO_ATTR_unit_diagonal, false),
                       .left = hlo_instruction_bool(instruction, HLO_ATTR_left_side, false),
                       .transposed = transpose != HLO_transpose_a_NO_TRANSPOSE, .conjugated = transpose == HLO_transpose_a_ADJOINT};
  return read_arrays(question, 0, 2, &p, choice) && read_others(hlo_kernel_operand(question, 1), &p) &&
         finish(question, &hlo_triangle_routine, &p, choice);
}

/* ---- LAPACK ---- */

static int64_t configured(const hlo_kernel_question *question, const char *name, int64_t missing) {
  return hlo_config_int(question->instruction, name, missing);
}

/* Older programs put sizes, as scalars, before the arrays. */
static int leading_scalars(const hlo_kernel_question *question) {
  int scalars = 0;
  while (scalars < question->instruction->operand_count && hlo_kernel_operand(question, scalars)->rank == 0) scalars++;
  return scalars;
}

static bool read_trsm(const hlo_kernel_question *question, hlo_linear_step *p) {
  int64_t op = configured(question, "trans_x", 'N');
  p->left = configured(question, "side", 'L') == 'L';
  p->unit = configured(question, "diag", 'N') == 'U';
  p->transposed = op != 'N';
  p->conjugated = op == 'C';
  const hlo_shape *b = hlo_kernel_operand(question, 1);
  return read_others(b, p) && b->dims[b->rank - (p->left ? 2 : 1)] == p->rows;
}

static bool read_q(const hlo_kernel_question *question, hlo_linear_step *p) {
  const hlo_shape *taus = hlo_kernel_operand(question, 1);
  int64_t others = taus->dims[taus->rank - 1];
  p->others = (int)others;
  return others <= p->rows && others <= p->cols;
}

static bool read_times_q(const hlo_kernel_question *question, hlo_linear_step *p) {
  bool fits = read_q(question, p);
  p->reflections = p->others;
  p->left = hlo_config_bool(question->instruction, "left", true);
  p->transposed = hlo_config_bool(question->instruction, "transpose", false);
  return fits && read_others(hlo_kernel_operand(question, 2), p);
}

static bool read_band(const hlo_kernel_question *question, hlo_linear_step *p) {
  p->left = true; /* right-hand sides are columns */
  return read_others(hlo_kernel_operand(question, 3), p);
}

static bool read_eigen(const hlo_kernel_question *question, hlo_linear_step *p) {
  p->mode = (char)configured(question, "mode", 'V');
  return true;
}

static bool read_singular(const hlo_kernel_question *question, hlo_linear_step *p) {
  p->mode = (char)configured(question, "mode", 'A');
  return true;
}

static bool read_hessenberg(const hlo_kernel_question *question, hlo_linear_step *p) {
  return configured(question, "low", 1) == 1 && configured(question, "high", p->rows) == p->rows;
}

static bool read_general_eigen(const hlo_kernel_question *question, hlo_linear_step *p) {
  p->left = configured(question, "compute_left", 'V') == 'V';
  p->mode = (char)configured(question, "compute_right", 'V');
  return true;
}

static bool read_schur(const hlo_kernel_question *question, hlo_linear_step *p) { return configured(question, "sort", 'N') == 'N'; }

typedef struct call_row {
  hlo_routine_name name;
  const hlo_linear_routine *routine;
  bool (*read)(const hlo_kernel_question *question, hlo_linear_step *p); /* reads what the other attributes say; or NULL */
} call_row;

static const call_row calls[] = {
    {HLO_ROUTINE_POTRF, &hlo_cholesky_routine, NULL},
    {HLO_ROUTINE_GETRF, &hlo_lu_routine, NULL},
    {HLO_ROUTINE_TRSM, &hlo_triangle_routine, read_trsm},
    {HLO_ROUTINE_GTSV, &hlo_band_routine, read_band},
    {HLO_ROUTINE_GEQRF, &hlo_qr_routine, NULL},
    {HLO_ROUTINE_GEQP3, &hlo_pivoted_qr_routine, NULL},
    {HLO_ROUTINE_ORGQR, &hlo_q_routine, read_q},
    {HLO_ROUTINE_ORMQR, &hlo_times_q_routine, read_times_q},
    {HLO_ROUTINE_SYEVD, &hlo_eigen_routine, read_eigen},
    {HLO_ROUTINE_GESDD, &hlo_singular_routine, read_singular},
    {HLO_ROUTINE_SYTRD, &hlo_tridiagonal_routine, NULL},
    {HLO_ROUTINE_GEHRD, &hlo_hessenberg_routine, read_hessenberg},
    {HLO_ROUTINE_GEEV, &hlo_general_eigen_routine, read_general_eigen},
    {HLO_ROUTINE_GEES, &hlo_schur_routine, read_schur},
};

static const call_row *call_of(hlo_span target) {
  hlo_routine_name name = hlo_lapack_routine(target);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].name == name) return &calls[i];
  return NULL;
}

/* Returns whether the shapes are those of the routine, which otherwise is left to say so itself. */
static bool suits(const hlo_kernel_question *question) {
  hlo_status status = {0};
  const hlo_shape *operands[HLO_LINEAR_MOST_ARRAYS];
  int count = question->instruction->operand_count;
  for (int i = 0; i < count && i < HLO_LINEAR_MOST_ARRAYS; i++) operands[i] = hlo_kernel_operand(question, i);
  return count <= HLO_LINEAR_MOST_ARRAYS && hlo_lapack_check(question->instruction, operands, &status);
}

bool hlo_setup_lapack(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_span target = hlo_instruction_attribute(question->instruction, HLO_ATTR_custom_call_target)->text;
  const call_row *row = call_of(target);
  hlo_host *host = question->host;
  if (!row || !suits(question) || (host && host->has_custom_call && host->has_custom_call(host, target))) return false;
  int first = leading_scalars(question);
  int64_t older = first > 0 ? 'U' : 'L';
  const hlo_literal *lower = first > 0 ? hlo_kernel_constant_of(question->computation, hlo_operand(question->computation, question->instruction, 0)) : NULL;
  if (first > 0 && !lower) return false;
  if (lower && hlo_literal_int(lower, 0)) older = 'L';
  hlo_linear_step p = {.lower = configured(question, "uplo", older) == 'L'};
  return read_arrays(question, first, row->routine == &hlo_band_routine ? 1 : 2, &p, choice) && (!row->read || row->read(question, &p)) &&
         finish(question, row->routine, &p, choice);
}

/* ---- Sparse matrices ---- */

bool hlo_setup_sparse_product(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_span target = hlo_instruction_attribute(question->instruction, HLO_ATTR_custom_call_target)->text;
  hlo_host *host = question->host;
  hlo_sparse_product p;
  if (!hlo_span_is(target, "cpu_csr_sparse_dense_ffi") || (host && host->has_custom_call && host->has_custom_call(host, target))) return false;
  const hlo_shape *values = hlo_kernel_operand(question, 0), *b = hlo_kernel_operand(question, 3), *out = question->instruction->shape;
  int64_t width = b->rank == 2 ? b->dims[1] : 1, rows = out->dims[0];
  if (!read_type(values->type, &p.type) || width == 0 || width > MOST_SIDE || rows == 0) return false;
  p.count = values->dims[0];
  p.height = b->dims[0];
  p.width = (int)width;
  return HLO_RUN_RANGES(question, choice, p, .run = hlo_sparse_product_run, .count = rows, .step = 1,
                        .nanoseconds = (double)p.count * ((double)width + 10));
}
