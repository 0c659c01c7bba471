/* What one executable keeps from run to run, and one device of its grid while it runs. */
#ifndef HLO_EXEC_DEVICE_H
#define HLO_EXEC_DEVICE_H

#include "exec/executable.h"

typedef struct hlo_nested hlo_nested; /* a grid of programs that one step runs */

/* A routine under way. */
typedef struct hlo_exec_frame {
  const hlo_routine *routine;
  int next; /* step to run; in a caller: the CALL step that it has not come back from */
  double entered; /* of a profiled run */
} hlo_exec_frame;

typedef struct hlo_device {
  int number;
  char *workspace;   /* HLO_PLACE_ALIGNMENT-aligned */
  void **arguments;  /* by leaf of the parameters: the caller's memory */
  void **results;    /* by leaf of the result: the caller's memory */
  hlo_exec_frame *frames;
  int depth;         /* frames in use; 0: finished */
  bool waits;        /* the step that it stands at is a meeting that is not complete */
  uint64_t rng_state[2];
} hlo_device;

struct hlo_executable {
  const hlo_module *module; /* that runs: the one given, or what the passes made of it */
  hlo_module *optimised;    /* the latter; NULL for the reference evaluator and for grids within a run */
  int replicas, partitions, device_count;
  hlo_host *host;
  hlo_team *team;       /* NULL: one thread */
  hlo_host nobody;      /* stands in when there is no host */
  bool reference;       /* everything runs on the reference evaluator; the plan still knows the border */
  const hlo_computation *const *programs; /* of each device, in a grid within a run; NULL: the entry computation everywhere */
  hlo_plan **plans;     /* of each device; devices of one program share theirs */
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
  bool devices_meet;    /* then a rendezvous serves one run */
#ifdef HLO_ORIGINS
  bool follows;              /* the origins of the last run's results are kept */
  hlo_origins origins;
  hlo_literal *followed;     /* the last run's result, in the arena of its origins */
#endif
};

/* The host is asked whether to go on after so much work: not before, as it has only just asked for the run. */
enum { HLO_WORK_BETWEEN_CHECKS = 1024 };

/* One run: what its steps share. */
typedef struct hlo_run {
  hlo_executable *executable;
  hlo_steps *steps;
  int64_t work_until_check;
  hlo_profile *profile; /* or NULL */
  hlo_status *status;
} hlo_run;

/* ---- device.c ---- */
static inline void *hlo_device_address(const hlo_device *device, const hlo_plan_place *place) {
  switch (place->kind) {
  case HLO_PLACE_WORKSPACE: return device->workspace + place->offset;
  case HLO_PLACE_CONSTANT: return (void *)place->constant;
  case HLO_PLACE_ARGUMENT: return device->arguments[place->offset];
  case HLO_PLACE_RESULT: return device->results[place->offset];
  default: return NULL;
  }
}
/* Stands at the first step of the entry. */
void hlo_device_start(hlo_device *device, const hlo_plan *plan, uint64_t seed);
/* Runs until the device has finished (depth 0) or waits; *progressed is set when it got past any step. */
bool hlo_device_run(hlo_run *run, hlo_device *device, bool *progressed);

/* ---- executable.c ---- */
/* A grid of `replicas * partitions` programs of a verified module. NULL on failure. */
hlo_executable *hlo_executable_compile_programs(const hlo_module *module, const hlo_computation *const *programs, int replicas, int partitions,
                                                hlo_host *host, hlo_team *team, hlo_status *status);
/* One run of run->executable, on its plans. */
bool hlo_run_planned(hlo_run *run, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed);

/* ---- nested.c ---- */
/* Compiles the programs of every interpreter.run_parallel step that the host does not run itself. */
bool hlo_nested_compile(hlo_executable *executable, hlo_status *status);
void hlo_nested_free(hlo_nested *nested); /* and all that follow it */
/* NULL: the step runs no grid. */
hlo_nested *hlo_nested_find(const hlo_executable *executable, const hlo_step *step);
bool hlo_nested_run(hlo_nested *nested, hlo_run *outer, const hlo_device *device, const hlo_literal *const *operands, hlo_literal *result);
size_t hlo_nested_workspace_bytes(const hlo_nested *nested);

/* ---- border.c ---- */
/* Checks the inputs and outputs of all devices and takes them in: in place where they are dense, gathered where not. */
bool hlo_border_enter(hlo_executable *executable, const hlo_buffers *inputs, const hlo_buffers *outputs, hlo_status *status);
/* Writes what is not in the outputs already. */
bool hlo_border_leave(hlo_executable *executable, hlo_buffers *outputs, hlo_status *status);

/* ---- reference_run.c ---- */
bool hlo_executable_run_reference(hlo_executable *executable, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed,
                                  int64_t step_budget, hlo_status *status);

/* Whether a value has an array of memory for each leaf, and sizes that fit; `what` and `number` say which it is. */
bool hlo_border_check(const hlo_executable *executable, const hlo_buffers *buffers, const hlo_shape *shape, const char *what, int number,
                      hlo_code code, hlo_status *status);

#endif
