/* The state of raising the graph to a StableHLO tree, shared by the raising files. */
#ifndef HLO_STABLEHLO_RAISE_RAISE_H
#define HLO_STABLEHLO_RAISE_RAISE_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* Raises a module to StableHLO (CHLO for ops that StableHLO does not have). The entry becomes the public function @main, whose
 * parameters may be tuples; called computations become private functions without tuples; computations that are applied
 * to elements, loops and branches become regions. Layouts of arguments and results are left out.
 * Returns NULL with UNSUPPORTED for ops without an equivalent, naming computation and instruction. Free with hlo_mlir_free. */
hlo_mlir *hlo_stablehlo_raise(const hlo_module *module, hlo_status *status);

/* An instruction's result as values of the tree: its arrays and tokens in order, tuples taken apart. */
typedef struct hlo_raise_leaves {
  int count;
  const int *values;
  bool started; /* of a -start instruction: these are the values that its -done will have */
} hlo_raise_leaves;

typedef struct hlo_raising {
  const hlo_module *module;
  hlo_arena *arena;      /* the tree's */
  hlo_status *status;
  hlo_list values;       /* hlo_mlir_value */
  hlo_list functions;    /* int: computations that become functions, in the order of their first call */
  const char **symbols;  /* of each computation: its function's name; NULL: never called */
  int depth;             /* nesting of regions */
  int64_t op_count;
} hlo_raising;

typedef struct hlo_raise_call {
  hlo_raising *r;
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  const char *name;      /* the op's name in the table row */
  hlo_list *ops;         /* hlo_mlir_op *, of the current block */
  hlo_raise_leaves *leaves;    /* of each instruction of the computation */
} hlo_raise_call;

/* Both fail with the names of computation and instruction in front, and return false. */
bool hlo_raise_refuse(const hlo_raise_call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hlo_raise_no_equal(const hlo_raise_call *c); /* the table row has the reason */

/* ---- Attributes: all return NULL after a failure ---- */
enum { HLO_RAISE_MAX_ATTRIBUTES = 12 };
typedef struct hlo_raise_attributes {
  hlo_mlir_named items[HLO_RAISE_MAX_ATTRIBUTES];
  int count;
} hlo_raise_attributes;
void hlo_raise_push(hlo_raise_attributes *list, const char *name, const hlo_mlir_attribute *value);
const hlo_mlir_attribute *hlo_raise_int(hlo_raising *r, hlo_type type, int64_t value);
const hlo_mlir_attribute *hlo_raise_bool(hlo_raising *r, bool value);
const hlo_mlir_attribute *hlo_raise_f32(hlo_raising *r, double value);
const hlo_mlir_attribute *hlo_raise_f64(hlo_raising *r, double value);
const hlo_mlir_attribute *hlo_raise_text(hlo_raising *r, hlo_mlir_attribute_kind kind, const char *text, size_t length);
const hlo_mlir_attribute *hlo_raise_word(hlo_raising *r, const char *enumerant); /* the word in capitals */
const hlo_mlir_attribute *hlo_raise_array(hlo_raising *r, hlo_type type, const int64_t *values, int count); /* array<i64: ...> */
/* Makes dense<...> of the given dimensions; with `index`, its elements have that type. */
const hlo_mlir_attribute *hlo_raise_dense(hlo_raising *r, const int64_t *values, const int64_t *dims, int rank, bool is_index);
const hlo_mlir_attribute *hlo_raise_list(hlo_raising *r, const hlo_mlir_attribute *const *elements, int count);
/* Makes #mnemonic<names[i] = lists[i]>; entries that are NULL, and empty lists, are left out. */
const hlo_mlir_attribute *hlo_raise_dictionary(hlo_raising *r, const char *mnemonic, const char *const *names,
                                               const hlo_mlir_attribute *const *elements, int count);
const hlo_mlir_attribute *hlo_raise_int_list(hlo_raising *r, hlo_ints values); /* [0, 1]; NULL if empty */
const hlo_mlir_attribute *hlo_raise_literal(hlo_raising *r, const hlo_literal *literal);
const hlo_mlir_attribute *hlo_raise_labels(const hlo_raise_call *c); /* of convolutions */
const hlo_mlir_attribute *hlo_raise_groups(const hlo_raise_call *c, hlo_attribute_id id);
const hlo_mlir_attribute *hlo_raise_channel(const hlo_raise_call *c, int64_t type);
/* Adds the instruction's attributes that are rows of forms.def, and sorts all by name; appends its regions. */
bool hlo_raise_forms(const hlo_raise_call *c, hlo_raise_attributes *list, hlo_mlir_region *regions, int *region_count);
const hlo_mlir_attribute *hlo_raise_type_attribute(hlo_raising *r, const hlo_mlir_type *type);

/* ---- Emitting (raise_emit.c) ---- */
const hlo_mlir_type *hlo_raise_type(hlo_raising *r, const hlo_shape *shape);
int hlo_raise_value(hlo_raising *r, const hlo_shape *shape); /* returns a new value's number; -1 on failure */
/* Appends an operation whose results have these shapes. Returns the number of the first result, which the others follow; -1 on failure. */
int hlo_raise_emit(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                   const hlo_raise_attributes *attributes, const hlo_mlir_region *regions, int region_count,
                   const hlo_shape *const *results, int result_count);
/* Appends an operation with one result; -1 on failure. */
int hlo_raise_one(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                  const hlo_raise_attributes *attributes, const hlo_shape *result);
/* Appends a slice with strides of 1; -1 on failure. */
int hlo_raise_slice(const hlo_raise_call *c, int value, const hlo_shape *shape, const int64_t *starts, const hlo_shape *part);
/* Appends the op with a result for each leaf of the instruction's shape, and takes these as the instruction's leaves. */
bool hlo_raise_finish(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                      const hlo_raise_attributes *attributes, const hlo_mlir_region *regions, int region_count);
bool hlo_raise_set(const hlo_raise_call *c, const int *values, int count); /* copies `values` */
bool hlo_raise_started(const hlo_raise_call *c, const int *values, int count);

/* Gets the leaves of operand i. Fails for a -start, which only its -done may use. */
bool hlo_raise_operand(const hlo_raise_call *c, int i, hlo_raise_leaves *leaves);
/* Returns the leaves of all operands from `first` on, in the arena; NULL on failure. */
const int *hlo_raise_operands(const hlo_raise_call *c, int first, int *count);
static inline const hlo_shape *hlo_raise_operand_shape(const hlo_raise_call *c, int i) {
  return hlo_operand(c->computation, c->instruction, i)->shape;
}
/* Makes one value of the shape from its leaves, with tuples put together; -1 on failure. */
int hlo_raise_pack(const hlo_raise_call *c, const hlo_shape *shape, const int *leaves);
/* The opposite of hlo_raise_pack: writes the leaves of `value` at *next, and moves it on. */
bool hlo_raise_unpack(const hlo_raise_call *c, int value, const hlo_shape *shape, int **next);
/* Lists the shapes of a shape's leaves, in the arena. */
const hlo_shape *const *hlo_raise_leaf_shapes(hlo_raising *r, const hlo_shape *shape, int *count);

/* ---- Computations (raise.c) ---- */
/* Raises a computation's instructions into `ops`; parameters[i] are the leaves of parameter i. */
bool hlo_raise_body(hlo_raising *r, const hlo_computation *computation, hlo_list *ops, const hlo_raise_leaves *parameters,
                    hlo_raise_leaves *root);
/* Makes a region whose arguments are the leaves of all parameters. */
bool hlo_raise_region(const hlo_raise_call *c, int computation, hlo_mlir_region *region);
/* Makes a region without arguments, in which the computation's parameters are the given values. */
bool hlo_raise_bound_region(const hlo_raise_call *c, int computation, const hlo_raise_leaves *parameters, hlo_mlir_region *region);
/* Returns the symbol of the computation's function. */
const hlo_mlir_attribute *hlo_raise_function(const hlo_raise_call *c, int computation);

/* ---- Rules, by family ---- */
typedef bool hlo_raise_rule(const hlo_raise_call *c);
hlo_raise_rule hlo_raise_formed, hlo_raise_identity;
hlo_raise_rule hlo_raise_convert, hlo_raise_constant, hlo_raise_dynamic_slice, hlo_raise_bitcast, hlo_raise_dynamic_reshape, hlo_raise_uniform_quantize,
    hlo_raise_uniform_dequantize, hlo_raise_rng, hlo_raise_rng_bit_generator, hlo_raise_top_k, hlo_raise_windowed;
hlo_raise_rule hlo_raise_while, hlo_raise_conditional, hlo_raise_call_op, hlo_raise_custom_call, hlo_raise_tuple, hlo_raise_get_tuple_element,
    hlo_raise_add_dependency, hlo_raise_async_start, hlo_raise_done;
hlo_raise_rule hlo_raise_each, hlo_raise_all_to_all, hlo_raise_ragged_all_to_all, hlo_raise_after_all, hlo_raise_feed, hlo_raise_send,
    hlo_raise_recv, hlo_raise_copy_start;

bool hlo_raise_instruction(const hlo_raise_call *c);
/* Returns why no instruction with the opcode can be raised; NULL if there is a rule. */
const char *hlo_raise_refusal(hlo_opcode opcode);

#endif
