/* The state of reading MLIR text, shared by the readers of types, attributes and operations. */
#ifndef HLO_STABLEHLO_MLIR_READER_H
#define HLO_STABLEHLO_MLIR_READER_H

#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"

/* A growing list in malloc'd memory, moved into the arena when it is whole. */
typedef struct hlo_list {
  void *items;
  int count, capacity;
  size_t size;
} hlo_list;
bool hlo_list_push(hlo_list *list, const void *item, hlo_status *status);
void *hlo_list_take(hlo_list *list, hlo_arena *arena, hlo_status *status); /* never NULL when it succeeds */
void hlo_list_drop(hlo_list *list);

typedef struct hlo_mlir_binding {
  hlo_span name;
  int first, count;   /* values; count > 1 for result packs */
  int next;           /* binding of the same hash bucket, -1: none */
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
  /* Names in scope: a stack of bindings, hashed; leaving a region pops those it pushed. */
  hlo_mlir_binding *bindings;
  int binding_count, binding_capacity;
  int buckets[HLO_MLIR_BUCKETS];
  int scope_floor;    /* bindings below are out of sight (functions see nothing outside) */
  const char *resources;            /* where {-# ... #-} begins, once it was looked for and found */
  const char *counted, *line_start; /* lines were counted up to here */
  int line;
  hlo_mlir_alias *aliases;
  int alias_count, alias_capacity;
  hlo_list located; /* hlo_mlir_located: argument names to be found once every alias is known */
} hlo_mlir_reader;

/* Tokens that HLO text does not have. */
hlo_span hlo_mlir_read_bare(hlo_mlir_reader *r);     /* [A-Za-z_][A-Za-z0-9_$.]*; empty if none */
hlo_span hlo_mlir_read_suffix(hlo_mlir_reader *r);   /* what may follow '%', '^', '#', '!': letters, digits, _$.- */
bool hlo_mlir_read_symbol(hlo_mlir_reader *r, hlo_span *symbol); /* @name, @"name", @a::@b */
bool hlo_mlir_read_string(hlo_mlir_reader *r, hlo_span *text);   /* unescaped, in the arena */
hlo_span hlo_mlir_keep(hlo_mlir_reader *r, hlo_span span);       /* a copy in the arena */
/* The balanced text from the cursor up to the '>' that closes a '<' already read; consumes the '>'. */
bool hlo_mlir_read_angle(hlo_mlir_reader *r, hlo_span *body);

const hlo_mlir_type *hlo_mlir_read_type(hlo_mlir_reader *r);
/* "(T, T) -> T", "(T) -> (T, T)"; a function type. */
const hlo_mlir_type *hlo_mlir_read_function_type(hlo_mlir_reader *r);
/* An element type of tensors: i32, f32, complex<f32>, !quant.uniform<...>. */
bool hlo_mlir_read_element(hlo_mlir_reader *r, hlo_type *element, bool *is_index, const hlo_quantization **quantization);
const hlo_mlir_type *hlo_mlir_scalar_type(hlo_mlir_reader *r, hlo_type element);

const hlo_mlir_attribute *hlo_mlir_read_attribute(hlo_mlir_reader *r);
/* What follows "dense", "sparse", "dense_resource" and "array"; `word` is where that stands. */
const hlo_mlir_attribute *hlo_mlir_read_dense(hlo_mlir_reader *r, const char *word);
const hlo_mlir_attribute *hlo_mlir_read_sparse(hlo_mlir_reader *r, const char *word);
const hlo_mlir_attribute *hlo_mlir_read_resource(hlo_mlir_reader *r);
const hlo_mlir_attribute *hlo_mlir_read_array(hlo_mlir_reader *r);
/* "{name = value, unit}" appended to a list of hlo_mlir_named. */
bool hlo_mlir_read_dictionary(hlo_mlir_reader *r, hlo_list *named);
hlo_mlir_attribute *hlo_mlir_new_attribute(hlo_mlir_reader *r, hlo_mlir_attribute_kind kind);
bool hlo_mlir_push_named(hlo_mlir_reader *r, hlo_list *named, const char *name, const hlo_mlir_attribute *value);

/* An operation being read. */
typedef struct hlo_mlir_pending {
  hlo_mlir_op op;
  const char *where;        /* of its name */
  hlo_list operands;        /* int */
  hlo_list named;           /* hlo_mlir_named */
  hlo_list regions;         /* hlo_mlir_region */
  hlo_list result_types;    /* const hlo_mlir_type * */
} hlo_mlir_pending;

/* ---- Values and names (mlir_scope.c) ---- */
int hlo_mlir_new_value(hlo_mlir_reader *r, const hlo_mlir_type *type, hlo_span name); /* -1 on failure */
bool hlo_mlir_bind(hlo_mlir_reader *r, hlo_span name, int first, int count);
void hlo_mlir_leave_scope(hlo_mlir_reader *r, int mark); /* forgets the bindings from number `mark` on */
/* One "%name" or "%name#1" as an operand; a bare pack name stands for its single value. */
bool hlo_mlir_read_operand(hlo_mlir_reader *r, hlo_mlir_pending *p);
bool hlo_mlir_read_operands(hlo_mlir_reader *r, hlo_mlir_pending *p); /* comma-separated, possibly none */
/* "{ ^bb0(%a: T): ops }" with the names bound before (of pretty while and reduce) as block arguments. */
bool hlo_mlir_read_region(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_span *names,
                          const hlo_mlir_type *const *types, int count);
/* ---- Operations (mlir_op_read.c, mlir_module_read.c) ---- */
hlo_mlir_op *hlo_mlir_read_op(hlo_mlir_reader *r);
/* Operations up to `close` (0: the end of the text), which stays. */
bool hlo_mlir_read_ops(hlo_mlir_reader *r, hlo_mlir_block *block, char close);
/* What follows "(": %a: T, %b: T {attributes} loc(...)); the locations of a function's arguments name them. */
bool hlo_mlir_read_arguments(hlo_mlir_reader *r, hlo_mlir_block *block, bool of_function);
/* loc(...), which may be absent: then the body is empty. */
bool hlo_mlir_read_location(hlo_mlir_reader *r, hlo_span *body);
bool hlo_mlir_skip_location(hlo_mlir_reader *r);
/* ---- Names that locations tell (mlir_location.c) ---- */
/* Arguments whose names stand as the bodies of locations, with their brackets, until hlo_mlir_name_located. */
typedef struct hlo_mlir_located {
  hlo_span *names;
  int count;
} hlo_mlir_located;
/* Puts in place of each body the name that it holds; aliases may stand anywhere in the text. */
bool hlo_mlir_name_located(hlo_mlir_reader *r);
/* What follows "func.func" and "module". */
bool hlo_mlir_read_function(hlo_mlir_reader *r, hlo_mlir_pending *p);
bool hlo_mlir_read_module(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* What follows the name of an op in custom assembly, up to its end. */
bool hlo_mlir_read_pretty(hlo_mlir_reader *r, hlo_mlir_pending *p);
/* Checks operand types as written against the values' types, and takes the result types. */
bool hlo_mlir_take_types(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *function);

#endif
