/* What the routines of linear algebra are made of: views of matrices, sums of lines, and products (kernels/product) of views.
 *
 * A routine is written once for f32, f64, c64 and c128. Its loops over elements are the functions of `hlo_line_kernels`, which there are of
 * each type, and hlo_linear_multiply, which has most of the work; what it does number by number it does with hlo_number, a complex number
 * in double. Nothing here allocates: memory is taken from a scratch that the step has measured. */
#ifndef HLO_KERNELS_LINEAR_LINEAR_H
#define HLO_KERNELS_LINEAR_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/team.h"

/* {real part, imaginary part}. */
typedef double hlo_number __attribute__((vector_size(16)));

static inline hlo_number hlo_number_from(double real) { return (hlo_number){real, 0}; }
static inline hlo_number hlo_number_conjugate(hlo_number a) { return (hlo_number){a[0], -a[1]}; }
static inline hlo_number hlo_number_product(hlo_number a, hlo_number b) {
  return (hlo_number){a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
}
/* |re| + |im| */
static inline double hlo_number_size(hlo_number a) { return __builtin_fabs(a[0]) + __builtin_fabs(a[1]); }
/* 1 / a, without an overflow on the way. */
hlo_number hlo_number_inverse(hlo_number a);

typedef enum hlo_linear_type { HLO_LINEAR_F32, HLO_LINEAR_F64, HLO_LINEAR_C64, HLO_LINEAR_C128 } hlo_linear_type;
static inline int hlo_linear_bytes(hlo_linear_type type) { return type == HLO_LINEAR_F32 ? 4 : type == HLO_LINEAR_C128 ? 16 : 8; }

/* Lines are elements one after another; `step` leads from one of several lines to the next, in elements. */
typedef struct hlo_line_kernels {
  /* to[i] += the sum over n of factors[n] * lines[n][i]. */
  void (*combine)(int count, const hlo_number *factors, const void *lines, ptrdiff_t step, int line_count, void *to);
  /* sums[n] = the sum over i of conj(lines[n][i]) * with[i]. */
  void (*sum)(int count, const void *lines, ptrdiff_t step, int line_count, const void *with, hlo_number *sums);
  /* line[i] *= factor. */
  void (*scale)(int count, hlo_number factor, void *line);
  /* Returns the place of the element whose |re| + |im| is the greatest; the first of several. A NaN is greater than any number. */
  int (*largest)(int count, const void *line);
  /* Returns its |re| + |im|. */
  double (*most)(int count, const void *line);
  /* Returns the sum of |line[i]|^2. */
  double (*squares)(int count, const void *line);
  hlo_number (*get)(const void *at);
  void (*set)(void *at, hlo_number value);
} hlo_line_kernels;
extern const hlo_line_kernels hlo_line_kernels_of[4]; /* by hlo_linear_type */

/* What a routine works with. */
typedef struct hlo_linear {
  hlo_linear_type type;
  int bytes; /* of an element */
  const hlo_line_kernels *line;
  char *free, *end; /* the scratch that is not taken yet */
  void *product_scratch;
  hlo_team *team; /* NULL: one thread */
} hlo_linear;

/* Takes memory from the scratch, 64-byte aligned. The caller gives it back by setting `free` to what it was. */
void *hlo_linear_take(hlo_linear *l, int64_t bytes);
/* Returns the bytes that products of matrices with at most so many rows and columns need as scratch. */
int64_t hlo_linear_product_bytes(hlo_linear_type type, int64_t side, int threads);
/* Returns whether the run was stopped; called between pieces of work, of so many multiplications. */
bool hlo_linear_stops(const hlo_linear *l, double multiplications);

/* A matrix: element (r, c) lies r * down + c * across elements behind `at`; conjugate: it is the conjugate of what lies there. */
typedef struct hlo_dense {
  char *at;
  int rows, cols;
  ptrdiff_t down, across;
  bool conjugate;
} hlo_dense;

/* A row-major matrix. */
static inline hlo_dense hlo_dense_of(const void *at, int rows, int cols, ptrdiff_t down) {
  return (hlo_dense){.at = (char *)at, .rows = rows, .cols = cols, .down = down, .across = 1};
}
static inline void *hlo_dense_at(const hlo_linear *l, const hlo_dense *v, int row, int col) {
  return v->at + (row * v->down + col * v->across) * l->bytes;
}
static inline hlo_dense hlo_dense_part(const hlo_linear *l, const hlo_dense *v, int row, int col, int rows, int cols) {
  return (hlo_dense){hlo_dense_at(l, v, row, col), rows, cols, v->down, v->across, v->conjugate};
}
static inline hlo_dense hlo_dense_transposed(const hlo_dense *v) {
  return (hlo_dense){v->at, v->cols, v->rows, v->across, v->down, v->conjugate};
}
static inline hlo_dense hlo_dense_adjoint(const hlo_dense *v) {
  return (hlo_dense){v->at, v->cols, v->rows, v->across, v->down, !v->conjugate};
}
/* A matrix of the scratch, row-major, whose rows begin an odd number of cache lines apart. */
hlo_dense hlo_dense_take(hlo_linear *l, int rows, int cols);
/* Returns the bytes that hlo_dense_take takes. */
int64_t hlo_dense_bytes(hlo_linear_type type, int64_t rows, int64_t cols);
hlo_number hlo_dense_get(const hlo_linear *l, const hlo_dense *v, int row, int col);
void hlo_dense_set(const hlo_linear *l, const hlo_dense *v, int row, int col, hlo_number value);
void hlo_dense_copy(const hlo_linear *l, const hlo_dense *from, const hlo_dense *to);
/* Copies the lower triangle of a square matrix, or the upper one. */
void hlo_dense_copy_triangle(const hlo_linear *l, const hlo_dense *from, const hlo_dense *to, bool lower);
/* Makes a row-major matrix the identity, or its first rows and columns; `diagonal` is 0: all zero. */
void hlo_dense_fill(const hlo_linear *l, const hlo_dense *to, double diagonal);
/* Returns the greatest |re| + |im| of a row-major matrix; NaN where an element is. */
double hlo_dense_largest(const hlo_linear *l, const hlo_dense *v);
/* Multiplies a row-major matrix by a number. */
void hlo_dense_times(const hlo_linear *l, const hlo_dense *v, double factor);
/* Returns a power of two to multiply a row-major matrix by, so that squares of its elements neither overflow nor vanish; 1 where they do
 * not, and where an element is not finite, which is reported by *finite. */
double hlo_dense_scale(const hlo_linear *l, const hlo_dense *v, bool *finite);

typedef enum hlo_linear_sum { HLO_LINEAR_SET, HLO_LINEAR_SUBTRACT } hlo_linear_sum;
/* out is a b, or out - a b. Requires that out is not conjugated, and that its rows or columns are contiguous. */
void hlo_linear_multiply(hlo_linear *l, const hlo_dense *a, const hlo_dense *b, hlo_linear_sum sum, const hlo_dense *out);

#endif
