/* The state of writing one fused loop as a function of WebAssembly.
 *
 * Code is written for quads: four neighbouring elements, in one vector of 32-bit lanes, or in two vectors for elements of 64 bits. A body
 * is code for a few quads, one behind another in the row: each operation is written for all of them (or for a step of
 * HLO_EMIT_STEP_QUADS) before the next operation. At the end of a row, where elements may be missing, a body has one partial quad. */
#ifndef HLO_EMIT_EMITTER_H
#define HLO_EMIT_EMITTER_H

#include "base/status.h"
#include "emit/math_table.h"
#include "emit/wasm_opcodes.h"
#include "emit/wasm_writer.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"
#include "loops/fused_loop.h"

/* The form in which the elements of a quad lie in vectors. */
typedef enum hlo_lanes {
  HLO_LANES_WORD, /* 32-bit elements */
  HLO_LANES_LONG, /* 64-bit elements, two vectors */
  HLO_LANES_MASK, /* pred: a byte of 0 or 1 in memory, 32 bits of zeros or ones in a vector */
  HLO_LANES_BYTE, /* 8 bits, in 32-bit lanes with zeros above */
  HLO_LANES_HALF, /* 16 bits, in 32-bit lanes with zeros above */
  HLO_LANES_NONE  /* vectors do not hold such elements */
} hlo_lanes;

enum { HLO_EMIT_STEP_QUADS = 4, HLO_EMIT_QUADS = 8, HLO_EMIT_CONSTANTS = 96, HLO_EMIT_FACTORS = 8 };

/* Signatures of the module, by place in hlo_emit_signatures; parameters of a loop function, which are its first locals. */
enum { HLO_EMIT_LOOP_FUNCTION, HLO_EMIT_KERNEL, HLO_EMIT_STEP, HLO_EMIT_SHARED_STEP, HLO_EMIT_WHILE };
enum { HLO_EMIT_LOOP, HLO_EMIT_OPERANDS, HLO_EMIT_RESULTS, HLO_EMIT_PART, HLO_EMIT_SCRATCH, HLO_EMIT_PARAMETER_COUNT };

/* The writer's notes on a value. No local is number 0, which is a parameter: 0 stands for none. */
typedef struct hlo_emit_value {
  hlo_lanes lanes;
  bool needed;
  bool fixed;   /* one element for all rows of the loop */
  bool stored;  /* computed in one sweep and read by a later one: its row is kept at `slot` of the scratch, or in an output */
  int output;   /* of a stored value: the output that holds it until the last sweep; -1: the scratch does */
  int sweep;    /* the first sweep that computes it; of an INPUT, the last one that reads it */
  int cost;     /* instructions that compute it from inputs */
  int body;     /* number of the last body that computes it */
  uint32_t slot;
  int pointer;  /* of an INPUT, and of a value kept in an output: a local with the address of the row */
  int locals[HLO_EMIT_QUADS][2]; /* by quad and half; of a per-row value those of quad 0, with equal lanes */
} hlo_emit_value;

typedef struct hlo_emitter {
  hlo_wasm_function function;
  const hlo_fused_loop *loop;
  const void *const *constants; /* by operand: its bytes if they never change, else NULL; or NULL for no operands */
  const int *operands, *results; /* locals with addresses of arrays, if the loop is part of a larger function; else NULL */
  int scratch;                   /* local with its address */
  hlo_status *status;
  hlo_emit_value values[HLO_FUSED_MAX_VALUES];

  /* Constants of vectors, each in a local that is set at the beginning of the function. */
  int constant_count, constant_locals[HLO_EMIT_CONSTANTS];
  uint64_t constants_bits[HLO_EMIT_CONSTANTS];
  int list_locals[HLO_EMIT_QUADS][HLO_MATH_MOST_ROWS]; /* values of math lists, by row */
  int kept[2]; /* locals of what recipes remember */
  bool fuses; /* the function may use fused multiply-adds, of relaxed SIMD */

  /* The body being written. */
  int body, quads, first_quad, sweep;
  int left;  /* local: elements left in the row, if the body's only quad may be partial; 0: none */
  int known; /* 1 to 3: elements of the partial quad; 0: quads are whole, or `left` tells */
  bool across; /* quads are elements of four rows (fused_loop_short.c): those of a value per row differ as well */
  bool rest; /* the body comes after the runs of 16 elements of an ordered reduction */
  int index; /* local: the first element of the body */
  int rows_left; /* local: rows left, counting this one, if the next row should be fetched ahead; else 0 */
  int factor_count, factor_locals[HLO_EMIT_FACTORS]; /* locals that hold multiples of the index */
  int32_t factors[HLO_EMIT_FACTORS];

  uint32_t scratch_bytes; /* of the scratch, used so far */
  uint32_t call_area;     /* offset of the scratch's part for calls of kernels */
} hlo_emitter;

/* ---- Shorthands ---- */
void hlo_emit_op(hlo_emitter *e, hlo_wasm_opcode opcode);
void hlo_emit_simd(hlo_emitter *e, uint32_t opcode);
/* v128.bitselect of a mask of whole lanes: there relaxed SIMD selects the same bits, for which V8 takes one instruction rather than three. */
void hlo_emit_select(hlo_emitter *e);
void hlo_emit_get(hlo_emitter *e, int local);
void hlo_emit_set(hlo_emitter *e, int local);
void hlo_emit_i32(hlo_emitter *e, int32_t value);
/* Pushes two locals; pushes opcode(local, value). */
void hlo_emit_pair(hlo_emitter *e, int first, int second);
void hlo_emit_with(hlo_emitter *e, int local, int32_t value, hlo_wasm_opcode opcode);
int hlo_emit_new(hlo_emitter *e, hlo_wasm_type type);
void hlo_emit_branch(hlo_emitter *e, hlo_wasm_opcode opcode, uint32_t depth);
/* Opens a block, loop or if without a result; closes it. */
void hlo_emit_open(hlo_emitter *e, hlo_wasm_opcode opcode);
void hlo_emit_close(hlo_emitter *e);
/* local = local + value */
void hlo_emit_add(hlo_emitter *e, int local, int32_t value);
/* Pushes a vector whose halves are both `bits`. */
void hlo_emit_constant(hlo_emitter *e, uint64_t bits);
static inline uint64_t hlo_emit_twice(uint32_t bits) { return (uint64_t)bits << 32 | bits; }
/* The local of a value, which is made at the first call. */
int hlo_emit_local(hlo_emitter *e, int value, int quad, int half);

static inline bool hlo_emit_is_partial(const hlo_emitter *e) { return e->left || e->known; }
/* Pushes how many elements are left for a partial quad: four or more if it is whole. */
static inline void hlo_emit_push_left(hlo_emitter *e) {
  if (e->known) hlo_emit_i32(e, e->known);
  else hlo_emit_get(e, e->left);
}

/* ---- quad_access.c ---- */
hlo_lanes hlo_emit_lanes_of_bytes(int bytes);
static inline int hlo_emit_vectors(hlo_lanes lanes) { return lanes == HLO_LANES_LONG ? 2 : 1; }
/* Load and store four neighbouring elements at base + index + offset. base, index: locals with bytes; index 0: none. */
void hlo_emit_load_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals);
void hlo_emit_store_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals);
/* Loads one element into all lanes. */
void hlo_emit_load_splat(hlo_emitter *e, hlo_lanes lanes, int base, uint32_t offset, const int *locals);
/* Loads as many elements as are left, `stride` bytes apart; the other lanes become zero. */
void hlo_emit_load_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, int64_t offset, int64_t stride, const int *locals);
/* Stores as many elements as are left, `most` at most, `stride` bytes apart. */
void hlo_emit_store_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, uint32_t offset, int64_t stride, int most, const int *locals);
/* Returns a local that holds the index of the body times `factor`. */
int hlo_emit_index(hlo_emitter *e, int32_t factor);

/* ---- operations.c ---- */
/* Finds the bits of a value of at most 8 bytes that is one constant for the whole loop. Returns false where it is none. */
bool hlo_emit_known(const hlo_emitter *e, int value, uint64_t *bits);
/* Pushes a quad of a value, with lanes as `as` says. wide: pushes one half of its elements, in 64-bit lanes. */
void hlo_emit_push(hlo_emitter *e, int value, int quad, int half, hlo_lanes as, bool wide);
/* Returns the form in which the result of an operation lies in vectors, or HLO_LANES_NONE if the operation is not written; sets *cost to about
 * how many instructions the operation takes. */
hlo_lanes hlo_emit_apply_lanes(hlo_scalar_op op, int *cost);
/* Returns whether the operation may call a kernel, for which the function needs scratch. */
bool hlo_emit_may_call(hlo_scalar_op op);
/* If the loop may call kernels, writes the addresses of their operands to the scratch. */
void hlo_emit_prepare_calls(hlo_emitter *e);
/* Computes the quads of an APPLY, whose operands are computed. */
void hlo_emit_apply(hlo_emitter *e, int value);

/* ---- reductions.c ---- */
typedef struct hlo_emit_reduction hlo_emit_reduction; /* how a reduction is written */
const hlo_emit_reduction *hlo_emit_reduction_of(hlo_reduce_op op);
hlo_lanes hlo_emit_reduction_lanes(const hlo_emit_reduction *reduction);
/* Returns whether the order of terms matters: bodies then come in blocks of 128 elements. */
bool hlo_emit_reduction_ordered(const hlo_emit_reduction *reduction);
/* A reduction that is being written. */
typedef struct hlo_emit_fold {
  const hlo_emit_reduction *reduction;
  int value, from;
  int totals[8]; /* locals: vectors of running totals */
  int part, rest, levels[40]; /* locals: scalars of an ordered reduction */
} hlo_emit_fold;
/* The parts of a reduction, in the order of calls: a row begins; a block begins; a body; the block ends; the row ends. */
void hlo_emit_fold_begin(hlo_emitter *e, hlo_emit_fold *fold, int value);
void hlo_emit_fold_block(hlo_emitter *e, const hlo_emit_fold *fold);
void hlo_emit_fold_body(hlo_emitter *e, const hlo_emit_fold *fold);
void hlo_emit_fold_carry(hlo_emitter *e, hlo_emit_fold *fold, int block);
void hlo_emit_fold_end(hlo_emitter *e, hlo_emit_fold *fold);
/* Folds the quads of a value, one after another: each lane has a total of its own. */
void hlo_emit_fold_columns(hlo_emitter *e, int value);

/* ---- fused_loop_sweeps.c ---- */
/* Writes sweep `number` of a row. outputs: locals with the addresses of the row in each output; count: a local with the number of
 * elements, or 0 for the whole width. Returns false where there are too many reductions. */
bool hlo_emit_sweep(hlo_emitter *e, int number, const int *outputs, int count);

/* ---- fused_loop_short.c ---- */
enum { HLO_EMIT_SHORT_ROWS = 4 };
/* Returns whether rows are so short that four are computed at once, while there are so many in the last dimension. */
bool hlo_emit_has_short_rows(const hlo_emitter *e);
/* Writes four whole rows. outputs: as for hlo_emit_sweep. */
void hlo_emit_short_rows(hlo_emitter *e, const int *outputs);

/* ---- fused_loop_emit.c ---- */
/* Returns whether a sweep folds value `v`; the number of the last sweep, which writes the outputs. */
bool hlo_emit_is_folded(const hlo_emitter *e, int v, int sweep);
int hlo_emit_last_sweep(const hlo_emitter *e);
/* Begins with a loop. Returns false where it has a value that is not written. */
bool hlo_emit_describe(hlo_emitter *e, const hlo_fused_loop *loop, const void *const *constants);
/* Writes the whole loop, in one part, on e->operands, results and scratch. Returns false where the code would be too large. */
bool hlo_emit_inline(hlo_emitter *e);

#endif
