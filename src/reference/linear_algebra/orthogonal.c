/* Factors by reflections: geqrf and geqp3, orgqr, ormqr, gehrd, sytrd. */
#include "base/arena.h"
#include "base/status.h"
#include "reference/backend_config.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/linear_algebra/routine.h"
#include "shape/literal.h"

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

/* geqrf: a -> (R and reflections, taus); geqp3: (a, columns to put first) -> (R and reflections, order of columns from 1, taus) */
bool hlo_routine_geqrf(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  bool pivoted = call->instruction->operand_count > 1;
  ptrdiff_t count = least(a.rows, a.cols), pivot_count = pivoted ? a.cols : 0;
  hlo_complex *taus = hlo_routine_array(call, count);
  ptrdiff_t *pivots = hlo_arena_many(call->arena, ptrdiff_t, pivot_count, call->status);
  if (!a.at || !taus || !pivots) return false;
  for (ptrdiff_t k = 0; k < pivot_count; k++) pivots[k] = (ptrdiff_t)hlo_literal_int(call->operands[1], call->batch * a.cols + k);
  if (!hlo_qr(&a, taus, pivoted ? pivots : NULL, call->arena, call->evaluation)) return false;
  hlo_routine_give(call, 0, &a);
  for (ptrdiff_t k = 0; k < pivot_count; k++) hlo_literal_set_int(call->results[1], call->batch * a.cols + k, pivots[k]);
  hlo_routine_give_vector(call, pivoted ? 2 : 1, taus, count);
  return true;
}

/* (reflections, taus) -> their product's first columns */
bool hlo_routine_orgqr(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  hlo_matrix taus = hlo_vector_load(call->arena, call->operands[1], call->batch, call->status);
  if (!a.at || !taus.at) return false;
  hlo_matrix q = hlo_qr_product(&a, taus.at, taus.rows, call->arena, call->evaluation);
  if (!q.at) return false;
  hlo_routine_give(call, 0, &q);
  return true;
}

/* (reflections, taus, c) -> their product, or its adjoint, times c; or c times it */
bool hlo_routine_ormqr(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0), c = hlo_routine_matrix(call, 2);
  hlo_matrix taus = hlo_vector_load(call->arena, call->operands[1], call->batch, call->status);
  bool left = hlo_config_bool(call->instruction, "left", true), adjoint = hlo_config_bool(call->instruction, "transpose", false);
  if (!a.at || !taus.at || !c.at || !hlo_qr_multiply(&a, taus.at, taus.rows, left, adjoint, &c, call->arena, call->evaluation)) return false;
  hlo_routine_give(call, 0, &c);
  return true;
}

/* a -> (Hessenberg form and reflections, taus, info) */
bool hlo_routine_gehrd(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  hlo_complex *taus = hlo_routine_array(call, a.rows + 1);
  ptrdiff_t low = hlo_config_int(call->instruction, "low", 1) - 1, high = hlo_config_int(call->instruction, "high", a.rows);
  if (!a.at || !taus) return false;
  if (low < 0 || high > a.rows || low > high)
    return hlo_fail(call->status, HLO_SHAPE, "custom-call %s: low and high must lie between 1 and %lld",
                    call->instruction->name, (long long)a.rows);
  if (!hlo_hessenberg(&a, taus, low, high, call->arena, call->evaluation)) return false;
  hlo_routine_give(call, 0, &a);
  hlo_routine_give_vector(call, 1, taus, a.rows > 0 ? a.rows - 1 : 0);
  hlo_routine_set_info(call, 2, 0);
  return true;
}

/* ---- sytrd: a -> (reflections, diagonal, off-diagonal, taus, info) ---- */

static void reverse(hlo_complex *x, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count / 2; i++) hlo_line_swap(1, &x[i], &x[count - 1 - i], 1);
}

/* Computes the Hessenberg form of a Hermitian matrix. Where the upper triangle is read, it is the form of the matrix with
 * rows and columns in reverse order. */
bool hlo_routine_sytrd(const hlo_routine_call *call) {
  hlo_matrix kept = hlo_routine_matrix(call, 0);
  hlo_matrix work = hlo_matrix_copy(call->arena, &kept, call->status);
  bool lower = hlo_config_int(call->instruction, "uplo", 'L') == 'L';
  ptrdiff_t n = kept.rows, count = n > 0 ? n - 1 : 0;
  hlo_complex *taus = hlo_routine_array(call, n + 1);
  hlo_complex *diagonal = hlo_routine_array(call, n + 1);
  hlo_complex *beside = hlo_routine_array(call, n + 1);
  if (!kept.at || !work.at || !taus || !diagonal || !beside) return false;
  hlo_matrix_mirror(&work, lower);
  if (!lower) reverse(work.at, n * n);
  if (!hlo_hessenberg(&work, taus, 0, n, call->arena, call->evaluation)) return false;
  if (!lower) reverse(work.at, n * n), reverse(taus, count);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = lower ? 0 : i + 1; k < (lower ? i : n); k++) *hlo_at(&kept, i, k) = *hlo_at(&work, i, k);
    diagonal[i] = *hlo_at(&kept, i, i) = hlo_complex_from((*hlo_at(&work, i, i))[0]);
    if (i < count) beside[i] = lower ? *hlo_at(&work, i + 1, i) : *hlo_at(&work, i, i + 1);
  }
  hlo_routine_give(call, 0, &kept);
  hlo_routine_give_vector(call, 1, diagonal, n);
  hlo_routine_give_vector(call, 2, beside, count);
  hlo_routine_give_vector(call, 3, taus, count);
  hlo_routine_set_info(call, 4, 0);
  return true;
}
