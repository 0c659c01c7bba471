/* Damerau-Levenshtein distance in its simple form: insert, delete, replace, swap two neighbours. */
#include "base/nearest_name.h"

#include "base/format.h"

enum { LONGEST = 40 };

static int least(int a, int b) { return a < b ? a : b; }

/* Requires that both lengths are at most LONGEST. */
static int edit_distance(hlo_span a, hlo_span b) {
  int rows[3][LONGEST + 1];
  int *before = rows[0], *previous = rows[1], *current = rows[2];
  for (size_t j = 0; j <= b.length; j++) previous[j] = (int)j;
  for (size_t i = 1; i <= a.length; i++) {
    current[0] = (int)i;
    for (size_t j = 1; j <= b.length; j++) {
      bool same = a.text[i - 1] == b.text[j - 1];
      current[j] = least(least(previous[j], current[j - 1]) + 1, previous[j - 1] + !same);
      if (i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] && a.text[i - 2] == b.text[j - 1])
        current[j] = least(current[j], before[j - 2] + 1);
    }
    int *oldest = before;
    before = previous, previous = current, current = oldest;
  }
  return previous[b.length];
}

/* True if the name is cut short: then any number of letters may be missing, as in `dynamic_slice` for `dynamic_slice_sizes`. */
static bool is_beginning(hlo_span name, hlo_span candidate) {
  return name.length >= 4 && name.length < candidate.length && memcmp(name.text, candidate.text, name.length) == 0;
}

void hlo_nearest_name_offer(hlo_nearest_name *nearest, hlo_span candidate) {
  hlo_span name = nearest->name;
  if (name.length > LONGEST || candidate.length > LONGEST) return;
  int distance = edit_distance(name, candidate), largest = 1 + (int)name.length / 4;
  if (distance > largest || distance >= (int)name.length) { /* too many letters differ, or all of them */
    if (!is_beginning(name, candidate)) return;
    distance = largest + 1;
  }
  if (nearest->best.length && distance >= nearest->distance) {
    nearest->tied |= distance == nearest->distance && !hlo_span_equal(candidate, nearest->best);
    return;
  }
  nearest->best = candidate;
  nearest->distance = distance;
  nearest->tied = false;
}

char *hlo_nearest_name_hint(const hlo_nearest_name *nearest, const char *prefix, char *buffer, size_t size) {
  const hlo_span best = nearest->best;
  buffer[0] = 0;
  if (best.length) hlo_format(buffer, size, "; did you mean '%s%.*s'?", prefix, (int)best.length, best.text);
  return buffer;
}
