/* Choosing a kernel for an instruction, and setting it up.
 *
 * A kernel is a row of the table in kernel_table.c, a set-up here in src/steps, which knows the graph, and parameters with a run function in
 * src/kernels, which do not. */
#ifndef HLO_STEPS_KERNEL_TABLE_H
#define HLO_STEPS_KERNEL_TABLE_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/product/epilogue.h"
#include "kernels/ranged_step.h"
#include "kernels/step_function.h"
#include "loops/fused_loop_call.h"
#include "shape/constant_uses.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

/* An instruction with the kernel that runs it. */
typedef struct hlo_kernel_choice {
  const char *kernel;    /* its name, for people */
  hlo_step_function *run;
  hlo_shared_step_function *run_shared; /* runs instead of `run`, where a team can share the step; else NULL */
  bool resumes;          /* all that run_shared writes, it writes in units of the team: run again, it goes on behind those that are done */
  hlo_step_function *find; /* writes, as its result, the address of what `run` would copy out of operand 0; NULL: that is no one piece of it */
  const void *parameters;
  int operand_count;
  int *operands;         /* instructions whose (single) leaves the kernel reads: those of the instruction, unless set-up changes them */
  int own_operands;      /* those behind them are instructions of the computation in which the fusion stands, if the instruction is part of one */
  unsigned overwritable; /* bit n: the result may be written where operand n lies */
  const unsigned *more_overwritable; /* the same for each further leaf of the result; NULL: none may */
  int64_t scratch_bytes;
  hlo_epilogue_step_function *run_with_epilogue; /* dots and convolutions: run_shared with an epilogue; NULL: it takes none */
  int64_t epilogue_width;                        /* of the rows in which an epilogue sees the result, in elements */
  int covered_count;                             /* of instructions that the step runs beside its own, whose values have no memory */
  const int *covered;
} hlo_kernel_choice;

/* The instruction for which a kernel is sought, with what set-up needs to know and to use. */
typedef struct hlo_kernel_question {
  const hlo_module *module;
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  hlo_arena *arena; /* of the plan: parameters live in it */
  int threads;      /* that may share the step, at most */
  int64_t *packed_bytes; /* of the plan: see hlo_kernel_packing */
  hlo_constant_uses *constants; /* of the plan */
  hlo_fused_loop_step **loops; /* the list of the plan, to which fused loops are added */
  hlo_host *host; /* whose custom calls come before those that are built in; NULL: it has none */
  const struct hlo_kernel_question *fusion; /* the question about the fusion that the instruction is part of; NULL: it is part of none */
  hlo_status *status;
} hlo_kernel_question;

/* Fills the choice and returns true. Returns false where the kernel does not fit, or memory ran out, which the status says. The choice
 * comes with the name of the row and the operands of the instruction, which may be changed. */
typedef bool hlo_kernel_setup(const hlo_kernel_question *question, hlo_kernel_choice *choice);

/* A row of the table: the kernel of instructions of `opcode` for which set-up returns true. Rows are tried in order. Instructions that no
 * row takes, and no element-wise kernel, are left to the reference. */
typedef struct hlo_kernel_row {
  hlo_opcode opcode;
  hlo_kernel_setup *setup;
  const char *name;
} hlo_kernel_row;

/* Chooses a kernel. Returns false where there is none, or memory ran out, which the status says. */
bool hlo_kernel_choose(hlo_kernel_question question, hlo_kernel_choice *choice);

/* The set-ups of the rows, by file: */
hlo_kernel_setup hlo_setup_elementwise;                                   /* elementwise_steps.c */
hlo_kernel_setup hlo_setup_strided_copy;                                  /* copy_steps.c */
hlo_kernel_setup hlo_setup_concatenate, hlo_setup_pad, hlo_setup_iota;    /* join_steps.c */
hlo_kernel_setup hlo_setup_dynamic_slice, hlo_setup_dynamic_update_slice; /* dynamic_slice_steps.c */
hlo_kernel_setup hlo_setup_gather;                                        /* gather_steps.c */
hlo_kernel_setup hlo_setup_scatter;                                       /* scatter_steps.c */
hlo_kernel_setup hlo_setup_key_sort;                                      /* key_sort_steps.c */
hlo_kernel_setup hlo_setup_comparator_sort;                               /* comparator_sort_steps.c */
hlo_kernel_setup hlo_setup_top_k;                                         /* top_k_steps.c */
hlo_kernel_setup hlo_setup_reduce;                                        /* reduce_steps.c */
hlo_kernel_setup hlo_setup_arg_extreme;                                   /* arg_extreme_steps.c */
hlo_kernel_setup hlo_setup_fold;                                          /* fold_steps.c */
hlo_kernel_setup hlo_setup_reduce_window, hlo_setup_applied_window, hlo_setup_select_and_scatter; /* window_steps.c */
hlo_kernel_setup hlo_setup_loop;                                          /* fused_loop_steps.c */
hlo_kernel_setup hlo_setup_epilogue;                                      /* epilogue_steps.c */
hlo_kernel_setup hlo_setup_dot;                                           /* dot_steps.c */
hlo_kernel_setup hlo_setup_narrow_dot, hlo_setup_narrow_convolution;      /* narrow_dot_steps.c */
hlo_kernel_setup hlo_setup_byte_dot;                                      /* byte_dot_steps.c */
hlo_kernel_setup hlo_setup_convolution_as_dot, hlo_setup_convolution, hlo_setup_byte_convolution; /* convolution_steps.c */
hlo_kernel_setup hlo_setup_fft;                                           /* fft_steps.c */
hlo_kernel_setup hlo_setup_random;                                        /* random_steps.c */
hlo_kernel_setup hlo_setup_cholesky, hlo_setup_triangular_solve; /* linear_steps.c */
hlo_kernel_setup hlo_setup_lapack, hlo_setup_sparse_product;                  /* linear_steps.c */

/* Returns the constant that an instruction is, or a reshape of it; NULL: it is none. */
const hlo_literal *hlo_kernel_constant_of(const hlo_computation *computation, const hlo_instruction *instruction);
/* Returns whether hlo_kernel_pack may pack an operand: it is a constant, or a reshape of one, if only outside of the fusion. */
bool hlo_kernel_is_constant(const hlo_kernel_question *question, int operand);
/* Packs an operand that is a constant, or a reshape of one. A small constant is packed at once, if that gains time, as a copy; a large one
 * takes the packed form once the plan is made (shape/constant_uses.h). NULL, without a failure in the status: the kernel reads the
 * operand as it is. */
hlo_packed *hlo_kernel_pack(const hlo_kernel_question *question, int operand, const hlo_packing *packing, bool gains);
/* The same of a constant. */
hlo_packed *hlo_kernel_pack_constant(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_packing *packing, bool gains);
/* Memory of the plan, 16-byte aligned, for tables; counted in the plan's packed_bytes. NULL, without a failure in the status, where there
 * is no memory. */
void *hlo_kernel_packing(const hlo_kernel_question *question, size_t bytes);

/* The shape of an operand of the instruction. */
const hlo_shape *hlo_kernel_operand(const hlo_kernel_question *question, int operand);

/* Sets the choice to `run` with a copy of the parameters. Returns false where there is no memory. */
bool hlo_kernel_run(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_shared_step_function *run,
                    const void *parameters, size_t bytes);
#define HLO_RUN(question, choice, run, parameters) hlo_kernel_run(question, choice, run, &(parameters), sizeof(parameters))

/* Sets the choice to a ranged step (kernels/ranged_step.h) with a copy of the parameters, and its scratch to that of all threads. Returns
 * false where there is no memory. */
bool hlo_kernel_run_ranges(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_ranged_step *ranged,
                           const void *parameters, size_t bytes);
#define HLO_RUN_RANGES(question, choice, parameters, ...) \
  hlo_kernel_run_ranges(question, choice, &(hlo_ranged_step){__VA_ARGS__}, &(parameters), sizeof(parameters))

/* Returns how many elements the dimensions before `dimension` have together, and sets *inner to how many those behind it have. */
int64_t hlo_kernel_split(const hlo_shape *shape, int dimension, int64_t *inner);
/* A copy of `value` in the arena. */
#define HLO_KERNEL_COPY(question, value) hlo_arena_copy((question)->arena, &(value), sizeof(value), (question)->status)

#endif
