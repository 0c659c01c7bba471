/* A while loop over a tuple, as passes see it: which elements of its state do what. */
#ifndef HLO_PASSES_LOOP_STATE_H
#define HLO_PASSES_LOOP_STATE_H

#include "passes/rewriter.h"

typedef struct hlo_loop {
  const hlo_computation *condition, *body;
  int count;               /* of elements */
  const int *next;         /* by element: the instruction of the body that gives it */
  const bool *is_invariant; /* the body hands it on */
} hlo_loop;

/* False where the state is no tuple, or is used other than element by element. */
bool hlo_loop_read(hlo_rewriter *r, const hlo_instruction *instruction, hlo_loop *loop);
/* The element that an instruction of the condition or the body is; -1: none. */
int hlo_loop_element(const hlo_computation *computation, const hlo_instruction *instruction);
/* What element n is before the first iteration: a value in `to`, HLO_KEEP when the initial state is not taken apart. */
int hlo_loop_initial(const hlo_rewriter *r, const hlo_instruction *instruction, int n);
/* The same, with a get-tuple-element where needed. */
int hlo_loop_add_initial(hlo_rewriter *r, const hlo_instruction *instruction, int n);

/* Another loop that does the same. */
typedef struct hlo_loop_change {
  const int *place;                    /* by element: its new number; -1: it goes */
  int kept;                            /* elements that do not go */
  const hlo_literal *const *constants; /* by element: what it always is, or NULL */
  const int *carried;                  /* by instruction of the body: a value that it always is, which becomes one more element; or HLO_KEEP */
  int carried_count;
} hlo_loop_change;
/* Adds it, and a tuple of what the elements are behind it. */
int hlo_loop_add_changed(hlo_rewriter *r, const hlo_instruction *instruction, const hlo_loop *loop, const hlo_loop_change *change);

#endif
