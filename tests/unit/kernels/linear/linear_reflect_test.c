/* QR and Q: that their product is the matrix, that Q is unitary, and that R is a triangle with a real diagonal. */
#include "linear_case.h"
#include "threads.h"

static const int sizes[] = {1, 2, 3, 5, 16, 31, 32, 33, 65, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };
static hlo_team *team;

#define HOLDS(condition, ...) \
  CHECK(condition, "%s, %s, %d x %d, %s: %g", __func__, linear_types[type], rows, cols, linear_kinds[kind], __VA_ARGS__)

static void check_qr(hlo_linear_type type, linear_kind kind, int rows, int cols, int64_t batch) {
  int steps = rows < cols ? rows : cols;
  matrix a = linear_matrix(type, kind, rows, cols);
  linear_run run = {.step = {.routine = &hlo_qr_routine, .type = type, .rows = rows, .cols = cols, .batch = batch}};
  linear_add_matrix(&run, &a);
  linear_add_result(&run, rows, cols);
  linear_add_result(&run, 1, steps);
  linear_go(&run, team);
  matrix out = linear_result(&run, 1, rows, cols), taus = linear_result(&run, 2, 1, steps), r = matrix_make(steps, cols), v = matrix_make(rows, steps);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) {
      if (i < steps && k >= i) *matrix_at(&r, i, k) = *matrix_at(&out, i, k);
      if (k < steps) *matrix_at(&v, i, k) = *matrix_at(&out, i, k);
    }
  for (int i = 0; i < steps; i++) HOLDS(cimag(*matrix_at(&r, i, i)) == 0, cimag(*matrix_at(&r, i, i)));
  linear_run form = {.step = {.routine = &hlo_q_routine, .type = type, .rows = rows, .cols = steps, .others = steps, .batch = batch}};
  linear_add_matrix(&form, &v);
  linear_add_matrix(&form, &taus);
  linear_add_result(&form, rows, steps);
  linear_go(&form, team);
  matrix q = linear_result(&form, 2, rows, steps), again = matrix_product(&q, &r);
  double left = matrix_distance(&again, &a), allowed = (rows + cols) * matrix_largest(&a) * linear_epsilon(type), off = matrix_unitary(&q);
  HOLDS(left <= allowed, left / allowed);
  HOLDS(off <= (rows + 4) * linear_epsilon(type), off / linear_epsilon(type));
  matrix_free(&a), matrix_free(&out), matrix_free(&taus), matrix_free(&r), matrix_free(&v), matrix_free(&q), matrix_free(&again);
  linear_end(&run), linear_end(&form);
}

/* Products with Q, from both sides, are those with the square matrix that is made of the same reflections. */
static void check_times_q(hlo_linear_type type, linear_kind kind, int rows, int cols, int others, bool left, bool transposed) {
  int steps = rows < cols ? rows : cols;
  matrix a = linear_matrix(type, kind, rows, rows), c = left ? linear_matrix(type, RANDOM, rows, others) : linear_matrix(type, RANDOM, others, rows);
  linear_run run = {.step = {.routine = &hlo_qr_routine, .type = type, .rows = rows, .cols = rows, .batch = 1}};
  linear_add_matrix(&run, &a), linear_add_result(&run, rows, rows), linear_add_result(&run, 1, rows);
  linear_go(&run, team);
  matrix v = linear_result(&run, 1, rows, rows), taus = linear_result(&run, 2, 1, steps), some = matrix_make(rows, cols);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) *matrix_at(&some, i, k) = k < rows ? *matrix_at(&v, i, k) : 0;
  linear_run form = {.step = {.routine = &hlo_q_routine, .type = type, .rows = rows, .cols = rows, .others = steps, .batch = 1}};
  linear_add_matrix(&form, &v), linear_add_matrix(&form, &taus), linear_add_result(&form, rows, rows);
  linear_go(&form, team);
  linear_run times = {.step = {.routine = &hlo_times_q_routine, .type = type, .rows = rows, .cols = cols, .others = others, .reflections = steps,
                               .left = left, .transposed = transposed, .batch = 1}};
  linear_add_matrix(&times, &some), linear_add_matrix(&times, &taus), linear_add_matrix(&times, &c), linear_add_result(&times, c.rows, c.cols);
  linear_go(&times, team);
  matrix q = linear_result(&form, 2, rows, rows), h = matrix_adjoint(&q), out = linear_result(&times, 3, c.rows, c.cols), *op = transposed ? &h : &q;
  matrix again = left ? matrix_product(op, &c) : matrix_product(&c, op);
  double apart = matrix_distance(&again, &out) / ((rows + 4) * linear_epsilon(type));
  HOLDS(apart <= 2, apart);
  matrix_free(&a), matrix_free(&c), matrix_free(&v), matrix_free(&taus), matrix_free(&some), matrix_free(&q), matrix_free(&h);
  matrix_free(&out), matrix_free(&again);
  linear_end(&run), linear_end(&form), linear_end(&times);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  for (int type = 0; type < 4; type++)
    for (int kind = 0; kind < LINEAR_KINDS; kind++)
      for (int s = 0; s < SIZES; s++) {
        check_qr(type, kind, sizes[s], sizes[s], s % 3 ? 1 : 7);
        check_qr(type, kind, sizes[s], sizes[SIZES - 1 - s], 1);
        for (int form = 0; form < 4 && sizes[s] < 65 && kind == RANDOM; form++)
          for (int cols = 1; cols <= sizes[s]; cols += cols < 3 ? 1 : 29)
            check_times_q(type, kind, sizes[s], cols, cols % 2 ? 3 : 33, form & 1, form & 2);
      }
  threads_stop(&t);
  return unit_report();
}
