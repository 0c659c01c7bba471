/* Making an applied program (kernels/elementwise/applied_program.h) from a computation. */
#ifndef HLO_LOOPS_APPLIED_PROGRAM_MAKE_H
#define HLO_LOOPS_APPLIED_PROGRAM_MAKE_H

#include <stdbool.h>

#include "graph/module.h"
#include "kernels/elementwise/applied_program.h"

/* Returns false, *program being undefined, where the computation has an instruction without an element-wise kernel, a value that is no
 * static scalar, or more instructions or results than a program may have. The program refers to the constants of the computation. */
bool hlo_applied_program_make(const hlo_computation *computation, hlo_applied_program *program);

#endif
