/* The state of an executable between runs, and of one device of its grid during a run. */
#ifndef HLO_EXEC_DEVICE_H
#define HLO_EXEC_DEVICE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/team.h"
#include "devices/grid.h"
#include "devices/host.h"
#include "devices/rendezvous.h"
#include "exec/executable.h"
#include "exec/profile.h"
#include "graph/module.h"
#include "plan/plan.h"
#include "reference/reference.h"
#include "reference/work.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

typedef struct hlo_nested hlo_nested; /* a grid of programs that one step runs */

/* A routine that has been entered and not left. */
typedef struct hlo_exec_frame {
  const hlo_routine *routine;
  int next; /* the step to run; in a caller: the CALL step that has not returned */
  double entered; /* when it was entered, in a profiled run */
} hlo_exec_frame;

typedef struct hlo_run hlo_run;

#ifdef HLO_REMOTE
/* A start whose result other ranks are still at work on: its step runs again before anything reads the result. */
typedef struct hlo_deferred {
  const hlo_routine *routine;
  const hlo_step *step;
  hlo_attendance attendance;
} hlo_deferred;

enum { HLO_MOST_DEFERRED = 64 };
#endif

typedef struct hlo_device {
  int number;
  char *workspace;   /* HLO_ALIGNMENT-aligned */
  void **arguments;  /* by leaf of the parameters: the caller's memory */
  void **results;    /* by leaf of the result: the caller's memory */
  hlo_exec_frame *frames;
  int depth;         /* frames in use; 0: finished */
  bool waits;        /* its next step is a meeting for which other devices have not arrived */
  bool is_within;    /* its next step has begun, and was left when the slice was over */
  int64_t units;     /* units of work that were done of it (base/team.h) */
  uint64_t rng_state[2];
#ifdef HLO_REMOTE
  hlo_deferred deferred[HLO_MOST_DEFERRED];
  int deferred_count;
#endif
} hlo_device;

struct hlo_executable {
  const hlo_module *module; /* the module that runs: the given one, or the optimised one */
  hlo_module *pinned;       /* the given module, whose large constants stay as they are for functions of the reference; or NULL */
  hlo_module *optimised;    /* made by the passes; NULL for the reference evaluator and for grids within a run */
  int replicas, partitions, device_count; /* device_count: of this process */
  int first_device;     /* the number of its first device */
  hlo_remote *remote;   /* or NULL */
  hlo_host *host;
  hlo_team *team;       /* the given one, or: */
  hlo_team alone;       /* one thread */
  hlo_host nobody;      /* used when no host is given */
  bool reference;       /* everything runs on the reference evaluator; the plan only describes inputs and outputs */
  const hlo_computation *const *programs; /* by device, in a grid within a run; NULL: all devices run the entry computation */
  hlo_plan **plans;     /* by device; devices of one program share a plan */
  hlo_plan *plan;       /* of device 0 */
  hlo_nested *nested;
  hlo_arena arena;      /* devices and what they point to */
  hlo_device *devices;  /* NULL before the first run */
  void *workspaces;     /* of all devices */
  const void **operands; /* room for the operands of one step */
  hlo_arena scratch;    /* temporaries of one step */
  hlo_profile *profile; /* NULL: runs are not profiled */
  hlo_arena run_arena;  /* literals of a reference run; inputs that outputs would overwrite */
  hlo_rendezvous *rendezvous;
  hlo_work work;        /* of the current run, or the last one */
  hlo_run *current;     /* a run that is paused; else NULL */
  bool devices_meet;    /* devices exchange values, so that each run needs a new rendezvous */
#ifdef HLO_ORIGINS
  bool follows;              /* runs follow the origins of elements */
  hlo_origins origins;
  hlo_literal *followed;     /* the last run's result, in the arena of its origins */
#endif
};

/* The host is asked whether to go on each time that so much work has been done, and not at the start of a run; within a step of more work,
 * between the parts that threads could share. */
enum { HLO_WORK_BETWEEN_CHECKS = 1 << 16, HLO_LONG_STEP = 1 << 22 };

/* The state that the steps of one run share. */
struct hlo_run {
  hlo_executable *executable;
  hlo_work *work;
  int64_t work_until_check;
  double slice_end; /* the host's time at which the run pauses, between two steps or units of a long one; 0: it does not */
  bool paused;
  int64_t first_unit; /* of a long step that may pause, in this slice, so that each slice does one; else INT64_MAX */
  hlo_profile *profile; /* or NULL */
  hlo_status *status;
};

/* ---- device.c ---- */
static inline hlo_plan *hlo_device_plan(const hlo_executable *executable, const hlo_device *device) {
#ifdef HLO_REMOTE
  return executable->plans[device->number - executable->first_device];
#else
  return executable->plans[device->number];
#endif
}
/* Sets the data of a step's literals to their places in the device's memory. */
void hlo_device_place_literals(const hlo_device *device, const hlo_step_literals *literals);
/* Runs a step of kind EVALUATE or MEET. */
hlo_meeting hlo_device_run_reference(hlo_run *run, hlo_device *device, const hlo_routine *routine, const hlo_step *step);
static inline void *hlo_device_address(const hlo_device *device, const hlo_plan_place *place) {
  switch (place->kind) {
  case HLO_PLACE_WORKSPACE: return device->workspace + place->offset;
  case HLO_PLACE_CONSTANT: return (void *)place->constant;
  case HLO_PLACE_ARGUMENT: return device->arguments[place->offset];
  case HLO_PLACE_RESULT: return device->results[place->offset];
  case HLO_PLACE_VIEW: return *(void **)(device->workspace + place->offset);
  default: return NULL;
  }
}
/* Puts a device at the first step of the entry. */
void hlo_device_start(hlo_device *device, const hlo_plan *plan, uint64_t seed);
/* Runs until the device has finished (depth 0), waits, or the run is paused; sets *progressed if it completed a step. */
bool hlo_device_run(hlo_run *run, hlo_device *device, bool *progressed);

/* ---- overlap.c ---- */
#ifdef HLO_REMOTE
/* True if a device may go on from this step, which waits for other ranks: nothing needs its result yet. */
bool hlo_overlap_defer(hlo_run *run, hlo_device *device, const hlo_routine *routine, const hlo_step *step);
/* Runs deferred steps that the next step depends on; NULL: all. WAIT: one of them still has to wait. */
hlo_meeting hlo_overlap_settle(hlo_run *run, hlo_device *device, const hlo_step *next);
#else
static inline bool hlo_overlap_defer(hlo_run *run, hlo_device *device, const hlo_routine *routine, const hlo_step *step) { return false; }
static inline hlo_meeting hlo_overlap_settle(hlo_run *run, hlo_device *device, const hlo_step *next) { return HLO_MEETING_DONE; }
#endif

/* ---- executable.c ---- */
/* Compiles a grid of `replicas * partitions` programs of a verified module. NULL on failure. */
hlo_executable *hlo_executable_compile_programs(const hlo_module *module, const hlo_computation *const *programs, int replicas, int partitions,
                                                hlo_host *host, hlo_team *team, hlo_status *status);
/* Runs run->executable on its plans. */
bool hlo_run_planned(hlo_run *run, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed);

/* ---- nested.c ---- */
/* Compiles the programs of every interpreter.run_parallel step that the host does not run itself. */
bool hlo_nested_compile(hlo_executable *executable, hlo_status *status);
void hlo_nested_free(hlo_nested *nested); /* and all that follow it */
/* Returns the grid that a step runs; NULL if it runs none. */
hlo_nested *hlo_nested_find(const hlo_executable *executable, const hlo_step *step);
bool hlo_nested_run(hlo_nested *nested, hlo_run *outer, const hlo_device *device, const hlo_literal *const *operands, hlo_literal *result);
int64_t hlo_nested_workspace_bytes(const hlo_nested *nested);

/* ---- border.c ---- */
/* Checks the inputs and outputs of all devices. Dense ones are used in place; other inputs are copied into the workspace. */
bool hlo_border_enter(hlo_executable *executable, const hlo_buffers *inputs, const hlo_buffers *outputs, hlo_status *status);
/* Copies results to the outputs, except those that were written in place. */
bool hlo_border_leave(hlo_executable *executable, hlo_buffers *outputs, hlo_status *status);

/* ---- reference_run.c ---- */
bool hlo_executable_run_reference(hlo_executable *executable, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed,
                                  hlo_work *work, hlo_status *status);

/* Checks that a value has memory for each leaf, and sizes that fit; `what` and `number` name it in messages. */
bool hlo_border_check(const hlo_executable *executable, const hlo_buffers *buffers, const hlo_shape *shape, const char *what, int number,
                      hlo_code code, hlo_status *status);

#endif
