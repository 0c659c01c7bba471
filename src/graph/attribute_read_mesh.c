/* Groups along the axes of a mesh: mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a','b':(1)2}
 *
 * 'b':(1)2 is part of axis b, which is split into 1, 2 and the rest. So every axis is first cut into the parts that the groups
 * name; devices that differ only in the named parts form a group. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/dims.h"

typedef struct mesh_part {
  int axis;
  int64_t before, size; /* the part stands for `size` steps of `axis_size / before / size` each */
} mesh_part;

typedef struct mesh_grid {
  int rank;
  hlo_span names[HLO_MAX_MESH_RANK];
  int64_t sizes[HLO_MAX_MESH_RANK], devices;
  hlo_ints ids; /* data NULL: 0, 1, 2, ... */
  int grouped_count;
  mesh_part grouped[HLO_MAX_MESH_RANK];
  int part_count;
  mesh_part parts[HLO_MAX_MESH_RANK];
} mesh_grid;

/* Reads 'a', or a, the older form. */
static bool read_axis_name(hlo_reader *reader, hlo_span *name) {
  if (hlo_reader_peek(reader) != '\'') {
    *name = hlo_reader_name(reader);
    return name->length || hlo_reader_fail(reader, "expected the name of an axis, found %s", HLO_FOUND(reader));
  }
  if (!hlo_reader_expect(reader, "'")) return false;
  const char *start = reader->cursor;
  while (reader->cursor < reader->end && *reader->cursor != '\'' && *reader->cursor != '\n') reader->cursor++;
  *name = (hlo_span){start, (size_t)(reader->cursor - start)};
  return hlo_reader_expect(reader, "'");
}

static int find_axis(const mesh_grid *mesh, hlo_span name) {
  for (int i = 0; i < mesh->rank; i++)
    if (hlo_span_equal(mesh->names[i], name)) return i;
  return -1;
}

static bool too_many(hlo_reader *reader) {
  return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a mesh of more than %d axes", HLO_MAX_MESH_RANK);
}

/* Reads ['a'=2,'b'=4]. */
static bool read_axes(hlo_reader *reader, mesh_grid *mesh) {
  mesh->devices = 1;
  if (!hlo_reader_expect(reader, "[")) return false;
  do {
    if (mesh->rank == HLO_MAX_MESH_RANK) return too_many(reader);
    int64_t *size = &mesh->sizes[mesh->rank];
    if (!read_axis_name(reader, &mesh->names[mesh->rank]) || !hlo_reader_expect(reader, "=") ||
        !hlo_reader_int(reader, size))
      return false;
    if (*size <= 0) return hlo_reader_fail(reader, "an axis must have a positive size");
    if (*size > HLO_MAX_NAMED_DEVICES / mesh->devices)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "more than %d devices", HLO_MAX_NAMED_DEVICES);
    mesh->devices *= *size;
    mesh->rank++;
  } while (hlo_reader_accept(reader, ","));
  return hlo_reader_expect(reader, "]");
}

/* Reads ", device_ids=([4,2]T(1,0))" or ", device_ids=(0,2,1,3)". */
static bool read_device_ids(hlo_reader *reader, hlo_arena *arena, mesh_grid *mesh) {
  if (!hlo_reader_accept(reader, ",")) return true;
  const char *where = reader->cursor;
  if (!hlo_reader_expect(reader, "device_ids") || !hlo_reader_expect(reader, "=")) return false;
  hlo_reader listed = *reader;
  if (!hlo_reader_expect(reader, "(")) return false;
  if (hlo_reader_peek(reader) == '[') {
    if (!hlo_read_iota(reader, arena, &mesh->ids) || !hlo_reader_expect(reader, ")")) return false;
  } else {
    *reader = listed;
    if (!hlo_read_ints(reader, arena, "(", ")", &mesh->ids)) return false;
  }
  if (mesh->ids.count == mesh->devices) return true;
  return hlo_reader_fail_at(reader, where, HLO_PARSE, "%d device ids for a mesh of %d", mesh->ids.count, (int)mesh->devices);
}

/* Reads 'a' or 'b':(1)2. */
static bool read_part(hlo_reader *reader, const mesh_grid *mesh, mesh_part *part) {
  hlo_span name;
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  if (!read_axis_name(reader, &name)) return false;
  part->axis = find_axis(mesh, name);
  if (part->axis < 0) return hlo_reader_fail_at(reader, where, HLO_PARSE, "the mesh has no such axis");
  int64_t size = mesh->sizes[part->axis];
  part->before = 1;
  part->size = size;
  if (!hlo_accept_here(reader, ':')) return true;
  if (!hlo_reader_expect(reader, "(") || !hlo_reader_int(reader, &part->before) || !hlo_reader_expect(reader, ")") ||
      !hlo_reader_int(reader, &part->size))
    return false;
  if (part->before > 0 && part->size > 0 && size % part->before == 0 && size / part->before % part->size == 0) return true;
  return hlo_reader_fail_at(reader, where, HLO_PARSE, "this does not divide the axis, whose size is %d", (int)size);
}

static bool read_parts(hlo_reader *reader, mesh_grid *mesh) {
  while (hlo_list_next(reader, "{", "}", mesh->grouped_count)) {
    if (mesh->grouped_count == HLO_MAX_MESH_RANK) return too_many(reader);
    if (!read_part(reader, mesh, &mesh->grouped[mesh->grouped_count++])) return false;
  }
  return hlo_ok(reader->status);
}

/* Returns the next cut of the axis after `from`: the beginning or the end of a named part, or the end of the axis. */
static int64_t next_cut(const mesh_grid *mesh, int axis, int64_t from) {
  int64_t next = mesh->sizes[axis];
  for (int i = 0; i < mesh->grouped_count; i++) {
    const mesh_part *part = &mesh->grouped[i];
    if (part->axis != axis) continue;
    if (part->before > from && part->before < next) next = part->before;
    if (part->before * part->size > from && part->before * part->size < next) next = part->before * part->size;
  }
  return next;
}

/* Axes of size 1 have no parts. */
static bool cut_axes(hlo_reader *reader, mesh_grid *mesh) {
  for (int axis = 0; axis < mesh->rank; axis++) {
    for (int64_t from = 1, to; from < mesh->sizes[axis]; from = to) {
      to = next_cut(mesh, axis, from);
      if (to % from) return hlo_reader_fail(reader, "parts of an axis overlap");
      if (mesh->part_count == HLO_MAX_MESH_RANK) return too_many(reader);
      mesh->parts[mesh->part_count++] = (mesh_part){axis, from, to / from};
    }
  }
  return true;
}

static int find_part(const mesh_grid *mesh, const mesh_part *wanted) {
  for (int i = 0; i < mesh->part_count; i++)
    if (mesh->parts[i].axis == wanted->axis && mesh->parts[i].before == wanted->before)
      return mesh->parts[i].size == wanted->size ? i : -1;
  return -1;
}

/* Orders the parts: those that are not grouped come first, then the grouped ones in the order in which they were named. */
static bool order_parts(hlo_reader *reader, const mesh_grid *mesh, int64_t *permutation, int64_t *group_size) {
  uint32_t grouped = 0;
  int64_t named[HLO_MAX_MESH_RANK];
  int named_count = 0, count = 0;
  *group_size = 1;
  for (int i = 0; i < mesh->grouped_count; i++) {
    if (mesh->grouped[i].size == 1) continue;
    int part = find_part(mesh, &mesh->grouped[i]);
    if (part < 0 || (grouped >> part & 1)) return hlo_reader_fail(reader, "parts of an axis overlap");
    grouped |= (uint32_t)1 << part;
    named[named_count++] = part;
    *group_size *= mesh->parts[part].size;
  }
  for (int i = 0; i < mesh->part_count; i++)
    if (!(grouped >> i & 1)) permutation[count++] = i;
  for (int i = 0; i < named_count; i++) permutation[count++] = named[i];
  return true;
}

bool hlo_read_mesh_groups(hlo_reader *reader, hlo_arena *arena, hlo_groups *groups) {
  mesh_grid mesh = {0};
  if (!hlo_reader_accept_word(reader, "mesh"))
    return hlo_reader_fail(reader, "expected groups like {{0,1},{2,3}} or [2,2]<=[4], found %s", HLO_FOUND(reader));
  if (!read_axes(reader, &mesh) || !read_device_ids(reader, arena, &mesh) || !read_parts(reader, &mesh)) return false;
  int64_t permutation[HLO_MAX_MESH_RANK], dims[HLO_MAX_MESH_RANK], size;
  if (!cut_axes(reader, &mesh) || !order_parts(reader, &mesh, permutation, &size)) return false;
  for (int i = 0; i < mesh.part_count; i++) dims[i] = mesh.parts[i].size;
  int64_t *ids = hlo_arena_many(arena, int64_t, mesh.devices, reader->status);
  if (!ids) return false;
  hlo_count_transposed((hlo_ints){dims, mesh.part_count}, permutation, ids, mesh.devices);
  for (int64_t i = 0; mesh.ids.data && i < mesh.devices; i++) ids[i] = mesh.ids.data[ids[i]];
  return hlo_cut_groups(reader, arena, (hlo_ints){ids, (int)mesh.devices}, size, groups);
}
