/* Reading groups of device ids: as lists, or as the cells of a grid. */
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/dims.h"

/* ---- {{0,1},{2,3}} ---- */

static bool read_listed(hlo_reader *reader, hlo_arena *arena, hlo_groups *groups) {
  hlo_ints *list = NULL;
  int count = 0, capacity = 0;
  for (; hlo_list_next(reader, "{", "}", count); count++)
    if (!hlo_list_grow(arena, &list, count, &capacity, sizeof *list, reader->status) ||
        !hlo_read_ints(reader, arena, "{", "}", &list[count]))
      return false;
  groups->groups = list;
  groups->count = count;
  return hlo_ok(reader->status);
}

/* ---- [2,4]<=[4,2]T(1,0) ---- */

static bool product(hlo_reader *reader, const char *where, hlo_ints dims, int64_t *result) {
  *result = 1;
  for (int i = 0; i < dims.count; i++) {
    if (dims.data[i] <= 0) return hlo_reader_fail_at(reader, where, HLO_PARSE, "sizes here must be positive");
    if (dims.data[i] > HLO_MAX_NAMED_DEVICES / *result)
      return hlo_reader_fail_at(reader, where, HLO_LIMIT, "more than %d devices", HLO_MAX_NAMED_DEVICES);
    *result *= dims.data[i];
  }
  return true;
}

/* Reads T(1,0); without it the order is row-major. */
static bool read_transpose(hlo_reader *reader, hlo_arena *arena, int rank, int64_t *permutation) {
  for (int i = 0; i < rank; i++) permutation[i] = i;
  const char *where = reader->cursor;
  if (!hlo_accept_here(reader, 'T')) return true;
  hlo_ints given;
  if (!hlo_read_ints(reader, arena, "(", ")", &given)) return false;
  uint32_t seen = 0;
  bool valid = given.count == rank;
  for (int i = 0; i < rank && valid; i++) {
    permutation[i] = given.data[i];
    valid = given.data[i] >= 0 && given.data[i] < rank && !(seen >> given.data[i] & 1);
    if (valid) seen |= (uint32_t)1 << given.data[i];
  }
  return valid || hlo_reader_fail_at(reader, where, HLO_PARSE, "this must be a permutation of 0 to %d", rank - 1);
}

void hlo_count_transposed(hlo_ints dims, const int64_t *permutation, int64_t *ids, int64_t count) {
  int64_t strides[HLO_MAX_MESH_RANK], position[HLO_MAX_MESH_RANK] = {0};
  int64_t stride = 1, id = 0;
  for (int i = dims.count - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= dims.data[i];
  }
  for (int64_t k = 0; k < count; k++) {
    ids[k] = id;
    for (int i = dims.count - 1; i >= 0; i--) {
      int64_t d = permutation[i];
      id += strides[d];
      if (++position[d] < dims.data[d]) break;
      id -= dims.data[d] * strides[d];
      position[d] = 0;
    }
  }
}

bool hlo_read_iota(hlo_reader *reader, hlo_arena *arena, hlo_ints *ids) {
  const char *where = reader->cursor;
  hlo_ints dims;
  int64_t permutation[HLO_MAX_MESH_RANK], count;
  if (!hlo_read_ints(reader, arena, "[", "]", &dims)) return false;
  if (dims.count > HLO_MAX_MESH_RANK)
    return hlo_reader_fail_at(reader, where, HLO_LIMIT, "a grid of more than %d dimensions", HLO_MAX_MESH_RANK);
  if (!product(reader, where, dims, &count) || !read_transpose(reader, arena, dims.count, permutation)) return false;
  int64_t *data = hlo_arena_many(arena, int64_t, count, reader->status);
  if (!data) return false;
  hlo_count_transposed(dims, permutation, data, count);
  *ids = (hlo_ints){data, (int)count};
  return true;
}

bool hlo_cut_groups(hlo_reader *reader, hlo_arena *arena, hlo_ints ids, int64_t size, hlo_groups *groups) {
  int count = (int)(ids.count / size);
  hlo_ints *cut = hlo_arena_many(arena, hlo_ints, count, reader->status);
  if (!cut) return false;
  for (int i = 0; i < count; i++) cut[i] = (hlo_ints){ids.data + i * size, (int)size};
  groups->groups = cut;
  groups->count = count;
  return true;
}

static bool read_counted(hlo_reader *reader, hlo_arena *arena, hlo_groups *groups) {
  const char *where = reader->cursor;
  hlo_ints dims, ids;
  int64_t count;
  if (!hlo_read_ints(reader, arena, "[", "]", &dims) || !product(reader, where, dims, &count)) return false;
  if (dims.count != 2) return hlo_reader_fail_at(reader, where, HLO_PARSE, "expected [groups,size], got %d numbers", dims.count);
  if (!hlo_reader_expect(reader, "<=") || !hlo_read_iota(reader, arena, &ids)) return false;
  if (ids.count != count)
    return hlo_reader_fail_at(reader, where, HLO_PARSE, "%d devices do not make %d groups of %d", ids.count,
                              (int)dims.data[0], (int)dims.data[1]);
  return hlo_cut_groups(reader, arena, ids, dims.data[1], groups);
}

/* ---- Every form ---- */

bool hlo_read_groups(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_groups *groups = hlo_arena_new(arena, hlo_groups, reader->status);
  if (!groups) return false;
  attribute->groups = groups;
  char first = hlo_reader_peek(reader);
  const char *start = reader->cursor;
  if (first == '{') return read_listed(reader, arena, groups);
  if (first == '[' ? !read_counted(reader, arena, groups) : !hlo_read_mesh_groups(reader, arena, groups)) return false;
  size_t length = (size_t)(reader->cursor - start);
  groups->verbatim = (hlo_span){hlo_arena_text(arena, start, length, reader->status), length};
  return groups->verbatim.text != NULL;
}
