/* The table of LAPACK custom calls, lapack_<letter><routine> with or without _ffi; their shapes; batches, matrix by matrix. */
#include "reference/custom_calls/lapack.h"

#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/linear_algebra/routine.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/element_type.h"

/* The shapes of a routine's operands and results, separated by commas. A shape is a letter for each dimension, without those
 * of the batch, and perhaps a colon and a type:
 *
 *   "nn,k:r,:i"    a square matrix; k = min(m, n) numbers of the real type; one s32
 *
 * Equal letters are equal sizes; k is min(m, n), j is n - 1, q is at most k, * is any size. Types: i is s32, r the real part of the operand's
 * type, c its complex type; none is the type itself. */
typedef struct routine_row {
  const char *name;
  hlo_routine_name routine;
  const char *operands, *results, *complex_results; /* complex_results: for complex operands, where they differ */
} routine_row;

static const routine_row routines[] = {
    {"potrf", HLO_ROUTINE_POTRF, "nn", "nn,:i", NULL},
    {"getrf", HLO_ROUTINE_GETRF, "mn", "mn,k:i,:i", NULL},
    {"trsm", HLO_ROUTINE_TRSM, "aa,mn", "mn", NULL},
    {"gtsv", HLO_ROUTINE_GTSV, "n,n,n,np", "n,n,n,np,:i", NULL},
    {"geqrf", HLO_ROUTINE_GEQRF, "mn", "mn,k", NULL},
    {"geqp3", HLO_ROUTINE_GEQP3, "mn,n:i", "mn,n:i,k", NULL},
    {"orgqr", HLO_ROUTINE_ORGQR, "mn,q", "mn", NULL},
    {"ungqr", HLO_ROUTINE_ORGQR, "mn,q", "mn", NULL},
    {"ormqr", HLO_ROUTINE_ORMQR, "mn,q,mp", "mp", NULL},
    {"unmqr", HLO_ROUTINE_ORMQR, "mn,q,mp", "mp", NULL},
    {"gehrd", HLO_ROUTINE_GEHRD, "nn", "nn,j,:i", NULL},
    {"sytrd", HLO_ROUTINE_SYTRD, "nn", "nn,n:r,j:r,j,:i", NULL},
    {"hetrd", HLO_ROUTINE_SYTRD, "nn", "nn,n:r,j:r,j,:i", NULL},
    {"syevd", HLO_ROUTINE_SYEVD, "nn", "nn,n:r,:i", NULL},
    {"heevd", HLO_ROUTINE_SYEVD, "nn", "nn,n:r,:i", NULL},
    {"gesdd", HLO_ROUTINE_GESDD, "mn", "mn,k:r,**,**,:i", NULL},
    {"gesvd", HLO_ROUTINE_GESDD, "mn", "mn,k:r,**,**,:i", NULL},
    {"geev", HLO_ROUTINE_GEEV, "nn", "n:r,n:r,nn:c,nn:c,:i", "n,nn,nn,:i"},
    {"gees", HLO_ROUTINE_GEES, "nn", "nn,nn,n,n,:i,:i", "nn,nn,n,:i,:i"},
};

/* Returns the routine's name in a target: "potrf" of "lapack_spotrf_ffi". Empty if the target does not look like that. */
static hlo_span name_of(hlo_span target) {
  static const char prefix[] = "lapack_", suffix[] = "_ffi";
  size_t before = sizeof prefix - 1, after = sizeof suffix - 1;
  hlo_span none = {target.text, 0};
  if (!hlo_span_begins(target, prefix) || target.length <= before + 1) return none;
  if (!memchr("sdcz", target.text[before], 4)) return none;
  hlo_span name = {target.text + before + 1, target.length - before - 1};
  if (hlo_span_ends(name, suffix)) name.length -= after;
  return name;
}

static const routine_row *routine_of(hlo_span target) {
  hlo_span name = name_of(target);
  for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
    if (hlo_span_is(name, routines[i].name)) return &routines[i];
  return NULL;
}

/* ---- Shapes ---- */

typedef struct matcher {
  hlo_type type;
  int batch_rank;
  const int64_t *batch;
  int64_t sizes[26]; /* by letter; -1 until known */
} matcher;

static hlo_type type_of(const matcher *m, char letter) {
  switch (letter) {
  case 'i': return HLO_TYPE_S32;
  case 'r': return hlo_type_real_part(m->type);
  case 'c': return hlo_type_complex_of(m->type);
  default: return m->type;
  }
}

static bool match_size(matcher *m, char letter, int64_t size) {
  int64_t rows = m->sizes['m' - 'a'], cols = m->sizes['n' - 'a'];
  if (letter == '*') return true;
  if (letter == 'k') return size == (rows < cols ? rows : cols);
  if (letter == 'q') return size <= rows && size <= cols;
  if (letter == 'j') return size == (cols > 0 ? cols - 1 : 0);
  int64_t *known = &m->sizes[letter - 'a'];
  if (*known < 0) *known = size;
  return *known == size;
}

/* Matches one array with its letters, which end at a comma or at the end of the text, and moves *letters behind them. */
static bool match_array(matcher *m, const char **letters, const hlo_shape *shape) {
  const char *at = *letters;
  int rank = 0;
  while (at[rank] && at[rank] != ',' && at[rank] != ':') rank++;
  char type = at[rank] == ':' ? at[rank + 1] : 0;
  const char *end = strchr(at, ',');
  *letters = end ? end + 1 : at + strlen(at);
  if (!hlo_shape_is_array(shape) || !hlo_shape_is_static(shape) || shape->type != type_of(m, type)) return false;
  if (m->batch_rank < 0) {
    m->batch_rank = shape->rank - rank;
    m->batch = shape->dims;
  }
  if (m->batch_rank < 0 || shape->rank != m->batch_rank + rank) return false;
  for (int i = 0; i < m->batch_rank; i++)
    if (shape->dims[i] != m->batch[i]) return false;
  for (int i = 0; i < rank; i++)
    if (!match_size(m, at[i], shape->dims[m->batch_rank + i])) return false;
  return true;
}

static bool match_arrays(matcher *m, const char *letters, const hlo_shape *const *shapes, int count) {
  for (int i = 0; i < count; i++)
    if (!*letters || !match_array(m, &letters, shapes[i])) return false;
  return !*letters;
}

/* Older programs put sizes, as scalars, before the arrays. */
static int leading_scalars(const hlo_shape *const *operands, int count) {
  int scalars = 0;
  while (scalars < count && operands[scalars]->rank == 0 && hlo_type_is_integral(operands[scalars]->type)) scalars++;
  return scalars;
}

/* The operands of a routine. A matrix that is multiplied from the right by a product of reflections has as many columns as that has rows. */
static const char *operands_of(const routine_row *row, const hlo_instruction *instruction) {
  return row->routine == HLO_ROUTINE_ORMQR && !hlo_config_bool(instruction, "left", true) ? "mn,q,pm" : row->operands;
}

/* The results of a routine. Those of gesdd depend on its mode; u and v, where they are not asked for, have any sizes and hold zeros. */
static const char *results_of(const routine_row *row, const hlo_instruction *instruction, bool is_complex) {
  if (row->routine == HLO_ROUTINE_ORMQR) return strrchr(operands_of(row, instruction), ',') + 1;
  if (row->routine != HLO_ROUTINE_GESDD) return is_complex && row->complex_results ? row->complex_results : row->results;
  switch (hlo_config_int(instruction, "mode", 'A')) {
  case 'A': return "mn,k:r,mm,nn,:i";
  case 'S': return "mn,k:r,mk,kn,:i";
  default: return row->results;
  }
}

bool hlo_lapack_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const routine_row *row = routine_of(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text);
  const hlo_shape *result = instruction->shape;
  int skipped = leading_scalars(operands, instruction->operand_count), count = instruction->operand_count - skipped;
  matcher m = {.batch_rank = -1};
  memset(m.sizes, -1, sizeof m.sizes);
  if (count > 0) m.type = operands[skipped]->type;
  bool is_complex = hlo_type_is_complex(m.type), ok = count > 0 && (is_complex || hlo_type_is_float(m.type));
  ok = ok && (skipped == 0 || row->routine == HLO_ROUTINE_POTRF || row->routine == HLO_ROUTINE_GETRF);
  const char *wanted = operands_of(row, instruction);
  ok = ok && match_arrays(&m, wanted, operands + skipped, count);
  const char *results = results_of(row, instruction, is_complex);
  bool is_tuple = hlo_shape_is_tuple(result);
  ok = ok && match_arrays(&m, results, is_tuple ? result->elements : &result, is_tuple ? result->element_count : 1);
  if (ok) return true;
  return hlo_fail(status, HLO_SHAPE, "%s takes %s and gives %s (the same letter the same size; k = min(m, n), j = n - 1, q <= k), got %pS from %s",
                  row->name, wanted, results, result, count > 0 ? HLO_SHAPE_TEXT(operands[skipped]) : "nothing");
}

/* ---- Calling ---- */

bool hlo_lapack_run(hlo_routine_name routine, hlo_evaluation *evaluation, const hlo_instruction *instruction,
                    const hlo_literal *const *operands, hlo_literal *result, const hlo_shape *shape, int own_rank) {
  const hlo_routine_library *library = hlo_routines_loaded();
  if (!library) return hlo_fail(evaluation->status, HLO_INTERNAL, "%s: linear algebra is not loaded", instruction->name);
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_literal *const single[] = {result};
  hlo_literal *const *results = hlo_shape_is_tuple(result->shape) ? result->elements : single;
  hlo_routine_call call = {evaluation, instruction, operands, results, 0, &arena, evaluation->status};
  int64_t count = hlo_box_count(shape->dims, shape->rank - own_rank);
  bool ok = true;
  for (; ok && call.batch < count; call.batch++) {
    ok = library->routines[routine](&call);
    hlo_arena_reset(&arena);
  }
  hlo_arena_free(&arena);
  return ok;
}

static bool call_routine(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  const routine_row *row = routine_of(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text);
  const char *letters = strrchr(row->operands, ',');
  int own_rank = (int)strcspn(letters ? letters + 1 : row->operands, ":");
  hlo_literal *const single[] = {result};
  bool is_tuple = hlo_shape_is_tuple(result->shape);
  for (int i = 0; i < (is_tuple ? result->shape->element_count : 1); i++) /* a routine leaves out what its call does not ask for */
    hlo_literal_clear(is_tuple ? result->elements[i] : single[i]);
  return hlo_lapack_run(row->routine, evaluation, instruction, operands, result,
                        operands[instruction->operand_count - 1]->shape, own_rank);
}

hlo_routine_name hlo_lapack_routine(hlo_span target) {
  const routine_row *row = routine_of(target);
  return row ? row->routine : HLO_ROUTINES;
}

hlo_reference_function *hlo_lapack_function(hlo_span target) { return routine_of(target) ? call_routine : NULL; }
