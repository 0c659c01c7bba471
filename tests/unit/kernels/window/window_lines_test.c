/* Runs of windows against the definition: which element each cell of a window has at each position. */
#include "kernels/window/window_lines.h"

#include "random.h"
#include "unit.h"

enum { MOST_RANK = 3, MOST_SIZE = 6, MOST_POSITIONS = 16 };

static uint64_t hash_of(uint64_t hash, int64_t offset) { return hash * 1000003 + (uint64_t)offset + 1; }

typedef struct visited {
  const hlo_window_lines *lines;
  uint64_t hashes[MOST_POSITIONS]; /* by position of the line: of the offsets that are read, in their order */
} visited;

static void visit(void *context, const hlo_window_run *run) {
  visited *v = context;
  for (int64_t n = 0; n < run->count; n++) {
    CHECK(run->first + n >= 0 && run->first + n < v->lines->positions, "position %d", (int)(run->first + n));
    v->hashes[run->first + n] = hash_of(v->hashes[run->first + n], run->offset + n * run->step);
  }
}

/* The hash of the offsets under the window at a position, cell by cell in row-major order. */
static uint64_t expect(const hlo_window_dim *window, const int64_t *in, int rank, const int64_t *position) {
  int64_t cell[MOST_RANK] = {0};
  uint64_t hash = 0;
  for (int d = 0; d < rank; d++)
    if (window[d].size == 0) return 0;
  for (int d = 0; d >= 0;) {
    int64_t offset = 0;
    bool inside = true;
    for (int i = 0; i < rank; i++) {
      int64_t step = window[i].reversal ? window[i].size - 1 - cell[i] : cell[i];
      int64_t index = position[i] * window[i].stride + step * window[i].window_dilation - window[i].padding_low;
      inside = inside && index >= 0 && index < in[i];
      offset = offset * in[i] + index;
    }
    if (inside) hash = hash_of(hash, offset);
    for (d = rank - 1; d >= 0 && ++cell[d] == window[d].size; d--) cell[d] = 0;
  }
  return hash;
}

static void check_windows(int round) {
  int rank = 1 + random_below(MOST_RANK);
  hlo_window_dim window[MOST_RANK];
  int64_t in[MOST_RANK], out[MOST_RANK];
  for (int d = 0; d < rank; d++) {
    in[d] = 1 + random_below(MOST_SIZE);
    window[d] = (hlo_window_dim){.size = 1, .stride = 1, .window_dilation = 1, .base_dilation = 1};
    out[d] = in[d];
    if (random_below(3) == 0) continue;
    window[d] = (hlo_window_dim){.size = 1 + random_below(3), .stride = 1 + random_below(3), .padding_low = random_below(4) - 1,
                                 .padding_high = random_below(4) - 1, .window_dilation = 1 + random_below(2), .base_dilation = 1,
                                 .reversal = random_below(2)};
    int64_t room = in[d] + window[d].padding_low + window[d].padding_high - (window[d].size - 1) * window[d].window_dilation - 1;
    out[d] = room < 0 ? 0 : room / window[d].stride + 1;
  }
  hlo_window_lines lines;
  const hlo_window all = {rank, window};
  CHECK(hlo_window_lines_describe(&all, in, out, rank, &lines), "round %d", round);
  for (int64_t line = 0; line < lines.count; line++) {
    visited v = {.lines = &lines};
    hlo_window_line_visit(&lines, line, visit, &v);
    for (int64_t p = 0; p < lines.positions; p++) {
      int64_t position[MOST_RANK] = {0}, rest = line;
      position[lines.rank] = p;
      for (int d = lines.rank - 1; d >= 0; d--) {
        position[d] = rest % out[d];
        rest /= out[d];
      }
      CHECK(v.hashes[p] == expect(window, in, rank, position), "round %d, line %d, position %d", round, (int)line, (int)p);
    }
  }
}

int main(void) {
  for (int round = 0; round < 2000; round++) check_windows(round);
  hlo_window_lines lines;
  const hlo_window_dim dilated = {.size = 2, .stride = 1, .window_dilation = 1, .base_dilation = 2};
  const hlo_window window = {1, &dilated};
  CHECK(!hlo_window_lines_describe(&window, (int64_t[]){4}, (int64_t[]){6}, 1, &lines), "a dilated base");
  return unit_report();
}
