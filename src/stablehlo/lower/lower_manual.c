/* Lowers sdy.manual_computation: a body that each device of a mesh runs on its own part of the data.
 *
 * Outside of it, every device has whole arrays. Each device slices its parts of the operands, runs the body on them, and the
 * parts of the results are gathered:
 *
 *   [8,4] --dynamic-slice--> [2,4] --body--> [2,4] --all-gather--> [8,4]      <@mesh, [{"x"}, {}]> with "x"=4 */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MAX_AXES = 16, MAX_MESH_DEVICES = 4096 };

typedef struct mesh {
  hlo_span names[MAX_AXES];
  int64_t sizes[MAX_AXES], devices;
  int rank;
} mesh;

/* An axis, or a part of one, that a dimension is split along: a device's position on it is id / stride % size. */
typedef struct split {
  int64_t stride, size;
} split;

typedef struct dimension {
  split splits[MAX_AXES]; /* most major first */
  int count;
  int64_t shards;
} dimension;

typedef struct manual {
  const hlo_lower_call *c;
  mesh mesh;
  hlo_span axes; /* the text in manual_axes={...} */
  int device;    /* the instruction with this partition's number; -1 until it is needed */
} manual;

/* ---- Reading ---- */

static bool refuse(const manual *m, const char *what) { return hlo_lower_fail(m->c, HLO_UNSUPPORTED, "%s is not supported", what); }
static bool malformed(const manual *m, const char *what) { return hlo_lower_fail(m->c, HLO_SHAPE, "%s is not one", what); }

static bool read_name(hlo_reader *r, hlo_span *name) {
  if (!hlo_reader_accept(r, "\"")) return false;
  const char *start = r->cursor;
  while (r->cursor < r->end && *r->cursor != '"') r->cursor++;
  *name = (hlo_span){start, (size_t)(r->cursor - start)};
  return hlo_reader_accept(r, "\"");
}

static int find_axis(const mesh *mesh, hlo_span name) {
  for (int i = 0; i < mesh->rank; i++)
    if (hlo_span_equal(mesh->names[i], name)) return i;
  return -1;
}

/* Starts reading at the first `open`: #sdy.mesh<["x"=2]> and <["x"=2]> mean the same. */
static hlo_reader from(hlo_span text, char open, hlo_status *status) {
  hlo_reader r;
  const char *start = text.length ? memchr(text.text, open, text.length) : NULL;
  size_t skipped = start ? (size_t)(start - text.text) : text.length;
  hlo_reader_init(&r, text.text + skipped, text.length - skipped, status);
  return r;
}

/* Reads ["x"=2, "y"=4]. */
static bool read_mesh(manual *m, hlo_span symbol) {
  const hlo_mlir_block *body = &m->c->l->tree->body;
  const hlo_mlir_attribute *text = NULL;
  for (int i = 0; i < body->op_count && !text; i++) {
    const hlo_mlir_attribute *name = hlo_span_is(body->ops[i]->name, "sdy.mesh") ? hlo_mlir_find(body->ops[i], "sym_name") : NULL;
    if (name && hlo_span_equal(name->text, symbol)) text = hlo_mlir_find(body->ops[i], "mesh");
  }
  if (!text) return hlo_lower_fail(m->c, HLO_SHAPE, "there is no mesh @%.*s", (int)symbol.length, symbol.text);
  hlo_status ignored = {0};
  hlo_reader r = from(text->text, '[', &ignored);
  m->mesh = (mesh){.devices = 1};
  if (!hlo_reader_accept(&r, "[")) return malformed(m, "the mesh");
  while (!hlo_reader_accept(&r, "]")) {
    if (m->mesh.rank == MAX_AXES) return refuse(m, "a mesh of more than 16 axes");
    int64_t *size = &m->mesh.sizes[m->mesh.rank];
    if (!read_name(&r, &m->mesh.names[m->mesh.rank++]) || !hlo_reader_accept(&r, "=") || !hlo_reader_int(&r, size) || *size < 1)
      return malformed(m, "the mesh");
    if (*size > MAX_MESH_DEVICES / m->mesh.devices) return hlo_lower_fail(m->c, HLO_LIMIT, "a mesh of more than %d devices", MAX_MESH_DEVICES);
    m->mesh.devices *= *size;
    hlo_reader_accept(&r, ",");
  }
  return hlo_reader_accept(&r, ",") ? refuse(m, "a mesh with device_ids") : true;
}

/* Returns whether the body sees parts along the axis, rather than whole arrays. */
static bool is_manual(const manual *m, hlo_span name) {
  hlo_status ignored = {0};
  hlo_reader r = from(m->axes, '{', &ignored);
  hlo_span axis;
  hlo_reader_accept(&r, "{");
  while (read_name(&r, &axis)) {
    if (hlo_span_equal(axis, name)) return true;
    hlo_reader_accept(&r, ",");
  }
  return false;
}

/* Reads "x", or a part of an axis, "x":(2)4: 4 wide, with 2 such parts more major than it. */
static bool read_axis(manual *m, hlo_reader *r, dimension *d) {
  hlo_span name;
  int axis = read_name(r, &name) ? find_axis(&m->mesh, name) : -1;
  if (axis < 0) return malformed(m, "an axis of the sharding");
  int64_t before = 1, size = m->mesh.sizes[axis], stride = 1;
  for (int i = axis + 1; i < m->mesh.rank; i++) stride *= m->mesh.sizes[i];
  if (hlo_reader_accept(r, ":") &&
      (!hlo_reader_accept(r, "(") || !hlo_reader_int(r, &before) || !hlo_reader_accept(r, ")") || !hlo_reader_int(r, &size) || before < 1 ||
       size < 1 || before > MAX_MESH_DEVICES || size > MAX_MESH_DEVICES || m->mesh.sizes[axis] % (before * size)))
    return malformed(m, "a part of an axis");
  if (!is_manual(m, name) || size == 1) return true;
  if (d->count == MAX_AXES || size > MAX_MESH_DEVICES / d->shards) return malformed(m, "the sharding of a dimension");
  d->splits[d->count++] = (split){stride * (m->mesh.sizes[axis] / (before * size)), size};
  d->shards *= size;
  return true;
}

/* Reads {"x", "y":(1)2, ?}p1. */
static bool read_dimension(manual *m, hlo_reader *r, dimension *d) {
  int64_t priority;
  *d = (dimension){.shards = 1};
  if (!hlo_reader_accept(r, "{")) return malformed(m, "the sharding of a dimension");
  while (!hlo_reader_accept(r, "}")) {
    if (!hlo_reader_accept(r, "?") && !read_axis(m, r, d)) return false;
    hlo_reader_accept(r, ",");
  }
  return !hlo_reader_accept(r, "p") || hlo_reader_int(r, &priority) || malformed(m, "a priority");
}

/* Reads <@mesh, [{"x"}, {}], replicated={"y"}>, for an array of `rank` dimensions. */
static bool read_sharding(manual *m, hlo_reader *r, int rank, dimension *dimensions) {
  hlo_span symbol;
  if (!hlo_reader_accept(r, "<") || !hlo_reader_accept(r, "@")) return refuse(m, "a sharding with a mesh of its own");
  const char *start = r->cursor;
  while (r->cursor < r->end && *r->cursor != ',') r->cursor++;
  symbol = (hlo_span){start, (size_t)(r->cursor - start)};
  if (!read_mesh(m, symbol) || !hlo_reader_accept(r, ",") || !hlo_reader_accept(r, "[")) return hlo_ok(m->c->l->status) && malformed(m, "a sharding");
  int count = 0;
  while (!hlo_reader_accept(r, "]")) {
    if (count == rank) return hlo_lower_fail(m->c, HLO_SHAPE, "a sharding has more dimensions than its array, which has %d", rank);
    if (!read_dimension(m, r, &dimensions[count++])) return false;
    hlo_reader_accept(r, ",");
  }
  if (count != rank) return hlo_lower_fail(m->c, HLO_SHAPE, "a sharding has %d dimensions, its array %d", count, rank);
  while (r->cursor < r->end && *r->cursor != '>') /* skips replicated={"y"} */
    if (strchr("un", *r->cursor++) && r->cursor[-1] == 'u') return refuse(m, "an unreduced sharding");
  return hlo_reader_accept(r, ">") || malformed(m, "a sharding");
}

/* ---- Slicing and gathering ---- */

static int scalar(const manual *m, int64_t value) { return hlo_lower_scalar(m->c, HLO_TYPE_U32, (hlo_scalar){.u = (uint64_t)value}); }

static int pair(const manual *m, hlo_opcode opcode, int lhs, int rhs) {
  int operands[2] = {lhs, rhs};
  return lhs < 0 || rhs < 0 ? -1 : hlo_lower_emit(m->c, opcode, NULL, operands, 2, NULL, 0);
}

/* Computes where this device's part begins. */
static int start_of(manual *m, const dimension *d, int64_t size) {
  int start = -1;
  if (d->count == 0) return scalar(m, 0);
  if (m->device < 0) m->device = hlo_lower_emit(m->c, HLO_OP_PARTITION_ID, NULL, NULL, 0, NULL, 0);
  for (int i = 0; i < d->count && m->device >= 0; i++) {
    const split *s = &d->splits[i];
    int place = pair(m, HLO_OP_REMAINDER, pair(m, HLO_OP_DIVIDE, m->device, scalar(m, s->stride)), scalar(m, s->size));
    start = i == 0 ? place : pair(m, HLO_OP_ADD, pair(m, HLO_OP_MULTIPLY, start, scalar(m, s->size)), place);
  }
  return pair(m, HLO_OP_MULTIPLY, start, scalar(m, size));
}

static bool check_part(const manual *m, const hlo_shape *whole, const hlo_shape *part, const dimension *dimensions) {
  bool fits = whole->rank == part->rank && whole->type == part->type;
  for (int i = 0; fits && i < whole->rank; i++)
    fits = whole->dims[i] % dimensions[i].shards == 0 && part->dims[i] == whole->dims[i] / dimensions[i].shards;
  return fits || hlo_lower_fail(m->c, HLO_SHAPE, "by its sharding %pS is not a part of %pS", part, whole);
}

/* Slices this device's part, of shape `part`, from an operand; returns the operand if no dimension is split. */
static int cut(manual *m, int operand, const hlo_shape *part, const dimension *dimensions) {
  const hlo_lower_call *c = m->c;
  const hlo_shape *whole = hlo_lower_shape_of(c, operand);
  bool is_split = false;
  if (!check_part(m, whole, part, dimensions)) return -1;
  for (int i = 0; i < whole->rank; i++) is_split |= dimensions[i].count > 0;
  if (!is_split) return operand;
  int *operands = hlo_arena_many(c->l->arena, int, whole->rank + 1, c->l->status);
  if (!operands) return -1;
  operands[0] = operand;
  for (int i = 0; i < whole->rank; i++)
    if ((operands[i + 1] = start_of(m, &dimensions[i], part->dims[i])) < 0) return -1;
  hlo_attribute sizes = hlo_lower_ints(HLO_ATTR_dynamic_slice_sizes, (hlo_ints){part->dims, part->rank});
  return hlo_lower_emit(c, HLO_OP_DYNAMIC_SLICE, NULL, operands, whole->rank + 1, &sizes, 1);
}

/* Lists the devices that hold the parts along one dimension, in the order of the parts: a group for each position on the other axes. */
static const hlo_groups *groups_of(const manual *m, const dimension *d) {
  hlo_lowering *l = m->c->l;
  int64_t count = m->mesh.devices / d->shards;
  hlo_groups *groups = hlo_arena_new(l->arena, hlo_groups, l->status);
  hlo_ints *rows = hlo_arena_many(l->arena, hlo_ints, count, l->status);
  int64_t *ids = hlo_arena_many(l->arena, int64_t, m->mesh.devices, l->status), *next = ids;
  if (!groups || !rows || !ids) return NULL;
  *groups = (hlo_groups){.count = (int)count, .groups = rows};
  for (int64_t device = 0; device < m->mesh.devices; device++) {
    bool is_first = true;
    for (int i = 0; i < d->count; i++) is_first &= device / d->splits[i].stride % d->splits[i].size == 0;
    if (!is_first) continue;
    *rows++ = (hlo_ints){next, (int)d->shards};
    for (int64_t part = 0; part < d->shards; part++, next++) {
      *next = device;
      int64_t rest = part;
      for (int i = d->count - 1; i >= 0; rest /= d->splits[i--].size) *next += rest % d->splits[i].size * d->splits[i].stride;
    }
  }
  return groups;
}

static int join(manual *m, int part, const hlo_shape *whole, const dimension *dimensions) {
  const hlo_lower_call *c = m->c;
  if (!check_part(m, whole, hlo_lower_shape_of(c, part), dimensions)) return -1;
  for (int i = 0; i < whole->rank && part >= 0; i++) {
    if (dimensions[i].count == 0) continue;
    hlo_shape *joined = (hlo_shape *)hlo_shape_copy(c->l->arena, hlo_lower_shape_of(c, part), c->l->status);
    int64_t *dims = hlo_arena_copy(c->l->arena, whole->dims, (size_t)whole->rank * sizeof *dims, c->l->status);
    int64_t *along = hlo_arena_new(c->l->arena, int64_t, c->l->status);
    const hlo_groups *groups = groups_of(m, &dimensions[i]);
    if (!joined || !dims || !along || !groups) return -1;
    for (int k = i + 1; k < whole->rank; k++) dims[k] = joined->dims[k];
    joined->dims = dims;
    joined->layout = NULL;
    *along = i;
    hlo_attribute attributes[4] = {hlo_lower_int(HLO_ATTR_channel_id, 1), {.id = HLO_ATTR_replica_groups, .groups = groups},
                                   hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){along, 1}), hlo_lower_bool(HLO_ATTR_use_global_device_ids, true)};
    part = hlo_lower_emit(c, HLO_OP_ALL_GATHER, joined, &part, 1, attributes, 4);
  }
  return part;
}

/* ---- The op ---- */

/* Reads one sharding after another, and slices or gathers by it. */
static bool convert_all(manual *m, const char *name, const int *values, const hlo_shape *const *shapes, int count, bool out, int *converted) {
  const hlo_lower_call *c = m->c;
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  if (!attribute) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  hlo_status ignored = {0};
  hlo_reader r = from(attribute->text, '[', &ignored);
  bool ok = hlo_reader_accept(&r, "[");
  for (int i = 0; ok && i < count; i++) {
    const hlo_shape *array = out ? shapes[i] : hlo_lower_shape_of(c, values[i]);
    dimension *dimensions = hlo_arena_many(c->l->arena, dimension, array->rank, c->l->status);
    if (!dimensions || !read_sharding(m, &r, array->rank, dimensions)) return false;
    if ((converted[i] = out ? join(m, values[i], array, dimensions) : cut(m, values[i], shapes[i], dimensions)) < 0) return false;
    if (i + 1 < count) ok = hlo_reader_accept(&r, ",");
  }
  return (ok && hlo_reader_accept(&r, "]")) || hlo_lower_fail(c, HLO_SHAPE, "%s must hold %d shardings", name, count);
}

static const hlo_shape **shapes_of(const hlo_lower_call *c, int first, int count) {
  const hlo_shape **shapes = hlo_arena_many(c->l->arena, const hlo_shape *, count, c->l->status);
  for (int i = 0; shapes && i < count; i++) {
    const hlo_mlir_type *type = c->l->tree->values[first + i].type;
    if (type->kind != HLO_MLIR_SHAPED || !hlo_shape_is_array(type->shape))
      return hlo_lower_fail(c, HLO_SHAPE, "takes and gives arrays only"), NULL;
    if (!(shapes[i] = hlo_lower_shape(c->l, type->shape))) return NULL;
  }
  return shapes;
}

bool hlo_lower_manual_computation(const hlo_lower_call *c) {
  const hlo_mlir_op *op = c->op;
  const hlo_mlir_attribute *axes = hlo_mlir_find(op, "manual_axes");
  if (op->region_count != 1 || op->regions[0].block.argument_count != op->operand_count)
    return hlo_lower_fail(c, HLO_SHAPE, "requires a region with an argument for each operand");
  if (!axes) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute manual_axes");
  const hlo_mlir_block *block = &op->regions[0].block;
  manual m = {.c = c, .axes = axes->text, .device = -1};
  const int *operands = hlo_lower_operands(c, 0, op->operand_count), *parts;
  const hlo_shape **arguments = shapes_of(c, block->first_argument, op->operand_count), **results = shapes_of(c, op->first_result, op->result_count);
  int *wholes = hlo_arena_many(c->l->arena, int, op->result_count, c->l->status), count;
  if (!operands || !arguments || !results || !wholes ||
      !convert_all(&m, "in_shardings", operands, arguments, op->operand_count, false, c->l->instruction_of + block->first_argument) ||
      !(parts = hlo_lower_inline_region(c, &op->regions[0], &count)))
    return false;
  if (count != op->result_count)
    return hlo_lower_fail(c, HLO_SHAPE, "its region returns %d values, expected %d", count, op->result_count);
  return convert_all(&m, "out_shardings", parts, results, count, true, wholes) && hlo_lower_bind(c, wholes);
}
