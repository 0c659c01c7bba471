/* Raises a module to StableHLO: computations that are called become functions, those that an op applies become regions. */
#include "stablehlo/raise/raise.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_reader.h"
#include "graph/parameter_path.h"

enum { MAX_DEPTH = 200 };

bool hlo_raise_body(hlo_raising *r, const hlo_computation *computation, hlo_list *ops, const hlo_raise_leaves *parameters,
                    hlo_raise_leaves *root) {
  hlo_raise_leaves *leaves = hlo_arena_many(r->arena, hlo_raise_leaves, computation->instruction_count, r->status);
  if (!leaves) return false;
  for (int i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    if (instruction->opcode == HLO_OP_PARAMETER) {
      leaves[i] = parameters[hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0)];
      continue;
    }
    hlo_raise_call c = {.r = r, .computation = computation, .instruction = instruction, .ops = ops, .leaves = leaves};
    if (!hlo_raise_instruction(&c)) return false;
  }
  *root = leaves[computation->root];
  return !root->started || hlo_fail(r->status, HLO_UNSUPPORTED, "computation %s gives what a start gives, which StableHLO has no value for", computation->name);
}

/* ---- Regions ---- */

static bool finish_block(const hlo_raise_call *c, hlo_list *ops, hlo_mlir_block *block) {
  block->op_count = ops->count;
  block->ops = hlo_list_take(ops, c->r->arena, c->r->status);
  return block->ops != NULL;
}

bool hlo_raise_bound_region(const hlo_raise_call *c, int index, const hlo_raise_leaves *parameters, hlo_mlir_region *region) {
  hlo_raising *r = c->r;
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  hlo_raise_leaves root;
  if (r->depth == MAX_DEPTH) return hlo_fail(r->status, HLO_LIMIT, "computations are nested deeper than %d", MAX_DEPTH);
  r->depth++;
  region->block_count = 1;
  if (!region->block.argument_count) region->block.first_argument = r->values.count;
  hlo_raise_call end = *c;
  end.ops = &ops;
  bool ok = hlo_raise_body(r, r->module->computations[index], &ops, parameters, &root) &&
            hlo_raise_emit(&end, "stablehlo.return", root.values, root.count, NULL, NULL, 0, NULL, 0) >= 0 &&
            finish_block(c, &ops, &region->block);
  hlo_list_drop(&ops);
  r->depth--;
  return ok;
}

/* Makes new values for the leaves of each parameter, as the block's arguments. */
static hlo_raise_leaves *new_parameters(hlo_raising *r, const hlo_computation *computation, hlo_mlir_block *block) {
  hlo_raise_leaves *parameters = hlo_arena_many(r->arena, hlo_raise_leaves, computation->parameter_count, r->status);
  block->first_argument = r->values.count;
  for (int i = 0; parameters && i < computation->parameter_count; i++) {
    int count;
    const hlo_shape *const *shapes = hlo_raise_leaf_shapes(r, computation->instructions[computation->parameters[i]]->shape, &count);
    int *values = shapes ? hlo_arena_many(r->arena, int, count, r->status) : NULL;
    for (int k = 0; values && k < count; k++)
      if ((values[k] = hlo_raise_value(r, shapes[k])) < 0) return NULL;
    if (!values) return NULL;
    parameters[i] = (hlo_raise_leaves){.count = count, .values = values};
    block->argument_count += count;
  }
  return parameters;
}

bool hlo_raise_region(const hlo_raise_call *c, int index, hlo_mlir_region *region) {
  const hlo_raise_leaves *parameters = new_parameters(c->r, c->r->module->computations[index], &region->block);
  return parameters && hlo_raise_bound_region(c, index, parameters, region);
}

/* ---- Functions ---- */

const hlo_mlir_attribute *hlo_raise_function(const hlo_raise_call *c, int index) {
  hlo_raising *r = c->r;
  if (!r->symbols[index]) {
    const char *stem = r->module->computations[index]->name, *name = stem;
    for (int i = 0; strcmp(name, "main") == 0 || (i && hlo_module_find_computation(r->module, (hlo_span){name, strlen(name)}) >= 0); i++)
      if (!(name = hlo_arena_format(r->arena, r->status, "%s_%d", stem, i))) return NULL;
    if (!(r->symbols[index] = hlo_arena_text(r->arena, name, strlen(name), r->status)) || !hlo_list_push(&r->functions, &index, r->status)) return NULL;
  }
  return hlo_raise_text(r, HLO_MLIR_SYMBOL, r->symbols[index], strlen(r->symbols[index]));
}

/* Makes the entry's arguments, which may be tuples: a block argument for each parameter, which is then unpacked into leaves. */
static hlo_raise_leaves *entry_parameters(const hlo_raise_call *c, hlo_mlir_block *block) {
  hlo_raising *r = c->r;
  const hlo_computation *entry = c->computation;
  hlo_raise_leaves *parameters = hlo_arena_many(r->arena, hlo_raise_leaves, entry->parameter_count, r->status);
  block->first_argument = r->values.count;
  block->argument_count = entry->parameter_count;
  block->argument_names = hlo_arena_many(r->arena, hlo_span, entry->parameter_count, r->status);
  for (int i = 0; block->argument_names && i < entry->parameter_count; i++)
    block->argument_names[i] = hlo_instruction_op_name(entry->instructions[entry->parameters[i]], r->arena, r->status);
  for (int i = 0; parameters && i < entry->parameter_count; i++)
    if (hlo_raise_value(r, entry->instructions[entry->parameters[i]]->shape) < 0) return NULL;
  for (int i = 0; parameters && i < entry->parameter_count; i++) {
    int count;
    const hlo_shape *shape = entry->instructions[entry->parameters[i]]->shape;
    int *values = hlo_raise_leaf_shapes(r, shape, &count) ? hlo_arena_many(r->arena, int, count, r->status) : NULL, *next = values;
    if (!values || !hlo_raise_unpack(c, block->first_argument + i, shape, &next)) return NULL;
    parameters[i] = (hlo_raise_leaves){.count = count, .values = values};
  }
  return parameters;
}

static const int *entry_results(const hlo_raise_call *c, const hlo_raise_leaves *root, int *count) {
  const hlo_shape *shape = c->instruction->shape;
  bool several = hlo_shape_is_tuple(shape) && shape->element_count != 1;
  *count = several ? shape->element_count : 1;
  int *results = hlo_arena_many(c->r->arena, int, *count, c->r->status);
  const int *leaf = root->values;
  for (int i = 0; results && i < *count; i++) {
    const hlo_shape *part = several ? shape->elements[i] : shape;
    int leaves;
    if (!hlo_raise_leaf_shapes(c->r, part, &leaves) || (results[i] = hlo_raise_pack(c, part, leaf)) < 0) return NULL;
    leaf += leaves;
  }
  return results;
}

static const hlo_mlir_type *signature(hlo_raising *r, const hlo_mlir_block *block, const int *results, int count) {
  hlo_mlir_type *type = hlo_arena_new(r->arena, hlo_mlir_type, r->status);
  const hlo_mlir_type **types = hlo_arena_many(r->arena, const hlo_mlir_type *, (int64_t)block->argument_count + count, r->status);
  if (!type || !types) return NULL;
  const hlo_mlir_value *values = r->values.items;
  for (int i = 0; i < block->argument_count; i++) types[i] = values[block->first_argument + i].type;
  for (int i = 0; i < count; i++) types[block->argument_count + i] = values[results[i]].type;
  *type = (hlo_mlir_type){.kind = HLO_MLIR_FUNCTION, .inputs = types, .input_count = block->argument_count,
                          .results = types + block->argument_count, .result_count = count};
  return type;
}

/* Makes [{mhlo.sharding = "..."}, {}] for the entry's parameters; NULL if none has an attribute. */
static const hlo_mlir_attribute *argument_attributes(hlo_raising *r, const hlo_computation *entry) {
  static const char *const names[] = {"mhlo.sharding"};
  const hlo_mlir_attribute **dicts = hlo_arena_many(r->arena, const hlo_mlir_attribute *, entry->parameter_count, r->status);
  bool any = false;
  for (int i = 0; dicts && i < entry->parameter_count; i++) {
    const hlo_attribute *sharding = hlo_instruction_attribute(entry->instructions[entry->parameters[i]], HLO_ATTR_sharding);
    const hlo_mlir_attribute *text = sharding ? hlo_raise_text(r, HLO_MLIR_STRING, sharding->text.text, sharding->text.length) : NULL;
    any |= text != NULL;
    if (!(dicts[i] = hlo_raise_dictionary(r, "", names, &text, 1))) return NULL;
  }
  return any ? hlo_raise_list(r, dicts, entry->parameter_count) : NULL;
}

static bool raise_function(hlo_raising *r, int index, hlo_list *functions) {
  const hlo_computation *computation = r->module->computations[index];
  bool entry = index == r->module->entry;
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  hlo_mlir_region region = {.block_count = 1};
  hlo_raise_call c = {.r = r, .computation = computation, .instruction = hlo_computation_root(computation), .ops = &ops};
  const hlo_raise_leaves *parameters = entry ? entry_parameters(&c, &region.block) : new_parameters(r, computation, &region.block);
  hlo_raise_leaves root;
  bool ok = parameters && hlo_raise_body(r, computation, &ops, parameters, &root);
  int count = ok ? root.count : 0;
  const int *results = !ok ? NULL : entry ? entry_results(&c, &root, &count) : root.values;
  ok = ok && results && hlo_raise_emit(&c, "func.return", results, count, NULL, NULL, 0, NULL, 0) >= 0 && finish_block(&c, &ops, &region.block);
  hlo_list_drop(&ops);
  if (!ok) return false;
  hlo_raise_attributes list = {.count = 0};
  const char *visibility = entry ? "public" : "private";
  if (entry) hlo_raise_push(&list, "arg_attrs", argument_attributes(r, computation));
  hlo_raise_push(&list, "function_type", hlo_raise_type_attribute(r, signature(r, &region.block, results, count)));
  hlo_raise_push(&list, "sym_name", hlo_raise_text(r, HLO_MLIR_STRING, r->symbols[index], strlen(r->symbols[index])));
  hlo_raise_push(&list, "sym_visibility", hlo_raise_text(r, HLO_MLIR_STRING, visibility, strlen(visibility)));
  c.ops = functions;
  return hlo_raise_emit(&c, "func.func", NULL, 0, &list, &region, 1, NULL, 0) >= 0;
}

static bool raise_module(hlo_raising *r, hlo_mlir *tree) {
  const hlo_module *m = r->module;
  hlo_list functions = {.size = sizeof(hlo_mlir_op *)};
  hlo_raise_attributes counts = {.count = 0};
  hlo_raise_push(&counts, "mhlo.num_partitions", hlo_raise_int(r, HLO_TYPE_S32, m->num_partitions));
  hlo_raise_push(&counts, "mhlo.num_replicas", hlo_raise_int(r, HLO_TYPE_S32, m->replica_count));
  tree->attributes = hlo_arena_copy(r->arena, counts.items, (size_t)counts.count * sizeof *counts.items, r->status);
  tree->attribute_count = counts.count;
  tree->name = (hlo_span){hlo_arena_text(r->arena, m->name, strlen(m->name), r->status), strlen(m->name)};
  r->symbols = hlo_arena_many(r->arena, const char *, m->computation_count, r->status);
  bool ok = r->symbols && hlo_list_push(&r->functions, &m->entry, r->status);
  if (ok) r->symbols[m->entry] = "main";
  for (int i = 0; ok && i < r->functions.count; i++) ok = raise_function(r, ((const int *)r->functions.items)[i], &functions);
  tree->body.op_count = functions.count;
  ok = ok && (tree->body.ops = hlo_list_take(&functions, r->arena, r->status)) != NULL;
  hlo_list_drop(&functions);
  return ok && hlo_ok(r->status);
}

hlo_mlir *hlo_stablehlo_raise(const hlo_module *module, hlo_status *status) {
  hlo_mlir *tree = calloc(1, sizeof *tree);
  if (!tree) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a module"), NULL;
  hlo_arena_init(&tree->arena);
  hlo_raising r = {.module = module, .arena = &tree->arena, .status = status, .values = {.size = sizeof(hlo_mlir_value)}, .functions = {.size = sizeof(int)}};
  bool ok = raise_module(&r, tree);
  hlo_list_drop(&r.functions);
  tree->values = r.values.items;
  tree->value_count = r.values.count;
  if (ok) return tree;
  hlo_mlir_free(tree);
  return NULL;
}
