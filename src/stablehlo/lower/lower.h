/* The state of lowering a tree to the graph, shared by the lowering files. */
#ifndef HLO_STABLEHLO_LOWER_H
#define HLO_STABLEHLO_LOWER_H

#include "stablehlo/lower/stablehlo.h"

typedef struct hlo_lowering {
  const hlo_mlir *tree;
  hlo_module *module;
  hlo_arena *arena;     /* the module's */
  hlo_status *status;
  int *instruction_of;  /* of each value, in the computation being made; -1: none yet */
  int depth;            /* of regions within regions, and calls inlined within calls */
  int function_count;
  const hlo_mlir_op **functions;
  int *computation_of;  /* of each function; -1: none yet */

  /* Specialisation (lower_specialise.c) */
  int entry;            /* number of the entry's function */
  bool refines;         /* shapes are inferred where types have "?", and functions are lowered where they are called */
  bool *active;         /* functions being lowered */
  int64_t inlined;      /* operations of inlined functions */
  const hlo_specialisation *given; /* NULL: none */
} hlo_lowering;

typedef struct hlo_lower_call {
  hlo_lowering *l;
  hlo_computation *computation;
  const hlo_mlir_op *op;
  hlo_opcode opcode;    /* of the table row; meaningless for rows with a rule of their own that ignore it */
  bool expressed;       /* quantized operands are given to the rule as what they stand for, and results are quantized after it */
  const char *const *known; /* attributes that are operands here: those from first_known on; NULL: none */
  int first_known;
  const int *given;     /* instructions that stand in for the op's operands; NULL: its own */
  const hlo_shape *const *settled; /* shapes of the results where they are known better than their types say; NULL: as the types say */
} hlo_lower_call;

/* Fails at the operation's line, its name in front; the format may have what hlo_mlir_thing knows. Always returns false. */
bool hlo_lower_fail(const hlo_lower_call *c, hlo_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- Emitting ---- */

/* Appends an instruction after asking inference whether it is well formed; `declared` is its shape, or NULL to take
 * the inferred one. Returns its index, or -1. */
int hlo_lower_emit(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count,
                   const hlo_attribute *attributes, int attribute_count);
int hlo_lower_parameter(const hlo_lower_call *c, int number, const char *name, const hlo_shape *shape);
/* Argument i of the function that the block is the body of, as a parameter; those of the entry have the metadata that XLA gives
 * them: what their locations call them. */
int hlo_lower_argument(const hlo_lower_call *c, const hlo_mlir_block *block, int i, const hlo_shape *shape);
int hlo_lower_tuple(const hlo_lower_call *c, const int *operands, int count);
int hlo_lower_element(const hlo_lower_call *c, int tuple, int index);
/* Operand i of the op as an instruction of the computation. */
int hlo_lower_operand(const hlo_lower_call *c, int i);
/* All operands from `first` on, in the arena. */
const int *hlo_lower_operands(const hlo_lower_call *c, int first, int count);
const hlo_shape *hlo_lower_result_shape(const hlo_lower_call *c, int i);
/* The shape of result 0, or the tuple of all results' shapes where there is not exactly one. */
const hlo_shape *hlo_lower_results_shape(const hlo_lower_call *c);
/* A shape of the tree in the module's arena, as the graph has it: quantized arrays are arrays of their storage type. */
const hlo_shape *hlo_lower_shape(hlo_lowering *l, const hlo_shape *shape);
static inline const hlo_shape *hlo_lower_shape_of(const hlo_lower_call *c, int instruction) {
  return c->computation->instructions[instruction]->shape;
}
/* The instruction gives the op's results: itself for one, elements of its tuple for several. */
bool hlo_lower_results(const hlo_lower_call *c, int instruction);
/* Result i is instructions[i]. */
bool hlo_lower_bind(const hlo_lower_call *c, const int *instructions);
/* The tuple's elements, from `first` on, are the op's results. */
bool hlo_lower_result_elements(const hlo_lower_call *c, int tuple, int first);

/* A scalar constant. */
int hlo_lower_scalar(const hlo_lower_call *c, hlo_type type, hlo_scalar value);
/* broadcast_in_dim: dimension i of the operand goes to dims[i] of the result, stretched where its size is 1. */
int hlo_lower_stretch(const hlo_lower_call *c, int operand, const int64_t *dims, const hlo_shape *result);
/* A transpose, or the operand itself where nothing moves. */
int hlo_lower_permute(const hlo_lower_call *c, int operand, const int64_t *permutation);

/* ---- Quantized types (lower_quantize.c) ---- */
/* The parameters of a value's type; NULL for ordinary ones. */
const hlo_quantization *hlo_lower_quantization(const hlo_mlir_type *type);
/* Whether the op works on what quantized values stand for, rather than on the integers that they are. */
bool hlo_lower_works_expressed(const hlo_lower_call *c);
int hlo_lower_quantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization);
int hlo_lower_dequantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization);

/* ---- Regions ---- */

/* Values that a region uses from outside, in order of first use, without repetition. */
bool hlo_lower_captures(const hlo_lower_call *c, const hlo_mlir_region *const *regions, int count, const int **values, int *value_count);
/* A computation that adds two scalars of the type; -1 on failure. */
int hlo_lower_adder(const hlo_lower_call *c, hlo_type type);
/* A computation whose parameters are the region's arguments. Captured constants are copied into it; other captures are refused. */
int hlo_lower_applied(const hlo_lower_call *c, const hlo_mlir_region *region);
/* The same with other captures as parameters behind the arguments: `taken` lists what stands for them. */
typedef struct hlo_lower_taken {
  int *instructions, count;
} hlo_lower_taken;
int hlo_lower_applied_to(const hlo_lower_call *c, const hlo_mlir_region *region, hlo_lower_taken *taken);
/* The region's operations in the op's own computation, its arguments being there already; gives what it returns, in the arena. */
const int *hlo_lower_inline(const hlo_lower_call *c, const hlo_mlir_region *region, int *count);
/* A computation with one parameter, a tuple of the region's arguments and then the captures; its result is the tuple of what
 * the region returns, `pass_captures`: followed by the captures; `single`: just the one value it returns. `arguments` are
 * the instructions that the region's arguments begin as; those that are `fixed` keep that value, a constant. Where a module
 * is specialised, captured constants are copied into the computation. */
typedef struct hlo_lower_frame {
  const int *arguments;
  const bool *fixed; /* NULL: none */
  const int *captures;
  int capture_count;
} hlo_lower_frame;
int hlo_lower_framed(const hlo_lower_call *c, const hlo_mlir_region *region, const hlo_lower_frame *frame, bool pass_captures, bool single);

/* ---- Attributes ---- */
/* Attributes of an instruction to be; no op has more than fit. */
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
/* The values of a list attribute (dense, array or [..]), of the op or of a dictionary; missing ones are `missing` times `count`. */
bool hlo_lower_read_ints(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name, hlo_ints *values);
bool hlo_lower_list(const hlo_lower_call *c, const char *name, int count, int64_t missing, hlo_ints *values);
bool hlo_lower_required_int(const hlo_lower_call *c, const char *name, int64_t *value);
bool hlo_lower_flag(const hlo_lower_call *c, const char *name, bool missing);
/* The integers of a constant or of a dense attribute. */
bool hlo_lower_literal_ints(const hlo_lower_call *c, const hlo_literal *literal, const char *name, hlo_ints *values);
/* In the arena; NULL on a failure. */
const hlo_dim_labels *hlo_lower_dim_labels(const hlo_lower_call *c);
const hlo_groups *hlo_lower_groups(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name);
/* All attributes of c's opcode that forms.def knows. */
bool hlo_lower_read_forms(const hlo_lower_call *c, hlo_lower_attributes *list);

/* Appends what else a custom call carries (three attributes at most) to its target and side effect. */
bool hlo_lower_custom_call_attributes(const hlo_lower_call *c, hlo_attribute *attributes, int *count);

/* A number of the module's own, such as mhlo.num_replicas; 1 where it says none. */
int64_t hlo_lower_module_count(const hlo_mlir *tree, const char *name);

/* ---- Functions ---- */
/* The computation of a function; -1 and a failure if there is none of that name. */
int hlo_lower_function(const hlo_lower_call *c, const hlo_mlir_attribute *symbol);
/* Its number among the functions. */
int hlo_lower_function_number(const hlo_lower_call *c, const hlo_mlir_attribute *symbol);
/* Lowers the operations of a function whose arguments have their instructions; gives what it returns, in the arena. */
const int *hlo_lower_body(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *function, int *count);

/* ---- Specialisation (lower_specialise.c, lower_fold.c) ---- */

/* Whether a value of the one shape may stand where the type says the other: "?" is any size, "<=N" any up to N. */
bool hlo_lower_fits(const hlo_shape *declared, const hlo_shape *given);
/* What is known of a shape of which both are known: the declared one, with what inference found out of its "?" and "<=N". */
const hlo_shape *hlo_lower_settle(hlo_lowering *l, const hlo_shape *declared, const hlo_shape *inferred);
/* The declared shape as inference should see it, refined where the op takes its result's shape from there. */
const hlo_shape *hlo_lower_expected(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count);
/* The entry's parameters. */
bool hlo_lower_arguments(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *function);
/* A call of a function, lowered into the caller. */
bool hlo_lower_inlined(const hlo_lower_call *c, const hlo_mlir_attribute *callee);
/* Result i is known to have this shape: fails where the type says otherwise. */
bool hlo_lower_settle_result(const hlo_lower_call *c, int i, const hlo_shape *shape, const hlo_shape **settled);
/* The value of an instruction that is a constant; NULL if it is none. */
const hlo_literal *hlo_lower_constant_of(const hlo_computation *computation, int instruction);
/* Whether the instruction can be evaluated now; then *index is that of the constant, or -1 after a failure. */
bool hlo_lower_folded(const hlo_lower_call *c, const hlo_instruction *candidate, int *index);
/* The value of an instruction should have been known: marks the arguments that it depends on as wanted, where they are
 * integers that the caller could give. Whether there are any. */
bool hlo_lower_want(const hlo_lower_call *c, int instruction);
/* The integers of operand i, a constant. */
bool hlo_lower_known_ints(const hlo_lower_call *c, int i, const char *what, hlo_ints *values);
/* Result i has the dimensions that operand `operand` lists; what its type leaves open is asked of the operand only. */
bool hlo_lower_sized_result(const hlo_lower_call *c, int i, int operand, const hlo_shape **settled);

/* ---- Rules, by family ---- */
typedef bool hlo_lower_rule(const hlo_lower_call *c);
hlo_lower_rule hlo_lower_formed;
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

/* The rule for an op whose operand `operand` gives the shape of its result. */
bool hlo_lower_sized(const hlo_lower_call *c, int operand, hlo_lower_rule *rule);
/* The op as `opcode`. Its operands from `first` on are attributes of these names elsewhere (NULL behind them), and have to be known. */
bool hlo_lower_with_known(const hlo_lower_call *c, hlo_opcode opcode, int first, const char *const *names);
/* A slice with strides of 1. */
int hlo_lower_part(const hlo_lower_call *c, int operand, int rank, const int64_t *starts, const int64_t *sizes);
/* The function of a call that stands for an operation with a region. */
int hlo_lower_called_function(const hlo_lower_call *c);

/* A custom call that a specialised module has no use for, or has as an operation (lower_dynamic_call.c): sets *done. */
bool hlo_lower_dynamic_call(const hlo_lower_call *c, hlo_span target, bool *done);

bool hlo_lower_op(hlo_lowering *l, hlo_computation *computation, const hlo_mlir_op *op);

#endif
