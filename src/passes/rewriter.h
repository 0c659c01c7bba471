/* Rewriting: a pass visits the instructions of every computation that is reached, front to back.
 *
 * Each instruction is visited with its operands already rewritten. The pass answers with another value that stands for
 * it, which it may have just added, or leaves it as it is. What nobody needs is not visited at all and goes.
 *
 *   from:  p  a = p + 0   b = -a   ROOT c = -b         visited: p, a, b, c
 *   to:    p              b = -p                       a is p; c is p, and with it b has no use: gone in the next round
 *
 * What no rewrite touches is shared with the module before, and literals are never copied: that module must outlive
 * the rewritten one. New instructions get their shapes from inference, so that a wrong rewrite fails. */
#ifndef HLO_PASSES_REWRITER_H
#define HLO_PASSES_REWRITER_H

#include "reference/reference.h"

enum { HLO_KEEP = -1, HLO_GONE = -2 };

typedef struct hlo_rewriter hlo_rewriter;
/* The index in `to` of the value that stands for the instruction, or HLO_KEEP; failures are in the status. The
 * instruction's operands are indices in `to`. Also asked about instructions that it adds itself; but for those it may answer
 * HLO_GONE: nobody who is visited later needs it. */
typedef int hlo_rewrite(hlo_rewriter *r, const hlo_instruction *instruction);

struct hlo_rewriter {
  hlo_module *module;
  const hlo_computation *from;
  hlo_computation *to;
  hlo_rewrite *rewrite;          /* NULL: only what nobody needs goes */
  hlo_arena *scratch;            /* until the computation is done */
  hlo_status *status;
  int *map;                      /* by index in `from`: its index in `to` */
  int *uses;                     /* by index in `to`: about how many instructions read it; the root counts as one */
  const bool *effects;           /* by computation of `known`: whether running it can be told from not running it */
  const bool *applied;           /* by computation of `known`: it is not run as it is, but applied to elements, or a fusion */
  int known;
  bool layouts_matter;           /* some instruction of `from` tells layouts apart */
  void *state;                   /* the pass's own, NULL at the start of every computation */
  const int *order;              /* in which instructions are visited, the first one first; NULL: as they stand */
  const hlo_instruction *origin; /* in `from`, that is being visited */
  int heir;                      /* added for it, and called like it; HLO_KEEP: what stands for it */
  int depth;                     /* of instructions added while others are */
  int total;                     /* instructions that the entry reaches, or that were added */
  bool changed;
};

/* Rewrites one computation, once: r->changed says whether it is another one now. The rewriter comes from rewriting.c. */
bool hlo_rewrite_computation(hlo_rewriter *r, int number);

/* ---- Asking ---- */
const hlo_instruction *hlo_value(const hlo_rewriter *r, int index);
const hlo_instruction *hlo_input(const hlo_rewriter *r, const hlo_instruction *i, int n);
bool hlo_has_effect(const bool *effects, int known, const hlo_instruction *instruction);
/* Whether it may be run never, or twice: no effect, no randomness, no pairs of start and done. */
bool hlo_is_pure(const hlo_rewriter *r, const hlo_instruction *instruction);
/* Static arrays without quantization, operands and result. */
bool hlo_is_plain(const hlo_rewriter *r, const hlo_instruction *instruction);
/* Every array in it; nothing about the layout is special. */
bool hlo_is_row_major(const hlo_shape *shape);
/* A layout that is an order of dimensions and nothing more; NULL is one, too. */
bool hlo_is_order(const hlo_layout *layout);
/* The literal of a constant; NULL of anything else. */
const hlo_literal *hlo_constant_of(const hlo_rewriter *r, int index);
/* An array with one value in all its elements: a constant, or broadcasts and reshapes of one. */
bool hlo_splat_of(const hlo_rewriter *r, int index, hlo_scalar *value);
/* Whether the value is a scalar repeated: *scalar, of rank 0. */
bool hlo_repeats_scalar(const hlo_rewriter *r, int index, int *scalar);

/* ---- Adding: each gives the index of the new value, or HLO_KEEP on failure, which is also accepted as an operand ---- */
/* shape: for ops whose shape is declared; NULL otherwise. */
int hlo_add(hlo_rewriter *r, hlo_opcode opcode, const hlo_shape *shape, const int *operands, int operand_count,
            const hlo_attribute *attributes, int attribute_count);
/* The instruction with other operands, as many. */
int hlo_add_like(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, const int *operands);
int hlo_add_unary(hlo_rewriter *r, hlo_opcode opcode, int operand);
int hlo_add_binary(hlo_rewriter *r, hlo_opcode opcode, int lhs, int rhs);
int hlo_add_constant(hlo_rewriter *r, const hlo_literal *literal);
int hlo_add_scalar(hlo_rewriter *r, hlo_type type, hlo_scalar value);
int hlo_add_splat(hlo_rewriter *r, const hlo_shape *shape, hlo_scalar value);
int hlo_add_convert(hlo_rewriter *r, int operand, hlo_type type);
int hlo_add_reshape(hlo_rewriter *r, int operand, const hlo_shape *shape);
/* Of an op whose `dimensions` are these. */
int hlo_add_along(hlo_rewriter *r, hlo_opcode opcode, const int *operands, int operand_count, const int64_t *dimensions, int count);
/* Of one array, by a computation. */
int hlo_add_reduce(hlo_rewriter *r, int operand, int init, const int64_t *dimensions, int count, int computation);
int hlo_add_transpose(hlo_rewriter *r, int operand, const int64_t *permutation, int rank);
int hlo_add_broadcast(hlo_rewriter *r, int operand, const hlo_shape *shape, const int64_t *dimensions);
int hlo_add_slice(hlo_rewriter *r, int operand, const hlo_slice_dim *dims, int rank);
int hlo_add_tuple(hlo_rewriter *r, const int *elements, int count);
int hlo_add_element(hlo_rewriter *r, int tuple, int64_t index);
/* An array of this type and these dimensions; a list of numbers as an attribute. */
const hlo_shape *hlo_shape_for(hlo_rewriter *r, hlo_type type, const int64_t *dims, int rank);
hlo_attribute hlo_ints_attribute(hlo_rewriter *r, hlo_attribute_id id, const int64_t *values, int count);


/* ---- Whole computations ---- */
/* A copy of an instruction of some computation, whose operands are map[...] in `to`. */
int hlo_add_copy(hlo_rewriter *r, const hlo_instruction *instruction, const int *map);
/* Adds the instructions of another computation, parameter n being arguments[n]; its root, or HLO_KEEP on failure. */
int hlo_add_computation(hlo_rewriter *r, const hlo_computation *computation, const int *arguments);
/* A new computation: what is added to `inner` between begin and end. Gives its index in the module, or HLO_KEEP. It takes
 * over the name of the one that it replaces; NULL: it is called `stem`. */
bool hlo_begin_computation(hlo_rewriter *outer, hlo_rewriter *inner, hlo_computation *to);
int hlo_end_computation(hlo_rewriter *inner, const hlo_computation *replaced, const char *stem, int root);
/* The computation of an op of two scalars. */
int hlo_add_binary_computation(hlo_rewriter *outer, hlo_opcode opcode, hlo_type type, const char *stem);
/* Lets an added value be called so, if it has no name yet. */
void hlo_call_it(hlo_rewriter *r, int value, const char *name);
int hlo_add_parameter(hlo_rewriter *r, const hlo_shape *shape, int number);

#endif
