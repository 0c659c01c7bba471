/* Division of integers, and what it leaves, as products and shifts: by a constant, or beside the quotient.
 *
 *   divide(x, 10) of u32 -> shift-right-logical(mulhi(x, 3435973837), 3) */
#ifndef HLO_PASSES_EXPAND_DIVISION_H
#define HLO_PASSES_EXPAND_DIVISION_H

#include "graph/module.h"
#include "rewrite/rewriter.h"

/* Rewrites a division or a remainder of integers; HLO_KEEP where it is divided as it stands. */
int hlo_expand_division(hlo_rewriter *r, const hlo_instruction *i);

#endif
