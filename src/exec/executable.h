/* A compiled module: planned once, run many times.
 *
 * compile: verify -> passes (src/passes) -> plan (src/plan: a flat list of steps over one workspace) ; run: inputs in, steps, outputs out. */
#ifndef HLO_EXEC_EXECUTABLE_H
#define HLO_EXEC_EXECUTABLE_H

#include "base/status.h"
#include "base/team.h"
#include "base/text_writer.h"
#include "devices/grid.h"
#include "devices/host.h"
#include "exec/profile.h"
#include "graph/module.h"
#include "shape/origin.h"
#include "shape/shape.h"

typedef struct hlo_executable hlo_executable;

typedef struct hlo_compile_options {
  int replicas, partitions; /* 0: the module's own */
  bool reference;           /* run everything on the reference evaluator */
  bool emits;               /* functions for its loops will be installed (hlo_executable_install) */
  hlo_host *host;           /* borrowed; lives as long as the executable */
  hlo_team *team;           /* threads that share steps, borrowed likewise; NULL: one thread */
  int64_t work_limit;       /* of compiling, by base/meter.h; 0: none */
  const bool *donated;      /* by parameter (hlo_plan_build_donating); NULL: none is */
  hlo_remote *remote;       /* the ranks that the devices are spread over (devices/remote.h), borrowed; NULL: all are here. Not for `reference` */
} hlo_compile_options;

/* Compiles a module, which must outlive the executable unless this stands alone. Refuses, by name, instructions that cannot run (a
 * custom-call target that is not registered, unbounded dimensions, ...). NULL on failure. */
hlo_executable *hlo_executable_compile(const hlo_module *module, const hlo_compile_options *options, hlo_status *status);
void hlo_executable_free(hlo_executable *executable);

/* Returns the module that runs: the one that was compiled, rewritten or, for the reference evaluator, as it was. */
const hlo_module *hlo_executable_module(const hlo_executable *executable);
/* Returns whether that has memory of its own, so that the module that was compiled may be freed. */
bool hlo_executable_stands_alone(const hlo_executable *executable);
int hlo_executable_parameter_count(const hlo_executable *executable);
/* Shapes with the layouts that the bytes of inputs and outputs have: entry_computation_layout, else the parameter's own. */
const hlo_shape *hlo_executable_parameter_shape(const hlo_executable *executable, int number);
const hlo_shape *hlo_executable_result_shape(const hlo_executable *executable);
int hlo_executable_device_count(const hlo_executable *executable);
/* Bytes that a run needs beside inputs, outputs and constants: workspaces, and packed copies of small constants; more than there can be, perhaps. */
int64_t hlo_executable_workspace_bytes(const hlo_executable *executable);
/* Bytes of constants that runs read as they are, and of large ones that they read packed. */
size_t hlo_executable_constant_bytes(const hlo_executable *executable);
size_t hlo_executable_packed_bytes(const hlo_executable *executable);
/* How many of these bytes are of large constants that other executables use in the same form. */
size_t hlo_executable_shared_bytes(const hlo_executable *executable);
/* The leaf of the result that takes over the memory of a parameter's leaf (both counted over all of them); -1: none does. */
int hlo_executable_donated_to(const hlo_executable *executable, int parameter_leaf);
/* From now on each run writes its records to `profile`, over those of the run before; NULL: runs are not profiled. The reference evaluator has
 * no steps and writes none. */
void hlo_executable_profile(hlo_executable *executable, hlo_profile *profile);
/* Writes the steps and buffers as JSON, for executable.plan. */
void hlo_executable_write_plan(const hlo_executable *executable, hlo_writer *writer);

/* Writes a WebAssembly module with functions for the executable's loops, each once; returns how many there are. Nothing is written, and 0
 * returned, where there are none, or memory ran out. fuses: the host has relaxed SIMD. */
int hlo_executable_emit(hlo_executable *executable, bool fuses, hlo_writer *writer);
/* Tells the executable where these functions are in the table, in their order; from now on the loops run them. */
void hlo_executable_install(hlo_executable *executable, const uint32_t *places, int count);

/* A value at the border: one buffer a leaf (arrays only, in leaf order; a token has none and its buffer is NULL),
 * each with hlo_shape_array_size bytes in the leaf's layout, aligned to its elements. dynamic_sizes: per leaf, rank actual
 * sizes, or NULL for full; of outputs they are written. Where a layout is plain row-major the bytes are used in place. */
typedef struct hlo_buffers {
  int leaf_count;
  void **leaves;
  int64_t **dynamic_sizes;
} hlo_buffers;

#ifdef HLO_REMOTE
/* Connects an executable whose devices are spread over ranks: makes the groups that its collectives need, and waits for the other ranks. Inputs and outputs are
 * those of the devices of this rank, and all ranks run together. */
bool hlo_executable_connect(hlo_executable *executable, hlo_status *status);
#endif

/* Runs on inputs[device * parameter_count + i] and writes outputs[device]; all memory is the caller's, and outputs may overlap inputs. After a
 * failed run the executable can be run again. A run after the first allocates memory only for values that devices send to one another, for
 * inputs that outputs overlap, and, until it ends, for tables of tiled layouts. */
bool hlo_executable_run(hlo_executable *executable, const hlo_buffers *inputs, hlo_buffers *outputs,
                        uint64_t seed, int64_t work_budget, hlo_status *status);
/* The work of the last run, as far as it came. */
int64_t hlo_executable_work(const hlo_executable *executable);

/* The same run in slices: begin, then go on until `finished` is set or one fails. In between, inputs, outputs and the executable stay as they are;
 * `status` must live as long. Not for the reference evaluator, which cannot pause. */
bool hlo_executable_begin(hlo_executable *executable, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed, int64_t work_budget,
                          hlo_status *status);
/* Runs for about so many milliseconds, and to the end of the step that runs then. */
bool hlo_executable_continue(hlo_executable *executable, double milliseconds, hlo_buffers *outputs, bool *finished);
/* Ends a run between two slices. */
void hlo_executable_abandon(hlo_executable *executable);

#ifdef HLO_ORIGINS
/* ---- Origins (reference/origins.h), of an executable compiled for the reference evaluator ---- */
/* From now on runs follow origins. Refuses modules that cannot be followed. */
bool hlo_executable_follow(hlo_executable *executable, hlo_status *status);
/* Returns the origin of element `index` of array `number` of the last run's result; valid until the next run. */
bool hlo_executable_origin(const hlo_executable *executable, int64_t number, int64_t index, hlo_origin *origin, hlo_status *status);
hlo_origins *hlo_executable_origins(hlo_executable *executable);
#endif

#endif
