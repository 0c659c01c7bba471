/* Eigenvalues and singular values: syevd, gesdd, geev, gees. */
#include <math.h>

#include "base/arena.h"
#include "base/status.h"
#include "reference/backend_config.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/linear_algebra/routine.h"
#include "shape/element_type.h"
#include "shape/literal.h"

static void store_reals(hlo_literal *literal, ptrdiff_t batch, const double *values, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) hlo_literal_set_real(literal, batch * count + i, values[i]);
}

/* a -> (a, singular values, u, v^H, info); mode 'A' gives square u and v, 'S' as many columns as values, 'N' zeros. */
bool hlo_routine_gesdd(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  ptrdiff_t count = a.rows < a.cols ? a.rows : a.cols;
  int64_t mode = hlo_config_int(call->instruction, "mode", 'A');
  bool square = mode == 'A';
  hlo_matrix u = hlo_matrix_make(call->arena, a.rows, square ? a.rows : count, call->status);
  hlo_matrix v = hlo_matrix_make(call->arena, a.cols, square ? a.cols : count, call->status);
  double *values = hlo_arena_many(call->arena, double, count, call->status);
  if (!a.at || !u.at || !v.at || !values) return false;
  if (!hlo_singular_values(&a, values, &u, &v, call->arena, call->evaluation)) return false;
  hlo_matrix v_adjoint = hlo_matrix_adjoint(call->arena, &v, call->status);
  if (!v_adjoint.at) return false;
  hlo_routine_give(call, 0, &a);
  store_reals(call->results[1], call->batch, values, count);
  if (mode != 'N') {
    hlo_routine_give(call, 2, &u);
    hlo_routine_give(call, 3, &v_adjoint);
  }
  hlo_routine_set_info(call, 4, isfinite(hlo_matrix_largest(&a)) ? 0 : 1);
  return true;
}

/* ---- Eigenvalues ---- */

typedef struct schur_form {
  hlo_matrix t, z;
  bool converged;
} schur_form;

/* Computes the Schur form by way of the Hessenberg form. `triangle` is the one of a Hermitian matrix that is read, 'L' or
 * 'U'; 0 for any other matrix. */
static bool make_schur(const hlo_routine_call *call, int64_t triangle, schur_form *form) {
  const hlo_literal *operand = call->operands[0];
  form->t = hlo_routine_matrix(call, 0);
  ptrdiff_t n = form->t.rows;
  hlo_complex *taus = hlo_routine_array(call, n + 1);
  form->z = hlo_matrix_identity(call->arena, n, n, call->status);
  if (!form->t.at || !form->z.at || !taus) return false;
  if (triangle) hlo_matrix_mirror(&form->t, triangle == 'L');
  double largest = hlo_matrix_largest(&form->t);
  form->converged = isfinite(largest);
  if (!form->converged) return true;
  int exponent;
  frexp(largest, &exponent);
  hlo_matrix_scale(&form->t, -exponent); /* so that squares of elements do not overflow */
  if (!hlo_hessenberg(&form->t, taus, 0, n, call->arena, call->evaluation) ||
      !hlo_hessenberg_split(&form->t, &form->z, taus, call->arena, call->evaluation))
    return false;
  form->converged = hlo_schur(&form->t, &form->z, !hlo_type_is_complex(operand->shape->type), call->evaluation);
  hlo_matrix_scale(&form->t, exponent);
  return hlo_ok(call->status);
}

/* a -> (eigenvectors, eigenvalues, info) */
bool hlo_routine_syevd(const hlo_routine_call *call) {
  schur_form form;
  if (!make_schur(call, hlo_config_int(call->instruction, "uplo", 'L'), &form)) return false;
  double *values = hlo_arena_many(call->arena, double, form.t.rows, call->status);
  if (!values) return false;
  for (ptrdiff_t i = 0; i < form.t.rows; i++) values[i] = (*hlo_at(&form.t, i, i))[0];
  hlo_sort_columns(values, true, &form.z);
  hlo_routine_give(call, 0, &form.z);
  store_reals(call->results[1], call->batch, values, form.t.rows);
  hlo_routine_set_info(call, 2, form.converged ? 0 : 1);
  return true;
}

/* Writes the eigenvalues, which are the diagonal: as one complex array, or as an array of real and one of imaginary parts. */
static void store_eigenvalues(const hlo_routine_call *call, int result, const hlo_matrix *t) {
  hlo_literal *first = call->results[result], *second = call->results[result + 1];
  bool complex_type = hlo_type_is_complex(first->shape->type);
  for (ptrdiff_t i = 0; i < t->rows; i++) {
    hlo_complex value = *hlo_at(t, i, i);
    hlo_literal_set(first, call->batch * t->rows + i, (hlo_scalar){.f = value[0], .im = value[1]});
    if (!complex_type) hlo_literal_set_real(second, call->batch * t->rows + i, value[1]);
  }
}

/* For a real matrix, makes the vectors of real eigenvalues real, and those of a pair of eigenvalues conjugates. */
static void make_conjugate(hlo_matrix *vectors, const hlo_matrix *t) {
  for (ptrdiff_t k = 0; k < t->rows; k++) {
    bool is_real = (*hlo_at(t, k, k))[1] == 0;
    for (ptrdiff_t i = 0; i < t->rows; i++) {
      hlo_complex *element = hlo_at(vectors, i, k);
      if (is_real) (*element)[1] = 0;
      else if (k + 1 < t->rows) *hlo_at(vectors, i, k + 1) = hlo_conj(*element);
    }
    if (!is_real) k++;
  }
}

static bool store_vectors(const hlo_routine_call *call, int result, const schur_form *form, bool left) {
  const char *name = left ? "compute_left" : "compute_right";
  if (hlo_config_int(call->instruction, name, 'V') != 'V') return true;
  hlo_matrix vectors = hlo_schur_vectors(&form->t, &form->z, left, call->arena, call->evaluation);
  if (!vectors.at) return false;
  if (!hlo_type_is_complex(call->operands[0]->shape->type)) make_conjugate(&vectors, &form->t);
  hlo_normalise_columns(&vectors);
  hlo_routine_give(call, result, &vectors);
  return true;
}

/* a -> (eigenvalues, left vectors, right vectors, info); of real a, the eigenvalues' parts are two results */
bool hlo_routine_geev(const hlo_routine_call *call) {
  schur_form form;
  bool complex_type = hlo_type_is_complex(call->operands[0]->shape->type);
  int vectors = complex_type ? 1 : 2;
  if (!make_schur(call, 0, &form)) return false;
  if (!complex_type && form.converged) hlo_schur_split_pairs(&form.t, &form.z);
  store_eigenvalues(call, 0, &form.t);
  if (!store_vectors(call, vectors, &form, true) || !store_vectors(call, vectors + 1, &form, false)) return false;
  hlo_routine_set_info(call, vectors + 2, form.converged ? 0 : form.t.rows);
  return true;
}

/* a -> (Schur form, Schur vectors, eigenvalues, how many were selected: none, info) */
bool hlo_routine_gees(const hlo_routine_call *call) {
  schur_form form;
  bool complex_type = hlo_type_is_complex(call->operands[0]->shape->type);
  int after = complex_type ? 3 : 4;
  if (!make_schur(call, 0, &form)) return false;
  if (hlo_config_int(call->instruction, "sort", 'N') != 'N')
    return hlo_fail(call->status, HLO_UNSUPPORTED, "custom-call %s: sorted Schur forms are not supported", call->instruction->name);
  hlo_routine_give(call, 0, &form.t);
  hlo_routine_give(call, 1, &form.z);
  if (!complex_type && form.converged) hlo_schur_split_pairs(&form.t, &form.z);
  store_eigenvalues(call, 2, &form.t);
  hlo_routine_set_info(call, after, 0);
  hlo_routine_set_info(call, after + 1, form.converged ? 0 : form.t.rows);
  return true;
}
