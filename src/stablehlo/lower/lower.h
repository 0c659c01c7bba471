/* The state of lowering a tree to the graph, shared by the lowering files. */
#ifndef HLO_STABLEHLO_LOWER_LOWER_H
#define HLO_STABLEHLO_LOWER_LOWER_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shape_cache.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

/* A constant of a computation. */
typedef struct hlo_lowered_constant {
  const hlo_computation *computation; /* NULL: there is none */
  int instruction;
} hlo_lowered_constant;

typedef struct hlo_lowering {
  const hlo_mlir *tree;
  hlo_module *module;
  hlo_arena *arena;     /* the module's */
  hlo_arena scratch;    /* of one inference */
  hlo_shape_cache shapes; /* in the module's arena */
  hlo_status *status;
  int *instruction_of;  /* of each value: its instruction in the current computation; -1: none yet */
  int depth;            /* nesting of regions and of inlined calls */
  int function_count;
  const hlo_mlir_op **functions;
  int *computation_of;  /* of each function: its computation; -1: none yet */

  /* For specialisation (lower_specialise.c). */
  int entry;            /* number of the entry's function */
  bool is_open;         /* some type has a "?" */
  bool refines;         /* shapes with "?" are inferred, and functions are lowered into their callers */
  hlo_status left;      /* why the first operation was left to another specialisation; from it on, only operations without "?" are lowered */
  bool *active;         /* of each function: it is being lowered */
  int64_t inlined;      /* number of operations lowered from inlined functions */
  const hlo_specialisation *given; /* NULL: none */
  hlo_lowered_constant constants[HLO_SHAPE_CACHE_SLOTS]; /* those that were added last, by hash of their elements */
} hlo_lowering;

typedef struct hlo_lower_call {
  hlo_lowering *l;
  hlo_computation *computation;
  const hlo_mlir_op *op;
  hlo_opcode opcode;    /* of the table row; rules of their own may ignore it */
  bool expressed;       /* the rule gets quantized operands dequantized, and its results are quantized */
  const char *const *known; /* names of attributes that are operands of this op, from operand first_known on; NULL: none */
  int first_known;
  const int *given;     /* instructions to use as the op's operands; NULL: its own */
  const hlo_shape *const *settled; /* shapes of the results, more precise than their types; NULL: those of the types */
} hlo_lower_call;

/* Fails at the operation's line, with its name in front; the format is that of hlo_mlir_thing. Always returns false. */
bool hlo_lower_fail(const hlo_lower_call *c, hlo_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- Emitting ---- */

/* Appends an instruction after inference has checked it; `declared` is its shape, or NULL to take the inferred one.
 * Returns its index, or -1. */
/* Returns whether all sizes of a shape are known; fails with UNSUPPORTED if not: another pass knows them. */
bool hlo_lower_is_known(const hlo_lower_call *c, const hlo_shape *shape);
int hlo_lower_emit(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count,
                   const hlo_attribute *attributes, int attribute_count);
int hlo_lower_parameter(const hlo_lower_call *c, int number, const char *name, const hlo_shape *shape);
/* Adds argument i of the function whose body is `block` as a parameter. The entry's parameters get the metadata that XLA gives them:
 * the names in their locations. */
int hlo_lower_argument(const hlo_lower_call *c, const hlo_mlir_block *block, int i, const hlo_shape *shape);
int hlo_lower_tuple(const hlo_lower_call *c, const int *operands, int count);
int hlo_lower_element(const hlo_lower_call *c, int tuple, int index);
/* Returns the instruction of operand i. */
int hlo_lower_operand(const hlo_lower_call *c, int i);
/* Returns the instructions of `count` operands from `first` on, in the arena. */
const int *hlo_lower_operands(const hlo_lower_call *c, int first, int count);
const hlo_shape *hlo_lower_result_shape(const hlo_lower_call *c, int i);
/* Returns the shape of the only result, or a tuple of all results' shapes. */
const hlo_shape *hlo_lower_results_shape(const hlo_lower_call *c);
const hlo_shape *hlo_lower_tuple_shape(const hlo_lower_call *c, int count); /* the tuple of the first results' shapes */
/* Copies a shape of the tree to the module's arena, in the graph's form: quantized arrays become arrays of their storage type. */
const hlo_shape *hlo_lower_shape(hlo_lowering *l, const hlo_shape *shape);
static inline const hlo_shape *hlo_lower_shape_of(const hlo_lower_call *c, int instruction) {
  return c->computation->instructions[instruction]->shape;
}
/* Takes an instruction as the op's results: itself as the only one, or its tuple's elements. */
bool hlo_lower_results(const hlo_lower_call *c, int instruction);
/* Takes instructions[i] as result i. */
bool hlo_lower_bind(const hlo_lower_call *c, const int *instructions);
/* Takes the tuple's elements, from `first` on, as the op's results. */
bool hlo_lower_result_elements(const hlo_lower_call *c, int tuple, int first);

/* Makes a scalar constant. */
int hlo_lower_scalar(const hlo_lower_call *c, hlo_type type, hlo_scalar value);
/* Makes an array of a dense attribute's elements: a constant, or the broadcast of one value that stands for many. */
int hlo_lower_elements(const hlo_lower_call *c, const hlo_mlir_attribute *value, const hlo_shape *shape);
/* broadcast_in_dim: dimension i of the operand becomes dims[i] of the result, repeated if its size is 1. */
int hlo_lower_stretch(const hlo_lower_call *c, int operand, const int64_t *dims, const hlo_shape *result);
/* Transposes, or returns the operand if the permutation moves nothing. */
int hlo_lower_permute(const hlo_lower_call *c, int operand, const int64_t *permutation);

/* ---- Quantized types (lower_quantize.c) ---- */
/* Returns the quantization of a type; NULL for ordinary types. */
const hlo_quantization *hlo_lower_quantization(const hlo_mlir_type *type);
/* Returns whether the op computes with the expressed values of quantized operands, rather than with the stored integers. */
bool hlo_lower_works_expressed(const hlo_lower_call *c);
int hlo_lower_quantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization);
int hlo_lower_dequantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization);

/* ---- Regions ---- */

/* Lists the values that regions use from outside, in order of first use, each once. */
bool hlo_lower_captures(const hlo_lower_call *c, const hlo_mlir_region *const *regions, int count, const int **values, int *value_count);
/* Makes a computation of two scalars of the type, whose name begins so, that applies an operation, or gives the first of both: HLO_OP_PARAMETER; -1 on failure. */
int hlo_lower_function_of_two(const hlo_lower_call *c, const char *begin, hlo_opcode opcode, hlo_type type);
/* Makes a computation whose parameters are the region's arguments. Captured constants are copied into it; other captures are refused. */
int hlo_lower_applied_region(const hlo_lower_call *c, const hlo_mlir_region *region);
/* Like hlo_lower_applied_region, but other captures become parameters behind the arguments: `taken` receives their instructions. */
typedef struct hlo_lower_captured {
  int *instructions, count;
} hlo_lower_captured;
int hlo_lower_applied_region_with_captures(const hlo_lower_call *c, const hlo_mlir_region *region, hlo_lower_captured *taken);
/* Lowers the region's operations into the op's own computation, in which its arguments already have instructions. Returns the
 * instructions of what the region returns, in the arena. */
const int *hlo_lower_inline_region(const hlo_lower_call *c, const hlo_mlir_region *region, int *count);
/* Makes a computation with one parameter: a tuple of the region's arguments followed by the captures. Its result is the tuple of the
 * region's results, with `pass_captures` followed by the captures; with `single`, it is just the only result. `arguments` are
 * the instructions that the region's arguments start as; `fixed` ones keep that value, a constant. If the module
 * is specialised, captured constants are copied into the computation. */
typedef struct hlo_lower_region_inputs {
  const int *arguments;
  const bool *fixed; /* for each argument; NULL: none is fixed */
  const int *captures;
  int capture_count;
} hlo_lower_region_inputs;
int hlo_lower_tuple_region(const hlo_lower_call *c, const hlo_mlir_region *region, const hlo_lower_region_inputs *inputs,
                           bool pass_captures, bool single);

/* ---- Attributes ---- */
/* A list of attributes for an instruction. It has room for those of any op. */
typedef struct hlo_lower_attributes {
  hlo_attribute items[12];
  int count;
} hlo_lower_attributes;
void hlo_lower_push(hlo_lower_attributes *list, hlo_attribute attribute);
hlo_attribute hlo_lower_int(hlo_attribute_id id, int64_t value);
hlo_attribute hlo_lower_bool(hlo_attribute_id id, bool value);
hlo_attribute hlo_lower_enum(hlo_attribute_id id, int value);
hlo_attribute hlo_lower_ints(hlo_attribute_id id, hlo_ints value);
hlo_attribute hlo_lower_computation(hlo_attribute_id id, int computation);
/* Reads the integers of a list attribute (dense, array or [..]) of the op or of a dictionary. If it is missing: `count` times `missing`. */
bool hlo_lower_read_ints(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name, hlo_ints *values);
bool hlo_lower_list(const hlo_lower_call *c, const char *name, int count, int64_t missing, hlo_ints *values);
bool hlo_lower_required_int(const hlo_lower_call *c, const char *name, int64_t *value);
bool hlo_lower_flag(const hlo_lower_call *c, const char *name, bool missing);
/* Reads the integers of a constant or of a dense attribute. */
bool hlo_lower_literal_ints(const hlo_lower_call *c, const hlo_literal *literal, const char *name, hlo_ints *values);
/* Returns dimension labels in the arena; NULL on failure. */
const hlo_dim_labels *hlo_lower_dim_labels(const hlo_lower_call *c);
const hlo_groups *hlo_lower_groups(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name);
/* Reads all attributes of c's opcode that are rows of forms.def. */
bool hlo_lower_read_forms(const hlo_lower_call *c, hlo_lower_attributes *list);

/* Appends the optional attributes of a custom call, at most three, behind its target and side effect. */
bool hlo_lower_custom_call_attributes(const hlo_lower_call *c, hlo_attribute *attributes, int *count);

/* Reads mhlo.num_replicas and mhlo.num_partitions, which are 1 where the module has none. Refuses numbers below 1. */
bool hlo_lower_grid(const hlo_mlir *tree, int64_t *replicas, int64_t *partitions, hlo_status *status);

/* ---- Functions ---- */
/* Returns the computation of a function; -1 with a failure if there is no function of that name. */
int hlo_lower_function(const hlo_lower_call *c, const hlo_mlir_attribute *symbol);
/* Returns the function's number. */
int hlo_lower_function_number(const hlo_lower_call *c, const hlo_mlir_attribute *symbol);
/* Lowers the operations of a function or region of c's operation. Its arguments must have instructions. Returns the instructions of its
 * results, in the arena. */
const int *hlo_lower_block(const hlo_lower_call *c, hlo_computation *computation, const hlo_mlir_block *block, int *count);

/* ---- Specialisation (lower_specialise.c, lower_fold.c) ---- */

/* Returns whether a value of shape `given` may have type `declared`: "?" is any size, "<=N" any up to N. */
bool hlo_lower_fits(const hlo_shape *declared, const hlo_shape *given);
/* Combines two shapes of a value: the declared one, with its "?" and "<=N" replaced by what inference found. */
const hlo_shape *hlo_lower_settle(hlo_lowering *l, const hlo_shape *declared, const hlo_shape *inferred);
/* Returns the declared shape that inference should see, refined if the op takes its result's shape from there. */
const hlo_shape *hlo_lower_expected(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count);
/* Adds the entry's parameters. */
bool hlo_lower_arguments(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *function);
/* Lowers the function that a call names into the caller. */
bool hlo_lower_inline_call(const hlo_lower_call *c, const hlo_mlir_attribute *callee);
/* Settles result i on a shape that was found; fails if the type declares another. */
bool hlo_lower_settle_result(const hlo_lower_call *c, int i, const hlo_shape *shape, const hlo_shape **settled);
/* Returns the value of a constant instruction; NULL if it is not a constant. */
const hlo_literal *hlo_lower_constant_of(const hlo_computation *computation, int instruction);
/* Notes a constant that was added, so that it can be found again. */
void hlo_lower_note_constant(const hlo_lower_call *c, const hlo_instruction *constant);
/* While a module is specialised: returns a constant of the computation that equals what would be added; else -1. Shapes are computed over and over. */
int hlo_lower_equal_constant(const hlo_lower_call *c, const hlo_shape *shape, const hlo_literal *literal);
/* Evaluates an instruction if all it depends on is known. Returns whether it could be; *index is then the constant's, or -1 after a
 * failure. */
bool hlo_lower_fold(const hlo_lower_call *c, const hlo_instruction *candidate, int *index);
/* Marks the arguments of the entry that an unknown value depends on as wanted, if they are integers that the caller could give.
 * Returns whether there are any. */
bool hlo_lower_want_arguments(const hlo_lower_call *c, int instruction);
/* Reads the integers of operand i, which must be a constant. */
bool hlo_lower_known_ints(const hlo_lower_call *c, int i, const char *what, hlo_ints *values);
/* Settles the shape of result i: operand `operand` lists its dimensions. The operand is only read if the type leaves a size open. */
bool hlo_lower_sized_result(const hlo_lower_call *c, int i, int operand, const hlo_shape **settled);

/* ---- Rules, by family ---- */
typedef bool hlo_lower_rule(const hlo_lower_call *c);
hlo_lower_rule hlo_lower_formed, hlo_lower_convert;
hlo_lower_rule hlo_lower_broadcast_in_dim, hlo_lower_broadcast, hlo_lower_dimension_size, hlo_lower_constant, hlo_lower_dot, hlo_lower_rng;
hlo_lower_rule hlo_lower_while, hlo_lower_if, hlo_lower_case, hlo_lower_call_op, hlo_lower_composite, hlo_lower_custom_call, hlo_lower_ragged_all_to_all,
    hlo_lower_tuple_op, hlo_lower_get_tuple_element, hlo_lower_barrier, hlo_lower_identity;
hlo_lower_rule hlo_lower_all_to_all, hlo_lower_collective_broadcast, hlo_lower_collective_reduce, hlo_lower_infeed, hlo_lower_outfeed, hlo_lower_send, hlo_lower_recv,
    hlo_lower_async_start, hlo_lower_async_done;
hlo_lower_rule hlo_lower_dynamic_broadcast_in_dim, hlo_lower_dynamic_iota, hlo_lower_dynamic_reshape, hlo_lower_dynamic_pad,
    hlo_lower_dynamic_conv, hlo_lower_dynamic_gather, hlo_lower_real_dynamic_slice;
hlo_lower_rule hlo_lower_einsum, hlo_lower_unary_einsum, hlo_lower_torch_index_select;
hlo_lower_rule hlo_lower_chlo_broadcast, hlo_lower_chlo_select, hlo_lower_constant_like, hlo_lower_conj, hlo_lower_is_inf,
    hlo_lower_is_pos_inf, hlo_lower_is_neg_inf;
hlo_lower_rule hlo_lower_check, hlo_lower_run_parallel, hlo_lower_manual_computation;

/* Applies `rule` to an op whose operand `operand` gives the shape of its result. */
bool hlo_lower_with_shape_operand(const hlo_lower_call *c, int operand, hlo_lower_rule *rule);
/* Lowers the op as `opcode`. Its operands from `first` on are attributes of that HLO op, named by `names` (up to NULL), so their values
 * have to be known. */
bool hlo_lower_with_known_operands(const hlo_lower_call *c, hlo_opcode opcode, int first, const char *const *names);
/* Makes a slice with strides of 1. */
int hlo_lower_slice(const hlo_lower_call *c, int operand, int rank, const int64_t *starts, const int64_t *sizes);
/* Returns the function that a call names in place of an operation's region. */
int hlo_lower_called_function(const hlo_lower_call *c);

/* Lowers a custom call that stands for an operation, or that specialisation removes (lower_dynamic_call.c), and sets *done. */
bool hlo_lower_dynamic_call(const hlo_lower_call *c, hlo_span target, bool *done);

bool hlo_lower_op(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op);

#endif
