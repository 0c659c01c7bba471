/* Reflections from both sides, a block of them at a time: a is multiplied by each vector when it is made, and the rest of a by all of them
 * at once, a := (I - V T^H V^H) (a - (a V T) V^H). */
#include "kernels/linear/hessenberg.h"

#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/reflect.h"

enum { BLOCK = HLO_REFLECT_BLOCK };

static int64_t factor_bytes(int64_t n) { return (n + BLOCK) * (int64_t)sizeof(hlo_number); }

int64_t hlo_hessenberg_bytes(hlo_linear_type type, int64_t n) {
  return hlo_reflections_bytes(type, n, n) + hlo_dense_bytes(type, BLOCK, n) + hlo_aligned(factor_bytes(n));
}

void hlo_hessenberg_take(hlo_linear *l, hlo_hessenberg_room *h, int n) {
  hlo_reflections_take(l, &h->block, n, n);
  h->products = hlo_dense_take(l, BLOCK, n);
  h->factors = hlo_linear_take(l, factor_bytes(n));
}

/* Columns of T, which is 0 below its diagonal. */
typedef hlo_number triangle[BLOCK][BLOCK];

/* Brings column j up to date with the i reflections of its block: those from the right, and then those from the left. */
static void update_column(const hlo_linear *l, const hlo_hessenberg_room *h, const hlo_dense *lines, triangle t, int first, int i) {
  int j = first + i, n = lines->cols, below = n - first - 1;
  const hlo_dense *v = &h->block.v;
  char *column = hlo_dense_at(l, lines, j, 0), *under = column + (first + 1) * l->bytes;
  hlo_number along[BLOCK];
  for (int k = 0; k < i; k++) h->factors[k] = -hlo_number_conjugate(hlo_dense_get(l, v, k, j));
  l->line->combine(n, h->factors, h->products.at, h->products.down, i, column);
  l->line->sum(below, hlo_dense_at(l, v, 0, first + 1), v->down, i, under, along);
  for (int k = 0; k < i; k++) {
    hlo_number sum = {0};
    for (int m = 0; m <= k; m++) sum -= hlo_number_product(hlo_number_conjugate(t[k][m]), along[m]);
    h->factors[k] = sum;
  }
  l->line->combine(below, h->factors, hlo_dense_at(l, v, 0, first + 1), v->down, i, under);
}

/* Makes the reflection of column j, the i-th of its block, and what the rest of the block needs of it. */
static void add_reflection(const hlo_linear *l, hlo_hessenberg_room *h, const hlo_dense *lines, triangle t, int j, int i, hlo_number *tau) {
  int n = lines->cols, count = n - j - 1;
  const hlo_dense *v = &h->block.v;
  char *under = hlo_dense_at(l, lines, j, j + 1), *vector = hlo_dense_at(l, v, i, j + 1), *product = hlo_dense_at(l, &h->products, i, 0);
  hlo_number along[BLOCK];
  double beta;
  *tau = hlo_reflect_make(l, count, under, &beta);
  memset(hlo_dense_at(l, v, i, 0), 0, (size_t)((j + 1) * l->bytes));
  memcpy(vector, under, (size_t)(count * l->bytes));
  l->line->set(under, hlo_number_from(beta));
  memset(product, 0, (size_t)(n * l->bytes));
  for (int k = 0; k < count; k++) h->factors[k] = l->line->get(vector + k * l->bytes);
  l->line->combine(n, h->factors, hlo_dense_at(l, lines, j + 1, 0), lines->down, count, product);
  l->line->sum(count, hlo_dense_at(l, v, 0, j + 1), v->down, i, vector, along);
  for (int k = 0; k < i; k++) along[k] = -along[k];
  l->line->combine(n, along, h->products.at, h->products.down, i, product);
  l->line->scale(n, *tau, product);
  for (int m = 0; m < i; m++) {
    hlo_number sum = {0};
    for (int k = m; k < i; k++) sum += hlo_number_product(t[k][m], along[k]);
    t[i][m] = hlo_number_product(*tau, sum);
  }
  t[i][i] = *tau;
}

/* Brings the columns behind a block up to date with it. */
static void update_rest(hlo_linear *l, hlo_hessenberg_room *h, const hlo_dense *lines, triangle t, int first, int count) {
  int n = lines->cols, end = first + count;
  hlo_reflections part = h->block;
  part.t.rows = part.t.cols = count;
  part.v = hlo_dense_part(l, &h->block.v, 0, first + 1, count, n - first - 1);
  hlo_dense_fill(l, &part.t, 0);
  for (int k = 0; k < count; k++)
    for (int m = 0; m <= k; m++) hlo_dense_set(l, &part.t, k, m, t[k][m]);
  hlo_dense beside = hlo_dense_part(l, &h->block.v, 0, end, count, n - end), factors = hlo_dense_adjoint(&beside);
  hlo_dense products = hlo_dense_part(l, &h->products, 0, 0, count, n), rest = hlo_dense_part(l, lines, end, 0, n - end, n);
  hlo_linear_multiply(l, &factors, &products, HLO_LINEAR_SUBTRACT, &rest);
  hlo_dense under = hlo_dense_part(l, lines, end, first + 1, n - end, n - first - 1), to = hlo_dense_transposed(&under);
  hlo_reflections_apply(l, &part, true, &to);
}

void hlo_hessenberg_lines(hlo_linear *l, hlo_hessenberg_room *h, const hlo_dense *lines, hlo_number *taus) {
  int n = lines->rows, last = n - 1;
  triangle t;
  for (int first = 0; first < last; first += BLOCK) {
    int count = last - first < BLOCK ? last - first : BLOCK;
    if (hlo_linear_stops(l, (double)count * n * n)) return;
    for (int i = 0; i < count; i++) {
      if (i) update_column(l, h, lines, t, first, i);
      add_reflection(l, h, lines, t, first + i, i, &taus[first + i]);
    }
    update_rest(l, h, lines, t, first, count);
  }
}

/* ---- gehrd ---- */

static int64_t hessenberg_scratch(const hlo_linear_step *p) {
  return hlo_dense_bytes(p->type, p->rows, p->rows) + hlo_hessenberg_bytes(p->type, p->rows) + hlo_aligned(factor_bytes(p->rows));
}

static void run_hessenberg(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), out = hlo_dense_of(arrays[1], n, n, n), lines = hlo_dense_take(l, n, n);
  hlo_dense turned = hlo_dense_transposed(&lines);
  hlo_hessenberg_room h;
  hlo_hessenberg_take(l, &h, n);
  hlo_number *taus = hlo_linear_take(l, factor_bytes(n));
  bool finite;
  double scale = hlo_dense_scale(l, &a, &finite);
  hlo_dense_copy(l, &a, &turned);
  hlo_dense_times(l, &lines, scale);
  hlo_hessenberg_lines(l, &h, &lines, taus);
  for (int c = 0; scale != 1 && c < n; c++) l->line->scale(c + 2 < n ? c + 2 : n, hlo_number_from(1 / scale), hlo_dense_at(l, &lines, c, 0));
  hlo_dense_copy(l, &turned, &out);
  for (int i = 0; i + 1 < n; i++) l->line->set(arrays[2] + i * l->bytes, taus[i]);
  *(int32_t *)arrays[3] = 0;
}

const hlo_linear_routine hlo_hessenberg_routine = {run_hessenberg, hessenberg_scratch, false};
