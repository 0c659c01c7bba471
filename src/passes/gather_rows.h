/* Gathers of rows of a table that the program widens: the rows are taken narrow, and they alone are widened.
 *
 *   gather(multiply(convert(q), broadcast(scale)), i) -> multiply(convert(gather(q, i)), broadcast(gather(scale, i))) */
#ifndef HLO_PASSES_GATHER_ROWS_H
#define HLO_PASSES_GATHER_ROWS_H

#include "graph/module.h"
#include "rewrite/rewriter.h"

/* Rewrites a gather; HLO_KEEP where it takes no rows, or none of fewer than the table has, or their elements are not widened. */
int hlo_gather_rows(hlo_rewriter *r, const hlo_instruction *gather);

#endif
