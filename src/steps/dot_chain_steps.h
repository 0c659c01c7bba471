/* Setting up chains of dots and fused loops that run by blocks of rows (loops/dot_chain.h), of steps that are set up already. */
#ifndef HLO_STEPS_DOT_CHAIN_STEPS_H
#define HLO_STEPS_DOT_CHAIN_STEPS_H

#include "steps/kernel_table.h"

/* A step that may be a member. */
typedef struct hlo_chain_link {
  int instruction, read;           /* read: the operand that is what the member before gives; -1 for the first */
  const hlo_kernel_choice *choice; /* of the instruction */
} hlo_chain_link;

/* Returns whether a step is a dot, or a dot with an epilogue, that may be the first or the last of a chain. */
bool hlo_chain_takes_dot(const hlo_kernel_choice *choice);

/* Changes the choice of the last of `count` links, at most HLO_CHAIN_MOST: its step runs them all. Returns false where the steps do not fit
 * together, or where the chain would need no less memory than they do; or memory ran out, which the status says. */
bool hlo_chain_choose(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_kernel_choice *choice);

#endif
