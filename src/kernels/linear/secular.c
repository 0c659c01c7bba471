#include "kernels/linear/secular.h"

#include <math.h>

enum { MOST_ROUNDS = 100 };

/* The sum of weights[j] / (distances[j] - x) for j from first to end - 1, and its derivative. */
static double sum_terms(int first, int end, const double *weights, const double *distances, double x, double *slope) {
  double sum = 0;
  *slope = 0;
  for (int j = first; j < end; j++) {
    double inverse = 1 / (distances[j] - x), term = weights[j] * inverse;
    sum += term;
    *slope += term * inverse;
  }
  return sum;
}

int hlo_secular_base(int count, int i, const double *weights, const double *distances) {
  double slope;
  if (i + 1 == count) return i;
  return 1 + sum_terms(0, count, weights, distances, distances[i + 1] / 2, &slope) >= 0 ? i : i + 1;
}

/* The step to the root of c + s / (near - x) + t / (far - x), which has the value and the slopes of both sums at 0. */
static double step_between(double near, double far, double value, double near_slope, double far_slope) {
  double c = value - near * near_slope - far * far_slope, b = near * far * value;
  double a = (near + far) * value - near * far * (near_slope + far_slope), root = sqrt(fabs(a * a - 4 * b * c));
  if (c == 0) return b / a;
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

double hlo_secular_root(int count, int i, int base, const double *weights, double *distances) {
  bool is_last = i + 1 == count;
  double low = 0, high = 0, x;
  if (is_last)
    for (int j = 0; j < count; j++) high += weights[j];
  else if (base == i) high = distances[i + 1] / 2;
  else low = distances[i] / 2;
  x = is_last ? high / 2 : low + high;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double slope, after_slope, before = sum_terms(0, i + 1, weights, distances, x, &slope);
    double after = sum_terms(i + 1, count, weights, distances, x, &after_slope), value = 1 + before + after, all = slope + after_slope;
    if (value < 0) low = x;
    else high = x;
    double error = 1 + 8 * (fabs(before) + after) + fabs(x) * all;
    if (fabs(value) <= 0x1p-53 * error || high - low <= 0x1p-51 * fmax(fabs(low), fabs(high))) break;
    double near = distances[i] - x, step = is_last ? near * value / (value - near * slope) : step_between(near, distances[i + 1] - x, value, slope, after_slope);
    if (!(step * value < 0)) step = -value / all;
    step += x;
    x = step > low && step < high ? step : (low + high) / 2;
  }
  for (int j = 0; j < count; j++) distances[j] -= x;
  return x;
}
