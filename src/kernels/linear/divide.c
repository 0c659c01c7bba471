#include "kernels/linear/divide.h"

#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/secular.h"

enum {
  MOST_ROUNDS = 60, /* for each eigenvalue */
  FEW = 24          /* a tridiagonal matrix as small as that is not torn */
};

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* x, y := c x + s y, c y - s x */
static void rotate(int count, double c, double s, double *x, double *y) {
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    pair left = *(pair *)(x + i), right = *(pair *)(y + i);
    *(pair *)(x + i) = c * left + s * right;
    *(pair *)(y + i) = c * right - s * left;
  }
  for (; i < count; i++) {
    double kept = x[i];
    x[i] = c * kept + s * y[i];
    y[i] = c * y[i] - s * kept;
  }
}

static double *line_of(const hlo_dense *q, int line) { return (double *)q->at + line * q->down; }

/* Chases one implicit shift from place m up to place k. */
static void ql_round(int k, int m, double *d, double *off, const hlo_dense *q) {
  double g = (d[k + 1] - d[k]) / (2 * off[k]), r = sqrt(g * g + 1), s = 1, c = 1, p = 0;
  g = d[m] - d[k] + off[k] / (g + copysign(r, g));
  for (int i = m - 1; i >= k; i--) {
    double f = s * off[i], b = c * off[i];
    r = sqrt(f * f + g * g);
    off[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      off[m] = 0;
      return;
    }
    s = f / r, c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    if (q) rotate(q->cols, c, s, line_of(q, i + 1), line_of(q, i));
  }
  d[k] -= p;
  off[k] = g;
  off[m] = 0;
}

bool hlo_tridiagonal_ql(int n, double *d, double *off, const hlo_dense *q) {
  bool ends = true;
  off[n - 1] = 0;
  for (int k = 0; k < n; k++) {
    for (int round = 0;; round++) {
      int m = k;
      while (m + 1 < n && fabs(off[m]) > 0x1p-53 * (fabs(d[m]) + fabs(d[m + 1]))) m++;
      if (m == k) break;
      if (round == MOST_ROUNDS) {
        ends = false;
        break;
      }
      ql_round(k, m, d, off, q);
    }
  }
  return ends;
}

void hlo_values_sort(int n, double *values) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; i++) {
      double kept = values[i];
      int at = i;
      for (; at >= gap && values[at - gap] > kept; at -= gap) values[at] = values[at - gap];
      values[at] = kept;
    }
}

/* ---- Merging ---- */

/* What the merges share; each array has room for all of the matrix. */
typedef struct torn {
  hlo_linear *l;
  bool squared; /* poles and roots of the equation are squares of these */
  hlo_dense kept, vectors;
  double *z, *poles, *roots, *weights, *fixed, *scales;
  int *slots;
  int *places; /* of lines that are kept, and behind them those of lines that are not */
  unsigned char *kinds; /* of a line: 0: zero behind the tear, 2: before it, 1: neither */
} torn;

static double pole_distance(const torn *t, int j, int i) {
  double apart = t->poles[j] - t->poles[i];
  return t->squared ? apart * (t->poles[j] + t->poles[i]) : apart;
}

/* Returns whether the run was stopped before n lines are divided. Callers read values by `order` even so, whatever the values are. */
static bool stops(const torn *t, int n, int *order) {
  bool stopped = hlo_linear_stops(t->l, (t->squared ? 2.0 : 1.0) * n * n * n);
  for (int i = 0; stopped && i < n; i++) order[i] = i;
  return stopped;
}

/* Merges order[0] to order[first - 1] and those behind place first + gap: both name places of ascending values, the second ones counted from
 * there. */
static void merge_orders(int n, int first, int gap, const double *values, const int *order, int *merged) {
  for (int i = 0, k = first + gap, to = 0; to < n - gap; to++) {
    bool takes_first = k == n || (i < first && values[order[i]] <= values[order[k] + first + gap]);
    merged[to] = takes_first ? order[i++] : order[k++] + first + gap;
  }
}

/* Splits off what the tear does not change: lines without a part in it, and one of two whose values are equal. t->slots lists `count` lines
 * in the order of their values; `kept` are kept already. Returns how many are kept. */
static int deflate(torn *t, int count, int kept, double rho, double tolerance, double *d, const hlo_dense *q, const hlo_dense *more) {
  int left = count + kept, last = -1;
  for (int i = 0; i < count; i++) {
    int j = t->slots[i];
    if (rho * fabs(t->z[j]) <= tolerance) {
      t->places[--left] = j;
      continue;
    }
    if (last >= 0) {
      double length = sqrt(t->z[last] * t->z[last] + t->z[j] * t->z[j]), c = t->z[j] / length, s = -t->z[last] / length;
      if (fabs((d[j] - d[last]) * c * s) <= tolerance) {
        double low = d[last], high = d[j];
        t->z[j] = length;
        if (t->kinds[last] != t->kinds[j]) t->kinds[j] = 1;
        rotate(q->cols, c, s, line_of(q, last), line_of(q, j));
        if (more) rotate(more->cols, c, s, line_of(more, last), line_of(more, j));
        d[last] = low * c * c + high * s * s;
        d[j] = low * s * s + high * c * c;
        t->places[--left] = last;
      } else {
        t->places[kept++] = last;
      }
    }
    last = j;
  }
  if (last >= 0) t->places[kept++] = last;
  return kept;
}

/* Finds the roots, and the vectors of the kept part, a line of `vectors` each, whose elements are in the order of t->slots. */
static void solve_kept(torn *t, int kept, double rho, const double *d) {
  double *fixed = t->fixed;
  for (int j = 0; j < kept; j++) {
    t->poles[j] = d[t->places[j]];
    t->weights[j] = rho * t->z[t->places[j]] * t->z[t->places[j]];
    fixed[j] = 1;
  }
  for (int i = 0; i < kept; i++) {
    double *distances = line_of(&t->vectors, i), pole;
    for (int j = 0; j < kept; j++) distances[j] = pole_distance(t, j, i);
    int base = hlo_secular_base(kept, i, t->weights, distances);
    for (int j = 0; base != i && j < kept; j++) distances[j] = pole_distance(t, j, base);
    pole = t->poles[base];
    double root = hlo_secular_root(kept, i, base, t->weights, distances);
    t->roots[i] = t->squared ? sqrt(pole * pole + root) : pole + root;
    for (int j = 0; j < kept; j++) fixed[j] *= j == i ? -distances[j] : distances[j] / pole_distance(t, j, i);
  }
  /* Vectors are made of the weights of which the roots found are exact roots: so they are orthogonal. */
  for (int j = 0; j < kept; j++) fixed[j] = copysign(sqrt(fabs(fixed[j])), t->z[t->places[j]]);
  for (int i = 0; i < kept; i++) {
    double *vector = line_of(&t->vectors, i), sum = 0;
    for (int j = 0; j < kept; j++) {
      double x = t->weights[t->slots[j]] = kept == 1 ? 1 : fixed[j] / vector[j];
      sum += x * x;
    }
    t->scales[i] = 1 / sqrt(sum);
    for (int j = 0; j < kept; j++) vector[j] = t->weights[j] * t->scales[i];
  }
}

/* Gives every line that is kept a slot, so that those which are zero behind the tear come first, and those which are zero before it last.
 * Sets how many there are but for the last, and but for the first kind. */
static void give_slots(torn *t, int n, int kept, int *upper, int *lower) {
  int counts[3] = {0};
  for (int j = 0; j < kept; j++) counts[t->kinds[t->places[j]]]++;
  int next[3] = {0, counts[0], counts[0] + counts[1]};
  *upper = next[2];
  *lower = next[1];
  for (int j = 0; j < n; j++) t->slots[j] = j < kept ? next[t->kinds[t->places[j]]]++ : j;
}

/* Replaces the lines that are kept by their sums with the vectors as factors, and moves the others behind them. The tear is before place
 * `first` of a line. */
static void sum_lines(torn *t, int n, int first, int kept, int upper, int lower, const hlo_dense *q) {
  hlo_linear *l = t->l;
  int cols = q->cols;
  for (int j = 0; j < n; j++) memcpy(line_of(&t->kept, t->slots[j]), line_of(q, t->places[j]), (size_t)cols * sizeof(double));
  for (int j = kept; j < n; j++) memcpy(line_of(q, j), line_of(&t->kept, j), (size_t)cols * sizeof(double));
  hlo_dense left = hlo_dense_part(l, &t->vectors, 0, 0, kept, upper), right = hlo_dense_part(l, &t->vectors, 0, lower, kept, kept - lower);
  hlo_dense top = hlo_dense_part(l, &t->kept, 0, 0, upper, first), below = hlo_dense_part(l, &t->kept, lower, first, kept - lower, cols - first);
  hlo_dense to_left = hlo_dense_part(l, q, 0, 0, kept, first), to_right = hlo_dense_part(l, q, 0, first, kept, cols - first);
  hlo_dense_fill(l, &to_left, 0);
  hlo_dense_fill(l, &to_right, 0);
  hlo_linear_multiply(l, &left, &top, HLO_LINEAR_SET, &to_left);
  hlo_linear_multiply(l, &right, &below, HLO_LINEAR_SET, &to_right);
}

/* Stores the values, and the order of all: the roots ascend, and the others have to be sorted. */
static void store_values(torn *t, int n, int kept, double scale, double *d, int *order) {
  for (int j = kept; j < n; j++) t->roots[j] = d[t->places[j]];
  for (int j = 0; j < n; j++) {
    int at = j;
    d[j] = t->roots[j] * scale;
    for (; at > kept && d[t->places[at - 1]] > d[j]; at--) t->places[at] = t->places[at - 1];
    t->places[at] = j;
  }
  for (int j = kept; j < n; j++) t->places[j] -= kept;
  merge_orders(n, kept, 0, d, t->places, order);
}

/* ---- Tridiagonal matrices ---- */

/* Puts two solved halves together, which the tear of strength `beside` had separated before place `first`. */
static void merge(torn *t, int n, int first, double beside, double *d, const hlo_dense *q, int *order) {
  double rho = 2 * fabs(beside), most = 0;
  int upper, lower;
  for (int i = 0; i < n; i++) {
    double part = line_of(q, i)[i < first ? first - 1 : first];
    t->z[i] = (i >= first && beside < 0 ? -part : part) * sqrt(0.5);
    t->kinds[i] = i < first ? 0 : 2;
    most = fmax(most, fmax(fabs(d[i]), fabs(t->z[i])));
  }
  merge_orders(n, first, 0, d, order, t->slots);
  int kept = deflate(t, n, 0, rho, 0x1p-50 * most, d, q, NULL);
  give_slots(t, n, kept, &upper, &lower);
  solve_kept(t, kept, rho, d);
  sum_lines(t, n, first, kept, upper, lower, q);
  store_values(t, n, kept, 1, d, order);
}

static bool divide(torn *t, int n, double *d, double *off, const hlo_dense *q, int *order) {
  if (n <= FEW) {
    hlo_dense_fill(t->l, q, 1);
    bool ends = hlo_tridiagonal_ql(n, d, off, q);
    for (int i = 0; i < n; i++) {
      int at = i;
      for (; at > 0 && d[order[at - 1]] > d[i]; at--) order[at] = order[at - 1];
      order[at] = i;
    }
    return ends;
  }
  int first = n / 2;
  double beside = off[first - 1];
  if (stops(t, n, order)) return true;
  hlo_dense upper = hlo_dense_part(t->l, q, 0, 0, first, first), lower = hlo_dense_part(t->l, q, first, first, n - first, n - first);
  d[first - 1] -= fabs(beside);
  d[first] -= fabs(beside);
  bool ends = divide(t, first, d, off, &upper, order);
  if (!divide(t, n - first, d + first, off + first, &lower, order + first)) ends = false;
  merge(t, n, first, beside, d, q, order);
  return ends;
}

int64_t hlo_divide_bytes(int64_t n) {
  return 2 * hlo_dense_bytes(HLO_LINEAR_F64, n, n) + 6 * hlo_aligned(n * 8) + 2 * hlo_aligned(n * 4) + hlo_aligned(n);
}

static torn take(hlo_linear *l, int n) {
  torn t = {.l = l, .kept = hlo_dense_take(l, n, n), .vectors = hlo_dense_take(l, n, n)};
  double **arrays[] = {&t.z, &t.poles, &t.roots, &t.weights, &t.fixed, &t.scales};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = hlo_linear_take(l, n * 8);
  t.slots = hlo_linear_take(l, n * 4);
  t.places = hlo_linear_take(l, n * 4);
  t.kinds = hlo_linear_take(l, n);
  return t;
}

bool hlo_tridiagonal_divide(hlo_linear *l, int n, double *d, double *off, const hlo_dense *q, int *order) {
  char *free = l->free;
  torn t = take(l, n);
  hlo_dense_fill(l, q, 0);
  bool ends = divide(&t, n, d, off, q, order);
  l->free = free;
  return ends;
}

/* ---- Bidiagonal matrices ---- */

/* Returns the length of (x, y), and the c and s of the rotation that takes it to (length, 0). Their squares may be next to nothing. */
static double turn(double x, double y, double *c, double *s) {
  double most = fmax(fabs(x), fabs(y));
  *c = 1, *s = 0;
  if (most == 0) return 0;
  x /= most, y /= most;
  double length = sqrt(x * x + y * y);
  *c = x / length, *s = y / length;
  return most * length;
}

/* Replaces vectors of the right by those of the left: of M, whose first row is z and whose diagonal is that of the poles, M v for each v. */
static void turn_left(torn *t, int kept) {
  for (int i = 0; i < kept; i++) {
    double *vector = line_of(&t->vectors, i), sum = 0;
    for (int j = 0; j < kept; j++) {
      double *x = &vector[t->slots[j]];
      *x = j > 0 ? *x * t->poles[j] : kept == 1 ? copysign(1, t->z[t->places[0]]) : -t->scales[i];
      sum += *x * *x;
    }
    sum = 1 / sqrt(sum);
    for (int j = 0; j < kept; j++) vector[j] *= sum;
  }
}

/* Puts the rows before and behind row `middle` together with it. Its values are alpha and, beside it, beta; `wider`: there is one column more
 * than rows, so that the last line of `right` is a vector that the matrix takes to 0, as line `middle` is of the upper half. */
static void merge_rows(torn *t, int n, int middle, bool wider, double beta, double *d, const hlo_dense *left, const hlo_dense *right, int *order) {
  double alpha = d[middle], most = 0, tolerance = 0x1p-50, *z = t->z;
  int columns = n + wider, upper, lower;
  for (int j = 0; j < n; j++) {
    z[j] = j <= middle ? alpha * line_of(right, j)[middle] : beta * line_of(right, j)[middle + 1];
    t->kinds[j] = j < middle ? 0 : j == middle ? 1 : 2;
  }
  line_of(left, middle)[middle] = 1;
  d[middle] = 0;
  if (wider) {
    double more = beta * line_of(right, n)[middle + 1], c, s;
    z[middle] = turn(z[middle], more, &c, &s);
    rotate(columns, c, s, line_of(right, middle), line_of(right, n));
  }
  for (int j = 0; j < n; j++) most = fmax(most, fmax(d[j], fabs(z[j])));
  if (most == 0) most = 1;
  for (int j = 0; j < n; j++) d[j] /= most, z[j] /= most;
  merge_orders(n, middle, 1, d, order, t->slots);
  t->places[0] = middle;
  int kept = deflate(t, n - 1, 1, 1, tolerance, d, left, right);
  if (kept > 1) {
    if (fabs(z[middle]) < tolerance) z[middle] = copysign(tolerance, z[middle]);
    if (d[t->places[1]] < tolerance / 2) d[t->places[1]] = tolerance / 2;
  }
  give_slots(t, n, kept, &upper, &lower);
  solve_kept(t, kept, 1, d);
  sum_lines(t, n, middle + 1, kept, upper, lower, right);
  turn_left(t, kept);
  sum_lines(t, n, middle + 1, kept, upper, lower, left);
  store_values(t, n, kept, most, d, order);
}

/* A matrix of one row, or of none. */
static void solve_row(int n, bool wider, double *d, const double *off, const hlo_dense *left, const hlo_dense *right, int *order) {
  double *x = right->rows ? line_of(right, 0) : NULL;
  if (x) x[0] = 1;
  if (n == 0) return;
  double c, s, length = wider ? turn(d[0], off[0], &c, &s) : fabs(d[0]);
  order[0] = 0;
  line_of(left, 0)[0] = wider || d[0] >= 0 ? 1 : -1;
  if (wider) {
    double *y = line_of(right, 1);
    x[0] = y[1] = c;
    x[1] = s;
    y[0] = -s;
  }
  d[0] = length;
}

static void divide_rows(torn *t, int n, bool wider, double *d, double *off, const hlo_dense *left, const hlo_dense *right, int *order) {
  if (n <= 1) {
    solve_row(n, wider, d, off, left, right, order);
    return;
  }
  int middle = n / 2, below = n - middle - 1;
  if (stops(t, n, order)) return;
  hlo_dense left1 = hlo_dense_part(t->l, left, 0, 0, middle, middle), left2 = hlo_dense_part(t->l, left, middle + 1, middle + 1, below, below);
  hlo_dense right1 = hlo_dense_part(t->l, right, 0, 0, middle + 1, middle + 1);
  hlo_dense right2 = hlo_dense_part(t->l, right, middle + 1, middle + 1, below + wider, below + wider);
  divide_rows(t, middle, true, d, off, &left1, &right1, order);
  divide_rows(t, below, wider, d + middle + 1, off + middle + 1, &left2, &right2, order + middle + 1);
  merge_rows(t, n, middle, wider, off[middle], d, left, right, order);
}

void hlo_bidiagonal_divide(hlo_linear *l, int n, double *d, double *off, const hlo_dense *left, const hlo_dense *right, int *order) {
  char *free = l->free;
  torn t = take(l, n);
  t.squared = true;
  hlo_dense_fill(l, left, 0);
  hlo_dense_fill(l, right, 0);
  off[n - 1] = 0;
  divide_rows(&t, n, false, d, off, left, right, order);
  l->free = free;
}
