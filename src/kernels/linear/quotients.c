/* A bidiagonal matrix B is kept as the squares q of its diagonal and e of what is above it. A pass makes those of the matrix whose B^T B is B B^T
 * less a shift: e tends to zero, first at the end, and the last q to the least of the eigenvalues, which are the squares of the singular values. */
#include "kernels/linear/quotients.h"

#include <math.h>
#include <string.h>

enum {
  MOST_PASSES = 20, /* for each value, on average; it takes 3 to 7 */
  SPLIT = -1        /* an e where a matrix has been split */
};

typedef struct squares {
  double *q, *e;
  double *next_q, *next_e; /* of the matrix that a pass makes */
  double least;            /* d of the last pass, */
  int place;               /* which was at this place */
  double *shifts;          /* shifts[k]: the sum of all shifts of the matrix that ends at k, when it was split there */
} squares;

int64_t hlo_quotients_bytes(int64_t n) { return 5 * n * (int64_t)sizeof(double); }

/* Returns the last d of a pass, and finds the least of the others. Where one is negative, the shift is greater than the least eigenvalue. */
static double pass(squares *s, int first, int last, double shift) {
  double d = s->q[first] - shift, least = INFINITY;
  for (int k = first; k < last; k++) {
    if (!(d >= least)) least = d, s->place = k;
    s->next_q[k] = d + s->e[k];
    double ratio = s->q[k + 1] / s->next_q[k];
    s->next_e[k] = s->e[k] * ratio;
    d = d * ratio - shift;
  }
  s->least = least;
  return s->next_q[last] = d;
}

/* A part of the least d, or if that is near the end, the least eigenvalue of the last two rows of B B^T, less what the row before them may change about it. */
static double choose_shift(const squares *s, int first, int last) {
  if (s->place >= first && s->place < last - 1 && s->least < s->q[last]) return s->least * 0.6;
  double q = s->q[last], beside = q * s->e[last - 1], half = (s->q[last - 1] + s->e[last - 1] - q) / 2;
  double root = sqrt(half * half + beside), below = half > 0 ? beside / (half + root) : root - half;
  double change = root > 0 ? s->e[last - 2] * s->q[last - 1] * below / (2 * root) : 0;
  return q - below - (change > 0 ? fmin(sqrt(change), change / root) : 0);
}

/* Makes a pass with a shift that is not too large. sum: of the shifts before it. Returns its shift, or NaN where even 0 is not one. */
static double make_pass(squares *s, int first, int last, double sum) {
  double shift = choose_shift(s, first, last);
  if (!(shift > 0)) shift = 0;
  for (int tries = 0;; tries++) {
    double end = pass(s, first, last, shift);
    if (s->least >= 0 && end >= -0x1p-51 * (sum + shift)) break;
    if (shift == 0) return NAN;
    shift = s->least >= 0 && tries < 2 ? shift + end : shift / 4;
    if (!(shift > 0) || tries > 3) shift = 0;
  }
  for (int k = first; k <= last; k++) s->q[k] = fabs(s->next_q[k]);
  memcpy(s->e + first, s->next_e + first, (size_t)(last - first) * sizeof *s->e);
  return shift;
}

static void swap(double *x, double *y) {
  double kept = *x;
  *x = *y;
  *y = kept;
}

static void reverse(const squares *s, int first, int last) {
  for (; first < last; first++, last--) swap(&s->q[first], &s->q[last]), swap(&s->e[first], &s->e[last - 1]);
}

/* The eigenvalues of two rows, the lesser one last. */
static void solve_two(double *q, double *e) {
  if (q[0] < q[1]) swap(&q[0], &q[1]);
  double half = (q[0] - q[1] + *e) / 2, most = q[0] + *e + q[1] * *e / (half + sqrt(half * half + q[1] * *e));
  q[1] *= q[0] / most;
  q[0] = most;
  *e = 0;
}

bool hlo_quotients_values(int n, double precision, double *d, const double *off, void *room) {
  double *at = room, sum = 0, most = 0, negligible = precision * precision * 0x1p10;
  squares s = {at, at + n, at + 2 * n, at + 3 * n, 0, -1, at + 4 * n};
  for (int k = 0; k < n; k++) {
    s.q[k] = d[k] * d[k];
    s.e[k] = k + 1 < n ? off[k] * off[k] : SPLIT;
    most = fmax(most, s.q[k] + s.e[k]);
  }
  for (int last = n - 1, passes = 0; last >= 0;) {
    int first = last;
    double limit = precision * sqrt(sum * most);
    for (; first > 0; first--) {
      double e = s.e[first - 1], q = s.q[first];
      if (e <= negligible * (sum + s.q[first - 1]) || (e <= limit && e * q <= limit * limit)) break;
    }
    if (first > 0 && s.e[first - 1] != SPLIT) s.shifts[first - 1] = sum, s.e[first - 1] = SPLIT;
    if (first == last) {
      s.q[last] = sqrt(sum + s.q[last]);
      if (--last >= 0) sum = s.shifts[last];
    } else if (first == last - 1) {
      solve_two(&s.q[first], &s.e[first]);
    } else {
      if (1.5 * s.q[first] < s.q[last]) reverse(&s, first, last);
      double shift = make_pass(&s, first, last, sum);
      if (isnan(shift) || ++passes == MOST_PASSES * n) return false;
      sum += shift;
    }
  }
  memcpy(d, s.q, (size_t)n * sizeof *d);
  return true;
}
