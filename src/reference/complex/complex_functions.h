/* Element functions of complex numbers beyond plain arithmetic: each part is right to within an ulp. */
#ifndef HLO_REFERENCE_COMPLEX_COMPLEX_FUNCTIONS_H
#define HLO_REFERENCE_COMPLEX_COMPLEX_FUNCTIONS_H

#include "graph/opcode.h"
#include "shape/element_type.h"

hlo_scalar hlo_complex_function(hlo_opcode opcode, hlo_scalar z);
/* divide, power, atan2, maximum, minimum */
hlo_scalar hlo_complex_function_of_two(hlo_opcode opcode, hlo_scalar lhs, hlo_scalar rhs);

#endif
