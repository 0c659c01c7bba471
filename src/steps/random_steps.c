/* rng-bit-generator of elements of whole bytes: reference/ops/rng_bit_generator.c defines which word goes where. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/random/rng_run.h"
#include "reference/ops/random_bits.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

bool hlo_setup_random(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *state = hlo_kernel_operand(question, 0), *output = instruction->shape->elements[1];
  hlo_type type = output->type;
  bool is_wide = hlo_type_bits(type) == 64;
  if (state->type != HLO_TYPE_U64 || hlo_type_bits(type) < 8 || hlo_type_is_complex(type)) return false;
  hlo_rng_parameters p = {.state_words = (int)hlo_shape_element_count(state), .element_bytes = is_wide ? 4 : hlo_type_bytes(type),
                         .count = hlo_shape_element_count(output) * (is_wide ? 2 : 1), .outer = 1, .inner = 1};
  p.is_philox = hlo_instruction_enum(instruction, HLO_ATTR_rng_algorithm, HLO_rng_algorithm_rng_default) != HLO_rng_algorithm_rng_three_fry;
  int split = is_wide ? -1 : hlo_threefry_split_dimension(output);
  p.size = is_wide ? p.count : split < 0 ? 1 : output->dims[split];
  p.half = (p.size + 1) / 2;
  if (!is_wide) p.outer = hlo_kernel_split(output, split, &p.inner);
  return p.state_words > 1 && HLO_RUN(question, choice, hlo_rng_run, p);
}
