/* Makes a tree from a bytecode file's operations, regions, blocks and values.
 *
 * The file numbers values within the innermost isolated region (a function's body), the tree numbers them in the order in which the
 * text reader does: an operation's results come after all values that its regions define. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

enum { HAS_ATTRIBUTES = 1, HAS_RESULTS = 2, HAS_OPERANDS = 4, HAS_SUCCESSORS = 8, HAS_REGIONS = 16, HAS_USE_LISTS = 32, HAS_PROPERTIES = 64 };

/* The range of numbers for the values that a region defines. */
typedef struct frame {
  int64_t next, end;
  bool in_function; /* operations follow VHLO's rules for functions */
  bool of_function; /* the region is a function's body */
} frame;

static hlo_mlir_op *read_op(hlo_bytecode *b, hlo_bytecode_cursor *c, frame *f);

/* ---- Values ---- */

static int new_value(hlo_bytecode *b, const hlo_mlir_type *type) {
  hlo_mlir *tree = b->tree;
  if (!hlo_list_grow_allocated(&tree->values, tree->value_count, &b->value_capacity, sizeof *tree->values, b->status)) return -1;
  tree->values[tree->value_count] = (hlo_mlir_value){type, {"", 0}};
  return tree->value_count++;
}

/* Returns a value's type. A large type (tuples of tuples) counts each time, so that a small file cannot use it for many values. */
static const hlo_mlir_type *value_type(hlo_bytecode *b, size_t at, int64_t index) {
  b->weight = 0;
  const hlo_mlir_type *type = hlo_bytecode_type_at(b, index);
  return type && hlo_bytecode_spend(b, at, b->weight) ? type : NULL;
}

/* Makes room for the values that a region says it defines; each must take at least one byte of the file. */
static bool grow_scope(hlo_bytecode *b, size_t at, int64_t count) {
  int64_t needed = b->scope_count + count;
  if (needed > (int64_t)b->length) return hlo_bytecode_fail(b, at, HLO_PARSE, "%lld values cannot be defined in a file of %zu bytes", (long long)needed, b->length);
  if (needed > b->scope_capacity) {
    int64_t capacity = needed > 2 * b->scope_capacity ? needed : 2 * b->scope_capacity;
    int *scope = realloc(b->scope, (size_t)capacity * sizeof *scope);
    if (!scope) return hlo_fail(b->status, HLO_OUT_OF_MEMORY, "no memory for %lld values", (long long)capacity);
    b->scope = scope;
    b->scope_capacity = capacity;
  }
  for (; b->scope_count < needed; b->scope_count++) b->scope[b->scope_count] = -1;
  return true;
}

static bool take_numbers(hlo_bytecode *b, size_t at, frame *f, int64_t count) {
  if (count > f->end - f->next) return hlo_bytecode_fail(b, at, HLO_PARSE, "a region defines more values than it said");
  f->next += count;
  return true;
}

/* Skips the order in which a value's uses are listed, which has no effect here. */
static bool skip_use_lists(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t value_count) {
  uint64_t ignored, head;
  int64_t lists = 1;
  if (value_count > 1 && !hlo_bytecode_count(b, c, "use lists", &lists)) return false;
  for (int64_t i = 0; i < lists; i++) {
    if (value_count > 1 && !hlo_bytecode_uint(b, c, &ignored)) return false;
    if (!hlo_bytecode_uint(b, c, &head)) return false;
    for (uint64_t k = 0; k < head >> 1; k++)
      if (!hlo_bytecode_uint(b, c, &ignored)) return false;
  }
  return true;
}

/* Returns whether the operation's results are its operands. Casts between VHLO and other dialects convert between types that are
 * the same here; shardings say where an array is, and do not change its value. */
static bool is_cast(const hlo_mlir_op *op) {
  static const char *const names[] = {"builtin.unrealized_conversion_cast", "sdy.sharding_constraint", "sdy.reshard"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hlo_span_is(op->name, names[i])) return op->operand_count == op->result_count;
  return false;
}

/* ---- Blocks and regions ---- */

static bool read_argument(hlo_bytecode *b, hlo_bytecode_cursor *c, frame *f, hlo_span *name) {
  size_t at = c->at;
  uint64_t index;
  int64_t location;
  bool elided = b->format >= HLO_BYTECODE_ELIDED_LOCATIONS;
  if (!hlo_bytecode_uint(b, c, &index)) return false;
  bool has_location = !elided || (index & 1);
  if (elided) index >>= 1;
  if (index >= (uint64_t)b->type_count) return hlo_bytecode_fail(b, at, HLO_PARSE, "type %llu of a table of %lld", (unsigned long long)index, (long long)b->type_count);
  if (has_location && !hlo_bytecode_index(b, c, "location", b->attribute_count, &location)) return false;
  if (name && has_location) *name = hlo_bytecode_location_name(b, location);
  const hlo_mlir_type *type = take_numbers(b, at, f, 1) ? value_type(b, at, (int64_t)index) : NULL;
  return type && (b->scope[f->next - 1] = new_value(b, type)) >= 0;
}

static bool read_arguments(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_block *block, frame *f) {
  int64_t count;
  uint8_t has_use_lists;
  if (!hlo_bytecode_count(b, c, "arguments", &count)) return false;
  if (f->of_function && !(block->argument_names = hlo_arena_many(b->arena, hlo_span, count, b->status))) return false;
  for (int64_t i = 0; i < count; i++)
    if (!read_argument(b, c, f, f->of_function ? block->argument_names + i : NULL)) return false;
  block->argument_count = (int)count;
  if (b->format < HLO_BYTECODE_USE_LISTS) return true;
  return hlo_bytecode_byte(b, c, &has_use_lists) && (!has_use_lists || skip_use_lists(b, c, count));
}

static bool read_block(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_block *block, frame *f) {
  size_t at = c->at;
  uint64_t head;
  block->first_argument = b->tree->value_count;
  if (!hlo_bytecode_uint(b, c, &head) || ((head & 1) && !read_arguments(b, c, block, f))) return false;
  if (head >> 1 > c->end - c->at)
    return hlo_bytecode_fail(b, at, HLO_PARSE, "%llu operations cannot stand in the %zu bytes that are left", (unsigned long long)(head >> 1), c->end - c->at);
  int count = (int)(head >> 1);
  hlo_mlir_op **ops = hlo_arena_many(b->arena, hlo_mlir_op *, count, b->status);
  for (int i = 0; ops && i < count; i++) {
    hlo_mlir_op *op = read_op(b, c, f);
    if (!op) return false;
    if (!is_cast(op)) ops[block->op_count++] = op;
  }
  block->ops = ops;
  return ops != NULL;
}

static bool read_region(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_region *region, bool in_function, bool of_function) {
  size_t at = c->at;
  uint64_t blocks;
  int64_t values;
  region->block.first_argument = b->tree->value_count;
  if (!hlo_bytecode_uint(b, c, &blocks)) return false;
  if (blocks == 0) return true;
  if (blocks > 1) return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "a region of %llu blocks: control flow must be structured", (unsigned long long)blocks);
  if (!hlo_bytecode_count(b, c, "values", &values)) return false;
  frame f = {b->scope_count, b->scope_count + values, in_function, of_function};
  region->block_count = 1;
  bool ok = grow_scope(b, at, values) && read_block(b, c, &region->block, &f);
  if (ok) b->scope_count -= values;
  return ok;
}

/* Reads an operation's regions. Isolated regions use nothing from outside: their values are numbered anew, and all regions of the
 * operation are one section. */
static bool read_regions(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_region *regions, int64_t count, const hlo_bytecode_op_name *name, bool isolated) {
  hlo_bytecode_cursor section;
  int id;
  size_t at = c->at;
  bool lazy = isolated && b->format >= HLO_BYTECODE_LAZY;
  if (!hlo_bytecode_enter(b, at) || (lazy && !hlo_bytecode_section_header(b, c, &id, &section))) return false;
  if (lazy && id != HLO_BYTECODE_IR) return hlo_bytecode_fail(b, at, HLO_PARSE, "regions in a section of kind %d", id);
  int64_t base = b->scope_base;
  bool in_function = hlo_span_is(name->full, "vhlo.func_v1"), of_function = in_function || hlo_span_is(name->full, "func.func");
  if (isolated) b->scope_base = b->scope_count;
  for (int64_t i = 0; i < count; i++)
    if (!read_region(b, lazy ? &section : c, &regions[i], in_function, of_function)) return false;
  if (lazy && section.at != section.end) return hlo_bytecode_fail(b, section.at, HLO_PARSE, "%zu bytes too many in a region", section.end - section.at);
  b->scope_base = base;
  hlo_bytecode_leave(b);
  return true;
}

/* ---- Attributes of operations ---- */

static bool push(hlo_bytecode *b, hlo_list *named, hlo_span name, const hlo_mlir_attribute *value) {
  hlo_mlir_named entry = {name, value};
  return hlo_list_push(named, &entry, b->status);
}

static bool push_dictionary(hlo_bytecode *b, size_t at, hlo_list *named, const hlo_mlir_attribute *dict) {
  if (!dict) return false;
  if (dict->kind != HLO_MLIR_DICT) return hlo_bytecode_fail(b, at, HLO_PARSE, "the attributes of an operation are no dictionary");
  if (!hlo_bytecode_spend(b, at, dict->count)) return false;
  for (int i = 0; i < dict->count; i++)
    if (!push(b, named, dict->names[i], dict->elements[i])) return false;
  return true;
}

/* Reads properties of VHLO: an attribute's index for each, in the order of the operation's definition. */
static bool push_vhlo_properties(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_list *named, const char *names) {
  while (*names) {
    hlo_span name = hlo_form_next_name(&names);
    const hlo_mlir_attribute *value = hlo_bytecode_attribute(b, c);
    if (!value || !push(b, named, name, value)) return false;
  }
  return true;
}

/* Reads the properties that operation_table.def lists: an index for each, with a bit that says whether there is one if it may be
 * missing. */
static bool push_mlir_properties(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_list *named, const char *words) {
  for (size_t length; (length = strcspn(words, " ")); words += length, words += *words == ' ') {
    hlo_span name = {words, strcspn(words, ":")};
    bool optional = words[length - 1] == '?' || words[length - 1] == '!';
    const hlo_mlir_attribute *value = NULL;
    if (memchr(words, '-', length)) continue;
    if (!optional) value = hlo_bytecode_attribute(b, c);
    if (optional ? c->at < c->end && !hlo_bytecode_optional_attribute(b, c, &value) : !value) return false;
    if (value && !push(b, named, name, value)) return false;
  }
  return true;
}

static bool read_properties(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_bytecode_op_name *name, hlo_list *named) {
  size_t at = c->at;
  int64_t index;
  if (!hlo_bytecode_index(b, c, "properties", b->property_count, &index)) return false;
  hlo_bytecode_cursor data = b->properties[index];
  const hlo_form_operation *operation;
  if (!name->registered) {
    if (!push_dictionary(b, data.at, named, hlo_bytecode_attribute(b, &data))) return false;
  } else if (hlo_span_is(name->dialect, "vhlo")) {
    if (!name->attributes) return true; /* hlo_vhlo_convert will refuse the name */
    if (!push_vhlo_properties(b, &data, named, name->attributes)) return false;
  } else if (hlo_span_is(name->dialect, "sdy")) {
    if (hlo_span_is(name->full, "sdy.mesh")) return push_vhlo_properties(b, &data, named, "mesh sym_name");
    if (hlo_span_is(name->full, "sdy.manual_computation")) return push_vhlo_properties(b, &data, named, "in_shardings manual_axes out_shardings");
    return true; /* other Shardy operations have only shardings, which have no effect on values */
  } else if ((operation = hlo_form_operation_of(name->full))) {
    if (!push_mlir_properties(b, &data, named, operation->attributes)) return false;
  } else {
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "the encoding of the attributes of %s is not known; jax.export or stablehlo.serialize_portable_artifact write a portable artifact, which can be read", name->full.text);
  }
  return data.at == data.end || hlo_bytecode_fail(b, data.at, HLO_PARSE, "%zu bytes too many in the properties of %s", data.end - data.at, name->full.text);
}

/* ---- Operations ---- */

typedef struct pending {
  const hlo_bytecode_op_name *name;
  size_t at;
  uint8_t mask;
  hlo_list named; /* hlo_mlir_named */
  const hlo_mlir_type **types;
  int64_t first_number; /* the file's number of the first result */
} pending;

static bool read_attributes(hlo_bytecode *b, hlo_bytecode_cursor *c, pending *p) {
  size_t at = c->at;
  int64_t location;
  if (!hlo_bytecode_index(b, c, "location", b->attribute_count, &location)) return false;
  b->weight = 0;
  if ((p->mask & HAS_ATTRIBUTES) && !push_dictionary(b, at, &p->named, hlo_bytecode_attribute(b, c))) return false;
  b->weight = 0;
  return !(p->mask & HAS_PROPERTIES) || read_properties(b, c, p->name, &p->named);
}

static bool read_results(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_op *op, pending *p, frame *f) {
  int64_t count, index;
  p->first_number = f->next;
  if (!(p->mask & HAS_RESULTS)) return true;
  if (!hlo_bytecode_count(b, c, "results", &count)) return false;
  if (!(p->types = hlo_arena_many(&b->scratch, const hlo_mlir_type *, count, b->status))) return false;
  for (int64_t i = 0; i < count; i++) {
    size_t at = c->at;
    if (!hlo_bytecode_index(b, c, "type", b->type_count, &index) || !(p->types[i] = value_type(b, at, index))) return false;
  }
  op->result_count = (int)count;
  return take_numbers(b, p->at, f, count);
}

static bool read_operands(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_op *op, const pending *p) {
  int64_t count = 0, number;
  if ((p->mask & HAS_OPERANDS) && !hlo_bytecode_count(b, c, "operands", &count)) return false;
  int *operands = hlo_arena_many(b->arena, int, count, b->status);
  for (int64_t i = 0; operands && i < count; i++) {
    size_t at = c->at;
    if (!hlo_bytecode_index(b, c, "value", b->scope_count - b->scope_base, &number)) return false;
    operands[i] = b->scope[b->scope_base + number];
    if (operands[i] < 0) return hlo_bytecode_fail(b, at, HLO_PARSE, "%s uses a value before it is defined", p->name->full.text);
  }
  op->operand_count = (int)count;
  op->operands = operands;
  return operands != NULL;
}

static bool read_op_regions(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_op *op, const pending *p) {
  size_t at = c->at;
  uint64_t head = 0;
  if ((p->mask & HAS_REGIONS) && !hlo_bytecode_uint(b, c, &head)) return false;
  int64_t count = (int64_t)(head >> 1);
  if ((uint64_t)count > c->end - c->at) return hlo_bytecode_fail(b, at, HLO_PARSE, "%lld regions where %zu bytes are left", (long long)count, c->end - c->at);
  hlo_mlir_region *regions = hlo_arena_many(b->arena, hlo_mlir_region, count, b->status);
  op->region_count = (int)count;
  op->regions = regions;
  return regions && (count == 0 || read_regions(b, c, regions, count, p->name, head & 1));
}

static bool define_results(hlo_bytecode *b, hlo_mlir_op *op, const pending *p) {
  op->first_result = b->tree->value_count;
  for (int i = 0; i < op->result_count; i++)
    if ((b->scope[p->first_number + i] = is_cast(op) ? op->operands[i] : new_value(b, p->types[i])) < 0) return false;
  return true;
}

static bool name_op(hlo_bytecode *b, hlo_mlir_op *op, pending *p, const frame *f) {
  op->name = p->name->full;
  if (hlo_span_is(p->name->dialect, "vhlo")) {
    hlo_vhlo_op vhlo = {.at = p->at, .in_function = f->in_function, .op = p->name, .named = &p->named};
    if (!hlo_vhlo_convert(b, &vhlo)) return false;
    op->name = vhlo.name;
  }
  op->attribute_count = p->named.count;
  return (op->attributes = hlo_list_take(&p->named, b->arena, b->status)) != NULL;
}

static bool read_parts(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_mlir_op *op, pending *p, frame *f) {
  if (!read_attributes(b, c, p) || !read_results(b, c, op, p, f) || !read_operands(b, c, op, p)) return false;
  if (p->mask & HAS_SUCCESSORS) return hlo_bytecode_fail(b, p->at, HLO_UNSUPPORTED, "%s branches to other blocks: control flow must be structured", p->name->full.text);
  if ((p->mask & HAS_USE_LISTS) && !skip_use_lists(b, c, op->result_count)) return false;
  return name_op(b, op, p, f) && read_op_regions(b, c, op, p) && define_results(b, op, p);
}

static hlo_mlir_op *read_op(hlo_bytecode *b, hlo_bytecode_cursor *c, frame *f) {
  pending p = {.at = c->at, .named = {.size = sizeof(hlo_mlir_named)}};
  int64_t name;
  if (!hlo_bytecode_index(b, c, "operation name", b->op_name_count, &name) || !hlo_bytecode_byte(b, c, &p.mask)) return NULL;
  p.name = &b->op_names[name];
  hlo_mlir_op *op = hlo_arena_new(b->arena, hlo_mlir_op, b->status);
  bool ok = op && read_parts(b, c, op, &p, f);
  hlo_list_drop(&p.named);
  return ok ? op : NULL;
}

/* ---- The module ---- */

static bool take_module(hlo_bytecode *b, const hlo_mlir_op *module) {
  hlo_mlir *tree = b->tree;
  hlo_mlir_named *kept = hlo_arena_many(b->arena, hlo_mlir_named, module->attribute_count, b->status);
  if (!kept) return false;
  for (int i = 0; i < module->attribute_count; i++) {
    if (hlo_span_is(module->attributes[i].name, "sym_name")) tree->name = module->attributes[i].value->text;
    else kept[tree->attribute_count++] = module->attributes[i];
  }
  tree->attributes = kept;
  tree->body = module->regions[0].block;
  return true;
}

bool hlo_bytecode_read_ir(hlo_bytecode *b) {
  hlo_bytecode_cursor c = b->sections[HLO_BYTECODE_IR];
  size_t at = c.at;
  frame f = {0};
  hlo_mlir_block root = {0};
  if (!read_block(b, &c, &root, &f)) return false;
  if (c.at != c.end) return hlo_bytecode_fail(b, c.at, HLO_PARSE, "%zu bytes too many after the module", c.end - c.at);
  if (root.op_count != 1 || !hlo_span_is(root.ops[0]->name, "builtin.module") || root.ops[0]->region_count != 1)
    return hlo_bytecode_fail(b, at, HLO_PARSE, "expected one module in the file");
  return take_module(b, root.ops[0]) && hlo_mlir_name_passed_arguments(b->tree, b->status);
}
