/* HloModuleProto to a module. */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "infer/infer.h"
#include "proto/hlo_proto.h"
#include "proto/proto_attribute.h"

typedef struct id_entry {
  int64_t id;
  int index;
} id_entry;

/* Ids to indices, by bisection. */
typedef struct id_map {
  id_entry *entries;
  int count;
} id_map;

static int compare_ids(const void *a, const void *b) {
  int64_t x = ((const id_entry *)a)->id, y = ((const id_entry *)b)->id;
  return (x > y) - (x < y);
}

static int find_id(const id_map *map, int64_t id) {
  id_entry key = {id, 0};
  const id_entry *found = map->count ? bsearch(&key, map->entries, (size_t)map->count, sizeof key, compare_ids) : NULL;
  return found ? found->index : -1;
}

typedef struct reading {
  hlo_module *module;
  hlo_arena *arena;
  hlo_status *status;
  id_map computations;
} reading;

/* Sorted ids of the messages in field `number`, whose own id is field `id_number`. */
static bool map_ids(reading *r, hlo_wire wire, int number, int id_number, id_map *map) {
  map->entries = hlo_arena_many(r->arena, id_entry, hlo_wire_count(&wire, number), r->status);
  map->count = 0;
  if (!map->entries) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, number, &one); map->count++) {
    if (!hlo_wire_check(&one)) return false;
    map->entries[map->count] = (id_entry){hlo_wire_int(&one, id_number, 0), map->count};
  }
  hlo_sort(map->entries, (size_t)map->count, sizeof *map->entries, compare_ids);
  for (int i = 1; i < map->count; i++)
    if (map->entries[i].id == map->entries[i - 1].id) return hlo_wire_fail(&wire, "id %lld occurs twice", (long long)map->entries[i].id);
  return hlo_ok(r->status);
}

static bool read_opcode(hlo_wire wire, hlo_opcode *opcode) {
  hlo_span name = hlo_wire_text(&wire, 2);
  if (hlo_opcode_from_name(name, opcode)) return true;
  return hlo_fail(wire.status, HLO_UNKNOWN_OP, "at byte %zu of the protocol buffer: there is no operation '%.*s'",
                  (size_t)(wire.bytes - wire.begin), name.length > 60 ? 60 : (int)name.length, name.text);
}

static bool read_references(reading *r, hlo_wire wire, int number, const id_map *map, const char *what, hlo_ints *indices) {
  hlo_ints ids;
  if (!hlo_wire_ints(&wire, number, r->arena, &ids)) return false;
  for (int i = 0; i < ids.count; i++) {
    int index = find_id(map, ids.data[i]);
    if (index < 0) return hlo_wire_fail(&wire, "there is no %s of id %lld", what, (long long)ids.data[i]);
    ((int64_t *)ids.data)[i] = index;
  }
  *indices = ids;
  return true;
}

/* A conditional on a pred has two computations by name, one on an index a list. */
static bool wanted(const hlo_computation *computation, hlo_opcode opcode, hlo_attribute_id id, const int *operands, int operand_count) {
  if (opcode != HLO_OP_CONDITIONAL || operand_count < 1) return true;
  bool pred = computation->instructions[operands[0]]->shape->type == HLO_TYPE_PRED;
  if (id == HLO_ATTR_true_computation || id == HLO_ATTR_false_computation) return pred;
  return id != HLO_ATTR_branch_computations || !pred;
}

static bool read_attributes(reading *r, const hlo_computation *computation, hlo_wire wire, hlo_opcode opcode, const int *operands, int operand_count,
                            hlo_attribute **attributes, int *count) {
  static const hlo_attribute_id common[] = {HLO_ATTR_metadata, HLO_ATTR_frontend_attributes, HLO_ATTR_backend_config};
  const hlo_op_info *op = hlo_op(opcode);
  hlo_ints called;
  if (!read_references(r, wire, 38, &r->computations, "computation", &called)) return false;
  *attributes = hlo_arena_many(r->arena, hlo_attribute, op->attribute_count + 3, r->status);
  *count = 0;
  for (int i = 0; *attributes && i < op->attribute_count + 3; i++) {
    hlo_attribute_id id = i < op->attribute_count ? op->attributes[i].id : common[i - op->attribute_count];
    hlo_attribute *attribute = &(*attributes)[*count];
    bool present, required = i < op->attribute_count && op->attributes[i].required;
    if (!wanted(computation, opcode, id, operands, operand_count)) continue;
    if (!hlo_proto_read_attribute(wire, opcode, id, required, called, r->arena, attribute, &present)) return false;
    if ((id == HLO_ATTR_true_computation || id == HLO_ATTR_false_computation) && called.count != 2)
      return hlo_wire_fail(&wire, "a conditional on a pred has %d computations", called.count);
    *count += present;
  }
  return *attributes != NULL && hlo_ok(r->status);
}

static bool locate(const reading *r, const hlo_computation *computation, const char *name) {
  hlo_status inner = *r->status;
  *r->status = (hlo_status){0};
  return hlo_fail(r->status, inner.code, "computation %s, instruction %s: %s", computation->name, name, inner.message);
}

/* Inference may look at computations that come later in the file, so rules are checked by verification, when all are there. */
static bool read_instruction(reading *r, hlo_computation *computation, hlo_wire wire, const id_map *ids) {
  hlo_opcode opcode;
  hlo_ints operand_ids;
  hlo_attribute *attributes;
  int attribute_count;
  hlo_span name = hlo_wire_text(&wire, 1);
  if (!read_opcode(wire, &opcode) || !read_references(r, wire, 36, ids, "instruction", &operand_ids)) return false;
  int *operands = hlo_arena_many(r->arena, int, operand_ids.count, r->status);
  if (!operands) return false;
  for (int i = 0; i < operand_ids.count; i++) {
    operands[i] = (int)operand_ids.data[i];
    if (operands[i] >= computation->instruction_count)
      return hlo_wire_fail(&wire, "instruction %.*s uses one that comes after it", name.length > 60 ? 60 : (int)name.length, name.text);
  }
  const hlo_shape *shape = hlo_proto_read_shape(hlo_wire_message(&wire, 3), r->arena);
  char *stem = hlo_arena_text(r->arena, name.text, name.length, r->status);
  const char *unique = shape && stem ? hlo_computation_unique_name(r->module, computation, *stem ? stem : hlo_op_name(opcode), r->status) : NULL;
  if (!unique || !read_attributes(r, computation, wire, opcode, operands, operand_ids.count, &attributes, &attribute_count)) {
    if (unique && hlo_ok(r->status)) return hlo_wire_fail(&wire, "instruction %s cannot be read", unique);
    return false;
  }
  if (!hlo_computation_add(r->module, computation, opcode, unique, shape, operands, operand_ids.count, attributes, attribute_count, r->status))
    return locate(r, computation, unique);
  return true;
}

static bool read_computation(reading *r, hlo_computation *computation, hlo_wire wire) {
  id_map ids;
  if (!map_ids(r, wire, 2, 35, &ids)) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, 2, &one);)
    if (!read_instruction(r, computation, one, &ids)) return false;
  computation->root = find_id(&ids, hlo_wire_int(&wire, 6, 0));
  return computation->root >= 0 || hlo_wire_fail(&wire, "computation %s has no root", computation->name);
}

static bool read_entry_layout(reading *r, hlo_wire wire) {
  int count = hlo_wire_count(&wire, 1), next = 0;
  const hlo_computation *entry = hlo_module_entry(r->module);
  if (wire.bytes == wire.end || count != entry->parameter_count) return true;
  const hlo_shape **shapes = hlo_arena_many(r->arena, const hlo_shape *, count, r->status);
  for (hlo_wire w = wire, one; shapes && hlo_wire_next_message(&w, 1, &one);)
    if (!(shapes[next++] = hlo_proto_read_shape(one, r->arena))) return false;
  if (!shapes || !hlo_wire_has(&wire, 2)) return shapes != NULL;
  r->module->entry_parameter_count = count;
  r->module->entry_parameter_shapes = shapes;
  return (r->module->entry_result_shape = hlo_proto_read_shape(hlo_wire_message(&wire, 2), r->arena)) != NULL;
}

static bool read_module(reading *r, hlo_wire wire) {
  int next = 0;
  if (!hlo_wire_check(&wire) || !map_ids(r, wire, 3, 5, &r->computations)) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, 3, &one);) {
    hlo_span name = hlo_wire_text(&one, 1);
    char *stem = hlo_arena_text(r->arena, name.text, name.length, r->status);
    const char *unique = stem ? hlo_module_unique_name(r->module, *stem ? stem : "computation", r->status) : NULL;
    if (!unique || !hlo_module_add_computation(r->module, unique, strlen(unique), r->status)) return false;
  }
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, 3, &one);)
    if (!read_computation(r, r->module->computations[next++], one)) return false;
  r->module->entry = find_id(&r->computations, hlo_wire_int(&wire, 6, 0));
  if (r->module->entry < 0) r->module->entry = hlo_module_find_computation(r->module, hlo_wire_text(&wire, 2));
  if (r->module->entry < 0) return hlo_wire_fail(&wire, "the module has no entry computation");
  return read_entry_layout(r, hlo_wire_message(&wire, 4)) && hlo_verify_module(r->module, r->status);
}

/* HloModuleProto begins with its name, field 1, and holds computations in field 3; HloProto holds the module in
 * field 1; HloSnapshot an HloProto in field 1. */
static bool looks_like_module(hlo_wire wire) {
  hlo_status quiet = {0};
  hlo_wire_field field;
  wire.status = &quiet;
  bool computations = false;
  while (hlo_wire_next(&wire, &field)) {
    if (field.number == 1 && field.type == HLO_WIRE_BYTES)
      for (const uint8_t *p = field.bytes.bytes; p < field.bytes.end; p++)
        if (*p < 0x20) return false; /* a message, not a name */
    if (field.number == 3) computations |= field.type == HLO_WIRE_BYTES;
    if (field.number == 2 && field.type != HLO_WIRE_BYTES) return false;
  }
  return hlo_ok(&quiet) && computations;
}

/* How many messages stand around the module: 0, 1 (HloProto) or 2 (HloSnapshot); -1: there is no module. */
static int unwrap(hlo_wire wire, hlo_wire *module) {
  for (int depth = 0; depth < 3; depth++) {
    if (looks_like_module(wire)) return *module = wire, depth;
    hlo_status quiet = {0};
    hlo_wire probe = wire;
    probe.status = &quiet;
    if (!hlo_wire_check(&probe)) return -1;
    wire = hlo_wire_message(&wire, 1);
    if (wire.bytes == wire.end) return -1;
  }
  return -1;
}

int hlo_proto_wrappers(const uint8_t *bytes, size_t length) {
  hlo_status quiet = {0};
  hlo_wire module;
  return unwrap(hlo_wire_whole(bytes, length, &quiet), &module);
}

bool hlo_proto_recognise(const uint8_t *bytes, size_t length) {
  return length > 2 && bytes[0] == 0x0a && hlo_proto_wrappers(bytes, length) >= 0;
}

bool hlo_proto_read_snapshot(const uint8_t *bytes, size_t length, hlo_arena *arena, hlo_snapshot *snapshot, hlo_status *status) {
  hlo_wire whole = hlo_wire_whole(bytes, length, status), module;
  *snapshot = (hlo_snapshot){0};
  if (unwrap(whole, &module) != 2) return true;
  if (!(snapshot->arguments = hlo_arena_many(arena, hlo_literal *, hlo_wire_count(&whole, 2), status))) return false;
  for (hlo_wire w = whole, one; hlo_wire_next_message(&w, 2, &one);)
    if (!(snapshot->arguments[snapshot->argument_count++] = hlo_proto_read_literal(one, arena))) return false;
  if (hlo_wire_has(&whole, 3) && !(snapshot->result = hlo_proto_read_literal(hlo_wire_message(&whole, 3), arena))) return false;
  return hlo_ok(status);
}

hlo_module *hlo_proto_read(const uint8_t *bytes, size_t length, hlo_status *status) {
  hlo_wire whole = hlo_wire_whole(bytes, length, status), wire;
  if (unwrap(whole, &wire) < 0) {
    if (hlo_wire_check(&whole)) hlo_wire_fail(&whole, "this is no HloModuleProto, HloProto or HloSnapshot");
    return NULL;
  }
  hlo_span name = hlo_wire_text(&wire, 1);
  reading r = {.status = status, .module = hlo_module_new(name.length ? name.text : "module", name.length ? name.length : 6, status)};
  if (!r.module) return NULL;
  r.arena = &r.module->arena;
  if (read_module(&r, wire)) return r.module;
  if (hlo_ok(status)) hlo_fail(status, HLO_INTERNAL, "reading the protocol buffer failed without a reason");
  hlo_module_free(r.module);
  return NULL;
}
