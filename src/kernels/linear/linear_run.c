/* Batches of matrices, and the routines that factor and solve. */
#include "kernels/linear/linear_run.h"

#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "base/checked.h"
#include "base/team.h"
#include "kernels/linear/factor.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/small.h"
#include "kernels/step_function.h"

/* ---- Batches ---- */

typedef struct matrices {
  const hlo_linear_step *step;
  char *arrays[HLO_LINEAR_MOST_ARRAYS];
  char *scratch;
  hlo_team *team; /* that shares the products of each matrix; NULL: a thread runs whole matrices */
  int64_t share;
} matrices;

static double nanoseconds_of(const hlo_linear_step *p) {
  double side = (double)p->rows + p->cols + p->others;
  return side * side * side * 0.1 + 500;
}

/* Small matrices of f32 and c64 are computed in double, which costs nothing that could be measured. */
enum { MOST_WIDENED = 16 };

static int64_t widened_bytes(const hlo_linear_step *p) {
  int64_t bytes = 0;
  for (int i = 0; p->is_widened && i < p->array_count; i++) bytes += hlo_aligned(p->bytes[i]);
  return bytes;
}

static int64_t array_bytes(const hlo_linear_step *p, int i) { return p->is_widened && !(p->integers >> i & 1) ? p->bytes[i] / 2 : p->bytes[i]; }

static void run_widened(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  char *wide[HLO_LINEAR_MOST_ARRAYS];
  for (int i = 0; i < p->array_count; i++) {
    bool is_integer = p->integers >> i & 1;
    wide[i] = is_integer ? arrays[i] : hlo_linear_take(l, p->bytes[i]);
    if (!is_integer && i < p->operand_count) hlo_small_widen((int)(p->bytes[i] / 8), (const float *)arrays[i], (double *)wide[i]);
  }
  p->routine->run(l, p, wide);
  for (int i = p->operand_count; i < p->array_count; i++)
    if (wide[i] != arrays[i]) hlo_small_narrow((int)(p->bytes[i] / 8), (const double *)wide[i], (float *)arrays[i]);
}

static void run_matrices(const matrices *all, int64_t begin, int64_t end, int thread) {
  const hlo_linear_step *p = all->step;
  hlo_linear l = {.type = p->type, .bytes = hlo_linear_bytes(p->type), .line = &hlo_line_kernels_of[p->type], .team = all->team};
  l.product_scratch = hlo_team_scratch(all->scratch, (size_t)p->own_bytes, thread);
  l.end = (char *)l.product_scratch + p->own_bytes;
  char *free = l.end - hlo_aligned(p->routine->scratch(p)) - widened_bytes(p), *arrays[HLO_LINEAR_MOST_ARRAYS];
  for (int64_t number = begin; number < end && !hlo_linear_stops(&l, nanoseconds_of(p)); number++) {
    for (int i = 0; i < p->array_count; i++) arrays[i] = all->arrays[i] + number * array_bytes(p, i);
    l.free = free;
    if (p->is_widened) run_widened(&l, p, arrays);
    else p->routine->run(&l, p, arrays);
  }
}

static void run_share(void *context, int64_t unit, int thread) {
  const matrices *all = context;
  int64_t begin = unit * all->share, end = begin + all->share;
  run_matrices(all, begin, end < all->step->batch ? end : all->step->batch, thread);
}

int64_t hlo_linear_measure(hlo_linear_step *p, int threads) {
  int64_t side = p->rows > p->cols ? p->rows : p->cols;
  if (p->others > side) side = p->others;
  p->side_by_side = threads > 1 && p->batch >= 2 * threads;
  p->is_widened = (side <= MOST_WIDENED || p->routine->in_double) && (p->type == HLO_LINEAR_F32 || p->type == HLO_LINEAR_C64);
  if (p->is_widened) p->type = p->type == HLO_LINEAR_F32 ? HLO_LINEAR_F64 : HLO_LINEAR_C128;
  for (int i = 0; p->is_widened && i < p->array_count; i++)
    if (!(p->integers >> i & 1)) p->bytes[i] *= 2;
  p->threads = p->side_by_side ? 1 : threads;
  p->own_bytes = hlo_linear_product_bytes(p->type, side, p->threads) + hlo_aligned(p->routine->scratch(p)) + widened_bytes(p);
  return p->own_bytes * (p->side_by_side ? threads : 1);
}

void hlo_linear_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_linear_step *p = parameters;
  double nanoseconds = nanoseconds_of(p) * (double)p->batch;
  matrices all = {.step = p, .scratch = scratch, .team = p->side_by_side ? NULL : team, .share = 1};
  for (int i = 0; i < p->array_count; i++)
    all.arrays[i] = i == p->operand_count ? result : (char *)operands[i - (i > p->operand_count)];
  if (p->side_by_side) {
    all.share = hlo_team_share(team, p->batch, 1, nanoseconds);
    hlo_team_run(team, hlo_ceil_div(p->batch, all.share), nanoseconds, run_share, &all);
    return;
  }
  run_matrices(&all, 0, p->batch, 0);
}

/* ---- Cholesky ---- */

static int64_t cholesky_scratch(const hlo_linear_step *p) { return hlo_dense_bytes(p->type, p->rows, p->rows); }

static void run_cholesky(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), out = hlo_dense_of(arrays[1], n, n, n), u = hlo_dense_take(l, n, n);
  hlo_dense turned = hlo_dense_adjoint(&a), factor = hlo_dense_adjoint(&u);
  hlo_dense_copy_triangle(l, p->lower ? &turned : &a, &u, false);
  int info = hlo_cholesky_lines(l, &u);
  if (p->clears) hlo_dense_fill(l, &out, 0);
  else memcpy(arrays[1], arrays[0], (size_t)p->bytes[1]);
  hlo_dense_copy_triangle(l, p->lower ? &factor : &u, &out, p->lower);
  if (!p->clears) *(int32_t *)arrays[2] = info;
  for (int64_t i = 0; p->clears && info && i < (int64_t)n * n; i++) l->line->set(arrays[1] + i * l->bytes, hlo_number_from(NAN));
}

const hlo_linear_routine hlo_cholesky_routine = {run_cholesky, cholesky_scratch, false};

/* ---- LU ---- */

static int64_t lu_scratch(const hlo_linear_step *p) { return hlo_dense_bytes(p->type, 8, p->rows) + hlo_dense_bytes(p->type, 1, p->rows); }

static bool is_zero_float(hlo_number x) { return (float)x[0] == 0 && (float)x[1] == 0; }

static void run_lu(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  hlo_dense out = hlo_dense_of(arrays[1], p->rows, p->cols, p->cols);
  memcpy(arrays[1], arrays[0], (size_t)p->bytes[1]);
  int info = hlo_lu_lines(l, &out, (int32_t *)arrays[2]), steps = p->rows < p->cols ? p->rows : p->cols;
  for (int k = 0; p->is_widened && k < (info ? info - 1 : steps); k++) /* a pivot may be zero as soon as it is a float */
    if (is_zero_float(hlo_dense_get(l, &out, k, k))) info = k + 1;
  *(int32_t *)arrays[3] = info;
}

const hlo_linear_routine hlo_lu_routine = {run_lu, lu_scratch, false};

/* ---- Triangles ---- */

static int64_t triangle_scratch(const hlo_linear_step *p) {
  return hlo_dense_bytes(p->type, 1, p->rows) + (p->left ? 0 : hlo_dense_bytes(p->type, p->rows, p->others));
}

static void run_triangle(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), t = hlo_dense_transposed(&a);
  bool turned = p->transposed == p->left; /* x op(a) = b is solved as op(a)^T x^T = b^T */
  if (!turned) t = a;
  t.conjugate = p->conjugated;
  memcpy(arrays[2], arrays[1], (size_t)p->bytes[2]);
  hlo_dense x = p->left ? hlo_dense_of(arrays[2], n, p->others, p->others) : hlo_dense_of(arrays[2], p->others, n, n);
  if (p->left) {
    hlo_solve_triangle_lines(l, &t, p->lower != turned, p->unit, &x);
    return;
  }
  hlo_dense across = hlo_dense_transposed(&x), lines = hlo_dense_take(l, n, p->others);
  hlo_dense_copy(l, &across, &lines);
  hlo_solve_triangle_lines(l, &t, p->lower != turned, p->unit, &lines);
  hlo_dense_copy(l, &lines, &across);
}

const hlo_linear_routine hlo_triangle_routine = {run_triangle, triangle_scratch, false};

/* ---- Tridiagonal systems ---- */

enum { BELOW, DIAGONAL, ABOVE, FAR, BAND }; /* row i has these elements at i - 1, i, i + 1 and, where rows were exchanged, i + 2 */

static int64_t band_scratch(const hlo_linear_step *p) { return BAND * (int64_t)sizeof(hlo_number) * (p->rows + 2); }

static void swap_numbers(hlo_number *a, hlo_number *b) {
  hlo_number kept = *a;
  *a = *b;
  *b = kept;
}

static void run_band(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows, width = p->others, info = 0;
  hlo_number(*band)[BAND] = hlo_linear_take(l, band_scratch(p));
  hlo_dense x = hlo_dense_of(arrays[7], n, width, width);
  memset(band, 0, (size_t)band_scratch(p));
  memcpy(arrays[7], arrays[3], (size_t)p->bytes[7]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < FAR; k++) band[i][k] = l->line->get(arrays[k] + i * l->bytes);
  for (int i = 0; i + 1 < n; i++) {
    hlo_number *row = band[i], *next = band[i + 1];
    if (hlo_number_size(row[DIAGONAL]) < hlo_number_size(next[BELOW])) {
      for (int k = DIAGONAL; k <= FAR; k++) swap_numbers(&row[k], &next[k - 1]);
      for (int c = 0; c < width; c++) {
        hlo_number kept = hlo_dense_get(l, &x, i, c);
        hlo_dense_set(l, &x, i, c, hlo_dense_get(l, &x, i + 1, c));
        hlo_dense_set(l, &x, i + 1, c, kept);
      }
    }
    if (hlo_number_size(row[DIAGONAL]) == 0) continue;
    hlo_number factor = -hlo_number_product(next[BELOW], hlo_number_inverse(row[DIAGONAL]));
    for (int k = DIAGONAL; k <= ABOVE; k++) next[k] += hlo_number_product(factor, row[k + 1]);
    l->line->combine(width, &factor, hlo_dense_at(l, &x, i, 0), 0, 1, hlo_dense_at(l, &x, i + 1, 0));
  }
  for (int i = n - 1; i >= 0; i--) {
    hlo_number factors[] = {-band[i][ABOVE], -band[i][FAR]};
    if (hlo_number_size(band[i][DIAGONAL]) == 0) info = i + 1;
    l->line->combine(width, factors, hlo_dense_at(l, &x, i + 1, 0), width, n - 1 - i < 2 ? n - 1 - i : 2, hlo_dense_at(l, &x, i, 0));
    l->line->scale(width, hlo_number_inverse(band[i][DIAGONAL]), hlo_dense_at(l, &x, i, 0));
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < FAR; k++) l->line->set(arrays[4 + k] + i * l->bytes, band[i][k]);
  *(int32_t *)arrays[8] = info;
}

const hlo_linear_routine hlo_band_routine = {run_band, band_scratch, false};
