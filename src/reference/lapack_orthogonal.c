/* Factors by reflections: geqrf, geqp3, orgqr, gehrd, sytrd. */
#include "reference/lapack.h"

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

static hlo_matrix column(hlo_complex *values, ptrdiff_t count) { return (hlo_matrix){count, 1, values}; }

/* a -> (R and reflections, taus) */
bool hlo_lapack_geqrf(const hlo_lapack_call *call) {
  hlo_matrix a = hlo_matrix_load(call->arena, call->operands[0], call->batch, call->status);
  ptrdiff_t count = least(a.rows, a.cols);
  hlo_complex *taus = hlo_arena_many(call->arena, hlo_complex, count, call->status);
  if (!a.at || !taus || !hlo_qr(&a, taus, NULL, call->arena, call->status)) return false;
  hlo_matrix tau_column = column(taus, count);
  hlo_matrix_store(call->results[0], call->batch, &a);
  hlo_vector_store(call->results[1], call->batch, &tau_column);
  return true;
}

/* (a, columns to put first) -> (R and reflections, order of columns from 1, taus) */
bool hlo_lapack_geqp3(const hlo_lapack_call *call) {
  hlo_matrix a = hlo_matrix_load(call->arena, call->operands[0], call->batch, call->status);
  ptrdiff_t count = least(a.rows, a.cols);
  hlo_complex *taus = hlo_arena_many(call->arena, hlo_complex, count, call->status);
  ptrdiff_t *pivots = hlo_arena_many(call->arena, ptrdiff_t, a.cols, call->status);
  if (!a.at || !taus || !pivots) return false;
  for (ptrdiff_t k = 0; k < a.cols; k++) pivots[k] = hlo_literal_get(call->operands[1], call->batch * a.cols + k).s;
  if (!hlo_qr(&a, taus, pivots, call->arena, call->status)) return false;
  hlo_matrix tau_column = column(taus, count);
  hlo_matrix_store(call->results[0], call->batch, &a);
  for (ptrdiff_t k = 0; k < a.cols; k++)
    hlo_literal_set(call->results[1], call->batch * a.cols + k, (hlo_scalar){.s = pivots[k]});
  hlo_vector_store(call->results[2], call->batch, &tau_column);
  return true;
}

/* (reflections, taus) -> their product's first columns */
bool hlo_lapack_orgqr(const hlo_lapack_call *call) {
  hlo_matrix a = hlo_matrix_load(call->arena, call->operands[0], call->batch, call->status);
  hlo_matrix taus = hlo_vector_load(call->arena, call->operands[1], call->batch, call->status);
  if (!a.at || !taus.at) return false;
  if (taus.rows > least(a.rows, a.cols))
    return hlo_fail(call->status, HLO_SHAPE, "custom-call %s: more reflections than rows or columns", call->instruction->name);
  hlo_matrix q = hlo_qr_product(&a, taus.at, taus.rows, call->arena, call->status);
  if (!q.at) return false;
  hlo_matrix_store(call->results[0], call->batch, &q);
  return true;
}

/* a -> (Hessenberg form and reflections, taus, info) */
bool hlo_lapack_gehrd(const hlo_lapack_call *call) {
  hlo_matrix a = hlo_matrix_load(call->arena, call->operands[0], call->batch, call->status);
  hlo_complex *taus = hlo_arena_many(call->arena, hlo_complex, a.rows + 1, call->status);
  ptrdiff_t low = hlo_lapack_configured(call, "low", 1) - 1, high = hlo_lapack_configured(call, "high", a.rows);
  if (!a.at || !taus) return false;
  if (low < 0 || high > a.rows || low > high)
    return hlo_fail(call->status, HLO_SHAPE, "custom-call %s: low and high must lie between 1 and %lld",
                    call->instruction->name, (long long)a.rows);
  if (!hlo_hessenberg(&a, taus, low, high, call->arena, call->status)) return false;
  hlo_matrix tau_column = column(taus, a.rows > 0 ? a.rows - 1 : 0);
  hlo_matrix_store(call->results[0], call->batch, &a);
  hlo_vector_store(call->results[1], call->batch, &tau_column);
  hlo_lapack_set_info(call, 2, 0);
  return true;
}

/* ---- sytrd: a -> (reflections, diagonal, off-diagonal, taus, info) ---- */

/* Of `work`, the whole matrix, column `col`: its elements from `first` on (upwards where step is -1) lose all but one. */
static hlo_complex reflect_column(hlo_matrix *work, hlo_matrix *kept, ptrdiff_t col, bool lower, hlo_complex *v,
                                     hlo_complex *beta) {
  ptrdiff_t n = work->rows, pivot = lower ? col + 1 : col - 1;
  ptrdiff_t begin = lower ? col + 2 : 0, end = lower ? n : col - 1;
  for (ptrdiff_t i = 0; i < n; i++) v[i] = i >= begin && i < end ? *hlo_at(work, i, col) : hlo_complex_from(0);
  *beta = *hlo_at(work, pivot, col);
  hlo_complex tau = hlo_reflector(beta, v + begin, end - begin, 1);
  v[pivot] = hlo_complex_from(1);
  for (ptrdiff_t i = begin; i < end; i++) *hlo_at(kept, i, col) = v[i];
  *hlo_at(kept, pivot, col) = *beta;
  hlo_reflect_columns(work, 0, n, 0, n, v, tau);
  hlo_reflect_rows(work, 0, n, 0, n, v, hlo_conj(tau));
  return tau;
}

bool hlo_lapack_sytrd(const hlo_lapack_call *call) {
  hlo_matrix kept = hlo_matrix_load(call->arena, call->operands[0], call->batch, call->status);
  hlo_matrix work = hlo_matrix_copy(call->arena, &kept, call->status);
  bool lower = hlo_lapack_configured(call, "uplo", 'L') == 'L';
  ptrdiff_t n = kept.rows, count = n > 0 ? n - 1 : 0;
  hlo_complex *v = hlo_arena_many(call->arena, hlo_complex, n + 1, call->status);
  hlo_complex *taus = hlo_arena_many(call->arena, hlo_complex, count + 1, call->status);
  hlo_complex *diagonal = hlo_arena_many(call->arena, hlo_complex, n + 1, call->status);
  hlo_complex *beside = hlo_arena_many(call->arena, hlo_complex, count + 1, call->status);
  if (!kept.at || !work.at || !v || !taus || !diagonal || !beside) return false;
  hlo_matrix_mirror(&work, lower);
  for (ptrdiff_t step = 0; step < count; step++) {
    ptrdiff_t i = lower ? step : count - 1 - step;
    taus[i] = reflect_column(&work, &kept, lower ? i : i + 1, lower, v, &beside[i]);
  }
  for (ptrdiff_t i = 0; i < n; i++) diagonal[i] = *hlo_at(&kept, i, i) = hlo_complex_from((*hlo_at(&work, i, i))[0]);
  hlo_matrix columns[3] = {column(diagonal, n), column(beside, count), column(taus, count)};
  hlo_matrix_store(call->results[0], call->batch, &kept);
  for (int i = 0; i < 3; i++) hlo_vector_store(call->results[1 + i], call->batch, &columns[i]);
  hlo_lapack_set_info(call, 4, 0);
  return true;
}
