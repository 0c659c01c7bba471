/* Writes windows that slide over an array, and convolutions of one feature, as ops that take less time:
 *
 *   over a dilated array              over the array with its gaps filled
 *   of a few cells                    the cells one after another: slices that a loop reads; not extremes of floats over many elements side by side
 *   side by side, of more cells       a reduction of the array cut into them (pooling of images whose features come first)
 *   overlapping, of more cells        along one dimension after the other
 *   along the last dimension alone    over the transposed array
 *   a convolution of one feature with a few weights   sums of slices times weights (a step of a simulation) */
#ifndef HLO_PASSES_EXPAND_WINDOWS_H
#define HLO_PASSES_EXPAND_WINDOWS_H

#include "graph/module.h"
#include "rewrite/rewriter.h"

/* Rewrites a reduce-window; HLO_KEEP where it is best left to its kernel. */
int hlo_expand_window(hlo_rewriter *r, const hlo_instruction *window);
/* Rewrites a convolution; likewise. */
int hlo_expand_convolution(hlo_rewriter *r, const hlo_instruction *convolution);

#endif
