/* The choice of a kernel for an instruction, and how it is set up. */
#ifndef HLO_PLAN_KERNEL_TABLE_H
#define HLO_PLAN_KERNEL_TABLE_H

#include "kernels/product.h"
#include "passes/loop_kernels.h"
#include "passes/loop_view.h"
#include "plan/plan.h"

/* A hlo_shared_step_function that also tells of parts. finish may be NULL. */
typedef void hlo_telling_step_function(const void *parameters, const void *const *operands, void *result, void *scratch, const hlo_finish *finish,
                                       hlo_team *team);

/* An instruction with the kernel that runs it. */
typedef struct hlo_kernel_choice {
  const char *kernel;
  hlo_step_function *run;
  hlo_shared_step_function *run_shared; /* in its stead; else NULL */
  const void *parameters;
  int operand_count;
  int *operands;         /* instructions whose (single) leaves the kernel reads: not always those of the instruction */
  unsigned overwritable; /* bit n: the result may take the place of operand n */
  const unsigned *more_overwritable; /* of each further leaf of the result; NULL: none may */
  int64_t scratch_bytes;
  /* Dots and convolutions may tell of parts of their result, in elements of it, that are complete: NULL where they do not */
  hlo_telling_step_function *run_telling;
  int64_t told_width; /* how long the runs of such a part are, as far as the array's layout goes */
} hlo_kernel_choice;

/* What a setup function may ask and use. */
typedef struct hlo_kernel_question {
  const hlo_module *module;
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  hlo_arena *arena; /* the plan's, for parameters */
  int threads;      /* that share the step, at most */
  int64_t *packed_bytes; /* of the plan; see hlo_kernel_packing */
  hlo_loop_step **loops; /* of the plan */
  const struct hlo_kernel_question *fusion; /* about the fusion that the instruction is part of; NULL: it is part of none */
  hlo_status *status;
} hlo_kernel_question;

/* Fills the choice and returns true; false where the kernel does not fit (or memory ran out: the status says so).
 * `operands` holds the instruction's own and may be changed. */
typedef bool hlo_kernel_setup(const hlo_kernel_question *question, hlo_kernel_choice *choice);

/* Of functions that run once, in files that are built fast for what they do in every run. */
#ifdef __clang__
#define HLO_BUILT_SMALL __attribute__((minsize))
#else
#define HLO_BUILT_SMALL
#endif

/* One row: an instruction of `opcode`, if setup agrees. Rows are tried in order; what neither they nor the table of
 * element-wise kernels take is left to the reference. */
typedef struct hlo_kernel_row {
  hlo_opcode opcode;
  hlo_kernel_setup *setup;
  const char *name;
} hlo_kernel_row;

bool hlo_kernel_choose(hlo_kernel_question question, hlo_kernel_choice *choice);
/* About how long an element-wise op takes for an element. */
double hlo_elementwise_nanoseconds(hlo_opcode opcode);                          /* elementwise_steps.c */

hlo_kernel_setup hlo_setup_elementwise;                                         /* elementwise_steps.c */
hlo_kernel_setup hlo_setup_view;                                                /* copy_steps.c */
hlo_kernel_setup hlo_setup_concatenate, hlo_setup_pad, hlo_setup_iota;          /* join_steps.c */
hlo_kernel_setup hlo_setup_dynamic_slice, hlo_setup_dynamic_update_slice;       /* dynamic_slice_steps.c */
hlo_kernel_setup hlo_setup_gather;                                                              /* gather_steps.c */
hlo_kernel_setup hlo_setup_scatter;                                                             /* scatter_steps.c */
hlo_kernel_setup hlo_setup_sort;                                                                /* sort_steps.c */
hlo_kernel_setup hlo_setup_top_k;                                                               /* top_k_steps.c */
hlo_kernel_setup hlo_setup_reduce;                                              /* reduce_steps.c */
hlo_kernel_setup hlo_setup_arg_extreme;                                         /* arg_extreme_steps.c */
hlo_kernel_setup hlo_setup_fold;                                                /* fold_steps.c */
hlo_kernel_setup hlo_setup_loop;                                                /* loop_steps.c */
hlo_kernel_setup hlo_setup_epilogue;                                            /* epilogue_steps.c */
hlo_kernel_setup hlo_setup_reduce_window, hlo_setup_select_and_scatter;          /* window_steps.c */
hlo_kernel_setup hlo_setup_fft;                                                 /* fft_steps.c */
hlo_kernel_setup hlo_setup_random;                                              /* random_steps.c */
hlo_kernel_setup hlo_setup_merge_sort;                                          /* merge_sort_steps.c */
hlo_kernel_setup hlo_setup_dot;                                                 /* dot_steps.c */
hlo_kernel_setup hlo_setup_byte_dot;                                            /* byte_dot_steps.c */
hlo_kernel_setup hlo_setup_convolution_as_dot, hlo_setup_convolution;           /* convolution_steps.c */

/* The elements, dense and row-major, of an operand that is a constant (or a reshape of one); else NULL. */
const void *hlo_kernel_constant(const hlo_kernel_question *question, int operand);
/* Memory of the plan for a constant in the form that a kernel likes best, 16-byte aligned; counted in the plan's packed_bytes.
 * NULL where there is none: the kernel then takes the constant as it is, and the status does not know. */
void *hlo_kernel_packing(const hlo_kernel_question *question, size_t bytes);

/* The shape of an operand of the instruction. */
const hlo_shape *hlo_kernel_operand(const hlo_kernel_question *question, int operand);

/* Has a copy of the parameters run so. False: no memory. */
bool hlo_kernel_run(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_shared_step_function *run,
                    const void *parameters, size_t bytes);
#define HLO_RUN(question, choice, run, parameters) hlo_kernel_run(question, choice, run, &(parameters), sizeof(parameters))

/* A run of a step that a team takes in parts, as one of its threads sees it; the scratch is the thread's own. */
typedef struct hlo_part_call {
  const void *parameters;
  const void *const *operands;
  void *result, *scratch;
} hlo_part_call;

/* Things `first` to first + count - 1. */
typedef void hlo_part_function(const hlo_part_call *call, int64_t first, int64_t count);

typedef struct hlo_parted {
  hlo_part_function *run;
  int64_t count, step;     /* things; parts begin at multiples of the step */
  double nanoseconds;      /* about what all of it takes one thread */
  int64_t scratch_bytes;   /* of a thread */
  const void *parameters;
} hlo_parted;

/* The same for such a step; sets the scratch, too. */
bool hlo_kernel_run_parted(const hlo_kernel_question *question, hlo_kernel_choice *choice, hlo_parted *parted,
                           const void *parameters, size_t bytes);
#define HLO_RUN_PARTED(question, choice, parameters, ...) \
  hlo_kernel_run_parted(question, choice, &(hlo_parted){__VA_ARGS__}, &(parameters), sizeof(parameters))

/* How many elements the dimensions before that one have, and those behind it. */
int64_t hlo_kernel_split(const hlo_shape *shape, int dimension, int64_t *inner);
/* Row-major strides of a shape, in bytes. */
void hlo_byte_strides(const hlo_shape *shape, int64_t *strides);
/* A copy of `value` in the arena. */
#define HLO_KEEP(question, value) hlo_arena_copy((question)->arena, &(value), sizeof(value), (question)->status)

#endif
