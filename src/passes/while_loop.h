/* A while loop over a tuple, as passes see it: which elements of its state do what. */
#ifndef HLO_PASSES_WHILE_LOOP_H
#define HLO_PASSES_WHILE_LOOP_H

#include "graph/module.h"
#include "rewrite/rewriter.h"
#include "shape/literal.h"

typedef struct hlo_while_loop {
  const hlo_computation *condition, *body;
  int count;               /* elements of the state */
  const int *next;         /* by element: the instruction of the body that gives its next value */
  const bool *is_invariant; /* by element: the body hands it on unchanged */
} hlo_while_loop;

/* Reads a while instruction. False if its state is no tuple, or is used other than element by element. */
bool hlo_while_loop_read(hlo_rewriter *r, const hlo_instruction *instruction, hlo_while_loop *loop);
/* Returns the number of the element if the instruction of the condition or body is an element of the state; else -1. */
int hlo_while_loop_element(const hlo_computation *computation, const hlo_instruction *instruction);
/* Returns the initial value of element n, an index in `to`; HLO_KEEP if the initial state is not a tuple instruction. */
int hlo_while_loop_initial(const hlo_rewriter *r, const hlo_instruction *instruction, int n);
/* The same, but adds a get-tuple-element where the initial state is not a tuple instruction. */
int hlo_while_loop_add_initial(hlo_rewriter *r, const hlo_instruction *instruction, int n);

/* How the state of a loop is to change; the loop computes the same. */
typedef struct hlo_while_loop_change {
  const int *place;                    /* by element: its new number; -1: it is removed */
  int kept;                            /* number of elements that stay */
  const hlo_literal *const *constants; /* by element: the constant that it always is, or NULL */
  const int *carried;                  /* by instruction of the body: the invariant value outside that takes its place, as one more element; or HLO_KEEP */
  int carried_count;
} hlo_while_loop_change;
/* Adds the changed loop, and a tuple of its final elements in their old order. */
int hlo_while_loop_add_changed(hlo_rewriter *r, const hlo_instruction *instruction, const hlo_while_loop *loop, const hlo_while_loop_change *change);

#endif
