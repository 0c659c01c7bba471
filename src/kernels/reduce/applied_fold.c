#include "kernels/reduce/applied_fold.h"

#include <string.h>

#include "base/built_small.h"
#include "base/checked.h"
#include "kernels/move/strided_copy.h"

enum { TILE = 64, SEGMENTS = 64, FEWEST_COLUMNS = 16 };

typedef struct fold {
  const hlo_applied_fold_parameters *p;
  char *scratch;
} fold;

/* acc = f(acc, row) for `count` rows of `width` elements, which are `step` elements apart. */
static HLO_SMALL void fold_rows(const fold *f, void *const *acc, const char *const *rows, int64_t step, int64_t count, int64_t width) {
  const hlo_applied_fold_parameters *p = f->p;
  const void *parameters[2 * HLO_APPLIED_FOLD_MOST_PARTS];
  for (int64_t r = 0; r < count; r++) {
    for (int i = 0; i < p->parts; i++) {
      parameters[i] = acc[i];
      parameters[p->parts + i] = rows[i] + r * step * p->bytes[i];
    }
    hlo_applied_program_run(&p->program, parameters, 0, acc, width, f->scratch);
  }
}

/* Begins the results with the inits, or, where there are none, with the first row itself; returns how many rows that took. */
static HLO_SMALL int begin(const fold *f, const void *const *inits, void *const *acc, const char *const *rows, int64_t width) {
  for (int i = 0; i < f->p->parts; i++) {
    if (inits) hlo_fill(acc[i], inits[i], f->p->bytes[i], width);
    else memcpy(acc[i], rows[i], (size_t)(width * f->p->bytes[i]));
  }
  return inits == NULL;
}

/* Folds lines of `reduced` x `inner` elements, `line_step` elements apart, that have at most TILE results together: they are transposed,
 * TILE rows at a time, so that the elements that are folded at once lie side by side. */
static HLO_SMALL void fold_lines(const fold *f, const void *const *inits, void *const *acc, const char *const *in, int64_t line_step, int64_t lines,
                       int64_t reduced) {
  const hlo_applied_fold_parameters *p = f->p;
  int64_t width = lines * p->inner;
  for (int64_t r = 0; r < reduced; r += TILE) {
    int64_t rows = reduced - r < TILE ? reduced - r : TILE;
    const char *tile[HLO_APPLIED_FOLD_MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      int64_t bytes = p->bytes[i];
      hlo_strided_map map = {.rank = 3, .element_bytes = (int)bytes, .dims = {rows, lines, p->inner},
                             .in_strides = {p->inner * bytes, line_step * bytes, bytes},
                             .out_strides = {width * bytes, p->inner * bytes, bytes}};
      char *out = f->scratch + p->tiles + i * TILE * TILE * HLO_APPLIED_MOST_BYTES;
      hlo_strided_map_simplify(&map);
      hlo_strided_copy_simd128(&map, in[i] + r * p->inner * bytes, out);
      tile[i] = out;
    }
    int64_t done = r == 0 ? begin(f, inits, acc, tile, width) : 0;
    for (int i = 0; i < p->parts; i++) tile[i] += done * width * p->bytes[i];
    fold_rows(f, acc, tile, width, rows - done, width);
  }
}

/* Folds one block of `reduced` x `inner` elements: each of SEGMENTS segments by itself, then the segments, then the elements that are
 * left. */
static HLO_SMALL void fold_segments(const fold *f, const void *const *inits, void *const *acc, const char *const *in) {
  const hlo_applied_fold_parameters *p = f->p;
  int64_t length = p->reduced / SEGMENTS;
  void *partials[HLO_APPLIED_FOLD_MOST_PARTS];
  const char *rows[HLO_APPLIED_FOLD_MOST_PARTS], *rest[HLO_APPLIED_FOLD_MOST_PARTS];
  for (int i = 0; i < p->parts; i++) {
    rows[i] = partials[i] = f->scratch + p->partials + i * TILE * HLO_APPLIED_FOLD_FEW * HLO_APPLIED_MOST_BYTES;
    rest[i] = in[i] + SEGMENTS * length * p->inner * p->bytes[i];
  }
  int64_t lines = TILE / p->inner;
  for (int64_t s = 0; s < SEGMENTS; s += lines) {
    const char *from[HLO_APPLIED_FOLD_MOST_PARTS];
    void *to[HLO_APPLIED_FOLD_MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      from[i] = in[i] + s * length * p->inner * p->bytes[i];
      to[i] = (char *)partials[i] + s * p->inner * p->bytes[i];
    }
    fold_lines(f, NULL, to, from, length * p->inner, SEGMENTS - s < lines ? SEGMENTS - s : lines, length);
  }
  begin(f, inits, acc, rows, p->inner);
  fold_rows(f, acc, rows, p->inner, SEGMENTS, p->inner);
  fold_rows(f, acc, rest, p->inner, p->reduced - SEGMENTS * length, p->inner);
}

/* Where `inner` is large, a unit is a block of columns of one line; else it is as many lines as a
 * tile holds, or one line that is folded in segments. */
static bool is_by_columns(const hlo_applied_fold_parameters *p) { return p->inner >= FEWEST_COLUMNS; }
static int64_t lines_at_once(const hlo_applied_fold_parameters *p) { return is_by_columns(p) || p->segments ? 1 : TILE / p->inner; }
static int64_t column_blocks(const hlo_applied_fold_parameters *p) { return hlo_ceil_div(p->inner, HLO_APPLIED_BLOCK); }

int64_t hlo_applied_fold_units(const hlo_applied_fold_parameters *p) {
  return p->inner ? hlo_ceil_div(p->outer, lines_at_once(p)) * column_blocks(p) : 0;
}

int64_t hlo_applied_fold_scratch(hlo_applied_fold_parameters *p) {
  p->tiles = (int64_t)hlo_applied_program_scratch_bytes(&p->program);
  p->partials = p->tiles + p->parts * TILE * TILE * HLO_APPLIED_MOST_BYTES;
  return p->partials + p->parts * TILE * HLO_APPLIED_FOLD_FEW * HLO_APPLIED_MOST_BYTES;
}

HLO_SMALL void hlo_applied_fold_run(const hlo_range_call *call, int64_t first, int64_t some) {
  const hlo_applied_fold_parameters *p = call->parameters;
  const void *const *operands = call->operands, *const *inits = operands + p->parts;
  fold f = {p, call->scratch};
  bool by_columns = is_by_columns(p);
  int64_t lines = lines_at_once(p), blocks = column_blocks(p);
  for (int64_t n = first; n < first + some; n++) {
    int64_t o = n / blocks * lines, c = n % blocks * HLO_APPLIED_BLOCK;
    int64_t columns = p->inner - c < HLO_APPLIED_BLOCK ? p->inner - c : HLO_APPLIED_BLOCK;
    int64_t count = p->outer - o < lines ? p->outer - o : lines;
    const char *in[HLO_APPLIED_FOLD_MOST_PARTS];
    void *acc[HLO_APPLIED_FOLD_MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      in[i] = (const char *)operands[i] + (o * p->reduced * p->inner + c) * p->bytes[i];
      acc[i] = (char *)(i == 0 ? call->result : (void *)operands[2 * p->parts + i - 1]) + (o * p->inner + c) * p->bytes[i];
    }
    if (by_columns || p->reduced == 0) {
      begin(&f, inits, acc, in, by_columns ? columns : count * p->inner);
      fold_rows(&f, acc, in, p->inner, p->reduced, columns);
    } else if (p->segments) {
      fold_segments(&f, inits, acc, in);
    } else {
      fold_lines(&f, inits, acc, in, p->reduced * p->inner, count, p->reduced);
    }
  }
}
