/* The plan: a module as flat lists of steps over one workspace, made when it is compiled.
 *
 * Every computation that frames run becomes a routine: steps in order, each reading and writing places of the
 * workspace. No computation can be active twice at once (recursion is refused), so each routine has its places
 * once, at fixed offsets, for the whole run:
 *
 *   [entry's values .......][callee's values ...][callee's callee's ..]
 *
 * Offsets within a routine come from buffer lifetimes; routines that are never active together may overlap. A
 * routine with one caller reads its arguments where the caller has them and writes its results where the caller
 * wants them; others have places of their own, and values are moved as they are entered and left. */
#ifndef HLO_PLAN_PLAN_H
#define HLO_PLAN_PLAN_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "devices/host.h"
#include "graph/module.h"
#include "kernels/step_function.h"
#include "loops/fused_loop_call.h"
#include "shape/constant_uses.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* The place of a leaf of a value. A tuple has one place a leaf; get-tuple-element and tuple move no byte. */
typedef enum hlo_place_kind {
  HLO_PLACE_WORKSPACE, /* offset into the workspace */
  HLO_PLACE_CONSTANT,  /* bytes of a literal of the module */
  HLO_PLACE_ARGUMENT,  /* leaf `offset` of the run's inputs, read where it is (dense row-major layouts only) */
  HLO_PLACE_NONE,      /* tokens */
  HLO_PLACE_RESULT,    /* leaf `offset` of the run's outputs, written where it is (dense row-major layouts only) */
  HLO_PLACE_VIEW       /* part of another place, that no step writes meanwhile: its address lies at this offset of the workspace */
} hlo_place_kind;

typedef struct hlo_plan_place {
  hlo_place_kind kind;
  int64_t offset;
  const void *constant;
  int64_t bytes;        /* of the value, including the sizes of bounded dimensions */
  int64_t sizes_offset; /* where the `rank` actual sizes (int64_t) lie, counted from the value's beginning; -1: the value is static */
} hlo_plan_place;

/* A value that is copied from place to place. */
typedef struct hlo_plan_move {
  hlo_plan_place from, to;
} hlo_plan_move;

/* The literals that a step of kind EVALUATE or MEET hands to the reference. They are made once; their data pointers are set to the places
 * before every use. */
typedef struct hlo_step_literals {
  const hlo_literal **operands;
  hlo_literal *result;
  int leaf_count; /* of operands and result together; the result's leaves begin at: */
  int first_result_leaf;
  hlo_literal **leaves;
  const hlo_plan_place *places; /* of the leaves */
} hlo_step_literals;

typedef enum hlo_step_kind {
  HLO_STEP_KERNEL,   /* run() or run_shared() */
  HLO_STEP_EVALUATE, /* hlo_reference_evaluate */
  HLO_STEP_MEET,     /* hlo_reference_meet: it may have to wait for other devices */
  HLO_STEP_CALL,     /* enters a routine, with `before` moved first and `after` moved once it is left */
  HLO_STEP_JUMP,     /* to step targets[0] of this routine */
  HLO_STEP_UNLESS,   /* to step targets[0] unless pred operands[0] holds */
  HLO_STEP_SWITCH    /* to step targets[i], i being operands[0]; the last one when out of range */
} hlo_step_kind;

/* Emitted code of a while loop, with the loops and branches in it. Runs while iterations fit into `most` units of work, and writes how many are
 * left to operands[0], as an int32_t. Returns 0 when the condition no longer holds; 1 at this loop's condition, or 1 + n at that of the nth loop
 * in it, which may still hold. `operands`: room for the operands of one step. */
typedef int32_t hlo_while_function(char *workspace, void *const *arguments, void *const *results, const void **operands, int32_t most);

/* A stop says where a loop in a loop stands: at which step each of the routines that lead to it is left, the outer loop's first. The last of these steps
 * calls the condition. */
enum { HLO_WHILE_DEPTH = 8, HLO_WHILE_STOPS = 16 };
typedef struct hlo_while_stop {
  int depth, steps[HLO_WHILE_DEPTH];
} hlo_while_stop;

/* A while loop for which such a function may be emitted. */
typedef struct hlo_while {
  hlo_while_function *function; /* NULL: the loop runs step by step */
  int emitted;                  /* see hlo_fused_loop_step */
  int64_t work;                 /* of an iteration, at most: without what loops in it repeat */
  int exit;                     /* the step to go on with */
  int stop_count;
  hlo_while_stop stops[HLO_WHILE_STOPS]; /* of the loops in it */
} hlo_while;

typedef struct hlo_step {
  hlo_step_kind kind;
  const hlo_instruction *instruction; /* the instruction that the step belongs to */
  const char *kernel;                 /* name of what runs, for people */
  int covered_count;                  /* KERNEL: of instructions whose work it does, too (loops/dot_chain.h) */
  const int *covered;
  int64_t work;                       /* at least 1 (reference/work.h) */
  hlo_step_function *run;             /* KERNEL */
  hlo_shared_step_function *run_shared; /* used instead of `run` where a team can share the work; else NULL */
  bool resumes;                       /* it can be left between units of work, and run again to go on behind them */
  const void *parameters;
  int operand_count;
  const hlo_plan_place *operands;
  hlo_plan_place result, scratch;
  const hlo_step_literals *literals;  /* EVALUATE, MEET */
  int routine;                        /* CALL */
  hlo_while *loop;                    /* CALL of the condition of a loop that may have a function; else NULL */
  int before_count, after_count;
  const hlo_plan_move *before, *after;
  int target_count;                   /* JUMP, UNLESS, SWITCH */
  int *targets;
} hlo_step;

typedef struct hlo_routine {
  const hlo_computation *computation;
  int step_count;
  hlo_step *steps;
  int64_t offset, bytes; /* its part of the workspace */
  int parameter_leaf_count, result_leaf_count;
  const hlo_plan_place *parameters; /* by leaf, parameter after parameter; NONE for leaves that no step reads */
  const hlo_plan_place *results;    /* by leaf of the root */
} hlo_routine;

/* A leaf of a parameter or result of the entry computation as it crosses the border. */
typedef struct hlo_border_leaf {
  const hlo_shape *shape; /* with the layout of the caller's bytes */
  hlo_plan_place place;   /* of the dense value within the plan */
  int64_t bytes;          /* of the caller's form; 0 for a token */
  bool dense;             /* both forms are the same bytes */
  int donated_to;         /* of a parameter: the leaf of the result that takes its memory; -1: none */
  const struct hlo_strided_map *crossing; /* how elements are copied in or out if the layout is only an order of dimensions; else NULL */
} hlo_border_leaf;

typedef struct hlo_plan {
  hlo_arena arena;
  const hlo_module *module;
  int routine_count;
  hlo_routine *routines; /* callers before callees; 0 is the entry */
  int parameter_count;
  const hlo_shape *const *parameter_shapes; /* with the layouts of the border */
  const hlo_shape *result_shape;
  const int *parameter_first_leaf;          /* parameter_count + 1 numbers: where the leaves of each parameter begin */
  const hlo_border_leaf *parameter_leaves;
  int result_leaf_count;
  const hlo_border_leaf *result_leaves;
  int64_t workspace_bytes;
  int64_t packed_bytes; /* of small constants that were packed for kernels, and of tables, in the arena */
  hlo_constant_uses constants; /* large constants */
  int64_t constant_bytes; /* of small constants; those of large ones are asked of `constants` */
  const int64_t *works; /* of the module's computations (reference/work.h) */
  int most_operands, deepest_call;
  hlo_fused_loop_step *loops; /* every loop program that a step runs, in no order */
} hlo_plan;

/* Makes a plan for one thread. The module has been verified and outlives the plan. Refuses values without a size in memory (unbounded
 * dimensions), naming the instruction. NULL on failure. */
hlo_plan *hlo_plan_build(const hlo_module *module, hlo_status *status);
/* The same for a team of so many threads. donated, by parameter, or NULL: the arrays of a donated parameter become memory of results of the
 * same shape, as far as there are such, and are overwritten. A run gives both the same address. host: whose custom calls come before those
 * that are built in; NULL: it has none. */
hlo_plan *hlo_plan_build_donating(const hlo_module *module, const bool *donated, int threads, hlo_host *host, hlo_status *status);
/* The same for a computation of the module other than the entry; its parameters and its result are dense. */
hlo_plan *hlo_plan_build_program(const hlo_module *module, const hlo_computation *program, int threads, hlo_host *host, hlo_status *status);
void hlo_plan_free(hlo_plan *plan);

/* {"workspace_bytes": ..., "packed_bytes": ..., "routines": [{"name", "offset", "bytes", "steps": [{"index", "op", "name", "kernel",
 * "shape", "flops", "bytes", "operands", "result", ...}]}]}; places as {"kind", "offset", "bytes"}. */
void hlo_plan_write_json(const hlo_plan *plan, hlo_writer *writer);

/* Copies the bytes of a value from place to place; parameters: how many, an int64_t. */
hlo_step_function hlo_plan_run_move;

bool hlo_plan_place_equal(const hlo_plan_place *a, const hlo_plan_place *b);

#endif
