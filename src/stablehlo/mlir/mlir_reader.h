/* The state of reading MLIR text, shared by the readers of types, attributes and operations. */
#ifndef HLO_STABLEHLO_MLIR_MLIR_READER_H
#define HLO_STABLEHLO_MLIR_MLIR_READER_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"

/* A growing list in malloc'd memory, which is moved into the arena once it is complete. */
typedef struct hlo_list {
  void *items;
  int count, capacity;
  size_t size;
} hlo_list;
bool hlo_list_push(hlo_list *list, const void *item, hlo_status *status);
void *hlo_list_take(hlo_list *list, hlo_arena *arena, hlo_status *status); /* never NULL on success */
void hlo_list_drop(hlo_list *list);

typedef struct hlo_mlir_binding {
  hlo_span name;
  int first, count;   /* number of the first value, and number of values: several for a result pack (%a:2) */
  int next;           /* the next binding of the same hash bucket, -1: none */
  unsigned hash;
} hlo_mlir_binding;

typedef struct hlo_mlir_alias {
  hlo_span name;      /* "#map", "!type" */
  const hlo_mlir_attribute *attribute;
  const hlo_mlir_type *type;
} hlo_mlir_alias;

enum { HLO_MLIR_BUCKETS = 4096 };

typedef struct hlo_mlir_reader {
  hlo_reader text;
  hlo_mlir *tree;
  hlo_arena *arena;
  hlo_status *status;
  int value_capacity;
  /* Names in scope: a stack of bindings, hashed. Leaving a region pops the bindings that it pushed. */
  hlo_mlir_binding *bindings;
  int binding_count, binding_capacity;
  int buckets[HLO_MLIR_BUCKETS];
  int scope_floor;    /* bindings below this one are not visible: a function sees nothing from outside */
  const char *resources;            /* the start of {-# ... #-}; NULL until it has been found */
  const char *counted, *line_start; /* lines have been counted up to `counted` */
  int line;
  hlo_mlir_alias *aliases;
  int alias_count, alias_capacity;
  hlo_list located; /* hlo_mlir_located: argument names, which are resolved at the end, when every alias is known */
} hlo_mlir_reader;

/* Tokens of MLIR text that HLO text does not have. */
hlo_span hlo_mlir_read_bare(hlo_mlir_reader *r);     /* [A-Za-z_][A-Za-z0-9_$.]*; empty if none */
hlo_span hlo_mlir_read_suffix(hlo_mlir_reader *r);   /* the characters that may follow '%', '^', '#', '!': letters, digits, _$.- */
bool hlo_mlir_read_symbol(hlo_mlir_reader *r, hlo_span *symbol); /* @name, @"name", @a::@b */
bool hlo_mlir_read_string(hlo_mlir_reader *r, hlo_span *text);   /* unescaped, in the arena */
hlo_span hlo_mlir_keep(hlo_mlir_reader *r, hlo_span span);       /* copies into the arena */
/* Reads from behind a '<' up to the '>' that closes it; brackets inside are balanced. The body excludes the '>'. */
bool hlo_mlir_read_angle(hlo_mlir_reader *r, hlo_span *body);

const hlo_mlir_type *hlo_mlir_read_type(hlo_mlir_reader *r);
/* Reads a function type: "(T, T) -> T", "(T) -> (T, T)". */
const hlo_mlir_type *hlo_mlir_read_function_type(hlo_mlir_reader *r);
/* Reads an element type of tensors: i32, f32, complex<f32>, !quant.uniform<...>. */
bool hlo_mlir_read_element(hlo_mlir_reader *r, hlo_type *element, bool *is_index, const hlo_quantization **quantization);
const hlo_mlir_type *hlo_mlir_scalar_type(hlo_mlir_reader *r, hlo_type element);

const hlo_mlir_attribute *hlo_mlir_read_attribute(hlo_mlir_reader *r);
/* Reads what stands behind "#name<", as a dictionary. where: the place of errors about all of it. */
const hlo_mlir_attribute *hlo_mlir_read_structure(hlo_mlir_reader *r, const char *where, hlo_span name);
/* Checks that the word that comes next, FLOAT, is one of an enumeration, comparison_type; the message names the attribute. Keeps the cursor. */
bool hlo_mlir_check_word(hlo_mlir_reader *r, const char *attribute, const char *enumeration);
/* Reads what begins with 0x, like 0x7FC00000: the bits of a float, the value of an integer. */
bool hlo_mlir_read_hex(hlo_mlir_reader *r, uint64_t *bits);
/* Read the rest of an attribute after its word "dense", "sparse", "dense_resource" or "array"; `word` is the place of that word. */
const hlo_mlir_attribute *hlo_mlir_read_dense(hlo_mlir_reader *r, const char *word);
const hlo_mlir_attribute *hlo_mlir_read_sparse(hlo_mlir_reader *r, const char *word);
const hlo_mlir_attribute *hlo_mlir_read_resource(hlo_mlir_reader *r);
const hlo_mlir_attribute *hlo_mlir_read_array(hlo_mlir_reader *r);
/* Reads "{name = value, unit}" and appends to a list of hlo_mlir_named. */
bool hlo_mlir_read_dictionary(hlo_mlir_reader *r, hlo_list *named);
hlo_mlir_attribute *hlo_mlir_new_attribute(hlo_mlir_reader *r, hlo_mlir_attribute_kind kind);
bool hlo_mlir_push_named(hlo_mlir_reader *r, hlo_list *named, const char *name, const hlo_mlir_attribute *value);

/* An operation while it is read. */
typedef struct hlo_mlir_pending {
  hlo_mlir_op op;
  const char *where;        /* the place of its name */
  hlo_list operands;        /* int */
  hlo_list named;           /* hlo_mlir_named */
  hlo_list regions;         /* hlo_mlir_region */
  hlo_list result_types;    /* const hlo_mlir_type * */
} hlo_mlir_pending;

/* ---- Values and names (mlir_scope.c) ---- */
int hlo_mlir_new_value(hlo_mlir_reader *r, const hlo_mlir_type *type, hlo_span name); /* -1 on failure */
bool hlo_mlir_bind(hlo_mlir_reader *r, hlo_span name, int first, int count);
void hlo_mlir_leave_scope(hlo_mlir_reader *r, int mark); /* forgets the bindings from number `mark` on */
/* Reads "%name" or "%name#1" as an operand; the bare name of a pack stands for its only value. */
bool hlo_mlir_read_operand(hlo_mlir_reader *r, hlo_mlir_pending *p);
bool hlo_mlir_read_operands(hlo_mlir_reader *r, hlo_mlir_pending *p); /* separated by commas, perhaps none */
/* Reads "{ ^bb0(%a: T): ops }". `names`, which pretty while and reduce write before the region, become arguments of the block. */
bool hlo_mlir_read_region(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_span *names,
                          const hlo_mlir_type *const *types, int count);
/* ---- Operations (mlir_op_read.c, mlir_module_read.c) ---- */
hlo_mlir_op *hlo_mlir_read_op(hlo_mlir_reader *r);
/* Reads operations up to `close` (0: the end of the text), which is not consumed. */
bool hlo_mlir_read_ops(hlo_mlir_reader *r, hlo_mlir_block *block, char close);
/* Reads the rest of an argument list after "(": %a: T, %b: T {attributes} loc(...)). The locations of a function's arguments name them. */
bool hlo_mlir_read_arguments(hlo_mlir_reader *r, hlo_mlir_block *block, bool of_function);
/* Reads loc(...) if there is one; the body is empty otherwise. */
bool hlo_mlir_read_location(hlo_mlir_reader *r, hlo_span *body);
bool hlo_mlir_skip_location(hlo_mlir_reader *r);
/* ---- Argument names from locations (mlir_location.c) ---- */
/* Arguments whose names are still the text of their locations, with brackets, until hlo_mlir_name_located. */
typedef struct hlo_mlir_located {
  hlo_span *names;
  int count;
} hlo_mlir_located;
/* Replaces the text of each location by the name it holds. Runs at the end, because aliases may be defined anywhere. */
bool hlo_mlir_name_located(hlo_mlir_reader *r);
/* Read the rest of an operation after "func.func" or "module". */
bool hlo_mlir_read_function(hlo_mlir_reader *r, hlo_mlir_pending *p);
bool hlo_mlir_read_module(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Reads an operation in custom assembly, from behind its name to its end. */
bool hlo_mlir_read_pretty(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Checks the operand types that are written against the values' types, and takes the result types. */
bool hlo_mlir_take_types(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *function);

#endif
