/* Functions of complex numbers as kernels of element-wise steps: those that are no loops over their parts, since a part may lose its digits
 * where it is near zero. */
#ifndef HLO_REFERENCE_COMPLEX_COMPLEX_KERNELS_H
#define HLO_REFERENCE_COMPLEX_COMPLEX_KERNELS_H

#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "shape/element_type.h"

/* Returns the kernel of an opcode for elements of c64 or c128; NULL: there is none. */
hlo_elementwise_kernel *hlo_complex_kernel(hlo_opcode opcode, hlo_type type);

#endif
