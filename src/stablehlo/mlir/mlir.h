/* An MLIR module as a plain tree: operations, values, attributes, regions.
 *
 * The text reader and the bytecode reader both make this tree. It says nothing about what operations mean: lowering to the graph
 * does. The tree's arena owns everything. */
#ifndef HLO_STABLEHLO_MLIR_MLIR_H
#define HLO_STABLEHLO_MLIR_MLIR_H

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Types ---- */
typedef enum hlo_mlir_type_kind {
  HLO_MLIR_SHAPED,   /* tensor, tuple, token: `shape` */
  HLO_MLIR_UNRANKED, /* tensor<*xf32> */
  HLO_MLIR_SCALAR,   /* i32, f32, index: `element` */
  HLO_MLIR_FUNCTION, /* inputs and results */
  HLO_MLIR_FUTURE,   /* !stablehlo.future<...>: `results` */
  HLO_MLIR_OTHER     /* anything else, kept as text */
} hlo_mlir_type_kind;

typedef struct hlo_mlir_type hlo_mlir_type;
struct hlo_mlir_type {
  hlo_mlir_type_kind kind;
  hlo_span text;                        /* as written; bytecode sets it only for types of one word */
  const hlo_shape *shape;               /* SHAPED */
  hlo_type element;                     /* SCALAR, UNRANKED; S64 for index */
  bool is_index;
  const hlo_quantization *quantization; /* SCALAR: a !quant.uniform by itself */
  int input_count, result_count;
  const hlo_mlir_type *const *inputs, *const *results;
};

/* ---- Attributes ---- */
typedef enum hlo_mlir_attribute_kind {
  HLO_MLIR_UNIT,
  HLO_MLIR_BOOL,    /* integer */
  HLO_MLIR_INT,     /* integer, type */
  HLO_MLIR_FLOAT,   /* real, type */
  HLO_MLIR_STRING,  /* text, unescaped */
  HLO_MLIR_SYMBOL,  /* text, without '@'; nested ones joined by "::" */
  HLO_MLIR_TYPE,    /* type */
  HLO_MLIR_ARRAY,   /* [a, b]: elements */
  HLO_MLIR_DICT,    /* {a = b}, and #dialect.name<a = b>: names and elements; text is the mnemonic */
  HLO_MLIR_DENSE,   /* dense<...>, array<...>: literal */
  HLO_MLIR_ENUM,    /* #dialect<kind VALUE>, #dialect.kind<VALUE>: text is VALUE */
  HLO_MLIR_CONV,    /* [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: text */
  HLO_MLIR_RAW      /* anything else, kept as text */
} hlo_mlir_attribute_kind;

typedef struct hlo_mlir_attribute hlo_mlir_attribute;
struct hlo_mlir_attribute {
  hlo_mlir_attribute_kind kind;
  hlo_span text;
  int64_t integer;
  double real;
  const hlo_mlir_type *type;    /* INT, FLOAT, DENSE: the value's type; TYPE: the type itself */
  const hlo_literal *literal;   /* DENSE; a scalar where one value stands for all elements of a large array (hlo_mlir_make_elements) */
  int count;                    /* ARRAY, DICT */
  const hlo_span *names;        /* DICT */
  const hlo_mlir_attribute *const *elements;
};

/* Makes room for the elements of a dense attribute. One value that is given for more elements than these is held as a scalar, so that
 * it takes no memory whatever the size of the array. */
enum { HLO_MLIR_MOST_REPEATED = 1 << 16 };
hlo_literal *hlo_mlir_make_elements(hlo_arena *arena, const hlo_shape *shape, bool one_value, hlo_status *status);
/* Returns whether a dense attribute has a scalar for the elements of an array. */
static inline bool hlo_mlir_is_repeated(const hlo_mlir_attribute *dense) {
  return dense->type && dense->literal->shape->rank == 0 && dense->type->shape->rank > 0;
}

typedef struct hlo_mlir_named {
  hlo_span name;
  const hlo_mlir_attribute *value;
} hlo_mlir_named;

/* ---- Operations ---- */
typedef struct hlo_mlir_op hlo_mlir_op;
typedef struct hlo_mlir_region hlo_mlir_region;

typedef struct hlo_mlir_block {
  int argument_count, first_argument; /* numbers of consecutive values */
  hlo_span *argument_names; /* of a function's block: the arguments' names from their locations, such as params['w'], empty if there is
                             * none. NULL: none at all */
  int op_count;
  hlo_mlir_op *const *ops;
} hlo_mlir_block;

struct hlo_mlir_region {
  int block_count; /* 0 (a declaration) or 1: branches between blocks are not supported */
  hlo_mlir_block block;
};

struct hlo_mlir_op {
  hlo_span name;              /* stablehlo.add, func.func, ... */
  int operand_count;
  const int *operands;        /* numbers of values */
  int result_count, first_result;
  int attribute_count;
  const hlo_mlir_named *attributes;
  int region_count;
  const hlo_mlir_region *regions;
  hlo_text_place place;            /* of the name in the text; line 0 in bytecode */
};

typedef struct hlo_mlir_value {
  const hlo_mlir_type *type;
  hlo_span name; /* without '%'; empty from bytecode */
} hlo_mlir_value;

typedef struct hlo_mlir {
  hlo_arena arena;
  hlo_span name;                 /* the module's name; empty if it has none */
  int attribute_count;
  const hlo_mlir_named *attributes;
  hlo_mlir_block body;           /* mostly functions */
  int value_count;
  hlo_mlir_value *values;
} hlo_mlir;

/* Parses MLIR text. Keeps no reference to `text`. Returns NULL on failure, with line, column and caret. */
hlo_mlir *hlo_mlir_parse(const char *text, size_t length, hlo_status *status);
/* Parses one attribute, such as {a = 1 : i32}, into the arena; no text may follow it. Returns NULL on failure. */
const hlo_mlir_attribute *hlo_mlir_parse_attribute(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
void hlo_mlir_free(hlo_mlir *tree);
/* Pin the large constants of the tree (shape/literal.h), so that it can be printed, and let go of them. */
bool hlo_mlir_pin(hlo_mlir *tree, hlo_status *status);
void hlo_mlir_settle(hlo_mlir *tree);

/* Names arguments without a name of a function that only passes them on to another one: they take the names they have there.
 * jax.export wraps a program in such a function, whose own arguments have no locations. */
bool hlo_mlir_name_passed_arguments(hlo_mlir *tree, hlo_status *status);

/* Returns whether an operation ends a block: a return of stablehlo, func or sdy. */
bool hlo_mlir_is_return(const hlo_mlir_op *op);
/* Find an attribute, or an entry of a dictionary, by name. NULL if there is none. */
const hlo_mlir_attribute *hlo_mlir_find(const hlo_mlir_op *op, const char *name);
const hlo_mlir_attribute *hlo_mlir_entry(const hlo_mlir_attribute *dict, const char *name);
/* Returns what is wrong with an attribute wherever it stands (dot_algorithm, result_accuracy); NULL if nothing is. */
const char *hlo_mlir_attribute_problem(const hlo_mlir_attribute *attribute);
static inline const hlo_mlir_type *hlo_mlir_operand_type(const hlo_mlir *m, const hlo_mlir_op *op, int i) {
  return m->values[op->operands[i]].type;
}
static inline const hlo_mlir_type *hlo_mlir_result_type(const hlo_mlir *m, const hlo_mlir_op *op, int i) {
  return m->values[op->first_result + i].type;
}
/* Formats messages about an operation, as an hlo_format_thing whose context is an hlo_mlir_place. %pT is a type, %pS a shape in HLO's
 * form, %pA an attribute, %pN an hlo_span; {0} is the type of operand 0, {r} that of result 0. */
typedef struct hlo_mlir_place {
  const hlo_mlir *tree;
  const hlo_mlir_op *op;
} hlo_mlir_place;
const char *hlo_mlir_thing(const void *place, char letter, const void *thing, char *buffer, size_t size);

/* Returns the function with this symbol name; NULL if there is none. */
const hlo_mlir_op *hlo_mlir_function(const hlo_mlir *tree, hlo_span symbol);
/* Writes the end of a message about a missing function: "; did you mean '@main'?", or nothing. Returns hint. */
char *hlo_mlir_function_hint(const hlo_mlir *tree, hlo_span symbol, char hint[HLO_HINT_BYTES]);
#define HLO_NEAREST_FUNCTION(tree, symbol) hlo_mlir_function_hint((tree), (symbol), (char[HLO_HINT_BYTES]){0})

#endif
