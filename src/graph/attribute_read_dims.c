/* Reading attributes that have values for every dimension: windows, paddings, slices, dimension labels. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/dims.h"
#include "shape/layout.h"

/* ---- {size=3x3 stride=2x2 pad=1_1x0_1 lhs_dilate=1x1 rhs_dilate=2x2 rhs_reversal=0x1} ---- */

enum { WINDOW_COLUMNS = sizeof(hlo_window_dim) / sizeof(int64_t) };

/* The column of each field in hlo_rows; pad takes two, low and high. */
enum { SIZE = 0, PAD = 2, REVERSAL = 6 };
static const char *const window_fields[WINDOW_COLUMNS] = {"size", "stride", "pad", "", "rhs_dilate", "lhs_dilate", "rhs_reversal"};

static bool read_low_and_high(hlo_reader *reader, int64_t *low) {
  if (!hlo_read_digits(reader, low)) return false;
  if (!hlo_accept_here(reader, '_'))
    return hlo_reader_fail(reader, "expected '_' between low and high padding, found %s", HLO_FOUND(reader));
  return hlo_read_digits(reader, low + 1);
}

static bool read_window_value(hlo_reader *reader, int column, int64_t *value) {
  if (column == PAD) return read_low_and_high(reader, value);
  if (!hlo_read_digits(reader, value)) return false;
  if (column == REVERSAL) *value = *value != 0;
  return true;
}

/* Reads the values of one field, joined by 'x'. *rank is the number of dimensions, -1 while it is not known. */
static bool read_window_field(hlo_reader *reader, int column, int64_t *rows, int *rank) {
  int count = 0;
  const char *start = reader->cursor;
  do {
    if (count == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, start, HLO_LIMIT, "a window of more than %d dimensions", HLO_MAX_RANK);
    if (!read_window_value(reader, column, &rows[count++ * WINDOW_COLUMNS + column])) return false;
  } while (hlo_accept_here(reader, 'x'));
  if (*rank < 0) *rank = count;
  if (*rank == count) return true;
  return hlo_reader_fail_at(reader, start, HLO_PARSE, "this window has %d dimensions, but here are %d", *rank, count);
}

bool hlo_read_window(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  int64_t rows[HLO_MAX_RANK * WINDOW_COLUMNS];
  for (int i = 0; i < HLO_MAX_RANK * WINDOW_COLUMNS; i++)
    rows[i] = i % WINDOW_COLUMNS != PAD && i % WINDOW_COLUMNS != PAD + 1 && i % WINDOW_COLUMNS != REVERSAL;
  int rank = -1;
  unsigned seen = 0;
  if (!hlo_reader_expect(reader, "{")) return false;
  while (!hlo_reader_accept(reader, "}")) {
    hlo_span name = hlo_reader_name(reader);
    int column = 0;
    while (column < WINDOW_COLUMNS && !(name.length && hlo_span_is(name, window_fields[column]))) column++;
    if (column == WINDOW_COLUMNS || (seen & 1u << column)) {
      reader->cursor = name.text;
      return hlo_reader_fail(reader, "expected size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal, each once, or '}', "
                             "found %s", HLO_FOUND(reader));
    }
    seen |= 1u << column;
    if (!hlo_reader_expect(reader, "=") || !read_window_field(reader, column, rows, &rank)) return false;
  }
  if (rank > 0 && !(seen & 1u << SIZE)) return hlo_reader_fail(reader, "a window must have a size");
  return hlo_attribute_set_rows(attribute, rank < 0 ? 0 : rank, rows, arena, reader->status);
}

/* ---- 0_1_0x2_2_1 ---- */

/* Reads a padding. A scalar's padding is empty: then the end of the attribute follows at once. */
bool hlo_read_padding(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  int64_t rows[HLO_MAX_RANK][3];
  int rank = 0;
  const char *start = reader->cursor;
  while (hlo_accept_here(reader, ' ')) continue;
  bool empty = reader->cursor == reader->end || !strchr("-0123456789", *reader->cursor) || !*reader->cursor;
  if (empty && reader->cursor < reader->end && !strchr(",\r\n)}", *reader->cursor))
    return hlo_reader_fail(reader, "expected a padding like 0_1x2_2_1, found %s", HLO_FOUND(reader));
  if (!empty) {
    do {
      if (rank == HLO_MAX_RANK)
        return hlo_reader_fail_at(reader, start, HLO_LIMIT, "a padding of more than %d dimensions", HLO_MAX_RANK);
      int64_t *row = rows[rank++];
      row[2] = 0;
      if (!read_low_and_high(reader, row) || (hlo_accept_here(reader, '_') && !hlo_read_digits(reader, row + 2))) return false;
    } while (hlo_accept_here(reader, 'x'));
  }
  return hlo_attribute_set_rows(attribute, rank, rows[0], arena, reader->status);
}

/* ---- {[0:4:2], [1:3]} ---- */

bool hlo_read_slice(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  int64_t rows[HLO_MAX_RANK][3];
  int rank = 0;
  while (hlo_list_next(reader, "{", "}", rank)) {
    if (rank == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a slice of more than %d dimensions", HLO_MAX_RANK);
    int64_t *row = rows[rank++];
    row[2] = 1;
    if (!(hlo_reader_expect(reader, "[") && hlo_reader_int(reader, row) && hlo_reader_expect(reader, ":") &&
          hlo_reader_int(reader, row + 1) && (!hlo_reader_accept(reader, ":") || hlo_reader_int(reader, row + 2)) &&
          hlo_reader_expect(reader, "]")))
      return false;
  }
  return hlo_ok(reader->status) && hlo_attribute_set_rows(attribute, rank, rows[0], arena, reader->status);
}

/* ---- b01f_01io->b01f ---- */

/* The letters of the two dimensions of an array that are not spatial; spatial dimensions are digits. */
typedef struct label_side {
  char first, second;
  int *first_dimension, *second_dimension, *spatial;
} label_side;

static bool read_label_side(hlo_reader *reader, const label_side *side, int *spatial_rank) {
  const char *start = reader->cursor;
  uint64_t seen = 0;
  int rank = 0, spatial = 0;
  *side->first_dimension = *side->second_dimension = -1;
  for (; reader->cursor < reader->end; reader->cursor++, rank++) {
    char c = *reader->cursor;
    int place = c == side->first ? 62 : c == side->second ? 63 : c >= '0' && c <= '9' ? c - '0' : -1;
    if (c == '?')
      return hlo_reader_fail_at(reader, reader->cursor, HLO_UNSUPPORTED, "dimensions without a meaning ('?') are not supported");
    if (place < 0) break;
    if (seen >> place & 1) return hlo_reader_fail(reader, "dimension '%c' is given twice", c);
    seen |= (uint64_t)1 << place;
    if (place == 62) *side->first_dimension = rank;
    else if (place == 63) *side->second_dimension = rank;
    else side->spatial[place] = rank, spatial++;
  }
  if (*side->first_dimension < 0 || *side->second_dimension < 0)
    return hlo_reader_fail_at(reader, start, HLO_PARSE, "expected dimension labels with '%c' and '%c', as in b01f_01io->b01f",
                              side->first, side->second);
  if (*spatial_rank < 0) *spatial_rank = spatial;
  if (spatial != *spatial_rank || (seen & (((uint64_t)1 << 62) - 1)) != ((uint64_t)1 << spatial) - 1)
    return hlo_reader_fail_at(reader, start, HLO_PARSE, "the spatial dimensions must be 0 to %d here, each once",
                              *spatial_rank - 1);
  return true;
}

bool hlo_read_dim_labels(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_dim_labels *l = hlo_arena_new(arena, hlo_dim_labels, reader->status);
  if (!l) return false;
  const label_side input = {'b', 'f', &l->input_batch, &l->input_feature, l->input_spatial};
  const label_side kernel = {'i', 'o', &l->kernel_input_feature, &l->kernel_output_feature, l->kernel_spatial};
  const label_side output = {'b', 'f', &l->output_batch, &l->output_feature, l->output_spatial};
  l->spatial_rank = -1;
  hlo_reader_skip_space(reader);
  attribute->dim_labels = l;
  return read_label_side(reader, &input, &l->spatial_rank) && hlo_reader_expect(reader, "_") &&
         read_label_side(reader, &kernel, &l->spatial_rank) && hlo_reader_expect(reader, "->") &&
         read_label_side(reader, &output, &l->spatial_rank);
}
