/* Elements of complex numbers: plain arithmetic; the functions come with linear algebra and Fourier transforms (src/side), and compile has loaded
 * them where a program has any. */
#include "graph/opcode.h"
#include "reference/complex_numbers.h"
#include "reference/functions.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/element_type.h"

static hlo_scalar make(double re, double im) { return (hlo_scalar){.f = re, .im = im}; }

bool hlo_reference_has_complex(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ABS: case HLO_OP_REAL: case HLO_OP_IMAG: case HLO_OP_NEGATE: case HLO_OP_ADD: case HLO_OP_SUBTRACT: case HLO_OP_MULTIPLY: /* here */
  case HLO_OP_COMPARE: case HLO_OP_CONVERT: case HLO_OP_SELECT: return true; /* in files of their own */
  default: return false;
  }
}

hlo_scalar hlo_reference_unary_complex(hlo_opcode opcode, hlo_scalar z) {
  switch (opcode) {
  case HLO_OP_ABS: return make(hlo_complex_abs((hlo_complex){z.f, z.im}), 0);
  case HLO_OP_REAL: return make(z.f, 0);
  case HLO_OP_IMAG: return make(z.im, 0);
  case HLO_OP_NEGATE: return make(-z.f, -z.im);
  default: return hlo_routines_loaded()->complex_function(opcode, z);
  }
}

hlo_scalar hlo_reference_binary_complex(hlo_opcode opcode, hlo_scalar lhs, hlo_scalar rhs) {
  switch (opcode) {
  case HLO_OP_ADD: return make(lhs.f + rhs.f, lhs.im + rhs.im);
  case HLO_OP_SUBTRACT: return make(lhs.f - rhs.f, lhs.im - rhs.im);
  case HLO_OP_MULTIPLY: return make(lhs.f * rhs.f - lhs.im * rhs.im, lhs.f * rhs.im + lhs.im * rhs.f);
  default: return hlo_routines_loaded()->complex_function_of_two(opcode, lhs, rhs);
  }
}
