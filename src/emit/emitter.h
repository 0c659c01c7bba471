/* The state of writing one loop program as a function of WebAssembly.
 *
 * Code is written for quads: four elements next to each other, in one vector of 32-bit lanes, or in two where elements are 64 bits.
 * A body is code for a few quads, one after another in the row, operation by operation for all of them, or for as many as keep step.
 * Where elements may be missing at the end of the row, a body has a single, partial quad. */
#ifndef HLO_EMIT_EMITTER_H
#define HLO_EMIT_EMITTER_H

#include "emit/wasm_writer.h"
#include "kernels/loop_program.h"
#include "kernels/math_table.h"

/* How a quad lies in vectors; and how many bytes an element has in memory. */
typedef enum hlo_lanes {
  HLO_LANES_WORD, /* 32-bit elements */
  HLO_LANES_LONG, /* 64-bit elements, two vectors */
  HLO_LANES_MASK, /* pred: all ones or zeros; a byte of 0 or 1 */
  HLO_LANES_BYTE, /* 8 bits, zeros above */
  HLO_LANES_HALF, /* 16 bits, zeros above */
  HLO_LANES_NONE  /* not to be held in vectors */
} hlo_lanes;

enum { HLO_EMIT_STEP_QUADS = 4, HLO_EMIT_QUADS = 8, HLO_EMIT_CONSTANTS = 96, HLO_EMIT_FACTORS = 8 };

/* The signatures of the module, and parameters of a loop function. */
enum { HLO_EMIT_LOOP_FUNCTION, HLO_EMIT_KERNEL, HLO_EMIT_STEP, HLO_EMIT_SHARED_STEP, HLO_EMIT_WHILE };
enum { HLO_EMIT_LOOP, HLO_EMIT_OPERANDS, HLO_EMIT_RESULTS, HLO_EMIT_PART, HLO_EMIT_SCRATCH, HLO_EMIT_PARAMETER_COUNT };

/* What is known of a value; local 0, a parameter, stands for none. */
typedef struct hlo_emit_value {
  hlo_lanes lanes;
  bool needed;
  bool fixed;   /* one element for all rows */
  bool stored;  /* computed in one sweep and read again in a later one: its row lies at `slot` of the scratch, or in an output */
  int output;   /* of a stored one: that it lies in until the last sweep; -1: none */
  int sweep;    /* where it is computed first; of an INPUT, where it is read last */
  int cost;     /* of computing it from what lies in memory, in instructions */
  int body;     /* the last body that has it */
  uint32_t slot;
  int pointer;  /* INPUT, and what lies in an output: a local with the address of element 0 of the row */
  int locals[HLO_EMIT_QUADS][2]; /* of a value for the row: those of quad 0, with four equal lanes */
} hlo_emit_value;

typedef struct hlo_emitter {
  hlo_wasm_function function;
  const hlo_loop *loop;
  const void *const *constants; /* by operand: its bytes where they never change; or NULL */
  const int *operands, *results; /* locals with the addresses of arrays, where the program is a part of a larger function; else NULL */
  int scratch;                   /* local */
  hlo_status *status;
  hlo_emit_value values[HLO_LOOP_MAX_VALUES];

  /* Constants, each in a local that is set before all else. */
  int constant_count, constant_locals[HLO_EMIT_CONSTANTS];
  uint64_t constants_bits[HLO_EMIT_CONSTANTS];
  int list_locals[HLO_EMIT_QUADS][HLO_MATH_MOST_ROWS]; /* for the values of math lists */
  bool fuses; /* the host has fused multiply-adds */

  /* The body being written. */
  int body, quads, first_quad, sweep;
  int left;  /* local: how many elements are left, in a body whose one quad may be partial; 0: none */
  int known; /* the same, where it is known now: 1 to 3; 0: quads are whole, or `left` says */
  bool rest; /* the body is behind the sixteens of an ordered reduction */
  int index; /* local: the element that the body begins with */
  int rows_left; /* local: rows from this one on, where they lie evenly and a cache holds two of them; else 0 */
  int factor_count, factor_locals[HLO_EMIT_FACTORS]; /* multiples of the index that are there */
  int32_t factors[HLO_EMIT_FACTORS];

  uint32_t scratch_bytes; /* used so far */
  uint32_t call_area;     /* of the scratch, where kernels are called */
} hlo_emitter;

/* ---- Shorthands ---- */
void hlo_emit_op(hlo_emitter *e, hlo_wasm_opcode opcode);
void hlo_emit_simd(hlo_emitter *e, uint32_t opcode);
void hlo_emit_get(hlo_emitter *e, int local);
void hlo_emit_set(hlo_emitter *e, int local);
void hlo_emit_i32(hlo_emitter *e, int32_t value);
/* Two locals, one after another; a local, and an op of it and a number. */
void hlo_emit_pair(hlo_emitter *e, int first, int second);
void hlo_emit_with(hlo_emitter *e, int local, int32_t value, hlo_wasm_opcode opcode);
int hlo_emit_new(hlo_emitter *e, hlo_wasm_type type);
void hlo_emit_branch(hlo_emitter *e, hlo_wasm_opcode opcode, uint32_t depth);
/* block, loop and if, without a result. */
void hlo_emit_open(hlo_emitter *e, hlo_wasm_opcode opcode);
void hlo_emit_close(hlo_emitter *e);
/* local = local + value */
void hlo_emit_add(hlo_emitter *e, int local, int32_t value);
/* Pushes a vector whose halves are both `bits`. */
void hlo_emit_constant(hlo_emitter *e, uint64_t bits);
static inline uint64_t hlo_emit_twice(uint32_t bits) { return (uint64_t)bits << 32 | bits; }
/* The local of a value, made when it is first asked for. */
int hlo_emit_local(hlo_emitter *e, int value, int quad, int half);

static inline bool hlo_emit_is_partial(const hlo_emitter *e) { return e->left || e->known; }
/* Pushes how many elements a partial quad has, four or more where it is whole. */
static inline void hlo_emit_push_left(hlo_emitter *e) {
  if (e->known) hlo_emit_i32(e, e->known);
  else hlo_emit_get(e, e->left);
}

/* ---- quad_access.c ---- */
hlo_lanes hlo_emit_lanes_of_bytes(int bytes);
static inline int hlo_emit_vectors(hlo_lanes lanes) { return lanes == HLO_LANES_LONG ? 2 : 1; }
/* Four elements next to each other at base + index (a local, or 0 for none) + offset, from and into locals. */
void hlo_emit_load_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals);
void hlo_emit_store_quad(hlo_emitter *e, hlo_lanes lanes, int base, int index, uint32_t offset, const int *locals);
/* One element, into all lanes. */
void hlo_emit_load_splat(hlo_emitter *e, hlo_lanes lanes, int base, uint32_t offset, const int *locals);
/* As many elements as are left, `stride` bytes apart; the other lanes are zero. */
void hlo_emit_load_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, int64_t offset, int64_t stride, const int *locals);
/* As many elements as are left, `most` at most. */
void hlo_emit_store_lanes(hlo_emitter *e, hlo_lanes lanes, int bytes, int base, int index, uint32_t offset, int most, const int *locals);
/* A local that holds the index of the body, times `factor`. */
int hlo_emit_index(hlo_emitter *e, int32_t factor);

/* ---- operations.c ---- */
/* The low 32 bits of a value that is the same wherever it is read, and known now. */
bool hlo_emit_known(const hlo_emitter *e, int value, uint32_t *bits);
/* Pushes a value, or one half of its lanes, where `wide` says that LONGs are computed. */
void hlo_emit_push(hlo_emitter *e, int value, int quad, int half, hlo_lanes as, bool wide);
/* How the result of an APPLY comes; NONE where nothing is known of it, and about how many instructions it takes. */
hlo_lanes hlo_emit_apply_lanes(const hlo_loop_value *value, int *cost);
/* Whether it may call a kernel, for which it needs scratch. */
bool hlo_emit_may_call(hlo_elementwise_kernel *kernel);
/* Where the program may call any: puts the addresses of their operands into the scratch. */
void hlo_emit_prepare_calls(hlo_emitter *e);
/* The quads of an APPLY whose operands are there. */
void hlo_emit_apply(hlo_emitter *e, int value);

/* ---- reductions.c ---- */
typedef struct hlo_emit_reduction hlo_emit_reduction; /* what a reduce kernel computes */
const hlo_emit_reduction *hlo_emit_reduction_of(hlo_reduce_kernel *kernel);
hlo_lanes hlo_emit_reduction_lanes(const hlo_emit_reduction *reduction);
/* Whether the order matters: then terms come in blocks. */
bool hlo_emit_reduction_ordered(const hlo_emit_reduction *reduction);
/* One reduction under way. */
typedef struct hlo_emit_fold {
  const hlo_emit_reduction *reduction;
  int value, from;
  int totals[8]; /* vectors */
  int part, rest, levels[40]; /* scalars, of ordered ones */
} hlo_emit_fold;
/* In the order of calls: the row; in ordered ones each block; a body; the block's end; the row's end. */
void hlo_emit_fold_begin(hlo_emitter *e, hlo_emit_fold *fold, int value);
void hlo_emit_fold_block(hlo_emitter *e, const hlo_emit_fold *fold);
void hlo_emit_fold_body(hlo_emitter *e, const hlo_emit_fold *fold);
void hlo_emit_fold_carry(hlo_emitter *e, hlo_emit_fold *fold, int block);
void hlo_emit_fold_end(hlo_emitter *e, hlo_emit_fold *fold);

/* ---- loop_sweeps.c ---- */
/* Writes sweep `number` of a row. outputs: locals with their addresses in this row; count: a local with the number of elements, or 0
 * for the whole width. False: there are too many reductions. */
bool hlo_emit_sweep(hlo_emitter *e, int number, const int *outputs, int count);

/* ---- loop_emit.c ---- */
/* Whether that sweep folds value `v`; which sweep is the last one, which writes. */
bool hlo_emit_is_folded(const hlo_emitter *e, int v, int sweep);
int hlo_emit_last_sweep(const hlo_emitter *e);
/* Makes `loop` the program that is written. False if it cannot be. */
bool hlo_emit_describe(hlo_emitter *e, const hlo_loop *loop, const void *const *constants);
/* Writes the whole program, of a single part, where e->operands, results and scratch say what it works on. False: it cannot be. */
bool hlo_emit_inline(hlo_emitter *e);

#endif
