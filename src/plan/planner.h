/* A routine while it is planned, and the stages of planning, each in a file of its own:
 *
 *   actions   what each instruction becomes: nothing, another name for a value, a kernel, the reference, ...
 *   values    which leaves are one value, and when each value is read last
 *   storages  which values share memory, and where it lies
 *   steps     the flat list
 *
 * Time is counted in instructions: a parameter is there at -1, instruction i runs at i, the root is read at
 * instruction_count. */
#ifndef HLO_PLAN_PLANNER_H
#define HLO_PLAN_PLANNER_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"
#include "plan/plan.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

typedef enum hlo_action {
  HLO_ACTION_NONE,      /* the value is not needed */
  HLO_ACTION_ALIAS,     /* its leaves are leaves of its operands */
  HLO_ACTION_PARAMETER,
  HLO_ACTION_CONSTANT,
  HLO_ACTION_KERNEL,
  HLO_ACTION_EVALUATE,  /* the reference runs it */
  HLO_ACTION_MEET,      /* devices meet at the rendezvous */
  HLO_ACTION_FRAMES     /* it runs other routines */
} hlo_action;

typedef struct hlo_plan_value {
  const hlo_shape *shape;
  int last_use; /* time; -1: never read */
  int storage;  /* -1: none (tokens) */
} hlo_plan_value;

/* Memory that values may use one after another. */
typedef struct hlo_storage {
  int begin, end;
  bool fixed;    /* `place` is given and not planned: a constant, an argument, the caller's memory */
  bool writable; /* a later value may overwrite the present one */
  int value;     /* the present value */
  hlo_plan_place place;
} hlo_storage;

typedef struct hlo_planner hlo_planner;

typedef struct hlo_routine_plan {
  hlo_planner *planner;
  const hlo_computation *computation;
  hlo_routine *routine;
  int call_sites;
  bool is_entered; /* some CALL step that is planned enters the routine */
  /* Places that the only caller of the routine has for them, by leaf. NULL: the routine has places of its own. */
  const hlo_plan_place *given_parameters, *wanted_results;
  bool is_loop_body; /* the routine is the body of one while: its results belong where its parameters are */
  bool donates;      /* the routine is the entry, and some of its results belong where donated parameters are */

  hlo_action *actions;         /* by instruction */
  hlo_kernel_choice *choices;  /* by instruction */
  int *first_leaf;             /* by instruction, and one more: where the instruction's leaves begin in leaf_values */
  int *leaf_values;
  int *extra_storage;          /* by instruction: scratch of a kernel, predicate of a while; -1: none */
  hlo_plan_value *values;
  int value_count;
  hlo_storage *storages;
  int storage_count, storage_capacity;

  int step_capacity;
} hlo_routine_plan;

/* A CALL step whose moves are known once every routine has its places. */
typedef struct hlo_call_record {
  int caller, step, callee;
  const hlo_plan_place *arguments, *results;
} hlo_call_record;

struct hlo_planner {
  hlo_plan *plan;
  const hlo_module *module;
  const hlo_computation *program; /* the computation that the plan runs */
  const bool *donated; /* by parameter; NULL: none is */
  int threads;        /* number of threads that share steps */
  hlo_host *host;     /* see hlo_plan_build_donating */
  bool dense_border;  /* parameters and result are dense, without layouts */
  hlo_arena *arena;   /* the plan's */
  hlo_arena *scratch; /* until the plan is made */
  hlo_status *status;
  int *routine_of;    /* by computation; -1: none */
  hlo_routine_plan *routines;
  int call_count, call_capacity;
  hlo_call_record *calls; /* those of a routine follow one another */
};

/* ---- Stages ---- */
bool hlo_plan_actions(hlo_routine_plan *r);
bool hlo_plan_values(hlo_routine_plan *r);
bool hlo_plan_storages(hlo_routine_plan *r);
bool hlo_plan_steps(hlo_routine_plan *r);

/* Called for each kernel, behind which all actions are known: where it is the first of a chain of steps (loops/dot_chain.h), the last one
 * runs them all, and the others have no action any more. readers, by instruction: the number, counted from 1, of the one that reads it; 0
 * where there is none. False: no memory. */
enum { HLO_READ_BY_SEVERAL = -1 };
bool hlo_plan_chain(hlo_routine_plan *r, const int *readers, int first);

/* ---- Between stages ---- */
const hlo_instruction *hlo_plan_instruction(const hlo_routine_plan *r, int index);
/* Returns the value of a leaf of an instruction. */
hlo_plan_value *hlo_plan_leaf(const hlo_routine_plan *r, int instruction, int leaf);
int hlo_plan_leaf_count(const hlo_routine_plan *r, int instruction);
extern const hlo_plan_place hlo_plan_nowhere;
/* The work of moving bytes, eight of which count as an element. */
static inline int64_t hlo_plan_work_of_bytes(int64_t bytes) { return 1 + bytes / 8; }
/* Returns the place of a leaf of an instruction (after the storages stage). */
const hlo_plan_place *hlo_plan_leaf_place(const hlo_routine_plan *r, int instruction, int leaf);
/* Lists the computations that an instruction enters as frames, at most `capacity` of them; returns how many there are. */
int hlo_plan_entered(const hlo_computation *computation, const hlo_instruction *instruction, int *computations, int capacity);
/* Returns the element of its operand that an alias stands for, HLO_ALIAS_WHOLE for all of it, or HLO_ALIAS_NONE if the instruction is no
 * alias of one operand. */
enum { HLO_ALIAS_WHOLE = -1, HLO_ALIAS_NONE = -2 };
int hlo_plan_alias_element(const hlo_routine_plan *r, const hlo_instruction *instruction);
/* Describes the memory that a value of this shape needs: a place whose offset is not set yet. */
bool hlo_plan_shape_place(const hlo_shape *leaf, hlo_plan_place *place, hlo_status *status);

#endif
