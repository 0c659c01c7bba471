#include "kernels/move/scatter.h"

#include "base/team.h"
#include "kernels/simd128.h"
#include "shape/box.h"

typedef struct scatter_arrays {
  const hlo_scatter_parameters *parameters;
  char *out;
  const char *updates;
  const void *indices;
  void *scratch; /* of the program */
  ptrdiff_t begin, end; /* windows at offsets begin to end - 1 are taken */
} scatter_arrays;

static void combine_run(const scatter_arrays *arrays, char *out, const char *updates) {
  const hlo_scatter_parameters *p = arrays->parameters;
  int64_t most = p->combine ? p->run : HLO_APPLIED_BLOCK;
  for (int64_t left = p->run, count; left > 0; left -= count) {
    const void *operands[2] = {out, updates};
    void *result = out;
    count = left < most ? left : most;
    if (p->combine) p->combine(operands, 0, out, count);
    else hlo_applied_program_run(p->program, operands, 0, &result, count, arrays->scratch);
    out += count * p->window.element_bytes, updates += count * p->window.element_bytes;
  }
}

/* The maximum or minimum of two floats, by the instruction of vectors: a processor would guess branches that depend on the numbers wrong. */
#define OF_FLOATS(extreme, a, b) wasm_f32x4_extract_lane(extreme(wasm_f32x4_splat(a), wasm_f32x4_splat(b)), 0)

#define EACH_WINDOW(type, ...)                                             \
  for (int i = 0; i < count; i++, updates += stride) {                     \
    if (offsets[i] < arrays->begin || offsets[i] >= arrays->end) continue; \
    type *out = (type *)(array + offsets[i]);                              \
    const type *update = (const type *)updates;                            \
    __VA_ARGS__                                                            \
  }
#define ELEMENT(type, n, made)      \
  {                                 \
    type a = out[n], b = update[n]; \
    (void)a;                        \
    out[n] = made;                  \
  }

/* SCATTER combines windows: an element a of the array and its update b become `made`, and vectors of so many lanes `vector`. */
#define SCATTER(type, lanes, vector, made)                                  \
  if (p->run == 1) EACH_WINDOW(type, ELEMENT(type, 0, made))                \
  else EACH_WINDOW(type,                                                    \
    int64_t n = 0;                                                          \
    for (; n + lanes <= p->run; n += lanes) {                               \
      v128_t a = wasm_v128_load(out + n), b = wasm_v128_load(update + n);   \
      (void)a;                                                              \
      wasm_v128_store(out + n, vector);                                     \
    }                                                                       \
    for (; n < p->run; n++) ELEMENT(type, n, made))

/* Combines one run of each window: windows begin at these offsets of `array`, and their updates `stride` apart. */
static void scatter_runs(const scatter_arrays *arrays, char *array, const char *updates, const ptrdiff_t *offsets, int count, ptrdiff_t stride) {
  const hlo_scatter_parameters *p = arrays->parameters;
  switch (p->element) {
  case HLO_SCATTER_ANY: EACH_WINDOW(char, combine_run(arrays, out, update);) return;
  case HLO_SCATTER_WORD: SCATTER(uint32_t, 4, b, b) return;
  case HLO_SCATTER_ADD_F32: SCATTER(float, 4, wasm_f32x4_add(a, b), a + b) return;
  case HLO_SCATTER_MULTIPLY_F32: SCATTER(float, 4, wasm_f32x4_mul(a, b), a * b) return;
  case HLO_SCATTER_ADD_F64: SCATTER(double, 2, wasm_f64x2_add(a, b), a + b) return;
  case HLO_SCATTER_ADD_S32: SCATTER(uint32_t, 4, wasm_i32x4_add(a, b), a + b) return;
  case HLO_SCATTER_MAXIMUM_F32: SCATTER(float, 4, hlo_f32x4_max(a, b), OF_FLOATS(hlo_f32x4_max, a, b)) return;
  case HLO_SCATTER_MINIMUM_F32: SCATTER(float, 4, hlo_f32x4_min(a, b), OF_FLOATS(hlo_f32x4_min, a, b)) return;
  case HLO_SCATTER_BITS:
    if (p->run == 1 && arrays->end == PTRDIFF_MAX) hlo_combine_bits_at(&p->bits, array, offsets, count, updates, stride);
    else EACH_WINDOW(char, hlo_combine_bits(&p->bits, out, update, out, p->run);)
    return;
  }
}

/* Combines windows one after another; or, where an element has the same place in all windows that hold it, the first runs of all, the second ones, and so on. */
static void scatter_windows(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride) {
  const scatter_arrays *arrays = context;
  const hlo_scatter_parameters *p = arrays->parameters;
  const char *updates = arrays->updates + first;
  if (!p->combine && !p->program && p->element == HLO_SCATTER_ANY) {
    char *array = arrays->out;
    EACH_WINDOW(char, hlo_strided_copy_simd128(&p->window, update, out);)
    return;
  }
  const hlo_strided_map *window = &p->window;
  if (hlo_box_is_empty(window->dims, window->rank)) return;
  int step = p->by_runs ? count : 1, outside = window->rank - (p->run > 1); /* dimensions outside of a run */
  for (int i = 0; i < count; i += step, updates += stride) {
    int64_t index[HLO_STRIDED_MAX_RANK] = {0};
    char *array = arrays->out;
    const char *run = updates;
    do scatter_runs(arrays, array, run, offsets + i, step, stride);
    while (hlo_strided_map_next(window, outside, index, &run, &array));
  }
}

typedef struct shared_scatter {
  const scatter_arrays *arrays;
  int64_t units;
} shared_scatter;

static void scatter_part(void *context, int64_t unit, int thread) {
  const shared_scatter *s = context;
  scatter_arrays arrays = *s->arrays;
  int64_t places = arrays.parameters->places;
  arrays.begin = (ptrdiff_t)(places * unit / s->units);
  arrays.end = s->units > 1 ? (ptrdiff_t)(places * (unit + 1) / s->units) : PTRDIFF_MAX;
  hlo_index_batch_visit(&arrays.parameters->batch, arrays.indices, scatter_windows, &arrays);
}

void hlo_scatter_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_scatter_parameters *p = parameters;
  const scatter_arrays arrays = {.parameters = p, .out = result, .updates = operands[2], .indices = operands[1], .scratch = scratch};
  bool is_shared = team && p->places > 1 && p->nanoseconds >= team->least_nanoseconds;
  shared_scatter s = {&arrays, is_shared ? team->threads : 1};
  if (p->bytes == 0) return;
  if (result != operands[0]) hlo_copy_shared(operands[0], result, p->bytes, team);
  hlo_team_run(team, s.units, p->nanoseconds, scatter_part, &s);
}
