/* Describes the function in a file of jax.export as JSON:
 *
 *   {"function":"f","platforms":["cpu"],"convention":10,"platformIndex":null,"tokens":0,"kept":[0,2],
 *    "inputs":{"kind":"tuple","children":[...]},"outputs":{"kind":"dict","keys":["y"],"children":[{"kind":"leaf"}]}}
 *
 * `inputs` is the pair of positional and keyword arguments. The module takes, in this order: the index of a platform if there
 * are several, a token for each ordered effect, and the leaves of the arguments that are kept. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/bytecode/flat_buffer.h"
#include "stablehlo/mlir/mlir.h"

/* Numbers of fields: of Exported, and of PyTreeDef. */
enum { FUNCTION = 1, IN_TREE = 2, OUT_TREE = 4, PLATFORMS = 9, ORDERED_EFFECTS = 10, CONVENTION = 14, KEPT = 15 };
enum { KIND, CHILDREN, KEYS, CUSTOM_NAME, CUSTOM_DATA };
typedef enum tree_kind { LEAF, NONE, TUPLE, LIST, DICT, CUSTOM, TREE_KINDS } tree_kind;
static const char *const kind_names[] = {"leaf", "none", "tuple", "list", "dict", "custom"};

/* The calling conventions in which arguments are in the order above. */
enum { FIRST_CONVENTION = 9, LAST_CONVENTION = 10 };

typedef struct describing {
  hlo_flat flat;
  hlo_writer *json;
  hlo_status *status;
  hlo_writer path;       /* of the current node: args[0]['kernel'] */
  hlo_arena *arena;      /* for names */
  hlo_span *names;       /* of the module's arguments, from the first kept leaf on; NULL while results are described, which have no names */
  size_t kept;           /* position of the kept leaves' numbers */
  uint32_t kept_count, next_kept;
  uint32_t leaves;       /* leaves seen so far */
  size_t nodes;
  int depth;
} describing;

static bool broken(describing *d, size_t at, const char *what) {
  return hlo_fail(d->status, HLO_PARSE, "byte %zu: %s of the jax.export", at, what);
}

/* ---- Names of a node's children ---- */

/* The source of the children's names: the keys of a dictionary, or the data of a named tuple, which lists its fields: ["mu","nu"]. */
typedef struct node_keys {
  size_t first;     /* of a dictionary: the position of the first key */
  hlo_reader data;  /* of a named tuple; cursor NULL: the children have no names */
  hlo_status unread;
} node_keys;

static bool next_field(hlo_reader *r, hlo_span *name) {
  return (hlo_reader_accept(r, "[") || hlo_reader_accept(r, ",")) && hlo_reader_peek(r) == '"' && hlo_reader_quoted(r, name);
}

/* Returns whether the data of a custom node is a list of `count` names. */
static bool names_children(describing *d, size_t table, uint32_t count, node_keys *keys) {
  hlo_span data, name;
  if (!hlo_flat_bytes(&d->flat, table, CUSTOM_DATA, &data)) return false;
  hlo_reader_init(&keys->data, data.text, data.length, &keys->unread);
  hlo_reader r = keys->data;
  for (uint32_t i = 0; i < count; i++)
    if (!next_field(&r, &name) || memchr(name.text, '\\', name.length)) return false;
  return count && hlo_reader_accept(&r, "]") && hlo_reader_at_end(&r);
}

static bool open_keys(describing *d, size_t table, tree_kind kind, uint32_t count, node_keys *keys) {
  uint32_t named = 0;
  *keys = (node_keys){0};
  if (kind == CUSTOM && !names_children(d, table, count, keys)) keys->data.cursor = NULL;
  if (kind != DICT) return true;
  return (hlo_flat_vector(&d->flat, table, KEYS, 4, &keys->first, &named) && named == count) || broken(d, table, "a dictionary has not one key for each value in a tree");
}

/* Writes `, "keys": [...]`, and leaves the keys to be read again. */
static bool write_keys(describing *d, tree_kind kind, const node_keys *keys, uint32_t count) {
  hlo_reader data = keys->data;
  if (kind != DICT && (kind != CUSTOM || !data.cursor)) return true;
  hlo_write(d->json, ",\"keys\":[");
  for (uint32_t i = 0; i < count; i++) {
    hlo_span key = {0};
    if (kind == DICT ? !hlo_flat_string(&d->flat, keys->first + 4 * i, &key) : !next_field(&data, &key)) return broken(d, keys->first, "a key is cut short in a tree");
    if (i) hlo_write_char(d->json, ',');
    hlo_write_json(d->json, key.text, key.length);
  }
  hlo_write_char(d->json, ']');
  return true;
}

/* Appends a child to the path: ['kernel'] in a dictionary, .mu in a named tuple, [0] in other nodes; the root's two children are args
 * and kwargs. */
static void push_path(describing *d, tree_kind kind, node_keys *keys, uint32_t i) {
  hlo_span key;
  if (!d->names) return;
  if (d->depth == 1) {
    hlo_write(&d->path, i ? "kwargs" : "args");
  } else if (kind == DICT && hlo_flat_string(&d->flat, keys->first + 4 * i, &key)) {
    hlo_write(&d->path, "['");
    for (size_t k = 0; k < key.length; k++) {
      if (key.text[k] == '\'' || key.text[k] == '\\') hlo_write_char(&d->path, '\\');
      hlo_write_char(&d->path, key.text[k]);
    }
    hlo_write(&d->path, "']");
  } else if (kind == CUSTOM && keys->data.cursor && next_field(&keys->data, &key)) {
    hlo_write_format(&d->path, ".%.*s", (int)key.length, key.text);
  } else {
    hlo_write_format(&d->path, "[%u]", i);
  }
}

/* ---- Trees ---- */

/* Counts a leaf. If it is kept, and no location has named the module's argument, the argument is named by the leaf's path. */
static bool count_leaf(describing *d) {
  uint32_t number = d->leaves++, kept;
  if (!d->names || d->next_kept == d->kept_count || !hlo_flat_number(&d->flat, d->kept + 2 * d->next_kept, 2, &kept) || kept != number) return true;
  hlo_span *name = &d->names[d->next_kept++];
  if (name->length) return true;
  char *text = hlo_arena_text(d->arena, d->path.text, d->path.length, d->status);
  *name = (hlo_span){text, d->path.length};
  return text != NULL;
}

static bool write_tree(describing *d, size_t table);

static bool write_children(describing *d, size_t table, tree_kind kind) {
  size_t first = 0, child;
  uint32_t count;
  node_keys keys;
  if (!hlo_flat_vector(&d->flat, table, CHILDREN, 4, &first, &count)) return broken(d, table, "a node is cut short in a tree");
  if (!open_keys(d, table, kind, count, &keys) || !write_keys(d, kind, &keys, count)) return false;
  hlo_write(d->json, ",\"children\":[");
  for (uint32_t i = 0; i < count; i++) {
    size_t length = d->path.length;
    if (!hlo_flat_follow(&d->flat, first + 4 * i, &child)) return broken(d, first, "a node is cut short in a tree");
    push_path(d, kind, &keys, i);
    if (i) hlo_write_char(d->json, ',');
    if (!write_tree(d, child)) return false;
    d->path.length = length;
  }
  hlo_write_char(d->json, ']');
  return true;
}

/* Writes a node. Each takes at least eight bytes of the file, which bounds their number: a node may be the child of several others. */
static bool write_tree(describing *d, size_t table) {
  uint32_t kind = hlo_flat_number_field(&d->flat, table, KIND, 1, LEAF);
  hlo_span name;
  if (kind >= TREE_KINDS) return broken(d, table, "a node is of an unknown kind in a tree");
  if (++d->nodes > d->flat.length / 8) return broken(d, table, "a node is part of several others in a tree");
  if (d->depth >= HLO_READER_MAX_DEPTH) return hlo_fail(d->status, HLO_LIMIT, "a tree of the jax.export is nested deeper than %d levels", HLO_READER_MAX_DEPTH);
  hlo_write_format(d->json, "{\"kind\":\"%s\"", kind_names[kind]);
  if (kind == CUSTOM && hlo_flat_bytes(&d->flat, table, CUSTOM_NAME, &name)) {
    hlo_write(d->json, ",\"type\":");
    hlo_write_json(d->json, name.text, name.length);
  }
  d->depth++;
  bool ok = kind == LEAF ? count_leaf(d) : kind == NONE || write_children(d, table, (tree_kind)kind);
  d->depth--;
  hlo_write_char(d->json, '}');
  return ok && hlo_ok(d->status);
}

static bool write_field_tree(describing *d, size_t root, int field, const char *name, uint32_t *leaves) {
  size_t at, table;
  if (!hlo_flat_field(&d->flat, root, field, &at) || !hlo_flat_follow(&d->flat, at, &table)) return broken(d, root, "a tree is missing");
  hlo_write_format(d->json, ",\"%s\":", name);
  d->leaves = 0;
  bool ok = write_tree(d, table);
  *leaves = d->leaves;
  return ok;
}

/* Checks for the pair of a tuple of positional arguments and a dictionary of keyword arguments. */
static bool check_pair(describing *d, size_t root) {
  static const uint32_t kinds[] = {TUPLE, DICT};
  size_t at, table, first = 0, child;
  uint32_t count = 0;
  bool ok = hlo_flat_field(&d->flat, root, IN_TREE, &at) && hlo_flat_follow(&d->flat, at, &table) && hlo_flat_vector(&d->flat, table, CHILDREN, 4, &first, &count) &&
            count == 2 && hlo_flat_number_field(&d->flat, table, KIND, 1, LEAF) == TUPLE;
  for (int i = 0; ok && i < 2; i++) ok = hlo_flat_follow(&d->flat, first + 4 * (size_t)i, &child) && hlo_flat_number_field(&d->flat, child, KIND, 1, LEAF) == kinds[i];
  return ok || broken(d, root, "the tree of the arguments is no pair of a tuple and a dictionary");
}

/* ---- The calling convention ---- */

/* Writes the platforms. Programs run here as on cpu, or as on the first platform if cpu is not listed. */
static bool write_platforms(describing *d, size_t root, uint32_t *count) {
  size_t first = 0;
  uint32_t chosen = 0;
  hlo_span name;
  if (!hlo_flat_vector(&d->flat, root, PLATFORMS, 4, &first, count)) return broken(d, root, "the list of platforms is cut short");
  hlo_write(d->json, ",\"platforms\":[");
  for (uint32_t i = 0; i < *count; i++) {
    if (!hlo_flat_string(&d->flat, first + 4 * i, &name)) return broken(d, first, "the name of a platform is cut short");
    if (hlo_span_is(name, "cpu")) chosen = i;
    if (i) hlo_write_char(d->json, ',');
    hlo_write_json(d->json, name.text, name.length);
  }
  if (*count > 1) hlo_write_format(d->json, "],\"platformIndex\":%u", chosen);
  else hlo_write(d->json, "],\"platformIndex\":null");
  return true;
}

static bool write_kept(describing *d, size_t root) {
  uint32_t number, before = 0;
  if (!hlo_flat_vector(&d->flat, root, KEPT, 2, &d->kept, &d->kept_count)) return broken(d, root, "the list of kept arguments is cut short");
  hlo_write(d->json, ",\"kept\":[");
  for (uint32_t i = 0; i < d->kept_count; i++, before = number) {
    if (!hlo_flat_number(&d->flat, d->kept + 2 * i, 2, &number) || (i && number <= before)) return broken(d, d->kept, "the list of kept arguments is not in order");
    hlo_write_format(d->json, i ? ",%u" : "%u", number);
  }
  hlo_write_char(d->json, ']');
  return true;
}

/* Returns whether the module's main function has as many arguments and results as the convention says. */
static bool fits(describing *d, const hlo_mlir_op *function, uint32_t before, uint32_t tokens, uint32_t inputs, uint32_t outputs) {
  const hlo_mlir_block *block = &function->regions[0].block;
  const hlo_mlir_op *end = block->op_count ? block->ops[block->op_count - 1] : NULL;
  uint32_t last = 0;
  if (d->kept_count) hlo_flat_number(&d->flat, d->kept + 2 * (d->kept_count - 1), 2, &last);
  if (d->kept_count && last >= inputs) return hlo_fail(d->status, HLO_VERIFY, "the jax.export keeps argument %u of %u", last, inputs);
  if ((uint32_t)block->argument_count != before + d->kept_count)
    return hlo_fail(d->status, HLO_VERIFY, "by its trees the jax.export passes %u arguments, but its module takes %d", before + d->kept_count, block->argument_count);
  if (end && (uint32_t)end->operand_count != tokens + outputs)
    return hlo_fail(d->status, HLO_VERIFY, "by its trees the jax.export gives %u results, but its module gives %d", tokens + outputs, end->operand_count);
  return true;
}

static bool describe(describing *d, size_t root, const hlo_mlir_op *function) {
  hlo_span name = {"", 0};
  uint32_t platforms, tokens = 0, inputs, outputs;
  size_t effects = 0;
  hlo_flat_bytes(&d->flat, root, FUNCTION, &name);
  hlo_write(d->json, "{\"function\":");
  hlo_write_json(d->json, name.text, name.length);
  hlo_write_format(d->json, ",\"convention\":%u", hlo_flat_number_field(&d->flat, root, CONVENTION, 2, 0));
  if (!hlo_flat_vector(&d->flat, root, ORDERED_EFFECTS, 4, &effects, &tokens)) return broken(d, root, "the list of effects is cut short");
  hlo_write_format(d->json, ",\"tokens\":%u", tokens);
  if (!write_platforms(d, root, &platforms) || !write_kept(d, root)) return false;
  const hlo_mlir_block *block = &function->regions[0].block;
  uint32_t before = tokens + (platforms > 1);
  bool named = block->argument_names && (uint32_t)block->argument_count == before + d->kept_count;
  d->names = named ? block->argument_names + before : NULL;
  if (!check_pair(d, root) || !write_field_tree(d, root, IN_TREE, "inputs", &inputs)) return false;
  d->names = NULL;
  if (!write_field_tree(d, root, OUT_TREE, "outputs", &outputs)) return false;
  hlo_write_char(d->json, '}');
  return fits(d, function, before, tokens, inputs, outputs);
}

bool hlo_jax_export_describe(const char *bytes, size_t length, hlo_mlir *tree, hlo_writer *json, hlo_status *status) {
  describing d = {.flat = {(const uint8_t *)bytes, length}, .json = json, .status = status, .arena = &tree->arena};
  size_t root;
  const hlo_mlir_op *function = hlo_mlir_function(tree, (hlo_span){"main", 4});
  if (!hlo_flat_follow(&d.flat, 0, &root) || !function || function->region_count != 1 || !function->regions[0].block_count) return true;
  uint32_t convention = hlo_flat_number_field(&d.flat, root, CONVENTION, 2, 0);
  if (convention < FIRST_CONVENTION || convention > LAST_CONVENTION) return true;
  hlo_writer_init(&d.path, status);
  bool ok = describe(&d, root, function);
  hlo_writer_free(&d.path);
  return ok;
}
