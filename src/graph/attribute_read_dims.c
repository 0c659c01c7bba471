/* Reading the attributes that say something of every dimension: windows, paddings, slices, dimension labels. */
#include <string.h>

#include "graph/attribute_forms.h"

/* ---- {size=3x3 stride=2x2 pad=1_1x0_1 lhs_dilate=1x1 rhs_dilate=2x2 rhs_reversal=0x1} ---- */

static bool read_window_value(hlo_reader *reader, int field, hlo_window_dim *dim) {
  int64_t value;
  if (!hlo_read_digits(reader, &value)) return false;
  switch (field) {
  case 0: dim->size = value; return true;
  case 1: dim->stride = value; return true;
  case 2:
    dim->padding_low = value;
    if (!hlo_accept_here(reader, '_'))
      return hlo_reader_fail(reader, "expected '_' between low and high padding, found %s", HLO_FOUND(reader));
    return hlo_read_digits(reader, &dim->padding_high);
  case 3: dim->base_dilation = value; return true;
  case 4: dim->window_dilation = value; return true;
  default: dim->reversal = value != 0; return true;
  }
}

/* The values of one field, joined by 'x'. *rank is the number of dimensions, -1 while it is not known. */
static bool read_window_field(hlo_reader *reader, int field, hlo_window_dim *dims, int *rank) {
  int count = 0;
  const char *start = reader->cursor;
  do {
    if (count == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, start, HLO_LIMIT, "a window of more than %d dimensions", HLO_MAX_RANK);
    if (!read_window_value(reader, field, &dims[count++])) return false;
  } while (hlo_accept_here(reader, 'x'));
  if (*rank < 0) *rank = count;
  if (*rank == count) return true;
  return hlo_reader_fail_at(reader, start, HLO_PARSE, "this window has %d dimensions, but here are %d", *rank, count);
}

static int window_field(hlo_span name) {
  static const char *const fields[] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  for (int i = 0; i < 6; i++)
    if (hlo_span_is(name, fields[i])) return i;
  return -1;
}

bool hlo_read_window(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_window_dim dims[HLO_MAX_RANK];
  for (int i = 0; i < HLO_MAX_RANK; i++) dims[i] = (hlo_window_dim){1, 1, 0, 0, 1, 1, false};
  int rank = -1;
  unsigned seen = 0;
  if (!hlo_reader_expect(reader, "{")) return false;
  while (!hlo_reader_accept(reader, "}")) {
    hlo_span name = hlo_reader_name(reader);
    int field = window_field(name);
    if (field < 0 || (seen & 1u << field)) {
      reader->cursor = name.text;
      return hlo_reader_fail(reader, "expected size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal, each once, or '}', "
                             "found %s", HLO_FOUND(reader));
    }
    seen |= 1u << field;
    if (!hlo_reader_expect(reader, "=") || !read_window_field(reader, field, dims, &rank)) return false;
  }
  if (rank > 0 && !(seen & 1)) return hlo_reader_fail(reader, "a window must have a size");
  hlo_window *window = hlo_arena_new(arena, hlo_window, reader->status);
  if (!window) return false;
  window->rank = rank < 0 ? 0 : rank;
  window->dims = hlo_arena_copy(arena, dims, (size_t)window->rank * sizeof *dims, reader->status);
  attribute->window = window;
  return window->dims != NULL;
}

/* ---- 0_1_0x2_2_1 ---- */

static bool read_padding_dim(hlo_reader *reader, hlo_padding_dim *dim) {
  dim->interior = 0;
  if (!hlo_read_digits(reader, &dim->low)) return false;
  if (!hlo_accept_here(reader, '_'))
    return hlo_reader_fail(reader, "expected '_' between low and high padding, found %s", HLO_FOUND(reader));
  if (!hlo_read_digits(reader, &dim->high)) return false;
  return !hlo_accept_here(reader, '_') || hlo_read_digits(reader, &dim->interior);
}

/* A scalar's padding is empty: what follows is the end of the attribute. */
bool hlo_read_padding(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_padding_dim dims[HLO_MAX_RANK];
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
      if (!read_padding_dim(reader, &dims[rank++])) return false;
    } while (hlo_accept_here(reader, 'x'));
  }
  hlo_padding_config *padding = hlo_arena_new(arena, hlo_padding_config, reader->status);
  if (!padding) return false;
  padding->rank = rank;
  padding->dims = hlo_arena_copy(arena, dims, (size_t)rank * sizeof *dims, reader->status);
  attribute->padding = padding;
  return padding->dims != NULL;
}

/* ---- {[0:4:2], [1:3]} ---- */

static bool read_slice_dim(hlo_reader *reader, hlo_slice_dim *dim) {
  dim->stride = 1;
  return hlo_reader_expect(reader, "[") && hlo_reader_int(reader, &dim->start) && hlo_reader_expect(reader, ":") &&
         hlo_reader_int(reader, &dim->limit) &&
         (!hlo_reader_accept(reader, ":") || hlo_reader_int(reader, &dim->stride)) && hlo_reader_expect(reader, "]");
}

bool hlo_read_slice(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_slice_dim dims[HLO_MAX_RANK];
  int rank = 0;
  while (hlo_list_next(reader, "{", "}", rank)) {
    if (rank == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a slice of more than %d dimensions", HLO_MAX_RANK);
    if (!read_slice_dim(reader, &dims[rank++])) return false;
  }
  if (!hlo_ok(reader->status)) return false;
  hlo_slice *slice = hlo_arena_new(arena, hlo_slice, reader->status);
  if (!slice) return false;
  slice->rank = rank;
  slice->dims = hlo_arena_copy(arena, dims, (size_t)rank * sizeof *dims, reader->status);
  attribute->slice = slice;
  return slice->dims != NULL;
}

/* ---- b01f_01io->b01f ---- */

/* The letters that two dimensions of an array go by; the others are digits. */
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
