/* Frames kept as data: a process runs a computation, and all that it calls, one instruction a step.
 *
 * No computation can be active twice at once (recursion is refused), so every computation has one frame a
 * process, made when it is first entered and used again whenever it is entered again: a loop of any length
 * runs in the memory of its first rounds. Frames in use are linked from callee to caller:
 *
 *   top -> [body: next 3, values] -> [entry: next 7 (a while), values] -> NULL
 *
 * Literals never change while anyone can see them, so tuples, parameters and copies share them. An instruction that nothing needs is
 * passed over: it has no value, and takes neither memory nor work. */
#ifndef HLO_REFERENCE_MACHINE_FRAMES_H
#define HLO_REFERENCE_MACHINE_FRAMES_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "reference/reference.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

typedef enum hlo_progress {
  HLO_PROGRESS_FAILED,
  HLO_PROGRESS_STEPPED,
  HLO_PROGRESS_WAITING, /* for other devices or the host; the same instruction is run again by the next step */
  HLO_PROGRESS_FINISHED
} hlo_progress;

typedef struct hlo_while_state hlo_while_state; /* the state that a while carries */

typedef struct hlo_frame hlo_frame;
struct hlo_frame {
  const hlo_computation *computation;
  bool *needed;                /* by instruction: it does more than make a value, or another needed one reads it */
  hlo_frame *caller;           /* NULL at the bottom */
  int next;                    /* index of the instruction to run; in a caller: of the one that called */
  int branch;                  /* which computation the caller's instruction entered (while: 0 condition, 1 body) */
  const hlo_literal **values;  /* of each instruction */
  hlo_literal **own;           /* the memory of each instruction's value; NULL until needed, and where it is shared */
  hlo_while_state **loops;     /* of each while; NULL for other instructions */
  const hlo_literal **operands; /* room for the operands of one instruction */
  hlo_origin by;                /* of the conditions so far of the while that is running, where origins are followed */
};

typedef struct hlo_process {
  hlo_evaluation evaluation; /* its scratch is for temporaries */
  bool resets_scratch;       /* after each instruction */
  bool is_applied;           /* to elements: the work of its instructions was taken before, every loop running once */
  hlo_arena *arena;          /* frames and values live here */
  hlo_frame **frames;        /* by computation; NULL until one is called */
  hlo_frame *bottom, *top;   /* top is NULL when finished */
} hlo_process;

/* Makes the bottom frame. `evaluation` is copied. */
bool hlo_process_init(hlo_process *process, const hlo_evaluation *evaluation, hlo_arena *arena,
                      const hlo_computation *computation);
/* Stands at the first instruction, at the beginning or once more. The arguments must live until the process has finished. */
void hlo_process_start(hlo_process *process, const hlo_literal *const *arguments);
hlo_progress hlo_process_step(hlo_process *process);
/* The root's value, once finished; valid until the process starts again. */
const hlo_literal *hlo_process_result(const hlo_process *process);

/* A tuple that owns its list of elements but not the elements. NULL: no memory. */
hlo_literal *hlo_literal_make_shell(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);

/* ---- while_state.c ---- */
hlo_while_state *hlo_while_state_make(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);
/* Takes the body's result as the next state. `now` is the state that the body was given, parts of which
 * may be parts of the result. NULL on failure. */
const hlo_literal *hlo_while_state_advance(hlo_while_state *loop, const hlo_literal *now, const hlo_literal *result, hlo_status *status);

#endif
