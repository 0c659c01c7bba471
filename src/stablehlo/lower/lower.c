/* Lowers a module: every function becomes a computation. */
#include "stablehlo/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include "stablehlo/constraints/constraints.h"
#include "verify/verify.h"

static bool type_is_open(const hlo_mlir_type *type) { return type->kind == HLO_MLIR_SHAPED && !hlo_shape_is_static(type->shape); }

static bool is_open(const hlo_mlir *tree, const hlo_mlir_op *op) {
  for (int i = 0; i < op->operand_count; i++)
    if (type_is_open(hlo_mlir_operand_type(tree, op, i))) return true;
  for (int i = 0; i < op->result_count; i++)
    if (type_is_open(hlo_mlir_result_type(tree, op, i))) return true;
  for (int r = 0; r < op->region_count; r++)
    for (int i = 0; i < op->regions[r].block.op_count; i++)
      if (is_open(tree, op->regions[r].block.ops[i])) return true;
  return false;
}

/* Leaves an operation to another specialisation: what it gives is not known but for its shapes. */
static bool leave(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op) {
  hlo_lower_call c = {.l = l, .computation = computation, .op = op, .opcode = HLO_OP_CUSTOM_CALL};
  hlo_attribute target = {.id = HLO_ATTR_custom_call_target, .text = hlo_span_of("unknown")};
  for (int i = 0; i < op->result_count; i++) {
    if (type_is_open(hlo_mlir_result_type(l->tree, op, i))) continue;
    const hlo_shape *shape = hlo_lower_result_shape(&c, i);
    int unknown = shape ? hlo_lower_emit(&c, HLO_OP_CUSTOM_CALL, shape, NULL, 0, &target, 1) : -1;
    if (unknown < 0) return false;
    l->instruction_of[op->first_result + i] = unknown;
  }
  return true;
}

/* Lowers an operation; in a program with open shapes, one that depends on what is not known is left, so that those behind it are checked. */
static bool lower_or_leave(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op) {
  if (!hlo_ok(&l->left) && is_open(l->tree, op)) return leave(l, computation, op);
  if (hlo_lower_op(l, computation, op)) return true;
  if (!l->is_open || l->status->code != HLO_UNSUPPORTED) return false;
  if (hlo_ok(&l->left)) l->left = *l->status;
  *l->status = (hlo_status){0};
  return leave(l, computation, op);
}

const int *hlo_lower_block(const hlo_lower_call *c, hlo_computation *computation, const hlo_mlir_block *block, int *count) {
  bool were_left = !hlo_ok(&c->l->left);
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    if (hlo_mlir_is_return(op)) {
      if (!were_left && !hlo_ok(&c->l->left)) return *c->l->status = c->l->left, NULL;
      hlo_lower_call end = {.l = c->l, .computation = computation, .op = op, .opcode = HLO_OP_TUPLE};
      *count = op->operand_count;
      return hlo_lower_operands(&end, 0, op->operand_count);
    }
    if (!lower_or_leave(c->l, computation, op)) return NULL;
  }
  hlo_lower_fail(c, HLO_VERIFY, "its region does not return");
  return NULL;
}

static bool lower_parameters(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *function) {
  const hlo_mlir_block *block = &function->regions[0].block;
  hlo_lower_call c = {.l = l, .computation = computation, .op = function, .opcode = HLO_OP_PARAMETER};
  for (int i = 0; i < block->argument_count; i++) {
    const hlo_mlir_value *value = &l->tree->values[block->first_argument + i];
    if (value->type->kind != HLO_MLIR_SHAPED)
      return hlo_lower_fail(&c, HLO_UNSUPPORTED, "argument %d has type %pT, which HLO has no shape for", i, value->type);
    if ((l->instruction_of[block->first_argument + i] = hlo_lower_argument(&c, block, i, value->type->shape)) < 0) return false;
  }
  return true;
}

static bool lower_function(hlo_lowering *l, int number) {
  const hlo_mlir_op *function = l->functions[number];
  hlo_computation *computation = l->module->computations[l->computation_of[number]];
  hlo_lower_call end = {.l = l, .computation = computation, .op = function, .opcode = HLO_OP_TUPLE};
  int count = 0;
  l->active[number] = true;
  bool given = l->refines || (number == l->entry && l->given && l->given->shapes);
  bool ok = given ? hlo_lower_arguments(l, computation, function) : lower_parameters(l, computation, function);
  const int *results = ok ? hlo_lower_block(&end, computation, &function->regions[0].block, &count) : NULL;
  l->active[number] = false;
  if (!results) return false;
  computation->root = count == 1 ? results[0] : hlo_lower_tuple(&end, results, count);
  return computation->root >= 0;
}

static hlo_span symbol_name(const hlo_mlir_op *function) { return hlo_mlir_find(function, "sym_name")->text; }
int hlo_lower_function_number(const hlo_lower_call *c, const hlo_mlir_attribute *symbol) {
  if (!symbol || symbol->kind != HLO_MLIR_SYMBOL) return hlo_lower_fail(c, HLO_SHAPE, "requires the name of a function"), -1;
  for (int i = 0; i < c->l->function_count; i++)
    if (hlo_span_equal(symbol_name(c->l->functions[i]), symbol->text)) return i;
  return hlo_lower_fail(c, HLO_SHAPE, "there is no function @%pN%s", &symbol->text, HLO_NEAREST_FUNCTION(c->l->tree, symbol->text)), -1;
}

static bool add_computation(hlo_lowering *l, int number) {
  const char *unique = hlo_module_unique_name(l->module, symbol_name(l->functions[number]).text, l->status);
  hlo_computation *made = unique ? hlo_module_add_computation(l->module, unique, strlen(unique), l->status) : NULL;
  l->computation_of[number] = made ? made->index : -1;
  return made != NULL;
}

/* A specialised module has computations only for functions that remain functions: the entry, and those that are not called. */
int hlo_lower_function(const hlo_lower_call *c, const hlo_mlir_attribute *symbol) {
  hlo_lowering *l = c->l;
  int number = hlo_lower_function_number(c, symbol);
  if (number < 0) return -1;
  if (l->computation_of[number] >= 0) return l->computation_of[number];
  if (l->active[number]) return hlo_lower_fail(c, HLO_UNSUPPORTED, "@%pN calls itself, which HLO cannot say", &symbol->text), -1;
  const hlo_specialisation *given = l->given;
  hlo_specialisation own = given ? *given : (hlo_specialisation){0};
  own.shapes = NULL;
  own.values = NULL;
  l->given = &own;
  bool ok = add_computation(l, number) && lower_function(l, number);
  l->given = given;
  return ok ? l->computation_of[number] : -1;
}

/* ---- The entry ---- */

static bool is_public(const hlo_mlir_op *function) {
  const hlo_mlir_attribute *visibility = hlo_mlir_find(function, "sym_visibility");
  return !visibility || !hlo_span_is(visibility->text, "private");
}

const hlo_mlir_op *hlo_stablehlo_entry(const hlo_mlir *tree, hlo_span entry, hlo_status *status) {
  const hlo_mlir_op *last = NULL;
  int publics = 0;
  if (!entry.length && hlo_mlir_function(tree, (hlo_span){"main", 4})) entry = (hlo_span){"main", 4};
  for (int i = 0; i < tree->body.op_count; i++) {
    const hlo_mlir_op *op = tree->body.ops[i];
    if (!hlo_span_is(op->name, "func.func") || !hlo_mlir_find(op, "sym_name") || op->region_count != 1 || !op->regions[0].block_count) continue;
    if (entry.length && hlo_span_equal(symbol_name(op), entry)) return op;
    if (is_public(op)) publics++, last = op;
  }
  if (entry.length) return hlo_fail(status, HLO_VERIFY, "there is no function @%.*s%s", (int)entry.length, entry.text,
                                    HLO_NEAREST_FUNCTION(tree, entry)), NULL;
  if (publics != 1) return hlo_fail(status, HLO_VERIFY, "expected a function @main, or one public function; there are %d public functions", publics), NULL;
  return last;
}

/* ---- The module ---- */

static bool list_functions(hlo_lowering *l) {
  const hlo_mlir_block *body = &l->tree->body;
  l->functions = hlo_arena_many(l->arena, const hlo_mlir_op *, body->op_count, l->status);
  l->computation_of = hlo_arena_many(l->arena, int, body->op_count, l->status);
  l->active = hlo_arena_many(l->arena, bool, body->op_count, l->status);
  if (!l->functions || !l->computation_of || !l->active) return false;
  for (int i = 0; i < body->op_count; i++) {
    const hlo_mlir_op *op = body->ops[i];
    hlo_lower_call c = {.l = l, .op = op, .opcode = HLO_OP_TUPLE};
    if (!hlo_span_is(op->name, "func.func")) {
      if (hlo_span_is(op->name, "sdy.mesh")) continue;
      return hlo_lower_fail(&c, HLO_UNSUPPORTED, "only functions may stand in a module");
    }
    hlo_span name = hlo_mlir_find(op, "sym_name") ? symbol_name(op) : (hlo_span){0};
    if (!name.length || op->region_count != 1) return hlo_lower_fail(&c, HLO_VERIFY, "a function needs a name and a body");
    if (!op->regions[0].block_count) continue; /* a declaration */
    l->computation_of[l->function_count] = -1;
    l->functions[l->function_count++] = op;
  }
  return true;
}

/* Returns whether shapes must be inferred: some type leaves them open, and the arguments of the entry do not. */
static bool refines(const hlo_lowering *l) {
  const hlo_mlir_block *block = &l->functions[l->entry]->regions[0].block;
  bool given = l->given && l->given->shapes;
  for (int i = 0; !given && i < block->argument_count; i++) {
    const hlo_mlir_type *type = l->tree->values[block->first_argument + i].type;
    if (type->kind == HLO_MLIR_SHAPED && hlo_shape_has_unbounded(type->shape)) return false;
  }
  return l->is_open;
}

static bool lower_functions(hlo_lowering *l, hlo_span wanted) {
  if (!list_functions(l)) return false;
  const hlo_mlir_op *entry = hlo_stablehlo_entry(l->tree, wanted, l->status);
  if (!entry) return false;
  while (l->functions[l->entry] != entry) l->entry++;
  for (int i = 0; i < l->tree->value_count && !l->is_open; i++) l->is_open = type_is_open(l->tree->values[i].type);
  l->refines = refines(l);
  if (l->refines && !(add_computation(l, l->entry) && lower_function(l, l->entry))) return false;
  for (int i = 0; !l->refines && i < l->function_count; i++)
    if (!add_computation(l, i)) return false;
  for (int i = 0; !l->refines && i < l->function_count; i++)
    if (!lower_function(l, i)) return false;
  l->module->entry = l->computation_of[l->entry];
  return true;
}

static bool module_count(const hlo_mlir *tree, const char *name, int64_t *count, hlo_status *status) {
  *count = 1;
  for (int i = 0; i < tree->attribute_count; i++)
    if (hlo_span_is(tree->attributes[i].name, name) && tree->attributes[i].value->kind == HLO_MLIR_INT) *count = tree->attributes[i].value->integer;
  return *count >= 1 || hlo_fail(status, HLO_SHAPE, "the module's %s must be at least 1, got %lld", name, (long long)*count);
}

bool hlo_lower_grid(const hlo_mlir *tree, int64_t *replicas, int64_t *partitions, hlo_status *status) {
  return module_count(tree, "mhlo.num_replicas", replicas, status) && module_count(tree, "mhlo.num_partitions", partitions, status);
}

/* Adds a column to a failure of verification, which knows only the line: that of the first operation on it. Always returns false. */
static bool locate_line(const hlo_mlir_block *block, hlo_status *status) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    if (status->line && op->place.line == status->line) return hlo_status_locate(status, &op->place);
    for (int j = 0; j < op->region_count; j++) locate_line(&op->regions[j].block, status);
  }
  return false;
}

hlo_module *hlo_stablehlo_lower(const hlo_mlir *tree, hlo_span entry, hlo_status *status) {
  return hlo_stablehlo_lower_for(tree, entry, NULL, status);
}

hlo_module *hlo_stablehlo_lower_for(const hlo_mlir *tree, hlo_span entry, const hlo_specialisation *specialisation, hlo_status *status) {
  if (!hlo_stablehlo_check_constraints(tree, status)) return NULL;
  hlo_span name = tree->name.length ? tree->name : (hlo_span){"module", 6};
  hlo_lowering l = {.tree = tree, .status = status, .given = specialisation, .module = hlo_module_new(name.text, name.length, status)};
  if (!l.module) return NULL;
  l.arena = &l.module->arena;
  l.instruction_of = malloc(((size_t)tree->value_count + 1) * sizeof *l.instruction_of);
  bool ok = l.instruction_of || hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d values", tree->value_count);
  if (ok) memset(l.instruction_of, -1, ((size_t)tree->value_count + 1) * sizeof *l.instruction_of);
  ok = ok && hlo_lower_grid(tree, &l.module->replica_count, &l.module->num_partitions, status) && lower_functions(&l, entry) && (hlo_verify_module(l.module, status) || locate_line(&tree->body, status));
  free(l.instruction_of);
  hlo_arena_free(&l.scratch);
  if (ok) return l.module;
  hlo_module_free(l.module);
  return NULL;
}

/* HLO text begins with "HloModule" or a computation; MLIR with "module", an op with a dot or a quote, or an alias. */
bool hlo_stablehlo_recognise(const char *text, size_t length) {
  hlo_status ignored = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, text, length, &ignored);
  char c = hlo_reader_peek(&reader);
  if (c == '#' || c == '!' || c == '"') return true;
  if (hlo_reader_accept_word(&reader, "module")) {
    c = hlo_reader_peek(&reader);
    return c == '{' || c == '@' || c == 'a';
  }
  return hlo_reader_accept(&reader, "func.func") || hlo_reader_accept(&reader, "builtin.module") || hlo_reader_accept(&reader, "sdy.mesh") || hlo_reader_accept(&reader, "{-#");
}
