/* An MLIR module as a plain tree: operations, values, attributes, regions.
 *
 * Both doors, text and bytecode, make this tree; what the operations mean is decided when it is lowered to
 * the graph. Everything belongs to the tree's arena. */
#ifndef HLO_STABLEHLO_MLIR_H
#define HLO_STABLEHLO_MLIR_H

#include "base/nearest_name.h"
#include "shape/literal.h"

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
  hlo_span text;                        /* as written; of types from bytecode only where it is one word */
  const hlo_shape *shape;               /* SHAPED */
  hlo_type element;                     /* SCALAR, UNRANKED; index is S64 with is_index */
  bool is_index;
  const hlo_quantization *quantization; /* SCALAR: a !quant.uniform standing alone */
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
  const hlo_mlir_type *type;    /* of INT, FLOAT, DENSE; the type itself for TYPE */
  const hlo_literal *literal;   /* DENSE */
  int count;                    /* ARRAY, DICT */
  const hlo_span *names;        /* DICT */
  const hlo_mlir_attribute *const *elements;
};

typedef struct hlo_mlir_named {
  hlo_span name;
  const hlo_mlir_attribute *value;
} hlo_mlir_named;

/* ---- Operations ---- */
typedef struct hlo_mlir_op hlo_mlir_op;
typedef struct hlo_mlir_region hlo_mlir_region;

typedef struct hlo_mlir_block {
  int argument_count, first_argument; /* value numbers, consecutive */
  hlo_span *argument_names; /* of a function: what locations call its arguments, params['w']; empty: nothing. NULL: nothing at all */
  int op_count;
  hlo_mlir_op *const *ops;
} hlo_mlir_block;

struct hlo_mlir_region {
  int block_count; /* 0 (a declaration) or 1: structured control flow only */
  hlo_mlir_block block;
};

struct hlo_mlir_op {
  hlo_span name;              /* stablehlo.add, func.func, ... */
  int operand_count;
  const int *operands;        /* value numbers */
  int result_count, first_result;
  int attribute_count;
  const hlo_mlir_named *attributes;
  int region_count;
  const hlo_mlir_region *regions;
  hlo_text_place place;            /* of the name in the text; none from bytecode */
};

typedef struct hlo_mlir_value {
  const hlo_mlir_type *type;
  hlo_span name; /* without '%'; empty from bytecode */
} hlo_mlir_value;

typedef struct hlo_mlir {
  hlo_arena arena;
  hlo_span name;                 /* of the module; empty if none */
  int attribute_count;
  const hlo_mlir_named *attributes;
  hlo_mlir_block body;           /* functions, mostly */
  int value_count;
  hlo_mlir_value *values;
} hlo_mlir;

/* Reads MLIR text. The tree refers to nothing of `text` afterwards. NULL with line, column and caret on failure. */
hlo_mlir *hlo_mlir_parse(const char *text, size_t length, hlo_status *status);
void hlo_mlir_free(hlo_mlir *tree);

/* Arguments without a name that a function only passes on to another take the names that they have there: jax.export wraps
 * the program in a main function whose own arguments have no locations. */
bool hlo_mlir_name_passed_arguments(hlo_mlir *tree, hlo_status *status);

/* NULL when there is none of that name. */
const hlo_mlir_attribute *hlo_mlir_find(const hlo_mlir_op *op, const char *name);
const hlo_mlir_attribute *hlo_mlir_entry(const hlo_mlir_attribute *dict, const char *name);
/* What an attribute may not say wherever it stands (dot_algorithm, result_accuracy); NULL when there is nothing wrong. */
const char *hlo_mlir_attribute_problem(const hlo_mlir_attribute *attribute);
static inline const hlo_mlir_type *hlo_mlir_operand_type(const hlo_mlir *m, const hlo_mlir_op *op, int i) {
  return m->values[op->operands[i]].type;
}
static inline const hlo_mlir_type *hlo_mlir_result_type(const hlo_mlir *m, const hlo_mlir_op *op, int i) {
  return m->values[op->first_result + i].type;
}
/* For messages about an operation, an hlo_format_thing whose context is an hlo_mlir_place: %pT is a type, %pS a shape as HLO
 * writes it, %pA an attribute, %pN an hlo_span; {0} is the type of operand 0, {r} that of result 0. */
typedef struct hlo_mlir_place {
  const hlo_mlir *tree;
  const hlo_mlir_op *op;
} hlo_mlir_place;
const char *hlo_mlir_thing(const void *place, char letter, const void *thing, char *buffer, size_t size);

/* A function of the module by symbol name; NULL if there is none. */
const hlo_mlir_op *hlo_mlir_function(const hlo_mlir *tree, hlo_span symbol);
/* The end of a message about a function that there is none of: "; did you mean '@main'?", or nothing. Returns hint. */
char *hlo_mlir_function_hint(const hlo_mlir *tree, hlo_span symbol, char hint[HLO_HINT_BYTES]);
#define HLO_NEAREST_FUNCTION(tree, symbol) hlo_mlir_function_hint((tree), (symbol), (char[HLO_HINT_BYTES]){0})

#endif
