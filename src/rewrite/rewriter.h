/* Rewriting: a pass visits the instructions of every computation that is reached, front to back.
 *
 * Each instruction is visited with its operands already rewritten. The pass answers with another value that stands for
 * it, which it may have just added, or leaves it as it is. An instruction that no other needs is not visited, and is dropped.
 *
 *   from:  p  a = p + 0   b = -a   ROOT c = -b         visited: p, a, b, c
 *   to:    p              b = -p                       a is p; c is p, and with it b has no use: gone in the next round
 *
 * Instructions that no rewrite touches are shared with the source module, and literals are never copied: the source must outlive
 * the rewritten module. New instructions get their shapes from inference, so that a wrong rewrite fails. */
#ifndef HLO_REWRITE_REWRITER_H
#define HLO_REWRITE_REWRITER_H

#include "base/arena.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

enum { HLO_KEEP = -1, HLO_GONE = -2 };

typedef struct hlo_rewriter hlo_rewriter;
/* The index in `to` of the value that stands for the instruction, or HLO_KEEP; failures are in the status. The
 * instruction's operands are indices in `to`. The pass is also asked about instructions that it adds itself. For all others it may answer
 * HLO_GONE: no instruction that is visited later reads this one. */
typedef int hlo_rewrite(hlo_rewriter *r, const hlo_instruction *instruction);

/* The opcodes that a pass looks for. */
typedef struct hlo_opcodes {
  const hlo_opcode *list;
  int count;
} hlo_opcodes;

struct hlo_rewriter {
  hlo_module *module;
  const hlo_computation *from;
  hlo_computation *to;
  hlo_rewrite *rewrite;          /* NULL: only instructions that no other needs are dropped */
  hlo_arena *nodes;              /* of instructions and lists of them, until a later pass replaces them */
  hlo_arena *scratch;            /* reset after each computation */
  hlo_status *status;
  hlo_meter *meter;              /* counts visits; NULL: nobody counts */
  int *map;                      /* by index in `from`: its index in `to` */
  int *uses;                     /* by index in `to`: roughly how many instructions read it; being the root counts as one */
  const bool *effects;           /* by computation, `known` of them: running it can be told from not running it */
  const bool *applied;           /* by computation, `known` of them: it is applied to elements, or is the computation of a fusion */
  int known;
  bool layouts_matter;           /* some instruction of `from` tells layouts apart */
  void *state;                   /* for the pass to use; NULL at the start of every computation */
  const int *order;              /* the order in which instructions are visited; NULL: their own order */
  const hlo_instruction *origin; /* the instruction of `from` that is being visited */
  int heir;                      /* the added instruction that takes over its name; HLO_KEEP: the one that replaces it */
  int depth;                     /* of nesting: instructions that are added while another one is being added */
  int total;                     /* instructions that the entry reaches, or that were added */
  int reached;                   /* `total` before the pass */
  bool changed;
};

/* Rewrites one computation, once, and sets r->changed if it is different now. pass_runner.c makes the rewriter. */
bool hlo_rewrite_computation(hlo_rewriter *r, int number);

/* ---- Asking ---- */
const hlo_instruction *hlo_rewriter_value(const hlo_rewriter *r, int index);
const hlo_instruction *hlo_input(const hlo_rewriter *r, const hlo_instruction *i, int n);
bool hlo_has_effect(const bool *effects, int known, const hlo_instruction *instruction);
/* True if the instruction may be dropped or run twice: it has no effect, is not random, and is no half of a start and its done. */
bool hlo_is_pure(const hlo_rewriter *r, const hlo_instruction *instruction);
/* True if the computation that is rewritten is applied to elements, or may be: well-known ones (a sum, say) are recognised by their scalars. */
bool hlo_is_applied(const hlo_rewriter *r);
/* True if operands and result are static arrays without quantization. */
bool hlo_is_plain(const hlo_rewriter *r, const hlo_instruction *instruction);
/* The same of operands and several results. */
bool hlo_are_plain(const hlo_rewriter *r, const hlo_instruction *instruction);
/* True if every array in the shape is row-major, without tiles or other special layouts. */
bool hlo_is_row_major(const hlo_shape *shape);
/* True if the layout only says an order of dimensions; NULL, the row-major order, is such a layout. */
bool hlo_is_order(const hlo_layout *layout);
/* Returns the literal of a constant; NULL for any other instruction. */
const hlo_literal *hlo_constant_of(const hlo_rewriter *r, int index);
/* True if all elements have one known value, which *value gets: a constant, or broadcasts and reshapes of one. */
bool hlo_splat_of(const hlo_rewriter *r, int index, hlo_scalar *value);
/* Returns whether an init may enter a fold by a binary operation more than once. */
bool hlo_init_repeats(const hlo_rewriter *r, hlo_opcode opcode, int init);
/* True if the value repeats one scalar: *scalar gets its index, a value of rank 0. */
bool hlo_repeats_scalar(const hlo_rewriter *r, int index, int *scalar);

/* ---- Adding: each gives the index of the new value, or HLO_KEEP on failure, which is also accepted as an operand ---- */
/* shape: for ops flagged DECLARED; NULL otherwise. */
int hlo_add(hlo_rewriter *r, hlo_opcode opcode, const hlo_shape *shape, const int *operands, int operand_count,
            const hlo_attribute *attributes, int attribute_count);
/* Adds a copy of the instruction with other operands, as many as before. */
int hlo_add_like(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, const int *operands);
/* The same with other operands, of any number, and with one other attribute in place of that of its id. */
int hlo_add_with(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, const int *operands, int operand_count, hlo_attribute other);
/* Adds a copy of an instruction of two operands that has a window, with other operands and other dimensions of the window, as many as before. */
int hlo_add_windowed(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, int first, int second, const hlo_window_dim *dims);
int hlo_add_unary(hlo_rewriter *r, hlo_opcode opcode, int operand);
int hlo_add_binary(hlo_rewriter *r, hlo_opcode opcode, int lhs, int rhs);
/* The same with one integer, or pred, for all elements of rhs. */
int hlo_with(hlo_rewriter *r, hlo_opcode opcode, int lhs, int64_t rhs);
int hlo_add_constant(hlo_rewriter *r, const hlo_literal *literal);
int hlo_add_scalar(hlo_rewriter *r, hlo_type type, hlo_scalar value);
int hlo_add_splat(hlo_rewriter *r, const hlo_shape *shape, hlo_scalar value);
/* The same with the shape of another value. */
int hlo_add_splat_like(hlo_rewriter *r, int like, hlo_scalar value);
/* Adds a comparison with one number, in a direction (HLO_direction_EQ, ...). */
int hlo_add_comparison(hlo_rewriter *r, int operand, int direction, hlo_scalar number);
int hlo_add_select(hlo_rewriter *r, int predicate, int on_true, int on_false);
int hlo_add_convert(hlo_rewriter *r, int operand, hlo_type type);
int hlo_add_reshape(hlo_rewriter *r, int operand, const hlo_shape *shape);
/* Adds an op of one operand with the attribute `dimensions`. */
int hlo_add_along(hlo_rewriter *r, hlo_opcode opcode, const int *operands, int operand_count, const int64_t *dimensions, int count);
/* Adds a reduction of one array by a computation of the module. */
int hlo_add_reduce(hlo_rewriter *r, int operand, int init, const int64_t *dimensions, int count, int computation);
int hlo_add_transpose(hlo_rewriter *r, int operand, const int64_t *permutation, int rank);
int hlo_add_broadcast(hlo_rewriter *r, int operand, const hlo_shape *shape, const int64_t *dimensions);
int hlo_add_slice(hlo_rewriter *r, int operand, const hlo_slice_dim *dims, int rank);
int hlo_add_pad(hlo_rewriter *r, int operand, int value, const hlo_padding_dim *dims, int rank);
int hlo_add_tuple(hlo_rewriter *r, const int *elements, int count);
int hlo_add_element(hlo_rewriter *r, int tuple, int64_t index);
/* The shape of an array of this type and these dimensions; a list of numbers, and an attribute that is one. */
const hlo_shape *hlo_shape_for(hlo_rewriter *r, hlo_type type, const int64_t *dims, int rank);
hlo_ints hlo_ints_copy(hlo_rewriter *r, const int64_t *values, int count);
hlo_attribute hlo_ints_attribute(hlo_rewriter *r, hlo_attribute_id id, const int64_t *values, int count);

/* ---- Whole computations ---- */
/* Adds a copy of an instruction of another computation; its operand k becomes map[k] in `to`. */
int hlo_add_copy(hlo_rewriter *r, const hlo_instruction *instruction, const int *map);
/* Adds the instructions of another computation with arguments[n] for parameter n. Returns the index of its root, or HLO_KEEP on failure. */
int hlo_add_computation(hlo_rewriter *r, const hlo_computation *computation, const int *arguments);
/* Make a new computation of the instructions that are added to `inner` between begin and end. The end returns its index in the module, or
 * HLO_KEEP. The new computation takes over the name of the one that it replaces; NULL: it gets the name `stem`. */
bool hlo_begin_computation(hlo_rewriter *outer, hlo_rewriter *inner, hlo_computation *to);
int hlo_end_computation(hlo_rewriter *inner, const hlo_computation *replaced, const char *stem, int root);
/* Returns the index of a new computation that applies the op to two scalars. */
int hlo_add_binary_computation(hlo_rewriter *outer, hlo_opcode opcode, hlo_type type, const char *stem);
/* Gives an added value a name, if it has none yet. */
void hlo_call_it(hlo_rewriter *r, int value, const char *name);
int hlo_add_parameter(hlo_rewriter *r, const hlo_shape *shape, int number);

#endif
