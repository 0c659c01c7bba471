/* Reads a module from an HloModuleProto. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap_sort.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "proto/hlo_proto.h"
#include "proto/proto_attribute.h"
#include "proto/proto_numbers.h"
#include "proto/proto_value.h"
#include "proto/wire.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "verify/verify.h"

typedef struct id_entry {
  int64_t id;
  int index;
} id_entry;

/* Indices by id, in an array sorted by id. */
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

/* Collects the ids of the messages in field `number`, whose own id is field `id_number`, and sorts them. */
static bool map_ids(reading *r, hlo_wire wire, int number, int id_number, id_map *map) {
  map->entries = hlo_arena_many(r->arena, id_entry, hlo_wire_count(&wire, number), r->status);
  map->count = 0;
  if (!map->entries) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, number, &one); map->count++) {
    if (!hlo_wire_check(&one)) return false;
    map->entries[map->count] = (id_entry){hlo_wire_int(&one, id_number, 0), map->count};
  }
  hlo_heap_sort(map->entries, (size_t)map->count, sizeof *map->entries, compare_ids);
  for (int i = 1; i < map->count; i++)
    if (map->entries[i].id == map->entries[i - 1].id) return hlo_wire_fail(&wire, "id %lld occurs twice", (long long)map->entries[i].id);
  return hlo_ok(r->status);
}

static bool read_opcode(hlo_wire wire, hlo_opcode *opcode) {
  hlo_span name = hlo_wire_text(&wire, HLO_INSTRUCTION_PROTO_OPCODE);
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

/* Returns whether an operation takes this attribute. A conditional on a pred names its two computations apart, one on an index has a
 * list of branches; the protocol buffer has the same field for both. */
static bool wanted(const hlo_computation *computation, hlo_opcode opcode, hlo_attribute_id id, const int *operands, int operand_count) {
  if (opcode != HLO_OP_CONDITIONAL || operand_count < 1) return true;
  bool pred = computation->instructions[operands[0]]->shape->type == HLO_TYPE_PRED;
  if (id == HLO_ATTR_true_computation || id == HLO_ATTR_false_computation) return pred;
  return id != HLO_ATTR_branch_computations || !pred;
}

/* Reads references to instructions of the computation that is being read, of which those that were added so far may be named. */
static bool read_earlier(reading *r, const hlo_computation *computation, hlo_wire wire, int number, const id_map *ids, hlo_ints *indices) {
  if (!read_references(r, wire, number, ids, "instruction", indices)) return false;
  hlo_span name = hlo_wire_text(&wire, HLO_INSTRUCTION_PROTO_NAME);
  for (int i = 0; i < indices->count; i++)
    if (indices->data[i] >= computation->instruction_count)
      return hlo_wire_fail(&wire, "instruction %.*s uses one that comes after it", name.length > 60 ? 60 : (int)name.length, name.text);
  return true;
}

static bool read_attributes(reading *r, const hlo_computation *computation, hlo_wire wire, hlo_opcode opcode, const int *operands,
                            int operand_count, const id_map *ids, hlo_attribute **attributes, int *count) {
  static const hlo_attribute_id common[] = {HLO_ATTR_metadata, HLO_ATTR_frontend_attributes, HLO_ATTR_backend_config};
  const hlo_op_info *op = hlo_op(opcode);
  hlo_ints called, before;
  if (!read_references(r, wire, HLO_INSTRUCTION_PROTO_CALLED_COMPUTATION_IDS, &r->computations, "computation", &called)) return false;
  if (!read_earlier(r, computation, wire, HLO_INSTRUCTION_PROTO_CONTROL_PREDECESSOR_IDS, ids, &before)) return false;
  *attributes = hlo_arena_many(r->arena, hlo_attribute, op->attribute_count + 4, r->status);
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
  if (*attributes && before.count) (*attributes)[(*count)++] = (hlo_attribute){.id = HLO_ATTR_control_predecessors, .ints = before};
  return *attributes != NULL && hlo_ok(r->status);
}

static bool locate(const reading *r, const hlo_computation *computation, const char *name) {
  hlo_status inner = *r->status;
  *r->status = (hlo_status){0};
  return hlo_fail(r->status, inner.code, "computation %s, instruction %s: %s", computation->name, name, inner.message);
}

/* Adds one instruction. Its rules are checked later, by verification: inference looks at called computations, which may come later
 * in the file. */
static bool read_instruction(reading *r, hlo_computation *computation, hlo_wire wire, const id_map *ids) {
  hlo_opcode opcode;
  hlo_ints operand_ids;
  hlo_attribute *attributes;
  int attribute_count;
  hlo_span name = hlo_wire_text(&wire, HLO_INSTRUCTION_PROTO_NAME);
  if (!read_opcode(wire, &opcode)) return false;
  if (!read_earlier(r, computation, wire, HLO_INSTRUCTION_PROTO_OPERAND_IDS, ids, &operand_ids)) return false;
  int *operands = hlo_arena_many(r->arena, int, operand_ids.count, r->status);
  if (!operands) return false;
  for (int i = 0; i < operand_ids.count; i++) operands[i] = (int)operand_ids.data[i];
  const hlo_shape *shape = hlo_proto_read_shape(hlo_wire_message(&wire, HLO_INSTRUCTION_PROTO_SHAPE), r->arena);
  const char *stem = hlo_arena_text(r->arena, name.text, name.length, r->status);
  if (stem && !*stem) stem = hlo_op_name(opcode);
  const char *unique = shape && stem ? hlo_computation_unique_name(r->module, computation, stem, r->status) : NULL;
  if (!unique || !read_attributes(r, computation, wire, opcode, operands, operand_ids.count, ids, &attributes, &attribute_count)) {
    if (unique && hlo_ok(r->status)) return hlo_wire_fail(&wire, "instruction %s cannot be read", unique);
    return false;
  }
  if (!hlo_computation_add(r->module, computation, opcode, unique, shape, operands, operand_ids.count, attributes, attribute_count,
                           r->status))
    return locate(r, computation, unique);
  return true;
}

static bool read_computation(reading *r, hlo_computation *computation, hlo_wire wire) {
  id_map ids;
  if (!map_ids(r, wire, HLO_COMPUTATION_PROTO_INSTRUCTIONS, HLO_INSTRUCTION_PROTO_ID, &ids)) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, HLO_COMPUTATION_PROTO_INSTRUCTIONS, &one);)
    if (!read_instruction(r, computation, one, &ids)) return false;
  computation->root = find_id(&ids, hlo_wire_int(&wire, HLO_COMPUTATION_PROTO_ROOT_ID, 0));
  return computation->root >= 0 || hlo_wire_fail(&wire, "computation %s has no root", computation->name);
}

static bool read_entry_layout(reading *r, hlo_wire wire) {
  int count = hlo_wire_count(&wire, HLO_PROGRAM_SHAPE_PROTO_PARAMETERS), next = 0;
  const hlo_computation *entry = hlo_module_entry(r->module);
  if (wire.bytes == wire.end || count != entry->parameter_count) return true;
  const hlo_shape **shapes = hlo_arena_many(r->arena, const hlo_shape *, count, r->status);
  for (hlo_wire w = wire, one; shapes && hlo_wire_next_message(&w, HLO_PROGRAM_SHAPE_PROTO_PARAMETERS, &one);)
    if (!(shapes[next++] = hlo_proto_read_shape(one, r->arena))) return false;
  if (!shapes || !hlo_wire_has(&wire, HLO_PROGRAM_SHAPE_PROTO_RESULT)) return shapes != NULL;
  r->module->entry_parameter_count = count;
  r->module->entry_parameter_shapes = shapes;
  return (r->module->entry_result_shape = hlo_proto_read_shape(hlo_wire_message(&wire, HLO_PROGRAM_SHAPE_PROTO_RESULT), r->arena)) != NULL;
}

static bool read_module(reading *r, hlo_wire wire) {
  int next = 0;
  if (!hlo_wire_check(&wire) || !map_ids(r, wire, HLO_MODULE_PROTO_COMPUTATIONS, HLO_COMPUTATION_PROTO_ID, &r->computations)) return false;
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, HLO_MODULE_PROTO_COMPUTATIONS, &one);) {
    hlo_span name = hlo_wire_text(&one, HLO_COMPUTATION_PROTO_NAME);
    char *stem = hlo_arena_text(r->arena, name.text, name.length, r->status);
    const char *unique = stem ? hlo_module_unique_name(r->module, *stem ? stem : "computation", r->status) : NULL;
    if (!unique || !hlo_module_add_computation(r->module, unique, strlen(unique), r->status)) return false;
  }
  for (hlo_wire w = wire, one; hlo_wire_next_message(&w, HLO_MODULE_PROTO_COMPUTATIONS, &one);)
    if (!read_computation(r, r->module->computations[next++], one)) return false;
  r->module->entry = find_id(&r->computations, hlo_wire_int(&wire, HLO_MODULE_PROTO_ENTRY_COMPUTATION_ID, 0));
  if (r->module->entry < 0)
    r->module->entry = hlo_module_find_computation(r->module, hlo_wire_text(&wire, HLO_MODULE_PROTO_ENTRY_COMPUTATION_NAME));
  if (r->module->entry < 0) return hlo_wire_fail(&wire, "the module has no entry computation");
  return read_entry_layout(r, hlo_wire_message(&wire, HLO_MODULE_PROTO_HOST_PROGRAM_SHAPE)) && hlo_verify_module(r->module, r->status);
}

/* Tells the three messages apart. HloModuleProto starts with its name as field 1, and has computations in field 3; HloProto has the
 * module in field 1; HloSnapshot has an HloProto in field 1. */
static bool looks_like_module(hlo_wire wire) {
  hlo_status quiet = {0};
  hlo_wire_field field;
  wire.status = &quiet;
  bool computations = false;
  while (hlo_wire_next(&wire, &field)) {
    if (field.number == HLO_MODULE_PROTO_NAME && field.type == HLO_WIRE_BYTES)
      for (const uint8_t *p = field.bytes.bytes; p < field.bytes.end; p++)
        if (*p < 0x20) return false; /* a message, not a name */
    if (field.number == HLO_MODULE_PROTO_COMPUTATIONS) computations |= field.type == HLO_WIRE_BYTES;
    if (field.number == HLO_MODULE_PROTO_ENTRY_COMPUTATION_NAME && field.type != HLO_WIRE_BYTES) return false;
  }
  return hlo_ok(&quiet) && computations;
}

/* Finds the module. Returns how many messages are around it: 0, 1 (HloProto) or 2 (HloSnapshot); -1 if there is no module. */
static int unwrap(hlo_wire wire, hlo_wire *module) {
  for (int depth = 0; depth < 3; depth++) {
    if (looks_like_module(wire)) {
      *module = wire;
      return depth;
    }
    hlo_status quiet = {0};
    hlo_wire probe = wire;
    probe.status = &quiet;
    if (!hlo_wire_check(&probe)) return -1;
    wire = hlo_wire_message(&wire, HLO_PROTO_HLO_MODULE); /* the same number as HLO_SNAPSHOT_PROTO_HLO */
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
  snapshot->arguments = hlo_arena_many(arena, hlo_literal *, hlo_wire_count(&whole, HLO_SNAPSHOT_PROTO_ARGUMENTS), status);
  if (!snapshot->arguments) return false;
  for (hlo_wire w = whole, one; hlo_wire_next_message(&w, HLO_SNAPSHOT_PROTO_ARGUMENTS, &one);)
    if (!(snapshot->arguments[snapshot->argument_count++] = hlo_proto_read_literal(one, arena))) return false;
  if (hlo_wire_has(&whole, HLO_SNAPSHOT_PROTO_RESULT)) {
    snapshot->result = hlo_proto_read_literal(hlo_wire_message(&whole, HLO_SNAPSHOT_PROTO_RESULT), arena);
    if (!snapshot->result) return false;
  }
  return hlo_ok(status);
}

hlo_module *hlo_proto_read(const uint8_t *bytes, size_t length, hlo_status *status) {
  hlo_wire whole = hlo_wire_whole(bytes, length, status), wire;
  if (unwrap(whole, &wire) < 0) {
    if (hlo_wire_check(&whole)) hlo_wire_fail(&whole, "this is no HloModuleProto, HloProto or HloSnapshot");
    return NULL;
  }
  hlo_span name = hlo_wire_text(&wire, HLO_MODULE_PROTO_NAME);
  reading r = {.status = status, .module = hlo_module_new(name.length ? name.text : "module", name.length ? name.length : 6, status)};
  if (!r.module) return NULL;
  r.arena = &r.module->arena;
  if (read_module(&r, wire) && hlo_ok(status)) return r.module;
  if (hlo_ok(status)) hlo_fail(status, HLO_INTERNAL, "reading the protocol buffer failed without a reason");
  hlo_module_free(r.module);
  return NULL;
}
